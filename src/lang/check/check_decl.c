/* Declarations, except automata and instances. */
#include "lang/check/check_internal.h"
#include "lang/check/constant.h"
#include "lang/syntax/walk.h"

/* ---- parameters, lets, ops, axioms ------------------------------------------------------------
 */

static void check_param(struct checker *c, struct ast_decl *d) {
  struct ast_type *t = d->as.param.type;
  bool shared = false; /* with the name before it, in `param a, b : T` */
  if (c->now > 1) {
    const struct ast_decl *before = c->module->decls[c->now - 2];
    shared = before->kind == DECL_PARAM && before->as.param.type == t;
  }
  if (!shared) type_resolve(c, t);
  c->now++; /* its assumptions may mention it */
  for (size_t i = 0; i < d->as.param.count; i++)
    check_formula(c, d->as.param.assumptions[i],
                  (struct expr_context){.place = "the assumption", .formula = true});
  c->now--;
}

static void remember_constant(struct checker *c, struct ast_decl *d) {
  fmpq *value = arena_new(&c->lang->arena, fmpq);
  fmpq_init(value);
  if (!d->as.let.arg_count && constant_eval(value, d->as.let.body)) {
    vec_push(&c->lang->numbers, value);
    d->as.let.constant = value;
  } else {
    fmpq_clear(value);
  }
}

static void check_let(struct checker *c, struct ast_decl *d) {
  bind_args(c, d->as.let.args, d->as.let.arg_count, VAR_ARG);
  c->ctx =
      (struct expr_context){.place = "a let", .formula = true, .next_slot = d->as.let.arg_count};
  c->quantified = false;
  struct ast_type *written = d->as.let.type;
  if (d->as.let.body->kind == EXPR_HOLE) {
    report_error(c, d->as.let.body->span, "misplaced-hole",
                 "the value of `%s` is still to be found", d->name.text);
    report_hint(c, "`couplet tune FILE` finds it and prints the file with it");
    d->as.let.result = c->types->error;
  } else if (written) {
    d->as.let.result = type_resolve(c, written);
    check_against(c, d->as.let.body, d->as.let.result, "`%s`", d->name.text);
  } else {
    d->as.let.result = check_expr(c, d->as.let.body);
    if (d->as.let.result == c->types->empty_list) {
      report_error(c, d->as.let.body->span, "cannot-infer-type",
                   "the type of `%s` cannot be found out: nothing says what its items are",
                   d->name.text);
      report_hint(c, "declare it: let %s : list(...) = [];", d->name.text);
      d->as.let.result = c->types->error;
    }
  }
  if (c->quantified) ptrmap_put(&c->formulas, d, d);
  remember_constant(c, d);
}

static void check_op(struct checker *c, struct ast_decl *d) {
  bind_args(c, d->as.op.args, d->as.op.arg_count, VAR_ARG);
  type_resolve(c, d->as.op.result);
}

/* ---- adversaries and routines -----------------------------------------------------------------
 */

static void check_use(struct checker *c, struct ast_decl *d, size_t index) {
  struct ast_oracle_use *use = &d->as.adversary.uses[index];
  resolve_args(c, use->args, use->arg_count, VAR_ARG);
  if (use->returns) type_resolve(c, use->returns);
  for (size_t i = 0; i < index; i++) {
    const struct ast_oracle_use *other = &d->as.adversary.uses[i];
    if (other->name.text != use->name.text) continue;
    report_error(c, use->name.span, "duplicate-name", "the oracle `%s` is named twice",
                 use->name.text);
    report_note(c, other->name.span, "the other `%s`", use->name.text);
  }
  if (!use->bound) return;
  c->ctx.place = "the bound on calls";
  check_against(c, use->bound, c->types->integer, "the bound on calls");
  if (constant_sign(use->bound) == -1)
    report_error(c, use->bound->span, "negative-bound",
                 "the bound on calls of `%s` may not be negative", use->name.text);
}

static void check_adversary(struct checker *c, struct ast_decl *d) {
  bind_args(c, d->as.adversary.args, d->as.adversary.arg_count, VAR_ARG);
  if (d->as.adversary.returns) type_resolve(c, d->as.adversary.returns);
  for (size_t i = 0; i < d->as.adversary.use_count; i++)
    check_use(c, d, i);
}

static void check_procedure(struct checker *c, struct ast_decl *d) {
  struct ast_routine *ast = d->as.procedure;
  struct routine r = {.kind = ROUTINE_PROCEDURE, .ast = ast, .decl = d, .returns = c->types->unit};
  bind_args(c, ast->args, ast->arg_count, VAR_ARG);
  if (ast->returns) r.returns = type_resolve(c, ast->returns);
  check_routine(c, &r);
}

/* The first one, or NULL. */
static const struct ast_var *private_input(const struct ast_routine *r) {
  for (size_t i = 0; i < r->arg_count; i++)
    if (r->args[i]->is_private) return r->args[i];
  return NULL;
}

/* ---- what is required of inputs ------------------------------------------------------------------
 */

static void look_for_private(const struct ast_expr *e, void *found) {
  const struct ast_var *var = e->kind == EXPR_NAME ? e->as.name.var : NULL;
  *(bool *)found |= var && var->role == VAR_INPUT && var->is_private;
  walk_parts(e, look_for_private, found);
}

static bool is_about_private(const struct ast_expr *e) {
  bool found = false;
  look_for_private(e, &found);
  return found;
}

/* a and b; a may be NULL. */
static struct ast_expr *and_also(struct checker *c, struct ast_expr *a, struct ast_expr *b) {
  if (!a) return b;
  struct ast_expr *both = arena_new(&c->lang->arena, struct ast_expr);
  *both = (struct ast_expr){.kind = EXPR_BINARY, .span = a->span, .type = c->types->boolean};
  both->as.binary.op = BINARY_AND;
  both->as.binary.left = a;
  both->as.binary.right = b;
  return both;
}

static struct ast_expr *in_one_run(struct checker *c, struct ast_expr *e, int run) {
  struct ast_expr *tag = arena_new(&c->lang->arena, struct ast_expr);
  *tag = (struct ast_expr){.kind = EXPR_TAG, .span = e->span, .type = c->types->boolean};
  tag->as.tag.operand = e;
  tag->as.tag.run = run;
  return tag;
}

/* The formula (or NULL) and what the mechanism requires of private inputs: in the run that it is
 * about or, with `two_runs`, in both. */
static struct ast_expr *with_requirements(struct checker *c, struct ast_expr *formula,
                                          const struct ast_decl *mechanism, bool two_runs) {
  for (size_t i = 0; i < mechanism->as.mechanism.written_count; i++) {
    struct ast_expr *e = mechanism->as.mechanism.requires_written[i];
    if (!is_about_private(e)) continue;
    formula = and_also(c, formula, two_runs ? in_one_run(c, e, 1) : e);
    if (two_runs) formula = and_also(c, formula, in_one_run(c, e, 2));
  }
  return formula;
}

static void check_requirements(struct checker *c, struct ast_decl *d, size_t slot) {
  VEC(struct ast_expr *) public = {0};
  for (size_t i = 0; i < d->as.mechanism.written_count; i++) {
    struct ast_expr *e = d->as.mechanism.requires_written[i];
    check_formula(c, e,
                  (struct expr_context){.place = "the condition after `requires`",
                                        .formula = true,
                                        .next_slot = slot});
    if (!is_about_private(e)) vec_push(&public, e);
  }
  d->as.mechanism.require_count = public.len;
  d->as.mechanism.requires = arena_take_vec(&c->lang->arena, &public);
  if (d->as.mechanism.adjacent)
    d->as.mechanism.adjacent = with_requirements(c, d->as.mechanism.adjacent, d, true);
}

static void check_head(struct checker *c, struct ast_decl *d) {
  struct ast_routine *ast = d->as.mechanism.routine;
  size_t slot = ast->arg_count;
  c->ctx = (struct expr_context){.place = "the length of an input", .public_only = true};
  bind_args(c, ast->args, ast->arg_count, VAR_INPUT);
  if (ast->emits) type_resolve(c, ast->emits);
  if (ast->returns) type_resolve(c, ast->returns);
  if (d->as.mechanism.adjacent)
    check_formula(c, d->as.mechanism.adjacent,
                  (struct expr_context){.place = "the adjacency formula",
                                        .formula = true,
                                        .two_runs = true,
                                        .next_slot = slot});
  check_requirements(c, d, slot);
  if (!ast->emits && !ast->returns) {
    report_error(
        c, d->name.span, "no-output",
        "the mechanism `%s` neither emits nor returns anything: there is nothing to verify",
        d->name.text);
    report_hint(c, "declare its output after the arguments: returns T or emits T");
  }
}

static void check_oracle_head(struct checker *c, struct ast_routine *o) {
  resolve_args(c, o->args, o->arg_count, VAR_ARG);
  if (o->returns) type_resolve(c, o->returns);
}

static void remember_inputs(struct checker *c, struct ast_routine *r) {
  for (size_t i = 0; i < r->arg_count; i++) {
    struct input *input = arena_new(&c->lang->arena, struct input);
    input->var = r->args[i];
    input->next = ptrmap_put(&c->inputs, r->args[i]->name.text, input);
  }
}

static void check_mechanism(struct checker *c, struct ast_decl *d) {
  struct ast_routine *ast = d->as.mechanism.routine;
  check_head(c, d);
  c->ctx = (struct expr_context){.place = "a program"};
  for (size_t i = 0; i < ast->oracle_count; i++)
    check_oracle_head(c, ast->oracles[i]);
  struct routine r = {.kind = ROUTINE_MECHANISM,
                      .ast = ast,
                      .decl = d,
                      .returns = ast->returns ? ast->returns->type : c->types->unit,
                      .emits = ast->emits ? ast->emits->type : NULL};
  check_routine(c, &r);
  remember_inputs(c, ast);
}

/* ---- claims -----------------------------------------------------------------------------------
 */

/* The inputs of a mechanism are visible in `under`, and so is what was declared since: a name must
 * not mean both. */
static void check_ambiguous(const struct ast_expr *e, void *context) {
  struct checker *c = context;
  const struct ast_var *var = e->kind == EXPR_NAME ? e->as.name.var : NULL;
  struct ast_decl *other =
      var && var->role == VAR_INPUT ? names_visible(c, &c->values, e->as.name.text) : NULL;
  if (other && other->kind != DECL_ERROR) {
    report_error(c, e->span, "ambiguous-name", "`%s` is an input of the mechanism, and also %s",
                 e->as.name.text, decl_kind_text(other->kind));
    report_hint(c, "rename one of them");
    report_note(c, var->name.span, "the input");
    report_note(c, other->name.span, "the other `%s`", e->as.name.text);
  }
  walk_parts(e, check_ambiguous, context);
}

static void bind_inputs(struct checker *c, const struct ast_routine *r) {
  bool quiet = c->quiet;
  c->quiet = true; /* what the arguments hide was reported at the mechanism */
  for (size_t i = 0; i < r->arg_count; i++)
    names_bind(c, r->args[i]);
  c->quiet = quiet;
}

static void check_under(struct checker *c, struct ast_decl *claim, struct ast_decl *subject) {
  struct ast_routine *r = subject->as.mechanism.routine;
  bind_inputs(c, r);
  check_formula(c, claim->as.claim.under,
                (struct expr_context){.place = "the adjacency formula",
                                      .formula = true,
                                      .two_runs = true,
                                      .next_slot = r->arg_count});
  check_ambiguous(claim->as.claim.under, c);
  claim->as.claim.under = with_requirements(c, claim->as.claim.under, subject, true);
}

static void check_delta(struct checker *c, struct ast_expr *delta) {
  c->ctx = (struct expr_context){.place = "delta"};
  check_probability(c, delta, "delta", "bad-delta");
}

/* An order that is a number must be above 1; of others that is proved. */
static void check_order(struct checker *c, struct ast_expr *order) {
  c->ctx = (struct expr_context){.place = "the order"};
  check_numeric(c, order, "the order");
  fmpq_t value;
  fmpq_init(value);
  if (constant_eval(value, order) && fmpq_cmp_si(value, 1) <= 0) {
    report_error(c, order->span, "bad-order", "the order of a Renyi divergence is above 1");
    report_hint(c, "orders 1 and below are not supported; infinity is `epsilon e`");
  }
  fmpq_clear(value);
}

static void check_cost(struct checker *c, struct ast_decl *claim) {
  static const char *const names[] = {[NOTION_PURE] = "epsilon",
                                      [NOTION_RENYI] = "epsilon",
                                      [NOTION_ZCDP] = "rho",
                                      [NOTION_GAUSSIAN] = "mu"};
  const char *name = names[claim->as.claim.notion];
  struct ast_expr *cost = claim->as.claim.epsilon;
  if (claim->as.claim.order) check_order(c, claim->as.claim.order);
  struct ast_var *order = claim->as.claim.all_order, *hidden = NULL;
  c->ctx = (struct expr_context){.place = name};
  if (order) {
    order->type = c->types->real;
    hidden = names_bind(c, order);
  }
  if (cost->kind == EXPR_HOLE)
    cost->type = c->types->real;
  else
    check_numeric(c, cost, name);
  if (order) names_unbind(c, order, hidden);
  if (cost->kind == EXPR_HOLE || constant_sign(cost) != -1) return;
  report_error(c, cost->span, "bad-epsilon", "%s may not be negative", name);
  report_hint(c, "write a number that is 0 or more, or a parameter; `?` asks for the least");
}

/* What is written most often about data of this type. */
static void hint_adjacency(struct checker *c, const struct ast_var *data) {
  const char *name = data->name.text;
  const struct type *type = data->type, *item = type->kind == TYPE_ARRAY ? type->elem : NULL;
  char *example = type_is_numeric(type)           ? xasprintf("within(%s, 1)", name)
                  : item && type_is_numeric(item) ? xasprintf("all_within(%s, 1)", name)
                  : item && type_is_option(item)  ? xasprintf("add_remove(%s)", name)
                  : item                          ? xasprintf("one_changes(%s)", name)
                                                  : xasprintf("true");
  report_hint(c,
              "say how far the data of neighbours may differ: `adjacent %s` or another formula "
              "before the body of the mechanism, or `under ...` in the claim",
              example);
  free(example);
}

static void check_program_claim(struct checker *c, struct ast_decl *claim) {
  struct ast_decl *subject = claim->as.claim.target;
  check_cost(c, claim);
  if (claim->as.claim.delta) check_delta(c, claim->as.claim.delta);
  if (!c->diags->errors && !private_input(subject->as.mechanism.routine)) {
    report_warning(
        c, claim->as.claim.subject.span, "nothing-private",
        "no input of `%s` is private: both runs are the same, and the claim says nothing",
        subject->name.text);
    report_hint(c, "write `private` before the inputs that hold the data");
    report_note(c, subject->name.span, "the mechanism");
  }
  if (claim->as.claim.under) {
    check_under(c, claim, subject);
  } else if (!subject->as.mechanism.adjacent && private_input(subject->as.mechanism.routine)) {
    report_error(c, claim->as.claim.subject.span, "no-adjacency",
                 "which inputs of `%s` are adjacent? Neither the mechanism nor the claim says it",
                 subject->name.text);
    hint_adjacency(c, private_input(subject->as.mechanism.routine));
    report_note(c, subject->name.span, "the mechanism");
  }
  check_at(c, claim, subject->as.mechanism.routine);
}

/* ---- accuracy ---------------------------------------------------------------------------------
 */

/* `result` or `emitted`, behind the variables of the mechanism in its frame. It has no declared
 * length: what is returned has one of its own, and arrays are compared item by item. */
static struct ast_var *bind_output(struct checker *c, const struct ast_decl *claim,
                                   const char *name, const struct type *type, size_t slot) {
  struct ast_var *var = arena_new(&c->lang->arena, struct ast_var);
  *var =
      (struct ast_var){.role = VAR_LOCAL,
                       .name = {intern_str(&c->lang->intern, name), claim->as.claim.subject.span},
                       .type = type,
                       .slot = slot};
  names_bind(c, var);
  return var;
}

/* The outputs of the mechanism that the formula can name. */
static void bind_outputs(struct checker *c, struct ast_decl *claim, const struct ast_routine *r) {
  if (r->returns)
    claim->as.claim.result = bind_output(c, claim, "result", r->returns->type, r->slot_count);
  if (r->emits)
    claim->as.claim.emitted =
        bind_output(c, claim, "emitted", type_array(c->types, r->emits->type), r->slot_count + 1);
}

/* An output that the mechanism does not have. */
struct missing_output {
  struct checker *c;
  const char *name, *missing, *hint;
  bool found;
};

static void report_missing_output(const struct ast_expr *e, void *context) {
  struct missing_output *m = context;
  if (!m->found && e->kind == EXPR_NAME &&
      e->as.name.text == intern_str(&m->c->lang->intern, m->name) &&
      !ptrmap_get(&m->c->locals, e->as.name.text)) {
    report_error(m->c, e->span, "no-result", "the mechanism %s: there is no `%s`", m->missing,
                 m->name);
    report_hint(m->c, "%s", m->hint);
    m->found = true;
  }
  walk_parts(e, report_missing_output, context);
}

static bool has_outputs(struct checker *c, const struct ast_expr *e, const struct ast_routine *r) {
  struct missing_output result = {c, "result", "returns nothing",
                                  "what it emits is `emitted`: the first value is `emitted[0]`",
                                  false};
  struct missing_output emitted = {c, "emitted", "emits nothing", "what it returns is `result`",
                                   false};
  if (!r->returns) report_missing_output(e, &result);
  if (!r->emits) report_missing_output(e, &emitted);
  return !result.found && !emitted.found;
}

/* A formula about the inputs of one run and, with `after`, about its outputs. */
static void check_one_run(struct checker *c, struct ast_expr *formula, const struct ast_routine *r,
                          const char *place, bool after) {
  check_formula(c, formula,
                (struct expr_context){.place = place,
                                      .formula = true,
                                      .may_ask = after,
                                      .next_slot = after ? r->slot_count + 2 : r->arg_count});
  check_ambiguous(formula, c);
}

/* What a claim about one run assumes of the inputs. */
static void check_condition(struct checker *c, struct ast_decl *claim) {
  const struct ast_decl *subject = claim->as.claim.target;
  if (claim->as.claim.under)
    check_one_run(c, claim->as.claim.under, subject->as.mechanism.routine, "the formula of `under`",
                  false);
  claim->as.claim.under = with_requirements(c, claim->as.claim.under, subject, false);
}

static void check_accuracy(struct checker *c, struct ast_decl *claim) {
  const struct ast_decl *subject = claim->as.claim.target;
  const struct ast_routine *r = subject->as.mechanism.routine;
  struct ast_expr *failure = claim->as.claim.epsilon;
  c->ctx = (struct expr_context){.place = "the probability of failure"};
  if (failure->kind == EXPR_HOLE)
    failure->type = c->types->real;
  else
    check_probability(c, failure, "the probability of failure", "bad-failure");
  bind_inputs(c, r);
  check_condition(c, claim);
  if (failure->kind == EXPR_HOLE && claim->as.claim.asked != failure) {
    report_error(c, failure->span, "misplaced-hole",
                 "the claim asks for a number of its formula and for the probability at once");
    report_hint(c, "state one of them: the smaller the one, the larger the other");
    report_note(c, claim->as.claim.asked->span, "the number");
  }
  bind_outputs(c, claim, r);
  if (has_outputs(c, claim->as.claim.formula, r))
    check_one_run(c, claim->as.claim.formula, r, "the formula of the claim", true);
}

/* ---- laws -------------------------------------------------------------------------------------- */

/* Families whose single values have probabilities that are terms. */
static bool has_masses(const struct ast_dist *d) {
  return !d->sugar && dist_is_discrete(d->kind) && d->kind != DIST_UNIFORM_SET;
}

static void check_law(struct checker *c, struct ast_decl *claim) {
  const struct ast_decl *subject = claim->as.claim.target;
  const struct ast_routine *r = subject->as.mechanism.routine;
  struct ast_dist *law = claim->as.claim.law;
  claim->as.claim.formula->type = c->types->boolean;
  claim->as.claim.epsilon->type = c->types->integer;
  bind_inputs(c, r);
  c->ctx =
      (struct expr_context){.place = "the distribution of the claim", .next_slot = r->arg_count};
  check_dist(c, law);
  check_condition(c, claim);
  if (!r->returns) {
    report_error(c, claim->as.claim.subject.span, "no-result",
                 "`%s` returns nothing: there is no result to have a distribution",
                 subject->name.text);
    report_hint(c, "a claim with `samples` is about what a mechanism returns");
    report_note(c, subject->name.span, "the mechanism");
    return;
  }
  if (!has_masses(law)) {
    report_error(c, law->span, "bad-law",
                 "a claim with `samples` needs Bernoulli, UniformInt, Geom, DLap or DGauss");
    report_hint(c,
                "the samples must be truth values or integers whose probabilities have a formula");
  } else if (r->returns->type != dist_type(c, law) && r->returns->type->kind != TYPE_ERROR) {
    report_error(c, law->span, "type-mismatch", "samples of %s are %s, but `%s` returns %s",
                 dist_get(law->kind)->name, type_text(c, dist_type(c, law)), subject->name.text,
                 type_text(c, r->returns->type));
    report_note(c, subject->name.span, "the mechanism");
  }
  claim->as.claim.result = bind_output(c, claim, "result", r->returns->type, r->slot_count);
}

void check_claim(struct checker *c, struct ast_decl *d) {
  struct ast_decl *subject = names_find_value(c, d->as.claim.subject, "mechanism or automaton");
  if (!subject) return;
  if (subject->kind != DECL_MECHANISM && subject->kind != DECL_AUTOMATON) {
    report_error(c, d->as.claim.subject.span, "bad-subject",
                 "a claim is about a mechanism or an automaton, but `%s` is %s", subject->name.text,
                 decl_kind_text(subject->kind));
    report_note(c, subject->name.span, "it is declared here");
    return;
  }
  d->as.claim.target = subject;
  if (subject->kind == DECL_AUTOMATON && d->as.claim.formula) {
    report_error(c, d->as.claim.subject.span, "bad-subject",
                 "a claim of %s is about a mechanism, but `%s` is an automaton",
                 d->as.claim.law ? "samples" : "accuracy", subject->name.text);
    report_note(c, subject->name.span, "it is declared here");
  } else if (subject->kind == DECL_MECHANISM && d->as.claim.law)
    check_law(c, d);
  else if (subject->kind == DECL_MECHANISM && d->as.claim.formula)
    check_accuracy(c, d);
  else if (subject->kind == DECL_MECHANISM)
    check_program_claim(c, d);
  else
    check_automaton_claim(c, d);
}

/* ---- all --------------------------------------------------------------------------------------
 */

void check_decl(struct checker *c, struct ast_decl *d) {
  ptrmap_clear(&c->locals);
  ptrmap_clear(&c->oracles);
  ptrmap_clear(&c->reported);
  c->ctx = (struct expr_context){.place = "a declaration"};
  switch (d->kind) {
  case DECL_ERROR:
  case DECL_INCLUDE:
  case DECL_TYPE: break;
  case DECL_PARAM: check_param(c, d); break;
  case DECL_LET: check_let(c, d); break;
  case DECL_OP: check_op(c, d); break;
  case DECL_LIBM: check_libm(c, d); break;
  case DECL_AXIOM:
  case DECL_LEMMA:
    check_formula(c, d->as.formula,
                  (struct expr_context){.place = d->kind == DECL_AXIOM ? "the axiom" : "the lemma",
                                        .formula = true});
    break;
  case DECL_ADVERSARY: check_adversary(c, d); break;
  case DECL_PROCEDURE: check_procedure(c, d); break;
  case DECL_MECHANISM: check_mechanism(c, d); break;
  case DECL_AUTOMATON: check_automaton(c, d); break;
  case DECL_CLAIM: check_claim(c, d); break;
  case DECL_INSTANCE: check_instance(c, d); break;
  }
}
