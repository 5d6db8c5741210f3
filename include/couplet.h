/* Couplet: verification of differential privacy by probabilistic couplings. Public API.
 *
 * A context holds settings; a result holds everything that was found and outlives its context.
 * There are no globals: contexts in different threads do not meet. One context, or one result,
 * belongs to one thread at a time. Strings live as long as the object they were asked of; text
 * that has no value (a cost that was not found) is NULL. Only lack of memory ends the process.
 *
 *     cp_context *context = cp_context_new();
 *     cp_result *result = cp_verify_file(context, "svt.dp");
 *     for (size_t i = 0; i < cp_claim_count(result); i++)
 *       printf("%s: %s\n", cp_claim_name(result, i), cp_verdict_name(cp_claim_verdict(result, i)));
 *     cp_result_free(result);
 *     cp_context_free(context);
 *
 * Compile with `pkg-config --cflags --libs couplet`. */
#ifndef COUPLET_H
#define COUPLET_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define CP_API __attribute__((visibility("default")))
#else
#define CP_API
#endif

typedef struct cp_context cp_context;
typedef struct cp_result cp_result;

enum cp_verdict {
  CP_UNKNOWN = 0, /* nothing is certain; cp_claim_reason says why */
  CP_PROVED = 1,  /* a derivation was checked by the kernel, or a strategy by its checker */
  CP_REFUTED = 2, /* a counterexample was certified; see cp_json */
  CP_ADMITTED = 3 /* proved only with `admit` (no guarantee) or on the solver's word */
};

/* How a run ended: the same numbers as the exit status of the program. */
enum cp_status {
  CP_STATUS_PROVED = 0,    /* every claim proved; cp_check: every certificate valid */
  CP_STATUS_BAD_INPUT = 2, /* a file cannot be read or has errors; see cp_text */
  CP_STATUS_INTERNAL = 3,  /* a fault of the library; nothing is claimed */
  CP_STATUS_REFUTED = 10,  /* some claim refuted */
  CP_STATUS_UNKNOWN = 20,  /* none refuted, some unknown; cp_check: evidence rejected */
  CP_STATUS_ADMITTED = 30  /* proved only with `admit`, or on the solver's word */
};

/* Version of the library, "major.minor.patch". */
CP_API const char *cp_version(void);

/* A context with the settings of `couplet verify`: 60 s per call, 5 s of search per claim. */
CP_API cp_context *cp_context_new(void);
/* NULL is allowed. */
CP_API void cp_context_free(cp_context *context);
/* Frees what the arithmetic keeps for this thread. A thread that has used the library and ends
 * before the process does calls it last; without it some memory per thread is lost. */
CP_API void cp_thread_end(void);
/* Seconds for one call; what is undecided then is unknown. 0: no limit. The library stops by
 * itself at points where that is safe, so a call may take a little longer; use the program, which
 * runs each file in a process of its own, where a limit has to be exact. False: not a number >= 0,
 * and nothing changed. */
CP_API bool cp_set_timeout(cp_context *context, double seconds);
/* Seconds to look for a counterexample to one claim. False as above. */
CP_API bool cp_set_search(cp_context *context, double seconds);
/* Derivations in words in cp_json (field "explanation"). */
CP_API void cp_set_explain(cp_context *context, bool explain);

/* Proves or refutes every claim of a .dp or .dipa file. Never NULL: a file that cannot be read is
 * a result with CP_STATUS_BAD_INPUT. */
CP_API cp_result *cp_verify_file(cp_context *context, const char *path);
/* The same for text in memory. `name` stands for it in messages; if it ends in .dipa the text is
 * that of an automaton. Includes are looked up relative to `name`. */
CP_API cp_result *cp_verify_text(cp_context *context, const char *name, const char *text,
                                 size_t length);
/* Re-checks a certificate (`couplet verify --certificate`) against its source, without search.
 * The result has no claims: its status is the answer and cp_text the words. */
CP_API cp_result *cp_check_certificate(cp_context *context, const char *certificate,
                                       const char *source);
/* NULL is allowed. */
CP_API void cp_result_free(cp_result *result);

CP_API enum cp_status cp_result_status(const cp_result *result);
/* What the program prints: verdicts, then errors and warnings. */
CP_API const char *cp_text(cp_result *result);
/* The whole record as JSON (docs/json.md), or NULL for a result of cp_check_certificate. */
CP_API const char *cp_json(cp_result *result);

/* The claims, numbered from 0 in the order of the file. An index out of range gives NULL, and
 * CP_UNKNOWN. */
CP_API size_t cp_claim_count(const cp_result *result);
CP_API const char *cp_claim_name(const cp_result *result, size_t index);
CP_API enum cp_verdict cp_claim_verdict(const cp_result *result, size_t index);
/* The notion if it is not epsilon and delta: "zcdp", "gaussian", "renyi 2", "accuracy", ...; else
 * NULL. */
CP_API const char *cp_claim_notion(const cp_result *result, size_t index);
/* The claimed epsilon (rho, mu), as written; NULL for "private at some multiple of eps". */
CP_API const char *cp_claim_epsilon(const cp_result *result, size_t index);
/* The least cost that was established. */
CP_API const char *cp_claim_cost(const cp_result *result, size_t index);
/* A certified lower bound on the true cost. */
CP_API const char *cp_claim_lower(const cp_result *result, size_t index);
/* Why the verdict is unknown. */
CP_API const char *cp_claim_reason(const cp_result *result, size_t index);
/* Line of the claim in its file, from 1; 0: none. */
CP_API unsigned cp_claim_line(const cp_result *result, size_t index);

/* "unknown", "proved", "refuted" or "admitted"; NULL for any other number. */
CP_API const char *cp_verdict_name(enum cp_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
