#include "report/judge/distribution.h"

#include <stdlib.h>
#include <string.h>

#include "check/exact/exact.h"
#include "lang/check/check.h"
#include "lang/syntax/parse.h"
#include "num/rational.h"
#include "num/real/ball.h"
#include "report/record/decimal.h"
#include "run/sample/interp.h"

enum {
  MOST_OUTCOMES = 14, /* bars of a picture */
  GRID = 97,          /* points of a density */
  MOST_DOUBLINGS = 16 /* of the window, until the densities are small at its ends */
};

/* Both runs of the counterexample. */
struct runs {
  const struct program_claim *claim;
  struct interp in[2];
  unsigned count; /* prepared so far */
  const struct budget *budget;
};

/* ---- reading the counterexample back --------------------------------------------------------- */

static bool read_value(const struct program_claim *claim, const char *text, const struct type *type,
                       struct rvalue *value) {
  struct lang *lang = claim->lang;
  if (!text) return false;
  uint32_t source = sources_add(&lang->sources, "<counterexample>", text, strlen(text));
  struct diag_mark mark = diags_mark(&lang->diags);
  struct ast_expr *e = parse_expression(lang, source);
  bool ok = lang->diags.errors == mark.errors && check_constant(lang, claim->module, e, type) &&
            interp_constant(lang, e, value);
  diags_rollback(&lang->diags, mark);
  return ok;
}

static const struct ast_decl *find_decl(const struct ast_module *module, enum decl_kind kind,
                                        const char *name) {
  for (size_t i = 0; name && i < module->decl_count; i++)
    if (module->decls[i]->kind == kind && strcmp(module->decls[i]->name.text, name) == 0)
      return module->decls[i];
  return NULL;
}

static bool give_params(struct interp *in, const struct program_claim *claim, const json_t *ce) {
  const char *name;
  json_t *text;
  json_object_foreach(json_object_get(ce, "parameters"), name, text) {
    const struct ast_decl *param = find_decl(claim->module, DECL_PARAM, name);
    struct rvalue value;
    if (!param || !read_value(claim, json_string_value(text),
                              interp_reveal(in, param->as.param.type->type), &value))
      return false;
    interp_set_param(in, param, value, span_none());
  }
  return true;
}

static bool give_inputs(struct interp *in, const struct program_claim *claim, const json_t *ce,
                        size_t run) {
  const struct ast_routine *routine = in->mechanism->as.mechanism.routine;
  for (size_t i = 0; i < routine->arg_count; i++) {
    const json_t *both =
        json_object_get(json_object_get(ce, "inputs"), routine->args[i]->name.text);
    struct rvalue value;
    if (!read_value(claim, json_string_value(json_array_get(both, run)),
                    interp_reveal(in, routine->args[i]->type), &value))
      return false;
    interp_set_input(in, i, value, span_none());
  }
  return true;
}

static bool runs_init(struct runs *r, const struct program_claim *claim, const json_t *ce) {
  for (r->count = 0; r->count < 2;) {
    struct interp *in = &r->in[r->count];
    interp_init(in, claim->lang, claim->module, claim->claim->as.claim.target);
    r->count++;
    in->instance =
        find_decl(claim->module, DECL_INSTANCE, json_string_value(json_object_get(ce, "instance")));
    struct diag_mark mark = diags_mark(&claim->lang->diags);
    bool ok = give_params(in, claim, ce) && give_inputs(in, claim, ce, r->count - 1) &&
              interp_prepare(in);
    diags_rollback(&claim->lang->diags, mark);
    if (!ok) return false;
  }
  return true;
}

static void runs_clear(struct runs *r) {
  for (unsigned i = 0; i < r->count; i++)
    interp_clear(&r->in[i]);
}

typedef VEC(struct pattern) pattern_list;

static bool read_event(pattern_list *out, const json_t *ce) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(ce, "outputs"), i, item) {
    struct pattern p = {0};
    size_t at;
    char *why = NULL;
    const char *text = json_string_value(item);
    if (!text || !pattern_parse(&p, text, &at, &why)) {
      free(why);
      return false;
    }
    vec_push(out, p);
  }
  return out->len > 0;
}

static void pattern_list_clear(pattern_list *list) {
  for (size_t i = 0; i < list->len; i++)
    pattern_clear(&list->at[i]);
  vec_clear(list);
}

/* ---- discrete outputs ------------------------------------------------------------------------ */

struct outcome {
  const struct rvalue *output;
  arb_t p[2];
  double most; /* for sorting */
  bool in_event, shown;
};
typedef VEC(struct outcome) outcome_list;

static bool is_in_event(const struct rvalue *output, const pattern_list *event) {
  struct pattern p;
  pattern_of(&p, output);
  bool in = false;
  for (size_t i = 0; i < event->len; i++)
    in |= !pattern_disjoint(&p, &event->at[i]);
  pattern_clear(&p);
  return in;
}

static struct outcome *outcome_of(outcome_list *list, const struct rvalue *output) {
  int order;
  for (size_t i = 0; i < list->len; i++)
    if (rvalue_compare(&order, list->at[i].output, output) && order == 0) return &list->at[i];
  vec_push(list, (struct outcome){.output = output});
  struct outcome *o = &vec_last(list);
  arb_init(o->p[0]);
  arb_init(o->p[1]);
  return o;
}

static int by_weight(const void *a, const void *b) {
  const struct outcome *x = a, *y = b;
  if (x->in_event != y->in_event) return x->in_event ? -1 : 1;
  return x->most > y->most ? -1 : x->most < y->most;
}

static int by_output(const void *a, const void *b) {
  const struct outcome *x = a, *y = b;
  int order;
  if (rvalue_is_number(x->output) && rvalue_compare(&order, x->output, y->output)) return order;
  struct buffer left, right;
  buffer_init(&left);
  buffer_init(&right);
  rvalue_print(&left, x->output);
  rvalue_print(&right, y->output);
  order = strcmp(buffer_text(&left), buffer_text(&right));
  buffer_clear(&left);
  buffer_clear(&right);
  return order;
}

/* The mass that was cut from infinite tables may belong to any output. */
static void merge(outcome_list *list, const struct exact_distribution *d, int run,
                  const pattern_list *event) {
  arb_t most;
  arb_init(most);
  for (size_t i = 0; i < d->outcomes.len; i++) {
    struct outcome *o = outcome_of(list, &d->outcomes.at[i].output);
    arb_add(most, d->outcomes.at[i].probability, d->lost, EXACT_PRECISION);
    arb_union(o->p[run], d->outcomes.at[i].probability, most, EXACT_PRECISION);
    double p = arf_get_d(arb_midref(o->p[run]), ARF_RND_NEAR);
    if (p > o->most) o->most = p;
    o->in_event = is_in_event(o->output, event);
  }
  arb_clear(most);
}

static json_t *outcomes_json(outcome_list *list, const struct exact_distribution d[2]) {
  json_t *outcomes = json_array(), *others = json_array(), *others_text = json_array();
  qsort(list->at, list->len, sizeof *list->at, by_weight);
  size_t shown = list->len < MOST_OUTCOMES ? list->len : MOST_OUTCOMES;
  for (int run = 0; run < 2; run++) {
    arb_t rest;
    arb_init(rest);
    arb_set(rest, d[run].lost);
    for (size_t i = shown; i < list->len; i++)
      arb_add(rest, rest, list->at[i].p[run], EXACT_PRECISION);
    json_t *bounds = json_bounds(rest, 3);
    json_array_append(others, json_object_get(bounds, "high"));
    json_array_append(others_text, json_object_get(bounds, "high_text"));
    json_decref(bounds);
    arb_clear(rest);
  }
  qsort(list->at, shown, sizeof *list->at, by_output);
  for (size_t i = 0; i < shown; i++) {
    struct buffer text;
    buffer_init(&text);
    rvalue_print(&text, list->at[i].output);
    json_array_append_new(outcomes, json_pack("{s:s, s:[o, o], s:b}", "output", buffer_text(&text),
                                              "probabilities", json_bounds(list->at[i].p[0], 8),
                                              json_bounds(list->at[i].p[1], 8), "in_event",
                                              list->at[i].in_event));
    buffer_clear(&text);
  }
  return json_pack("{s:s, s:o, s:o, s:o}", "kind", "discrete", "outcomes", outcomes, "others",
                   others, "others_text", others_text);
}

static json_t *discrete(struct runs *r, const pattern_list *event) {
  struct exact_options options = {.budget = r->budget};
  struct exact_distribution d[2];
  outcome_list list = {0};
  bool ok = true;
  for (int run = 0; run < 2; run++) {
    exact_distribution_init(&d[run]);
    if (ok) exact_distribution(&r->in[run], &options, &d[run]);
    ok = ok && d[run].status == EXACT_OK;
    if (ok) merge(&list, &d[run], run, event);
  }
  json_t *json = ok && list.len ? outcomes_json(&list, d) : NULL;
  for (size_t i = 0; i < list.len; i++) {
    arb_clear(list.at[i].p[0]);
    arb_clear(list.at[i].p[1]);
  }
  vec_clear(&list);
  exact_distribution_clear(&d[0]);
  exact_distribution_clear(&d[1]);
  return json;
}

/* ---- densities ------------------------------------------------------------------------------- */

/* The first interval in the event. */
static struct pattern *find_range(struct pattern *p) {
  if (p->kind == PATTERN_RANGE) return p;
  for (size_t i = 0; i < p->count; i++) {
    struct pattern *found = find_range(&p->items[i]);
    if (found) return found;
  }
  return NULL;
}

static bool rational_of(fmpq_t out, const struct rvalue *v) {
  if (v->kind == RVALUE_INT)
    fmpq_set_fmpz(out, &v->as.integer);
  else if (v->kind == RVALUE_RATIONAL)
    fmpq_set(out, &v->as.rational);
  else
    return false;
  return true;
}

/* A section through both densities: `event` with the number at `point` set to x. */
struct section {
  struct runs *runs;
  struct pattern event;
  struct pattern *point; /* in event */
  bool is_atom;          /* x has a probability, not a density: nothing to draw there */
  fmpq_t low, high;      /* the event's range */
  bool has_low, has_high;
  arb_t f[2];
};

static bool section_at(struct section *s, const fmpq_t x) {
  struct exact_options options = {.budget = s->runs->budget};
  bool ok = true;
  s->is_atom = false;
  rvalue_clear(&s->point->value);
  s->point->value = rvalue_fmpq(x);
  for (int run = 0; run < 2 && ok; run++) {
    struct exact_result result;
    exact_result_init(&result);
    exact_probability(&s->runs->in[run], &s->event, &options, &result);
    ok = result.status == EXACT_OK && result.points <= 1;
    if (ok && result.points) arb_set(s->f[run], result.probability);
    /* no density where the output is not this number at all, or is it with some probability */
    if (ok && !result.points) arb_zero(s->f[run]);
    s->is_atom |= ok && !result.points && !arb_is_zero(result.probability);
    exact_result_clear(&result);
  }
  return ok;
}

static double largest(const struct section *s) {
  double a = arf_get_d(arb_midref(s->f[0]), ARF_RND_NEAR),
         b = arf_get_d(arb_midref(s->f[1]), ARF_RND_NEAR);
  return a > b ? a : b;
}

/* How far from `centre` one must go until both densities have become small. */
static bool find_end(struct section *s, const fmpq_t centre, int direction, fmpq_t end,
                     double *peak) {
  fmpq_t width;
  fmpq_init(width);
  fmpq_set_si(width, direction, 8);
  bool ok = true;
  for (int i = 0; i < MOST_DOUBLINGS && ok; i++, fmpq_mul_si(width, width, 2)) {
    fmpq_add(end, centre, width);
    ok = section_at(s, end);
    if (!ok) break;
    double f = largest(s);
    if (f > *peak) *peak = f;
    if (f < *peak / 50 && i > 2) break;
  }
  fmpq_clear(width);
  return ok;
}

static json_t *grid(struct section *s, const fmpq_t from, const fmpq_t to) {
  json_t *points = json_array();
  fmpq_t x, step;
  fmpq_init(x);
  fmpq_init(step);
  fmpq_sub(step, to, from);
  fmpq_div_fmpz(step, step, (fmpz[]){GRID - 1});
  bool ok = true;
  for (slong i = 0; i < GRID && ok; i++) {
    fmpq_mul_si(x, step, i);
    fmpq_add(x, x, from);
    ok = section_at(s, x);
    if (!ok) break;
    if (s->is_atom) continue;
    char *text = rational_string(x);
    json_array_append_new(points, json_pack("{s:s, s:[o, o]}", "x", text, "densities",
                                            json_bounds(s->f[0], 8), json_bounds(s->f[1], 8)));
    free(text);
  }
  fmpq_clear(x);
  fmpq_clear(step);
  if (ok) return points;
  json_decref(points);
  return NULL;
}

/* The pattern with x in the place of the number that varies. */
static char *section_text(struct section *s) {
  struct rvalue number = s->point->value;
  s->point->value = rvalue_symbol("x");
  struct buffer b;
  buffer_init(&b);
  pattern_print(&b, &s->event);
  s->point->value = number;
  return buffer_take(&b);
}

static json_t *section_json(struct section *s) {
  fmpq_t centre, from, to;
  fmpq_init(centre);
  fmpq_init(from);
  fmpq_init(to);
  if (s->has_low && s->has_high) {
    fmpq_add(centre, s->low, s->high);
    fmpq_div_2exp(centre, centre, 1);
  } else {
    fmpq_set(centre, s->has_low ? s->low : s->high);
  }
  json_t *json = NULL, *points = NULL;
  double peak = 0;
  if (section_at(s, centre)) {
    peak = largest(s);
    if (find_end(s, centre, -1, from, &peak) && find_end(s, centre, 1, to, &peak))
      points = grid(s, from, to);
  }
  if (points) {
    char *text = section_text(s), *low = s->has_low ? rational_string(s->low) : NULL,
         *high = s->has_high ? rational_string(s->high) : NULL;
    json = json_pack("{s:s, s:s, s:s?, s:s?, s:o}", "kind", "density", "output", text, "low", low,
                     "high", high, "points", points);
    free(text);
    free(low);
    free(high);
  }
  fmpq_clear(centre);
  fmpq_clear(from);
  fmpq_clear(to);
  return json;
}

static json_t *density(struct runs *r, const pattern_list *event) {
  struct section s = {.runs = r, .event = pattern_copy(&event->at[0])};
  json_t *json = NULL;
  s.point = find_range(&s.event);
  fmpq_init(s.low);
  fmpq_init(s.high);
  arb_init(s.f[0]);
  arb_init(s.f[1]);
  if (s.point) {
    s.has_low = rational_of(s.low, &s.point->low);
    s.has_high = rational_of(s.high, &s.point->high);
  }
  if (s.has_low || s.has_high) {
    rvalue_clear(&s.point->low);
    rvalue_clear(&s.point->high);
    s.point->kind = PATTERN_VALUE;
    json = section_json(&s);
  }
  fmpq_clear(s.low);
  fmpq_clear(s.high);
  arb_clear(s.f[0]);
  arb_clear(s.f[1]);
  pattern_clear(&s.event);
  return json;
}

json_t *distribution_json(const struct program_claim *claim, const json_t *counterexample,
                          const struct budget *budget) {
  const char *kind = json_string_value(json_object_get(counterexample, "kind"));
  if (!kind || strcmp(kind, "program") != 0) return NULL;
  struct runs runs = {.claim = claim, .budget = budget};
  pattern_list event = {0};
  json_t *json = NULL;
  if (runs_init(&runs, claim, counterexample) && read_event(&event, counterexample)) {
    json = discrete(&runs, &event);
    if (!json) json = density(&runs, &event);
  }
  pattern_list_clear(&event);
  runs_clear(&runs);
  return json;
}
