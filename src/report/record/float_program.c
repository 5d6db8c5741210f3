#include "report/record/float_program.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "out/binary64_text.h"

enum { LONG_TEXT = 60, LINE_WIDTH = 100 };

/* How tightly an expression of C holds together. */
enum level {
  LEVEL_SELECT,
  LEVEL_LOGIC,
  LEVEL_COMPARISON,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_UNARY,
  LEVEL_ATOM
};

struct text {
  char *text; /* NULL: not used */
  enum level level;
};

/* The program as it is written: one text per node, an expression or the name of a variable. */
struct writer {
  const struct pipeline *p[2]; /* the second is NULL if the runs differ in more than constants */
  struct buffer *out;
  size_t *uses, inputs, variables;
  struct text *texts;
  bool reads_words;
  const char *whole; /* the type of integers */
};

/* ---- constants ------------------------------------------------------------------------------ */

static void put_whole(struct buffer *out, wide whole) {
  if (whole > INT64_MAX)
    buffer_printf(out, "%" PRIu64 "u", (uint64_t)whole);
  else
    buffer_printf(out, "%" PRId64, (int64_t)whole);
}

/* The shorter of the decimal and the hexadecimal number. A float of 32 bits has its suffix: C
 * computes with it as with one. */
static void put_float(struct buffer *out, enum binary_format format, binary64 bits) {
  struct buffer decimal, hex;
  buffer_init(&decimal);
  buffer_init(&hex);
  binary64_print(&decimal, format, bits);
  binary64_print_hex(&hex, bits);
  if (!strpbrk(buffer_text(&decimal), ".en")) buffer_puts(&decimal, ".0");
  const bool is_short = strlen(buffer_text(&decimal)) <= strlen(buffer_text(&hex));
  buffer_puts(out, buffer_text(is_short ? &decimal : &hex));
  if (format == BINARY32) buffer_putc(out, 'f');
  buffer_clear(&decimal);
  buffer_clear(&hex);
}

void float_program_constant(struct buffer *out, const struct node *n) {
  switch (n->sort) {
  case NODE_BOOL: buffer_puts(out, n->value.truth ? "1" : "0"); break;
  case NODE_INT: put_whole(out, n->value.whole); break;
  default: put_float(out, n->format, n->value.bits);
  }
}

static bool is_negative(const struct node *n) {
  return n->sort == NODE_INT ? n->value.whole < 0
                             : n->sort == NODE_FLOAT && binary64_is_negative(n->value.bits);
}

/* ---- expressions ---------------------------------------------------------------------------- */

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

static const char *c_type(const struct writer *w, const struct node *n) {
  if (n->sort == NODE_FLOAT) return n->format == BINARY32 ? "float" : "double";
  return n->sort == NODE_INT ? w->whole : "int";
}

/* A node, in parentheses if it is not held together as tightly as is needed. */
static void put_node(struct buffer *out, const struct writer *w, size_t node, enum level needed) {
  const struct text *t = &w->texts[node];
  buffer_printf(out, t->level < needed ? "(%s)" : "%s", t->text);
}

static enum level put_infix(struct buffer *out, const struct writer *w, const struct node *n,
                            const char *op, enum level level) {
  const bool associates = level != LEVEL_COMPARISON;
  put_node(out, w, n->args[0], associates ? level : level + 1);
  buffer_printf(out, " %s ", op);
  put_node(out, w, n->args[1], level + 1);
  return level;
}

/* Of integers, rounded down; the divisor is positive. */
static enum level put_whole_quotient(struct buffer *out, const struct writer *w,
                                     const struct node *n) {
  struct buffer x, y;
  buffer_init(&x);
  buffer_init(&y);
  put_node(&x, w, n->args[0], LEVEL_ATOM);
  put_node(&y, w, n->args[1], LEVEL_ATOM);
  const char *a = buffer_text(&x), *b = buffer_text(&y);
  if (n->op == BINARY_MOD)
    buffer_printf(out, "(%s %% %s + %s) %% %s", a, b, b, b);
  else
    buffer_printf(out, "(%s - (%s %% %s + %s) %% %s) / %s", a, a, b, b, b, b);
  buffer_clear(&x);
  buffer_clear(&y);
  return LEVEL_PRODUCT;
}

static enum level put_binary(struct buffer *out, const struct writer *w, const struct node *n) {
  const char *op = operator_text(n->op);
  switch (n->op) {
  case BINARY_MOD:
  case BINARY_IDIV: return put_whole_quotient(out, w, n);
  case BINARY_MUL:
  case BINARY_DIV: return put_infix(out, w, n, op, LEVEL_PRODUCT);
  case BINARY_ADD:
  case BINARY_SUB: return put_infix(out, w, n, op, LEVEL_SUM);
  default: return put_infix(out, w, n, op, LEVEL_COMPARISON);
  }
}

static enum level put_call(struct buffer *out, const struct writer *w, const struct node *n) {
  buffer_printf(out, "%s%s(", function_name(n->builtin), n->format == BINARY32 ? "f" : "");
  for (size_t i = 0; i < n->count; i++) {
    if (i) buffer_puts(out, ", ");
    put_node(out, w, n->args[i], LEVEL_SELECT);
  }
  buffer_puts(out, ")");
  return LEVEL_ATOM;
}

static enum level put_select(struct buffer *out, const struct writer *w, const struct node *n) {
  const struct node *condition = &w->p[0]->nodes.at[n->args[0]];
  const bool swapped = condition->kind == NODE_NOT && w->uses[n->args[0]] == 1;
  put_node(out, w, swapped ? condition->args[0] : n->args[0], LEVEL_LOGIC);
  buffer_puts(out, " ? ");
  put_node(out, w, n->args[swapped ? 2 : 1], LEVEL_LOGIC);
  buffer_puts(out, " : ");
  put_node(out, w, n->args[swapped ? 1 : 2], LEVEL_SELECT);
  return LEVEL_SELECT;
}

static enum level put_prefix(struct buffer *out, const struct writer *w, const struct node *n,
                             const char *op) {
  buffer_puts(out, op);
  put_node(out, w, n->args[0], LEVEL_ATOM);
  return LEVEL_UNARY;
}

/* A loop that stops at random goes on here: what comes after that is not replayed. */
static bool is_unknown(const struct node *n) {
  return n->kind == NODE_ANY || (n->kind == NODE_PERHAPS && n->sort == NODE_FLOAT);
}

static enum level put_expression(struct buffer *out, struct writer *w, const struct node *n) {
  if (is_unknown(n)) {
    buffer_puts(out, n->sort == NODE_FLOAT ? "NAN" : "0");
    return LEVEL_ATOM;
  }
  switch (n->kind) {
  case NODE_CONSTANT:
    float_program_constant(out, n);
    return is_negative(n) ? LEVEL_UNARY : LEVEL_ATOM;
  case NODE_WORD:
    buffer_printf(out, "w[%zu]", n->word);
    w->reads_words = true;
    return LEVEL_ATOM;
  case NODE_PERHAPS: put_node(out, w, n->args[0], LEVEL_SELECT); return LEVEL_SELECT;
  case NODE_NEGATE: return put_prefix(out, w, n, "-");
  case NODE_CONVERT: return put_prefix(out, w, n, n->format == BINARY32 ? "(float)" : "(double)");
  case NODE_NOT: return put_prefix(out, w, n, "!");
  case NODE_AND: return put_infix(out, w, n, "&&", LEVEL_LOGIC);
  case NODE_SELECT: return put_select(out, w, n);
  case NODE_BINARY: return put_binary(out, w, n);
  default: return put_call(out, w, n);
  }
}

/* ---- one run -------------------------------------------------------------------------------- */

static bool same_value(const struct node *a, const struct node *b) {
  switch (a->sort) {
  case NODE_BOOL: return a->value.truth == b->value.truth;
  case NODE_INT: return a->value.whole == b->value.whole;
  default: return a->value.bits == b->value.bits;
  }
}

static void name(struct writer *w, size_t i, char *text, enum level level) {
  w->texts[i] = (struct text){text, level};
}

/* A statement, broken at spaces where it is too wide. */
static void put_statement(struct buffer *out, const char *indent, const char *text) {
  size_t column = strlen(indent);
  buffer_puts(out, indent);
  while (*text) {
    const size_t length = 1 + strcspn(text + 1, " ");
    const bool fits = column + length <= LINE_WIDTH;
    if (!fits) {
      buffer_printf(out, "\n    %s", indent);
      column = 4 + strlen(indent);
      text++;
    }
    buffer_printf(out, "%.*s", (int)(length - !fits), text);
    column += length;
    text += length - !fits;
  }
  buffer_puts(out, ";\n");
}

/* A constant that is not the same in both runs: one variable for all with these values. */
static bool name_input(struct writer *w, size_t i) {
  const struct node *a = &w->p[0]->nodes.at[i], *b = w->p[1] ? &w->p[1]->nodes.at[i] : NULL;
  if (a->kind != NODE_CONSTANT || !b || same_value(a, b)) return false;
  for (size_t k = 0; k < i; k++) {
    const struct node *c = &w->p[0]->nodes.at[k], *d = &w->p[1]->nodes.at[k];
    if (!w->texts[k].text || c->kind != NODE_CONSTANT || c->sort != a->sort ||
        c->format != a->format || !same_value(a, c) || !same_value(b, d))
      continue;
    name(w, i, xstrdup(w->texts[k].text), LEVEL_ATOM);
    return true;
  }
  name(w, i, w->inputs++ ? xasprintf("x%zu", w->inputs) : xstrdup("x"), LEVEL_ATOM);
  buffer_printf(w->out, "  %s %s = run == 1 ? ", c_type(w, a), w->texts[i].text);
  float_program_constant(w->out, a);
  buffer_puts(w->out, " : ");
  float_program_constant(w->out, b);
  buffer_puts(w->out, ";\n");
  return true;
}

/* What is used twice, or long, is a variable. */
static void name_node(struct writer *w, size_t i) {
  const struct node *n = &w->p[0]->nodes.at[i];
  struct buffer text;
  if (!w->uses[i] || name_input(w, i)) return;
  buffer_init(&text);
  const enum level level = put_expression(&text, w, n);
  const bool is_short =
      n->kind == NODE_NOT || i == w->p[0]->result || strlen(buffer_text(&text)) <= LONG_TEXT;
  if (n->kind == NODE_CONSTANT || n->kind == NODE_WORD || is_unknown(n) ||
      (w->uses[i] == 1 && is_short)) {
    name(w, i, buffer_take(&text), level);
  } else {
    name(w, i, xasprintf("v%zu", ++w->variables), LEVEL_ATOM);
    char *line = xasprintf("%s %s = %s", c_type(w, n), w->texts[i].text, buffer_text(&text));
    put_statement(w->out, "  ", line);
    free(line);
  }
  buffer_clear(&text);
}

static void count_uses(size_t *uses, const struct pipeline *p) {
  for (size_t i = 0; i < p->result_count; i++)
    uses[p->results[i]]++;
  for (size_t i = p->nodes.len; i-- > 0;)
    for (size_t k = 0; uses[i] && !is_unknown(&p->nodes.at[i]) && k < p->nodes.at[i].count; k++)
      uses[p->nodes.at[i].args[k]]++;
}

static void put_results(struct writer *w) {
  const struct pipeline *p = w->p[0];
  for (size_t i = 0; i < p->result_count; i++) {
    const char *text = w->texts[p->results[i]].text;
    char *line =
        p->result_count == 1 ? xasprintf("return %s", text) : xasprintf("y[%zu] = %s", i, text);
    put_statement(w->out, "  ", line);
    free(line);
  }
}

/* `second`: NULL, or of the same graph. */
static void put_run(struct buffer *out, const struct pipeline *first, const struct pipeline *second,
                    const char *called, const char *whole) {
  const bool is_single = first->result_count == 1;
  struct buffer body;
  struct writer w = {.p = {first, second}, .out = &body, .whole = whole};
  buffer_init(&body);
  w.uses = xcalloc(first->nodes.len + 1, sizeof *w.uses);
  w.texts = xcalloc(first->nodes.len + 1, sizeof *w.texts);
  count_uses(w.uses, first);
  for (size_t i = 0; i < first->nodes.len; i++)
    name_node(&w, i);
  put_results(&w);
  buffer_printf(out, "static %s %s(int run, const %s *w%s) {\n", is_single ? "double" : "void",
                called, whole, is_single ? "" : ", double *y");
  if (!w.inputs) buffer_puts(out, "  (void)run;\n");
  if (!w.reads_words) buffer_puts(out, "  (void)w;\n");
  buffer_puts(out, buffer_text(&body));
  buffer_puts(out, "}\n");
  for (size_t i = 0; i < first->nodes.len; i++)
    free(w.texts[i].text);
  free(w.texts);
  free(w.uses);
  buffer_clear(&body);
}

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

/* ---- both runs ------------------------------------------------------------------------------ */

/* {1, 2}; on a new line if it does not fit on this one, of which `column` is used */
static void put_row(struct buffer *out, const wide *words, size_t count, size_t *column,
                    const char *before) {
  struct buffer row;
  buffer_init(&row);
  for (size_t i = 0; i < count; i++) {
    buffer_puts(&row, i ? ", " : "{");
    put_whole(&row, words[i]);
  }
  buffer_puts(&row, "}");
  const size_t length = strlen(buffer_text(&row));
  const bool fits = *column + length + 4 <= LINE_WIDTH;
  if (!fits) *column = 3;
  buffer_printf(out, "%s%s", fits ? before : "\n    ", buffer_text(&row));
  *column += length + 2;
  buffer_clear(&row);
}

static void put_table(struct buffer *out, const struct float_replay *r, size_t words,
                      const char *whole) {
  const size_t before = strlen(buffer_text(out));
  buffer_printf(out, "  static const %s words[][%zu] = {", whole, words);
  size_t column = strlen(buffer_text(out)) - before;
  put_row(out, r->words, words, &column, "");
  for (size_t i = 0; i < r->row_count; i++) {
    buffer_puts(out, ",");
    put_row(out, r->rows[i], words, &column, " ");
  }
  buffer_puts(out, "};\n");
}

/* Has the run the output? What is not known exactly is an interval. */
static void put_test(struct buffer *out, const struct float_replay *r) {
  const struct pipeline *p = r->p[0];
  const char *and = "";
  struct buffer test;
  buffer_init(&test);
  buffer_puts(&test, "int same = ");
  for (size_t i = 0; i < p->result_count; i++) {
    struct node low = p->nodes.at[p->results[i]], high;
    if (r->outputs[i].any) continue;
    low.format = BINARY64;
    high = low;
    low.value = r->outputs[i].at[0];
    high.value = r->outputs[i].at[1];
    const bool is_point = low.sort == NODE_BOOL || same_value(&low, &high);
    buffer_printf(&test, "%sy.value[%zu] %s ", and, i, is_point ? "==" : ">=");
    float_program_constant(&test, &low);
    if (!is_point) buffer_printf(&test, " && y.value[%zu] <= ", i);
    if (!is_point) float_program_constant(&test, &high);
    and = " && ";
  }
  put_statement(out, "    ", buffer_text(&test));
  buffer_clear(&test);
}

/* One line for each run: its words, and its outputs with their bits. */
static void put_print(struct buffer *out, size_t words, size_t outputs) {
  static const char end[] = "same ? \"  <- the output\" : \"\"";
  const bool in_one = words <= 3 && outputs == 1;
  buffer_printf(out, "    printf(\"run %%d, word%s", words == 1 ? "" : "s");
  for (size_t i = 0; in_one && i < words; i++)
    buffer_puts(out, " %\" PRIu64 \"");
  if (in_one) {
    buffer_puts(out, ": %a, bits %016\" PRIx64 \"%s\\n\", run,\n           ");
    for (size_t i = 0; i < words; i++)
      buffer_printf(out, "(uint64_t)words[i][%zu], ", i);
    buffer_printf(out, "y.value[0], y.bits[0],\n           %s);\n", end);
    return;
  }
  buffer_printf(
      out,
      "\", run);\n"
      "    for (int k = 0; k < %zu; k++) printf(\" %%\" PRIu64, (uint64_t)words[i][k]);\n"
      "    for (int k = 0; k < %zu; k++) printf(\": %%a, bits %%016\" PRIx64, y.value[k], "
      "y.bits[k]);\n"
      "    puts(%s);\n",
      words, outputs, end);
}

static void put_main(struct buffer *out, const struct float_replay *r, const char *mechanism,
                     const char *whole) {
  const size_t outputs = r->p[0]->result_count;
  const size_t words =
      r->p[0]->words.len > r->p[1]->words.len ? r->p[0]->words.len : r->p[1]->words.len;
  buffer_puts(out, "int main(void) {\n");
  put_table(out, r, words, whole);
  buffer_printf(out,
                "  int found[3] = {0};\n"
                "  for (int i = 0, run = 1; i < %zu; i++, run = 2) {\n"
                "    union { double value[%zu]; uint64_t bits[%zu]; } y",
                r->row_count + 1, outputs, outputs);
  if (outputs == 1)
    buffer_printf(out, " = {{%s(run, words[i])}};\n", mechanism);
  else
    buffer_printf(out, ";\n    %s(run, words[i], y.value);\n", mechanism);
  put_test(out, r);
  put_print(out, words, outputs);
  buffer_printf(out, "    found[run] |= same;\n  }\n  return !(found[1] && %sfound[2]);\n}\n",
                r->second_can ? "" : "!");
}

char *float_program(const struct float_replay *r) {
  struct buffer out;
  bool is_long = false;
  buffer_init(&out);
  for (size_t i = 0; i < r->p[0]->words.len; i++)
    is_long |= r->p[0]->words.at[i] > (wide)1 << 62;
  const char *whole = is_long ? "__int128" : "int64_t";
  buffer_puts(&out, "/* Written by couplet: cc -O2 -ffp-contract=off THIS.c -lm && ./a.out; status "
                    "0: as certified */\n"
                    "#include <inttypes.h>\n#include <math.h>\n#include <stdio.h>\n");
  if (same_graph(r->p[0], r->p[1])) {
    put_run(&out, r->p[0], r->p[1], "mechanism", whole);
    put_main(&out, r, "mechanism", whole);
  } else {
    put_run(&out, r->p[0], NULL, "first", whole);
    put_run(&out, r->p[1], NULL, "second", whole);
    put_main(&out, r, "(run == 1 ? first : second)", whole);
  }
  return buffer_take(&out);
}
