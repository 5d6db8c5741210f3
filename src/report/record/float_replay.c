#include "report/record/float_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/float_count.h"
#include "out/binary64_text.h"

enum { MOST_ROWS = 5, LONG_TEXT = 60 };

/* ---- expressions of C ----------------------------------------------------------------------- */

/* pipeline_of has seen to it that it fits. */
static void put_whole(struct buffer *out, wide whole) {
  if (whole > INT64_MAX)
    buffer_printf(out, "%" PRIu64 "u", (uint64_t)whole);
  else
    buffer_printf(out, "%" PRId64, (int64_t)whole);
}

static bool is_negative(const struct node *n) {
  return n->sort == NODE_INT ? n->value.whole < 0
                             : n->sort == NODE_FLOAT && binary64_is_negative(n->value.bits);
}

/* A float of 32 bits has its suffix: C computes with it as with one. */
static void put_constant(struct buffer *out, const struct node *n) {
  if (is_negative(n)) buffer_putc(out, '(');
  if (n->sort == NODE_BOOL)
    buffer_puts(out, n->value.truth ? "1" : "0");
  else if (n->sort == NODE_INT)
    put_whole(out, n->value.whole);
  else
    binary64_print_hex(out, n->value.bits);
  if (n->sort == NODE_FLOAT && n->format == BINARY32) buffer_putc(out, 'f');
  if (is_negative(n)) buffer_putc(out, ')');
}

static const char *function_name(enum builtin f) {
  switch (f) {
  case BUILTIN_LN: return "log";
  case BUILTIN_EXP: return "exp";
  case BUILTIN_SQRT: return "sqrt";
  case BUILTIN_SIN: return "sin";
  case BUILTIN_COS: return "cos";
  case BUILTIN_LOG1P: return "log1p";
  case BUILTIN_EXPM1: return "expm1";
  case BUILTIN_FLOOR: return "floor";
  case BUILTIN_CEIL: return "ceil";
  case BUILTIN_ROUND: return "rint";
  case BUILTIN_ABS: return "fabs";
  case BUILTIN_MIN: return "fmin";
  case BUILTIN_MAX: return "fmax";
  default: return "fma";
  }
}

static const char *operator_text(enum binary_op op) {
  switch (op) {
  case BINARY_EQ: return "==";
  case BINARY_NE: return "!=";
  case BINARY_LT: return "<";
  case BINARY_LE: return "<=";
  case BINARY_GT: return ">";
  case BINARY_GE: return ">=";
  case BINARY_ADD: return "+";
  case BINARY_SUB: return "-";
  case BINARY_MUL: return "*";
  default: return "/";
  }
}

/* The program as it is written: one text per node, an expression or the name of a variable. */
struct writer {
  const struct pipeline
      *p[2]; /* of both runs; the second is NULL if they differ in more than constants */
  struct buffer *out;
  size_t *uses, inputs;
  char **texts;
};

/* The text with the k-th argument in place of each $k. */
static void put_filled(struct buffer *out, const struct writer *w, const struct node *n,
                       const char *text) {
  for (; *text; text++) {
    if (*text == '$')
      buffer_puts(out, w->texts[n->args[*++text - '0']]);
    else
      buffer_putc(out, *text);
  }
}

static void put_binary(struct buffer *out, const struct writer *w, const struct node *n) {
  if (n->op == BINARY_MOD) {
    put_filled(out, w, n, "($0 % $1 + $1) % $1");
  } else if (n->op == BINARY_IDIV) { /* rounds down */
    put_filled(out, w, n, "($0 - ($0 % $1 + $1) % $1) / $1");
  } else {
    put_filled(out, w, n, "$0 ");
    buffer_puts(out, operator_text(n->op));
    put_filled(out, w, n, " $1");
  }
}

static const char *c_type(const struct node *n) {
  if (n->sort == NODE_FLOAT) return n->format == BINARY32 ? "float" : "double";
  return n->sort == NODE_INT ? "whole" : "int";
}

static void put_node(struct buffer *out, const struct writer *w, const struct node *n) {
  switch (n->kind) {
  case NODE_CONSTANT: put_constant(out, n); break;
  case NODE_WORD: buffer_printf(out, "w%zu", n->word); break;
  case NODE_NEGATE: put_filled(out, w, n, "-$0"); break;
  case NODE_CONVERT:
    buffer_printf(out, "(%s)", c_type(n));
    put_filled(out, w, n, "$0");
    break;
  case NODE_PERHAPS: put_filled(out, w, n, "$0"); break;
  case NODE_NOT: put_filled(out, w, n, "!$0"); break;
  case NODE_AND: put_filled(out, w, n, "$0 && $1"); break;
  case NODE_SELECT: put_filled(out, w, n, "$0 ? $1 : $2"); break;
  case NODE_ANY: buffer_puts(out, n->sort == NODE_FLOAT ? "NAN" : "0"); break;
  case NODE_BINARY: put_binary(out, w, n); break;
  case NODE_CALL:
    buffer_printf(out, "%s%s(", function_name(n->builtin), n->format == BINARY32 ? "f" : "");
    put_filled(out, w, n, n->count == 1 ? "$0)" : n->count == 2 ? "$0, $1)" : "$0, $1, $2)");
    break;
  }
}

static bool is_atom(const struct node *n) {
  return n->kind == NODE_CONSTANT || n->kind == NODE_WORD || n->kind == NODE_ANY ||
         n->kind == NODE_CALL;
}

static bool same_value(const struct node *a, const struct node *b) {
  switch (a->sort) {
  case NODE_BOOL: return a->value.truth == b->value.truth;
  case NODE_INT: return a->value.whole == b->value.whole;
  default: return a->value.bits == b->value.bits;
  }
}

/* A constant that is not the same in both runs: one variable for all with these values. */
static bool name_input(struct writer *w, size_t i) {
  const struct node *a = &w->p[0]->nodes.at[i], *b = w->p[1] ? &w->p[1]->nodes.at[i] : NULL;
  if (a->kind != NODE_CONSTANT || !b || same_value(a, b)) return false;
  for (size_t k = 0; k < i; k++) {
    const struct node *c = &w->p[0]->nodes.at[k], *d = &w->p[1]->nodes.at[k];
    if (!w->texts[k] || c->kind != NODE_CONSTANT || c->sort != a->sort || c->format != a->format ||
        !same_value(a, c) || !same_value(b, d))
      continue;
    w->texts[i] = xstrdup(w->texts[k]);
    return true;
  }
  w->texts[i] = w->inputs++ ? xasprintf("x%zu", w->inputs) : xstrdup("x");
  buffer_printf(w->out, "  %s %s = run == 1 ? ", c_type(a), w->texts[i]);
  put_constant(w->out, a);
  buffer_puts(w->out, " : ");
  put_constant(w->out, b);
  buffer_puts(w->out, ";\n");
  return true;
}

/* What is used twice, or long, is a variable. */
static void name_node(struct writer *w, size_t i) {
  const struct node *n = &w->p[0]->nodes.at[i];
  struct buffer text;
  if (!w->uses[i] || name_input(w, i)) return;
  buffer_init(&text);
  put_node(&text, w, n);
  const bool is_short = strlen(buffer_text(&text)) <= LONG_TEXT;
  if (n->kind == NODE_CONSTANT || n->kind == NODE_WORD || (w->uses[i] == 1 && is_short)) {
    w->texts[i] = is_atom(n) ? buffer_take(&text) : xasprintf("(%s)", buffer_text(&text));
  } else {
    buffer_printf(w->out, "  %s v%zu = %s;\n", c_type(n), i, buffer_text(&text));
    w->texts[i] = xasprintf("v%zu", i);
  }
  buffer_clear(&text);
}

static void count_uses(size_t *uses, const struct pipeline *p) {
  for (size_t i = 0; i < p->result_count; i++)
    uses[p->results[i]]++;
  for (size_t i = p->nodes.len; i-- > 0;)
    for (size_t k = 0; uses[i] && k < p->nodes.at[i].count; k++)
      uses[p->nodes.at[i].args[k]]++;
}

/* ---- the program ---------------------------------------------------------------------------- */

/* Both runs, the words of the first one, and what is shown of the second. */
struct replay {
  const struct pipeline *p[2];
  wide words[LIMIT_PIPELINE_WORDS];
  struct monotone_bounds outputs[LIMIT_PIPELINE_OUTPUTS];
  wide rows[MOST_ROWS][LIMIT_PIPELINE_WORDS];
  size_t row_count;
  bool second_can; /* one of the rows has the output too */
};

/* Do the runs differ in constants only? */
static bool same_graph(const struct pipeline *a, const struct pipeline *b) {
  if (a->nodes.len != b->nodes.len || a->words.len != b->words.len ||
      a->result_count != b->result_count ||
      memcmp(a->results, b->results, a->result_count * sizeof *a->results) != 0)
    return false;
  for (size_t i = 0; i < a->nodes.len; i++) {
    const struct node *x = &a->nodes.at[i], *y = &b->nodes.at[i];
    if (x->kind != y->kind || x->sort != y->sort || x->format != y->format || x->op != y->op ||
        x->builtin != y->builtin || x->count != y->count || x->word != y->word ||
        memcmp(x->args, y->args, x->count * sizeof *x->args) != 0)
      return false;
  }
  return true;
}

static void put_word_list(struct buffer *out, size_t count, const char *before) {
  for (size_t i = 0; i < count; i++)
    buffer_printf(out, "%s%sw%zu", i ? ", " : "", before, i);
}

/* p[1]: NULL, or of the same graph. */
static void put_run(struct buffer *out, const struct pipeline *first, const struct pipeline *second,
                    const char *name) {
  struct writer w = {.p = {first, second}, .out = out};
  w.uses = xcalloc(first->nodes.len + 1, sizeof *w.uses);
  w.texts = xcalloc(first->nodes.len + 1, sizeof *w.texts);
  count_uses(w.uses, first);
  buffer_printf(out, "static void %s(int run, ", name);
  put_word_list(out, first->words.len, "whole ");
  buffer_puts(out, ", double *y) {\n");
  for (size_t i = 0; i < first->nodes.len; i++)
    name_node(&w, i);
  for (size_t i = 0; i < first->result_count; i++) {
    char *text = w.texts[first->results[i]];
    const size_t length = strlen(text);
    const bool bare = text[0] == '(' && first->nodes.at[first->results[i]].kind != NODE_CONSTANT &&
                      first->nodes.at[first->results[i]].kind != NODE_CALL;
    buffer_printf(out, "  y[%zu] = %.*s;\n", i, (int)(bare ? length - 2 : length),
                  bare ? text + 1 : text);
  }
  buffer_puts(out, "}\n");
  for (size_t i = 0; i < first->nodes.len; i++)
    free(w.texts[i]);
  free(w.texts);
  free(w.uses);
}

static void put_runs(struct buffer *out, const struct replay *r) {
  if (same_graph(r->p[0], r->p[1])) {
    put_run(out, r->p[0], r->p[1], "mechanism");
    return;
  }
  const size_t words =
      r->p[0]->words.len > r->p[1]->words.len ? r->p[0]->words.len : r->p[1]->words.len;
  put_run(out, r->p[0], NULL, "first");
  put_run(out, r->p[1], NULL, "second");
  buffer_puts(out, "static void mechanism(int run, ");
  put_word_list(out, words, "whole ");
  buffer_puts(out, ", double *y) {\n  if (run == 1) first(run, ");
  put_word_list(out, r->p[0]->words.len, "");
  buffer_puts(out, ", y); else second(run, ");
  put_word_list(out, r->p[1]->words.len, "");
  buffer_puts(out, ", y);\n}\n");
}

/* {0x1p+0, 0x1p-1}: what the outputs are at least (side 0) or at most */
static void put_outputs(struct buffer *out, const struct replay *r, int side) {
  const struct pipeline *p = r->p[0];
  buffer_puts(out, "{");
  for (size_t i = 0; i < p->result_count; i++) {
    struct node n = p->nodes.at[p->results[i]];
    if (i) buffer_puts(out, ", ");
    n.value = r->outputs[i].at[side];
    n.format = BINARY64;
    if (r->outputs[i].any)
      buffer_puts(out, side ? "INFINITY" : "-INFINITY");
    else
      put_constant(out, &n);
  }
  buffer_puts(out, "}");
}

static void put_show(struct buffer *out, const struct replay *r, size_t words) {
  const size_t outputs = r->p[0]->result_count;
  buffer_puts(out, "static int show(int run, ");
  put_word_list(out, words, "whole ");
  buffer_printf(out, ") {\n  double y[%zu], least[] = ", outputs);
  put_outputs(out, r, 0);
  buffer_puts(out, ", most[] = ");
  put_outputs(out, r, 1);
  buffer_puts(out, ";\n  int same = 1;\n  mechanism(run, ");
  put_word_list(out, words, "");
  buffer_puts(out, ", y);\n  printf(\"run %d, word");
  for (size_t i = 0; i < words; i++)
    buffer_puts(out, " %\" PRIu64 \"");
  buffer_puts(out, ":\", run, ");
  put_word_list(out, words, "(uint64_t)");
  buffer_printf(out,
                ");\n  for (int i = 0; i < %zu; same &= least[i] <= y[i] && y[i] <= most[i], i++)\n"
                "    printf(\" %%a, bits %%016\" PRIx64, y[i], ((union { double d; uint64_t u; })"
                "{y[i]}).u);\n"
                "  puts(same ? \"  <- the output\" : \"\");\n  return same;\n}\n",
                outputs);
}

static void put_row(struct buffer *out, int run, const wide *words, size_t count) {
  buffer_printf(out, "show(%d", run);
  for (size_t i = 0; i < count; i++) {
    buffer_puts(out, ", ");
    put_whole(out, words[i]);
  }
  buffer_puts(out, ")");
}

static char *program_text(const struct replay *r) {
  struct buffer out;
  bool is_long = false;
  const size_t words =
      r->p[0]->words.len > r->p[1]->words.len ? r->p[0]->words.len : r->p[1]->words.len;
  buffer_init(&out);
  for (size_t i = 0; i < r->p[0]->words.len; i++)
    is_long |= r->p[0]->words.at[i] > (wide)1 << 62;
  buffer_printf(&out,
                "/* Two runs of a mechanism on adjacent inputs; written by couplet.\n"
                " * cc -O2 -ffp-contract=off THIS.c -lm && ./a.out; status 0: as certified. */\n"
                "#include <inttypes.h>\n#include <math.h>\n#include <stdio.h>\n"
                "typedef %s whole;\n",
                is_long ? "__int128" : "int64_t");
  put_runs(&out, r);
  put_show(&out, r, words);
  buffer_puts(&out, "int main(void) {\n  int first = ");
  put_row(&out, 1, r->words, words);
  buffer_puts(&out, ", second = 0;\n");
  for (size_t i = 0; i < r->row_count; i++) {
    buffer_puts(&out, i % 2 ? " | " : "  second |= ");
    put_row(&out, 2, r->rows[i], words);
    if (i % 2 || i + 1 == r->row_count) buffer_puts(&out, ";\n");
  }
  buffer_printf(&out, "  return first && %ssecond ? 0 : 1;\n}\n", r->second_can ? "" : "!");
  return buffer_take(&out);
}

/* ---- the second run ------------------------------------------------------------------------- */

static bool has_output(const struct replay *r, const struct monotone_view *view, wide k) {
  for (size_t i = 0; i < view->p->result_count; i++) {
    const enum node_sort sort = view->p->nodes.at[view->p->results[i]].sort;
    const struct monotone_bounds *y = &r->outputs[i];
    struct monotone_bounds x;
    const char *why;
    if (y->any) continue;
    if (!monotone_bounds(&x, view, view->p->results[i], k, &why) || x.any) return false;
    const bool inside = sort == NODE_BOOL ? x.at[0].truth == y->at[0].truth
                        : sort == NODE_INT
                            ? y->at[0].whole <= x.at[0].whole && x.at[1].whole <= y->at[1].whole
                            : !binary64_less(x.at[0].bits, y->at[0].bits) &&
                                  !binary64_less(y->at[1].bits, x.at[1].bits);
    if (!inside) return false;
  }
  return true;
}

static void add_row(struct replay *r, const struct monotone_view *view, wide k) {
  if (r->row_count == MOST_ROWS) return;
  wide *row = r->rows[r->row_count];
  memcpy(row, view->words, sizeof r->rows[0]);
  row[view->free] = k;
  for (size_t i = 0; i < r->row_count; i++)
    if (memcmp(r->rows[i], row, sizeof r->rows[0]) == 0) return;
  r->row_count++;
  r->second_can |= has_output(r, view, k);
}

/* Where the first output passes that of the first run: the words on both sides. */
static void add_passing(struct replay *r, const struct monotone_view *view,
                        const struct monotone_piece *piece) {
  wide low = piece->low, high = piece->high;
  struct monotone_bounds x;
  const char *why;
  while (low < high) { /* the first value that is far enough */
    const wide middle = low + (high - low) / 2;
    if (!monotone_bounds(&x, view, view->p->result, middle, &why) || x.any) return;
    const bool before = piece->direction[0] >= 0
                            ? binary64_less(x.at[0].bits, r->outputs[0].at[0].bits)
                            : binary64_less(r->outputs[0].at[0].bits, x.at[0].bits);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > piece->low) add_row(r, view, low - 1);
  add_row(r, view, low);
}

/* The same words; and words next to which the second run passes the output. */
static void find_rows(struct replay *r) {
  const struct pipeline *p = r->p[1];
  const bool is_float = p->nodes.at[p->result].sort == NODE_FLOAT && !r->outputs[0].any;
  struct float_words w;
  wide words[LIMIT_PIPELINE_WORDS];
  const char *why;
  memcpy(words, r->words, sizeof words);
  struct monotone_view view = {p, words, 0, NULL};
  if (!float_words_init(&w, p) || p->words.len != r->p[0]->words.len) return;
  for (size_t nth = 0; is_float && nth < (w.longs ? w.longs : 1); nth++) {
    monotone_pieces pieces = {0};
    float_words_free(&w, p, nth);
    view.free = w.free;
    words[w.free] = r->words[w.free];
    if (monotone_split(&pieces, &view, &why))
      for (size_t i = 0; i < pieces.len && i < 4; i++)
        if (!pieces.at[i].any[0]) add_passing(r, &view, &pieces.at[i]);
    vec_clear(&pieces);
  }
  memcpy(words, r->words, sizeof words);
  add_row(r, &view, r->words[view.free]);
}

/* ---- both runs ------------------------------------------------------------------------------ */

static bool pipeline_of(struct pipeline *p, const struct program_claim *claim,
                        const struct program_counterexample *ce, int run) {
  struct interp in;
  char *why = NULL;
  struct span where;
  *p = (struct pipeline){0};
  if (!program_run_init(&in, claim, ce, run, &why)) {
    free(why);
    return false;
  }
  bool ok = pipeline_is_wanted(&in) && pipeline_init(p, &in, &why, &where);
  for (size_t i = 0; ok && i < p->nodes.len; i++) { /* as a number of C */
    const struct node *n = &p->nodes.at[i];
    ok = n->kind != NODE_CONSTANT || n->sort != NODE_INT ||
         (n->value.whole >= INT64_MIN && n->value.whole <= (wide)UINT64_MAX);
  }
  free(why);
  interp_clear(&in);
  return ok;
}

static json_t *words_json(const struct pipeline *p, const wide *words) {
  json_t *list = json_array();
  for (size_t i = 0; i < p->words.len; i++)
    json_array_append_new(list, json_sprintf("%" PRIu64, (uint64_t)words[i]));
  return list;
}

/* "0x1p-1, 0x1p+0"; of what is not known exactly, both ends */
static void put_bits(struct buffer *out, const struct replay *r, bool decimal) {
  const struct pipeline *p = r->p[0];
  for (size_t i = 0; i < p->result_count; i++) {
    const struct node *n = &p->nodes.at[p->results[i]];
    const struct monotone_bounds *y = &r->outputs[i];
    const bool thin = n->sort != NODE_FLOAT || binary64_equal(y->at[0].bits, y->at[1].bits);
    if (i) buffer_puts(out, ", ");
    for (int side = 0; side < (thin ? 1 : 2); side++) {
      struct node value = *n;
      value.value = y->at[side];
      if (side) buffer_puts(out, " .. ");
      if (y->any)
        buffer_puts(out, "_");
      else if (n->sort != NODE_FLOAT)
        put_constant(out, &value);
      else if (decimal)
        binary64_print(out, n->format, y->at[side].bits);
      else
        binary64_print_hex(out, y->at[side].bits);
      if (y->any) break;
    }
  }
}

static bool find_outputs(struct replay *r, const struct pattern *event) {
  const struct pipeline *p = r->p[0];
  bool floats = false;
  if (!float_find_words(p, event, r->words)) return false;
  struct monotone_view view = {p, r->words, 0, NULL};
  for (size_t i = 0; i < p->result_count; i++) {
    const char *why;
    if (!monotone_bounds(&r->outputs[i], &view, p->results[i], r->words[0], &why)) return false;
    floats |= p->nodes.at[p->results[i]].sort == NODE_FLOAT && !r->outputs[i].any;
  }
  return floats;
}

static json_t *replay_of(const struct pipeline *first, const struct pipeline *second,
                         const struct pattern *event) {
  struct replay r = {.p = {first, second}};
  struct buffer bits, decimal;
  if (!find_outputs(&r, event)) return NULL;
  find_rows(&r);
  buffer_init(&bits);
  buffer_init(&decimal);
  put_bits(&bits, &r, false);
  put_bits(&decimal, &r, true);
  char *text = program_text(&r);
  json_t *json =
      json_pack("{s:s, s:s, s:o, s:s}", "bits", buffer_text(&bits), "decimal",
                buffer_text(&decimal), "words", words_json(first, r.words), "program", text);
  free(text);
  buffer_clear(&bits);
  buffer_clear(&decimal);
  return json;
}

json_t *float_replay_json(const struct program_claim *claim,
                          const struct program_counterexample *ce) {
  struct pipeline runs[2];
  if (ce->outputs.len != 1) return NULL;
  bool ok[2] = {pipeline_of(&runs[0], claim, ce, 0), pipeline_of(&runs[1], claim, ce, 1)};
  json_t *json = ok[0] && ok[1] ? replay_of(&runs[0], &runs[1], &ce->outputs.at[0]) : NULL;
  pipeline_clear(&runs[0]);
  pipeline_clear(&runs[1]);
  return json;
}
