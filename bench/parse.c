/* bench_parse FILE...: CPU time of lexer and parser on each file (best of REPEATS), and the exponent k
 * of time = c * size^k fitted over the files: 1 is linear. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"

enum { REPEATS = 5 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double time_lexer(struct lang *lang, uint32_t file, size_t *tokens) {
  double start = now();
  struct lexer lexer;
  lexer_init(&lexer, lang, file);
  for (*tokens = 0; lexer_next(&lexer).kind != TOKEN_END;)
    ++*tokens;
  lexer_clear(&lexer);
  return now() - start;
}

/* Seconds of the fastest run; everything is freed and read again in between. */
static void measure(const char *path, double *size, double *lex, double *parse) {
  *lex = *parse = INFINITY;
  size_t tokens = 0, decls = 0;
  for (int i = 0; i < REPEATS; i++) {
    struct lang lang;
    char *why = NULL;
    lang_init(&lang);
    uint32_t file = sources_read(&lang.sources, path, &why);
    if (!file) {
      fprintf(stderr, "bench_parse: %s: %s\n", path, why);
      exit(2);
    }
    *size = (double)sources_get(&lang.sources, file)->length;
    *lex = fmin(*lex, time_lexer(&lang, file, &tokens));
    double start = now();
    decls = parse_unit(&lang, file)->count;
    *parse = fmin(*parse, now() - start);
    if (lang.diags.errors > 0) {
      fprintf(stderr, "bench_parse: %s has errors\n", path);
      exit(2);
    }
    lang_clear(&lang);
  }
  printf("%9.2f MB %9zu tokens %8zu declarations   lexer %7.1f ms %6.1f MB/s   "
         "parser with lexer %7.1f ms %6.1f MB/s\n",
         *size / 1e6, tokens, decls, *lex * 1e3, *size / 1e6 / *lex, *parse * 1e3,
         *size / 1e6 / *parse);
}

/* Slope of the least-squares line through (ln size, ln time). */
static double exponent(const double *size, const double *seconds, int count) {
  double mx = 0, my = 0, xy = 0, xx = 0;
  for (int i = 0; i < count; i++) {
    mx += log(size[i]) / count;
    my += log(seconds[i]) / count;
  }
  for (int i = 0; i < count; i++) {
    xy += (log(size[i]) - mx) * (log(seconds[i]) - my);
    xx += (log(size[i]) - mx) * (log(size[i]) - mx);
  }
  return xy / xx;
}

int main(int argc, char **argv) {
  int count = argc - 1;
  double *size = calloc((size_t)argc, sizeof *size), *lex = calloc((size_t)argc, sizeof *lex),
         *parse = calloc((size_t)argc, sizeof *parse);
  for (int i = 0; i < count; i++)
    measure(argv[i + 1], &size[i], &lex[i], &parse[i]);
  if (count > 1)
    printf("time ~ size^k: lexer k = %.3f, parser k = %.3f\n", exponent(size, lex, count),
           exponent(size, parse, count));
  free(size);
  free(lex);
  free(parse);
  return 0;
}
