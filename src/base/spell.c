#include "base/spell.h"

#include <stdint.h>
#include <string.h>

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

void spell_consider(struct spell_best *best, const char *written, const char *candidate) {
  size_t allowed = (strlen(written) + 1) / 3;
  size_t distance = spell_distance(written, candidate);
  if (distance == 0 || distance > allowed) return;
  if (best->word && distance >= best->distance) return;
  *best = (struct spell_best){candidate, distance};
}

const char *spell_nearest(const char *written, const char *const *candidates, size_t count) {
  struct spell_best best = {0};
  for (size_t i = 0; i < count; i++)
    spell_consider(&best, written, candidates[i]);
  return best.word;
}
