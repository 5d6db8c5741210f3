/* Before the first run: what a mechanism needs, where it comes from, and whether it is right. */
#include <stdlib.h>

#include "lang/syntax/builtin.h"
#include "lang/syntax/walk.h"
#include "run/eval/interp_setup.h"

void interp_init(struct interp *in, struct lang *lang, const struct ast_module *module,
                 const struct ast_decl *mechanism) {
  *in = (struct interp){
      .lang = lang, .module = module, .mechanism = mechanism, .max_steps = INTERP_MAX_STEPS};
  const struct ast_routine *routine = mechanism->as.mechanism.routine;
  in->inputs = xcalloc(routine->arg_count + 1, sizeof *in->inputs);
  reval_init(&in->ev, lang, in->max_steps);
  rframe_init(&in->frame, routine->slot_count);
}

void interp_clear(struct interp *in) {
  for (size_t i = 0; i < in->adversaries.len; i++) {
    rframe_clear(&in->adversaries.at[i]->frame);
    free(in->adversaries.at[i]->queries);
    free(in->adversaries.at[i]->bounds);
    free(in->adversaries.at[i]);
  }
  vec_clear(&in->adversaries);
  for (size_t i = 0; i < in->param_overrides.len; i++)
    rvalue_clear(&in->param_overrides.at[i].value);
  vec_clear(&in->param_overrides);
  vec_clear(&in->param_decls);
  for (size_t i = 0; i < in->mechanism->as.mechanism.routine->arg_count; i++)
    rvalue_clear(&in->inputs[i].value);
  free(in->inputs);
  vec_clear(&in->also);
  vec_clear(&in->needs);
  rframe_clear(&in->frame);
  reval_clear(&in->ev);
}

/* ---- what is needed ------------------------------------------------------------------------- */

struct need_search {
  struct interp *in;
  struct ptrmap seen;
};

static void need_in_expr(const struct ast_expr *e, void *context);

static void need_in_routine(const struct ast_routine *r, struct need_search *s) {
  for (size_t i = 0; i < r->arg_count; i++)
    walk_type(r->args[i]->declared, need_in_expr, s);
  walk_block(&r->body, need_in_expr, s);
  for (size_t i = 0; i < r->oracle_count; i++)
    need_in_routine(r->oracles[i], s);
}

/* What the instance says about a parameter, operator or adversary. */
static const struct ast_binding *find_meaning(const struct ast_decl *instance,
                                              const struct ast_decl *decl) {
  for (size_t i = 0; instance && i < instance->as.instance.count; i++)
    if (instance->as.instance.bindings[i].target == decl) return &instance->as.instance.bindings[i];
  return NULL;
}

/* What the instance says about the operator or adversary may need more. */
static void need_in_meaning(const struct ast_decl *decl, struct need_search *s) {
  const struct ast_decl *instance = s->in->instance;
  if (decl->kind == DECL_OP) {
    const struct ast_binding *b = find_meaning(instance, decl);
    if (b) need_in_expr(b->value, s);
    return;
  }
  for (size_t i = 0; i < decl->as.adversary.use_count; i++)
    need_in_expr(decl->as.adversary.uses[i].bound, s);
  const struct ast_binding *b = find_meaning(instance, decl);
  if (b) need_in_routine(b->routine, s);
}

static void need_decl(const struct ast_decl *decl, struct need_search *s) {
  if (!decl || ptrmap_put(&s->seen, decl, (void *)decl)) return;
  switch (decl->kind) {
  case DECL_PARAM:
    walk_type(decl->as.param.type, need_in_expr, s);
    vec_push(&s->in->needs, decl);
    break;
  case DECL_LET: need_in_expr(decl->as.let.body, s); break;
  case DECL_PROCEDURE: need_in_routine(decl->as.procedure, s); break;
  case DECL_OP:
  case DECL_ADVERSARY:
    vec_push(&s->in->needs, decl);
    need_in_meaning(decl, s);
    break;
  default: break;
  }
}

static void need_in_expr(const struct ast_expr *e, void *context) {
  if (e->kind == EXPR_NAME && !e->as.name.var) need_decl(e->as.name.decl, context);
  if (e->kind == EXPR_CALL && e->as.call.callee_kind != CALLEE_BUILTIN)
    need_decl(e->as.call.decl, context);
  walk_parts(e, need_in_expr, context);
}

void interp_also_needs(struct interp *in, const struct ast_expr *e) {
  vec_push(&in->also, e);
}

static void find_needs(struct interp *in) {
  struct need_search s = {.in = in};
  ptrmap_init(&s.seen);
  in->needs.len = 0;
  need_in_routine(in->mechanism->as.mechanism.routine, &s);
  for (size_t i = 0; i < in->also.len; i++)
    need_in_expr(in->also.at[i], &s);
  for (size_t i = 0; i < in->mechanism->as.mechanism.written_count; i++)
    if (reval_is_executable(in->mechanism->as.mechanism.requires_written[i]))
      need_in_expr(in->mechanism->as.mechanism.requires_written[i], &s);
  ptrmap_clear(&s.seen);
}

/* ---- where it comes from -------------------------------------------------------------------- */

static struct interp_given *find_override(struct interp *in, const struct ast_decl *param) {
  for (size_t i = 0; i < in->param_decls.len; i++)
    if (in->param_decls.at[i] == param) return &in->param_overrides.at[i];
  return NULL;
}

void interp_set_param(struct interp *in, const struct ast_decl *param, struct rvalue value,
                      struct span span) {
  struct interp_given *given = find_override(in, param);
  if (!given) {
    vec_push(&in->param_decls, param);
    vec_push(&in->param_overrides, (struct interp_given){.span = span});
    given = &vec_last(&in->param_overrides);
  }
  rvalue_clear(&given->value);
  *given = (struct interp_given){value, span};
}

void interp_set_input(struct interp *in, size_t index, struct rvalue value, struct span span) {
  rvalue_clear(&in->inputs[index].value);
  in->inputs[index] = (struct interp_given){value, span};
}

static const struct ast_binding *find_type(const struct ast_decl *instance, const char *name) {
  for (size_t i = 0; instance && i < instance->as.instance.count; i++) {
    const struct ast_binding *b = &instance->as.instance.bindings[i];
    if (b->kind == BINDING_TYPE && b->name.text == name) return b;
  }
  return NULL;
}

const struct type *interp_reveal(struct interp *in, const struct type *type) {
  struct types *types = &in->lang->types;
  const struct ast_binding *b;
  switch (type->kind) {
  case TYPE_ABSTRACT:
    b = find_type(in->instance, type->name);
    return b && b->type->type ? interp_reveal(in, b->type->type) : type;
  case TYPE_ARRAY: return type_array(types, interp_reveal(in, type->elem));
  case TYPE_LIST: return type->elem ? type_list(types, interp_reveal(in, type->elem)) : type;
  case TYPE_TUPLE: {
    VEC(const struct type *) items = {0};
    for (size_t i = 0; i < type->count; i++)
      vec_push(&items, interp_reveal(in, type->items[i]));
    const struct type *tuple = type_tuple(types, items.at, items.len);
    vec_clear(&items);
    return tuple;
  }
  default: return type;
  }
}

/* Inputs are named alone, and another mechanism may have one of the same name and another type. */
const struct ast_binding *interp_input(struct interp *in, const struct ast_var *arg) {
  const struct ast_decl *d = in->instance;
  for (size_t i = 0; d && i < d->as.instance.count; i++) {
    const struct ast_binding *b = &d->as.instance.bindings[i];
    if (b->kind == BINDING_INPUT && b->name.text == arg->name.text && b->value->type &&
        type_fits_input(interp_reveal(in, arg->type), b->value->type))
      return b;
  }
  return NULL;
}

static bool is_given(struct interp *in, const struct ast_decl *need) {
  switch (need->kind) {
  case DECL_PARAM: return find_override(in, need) || find_meaning(in->instance, need);
  case DECL_OP: return find_meaning(in->instance, need);
  default: return find_meaning(in->instance, need);
  }
}

static bool is_input_given(struct interp *in, size_t i) {
  const struct ast_var *arg = in->mechanism->as.mechanism.routine->args[i];
  return in->inputs[i].value.kind != RVALUE_UNSET || interp_input(in, arg);
}

/* Inputs of the mechanism that the instance gives, and whether nothing at all is missing. */
static size_t count_inputs(struct interp *in, bool *complete) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  size_t found = 0;
  *complete = true;
  for (size_t i = 0; i < routine->arg_count; i++) {
    found += interp_input(in, routine->args[i]) != NULL;
    *complete = *complete && is_input_given(in, i);
  }
  find_needs(in);
  for (size_t i = 0; i < in->needs.len; i++)
    *complete = *complete && is_given(in, in->needs.at[i]);
  return found;
}

const struct ast_decl *interp_choose_instance(struct interp *in) {
  const struct ast_decl *before = in->instance, *first = NULL, *partial = NULL, *whole = NULL;
  for (size_t i = 0; i < in->module->decl_count && !whole; i++) {
    const struct ast_decl *decl = in->module->decls[i];
    if (decl->kind != DECL_INSTANCE) continue;
    bool complete;
    in->instance = decl;
    size_t inputs = count_inputs(in, &complete);
    if (!first) first = decl;
    if (!partial && inputs) partial = decl;
    if (complete) whole = decl;
  }
  in->instance = before;
  return whole ? whole : partial ? partial : first;
}

/* Says in one message all that is missing, and how to give it. */
static void say_missing(struct interp *in) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  struct buffer what, how;
  buffer_init(&what);
  buffer_init(&how);
  bool needs_script = false;
  for (size_t i = 0; i < in->needs.len; i++) {
    const struct ast_decl *d = in->needs.at[i];
    if (is_given(in, d)) continue;
    const char *kind = d->kind == DECL_PARAM ? "parameter"
                       : d->kind == DECL_OP  ? "operator"
                                             : "adversary";
    buffer_printf(&what, "%s%s `%s`", what.len ? ", " : "", kind, d->name.text);
    needs_script = needs_script || d->kind != DECL_PARAM;
    if (d->kind == DECL_PARAM)
      buffer_printf(&how, "%s--param %s=VALUE", how.len ? " " : "", d->name.text);
  }
  for (size_t i = 0; i < routine->arg_count; i++) {
    if (is_input_given(in, i)) continue;
    const char *name = routine->args[i]->name.text;
    buffer_printf(&what, "%sinput `%s`", what.len ? ", " : "", name);
    buffer_printf(&how, "%s--input %s=VALUE", how.len ? " " : "", name);
  }
  struct diags *diags = &in->lang->diags;
  diag_error(diags, in->mechanism->name.span, "missing-value", "`%s` cannot run: no value for %s",
             in->mechanism->name.text, buffer_text(&what));
  if (needs_script)
    diag_hint(diags, "operators and adversaries get their meaning in an instance%s%s",
              how.len ? "; the rest also by " : "", buffer_text(&how));
  else
    diag_hint(diags, "write an instance, or give %s", buffer_text(&how));
  if (in->instance)
    diag_note(diags, in->instance->name.span, "the instance `%s` does not give %s",
              in->instance->name.text, buffer_text(&what));
  buffer_clear(&what);
  buffer_clear(&how);
}

/* ---- taking it in --------------------------------------------------------------------------- */

/* Parameters first: other values may mention them. Also those of the instance that nobody needs,
 * because assumptions may relate them. */
static bool take_params(struct interp *in) {
  for (size_t i = 0; i < in->module->decl_count; i++) {
    const struct ast_decl *decl = in->module->decls[i];
    if (decl->kind != DECL_PARAM) continue;
    const struct interp_given *given = find_override(in, decl);
    const struct ast_binding *b = find_meaning(in->instance, decl);
    struct rvalue value;
    if (given)
      value = rvalue_copy(&given->value);
    else if (!b)
      continue;
    else if (!reval_take(&in->ev, NULL, b->value, &value))
      return false;
    reval_set_param(&in->ev, decl, value);
  }
  return true;
}

static bool take_inputs(struct interp *in) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < routine->arg_count; i++) {
    struct rvalue *slot = &in->frame.at[routine->args[i]->slot];
    rvalue_clear(slot);
    const struct ast_binding *b = interp_input(in, routine->args[i]);
    if (in->inputs[i].value.kind != RVALUE_UNSET)
      *slot = rvalue_copy(&in->inputs[i].value);
    else if (!reval_take(&in->ev, NULL, b->value, slot))
      return false;
  }
  return true;
}

static void take_meanings(struct interp *in) {
  for (size_t i = 0; i < in->needs.len; i++) {
    const struct ast_decl *d = in->needs.at[i];
    if (d->kind == DECL_OP) ptrmap_put(&in->ev.ops, d, (void *)find_meaning(in->instance, d));
    if (d->kind != DECL_ADVERSARY) continue;
    struct interp_adversary *a = xcalloc(1, sizeof *a);
    a->decl = d;
    a->script = find_meaning(in->instance, d)->routine;
    a->queries = xcalloc(d->as.adversary.use_count + 1, sizeof *a->queries);
    a->bounds = xcalloc(d->as.adversary.use_count + 1, sizeof *a->bounds);
    rframe_init(&a->frame, a->script->slot_count);
    vec_push(&in->adversaries, a);
  }
}

/* ---- whether it is right -------------------------------------------------------------------- */

static struct span param_place(struct interp *in, const struct ast_decl *param) {
  const struct interp_given *given = find_override(in, param);
  if (given) return given->span;
  const struct ast_binding *b = find_meaning(in->instance, param);
  return b ? b->span : span_none();
}

struct mention_search {
  struct interp *in;
  bool unknown;       /* mentions a parameter or operator without a value */
  struct ptrmap seen; /* lets already looked into */
  VEC(const struct ast_decl *) params;
  VEC(const struct ast_var *) inputs;
};

static void find_mentions(const struct ast_expr *e, void *context) {
  struct mention_search *s = context;
  const struct ast_decl *d = e->kind == EXPR_NAME && !e->as.name.var ? e->as.name.decl
                             : e->kind == EXPR_CALL                  ? e->as.call.decl
                                                                     : NULL;
  if (e->kind == EXPR_NAME && e->as.name.var && e->as.name.var->role == VAR_INPUT)
    vec_push(&s->inputs, e->as.name.var);
  if (d && d->kind == DECL_PARAM) {
    vec_push(&s->params, d);
    s->unknown = s->unknown || !reval_get_param(&s->in->ev, d);
  }
  if (d && d->kind == DECL_LET && !ptrmap_put(&s->seen, d, (void *)d))
    find_mentions(d->as.let.body, s);
  if (d && d->kind == DECL_OP) s->unknown = s->unknown || !ptrmap_get(&s->in->ev.ops, d);
  walk_parts(e, find_mentions, s);
}

/* `name = value`; long values are cut. */
static void print_mention(struct buffer *out, const char *name, const struct rvalue *value) {
  enum { most = 60 };
  buffer_printf(out, "%s%s = ", out->len ? ", " : "", name);
  size_t start = out->len;
  rvalue_print(out, value);
  if (out->len - start <= most) return;
  out->len = start + most - 3;
  buffer_puts(out, "...");
}

/* The mentioned parameters and inputs, each once. */
static void print_mentions(struct buffer *out, const struct mention_search *s) {
  for (size_t i = 0; i < s->params.len; i++) {
    bool repeated = false;
    for (size_t j = 0; j < i; j++)
      repeated = repeated || s->params.at[j] == s->params.at[i];
    const struct ast_decl *d = s->params.at[i];
    if (!repeated) print_mention(out, d->name.text, reval_get_param(&s->in->ev, d));
  }
  for (size_t i = 0; i < s->inputs.len; i++) {
    bool repeated = false;
    for (size_t j = 0; j < i; j++)
      repeated = repeated || s->inputs.at[j] == s->inputs.at[i];
    const struct ast_var *v = s->inputs.at[i];
    if (!repeated) print_mention(out, v->name.text, &s->in->frame.at[v->slot]);
  }
}

/* A condition that must hold here: assumption of a parameter, or `requires`. */
static bool check_condition(struct interp *in, const struct ast_expr *e, const char *code,
                            const char *what) {
  struct diags *diags = &in->lang->diags;
  if (!reval_is_executable(e)) {
    diag_warning(diags, e->span, "not-checked", "this %s cannot be checked for one run", what);
    return true;
  }
  bool truth = true;
  struct mention_search s = {.in = in};
  ptrmap_init(&s.seen);
  find_mentions(e, &s);
  ptrmap_clear(&s.seen);
  bool ok = s.unknown || reval_bool(&in->ev, &in->frame, e, &truth);
  if (ok && !truth) {
    struct buffer values;
    buffer_init(&values);
    print_mentions(&values, &s);
    diag_error(diags, e->span, code, "the %s does not hold%s%s", what, values.len ? " for " : "",
               buffer_text(&values));
    for (size_t i = 0; i < s.params.len; i++) {
      struct span place = param_place(in, s.params.at[i]);
      if (place.file) diag_note(diags, place, "`%s` is given here", s.params.at[i]->name.text);
    }
    buffer_clear(&values);
  }
  vec_clear(&s.params);
  vec_clear(&s.inputs);
  return ok && truth;
}

/* The arrays in a value have the lengths that its declaration says. */
static bool check_lengths(struct interp *in, const struct ast_type *t, const struct rvalue *v,
                          const char *name, struct span place) {
  if (!t || !rvalue_is_seq(v)) return true;
  const struct rvalue_seq *seq = v->as.seq;
  if (t->kind == TYPE_ARRAY && t->length) {
    struct rvalue length = rvalue_int(0);
    bool known = reval_integer(&in->ev, &in->frame, t->length, &length);
    bool ok = known && fmpz_equal_ui(&length.as.integer, seq->len);
    if (known && !ok) {
      struct buffer text;
      buffer_init(&text);
      rvalue_print(&text, &length);
      diag_error(&in->lang->diags, place.file ? place : t->length->span, "wrong-length",
                 "`%s` has %zu item%s, but its declared length is %s", name, seq->len,
                 seq->len == 1 ? "" : "s", buffer_text(&text));
      diag_note(&in->lang->diags, t->length->span, "the length is declared here");
      buffer_clear(&text);
    }
    rvalue_clear(&length);
    if (!ok) return false;
  }
  for (size_t i = 0; i < seq->len; i++) {
    const struct ast_type *item = t->kind == TYPE_TUPLE ? (i < t->count ? t->items[i] : NULL)
                                  : t->count            ? t->items[0]
                                                        : NULL;
    if (!check_lengths(in, item, &seq->at[i], name, place)) return false;
  }
  return true;
}

static bool check_params(struct interp *in) {
  bool ok = true;
  for (size_t i = 0; i < in->module->decl_count; i++) {
    const struct ast_decl *d = in->module->decls[i];
    if (d->kind != DECL_PARAM) continue;
    const struct rvalue *v = reval_get_param(&in->ev, d);
    if (v) ok = check_lengths(in, d->as.param.type, v, d->name.text, param_place(in, d)) && ok;
    for (size_t j = 0; j < d->as.param.count; j++)
      ok = check_condition(in, d->as.param.assumptions[j], "assumption-violated", "assumption") &&
           ok;
  }
  return ok;
}

static bool check_inputs(struct interp *in) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  bool ok = true;
  for (size_t i = 0; i < routine->arg_count; i++) {
    const struct ast_var *arg = routine->args[i];
    const struct ast_binding *b = interp_input(in, arg);
    struct span place = in->inputs[i].value.kind != RVALUE_UNSET ? in->inputs[i].span
                        : b                                      ? b->span
                                                                 : span_none();
    ok = check_lengths(in, arg->declared, &in->frame.at[arg->slot], arg->name.text, place) && ok;
  }
  for (size_t i = 0; ok && i < in->mechanism->as.mechanism.written_count; i++)
    ok = check_condition(in, in->mechanism->as.mechanism.requires_written[i], "requires-violated",
                         "condition of the mechanism");
  return ok;
}

bool interp_prepare(struct interp *in) {
  bool complete;
  in->ev.max_steps = in->max_steps;
  count_inputs(in, &complete);
  if (!complete && !in->is_partial) {
    say_missing(in);
    return false;
  }
  if (!take_params(in)) return false;
  if (!complete) return check_params(in);
  take_meanings(in);
  return check_params(in) && take_inputs(in) && check_inputs(in);
}

bool interp_zero(struct interp *in, struct rframe *f, const struct ast_type *t,
                 struct rvalue *out) {
  switch (t->kind) {
  case TYPE_BOOL: *out = rvalue_bool(false); return true;
  case TYPE_LIST: *out = rvalue_seq(RVALUE_LIST, 0); return true;
  case TYPE_TUPLE:
    *out = rvalue_seq(RVALUE_TUPLE, t->count);
    for (size_t i = 0; i < t->count; i++)
      if (!interp_zero(in, f, t->items[i], &out->as.seq->at[i])) {
        rvalue_clear(out);
        return false;
      }
    return true;
  case TYPE_ARRAY: break;
  default: *out = rvalue_int(0); return true;
  }
  struct rvalue length = {0}, item;
  if (!reval_integer(&in->ev, f, t->length, &length)) return false;
  bool ok =
      fmpz_sgn(&length.as.integer) >= 0 && fmpz_cmp_si(&length.as.integer, REVAL_MAX_ITEMS) <= 0;
  size_t n = ok ? fmpz_get_ui(&length.as.integer) : 0;
  if (!ok)
    diag_error(&in->lang->diags, t->length->span, "bad-length",
               "the length of an array must be between 0 and %d", (int)REVAL_MAX_ITEMS);
  rvalue_clear(&length);
  if (!ok || !interp_zero(in, f, t->items[0], &item)) return false;
  *out = rvalue_seq(RVALUE_ARRAY, n);
  for (size_t i = 0; i < n; i++)
    out->as.seq->at[i] = rvalue_copy(&item);
  rvalue_clear(&item);
  return true;
}
