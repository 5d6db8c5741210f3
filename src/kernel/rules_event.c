/* Pointwise equality, and adversaries. */
#include "kernel/internal.h"
#include "kernel/rules.h"
#include "term/build.h"
#include "term/subst.h"

/* Do values of this sort form a countable set? Abstract types may be anything. */
static bool is_countable(const struct terms *ts, sort_id sort) {
  const struct sort *s = sort_get(ts, sort);
  switch (s->kind) {
  case SORT_KIND_BOOL:
  case SORT_KIND_INT: return true;
  case SORT_KIND_LIST:
  case SORT_KIND_TUPLE:
    for (size_t i = 0; i < s->count; i++)
      if (!is_countable(ts, s->items[i])) return false;
    return true;
  default: return false;
  }
}

static term_id pointwise_premise(struct kernel *k, term_id d, term_id value, term_id rest) {
  struct terms *ts = k->terms;
  term_id one = kernel_tag(k, d, 1), two = kernel_tag(k, d, 2);
  return term_implies(ts, term_eq(ts, one, value), term_and(ts, term_eq(ts, two, value), rest));
}

term_id rule_pointwise_rest(struct kernel *k, term_id d, term_id post) {
  struct terms *ts = k->terms;
  term_id equal = term_eq(ts, kernel_tag(k, d, 1), kernel_tag(k, d, 2));
  term_list parts = {0};
  term_conjuncts(ts, post, &parts);
  term_id rest = k->yes;
  bool found = false;
  for (size_t i = 0; i < parts.len; i++) {
    if (parts.at[i] == equal)
      found = true;
    else
      rest = term_and(ts, rest, parts.at[i]);
  }
  vec_clear(&parts);
  return found ? rest : TERM_NONE;
}

term_id rule_pointwise_goal(struct kernel *k, term_id d, term_id value, term_id post) {
  term_id rest = rule_pointwise_rest(k, d, post);
  return rest == TERM_NONE ? TERM_NONE : pointwise_premise(k, d, value, rest);
}

/* low <= d<1> <= high; TERM_NONE: these are no integers over logical variables other than i. */
static term_id within(struct kernel *k, term_id d, term_id i, const struct pointwise_sum *sum) {
  struct terms *ts = k->terms;
  if (!sum || !kernel_is_constant(k, sum->low) || !kernel_is_constant(k, sum->high) ||
      term_sort(ts, sum->low) != SORT_INT || term_sort(ts, sum->high) != SORT_INT ||
      term_sort(ts, d) != SORT_INT || term_mentions(ts, sum->low, &i, 1) ||
      term_mentions(ts, sum->high, &i, 1))
    return TERM_NONE;
  return term_and(ts, term_le(ts, sum->low, d), term_le(ts, d, sum->high));
}

term_id rule_pointwise_within(struct kernel *k, term_id d, term_id value,
                              const struct pointwise_sum *sum, term_id goal) {
  term_id range = within(k, kernel_tag(k, d, 1), value, sum);
  if (k->notion.kind == NOTION_PURE || range == TERM_NONE) return goal; /* refused afterwards */
  return term_and(k->terms, range, goal);
}

/* ln(high - low + 1)/(order - 1) */
static term_id price_of_values(struct kernel *k, const struct pointwise_sum *sum) {
  struct terms *ts = k->terms;
  term_id one = term_int(ts, 1);
  term_id count = term_add(ts, term_sub(ts, sum->high, sum->low), one);
  return term_div(ts, term_ln(ts, term_coerce(ts, count, SORT_REAL)),
                  term_sub(ts, k->notion.order, one));
}

/* The sum of the deltas of all values of i; TERM_NONE after a failure. For a bool both are added
 * up. For an int, *proved*: delta(i) <= 0 outside of low..high;  total(low-1) >= 0;  for i in
 * low..high: total(i) >= total(i-1) + delta(i);  low <= high + 1. */
static term_id sum_of_deltas(struct kernel *k, struct span span, term_id i,
                             const struct pointwise_sum *sum, term_id delta) {
  static const char rule[] = "PW-EQ";
  struct terms *ts = k->terms;
  if (delta == k->zero) return k->zero;
  if (term_sort(ts, i) == SORT_BOOL) {
    term_id yes = term_bool(ts, true), no = term_bool(ts, false);
    return term_add(ts, term_subst(ts, delta, &i, &yes, 1), term_subst(ts, delta, &i, &no, 1));
  }
  if (!sum || term_sort(ts, i) != SORT_INT || !kernel_is_constant(k, sum->low) ||
      !kernel_is_constant(k, sum->high) || !kernel_is_constant(k, sum->total) ||
      term_sort(ts, sum->low) != SORT_INT || term_sort(ts, sum->high) != SORT_INT ||
      term_mentions(ts, sum->low, &i, 1) || term_mentions(ts, sum->high, &i, 1)) {
    kernel_fail(k, rule, span, "a delta for each value adds up over all of them: state the sum");
    return TERM_NONE;
  }
  term_id one = term_int(ts, 1), less = term_sub(ts, i, one), first = term_sub(ts, sum->low, one);
  term_id in = term_and(ts, term_le(ts, sum->low, i), term_le(ts, i, sum->high));
  term_id before = term_subst(ts, sum->total, &i, &less, 1);
  term_id none = term_subst(ts, sum->total, &i, &first, 1);
  if (!kernel_prove(k, rule, span, term_not(ts, in), term_le(ts, delta, k->zero),
                    "values outside of the range have no delta") ||
      !kernel_prove(k, rule, span, k->yes, term_le(ts, k->zero, none),
                    "the sum over no value is not negative") ||
      !kernel_prove(k, rule, span, in, term_le(ts, term_add(ts, before, delta), sum->total),
                    "the sum covers the deltas of the values") ||
      !kernel_prove(k, rule, span, k->yes, term_le(ts, first, sum->high), "the range is in order"))
    return TERM_NONE;
  return term_subst(ts, sum->total, &i, &sum->high, 1);
}

/*            {Phi} c1 ~d c2 {d<1> = i -> (d<2> = i and Psi)}
 *  PW-EQ     -------------------------------------------------------  i logical, of a countable
 *            {forall i. Phi} c1 ~(sum over i) c2                       type; not in the facts or
 *                                {d<1> = d<2> and Psi[i := d<1>]}      the programs
 *  In renyi of order a, for integers low, high: the premise also ends with low <= d<1> <= high, and
 *            {low <= high, ln(K)/(a-1) <= B, for i in low..high: Phi[B := B - ln(K)/(a-1)]},
 *  K = high - low + 1, is the precondition. In zcdp and gaussian the rule does not hold.      */
proof_of rule_pointwise(struct kernel *k, struct span span, term_id d, term_id i, term_id rest,
                        const struct pointwise_sum *sum, proof_of j) {
  static const char rule[] = "PW-EQ";
  struct terms *ts = k->terms;
  bool pure = k->notion.kind == NOTION_PURE;
  if (!j || (k->notion.kind != NOTION_RENYI && !kernel_needs_pure(k, rule, span))) return NULL;
  if (j->kernel != k) return kernel_fail(k, rule, span, "the premise comes from another context");
  if (!kernel_is_var(k, d)) return kernel_fail(k, rule, span, "not a program variable");
  if (!is_countable(ts, term_sort(ts, d)))
    return kernel_fail(k, rule, span,
                       "the output has an uncountable type: pointwise equality would be unsound");
  if (i == TERM_NONE || term_kind(ts, i) != TERM_VAR || i == k->budget ||
      term_var_get(ts, i)->run != 0 || kernel_is_var(k, i) || term_sort(ts, i) != term_sort(ts, d))
    return kernel_fail(k, rule, span, "the value must be a logical variable of the same type");
  bool used = kernel_reads_logical(k, j->left, i) || kernel_reads_logical(k, j->right, i);
  for (size_t f = 0; f < k->facts.len; f++)
    used |= term_mentions(ts, k->facts.at[f], &i, 1);
  if (used)
    return kernel_fail(k, rule, span, "the value is mentioned elsewhere: it must be any value");
  if (!pure && within(k, d, i, sum) == TERM_NONE)
    return kernel_fail(k, rule, span,
                       "in `renyi` each value costs: say from where to where they are");
  term_id shown = pointwise_premise(k, d, i, rest);
  if (!kernel_is_assertion(k, rest) || j->post != rule_pointwise_within(k, d, i, sum, shown))
    return kernel_fail(k, rule, span, "the premise is not about this output and value");
  term_id delta = sum_of_deltas(k, span, i, sum, j->delta);
  if (delta == TERM_NONE) return NULL;
  term_id one = kernel_tag(k, d, 1);
  term_id post =
      term_and(ts, term_eq(ts, one, kernel_tag(k, d, 2)), term_subst(ts, rest, &i, &one, 1));
  term_id pre = term_mentions(ts, j->pre, &i, 1) ? term_forall(ts, &i, 1, j->pre) : j->pre;
  if (!pure) {
    term_id price = price_of_values(k, sum), rest_of_budget = term_sub(ts, k->budget, price);
    term_id each = term_subst(ts, j->pre, &k->budget, &rest_of_budget, 1);
    term_id parts[] = {
        kernel_label(k, term_le(ts, sum->low, sum->high), rule, span, "there is some value"),
        kernel_label(k, term_le(ts, price, k->budget), rule, span,
                     "the budget pays for the number of values"),
        term_forall(ts, &i, 1, term_implies(ts, within(k, i, i, sum), each))};
    pre = term_and_all(ts, parts, 3);
  }
  return judgement_new(k, rule, span, j->left, j->right, pre, post, delta, j, NULL);
}

/*  ADV       c1 = (s, x) := A(s, a),  c2 = (t, y) := A(t, b): the same unknown code
 *  pre:   s<1> = t<2>, a<1> = b<2>;  for all values u, v:
 *           Psi[s<1>, t<2> := u;  x<1>, y<2> := v]
 *  An adversary with oracles is a loop of such moves (lower.h), to which WHILE applies. */
proof_of rule_adversary(struct kernel *k, const struct core *c1, const struct core *c2,
                        term_id post) {
  static const char rule[] = "ADV";
  struct terms *ts = k->terms;
  if (c1->kind != CORE_ADVERSARY || c2->kind != CORE_ADVERSARY || c1->name != c2->name ||
      c1->arg_count != c2->arg_count)
    return kernel_fail(k, rule, c1->span, "both runs must call the same adversary");
  if (!kernel_is_writable(k, c1->var) || !kernel_is_writable(k, c1->state) ||
      !kernel_is_writable(k, c2->var) || !kernel_is_writable(k, c2->state) ||
      c1->var == c1->state || c2->var == c2->state ||
      term_sort(ts, c1->var) != term_sort(ts, c2->var) ||
      term_sort(ts, c1->state) != term_sort(ts, c2->state))
    return kernel_fail(k, rule, c1->span, "the adversary writes its state and one result");
  term_id equal = term_eq(ts, kernel_tag(k, c1->state, 1), kernel_tag(k, c2->state, 2));
  for (size_t i = 0; i < c1->arg_count; i++)
    equal = term_and(ts, equal,
                     term_eq(ts, kernel_tag(k, c1->args[i], 1), kernel_tag(k, c2->args[i], 2)));
  term_id state = kernel_fresh(k, "state", term_sort(ts, c1->state));
  term_id answer = kernel_fresh(k, "answer", term_sort(ts, c1->var));
  term_id from[] = {term_var_in_run(ts, c1->state, 1), term_var_in_run(ts, c2->state, 2),
                    term_var_in_run(ts, c1->var, 1), term_var_in_run(ts, c2->var, 2)};
  term_id to[] = {state, state, answer, answer};
  term_id vars[] = {state, answer};
  term_id pre = term_and(
      ts, kernel_label(k, equal, rule, c1->span, "the adversary sees the same in both runs"),
      term_forall(ts, vars, 2, term_subst(ts, post, from, to, 4)));
  return judgement_new(k, rule, c1->span, c1, c2, pre, post, k->zero, NULL, NULL);
}
