/* ---- values as text ----------------------------------------------------------------------------
 *
 * As in the language: true, -3, 1/3, 0.25, [1, 2], (1, true), some(4), none. */

struct cp_text {
  char *at;
  size_t count, room;
};

static void cp_put(struct cp *c, struct cp_text *out, const char *text) {
  size_t length = strlen(text);
  if (out->room - out->count <= length) {
    size_t room = 2 * (out->count + length) + 64;
    char *more = cp_alloc(c, room, 1);
    if (out->count) memcpy(more, out->at, out->count);
    out->at = more;
    out->room = room;
  }
  memcpy(out->at + out->count, text, length + 1);
  out->count += length;
}

/* Nine digits at a time, the lowest first, to the end of the room that they need at most. */
static void cp_put_int(struct cp *c, struct cp_text *out, struct cp_int a) {
  enum { billion = 1000 * 1000 * 1000, digits = 9 };
  if (cp_int_sign(a) < 0) {
    cp_put(c, out, "-");
    a = cp_int_neg(c, a);
  }
  size_t room = cp_int_bits(a) / 3 + 2 * digits + 1; /* a digit is more than three bits */
  char *text = cp_alloc(c, room, 1), *start = text + room - 1;
  *start = 0;
  do {
    struct cp_int low;
    cp_int_divide(c, a, cp_word(billion), &a, &low);
    for (int i = 0; i < digits; i++, low.small /= 10)
      *--start = (char)('0' + low.small % 10);
  } while (cp_int_sign(a));
  start += strspn(start, "0");
  cp_put(c, out, *start ? start : "0");
}

static void cp_put_value(struct cp *c, struct cp_text *out, const char *type, union cp_value v) {
  if (*type == 'b') {
    cp_put(c, out, v.truth ? "true" : "false");
  } else if (cp_is_number_type(*type) && !cp_is_finite(v.number)) {
    int sign = cp_int_sign(v.number.num);
    cp_put(c, out, sign > 0 ? "inf" : sign < 0 ? "-inf" : "nan");
  } else if (cp_is_number_type(*type)) {
    cp_put_int(c, out, v.number.num);
    if (cp_is_whole(v.number)) return;
    cp_put(c, out, "/");
    cp_put_int(c, out, v.number.den);
  } else {
    const char *item = *type == 'o' ? "b" : type + 1;
    cp_put(c, out, *type == '[' ? "[" : "(");
    for (size_t i = 0; i < v.seq->count; i++) {
      if (i) cp_put(c, out, ", ");
      cp_put_value(c, out, item, v.seq->items[i]);
      if (*type == '(') item = cp_type_end(item);
      if (*type == 'o') item = type + 1;
    }
    cp_put(c, out, *type == '[' ? "]" : ")");
  }
}

/* ---- reading ----------------------------------------------------------------------------------- */

struct cp_reader {
  const char *name, *start, *at;
};

static _Noreturn void cp_expected(struct cp *c, const struct cp_reader *r, const char *what) {
  char text[120];
  snprintf(text, sizeof text, "expected %s at character %zu of the value", what,
           (size_t)(r->at - r->start) + 1);
  cp_fail(c, r->name, text);
}

static bool cp_next_is(struct cp_reader *r, const char *word) {
  while (*r->at == ' ')
    r->at++;
  size_t length = strlen(word);
  if (strncmp(r->at, word, length) != 0) return false;
  r->at += length;
  return true;
}

/* Digits, perhaps with a point among them: their value is number/10^places. */
static struct cp_number cp_read_decimal(struct cp *c, struct cp_reader *r) {
  struct cp_int number = cp_word(0), scale = cp_word(1);
  bool point = false;
  if (*r->at < '0' || *r->at > '9') cp_expected(c, r, "a number");
  for (; (*r->at >= '0' && *r->at <= '9') || (*r->at == '.' && !point); r->at++) {
    if (*r->at == '.') {
      point = true;
      continue;
    }
    number = cp_int_add(c, cp_int_mul(c, number, cp_word(10)), cp_word(*r->at - '0'));
    if (point) scale = cp_int_mul(c, scale, cp_word(10));
  }
  return cp_fraction(c, number, scale);
}

static struct cp_number cp_read_number(struct cp *c, struct cp_reader *r, char type) {
  bool negative = cp_next_is(r, "-");
  cp_next_is(r, "");
  struct cp_number n = cp_read_decimal(c, r);
  if (cp_next_is(r, "/")) {
    cp_next_is(r, "");
    struct cp_number d = cp_read_decimal(c, r);
    if (!cp_int_sign(d.num)) cp_expected(c, r, "a denominator that is not 0");
    n = cp_div(c, r->name, n, d);
  }
  if (type == 'i' && !cp_is_whole(n)) cp_expected(c, r, "an integer");
  if (negative) n = cp_neg(c, n);
  if (type == 'f') n = cp_to_float(c, &cp_binary64, n); /* the nearest one */
  if (type == 's') n = cp_to_float(c, &cp_binary32, n);
  return cp_to_real(c, r->name, n);
}

static union cp_value cp_zero(struct cp *c, const char *type) {
  union cp_value v = {.truth = false};
  if (cp_is_number_type(*type)) v.number = cp_small(0);
  if (*type == '[') v.seq = cp_seq_new(c, 0);
  if (*type != '(' && *type != 'o') return v;
  v.seq = cp_seq_new(c, 0);
  if (*type == 'o') {
    cp_push(c, v.seq, (union cp_value){.truth = false});
    cp_push(c, v.seq, cp_zero(c, type + 1));
    return v;
  }
  for (const char *item = type + 1; *item != ')'; item = cp_type_end(item))
    cp_push(c, v.seq, cp_zero(c, item));
  return v;
}

static union cp_value cp_read_value(struct cp *c, struct cp_reader *r, const char *type);

static struct cp_seq *cp_read_items(struct cp *c, struct cp_reader *r, const char *type) {
  struct cp_seq *seq = cp_seq_new(c, 0);
  if (cp_next_is(r, "]")) return seq;
  do
    cp_push(c, seq, cp_read_value(c, r, type + 1));
  while (cp_next_is(r, ","));
  if (!cp_next_is(r, "]")) cp_expected(c, r, "',' or ']'");
  return seq;
}

static struct cp_seq *cp_read_tuple(struct cp *c, struct cp_reader *r, const char *type) {
  struct cp_seq *seq = cp_seq_new(c, 0);
  for (const char *item = type; *item != ')'; item = cp_type_end(item)) {
    if (seq->count && !cp_next_is(r, ",")) cp_expected(c, r, "','");
    cp_push(c, seq, cp_read_value(c, r, item));
  }
  if (!cp_next_is(r, ")")) cp_expected(c, r, "')'");
  return seq;
}

/* An optional value is the pair (is there one, the value). */
static struct cp_seq *cp_read_option(struct cp *c, struct cp_reader *r, const char *type) {
  if (cp_next_is(r, "none")) return cp_zero(c, type).seq;
  bool some = cp_next_is(r, "some");
  if (!cp_next_is(r, "(")) cp_expected(c, r, "none, some(..) or (true, ..)");
  struct cp_seq *pair = cp_seq_new(c, 0);
  cp_push(c, pair, some ? (union cp_value){.truth = true} : cp_read_value(c, r, "b"));
  if (!some && !cp_next_is(r, ",")) cp_expected(c, r, "','");
  cp_push(c, pair, cp_read_value(c, r, type + 1));
  if (!cp_next_is(r, ")")) cp_expected(c, r, "')'");
  return pair;
}

static union cp_value cp_read_value(struct cp *c, struct cp_reader *r, const char *type) {
  union cp_value v = {.truth = false};
  switch (*type) {
  case 'b':
    v.truth = cp_next_is(r, "true");
    if (!v.truth && !cp_next_is(r, "false")) cp_expected(c, r, "true or false");
    break;
  case 'i':
  case 'r':
  case 'f':
  case 's': v.number = cp_read_number(c, r, *type); break;
  case '[':
    if (!cp_next_is(r, "[")) cp_expected(c, r, "'['");
    v.seq = cp_read_items(c, r, type);
    break;
  case 'o': v.seq = cp_read_option(c, r, type); break;
  default:
    if (!cp_next_is(r, "(")) cp_expected(c, r, "'('");
    v.seq = cp_read_tuple(c, r, type + 1);
  }
  return v;
}

/* The whole text is one value of the type. */
static union cp_value cp_read(struct cp *c, const char *name, const char *text, const char *type) {
  struct cp_reader r = {name, text, text};
  if (!text) cp_fail(c, name, "no value is given");
  union cp_value v = cp_read_value(c, &r, type);
  cp_next_is(&r, "");
  if (*r.at) cp_expected(c, &r, "the end");
  return v;
}

/* An array has the length that is declared. */
static void cp_need_length(struct cp *c, const char *name, const struct cp_seq *seq,
                           struct cp_number length) {
  if (cp_compare(c, cp_length(seq), length) != 0)
    cp_fail(c, name, "the array has another length than is declared");
}

/* All its numbers and truth values are in the list, whose items have type `leaf`. */
static void cp_need_listed(struct cp *c, const char *name, const char *type, union cp_value v,
                           const char *leaf, const struct cp_seq *list) {
  bool found = false;
  if (*type == '[' || *type == '(') {
    const char *item = type + 1;
    for (size_t i = 0; i < v.seq->count; i++) {
      cp_need_listed(c, name, item, v.seq->items[i], leaf, list);
      if (*type == '(') item = cp_type_end(item);
    }
    return;
  }
  for (size_t i = 0; i < list->count; i++)
    found = found || cp_equal(c, leaf, v, list->items[i]);
  if (!found) cp_fail(c, name, "the claim says nothing about this value");
}

static void cp_need(struct cp *c, bool holds, const char *condition) {
  if (!holds) cp_fail(c, "the values do not satisfy", condition);
}
