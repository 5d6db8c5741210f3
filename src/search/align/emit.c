#include "search/align/emit.h"

#include <string.h>

#include "kernel/dist.h"
#include "kernel/notion.h"
#include "search/align/event.h"
#include "search/align/facts.h"
#include "search/align/group.h"
#include "search/align/naming.h"
#include "search/align/place.h"
#include "search/align/rounds.h"
#include "search/align/sweep.h"
#include "search/align/total.h"
#include "search/base/view.h"
#include "term/build.h"
#include "term/subst.h"

struct emitter {
  struct align *s;
  const struct align_style *style;
  struct text *out;
  struct align_rows rows;
  VEC(const struct core *) around; /* the loops we are in */
};

/* ---- samplings ------------------------------------------------------------------------------- */

static term_id equal_centres(struct emitter *e, const struct core *site) {
  struct align *s = e->s;
  term_id one = kernel_tag(s->k, site->args[0], 1), two = kernel_tag(s->k, site->args[0], 2);
  return term_eq(s->ts, one, two);
}

/* Are the cases that its centres are equal, where it costs nothing, and that they are not told
 * apart? A case is easier to prove than a distance `if .. then 0 else ..`, which is squared. */
static bool has_centre_case(const struct emitter *e, const struct align_group *g) {
  const struct align_style *style = e->style;
  /* outside of loops, with nothing after it, there is nothing to save for */
  bool once = !style->after && e->around.len == 0;
  return style->apart && !once && !style->widest && !g->bounded && !g->is_null;
}

static void emit_coupling(struct emitter *e, const struct core *site, const struct align_group *g,
                          bool equal) {
  if (g->is_null) {
    text_put(e->out, "null");
    return;
  }
  if (g->shift == TERM_NONE) {
    e->out->failed = true;
    return;
  }
  struct align *s = e->s;
  text_put(e->out, "shift %t", view_distance(s->problem, site->var, g->shift));
  term_id most = equal ? term_int(s->ts, 0) : view_distance(s->problem, site->var, g->distance);
  if (g->bounded || e->style->widest || e->style->apart) text_put(e->out, " within %t", most);
}

/* One group of samples, the one that is left or that of a condition. */
static void emit_cases(struct emitter *e, const struct core *site, const struct align_group *g,
                       bool last) {
  struct align *s = e->s;
  if (has_centre_case(e, g)) {
    term_id equal = equal_centres(e, site);
    if (!last) equal = term_and(s->ts, g->when, equal);
    text_put(e->out, "when %t ", equal);
    emit_coupling(e, site, g, true);
    text_put(e->out, " else ");
  }
  if (!last) text_put(e->out, "when %t ", g->when);
  emit_coupling(e, site, g, false);
}

/* Uniform noise that slides: what it loses is in proportion to its width. */
static void emit_slide(struct emitter *e, const struct core *uniform, const struct align_group *g) {
  struct align *s = e->s;
  const term_id *args = uniform->args;
  term_id by = g->shift, width = term_sub(s->ts, args[1], args[0]);
  if (dist_is_integer(uniform->dist)) width = term_add(s->ts, width, term_int(s->ts, 1));
  if (g->is_null) by = term_sub(s->ts, kernel_tag(s->k, args[0], 2), kernel_tag(s->k, args[0], 1));
  term_id lost = g->is_null ? term_rat(s->ts, 0, 1) : term_div(s->ts, g->distance, width);
  e->out->failed |= by == TERM_NONE || lost == TERM_NONE;
  if (e->out->failed) return;
  text_put(e->out, "slide %t delta %t", by, cost_simplified(s->ts, lost));
}

static void emit_site(struct emitter *e, const struct core *site, unsigned number) {
  struct align *s = e->s;
  size_t count;
  struct align_group *list = align_rows_group(s, &e->rows, site, e->style->split, &count);
  const struct view_event *event = view_event(s->problem, site);
  const struct view_slide *slide = view_slide(s->problem, site);
  if (count == 0 && !event) return; /* never reached: the default will do */
  text_noise(e->out, site);
  text_put(e->out, "sample %s", term_var_get(s->ts, site->var)->name);
  if (number) text_put(e->out, " %u", number);
  text_put(e->out, ": ");
  for (size_t i = 0; i < count && !e->out->failed; i++) {
    bool last = i + 1 == count;
    e->out->failed |= !last && list[i].when == TERM_NONE;
    if (slide)
      emit_slide(e, slide->site, &list[i]);
    else if (!e->out->failed)
      emit_cases(e, site, &list[i], last);
    if (!last) text_put(e->out, " else ");
  }
  if (count == 0) text_put(e->out, "same");
  e->out->failed |= slide && count > 1;
  if (event && !align_event(s, event, list, count, e->out)) e->out->failed = true;
  text_put(e->out, ";\n");
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The difference of a variable over some of the states. */
struct span_of {
  bool any, known;
  struct ratio low, high;
  term_id unit;
};

static void cover(struct align *s, struct span_of *all, const struct form *f) {
  struct ratio low, high;
  term_id unit;
  form_bounds(&s->forms, f, &low, &high);
  bool zero = all->any && all->known && ratio_is_zero(all->low) && ratio_is_zero(all->high);
  bool same = form_unit(&s->forms, f, &unit) || ratio_is_zero(low) || ratio_is_zero(high);
  if (form_is_zero(f)) unit = all->unit;
  if (!all->any || zero) all->unit = unit;
  all->low = all->any ? ratio_min(all->low, low) : low;
  all->high = all->any ? ratio_max(all->high, high) : high;
  all->known = (all->known || !all->any) && f->known && same && all->unit == unit;
  all->any = true;
}

/* Says the literal that a variable is equal, and may it be so by chance in a state that does not
 * ask for it? */
static bool by_chance(struct align *s, const struct align_placed_head *h, term_id literal) {
  for (size_t v = 0; v < s->vars.len; v++) {
    if (align_equal(s, s->vars.at[v]) != literal) continue;
    struct ratio low, high;
    form_bounds(&s->forms, h->head->state.diff[v], &low, &high);
    return ratio_le(low, ratio_int(0)) && ratio_le(ratio_int(0), high);
  }
  return false;
}

/* Heads that are compatible with all of the literals. */
static struct span_of span_over(struct emitter *e, const struct align_heads *heads, size_t v,
                                const struct align_literal *literals, size_t count) {
  struct span_of all = {0};
  for (size_t i = 0; i < heads->count; i++) {
    const struct align_placed_head *h = &heads->at[i];
    bool fits = h->plan->live[v];
    for (size_t l = 0; l < count && fits; l++)
      fits = align_head_literal(h, literals[l].formula) != !literals[l].truth ||
             (literals[l].truth && !e->style->bold && by_chance(e->s, h, literals[l].formula));
    if (fits) cover(e->s, &all, h->head->state.diff[v]);
  }
  return all;
}

static term_id span_formula(struct emitter *e, size_t v, const struct span_of *span) {
  struct align *s = e->s;
  term_id var = s->vars.at[v];
  if (!span->any || !span->known) return TERM_NONE;
  if (ratio_is_zero(span->low) && ratio_is_zero(span->high)) return align_equal(s, var);
  if (!sort_is_numeric(term_sort(s->ts, var)) && s->place.at[v] == SIZE_MAX) return TERM_NONE;
  return align_between(s, v, TERM_NONE, span->low, span->high, span->unit);
}

/* An array of tallies differs at these places, in all states in which it does; TERM_NONE: it is no
 * such array. */
static term_id key_of(struct align *s, const struct align_heads *heads, size_t v) {
  term_id key = TERM_NONE;
  for (size_t i = 0; i < heads->count && s->place.at[v] != SIZE_MAX; i++) {
    const struct align_state *state = &heads->at[i].head->state;
    if (!heads->at[i].plan->live[v] || form_is_zero(state->diff[v])) continue;
    term_id place = state->value[s->place.at[v]];
    if (!align_is_key(s, place) || (key != TERM_NONE && key != place)) return TERM_NONE;
    key = place;
  }
  return key;
}

/* How much it differs there, and nowhere else. */
static void emit_tallies(struct emitter *e, size_t v, term_id key, const struct span_of *span) {
  struct align *s = e->s;
  term_id var = s->vars.at[v], twin = align_twin(s, key);
  key = s->witnesses.at[align_witness_of(s, key)].shown;
  if (twin != TERM_NONE) twin = s->witnesses.at[align_witness_of(s, twin)].shown;
  if (twin == TERM_NONE)
    text_put(e->out, "invariant same_except(%t, %t);\n", var, key);
  else
    text_put(e->out, "invariant same_except(%t, %t, %t);\n", var, key, twin);
  align_invariant(s, e->out, align_between(s, v, key, span->low, span->high, span->unit));
  if (twin != TERM_NONE)
    align_invariant(s, e->out, align_between(s, v, twin, span->low, span->high, span->unit));
}

/* An array that differs in one place: it is the same elsewhere, and if the potential speaks of the
 * place, or a loop has to come to it, that is in its range. */
static void emit_place(struct emitter *e, const struct align_heads *heads, size_t v) {
  struct align *s = e->s;
  if (s->place.at[v] == SIZE_MAX) return;
  term_id var = s->vars.at[v], place = s->vars.at[s->place.at[v]];
  text_put(e->out, "invariant same_except(%t, %t);\n", var, place);
  term_id length = align_length_of(s, var);
  term_id differs = term_not(s->ts, align_equal(s, var));
  if ((heads->at[0].plan->travels || align_is_swept(&e->rows, v)) && length != TERM_NONE)
    text_put(e->out, "invariant %t -> 0 <= %t and %t < %t;\n", differs, place, place, length);
  term_id ahead = align_sweep_bound(s, heads, v);
  if (ahead != TERM_NONE) align_invariant(s, e->out, term_implies(s->ts, differs, ahead));
}

static term_id as_formula(struct align *s, struct align_literal l) {
  return l.truth ? l.formula : term_not(s->ts, l.formula);
}

/* Is it about one run and inputs alone, and not about a place? */
static bool is_plain(struct align *s, term_id formula) {
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id two = term_var_in_run(s->ts, s->vars.at[v], 2);
    if (!align_is_private(s, s->vars.at[v]) && term_mentions(s->ts, formula, &two, 1)) return false;
    if (s->place.at[v] != SIZE_MAX && term_mentions(s->ts, formula, &s->vars.at[s->place.at[v]], 1))
      return false;
  }
  return true;
}

/* Is the loop entered in different ways, so that it takes several conditions to know which? */
static bool is_entered_variously(const struct align_heads *heads) {
  for (size_t i = 1; i < heads->count; i++)
    if (heads->at[i].plan != heads->at[0].plan) return true;
  return false;
}

/* Under which two conditions a variable is equal, where neither of them suffices. */
static void emit_pairs(struct emitter *e, const struct align_heads *heads, size_t v,
                       struct align_literal first, const term_list *literals, size_t from) {
  struct align *s = e->s;
  term_id equal = align_equal(s, s->vars.at[v]);
  for (size_t i = from; i < literals->len; i++)
    for (int truth = 0; truth < 2; truth++) {
      struct align_literal pair[] = {first, {literals->at[i], truth}};
      struct span_of alone = span_over(e, heads, v, &pair[1], 1),
                     both = span_over(e, heads, v, pair, 2);
      if (!is_plain(s, literals->at[i]) || span_formula(e, v, &alone) == equal) continue;
      if (span_formula(e, v, &both) != equal) continue;
      term_id given = term_and(s->ts, as_formula(s, pair[0]), as_formula(s, pair[1]));
      align_invariant(s, e->out, term_implies(s->ts, given, equal));
    }
}

/* What is known of a difference under conditions, beyond f. */
static void emit_conditional(struct emitter *e, const struct align_heads *heads, size_t v,
                             term_id f) {
  struct align *s = e->s;
  bool array = s->place.at[v] != SIZE_MAX;
  bool pairs = array || heads->at[0].plan->travels || is_entered_variously(heads);
  term_id equal = align_equal(s, s->vars.at[v]);
  term_list literals = {0};
  align_heads_literals(heads, &literals);
  for (size_t i = 0; i < literals.len; i++)
    for (int truth = 0; truth < 2; truth++) {
      struct align_literal l = {literals.at[i], truth};
      if (l.formula == equal) continue;
      struct span_of part = span_over(e, heads, v, &l, 1);
      term_id g = span_formula(e, v, &part);
      if (pairs && g != equal && is_plain(s, l.formula))
        emit_pairs(e, heads, v, l, &literals, i + 1);
      if (g == TERM_NONE || g == f || (array && g != equal)) continue;
      align_invariant(s, e->out, term_implies(s->ts, as_formula(s, l), g));
    }
  vec_clear(&literals);
}

/* The conditions that say of an index which differs that it has been passed. Appended. */
static void find_passed(struct align *s, const struct align_heads *heads, term_list *out) {
  term_list literals = {0};
  align_heads_literals(heads, &literals);
  for (size_t i = 0; i < literals.len && out->len < ALIGN_PLACES; i++) {
    bool names = false;
    for (size_t w = 0; w < s->witnesses.len; w++)
      names |= s->witnesses.at[w].array == SIZE_MAX &&
               term_kind(s->ts, s->witnesses.at[w].var) == TERM_VAR &&
               term_mentions(s->ts, literals.at[i], &s->witnesses.at[w].shown, 1);
    if (names && term_kind(s->ts, literals.at[i]) == TERM_LT) vec_push(out, literals.at[i]);
  }
  vec_clear(&literals);
}

/* What is known of a difference where those of the conditions do not hold whose bits are set. */
static term_id span_where(struct emitter *e, const struct align_heads *heads, size_t v,
                          const term_list *conditions, unsigned which, term_id *given) {
  struct align_literal chosen[ALIGN_PLACES];
  size_t count = 0;
  *given = term_bool(e->s->ts, true);
  for (size_t i = 0; i < conditions->len; i++) {
    if (!(which >> i & 1)) continue;
    chosen[count++] = (struct align_literal){conditions->at[i], false};
    *given = term_and(e->s->ts, *given, term_not(e->s->ts, conditions->at[i]));
  }
  struct span_of span = span_over(e, heads, v, chosen, count);
  return span_formula(e, v, &span);
}

/* Where several indices differ: what is known as long as some of them are still to come. */
static void emit_to_come(struct emitter *e, const struct align_heads *heads, size_t v) {
  term_list conditions = {0};
  find_passed(e->s, heads, &conditions);
  for (unsigned which = 3; which < 1U << conditions.len; which++) {
    term_id given, less;
    term_id f = span_where(e, heads, v, &conditions, which, &given);
    bool is_new = f != TERM_NONE && (which & (which - 1)) != 0; /* two of them at least */
    for (size_t i = 0; i < conditions.len && is_new; i++)
      if (which >> i & 1)
        is_new = span_where(e, heads, v, &conditions, which & ~(1U << i), &less) != f;
    if (is_new) align_invariant(e->s, e->out, term_implies(e->s->ts, given, f));
  }
  vec_clear(&conditions);
}

static void emit_differences(struct emitter *e, const struct core *loop,
                             const struct align_heads *heads) {
  struct align *s = e->s;
  struct buffer equal;
  buffer_init(&equal);
  for (size_t v = 0; v < s->vars.len; v++) {
    if (align_is_default(s, loop, s->vars.at[v])) continue;
    struct span_of all = span_over(e, heads, v, NULL, 0);
    term_id f = span_formula(e, v, &all);
    if (f == TERM_NONE && !all.any) continue;
    term_id total = total_invariant(s, heads->at[0].plan, v);
    if (total != TERM_NONE) {
      align_invariant(s, e->out, total);
      continue;
    }
    if (f != TERM_NONE && f == align_equal(s, s->vars.at[v])) {
      bool logical = term_sort(s->ts, s->vars.at[v]) == SORT_BOOL; /* <-> binds less than `and` */
      buffer_printf(&equal, logical ? "%s(%s)" : "%s%s", equal.len ? " and " : "",
                    align_term_text(s, f));
      continue;
    }
    term_id key = f == TERM_NONE ? TERM_NONE : key_of(s, heads, v);
    if (key != TERM_NONE) {
      emit_tallies(e, v, key, &all);
    } else {
      if (f != TERM_NONE) emit_place(e, heads, v);
      align_invariant(s, e->out, f);
    }
    emit_conditional(e, heads, v, f);
    emit_to_come(e, heads, v);
  }
  if (equal.len) text_put(e->out, "invariant %s;\n", buffer_text(&equal));
  buffer_clear(&equal);
}

/* Do these differ by so much at most in the state, altogether? */
static bool is_within(struct align *s, const struct align_placed_head *h, const term_list *vars,
                      struct ratio most) {
  term_list own = {0};
  struct ratio sum = ratio_int(0);
  bool grouped = align_group_of(s, h->plan, h->head, &own) != NULL;
  for (size_t i = 0; i < vars->len; i++)
    sum = ratio_add(sum, form_radius(&s->forms, h->head->state.diff[align_var(s, vars->at[i])]));
  vec_clear(&own);
  return grouped || (ratio_is_finite(sum) && ratio_le(sum, most));
}

/* Differences that are bounded together, in all states in which there are any. */
static void emit_group(struct emitter *e, const struct align_heads *heads) {
  struct align *s = e->s;
  term_list vars = {0};
  struct ratio most = ratio_int(0);
  term_id unit = TERM_NONE;
  for (size_t i = 0; i < heads->count; i++) {
    const struct form_group *g = align_group_of(s, heads->at[i].plan, heads->at[i].head, &vars);
    if (g) most = ratio_max(most, g->most);
    if (g) unit = g->unit;
  }
  for (size_t i = 0; i < heads->count; i++)
    if (!is_within(s, &heads->at[i], &vars, most)) vars.len = 0;
  term_id sum = term_rat(s->ts, 0, 1);
  for (size_t i = 0; i < vars.len; i++) {
    term_id one = term_var_in_run(s->ts, vars.at[i], 1),
            two = term_var_in_run(s->ts, vars.at[i], 2);
    sum = term_add(s->ts, sum, term_abs(s->ts, term_sub(s->ts, two, one)));
  }
  if (vars.len) align_invariant(s, e->out, term_le(s->ts, sum, align_number(s, most, unit)));
  vec_clear(&vars);
}

/* What holds at every entry and is not touched, such as the guard of the loop around. */
static void emit_outside(struct emitter *e, const struct align_heads *heads) {
  struct align *s = e->s;
  const struct align_placed_head *h = &heads->at[0];
  for (size_t i = 0; i < h->literals.len; i++) {
    struct align_literal l = h->literals.at[i];
    bool holds = !term_in_run(s->ts, l.formula, 2); /* equality is said elsewhere */
    for (size_t v = 0; v < s->vars.len && holds; v++)
      holds = !h->plan->written[v] || !term_mentions(s->ts, l.formula, &s->vars.at[v], 1);
    for (size_t j = 1; j < heads->count && holds; j++)
      holds = align_head_literal(&heads->at[j], l.formula) == l.truth;
    if (holds) align_invariant(s, e->out, l.truth ? l.formula : term_not(s->ts, l.formula));
  }
}

/* In which states (all, or those with this literal) is the guard of a counter at least 0? */
static bool holds_where(const struct align_heads *heads, size_t counter, term_id literal,
                        bool truth) {
  bool any = false;
  for (size_t i = 0; i < heads->count; i++) {
    const struct align_placed_head *h = &heads->at[i];
    if (literal != TERM_NONE && align_head_literal(h, literal) == !truth) continue;
    if (h->plan->counters.len <= counter || !h->plan->counters.at[counter].holds[h->index])
      return false;
    any = true;
  }
  return any;
}

static void emit_guard(struct emitter *e, const struct align_heads *heads, size_t counter) {
  struct align *s = e->s;
  const struct align_counter *c = &heads->at[0].plan->counters.at[counter];
  const char *guard = c->positive ? arena_printf(s->arena, "0 < %s", align_term_text(s, c->guard))
                                  : align_at_least_zero(s, c->guard);
  if (holds_where(heads, counter, TERM_NONE, true)) {
    text_put(e->out, "invariant %s;\n", guard);
    return;
  }
  text_put(e->out, "invariant %s;\n", align_at_least_zero(s, c->left));
  term_list literals = {0};
  align_heads_literals(heads, &literals);
  bool done = false;
  for (size_t i = 0; i < literals.len && !done; i++)
    for (int truth = 0; truth < 2 && !done; truth++) {
      done = holds_where(heads, counter, literals.at[i], truth);
      term_id given = truth ? literals.at[i] : term_not(s->ts, literals.at[i]);
      const char *text = align_term_text(s, given);
      if (done && strcmp(text, guard) != 0) text_put(e->out, "invariant %s -> %s;\n", text, guard);
    }
  vec_clear(&literals);
}

static void emit_potential(struct emitter *e, const struct align_heads *heads) {
  struct align *s = e->s;
  const struct align_plan *plan = heads->at[0].plan;
  bool shared = true; /* the same counters everywhere */
  for (size_t i = 1; i < heads->count; i++) {
    const struct align_plan *other = heads->at[i].plan;
    shared &= other->counters.len == plan->counters.len;
    for (size_t c = 0; shared && c < plan->counters.len; c++)
      shared &= other->counters.at[c].left == plan->counters.at[c].left &&
                other->counters.at[c].rate == plan->counters.at[c].rate;
  }
  for (size_t i = 0; i < heads->count && plan->counters.len;
       i++) /* (N - count)*c - d is harder to read */
    shared &= align_weight(s, heads->at[i].head->base) >= 0;
  for (size_t c = 0; c < plan->counters.len; c++)
    emit_guard(e, heads, c);
  text_put(e->out, "budget ");
  bool first = true;
  for (size_t c = 0; shared && c < plan->counters.len; c++) {
    bool atomic = term_arg_count(s->ts, plan->counters.at[c].left) == 0;
    text_put(e->out, atomic ? "%s%s*%s" : "%s(%s)*%s", first ? "" : " + ",
             align_term_text(s, plan->counters.at[c].left),
             align_cost_text(s, plan->counters.at[c].rate));
    first = false;
  }
  const char *tree = align_heads_tree(s, heads, shared);
  if (first || strcmp(tree, "0") != 0) text_put(e->out, first ? "%s" : " + (%s)", tree);
  text_put(e->out, ";\n");
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static void emit_scope(struct emitter *e, const struct core *c, const struct core *scope);

/* The conditionals of the loop's body, or of the program (NULL), whose branches are joined. */
static void emit_joins(struct emitter *e, const struct core *loop) {
  const struct view *view = e->s->problem->view;
  for (size_t i = 0; i < view->joins.len; i++)
    if (view->joins.at[i].loop == loop)
      text_put(e->out, "branch %u: joined;\n", view->joins.at[i].number);
}

/* Collects what is written in c before it comes to the loop. False: the loop is not in it. */
static bool written_before(const struct core *c, const struct core *loop, term_list *out) {
  if (c == loop) return true;
  if (c->kind == CORE_SEQ || c->kind == CORE_IF)
    return written_before(c->first, loop, out) || written_before(c->second, loop, out);
  core_writes(c, out);
  return false;
}

/* Has the loop around said something of a variable that need not be so any more when this loop is
 * entered, and is not written by it? Then its invariant cannot be taken over. */
static bool is_outdated(struct emitter *e, const struct core *loop,
                        const struct align_heads *heads) {
  struct align *s = e->s;
  const struct core *around = vec_last(&e->around);
  struct align_heads outer = align_rows_heads(s, &e->rows, around);
  term_list written = {0};
  written_before(around->first, loop, &written);
  bool outdated = false;
  for (size_t i = 0; i < written.len; i++) {
    size_t v = align_var(s, written.at[i]);
    if (v == SIZE_MAX || heads->at[0].plan->written[v]) continue;
    for (size_t h = 0; h < outer.count; h++)
      outdated |= outer.at[h].plan->live[v] && !form_is_zero(outer.at[h].head->state.diff[v]);
  }
  vec_clear(&written);
  return outdated;
}

/* What the invariants of the loops around would have said of counters. */
static void emit_floors(struct emitter *e) {
  struct align *s = e->s;
  for (size_t i = 0; i < e->around.len; i++) {
    struct align_heads outer = align_rows_heads(s, &e->rows, e->around.at[i]);
    for (size_t f = 0; outer.count && f < outer.at[0].plan->floors.len; f++)
      align_invariant(s, e->out, outer.at[0].plan->floors.at[f]);
  }
}

static void emit_part(struct emitter *e, const struct part *part) {
  const struct part_text *text = &part->side[e->s->swapped];
  if (text->step) {
    text_put(e->out, "%s\n", text->step);
    return;
  }
  const struct part_text *back = &part->side[!e->s->swapped];
  bool pure = kernel_notion(e->s->k).kind != NOTION_PURE;
  text_put(e->out, pure ? "pure %s" : "pointwise %s", text->name);
  if (part->number) text_put(e->out, " %u", part->number);
  text_put(e->out, " = %s {\n%s\n", text->value, text->body);
  if (pure && back->body) text_put(e->out, "backward {\n%s\n}\n", back->body);
  text_put(e->out, "}\n");
}

/* The number of a loop of the scope if there are parts, whose loops count as well; else 0. */
static bool loop_number(const struct emitter *e, const struct core *c, const struct core *loop,
                        unsigned *seen, bool *parts) {
  if (c == loop) {
    ++*seen;
    *parts |= c->kind == CORE_IF;
    return true;
  }
  const struct view_until *until = view_until(e->s->problem, c);
  if (until) {
    *seen += c == until->round;
    *parts = true;
    return false;
  }
  if (c->kind == CORE_SEQ || c->kind == CORE_IF)
    return loop_number(e, c->first, loop, seen, parts) ||
           loop_number(e, c->second, loop, seen, parts);
  const struct part *part = c->kind == CORE_SAMPLE ? view_part(e->s->problem, c) : NULL;
  *seen += c->kind == CORE_WHILE;
  *parts |= part != NULL;
  return part && loop_number(e, part->code, loop, seen, parts);
}

/* What the loop reads of copies of inputs, unless the loop around has said so. */
static void emit_copies(struct emitter *e, const struct core *loop, bool only) {
  struct align *s = e->s;
  term_list facts = {0}, said = {0};
  view_copy_facts(s->problem, loop, &facts);
  if (e->around.len && !only) view_copy_facts(s->problem, vec_last(&e->around), &said);
  for (size_t i = 0; i < facts.len; i++) {
    bool known = false;
    for (size_t j = 0; j < said.len; j++)
      known |= said.at[j] == facts.at[i];
    if (!known) align_invariant(s, e->out, facts.at[i]);
  }
  vec_clear(&facts);
  vec_clear(&said);
}

static void emit_loop(struct emitter *e, const struct core *loop, const struct core *scope) {
  struct align *s = e->s;
  struct align_heads heads = align_rows_heads(s, &e->rows, loop);
  unsigned number = 0, total = 0;
  bool parts = false;
  loop_number(e, scope, loop, &number, &parts);
  loop_number(e, scope, NULL, &total, &parts);
  text_put(e->out, "loop ");
  if (parts && total > 1) text_put(e->out, "%u ", number);
  text_put(e->out, "{\n");
  bool only = heads.count && e->around.len && is_outdated(e, loop, &heads);
  if (only) text_put(e->out, "only;\n");
  if (only) emit_floors(e);
  align_event_deltas(s, loop, e->out);
  emit_copies(e, loop, only);
  if (heads.count) {
    emit_differences(e, loop, &heads);
    emit_group(e, &heads);
    emit_outside(e, &heads);
    align_facts_ranges(s, e->out, loop, &heads);
    if (heads.at[0].plan->travels) {
      align_facts_progress(s, e->out, &e->rows, loop, &heads);
      align_facts_before(s, e->out, &e->rows, scope, loop, &heads);
    }
    emit_potential(e, &heads);
    align_facts_variant(s, e->out, loop, &heads, e->around.len > 0);
  }
  vec_push(&e->around, loop);
  emit_joins(e, view_origin(s->problem, loop));
  emit_scope(e, loop->first, loop->first);
  e->around.len--;
  text_put(e->out, "}\n");
}

/* Samplings of a variable in a scope, and which of them this is (from 1). */
static void number_of(const struct emitter *e, const struct core *c, const struct core *site,
                      unsigned *seen, unsigned *number) {
  const struct part *part = c->kind == CORE_SAMPLE ? view_part(e->s->problem, c) : NULL;
  const struct view_until *until = view_until(e->s->problem, c);
  if (part) {
    number_of(e, part->code, site, seen, number);
  } else if (until && (c == until->round || !until->begun)) {
    return; /* samplings in a loop */
  } else if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    number_of(e, c->first, site, seen, number);
    number_of(e, c->second, site, seen, number);
  } else if (c->kind == CORE_SAMPLE && c->var == site->var) {
    ++*seen;
    if (c == site) *number = *seen;
  }
}

/* What one group of samples pays, over the memories before the round that writes `written`. */
static term_id group_cost(struct emitter *e, const struct core *site, const struct align_group *g,
                          const term_list *written) {
  struct align *s = e->s;
  term_id most = g->is_null ? term_int(s->ts, 0) : g->distance;
  bool stated = g->bounded || e->style->widest || e->style->apart;
  bool is_known = !term_mentions(s->ts, site->args[0], written->at, written->len);
  if (is_known && !g->is_null && !stated) {
    term_id centres =
        term_sub(s->ts, kernel_tag(s->k, site->args[0], 1), kernel_tag(s->k, site->args[0], 2));
    term_id moved = term_add(s->ts, view_distance(s->problem, site->var, g->shift), centres);
    if (moved != TERM_NONE && align_is_fixed(s, g->shift)) most = term_abs(s->ts, moved);
  } else if (is_known && has_centre_case(e, g)) {
    most = term_ite(s->ts, equal_centres(e, site), term_int(s->ts, 0), most);
  }
  return dist_price(s->ts, kernel_notion(s->k), site->dist, most, site->args[1]);
}

/* What the samplings of a piece of code cost altogether; TERM_NONE: that is not known. */
static term_id cost_of(struct emitter *e, const struct core *c, const term_list *written) {
  struct align *s = e->s;
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    term_id first = cost_of(e, c->first, written), second = cost_of(e, c->second, written);
    return first == TERM_NONE || second == TERM_NONE ? TERM_NONE : term_add(s->ts, first, second);
  }
  term_id cost = term_rat(s->ts, 0, 1);
  if (c->kind != CORE_SAMPLE) return cost;
  size_t count;
  struct align_group *list = align_rows_group(s, &e->rows, c, e->style->split, &count);
  for (size_t i = 0; i < count && cost != TERM_NONE; i++) {
    term_id zero = term_int(s->ts, 0);
    if (list[i].is_null || list[i].distance == zero) continue;
    term_id one = group_cost(e, c, &list[i], written);
    cost = one == TERM_NONE ? one : i ? term_max(s->ts, cost, one) : one;
  }
  return cost;
}

/* The rounds of a loop: the one that is accepted, and what acceptance costs. */
static void emit_until(struct emitter *e, const struct view_until *until,
                       const struct core *scope) {
  unsigned number = 0, total = 0;
  bool parts = false;
  loop_number(e, scope, until->round, &number, &parts);
  loop_number(e, scope, NULL, &total, &parts);
  term_list written = {0};
  core_writes(until->accept, &written);
  term_id cost = cost_of(e, until->accept->first, &written);
  vec_clear(&written);
  e->out->failed |= cost == TERM_NONE;
  if (e->out->failed) return;
  text_put(e->out, "loop ");
  if (total > 1) text_put(e->out, "%u ", number);
  text_put(e->out, "{\nuntil " ROUNDS_BEGIN "%t" ROUNDS_END ";\n", cost_simplified(e->s->ts, cost));
  emit_scope(e, until->round->first, until->round->first);
  text_put(e->out, "backward {\n" ROUNDS_BEGIN);
  emit_scope(e, until->accept->first, until->accept->first);
  text_put(e->out, ROUNDS_END "}\n}\n");
}

static void emit_scope(struct emitter *e, const struct core *c, const struct core *scope) {
  const struct view_until *until = view_until(e->s->problem, c);
  if (until) {
    if (c == until->round) emit_until(e, until, scope);
    return;
  }
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF:
    emit_scope(e, c->first, scope);
    emit_scope(e, c->second, scope);
    break;
  case CORE_SAMPLE: {
    if (view_part(e->s->problem, c)) {
      emit_part(e, view_part(e->s->problem, c));
      break;
    }
    unsigned seen = 0, number = 0;
    number_of(e, scope, c, &seen, &number);
    emit_site(e, c, seen > 1 ? number : 0);
    break;
  }
  case CORE_WHILE: emit_loop(e, c, scope); break;
  default: break;
  }
}

void align_emit(struct align *s, const struct align_piece *solution,
                const struct align_style *style, struct text *out) {
  struct emitter e = {.s = s, .style = style, .out = out};
  align_rows_collect(s, &e.rows, solution);
  emit_joins(&e, NULL);
  emit_scope(&e, s->program, s->program);
  align_rows_clear(&e.rows);
  vec_clear(&e.around);
}
