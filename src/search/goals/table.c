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

typedef VEC(const struct core *) core_list;

/* The loops around. */
struct around {
  const struct around *further;
  const struct core *loop;
};

struct tabler {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  struct align *s;   /* of the program as it is, to measure what is added */
  struct view *out;  /* the program with tables */
  term_list written; /* by the whole program */
  const struct around *around;
  core_list list; /* the commands of the program, or of the body of a loop */
  /* of the loop over records that is looked at */
  const struct core *loop, *whole; /* whole: the loop around it, if that is by element */
  VEC(struct step) steps;
  size_t witness; /* the record that differs; SIZE_MAX: not known yet */
  term_list read; /* variables on which it depends what is added: equal in both runs */
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

static size_t count_writes(const struct core *c, term_id var) {
  term_list written = {0};
  core_writes(c, &written);
  size_t count = terms_count(&written, var);
  vec_clear(&written);
  return count;
}

/* Made of what the loops leave alone, and their indices? Then variables in it are noted. */
static bool is_of_records(struct tabler *t, term_id value, const struct core *inner) {
  term_list vars = {0};
  bool ok = true;
  term_free_vars(t->ts, value, &vars);
  for (size_t i = 0; i < vars.len; i++) {
    if (vars.at[i] == t->loop->var || (inner && vars.at[i] == inner->var)) continue;
    ok &= count_writes(t->whole, vars.at[i]) == 0;
    if (terms_have(&t->written, vars.at[i])) terms_add(&t->read, vars.at[i]);
  }
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

/* Notes the command; `as` does the same to an element of a table. */
static bool note_step(struct tabler *t, const struct core *c, const struct core *as,
                      const struct core *inner) {
  struct terms *ts = t->ts;
  struct align_tally tally;
  if (!align_tally_of(t->s, as, &tally) || tally.key == TERM_NONE) return false;
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

/* The branches around a command. */
struct branch {
  const struct branch *around;
  term_id condition;
  bool holds;
};

/* The command alone in these branches. */
static const struct core *alone(const struct tabler *t, const struct core *c,
                                const struct branch *b) {
  struct arena *arena = kernel_arena(t->k);
  const struct core *none = core_skip();
  for (; b; b = b->around)
    c = core_if(arena, c->span, b->condition, b->holds ? c : none, b->holds ? none : c);
  return c;
}

/* All that the loop does to tables. False: something else than adding. */
static bool find_steps(struct tabler *t, const struct core *c, const struct core *inner,
                       const struct branch *b) {
  if (!writes_table(t, c)) return true;
  if (c->kind == CORE_SEQ)
    return find_steps(t, c->first, inner, b) && find_steps(t, c->second, inner, b);
  if (c->kind == CORE_WHILE)
    return !inner && c->var != TERM_NONE && !b && find_steps(t, c->first, c, b);
  if (note_step(t, c, alone(t, c, b), inner)) return true;
  if (c->kind != CORE_IF) return false;
  struct branch yes = {b, c->expr, true}, no = {b, c->expr, false};
  return find_steps(t, c->first, inner, &yes) && find_steps(t, c->second, inner, &no);
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

/* apart <= most, one of which may be an integer. */
static term_id at_most(struct terms *ts, term_id apart, term_id most) {
  if (term_sort(ts, most) != term_sort(ts, apart)) {
    apart = term_coerce(ts, apart, SORT_REAL);
    most = term_coerce(ts, most, SORT_REAL);
  }
  return term_le(ts, apart, most);
}

/* For all m: the elements differ by at most `most`, a term over m. */
static term_id within(const struct tabler *t, term_id array, term_id m, term_id most) {
  term_id one = term_select(t->ts, kernel_tag(t->k, array, 1), m);
  term_id two = term_select(t->ts, kernel_tag(t->k, array, 2), m);
  term_id apart = term_abs(t->ts, term_sub(t->ts, two, one));
  return term_forall(t->ts, &m, 1, at_most(t->ts, apart, most));
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

/* The loop in the claim's program. */
static const struct core *origin_of(const struct tabler *t, const struct core *loop) {
  for (size_t i = t->out->loops.len; i-- > 0;)
    if (t->out->loops.at[i].here == loop) return origin_of(t, t->out->loops.at[i].there);
  return loop;
}

/* What the proof has to say in all loops of the command. */
static void say_in_loops(struct tabler *t, const struct core *c, term_id fact) {
  if (c->kind == CORE_WHILE) vec_push(&t->out->facts, (struct view_fact){origin_of(t, c), fact});
  if (c->first) say_in_loops(t, c->first, fact);
  if (c->second) say_in_loops(t, c->second, fact);
}

/* In the loop over the records and those in it. */
static bool say_during(struct tabler *t, term_id array, const struct core *c,
                       const struct core *inner) {
  if (c->kind == CORE_WHILE) {
    term_id fact = during(t, array, inner);
    if (fact == TERM_NONE) return false;
    vec_push(&t->out->facts, (struct view_fact){origin_of(t, c), fact});
    if (inner) return !core_has_loop(c->first);
  }
  const struct core *next[] = {c->first, c->second};
  for (size_t i = 0; i < 2; i++) {
    const struct core *loop = next[i] && next[i]->kind == CORE_WHILE ? next[i] : NULL;
    if (next[i] && !say_during(t, array, next[i], loop)) return false;
  }
  return true;
}

/* Does it store something private in the array? */
static bool stores_private(const struct tabler *t, const struct core *c, term_id array) {
  if (c->kind == CORE_ASSIGN) return c->var == array && align_reads_private(t->s, c->expr);
  return (c->first && stores_private(t, c->first, array)) ||
         (c->second && stores_private(t, c->second, array));
}

/* Where the array gets its first value, if all that it has before the loop is the same in both runs
 * and nothing is written afterwards; else SIZE_MAX. */
static size_t beginning_of(const struct tabler *t, term_id array, size_t loop) {
  size_t begin = SIZE_MAX, writes = count_writes(t->list.at[loop], array);
  for (size_t i = 0; i < loop; i++) {
    const struct core *c = t->list.at[i];
    size_t count = count_writes(c, array);
    writes += count;
    if (stores_private(t, c, array)) return SIZE_MAX;
    if (count && begin == SIZE_MAX) begin = i;
  }
  bool first = begin != SIZE_MAX && t->list.at[begin]->kind == CORE_ASSIGN;
  return first && writes == terms_count(&t->written, array) ? begin : SIZE_MAX;
}

/* Notes the array as a table whose elements differ by at most `most` afterwards. */
static bool add_table(struct tabler *t, term_id array, size_t loop, term_id most) {
  size_t begin = beginning_of(t, array, loop);
  term_id m = kernel_fresh(t->k, "m", SORT_INT), nothing = term_int(t->ts, 0);
  if (begin == SIZE_MAX || most == TERM_NONE) return false;
  term_id afterwards = within(t, array, m, most), before = within(t, array, m, nothing);
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
  if (c->kind == CORE_SEQ) return core_seq(kernel_arena(t->k), copy->first, copy->second);
  if (c->kind == CORE_IF && copy->first->kind == CORE_SKIP && copy->second->kind == CORE_SKIP)
    return core_skip();
  if (c->kind == CORE_WHILE) vec_push(&t->out->loops, (struct view_loop){copy, c});
  return copy;
}

/* ---- loops over records ---------------------------------------------------------------------- */

static void begin_loop(struct tabler *t, const struct core *whole, const struct core *records) {
  t->whole = whole;
  t->loop = records;
  t->steps.len = t->read.len = 0;
  t->witness = SIZE_MAX;
}

static bool counts(const struct core *c) {
  return c->kind == CORE_WHILE && c->var != TERM_NONE;
}

static bool are_new(const struct tabler *t) {
  for (size_t i = 0; i < t->steps.len; i++)
    if (terms_have(&t->out->tables, t->steps.at[i].array)) return false;
  return t->steps.len > 0 && t->witness != SIZE_MAX;
}

/* Record by record. False: no. */
static bool add_by_records(struct tabler *t, size_t at) {
  begin_loop(t, t->list.at[at], t->list.at[at]);
  if (!find_steps(t, t->loop->first, NULL, NULL) || !are_new(t)) return false;
  term_list arrays = {0};
  bool ok = true;
  for (size_t i = 0; i < t->steps.len; i++)
    terms_add(&arrays, t->steps.at[i].array);
  for (size_t i = 0; i < arrays.len && ok; i++)
    ok = say_during(t, arrays.at[i], t->loop, NULL) &&
         add_table(t, arrays.at[i], at, total_of(t, arrays.at[i], 0, t->steps.len));
  vec_clear(&arrays);
  return ok;
}

/* ---- element by element ----------------------------------------------------------------------
 *
 *     for j in 0..k { c := 0; for i in 0..n { if x[i] < cut[j] { c := c + 1; } } count[j] := c; } */

struct nest {
  const struct core *elements, *records; /* the loops */
  const struct core *store;              /* NULL: the records are added to the element itself */
  term_id array, key, cell;
};

/* The command with an element of the array in place of the cell. */
static const struct core *on_element(struct tabler *t, const struct nest *n, const struct core *c) {
  struct core *copy = arena_memdup(kernel_arena(t->k), c, sizeof *c);
  term_id element = term_select(t->ts, n->array, n->key);
  if (c->kind == CORE_ASSIGN && c->var == n->cell) {
    term_id value = term_subst(t->ts, c->expr, &n->cell, &element, 1);
    copy->var = n->array;
    copy->expr = term_store(t->ts, n->array, n->key, value);
  }
  if (c->first) copy->first = on_element(t, n, c->first);
  if (c->second) copy->second = on_element(t, n, c->second);
  return copy;
}

/* All that the loop over the records does to the cell. */
static bool find_cell_steps(struct tabler *t, const struct nest *n, const struct core *c) {
  if (c->kind == CORE_SEQ)
    return find_cell_steps(t, n, c->first) && find_cell_steps(t, n, c->second);
  if (count_writes(c, n->cell) == 0) return true;
  return c->kind != CORE_WHILE && note_step(t, c, on_element(t, n, c), n->elements);
}

/* u[j + number] := e */
static bool is_store(const struct tabler *t, const struct nest *n, const struct core *c) {
  if (c->kind != CORE_ASSIGN || !is_table(t, c->var)) return false;
  if (term_kind(t->ts, c->expr) != TERM_STORE || term_arg(t->ts, c->expr, 0) != c->var)
    return false;
  return term_is_num(t->ts, term_sub(t->ts, term_arg(t->ts, c->expr, 1), n->elements->var));
}

/* The one variable in the value that the loop over the records writes. */
static term_id cell_in(const struct tabler *t, const struct nest *n, term_id value) {
  term_list vars = {0};
  term_id cell = TERM_NONE;
  size_t found = 0;
  term_free_vars(t->ts, value, &vars);
  for (size_t i = 0; i < vars.len; i++)
    if (n->records && count_writes(n->records, vars.at[i])) {
      cell = vars.at[i];
      found++;
    }
  vec_clear(&vars);
  return found == 1 && sort_is_numeric(term_sort(t->ts, cell)) ? cell : TERM_NONE;
}

/* One loop over the records, and then perhaps a store. */
static bool read_nest(const struct tabler *t, const struct core *body, struct nest *n) {
  if (body->kind == CORE_SEQ) return read_nest(t, body->first, n) && read_nest(t, body->second, n);
  if (body->kind == CORE_WHILE) {
    if (n->records || !counts(body)) return false;
    n->records = body;
  } else if (is_store(t, n, body)) {
    if (n->store || !n->records) return false;
    n->store = body;
    n->array = body->var;
    n->key = term_arg(t->ts, body->expr, 1);
    n->cell = cell_in(t, n, term_arg(t->ts, body->expr, 2));
    return n->cell != TERM_NONE;
  }
  return !writes_table(t, body) || body == n->records;
}

/* Do the records add to the element of this iteration alone? */
static bool read_direct(const struct tabler *t, struct nest *n) {
  for (size_t i = 0; i < t->steps.len; i++) {
    const struct step *step = &t->steps.at[i];
    if (n->array != TERM_NONE && (step->array != n->array || step->key != n->key)) return false;
    n->array = step->array;
    n->key = step->key;
  }
  return n->array != TERM_NONE && term_is_num(t->ts, term_sub(t->ts, n->key, n->elements->var));
}

/* By how much the value differs if the cell does by at most `most`. TERM_NONE: not known. */
static term_id stored_bound(const struct tabler *t, const struct nest *n, term_id most) {
  struct terms *ts = t->ts;
  term_id value = term_arg(ts, n->store->expr, 2), cell = n->cell;
  if (value == cell) return most;
  if (align_reads_private(t->s, value)) return TERM_NONE;
  term_id apart = term_sub(ts, term_tag(ts, value, 2, &cell, 1), term_tag(ts, value, 1, &cell, 1));
  term_id cells = term_sub(ts, term_tag(ts, cell, 2, &cell, 1), term_tag(ts, cell, 1, &cell, 1));
  term_list more = {0};
  for (long i = 1; i <= 4; i *= 2)
    vec_push(&more, term_mul(ts, term_rat(ts, i, 2), term_coerce(ts, most, SORT_REAL)));
  term_id given = at_most(ts, term_abs(ts, cells), most);
  struct bounds b = known_bounds_among(&t->s->known, given, apart, &more);
  vec_clear(&more);
  if (b.low == TERM_NONE || b.high == TERM_NONE) return TERM_NONE;
  return term_max(ts, b.high, term_neg(ts, b.low));
}

/* At the heads of the two loops; `most`: of the element, `of_cell`: of what it is made of. */
static void say_in_nest(struct tabler *t, const struct nest *n, term_id most, term_id of_cell) {
  struct terms *ts = t->ts;
  const struct core *const loops[] = {n->elements, n->records};
  term_id m = kernel_fresh(t->k, "m", SORT_INT), nothing = term_int(ts, 0);
  term_id key = kernel_tag(t->k, n->key, 1), w = t->s->witnesses.at[t->witness].shown;
  term_id passed = term_lt(ts, w, kernel_tag(t->k, n->records->var, 1));
  for (size_t i = 0; i < 2; i++) {
    term_id here = i && !n->store
                       ? if_else(ts, term_and(ts, term_eq(ts, m, key), passed), most, nothing)
                       : nothing;
    term_id fact = within(t, n->array, m, if_else(ts, term_lt(ts, m, key), most, here));
    vec_push(&t->out->facts, (struct view_fact){origin_of(t, loops[i]), fact});
  }
  if (!n->store) return;
  term_id cells = term_sub(ts, kernel_tag(t->k, n->cell, 2), kernel_tag(t->k, n->cell, 1));
  term_id near = at_most(ts, term_abs(ts, cells), if_else(ts, passed, of_cell, nothing));
  vec_push(&t->out->facts, (struct view_fact){origin_of(t, n->records), near});
}

static bool add_by_elements(struct tabler *t, size_t at) {
  struct nest n = {.elements = t->list.at[at], .array = TERM_NONE, .cell = TERM_NONE};
  if (!read_nest(t, n.elements->first, &n) || !n.records) return false;
  begin_loop(t, n.elements, n.records);
  bool found = n.store ? find_cell_steps(t, &n, n.records->first)
                       : find_steps(t, n.records->first, n.elements, NULL) && read_direct(t, &n);
  if (!found || !are_new(t)) return false;
  term_id of_cell = total_of(t, n.array, 0, t->steps.len);
  term_id most = n.store ? stored_bound(t, &n, of_cell) : of_cell;
  if (!add_table(t, n.array, at, most)) return false;
  say_in_nest(t, &n, most, of_cell);
  if (n.store) vec_push(&t->steps, (struct step){.command = n.store, .array = n.array});
  return true;
}

/* What is read is equal in both runs, here and around. */
static void say_equal(struct tabler *t, const struct core *c) {
  for (size_t i = 0; i < t->read.len; i++) {
    term_id var = t->read.at[i];
    term_id equal = term_eq(t->ts, kernel_tag(t->k, var, 1), kernel_tag(t->k, var, 2));
    say_in_loops(t, c, equal);
    for (const struct around *a = t->around; a; a = a->further)
      vec_push(&t->out->facts, (struct view_fact){origin_of(t, a->loop), equal});
  }
}

/* Do the arrays that the loop fills become tables? */
static void add_tables(struct tabler *t, size_t at) {
  const struct core *c = t->list.at[at];
  if (!counts(c) || core_is_random(c) || !writes_table(t, c)) return;
  size_t tables = t->out->tables.len, facts = t->out->facts.len;
  if (add_by_records(t, at) || add_by_elements(t, at)) {
    say_equal(t, c);
    for (size_t i = 0; i <= at; i++)
      t->list.at[i] = rewrite(t, t->list.at[i]);
  } else {
    t->out->tables.len = t->out->bounds.len = tables;
    t->out->facts.len = facts;
  }
}

static const struct core *tabled(struct tabler *t, const struct core *c);

static const struct core *tabled_sequence(struct tabler *t, const struct core *c) {
  struct tabler inside = *t; /* with a list of its own */
  const struct core *all = core_skip();
  inside.list = (core_list){0};
  for (; c->kind == CORE_SEQ; c = c->second)
    vec_push(&inside.list, c->first);
  vec_push(&inside.list, c);
  for (size_t i = 0; i < inside.list.len; i++)
    add_tables(&inside, i);
  for (size_t i = inside.list.len; i-- > 0;)
    all = core_seq(kernel_arena(t->k), tabled(&inside, inside.list.at[i]), all);
  t->steps = inside.steps;
  t->read = inside.read;
  vec_clear(&inside.list);
  return all;
}

/* The program with tables, which may be filled anew in each iteration of a loop around. */
static const struct core *tabled(struct tabler *t, const struct core *c) {
  if (!core_has_loop(c) || !writes_table(t, c)) return c;
  if (c->kind == CORE_SEQ) return tabled_sequence(t, c);
  struct core *copy = arena_memdup(kernel_arena(t->k), c, sizeof *c);
  struct around here = {t->around, c};
  if (c->kind == CORE_WHILE) t->around = &here;
  copy->first = tabled(t, c->first);
  if (c->second) copy->second = tabled(t, c->second);
  t->around = here.further;
  if (copy->first == c->first && copy->second == c->second) return c;
  if (c->kind == CORE_WHILE) vec_push(&t->out->loops, (struct view_loop){copy, c});
  return copy;
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
  core_writes(before->program, &t.written);
  view.program = tabled(&t, before->program);
  bool found = view.tables.len > 0;
  align_close(t.s);
  p->view = &view;
  for (size_t i = 0;
       i < sizeof others / sizeof *others && found && !auto_done(s) && !auto_is_late(s); i++)
    others[i](p, s);
  p->view = before;
  view_clear(&view);
  vec_clear(&t.written);
  vec_clear(&t.steps);
  vec_clear(&t.read);
}
