#include "search/goals/vector.h"

#include "claim/translate.h"
#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/sums.h"
#include "search/base/text.h"
#include "term/build.h"
#include "term/subst.h"

struct finder {
  struct auto_problem *p;
  struct terms *ts;
  const struct core *loop, *sample;
  term_id shift;                   /* of the samples */
  term_id index, low, high;        /* the loop counts, and how far */
  term_list results;               /* that the loop writes, besides index and sample */
  const struct translate_sum *sum; /* of the adjacency */
  term_id whole;                   /* its application */
  term_id most;                    /* it is at most this */
  bool squared;                    /* its square bounds the sum of squares */
  term_id rate;                    /* what 1 in the sum, or in its square, costs */
};

/* The one sampling of the body, which is not in a loop or branch; NULL: there is another. */
static const struct core *only_sampling(const struct core *body) {
  const struct core *found = NULL;
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_SAMPLE && !found)
      found = one;
    else if (one->kind != CORE_ASSIGN)
      return NULL;
    if (c->kind != CORE_SEQ) return found;
  }
}

bool vector_counts(const struct terms *ts, const struct core *loop, term_id *index, term_id *high) {
  if (loop->kind != CORE_WHILE || term_kind(ts, loop->expr) != TERM_LT) return false;
  *index = term_arg(ts, loop->expr, 0);
  *high = term_arg(ts, loop->expr, 1);
  return term_kind(ts, *index) == TERM_VAR && (loop->var == TERM_NONE || loop->var == *index);
}

/* What only this loop knows, the next value say, is no result. */
static void find_results(struct finder *f) {
  const struct lowered *program = claim_program(f->p->goal);
  term_list written = {0}, all = {0}, own = {0};
  core_writes(f->loop, &written);
  core_reads(f->ts, view_program(f->p), &all);
  core_reads(f->ts, f->loop, &own);
  for (size_t i = 0; i < written.len; i++) {
    term_id v = written.at[i];
    bool is_read =
        v == program->output || v == program->result || terms_count(&all, v) > terms_count(&own, v);
    if (is_read && v != f->index && v != f->sample->var) terms_add(&f->results, v);
  }
  vec_clear(&written);
  vec_clear(&all);
  vec_clear(&own);
}

/* S(.., low, high) <= c, or sqrt(S(.., low, high)) <= c, for the range of the loop? */
static bool is_bound(struct finder *f, term_id fact) {
  struct terms *ts = f->ts;
  if (term_kind(ts, fact) != TERM_LE) return false;
  const struct translate_env *env = claim_env(f->p->goal);
  term_id app = term_arg(ts, fact, 0);
  bool is_root = term_kind(ts, app) == TERM_SQRT;
  if (is_root) app = term_arg(ts, app, 0);
  if (term_kind(ts, app) != TERM_APP) return false;
  size_t count = term_arg_count(ts, app);
  for (size_t i = 0; i < env->sums.len; i++) {
    if (term_get(ts, app)->data != env->sums.at[i].symbol) continue;
    f->sum = &env->sums.at[i];
    f->whole = app;
    f->most = term_pow(ts, term_arg(ts, fact, 1), is_root ? 2 : 1);
    f->low = term_arg(ts, app, count - 2);
    return (f->loop->var == TERM_NONE || f->low == f->loop->args[0]) &&
           term_arg(ts, app, count - 1) == f->high;
  }
  return false;
}

static bool find_bound(struct finder *f) {
  const struct kernel *k = claim_kernel(f->p->goal, CLAIM_FORWARD);
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    if (is_bound(f, kernel_fact(k, i))) return true;
  return false;
}

/* The price of a distance 1 for squares of normal noise, and for distances of Laplace noise. The sum
 * of squares is at most the square of the sum of distances. */
static bool find_rate(struct finder *f) {
  enum term_kind kind = term_kind(f->ts, f->sum->body);
  struct notion_of notion = kernel_notion(claim_kernel(f->p->goal, CLAIM_FORWARD));
  bool pure = notion.kind == NOTION_PURE;
  if (f->sample->arg_count != 2 || (kind != TERM_ABS && (pure || kind != TERM_POW))) return false;
  f->squared = !pure && kind == TERM_ABS;
  term_id unit;
  f->shift = vector_shift(f->p, f->loop->first, f->sample->var, &unit);
  f->rate = dist_price(f->ts, notion, f->sample->dist, unit, f->sample->args[1]);
  return f->rate != TERM_NONE;
}

/* The sum around the sample in t is rest + factor * sample; *rest is TERM_NONE if there is none. */
static void sum_around(struct terms *ts, term_id sample, term_id t, term_id *rest,
                       term_id *factor) {
  term_list parts = {0};
  term_subterms(ts, t, &parts);
  term_id none = term_coerce(ts, term_int(ts, 0), term_sort(ts, sample)),
          one = term_coerce(ts, term_int(ts, 1), term_sort(ts, sample));
  for (size_t i = 0; i < parts.len && *rest == TERM_NONE; i++) {
    term_id sum = parts.at[i];
    if (term_kind(ts, sum) != TERM_ADD || !term_mentions(ts, sum, &sample, 1)) continue;
    term_id start = term_subst(ts, sum, &sample, &none, 1);
    term_id slope = cost_simplified(ts, term_sub(ts, term_subst(ts, sum, &sample, &one, 1), start));
    term_id again = term_add(ts, start, term_mul(ts, slope, sample));
    if (cost_simplified(ts, term_sub(ts, sum, again)) != cost_simplified(ts, none)) continue;
    *rest = start;
    *factor = slope;
  }
  vec_clear(&parts);
}

term_id vector_shift(struct auto_problem *p, const struct core *code, term_id sample,
                     term_id *unit) {
  struct terms *ts = p->ts;
  term_id rest = TERM_NONE, factor = *unit = term_int(ts, 1);
  for (const struct core *c = code; rest == TERM_NONE; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    if (one->kind == CORE_ASSIGN && term_mentions(ts, one->expr, &sample, 1))
      sum_around(ts, sample, one->expr, &rest, &factor);
    if (c->kind != CORE_SEQ) break;
  }
  if (rest == TERM_NONE) return term_int(ts, 0);
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_id by = term_sub(ts, kernel_tag(k, rest, 1), kernel_tag(k, rest, 2));
  if (term_is_num(ts, factor) && fmpq_is_one(term_num_value(ts, factor))) return by;
  *unit = term_div(ts, term_int(ts, 1), factor);
  return term_div(ts, by, factor);
}

static term_id cost_of(struct finder *f) {
  term_id most = term_pow(f->ts, f->most, f->squared ? 2 : 1);
  return cost_simplified(f->ts, term_mul(f->ts, most, f->rate));
}

static void write_steps(struct finder *f, struct text *out, term_id key) {
  struct terms *ts = f->ts;
  term_id k = text_fresh_name(f->p, "k", SORT_INT);
  term_id body = sum_body_at(f->p, f->sum, f->whole, k);
  term_id at = f->loop->var == TERM_NONE ? term_var_in_run(ts, f->index, 1) : f->index;
  text_line(out, "part %t {", key);
  text_line(out, "budget %t;", cost_of(f));
  text_line(out, "loop {");
  for (size_t i = 0; i < f->results.len; i++)
    if (f->results.at[i] != claim_program(f->p->goal)->output)
      text_line(out, "invariant %t = %t;", term_var_in_run(ts, f->results.at[i], 1),
                term_var_in_run(ts, f->results.at[i], 2));
  if (f->loop->var == TERM_NONE) /* a `while` does not say so itself */
    text_line(out, "invariant %t = %t and %t <= %t <= %t;", term_var_in_run(ts, f->index, 1),
              term_var_in_run(ts, f->index, 2), f->low, term_var_in_run(ts, f->index, 1), f->high);
  text_line(out,
            f->squared ? "budget (sum %t in %t..%t. %t)^2*(%t);"
                       : "budget (sum %t in %t..%t. %t)*(%t);",
            k, at, f->high, body, f->rate);
  text_line(out, "sample %t: shift %t;", f->sample->var, f->shift);
  text_line(out, "}");
  text_line(out, "}");
}

bool vector_part(struct auto_problem *p, const struct core *loop, struct part *out, term_id *key) {
  struct finder f = {.p = p, .ts = p->ts, .loop = loop};
  if (!vector_counts(p->ts, loop, &f.index, &f.high)) return false;
  f.sample = only_sampling(loop->first);
  if (!f.sample || !find_bound(&f) || !find_rate(&f)) return false;
  find_results(&f);
  bool found = f.results.len == 1;
  if (found) {
    struct text text;
    *key = f.results.at[0];
    text_init(&text, p);
    write_steps(&f, &text, *key);
    *out = (struct part){.code = loop};
    out->side[0] =
        (struct part_text){.cost = cost_of(&f), .name = text_of(p, *key), .step = text_take(&text)};
    out->side[1] = out->side[0];
    found = out->side[0].step != NULL && out->side[0].name != NULL;
  }
  vec_clear(&f.results);
  return found;
}
