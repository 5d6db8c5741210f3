#include "num/ends.h"

void ball_short_ends(fmpq_t low, fmpq_t high, const arb_t ball, slong bits) {
  arf_t end;
  arf_init(end);
  arb_get_lbound_arf(end, ball, bits);
  arf_get_fmpq(low, end);
  arb_get_ubound_arf(end, ball, bits);
  arf_get_fmpq(high, end);
  arf_clear(end);
}
