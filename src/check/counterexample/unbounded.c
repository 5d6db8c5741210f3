#include "check/counterexample/unbounded_walk.h"

#include <string.h>

#include "base/alloc.h"

static struct positions decode(size_t code, size_t base, size_t vars, int offset) {
  struct positions p = {{0}};
  for (size_t v = 0; v < vars; v++, code /= base)
    p.of[v] = (int)(code % base) + offset;
  return p;
}

static size_t encode(const struct positions *p, size_t base, size_t vars, int offset) {
  size_t code = 0;
  for (size_t v = vars; v-- > 0;)
    code = code * base + (size_t)(p->of[v] - offset);
  return code;
}

/* ---- a step taken once ---------------------------------------------------------------------- */

/* What the step costs if the comparisons turn out as in `pattern` and the stored values move from
 * `old` to `new`; COST_INFINITE: impossible. */
static cost_value single_cost(const struct unbounded_problem *p, size_t step, unsigned pattern,
                              const struct positions *old, const struct positions *new) {
  const struct walk_step_info *s = &p->steps[step];
  int at = p->at[step];
  cost_value cost = 0;
  for (size_t i = 0; i < s->assigned_count; i++) {
    int distance = new->of[s->assigned[i]] - at;
    if (s->emits && distance != 0) return COST_INFINITE; /* what is seen is at the input */
    cost += s->d * (distance < 0 ? -distance : distance);
  }
  for (size_t k = 0; k < s->compared_count; k++) {
    int v = s->compared[k], held = old->of[v];
    int sample = s->is_assigned[v] ? new->of[v] : at;
    int wrong = pattern >> k & 1 ? held - sample : sample - held;
    if (wrong <= 0) continue;
    if (s->is_assigned[v] || s->emits) return COST_INFINITE;
    cost += s->d * wrong;
  }
  return cost;
}

/* May comparison k turn out that way (0: below, 1: above), with the sample shifted by `sample` and
 * the variable by `held`? */
static bool keeps_side(unsigned side, int sample, int held) {
  return side ? sample >= held : sample <= held;
}

/* All that a shift coupling has to keep of comparison k. */
static bool keeps_essential(const struct walk_step_info *s, size_t k, int sample, int held) {
  return (!(s->keep_below >> k & 1) || keeps_side(0, sample, held)) &&
         (!(s->keep_above >> k & 1) || keeps_side(1, sample, held));
}

/* The same on the fine scale: is it possible at all? What it costs does not matter, once. */
static bool single_fits(const struct unbounded_problem *p, size_t step, unsigned pattern,
                        const struct positions *old, const struct positions *new,
                        const struct positions *shift, const struct positions *after) {
  const struct walk_step_info *s = &p->steps[step];
  for (size_t i = 0; i < s->assigned_count && s->emits; i++)
    if (after->of[s->assigned[i]] != 0) return false;
  for (size_t k = 0; k < s->compared_count; k++) {
    int v = s->compared[k];
    if (!s->is_assigned[v] && !s->emits) continue;
    int place = s->is_assigned[v] ? new->of[v] : p->at[step];
    int sample = s->is_assigned[v] ? after->of[v] : 0;
    if (place != old->of[v] || !is_level(place)) continue;
    if (p->by_shifts ? !keeps_essential(s, k, sample, shift->of[v])
                     : !keeps_side(pattern >> k & 1, sample, shift->of[v]))
      return false;
  }
  return true;
}

/* ---- a cycle repeated for ever -------------------------------------------------------------- */

/* Positions and shifts that each step of the cycle sees: what the cycle assigns is, at no cost,
 * where the input is. */
static void cycle_view(const struct unbounded_problem *p, const struct operation *o, size_t step,
                       struct positions *place, struct positions *shift) {
  size_t length = o->end - o->begin;
  for (size_t v = 0; v < p->vars; v++)
    for (size_t back = 1; back <= length; back++) {
      size_t j = o->begin + (step - o->begin + length - back) % length;
      const struct walk_step_info *s = &p->steps[j];
      if (!s->is_assigned[v]) continue;
      place->of[v] = p->at[j];
      shift->of[v] = s->emits ? 0 : p->delta[j];
      break;
    }
}

/* Is there a case of the step that costs nothing at these positions; `shift` (or NULL): and at
 * these shifts? */
static bool is_free(const struct unbounded_problem *p, size_t step, const struct positions *place,
                    const struct positions *shift) {
  const struct walk_step_info *s = &p->steps[step];
  int at = p->at[step], sample = s->emits ? 0 : p->delta[step];
  if (shift && p->delta[step] != 0 && (s->emits || s->emits_prime)) return false;
  if (shift && p->by_shifts) {
    for (size_t k = 0; k < s->compared_count; k++)
      if (!keeps_essential(s, k, sample, shift->of[s->compared[k]])) return false;
    return true;
  }
  for (size_t n = 0; n < s->pattern_count; n++) {
    bool all = true;
    for (size_t k = 0; k < s->compared_count && all; k++) {
      int held = place->of[s->compared[k]];
      bool above = s->patterns[n] >> k & 1;
      all = above ? held <= at : at <= held;
      if (all && shift && held == at) {
        all = keeps_side(above, sample, shift->of[s->compared[k]]);
      }
    }
    if (all) return true;
  }
  return false;
}

/* Ways to leave a cycle: some rounds at the end may be different, so that what it assigns may be
 * anywhere afterwards. (Whatever these rounds cost is left out; strict: there are none.) */
static size_t cycle_exits(const struct unbounded_problem *p, const struct operation *o,
                          size_t base) {
  size_t count = 1;
  for (size_t v = 0; v < p->vars; v++) {
    bool assigned = false;
    for (size_t step = o->begin; step < o->end && !p->strict; step++)
      assigned = assigned || p->steps[step].is_assigned[v];
    if (assigned) count *= base;
  }
  return count;
}

/* The exit of that number; `values` are positions or shifts, from `least` on. */
static void cycle_leave(const struct unbounded_problem *p, const struct operation *o, size_t number,
                        size_t base, int least, struct positions *values) {
  for (size_t v = 0; v < p->vars; v++) {
    bool assigned = false;
    for (size_t step = o->begin; step < o->end && !p->strict; step++)
      assigned = assigned || p->steps[step].is_assigned[v];
    if (!assigned) continue;
    values->of[v] = least + (int)(number % base);
    number /= base;
  }
}

/* True: every round is free; then the cycle's own variables are moved to where it leaves them. */
static bool cycle_is_free(const struct unbounded_problem *p, const struct operation *o,
                          struct positions *place, struct positions *shift) {
  struct positions entry = *place;
  for (size_t step = o->begin; step < o->end; step++) {
    struct positions seen = *place, moved = shift ? *shift : *place;
    cycle_view(p, o, step, &seen, &moved);
    if (!is_free(p, step, &seen, shift ? &moved : NULL)) return false;
  }
  struct positions unused = *place;
  cycle_view(p, o, o->begin, place, shift ? shift : &unused);
  return !p->strict || memcmp(&entry, place, sizeof entry) == 0;
}

/* ---- coarse --------------------------------------------------------------------------------- */

/* All ways to take a step once, from `old`: new positions of what it assigns, and cases. */
struct single_way {
  struct positions new;
  unsigned pattern;
  cost_value cost;
};
struct single_ways {
  const struct unbounded_problem *p;
  size_t step;
  struct positions old;
  size_t place, places, pattern;
};

static struct single_ways single_start(const struct unbounded_problem *p, size_t step,
                                       struct positions old) {
  struct single_ways w = {.p = p, .step = step, .old = old, .places = 1};
  for (size_t i = 0; i < p->steps[step].assigned_count; i++)
    w.places *= POSITIONS;
  return w;
}

static bool single_next(struct single_ways *w, struct single_way *out) {
  const struct walk_step_info *s = &w->p->steps[w->step];
  for (; w->place < w->places; w->place++, w->pattern = 0)
    while (w->pattern < s->pattern_count) {
      size_t code = w->place;
      out->new = w->old;
      for (size_t i = 0; i < s->assigned_count; i++, code /= POSITIONS)
        out->new.of[s->assigned[i]] = (int)(code % POSITIONS);
      out->pattern = s->patterns[w->pattern++];
      out->cost = single_cost(w->p, w->step, out->pattern, &w->old, &out->new);
      if (out->cost < COST_INFINITE) return true;
    }
  return false;
}

static void lower(cost_value *to, cost_value cost) {
  if (cost < *to) *to = cost;
}

/* The cheapest cost of the whole, COST_INFINITE if some cycle cannot be free. */
static cost_value coarse_forward(struct unbounded_problem *p) {
  size_t n = p->coarse_states;
  for (size_t i = 0; i < n * (p->operation_count + 1); i++)
    p->before[i] = COST_INFINITE;
  struct positions home;
  for (size_t v = 0; v < UNBOUNDED_VARS; v++)
    home.of[v] = HOME;
  p->before[encode(&home, POSITIONS, p->vars, 0)] = 0;
  for (size_t i = 0; i < p->operation_count; i++) {
    const struct operation *o = &p->operations[i];
    for (size_t c = 0; c < n; c++) {
      cost_value so_far = p->before[i * n + c];
      if (so_far >= COST_INFINITE) continue;
      struct positions old = decode(c, POSITIONS, p->vars, 0);
      cost_value *next = p->before + (i + 1) * n;
      if (o->is_cycle) {
        bool free = cycle_is_free(p, o, &old, NULL);
        for (size_t k = 0; free && k < cycle_exits(p, o, POSITIONS); k++) {
          cycle_leave(p, o, k, POSITIONS, 0, &old);
          lower(&next[encode(&old, POSITIONS, p->vars, 0)], so_far);
        }
        continue;
      }
      struct single_ways ways = single_start(p, o->begin, old);
      for (struct single_way w; single_next(&ways, &w);)
        lower(&next[encode(&w.new, POSITIONS, p->vars, 0)], so_far + w.cost);
    }
  }
  cost_value best = COST_INFINITE;
  for (size_t c = 0; c < n; c++)
    lower(&best, p->before[p->operation_count * n + c]);
  return best;
}

static void coarse_backward(struct unbounded_problem *p) {
  size_t n = p->coarse_states;
  for (size_t c = 0; c < n; c++)
    p->after[p->operation_count * n + c] = 0;
  for (size_t i = p->operation_count; i-- > 0;) {
    const struct operation *o = &p->operations[i];
    for (size_t c = 0; c < n; c++) {
      struct positions old = decode(c, POSITIONS, p->vars, 0);
      cost_value *here = &p->after[i * n + c], *next = p->after + (i + 1) * n;
      *here = COST_INFINITE;
      if (p->before[i * n + c] >= COST_INFINITE) continue;
      if (o->is_cycle) {
        bool free = cycle_is_free(p, o, &old, NULL);
        for (size_t k = 0; free && k < cycle_exits(p, o, POSITIONS); k++) {
          cycle_leave(p, o, k, POSITIONS, 0, &old);
          lower(here, next[encode(&old, POSITIONS, p->vars, 0)]);
        }
        continue;
      }
      struct single_ways ways = single_start(p, o->begin, old);
      for (struct single_way w; single_next(&ways, &w);)
        lower(here, w.cost + next[encode(&w.new, POSITIONS, p->vars, 0)]);
    }
  }
}

/* Finds the cheapest configurations. False: they are not known exactly at these levels. (With
 * cycles entered in any state the cost is a lower bound, in the state in which they are left it is
 * attained.) */
static bool coarse(struct unbounded_problem *p, cost_value *best) {
  p->strict = true;
  cost_value attained = coarse_forward(p);
  p->strict = false;
  *best = coarse_forward(p);
  if (attained >= COST_INFINITE || *best != attained) return false;
  coarse_backward(p);
  return true;
}

/* ---- fine ----------------------------------------------------------------------------------- */

static bool *reached_at(struct unbounded_problem *p, size_t operation, size_t place, size_t shift) {
  return &p->reached[(operation * p->coarse_states + place) * p->fine_states + shift];
}

/* The shifts after the step: free for what it assigns, in a gap they do not matter. */
static void fine_single(struct unbounded_problem *p, size_t i, size_t place, size_t shift,
                        cost_value best) {
  const struct walk_step_info *s = &p->steps[p->operations[i].begin];
  struct positions old = decode(place, POSITIONS, p->vars, 0);
  struct positions g = decode(shift, SHIFTS, p->vars, -1);
  struct single_ways ways = single_start(p, p->operations[i].begin, old);
  size_t n = p->coarse_states, choices = 1;
  for (size_t k = 0; k < s->assigned_count; k++)
    choices *= SHIFTS;
  for (struct single_way w; single_next(&ways, &w);) {
    size_t to = encode(&w.new, POSITIONS, p->vars, 0);
    if (p->before[i * n + place] + w.cost + p->after[(i + 1) * n + to] != best) continue;
    for (size_t choice = 0; choice < choices; choice++) {
      struct positions after = g;
      size_t code = choice;
      for (size_t k = 0; k < s->assigned_count; k++, code /= SHIFTS)
        after.of[s->assigned[k]] = (int)(code % SHIFTS) - 1;
      if (single_fits(p, p->operations[i].begin, w.pattern, &old, &w.new, &g, &after))
        *reached_at(p, i + 1, to, encode(&after, SHIFTS, p->vars, -1)) = true;
    }
  }
}

static void fine_cycle(struct unbounded_problem *p, size_t i, size_t place, size_t shift,
                       cost_value best) {
  struct positions at = decode(place, POSITIONS, p->vars, 0);
  struct positions g = decode(shift, SHIFTS, p->vars, -1);
  size_t n = p->coarse_states;
  const struct operation *o = &p->operations[i];
  if (!cycle_is_free(p, o, &at, &g)) return;
  for (size_t k = 0; k < cycle_exits(p, o, POSITIONS); k++) {
    cycle_leave(p, o, k, POSITIONS, 0, &at);
    size_t to = encode(&at, POSITIONS, p->vars, 0);
    if (p->before[i * n + place] + p->after[(i + 1) * n + to] != best) continue;
    for (size_t l = 0; l < cycle_exits(p, o, SHIFTS); l++) {
      cycle_leave(p, o, l, SHIFTS, -1, &g);
      *reached_at(p, i + 1, to, encode(&g, SHIFTS, p->vars, -1)) = true;
    }
  }
}

/* Can every cycle be free in run 2, in some cheapest configuration? */
static bool fine(struct unbounded_problem *p, cost_value best) {
  size_t n = p->coarse_states, all = n * p->fine_states;
  struct positions zero = {{0}}, home;
  for (size_t v = 0; v < UNBOUNDED_VARS; v++)
    home.of[v] = HOME;
  memset(p->reached, 0, all * (p->operation_count + 1) * sizeof *p->reached);
  *reached_at(p, 0, encode(&home, POSITIONS, p->vars, 0), encode(&zero, SHIFTS, p->vars, -1)) =
      true;
  for (size_t i = 0; i < p->operation_count; i++)
    for (size_t place = 0; place < n; place++)
      for (size_t shift = 0; shift < p->fine_states; shift++)
        if (*reached_at(p, i, place, shift))
          (p->operations[i].is_cycle ? fine_cycle : fine_single)(p, i, place, shift, best);
  for (size_t k = 0; k < all; k++)
    if (p->reached[p->operation_count * all + k]) return true;
  return false;
}

/* ---- inputs beside a value ------------------------------------------------------------------- */

/* Everything rests where it was drawn, and the inputs of the cycles lie beside the levels, by as
 * much as n rounds need (ln n noise scales): below the values there (`lean` 0) or above them (1).
 * Then one case is taken in all rounds but few, and it loses something as soon as run 2 leaves its
 * sides, in proportion to ln n. The case of a cycle's step; false: its guard does not hold. */
static bool lean_pattern(const struct unbounded_problem *p, size_t step,
                         const struct positions *place, unsigned *pattern) {
  const struct walk_step_info *s = &p->steps[step];
  *pattern = 0;
  for (size_t k = 0; k < s->compared_count; k++) {
    int held = place->of[s->compared[k]], at = p->at[step];
    if (held < at || (held == at && p->lean[step])) *pattern |= 1u << k;
  }
  for (size_t n = 0; n < s->pattern_count; n++)
    if (s->patterns[n] == *pattern) return true;
  return false;
}

/* Does the step cost nothing at these shifts? A side that is held only by others may be left. */
static bool lean_is_free(const struct unbounded_problem *p, size_t step,
                         const struct positions *place, const struct positions *shift) {
  const struct walk_step_info *s = &p->steps[step];
  unsigned pattern;
  if (!lean_pattern(p, step, place, &pattern)) return false;
  if (p->delta[step] != 0 && (s->emits || s->emits_prime)) return false;
  int sample = s->emits ? 0 : p->delta[step];
  for (size_t k = 0; k < s->compared_count; k++) {
    bool may_change = false;
    for (size_t n = 0; n < s->pattern_count; n++)
      may_change = may_change || s->patterns[n] == (pattern ^ 1u << k);
    int v = s->compared[k];
    if (place->of[v] == p->at[step] && !may_change &&
        !keeps_side(pattern >> k & 1, sample, shift->of[v]))
      return false;
  }
  return true;
}

/* Where everything rests, before each operation. False: some step then costs something. */
static bool rest(struct unbounded_problem *p, struct positions *place) {
  for (size_t v = 0; v < UNBOUNDED_VARS; v++)
    place[0].of[v] = HOME;
  for (size_t i = 0; i < p->operation_count; i++) {
    const struct operation *o = &p->operations[i];
    const struct walk_step_info *s = &p->steps[o->begin];
    unsigned unused;
    place[i + 1] = place[i];
    for (size_t step = o->begin; step < o->end && o->is_cycle; step++)
      if (!lean_pattern(p, step, &place[i], &unused)) return false;
    if (o->is_cycle) continue;
    for (size_t k = 0; k < s->assigned_count; k++)
      place[i + 1].of[s->assigned[k]] = p->at[o->begin];
    bool possible = false;
    for (size_t n = 0; n < s->pattern_count && !possible; n++)
      possible = single_cost(p, o->begin, s->patterns[n], &place[i], &place[i + 1]) == 0;
    if (!possible) return false;
  }
  return true;
}

static void lean_single(struct unbounded_problem *p, size_t i, const struct positions *place,
                        size_t shift, bool *next) {
  size_t step = p->operations[i].begin;
  const struct walk_step_info *s = &p->steps[step];
  struct positions g = decode(shift, SHIFTS, p->vars, -1);
  size_t choices = 1;
  for (size_t k = 0; k < s->assigned_count; k++)
    choices *= SHIFTS;
  for (size_t choice = 0; choice < choices; choice++) {
    struct positions after = g;
    size_t code = choice;
    for (size_t k = 0; k < s->assigned_count; k++, code /= SHIFTS)
      after.of[s->assigned[k]] = (int)(code % SHIFTS) - 1;
    for (size_t n = 0; n < s->pattern_count; n++)
      if (single_cost(p, step, s->patterns[n], &place[i], &place[i + 1]) == 0 &&
          single_fits(p, step, s->patterns[n], &place[i], &place[i + 1], &g, &after))
        next[encode(&after, SHIFTS, p->vars, -1)] = true;
  }
}

/* As `fine`, for cycles beside the levels. */
static bool lean_fine(struct unbounded_problem *p, const struct positions *place) {
  size_t n = p->fine_states;
  struct positions zero = {{0}};
  memset(p->reached, 0, n * (p->operation_count + 1) * sizeof *p->reached);
  p->reached[encode(&zero, SHIFTS, p->vars, -1)] = true;
  for (size_t i = 0; i < p->operation_count; i++) {
    const struct operation *o = &p->operations[i];
    bool *next = p->reached + (i + 1) * n;
    for (size_t shift = 0; shift < n; shift++) {
      if (!p->reached[i * n + shift]) continue;
      struct positions g = decode(shift, SHIFTS, p->vars, -1);
      bool free = true;
      for (size_t step = o->begin; step < o->end && o->is_cycle; step++)
        free = free && lean_is_free(p, step, &place[i], &g);
      if (!o->is_cycle)
        lean_single(p, i, place, shift, next);
      else if (free)
        next[shift] = true;
    }
  }
  for (size_t shift = 0; shift < n; shift++)
    if (p->reached[p->operation_count * n + shift]) return true;
  return false;
}

/* What a cycle assigns would rest beside the level: not treated. */
static bool may_lean(const struct unbounded_problem *p) {
  for (size_t i = 0; i < p->step_count; i++)
    if (p->steps[i].cycle && (p->steps[i].assigned_count > 0 || !p->steps[i].is_input))
      return false;
  return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

struct unbounded_problem *unbounded_open(const struct automaton *a, const struct walk *w) {
  struct unbounded_problem *p = xmalloc(sizeof *p);
  if (!a->independent || !unbounded_read(p, a, w)) {
    free(p);
    return NULL;
  }
  size_t n = p->coarse_states * (p->operation_count + 1);
  p->before = xmalloc(n * sizeof *p->before);
  p->after = xmalloc(n * sizeof *p->after);
  p->reached = xmalloc(n * p->fine_states * sizeof *p->reached);
  return p;
}

void unbounded_close(struct unbounded_problem *p) {
  if (!p) return;
  free(p->before);
  free(p->after);
  free(p->reached);
  free(p);
}

/* Takes the inputs over; false: they are no inputs of this walk. */
static bool set_inputs(struct unbounded_problem *p, const struct unbounded *in, bool *leans) {
  *leans = false;
  if (in->count != p->step_count) return false;
  for (size_t i = 0; i < in->count; i++) {
    const struct walk_step_info *s = &p->steps[i];
    if (in->level[i] < -1 || in->level[i] > 1 || in->delta[i] < -1 || in->delta[i] > 1 ||
        in->lean[i] < -1 || in->lean[i] > 1)
      return false;
    if (!s->is_input && (in->level[i] || in->delta[i] || in->lean[i])) return false;
    int at = HOME + 2 * in->level[i];
    if (p->at[i] != at) p->is_known = false;
    p->at[i] = at;
    p->delta[i] = in->delta[i];
    p->lean[i] = in->lean[i] > 0;
    *leans = *leans || in->lean[i];
  }
  return true;
}

static bool is_leaning(const struct unbounded_problem *p, const struct unbounded *in) {
  for (size_t i = 0; i < in->count; i++)
    if ((in->lean[i] != 0) != (p->steps[i].cycle != 0)) return false;
  return may_lean(p);
}

bool unbounded_at(struct unbounded_problem *p, const struct unbounded *in) {
  bool leans;
  if (!set_inputs(p, in, &leans)) return false;
  if (leans) {
    struct positions place[3 * UNBOUNDED_STEPS + 1];
    return is_leaning(p, in) && rest(p, place) && !lean_fine(p, place);
  }
  if (!p->is_known) p->is_exact = coarse(p, &p->best);
  p->is_known = true;
  return p->is_exact && !fine(p, p->best);
}

bool unbounded_has_shifts(struct unbounded_problem *p, const struct unbounded *in) {
  struct unbounded tied = *in;
  bool leans;
  memset(tied.level, 0, sizeof tied.level);
  memset(tied.lean, 0, sizeof tied.lean);
  if (!set_inputs(p, &tied, &leans)) return true;
  if (!p->is_known) p->is_exact = coarse(p, &p->best);
  p->is_known = true;
  p->by_shifts = true;
  bool has = !p->is_exact || fine(p, p->best);
  p->by_shifts = false;
  return has;
}
