#include "lang/syntax/family.h"

#include <string.h>

#define CENTRED(location, spread) PARAMETERS_CENTRED, location, spread, false
#define ONE_SIDED(location, spread) PARAMETERS_CENTRED, location, spread, true
#define RANGE PARAMETERS_RANGE, NULL, NULL, false
#define CHANCE PARAMETERS_CHANCE, NULL, NULL, false
#define ITEMS PARAMETERS_ITEMS, NULL, NULL, false

static const struct dist_info families[] = {
#define ROW(ID, id, name, parameters, samples, help)                                               \
  [DIST_##ID] = {DIST_##ID, name, parameters, SAMPLES_##samples, help},
    DIST_FAMILIES(ROW)
#undef ROW
};

static const struct sugar_info sugars[] = {
#define ROW(ID, family, name, help) [SUGAR_##ID] = {SUGAR_##ID, DIST_##family, name, help},
    DIST_SUGARS(ROW)
#undef ROW
};

const struct sugar_info *sugar_get(enum dist_sugar id) {
  return &sugars[id];
}

const struct sugar_info *sugar_find(const char *name) {
  for (enum dist_sugar id = SUGAR_NONE + 1; id < SUGAR_END; id++)
    if (strcmp(sugars[id].name, name) == 0) return &sugars[id];
  return NULL;
}

const struct dist_info *dist_get(enum dist_kind kind) {
  return &families[kind];
}

const struct dist_info *dist_find(const char *name) {
  for (size_t i = 0; i < DIST_COUNT; i++)
    if (strcmp(families[i].name, name) == 0) return &families[i];
  return NULL;
}

const struct dist_info *dist_find_items(const char *name) {
  for (size_t i = 0; i < DIST_COUNT; i++)
    if (families[i].parameters == PARAMETERS_ITEMS && strcmp(families[i].name, name) == 0)
      return &families[i];
  return NULL;
}

size_t dist_arity(const struct dist_info *info) {
  switch (info->parameters) {
  case PARAMETERS_CENTRED:
  case PARAMETERS_RANGE: return 2;
  case PARAMETERS_CHANCE: return 1;
  case PARAMETERS_ITEMS: break;
  }
  return 0;
}

bool dist_is_centred(enum dist_kind kind) {
  return families[kind].parameters == PARAMETERS_CENTRED;
}

bool dist_is_integer(enum dist_kind kind) {
  return families[kind].samples == SAMPLES_INT;
}

bool dist_is_discrete(enum dist_kind kind) {
  return families[kind].samples != SAMPLES_REAL;
}
