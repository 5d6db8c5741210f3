/* Builders of applications, arrays, lists and tuples. */
#include "term/build.h"

static enum sort_kind kind_of(const struct terms *ts, term_id t) {
  return sort_get(ts, term_sort(ts, t))->kind;
}

static term_id make(struct terms *ts, enum term_kind kind, sort_id sort, const term_id *args,
                    size_t count) {
  return term_make_(ts, (struct term_node){.kind = kind, .sort = sort}, args, count);
}

static bool is_a(struct terms *ts, term_id t, enum sort_kind kind) {
  if (t == TERM_NONE) return false;
  if (kind_of(ts, t) == kind) return true;
  term_fail_(ts, TERM_FAILURE_SORT);
  return false;
}

static term_id coerce_items(struct terms *ts, term_id a, sort_id sort);

term_id term_coerce(struct terms *ts, term_id a, sort_id sort) {
  if (a == TERM_NONE) return TERM_NONE;
  if (term_sort(ts, a) == sort) return a;
  if (sort == SORT_REAL && term_sort(ts, a) == SORT_INT) return term_to_real(ts, a);
  enum term_kind kind = term_kind(ts, a);
  if (kind == TERM_TUPLE || kind == TERM_NIL || kind == TERM_CONS) return coerce_items(ts, a, sort);
  return term_fail_(ts, TERM_FAILURE_SORT);
}

/* Tuples and lists that are written out: item by item. */
static term_id coerce_items(struct terms *ts, term_id a, sort_id sort) {
  struct sort want = *sort_get(ts, sort);
  enum term_kind kind = term_kind(ts, a);
  if (kind != TERM_TUPLE) {
    if (want.kind != SORT_KIND_LIST) return term_fail_(ts, TERM_FAILURE_SORT);
    if (kind == TERM_NIL) return term_nil(ts, sort);
    term_id head = term_coerce(ts, term_arg(ts, a, 0), want.items[0]);
    term_id tail = term_coerce(ts, term_arg(ts, a, 1), sort);
    return term_cons(ts, head, tail);
  }
  if (want.kind != SORT_KIND_TUPLE || want.count != term_arg_count(ts, a))
    return term_fail_(ts, TERM_FAILURE_SORT);
  term_list items = {0};
  for (size_t i = 0; i < want.count; i++)
    vec_push(&items, term_coerce(ts, term_arg(ts, a, i), want.items[i]));
  term_id t = term_tuple(ts, items.at, items.len);
  vec_clear(&items);
  return t;
}

term_id term_app(struct terms *ts, symbol_id symbol, const term_id *args, size_t count) {
  if (symbol >= ts->symbols.len || ts->symbols.at[symbol].count != count)
    return term_fail_(ts, TERM_FAILURE_SORT);
  struct term_symbol s = ts->symbols.at[symbol];
  term_list fitted = {0};
  for (size_t i = 0; i < count; i++)
    vec_push(&fitted, term_coerce(ts, args[i], s.args[i]));
  struct term_node n = {.kind = TERM_APP, .sort = s.result, .data = symbol};
  term_id t = term_make_(ts, n, fitted.at, count);
  vec_clear(&fitted);
  return t;
}

/* ---- arrays --------------------------------------------------------------------------------- */

static bool is_index(struct terms *ts, term_id t) {
  if (t == TERM_NONE) return false;
  if (term_sort(ts, t) == SORT_INT) return true;
  term_fail_(ts, TERM_FAILURE_SORT);
  return false;
}

term_id term_select(struct terms *ts, term_id array, term_id index) {
  if (!is_a(ts, array, SORT_KIND_ARRAY) || !is_index(ts, index)) return TERM_NONE;
  while (term_kind(ts, array) == TERM_STORE) {
    term_id difference = term_sub(ts, term_arg(ts, array, 1), index);
    if (difference == TERM_NONE) return TERM_NONE;
    if (!term_is_num(ts, difference)) break;
    if (fmpq_is_zero(term_num_value(ts, difference))) return term_arg(ts, array, 2);
    array = term_arg(ts, array, 0);
  }
  sort_id elem = sort_elem(ts, term_sort(ts, array));
  return make(ts, TERM_SELECT, elem, (term_id[]){array, index}, 2);
}

term_id term_store(struct terms *ts, term_id array, term_id index, term_id value) {
  if (!is_a(ts, array, SORT_KIND_ARRAY) || !is_index(ts, index)) return TERM_NONE;
  sort_id sort = term_sort(ts, array);
  value = term_coerce(ts, value, sort_elem(ts, sort));
  if (term_kind(ts, array) == TERM_STORE && term_arg(ts, array, 1) == index)
    array = term_arg(ts, array, 0);
  return make(ts, TERM_STORE, sort, (term_id[]){array, index, value}, 3);
}

/* The order of the arguments does not matter, so there is one: the relation of two runs stays what
 * it is when the runs are swapped. */
term_id term_differing(struct terms *ts, term_id a, term_id b) {
  if (!is_a(ts, a, SORT_KIND_ARRAY) || !is_a(ts, b, SORT_KIND_ARRAY)) return TERM_NONE;
  if (term_sort(ts, a) != term_sort(ts, b)) return term_fail_(ts, TERM_FAILURE_SORT);
  term_id args[] = {a < b ? a : b, a < b ? b : a};
  return make(ts, TERM_DIFFERING, SORT_INT, args, 2);
}

/* ---- lists ---------------------------------------------------------------------------------- */

term_id term_nil(struct terms *ts, sort_id list) {
  if (list >= ts->sorts.len || sort_get(ts, list)->kind != SORT_KIND_LIST)
    return term_fail_(ts, TERM_FAILURE_SORT);
  return make(ts, TERM_NIL, list, NULL, 0);
}

term_id term_cons(struct terms *ts, term_id head, term_id tail) {
  if (head == TERM_NONE || !is_a(ts, tail, SORT_KIND_LIST)) return TERM_NONE;
  sort_id list = term_sort(ts, tail);
  head = term_coerce(ts, head, sort_elem(ts, list));
  return make(ts, TERM_CONS, list, (term_id[]){head, tail}, 2);
}

/* Appends lean to the right, and constructors on the left come out. */
term_id term_append(struct terms *ts, term_id a, term_id b) {
  if (!is_a(ts, a, SORT_KIND_LIST) || !is_a(ts, b, SORT_KIND_LIST)) return TERM_NONE;
  sort_id sort = term_sort(ts, a);
  if (sort != term_sort(ts, b)) return term_fail_(ts, TERM_FAILURE_SORT);
  if (term_kind(ts, a) == TERM_NIL) return b;
  if (term_kind(ts, b) == TERM_NIL) return a;
  if (term_kind(ts, a) == TERM_CONS) {
    term_id head = term_arg(ts, a, 0);
    return term_cons(ts, head, term_append(ts, term_arg(ts, a, 1), b));
  }
  if (term_kind(ts, a) == TERM_APPEND) {
    term_id left = term_arg(ts, a, 0);
    return term_append(ts, left, term_append(ts, term_arg(ts, a, 1), b));
  }
  return make(ts, TERM_APPEND, sort, (term_id[]){a, b}, 2);
}

term_id term_length(struct terms *ts, term_id list) {
  if (!is_a(ts, list, SORT_KIND_LIST)) return TERM_NONE;
  switch (term_kind(ts, list)) {
  case TERM_NIL: return term_int(ts, 0);
  case TERM_CONS: return term_add(ts, term_length(ts, term_arg(ts, list, 1)), term_int(ts, 1));
  case TERM_APPEND: {
    term_id left = term_length(ts, term_arg(ts, list, 0));
    return term_add(ts, left, term_length(ts, term_arg(ts, list, 1)));
  }
  default: return make(ts, TERM_LENGTH, SORT_INT, &list, 1);
  }
}

term_id term_head(struct terms *ts, term_id list) {
  if (!is_a(ts, list, SORT_KIND_LIST)) return TERM_NONE;
  if (term_kind(ts, list) == TERM_CONS) return term_arg(ts, list, 0);
  return make(ts, TERM_HEAD, sort_elem(ts, term_sort(ts, list)), &list, 1);
}

term_id term_tail(struct terms *ts, term_id list) {
  if (!is_a(ts, list, SORT_KIND_LIST)) return TERM_NONE;
  if (term_kind(ts, list) == TERM_CONS) return term_arg(ts, list, 1);
  return make(ts, TERM_TAIL, term_sort(ts, list), &list, 1);
}

/* ---- tuples --------------------------------------------------------------------------------- */

term_id term_tuple(struct terms *ts, const term_id *items, size_t count) {
  VEC(sort_id) sorts = {0};
  for (size_t i = 0; i < count; i++) {
    if (items[i] == TERM_NONE) {
      vec_clear(&sorts);
      return TERM_NONE;
    }
    vec_push(&sorts, term_sort(ts, items[i]));
  }
  sort_id sort = sort_tuple(ts, sorts.at, count);
  vec_clear(&sorts);
  if (sort == SORT_NONE) return term_fail_(ts, TERM_FAILURE_SORT);
  return make(ts, TERM_TUPLE, sort, items, count);
}

term_id term_proj(struct terms *ts, term_id tuple, size_t index) {
  if (!is_a(ts, tuple, SORT_KIND_TUPLE)) return TERM_NONE;
  const struct sort *s = sort_get(ts, term_sort(ts, tuple));
  if (index >= s->count) return term_fail_(ts, TERM_FAILURE_SORT);
  if (term_kind(ts, tuple) == TERM_TUPLE) return term_arg(ts, tuple, index);
  struct term_node n = {.kind = TERM_PROJ, .sort = s->items[index], .data = (uint32_t)index};
  return term_make_(ts, n, &tuple, 1);
}
