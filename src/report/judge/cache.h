/* Results of earlier runs, one file each in a folder of the user.
 *
 * An entry is found by everything its content depends on: the bytes of the source and of all it
 * includes, the path it goes by, the options, the build of this very program and the versions of
 * the solver and the arithmetic. Only decided claims are kept: an unknown may have been a matter of
 * time. A damaged entry is no entry. An entry has the certificates of its claims, and is believed for
 * these only. Whoever can write the folder can write verdicts into it, so
 * that folders and entries that others could write, or put in the place of ours, are not used. */
#ifndef COUPLET_REPORT_JUDGE_CACHE_H
#define COUPLET_REPORT_JUDGE_CACHE_H

#include "base/sha256.h"
#include "report/judge/verify.h"
#include "report/record/record.h"

/* Where entries go unless told otherwise: $COUPLET_CACHE ("off": nowhere), $XDG_CACHE_HOME/couplet,
 * or ~/.cache/couplet. xmalloc'd; NULL: nowhere. */
char *cache_folder(void);

/* The name of the entry; false: what the options ask for is not kept (or this build has no name),
 * or there is no folder. */
bool cache_key(const char *path, const char *source_digest, const struct verify_options *options,
               char key[SHA256_HEX + 1]);
/* The record, marked as cached, and the evidence to be checked again; NULL: there is none. */
struct file_record *cache_find(const char *folder, const char *key, json_t **evidence);
/* Keeps the record if every claim was decided and has its evidence, the certificates in the order
 * of the claims. Failing to is no error. */
void cache_store(const char *folder, const char *key, const struct file_record *file,
                 const json_t *evidence);

#endif
