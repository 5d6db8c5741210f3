#include "lsp/script_walk.h"

static void use(const struct script_visitor *v, const struct ast_name *name) {
  if (name->text) v->use(v->context, name);
}

static void define(const struct script_visitor *v, const struct ast_name *name) {
  if (name->text) v->define(v->context, name);
}

static void expr(const struct script_visitor *v, const struct ast_expr *e) {
  if (e) v->expr(v->context, e);
}

static void exprs(const struct script_visitor *v, struct ast_expr *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    expr(v, list[i]);
}

static void walk_coupling(const struct script_visitor *v, const struct script_sample *s) {
  if (!s) return;
  for (size_t i = 0; i < s->case_count; i++) {
    expr(v, s->cases[i].when);
    expr(v, s->cases[i].shift);
    expr(v, s->cases[i].bound);
  }
  exprs(v, s->args, s->arg_count);
  for (size_t i = 0; i < 2; i++) {
    expr(v, s->sets[i].when);
    expr(v, s->sets[i].low);
    expr(v, s->sets[i].high);
    walk_coupling(v, s->branch[i]);
  }
  expr(v, s->aim);
  expr(v, s->aim_cost);
  expr(v, s->upto);
  expr(v, s->upto_delta);
  expr(v, s->upto_at);
  if (s->upto_in) expr(v, s->upto_in->when);
  if (s->upto_in) expr(v, s->upto_in->low);
  if (s->upto_in) expr(v, s->upto_in->high);
  expr(v, s->upto_most);
  expr(v, s->upto_where);
}

static void walk_route(const struct script_visitor *v, const struct script_route *r) {
  if (!r) return;
  expr(v, r->order);
  expr(v, r->cost);
}

static void walk_composition(const struct script_visitor *v, const struct script_scope *s) {
  const struct script_advanced *a = s->advanced;
  const struct script_deltas *d = s->deltas;
  if (a) {
    expr(v, a->count);
    expr(v, a->epsilon);
    expr(v, a->omega);
    expr(v, a->hit);
    expr(v, a->hits);
    expr(v, a->delta);
    expr(v, a->total);
  }
  if (d) {
    define(v, &d->count);
    expr(v, d->total);
    expr(v, d->variant);
    expr(v, d->most);
  }
  if (s->counted) {
    expr(v, s->counted->variant);
    expr(v, s->counted->most);
  }
}

/* What is said about the loop itself. */
static void walk_loop(const struct script_visitor *v, const struct script_scope *s) {
  for (size_t i = 0; i < s->ghost_count; i++) {
    expr(v, s->ghosts[i].value);
    define(v, &s->ghosts[i].name);
  }
  exprs(v, s->invariants, s->invariant_count);
  exprs(v, s->frames, s->frame_count);
  expr(v, s->budget);
  expr(v, s->variant);
  expr(v, s->save);
  expr(v, s->keep);
  expr(v, s->until);
  walk_route(v, s->route);
  walk_composition(v, s);
  if (s->form) define(v, &s->form->flag);
  if (s->form) expr(v, s->form->condition);
  if (s->form) script_walk(s->form->first, v);
}

static void walk_steps(const struct script_visitor *v, const struct script_scope *s) {
  for (size_t i = 0; i < s->sample_count; i++) {
    use(v, &s->samples[i].name);
    walk_coupling(v, &s->samples[i]);
  }
  for (size_t i = 0; i < s->noise_count; i++) {
    use(v, &s->noises[i].result);
    use(v, &s->noises[i].from);
    for (size_t j = 0; j < s->noises[i].dist.count; j++)
      expr(v, s->noises[i].dist.args[j]);
  }
  for (size_t i = 0; i < s->rewrite_count; i++)
    for (size_t j = 0; j < s->rewrites[i].count; j++)
      use(v, &s->rewrites[i].names[j]);
  for (size_t i = 0; i < s->loop_count; i++)
    script_walk(s->loops[i], v);
  for (size_t i = 0; i < s->law_count; i++) {
    use(v, &s->laws[i].name);
    use(v, &s->laws[i].runner_up);
    if (s->laws[i].kind == SCRIPT_PODIUM) exprs(v, s->laws[i].values, 2);
    exprs(v, s->laws[i].args, 2);
  }
  for (size_t i = 0; i < s->outcome_count; i++) {
    const struct script_outcomes *o = &s->outcomes[i];
    for (size_t j = 0; j < o->count; j++)
      use(v, &o->names[j]);
    use(v, &o->from);
    for (size_t j = 0; j < o->range_count; j++) {
      expr(v, o->ranges[j].value);
      expr(v, o->ranges[j].low);
      expr(v, o->ranges[j].high);
    }
    expr(v, o->cost);
  }
  for (size_t i = 0; i < s->part_count; i++) {
    const struct script_part *part = &s->parts[i];
    use(v, &part->name);
    define(v, &part->value);
    expr(v, part->low);
    expr(v, part->high);
    expr(v, part->total);
    script_walk(part->scope, v);
  }
}

void script_walk(const struct script_scope *s, const struct script_visitor *v) {
  if (!s) return;
  use(v, &s->index);
  use(v, &s->pointwise);
  define(v, &s->pointwise_value);
  expr(v, s->pointwise_low);
  expr(v, s->pointwise_high);
  expr(v, s->pointwise_total);
  exprs(v, s->lemmas, s->lemma_count);
  exprs(v, s->gives, s->give_count);
  walk_loop(v, s);
  walk_steps(v, s);
  if (s->cases) {
    expr(v, s->cases->condition);
    script_walk(s->cases->yes, v);
    script_walk(s->cases->no, v);
  }
  script_walk(s->backward, v);
}
