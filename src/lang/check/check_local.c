/* The variables of a routine: which there are, and the types of those without `var`. */
#include <string.h>

#include "lang/check/check_internal.h"

/* Types only grow, and by little, so few passes settle them; a type that still grows after this
 * many (x := (x, 1) in a loop) has no finite answer. */
enum { MOST_PASSES = 64 };

/* ---- collect ----------------------------------------------------------------------------------
 */

static void add_slot(struct routine *r, struct ast_var *var) {
  var->slot = r->frame->slots.len;
  vec_push(&r->frame->slots, (struct local_info){.var = var, .where = var->name.span});
}

struct ast_var *add_local(struct checker *c, struct routine *r, struct ast_name name,
                          const struct type *type) {
  struct ast_var *var = arena_new(&c->lang->arena, struct ast_var);
  *var = (struct ast_var){.role = VAR_LOCAL, .name = name, .type = type};
  add_slot(r, var);
  size_t count = r->ast->local_count;
  struct ast_var **all = arena_alloc(&c->lang->arena, (count + 1) * sizeof *all);
  if (count) memcpy(all, r->ast->locals, count * sizeof *all);
  all[count] = var;
  r->ast->locals = all;
  r->ast->local_count = count + 1;
  return var;
}

static void declare(struct checker *c, struct routine *r, struct ast_var *var, bool new) {
  struct ast_var *before = new ? names_bind(c, var) : ptrmap_put(&c->locals, var->name.text, var);
  vec_push(&r->own, (struct bound_var){var, before});
  add_slot(r, var);
}

static void report_read_only(struct checker *c, const struct ast_target *t,
                             const struct ast_var *var) {
  bool loop = var->role == VAR_LOOP;
  report_error(c, t->name.span, loop ? "assign-to-loop-index" : "assign-to-argument",
               loop ? "`%s` is the index of a loop and cannot be assigned"
                    : "`%s` is an argument and cannot be assigned",
               t->name.text);
  if (loop)
    report_hint(c, "use a while loop to control the index yourself");
  else
    report_hint(c, "copy it to a variable of another name first");
  report_note(c, var->name.span, loop ? "the loop" : "the argument");
}

static void collect_target(struct checker *c, struct routine *r, struct ast_target *t) {
  struct ast_var *var = ptrmap_get(&c->locals, t->name.text);
  t->var = NULL;
  if (var && (var->role == VAR_LOCAL || var->role == VAR_STATE)) {
    t->var = var;
    return;
  }
  if (var) {
    report_read_only(c, t, var);
    return;
  }
  struct ast_decl *d = names_visible(c, &c->values, t->name.text);
  if (d && d->kind != DECL_ERROR) {
    report_error(c, t->name.span,
                 d->kind == DECL_PARAM ? "assign-to-parameter" : "assign-to-constant",
                 "`%s` is %s and cannot be assigned", t->name.text, decl_kind_text(d->kind));
    report_note(c, d->name.span, "it is declared here");
    return;
  }
  var = arena_new(&c->lang->arena, struct ast_var);
  *var = (struct ast_var){.role = VAR_LOCAL, .name = t->name};
  if (t->index) {
    report_error(c, t->name.span, "undeclared-array", "the array `%s` is not declared",
                 t->name.text);
    report_hint(c, "declare it with its length: var %s : real[n];", t->name.text);
    var->type = c->types->error;
  }
  t->var = var;
  declare(c, r, var, true);
}

static void collect_block(struct checker *c, struct routine *r, struct ast_block *b);

static void collect_for(struct checker *c, struct routine *r, struct ast_stmt *s) {
  struct ast_var *var = s->as.range.var;
  var->role = VAR_LOOP;
  var->type = c->types->integer;
  add_slot(r, var);
  /* Clashes are reported by the type pass, when all variables are known. */
  struct ast_var *before = ptrmap_put(&c->locals, var->name.text, var);
  collect_block(c, r, &s->as.range.body);
  names_unbind(c, var, before);
}

static void collect_stmt(struct checker *c, struct routine *r, struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR: r->broken = true; break;
  case STMT_VAR:
    if (s->as.var.var->role != VAR_STATE) s->as.var.var->role = VAR_LOCAL;
    declare(c, r, s->as.var.var, true);
    break;
  case STMT_ASSIGN:
    for (size_t i = 0; i < s->as.assign.count; i++)
      collect_target(c, r, &s->as.assign.targets[i]);
    break;
  case STMT_SAMPLE: collect_target(c, r, &s->as.sample.target); break;
  case STMT_IF:
    collect_block(c, r, &s->as.branch.then);
    collect_block(c, r, &s->as.branch.otherwise);
    break;
  case STMT_WHILE: collect_block(c, r, &s->as.loop.body); break;
  case STMT_FOR: collect_for(c, r, s); break;
  default: break;
  }
}

static void collect_block(struct checker *c, struct routine *r, struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    collect_stmt(c, r, b->stmts[i]);
}

void collect_locals(struct checker *c, struct routine *r) {
  for (size_t i = 0; i < r->ast->arg_count; i++)
    declare(c, r, r->ast->args[i], r->kind == ROUTINE_ORACLE);
  size_t first = r->frame->slots.len;
  collect_block(c, r, &r->ast->body);
  VEC(struct ast_var *) locals = {0};
  for (size_t i = first; i < r->frame->slots.len; i++)
    vec_push(&locals, r->frame->slots.at[i].var);
  r->ast->local_count = locals.len;
  r->ast->locals = arena_take_vec(&c->lang->arena, &locals);
}

/* ---- infer ------------------------------------------------------------------------------------
 */

void local_gets(struct checker *c, struct ast_var *var, const struct type *type,
                struct span where) {
  if (!c->inferring || var->declared) return;
  struct local_info *info = &c->routine->frame->slots.at[var->slot];
  if (info->conflict || type->kind == TYPE_ERROR) return;
  const struct type *joined = var->type ? type_join(c->types, var->type, type) : type;
  if (joined && joined == var->type) return;
  if (joined) {
    var->type = joined;
    info->where = where;
    info->pass = c->pass;
    c->changed = true;
    return;
  }
  diag_error(c->diags, where, "type-conflict", "`%s` is %s here, but %s elsewhere", var->name.text,
             type_text(c, type), type_text(c, var->type));
  diag_hint(c->diags, "use two variables, or declare one type: var %s : ...;", var->name.text);
  diag_note(c->diags, info->where, "here it is %s", type_text(c, var->type));
  info->conflict = true;
  var->type = c->types->error;
}

/* Does the type still have a part nothing is known about? */
static bool is_incomplete(const struct type *t) {
  switch (t->kind) {
  case TYPE_LIST: return !t->elem || is_incomplete(t->elem);
  case TYPE_ARRAY: return is_incomplete(t->elem);
  case TYPE_TUPLE:
    for (size_t i = 0; i < t->count; i++)
      if (is_incomplete(t->items[i])) return true;
    return false;
  default: return false;
  }
}

static void settle(struct checker *c, struct local_info *info) {
  struct ast_var *var = info->var;
  bool growing = info->pass == MOST_PASSES;
  if (!var->type) var->type = c->types->error; /* a mistake that the type pass reports */
  if (var->declared || info->conflict || var->type->kind == TYPE_ERROR) return;
  if (!growing && !is_incomplete(var->type)) return;
  bool list = !growing && var->type->kind == TYPE_LIST;
  report_error(c, var->name.span, "cannot-infer-type", "the type of `%s` cannot be found out%s",
               var->name.text, list ? ": nothing says what its items are" : "");
  report_hint(c, "declare it: var %s : %s;", var->name.text, list ? "list(...) := []" : "...");
  var->type = c->types->error;
}

void infer_locals(struct checker *c, struct routine **routines, size_t count) {
  bool quiet = c->quiet;
  c->quiet = c->inferring = c->changed = true;
  for (c->pass = 1; c->pass <= MOST_PASSES && c->changed; c->pass++) {
    c->changed = false;
    for (size_t i = 0; i < count; i++)
      check_body(c, routines[i]);
  }
  c->quiet = quiet;
  c->inferring = false;
  struct frame *frame = routines[0]->frame;
  for (size_t i = 0; i < frame->slots.len; i++)
    settle(c, &frame->slots.at[i]);
}
