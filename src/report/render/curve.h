/* Small line charts as SVG, for losses against something countable. */
#ifndef COUPLET_REPORT_RENDER_CURVE_H
#define COUPLET_REPORT_RENDER_CURVE_H

#include <stddef.h>

#include "base/buffer.h"

struct curve_point {
  double x, y; /* not negative, finite */
};

/* Points in increasing x; at least one. Labels are plain text. */
void curve_svg(struct buffer *out, const struct curve_point *points, size_t count,
               const char *title, const char *x_label, const char *y_label);

#endif
