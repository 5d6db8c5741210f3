/* Where private data goes. A lint, not a proof: it finds the places that no coupling can repair
 * (a loop or a scale that depends on private data) and outputs that nothing protects.
 *
 * An expression is noisy if some part of it is, else private if some part is, else public. An
 * assignment under a private condition makes its target private unless the value is noisy. What
 * reaches a variable on several paths is joined in the order noisy < public < private: noise
 * protects what it is added to only if it is there on every path. (In that order computing with a
 * value is monotone, so the answer covers every path.)
 *
 * A coin that has not seen the data may decide what is reported: a truth value or integer that
 * such a choice sets, or that both of its branches give out, is noisy (randomized response).
 *
 * Loops are repeated until the facts at their head are stable. The head of a loop keeps what it has
 * learnt (struct head), so that nested loops do not multiply passes. All of it runs twice: once in
 * silence, which makes the heads stable, and once to report.
 *
 * A procedure is analysed once, with each argument private in its own name (a bit of `args`); a
 * call puts the facts about its arguments in their place. Oracles are run where they are called:
 * by an adversary any number of times, with public arguments. */
#include "lang/check/check_internal.h"
#include "lang/check/check_state.h"
#include "lang/syntax/walk.h"

enum level { LEVEL_NOISY, LEVEL_PUBLIC, LEVEL_PRIVATE };
enum { MOST_ARGS = 64 }; /* arguments beyond share the last bit */

/* What is known of a value; NULL is public. Never changed once it is in a state. */
struct fact {
  enum level level;
  bool coin;                 /* noisy: without a centre, so nothing of the data is in it */
  uint64_t args;             /* in a procedure: the arguments it may stem from */
  const struct ast_var *var; /* that holds it */
  struct span where;         /* how it got there */
  const struct fact *from;   /* NULL: the input itself, or fresh noise */
};

/* First place in a procedure that an argument reaches and private data may not. */
struct sink {
  const char *what; /* NULL: none */
  struct span where;
};

struct summary {
  enum level result;
  uint64_t result_args;
  struct sink sinks[MOST_ARGS];
};

struct head {
  struct outcome known;
};

struct privacy {
  struct checker *c;
  struct routine **routines; /* the mechanism or procedure, then the oracles */
  size_t count;
  struct routine *routine; /* that is being run */
  struct summary *summary; /* of the procedure that is being analysed, or NULL */
  struct state state;
  struct arena arena;  /* facts */
  struct ptrmap heads; /* loop or call -> struct head */
  struct ptrmap told;  /* expressions that were reported */
  struct ptrmap items; /* target a[i] -> what was stored there last */
  VEC(struct head *) all_heads;
  const struct fact *branch; /* private condition that was passed, or NULL */
  const struct fact *chance; /* the coin that decided that this is run, or NULL */
  const struct fact *result; /* of the oracle or procedure that is being run */
  bool returned;             /* there is a result */
  bool to_adversary;         /* the running oracle answers an adversary */
  bool report;
};

/* ---- facts ------------------------------------------------------------------------------------
 */

static enum level level_of(const struct fact *f) {
  return f ? f->level : LEVEL_PUBLIC;
}

static const struct fact *new_fact(struct privacy *p, struct fact fields) {
  struct fact *f = arena_new(&p->arena, struct fact);
  *f = fields;
  return f;
}

static const struct fact *with_args(struct privacy *p, const struct fact *f, uint64_t args) {
  if (!f || (f->args | args) == f->args) return f;
  struct fact more = *f;
  more.args |= args;
  return new_fact(p, more);
}

/* What a variable has after either of two paths. */
static const struct fact *join(struct privacy *p, const struct fact *a, const struct fact *b) {
  if (a == b) return a;
  if (level_of(a) == LEVEL_PRIVATE && level_of(b) == LEVEL_PRIVATE) return with_args(p, a, b->args);
  if (level_of(a) == LEVEL_NOISY && level_of(b) == LEVEL_NOISY) return a->coin ? b : a;
  return level_of(a) >= level_of(b) ? a : b;
}

static const void *merge(void *context, size_t slot, const void *a, const void *b) {
  (void)slot;
  return join(context, a, b);
}

/* A value that is computed from two. */
static const struct fact *combine(struct privacy *p, const struct fact *a, const struct fact *b) {
  if (level_of(a) == LEVEL_NOISY && !(level_of(b) == LEVEL_NOISY && a->coin)) return a;
  if (level_of(b) == LEVEL_NOISY) return b;
  return join(p, a, b);
}

/* A value that is stored, or leaves, under the conditions passed. */
static const struct fact *under_branch(struct privacy *p, const struct fact *value) {
  return level_of(value) == LEVEL_NOISY || !p->branch ? value : join(p, value, p->branch);
}

/* ---- reports ----------------------------------------------------------------------------------
 */

static void note_flow(struct privacy *p, const struct fact *f) {
  enum { MOST_STEPS = 4 };
  const struct fact *steps[MOST_STEPS];
  size_t count = 0;
  const struct ast_var *last = NULL;
  for (; f->from; f = f->from) {
    if (f->var == last || count == MOST_STEPS) continue;
    last = f->var;
    steps[count++] = f;
  }
  if (f->var) report_note(p->c, f->where, "`%s` is private", f->var->name.text);
  while (count-- > 0)
    if (steps[count]->var)
      report_note(p->c, steps[count]->where, "it reaches `%s` here", steps[count]->var->name.text);
}

static const struct ast_var *source_of(const struct fact *f) {
  while (f->from)
    f = f->from;
  return f->var;
}

static bool first_report(struct privacy *p, const void *place) {
  return p->report && !ptrmap_put(&p->told, place, p);
}

/* Private data may not decide this. `what` completes "... may not depend on ...". */
static void sink_fact(struct privacy *p, const void *place, struct span span, const struct fact *f,
                      const char *what, struct span inside) {
  if (level_of(f) != LEVEL_PRIVATE) return;
  if (p->summary) {
    for (unsigned i = 0; i < MOST_ARGS; i++)
      if ((f->args >> i & 1) && !p->summary->sinks[i].what)
        p->summary->sinks[i] = (struct sink){what, inside.file ? inside : span};
    return;
  }
  if (!first_report(p, place)) return;
  const char *name = source_of(f) ? source_of(f)->name.text : "it";
  report_error(p->c, span, "private-control", "%s may not depend on the private input `%s`", what,
               name);
  report_hint(p->c,
              "let it depend on public inputs and parameters only; if this is meant, say so with "
              "declassify(...)");
  if (inside.file) report_note(p->c, inside, "it is used here");
  note_flow(p, f);
}

static void output_fact(struct privacy *p, const struct ast_expr *e, const struct fact *f,
                        const char *how) {
  f = under_branch(p, f);
  if (level_of(f) != LEVEL_PRIVATE || p->summary || !first_report(p, e)) return;
  const char *name = source_of(f) ? source_of(f)->name.text : "data";
  report_warning(p->c, e->span, "unprotected-output",
                 "this is %s, and depends on the private input `%s` without noise", how, name);
  static const char *const noise[] = {[SOURCE_COUPLET] = "y <$ Lap(value, scale);",
                                      [SOURCE_PYTHON] = "value + rng.laplace(scale=scale)",
                                      [SOURCE_C] = "value + Lap(scale)"};
  report_hint(p->c, "if this is not meant, add noise: `%s`",
              noise[sources_language(&p->c->lang->sources, e->span.file)]);
  note_flow(p, f);
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static const struct fact *fact_of(struct privacy *p, const struct ast_expr *e);

struct parts {
  struct privacy *privacy;
  const struct fact *fact;
};

static void combine_part(const struct ast_expr *e, void *context) {
  struct parts *parts = context;
  parts->fact = combine(parts->privacy, parts->fact, fact_of(parts->privacy, e));
}

static const struct fact *fact_of(struct privacy *p, const struct ast_expr *e) {
  if (e->kind == EXPR_NAME) {
    const struct ast_var *var = e->as.name.var;
    return var && var->role != VAR_BINDER ? p->state.at[var->slot] : NULL;
  }
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_UNRESOLVED)
    return NULL; /* that is an error already */
  if (e->kind == EXPR_CALL && e->as.call.callee_kind == CALLEE_BUILTIN) {
    if (e->as.call.builtin == BUILTIN_DECLASSIFY) return NULL;
    /* The length of an array is public: it was checked where the array was declared. */
    if (e->as.call.builtin == BUILTIN_LENGTH && e->as.call.count == 1 && e->as.call.args[0]->type &&
        e->as.call.args[0]->type->kind == TYPE_ARRAY)
      return NULL;
  }
  struct parts parts = {p, NULL};
  walk_parts(e, combine_part, &parts);
  return parts.fact;
}

/* ---- loops ------------------------------------------------------------------------------------
 */

static struct head *head_of(struct privacy *p, const void *key) {
  struct head *h = ptrmap_get(&p->heads, key);
  if (h) return h;
  h = arena_new(&p->arena, struct head);
  ptrmap_put(&p->heads, key, h);
  vec_push(&p->all_heads, h);
  return h;
}

static bool is_same(const struct fact *a, const struct fact *b) {
  return a == b || (level_of(a) == level_of(b) && (!a || a->args == b->args));
}

/* Takes the body's changes off again and adds them to the head. True if that taught it anything. */
static bool close_pass(struct privacy *p, struct head *h, size_t mark) {
  struct outcome end = {0};
  bool learnt = false;
  state_undo(&p->state, mark, &end);
  for (size_t i = 0; i < end.values.len; i++) {
    struct state_value v = end.values.at[i];
    const struct fact *before = p->state.at[v.slot], *joined = join(p, before, v.value);
    if (is_same(before, joined)) continue;
    learnt = true;
    state_set(&p->state, v.slot, joined);
    vec_push(&h->known.values, (struct state_value){v.slot, joined});
  }
  outcome_clear(&end);
  return learnt;
}

static void open_head(struct privacy *p, struct head *h) {
  for (size_t i = 0; i < h->known.values.len; i++) {
    struct state_value v = h->known.values.at[i];
    state_set(&p->state, v.slot, join(p, p->state.at[v.slot], v.value));
  }
}

/* ---- calls ------------------------------------------------------------------------------------
 */

static void run_block(struct privacy *p, const struct ast_block *b);

static struct routine *routine_of(const struct privacy *p, const struct ast_routine *ast) {
  for (size_t i = 1; i < p->count; i++)
    if (p->routines[i]->ast == ast) return p->routines[i];
  return NULL;
}

/* Runs the body once; the arguments have their facts. */
static const struct fact *run_oracle(struct privacy *p, struct routine *o, bool to_adversary) {
  struct routine *caller = p->routine;
  const struct fact *result = p->result, *branch = p->branch;
  bool outer = p->to_adversary;
  bool returned = p->returned;
  p->routine = o;
  p->result = NULL;
  p->returned = false;
  p->to_adversary = to_adversary;
  run_block(p, &o->ast->body);
  const struct fact *answer = p->result;
  p->routine = caller;
  p->result = result;
  p->returned = returned;
  p->branch = branch;
  p->to_adversary = outer;
  return answer;
}

static const struct fact *call_oracle(struct privacy *p, const struct ast_expr *e) {
  struct routine *o = routine_of(p, e->as.call.oracle);
  if (!o || o == p->routine || e->as.call.count != o->ast->arg_count) return NULL;
  if (o->ast->name.span.begin > p->routine->ast->name.span.begin &&
      p->routine->kind == ROUTINE_ORACLE)
    return NULL; /* a call of a later oracle was reported */
  for (size_t i = 0; i < e->as.call.count; i++)
    state_set(&p->state, o->ast->args[i]->slot, fact_of(p, e->as.call.args[i]));
  return run_oracle(p, o, false);
}

/* The adversary runs its oracles in any order, any number of times. What it returns is its own
 * choice: it has seen only outputs. */
static const struct fact *call_adversary(struct privacy *p, const struct ast_expr *e) {
  const struct ast_decl *d = e->as.call.decl;
  for (size_t i = 0; i < e->as.call.count; i++)
    output_fact(p, e->as.call.args[i], fact_of(p, e->as.call.args[i]), "given to the adversary");
  if (!e->as.call.oracles || !d->as.adversary.use_count || p->routine->kind != ROUTINE_MECHANISM)
    return NULL;
  struct head *h = head_of(p, e);
  bool learnt = true;
  open_head(p, h);
  while (learnt) {
    size_t mark = state_mark(&p->state);
    for (size_t i = 0; i < d->as.adversary.use_count; i++) {
      struct routine *o = routine_of(p, e->as.call.oracles[i]);
      for (size_t j = 0; o && j < o->ast->arg_count; j++)
        state_set(&p->state, o->ast->args[j]->slot, NULL);
      if (o) run_oracle(p, o, true);
    }
    learnt = close_pass(p, h, mark);
  }
  return NULL;
}

static const struct fact *call_procedure(struct privacy *p, const struct ast_expr *e) {
  const struct summary *s = ptrmap_get(&p->c->summaries, e->as.call.decl);
  const struct fact *result = NULL;
  bool first = true;
  if (!s) return NULL;
  for (size_t i = 0; i < e->as.call.count; i++) {
    const struct fact *f = fact_of(p, e->as.call.args[i]);
    size_t bit = i < MOST_ARGS ? i : MOST_ARGS - 1;
    if (s->sinks[bit].what)
      sink_fact(p, e->as.call.args[i], e->as.call.args[i]->span, f, s->sinks[bit].what,
                s->sinks[bit].where);
    if (!(s->result_args >> bit & 1)) continue;
    result = first ? f : join(p, result, f);
    first = false;
  }
  if (s->result == LEVEL_NOISY)
    return new_fact(p, (struct fact){.level = LEVEL_NOISY, .where = e->span});
  return s->result == LEVEL_PRIVATE ? result : NULL;
}

/* A value: an expression or a whole call. */
static const struct fact *value_of(struct privacy *p, const struct ast_expr *e) {
  if (e->kind == EXPR_CALL) {
    if (e->as.call.callee_kind == CALLEE_ORACLE) return call_oracle(p, e);
    if (e->as.call.callee_kind == CALLEE_PROCEDURE) return call_procedure(p, e);
    if (e->as.call.callee_kind == CALLEE_ADVERSARY) return call_adversary(p, e);
  }
  return fact_of(p, e);
}

/* ---- statements -------------------------------------------------------------------------------
 */

static void store(struct privacy *p, const struct ast_target *target, const struct fact *value,
                  struct span where) {
  const struct ast_var *var = target->var;
  if (!var) return;
  value = under_branch(p, value);
  if (value) {
    struct fact stored = *value;
    stored.var = var;
    stored.where = where;
    stored.from = value;
    value = new_fact(p, stored);
  }
  const struct fact *old = p->state.at[var->slot];
  if (target->index) {
    ptrmap_put(&p->items, target, (void *)value);
    value = join(p, old, value); /* the other items stay */
  }
  if (is_same(old, value))
    state_touch(&p->state, var->slot); /* a choice by coin counts it as set */
  else
    state_set(&p->state, var->slot, value);
}

static void run_dist(struct privacy *p, const struct ast_dist *d) {
  static const char *const what[] = {[PARAMETERS_CENTRED] = "a scale",
                                     [PARAMETERS_RANGE] = "the range of a distribution",
                                     [PARAMETERS_CHANCE] = NULL, /* centres of their own */
                                     [PARAMETERS_ITEMS] = NULL};
  enum dist_parameters kind = dist_get(d->kind)->parameters;
  size_t from = kind == PARAMETERS_CENTRED ? 1 : 0; /* a location may be private */
  for (size_t i = from; what[kind] && i < d->count; i++)
    sink_fact(p, d->args[i], d->args[i]->span, fact_of(p, d->args[i]), what[kind], span_none());
}

static bool is_category(const struct type *t) {
  return t && (t->kind == TYPE_BOOL || t->kind == TYPE_INT);
}

static bool is_listed(const struct outcome *o, size_t slot) {
  for (size_t i = 0; i < o->values.len; i++)
    if (o->values.at[i].slot == slot) return true;
  return false;
}

typedef VEC(size_t) slots;

/* Can one branch alone hide what was there? By a value of its own chance, or by a truth value made
 * of the data (`r := not r`); not by a constant, nor by `n := n + x[i]`. */
static bool hides(const struct fact *f) {
  bool is_truth = f && f->var && f->var->type && f->var->type->kind == TYPE_BOOL;
  return level_of(f) == LEVEL_NOISY || (level_of(f) == LEVEL_PRIVATE && is_truth);
}

/* What a choice has set in both branches, or in one that hides it:
 * `r := b; if t { r := u; }` is `if t { r := u; } else { r := b; }`. */
static void find_chosen(const struct privacy *p, size_t mark, const struct outcome *then,
                        slots *chosen) {
  for (size_t i = 0; i < then->values.len; i++)
    if (hides(then->values.at[i].value)) vec_push(chosen, then->values.at[i].slot);
  for (size_t i = mark; i < p->state.log.len; i++) {
    size_t slot = p->state.log.at[i].slot;
    if (hides(p->state.at[slot]) || is_listed(then, slot)) vec_push(chosen, slot);
  }
}

/* Chosen by a coin, one of a few values is noisy. */
static void blur(struct privacy *p, const struct fact *coin, const slots *chosen) {
  for (size_t i = 0; i < chosen->len; i++) {
    const struct fact *f = p->state.at[chosen->at[i]];
    if (level_of(f) == LEVEL_PRIVATE && f->var && is_category(f->var->type))
      state_set(&p->state, chosen->at[i], coin);
  }
}

static bool ends_by_return(const struct ast_block *b) {
  return b->count && b->stmts[b->count - 1]->kind == STMT_RETURN;
}

static void run_if(struct privacy *p, const struct ast_stmt *s) {
  const struct fact *cond = fact_of(p, s->as.branch.cond), *before = p->branch;
  struct outcome then = {0};
  size_t mark = state_mark(&p->state);
  const struct fact *chance = p->chance;
  bool by_coin = level_of(cond) == LEVEL_NOISY && cond->coin;
  bool by_return = by_coin && ends_by_return(&s->as.branch.then);
  if (by_coin && (by_return || s->as.branch.otherwise.count)) p->chance = cond;
  const struct fact *inside = level_of(cond) == LEVEL_PRIVATE ? join(p, before, cond) : before;
  p->branch = inside;
  run_block(p, &s->as.branch.then);
  const struct fact *past = p->branch;
  state_undo(&p->state, mark, &then);
  p->branch = inside;
  run_block(p, &s->as.branch.otherwise);
  slots chosen = {0};
  if (by_coin) find_chosen(p, mark, &then, &chosen);
  state_join(&p->state, mark, &then, merge, p);
  blur(p, cond, &chosen);
  vec_clear(&chosen);
  outcome_clear(&then);
  /* what follows a jump is run under its condition, up to the end of the loop's body */
  bool jumps = block_jumps(&s->as.branch.then, STMT_BREAK) ||
               block_jumps(&s->as.branch.otherwise, STMT_BREAK) ||
               block_jumps(&s->as.branch.then, STMT_CONTINUE) ||
               block_jumps(&s->as.branch.otherwise, STMT_CONTINUE);
  p->branch = jumps ? join(p, past, p->branch) : before;
  p->chance = by_return ? cond : chance;
}

/* An array has what its loop has put into every item, if that is noisy. */
static void cover(struct privacy *p, const struct ast_stmt *loop, const struct ast_block *body) {
  for (size_t i = 0; i < body->count; i++) {
    const struct ast_target *t = covering_target(&p->routine->ast->body, loop, body->stmts[i]);
    const struct fact *f = t ? ptrmap_get(&p->items, t) : NULL;
    if (level_of(f) == LEVEL_NOISY) state_set(&p->state, t->var->slot, f);
  }
}

static void run_loop(struct privacy *p, const struct ast_stmt *s) {
  struct head *h = head_of(p, s);
  const struct ast_block *body = s->kind == STMT_WHILE ? &s->as.loop.body : &s->as.range.body;
  const struct fact *before = p->branch, *head = before;
  bool learnt = true;
  open_head(p, h);
  while (learnt) {
    size_t mark = state_mark(&p->state);
    p->branch = head;
    if (s->kind == STMT_WHILE) {
      sink_fact(p, s->as.loop.cond, s->as.loop.cond->span, fact_of(p, s->as.loop.cond),
                "the condition of a loop", span_none());
    }
    run_block(p, body);
    learnt = close_pass(p, h, mark);
    if (block_jumps(body, STMT_BREAK) && !is_same(head, join(p, head, p->branch))) {
      head = join(p, head, p->branch); /* a further round tells that there was no break */
      learnt = true;
    }
  }
  p->branch = before;
  cover(p, s, body);
}

static void run_for(struct privacy *p, const struct ast_stmt *s) {
  const struct ast_expr *ends[] = {s->as.range.low, s->as.range.high};
  for (size_t i = 0; i < 2; i++)
    sink_fact(p, ends[i], ends[i]->span, fact_of(p, ends[i]), "the bound of a loop", span_none());
  state_set(&p->state, s->as.range.var->slot, NULL);
  run_loop(p, s);
}

static void run_var(struct privacy *p, const struct ast_stmt *s) {
  const struct ast_var *var = s->as.var.var;
  for (const struct ast_type *t = var->declared; t && t->kind == TYPE_ARRAY; t = t->items[0])
    if (t->length)
      sink_fact(p, t->length, t->length->span, fact_of(p, t->length), "the length of an array",
                span_none());
  struct ast_target target = {.var = s->as.var.var};
  store(p, &target, s->as.var.init ? value_of(p, s->as.var.init) : NULL, s->span);
}

/* Of several answers, the one that a coin has chosen. */
static const struct fact *answer_of(struct privacy *p, const struct ast_expr *e) {
  return p->chance && is_category(e->type) ? p->chance : fact_of(p, e);
}

static void run_return(struct privacy *p, const struct ast_stmt *s) {
  if (!s->as.value) return;
  const struct fact *f = answer_of(p, s->as.value);
  if (p->routine->kind == ROUTINE_MECHANISM)
    output_fact(p, s->as.value, f, "returned");
  else if (p->to_adversary)
    output_fact(p, s->as.value, f, "returned to the adversary");
  f = under_branch(p, f);
  p->result = p->returned ? join(p, p->result, f) : f;
  p->returned = true;
}

static void run_assign(struct privacy *p, const struct ast_stmt *s) {
  const struct ast_expr *value = s->as.assign.value;
  size_t count = s->as.assign.count;
  if (value->kind == EXPR_TUPLE && value->as.list.count == count) {
    VEC(const struct fact *) facts = {0};
    for (size_t i = 0; i < count; i++)
      vec_push(&facts, fact_of(p, value->as.list.items[i]));
    for (size_t i = 0; i < count; i++)
      store(p, &s->as.assign.targets[i], facts.at[i], s->span);
    vec_clear(&facts);
    return;
  }
  const struct fact *f = value_of(p, value);
  for (size_t i = 0; i < count; i++)
    store(p, &s->as.assign.targets[i], f, s->span);
}

static void run_stmt(struct privacy *p, const struct ast_stmt *s) {
  switch (s->kind) {
  case STMT_ERROR:
  case STMT_SKIP:
  case STMT_BREAK:
  case STMT_CONTINUE: break;
  case STMT_VAR: run_var(p, s); break;
  case STMT_ASSIGN: run_assign(p, s); break;
  case STMT_SAMPLE: {
    run_dist(p, &s->as.sample.dist);
    const struct ast_dist *d = &s->as.sample.dist;
    bool centred = dist_get(d->kind)->parameters == PARAMETERS_CENTRED, seen = false;
    for (size_t i = 0; i < d->count; i++)
      seen |= level_of(fact_of(p, d->args[i])) == LEVEL_PRIVATE;
    const struct fact *noise = new_fact(
        p, (struct fact){.level = LEVEL_NOISY, .coin = !centred && !seen, .where = d->span});
    store(p, &s->as.sample.target, noise, s->span);
    break;
  }
  case STMT_CALL: value_of(p, s->as.call); break;
  case STMT_IF: run_if(p, s); break;
  case STMT_WHILE: run_loop(p, s); break;
  case STMT_FOR: run_for(p, s); break;
  case STMT_EMIT: output_fact(p, s->as.value, answer_of(p, s->as.value), "emitted"); break;
  case STMT_RETURN: run_return(p, s); break;
  }
}

static void run_block(struct privacy *p, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    run_stmt(p, b->stmts[i]);
}

/* ---- routines ---------------------------------------------------------------------------------
 */

static void run_routine(struct privacy *p) {
  struct ast_routine *ast = p->routine->ast;
  size_t mark = state_mark(&p->state);
  for (size_t i = 0; i < ast->arg_count; i++) {
    const struct ast_var *var = ast->args[i];
    if (!p->summary && !var->is_private) continue;
    uint64_t bit = p->summary ? UINT64_C(1) << (i < MOST_ARGS ? i : MOST_ARGS - 1) : 0;
    state_set(
        &p->state, var->slot,
        new_fact(p, (struct fact){
                        .level = LEVEL_PRIVATE, .args = bit, .var = var, .where = var->name.span}));
  }
  p->chance = NULL;
  run_block(p, &ast->body);
  struct outcome rest = {0};
  state_undo(&p->state, mark, &rest);
  outcome_clear(&rest);
}

void check_privacy(struct checker *c, struct routine **routines, size_t count) {
  struct routine *r = routines[0];
  if (r->kind == ROUTINE_SCRIPT) return; /* an adversary has nothing private */
  struct privacy p = {.c = c, .routines = routines, .count = count, .routine = r};
  arena_init(&p.arena);
  state_init(&p.state, r->frame->slots.len);
  if (r->kind == ROUTINE_PROCEDURE) {
    p.summary = arena_new(&c->lang->arena, struct summary);
    ptrmap_put(&c->summaries, r->decl, p.summary);
  }
  run_routine(&p);
  if (p.summary) {
    p.summary->result = level_of(p.result);
    p.summary->result_args = p.result ? p.result->args : 0;
  } else {
    p.report = true;
    run_routine(&p);
  }
  for (size_t i = 0; i < p.all_heads.len; i++)
    outcome_clear(&p.all_heads.at[i]->known);
  vec_clear(&p.all_heads);
  ptrmap_clear(&p.heads);
  ptrmap_clear(&p.told);
  ptrmap_clear(&p.items);
  state_clear(&p.state);
  arena_clear(&p.arena);
}
