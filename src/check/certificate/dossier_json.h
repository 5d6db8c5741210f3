/* Dossiers (check/proof/dossier.h) in certificates: the fields "terms" and "refutations". */
#ifndef COUPLET_CHECK_CERTIFICATE_DOSSIER_JSON_H
#define COUPLET_CHECK_CERTIFICATE_DOSSIER_JSON_H

#include "check/certificate/reader.h"
#include "check/proof/dossier.h"

/* The fields of a certificate. False with the failure in the reader. */
bool dossier_from_json(struct reader *r, const json_t *object, struct dossier *out);

#endif
