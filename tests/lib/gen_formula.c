#include "gen_formula.h"

#include <stdio.h>

#include "base/buffer.h"
#include "base/vec.h"

enum kind { KIND_BOOL, KIND_INT, KIND_REAL, KIND_LIST, KIND_PAIR };

struct gen {
  struct rng *rng;
  struct buffer out;
  VEC(const char *) ints;     /* bound variables in scope */
  VEC(const char *) indices;  /* those that run over the items of q */
  VEC(const char *) elements; /* those of the abstract type */
  VEC(const char *) truths;   /* truth values */
  bool covered;               /* inside a tag or shorthand: private inputs stand without tags */
  unsigned quantifiers;       /* around this place */
};

static unsigned below(struct gen *g, unsigned bound) {
  return (unsigned)rng_below(g->rng, bound);
}

static bool chance(struct gen *g, unsigned percent) {
  return below(g, 100) < percent;
}

#define put(g, ...) buffer_printf(&(g)->out, __VA_ARGS__)
#define pick(g, list) ((list).at[below(g, (unsigned)(list).len)])

static void expression(struct gen *g, enum kind kind, unsigned depth);

/* ---- leaves --------------------------------------------------------------------------------- */

/* A private input: in some run. */
static void private_input(struct gen *g, const char *name) {
  if (g->covered)
    put(g, "%s", name);
  else
    put(g, "%s<%u>", name, 1 + below(g, 2));
}

static void item_of(struct gen *g, const char *array, unsigned length, unsigned depth) {
  private_input(g, array);
  put(g, "[");
  if (length && chance(g, 85))
    put(g, "%u", below(g, length));
  else if (!length && g->indices.len && chance(g, 85))
    put(g, "%s", pick(g, g->indices));
  else
    expression(g, KIND_INT, depth ? depth - 1 : 0);
  put(g, "]");
}

static void element(struct gen *g) {
  if (g->elements.len && chance(g, 60))
    put(g, "%s", pick(g, g->elements));
  else
    private_input(g, "d");
}

static void leaf(struct gen *g, enum kind kind) {
  bool literal = chance(g, 25);
  switch (kind) {
  case KIND_BOOL:
    if (literal)
      put(g, chance(g, 50) ? "true" : "false");
    else if (g->truths.len && chance(g, 50))
      put(g, "%s", pick(g, g->truths));
    else if (chance(g, 50))
      put(g, "flag");
    else
      private_input(g, "b");
    break;
  case KIND_INT:
    if (literal)
      put(g, "%u", below(g, 4));
    else if (g->ints.len && chance(g, 60))
      put(g, "%s", pick(g, g->ints));
    else if (chance(g, 40))
      put(g, chance(g, 50) ? "n" : "t");
    else
      item_of(g, "k", 3, 0);
    break;
  case KIND_REAL:
    if (literal)
      put(g, "%u.%u", below(g, 3), 5 * below(g, 2));
    else if (g->indices.len && chance(g, 60))
      item_of(g, "q", 0, 0);
    else
      put(g, chance(g, 50) ? "eps" : "w[%u]", below(g, 2));
    break;
  case KIND_LIST:
    if (literal)
      put(g, "[%u, %u]", below(g, 3), below(g, 3));
    else
      private_input(g, "l");
    break;
  case KIND_PAIR:
    if (literal)
      put(g, "(%u, %u.5)", below(g, 3), below(g, 3));
    else
      private_input(g, "p");
    break;
  }
}

/* ---- compound terms ------------------------------------------------------------------------- */

static void binary(struct gen *g, enum kind left, const char *op, enum kind right, unsigned depth) {
  put(g, "(");
  expression(g, left, depth);
  put(g, " %s ", op);
  expression(g, right, depth);
  put(g, ")");
}

static void call(struct gen *g, const char *before, enum kind kind, const char *after,
                 unsigned depth) {
  put(g, "%s", before);
  expression(g, kind, depth);
  put(g, "%s", after);
}

static void integer(struct gen *g, unsigned depth) {
  static const char *const rounding[] = {"floor(", "ceil(", "round("};
  switch (below(g, 14)) {
  case 0: binary(g, KIND_INT, "+", KIND_INT, depth); break;
  case 1: binary(g, KIND_INT, "-", KIND_INT, depth); break;
  case 2: binary(g, KIND_INT, "*", KIND_INT, depth); break;
  case 3:
  case 4:
    call(g, "(", KIND_INT, chance(g, 50) ? " div " : " mod ", depth);
    if (chance(g, 80))
      put(g, chance(g, 50) ? "%u)" : "(-%u))", 1 + below(g, 3));
    else
      put(g, "n)"); /* may be 0 */
    break;
  case 5: call(g, rounding[below(g, 3)], KIND_REAL, ")", depth); break;
  case 6: call(g, "length(", KIND_LIST, ")", depth); break;
  case 7: call(g, "head(", KIND_LIST, ")", depth); break;
  case 8: call(g, "total(", KIND_LIST, ")", depth); break;
  case 9: call(g, "inc(", KIND_INT, ")", depth); break;
  case 10: call(g, "f(", KIND_INT, ")", depth); break;
  case 11:
    put(g, "size(");
    element(g);
    put(g, ")");
    break;
  case 12:
    if (chance(g, 50))
      call(g, "(-", KIND_INT, ")", depth);
    else
      call(g, "", KIND_PAIR, ".1", 0);
    break;
  default:
    private_input(g, "a");
    put(g, "[%u][%u]", below(g, 2), below(g, 3));
    break;
  }
}

static void real(struct gen *g, unsigned depth) {
  static const char *const inexact[] = {"exp(", "sqrt(abs(", "ln(1 + abs("};
  unsigned which = below(g, 3);
  switch (below(g, 12)) {
  case 0: binary(g, KIND_REAL, "+", KIND_REAL, depth); break;
  case 1: binary(g, KIND_REAL, "-", KIND_INT, depth); break;
  case 2: binary(g, KIND_INT, "*", KIND_REAL, depth); break;
  case 3: /* by what may be 0, but not so that the checker sees it */
    call(g, "(", KIND_REAL, " / (t - 1 + ", depth);
    call(g, "", chance(g, 50) ? KIND_REAL : KIND_INT, "))", depth);
    break;
  case 4: call(g, "(", KIND_REAL, ")^2", depth); break;
  case 5: call(g, "abs(", KIND_REAL, ")", depth); break;
  case 6:
    call(g, chance(g, 50) ? "min(" : "max(", KIND_REAL, ", ", depth);
    call(g, "", chance(g, 50) ? KIND_REAL : KIND_INT, ")", depth);
    break;
  case 7: call(g, "real(", KIND_INT, ")", depth); break;
  case 8:
    put(g, "pick(");
    private_input(g, "q");
    call(g, ", ", KIND_INT, ")", 0);
    break;
  case 9:
    call(g, "scaled(", KIND_PAIR, ", ", depth);
    call(g, "", KIND_REAL, ")", depth);
    break;
  case 10: call(g, "", KIND_PAIR, ".2", 0); break;
  default:
    if (chance(g, 70))
      item_of(g, "q", 0, depth);
    else
      call(g, inexact[which], KIND_REAL, which ? "))" : ")", 0);
    break;
  }
}

/* forall and exists over ranges that may be empty and speak of earlier binders. */
static void quantifier(struct gen *g, unsigned depth) {
  static const char *const names[] = {"i", "j", "x", "y", "z", "v", "u", "r", "s", "o"};
  size_t ints = g->ints.len, indices = g->indices.len, elements = g->elements.len,
         truths = g->truths.len;
  unsigned count = 1 + below(g, 3);
  put(g, "(%s ", chance(g, 60) ? "forall" : "exists");
  for (unsigned i = 0; i < count; i++) {
    const char *name = names[g->quantifiers++];
    put(g, "%s%s", i ? ", " : "", name);
    switch (below(g, 6)) {
    case 0:
      put(g, " : bool");
      vec_push(&g->truths, name);
      break;
    case 1:
      put(g, " : Db");
      vec_push(&g->elements, name);
      break;
    case 2:
    case 3:
      put(g, " in 0..n");
      vec_push(&g->ints, name);
      vec_push(&g->indices, name);
      break;
    default:
      call(g, " in ", KIND_INT, "..", 0);
      expression(g, KIND_INT, below(g, 2));
      vec_push(&g->ints, name);
      break;
    }
  }
  call(g, ". ", KIND_BOOL, ")", depth);
  g->quantifiers -= count;
  g->ints.len = ints;
  g->indices.len = indices;
  g->elements.len = elements;
  g->truths.len = truths;
}

static void shorthand(struct gen *g, unsigned depth) {
  static const char *const anything[] = {"same(q)", "same(p)", "same(l)",        "same(b)",
                                         "same(k)", "same(a)", "one_changes(k)", "one_changes(q)"};
  if (chance(g, 50)) {
    put(g, "%s", anything[below(g, 8)]);
    return;
  }
  g->covered = true;
  call(g, "within(", chance(g, 50) ? KIND_REAL : KIND_INT, ", ", depth);
  g->covered = false;
  call(g, "", chance(g, 50) ? KIND_REAL : KIND_INT, ")", 0);
}

static void boolean(struct gen *g, unsigned depth) {
  static const char *const connectives[] = {"and", "or", "->", "<->"};
  static const char *const orders[] = {"<", "<=", ">", ">=", "=", "!="};
  static const char *const about_q[] = {"all_within", "one_differs", "monotone", "all_increase",
                                        "all_decrease"};
  unsigned choice = below(g, 13);
  if ((choice == 7 || choice == 8) && (g->quantifiers > 6 || g->covered)) choice = 0;
  if ((choice == 9 || choice == 10) && g->covered) choice = 1;
  switch (choice) {
  case 0:
  case 1:
  case 2: binary(g, KIND_BOOL, connectives[below(g, 4)], KIND_BOOL, depth); break;
  case 3: call(g, "(not ", KIND_BOOL, ")", depth); break;
  case 4: binary(g, KIND_INT, orders[below(g, 6)], KIND_INT, depth); break;
  case 5:
    binary(g, KIND_REAL, orders[below(g, 6)], chance(g, 50) ? KIND_INT : KIND_REAL, depth);
    break;
  case 6:
    call(g, "(", KIND_INT, " <= ", depth);
    call(g, "", KIND_REAL, " < ", depth);
    call(g, "", KIND_INT, ")", depth);
    break;
  case 7:
  case 8: quantifier(g, depth); break;
  case 9:
    put(g, "%s(q, ", about_q[below(g, 5)]);
    call(g, "", chance(g, 50) ? KIND_REAL : KIND_INT, ")", 0);
    break;
  case 10: shorthand(g, depth); break;
  case 11:
    call(g, "between(", KIND_INT, ", ", 0);
    call(g, "", KIND_INT, ")", 0);
    break;
  default: {
    enum kind kind = chance(g, 50) ? KIND_PAIR : chance(g, 50) ? KIND_LIST : KIND_BOOL;
    binary(g, kind, chance(g, 50) ? "=" : "!=", kind, depth);
    break;
  }
  }
}

static void compound(struct gen *g, enum kind kind, unsigned depth) {
  switch (kind) {
  case KIND_BOOL: boolean(g, depth); break;
  case KIND_INT: integer(g, depth); break;
  case KIND_REAL: real(g, depth); break;
  case KIND_LIST:
    if (chance(g, 40))
      binary(g, KIND_INT, "::", KIND_LIST, depth);
    else if (chance(g, 40))
      binary(g, KIND_LIST, "++", KIND_LIST, depth);
    else
      call(g, "tail(0 :: ", KIND_LIST, ")", depth);
    break;
  case KIND_PAIR:
    call(g, "(", KIND_INT, ", ", depth);
    call(g, "", KIND_REAL, ")", depth);
    break;
  }
}

static void expression(struct gen *g, enum kind kind, unsigned depth) {
  if (depth == 0 || chance(g, 20)) {
    leaf(g, kind);
  } else if (!g->covered && kind != KIND_BOOL && chance(g, 15)) { /* a tag on the whole */
    g->covered = true;
    put(g, "(");
    compound(g, kind, depth - 1);
    put(g, ")<%u>", 1 + below(g, 2));
    g->covered = false;
  } else if (chance(g, 8)) {
    call(g, "(if ", KIND_BOOL, " then ", depth - 1);
    call(g, "", kind, " else ", depth - 1);
    call(g, "", kind, ")", depth - 1);
  } else {
    compound(g, kind, depth - 1);
  }
}

/* ---- the module ----------------------------------------------------------------------------- */

/* Names of arguments and binders are those of inputs and binders of the formula. */
static const char *const declarations =
    "type Db;\n"
    "param n : int, n >= 0;\n"
    "param eps : real;\n"
    "param flag : bool;\n"
    "param w : real[2];\n"
    "op f(i : int) : int;\n"
    "op size(d : Db) : int;\n"
    "let inc(t : int) : int = t + 1;\n"
    "let pick(q : real[], i : int) : real = q[i];\n"
    "let scaled(p : (int, real), q : real) : real = inc(p.1) * q - p.2;\n"
    "let total(l : list(int)) : int = length(l) + (if length(l) > 0 then head(l) else f(0));\n"
    "let between(i, j : int) : bool = exists k in i..j, b : bool, x in k..inc(k).\n"
    "  (b <-> k*x <= inc(i)) and inc(x) > i;\n";

static void put_int(struct gen *g, const char *after) {
  put(g, "%d%s", rng_range(g->rng, -2, 3), after);
}

static void put_real(struct gen *g, const char *after) {
  int halves = rng_range(g->rng, -4, 5);
  put(g, halves % 2 ? "%d/2%s" : "%d%s", halves % 2 ? halves : halves / 2, after);
}

static void put_items(struct gen *g, unsigned count, void (*item)(struct gen *, const char *)) {
  put(g, "[");
  for (unsigned i = 0; i < count; i++)
    item(g, i + 1 < count ? ", " : "");
  put(g, "]");
}

static void instance(struct gen *g, const char *name, unsigned n) {
  put(g, "instance %s {\n  param n = %u;\n  param eps = 3/2;\n  param flag = %s;\n", name, n,
      n % 2 ? "true" : "false");
  put(g, "  param w = [%u, 1/2];\n  type Db = int;\n  op f(i) = i*i - 2;\n  op size(d) = d + 1;\n",
      n);
  put(g, "  input q = ");
  put_items(g, n, put_real);
  put(g, ";\n  input k = ");
  put_items(g, 3, put_int);
  put(g, ";\n  input a = [");
  put_items(g, 3, put_int);
  put(g, ", ");
  put_items(g, 3, put_int);
  put(g, "];\n  input p = (");
  put_int(g, ", ");
  put_real(g, ");\n  input l = ");
  put_items(g, below(g, 3), put_int);
  put(g, ";\n  input b = %s;\n  input d = ", chance(g, 50) ? "true" : "false");
  put_int(g, ";\n  input t = 1;\n}\n");
}

char *gen_formula_text(struct rng *rng, unsigned depth, const char *formula) {
  struct gen g = {.rng = rng};
  buffer_init(&g.out);
  put(&g,
      "%smechanism m(private q : real[n], private k : int[3], private a : int[2][3],\n"
      "  private p : (int, real), private l : list(int), private b : bool, private d : Db,\n"
      "  t : int) returns int\n  adjacent ",
      declarations);
  if (formula)
    put(&g, "%s", formula);
  else
    boolean(&g, depth);
  put(&g, "\n{ return 0; }\nclaim private m epsilon 0;\n");
  unsigned n = below(&g, 4);
  bool same = chance(&g, 20);
  struct rng before = *rng;
  instance(&g, "first", n);
  if (same) *rng = before;
  instance(&g, "second", n);
  vec_clear(&g.ints);
  vec_clear(&g.indices);
  vec_clear(&g.elements);
  vec_clear(&g.truths);
  return buffer_take(&g.out);
}
