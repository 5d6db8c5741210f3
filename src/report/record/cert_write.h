/* Making certificates: evidence as it comes out of the engines, in the form of
 * docs/certificates.md. Not part of what is trusted. */
#ifndef COUPLET_REPORT_RECORD_CERT_WRITE_H
#define COUPLET_REPORT_RECORD_CERT_WRITE_H

#include <jansson.h>

#include "check/automaton/strategy.h"
#include "check/counterexample/unbounded.h"
#include "report/record/record.h"
#include "search/refute/automaton_refute.h"
#include "search/refute/program_refute.h"

/* Each is one claim's certificate, still without its field "claim". */
json_t *cert_of_strategy(const struct automaton *a, const struct strategy *s);
/* `refuted`: an array of cert_refuted_cost, taken over. */
json_t *cert_of_automaton(const struct automaton *a, json_t *refuted);
/* The same, with the walk along which every cost is refuted: in class, with disjunctions. */
json_t *cert_of_walk(const struct automaton *a, json_t *refuted, const struct walk *walk,
                     const int8_t *delta);
json_t *cert_of_unbounded(const struct automaton *a, json_t *refuted, const struct walk *walk,
                          const struct unbounded *inputs);
json_t *cert_refuted_cost(const struct automaton_counterexample *ce);
/* NULL: some value of the counterexample cannot be written exactly. */
json_t *cert_of_program(const struct program_claim *claim, const struct program_counterexample *ce);

/* `epsilon`: what it shows, as source text; `evidence`: its dossier (dossier_json.h), taken over.
 * NULL: not UTF-8, or no evidence. */
json_t *cert_of_proof(const char *epsilon, json_t *evidence);
/* Of a finite claim, by computation. */
json_t *cert_of_finite(size_t pairs);
/* Of a lemma, by its dossier, which is taken over. */
json_t *cert_of_lemma(json_t *evidence);
json_t *cert_of_false_lemma(json_t *evidence);

/* Is it evidence for what the claim says? The other kinds are evidence against it. */
bool cert_supports_claim(const json_t *certificate);

/* The claim that a certificate is about: its number in the file, from 1, and how it reads. */
struct cert_claim {
  size_t number;
  const char *name, *subject, *notion, *epsilon, *delta;
};
/* Takes the certificate over. NULL: a name is not UTF-8, so that it cannot be written. */
json_t *cert_about(json_t *certificate, const struct cert_claim *claim);

/* The whole file, as text (xmalloc'd). `certificates` is an array; it is not consumed. */
char *cert_file(const char *source_digest, json_t *certificates);
/* The same for what a record has, which is taken out of it: evidence has a file of its own. NULL:
 * the file was not judged. */
char *cert_file_take(struct file_record *file);

#endif
