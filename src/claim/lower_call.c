#include "base/limits.h"
#include "claim/lower_internal.h"
#include "claim/whole_array.h"
#include "kernel/context.h"
#include "lang/syntax/walk.h"
#include "term/build.h"

enum { LIMIT_INLINED = 10000 }; /* calls inlined in one mechanism */

/* `callee` with these argument values (and lengths of arrays among them; NULL: not known); its
 * result is left in *result, with its length if it is an array in *length. */
static const struct core *inline_routine(struct frame *f, struct span span,
                                         const struct ast_routine *callee, const term_id *values,
                                         const term_id *lengths, size_t count, term_id *result,
                                         term_id *length) {
  struct frame inner = {.env = f->env,
                        .routine = callee,
                        .mechanism = f->mechanism,
                        .output = f->mechanism->output,
                        .calls = f->calls,
                        .length = TERM_NONE,
                        .suffix =
                            arena_printf(arena_of(f), "'%s%zu", callee->name.text, ++*f->calls)};
  if (count != callee->arg_count || *f->calls > LIMIT_INLINED) {
    translate_fail(f->env, span, "this call cannot be inlined");
    return NULL;
  }
  const struct core *c = core_skip();
  for (size_t i = 0; i < count; i++) {
    const struct ast_var *arg = callee->args[i];
    term_id var = source_var(&inner, span, arg);
    c = seq(f, c, set(&inner, span, var, values[i]));
    declare(&inner, arg, var, true, lengths ? lengths[i] : TERM_NONE);
  }
  declare_locals(&inner, callee);
  c = seq(f, c, lower_body(&inner, span));
  *result = inner.result;
  *length = inner.length;
  return c;
}

/* The variable with the state of an adversary; made by start_adversaries. */
static term_id state_of(struct frame *f, const struct ast_decl *adversary) {
  const struct translate_binding *b = ptrmap_get(&f->env->vars, adversary);
  return b ? b->term : TERM_NONE;
}

/* One move of unknown code. */
static const struct core *move(struct frame *f, struct span span, const struct ast_decl *adversary,
                               const char *step, term_id out, const term_id *args, size_t count) {
  const char *name =
      intern_str(&f->env->ts->names, arena_printf(arena_of(f), "%s%s", adversary->name.text, step));
  term_id state = state_of(f, adversary);
  if (state == TERM_NONE || out == TERM_NONE) {
    translate_fail(f->env, span, "the adversary has no variables in the logic");
    return NULL;
  }
  return core_adversary(arena_of(f), span, name, state, out, args, count);
}

struct var_search {
  const struct ast_var *var;
  bool found;
};

static void search_var(const struct ast_expr *e, void *context) {
  struct var_search *s = context;
  s->found |= e->kind == EXPR_NAME && e->as.name.var == s->var;
  walk_parts(e, search_var, context);
}

static bool bounds_mention(const struct ast_decl *adversary, const struct ast_var *var) {
  struct var_search s = {.var = var};
  for (size_t i = 0; i < adversary->as.adversary.use_count; i++)
    search_var(adversary->as.adversary.uses[i].bound, &s);
  return s.found;
}

/* Arguments that bounds on calls of oracles speak of. They keep their values during the call:
 * oracles may change what they were computed from. */
static const struct core *keep_arguments(struct frame *f, const struct ast_expr *e,
                                         const term_id *values) {
  const struct ast_decl *d = e->as.call.decl;
  const struct core *c = core_skip();
  for (size_t i = 0; i < e->as.call.count; i++) {
    const struct ast_var *arg = d->as.adversary.args[i];
    if (!bounds_mention(d, arg)) continue;
    term_id kept = values[i];
    bool is_fixed = kernel_is_constant(f->env->k, kept);
    if (!is_fixed) {
      char *name = arena_printf(arena_of(f), "%s'%s", arg->name.text, d->name.text);
      kept = fresh_var(f, e->span, name, translate_sort(f->env, arg->type));
      c = seq(f, c, set(f, e->span, kept, values[i]));
    }
    translate_bind(f->env, arg, NULL, kept, !is_fixed,
                   whole_array_length(f->env, e->as.call.args[i]));
  }
  return c;
}

/* The interactive loop: query := A.begin(args); while query names an oracle that may still be
 * called { answer it; query := A.next(answer) }; result := A.end(). */
static const struct core *lower_interaction(struct frame *f, const struct ast_expr *e,
                                            const term_id *values, term_id result) {
  struct terms *ts = f->env->ts;
  struct span span = e->span;
  const struct ast_decl *adversary = e->as.call.decl;
  const char *name = adversary->name.text;
  size_t uses = adversary->as.adversary.use_count;
  const struct core *before = keep_arguments(f, e, values), *body = core_skip();
  term_id allowed = term_bool(ts, false);
  term_id which = fresh_var(f, span, arena_printf(arena_of(f), "%s'asks", name), SORT_INT);
  const struct core *first = move(f, span, adversary, ".begin", which, values, e->as.call.count);
  for (size_t i = uses; i-- > 0;) {
    const struct ast_oracle_use *use = &adversary->as.adversary.uses[i];
    const struct ast_routine *oracle = e->as.call.oracles ? e->as.call.oracles[i] : NULL;
    term_id bound = translate_expr(f->env, use->bound);
    term_id calls =
        fresh_var(f, span, arena_printf(arena_of(f), "%s'calls", use->name.text), SORT_INT);
    if (!oracle || bound == TERM_NONE || calls == TERM_NONE) {
      translate_fail(f->env, span, "the oracle `%s` is not declared here", use->name.text);
      return NULL;
    }
    before = seq(f, before, set(f, span, calls, term_int(ts, 0)));
    term_id chosen = term_eq(ts, which, term_int(ts, (long)i + 1));
    allowed = term_or(ts, allowed, term_and(ts, chosen, term_lt(ts, calls, bound)));
    /* The arguments are further moves of the adversary: it knows what it wants to ask. */
    const struct core *ask = core_skip();
    term_list args = {0};
    for (size_t a = 0; a < use->arg_count; a++) {
      char *text = arena_printf(arena_of(f), "%s'%s", use->name.text, use->args[a]->name.text);
      term_id arg = fresh_var(f, span, text, translate_sort(f->env, use->args[a]->type));
      vec_push(&args, arg);
      ask =
          seq(f, ask,
              move(f, span, adversary,
                   arena_printf(arena_of(f), ".ask.%s.%s", use->name.text, use->args[a]->name.text),
                   arg, NULL, 0));
    }
    term_id answer = TERM_NONE, length;
    const struct core *reply =
        inline_routine(f, span, oracle, args.at, NULL, args.len, &answer, &length);
    vec_clear(&args);
    const struct core *count_call = set(f, span, calls, term_add(ts, calls, term_int(ts, 1)));
    const struct core *next =
        move(f, span, adversary, arena_printf(arena_of(f), ".next.%s", use->name.text), which,
             &answer, answer == TERM_NONE ? 0 : 1);
    const struct core *one = seq(f, seq(f, seq(f, ask, reply), count_call), next);
    if (!one) return NULL;
    body = i + 1 == uses ? one : core_if(arena_of(f), span, chosen, one, body);
  }
  const struct core *loop = core_while(arena_of(f), span, allowed, body);
  const struct core *end = core_skip();
  if (result != TERM_NONE) end = move(f, span, adversary, ".end", result, NULL, 0);
  return seq(f, seq(f, before, first), seq(f, loop, end));
}

static const struct core *lower_adversary(struct frame *f, const struct ast_expr *e,
                                          const term_id *values, term_id *result) {
  const struct ast_decl *d = e->as.call.decl;
  const struct type *type = d->as.adversary.returns ? d->as.adversary.returns->type : NULL;
  *result = TERM_NONE;
  if (type)
    *result = fresh_var(f, e->span, arena_printf(arena_of(f), "%s'says", d->name.text),
                        translate_sort(f->env, type));
  if (d->as.adversary.use_count) return lower_interaction(f, e, values, *result);
  term_id out =
      *result != TERM_NONE
          ? *result
          : fresh_var(f, e->span, arena_printf(arena_of(f), "%s'done", d->name.text), SORT_BOOL);
  return move(f, e->span, d, "", out, values, e->as.call.count);
}

const struct core *lower_code_call(struct frame *f, const struct ast_expr *e, term_id *result,
                                   term_id *length) {
  const struct ast_decl *d = e->as.call.decl;
  const struct ast_routine *callee = e->as.call.callee_kind == CALLEE_ORACLE ? e->as.call.oracle
                                     : e->as.call.callee_kind == CALLEE_PROCEDURE ? d->as.procedure
                                                                                  : NULL;
  term_id values[LIMIT_ARGUMENTS], lengths[LIMIT_ARGUMENTS];
  *length = TERM_NONE;
  if (e->as.call.count > LIMIT_ARGUMENTS) return NULL;
  for (size_t i = 0; i < e->as.call.count; i++) {
    const struct ast_expr *given = e->as.call.args[i];
    const struct ast_var *arg = callee ? callee->args[i] : d->as.adversary.args[i];
    values[i] = value_as(f, given, translate_sort(f->env, arg->type));
    lengths[i] = whole_array_length(f->env, given);
    if (values[i] == TERM_NONE || (!callee && !may_show(f, arg, given))) return NULL;
  }
  if (callee)
    return inline_routine(f, e->span, callee, values, lengths, e->as.call.count, result, length);
  return lower_adversary(f, e, values, result);
}

bool is_code_call(const struct ast_expr *e) {
  return e->kind == EXPR_CALL &&
         (e->as.call.callee_kind == CALLEE_PROCEDURE || e->as.call.callee_kind == CALLEE_ORACLE ||
          e->as.call.callee_kind == CALLEE_ADVERSARY);
}

/* Every adversary of the module starts in the same state in both runs. */
const struct core *start_adversaries(struct frame *f) {
  const struct core *c = core_skip();
  for (size_t i = 0; i < f->env->module->decl_count; i++) {
    const struct ast_decl *d = f->env->module->decls[i];
    if (d->kind != DECL_ADVERSARY) continue;
    const char *name = arena_printf(arena_of(f), "%s'state", d->name.text);
    /* A sort that no source can name: nothing is known of its values. */
    const char *sort = arena_printf(arena_of(f), "%s.state", d->name.text);
    term_id state = fresh_var(f, d->span, name, sort_abstract(f->env->ts, sort));
    if (state == TERM_NONE) return NULL;
    struct translate_binding *b = arena_new(arena_of(f), struct translate_binding);
    *b = (struct translate_binding){.term = state, .is_program = true, .length = TERM_NONE};
    ptrmap_put(&f->env->vars, d, b);
    c = seq(f, c,
            set(f, d->span, state, kernel_fresh(f->env->k, name, term_sort(f->env->ts, state))));
  }
  return c;
}
