#include "term/subst.h"

#include <stdlib.h>

#include "term/build.h"
#include "term/memo.h"

/* The body of a quantifier without the quantifier; TERM_NONE if its variable occurs. */
static term_id unbound_body(struct terms *ts, term_id body);

static term_id rebuild_quantifier(struct terms *ts, const struct term_node *n, term_id body) {
  term_id alone = unbound_body(ts, body); /* what is replaced in a body may take the variable out */
  if (alone != TERM_NONE) return alone;
  struct term_node q = {.kind = n->kind, .sort = SORT_BOOL, .binder = n->binder, .hint = n->hint};
  return term_make_(ts, q, &body, 1);
}

term_id term_rebuild(struct terms *ts, term_id t, const term_id *args) {
  struct term_node n = *term_get(ts, t);
  for (size_t i = 0; i < n.count; i++)
    if (args[i] == TERM_NONE) return TERM_NONE;
  switch (n.kind) {
  case TERM_KIND_NONE:
  case TERM_TRUE:
  case TERM_FALSE:
  case TERM_NUM:
  case TERM_VAR:
  case TERM_BOUND:
  case TERM_NIL: return t;
  case TERM_ADD: return term_sum(ts, args, n.count);
  case TERM_MUL: return term_product(ts, args, n.count);
  case TERM_POW: return term_pow(ts, args[0], n.data);
  case TERM_RAISE: return term_raise(ts, n.data, args[0]);
  case TERM_DIV: return term_div(ts, args[0], args[1]);
  case TERM_IDIV: return term_idiv(ts, args[0], args[1]);
  case TERM_MOD: return term_mod(ts, args[0], args[1]);
  case TERM_TO_REAL: return term_to_real(ts, args[0]);
  case TERM_FLOOR: return term_floor(ts, args[0]);
  case TERM_CEIL: return term_ceil(ts, args[0]);
  case TERM_ABS: return term_abs(ts, args[0]);
  case TERM_MIN: return term_min(ts, args[0], args[1]);
  case TERM_MAX: return term_max(ts, args[0], args[1]);
  case TERM_EXP: return term_exp(ts, args[0]);
  case TERM_LN: return term_ln(ts, args[0]);
  case TERM_SQRT: return term_sqrt(ts, args[0]);
  case TERM_ITE: return term_ite(ts, args[0], args[1], args[2]);
  case TERM_EQ: return term_eq(ts, args[0], args[1]);
  case TERM_LE: return term_le(ts, args[0], args[1]);
  case TERM_LT: return term_lt(ts, args[0], args[1]);
  case TERM_NOT: return term_not(ts, args[0]);
  case TERM_AND: return term_and_all(ts, args, n.count);
  case TERM_OR: return term_or_all(ts, args, n.count);
  case TERM_IMPLIES: return term_implies(ts, args[0], args[1]);
  case TERM_FORALL:
  case TERM_EXISTS: return rebuild_quantifier(ts, &n, args[0]);
  case TERM_APP: return term_app(ts, n.data, args, n.count);
  case TERM_SELECT: return term_select(ts, args[0], args[1]);
  case TERM_STORE: return term_store(ts, args[0], args[1], args[2]);
  case TERM_DIFFERING: return term_differing(ts, args[0], args[1]);
  case TERM_CONS: return term_cons(ts, args[0], args[1]);
  case TERM_APPEND: return term_append(ts, args[0], args[1]);
  case TERM_LENGTH: return term_length(ts, args[0]);
  case TERM_HEAD: return term_head(ts, args[0]);
  case TERM_TAIL: return term_tail(ts, args[0]);
  case TERM_TUPLE: return term_tuple(ts, args, n.count);
  case TERM_PROJ: return term_proj(ts, args[0], n.data);
  }
  return TERM_NONE;
}

/* ---- one traversal for all replacements ------------------------------------------------------ */

/* What to do with a term met below `depth` quantifiers. */
enum visit {
  VISIT_KEEP,    /* nothing to replace in it */
  VISIT_REPLACE, /* *result is the replacement (or TERM_NONE: failure) */
  VISIT_DESCEND
};

struct rewriter {
  struct terms *ts;
  struct memo memo; /* (term, depth) -> result */
  bool by_depth;    /* do results depend on the depth? */
  enum visit (*visit)(struct rewriter *rw, term_id t, uint32_t depth, term_id *result);
  void *context;
};

static term_id rewrite(struct rewriter *rw, term_id t, uint32_t depth) {
  struct terms *ts = rw->ts;
  term_id result = TERM_NONE;
  switch (rw->visit(rw, t, depth, &result)) {
  case VISIT_KEEP: return t;
  case VISIT_REPLACE: return result;
  case VISIT_DESCEND: break;
  }
  uint64_t key = ((uint64_t)(rw->by_depth ? depth : 0) << 32) | t;
  uint32_t known;
  if (memo_find(&rw->memo, key, &known)) return known;
  struct term_node n = *term_get(ts, t);
  uint32_t below = depth + (n.kind == TERM_FORALL || n.kind == TERM_EXISTS);
  term_list args = {0};
  bool ok = true, changed = false;
  for (size_t i = 0; ok && i < n.count; i++) {
    term_id old = term_arg(ts, t, i), new = rewrite(rw, old, below);
    vec_push(&args, new);
    ok = new != TERM_NONE;
    changed = changed || new != old;
  }
  if (!ok)
    result = TERM_NONE;
  else
    result = changed ? term_rebuild(ts, t, args.at) : t;
  vec_clear(&args);
  memo_put(&rw->memo, key, result);
  return result;
}

static term_id run_rewriter(struct rewriter *rw, term_id t) {
  if (t == TERM_NONE) return TERM_NONE;
  memo_init(&rw->memo);
  term_id result = rewrite(rw, t, 0);
  memo_clear(&rw->memo);
  return result;
}

/* ---- substitution --------------------------------------------------------------------------- */

struct mapping {
  struct memo table; /* from -> to */
  uint64_t filter;   /* of the variables in the domain; all ones for arbitrary terms */
};

static enum visit visit_mapping(struct rewriter *rw, term_id t, uint32_t depth, term_id *result) {
  (void)depth;
  struct mapping *m = rw->context;
  if (!(term_get(rw->ts, t)->filter & m->filter)) return VISIT_KEEP;
  return memo_find(&m->table, t, result) ? VISIT_REPLACE : VISIT_DESCEND;
}

static enum visit visit_any(struct rewriter *rw, term_id t, uint32_t depth, term_id *result) {
  (void)depth;
  struct mapping *m = rw->context;
  return memo_find(&m->table, t, result) ? VISIT_REPLACE : VISIT_DESCEND;
}

static term_id map_terms(struct terms *ts, term_id t, const term_id *from, const term_id *to,
                         size_t count, bool only_vars) {
  struct mapping m = {0};
  memo_init(&m.table);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    ok = from[i] != TERM_NONE && to[i] != TERM_NONE && !term_get(ts, from[i])->loose &&
         !term_get(ts, to[i])->loose && (!only_vars || term_kind(ts, from[i]) == TERM_VAR);
    term_id fitted = ok ? term_coerce(ts, to[i], term_sort(ts, from[i])) : TERM_NONE;
    ok = fitted != TERM_NONE;
    if (!ok) break;
    memo_put(&m.table, from[i], fitted);
    m.filter |= term_get(ts, from[i])->filter;
  }
  term_id result = TERM_NONE;
  if (ok) {
    struct rewriter rw = {.ts = ts, .visit = only_vars ? visit_mapping : visit_any, .context = &m};
    result = run_rewriter(&rw, t);
  } else {
    term_fail_(ts, TERM_FAILURE_SORT);
  }
  memo_clear(&m.table);
  return result;
}

term_id term_subst(struct terms *ts, term_id t, const term_id *from, const term_id *to,
                   size_t count) {
  return map_terms(ts, t, from, to, count, true);
}

term_id term_replace(struct terms *ts, term_id t, const term_id *from, const term_id *to,
                     size_t count) {
  return map_terms(ts, t, from, to, count, false);
}

static enum visit visit_swap(struct rewriter *rw, term_id t, uint32_t depth, term_id *result) {
  (void)depth;
  const struct term_node *n = term_get(rw->ts, t);
  if (!(n->flags & (TERM_HAS_RUN1 | TERM_HAS_RUN2))) return VISIT_KEEP;
  if (n->kind != TERM_VAR) return VISIT_DESCEND;
  *result = term_var_in_run(rw->ts, t, 3 - term_var_get(rw->ts, t)->run);
  return VISIT_REPLACE;
}

term_id term_swap_runs(struct terms *ts, term_id t) {
  struct rewriter rw = {.ts = ts, .visit = visit_swap};
  return run_rewriter(&rw, t);
}

term_id term_tag(struct terms *ts, term_id t, unsigned run, const term_id *vars, size_t count) {
  term_list to = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&to, term_var_in_run(ts, vars[i], run));
  term_id result = term_subst(ts, t, vars, to.at, count);
  vec_clear(&to);
  return result;
}

/* ---- binders -------------------------------------------------------------------------------- */

static enum visit visit_abstract(struct rewriter *rw, term_id t, uint32_t depth, term_id *result) {
  const term_id *var = rw->context;
  struct terms *ts = rw->ts;
  if (t == *var) {
    struct term_node n = {.kind = TERM_BOUND, .sort = term_sort(ts, t), .data = depth};
    *result = term_make_(ts, n, NULL, 0);
    return VISIT_REPLACE;
  }
  return term_get(ts, t)->filter & term_get(ts, *var)->filter ? VISIT_DESCEND : VISIT_KEEP;
}

term_id term_abstract(struct terms *ts, term_id t, term_id var) {
  struct rewriter rw = {.ts = ts, .by_depth = true, .visit = visit_abstract, .context = &var};
  return run_rewriter(&rw, t);
}

static enum visit visit_lower(struct rewriter *rw, term_id t, uint32_t depth, term_id *result) {
  struct term_node n = *term_get(rw->ts, t);
  if (n.loose <= depth) return VISIT_KEEP;
  if (n.kind != TERM_BOUND) return VISIT_DESCEND;
  struct term_node lower = {.kind = TERM_BOUND, .sort = n.sort, .data = n.data - 1};
  *result = n.data == depth ? TERM_NONE : term_make_(rw->ts, lower, NULL, 0);
  return VISIT_REPLACE;
}

static term_id unbound_body(struct terms *ts, term_id body) {
  uint32_t loose = term_get(ts, body)->loose;
  if (loose <= 1) return loose ? TERM_NONE : body; /* 1: no index but its own */
  struct rewriter rw = {.ts = ts, .by_depth = true, .visit = visit_lower};
  return run_rewriter(&rw, body);
}

static enum visit visit_instantiate(struct rewriter *rw, term_id t, uint32_t depth,
                                    term_id *result) {
  const term_id *value = rw->context;
  const struct term_node *n = term_get(rw->ts, t);
  if (n->loose <= depth) return VISIT_KEEP;
  if (n->kind != TERM_BOUND) return VISIT_DESCEND;
  *result = *value; /* its index is `depth`: quantifiers held by callers are closed */
  return VISIT_REPLACE;
}

term_id term_instantiate(struct terms *ts, term_id quantifier, term_id value) {
  if (quantifier == TERM_NONE || value == TERM_NONE) return TERM_NONE;
  struct term_node n = *term_get(ts, quantifier);
  if ((n.kind != TERM_FORALL && n.kind != TERM_EXISTS) || n.loose || term_get(ts, value)->loose)
    return term_fail_(ts, TERM_FAILURE_SORT);
  value = term_coerce(ts, value, n.binder);
  if (value == TERM_NONE) return TERM_NONE;
  struct rewriter rw = {.ts = ts, .by_depth = true, .visit = visit_instantiate, .context = &value};
  return run_rewriter(&rw, term_arg(ts, quantifier, 0));
}

term_id term_open(struct terms *ts, term_id quantifier, term_id *var) {
  if (quantifier == TERM_NONE) return TERM_NONE;
  struct term_node n = *term_get(ts, quantifier);
  if (n.kind != TERM_FORALL && n.kind != TERM_EXISTS) return term_fail_(ts, TERM_FAILURE_SORT);
  *var = term_var(ts, term_binder_hint(ts, quantifier), n.binder, 0, ts->fresh + 1);
  return term_instantiate(ts, quantifier, *var);
}

/* ---- questions ------------------------------------------------------------------------------ */

/* Visits every distinct subterm once, children first. */
static void walk(struct terms *ts, term_id t, struct memo *seen, term_list *out) {
  uint32_t dummy;
  if (memo_find(seen, t, &dummy)) return;
  memo_put(seen, t, 1);
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    walk(ts, term_arg(ts, t, i), seen, out);
  vec_push(out, t);
}

static term_list all_subterms(struct terms *ts, term_id t) {
  term_list all = {0};
  if (t == TERM_NONE) return all;
  struct memo seen;
  memo_init(&seen);
  walk(ts, t, &seen, &all);
  memo_clear(&seen);
  return all;
}

static int by_handle(const void *a, const void *b) {
  term_id x = *(const term_id *)a, y = *(const term_id *)b;
  return (x > y) - (x < y);
}

void term_free_vars(struct terms *ts, term_id t, term_list *out) {
  term_list all = all_subterms(ts, t);
  size_t first = out->len;
  for (size_t i = 0; i < all.len; i++)
    if (term_kind(ts, all.at[i]) == TERM_VAR) vec_push(out, all.at[i]);
  if (out->len > first + 1) qsort(out->at + first, out->len - first, sizeof *out->at, by_handle);
  vec_clear(&all);
}

static bool mentions(struct terms *ts, term_id t, const struct memo *vars, uint64_t filter,
                     struct memo *seen) {
  uint32_t dummy;
  if (!(term_get(ts, t)->filter & filter)) return false;
  if (memo_find(vars, t, &dummy)) return true;
  if (memo_find(seen, t, &dummy)) return false;
  memo_put(seen, t, 1);
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    if (mentions(ts, term_arg(ts, t, i), vars, filter, seen)) return true;
  return false;
}

bool term_mentions(struct terms *ts, term_id t, const term_id *vars, size_t count) {
  if (t == TERM_NONE) return true; /* nothing is known about it */
  struct memo set, seen;
  memo_init(&set);
  memo_init(&seen);
  uint64_t filter = 0;
  bool found = false;
  for (size_t i = 0; i < count; i++) {
    if (vars[i] == TERM_NONE) {
      found = true;
      break;
    }
    memo_put(&set, vars[i], 1);
    filter |= term_get(ts, vars[i])->filter;
  }
  found = found || mentions(ts, t, &set, filter, &seen);
  memo_clear(&set);
  memo_clear(&seen);
  return found;
}

void term_subterms(struct terms *ts, term_id t, term_list *out) {
  term_list all = all_subterms(ts, t);
  for (size_t i = 0; i < all.len; i++)
    if (!term_get(ts, all.at[i])->loose) vec_push(out, all.at[i]);
  vec_clear(&all);
}

void term_conjuncts(struct terms *ts, term_id t, term_list *out) {
  if (t == TERM_NONE || term_kind(ts, t) != TERM_AND) {
    vec_push(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    vec_push(out, term_arg(ts, t, i));
}
