/* What is known of one run alone, as steps of the proof of a loop: ranges of counters, products
 * that stay the same while one factor grows and the other shrinks, and why the loop ends. */
#ifndef COUPLET_SEARCH_ALIGN_FACTS_H
#define COUPLET_SEARCH_ALIGN_FACTS_H

#include "search/align/rows.h"
#include "search/base/text.h"

/* Does every invariant contain what there is to say of this variable? */
bool align_is_default(const struct align *s, const struct core *loop, term_id var);
/* One invariant; nothing for TERM_NONE and what is trivial. */
void align_invariant(struct align *s, struct text *out, term_id formula);

/* What is known of run 1 alone: counters stay on their side of where they began. */
void align_facts_ranges(struct align *s, struct text *out, const struct core *loop,
                        const struct align_heads *heads);
/* What bounds places that differences come to: guards, and geometric progressions such as
 * k*2^j = i + 1. */
void align_facts_progress(struct align *s, struct text *out, const struct align_rows *rows,
                          const struct core *loop, const struct align_heads *heads);
/* The same of a loop before this one in the scope, as far as it still holds. */
void align_facts_before(struct align *s, struct text *out, const struct align_rows *rows,
                        const struct core *scope, const struct core *loop,
                        const struct align_heads *heads);
/* `inside`: of another loop. */
void align_facts_variant(struct align *s, struct text *out, const struct core *loop,
                         const struct align_heads *heads, bool inside);

#endif
