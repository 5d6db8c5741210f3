/* Names: one namespace for everything a value or call can mean, one for types, and one for each
 * kind of declaration that is only pointed at. */
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "lang/check/check_internal.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/foreign.h"

const char *decl_kind_text(enum decl_kind kind) {
  switch (kind) {
  case DECL_PARAM: return "a parameter";
  case DECL_LET: return "a let";
  case DECL_TYPE: return "a type";
  case DECL_OP: return "an op";
  case DECL_AXIOM: return "an axiom";
  case DECL_LEMMA: return "a lemma";
  case DECL_ADVERSARY: return "an adversary";
  case DECL_PROCEDURE: return "a procedure";
  case DECL_MECHANISM: return "a mechanism";
  case DECL_AUTOMATON: return "an automaton";
  case DECL_CLAIM: return "a claim";
  case DECL_INSTANCE: return "an instance";
  case DECL_ERROR:
  case DECL_LIBM:
  case DECL_INCLUDE: break;
  }
  return "a declaration";
}

static struct ptrmap *table_of(struct checker *c, enum decl_kind kind) {
  switch (kind) {
  case DECL_TYPE: return &c->type_names;
  case DECL_CLAIM: return &c->claim_names;
  case DECL_AXIOM: return &c->axiom_names;
  case DECL_LEMMA: return &c->lemma_names;
  case DECL_INSTANCE: return &c->instance_names;
  default: return &c->values;
  }
}

/* The parser puts "?" where a name is missing. */
static bool is_written(struct ast_name name) {
  return name.text && name.text[0] != '?';
}

/* The parser puts the subject where a claim has no name of its own. */
static bool is_unnamed_claim(const struct ast_decl *d) {
  return d->kind == DECL_CLAIM &&
         (!d->name.text || d->name.span.begin == d->as.claim.subject.span.begin);
}

static bool is_callable(const struct ast_decl *d) {
  return (d->kind == DECL_LET && d->as.let.arg_count) ||
         (d->kind == DECL_OP && d->as.op.arg_count) || d->kind == DECL_PROCEDURE ||
         d->kind == DECL_ADVERSARY;
}

static void enter(struct checker *c, struct ast_decl *d) {
  if (d->kind == DECL_INCLUDE || d->kind == DECL_LIBM || is_unnamed_claim(d)) return;
  if (!is_written(d->name)) {
    if (d->kind != DECL_CLAIM) c->names_lost = true;
    return;
  }
  const struct builtin_info *builtin = builtin_find(d->name.text);
  if (is_callable(d) && builtin && !builtin->yields) {
    report_error(c, d->name.span, "shadows-builtin",
                 "`%s` is a built-in function: choose another name", d->name.text);
    return;
  }
  struct ptrmap *table = table_of(c, d->kind);
  struct ast_decl *other = ptrmap_get(table, d->name.text);
  if (!other) {
    ptrmap_put(table, d->name.text, d);
    return;
  }
  if (other->kind == DECL_ERROR || d->kind == DECL_ERROR) return;
  report_error(c, d->name.span, "duplicate-name", "`%s` is declared twice", d->name.text);
  report_hint(c, "leave one out, or give it another name");
  report_note(c, other->name.span, "it is %s already", decl_kind_text(other->kind));
}

/* A claim without a name is called after its subject: svt, svt#2, ... '#' is in no written name. */
static void name_claims(struct checker *c) {
  struct ptrmap counts;
  ptrmap_init(&counts);
  for (size_t i = 0; i < c->module->decl_count; i++) {
    struct ast_decl *d = c->module->decls[i];
    if (!is_unnamed_claim(d) || !is_written(d->as.claim.subject)) continue;
    const char *name = d->as.claim.subject.text;
    size_t n = (size_t)ptrmap_get(&counts, name) + 1;
    while (n > 1 || ptrmap_get(&c->claim_names, name)) {
      if (n < 2) n = 2;
      name = intern_str(&c->lang->intern,
                        arena_printf(&c->lang->arena, "%s#%zu", d->as.claim.subject.text, n));
      if (!ptrmap_get(&c->claim_names, name)) break;
      n++;
    }
    ptrmap_put(&counts, d->as.claim.subject.text, (void *)n);
    d->name = (struct ast_name){name, d->as.claim.subject.span};
    ptrmap_put(&c->claim_names, name, d);
  }
  ptrmap_clear(&counts);
}

void names_enter_module(struct checker *c) {
  for (size_t i = 0; i < c->module->decl_count; i++) {
    struct ast_decl *d = c->module->decls[i];
    ptrmap_put(&c->positions, d, (void *)(i + 1));
    enter(c, d);
  }
  name_claims(c);
}

static size_t position(const struct checker *c, const struct ast_decl *d) {
  return (size_t)ptrmap_get(&c->positions, d);
}

struct ast_decl *names_visible(const struct checker *c, const struct ptrmap *map,
                               const char *name) {
  struct ast_decl *d = ptrmap_get(map, name);
  return d && position(c, d) < c->now ? d : NULL;
}

/* ---- suggestions ------------------------------------------------------------------------------
 */

void report_nearest(struct checker *c, const struct spell_best *s) {
  if (s->word) report_hint(c, "did you mean `%s`?", s->word);
}

static void suggest_from(struct checker *c, struct spell_best *s, const char *written,
                         const struct ptrmap *map) {
  for (size_t i = 0; i < map->capacity; i++) {
    const char *name = map->slots[i].key;
    if (!name || !map->slots[i].value) continue;
    if (map != &c->locals && map != &c->oracles && !names_visible(c, map, name)) continue;
    spell_consider(s, written, name);
  }
}

/* `q1`, `q_1`: the value of a private input in a run, as papers write it. */
static const char *input_of_run(struct checker *c, const char *name) {
  size_t length = strlen(name), cut = 1;
  if (!c->ctx.two_runs || length < 2 || (name[length - 1] != '1' && name[length - 1] != '2'))
    return NULL;
  if (length > 2 && name[length - 2] == '_') cut = 2;
  const char *input = intern_text(&c->lang->intern, name, length - cut);
  return ptrmap_get(&c->locals, input) ? input : NULL;
}

/* What is probably meant, where spelling is no guide. */
static bool hint_unknown(struct checker *c, const char *name, const char *what) {
  bool is_function = strcmp(what, "function") == 0;
  const char *input = input_of_run(c, name);
  const char *foreign = foreign_hint(is_function ? FOREIGN_FUNCTION : FOREIGN_VALUE, name);
  const char *noise = is_function && !foreign ? foreign_hint(FOREIGN_DISTRIBUTION, name) : NULL;
  if (input)
    report_hint(c, "the value of `%s` in run %c is written %s<%c>", input, name[strlen(name) - 1],
                input, name[strlen(name) - 1]);
  else if (is_function && dist_find(name))
    report_hint(c, "`%s` is a distribution: draw a sample first, `x <$ %s(...);`, and use x", name,
                name);
  else if (foreign)
    report_hint(c, "%s", foreign);
  else if (noise)
    report_hint(c, "a sample is drawn first, `x <$ ...;`, and then x is used; %s", noise);
  return input || foreign || noise || (is_function && dist_find(name));
}

/* How to declare it; papers have names for sizes and for amounts of the whole file. */
static void hint_declaration(struct checker *c, const char *name, const char *what) {
  static const char *const words[] = {"eps", "epsilon", "rho", "mu", "sigma", "scale"};
  bool amount = false, size = strlen(name) == 1 && strchr("nmkNMKT", *name);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    amount |= strcasecmp(words[i], name) == 0;
  if (strcmp(what, "function") == 0)
    report_hint(c, "define it above: `let %s(x : real) : real = ...;`", name);
  else if (strcmp(what, "mechanism or automaton") == 0)
    report_hint(c, "a claim is about a mechanism or automaton that is declared above it");
  else if (strcmp(what, "op") == 0)
    report_hint(c, "declare it above: `op %s(...) : real;`", name);
  else if (strcmp(what, "adversary") == 0)
    report_hint(c, "declare it above: `adversary %s(...) : int;`", name);
  else if (strcmp(name, "beta") == 0 || strcmp(name, "delta") == 0)
    report_hint(c, "declare it above the mechanism: `param %s : real, 0 < %s < 1;`", name, name);
  else if (amount || size)
    report_hint(c, "declare it above the mechanism: `param %s : %s, %s > 0;`", name,
                size ? "int" : "real", name);
  else if (c->ctx.may_ask)
    report_hint(c,
                "a claim of accuracy speaks of inputs, parameters, `result` (what is returned) and "
                "`emitted`; a parameter is declared above: `param %s : real;`",
                name);
  else if (!c->routine)
    report_hint(c, "declare it above: `param %s : real;`", name);
  else
    report_hint(c, "assign it first, `%s := ...;`, or declare it above: `param %s : real;`", name,
                name);
}

void names_unknown(struct checker *c, struct ast_name name, const char *what) {
  if (c->quiet || c->names_lost || (c->routine && c->routine->broken) || !is_written(name)) return;
  if (ptrmap_put(&c->reported, name.text, c)) return;
  report_error(c, name.span, "unknown-name", "there is no %s called `%s` here", what, name.text);
  if (c->diags->errors > LIMIT_ERRORS) return;
  if (ptrmap_get(&c->inputs, name.text)) {
    report_hint(c, "the inputs of a mechanism are visible only in it");
    return;
  }
  if (hint_unknown(c, name.text, what)) return;
  struct spell_best s = {0};
  suggest_from(c, &s, name.text, &c->locals);
  suggest_from(c, &s, name.text, &c->oracles);
  suggest_from(c, &s, name.text, &c->values);
  for (size_t i = 0; i < builtin_count(); i++)
    if (!builtin_is_proof_only(builtin_at(i)->id))
      spell_consider(&s, name.text, builtin_at(i)->name);
  spell_consider(&s, name.text, "true");
  spell_consider(&s, name.text, "false");
  if (!s.word && c->ctx.two_runs && strcmp(what, "function") == 0)
    report_hint(c, "shorthands for adjacency are within, all_within, one_differs, one_changes, "
                   "add_remove, all_increase, all_decrease, monotone and same (docs/language.md)");
  else if (!s.word)
    hint_declaration(c, name.text, what);
  report_nearest(c, &s);
}

/* ---- use --------------------------------------------------------------------------------------
 */

/* The name is declared, but not before this place. */
static void report_early_use(struct checker *c, struct ast_name name, struct ast_decl *d) {
  if (c->quiet || ptrmap_put(&c->reported, name.text, c)) return;
  if (position(c, d) == c->now) {
    report_error(c, name.span, "recursive-use", "`%s` is used in its own declaration", name.text);
    if (d->kind == DECL_PROCEDURE)
      report_hint(c, "procedures may not be recursive: use a loop");
    else
      report_hint(c, "a declaration may use only what is declared before it");
    return;
  }
  report_error(c, name.span, "used-before-declaration", "`%s` is used before its declaration",
               name.text);
  report_hint(c, "move the declaration of `%s` up", name.text);
  report_note(c, d->name.span, "it is declared here");
}

struct ast_decl *names_find_value(struct checker *c, struct ast_name name, const char *what) {
  struct ast_decl *d = ptrmap_get(&c->values, name.text);
  if (!d) {
    names_unknown(c, name, what);
    return NULL;
  }
  if (d->kind == DECL_ERROR) return NULL;
  if (position(c, d) >= c->now) {
    report_early_use(c, name, d);
    return NULL;
  }
  return d;
}

struct ast_decl *names_find_type(struct checker *c, struct ast_name name) {
  struct ast_decl *d = ptrmap_get(&c->type_names, name.text);
  if (d && position(c, d) < c->now) return d;
  if (d) {
    report_early_use(c, name, d);
    return NULL;
  }
  if (c->quiet || c->names_lost || !is_written(name) || ptrmap_put(&c->reported, name.text, c))
    return NULL;
  report_error(c, name.span, "unknown-type", "there is no type called `%s`", name.text);
  if (c->diags->errors > LIMIT_ERRORS) return NULL;
  struct spell_best s = {0};
  spell_consider(&s, name.text, "bool");
  spell_consider(&s, name.text, "int");
  spell_consider(&s, name.text, "real");
  spell_consider(&s, name.text, "list");
  suggest_from(c, &s, name.text, &c->type_names);
  const char *foreign = foreign_hint(FOREIGN_TYPE, name.text);
  if (foreign)
    report_hint(c, "%s", foreign);
  else if (s.word)
    report_nearest(c, &s);
  else
    report_hint(c, "declare it: type %s;", name.text);
  return NULL;
}

static const char *role_text(enum var_role role) {
  switch (role) {
  case VAR_INPUT: return "an input";
  case VAR_ARG: return "an argument";
  case VAR_LOCAL: return "a variable";
  case VAR_LOOP: return "a loop index";
  case VAR_STATE: return "a state variable";
  case VAR_BINDER: return "a bound variable";
  }
  return "a variable";
}

struct ast_var *names_bind(struct checker *c, struct ast_var *var) {
  const char *name = var->name.text;
  struct ast_var *before = ptrmap_get(&c->locals, name);
  struct ast_decl *global = ptrmap_get(&c->values, name);
  if (before && before != var) {
    report_error(c, var->name.span, "shadowed-name", "`%s` is already the name of %s here", name,
                 role_text(before->role));
    report_hint(c, "choose another name");
    report_note(c, before->name.span, "the other `%s`", name);
  } else if (global && global->kind != DECL_ERROR && position(c, global) <= c->now) {
    report_error(c, var->name.span, "shadowed-name", "`%s` is already the name of %s", name,
                 decl_kind_text(global->kind));
    report_hint(c, "choose another name");
    report_note(c, global->name.span, "the other `%s`", name);
  }
  ptrmap_put(&c->locals, name, var);
  return before;
}

void names_unbind(struct checker *c, struct ast_var *var, struct ast_var *before) {
  ptrmap_put(&c->locals, var->name.text, before);
}
