#include "check/proof/replay.h"

#include <string.h>

#include "base/limits.h"
#include "check/proof/replay_internal.h"
#include "lang/syntax/builtin.h"
#include "lang/syntax/parse.h"

/* ---- words ---------------------------------------------------------------------------------- */

static bool refuse(struct replay *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

/* Digits without a leading zero. */
static bool read_number(const char **at, size_t *out) {
  const char *s = *at;
  size_t value = 0, digits = 0;
  for (; s[digits] >= '0' && s[digits] <= '9' && digits < 10; digits++)
    value = value * 10 + (size_t)(s[digits] - '0');
  if (!digits || digits == 10 || (s[0] == '0' && digits > 1)) return false;
  *at = s + digits;
  *out = value;
  return true;
}

/* The text between blanks, interned nowhere: valid while the line is. */
static bool read_name(const char **at, char out[REPLAY_NAME]) {
  if (**at != ' ') return false;
  size_t length = strcspn(*at + 1, " ");
  if (!length || length >= REPLAY_NAME) return false;
  memcpy(out, *at + 1, length);
  out[length] = '\0';
  *at += 1 + length;
  return true;
}

static term_id part_of(proof_of j, char kind) {
  return kind == 'p' ? judgement_pre(j) : kind == 'q' ? judgement_post(j) : judgement_delta(j);
}

static term_id part_of_bound(bound_of b, char kind) {
  return kind == 'x' ? ahl_pre(b) : kind == 'y' ? ahl_post(b) : ahl_beta(b);
}

static bool read_term(struct replay *r, const char **at, char kind, term_id *out) {
  size_t n;
  if (!read_number(at, &n)) return false;
  if (kind == 't') {
    *out = term_read(&r->terms, n);
  } else if (strchr("xyz", kind)) {
    if (n >= r->bounds.len) return false;
    *out = part_of_bound(r->bounds.at[n].bound, kind);
  } else {
    if (n >= r->judgements.len) return false;
    *out = part_of(r->judgements.at[n].judgement, kind);
  }
  return *out != TERM_NONE;
}

/* One argument of the kind that is wanted (replay_rules.c). */
static bool read_word(struct replay *r, const char **at, char wanted, struct word *w) {
  *w = (struct word){.term = TERM_NONE};
  if (**at != ' ') return refuse(r, "an argument is missing");
  (*at)++;
  char kind = **at;
  if (!kind) return refuse(r, "an argument is missing");
  (*at)++;
  bool ok = false;
  size_t n = 0;
  switch (wanted) {
  case 'o':
    if (kind == '-') return true; /* fallthrough */
  case 't': ok = strchr("tpqdxyz", kind) && read_term(r, at, kind, &w->term); break;
  case 'c':
    ok = kind == 'c' && read_number(at, &n) && n < r->commands.len;
    if (ok) w->command = r->commands.at[n].command, w->depth = r->commands.at[n].depth;
    break;
  case 'j': /* of the context of the call */
  case 'J': /* of the other one, too */
    ok = kind == 'j' && read_number(at, &n) && n < r->judgements.len &&
         (wanted == 'J' || r->judgements.at[n].direction == r->direction);
    if (ok) w->judgement = r->judgements.at[n].judgement;
    break;
  case 'b':
    ok = kind == 'b' && read_number(at, &n) && n < r->bounds.len &&
         r->bounds.at[n].direction == r->direction;
    if (ok) w->bound = r->bounds.at[n].bound;
    break;
  case 'r': /* a run */
    ok = kind == 'n' && read_number(at, &n) && (n == 1 || n == 2);
    w->number = (unsigned)n;
    break;
  case 'n': /* one of two or three */
    ok = kind == 'n' && read_number(at, &n) && n <= 2;
    w->number = (unsigned)n;
    break;
  default: break;
  }
  return ok || refuse(r, "an argument is not what the rule takes");
}

bool replay_words(struct replay *r, const char **at, const char *wanted, word_list *out) {
  for (; *wanted; wanted++) {
    struct word w;
    if (!read_word(r, at, *wanted, &w)) return false;
    vec_push(out, w);
  }
  return true;
}

/* ---- commands -------------------------------------------------------------------------------- */

static bool is_variable(struct replay *r, term_id t) {
  return term_kind(r->ts, t) == TERM_VAR && kernel_is_var(r->kernels[0], t);
}

static bool add_command(struct replay *r, const struct core *c, unsigned depth) {
  if (depth > REPLAY_DEPTH) return refuse(r, "a command is nested too deep");
  vec_push(&r->commands, (struct replay_command){c, depth});
  return true;
}

static bool add_part(struct replay *r, const struct core *c, unsigned depth) {
  return c && add_command(r, c, depth);
}

/* t.. to the end of the line. */
static bool read_terms(struct replay *r, const char **at, term_list *out) {
  while (**at) {
    struct word w;
    if (!read_word(r, at, 't', &w)) return false;
    vec_push(out, w.term);
  }
  return true;
}

static bool read_sample(struct replay *r, const char **at) {
  struct word var;
  char name[REPLAY_NAME];
  term_list args = {0};
  bool ok = read_word(r, at, 't', &var) && read_name(at, name) && read_terms(r, at, &args);
  const struct dist_info *dist = ok ? dist_find(name) : NULL;
  ok = dist && is_variable(r, var.term) &&
       dist_sample_sort(r->ts, dist->kind, args.at, args.len) != SORT_NONE;
  if (ok)
    ok = add_command(r, core_sample(r->arena, r->span, var.term, dist->kind, args.at, args.len), 0);
  vec_clear(&args);
  return ok || refuse(r, "this is no sampling");
}

static bool is_bool(struct replay *r, term_id t) {
  return term_sort(r->ts, t) == SORT_BOOL;
}

static bool read_structure(struct replay *r, const char **at, const char *name) {
  word_list w = {0};
  bool ok = false;
  if (strcmp(name, "program") == 0)
    ok = add_command(r, claim_program(r->claim)->program, 0);
  else if (strcmp(name, "first") == 0)
    ok = replay_words(r, at, "c", &w) && add_part(r, w.at[0].command->first, w.at[0].depth);
  else if (strcmp(name, "second") == 0)
    ok = replay_words(r, at, "c", &w) && add_part(r, w.at[0].command->second, w.at[0].depth);
  else if (strcmp(name, "skip") == 0)
    ok = add_command(r, core_skip(), 0);
  else if (strcmp(name, "assign") == 0)
    ok = replay_words(r, at, "tt", &w) && is_variable(r, w.at[0].term) &&
         term_sort(r->ts, w.at[0].term) == term_sort(r->ts, w.at[1].term) &&
         add_command(r, core_assign(r->arena, r->span, w.at[0].term, w.at[1].term), 0);
  else if (strcmp(name, "seq") == 0)
    ok = replay_words(r, at, "cc", &w) &&
         add_command(r, core_seq(r->arena, w.at[0].command, w.at[1].command),
                     w.at[0].depth > w.at[1].depth ? w.at[0].depth : w.at[1].depth);
  else if (strcmp(name, "if") == 0)
    ok = replay_words(r, at, "tcc", &w) && is_bool(r, w.at[0].term) &&
         add_command(r, core_if(r->arena, r->span, w.at[0].term, w.at[1].command, w.at[2].command),
                     1 + (w.at[1].depth > w.at[2].depth ? w.at[1].depth : w.at[2].depth));
  else if (strcmp(name, "while") == 0)
    ok = replay_words(r, at, "tc", &w) && is_bool(r, w.at[0].term) &&
         add_command(r, core_while(r->arena, r->span, w.at[0].term, w.at[1].command),
                     1 + w.at[1].depth);
  vec_clear(&w);
  return ok || refuse(r, "this is no command");
}

static bool read_command(struct replay *r, const char *at) {
  char name[REPLAY_NAME];
  if (!read_name(&at, name)) return refuse(r, "this is no command");
  bool ok = strcmp(name, "sample") == 0 ? read_sample(r, &at) : read_structure(r, &at, name);
  return ok && (*at == '\0' || refuse(r, "there are too many arguments"));
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* flag NAME: in all contexts, before any rule. */
static bool read_flag(struct replay *r, const char *at) {
  char name[REPLAY_NAME];
  if (!read_name(&at, name) || *at) return refuse(r, "this is no flag");
  term_id flag = TERM_NONE;
  bool ok = true;
  for (size_t i = 0; i < CLAIM_CONTEXTS && ok; i++) {
    if (!r->kernels[i]) continue;
    term_id here = kernel_var(r->kernels[i], name, SORT_BOOL, false);
    ok = here != TERM_NONE && (i == 0 || here == flag);
    flag = here;
  }
  return ok || refuse(r, "this flag cannot be declared");
}

static bool read_label(struct replay *r, const char *at) {
  struct word w;
  if (!read_word(r, &at, 't', &w) || *at || !is_bool(r, w.term))
    return refuse(r, "this is no formula");
  kernel_label(r->kernels[CLAIM_FORWARD], w.term, "PROOF", r->span, "what the proof says");
  return true;
}

static bool read_lemma(struct replay *r, const char *at) {
  struct word w;
  if (!read_word(r, &at, 't', &w) || *at || !is_bool(r, w.term))
    return refuse(r, "this is no formula");
  return kernel_lemma(r->k, r->span, w.term);
}

/* Of a claim of accuracy. */
static bool read_bound_end(struct replay *r, const char *at) {
  word_list w = {0};
  size_t loops = 0;
  r->direction = CLAIM_FORWARD;
  r->k = r->kernels[CLAIM_FORWARD];
  bool ok = replay_words(r, &at, "b", &w);
  for (; ok && *at; loops++)
    ok = replay_words(r, &at, "coo", &w);
  if (ok) {
    struct loop_variants variants = replay_variants(r, w.at + 1, loops);
    r->verdict = claim_conclude_accuracy(r->claim, w.at[0].bound, &variants);
    ok = r->verdict != CLAIM_NOT_PROVED;
  }
  r->is_done = true;
  vec_clear(&w);
  return ok;
}

/* law c I R M */
static bool read_law(struct replay *r, const char *at) {
  word_list w = {0};
  bool ok = replay_words(r, &at, "cooo", &w) && !*at;
  if (ok)
    vec_push(&r->laws, (struct loop_law){.loop = w.at[0].command,
                                         .invariant = w.at[1].term,
                                         .rank = w.at[2].term,
                                         .most = w.at[3].term});
  vec_clear(&w);
  return ok || refuse(r, "this is no law of a loop");
}

/* way t {t t}.. */
static bool read_way(struct replay *r, const char *at) {
  word_list w = {0};
  bool ok = r->laws.len && replay_words(r, &at, "t", &w);
  while (ok && *at)
    ok = replay_words(r, &at, "tt", &w);
  if (ok) {
    size_t count = (w.len - 1) / 2;
    term_id *vars = arena_alloc(r->arena, 2 * (count + 1) * sizeof *vars), *values = vars + count;
    for (size_t i = 0; i < count; i++) {
      vars[i] = w.at[1 + 2 * i].term;
      values[i] = w.at[2 + 2 * i].term;
    }
    struct loop_law *l = &vec_last(&r->laws);
    struct law_way *ways = arena_alloc(r->arena, (l->way_count + 1) * sizeof *ways);
    for (size_t i = 0; i < l->way_count; i++)
      ways[i] = l->ways[i];
    ways[l->way_count++] = (struct law_way){w.at[0].term, vars, values, count};
    l->ways = ways;
  }
  vec_clear(&w);
  return ok || refuse(r, "this is no part of a law");
}

static bool read_law_end(struct replay *r) {
  struct laws laws = {.loops = r->laws.at, .loop_count = r->laws.len};
  r->direction = CLAIM_FORWARD;
  r->k = r->kernels[CLAIM_FORWARD];
  r->verdict = claim_conclude_law(r->claim, &laws);
  r->is_done = true;
  return r->verdict != CLAIM_NOT_PROVED;
}

static bool read_end(struct replay *r, const char *at) {
  if (strcmp(at, " law") == 0) return read_law_end(r);
  if (strncmp(at, " b", 2) == 0) return read_bound_end(r, at);
  word_list w = {0};
  bool ok = replay_words(r, &at, "J", &w);
  bool alone = ok && strncmp(at, " -", 2) == 0;
  if (alone) at += 2;
  ok = ok && (alone || replay_words(r, &at, "J", &w));
  size_t loops = 0, first = w.len;
  for (; ok && *at; loops++)
    ok = replay_words(r, &at, "coo", &w);
  if (ok) {
    struct loop_variants variants = replay_variants(r, w.at + first, loops);
    r->k = r->kernels[CLAIM_FORWARD];
    r->verdict =
        claim_conclude(r->claim, w.at[0].judgement, alone ? NULL : w.at[1].judgement, &variants);
    ok = r->verdict != CLAIM_NOT_PROVED;
  }
  r->is_done = true;
  vec_clear(&w);
  return ok;
}

static bool read_value(struct replay *r, const char *at) {
  struct word name, value;
  return (read_word(r, &at, 't', &name) && read_word(r, &at, 't', &value) && !*at &&
          lemma_point_set(&r->point, r->ts, name.term, value.term)) ||
         refuse(r, "this is no value");
}

static bool read_witness(struct replay *r, const char *at) {
  struct word value;
  return (read_word(r, &at, 't', &value) && !*at &&
          lemma_point_add_witness(&r->point, r->ts, value.term)) ||
         refuse(r, "this is no value");
}

/* > RULE ARGUMENT.., in the context that the mark names; the rest of the line in *at. */
static bool read_context(struct replay *r, const char **at) {
  static const char *const marks[] = {">", "<", ">>", "<<"};
  for (size_t i = 0; i < CLAIM_CONTEXTS; i++) {
    size_t length = strlen(marks[i]);
    if (strncmp(*at, marks[i], length) != 0 || (*at)[length] != ' ') continue;
    r->direction = (enum claim_direction)i;
    r->k = r->kernels[i];
    *at += length;
    return true;
  }
  return false;
}

static bool read_call(struct replay *r, const char *at) {
  char name[REPLAY_NAME];
  if (!r->k || !read_name(&at, name)) return refuse(r, "this is no rule");
  if (strcmp(name, "lemma") == 0) return read_lemma(r, at);
  return r->claim ? replay_rule(r, name, at) : refuse(r, "a lemma needs no rules");
}

static const char *after(const char *line, const char *word) {
  size_t length = strlen(word);
  return strncmp(line, word, length) == 0 && line[length] == ' ' ? line + length : NULL;
}

static bool read_line(struct replay *r, const char *line) {
  const char *rest;
  if (r->is_done) return refuse(r, "there is something after the end");
  if ((rest = after(line, "=")))
    return term_read_line(&r->terms, rest + 1, strlen(rest + 1)) || refuse(r, "this is no term");
  if (r->is_false) {
    if ((rest = after(line, "at"))) return read_value(r, rest);
    if ((rest = after(line, "witness"))) return read_witness(r, rest);
    return refuse(r, "this line is not for lemmas that are false");
  }
  if (read_context(r, &line)) return read_call(r, line);
  if (!r->claim) return refuse(r, "this line is not for lemmas");
  if ((rest = after(line, ":"))) return read_command(r, rest);
  if ((rest = after(line, "flag"))) return read_flag(r, rest);
  if ((rest = after(line, "label"))) return read_label(r, rest);
  if ((rest = after(line, "law"))) return read_law(r, rest);
  if ((rest = after(line, "way"))) return read_way(r, rest);
  if ((rest = after(line, "end"))) return read_end(r, rest);
  return refuse(r, "this is no line of a derivation");
}

/* ---- the whole ------------------------------------------------------------------------------ */

static char *reason(const struct replay *r, size_t line) {
  const struct kernel_failure *f = r->k ? kernel_failure(r->k) : NULL;
  if (r->why) return xasprintf("line %zu of the derivation: %s", line, r->why);
  if (f && f->rule)
    return xasprintf("line %zu of the derivation: %s (rule %s)", line, f->message, f->rule);
  return xasprintf("line %zu of the derivation was refused", line);
}

/* From line number `first` on. */
static bool read_lines(struct replay *r, const call_list *calls, size_t first,
                       const struct budget *budget, char **why) {
  for (size_t i = first; i < calls->len; i++) {
    if (budget_is_spent(budget)) r->why = "out of time";
    if (r->why || !read_line(r, calls->at[i])) {
      *why = reason(r, i + 1);
      return false;
    }
  }
  return true;
}

static void replay_clear(struct replay *r) {
  term_reader_clear(&r->terms);
  vec_clear(&r->commands);
  vec_clear(&r->judgements);
  vec_clear(&r->bounds);
  vec_clear(&r->laws);
  lemma_point_clear(&r->point);
}

static enum claim_verdict replay_claim(struct claim *claim, const call_list *calls, size_t first,
                                       const struct budget *budget, char **why) {
  struct kernel *k = claim_kernel(claim, CLAIM_FORWARD);
  struct replay r = {.claim = claim,
                     .ts = kernel_terms(k),
                     .arena = kernel_arena(k),
                     .span = claim_decl(claim)->span,
                     .verdict = CLAIM_NOT_PROVED};
  for (size_t i = 0; i < CLAIM_CONTEXTS; i++)
    r.kernels[i] = claim_kernel(claim, (enum claim_direction)i);
  term_reader_init(&r.terms, r.ts);
  bool ok = read_lines(&r, calls, first, budget, why);
  if (ok && !r.is_done) *why = xstrdup("the derivation has no end");
  enum claim_verdict verdict = ok && r.is_done ? r.verdict : CLAIM_NOT_PROVED;
  replay_clear(&r);
  return verdict;
}

static enum claim_verdict conclude_lemma(const struct replay *r, struct lemma *lemma, char **why) {
  const char *reason = NULL;
  enum claim_verdict verdict =
      r->is_false ? lemma_refute(lemma, &r->point, &reason) : lemma_conclude(lemma);
  if (verdict != CLAIM_NOT_PROVED) return verdict;
  const struct kernel_failure *f = kernel_failure(r->kernels[0]);
  *why = reason ? xstrdup(reason) : xasprintf("%s (rule %s)", f->message, f->rule);
  return verdict;
}

static enum claim_verdict replay_lemma(struct lemma *lemma, bool is_false, const call_list *calls,
                                       const struct budget *budget, char **why) {
  struct kernel *k = lemma_kernel(lemma);
  struct replay r = {
      .is_false = is_false, .kernels = {k}, .ts = kernel_terms(k), .arena = kernel_arena(k)};
  term_reader_init(&r.terms, r.ts);
  enum claim_verdict verdict = CLAIM_NOT_PROVED;
  if (read_lines(&r, calls, 0, budget, why)) verdict = conclude_lemma(&r, lemma, why);
  replay_clear(&r);
  return verdict;
}

/* ---- what is to be shown -------------------------------------------------------------------- */

const struct ast_expr *replay_expression(struct lang *lang, const char *text) {
  size_t length = strlen(text);
  if (length > LIMIT_SOURCE_BYTES) return NULL;
  struct diag_mark mark = diags_mark(&lang->diags);
  const struct ast_expr *e =
      parse_expression(lang, sources_add(&lang->sources, "<certificate>", text, length));
  /* what cannot be read without an error is not evidence */
  if (lang->diags.errors != mark.errors) e = NULL;
  diags_rollback(&lang->diags, mark);
  return e;
}

static const struct ast_expr *expression_after(struct lang *lang, const char *rest) {
  return rest && rest[0] == ' ' ? replay_expression(lang, rest + 1) : NULL;
}

/* The lines `by` and `order`, of which there are *lines; false: they are no route. */
static bool read_route(struct lang *lang, const call_list *calls, struct claim_route *out,
                       size_t *lines) {
  static const enum notion notions[] = {NOTION_PURE, NOTION_RENYI, NOTION_ZCDP, NOTION_GAUSSIAN};
  char name[REPLAY_NAME];
  const char *at = calls->len ? after(calls->at[0], "by") : NULL;
  *lines = at ? 1 : 0;
  if (!at) return true;
  if (!read_name(&at, name)) return false;
  size_t i = 0, count = sizeof notions / sizeof *notions;
  while (i < count && strcmp(name, notion_word(notions[i])) != 0)
    i++;
  if (i == count) return false;
  out->notion = notions[i];
  out->cost = expression_after(lang, at);
  if (out->notion != NOTION_RENYI || !out->cost) return out->cost != NULL;
  out->order = expression_after(lang, calls->len > 1 ? after(calls->at[1], "order") : NULL);
  *lines = 2;
  return out->order != NULL;
}

static enum claim_verdict open_claim(const struct replay_goal *g, const call_list *calls,
                                     const struct budget *budget, const char **wrong, char **why) {
  struct claim_route route = {.span = g->decl->span};
  struct kernel_failure refusal;
  size_t lines;
  if (!read_route(g->lang, calls, &route, &lines)) {
    *wrong = "the derivation does not say which way it takes to the claim";
    return CLAIM_NOT_PROVED;
  }
  struct claim *claim = claim_open_by(g->lang, g->module, g->decl, g->epsilon,
                                      lines ? &route : NULL, g->terms, g->decider, &refusal);
  if (!claim) *wrong = refusal.message;
  enum claim_verdict verdict =
      claim ? replay_claim(claim, calls, lines, budget, why) : CLAIM_NOT_PROVED;
  claim_close(claim);
  return verdict;
}

static enum claim_verdict open_lemma(const struct replay_goal *g, const call_list *calls,
                                     const struct budget *budget, const char **wrong, char **why) {
  struct kernel_failure refusal;
  struct lemma *lemma = lemma_open(g->lang, g->module, g->decl, g->terms, g->decider, &refusal);
  if (!lemma) *wrong = refusal.message;
  enum claim_verdict verdict =
      lemma ? replay_lemma(lemma, g->is_false, calls, budget, why) : CLAIM_NOT_PROVED;
  lemma_close(lemma);
  return verdict;
}

enum claim_verdict replay_calls(const struct replay_goal *goal, const call_list *calls,
                                const struct budget *budget, char **why) {
  const char *wrong = NULL;
  enum claim_verdict verdict = goal->decl->kind == DECL_CLAIM
                                   ? open_claim(goal, calls, budget, &wrong, why)
                                   : open_lemma(goal, calls, budget, &wrong, why);
  if (verdict != CLAIM_PROVED && !*why)
    *why = xstrdup(wrong ? wrong : "the derivation was not accepted");
  return verdict;
}
