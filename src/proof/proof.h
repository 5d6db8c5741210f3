/* Checks the proof of a claim: reads the proof text, drives the kernel along the program, and says
 * what came out. Nothing here is trusted: a verdict other than unknown is the kernel's. */
#ifndef COUPLET_PROOF_PROOF_H
#define COUPLET_PROOF_PROOF_H

#include "base/arena.h"
#include "base/vec.h"
#include "check/proof/dossier.h"
#include "kernel/decide.h"
#include "kernel/kernel.h"
#include "lang/syntax/lang.h"
#include "term/term.h"

enum proof_verdict {
  PROOF_UNKNOWN,
  PROOF_PROVED,
  PROOF_BELIEVED, /* but for entailments that were taken on the decider's word */
  PROOF_ADMITTED,
  PROOF_FALSE /* lemmas only, and on the decider's word */
};

struct proof_obligation {
  const char *rule, *what;
  const char *formula; /* as text */
  struct span span;
  bool proved;
  double seconds;
  const char *method; /* how it was decided (kernel.h), a literal */
  bool believed;
  size_t steps; /* of its refutation */
  bool cross_checked;
};

struct explanation;

struct proof_result {
  enum proof_verdict verdict;
  struct arena arena;   /* of everything below */
  const char *reason;   /* one sentence; NULL when proved */
  const char *rule;     /* the rule that failed, or NULL */
  const char *conjunct; /* the formula that has no proof, as text; or NULL */
  term_id formula;      /* the same: a term of the session it was checked in; or TERM_NONE */
  const char *model;    /* values that falsify it, one per line, or NULL */
  struct span span;     /* where */
  enum failure_cause cause;
  bool lacks_evidence; /* `conjunct` may well hold, but has no refutation that was accepted */
  bool is_malformed;   /* the text itself is wrong: no facts could make it a proof */
  const char *lost;    /* a step is about this name, which is never sampled; or NULL */
  struct span lost_span;
  /* the derivation of each direction in words (explain.h); NULL: there is none */
  const struct explanation *forward, *backward;
  struct proof_obligation *obligations;
  size_t obligation_count;
  term_id epsilon; /* what was to be proved; a term of the session it was checked in */
  double solver_seconds, total_seconds;
  double solver_cpu_seconds; /* CPU time in the solver, which a loaded machine does not change */
};

void proof_result_clear(struct proof_result *result);

/* ---- checking -------------------------------------------------------------------------------- */

/* Attempts at one claim. Terms are kept from one to the next, and the decider may keep answers; yet
 * each attempt is a check from nothing: the claim is opened anew and the proof read from its text.
 */
struct proof_session {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *claim; /* or a lemma */
  struct terms *terms;          /* of the caller */
  struct decider *decider;      /* of the caller: who answers for entailments */
  bool explain;                 /* fill in `forward` and `backward` */
  call_list *calls; /* or NULL: the calls of the kernel (check/proof/replay.h); none: they cannot be
                       said */
};

/* A proof that stands in no file. */
struct proof_text {
  const char *proof;   /* the braces and what is between them; NULL: the claim's own, or none */
  const char *epsilon; /* the cost to prove, as source text; NULL: the stated one */
};

/* What the kernel says to it. The claim must have a proof, or be provable with the defaults alone,
 * unless there is a text; this becomes a source of its own (places in `out` may point there).
 * Mistakes in proofs are reported in lang->diags as well. */
void proof_session_check(struct proof_session *s, const struct proof_text *text,
                         struct proof_result *out);
/* A lemma; its proof, if it has one, consists of `have` steps. PROOF_FALSE comes with a model. */
void proof_session_check_lemma(struct proof_session *s, struct proof_result *out);
/* `text` as an expression of the language; NULL (with a diagnostic) if it is none. */
struct ast_expr *proof_session_expr(struct proof_session *s, const char *text);

#endif
