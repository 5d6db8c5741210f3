#include "search/goals/listed.h"

#include <string.h>

#include "kernel/outcomes.h"
#include "proof/derive.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/listed_live.h"
#include "search/goals/listed_loops.h"
#include "search/goals/listed_price.h"
#include "search/goals/listed_weights.h"
#include "term/build.h"
#include "term/subst.h"

enum { RANGES = 4, RANGE_SIZE = 16, RANGE_COMBINATIONS = 1024, CUTS = 4 };

struct listed {
  struct auto_problem *p;
  struct auto_search *search;
  struct kernel *k;
  struct terms *ts;
  struct points points;
  struct known known;
  const struct core *loop;  /* NULL: the whole program */
  term_id index, low, high; /* of the loop: from low up to high, exclusive */
  const struct core *code;  /* the part whose outcomes are listed */
  term_list keys;
  term_list invariant;       /* variables that are equal before every iteration */
  term_list defined, values; /* that the loop reads and leaves alone, and what they are */
  struct finite_range ranges[RANGES];
  size_t range_count;
  bool is_paid_always; /* every iteration pays, or those where data can differ */
  bool needs_begin;    /* the proof has to say where the part begins */
  bool begins_late;    /* likewise: later than it could */
  bool is_exponential; /* private data in exponents */
  bool is_guess;       /* what the code costs: then only the quick way of comparing is tried */
};

/* The term in this run, with the index of the loop as it is in both. */
static term_id seen_in(struct listed *l, term_id t, unsigned run) {
  term_id tagged = kernel_tag(l->k, t, run);
  if (!l->loop || tagged == TERM_NONE) return tagged;
  term_id index = term_var_in_run(l->ts, l->index, run);
  return term_subst(l->ts, tagged, &index, &l->index, 1);
}

/* ---- private integers ----------------------------------------------------------------------- */

/* low..high among the numbers near those that the facts mention, as small as possible. */
static bool find_range(struct listed *l, term_id value, struct finite_range *out) {
  struct terms *ts = l->ts;
  bool found[2] = {false, false};
  long ends[2] = {0, 0};
  for (int side = 0; side < 2; side++)
    for (long step = 0; step <= RANGE_SIZE && !found[side]; step++) {
      long end = side ? ends[0] + step : 1 - step;
      term_id number = term_int(ts, end), all = ts->true_term;
      for (unsigned run = 1; run <= 2; run++) {
        term_id x = seen_in(l, value, run);
        all = term_and(ts, all, side ? term_le(ts, x, number) : term_le(ts, number, x));
      }
      found[side] = known_entails(&l->known, TERM_NONE, all);
      if (found[side]) ends[side] = end;
    }
  *out = (struct finite_range){value, ends[0], ends[1]};
  return found[0] && found[1];
}

/* Integers of the data that the code reads: inputs, and items of input arrays. */
static void private_integers(struct listed *l, term_list *out) {
  term_list parts = {0}, written = {0}, read = {0};
  core_writes(claim_program(l->p->goal)->program, &written);
  if (l->loop) kill_var(&written, l->index);
  VEC(const struct core *) todo = {0};
  vec_push(&todo, l->code);
  while (todo.len) {
    const struct core *c = vec_pop(&todo);
    if (c->first) vec_push(&todo, c->first);
    if (c->second) vec_push(&todo, c->second);
    if (c->expr != TERM_NONE) term_subterms(l->ts, c->expr, &parts);
    for (size_t i = 0; c->kind == CORE_SAMPLE && i < c->arg_count; i++)
      term_subterms(l->ts, c->args[i], &parts);
  }
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(l->ts, parts.at[i]);
    if (term_sort(l->ts, parts.at[i]) != SORT_INT || (kind != TERM_VAR && kind != TERM_SELECT) ||
        (l->loop && parts.at[i] == l->index))
      continue;
    term_id one = kernel_tag(l->k, parts.at[i], 1);
    if (term_mentions(l->ts, parts.at[i], written.at, written.len)) continue;
    term_id base = kind == TERM_VAR ? parts.at[i] : term_arg(l->ts, parts.at[i], 0);
    if (one != parts.at[i] && term_kind(l->ts, base) == TERM_VAR && kernel_is_var(l->k, base))
      terms_add(out, parts.at[i]);
  }
  vec_clear(&parts);
  vec_clear(&written);
  vec_clear(&read);
  vec_clear(&todo);
}

static void find_ranges(struct listed *l) {
  term_list integers = {0};
  private_integers(l, &integers);
  double combinations = 1;
  for (size_t i = 0; i < integers.len && l->range_count < RANGES; i++) {
    struct finite_range r;
    if (!find_range(l, integers.at[i], &r)) continue;
    double size = (double)(r.high - r.low + 1);
    if (combinations * size * size > RANGE_COMBINATIONS) continue;
    combinations *= size * size;
    l->ranges[l->range_count++] = r;
  }
  vec_clear(&integers);
}

/* ---- what is listed ------------------------------------------------------------------------- */

/* Can the outcomes be listed, with more than one of them? Looks for data in exponents. */
static bool can_list(struct listed *l) {
  struct outcomes o = {0};
  bool ok = outcomes_of(l->k, "search", l->code, 1, l->keys.at, l->keys.len, &o);
  l->is_exponential = false;
  for (size_t i = 0; ok && i < o.list.len; i++) {
    term_list parts = {0};
    term_subterms(l->ts, o.list.at[i].probability, &parts);
    for (size_t n = 0; n < parts.len; n++)
      l->is_exponential |=
          term_kind(l->ts, parts.at[n]) == TERM_EXP && term_in_run(l->ts, parts.at[n], 1);
    vec_clear(&parts);
    for (size_t n = 0; n < o.list.at[i].sample_count; n++)
      l->is_exponential |= o.list.at[i].samples[n].dist != DIST_UNIFORM_INT;
  }
  outcomes_free(&o);
  l->needs_begin = ok && !outcomes_are_listable(l->ts, l->code);
  return ok;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* A variable that the first statement writes. */
static term_id first_written(const struct core *c) {
  term_list written = {0};
  while (c->kind == CORE_SEQ)
    c = c->first;
  core_writes(c, &written);
  term_id var = written.len ? written.at[0] : TERM_NONE;
  vec_clear(&written);
  return var;
}

static void write_step(struct listed *l, struct text *out, const char *cost, bool ranges,
                       enum comparison how) {
  text_put(out, "outcomes ");
  for (size_t i = 0; i < l->keys.len; i++)
    text_put(out, i ? ", %t" : "%t", l->keys.at[i]);
  if (l->needs_begin || l->begins_late) text_put(out, " from %t", first_written(l->code));
  for (size_t i = 0; ranges && i < l->range_count; i++) {
    const struct finite_range *r = &l->ranges[i];
    text_put(out, i ? ", %t in %t..%t" : " by %t in %t..%t", r->value, term_int(l->ts, r->low),
             term_int(l->ts, r->high + 1));
  }
  static const char *const words[] = {"", " termwise", " majorized"};
  text_put(out, " cost %s%s", cost, words[how]);
  text_line(out, ";");
}

static void write_invariant(struct listed *l, struct text *out) {
  if (l->loop->var == TERM_NONE)
    text_line(out, "invariant %t = %t and %t <= %t;", kernel_tag(l->k, l->index, 1),
              kernel_tag(l->k, l->index, 2), l->low, kernel_tag(l->k, l->index, 1));
  for (size_t i = 0; i < l->defined.len; i++)
    for (unsigned run = 1; run <= 2; run++)
      text_line(out, "invariant %t = %t;", kernel_tag(l->k, l->defined.at[i], run),
                kernel_tag(l->k, l->values.at[i], run));
  for (size_t i = 0; i < l->invariant.len; i++) {
    term_id one = kernel_tag(l->k, l->invariant.at[i], 1);
    text_line(out, "invariant %t = %t;", one, kernel_tag(l->k, l->invariant.at[i], 2));
  }
}

static void open_loop(struct listed *l, struct text *out) {
  unsigned number = listed_loop_number(claim_program(l->p->goal)->program, l->loop);
  if (number)
    text_line(out, "loop %u {", number);
  else
    text_line(out, "loop {");
}

/* `budget`: of the loop, NULL outside of one. `total`: for a claim that asks for the least. */
static bool propose(struct listed *l, const char *cost, const char *budget, const char *total) {
  static const enum comparison ways[] = {COMPARE_TERMWISE, COMPARE_MAJORIZED, COMPARE_WHOLE};
  const struct core *program = claim_program(l->p->goal)->program;
  for (int ranges = l->range_count ? 1 : 0; ranges >= 0; ranges--)
    for (size_t way = l->is_exponential ? 0 : 2; way < (l->is_guess ? 2 : 3); way++) {
      struct text out;
      text_init(&out, l->p);
      text_line(&out, "{");
      if (budget) open_loop(l, &out);
      if (budget) write_invariant(l, &out);
      if (budget) text_line(&out, "budget %s;", budget);
      write_step(l, &out, cost, ranges, ways[way]);
      if (budget) text_line(&out, "}");
      if (budget) listed_loop_others(l->k, program, l->loop, &out);
      text_line(&out, "}");
      const char *proof = text_take(&out);
      if (!proof || auto_is_late(l->search)) return false;
      const struct proof_result *r =
          auto_try(l->search, &(struct auto_candidate){proof, total, 2 - !ranges - (way > 0)});
      if (r->verdict == PROOF_BELIEVED) return true;
    }
  return false;
}

static const char *stated(struct listed *l) {
  return l->p->wants_least ? NULL : text_of(l->p, claim_epsilon(l->p->goal));
}

static size_t outputs_of(struct listed *l, term_list *out) {
  const struct lowered *program = claim_program(l->p->goal);
  term_id all[] = {program->output, program->result, program->returned};
  for (size_t i = 0; i < 3; i++)
    if (all[i] != TERM_NONE) vec_push(out, all[i]);
  return out->len;
}

/* Variables that are equal in both runs before an iteration. */
static void equal_before(struct listed *l, term_list *out) {
  outputs_of(l, out);
  vec_push(out, l->index);
  for (size_t i = 0; i < l->invariant.len; i++)
    vec_push(out, l->invariant.at[i]);
}

/* The price of the code where these terms have these values. */
static term_id price(struct listed *l, const term_id *from, const term_id *to, size_t count) {
  term_list terms = {0}, values = {0};
  for (size_t i = 0; i < 2 * count; i++) { /* also with the index as in run 1 */
    term_id t = from[i / 2], index = l->loop ? kernel_tag(l->k, l->index, 2) : t;
    term_id one = l->loop ? kernel_tag(l->k, l->index, 1) : t;
    vec_push(&terms, i % 2 ? term_subst(l->ts, t, &index, &one, 1) : t);
    vec_push(&values, to[i / 2]);
  }
  for (size_t i = 0; i < l->defined.len; i++)
    for (unsigned run = 1; run <= 2; run++) {
      vec_push(&terms, kernel_tag(l->k, l->defined.at[i], run));
      vec_push(&values, kernel_tag(l->k, l->values.at[i], run));
    }
  term_list equal = {0}; /* before */
  if (l->loop) equal_before(l, &equal);
  for (size_t i = 0; i < equal.len; i++) {
    vec_push(&terms, kernel_tag(l->k, equal.at[i], 2));
    vec_push(&values, kernel_tag(l->k, equal.at[i], 1));
  }
  struct pricing how = {.p = l->p,
                        .k = l->k,
                        .points = &l->points,
                        .known = &l->known,
                        .code = l->code,
                        .keys = l->keys.at,
                        .key_count = l->keys.len,
                        .ranges = l->ranges,
                        .range_count = count ? 0 : l->range_count,
                        .from = terms.at,
                        .to = values.at,
                        .decided = terms.len};
  term_id least = price_of_outcomes(&how);
  vec_clear(&equal);
  vec_clear(&terms);
  vec_clear(&values);
  return least;
}

/* ---- the whole program ---------------------------------------------------------------------- */

/* The largest ratio of probabilities is not found where the data have no finite range. */
static void try_weights(struct listed *l) {
  term_list costs = {0};
  bool done = false;
  weights_costs(&l->known, l->k, view_program(l->p), &costs);
  l->is_guess = l->is_exponential;
  for (size_t i = 0; i < costs.len && !done; i++) {
    const char *cost = text_of(l->p, costs.at[i]);
    done = cost && propose(l, cost, NULL, cost);
  }
  l->is_guess = false;
  vec_clear(&costs);
}

static void try_whole(struct listed *l) {
  const struct lowered *program = claim_program(l->p->goal);
  l->code = program->program;
  l->loop = NULL;
  l->keys.len = l->range_count = l->defined.len = 0;
  if (program->output != TERM_NONE) vec_push(&l->keys, program->output);
  if (program->result != TERM_NONE) vec_push(&l->keys, program->result);
  if (!can_list(l)) return;
  find_ranges(l);
  const char *cost = stated(l);
  term_id least = cost ? TERM_NONE : price(l, NULL, NULL, 0);
  if (least != TERM_NONE) cost = text_of(l->p, least);
  if (cost)
    propose(l, cost, NULL, l->p->wants_least ? cost : NULL);
  else
    try_weights(l);
}

/* ---- a loop --------------------------------------------------------------------------------- */

/* Indices, by name, at which alone the data of iterations can differ; appended. None: it is not
 * known where. */
static void differing_indices(struct listed *l, term_id same, term_list *out) {
  struct terms *ts = l->ts;
  term_list named = {0};
  term_id differs = term_not(ts, same), one_of_them = term_bool(ts, false);
  for (size_t i = 0; i < l->known.facts.len; i++)
    term_free_vars(ts, l->known.facts.at[i], &named);
  bool found = false;
  for (size_t i = 0; i < named.len && !found; i++) {
    const struct term_var *v = term_var_get(ts, named.at[i]);
    if (v->version == 0 || v->sort != SORT_INT || !text_is_named(l->p, named.at[i])) continue;
    term_id here = term_eq(ts, l->index, named.at[i]);
    if (known_entails(&l->known, differs, here)) {
      out->len = 0;
      found = true;
    }
    vec_push(out, named.at[i]);
    one_of_them = term_or(ts, one_of_them, here);
  }
  if (!found && (out->len < 2 || !known_entails(&l->known, differs, one_of_them))) out->len = 0;
  vec_clear(&named);
}

/* Maximal terms of the code that are about data alone: `v = i`, b[i], x. */
struct data {
  term_list terms; /* run-less */
};

static bool is_data(struct listed *l, term_id t, const term_list *written) {
  if (kernel_tag(l->k, t, 1) == t || term_mentions(l->ts, t, written->at, written->len))
    return false;
  enum term_kind kind = term_kind(l->ts, t);
  return kind == TERM_VAR || kind == TERM_SELECT || kind == TERM_APP ||
         (kind == TERM_EQ && term_sort(l->ts, t) == SORT_BOOL);
}

static void collect(struct listed *l, term_id t, const term_list *written, term_list *out) {
  if (t == TERM_NONE || (l->loop && t == l->index)) return;
  if (is_data(l, t, written)) {
    terms_add(out, t);
    return;
  }
  for (size_t i = 0; i < term_arg_count(l->ts, t); i++)
    collect(l, term_arg(l->ts, t, i), written, out);
}

/* With what copies are copies of, such as arguments of procedures. */
static term_id resolved(struct listed *l, term_id t) {
  const struct view *v = l->p->view;
  if (t == TERM_NONE || !v) return t;
  return term_subst(l->ts, t, v->copies.at, v->copied.at, v->copies.len);
}

static void collect_code(struct listed *l, const struct core *c, const term_list *written,
                         term_list *out) {
  bool is_copy = c->kind == CORE_ASSIGN && l->p->view && terms_have(&l->p->view->copies, c->var);
  if (!is_copy) collect(l, resolved(l, c->expr), written, out);
  for (size_t i = 0; c->kind == CORE_SAMPLE && i < c->arg_count; i++)
    collect(l, resolved(l, c->args[i]), written, out);
  if (c->first) collect_code(l, c->first, written, out);
  if (c->second) collect_code(l, c->second, written, out);
}

static term_id same_data(struct listed *l, const term_list *data) {
  term_id same = l->ts->true_term;
  for (size_t i = 0; i < data->len; i++) {
    term_id one = seen_in(l, data->at[i], 1), two = seen_in(l, data->at[i], 2);
    same = term_and(l->ts, same, term_eq(l->ts, one, two));
  }
  return same;
}

/* The e of a condition i = e on the index; TERM_NONE: another one. */
static term_id position_of(struct listed *l, term_id atom) {
  if (term_kind(l->ts, atom) != TERM_EQ) return TERM_NONE;
  for (size_t side = 0; side < 2; side++)
    if (term_arg(l->ts, atom, 1 - side) == l->index) return term_arg(l->ts, atom, side);
  return TERM_NONE;
}

/* The only condition on data is i = e: each run has one iteration of its own. */
static bool try_positions(struct listed *l, const term_list *data) {
  struct terms *ts = l->ts;
  term_id e = data->len == 1 ? position_of(l, data->at[0]) : TERM_NONE;
  if (e == TERM_NONE) return false;
  term_id from[] = {kernel_tag(l->k, data->at[0], 1), kernel_tag(l->k, data->at[0], 2)};
  term_id first[] = {ts->true_term, ts->false_term}, second[] = {ts->false_term, ts->true_term};
  term_id own = price(l, from, first, 2), other = price(l, from, second, 2);
  if (own == TERM_NONE || other == TERM_NONE) return true;
  term_id sum = term_add(ts, own, other), e_own = term_exp(ts, own);
  term_id total = claim_epsilon(l->p->goal);
  if (l->p->wants_least)
    total = term_ln(ts, cost_simplified(ts, term_mul(ts, e_own, term_exp(ts, other))));
  if (!points_at_most(&l->points, sum, total)) return true;
  other = term_sub(ts, total, own); /* so that they add up without further ado */
  struct text cost, budget;
  term_id e1 = kernel_tag(l->k, e, 1), e2 = kernel_tag(l->k, e, 2), i = l->index;
  text_init(&cost, l->p);
  text_put(&cost, "if %t = %t then 0 else if %t = %t then %t else if %t = %t then %t else 0", e1,
           e2, i, e1, own, i, e2, other);
  text_init(&budget, l->p);
  text_put(&budget,
           "if %t = %t then 0 else (if %t <= %t then %t else 0) + (if %t <= %t then %t else 0)", e1,
           e2, i, e1, own, i, e2, other);
  const char *cost_text = text_take(&cost), *budget_text = text_take(&budget);
  const char *total_text = l->p->wants_least ? text_of(l->p, total) : NULL;
  l->range_count = 0; /* that the position differs or not is all that matters */
  if (cost_text && budget_text) propose(l, cost_text, budget_text, total_text);
  return true;
}

/* The adjacency names the iterations in which data differ: each pays as much, and pays twice if
 * two names are those of one iteration. */
static void try_named(struct listed *l, term_id same) {
  struct terms *ts = l->ts;
  term_list at = {0};
  differing_indices(l, same, &at);
  term_id times = term_int(ts, (long)at.len), total = TERM_NONE, each = TERM_NONE;
  if (at.len && l->p->wants_least) {
    each = price(l, NULL, NULL, 0);
    total = each == TERM_NONE ? each : term_mul(ts, times, each);
  } else if (at.len) {
    total = claim_epsilon(l->p->goal);
    each = term_div(ts, total, times);
  }
  struct text cost, budget;
  text_init(&cost, l->p);
  text_init(&budget, l->p);
  for (size_t i = 0; i < at.len && each != TERM_NONE; i++) {
    const char *more = i ? " + " : "";
    text_put(&cost, "%s(if %t = %t then %t else 0)", more, l->index, at.at[i], each);
    text_put(&budget, "%s(if %t <= %t then %t else 0)", more, l->index, at.at[i], each);
  }
  const char *total_text = total == TERM_NONE ? NULL : text_of(l->p, total);
  const char *cost_text = text_take(&cost), *budget_text = text_take(&budget);
  if (total_text && cost_text && budget_text)
    propose(l, cost_text, budget_text, l->p->wants_least ? total_text : NULL);
  vec_clear(&at);
}

/* Every iteration pays. */
static void try_all(struct listed *l) {
  struct terms *ts = l->ts;
  term_id times = term_sub(ts, l->high, l->low);
  term_id least = price(l, NULL, NULL, 0);
  if (least == TERM_NONE && !l->p->wants_least && l->is_exponential)
    least = term_div(ts, claim_epsilon(l->p->goal), times);
  if (least == TERM_NONE) return;
  term_id left = term_sub(ts, l->high, l->index);
  const char *cost = text_of(l->p, least), *budget = text_of(l->p, term_mul(ts, left, least));
  const char *total = l->p->wants_least ? text_of(l->p, term_mul(ts, times, least)) : NULL;
  if (cost && budget) propose(l, cost, budget, total);
}

static void try_costs(struct listed *l) {
  term_list data = {0}, written = {0};
  core_writes(claim_program(l->p->goal)->program, &written);
  kill_var(&written, l->index);
  collect_code(l, l->code, &written, &data);
  term_id same = same_data(l, &data);
  if (l->is_paid_always)
    try_all(l);
  else if (!try_positions(l, &data))
    try_named(l, same);
  vec_clear(&data);
  vec_clear(&written);
}

/* The first `count` statements as the part; its keys are what is needed later. */
static void cut_at(struct listed *l, const struct core *const *list, size_t length, size_t count,
                   const term_list *live_at_end) {
  term_list live = {0}, written = {0};
  for (size_t i = 0; i < live_at_end->len; i++)
    vec_push(&live, live_at_end->at[i]);
  for (size_t i = length; i-- > count;)
    listed_live_before(l->ts, list[i], &live);
  l->code = list[count - 1];
  for (size_t i = count - 1; i-- > 0;)
    l->code = core_seq(kernel_arena(l->k), list[i], l->code);
  core_writes(l->code, &written);
  l->keys.len = 0;
  for (size_t i = 0; i < live.len; i++)
    if (terms_have(&written, live.at[i])) terms_add(&l->keys, live.at[i]);
  vec_clear(&live);
  vec_clear(&written);
}

/* The part is the body up to some statement behind the last sampling: where few variables have to
 * be equal first. */
static void try_cuts(struct listed *l, const term_list *live_at_end) {
  VEC(const struct core *) list = {0};
  const struct core *c = l->loop->first;
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&list, c->first);
  vec_push(&list, c);
  size_t last = 0;
  for (size_t i = 0; i < list.len; i++)
    if (core_is_random(list.at[i])) last = i + 1;
  size_t tried = 0;
  for (size_t keys = 1; last && keys <= 3; keys++)
    for (size_t count = last; count <= list.len && tried < CUTS && !auto_done(l->search); count++) {
      if (count > last && list.at[count - 1]->kind == CORE_ASSIGN &&
          list.at[count - 1]->var == l->index)
        break;
      cut_at(l, list.at, list.len, count, live_at_end);
      if (l->keys.len != keys || !can_list(l)) continue;
      tried++;
      l->range_count = 0;
      find_ranges(l);
      try_costs(l);
    }
  vec_clear(&list);
}

/* What the statements before the loop assign for good. */
static void find_definitions(struct listed *l) {
  term_list written = {0}, read = {0}, all = {0};
  core_writes(l->loop->first, &written);
  core_reads(l->ts, l->loop->first, &read);
  core_writes(claim_program(l->p->goal)->program, &all);
  l->defined.len = l->values.len = 0;
  for (const struct core *c = claim_program(l->p->goal)->program; c->kind == CORE_SEQ;
       c = c->second) {
    if (c->first == l->loop) break;
    size_t times = 0;
    for (size_t i = 0; i < all.len; i++)
      times += all.at[i] == c->first->var;
    if (c->first->kind != CORE_ASSIGN || times != 1) continue;
    term_id value = term_subst(l->ts, c->first->expr, l->defined.at, l->values.at, l->defined.len);
    if (value == TERM_NONE || term_mentions(l->ts, value, all.at, all.len)) continue;
    vec_push(&l->defined, c->first->var);
    vec_push(&l->values, term_coerce(l->ts, value, term_sort(l->ts, c->first->var)));
  }
  size_t kept = 0;
  for (size_t i = 0; i < l->defined.len; i++) {
    if (terms_have(&written, l->defined.at[i]) || !terms_have(&read, l->defined.at[i])) continue;
    l->defined.at[kept] = l->defined.at[i];
    l->values.at[kept++] = l->values.at[i];
  }
  l->defined.len = l->values.len = kept;
  vec_clear(&written);
  vec_clear(&read);
  vec_clear(&all);
}

/* What the statements before the loop assign to the variable last; TERM_NONE: nothing public. */
static term_id value_before(struct listed *l, term_id var) {
  term_list written = {0};
  term_id value = TERM_NONE;
  const struct core *c = claim_program(l->p->goal)->program;
  core_writes(c, &written);
  for (; c->kind == CORE_SEQ && c->first != l->loop; c = c->second)
    if (c->first->kind == CORE_ASSIGN && c->first->var == var) value = c->first->expr;
  if (value != TERM_NONE &&
      (term_mentions(l->ts, value, written.at, written.len) || kernel_tag(l->k, value, 1) != value))
    value = TERM_NONE;
  vec_clear(&written);
  return value;
}

/* The index of a `for`, or i in `while i < h {..; i := i + 1}`. */
static bool find_index(struct listed *l) {
  struct terms *ts = l->ts;
  const struct core *loop = l->loop, *end = loop->first;
  l->index = loop->var;
  l->low = loop->var == TERM_NONE ? TERM_NONE : loop->args[0];
  l->high = loop->var == TERM_NONE ? TERM_NONE : loop->args[1];
  if (loop->var != TERM_NONE || term_kind(ts, loop->expr) != TERM_LT) return loop->var != TERM_NONE;
  term_id i = term_arg(ts, loop->expr, 0), h = term_arg(ts, loop->expr, 1);
  while (end->kind == CORE_SEQ)
    end = end->second;
  term_list written = {0};
  size_t times = 0;
  core_writes(loop->first, &written);
  for (size_t n = 0; n < written.len; n++)
    times += written.at[n] == i;
  bool counts = term_kind(ts, i) == TERM_VAR && term_sort(ts, i) == SORT_INT && times == 1 &&
                end->kind == CORE_ASSIGN && end->var == i &&
                end->expr == term_add(ts, i, term_int(ts, 1)) &&
                !term_mentions(ts, h, written.at, written.len);
  vec_clear(&written);
  l->index = i;
  l->low = counts ? value_before(l, i) : TERM_NONE;
  l->high = h;
  return l->low != TERM_NONE;
}

static void try_loop(struct listed *l) {
  const struct core *rest = NULL;
  l->loop = listed_loop(l->k, claim_program(l->p->goal)->program, &rest);
  if (!l->loop || !find_index(l)) return;
  l->invariant.len = 0;
  find_definitions(l);
  known_add(&l->known, l->loop->expr);
  known_add(&l->known, term_le(l->ts, l->low, l->index));
  term_list live = {0}, written = {0}, outputs = {0};
  outputs_of(l, &outputs);
  for (size_t i = 0; i < outputs.len; i++)
    vec_push(&live, outputs.at[i]);
  listed_live_before(l->ts, rest, &live);
  for (int round = 0; round < 2; round++) { /* what the next iteration reads */
    term_list head = {0};
    for (size_t i = 0; i < live.len; i++)
      vec_push(&head, live.at[i]);
    listed_live_before(l->ts, l->loop->first, &head);
    term_free_vars(l->ts, l->loop->expr, &head);
    for (size_t i = 0; i < head.len; i++)
      terms_add(&live, head.at[i]);
    vec_clear(&head);
  }
  core_writes(l->loop->first, &written);
  for (size_t i = 0; i < written.len; i++)
    if (terms_have(&live, written.at[i]) && !terms_have(&outputs, written.at[i]) &&
        written.at[i] != l->index)
      terms_add(&l->invariant, written.at[i]);
  try_cuts(l, &live);
  vec_clear(&live);
  vec_clear(&written);
  vec_clear(&outputs);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* What is read outside of list[from..last]; appended. */
static void reads_outside(struct listed *l, const struct core *c, const struct core *const *list,
                          size_t from, size_t last, term_list *out) {
  for (size_t i = from; i <= last; i++)
    if (list[i] == c) return;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) {
    core_reads(l->ts, c, out);
    return;
  }
  if (c->expr != TERM_NONE) term_free_vars(l->ts, c->expr, out);
  reads_outside(l, c->first, list, from, last, out);
  if (c->second) reads_outside(l, c->second, list, from, last, out);
}

/* The variables of the part that matter afterwards become its keys. */
static void take_keys(struct listed *l, const struct core *const *list, size_t from, size_t last) {
  term_list read = {0}, written = {0};
  const struct core *program = claim_program(l->p->goal)->program;
  outputs_of(l, &read);
  reads_outside(l, program, list, from, last, &read);
  l->code = list[last];
  for (size_t i = last; i-- > from;)
    l->code = core_seq(kernel_arena(l->k), list[i], l->code);
  core_writes(l->code, &written);
  for (size_t i = 0; i < written.len; i++)
    if (terms_have(&read, written.at[i])) terms_add(&l->keys, written.at[i]);
  vec_clear(&read);
  vec_clear(&written);
}

static bool part_from(struct listed *l, const struct core *const *list, size_t from, size_t last,
                      struct listed_part *out) {
  l->keys.len = 0;
  take_keys(l, list, from, last);
  *out = (struct listed_part){.code = l->code};
  if (l->keys.len != 1 || !can_list(l)) return false;
  l->range_count = 0;
  find_ranges(l);
  out->key = l->keys.at[0];
  out->cost = price(l, NULL, NULL, 0);
  const char *cost = out->cost == TERM_NONE ? NULL : text_of(l->p, out->cost);
  if (!cost || out->cost == term_rat(l->ts, 0, 1)) return false;
  struct text text;
  text_init(&text, l->p);
  write_step(l, &text, cost, l->range_count > 0, COMPARE_WHOLE);
  out->step = text_take(&text);
  return out->step != NULL;
}

bool listed_part(struct auto_problem *p, const struct core *const *list, size_t last, size_t *from,
                 struct listed_part *out) {
  struct listed l = {.p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts};
  if (!outcomes_are_listable(p->ts, list[last])) return false;
  for (*from = last; *from > 0 && outcomes_are_listable(p->ts, list[*from - 1]);)
    --*from;
  points_init(&l.points, p);
  known_init(&l.known, p, CLAIM_FORWARD);
  bool found = part_from(&l, list, *from, last, out);
  /* what has been assigned before the first sample may be needed later, too */
  while (!found && *from < last && !core_is_random(list[*from])) {
    l.begins_late = true;
    found = part_from(&l, list, ++*from, last, out);
  }
  points_clear(&l.points);
  known_clear(&l.known);
  vec_clear(&l.keys);
  return found;
}

static void search_listed(struct auto_problem *p, struct auto_search *s) {
  struct listed l = {.p = p, .search = s, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts};
  if (!core_is_random(claim_program(p->goal)->program)) return;
  points_init(&l.points, p);
  known_init(&l.known, p, CLAIM_FORWARD);
  /* the iterations one by one have fewer outcomes than all of them */
  try_loop(&l);
  if (!auto_done(s)) try_whole(&l);
  l.is_paid_always = true;
  if (!auto_done(s)) try_loop(&l);
  points_clear(&l.points);
  known_clear(&l.known);
  vec_clear(&l.keys);
  vec_clear(&l.invariant);
  vec_clear(&l.defined);
  vec_clear(&l.values);
}

void auto_weighed(struct auto_problem *p, struct auto_search *s) {
  if (weights_in(claim_kernel(p->goal, CLAIM_FORWARD), view_program(p))) search_listed(p, s);
}

void auto_listed(struct auto_problem *p, struct auto_search *s) {
  if (!weights_in(claim_kernel(p->goal, CLAIM_FORWARD), view_program(p))) search_listed(p, s);
}
