#include "check/automaton/model.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"

/* ---- hash tables from contents to numbers --------------------------------------------------- */

struct id_table {
  uint32_t *slots; /* number + 1; 0: free */
  size_t count, capacity;
};

struct automaton_index {
  struct id_table vars, symbols, rationals, guards, sets;
};

/* What is looked for, and how item `id` compares with it. */
struct probe {
  const struct automaton *a;
  const void *key;
  size_t size; /* as the kind of key needs */
  uint64_t hash;
  bool (*equal)(const struct probe *probe, uint32_t id);
  uint64_t (*hash_of)(const struct automaton *a, uint32_t id);
};

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * UINT64_C(0x9E3779B97F4A7C15);
  return h ^ (h >> 29);
}

static void id_table_grow(struct id_table *t, const struct probe *probe) {
  struct id_table bigger = {.capacity = t->capacity ? t->capacity * 2 : 16, .count = t->count};
  bigger.slots = xcalloc(bigger.capacity, sizeof *bigger.slots);
  for (size_t i = 0; i < t->capacity; i++) {
    if (!t->slots[i]) continue;
    size_t at = probe->hash_of(probe->a, t->slots[i] - 1) & (bigger.capacity - 1);
    while (bigger.slots[at])
      at = (at + 1) & (bigger.capacity - 1);
    bigger.slots[at] = t->slots[i];
  }
  free(t->slots);
  *t = bigger;
}

/* The number stored for the key, or AUTOMATON_NONE. */
static uint32_t id_table_find(const struct id_table *t, const struct probe *probe) {
  if (!t->capacity) return AUTOMATON_NONE;
  for (size_t i = probe->hash & (t->capacity - 1); t->slots[i]; i = (i + 1) & (t->capacity - 1))
    if (probe->equal(probe, t->slots[i] - 1)) return t->slots[i] - 1;
  return AUTOMATON_NONE;
}

static void id_table_add(struct id_table *t, const struct probe *probe, uint32_t id) {
  if ((t->count + 1) * 2 > t->capacity) id_table_grow(t, probe);
  size_t i = probe->hash & (t->capacity - 1);
  while (t->slots[i])
    i = (i + 1) & (t->capacity - 1);
  t->slots[i] = id + 1;
  t->count++;
}

/* ---- names ---------------------------------------------------------------------------------- */

static uint64_t hash_pointer(const char *p) {
  return mix(0, (uint64_t)(uintptr_t)p);
}
static bool equal_var(const struct probe *p, uint32_t id) {
  return p->a->vars.at[id] == p->key;
}
static uint64_t hash_var(const struct automaton *a, uint32_t id) {
  return hash_pointer(a->vars.at[id]);
}
static bool equal_symbol(const struct probe *p, uint32_t id) {
  return p->a->symbols.at[id] == p->key;
}
static uint64_t hash_symbol(const struct automaton *a, uint32_t id) {
  return hash_pointer(a->symbols.at[id]);
}

uint32_t automaton_var(struct automaton *a, const char *name, size_t length) {
  const char *text = intern_text(&a->names, name, length);
  struct probe probe = {a, text, 0, hash_pointer(text), equal_var, hash_var};
  uint32_t id = id_table_find(&a->index->vars, &probe);
  if (id != AUTOMATON_NONE) return id;
  id = (uint32_t)a->vars.len;
  vec_push(&a->vars, text);
  id_table_add(&a->index->vars, &probe, id);
  return id;
}

uint32_t automaton_symbol(struct automaton *a, const char *name, size_t length) {
  const char *text = intern_text(&a->names, name, length);
  struct probe probe = {a, text, 0, hash_pointer(text), equal_symbol, hash_symbol};
  uint32_t id = id_table_find(&a->index->symbols, &probe);
  if (id != AUTOMATON_NONE) return id;
  id = (uint32_t)a->symbols.len;
  vec_push(&a->symbols, text);
  id_table_add(&a->index->symbols, &probe, id);
  return id;
}

/* ---- rationals ------------------------------------------------------------------------------ */

static uint64_t hash_value(const fmpq *value) {
  const ulong prime = UWORD(0x1fffffffffffffff); /* 2^61 - 1 */
  return mix(mix(0, fmpz_fdiv_ui(&value->num, prime)), fmpz_fdiv_ui(&value->den, prime));
}
static bool equal_rational(const struct probe *p, uint32_t id) {
  return fmpq_equal(automaton_value(p->a, id), p->key);
}
static uint64_t hash_rational(const struct automaton *a, uint32_t id) {
  return hash_value(automaton_value(a, id));
}

uint32_t automaton_rational(struct automaton *a, const fmpq_t value) {
  struct probe probe = {a, value, 0, hash_value(value), equal_rational, hash_rational};
  uint32_t id = id_table_find(&a->index->rationals, &probe);
  if (id != AUTOMATON_NONE) return id;
  id = (uint32_t)a->rationals.len;
  vec_push(&a->rationals, (fmpq){0, 1});
  fmpq_set(&a->rationals.at[id], value);
  id_table_add(&a->index->rationals, &probe, id);
  return id;
}

uint32_t automaton_ratio(struct automaton *a, slong num, ulong den) {
  fmpq_t value;
  fmpq_init(value);
  fmpq_set_si(value, num, den);
  uint32_t id = automaton_rational(a, value);
  fmpq_clear(value);
  return id;
}

/* ---- guards and sets ------------------------------------------------------------------------ */

static int compare_words(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return (a > b) - (a < b);
}

/* Sorts; returns how many distinct words there are, moved to the front. */
static size_t sort_unique(uint32_t *words, size_t count) {
  if (count < 2) return count;
  qsort(words, count, sizeof *words, compare_words);
  size_t kept = 1;
  for (size_t i = 1; i < count; i++)
    if (words[i] != words[kept - 1]) words[kept++] = words[i];
  return kept;
}

static bool equal_set(const struct probe *p, uint32_t id) {
  struct automaton_range r = p->a->sets.at[id];
  return r.end - r.begin == p->size &&
         (p->size == 0 || memcmp(p->a->members.at + r.begin, p->key, p->size * 4) == 0);
}
static uint64_t hash_words(const uint32_t *words, size_t count) {
  uint64_t h = count;
  for (size_t i = 0; i < count; i++)
    h = mix(h, words[i]);
  return h;
}
static uint64_t hash_set(const struct automaton *a, uint32_t id) {
  struct automaton_range r = a->sets.at[id];
  return hash_words(a->members.at + r.begin, r.end - r.begin);
}

uint32_t automaton_set(struct automaton *a, uint32_t *vars, size_t count) {
  count = sort_unique(vars, count);
  struct probe probe = {a, vars, count, hash_words(vars, count), equal_set, hash_set};
  uint32_t id = id_table_find(&a->index->sets, &probe);
  if (id != AUTOMATON_NONE) return id;
  id = (uint32_t)a->sets.len;
  uint32_t begin = (uint32_t)a->members.len;
  for (size_t i = 0; i < count; i++)
    vec_push(&a->members, vars[i]);
  vec_push(&a->sets, (struct automaton_range){begin, (uint32_t)a->members.len});
  id_table_add(&a->index->sets, &probe, id);
  return id;
}

/* A guard under construction is the list of its words: for each cube its size, then its literals.
 */
typedef VEC(uint32_t) word_vec;

static void guard_words(const struct automaton *a, uint32_t guard, word_vec *out) {
  struct automaton_range g = a->guards.at[guard];
  for (uint32_t c = g.begin; c < g.end; c++) {
    struct automaton_range cube = a->cubes.at[c];
    vec_push(out, cube.end - cube.begin);
    for (uint32_t i = cube.begin; i < cube.end; i++)
      vec_push(out, a->literals.at[i]);
  }
}
static bool equal_guard(const struct probe *p, uint32_t id) {
  const word_vec *key = p->key;
  struct automaton_range g = p->a->guards.at[id];
  size_t at = 0;
  for (uint32_t c = g.begin; c < g.end; c++) {
    struct automaton_range cube = p->a->cubes.at[c];
    size_t size = cube.end - cube.begin;
    if (at + 1 + size > key->len || key->at[at] != size) return false;
    if (size && memcmp(key->at + at + 1, p->a->literals.at + cube.begin, size * 4) != 0)
      return false;
    at += 1 + size;
  }
  return at == key->len;
}
static uint64_t hash_guard(const struct automaton *a, uint32_t id) {
  word_vec words = {0};
  guard_words(a, id, &words);
  uint64_t h = hash_words(words.at, words.len);
  vec_clear(&words);
  return h;
}

uint32_t automaton_guard_dnf(struct automaton *a, literal *literals, const size_t *sizes,
                             size_t cubes) {
  word_vec words = {0};
  for (size_t c = 0; c < cubes; c++) {
    size_t kept = sort_unique(literals, sizes[c]);
    vec_push(&words, (uint32_t)kept);
    for (size_t i = 0; i < kept; i++)
      vec_push(&words, literals[i]);
    if (kept > 0) literals += sizes[c]; /* no literals: perhaps no array */
  }
  struct probe probe = {a, &words, 0, hash_words(words.at, words.len), equal_guard, hash_guard};
  uint32_t id = id_table_find(&a->index->guards, &probe);
  if (id == AUTOMATON_NONE) {
    id = (uint32_t)a->guards.len;
    struct automaton_range g = {(uint32_t)a->cubes.len, (uint32_t)(a->cubes.len + cubes)};
    for (size_t at = 0; at < words.len; at += 1 + words.at[at]) {
      uint32_t begin = (uint32_t)a->literals.len;
      for (size_t i = 0; i < words.at[at]; i++)
        vec_push(&a->literals, words.at[at + 1 + i]);
      vec_push(&a->cubes, (struct automaton_range){begin, (uint32_t)a->literals.len});
    }
    vec_push(&a->guards, g);
    id_table_add(&a->index->guards, &probe, id);
  }
  vec_clear(&words);
  return id;
}

uint32_t automaton_guard(struct automaton *a, literal *literals, size_t count) {
  return automaton_guard_dnf(a, literals, &count, 1);
}

/* ---- states and edges ----------------------------------------------------------------------- */

uint32_t automaton_state(struct automaton *a, const char *name, size_t length, struct span span) {
  uint32_t id = (uint32_t)a->states.len;
  vec_push(&a->states, (struct automaton_state){.d = AUTOMATON_NONE,
                                                .mean = AUTOMATON_NONE,
                                                .d2 = AUTOMATON_NONE,
                                                .mean2 = AUTOMATON_NONE,
                                                .is_final = true});
  vec_push(&a->state_names, name ? intern_text(&a->names, name, length) : NULL);
  if (span.file) a->file = span.file;
  if (a->file) vec_push(&a->state_spans, (struct automaton_range){span.begin, span.end});
  return id;
}

void automaton_noise(struct automaton *a, uint32_t state, bool is_input, uint32_t d, uint32_t mean,
                     uint32_t d2, uint32_t mean2) {
  a->states.at[state] = (struct automaton_state){d, mean, d2, mean2, is_input, false};
}

void automaton_edge(struct automaton *a, struct automaton_edge edge, struct span span) {
  vec_push(&a->edges, edge);
  if (a->file) vec_push(&a->edge_spans, (struct automaton_range){span.begin, span.end});
}

void automaton_copy_states(struct automaton *out, const struct automaton *a) {
  out->independent = a->independent;
  out->start = a->start;
  for (uint32_t i = 0; i < a->rationals.len; i++) /* 0 is there already and keeps its number */
    automaton_rational(out, automaton_value(a, i));
  for (size_t i = 0; i < a->vars.len; i++)
    automaton_var(out, a->vars.at[i], strlen(a->vars.at[i]));
  for (size_t i = 0; i < a->symbols.len; i++)
    automaton_symbol(out, a->symbols.at[i], strlen(a->symbols.at[i]));
  for (uint32_t s = 0; s < a->states.len; s++) {
    automaton_state(out, NULL, 0, span_none());
    out->states.at[s] = a->states.at[s];
  }
}

void automaton_finish(struct automaton *a) {
  size_t n = a->states.len, m = a->edges.len;
  vec_clear(&a->first_edge);
  vec_reserve(&a->first_edge, n + 1);
  a->first_edge.len = n + 1;
  memset(a->first_edge.at, 0, (n + 1) * sizeof *a->first_edge.at);
  bool sorted = true;
  for (size_t e = 0; e < m; e++) {
    a->first_edge.at[a->edges.at[e].from + 1]++;
    if (e > 0 && a->edges.at[e - 1].from > a->edges.at[e].from) sorted = false;
  }
  for (size_t s = 0; s < n; s++)
    a->first_edge.at[s + 1] += a->first_edge.at[s];
  if (sorted) return;
  uint32_t *next = xmalloc(n * sizeof *next);
  memcpy(next, a->first_edge.at, n * sizeof *next);
  struct automaton_edge *edges = xmalloc(m * sizeof *edges);
  struct automaton_range *spans = a->file ? xmalloc(m * sizeof *spans) : NULL;
  for (size_t e = 0; e < m; e++) {
    uint32_t to = next[a->edges.at[e].from]++;
    edges[to] = a->edges.at[e];
    if (spans) spans[to] = a->edge_spans.at[e];
  }
  free(next);
  free(a->edges.at);
  a->edges.at = edges;
  a->edges.cap = m;
  if (spans) {
    free(a->edge_spans.at);
    a->edge_spans.at = spans;
    a->edge_spans.cap = m;
  }
}

void automaton_init(struct automaton *a) {
  *a = (struct automaton){.start = AUTOMATON_NONE};
  intern_init(&a->names);
  a->index = xcalloc(1, sizeof *a->index);
  automaton_ratio(a, 0, 1);
  automaton_guard(a, NULL, 0);
  automaton_set(a, NULL, 0);
}

void automaton_clear(struct automaton *a) {
  if (!a->index) return;
  for (size_t i = 0; i < a->rationals.len; i++)
    fmpq_clear(&a->rationals.at[i]);
  vec_clear(&a->states);
  vec_clear(&a->edges);
  vec_clear(&a->first_edge);
  vec_clear(&a->vars);
  vec_clear(&a->symbols);
  vec_clear(&a->state_names);
  vec_clear(&a->rationals);
  vec_clear(&a->guards);
  vec_clear(&a->cubes);
  vec_clear(&a->literals);
  vec_clear(&a->sets);
  vec_clear(&a->members);
  vec_clear(&a->state_spans);
  vec_clear(&a->edge_spans);
  intern_clear(&a->names);
  free(a->index->vars.slots);
  free(a->index->symbols.slots);
  free(a->index->rationals.slots);
  free(a->index->guards.slots);
  free(a->index->sets.slots);
  free(a->index);
  *a = (struct automaton){0};
}

/* ---- reading -------------------------------------------------------------------------------- */

struct span automaton_state_span(const struct automaton *a, uint32_t state) {
  if (!a->file || state >= a->state_spans.len) return span_none();
  return (struct span){a->file, a->state_spans.at[state].begin, a->state_spans.at[state].end};
}

struct span automaton_edge_span(const struct automaton *a, uint32_t edge) {
  if (!a->file || edge >= a->edge_spans.len) return span_none();
  return (struct span){a->file, a->edge_spans.at[edge].begin, a->edge_spans.at[edge].end};
}

bool automaton_is_conjunction(const struct automaton *a, uint32_t guard) {
  return a->guards.at[guard].end - a->guards.at[guard].begin == 1;
}

struct literals automaton_conjunction(const struct automaton *a, uint32_t guard) {
  struct automaton_range cube = a->cubes.at[a->guards.at[guard].begin];
  return (struct literals){a->literals.at + cube.begin, cube.end - cube.begin};
}

struct members automaton_members(const struct automaton *a, uint32_t set) {
  struct automaton_range r = a->sets.at[set];
  return (struct members){a->members.at + r.begin, r.end - r.begin};
}

bool automaton_assigns(const struct automaton *a, uint32_t set, uint32_t var) {
  struct members m = automaton_members(a, set);
  for (size_t i = 0; i < m.count; i++)
    if (m.at[i] == var) return true;
  return false;
}

#define BYTES_OF(v) ((v).cap * sizeof *(v).at)

void automaton_print_state(struct buffer *out, const struct automaton *a, uint32_t state) {
  const char *name = a->state_names.at[state];
  if (name)
    buffer_puts(out, name);
  else
    buffer_printf(out, "q%" PRIu32, state);
}

static void print_cube(struct buffer *out, const struct automaton *a, struct automaton_range cube) {
  if (cube.begin == cube.end) buffer_puts(out, "true");
  for (uint32_t i = cube.begin; i < cube.end; i++) {
    literal l = a->literals.at[i];
    buffer_printf(out, "%sinsample %s %s", i > cube.begin ? " and " : "",
                  literal_is_less(l) ? "<" : ">=", a->vars.at[literal_var(l)]);
  }
}

void automaton_print_guard(struct buffer *out, const struct automaton *a, uint32_t guard) {
  struct automaton_range g = a->guards.at[guard];
  if (g.begin == g.end) buffer_puts(out, "false");
  for (uint32_t c = g.begin; c < g.end; c++) {
    bool brackets = g.end - g.begin > 1 && a->cubes.at[c].end - a->cubes.at[c].begin > 1;
    if (c > g.begin) buffer_puts(out, " or ");
    if (brackets) buffer_putc(out, '(');
    print_cube(out, a, a->cubes.at[c]);
    if (brackets) buffer_putc(out, ')');
  }
}
