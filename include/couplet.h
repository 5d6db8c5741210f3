/* Couplet: verification of differential privacy by probabilistic couplings. Public API. */
#ifndef COUPLET_H
#define COUPLET_H

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library, "major.minor.patch". */
const char *cp_version(void);

#ifdef __cplusplus
}
#endif
#endif
