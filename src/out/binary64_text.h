/* Floating-point numbers (num/binary64.h) as text. */
#ifndef COUPLET_OUT_BINARY64_TEXT_H
#define COUPLET_OUT_BINARY64_TEXT_H

#include "base/buffer.h"
#include "num/real/binary64_ops.h"

/* `0x1.8p-3` (as printf's %a, but subnormal numbers have a leading 1 too), `inf`, `nan`. */
void binary64_print_hex(struct buffer *out, binary64 x);
/* The shortest decimal number that rounds to x. */
void binary64_print(struct buffer *out, enum binary_format format, binary64 x);

#endif
