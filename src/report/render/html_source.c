#include "report/render/html_source.h"

#include <string.h>

#include "lang/format/words.h"
#include "lang/syntax/lex.h"
#include "lang/syntax/parse.h"
#include "report/render/html_put.h"

enum { SHORT_FILE = 80 }; /* lines: shown whole */

/* ---- colours --------------------------------------------------------------------------------- */

/* What the text is, as far as its words are concerned. */
enum text_kind { TEXT_SOURCE, TEXT_PROOF };

struct painter {
  enum text_kind kind;
  const struct ast_unit *unit; /* of a source; NULL if it is no .dp file */
  size_t next;                 /* for decl_around */
};

/* Is a name a word here? The words of automata also serve for .dipa files. */
static bool is_soft_word(struct painter *p, const struct token *t) {
  static const enum word_class classes[] = {WORD_CLAUSE, WORD_AUTOMATON, WORD_PROOF,
                                            WORD_PROOF_NAME, WORD_TYPE};
  if (p->kind == TEXT_PROOF) return word_is(t->text, WORD_PROOF);
  if (!p->unit) return word_is(t->text, WORD_AUTOMATON);
  const struct ast_decl *around = decl_around(p->unit, t->begin, &p->next);
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (word_class_applies(classes[i], around, t->begin) && word_is(t->text, classes[i]))
      return true;
  return false;
}

static char token_class(struct painter *p, const struct token *t, bool after_sample) {
  if (token_is_word(t->kind)) return 'k';
  if (t->kind == TOKEN_NUMBER) return 'n';
  if (t->kind == TOKEN_STRING) return 's';
  if (t->kind == TOKEN_SAMPLE) return 'o';
  if (t->kind == TOKEN_NAME && after_sample) return 'b';
  if (t->kind == TOKEN_NAME && t->text && is_soft_word(p, t)) return 'w';
  return 0;
}

/* One class per byte; 0: plain. The caller frees it. */
static char *colour(const char *text, size_t length, enum text_kind kind) {
  char *classes = xcalloc(length + 1, 1);
  struct lang lang;
  struct lexer lexer;
  lang_init(&lang);
  uint32_t file = sources_add(&lang.sources, "source", text, length);
  struct painter painter = {.kind = kind};
  if (kind == TEXT_SOURCE) painter.unit = parse_unit(&lang, file);
  if (lang.diags.errors) painter.unit = NULL;
  lexer_init(&lexer, &lang, file);
  bool after_sample = false;
  for (struct token t = lexer_next(&lexer); t.kind != TOKEN_END; t = lexer_next(&lexer)) {
    char c = token_class(&painter, &t, after_sample);
    if (c && t.end <= length) memset(classes + t.begin, c, t.end - t.begin);
    after_sample = t.kind == TOKEN_SAMPLE;
  }
  for (size_t i = 0; i < lexer.comments.len; i++) {
    const struct ast_comment *c = &lexer.comments.at[i];
    if (c->span.end <= length)
      memset(classes + c->span.begin, c->is_doc ? 'd' : 'c', c->span.end - c->span.begin);
  }
  lexer_clear(&lexer);
  lang_clear(&lang);
  return classes;
}

static void put_coloured(struct buffer *out, const char *text, const char *classes, size_t length) {
  for (size_t i = 0, end; i < length; i = end) {
    for (end = i + 1; end < length && classes[end] == classes[i];)
      end++;
    if (classes[i]) buffer_printf(out, "<span class=\"%c\">", classes[i]);
    html_text_n(out, text + i, end - i);
    if (classes[i]) buffer_puts(out, "</span>");
  }
}

/* ---- what happens at a line ------------------------------------------------------------------ */

/* Nodes of the explanation that have something to say at their line. */
struct remark {
  const json_t *node;
  const char *direction; /* NULL: the only one */
  unsigned branch;       /* of a case distinction, from 1; 0: none */
  const char *given;     /* when it is this branch; NULL: not known */
  const char *around;    /* when the distinction itself is reached; NULL: always, or not known */
  size_t line;
};
typedef VEC(struct remark) remark_list;

/* Do they show the same? */
static bool is_equal(const json_t *a, const json_t *b) {
  if (json_object_get(a, "left") || json_object_get(a, "invariant"))
    return json_equal(json_object_get(a, "left"), json_object_get(b, "left")) &&
           json_equal(json_object_get(a, "invariant"), json_object_get(b, "invariant"));
  return json_equal(json_object_get(a, "coupling"), json_object_get(b, "coupling")) &&
         json_equal(json_object_get(json_object_get(a, "budget"), "before"),
                    json_object_get(json_object_get(b, "budget"), "before"));
}

static bool is_same_text(const char *a, const char *b) {
  return a && b ? strcmp(a, b) == 0 : a == b;
}

/* In both branches of a distinction: said where it is reached. */
static void leave_branches(struct remark *r) {
  r->branch = r->around ? r->branch : 0;
  r->given = r->around;
  r->around = NULL;
}

/* What is the same in both cases or directions is said once, without naming them. */
static void add_remark(remark_list *list, struct remark r) {
  for (size_t i = 0; i < list->len; i++) {
    struct remark *old = &list->at[i];
    if (old->line != r.line || !is_equal(old->node, r.node)) continue;
    bool same_case = old->branch == r.branch && is_same_text(old->given, r.given);
    bool same_direction = old->direction == r.direction;
    if (!same_case && !(same_direction && is_same_text(old->around, r.around))) continue;
    if (!same_case) leave_branches(old);
    if (!same_direction) old->direction = NULL;
    return;
  }
  vec_push(list, r);
}

static void collect(remark_list *list, const json_t *nodes, struct remark common,
                    const char *path) {
  size_t i;
  json_t *node;
  json_array_foreach(nodes, i, node) {
    const json_t *at = json_object_get(node, "location"), *steps = json_object_get(node, "steps");
    const char *file = json_text(at, "file");
    const json_t *branch = json_object_get(node, "case");
    bool speaks = json_object_get(node, "coupling") || json_object_get(node, "left") ||
                  json_object_get(node, "invariant");
    struct remark here = common;
    if (branch) here.branch = (unsigned)json_integer_value(branch);
    if (branch) here.around = common.given;
    if (branch) here.given = json_text(node, "given");
    here.node = node;
    here.line = (size_t)json_integer_value(json_object_get(at, "line"));
    if (speaks && file && strcmp(file, path) == 0) add_remark(list, here);
    collect(list, steps, here, path);
  }
}

static void collect_remarks(remark_list *list, const struct claim_record *c, const char *path) {
  const json_t *all = json_object_get(c->detail, "explanation");
  size_t i;
  json_t *one;
  json_array_foreach(all, i, one) {
    const char *direction = json_array_size(all) > 1 ? json_text(one, "direction") : NULL;
    collect(list, json_object_get(one, "steps"), (struct remark){.direction = direction}, path);
  }
}

static void put_cases(struct buffer *out, const json_t *cases) {
  size_t i;
  json_t *one;
  buffer_puts(out, "<ul>");
  json_array_foreach(cases, i, one) {
    const char *when = json_text(one, "when"), *cost = json_text(one, "cost");
    bool free = cost && strcmp(cost, "0") == 0;
    buffer_puts(out, "<li>");
    if (when) {
      buffer_puts(out, "<span class=\"when\">if ");
      html_code(out, when);
      buffer_puts(out, ":</span> ");
    } else if (i) {
      buffer_puts(out, "<span class=\"when\">otherwise:</span> ");
    }
    html_code(out, json_text(one, "relation"));
    if (cost) {
      buffer_printf(out, " <span class=\"cost%s\">costs ", free ? " free" : "");
      html_code(out, cost);
      buffer_puts(out, "</span>");
    }
    buffer_puts(out, "</li>");
  }
  buffer_puts(out, "</ul>");
}

static void put_remark(struct buffer *out, const struct remark *r) {
  const json_t *cases = json_object_get(r->node, "coupling"),
               *budget = json_object_get(r->node, "budget");
  const char *before = json_text(budget, "before"), *after = json_text(budget, "after"),
             *left = json_text(r->node, "left");
  buffer_puts(out, "<div class=\"note\">");
  if (r->direction || r->branch) {
    buffer_puts(out, "<span class=\"label\">");
    html_text(out, r->direction);
    if (r->branch) buffer_puts(out, r->direction ? ", " : "");
    if (r->branch) html_case(out, r->branch, r->given);
    buffer_puts(out, "</span>");
  }
  if (cases) put_cases(out, cases);
  if (json_text(r->node, "invariant")) {
    buffer_puts(out, "<span class=\"left\">in every iteration: ");
    html_code(out, json_text(r->node, "invariant"));
    buffer_puts(out, "</span>");
  }
  if (left) {
    buffer_puts(out, "<span class=\"left\">left before each iteration: ");
    html_code(out, left);
    buffer_puts(out, "</span>");
  } else if (before && after && strcmp(before, after) != 0) {
    buffer_puts(out, "<span class=\"left\">budget ");
    html_code(out, before);
    if (json_array_size(cases) == 1) { /* else it depends on the case */
      buffer_puts(out, " → ");
      html_code(out, after);
    }
    buffer_puts(out, "</span>");
  }
  buffer_puts(out, "</div>\n");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A run of lines, from 1, both inclusive; 0: none. */
struct range {
  size_t first, last;
};

struct listing {
  struct buffer *out;
  const char *text, *classes;
  const remark_list *remarks;
  size_t id; /* of the claim; 0: lines have no anchors */
};

static void put_line(const struct listing *l, size_t number, const char *line, size_t length) {
  bool pays = false;
  for (size_t i = 0; l->remarks && i < l->remarks->len; i++)
    pays |= l->remarks->at[i].line == number;
  buffer_printf(l->out, "<div class=\"line%s\" data-n=\"%zu\"", pays ? " pays" : "", number);
  if (l->id)
    buffer_printf(l->out, " id=\"c%zu-%zu\" data-pays=\"c%zu-%zu\"", l->id, number, l->id, number);
  buffer_puts(l->out, ">");
  put_coloured(l->out, line, l->classes + (line - l->text), length);
  buffer_puts(l->out, "</div>\n");
  for (size_t i = 0; l->remarks && i < l->remarks->len; i++)
    if (l->remarks->at[i].line == number) put_remark(l->out, &l->remarks->at[i]);
}

static bool is_inside(const struct range *ranges, size_t count, size_t number) {
  for (size_t i = 0; i < count; i++)
    if (ranges[i].first <= number && number <= ranges[i].last) return true;
  return false;
}

static void put_lines(const struct listing *l, const struct range *ranges, size_t count) {
  size_t number = 0;
  bool gap = false, begun = false;
  for (const char *line = l->text; *line;) {
    size_t length = strcspn(line, "\n"), shown = length;
    if (shown && line[shown - 1] == '\r') shown--;
    if (is_inside(ranges, count, ++number)) {
      if (gap && begun) buffer_puts(l->out, "<div class=\"gap\">⋯</div>\n");
      put_line(l, number, line, shown);
      gap = false;
      begun = true;
    } else {
      gap = true;
    }
    line += length + (line[length] == '\n');
  }
}

/* Comment lines just above belong to what follows. */
static size_t with_comments(const char *text, size_t first) {
  size_t number = 1, start = first;
  for (const char *line = text; *line && number < first; number++) {
    size_t length = strcspn(line, "\n"), space = strspn(line, " \t");
    bool comment = space + 1 < length && line[space] == '/' && line[space + 1] == '/';
    if (!comment)
      start = first;
    else if (start == first)
      start = number;
    line += length + (line[length] == '\n');
  }
  return start;
}

static const char *source_text(const struct file_record *file, const char *path) {
  size_t i;
  json_t *one;
  json_array_foreach(file->sources, i, one) {
    const char *name = json_text(one, "path");
    if (name && strcmp(name, path) == 0) return json_text(one, "text");
  }
  return NULL;
}

static size_t count_lines(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

static void put_listing(struct buffer *out, const char *path, const struct claim_record *c,
                        const char *text, const struct range *ranges, size_t count, size_t id) {
  char *classes = colour(text, strlen(text), TEXT_SOURCE);
  remark_list remarks = {0};
  collect_remarks(&remarks, c, path);
  buffer_puts(out, "<div class=\"source\" tabindex=\"0\" role=\"group\" aria-label=\"Source of ");
  html_attr(out, c->subject ? c->subject : c->name);
  buffer_puts(out, "\">\n");
  put_lines(&(struct listing){out, text, classes, &remarks, id}, ranges, count);
  buffer_puts(out, "</div>\n");
  vec_clear(&remarks);
  free(classes);
}

void html_source(struct buffer *out, const struct file_record *file, const struct claim_record *c,
                 size_t id) {
  const struct record_place *own = &c->place, *subject = &c->subject_place;
  const char *text = own->path ? source_text(file, own->path) : NULL;
  if (!text) return;
  bool elsewhere = subject->path && strcmp(subject->path, own->path) != 0;
  bool whole = count_lines(text) <= SHORT_FILE && file->claims.len <= 2;
  if (elsewhere) { /* the mechanism is in an included file */
    const char *other = source_text(file, subject->path);
    struct range r = {other ? with_comments(other, subject->line) : 0, subject->end_line};
    if (other) put_listing(out, subject->path, c, other, &r, 1, 0);
  }
  struct range ranges[] = {
      {whole ? 1 : with_comments(text, own->line), whole ? SIZE_MAX : own->end_line}, {0, 0}};
  if (!elsewhere && !whole && subject->line)
    ranges[1] = (struct range){with_comments(text, subject->line), subject->end_line};
  put_listing(out, own->path, c, text, ranges, 2, id);
}

void html_proof_text(struct buffer *out, const char *text) {
  char *classes = colour(text, strlen(text), TEXT_PROOF);
  buffer_puts(out, "<div class=\"source\" tabindex=\"0\" role=\"group\" "
                   "aria-label=\"Proof that was found\">\n");
  struct range all = {1, SIZE_MAX};
  put_lines(&(struct listing){out, text, classes, NULL, 0}, &all, 1);
  buffer_puts(out, "</div>\n");
  free(classes);
}
