#include "search/align/blame.h"

#include "search/align/loop.h"
#include "search/align/naming.h"
#include "search/align/price.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

/* ---- places ---------------------------------------------------------------------------------- */

static const struct core *last_write(const struct core *c, term_id var) {
  if (!c) return NULL;
  if ((c->kind == CORE_ASSIGN || c->kind == CORE_SAMPLE) && c->var == var) return c;
  const struct core *found = last_write(c->second, var);
  return found ? found : last_write(c->first, var);
}

struct span align_last_write(const struct core *program, term_id var) {
  const struct core *found = last_write(program, var);
  return found ? found->span : program->span;
}

static const struct core *first_payment(struct align *s, const struct align_piece *piece,
                                        bool is_open);

static const struct core *first_in_loop(struct align *s, const struct align_plan *plan,
                                        bool is_open) {
  const struct core *found = NULL;
  for (size_t i = 0; i < plan->heads.len && !found; i++)
    if (plan->heads.at[i]->body) found = first_payment(s, plan->heads.at[i]->body, is_open);
  for (size_t i = 0; i < plan->heads.len && !found; i++)
    if (plan->heads.at[i]->after) found = first_payment(s, plan->heads.at[i]->after, is_open);
  return found;
}

/* The first sampling that the coupling pays for; `is_open`: at a price that is not made of
 * parameters. NULL: there is none. */
static const struct core *first_payment(struct align *s, const struct align_piece *piece,
                                        bool is_open) {
  const term_id zero = term_rat(s->ts, 0, 1);
  const struct core *found = NULL;
  for (size_t i = 0; i < piece->cells.len && !found; i++) {
    const struct align_cell *cell = &piece->cells.at[i];
    if (cell->distance == TERM_NONE) continue;
    term_id cost = align_cell_cost(s, cell);
    if (cost != zero && !(is_open && align_is_fixed(s, cost))) found = cell->site;
  }
  for (size_t i = 0; i < piece->plans.len && !found; i++)
    found = first_in_loop(s, piece->plans.at[i], is_open);
  return found;
}

static struct span place_of_payment(struct align *s, const struct align_piece *piece,
                                    bool is_open) {
  const struct core *found = first_payment(s, piece, is_open);
  return found ? found->span : s->program->span;
}

/* ---- words ----------------------------------------------------------------------------------- */

/* The term with plain variables in place of fresh ones. */
static term_id as_written(struct align *s, term_id t) {
  term_list from = {0}, to = {0};
  term_free_vars(s->ts, t, &from);
  for (size_t i = 0; i < from.len; i++) {
    struct term_var v = *term_var_get(s->ts, from.at[i]);
    vec_push(&to, term_var(s->ts, v.name, v.sort, v.run, 0));
  }
  t = term_subst(s->ts, t, from.at, to.at, from.len);
  vec_clear(&from);
  vec_clear(&to);
  return t;
}

/* There is a coupling, but it costs too much. */
static void report_cost(struct align *s, const struct align_piece *piece, term_id least) {
  const char *cost = align_cost_text(s, least);
  if (s->problem->view->parts.len) {
    const struct part *part =
        &vec_last(&s->problem->view->parts); /* the first one in the program */
    auto_blame(
        s->search, part->stub->span, cost,
        "the cheapest coupling found costs %s: this part by itself, for each value of %s, %s "
        "whenever it runs",
        cost, part->side[0].name, align_cost_text(s, part->side[0].cost));
  } else {
    auto_blame(s->search, place_of_payment(s, piece, false), cost,
               "the cheapest coupling in which both runs take the same branches costs %s; this is "
               "the first sample that it pays for",
               cost);
  }
  auto_advise(s->search,
              "claim `epsilon %s`, which this coupling pays for, or add noise to what costs most "
              "(couplet explain shows where the budget goes)",
              cost);
}

static bool claims_epsilon_alone(const struct align *s) {
  const struct ast_decl *d = s->problem->claim;
  return d->as.claim.notion == NOTION_PURE && !d->as.claim.delta;
}

/* There is none. */
static void report_obstacle(struct align *s) {
  if (s->unbounded) {
    auto_blame(s->search, s->blame_span, NULL,
               "an iteration of this loop costs, and nothing bounds how many of them do");
    auto_advise(s->search, "count in a variable the iterations that cost, and end the loop at a "
                           "parameter: `while i < n and count < N`");
  } else if (s->blame == align_normal_centre && claims_epsilon_alone(s)) {
    auto_blame(s->search, s->blame_span, NULL,
               "normal noise around private data is not private at any epsilon alone");
    auto_advise(s->search,
                "claim an epsilon with a delta, `zcdp` or `gaussian` (docs/notions.md), or "
                "draw Laplace noise");
  } else if (s->blame) {
    auto_blame(s->search, s->blame_span, NULL,
               "%s cannot be made equal in both runs by shifting the noise", s->blame);
    auto_advise(s->search, "say in `adjacent` or `requires` how far the private values behind it "
                           "may move, or add noise to it before it is used");
  } else if (s->blame_atom != TERM_NONE) {
    auto_blame(s->search, s->blame_span, NULL,
               "run 2 cannot be made to take the branch of run 1 at `%s`",
               align_term_text(s, as_written(s, s->blame_atom)));
    auto_advise(s->search, "add noise to what this condition compares, or compare something that "
                           "is equal in both runs");
  }
}

void align_report(struct align *s, const struct align_piece *piece, term_id cost) {
  if (!piece) {
    report_obstacle(s);
  } else if (align_is_fixed(s, cost)) {
    report_cost(s, piece, cost);
  } else {
    auto_blame(s->search, place_of_payment(s, piece, true), NULL,
               "what the cheapest coupling found pays for this sample depends on what happens in "
               "the program");
    auto_advise(s->search, "let the scales of the noise, and how many samples cost something, "
                           "depend on parameters only");
  }
}
