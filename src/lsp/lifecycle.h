/* Beginning and end of a session, its settings, and the text of its documents. */
#ifndef COUPLET_LSP_LIFECYCLE_H
#define COUPLET_LSP_LIFECYCLE_H

#include "lsp/features.h"

typedef void notification(struct session *session, const json_t *params, struct rpc_error *error);

feature lifecycle_initialize, lifecycle_shutdown;
notification lifecycle_exit, lifecycle_ignore, lifecycle_cancel, lifecycle_cancel_progress,
    lifecycle_configure;
/* Commands: couplet.verifyClaim (uri, number or name of the claim) and couplet.verifyFile (uri).
 * The answer is the record of the file, when it is there. */
void lifecycle_execute(struct session *session, json_t *id, const json_t *params);

/* sync.c: what the editor has */
notification sync_open, sync_change, sync_save, sync_close, sync_files_changed;

#endif
