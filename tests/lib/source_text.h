/* Sources as strings: loaded, with the diagnostics shown when there should be none. */
#ifndef COUPLET_TESTS_SOURCE_TEXT_H
#define COUPLET_TESTS_SOURCE_TEXT_H

#include "lang/syntax/lang.h"
#include "run/eval/rvalue.h"
#include "testlib.h"

/* Prints the diagnostics so far, below the text they are about (or NULL). */
void show_diags(struct lang *lang, const char *text);
/* Fails the test, with the diagnostics, if there is an error among them. */
void expect_no_errors(struct lang *lang, const char *text);
/* Loads into `lang`, which is initialised; the test fails on errors. */
struct ast_module *load_valid_text(struct lang *lang, const char *text);
/* A rational as a value of the language. */
struct rvalue fraction(slong numerator, ulong denominator);

#endif
