#include "proof/one_run.h"

#include <string.h>

#include "claim/proof_names.h"
#include "proof/derive.h"
#include "term/build.h"
#include "term/subst.h"

struct script_scope *scope_of_loop(const struct terms *ts, const struct script_scope *scope,
                                   const struct core *loop, unsigned number) {
  const char *index = loop->var != TERM_NONE ? term_var_get(ts, loop->var)->name : NULL;
  return script_find_loop(scope, index, number);
}

/* Several loops may have an index of one name. */
void name_index(struct translate_env *env, const struct core *loop) {
  if (loop->var == TERM_NONE) return;
  const char *name = term_var_get(env->ts, loop->var)->name;
  const char *base = intern_text(&env->lang->intern, name, variable_base(name));
  if (!proof_names_decl(env, base)) translate_bind(env, NULL, base, loop->var, true, TERM_NONE);
}

term_id one_run_part(struct kernel *k, term_id part) {
  struct terms *ts = kernel_terms(k);
  term_list vars = {0}, from = {0}, to = {0};
  term_free_vars(ts, part, &vars);
  bool fits = true;
  for (size_t i = 0; fits && i < vars.len; i++) {
    struct term_var v = *term_var_get(ts, vars.at[i]);
    /* without a run: a parameter; not a ghost, nor the index at which inputs differ */
    fits = v.run == 1 || (v.run == 0 && v.version == 0 && vars.at[i] != kernel_budget(k));
    if (v.run != 1) continue;
    vec_push(&from, vars.at[i]);
    vec_push(&to, term_var_in_run(ts, vars.at[i], 0));
  }
  term_id result = fits && from.len ? term_subst(ts, part, from.at, to.at, from.len) : TERM_NONE;
  vec_clear(&vars);
  vec_clear(&from);
  vec_clear(&to);
  return result;
}

/* An expression of the proof; what has no meaning here is passed over. */
static term_id read_expr(struct translate_env *env, const struct ast_expr *e, unsigned untagged,
                         sort_id sort) {
  env->error = NULL;
  env->untagged = untagged;
  term_id t = translate_expr_as(env, e, sort);
  env->untagged = 0;
  if (env->error) t = TERM_NONE;
  env->error = NULL;
  return t;
}

static term_id read_invariant(struct translate_env *env, const struct script_scope *s) {
  term_id all = term_bool(env->ts, true);
  for (size_t i = 0; i < s->invariant_count; i++) {
    term_list parts = {0};
    term_conjuncts(env->ts, read_expr(env, s->invariants[i], 1, SORT_BOOL), &parts);
    for (size_t k = 0; k < parts.len; k++) {
      term_id part = parts.at[k] == TERM_NONE ? TERM_NONE : one_run_part(env->k, parts.at[k]);
      if (part != TERM_NONE) all = term_and(env->ts, all, part);
    }
    vec_clear(&parts);
  }
  return all;
}

/* What is said of the loop: in its part if it is the last one of a part, else in the scope. */
static const struct script_scope *steps_of(const struct terms *ts, const struct script_scope *scope,
                                           const struct core *code, const struct core *loop,
                                           unsigned number) {
  const struct script_part *part = part_ending_with(ts, scope, code, loop);
  if (!part) return scope_of_loop(ts, scope, loop, number);
  return part->scope->loop_count ? part->scope->loops[part->scope->loop_count - 1] : NULL;
}

/* Loops are numbered as in struct walk: those of a scope, not those inside its loops. */
static void read_loops(struct one_run *out, struct translate_env *env, const struct core *code,
                       const struct core *c, const struct script_scope *scope, unsigned *number) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    read_loops(out, env, code, c->first, scope, number);
    read_loops(out, env, code, c->second, scope, number);
  }
  if (c->kind != CORE_WHILE) return;
  const struct script_scope *s = steps_of(env->ts, scope, code, c, ++*number);
  if (!s || s->form) return;
  name_index(env, c);
  vec_push(&out->loops, c);
  vec_push(&out->variants, s->variant ? read_expr(env, s->variant, 0, SORT_INT) : TERM_NONE);
  vec_push(&out->invariants, read_invariant(env, s));
  unsigned inside = 0;
  read_loops(out, env, c->first, c->first, s, &inside);
}

void one_run_read(struct one_run *out, struct translate_env *env, const struct core *program,
                  const struct script_scope *script) {
  *out = (struct one_run){0};
  unsigned number = 0;
  if (script && !script->cases) read_loops(out, env, program, program, script, &number);
}

void one_run_clear(struct one_run *o) {
  vec_clear(&o->loops);
  vec_clear(&o->variants);
  vec_clear(&o->invariants);
}
