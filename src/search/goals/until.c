#include "search/goals/until.h"

#include "kernel/rules.h"
#include "proof/derive.h"
#include "search/align/strategy.h"
#include "search/base/lists.h"
#include "search/base/view.h"
#include "search/goals/join.h"
#include "search/goals/parts.h"
#include "search/goals/rescale.h"
#include "term/build.h"
#include "term/subst.h"

typedef VEC(const struct core *) core_list;

struct finder {
  struct auto_problem *p;
  struct kernel *k;
  struct terms *ts;
  struct arena *arena;
  struct view out;
};

/* ---- which loops ------------------------------------------------------------------------------ */

/* All rounds are alike, and the guard looks at what a round sets. */
static bool is_until(struct finder *f, const struct core *loop, const struct core *round) {
  term_list written = {0};
  core_writes(round, &written);
  bool fits = loop->var == TERM_NONE && core_is_random(round) && !core_has_loop(round) &&
              !core_calls_adversary(round);
  for (size_t i = 0; i < written.len && fits; i++)
    fits =
        !core_reads_old(f->ts, round, written.at[i]) &&
        (core_sets(round, written.at[i]) || !term_mentions(f->ts, loop->expr, &written.at[i], 1));
  vec_clear(&written);
  return fits;
}

/* Where the round before the loop begins; `last`: there is none. */
static size_t round_before(struct finder *f, const core_list *list, size_t last,
                           const struct core *round) {
  const struct core *c = core_skip();
  for (size_t from = last; from-- > 0;) {
    c = core_seq(f->arena, list->at[from], c);
    term_list names = {0};
    bool begins = until_begins(f->k, c, round, &names);
    vec_clear(&names);
    if (begins) return from;
  }
  return last;
}

/* ---- as two rounds ---------------------------------------------------------------------------- */

/* The same commands at places of their own. */
static const struct core *copy_of(struct finder *f, const struct core *c) {
  if (c->kind == CORE_SKIP) return c;
  struct core *copy = arena_memdup(f->arena, c, sizeof *c);
  const struct noise *noise = c->kind == CORE_SAMPLE ? view_noise(f->p, c) : NULL;
  if (noise) vec_push(&f->out.noises, (struct noise){copy, noise->from, noise->last});
  if (c->first) copy->first = copy_of(f, c->first);
  if (c->second) copy->second = copy_of(f, c->second);
  return copy;
}

static const struct core *one_round(struct finder *f, const struct core *round) {
  return core_if(f->arena, round->span, term_bool(f->ts, true), copy_of(f, round), core_skip());
}

/* Run 2 accepts the first round if run 1 does; and of the second one what it sets, if it is
 * accepted. */
static const struct core *as_rounds(struct finder *f, const struct core *loop,
                                    const struct core *round, bool begun) {
  const struct core *first = one_round(f, round), *second = one_round(f, round);
  const struct core *rejected =
      core_if(f->arena, loop->span, term_bool(f->ts, true), core_skip(), core_skip());
  vec_push(&f->out.untils, (struct view_until){first, second, rejected, begun});
  const struct core *check = core_if(f->arena, loop->span, loop->expr, rejected, core_skip());
  const struct core *again = core_if(f->arena, loop->span, loop->expr, rejected, core_skip());
  return core_seq(f->arena, core_seq(f->arena, first, check), core_seq(f->arena, second, again));
}

/* ---- the program ------------------------------------------------------------------------------ */

static const struct core *rewrite(struct finder *f, const struct core *c);

static const struct core *rewrite_inside(struct finder *f, const struct core *c) {
  if (c->kind != CORE_WHILE && c->kind != CORE_IF) return c;
  const struct core *first = rewrite(f, c->first),
                    *second = c->second ? rewrite(f, c->second) : NULL;
  if (first == c->first && second == c->second) return c;
  struct core *copy = arena_memdup(f->arena, c, sizeof *c);
  copy->first = first;
  copy->second = second;
  if (c->kind == CORE_WHILE) vec_push(&f->out.loops, (struct view_loop){copy, c});
  return copy;
}

static const struct core *rewrite(struct finder *f, const struct core *c) {
  core_list list = {0};
  const struct core *all = core_skip(), *rest = c;
  for (; rest->kind == CORE_SEQ; rest = rest->second)
    vec_push(&list, rest->first);
  vec_push(&list, rest);
  bool changed = false;
  for (size_t i = list.len; i-- > 0;) {
    const struct core *one = list.at[i];
    const struct core *round = one->kind == CORE_WHILE ? until_round(f->k, one) : NULL;
    if (round && is_until(f, one, round)) {
      size_t from = round_before(f, &list, i, round);
      one = as_rounds(f, one, round, from < i);
      i = from;
      changed = true;
    } else {
      one = rewrite_inside(f, one);
      changed |= one != list.at[i];
    }
    all = core_seq(f->arena, one, all);
  }
  vec_clear(&list);
  return changed ? all : c;
}

void auto_until(struct auto_problem *p, struct auto_search *s) {
  static auto_strategy *const others[] = {auto_align, auto_joined, auto_composed, auto_rescaled};
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  if (auto_cost(s) || kernel_notion(k).kind != NOTION_PURE) return;
  struct finder f = {.p = p, .k = k, .ts = p->ts, .arena = kernel_arena(k)};
  const struct view *before = p->view;
  view_copy(&f.out, before);
  f.out.program = rewrite(&f, before->program);
  p->view = &f.out;
  for (size_t i = 0;
       f.out.untils.len && i < sizeof others / sizeof *others && !auto_cost(s) && !auto_is_late(s);
       i++)
    others[i](p, s);
  p->view = before;
  view_clear(&f.out);
}
