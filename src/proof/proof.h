/* Checks the proof of a claim: reads the proof text, drives the kernel along the program, and says
 * what came out. Nothing here is trusted: a verdict other than unknown is the kernel's. */
#ifndef COUPLET_PROOF_PROOF_H
#define COUPLET_PROOF_PROOF_H

#include "base/arena.h"
#include "base/vec.h"
#include "lang/lang.h"
#include "smt/smt.h"

enum proof_verdict { PROOF_UNKNOWN, PROOF_PROVED, PROOF_ADMITTED, PROOF_FALSE /* lemmas only */ };

struct proof_obligation {
  const char *rule, *what;
  const char *formula; /* as text */
  struct span span;
  bool proved;
  double seconds;
  const char *method; /* of the solver (smt/smt.h), a literal */
  bool cross_checked;
};

struct explanation;

struct proof_result {
  enum proof_verdict verdict;
  struct arena arena;   /* of everything below */
  const char *reason;   /* one sentence; NULL when proved */
  const char *rule;     /* the rule that failed, or NULL */
  const char *conjunct; /* the formula that has no proof, or NULL */
  const char *model;    /* values that falsify it, one per line, or NULL */
  struct span span;     /* where */
  bool is_malformed;    /* the text itself is wrong: no facts could make it a proof */
  /* the derivation of each direction in words (explain.h); NULL: there is none */
  const struct explanation *forward, *backward;
  struct proof_obligation *obligations;
  size_t obligation_count;
  term_id epsilon; /* what was to be proved; a term of the session it was checked in */
  double solver_seconds, total_seconds;
  double solver_cpu_seconds; /* CPU time in the solver, which a loaded machine does not change */
};

struct proof_options {
  struct smt_options smt;
  bool explain; /* fill in `forward` and `backward` */
};
struct proof_options proof_default_options(void);

/* The claim must have a proof, or be provable with the defaults alone. Errors in the proof text are
 * reported in lang->diags as well. */
void proof_check_claim(struct lang *lang, const struct ast_module *module,
                       const struct ast_decl *claim, const struct proof_options *options,
                       struct proof_result *out);
/* A lemma; its proof, if it has one, consists of `have` steps. PROOF_FALSE comes with a model. */
void proof_check_lemma(struct lang *lang, const struct ast_module *module,
                       const struct ast_decl *lemma, const struct proof_options *options,
                       struct proof_result *out);
void proof_result_clear(struct proof_result *result);

/* ---- many attempts at one claim -------------------------------------------------------------- */

/* Terms and answers of the solver are kept from one attempt to the next. Each attempt is a check
 * from nothing: the claim is opened anew and the proof read from its text. */
struct proof_session {
  struct lang *lang;
  const struct ast_module *module;
  const struct ast_decl *claim;
  struct proof_options options;
  struct terms *terms;
  struct smt *smt;
};

/* A proof that stands in no file. */
struct proof_text {
  const char *proof;   /* the braces and what is between them; NULL: the claim's own, or none */
  const char *epsilon; /* the cost to prove, as source text; NULL: the stated one */
};

void proof_session_init(struct proof_session *s, struct lang *lang, const struct ast_module *module,
                        const struct ast_decl *claim, const struct proof_options *options);
void proof_session_clear(struct proof_session *s);
/* What the kernel says to it. The text becomes a source of its own (places in `out` may point
 * there); mistakes in it are reported in lang->diags as well. */
void proof_session_check(struct proof_session *s, const struct proof_text *text,
                         struct proof_result *out);
/* `text` as an expression of the language; NULL (with a diagnostic) if it is none. */
struct ast_expr *proof_session_expr(struct proof_session *s, const char *text);

#endif
