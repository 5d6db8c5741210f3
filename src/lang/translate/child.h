/* The process that translates: started for one file, with a limit of time. */
#ifndef COUPLET_LANG_TRANSLATE_CHILD_H
#define COUPLET_LANG_TRANSLATE_CHILD_H

#include "base/buffer.h"
#include "base/source.h"
#include "lang/translate/translate.h"

/* Gives the text to python/couplet/translate.py and takes what it prints; false with *why
 * (xmalloc'd): it could not be run, or did not end as it should. */
bool translate_in_child(const struct source *source, const struct translate_options *options,
                        struct buffer *out, char **why);

#endif
