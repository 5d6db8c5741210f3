#include "report/judge/judge_finite.h"

#include <stdlib.h>

#include "check/counterexample/domain.h"
#include "check/finite/finite.h"
#include "report/record/cert_write.h"
#include "report/record/counterexample.h"
#include "search/refute/finite_refute.h"

/* A value; of a literal that was converted to a float, what is written. */
static void put_domain_value(struct buffer *out, const struct ast_expr *e) {
  if (e->kind == EXPR_CALL && type_is_float(e->type)) e = e->as.call.args[0];
  struct rvalue v = domain_value(e);
  rvalue_print(out, &v);
  rvalue_clear(&v);
}

/* Is there a float that `at` does not mention? */
static bool has_open_input(const struct program_claim *claim) {
  const struct ast_routine *r = claim->claim->as.claim.target->as.mechanism.routine;
  for (size_t i = 0; i < r->arg_count; i++)
    if (!domain_of_input(claim->claim, r->args[i])) return true;
  return false;
}

/* The clause as written, on one line. */
static void put_at(struct buffer *out, const struct program_claim *claim) {
  const struct ast_decl *d = claim->claim;
  for (size_t i = 0; i < d->as.claim.at_count; i++) {
    const struct ast_domain *domain = &d->as.claim.at[i];
    buffer_printf(out, domain->is_set ? "%s%s in {" : "%s%s = ", i ? ", " : "at ",
                  domain->name.text);
    for (size_t k = 0; k < domain->count; k++) {
      if (k) buffer_puts(out, ", ");
      put_domain_value(out, domain->values[k]);
    }
    if (domain->is_set) buffer_putc(out, '}');
  }
  const struct ast_routine *r = d->as.claim.target->as.mechanism.routine;
  for (size_t i = 0; i < r->arg_count; i++)
    if (!domain_of_input(d, r->args[i])) buffer_printf(out, ", all %s", r->args[i]->name.text);
}

static void set_detail(struct claim_record *c, const struct program_claim *claim,
                       const struct finite_result *r) {
  struct buffer text;
  buffer_init(&text);
  put_at(&text, claim);
  if (r->status == FINITE_PROVED)
    buffer_printf(&text, ": by exact computation of all %zu pair%s of adjacent inputs%s", r->pairs,
                  r->pairs == 1 ? "" : "s",
                  has_open_input(claim) ? " that stand for the others" : "");
  if (!c->detail) c->detail = json_object();
  json_object_set_new(c->detail, "finite",
                      json_pack("{s:I, s:I, s:s}", "inputs", (json_int_t)r->inputs, "pairs",
                                (json_int_t)r->pairs, "text", buffer_text(&text)));
  buffer_clear(&text);
}

static void set_refuted(struct claim_record *c, const struct program_claim *claim,
                        const struct program_counterexample *ce) {
  c->verdict = VERDICT_REFUTED;
  c->counterexample = program_counterexample_json(claim, ce, NULL);
  c->certificate = cert_of_program(claim, ce);
  record_set(&c->reason, NULL);
}

static void set_violated(struct claim_record *c, const struct program_claim *claim,
                         const struct budget *budget, struct finite_result *r) {
  char *why = NULL;
  if (program_certify(&r->ce, claim, budget, &why)) {
    set_refuted(c, claim, &r->ce);
  } else {
    char *reason = xasprintf("a pair of inputs seems to break the claim, but was not certified: %s",
                             why ? why : "no reason given");
    record_set(&c->reason, reason);
    free(reason);
  }
  free(why);
}

bool judge_finite(struct claim_record *c, const struct program_claim *claim,
                  const struct budget *budget) {
  struct finite_result r;
  finite_result_init(&r);
  finite_decide(&r, claim, budget);
  set_detail(c, claim, &r);
  switch (r.status) {
  case FINITE_PROVED:
    c->verdict = VERDICT_PROVED;
    record_set(&c->reason, NULL);
    c->certificate = cert_of_finite(r.pairs);
    break;
  case FINITE_VIOLATED: set_violated(c, claim, budget, &r); break;
  case FINITE_UNKNOWN: {
    if (finite_refute(&r.ce, claim, budget)) {
      set_refuted(c, claim, &r.ce);
      break;
    }
    char *reason =
        xasprintf("not all pairs of inputs could be %s: %s%s", r.is_close ? "compared" : "computed",
                  r.why ? r.why : "no reason given",
                  r.is_close ? "\ntry: claim a little more, such as 1/10^9 added to "
                               "epsilon or to delta"
                             : "");
    record_set(&c->reason, reason);
    if (r.is_close) c->causes |= CAUSE_ADVISED;
    free(reason);
  }
  }
  const bool is_close = r.status == FINITE_UNKNOWN && r.is_close;
  finite_result_clear(&r);
  return is_close;
}
