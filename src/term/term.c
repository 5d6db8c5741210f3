#include "term/term.h"

#include <stdlib.h>
#include <string.h>

static uint32_t mix(uint32_t h, uint32_t x) {
  h ^= x;
  h *= UINT32_C(0x85EBCA6B);
  return h ^ (h >> 15);
}

const char *term_failure_text(enum term_failure failure) {
  switch (failure) {
  case TERM_FAILURE_NONE: return "no failure";
  case TERM_FAILURE_SORT: return "ill-sorted term";
  case TERM_FAILURE_DEPTH: return "term nested too deeply";
  case TERM_FAILURE_SIZE: return "too many terms";
  case TERM_FAILURE_NUMBER: return "number too large";
  }
  return "unknown failure";
}

void terms_init(struct terms *ts) {
  *ts = (struct terms){0};
  intern_init(&ts->names);
  arena_init(&ts->arena);
  ts->capacity = 1024;
  ts->buckets = xcalloc(ts->capacity, sizeof *ts->buckets);
  static const enum sort_kind basic[] = {SORT_KIND_NONE, SORT_KIND_BOOL, SORT_KIND_INT,
                                         SORT_KIND_REAL};
  for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
    vec_push(&ts->sorts, (struct sort){.kind = basic[i]});
  vec_push(&ts->nodes, (struct term_node){0});
  ts->true_term = term_make_(ts, (struct term_node){.kind = TERM_TRUE, .sort = SORT_BOOL}, NULL, 0);
  ts->false_term =
      term_make_(ts, (struct term_node){.kind = TERM_FALSE, .sort = SORT_BOOL}, NULL, 0);
}

void terms_clear(struct terms *ts) {
  for (size_t i = 0; i < ts->numbers.len; i++)
    fmpq_clear(&ts->numbers.at[i]);
  vec_clear(&ts->numbers);
  vec_clear(&ts->sorts);
  vec_clear(&ts->nodes);
  vec_clear(&ts->args);
  vec_clear(&ts->vars);
  vec_clear(&ts->symbols);
  vec_clear(&ts->hints);
  free(ts->buckets);
  arena_clear(&ts->arena);
  intern_clear(&ts->names);
  *ts = (struct terms){0};
}

/* ---- sorts ---------------------------------------------------------------------------------- */

/* A file has a handful of sorts, so a linear search is the right table. */
static sort_id sort_cons(struct terms *ts, struct sort fields) {
  for (size_t i = 0; i < ts->sorts.len; i++) {
    const struct sort *s = &ts->sorts.at[i];
    if (s->kind == fields.kind && s->name == fields.name && s->count == fields.count &&
        (!s->count || memcmp(s->items, fields.items, s->count * sizeof *s->items) == 0))
      return (sort_id)i;
  }
  if (fields.count)
    fields.items = arena_memdup(&ts->arena, fields.items, fields.count * sizeof *fields.items);
  vec_push(&ts->sorts, fields);
  return (sort_id)(ts->sorts.len - 1);
}

static bool sort_exists(const struct terms *ts, sort_id sort) {
  return sort != SORT_NONE && sort < ts->sorts.len;
}

sort_id sort_abstract(struct terms *ts, const char *name) {
  return sort_cons(ts,
                   (struct sort){.kind = SORT_KIND_ABSTRACT, .name = intern_str(&ts->names, name)});
}

sort_id sort_array(struct terms *ts, sort_id elem) {
  if (!sort_exists(ts, elem)) return SORT_NONE;
  return sort_cons(ts, (struct sort){.kind = SORT_KIND_ARRAY, .items = &elem, .count = 1});
}

sort_id sort_list(struct terms *ts, sort_id elem) {
  if (!sort_exists(ts, elem)) return SORT_NONE;
  return sort_cons(ts, (struct sort){.kind = SORT_KIND_LIST, .items = &elem, .count = 1});
}

sort_id sort_tuple(struct terms *ts, const sort_id *items, size_t count) {
  if (count < 2) return SORT_NONE;
  for (size_t i = 0; i < count; i++)
    if (!sort_exists(ts, items[i])) return SORT_NONE;
  return sort_cons(ts, (struct sort){.kind = SORT_KIND_TUPLE, .items = items, .count = count});
}

const struct sort *sort_get(const struct terms *ts, sort_id sort) {
  return &ts->sorts.at[sort];
}

bool sort_has_array(const struct terms *ts, sort_id sort) {
  const struct sort *s = sort_get(ts, sort);
  if (s->kind == SORT_KIND_ARRAY) return true;
  for (size_t i = 0; i < s->count; i++)
    if (sort_has_array(ts, s->items[i])) return true;
  return false;
}

sort_id sort_elem(const struct terms *ts, sort_id sort) {
  const struct sort *s = &ts->sorts.at[sort];
  return s->kind == SORT_KIND_ARRAY || s->kind == SORT_KIND_LIST ? s->items[0] : SORT_NONE;
}

/* ---- the table ------------------------------------------------------------------------------ */

term_id term_fail_(struct terms *ts, enum term_failure why) {
  ts->failure = why;
  return TERM_NONE;
}

static uint32_t hash_node(const struct term_node *n, const term_id *args, size_t count) {
  uint32_t h = mix((uint32_t)n->kind * 31 + n->sort, n->data);
  h = mix(h, n->binder);
  for (size_t i = 0; i < count; i++)
    h = mix(h, args[i]);
  return h;
}

static bool is_quantifier(enum term_kind kind) {
  return kind == TERM_FORALL || kind == TERM_EXISTS;
}

static bool same_node(const struct terms *ts, const struct term_node *a, const struct term_node *b,
                      const term_id *args, size_t count) {
  return a->hash == b->hash && a->kind == b->kind && a->sort == b->sort && a->data == b->data &&
         a->binder == b->binder && a->count == count &&
         (!count || memcmp(&ts->args.at[a->first], args, count * sizeof *args) == 0);
}

static void fill_buckets(struct terms *ts) {
  free(ts->buckets);
  ts->buckets = xcalloc(ts->capacity, sizeof *ts->buckets);
  for (size_t t = 1; t < ts->nodes.len; t++) {
    size_t i = ts->nodes.at[t].hash & (ts->capacity - 1);
    while (ts->buckets[i])
      i = (i + 1) & (ts->capacity - 1);
    ts->buckets[i] = (uint32_t)t;
  }
}

static void grow_buckets(struct terms *ts) {
  ts->capacity *= 2;
  fill_buckets(ts);
}

struct terms_mark terms_mark(const struct terms *ts) {
  return (struct terms_mark){ts->nodes.len, ts->args.len,    ts->numbers.len,
                             ts->vars.len,  ts->symbols.len, ts->fresh};
}

void terms_rollback(struct terms *ts, struct terms_mark mark) {
  if (ts->nodes.len == mark.nodes && ts->symbols.len == mark.symbols) return;
  for (size_t i = mark.numbers; i < ts->numbers.len; i++)
    fmpq_clear(&ts->numbers.at[i]);
  ts->nodes.len = mark.nodes;
  ts->args.len = mark.args;
  ts->numbers.len = mark.numbers;
  ts->vars.len = mark.vars;
  ts->symbols.len = mark.symbols;
  ts->fresh = mark.fresh;
  fill_buckets(ts);
}

/* Depth, flags, filter and loose index follow from kind and arguments. */
static void summarise(const struct terms *ts, struct term_node *n, const term_id *args,
                      size_t count) {
  n->depth = 1;
  for (size_t i = 0; i < count; i++) {
    const struct term_node *a = term_get(ts, args[i]);
    if (a->depth >= n->depth) n->depth = a->depth + 1;
    if (a->loose > n->loose) n->loose = a->loose;
    n->flags |= a->flags;
    n->filter |= a->filter;
  }
  if (is_quantifier(n->kind)) {
    if (n->loose) n->loose--;
    n->flags |= TERM_HAS_QUANTIFIER;
  }
  if (n->kind == TERM_BOUND) n->loose = n->data + 1;
  if (n->kind == TERM_EXP || n->kind == TERM_LN || n->kind == TERM_SQRT)
    n->flags |= TERM_HAS_TRANSCENDENTAL;
  if (n->kind == TERM_RAISE) n->flags |= TERM_HAS_RAISE;
  if (n->kind == TERM_DIFFERING) n->flags |= TERM_HAS_DIFFERING;
  if (ts->sorts.at[n->sort].kind == SORT_KIND_LIST) n->flags |= TERM_HAS_LIST;
  if (sort_has_array(ts, n->sort)) n->flags |= TERM_HAS_ARRAY;
  if (n->kind == TERM_VAR) {
    const struct term_var *v = &ts->vars.at[n->data];
    n->flags |= TERM_HAS_RUN0 << v->run;
    n->filter = UINT64_C(1) << (n->hash & 63);
  }
}

term_id term_make_(struct terms *ts, struct term_node fields, const term_id *args, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (args[i] == TERM_NONE) return TERM_NONE; /* `failure` says why */
  fields.hash = hash_node(&fields, args, count);
  size_t i = fields.hash & (ts->capacity - 1);
  for (; ts->buckets[i]; i = (i + 1) & (ts->capacity - 1))
    if (same_node(ts, term_get(ts, ts->buckets[i]), &fields, args, count)) return ts->buckets[i];
  if (ts->nodes.len >= TERM_LIMIT_NODES) return term_fail_(ts, TERM_FAILURE_SIZE);
  summarise(ts, &fields, args, count);
  if (fields.depth > TERM_LIMIT_DEPTH) return term_fail_(ts, TERM_FAILURE_DEPTH);
  fields.first = (uint32_t)ts->args.len;
  fields.count = (uint32_t)count;
  for (size_t k = 0; k < count; k++)
    vec_push(&ts->args, args[k]);
  term_id t = (term_id)ts->nodes.len;
  vec_push(&ts->nodes, fields);
  ts->buckets[i] = t;
  if (ts->nodes.len * 2 > ts->capacity) grow_buckets(ts);
  return t;
}

/* ---- leaves and symbols --------------------------------------------------------------------- */

bool term_is_num(const struct terms *ts, term_id t) {
  return t != TERM_NONE && term_kind(ts, t) == TERM_NUM;
}

const fmpq *term_num_value(const struct terms *ts, term_id t) {
  return &ts->numbers.at[ts->nodes.at[t].data];
}

const struct term_var *term_var_get(const struct terms *ts, term_id t) {
  return &ts->vars.at[ts->nodes.at[t].data];
}

const struct term_symbol *symbol_get(const struct terms *ts, symbol_id symbol) {
  return &ts->symbols.at[symbol];
}

const char *term_binder_hint(const struct terms *ts, term_id t) {
  return ts->hints.at[ts->nodes.at[t].hint];
}

/* Leaves whose payload lives in a side table (numbers, variables) are found by that payload. */
typedef bool leaf_match(const struct terms *ts, const struct term_node *node, const void *key);

/* The leaf, or TERM_NONE with *slot the bucket where it belongs. */
static term_id find_leaf(const struct terms *ts, uint32_t hash, leaf_match *match, const void *key,
                         size_t *slot) {
  size_t i = hash & (ts->capacity - 1);
  for (; ts->buckets[i]; i = (i + 1) & (ts->capacity - 1)) {
    const struct term_node *n = term_get(ts, ts->buckets[i]);
    if (n->hash == hash && match(ts, n, key)) return ts->buckets[i];
  }
  *slot = i;
  return TERM_NONE;
}

static term_id add_leaf(struct terms *ts, struct term_node n, size_t slot) {
  summarise(ts, &n, NULL, 0);
  term_id t = (term_id)ts->nodes.len;
  vec_push(&ts->nodes, n);
  ts->buckets[slot] = t;
  if (ts->nodes.len * 2 > ts->capacity) grow_buckets(ts);
  return t;
}

static bool var_matches(const struct terms *ts, const struct term_node *n, const void *key) {
  const struct term_var *want = key;
  if (n->kind != TERM_VAR) return false;
  const struct term_var *v = &ts->vars.at[n->data];
  return v->name == want->name && v->sort == want->sort && v->run == want->run &&
         v->version == want->version;
}

term_id term_var(struct terms *ts, const char *name, sort_id sort, unsigned run, unsigned version) {
  if (!sort_exists(ts, sort) || run > 2) return term_fail_(ts, TERM_FAILURE_SORT);
  if (version > TERM_LIMIT_VERSION) return term_fail_(ts, TERM_FAILURE_NUMBER);
  struct term_var key = {intern_str(&ts->names, name), sort, run, version};
  uint32_t hash = (uint32_t)hash_bytes(name, strlen(name));
  hash = mix(mix(mix(hash, sort), run), version);
  size_t slot = 0;
  term_id t = find_leaf(ts, hash, var_matches, &key, &slot);
  if (t) return t;
  if (ts->nodes.len >= TERM_LIMIT_NODES) return term_fail_(ts, TERM_FAILURE_SIZE);
  struct term_node n = {
      .kind = TERM_VAR, .sort = sort, .hash = hash, .data = (uint32_t)ts->vars.len};
  vec_push(&ts->vars, key);
  if (version > ts->fresh) ts->fresh = version;
  return add_leaf(ts, n, slot);
}

struct num_key {
  const fmpq *value;
  sort_id sort;
};

static bool num_matches(const struct terms *ts, const struct term_node *n, const void *key) {
  const struct num_key *want = key;
  return n->kind == TERM_NUM && n->sort == want->sort &&
         fmpq_equal(&ts->numbers.at[n->data], want->value);
}

term_id term_num(struct terms *ts, const fmpq *value, sort_id sort) {
  if (!sort_is_numeric(sort) || (sort == SORT_INT && !fmpz_is_one(fmpq_denref(value))))
    return term_fail_(ts, TERM_FAILURE_SORT);
  if (fmpq_height_bits(value) > TERM_LIMIT_BITS) return term_fail_(ts, TERM_FAILURE_NUMBER);
  struct num_key key = {value, sort};
  uint32_t hash = mix((uint32_t)fmpz_fdiv_ui(fmpq_numref(value), 4294967291u),
                      (uint32_t)fmpz_fdiv_ui(fmpq_denref(value), 4294967291u));
  hash = mix(hash, sort);
  size_t slot = 0;
  term_id t = find_leaf(ts, hash, num_matches, &key, &slot);
  if (t) return t;
  if (ts->nodes.len >= TERM_LIMIT_NODES) return term_fail_(ts, TERM_FAILURE_SIZE);
  struct term_node n = {
      .kind = TERM_NUM, .sort = sort, .hash = hash, .data = (uint32_t)ts->numbers.len};
  fmpq copy;
  fmpq_init(&copy);
  fmpq_set(&copy, value);
  vec_push(&ts->numbers, copy);
  return add_leaf(ts, n, slot);
}

term_id term_fresh(struct terms *ts, term_id var) {
  if (var == TERM_NONE || term_kind(ts, var) != TERM_VAR) return term_fail_(ts, TERM_FAILURE_SORT);
  struct term_var v = *term_var_get(ts, var);
  return term_var(ts, v.name, v.sort, v.run, ts->fresh + 1);
}

term_id term_var_in_run(struct terms *ts, term_id var, unsigned run) {
  if (var == TERM_NONE || term_kind(ts, var) != TERM_VAR) return term_fail_(ts, TERM_FAILURE_SORT);
  struct term_var v = *term_var_get(ts, var);
  return term_var(ts, v.name, v.sort, run, v.version);
}

symbol_id symbol_declare(struct terms *ts, const char *name, const sort_id *args, size_t count,
                         sort_id result) {
  const char *text = intern_str(&ts->names, name);
  if (!sort_exists(ts, result)) return SYMBOL_NONE;
  for (size_t i = 0; i < count; i++)
    if (!sort_exists(ts, args[i])) return SYMBOL_NONE;
  for (size_t i = 0; i < ts->symbols.len; i++) {
    const struct term_symbol *s = &ts->symbols.at[i];
    if (s->name != text) continue;
    bool same = s->result == result && s->count == count &&
                (!count || memcmp(s->args, args, count * sizeof *args) == 0);
    return same ? (symbol_id)i : SYMBOL_NONE;
  }
  const sort_id *copy = count ? arena_memdup(&ts->arena, args, count * sizeof *args) : NULL;
  vec_push(&ts->symbols, (struct term_symbol){text, copy, count, result});
  return (symbol_id)(ts->symbols.len - 1);
}
