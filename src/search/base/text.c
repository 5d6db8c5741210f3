#include "search/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "claim/sums.h"
#include "out/print.h"
#include "proof/script.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

void text_init(struct text *text, struct auto_problem *p) {
  *text = (struct text){.p = p};
  buffer_init(&text->buffer);
}

const char *text_take(struct text *text) {
  const char *result = NULL;
  if (!text->failed)
    result = arena_strndup(text->p->arena, buffer_text(&text->buffer), text->buffer.len);
  buffer_clear(&text->buffer);
  return result;
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The name of a witness, which has another one where its own is taken; NULL: it is none. */
static const char *name_of_witness(struct auto_problem *p, term_id var) {
  term_list vars = {0}, shown = {0};
  const char *name = NULL;
  auto_witnesses(p, &vars, &shown);
  for (size_t i = 0; i < vars.len && !name; i++)
    if (vars.at[i] == var) name = term_var_get(p->ts, shown.at[i])->name;
  vec_clear(&vars);
  vec_clear(&shown);
  return name;
}

/* The name under which proof text finds the variable; NULL: none. */
static const char *name_in_proofs(struct auto_problem *p, term_id var) {
  struct translate_env *env = claim_env(p->goal);
  const struct term_var *v = term_var_get(p->ts, var);
  const char *name = intern_str(&p->lang->intern, v->name);
  const struct translate_binding *b = translate_find(env, name);
  term_id bound = b ? b->term : TERM_NONE;
  bool same = bound == var ||
              (bound != TERM_NONE && v->run != 0 && bound == term_var_in_run(p->ts, var, 0));
  return same ? name : name_of_witness(p, var);
}

bool text_is_named(struct auto_problem *p, term_id var) {
  return name_in_proofs(p, var) != NULL;
}

static bool is_taken(struct auto_problem *p, const char *name) {
  if (translate_find(claim_env(p->goal), intern_str(&p->lang->intern, name))) return true;
  for (size_t i = 0; i < p->module->decl_count; i++)
    if (p->module->decls[i]->name.text && !strcmp(p->module->decls[i]->name.text, name))
      return true;
  return false;
}

term_id text_fresh_name(struct auto_problem *p, const char *name, sort_id sort) {
  const char *full = name;
  for (unsigned i = 1; is_taken(p, full); i++)
    full = arena_printf(p->arena, "%s%u", name, i);
  return term_var(p->ts, full, sort, 0, 0);
}

/* ---- terms ---------------------------------------------------------------------------------- */

/* Opened witnesses have a version: their name alone is what proof text knows. */
static term_id printable(struct auto_problem *p, term_id t) {
  term_list vars = {0}, to = {0}, from = {0};
  term_free_vars(p->ts, t, &vars);
  for (size_t i = 0; i < vars.len && t != TERM_NONE; i++) {
    struct term_var v = *term_var_get(p->ts, vars.at[i]);
    if (v.version == 0) continue;
    const char *name = name_in_proofs(p, vars.at[i]);
    if (!name) t = TERM_NONE;
    vec_push(&from, vars.at[i]);
    vec_push(&to, term_var(p->ts, name ? name : v.name, v.sort, v.run, 0));
  }
  if (t != TERM_NONE) t = term_subst(p->ts, t, from.at, to.at, from.len);
  vec_clear(&vars);
  vec_clear(&from);
  vec_clear(&to);
  return t;
}

static bool put_term(struct auto_problem *p, struct buffer *out, term_id t);

/* A sum over a range (claim/sums.h) as a variable whose name is its text: the printer does not know
 * sums. TERM_NONE: it is no sum of the claim. */
static term_id named_sum(struct auto_problem *p, term_id app) {
  struct terms *ts = p->ts;
  struct translate_env *env = claim_env(p->goal);
  size_t count = term_arg_count(ts, app);
  for (size_t i = 0; i < env->sums.len; i++) {
    const struct translate_sum *s = &env->sums.at[i];
    if (term_get(ts, app)->data != s->symbol || count != s->arg_count + 2) continue;
    term_id index = sum_index(ts), j = text_fresh_name(p, "j", SORT_INT);
    struct buffer b;
    buffer_init(&b);
    buffer_printf(&b, "(sum %s in ", term_var_get(ts, j)->name);
    bool ok = put_term(p, &b, term_arg(ts, app, count - 2));
    buffer_puts(&b, "..");
    ok &= put_term(p, &b, term_arg(ts, app, count - 1));
    buffer_puts(&b, ". (");
    term_id body = term_subst(ts, s->body, &index, &j, 1);
    for (size_t a = 0; a < s->arg_count; a++) {
      term_id var = s->args[a], value = term_arg(ts, app, a);
      bool is_any = sum_takes_any(ts, var);
      ok &= is_any || value == var;
      if (is_any) body = term_subst(ts, body, &var, &value, 1);
    }
    ok &= put_term(p, &b, body);
    buffer_puts(&b, "))");
    term_id name =
        ok ? term_var(ts, arena_strndup(p->arena, buffer_text(&b), b.len), SORT_REAL, 0, 0)
           : TERM_NONE;
    buffer_clear(&b);
    return name;
  }
  return TERM_NONE;
}

term_id text_named_sums(struct auto_problem *p, term_id t) {
  term_list parts = {0};
  if (t == TERM_NONE || !claim_env(p->goal)->sums.len) return t;
  if (term_kind(p->ts, t) == TERM_FORALL) { /* sums inside may speak of what it binds */
    const char *hint = term_binder_hint(p->ts, t);
    term_id k = text_fresh_name(p, strcmp(hint, "j") ? hint : "k", SORT_INT);
    term_id body = term_instantiate(p->ts, t, k);
    return body == TERM_NONE ? t : term_forall(p->ts, &k, 1, text_named_sums(p, body));
  }
  term_subterms(p->ts, t, &parts);
  for (size_t i = 0; i < parts.len && t != TERM_NONE; i++) {
    if (term_kind(p->ts, parts.at[i]) != TERM_APP) continue;
    term_id name = named_sum(p, parts.at[i]);
    if (name != TERM_NONE) t = term_replace(p->ts, t, &parts.at[i], &name, 1);
  }
  vec_clear(&parts);
  return t;
}

static bool put_term(struct auto_problem *p, struct buffer *out, term_id t) {
  t = t == TERM_NONE ? TERM_NONE : text_named_sums(p, printable(p, view_term(p, t)));
  if (t != TERM_NONE) term_print(out, p->ts, t);
  return t != TERM_NONE;
}

const char *text_of(struct auto_problem *p, term_id t) {
  struct buffer b;
  buffer_init(&b);
  const char *result = put_term(p, &b, t) ? arena_strndup(p->arena, buffer_text(&b), b.len) : NULL;
  buffer_clear(&b);
  return result;
}

/* ---- relations with names ------------------------------------------------------------------- */

/* What a text means as a formula about both runs; TERM_NONE: nothing. */
static term_id meaning(struct auto_problem *p, const char *text) {
  struct diag_mark mark = diags_mark(&p->lang->diags);
  size_t length = strlen(text);
  uint32_t file = sources_add(&p->lang->sources, "<relation>", text, length);
  struct ast_expr *e = script_parse_expr(p->lang, (struct span){file, 0, (uint32_t)length});
  struct translate_env *env = claim_env(p->goal);
  env->error = NULL;
  env->untagged = 1;
  term_id t = e ? translate_expr_as(env, e, SORT_BOOL) : TERM_NONE;
  env->untagged = 0;
  env->error = NULL;
  diags_rollback(&p->lang->diags, mark);
  return t;
}

/* Numbers in the formula: the distance is one of them. */
static void distances(struct terms *ts, term_id formula, term_list *out) {
  term_list parts = {0};
  term_subterms(ts, formula, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(ts, parts.at[i]);
    if (sort_is_numeric(term_sort(ts, parts.at[i])) &&
        (kind == TERM_NUM || (kind == TERM_VAR && term_var_get(ts, parts.at[i])->run == 0)))
      vec_push(out, parts.at[i]);
  }
  vec_clear(&parts);
}

const char *text_of_relation(struct auto_problem *p, term_id formula) {
  static const char *const names[] = {"all_increase", "all_decrease", "all_within"};
  term_list numbers = {0};
  const char *found = NULL;
  distances(p->ts, formula, &numbers);
  const struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  for (size_t v = 0; v < kernel_var_count(k) && !found; v++) {
    term_id array = kernel_var_at(k, v);
    if (sort_get(p->ts, term_sort(p->ts, array))->kind != SORT_KIND_ARRAY) continue;
    if (!term_mentions(p->ts, formula, (term_id[]){term_var_in_run(p->ts, array, 1)}, 1)) continue;
    for (size_t n = 0; n < numbers.len && !found; n++)
      for (size_t r = 0; r < sizeof names / sizeof *names && !found; r++) {
        const char *text =
            arena_printf(p->arena, "%s(%s, %s)", names[r], term_var_get(p->ts, array)->name,
                         text_of(p, numbers.at[n]));
        if (meaning(p, text) == formula) found = text;
      }
  }
  vec_clear(&numbers);
  return found ? found : text_of(p, formula);
}

/* ---- lines ---------------------------------------------------------------------------------- */

static bool put_sum(struct text *text, term_id a, term_id b) {
  struct terms *ts = text->p->ts;
  bool ok = put_term(text->p, &text->buffer, a);
  if (b == TERM_NONE || !term_is_num(ts, b)) {
    buffer_puts(&text->buffer, " + ");
    return ok && put_term(text->p, &text->buffer, b);
  }
  int sign = fmpq_sgn(term_num_value(ts, b));
  if (sign == 0) return ok;
  buffer_puts(&text->buffer, sign > 0 ? " + " : " - ");
  return ok && put_term(text->p, &text->buffer, sign > 0 ? b : term_neg(ts, b));
}

static void put(struct text *text, const char *format, va_list args) {
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      buffer_putc(&text->buffer, *f);
      continue;
    }
    bool ok = true;
    switch (*++f) {
    case 't': ok = put_term(text->p, &text->buffer, va_arg(args, term_id)); break;
    case '+': {
      term_id a = va_arg(args, term_id), b = va_arg(args, term_id);
      ok = put_sum(text, a, b);
      break;
    }
    case 'u': buffer_printf(&text->buffer, "%u", va_arg(args, unsigned)); break;
    case 's': buffer_puts(&text->buffer, va_arg(args, const char *)); break;
    default: ok = false;
    }
    text->failed |= !ok;
  }
}

#define PUT(text, format)                                                                          \
  do {                                                                                             \
    va_list args_;                                                                                 \
    va_start(args_, format);                                                                       \
    put(text, format, args_);                                                                      \
    va_end(args_);                                                                                 \
  } while (0)

void text_put(struct text *text, const char *format, ...) {
  PUT(text, format);
}

void text_line(struct text *text, const char *format, ...) {
  PUT(text, format);
  buffer_putc(&text->buffer, '\n');
}

void text_noise(struct text *text, const struct core *sampling) {
  const struct noise *noise = view_noise(text->p, sampling);
  if (!noise) return;
  struct terms *ts = text->p->ts;
  text_line(text, "noise %s from %s: %s(%t, %t);", term_var_get(ts, noise->last)->name,
            term_var_get(ts, noise->from)->name, dist_get(sampling->dist)->name, sampling->args[0],
            sampling->args[1]);
}
