#include "auto/sync_emit.h"

#include <string.h>

#include "auto/sync_loop.h"
#include "auto/sync_potential.h"
#include "auto/sync_rows.h"
#include "auto/sync_text.h"
#include "term/build.h"
#include "term/subst.h"

struct emitter {
  struct sync *s;
  const struct sync_style *style;
  struct buffer *out;
  struct sync_rows rows;
  bool failed;
};

/* ---- samplings ------------------------------------------------------------------------------- */

static void emit_coupling(struct emitter *e, const struct sync_group *g) {
  struct sync *s = e->s;
  if (g->is_null) {
    buffer_puts(e->out, "null");
    return;
  }
  if (g->shift == TERM_NONE) {
    e->failed = true;
    return;
  }
  buffer_printf(e->out, "shift %s", sync_term_text(s, g->shift));
  if (g->bounded) {
    buffer_printf(e->out, " within %s", sync_term_text(s, sync_number(s, g->radius)));
  }
}

static void emit_site(struct emitter *e, const struct core *site, unsigned number) {
  struct sync *s = e->s;
  size_t count;
  struct sync_group *list = sync_rows_group(s, &e->rows, site, e->style->split, &count);
  if (count == 0) return; /* never reached: the default will do */
  buffer_printf(e->out, "sample %s", term_var_get(s->ts, site->var)->name);
  if (number) buffer_printf(e->out, " %u", number);
  buffer_puts(e->out, ": ");
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count) {
      if (list[i].when == TERM_NONE) {
        e->failed = true;
        break;
      }
      buffer_printf(e->out, "when %s ", sync_term_text(s, list[i].when));
    }
    emit_coupling(e, &list[i]);
    if (i + 1 < count) buffer_puts(e->out, " else ");
  }
  buffer_puts(e->out, ";\n");
}

/* ---- loops ----------------------------------------------------------------------------------- */

static bool is_default(struct emitter *e, const struct core *loop, term_id var) {
  struct sync *s = e->s;
  const struct lowered *program = claim_program(s->problem->goal);
  const char *part = strchr(term_var_get(s->ts, var)->name, '\'');
  if (part &&
      (!strncmp(part, "'state", 6) || !strncmp(part, "'asks", 5) || !strncmp(part, "'calls", 6)))
    return true;
  return var == loop->var || var == program->output || var == program->returned ||
         (var == program->result && program->returned != TERM_NONE) || sync_is_private(s, var);
}

/* The difference of a variable over some of the states. */
struct span_of {
  bool any, known;
  struct ratio low, high;
};

static void cover(struct sync *s, struct span_of *all, const struct form *f) {
  struct ratio low, high;
  form_bounds(&s->forms, f, &low, &high);
  all->low = all->any ? ratio_min(all->low, low) : low;
  all->high = all->any ? ratio_max(all->high, high) : high;
  all->known = (all->known || !all->any) && f->known;
  all->any = true;
}

/* Says the literal that a variable is equal, and may it be so by chance in a state that does not
 * ask for it? */
static bool by_chance(struct sync *s, const struct sync_placed_head *h, term_id literal) {
  for (size_t v = 0; v < s->vars.len; v++) {
    if (sync_equal(s, s->vars.at[v]) != literal) continue;
    struct ratio low, high;
    form_bounds(&s->forms, h->head->state.diff[v], &low, &high);
    return ratio_le(low, ratio_int(0)) && ratio_le(ratio_int(0), high);
  }
  return false;
}

/* Heads whose literal has this truth (or all, if the literal is TERM_NONE). */
static struct span_of span_over(struct emitter *e, const struct sync_heads *heads, size_t v,
                                term_id literal, bool truth) {
  struct span_of all = {0};
  for (size_t i = 0; i < heads->count; i++) {
    int has = literal == TERM_NONE ? truth : sync_head_literal(&heads->at[i], literal);
    if (has == 0 && truth && by_chance(e->s, &heads->at[i], literal)) has = -1;
    if (has >= 0 && has != truth) continue;
    if (!heads->at[i].plan->live[v]) continue;
    cover(e->s, &all, heads->at[i].head->state.diff[v]);
  }
  return all;
}

static term_id span_formula(struct emitter *e, size_t v, const struct span_of *span) {
  struct sync *s = e->s;
  term_id var = s->vars.at[v];
  if (!span->any || !span->known) return TERM_NONE;
  if (ratio_is_zero(span->low) && ratio_is_zero(span->high)) return sync_equal(s, var);
  if (!sort_is_numeric(term_sort(s->ts, var))) return TERM_NONE;
  return sync_between(s, var, span->low, span->high);
}

static void emit_invariant(struct emitter *e, term_id f) {
  if (f != TERM_NONE && term_kind(e->s->ts, f) != TERM_TRUE)
    buffer_printf(e->out, "invariant %s;\n", sync_term_text(e->s, f));
}

static void emit_differences(struct emitter *e, const struct core *loop,
                             const struct sync_heads *heads) {
  struct sync *s = e->s;
  struct buffer equal;
  buffer_init(&equal);
  for (size_t v = 0; v < s->vars.len; v++) {
    if (is_default(e, loop, s->vars.at[v])) continue;
    struct span_of all = span_over(e, heads, v, TERM_NONE, true);
    term_id f = span_formula(e, v, &all);
    if (f == TERM_NONE && !all.any) continue;
    if (f != TERM_NONE && f == sync_equal(s, s->vars.at[v])) {
      bool logical = term_sort(s->ts, s->vars.at[v]) == SORT_BOOL; /* <-> binds less than `and` */
      buffer_printf(&equal, logical ? "%s(%s)" : "%s%s", equal.len ? " and " : "",
                    sync_term_text(s, f));
      continue;
    }
    emit_invariant(e, f);
    term_list literals = {0};
    sync_heads_literals(heads, &literals);
    for (size_t i = 0; i < literals.len; i++)
      for (int truth = 0; truth < 2; truth++) {
        if (literals.at[i] == sync_equal(s, s->vars.at[v])) continue;
        struct span_of part = span_over(e, heads, v, literals.at[i], truth);
        term_id g = span_formula(e, v, &part);
        if (g == TERM_NONE || g == f) continue;
        term_id given = truth ? literals.at[i] : term_not(s->ts, literals.at[i]);
        emit_invariant(e, term_implies(s->ts, given, g));
      }
    vec_clear(&literals);
  }
  if (equal.len) buffer_printf(e->out, "invariant %s;\n", buffer_text(&equal));
  buffer_clear(&equal);
}

/* The smallest and largest change of an integer variable in one iteration. */
static bool change_of(struct emitter *e, const struct sync_heads *heads, size_t v,
                      struct ratio *low, struct ratio *high) {
  struct sync *s = e->s;
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
static term_id entry_value(struct emitter *e, const struct sync_heads *heads, size_t v) {
  struct sync *s = e->s;
  term_id all = TERM_NONE;
  for (size_t i = 0; i < heads->count; i++) {
    const struct sync_plan *plan = heads->at[i].plan;
    for (size_t w = 0; w < plan->entries.len; w++) {
      struct sync_state at = sync_state_copy(s, &plan->entered[w].state);
      term_id value = at.value[v];
      for (size_t u = 0; u < s->vars.len; u++)
        if (u == v || plan->written[u]) at.value[u] = term_fresh(s->ts, s->vars.at[u]);
      struct sync_view view;
      sync_view_init(&view, s, &at, NULL, NULL);
      term_id named = sync_view_term(&view, value);
      sync_view_clear(&view);
      if (named == TERM_NONE || (all != TERM_NONE && all != named)) return TERM_NONE;
      all = named;
    }
  }
  return all;
}

/* What is known of run 1 alone: counters stay on their side of where they began. */
static void emit_ranges(struct emitter *e, const struct core *loop,
                        const struct sync_heads *heads) {
  struct sync *s = e->s;
  const struct sync_plan *plan = heads->at[0].plan;
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id var = s->vars.at[v];
    struct ratio low, high;
    if (!plan->live[v] || is_default(e, loop, var) || plan->flag[v] ||
        !sort_is_numeric(term_sort(s->ts, var)))
      continue;
    bool moves = plan->written[v];
    if (moves && (term_sort(s->ts, var) != SORT_INT || !change_of(e, heads, v, &low, &high)))
      continue;
    term_id first = entry_value(e, heads, v);
    if (first == TERM_NONE) continue;
    if (!moves) emit_invariant(e, term_eq(s->ts, var, first));
    if (moves && low.num >= 0) emit_invariant(e, term_le(s->ts, first, var));
    if (moves && high.num <= 0) emit_invariant(e, term_le(s->ts, var, first));
  }
}

/* What holds at every entry and is not touched, such as the guard of the loop around. */
static void emit_outside(struct emitter *e, const struct sync_heads *heads) {
  struct sync *s = e->s;
  const struct sync_placed_head *h = &heads->at[0];
  for (size_t i = 0; i < h->literals.len; i++) {
    struct sync_literal l = h->literals.at[i];
    bool holds = !term_in_run(s->ts, l.formula, 2); /* equality is said elsewhere */
    for (size_t v = 0; v < s->vars.len && holds; v++)
      holds = !h->plan->written[v] || !term_mentions(s->ts, l.formula, &s->vars.at[v], 1);
    for (size_t j = 1; j < heads->count && holds; j++)
      holds = sync_head_literal(&heads->at[j], l.formula) == l.truth;
    if (holds) emit_invariant(e, l.truth ? l.formula : term_not(s->ts, l.formula));
  }
}

/* In which states (all, or those with this literal) is the guard of a counter at least 0? */
static bool holds_where(const struct sync_heads *heads, size_t counter, term_id literal,
                        bool truth) {
  bool any = false;
  for (size_t i = 0; i < heads->count; i++) {
    const struct sync_placed_head *h = &heads->at[i];
    if (literal != TERM_NONE && sync_head_literal(h, literal) == !truth) continue;
    if (h->plan->counters.len <= counter || !h->plan->counters.at[counter].holds[h->index])
      return false;
    any = true;
  }
  return any;
}

static void emit_guard(struct emitter *e, const struct sync_heads *heads, size_t counter) {
  struct sync *s = e->s;
  const struct sync_counter *c = &heads->at[0].plan->counters.at[counter];
  const char *guard = sync_at_least_zero(s, c->guard);
  if (holds_where(heads, counter, TERM_NONE, true)) {
    buffer_printf(e->out, "invariant %s;\n", guard);
    return;
  }
  buffer_printf(e->out, "invariant %s;\n", sync_at_least_zero(s, c->left));
  term_list literals = {0};
  sync_heads_literals(heads, &literals);
  bool done = false;
  for (size_t i = 0; i < literals.len && !done; i++)
    for (int truth = 0; truth < 2 && !done; truth++) {
      done = holds_where(heads, counter, literals.at[i], truth);
      term_id given = truth ? literals.at[i] : term_not(s->ts, literals.at[i]);
      if (done) buffer_printf(e->out, "invariant %s -> %s;\n", sync_term_text(s, given), guard);
    }
  vec_clear(&literals);
}

static void emit_potential(struct emitter *e, const struct sync_heads *heads) {
  struct sync *s = e->s;
  const struct sync_plan *plan = heads->at[0].plan;
  bool shared = true; /* the same counters everywhere */
  for (size_t i = 1; i < heads->count; i++) {
    const struct sync_plan *other = heads->at[i].plan;
    shared &= other->counters.len == plan->counters.len;
    for (size_t c = 0; shared && c < plan->counters.len; c++)
      shared &= other->counters.at[c].left == plan->counters.at[c].left &&
                other->counters.at[c].rate == plan->counters.at[c].rate;
  }
  for (size_t c = 0; c < plan->counters.len; c++)
    emit_guard(e, heads, c);
  buffer_puts(e->out, "budget ");
  bool first = true;
  for (size_t c = 0; shared && c < plan->counters.len; c++) {
    bool atomic = term_arg_count(s->ts, plan->counters.at[c].left) == 0;
    buffer_printf(e->out, atomic ? "%s%s*%s" : "%s(%s)*%s", first ? "" : " + ",
                  sync_term_text(s, plan->counters.at[c].left),
                  sync_cost_text(s, plan->counters.at[c].rate));
    first = false;
  }
  const char *tree = sync_heads_tree(s, heads, shared);
  if (first || strcmp(tree, "0") != 0) buffer_printf(e->out, first ? "%s" : " + (%s)", tree);
  buffer_puts(e->out, ";\n");
}

/* Does every step that stays in the loop decrease the term, which is at least 0 before? */
static bool falls_inside(struct sync *s, const struct sync_heads *heads, term_id e) {
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct sync_step *step = &heads->at[h].head->steps.at[j];
      term_id by = term_sub(s->ts, e, sync_state_value(s, &step->end->state, e));
      if (by == TERM_NONE || !term_is_num(s->ts, by)) return false;
      int sign = fmpq_sgn(term_num_value(s->ts, by));
      bool stays = heads->at[h].plan->heads.at[step->to]->steps.len > 0, guarded = false;
      for (const struct sync_decision *d = step->end->path->decisions; d; d = d->previous)
        guarded |= sync_as_guard(s, d) == e;
      if (sign < 0 || (stays && (sign == 0 || !guarded))) return false;
    }
  return true;
}

/* A loop that runs until a flag says so, and counts inside: `while go { if i >= n ... }`. */
static void emit_flag_variant(struct emitter *e, const struct core *loop,
                              const struct sync_heads *heads) {
  struct sync *s = e->s;
  for (size_t h = 0; h < heads->count; h++)
    for (size_t j = 0; j < heads->at[h].head->steps.len; j++) {
      const struct sync_path *p = heads->at[h].head->steps.at[j].end->path;
      for (const struct sync_decision *d = p->decisions; d; d = d->previous) {
        term_id left = sync_as_guard(s, d);
        if (left == TERM_NONE || !falls_inside(s, heads, left)) continue;
        buffer_printf(e->out, "variant (if %s then 1 else 0) + max(0, %s);\n",
                      sync_term_text(s, loop->expr),
                      sync_term_text(s, term_add(s->ts, left, term_int(s->ts, 1))));
        return;
      }
    }
}

/* A variant where there is a choice: an integer that every iteration decreases. */
static void emit_variant(struct emitter *e, const struct core *loop,
                         const struct sync_heads *heads) {
  struct sync *s = e->s;
  term_list parts = {0};
  term_conjuncts(s->ts, loop->expr, &parts);
  size_t comparisons = 0;
  term_id found = TERM_NONE;
  for (size_t i = 0; i < parts.len; i++) {
    enum term_kind kind = term_kind(s->ts, parts.at[i]);
    if (kind != TERM_LE && kind != TERM_LT) continue;
    term_id a = term_arg(s->ts, parts.at[i], 0), b = term_arg(s->ts, parts.at[i], 1);
    if (term_sort(s->ts, a) != SORT_INT || term_sort(s->ts, b) != SORT_INT) continue;
    comparisons++;
    term_id left = term_sub(s->ts, b, a);
    if (kind == TERM_LE) left = term_add(s->ts, left, term_int(s->ts, 1));
    bool falls = true;
    for (size_t h = 0; h < heads->count && falls; h++)
      for (size_t j = 0; j < heads->at[h].head->steps.len && falls; j++) {
        const struct sync_state *end = &heads->at[h].head->steps.at[j].end->state;
        term_id by = term_sub(s->ts, left, sync_state_value(s, end, left));
        falls =
            by != TERM_NONE && term_is_num(s->ts, by) && fmpq_sgn(term_num_value(s->ts, by)) > 0;
      }
    if (falls && found == TERM_NONE) found = left;
  }
  vec_clear(&parts);
  if (comparisons > 1 && found != TERM_NONE)
    buffer_printf(e->out, "variant %s;\n", sync_term_text(s, found));
  if (comparisons == 0) emit_flag_variant(e, loop, heads);
}

/* ---- scopes ---------------------------------------------------------------------------------- */

static void emit_scope(struct emitter *e, const struct core *c, const struct core *scope);

static void emit_loop(struct emitter *e, const struct core *loop) {
  struct sync_heads heads = sync_rows_heads(e->s, &e->rows, loop);
  buffer_puts(e->out, "loop {\n");
  if (heads.count) {
    emit_differences(e, loop, &heads);
    emit_outside(e, &heads);
    emit_ranges(e, loop, &heads);
    emit_potential(e, &heads);
    emit_variant(e, loop, &heads);
  }
  emit_scope(e, loop->first, loop->first);
  buffer_puts(e->out, "}\n");
}

/* Samplings of a variable in a scope, and which of them this is (from 1). */
static void number_of(const struct core *c, const struct core *site, unsigned *seen,
                      unsigned *number) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    number_of(c->first, site, seen, number);
    number_of(c->second, site, seen, number);
  } else if (c->kind == CORE_SAMPLE && c->var == site->var) {
    ++*seen;
    if (c == site) *number = *seen;
  }
}

static void emit_scope(struct emitter *e, const struct core *c, const struct core *scope) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF:
    emit_scope(e, c->first, scope);
    emit_scope(e, c->second, scope);
    break;
  case CORE_SAMPLE: {
    unsigned seen = 0, number = 0;
    number_of(scope, c, &seen, &number);
    emit_site(e, c, seen > 1 ? number : 0);
    break;
  }
  case CORE_WHILE: emit_loop(e, c); break;
  default: break;
  }
}

bool sync_emit(struct sync *s, const struct sync_piece *solution, const struct sync_style *style,
               struct buffer *out) {
  struct emitter e = {.s = s, .style = style, .out = out};
  sync_rows_collect(s, &e.rows, solution);
  emit_scope(&e, s->program, s->program);
  sync_rows_clear(&e.rows);
  return !e.failed;
}
