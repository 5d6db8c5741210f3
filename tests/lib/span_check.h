/* Do the spans of a parsed unit fit its text? Walks everything in it and fails the running cmocka
 * test at the first span that
 *   - is empty, or begins or ends with a space,
 *   - does not contain the spans of its parts, or has parts out of order,
 *   - is that of a name, number or truth value and covers something else than its text. */
#ifndef COUPLET_TEST_SPAN_CHECK_H
#define COUPLET_TEST_SPAN_CHECK_H

#include "lang/syntax/lang.h"

/* Returns how many spans it has looked at. */
size_t check_spans(struct lang *lang, const struct ast_unit *unit);

#endif
