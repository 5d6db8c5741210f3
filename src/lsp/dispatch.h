/* From the text of a message to the function that answers it. */
#ifndef COUPLET_LSP_DISPATCH_H
#define COUPLET_LSP_DISPATCH_H

#include "lsp/session.h"

void dispatch_message(struct session *session, const char *text, size_t length);

#endif
