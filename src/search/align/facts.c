#include "search/align/facts.h"

#include <string.h>

#include "proof/variable_name.h"
#include "search/align/growth.h"
#include "search/align/measure.h"
#include "search/align/naming.h"
#include "search/align/place.h"
#include "term/build.h"
#include "term/subst.h"

bool align_is_default(const struct align *s, const struct core *loop, term_id var) {
  const struct lowered *program = claim_program(s->problem->goal);
  return variable_is_of_adversary(term_var_get(s->ts, var)->name) || var == loop->var ||
         var == program->output || var == program->returned ||
         (var == program->result && program->returned != TERM_NONE) || align_is_private(s, var);
}

void align_invariant(struct align *s, struct text *out, term_id f) {
  if (f != TERM_NONE && term_kind(s->ts, f) != TERM_TRUE) text_put(out, "invariant %t;\n", f);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* The smallest and largest change of an integer variable in one iteration. */
static bool change_of(struct align *s, const struct align_heads *heads, size_t v, struct ratio *low,
                      struct ratio *high) {
  bool any = false;
  for (size_t i = 0; i < heads->count; i++)
    for (size_t j = 0; j < heads->at[i].head->steps.len; j++) {
      term_id after = heads->at[i].head->steps.at[j].end->state.value[v];
      term_id by = term_sub(s->ts, after, s->vars.at[v]);
      if (by == TERM_NONE || !term_is_num(s->ts, by)) return false;
      struct ratio r = ratio_from_fmpq(term_num_value(s->ts, by));
      *low = any ? ratio_min(*low, r) : r;
      *high = any ? ratio_max(*high, r) : r;
      any = true;
    }
  return any;
}

/* The value with which a variable enters the loop, in terms of what the loop does not change;
 * TERM_NONE if it has no such name, or not the same on all ways in. */
static term_id entry_value(struct align *s, const struct align_heads *heads, size_t v) {
  term_id all = TERM_NONE;
  for (size_t i = 0; i < heads->count; i++) {
    const struct align_plan *plan = heads->at[i].plan;
    for (size_t w = 0; w < plan->entries.len; w++) {
      struct align_state at = align_state_copy(s, &plan->entered[w].state);
      term_id value = at.value[v];
      for (size_t u = 0; u < s->vars.len; u++)
        if (u == v || plan->written[u]) at.value[u] = term_fresh(s->ts, s->vars.at[u]);
      struct align_view view;
      align_view_init(&view, s, &at, NULL, NULL);
      term_id named = align_view_term(&view, value);
      align_view_clear(&view);
      if (named == TERM_NONE || (all != TERM_NONE && all != named)) return TERM_NONE;
      all = named;
    }
  }
  return all;
}

/* b - a if the formula says that the integers a and b are different; TERM_NONE otherwise. */
static term_id as_unequal(struct align *s, term_id f) {
  if (term_kind(s->ts, f) != TERM_NOT || term_kind(s->ts, term_arg(s->ts, f, 0)) != TERM_EQ)
    return TERM_NONE;
  term_id a = term_arg(s->ts, term_arg(s->ts, f, 0), 0);
  term_id b = term_arg(s->ts, term_arg(s->ts, f, 0), 1);
  return term_sort(s->ts, a) == SORT_INT ? term_sub(s->ts, b, a) : TERM_NONE;
}

/* A counter that takes single steps does not pass where the guard stops it: i <= n for
 * `while i != n`, if it begins on that side. */
static void emit_stop(struct align *s, struct text *out, const struct core *loop, term_id var,
                      term_id first, bool rises) {
  term_list parts = {0};
  term_conjuncts(s->ts, loop->expr, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id gap = as_unequal(s, parts.at[i]);
    if (gap == TERM_NONE) continue;
    term_id stop = term_add(s->ts, var, gap);
    if (term_mentions(s->ts, stop, &var, 1)) stop = term_sub(s->ts, var, gap);
    if (term_mentions(s->ts, stop, &var, 1)) continue;
    term_id begins = rises ? term_le(s->ts, first, stop) : term_le(s->ts, stop, first);
    if (align_follows(s, term_bool(s->ts, true), begins))
      align_invariant(s, out, rises ? term_le(s->ts, var, stop) : term_le(s->ts, stop, var));
  }
  vec_clear(&parts);
}

/* What the whole program does to a variable: begins at one value over parameters, and then adds
 * numbers of one sign. */
struct course {
  term_id var, first; /* TERM_NONE: not set yet */
  bool rises, falls, other;
};

static void follow(struct align *s, const struct core *c, struct course *course) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    follow(s, c->first, course);
    if (c->second) follow(s, c->second, course);
    return;
  }
  if (c->kind == CORE_SKIP || c->var != course->var) return;
  term_id by = c->kind == CORE_ASSIGN ? term_sub(s->ts, c->expr, c->var) : TERM_NONE;
  if (by != TERM_NONE && term_is_num(s->ts, by)) {
    course->rises |= fmpq_sgn(term_num_value(s->ts, by)) > 0;
    course->falls |= fmpq_sgn(term_num_value(s->ts, by)) < 0;
  } else if (c->kind == CORE_ASSIGN && align_is_fixed(s, c->expr) &&
             (course->first == TERM_NONE || course->first == c->expr)) {
    course->first = c->expr;
  } else {
    course->other = true;
  }
}

/* Where loops are inside one another, an iteration of the outer one has no fixed step. */
static void emit_course(struct align *s, struct text *out, term_id var) {
  struct course course = {.var = var, .first = TERM_NONE};
  if (term_sort(s->ts, var) != SORT_INT) return;
  follow(s, s->program, &course);
  if (course.other || course.first == TERM_NONE || course.rises == course.falls) return;
  align_invariant(
      s, out, course.rises ? term_le(s->ts, course.first, var) : term_le(s->ts, var, course.first));
}

/* ---- what counters are copied to --------------------------------------------------------------- */

/* Is there an array in the program that is read at this index, or at a copy of it? */
static bool is_index(struct align *s, const struct core *c, term_id var, bool copied) {
  term_list parts = {0};
  bool copies = c->kind == CORE_ASSIGN && c->expr == var && !copied;
  bool found = copies && is_index(s, s->program, c->var, true);
  if (c->expr != TERM_NONE) term_subterms(s->ts, c->expr, &parts);
  for (size_t i = 0; i < c->arg_count; i++)
    term_subterms(s->ts, c->args[i], &parts);
  for (size_t i = 0; i < parts.len; i++)
    found |= term_kind(s->ts, parts.at[i]) == TERM_SELECT && term_arg(s->ts, parts.at[i], 1) == var;
  vec_clear(&parts);
  return found || (c->first && is_index(s, c->first, var, copied)) ||
         (c->second && is_index(s, c->second, var, copied));
}

/* Does every iteration leave the variable alone, or set it to the counter (and then set the flag)? */
static bool is_copied(struct align *s, const struct align_heads *heads, size_t v, term_id counter,
                      size_t flag) {
  bool any = false;
  for (size_t i = 0; i < heads->count; i++)
    for (size_t j = 0; j < heads->at[i].head->steps.len; j++) {
      const struct align_state *after = &heads->at[i].head->steps.at[j].end->state;
      if (after->value[v] == s->vars.at[v]) continue;
      any = true;
      if (after->value[v] != counter) return false;
      if (flag != SIZE_MAX && after->value[flag] != term_bool(s->ts, true)) return false;
    }
  return any;
}

static bool is_off_at_entries(struct align *s, const struct align_heads *heads, size_t flag) {
  for (size_t i = 0; i < heads->count; i++)
    for (size_t w = 0; w < heads->at[i].plan->entries.len; w++)
      if (heads->at[i].plan->entered[w].state.value[flag] != term_bool(s->ts, false)) return false;
  return true;
}

/* An index that the loop has found is one of those it runs over: unless it still is what it was
 * before, or, where it was nothing, unless the flag says that nothing was found. */
static void emit_found(struct align *s, struct text *out, const struct core *loop,
                       const struct align_heads *heads, size_t v) {
  const struct align_plan *plan = heads->at[0].plan;
  term_id var = s->vars.at[v], counter = loop->var;
  if (counter == TERM_NONE || term_sort(s->ts, var) != SORT_INT) return;
  if (!is_copied(s, heads, v, counter, SIZE_MAX) || !is_index(s, s->program, var, false)) return;
  term_id inside =
      term_and(s->ts, term_le(s->ts, loop->args[0], var), term_lt(s->ts, var, loop->args[1]));
  term_id first = entry_value(s, heads, v);
  if (first != TERM_NONE)
    align_invariant(s, out, term_or(s->ts, term_eq(s->ts, var, first), inside));
  for (size_t f = 0; f < s->vars.len && first == TERM_NONE; f++)
    if (plan->flag[f] && term_sort(s->ts, s->vars.at[f]) == SORT_BOOL &&
        is_copied(s, heads, v, counter, f) && is_off_at_entries(s, heads, f))
      align_invariant(s, out, term_implies(s->ts, s->vars.at[f], inside));
}

/* A counter stays on its side of where it began. */
static void emit_side(struct align *s, struct text *out, const struct align_heads *heads,
                      size_t counter) {
  struct ratio low, high;
  term_id var = s->vars.at[counter], first = entry_value(s, heads, counter);
  if (first == TERM_NONE || !change_of(s, heads, counter, &low, &high)) return;
  if (low.num >= 0) align_invariant(s, out, term_le(s->ts, first, var));
  if (high.num <= 0) align_invariant(s, out, term_le(s->ts, var, first));
}

/* Is the range of the loop written with this variable? */
static bool bounds_range(struct align *s, const struct core *loop, term_id var) {
  bool found = false;
  for (size_t i = 0; loop->var != TERM_NONE && i < loop->arg_count; i++)
    found |= term_mentions(s->ts, loop->args[i], &var, 1);
  return found;
}

/* What is known of run 1 alone: counters stay on their side of where they began. */
void align_facts_ranges(struct align *s, struct text *out, const struct core *loop,
                        const struct align_heads *heads) {
  const struct align_plan *plan = heads->at[0].plan;
  align_invariant(s, out, growth_range(s, plan));
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id var = s->vars.at[v];
    struct ratio low, high;
    bool live = plan->live[v] || bounds_range(s, loop, var);
    if (!live || align_is_default(s, loop, var) || plan->flag[v] ||
        !sort_is_numeric(term_sort(s->ts, var)))
      continue;
    bool moves = plan->written[v];
    bool counts = term_sort(s->ts, var) == SORT_INT && change_of(s, heads, v, &low, &high);
    term_id first = moves && !counts ? TERM_NONE : entry_value(s, heads, v);
    if (first == TERM_NONE && moves) emit_course(s, out, var);
    if (first == TERM_NONE && moves) emit_found(s, out, loop, heads, v);
    if (first == TERM_NONE) continue;
    if (!moves) align_invariant(s, out, term_eq(s->ts, var, first));
    if (moves) emit_side(s, out, heads, v);
    if (moves && low.num >= 0 && ratio_eq(high, ratio_int(1)))
      emit_stop(s, out, loop, var, first, true);
    if (moves && high.num <= 0 && ratio_eq(low, ratio_int(-1)))
      emit_stop(s, out, loop, var, first, false);
  }
}

/* ---- geometric progressions ------------------------------------------------------------------ */

/* A variable that every iteration multiplies or divides by the same number. */
struct progression {
  size_t var;
  term_id factor; /* at least 2 */
  bool divides;
  bool exact;  /* it is known that v + offset, which divides as v does, leaves no remainder */
  bool offset; /* by one: v mod c = c - 1 */
};

/* Was it decided on the path that v mod c is this? */
static bool has_remainder(struct align *s, const struct align_path *p, term_id var, term_id c,
                          term_id remainder) {
  term_id mod = term_mod(s->ts, var, c), two = term_int(s->ts, 2);
  term_id atom = term_eq(s->ts, mod, remainder);
  term_id other = term_eq(s->ts, mod, term_sub(s->ts, term_int(s->ts, 1), remainder));
  for (const struct align_decision *d = p->decisions; d; d = d->previous)
    if ((d->atom == atom && d->taken) || (c == two && d->atom == other && !d->taken)) return true;
  return false;
}

/* The number by which this step multiplies or divides the variable; TERM_NONE: it does neither. */
static term_id factor_of(struct align *s, const struct align_step *step, size_t v, bool *divides) {
  term_id var = s->vars.at[v], after = step->end->state.value[v];
  *divides = term_kind(s->ts, after) == TERM_IDIV;
  bool scales =
      *divides || (term_kind(s->ts, after) == TERM_MUL && term_arg_count(s->ts, after) == 2);
  if (!scales || term_arg(s->ts, after, !*divides) != var) return TERM_NONE;
  term_id c = term_arg(s->ts, after, *divides);
  return term_is_num(s->ts, c) && fmpq_cmp_si(term_num_value(s->ts, c), 2) >= 0 ? c : TERM_NONE;
}

static bool find_progression(struct align *s, const struct align_heads *heads, size_t v,
                             struct progression *out) {
  bool any = false;
  if (term_sort(s->ts, s->vars.at[v]) != SORT_INT) return false;
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_step *step = &heads->at[h].head->steps.at[j];
      bool divides;
      term_id factor = factor_of(s, step, v, &divides);
      if (factor == TERM_NONE || (any && (factor != out->factor || divides != out->divides)))
        return false;
      const struct align_path *path = step->end->path;
      term_id var = s->vars.at[v], last = term_sub(s->ts, factor, term_int(s->ts, 1));
      bool offset = divides && has_remainder(s, path, var, factor, last);
      bool exact = !divides || offset || has_remainder(s, path, var, factor, term_int(s->ts, 0));
      if (any) exact = exact && out->exact && offset == out->offset;
      *out = (struct progression){v, factor, divides, exact, exact && offset};
      any = true;
    }
  return any;
}

/* Facts about counters that hold wherever the loop is entered: floors of the loops around it. */
static term_id known_floors(struct align *s, const struct align_rows *rows) {
  term_id all = term_bool(s->ts, true);
  for (size_t i = 0; i < rows->heads.len; i++) {
    const struct align_plan *plan = rows->heads.at[i].plan;
    all = term_and(s->ts, all, term_and_all(s->ts, plan->floors.at, plan->floors.len));
  }
  return all;
}

/* Does the formula hold wherever the loop is entered? */
static bool holds_at_entries(struct align *s, const struct align_rows *rows,
                             const struct align_heads *heads, term_id formula) {
  term_id given = known_floors(s, rows), last = TERM_NONE;
  for (size_t i = 0; i < heads->count; i++) {
    const struct align_plan *plan = heads->at[i].plan;
    for (size_t w = 0; w < plan->entries.len; w++) {
      term_id now = align_state_value(s, &plan->entered[w].state, formula);
      if (now != last && !align_follows(s, given, now)) return false;
      last = now;
    }
  }
  return true;
}

/* By how much the step decreases the term; not a number if that is not fixed. */
static struct ratio decrease(struct align *s, const struct align_step *step, term_id e) {
  term_id after = align_state_value(s, &step->end->state, e);
  term_id by = after == TERM_NONE ? TERM_NONE : term_sub(s->ts, e, after);
  if (by == TERM_NONE || !term_is_num(s->ts, by)) return (struct ratio){0, 0};
  return ratio_from_fmpq(term_num_value(s->ts, by));
}

static bool is_guarded(struct align *s, const struct align_path *p, term_id e) {
  for (const struct align_decision *d = p->decisions; d; d = d->previous)
    if (align_as_guard(s, d) == e) return true;
  return false;
}

/* Does every step leave e alone, or decrease it by `by` at most after finding it at least 0? */
static bool is_kept(struct align *s, const struct align_heads *heads, term_id e, struct ratio by) {
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_step *step = &heads->at[h].head->steps.at[j];
      struct ratio here = decrease(s, step, e);
      if (!ratio_le(ratio_int(0), here) || !ratio_le(here, by)) return false;
      if (here.num && !is_guarded(s, step->end->path, e)) return false;
    }
  return true;
}

/* Counters stay within what the guard allows: j <= L - 1 for `while j < L - 1`. */
static void emit_ceilings(struct align *s, struct text *out, const struct align_rows *rows,
                          const struct core *loop, const struct align_heads *heads) {
  term_list seen = {0};
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_step *step = &heads->at[h].head->steps.at[j];
      for (const struct align_decision *d = step->end->path->decisions; d; d = d->previous) {
        term_id e = align_as_guard(s, d), zero = term_int(s->ts, 0);
        struct ratio by = e == TERM_NONE ? ratio_int(0) : decrease(s, step, e);
        bool known = by.den != 1 || by.num <= 0;
        for (size_t i = 0; i < seen.len; i++)
          known |= seen.at[i] == e;
        if (known || (loop->var != TERM_NONE && term_mentions(s->ts, e, &loop->var, 1))) continue;
        vec_push(&seen, e);
        term_id left = term_add(s->ts, e, term_int(s->ts, by.num));
        if (is_kept(s, heads, e, by) &&
            holds_at_entries(s, rows, heads, term_le(s->ts, zero, left)))
          text_put(out, "invariant %s;\n", align_at_least_zero(s, left));
      }
    }
  vec_clear(&seen);
}

/* The product k*c^j keeps its value if each iteration divides k by c and adds 1 to j, and so does
 * (k + 1)*c^j if k mod c = c - 1; k is c^j times what it was if it is multiplied instead. */
static bool emit_progression(struct align *s, struct text *out, const struct align_heads *heads,
                             const struct progression *g, size_t counter) {
  struct ratio low, high;
  term_id var = s->vars.at[g->var], first = entry_value(s, heads, g->var);
  term_id more = term_int(s->ts, g->offset);
  if (term_sort(s->ts, s->vars.at[counter]) != SORT_INT || first == TERM_NONE) return false;
  if (!change_of(s, heads, counter, &low, &high) || !ratio_eq(low, high)) return false;
  if (!ratio_eq(ratio_abs(low), ratio_int(1))) return false;
  term_id began = entry_value(s, heads, counter), now = s->vars.at[counter];
  if (began == TERM_NONE) return false;
  term_id steps = low.num > 0 ? term_sub(s->ts, now, began) : term_sub(s->ts, began, now);
  bool atomic = term_arg_count(s->ts, steps) == 0;
  const char *power = arena_printf(s->arena, atomic ? "%s^%s" : "%s^(%s)",
                                   align_term_text(s, g->factor), align_term_text(s, steps));
  term_id start = term_add(s->ts, first, more);
  if (g->divides)
    text_put(out, "invariant (%t)*%s %s %t;\n", term_add(s->ts, var, more), power,
             g->exact ? "=" : "<=", start);
  else
    text_put(out, "invariant %t = (%t)*%s;\n", var, start, power);
  return true;
}

/* What is divided without a remainder is at least 1, and else at least 0, if it is at first. */
static void emit_least(struct align *s, struct text *out, const struct align_rows *rows,
                       const struct align_heads *heads, const struct progression *g) {
  term_id one = term_int(s->ts, g->exact && !g->offset);
  term_id least = term_le(s->ts, one, s->vars.at[g->var]);
  if (holds_at_entries(s, rows, heads, least)) align_invariant(s, out, least);
}

void align_facts_progress(struct align *s, struct text *out, const struct align_rows *rows,
                          const struct core *loop, const struct align_heads *heads) {
  emit_ceilings(s, out, rows, loop, heads);
  for (size_t v = 0; v < s->vars.len; v++) {
    struct progression g;
    if (!heads->at[0].plan->live[v] || !find_progression(s, heads, v, &g)) continue;
    emit_least(s, out, rows, heads, &g);
    for (size_t c = 0; c < s->vars.len; c++)
      if (heads->at[0].plan->live[c]) emit_progression(s, out, heads, &g, c);
  }
}

/* ---- what a loop before has left ------------------------------------------------------------- */

static bool contains(const struct core *c, const struct core *loop) {
  if (c == loop) return true;
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return false;
  return contains(c->first, loop) || contains(c->second, loop);
}

/* The last loop on the way to this one, and what is written after it on that way. */
static void find_before(const struct core *c, const struct core *loop, const struct core **before,
                        term_list *written) {
  if (c->kind == CORE_SEQ) {
    find_before(c->first, loop, before, written);
    if (!contains(c->first, loop)) find_before(c->second, loop, before, written);
  } else if (c->kind == CORE_IF && contains(c, loop)) {
    find_before(contains(c->first, loop) ? c->first : c->second, loop, before, written);
  } else if (c->kind == CORE_WHILE && c != loop) {
    *before = c;
    written->len = 0;
  } else {
    core_writes(c, written);
  }
}

static bool is_among(const term_list *list, term_id var) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == var) return true;
  return false;
}

/* Where the difference will be put may have been computed by a loop before this one. */
void align_facts_before(struct align *s, struct text *out, const struct align_rows *rows,
                        const struct core *scope, const struct core *loop,
                        const struct align_heads *heads) {
  const struct core *before = NULL;
  term_list written = {0};
  find_before(scope, loop, &before, &written); /* the loop as well */
  struct align_heads left = {0};
  if (before) left = align_rows_heads(s, rows, before);
  for (size_t v = 0; v < s->vars.len && left.count; v++) {
    struct progression g;
    if (is_among(&written, s->vars.at[v]) || !left.at[0].plan->live[v]) continue;
    if (!find_progression(s, &left, v, &g)) continue;
    bool any = false;
    for (size_t c = 0; c < s->vars.len; c++) {
      if (!heads->at[0].plan->live[c] || is_among(&written, s->vars.at[c])) continue;
      if (!emit_progression(s, out, &left, &g, c)) continue;
      emit_side(s, out, &left, c);
      any = true;
    }
    if (any) emit_least(s, out, rows, &left, &g);
  }
  vec_clear(&written);
}

/* A number that is divided until it is no longer divisible. */
static bool emit_quotient_variant(struct align *s, struct text *out, const struct core *loop,
                                  const struct align_heads *heads) {
  for (size_t v = 0; v < s->vars.len; v++) {
    struct progression g;
    if (!term_mentions(s->ts, loop->expr, &s->vars.at[v], 1)) continue;
    if (!find_progression(s, heads, v, &g) || !g.divides) continue;
    text_put(out, "variant %t;\n", s->vars.at[v]);
    return true;
  }
  return false;
}

/* ---- termination ----------------------------------------------------------------------------- */

/* Does every step that stays in the loop decrease the term, which is at least 0 before? */
static bool falls_inside(struct align *s, const struct align_heads *heads, term_id e) {
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_step *step = &heads->at[h].head->steps.at[j];
      term_id by = term_sub(s->ts, e, align_state_value(s, &step->end->state, e));
      if (by == TERM_NONE || !term_is_num(s->ts, by)) return false;
      int sign = fmpq_sgn(term_num_value(s->ts, by));
      bool stays = heads->at[h].plan->heads.at[step->to]->steps.len > 0, guarded = false;
      for (const struct align_decision *d = step->end->path->decisions; d; d = d->previous)
        guarded |= align_as_guard(s, d) == e;
      /* a loop inside that was left in vain may have made the guard false: the kernel will see */
      bool inside = step->end->inner != NULL;
      if (sign < 0 || (stays && !inside && (sign == 0 || !guarded))) return false;
    }
  return true;
}

/* A loop that runs until a flag says so, and counts inside: `while go { if i >= n ... }`. */
static void emit_flag_variant(struct align *s, struct text *out, const struct core *loop,
                              const struct align_heads *heads) {
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_path *p = heads->at[h].head->steps.at[j].end->path;
      for (const struct align_decision *d = p->decisions; d; d = d->previous) {
        term_id left = align_as_guard(s, d);
        if (left == TERM_NONE || !falls_inside(s, heads, left)) continue;
        text_put(out, "variant (if %t then 1 else 0) + max(0, %t);\n", loop->expr,
                 term_add(s->ts, left, term_int(s->ts, 1)));
        return;
      }
    }
}

/* Does every step decrease the term? */
static bool falls(struct align *s, const struct align_heads *heads, term_id left) {
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct align_state *end = &heads->at[h].head->steps.at[j].end->state;
      term_id by = term_sub(s->ts, left, align_state_value(s, end, left));
      if (by == TERM_NONE || !term_is_num(s->ts, by) || fmpq_sgn(term_num_value(s->ts, by)) <= 0)
        return false;
    }
  return true;
}

/* A variant where there is a choice: an integer that every iteration decreases. */
void align_facts_variant(struct align *s, struct text *out, const struct core *loop,
                         const struct align_heads *heads, bool inside) {
  term_list parts = {0};
  term_conjuncts(s->ts, loop->expr, &parts);
  size_t comparisons = 0;
  term_id found = TERM_NONE, distance = TERM_NONE;
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(s->ts, parts.at[i]);
    term_id gap = as_unequal(s, parts.at[i]);
    if (gap != TERM_NONE && falls(s, heads, gap)) distance = gap;
    if (gap != TERM_NONE && falls(s, heads, term_neg(s->ts, gap))) distance = term_neg(s->ts, gap);
    if (kind != TERM_LE && kind != TERM_LT) continue;
    term_id a = term_arg(s->ts, parts.at[i], 0), b = term_arg(s->ts, parts.at[i], 1);
    if (term_sort(s->ts, a) != SORT_INT || term_sort(s->ts, b) != SORT_INT) continue;
    comparisons++;
    term_id left = term_sub(s->ts, b, a);
    if (kind == TERM_LE) left = term_add(s->ts, left, term_int(s->ts, 1));
    if (found == TERM_NONE && falls(s, heads, left)) found = left;
  }
  vec_clear(&parts);
  /* what the invariant says of the variant holds where loops inside must end as well */
  bool useful =
      comparisons > 1 || ((heads->at[0].plan->travels || inside) && loop->var == TERM_NONE);
  if (found == TERM_NONE && distance != TERM_NONE) {
    found = distance;
    useful = true;
  }
  if (useful && found != TERM_NONE) text_put(out, "variant %t;\n", found);
  if (comparisons == 0 && emit_quotient_variant(s, out, loop, heads)) return;
  if (found == TERM_NONE) emit_flag_variant(s, out, loop, heads);
}
