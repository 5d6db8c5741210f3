#include "automata/convert/program_text.h"

#include <stdlib.h>
#include <string.h>

#include "lang/format/words.h"
#include "lang/syntax/builtin.h"
#include "num/rational.h"

struct writer {
  struct buffer *out;
  const struct automaton *a;
  const struct refined *r;
  const struct oblivious *o;
  bool emits_real;
  VEC(char *) names; /* of the variables of the automaton, as the program calls them */
};

/* ---- names and numbers ------------------------------------------------------------------------
 */

/* Names the program needs for itself, and words that a .dipa file may use but a program may not. */
static bool is_reserved(const char *name) {
  static const char *const own[] = {"eps", "n", "i", "at", "inputs"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++)
    if (strcmp(own[i], name) == 0) return true;
  if (word_is(name, WORD_RESERVED) || word_is(name, WORD_PROOF_NAME) || word_is(name, WORD_TYPE) ||
      builtin_find(name))
    return true;
  /* s0, p0, ...: the samples */
  return (name[0] == 's' || name[0] == 'p') && name[1] &&
         strspn(name + 1, "0123456789") == strlen(name + 1);
}

static void choose_names(struct writer *w) {
  for (size_t x = 0; x < w->a->vars.len; x++) {
    char *name = xstrdup(w->a->vars.at[x]);
    for (bool taken = true; taken;) {
      taken = is_reserved(name);
      for (size_t y = 0; y < w->a->vars.len && !taken; y++)
        taken = y < x ? strcmp(w->names.at[y], name) == 0
                      : y > x && strcmp(w->a->vars.at[y], name) == 0;
      if (!taken) break;
      char *longer = xasprintf("%s_", name);
      free(name);
      name = longer;
    }
    vec_push(&w->names, name);
  }
}

static void put_rational(struct writer *w, const fmpq_t value) {
  char *text = rational_string(value);
  buffer_puts(w->out, text);
  free(text);
}

/* value * eps */
static void put_budget(struct writer *w, const fmpq_t value) {
  if (fmpq_is_zero(value)) {
    buffer_puts(w->out, "0");
    return;
  }
  if (!fmpq_is_one(value)) {
    put_rational(w, value);
    buffer_putc(w->out, '*');
  }
  buffer_puts(w->out, "eps");
}

/* 1/(d eps) */
static void put_scale(struct writer *w, const fmpq_t d) {
  char *top = fmpz_get_str(NULL, 10, fmpq_denref(d)), *low = fmpz_get_str(NULL, 10, fmpq_numref(d));
  if (strcmp(low, "1") == 0)
    buffer_printf(w->out, "%s/eps", top);
  else
    buffer_printf(w->out, "%s/(%s*eps)", top, low);
  flint_free(top);
  flint_free(low);
}

/* ---- the program ------------------------------------------------------------------------------
 */

static void put_sampling(struct writer *w, char kind, uint32_t state, uint32_t d, uint32_t mean) {
  const fmpq *centre = automaton_value(w->a, mean);
  buffer_printf(w->out, "%c%u <$ Lap(", kind, state);
  if (!w->a->states.at[state].is_input) {
    put_rational(w, centre);
  } else {
    buffer_puts(w->out, "inputs[i]");
    if (!fmpq_is_zero(centre)) {
      buffer_puts(w->out, " + (");
      put_rational(w, centre);
      buffer_putc(w->out, ')');
    }
  }
  buffer_puts(w->out, ", ");
  put_scale(w, automaton_value(w->a, d));
  buffer_puts(w->out, ");\n");
}

/* insample < x and insample >= y; false: there is nothing to say. */
static bool put_guard(struct writer *w, const struct automaton *a, uint32_t state, uint32_t guard) {
  struct literals g = automaton_conjunction(a, guard);
  for (size_t i = 0; i < g.count; i++)
    buffer_printf(w->out, "%ss%u %s %s", i ? " and " : "", state,
                  literal_is_less(g.at[i]) ? "<" : ">=", w->names.at[literal_var(g.at[i])]);
  return g.count > 0;
}

static void put_edge(struct writer *w, const struct automaton_edge *e) {
  const struct automaton_state *q = &w->a->states.at[e->from];
  uint32_t real = (uint32_t)w->a->symbols.len;
  if (e->emit == EMIT_PRIME) put_sampling(w, 'p', e->from, q->d2, q->mean2);
  if (e->emit == EMIT_PRIME || e->emit == EMIT_INSAMPLE)
    buffer_printf(w->out, "emit (%u, %c%u);\n", real, e->emit == EMIT_PRIME ? 'p' : 's', e->from);
  else if (w->emits_real)
    buffer_printf(w->out, "emit (%u, 0.0);\n", e->emit);
  else
    buffer_printf(w->out, "emit %u;\n", e->emit);
  struct members assigned = automaton_members(w->a, e->assign);
  for (size_t i = 0; i < assigned.count; i++)
    buffer_printf(w->out, "%s := s%u;\n", w->names.at[assigned.at[i]], e->from);
  buffer_printf(w->out, "at := %u;\n", e->to);
}

/* The edges as a chain of tests; the last one needs none if the guards allow everything. */
static void put_state(struct writer *w, uint32_t state) {
  const struct automaton *a = w->a;
  const struct automaton_state *q = &a->states.at[state];
  uint32_t begin = a->first_edge.at[state], end = a->first_edge.at[state + 1];
  bool covered = w->r->is_covered.at[state];
  put_sampling(w, 's', state, q->d, q->mean);
  if (end - begin == 1 && covered) {
    put_edge(w, &a->edges.at[begin]);
    return;
  }
  for (uint32_t e = begin; e < end; e++) {
    bool last = covered && e + 1 == end;
    buffer_puts(w->out, e == begin ? "if " : " else ");
    if (!last) {
      if (e != begin) buffer_puts(w->out, "if ");
      put_guard(w, a, state, a->edges.at[e].guard);
    }
    buffer_puts(w->out, " {\n");
    put_edge(w, &a->edges.at[e]);
    buffer_puts(w->out, "}");
  }
  if (!covered) buffer_printf(w->out, " else { at := %u; }", (uint32_t)a->states.len);
  buffer_putc(w->out, '\n');
}

static bool is_reached(const struct writer *w, uint32_t state) {
  for (size_t i = 0; i < w->o->points.len; i++)
    if (w->o->product.nodes.at[w->o->points.at[i].node].state == state) return true;
  return false;
}

static bool acts(const struct writer *w, uint32_t state) {
  return is_reached(w, state) && w->a->first_edge.at[state] < w->a->first_edge.at[state + 1];
}

static void put_legend(struct writer *w) {
  const struct automaton *a = w->a;
  buffer_printf(w->out, "/// The automaton `%s` as a program: one input per step.\n/// States:",
                a->name ? a->name : "automaton");
  for (uint32_t s = 0; s < a->states.len; s++) {
    buffer_printf(w->out, "%s %u ", s ? "," : "", s);
    automaton_print_state(w->out, a, s);
  }
  buffer_printf(w->out, ", %u the end.\n/// Outputs:", (unsigned)a->states.len);
  for (uint32_t s = 0; s < a->symbols.len; s++)
    buffer_printf(w->out, "%s %u %s", s ? "," : "", s, a->symbols.at[s]);
  if (w->emits_real)
    buffer_printf(w->out, "%s %u a real number", a->symbols.len ? "," : "",
                  (unsigned)a->symbols.len);
  buffer_puts(w->out, ".\n");
}

static const char *mechanism_name(const struct writer *w) {
  return w->a->name && !is_reserved(w->a->name) ? w->a->name : "mechanism_of_automaton";
}

static void put_mechanism(struct writer *w) {
  const struct automaton *a = w->a;
  buffer_puts(w->out, "param eps : real, eps > 0;\nparam n : int, n >= 0;\n\n");
  put_legend(w);
  buffer_printf(w->out,
                "mechanism %s(private inputs : real[n]) emits %s\n"
                "  adjacent all_within(inputs, 1)\n{\nat := %u;\n",
                mechanism_name(w), w->emits_real ? "(int, real)" : "int", a->start);
  for (size_t x = 0; x < a->vars.len; x++)
    buffer_printf(w->out, "var %s : real := 0;\n", w->names.at[x]);
  buffer_puts(w->out, "for i in 0..n {\n");
  bool any = false;
  for (uint32_t s = 0; s < a->states.len; s++) {
    if (!acts(w, s)) continue;
    buffer_printf(w->out, "%sif at = %u {\n", any ? " else " : "", s);
    put_state(w, s);
    buffer_puts(w->out, "}");
    any = true;
  }
  buffer_puts(w->out, "\n}\n}\n\n");
}

/* ---- the proof --------------------------------------------------------------------------------
 */

static uint32_t state_of(const struct writer *w, const struct oblivious_point *p) {
  return w->o->product.nodes.at[p->node].state;
}

static size_t points_at(const struct writer *w, uint32_t state) {
  size_t count = 0;
  for (size_t i = 0; i < w->o->points.len; i++)
    count += state_of(w, &w->o->points.at[i]) == state;
  return count;
}

/* Shifts and order of the stored values; false: nothing is said. Ties do not matter to an automaton
 * but they do to a program: `<` is only known as `<=`. */
static bool put_point(struct writer *w, const struct oblivious_point *p) {
  const struct product *product = &w->o->product;
  struct members live = product_live(product, p->node);
  const char *sep = "";
  for (size_t i = 0; i < live.count; i++) {
    const char *x = w->names.at[live.at[i]];
    buffer_printf(w->out, "%s%s<2> = %s<1>", sep, x, x);
    if (p->shift[i]) buffer_printf(w->out, " %c 1", p->shift[i] > 0 ? '+' : '-');
    sep = " and ";
  }
  for (size_t i = 0; i < live.count; i++)
    for (size_t j = 0; j < live.count; j++) {
      enum relation r = product_relation(product, p->node, live.at[i], live.at[j]);
      if (i == j || (r != RELATION_LESS && !(r == RELATION_EQUAL && i < j))) continue;
      buffer_printf(w->out, "%s%s<1> %s %s<1>", sep, w->names.at[live.at[i]],
                    r == RELATION_LESS ? "<=" : "=", w->names.at[live.at[j]]);
      sep = " and ";
    }
  return *sep != '\0';
}

/* Tells the point from the others of its state: the shifts in which they differ, or everything. */
static bool put_which(struct writer *w, const struct oblivious_point *p) {
  struct members live = product_live(&w->o->product, p->node);
  bool differs[OBLIVIOUS_VARS] = {0}, alike = false;
  for (size_t i = 0; i < w->o->points.len; i++) {
    const struct oblivious_point *q = &w->o->points.at[i];
    if (q == p || state_of(w, q) != state_of(w, p)) continue;
    alike |= memcmp(p->shift, q->shift, live.count) == 0;
    for (size_t x = 0; x < live.count; x++)
      differs[x] |= p->shift[x] != q->shift[x];
  }
  if (alike) return put_point(w, p);
  const char *sep = "";
  for (size_t x = 0; x < live.count; x++) {
    const char *name = w->names.at[live.at[x]];
    if (!differs[x]) continue;
    buffer_printf(w->out, "%s%s<2> = %s<1>", sep, name, name);
    if (p->shift[x]) buffer_printf(w->out, " %c 1", p->shift[x] > 0 ? '+' : '-');
    sep = " and ";
  }
  return *sep != '\0';
}

static void put_invariants(struct writer *w) {
  size_t states = w->a->states.len;
  buffer_printf(w->out, "    invariant at<1> = at<2> and 0 <= at and at <= %zu;\n", states);
  for (uint32_t s = 0; s < states; s++) {
    size_t mark = w->out->len;
    bool any = false, all = true, several = points_at(w, s) > 1;
    buffer_printf(w->out, "    invariant at = %u -> ", s);
    for (size_t i = 0; i < w->o->points.len && acts(w, s); i++) {
      if (state_of(w, &w->o->points.at[i]) != s) continue;
      if (any) buffer_puts(w->out, " or ");
      if (several) buffer_putc(w->out, '(');
      all = put_point(w, &w->o->points.at[i]) && all;
      if (several) buffer_putc(w->out, ')');
      any = true;
    }
    buffer_puts(w->out, ";\n");
    if (!any || !all) w->out->len = mark; /* nothing to say */
  }
  w->out->text[w->out->len] = '\0';
}

static void put_budgets(struct writer *w) {
  buffer_puts(w->out, "    budget ");
  for (uint32_t s = 0; s < w->a->states.len; s++) {
    if (!acts(w, s)) continue;
    size_t left = points_at(w, s);
    bool several = left > 1;
    buffer_printf(w->out, "if at = %u then %s", s, several ? "(" : "");
    for (size_t i = 0; i < w->o->points.len; i++) {
      const struct oblivious_point *p = &w->o->points.at[i];
      if (state_of(w, p) != s) continue;
      if (--left > 0) {
        buffer_puts(w->out, "if ");
        put_which(w, p);
        buffer_puts(w->out, " then ");
      }
      put_budget(w, &p->value);
      if (left > 0) buffer_puts(w->out, " else ");
    }
    buffer_puts(w->out, several ? ") else " : " else ");
  }
  buffer_puts(w->out, "0;\n");
}

static void put_move(struct writer *w, uint32_t state, const struct oblivious_move *m) {
  int within = abs(m->shift) + w->a->states.at[state].is_input;
  if (m->is_null)
    buffer_puts(w->out, "null");
  else
    buffer_printf(w->out, "shift %d within %d", m->shift, within);
}

static bool same_move(const struct oblivious_move *a, const struct oblivious_move *b) {
  return a->is_null == b->is_null && (a->is_null || a->shift == b->shift);
}

enum { CASES_MAX = 256 }; /* of one sampling; with fewer cases than there are the proof fails */

/* One case for every point of the state and every edge there, in the order of the program's tests;
 * cases at the end that agree with the last one are left to it. */
static void put_cases(struct writer *w, uint32_t state) {
  const struct oblivious_move *all[CASES_MAX];
  const struct oblivious_point *of[CASES_MAX];
  size_t count = 0, points = points_at(w, state);
  for (size_t i = 0; i < w->o->points.len; i++) {
    const struct oblivious_point *p = &w->o->points.at[i];
    for (uint32_t m = 0; m < p->count && state_of(w, p) == state && count < CASES_MAX; m++) {
      all[count] = &w->o->moves.at[p->first + m];
      of[count++] = p;
    }
  }
  size_t last = count - 1;
  while (last > 0 && same_move(all[last - 1], all[count - 1]))
    last--;
  buffer_printf(w->out, "    sample s%u: ", state);
  for (size_t i = 0; i <= last; i++) {
    if (i < last) {
      buffer_puts(w->out, "when ");
      bool point = points > 1 && put_which(w, of[i]);
      uint32_t guard = w->r->a.edges.at[all[i]->edge].guard;
      if (guard != 0 && point) buffer_puts(w->out, " and ");
      if (!put_guard(w, &w->r->a, state, guard) && !point) buffer_puts(w->out, "true");
      buffer_putc(w->out, ' ');
    }
    put_move(w, state, all[i]);
    buffer_puts(w->out, i < last ? "\n      else " : ";\n");
  }
}

static void put_proof(struct writer *w) {
  buffer_printf(w->out, "claim private %s epsilon ", mechanism_name(w));
  put_budget(w, &w->o->points.at[0].value);
  buffer_puts(w->out, " proof {\n  loop {\n");
  put_invariants(w);
  put_budgets(w);
  for (uint32_t s = 0; s < w->a->states.len; s++) {
    if (!acts(w, s)) continue;
    put_cases(w, s);
    bool prime = false;
    for (uint32_t e = w->a->first_edge.at[s]; e < w->a->first_edge.at[s + 1]; e++)
      prime |= w->a->edges.at[e].emit == EMIT_PRIME;
    if (prime) {
      int within = w->a->states.at[s].is_input;
      buffer_printf(w->out, "    sample p%u: shift 0 within %d;\n", s, within);
    }
  }
  buffer_puts(w->out, "  }\n}\n");
}

void automaton_program_text(struct buffer *out, const struct automaton *a, const struct refined *r,
                            const struct oblivious *o) {
  struct writer w = {.out = out, .a = a, .r = r, .o = o};
  for (size_t e = 0; e < a->edges.len; e++)
    w.emits_real |= a->edges.at[e].emit == EMIT_INSAMPLE || a->edges.at[e].emit == EMIT_PRIME;
  choose_names(&w);
  put_mechanism(&w);
  put_proof(&w);
  for (size_t i = 0; i < w.names.len; i++)
    free(w.names.at[i]);
  vec_clear(&w.names);
}
