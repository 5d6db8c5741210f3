/* Sugar against its meaning: random programs of loops, branches, `break`, `continue`, `return` and
 * functions of arrays, without noise. The test runs the tree from which it wrote the text; the
 * interpreter, the exact engine and the core program of the prover must agree with it. */
#include <stdlib.h>
#include <string.h>

#include "core_run.h"
#include "mechanism.h"
#include "run/sample/interp.h"
#include "stats.h"

enum kind { SET, STORE, EMIT, IF, FOR, WHILE, BREAK, CONTINUE, RETURN };
enum { ITEMS = 3, MOST_STEPS = 4000 };

struct node {
  enum kind kind;
  unsigned a, b, number;
  struct node *body, *other, *next;
};

struct gen {
  struct rng rng;
  struct arena arena;
  unsigned loops; /* numbered */
};

static unsigned below(struct gen *g, unsigned n) {
  return (unsigned)rng_below(&g->rng, n);
}

/* ---- trees ---------------------------------------------------------------------------------- */

static struct node *block(struct gen *g, unsigned count, unsigned depth, bool in_loop);

static struct node *node(struct gen *g, unsigned depth, bool in_loop) {
  struct node *n = arena_new(&g->arena, struct node);
  unsigned kind = below(g, depth ? 12 : 6);
  *n = (struct node){.a = below(g, 6), .b = below(g, 5)};
  n->kind = kind < 2 ? SET : kind == 2 ? STORE : kind == 3 ? EMIT : kind < 6 ? RETURN : IF;
  if (n->kind == RETURN && in_loop)
    n->kind = below(g, 5) ? (below(g, 2) ? BREAK : CONTINUE) : RETURN;
  if (n->kind == RETURN && !in_loop) n->kind = EMIT;
  if (kind >= 10) n->kind = kind == 10 ? FOR : WHILE;
  if (n->kind == IF) {
    n->body = block(g, 1 + below(g, 3), depth - 1, in_loop);
    if (below(g, 2)) n->other = block(g, 1 + below(g, 2), depth - 1, in_loop);
  } else if (n->kind == FOR || n->kind == WHILE) {
    n->number = g->loops++;
    n->body = block(g, 1 + below(g, 4), depth - 1, true);
  }
  return n;
}

static struct node *block(struct gen *g, unsigned count, unsigned depth, bool in_loop) {
  struct node *first = NULL, **end = &first;
  for (; count; count--, end = &(*end)->next)
    *end = node(g, depth, in_loop);
  return first;
}

/* ---- as text -------------------------------------------------------------------------------- */

static const char *const values[] = {"(x + 2*y) mod 7",
                                     "(x + sum(a)) mod 5",
                                     "(max(a) + argmin(a) + y) mod 6",
                                     "(x*min(a) + argmax(a) + 2*sort(a)[1]) mod 4",
                                     "(x + 1) mod 5",
                                     "if x > y then sum(a) mod 3 else 1 + sort(a)[2]"};
static const char *const conditions[] = {"x > y", "(x + y) mod 2 = 0", "sum(a) mod 3 = 1",
                                         "argmax(a) = 1 and x != 2", "y = 3"};

static void put(struct buffer *b, const struct node *n) {
  for (; n; n = n->next)
    switch (n->kind) {
    case SET: buffer_printf(b, "%s := %s;\n", n->b % 2 ? "x" : "y", values[n->a]); break;
    case STORE: buffer_printf(b, "a[%u] := %s;\n", n->b % ITEMS, values[n->a]); break;
    case EMIT: buffer_printf(b, "emit %s;\n", values[n->a]); break;
    case BREAK: buffer_puts(b, "break;\n"); break;
    case CONTINUE: buffer_puts(b, "continue;\n"); break;
    case RETURN: buffer_puts(b, "return;\n"); break;
    case IF:
      buffer_printf(b, "if %s {\n", conditions[n->b]);
      put(b, n->body);
      buffer_puts(b, n->other ? "} else {\n" : "}\n");
      if (!n->other) break;
      put(b, n->other);
      buffer_puts(b, "}\n");
      break;
    case FOR:
      buffer_printf(b, "for i%u in %u..%u {\nx := (x + i%u) mod 8;\n", n->number, n->b % 2, n->a,
                    n->number);
      put(b, n->body);
      buffer_puts(b, "}\n");
      break;
    case WHILE:
      buffer_printf(b, "w%u := 0;\nwhile w%u < %u {\nw%u := w%u + 1;\n", n->number, n->number, n->a,
                    n->number, n->number);
      put(b, n->body);
      buffer_puts(b, "}\n");
      break;
    }
}

/* ---- as it is meant ------------------------------------------------------------------------- */

enum how { ON, BROKEN, CONTINUED, RETURNED };

struct machine {
  unsigned x, y, a[ITEMS], steps;
  struct buffer out;
};

static unsigned extreme(const struct machine *m, bool largest) {
  unsigned at = 0;
  for (unsigned i = 1; i < ITEMS; i++)
    if (largest ? m->a[i] > m->a[at] : m->a[i] < m->a[at]) at = i;
  return at;
}

static unsigned value(const struct machine *m, unsigned which) {
  unsigned sum = m->a[0] + m->a[1] + m->a[2];
  unsigned most = extreme(m, true), least = extreme(m, false);
  switch (which) {
  case 0: return (m->x + 2 * m->y) % 7;
  case 1: return (m->x + sum) % 5;
  case 2: return (m->a[most] + least + m->y) % 6;
  case 3: return (m->x * m->a[least] + most + 2 * (sum - m->a[least] - m->a[most])) % 4;
  case 4: return (m->x + 1) % 5;
  default: return m->x > m->y ? sum % 3 : 1 + m->a[most];
  }
}

static bool holds(const struct machine *m, unsigned which) {
  switch (which) {
  case 0: return m->x > m->y;
  case 1: return (m->x + m->y) % 2 == 0;
  case 2: return (m->a[0] + m->a[1] + m->a[2]) % 3 == 1;
  case 3: return extreme(m, true) == 1 && m->x != 2;
  default: return m->y == 3;
  }
}

static enum how run(struct machine *m, const struct node *n);

static enum how run_loop(struct machine *m, const struct node *n) {
  for (unsigned i = n->kind == FOR ? n->b % 2 : 0; i < n->a; i++) {
    if (n->kind == FOR) m->x = (m->x + i) % 8;
    enum how how = run(m, n->body);
    if (how == BROKEN) return ON;
    if (how == RETURNED) return how;
  }
  return ON;
}

static enum how run(struct machine *m, const struct node *n) {
  enum how how = ON;
  for (; n && how == ON && m->steps < MOST_STEPS; n = n->next) {
    m->steps++;
    unsigned *x = n->b % 2 ? &m->x : &m->y;
    switch (n->kind) {
    case SET: *x = value(m, n->a); break;
    case STORE: m->a[n->b % ITEMS] = value(m, n->a); break;
    case EMIT: buffer_printf(&m->out, "%s%u", m->out.len ? ", " : "", value(m, n->a)); break;
    case IF: how = run(m, holds(m, n->b) ? n->body : n->other); break;
    case FOR:
    case WHILE: how = run_loop(m, n); break;
    case BREAK: return BROKEN;
    case CONTINUE: return CONTINUED;
    case RETURN: return RETURNED;
    }
  }
  return how;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static char *printed(const struct rvalue *v) {
  struct buffer b;
  buffer_init(&b);
  rvalue_print(&b, v);
  return buffer_take(&b);
}

static void expect(const char *who, const struct rvalue *v, const char *wanted, const char *text) {
  char *found = printed(v);
  if (strcmp(found, wanted) != 0)
    fail_msg("%s gives %s, not %s, for\n%s", who, found, wanted, text);
  free(found);
}

static void compare_exact(struct mechanism *m, const char *wanted, const char *text) {
  struct exact_distribution d;
  exact_distribution_init(&d);
  exact_distribution(&m->in, &(struct exact_options){0}, &d);
  if (d.status != EXACT_OK || d.outcomes.len != 1)
    fail_msg("the exact engine: %s\n%s", d.why ? d.why : "not one outcome", text);
  expect("the exact engine", &d.outcomes.at[0].output, wanted, text);
  assert_true(arb_is_one(d.outcomes.at[0].probability));
  exact_distribution_clear(&d);
}

static void compare_core(struct mechanism *m, const struct rvalue *output, const char *text) {
  const struct ast_routine *routine = m->in.mechanism->as.mechanism.routine;
  const struct rframe *inputs[] = {&m->in.frame, &m->in.frame};
  struct ground g;
  struct core_run r;
  ground_init(&g, &m->lang, m->module, routine, &m->in.ev, inputs);
  bool done = core_run_init(&r, &g, routine, &m->in.frame) && core_run(&r);
  int same = done ? core_run_gives(&r, output) : -1;
  if (same != 1) fail_msg("the core program %s\n%s", same ? "has no answer" : "differs", text);
  core_run_clear(&r);
  ground_clear(&g);
}

static void compare(const struct node *tree) {
  struct buffer text, wanted;
  struct machine machine = {.x = 1, .y = 2, .a = {1, 0, 2}};
  buffer_init(&text);
  buffer_init(&wanted);
  buffer_init(&machine.out);
  buffer_puts(&text, "mechanism m(private p : int, x0 : int) emits int adjacent within(p, 1) {\n"
                     "x := x0; y := 2;\nvar a : int[3];\na[0] := 1; a[2] := 2;\n");
  put(&text, tree);
  buffer_puts(&text,
              "}\nclaim private m epsilon 1;\ninstance one { input p = 0; input x0 = 1; }\n");
  run(&machine, tree);
  buffer_printf(&wanted, "[%s]", buffer_text(&machine.out));
  struct mechanism m;
  struct rvalue output;
  mechanism_load(&m, buffer_text(&text));
  assert_true(interp_run(&m.in, NULL, &output));
  expect("the interpreter", &output, buffer_text(&wanted), buffer_text(&text));
  compare_exact(&m, buffer_text(&wanted), buffer_text(&text));
  compare_core(&m, &output, buffer_text(&text));
  rvalue_clear(&output);
  mechanism_clear(&m);
  buffer_clear(&machine.out);
  buffer_clear(&wanted);
  buffer_clear(&text);
}

static void sugar_means_what_it_says(void **state) {
  (void)state;
  size_t rounds = test_rounds(400);
  for (size_t round = 0; round < rounds; round++) {
    struct gen g = {.rng = rng_seeded(71 + round)};
    arena_init(&g.arena);
    compare(block(&g, 2 + below(&g, 4), 3, false));
    arena_clear(&g.arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sugar_means_what_it_says)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
