#include <string.h>

#include "check/proof/replay_internal.h"

/* How a rule is called: the kinds of its arguments (replay_internal.h) and of a group that may be
 * repeated after them; and the call. `w` are the arguments and then the groups. `admit` is not
 * among the rules. */
struct rule {
  const char *name, *takes, *group;
  proof_of (*call)(struct replay *r, const struct word *w);
};

#define CALL(name) static proof_of call_##name(struct replay *r, const struct word *w)

/* ---- structure ------------------------------------------------------------------------------- */

CALL(skip) {
  return rule_skip(r->k, w[0].term);
}
CALL(assign) {
  return rule_assign(r->k, w[0].number, w[1].command, w[2].term);
}
CALL(seq) {
  return rule_seq(r->k, w[0].judgement, w[1].judgement);
}
CALL(conseq) {
  return rule_conseq(r->k, r->span, w[0].term, w[1].term, w[2].term, w[3].judgement);
}
CALL(cond) {
  return rule_cond(r->k, w[0].command, w[1].command, w[2].judgement, w[3].judgement);
}
CALL(cond_side) {
  return rule_cond_side(r->k, w[0].number, w[1].command, w[2].judgement, w[3].judgement);
}
CALL(case) {
  return rule_case(r->k, r->span, w[0].term, w[1].judgement, w[2].judgement);
}
CALL(frame) {
  return rule_frame(r->k, r->span, w[0].term, w[1].judgement);
}
CALL(exists) {
  return rule_exists(r->k, r->span, w[0].term, w[1].term, w[2].judgement);
}
CALL(waste) {
  return rule_waste(r->k, r->span, w[0].term, w[1].term);
}
CALL(budget_frame) {
  return rule_budget_frame(r->k, r->span, w[0].term, w[1].judgement);
}
CALL(contract) {
  return rule_contract(r->k, r->span, w[0].term, w[1].term, w[2].judgement);
}

/* ---- loops ----------------------------------------------------------------------------------- */

struct loop_variants replay_variants(struct replay *r, const struct word *w, size_t count) {
  struct loop_variants v = {.count = count};
  const struct core **loops = arena_alloc(r->arena, (count + 1) * sizeof *loops);
  term_id *variants = arena_alloc(r->arena, (count + 1) * sizeof *variants);
  term_id *invariants = arena_alloc(r->arena, (count + 1) * sizeof *invariants);
  for (size_t i = 0; i < count; i++) {
    loops[i] = w[3 * i].command;
    variants[i] = w[3 * i + 1].term;
    invariants[i] = w[3 * i + 2].term;
  }
  v.loops = loops;
  v.variants = variants;
  v.invariants = invariants;
  return v;
}

CALL(while) {
  return rule_while(r->k, w[0].command, w[1].command, w[2].term, w[3].judgement);
}
CALL(while_apart) {
  return rule_while_apart(r->k, w[0].command, w[1].command, w[2].term, w[3].judgement,
                          w[4].judgement);
}
CALL(while_side) {
  struct loop_variants v = replay_variants(r, w + 4, r->groups);
  return rule_while_side(r->k, w[0].number, w[1].command, w[2].term, w[3].judgement, &v);
}
CALL(while_delta) {
  struct while_delta how = {w[3].term, w[4].term, w[5].term, w[6].term};
  return rule_while_delta(r->k, w[0].command, w[1].command, w[2].term, how, w[7].judgement);
}

/* ---- sampling -------------------------------------------------------------------------------- */

CALL(shift) {
  size_t count = r->groups;
  struct coupling_case *cases = arena_alloc(r->arena, (count + 1) * sizeof *cases);
  for (size_t i = 0; i < count; i++)
    cases[i] = (struct coupling_case){w[4 + 3 * i].term, w[5 + 3 * i].term, w[6 + 3 * i].term};
  struct coupling how = {.sample = w[3].term, .cases = cases, .count = count};
  return rule_sample_shift(r->k, w[0].command, w[1].command, &how, w[2].term);
}
CALL(same) {
  return rule_sample_same(r->k, w[0].command, w[1].command, w[2].term);
}
CALL(side) {
  return rule_sample_side(r->k, w[0].number, w[1].command, w[2].term);
}
CALL(interval) {
  struct interval_coupling how = {.p = w[3].term,
                                  .q = w[4].term,
                                  .r = w[5].term,
                                  .s = w[6].term,
                                  .inner = w[7].number,
                                  .move = w[8].term,
                                  .eta = w[9].term,
                                  .sigma = w[10].term,
                                  .cost = w[11].term};
  return rule_sample_interval(r->k, w[0].command, w[1].command, &how, w[2].term);
}
CALL(scale) {
  return rule_sample_scale(r->k, w[0].command, w[1].command, w[2].term, w[3].term, w[4].term);
}
CALL(slide) {
  return rule_sample_slide(r->k, w[0].command, w[1].command, w[2].term, w[3].term, w[4].term);
}
CALL(subset) {
  struct subset_coupling how = {
      .sample = w[3].term,
      .inside = w[4].term,
      .outside = w[5].term,
      .sets = {{w[6].term, w[7].term, w[8].term}, {w[9].term, w[10].term, w[11].term}}};
  return rule_sample_subset(r->k, w[0].command, w[1].command, &how, w[2].term);
}
CALL(bernoulli) {
  return rule_sample_bernoulli(r->k, w[0].command, w[1].command, w[2].number, w[3].term, w[4].term,
                               w[5].term);
}
CALL(bijection) {
  return rule_sample_bijection(r->k, w[0].command, w[1].command, w[2].term, w[3].term, w[4].term,
                               w[5].term);
}
CALL(meet) {
  return rule_sample_meet(r->k, w[0].command, w[1].command, w[2].term, w[3].term, w[4].term,
                          w[5].term);
}
CALL(aim) {
  return rule_sample_aim(r->k, w[0].command, w[1].term, w[2].term, w[3].term);
}

/* ---- finitely many outcomes ------------------------------------------------------------------ */

static bool is_small(struct terms *ts, term_id t, long *out) {
  if (t == TERM_NONE || term_sort(ts, t) != SORT_INT || !term_is_num(ts, t)) return false;
  const fmpz *value = fmpq_numref(term_num_value(ts, t));
  if (fmpz_bits(value) >= 32) return false;
  *out = fmpz_get_si(value);
  return true;
}

/* Groups: a variable t - -, or an integer with the ends of its range. */
CALL(finite) {
  term_id *keys = arena_alloc(r->arena, (r->groups + 1) * sizeof *keys);
  struct finite_range *ranges = arena_alloc(r->arena, (r->groups + 1) * sizeof *ranges);
  struct finite_part how = {.keys = keys,
                            .spent = w[2].term,
                            .ranges = ranges,
                            .comparison = (enum comparison)w[3].number};
  for (size_t i = 0; i < r->groups; i++) {
    const struct word *g = w + 4 + 3 * i;
    struct finite_range range = {.value = g[0].term};
    if (g[1].term == TERM_NONE && g[2].term == TERM_NONE) {
      keys[how.key_count++] = g[0].term;
    } else if (is_small(r->ts, g[1].term, &range.low) && is_small(r->ts, g[2].term, &range.high)) {
      ranges[how.range_count++] = range;
    } else {
      r->why = "a range has integers as its ends";
      return NULL;
    }
  }
  return rule_finite(r->k, r->span, w[0].command, w[1].command, &how);
}

/* ---- other notions --------------------------------------------------------------------------- */

CALL(pure_part) {
  struct loop_variants v = replay_variants(r, w + 3, r->groups);
  return rule_pure_part(r->k, r->span, w[0].term, w[1].judgement, w[2].judgement, &v);
}

CALL(until) {
  struct loop_variants v = replay_variants(r, w + 5, r->groups);
  return rule_until(r->k, r->span, w[0].command, w[1].term, w[2].term, w[3].judgement,
                    w[4].judgement, &v);
}

/* ---- laws of whole loops ---------------------------------------------------------------------- */

CALL(subsample) {
  struct subsample how = {w[1].term, w[2].term};
  return rule_subsample(r->k, r->span, w[0].command, &how);
}
CALL(exponential) {
  struct exponential how = {w[1].term, w[2].term};
  return rule_exponential(r->k, r->span, w[0].command, &how);
}

CALL(podium) {
  struct podium how = {w[1].term, w[2].term, w[3].term, w[4].term, w[5].term, w[6].term};
  return rule_podium(r->k, r->span, w[0].command, &how);
}

/* ---- composition, equivalent programs, events ------------------------------------------------ */

CALL(advanced) {
  struct advanced how = {.relation = w[4].term,
                         .hit = w[5].term,
                         .hits = w[6].term,
                         .count = w[7].term,
                         .most = w[8].term,
                         .epsilon = w[9].term,
                         .omega = w[10].term,
                         .delta = w[11].term,
                         .total = w[12].term};
  return rule_advanced(r->k, w[0].command, w[1].command, &how, w[2].judgement, w[3].judgement);
}
CALL(noise) {
  return rule_equiv_noise(r->k, w[0].number, w[1].command, w[2].judgement);
}
CALL(swap) {
  return rule_equiv_swap(r->k, w[0].number, w[1].judgement);
}
CALL(unroll) {
  return rule_equiv_unroll(r->k, w[0].number, w[1].command, w[2].judgement);
}
CALL(split) {
  return rule_equiv_split(r->k, w[0].number, w[1].command, w[2].term, w[3].judgement);
}
CALL(block) {
  return rule_equiv_block(r->k, w[0].number, w[1].command, w[2].term, w[3].judgement);
}
CALL(flatten) {
  return rule_equiv_flatten(r->k, w[0].number, w[1].command, w[2].term, w[3].judgement);
}
CALL(join) {
  return rule_equiv_join(r->k, w[0].number, w[1].command, w[2].judgement);
}
CALL(fuse) {
  return rule_equiv_fuse(r->k, w[0].number, w[1].command, w[2].judgement);
}
CALL(dead) {
  struct loop_variants v = replay_variants(r, w + 3, r->groups);
  return rule_equiv_dead(r->k, w[0].number, w[1].command, &v, w[2].judgement);
}
CALL(pointwise) {
  struct pointwise_sum sum = {w[4].term, w[5].term, w[6].term};
  return rule_pointwise(r->k, r->span, w[0].term, w[1].term, w[2].term, &sum, w[3].judgement);
}
CALL(adversary) {
  return rule_adversary(r->k, w[0].command, w[1].command, w[2].term);
}
CALL(upto) {
  return rule_upto(r->k, r->span, w[0].bound, w[1].term, w[2].term, w[3].judgement);
}

static const struct rule rules[] = {
    {"skip", "t", "", call_skip},
    {"assign", "rct", "", call_assign},
    {"seq", "jj", "", call_seq},
    {"conseq", "tttj", "", call_conseq},
    {"cond", "ccjj", "", call_cond},
    {"cond-side", "rcjj", "", call_cond_side},
    {"case", "tjj", "", call_case},
    {"frame", "tj", "", call_frame},
    {"exists", "toj", "", call_exists},
    {"waste", "tt", "", call_waste},
    {"budget-frame", "tj", "", call_budget_frame},
    {"contract", "ttj", "", call_contract},
    {"while", "cctj", "", call_while},
    {"while-apart", "cctjj", "", call_while_apart},
    {"while-side", "rctj", "coo", call_while_side},
    {"while-delta", "cctttttj", "", call_while_delta},
    {"shift", "ccto", "oto", call_shift},
    {"same", "cct", "", call_same},
    {"side", "rct", "", call_side},
    {"interval", "cctttttnttot", "", call_interval},
    {"scale", "ccttt", "", call_scale},
    {"slide", "ccttt", "", call_slide},
    {"subset", "ccttttoooooo", "", call_subset},
    {"bernoulli", "ccnttt", "", call_bernoulli},
    {"bijection", "cctttt", "", call_bijection},
    {"meet", "cctttt", "", call_meet},
    {"aim", "cttt", "", call_aim},
    {"finite", "cctn", "too", call_finite},
    {"pure-part", "tJJ", "coo", call_pure_part},
    {"until", "cttjJ", "coo", call_until},
    {"subsample", "ctt", "", call_subsample},
    {"exponential", "ctt", "", call_exponential},
    {"podium", "ctotttt", "", call_podium},
    {"advanced", "ccjJtotttttoo", "", call_advanced},
    {"noise", "rcj", "", call_noise},
    {"swap", "rj", "", call_swap},
    {"unroll", "rcj", "", call_unroll},
    {"split", "rctj", "", call_split},
    {"block", "rctj", "", call_block},
    {"flatten", "rctj", "", call_flatten},
    {"join", "rcj", "", call_join},
    {"fuse", "rcj", "", call_fuse},
    {"dead", "rcj", "coo", call_dead},
    {"pointwise", "tttjooo", "", call_pointwise},
    {"adversary", "cct", "", call_adversary},
    {"upto", "botj", "", call_upto},
};

/* ---- the union bound (kernel/ahl.h) ----------------------------------------------------------- */

struct bound_rule {
  const char *name, *takes, *group;
  bound_of (*call)(struct replay *r, const struct word *w);
};

#define BOUND(name) static bound_of bound_##name(struct replay *r, const struct word *w)

BOUND(skip) {
  return ahl_skip(r->k, 1, w[0].term);
}
BOUND(assign) {
  return ahl_assign(r->k, 1, w[0].command, w[1].term);
}
BOUND(seq) {
  return ahl_seq(r->k, w[0].bound, w[1].bound);
}
BOUND(cond) {
  return ahl_cond(r->k, w[0].command, w[1].bound, w[2].bound);
}
BOUND(conseq) {
  return ahl_conseq(r->k, r->span, w[0].term, w[1].term, w[2].term, w[3].bound);
}
BOUND(frame) {
  return ahl_frame(r->k, 1, w[0].command, w[1].term);
}
BOUND(and) {
  return ahl_and(r->k, w[0].bound, w[1].bound);
}
BOUND(while) {
  return ahl_while(r->k, w[0].command, w[1].term, w[2].term, w[3].term, w[4].term, w[5].bound);
}
BOUND(while_each) {
  return ahl_while_each(r->k, w[0].command, w[1].term, w[2].term, w[3].term, w[4].term, w[5].term,
                        w[6].bound);
}
BOUND(while_sure) {
  return ahl_while_sure(r->k, w[0].command, w[1].term, w[2].bound);
}
BOUND(while_total) {
  struct ahl_total *totals = arena_alloc(r->arena, (r->groups + 1) * sizeof *totals);
  for (size_t i = 0; i < r->groups; i++) {
    const struct word *g = w + 3 + 10 * i;
    totals[i] = (struct ahl_total){.tail = (enum tail)g[0].number,
                                   .sum = g[1].term,
                                   .within = g[2].term,
                                   .scale = g[3].term,
                                   .left = g[4].term,
                                   .draws = g[5].term,
                                   .restarts = g[6].term,
                                   .blocks = g[7].term,
                                   .exponent = g[8].term,
                                   .failure = g[9].term};
  }
  return ahl_while_total(r->k, w[0].command, w[1].term, totals, r->groups, w[2].bound);
}
BOUND(sample) {
  return ahl_sample(r->k, 1, w[0].command, w[1].term);
}
BOUND(coin) {
  return ahl_coin(r->k, 1, w[0].command, w[1].term, w[2].term);
}
BOUND(fuse) {
  return ahl_fuse(r->k, w[0].command, w[1].bound);
}
BOUND(contest) {
  return ahl_contest(r->k, 1, r->span, w[0].command, w[1].term, w[2].term, w[3].term);
}
BOUND(set) {
  struct sample_set set = {w[3].term, w[4].term, w[5].term};
  return ahl_set(r->k, w[0].number, w[1].command, w[2].term, &set, w[6].term, w[7].term);
}
BOUND(tail) {
  return ahl_tail(r->k, w[0].number, w[1].command, (enum tail)w[2].number, w[3].term, w[4].term,
                  w[5].term);
}

static const struct bound_rule bound_rules[] = {
    {"b-skip", "t", "", bound_skip},
    {"b-assign", "ct", "", bound_assign},
    {"b-seq", "bb", "", bound_seq},
    {"b-cond", "cbb", "", bound_cond},
    {"b-conseq", "tttb", "", bound_conseq},
    {"b-frame", "ct", "", bound_frame},
    {"b-and", "bb", "", bound_and},
    {"b-while", "cttttb", "", bound_while},
    {"b-while-k", "ctttttb", "", bound_while_each},
    {"b-while-0", "ctb", "", bound_while_sure},
    {"b-sum", "ctb", "ntttttoott", bound_while_total},
    {"b-sample", "ct", "", bound_sample},
    {"b-coin", "ctt", "", bound_coin},
    {"b-fuse", "cb", "", bound_fuse},
    {"b-gumbel", "cttt", "", bound_contest},
    {"tail", "rcnttt", "", bound_tail},
    {"set", "rcoooott", "", bound_set},
};

/* The arguments, and the groups after them. */
static bool read_arguments(struct replay *r, const char *takes, const char *group, const char *at,
                           word_list *w) {
  if (!replay_words(r, &at, takes, w)) return false;
  for (r->groups = 0; *group && *at; r->groups++)
    if (!replay_words(r, &at, group, w)) return false;
  if (*at) r->why = "there are too many arguments";
  return !*at;
}

static bool call_bound(struct replay *r, const struct bound_rule *rule, const char *at,
                       word_list *w) {
  if (!read_arguments(r, rule->takes, rule->group, at, w)) return false;
  bound_of b = rule->call(r, w->at);
  if (b) vec_push(&r->bounds, (struct replay_bound){b, r->direction});
  return b != NULL;
}

static bool call_rule(struct replay *r, const struct rule *rule, const char *at, word_list *w) {
  if (!read_arguments(r, rule->takes, rule->group, at, w)) return false;
  proof_of j = rule->call(r, w->at);
  if (j) vec_push(&r->judgements, (struct replay_judgement){j, r->direction});
  return j != NULL;
}

bool replay_rule(struct replay *r, const char *name, const char *at) {
  word_list w = {0};
  bool ok = false, found = false;
  for (size_t i = 0; !found && i < sizeof bound_rules / sizeof *bound_rules; i++) {
    found = strcmp(name, bound_rules[i].name) == 0;
    if (found) ok = call_bound(r, &bound_rules[i], at, &w);
  }
  for (size_t i = 0; !found && i < sizeof rules / sizeof *rules; i++) {
    found = strcmp(name, rules[i].name) == 0;
    if (found) ok = call_rule(r, &rules[i], at, &w);
  }
  if (!found) r->why = "there is no such rule";
  vec_clear(&w);
  return ok;
}
