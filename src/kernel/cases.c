#include "kernel/cases.h"

#include <stdlib.h>

#include "kernel/fraction.h"
#include "kernel/points.h"
#include "term/build.h"
#include "term/subst.h"

/* The condition on which t, whose parts contain no choice, depends; TERM_NONE: it is no choice. */
static term_id condition_of(struct terms *ts, term_id t) {
  switch (term_kind(ts, t)) {
  case TERM_ITE: return term_arg(ts, t, 0);
  case TERM_MIN:
  case TERM_MAX: return term_le(ts, term_arg(ts, t, 0), term_arg(ts, t, 1));
  case TERM_ABS:
    return term_le(ts, term_coerce(ts, term_int(ts, 0), term_sort(ts, t)), term_arg(ts, t, 0));
  default: return TERM_NONE;
  }
}

/* What the choice is if its condition is true or false. */
static term_id chosen(struct terms *ts, term_id t, bool holds) {
  switch (term_kind(ts, t)) {
  case TERM_ITE: return term_arg(ts, t, holds ? 1 : 2);
  case TERM_MIN: return term_arg(ts, t, holds ? 0 : 1);
  case TERM_MAX: return term_arg(ts, t, holds ? 1 : 0);
  default: return holds ? term_arg(ts, t, 0) : term_neg(ts, term_arg(ts, t, 0));
  }
}

/* The first choice, parts before wholes; TERM_NONE: there is none. */
static term_id first_choice(struct terms *ts, term_id formula) {
  term_list parts = {0};
  term_subterms(ts, formula, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++)
    if (condition_of(ts, parts.at[i]) != TERM_NONE) found = parts.at[i];
  vec_clear(&parts);
  return found;
}

/* If c is x = number for a variable x (any term without x, if `solve`), x is that where c holds. */
static term_id use_equation(struct terms *ts, term_id c, term_id formula, bool solve) {
  if (term_kind(ts, c) != TERM_EQ) return formula;
  for (size_t i = 0; i < 2; i++) {
    term_id x = term_arg(ts, c, i), value = term_arg(ts, c, 1 - i);
    if (term_kind(ts, x) != TERM_VAR) continue;
    if (term_is_num(ts, value) ||
        (solve && term_sort(ts, x) == term_sort(ts, value) && !term_mentions(ts, value, &x, 1)))
      return term_subst(ts, formula, &x, &value, 1);
  }
  return formula;
}

/* A part of the condition that is no combination of others. */
static term_id atom_of(struct terms *ts, term_id c) {
  for (;;) {
    enum term_kind kind = term_kind(ts, c);
    bool combined = kind == TERM_NOT || kind == TERM_AND || kind == TERM_OR ||
                    kind == TERM_IMPLIES || kind == TERM_ITE ||
                    (kind == TERM_EQ && term_sort(ts, term_arg(ts, c, 0)) == SORT_BOOL);
    if (!combined) return c;
    c = term_arg(ts, c, 0);
  }
}

/* The formula where c, the condition of the choice or an atom of it, is known. */
static term_id decided(struct terms *ts, term_id formula, term_id choice, term_id c, bool holds,
                       bool solve) {
  term_id f = formula;
  if (condition_of(ts, choice) == c) {
    term_id value = chosen(ts, choice, holds);
    f = term_replace(ts, formula, &choice, &value, 1);
  }
  if (f == TERM_NONE) return TERM_NONE;
  term_id from[] = {c, term_not(ts, c)};
  term_id to[] = {term_bool(ts, holds), term_bool(ts, !holds)};
  f = term_replace(ts, f, from, to, 2);
  return f == TERM_NONE || !holds ? f : use_equation(ts, c, f, solve);
}

struct splitting {
  struct terms *ts;
  size_t leaves; /* how many more there may be */
  enum comparison how;
  bool solve;
  struct points *points; /* or NULL: any case may happen */
};

static term_id by_cases(struct splitting *s, term_id formula, const bool *here);

/* The case that c holds, or that it does not. Where no point is left it is to be refuted. */
static term_id one_case(struct splitting *s, term_id formula, const bool *here, term_id choice,
                        term_id c, bool holds) {
  struct terms *ts = s->ts;
  bool *there = s->points ? points_where(s->points, here, c, holds) : NULL;
  term_id result = ts->false_term;
  if (there || !s->points)
    result = by_cases(s, decided(ts, formula, choice, c, holds, s->solve), there);
  free(there);
  return result;
}

static bool compares_integers(struct terms *ts, term_id c) {
  enum term_kind kind = term_kind(ts, c);
  return (kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ) &&
         term_sort(ts, term_arg(ts, c, 0)) == SORT_INT &&
         term_sort(ts, term_arg(ts, c, 1)) == SORT_INT;
}

/* not c; of integers without <, so that nobody has to know that they are integers. */
static term_id opposite(struct terms *ts, term_id c) {
  if (term_kind(ts, c) != TERM_LE || !compares_integers(ts, c)) return term_not(ts, c);
  return term_le(ts, term_add(ts, term_arg(ts, c, 1), term_int(ts, 1)), term_arg(ts, c, 0));
}

static term_id by_cases(struct splitting *s, term_id formula, const bool *here) {
  struct terms *ts = s->ts;
  term_id choice = formula == TERM_NONE || s->leaves < 2 ? TERM_NONE : first_choice(ts, formula);
  if (choice == TERM_NONE) return term_cleared(ts, formula, s->how);
  s->leaves--;
  term_id c = condition_of(ts, choice);
  if (c == TERM_NONE) return TERM_NONE;
  c = atom_of(ts, c);
  term_id demand, plain = term_cleared_condition(ts, c, &demand);
  /* then integers stay integers */
  bool exact = demand == ts->true_term && (s->points || compares_integers(ts, c));
  if (exact) plain = c;
  term_id yes = ts->true_term, no = ts->true_term;
  if (plain != ts->false_term) yes = one_case(s, formula, here, choice, c, true);
  if (plain != ts->true_term) no = one_case(s, formula, here, choice, c, false);
  term_id parts[] = {demand, term_implies(ts, plain, yes),
                     term_implies(ts, exact ? opposite(ts, plain) : term_not(ts, plain), no)};
  return term_and_all(ts, parts, 3);
}

static term_id split_up(struct splitting s, term_id formula) {
  if (formula == TERM_NONE || term_get(s.ts, formula)->flags & TERM_HAS_QUANTIFIER) return formula;
  return by_cases(&s, formula, NULL);
}

term_id term_by_cases(struct terms *ts, term_id formula, enum comparison how) {
  return split_up((struct splitting){ts, CASES_LIMIT, how, false, NULL}, formula);
}

term_id term_by_cases_given(struct terms *ts, term_id given, term_id formula) {
  struct points *points = points_new(ts, given, formula);
  term_id t = split_up((struct splitting){ts, CASES_LIMIT, false, true, points}, formula);
  points_free(points);
  return t;
}
