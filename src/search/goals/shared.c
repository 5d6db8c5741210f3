#include "search/goals/shared.h"

#include "claim/sums.h"
#include "claim/translate.h"
#include "kernel/dist.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/sums.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/column.h"
#include "search/goals/vector.h"
#include "term/build.h"
#include "term/subst.h"

enum { MOST_SUMS = 6, MOST_LOOPS = 6, MOST_COLUMNS = 6 };

/* A sum of the adjacency, for its whole range. */
struct share {
  const struct translate_sum *sum;
  term_id whole, low, high;
  size_t loop; /* that pays for it; SIZE_MAX: none */
};

struct sharing {
  struct auto_problem *p;
  struct terms *ts;
  term_id most;  /* of all shares together */
  term_id per;   /* so much distance, or so many changes, cost 1 */
  bool changes;  /* the sums count these */
  term_id moved; /* by how much a sample moves then, at most */
  struct share shares[MOST_SUMS];
  size_t share_count;
  const struct core *loops[MOST_LOOPS];
  term_id index[MOST_LOOPS];
  size_t loop_count;
  term_id record; /* the one that differs, if the sums are about its elements; or TERM_NONE */
  struct column columns[MOST_COLUMNS];
  size_t column_count;
  term_list results; /* that loops write, for later */
};

/* ---- what the adjacency says ----------------------------------------------------------------- */

/* The index of a row whose elements the sum is about; TERM_NONE: there is none. */
static term_id record_of(const struct sharing *f, const struct translate_sum *sum, term_id app) {
  for (size_t a = 0; a < sum->arg_count; a++)
    if (sum_takes_any(f->ts, sum->args[a]) && term_sort(f->ts, sum->args[a]) == SORT_INT)
      return term_arg(f->ts, app, a);
  return TERM_NONE;
}

static bool add_share(struct sharing *f, term_id app) {
  const struct translate_env *env = claim_env(f->p->goal);
  if (term_kind(f->ts, app) != TERM_APP || f->share_count == MOST_SUMS) return false;
  size_t count = term_arg_count(f->ts, app);
  for (size_t i = 0; i < env->sums.len; i++) {
    if (term_get(f->ts, app)->data != env->sums.at[i].symbol) continue;
    f->record = record_of(f, &env->sums.at[i], app);
    f->shares[f->share_count++] = (struct share){.sum = &env->sums.at[i],
                                                 .whole = app,
                                                 .low = term_arg(f->ts, app, count - 2),
                                                 .high = term_arg(f->ts, app, count - 1),
                                                 .loop = SIZE_MAX};
    return true;
  }
  return false;
}

/* Does the sum count where data differ, `if a<1>[i] = a<2>[i] then 0 else 1`? */
static bool counts_changes(const struct sharing *f, const struct share *s) {
  term_id body = s->sum->body;
  if (term_kind(f->ts, body) != TERM_ITE) return false;
  term_id same = term_arg(f->ts, body, 1), other = term_arg(f->ts, body, 2);
  return term_is_num(f->ts, same) && fmpq_is_zero(term_num_value(f->ts, same)) &&
         term_is_num(f->ts, other) && fmpq_is_one(term_num_value(f->ts, other));
}

/* S <= c or S + S' + .. <= c? */
static bool is_bound(struct sharing *f, term_id fact) {
  f->share_count = 0;
  f->record = TERM_NONE;
  if (term_kind(f->ts, fact) != TERM_LE) return false;
  term_id left = term_arg(f->ts, fact, 0);
  f->most = term_arg(f->ts, fact, 1);
  bool ok = true;
  if (term_kind(f->ts, left) != TERM_ADD) return add_share(f, left);
  for (size_t i = 0; i < term_arg_count(f->ts, left) && ok; i++)
    ok = add_share(f, term_arg(f->ts, left, i));
  return ok;
}

/* Distances of Laplace noise, or changes; and squares where normal noise is paid for. */
static bool fits_notion(struct sharing *f) {
  struct notion_of notion = kernel_notion(claim_kernel(f->p->goal, CLAIM_FORWARD));
  bool squares = true;
  for (size_t i = 0; i < f->share_count; i++)
    squares &= term_kind(f->ts, f->shares[i].sum->body) == TERM_POW;
  return notion.kind == NOTION_PURE || (squares && f->record != TERM_NONE);
}

static bool find_bound(struct sharing *f) {
  const struct kernel *k = claim_kernel(f->p->goal, CLAIM_FORWARD);
  term_list facts = {0};
  for (size_t i = 0; i < kernel_fact_count(k); i++)
    term_conjuncts(f->ts, kernel_fact(k, i), &facts);
  bool found = false;
  for (size_t i = 0; i < facts.len && !found; i++)
    found = is_bound(f, facts.at[i]) && fits_notion(f);
  vec_clear(&facts);
  f->changes = found && counts_changes(f, &f->shares[0]);
  for (size_t j = 1; found && j < f->share_count; j++)
    if (counts_changes(f, &f->shares[j]) != f->changes) return false;
  return found;
}

/* ---- what the program does ------------------------------------------------------------------- */

/* How far the sample moves at most if what it is added to changes; TERM_NONE: not bounded. */
static term_id most_moved(struct sharing *f, const struct core *body, const struct core *sampling,
                          term_id index) {
  struct terms *ts = f->ts;
  struct kernel *k = claim_kernel(f->p->goal, CLAIM_FORWARD);
  term_id unit, by = vector_shift(f->p, body, sampling->var, &unit);
  if (term_is_num(ts, by))
    by = term_sub(ts, kernel_tag(k, sampling->args[0], 2), kernel_tag(k, sampling->args[0], 1));
  const term_id runs[] = {term_var_in_run(ts, index, 1), term_var_in_run(ts, index, 2)};
  const term_id both[] = {index, index};
  by = by == TERM_NONE ? by : term_subst(ts, by, runs, both, 2);
  struct known known;
  known_init(&known, f->p, CLAIM_FORWARD);
  term_id given =
      term_and(ts, term_le(ts, f->shares[0].low, index), term_lt(ts, index, f->shares[0].high));
  struct bounds b = known_bounds(&known, given, by);
  bool bounded = b.low != TERM_NONE && b.high != TERM_NONE;
  term_id most = bounded ? known_larger(&known, b.high, term_neg(ts, b.low)) : TERM_NONE;
  known_clear(&known);
  return most;
}

/* The price of distance 1, or of a change, the same for all samplings. */
static bool agrees_on_price(struct sharing *f, const struct core *body, const struct core *sampling,
                            term_id index) {
  struct notion_of notion = kernel_notion(claim_kernel(f->p->goal, CLAIM_FORWARD));
  term_id unit, rate = TERM_NONE;
  if (sampling->arg_count != 2) return false;
  vector_shift(f->p, body, sampling->var, &unit);
  if (f->changes) unit = f->moved = most_moved(f, body, sampling, index);
  if (unit == TERM_NONE) return false;
  rate = dist_price(f->ts, notion, sampling->dist, unit, sampling->args[1]);
  if (rate == TERM_NONE) return false;
  term_id per = cost_simplified(f->ts, term_div(f->ts, term_int(f->ts, 1), rate));
  if (f->per != TERM_NONE && f->per != per) return false;
  f->per = per;
  return per != TERM_NONE;
}

/* A loop that adds up records: it is noted. */
static bool add_column(struct sharing *f, const struct core *loop, bool by_record) {
  struct column *c = &f->columns[f->column_count];
  if (f->record == TERM_NONE || f->column_count == MOST_COLUMNS) return false;
  if (!column_read(f->ts, loop, c) || (c->inner != NULL) != by_record) return false;
  f->column_count++;
  return true;
}

static const struct column *column_of_loop(const struct sharing *f, const struct core *loop) {
  for (size_t i = 0; i < f->column_count; i++)
    if (f->columns[i].loop == loop) return &f->columns[i];
  return NULL;
}

/* Nothing but assignments, sums over records and such samplings, of which there are some? */
static bool is_noisy(struct sharing *f, const struct core *body, term_id index) {
  bool any = false;
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    bool samples = one->kind == CORE_SAMPLE;
    if (samples && !agrees_on_price(f, body, one, index)) return false;
    bool plain = one->kind == CORE_ASSIGN || one->kind == CORE_SKIP;
    if (!samples && !plain && !add_column(f, one, false)) return false;
    any |= samples;
    if (c->kind != CORE_SEQ) return any;
  }
}

static bool reads_input_of(struct sharing *f, const struct core *loop,
                           const struct translate_sum *sum) {
  term_list read = {0};
  bool found = false;
  core_reads(f->ts, loop, &read);
  for (size_t i = 0; i < sum->arg_count && !found; i++)
    found = term_var_get(f->ts, sum->args[i])->run != 0 &&
            terms_have(&read, term_var_in_run(f->ts, sum->args[i], 0));
  for (size_t c = 0; c < f->column_count && !found; c++)
    found = terms_have(&read, f->columns[c].value);
  vec_clear(&read);
  return found;
}

static bool add_loop(struct sharing *f, const struct core *loop) {
  term_id index, high;
  if (f->loop_count == MOST_LOOPS) return false;
  if (add_column(f, loop, true)) {
    f->loops[f->loop_count++] = loop;
    return true;
  }
  if (!vector_counts(f->ts, loop, &index, &high) || !is_noisy(f, loop->first, index)) return false;
  for (size_t i = 0; i < f->share_count; i++) {
    struct share *s = &f->shares[i];
    bool is_range = s->high == high && (loop->var == TERM_NONE || s->low == loop->args[0]);
    if (is_range && reads_input_of(f, loop, s->sum) && s->loop == SIZE_MAX) s->loop = f->loop_count;
  }
  f->index[f->loop_count] = index;
  f->loops[f->loop_count++] = loop;
  return true;
}

static bool find_loops(struct sharing *f) {
  for (const struct core *c = view_program(f->p);; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    bool plain = one->kind == CORE_ASSIGN || one->kind == CORE_SKIP;
    if (!plain && !add_loop(f, one)) return false;
    if (c->kind != CORE_SEQ) break;
  }
  for (size_t i = 0; i < f->share_count; i++)
    if (f->shares[i].loop == SIZE_MAX) return false;
  return f->loop_count > 0;
}

static bool mentions_inputs(struct sharing *f, term_id t) {
  for (size_t i = 0; i < f->share_count; i++)
    for (size_t a = 0; a < f->shares[i].sum->arg_count; a++) {
      term_id input = term_var_in_run(f->ts, f->shares[i].sum->args[a], 0);
      if (term_var_get(f->ts, f->shares[i].sum->args[a])->run && term_mentions(f->ts, t, &input, 1))
        return true;
    }
  return false;
}

/* Numbers that noisy values are added to. */
static void add_totals(struct sharing *f, const struct core *body, term_id index) {
  for (const struct core *c = body;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    bool adds = one->kind == CORE_ASSIGN && one->var != index &&
                sort_is_numeric(term_sort(f->ts, one->var)) &&
                term_mentions(f->ts, one->expr, &one->var, 1);
    if (adds && !mentions_inputs(f, one->expr)) terms_add(&f->results, one->var);
    if (c->kind != CORE_SEQ) return;
  }
}

/* Arrays that the loop fills; the output is equal anyway. */
static void add_results(struct sharing *f, const struct core *loop) {
  term_list written = {0};
  core_writes(loop, &written);
  for (size_t i = 0; i < written.len; i++)
    if (sort_get(f->ts, term_sort(f->ts, written.at[i]))->kind == SORT_KIND_ARRAY)
      terms_add(&f->results, written.at[i]);
  vec_clear(&written);
}

/* ---- the proof ------------------------------------------------------------------------------- */

/* Results are equal, and sums over records differ as the record does: those in an array that the
 * loop fills with noise, from its index on. */
static void write_results(struct sharing *f, struct text *out, size_t loop) {
  term_list kept = {0}, written = {0};
  core_writes(f->loops[loop], &written);
  for (size_t i = 0; i < loop; i++) {
    const struct column *c = column_of_loop(f, f->loops[i]);
    if (!c) continue;
    bool noisy = terms_have(&written, c->value);
    if (!noisy && terms_have(&f->results, c->value)) continue; /* it is equal by now */
    terms_add(&kept, c->value);
    column_say_behind(out, c, f->record, noisy ? f->index[loop] : c->inner->args[0]);
  }
  for (size_t i = 0; i < f->results.len; i++)
    if (!terms_have(&kept, f->results.at[i]))
      text_line(out, "invariant %t = %t;", term_var_in_run(f->ts, f->results.at[i], 1),
                term_var_in_run(f->ts, f->results.at[i], 2));
  vec_clear(&kept);
  vec_clear(&written);
}

/* What is left before iteration i of the loop: of its own shares from i on, of later ones all. */
static void write_budget(struct sharing *f, struct text *out, size_t loop) {
  struct terms *ts = f->ts;
  term_id k = text_fresh_name(f->p, "k", SORT_INT);
  bool is_while = f->loops[loop]->var == TERM_NONE, any = false;
  term_id at = is_while ? term_var_in_run(ts, f->index[loop], 1) : f->index[loop];
  text_put(out, "budget (");
  for (size_t i = 0; i < f->share_count; i++) {
    const struct share *s = &f->shares[i];
    if (s->loop < loop) continue;
    text_put(out, any ? " + (sum %t in %t..%t. (%t))" : "(sum %t in %t..%t. (%t))", k,
             s->loop == loop ? at : s->low, s->high, sum_body_at(f->p, s->sum, s->whole, k));
    any = true;
  }
  text_line(out, any ? ")/(%t);" : "0)/(%t);", f->per);
}

/* How far the sample moves if it is added to a sum over records: as the sum of the adjacency has it.
 * TERM_NONE: it is added to something else. */
static term_id known_distance(struct sharing *f, const struct core *sampling, size_t loop) {
  term_id index = f->index[loop], far = TERM_NONE;
  bool added = false;
  for (size_t i = 0; i < f->column_count; i++) {
    const struct column *c = &f->columns[i];
    added |= sampling->args[0] == (c->inner ? term_select(f->ts, c->value, index) : c->value);
  }
  for (size_t i = 0; i < f->share_count && added; i++)
    if (f->shares[i].loop == loop)
      far = sum_body_at(f->p, f->shares[i].sum, f->shares[i].whole, index);
  return far != TERM_NONE && term_kind(f->ts, far) == TERM_POW
             ? term_abs(f->ts, term_arg(f->ts, far, 0))
             : far;
}

/* Where a change costs something, however large it is, the sample pays where there is one. */
static void write_sampling(struct sharing *f, struct text *out, size_t loop,
                           const struct core *sampling, term_id shift) {
  term_id place = term_var(f->ts, "the index", SORT_INT, 0, 0);
  for (size_t i = 0; i < f->share_count; i++) {
    if (!f->changes || f->shares[i].loop != loop) continue;
    term_id same = term_arg(f->ts, f->shares[i].sum->body, 0);
    text_line(out, "sample %t: when %t shift %t within 0 else shift %t within %t;", sampling->var,
              term_subst(f->ts, same, &place, &f->index[loop], 1), shift, shift, f->moved);
    return;
  }
  term_id far = known_distance(f, sampling, loop);
  if (far == TERM_NONE)
    text_line(out, "sample %t: shift %t;", sampling->var, shift);
  else
    text_line(out, "sample %t: shift %t within %t;", sampling->var, shift, far);
}

/* A loop that adds up records, with what is left meanwhile. */
static void write_column(struct sharing *f, struct text *out, const struct column *c, size_t loop,
                         term_id same, unsigned number) {
  text_line(out, "loop %u {", number);
  column_say(out, c, f->record, same);
  write_results(f, out, loop);
  write_budget(f, out, loop);
  if (c->inner) {
    text_line(out, "loop {");
    column_say_inside(out, c, f->record);
    write_results(f, out, loop);
    write_budget(f, out, loop);
    text_line(out, "}");
  }
  text_line(out, "}");
}

static void write_loop(struct sharing *f, struct text *out, size_t loop) {
  struct terms *ts = f->ts;
  const struct core *code = f->loops[loop];
  term_id index = f->index[loop];
  text_line(out, "loop %u {", (unsigned)(loop + 1));
  write_results(f, out, loop);
  for (size_t i = 0; i < f->share_count && code->var == TERM_NONE; i++)
    if (f->shares[i].loop == loop) /* a `while` does not say so itself */
      text_line(out, "invariant %t = %t and %t <= %t <= %t;", term_var_in_run(ts, index, 1),
                term_var_in_run(ts, index, 2), f->shares[i].low, term_var_in_run(ts, index, 1),
                f->shares[i].high);
  write_budget(f, out, loop);
  unsigned inner = 0;
  for (const struct core *c = code->first;; c = c->second) {
    const struct core *one = c->kind == CORE_SEQ ? c->first : c;
    term_id unit;
    if (column_of_loop(f, one)) write_column(f, out, column_of_loop(f, one), loop, index, ++inner);
    if (one->kind == CORE_SAMPLE)
      write_sampling(f, out, loop, one, vector_shift(f->p, code->first, one->var, &unit));
    if (c->kind != CORE_SEQ) break;
  }
  text_line(out, "}");
}

static const char *write_proof(struct sharing *f) {
  struct text text;
  text_init(&text, f->p);
  text_line(&text, "{");
  for (size_t i = 0; i < f->loop_count; i++) {
    const struct column *c = column_of_loop(f, f->loops[i]);
    if (c) {
      write_column(f, &text, c, i, TERM_NONE, (unsigned)(i + 1));
      continue;
    }
    add_results(f, f->loops[i]);
    add_totals(f, f->loops[i]->first, f->index[i]);
    write_loop(f, &text, i);
  }
  text_line(&text, "}");
  return text_take(&text);
}

void auto_shared(struct auto_problem *p, struct auto_search *s) {
  struct sharing f = {.p = p, .ts = p->ts, .per = TERM_NONE};
  if (find_bound(&f) && find_loops(&f)) {
    const char *proof = write_proof(&f);
    const char *cost = text_of(p, cost_simplified(p->ts, term_div(p->ts, f.most, f.per)));
    if (proof && cost)
      auto_try(s, &(struct auto_candidate){proof, p->wants_least ? cost : NULL, 5});
  }
  vec_clear(&f.results);
}
