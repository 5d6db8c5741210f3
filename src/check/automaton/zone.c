#include "check/automaton/zone.h"

#include <string.h>

void zone_full(zone_entry *m, size_t n) {
  for (size_t i = 0; i <= n; i++)
    for (size_t j = 0; j <= n; j++)
      m[i * (n + 1) + j] = (zone_entry)(i == j ? 0 : (i > 0) + (j > 0));
}

bool zone_bound(zone_entry *m, size_t n, size_t i, size_t j, int bound) {
  size_t w = n + 1;
  if (m[i * w + j] <= bound) return true;
  if (m[j * w + i] + bound < 0) return false;
  for (size_t a = 0; a < w; a++) {
    int through = m[a * w + i] + bound;
    for (size_t b = 0; b < w; b++)
      if (through + m[j * w + b] < m[a * w + b])
        m[a * w + b] = (zone_entry)(through + m[j * w + b]);
  }
  return true;
}

bool zone_restrict(zone_entry *m, size_t n, size_t i, unsigned mask) {
  if (mask == 0) return false;
  int low = mask & SHIFT_MINUS ? -1 : mask & SHIFT_ZERO ? 0 : 1;
  int high = mask & SHIFT_PLUS ? 1 : mask & SHIFT_ZERO ? 0 : -1;
  return zone_bound(m, n, i, 0, high) && zone_bound(m, n, 0, i, -low);
}

void zone_free(zone_entry *m, size_t n, size_t i) {
  size_t w = n + 1;
  for (size_t j = 0; j < w; j++) {
    if (j == i) continue;
    m[i * w + j] = (zone_entry)(1 + m[j]);
    m[j * w + i] = (zone_entry)(m[j * w] + 1);
  }
}

void zone_extend(zone_entry *to, const zone_entry *m, size_t n) {
  size_t w = n + 1, v = n + 2;
  for (size_t i = 0; i < w; i++)
    memcpy(to + i * v, m + i * w, w);
  to[w * v + w] = 0;
  zone_free(to, n + 1, w);
}

void zone_project(zone_entry *to, size_t k, const zone_entry *m, size_t n, const uint32_t *source) {
  for (size_t i = 0; i <= k; i++)
    for (size_t j = 0; j <= k; j++)
      to[i * (k + 1) + j] = m[(i ? source[i - 1] : 0) * (n + 1) + (j ? source[j - 1] : 0)];
}

bool zone_includes(const zone_entry *big, const zone_entry *small, size_t n) {
  for (size_t i = 0; i < zone_size(n); i++)
    if (small[i] > big[i]) return false;
  return true;
}
