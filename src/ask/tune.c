#include "ask/tune.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "claim/claim.h"
#include "out/print.h"
#include "proof/cancel.h"
#include "proof/script.h"
#include "report/judge/verify.h"
#include "smt/smt.h"
#include "term/build.h"
#include "term/eval.h"
#include "term/subst.h"

enum { FINEST = 1000 };                /* the largest denominator of a share */
static const double LOSES = 1.001;     /* what rounding may cost */
static const double ABSENT_REAL = 0.1; /* parameters without an instance */
static const long ABSENT_INT = 10;

/* ---- costs ------------------------------------------------------------------------------------ */

/* The claim at this cost ("?": the least one), with the holes as parameters. NULL: no proof was
 * found. */
static char *proved_at(const struct tune_file *f, const struct ast_decl *claim, const char *stated,
                       double timeout) {
  struct buffer text;
  buffer_init(&text);
  tune_put_open(&text, f, claim, stated);
  struct verify_options options = verify_default_options();
  options.timeout = timeout;
  struct file_record *file =
      verify_text(f->path, buffer_text(&text), text.len, &options, NULL, NULL);
  char *cost = NULL;
  for (size_t i = 0; i < file->claims.len && !cost; i++) {
    const struct claim_record *c = &file->claims.at[i];
    if (c->kind == CLAIM_PROGRAM && c->verdict == VERDICT_PROVED && c->cost)
      cost = xstrdup(c->cost);
  }
  file_record_free(file);
  buffer_clear(&text);
  return cost;
}

/* Where the least cost is not found (claims with a delta), small multiples of 1/b are tried. */
static char *cost_of(const struct tune_file *f, const struct ast_decl *claim, double timeout) {
  char *cost = proved_at(f, claim, "?", timeout);
  for (int k = 1; !cost && k <= 4 && f->holes.len == 1 && claim->as.claim.delta; k *= 2) {
    char *stated = xasprintf("%d/%s", k, f->holes.at[0]->name.text);
    cost = proved_at(f, claim, stated, timeout);
    free(stated);
  }
  return cost;
}

/* ---- thresholds ------------------------------------------------------------------------------- */

typedef VEC(char *) scale_list;

struct scale_finder {
  const struct tune_file *f;
  scale_list scales; /* of the noise, as text */
};

static void find_scales(struct scale_finder *s, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++) {
    const struct ast_stmt *st = b->stmts[i];
    if (st->kind == STMT_SAMPLE && st->as.sample.dist.count == 2)
      vec_push(&s->scales, tune_text_at(s->f, st->as.sample.dist.args[1]->span));
    if (st->kind == STMT_IF) {
      find_scales(s, &st->as.branch.then);
      find_scales(s, &st->as.branch.otherwise);
    }
    if (st->kind == STMT_WHILE) find_scales(s, &st->as.loop.body);
    if (st->kind == STMT_FOR) find_scales(s, &st->as.range.body);
  }
}

/* Is the hole itself the scale of some noise? */
static bool is_scale(const struct scale_finder *s, const char *name) {
  for (size_t i = 0; i < s->scales.len; i++)
    if (strcmp(s->scales.at[i], name) == 0) return true;
  return false;
}

/* In brackets, unless it is a name. */
static char *as_operand(const char *text) {
  bool is_name = true;
  for (const char *c = text; *c; c++)
    is_name &= isalnum((unsigned char)*c) || *c == '_';
  return is_name ? xstrdup(text) : xasprintf("(%s)", text);
}

/* What the claim costs if this hole is the threshold; the hole stays one if nothing is proved. */
static char *cost_at_threshold(struct tune_file *f, const struct ast_decl *claim, size_t hole,
                               const char *value, int k, double timeout) {
  tune_fix(f, hole, value);
  char *stated =
      f->holes.len == 1 ? xasprintf("%d/%s", k, f->holes.at[0]->name.text) : xstrdup("?");
  char *cost = proved_at(f, claim, stated, timeout);
  if (!cost) tune_unfix(f, hole);
  free(stated);
  return cost;
}

/* Thresholds that noise of this scale passes with about the probability delta, the smallest first:
 * one record changes what is compared by 0, 1 or 2. */
static char *cost_with_threshold(struct tune_file *f, const struct ast_decl *claim, size_t hole,
                                 const char *noise, int k, double timeout) {
  char *cost = NULL, *written = tune_text_at(f, claim->as.claim.delta->span);
  char *delta = as_operand(written), *scale = as_operand(noise);
  for (int shift = 0; shift <= 2 && !cost; shift++)
    for (int odds = 0; odds < 3 && !cost; odds++) {
      char *value = odds == 0   ? xasprintf("%s*ln(1/(2*%s)) + %d", scale, delta, shift)
                    : odds == 1 ? xasprintf("%s*ln(1/%s) + %d", scale, delta, shift)
                                : xasprintf("%s*ln(2/%s) + %d", scale, delta, shift);
      cost = cost_at_threshold(f, claim, hole, value, k, timeout);
      free(value);
    }
  free(delta);
  free(scale);
  free(written);
  return cost;
}

/* A claim with a delta that is not proved for all values of a hole: one of them may be a threshold,
 * which a formula over the scale of some noise and the delta makes large enough. */
static char *cost_by_threshold(struct tune_file *f, const struct ast_decl *claim, double timeout) {
  struct scale_finder s = {.f = f};
  char *cost = NULL;
  for (size_t i = 0; i < f->unit->count; i++)
    if (f->unit->decls[i]->kind == DECL_MECHANISM &&
        f->unit->decls[i]->name.text == claim->as.claim.subject.text)
      find_scales(&s, &f->unit->decls[i]->as.mechanism.routine->body);
  for (int k = 1; k <= 4 && !cost; k *= 2)
    for (size_t h = 0; h < f->holes.len && !cost; h++)
      for (size_t i = 0; i < s.scales.len && !cost; i++)
        if (!is_scale(&s, f->holes.at[h]->name.text))
          cost = cost_with_threshold(f, claim, h, s.scales.at[i], k, timeout);
  for (size_t i = 0; i < s.scales.len; i++)
    free(s.scales.at[i]);
  vec_clear(&s.scales);
  return cost;
}

void tune_ask(struct tuning *t, struct tune_file *file, double timeout) {
  *t = (struct tuning){.file = file};
  for (size_t i = 0; i < file->unit->count; i++) {
    const struct ast_decl *d = file->unit->decls[i];
    bool is_privacy = tune_is_privacy(file, d);
    if (!is_privacy && !tune_asks_distance(d)) continue;
    struct tune_claim claim = {d, cost_of(file, d, timeout)};
    if (is_privacy && !claim.cost && d->as.claim.delta)
      claim.cost = cost_by_threshold(file, d, timeout);
    if (is_privacy)
      vec_push(&t->privacy, claim);
    else
      vec_push(&t->distances, claim);
  }
}

static void forget_values(struct tuning *t) {
  for (size_t i = 0; t->values && i < t->file->holes.len; i++)
    free(t->values[i]);
  free(t->values);
  t->values = NULL;
}

void tuning_clear(struct tuning *t) {
  for (size_t i = 0; i < t->privacy.len; i++)
    free(t->privacy.at[i].cost);
  for (size_t i = 0; i < t->distances.len; i++)
    free(t->distances.at[i].cost);
  forget_values(t);
  vec_clear(&t->privacy);
  vec_clear(&t->distances);
  free(t->why);
}

/* ---- terms ------------------------------------------------------------------------------------ */

/* The open file, in which costs are terms. */
struct solver {
  struct tuning *t;
  struct lang lang;
  struct terms ts;
  struct smt smt; /* is not asked */
  struct claim *claim;
  struct buffer text;
  term_list holes, values; /* values: TERM_NONE while not found */
};

static term_id read_term(struct solver *s, const char *text) {
  size_t length = strlen(text);
  uint32_t file = sources_add(&s->lang.sources, "<cost>", text, length);
  struct ast_expr *e = script_parse_expr(&s->lang, (struct span){file, 0, (uint32_t)length});
  struct translate_env *env = claim_env(s->claim);
  term_id t = e ? translate_expr_as(env, e, SORT_NONE) : TERM_NONE;
  env->error = NULL;
  return t;
}

static term_id read_real(struct solver *s, const char *text) {
  term_id t = text ? read_term(s, text) : TERM_NONE;
  return t == TERM_NONE ? t : term_to_real(&s->ts, t);
}

static const struct ast_decl *first_claim(const struct ast_module *m) {
  for (size_t i = 0; i < m->decl_count; i++)
    if (m->decls[i]->kind == DECL_CLAIM) return m->decls[i];
  return NULL;
}

static bool solver_init(struct solver *s, struct tuning *t, const struct ast_decl *claim) {
  *s = (struct solver){.t = t};
  lang_init(&s->lang);
  terms_init(&s->ts);
  struct smt_options options = smt_default_options();
  smt_init(&s->smt, &s->ts, &options);
  buffer_init(&s->text);
  tune_put_open(&s->text, t->file, claim, "?");
  const struct ast_module *m =
      lang_load_text(&s->lang, t->file->path, buffer_text(&s->text), s->text.len);
  const struct ast_decl *decl = m && !s->lang.diags.errors ? first_claim(m) : NULL;
  if (!decl) return false;
  uint32_t zero = sources_add(&s->lang.sources, "<cost>", "0", 1);
  s->claim =
      claim_open_by(&s->lang, m, decl, script_parse_expr(&s->lang, (struct span){zero, 0, 1}), NULL,
                    &s->ts, &s->smt.decider, NULL);
  for (size_t i = 0; s->claim && i < t->file->holes.len; i++) {
    vec_push(&s->holes, read_term(s, t->file->holes.at[i]->name.text));
    vec_push(&s->values, TERM_NONE);
  }
  return s->claim != NULL;
}

static void solver_clear(struct solver *s) {
  claim_close(s->claim);
  vec_clear(&s->holes);
  vec_clear(&s->values);
  buffer_clear(&s->text);
  smt_clear(&s->smt);
  terms_clear(&s->ts);
  lang_clear(&s->lang);
}

/* The instance of the file with values for parameters, or NULL. */
static const struct ast_decl *instance_of(const struct tune_file *f) {
  for (size_t i = 0; i < f->unit->count; i++)
    if (f->unit->decls[i]->kind == DECL_INSTANCE) return f->unit->decls[i];
  return NULL;
}

static void assign(struct evaluator *ev, term_id var, double value) {
  fmpq_t q;
  arb_t ball;
  fmpq_init(q);
  arb_init(ball);
  arb_set_d(ball, value);
  if (value == floor(value) && fabs(value) < 1e15) {
    fmpq_set_si(q, (slong)value, 1);
    eval_assign(ev, var, tvalue_exact(ev, q));
  } else {
    eval_assign(ev, var, tvalue_ball(ev, ball));
  }
  arb_clear(ball);
  fmpq_clear(q);
}

static void assign_instance(struct solver *s, struct evaluator *ev) {
  const struct ast_decl *instance = instance_of(s->t->file);
  for (size_t i = 0; instance && i < instance->as.instance.count; i++) {
    const struct ast_binding *b = &instance->as.instance.bindings[i];
    if (b->kind != BINDING_PARAM) continue;
    char *text = tune_text_at(s->t->file, b->value->span);
    term_id var = read_term(s, b->name.text), value = read_term(s, text);
    if (var != TERM_NONE && value != TERM_NONE) eval_assign(ev, var, eval_term(ev, value));
    free(text);
  }
}

/* At the instance (else at small numbers), with these values of the holes; not a number: unknown. */
static double value_at(struct solver *s, term_id t, const double *holes) {
  struct evaluator ev;
  arb_t ball;
  term_list vars = {0};
  eval_init(&ev, &s->ts);
  arb_init(ball);
  term_free_vars(&s->ts, t, &vars);
  for (size_t i = 0; i < vars.len; i++)
    assign(&ev, vars.at[i],
           term_sort(&s->ts, vars.at[i]) == SORT_INT ? (double)ABSENT_INT : ABSENT_REAL);
  assign_instance(s, &ev);
  for (size_t i = 0; i < s->holes.len; i++)
    assign(&ev, s->holes.at[i], holes ? holes[i] : 1);
  double value = NAN;
  if (tvalue_get_ball(eval_term(&ev, t), ball, 64))
    value = arf_get_d(arb_midref(ball), ARF_RND_NEAR);
  vec_clear(&vars);
  arb_clear(ball);
  eval_clear(&ev);
  return value;
}

/* ---- shares ----------------------------------------------------------------------------------- */

/* What one claim says of the holes that are still open. */
struct equation {
  term_list rates;  /* k of every hole; TERM_NONE: it is not in this claim */
  term_id constant; /* c */
  int power;        /* p; 0: there is no hole in it */
};

/* A sum as its parts, (a + b)/c as a/c and b/c. */
static void split_sum(struct terms *ts, term_id t, term_list *out) {
  bool is_quotient = term_kind(ts, t) == TERM_DIV;
  term_id above = is_quotient ? term_arg(ts, t, 0) : t;
  if (term_kind(ts, above) != TERM_ADD) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, above); i++) {
    term_id part = term_arg(ts, above, i);
    if (is_quotient) part = factors_cancelled(ts, term_div(ts, part, term_arg(ts, t, 1)));
    split_sum(ts, part, out);
  }
}

/* The power with which the part falls in this hole; 0: it does not fall like one. */
static int power_of(struct solver *s, term_id part, size_t hole) {
  double *at = xcalloc(s->holes.len, sizeof *at);
  for (size_t i = 0; i < s->holes.len; i++)
    at[i] = 1;
  double one = value_at(s, part, at);
  at[hole] = 2;
  double ratio = one / value_at(s, part, at);
  free(at);
  return fabs(ratio - 2) < 1e-9 ? 1 : fabs(ratio - 4) < 1e-9 ? 2 : 0;
}

/* Adds a part of the cost; false: it is not of the form. */
static bool add_part(struct solver *s, struct equation *e, term_id part) {
  struct terms *ts = &s->ts;
  size_t found = s->holes.len, count = 0;
  for (size_t i = 0; i < s->holes.len; i++) {
    if (s->values.at[i] != TERM_NONE) /* another claim has fixed it */
      part = term_subst(ts, part, &s->holes.at[i], &s->values.at[i], 1);
    else if (term_mentions(ts, part, &s->holes.at[i], 1))
      found = i, count++;
  }
  if (!count) {
    e->constant = term_add(ts, e->constant, part);
    return true;
  }
  int power = count == 1 ? power_of(s, part, found) : 0;
  if (!power || (e->power && e->power != power)) return false;
  e->power = power;
  term_id one = term_rat(ts, 1, 1), old = e->rates.at[found];
  term_id rate = factors_cancelled(ts, term_subst(ts, part, &s->holes.at[found], &one, 1));
  e->rates.at[found] = old == TERM_NONE ? rate : term_add(ts, old, rate);
  return true;
}

static bool read_equation(struct solver *s, struct equation *e, term_id cost) {
  term_list parts = {0};
  *e = (struct equation){.constant = term_rat(&s->ts, 0, 1)};
  for (size_t i = 0; i < s->holes.len; i++)
    vec_push(&e->rates, TERM_NONE);
  split_sum(&s->ts, cost, &parts);
  bool ok = true;
  for (size_t i = 0; i < parts.len && ok; i++)
    ok = add_part(s, e, parts.at[i]);
  vec_clear(&parts);
  return ok;
}

/* How fast the distances grow that are asked for, with this hole alone; TERM_NONE: they do not. */
static term_id growth(struct solver *s, size_t hole) {
  struct terms *ts = &s->ts;
  term_list units = {0};
  for (size_t i = 0; i < s->holes.len; i++)
    vec_push(&units, term_rat(ts, i == hole, 1));
  term_id sum = term_rat(ts, 0, 1);
  for (size_t i = 0; i < s->t->distances.len; i++) {
    term_id t = read_real(s, s->t->distances.at[i].cost);
    if (t == TERM_NONE) continue;
    term_id part = term_subst(ts, t, s->holes.at, units.at, s->holes.len);
    if (value_at(s, part, NULL) > 0) sum = term_add(ts, sum, part);
  }
  vec_clear(&units);
  return value_at(s, sum, NULL) > 0 ? sum : TERM_NONE;
}

/* The same for noise that no distance depends on: as the fastest of the others, so that nobody's
 * share is lost to it and it gets one that is no formula of its own. */
static term_id growth_of_others(struct solver *s) {
  term_id most = TERM_NONE;
  for (size_t i = 0; i < s->holes.len; i++) {
    term_id a = growth(s, i);
    if (a != TERM_NONE && (most == TERM_NONE || value_at(s, a, NULL) > value_at(s, most, NULL)))
      most = a;
  }
  return most == TERM_NONE ? term_rat(&s->ts, 1, 1) : most;
}

/* What is to be least: the sum of A b, or where no distance is asked for, of b^2, the variance. */
static int objective(const struct solver *s) {
  return s->t->distances.len ? 1 : 2;
}

/* What is lost with these shares: the sum of A (k/w)^(m/p), up to a factor. */
static double loss(const double *weights, const double *shares, size_t count, double power) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    if (weights[i] > 0) sum += weights[i] * pow(shares[i], -1.0 / power);
  return sum;
}

/* The coarsest fractions that add up to 1 and lose next to nothing. Those of weight 0 are out. */
static long round_shares(const double *weights, size_t count, double power, long *above) {
  double *best = xcalloc(count, sizeof *best), *now = xcalloc(count, sizeof *now), total = 0;
  size_t last = 0;
  for (size_t i = 0; i < count; i++) {
    best[i] = weights[i] > 0 ? pow(weights[i], power / (power + 1.0)) : 0;
    total += best[i];
    if (weights[i] > 0) last = i;
  }
  for (size_t i = 0; i < count; i++)
    best[i] /= total;
  double least = loss(weights, best, count, power);
  long below = 1;
  for (; below <= FINEST; below++) {
    long left = below;
    for (size_t i = 0; i < count; i++) {
      above[i] = i == last ? left : weights[i] > 0 ? lround(best[i] * (double)below) : 0;
      if (i != last) left -= above[i];
      now[i] = (double)above[i] / (double)below;
    }
    bool is_whole = true;
    for (size_t i = 0; i < count; i++)
      is_whole &= weights[i] == 0 || above[i] > 0;
    if (is_whole && loss(weights, now, count, power) <= LOSES * least) break;
  }
  free(best);
  free(now);
  return below;
}

/* ---- values ----------------------------------------------------------------------------------- */

/* A^p k of every hole of the equation: its share is in proportion to this to the power of m/(p + m).
 * (If m is 2, A is 1.) */
static void weigh(struct solver *s, const struct equation *e, term_list *weights) {
  struct terms *ts = &s->ts;
  for (size_t i = 0; i < s->holes.len; i++) {
    term_id rate = e->rates.at[i], a = rate == TERM_NONE ? TERM_NONE : growth(s, i);
    vec_push(weights, TERM_NONE);
    if (rate == TERM_NONE) continue;
    if (a == TERM_NONE) a = growth_of_others(s);
    weights->at[i] = term_mul(ts, e->power == 2 ? term_mul(ts, a, a) : a, rate);
  }
}

/* Shares that are fractions, best for the instance. */
static void share_by_numbers(struct solver *s, const struct equation *e, const term_list *weights,
                             term_list *shares) {
  size_t n = s->holes.len;
  double *sizes = xcalloc(n, sizeof *sizes);
  long *above = xcalloc(n, sizeof *above);
  for (size_t i = 0; i < n; i++) {
    if (weights->at[i] == TERM_NONE) continue;
    sizes[i] = pow(value_at(s, weights->at[i], NULL), (double)objective(s) / e->power);
    if (!(sizes[i] > 0) || isinf(sizes[i])) sizes[i] = 1;
  }
  long below = round_shares(sizes, n, (double)e->power / objective(s), above);
  for (size_t i = 0; i < n; i++)
    vec_push(shares, term_rat(&s->ts, above[i], (unsigned long)below));
  free(sizes);
  free(above);
}

/* x^(m/n) of a positive number; m is 1 or 2, n above m and at most 4. */
static term_id power(struct terms *ts, term_id x, int m, int n) {
  if (n == 2 * m) return term_sqrt(ts, x);
  return term_exp(ts, term_div(ts, term_mul(ts, term_int(ts, m), term_ln(ts, x)), term_int(ts, n)));
}

/* The weights in proportion to the first one; do these depend on parameters? */
static bool compare_weights(struct solver *s, const term_list *weights, term_list *ratios) {
  term_id first = TERM_NONE;
  bool depends = false;
  for (size_t i = 0; i < weights->len; i++) {
    term_id w = weights->at[i];
    if (first == TERM_NONE) first = w;
    term_id r = w == TERM_NONE ? TERM_NONE : factors_cancelled(&s->ts, term_div(&s->ts, w, first));
    depends |= r != TERM_NONE && !term_is_num(&s->ts, r);
    vec_push(ratios, r);
  }
  return depends;
}

/* Shares that are formulas over the parameters. */
static void share_by_formula(struct solver *s, const struct equation *e, const term_list *ratios,
                             term_list *shares) {
  struct terms *ts = &s->ts;
  int m = objective(s), n = m + e->power;
  term_id sum = term_rat(ts, 0, 1), one = term_rat(ts, 1, 1);
  for (size_t i = 0; i < ratios->len; i++) {
    term_id r = ratios->at[i];
    vec_push(shares, r == TERM_NONE || r == one ? r : power(ts, r, m, n));
    if (r != TERM_NONE) sum = term_add(ts, sum, shares->at[i]);
  }
  for (size_t i = 0; i < ratios->len; i++)
    if (ratios->at[i] != TERM_NONE) shares->at[i] = term_div(ts, shares->at[i], sum);
}

static void solve_equation(struct solver *s, const struct equation *e, term_id budget) {
  struct terms *ts = &s->ts;
  term_list weights = {0}, ratios = {0}, shares = {0};
  weigh(s, e, &weights);
  bool depends = compare_weights(s, &weights, &ratios), by_formula = depends && !s->t->only_numbers;
  if (by_formula)
    share_by_formula(s, e, &ratios, &shares);
  else
    share_by_numbers(s, e, &weights, &shares);
  s->t->by_formula |= by_formula;
  s->t->by_instance |= depends && !by_formula;
  s->t->has_instance = instance_of(s->t->file) != NULL;
  term_id left = term_sub(ts, budget, e->constant);
  for (size_t i = 0; i < s->holes.len; i++) {
    if (e->rates.at[i] == TERM_NONE) continue;
    term_id share = term_mul(ts, shares.at[i], left);
    term_id value = factors_cancelled(ts, term_div(ts, e->rates.at[i], share));
    s->values.at[i] = e->power == 2 ? term_sqrt(ts, value) : value;
  }
  vec_clear(&weights);
  vec_clear(&ratios);
  vec_clear(&shares);
}

static bool solve_claim(struct solver *s, const struct tune_claim *claim) {
  char *stated = tune_text_at(s->t->file, claim->decl->as.claim.epsilon->span);
  term_id budget = read_real(s, stated), cost = read_real(s, claim->cost);
  struct equation e = {0};
  bool ok = budget != TERM_NONE && cost != TERM_NONE && read_equation(s, &e, cost);
  if (ok) solve_equation(s, &e, budget);
  if (!ok)
    s->t->why = xasprintf("`%s` costs %s: that is no sum of parts, each with one of the numbers "
                          "to be found below it",
                          claim->decl->name.text, claim->cost);
  vec_clear(&e.rates);
  free(stated);
  return ok;
}

static bool take_values(struct solver *s) {
  struct tuning *t = s->t;
  t->values = xcalloc(t->file->holes.len + 1, sizeof *t->values);
  for (size_t i = 0; i < s->holes.len && !t->why; i++) {
    if (s->values.at[i] == TERM_NONE)
      t->why = xasprintf("no claim of privacy depends on `%s`", t->file->holes.at[i]->name.text);
    else
      t->values[i] = term_text(&s->ts, s->values.at[i]);
  }
  return !t->why;
}

bool tune_solve(struct tuning *t) {
  forget_values(t);
  t->by_formula = t->by_instance = false;
  if (!t->privacy.len) {
    t->why =
        xstrdup("there is no claim of privacy with a cost: nothing limits the noise from below");
    return false;
  }
  for (size_t i = 0; i < t->privacy.len; i++)
    if (!t->privacy.at[i].cost) {
      t->why = xasprintf("no proof of `%s` was found with these numbers left open",
                         t->privacy.at[i].decl->name.text);
      return false;
    }
  struct solver s;
  bool ok = solver_init(&s, t, t->privacy.at[0].decl);
  if (!ok) t->why = xstrdup("the file with parameters in the place of `?` has errors");
  for (size_t i = 0; ok && i < t->privacy.len; i++)
    ok = solve_claim(&s, &t->privacy.at[i]);
  ok = ok && take_values(&s);
  solver_clear(&s);
  return ok;
}

/* ---- what is there ---------------------------------------------------------------------------- */

char *tune_excess(struct tuning *t, const struct tune_claim *claim) {
  struct solver s;
  char *text = NULL, *stated = tune_text_at(t->file, claim->decl->as.claim.epsilon->span);
  if (claim->cost && solver_init(&s, t, claim->decl)) {
    term_id budget = read_real(&s, stated), cost = read_real(&s, claim->cost);
    double ratio = budget == TERM_NONE || cost == TERM_NONE
                       ? NAN
                       : value_at(&s, term_div(&s.ts, budget, cost), NULL);
    if (claim->decl->as.claim.notion == NOTION_ZCDP) ratio = sqrt(ratio);
    if (isfinite(ratio)) text = xasprintf("%.4g", ratio);
  }
  if (claim->cost) solver_clear(&s);
  free(stated);
  return text;
}
