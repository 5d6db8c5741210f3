#include "search/align/track.h"

#include "term/build.h"
#include "term/subst.h"

/* The index a decision compares with the witness, or TERM_NONE. */
static term_id compared_index(struct align *s, const struct align_decision *d, size_t witness) {
  term_id w = s->witnesses.at[witness].var;
  if (term_kind(s->ts, d->atom) != TERM_EQ) return TERM_NONE;
  term_id a = term_arg(s->ts, d->atom, 0), b = term_arg(s->ts, d->atom, 1);
  return a == w ? b : b == w ? a : TERM_NONE;
}

/* ---- windows of neighbours ------------------------------------------------------------------- */

/* The lowest and highest index read in the body, if they are a fixed distance apart. */
static bool find_window(struct align *s, const path_list *paths, size_t witness, term_id *low,
                        term_id *high) {
  *low = *high = TERM_NONE;
  for (size_t i = 0; i < paths->len; i++)
    for (const struct align_decision *d = paths->at[i].decisions; d; d = d->previous) {
      term_id e = compared_index(s, d, witness);
      if (e == TERM_NONE) continue;
      if (term_mentions(s->ts, e, paths->at[i].unknowns.at, paths->at[i].unknowns.len))
        return false;
      if (*low == TERM_NONE) *low = *high = e;
      struct ratio from = align_apart(s, *low, e), to = align_apart(s, *high, e);
      if (!ratio_is_finite(from)) return false;
      if (from.num < 0) *low = e;
      if (to.num > 0) *high = e;
    }
  return *low != TERM_NONE;
}

/* Always up or always down, and how far at least. */
static void follow_window(struct align *s, struct align_track *track, const path_list *paths,
                          term_id low, term_id high) {
  struct ratio width = align_apart(s, low, high), zero = ratio_int(0), least = zero;
  int direction = 0;
  for (size_t i = 0; i < paths->len; i++) {
    if (paths->at[i].end == PATH_EXIT) continue;
    struct ratio move = align_apart(s, low, align_state_value(s, &paths->at[i].state, low));
    int sign = ratio_le(move, zero) ? -1 : 1;
    if (!ratio_is_finite(move) || ratio_is_zero(move) || move.den != 1) return;
    if (direction && sign != direction) return;
    least = direction ? ratio_min(least, ratio_abs(move)) : ratio_abs(move);
    direction = sign;
  }
  if (!direction || width.den != 1) return;
  long phases = width.num / least.num + 1;
  if (phases > ALIGN_PHASES) return;
  *track = (struct align_track){.first = direction < 0 ? high : low,
                                .descending = direction < 0,
                                .step = least.num,
                                .phases = (unsigned)phases};
}

/* ---- windows that are loops ------------------------------------------------------------------ */

/* Where the counter of a loop that counts up ends: B of `j < B`. TERM_NONE: not known. */
static term_id end_of_count(struct align *s, const struct core *loop, term_id *counter) {
  term_list parts = {0};
  term_id end = TERM_NONE;
  term_conjuncts(s->ts, loop->expr, &parts);
  for (size_t i = 0; i < parts.len && end == TERM_NONE; i++) {
    if (term_kind(s->ts, parts.at[i]) != TERM_LT) continue;
    term_id a = term_arg(s->ts, parts.at[i], 0), b = term_arg(s->ts, parts.at[i], 1);
    if (term_kind(s->ts, a) != TERM_VAR || term_sort(s->ts, a) != SORT_INT) continue;
    *counter = a;
    end = b;
  }
  vec_clear(&parts);
  return end;
}

/* The track with its counter at the end of the loop; TERM_NONE: not known. */
static term_id end_of_track(struct align *s, const struct align_plan *plan, size_t witness) {
  const struct align_track *track = &plan->tracks[witness];
  term_id counter, end = end_of_count(s, plan->loop, &counter);
  bool simple = track->first != TERM_NONE && track->phases == 1 && track->width == TERM_NONE;
  if (!simple || track->descending || end == TERM_NONE) return TERM_NONE;
  return term_subst(s->ts, track->first, &counter, &end, 1);
}

const struct align_track *align_tracks_behind(struct align *s, const struct align_plan *plan,
                                              const struct align_head *h) {
  struct align_track *tracks =
      arena_memdup(s->arena, plan->tracks, s->most_witnesses * sizeof *tracks);
  bool counts = term_kind(s->ts, plan->loop->expr) == TERM_LT; /* and never ends before */
  for (size_t w = 0; w < s->witnesses.len; w++) {
    term_id end = counts || h->phase[w] == 0 ? end_of_track(s, plan, w) : TERM_NONE;
    if (end != TERM_NONE) tracks[w].first = end;
  }
  return tracks;
}

/* From the first index that the inner loop reads to behind the last one, over the head of the loop
 * around it. */
static bool find_stretch(struct align *s, const struct align_plan *inner, size_t witness,
                         term_id *low, term_id *end) {
  const struct align_track *track = &inner->tracks[witness];
  term_id counter, stop = end_of_count(s, inner->loop, &counter);
  if (track->first == TERM_NONE || track->phases != 1 || stop == TERM_NONE) return false;
  const struct align_state *entry = &inner->entered[0].state;
  term_id behind = term_subst(s->ts, track->first, &counter, &stop, 1);
  term_id from = align_state_value(s, entry, track->first);
  term_id to = align_state_value(s, entry, behind), one = term_int(s->ts, 1);
  *low = track->descending ? term_add(s->ts, to, one) : from;
  *end = track->descending ? term_add(s->ts, from, one) : to;
  return *low != TERM_NONE && *end != TERM_NONE;
}

static bool is_at_most(struct align *s, term_id given, term_id a, term_id b) {
  struct ratio gap = align_apart(s, a, b);
  if (ratio_is_finite(gap)) return gap.num >= 0;
  return align_follows(s, given, term_le(s->ts, a, b));
}

/* The start of a stretch without a bound below that all indices keep: e of max(0, e). */
static term_id unbounded_start(struct align *s, term_id low) {
  if (term_kind(s->ts, low) != TERM_MAX) return low;
  for (size_t i = 0; i < 2; i++) {
    term_id bound = term_arg(s->ts, low, i);
    if (term_is_num(s->ts, bound) && fmpq_is_zero(term_num_value(s->ts, bound)))
      return term_arg(s->ts, low, !i);
  }
  return low;
}

/* Where the window is after an iteration: behind where it was (NEXT), or one further on (SLID). */
enum moves { MOVES_NEXT = 1, MOVES_SLID = 2 };

static unsigned moves_by(struct align *s, const struct align_plan *plan,
                         const struct align_state *after, term_id first, term_id end) {
  term_id next = align_state_value(s, after, first);
  term_id given = term_and_all(s->ts, plan->floors.at, plan->floors.len);
  if (next == TERM_NONE) return 0;
  bool slid = ratio_eq(align_apart(s, first, next), ratio_int(1));
  return (is_at_most(s, given, end, next) ? MOVES_NEXT : 0) | (slid ? MOVES_SLID : 0);
}

/* The loops inside run through stretches of indices: one behind the other, or each one further on
 * than the last. */
static void follow_stretches(struct align *s, struct align_plan *plan,
                             const struct align_piece *body, size_t witness) {
  term_id first = TERM_NONE, end = TERM_NONE;
  unsigned moves = MOVES_NEXT | MOVES_SLID;
  for (size_t i = 0; i < body->plans.len; i++) {
    term_id low, high;
    if (body->plans.at[i]->tracks[witness].first == TERM_NONE) continue;
    if (!find_stretch(s, body->plans.at[i], witness, &low, &high)) return;
    low = unbounded_start(s, low);
    if (first != TERM_NONE && (first != low || end != high)) return;
    first = low;
    end = high;
  }
  for (size_t i = 0; i < body->ends.len && first != TERM_NONE; i++) {
    const struct align_end *e = &body->ends.at[i];
    if (e->kind != PATH_EXIT) moves &= moves_by(s, plan, &e->state, first, end);
  }
  if (first == TERM_NONE || !moves) return;
  term_id width = moves & MOVES_NEXT ? TERM_NONE : term_sub(s->ts, end, first);
  plan->tracks[witness] = (struct align_track){first, false, 1, 1, width};
}

/* ---- tracks ---------------------------------------------------------------------------------- */

void align_find_tracks(struct align *s, struct align_plan *plan, const struct align_start *start,
                       const struct align_goal *goal) {
  path_list paths = {0};
  const struct align_piece *body = NULL;
  bool known;
  if (!core_has_loop(plan->loop->first)) {
    known = align_paths(s, start, &paths);
  } else { /* the ways through inner loops are known only when these are solved */
    body = align_piece_solve(s, start, goal);
    for (size_t i = 0; body && i < body->ends.len; i++) {
      struct align_path path = *body->ends.at[i].path;
      path.state = body->ends.at[i].state;
      vec_push(&paths, path);
    }
    known = body != NULL;
  }
  for (size_t w = 0; known && w < s->witnesses.len; w++) {
    size_t array = s->witnesses.at[w].array;
    term_id low, high;
    if (array != SIZE_MAX && plan->written[array]) continue;
    if (find_window(s, &paths, w, &low, &high))
      follow_window(s, &plan->tracks[w], &paths, low, high);
    else if (body && low == TERM_NONE)
      follow_stretches(s, plan, body, w);
  }
  vec_clear(&paths);
}

/* Does the condition, true or false, say that the witness is behind the first index of the track:
 * below it, or, if that goes down, above it? */
static bool begins_behind(struct align *s, const struct align_track *track, term_id atom, int truth,
                          term_id witness, term_id first) {
  if (truth != !track->descending || term_kind(s->ts, atom) != TERM_LT) return false;
  term_id bound = term_arg(s->ts, atom, 1);
  if (term_arg(s->ts, atom, 0) != witness) return false;
  term_id none = term_bool(s->ts, true), above = term_add(s->ts, first, term_int(s->ts, 1));
  return track->descending ? is_at_most(s, none, above, bound) : is_at_most(s, none, bound, first);
}

void align_enter_tracks(struct align *s, struct align_plan *plan, struct align_head *h,
                        const struct align_state *entry) {
  for (size_t w = 0; w < s->witnesses.len; w++) {
    const struct align_track *track = &plan->tracks[w];
    h->phase[w] = track->phases;
    if (track->first == TERM_NONE) continue;
    term_id first = align_state_value(s, entry, track->first);
    for (size_t i = 0; i < plan->atoms.len && h->phase[w] && first != TERM_NONE; i++)
      if (begins_behind(s, track, plan->atoms.at[i], h->truths[i], s->witnesses.at[w].var, first))
        h->phase[w] = 0;
  }
}

unsigned align_next_phase(struct align *s, const struct align_plan *plan, size_t witness,
                          unsigned phase, const struct align_path *path) {
  const struct align_track *track = &plan->tracks[witness];
  if (track->first == TERM_NONE) return phase;
  if (path->met && path->met[witness] && track->width == TERM_NONE) return 0;
  for (const struct align_decision *d = path->decisions; d; d = d->previous) {
    term_id e = d->taken ? compared_index(s, d, witness) : TERM_NONE;
    struct ratio far = e == TERM_NONE ? ratio_int(-1) : align_apart(s, track->first, e);
    if (e == TERM_NONE || !ratio_is_finite(far)) continue;
    long steps = (track->descending ? -far.num : far.num) / track->step;
    return steps <= 0 ? 0 : (unsigned)steps;
  }
  return phase && phase < track->phases ? phase - 1 : phase;
}
