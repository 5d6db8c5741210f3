#include "report/judge/judge_program.h"

#include <stdlib.h>
#include <string.h>

#include "report/judge/advise.h"
#include "report/judge/json_lines.h"
#include "report/judge/judge_finite.h"
#include "report/judge/judge_prover.h"
#include "report/judge/judge_referee.h"
#include "report/judge/judge_refuter.h"
#include "report/judge/race.h"
#include "report/record/record_json.h"

enum {
  LOWER_PAIRS = 16, /* input pairs that the lower bound on the loss of a proved claim comes from */
  PROVER_SHARE = 4  /* the search for a proof may take so many times what the refuter may */
};
static const double LOWER_SECONDS = 0.25; /* of work, at most, for these pairs */

/* How long a lane may overstay the budget: less than a worker may (worker.c), which could not
 * report otherwise. */
static const int64_t GRACE_NS = 250000000;

static bool is_certain(const struct claim_record *c) {
  return c->verdict == VERDICT_PROVED || c->verdict == VERDICT_REFUTED;
}

/* The refuter compares probabilities with a given cost, at one order. It looks everywhere: finite
 * claims have an engine of their own. */
static bool cannot_be_refuted(const struct program_claim *claim) {
  return claim->claim->as.claim.at_count > 0 || claim->claim->as.claim.asked ||
         claim->claim->as.claim.all_order != NULL;
}

/* Nobody may believe either. */
static char *contradiction(struct claim_record *c) {
  c->verdict = VERDICT_UNKNOWN;
  record_set(&c->cost, NULL);
  record_set(&c->lower, NULL);
  record_set(&c->reason, "this claim was both proved and refuted: one of the two is wrong");
  return xasprintf("'%s' was both proved and refuted; please report this file", c->name);
}

/* ---- lower bounds for what is proved ----------------------------------------------------------
 */

static bool is_enough(void *context, const struct program_result *so_far) {
  (void)context;
  (void)so_far;
  return false;
}

/* A fixed amount of search, so that what it finds is the same in every run: the bound is set in the
 * record, and so is a counterexample. */
static void look_at_few_pairs(struct claim_record *c, const struct program_claim *claim,
                              const struct budget *budget) {
  struct budget slice = budget_slice(budget, LOWER_SECONDS);
  struct program_watch watch = {LOWER_PAIRS, is_enough, NULL};
  struct program_result r;
  program_result_init(&r);
  program_refute_watched(&r, claim, &slice, &watch);
  record_refuter_result(c, claim, &r, NULL);
  program_result_clear(&r);
}

static void copy_trend(struct claim_record *c, const json_t *detail) {
  json_t *trend = json_object_get(detail, "trend");
  if (!trend) return;
  if (!c->detail) c->detail = json_object();
  json_object_set(c->detail, "trend", trend);
}

/* For a proved claim. False if the search refutes it. */
static bool add_lower(struct claim_record *c, const struct program_claim *claim,
                      const struct budget *budget) {
  struct claim_record other = {0};
  look_at_few_pairs(&other, claim, budget);
  bool contradicts = other.verdict == VERDICT_REFUTED;
  record_set(&c->lower, other.lower);
  copy_trend(c, other.detail);
  claim_record_clear(&other);
  return !contradicts;
}

/* ---- side by side --------------------------------------------------------------------------- */

enum { PROVER, REFUTER };

struct contest {
  const struct program_claim *claim;
  const struct verify_options *options;
  const struct budget *budget;
  const char
      *failure; /* what is wrong with the given proof, which is completed; NULL: there is none */
  struct claim_record answers[2];
  bool has_answer[2];
  struct claim_record few; /* what the refuter found on few pairs: the lower bound of a proof */
  bool has_few;
};

static void send_record(int out, const char *name, struct claim_record *c) {
  json_line_send(out,
                 json_pack("{s:o, s:i}", name, claim_record_to_json(c), "causes", (int)c->causes));
}

static struct claim_record received(const json_t *value, const char *name) {
  struct claim_record c = claim_record_from_json(json_object_get(value, name));
  c.causes = (unsigned)json_integer_value(json_object_get(value, "causes"));
  return c;
}

static void run_prover(void *context, int out) {
  struct contest *contest = context;
  struct budget slice = budget_slice(contest->budget, PROVER_SHARE * contest->options->search);
  struct claim_record c = {0};
  if (contest->failure)
    judge_by_completion(&c, contest->claim, contest->options, &slice, contest->budget,
                        contest->failure);
  else
    judge_by_search(&c, contest->claim, contest->options, &slice, contest->budget);
  send_record(out, "answer", &c);
  claim_record_clear(&c);
}

static void run_refuter(void *context, int out) {
  struct contest *contest = context;
  struct claim_record few = {0}, c = {0};
  look_at_few_pairs(&few, contest->claim, contest->budget);
  bool is_refuted = few.verdict == VERDICT_REFUTED;
  send_record(out, is_refuted ? "answer" : "few", &few);
  claim_record_clear(&few);
  if (is_refuted) return;
  judge_by_refuter(&c, contest->claim, contest->options->search, contest->budget, NULL);
  send_record(out, "answer", &c);
  claim_record_clear(&c);
}

/* Is there anything left to wait for? A proof waits for the refuter's first few pairs. */
static bool is_over(const struct contest *contest) {
  const struct claim_record *prover = &contest->answers[PROVER],
                            *refuter = &contest->answers[REFUTER];
  if (refuter->verdict == VERDICT_REFUTED) return true;
  if (prover->verdict == VERDICT_PROVED) return contest->has_few || contest->has_answer[REFUTER];
  if (budget_is_interrupted(contest->budget) && contest->has_answer[REFUTER])
    return true; /* half a proof is nothing */
  return contest->has_answer[PROVER] && contest->has_answer[REFUTER];
}

static bool hear(void *context, size_t lane, const json_t *value) {
  struct contest *contest = context;
  const json_t *answer = json_object_get(value, "answer"), *few = json_object_get(value, "few");
  if (answer) contest->answers[lane] = received(value, "answer");
  if (few) contest->few = received(value, "few");
  contest->has_few = contest->has_few || few;
  contest->has_answer[lane] = contest->has_answer[lane] || answer || !value;
  return is_over(contest);
}

/* Moves everything but the name of the claim. */
static void take_answer(struct claim_record *c, struct claim_record *answer) {
  c->verdict = answer->verdict;
  record_set(&c->cost, answer->cost);
  record_set(&c->reason, answer->reason);
  c->causes |= answer->causes;
  c->detail = answer->detail;
  c->counterexample = answer->counterexample;
  c->certificate = answer->certificate;
  answer->detail = answer->counterexample = answer->certificate = NULL;
}

/* Both have given up: what the one and the other have to say. */
static void take_reasons(struct claim_record *c, struct claim_record *prover,
                         struct claim_record *refuter) {
  take_answer(c, prover);
  if (refuter->detail) {
    if (!c->detail) c->detail = json_object();
    json_object_update(c->detail, refuter->detail);
  }
  c->causes |= refuter->causes | (prover->reason ? 0 : CAUSE_ENDED);
  char *reason = xasprintf(
      "%s\n%s", prover->reason ? prover->reason : "no proof was found within the limits",
      refuter->reason ? refuter->reason : "no counterexample was found within the limits");
  record_set(&c->reason, reason);
  record_set(&c->lower, refuter->lower);
  free(reason);
}

/* A lane that ended without an answer: our fault, unless it was short of memory. */
static char *describe_death(const struct race_lane *lanes) {
  for (size_t i = 0; i < 2; i++)
    if (lanes[i].failed)
      return xasprintf("the %s process died%s%s", i == PROVER ? "prover's" : "refuter's",
                       lanes[i].signal ? " of signal " : "",
                       lanes[i].signal ? strsignal(lanes[i].signal) : "");
  return NULL;
}

/* What a lane at the memory limit did not say itself. */
static void note_exhaustion(const struct race_lane *lanes, struct claim_record *answers) {
  if (lanes[PROVER].exhausted && !answers[PROVER].reason)
    record_set(&answers[PROVER].reason, "the search for a proof stopped at the memory limit");
  if (lanes[REFUTER].exhausted && !answers[REFUTER].reason)
    record_set(&answers[REFUTER].reason,
               "the search for a counterexample stopped at the memory limit");
}

char *judge_combine(struct claim_record *c, struct claim_record *prover,
                    struct claim_record *refuter, const char *lower) {
  if (is_certain(prover) && is_certain(refuter)) return contradiction(c);
  if (prover->verdict == VERDICT_PROVED) {
    take_answer(c, prover);
    record_set(&c->lower, lower);
  } else if (refuter->verdict == VERDICT_REFUTED) {
    take_answer(c, refuter);
    record_set(&c->lower, refuter->lower);
  } else if (prover->verdict == VERDICT_ADMITTED) {
    take_answer(c, prover);
    record_set(&c->lower, refuter->lower);
  } else {
    take_reasons(c, prover, refuter);
  }
  return NULL;
}

static char *judge_side_by_side(struct claim_record *c, const struct program_claim *claim,
                                const struct verify_options *options, const struct budget *budget,
                                const char *failure) {
  struct contest contest = {
      .claim = claim, .options = options, .failure = failure, .budget = budget};
  struct budget limit = *budget;
  struct race_lane lanes[2] = {[PROVER] = {.run = run_prover, .context = &contest},
                               [REFUTER] = {.run = run_refuter, .context = &contest}};
  if (limit.deadline_ns) limit.deadline_ns += GRACE_NS;
  race_run(lanes, 2, &limit, hear, &contest);
  struct claim_record *prover = &contest.answers[PROVER], *refuter = &contest.answers[REFUTER];
  note_exhaustion(lanes, contest.answers);
  char *error = judge_combine(c, prover, refuter, contest.few.lower);
  if (!error && !is_certain(c)) error = describe_death(lanes);
  if (c->verdict == VERDICT_PROVED) copy_trend(c, contest.few.detail);
  claim_record_clear(prover);
  claim_record_clear(refuter);
  claim_record_clear(&contest.few);
  return error;
}

/* ---- the order of things --------------------------------------------------------------------- */

/* The solver is trusted; a counterexample is more than its word. */
static char *doubt(struct claim_record *c, const struct program_claim *claim,
                   const struct verify_options *options, const struct budget *budget) {
  struct claim_record other = {0};
  judge_by_refuter(&other, claim, options->search, budget, NULL);
  if (other.verdict == VERDICT_REFUTED) {
    json_decref(c->detail);
    json_decref(c->certificate);
    record_set(&c->cost, NULL);
    take_answer(c, &other);
  }
  record_set(&c->lower, other.lower);
  claim_record_clear(&other);
  return NULL;
}

/* Looks for a counterexample unless the claim is settled. */
static char *judge_after_prover(struct claim_record *c, const struct program_claim *claim,
                                const struct verify_options *options, const struct budget *budget) {
  if (cannot_be_refuted(claim) || options->no_search) return NULL;
  if (c->verdict == VERDICT_ADMITTED)
    return claim_rests_on_solver(c) ? doubt(c, claim, options, budget) : NULL;
  if (c->verdict == VERDICT_PROVED) return add_lower(c, claim, budget) ? NULL : contradiction(c);
  char *why = xstrdup(c->reason);
  judge_by_refuter(c, claim, options->search, budget, why);
  free(why);
  return NULL;
}

static char *judge_searching(struct claim_record *c, const struct program_claim *claim,
                             const struct verify_options *options, const struct budget *budget,
                             const char *failure) {
  if (options->side_by_side && !cannot_be_refuted(claim))
    return judge_side_by_side(c, claim, options, budget, failure);
  struct budget slice = budget_slice(budget, PROVER_SHARE * options->search);
  if (failure)
    judge_by_completion(c, claim, options, &slice, budget, failure);
  else
    judge_by_search(c, claim, options, &slice, budget);
  return judge_after_prover(c, claim, options, budget);
}

static char *judge_given_or_searched(struct claim_record *c, const struct program_claim *claim,
                                     const struct verify_options *options,
                                     const struct budget *budget) {
  if (!claim->claim->as.claim.has_proof) return judge_searching(c, claim, options, budget, NULL);
  bool can_grow = judge_by_proof(c, claim, options, budget) && !claim->claim->as.claim.formula;
  if (!can_grow || options->no_search) return judge_after_prover(c, claim, options, budget);
  char *failure = xstrdup(c->reason);
  json_decref(c->detail);
  c->detail = NULL;
  char *error = judge_searching(c, claim, options, budget, failure);
  free(failure);
  return error;
}

/* What a computation cannot decide may still follow from a proof for all parameters and inputs. */
static char *judge_beyond(struct claim_record *c, const struct program_claim *claim,
                          const struct verify_options *options, const struct budget *budget,
                          bool is_close) {
  json_t *finite = json_incref(json_object_get(c->detail, "finite"));
  char *why = xstrdup(c->reason);
  json_decref(c->detail);
  c->detail = NULL;
  char *error = judge_given_or_searched(c, claim, options, budget);
  if (!c->detail) c->detail = json_object();
  json_object_set_new(c->detail, "finite", finite);
  if (!is_certain(c)) {
    char *both = xasprintf("%s\n%s", why, c->reason ? c->reason : "");
    record_set(&c->reason, is_close ? why : both);
    free(both);
  }
  free(why);
  return error;
}

char *judge_program(struct claim_record *c, const struct program_claim *claim,
                    const struct verify_options *options, const struct budget *budget) {
  const struct ast_decl *decl = claim->claim;
  if (!decl->as.claim.at_count || decl->as.claim.asked)
    return judge_given_or_searched(c, claim, options, budget);
  const bool is_close = judge_finite(c, claim, budget);
  bool is_over = is_certain(c) || (options->no_search && !decl->as.claim.has_proof);
  return is_over ? NULL : judge_beyond(c, claim, options, budget, is_close);
}
