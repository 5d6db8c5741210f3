#include "auto/form.h"

#include <string.h>

const struct form FORM_UNKNOWN = {.known = false, .constant = {0, 1}};
const struct form FORM_ZERO = {.known = true, .constant = {0, 1}};

const struct form *form_number(struct forms *fs, struct ratio c) {
  if (ratio_is_zero(c)) return &FORM_ZERO;
  if (!ratio_is_finite(c)) return &FORM_UNKNOWN;
  struct form *f = arena_new(fs->arena, struct form);
  *f = (struct form){.known = true, .constant = c};
  return f;
}

const struct form *form_atom(struct forms *fs, unsigned atom) {
  struct form_item item = {atom, ratio_int(1)};
  struct form *f = arena_new(fs->arena, struct form);
  *f = (struct form){.known = true,
                     .constant = ratio_int(0),
                     .count = 1,
                     .items = arena_memdup(fs->arena, &item, sizeof item)};
  return f;
}

const struct form *form_add(struct forms *fs, const struct form *a, struct ratio scale,
                            const struct form *b) {
  if (ratio_is_zero(scale) || b == &FORM_ZERO) return a;
  if (!a->known || !b->known || !ratio_is_finite(scale)) return &FORM_UNKNOWN;
  struct form f = {.known = true,
                   .constant = ratio_add(a->constant, ratio_mul(scale, b->constant))};
  struct form_item *items = arena_alloc(fs->arena, (a->count + b->count + 1) * sizeof *items);
  bool failed = !ratio_is_finite(f.constant);
  for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
    struct form_item item;
    if (j == b->count || (i < a->count && a->items[i].atom < b->items[j].atom)) {
      item = a->items[i++];
    } else {
      item = (struct form_item){b->items[j].atom, ratio_mul(scale, b->items[j].factor)};
      if (i < a->count && a->items[i].atom == item.atom)
        item.factor = ratio_add(item.factor, a->items[i++].factor);
      j++;
    }
    failed |= !ratio_is_finite(item.factor);
    if (!ratio_is_zero(item.factor)) items[f.count++] = item;
  }
  if (failed) return &FORM_UNKNOWN;
  f.items = items;
  return arena_memdup(fs->arena, &f, sizeof f);
}

const struct form *form_scale(struct forms *fs, struct ratio scale, const struct form *a) {
  return form_add(fs, &FORM_ZERO, scale, a);
}

bool form_is_number(const struct form *a) {
  return a->known && a->count == 0;
}

bool form_is_zero(const struct form *a) {
  return form_is_number(a) && ratio_is_zero(a->constant);
}

bool form_equal(const struct form *a, const struct form *b) {
  if (!a->known || !b->known || a->count != b->count || !ratio_eq(a->constant, b->constant))
    return false;
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i].atom != b->items[i].atom || !ratio_eq(a->items[i].factor, b->items[i].factor))
      return false;
  return true;
}

struct ratio form_factor(const struct form *a, unsigned atom) {
  for (size_t i = 0; i < a->count; i++)
    if (a->items[i].atom == atom) return a->items[i].factor;
  return ratio_int(0);
}

static bool is_opaque(enum atom_kind kind) {
  return kind == ATOM_EQUAL || kind == ATOM_HULL || kind == ATOM_MIRROR || kind == ATOM_FIRST;
}

bool form_has_shift(const struct forms *fs, const struct form *a) {
  for (size_t i = 0; i < a->count; i++) {
    const struct atom *atom = &fs->atoms.at[a->items[i].atom];
    if (atom->kind == ATOM_SHIFT) return true;
    for (size_t p = 0; is_opaque(atom->kind) && p < atom->part_count; p++)
      if (form_has_shift(fs, atom->part[p])) return true;
  }
  return false;
}

bool form_is_vague(const struct forms *fs, const struct form *a) {
  for (size_t i = 0; i < a->count; i++)
    if (fs->atoms.at[a->items[i].atom].kind == ATOM_EQUAL) return true;
  return !a->known;
}

unsigned forms_atom(struct forms *fs, struct atom atom) {
  vec_push(&fs->atoms, atom);
  return (unsigned)(fs->atoms.len - 1);
}

const struct form *form_opaque(struct forms *fs, enum atom_kind kind,
                               const struct form *const *parts, size_t count) {
  bool zero = true, known = true;
  for (size_t i = 0; i < count; i++) {
    zero &= form_is_zero(parts[i]);
    known &= parts[i]->known;
  }
  if (zero) return &FORM_ZERO;
  if (!known) return &FORM_UNKNOWN;
  struct atom atom = {.kind = kind,
                      .low = ratio_infinite(-1),
                      .high = ratio_infinite(1),
                      .part = arena_memdup(fs->arena, parts, count * sizeof *parts),
                      .part_count = count};
  return form_atom(fs, forms_atom(fs, atom));
}

/* An opaque atom whose parts are settled. */
static const struct form *settle(struct forms *fs, enum atom_kind kind,
                                 const struct form *const *parts, size_t count) {
  struct ratio low = ratio_infinite(1), high = ratio_infinite(-1);
  bool zero = true;
  for (size_t i = 0; i < count; i++) {
    struct ratio l, h;
    zero &= form_is_zero(parts[i]);
    form_bounds(fs, parts[i], &l, &h);
    low = ratio_min(low, l);
    high = ratio_max(high, h);
  }
  if (zero) return &FORM_ZERO;
  if (kind == ATOM_EQUAL) return &FORM_UNKNOWN;
  if (kind == ATOM_FIRST) return form_is_zero(parts[1]) ? parts[0] : &FORM_UNKNOWN;
  if (kind == ATOM_MIRROR) {
    high = ratio_max(ratio_abs(low), ratio_abs(high));
    low = ratio_neg(high);
  }
  if (ratio_eq(low, high)) return form_number(fs, low);
  return form_atom(fs, forms_atom(fs, (struct atom){.kind = ATOM_HULL, .low = low, .high = high}));
}

const struct form *form_resolve(struct forms *fs, const struct form *a, struct form_values values) {
  const struct form *sum = a;
  for (size_t i = 0; i < a->count; i++) {
    struct form_item item = a->items[i];
    struct atom atom = fs->atoms.at[item.atom];
    const struct form *value = NULL;
    if (atom.kind == ATOM_SHIFT) {
      value = values.at[item.atom - values.first];
      if (!value) return NULL;
    } else if (is_opaque(atom.kind) && atom.part_count) {
      const struct form **parts = arena_alloc(fs->arena, atom.part_count * sizeof(void *));
      for (size_t p = 0; p < atom.part_count; p++)
        if (!(parts[p] = form_resolve(fs, atom.part[p], values))) return NULL;
      value = settle(fs, atom.kind, parts, atom.part_count);
    }
    if (!value) continue;
    sum = form_add(fs, sum, ratio_neg(item.factor), form_atom(fs, item.atom));
    sum = form_add(fs, sum, item.factor, value);
  }
  return sum;
}

void form_bounds(const struct forms *fs, const struct form *a, struct ratio *low,
                 struct ratio *high) {
  *low = a->known ? a->constant : ratio_infinite(-1);
  *high = a->known ? a->constant : ratio_infinite(1);
  for (size_t i = 0; i < a->count; i++) {
    const struct atom *atom = &fs->atoms.at[a->items[i].atom];
    struct ratio c = a->items[i].factor;
    bool positive = c.num > 0;
    *low = ratio_add(*low, ratio_mul(c, positive ? atom->low : atom->high));
    *high = ratio_add(*high, ratio_mul(c, positive ? atom->high : atom->low));
  }
}

struct ratio form_radius(const struct forms *fs, const struct form *a) {
  struct ratio low, high;
  form_bounds(fs, a, &low, &high);
  return ratio_max(ratio_abs(low), ratio_abs(high));
}
