/* The folder of examples: the only files that the server reads for anybody.
 *
 * A name is a path below the folder with `/`, each part of it an ordinary name. Files are opened
 * part by part and links are not followed, so that no name leads out of it. */
#ifndef COUPLET_SERVE_FOLDER_H
#define COUPLET_SERVE_FOLDER_H

#include <jansson.h>
#include <stdbool.h>

#include "base/buffer.h"

enum { FOLDER_FILES = 500, FOLDER_BYTES = 1 << 20, FOLDER_NAME = 200 };

/* Is it a name that could be one of a file of ours, by its form? */
bool folder_is_name(const char *name);
/* False: there is no such file, or it is larger than FOLDER_BYTES. */
bool folder_read(const char *folder, const char *name, struct buffer *out);
/* Is the part of the name before its last `/` a folder of ours? The text under that name may include
 * what is beside it. */
bool folder_has_place(const char *folder, const char *name);
/* [{"name", "about"}] in the order of the names: `about` is the first sentence of its comment.
 * Not the C files: those of the examples are not all about mechanisms. */
json_t *folder_list(const char *folder);

#endif
