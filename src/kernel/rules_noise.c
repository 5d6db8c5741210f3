/* EQUIV-NOISE: noise that a program makes by hand from other samples, or adds where it is needed. */
#include "kernel/dist.h"
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_DRAWS = 2 };

/* What a sampling draws, up to location and scale. */
enum raw { RAW_UNIFORM, RAW_EXPONENTIAL, RAW_GEOMETRIC, RAW_COIN, RAW_REAL, RAW_WHOLE };

struct draw {
  const struct core *site;
  enum raw raw;
  term_id w;      /* logical: uniform on (0,1), D(0,1), on the integers D(0,spread), a fair coin */
  term_id sample; /* the sample in terms of w and the memory before it */
  term_id spread; /* of a law with location and scale */
};

struct block {
  struct kernel *k;
  const struct core *code;
  struct draw draws[MOST_DRAWS];
  size_t count;
};

static bool is_number(struct terms *ts, term_id t, long numerator, unsigned long denominator) {
  return t != TERM_NONE && term_to_real(ts, t) == term_rat(ts, numerator, denominator);
}

/* Uniform on an interval of numbers: low + (high - low) w. */
static bool draw_uniform(struct terms *ts, const struct core *c, struct draw *d) {
  if (!term_is_num(ts, c->args[0]) || !term_is_num(ts, c->args[1])) return false;
  term_id low = term_to_real(ts, c->args[0]), high = term_to_real(ts, c->args[1]);
  if (fmpq_cmp(term_num_value(ts, low), term_num_value(ts, high)) >= 0) return false;
  d->sample = term_add(ts, low, term_mul(ts, term_sub(ts, high, low), d->w));
  return true;
}

static bool is_whole(const struct draw *d) {
  return d->raw == RAW_GEOMETRIC || d->raw == RAW_WHOLE;
}

/* start + scale w, or start + w on the integers; the scale is the same before the block. */
static bool draw_located(struct block *b, const struct core *c, struct draw *d) {
  struct terms *ts = b->k->terms;
  term_list written = {0};
  core_writes(b->code, &written);
  bool moves = term_mentions(ts, c->args[1], written.at, written.len);
  vec_clear(&written);
  d->spread = c->args[1];
  d->sample = term_add(ts, c->args[0], is_whole(d) ? d->w : term_mul(ts, d->spread, d->w));
  return !moves && kernel_is_program_term(b->k, c->args[0]) &&
         kernel_is_program_term(b->k, c->args[1]);
}

static bool draw_coin(struct terms *ts, const struct core *c, struct draw *d) {
  if (c->dist == DIST_BERNOULLI) {
    d->sample = d->w;
    return is_number(ts, c->args[0], 1, 2);
  }
  if (c->arg_count != 2 || !term_is_num(ts, c->args[0]) || !term_is_num(ts, c->args[1]))
    return false;
  d->sample = term_ite(ts, d->w, c->args[0], c->args[1]);
  return true;
}

/* Reads the sampling; false: it is of another kind, or there are too many. */
static bool draw(struct block *b, const struct core *c) {
  static const sort_id sorts[] = {SORT_REAL, SORT_REAL, SORT_INT, SORT_BOOL, SORT_REAL, SORT_INT};
  struct terms *ts = b->k->terms;
  if (b->count == MOST_DRAWS || dist_sample_sort(ts, c->dist, c->args, c->arg_count) == SORT_NONE)
    return false;
  for (size_t i = 0; i < b->count; i++)
    if (b->draws[i].site == c) return false; /* `before` could not tell one draw from the other */
  struct draw *d = &b->draws[b->count++];
  *d = (struct draw){.site = c, .sample = TERM_NONE, .spread = TERM_NONE};
  switch (c->dist) {
  case DIST_UNIFORM: d->raw = RAW_UNIFORM; break;
  case DIST_EXPONENTIAL: d->raw = RAW_EXPONENTIAL; break;
  case DIST_GEOMETRIC: d->raw = RAW_GEOMETRIC; break;
  case DIST_UNIFORM_SET:
  case DIST_BERNOULLI: d->raw = RAW_COIN; break;
  case DIST_LAPLACE:
  case DIST_GAUSS:
  case DIST_GUMBEL: d->raw = RAW_REAL; break;
  case DIST_DISCRETE_LAPLACE:
  case DIST_DISCRETE_GAUSS: d->raw = RAW_WHOLE; break;
  case DIST_UNIFORM_INT: return false; /* in none of the laws below */
  }
  d->w = kernel_fresh(b->k, "w", sorts[d->raw]);
  bool fits = d->raw == RAW_UNIFORM ? draw_uniform(ts, c, d)
              : d->raw == RAW_COIN  ? draw_coin(ts, c, d)
                                    : draw_located(b, c, d);
  return fits && d->sample != TERM_NONE && term_sort(ts, d->sample) == term_sort(ts, c->var);
}

/* Assignments, samplings outside of conditionals, conditionals of assignments? Samplings are read. */
static bool read_block(struct block *b, const struct core *c, bool inside) {
  switch (c->kind) {
  case CORE_SKIP: return true;
  case CORE_ASSIGN:
    return kernel_is_writable(b->k, c->var) && kernel_is_program_term(b->k, c->expr);
  case CORE_SAMPLE: return !inside && kernel_is_writable(b->k, c->var) && draw(b, c);
  case CORE_SEQ: return read_block(b, c->first, inside) && read_block(b, c->second, inside);
  case CORE_IF:
    return kernel_is_program_term(b->k, c->expr) && read_block(b, c->first, true) &&
           read_block(b, c->second, true);
  default: return false;
  }
}

/* A term over the memory after c, over the memory before it and the draws. */
static term_id before(const struct block *b, const struct core *c, term_id t) {
  struct terms *ts = b->k->terms;
  term_id value = TERM_NONE;
  if (t == TERM_NONE) return t;
  switch (c->kind) {
  case CORE_SEQ: return before(b, c->first, before(b, c->second, t));
  case CORE_IF: return term_ite(ts, c->expr, before(b, c->first, t), before(b, c->second, t));
  case CORE_ASSIGN: value = term_coerce(ts, c->expr, term_sort(ts, c->var)); break;
  case CORE_SAMPLE:
    for (size_t i = 0; i < b->count; i++)
      if (b->draws[i].site == c) value = b->draws[i].sample;
    break;
  default: return c->kind == CORE_SKIP ? t : TERM_NONE;
  }
  return value == TERM_NONE ? value : term_subst(ts, t, &c->var, &value, 1);
}

/* ---- laws ------------------------------------------------------------------------------------ */

static bool draws_are(const struct block *b, enum raw one, enum raw two) {
  return b->count == 2 && ((b->draws[0].raw == one && b->draws[1].raw == two) ||
                           (b->draws[0].raw == two && b->draws[1].raw == one));
}

/* The quantile function of Lap(0,1) below 1/2, or above. */
static term_id laplace_quantile(struct terms *ts, term_id w, bool upper) {
  term_id two = term_int(ts, 2), rest = term_sub(ts, term_int(ts, 1), w);
  return upper ? term_neg(ts, term_ln(ts, term_mul(ts, two, rest)))
               : term_ln(ts, term_mul(ts, two, w));
}

/* Lap(0,1), a symmetric law, from the draws; TERM_NONE: not in this way. `upper`: where the first
 * draw, a uniform one, is above 1/2. */
static term_id laplace_from(struct terms *ts, const struct block *b, bool upper) {
  const struct draw *d = b->draws;
  if (b->count == 1 && d->raw == RAW_UNIFORM) return laplace_quantile(ts, d->w, upper);
  if (draws_are(b, RAW_EXPONENTIAL, RAW_EXPONENTIAL)) return term_sub(ts, d[0].w, d[1].w);
  if (draws_are(b, RAW_UNIFORM, RAW_UNIFORM))
    return term_sub(ts, term_ln(ts, d[0].w), term_ln(ts, d[1].w));
  bool uniform = draws_are(b, RAW_UNIFORM, RAW_COIN);
  if (!uniform && !draws_are(b, RAW_EXPONENTIAL, RAW_COIN)) return TERM_NONE;
  size_t coin = d[0].raw == RAW_COIN ? 0 : 1;
  term_id size = uniform ? term_ln(ts, d[!coin].w) : d[!coin].w;
  return term_ite(ts, d[coin].w, size, term_neg(ts, size));
}

/* Exp(0,1) and Gumbel(0,1) from a uniform number, Gumbel(0,1) from Exp(0,1). */
static term_id one_sided_from(struct terms *ts, enum dist_kind dist, const struct block *b) {
  if (b->count != 1) return TERM_NONE;
  term_id w = b->draws[0].w;
  bool uniform = b->draws[0].raw == RAW_UNIFORM;
  term_id size = uniform ? term_neg(ts, term_ln(ts, w)) : w; /* Exp(0,1) */
  if (dist == DIST_EXPONENTIAL) return uniform ? size : TERM_NONE;
  return uniform || b->draws[0].raw == RAW_EXPONENTIAL ? term_neg(ts, term_ln(ts, size))
                                                       : TERM_NONE;
}

/* A draw of the family itself, at another location and on the reals with another scale. */
static bool law_of_own(const struct block *b, enum dist_kind dist, term_id spread, term_id law[2]) {
  struct terms *ts = b->k->terms;
  const struct draw *d = &b->draws[0];
  if (b->count != 1 || d->site->dist != dist || d->raw == RAW_UNIFORM || d->raw == RAW_COIN)
    return false;
  bool symmetric = d->raw == RAW_WHOLE || (d->raw == RAW_REAL && dist != DIST_GUMBEL);
  law[0] = is_whole(d) ? d->w : term_mul(ts, spread, d->w);
  law[1] = symmetric ? term_neg(ts, law[0]) : law[0];
  return true;
}

/* What the draws amount to as noise of scale `spread` around 0, and in its mirror form, which has
 * the same law: with the other sign, or made of 1 - w. */
static bool noise_from(const struct block *b, enum dist_kind dist, term_id spread, bool upper,
                       term_id law[2]) {
  struct terms *ts = b->k->terms;
  if (law_of_own(b, dist, spread, law)) return true;
  if (dist == DIST_DISCRETE_LAPLACE) {
    if (!draws_are(b, RAW_GEOMETRIC, RAW_GEOMETRIC)) return false;
    law[0] = term_sub(ts, b->draws[0].w, b->draws[1].w);
    law[1] = term_neg(ts, law[0]);
    return true;
  }
  if (dist != DIST_LAPLACE && dist != DIST_EXPONENTIAL && dist != DIST_GUMBEL) return false;
  bool symmetric = dist == DIST_LAPLACE;
  term_id standard = symmetric ? laplace_from(ts, b, upper) : one_sided_from(ts, dist, b);
  if (standard == TERM_NONE) return false;
  law[0] = law[1] = term_mul(ts, spread, standard);
  term_id w = b->draws[0].w, rest = TERM_NONE;
  if (b->draws[0].raw == RAW_UNIFORM) rest = term_sub(ts, term_int(ts, 1), w);
  if (symmetric)
    law[1] = term_neg(ts, law[0]);
  else if (rest != TERM_NONE)
    law[1] = term_subst(ts, law[0], &w, &rest, 1);
  return true;
}

/* ---- the rule -------------------------------------------------------------------------------- */

/* Where the draws lie, but for a set of probability 0; of a uniform one that is alone, one half. */
static term_id range_of(struct terms *ts, const struct draw *d, bool alone, bool upper) {
  term_id zero = term_int(ts, 0), one = term_int(ts, 1), half = term_rat(ts, 1, 2);
  if (d->raw == RAW_COIN || d->raw == RAW_REAL || d->raw == RAW_WHOLE) return term_bool(ts, true);
  if (d->raw != RAW_UNIFORM) return term_le(ts, zero, d->w);
  return term_and(ts, term_lt(ts, alone && upper ? half : zero, d->w),
                  term_lt(ts, d->w, alone && !upper ? half : one));
}

/* For all draws: the formula. Both sides of a coin are written out. */
static term_id for_all_draws(const struct block *b, unsigned run, bool upper, term_id f) {
  struct terms *ts = b->k->terms;
  term_id bound[MOST_DRAWS], range = term_bool(ts, true);
  size_t count = 0;
  f = kernel_tag(b->k, f, run);
  for (size_t i = 0; i < b->count; i++) {
    const struct draw *d = &b->draws[i];
    if (d->raw == RAW_COIN) {
      term_id yes = term_bool(ts, true), no = term_bool(ts, false);
      f = term_and(ts, term_subst(ts, f, &d->w, &yes, 1), term_subst(ts, f, &d->w, &no, 1));
    } else {
      bound[count++] = d->w;
    }
    range = term_and(ts, range, range_of(ts, d, b->count == 1, upper));
  }
  return count ? term_forall(ts, bound, count, term_implies(ts, range, f)) : f;
}

/* What is written on either side and matters afterwards has the same value. */
static term_id same_values(const struct block *b, const struct core *simple, unsigned run,
                           term_id post, term_id noise) {
  struct terms *ts = b->k->terms;
  const struct core *sampling = simple->kind == CORE_SEQ ? simple->first : simple;
  const struct core *tail = simple->kind == CORE_SEQ ? simple->second : core_skip();
  term_list written = {0};
  term_id all = term_bool(ts, true);
  core_writes(b->code, &written);
  core_writes(simple, &written);
  for (size_t i = 0; i < written.len && all != TERM_NONE; i++) {
    term_id var = written.at[i], here = term_var_in_run(ts, var, run);
    if (!term_mentions(ts, post, &here, 1)) continue;
    term_id there = before(b, tail, var);
    if (there != TERM_NONE) there = term_subst(ts, there, &sampling->var, &noise, 1);
    term_id value = before(b, b->code, var);
    all = there == TERM_NONE || value == TERM_NONE ? TERM_NONE
                                                   : term_and(ts, all, term_eq(ts, value, there));
  }
  vec_clear(&written);
  return all;
}

/* Scales are positive; integer noise has the scale of what it is made of. */
static term_id scales_fit(const struct block *b, unsigned run, term_id spread) {
  struct terms *ts = b->k->terms;
  term_id all = term_positive(ts, kernel_tag(b->k, spread, run));
  for (size_t i = 0; i < b->count; i++) {
    const struct draw *d = &b->draws[i];
    if (d->spread == TERM_NONE) continue;
    term_id own = kernel_tag(b->k, d->spread, run);
    all = term_and(ts, all,
                   is_whole(d) ? term_eq(ts, own, kernel_tag(b->k, spread, run))
                               : term_positive(ts, own));
  }
  return all;
}

/* D(centre, spread) with a law of its own, perhaps followed by assignments. */
static const struct core *noise_of(struct kernel *k, const struct core *simple) {
  const struct core *s = simple->kind == CORE_SEQ ? simple->first : simple;
  struct block none = {.k = k, .code = simple};
  if (s->kind != CORE_SAMPLE || !dist_is_centred(s->dist) || !kernel_is_writable(k, s->var) ||
      dist_sample_sort(k->terms, s->dist, s->args, s->arg_count) == SORT_NONE ||
      !kernel_is_program_term(k, s->args[0]) || !kernel_is_program_term(k, s->args[1]))
    return NULL;
  if (term_sort(k->terms, s->var) != (dist_is_integer(s->dist) ? SORT_INT : SORT_REAL)) return NULL;
  if (dist_is_integer(s->dist) && term_sort(k->terms, s->args[0]) != SORT_INT) return NULL;
  return simple->kind != CORE_SEQ || read_block(&none, simple->second, true) ? s : NULL;
}

term_id equiv_noise_condition(struct kernel *k, unsigned run, const struct core *code,
                              const struct core *simple, term_id post) {
  struct terms *ts = k->terms;
  struct block b = {.k = k, .code = code};
  const struct core *s = noise_of(k, simple);
  term_id law[2], forms[] = {term_bool(ts, true), term_bool(ts, true)};
  if (!s || !read_block(&b, code, false)) return TERM_NONE;
  for (size_t i = 0; i < 4; i++) { /* both forms, below and above 1/2 */
    size_t form = i / 2;
    bool upper = i % 2;
    if (!noise_from(&b, s->dist, s->args[1], upper, law)) return TERM_NONE;
    term_id noise = term_add(ts, s->args[0], law[form]);
    term_id same = same_values(&b, simple, run, post, noise);
    if (same == TERM_NONE) return TERM_NONE;
    forms[form] = term_and(ts, forms[form], for_all_draws(&b, run, upper, same));
  }
  return term_and(ts, scales_fit(&b, run, s->args[1]), term_or(ts, forms[0], forms[1]));
}

/* Do both begin with the same loop, or after that with the same assignment? */
static bool is_before(bool after, const struct core *a, const struct core *b) {
  return a->kind == CORE_SEQ && b->kind == CORE_SEQ && core_equal(a->first, b->first) &&
         (a->first->kind == CORE_WHILE || (after && a->first->kind == CORE_ASSIGN));
}

/*  EQUIV-NOISE   {Phi} z <$ D(e,b); t ~d c2 {Psi}
 *                ---------------------------------          (likewise on the right)
 *                {Phi, E} block ~d c2 {Psi}
 *  t: assignments. block: assignments, conditionals of assignments and one or two samplings that,
 *  up to location and scale, are w1, w2. E says that scales are positive and that block leaves in
 *  every variable of Psi that block, z or t write what t leaves there for z = e + N(w1, w2), for all
 *  w1, w2; or the same for the mirror form of N. N(w1, w2) has the law D(0,b): docs/rules.md.
 *  Both may come after the same loop and assignments, {Phi} loop; block ~d c2 {Psi}; then E is proved,
 *  of any memory: nothing is known of the one that the loop leaves. */
proof_of rule_equiv_noise(struct kernel *k, unsigned run, const struct core *block, proof_of j) {
  static const char rule[] = "EQUIV-NOISE";
  if (!j) return NULL;
  if (j->kernel != k || (run != 1 && run != 2))
    return kernel_fail(k, rule, block->span, "the premise comes from another context");
  const struct core *simple = run == 1 ? j->left : j->right, *code = block;
  bool after = false;
  while (is_before(after, code, simple)) {
    after = true;
    code = code->second;
    simple = simple->second;
  }
  term_id condition = equiv_noise_condition(k, run, code, simple, j->post), pre = j->pre;
  if (condition == TERM_NONE)
    return kernel_fail(k, rule, code->span,
                       "no law says that samples such as these make noise of this kind");
  static const char what[] = "the statements amount to this noise";
  if (!after) pre = term_and(k->terms, pre, kernel_label(k, condition, rule, block->span, what));
  if (after && !kernel_prove_fact(k, rule, code->span, condition, what)) return NULL;
  return judgement_new(k, rule, block->span, run == 1 ? block : j->left,
                       run == 2 ? block : j->right, pre, j->post, j->delta, j, NULL);
}
