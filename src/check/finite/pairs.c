#include "check/finite/pairs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "run/eval/adjacency.h"

struct walk {
  const struct finite_inputs *inputs;
  const struct budget *budget;
  pair_visitor *visit;
  void *context;
  const char **why;
  const struct ast_expr *formula;
  bool fits[LIMIT_FINITE_COORDINATES][LIMIT_FINITE_VALUES][LIMIT_FINITE_VALUES];
  bool *is_single;   /* per argument: at most one of its coordinates differs */
  bool is_complete;  /* that is all the formula says */
  bool is_symmetric; /* and it does not matter which run is which */
  struct rframe frames[2];
  size_t visited;
};

static bool refuse(struct walk *w, const char *reason) {
  *w->why = reason;
  return false;
}

/* ---- what the formula says about entries ------------------------------------------------------ */

static struct rvalue one_item(const struct rvalue *v) {
  struct rvalue array = rvalue_seq(RVALUE_ARRAY, 1);
  array.as.seq->at[0] = rvalue_copy(v);
  return array;
}

/* A shorthand holds of arrays only if it holds of each of their entries. */
static bool restrict_entries(struct walk *w, enum builtin id, size_t argument, bool is_array,
                             const struct rvalue *distance) {
  for (size_t k = 0; k < w->inputs->coordinate_count; k++) {
    const struct coordinate *c = &w->inputs->coordinates[k];
    if (c->argument != argument) continue;
    for (size_t a = 0; a < c->count; a++)
      for (size_t b = 0; b < c->count; b++) {
        struct rvalue x = is_array ? one_item(&c->values[a]) : rvalue_copy(&c->values[a]);
        struct rvalue y = is_array ? one_item(&c->values[b]) : rvalue_copy(&c->values[b]);
        bool holds = false, known = adjacency_holds(id, &x, &y, distance, &holds);
        rvalue_clear(&x);
        rvalue_clear(&y);
        if (!known) return false;
        w->fits[k][a][b] = w->fits[k][a][b] && holds;
      }
  }
  return true;
}

/* The argument that a shorthand is about if it is a number or an array of numbers or truth values;
 * SIZE_MAX: something else. */
static size_t plain_argument(const struct walk *w, const struct ast_expr *e, bool *is_array) {
  const struct ast_routine *r = w->inputs->routine;
  for (size_t i = 0; e->kind == EXPR_NAME && i < r->arg_count; i++) {
    if (r->args[i] != e->as.name.var) continue;
    const struct ast_type *t = r->args[i]->declared;
    *is_array = t->kind == TYPE_ARRAY;
    if (*is_array) t = t->items[0];
    return t->kind == TYPE_ARRAY || t->kind == TYPE_TUPLE ? SIZE_MAX : i;
  }
  return SIZE_MAX;
}

/* Takes what a shorthand says. False: it is not one, or not a plain one. */
static bool take_shorthand(struct walk *w, const struct ast_expr *e) {
  if (e->kind != EXPR_CALL || e->as.call.callee_kind != CALLEE_BUILTIN) return false;
  enum builtin id = e->as.call.builtin;
  if (id != BUILTIN_WITHIN && id != BUILTIN_SAME && id != BUILTIN_ALL_WITHIN &&
      id != BUILTIN_ONE_DIFFERS && id != BUILTIN_ONE_CHANGES && id != BUILTIN_ALL_INCREASE &&
      id != BUILTIN_ALL_DECREASE)
    return false;
  bool is_array;
  size_t argument = plain_argument(w, e->as.call.args[0], &is_array);
  if (argument == SIZE_MAX) return false;
  struct rvalue distance = {0};
  struct reval *ev = (struct reval *)&w->inputs->ev;
  struct diag_mark mark = diags_mark(&ev->lang->diags);
  bool ok = e->as.call.count < 2 || reval_take(ev, NULL, e->as.call.args[1], &distance);
  diags_rollback(&ev->lang->diags, mark);
  ok = ok && restrict_entries(w, id, argument, is_array, &distance);
  rvalue_clear(&distance);
  if (ok && (id == BUILTIN_ONE_DIFFERS || id == BUILTIN_ONE_CHANGES)) w->is_single[argument] = true;
  if (id == BUILTIN_ALL_INCREASE || id == BUILTIN_ALL_DECREASE) w->is_symmetric = false;
  return ok;
}

static void take_formula(struct walk *w, const struct ast_expr *e) {
  if (e->kind == EXPR_BINARY && e->as.binary.op == BINARY_AND) {
    take_formula(w, e->as.binary.left);
    take_formula(w, e->as.binary.right);
  } else if (!take_shorthand(w, e)) {
    w->is_complete = w->is_symmetric = false;
  }
}

static void init_entries(struct walk *w) {
  for (size_t k = 0; k < w->inputs->coordinate_count; k++) {
    const struct coordinate *c = &w->inputs->coordinates[k];
    for (size_t a = 0; a < c->count; a++)
      for (size_t b = 0; b < c->count; b++)
        w->fits[k][a][b] = c->is_private || a == b;
  }
  w->is_complete = w->is_symmetric = true;
  if (w->formula) take_formula(w, w->formula);
}

/* ---- pairs ------------------------------------------------------------------------------------ */

static void set_frame(struct walk *w, int run, size_t number) {
  for (size_t i = 0; i < w->inputs->routine->arg_count; i++)
    rvalue_clear(&w->frames[run].at[i]);
  finite_input(w->inputs, number, w->frames[run].at);
}

/* The whole formula about the two inputs. */
static bool formula_holds(struct walk *w, size_t i, size_t j, bool *holds) {
  struct reval *ev = (struct reval *)&w->inputs->ev;
  struct reval_pair both = {{&w->frames[0], &w->frames[1]}, NULL, 0};
  struct diag_mark mark = diags_mark(&ev->lang->diags);
  set_frame(w, 0, i);
  set_frame(w, 1, j);
  ev->pair = &both;
  ev->steps = 0;
  bool known = reval_bool(ev, NULL, w->formula, holds);
  ev->pair = NULL;
  diags_rollback(&ev->lang->diags, mark);
  return known || refuse(w, "the adjacency cannot be evaluated");
}

static bool meet(struct walk *w, size_t i, size_t j) {
  if (i == j || (w->is_symmetric && j < i)) return true;
  if (++w->visited % 4096 == 0 && budget_is_spent(w->budget)) return refuse(w, "out of time");
  bool holds = true;
  if (!w->is_complete && !formula_holds(w, i, j, &holds)) return false;
  return !holds || w->visit(i, j, w->context);
}

/* The pairs that begin with the choices made; `different` coordinates of this argument differ so
 * far. */
static bool extend(struct walk *w, size_t k, size_t i, size_t j, size_t different) {
  if (k == w->inputs->coordinate_count) return meet(w, i, j);
  const struct coordinate *c = &w->inputs->coordinates[k];
  if (k > 0 && c[-1].argument != c->argument) different = 0;
  bool alike_only = w->is_single[c->argument] && different > 0;
  for (size_t a = 0; a < c->count; a++)
    for (size_t b = 0; b < c->count; b++) {
      if (!w->fits[k][a][b] || (alike_only && a != b)) continue;
      if (!extend(w, k + 1, i + a * c->weight, j + b * c->weight, different + (a != b)))
        return false;
    }
  return true;
}

bool finite_pairs(const struct finite_inputs *inputs, const struct budget *budget,
                  pair_visitor *visit, void *context, const char **why) {
  struct walk *w = xcalloc(1, sizeof *w);
  size_t arguments = inputs->routine->arg_count;
  *why = NULL;
  w->inputs = inputs;
  w->budget = budget;
  w->visit = visit;
  w->context = context;
  w->why = why;
  w->formula = program_adjacency(inputs->claim);
  w->is_single = xcalloc(arguments + 1, sizeof *w->is_single);
  rframe_init(&w->frames[0], arguments);
  rframe_init(&w->frames[1], arguments);
  init_entries(w);
  bool ok = extend(w, 0, 0, 0, 0);
  rframe_clear(&w->frames[0]);
  rframe_clear(&w->frames[1]);
  free(w->is_single);
  free(w);
  return ok;
}
