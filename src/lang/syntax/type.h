/* Types of the Couplet language, hash-consed: equal types are the same pointer.
 *
 * Array types do not carry their length: it is a term over parameters, kept with the declaration
 * (struct ast_type). int widens to real implicitly; nothing else converts by itself, but a literal
 * beside a floating-point number is one. */
#ifndef COUPLET_LANG_SYNTAX_TYPE_H
#define COUPLET_LANG_SYNTAX_TYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/vec.h"

enum type_kind {
  TYPE_ERROR, /* already reported; compatible with everything, so that one mistake is one error */
  TYPE_UNIT,  /* result of a procedure that returns nothing */
  TYPE_BOOL,
  TYPE_INT,
  TYPE_REAL,
  TYPE_FLOAT,    /* IEEE binary64; its values are the finite numbers of the format */
  TYPE_FLOAT32,  /* binary32 */
  TYPE_ABSTRACT, /* `type Db;` */
  TYPE_ARRAY,    /* real[n] */
  TYPE_LIST,     /* list(int) */
  TYPE_TUPLE     /* (int, real): at least two items */
};

struct type {
  enum type_kind kind;
  const char *name;                /* abstract: interned name */
  const struct type *elem;         /* array, list; NULL in a list: element not known yet ([]) */
  const struct type *const *items; /* tuple */
  size_t count;                    /* tuple */
};

struct types {
  struct arena arena;
  const struct type **slots; /* hash table of the compound types made so far */
  size_t count, capacity;    /* capacity: 0 or a power of two */
  const struct type *error, *unit, *boolean, *integer, *real, *binary64, *binary32, *empty_list;
};

void types_init(struct types *types);
void types_clear(struct types *types);

/* `name` must be interned: abstract types are equal iff their names are. */
const struct type *type_abstract(struct types *types, const char *name);
const struct type *type_array(struct types *types, const struct type *elem);
const struct type *type_list(struct types *types, const struct type *elem);
const struct type *type_tuple(struct types *types, const struct type *const *items, size_t count);

/* May a value of type `from` stand where `to` is expected? (equality, int to real, [] to a list) */
bool type_accepts(const struct type *to, const struct type *from);
/* The same for a value that is given to an input: a list stands for an array. */
bool type_fits_input(const struct type *to, const struct type *from);
/* Least type that accepts both, or NULL. An error inside gives way to what the other one has. */
const struct type *type_join(struct types *types, const struct type *a, const struct type *b);
/* int and real: exact numbers. */
bool type_is_numeric(const struct type *type);
bool type_is_float(const struct type *type);
/* Is it a float, or made of some? */
bool type_has_float(const struct type *type);
bool type_is_option(const struct type *type); /* (bool, T) */
/* As written in a program; an array without its length: real[]. */
void type_print(struct buffer *out, const struct type *type);

#endif
