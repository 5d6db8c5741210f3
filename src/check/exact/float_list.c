#include "check/exact/float_list.h"

#include "check/exact/float_count.h"
#include "check/exact/outcomes.h"

struct listing {
  const struct pipeline *p;
  struct exact_distribution *d; /* numbers of values in the place of probabilities, for now */
  struct outcome_index index;
  struct monotone_view view;
  const char *why;
};

static bool give_up(struct listing *l, const char *why) {
  l->why = why;
  return false;
}

static bool is_same(enum node_sort sort, union node_value x, union node_value y) {
  switch (sort) {
  case NODE_BOOL: return x.truth == y.truth;
  case NODE_INT: return x.whole == y.whole;
  default: return binary64_equal(x.bits, y.bits);
  }
}

/* What the evaluator has for it; false: an infinity is no output. */
static bool value_of(struct rvalue *out, enum node_sort sort, union node_value x) {
  if (sort == NODE_BOOL) {
    *out = rvalue_bool(x.truth);
    return true;
  }
  if (sort == NODE_FLOAT) return ieee_value(out, x.bits) == NUMBER_OK;
  fmpq_t whole;
  fmpq_init(whole);
  fmpz_set_wide(fmpq_numref(whole), x.whole);
  *out = rvalue_fmpq(whole);
  fmpq_clear(whole);
  return true;
}

/* `count` more values of the free word lead to the output. */
static bool add_values(struct listing *l, union node_value x, wide count) {
  struct rvalue output = {0};
  if (!value_of(&output, l->p->nodes.at[l->p->result].sort, x))
    return give_up(l, "an output may be infinite");
  struct exact_outcome *o = outcome_for(l->d, &l->index, &output);
  if (!o || l->d->outcomes.len > LIMIT_FLOAT_OUTPUTS)
    return give_up(l, "there are too many outputs to list them");
  fmpz_t more;
  fmpz_init(more);
  fmpz_set_wide(more, count);
  arb_add_fmpz(o->probability, o->probability, more, ARF_PREC_EXACT);
  fmpz_clear(more);
  return true;
}

/* The last k of the piece with this output, which `from` has. */
static bool last_alike(struct listing *l, const struct monotone_piece *piece, wide from,
                       union node_value x, wide *last) {
  const enum node_sort sort = l->p->nodes.at[l->p->result].sort;
  wide alike = from, other = piece->high + 1;
  while (other - alike > 1) {
    const wide middle = alike + (other - alike) / 2;
    union node_value y;
    if (!monotone_result(&y, &l->view, middle, &l->why)) return false;
    if (is_same(sort, x, y))
      alike = middle;
    else
      other = middle;
  }
  *last = alike;
  return true;
}

static bool list_piece(struct listing *l, const struct monotone_piece *piece) {
  wide last;
  for (wide k = piece->low; k <= piece->high; k = last + 1) {
    union node_value x;
    if (!monotone_result(&x, &l->view, k, &l->why)) return false;
    if (!last_alike(l, piece, k, x, &last) || !add_values(l, x, last - k + 1)) return false;
  }
  return true;
}

/* With the words fixed as they are. */
static bool list_fixed(struct listing *l) {
  monotone_pieces pieces = {0};
  bool ok = monotone_split(&pieces, &l->view, &l->why);
  for (size_t i = 0; ok && i < pieces.len; i++)
    ok = list_piece(l, &pieces.at[i]);
  vec_clear(&pieces);
  return ok;
}

/* From numbers of values to probabilities. False: some values were missed or counted twice. */
static bool divide(struct listing *l, const struct float_words *w, slong precision) {
  fmpz_t values, one;
  arb_t sum;
  fmpz_init(values);
  fmpz_init(one);
  arb_init(sum);
  fmpz_one(values);
  for (size_t i = 0; i < w->count; i++) {
    fmpz_set_wide(one, l->p->words.at[w->used[i]]);
    fmpz_mul(values, values, one);
  }
  for (size_t i = 0; i < l->d->outcomes.len; i++) {
    arb_t *probability = &l->d->outcomes.at[i].probability;
    arb_add(sum, sum, *probability, ARF_PREC_EXACT);
    arb_div_fmpz(*probability, *probability, values, precision);
  }
  arb_sub_fmpz(sum, sum, values, ARF_PREC_EXACT);
  const bool adds_up = arb_is_zero(sum);
  fmpz_clear(values);
  fmpz_clear(one);
  arb_clear(sum);
  return adds_up || give_up(l, "internal error: the probabilities do not add up to 1");
}

/* Only what the results need is computed. May a run stop at another operation? */
static bool may_fail(const struct pipeline *p) {
  for (size_t i = 0; i < p->nodes.len; i++) {
    const struct node *n = &p->nodes.at[i];
    if (n->kind != NODE_BINARY || n->sort != NODE_INT) continue;
    const struct node *divisor = &p->nodes.at[n->args[1]];
    if ((n->op == BINARY_IDIV || n->op == BINARY_MOD) &&
        (divisor->kind != NODE_CONSTANT || divisor->value.whole == 0))
      return true;
  }
  return false;
}

static bool list_all(struct listing *l, const struct exact_options *options) {
  struct float_words w;
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  if (l->p->is_inexact || l->p->may_not_end)
    return give_up(l, "what a function of a library or a random loop gives is not known");
  if (l->p->result_count != 1 || l->p->emitted)
    return give_up(l, "outputs of several numbers are not listed");
  if (may_fail(l->p))
    return give_up(l, "an integer is divided by one that may be 0, where a run stops");
  if (!float_words_init(&w, l->p) || w.longs > 1)
    return give_up(l, "there are too many combinations of random choices to list the outputs");
  l->view = (struct monotone_view){l->p, words, w.free, options ? options->budget : NULL};
  for (size_t i = 0; i < w.combinations; i++) {
    float_words_fix(&w, l->p, i, words);
    if (!list_fixed(l)) return false;
  }
  return divide(l, &w, options && options->precision ? options->precision : EXACT_PRECISION);
}

static void forget(struct exact_distribution *d) {
  for (size_t i = 0; i < d->outcomes.len; i++) {
    rvalue_clear(&d->outcomes.at[i].output);
    arb_clear(d->outcomes.at[i].probability);
  }
  d->outcomes.len = 0;
}

bool float_distribution(struct interp *in, const struct exact_options *options,
                        struct exact_distribution *result) {
  struct pipeline p;
  struct listing l = {.p = &p, .d = result};
  outcome_index_init(&l.index);
  bool ok = pipeline_init(&p, in, &result->why, &result->where) && list_all(&l, options);
  if (!ok && l.why) {
    result->why = xasprintf("exact counting of floating-point programs: %s", l.why);
    result->where = in->mechanism->name.span;
  }
  result->status = ok ? EXACT_OK : l.why == monotone_no_time ? EXACT_TIMEOUT : EXACT_UNSUPPORTED;
  if (!ok) forget(result);
  outcome_index_clear(&l.index);
  pipeline_clear(&p);
  return ok;
}
