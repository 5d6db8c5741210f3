/* Parts of `couplet compose` that are claims of files: FILE.dp:CLAIM[xCOUNT]. */
#ifndef COUPLET_CLI_COMPOSE_FILE_H
#define COUPLET_CLI_COMPOSE_FILE_H

#include "cli/cli.h"
#include "compose/loss.h"

bool compose_is_file(const char *word);
/* Verifies the file and adds what the proved claim promises; xmalloc'd reason if that is nothing. */
char *compose_file_read(const struct cli *cli, loss_parts *parts, const char *word);

#endif
