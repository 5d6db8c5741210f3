/* Records put together: the shards of a run (shard.h) become the record that one machine would have
 * made, and records of other runs stand behind each other. What does not fit is an error, never a
 * smaller record: a missing shard, one given twice, one file in two runs. */
#ifndef COUPLET_REPORT_RECORD_MERGE_H
#define COUPLET_REPORT_RECORD_MERGE_H

#include "report/record/record.h"

/* A record as it was written by `--json`. */
struct merge_input {
  const char *path;      /* for messages */
  struct run_record run; /* emptied by merge_records */
};

/* Reads a file ("-": standard input). False: *why says what is wrong, with its place (xmalloc'd). */
bool merge_read(struct merge_input *input, const char *path, char **why);
/* Into `out`, which is empty. False: *why says what does not fit. */
bool merge_records(struct run_record *out, struct merge_input *inputs, size_t count, char **why);

#endif
