#include "check/automaton/classify.h"

#include <string.h>

#include "check/automaton/essential.h"
#include "check/automaton/order.h"
#include "check/automaton/product_check.h"

struct classifier {
  const struct automaton *a;
  struct diags *diags;
  struct class_report *report;
};

static struct automaton_range edges_of(const struct automaton *a, uint32_t state) {
  return (struct automaton_range){a->first_edge.at[state], a->first_edge.at[state + 1]};
}

static const char *state_name(struct classifier *c, uint32_t state) {
  struct buffer b;
  buffer_init(&b);
  automaton_print_state(&b, c->a, state);
  const char *copy = arena_strndup(&c->diags->arena, buffer_text(&b), b.len);
  buffer_clear(&b);
  return copy;
}

/* ---- determinism -------------------------------------------------------------------------------
 */

static bool cubes_clash(const struct automaton *a, struct automaton_range x,
                        struct automaton_range y) {
  uint32_t i = x.begin, j = y.begin;
  while (i < x.end && j < y.end) {
    literal l = a->literals.at[i], m = a->literals.at[j];
    if ((l ^ m) == 1) return true;
    if (l < m)
      i++;
    else
      j++;
  }
  return false;
}

/* Does some variable have to be on both sides at once, in every pair of cases? */
static bool guards_clash(const struct automaton *a, uint32_t g, uint32_t h) {
  struct automaton_range x = a->guards.at[g], y = a->guards.at[h];
  for (uint32_t i = x.begin; i < x.end; i++)
    for (uint32_t j = y.begin; j < y.end; j++)
      if (!cubes_clash(a, a->cubes.at[i], a->cubes.at[j])) return false;
  return true;
}

/* What a large automaton does hundreds of times is said once, with a count. */
struct repeated {
  uint32_t edge, other; /* the first time */
  size_t count;
};

static void repeat(struct repeated *r, uint32_t edge, uint32_t other) {
  if (r->count++) return;
  r->edge = edge;
  r->other = other;
}

/* " (and 3 more like it)", or nothing. */
static const char *and_more(const struct repeated *r, char *text, size_t size) {
  *text = '\0';
  if (r->count > 1) snprintf(text, size, " (and %zu more like it)", r->count - 1);
  return text;
}

struct suspect {
  uint32_t state, e, f; /* edges that are not kept apart by one variable */
};
typedef VEC(struct suspect) suspects;

static void find_suspects(const struct automaton *a, suspects *out) {
  for (uint32_t s = 0; s < a->states.len; s++) {
    struct automaton_range r = edges_of(a, s);
    for (uint32_t e = r.begin; e < r.end; e++)
      for (uint32_t f = e + 1; f < r.end; f++)
        if (!guards_clash(a, a->edges.at[e].guard, a->edges.at[f].guard))
          vec_push(out, (struct suspect){s, e, f});
  }
}

static void report_nondeterminism(struct classifier *c, const struct repeated *r) {
  c->report->nondeterminism += r->count;
  if (!r->count || !c->diags) return;
  struct buffer g;
  char more[64];
  buffer_init(&g);
  automaton_print_guard(&g, c->a, c->a->edges.at[r->other].guard);
  diag_error(c->diags, automaton_edge_span(c->a, r->edge), "automaton-nondeterministic",
             "at state `%s` this edge and another one can be enabled together (`%s`)%s",
             state_name(c, c->a->edges.at[r->edge].from), buffer_text(&g),
             and_more(r, more, sizeof more));
  diag_hint(c->diags, "make the guards exclude each other: add the opposite comparison to one");
  diag_note(c->diags, automaton_edge_span(c->a, r->other), "the other edge");
  buffer_clear(&g);
}

/* Both guards at once, at a node with its facts. */
static bool enabled_together(const struct product *p, uint32_t node, const struct suspect *s) {
  const struct automaton *a = p->a;
  struct literals g = automaton_conjunction(a, a->edges.at[s->e].guard);
  struct literals h = automaton_conjunction(a, a->edges.at[s->f].guard);
  literal *both = xmalloc((g.count + h.count + 1) * sizeof *both);
  size_t n = 0, i = 0, j = 0;
  while (i < g.count || j < h.count) {
    literal next = j == h.count || (i < g.count && g.at[i] <= h.at[j]) ? g.at[i++] : h.at[j++];
    if (n == 0 || both[n - 1] != next) both[n++] = next;
  }
  bool together = !product_excludes(p, node, (struct literals){both, n});
  free(both);
  return together;
}

/* Suspects of shared noise are judged at the nodes of a product that knows the order of the
 * variables concerned. */
static void judge_suspects(struct classifier *c, const suspects *list, struct repeated *guilty) {
  VEC(struct graph_arc) wanted = {0};
  for (size_t i = 0; i < list->len; i++)
    for (int swap = 0; swap < 2; swap++) {
      uint32_t e = swap ? list->at[i].f : list->at[i].e, f = swap ? list->at[i].e : list->at[i].f;
      struct literals g = automaton_conjunction(c->a, c->a->edges.at[e].guard);
      struct literals h = automaton_conjunction(c->a, c->a->edges.at[f].guard);
      for (size_t x = 0; x < g.count; x++)
        for (size_t y = 0; y < h.count; y++)
          if (literal_is_less(g.at[x]) && !literal_is_less(h.at[y]))
            vec_push(&wanted, (struct graph_arc){literal_var(h.at[y]), literal_var(g.at[x])});
    }
  struct product p;
  product_build_for(&p, c->a, wanted.at, wanted.len);
  uint32_t *first = xcalloc(c->a->states.len + 2, sizeof *first); /* suspects are by state */
  for (size_t i = 0; i < list->len; i++)
    first[list->at[i].state + 1]++;
  for (size_t s = 0; s < c->a->states.len; s++)
    first[s + 1] += first[s];
  bool *judged = xcalloc(list->len + 1, sizeof *judged);
  bool trusted = product_check(c->a, &p); /* else every suspect is guilty */
  for (uint32_t i = 0; i < list->len && !trusted; i++) {
    judged[i] = true;
    repeat(guilty, list->at[i].f, list->at[i].e);
  }
  for (uint32_t n = 0; n < p.nodes.len; n++) {
    uint32_t s = p.nodes.at[n].state;
    for (uint32_t i = first[s]; i < first[s + 1]; i++) {
      if (judged[i] || !enabled_together(&p, n, &list->at[i])) continue;
      judged[i] = true;
      repeat(guilty, list->at[i].f, list->at[i].e);
    }
  }
  free(judged);
  free(first);
  product_clear(&p);
  vec_clear(&wanted);
}

static void check_determinism(struct classifier *c) {
  suspects list = {0};
  struct repeated guilty = {0};
  find_suspects(c->a, &list);
  if (list.len > 0 && !c->a->independent) judge_suspects(c, &list, &guilty);
  for (size_t i = 0; i < list.len && c->a->independent; i++)
    repeat(&guilty, list.at[i].f, list.at[i].e);
  report_nondeterminism(c, &guilty);
  vec_clear(&list);
}

/* ---- initialisation ----------------------------------------------------------------------------
 */

static bool compares(const struct automaton *a, uint32_t guard, uint32_t var) {
  struct automaton_range g = a->guards.at[guard];
  for (uint32_t i = g.begin; i < g.end; i++)
    for (uint32_t l = a->cubes.at[i].begin; l < a->cubes.at[i].end; l++)
      if (literal_var(a->literals.at[l]) == var) return true;
  return false;
}

/* The first edge, breadth first, that compares `var` before it is assigned; AUTOMATON_NONE. */
static uint32_t uninitialised_use(const struct automaton *a, uint32_t var) {
  bool *seen = xcalloc(a->states.len + 1, sizeof *seen);
  VEC(uint32_t) queue = {0};
  uint32_t found = AUTOMATON_NONE;
  seen[a->start] = true;
  vec_push(&queue, a->start);
  for (size_t i = 0; i < queue.len && found == AUTOMATON_NONE; i++) {
    struct automaton_range r = edges_of(a, queue.at[i]);
    for (uint32_t e = r.begin; e < r.end && found == AUTOMATON_NONE; e++) {
      const struct automaton_edge *edge = &a->edges.at[e];
      if (compares(a, edge->guard, var)) found = e;
      if (automaton_assigns(a, edge->assign, var) || seen[edge->to]) continue;
      seen[edge->to] = true;
      vec_push(&queue, edge->to);
    }
  }
  free(seen);
  vec_clear(&queue);
  return found;
}

static void check_initialised(struct classifier *c) {
  for (uint32_t x = 0; x < c->a->vars.len; x++) {
    uint32_t e = uninitialised_use(c->a, x);
    if (e == AUTOMATON_NONE) continue;
    c->report->uninitialised++;
    if (!c->diags) continue;
    diag_error(c->diags, automaton_edge_span(c->a, e), "automaton-uninitialised",
               "`%s` is compared with insample before it has been assigned", c->a->vars.at[x]);
    diag_hint(c->diags, "assign it on every way from the start to this edge");
  }
}

/* ---- departures from the class ------------------------------------------------------------------
 */

static bool is_real(uint32_t emit) {
  return emit == EMIT_INSAMPLE || emit == EMIT_PRIME;
}

static bool told_apart(const struct automaton *a, uint32_t e, uint32_t f) {
  uint32_t x = a->edges.at[e].emit, y = a->edges.at[f].emit;
  return x != y && !(is_real(x) && is_real(y));
}

/* False: never. `what` is printed with the state of the edge. */
static bool warn_once(struct classifier *c, const struct repeated *r, const char *code,
                      const char *what, const char *hint) {
  if (!r->count || !c->diags) return false;
  char more[64];
  diag_warning(c->diags, automaton_edge_span(c->a, r->edge), code, "%s `%s`%s", what,
               state_name(c, c->a->edges.at[r->edge].from), and_more(r, more, sizeof more));
  if (hint) diag_hint(c->diags, "%s", hint);
  return true;
}

static const char outside[] = "outside the class of the theory: \"private\" stays sound, \"not "
                              "private\" needs a certified counterexample";

static void check_outputs(struct classifier *c) {
  const struct automaton *a = c->a;
  struct repeated r = {0};
  for (uint32_t s = 0; s < a->states.len; s++) {
    struct automaton_range own = edges_of(a, s);
    for (uint32_t e = own.begin; e < own.end; e++)
      for (uint32_t f = e + 1; f < own.end; f++)
        if (!told_apart(a, e, f)) repeat(&r, f, e);
  }
  c->report->output_distinction += r.count;
  if (warn_once(c, &r, "automaton-output-distinction",
                "the output does not tell this edge from another one of state",
                "outside the class of the theory: \"private\" stays sound and the cost an upper "
                "bound, but \"not private\" needs a certified counterexample"))
    diag_note(c->diags, automaton_edge_span(a, r.other), "the other edge");
}

static void check_start(struct classifier *c) {
  const struct automaton *a = c->a;
  struct automaton_range r = edges_of(a, a->start);
  bool proper = r.end - r.begin == 1 && a->edges.at[r.begin].guard == 0 &&
                (a->vars.len == 0 || a->edges.at[r.begin].assign != 0);
  if (proper) return;
  c->report->start++;
  if (!c->diags) return;
  diag_warning(
      c->diags, automaton_state_span(a, a->start), "automaton-start",
      "the start state `%s` should have one edge, without a guard, that assigns a variable",
      state_name(c, a->start));
  diag_hint(c->diags, "%s", outside);
}

static void check_noninput(struct classifier *c) {
  const struct automaton *a = c->a;
  struct repeated r = {0};
  for (uint32_t e = 0; e < a->edges.len; e++)
    if (!a->states.at[a->edges.at[e].from].is_input && a->edges.at[e].guard != 0) repeat(&r, e, e);
  c->report->noninput_guards += r.count;
  warn_once(c, &r, "automaton-noninput-guard",
            "no input is read, but something is compared, at state", outside);
}

/* Independent noise: whether a disjunction costs something can depend on which of its variables has
 * the larger noise, which shifts do not see (docs/errata.md). */
static void check_disjunctions(struct classifier *c) {
  const struct automaton *a = c->a;
  if (!a->independent) return;
  bool *conjunctive = xmalloc((a->guards.len + 1) * sizeof *conjunctive);
  for (uint32_t g = 0; g < a->guards.len; g++)
    conjunctive[g] = automaton_guard_is_conjunctive(a, g);
  struct repeated r = {0};
  for (uint32_t e = 0; e < a->edges.len; e++)
    if (!conjunctive[a->edges.at[e].guard]) repeat(&r, e, e);
  c->report->disjunctions += r.count;
  warn_once(c, &r, "automaton-disjunction", "a disjunction of comparisons at state", outside);
  free(conjunctive);
}

static void check_inputs(struct classifier *c) {
  const struct automaton *a = c->a;
  for (uint32_t s = 0; s < a->states.len; s++)
    if (a->states.at[s].is_input) return;
  if (!c->diags) return;
  diag_warning(c->diags, automaton_state_span(a, a->start), "nothing-private",
               "no state reads an input: there is nothing to protect, and a claim says nothing");
}

static void check_dead_guards(struct classifier *c) {
  const struct automaton *a = c->a;
  bool *dead = xcalloc(a->guards.len + 1, sizeof *dead);
  for (uint32_t g = 0; g < a->guards.len; g++)
    dead[g] = guards_clash(a, g, g);
  struct repeated r = {0};
  for (uint32_t e = 0; e < a->edges.len; e++)
    if (dead[a->edges.at[e].guard]) repeat(&r, e, e);
  warn_once(c, &r, "automaton-dead-guard",
            "this guard contradicts itself, so that the edge is never taken, at state", NULL);
  free(dead);
}

/* Independent noise: `output insample` must mean one sample. */
static void check_ambiguous(struct classifier *c) {
  const struct automaton *a = c->a;
  for (uint32_t e = 0; e < a->edges.len; e++) {
    if (!a->independent || a->edges.at[e].emit != EMIT_INSAMPLE) continue;
    size_t mentioned = 0;
    for (uint32_t x = 0; x < a->vars.len; x++)
      mentioned +=
          compares(a, a->edges.at[e].guard, x) || automaton_assigns(a, a->edges.at[e].assign, x);
    if (mentioned <= 1) continue;
    c->report->ambiguous_output++;
    if (!c->diags) continue;
    diag_error(c->diags, automaton_edge_span(a, e), "automaton-ambiguous-output",
               "with independent noise every variable has its own insample: this edge mentions %zu",
               mentioned);
    diag_hint(c->diags, "output insample' or a symbol, or mention one variable only");
  }
}

/* ---- ends --------------------------------------------------------------------------------------
 */

enum { COVER_VARS = 8 }; /* beyond, a state counts as not covered */

static bool cube_holds(const struct automaton *a, struct automaton_range cube, const uint32_t *vars,
                       unsigned above) {
  for (uint32_t l = cube.begin; l < cube.end; l++) {
    unsigned at = 0;
    while (vars[at] != literal_var(a->literals.at[l]))
      at++;
    if (literal_is_less(a->literals.at[l]) == (above >> at & 1)) return false;
  }
  return true;
}

/* Do the guards of the state cover every outcome of its comparisons? (The order of the variables
 * may rule some out; that is not looked at.) */
static bool is_covered(const struct automaton *a, uint32_t state) {
  struct automaton_range r = edges_of(a, state);
  uint32_t vars[COVER_VARS];
  unsigned count = 0;
  for (uint32_t e = r.begin; e < r.end; e++) {
    struct automaton_range g = a->guards.at[a->edges.at[e].guard];
    for (uint32_t c = g.begin; c < g.end; c++)
      for (uint32_t l = a->cubes.at[c].begin; l < a->cubes.at[c].end; l++) {
        unsigned at = 0;
        while (at < count && vars[at] != literal_var(a->literals.at[l]))
          at++;
        if (at == COVER_VARS) return false;
        if (at == count) vars[count++] = literal_var(a->literals.at[l]);
      }
  }
  for (unsigned above = 0; above < 1u << count; above++) {
    bool holds = false;
    for (uint32_t e = r.begin; e < r.end && !holds; e++) {
      struct automaton_range g = a->guards.at[a->edges.at[e].guard];
      for (uint32_t c = g.begin; c < g.end && !holds; c++)
        holds = cube_holds(a, a->cubes.at[c], vars, above);
    }
    if (!holds) return false;
  }
  return true;
}

static void count_silent_ends(struct classifier *c) {
  for (uint32_t s = 0; s < c->a->states.len; s++)
    if (!c->a->states.at[s].is_final && edges_of(c->a, s).begin < edges_of(c->a, s).end)
      c->report->silent_ends += !is_covered(c->a, s);
}

/* ---- kinds --------------------------------------------------------------------------------------
 */

static enum automaton_kind segment_kind(const struct automaton *a) {
  uint32_t n = (uint32_t)a->states.len, *scc = xmalloc((n + 1) * sizeof *scc);
  struct graph g;
  graph_init(&g, n);
  for (size_t e = 0; e < a->edges.len; e++)
    graph_add(&g, a->edges.at[e].from, a->edges.at[e].to);
  uint32_t count = graph_scc(&g, scc), *exits = xcalloc(count + 1, sizeof *exits);
  enum automaton_kind kind = KIND_SIMPLE_SEGMENT;
  for (size_t e = 0; e < a->edges.len; e++) {
    uint32_t from = a->edges.at[e].from, to = a->edges.at[e].to;
    if (scc[from] == scc[to]) {
      if (kind == KIND_SIMPLE_SEGMENT) kind = KIND_LOOPING_SEGMENT;
    } else if (++exits[scc[from]] > 1) {
      kind = KIND_BRANCHING_SEGMENT;
    }
    if (a->edges.at[e].assign != 0 && from != a->start) kind = KIND_DIPA;
    if (kind == KIND_DIPA) break;
  }
  free(exits);
  free(scc);
  graph_clear(&g);
  return kind;
}

bool automaton_classify(struct class_report *report, const struct automaton *a,
                        struct diags *diags) {
  *report = (struct class_report){0};
  struct classifier c = {a, diags, report};
  check_inputs(&c);
  check_dead_guards(&c);
  check_determinism(&c);
  check_initialised(&c);
  check_ambiguous(&c);
  check_outputs(&c);
  check_start(&c);
  check_noninput(&c);
  check_disjunctions(&c);
  count_silent_ends(&c);
  report->kind = a->independent    ? KIND_INDEPENDENT
                 : a->vars.len > 1 ? KIND_SEVERAL
                                   : segment_kind(a);
  bool meaningful = report->nondeterminism + report->uninitialised + report->ambiguous_output == 0;
  report->in_class = meaningful && report->output_distinction + report->start +
                                           report->noninput_guards + report->disjunctions ==
                                       0;
  return meaningful;
}
