/* All steps of the check of one routine. */
#include "lang/check/check_internal.h"

static struct routine *oracle_routine(struct checker *c, struct routine *mechanism,
                                      struct ast_routine *ast) {
  struct routine *r = arena_new(&c->lang->arena, struct routine);
  *r = (struct routine){.kind = ROUTINE_ORACLE,
                        .ast = ast,
                        .decl = mechanism->decl,
                        .frame = mechanism->frame,
                        .returns = ast->returns ? ast->returns->type : c->types->unit};
  ast->enclosing = mechanism->ast;
  return r;
}

/* Oracles may call those declared before them: a name becomes visible after its declaration. */
static void enter_oracle(struct checker *c, struct ast_routine *o) {
  struct ast_routine *other = ptrmap_get(&c->oracles, o->name.text);
  struct ast_decl *global = names_visible(c, &c->values, o->name.text);
  if (other || (global && global->kind != DECL_ERROR)) {
    report_error(c, o->name.span, "duplicate-name", "`%s` is declared twice", o->name.text);
    report_note(c, other ? other->name.span : global->name.span, "the other `%s`", o->name.text);
  }
  ptrmap_put(&c->oracles, o->name.text, o);
}

static void finish_frame(struct frame *frame, struct routine **routines, size_t count) {
  for (size_t i = 0; i < count; i++)
    routines[i]->ast->slot_count = frame->slots.len;
  vec_clear(&frame->slots);
  for (size_t i = 0; i < count; i++)
    vec_clear(&routines[i]->own);
}

static void check_paths(struct checker *c, struct routine **routines, size_t count) {
  check_flow(c, routines, count);
  check_privacy(c, routines, count);
  for (size_t i = 0; i < count; i++)
    check_bounds(c, routines[i]);
}

void check_routine(struct checker *c, struct routine *r) {
  struct frame frame = {0};
  VEC(struct routine *) all = {0};
  r->frame = &frame;
  r->errors = c->diags->errors;
  vec_push(&all, r);
  ptrmap_clear(&c->locals);
  if (r->kind != ROUTINE_SCRIPT) ptrmap_clear(&c->oracles);
  collect_locals(c, r);
  for (size_t i = 0; i < r->ast->oracle_count; i++) {
    struct routine *o = oracle_routine(c, r, r->ast->oracles[i]);
    collect_locals(c, o);
    routine_leave(c, o);
    enter_oracle(c, o->ast);
    if (o->broken) r->broken = true;
    vec_push(&all, o);
  }
  infer_locals(c, all.at, all.len);
  for (size_t i = 1; i < all.len; i++)
    check_body(c, all.at[i]);
  check_body(c, r);
  if (!r->broken && !c->misread) check_paths(c, all.at, all.len);
  for (size_t i = 0; i < all.len; i++)
    make_plain(c, all.at[i]);
  finish_frame(&frame, all.at, all.len);
  vec_clear(&all);
  ptrmap_clear(&c->locals);
  ptrmap_clear(&c->oracles);
}
