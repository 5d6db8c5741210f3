#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"
#include "run/eval/cover.h"
#include "run/eval/reval_internal.h"

/* The values that a quantifier over an abstract type ranges over, or NULL. */
static const struct rvalue *find_carrier(const struct reval *ev, const struct ast_binder *binder) {
  if (!ev->pair || binder->low) return NULL;
  for (size_t i = 0; i < ev->pair->carrier_count; i++)
    if (ev->pair->carriers[i].type == binder->var->type) return &ev->pair->carriers[i].values;
  return NULL;
}

/* The most items that a value of the frame has. */
static size_t longest(const struct rframe *f) {
  size_t most = 0;
  for (size_t i = 0; f && i < f->count; i++)
    if (rvalue_is_items(&f->at[i]) && f->at[i].as.seq->len > most) most = f->at[i].as.seq->len;
  return most;
}

/* An integer without a range in a formula about two runs. Some stand for all of them (low, .., high
 * - 1), or it is open, and the indices of the inputs are tried. */
static bool is_open(struct reval *ev, const struct ast_expr *e, size_t k, fmpz *low, fmpz *high) {
  const struct ast_binder *binder = &e->as.quant.binders[k];
  bool whole = ev->pair && !binder->low && binder->var->type->kind == TYPE_INT;
  return whole && !cover_integers(ev, e, k, low, high);
}

static size_t index_count(const struct reval *ev) {
  size_t one = longest(ev->pair->runs[0]), two = longest(ev->pair->runs[1]);
  return one > two ? one : two;
}

static bool fail_quantifier(struct reval *ev, const struct ast_expr *e) {
  diag_error(&ev->lang->diags, e->span, "not-executable",
             "this speaks of all numbers, and cannot be evaluated; over a range, "
             "`forall i in a..b`, it can");
  return false;
}

/* What some of the integers do not decide is not known. */
static bool reval_decided(struct reval *ev, const struct ast_expr *e, bool truth) {
  bool open = false, is_forall = e->as.quant.is_forall;
  struct rvalue low = rvalue_int(0), high = rvalue_int(0);
  for (size_t i = 0; i < e->as.quant.count && truth == is_forall; i++)
    open |= is_open(ev, e, i, &low.as.integer, &high.as.integer);
  rvalue_clear(&low);
  rvalue_clear(&high);
  if (open && is_forall) fail_quantifier(ev, e);
  ev->lacks_index |= open && !is_forall;
  if (open && !is_forall)
    diag_error(&ev->lang->diags, e->span, "not-executable", "no index of the inputs is one");
  return !open;
}

/* The values of binders[k..] in turn; *truth is the verdict so far, which the last decides. */
static bool reval_binders(struct reval *ev, struct rframe *f, const struct ast_expr *e, size_t k,
                          bool *truth) {
  bool is_forall = e->as.quant.is_forall;
  if (k == e->as.quant.count) return reval_bool(ev, f, e->as.quant.body, truth);
  const struct ast_binder *binder = &e->as.quant.binders[k];
  const struct rvalue *carrier = find_carrier(ev, binder);
  struct rvalue low = rvalue_int(0), high = rvalue_int(2); /* bool: 0 and 1 */
  bool ok = true, whole = ev->pair && binder->var->type->kind == TYPE_INT && !carrier;
  bool open = is_open(ev, e, k, &low.as.integer, &high.as.integer);
  if (binder->low) {
    ok = reval_integer(ev, f, binder->low, &low) && reval_integer(ev, f, binder->high, &high);
  } else if (carrier) {
    fmpz_set_ui(&high.as.integer, carrier->as.seq->len);
  } else if (open) {
    fmpz_zero(&low.as.integer);
    fmpz_set_ui(&high.as.integer, index_count(ev));
  } else if (binder->var->type->kind != TYPE_BOOL && !whole) {
    ok = fail_quantifier(ev, e);
  }
  *truth = is_forall;
  struct rvalue *slot = &f->at[binder->var->slot];
  for (; ok && *truth == is_forall && fmpz_cmp(&low.as.integer, &high.as.integer) < 0;
       fmpz_add_ui(&low.as.integer, &low.as.integer, 1)) {
    *slot = binder->low || whole ? rvalue_copy(&low)
            : carrier            ? rvalue_copy(&carrier->as.seq->at[fmpz_get_ui(&low.as.integer)])
                                 : rvalue_bool(fmpz_is_one(&low.as.integer));
    ok = reval_step(ev, e->span) && reval_binders(ev, f, e, k + 1, truth);
    rvalue_clear(slot);
  }
  rvalue_clear(&low);
  rvalue_clear(&high);
  return ok;
}

/* The items of the range, added up. */
static bool reval_sum(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                      struct rvalue *total) {
  const struct ast_binder *binder = &e->as.quant.binders[0];
  struct rvalue low = rvalue_int(0), high = rvalue_int(0), *slot = &f->at[binder->var->slot];
  *total = rvalue_int(0);
  bool ok = reval_integer(ev, f, binder->low, &low) && reval_integer(ev, f, binder->high, &high);
  for (; ok && fmpz_cmp(&low.as.integer, &high.as.integer) < 0;
       fmpz_add_ui(&low.as.integer, &low.as.integer, 1)) {
    struct rvalue item = {0}, more = {0};
    *slot = rvalue_copy(&low);
    const struct rvalue *x =
        reval_step(ev, e->span) ? reval_expr(ev, f, e->as.quant.body, &item) : NULL;
    ok = x && reval_binary_values(ev, e, BINARY_ADD, total, x, &more);
    rvalue_clear(&item);
    rvalue_clear(slot);
    if (!ok) break;
    rvalue_clear(total);
    *total = more;
  }
  rvalue_clear(&low);
  rvalue_clear(&high);
  return ok;
}

/* Binders have slots behind what is visible, possibly beyond the frame: evaluate in a longer frame
 * that borrows the values of this one. */
const struct rvalue *reval_quant(struct reval *ev, struct rframe *f, const struct ast_expr *e,
                                 struct rvalue *temp) {
  size_t count = f ? f->count : 0;
  for (size_t i = 0; i < e->as.quant.count; i++)
    if (e->as.quant.binders[i].var->slot >= count) count = e->as.quant.binders[i].var->slot + 1;
  struct rframe longer;
  rframe_init(&longer, count);
  for (size_t i = 0; f && i < f->count; i++)
    longer.at[i] = f->at[i];
  struct rvalue total = rvalue_int(0);
  bool truth = false;
  bool ok = e->as.quant.is_sum
                ? reval_sum(ev, &longer, e, &total)
                : reval_binders(ev, &longer, e, 0, &truth) && reval_decided(ev, e, truth);
  free(longer.at);
  if (!ok) rvalue_clear(&total);
  if (!ok) return NULL;
  return reval_give(temp, e->as.quant.is_sum ? total : rvalue_bool(truth));
}

/* ---- what can be evaluated ------------------------------------------------------------------ */

struct obstacle_search {
  bool found;
  struct ptrmap seen; /* lets already looked into */
};

static void look_for_obstacle(const struct ast_expr *e, void *context) {
  struct obstacle_search *search = context;
  if (e->kind == EXPR_TAG || e->kind == EXPR_HOLE) search->found = true;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN &&
      builtin_get(e->as.call.builtin)->is_adjacency)
    search->found = true;
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_LET &&
      !ptrmap_put(&search->seen, e->as.call.decl, e->as.call.decl))
    look_for_obstacle(e->as.call.decl->as.let.body, search);
  if (e->kind == EXPR_QUANT)
    for (size_t i = 0; i < e->as.quant.count; i++) {
      const struct ast_binder *b = &e->as.quant.binders[i];
      if (!b->low && b->var->type->kind != TYPE_BOOL) search->found = true;
    }
  if (!search->found) walk_parts(e, look_for_obstacle, search);
}

bool reval_is_executable(const struct ast_expr *e) {
  struct obstacle_search search = {.found = false};
  ptrmap_init(&search.seen);
  look_for_obstacle(e, &search);
  ptrmap_clear(&search.seen);
  return !search.found;
}
