/* The words of `couplet compose`: which mechanisms are run. */
#ifndef COUPLET_CLI_COMPOSE_WORDS_H
#define COUPLET_CLI_COMPOSE_WORDS_H

#include "compose/loss.h"

#define COMPOSE_WORDS_USAGE "PART[xCOUNT]..."

/* What a part can be, for the help. */
extern const char compose_words_help[];

/* Adds what the word says; xmalloc'd reason if it says nothing. */
char *compose_word_read(loss_parts *parts, const char *word);

#endif
