/* Differences between the runs: linear forms over atoms.
 *
 * The difference D = v<2> - v<1> of a numeric value is a form c + sum of c_a * a. An atom is
 *  - the difference of a private value, which the adversary picks within bounds;
 *  - the difference of a variable at the head of a loop, within bounds that the loop keeps;
 *  - the shift of a sampling, an unknown of the search;
 *  - opaque: the difference of a nonlinear expression, which is 0 if its parts are equal (EQUAL),
 *    or within the hull of the differences of its parts (HULL: min, max; MIRROR: abs), or that of
 *    the first part as long as the second is 0 (FIRST);
 *  - scaled: another form times a positive parameter, such as 1/n.
 * Bounds and constants are numbers times a unit: 1, or a positive parameter such as a sensitivity.
 * What is of several units at once has bounds only as far as signs give them.
 * The form of an array of numbers is the difference of the one element in which it differs (see
 * struct align_state for the place). For other values only "the form is 0" means something: they are
 * equal.
 * Forms are immutable and live in an arena; FORM_UNKNOWN is one about which nothing is known. */
#ifndef COUPLET_SEARCH_ALIGN_FORM_H
#define COUPLET_SEARCH_ALIGN_FORM_H

#include "base/arena.h"
#include "base/vec.h"
#include "search/align/ratio.h"
#include "term/term.h"

struct form_item {
  unsigned atom;
  struct ratio factor; /* not 0 */
};

struct form {
  bool known;
  struct ratio constant;
  term_id unit; /* of the constant, if that is not 0; TERM_NONE: 1 */
  size_t count;
  const struct form_item *items; /* increasing atoms */
};

enum atom_kind {
  ATOM_PRIVATE,
  ATOM_HEAD,
  ATOM_SHIFT,
  ATOM_EQUAL,
  ATOM_HULL,
  ATOM_MIRROR,
  ATOM_FIRST,
  ATOM_SCALED
};

/* Differences that are bounded together: their absolute values add up to so much at most. */
struct form_group {
  struct ratio most; /* infinite: no longer */
  term_id unit;
};

struct atom {
  enum atom_kind kind;
  struct ratio low, high;   /* bounds; infinite where there are none */
  term_id unit;             /* of the bounds; TERM_NONE: 1 */
  term_id term;             /* private: the value; head: the variable; scaled: the factor */
  const void *loop;         /* head: which loop */
  size_t group;             /* head: of which group it is one more than the index; 0: of none */
  const struct form **part; /* opaque, scaled */
  size_t part_count;
};

struct forms {
  struct arena *arena;
  VEC(struct atom) atoms;
  VEC(struct form_group) groups;
};

extern const struct form FORM_UNKNOWN, FORM_ZERO;

const struct form *form_number(struct forms *fs, struct ratio c, term_id unit);
/* The form without its constant. */
const struct form *form_moving(struct forms *fs, const struct form *a);
const struct form *form_atom(struct forms *fs, unsigned atom);
/* a + scale * b */
const struct form *form_add(struct forms *fs, const struct form *a, struct ratio scale,
                            const struct form *b);
const struct form *form_scale(struct forms *fs, struct ratio scale, const struct form *a);
bool form_is_number(const struct form *a);
bool form_is_zero(const struct form *a);
bool form_equal(const struct form *a, const struct form *b);
struct ratio form_factor(const struct form *a, unsigned atom); /* 0 if absent */
/* Does it depend on the atom, directly or through an opaque atom? */
bool form_depends(const struct forms *fs, const struct form *a, unsigned atom);
/* Does it depend on a shift, directly or through an opaque atom? */
bool form_has_shift(const struct forms *fs, const struct form *a);
/* Does it say no more than "0 if some things are equal"? */
bool form_is_vague(const struct forms *fs, const struct form *a);

unsigned forms_atom(struct forms *fs, struct atom atom);
/* The difference of a nonlinear expression of these parts. */
const struct form *form_opaque(struct forms *fs, enum atom_kind kind,
                               const struct form *const *parts, size_t count);

/* Shifts that are chosen: of atom first + i is at[i]; NULL: not chosen yet. */
struct form_values {
  unsigned first;
  const struct form **at;
};
/* Puts their values in place of shifts (NULL if one is not chosen yet) and settles opaque atoms as
 * far as that is possible. */
const struct form *form_resolve(struct forms *fs, const struct form *a, struct form_values values);
/* The unit of all of it; false: it has several. */
bool form_unit(const struct forms *fs, const struct form *a, term_id *unit);
/* All values it can take, in its unit. Infinite where nothing is known; in several units only 0 is
 * a bound. */
void form_bounds(const struct forms *fs, const struct form *a, struct ratio *low,
                 struct ratio *high);
/* The part of the bounds that is of this unit. */
void form_bounds_in(const struct forms *fs, const struct form *a, term_id unit, struct ratio *low,
                    struct ratio *high);
/* The largest absolute value. */
struct ratio form_radius(const struct forms *fs, const struct form *a);

#endif
