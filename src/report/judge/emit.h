/* Proofs that were found, put into the source: `verify --emit-proof`.
 *
 * The new source is the old one with `proof { ... }` for the `;` of each claim the search proved,
 * or for the block it completed, the cost for its `?`, in the formatter's layout. What is written
 * has been checked: the new text is read like any other file and the kernel judges its proofs, in
 * the process that emits it; a claim whose proof is not accepted there does not stay proved. */
#ifndef COUPLET_REPORT_JUDGE_EMIT_H
#define COUPLET_REPORT_JUDGE_EMIT_H

#include "lang/syntax/lang.h"
#include "report/record/record.h"

/* Where the new version of the file goes: `where` itself if it ends in .dp, else a file of the same
 * name in that folder (xmalloc'd). */
char *emit_target(const char *where, const char *path);

/* Fills in file->emitted, if a proof was found and the new text is accepted. `target` is where the
 * text will be written: includes are looked for from there. */
void emit_proofs(struct file_record *file, struct lang *lang, const struct ast_unit *unit,
                 const char *target);

/* Takes file->emitted out of the record and writes it, at once or not at all; the folder is made if
 * needed. False: *why says what went wrong (xmalloc'd). */
bool emit_write(struct file_record *file, const char *where, char **why);

#endif
