/* Uniform noise with a delta: `u <$ Uniform(0, w); return x + u;`. Run 2's sample may move by e if the
 * mass that leaves the range, |e|/w, is within delta (SLIDE). To the aligner it is noise that moves
 * for free; in proof text it is `sample u: slide e delta d`. */
#ifndef COUPLET_SEARCH_GOALS_SLIDE_H
#define COUPLET_SEARCH_GOALS_SLIDE_H

#include "search/base/auto.h"

auto_strategy auto_slide;

#endif
