/* Files that belong to this program, in a checkout or where it was installed. */
#ifndef COUPLET_LANG_TRANSLATE_BESIDE_H
#define COUPLET_LANG_TRANSLATE_BESIDE_H

#include <stddef.h>

/* `below` in the first of the folders that has it and may be read; NULL: none has. The folders are
 * relative to that of this program. xmalloc'd. */
char *beside_program(const char *const *folders, size_t count, const char *below);

#endif
