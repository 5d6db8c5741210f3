#include "base/spell.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Damerau-Levenshtein (optimal string alignment) with three rows. */
size_t spell_distance(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  if (n > LONGEST || m > LONGEST) return SIZE_MAX;
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *last = rows[1], *now = rows[2];
  for (size_t j = 0; j <= m; j++)
    last[j] = j;
  for (size_t i = 1; i <= n; i++) {
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t cost = last[j - 1] + (a[i - 1] != b[j - 1]);
      cost = least(cost, least(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost = least(cost, before[j - 2] + 1);
      now[j] = cost;
    }
    size_t *spare = before;
    before = last;
    last = now;
    now = spare;
  }
  return last[m];
}

/* Is one of them the beginning of the other, big and small letters alike? */
static bool continues(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b), common = n < m ? n : m;
  return common >= 3 && strncasecmp(a, b, common) == 0;
}

void spell_consider(struct spell_best *best, const char *written, const char *candidate) {
  size_t length = strlen(written), allowed = length < 6 ? 1 : length / 3;
  size_t distance = spell_distance(written, candidate);
  if (distance == 0) return;
  if (strcasecmp(written, candidate) == 0)
    distance = 1;
  else if (distance > allowed && continues(written, candidate))
    distance = allowed;
  else if (distance > allowed || distance >= length)
    return; /* too far, or nothing of the word would be left */
  if (best->word && distance > best->distance) return;
  if (best->word && distance == best->distance && strcmp(candidate, best->word) >= 0) return;
  *best = (struct spell_best){candidate, distance};
}

const char *spell_nearest(const char *written, const char *const *candidates, size_t count) {
  struct spell_best best = {0};
  for (size_t i = 0; i < count; i++)
    spell_consider(&best, written, candidates[i]);
  return best.word;
}
