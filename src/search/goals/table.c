#include "search/goals/table.h"

#include "search/align/strategy.h"
#include "search/align/tally.h"
#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/assume.h"
#include "search/goals/notions.h"
#include "search/goals/parts.h"
#include "search/goals/pointwise.h"
#include "search/goals/race.h"
#include "search/goals/rescale.h"
#include "term/build.h"
#include "term/subst.h"

/* A command that adds to one element. */
struct step {
  const struct core *command, *inner; /* the loop inside of the one over the records; or NULL */
  term_id array, key;
  term_id bound; /* of the difference that one record makes */
};

struct tabler {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  struct align *s;               /* of the program as it is, to measure what is added */
  struct view *out;              /* the program with tables */
  term_list written;             /* by the whole program */
  VEC(const struct core *) list; /* the program as a sequence */
  /* of the loop over records that is looked at */
  const struct core *loop;
  VEC(struct step) steps;
  size_t witness; /* the record that differs; SIZE_MAX: not known yet */
};

/* ---- what a loop adds ------------------------------------------------------------------------ */

static bool is_table(const struct tabler *t, term_id var) {
  size_t v = align_var(t->s, var);
  return v != SIZE_MAX && t->s->place.at[v] != SIZE_MAX;
}

static bool writes_table(const struct tabler *t, const struct core *c) {
  term_list written = {0};
  bool found = false;
  core_writes(c, &written);
  for (size_t i = 0; i < written.len; i++)
    found |= is_table(t, written.at[i]);
  vec_clear(&written);
  return found;
}

/* Made of inputs and the indices of the loops? */
static bool is_of_records(const struct tabler *t, term_id value, const struct core *inner) {
  term_list vars = {0};
  bool ok = true;
  term_free_vars(t->ts, value, &vars);
  for (size_t i = 0; i < vars.len; i++)
    ok &= vars.at[i] == t->loop->var || (inner && vars.at[i] == inner->var) ||
          !terms_have(&t->written, vars.at[i]);
  vec_clear(&vars);
  return ok;
}

/* Only the record that differs adds something else in the other run: which one is it? */
static bool note_witness(struct tabler *t, const struct align_read *read) {
  for (size_t i = 0; i < read->shape->spot_count; i++) {
    const struct align_spot *spot = &read->shape->spots[i];
    if (read->index[i] != t->loop->var || spot->count != 1) continue;
    if (t->witness != SIZE_MAX && t->witness != spot->witness[0]) return false;
    t->witness = spot->witness[0];
    return true;
  }
  return false;
}

static bool note_step(struct tabler *t, const struct core *c, const struct core *inner) {
  struct terms *ts = t->ts;
  struct align_tally tally;
  if (!align_tally_of(t->s, c, &tally) || tally.key == TERM_NONE) return false;
  term_id element = term_var(ts, "element", SORT_INT, 0, 1);
  term_id here = term_and(ts, tally.given, term_eq(ts, tally.key, element));
  term_id zero = term_coerce(ts, term_int(ts, 0), term_sort(ts, tally.amount));
  term_id added = term_ite(ts, here, tally.amount, zero);
  struct align_read read;
  struct step step = {c, inner, tally.array, tally.key, term_int(ts, 0)};
  if (added == TERM_NONE || !is_of_records(t, added, inner)) return false;
  if (align_reads_private(t->s, added)) {
    if (!align_read_of(t->s, added, &read)) return false;
    struct ratio most = ratio_max(ratio_abs(read.shape->low), ratio_abs(read.shape->high));
    if (!ratio_is_finite(most) || (!ratio_is_zero(most) && !note_witness(t, &read))) return false;
    step.bound = align_number(t->s, most, read.shape->unit);
  }
  vec_push(&t->steps, step);
  return true;
}

/* All that the loop does to tables. False: something else than adding. */
static bool find_steps(struct tabler *t, const struct core *c, const struct core *inner) {
  if (!writes_table(t, c)) return true;
  if (c->kind == CORE_SEQ) return find_steps(t, c->first, inner) && find_steps(t, c->second, inner);
  if (c->kind == CORE_WHILE) return !inner && c->var != TERM_NONE && find_steps(t, c->first, c);
  return note_step(t, c, inner);
}

/* ---- how far an element differs -------------------------------------------------------------- */

/* Do these steps add to different elements? */
static bool are_apart(const struct tabler *t, const struct step *a, const struct step *b) {
  return term_is_num(t->ts, a->key) && term_is_num(t->ts, b->key) && a->key != b->key;
}

/* What the steps from `from` to `to` that add to the array amount to at one element. */
static term_id total_of(const struct tabler *t, term_id array, size_t from, size_t to) {
  term_id all = term_int(t->ts, 0);
  for (size_t i = from; i < to; i++) {
    const struct step *step = &t->steps.at[i];
    bool apart = true;
    if (step->array != array) continue;
    for (size_t j = from; j < i; j++)
      apart &= t->steps.at[j].array != array || are_apart(t, step, &t->steps.at[j]);
    all = apart ? term_max(t->ts, all, step->bound) : term_add(t->ts, all, step->bound);
  }
  return all;
}

/* For all m: the elements differ by at most `most`, a term over m. */
static term_id within(const struct tabler *t, term_id array, term_id m, term_id most) {
  struct terms *ts = t->ts;
  term_id one = term_select(ts, kernel_tag(t->k, array, 1), m);
  term_id two = term_select(ts, kernel_tag(t->k, array, 2), m);
  term_id apart = term_abs(ts, term_sub(ts, two, one));
  if (term_sort(ts, most) != term_sort(ts, apart)) {
    apart = term_to_real(ts, apart);
    most = term_coerce(ts, most, SORT_REAL);
  }
  return term_forall(ts, &m, 1, term_le(ts, apart, most));
}

static term_id if_else(struct terms *ts, term_id condition, term_id yes, term_id no) {
  if (term_sort(ts, yes) != term_sort(ts, no)) {
    yes = term_coerce(ts, yes, SORT_REAL);
    no = term_coerce(ts, no, SORT_REAL);
  }
  return term_ite(ts, condition, yes, no);
}

/* What the record that differs has added to element m in the iterations of the inner loop so far.
 * TERM_NONE: not known. */
static term_id added_inside(const struct tabler *t, term_id array, const struct core *inner,
                            term_id m, size_t from, size_t to) {
  struct terms *ts = t->ts;
  term_id key = TERM_NONE;
  for (size_t i = from; i < to; i++) {
    const struct step *step = &t->steps.at[i];
    if (step->array != array) continue;
    if (!term_is_num(ts, term_sub(ts, step->key, inner->var))) return TERM_NONE;
    if (key != TERM_NONE && key != step->key) return TERM_NONE;
    key = step->key;
  }
  if (key == TERM_NONE) return term_int(ts, 0);
  return if_else(ts, term_lt(ts, m, key), total_of(t, array, from, to), term_int(ts, 0));
}

/* At the head of the loop over the records (inner: NULL), or of one in it. */
static term_id during(const struct tabler *t, term_id array, const struct core *inner) {
  struct terms *ts = t->ts;
  term_id m = kernel_fresh(t->k, "m", SORT_INT), w = t->s->witnesses.at[t->witness].shown;
  term_id record = kernel_tag(t->k, t->loop->var, 1), most = term_int(ts, 0);
  size_t from = 0, to;
  while (inner && from < t->steps.len && t->steps.at[from].inner != inner)
    from++;
  for (to = from; to < t->steps.len && t->steps.at[to].inner == inner;)
    to++;
  if (inner) {
    term_id added = added_inside(t, array, inner, m, from, to);
    if (added == TERM_NONE) return TERM_NONE;
    added = term_subst(ts, added, &inner->var, (term_id[]){kernel_tag(t->k, inner->var, 1)}, 1);
    most =
        if_else(ts, term_eq(ts, w, record), term_add(ts, total_of(t, array, 0, from), added), most);
  }
  most = if_else(ts, term_lt(ts, w, record), total_of(t, array, 0, t->steps.len), most);
  return within(t, array, m, most);
}

/* ---- the view -------------------------------------------------------------------------------- */

/* What the proof has to say in all loops of the command. */
static void say_in_loops(struct tabler *t, const struct core *c, term_id fact) {
  if (c->kind == CORE_WHILE)
    vec_push(&t->out->facts, (struct view_fact){view_origin(t->p, c), fact});
  if (c->first) say_in_loops(t, c->first, fact);
  if (c->second) say_in_loops(t, c->second, fact);
}

/* In the loop over the records and those in it. */
static bool say_during(struct tabler *t, term_id array, const struct core *c,
                       const struct core *inner) {
  if (c->kind == CORE_WHILE) {
    term_id fact = during(t, array, inner);
    if (fact == TERM_NONE) return false;
    vec_push(&t->out->facts, (struct view_fact){view_origin(t->p, c), fact});
    if (inner) return !core_has_loop(c->first);
  }
  const struct core *next[] = {c->first, c->second};
  for (size_t i = 0; i < 2; i++) {
    const struct core *loop = next[i] && next[i]->kind == CORE_WHILE ? next[i] : NULL;
    if (next[i] && !say_during(t, array, next[i], loop)) return false;
  }
  return true;
}

/* The index in the list of the only assignment of the array before the loop; SIZE_MAX: there is none. */
static size_t beginning_of(const struct tabler *t, term_id array, size_t loop) {
  term_list inside = {0};
  core_writes(t->loop, &inside);
  size_t elsewhere = terms_count(&t->written, array) - terms_count(&inside, array);
  vec_clear(&inside);
  for (size_t i = 0; i < loop && elsewhere == 1; i++) {
    const struct core *c = t->list.at[i];
    if (c->kind == CORE_ASSIGN && c->var == array)
      return align_reads_private(t->s, c->expr) ? SIZE_MAX : i;
  }
  return SIZE_MAX;
}

/* Notes the array as a table. */
static bool add_table(struct tabler *t, term_id array, size_t loop) {
  size_t begin = beginning_of(t, array, loop);
  term_id m = kernel_fresh(t->k, "m", SORT_INT), nothing = term_int(t->ts, 0);
  if (begin == SIZE_MAX || !say_during(t, array, t->loop, NULL)) return false;
  term_id afterwards = within(t, array, m, total_of(t, array, 0, t->steps.len));
  term_id before = within(t, array, m, nothing);
  for (size_t i = begin + 1; i < t->list.len; i++)
    if (i != loop) say_in_loops(t, t->list.at[i], i < loop ? before : afterwards);
  vec_push(&t->out->tables, array);
  vec_push(&t->out->bounds, afterwards);
  return true;
}

static bool is_step(const struct tabler *t, const struct core *c) {
  for (size_t i = 0; i < t->steps.len; i++)
    if (t->steps.at[i].command == c) return true;
  return c->kind == CORE_ASSIGN && terms_have(&t->out->tables, c->var);
}

/* Without what is written to tables. */
static const struct core *rewrite(struct tabler *t, const struct core *c) {
  if (is_step(t, c)) return core_skip();
  if (!writes_table(t, c)) return c;
  struct core *copy = arena_memdup(kernel_arena(t->k), c, sizeof *c);
  if (c->first) copy->first = rewrite(t, c->first);
  if (c->second) copy->second = rewrite(t, c->second);
  if (c->kind == CORE_WHILE) vec_push(&t->out->loops, (struct view_loop){copy, c});
  return copy;
}

/* ---- loops over records ---------------------------------------------------------------------- */

static bool are_new(const struct tabler *t) {
  for (size_t i = 0; i < t->steps.len; i++)
    if (terms_have(&t->out->tables, t->steps.at[i].array)) return false;
  return t->steps.len > 0;
}

/* Do all arrays that the loop fills become tables? */
static bool add_tables(struct tabler *t, size_t at) {
  t->loop = t->list.at[at];
  t->steps.len = 0;
  t->witness = SIZE_MAX;
  if (t->loop->kind != CORE_WHILE || t->loop->var == TERM_NONE || core_is_random(t->loop))
    return true;
  if (!find_steps(t, t->loop->first, NULL) || !are_new(t) || t->witness == SIZE_MAX) return true;
  term_list arrays = {0};
  bool ok = true;
  for (size_t i = 0; i < t->steps.len; i++)
    terms_add(&arrays, t->steps.at[i].array);
  for (size_t i = 0; i < arrays.len && ok; i++)
    ok = add_table(t, arrays.at[i], at);
  for (size_t i = 0; i <= at && ok; i++)
    t->list.at[i] = rewrite(t, t->list.at[i]);
  vec_clear(&arrays);
  return ok;
}

static bool find_tables(struct tabler *t) {
  const struct core *c = view_program(t->p), *all = core_skip();
  core_writes(c, &t->written);
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&t->list, c->first);
  vec_push(&t->list, c);
  bool ok = true;
  for (size_t i = 0; i < t->list.len && ok; i++)
    ok = add_tables(t, i);
  for (size_t i = t->list.len; i-- > 0;)
    all = core_seq(kernel_arena(t->k), t->list.at[i], all);
  t->out->program = all;
  return ok && t->out->tables.len > 0;
}

void auto_tables(struct auto_problem *p, struct auto_search *s) {
  static auto_strategy *const others[] = {auto_align,    auto_pointwise, auto_race,
                                          auto_composed, auto_rescaled,  auto_by_notions};
  const struct view *before = p->view;
  if (auto_done(s) || !core_has_loop(before->program)) return;
  struct view view;
  view_copy(&view, before);
  struct tabler t = {.p = p,
                     .ts = p->ts,
                     .k = claim_kernel(p->goal, CLAIM_FORWARD),
                     .s = align_open(p, s, false),
                     .out = &view};
  bool found = find_tables(&t);
  align_close(t.s);
  p->view = &view;
  for (size_t i = 0;
       i < sizeof others / sizeof *others && found && !auto_done(s) && !auto_is_late(s); i++)
    others[i](p, s);
  p->view = before;
  view_clear(&view);
  vec_clear(&t.written);
  vec_clear(&t.list);
  vec_clear(&t.steps);
}
