/* Core programs as text. */
#ifndef COUPLET_OUT_CORE_PRINT_H
#define COUPLET_OUT_CORE_PRINT_H

#include "base/buffer.h"
#include "kernel/core.h"

void core_print(struct buffer *out, struct terms *ts, const struct core *c, size_t indent);

#endif
