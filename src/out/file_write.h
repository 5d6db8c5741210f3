/* Writing files so that nothing is lost: readers see the old content or the new, never a part. */
#ifndef COUPLET_OUT_FILE_WRITE_H
#define COUPLET_OUT_FILE_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* Replaces the content of an existing file: the new text goes to a temporary file beside it, with
 * the same permissions, is synced to disk, and takes the old one's place by rename. A symbolic link
 * stays one: its target is replaced. On failure the old file is untouched, nothing is left behind,
 * and *why says what went wrong (xmalloc'd). */
bool file_replace(const char *path, const char *text, size_t length, char **why);
/* The same for a file that may not exist yet; a new one gets the permissions of the umask. Symbolic
 * links are refused: /dev/stdout is one, and who can place one would choose what is replaced. */
bool file_write(const char *path, const char *text, size_t length, char **why);

/* Makes a folder unless it is there, and those that it lies in. */
bool file_make_folder(const char *path, char **why);

#endif
