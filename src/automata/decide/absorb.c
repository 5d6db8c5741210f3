#include "automata/decide/absorb.h"

#include "base/alloc.h"

/* A guard of two variables is the set of its outcomes, a bit for each. */
enum {
  BOTH_BELOW = 1,
  APART = 2,   /* insample >= x, insample < y: what the move favours */
  CROSSED = 4, /* insample < x, insample >= y */
  BOTH_ABOVE = 8
};
enum {
  GUARD_TRUE = 15,
  GUARD_ABOVE_X = APART | BOTH_ABOVE,
  GUARD_BELOW_Y = APART | BOTH_BELOW,
  GUARD_APART = APART,
  GUARD_ABOVE_X_OR_BELOW_Y = APART | BOTH_ABOVE | BOTH_BELOW,
  GUARD_EXCLUSIVE = APART | CROSSED,
  GUARD_EITHER_BELOW = BOTH_BELOW | APART | CROSSED,
  GUARD_EITHER_ABOVE = BOTH_ABOVE | APART | CROSSED
};

struct reading {
  const struct automaton *a;
  bool *reached;           /* [from * states + to]: by one edge or more */
  bool *is_first;          /* states of the initial part */
  uint32_t drawn_at[2];    /* the state where x, y are drawn */
  unsigned cyclic, single; /* bit t: some edge in a cycle, or outside of cycles, has guard t */
};

/* ---- reading the automaton ------------------------------------------------------------------- */

static bool leads(const struct reading *r, uint32_t from, uint32_t to) {
  return r->reached[(size_t)from * r->a->states.len + to];
}

static void find_reached(struct reading *r) {
  const struct automaton *a = r->a;
  size_t n = a->states.len;
  VEC(uint32_t) queue = {0};
  for (uint32_t from = 0; from < n; from++) {
    bool *to = r->reached + from * n;
    queue.len = 0;
    vec_push(&queue, from);
    for (size_t head = 0; head < queue.len; head++)
      for (uint32_t e = a->first_edge.at[queue.at[head]]; e < a->first_edge.at[queue.at[head] + 1];
           e++) {
        if (to[a->edges.at[e].to]) continue;
        to[a->edges.at[e].to] = true;
        vec_push(&queue, a->edges.at[e].to);
      }
  }
  vec_clear(&queue);
}

static unsigned guard_table(const struct automaton *a, uint32_t guard) {
  unsigned table = 0;
  for (unsigned outcome = 0; outcome < 4; outcome++)
    for (uint32_t c = a->guards.at[guard].begin; c < a->guards.at[guard].end; c++) {
      bool all = true;
      for (uint32_t i = a->cubes.at[c].begin; i < a->cubes.at[c].end; i++)
        all = all && literal_is_less(a->literals.at[i]) ==
                         !(outcome >> literal_var(a->literals.at[i]) & 1);
      if (all) table |= 1u << outcome;
    }
  return table;
}

/* The states from the start on that have one edge, without a condition, until x and y are drawn,
 * each once. Nothing that is stored is output. */
static bool read_first_part(struct reading *r) {
  const struct automaton *a = r->a;
  bool is_drawn[2] = {false, false};
  for (uint32_t s = a->start; !is_drawn[0] || !is_drawn[1];) {
    uint32_t e = a->first_edge.at[s];
    if (a->first_edge.at[s + 1] != e + 1 || leads(r, s, s)) return false;
    const struct automaton_edge *edge = &a->edges.at[e];
    struct members w = automaton_members(a, edge->assign);
    if (guard_table(a, edge->guard) != GUARD_TRUE) return false;
    if (w.count > 0 && edge->emit == EMIT_INSAMPLE) return false;
    for (size_t i = 0; i < w.count; i++) {
      if (is_drawn[w.at[i]]) return false;
      is_drawn[w.at[i]] = true;
      r->drawn_at[w.at[i]] = s;
    }
    r->is_first[s] = true;
    s = edge->to;
  }
  return true;
}

/* Is something compared on some way from the state on? */
static bool compares(const struct reading *r, uint32_t state) {
  const struct automaton *a = r->a;
  for (uint32_t e = 0; e < a->edges.len; e++) {
    uint32_t from = a->edges.at[e].from;
    if ((from == state || leads(r, state, from)) && a->edges.at[e].guard != 0) return true;
  }
  return false;
}

/* After that nothing is assigned that matters. Real outputs of inputs are seen at most once each;
 * insample only where it is compared with nothing. */
static bool read_rest(struct reading *r) {
  const struct automaton *a = r->a;
  for (uint32_t e = 0; e < a->edges.len; e++) {
    const struct automaton_edge *edge = &a->edges.at[e];
    const struct automaton_state *state = &a->states.at[edge->from];
    unsigned table = guard_table(a, edge->guard);
    if (!leads(r, a->start, edge->from) || r->is_first[edge->from] || table == 0) continue;
    bool is_cyclic = leads(r, edge->to, edge->from);
    if (edge->assign != 0 && (is_cyclic || compares(r, edge->to))) return false;
    if (edge->emit == EMIT_INSAMPLE && table != GUARD_TRUE) return false;
    bool is_real = edge->emit == EMIT_INSAMPLE || edge->emit == EMIT_PRIME;
    if (is_real && is_cyclic && state->is_input) return false;
    *(is_cyclic ? &r->cyclic : &r->single) |= 1u << table;
  }
  return true;
}

/* ---- the criterion --------------------------------------------------------------------------- */

/* The same guards with the names of x and y exchanged. */
static unsigned exchange(unsigned guards) {
  unsigned result = 0;
  for (unsigned t = 0; t < 16; t++) {
    unsigned other =
        (t & (BOTH_BELOW | BOTH_ABOVE)) | (t & APART ? CROSSED : 0) | (t & CROSSED ? APART : 0);
    if (guards >> t & 1) result |= 1u << other;
  }
  return result;
}

static bool are_among(unsigned guards, const unsigned *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    guards &= ~(1u << list[i]);
  return guards == 0;
}

/* Moving x down and y up absorbs the rates of all guards of cycles, where x <= y. */
static bool absorbs_below(unsigned cyclic) {
  static const unsigned good[] = {GUARD_TRUE,        GUARD_ABOVE_X,   GUARD_BELOW_Y,
                                  GUARD_APART,       GUARD_EXCLUSIVE, GUARD_ABOVE_X_OR_BELOW_Y,
                                  GUARD_EITHER_BELOW};
  unsigned either_above = 1u << GUARD_EITHER_ABOVE, either_below = 1u << GUARD_EITHER_BELOW;
  if (cyclic & either_above && cyclic & either_below) return false; /* one wants y to move more */
  return are_among(cyclic & ~either_above, good, sizeof good / sizeof *good);
}

/* The mirror image does, where x > y. */
static bool is_symmetric(unsigned cyclic) {
  return exchange(cyclic) == cyclic &&
         are_among(cyclic,
                   (const unsigned[]){GUARD_TRUE, GUARD_EXCLUSIVE, GUARD_EITHER_BELOW,
                                      GUARD_EITHER_ABOVE},
                   4);
}

static bool have_same_law(const struct reading *r) {
  const struct automaton_state *x = &r->a->states.at[r->drawn_at[0]];
  const struct automaton_state *y = &r->a->states.at[r->drawn_at[1]];
  if (r->drawn_at[0] == r->drawn_at[1]) return true;
  return !x->is_input && !y->is_input && x->d == y->d && x->mean == y->mean;
}

/* After exchanging x > y, `insample < x, insample >= y` becomes its opposite. */
static bool may_be_exchanged(unsigned single) {
  for (unsigned t = 0; t < 16; t++)
    if (single >> t & 1 && t & CROSSED && !(t & APART)) return false;
  return true;
}

static bool is_absorbing(const struct reading *r, unsigned cyclic, unsigned single) {
  return absorbs_below(cyclic) &&
         (is_symmetric(cyclic) || (have_same_law(r) && may_be_exchanged(single)));
}

bool automaton_is_absorbing(const struct automaton *a) {
  size_t n = a->states.len;
  if (!a->independent || a->vars.len != 2 || n > ABSORB_STATES) return false;
  struct reading r = {.a = a};
  r.reached = xcalloc(n * n, sizeof *r.reached);
  r.is_first = xcalloc(n, sizeof *r.is_first);
  r.drawn_at[0] = r.drawn_at[1] = AUTOMATON_NONE;
  find_reached(&r);
  bool ok = read_first_part(&r) && read_rest(&r) &&
            (is_absorbing(&r, r.cyclic, r.single) ||
             is_absorbing(&r, exchange(r.cyclic), exchange(r.single)));
  free(r.reached);
  free(r.is_first);
  return ok;
}
