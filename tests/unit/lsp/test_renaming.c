/* Names do not matter: every declaration of an example is renamed to one of a few names, the same
 * ones in all scopes as far as scoping allows, and the verdicts and costs stay what they were.
 *
 * One palette is short names, so that parameters, inputs, locals, bound variables, procedures and
 * operators of different scopes share them; the second consists of names that the translation makes
 * for itself; the third of names that differ in their primes only. With COUPLET_TEST_SCALE all examples
 * are renamed, else a few. Set RENAMING_VERBOSE to see the renamed sources.
 * ctest-label: release */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "lsp/analysis.h"
#include "report/judge/verify.h"
#include "testlib.h"

enum { PALETTE = 60, LETTERS = 3 };
enum palette { SHORT, NASTY, PRIMED };
static const double TIMEOUT = 60, SEARCH = 0.3;

static const char *const nasty[] = {"result", "output", "returned", "differs",
                                    "state",  "budget", "insample", "i"};

static const char *const small[] = {"examples/correct/interactive_svt.dp",
                                    "examples/correct/laplace.dp",
                                    "examples/correct/noisy_max.dp",
                                    "examples/correct/counting_query.dp",
                                    "examples/correct/exponential_mechanism.dp",
                                    "examples/proofs/above_threshold.dp",
                                    "examples/incorrect/bad_svt1.dp",
                                    "examples/automata/svt.dp",
                                    "tests/renaming/late_declarations.dp"};

/* ---- renaming ------------------------------------------------------------------------------- */

struct text {
  const char *path;
  struct buffer source;
};

static const char *overlay(void *context, const char *path, size_t *length) {
  const struct text *t = context;
  if (strcmp(path, t->path) != 0) return NULL;
  *length = t->source.len;
  return buffer_text(&t->source);
}

static bool means_the_same(const struct analysis *a, const struct analysis *b) {
  if (a->lang.diags.errors != b->lang.diags.errors ||
      a->symbols.occurrences.len != b->symbols.occurrences.len)
    return false;
  for (size_t i = 0; i < a->symbols.occurrences.len; i++)
    if (a->symbols.occurrences.at[i].symbol != b->symbols.occurrences.at[i].symbol) return false;
  return true;
}

/* The text with another name for one symbol. */
static void rename_one(struct buffer *out, const struct analysis *a, uint32_t symbol,
                       const char *name) {
  const struct source *source = sources_get(&a->lang.sources, a->file);
  size_t at = 0;
  for (size_t i = 0; i < a->symbols.occurrences.len; i++) {
    const struct occurrence *o = &a->symbols.occurrences.at[i];
    if (o->symbol != symbol || o->span.file != a->file) continue;
    buffer_add(out, source->text + at, o->span.begin - at);
    buffer_puts(out, name);
    at = o->span.end;
  }
  buffer_add(out, source->text + at, source->length - at);
}

static bool is_renamed(const struct symbol *s) {
  return s->definition.file && !s->is_ambiguous && s->kind != SYMBOL_CLAIM &&
         s->kind != SYMBOL_LEMMA && s->kind != SYMBOL_INSTANCE && s->kind != SYMBOL_VALUE;
}

/* Takes the name if everything still means what it meant. */
static bool try_name(struct text *t, struct analysis **now, uint32_t symbol, const char *name) {
  struct text next = {.path = t->path};
  buffer_init(&next.source);
  rename_one(&next.source, *now, symbol, name);
  struct analysis *after = analysis_new(t->path, overlay, &next);
  bool ok = means_the_same(*now, after);
  if (ok) {
    struct buffer old = t->source;
    t->source = next.source;
    next.source = old;
    struct analysis *before = *now;
    *now = after;
    after = before;
  }
  analysis_free(after);
  buffer_clear(&next.source);
  return ok;
}

static const char *const *palette(enum palette which, size_t *count) {
  static char store[PALETTE][PALETTE / LETTERS + 2];
  static const char *names[PALETTE + sizeof nasty / sizeof *nasty];
  static const char primes[] = "''";
  *count = 0;
  for (size_t i = 0; which == NASTY && i < sizeof nasty / sizeof *nasty; i++)
    names[(*count)++] = nasty[i];
  for (size_t i = 0; i < PALETTE; i++) {
    if (which == PRIMED)
      snprintf(store[i], sizeof store[i], "%c%.*s", (int)('a' + i % LETTERS), (int)(i / LETTERS),
               primes);
    else
      snprintf(store[i], sizeof store[i], i < 26 ? "%c" : "%c%zu", (int)('a' + i % 26), i / 26);
    names[(*count)++] = store[i];
  }
  return names;
}

/* Declarations first: then variables that stand before them take the same names. */
static size_t rename_all(struct text *t, struct analysis **now, enum palette which) {
  size_t count, shared = 0;
  const char *const *names = palette(which, &count);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < (*now)->symbols.all.len; i++) {
      const struct symbol *s = &(*now)->symbols.all.at[i];
      if (!is_renamed(s) || (s->kind == SYMBOL_VARIABLE) != (pass == 1)) continue;
      for (size_t k = 0; k < count; k++)
        if (strcmp((*now)->symbols.all.at[i].name, names[k]) == 0 || try_name(t, now, i, names[k]))
          break;
    }
  for (uint32_t i = 0; i < (*now)->symbols.all.len; i++)
    for (uint32_t j = 0; j < i; j++)
      shared += strcmp((*now)->symbols.all.at[i].name, (*now)->symbols.all.at[j].name) == 0;
  return shared;
}

/* ---- comparing ------------------------------------------------------------------------------ */

/* The words and numbers of a cost, in order: sums may be printed in another one. */
struct words {
  char *at[256];
  size_t count;
};

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Primes at the end do not count: a name that is taken gets one. */
static void cut_primes(char *word) {
  for (size_t n = strlen(word); n-- > 0 && word[n] == '\'';)
    word[n] = 0;
}

static void split(struct words *out, const char *text) {
  const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_'";
  out->count = 0;
  while (text && *text && out->count < 256) {
    size_t n = strspn(text, letters);
    if (n) out->at[out->count++] = strndup(text, n);
    if (n) cut_primes(out->at[out->count - 1]);
    text += n ? n : 1;
  }
}

/* What the parameter or input is called now. */
static const char *new_name(const struct symbols *before, const struct symbols *after,
                            const char *name) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < before->all.len; i++) {
      const struct symbol *s = &before->all.at[i];
      bool fits = pass == 0
                      ? s->kind == SYMBOL_PARAM || s->kind == SYMBOL_OP || s->kind == SYMBOL_LET
                      : s->kind == SYMBOL_VARIABLE && s->var && s->var->role == VAR_INPUT;
      if (fits && strcmp(s->name, name) == 0) return after->all.at[i].name;
    }
  return name;
}

static bool same_cost(const struct analysis *before, const struct analysis *after, const char *a,
                      const char *b) {
  struct words x, y;
  split(&x, a);
  split(&y, b);
  for (size_t i = 0; i < x.count; i++) {
    const char *name = new_name(&before->symbols, &after->symbols, x.at[i]);
    char *renamed = strdup(name);
    cut_primes(renamed);
    free(x.at[i]);
    x.at[i] = renamed;
  }
  qsort(x.at, x.count, sizeof *x.at, by_text);
  qsort(y.at, y.count, sizeof *y.at, by_text);
  bool same = !a == !b && x.count == y.count;
  for (size_t i = 0; same && i < x.count; i++)
    same = strcmp(x.at[i], y.at[i]) == 0;
  for (size_t i = 0; i < x.count; i++)
    free(x.at[i]);
  for (size_t i = 0; i < y.count; i++)
    free(y.at[i]);
  return same;
}

static struct file_record *judge(const struct text *t) {
  struct verify_options options = verify_default_options();
  options.timeout = TIMEOUT;
  options.search = SEARCH;
  options.side_by_side = true;
  return verify_text(t->path, buffer_text(&t->source), t->source.len, &options, NULL, NULL);
}

/* The record of a file as it is, judged once for all palettes. */
static const struct file_record *judge_as_written(const struct text *t) {
  static VEC(struct file_record *) known;
  for (size_t i = 0; i < known.len; i++)
    if (strcmp(known.at[i]->path, t->path) == 0) return known.at[i];
  vec_push(&known, judge(t));
  return vec_last(&known);
}

static size_t compare(const struct text *old, const struct text *new, const struct analysis *before,
                      const struct analysis *after) {
  const struct file_record *x = judge_as_written(old);
  struct file_record *y = judge(new);
  size_t wrong = x->claims.len != y->claims.len || y->internal_error || y->bad_input;
  for (size_t i = 0; !wrong && i < x->claims.len; i++) {
    const struct claim_record *a = &x->claims.at[i], *b = &y->claims.at[i];
    bool same = a->verdict == b->verdict && same_cost(before, after, a->cost, b->cost);
    if (same) continue;
    wrong++;
    print_message("%s: %s: %s at cost %s, renamed: %s at cost %s, %s\n", old->path, a->name,
                  verdict_name(a->verdict), a->cost, verdict_name(b->verdict), b->cost, b->reason);
  }
  if (wrong || getenv("RENAMING_VERBOSE")) print_message("%s\n", buffer_text(&new->source));
  file_record_free(y);
  return wrong;
}

/* ---- all ------------------------------------------------------------------------------------ */

static size_t check_file(const char *path, enum palette which, size_t *shared) {
  struct sources sources;
  char *why = NULL;
  sources_init(&sources);
  const struct source *source = sources_get(&sources, sources_read(&sources, path, &why));
  struct text old = {.path = path}, new = {.path = path};
  buffer_init(&old.source);
  buffer_init(&new.source);
  buffer_add(&old.source, source->text, source->length);
  buffer_add(&new.source, source->text, source->length);
  struct analysis *before = analysis_new(path, overlay, &old);
  struct analysis *after = analysis_new(path, overlay, &old);
  *shared += rename_all(&new, &after, which);
  size_t wrong = compare(&old, &new, before, after);
  analysis_free(before);
  analysis_free(after);
  buffer_clear(&old.source);
  buffer_clear(&new.source);
  sources_clear(&sources);
  return wrong;
}

static size_t check_folder(const char *folder, enum palette which, size_t *shared) {
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  size_t wrong = 0;
  for (struct dirent *e; (e = readdir(dir));) {
    size_t n = strlen(e->d_name);
    if (n < 3 || strcmp(e->d_name + n - 3, ".dp") != 0) continue;
    char *path = xasprintf("%s/%s", folder, e->d_name);
    wrong += check_file(path, which, shared);
    free(path);
  }
  closedir(dir);
  return wrong;
}

static void check_palette(enum palette which) {
  size_t wrong = 0, shared = 0;
  if (test_is_whole()) {
    /* proofs that somebody wrote speak of variables of the translation by name */
    static const char *const folders[] = {"examples/correct", "examples/incorrect",
                                          "examples/automata", "examples/proofs", "examples/hints"};
    for (size_t i = 0; i < (which == NASTY ? 3 : 5); i++)
      wrong += check_folder(folders[i], which, &shared);
  } else {
    for (size_t i = 0; i < sizeof small / sizeof *small; i += test_is_short() ? 4 : 1)
      if (which != NASTY || !strstr(small[i], "/proofs/"))
        wrong += check_file(small[i], which, &shared);
  }
  print_message("%zu pairs of declarations share their name\n", shared);
  assert_often(shared > 50); /* else nothing was renamed */
  assert_int_equal(wrong, 0);
}

static void short_names(void **state) {
  (void)state;
  check_palette(SHORT);
}

static void names_of_the_translation(void **state) {
  (void)state;
  check_palette(NASTY);
}

static void names_with_primes(void **state) {
  (void)state;
  check_palette(PRIMED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(short_names),
                                     cmocka_unit_test(names_of_the_translation),
                                     cmocka_unit_test(names_with_primes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
