/* Reading a certificate's JSON: every access says what it expects, and the first thing that is not
 * there ends the reading, with its place as a path (`claims[2].strategy.nodes[0].state`).
 *
 * Nothing is skipped: an object must have exactly the fields named, and a number or text has one
 * spelling only. */
#ifndef COUPLET_CHECK_CERTIFICATE_READER_H
#define COUPLET_CHECK_CERTIFICATE_READER_H

#include <flint/fmpq.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

struct reader {
  struct buffer place; /* of what is being read */
  const char *code;    /* of the first failure, NULL while there is none */
  char *why;
};

void reader_init(struct reader *r);
void reader_clear(struct reader *r);

/* Records the failure unless there is one already; always false. */
bool reader_fail(struct reader *r, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Goes to a part; the result takes reader_leave back. */
size_t reader_enter(struct reader *r, const char *field);
size_t reader_enter_item(struct reader *r, size_t index);
void reader_leave(struct reader *r, size_t mark);

/* Is it an object with these fields and no others? `fields` is separated by blanks. */
bool reader_object(struct reader *r, const json_t *json, const char *fields);
/* Fields of such an object. NULL or false: failed. */
const json_t *reader_array(struct reader *r, const json_t *object, const char *field);
const char *reader_text(struct reader *r, const json_t *object, const char *field);
/* Text or null; *text is NULL for null. */
bool reader_optional(struct reader *r, const json_t *object, const char *field, const char **text);
/* A number from 0 to limit - 1; `what` is what there are so many of. */
bool reader_number(struct reader *r, const json_t *json, size_t limit, const char *what,
                   uint32_t *out);
bool reader_field_number(struct reader *r, const json_t *object, const char *field, size_t limit,
                         const char *what, uint32_t *out);
/* A text that holds a fraction in lowest terms, `-5/4`, or an integer. */
bool reader_rational(struct reader *r, const json_t *json, fmpq_t out);
bool reader_field_rational(struct reader *r, const json_t *object, const char *field, fmpq_t out);
/* A text that holds an integer that is not negative. */
bool reader_natural(struct reader *r, const json_t *json, fmpz_t out);

#endif
