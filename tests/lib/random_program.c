#include "random_program.h"

#include <stdlib.h>

#include "choices.h"
#include "run/eval/number.h"
#include "run/sample/interp.h"
#include "run/sample/noise.h"
#include "testlib.h"

/* ---- programs ------------------------------------------------------------------------------- */

struct gen {
  struct rng rng;
  struct buffer text;
  bool real_noise;
  unsigned loops; /* so far: names of the indices */
};

static unsigned below(struct gen *g, unsigned n) {
  return (unsigned)rng_below(&g->rng, n);
}

static void put(struct gen *g, const char *text) {
  buffer_puts(&g->text, text);
}

static const char *const ints[] = {"a", "b", "c", "t[0]", "t[1]", "x"};
static const char *const reals[] = {"u", "v", "a", "x"};
static const char *const orders[] = {"<", "<=", ">", ">=", "=", "!="};

/* What makes an engine try values one by one, or round. */
static void put_nonlinear(struct gen *g) {
  unsigned kind = below(g, g->real_noise ? 5 : 4);
  const char *one = ints[below(g, 6)], *other = ints[below(g, 6)];
  switch (kind) {
  case 0: buffer_printf(&g->text, "(%s mod %u)", one, 2 + below(g, 2)); break;
  case 1: buffer_printf(&g->text, "(%s div 2)", one); break;
  case 2: buffer_printf(&g->text, "(%s*%s mod 4)", one, other); break;
  case 3: buffer_printf(&g->text, "t[%s mod 2]", one); break;
  default:
    buffer_printf(&g->text, "%s(%s/%u)", (const char *[]){"floor", "ceil", "round"}[below(g, 3)],
                  reals[below(g, 4)], 1 + below(g, 2));
  }
}

static void put_int(struct gen *g) {
  switch (below(g, 6)) {
  case 0: buffer_printf(&g->text, "%d", rng_range(&g->rng, -2, 2)); break;
  case 1: buffer_printf(&g->text, "(%s + %s)", ints[below(g, 6)], ints[below(g, 6)]); break;
  case 2:
    buffer_printf(&g->text, "(%s - %d*%s)", ints[below(g, 6)], 1 + (int)below(g, 2),
                  ints[below(g, 6)]);
    break;
  case 3:
    buffer_printf(&g->text, "(if %s > %s then %s else %d)", ints[below(g, 6)], ints[below(g, 6)],
                  ints[below(g, 6)], rng_range(&g->rng, -1, 1));
    break;
  case 4: put_nonlinear(g); break;
  default: put(g, ints[below(g, 6)]);
  }
}

static void put_real(struct gen *g) {
  if (below(g, 3) == 0)
    buffer_printf(&g->text, "(%s + %d/2)", reals[below(g, 4)], rng_range(&g->rng, -3, 3));
  else
    put(g, reals[below(g, 4)]);
}

static void put_condition(struct gen *g) {
  unsigned kind = below(g, g->real_noise ? 6 : 4);
  if (kind == 0) {
    put(g, below(g, 2) ? "f" : "not h");
  } else if (kind <= 2) {
    put_int(g);
    buffer_printf(&g->text, " %s ", orders[below(g, 6)]);
    put_int(g);
  } else if (kind == 3) {
    put(g, "f and ");
    put_int(g);
    buffer_printf(&g->text, " %s %s/2", orders[below(g, 4)], below(g, 2) ? "1" : "-3");
  } else {
    put_real(g);
    buffer_printf(&g->text, " %s ", orders[below(g, 4)]);
    put_real(g);
  }
}

static void put_sample(struct gen *g) {
  const char *target = ints[below(g, 5)];
  unsigned kind = below(g, g->real_noise ? 9 : 5);
  switch (kind) {
  case 0:
    buffer_printf(&g->text, "%s <$ Bernoulli(%u/5);\n", below(g, 2) ? "f" : "h", below(g, 6));
    break;
  case 1:
  case 2:
    buffer_printf(&g->text, "%s <$ UniformInt(%d, %d);\n", target, rng_range(&g->rng, -1, 0),
                  rng_range(&g->rng, 1, 2));
    break;
  case 3:
    buffer_printf(&g->text, "%s <$ Uniform{", target);
    put_int(g);
    put(g, ", ");
    put_int(g);
    put(g, "};\n");
    break;
  case 4: buffer_printf(&g->text, "%s := draw(%s);\n", target, ints[below(g, 6)]); break;
  case 5:
    buffer_printf(&g->text, "%s <$ %s(%s, 1/2);\n", target, below(g, 2) ? "DLap" : "Geom",
                  ints[below(g, 6)]);
    break;
  default:
    buffer_printf(&g->text, "%s <$ %s(%s, %u/2);\n", below(g, 2) ? "u" : "v",
                  below(g, 3) ? "Lap" : "Exp", reals[below(g, 4)], 1 + below(g, 3));
  }
}

static void put_block(struct gen *g, unsigned depth, unsigned most);

static void put_statement(struct gen *g, unsigned depth) {
  unsigned kind = below(g, depth ? 14 : 9), name = kind >= 12 ? g->loops++ : 0;
  switch (kind) {
  case 0:
  case 1:
  case 2:
  case 3: put_sample(g); break;
  case 4:
  case 5:
    buffer_printf(&g->text, "%s := ", ints[below(g, 5)]);
    put_int(g);
    put(g, ";\n");
    break;
  case 6:
    buffer_printf(&g->text, "%s := ", below(g, 2) ? "f" : "h");
    put_condition(g);
    put(g, ";\n");
    break;
  case 7: put(g, below(g, 2) ? "(a, b) := (b, a + c);\n" : "(c, t[1]) := (t[1], c);\n"); break;
  case 8:
    put(g, "emit ");
    put_int(g);
    put(g, ";\n");
    break;
  case 9:
  case 10:
  case 11:
    put(g, "if ");
    put_condition(g);
    put(g, " {\n");
    put_block(g, depth - 1, 2);
    if (below(g, 6) == 0) put(g, "return (b, f);\n");
    put(g, "}");
    if (below(g, 2)) {
      put(g, " else {\n");
      put_block(g, depth - 1, 2);
      put(g, "}");
    }
    put(g, "\n");
    break;
  case 12:
    buffer_printf(&g->text, "for i%u in 0..2 {\n", name);
    put_block(g, depth - 1, 2);
    buffer_printf(&g->text, "t[i%u] := ", name);
    put_int(g);
    put(g, ";\n}\n");
    break;
  default:
    buffer_printf(&g->text, "w%u := 0;\nwhile w%u < 2 {\nw%u := w%u + 1;\n", name, name, name,
                  name);
    put_block(g, depth - 1, 2);
    put(g, "}\n");
  }
}

static void put_block(struct gen *g, unsigned depth, unsigned most) {
  put(g, "skip;\n");
  for (unsigned i = 1 + below(g, most); i > 0; i--)
    put_statement(g, depth);
}

char *random_program(uint64_t seed, bool real_noise, const char *epsilon) {
  struct gen g = {.rng = rng_seeded(seed), .real_noise = real_noise};
  buffer_init(&g.text);
  put(&g, "procedure draw(k : int) : int {\n"
          "  z <$ UniformInt(0, 1); if z = 1 { return k; } return z - k; }\n");
  put(&g, epsilon ? "mechanism m(private x : int) emits int returns (int, bool)\n"
                    "  adjacent within(x, 1) {\n"
                  : "mechanism m(x : int) emits int returns (int, bool) {\n");
  put(&g, "var t : int[2]; a := 0; b := 1; c := x; f := true; h := false;\n"
          "var u : real := 0; var v : real := 1;\n");
  put_block(&g, 2, 10);
  put(&g, real_noise ? "return (if u > v then 1 else 0, f); }\n"
                     : "return (a + 3*b + 9*c, f or h); }\n");
  buffer_printf(&g.text, "instance i { input x = %d; }\n", rng_range(&g.rng, -1, 1));
  if (epsilon) buffer_printf(&g.text, "claim private m epsilon %s;\n", epsilon);
  return buffer_take(&g.text);
}

/* ---- all outcomes --------------------------------------------------------------------------- */

struct paths {
  struct choices choices;
  fmpq_t weight;
};

static int sample(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                  struct rvalue *out) {
  struct paths *p = context;
  fmpq_t share;
  fmpq_init(share);
  if (kind == DIST_BERNOULLI) {
    number_get_fmpq(share, &args[0]);
    unsigned i = choose(&p->choices, 2);
    if (!i) {
      fmpq_sub_si(share, share, 1);
      fmpq_neg(share, share);
    }
    *out = rvalue_bool(i);
  } else if (kind == DIST_UNIFORM_SET) {
    fmpq_set_si(share, 1, count);
    *out = rvalue_copy(&args[choose(&p->choices, (unsigned)count)]);
  } else {
    assert_int_equal(kind, DIST_UNIFORM_INT);
    slong low = fmpz_get_si(&args[0].as.integer), high = fmpz_get_si(&args[1].as.integer);
    fmpq_set_si(share, 1, (ulong)(high - low + 1));
    *out = rvalue_int(low + choose(&p->choices, (unsigned)(high - low + 1)));
  }
  fmpq_mul(p->weight, p->weight, share);
  fmpq_clear(share);
  return NOISE_OK;
}

struct outcome *outcome_of(outcome_list *list, struct rvalue *output) {
  for (size_t i = 0; i < list->len; i++) {
    int order;
    if (rvalue_compare(&order, &list->at[i].output, output) && order == 0) {
      rvalue_clear(output);
      return &list->at[i];
    }
  }
  struct outcome fresh = {.output = *output};
  fmpq_init(&fresh.probability);
  vec_push(list, fresh);
  return &vec_last(list);
}

void outcomes_clear(outcome_list *list) {
  for (size_t i = 0; i < list->len; i++) {
    rvalue_clear(&list->at[i].output);
    fmpq_clear(&list->at[i].probability);
  }
  vec_clear(list);
}

bool enumerate_outcomes(struct interp *in, outcome_list *list) {
  enum { MOST_PATHS = 1500 };
  struct paths paths = {0};
  fmpq_init(paths.weight);
  in->sample = sample;
  in->sample_context = &paths;
  size_t runs = 0;
  do {
    struct rvalue output;
    paths.choices.depth = 0;
    fmpq_one(paths.weight);
    assert_true(interp_run(in, NULL, &output));
    struct outcome *o = outcome_of(list, &output);
    fmpq_add(&o->probability, &o->probability, paths.weight);
  } while (next_path(&paths.choices) && ++runs < MOST_PATHS);
  in->sample = NULL;
  fmpq_clear(paths.weight);
  choices_clear(&paths.choices);
  return runs < MOST_PATHS;
}
