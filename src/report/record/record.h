/* The record of one run: what every rendering (text, JSON, SARIF, HTML, LSP) is made from.
 *
 * Plain data that owns its strings and points at nothing else, so it can cross a process boundary
 * as JSON (record_json.h) and outlive the sources it speaks of. A verdict other than unknown is set
 * only by the engines in report/judge/verify.c; everything here fails closed. */
#ifndef COUPLET_REPORT_RECORD_RECORD_H
#define COUPLET_REPORT_RECORD_RECORD_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/exit_codes.h"
#include "base/vec.h"
#include "report/record/shard.h"

enum verdict {
  VERDICT_UNKNOWN, /* first, so that a zeroed record claims nothing */
  VERDICT_PROVED,
  VERDICT_REFUTED,
  VERDICT_ADMITTED
};

enum claim_kind { CLAIM_PROGRAM, CLAIM_AUTOMATON, CLAIM_LEMMA };

/* Lines and columns count from 1; 0: no place. The end is exclusive. */
struct record_place {
  char *path;
  unsigned line, column, end_line, end_column;
};

struct record_note {
  struct record_place place;
  char *message;
};

struct record_diag {
  enum severity severity;
  char *code, *message, *hint; /* hint may be NULL */
  struct record_place place;
  char *text; /* as shown on a terminal without colours: with source line and carets */
  VEC(struct record_note) notes;
};

struct claim_record;
/* Is it a claim with `samples`? Its `epsilon` is the distribution then. */
bool claim_is_of_law(const struct claim_record *c);

/* Why a claim is unknown, for code; `reason` says it to people. Not part of any rendering. */
enum cause {
  CAUSE_ENDED = 1 << 0,         /* the search for a proof was ended before it had an answer */
  CAUSE_TIME = 1 << 1,          /* a search had not enough time */
  CAUSE_EXHAUSTED = 1 << 2,     /* the refuter knows no more inputs to try */
  CAUSE_BLOCK = 1 << 3,         /* the proof block fails */
  CAUSE_NEEDLESS = 1 << 4,      /* and without it the claim would be proved */
  CAUSE_ADVISED = 1 << 5,       /* the reason says what to try */
  CAUSE_PLACED = 1 << 6,        /* the reason names a place in the source */
  CAUSE_CONTRADICTION = 1 << 7, /* nothing satisfies the assumptions */
  CAUSE_NOISE = 1 << 8,         /* the parameters of noise may not make sense */
  CAUSE_LENGTH = 1 << 9         /* an array has no length that is known */
};

/* The reason of a claim that no engine has looked at. */
#define CLAIM_UNDECIDED "not decided yet"

struct claim_record {
  char *name;
  enum claim_kind kind;
  char *subject; /* the mechanism or automaton; NULL for a lemma */
  enum verdict verdict;
  /* "zcdp", "gaussian", "renyi" with its order, as written; "accuracy"; "samples"; NULL: epsilon and delta */
  char *notion;
  char *epsilon, *delta; /* the claim as written; NULL: "private at some multiple of eps" or pure */
  /* "accuracy": what fails with probability `epsilon` at most, as written; else NULL */
  char *formula;
  char *cost; /* least cost established, or NULL */
  /* Certified lower bound on the true cost, or NULL: a number times eps (automata), "N times the
   * claim", or "unbounded". */
  char *lower;
  char *reason;    /* one sentence; always set when the verdict is unknown */
  unsigned causes; /* of enum cause */
  double time_s;
  struct record_place place;
  struct record_place subject_place; /* of the mechanism or automaton */
  json_t *counterexample;            /* or NULL */
  json_t *detail;                    /* what the engine found besides: an object, or NULL */
  /* The evidence for `couplet check` (report/record/cert_write.h), when it was asked for and there is some. Goes
   * to a file of its own, not into any rendering. */
  json_t *certificate;
};

/* What every verdict on a file of another language is about (file_record.translated). */
#define ARITHMETIC_NOTE "the verdicts are about real numbers, not floating-point ones"

struct file_record {
  char *path;
  bool bad_input;       /* could not be read, or has errors: no claim was judged */
  char *stopped;        /* a limit ended the work before the claims were known; counts as unknown */
  char *internal_error; /* our fault: the worker died; NULL when it did not */
  VEC(struct record_diag) diags;
  size_t dropped_errors, dropped_warnings; /* beyond LIMIT_ERRORS */
  VEC(struct claim_record) claims;
  char *emitted;       /* the source with the proofs that were found (emit.h), or NULL */
  bool translated;     /* from another language: its floating-point numbers were read as reals */
  bool cached;         /* decided by an earlier run (cache.h); times are those of that run */
  char *source_digest; /* what certificates are bound to (check/certificate/source.h), or NULL */
  json_t *sources;     /* [{"path", "text"}], the file itself last; NULL: not asked for */
  json_t *basis;       /* what its claims assume (basis.h); NULL: not asked for */
};

struct run_record {
  VEC(struct file_record *) files; /* in the order of the command line */
  json_t *tools;                   /* what it was computed with (versions.h); NULL: not asked for */
  struct record_shard shard;       /* which part of a run it is */
};

void run_record_init(struct run_record *run);
void run_record_clear(struct run_record *run);
struct file_record *file_record_new(const char *path);
void file_record_free(struct file_record *file);
void claim_record_clear(struct claim_record *claim);
/* No engine has looked at it, or not to the end. */
bool claim_record_is_undecided(const struct claim_record *claim);
/* Obligations of an admitted claim that rest on the solver alone (judge_referee.h); 0: it is
 * admitted by `admit`. */
size_t claim_rests_on_solver(const struct claim_record *claim);

/* What `lower` says, as a number: its unit ("eps" or "claim"), or NULL when there is no number. */
const char *claim_lower_number(const struct claim_record *claim, double *number);
/* The claim is violated by any factor. */
bool claim_loses_without_bound(const struct claim_record *claim);

/* Removes the claims that are not of the shard, which is one by claims. */
void file_record_keep(struct file_record *file, const struct record_shard *shard);
/* Sets every time in it to 0, also those in `detail`, and forgets from which run they are. */
void file_record_drop_times(struct file_record *file);

/* Copies diagnostics out of a front end; sorts them by place. */
void file_record_take_diags(struct file_record *file, struct sources *sources, struct diags *diags);
struct record_place record_place(struct sources *sources, struct span span);
/* Takes back the warnings with this code that are about a line of this place. */
void file_record_drop_warnings(struct file_record *file, const char *code,
                               const struct record_place *where);

/* Replaces a string field. NULL is allowed; the value is copied. */
void record_set(char **field, const char *value);

const char *verdict_name(enum verdict verdict);
const char *claim_kind_name(enum claim_kind kind);
/* Worst first: internal error, bad input, refuted, unknown, admitted, proved. A file without a
 * single claim is bad input: there was nothing to verify. (Not in a shard: others have them.) */
enum couplet_exit run_record_exit(const struct run_record *run);

#endif
