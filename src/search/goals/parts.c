#include "search/goals/parts.h"

#include <string.h>

#include "kernel/notion.h"
#include "proof/derive.h"
#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/law.h"
#include "search/goals/listed.h"
#include "search/goals/vector.h"
#include "term/build.h"
#include "term/subst.h"

struct finder {
  struct auto_problem *p;
  struct view *out;
  struct arena *arena;
  term_list outputs; /* of the mechanism */
  term_id around;    /* what the loops around say of their indices */
  bool law;          /* is some part one that no other strategy sees (law.h, vector.h)? */
};

/* ---- which variable ------------------------------------------------------------------------- */

/* What is read outside of the loop; appended. */
static void reads_outside(struct terms *ts, const struct core *c, const struct core *loop,
                          term_list *out) {
  if (c == loop) return;
  if (c->kind == CORE_SEQ || c->kind == CORE_IF || c->kind == CORE_WHILE) {
    if (c->expr != TERM_NONE) term_free_vars(ts, c->expr, out);
    reads_outside(ts, c->first, loop, out);
    if (c->second) reads_outside(ts, c->second, loop, out);
  } else {
    core_reads(ts, c, out);
  }
}

/* Integers that the loop sets and that are read elsewhere; appended. */
static void winners(struct finder *f, const struct core *loop, term_list *out) {
  struct terms *ts = f->p->ts;
  term_list written = {0}, read = {0};
  core_writes(loop, &written);
  reads_outside(ts, view_program(f->p), loop, &read);
  for (size_t i = 0; i < written.len; i++) {
    term_id v = written.at[i];
    if (v != loop->var && term_sort(ts, v) == SORT_INT && !terms_have(out, v) &&
        (terms_have(&read, v) || terms_have(&f->outputs, v)))
      vec_push(out, v);
  }
  vec_clear(&written);
  vec_clear(&read);
}

/* ---- one part ------------------------------------------------------------------------------- */

/* Loops of the scope that write the variable, in the order of the text; as proof text numbers
 * them. */
static void count_loops(const struct core *c, term_id variable, const struct core *loop,
                        unsigned *number, unsigned *total) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    count_loops(c->first, variable, loop, number, total);
    count_loops(c->second, variable, loop, number, total);
  } else if (c->kind == CORE_WHILE) {
    term_list written = {0};
    core_writes(c, &written);
    if (terms_have(&written, variable)) ++*total;
    if (c == loop) *number = *total;
    vec_clear(&written);
  }
}

static const struct core *make_stub(struct finder *f, const struct contest *c) {
  struct terms *ts = f->p->ts;
  term_list read = {0}, own = {0}, all = {0}, args = {0};
  core_reads(ts, c->code, &read);
  core_writes(c->code, &own);
  core_writes(view_program(f->p), &all);
  for (size_t i = 0; i < read.len; i++)
    if (terms_have(&all, read.at[i]) && !terms_have(&own, read.at[i]) &&
        !terms_have(&args, read.at[i]))
      vec_push(&args, read.at[i]);
  const struct core *stub =
      core_sample(f->arena, c->loop->span, c->current, DIST_UNIFORM_INT, args.at, args.len);
  vec_clear(&read);
  vec_clear(&own);
  vec_clear(&all);
  vec_clear(&args);
  return stub;
}

/* Is list[where] a contest? Then *from is where its part begins. */
static bool find_part(struct finder *f, const struct core *scope, const struct core *const *list,
                      size_t where, size_t *from) {
  term_list candidates = {0};
  winners(f, list[where], &candidates);
  bool found = false;
  for (size_t i = 0; i < candidates.len && !found && !budget_is_spent(f->p->budget); i++) {
    struct contest c;
    struct part part = {0};
    found = contest_find_part(f->p, list, where, candidates.at[i], f->around, &c) &&
            pointwise_part(&c, CLAIM_FORWARD, &part.side[0]) &&
            (claim_is_symmetric(f->p->goal) || pointwise_part(&c, CLAIM_BACKWARD, &part.side[1]));
    if (found) {
      unsigned total = 0;
      struct notion_of notion = kernel_notion(claim_kernel(f->p->goal, CLAIM_FORWARD));
      for (size_t d = 0; d < 2; d++)
        if (part.side[d].body)
          part.side[d].cost = auto_price(
              f->p, notion_price_both(f->p->ts, notion, part.side[d].cost), part.side[d].cost);
      count_loops(scope, c.current, c.loop, &part.number, &total);
      if (total < 2) part.number = 0;
      part.stub = make_stub(f, &c);
      part.code = c.code;
      *from = c.from;
      vec_push(&f->out->parts, part);
    }
    contest_clear(&c);
  }
  vec_clear(&candidates);
  return found;
}

/* Is there code with finitely many outcomes up to list[where]? Its step holds in the pure notion. */
static bool find_listed(struct finder *f, const struct core *const *list, size_t where,
                        size_t *from) {
  struct listed_part found;
  if (kernel_notion(claim_kernel(f->p->goal, CLAIM_FORWARD)).kind != NOTION_PURE) return false;
  if (!listed_part(f->p, list, where, from, &found)) return false;
  struct contest like = {
      .code = found.code, .loop = list[where], .current = found.key}; /* for the stub */
  struct part part = {.stub = make_stub(f, &like), .code = found.code};
  part.side[0] = part.side[1] =
      (struct part_text){.cost = found.cost, .name = text_of(f->p, found.key), .step = found.step};
  vec_push(&f->out->parts, part);
  return true;
}

/* A branch or sampling, or what is computed from samples just before, and from no others. */
static bool may_end_listed(struct finder *f, const struct core *const *list, size_t where) {
  const struct core *c = list[where];
  if (c->kind == CORE_IF || c->kind == CORE_SAMPLE) return core_is_random(c);
  if (c->kind != CORE_ASSIGN) return false;
  term_list read = {0}, before = {0}, earlier = {0};
  bool is_before = true, ends = false, mixes = false;
  core_reads(f->p->ts, c, &read);
  for (size_t i = where; i-- > 0;) {
    is_before = is_before && outcomes_are_listable(f->p->ts, list[i]);
    if (core_is_random(list[i])) core_writes(list[i], is_before ? &before : &earlier);
  }
  for (size_t i = 0; i < read.len; i++) {
    bool listed = terms_have(&before, read.at[i]);
    ends = ends || listed;
    mixes = mixes || (!listed && terms_have(&earlier, read.at[i]));
  }
  vec_clear(&read);
  vec_clear(&before);
  vec_clear(&earlier);
  return ends && !mixes;
}

/* Is there a loop whose result has a known law, or a vector with noise, up to list[where]? */
static bool find_law(struct finder *f, const struct core *const *list, size_t where, size_t *from) {
  struct part part;
  term_id key;
  if (f->out->parts.len == PARTS_LIMIT) return false;
  *from = where;
  if (!vector_part(f->p, list[where], &part, &key) &&
      !law_part(f->p, list, where, from, &part, &key))
    return false;
  struct contest like = {.code = part.code, .loop = list[where], .current = key}; /* for the stub */
  part.stub = make_stub(f, &like);
  vec_push(&f->out->parts, part);
  f->law = true;
  return true;
}

/* ---- the program ---------------------------------------------------------------------------- */

static const struct core *with_stubs(struct finder *f, const struct core *scope,
                                     const struct core *c);

static term_id in_range(struct terms *ts, const struct core *loop) {
  return loop->var == TERM_NONE ? term_bool(ts, true)
                                : term_and(ts, term_le(ts, loop->args[0], loop->var),
                                           term_lt(ts, loop->var, loop->args[1]));
}

static const struct core *loop_with(struct finder *f, const struct core *loop) {
  term_id around = f->around;
  f->around = term_and(f->p->ts, around, in_range(f->p->ts, loop));
  const struct core *body = with_stubs(f, loop->first, loop->first);
  f->around = around;
  if (body == loop->first) return loop;
  const struct core *copy = loop->var == TERM_NONE
                                ? core_while(f->arena, loop->span, loop->expr, body)
                                : core_for(f->arena, loop->span, loop->expr, body, loop->var,
                                           loop->args[0], loop->args[1]);
  vec_push(&f->out->loops, (struct view_loop){copy, loop});
  return copy;
}

static const struct core *branch_with(struct finder *f, const struct core *scope,
                                      const struct core *c) {
  const struct core *then = with_stubs(f, scope, c->first);
  const struct core *otherwise = with_stubs(f, scope, c->second);
  if (then == c->first && otherwise == c->second) return c;
  return core_if(f->arena, c->span, c->expr, then, otherwise);
}

/* c, which stands in the scope, with stubs in place of its parts; itself if it has none. */
static const struct core *with_stubs(struct finder *f, const struct core *scope,
                                     const struct core *c) {
  VEC(const struct core *) list = {0};
  const struct core *rest = c;
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&list, rest->first);
  vec_push(&list, rest);
  const struct core *all = core_skip();
  bool changed = false;
  for (size_t i = list.len; i-- > 0;) {
    const struct core *one = list.at[i];
    size_t from = i;
    if ((one->kind == CORE_WHILE || one->kind == CORE_SAMPLE) && find_law(f, list.at, i, &from))
      one = vec_last(&f->out->parts).stub;
    else if (one->kind == CORE_WHILE && f->out->parts.len < PARTS_LIMIT &&
             find_part(f, scope, list.at, i, &from))
      one = vec_last(&f->out->parts).stub;
    else if (may_end_listed(f, list.at, i) && f->out->parts.len < PARTS_LIMIT &&
             find_listed(f, list.at, i, &from))
      one = vec_last(&f->out->parts).stub;
    else if (one->kind == CORE_WHILE)
      one = loop_with(f, one);
    else if (one->kind == CORE_IF)
      one = branch_with(f, scope, one);
    changed |= one != list.at[i];
    all = core_seq(f->arena, one, all);
    i = from;
  }
  vec_clear(&list);
  return changed ? all : c;
}

/* Is there noise or a loop besides the parts? If not, and the program returns something, the
 * pointwise strategy has seen all of it. */
static bool has_more(const struct view *v, const struct core *c) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF: return has_more(v, c->first) || has_more(v, c->second);
  case CORE_SAMPLE:
    for (size_t i = 0; i < v->parts.len; i++)
      if (v->parts.at[i].stub == c) return false;
    return true;
  case CORE_WHILE:
  case CORE_ADVERSARY: return true;
  default: return false;
  }
}

/* Loops, wherever they are, and samplings outside of loops. */
static size_t count_sites(const struct core *c) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF: return count_sites(c->first) + count_sites(c->second);
  case CORE_WHILE: return 1 + (core_has_loop(c->first) ? count_sites(c->first) : 0);
  case CORE_SAMPLE: return 1;
  default: return 0;
  }
}

void auto_composed(struct auto_problem *p, struct auto_search *s) {
  const struct lowered *program = claim_program(p->goal);
  if (auto_cost(s) && count_sites(program->program) < 2) return; /* no part, but the whole */
  const struct view *before = p->view;
  struct view parts;
  view_copy(&parts, before);
  struct finder f = {.p = p,
                     .out = &parts,
                     .arena = kernel_arena(claim_kernel(p->goal, CLAIM_FORWARD)),
                     .around = term_bool(p->ts, true)};
  if (program->result != TERM_NONE) vec_push(&f.outputs, program->result);
  parts.program = with_stubs(&f, before->program, before->program);
  bool seen = program->result != TERM_NONE && !f.law && !has_more(&parts, parts.program);
  p->view = &parts;
  if (parts.parts.len && (!auto_cost(s) || parts.parts.len > 1 || !seen)) auto_align_around(p, s);
  p->view = before;
  vec_clear(&f.outputs);
  view_clear(&parts);
}
