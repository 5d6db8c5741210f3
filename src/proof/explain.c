#include "proof/explain.h"

#include <string.h>

#include "term/print.h"

struct explainer {
  struct buffer *out;
  struct sources *sources;
  struct terms *terms;
  const struct ptrmap *notes;
};

static void place(struct explainer *x, struct span span) {
  if (!span.file) return;
  struct place at = sources_place(x->sources, span.file, span.begin);
  buffer_printf(x->out, "  (line %u)", at.line);
}

/* What a rule did, in words. */
static const char *words(const char *rule) {
  static const char *const table[][2] = {
      {"SKIP", "nothing happens"},
      {"ASSN-L", "run 1 assigns"},
      {"ASSN-R", "run 2 assigns"},
      {"COND", "both runs take the same branch"},
      {"COND-L", "run 1 branches by itself"},
      {"COND-R", "run 2 branches by itself"},
      {"CASE", "case distinction"},
      {"CONSEQ", "by arithmetic"},
      {"WHILE", "the invariant holds in every iteration"},
      {"WHILE-DELTA", "the invariant holds; the deltas of the iterations add up"},
      {"WHILE-L", "run 1 loops by itself"},
      {"WHILE-R", "run 2 loops by itself"},
      {"SAMPLE", "both runs sample, run 2 shifted against run 1"},
      {"SAMPLE-L", "run 1 samples by itself"},
      {"SAMPLE-R", "run 2 samples by itself"},
      {"RND", "both runs draw the same sample, free of charge"},
      {"PW-EQ", "for each possible output separately"},
      {"ADV", "the adversary sees the same and does the same"},
      {"UTB-L", "up to a bad event of run 1"},
      {"UTB-R", "up to a bad event of run 2"},
      {"LAPINT", "run 1's sample is in its interval iff run 2's is"},
      {"UNIF", "run 2's uniform sample is a fraction of run 1's"},
      {"SUBSET", "the bits of both runs are paired"},
      {"AC-HIT", "only hits are paid for, by advanced composition"},
      {"AC-WHILE", "advanced composition of the iterations"},
      {"EQUIV-LAP", "the statements amount to Laplace noise"},
      {"FRAME", "not touched"},
      {"ADMIT", "ADMITTED WITHOUT PROOF"}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (strcmp(table[i][0], rule) == 0) return table[i][1];
  return rule;
}

static void command(struct explainer *x, const struct core *c) {
  struct buffer text;
  buffer_init(&text);
  core_print(&text, x->terms, c, 0);
  const char *line = buffer_text(&text);
  buffer_puts(x->out, ": ");
  buffer_add(x->out, line, strcspn(line, "\n"));
  buffer_clear(&text);
}

/* The same assignment in one run and then in the other. */
static bool is_assignment(const struct judgement *j) {
  return strcmp(judgement_rule(j), "SEQ") == 0 && judgement_left(j)->kind == CORE_ASSIGN &&
         core_equal(judgement_left(j), judgement_right(j));
}

static void tree(struct explainer *x, const struct judgement *j, size_t depth) {
  const char *rule = judgement_rule(j);
  if (is_assignment(j)) {
    buffer_fill(x->out, ' ', 2 * depth);
    buffer_puts(x->out, "ASSN - both runs assign");
    command(x, judgement_left(j));
    place(x, judgement_span(j));
    buffer_putc(x->out, '\n');
    return;
  }
  if (strcmp(rule, "SEQ") == 0) { /* a list, not a staircase */
    for (size_t i = 0; i < judgement_premise_count(j); i++)
      tree(x, judgement_premise(j, i), depth);
    return;
  }
  buffer_fill(x->out, ' ', 2 * depth);
  const char *note = ptrmap_get(x->notes, j);
  buffer_printf(x->out, "%s - %s", rule, note ? note : words(rule));
  const struct core *c =
      judgement_left(j)->kind != CORE_SKIP ? judgement_left(j) : judgement_right(j);
  if (judgement_premise_count(j) == 0 && c->kind != CORE_SKIP) command(x, c);
  place(x, judgement_span(j));
  buffer_putc(x->out, '\n');
  for (size_t i = 0; i < judgement_premise_count(j); i++)
    tree(x, judgement_premise(j, i), depth + 1);
}

void explain_derivation(struct buffer *out, struct sources *sources, struct terms *terms,
                        const struct ptrmap *notes, const struct judgement *j) {
  struct explainer x = {.out = out, .sources = sources, .terms = terms, .notes = notes};
  tree(&x, j, 0);
}
