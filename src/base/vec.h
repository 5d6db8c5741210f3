/* Growable arrays. `VEC(int) v = {0}; vec_push(&v, 3); v.at[0]; vec_clear(&v);`
 * Pushing is amortised O(1); `at` moves when it grows. */
#ifndef COUPLET_BASE_VEC_H
#define COUPLET_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"

#define VEC(type)                                                                                  \
  struct {                                                                                         \
    type *at;                                                                                      \
    size_t len, cap;                                                                               \
  }

#define vec_reserve(v, wanted)                                                                     \
  do {                                                                                             \
    size_t vec_want_ = (wanted);                                                                   \
    if (vec_want_ > (v)->cap) {                                                                    \
      size_t vec_cap_ = (v)->cap ? (v)->cap * 2 : 8;                                               \
      if (vec_cap_ < vec_want_) vec_cap_ = vec_want_;                                              \
      (v)->at = xrealloc((v)->at, vec_cap_ * sizeof *(v)->at);                                     \
      (v)->cap = vec_cap_;                                                                         \
    }                                                                                              \
  } while (0)

#define vec_push(v, ...)                                                                           \
  do {                                                                                             \
    vec_reserve(v, (v)->len + 1);                                                                  \
    (v)->at[(v)->len++] = (__VA_ARGS__);                                                           \
  } while (0)

#define vec_pop(v) ((v)->at[--(v)->len])
#define vec_last(v) ((v)->at[(v)->len - 1])

#define vec_clear(v)                                                                               \
  do {                                                                                             \
    free((v)->at);                                                                                 \
    (v)->at = NULL;                                                                                \
    (v)->len = (v)->cap = 0;                                                                       \
  } while (0)

#endif
