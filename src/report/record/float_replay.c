#include "report/record/float_replay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/exact/float_count.h"
#include "out/binary64_text.h"

/* ---- the words ------------------------------------------------------------------------------ */

/* One value in the piece with which the result is y, by bisection. */
static bool find_in_piece(const struct monotone_view *view, const struct monotone_piece *piece,
                          binary64 y, wide *k) {
  wide low = piece->low, high = piece->high;
  const char *why;
  union node_value x;
  while (low < high) { /* the first value that is far enough */
    wide middle = low + (high - low) / 2;
    if (!monotone_result(&x, view, middle, &why)) return false;
    bool before = piece->direction >= 0 ? binary64_less(x.bits, y) : binary64_less(y, x.bits);
    if (before)
      low = middle + 1;
    else
      high = middle;
  }
  *k = low;
  return monotone_result(&x, view, low, &why) && binary64_equal(x.bits, y);
}

static bool find_words(const struct pipeline *p, binary64 y, wide *words) {
  struct float_words w;
  const char *why;
  bool found = false;
  if (!float_words_init(&w, p)) return false;
  for (size_t nth = 0; nth < (w.longs ? w.longs : 1) && !found; nth++) {
    float_words_free(&w, p, nth);
    for (size_t i = 0; i < w.combinations && !found; i++) {
      monotone_pieces pieces = {0};
      struct monotone_view view = {p, words, w.free, NULL};
      float_words_fix(&w, p, i, words);
      bool ok = monotone_split(&pieces, &view, &why);
      for (size_t k = 0; ok && k < pieces.len && !found; k++)
        found = find_in_piece(&view, &pieces.at[k], y, &words[w.free]);
      vec_clear(&pieces);
    }
  }
  return found;
}

/* ---- C -------------------------------------------------------------------------------------- */

/* pipeline_of has seen to it that it fits. */
static void put_whole(struct buffer *out, wide whole) {
  if (whole > INT64_MAX)
    buffer_printf(out, "%" PRIu64 "u", (uint64_t)whole);
  else
    buffer_printf(out, "%" PRId64, (int64_t)whole);
}

static void put_constant(struct buffer *out, const struct node *n) {
  if (n->sort == NODE_BOOL)
    buffer_puts(out, n->value.truth ? "1" : "0");
  else if (n->sort == NODE_INT)
    put_whole(out, n->value.whole);
  else
    binary64_print_hex(out, n->value.bits);
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

/* A constant, or the variable of the node. */
static void put_arg(struct buffer *out, const struct pipeline *p, size_t node) {
  const struct node *n = &p->nodes.at[node];
  if (n->kind != NODE_CONSTANT) {
    buffer_printf(out, "v%zu", node);
    return;
  }
  bool negative = n->sort == NODE_INT
                      ? n->value.whole < 0
                      : n->sort == NODE_FLOAT && binary64_is_negative(n->value.bits);
  if (negative) buffer_putc(out, '(');
  put_constant(out, n);
  if (negative) buffer_putc(out, ')');
}

/* The text with the k-th argument in place of each $k. */
static void put_filled(struct buffer *out, const struct pipeline *p, const struct node *n,
                       const char *text) {
  for (; *text; text++) {
    if (*text == '$')
      put_arg(out, p, n->args[*++text - '0']);
    else
      buffer_putc(out, *text);
  }
}

static void put_binary(struct buffer *out, const struct pipeline *p, const struct node *n) {
  if (n->op == BINARY_MOD) {
    put_filled(out, p, n, "($0 % $1 + $1) % $1");
  } else if (n->op == BINARY_IDIV) { /* rounds down */
    put_filled(out, p, n, "($0 - ($0 % $1 + $1) % $1) / $1");
  } else {
    put_arg(out, p, n->args[0]);
    buffer_printf(out, " %s ", operator_text(n->op));
    put_arg(out, p, n->args[1]);
  }
}

static void put_node(struct buffer *out, const struct pipeline *p, const struct node *n) {
  switch (n->kind) {
  case NODE_CONSTANT: put_constant(out, n); break;
  case NODE_WORD: buffer_printf(out, "w[%zu]", n->word); break;
  case NODE_NEGATE: put_filled(out, p, n, "-$0"); break;
  case NODE_CONVERT: put_filled(out, p, n, "$0"); break;
  case NODE_NOT: put_filled(out, p, n, "!$0"); break;
  case NODE_AND: put_filled(out, p, n, "$0 && $1"); break;
  case NODE_SELECT: put_filled(out, p, n, "$0 ? $1 : $2"); break;
  case NODE_BINARY: put_binary(out, p, n); break;
  case NODE_CALL:
    buffer_printf(out, "%s%s(", function_name(n->builtin), n->format == BINARY32 ? "f" : "");
    put_filled(out, p, n, n->count == 1 ? "$0)" : n->count == 2 ? "$0, $1)" : "$0, $1, $2)");
    break;
  }
}

static const char *c_type(const struct node *n) {
  if (n->sort == NODE_FLOAT) return n->format == BINARY32 ? "float" : "double";
  return n->sort == NODE_INT ? "whole" : "int";
}

/* A statement per node that is needed. */
static void put_run(struct buffer *out, const struct pipeline *p, int run) {
  bool *needed = xcalloc(p->nodes.len + 1, sizeof *needed);
  needed[p->result] = true;
  for (size_t i = p->nodes.len; i-- > 0;)
    for (size_t k = 0; needed[i] && k < p->nodes.at[i].count; k++)
      needed[p->nodes.at[i].args[k]] = true;
  buffer_printf(out, "static double run%d(const whole *w) {\n", run);
  for (size_t i = 0; i < p->nodes.len; i++) {
    if (!needed[i] || p->nodes.at[i].kind == NODE_CONSTANT) continue;
    buffer_printf(out, "  %s v%zu = ", c_type(&p->nodes.at[i]), i);
    put_node(out, p, &p->nodes.at[i]);
    buffer_puts(out, ";\n");
  }
  buffer_puts(out, "  return ");
  put_arg(out, p, p->result);
  buffer_puts(out, ";\n}\n");
  free(needed);
}

/* Bisection on each piece of the second run; how many pieces there are. */
static size_t put_pieces(struct buffer *out, const struct pipeline *p,
                         const struct float_words *w) {
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  const char *why;
  size_t count = 0;
  for (size_t i = 0; i < w->combinations; i++) {
    monotone_pieces pieces = {0};
    struct monotone_view view = {p, words, w->free, NULL};
    float_words_fix(w, p, i, words);
    bool ok = monotone_split(&pieces, &view, &why);
    for (size_t k = 0; ok && k < pieces.len; k++, count++) {
      buffer_puts(out, "  {{");
      for (size_t j = 0; j < p->words.len; j++)
        buffer_puts(out, j ? ", " : ""), put_whole(out, j == w->free ? 0 : words[j]);
      buffer_puts(out, "}, ");
      put_whole(out, pieces.at[k].low);
      buffer_puts(out, ", ");
      put_whole(out, pieces.at[k].high);
      buffer_printf(out, ", %d},\n", pieces.at[k].direction >= 0);
    }
    vec_clear(&pieces);
  }
  return count;
}

static const char *const second_run =
    "  int found = 0;\n"
    "  for (unsigned i = 0; i < sizeof pieces / sizeof *pieces; i++) { /* monotone in one word */\n"
    "    whole *w = pieces[i].w, low = pieces[i].low, high = pieces[i].high;\n"
    "    while (low < high) {\n"
    "      w[FREE] = low + (high - low) / 2;\n"
    "      if (pieces[i].rises ? run2(w) < y : run2(w) > y) low = w[FREE] + 1; else high = "
    "w[FREE];\n"
    "    }\n"
    "    for (w[FREE] = low - (low > pieces[i].low); w[FREE] <= low; w[FREE]++) {\n"
    "      printf(\"second run: word %\" PRIu64 \" gives %a\\n\", (uint64_t)w[FREE], run2(w));\n"
    "      found |= run2(w) == y;\n"
    "    }\n"
    "  }\n"
    "  puts(found ? \"the second run can do this\" : \"no word of the second run gives it\");\n";

static void put_main(struct buffer *out, const struct pipeline *first,
                     const struct pipeline *second, const wide *words, binary64 y) {
  struct float_words w;
  struct buffer pieces;
  buffer_init(&pieces);
  bool countable =
      float_words_init(&w, second) && w.longs <= 1 && put_pieces(&pieces, second, &w) > 0;
  if (countable) {
    put_run(out, second, 2);
    buffer_printf(out,
                  "enum { FREE = %zu };\nstatic struct { whole w[%zu], low, high; int rises; }"
                  " pieces[] = {\n%s};\n",
                  w.free, second->words.len, buffer_text(&pieces));
  }
  buffer_puts(out, "int main(void) {\n  const double y = ");
  binary64_print_hex(out, y);
  buffer_printf(out, ";\n  const whole words[%zu] = {", first->words.len);
  for (size_t i = 0; i < first->words.len; i++)
    buffer_puts(out, i ? ", " : ""), put_whole(out, words[i]);
  buffer_puts(out, "};\n  printf(\"first run:");
  for (size_t i = 0; i < first->words.len; i++)
    buffer_puts(out, " %#\" PRIx64 \"");
  buffer_puts(out, " gives %a\\n\"");
  for (size_t i = 0; i < first->words.len; i++)
    buffer_printf(out, ", (uint64_t)words[%zu]", i);
  buffer_puts(out, ", run1(words));\n");
  if (countable) buffer_puts(out, second_run);
  buffer_printf(out, "  return run1(words) == y%s ? 0 : 1;\n}\n", countable ? " && !found" : "");
  buffer_clear(&pieces);
}

static char *program_text(const struct pipeline *first, const struct pipeline *second,
                          const wide *words, binary64 y) {
  struct buffer out;
  buffer_init(&out);
  buffer_puts(&out,
              "/* Two runs of a mechanism on adjacent inputs; written by couplet.\n"
              " * cc -O1 -ffp-contract=off THIS.c -lm. Exit status 0: as certified. If the C\n"
              " * library does not round ln, exp, sin and cos correctly, last bits may differ. */\n"
              "#include <inttypes.h>\n#include <math.h>\n#include <stdio.h>\n");
  bool is_long = false;
  for (size_t i = 0; i < first->words.len; i++)
    is_long |= first->words.at[i] > (wide)1 << 62;
  buffer_printf(&out, "typedef %s whole;\n", is_long ? "__int128" : "int64_t");
  put_run(&out, first, 1);
  put_main(&out, first, second, words, y);
  return buffer_take(&out);
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

static json_t *replay_of(const struct pipeline *first, const struct pipeline *second,
                         const struct rvalue *output) {
  const struct node *result = &first->nodes.at[first->result];
  wide words[LIMIT_PIPELINE_WORDS] = {0};
  binary64 y;
  if (result->sort != NODE_FLOAT || !ieee_bits(&y, result->format, output)) return NULL;
  if (!find_words(first, y, words)) return NULL;
  struct buffer bits, decimal;
  buffer_init(&bits);
  buffer_init(&decimal);
  binary64_print_hex(&bits, y);
  binary64_print(&decimal, result->format, y);
  char *text = program_text(first, second, words, y);
  json_t *json =
      json_pack("{s:s, s:s, s:o, s:s}", "bits", buffer_text(&bits), "decimal",
                buffer_text(&decimal), "words", words_json(first, words), "program", text);
  free(text);
  buffer_clear(&bits);
  buffer_clear(&decimal);
  return json;
}

json_t *float_replay_json(const struct program_claim *claim,
                          const struct program_counterexample *ce) {
  struct pipeline runs[2];
  if (ce->outputs.len != 1 || ce->outputs.at[0].kind != PATTERN_VALUE) return NULL;
  bool ok[2] = {pipeline_of(&runs[0], claim, ce, 0), pipeline_of(&runs[1], claim, ce, 1)};
  json_t *json = ok[0] && ok[1] ? replay_of(&runs[0], &runs[1], &ce->outputs.at[0].value) : NULL;
  pipeline_clear(&runs[0]);
  pipeline_clear(&runs[1]);
  return json;
}
