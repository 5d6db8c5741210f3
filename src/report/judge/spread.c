#include "report/judge/spread.h"

#include "claim/translate.h"
#include "lang/syntax/walk.h"
#include "smt/smt.h"
#include "term/build.h"

enum { SPREAD_SECONDS = 5 }; /* for safety: the work of a question is limited, too */

struct spreads {
  struct lang *lang;
  const struct ast_module *module;
  struct terms ts;
  struct smt smt;
  struct kernel *k;
  struct translate_env env;
  struct buffer *out;
  struct spread *found;
};

/* 0 < e, or its negation */
static enum smt_verdict decide_sign(struct spreads *s, const struct ast_expr *e, bool positive) {
  s->env.error = NULL;
  term_id value = translate_expr_as(&s->env, e, SORT_REAL);
  if (value == TERM_NONE) return SMT_UNKNOWN;
  size_t count;
  const term_id *facts = kernel_facts(s->k, &count);
  term_id goal = term_lt(&s->ts, term_int(&s->ts, 0), value);
  if (!positive) goal = term_not(&s->ts, goal);
  return smt_entails(&s->smt, "spread", e->span, facts, count, goal);
}

static bool is_positive(struct spreads *s, const struct ast_expr *e) {
  return decide_sign(s, e, true) == SMT_VALID;
}

/* ---- what to assume -------------------------------------------------------------------------- */

static void put_source(struct spreads *s, const struct ast_expr *e) {
  const struct source *source = sources_get(&s->lang->sources, e->span.file);
  buffer_add(s->out, source->text + e->span.begin, e->span.end - e->span.begin);
}

static void put_above(struct spreads *s, const struct ast_expr *e, const char *bound) {
  put_source(s, e);
  buffer_printf(s->out, " > %s", bound);
}

static void put_positive(struct spreads *s, const struct ast_expr *e);

static void put_positive_binary(struct spreads *s, const struct ast_expr *e) {
  const struct ast_expr *left = e->as.binary.left, *right = e->as.binary.right;
  enum binary_op op = e->as.binary.op;
  bool factors = op == BINARY_MUL || op == BINARY_DIV;
  if (op == BINARY_SUB) {
    put_source(s, left);
    buffer_puts(s->out, " > ");
    put_source(s, right);
  } else if (factors && is_positive(s, left)) {
    put_positive(s, right);
  } else if (factors && is_positive(s, right)) {
    put_positive(s, left);
  } else {
    put_above(s, e, "0");
  }
}

/* A condition that makes e positive, as people write it. */
static void put_positive(struct spreads *s, const struct ast_expr *e) {
  const struct ast_decl *d = e->kind == EXPR_NAME ? e->as.name.decl : NULL;
  if (d && d->kind == DECL_LET && d->as.let.arg_count == 0)
    put_positive(s, d->as.let.body); /* a parameter cannot speak of what is declared later */
  else if (e->kind == EXPR_BINARY)
    put_positive_binary(s, e);
  else if (e->kind == EXPR_CALL && e->as.call.builtin == BUILTIN_LN)
    put_above(s, e->as.call.args[0], "1");
  else if (e->kind == EXPR_CALL && e->as.call.builtin == BUILTIN_SQRT)
    put_positive(s, e->as.call.args[0]);
  else
    put_above(s, e, "0");
}

/* ---- where it belongs ------------------------------------------------------------------------ */

static void note_names(const struct ast_expr *e, void *context) {
  struct spreads *s = context;
  walk_parts(e, note_names, s);
  if (e->kind != EXPR_NAME) return;
  const struct ast_decl *d = e->as.name.decl;
  if (e->as.name.var) s->found->needs_input = true;
  if (d && d->kind == DECL_LET) note_names(d->as.let.body, s);
  if (!d || d->kind != DECL_PARAM) return;
  for (size_t i = 0; i < s->module->decl_count; i++) { /* the later one: both are visible there */
    if (s->module->decls[i] == s->found->param) s->found->param = d;
    if (s->module->decls[i] == d) break;
  }
  if (!s->found->param) s->found->param = d;
}

static bool look_at_block(struct spreads *s, const struct ast_block *b);

static bool look_at(struct spreads *s, const struct ast_stmt *stmt) {
  switch (stmt->kind) {
  case STMT_IF:
    return look_at_block(s, &stmt->as.branch.then) || look_at_block(s, &stmt->as.branch.otherwise);
  case STMT_WHILE: return look_at_block(s, &stmt->as.loop.body);
  case STMT_FOR: return look_at_block(s, &stmt->as.range.body);
  case STMT_SAMPLE: break;
  default: return false;
  }
  const struct ast_dist *d = &stmt->as.sample.dist;
  if (dist_get(d->kind)->parameters != PARAMETERS_CENTRED || d->count < 2) return false;
  const struct ast_expr *spread = d->args[1];
  if (decide_sign(s, spread, true) != SMT_INVALID) return false;
  s->found->where = spread->span;
  if (decide_sign(s, spread, false) == SMT_VALID) {
    s->found->is_never = true;
    put_source(s, spread);
    return true;
  }
  note_names(spread, s);
  if (!s->found->param && !s->found->needs_input) return false;
  put_positive(s, spread);
  return true;
}

static bool look_at_block(struct spreads *s, const struct ast_block *b) {
  for (size_t i = 0; i < b->count; i++)
    if (look_at(s, b->stmts[i])) return true;
  return false;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Public numbers of the mechanism are arbitrary, but for what it requires of them. */
static void bind_inputs(struct spreads *s, const struct ast_decl *mechanism) {
  const struct ast_routine *r = mechanism->as.mechanism.routine;
  for (size_t i = 0; i < r->arg_count; i++) {
    const struct ast_var *var = r->args[i];
    sort_id sort = translate_sort(&s->env, var->type);
    if (var->is_private || sort > SORT_REAL) continue;
    translate_bind(&s->env, var, NULL, term_var(&s->ts, var->name.text, sort, 0, 0), false,
                   TERM_NONE);
  }
  for (size_t i = 0; i < mechanism->as.mechanism.require_count; i++) {
    s->env.error = NULL;
    term_id fact = translate_expr(&s->env, mechanism->as.mechanism.requires[i]);
    if (fact != TERM_NONE) translate_assume(&s->env, span_none(), fact);
  }
}

bool spread_missing(struct buffer *out, struct spread *found, struct lang *lang,
                    const struct ast_module *module, const struct ast_decl *mechanism) {
  struct spreads s = {.lang = lang, .module = module, .out = out, .found = found};
  struct smt_options options = smt_default_options();
  options.timeout_s = SPREAD_SECONDS;
  *found = (struct spread){0};
  terms_init(&s.ts);
  smt_init(&s.smt, &s.ts, &options);
  s.k = kernel_new(&s.ts, &s.smt.decider);
  translate_env_init(&s.env, s.k, lang, module);
  translate_module(&s.env);
  bool known = !s.env.error;
  bind_inputs(&s, mechanism);
  bool missing = known && look_at_block(&s, &mechanism->as.mechanism.routine->body);
  translate_env_clear(&s.env);
  kernel_free(s.k);
  smt_clear(&s.smt);
  terms_clear(&s.ts);
  return missing;
}
