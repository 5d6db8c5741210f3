#include "claim/sums.h"

#include "kernel/context.h"
#include "kernel/notion.h"
#include "term/build.h"
#include "term/subst.h"

/* Not a name of the language. */
term_id sum_index(struct terms *ts) {
  return term_var(ts, "the index", SORT_INT, 0, 0);
}

term_id sum_array(struct terms *ts, sort_id sort) {
  return term_var(ts, "the array", sort, 0, 0);
}

/* Stands for the i-th variable with a value of its own at each place where the sum occurs. */
static term_id sum_choice(struct terms *ts, sort_id sort, size_t i) {
  return term_var(ts, "the choice", sort, 0, (unsigned)i);
}

bool sum_takes_any(struct terms *ts, term_id arg) {
  const struct term_var *v = term_var_get(ts, arg);
  return arg == sum_array(ts, v->sort) || arg == sum_choice(ts, v->sort, v->version);
}

static bool is_even(struct terms *ts, term_id t) {
  return term_kind(ts, t) == TERM_ABS ||
         (term_kind(ts, t) == TERM_POW && term_get(ts, t)->data % 2 == 0);
}

/* Distances and squares, numbers from 0 on, and sums of these and choices between them. */
static bool is_never_negative(struct terms *ts, term_id t) {
  enum term_kind kind = term_kind(ts, t);
  if (term_is_num(ts, t)) return fmpq_sgn(term_num_value(ts, t)) >= 0;
  bool all = kind == TERM_ADD || kind == TERM_ITE; /* the first part of a choice is a condition */
  for (size_t i = kind == TERM_ITE; all && i < term_arg_count(ts, t); i++)
    all = is_never_negative(ts, term_arg(ts, t, i));
  return all || is_even(ts, t);
}

/* (-t)^2 as t^2, |-t| as |t|. */
static term_id canonical(struct terms *ts, term_id t) {
  size_t count = term_arg_count(ts, t);
  enum term_kind kind = term_kind(ts, t);
  if (count == 0 || kind == TERM_FORALL || kind == TERM_EXISTS) return t;
  term_list args = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&args, canonical(ts, term_arg(ts, t, i)));
  if (is_even(ts, t)) {
    term_id opposite = term_neg(ts, args.at[0]);
    if (opposite < args.at[0]) args.at[0] = opposite;
  }
  term_id result = term_rebuild(ts, t, args.at);
  vec_clear(&args);
  return result;
}

/* The body for the index sum_index, in real numbers. */
static term_id body_of(struct translate_env *env, const struct ast_expr *e) {
  const struct ast_binder *binder = &e->as.quant.binders[0];
  const char *name = binder->var->name.text;
  void *hidden = ptrmap_get(&env->names, name);
  translate_bind(env, binder->var, env->is_proof_text ? name : NULL, sum_index(env->ts), false,
                 TERM_NONE);
  env->in_sum = true;
  term_id body = translate_expr_as(env, e->as.quant.body, SORT_REAL);
  env->in_sum = false;
  ptrmap_put(&env->names, name, hidden);
  return body == TERM_NONE ? TERM_NONE : canonical(env->ts, body);
}

/* Parameters, public inputs, and inputs of a run: what no command changes and no quantifier binds.
 */
static bool is_settled(struct translate_env *env, term_id var) {
  const struct term_var *v = term_var_get(env->ts, var);
  for (size_t i = 0; i < env->fixed.len; i++)
    if (env->fixed.at[i] == var) return true;
  if (v->run == 0)
    return v->version == 0 && var != kernel_budget(env->k) && !kernel_is_var(env->k, var);
  term_id plain = term_var_in_run(env->ts, var, 0);
  return kernel_is_var(env->k, plain) && !kernel_is_writable(env->k, plain);
}

static bool is_array(struct terms *ts, term_id t) {
  return sort_get(ts, term_sort(ts, t))->kind == SORT_KIND_ARRAY;
}

/* Is the array spoken of only by its item at the index? */
static bool is_by_item(struct terms *ts, term_id body, term_id array) {
  term_id item = term_select(ts, array, sum_index(ts));
  term_id any = term_var(ts, "the item", term_sort(ts, item), 0, 0);
  return !term_mentions(ts, term_replace(ts, body, &item, &any, 1), &array, 1);
}

/* Bound by a quantifier, or the witness of one. */
static bool is_logical(struct translate_env *env, term_id var) {
  const struct term_var *v = term_var_get(env->ts, var);
  return v->run == 0 && v->version != 0 && !is_array(env->ts, var) &&
         !kernel_is_var(env->k, term_var(env->ts, v->name, v->sort, 0, 0));
}

/* What a sum is applied to, where its function takes any value: variables of the formula in the
 * places of those of the function. */
struct actual {
  term_list formal, given;
  bool has_array;
};

static void actual_clear(struct actual *a) {
  vec_clear(&a->formal);
  vec_clear(&a->given);
}

/* Finds the variable of the function for one of the formula that is not settled. */
static bool add_actual(struct translate_env *env, term_id body, term_id var, struct actual *out) {
  struct terms *ts = env->ts;
  sort_id sort = term_sort(ts, var);
  if (is_logical(env, var)) {
    term_id choice = sum_choice(ts, sort, out->formal.len);
    vec_push(&out->formal, choice);
  } else if (env->untagged && !out->has_array && is_array(ts, var) && is_by_item(ts, body, var)) {
    vec_push(&out->formal, sum_array(ts, sort));
    out->has_array = true;
  } else {
    return false;
  }
  vec_push(&out->given, var);
  return true;
}

/* The variables of the body. Those that quantifiers bind are arguments that take any value, and so
 * is, in a claim about one run, an array of the program. */
static bool find_args(struct translate_env *env, term_id *body, term_list *args,
                      struct actual *actual) {
  struct terms *ts = env->ts;
  term_list vars = {0};
  bool ok = true;
  term_free_vars(ts, *body, &vars);
  for (size_t i = 0; i < vars.len && ok; i++)
    if (vars.at[i] != sum_index(ts) && !is_settled(env, vars.at[i]))
      ok = add_actual(env, *body, vars.at[i], actual);
  if (ok && actual->given.len)
    *body = canonical(
        ts, term_subst(ts, *body, actual->given.at, actual->formal.at, actual->given.len));
  vars.len = 0;
  term_free_vars(ts, *body, &vars);
  for (size_t i = 0; i < vars.len; i++)
    if (vars.at[i] != sum_index(ts)) vec_push(args, vars.at[i]);
  vec_clear(&vars);
  return ok;
}

static term_id apply(struct translate_env *env, const struct translate_sum *s, term_id low,
                     term_id high) {
  term_list args = {0};
  for (size_t i = 0; i < s->arg_count; i++)
    vec_push(&args, s->args[i]);
  vec_push(&args, low);
  vec_push(&args, high);
  term_id t = term_app(env->ts, s->symbol, args.at, args.len);
  vec_clear(&args);
  return t;
}

/* A fact for all values of these variables, and of what the function takes any value of. */
static void assume_always(struct translate_env *env, struct span span,
                          const struct translate_sum *s, const term_id *vars, size_t count,
                          term_id formula) {
  term_list all = {0};
  for (size_t i = 0; i < s->arg_count; i++)
    if (sum_takes_any(env->ts, s->args[i])) vec_push(&all, s->args[i]);
  for (size_t i = 0; i < count; i++)
    vec_push(&all, vars[i]);
  translate_assume(env, span, term_forall(env->ts, all.at, all.len, formula));
  vec_clear(&all);
}

/* e(w) < 0 for some w from low to high, which the function names? */
static term_id has_negative(struct translate_env *env, const struct translate_sum *s,
                            symbol_id where, term_id low, term_id high) {
  struct terms *ts = env->ts;
  struct translate_sum function = *s;
  function.symbol = where;
  term_id w = apply(env, &function, low, high), index = sum_index(ts);
  term_id there[] = {term_le(ts, low, w), term_lt(ts, w, high),
                     term_lt(ts, term_subst(ts, s->body, &index, &w, 1), term_rat(ts, 0, 1))};
  return term_and_all(ts, there, 3);
}

/* Unless some summand is negative, a sum is not, nor is it less than its first summand. */
static void assume_negative(struct translate_env *env, struct span span,
                            const struct translate_sum *s, const sort_id *sorts) {
  struct terms *ts = env->ts;
  for (size_t i = 0; i < s->arg_count; i++)
    if (term_var_get(ts, s->args[i])->run != 0) return;
  const char *name = arena_printf(kernel_arena(env->k), "negative#%u", (unsigned)s->body);
  symbol_id where = symbol_declare(ts, name, sorts, s->arg_count + 2, SORT_INT);
  if (where == SYMBOL_NONE) {
    translate_fail(env, span, "internal error: a sum has no name");
    return;
  }
  term_id vars[] = {kernel_fresh(env->k, "low", SORT_INT), kernel_fresh(env->k, "high", SORT_INT)};
  term_id low = vars[0], high = vars[1], index = sum_index(ts), zero = term_rat(ts, 0, 1);
  term_id all = apply(env, s, low, high), first = term_subst(ts, s->body, &index, &low, 1);
  term_id next = term_add(ts, low, term_int(ts, 1));
  assume_always(env, span, s, vars, 2,
                term_or(ts, term_le(ts, zero, all), has_negative(env, s, where, low, high)));
  assume_always(
      env, span, s, vars, 2,
      term_implies(ts, term_lt(ts, low, high),
                   term_or(ts, term_le(ts, first, all), has_negative(env, s, where, next, high))));
}

/* Of an array of the program: what is needed of it where a loop writes it item by item. More facts
 * about all arrays would cost much. */
static void assume_sum_of_items(struct translate_env *env, struct span span,
                                const struct translate_sum *s, term_id array) {
  struct terms *ts = env->ts;
  term_id index = sum_index(ts);
  term_id vars[] = {kernel_fresh(env->k, "low", SORT_INT), kernel_fresh(env->k, "at", SORT_INT),
                    kernel_fresh(env->k, "item", sort_elem(ts, term_sort(ts, array)))};
  term_id low = vars[0], at = vars[1], next = term_add(ts, at, term_int(ts, 1));
  term_id before = apply(env, s, low, at), last = term_subst(ts, s->body, &index, &at, 1);
  term_id all = apply(env, s, low, next), begun = term_le(ts, low, at);
  term_id stored = term_store(ts, array, at, vars[2]),
          empty = term_eq(ts, before, term_rat(ts, 0, 1));
  assume_always(env, span, s, vars, 2, term_implies(ts, term_le(ts, at, low), empty));
  term_id step = term_eq(ts, all, term_add(ts, before, last));
  assume_always(env, span, s, vars, 2, term_implies(ts, begun, step));
  all = term_subst(ts, all, &array, &stored, 1);
  last = term_subst(ts, last, &array, &stored, 1);
  step = term_eq(ts, all, term_add(ts, before, last));
  assume_always(env, span, s, vars, 3, term_implies(ts, begun, step));
}

/* The 2-norm is at most the 1-norm, one summand at a time. Where distances add up, as in the pure
 * notion, nobody asks for it. */
static void assume_norms(struct translate_env *env, struct span span,
                         const struct translate_sum *s) {
  struct terms *ts = env->ts;
  if (term_kind(ts, s->body) != TERM_ABS || kernel_notion(env->k).kind == NOTION_PURE) return;
  term_id vars[] = {kernel_fresh(env->k, "low", SORT_INT), kernel_fresh(env->k, "high", SORT_INT),
                    kernel_fresh(env->k, "next", SORT_INT)};
  term_id low = vars[0], high = vars[1], next = vars[2], index = sum_index(ts);
  term_id first = term_subst(ts, term_arg(ts, s->body, 0), &index, &low, 1);
  term_id square = term_pow(ts, first, 2), rest = term_pow(ts, apply(env, s, next, high), 2);
  term_id all = term_pow(ts, apply(env, s, low, high), 2), begun = term_lt(ts, low, high);
  term_id is_next = term_eq(ts, next, term_add(ts, low, term_int(ts, 1)));
  assume_always(env, span, s, vars, 2, term_implies(ts, begun, term_le(ts, square, all)));
  assume_always(
      env, span, s, vars, 3,
      term_implies(ts, term_and(ts, begun, is_next), term_le(ts, term_add(ts, square, rest), all)));
}

static void assume_sum(struct translate_env *env, struct span span, const struct translate_sum *s) {
  struct terms *ts = env->ts;
  for (size_t i = 0; i < s->arg_count; i++)
    if (s->args[i] == sum_array(ts, term_sort(ts, s->args[i]))) {
      assume_sum_of_items(env, span, s, s->args[i]);
      return;
    }
  term_id index = sum_index(ts), zero = term_rat(ts, 0, 1);
  term_id vars[] = {kernel_fresh(env->k, "low", SORT_INT), kernel_fresh(env->k, "high", SORT_INT),
                    kernel_fresh(env->k, "next", SORT_INT)};
  term_id low = vars[0], high = vars[1], next = vars[2];
  term_id all = apply(env, s, low, high), rest = apply(env, s, next, high);
  term_id first = term_subst(ts, s->body, &index, &low, 1);
  term_id step[] = {term_lt(ts, low, high), term_eq(ts, next, term_add(ts, low, term_int(ts, 1)))};
  assume_always(env, span, s, vars, 2,
                term_implies(ts, term_le(ts, high, low), term_eq(ts, all, zero)));
  /* `next` has a name so that an instance needs two sums that are there: unfolding ends */
  assume_always(
      env, span, s, vars, 3,
      term_implies(ts, term_and_all(ts, step, 2), term_eq(ts, all, term_add(ts, first, rest))));
  if (env->untagged) { /* one run: loops add up what is behind them */
    term_id last = term_subst(ts, s->body, &index, &next, 1), most = apply(env, s, low, next);
    term_id end[] = {step[0], term_eq(ts, high, term_add(ts, next, term_int(ts, 1)))};
    assume_always(
        env, span, s, vars, 3,
        term_implies(ts, term_and_all(ts, end, 2), term_eq(ts, all, term_add(ts, most, last))));
  }
  if (is_never_negative(ts, s->body)) {
    assume_always(env, span, s, vars, 2, term_le(ts, zero, all));
    assume_always(env, span, s, vars, 2, term_implies(ts, step[0], term_le(ts, first, all)));
  }
  assume_norms(env, span, s);
  if (canonical(ts, term_swap_runs(ts, s->body)) == s->body)
    assume_always(env, span, s, vars, 2, term_eq(ts, all, term_swap_runs(ts, all)));
}

/* The function of this body, whose variables that take any value are given; NULL after a mistake. */
static const struct translate_sum *sum_of(struct translate_env *env, struct span span, term_id body,
                                          struct actual *actual) {
  term_list args = {0};
  if (!find_args(env, &body, &args, actual)) {
    vec_clear(&args);
    translate_fail(env, span,
                   env->untagged ? "a sum may speak of inputs, parameters, its index and the items "
                                   "of one array of the program only"
                                 : "a sum may speak of inputs, parameters, its index and what "
                                   "quantifiers bind only");
    return NULL;
  }
  for (size_t i = 0; i < env->sums.len; i++)
    if (env->sums.at[i].body == body) {
      vec_clear(&args);
      return &env->sums.at[i];
    }
  if (kernel_is_sealed(env->k)) {
    vec_clear(&args);
    translate_fail(env, span, "this sum is not one that the claim speaks of");
    return NULL;
  }
  VEC(sort_id) sorts = {0};
  for (size_t i = 0; i < args.len; i++)
    vec_push(&sorts, term_sort(env->ts, args.at[i]));
  vec_push(&sorts, SORT_INT);
  vec_push(&sorts, SORT_INT);
  const char *name = arena_printf(kernel_arena(env->k), "sum#%u", (unsigned)body);
  struct translate_sum s = {.body = body, .arg_count = args.len};
  s.symbol = symbol_declare(env->ts, name, sorts.at, sorts.len, SORT_REAL);
  s.args = arena_take_vec(kernel_arena(env->k), &args);
  if (s.symbol == SYMBOL_NONE) {
    vec_clear(&sorts);
    translate_fail(env, span, "internal error: a sum has no name");
    return NULL;
  }
  vec_push(&env->sums, s);
  assume_sum(env, span, &vec_last(&env->sums));
  if (!env->untagged && !is_never_negative(env->ts, body)) assume_negative(env, span, &s, sorts.at);
  vec_clear(&sorts);
  return &vec_last(&env->sums);
}

term_id translate_sum(struct translate_env *env, const struct ast_expr *e) {
  const struct ast_binder *binder = &e->as.quant.binders[0];
  if (env->in_sum) return translate_fail(env, e->span, "a sum inside a sum");
  if (e->as.quant.count != 1 || !binder->low)
    return translate_fail(env, e->span, "a sum is over a range of integers");
  term_id low = translate_expr_as(env, binder->low, SORT_INT);
  term_id high = translate_expr_as(env, binder->high, SORT_INT);
  term_id body = body_of(env, e);
  if (env->error || low == TERM_NONE || high == TERM_NONE || body == TERM_NONE) return TERM_NONE;
  struct actual actual = {0};
  const struct translate_sum *s = sum_of(env, e->span, body, &actual);
  term_id all = s ? apply(env, s, low, high) : TERM_NONE;
  if (s) all = term_subst(env->ts, all, actual.formal.at, actual.given.at, actual.given.len);
  actual_clear(&actual);
  return all;
}
