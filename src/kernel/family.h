/* What the kernel knows of each family of distributions: its row of the table (lang/syntax/family.h) as
 * terms. Parameters are terms of one run; the table is private to the kernel, others ask dist.h. */
#ifndef COUPLET_KERNEL_FAMILY_H
#define COUPLET_KERNEL_FAMILY_H

#include "kernel/dist.h"

/* NULL: there is no such thing, and rules that ask for it refuse the family. */
struct dist_terms {
  /* The parameters define a distribution: scale > 0, low < high, ... */
  term_id (*valid)(struct terms *ts, const term_id *args, size_t count);
  /* A sample lies in the support (almost surely). */
  term_id (*support)(struct terms *ts, const term_id *args, size_t count, term_id sample);
  enum shift_way way;
  /* What a notion of privacy (notion.h) asks for noise that moves by `distance` >= 0 in an allowed way,
   * known before it is drawn; it grows with the distance, for a stated bound is paid in its place.
   * TERM_NONE: there is no price, and the noise can only move with its location. */
  term_id (*price)(struct terms *ts, struct notion_of notion, term_id distance, term_id spread);
  /* Pr[sample <= x]; for integers x is an integer. */
  term_id (*at_most)(struct terms *ts, const term_id *args, term_id x);
  /* A bound on Pr[sample - first parameter > t] (or < -t, or either), t >= 0; for integers t is an
   * integer, and the tail begins at t + 1. */
  term_id (*tail)(struct terms *ts, enum tail tail, const term_id *args, term_id t);
  /* Pr[sample = value], of sort real or int. */
  term_id (*mass)(struct terms *ts, const term_id *args, term_id value);
  /* Integers: x with Pr[sample = value] = e^x Pr[sample = first parameter], on the support. */
  term_id (*exponent)(struct terms *ts, const term_id *args, term_id value);
  /* Nothing is lost, or mass `lost` at most, when samples are multiplied by e^(-by), by >= 0, apart
   * from the factor e^by that the densities may grow by. */
  term_id (*scalable)(struct terms *ts, const term_id *args, term_id by, term_id lost);
};

const struct dist_terms *dist_terms(enum dist_kind dist);

#endif
