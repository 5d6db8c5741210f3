#include "lang/syntax/lang.h"

void lang_init(struct lang *lang) {
  *lang = (struct lang){0};
  arena_init(&lang->arena);
  intern_init(&lang->intern);
  sources_init(&lang->sources);
  diags_init(&lang->diags);
  types_init(&lang->types);
}

void lang_clear(struct lang *lang) {
  for (size_t i = 0; i < lang->numbers.len; i++)
    fmpq_clear(lang->numbers.at[i]);
  vec_clear(&lang->numbers);
  types_clear(&lang->types);
  diags_clear(&lang->diags);
  sources_clear(&lang->sources);
  intern_clear(&lang->intern);
  arena_clear(&lang->arena);
}

const char *notion_word(enum notion notion) {
  static const char *const words[] = {[NOTION_PURE] = "epsilon",
                                      [NOTION_RENYI] = "renyi",
                                      [NOTION_ZCDP] = "zcdp",
                                      [NOTION_GAUSSIAN] = "gaussian"};
  return words[notion];
}
