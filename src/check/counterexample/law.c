#include "check/counterexample/law.h"

static struct ast_stmt *make_stmt(struct arena *arena, enum stmt_kind kind, struct span span) {
  struct ast_stmt *s = arena_new(arena, struct ast_stmt);
  *s = (struct ast_stmt){.kind = kind, .span = span};
  return s;
}

/* result <$ D; return result; */
static struct ast_block draw_and_return(struct arena *arena, const struct ast_decl *claim) {
  struct ast_var *result = claim->as.claim.result;
  const struct ast_dist *law = claim->as.claim.law;
  struct ast_stmt *stmts[] = {make_stmt(arena, STMT_SAMPLE, law->span),
                              make_stmt(arena, STMT_RETURN, law->span)};
  stmts[0]->as.sample.target = (struct ast_target){.name = result->name, .var = result};
  stmts[0]->as.sample.dist = *law;
  stmts[1]->as.value = arena_new(arena, struct ast_expr);
  *stmts[1]->as.value =
      (struct ast_expr){.kind = EXPR_NAME, .span = law->span, .type = result->type};
  stmts[1]->as.value->as.name.text = result->name.text;
  stmts[1]->as.value->as.name.var = result;
  return (struct ast_block){arena_memdup(arena, stmts, sizeof stmts), 2, law->span};
}

const struct ast_decl *law_mechanism(struct lang *lang, const struct ast_decl *claim) {
  const struct ast_decl *target = claim->as.claim.target;
  const struct ast_routine *r = target->as.mechanism.routine;
  const struct ast_var *result = claim->as.claim.result;
  if (!claim->as.claim.law || !result || r->oracle_count) return NULL;
  struct ast_decl *decl = arena_memdup(&lang->arena, target, sizeof *target);
  struct ast_routine *routine = arena_memdup(&lang->arena, r, sizeof *r);
  routine->plain = routine->body = draw_and_return(&lang->arena, claim);
  if (result->slot >= routine->slot_count) routine->slot_count = result->slot + 1;
  decl->as.mechanism.routine = routine;
  return decl;
}
