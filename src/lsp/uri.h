/* Documents are named by URIs, files by paths. */
#ifndef COUPLET_LSP_URI_H
#define COUPLET_LSP_URI_H

/* The path of a `file:` URI; any other URI (an unsaved document) stands for itself. xmalloc'd. */
char *uri_to_path(const char *uri);
/* The URI of a path; relative paths are taken from the current folder, and a URI that stands for
 * itself comes back as it is. xmalloc'd. */
char *uri_of_path(const char *path);

#endif
