#include "automata/convert/oblivious.h"

#include <stdlib.h>
#include <string.h>

/* All shifts of the live variables of all nodes: point first[n] + (shifts as digits to base 3). */
struct table {
  const struct product *p;
  struct weights w;
  size_t *first;
  slong *value; /* in units of 1/scale; -1: infinite */
  slong cap;
};

void oblivious_clear(struct oblivious *o) {
  for (size_t i = 0; i < o->points.len; i++)
    fmpq_clear(&o->points.at[i].value);
  vec_clear(&o->points);
  vec_clear(&o->moves);
  product_clear(&o->product);
}

static size_t power3(size_t n) {
  size_t p = 1;
  for (; n > 0; n--)
    p *= 3;
  return p;
}

static void shifts_of(size_t index, size_t live, int8_t *g) {
  for (size_t i = 0; i < live; i++, index /= 3)
    g[i] = (int8_t)((int)(index % 3) - 1);
}

static size_t index_of(const int8_t *g, size_t live) {
  size_t index = 0;
  for (size_t i = live; i-- > 0;)
    index = index * 3 + (size_t)(g[i] + 1);
  return index;
}

/* ---- moves ----------------------------------------------------------------------------------- */

/* The ways to take an edge with the stored shifts g: shifts low..high, or one free move. */
struct ways {
  int low, high;
  bool is_null;
};

static bool ways_of(const struct step *step, const int8_t *g, struct ways *out) {
  struct step_choice c;
  if (!step_start(step, g, 0, &c)) return false;
  /* an unstored sample was moved to the middle: find its bounds again */
  int low = step->outputs ? 0 : -1, high = step->outputs ? 0 : 1;
  for (uint32_t l = 0; l < step->samples[0].count; l++) {
    int shift = g[step->literal_at[l]];
    if (literal_is_less(step->literals[l]))
      high = shift < high ? shift : high;
    else
      low = shift > low ? shift : low;
  }
  int middle = low > 0 ? low : high < 0 ? high : 0;
  out->is_null = !step->stores && step->is_input && low == -1 && high == 1;
  out->low = step->stores ? low : middle;
  out->high = step->stores ? high : middle;
  return true;
}

static slong move_cost(const struct step *step, const struct ways *ways, int shift) {
  slong prime = step->prime ? fmpz_get_si(step->prime) : 0;
  if (ways->is_null) return prime;
  return (abs(shift) + step->is_input) * fmpz_get_si(step->d) + prime;
}

static void after(const struct step *step, const int8_t *g, int shift, int8_t *out) {
  struct step_choice c = {.shift = {(int8_t)shift}};
  step_after(step, g, &c, out);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The cheapest way to take the edge; false: none. */
static bool best_way(const struct table *t, const struct step *step, const int8_t *g,
                     slong *total) {
  struct ways ways;
  bool found = false;
  if (!ways_of(step, g, &ways)) return false;
  for (int s = ways.low; s <= ways.high; s++) {
    int8_t next[OBLIVIOUS_VARS];
    after(step, g, s, next);
    slong rest = t->value[t->first[step->to] + index_of(next, step->after.count)];
    if (rest < 0) continue;
    rest += move_cost(step, &ways, s);
    if (!found || rest < *total) *total = rest;
    found = true;
  }
  return found;
}

static bool sweep(struct table *t, struct step_scratch *scratch) {
  const struct product *p = t->p;
  bool changed = false;
  for (uint32_t i = 0; i < p->nodes.len; i++) {
    uint32_t n = p->scc_member.at[i]; /* successors first, but for cycles */
    size_t live = product_live(p, n).count;
    for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
      struct step step = step_make(p, &t->w, n, e, scratch);
      for (size_t k = 0; k < power3(live); k++) {
        slong *value = &t->value[t->first[n] + k], total = 0;
        int8_t g[OBLIVIOUS_VARS];
        if (*value < 0) continue;
        shifts_of(k, live, g);
        bool finite = best_way(t, &step, g, &total) && total <= t->cap;
        if (finite && total <= *value) continue;
        *value = finite ? total : -1;
        changed = true;
      }
    }
  }
  return changed;
}

/* False: the numbers or the tables would be too large. */
static bool table_build(struct table *t, const struct product *p) {
  const struct automaton *a = p->a;
  size_t total = 0;
  *t = (struct table){.p = p};
  weights_init(&t->w, a);
  t->first = xmalloc((p->nodes.len + 1) * sizeof *t->first);
  bool fits = fmpz_cmp_ui(t->w.scale, 1u << 20) < 0;
  for (uint32_t n = 0; n < p->nodes.len && fits; n++) {
    size_t live = product_live(p, n).count;
    const struct automaton_state *q = &a->states.at[p->nodes.at[n].state];
    t->first[n] = total;
    fits = live <= OBLIVIOUS_VARS && total <= OBLIVIOUS_POINTS;
    if (!fits) break;
    total += power3(live);
    /* a cheapest way visits no node twice at a price, but for pumps: three visits are generous */
    if (q->d == AUTOMATON_NONE) continue;
    fits = fmpz_cmp_ui(&t->w.integer.at[q->d], 1u << 30) < 0 &&
           (q->d2 == AUTOMATON_NONE || fmpz_cmp_ui(&t->w.integer.at[q->d2], 1u << 30) < 0);
    if (!fits) break;
    t->cap += 3 * (2 * fmpz_get_si(&t->w.integer.at[q->d]) +
                   (q->d2 == AUTOMATON_NONE ? 0 : fmpz_get_si(&t->w.integer.at[q->d2])));
  }
  t->value = xcalloc(total + 1, sizeof *t->value);
  return fits;
}

static void table_clear(struct table *t) {
  weights_clear(&t->w);
  free(t->first);
  free(t->value);
}

/* ---- the strategy ---------------------------------------------------------------------------- */

static uint32_t find_point(const struct oblivious *o, uint32_t node, const int8_t *g, size_t live) {
  for (uint32_t i = 0; i < o->points.len; i++)
    if (o->points.at[i].node == node && memcmp(o->points.at[i].shift, g, live) == 0) return i;
  return AUTOMATON_NONE;
}

static uint32_t add_point(struct oblivious *o, const struct table *t, uint32_t node,
                          const int8_t *g) {
  size_t live = product_live(t->p, node).count;
  uint32_t known = find_point(o, node, g, live);
  if (known != AUTOMATON_NONE) return known;
  struct oblivious_point point = {.node = node};
  memcpy(point.shift, g, live);
  fmpz_t value;
  fmpz_init_set_si(value, t->value[t->first[node] + index_of(g, live)]);
  fmpq_init(&point.value);
  fmpq_set_fmpz_frac(&point.value, value, t->w.scale);
  fmpz_clear(value);
  vec_push(&o->points, point);
  return (uint32_t)o->points.len - 1;
}

/* The cheapest move; of equal ones, one to a point that is needed anyway, then the smallest. */
static void add_move(struct oblivious *o, const struct table *t, const struct step *step,
                     uint32_t edge, const int8_t *g) {
  struct ways ways;
  int8_t next[OBLIVIOUS_VARS];
  slong best[3] = {0};
  int shift = 2;
  ways_of(step, g, &ways); /* the point's value is finite: there is a way */
  for (int s = ways.low; s <= ways.high; s++) {
    after(step, g, s, next);
    slong rest = t->value[t->first[step->to] + index_of(next, step->after.count)];
    if (rest < 0) continue;
    bool known = find_point(o, step->to, next, step->after.count) != AUTOMATON_NONE;
    slong rank[3] = {rest + move_cost(step, &ways, s), !known, abs(s)};
    bool better = shift == 2;
    for (int i = 0; i < 3 && !better && rank[i] <= best[i]; i++)
      better = rank[i] < best[i];
    if (!better) continue;
    memcpy(best, rank, sizeof best);
    shift = s;
  }
  after(step, g, shift, next);
  uint32_t to = add_point(o, t, step->to, next);
  vec_push(&o->moves, (struct oblivious_move){edge, ways.is_null, shift, to});
}

static void extract(struct oblivious *o, const struct table *t, struct step_scratch *scratch) {
  const struct product *p = t->p;
  int8_t none[OBLIVIOUS_VARS] = {0};
  add_point(o, t, 0, none);
  for (uint32_t i = 0; i < o->points.len; i++) {
    uint32_t n = o->points.at[i].node;
    int8_t g[OBLIVIOUS_VARS];
    memcpy(g, o->points.at[i].shift, sizeof g);
    o->points.at[i].first = (uint32_t)o->moves.len;
    for (uint32_t e = p->first.at[n]; e < p->first.at[n + 1]; e++) {
      struct step step = step_make(p, &t->w, n, e, scratch);
      add_move(o, t, &step, p->edges.at[e].edge, g);
    }
    o->points.at[i].count = (uint32_t)o->moves.len - o->points.at[i].first;
  }
}

bool oblivious_build(struct oblivious *out, const struct automaton *a, const char **why) {
  *out = (struct oblivious){0};
  *why = NULL;
  product_build(&out->product, a);
  if (product_live(&out->product, 0).count > 0)
    *why = "a variable is compared before it is assigned";
  if (*why) return false;
  struct table t;
  struct step_scratch scratch = {0};
  if (!table_build(&t, &out->product)) {
    *why = "there are too many variables, or the numbers are too large";
  } else {
    size_t sweeps = 0;
    while (sweeps < OBLIVIOUS_SWEEPS && sweep(&t, &scratch))
      sweeps++;
    if (sweeps == OBLIVIOUS_SWEEPS || t.value[0] < 0)
      *why = "no strategy does without knowing the inputs and the rest of the path";
    else
      extract(out, &t, &scratch);
  }
  step_scratch_clear(&scratch);
  table_clear(&t);
  return !*why;
}
