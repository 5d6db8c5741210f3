#include "search/align/form.h"

#include <string.h>

const struct form FORM_UNKNOWN = {.known = false, .constant = {0, 1}};
const struct form FORM_ZERO = {.known = true, .constant = {0, 1}};

const struct form *form_number(struct forms *fs, struct ratio c, term_id unit) {
  if (ratio_is_zero(c)) return &FORM_ZERO;
  if (!ratio_is_finite(c)) return &FORM_UNKNOWN;
  struct form *f = arena_new(fs->arena, struct form);
  *f = (struct form){.known = true, .constant = c, .unit = unit};
  return f;
}

const struct form *form_moving(struct forms *fs, const struct form *a) {
  struct form f = *a;
  f.constant = ratio_int(0);
  return arena_memdup(fs->arena, &f, sizeof f);
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
  bool numbers = !ratio_is_zero(a->constant) && !ratio_is_zero(b->constant);
  if (numbers && a->unit != b->unit) return &FORM_UNKNOWN;
  struct form f = {.known = true,
                   .constant = ratio_add(a->constant, ratio_mul(scale, b->constant)),
                   .unit = ratio_is_zero(a->constant) ? b->unit : a->unit};
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
  if (a->unit != b->unit && !ratio_is_zero(a->constant)) return false;
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

bool form_depends(const struct forms *fs, const struct form *a, unsigned atom) {
  for (size_t i = 0; i < a->count; i++) {
    if (a->items[i].atom == atom) return true;
    const struct atom *x = &fs->atoms.at[a->items[i].atom];
    for (size_t p = 0; p < x->part_count; p++)
      if (form_depends(fs, x->part[p], atom)) return true;
  }
  return false;
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
  bool zero = true, mixed = false;
  term_id unit = TERM_NONE;
  for (size_t i = 0; i < count; i++) {
    struct ratio l, h;
    term_id own;
    if (form_is_zero(parts[i])) {
      l = h = ratio_int(0);
    } else {
      mixed |= !form_unit(fs, parts[i], &own) || (!zero && own != unit);
      unit = own;
      zero = false;
      form_bounds(fs, parts[i], &l, &h);
    }
    low = ratio_min(low, l);
    high = ratio_max(high, h);
  }
  if (mixed) low = ratio_le(ratio_int(0), low) ? ratio_int(0) : ratio_infinite(-1);
  if (mixed) high = ratio_le(high, ratio_int(0)) ? ratio_int(0) : ratio_infinite(1);
  if (zero) return &FORM_ZERO;
  if (kind == ATOM_EQUAL) return &FORM_UNKNOWN;
  if (kind == ATOM_FIRST) return form_is_zero(parts[1]) ? parts[0] : &FORM_UNKNOWN;
  if (kind == ATOM_MIRROR) {
    high = ratio_max(ratio_abs(low), ratio_abs(high));
    low = ratio_neg(high);
  }
  if (ratio_eq(low, high)) return form_number(fs, low, unit);
  struct atom atom = {.kind = ATOM_HULL, .low = low, .high = high, .unit = unit};
  return form_atom(fs, forms_atom(fs, atom));
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

bool form_unit(const struct forms *fs, const struct form *a, term_id *unit) {
  bool any = !ratio_is_zero(a->constant), same = true;
  *unit = any ? a->unit : TERM_NONE;
  for (size_t i = 0; i < a->count; i++) {
    term_id own = fs->atoms.at[a->items[i].atom].unit;
    same &= !any || own == *unit;
    *unit = own;
    any = true;
  }
  return same;
}

static void add_bounds(const struct form_item *item, const struct atom *atom, struct ratio *low,
                       struct ratio *high) {
  struct ratio c = item->factor;
  bool positive = c.num > 0;
  *low = ratio_add(*low, ratio_mul(c, positive ? atom->low : atom->high));
  *high = ratio_add(*high, ratio_mul(c, positive ? atom->high : atom->low));
}

void form_bounds_in(const struct forms *fs, const struct form *a, term_id unit, struct ratio *low,
                    struct ratio *high) {
  *low = *high = a->unit == unit ? a->constant : ratio_int(0);
  for (size_t i = 0; i < a->count; i++)
    if (fs->atoms.at[a->items[i].atom].unit == unit)
      add_bounds(&a->items[i], &fs->atoms.at[a->items[i].atom], low, high);
}

/* Of a sum of things in several units: at least 0 if all of them are, and so on. */
static void bounds_by_sign(const struct forms *fs, const struct form *a, struct ratio *low,
                           struct ratio *high) {
  struct ratio zero = ratio_int(0);
  bool above = ratio_le(zero, a->constant), below = ratio_le(a->constant, zero);
  for (size_t i = 0; i < a->count; i++) {
    struct ratio l = zero, h = zero;
    add_bounds(&a->items[i], &fs->atoms.at[a->items[i].atom], &l, &h);
    above &= ratio_le(zero, l);
    below &= ratio_le(h, zero);
  }
  *low = above ? zero : ratio_infinite(-1);
  *high = below ? zero : ratio_infinite(1);
}

void form_bounds(const struct forms *fs, const struct form *a, struct ratio *low,
                 struct ratio *high) {
  term_id unit;
  if (!a->known) {
    *low = ratio_infinite(-1);
    *high = ratio_infinite(1);
  } else if (!form_unit(fs, a, &unit)) {
    bounds_by_sign(fs, a, low, high);
  } else {
    form_bounds_in(fs, a, unit, low, high);
  }
}

struct ratio form_radius(const struct forms *fs, const struct form *a) {
  struct ratio low, high;
  form_bounds(fs, a, &low, &high);
  return ratio_max(ratio_abs(low), ratio_abs(high));
}
