/* Evidence as JSON, for certificates: what check/certificate/ reads. */
#ifndef COUPLET_OUT_EVIDENCE_H
#define COUPLET_OUT_EVIDENCE_H

#include <jansson.h>

#include "check/automaton/strategy.h"
#include "check/proof/dossier.h"
#include "run/eval/rvalue.h"

json_t *rational_to_json(const fmpq_t value);
/* NULL if the value is not exact (a rounded or irrational number). */
json_t *value_to_json(const struct rvalue *value);
json_t *strategy_to_json(const struct strategy *s, const struct automaton *a);
/* An object with the fields "derivation", "terms" and "refutations". */
json_t *dossier_to_json(const struct dossier *d);

#endif
