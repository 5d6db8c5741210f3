/* ---- arrays, lists, tuples ---------------------------------------------------------------------
 *
 * They are values: assigning one copies it. Whoever may hold a second reference marks the sequence as
 * shared, and a shared one is copied before it is written. */

struct cp_seq;

union cp_value {
  bool truth;
  struct cp_number number;
  struct cp_seq *seq;
};

struct cp_seq {
  size_t count, room;
  bool shared;
  union cp_value *items;
};

static struct cp_seq *cp_seq_new(struct cp *c, size_t count) {
  struct cp_seq *seq = cp_alloc(c, 1, sizeof *seq);
  *seq = (struct cp_seq){.count = count, .room = count};
  seq->items = cp_alloc(c, count, sizeof *seq->items);
  return seq;
}

static struct cp_seq *cp_seq_of(struct cp *c, size_t count, const union cp_value *items) {
  struct cp_seq *seq = cp_seq_new(c, count);
  if (count) memcpy(seq->items, items, count * sizeof *items);
  return seq;
}

static struct cp_seq *cp_share(struct cp_seq *seq) {
  seq->shared = true;
  return seq;
}

static struct cp_seq *cp_filled(struct cp *c, const char *where, struct cp_number count,
                                union cp_value item) {
  enum { most = 10 * 1000 * 1000 };
  struct cp_seq *seq =
      cp_seq_new(c, cp_count(c, where, count, most + 1, "not a length of an array"));
  for (size_t i = 0; i < seq->count; i++)
    seq->items[i] = item;
  return seq;
}

static union cp_value *cp_item(struct cp *c, const char *where, const struct cp_seq *seq,
                               struct cp_number index) {
  return &seq->items[cp_count(c, where, index, seq->count, "the index is out of range")];
}

/* The variable's own sequence, so that an item may be written. */
static struct cp_seq *cp_own(struct cp *c, struct cp_seq **variable) {
  if ((*variable)->shared) *variable = cp_seq_of(c, (*variable)->count, (*variable)->items);
  return *variable;
}

static void cp_push(struct cp *c, struct cp_seq *seq, union cp_value item) {
  if (seq->count == seq->room) {
    size_t room = 2 * seq->room + 4;
    union cp_value *items = cp_alloc(c, room, sizeof *items);
    if (seq->count) memcpy(items, seq->items, seq->count * sizeof *items);
    seq->items = items;
    seq->room = room;
  }
  seq->items[seq->count++] = item;
}

/* x := x ++ more, in place unless the old list is held elsewhere. */
static void cp_extend(struct cp *c, struct cp_seq **variable, const struct cp_seq *more) {
  struct cp_seq *seq = cp_own(c, variable);
  for (size_t i = 0, count = more->count; i < count; i++)
    cp_push(c, seq, more->items[i]);
}

static struct cp_seq *cp_append(struct cp *c, const struct cp_seq *a, const struct cp_seq *b) {
  struct cp_seq *all = cp_seq_of(c, a->count, a->items);
  cp_extend(c, &all, b);
  return all;
}

static struct cp_seq *cp_cons(struct cp *c, union cp_value head, const struct cp_seq *tail) {
  struct cp_seq *all = cp_seq_of(c, 1, &head);
  cp_extend(c, &all, tail);
  return all;
}

static union cp_value cp_head(struct cp *c, const char *where, const struct cp_seq *list) {
  if (!list->count) cp_fail(c, where, "the head of an empty list");
  return list->items[0];
}

static struct cp_seq *cp_tail(struct cp *c, const char *where, const struct cp_seq *list) {
  if (!list->count) cp_fail(c, where, "the tail of an empty list");
  return cp_seq_of(c, list->count - 1, list->items + 1);
}

static struct cp_number cp_length(const struct cp_seq *seq) {
  return cp_small((int64_t)seq->count);
}

/* ---- types: b, i, r are bool, int, real; f, s are float, float32; [T an array or list; (T..) a tuple;
 * oT is (bT) -------------------------------------------------------------------------------------- */

static bool cp_is_number_type(char type) {
  return type == 'i' || type == 'r' || type == 'f' || type == 's';
}

static const char *cp_type_end(const char *type) {
  if (*type == '[' || *type == 'o') return cp_type_end(type + 1);
  if (*type != '(') return type + 1;
  for (type++; *type != ')';)
    type = cp_type_end(type);
  return type + 1;
}

static bool cp_equal(struct cp *c, const char *type, union cp_value a, union cp_value b) {
  if (*type == 'b') return a.truth == b.truth;
  if (*type == 'f' || *type == 's') return cp_float_order(c, a.number, b.number) == 0;
  if (cp_is_number_type(*type)) return cp_compare(c, a.number, b.number) == 0;
  if (a.seq->count != b.seq->count) return false;
  bool equal = true;
  const char *item = *type == 'o' ? "b" : type + 1;
  for (size_t i = 0; equal && i < a.seq->count; i++) {
    equal = cp_equal(c, item, a.seq->items[i], b.seq->items[i]);
    if (*type == '(') item = cp_type_end(item);
    if (*type == 'o') item = type + 1;
  }
  return equal;
}
