#include "auto/sync.h"

#include <math.h>
#include <string.h>

#include "auto/sync_emit.h"
#include "auto/sync_loop.h"
#include "auto/sync_strategy.h"
#include "term/build.h"
#include "term/print.h"
#include "term/subst.h"

/* ---- one search ------------------------------------------------------------------------------ */

static void sync_init(struct sync *s, struct auto_problem *p, struct auto_search *search,
                      bool swapped) {
  *s = (struct sync){.problem = p,
                     .search = search,
                     .ts = p->ts,
                     .k = claim_kernel(p->goal, CLAIM_FORWARD),
                     .arena = p->arena,
                     .forms = {.arena = p->arena},
                     .program = claim_program(p->goal)->program,
                     .swapped = swapped};
  sync_inputs(s);
}

static void sync_clear(struct sync *s) {
  vec_clear(&s->forms.atoms);
  vec_clear(&s->vars);
  vec_clear(&s->private);
  vec_clear(&s->constants);
  vec_clear(&s->shapes);
  vec_clear(&s->witnesses);
  vec_clear(&s->needs);
  vec_clear(&s->wanted);
  vec_clear(&s->fixed);
  vec_clear(&s->living);
  vec_clear(&s->lengths);
}

/* Before the program starts nothing is known of its variables. */
static struct sync_piece *solve_once(struct sync *s) {
  size_t n = s->vars.len;
  struct sync_state state = {.value = arena_alloc(s->arena, (n + 1) * sizeof(term_id)),
                             .diff = arena_alloc(s->arena, (n + 1) * sizeof(void *))};
  bool *live = arena_alloc(s->arena, n + 1);
  const struct lowered *program = claim_program(s->problem->goal);
  for (size_t v = 0; v < n; v++) {
    state.value[v] = s->vars.at[v];
    state.diff[v] = &FORM_UNKNOWN;
    live[v] = s->vars.at[v] == program->result || s->vars.at[v] == program->output;
  }
  struct sync_start start = {.state = state, .todo = todo_command(s, s->program, NULL)};
  struct sync_goal goal = {.live = live};
  return sync_piece_solve(s, &start, &goal);
}

static bool is_needed(const struct sync *s, const struct sync_need *n) {
  for (size_t i = 0; i < s->needs.len; i++)
    if (s->needs.at[i].loop == n->loop && s->needs.at[i].var == n->var) return true;
  return false;
}

/* Solves; where a variable of a loop had to be equal later and was not, asks for that. */
static struct sync_piece *solve_refining(struct sync *s) {
  for (size_t round = 0; round <= SYNC_NEEDS; round++) {
    s->wanted.len = 0;
    struct sync_piece *piece = solve_once(s);
    if (piece) return piece;
    size_t i = 0;
    while (i < s->wanted.len && is_needed(s, &s->wanted.at[i]))
      i++;
    if (i == s->wanted.len) return NULL;
    vec_push(&s->needs, s->wanted.at[i]);
  }
  return NULL;
}

/* Samplings in loops whose effect lasts are chosen for the next iteration by greed alone; so try
 * fixed shifts for them as well. */
static struct sync_piece *solve(struct sync *s) {
  struct sync_piece *best = solve_refining(s);
  for (size_t site = 0; site < s->living.len && site < 2; site++)
    for (size_t c = 0; c < s->constants.len && c < 2; c++)
      for (int sign = -1; sign <= 1; sign += 2) {
        struct ratio shift = ratio_from_fmpq(term_num_value(s->ts, s->constants.at[c]));
        if (sign < 0) shift = ratio_neg(shift);
        vec_push(&s->fixed, (struct sync_fixed){s->living.at[site], shift});
        struct sync_piece *other = solve_refining(s);
        if (other && (!best || other->weight < best->weight * (1 - 1e-9)))
          best = other;
        else
          s->fixed.len--;
      }
  return best;
}

/* ---- proposals ------------------------------------------------------------------------------- */

/* Is the cost above the stated one at some sample point? */
static bool too_expensive(struct sync *s, term_id cost) {
  if (s->problem->wants_least) return false;
  term_id stated = claim_epsilon(s->problem->goal);
  for (unsigned i = 0; i < SYNC_POINTS; i++) {
    double have = sync_value(s, stated, i), need = sync_value(s, cost, i);
    if (need > have * (1 + 1e-9) + 1e-12) return true;
  }
  return false;
}

static void report(struct sync *s, const struct sync_piece *piece) {
  if (piece) {
    const char *cost = sync_cost_text(s, piece->cost);
    auto_blame(s->search, s->program->span, cost,
               "the cheapest coupling in which both runs take the same branches costs %s", cost);
  } else if (s->blame && strcmp(s->blame, "unbounded") == 0) {
    auto_blame(s->search, s->blame_span, NULL,
               "an iteration of this loop costs, and nothing bounds how many of them do");
  } else if (s->blame) {
    auto_blame(s->search, s->blame_span, NULL,
               "%s cannot be made equal in both runs by shifting the noise", s->blame);
  } else if (s->blame_atom != TERM_NONE) {
    char *text = term_text(s->ts, s->blame_atom);
    auto_blame(s->search, s->blame_span, NULL,
               "run 2 cannot be made to take the branch of run 1 at `%s`", text);
    free(text);
  }
}

static bool propose(struct auto_problem *p, struct auto_search *search, const char *proof,
                    const char *cost) {
  struct auto_candidate c = {
      .proof = proof, .epsilon = p->wants_least ? cost : NULL, .promise = 10};
  return auto_try(search, &c)->verdict == PROOF_PROVED;
}

/* The steps of one direction; NULL if there are none. */
static const char *direction_text(struct sync *s, const struct sync_piece *piece,
                                  const struct sync_style *style) {
  struct buffer text;
  buffer_init(&text);
  bool ok = sync_emit(s, piece, style, &text);
  const char *kept = ok ? arena_printf(s->arena, "%s", buffer_text(&text)) : NULL;
  buffer_clear(&text);
  return kept;
}

/* Does the cost grow with the data? Another kind of coupling may avoid that. */
static bool grows_with_data(struct sync *s, term_id cost) {
  return term_mentions(s->ts, cost, s->lengths.at, s->lengths.len);
}

static void propose_both(struct sync *forward, const struct sync_piece *there,
                         struct sync *backward, const struct sync_piece *back, const char *cost) {
  struct auto_problem *p = forward->problem;
  bool proved = false;
  for (int split = 0; split < 2 && !proved && !auto_done(forward->search); split++) {
    struct sync_style style = {.split = split};
    const char *steps = direction_text(forward, there, &style);
    const char *other = back && steps ? direction_text(backward, back, &style) : "";
    if (!steps || !other) continue;
    const char *proof = back ? arena_printf(p->arena, "{\n%sbackward {\n%s}\n}", steps, other)
                             : arena_printf(p->arena, "{\n%s}", steps);
    proved = propose(p, forward->search, proof, cost);
  }
}

static void search_for(struct auto_problem *p, struct auto_search *search, bool any_cost) {
  struct sync forward, backward = {0};
  sync_init(&forward, p, search, false);
  bool both = !claim_is_symmetric(p->goal);
  if (both) sync_init(&backward, p, search, true);
  struct sync_piece *there = solve(&forward), *back = both && there ? solve(&backward) : NULL;
  if (!there || (both && !back)) {
    report(there ? &backward : &forward, NULL);
  } else {
    term_id cost = both ? sync_max(&forward, there->cost, back->cost) : there->cost;
    const char *text = sync_cost_text(&forward, cost);
    if (too_expensive(&forward, cost))
      report(&forward, there);
    else if (any_cost || !p->wants_least || !grows_with_data(&forward, cost))
      propose_both(&forward, there, &backward, back, text);
  }
  sync_clear(&forward);
  sync_clear(&backward);
}

void auto_synchronous(struct auto_problem *p, struct auto_search *search) {
  search_for(p, search, false);
}

void auto_synchronous_any(struct auto_problem *p, struct auto_search *search) {
  if (p->wants_least && !auto_cost(search)) search_for(p, search, true);
}
