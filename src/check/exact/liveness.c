#include "check/exact/liveness.h"

#include <string.h>

#include "lang/syntax/walk.h"

typedef uint64_t word;

struct uses {
  struct liveness *l;
  word *set;
};

static void add(word *set, const struct ast_var *var) {
  if (var) set[var->slot / 64] |= (word)1 << (var->slot % 64);
}

static void visit(const struct ast_expr *e, void *context) {
  struct uses *u = context;
  if (e->kind == EXPR_NAME) add(u->set, e->as.name.var);
  walk_parts(e, visit, context);
}

static void add_uses(struct liveness *l, word *set, const struct ast_expr *e) {
  struct uses u = {l, set};
  if (e) visit(e, &u);
}

static word *copy(struct liveness *l, const word *set) {
  return arena_memdup(&l->arena, set, l->words * sizeof *set);
}

static bool join(const struct liveness *l, word *into, const word *from) {
  bool grew = false;
  for (size_t i = 0; i < l->words; i++) {
    grew |= (from[i] & ~into[i]) != 0;
    into[i] |= from[i];
  }
  return grew;
}

static void before_block(struct liveness *l, const struct ast_block *block, word *live);

/* Plain variables are overwritten; arrays keep their other entries. All indices are evaluated
 * before anything is assigned. */
static void before_targets(struct liveness *l, const struct ast_target *targets, size_t count,
                           word *live) {
  for (size_t i = 0; i < count; i++)
    if (!targets[i].index && targets[i].var)
      live[targets[i].var->slot / 64] &= ~((word)1 << (targets[i].var->slot % 64));
  for (size_t i = 0; i < count; i++)
    if (targets[i].index) {
      add(live, targets[i].var);
      add_uses(l, live, targets[i].index);
    }
}

static void before_loop(struct liveness *l, const struct ast_block *body,
                        const struct ast_expr *cond, const struct ast_var *index, word *live) {
  add_uses(l, live, cond);
  for (bool grew = true; grew;) {
    word *entry = copy(l, live);
    before_block(l, body, entry);
    if (index) entry[index->slot / 64] &= ~((word)1 << (index->slot % 64));
    grew = join(l, live, entry);
  }
}

/* `live` holds what is needed after the statement, and afterwards what is needed before it. */
static void before_stmt(struct liveness *l, const struct ast_stmt *s, word *live) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK: /* not in plain bodies */
  case STMT_CONTINUE: break;
  case STMT_VAR:
    live[s->as.var.var->slot / 64] &= ~((word)1 << (s->as.var.var->slot % 64));
    add_uses(l, live, s->as.var.init);
    if (s->as.var.var->declared) add_uses(l, live, s->as.var.var->declared->length);
    break;
  case STMT_ASSIGN:
    before_targets(l, s->as.assign.targets, s->as.assign.count, live);
    add_uses(l, live, s->as.assign.value);
    break;
  case STMT_SAMPLE:
    before_targets(l, &s->as.sample.target, 1, live);
    for (size_t i = 0; i < s->as.sample.dist.count; i++)
      add_uses(l, live, s->as.sample.dist.args[i]);
    break;
  case STMT_CALL: add_uses(l, live, s->as.call); break;
  case STMT_IF: {
    word *other = copy(l, live);
    before_block(l, &s->as.branch.then, live);
    if (s->as.branch.has_else) before_block(l, &s->as.branch.otherwise, other);
    join(l, live, other);
    add_uses(l, live, s->as.branch.cond);
    break;
  }
  case STMT_WHILE: before_loop(l, &s->as.loop.body, s->as.loop.cond, NULL, live); break;
  case STMT_FOR:
    add(live, s->as.range.stop);
    before_loop(l, &s->as.range.body, NULL, s->as.range.var, live);
    add_uses(l, live, s->as.range.low);
    add_uses(l, live, s->as.range.high);
    break;
  case STMT_EMIT: add_uses(l, live, s->as.value); break;
  case STMT_RETURN:
    memset(live, 0, l->words * sizeof *live);
    add_uses(l, live, s->as.value);
    break;
  }
}

static void before_block(struct liveness *l, const struct ast_block *block, word *live) {
  for (size_t i = block->count; i-- > 0;) {
    ptrmap_put(&l->after, block->stmts[i], copy(l, live));
    before_stmt(l, block->stmts[i], live);
  }
}

void liveness_init(struct liveness *l, const struct ast_routine *routine) {
  *l = (struct liveness){.words = routine->slot_count / 64 + 1};
  arena_init(&l->arena);
  ptrmap_init(&l->after);
  word *live = arena_alloc(&l->arena, l->words * sizeof *live);
  before_block(l, &routine->plain, live);
}

void liveness_clear(struct liveness *l) {
  ptrmap_clear(&l->after);
  arena_clear(&l->arena);
}

bool liveness_after(const struct liveness *l, const struct ast_stmt *stmt, size_t slot) {
  const word *set = ptrmap_get(&l->after, stmt);
  return set && (set[slot / 64] >> (slot % 64) & 1);
}
