/* What a verdict was computed with: Couplet and the libraries it runs on. */
#ifndef COUPLET_REPORT_RECORD_VERSIONS_H
#define COUPLET_REPORT_RECORD_VERSIONS_H

#include <jansson.h>

/* {"couplet": "0.1.0", "z3": "4.8.12", ...}, of the libraries as loaded. */
json_t *versions_json(void);

#endif
