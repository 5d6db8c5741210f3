#include "check/automaton/reject.h"

#include <stdarg.h>

bool automaton_reject(struct buffer *why, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (why) buffer_vprintf(why, format, args);
  va_end(args);
  return false;
}
