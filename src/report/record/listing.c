#include "report/record/listing.h"

#include <string.h>

#include "proof/explain.h"

/* What a step of the proof says at its statement. */
struct remark {
  struct span span;
  json_t *notes;     /* texts */
  const char *given; /* the case that it is about; NULL: any */
  bool is_common;    /* said in both cases of the distinction that is looked at */
  bool is_gone;      /* said already */
};

struct listing {
  struct lang *lang;
  uint32_t file;
  unsigned first, last; /* lines */
  json_t *lines;
  VEC(struct remark) remarks;
};

static unsigned line_at(struct lang *lang, uint32_t file, uint32_t offset) {
  return sources_place(&lang->sources, file, offset).line;
}

bool listing_is_virtual(struct lang *lang, uint32_t file) {
  return sources_get(&lang->sources, file)->path[0] == '<';
}

/* ---- what is said at the lines --------------------------------------------------------------- */

static void say(struct remark *r, char *text) {
  json_array_append_new(r->notes, json_string(text));
  free(text);
}

static char *coupling_text(const struct explain_case *c, size_t number) {
  bool is_free = !c->cost || strcmp(c->cost, "0") == 0;
  struct buffer b;
  buffer_init(&b);
  if (c->when)
    buffer_printf(&b, "%s %s: ", number ? "else if" : "if", c->when);
  else if (number)
    buffer_puts(&b, "otherwise: ");
  buffer_puts(&b, c->relation);
  if (is_free)
    buffer_puts(&b, ", free");
  else
    buffer_printf(&b, ", costs %s", c->cost);
  char *text = xstrdup(buffer_text(&b));
  buffer_clear(&b);
  return text;
}

static bool speaks_for_itself(const struct explain_node *n) {
  return strcmp(n->rule, "RND") == 0 || strcmp(n->rule, "ADV") == 0 ||
         strcmp(n->rule, "PW-EQ") == 0 || strcmp(n->rule, "UNTIL") == 0;
}

static void collect_own(struct listing *l, const struct explain_node *n) {
  struct remark r = {.span = n->span, .notes = json_array()};
  for (size_t i = 0; i < n->case_count; i++)
    say(&r, coupling_text(&n->cases[i], i));
  if (!n->case_count && speaks_for_itself(n)) say(&r, xstrdup(n->words));
  if (n->invariant) say(&r, xasprintf("in every iteration: %s", n->invariant));
  if (n->left) say(&r, xasprintf("budget left before each: %s", n->left));
  if (n->span.file && json_array_size(r.notes))
    vec_push(&l->remarks, r);
  else
    json_decref(r.notes);
}

static bool is_same(const struct remark *a, const struct remark *b) {
  bool same_given = a->given && b->given ? strcmp(a->given, b->given) == 0 : a->given == b->given;
  return !a->is_gone && !b->is_gone && a->span.file == b->span.file &&
         a->span.begin == b->span.begin && same_given && json_equal(a->notes, b->notes);
}

/* Takes out of [middle, end) what [begin, middle) says as well; it is said in any case then. */
static void find_common(struct listing *l, size_t begin, size_t middle) {
  for (size_t i = begin; i < middle; i++)
    for (size_t k = middle; k < l->remarks.len; k++)
      if (is_same(&l->remarks.at[i], &l->remarks.at[k]))
        l->remarks.at[k].is_gone = l->remarks.at[i].is_common = true;
}

static void collect_cases(struct listing *l, const struct explain_node *nodes);

static void collect(struct listing *l, const struct explain_node *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct explain_node *n = &nodes[i];
    collect_own(l, n);
    if (n->child_count == 2 && n->children[1].branch == 2)
      collect_cases(l, n->children);
    else
      collect(l, n->children, n->child_count);
  }
}

static void give(struct listing *l, size_t begin, size_t end, const char *given) {
  for (size_t i = begin; i < end; i++) {
    struct remark *r = &l->remarks.at[i];
    if (!r->given && !r->is_common) r->given = given;
    r->is_common = false;
  }
}

/* The two branches of a case distinction. */
static void collect_cases(struct listing *l, const struct explain_node *nodes) {
  size_t begin = l->remarks.len;
  collect(l, &nodes[0], 1);
  size_t middle = l->remarks.len;
  collect(l, &nodes[1], 1);
  find_common(l, begin, middle);
  give(l, begin, middle, nodes[0].given);
  give(l, middle, l->remarks.len, nodes[1].given);
}

/* ---- as lines -------------------------------------------------------------------------------- */

/* A note belongs to the line where its statement begins; what stands elsewhere (an inlined
 * procedure, a step of the proof) names its place, if it has one, at the top. */
static void add_note(struct listing *l, struct span span, const char *text) {
  unsigned line = line_at(l->lang, span.file, span.begin);
  bool inside = span.file == l->file && line >= l->first && line <= l->last;
  json_t *entry = json_array_get(l->lines, inside ? line - l->first : 0);
  bool unnamed = inside || listing_is_virtual(l->lang, span.file);
  char *note = unnamed ? xstrdup(text) : xasprintf("line %u: %s", line, text);
  json_array_append_new(json_object_get(entry, "notes"), json_string(note));
  free(note);
}

/* What holds in one case only stands below its condition. */
static void add_remark(struct listing *l, const struct remark *r) {
  size_t i, count = json_array_size(r->notes);
  json_t *note;
  if (r->given && count > 1) {
    char *head = xasprintf("if %s:", r->given);
    add_note(l, r->span, head);
    free(head);
  }
  json_array_foreach(r->notes, i, note) {
    const char *own = json_string_value(note);
    char *text = !r->given   ? xstrdup(own)
                 : count > 1 ? xasprintf("  %s", own)
                             : xasprintf("if %s: %s", r->given, own);
    add_note(l, r->span, text);
    free(text);
  }
}

static void add_remarks(struct listing *l) {
  for (size_t i = 0; i < l->remarks.len; i++) {
    struct remark *r = &l->remarks.at[i];
    for (size_t k = 0; k < i && !r->is_gone; k++)
      r->is_gone = is_same(r, &l->remarks.at[k]);
    if (!r->is_gone) add_remark(l, r);
  }
  for (size_t i = 0; i < l->remarks.len; i++)
    json_decref(l->remarks.at[i].notes);
  vec_clear(&l->remarks);
}

static void add_lines(struct listing *l, struct shown_span shown) {
  struct source *source = shown.source;
  for (unsigned line = l->first; line <= l->last; line++) {
    const char *text;
    size_t length;
    source_line(source, shown.begin, &text, &length);
    json_array_append_new(
        l->lines, json_pack("{s:i, s:s%, s:[]}", "line", (int)line, "text", text, length, "notes"));
    const char *end = memchr(source->text + shown.begin, '\n', source->length - shown.begin);
    if (!end) break;
    shown.begin = (uint32_t)(end + 1 - source->text);
  }
}

static char *payment_text(struct lang *lang, const struct explain_payment *p) {
  unsigned line = p->span.file ? line_at(lang, p->span.file, p->span.begin) : 0;
  return xasprintf("%s for %s at line %u", p->cost ? p->cost : "an amount that varies",
                   p->is_loop ? "the loop" : "the sampling", line);
}

/* Cases that pay; each of them comes in one piece. */
static size_t paying_cases(const struct explanation *e) {
  size_t count = 0;
  for (size_t i = 0; i < e->payment_count; i++)
    if (i == 0 || e->payments[i].branch != e->payments[i - 1].branch) count++;
  return count;
}

/* What is paid in every case alike is said once, and what is paid in one only with its condition. */
static json_t *payments_of(struct lang *lang, const struct explanation *e) {
  json_t *list = json_array(), *bare = json_array(), *text;
  size_t cases = paying_cases(e), i, k;
  for (i = 0; i < e->payment_count; i++) {
    char *own = payment_text(lang, &e->payments[i]);
    json_array_append_new(bare, json_string(own));
    free(own);
  }
  for (i = 0; i < e->payment_count; i++) {
    const char *given = e->payments[i].given, *own = json_string_value(json_array_get(bare, i));
    size_t alike = 0, before = 0;
    json_array_foreach(bare, k, text) {
      bool is_alike = strcmp(json_string_value(text), own) == 0;
      alike += is_alike;
      before += is_alike && k < i;
    }
    bool in_all = cases > 1 && alike == cases;
    if (in_all && before) continue;
    char *words = given && !in_all ? xasprintf("%s if %s", own, given) : xstrdup(own);
    json_array_append_new(list, json_string(words));
    free(words);
  }
  json_decref(bare);
  return list;
}

json_t *listing_json(struct lang *lang, const struct ast_decl *mechanism,
                     const struct proof_result *r) {
  if (!r->forward || !mechanism->span.file) return NULL;
  struct shown_span shown = sources_shown(&lang->sources, mechanism->span);
  struct listing l = {.lang = lang,
                      .file = mechanism->span.file,
                      .first = source_place(shown.source, shown.begin).line,
                      .last = source_place(shown.source, shown.end ? shown.end - 1 : 0).line,
                      .lines = json_array()};
  add_lines(&l, shown);
  collect(&l, r->forward->steps, r->forward->count);
  add_remarks(&l);
  return json_pack("{s:o, s:o, s:s}", "lines", l.lines, "payments", payments_of(lang, r->forward),
                   "total", r->forward->total);
}

/* ---- text ----------------------------------------------------------------------------------- */

void listing_text(struct buffer *out, const json_t *listing) {
  size_t i, k;
  json_t *line, *note, *payment;
  json_array_foreach(json_object_get(listing, "lines"), i, line) {
    const char *text = json_string_value(json_object_get(line, "text"));
    size_t indent = strspn(text, " ");
    buffer_printf(out, "%5d | %s\n", (int)json_integer_value(json_object_get(line, "line")), text);
    json_array_foreach(json_object_get(line, "notes"), k, note) {
      buffer_puts(out, "      | ");
      buffer_fill(out, ' ', indent);
      buffer_printf(out, "  ~ %s\n", json_string_value(note));
    }
  }
  const json_t *payments = json_object_get(listing, "payments");
  buffer_printf(out, "Where %s goes:", json_string_value(json_object_get(listing, "total")));
  json_array_foreach(payments, i, payment)
      buffer_printf(out, "%s %s", i ? "," : "", json_string_value(payment));
  buffer_puts(out, json_array_size(payments) ? "\n" : " nothing is paid\n");
}

void strategy_text(struct buffer *out, const json_t *moves) {
  size_t i;
  json_t *move;
  json_array_foreach(moves, i, move)
      buffer_printf(out, "  %s\n    ~ %s\n", json_string_value(json_object_get(move, "edge")),
                    json_string_value(json_object_get(move, "text")));
  buffer_puts(out, "(A shift is how much higher run 2's sample is than run 1's, the difference how "
                   "much higher its input is.\nCosts are multiples of eps.)\n");
}
