#include "search/refute/constants.h"

#include <math.h>

#include "lang/syntax/walk.h"
#include "run/eval/number.h"

enum { MOST_CONSTANTS = 24 };

void numbers_clear(number_list *list) {
  for (size_t i = 0; i < list->len; i++)
    fmpq_clear(&list->at[i]);
  vec_clear(list);
}

bool numbers_add(number_list *list, const fmpq_t x, size_t most) {
  for (size_t i = 0; i < list->len; i++)
    if (fmpq_equal(&list->at[i], x)) return false;
  if (list->len >= most) return false;
  fmpq copy;
  fmpq_init(&copy);
  fmpq_set(&copy, x);
  vec_push(list, copy);
  return true;
}

void numbers_add_ratio(number_list *list, slong num, ulong den, size_t most) {
  fmpq_t x;
  fmpq_init(x);
  fmpq_set_si(x, num, den);
  fmpq_canonicalise(x);
  numbers_add(list, x, most);
  fmpq_clear(x);
}

struct collection {
  number_list *out;
  struct reval *ev;
};

static void add_value(number_list *out, const struct rvalue *v) {
  if (v->kind == RVALUE_INT || v->kind == RVALUE_RATIONAL) {
    fmpq_t x;
    fmpq_init(x);
    number_get_fmpq(x, v);
    numbers_add(out, x, MOST_CONSTANTS);
    fmpq_clear(x);
  } else if (v->kind == RVALUE_IRRATIONAL) {
    double approximate = number_to_double(v);
    if (!(fabs(approximate) < 1e9)) return;
    numbers_add_ratio(out, (slong)floor(approximate), 1, MOST_CONSTANTS);
    numbers_add_ratio(out, (slong)ceil(approximate), 1, MOST_CONSTANTS);
  }
}

/* The largest closed parts; names of variables have no value here, so the rest is taken apart. */
static void collect(const struct ast_expr *e, void *context) {
  struct collection *c = context;
  struct diag_mark mark = diags_mark(&c->ev->lang->diags);
  struct rvalue v;
  c->ev->steps = 0;
  bool closed = e->kind != EXPR_HOLE && e->kind != EXPR_ERROR && e->kind != EXPR_TAG &&
                reval_is_executable(e) && reval_take(c->ev, NULL, e, &v);
  diags_rollback(&c->ev->lang->diags, mark);
  if (!closed) {
    walk_parts(e, collect, context);
    return;
  }
  add_value(c->out, &v);
  rvalue_clear(&v);
}

void constants_of(number_list *out, struct reval *ev, const struct ast_expr *e) {
  if (e) collect(e, &(struct collection){out, ev});
}

void constants_of_block(number_list *out, struct reval *ev, const struct ast_block *block) {
  walk_block(block, collect, &(struct collection){out, ev});
}
