#include "search/goals/accuracy_index.h"

#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/accuracy_count.h"
#include "term/build.h"
#include "term/subst.h"

void index_stops(struct terms *ts, const struct core *loop, term_list *out) {
  term_list parts = {0};
  term_conjuncts(ts, loop->expr, &parts);
  for (size_t i = 0; i < parts.len; i++) {
    term_id part = parts.at[i];
    bool is_negated = term_kind(ts, part) == TERM_NOT;
    if (term_kind(ts, is_negated ? term_arg(ts, part, 0) : part) == TERM_VAR)
      vec_push(out, term_not(ts, part));
  }
  vec_clear(&parts);
}

/* ---- what an iteration does ------------------------------------------------------------------- */

/* What the ways through code do to the index and the flags, as a set of bits; 0: something else. */
enum { STAYS = 1, GOES_ON = 2, STOPS = 4, STOPS_BEHIND = 8 };

struct mover {
  struct terms *ts;
  term_id index;
  term_list stops;
};

static unsigned in_turn(unsigned first, unsigned second) {
  unsigned all = 0;
  for (unsigned a = 0; a < 4; a++)
    for (unsigned b = 0; b < 4; b++) {
      if (!(first >> a & 1) || !(second >> b & 1)) continue;
      if (a & b & 1) return 0; /* goes on twice */
      all |= 1u << (a | b);
    }
  return all;
}

static unsigned assigned(const struct mover *m, const struct core *c) {
  struct terms *ts = m->ts;
  if (c->var == m->index) {
    bool is_next = c->kind == CORE_ASSIGN && c->expr == term_add(ts, m->index, term_int(ts, 1));
    return is_next ? GOES_ON : 0;
  }
  for (size_t i = 0; i < m->stops.len; i++) {
    if (!term_mentions(ts, m->stops.at[i], &c->var, 1)) continue;
    if (c->kind != CORE_ASSIGN) return STAYS | STOPS;
    term_id stopped = term_subst(ts, m->stops.at[i], &c->var, &c->expr, 1);
    return stopped == term_bool(ts, true) ? STOPS : STAYS | STOPS;
  }
  return STAYS;
}

static unsigned moves(const struct mover *m, const struct core *c) {
  switch (c->kind) {
  case CORE_SKIP: return STAYS;
  case CORE_ASSIGN:
  case CORE_SAMPLE: return assigned(m, c);
  case CORE_SEQ: return in_turn(moves(m, c->first), moves(m, c->second));
  case CORE_IF: {
    unsigned then = moves(m, c->first), no = moves(m, c->second);
    return then && no ? then | no : 0;
  }
  case CORE_WHILE: return moves(m, c->first) == STAYS ? STAYS : 0;
  case CORE_ADVERSARY: return 0;
  }
  return 0;
}

static unsigned moves_of(struct terms *ts, const struct core *loop, term_id index) {
  struct mover m = {.ts = ts, .index = index};
  index_stops(ts, loop, &m.stops);
  unsigned all = moves(&m, loop->first);
  vec_clear(&m.stops);
  return all & STAYS ? 0 : all;
}

term_id index_left(struct terms *ts, const struct core *loop) {
  if (loop->var == TERM_NONE) return TERM_NONE;
  term_id left = term_sub(ts, loop->args[1], loop->var), stopped = term_bool(ts, false);
  term_list stops = {0};
  index_stops(ts, loop, &stops);
  for (size_t i = 0; i < stops.len; i++)
    stopped = term_or(ts, stopped, stops.at[i]);
  vec_clear(&stops);
  bool may_stay = moves_of(ts, loop, loop->var) & STOPS;
  return may_stay ? term_ite(ts, stopped, term_int(ts, 0), left) : left;
}

/* ---- loops ------------------------------------------------------------------------------------ */

struct indexer {
  struct terms *ts;
  struct arena *arena;
  const struct core *program;
  struct view *out;
};

/* The end if the condition says x < end or x != end; TERM_NONE: it does not. */
static term_id end_of(struct terms *ts, term_id condition, term_id x) {
  enum term_kind kind = term_kind(ts, condition);
  bool is_other = kind == TERM_NOT && term_kind(ts, term_arg(ts, condition, 0)) == TERM_EQ;
  if (is_other) condition = term_arg(ts, condition, 0);
  if (kind != TERM_LT && kind != TERM_LE && !is_other) return TERM_NONE;
  term_id low = term_arg(ts, condition, 0), high = term_arg(ts, condition, 1);
  if (term_sort(ts, low) != SORT_INT) return TERM_NONE;
  term_id end = term_add(ts, term_sub(ts, high, low), x);
  if (is_other && term_mentions(ts, end, &x, 1)) end = term_add(ts, term_sub(ts, low, high), x);
  if (kind == TERM_LE) end = term_add(ts, end, term_int(ts, 1));
  return end == TERM_NONE || term_mentions(ts, end, &x, 1) ? TERM_NONE : end;
}

/* The loop with the index x, or NULL. */
static const struct core *counted_by(struct indexer *d, const struct core *loop, term_id x,
                                     const term_list *written) {
  term_list parts = {0};
  term_id high = TERM_NONE, low = TERM_NONE;
  term_conjuncts(d->ts, loop->expr, &parts);
  for (size_t i = 0; i < parts.len && high == TERM_NONE; i++)
    high = end_of(d->ts, parts.at[i], x);
  vec_clear(&parts);
  if (high != TERM_NONE && !term_mentions(d->ts, high, written->at, written->len) &&
      moves_of(d->ts, loop, x))
    low = count_before(d->ts, d->program, loop, x);
  if (low == TERM_NONE) return NULL;
  return core_for(d->arena, loop->span, loop->expr, loop->first, x, low, high);
}

static const struct core *with_index(struct indexer *d, const struct core *loop) {
  const struct core *found = NULL;
  term_list written = {0};
  core_writes(loop->first, &written);
  for (size_t i = 0; i < written.len && !found; i++)
    if (term_sort(d->ts, written.at[i]) == SORT_INT)
      found = counted_by(d, loop, written.at[i], &written);
  vec_clear(&written);
  return found;
}

static const struct core *indexed(struct indexer *d, const struct core *c) {
  if (c->kind != CORE_SEQ && c->kind != CORE_IF && c->kind != CORE_WHILE) return c;
  const struct core *counted = c->kind == CORE_WHILE && c->var == TERM_NONE ? with_index(d, c) : c;
  struct core *copy = arena_memdup(d->arena, counted ? counted : c, sizeof *copy);
  copy->first = indexed(d, c->first);
  if (c->second) copy->second = indexed(d, c->second);
  if (counted == c && copy->first == c->first && copy->second == c->second) return c;
  if (c->kind == CORE_WHILE) vec_push(&d->out->loops, ((struct view_loop){copy, c}));
  return copy;
}

void index_view(struct auto_problem *p, struct view *out) {
  struct indexer d = {p->ts, p->arena, out->program, out};
  out->program = indexed(&d, out->program);
}
