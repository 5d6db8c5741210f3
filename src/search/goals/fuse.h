/* Noise that is drawn ahead of its loop: `for i in 0..n { z[i] <$ Lap(0, b); }`, and later another loop
 * that reads z[i].
 *
 * How far a sample has to move may depend on what the second loop sees, so nothing fits while all of
 * them are drawn first. Where the kernel can, loops are fused (EQUIV-FUSE), also those in between that
 * compute with the samples, and the strategies that follow see each sample drawn when it is needed.
 * `fuse z` in proof text. */
#ifndef COUPLET_SEARCH_GOALS_FUSE_H
#define COUPLET_SEARCH_GOALS_FUSE_H

#include "search/base/auto.h"

/* Fuses what can be fused in the claim's program; the view says so. Nothing, if no noise is drawn
 * ahead. */
auto_viewer fuse_loops;

auto_strategy auto_fused;

#endif
