#include "search/goals/podium.h"

#include "search/base/text.h"
#include "search/goals/slice.h"
#include "term/build.h"
#include "term/subst.h"

void podium_clear(struct podium *podium) {
  for (size_t i = 0; i < PODIUM_LIMIT; i++) {
    contest_clear(&podium->contests[i]);
    view_clear(&podium->views[i]);
  }
  vec_clear(&podium->loops);
}

void podium_of(const struct contest *contest, struct podium *out) {
  out->contests[0] = *contest;
  out->count = 1;
  out->value = text_fresh_name(contest->p, "r", term_sort(contest->ts, contest->current));
  out->values[0] = out->value;
  out->names[0] = contest->current;
  if (contest->gallery.loop) vec_push(&out->loops, view_origin(contest->p, contest->gallery.loop));
  vec_push(&out->loops, view_origin(contest->p, contest->loop));
}

/* ---- several --------------------------------------------------------------------------------- */

/* The program up to its last loop, and the result in terms of the variables there. */
struct cut {
  const struct core *program;
  VEC(const struct core *) parts, loops;
  term_id result;
};

static bool cut_after_loops(struct auto_problem *p, struct cut *out) {
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  const struct core *rest = view_program(p);
  size_t end = 0;
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&out->parts, rest->first);
  vec_push(&out->parts, rest);
  for (size_t i = 0; i < out->parts.len; i++)
    if (out->parts.at[i]->kind == CORE_WHILE) {
      vec_push(&out->loops, out->parts.at[i]);
      end = i + 1;
    }
  const struct core *tail = core_skip();
  out->program = core_skip();
  for (size_t i = out->parts.len; i-- > end;)
    tail = core_seq(kernel_arena(k), out->parts.at[i], tail);
  for (size_t i = end; i-- > 0;)
    out->program = core_seq(kernel_arena(k), out->parts.at[i], out->program);
  out->parts.len = end;
  struct paths paths;
  bool ok = end > 0 && paths_find(k, tail, &paths) && paths.samplings.len == 0;
  if (ok) out->result = paths_after(p->ts, &paths, claim_program(p->goal)->result);
  if (end > 0) paths_clear(&paths);
  return ok;
}

static bool writes(const struct core *loop, term_id var) {
  term_list written = {0};
  core_writes(loop, &written);
  bool found = false;
  for (size_t i = 0; i < written.len && !found; i++)
    found = written.at[i] == var;
  vec_clear(&written);
  return found;
}

/* The variable that this one is a copy of (`a := argmax'`, after a loop), or itself. */
static term_id original(struct kernel *k, const struct cut *cut, term_id var) {
  for (size_t i = cut->parts.len; i-- > 0;) {
    const struct core *c = cut->parts.at[i];
    if (!writes(c, var)) continue;
    bool copies = c->kind == CORE_ASSIGN && kernel_is_var(k, c->expr);
    for (size_t later = i + 1; later < cut->parts.len && copies; later++)
      copies = !writes(cut->parts.at[later], c->expr);
    return copies ? c->expr : var;
  }
  return var;
}

/* The last loop that writes the variable: its number from 1; 0: there is none. */
static size_t decided_by(const struct cut *cut, term_id var) {
  for (size_t i = cut->loops.len; i-- > 0;)
    if (writes(cut->loops.at[i], var)) return i + 1;
  return 0;
}

/* Samplings are counted in the program that was sliced. */
static const struct core *unsliced(const struct view *view, const struct core *loop) {
  for (size_t i = view->loops.len; i-- > 0;)
    if (view->loops.at[i].here == loop) return view->loops.at[i].there;
  return loop;
}

static void set_scopes(struct auto_problem *p, struct contest *c, const struct view *view) {
  for (size_t i = 0; i < c->entrants.len; i++) {
    struct entrant *e = &c->entrants.at[i];
    const struct core *loop = c->gallery.loop ? c->gallery.loop : c->loop;
    e->scope = e->in_loop ? unsliced(view, loop)->first : view_program(p);
  }
}

/* The contest of one variable; those that were decided before are known. */
static bool find_one(struct auto_problem *p, const struct cut *cut, size_t which,
                     struct podium *out) {
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  struct slice_given given = {0};
  term_id var = original(k, cut, out->names[which]);
  size_t own = decided_by(cut, var);
  for (size_t i = 0; i < out->count; i++) {
    size_t other = decided_by(cut, original(k, cut, out->names[i]));
    out->given[which][i] = other > 0 && other < own;
    if (!out->given[which][i]) continue;
    vec_push(&given.vars, out->names[i]);
    vec_push(&given.values, out->values[i]);
  }
  slice_view(p, cut->program, var, &given, &out->views[which]);
  vec_clear(&given.vars);
  vec_clear(&given.values);
  out->problems[which] = *p;
  out->problems[which].view = &out->views[which];
  struct contest *c = &out->contests[which];
  if (own == 0 || !contest_find_of(&out->problems[which], var, c)) return false;
  set_scopes(p, c, &out->views[which]);
  return c->won == c->entry;
}

/* Winners among the same values are lifted together, if that is possible. */
static bool share(struct podium *podium) {
  for (size_t i = 0; i < podium->count; i++)
    for (size_t j = 0; j < i; j++) {
      const struct contest *a = &podium->contests[i], *b = &podium->contests[j];
      if (!a->gallery.loop || a->gallery.array != b->gallery.array) continue;
      podium->shared = true;
      if (a->upwards != b->upwards) return false;
    }
  return true;
}

/* The result is a tuple of variables: their names and values. */
static bool find_components(struct auto_problem *p, term_id result, struct podium *out) {
  const struct sort *sort = sort_get(p->ts, term_sort(p->ts, result));
  if (sort->kind != SORT_KIND_TUPLE || sort->count > PODIUM_LIMIT) return false;
  size_t count = sort->count;
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  out->value = text_fresh_name(p, "r", term_sort(p->ts, result));
  for (; out->count < count; out->count++) {
    term_id item = term_proj(p->ts, result, out->count);
    if (!kernel_is_var(k, item) || term_sort(p->ts, item) != SORT_INT) return false;
    out->names[out->count] = item;
    out->values[out->count] = term_proj(p->ts, out->value, out->count);
  }
  return true;
}

static bool find_several(struct auto_problem *p, struct podium *out) {
  struct cut cut = {.result = TERM_NONE};
  bool ok = cut_after_loops(p, &cut) && find_components(p, cut.result, out);
  for (size_t i = 0; i < out->count && ok; i++)
    ok = find_one(p, &cut, i, out);
  for (size_t i = 0; i < cut.loops.len && ok; i++)
    vec_push(&out->loops, view_origin(p, cut.loops.at[i]));
  vec_clear(&cut.loops);
  vec_clear(&cut.parts);
  return ok && share(out);
}

bool podium_find(struct auto_problem *p, struct podium *out) {
  const struct lowered *program = claim_program(p->goal);
  *out = (struct podium){.count = 0};
  if (program->result == TERM_NONE) return false;
  struct contest alone;
  if (contest_find_of(p, program->result, &alone)) {
    podium_of(&alone, out);
    return true;
  }
  contest_clear(&alone);
  return find_several(p, out);
}
