/* ---- the function that others call -------------------------------------------------------------- */

#ifndef COUPLET_PAD_BITS
#define COUPLET_PAD_BITS 0 /* use at least as many random bits in every run: see docs/compile.md */
#endif

static char *cp_copy(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

/* One run; *output is its output, or what went wrong. */
static bool cp_run(struct cp *c, const char *const *values, char **output) {
  cp_free_all(c);
  c->bits = 0;
  if (setjmp(c->failed)) {
    *output = cp_copy(c->why);
    return false;
  }
  const char *text = cp_run_text(c, values);
  for (const uint64_t least = COUPLET_PAD_BITS; c->bits < least;)
    cp_random_bits(c, 1);
  *output = cp_copy(text);
  return *output != NULL;
}

int CP_ENTRY(const char *const *values, char **output, uint64_t *bits) {
  struct cp c;
  cp_open(&c);
  bool ok = cp_run(&c, values, output);
  if (bits) *bits = c.bits;
  cp_close(&c);
  return ok ? 0 : 2;
}

#ifndef COUPLET_LIBRARY

static int cp_usage(const char *program) {
  fprintf(stderr, "usage: %s [--samples K] [--bits]", program);
  for (size_t i = 0; i < CP_NAMES; i++)
    fprintf(stderr, " %s=VALUE", cp_names[i]);
  fprintf(stderr, "\n");
  return 1;
}

/* NAME=VALUE among the names; false: it is none. */
static bool cp_take_value(const char *word, const char **values) {
  for (size_t i = 0; i < CP_NAMES; i++) {
    size_t length = strlen(cp_names[i]);
    if (strncmp(word, cp_names[i], length) != 0 || word[length] != '=' || values[i]) continue;
    values[i] = word + length + 1;
    return true;
  }
  return false;
}

int main(int argc, char **argv) {
  const char *values[CP_NAMES + 1] = {NULL};
  long samples = 1;
  bool shows_bits = false, ok = true;
  for (int i = 1; i < argc; i++) {
    char *end = "";
    if (strcmp(argv[i], "--bits") == 0)
      shows_bits = true;
    else if (strcmp(argv[i], "--samples") == 0 && i + 1 < argc)
      samples = strtol(argv[++i], &end, 10);
    else if (!cp_take_value(argv[i], values))
      return cp_usage(argv[0]);
    if (*end || samples < 1) return cp_usage(argv[0]);
  }
  if (argc == 1 && CP_NAMES) return cp_usage(argv[0]);
  struct cp c;
  cp_open(&c);
  for (long k = 0; ok && k < samples; k++) {
    char *output;
    ok = cp_run(&c, values, &output);
    const char *text = output ? output : "out of memory";
    if (!ok)
      fprintf(stderr, "%s: %s\n", argv[0], text);
    else if (shows_bits)
      printf("%" PRIu64 " %s\n", c.bits, text);
    else
      printf("%s\n", text);
    free(output);
  }
  cp_close(&c);
  if (fflush(stdout) != 0 || ferror(stdout)) return 3;
  return ok ? 0 : 2;
}

#endif
