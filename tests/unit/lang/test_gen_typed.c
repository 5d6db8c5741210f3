/* The generator of right programs, the checker and the interpreter agree with one another. */
#include "gen_typed.h"

#include <string.h>

#include "lang/format/format.h"
#include "lang/syntax/lang.h"
#include "lang/syntax/parse.h"
#include "run/sample/interp.h"
#include "source_text.h"

static const struct ast_decl *find_mechanism(const struct ast_module *module) {
  for (size_t i = 0; i < module->decl_count; i++)
    if (module->decls[i]->kind == DECL_MECHANISM) return module->decls[i];
  return NULL;
}

static void run(struct lang *lang, struct ast_module *module, uint64_t seed, const char *text) {
  struct interp in;
  struct random random;
  random_init_seeded(&random, seed);
  interp_init(&in, lang, module, find_mechanism(module));
  in.instance = interp_choose_instance(&in);
  bool ready = interp_prepare(&in);
  for (int i = 0; ready && i < 3; i++) {
    struct rvalue output;
    ready = interp_run(&in, &random, &output);
    if (ready) rvalue_clear(&output);
  }
  if (!ready) show_diags(lang, text);
  assert_true(ready);
  interp_clear(&in);
}

static void programs_check_and_run(void **state) {
  (void)state;
  struct rng rng = rng_seeded(5);
  for (size_t round = 0, rounds = test_rounds(400); round < rounds; round++) {
    char *text = gen_typed_text(&rng, 1 + (unsigned)(round % 12));
    struct lang lang;
    lang_init(&lang);
    struct ast_module *module = load_valid_text(&lang, text);
    run(&lang, module, round, text);
    lang_clear(&lang);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(programs_check_and_run)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
