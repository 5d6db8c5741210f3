/* The pictures of a record as SVG files: automata with their walk, and how losses grow. */
#ifndef COUPLET_REPORT_RENDER_PICTURES_H
#define COUPLET_REPORT_RENDER_PICTURES_H

#include "report/record/record.h"

/* Writes DIR/FILE-CLAIM.svg for every picture in the record (made by verify_options.pictures), and
 * DIR/FILE-CLAIM-loss.svg where several counterexamples show the loss against cycle iterations. The
 * folder is made if needed. False: *why says which file could not be written (xmalloc'd). */
bool pictures_write(const struct file_record *file, const char *folder, char **why);

#endif
