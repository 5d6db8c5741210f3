#include "term/exchange.h"

#include <ctype.h>
#include <string.h>

#include "num/rational.h"
#include "term/build.h"
#include "term/subst.h"

/* Heads that are written as their word, the number in `data` if they have one, and arguments. */
static const struct {
  enum term_kind kind;
  const char *word;
  bool has_data;
  int arity; /* -1: one or more */
} heads[] = {
    {TERM_TRUE, "true", false, 0},
    {TERM_FALSE, "false", false, 0},
    {TERM_ADD, "+", false, -1},
    {TERM_MUL, "*", false, -1},
    {TERM_POW, "^", true, 1},
    {TERM_RAISE, "raise", true, 1},
    {TERM_DIV, "/", false, 2},
    {TERM_IDIV, "div", false, 2},
    {TERM_MOD, "mod", false, 2},
    {TERM_TO_REAL, "real", false, 1},
    {TERM_FLOOR, "floor", false, 1},
    {TERM_CEIL, "ceil", false, 1},
    {TERM_ABS, "abs", false, 1},
    {TERM_MIN, "min", false, 2},
    {TERM_MAX, "max", false, 2},
    {TERM_EXP, "exp", false, 1},
    {TERM_LN, "ln", false, 1},
    {TERM_SQRT, "sqrt", false, 1},
    {TERM_ITE, "if", false, 3},
    {TERM_EQ, "=", false, 2},
    {TERM_LE, "<=", false, 2},
    {TERM_LT, "<", false, 2},
    {TERM_NOT, "not", false, 1},
    {TERM_AND, "and", false, -1},
    {TERM_OR, "or", false, -1},
    {TERM_IMPLIES, "->", false, 2},
    {TERM_SELECT, "get", false, 2},
    {TERM_STORE, "set", false, 3},
    {TERM_DIFFERING, "differing", false, 2},
    {TERM_CONS, "::", false, 2},
    {TERM_APPEND, "++", false, 2},
    {TERM_LENGTH, "length", false, 1},
    {TERM_HEAD, "head", false, 1},
    {TERM_TAIL, "tail", false, 1},
    {TERM_TUPLE, "tuple", false, -1},
    {TERM_PROJ, "proj", true, 1},
};
enum { HEADS = sizeof heads / sizeof *heads, EXCHANGE_ARGS = 1 << 20, SORT_DEPTH = 64 };

/* ---- writing --------------------------------------------------------------------------------- */

void term_writer_init(struct term_writer *w, struct terms *ts) {
  *w = (struct term_writer){.ts = ts};
  buffer_init(&w->out);
  memo_init(&w->known);
}

void term_writer_clear(struct term_writer *w) {
  buffer_clear(&w->out);
  memo_clear(&w->known);
  vec_clear(&w->binders);
}

static bool is_plain(char c) {
  return isalnum((unsigned char)c) || (c && strchr("_.@!?$", c));
}

static void write_name(struct buffer *out, const char *name) {
  for (const char *c = name; *c; c++)
    if (is_plain(*c))
      buffer_putc(out, *c);
    else
      buffer_printf(out, "%%%02x", (unsigned char)*c);
}

static void write_sort(struct buffer *out, const struct terms *ts, sort_id sort) {
  const struct sort *s = sort_get(ts, sort);
  switch (s->kind) {
  case SORT_KIND_NONE: buffer_putc(out, '?'); return;
  case SORT_KIND_BOOL: buffer_putc(out, 'b'); return;
  case SORT_KIND_INT: buffer_putc(out, 'i'); return;
  case SORT_KIND_REAL: buffer_putc(out, 'r'); return;
  case SORT_KIND_ABSTRACT:
    buffer_putc(out, '\'');
    write_name(out, s->name);
    buffer_putc(out, '\'');
    return;
  case SORT_KIND_ARRAY:
  case SORT_KIND_LIST:
  case SORT_KIND_TUPLE: break;
  }
  const char *marks = s->kind == SORT_KIND_ARRAY ? "[]" : s->kind == SORT_KIND_LIST ? "{}" : "()";
  buffer_putc(out, marks[0]);
  for (size_t i = 0; i < s->count; i++) {
    if (i) buffer_putc(out, ',');
    write_sort(out, ts, s->items[i]);
  }
  buffer_putc(out, marks[1]);
}

static size_t end_line(struct term_writer *w) {
  buffer_putc(&w->out, '\n');
  return w->lines++;
}

static size_t write_var(struct term_writer *w, const char *name, sort_id sort, unsigned run,
                        unsigned version) {
  buffer_puts(&w->out, "v ");
  write_name(&w->out, name);
  buffer_putc(&w->out, ' ');
  write_sort(&w->out, w->ts, sort);
  buffer_printf(&w->out, " %u %u", run, version);
  return end_line(w);
}

static size_t write_term(struct term_writer *w, term_id t, uint32_t context);

/* No source has a variable named `%`: the body's own variables cannot be captured. */
static size_t write_quantifier(struct term_writer *w, term_id t, const struct term_node *n) {
  size_t var = write_var(w, "%", n->binder, 0, (unsigned)w->binders.len + 1);
  vec_push(&w->binders, (uint32_t)var);
  size_t body = write_term(w, term_arg(w->ts, t, 0), ++w->contexts);
  w->binders.len--;
  buffer_printf(&w->out, "%s %zu %zu ", n->kind == TERM_FORALL ? "all" : "some", var, body);
  write_name(&w->out, term_binder_hint(w->ts, t));
  return end_line(w);
}

static size_t write_app(struct term_writer *w, const struct term_node *n, const size_t *args) {
  const struct term_symbol *s = symbol_get(w->ts, n->data);
  buffer_puts(&w->out, "@ ");
  write_name(&w->out, s->name);
  buffer_putc(&w->out, ' ');
  write_sort(&w->out, w->ts, s->result);
  for (size_t i = 0; i < s->count; i++) {
    buffer_putc(&w->out, ' ');
    write_sort(&w->out, w->ts, s->args[i]);
  }
  for (size_t i = 0; i < n->count; i++)
    buffer_printf(&w->out, " %zu", args[i]);
  return end_line(w);
}

static size_t write_leaf(struct term_writer *w, term_id t, const struct term_node *n) {
  if (n->kind == TERM_VAR) {
    const struct term_var *v = term_var_get(w->ts, t);
    return write_var(w, v->name, v->sort, v->run, v->version);
  }
  buffer_puts(&w->out, n->kind == TERM_NUM ? "n " : "nil ");
  if (n->kind == TERM_NUM) {
    rational_print(&w->out, term_num_value(w->ts, t));
    buffer_putc(&w->out, ' ');
  }
  write_sort(&w->out, w->ts, n->sort);
  return end_line(w);
}

static size_t write_compound(struct term_writer *w, term_id t, const struct term_node *n,
                             uint32_t context) {
  VEC(size_t) args = {0};
  for (size_t i = 0; i < n->count; i++) {
    size_t line = write_term(w, term_arg(w->ts, t, i), context);
    vec_push(&args, line);
  }
  size_t line = 0;
  if (n->kind == TERM_APP) {
    line = write_app(w, n, args.at);
  } else {
    for (size_t h = 0; h < HEADS; h++) {
      if (heads[h].kind != n->kind) continue;
      buffer_puts(&w->out, heads[h].word);
      if (heads[h].has_data) buffer_printf(&w->out, " %u", n->data);
    }
    for (size_t i = 0; i < n->count; i++)
      buffer_printf(&w->out, " %zu", args.at[i]);
    line = end_line(w);
  }
  vec_clear(&args);
  return line;
}

static size_t write_term(struct term_writer *w, term_id t, uint32_t context) {
  struct term_node n = *term_get(w->ts, t);
  if (n.kind == TERM_BOUND) return w->binders.at[w->binders.len - 1 - n.data];
  uint64_t key = ((uint64_t)(n.loose ? context : 0) << 32) | t;
  uint32_t known;
  if (memo_find(&w->known, key, &known)) return known - 1;
  size_t line;
  if (n.kind == TERM_FORALL || n.kind == TERM_EXISTS)
    line = write_quantifier(w, t, &n);
  else if (n.kind == TERM_VAR || n.kind == TERM_NUM || n.kind == TERM_NIL)
    line = write_leaf(w, t, &n);
  else
    line = write_compound(w, t, &n, context);
  memo_put(&w->known, key, (uint32_t)line + 1);
  return line;
}

size_t term_write(struct term_writer *w, term_id t) {
  return write_term(w, t, 0);
}

/* ---- reading --------------------------------------------------------------------------------- */

void term_reader_init(struct term_reader *r, struct terms *ts) {
  *r = (struct term_reader){.ts = ts};
}

void term_reader_clear(struct term_reader *r) {
  vec_clear(&r->lines);
}

term_id term_read(const struct term_reader *r, size_t line) {
  return line < r->lines.len ? r->lines.at[line] : TERM_NONE;
}

/* The rest of a line; `ok` turns false at the first thing that is not as it should be. */
struct line {
  struct term_reader *r;
  const char *at, *end;
  bool ok;
};

static bool more(struct line *l) {
  while (l->at < l->end && *l->at == ' ')
    l->at++;
  return l->ok && l->at < l->end;
}

static const char *word(struct line *l, size_t *length) {
  l->ok = more(l);
  const char *start = l->at;
  while (l->at < l->end && *l->at != ' ')
    l->at++;
  *length = (size_t)(l->at - start);
  return start;
}

static size_t number(struct line *l) {
  size_t length, value = 0;
  const char *text = word(l, &length);
  l->ok = l->ok && length > 0 && length <= 10;
  for (size_t i = 0; l->ok && i < length; i++) {
    l->ok = isdigit((unsigned char)text[i]);
    value = value * 10 + (size_t)(text[i] - '0');
  }
  l->ok = l->ok && value <= UINT32_MAX;
  return l->ok ? value : 0;
}

static term_id reference(struct line *l) {
  term_id t = term_read(l->r, number(l));
  l->ok = l->ok && t != TERM_NONE;
  return l->ok ? t : TERM_NONE;
}

static int hex(char c) {
  return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A name up to `end`, which is not part of it. */
static void name(struct line *l, struct buffer *out, char end) {
  for (; l->ok && l->at < l->end && *l->at != end && *l->at != ' '; l->at++) {
    if (*l->at != '%') {
      l->ok = is_plain(*l->at);
      buffer_putc(out, *l->at);
      continue;
    }
    int high = l->end - l->at > 2 ? hex(l->at[1]) : -1, low = high < 0 ? -1 : hex(l->at[2]);
    l->ok = low >= 0 && (high | low) != 0;
    if (l->ok) buffer_putc(out, (char)(high * 16 + low));
    l->at += 2;
  }
  l->ok = l->ok && out->len > 0;
}

static sort_id sort(struct line *l, int depth);

static sort_id compound_sort(struct line *l, char open, int depth) {
  VEC(sort_id) items = {0};
  char close = open == '[' ? ']' : open == '{' ? '}' : ')';
  do {
    l->at++;
    sort_id item = sort(l, depth + 1);
    vec_push(&items, item);
  } while (l->ok && l->at < l->end && *l->at == ',' && open == '(');
  l->ok = l->ok && l->at < l->end && *l->at == close;
  l->at += l->ok;
  sort_id made = SORT_NONE;
  if (l->ok && open == '(')
    made = items.len >= 2 ? sort_tuple(l->r->ts, items.at, items.len) : SORT_NONE;
  else if (l->ok)
    made = open == '[' ? sort_array(l->r->ts, items.at[0]) : sort_list(l->r->ts, items.at[0]);
  vec_clear(&items);
  return made;
}

static sort_id sort(struct line *l, int depth) {
  if (depth == 0) l->ok = more(l);
  l->ok = l->ok && l->at < l->end && depth < SORT_DEPTH;
  if (!l->ok) return SORT_NONE;
  sort_id made = SORT_NONE;
  char c = *l->at;
  if (c == '[' || c == '{' || c == '(') {
    made = compound_sort(l, c, depth);
  } else if (c == '\'') {
    struct buffer text;
    buffer_init(&text);
    l->at++;
    name(l, &text, '\'');
    l->ok = l->ok && l->at < l->end && *l->at == '\'';
    l->at += l->ok;
    if (l->ok) made = sort_abstract(l->r->ts, buffer_text(&text));
    buffer_clear(&text);
  } else {
    made = c == 'b' ? SORT_BOOL : c == 'i' ? SORT_INT : c == 'r' ? SORT_REAL : SORT_NONE;
    l->at++;
  }
  l->ok = l->ok && made != SORT_NONE;
  return made;
}

static term_id read_var(struct line *l) {
  struct buffer text;
  buffer_init(&text);
  if (more(l)) name(l, &text, ' ');
  sort_id of = sort(l, 0);
  size_t run = number(l), version = number(l);
  term_id t = TERM_NONE;
  if (l->ok && run <= 2 && version < TERM_LIMIT_VERSION)
    t = term_var(l->r->ts, buffer_text(&text), of, (unsigned)run, (unsigned)version);
  buffer_clear(&text);
  return t;
}

static term_id read_number(struct line *l) {
  size_t length;
  const char *text = word(l, &length);
  sort_id of = sort(l, 0);
  fmpq_t value;
  fmpq_init(value);
  term_id t = TERM_NONE;
  if (l->ok && sort_is_numeric(of) && rational_parse(value, text, length, NULL) &&
      (of == SORT_REAL || fmpz_is_one(fmpq_denref(value))))
    t = term_num(l->r->ts, value, of);
  fmpq_clear(value);
  return t;
}

static term_id read_quantifier(struct line *l, bool is_forall) {
  term_id var = reference(l), body = reference(l);
  if (more(l)) { /* the name it had; only a hint, and the reader's variable has none */
    size_t length;
    word(l, &length);
  }
  if (!l->ok || term_kind(l->r->ts, var) != TERM_VAR) return TERM_NONE;
  return is_forall ? term_forall(l->r->ts, &var, 1, body) : term_exists(l->r->ts, &var, 1, body);
}

static term_id read_app(struct line *l) {
  struct terms *ts = l->r->ts;
  struct buffer text;
  buffer_init(&text);
  if (more(l)) name(l, &text, ' ');
  sort_id result = sort(l, 0);
  VEC(sort_id) sorts = {0};
  term_list args = {0};
  while (more(l) && !isdigit((unsigned char)*l->at) && sorts.len < EXCHANGE_ARGS) {
    sort_id s = sort(l, 0);
    vec_push(&sorts, s);
  }
  while (more(l) && args.len < sorts.len) {
    term_id arg = reference(l);
    vec_push(&args, arg);
  }
  term_id t = TERM_NONE;
  if (l->ok && args.len == sorts.len) {
    symbol_id symbol = symbol_declare(ts, buffer_text(&text), sorts.at, sorts.len, result);
    if (symbol != SYMBOL_NONE) t = term_app(ts, symbol, args.at, args.len);
  }
  vec_clear(&args);
  vec_clear(&sorts);
  buffer_clear(&text);
  return t;
}

/* A head of the table, applied. */
static term_id apply(struct terms *ts, enum term_kind kind, uint32_t data, const term_id *a,
                     size_t count) {
  switch (kind) {
  case TERM_TRUE: return ts->true_term;
  case TERM_FALSE: return ts->false_term;
  case TERM_ADD: return term_sum(ts, a, count);
  case TERM_MUL: return term_product(ts, a, count);
  case TERM_POW: return term_pow(ts, a[0], data);
  case TERM_RAISE: return term_raise(ts, data, a[0]);
  case TERM_DIV: return term_div(ts, a[0], a[1]);
  case TERM_IDIV: return term_idiv(ts, a[0], a[1]);
  case TERM_MOD: return term_mod(ts, a[0], a[1]);
  case TERM_TO_REAL: return term_to_real(ts, a[0]);
  case TERM_FLOOR: return term_floor(ts, a[0]);
  case TERM_CEIL: return term_ceil(ts, a[0]);
  case TERM_ABS: return term_abs(ts, a[0]);
  case TERM_MIN: return term_min(ts, a[0], a[1]);
  case TERM_MAX: return term_max(ts, a[0], a[1]);
  case TERM_EXP: return term_exp(ts, a[0]);
  case TERM_LN: return term_ln(ts, a[0]);
  case TERM_SQRT: return term_sqrt(ts, a[0]);
  case TERM_ITE: return term_ite(ts, a[0], a[1], a[2]);
  case TERM_EQ: return term_eq(ts, a[0], a[1]);
  case TERM_LE: return term_le(ts, a[0], a[1]);
  case TERM_LT: return term_lt(ts, a[0], a[1]);
  case TERM_NOT: return term_not(ts, a[0]);
  case TERM_AND: return term_and_all(ts, a, count);
  case TERM_OR: return term_or_all(ts, a, count);
  case TERM_IMPLIES: return term_implies(ts, a[0], a[1]);
  case TERM_SELECT: return term_select(ts, a[0], a[1]);
  case TERM_STORE: return term_store(ts, a[0], a[1], a[2]);
  case TERM_DIFFERING: return term_differing(ts, a[0], a[1]);
  case TERM_CONS: return term_cons(ts, a[0], a[1]);
  case TERM_APPEND: return term_append(ts, a[0], a[1]);
  case TERM_LENGTH: return term_length(ts, a[0]);
  case TERM_HEAD: return term_head(ts, a[0]);
  case TERM_TAIL: return term_tail(ts, a[0]);
  case TERM_TUPLE: return term_tuple(ts, a, count);
  case TERM_PROJ: return term_proj(ts, a[0], data);
  case TERM_KIND_NONE:
  case TERM_NUM:
  case TERM_VAR:
  case TERM_BOUND:
  case TERM_FORALL:
  case TERM_EXISTS:
  case TERM_APP:
  case TERM_NIL: break; /* have lines of their own */
  }
  return TERM_NONE;
}

static term_id read_head(struct line *l, const char *text, size_t length) {
  for (size_t h = 0; h < HEADS; h++) {
    if (strlen(heads[h].word) != length || memcmp(heads[h].word, text, length) != 0) continue;
    uint32_t data = heads[h].has_data ? (uint32_t)number(l) : 0;
    term_list args = {0};
    while (more(l) && args.len < EXCHANGE_ARGS) {
      term_id arg = reference(l);
      vec_push(&args, arg);
    }
    bool fits = heads[h].arity < 0 ? args.len > 0 : args.len == (size_t)heads[h].arity;
    term_id t = l->ok && fits ? apply(l->r->ts, heads[h].kind, data, args.at, args.len) : TERM_NONE;
    vec_clear(&args);
    return t;
  }
  return TERM_NONE;
}

static bool is_word(const char *text, size_t length, const char *expected) {
  return strlen(expected) == length && memcmp(text, expected, length) == 0;
}

bool term_read_line(struct term_reader *r, const char *text, size_t length) {
  struct line l = {.r = r, .at = text, .end = text + length, .ok = true};
  size_t size;
  const char *head = word(&l, &size);
  if (!l.ok) return false;
  term_id t = TERM_NONE;
  if (is_word(head, size, "v"))
    t = read_var(&l);
  else if (is_word(head, size, "n"))
    t = read_number(&l);
  else if (is_word(head, size, "all") || is_word(head, size, "some"))
    t = read_quantifier(&l, size == 3);
  else if (is_word(head, size, "@"))
    t = read_app(&l);
  else if (is_word(head, size, "nil"))
    t = term_nil(r->ts, sort(&l, 0));
  else
    t = read_head(&l, head, size);
  if (!l.ok || more(&l) || t == TERM_NONE) return false;
  vec_push(&r->lines, t);
  return true;
}
