/* Statements that make noise by hand, as a sampling of it and one assignment (EQUIV-NOISE):
 * `a <$ Exp(0, b); c <$ Exp(0, b); y := x + a - c` as `a <$ Lap(x, b); y := a`; also noise that is
 * drawn apart from its centre, `z <$ Gauss(0, s); y := x + z` as `z <$ Gauss(x, s); y := z`. Which
 * noise it is, others say; here it is what the last statement computes from the samples. */
#ifndef COUPLET_PROOF_NOISE_H
#define COUPLET_PROOF_NOISE_H

#include "kernel/core.h"

struct hand_made {
  bool is_located;         /* one sample, of the noise itself at another place */
  term_id var;             /* takes the noise: the first sampled variable of its sort */
  term_id value;           /* the noise, over the samples and the memory before */
  term_id last;            /* the variable that the last statement writes */
  const struct core *tail; /* what that gets, with `var` in place of the noise; or skip */
  term_list samples;       /* the sampled variables, in their order */
};

/* Reads list[first..last]; false: it is nothing of the kind. */
bool hand_made_read(struct terms *ts, struct arena *arena, const struct core *const *list,
                    size_t first, size_t last, struct hand_made *out);
void hand_made_clear(struct hand_made *made);

#endif
