#include "search/goals/pointwise.h"

#include "search/goals/contest_text.h"
#include "search/goals/lift_plan.h"
#include "search/goals/podium.h"
#include "term/build.h"

struct pointwise {
  struct auto_problem *p;
  struct podium podium;
  struct known known[2]; /* per direction */
};

/* Of one direction: a plan for each contest. */
struct plans {
  struct lift_plan of[PODIUM_LIMIT];
  term_id cost; /* of all; TERM_NONE: there is no plan */
};

static void plans_clear(struct plans *plans) {
  for (size_t i = 0; i < PODIUM_LIMIT; i++)
    lift_plan_clear(&plans->of[i]);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* The cases of the contests from `next` on, within those chosen for the others. */
static void write_cases(struct contest_writer *w, const struct plans *plans, size_t next) {
  if (next == w->count) {
    contest_write(w);
    return;
  }
  const struct lift_plan *plan = &plans->of[next];
  struct contest_side *side = &w->sides[next];
  side->lift = &plan->cases[0];
  if (plan->condition == TERM_NONE) {
    write_cases(w, plans, next + 1);
    return;
  }
  const char *condition = text_of_relation(side->c->p, plan->condition);
  w->out.failed |= !condition;
  text_line(&w->out, "case %s {", condition ? condition : "");
  write_cases(w, plans, next + 1);
  text_line(&w->out, "} else {");
  side->lift = &plan->cases[1];
  write_cases(w, plans, next + 1);
  text_line(&w->out, "}");
}

static void write_plans(struct pointwise *w, struct contest_writer *out, const struct known *known,
                        const struct plans *plans) {
  const struct podium *podium = &w->podium;
  struct contest_side sides[PODIUM_LIMIT];
  for (size_t i = 0; i < podium->count; i++)
    sides[i] = (struct contest_side){.c = &podium->contests[i],
                                     .name = podium->names[i],
                                     .value = podium->values[i],
                                     .r = contest_mark(w->p->ts, podium->values[i]),
                                     .known = known,
                                     .given = podium->given[i]};
  out->sides = sides;
  out->count = podium->count;
  out->loops = podium->loops.at;
  out->loop_count = podium->loops.len;
  write_cases(out, plans, 0);
}

/* ---- search --------------------------------------------------------------------------------- */

/* What is enough, if the claim states it; TERM_NONE: the least is wanted. */
static term_id enough(const struct pointwise *w) {
  return w->p->wants_least ? TERM_NONE : claim_epsilon(w->p->goal);
}

static bool within(const struct known *known, term_id cost, term_id limit) {
  return limit == TERM_NONE || known_larger(known, cost, limit) == limit;
}

/* Each contest by its cheapest plan; alone, by one that is enough. */
static bool plan_direction(struct pointwise *w, const struct known *known, term_id limit,
                           struct plans *out) {
  *out = (struct plans){.cost = TERM_NONE};
  for (size_t i = 0; i < w->podium.count; i++) {
    struct lift_goal goal = {.c = &w->podium.contests[i],
                             .known = known,
                             .r = contest_mark(w->p->ts, w->podium.values[i]),
                             .enough = w->podium.count == 1 ? limit : TERM_NONE,
                             .whole = w->podium.shared};
    if (!lift_plan_find(&goal, &out->of[i])) {
      out->cost = TERM_NONE;
      return false;
    }
    term_id cost = out->of[i].cost;
    out->cost = i ? cost_simplified(w->p->ts, term_add(w->p->ts, out->cost, cost)) : cost;
  }
  return out->cost != TERM_NONE;
}

/* The proof of both directions; one is enough if the adjacency is symmetric. */
static void propose(struct pointwise *w, struct auto_search *s, const struct plans *plans,
                    bool symmetric, term_id cost) {
  struct contest_writer out = {.direction = CLAIM_FORWARD};
  text_init(&out.out, w->p);
  text_line(&out.out, "{");
  text_line(&out.out, "pointwise result = %t;", w->podium.value);
  write_plans(w, &out, &w->known[0], &plans[0]);
  if (!symmetric) {
    out.direction = CLAIM_BACKWARD;
    text_line(&out.out, "backward {");
    text_line(&out.out, "pointwise result = %t;", w->podium.value);
    write_plans(w, &out, &w->known[1], &plans[1]);
    text_line(&out.out, "}");
  }
  text_line(&out.out, "}");
  const char *proof = text_take(&out.out);
  if (proof)
    auto_try(s, &(struct auto_candidate){proof, w->p->wants_least ? text_of(w->p, cost) : NULL, 1});
}

static void blame(struct pointwise *w, struct auto_search *s, const struct plans *plans) {
  const struct entrant *e = &w->podium.contests[0].entrants.at[0];
  const char *cost = text_of(w->p, plans->cost), *stated = text_of(w->p, claim_epsilon(w->p->goal));
  auto_blame(s, e->at->span, cost,
             "the noise of the winner must move by %s for the same result, which costs %s; "
             "the claim allows %s",
             text_of(w->p, plans->of[0].cases[0].steps.at[0].within), cost, stated);
}

static void search(struct pointwise *w, struct auto_search *s) {
  bool symmetric = claim_is_symmetric(w->p->goal);
  struct plans plans[2] = {{.cost = TERM_NONE}, {.cost = TERM_NONE}};
  bool ok = plan_direction(w, &w->known[0], enough(w), &plans[0]) &&
            (symmetric || plan_direction(w, &w->known[1], enough(w), &plans[1]));
  term_id cost = plans[0].cost;
  if (ok && !symmetric) cost = known_larger(&w->known[0], plans[0].cost, plans[1].cost);
  if (ok && cost != TERM_NONE) {
    size_t dear = cost == plans[0].cost ? 0 : 1;
    if (within(&w->known[dear], cost, enough(w)))
      propose(w, s, plans, symmetric, cost);
    else
      blame(w, s, &plans[dear]);
  } else {
    auto_blame(s, w->podium.contests[0].entrants.at[0].at->span, NULL,
               "no bound is known for how much this value can differ between the runs");
  }
  plans_clear(&plans[0]);
  plans_clear(&plans[1]);
}

static bool bound_tallies(struct pointwise *w, enum claim_direction direction) {
  for (size_t i = 0; i < w->podium.count; i++)
    if (!tallies_bound(&w->podium.contests[i], direction, &w->known[direction])) return false;
  return true;
}

void auto_pointwise(struct auto_problem *p, struct auto_search *s) {
  struct pointwise w = {.p = p};
  if (podium_find(p, &w.podium)) {
    known_init(&w.known[0], p, CLAIM_FORWARD);
    known_init(&w.known[1], p, CLAIM_BACKWARD);
    if (bound_tallies(&w, CLAIM_FORWARD) &&
        (claim_is_symmetric(p->goal) || bound_tallies(&w, CLAIM_BACKWARD)))
      search(&w, s);
    known_clear(&w.known[0]);
    known_clear(&w.known[1]);
  }
  podium_clear(&w.podium);
}

bool pointwise_part(const struct contest *contest, enum claim_direction direction,
                    struct part_text *out) {
  struct auto_problem *p = contest->p;
  struct pointwise w = {.p = p};
  struct plans plans = {.cost = TERM_NONE};
  struct known *known = &w.known[0];
  podium_of(contest, &w.podium);
  known_init(known, p, direction);
  bool ok = text_is_named(p, contest->current) && tallies_bound(contest, direction, known) &&
            plan_direction(&w, known, TERM_NONE, &plans);
  if (ok) {
    struct contest_writer writer = {.is_part = true, .direction = direction};
    struct span_of_result s = span_of_result(contest, known);
    text_init(&writer.out, p);
    text_line(&writer.out, "budget %t;", plans.cost);
    if (s.known) text_line(&writer.out, "gives %t <= %t <= %t;", s.low, contest->current, s.high);
    write_plans(&w, &writer, known, &plans);
    *out = (struct part_text){.cost = plans.cost,
                              .name = text_of(p, contest->current),
                              .value = text_of(p, w.podium.value),
                              .body = text_take(&writer.out)};
    ok = out->name && out->value && out->body;
  }
  plans_clear(&plans);
  known_clear(known);
  vec_clear(&w.podium.loops);
  return ok;
}
