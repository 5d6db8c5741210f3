/* What is known of one run alone, as steps of the proof of a loop: ranges of counters, products
 * that stay the same while one factor grows and the other shrinks, and why the loop ends. */
#ifndef COUPLET_AUTO_SYNC_FACTS_H
#define COUPLET_AUTO_SYNC_FACTS_H

#include "auto/sync_rows.h"
#include "base/buffer.h"

/* Does every invariant contain what there is to say of this variable? */
bool sync_is_default(const struct sync *s, const struct core *loop, term_id var);
/* One invariant; nothing for TERM_NONE and what is trivial. */
void sync_invariant(struct sync *s, struct buffer *out, term_id formula);

/* What is known of run 1 alone: counters stay on their side of where they began. */
void sync_facts_ranges(struct sync *s, struct buffer *out, const struct core *loop,
                       const struct sync_heads *heads);
/* What bounds places that differences come to: guards, and geometric progressions such as
 * k*2^j = i + 1. */
void sync_facts_progress(struct sync *s, struct buffer *out, const struct sync_rows *rows,
                         const struct core *loop, const struct sync_heads *heads);
/* `inside`: of another loop. */
void sync_facts_variant(struct sync *s, struct buffer *out, const struct core *loop,
                        const struct sync_heads *heads, bool inside);

#endif
