#include "search/goals/accuracy_form.h"

#include <flint/fmpq_mat.h>

#include "claim/sums.h"
#include "kernel/context.h"
#include "kernel/dist.h"
#include "search/base/paths.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum { MOST_PATHS = 4, MOST_STATES = 16 };

struct finder {
  struct auto_problem *p;
  struct terms *ts;
  struct kernel *k;
  const struct core *loop;
  struct paths paths;
  term_list states;              /* at the head of the loop, about run 1: variables and sums */
  term_list means[MOST_PATHS];   /* what is expected of each after an iteration */
  term_list results[MOST_PATHS]; /* what they are then, over the samples */
  term_list atoms;               /* of all of these */
};

/* A counter of the current block: it grows by 1, and is `start` again after it was `last`. */
struct block {
  term_id counter, start, last; /* TERM_NONE: there is none */
  unsigned ends;                /* the paths at the end of a block, as bits */
};

static term_id own(struct finder *f, term_id t) {
  return kernel_tag(f->k, t, 1);
}

/* ---- what an iteration does ------------------------------------------------------------------- */

/* The sample is replaced by its mean, the last one first. */
static term_id mean_of(struct finder *f, const struct path *path, term_id t) {
  for (size_t i = path->samples.len; i-- > 0;) {
    const struct path_sample *s = &path->samples.at[i];
    t = term_subst(f->ts, t, &s->value, &s->args[0], 1);
  }
  return t;
}

static bool has_means(const struct paths *paths) {
  for (size_t i = 0; i < paths->samplings.len; i++) {
    enum dist_kind d = paths->samplings.at[i].at->dist;
    if (d != DIST_LAPLACE && d != DIST_DISCRETE_LAPLACE && d != DIST_GAUSS &&
        d != DIST_DISCRETE_GAUSS)
      return false;
  }
  return paths->list.len <= MOST_PATHS;
}

/* The sum of the claim that is applied here, or NULL. */
static const struct translate_sum *sum_applied(struct finder *f, term_id app) {
  const struct translate_env *env = claim_env(f->p->goal);
  if (term_kind(f->ts, app) == TERM_APP)
    for (size_t s = 0; s < env->sums.len; s++)
      if (term_get(f->ts, app)->data == env->sums.at[s].symbol) return &env->sums.at[s];
  return NULL;
}

/* Counters that always have the value of the index, as the index. */
static term_id with_index(struct finder *f, term_id t) {
  term_list written = {0};
  core_writes(f->loop->first, &written);
  for (size_t i = 0; i < written.len; i++)
    if (term_sort(f->ts, written.at[i]) == SORT_INT &&
        count_at(f->ts, view_program(f->p), f->loop, written.at[i]) == f->loop->var)
      t = term_subst(f->ts, t, &written.at[i], &f->loop->var, 1);
  vec_clear(&written);
  return t;
}

/* S(.., low, i) for a sum over the indices so far: what a way through an iteration adds to it, or is
 * expected to; else TERM_NONE. */
static term_id added_to_sum(struct finder *f, const struct path *path, term_id app, bool is_mean) {
  struct terms *ts = f->ts;
  const struct translate_sum *s = sum_applied(f, app);
  term_id at = sum_index(ts), i = own(f, f->loop->var);
  if (!s || term_arg(ts, app, s->arg_count + 1) != i) return TERM_NONE;
  term_id more = term_subst(ts, s->body, &at, &i, 1);
  for (size_t a = 0; a < s->arg_count; a++) {
    term_id var = s->args[a];
    if (var != sum_array(ts, term_sort(ts, var))) continue;
    term_id array = term_arg(ts, app, a);
    if (term_kind(ts, array) != TERM_VAR) return TERM_NONE;
    term_id after = path_after(ts, path, term_var_in_run(ts, array, 0));
    after = own(f, with_index(f, is_mean ? mean_of(f, path, after) : after));
    more = term_subst(ts, more, &var, &after, 1);
  }
  return more;
}

static void add_state(struct finder *f, term_id head, const term_id *after) {
  if (f->states.len == MOST_STATES) return;
  vec_push(&f->states, head);
  for (size_t p = 0; p < f->paths.list.len; p++) {
    vec_push(&f->results[p], own(f, after[p]));
    vec_push(&f->means[p], own(f, mean_of(f, &f->paths.list.at[p], after[p])));
  }
}

/* Numbers that the loop writes. */
static void add_variables(struct finder *f) {
  term_list written = {0};
  core_writes(f->loop->first, &written);
  for (size_t i = 0; i < written.len; i++) {
    term_id x = written.at[i], after[MOST_PATHS];
    if (term_sort(f->ts, x) != SORT_REAL) continue;
    for (size_t p = 0; p < f->paths.list.len; p++)
      after[p] = path_after(f->ts, &f->paths.list.at[p], x);
    add_state(f, own(f, x), after);
  }
  vec_clear(&written);
}

/* Sums over the inputs so far, in the error. */
static void add_sums(struct finder *f, term_id error) {
  term_list parts = {0};
  term_subterms(f->ts, error, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id q = parts.at[i];
    if (f->states.len == MOST_STATES || !f->paths.list.len ||
        added_to_sum(f, &f->paths.list.at[0], q, false) == TERM_NONE)
      continue;
    vec_push(&f->states, q);
    for (size_t p = 0; p < f->paths.list.len; p++) {
      const struct path *path = &f->paths.list.at[p];
      vec_push(&f->results[p], term_add(f->ts, q, added_to_sum(f, path, q, false)));
      vec_push(&f->means[p], term_add(f->ts, q, added_to_sum(f, path, q, true)));
    }
  }
  vec_clear(&parts);
}

/* ---- forms that an iteration keeps ------------------------------------------------------------ */

/* The row of an atom; that of constants is 0. */
static size_t row_of(struct finder *f, term_id atom) {
  for (size_t i = 0; i < f->atoms.len; i++)
    if (f->atoms.at[i] == atom) return i + 1;
  vec_push(&f->atoms, atom);
  return f->atoms.len;
}

static void collect_atoms(struct finder *f, term_id t) {
  struct linear l;
  linear_read(&l, f->ts, t);
  linear_normalise(&l);
  for (size_t i = 0; i < l.items.len; i++)
    row_of(f, l.items.at[i].atom);
  linear_clear(&l);
}

/* Adds the coefficients of t to a column, from row `from` on. */
static void put_column(struct finder *f, fmpq_mat_t m, size_t from, size_t column, term_id t,
                       int sign) {
  struct linear l;
  fmpq_t one;
  fmpq_init(one);
  fmpq_set_si(one, sign, 1);
  linear_init(&l);
  linear_add(&l, f->ts, one, t);
  linear_normalise(&l);
  fmpq *constant = fmpq_mat_entry(m, (slong)from, (slong)column);
  fmpq_add(constant, constant, &l.constant);
  for (size_t i = 0; i < l.items.len; i++) {
    fmpq *at = fmpq_mat_entry(m, (slong)(from + row_of(f, l.items.at[i].atom)), (slong)column);
    fmpq_add(at, at, &l.items.at[i].coefficient);
  }
  linear_clear(&l);
  fmpq_clear(one);
}

/* The column of the first entry that is not 0; -1: there is none. */
static slong pivot_of(const fmpq_mat_t m, slong row) {
  for (slong c = 0; c < fmpq_mat_ncols(m); c++)
    if (!fmpq_is_zero(fmpq_mat_entry(m, row, c))) return c;
  return -1;
}

/* Vectors x with m x = 0, as columns of `out` (initialised here). */
static void null_space(fmpq_mat_t out, const fmpq_mat_t m) {
  fmpq_mat_t r;
  slong n = fmpq_mat_ncols(m), next = 0;
  fmpq_mat_init(r, fmpq_mat_nrows(m), n);
  slong rank = fmpq_mat_rref(r, m);
  fmpq_mat_init(out, n, n - rank);
  for (slong c = 0; c < n; c++) {
    bool is_pivot = false;
    for (slong i = 0; i < rank && !is_pivot; i++)
      is_pivot = pivot_of(r, i) == c;
    if (is_pivot) continue;
    fmpq_one(fmpq_mat_entry(out, c, next));
    for (slong i = 0; i < rank; i++)
      fmpq_neg(fmpq_mat_entry(out, pivot_of(r, i), next), fmpq_mat_entry(r, i, c));
    next++;
  }
  fmpq_mat_clear(r);
}

/* Forms whose mean is 0 after the paths in `anew`, and stays as it is on the others. */
static void fair_forms(struct finder *f, unsigned anew, fmpq_mat_t out) {
  size_t n = f->states.len, height = f->atoms.len + 1;
  fmpq_mat_t m;
  fmpq_mat_init(m, (slong)(height * f->paths.list.len), (slong)n);
  for (size_t p = 0; p < f->paths.list.len; p++)
    for (size_t s = 0; s < n; s++) {
      put_column(f, m, p * height, s, f->means[p].at[s], 1);
      if (!(anew >> p & 1)) put_column(f, m, p * height, s, f->states.at[s], -1);
    }
  null_space(out, m);
  fmpq_mat_clear(m);
}

static term_id form_term(struct finder *f, const fmpq_mat_t x, const term_list *values) {
  term_id sum = term_rat(f->ts, 0, 1);
  for (size_t s = 0; s < values->len; s++)
    sum = term_add(
        f->ts, sum,
        term_mul(f->ts, term_num(f->ts, fmpq_mat_entry(x, (slong)s, 0), SORT_REAL), values->at[s]));
  return sum;
}

/* error = a form of `kept` + a form of `anew`: their coefficients; false: it is not. */
static bool split_error(struct finder *f, term_id error, const fmpq_mat_t kept,
                        const fmpq_mat_t anew, fmpq_mat_t first, fmpq_mat_t second) {
  slong n = (slong)f->states.len, a = fmpq_mat_ncols(kept), b = fmpq_mat_ncols(anew);
  size_t height = f->atoms.len + 1;
  fmpq_mat_t m, states, forms, x;
  fmpq_mat_init(m, (slong)height, a + b + 1);
  fmpq_mat_init(states, (slong)height, n);
  fmpq_mat_init(forms, n, a + b);
  fmpq_mat_init(x, a + b, 1);
  for (slong s = 0; s < n; s++) {
    put_column(f, states, 0, (size_t)s, f->states.at[s], 1);
    for (slong c = 0; c < a + b; c++)
      fmpq_set(fmpq_mat_entry(forms, s, c),
               c < a ? fmpq_mat_entry(kept, s, c) : fmpq_mat_entry(anew, s, c - a));
  }
  fmpq_mat_t shown;
  fmpq_mat_init(shown, (slong)height, a + b);
  fmpq_mat_mul(shown, states, forms);
  for (slong r = 0; r < (slong)height; r++)
    for (slong c = 0; c < a + b; c++)
      fmpq_set(fmpq_mat_entry(m, r, c), fmpq_mat_entry(shown, r, c));
  put_column(f, m, 0, (size_t)(a + b), error, 1);
  slong rank = fmpq_mat_rref(m, m);
  bool ok = true;
  for (slong r = 0; r < rank && ok; r++) {
    slong c = pivot_of(m, r);
    ok = c < a + b;
    if (ok) fmpq_set(fmpq_mat_entry(x, c, 0), fmpq_mat_entry(m, r, a + b));
  }
  for (slong s = 0; s < n && ok; s++)
    for (slong c = 0; c < a + b; c++) {
      fmpq *to = fmpq_mat_entry(c < a ? first : second, s, 0);
      fmpq_addmul(to, fmpq_mat_entry(forms, s, c), fmpq_mat_entry(x, c, 0));
    }
  fmpq_mat_clear(m);
  fmpq_mat_clear(states);
  fmpq_mat_clear(forms);
  fmpq_mat_clear(shown);
  fmpq_mat_clear(x);
  return ok;
}

/* ---- blocks ----------------------------------------------------------------------------------- */

/* What x is if the condition says x = e or x >= e; TERM_NONE: it does not. */
static term_id value_in(struct finder *f, term_id condition, term_id x) {
  struct terms *ts = f->ts;
  enum term_kind kind = term_kind(ts, condition);
  term_id found = TERM_NONE;
  if (kind == TERM_AND)
    for (size_t i = 0; i < term_arg_count(ts, condition) && found == TERM_NONE; i++)
      found = value_in(f, term_arg(ts, condition, i), x);
  if (kind != TERM_EQ && kind != TERM_LE) return found;
  for (int side = 0; side < 2; side++) {
    term_id a = term_arg(ts, condition, (size_t)side), b = term_arg(ts, condition, 1u - side);
    term_id value = term_sub(ts, b, term_sub(ts, a, x)); /* a = x + rest = b */
    if (value != TERM_NONE && (kind == TERM_EQ || side == 1) && kernel_is_constant(f->k, value))
      return value;
  }
  return TERM_NONE;
}

/* Is x a counter of blocks? */
static bool is_block(struct finder *f, term_id x, struct block *b) {
  struct terms *ts = f->ts;
  *b = (struct block){x, TERM_NONE, TERM_NONE, 0};
  for (size_t p = 0; p < f->paths.list.len; p++) {
    const struct path *path = &f->paths.list.at[p];
    term_id after = path_after(ts, path, x);
    if (after == term_add(ts, x, term_int(ts, 1))) continue;
    term_id last = value_in(f, path->condition, x);
    bool is_end = term_is_num(ts, after) && last != TERM_NONE;
    if (!is_end || (b->ends && (b->start != after || b->last != last))) return false;
    b->start = after;
    b->last = last;
    b->ends |= 1u << p;
  }
  return b->ends != 0;
}

static struct block find_block(struct finder *f) {
  struct block b = {TERM_NONE, TERM_NONE, TERM_NONE, 0};
  term_list written = {0};
  core_writes(f->loop->first, &written);
  bool found = false;
  for (size_t i = 0; i < written.len && !found; i++)
    found = written.at[i] != f->loop->var && term_sort(f->ts, written.at[i]) == SORT_INT &&
            is_block(f, written.at[i], &b);
  vec_clear(&written);
  if (!found) b.counter = TERM_NONE;
  return b;
}

/* ---- plans ------------------------------------------------------------------------------------ */

/* How many samples of the path change the sum; the largest scale of such a change goes to *scale. */
static long draws_on(struct finder *f, const struct path *path, term_id after, term_id *scale,
                     bool *is_heavy) {
  struct terms *ts = f->ts;
  long count = 0;
  for (size_t i = 0; i < path->samples.len; i++) {
    const struct path_sample *s = &path->samples.at[i];
    term_id next = term_add(ts, s->value, term_int(ts, 1));
    term_id slope = term_sub(ts, term_subst(ts, after, &s->value, &next, 1), after);
    if (slope == TERM_NONE || (term_is_num(ts, slope) && fmpq_is_zero(term_num_value(ts, slope))))
      continue;
    term_id size = term_mul(ts, term_abs(ts, slope), term_to_real(ts, own(f, s->args[1])));
    *scale = *scale == TERM_NONE || *scale == size ? size : term_max(ts, *scale, size);
    *is_heavy |= s->at->dist == DIST_LAPLACE || s->at->dist == DIST_DISCRETE_LAPLACE;
    count++;
  }
  return count;
}

/* Iterations that are left, in blocks of the length of the counter's. */
static term_id blocks_left(struct finder *f, const struct block *b, term_id iterations,
                           bool at_head) {
  struct terms *ts = f->ts;
  term_id length = term_sub(ts, term_add(ts, b->last, term_int(ts, 1)), b->start);
  if (at_head) iterations = term_add(ts, iterations, term_sub(ts, own(f, b->counter), b->start));
  return term_div(ts, iterations, length);
}

/* Fills in what is drawn; false: nothing is, or the scale is no number of the claim. */
static bool plan_draws(struct finder *f, const fmpq_mat_t form, unsigned anew,
                       const struct block *b, struct total_plan *t) {
  struct terms *ts = f->ts;
  long most = 0, most_at_ends = 0;
  t->scale = TERM_NONE;
  for (size_t p = 0; p < f->paths.list.len; p++) {
    term_id after = form_term(f, form, &f->results[p]);
    long d = draws_on(f, &f->paths.list.at[p], after, &t->scale, &t->is_heavy);
    bool is_end = b->counter != TERM_NONE && b->ends >> p & 1;
    if (is_end && d > most_at_ends) most_at_ends = d;
    if (!is_end && d > most) most = d;
  }
  if (t->scale == TERM_NONE || !kernel_is_constant(f->k, t->scale)) return false;
  term_id left = term_sub(ts, own(f, f->loop->args[1]), own(f, f->loop->var));
  term_id all = own(f, term_sub(ts, f->loop->args[1], f->loop->args[0]));
  bool has_blocks = b->counter != TERM_NONE;
  long d = most > most_at_ends ? most : most_at_ends;
  t->restarts = anew ? left : TERM_NONE;
  t->blocks = anew ? all : TERM_NONE;
  t->left = left;
  t->draws = all;
  if (has_blocks && anew == b->ends) { /* one block at a time */
    term_id length = term_sub(ts, term_add(ts, b->last, term_int(ts, 1)), b->start);
    t->left = term_sub(ts, length, term_sub(ts, own(f, b->counter), b->start));
    t->draws = length;
    t->restarts = blocks_left(f, b, left, true);
    t->blocks = blocks_left(f, b, all, false);
  } else if (has_blocks && !anew && !most) { /* once per block */
    t->left = blocks_left(f, b, left, true);
    t->draws = blocks_left(f, b, all, false);
  }
  if (d > 1) {
    t->left = term_mul(ts, term_int(ts, d), t->left);
    t->draws = term_mul(ts, term_int(ts, d), t->draws);
  }
  return true;
}

/* The same with a start in every iteration: more than there are, but how textbooks count. */
static void add_coarse(struct finder *f, struct total_split s, total_splits *out) {
  struct terms *ts = f->ts;
  for (size_t i = 0; i < s.count; i++) {
    struct total_plan *t = &s.parts[i];
    if (t->restarts == TERM_NONE) continue;
    t->restarts = term_sub(ts, own(f, f->loop->args[1]), own(f, f->loop->var));
    t->blocks = own(f, term_sub(ts, f->loop->args[1], f->loop->args[0]));
  }
  vec_push(out, s);
}

static void add_split(struct finder *f, const fmpq_mat_t first, const fmpq_mat_t second,
                      unsigned anew, total_splits *out) {
  struct terms *ts = f->ts;
  struct block b = find_block(f);
  struct total_split s = {.kept = term_bool(ts, true)};
  for (int i = 0; i < 2; i++) {
    struct total_plan *t = &s.parts[s.count];
    *t = (struct total_plan){.sum = form_term(f, i ? second : first, &f->states),
                             .unit = term_int(ts, 1)};
    if (fmpq_mat_is_zero(i ? second : first)) continue;
    if (!plan_draws(f, i ? second : first, i ? anew : 0, &b, t)) return;
    s.count++;
  }
  if (b.counter != TERM_NONE)
    s.kept = term_and(ts, term_le(ts, b.start, own(f, b.counter)),
                      term_le(ts, own(f, b.counter), b.last));
  if (!s.count) return;
  vec_push(out, s);
  if (b.counter != TERM_NONE) add_coarse(f, s, out);
}

static void split(struct finder *f, term_id error, total_splits *out) {
  slong n = (slong)f->states.len;
  fmpq_mat_t kept, anew;
  fair_forms(f, 0, kept);
  for (unsigned way = 1; way + 1 < 1u << f->paths.list.len; way++) {
    fmpq_mat_t first, second;
    fmpq_mat_init(first, n, 1);
    fmpq_mat_init(second, n, 1);
    fair_forms(f, way, anew);
    if (split_error(f, error, kept, anew, first, second)) add_split(f, first, second, way, out);
    fmpq_mat_clear(anew);
    fmpq_mat_clear(first);
    fmpq_mat_clear(second);
  }
  fmpq_mat_clear(kept);
}

/* Looks at the loop; false: it is beyond this. */
static bool open_finder(struct finder *f, struct auto_problem *p, const struct core *loop,
                        term_id error) {
  *f =
      (struct finder){.p = p, .ts = p->ts, .k = claim_kernel(p->goal, CLAIM_FORWARD), .loop = loop};
  if (loop->var == TERM_NONE || !paths_find(f->k, loop->first, &f->paths) || !has_means(&f->paths))
    return false;
  add_variables(f);
  add_sums(f, error);
  collect_atoms(f, error);
  for (size_t s = 0; s < f->states.len; s++) {
    collect_atoms(f, f->states.at[s]);
    for (size_t i = 0; i < f->paths.list.len; i++)
      collect_atoms(f, f->means[i].at[s]);
  }
  return true;
}

static void close_finder(struct finder *f) {
  for (size_t i = 0; i < MOST_PATHS; i++) {
    vec_clear(&f->means[i]);
    vec_clear(&f->results[i]);
  }
  vec_clear(&f->states);
  vec_clear(&f->atoms);
  paths_clear(&f->paths);
}

void form_splits(struct auto_problem *p, const struct core *loop, struct total_error error,
                 total_splits *out) {
  struct finder f;
  size_t before = out->len;
  if (open_finder(&f, p, loop, error.error)) split(&f, error.error, out);
  for (size_t i = before; i < out->len; i++)
    out->at[i].bound = error.within;
  close_finder(&f);
}

/* Is the error one of these forms? */
static bool is_form(struct finder *f, term_id error, const fmpq_mat_t forms) {
  fmpq_mat_t none, first, second;
  slong n = (slong)f->states.len;
  fmpq_mat_init(none, n, 0);
  fmpq_mat_init(first, n, 1);
  fmpq_mat_init(second, n, 1);
  bool ok = split_error(f, error, forms, none, first, second);
  fmpq_mat_clear(none);
  fmpq_mat_clear(first);
  fmpq_mat_clear(second);
  return ok;
}

bool form_may_be_fair(struct auto_problem *p, const struct core *loop, term_id error) {
  struct finder f;
  bool is_fair = true;
  if (open_finder(&f, p, loop, error)) {
    fmpq_mat_t kept, all;
    fair_forms(&f, 0, kept);
    fmpq_mat_init(all, (slong)f.states.len, (slong)f.states.len);
    fmpq_mat_one(all);
    is_fair = is_form(&f, error, kept) || !is_form(&f, error, all);
    fmpq_mat_clear(kept);
    fmpq_mat_clear(all);
  }
  close_finder(&f);
  return is_fair;
}
