/* The record as JSON: the stable output of `verify --json` (docs/json.md), and what a worker
 * process sends to its parent. Writing and reading back gives the same record. */
#ifndef COUPLET_REPORT_RECORD_RECORD_JSON_H
#define COUPLET_REPORT_RECORD_RECORD_JSON_H

#include "report/record/record.h"

json_t *run_record_to_json(const struct run_record *run);
json_t *file_record_to_json(const struct file_record *file);
json_t *claim_record_to_json(const struct claim_record *claim);
struct claim_record claim_record_from_json(const json_t *json);
/* NULL when the JSON is not a file record. */
struct file_record *file_record_from_json(const json_t *json);
/* {"file", "line", "column", "end_line", "end_column"}, or null. */
json_t *record_place_json(const struct record_place *place);

#endif
