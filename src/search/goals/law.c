#include "search/goals/law.h"

#include "kernel/notion.h"
#include "kernel/rules.h"
#include "proof/derive.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/subst.h"

struct finder {
  struct auto_problem *p;
  struct kernel *k;
  struct terms *ts;
  const struct core *loop, *sample; /* sample: of Gumbel noise */
  term_list written;                /* by the program: taken to be equal in both runs */
  struct known known;
  bool swapped;
};

/* The sampling of this family in the loop's body; NULL: none. */
static const struct core *sampling_in(const struct core *body, enum dist_kind dist) {
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_SAMPLE && one->dist == dist) return one;
    if (c->kind != CORE_SEQ) return NULL;
  }
}

/* The assignment that the body makes under a condition, the last one whose value is of this kind. */
static const struct core *branch_in(const struct core *body) {
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_IF) return one->first;
    if (c->kind != CORE_SEQ) return NULL;
  }
}

static bool finder_init(struct finder *f, struct auto_problem *p, const struct core *loop,
                        bool sampled) {
  *f = (struct finder){.p = p, .ts = p->ts, .loop = loop};
  if (loop->kind != CORE_WHILE || loop->var == TERM_NONE) return false;
  if (!sampled) f->sample = sampling_in(loop->first, DIST_GUMBEL);
  if (!sampled && (!f->sample || !branch_in(loop->first))) return false;
  core_writes(claim_program(p->goal)->program, &f->written);
  return true;
}

static void finder_turn(struct finder *f, bool swapped) {
  enum claim_direction direction = swapped ? CLAIM_BACKWARD : CLAIM_FORWARD;
  f->k = claim_kernel(f->p->goal, direction);
  f->swapped = swapped;
  known_clear(&f->known);
  known_init(&f->known, f->p, direction);
}

static void finder_clear(struct finder *f) {
  known_clear(&f->known);
  vec_clear(&f->written);
}

/* t<1> - t<2>, what the program writes being equal. */
static term_id difference(struct finder *f, term_id t) {
  term_id d = term_sub(f->ts, kernel_tag(f->k, t, 1), kernel_tag(f->k, t, 2));
  for (size_t i = 0; i < f->written.len && d != TERM_NONE; i++)
    for (unsigned run = 1; run <= 2; run++) {
      term_id var = term_var_in_run(f->ts, f->written.at[i], run);
      d = term_subst(f->ts, d, &var, &f->written.at[i], 1);
    }
  return d;
}

/* Bounds of a difference; parameters and numbers that the term mentions, such as the bound of a
 * clipped value, are among the candidates. */
static struct bounds bounds_of(struct finder *f, term_id given, term_id d) {
  term_list vars = {0}, numbers = {0};
  if (d != TERM_NONE) term_free_vars(f->ts, d, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    const struct term_var *v = term_var_get(f->ts, vars.at[i]);
    if (v->run == 0 && v->version == 0 && v->sort == SORT_REAL &&
        !terms_have(&f->written, vars.at[i]))
      vec_push(&numbers, vars.at[i]);
  }
  vars.len = 0;
  if (d != TERM_NONE) term_subterms(f->ts, d, &vars);
  for (size_t i = 0; i < vars.len; i++)
    if (term_is_num(f->ts, vars.at[i])) terms_add(&numbers, term_abs(f->ts, vars.at[i]));
  struct bounds b = known_bounds_among(&f->known, given, d, &numbers);
  vec_clear(&vars);
  vec_clear(&numbers);
  return b;
}

static term_id in_range(struct finder *f, term_id index) {
  return term_and(f->ts, term_le(f->ts, f->loop->args[0], index),
                  term_lt(f->ts, index, f->loop->args[1]));
}

/* ---- the exponential mechanism ---------------------------------------------------------------- */

static term_id winner_of(struct finder *f) {
  const struct core *c = branch_in(f->loop->first);
  for (;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_ASSIGN && one->expr == f->loop->var) return one->var;
    if (c->kind != CORE_SEQ) return TERM_NONE;
  }
}

static bool write_exponential(struct finder *f, const struct core *code, term_id key,
                              struct part_text *out) {
  term_id score = exponential_score(f->k, code);
  if (score == TERM_NONE) return false;
  struct bounds d = bounds_of(f, in_range(f, f->loop->var), difference(f, score));
  if (d.low == TERM_NONE || d.high == TERM_NONE) return false;
  struct exponential how = {d.low, d.high};
  out->cost = exponential_price(f->k, code, &how);
  struct text text;
  text_init(&text, f->p);
  text_line(&text, "exponential %t from %t to %t;", key, d.low, d.high);
  out->step = text_take(&text);
  return out->cost != TERM_NONE && out->step;
}

/* ---- sampled records -------------------------------------------------------------------------- */

static term_id largest_at(struct finder *f, term_id place, term_id d) {
  struct bounds b = bounds_of(f, in_range(f, place), d);
  if (b.low == TERM_NONE || b.high == TERM_NONE) return TERM_NONE;
  return known_larger(&f->known, b.high, term_neg(f->ts, b.low));
}

/* The location is so many times the sum, and something else: 1/n for a mean; TERM_NONE: it is not,
 * or the factor may differ between the runs. */
static term_id factor_of(struct finder *f, term_id location, term_id sum) {
  term_id more = term_add(f->ts, sum, term_int(f->ts, 1));
  term_id factor = cost_simplified(
      f->ts, term_sub(f->ts, term_subst(f->ts, location, &sum, &more, 1), location));
  if (factor == TERM_NONE || term_mentions(f->ts, factor, f->written.at, f->written.len) ||
      kernel_tag(f->k, factor, 1) != kernel_tag(f->k, factor, 2))
    return TERM_NONE;
  bool falls = known_entails(&f->known, TERM_NONE, term_lt(f->ts, factor, term_int(f->ts, 0)));
  return falls ? term_neg(f->ts, factor) : factor;
}

/* A record may be exchanged: no record of either run may count for more. */
static term_id with_each_run(struct finder *f, term_id place, term_id more, term_id most) {
  for (unsigned run = 1; run <= 2 && most != TERM_NONE; run++) {
    term_id alone = largest_at(f, place, kernel_tag(f->k, more, run));
    most = alone == TERM_NONE ? alone : known_larger(&f->known, most, alone);
  }
  return most;
}

/* Is the record always missing in one of the runs? */
static bool is_missing(struct finder *f, term_id place, term_id more) {
  term_id missing = term_bool(f->ts, false), zero = term_int(f->ts, 0);
  for (unsigned run = 1; run <= 2; run++)
    missing = term_or(f->ts, missing, term_eq(f->ts, kernel_tag(f->k, more, run), zero));
  term_id same = term_eq(f->ts, difference(f, more), zero);
  return known_entails(&f->known, in_range(f, place), term_or(f->ts, missing, same));
}

/* By how much the record at the place moves the location. */
static term_id move_at(struct finder *f, term_id location, term_id sum, term_id more,
                       term_id place) {
  more = term_subst(f->ts, more, &f->loop->var, &place, 1);
  term_id factor = factor_of(f, location, sum);
  if (factor != TERM_NONE) {
    term_id most = largest_at(f, place, difference(f, more));
    if (!is_missing(f, place, more)) most = with_each_run(f, place, more, most);
    return most == TERM_NONE ? most : cost_simplified(f->ts, term_mul(f->ts, factor, most));
  }
  term_id with = term_add(f->ts, sum, more);
  return largest_at(f, place, difference(f, term_subst(f->ts, location, &sum, &with, 1)));
}

/* Is the index the only one at which what is added may differ? */
static bool is_place(struct finder *f, term_id more, term_id place) {
  term_id other = term_and(f->ts, in_range(f, f->loop->var), term_ne(f->ts, f->loop->var, place));
  return known_entails(&f->known, other, term_eq(f->ts, difference(f, more), term_int(f->ts, 0)));
}

static bool write_sampled(struct finder *f, const struct core *code, const struct core *noise,
                          struct part_text *out) {
  term_list named = {0};
  term_id sum, more, location;
  if (!subsample_sum(f->k, code, &sum, &more, &location)) return false;
  for (size_t i = 0; i < f->known.facts.len; i++)
    term_free_vars(f->ts, f->known.facts.at[i], &named);
  out->step = NULL;
  for (size_t i = 0; i < named.len && !out->step; i++) {
    const struct term_var *v = term_var_get(f->ts, named.at[i]);
    if (v->version == 0 || v->sort != SORT_INT || !text_is_named(f->p, named.at[i])) continue;
    term_id place = named.at[i];
    term_id most = is_place(f, more, place) ? move_at(f, location, sum, more, place) : TERM_NONE;
    if (most == TERM_NONE) continue;
    struct subsample how = {place, most};
    out->cost = law_spent(f->k, subsample_price(f->k, code, &how));
    struct text text;
    text_init(&text, f->p);
    text_noise(&text, noise);
    text_line(&text, "subsample %t at %t within %t;", noise->var, place, most);
    out->step = text_take(&text);
    if (out->cost == TERM_NONE) out->step = NULL;
  }
  vec_clear(&named);
  return out->step != NULL;
}

/* ---- both ------------------------------------------------------------------------------------- */

static const struct core *sequence(struct kernel *k, const struct core *const *list, size_t first,
                                   size_t last) {
  const struct core *code = list[last];
  for (size_t i = last; i-- > first;)
    code = core_seq(kernel_arena(k), list[i], code);
  return code;
}

bool law_part(struct auto_problem *p, const struct core *const *list, size_t last, size_t *from,
              struct part *out, term_id *key) {
  bool sampled = list[last]->kind == CORE_SAMPLE;
  size_t first = sampled ? loop_before(list, last) : last;
  if (sampled && first == last) return false;
  const struct core *loop = list[first];
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  struct finder f;
  bool found =
      (sampled || kernel_notion(k).kind != NOTION_PURE) && finder_init(&f, p, loop, sampled);
  if (!found) return false;
  const struct core *code = sequence(k, list, first, last);
  if (!sampled) { /* its first value may be drawn before */
    size_t draw = draw_before(list, last);
    const struct core *whole = sequence(k, list, draw, last);
    if (exponential_score(k, whole) != TERM_NONE) {
      code = whole;
      first = draw;
    }
  }
  *out = (struct part){.code = code};
  *key = sampled ? list[last]->var : winner_of(&f);
  term_id sum, more, location;
  found = *key != TERM_NONE && (!sampled || subsample_sum(k, out->code, &sum, &more, &location));
  size_t directions = claim_is_symmetric(p->goal) ? 1 : 2;
  for (size_t d = 0; d < directions && found; d++) {
    finder_turn(&f, d == 1);
    found = sampled ? write_sampled(&f, out->code, list[last], &out->side[d])
                    : write_exponential(&f, out->code, *key, &out->side[d]);
    out->side[d].name = text_of(p, *key);
  }
  finder_clear(&f);
  if (found) *from = first;
  return found;
}
