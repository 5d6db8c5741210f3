#include "search/align/guard.h"

#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

/* How a variable is set in the loop. */
struct settings {
  bool grows; /* by a number, wherever it is set */
  bool falls;
  bool jumps; /* is set to something else */
};

static void find_settings(struct align *s, const struct core *c, term_id var,
                          struct settings *out) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF:
    find_settings(s, c->first, var, out);
    find_settings(s, c->second, var, out);
    break;
  case CORE_WHILE: find_settings(s, c->first, var, out); break;
  case CORE_ASSIGN: {
    if (c->var != var) break;
    term_id by = sort_is_numeric(term_sort(s->ts, var)) ? term_sub(s->ts, c->expr, var) : TERM_NONE;
    bool fixed = by != TERM_NONE && term_is_num(s->ts, by);
    if (!fixed) out->jumps = true;
    if (!fixed || fmpq_sgn(term_num_value(s->ts, by)) < 0) out->grows = false;
    if (!fixed || fmpq_sgn(term_num_value(s->ts, by)) > 0) out->falls = false;
    break;
  }
  default:
    if (c->var == var || c->state == var) *out = (struct settings){.jumps = true};
  }
}

/* Is the variable set in branches only? */
static bool is_set_in_branches(const struct core *c, term_id var) {
  if (c->kind == CORE_SEQ)
    return is_set_in_branches(c->first, var) && is_set_in_branches(c->second, var);
  if (c->kind == CORE_IF) return true;
  return c->kind != CORE_WHILE && c->var != var && c->state != var;
}

/* Does an iteration draw a sample that is needed in the next one? */
static bool samples_ahead(struct align *s, const struct align_plan *plan, const struct core *c) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF)
    return samples_ahead(s, plan, c->first) || samples_ahead(s, plan, c->second);
  size_t v = c->kind == CORE_SAMPLE ? align_var(s, c->var) : SIZE_MAX;
  return v != SIZE_MAX && plan->live[v];
}

/* Conditions under which an iteration does something: those of the guard, and of an `if` around
 * what is in the body. */
static void find_preconditions(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_WHILE) term_conjuncts(s->ts, c->expr, out);
  if (c->kind == CORE_IF && c->second->kind == CORE_SKIP) term_conjuncts(s->ts, c->expr, out);
  if (c->kind == CORE_WHILE || c->kind == CORE_SEQ) find_preconditions(s, c->first, out);
  if (c->kind == CORE_SEQ) find_preconditions(s, c->second, out);
}

/* A condition about the counter that says whether samples for the next iteration are drawn for
 * nothing. */
static void find_again(struct align *s, struct align_plan *plan, term_id counter) {
  term_list parts = {0};
  if (samples_ahead(s, plan, plan->loop->first)) find_preconditions(s, plan->loop, &parts);
  for (size_t i = 0; i < parts.len && plan->again == TERM_NONE; i++) {
    term_id atom = parts.at[i];
    if (term_kind(s->ts, atom) == TERM_NOT) atom = term_arg(s->ts, atom, 0);
    enum term_kind kind = term_kind(s->ts, atom);
    bool compares = kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ;
    if (!compares || !term_mentions(s->ts, atom, &counter, 1)) continue;
    plan->again = parts.at[i];
    vec_push(&plan->atoms, atom);
  }
  vec_clear(&parts);
}

/* Comparisons of integers in a condition; appended. */
static void add_comparisons(struct align *s, term_id t, term_list *out) {
  enum term_kind kind = term_kind(s->ts, t);
  if (kind == TERM_AND || kind == TERM_OR || kind == TERM_NOT) {
    for (size_t i = 0; i < term_arg_count(s->ts, t); i++)
      add_comparisons(s, term_arg(s->ts, t, i), out);
    return;
  }
  bool compares = kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ;
  if (!compares || term_sort(s->ts, term_arg(s->ts, t, 0)) != SORT_INT) return;
  terms_add(out, t);
}

/* The same for what branches and choices in the body ask. */
static void add_questions(struct align *s, const struct core *c, term_list *out) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    if (c->kind == CORE_IF) add_comparisons(s, c->expr, out);
    add_questions(s, c->first, out);
    add_questions(s, c->second, out);
  } else if (c->kind == CORE_ASSIGN) {
    term_list parts = {0};
    term_subterms(s->ts, c->expr, &parts);
    for (size_t i = 0; i < parts.len; i++)
      if (term_kind(s->ts, parts.at[i]) == TERM_ITE)
        add_comparisons(s, term_arg(s->ts, parts.at[i], 0), out);
    vec_clear(&parts);
  }
}

/* Does it compare the variable with what the loop leaves alone? */
static bool is_about(struct align *s, const struct align_plan *plan, term_id atom, size_t var) {
  for (size_t v = 0; v < s->vars.len; v++)
    if (v != var && plan->written[v] && term_mentions(s->ts, atom, &s->vars.at[v], 1)) return false;
  return !align_reads_private(s, atom) && term_mentions(s->ts, atom, &s->vars.at[var], 1);
}

/* Conditions about a variable that the loop sets (not only counts with): whether they still hold
 * after an iteration may decide how it goes on. Those of the guard, and those that the body asks. */
void align_find_conditions(struct align *s, struct align_plan *plan,
                           const struct align_state *entry) {
  term_list parts = {0}, questions = {0};
  term_conjuncts(s->ts, plan->loop->expr, &parts);
  add_questions(s, plan->loop->first, &questions);
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id var = s->vars.at[v];
    if (!plan->written[v] || plan->flag[v]) continue;
    struct settings how = {.grows = true, .falls = true};
    find_settings(s, plan->loop->first, var, &how);
    if (how.grows && align_is_fixed(s, entry->value[v]))
      vec_push(&plan->floors, term_le(s->ts, entry->value[v], var));
    else if (how.falls && align_is_fixed(s, entry->value[v]))
      vec_push(&plan->floors, term_le(s->ts, var, entry->value[v]));
    for (size_t i = 0; how.jumps && i < parts.len; i++) {
      enum term_kind kind = term_kind(s->ts, parts.at[i]);
      bool ordered = kind == TERM_LE || kind == TERM_LT || kind == TERM_EQ;
      if (ordered && term_mentions(s->ts, parts.at[i], &var, 1))
        vec_push(&plan->atoms, parts.at[i]);
    }
    for (size_t i = 0; how.jumps && plan->live[v] && i < questions.len; i++)
      if (is_about(s, plan, questions.at[i], v)) terms_add(&plan->atoms, questions.at[i]);
    if (!how.jumps && is_set_in_branches(plan->loop->first, var)) find_again(s, plan, var);
  }
  vec_clear(&parts);
  vec_clear(&questions);
  ALIGN_KEEP(s, &plan->floors);
}

/* Does the condition speak of nothing that changed since the piece before began, or that the loop
 * writes? Then it means the same inside. */
static bool is_untouched(struct align *s, const struct align_plan *plan,
                         const struct align_state *entry, const struct align_path *p,
                         term_id atom) {
  if (term_mentions(s->ts, atom, p->unknowns.at, p->unknowns.len)) return false;
  for (size_t v = 0; v < s->vars.len; v++)
    if ((plan->written[v] || plan->hidden[v] || entry->value[v] != s->vars.at[v]) &&
        term_mentions(s->ts, atom, &s->vars.at[v], 1))
      return false;
  return true;
}

static void inherit(struct align *s, struct align_plan *plan, const struct align_end *entry,
                    term_id atom, int truth) {
  if (truth < 0 || !is_untouched(s, plan, &entry->state, entry->path, atom)) return;
  terms_add(&plan->atoms, atom);
}

/* What is known where the loop is entered: decisions on the way, and what the piece began with. */
void align_inherit(struct align *s, struct align_plan *plan, const struct align_start *start,
                   const struct align_end *entry) {
  for (size_t w = 0; start->phase && w < s->witnesses.len; w++) {
    const struct align_track *track = &start->tracks[w];
    if (track->first == TERM_NONE || start->phase[w] == track->phases) continue;
    inherit(s, plan, entry, align_track_bound(s, track, s->witnesses.at[w].var, start->phase[w]),
            1);
  }
  size_t passed = plan->atoms.len;
  for (size_t i = 0; i < start->atom_count; i++)
    inherit(s, plan, entry, start->atoms[i], start->truths[i]);
  for (const struct align_decision *d = entry->path->decisions; d; d = d->previous)
    inherit(s, plan, entry, d->atom, d->taken);
  plan->at_entry = arena_alloc(s->arena, (plan->atoms.len + 1) * sizeof *plan->at_entry);
  for (size_t i = 0; i < plan->atoms.len; i++) {
    plan->at_entry[i] = i < passed ? 1 : -1;
    for (size_t j = 0; j < start->atom_count; j++)
      if (start->atoms[j] == plan->atoms.at[i]) plan->at_entry[i] = start->truths[j];
    for (const struct align_decision *d = entry->path->decisions; d; d = d->previous)
      if (d->atom == plan->atoms.at[i]) plan->at_entry[i] = d->taken;
  }
}

/* Does the condition hold in this state? `p`: the path that leads there from
 * `before`; NULL: from outside of the loop. */
int align_truth_of(struct align *s, const struct align_plan *plan, const struct align_head *before,
                   const struct align_path *p, const struct align_state *state, term_id atom) {
  term_id now = align_state_value(s, state, atom);
  if (now == TERM_NONE) return -1;
  if (term_kind(s->ts, now) == TERM_TRUE) return 1;
  if (term_kind(s->ts, now) == TERM_FALSE) return 0;
  if (!before && (plan->again == atom || plan->again == term_not(s->ts, atom))) {
    if (align_follows(s, term_bool(s->ts, true), now)) return 1;
    return align_follows(s, term_bool(s->ts, true), term_not(s->ts, now)) ? 0 : -1;
  }
  if (!before) return -1;
  term_id given = term_and_all(s->ts, plan->floors.at, plan->floors.len);
  for (size_t i = 0; i < plan->atoms.len; i++) {
    if (before->truths[i] >= 0 && plan->atoms.at[i] == now) return before->truths[i];
    if (before->truths[i] == 1) given = term_and(s->ts, given, plan->atoms.at[i]);
  }
  for (const struct align_decision *d = p->decisions; d; d = d->previous) {
    if (d->atom == now) return d->taken;
    if (term_sort(s->ts, d->atom) == SORT_BOOL)
      given = term_and(s->ts, given, d->taken ? d->atom : term_not(s->ts, d->atom));
  }
  if (align_follows(s, given, now)) return 1;
  return align_follows(s, given, term_not(s->ts, now)) ? 0 : -1;
}
