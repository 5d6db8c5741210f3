/* A shard of a run: part K of N, so that N machines share the work. Files are dealt out in turn, in
 * the order of the command line; a run with fewer files than shards deals out the claims of each
 * file instead. So every shard of one command line knows its part without asking the others, and
 * merge.h can put the records together again, or say which one is missing. */
#ifndef COUPLET_REPORT_RECORD_SHARD_H
#define COUPLET_REPORT_RECORD_SHARD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/sha256.h"

enum { SHARDS_MAX = 100000 };

struct record_shard {
  size_t number, of; /* from 1; 0: the run is whole */
  bool by_claim;
  size_t files;              /* of the whole run */
  char list[SHA256_HEX + 1]; /* digest of their names, in order */
};

/* Reads "K/N". False: that is not a part of anything. */
bool shard_parse(struct record_shard *shard, const char *text);
/* Binds it to the files of the whole run. */
void shard_bind(struct record_shard *shard, const char *const *files, size_t count);
/* Is the item (a file of the run, or a claim of a file; from 0) one of this shard? */
bool shard_has(const struct record_shard *shard, size_t item);

json_t *shard_to_json(const struct record_shard *shard);
/* False: malformed. */
bool shard_from_json(struct record_shard *shard, const json_t *json);
/* Are they parts of one run? */
bool shard_same_run(const struct record_shard *a, const struct record_shard *b);

#endif
