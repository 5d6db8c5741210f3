/* Definite assignment and the privacy lint against all paths of random small programs.
 *
 * A program is a tree of statements over a few variables; its conditions are free, so that every
 * choice of branches is a path, and a loop is tried with 0, 1 and 2 iterations. Each path is run in
 * the obvious way: a set of assigned variables, a level for each variable. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "lang/syntax/lang.h"
#include "testlib.h"

enum { VARS = 4, MOST_CHOICES = 24, MOST_PATHS = 4000, MOST_PLACES = 64 };

enum node_kind {
  NODE_CONST,
  NODE_PRIVATE,
  NODE_SAMPLE,
  NODE_ADD,
  NODE_EMIT,
  NODE_IF,
  NODE_WHILE,
  NODE_RETURN
};
enum cond_kind { COND_PUBLIC, COND_PRIVATE, COND_VAR };
enum level { NOISY, PUBLIC, PRIVATE };

struct node {
  enum node_kind kind;
  int target, left, right;
  enum cond_kind cond;
  int cond_var;
  int place; /* of an emit, or of the condition of a while */
  struct node *first, *second, *next;
};

struct generator {
  struct rng *rng;
  struct arena *arena;
  struct buffer *text;
  int places; /* emits and loop conditions so far; each has a line of its own */
  int line;
  int lines[MOST_PLACES];
};

static void put_line(struct generator *g, const char *text) {
  buffer_puts(g->text, text);
  buffer_putc(g->text, '\n');
  g->line++;
}

static struct node *generate_block(struct generator *g, int depth, int size);

static const char *condition(struct generator *g, struct node *n, char *out, size_t size) {
  static const char *const fixed[] = {"n > 0", "x > 0"};
  n->cond = (enum cond_kind)rng_below(g->rng, 3);
  n->cond_var = rng_range(g->rng, 0, VARS - 1);
  if (n->cond == COND_VAR)
    snprintf(out, size, "v%d > 0", n->cond_var);
  else
    snprintf(out, size, "%s", fixed[n->cond]);
  return out;
}

static int new_place(struct generator *g) {
  g->lines[g->places] = g->line + 1;
  return g->places++;
}

static struct node *generate(struct generator *g, int depth) {
  struct node *n = arena_new(g->arena, struct node);
  char line[80], cond[20];
  n->kind = (enum node_kind)rng_below(g->rng, depth ? 8 : 5);
  if (n->kind == NODE_RETURN && !rng_chance(g->rng, 1, 2)) n->kind = NODE_EMIT;
  if (g->places + 2 > MOST_PLACES) n->kind = NODE_CONST;
  n->target = rng_range(g->rng, 0, VARS - 1);
  n->left = rng_range(g->rng, 0, VARS - 1);
  n->right = rng_range(g->rng, 0, VARS - 1);
  switch (n->kind) {
  case NODE_CONST: snprintf(line, sizeof line, "v%d := 1.5;", n->target); break;
  case NODE_PRIVATE: snprintf(line, sizeof line, "v%d := x;", n->target); break;
  case NODE_SAMPLE: snprintf(line, sizeof line, "v%d <$ Lap(x, 1);", n->target); break;
  case NODE_ADD:
    snprintf(line, sizeof line, "v%d := v%d + v%d;", n->target, n->left, n->right);
    break;
  case NODE_EMIT:
    n->place = new_place(g);
    snprintf(line, sizeof line, "emit v%d;", n->left);
    break;
  case NODE_RETURN: snprintf(line, sizeof line, "return;"); break;
  case NODE_IF:
  case NODE_WHILE:
    if (n->kind == NODE_WHILE) n->place = new_place(g);
    snprintf(line, sizeof line, "%s %s {", n->kind == NODE_IF ? "if" : "while",
             condition(g, n, cond, sizeof cond));
    put_line(g, line);
    n->first = generate_block(g, depth - 1, 3);
    if (n->kind == NODE_IF) {
      put_line(g, "} else {");
      n->second = generate_block(g, depth - 1, 2);
    }
    snprintf(line, sizeof line, "}");
    break;
  }
  put_line(g, line);
  return n;
}

static struct node *generate_block(struct generator *g, int depth, int size) {
  struct node *first = NULL, **end = &first;
  for (int i = rng_range(g->rng, 0, size); i > 0; i--) {
    *end = generate(g, depth);
    if ((*end)->kind == NODE_RETURN) break; /* nothing unreachable */
    end = &(*end)->next;
  }
  return first;
}

/* ---- paths ------------------------------------------------------------------------------------
 */

struct path {
  int choices[MOST_CHOICES], limits[MOST_CHOICES];
  int used;
  bool assigned[VARS];
  enum level level[VARS];
  enum level branch; /* PRIVATE under a private condition */
  /* over all paths */
  bool unassigned_read[VARS];
  bool leaks[MOST_PLACES];
};

static int choose(struct path *p, int limit) {
  if (p->used == MOST_CHOICES) return 0;
  p->limits[p->used] = limit;
  return p->choices[p->used++];
}

/* The next path, if there is one: the last choice that can grow does. */
static bool next_path(struct path *p) {
  for (int i = p->used; i-- > 0;) {
    if (p->choices[i] + 1 < p->limits[i]) {
      p->choices[i]++;
      for (int j = i + 1; j < MOST_CHOICES; j++)
        p->choices[j] = 0;
      return true;
    }
  }
  return false;
}

static enum level read_var(struct path *p, int v) {
  if (!p->assigned[v]) p->unassigned_read[v] = true;
  return p->level[v];
}

static enum level read_cond(struct path *p, const struct node *n) {
  if (n->cond == COND_PUBLIC) return PUBLIC;
  return n->cond == COND_PRIVATE ? PRIVATE : read_var(p, n->cond_var);
}

static void write_var(struct path *p, int v, enum level level) {
  p->assigned[v] = true;
  p->level[v] = level == PUBLIC && p->branch == PRIVATE ? PRIVATE : level;
}

static enum level computed(enum level a, enum level b) {
  if (a == NOISY || b == NOISY) return NOISY;
  return a > b ? a : b;
}

static bool run(struct path *p, const struct node *n);

static bool run_loop(struct path *p, const struct node *n) {
  for (int i = choose(p, 3);; i--) {
    if (read_cond(p, n) == PRIVATE) p->leaks[n->place] = true;
    if (i == 0) return true;
    if (!run(p, n->first)) return false;
  }
}

static bool run_if(struct path *p, const struct node *n) {
  enum level before = p->branch;
  if (read_cond(p, n) == PRIVATE) p->branch = PRIVATE;
  bool falls = run(p, choose(p, 2) ? n->second : n->first);
  p->branch = before;
  return falls;
}

/* False if the path returns. */
static bool run(struct path *p, const struct node *n) {
  for (; n; n = n->next) {
    switch (n->kind) {
    case NODE_CONST: write_var(p, n->target, PUBLIC); break;
    case NODE_PRIVATE: write_var(p, n->target, PRIVATE); break;
    case NODE_SAMPLE: write_var(p, n->target, NOISY); break;
    case NODE_ADD: {
      enum level left = read_var(p, n->left), right = read_var(p, n->right);
      write_var(p, n->target, computed(left, right));
      break;
    }
    case NODE_EMIT: {
      enum level level = read_var(p, n->left);
      if (level == PRIVATE || (level == PUBLIC && p->branch == PRIVATE)) p->leaks[n->place] = true;
      break;
    }
    case NODE_IF:
      if (!run_if(p, n)) return false;
      break;
    case NODE_WHILE:
      if (!run_loop(p, n)) return false;
      break;
    case NODE_RETURN: return false;
    }
  }
  return true;
}

/* False if there are too many paths to try them all. */
static bool run_all(struct path *p, const struct node *n, bool assigned_first) {
  *p = (struct path){0};
  for (int count = 0; count < MOST_PATHS; count++) {
    p->used = 0;
    p->branch = PUBLIC;
    for (int v = 0; v < VARS; v++) {
      p->assigned[v] = assigned_first;
      p->level[v] = PUBLIC;
    }
    run(p, n);
    if (p->used == MOST_CHOICES) return false;
    if (!next_path(p)) return true;
  }
  return false;
}

/* ---- comparison -------------------------------------------------------------------------------
 */

struct sample {
  struct arena arena;
  struct buffer text;
  struct generator g;
  struct node *root;
  struct path path;
  struct lang lang;
};

/* A random program with all its paths; false: too many. */
static bool sample_init(struct sample *s, struct rng *rng, bool assigned_first) {
  arena_init(&s->arena);
  buffer_init(&s->text);
  s->g = (struct generator){.rng = rng, .arena = &s->arena, .text = &s->text};
  put_line(&s->g, "mechanism m(private x : real, n : int) emits real adjacent within(x, 1) {");
  for (int v = 0; v < VARS; v++) {
    char line[40];
    snprintf(line, sizeof line, assigned_first ? "var v%d : real := 0;" : "var v%d : real;", v);
    put_line(&s->g, line);
  }
  s->root = generate_block(&s->g, 3, 6);
  put_line(&s->g, "}");
  bool all = run_all(&s->path, s->root, assigned_first);
  lang_init(&s->lang);
  lang_load_text(&s->lang, "t.dp", buffer_text(&s->text), s->text.len);
  return all;
}

static void sample_clear(struct sample *s) {
  lang_clear(&s->lang);
  buffer_clear(&s->text);
  arena_clear(&s->arena);
}

static bool reported(struct sample *s, const char *code, const char *mention, int line) {
  for (size_t i = 0; i < s->lang.diags.list.len; i++) {
    const struct diag *d = &s->lang.diags.list.at[i];
    if (strcmp(d->code, code) != 0 || (mention && !strstr(d->message, mention))) continue;
    if (!line || (int)sources_place(&s->lang.sources, d->span.file, d->span.begin).line == line)
      return true;
  }
  return false;
}

static void assigned_means_assigned_on_every_path(void **state) {
  (void)state;
  struct rng rng = rng_seeded(11);
  size_t wrong = 0, right = 0;
  for (size_t round = 0; round < test_rounds(4000); round++) {
    struct sample s;
    if (sample_init(&s, &rng, false)) {
      for (int v = 0; v < VARS; v++) {
        char name[8];
        snprintf(name, sizeof name, "`v%d`", v);
        bool found = reported(&s, "unassigned-variable", name, 0);
        if (found != s.path.unassigned_read[v]) print_error("%s: %s", name, buffer_text(&s.text));
        assert_int_equal(found, s.path.unassigned_read[v]);
        *(found ? &wrong : &right) += 1;
      }
    }
    sample_clear(&s);
  }
  assert_often(wrong > 1000 && right > 1000);
}

/* What leaks on some path is reported. The converse need not hold: facts about several variables
 * are joined one by one. But most reports are right, and a program without leaks mostly has none.
 */
static void leaks_on_any_path_are_reported(void **state) {
  (void)state;
  struct rng rng = rng_seeded(12);
  size_t leaks = 0, clean = 0, alarms = 0;
  for (size_t round = 0; round < test_rounds(4000); round++) {
    struct sample s;
    if (sample_init(&s, &rng, true)) {
      for (int i = 0; i < s.g.places; i++) {
        bool found = reported(&s, "unprotected-output", NULL, s.g.lines[i]) ||
                     reported(&s, "private-control", NULL, s.g.lines[i]);
        if (s.path.leaks[i] && !found)
          print_error("line %d: %s", s.g.lines[i], buffer_text(&s.text));
        assert_true(found || !s.path.leaks[i]);
        leaks += s.path.leaks[i];
        clean += !s.path.leaks[i];
        alarms += found && !s.path.leaks[i];
      }
    }
    sample_clear(&s);
  }
  assert_often(leaks > 500 && clean > 500);
  assert_true(alarms * 20 < clean);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(assigned_means_assigned_on_every_path),
      cmocka_unit_test(leaks_on_any_path_are_reported),
  };
  return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
