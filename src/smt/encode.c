#include "smt/encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/print.h"
#include "term/memo.h"
#include "term/subst.h"

struct encoder {
  struct terms *ts;
  struct buffer *out;
  struct encoding *result;
  struct memo names;   /* variable or TERM_APP's symbol (high half set) -> 1 + index of the name */
  struct memo sorts;   /* sorts declared so far */
  struct memo helpers; /* (kind, sort) of length, append, exp, ... declared so far */
  struct memo shared;  /* subterm with a definition of its own -> 1 */
  VEC(char *) all_names;
  uint32_t depth; /* enclosing quantifiers */
};

#define SYMBOL_KEY (UINT64_C(1) << 40)

static void emit(struct encoder *e, term_id t);

/* ---- sorts ---------------------------------------------------------------------------------- */

/* The sort's name in source syntax, without bars. */
static char *plain_sort_name(const struct terms *ts, sort_id sort) {
  struct buffer b;
  buffer_init(&b);
  sort_print(&b, ts, sort);
  for (size_t i = 0; i < b.len; i++)
    if (b.text[i] == '|' || b.text[i] == '\\') b.text[i] = '_';
  return buffer_take(&b);
}

static void emit_sort(struct encoder *e, sort_id sort) {
  const struct sort *s = sort_get(e->ts, sort);
  switch (s->kind) {
  case SORT_KIND_BOOL: buffer_puts(e->out, "Bool"); break;
  case SORT_KIND_INT: buffer_puts(e->out, "Int"); break;
  case SORT_KIND_REAL: buffer_puts(e->out, "Real"); break;
  case SORT_KIND_ARRAY:
    buffer_puts(e->out, "(Array Int ");
    emit_sort(e, s->items[0]);
    buffer_putc(e->out, ')');
    break;
  default: {
    char *name = plain_sort_name(e->ts, sort);
    buffer_printf(e->out, "|%s:sort|", name);
    free(name);
  }
  }
}

static void emit_data(struct encoder *e, const char *what, sort_id sort) {
  char *name = plain_sort_name(e->ts, sort);
  buffer_printf(e->out, "|%s:%s|", what, name);
  free(name);
}

static void declare_tuple(struct encoder *e, sort_id sort) {
  const struct sort *s = sort_get(e->ts, sort);
  buffer_puts(e->out, "(declare-datatypes ((");
  emit_sort(e, sort);
  buffer_puts(e->out, " 0)) (((");
  emit_data(e, "tuple", sort);
  for (size_t i = 0; i < s->count; i++) {
    char what[32];
    snprintf(what, sizeof what, "item%zu", i + 1);
    buffer_puts(e->out, " (");
    emit_data(e, what, sort);
    buffer_putc(e->out, ' ');
    emit_sort(e, s->items[i]);
    buffer_putc(e->out, ')');
  }
  buffer_puts(e->out, "))))\n");
}

static void declare_list(struct encoder *e, sort_id sort) {
  buffer_puts(e->out, "(declare-datatypes ((");
  emit_sort(e, sort);
  buffer_puts(e->out, " 0)) (((");
  emit_data(e, "nil", sort);
  buffer_puts(e->out, ") (");
  emit_data(e, "cons", sort);
  buffer_puts(e->out, " (");
  emit_data(e, "head", sort);
  buffer_putc(e->out, ' ');
  emit_sort(e, sort_elem(e->ts, sort));
  buffer_puts(e->out, ") (");
  emit_data(e, "tail", sort);
  buffer_putc(e->out, ' ');
  emit_sort(e, sort);
  buffer_puts(e->out, ")))))\n");
}

static void declare_sort(struct encoder *e, sort_id sort) {
  uint32_t known;
  if (memo_find(&e->sorts, sort, &known)) return;
  memo_put(&e->sorts, sort, 1);
  const struct sort *s = sort_get(e->ts, sort);
  for (size_t i = 0; i < s->count; i++)
    declare_sort(e, s->items[i]);
  if (s->kind == SORT_KIND_TUPLE) declare_tuple(e, sort);
  if (s->kind == SORT_KIND_LIST) declare_list(e, sort);
  if (s->kind == SORT_KIND_ABSTRACT) {
    buffer_puts(e->out, "(declare-sort ");
    emit_sort(e, sort);
    buffer_puts(e->out, " 0)\n");
  }
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool name_used(const struct encoder *e, const char *name) {
  for (size_t i = 0; i < e->all_names.len; i++)
    if (strcmp(e->all_names.at[i], name) == 0) return true;
  return false;
}

/* Takes `name` (owned) as the name of `key`, changed where needed. */
static const char *claim_name(struct encoder *e, uint64_t key, char *name) {
  for (char *c = name; *c; c++)
    if (*c == '|' || *c == '\\') *c = '_';
  while (name_used(e, name)) {
    char *longer = xasprintf("%s'", name);
    free(name);
    name = longer;
  }
  vec_push(&e->all_names, name);
  memo_put(&e->names, key, (uint32_t)e->all_names.len);
  return name;
}

static const char *known_name(const struct encoder *e, uint64_t key) {
  uint32_t index;
  return memo_find(&e->names, key, &index) ? e->all_names.at[index - 1] : NULL;
}

static void declare_var(struct encoder *e, term_id t) {
  struct term_var v = *term_var_get(e->ts, t);
  declare_sort(e, v.sort);
  char version[16] = "", run[16] = "";
  if (v.version) snprintf(version, sizeof version, "@%u", v.version);
  if (v.run) snprintf(run, sizeof run, "%u", v.run);
  const char *name = claim_name(e, t, xasprintf("%s%s<%s>", v.name, version, run));
  buffer_printf(e->out, "(declare-fun |%s| () ", name);
  emit_sort(e, v.sort);
  buffer_puts(e->out, ")\n");
  vec_push(&e->result->names, (struct encoded_name){xstrdup(name), t});
}

static void declare_symbol(struct encoder *e, symbol_id symbol) {
  if (known_name(e, SYMBOL_KEY | symbol)) return;
  struct term_symbol s = *symbol_get(e->ts, symbol);
  for (size_t i = 0; i < s.count; i++)
    declare_sort(e, s.args[i]);
  declare_sort(e, s.result);
  const char *name = claim_name(e, SYMBOL_KEY | symbol, xasprintf("%s()", s.name));
  buffer_printf(e->out, "(declare-fun |%s| (", name);
  for (size_t i = 0; i < s.count; i++) {
    if (i) buffer_putc(e->out, ' ');
    emit_sort(e, s.args[i]);
  }
  buffer_puts(e->out, ") ");
  emit_sort(e, s.result);
  buffer_puts(e->out, ")\n");
  vec_push(&e->result->functions, (struct encoded_name){xstrdup(name), symbol});
}

static const char *helper_name(enum term_kind kind) {
  switch (kind) {
  case TERM_EXP: return "exp";
  case TERM_LN: return "ln";
  case TERM_SQRT: return "sqrt";
  case TERM_LENGTH: return "length";
  case TERM_APPEND: return "append";
  case TERM_RAISE: return "raise";
  case TERM_DIFFERING: return "differing";
  default: return NULL;
  }
}

/* The name of the function for this term, in bars; raise has one for each base. */
static void emit_helper(struct encoder *e, term_id t) {
  enum term_kind kind = term_kind(e->ts, t);
  if (kind == TERM_RAISE)
    buffer_printf(e->out, "|raise:%u|", term_get(e->ts, t)->data);
  else
    emit_data(e, helper_name(kind), term_sort(e->ts, term_arg(e->ts, t, 0)));
}

/* exp, ln, sqrt: Real -> Real; length and append per list sort; raise per base: Int -> Int;
 * differing per array sort. */
static void declare_helper(struct encoder *e, term_id t) {
  enum term_kind kind = term_kind(e->ts, t);
  sort_id arg = term_sort(e->ts, term_arg(e->ts, t, 0));
  uint64_t key = ((uint64_t)kind << 32) | (kind == TERM_RAISE ? term_get(e->ts, t)->data : arg);
  uint32_t known;
  if (memo_find(&e->helpers, key, &known)) return;
  memo_put(&e->helpers, key, 1);
  declare_sort(e, arg);
  buffer_puts(e->out, "(declare-fun ");
  emit_helper(e, t);
  buffer_puts(e->out, " (");
  emit_sort(e, arg);
  if (term_arg_count(e->ts, t) == 2) {
    buffer_putc(e->out, ' ');
    emit_sort(e, arg);
  }
  buffer_puts(e->out, ") ");
  emit_sort(e, term_sort(e->ts, t));
  buffer_puts(e->out, ")\n");
}

/* ---- terms ---------------------------------------------------------------------------------- */

static void emit_fmpz(struct encoder *e, const fmpz *z, bool real) {
  fmpz_t a;
  fmpz_init(a);
  fmpz_abs(a, z);
  char *text = fmpz_get_str(NULL, 10, a);
  bool negative = fmpz_sgn(z) < 0;
  buffer_printf(e->out, negative ? "(- %s%s)" : "%s%s", text, real ? ".0" : "");
  flint_free(text);
  fmpz_clear(a);
}

static void emit_number(struct encoder *e, term_id t) {
  const fmpq *q = term_num_value(e->ts, t);
  bool real = term_sort(e->ts, t) == SORT_REAL;
  if (fmpz_is_one(fmpq_denref(q))) {
    emit_fmpz(e, fmpq_numref(q), real);
    return;
  }
  buffer_puts(e->out, "(/ ");
  emit_fmpz(e, fmpq_numref(q), true);
  buffer_putc(e->out, ' ');
  emit_fmpz(e, fmpq_denref(q), true);
  buffer_putc(e->out, ')');
}

static void emit_op(struct encoder *e, const char *op, term_id t) {
  buffer_printf(e->out, "(%s", op);
  for (size_t i = 0; i < term_arg_count(e->ts, t); i++) {
    buffer_putc(e->out, ' ');
    emit(e, term_arg(e->ts, t, i));
  }
  buffer_putc(e->out, ')');
}

static void emit_helper_op(struct encoder *e, term_id t) {
  buffer_putc(e->out, '(');
  emit_helper(e, t);
  for (size_t i = 0; i < term_arg_count(e->ts, t); i++) {
    buffer_putc(e->out, ' ');
    emit(e, term_arg(e->ts, t, i));
  }
  buffer_putc(e->out, ')');
}

static void emit_data_op(struct encoder *e, const char *what, sort_id sort, term_id t) {
  buffer_putc(e->out, '(');
  emit_data(e, what, sort);
  for (size_t i = 0; i < term_arg_count(e->ts, t); i++) {
    buffer_putc(e->out, ' ');
    emit(e, term_arg(e->ts, t, i));
  }
  buffer_putc(e->out, ')');
}

/* x^k by repeated squaring on a local name. */
static void emit_power(struct encoder *e, term_id base, uint32_t k) {
  buffer_puts(e->out, "(let ((p1 ");
  emit(e, base);
  buffer_puts(e->out, ")) ");
  unsigned open = 1;
  uint32_t top = 1;
  for (int bit = 31; bit >= 0; bit--) {
    if (!(k >> bit)) continue;
    uint32_t prefix = k >> bit;
    if (prefix == 1) continue;
    buffer_printf(e->out, "(let ((p%u (* p%u p%u%s))) ", prefix, top, top, prefix & 1 ? " p1" : "");
    top = prefix;
    open++;
  }
  buffer_printf(e->out, "p%u", top);
  buffer_fill(e->out, ')', open);
}

/* Floor division: SMT-LIB's div rounds down for positive divisors, and x div y = -x div -y. */
static void emit_idiv(struct encoder *e, term_id x, term_id y) {
  int sign = term_is_num(e->ts, y) ? fmpq_sgn(term_num_value(e->ts, y)) : 0;
  buffer_puts(e->out, "(let ((c1 ");
  emit(e, x);
  buffer_puts(e->out, ") (c2 ");
  emit(e, y);
  buffer_puts(e->out, sign > 0   ? ")) (div c1 c2))"
                      : sign < 0 ? ")) (div (- c1) (- c2)))"
                                 : ")) (ite (< 0 c2) (div c1 c2) (div (- c1) (- c2))))");
}

/* x mod y lies between 0 and y: SMT-LIB's mod for y > 0, and x mod y = -(-x mod -y) for y < 0; x
 * for y = 0, since x mod y is x - y * (x div y). */
static void emit_mod(struct encoder *e, term_id x, term_id y) {
  bool number = term_is_num(e->ts, y);
  int sign = number ? fmpq_sgn(term_num_value(e->ts, y)) : 0;
  if (sign == 0) {
    buffer_puts(e->out, "(let ((c1 ");
    emit(e, x);
    buffer_puts(e->out, ") (c2 ");
    emit(e, y);
    buffer_puts(e->out, ")) (ite (< 0 c2) (mod c1 c2) (ite (= c2 0) c1 "
                        "(- (mod (- c1) (- c2))))))");
    return;
  }
  if (sign < 0) {
    buffer_puts(e->out, "(- (mod (- ");
    emit(e, x);
    buffer_puts(e->out, ") (- ");
    emit(e, y);
    buffer_puts(e->out, ")))");
    return;
  }
  buffer_puts(e->out, "(mod ");
  emit(e, x);
  buffer_putc(e->out, ' ');
  emit(e, y);
  buffer_putc(e->out, ')');
}

/* (let ((a x) (b y)) (ite (test) a b)), with names no quantifier uses. */
static void emit_choice(struct encoder *e, term_id x, term_id y, const char *test) {
  buffer_puts(e->out, "(let ((c1 ");
  emit(e, x);
  buffer_puts(e->out, ") (c2 ");
  emit(e, y);
  buffer_printf(e->out, ")) (ite (%s c1 c2) c1 c2))", test);
}

static void emit_abs(struct encoder *e, term_id x) {
  buffer_puts(e->out, "(let ((c1 ");
  emit(e, x);
  buffer_puts(e->out, ")) (ite (<= 0 c1) c1 (- c1)))");
}

static void emit_ceil(struct encoder *e, term_id x) {
  buffer_puts(e->out, "(- (to_int (- ");
  emit(e, x);
  buffer_puts(e->out, ")))");
}

static void emit_quantifier(struct encoder *e, term_id t) {
  enum term_kind kind = term_kind(e->ts, t);
  uint32_t before = e->depth;
  buffer_puts(e->out, kind == TERM_FORALL ? "(forall (" : "(exists (");
  while (term_kind(e->ts, t) == kind) {
    buffer_printf(e->out, "(|?%u| ", e->depth++);
    emit_sort(e, term_get(e->ts, t)->binder);
    buffer_putc(e->out, ')');
    t = term_arg(e->ts, t, 0);
  }
  buffer_puts(e->out, ") ");
  emit(e, t);
  buffer_putc(e->out, ')');
  e->depth = before;
}

static const char *plain_op(enum term_kind kind) {
  switch (kind) {
  case TERM_ADD: return "+";
  case TERM_MUL: return "*";
  case TERM_DIV: return "/";
  case TERM_TO_REAL: return "to_real";
  case TERM_FLOOR: return "to_int";
  case TERM_ITE: return "ite";
  case TERM_EQ: return "=";
  case TERM_LE: return "<=";
  case TERM_LT: return "<";
  case TERM_NOT: return "not";
  case TERM_AND: return "and";
  case TERM_OR: return "or";
  case TERM_IMPLIES: return "=>";
  case TERM_SELECT: return "select";
  case TERM_STORE: return "store";
  default: return NULL;
  }
}

static void emit_app(struct encoder *e, term_id t) {
  const char *name = known_name(e, SYMBOL_KEY | term_get(e->ts, t)->data);
  if (!term_arg_count(e->ts, t)) {
    buffer_printf(e->out, "|%s|", name);
    return;
  }
  char *quoted = xasprintf("|%s|", name);
  emit_op(e, quoted, t);
  free(quoted);
}

static void emit_body(struct encoder *e, term_id t) {
  struct terms *ts = e->ts;
  struct term_node n = *term_get(ts, t);
  const char *op = plain_op(n.kind);
  if (op) {
    emit_op(e, op, t);
    return;
  }
  term_id a = n.count ? term_arg(ts, t, 0) : TERM_NONE;
  term_id b = n.count > 1 ? term_arg(ts, t, 1) : TERM_NONE;
  switch (n.kind) {
  case TERM_TRUE: buffer_puts(e->out, "true"); break;
  case TERM_FALSE: buffer_puts(e->out, "false"); break;
  case TERM_NUM: emit_number(e, t); break;
  case TERM_VAR: buffer_printf(e->out, "|%s|", known_name(e, t)); break;
  case TERM_BOUND: buffer_printf(e->out, "|?%u|", e->depth - 1 - n.data); break;
  case TERM_POW: emit_power(e, a, n.data); break;
  case TERM_IDIV: emit_idiv(e, a, b); break;
  case TERM_MOD: emit_mod(e, a, b); break;
  case TERM_CEIL: emit_ceil(e, a); break;
  case TERM_ABS: emit_abs(e, a); break;
  case TERM_MIN: emit_choice(e, a, b, "<="); break;
  case TERM_MAX: emit_choice(e, a, b, ">="); break;
  case TERM_EXP:
  case TERM_LN:
  case TERM_SQRT:
  case TERM_LENGTH:
  case TERM_APPEND:
  case TERM_RAISE:
  case TERM_DIFFERING: emit_helper_op(e, t); break;
  case TERM_FORALL:
  case TERM_EXISTS: emit_quantifier(e, t); break;
  case TERM_APP: emit_app(e, t); break;
  case TERM_NIL: emit_data(e, "nil", n.sort); break;
  case TERM_CONS: emit_data_op(e, "cons", n.sort, t); break;
  case TERM_HEAD: emit_data_op(e, "head", term_sort(ts, a), t); break;
  case TERM_TAIL: emit_data_op(e, "tail", term_sort(ts, a), t); break;
  case TERM_TUPLE: emit_data_op(e, "tuple", n.sort, t); break;
  case TERM_PROJ: {
    char what[24];
    snprintf(what, sizeof what, "item%u", n.data + 1);
    emit_data_op(e, what, term_sort(ts, a), t);
    break;
  }
  default: break;
  }
}

static void emit(struct encoder *e, term_id t) {
  uint32_t shared;
  if (memo_find(&e->shared, t, &shared))
    buffer_printf(e->out, "|def:%u|", t);
  else
    emit_body(e, t);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* Declares what a subterm needs; children were visited before. */
static void declare(struct encoder *e, term_id t) {
  struct term_node n = *term_get(e->ts, t);
  declare_sort(e, n.sort);
  if (n.kind == TERM_VAR) declare_var(e, t);
  if (n.kind == TERM_APP) declare_symbol(e, n.data);
  if (n.kind == TERM_FORALL || n.kind == TERM_EXISTS) declare_sort(e, n.binder);
  if (helper_name(n.kind)) declare_helper(e, t);
}

struct walk {
  struct memo seen; /* -> number of occurrences as an argument */
  term_list order;  /* children first */
};

static void visit(struct terms *ts, struct walk *w, term_id t) {
  uint32_t uses = 0;
  bool known = memo_find(&w->seen, t, &uses);
  memo_put(&w->seen, t, uses + 1);
  if (known) return;
  for (size_t i = 0; i < term_arg_count(ts, t); i++)
    visit(ts, w, term_arg(ts, t, i));
  vec_push(&w->order, t);
}

/* Closed subterms that occur several times are defined once, so the text stays linear in the
 * number of distinct subterms. */
static void define_shared(struct encoder *e, struct walk *w) {
  for (size_t i = 0; i < w->order.len; i++) {
    term_id t = w->order.at[i];
    uint32_t uses = 0;
    memo_find(&w->seen, t, &uses);
    const struct term_node *n = term_get(e->ts, t);
    if (uses < 2 || n->loose || n->depth < 3) continue;
    buffer_printf(e->out, "(define-fun |def:%u| () ", t);
    emit_sort(e, n->sort);
    buffer_putc(e->out, ' ');
    emit_body(e, t);
    buffer_puts(e->out, ")\n");
    memo_put(&e->shared, t, 1);
  }
}

bool encode_assertions(struct encoding *out, struct terms *ts, const term_id *formulas,
                       size_t count) {
  *out = (struct encoding){0};
  buffer_init(&out->text);
  for (size_t i = 0; i < count; i++)
    if (formulas[i] == TERM_NONE || term_sort(ts, formulas[i]) != SORT_BOOL ||
        term_get(ts, formulas[i])->loose)
      return false;
  struct encoder e = {.ts = ts, .out = &out->text, .result = out};
  struct walk w = {0};
  for (size_t i = 0; i < count; i++)
    visit(ts, &w, formulas[i]);
  for (size_t i = 0; i < w.order.len; i++)
    declare(&e, w.order.at[i]);
  define_shared(&e, &w);
  out->assertions = count;
  for (size_t i = 0; i < count; i++) {
    buffer_puts(e.out, "(assert ");
    emit(&e, formulas[i]);
    buffer_puts(e.out, ")\n");
  }
  memo_clear(&w.seen);
  vec_clear(&w.order);
  memo_clear(&e.names);
  memo_clear(&e.sorts);
  memo_clear(&e.helpers);
  memo_clear(&e.shared);
  for (size_t i = 0; i < e.all_names.len; i++)
    free(e.all_names.at[i]);
  vec_clear(&e.all_names);
  return true;
}

void encoding_clear(struct encoding *e) {
  buffer_clear(&e->text);
  for (size_t i = 0; i < e->names.len; i++)
    free(e->names.at[i].name);
  for (size_t i = 0; i < e->functions.len; i++)
    free(e->functions.at[i].name);
  vec_clear(&e->names);
  vec_clear(&e->functions);
}
