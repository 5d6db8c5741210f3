#include "report/render/audit.h"

#include <stdlib.h>
#include <string.h>

static const char *text_at(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static int line_of(const json_t *node) {
  return (int)json_integer_value(json_object_get(json_object_get(node, "location"), "line"));
}

static const char *paint(struct text_style style, const char *escape) {
  return style.color ? escape : "";
}

/* "  parameters   " and the like; what follows is aligned. */
static void put_label(struct buffer *out, const char *label, struct text_style style) {
  buffer_printf(out, "    %s%-12s%s ", paint(style, "\033[2m"), label, paint(style, "\033[0m"));
}

enum { MORE = 17 }; /* the column behind a label */

static void put_more(struct buffer *out) {
  buffer_fill(out, ' ', MORE);
}

/* ---- obligations ----------------------------------------------------------------------------- */

/* Obligations of one rule, side condition and line are one entry. */
struct group {
  const char *rule, *what;
  bool in_found_proof; /* the line is one of the proof that was found, not of the file */
  int line;
  size_t count, proved, believed;
  double seconds;
};

struct groups {
  VEC(struct group) list;
  size_t count, proved, believed, hypotheses;
  VEC(size_t) steps; /* of what the referee accepted */
  double seconds;
};

static struct group *group_of(struct groups *g, const json_t *obligation) {
  const char *rule = text_at(obligation, "rule"), *what = text_at(obligation, "what"),
             *path = text_at(json_object_get(obligation, "location"), "file");
  struct group new = {.rule = rule ? rule : "",
                      .what = what ? what : "",
                      .in_found_proof = path && *path == '<',
                      .line = line_of(obligation)};
  for (size_t i = 0; i < g->list.len; i++) {
    struct group *known = &g->list.at[i];
    if (known->line == new.line &&
        known->in_found_proof == new.in_found_proof &&strcmp(known->rule, new.rule) == 0 &&
        strcmp(known->what, new.what) == 0)
      return known;
  }
  vec_push(&g->list, new);
  return &vec_last(&g->list);
}

/* In the order of the source. */
static int by_line(const void *a, const void *b) {
  const struct group *x = a, *y = b;
  if (x->in_found_proof != y->in_found_proof) return x->in_found_proof ? 1 : -1;
  return x->line != y->line ? x->line - y->line : strcmp(x->rule, y->rule);
}

static struct groups group_obligations(const json_t *list) {
  struct groups g = {0};
  size_t i;
  json_t *o;
  json_array_foreach(list, i, o) {
    const char *method = text_at(o, "method");
    bool proved = json_is_true(json_object_get(o, "proved"));
    bool believed = json_is_true(json_object_get(o, "believed"));
    bool is_hypothesis = method && strcmp(method, "hypothesis") == 0;
    double seconds = json_number_value(json_object_get(o, "time_s"));
    struct group *group = group_of(&g, o);
    group->count++;
    group->proved += proved;
    group->believed += believed;
    group->seconds += seconds;
    g.count++;
    g.proved += proved;
    g.believed += believed;
    g.hypotheses += proved && is_hypothesis;
    g.seconds += seconds;
    if (proved && !believed && !is_hypothesis)
      vec_push(&g.steps, (size_t)json_integer_value(json_object_get(o, "steps")));
  }
  if (g.list.len) qsort(g.list.at, g.list.len, sizeof *g.list.at, by_line);
  return g;
}

static void put_groups(struct buffer *out, const struct groups *g) {
  for (size_t i = 0; i < g->list.len; i++) {
    const struct group *group = &g->list.at[i];
    put_more(out);
    buffer_printf(out, "%4zu %7.2f s  %s%-4d %-9s %s", group->count, group->seconds,
                  group->in_found_proof ? "proof line " : "line ", group->line, group->rule,
                  group->what);
    if (group->proved < group->count)
      buffer_printf(out, "; %zu NOT PROVED", group->count - group->proved);
    if (group->believed) buffer_printf(out, "; %zu by the SOLVER ALONE", group->believed);
    buffer_putc(out, '\n');
  }
}

static int by_size(const void *a, const void *b) {
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* Who accepted them. */
static void put_acceptance(struct buffer *out, struct groups *g) {
  size_t n = g->steps.len;
  if (n > 1) qsort(g->steps.at, n, sizeof *g->steps.at, by_size);
  buffer_printf(out, "%zu, %zu accepted, %.2f s: %zu by the referee", g->count, g->proved,
                g->seconds, n);
  if (n)
    buffer_printf(out, " (median %zu, largest %zu steps)", g->steps.at[n / 2], g->steps.at[n - 1]);
  if (g->hypotheses)
    buffer_printf(out, ", %zu %s", g->hypotheses,
                  g->hypotheses == 1 ? "is a hypothesis" : "are hypotheses");
  if (g->believed) buffer_printf(out, ", %zu by the solver alone", g->believed);
  buffer_putc(out, '\n');
}

/* With --cross-check: what a second solver said to the first, in the search. */
static void put_cross_check(struct buffer *out, const json_t *cross, struct text_style style) {
  if (!cross) return;
  int answers = (int)json_integer_value(json_object_get(cross, "answers")),
      confirmed = (int)json_integer_value(json_object_get(cross, "confirmed"));
  put_label(out, "cross-check", style);
  if (confirmed)
    buffer_printf(out, "%d of the solver's %d answers confirmed by cvc5\n", confirmed, answers);
  else
    buffer_printf(out, "NONE of the solver's %d answers was confirmed by cvc5\n", answers);
}

static void put_obligations(struct buffer *out, const struct claim_record *c,
                            struct text_style style) {
  const json_t *list = json_object_get(c->detail, "obligation_list");
  if (!json_array_size(list)) return;
  struct groups g = group_obligations(list);
  put_label(out, "obligations", style);
  put_acceptance(out, &g);
  put_cross_check(out, json_object_get(c->detail, "cross_check"), style);
  put_groups(out, &g);
  vec_clear(&g.list);
  vec_clear(&g.steps);
}

/* ---- claims ---------------------------------------------------------------------------------- */

static const char *checker_of(const struct claim_record *c) {
  switch (c->verdict) {
  case VERDICT_PROVED:
    return c->kind == CLAIM_AUTOMATON ? "the strategy checker accepted a coupling strategy"
           : c->kind == CLAIM_LEMMA
               ? "the referee accepted refutations of its negation"
               : "the kernel accepted a derivation, the referee its obligations";
  case VERDICT_REFUTED:
    return c->kind == CLAIM_LEMMA ? "values that falsify it, evaluated"
                                  : "a counterexample, evaluated again in ball arithmetic";
  case VERDICT_ADMITTED:
    return claim_rests_on_solver(c) ? "the kernel, but some obligations by the SOLVER ALONE"
                                    : "NOTHING: a proof uses `admit`";
  case VERDICT_UNKNOWN: break;
  }
  return "nothing was established";
}

static void put_list(struct buffer *out, const json_t *list, const char *separator) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) {
    buffer_printf(out, "%s%s", i ? separator : "", json_string_value(item));
  }
}

static void put_assumed(struct buffer *out, const json_t *basis, struct text_style style) {
  const char *adjacency = text_at(basis, "adjacency");
  const json_t *requires = json_object_get(basis, "requires");
  if (adjacency) {
    put_label(out, "adjacency", style);
    buffer_printf(out, "%s%s\n", adjacency,
                  json_is_true(json_object_get(basis, "under")) ? "  (stated by the claim)" : "");
  }
  if (json_array_size(requires)) {
    put_label(out, "requires", style);
    put_list(out, requires, ", ");
    buffer_putc(out, '\n');
  }
}

static void put_claim(struct buffer *out, const struct file_record *file, size_t index,
                      struct text_style style) {
  const struct claim_record *c = &file->claims.at[index];
  buffer_printf(out, "  %s%-8s%s %s: ", paint(style, "\033[1m"), verdict_name(c->verdict),
                paint(style, "\033[0m"), c->name);
  claim_record_what(out, c);
  if (c->cost) buffer_printf(out, ", cost %s", c->cost);
  buffer_printf(out, "  (line %u, %.2f s)\n", c->place.line, c->time_s);
  put_label(out, "checked by", style);
  buffer_printf(out, "%s\n", checker_of(c));
  if (c->verdict != VERDICT_PROVED && c->reason) text_put_wrapped(out, c->reason, MORE);
  if (c->kind == CLAIM_PROGRAM && c->verdict == VERDICT_PROVED) {
    const json_t *search = json_object_get(c->detail, "search");
    put_label(out, "proof", style);
    buffer_puts(out, json_object_get(search, "completed")
                         ? "given in the source, completed by search\n"
                     : text_at(c->detail, "proof") ? "found by search\n"
                                                   : "given in the source\n");
  }
  put_assumed(out, json_array_get(json_object_get(file->basis, "claims"), index), style);
  put_obligations(out, c, style);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void put_parameter(struct buffer *out, const json_t *p) {
  buffer_printf(out, "%s : %s", text_at(p, "name"), text_at(p, "type"));
  const json_t *assumptions = json_object_get(p, "assumptions");
  if (json_array_size(assumptions)) buffer_puts(out, " with ");
  put_list(out, assumptions, ", ");
}

static void put_axiom(struct buffer *out, const json_t *a) {
  buffer_printf(out, "%s: %s", text_at(a, "name"), text_at(a, "formula"));
}

static void put_abstract(struct buffer *out, const json_t *a) {
  buffer_puts(out, text_at(a, "signature"));
}

static void put_admit(struct buffer *out, const json_t *a) {
  buffer_printf(out, "in the proof of %s", text_at(a, "claim"));
}

static void put_place(struct buffer *out, const json_t *a) {
  (void)a;
  buffer_puts(out, "private data let out without noise");
}

/* The label, and one line for each item; `none` says something only where it matters. */
static void put_items(struct buffer *out, const struct file_record *file, const char *key,
                      const char *label, const char *none,
                      void (*put)(struct buffer *out, const json_t *item),
                      struct text_style style) {
  const json_t *list = json_object_get(file->basis, key);
  if (!json_array_size(list) && !none) return;
  put_label(out, label, style);
  if (!json_array_size(list)) buffer_printf(out, "%s\n", none);
  size_t i;
  json_t *item;
  json_array_foreach(list, i, item) {
    if (i) put_more(out);
    put(out, item);
    const char *path = text_at(json_object_get(item, "location"), "file");
    if (path && strcmp(path, file->path) != 0)
      buffer_printf(out, "  (%s:%d)\n", path, line_of(item));
    else
      buffer_printf(out, "  (line %d)\n", line_of(item));
  }
}

void file_record_audit(struct buffer *out, const struct file_record *file,
                       struct text_style style) {
  buffer_printf(out, "%s%s%s\n", paint(style, "\033[1m"), file->path, paint(style, "\033[0m"));
  if (file->stopped) buffer_printf(out, "  stopped: %s\n", file->stopped);
  if (file->internal_error) buffer_printf(out, "  internal error: %s\n", file->internal_error);
  if (file->bad_input) buffer_puts(out, "  not judged: the file has errors\n");
  if (!file->basis) return;
  if (file->translated) buffer_puts(out, "  translated: " ARITHMETIC_NOTE "\n");
  buffer_puts(out, "  every claim assumes\n");
  put_items(out, file, "parameters", "parameters", "none", put_parameter, style);
  put_items(out, file, "axioms", "axioms", "none", put_axiom, style);
  put_items(out, file, "abstract", "for any", NULL, put_abstract, style);
  put_items(out, file, "declassified", "declassified", NULL, put_place, style);
  put_items(out, file, "admits", "admits", "none", put_admit, style);
  for (size_t i = 0; i < file->claims.len; i++)
    put_claim(out, file, i, style);
}

void run_record_audit(struct buffer *out, const struct run_record *run, struct text_style style) {
  buffer_printf(out, "%scomputed with%s", paint(style, "\033[1m"), paint(style, "\033[0m"));
  const char *name;
  json_t *version;
  bool first = true;
  json_object_foreach(run->tools, name, version) {
    buffer_printf(out, "%s %s %s", first ? "" : ",", name, json_string_value(version));
    first = false;
  }
  buffer_puts(out, "\ntaken on trust: the parser and checker of the language, the kernel and the "
                   "strategy checker, the referee,\nthe exact engine and ball arithmetic "
                   "(docs/architecture.md); proof search, solver and refuter are not\n");
}
