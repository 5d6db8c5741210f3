/* Shards and their merging. A random record is dealt out by hand - files in turn, or claims when
 * there are fewer files than shards - written, read and merged in any order: it must come out as it
 * was. A record less, one more or a damaged one never gives a report. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/record/decimal.h"
#include "report/record/merge.h"
#include "report/record/record_json.h"
#include "report/render/html.h"
#include "report/render/junit.h"
#include "report/render/markdown.h"
#include "report/render/record_text.h"
#include "report/render/sarif.h"
#include "testlib.h"

enum { MOST_FILES = 12, MOST_SHARDS = 9 };

static unsigned pick(struct rng *rng, unsigned below) {
  return (unsigned)rng_below(rng, below);
}

/* ---- random records ------------------------------------------------------------------------- */

static struct record_place place_at(const char *path, unsigned line) {
  return (struct record_place){xstrdup(path), line, 1, line, 5};
}

static struct record_diag make_diag(const char *path, unsigned line, const char *code) {
  return (struct record_diag){.severity = SEVERITY_WARNING,
                              .code = xstrdup(code),
                              .message = xstrdup("m"),
                              .place = place_at(path, line),
                              .text = xasprintf("%s:%u: %s\n", path, line, code)};
}

static struct claim_record make_claim(struct rng *rng, const char *path, unsigned i) {
  return (struct claim_record){.name = xasprintf("c%u", i),
                               .kind = (enum claim_kind)pick(rng, 3),
                               .verdict = (enum verdict)pick(rng, 4),
                               .reason = xstrdup("because"),
                               .lower = xstrdup("0.5 times the claim"),
                               .time_s = pick(rng, 1000) / 1000.0,
                               .place = place_at(path, i + 1),
                               .detail = json_pack("{s:f}", "solver_s", 0.125)};
}

/* What all shards of a file see, and then what comes up with a claim: of that one only. */
static struct file_record *make_file(struct rng *rng, unsigned number, bool with_claims) {
  char *path = xasprintf("dir/f%u.dp", number);
  struct file_record *f = file_record_new(path);
  unsigned claims = with_claims ? 1 + pick(rng, 5) : 0;
  for (unsigned i = 0; i < pick(rng, 3); i++)
    vec_push(&f->diags, make_diag(path, 50 + i, "common"));
  for (unsigned i = 0; i < claims; i++) {
    vec_push(&f->claims, make_claim(rng, path, i));
    if (pick(rng, 3) == 0) vec_push(&f->diags, make_diag(path, i + 1, "of-claim"));
  }
  if (!with_claims) record_set(&f->stopped, "stopped");
  free(path);
  return f;
}

static void make_run(struct rng *rng, struct run_record *run, unsigned files) {
  run_record_init(run);
  for (unsigned i = 0; i < files; i++)
    vec_push(&run->files, make_file(rng, i, pick(rng, 8) != 0));
  run->tools = json_pack("{s:s}", "couplet", "0.1.0");
}

static struct file_record *copy_file(const struct file_record *f) {
  json_t *json = file_record_to_json(f);
  struct file_record *copy = file_record_from_json(json);
  json_decref(json);
  assert_non_null(copy);
  return copy;
}

/* The diagnostic speaks of the claim on its line. */
static void drop_foreign_diags(struct file_record *f, const struct record_shard *shard) {
  size_t kept = 0;
  for (size_t i = 0; i < f->diags.len; i++) {
    struct record_diag d = f->diags.at[i];
    if (strcmp(d.code, "common") == 0 || shard_has(shard, d.place.line - 1)) {
      f->diags.at[kept++] = d;
      continue;
    }
    free(d.code), free(d.message), free(d.text), free(d.place.path);
  }
  f->diags.len = kept;
}

static json_t *shard_json(const struct run_record *whole, size_t number, size_t of) {
  const char *names[MOST_FILES];
  struct run_record part;
  run_record_init(&part);
  part.shard = (struct record_shard){.number = number, .of = of};
  for (size_t i = 0; i < whole->files.len; i++)
    names[i] = whole->files.at[i]->path;
  shard_bind(&part.shard, names, whole->files.len);
  part.tools = json_incref(whole->tools);
  for (size_t i = 0; i < whole->files.len; i++) {
    if (!part.shard.by_claim && !shard_has(&part.shard, i)) continue;
    struct file_record *f = copy_file(whole->files.at[i]);
    if (part.shard.by_claim) {
      drop_foreign_diags(f, &part.shard);
      file_record_keep(f, &part.shard);
    }
    vec_push(&part.files, f);
  }
  json_t *json = run_record_to_json(&part);
  run_record_clear(&part);
  return json;
}

/* ---- merging -------------------------------------------------------------------------------- */

static bool read_json(struct merge_input *input, const json_t *json, char **why) {
  char path[] = "/tmp/couplet_merge_XXXXXX";
  int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  FILE *out = fdopen(descriptor, "w");
  char *text = json_printed(json);
  fputs(text, out);
  free(text);
  fclose(out);
  bool ok = merge_read(input, path, why);
  unlink(path);
  input->path = "a.json";
  return ok;
}

/* The merged record as text, NULL if they do not fit. */
static char *merged(json_t *const *records, size_t count) {
  struct merge_input *inputs = xcalloc(count, sizeof *inputs);
  struct run_record out;
  char *why = NULL, *text = NULL;
  run_record_init(&out);
  size_t n = 0;
  while (n < count && read_json(&inputs[n], records[n], &why))
    n++;
  if (n == count && merge_records(&out, inputs, count, &why)) {
    json_t *json = run_record_to_json(&out);
    text = json_printed(json);
    json_decref(json);
  }
  assert_int_equal(text == NULL, why != NULL);
  for (size_t i = 0; i < n; i++)
    run_record_clear(&inputs[i].run);
  run_record_clear(&out);
  free(inputs);
  free(why);
  return text;
}

static void shuffle(struct rng *rng, json_t **records, size_t count) {
  for (size_t i = count; i > 1; i--) {
    size_t k = pick(rng, (unsigned)i);
    json_t *t = records[i - 1];
    records[i - 1] = records[k];
    records[k] = t;
  }
}

static void shards_give_the_whole(void **state) {
  (void)state;
  struct rng rng;
  rng = rng_seeded(4);
  for (size_t round = 0; round < test_rounds(150); round++) {
    struct run_record whole;
    json_t *shards[MOST_SHARDS + 1];
    size_t of = 1 + pick(&rng, MOST_SHARDS);
    make_run(&rng, &whole, 1 + pick(&rng, MOST_FILES));
    json_t *json = run_record_to_json(&whole);
    char *expected = json_printed(json);
    for (size_t k = 0; k < of; k++)
      shards[k] = shard_json(&whole, k + 1, of);
    shuffle(&rng, shards, of);
    char *text = merged(shards, of);
    assert_non_null(text);
    assert_string_equal(text, expected);
    /* one less, one twice */
    if (of > 1) assert_null(merged(shards, of - 1));
    shards[of] = shards[pick(&rng, (unsigned)of)];
    assert_null(merged(shards, of + 1));
    /* beside the whole run the files would be there twice */
    shards[of] = json;
    assert_null(merged(shards, of + 1));
    for (size_t k = 0; k < of; k++)
      json_decref(shards[k]);
    json_decref(json);
    free(text), free(expected);
    run_record_clear(&whole);
  }
}

static void parts_are_a_partition(void **state) {
  (void)state;
  for (size_t of = 1; of < 12; of++)
    for (size_t item = 0; item < 40; item++) {
      size_t owners = 0;
      for (size_t k = 1; k <= of; k++)
        owners += shard_has(&(struct record_shard){.number = k, .of = of}, item);
      assert_int_equal(owners, 1);
    }
  static const char *const wrong[] = {"",
                                      "1",
                                      "1/",
                                      "/4",
                                      "0/4",
                                      "5/4",
                                      "1/0",
                                      "-1/4",
                                      "+1/4",
                                      " 1/4",
                                      "1/4 ",
                                      "1 /4",
                                      "1/4/2",
                                      "a/b",
                                      "1/99999999999999999999",
                                      "1/100001",
                                      "99999999999999999999/1"};
  struct record_shard s;
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(shard_parse(&s, wrong[i]));
  assert_true(shard_parse(&s, "3/4") && s.number == 3 && s.of == 4);
}

/* ---- damage --------------------------------------------------------------------------------- */

struct all {
  VEC(json_t *) values;
};

static void collect_values(struct all *all, json_t *json) {
  const char *key;
  json_t *value;
  size_t i;
  vec_push(&all->values, json);
  json_object_foreach(json, key, value) collect_values(all, value);
  json_array_foreach(json, i, value) collect_values(all, value);
}

static json_t *odd_value(struct rng *rng) {
  switch (pick(rng, 7)) {
  case 0: return json_null();
  case 1: return json_array();
  case 2: return json_object();
  case 3: return json_string("");
  case 4: return json_integer(-1);
  case 5: return json_real(1e300);
  default: return json_pack("[{s:n}]", "file");
  }
}

/* Some field of some object, or item of some array. */
static void damage(struct rng *rng, json_t *json) {
  struct all all = {0};
  collect_values(&all, json);
  json_t *at = all.values.at[pick(rng, (unsigned)all.values.len)];
  size_t size = json_object_size(at), skip = size ? pick(rng, (unsigned)size) : 0;
  const char *key;
  json_t *value;
  void *next;
  vec_clear(&all.values);
  if (json_array_size(at))
    json_array_set_new(at, pick(rng, (unsigned)json_array_size(at)), odd_value(rng));
  json_object_foreach_safe(at, next, key, value) {
    if (skip--) continue;
    if (pick(rng, 2))
      json_object_del(at, key);
    else
      json_object_set_new(at, key, odd_value(rng));
    break;
  }
}

/* Every rendering of what was accepted. */
static void render(const struct run_record *run) {
  struct buffer b;
  buffer_init(&b);
  for (size_t i = 0; i < run->files.len; i++) {
    file_record_diags_to_text(&b, run->files.at[i], (struct text_style){true});
    file_record_to_text(&b, run->files.at[i], (struct text_style){true});
  }
  run_record_to_markdown(&b, run, true);
  run_record_to_junit(&b, run, true);
  run_record_to_html(&b, run, HTML_PLAIN_LIMIT);
  json_t *log = run_record_to_sarif(run);
  json_decref(log);
  buffer_clear(&b);
}

static void damaged_records_do_no_harm(void **state) {
  (void)state;
  struct rng rng;
  size_t accepted = 0, refused = 0;
  rng = rng_seeded(9);
  for (size_t round = 0; round < test_rounds(300); round++) {
    struct run_record whole;
    struct merge_input input;
    char *why = NULL;
    make_run(&rng, &whole, 2);
    json_t *json = shard_json(&whole, 1, 1);
    for (unsigned k = 1 + pick(&rng, 3); k; k--)
      damage(&rng, json);
    if (read_json(&input, json, &why)) {
      struct run_record out;
      run_record_init(&out);
      if (merge_records(&out, &input, 1, &why)) {
        render(&out);
        accepted++;
      }
      run_record_clear(&out);
      run_record_clear(&input.run);
    }
    refused += why != NULL;
    free(why);
    json_decref(json);
    run_record_clear(&whole);
  }
  assert_true(accepted > 0 && refused > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_a_partition),
                                     cmocka_unit_test(shards_give_the_whole),
                                     cmocka_unit_test(damaged_records_do_no_harm)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
