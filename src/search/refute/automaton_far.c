#include "search/refute/automaton_far.h"

#include <math.h>

#include "num/rational.h"
#include "search/refute/automaton_attempt.h"

struct far_search {
  const struct automaton *a;
  const struct walk *walk;
  const struct unbounded *inputs;
  const fmpq *claimed;
  const struct budget *budget;
};

/* The free choices. */
struct far_choice {
  ulong rounds; /* of every cycle */
  ulong ratio;  /* the distance of the levels is ratio * rounds */
  struct far_eps {
    slong num;
    ulong den;
  } eps;
  double margin; /* of inputs that lean, in noise scales per ln(rounds) */
  double loss;   /* seen with few rounds */
  bool is_seen;  /* there was one: cases were not too many */
};

/* ---- queries -------------------------------------------------------------------------------- */

/* The centre of the non-input states of the walk. */
static void origin_of(fmpq_t out, const struct far_search *s) {
  fmpq_zero(out);
  for (size_t i = 0; i < s->walk->steps.len; i++) {
    const struct automaton_edge *e = &s->a->edges.at[s->walk->steps.at[i].edge];
    if (s->a->states.at[e->from].is_input) continue;
    fmpq_set(out, automaton_value(s->a, s->a->states.at[e->from].mean));
    return;
  }
}

/* The point where insample of the step is centred, in run 1. */
static void centre_of(fmpq_t out, const struct far_search *s, const struct far_choice *c,
                      size_t step, const fmpq_t origin) {
  const struct automaton_edge *e = &s->a->edges.at[s->walk->steps.at[step].edge];
  fmpq_t margin;
  fmpq_init(margin);
  fmpq_set_si(out, s->inputs->level[step] * (slong)(c->ratio * c->rounds), 1);
  fmpq_add(out, out, origin);
  if (s->inputs->lean[step]) {
    slong eighths = lround(8 * c->margin * log((double)c->rounds + 1));
    fmpq_set_si(margin, s->inputs->lean[step] * eighths * (slong)c->eps.den, 8 * (ulong)c->eps.num);
    fmpq_div(margin, margin, automaton_value(s->a, s->a->states.at[e->from].d));
    fmpq_add(out, out, margin);
  }
  fmpq_clear(margin);
}

static void set_window(struct automaton_event *event, const fmpq_t middle, int delta,
                       const struct far_choice *c) {
  fmpq_t width;
  event->kind = EVENT_WINDOW;
  event->low.side = delta > 0 ? -1 : 0;
  event->high.side = delta < 0 ? 1 : 0;
  fmpq_init(width);
  fmpq_set_si(width, delta == 0 ? (slong)c->eps.den : 0, 4 * (ulong)c->eps.num);
  fmpq_sub(event->low.at, middle, width);
  fmpq_add(event->high.at, middle, width);
  fmpq_clear(width);
}

static void push_step(const struct far_search *s, const struct far_choice *c, size_t i,
                      const fmpq_t origin, struct automaton_query *first,
                      struct automaton_query *second) {
  uint32_t edge = s->walk->steps.at[i].edge;
  const struct automaton_edge *e = &s->a->edges.at[edge];
  const struct automaton_state *state = &s->a->states.at[e->from];
  struct automaton_query *runs[2] = {first, second};
  fmpq_t centre;
  fmpq_init(centre);
  centre_of(centre, s, c, i, origin);
  for (int run = 0; run < 2; run++) {
    struct automaton_step *step = automaton_query_push(runs[run], edge);
    if (e->emit == EMIT_INSAMPLE) set_window(&step->event, centre, s->inputs->delta[i], c);
    if (state->is_input) {
      fmpq_sub(step->input, centre, automaton_value(s->a, state->mean));
      if (e->emit == EMIT_PRIME) {
        fmpq_add(centre, step->input, automaton_value(s->a, state->mean2));
        set_window(&step->event, centre, s->inputs->delta[i], c);
        centre_of(centre, s, c, i, origin);
      }
      fmpq_add_si(step->input, step->input, run * s->inputs->delta[i]);
    }
  }
  fmpq_clear(centre);
}

static void build(const struct far_search *s, const struct far_choice *c,
                  struct automaton_query *first, struct automaton_query *second) {
  const struct walk *w = s->walk;
  fmpq_t origin;
  fmpq_init(origin);
  origin_of(origin, s);
  automaton_query_init(first, s->a, true);
  automaton_query_init(second, s->a, true);
  fmpq_set_si(first->eps, c->eps.num, c->eps.den);
  fmpq_set_si(second->eps, c->eps.num, c->eps.den);
  for (size_t i = 0; i < w->steps.len;) {
    size_t end = i + 1;
    while (w->steps.at[i].cycle && end < w->steps.len &&
           w->steps.at[end].cycle == w->steps.at[i].cycle)
      end++;
    for (ulong round = 0; round < (w->steps.at[i].cycle ? c->rounds : 1); round++)
      for (size_t k = i; k < end; k++)
        push_step(s, c, k, origin, first, second);
    i = end;
  }
  fmpq_clear(origin);
}

/* ---- search --------------------------------------------------------------------------------- */

/* The loss at these choices, to a few digits, or 0; certified if it is above the claim. */
static double try_choice(struct automaton_counterexample *out, const struct far_search *s,
                         const struct far_choice *c, bool *ok) {
  struct automaton_query first, second;
  struct budget slice = budget_part(s->budget, 0.3); /* others may be easier */
  arb_t loss;
  arb_init(loss);
  build(s, c, &first, &second);
  query_loss(loss, &first, &second, &slice);
  double middle = arb_is_finite(loss) ? arf_get_d(arb_midref(loss), ARF_RND_NEAR) : 0;
  out->iterations = c->rounds;
  *ok = middle > rational_double(s->claimed) &&
        query_certify(out, &first, &second, s->claimed, s->budget);
  automaton_query_clear(&first);
  automaton_query_clear(&second);
  arb_clear(loss);
  return middle;
}

static const ulong far_rounds[] = {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96};
enum { FAR_ROUNDS = sizeof far_rounds / sizeof *far_rounds, FAR_CHOICES = 24 };

/* Rounds of the first look. What a cycle assigns makes its rounds differ, and every one doubles the
 * cases or worse. */
static ulong few_rounds(const struct far_search *s) {
  for (size_t i = 0; i < s->walk->steps.len; i++)
    if (s->walk->steps.at[i].cycle && s->a->edges.at[s->walk->steps.at[i].edge].assign) return 1;
  return 3;
}

/* The choices worth a look: levels want large eps, inputs beside a value small ones. */
static size_t list_choices(const struct far_search *s, struct far_choice *out) {
  static const struct far_eps large[] = {{2, 1}, {8, 1}, {32, 1}}, small[] = {{1, 1}, {1, 4}};
  static const ulong ratios[] = {1, 4, 16};
  static const double margins[] = {0.4, 0.7, 1};
  bool leans = false, spread = false;
  size_t count = 0;
  for (size_t i = 0; i < s->inputs->count; i++) {
    leans = leans || s->inputs->lean[i];
    spread = spread || s->inputs->level[i];
  }
  for (size_t e = 0; e < (leans ? 2 : 3); e++)
    for (size_t r = 0; r < (spread ? 3 : 1); r++)
      for (size_t m = 0; m < (leans ? 3 : 1); m++)
        out[count++] = (struct far_choice){few_rounds(s),
                                           leans ? 4 * ratios[r] : ratios[r],
                                           leans ? small[e] : large[e],
                                           margins[m],
                                           0,
                                           false};
  return count;
}

/* A small eps reads better: a larger one has to be worth it. */
static double worth(const struct far_choice *c) {
  return c->loss / (1 + 0.05 * log((double)c->eps.num));
}

/* The best one first. */
static bool try_few_rounds(struct automaton_counterexample *out, const struct far_search *s,
                           struct far_choice *choices, size_t count) {
  bool ok = false;
  for (size_t i = 0; i < count && !ok && !budget_is_spent(s->budget); i++) {
    struct far_choice c = choices[i];
    c.loss = try_choice(out, s, &c, &ok);
    c.is_seen = c.loss > 0;
    size_t at = i;
    for (; at > 0 && worth(&choices[at - 1]) < worth(&c); at--)
      choices[at] = choices[at - 1];
    choices[at] = c;
  }
  return ok;
}

/* More and more rounds, as long as that helps. */
static bool climb(struct automaton_counterexample *out, const struct far_search *s,
                  struct far_choice c) {
  double best = c.loss;
  int idle = 0;
  bool ok = false;
  for (size_t i = 0; i < FAR_ROUNDS && idle < 2 && !ok && !budget_is_spent(s->budget); i++) {
    if (c.is_seen && far_rounds[i] <= few_rounds(s)) continue;
    c.rounds = far_rounds[i];
    c.loss = try_choice(out, s, &c, &ok);
    idle = c.loss > 1.02 * best ? 0 : idle + 1;
    best = c.loss > best ? c.loss : best;
  }
  return ok;
}

bool far_refute(struct automaton_counterexample *out, const struct automaton *a,
                const struct walk *walk, const struct unbounded *inputs, const fmpq_t d,
                const struct budget *budget) {
  struct far_search s = {a, walk, inputs, d, budget};
  struct far_choice choices[FAR_CHOICES];
  size_t count = list_choices(&s, choices);
  bool ok = try_few_rounds(out, &s, choices, count);
  for (size_t i = 0; i < count && !ok && !budget_is_spent(budget); i++)
    ok = climb(out, &s, choices[i]);
  return ok;
}
