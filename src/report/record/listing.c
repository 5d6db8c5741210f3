#include "report/record/listing.h"

#include <string.h>

#include "proof/explain.h"

struct listing {
  struct lang *lang;
  uint32_t file;
  unsigned first, last; /* lines */
  json_t *lines;
};

static unsigned line_at(struct lang *lang, uint32_t file, uint32_t offset) {
  return sources_place(&lang->sources, file, offset).line;
}

bool listing_is_virtual(struct lang *lang, uint32_t file) {
  return sources_get(&lang->sources, file)->path[0] == '<';
}

/* A note belongs to the line where its statement begins; what stands elsewhere (an inlined
 * procedure, a step of the proof) names its place, if it has one, at the top. */
static void add_note(struct listing *l, struct span span, const char *text) {
  if (!span.file) return;
  unsigned line = line_at(l->lang, span.file, span.begin);
  bool inside = span.file == l->file && line >= l->first && line <= l->last;
  json_t *entry = json_array_get(l->lines, inside ? line - l->first : 0);
  bool unnamed = inside || listing_is_virtual(l->lang, span.file);
  char *note = unnamed ? xstrdup(text) : xasprintf("line %u: %s", line, text);
  json_t *notes = json_object_get(entry, "notes");
  size_t i;
  json_t *old;
  bool known = false;
  json_array_foreach(notes, i, old) {
    known = known || strcmp(json_string_value(old), note) == 0;
  }
  if (!known) json_array_append_new(notes, json_string(note));
  free(note);
}

static void note_coupling(struct listing *l, const struct explain_node *n) {
  for (size_t i = 0; i < n->case_count; i++) {
    const struct explain_case *c = &n->cases[i];
    bool is_free = !c->cost || strcmp(c->cost, "0") == 0;
    struct buffer b;
    buffer_init(&b);
    if (c->when)
      buffer_printf(&b, "%s %s: ", i ? "else if" : "if", c->when);
    else if (i)
      buffer_puts(&b, "otherwise: ");
    buffer_puts(&b, c->relation);
    if (is_free)
      buffer_puts(&b, ", free");
    else
      buffer_printf(&b, ", costs %s", c->cost);
    add_note(l, n->span, buffer_text(&b));
    buffer_clear(&b);
  }
}

static void note_loop(struct listing *l, const struct explain_node *n) {
  if (n->invariant) {
    char *text = xasprintf("in every iteration: %s", n->invariant);
    add_note(l, n->span, text);
    free(text);
  }
  if (n->left) {
    char *text = xasprintf("budget left before each: %s", n->left);
    add_note(l, n->span, text);
    free(text);
  }
}

static void note_nodes(struct listing *l, const struct explain_node *nodes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const struct explain_node *n = &nodes[i];
    if (n->case_count)
      note_coupling(l, n);
    else if (strcmp(n->rule, "RND") == 0 || strcmp(n->rule, "ADV") == 0 ||
             strcmp(n->rule, "PW-EQ") == 0 || strcmp(n->rule, "UNTIL") == 0)
      add_note(l, n->span, n->words);
    note_loop(l, n);
    note_nodes(l, n->children, n->child_count);
  }
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

static json_t *payments_of(struct lang *lang, const struct explanation *e) {
  json_t *list = json_array();
  for (size_t i = 0; i < e->payment_count; i++) {
    const struct explain_payment *p = &e->payments[i];
    unsigned line = p->span.file ? line_at(lang, p->span.file, p->span.begin) : 0;
    char *text = xasprintf("%s for %s at line %u", p->cost ? p->cost : "an amount that varies",
                           p->is_loop ? "the loop" : "the sampling", line);
    json_array_append_new(list, json_string(text));
    free(text);
  }
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
  note_nodes(&l, r->forward->steps, r->forward->count);
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
