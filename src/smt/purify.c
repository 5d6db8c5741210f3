#include "smt/purify.h"

#include <stdlib.h>

#include "out/print.h"
#include "term/build.h"

void purifier_init(struct purifier *p, struct terms *ts) {
  *p = (struct purifier){.ts = ts};
  memo_init(&p->memo);
}

void purifier_clear(struct purifier *p) {
  memo_clear(&p->memo);
  vec_clear(&p->atoms);
  vec_clear(&p->splits);
}

/* Named after what it stands for; the handle makes the name unique. */
static term_id name_for(struct purifier *p, term_id t, sort_id sort) {
  char *text = term_text(p->ts, t);
  char *name = xasprintf("%.60s #%u", text, t);
  term_id var = term_var(p->ts, name, sort, 0, 0);
  free(text);
  free(name);
  return var;
}

static bool is_function(enum term_kind kind) {
  return kind == TERM_EXP || kind == TERM_LN || kind == TERM_SQRT || kind == TERM_FLOOR ||
         kind == TERM_CEIL;
}

static term_id name_atom(struct purifier *p, term_id t) {
  enum term_kind kind = term_kind(p->ts, t);
  struct pure_atom atom = {.kind = kind, .source = t};
  if (is_function(kind)) {
    atom.arg = purify_number(p, term_arg(p->ts, t, 0));
    if (atom.arg == TERM_NONE) return TERM_NONE;
  }
  atom.var = name_for(p, t, SORT_REAL);
  if (atom.var != TERM_NONE) vec_push(&p->atoms, atom);
  return atom.var;
}

/* Numeric arguments become real; a condition stays a formula. */
static term_id rebuild_real(struct purifier *p, term_id t) {
  struct terms *ts = p->ts;
  term_list args = {0};
  for (size_t i = 0; i < term_arg_count(ts, t); i++) {
    term_id a = term_arg(ts, t, i);
    bool formula = term_sort(ts, a) == SORT_BOOL;
    vec_push(&args, formula ? purify_formula(p, a) : purify_number(p, a));
  }
  term_id result = term_rebuild(ts, t, args.at);
  vec_clear(&args);
  return result;
}

term_id purify_number(struct purifier *p, term_id t) {
  struct terms *ts = p->ts;
  if (t == TERM_NONE) return TERM_NONE;
  uint32_t known;
  if (memo_find(&p->memo, t, &known)) return known;
  term_id result;
  switch (term_kind(ts, t)) {
  case TERM_NUM: result = term_to_real(ts, t); break;
  case TERM_VAR: result = term_sort(ts, t) == SORT_REAL ? t : name_atom(p, t); break;
  case TERM_TO_REAL: result = purify_number(p, term_arg(ts, t, 0)); break;
  case TERM_ADD:
  case TERM_MUL:
  case TERM_POW:
  case TERM_DIV:
  case TERM_ABS:
  case TERM_MIN:
  case TERM_MAX:
  case TERM_ITE: result = rebuild_real(p, t); break;
  default: result = name_atom(p, t); break;
  }
  memo_put(&p->memo, t, result);
  return result;
}

static bool is_numeric_comparison(struct terms *ts, term_id t) {
  enum term_kind kind = term_kind(ts, t);
  return kind == TERM_LE || kind == TERM_LT ||
         (kind == TERM_EQ && sort_is_numeric(term_sort(ts, term_arg(ts, t, 0))));
}

/* Integers a and b: a <= b or b + 1 <= a, and the same with a and b exchanged. */
static void split_integers(struct purifier *p, term_id t) {
  struct terms *ts = p->ts;
  if (term_sort(ts, term_arg(ts, t, 0)) != SORT_INT) return;
  term_id a = purify_number(p, term_arg(ts, t, 0)), b = purify_number(p, term_arg(ts, t, 1));
  term_id one = term_rat(ts, 1, 1);
  term_id a_next = term_add(ts, a, one), b_next = term_add(ts, b, one);
  term_id facts[] = {term_or(ts, term_le(ts, a, b), term_le(ts, b_next, a)),
                     term_or(ts, term_le(ts, b, a), term_le(ts, a_next, b))};
  for (size_t i = 0; i < 2; i++)
    if (facts[i] != TERM_NONE && facts[i] != ts->true_term) vec_push(&p->splits, facts[i]);
}

static bool is_connective(struct terms *ts, term_id t) {
  switch (term_kind(ts, t)) {
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR:
  case TERM_IMPLIES: return true;
  case TERM_ITE: return term_sort(ts, t) == SORT_BOOL;
  case TERM_EQ: return term_sort(ts, term_arg(ts, t, 0)) == SORT_BOOL;
  default: return false;
  }
}

term_id purify_formula(struct purifier *p, term_id t) {
  struct terms *ts = p->ts;
  if (t == TERM_NONE) return TERM_NONE;
  uint32_t known;
  if (memo_find(&p->memo, t, &known)) return known;
  term_id result;
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_TRUE || kind == TERM_FALSE || kind == TERM_VAR)
    result = t;
  else if (is_numeric_comparison(ts, t) || is_connective(ts, t))
    result = rebuild_real(p, t);
  else
    result = name_for(p, t, SORT_BOOL);
  if (is_numeric_comparison(ts, t)) split_integers(p, t);
  memo_put(&p->memo, t, result);
  return result;
}
