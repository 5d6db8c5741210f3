#include "search/base/view.h"

#include "kernel/dist.h"
#include "search/base/auto.h"
#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "term/build.h"
#include "term/subst.h"

void view_init(struct view *v, const struct core *program) {
  *v = (struct view){.program = program};
}

void view_clear(struct view *v) {
  vec_clear(&v->rescaled);
  vec_clear(&v->factors);
  vec_clear(&v->parts);
  vec_clear(&v->copies);
  vec_clear(&v->copied);
  vec_clear(&v->noises);
  vec_clear(&v->events);
  vec_clear(&v->lists);
  vec_clear(&v->lengths);
  vec_clear(&v->constants);
  vec_clear(&v->data);
  vec_clear(&v->slides);
  vec_clear(&v->joins);
  vec_clear(&v->tables);
  vec_clear(&v->bounds);
  vec_clear(&v->facts);
  vec_clear(&v->untils);
  vec_clear(&v->loops);
}

#define COPY_VEC(to, from)                                                                         \
  for (size_t copy_ = 0; copy_ < (from)->len; copy_++)                                             \
  vec_push(to, (from)->at[copy_])

void view_copy(struct view *to, const struct view *from) {
  view_init(to, from->program);
  to->fused = from->fused;
  COPY_VEC(&to->rescaled, &from->rescaled);
  COPY_VEC(&to->factors, &from->factors);
  COPY_VEC(&to->parts, &from->parts);
  COPY_VEC(&to->copies, &from->copies);
  COPY_VEC(&to->copied, &from->copied);
  COPY_VEC(&to->noises, &from->noises);
  COPY_VEC(&to->events, &from->events);
  COPY_VEC(&to->lists, &from->lists);
  COPY_VEC(&to->lengths, &from->lengths);
  COPY_VEC(&to->constants, &from->constants);
  COPY_VEC(&to->data, &from->data);
  COPY_VEC(&to->slides, &from->slides);
  COPY_VEC(&to->joins, &from->joins);
  COPY_VEC(&to->tables, &from->tables);
  COPY_VEC(&to->bounds, &from->bounds);
  COPY_VEC(&to->facts, &from->facts);
  COPY_VEC(&to->untils, &from->untils);
  COPY_VEC(&to->loops, &from->loops);
}

const struct core *view_program(const struct auto_problem *p) {
  return p->view->program;
}

const struct part *view_part(const struct auto_problem *p, const struct core *sampling) {
  for (size_t i = 0; i < p->view->parts.len; i++)
    if (p->view->parts.at[i].stub == sampling) return &p->view->parts.at[i];
  return NULL;
}

const struct noise *view_noise(const struct auto_problem *p, const struct core *sampling) {
  for (size_t i = 0; i < p->view->noises.len; i++)
    if (p->view->noises.at[i].stub == sampling) return &p->view->noises.at[i];
  return NULL;
}

const struct view_event *view_event(const struct auto_problem *p, const struct core *sampling) {
  for (size_t i = 0; i < p->view->events.len; i++)
    if (p->view->events.at[i].site == sampling) return &p->view->events.at[i];
  return NULL;
}

const struct view_slide *view_slide(const struct auto_problem *p, const struct core *sampling) {
  for (size_t i = 0; i < p->view->slides.len; i++)
    if (p->view->slides.at[i].stub == sampling) return &p->view->slides.at[i];
  return NULL;
}

const struct view_until *view_until(const struct auto_problem *p, const struct core *round) {
  for (size_t i = 0; i < p->view->untils.len; i++) {
    const struct view_until *u = &p->view->untils.at[i];
    if (u->accept == round || u->round == round) return u;
  }
  return NULL;
}

bool view_is_rejected(const struct auto_problem *p, const struct core *c) {
  bool is = false;
  for (size_t i = 0; i < p->view->untils.len; i++)
    is |= p->view->untils.at[i].rejected == c;
  return is;
}

const struct core *view_origin(const struct auto_problem *p, const struct core *loop) {
  for (size_t i = p->view->loops.len; i-- > 0;)
    if (p->view->loops.at[i].here == loop) return view_origin(p, p->view->loops.at[i].there);
  return loop;
}

term_id view_term(const struct auto_problem *p, term_id t) {
  const struct view *v = p->view;
  for (size_t i = 0; i < v->rescaled.len && t != TERM_NONE; i++)
    for (unsigned run = 0; run <= 2; run++) {
      term_id var = term_var_in_run(p->ts, v->rescaled.at[i], run);
      term_id many = term_mul(p->ts, v->factors.at[i], var);
      if (term_mentions(p->ts, t, &var, 1)) t = term_subst(p->ts, t, &var, &many, 1);
    }
  for (size_t i = 0; i < v->lists.len && t != TERM_NONE; i++)
    for (unsigned run = 0; run <= 2; run++) {
      term_id var = term_var_in_run(p->ts, v->lengths.at[i], run);
      term_id length = term_length(p->ts, term_var_in_run(p->ts, v->lists.at[i], run));
      if (term_mentions(p->ts, t, &var, 1)) t = term_subst(p->ts, t, &var, &length, 1);
    }
  return t;
}

term_id view_distance(const struct auto_problem *p, term_id var, term_id t) {
  const struct view *v = p->view;
  for (size_t i = 0; i < v->rescaled.len && t != TERM_NONE; i++)
    if (v->rescaled.at[i] == var)
      return cost_simplified(p->ts, term_mul(p->ts, t, term_reciprocal(p->ts, v->factors.at[i])));
  return t;
}

/* A variable that is assigned before a loop and read after it. */
struct spanning {
  struct terms *ts;
  term_id var;
  const struct core *loop;
  bool assigned, passed, found;
};

/* In the order of the text. */
static void find_spanning(struct spanning *f, const struct core *c) {
  if (c == f->loop) {
    f->passed = f->assigned;
    return;
  }
  bool reads = c->expr != TERM_NONE && term_mentions(f->ts, c->expr, &f->var, 1);
  for (size_t i = 0; i < c->arg_count; i++)
    reads |= term_mentions(f->ts, c->args[i], &f->var, 1);
  f->found |= f->passed && reads;
  f->assigned |= c->kind == CORE_ASSIGN && c->var == f->var;
  if (c->first) find_spanning(f, c->first);
  if (c->second) find_spanning(f, c->second);
}

/* Does the copy of another variable have to outlast the loop? */
static bool outlasts(const struct auto_problem *p, size_t copy, const struct core *loop) {
  const struct core *program = claim_program(p->goal)->program;
  struct spanning f = {.ts = p->ts, .var = p->view->copies.at[copy], .loop = loop};
  term_list written = {0};
  core_writes(program, &written);
  bool passes = terms_have(&written, p->view->copied.at[copy]);
  vec_clear(&written);
  if (passes) find_spanning(&f, program);
  return f.found;
}

void view_copy_facts(const struct auto_problem *p, const struct core *loop, term_list *out) {
  const struct view *v = p->view;
  const struct core *origin = view_origin(p, loop);
  struct kernel *k = claim_kernel(p->goal, CLAIM_FORWARD);
  term_list read = {0}, written = {0};
  for (size_t i = 0; i < v->facts.len; i++)
    if (v->facts.at[i].loop == origin) vec_push(out, v->facts.at[i].fact);
  core_reads(p->ts, origin, &read);
  for (size_t i = 0; origin->var != TERM_NONE && i < origin->arg_count; i++)
    term_free_vars(p->ts, origin->args[i], &read); /* its invariant speaks of its range */
  core_writes(origin, &written);
  for (size_t i = 0; i < v->copies.len; i++) {
    term_id var = v->copies.at[i];
    bool needed = terms_have(&read, var) || outlasts(p, i, origin);
    if (!needed || terms_have(&written, var)) continue;
    for (unsigned run = 1; run <= 2; run++)
      vec_push(out, term_eq(p->ts, kernel_tag(k, var, run), kernel_tag(k, v->copied.at[i], run)));
  }
  vec_clear(&read);
  vec_clear(&written);
}
