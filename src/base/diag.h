/* Diagnostics: everything we tell the user about their input.
 *
 * Producers report into a struct diags and go on; nobody prints. Front ends render the list as
 * text, JSON, SARIF or LSP. A diagnostic has a stable code (kebab-case, e.g. "type-mismatch"), one
 * sentence that says what was expected and what was found, an optional hint that says what to do,
 * and notes that point at related places. */
#ifndef COUPLET_BASE_DIAG_H
#define COUPLET_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/source.h"
#include "base/vec.h"

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

struct diag_note {
  struct span span;
  const char *message;
};

struct diag {
  enum severity severity;
  const char *code;
  struct span span;
  const char *message;
  const char *hint; /* or NULL */
  VEC(struct diag_note) notes;
};

struct diags {
  struct arena arena;
  VEC(struct diag) list;   /* in order of discovery; at most LIMIT_ERRORS errors */
  size_t errors, warnings; /* all that were reported, shown or not */
};

void diags_init(struct diags *diags);
void diags_clear(struct diags *diags);

/* `code` must be a string literal. */
void diag_error(struct diags *diags, struct span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_warning(struct diags *diags, struct span span, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Both belong to the diagnostic reported last; dropped when that one was. */
void diag_hint(struct diags *diags, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_note(struct diags *diags, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes back what was reported since the mark: for attempts whose failure is not the user's. */
struct diag_mark {
  size_t kept, errors, warnings;
};
struct diag_mark diags_mark(const struct diags *diags);
void diags_rollback(struct diags *diags, struct diag_mark mark);

/* Stable order: by file, then by offset; same place keeps order of discovery. */
void diags_sort(struct diags *diags);

struct diag_style {
  bool color;
};
/* One diagnostic as text: `path:line:column: error[code]: message`, the line, a caret range, hint
 * and notes. */
void diag_render(struct buffer *out, struct sources *sources, const struct diag *diag,
                 struct diag_style style);
/* All of them, and a last line with the count when some were not kept. */
void diags_render(struct buffer *out, struct sources *sources, const struct diags *diags,
                  struct diag_style style);

const char *severity_name(enum severity severity);

#endif
