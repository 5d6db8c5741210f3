#include "search/goals/gallery.h"

#include "search/base/settle.h"
#include "term/build.h"
#include "term/subst.h"

/* What the loop does: array[index] := value, one sampling, on the only path. */
struct fill {
  struct paths paths;
  const struct path_sample *sample;
  term_id value;
};

static bool find_fill(struct contest *c, const struct core *loop, struct fill *f) {
  if (loop->var == TERM_NONE || !paths_find(c->k, loop->first, &f->paths) ||
      f->paths.list.len != 1 || f->paths.list.at[0].samples.len != 1)
    return false;
  const struct path *path = &f->paths.list.at[0];
  f->sample = &path->samples.at[0];
  for (size_t i = 0; i < path->vars.len; i++) {
    term_id store = path->values.at[i];
    if (term_kind(c->ts, store) != TERM_STORE || term_arg(c->ts, store, 0) != path->vars.at[i] ||
        term_arg(c->ts, store, 1) != loop->var)
      continue;
    f->value = term_arg(c->ts, store, 2);
    c->gallery = (struct gallery){.loop = loop, .array = path->vars.at[i], .index = loop->var};
    return term_mentions(c->ts, f->value, &f->sample->value, 1);
  }
  return false;
}

static bool reads(const struct contest *c, term_id t) {
  return term_kind(c->ts, t) == TERM_SELECT && term_arg(c->ts, t, 0) == c->gallery.array;
}

bool gallery_has(const struct contest *c, term_id t) {
  return c->gallery.loop && reads(c, t);
}

/* array[result], if an iteration looks at it: a variable `champion` in its place, which a new
 * result changes. */
static void name_champion(struct contest *c) {
  struct terms *ts = c->ts;
  term_id element = term_select(ts, c->gallery.array, c->current);
  bool is_read = false;
  term_list parts = {0};
  for (size_t i = 0; i < c->body.list.len; i++)
    term_subterms(ts, c->body.list.at[i].condition, &parts);
  for (size_t i = 0; i < parts.len; i++)
    is_read |= parts.at[i] == element;
  vec_clear(&parts);
  if (!is_read) return;
  c->gallery.champion = element;
  c->best = kernel_fresh(c->k, "champion", term_sort(ts, element));
  c->held = true;
  for (size_t i = 0; i < c->body.list.len; i++) {
    struct path *path = &c->body.list.at[i];
    path->condition = term_replace(ts, path->condition, &element, &c->best, 1);
    term_id after = path_after(ts, path, c->current);
    if (after == c->current) continue;
    vec_push(&path->vars, c->best);
    vec_push(&path->values, term_select(ts, c->gallery.array, after));
  }
}

/* The one element that the iterations read; TERM_NONE: none, or several. */
static term_id element_read(const struct contest *c) {
  term_list parts = {0};
  for (size_t i = 0; i < c->body.list.len; i++) {
    const struct path *path = &c->body.list.at[i];
    term_subterms(c->ts, path->condition, &parts);
    for (size_t v = 0; v < path->values.len; v++)
      term_subterms(c->ts, path->values.at[v], &parts);
  }
  term_id found = TERM_NONE;
  bool one = true;
  for (size_t i = 0; i < parts.len; i++) {
    if (!reads(c, parts.at[i])) continue;
    one &= found == TERM_NONE || found == parts.at[i];
    found = parts.at[i];
  }
  vec_clear(&parts);
  return one ? found : TERM_NONE;
}

/* The element as if it were drawn by this iteration. */
static void put_value(struct contest *c, const struct fill *f, term_id element) {
  struct terms *ts = c->ts;
  term_id at = term_arg(ts, element, 1), index = c->gallery.index;
  term_id value = term_subst(ts, f->value, &index, &at, 1);
  const struct core *sampling = f->sample->at;
  term_id *args = arena_alloc(kernel_arena(c->k), (sampling->arg_count + 1) * sizeof *args);
  for (size_t a = 0; a < sampling->arg_count; a++)
    args[a] = term_subst(ts, f->sample->args[a], &index, &at, 1);
  for (size_t i = 0; i < c->body.list.len; i++) {
    struct path *path = &c->body.list.at[i];
    path->condition = term_replace(ts, path->condition, &element, &value, 1);
    for (size_t v = 0; v < path->values.len; v++)
      path->values.at[v] = term_replace(ts, path->values.at[v], &element, &value, 1);
    struct path_sample s = {.at = sampling, .value = f->sample->value, .args = args};
    vec_push(&path->samples, s);
  }
  vec_push(&c->body.samplings, (struct path_sample){.at = sampling, .value = f->sample->value});
}

bool gallery_find(struct contest *c, const struct core *loop) {
  struct fill f = {0};
  term_id factor, rest;
  bool ok = find_fill(c, loop, &f);
  if (ok) name_champion(c);
  term_id element = ok ? element_read(c) : TERM_NONE;
  ok = element != TERM_NONE && c->body.samplings.len == 0 &&
       split_linear(c->ts, term_arg(c->ts, element, 1), c->counter, &factor, &rest) &&
       factor == term_int(c->ts, 1);
  if (ok) {
    c->gallery.position = term_sub(c->ts, c->gallery.index, rest);
    put_value(c, &f, element);
  }
  paths_clear(&f.paths);
  return ok;
}
