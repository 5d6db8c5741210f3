#include "proof/noise.h"

#include "term/build.h"
#include "term/subst.h"

/* Values of variables that were assigned, over the samples and the memory before. */
struct values {
  term_list vars, terms;
};

static void values_clear(struct values *v) {
  vec_clear(&v->vars);
  vec_clear(&v->terms);
}

static term_id value_of(struct terms *ts, const struct values *v, term_id t) {
  return term_subst(ts, t, v->vars.at, v->terms.at, v->vars.len);
}

static void set_value(struct values *v, term_id var, term_id value) {
  for (size_t i = 0; i < v->vars.len; i++)
    if (v->vars.at[i] == var) {
      v->terms.at[i] = value;
      return;
    }
  vec_push(&v->vars, var);
  vec_push(&v->terms, value);
}

static bool execute(struct terms *ts, const struct core *c, struct values *v);

/* Both branches, then the value of each variable by the condition. */
static bool execute_if(struct terms *ts, const struct core *c, struct values *v) {
  term_id condition = value_of(ts, v, c->expr);
  struct values branch[2] = {0};
  const struct core *codes[] = {c->first, c->second};
  term_list written = {0};
  bool ok = condition != TERM_NONE;
  core_writes(c, &written);
  for (size_t b = 0; b < 2 && ok; b++) {
    for (size_t i = 0; i < v->vars.len; i++)
      set_value(&branch[b], v->vars.at[i], v->terms.at[i]);
    ok = execute(ts, codes[b], &branch[b]);
  }
  for (size_t i = 0; i < written.len && ok; i++) {
    term_id var = written.at[i];
    term_id value =
        term_ite(ts, condition, value_of(ts, &branch[0], var), value_of(ts, &branch[1], var));
    ok = value != TERM_NONE;
    if (ok) set_value(v, var, value);
  }
  values_clear(&branch[0]);
  values_clear(&branch[1]);
  vec_clear(&written);
  return ok;
}

static bool execute(struct terms *ts, const struct core *c, struct values *v) {
  if (c->kind == CORE_SKIP) return true;
  if (c->kind == CORE_SEQ) return execute(ts, c->first, v) && execute(ts, c->second, v);
  if (c->kind == CORE_IF) return execute_if(ts, c, v);
  if (c->kind != CORE_ASSIGN) return false;
  term_id value = term_coerce(ts, c->expr, term_sort(ts, c->var));
  if (value == TERM_NONE) return false;
  value = value_of(ts, v, value);
  if (value != TERM_NONE) set_value(v, c->var, value);
  return value != TERM_NONE;
}

static bool is_arithmetic(enum term_kind kind) {
  return kind == TERM_ADD || kind == TERM_MUL || kind == TERM_DIV || kind == TERM_LN;
}

/* The part of the term that computes with the samples: what they have in common, and the arithmetic
 * around it. */
static term_id noise_in(struct terms *ts, term_id t, const term_list *samples) {
  if (!term_mentions(ts, t, samples->at, samples->len)) return TERM_NONE;
  size_t with = 0, count = term_arg_count(ts, t);
  term_id below = TERM_NONE;
  for (size_t i = 0; i < count; i++)
    if (term_mentions(ts, term_arg(ts, t, i), samples->at, samples->len)) {
      below = term_arg(ts, t, i);
      with++;
    }
  if (with != 1) return t;
  term_id found = noise_in(ts, below, samples);
  return found == below && is_arithmetic(term_kind(ts, t)) ? t : found;
}

/* The same for one sample of noise with a centre: the smallest sum around it, as what happens to
 * that afterwards is nobody's concern. */
static term_id sum_around(struct terms *ts, term_id t, term_id sample) {
  if (!term_mentions(ts, t, &sample, 1)) return TERM_NONE;
  for (size_t i = 0, count = term_arg_count(ts, t); i < count; i++) {
    term_id found = sum_around(ts, term_arg(ts, t, i), sample);
    if (found != TERM_NONE) return found;
  }
  return term_kind(ts, t) == TERM_ADD ? t : TERM_NONE;
}

/* The only variable that a statement writes; TERM_NONE: there are others. */
static term_id written_by(const struct core *c) {
  term_list written = {0};
  core_writes(c, &written);
  term_id var = written.len ? written.at[0] : TERM_NONE;
  for (size_t i = 1; i < written.len; i++)
    if (written.at[i] != var) var = TERM_NONE;
  vec_clear(&written);
  return var;
}

static bool finish(struct terms *ts, struct arena *arena, const struct core *end,
                   const struct values *v, struct hand_made *out) {
  out->last = end->kind == CORE_SAMPLE ? TERM_NONE : written_by(end);
  if (out->last == TERM_NONE) return false;
  term_id all = value_of(ts, v, out->last);
  out->value =
      out->is_located ? sum_around(ts, all, out->samples.at[0]) : noise_in(ts, all, &out->samples);
  if (out->value == TERM_NONE) return false;
  for (size_t i = 0; i < out->samples.len && out->var == TERM_NONE; i++)
    if (term_sort(ts, out->samples.at[i]) == term_sort(ts, out->value))
      out->var = out->samples.at[i];
  if (out->var == TERM_NONE || out->value == out->var) return false;
  term_id rest = term_replace(ts, all, &out->value, &out->var, 1);
  out->tail = rest == out->last ? core_skip() : core_assign(arena, end->span, out->last, rest);
  return rest != TERM_NONE;
}

/* What other noise is made of. */
static bool is_raw(enum dist_kind dist) {
  return dist == DIST_EXPONENTIAL || dist == DIST_GEOMETRIC;
}

bool hand_made_read(struct terms *ts, struct arena *arena, const struct core *const *list,
                    size_t first, size_t last, struct hand_made *out) {
  struct values v = {0};
  *out = (struct hand_made){.var = TERM_NONE, .value = TERM_NONE, .last = TERM_NONE};
  bool ok = list[first]->kind == CORE_SAMPLE;
  out->is_located = ok && dist_is_centred(list[first]->dist) && !is_raw(list[first]->dist);
  for (size_t i = first; i <= last && ok; i++) {
    const struct core *c = list[i];
    if (c->kind != CORE_SAMPLE) {
      ok = execute(ts, c, &v);
      continue;
    }
    for (size_t s = 0; s < v.vars.len; s++) /* the name stands for one sample only */
      ok &= v.vars.at[s] != c->var;
    for (size_t s = 0; s < out->samples.len; s++)
      ok &= out->samples.at[s] != c->var;
    vec_push(&out->samples, c->var);
  }
  ok &= !out->is_located || out->samples.len == 1;
  ok = ok && finish(ts, arena, list[last], &v, out);
  values_clear(&v);
  if (!ok) hand_made_clear(out);
  return ok;
}

void hand_made_clear(struct hand_made *made) {
  vec_clear(&made->samples);
}
