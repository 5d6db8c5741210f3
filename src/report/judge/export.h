/* Automata as programs: the strategy found for an automaton, said as a program of the language with
 * a proof that the kernel has checked (automata/convert/program_text.h). */
#ifndef COUPLET_REPORT_JUDGE_EXPORT_H
#define COUPLET_REPORT_JUDGE_EXPORT_H

#include "base/buffer.h"
#include "check/automaton/model.h"

enum export_status {
  EXPORT_PROVED,     /* `out` is the source; the kernel accepts the proof in it */
  EXPORT_IMPOSSIBLE, /* there is no such program or no such strategy; *why says why */
  EXPORT_UNPROVED    /* `out` is the source, but the kernel does not accept the proof: *why */
};

/* `cost` is what the proof shows; at least the cost of the automaton, more where the visible end of
 * the program, or not knowing the inputs, costs something. `target` is the name the source will
 * have. *why is xmalloc'd or NULL. The automaton must be meaningful (classify.h). */
enum export_status automaton_export(struct buffer *out, fmpq_t cost, const struct automaton *a,
                                    const char *target, char **why);

#endif
