/* Verification of one file: reads it, hands each claim to the engines, fills the record.
 *
 * In process and without output; workers.h runs it in child processes with limits. A claim starts
 * as unknown and becomes proved or refuted only through its engine's checker. */
#ifndef COUPLET_REPORT_JUDGE_VERIFY_H
#define COUPLET_REPORT_JUDGE_VERIFY_H

#include <signal.h>

#include "lang/syntax/ast.h"
#include "lang/translate/translate.h"
#include "report/record/record.h"

struct verify_options {
  double timeout;         /* seconds for the whole file; 0: no limit. Engines stop by themselves */
  double search;          /* seconds to look for a counterexample to one claim */
  const char *dump_smt;   /* folder for the obligations as SMT-LIB files, or NULL */
  const char *emit_proof; /* folder or file for the source with the proofs found, or NULL */
  bool cross_check;       /* ask cvc5 about every obligation too */
  bool trust_solver;      /* believe it where there is no refutation: admitted, not proved */
  bool explain;           /* put explanations of proofs into the record */
  bool pictures;          /* put SVG pictures into the record */
  bool basis;             /* put what the claims assume into the record (basis.h) */
  bool sources;           /* put the text of the sources into the record */
  bool distributions;     /* put both output distributions into counterexamples to programs */
  bool certificates;      /* keep the evidence for `couplet check` in the record */
  bool side_by_side;      /* prover and refuter in processes of their own: for worker processes */
  bool no_search; /* read and check only what is given: no search for proofs or counterexamples */
  bool digest;    /* put the digest of the sources into the record */
  /* Set by a signal handler (base/interrupt.h): the engines stop and report what they have. NULL:
   * never. */
  const volatile sig_atomic_t *interrupted;
  size_t only;       /* judge this claim only, by its number in the record from 1; 0: all */
  size_t stride;     /* and every stride-th after it; 0: no other */
  const char *cache; /* folder of earlier results (cache.h); NULL: not used */
  const struct translate_options *translation; /* for files of other languages, or NULL */
  source_overlay *overlay; /* text that stands for files (base/source.h), or NULL */
  void *overlay_context;
};

/* What `couplet verify` does unless told otherwise. */
struct verify_options verify_default_options(void);

/* Does the declaration make an entry in the record? */
bool verify_is_claim(const struct ast_decl *decl);

/* Called with the record as it stands whenever something was decided (and once after reading the
 * file, with every claim still unknown). May be NULL. */
typedef void verify_progress(void *context, const struct file_record *file);

struct file_record *verify_file(const char *path, const struct verify_options *options,
                                verify_progress *progress, void *context);
/* The same for text in memory that goes by the name of `path`. */
struct file_record *verify_text(const char *path, const char *text, size_t length,
                                const struct verify_options *options, verify_progress *progress,
                                void *context);

#endif
