#include "search/align/path.h"

#include "kernel/dist.h"
#include "search/align/differ.h"
#include "search/align/event.h"
#include "search/align/place.h"
#include "search/align/tally.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

struct exec {
  struct align *s;
  const struct align_start *start;
  path_list *out;
  bool failed;
};

static void run(struct exec *x, struct align_path *p, const struct todo *todo);

/* ---- small things ---------------------------------------------------------------------------- */

term_id align_track_bound(struct align *s, const struct align_track *track, term_id witness,
                          unsigned k) {
  term_id far = term_int(s->ts, track->descending ? -(long)k * track->step : (long)k * track->step);
  term_id end = term_add(s->ts, track->first, far);
  return track->descending ? term_lt(s->ts, end, witness) : term_lt(s->ts, witness, end);
}

struct ratio align_apart(struct align *s, term_id a, term_id b) {
  term_id gap = term_sub(s->ts, b, a);
  if (gap == TERM_NONE || !term_is_num(s->ts, gap)) return (struct ratio){0, 0};
  return ratio_from_fmpq(term_num_value(s->ts, gap));
}

struct align_state align_state_copy(struct align *s, const struct align_state *state) {
  size_t n = s->vars.len;
  return (struct align_state){.value =
                                  arena_memdup(s->arena, state->value, n * sizeof *state->value),
                              .diff = arena_memdup(s->arena, state->diff, n * sizeof *state->diff)};
}

bool align_is_unset(const struct align *s, const struct align_state *state, size_t v) {
  return !state->diff[v]->known && state->value[v] == s->vars.at[v];
}

term_id align_state_value(struct align *s, const struct align_state *state, term_id expr) {
  return term_subst(s->ts, expr, s->vars.at, state->value, s->vars.len);
}

const struct todo *todo_command(struct align *s, const struct core *c, const struct todo *next) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){.kind = TODO_COMMAND, .command = c, .span = c->span, .next = next};
  return t;
}

const struct todo *todo_question(struct align *s, term_id question, struct span span,
                                 const struct todo *yes, const struct todo *no) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){
      .kind = TODO_QUESTION, .question = question, .span = span, .yes = yes, .no = no};
  return t;
}

const struct todo *todo_again(struct align *s, const struct core *loop, term_id question,
                              const bool *live) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){
      .kind = TODO_AGAIN, .command = loop, .question = question, .span = loop->span, .live = live};
  return t;
}

const struct todo *todo_exit(struct align *s) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){.kind = TODO_EXIT};
  return t;
}

static struct align_path path_copy(struct exec *x, const struct align_path *p) {
  struct align_path copy = *p;
  copy.state = align_state_copy(x->s, &p->state);
  return copy;
}

static void set_var(struct exec *x, struct align_path *p, term_id var, term_id value,
                    const struct form *diff) {
  size_t i = align_var(x->s, var);
  if (i == SIZE_MAX) return;
  p->state.value[i] = value;
  p->state.diff[i] = diff;
}

static term_id add_unknown(struct exec *x, struct align_path *p, term_id fresh) {
  term_list all = {0};
  for (size_t i = 0; i < p->unknowns.len; i++)
    vec_push(&all, p->unknowns.at[i]);
  vec_push(&all, fresh);
  p->unknowns.len = all.len;
  p->unknowns.at = arena_take_vec(x->s->arena, &all);
  return fresh;
}

static void require(struct exec *x, struct align_path *p, const struct form *form, struct span span,
                    const char *what, term_id var) {
  if (form_is_zero(form)) return;
  struct align_require *r = arena_new(x->s->arena, struct align_require);
  *r = (struct align_require){p->requires, form, span, what, var};
  p->requires = r;
}

static struct align_where here(const struct exec *x, const struct align_path *p) {
  return (struct align_where){x->s, x->start, p};
}

static const struct form *diff_of(struct exec *x, const struct align_path *p, term_id t) {
  struct align_where at = here(x, p);
  return align_differ(&at, t);
}

/* ---- decisions ------------------------------------------------------------------------------- */

static void decide_atom(struct exec *x, struct align_path *p, term_id atom, enum relation yes,
                        enum relation no, const struct form *gap, struct span span,
                        const struct todo *on_yes, const struct todo *on_no) {
  if (x->out->len >= ALIGN_PATHS) x->failed = true;
  if (x->failed) return;
  struct align_path other = path_copy(x, p);
  struct align_decision *d = arena_alloc(x->s->arena, 2 * sizeof *d);
  d[0] = (struct align_decision){p->decisions, atom, true, yes, gap, span, p->sample_count};
  d[1] = (struct align_decision){p->decisions, atom, false, no, gap, span, p->sample_count};
  p->decisions = &d[0];
  other.decisions = &d[1];
  run(x, p, on_yes);
  run(x, &other, on_no);
}

/* A subterm that must be decided before the term can be compared: the condition of an
 * if-then-else, a truth value that may differ, or whether an index is the one that differs. */
struct fork {
  term_id subterm;   /* TERM_NONE: a ghost */
  term_id condition; /* of the subterm, or the ghost atom */
  term_id yes, no;   /* what the subterm becomes */
};

/* Is it a value of which it matters whether an index in it is the one that differs? */
static bool has_ghosts(struct exec *x, term_id t) {
  if (align_is_private(x->s, t)) return true;
  return term_kind(x->s->ts, t) == TERM_EQ && align_reads_private(x->s, t);
}

static bool find_ghost(struct exec *x, const struct align_path *p, term_id t, struct fork *out) {
  struct terms *ts = x->s->ts;
  struct align_read read;
  if (!has_ghosts(x, t) || !align_read_of(x->s, align_state_value(x->s, &p->state, t), &read))
    return false;
  struct align_where at = here(x, p);
  size_t w;
  term_id index;
  if (align_read_known(&at, &read, &w, &index) >= 0) return false;
  *out =
      (struct fork){TERM_NONE, term_eq(ts, index, x->s->witnesses.at[w].var), TERM_NONE, TERM_NONE};
  return true;
}

/* Is this element the one in which the array differs? */
static bool find_place(struct exec *x, const struct align_path *p, term_id t, struct fork *out) {
  struct align_where at = here(x, p);
  struct align_access a;
  if (!align_access(&at, t, &a) || a.is_place >= 0) return false;
  *out = (struct fork){TERM_NONE, term_eq(x->s->ts, a.index, a.place), TERM_NONE, TERM_NONE};
  return true;
}

static bool find_fork(struct exec *x, const struct align_path *p, term_id t, struct fork *out) {
  struct terms *ts = x->s->ts;
  enum term_kind kind = term_kind(ts, t);
  if (kind == TERM_FORALL || kind == TERM_EXISTS) return false;
  struct align_where at = here(x, p);
  if (kind == TERM_ITE && align_is_private(x->s, t) && align_is_data(&at, t))
    return find_ghost(x, p, t, out);
  if (kind == TERM_ITE && term_sort(ts, t) != SORT_BOOL) {
    *out = (struct fork){t, term_arg(ts, t, 0), term_arg(ts, t, 1), term_arg(ts, t, 2)};
    return true;
  }
  bool whole = kind == TERM_AND || kind == TERM_OR; /* `decide` knows where to begin */
  for (size_t i = 0; i < term_arg_count(ts, t) && !whole; i++)
    if (find_fork(x, p, term_arg(ts, t, i), out)) return true;
  if (term_sort(ts, t) == SORT_BOOL && kind != TERM_TRUE && kind != TERM_FALSE &&
      !form_is_zero(diff_of(x, p, t))) {
    *out = (struct fork){t, t, term_bool(ts, true), term_bool(ts, false)};
    return true;
  }
  return find_ghost(x, p, t, out) || find_place(x, p, t, out);
}

static void decide(struct exec *x, struct align_path *p, const struct todo *q);

static void decide_again(struct exec *x, struct align_path *p, term_id question, struct span span,
                         const struct todo *yes, const struct todo *no) {
  decide(x, p, todo_question(x->s, question, span, yes, no));
}

/* Both runs compare alike if the gap between the sides moves the right way. */
static void decide_comparison(struct exec *x, struct align_path *p, const struct todo *q,
                              term_id atom) {
  struct terms *ts = x->s->ts;
  term_id t = q->question;
  enum term_kind kind = term_kind(ts, t);
  bool ordered = kind == TERM_LE || kind == TERM_LT;
  bool numeric = ordered || (kind == TERM_EQ && sort_is_numeric(term_sort(ts, term_arg(ts, t, 0))));
  const struct form *gap = numeric ? form_add(&x->s->forms, diff_of(x, p, term_arg(ts, t, 1)),
                                              ratio_int(-1), diff_of(x, p, term_arg(ts, t, 0)))
                                   : diff_of(x, p, t);
  struct align_where at = here(x, p);
  if (!form_is_zero(gap) && align_agrees(&at, t)) gap = &FORM_ZERO;
  enum relation yes = form_is_zero(gap) ? REL_NONE : ordered ? REL_GE : REL_EQ;
  enum relation no = form_is_zero(gap) ? REL_NONE : ordered ? REL_LE : REL_EQ;
  decide_atom(x, p, atom, yes, no, gap, q->span, q->yes, q->no);
}

/* The operand to decide first: one that is equal in both runs, since it may decide for nothing. */
static size_t first_operand(struct exec *x, const struct align_path *p, term_id t) {
  size_t count = term_arg_count(x->s->ts, t);
  for (size_t i = 0; i < count; i++)
    if (form_is_zero(diff_of(x, p, term_arg(x->s->ts, t, i)))) return i;
  return 0;
}

static term_id all_but(struct terms *ts, term_id t, size_t operand) {
  term_list rest = {0};
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    if (i != operand) vec_push(&rest, term_arg(ts, t, i));
  term_id result = term_kind(ts, t) == TERM_AND ? term_and_all(ts, rest.at, rest.len)
                                                : term_or_all(ts, rest.at, rest.len);
  vec_clear(&rest);
  return result;
}

static void decide(struct exec *x, struct align_path *p, const struct todo *q) {
  struct terms *ts = x->s->ts;
  term_id t = q->question, value = align_state_value(x->s, &p->state, t);
  if (value == TERM_NONE) {
    x->failed = true;
    return;
  }
  enum term_kind known = term_kind(ts, value);
  if (known == TERM_TRUE || known == TERM_FALSE) {
    run(x, p, known == TERM_TRUE ? q->yes : q->no);
    return;
  }
  enum term_kind kind = term_kind(ts, t);
  term_id first = term_arg_count(ts, t) ? term_arg(ts, t, 0) : TERM_NONE;
  if (kind == TERM_NOT) {
    decide_again(x, p, first, q->span, q->no, q->yes);
  } else if (kind == TERM_AND || kind == TERM_OR) {
    size_t operand = first_operand(x, p, t);
    const struct todo *rest = todo_question(x->s, all_but(ts, t, operand), q->span, q->yes, q->no);
    first = term_arg(ts, t, operand);
    if (kind == TERM_AND)
      decide_again(x, p, first, q->span, rest, q->no);
    else
      decide_again(x, p, first, q->span, q->yes, rest);
  } else if (kind == TERM_IMPLIES) {
    decide_again(x, p, first, q->span,
                 todo_question(x->s, term_arg(ts, t, 1), q->span, q->yes, q->no), q->yes);
  } else if (kind == TERM_EQ && term_sort(ts, first) == SORT_BOOL) {
    term_id second = term_arg(ts, t, 1);
    decide_again(x, p, first, q->span, todo_question(x->s, second, q->span, q->yes, q->no),
                 todo_question(x->s, second, q->span, q->no, q->yes));
  } else if (kind == TERM_ITE) {
    decide_again(x, p, first, q->span,
                 todo_question(x->s, term_arg(ts, t, 1), q->span, q->yes, q->no),
                 todo_question(x->s, term_arg(ts, t, 2), q->span, q->yes, q->no));
  } else {
    struct fork f;
    for (size_t i = 0; i < term_arg_count(ts, t); i++) {
      if (!find_fork(x, p, term_arg(ts, t, i), &f)) continue;
      if (f.subterm == TERM_NONE) {
        decide_atom(x, p, f.condition, REL_NONE, REL_NONE, &FORM_ZERO, q->span, q, q);
        return;
      }
      term_id with_yes = term_replace(ts, t, &f.subterm, &f.yes, 1),
              with_no = term_replace(ts, t, &f.subterm, &f.no, 1);
      decide_again(x, p, f.condition, q->span,
                   todo_question(x->s, with_yes, q->span, q->yes, q->no),
                   todo_question(x->s, with_no, q->span, q->yes, q->no));
      return;
    }
    struct align_where at = here(x, p);
    int seen = align_atom_known(&at, value);
    if (seen >= 0)
      run(x, p, seen ? q->yes : q->no);
    else
      decide_comparison(x, p, q, value);
  }
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Decides what must be decided before a command with this term can be executed. */
static bool fork_first(struct exec *x, struct align_path *p, const struct todo *todo, term_id t,
                       const struct core *(*with)(struct exec *, const struct core *, term_id)) {
  struct terms *ts = x->s->ts;
  struct fork f;
  if (!find_fork(x, p, t, &f)) return false;
  if (f.subterm == TERM_NONE) {
    decide_atom(x, p, f.condition, REL_NONE, REL_NONE, &FORM_ZERO, todo->span, todo, todo);
    return true;
  }
  const struct core *c = todo->command;
  const struct core *yes = with(x, c, term_replace(ts, t, &f.subterm, &f.yes, 1));
  const struct core *no = with(x, c, term_replace(ts, t, &f.subterm, &f.no, 1));
  decide_again(x, p, f.condition, todo->span, todo_command(x->s, yes, todo->next),
               todo_command(x->s, no, todo->next));
  return true;
}

/* The sampling in the program; a copy with a simpler centre points to it. */
static const struct core *site_of(const struct core *c) {
  return c->first ? c->first : c;
}

static const struct core *with_value(struct exec *x, const struct core *c, term_id value) {
  return core_assign(x->s->arena, c->span, c->var, value);
}

static const struct core *with_centre(struct exec *x, const struct core *c, term_id centre) {
  term_id args[8];
  for (size_t i = 0; i < c->arg_count && i < 8; i++)
    args[i] = i ? c->args[i] : centre;
  struct core *copy = arena_memdup(x->s->arena, c, sizeof *c);
  copy->first = site_of(c);
  copy->args = arena_memdup(x->s->arena, args, c->arg_count * sizeof *args);
  return copy;
}

static void assign(struct exec *x, struct align_path *p, const struct core *c) {
  struct align *s = x->s;
  const struct form *diff = diff_of(x, p, c->expr);
  sort_id sort = term_sort(s->ts, c->var);
  enum sort_kind kind = sort_get(s->ts, sort)->kind;
  if (kind == SORT_KIND_LIST) /* lists are outputs, or become arguments of adversaries */
    require(x, p, diff, c->span, "a value in a list", TERM_NONE);
  if (!sort_is_numeric(sort) && kind == SORT_KIND_LIST) diff = &FORM_ZERO;
  struct align_where at = here(x, p);
  term_id place = align_place_after(&at, c->expr);
  size_t v = align_var(s, c->var);
  if (place != TERM_NONE && v != SIZE_MAX && s->place.at[v] != SIZE_MAX)
    p->state.value[s->place.at[v]] = place;
  set_var(x, p, c->var, align_state_value(s, &p->state, c->expr), diff);
}

const char align_normal_centre[] = "a parameter of the noise";

static const char *what_of_parameter(const struct align *s, const struct core *c, size_t i) {
  bool normal = c->dist == DIST_GAUSS || c->dist == DIST_DISCRETE_GAUSS;
  bool pure = kernel_notion(s->k).kind == NOTION_PURE;
  return normal && pure && i == 0 ? align_normal_centre : "a parameter of the noise";
}

static void sample(struct exec *x, struct align_path *p, const struct core *c) {
  struct align *s = x->s;
  struct align_sample *y = arena_new(s->arena, struct align_sample);
  bool shiftable = c->arg_count == 2 && dist_can_shift(s->ts, kernel_notion(s->k), c->dist);
  for (size_t i = shiftable; i < c->arg_count; i++)
    require(x, p, diff_of(x, p, c->args[i]), c->span, what_of_parameter(s, c, i), TERM_NONE);
  *y = (struct align_sample){.previous = p->samples,
                             .site = site_of(c),
                             .order = p->sample_count++,
                             .fresh = term_fresh(s->ts, c->var),
                             .centre = shiftable ? diff_of(x, p, c->args[0]) : &FORM_ZERO,
                             .scale = TERM_NONE,
                             .before = align_state_copy(s, &p->state),
                             .decided = p->decisions};
  const struct form *diff = &FORM_ZERO;
  if (shiftable) {
    y->scale = align_state_value(s, &p->state, c->args[1]);
    y->shift = forms_atom(
        &s->forms,
        (struct atom){.kind = ATOM_SHIFT, .low = ratio_infinite(-1), .high = ratio_infinite(1)});
    diff = form_atom(&s->forms, y->shift);
    p->samples = y;
  }
  set_var(x, p, c->var, y->fresh, diff);
  add_unknown(x, p, y->fresh);
  const struct view_event *event = view_event(s->problem, y->site);
  struct align_where at = here(x, p);
  if (event && align_event_known(&at, event) != 1) event = NULL;
  if (event) p->assumed = align_assume(s, p->assumed, event);
  term_id bound = !event || !event->still ? TERM_NONE : event->high;
  if (event && event->still && bound == TERM_NONE) bound = event->low;
  if (bound != TERM_NONE)
    require(x, p, diff_of(x, p, term_sub(s->ts, c->var, bound)), c->span,
            "what it is compared with", TERM_NONE);
}

/* Is something assumed of the sample in this iteration? Decides it. */
static bool event_first(struct exec *x, struct align_path *p, const struct todo *todo) {
  const struct view_event *event = view_event(x->s->problem, site_of(todo->command));
  struct align_where at = here(x, p);
  if (!event || align_event_known(&at, event) >= 0) return false;
  decide_atom(x, p, align_event_atom(&at, event), REL_NONE, REL_NONE, &FORM_ZERO, todo->span, todo,
              todo);
  return true;
}

/* A part by itself: only its result is known afterwards, and equal in both runs. */
static void run_part(struct exec *x, struct align_path *p, const struct core *c,
                     const struct part *part) {
  struct align *s = x->s;
  for (size_t i = 0; i < c->arg_count; i++)
    require(x, p, diff_of(x, p, c->args[i]), c->span, "what the loop reads", TERM_NONE);
  term_id cost = align_state_value(s, &p->state, part->side[s->swapped].cost);
  p->paid = p->paid == TERM_NONE ? cost : term_add(s->ts, p->paid, cost);
  term_list written = {0};
  core_writes(part->code, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id fresh = term_fresh(s->ts, written.at[i]);
    set_var(x, p, written.at[i], fresh, written.at[i] == c->var ? &FORM_ZERO : &FORM_UNKNOWN);
    add_unknown(x, p, fresh);
  }
  vec_clear(&written);
}

static void adversary(struct exec *x, struct align_path *p, const struct core *c) {
  struct align *s = x->s;
  for (size_t i = 0; i < c->arg_count; i++)
    require(x, p, diff_of(x, p, c->args[i]), c->span, "an argument of the adversary", TERM_NONE);
  require(x, p, diff_of(x, p, c->state), c->span, "the state of the adversary", TERM_NONE);
  const term_id written[] = {c->state, c->var};
  for (size_t i = 0; i < 2; i++) {
    term_id fresh = term_fresh(s->ts, written[i]);
    set_var(x, p, written[i], fresh, &FORM_ZERO);
    add_unknown(x, p, fresh);
  }
}

/* ---- branches that data decide --------------------------------------------------------------- */

/* Nothing but assignments of numbers, and branches with no more than these? */
static bool is_plain(struct terms *ts, const struct core *c) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF)
    return is_plain(ts, c->first) && is_plain(ts, c->second);
  return c->kind == CORE_SKIP || (c->kind == CORE_ASSIGN && sort_is_numeric(term_sort(ts, c->var)));
}

static bool has_branch(const struct core *c) {
  if (c->kind == CORE_SEQ) return has_branch(c->first) || has_branch(c->second);
  return c->kind == CORE_IF;
}

static void execute_plain(struct exec *x, struct align_path *p, const struct core *c) {
  if (c->kind == CORE_SEQ) {
    execute_plain(x, p, c->first);
    execute_plain(x, p, c->second);
  } else if (c->kind == CORE_ASSIGN) {
    assign(x, p, c);
  }
}

/* Run 1 is as in `p`, run 2 as in `other`: the runs have parted and meet again. */
static void meet(struct exec *x, struct align_path *p, const struct align_path *other) {
  struct align *s = x->s;
  for (size_t v = 0; v < s->vars.len; v++) {
    term_id mine = p->state.value[v], theirs = other->state.value[v];
    if (mine == theirs && p->state.diff[v] == other->state.diff[v]) continue;
    const struct form *diff = &FORM_UNKNOWN;
    term_id gap =
        sort_is_numeric(term_sort(s->ts, mine)) ? term_sub(s->ts, theirs, mine) : TERM_NONE;
    bool fixed = gap != TERM_NONE && term_is_num(s->ts, gap);
    if (fixed)
      diff =
          form_add(&s->forms, other->state.diff[v], ratio_int(1),
                   form_number(&s->forms, ratio_from_fmpq(term_num_value(s->ts, gap)), TERM_NONE));
    else if (mine == theirs)
      diff = other->state.diff[v];
    p->state.diff[v] = diff;
  }
}

/* What the code makes of variables, over the variables before. */
struct plain {
  term_list vars, values;
};

static term_id value_in(const struct plain *v, term_id var) {
  for (size_t i = 0; i < v->vars.len; i++)
    if (v->vars.at[i] == var) return v->values.at[i];
  return var;
}

static void set_value(struct plain *v, term_id var, term_id value) {
  for (size_t i = 0; i < v->vars.len; i++)
    if (v->vars.at[i] == var) {
      v->values.at[i] = value;
      return;
    }
  vec_push(&v->vars, var);
  vec_push(&v->values, value);
}

static term_id value_after(struct terms *ts, const struct plain *v, term_id t) {
  return t == TERM_NONE ? t : term_subst(ts, t, v->vars.at, v->values.at, v->vars.len);
}

static void plain_clear(struct plain *v) {
  vec_clear(&v->vars);
  vec_clear(&v->values);
}

static void plain_values(struct terms *ts, const struct core *c, struct plain *v) {
  if (c->kind == CORE_SEQ) {
    plain_values(ts, c->first, v);
    plain_values(ts, c->second, v);
  } else if (c->kind == CORE_ASSIGN) {
    set_value(v, c->var, value_after(ts, v, c->expr));
  } else if (c->kind == CORE_IF) {
    struct plain yes = {0}, no = {0};
    term_id condition = value_after(ts, v, c->expr);
    term_list written = {0}, values = {0};
    plain_values(ts, c->first, &yes);
    plain_values(ts, c->second, &no);
    core_writes(c, &written);
    for (size_t i = 0; i < written.len; i++)
      vec_push(&values, term_ite(ts, condition, value_after(ts, v, value_in(&yes, written.at[i])),
                                 value_after(ts, v, value_in(&no, written.at[i]))));
    for (size_t i = 0; i < written.len; i++)
      set_value(v, written.at[i], values.at[i]);
    plain_clear(&yes);
    plain_clear(&no);
    vec_clear(&written);
    vec_clear(&values);
  }
}

/* a - b, choices in them kept outside: (if c then x + 1 else x) - x is if c then 1 else 0. */
static term_id gap_between(struct terms *ts, term_id a, term_id b) {
  if (a == TERM_NONE || b == TERM_NONE) return TERM_NONE;
  bool left = term_kind(ts, a) == TERM_ITE, right = term_kind(ts, b) == TERM_ITE;
  if (!left && !right) return term_sub(ts, a, b);
  term_id choice = left ? a : b;
  term_id yes = term_arg(ts, choice, 1), no = term_arg(ts, choice, 2);
  return term_ite(ts, term_arg(ts, choice, 0), gap_between(ts, left ? yes : a, left ? b : yes),
                  gap_between(ts, left ? no : a, left ? b : no));
}

/* `if a < b then b else a` is max(a, b), and so on; TERM_NONE: it is no such choice. */
static term_id as_extreme(struct terms *ts, term_id c, term_id yes, term_id no) {
  bool negated = term_kind(ts, c) == TERM_NOT;
  if (negated) c = term_arg(ts, c, 0);
  if (term_kind(ts, c) != TERM_LE && term_kind(ts, c) != TERM_LT) return TERM_NONE;
  term_id low = term_to_real(ts, term_arg(ts, c, 0)), high = term_to_real(ts, term_arg(ts, c, 1));
  term_id chosen = term_to_real(ts, negated ? no : yes),
          other = term_to_real(ts, negated ? yes : no);
  if (chosen == high && other == low) return term_max(ts, yes, no);
  return chosen == low && other == high ? term_min(ts, yes, no) : TERM_NONE;
}

/* What a variable becomes if c decides between two values, where that is a number made of data.
 * `if c { x := x + e; }` is `x := x + (if c then e else 0)`: the best form for sums. */
struct choice {
  term_id value; /* TERM_NONE: not of this kind */
  const struct form *diff;
};

/* base + (if c then yes - base else no - base), if what is added is data. */
static struct choice choose_added(struct exec *x, const struct align_path *p, term_id c,
                                  term_id base, term_id yes, term_id no) {
  struct terms *ts = x->s->ts;
  struct align_where at = here(x, p);
  term_id more = gap_between(ts, yes, base), less = gap_between(ts, no, base);
  bool numbers = more != TERM_NONE && less != TERM_NONE;
  term_id added = numbers ? term_ite(ts, c, more, less) : TERM_NONE;
  if (added == TERM_NONE || !align_computes_data(&at, added))
    return (struct choice){TERM_NONE, NULL};
  return (struct choice){
      align_state_value(x->s, &p->state, term_add(ts, base, added)),
      form_add(&x->s->forms, diff_of(x, p, base), ratio_int(1), diff_of(x, p, added))};
}

static struct choice choose(struct exec *x, const struct align_path *p, term_id c, term_id var,
                            term_id yes, term_id no) {
  struct terms *ts = x->s->ts;
  struct choice none = {TERM_NONE, NULL};
  if (yes == TERM_NONE || no == TERM_NONE) return none;
  struct align_where at = here(x, p);
  struct choice sum = choose_added(x, p, c, var, yes, no);
  if (sum.value == TERM_NONE) sum = choose_added(x, p, c, no, yes, no);
  if (sum.value != TERM_NONE) return sum;
  term_id extreme = as_extreme(ts, c, yes, no);
  if (extreme != TERM_NONE) {
    const struct form *diff = diff_of(x, p, extreme);
    if (!form_is_vague(&x->s->forms, diff))
      return (struct choice){align_state_value(x->s, &p->state, extreme), diff};
  }
  sort_id sort = term_sort(ts, var);
  term_id whole = term_ite(ts, c, term_coerce(ts, yes, sort), term_coerce(ts, no, sort));
  term_id value = whole == TERM_NONE ? TERM_NONE : align_state_value(x->s, &p->state, whole);
  const struct form *diff = align_differ_data(&at, value);
  return diff ? (struct choice){value, diff} : none;
}

/* The whole branch in this form; false: it is not of this kind, nothing was done. What had no value
 * before and has none after one of the branches is not read again, unless it is the result. */
static bool choose_all(struct exec *x, struct align_path *p, const struct core *c) {
  struct terms *ts = x->s->ts;
  struct plain yes = {0}, no = {0};
  term_list written = {0};
  plain_values(ts, c->first, &yes);
  plain_values(ts, c->second, &no);
  core_writes(c, &written);
  struct align_path after = path_copy(x, p);
  bool ok = true;
  for (size_t i = 0; i < written.len && ok; i++) {
    term_id var = written.at[i];
    struct choice made = choose(x, p, c->expr, var, value_in(&yes, var), value_in(&no, var));
    bool is_left = var != claim_program(x->s->problem->goal)->result &&
                   align_is_unset(x->s, &p->state, align_var(x->s, var));
    if (made.value == TERM_NONE && is_left)
      made = (struct choice){add_unknown(x, &after, term_fresh(ts, var)), &FORM_UNKNOWN};
    ok = made.value != TERM_NONE;
    if (ok) set_var(x, &after, var, made.value, made.diff);
  }
  if (ok) *p = after;
  plain_clear(&yes);
  plain_clear(&no);
  vec_clear(&written);
  return ok;
}

/* A condition on data that no shift can make equal, with assignments only: each run goes its own
 * way. False: not of this kind. */
static bool part(struct exec *x, struct align_path *p, const struct core *c,
                 const struct todo *next) {
  struct align *s = x->s;
  const struct form *diff = diff_of(x, p, c->expr);
  if (!is_plain(s->ts, c->first) || !is_plain(s->ts, c->second) || form_is_zero(diff) ||
      form_has_shift(&s->forms, diff))
    return false;
  if (choose_all(x, p, c)) {
    run(x, p, next);
    return true;
  }
  term_id atom = align_state_value(s, &p->state, c->expr);
  if (atom == TERM_NONE || x->out->len >= ALIGN_PATHS) return false;
  if (has_branch(c->first) || has_branch(c->second)) return false;
  for (int yes = 0; yes < 2; yes++)
    for (int with = 0; with < 2; with++) {
      struct align_path one = path_copy(x, p), two = path_copy(x, p);
      execute_plain(x, &one, yes ? c->first : c->second);
      execute_plain(x, &two, yes == with ? c->first : c->second);
      meet(x, &one, &two);
      struct align_decision *d = arena_new(s->arena, struct align_decision);
      *d = (struct align_decision){p->decisions, atom,           yes, REL_NONE, &FORM_ZERO,
                                   c->span,      p->sample_count};
      one.decisions = d;
      run(x, &one, next);
    }
  return true;
}

/* Does the code leave everything as it is, in both runs? */
static bool changes_nothing(struct exec *x, const struct align_path *p, const struct core *c) {
  size_t v = c->kind == CORE_ASSIGN ? align_var(x->s, c->var) : SIZE_MAX;
  if (v == SIZE_MAX) return c->kind == CORE_SKIP;
  return align_state_value(x->s, &p->state, c->expr) == p->state.value[v] &&
         form_is_zero(p->state.diff[v]) && form_is_zero(diff_of(x, p, c->expr));
}

/* Decides whether indices in the term are the one that differs. */
static bool ghosts_first(struct exec *x, struct align_path *p, const struct todo *todo, term_id t) {
  term_list parts = {0};
  term_subterms(x->s->ts, t, &parts);
  bool forked = false;
  for (size_t i = 0; i < parts.len && !forked; i++) {
    struct fork f;
    if (!find_ghost(x, p, parts.at[i], &f) && !find_place(x, p, parts.at[i], &f)) continue;
    decide_atom(x, p, f.condition, REL_NONE, REL_NONE, &FORM_ZERO, todo->span, todo, todo);
    forked = true;
  }
  vec_clear(&parts);
  return forked;
}

/* An index in the value that is as it is before the loop, and of which it is open whether it is the
 * one that differs. */
static bool find_lasting(struct exec *x, const struct align_path *p, term_id t,
                         const term_list *written, struct fork *out) {
  struct align_read read;
  struct align_where at = here(x, p);
  if (!align_read_of(x->s, t, &read)) return false;
  for (size_t i = 0; i < read.shape->spot_count; i++) {
    if (term_mentions(x->s->ts, read.index[i], written->at, written->len)) continue;
    term_id index = align_state_value(x->s, &p->state, read.index[i]);
    for (size_t w = 0; w < read.shape->spots[i].count; w++) {
      size_t witness = read.shape->spots[i].witness[w];
      if (index == TERM_NONE || align_ghost_known(&at, witness, index) >= 0) continue;
      term_id atom = term_eq(x->s->ts, index, x->s->witnesses.at[witness].var);
      *out = (struct fork){TERM_NONE, atom, TERM_NONE, TERM_NONE};
      return true;
    }
  }
  return false;
}

/* Is the condition not about private data, or about data that are equal in both runs? */
static bool is_same_in_both(struct align *s, term_id condition) {
  if (!align_reads_private(s, condition)) return true;
  const struct align_shape *shape = align_shape_of(s, condition);
  return shape && ratio_is_zero(shape->low) && ratio_is_zero(shape->high);
}

/* What of the condition both runs agree on in any case; TERM_NONE: nothing. */
static term_id agreed_part(struct align *s, term_id condition) {
  if (is_same_in_both(s, condition)) return condition;
  term_id all = TERM_NONE;
  for (size_t i = 0;
       term_kind(s->ts, condition) == TERM_AND && i < term_arg_count(s->ts, condition); i++) {
    term_id part = term_arg(s->ts, condition, i);
    if (!is_same_in_both(s, part)) continue;
    all = all == TERM_NONE ? part : term_and(s->ts, all, part);
  }
  return all;
}

/* A value that is read under a condition, as a number: `if c then value else 0`, or whether both
 * hold. The value itself if it is neither. */
static term_id value_under(struct align *s, term_id condition, term_id value) {
  sort_id sort = term_sort(s->ts, value);
  term_id zero = term_int(s->ts, 0);
  if (sort == SORT_BOOL)
    return term_ite(s->ts, term_and(s->ts, condition, value), term_int(s->ts, 1), zero);
  if (!sort_is_numeric(sort)) return value;
  return term_ite(s->ts, condition, value, term_coerce(s->ts, zero, sort));
}

/* Values that the code reads, those under a condition as `if c then value else 0`; appended. */
static void collect_reads(struct exec *x, const struct core *c, term_id condition, term_list *out) {
  struct align *s = x->s;
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    term_id agreed = c->kind == CORE_IF ? agreed_part(s, c->expr) : TERM_NONE;
    collect_reads(x, c->first, agreed != TERM_NONE ? agreed : condition, out);
    if (c->second) collect_reads(x, c->second, condition, out);
    if (c->kind == CORE_SEQ || agreed == c->expr) return;
    if (agreed != TERM_NONE) condition = agreed; /* the rest is asked where this holds */
  }
  term_list parts = {0};
  if (c->expr != TERM_NONE) term_subterms(s->ts, c->expr, &parts);
  for (size_t i = 0; i < c->arg_count; i++)
    term_subterms(s->ts, c->args[i], &parts);
  for (size_t i = 0; i < parts.len; i++) {
    if (!has_ghosts(x, parts.at[i])) continue;
    terms_add(out, parts.at[i]);
    if (condition != TERM_NONE) terms_add(out, value_under(s, condition, parts.at[i]));
  }
  vec_clear(&parts);
}

/* Reads in a loop whose index the loop does not change: decides before the loop whether it is the
 * one that differs, so that all iterations agree on it. */
static bool reads_first(struct exec *x, struct align_path *p, const struct todo *todo) {
  term_list all = {0}, written = {0};
  struct fork f;
  bool forked = false;
  collect_reads(x, todo->command, TERM_NONE, &all);
  core_writes(todo->command, &written);
  for (size_t i = 0; i < all.len && !forked; i++)
    forked = find_lasting(x, p, all.at[i], &written, &f);
  vec_clear(&all);
  vec_clear(&written);
  if (forked)
    decide_atom(x, p, f.condition, REL_NONE, REL_NONE, &FORM_ZERO, todo->span, todo, todo);
  return forked;
}

/* An increment of an array of tallies that is not the same in both runs. False: it is none, or
 * nothing is known of it. */
static bool tally(struct exec *x, struct align_path *p, const struct todo *todo) {
  struct align *s = x->s;
  struct align_tally t;
  const struct form *diff;
  term_id place;
  if (!align_tally_of(s, todo->command, &t) || t.key == TERM_NONE) return false;
  const term_id parts[] = {t.given, t.key, t.amount};
  bool equal = true;
  for (size_t i = 0; i < 3; i++)
    equal &= form_is_zero(diff_of(x, p, parts[i]));
  size_t v = align_var(s, t.array);
  if (equal && form_is_zero(p->state.diff[v])) return false;
  for (size_t i = 0; i < 3; i++)
    if (ghosts_first(x, p, todo, parts[i])) return true;
  struct align_where at = here(x, p);
  if (!align_tally_after(&at, &t, &diff, &place)) return false;
  term_list written = {0};
  core_writes(todo->command, &written);
  for (size_t i = 0; i < written.len; i++) /* besides the array what was computed for it */
    set_var(x, p, written.at[i], add_unknown(x, p, term_fresh(s->ts, written.at[i])),
            written.at[i] == t.array ? diff : &FORM_UNKNOWN);
  vec_clear(&written);
  p->state.value[s->place.at[v]] = place;
  run(x, p, todo->next);
  return true;
}

/* `x := if c then a else b` is a branch: so is what c decides, if that is data. */
static bool choice(struct exec *x, struct align_path *p, const struct todo *todo) {
  struct align *s = x->s;
  const struct core *c = todo->command;
  term_id e = c->expr;
  if (term_kind(s->ts, e) != TERM_ITE || !align_reads_private(s, term_arg(s->ts, e, 0)))
    return false;
  struct align_where at = here(x, p);
  if (align_is_data(&at, e)) return false;
  if (ghosts_first(x, p, todo, term_arg(s->ts, e, 0))) return true;
  const struct core *yes = with_value(x, c, term_arg(s->ts, e, 1));
  const struct core *no = with_value(x, c, term_arg(s->ts, e, 2));
  return part(x, p, core_if(s->arena, c->span, term_arg(s->ts, e, 0), yes, no), todo->next);
}

/* False: the path goes on elsewhere. */
static bool step(struct exec *x, struct align_path *p, const struct todo **todo) {
  const struct core *c = (*todo)->command;
  struct align *s = x->s;
  const struct todo *next = (*todo)->next;
  if (view_is_rejected(s->problem, c)) return false;
  const struct core *decided = align_decided(s, p->assumed, c);
  if (decided != c) {
    *todo = todo_command(s, decided, next);
    return true;
  }
  switch (c->kind) {
  case CORE_SKIP: break;
  case CORE_SEQ: *todo = todo_command(s, c->first, todo_command(s, c->second, next)); return true;
  case CORE_ASSIGN:
    if (tally(x, p, *todo) || choice(x, p, *todo)) return false;
    if (fork_first(x, p, *todo, c->expr, with_value)) return false;
    assign(x, p, c);
    break;
  case CORE_SAMPLE:
    if (view_part(s->problem, c)) {
      run_part(x, p, c, view_part(s->problem, c));
      break;
    }
    if (event_first(x, p, *todo)) return false;
    if (c->arg_count && fork_first(x, p, *todo, c->args[0], with_centre)) return false;
    sample(x, p, c);
    break;
  case CORE_IF:
    if (changes_nothing(x, p, c->first) && changes_nothing(x, p, c->second)) break;
    if (tally(x, p, *todo)) return false;
    if (ghosts_first(x, p, *todo, c->expr) || part(x, p, c, next)) return false;
    decide(x, p,
           todo_question(s, c->expr, c->span, todo_command(s, c->first, next),
                         todo_command(s, c->second, next)));
    return false;
  case CORE_WHILE:
    if (reads_first(x, p, *todo)) return false;
    p->end = PATH_LOOP;
    p->loop = c;
    p->rest = next;
    vec_push(x->out, *p);
    return false;
  case CORE_ADVERSARY: adversary(x, p, c); break;
  }
  *todo = next;
  return true;
}

/* Does a sample of this path live on? */
static bool leaves_sample(const struct align *s, const struct align_path *p, const bool *live) {
  for (const struct align_sample *y = p->samples; y; y = y->previous)
    for (size_t v = 0; v < s->vars.len; v++)
      if (live[v] && !ratio_is_zero(form_factor(p->state.diff[v], y->shift))) return true;
  return false;
}

/* Has the loop been told to end, by a flag that this iteration has set? */
static bool has_ended(struct align *s, const struct align_path *p, const struct core *loop) {
  term_id guard = align_state_value(s, &p->state, loop->expr);
  return guard != TERM_NONE && term_kind(s->ts, guard) == TERM_FALSE;
}

/* The end of an iteration. If a sample was drawn for the next one, it matters whether there is one;
 * both runs will agree on it. False: that has been decided, and the path goes on elsewhere. */
static bool look_ahead(struct exec *x, struct align_path *p, const struct todo *todo) {
  struct align *s = x->s;
  p->last = has_ended(s, p, todo->command);
  if (p->last || todo->question == TERM_NONE) return true;
  if (!leaves_sample(s, p, todo->live) || !form_is_zero(diff_of(x, p, todo->question))) return true;
  struct align_where at = here(x, p);
  bool negated = term_kind(s->ts, todo->question) == TERM_NOT;
  term_id question = negated ? term_arg(s->ts, todo->question, 0) : todo->question;
  term_id atom = align_state_value(s, &p->state, question);
  if (atom == TERM_NONE || term_mentions(s->ts, atom, p->unknowns.at, p->unknowns.len)) return true;
  if (term_arg_count(s->ts, atom) == 0 || align_atom_known(&at, atom) >= 0) return true;
  struct todo *last = arena_new(s->arena, struct todo);
  *last = (struct todo){.kind = TODO_LAST, .span = todo->span};
  decide_atom(x, p, atom, REL_NONE, REL_NONE, &FORM_ZERO, todo->span, negated ? last : NULL,
              negated ? NULL : last);
  return false;
}

static void run(struct exec *x, struct align_path *p, const struct todo *todo) {
  while (todo && !x->failed) {
    if (todo->kind == TODO_QUESTION) {
      decide(x, p, todo);
      return;
    }
    if (todo->kind == TODO_EXIT) {
      p->end = PATH_EXIT;
      break;
    }
    if (todo->kind == TODO_AGAIN && !look_ahead(x, p, todo)) return;
    p->last |= todo->kind == TODO_LAST;
    if (todo->kind != TODO_COMMAND) break;
    if (!step(x, p, &todo)) return;
  }
  if (!x->failed) vec_push(x->out, *p);
}

bool align_paths(struct align *s, const struct align_start *start, path_list *out) {
  struct exec x = {.s = s, .start = start, .out = out};
  struct align_path p = {.state = align_state_copy(s, &start->state), .end = PATH_END};
  run(&x, &p, start->todo);
  return !x.failed;
}
