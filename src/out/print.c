#include "out/print.h"

#include <stdlib.h>
#include <string.h>

#include "base/level.h"
#include "term/linear.h"
#include "term/subst.h"

struct printer {
  struct terms *ts;
  struct buffer *out;
  VEC(const char *) binders; /* names of the enclosing quantifiers' variables, innermost last */
  VEC(char *) made;          /* names made up to avoid clashes */
  term_list free;            /* free variables of the whole term */
};

static void print(struct printer *p, term_id t, enum level need);

static void open_paren(struct printer *p, enum level have, enum level need) {
  if (have < need) buffer_putc(p->out, '(');
}

static void close_paren(struct printer *p, enum level have, enum level need) {
  if (have < need) buffer_putc(p->out, ')');
}

static void print_fmpz(struct printer *p, const fmpz *z) {
  char *text = fmpz_get_str(NULL, 10, z);
  buffer_puts(p->out, text);
  flint_free(text);
}

static void print_number(struct printer *p, const fmpq *q, enum level need) {
  bool fraction = !fmpz_is_one(fmpq_denref(q));
  enum level have = fraction ? LEVEL_PRODUCT : fmpq_sgn(q) < 0 ? LEVEL_UNARY : LEVEL_POSTFIX;
  open_paren(p, have, need);
  print_fmpz(p, fmpq_numref(q));
  if (fraction) {
    buffer_putc(p->out, '/');
    print_fmpz(p, fmpq_denref(q));
  }
  close_paren(p, have, need);
}

static void print_list(struct printer *p, term_id t, const char *before, const char *after) {
  buffer_puts(p->out, before);
  for (size_t i = 0; i < term_arg_count(p->ts, t); i++) {
    if (i) buffer_puts(p->out, ", ");
    print(p, term_arg(p->ts, t, i), LEVEL_EXPR);
  }
  buffer_puts(p->out, after);
}

static void print_binary(struct printer *p, term_id t, const char *op, enum level have,
                         enum level left, enum level right, enum level need) {
  open_paren(p, have, need);
  print(p, term_arg(p->ts, t, 0), left);
  buffer_puts(p->out, op);
  print(p, term_arg(p->ts, t, 1), right);
  close_paren(p, have, need);
}

static void print_nary(struct printer *p, term_id t, const char *op, enum level have,
                       enum level need) {
  open_paren(p, have, need);
  for (size_t i = 0; i < term_arg_count(p->ts, t); i++) {
    if (i) buffer_puts(p->out, op);
    print(p, term_arg(p->ts, t, i), (enum level)(have + 1));
  }
  close_paren(p, have, need);
}

/* ---- arithmetic ----------------------------------------------------------------------------- */

/* |c| * factors, written 3*x/2; the sign is the caller's. */
static void print_scaled(struct printer *p, const fmpq *c, term_id t, size_t first) {
  struct terms *ts = p->ts;
  fmpz_t top;
  fmpz_init(top);
  fmpz_abs(top, fmpq_numref(c));
  bool lead = fmpz_is_one(top);
  if (!lead) print_fmpz(p, top);
  fmpz_clear(top);
  if (term_kind(ts, t) != TERM_MUL) {
    if (!lead) buffer_putc(p->out, '*');
    print(p, t, lead ? LEVEL_PRODUCT : LEVEL_UNARY);
  } else {
    for (size_t i = first; i < term_arg_count(ts, t); i++) {
      if (!lead) buffer_putc(p->out, '*');
      print(p, term_arg(ts, t, i), lead ? LEVEL_PRODUCT : LEVEL_UNARY);
      lead = false;
    }
  }
  if (!fmpz_is_one(fmpq_denref(c))) {
    buffer_putc(p->out, '/');
    print_fmpz(p, fmpq_denref(c));
  }
}

/* Coefficient of an addend; *first is where its other factors start. */
static void addend_coefficient(const struct terms *ts, term_id t, fmpq *c, size_t *first) {
  *first = 0;
  fmpq_one(c);
  if (term_kind(ts, t) != TERM_MUL || !term_is_num(ts, term_arg(ts, t, 0))) return;
  fmpq_set(c, term_num_value(ts, term_arg(ts, t, 0)));
  *first = 1;
}

static void print_addend(struct printer *p, term_id t, bool is_first) {
  struct terms *ts = p->ts;
  fmpq c;
  fmpq_init(&c);
  size_t first;
  bool number = term_is_num(ts, t);
  if (number)
    fmpq_set(&c, term_num_value(ts, t));
  else
    addend_coefficient(ts, t, &c, &first);
  bool negative = fmpq_sgn(&c) < 0;
  if (!is_first)
    buffer_puts(p->out, negative ? " - " : " + ");
  else if (negative)
    buffer_putc(p->out, '-');
  if (number) {
    fmpq_abs(&c, &c);
    print_number(p, &c, LEVEL_PRODUCT);
  } else {
    print_scaled(p, &c, t, first);
  }
  fmpq_clear(&c);
}

/* Positive addends lead: y - x rather than -x + y. */
static void print_sum(struct printer *p, term_id t, enum level need) {
  struct terms *ts = p->ts;
  open_paren(p, LEVEL_SUM, need);
  fmpq c;
  fmpq_init(&c);
  size_t n = term_arg_count(ts, t), lead = 0, ignored;
  for (size_t i = 0; i < n; i++) {
    term_id a = term_arg(ts, t, i);
    if (term_is_num(ts, a))
      fmpq_set(&c, term_num_value(ts, a));
    else
      addend_coefficient(ts, a, &c, &ignored);
    if (fmpq_sgn(&c) > 0) {
      lead = i;
      break;
    }
  }
  fmpq_clear(&c);
  print_addend(p, term_arg(ts, t, lead), true);
  for (size_t i = 0; i < n; i++)
    if (i != lead) print_addend(p, term_arg(ts, t, i), false);
  close_paren(p, LEVEL_SUM, need);
}

static void print_product(struct printer *p, term_id t, enum level need) {
  fmpq c;
  fmpq_init(&c);
  size_t first;
  addend_coefficient(p->ts, t, &c, &first);
  enum level have = LEVEL_PRODUCT;
  open_paren(p, have, need);
  if (fmpq_sgn(&c) < 0) buffer_putc(p->out, '-');
  print_scaled(p, &c, t, first);
  close_paren(p, have, need);
  fmpq_clear(&c);
}

/* ---- quantifiers ---------------------------------------------------------------------------- */

static bool name_taken(const struct printer *p, const char *name) {
  for (size_t i = 0; i < p->binders.len; i++)
    if (strcmp(p->binders.at[i], name) == 0) return true;
  for (size_t i = 0; i < p->free.len; i++) {
    const struct term_var *v = term_var_get(p->ts, p->free.at[i]);
    if (v->version == 0 && strcmp(v->name, name) == 0) return true;
  }
  for (size_t i = 0; i < p->ts->symbols.len; i++) /* a constant operator looks like a variable */
    if (strcmp(p->ts->symbols.at[i].name, name) == 0) return true;
  return false;
}

static void push_binder(struct printer *p, const char *hint) {
  if (name_taken(p, hint)) {
    char *name = xasprintf("%s'", hint);
    while (name_taken(p, name)) {
      char *longer = xasprintf("%s'", name);
      free(name);
      name = longer;
    }
    vec_push(&p->made, name);
    hint = name;
  }
  vec_push(&p->binders, hint);
}

static bool uses_innermost(struct terms *ts, term_id t, uint32_t depth) {
  const struct term_node *n = term_get(ts, t);
  if (n->loose <= depth) return false;
  if (n->kind == TERM_BOUND) return n->data == depth;
  uint32_t below = depth + (n->kind == TERM_FORALL || n->kind == TERM_EXISTS);
  for (size_t i = 0; i < n->count; i++)
    if (uses_innermost(ts, term_arg(ts, t, i), below)) return true;
  return false;
}

/* low <= i and i < high, with the bounds free of i? */
static bool as_range(struct terms *ts, const term_id *conjuncts, size_t count, term_id *low,
                     term_id *high) {
  if (count != 2) return false;
  *low = *high = TERM_NONE;
  for (size_t i = 0; i < 2; i++) {
    enum term_kind kind = term_kind(ts, conjuncts[i]);
    if (kind != TERM_LE && kind != TERM_LT) return false;
    term_id var = term_arg(ts, conjuncts[i], kind == TERM_LE);
    term_id bound = term_arg(ts, conjuncts[i], kind == TERM_LT);
    if (term_kind(ts, var) != TERM_BOUND || term_get(ts, var)->data != 0) return false;
    if (uses_innermost(ts, bound, 0)) return false;
    *(kind == TERM_LE ? low : high) = bound;
  }
  return *low && *high;
}

static void print_quantifier(struct printer *p, term_id t, enum level need) {
  struct terms *ts = p->ts;
  enum term_kind kind = term_kind(ts, t);
  size_t depth = p->binders.len;
  open_paren(p, LEVEL_EXPR, need);
  buffer_puts(p->out, kind == TERM_FORALL ? "forall " : "exists ");
  while (term_kind(ts, t) == kind) {
    if (p->binders.len > depth) buffer_puts(p->out, ", ");
    term_id body = term_arg(ts, t, 0), low, high;
    push_binder(p, term_binder_hint(ts, t));
    buffer_puts(p->out, vec_last(&p->binders));
    bool guarded = kind == TERM_FORALL && term_kind(ts, body) == TERM_IMPLIES &&
                   term_kind(ts, term_arg(ts, body, 0)) == TERM_AND;
    if (guarded) {
      term_list guard = {0};
      term_conjuncts(ts, term_arg(ts, body, 0), &guard);
      guarded = as_range(ts, guard.at, guard.len, &low, &high);
      vec_clear(&guard);
    }
    if (guarded) {
      buffer_puts(p->out, " in ");
      print(p, low, LEVEL_APPEND);
      buffer_puts(p->out, "..");
      print(p, high, LEVEL_APPEND);
      t = term_arg(ts, body, 1);
    } else {
      buffer_puts(p->out, " : ");
      sort_print(p->out, ts, term_get(ts, t)->binder);
      t = body;
    }
  }
  buffer_puts(p->out, ". ");
  print(p, t, LEVEL_EXPR);
  p->binders.len = depth;
  close_paren(p, LEVEL_EXPR, need);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void print_var(struct printer *p, term_id t) {
  const struct term_var *v = term_var_get(p->ts, t);
  buffer_puts(p->out, v->name);
  if (v->version) buffer_printf(p->out, "@%u", v->version);
  if (v->run) buffer_printf(p->out, "<%u>", v->run);
}

/* [a, b] when the spine ends in nil, else a :: l. */
static void print_cons(struct printer *p, term_id t, enum level need) {
  struct terms *ts = p->ts;
  term_id end = t;
  while (term_kind(ts, end) == TERM_CONS)
    end = term_arg(ts, end, 1);
  if (term_kind(ts, end) != TERM_NIL) {
    print_binary(p, t, " :: ", LEVEL_CONS, LEVEL_SUM, LEVEL_CONS, need);
    return;
  }
  buffer_putc(p->out, '[');
  for (bool first = true; term_kind(ts, t) == TERM_CONS; t = term_arg(ts, t, 1), first = false) {
    if (!first) buffer_puts(p->out, ", ");
    print(p, term_arg(ts, t, 0), LEVEL_EXPR);
  }
  buffer_putc(p->out, ']');
}

static void print_ite(struct printer *p, term_id t, enum level need) {
  open_paren(p, LEVEL_EXPR, need);
  buffer_puts(p->out, "if ");
  print(p, term_arg(p->ts, t, 0), LEVEL_EXPR);
  buffer_puts(p->out, " then ");
  print(p, term_arg(p->ts, t, 1), LEVEL_EXPR);
  buffer_puts(p->out, " else ");
  print(p, term_arg(p->ts, t, 2), LEVEL_EXPR);
  close_paren(p, LEVEL_EXPR, need);
}

/* Equations are unordered in terms; a constant reads better on the right. */
static void print_equation(struct printer *p, term_id t, const char *op, enum level need) {
  struct terms *ts = p->ts;
  term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
  bool swap = term_is_num(ts, a) || term_kind(ts, a) == TERM_NIL;
  open_paren(p, LEVEL_COMPARISON, need);
  print(p, swap ? b : a, LEVEL_APPEND);
  buffer_puts(p->out, op);
  print(p, swap ? a : b, LEVEL_APPEND);
  close_paren(p, LEVEL_COMPARISON, need);
}

static void print_not(struct printer *p, term_id t, enum level need) {
  term_id a = term_arg(p->ts, t, 0);
  if (term_kind(p->ts, a) == TERM_EQ && term_sort(p->ts, term_arg(p->ts, a, 0)) != SORT_BOOL) {
    print_equation(p, a, " != ", need);
    return;
  }
  open_paren(p, LEVEL_NOT, need);
  buffer_puts(p->out, "not ");
  print(p, a, LEVEL_NOT);
  close_paren(p, LEVEL_NOT, need);
}

static void print_eq(struct printer *p, term_id t, enum level need) {
  if (term_sort(p->ts, term_arg(p->ts, t, 0)) == SORT_BOOL)
    print_binary(p, t, " <-> ", LEVEL_IFF, LEVEL_IFF, LEVEL_IMPLIES, need);
  else
    print_equation(p, t, " = ", need);
}

static const char *function_name(enum term_kind kind) {
  switch (kind) {
  case TERM_FLOOR: return "floor(";
  case TERM_CEIL: return "ceil(";
  case TERM_ABS: return "abs(";
  case TERM_MIN: return "min(";
  case TERM_MAX: return "max(";
  case TERM_EXP: return "exp(";
  case TERM_LN: return "ln(";
  case TERM_SQRT: return "sqrt(";
  case TERM_LENGTH: return "length(";
  case TERM_HEAD: return "head(";
  case TERM_TAIL: return "tail(";
  case TERM_TUPLE: return "(";
  default: return NULL;
  }
}

static void print_postfix(struct printer *p, term_id t) {
  struct terms *ts = p->ts;
  print(p, term_arg(ts, t, 0), LEVEL_POSTFIX);
  if (term_kind(ts, t) == TERM_PROJ) {
    buffer_printf(p->out, ".%u", term_get(ts, t)->data + 1);
    return;
  }
  buffer_putc(p->out, '[');
  print(p, term_arg(ts, t, 1), LEVEL_EXPR);
  if (term_kind(ts, t) == TERM_STORE) {
    buffer_puts(p->out, " := ");
    print(p, term_arg(ts, t, 2), LEVEL_EXPR);
  }
  buffer_putc(p->out, ']');
}

/* differing(x) for the two copies of x, as in proofs. */
static void print_differing(struct printer *p, term_id t) {
  struct terms *ts = p->ts;
  term_id a = term_arg(ts, t, 0), b = term_arg(ts, t, 1);
  unsigned run = term_kind(ts, a) == TERM_VAR ? term_var_get(ts, a)->run : 0;
  if (run && b == term_var_in_run(ts, a, 3 - run)) {
    buffer_printf(p->out, "differing(%s", term_var_get(ts, a)->name);
    if (term_var_get(ts, a)->version) buffer_printf(p->out, "@%u", term_var_get(ts, a)->version);
    buffer_putc(p->out, ')');
  } else {
    print_list(p, t, "differing(", ")");
  }
}

static void print(struct printer *p, term_id t, enum level need) {
  struct terms *ts = p->ts;
  const char *function = function_name(term_kind(ts, t));
  if (function) {
    print_list(p, t, function, ")");
    return;
  }
  switch (term_kind(ts, t)) {
  case TERM_TRUE: buffer_puts(p->out, "true"); break;
  case TERM_FALSE: buffer_puts(p->out, "false"); break;
  case TERM_NUM: print_number(p, term_num_value(ts, t), need); break;
  case TERM_VAR: print_var(p, t); break;
  case TERM_BOUND: {
    uint32_t index = term_get(ts, t)->data;
    if (index < p->binders.len)
      buffer_puts(p->out, p->binders.at[p->binders.len - 1 - index]);
    else
      buffer_printf(p->out, "#%u", index);
    break;
  }
  case TERM_ADD: print_sum(p, t, need); break;
  case TERM_MUL: print_product(p, t, need); break;
  case TERM_POW:
    open_paren(p, LEVEL_POWER, need);
    print(p, term_arg(ts, t, 0), LEVEL_POSTFIX);
    buffer_printf(p->out, "^%u", term_get(ts, t)->data);
    close_paren(p, LEVEL_POWER, need);
    break;
  case TERM_RAISE:
    open_paren(p, LEVEL_POWER, need);
    buffer_printf(p->out, "%u^", term_get(ts, t)->data);
    print(p, term_arg(ts, t, 0), LEVEL_UNARY);
    close_paren(p, LEVEL_POWER, need);
    break;
  case TERM_DIV: print_binary(p, t, "/", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY, need); break;
  case TERM_IDIV:
    print_binary(p, t, " div ", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY, need);
    break;
  case TERM_MOD:
    print_binary(p, t, " mod ", LEVEL_PRODUCT, LEVEL_PRODUCT, LEVEL_UNARY, need);
    break;
  case TERM_TO_REAL: print(p, term_arg(ts, t, 0), need); break;
  case TERM_ITE: print_ite(p, t, need); break;
  case TERM_EQ: print_eq(p, t, need); break;
  case TERM_LE:
    print_binary(p, t, " <= ", LEVEL_COMPARISON, LEVEL_APPEND, LEVEL_APPEND, need);
    break;
  case TERM_LT:
    print_binary(p, t, " < ", LEVEL_COMPARISON, LEVEL_APPEND, LEVEL_APPEND, need);
    break;
  case TERM_NOT: print_not(p, t, need); break;
  case TERM_AND: print_nary(p, t, " and ", LEVEL_AND, need); break;
  case TERM_OR: print_nary(p, t, " or ", LEVEL_OR, need); break;
  case TERM_IMPLIES:
    print_binary(p, t, " -> ", LEVEL_IMPLIES, LEVEL_OR, LEVEL_IMPLIES, need);
    break;
  case TERM_FORALL:
  case TERM_EXISTS: print_quantifier(p, t, need); break;
  case TERM_APP:
    buffer_puts(p->out, symbol_get(ts, term_get(ts, t)->data)->name);
    if (term_arg_count(ts, t)) print_list(p, t, "(", ")");
    break;
  case TERM_SELECT:
  case TERM_STORE:
  case TERM_PROJ: print_postfix(p, t); break;
  case TERM_DIFFERING: print_differing(p, t); break;
  case TERM_NIL: buffer_puts(p->out, "[]"); break;
  case TERM_CONS: print_cons(p, t, need); break;
  case TERM_APPEND: print_binary(p, t, " ++ ", LEVEL_APPEND, LEVEL_CONS, LEVEL_APPEND, need); break;
  default: buffer_puts(p->out, "?"); break;
  }
}

void term_print(struct buffer *out, struct terms *ts, term_id t) {
  if (t == TERM_NONE) {
    buffer_puts(out, "<no term>");
    return;
  }
  struct printer p = {.ts = ts, .out = out};
  if (term_get(ts, t)->flags & TERM_HAS_QUANTIFIER) term_free_vars(ts, t, &p.free);
  print(&p, t, LEVEL_EXPR);
  for (size_t i = 0; i < p.made.len; i++)
    free(p.made.at[i]);
  vec_clear(&p.made);
  vec_clear(&p.binders);
  vec_clear(&p.free);
}

char *term_text(struct terms *ts, term_id t) {
  struct buffer b;
  buffer_init(&b);
  term_print(&b, ts, t);
  return buffer_take(&b);
}

void sort_print(struct buffer *out, const struct terms *ts, sort_id sort) {
  const struct sort *s = sort_get(ts, sort);
  switch (s->kind) {
  case SORT_KIND_NONE: buffer_puts(out, "<no sort>"); break;
  case SORT_KIND_BOOL: buffer_puts(out, "bool"); break;
  case SORT_KIND_INT: buffer_puts(out, "int"); break;
  case SORT_KIND_REAL: buffer_puts(out, "real"); break;
  case SORT_KIND_ABSTRACT: buffer_puts(out, s->name); break;
  case SORT_KIND_ARRAY:
    sort_print(out, ts, s->items[0]);
    buffer_puts(out, "[]");
    break;
  case SORT_KIND_LIST:
    buffer_puts(out, "list(");
    sort_print(out, ts, s->items[0]);
    buffer_putc(out, ')');
    break;
  case SORT_KIND_TUPLE:
    buffer_putc(out, '(');
    for (size_t i = 0; i < s->count; i++) {
      if (i) buffer_puts(out, ", ");
      sort_print(out, ts, s->items[i]);
    }
    buffer_putc(out, ')');
    break;
  }
}

/* ---- values ---------------------------------------------------------------------------------- */

void tvalue_print(struct buffer *out, const struct tvalue *v) {
  char *text = NULL;
  switch (v->kind) {
  case TVALUE_UNKNOWN: buffer_puts(out, "?"); break;
  case TVALUE_BOOL: buffer_puts(out, v->truth ? "true" : "false"); break;
  case TVALUE_ELEMENT: buffer_printf(out, "#%ld", v->element); break;
  case TVALUE_EXACT: text = fmpq_get_str(NULL, 10, &v->exact); break;
  case TVALUE_BALL: text = arb_get_str(v->ball, 10, 0); break;
  case TVALUE_ITEMS:
    buffer_putc(out, '[');
    for (size_t i = 0; i < v->count; i++) {
      if (i) buffer_puts(out, ", ");
      tvalue_print(out, v->items[i]);
    }
    buffer_putc(out, ']');
    break;
  case TVALUE_ARRAY:
    buffer_putc(out, '{');
    for (size_t i = 0; i < v->count; i++) {
      char *key = fmpz_get_str(NULL, 10, &v->keys[i]);
      buffer_printf(out, "%s: ", key);
      flint_free(key);
      tvalue_print(out, v->items[i]);
      buffer_puts(out, ", ");
    }
    buffer_puts(out, "else ");
    if (v->fallback)
      tvalue_print(out, v->fallback);
    else
      buffer_putc(out, '?');
    buffer_putc(out, '}');
    break;
  }
  if (text) buffer_puts(out, text);
  flint_free(text);
}
