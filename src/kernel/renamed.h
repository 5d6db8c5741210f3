/* Commands that are the same but for the names of variables that they set before they read them. */
#ifndef COUPLET_KERNEL_RENAMED_H
#define COUPLET_KERNEL_RENAMED_H

#include "kernel/core.h"

/* a with from[i] in place of to[i] in b (appended; nothing if they are the same command). Each is
 * written by its own command, and the other command does not speak of it. */
bool core_is_renamed(struct terms *ts, const struct core *a, const struct core *b, term_list *from,
                     term_list *to);

#endif
