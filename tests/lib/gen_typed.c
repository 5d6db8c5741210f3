#include "gen_typed.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/vec.h"

enum kind { KIND_BOOL, KIND_INT, KIND_REAL, KIND_LIST, KIND_PAIR, KIND_COUNT };

static const char *const kind_text[] = {"bool", "int", "real", "list(int)", "(int, real)"};

struct variable {
  char name[8];
  enum kind kind;
  bool is_constant; /* loop index, input: cannot be assigned */
};

struct gen {
  struct rng *rng;
  struct buffer out;
  VEC(struct variable) scope; /* certainly assigned here */
  unsigned names, indent;
  const char *index; /* innermost loop over 0..n, so that q[index] is an item; or NULL */
  enum kind emits, returns;
};

static unsigned below(struct gen *g, unsigned bound) {
  return (unsigned)rng_below(g->rng, bound);
}

static bool chance(struct gen *g, unsigned percent) {
  return below(g, 100) < percent;
}

#define put(g, ...) buffer_printf(&(g)->out, __VA_ARGS__)

static void line(struct gen *g) {
  buffer_putc(&g->out, '\n');
  buffer_fill(&g->out, ' ', 2 * g->indent);
}

/* ---- expressions ---------------------------------------------------------------------------- */

static void expression(struct gen *g, enum kind kind, unsigned depth);

/* A variable of that kind, or NULL; `to_assign` leaves out those that are constant. */
static const struct variable *pick(struct gen *g, enum kind kind, bool to_assign) {
  size_t fitting = 0;
  const struct variable *chosen = NULL;
  for (size_t i = 0; i < g->scope.len; i++) {
    const struct variable *v = &g->scope.at[i];
    if (v->kind != kind || (to_assign && v->is_constant)) continue;
    if (rng_below(g->rng, ++fitting) == 0) chosen = v;
  }
  return chosen;
}

static void literal(struct gen *g, enum kind kind) {
  switch (kind) {
  case KIND_BOOL: put(g, "%s", chance(g, 50) ? "true" : "false"); break;
  case KIND_INT: put(g, "%u", below(g, 10)); break;
  case KIND_REAL: put(g, "%u.%u", below(g, 10), below(g, 100)); break;
  case KIND_LIST: put(g, "[%u, %u]", below(g, 10), below(g, 10)); break;
  default: put(g, "(%u, %u.5)", below(g, 10), below(g, 10)); break;
  }
}

static void binary(struct gen *g, enum kind kind, const char *op, unsigned depth) {
  put(g, "(");
  expression(g, kind, depth);
  put(g, " %s ", op);
  expression(g, kind, depth);
  put(g, ")");
}

static void boolean(struct gen *g, unsigned depth) {
  static const char *const connectives[] = {"and", "or", "->", "<->"};
  static const char *const comparisons[] = {"=", "!=", "<", "<=", ">", ">="};
  switch (below(g, 4)) {
  case 0: binary(g, KIND_BOOL, connectives[below(g, 4)], depth); break;
  case 1:
    put(g, "not ");
    binary(g, KIND_INT, "<", depth);
    break;
  case 2:
    put(g, "(");
    expression(g, KIND_REAL, depth);
    put(g, " <= ");
    expression(g, KIND_REAL, depth);
    put(g, " < ");
    expression(g, KIND_INT, depth);
    put(g, ")");
    break;
  default: binary(g, chance(g, 50) ? KIND_INT : KIND_REAL, comparisons[below(g, 6)], depth); break;
  }
}

static void call1(struct gen *g, const char *name, const char *before, enum kind kind,
                  const char *after, unsigned depth) {
  put(g, "%s(%s", name, before);
  expression(g, kind, depth);
  put(g, "%s)", after);
}

static void integer(struct gen *g, unsigned depth) {
  static const char *const rounding[] = {"floor", "ceil", "round"};
  switch (below(g, 8)) {
  case 0: binary(g, KIND_INT, "+", depth); break;
  case 1: binary(g, KIND_INT, "-", depth); break;
  case 2:
    put(g, "(");
    expression(g, KIND_INT, depth);
    put(g, " %s %u)", chance(g, 50) ? "div" : "mod", 1 + below(g, 5));
    break;
  case 3: call1(g, rounding[below(g, 3)], "", KIND_REAL, "", depth); break;
  case 4: call1(g, "length", "", KIND_LIST, "", depth); break;
  case 5: call1(g, "head", "", KIND_INT, " :: [0]", 0); break;
  case 6: call1(g, "twice", "", KIND_INT, "", depth); break;
  default:
    put(g, "-(");
    expression(g, KIND_INT, depth);
    put(g, " mod 7)^2");
    break;
  }
}

static void real(struct gen *g, unsigned depth) {
  switch (below(g, 9)) {
  case 0: binary(g, KIND_REAL, "+", depth); break;
  case 1: binary(g, KIND_REAL, "-", depth); break;
  case 2:
    put(g, "%u * ", below(g, 4));
    expression(g, KIND_REAL, depth);
    break;
  case 3:
    expression(g, KIND_REAL, depth);
    put(g, " / (%u + eps)", below(g, 3));
    break;
  case 4: call1(g, "ln", "1 + abs(", KIND_REAL, ")", depth); break;
  case 5: call1(g, "sqrt", "abs(", KIND_REAL, ")", depth); break;
  case 6: call1(g, "exp", "-abs(", KIND_REAL, ")", depth); break;
  case 7:
    put(g, "%s(", chance(g, 50) ? "min" : "max");
    expression(g, KIND_REAL, depth);
    put(g, ", ");
    expression(g, KIND_INT, depth);
    put(g, ")");
    break;
  default: call1(g, "real", "", KIND_INT, "", depth); break;
  }
}

static void compound(struct gen *g, enum kind kind, unsigned depth) {
  switch (kind) {
  case KIND_BOOL: boolean(g, depth); break;
  case KIND_INT: integer(g, depth); break;
  case KIND_REAL: real(g, depth); break;
  case KIND_LIST:
    if (chance(g, 30)) {
      binary(g, KIND_LIST, "++", depth);
    } else if (chance(g, 30)) {
      call1(g, "tail", "0 :: ", KIND_LIST, "", depth);
    } else {
      put(g, "(");
      expression(g, KIND_INT, depth);
      put(g, " :: ");
      expression(g, KIND_LIST, depth);
      put(g, ")");
    }
    break;
  default:
    put(g, "(");
    expression(g, KIND_INT, depth);
    put(g, ", ");
    expression(g, KIND_REAL, depth);
    put(g, ")");
    break;
  }
}

static bool part_of_pair(struct gen *g, enum kind kind) {
  const struct variable *v = pick(g, KIND_PAIR, false);
  if (!v || (kind != KIND_INT && kind != KIND_REAL)) return false;
  put(g, "%s.%d", v->name, kind == KIND_INT ? 1 : 2);
  return true;
}

static void expression(struct gen *g, enum kind kind, unsigned depth) {
  if (depth == 0 || chance(g, 35)) {
    const struct variable *v = chance(g, 70) ? pick(g, kind, false) : NULL;
    if (kind == KIND_REAL && g->index && chance(g, 40))
      put(g, "q[%s]", g->index);
    else if (v)
      put(g, "%s", v->name);
    else if (!chance(g, 20) || !part_of_pair(g, kind))
      literal(g, kind);
    return;
  }
  if (chance(g, 10)) {
    put(g, "(if ");
    expression(g, KIND_BOOL, depth - 1);
    put(g, " then ");
    expression(g, kind, depth - 1);
    put(g, " else ");
    expression(g, kind, depth - 1);
    put(g, ")");
    return;
  }
  compound(g, kind, depth - 1);
}

/* ---- statements ----------------------------------------------------------------------------- */

static void statements(struct gen *g, unsigned count, unsigned depth);

static struct variable fresh(struct gen *g, enum kind kind) {
  struct variable v = {.kind = kind};
  snprintf(v.name, sizeof v.name, "v%u", g->names++ % 10000);
  return v;
}

/* A new variable, or now and then one that is there already. Returns what to bring into scope. */
static bool target(struct gen *g, enum kind kind, struct variable *v) {
  const struct variable *old = chance(g, 40) ? pick(g, kind, true) : NULL;
  *v = old ? *old : fresh(g, kind);
  return !old;
}

static void assignment(struct gen *g, enum kind kind) {
  struct variable v;
  bool is_new = target(g, kind, &v);
  line(g);
  if (is_new && (kind == KIND_LIST || chance(g, 50)))
    put(g, "var %s : %s := ", v.name, kind_text[kind]);
  else
    put(g, "%s := ", v.name);
  expression(g, kind, 3);
  put(g, ";");
  if (is_new) vec_push(&g->scope, v);
}

static void sampling(struct gen *g) {
  static const char *const scales[] = {"1/eps", "2/eps", "4*k/eps", "0.5", "c"};
  static const struct {
    const char *name;
    enum kind kind;
  } dists[] = {{"Lap", KIND_REAL}, {"DLap", KIND_INT},   {"Exp", KIND_REAL},
               {"Geom", KIND_INT}, {"Gauss", KIND_REAL}, {"DGauss", KIND_INT}};
  unsigned d = below(g, 10);
  struct variable v;
  bool is_new = target(g,
                       d < 6    ? dists[d].kind
                       : d == 6 ? KIND_REAL
                       : d == 7 ? KIND_BOOL
                                : KIND_INT,
                       &v);
  line(g);
  put(g, "%s <$ ", v.name);
  if (d < 6) {
    put(g, "%s(", dists[d].name);
    expression(g, dists[d].kind, 2);
    put(g, ", %s)", scales[below(g, 5)]);
  } else if (d == 6) {
    put(g, "Uniform(%u, %u)", below(g, 3), 3 + below(g, 3));
  } else if (d == 7) {
    put(g, "Bernoulli(%s)", chance(g, 50) ? "1/3" : "exp(-eps)");
  } else if (d == 8) {
    put(g, "UniformInt(-%u, %u)", below(g, 4), below(g, 4));
  } else {
    put(g, "Uniform{%u, %u, k}", below(g, 4), below(g, 4));
  }
  put(g, ";");
  if (is_new) vec_push(&g->scope, v);
}

static void block(struct gen *g, unsigned depth) {
  size_t visible = g->scope.len;
  put(g, "{");
  g->indent++;
  statements(g, 1 + below(g, 3), depth);
  g->indent--;
  line(g);
  put(g, "}");
  g->scope.len = visible; /* what the block assigned may not be assigned after it */
}

static void branch(struct gen *g, unsigned depth) {
  line(g);
  put(g, "if ");
  expression(g, KIND_BOOL, 2);
  put(g, " ");
  block(g, depth);
  if (chance(g, 30)) {
    put(g, " else if ");
    expression(g, KIND_BOOL, 2);
    put(g, " ");
    block(g, depth);
  }
  if (chance(g, 50)) {
    put(g, " else ");
    block(g, depth);
  }
}

static void range(struct gen *g, unsigned depth) {
  struct variable v = fresh(g, KIND_INT);
  const char *outer = g->index;
  bool over_array = chance(g, 60);
  v.is_constant = true;
  line(g);
  put(g, "for %s in 0..%s ", v.name, over_array ? "n" : "2");
  vec_push(&g->scope, v);
  if (over_array) g->index = v.name;
  block(g, depth);
  g->index = outer;
  g->scope.len--;
}

/* Runs at most three times; a noisy test may end it earlier. */
static void counted_loop(struct gen *g, unsigned depth) {
  struct variable count = fresh(g, KIND_INT), noise = fresh(g, KIND_REAL);
  count.is_constant = true;
  line(g);
  put(g, "%s := 0;", count.name);
  line(g);
  put(g, "%s <$ Lap(T, 1/eps);", noise.name);
  line(g);
  put(g, "while %s < 3 and %s >= -5 {", count.name, noise.name);
  vec_push(&g->scope, count);
  size_t visible = g->scope.len;
  g->indent++;
  statements(g, 1 + below(g, 3), depth);
  line(g);
  put(g, "%s <$ Lap(q[0], 2/eps);", noise.name);
  line(g);
  put(g, "%s := %s + 1;", count.name, count.name);
  g->indent--;
  line(g);
  put(g, "}");
  g->scope.len = visible;
}

static void call(struct gen *g) {
  struct variable v = fresh(g, chance(g, 50) ? KIND_REAL : KIND_INT);
  line(g);
  put(g, "%s := %s(", v.name, v.kind == KIND_REAL ? "blur" : "ask");
  if (v.kind == KIND_REAL)
    expression(g, KIND_REAL, 2);
  else
    literal(g, KIND_LIST); /* an adversary sees public data only */
  put(g, ");");
  vec_push(&g->scope, v);
}

static void unpack(struct gen *g) {
  struct variable a = fresh(g, KIND_INT), b = fresh(g, KIND_REAL);
  line(g);
  put(g, "(%s, %s) := ", a.name, b.name);
  expression(g, KIND_PAIR, 2);
  put(g, ";");
  vec_push(&g->scope, a);
  vec_push(&g->scope, b);
}

static void array(struct gen *g) {
  char name[8];
  snprintf(name, sizeof name, "a%u", g->names++ % 10000);
  line(g);
  put(g, "var %s : real[3];", name);
  line(g);
  put(g, "%s[%u] <$ Lap(", name, below(g, 3));
  expression(g, KIND_REAL, 1);
  put(g, ", 1/eps);");
  struct variable v = fresh(g, KIND_REAL);
  line(g);
  put(g, "%s := %s[%u];", v.name, name, below(g, 3));
  vec_push(&g->scope, v);
}

static void statement(struct gen *g, unsigned depth) {
  unsigned choice = below(g, depth ? 14 : 10);
  if (choice < 4) {
    assignment(g, (enum kind)below(g, KIND_COUNT));
  } else if (choice < 6) {
    sampling(g);
  } else if (choice == 6) {
    line(g);
    put(g, "emit ");
    expression(g, g->emits, 2);
    put(g, ";");
  } else if (choice == 7) {
    call(g);
  } else if (choice == 8) {
    unpack(g);
  } else if (choice == 9) {
    array(g);
  } else if (choice < 12) {
    branch(g, depth - 1);
  } else if (choice == 12) {
    range(g, depth - 1);
  } else {
    counted_loop(g, depth - 1);
  }
}

static void statements(struct gen *g, unsigned count, unsigned depth) {
  for (unsigned i = 0; i < count; i++)
    statement(g, depth);
}

/* ---- the module ----------------------------------------------------------------------------- */

static const char *const declarations =
    "type Db;\n"
    "param eps : real, eps > 0;\n"
    "param n, k : int, n >= 1, 1 <= k;\n"
    "let c = 3/2;\n"
    "let twice(x : int) : int = 2*x;\n"
    "op size(d : Db) : int;\n"
    "axiom size_positive: forall d : Db. size(d) >= 0;\n"
    "adversary ask(l : list(int)) : int;\n"
    "procedure blur(x : real) : real {\n  y <$ Lap(x, 1/eps);\n  return y;\n}\n";

static const char *const instance =
    "instance small {\n  param eps = 1/2;\n  param n = 3;\n  param k = 2;\n  type Db = list(int);\n"
    "  op size(d) = length(d);\n  adversary ask(l) {\n    state calls : int := 0;\n"
    "    calls := calls + length(l);\n    return calls;\n  }\n"
    "  input q = [0, 1.5, -2];\n  input d = [1, 2];\n  input T = 1;\n}\n";

static void bring_in(struct gen *g, const char *name, enum kind kind) {
  struct variable v = {.kind = kind, .is_constant = true};
  snprintf(v.name, sizeof v.name, "%s", name);
  vec_push(&g->scope, v);
}

char *gen_typed_text(struct rng *rng, unsigned size) {
  static const char *const adjacent[] = {"all_within(q, 1)", "one_differs(q, 1)", "monotone(q, 1)",
                                         "all_increase(q, 1)"};
  struct gen g = {.rng = rng};
  buffer_init(&g.out);
  g.emits = (enum kind)below(&g, KIND_COUNT);
  g.returns = (enum kind)below(&g, KIND_COUNT);
  put(&g, "%smechanism m(private q : real[n], private d : Db, T : real) emits %s returns %s\n",
      declarations, kind_text[g.emits], kind_text[g.returns]);
  put(&g, "  adjacent %s and abs(size(d<1>) - size(d<2>)) <= 1\n  requires T >= 0\n{",
      adjacent[below(&g, 4)]);
  g.indent = 1;
  bring_in(&g, "T", KIND_REAL);
  bring_in(&g, "eps", KIND_REAL);
  bring_in(&g, "c", KIND_REAL);
  bring_in(&g, "k", KIND_INT);
  bring_in(&g, "n", KIND_INT);
  bring_in(&g, "size(d)", KIND_INT);
  statements(&g, size, 2);
  line(&g);
  put(&g, "return ");
  expression(&g, g.returns, 2);
  put(&g, ";\n}\nclaim private m epsilon %u*eps;\n", 1 + below(&g, 9));
  put(&g,
      "claim approximate: private m epsilon eps delta 1e-6 under all_within(q, 1) and same(d);\n");
  put(&g, "%s", instance);
  vec_clear(&g.scope);
  return buffer_take(&g.out);
}
