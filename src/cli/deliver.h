/* How a record leaves the program: what verify and merge have in common. Text, JSON or Markdown on
 * standard output, other renderings into files, and the exit status. */
#ifndef COUPLET_CLI_DELIVER_H
#define COUPLET_CLI_DELIVER_H

#include "cli/cli.h"
#include "report/record/record.h"

struct delivery {
  bool json, markdown, strict, no_times;
  const char *sarif, *junit, *badge;
};

#define DELIVERY_OPTIONS(STRUCT, FIELD)                                                            \
  JSON_OPTION_IN(STRUCT, FIELD.json, "record"),                                                    \
      OPTION(STRUCT, FLAG, FIELD.markdown, "markdown", NULL,                                       \
             "print a summary as Markdown, for CI jobs"),                                          \
      OPTION(STRUCT, STRING, FIELD.sarif, "sarif", "FILE",                                         \
             "write the results as SARIF 2.1.0 for code scanning"),                                \
      OPTION(STRUCT, STRING, FIELD.junit, "junit", "FILE",                                         \
             "write the results as JUnit XML for test reporters"),                                 \
      OPTION(STRUCT, STRING, FIELD.badge, "badge", "FILE", "write a badge (SVG) for a README"),    \
      OPTION(STRUCT, FLAG, FIELD.strict, "strict", NULL,                                           \
             "claims that would say nothing (nothing private, ...) are bad input"),                \
      OPTION(STRUCT, FLAG, FIELD.no_times, "no-times", NULL,                                       \
             "all times are 0, so that equal results are equal texts")

/* Is the text printed file by file, or is something else printed at the end? */
bool delivery_is_text(const struct delivery *d);
/* Options that exclude each other; NULL: none. xmalloc'd. */
char *delivery_misuse(const struct delivery *d);

/* Writes the files, prints what is printed at the end (of a text: its last line) and returns the
 * exit status: that of the record, unless something could not be written. */
int deliver(const struct cli *cli, const struct command *self, const struct run_record *run,
            const struct delivery *d);

/* The page of `couplet report`, FOLDER/index.html; makes the folder. False: *why (xmalloc'd). */
bool page_write(const struct run_record *run, const char *folder, char **why);

#endif
