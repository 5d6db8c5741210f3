#include "claim/lower_internal.h"
#include "claim/proof_names.h"
#include "kernel/context.h"

static bool is_among(struct ast_var *const *vars, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (vars[i]->name.text == name) return true;
  return false;
}

/* Has the mechanism, or an oracle of it, a variable of this name? */
static bool is_variable(const struct ast_routine *m, const char *name) {
  bool found = is_among(m->args, m->arg_count, name) || is_among(m->locals, m->local_count, name);
  for (size_t i = 0; !found && i < m->oracle_count; i++)
    found = is_variable(m->oracles[i], name);
  return found;
}

/* A name that nothing else has: no variable, no input, no parameter, let or operator, wherever it
 * is declared, so that nothing in the source can alias what the translation makes. One that is
 * declared gets a prime; one that another variable has a prime and a number. (A letter or digit after
 * the prime tells what is added here from primes of the source: proof/variable_name.h.) `own` is the
 * name in the source, or NULL. */
static const char *free_name(struct frame *f, const char *name, const char *own) {
  struct intern *intern = &f->env->lang->intern;
  const char *base = intern_str(intern, name);
  while (proof_names_decl(f->env, base))
    base = intern_str(intern, arena_printf(arena_of(f), "%s'", base));
  const char *full = base;
  for (unsigned n = 2; ptrmap_get(&f->env->names, full) || proof_names_decl(f->env, full) ||
                       (full != own && is_variable(f->mechanism->routine, full));
       n++)
    full = intern_str(intern, arena_printf(arena_of(f), "%s'%u", base, n));
  return full;
}

static term_id new_var(struct frame *f, struct span span, const char *full, sort_id sort) {
  term_id var = sort == SORT_NONE ? TERM_NONE : kernel_var(f->env->k, full, sort, false);
  if (var == TERM_NONE)
    return translate_fail(f->env, span, "`%s` has no variable in the logic", full);
  translate_bind(f->env, NULL, full, var, true, TERM_NONE);
  return var;
}

/* A program variable of this frame that the translation needs. Proofs can name it. */
term_id fresh_var(struct frame *f, struct span span, const char *name, sort_id sort) {
  const char *full = arena_printf(arena_of(f), "%s%s", name, f->suffix);
  return new_var(f, span, free_name(f, full, NULL), sort);
}

/* The program variable of a variable of the source. */
term_id source_var(struct frame *f, struct span span, const struct ast_var *v) {
  const char *full = arena_printf(arena_of(f), "%s%s", v->name.text, f->suffix);
  const char *own = f == f->mechanism ? v->name.text : NULL;
  return new_var(f, span, free_name(f, full, own), translate_sort(f->env, v->type));
}

/* What a variable of the source is in the logic; proofs can call it by either name. */
void declare(struct frame *f, const struct ast_var *v, term_id term, bool is_program,
             term_id length) {
  if (term == TERM_NONE) return;
  const char *name = intern_str(&f->env->lang->intern, term_var_get(f->env->ts, term)->name);
  const struct translate_binding *b = translate_bind(f->env, v, name, term, is_program, length);
  proof_names_offer(f->env, v->name.text, b);
}

term_id var_term(struct frame *f, const struct ast_var *var) {
  const struct translate_binding *b = ptrmap_get(&f->env->vars, var);
  if (!b) translate_fail(f->env, var->name.span, "`%s` is not known here", var->name.text);
  return b ? b->term : TERM_NONE;
}

/* The number of elements of an array, if it is declared and constant. It stays what it was: what is
 * assigned to the whole array must have the same length (may_replace in lower.c). */
static term_id fixed_length(struct frame *f, const struct ast_var *v) {
  if (!v->declared || v->declared->kind != TYPE_ARRAY || !v->declared->length) return TERM_NONE;
  term_id length = translate_expr(f->env, v->declared->length);
  return length != TERM_NONE && kernel_is_constant(f->env->k, length) ? length : TERM_NONE;
}

void declare_locals(struct frame *f, const struct ast_routine *r) {
  for (size_t i = 0; i < r->local_count; i++) {
    const struct ast_var *v = r->locals[i];
    if (ptrmap_get(&f->env->vars, v) && f->suffix[0] == 0) continue;
    term_id length = fixed_length(f, v);
    term_id var = source_var(f, v->name.span, v);
    declare(f, v, var, true, length);
  }
}

void declare_inputs(struct frame *f, const struct ast_routine *m) {
  for (size_t i = 0; i < m->arg_count; i++) {
    const struct ast_var *v = m->args[i];
    sort_id sort = translate_sort(f->env, v->type);
    term_id length = fixed_length(f, v);
    const char *name = free_name(f, v->name.text, v->name.text);
    term_id term = v->is_private ? kernel_var(f->env->k, name, sort, true)
                                 : term_var(f->env->ts, name, sort, 0, 0);
    if (term == TERM_NONE) translate_fail(f->env, v->name.span, "an input has no term");
    declare(f, v, term, v->is_private, length);
  }
}
