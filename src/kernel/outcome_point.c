#include "kernel/outcome_point.h"

#include <string.h>

#include "kernel/dist.h"
#include "kernel/internal.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { EQUATIONS = 64, SPLITS = 8, WRAPPED_MISSING = 4 };

struct equation {
  term_id left, right; /* only the left side mentions samples */
};

struct solver {
  struct kernel *k;
  struct terms *ts;
  const struct outcome *o;
  struct equation equations[EQUATIONS];
  size_t count;
  bool known[8]; /* samples that are determined */
  size_t splits; /* conditionals that were decided */
  bool failed;
};

/* Does t mention samples that are not determined yet, other than number `but`? */
static bool mentions_unknown(const struct solver *s, term_id t, size_t but) {
  for (size_t i = 0; i < s->o->sample_count; i++)
    if (i != but && !s->known[i] && term_mentions(s->ts, t, &s->o->samples[i].name, 1)) return true;
  return false;
}

static bool is_open(const struct solver *s, term_id t) {
  return mentions_unknown(s, t, s->o->sample_count);
}

/* ---- functions of a sample ------------------------------------------------------------------ */

/* t = part + rest, or t = rest - part (then *minus), for a part of t in place of which rest has 0. */
static bool is_shifted(struct terms *ts, term_id t, term_id part, term_id *rest, bool *minus) {
  term_id zero = term_int(ts, 0);
  if (term_sort(ts, t) != SORT_INT) return false;
  *rest = term_replace(ts, t, &part, &zero, 1);
  if (*rest == TERM_NONE || *rest == t) return false;
  term_id slope = term_sub(ts, t, *rest);
  *minus = slope == term_neg(ts, part);
  return slope == part || *minus;
}

/* (rest + y) mod m or (rest - y) mod m, and y is any of m - missing numbers in a row. */
struct wrapped {
  term_id rest;
  bool minus;
  long missing;
};

static bool is_wrapped(struct terms *ts, term_id t, const struct outcome_sample *y,
                       struct wrapped *out) {
  if (term_kind(ts, t) != TERM_MOD || y->dist != DIST_UNIFORM_INT || y->above != TERM_NONE ||
      y->upto != TERM_NONE || y->except != TERM_NONE)
    return false;
  term_id m = term_arg(ts, t, 1), one = term_int(ts, 1);
  term_id width = term_add(ts, term_sub(ts, y->args[1], y->args[0]), one);
  term_id missing = width == TERM_NONE ? width : term_sub(ts, m, width);
  if (missing == TERM_NONE || !term_is_num(ts, missing)) return false;
  const fmpq *n = term_num_value(ts, missing);
  if (fmpq_sgn(n) < 0 || fmpz_cmp_si(fmpq_numref(n), WRAPPED_MISSING) > 0) return false;
  out->missing = fmpz_get_si(fmpq_numref(n));
  return is_shifted(ts, term_arg(ts, t, 0), y->name, &out->rest, &out->minus) &&
         !term_mentions(ts, out->rest, &y->name, 1);
}

/* The value, from 0 to m - 1, is u mod m. */
static term_id is_residue(struct terms *ts, term_id value, term_id u, term_id m) {
  term_id plain = term_and(ts, term_le(ts, term_int(ts, 0), u), term_lt(ts, u, m));
  return term_ite(ts, plain, term_eq(ts, value, u), term_eq(ts, value, term_mod(ts, u, m)));
}

/* The probability of a value: that of the numbers in a row is the same for all, and those just below
 * them, which are missing, lead to the other values. */
static term_id wrapped_mass(struct terms *ts, const struct outcome_sample *y,
                            const struct wrapped *w, term_id value, term_id m) {
  term_id inside = term_and(ts, term_le(ts, term_int(ts, 0), value), term_lt(ts, value, m));
  for (long i = 1; i <= w->missing; i++) {
    term_id number = term_sub(ts, y->args[0], term_int(ts, i));
    term_id u = w->minus ? term_sub(ts, w->rest, number) : term_add(ts, w->rest, number);
    if (u == TERM_NONE) return TERM_NONE;
    inside = term_and(ts, inside, term_not(ts, is_residue(ts, value, u, m)));
  }
  term_id each = term_reciprocal(ts, term_sub(ts, m, term_int(ts, w->missing)));
  return term_ite(ts, inside, each, term_rat(ts, 0, 1));
}

/* ---- equations ------------------------------------------------------------------------------ */

/* left = right, in simpler equations; false: too many, or a builder fails. */
static bool add_equation(struct solver *s, term_id left, term_id right) {
  struct terms *ts = s->ts;
  if (left == TERM_NONE || right == TERM_NONE || s->count == EQUATIONS) return false;
  enum term_kind kind = term_kind(ts, left);
  if (is_open(s, left) && kind == TERM_TUPLE) {
    for (size_t i = 0; i < term_arg_count(ts, left); i++)
      if (!add_equation(s, term_arg(ts, left, i), term_proj(ts, right, i))) return false;
    return true;
  }
  if (is_open(s, left) && kind == TERM_CONS && term_kind(ts, right) == TERM_CONS)
    return add_equation(s, term_arg(ts, left, 0), term_arg(ts, right, 0)) &&
           add_equation(s, term_arg(ts, left, 1), term_arg(ts, right, 1));
  if (is_open(s, left) && kind == TERM_STORE && !is_open(s, term_arg(ts, left, 1))) {
    term_id index = term_arg(ts, left, 1), item = term_select(ts, right, index);
    return add_equation(s, term_arg(ts, left, 2), item) &&
           add_equation(s, term_store(ts, term_arg(ts, left, 0), index, item), right);
  }
  if (kind == TERM_TO_REAL && term_kind(ts, right) == TERM_TO_REAL)
    return add_equation(s, term_arg(ts, left, 0), term_arg(ts, right, 0));
  s->equations[s->count++] = (struct equation){left, right};
  return true;
}

/* The sample is at this point, with this probability. */
static term_id mass_at(struct terms *ts, const struct outcome_sample *y, term_id point) {
  term_id mass = dist_mass(ts, y->dist, y->args, point);
  term_id inside = outcome_sample_inside(ts, y, point);
  return term_ite(ts, inside, mass, term_rat(ts, 0, 1));
}

/* Puts a term in place of a sample that is determined now. */
static bool determine(struct solver *s, size_t sample, size_t equation, term_id point) {
  struct equation old[EQUATIONS];
  size_t count = s->count;
  memcpy(old, s->equations, count * sizeof *old);
  s->count = 0;
  s->known[sample] = true;
  for (size_t i = 0; i < count; i++)
    if (i != equation &&
        !add_equation(s, term_subst(s->ts, old[i].left, &s->o->samples[sample].name, &point, 1),
                      old[i].right))
      return false;
  return true;
}

static term_id solve(struct solver *s);

/* left = part + rest, where the rest is known: the part is this. */
static bool isolate(struct solver *s, const struct equation *q, term_id part, term_id *value) {
  term_id rest;
  bool minus;
  if (term_sort(s->ts, q->right) != SORT_INT || !is_shifted(s->ts, q->left, part, &rest, &minus) ||
      is_open(s, rest))
    return false;
  *value = minus ? term_sub(s->ts, rest, q->right) : term_sub(s->ts, q->right, rest);
  return *value != TERM_NONE;
}

/* left = y + rest gives y. */
static bool solve_shifted(struct solver *s, term_id *factor) {
  for (size_t e = 0; e < s->count; e++)
    for (size_t i = 0; i < s->o->sample_count; i++) {
      const struct outcome_sample *y = &s->o->samples[i];
      term_id point;
      if (s->known[i] || mentions_unknown(s, s->equations[e].left, i) ||
          !isolate(s, &s->equations[e], y->name, &point))
        continue;
      s->failed = !determine(s, i, e, point);
      *factor = mass_at(s->ts, y, point);
      return true;
    }
  return false;
}

/* The part of the left side that is (rest + y) mod m, outside of which y does not occur, and what
 * it is; or TERM_NONE. */
static term_id wrapped_part(struct solver *s, size_t equation, const struct outcome_sample *y,
                            struct wrapped *w, term_id *value) {
  struct equation q = s->equations[equation];
  for (size_t e = 0; e < s->count; e++)
    if (e != equation && term_mentions(s->ts, s->equations[e].left, &y->name, 1)) return TERM_NONE;
  term_list parts = {0};
  term_subterms(s->ts, q.left, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++)
    if (is_wrapped(s->ts, parts.at[i], y, w) && isolate(s, &q, parts.at[i], value) &&
        (!w->missing || !is_open(s, w->rest)))
      found = parts.at[i];
  vec_clear(&parts);
  return found;
}

/* (rest + y) mod m: whatever rest is, all values from 0 to m - 1 are equally likely if no number is
 * missing; else the rest has to be known. */
static bool solve_wrapped(struct solver *s, term_id *factor) {
  struct terms *ts = s->ts;
  for (size_t e = 0; e < s->count; e++)
    for (size_t i = 0; i < s->o->sample_count; i++) {
      const struct outcome_sample *y = &s->o->samples[i];
      struct wrapped w;
      term_id value, part = s->known[i] ? TERM_NONE : wrapped_part(s, e, y, &w, &value);
      if (part == TERM_NONE) continue;
      *factor = wrapped_mass(ts, y, &w, value, term_arg(ts, part, 1));
      s->known[i] = true;
      s->equations[e] = s->equations[--s->count];
      return true;
    }
  return false;
}

/* A conditional on the memory in an open equation. */
static term_id find_choice(struct solver *s) {
  term_list parts = {0};
  for (size_t e = 0; e < s->count; e++)
    if (is_open(s, s->equations[e].left)) term_subterms(s->ts, s->equations[e].left, &parts);
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len && found == TERM_NONE; i++)
    if (term_kind(s->ts, parts.at[i]) == TERM_ITE && !is_open(s, term_arg(s->ts, parts.at[i], 0)))
      found = term_arg(s->ts, parts.at[i], 0);
  vec_clear(&parts);
  return found;
}

static term_id solve_choice(struct solver *s, term_id condition) {
  struct terms *ts = s->ts;
  term_id sides[2];
  if (++s->splits > SPLITS) return TERM_NONE;
  for (int holds = 0; holds < 2; holds++) {
    struct solver branch = *s;
    term_id from[] = {condition, term_not(ts, condition)};
    term_id to[] = {term_bool(ts, holds), term_bool(ts, !holds)};
    branch.count = 0;
    bool ok = true;
    for (size_t e = 0; e < s->count && ok; e++)
      ok = add_equation(&branch, term_replace(ts, s->equations[e].left, from, to, 2),
                        s->equations[e].right);
    sides[holds] = ok ? solve(&branch) : TERM_NONE;
  }
  return term_ite(ts, condition, sides[1], sides[0]);
}

/* No sample is unknown in the equations: they hold or not. The other samples may be anything. */
static term_id settled(struct solver *s) {
  struct terms *ts = s->ts;
  term_id all = term_bool(ts, true), rest = term_rat(ts, 1, 1);
  for (size_t e = 0; e < s->count; e++)
    all = term_and(ts, all, term_eq(ts, s->equations[e].left, s->equations[e].right));
  for (size_t i = 0; i < s->o->sample_count; i++)
    if (!s->known[i]) rest = term_mul(ts, rest, outcome_sample_mass(ts, &s->o->samples[i]));
  return term_ite(ts, all, rest, term_rat(ts, 0, 1));
}

static term_id solve(struct solver *s) {
  bool open = false;
  if (s->failed) return TERM_NONE;
  for (size_t e = 0; e < s->count && !open; e++)
    open = is_open(s, s->equations[e].left);
  if (!open) return settled(s);
  term_id factor = TERM_NONE;
  if (solve_shifted(s, &factor) || solve_wrapped(s, &factor))
    return term_mul(s->ts, factor, solve(s));
  term_id choice = find_choice(s);
  return choice == TERM_NONE ? TERM_NONE : solve_choice(s, choice);
}

term_id outcome_mass(struct kernel *k, const struct outcome *o, const term_id *values,
                     size_t count) {
  struct solver s = {.k = k, .ts = k->terms, .o = o};
  if (o->sample_count > sizeof s.known / sizeof *s.known) return TERM_NONE;
  for (size_t i = 0; i < count; i++)
    if (!add_equation(&s, o->values[i], values[i])) return TERM_NONE;
  return term_mul(k->terms, o->probability, solve(&s));
}

/* ---- all values ----------------------------------------------------------------------------- */

static bool is_used(struct terms *ts, const term_id *values, size_t count, term_id y) {
  for (size_t i = 0; i < count; i++)
    if (term_mentions(ts, values[i], &y, 1)) return true;
  return false;
}

static bool put(struct terms *ts, term_id *values, size_t count, term_id from, term_id to) {
  bool ok = true;
  for (size_t i = 0; i < count && ok; i++) {
    values[i] = term_replace(ts, values[i], &from, &to, 1);
    ok = values[i] != TERM_NONE;
  }
  return ok;
}

/* Where y only occurs in one (e + y) mod m, that can be anything from 0 to m - 1. */
static bool name_wrapped(struct kernel *k, const struct outcome_sample *y, size_t count,
                         struct outcome_any *out) {
  struct terms *ts = k->terms;
  term_list parts = {0};
  for (size_t i = 0; i < count; i++)
    term_subterms(ts, out->values[i], &parts);
  bool done = false;
  for (size_t i = 0; i < parts.len && !done; i++) {
    term_id t = parts.at[i], name = TERM_NONE;
    struct wrapped w;
    if (!is_wrapped(ts, t, y, &w)) continue;
    term_id *values = arena_memdup(&k->arena, out->values, (count + 1) * sizeof *values);
    name = kernel_fresh(k, "value", SORT_INT);
    if (!put(ts, values, count, t, name) || is_used(ts, values, count, y->name)) continue;
    out->values = values;
    vec_push(&out->names, name);
    term_id m = term_arg(ts, t, 1);
    out->possible = term_and(
        ts, out->possible, term_and(ts, term_le(ts, term_int(ts, 0), name), term_lt(ts, name, m)));
    done = true;
  }
  vec_clear(&parts);
  return done;
}

bool outcome_any(struct kernel *k, const struct outcome *o, size_t count, struct outcome_any *out) {
  struct terms *ts = k->terms;
  *out = (struct outcome_any){.possible = k->yes};
  out->values = arena_alloc(&k->arena, (count + 1) * sizeof *out->values);
  for (size_t i = 0; i < count; i++)
    out->values[i] = o->values[i];
  for (size_t i = 0; i < o->sample_count; i++) {
    const struct outcome_sample *y = &o->samples[i];
    if (!is_used(ts, out->values, count, y->name) || name_wrapped(k, y, count, out)) continue;
    term_id name = kernel_fresh(k, "value", SORT_INT);
    vec_push(&out->names, name);
    if (!put(ts, out->values, count, y->name, name)) return false;
    term_id lies = dist_support(ts, y->dist, y->args, y->arg_count, name);
    lies = term_and(ts, lies, outcome_sample_inside(ts, y, name));
    out->possible = term_and(ts, out->possible, lies);
  }
  return out->possible != TERM_NONE;
}
