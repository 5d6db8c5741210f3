/* A badge for a README: "privacy | 12 proved" as a small SVG. */
#ifndef COUPLET_REPORT_RENDER_BADGE_H
#define COUPLET_REPORT_RENDER_BADGE_H

#include "report/render/overview.h"

void overview_to_badge(struct buffer *out, const struct overview *o);

#endif
