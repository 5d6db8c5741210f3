#include "search/refute/interpret.h"

#include <stdlib.h>
#include <string.h>

#include "run/sample/interp.h"
#include "search/refute/constants.h"

bool interpret_is_needed(const struct program_claim *claim) {
  bool needed = false;
  for (size_t i = 0; i < claim->module->decl_count; i++) {
    enum decl_kind kind = claim->module->decls[i]->kind;
    if (kind == DECL_ADVERSARY) return false;
    needed |= kind == DECL_TYPE || kind == DECL_OP;
  }
  return needed;
}

/* How an operator is explained: by which of its arguments, and how. */
struct choice {
  bool whole;       /* types are integers, not reals */
  unsigned variant; /* 0, 1, 2 */
  size_t number;    /* of the interpretation */
  slong far;        /* the largest integer that an axiom mentions; at least 2 */
};

static bool same_type(const struct ast_type *a, const struct ast_type *b) {
  return a->kind == TYPE_ABSTRACT && b->kind == TYPE_ABSTRACT && a->name.text == b->name.text;
}

/* A relation between two things of one type: close to each other, or always true. A property of one:
 * being positive, or none at all. */
static void put_relation(struct buffer *out, const struct ast_decl *op, const struct choice *c) {
  bool pair = op->as.op.arg_count >= 2 &&
              same_type(op->as.op.args[0]->declared, op->as.op.args[1]->declared);
  if (pair && c->variant < 2)
    buffer_printf(out, "abs(%s - %s) <= 1", op->as.op.args[0]->name.text,
                  op->as.op.args[1]->name.text);
  else if (op->as.op.arg_count == 1 && c->variant != 1)
    buffer_printf(out, "%s > 0", op->as.op.args[0]->name.text);
  else
    buffer_puts(out, "true");
}

/* The first argument of one of the kinds, or NULL. */
static const struct ast_var *first_of(const struct ast_decl *op, bool abstract) {
  for (size_t i = 0; i < op->as.op.arg_count; i++) {
    enum type_kind kind = op->as.op.args[i]->declared->kind;
    if (abstract ? kind == TYPE_ABSTRACT : kind == TYPE_INT) return op->as.op.args[i];
  }
  return NULL;
}

/* A number that depends on nothing abstract: a constant, the index, or one thing for even and another
 * for odd ones. */
static void put_constant(struct buffer *out, const struct ast_var *index, const struct choice *c) {
  const slong constants[INTERPRETATIONS] = {1, c->far, 0, -1, -c->far, 2};
  const char *i = index ? index->name.text : NULL;
  if (i && c->number == 3)
    buffer_puts(out, i);
  else if (i && (c->number == 2 || c->number == 4))
    buffer_printf(out, "if %s mod 2 = 0 then %s else %s", i, c->number == 2 ? "1" : "-1",
                  c->number == 2 ? "0" : "1");
  else
    buffer_printf(out, "%ld", (long)constants[c->number]);
}

/* A number: the abstract argument itself, its negative, or (with an index) one of both. */
static void put_number(struct buffer *out, const struct ast_decl *op, const struct choice *c) {
  const struct ast_var *thing = first_of(op, true), *index = first_of(op, false);
  bool rounds = thing && !c->whole && op->as.op.result->kind == TYPE_INT;
  const char *open = rounds ? "floor(" : "", *close = rounds ? ")" : "";
  if (!thing)
    put_constant(out, index, c);
  else if (index && c->variant == 1)
    buffer_printf(out, "if %s mod 2 = 0 then %s%s%s else -%s%s%s", index->name.text, open,
                  thing->name.text, close, open, thing->name.text, close);
  else
    buffer_printf(out, "%s%s%s%s", c->variant == 2 ? "-" : "", open, thing->name.text, close);
}

static bool put_operator(struct buffer *out, const struct ast_decl *op, const struct choice *c) {
  enum type_kind result = op->as.op.result->kind;
  if (result != TYPE_BOOL && result != TYPE_INT && result != TYPE_REAL) return false;
  buffer_printf(out, " op %s", op->name.text);
  for (size_t i = 0; i < op->as.op.arg_count; i++)
    buffer_printf(out, "%s%s", i ? ", " : "(", op->as.op.args[i]->name.text);
  buffer_puts(out, op->as.op.arg_count ? ") = " : " = ");
  if (result == TYPE_BOOL)
    put_relation(out, op, c);
  else
    put_number(out, op, c);
  buffer_putc(out, ';');
  return true;
}

static slong largest_of_axioms(const struct program_claim *claim) {
  slong largest = 2;
  number_list constants = {0};
  struct interp in;
  interp_init(&in, claim->lang, claim->module, claim->claim->as.claim.target);
  for (size_t i = 0; i < claim->module->decl_count; i++)
    if (claim->module->decls[i]->kind == DECL_AXIOM)
      constants_of(&constants, &in.ev, claim->module->decls[i]->as.formula);
  for (size_t i = 0; i < constants.len; i++)
    if (fmpz_is_one(fmpq_denref(&constants.at[i])) && fmpz_fits_si(fmpq_numref(&constants.at[i])) &&
        fmpz_cmp_si(fmpq_numref(&constants.at[i]), largest) > 0)
      largest = fmpz_get_si(fmpq_numref(&constants.at[i]));
  numbers_clear(&constants);
  interp_clear(&in);
  return largest;
}

char *interpret_text(const struct program_claim *claim, size_t k) {
  const struct choice c = {.whole = k % 2 == 0,
                           .variant = (unsigned)(k / 2),
                           .number = k,
                           .far = largest_of_axioms(claim)};
  struct buffer b;
  bool ok = true;
  buffer_init(&b);
  buffer_puts(&b, "instance interpretation {");
  for (size_t i = 0; ok && i < claim->module->decl_count; i++) {
    const struct ast_decl *d = claim->module->decls[i];
    if (d->kind == DECL_TYPE)
      buffer_printf(&b, " type %s = %s;", d->name.text, c.whole ? "int" : "real");
    if (d->kind == DECL_OP) ok = put_operator(&b, d, &c);
  }
  buffer_puts(&b, " }");
  if (ok) return buffer_take(&b);
  buffer_clear(&b);
  return NULL;
}
