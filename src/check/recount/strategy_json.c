#include "check/recount/strategy_json.h"

#include <stdlib.h>
#include <string.h>

const char relation_signs[] = "?<=>";
const char shift_signs[] = "-0+";

struct strategy_reader {
  struct reader *r;
  const struct automaton *a;
  struct strategy *s;
  size_t matrices, nodes; /* how many there are */
};

/* Numbers below `limit`, appended to *out. */
typedef VEC(uint32_t) numbers;
static bool read_numbers(struct reader *r, const json_t *list, size_t limit, const char *what,
                         numbers *out) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t mark = reader_enter_item(r, i);
    uint32_t n = 0;
    if (!reader_number(r, json_array_get(list, i), limit, what, &n)) return false;
    vec_push(out, n);
    reader_leave(r, mark);
  }
  return true;
}

static bool read_tracked(struct strategy_reader *in, const json_t *json) {
  const json_t *list = reader_array(in->r, json, "tracked");
  if (!list) return false;
  numbers tracked = {0};
  size_t mark = reader_enter(in->r, "tracked");
  bool ok = read_numbers(in->r, list, in->a->vars.len, "variables", &tracked);
  if (ok) reader_leave(in->r, mark);
  for (size_t i = 0; i < tracked.len; i++)
    vec_push(&in->s->product.tracked, tracked.at[i]);
  vec_clear(&tracked);
  return ok;
}

static bool read_live(struct strategy_reader *in, const json_t *json) {
  struct product *p = &in->s->product;
  const json_t *list = reader_array(in->r, json, "live");
  if (!list) return false;
  size_t mark = reader_enter(in->r, "live");
  if (json_array_size(list) != in->a->states.len)
    return reader_fail(in->r, "certificate-field", "%zu lists for %zu states",
                       json_array_size(list), in->a->states.len);
  numbers live = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(in->r, i);
    const json_t *item = json_array_get(list, i);
    vec_push(&p->live_first, (uint32_t)live.len);
    ok = json_is_array(item) || reader_fail(in->r, "certificate-field", "expected an array");
    ok = ok && read_numbers(in->r, item, in->a->vars.len, "variables", &live);
    if (ok) reader_leave(in->r, inner);
  }
  vec_push(&p->live_first, (uint32_t)live.len);
  for (size_t i = 0; i < live.len; i++)
    vec_push(&p->live, live.at[i]);
  vec_clear(&live);
  if (ok) reader_leave(in->r, mark);
  return ok;
}

static bool read_facts(struct strategy_reader *in, const json_t *json) {
  struct product *p = &in->s->product;
  size_t size = p->tracked.len * p->tracked.len;
  const json_t *list = reader_array(in->r, json, "facts");
  if (!list) return false;
  size_t mark = reader_enter(in->r, "facts");
  if (!size && json_array_size(list))
    return reader_fail(in->r, "certificate-field", "no variable is tracked: expected no matrix");
  in->matrices = size ? json_array_size(list) : 1; /* number 0 then stands for nothing */
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t inner = reader_enter_item(in->r, i);
    const char *text = json_string_value(json_array_get(list, i));
    if (!text || json_string_length(json_array_get(list, i)) != size ||
        strspn(text, relation_signs) != size)
      return reader_fail(in->r, "certificate-field", "expected a text of %zu signs of '%s'", size,
                         relation_signs);
    for (size_t k = 0; k < size; k++)
      vec_push(&p->facts, (unsigned char)(strchr(relation_signs, text[k]) - relation_signs));
    reader_leave(in->r, inner);
  }
  reader_leave(in->r, mark);
  return true;
}

/* [shifts, cost]; the shifts are appended to *shifts, one for each of `live` variables. */
typedef VEC(int8_t) shift_list;
static bool read_entry(struct reader *r, const json_t *json, size_t live, shift_list *shifts,
                       fmpz_t value) {
  const json_t *first = json_array_get(json, 0);
  const char *text = json_string_value(first);
  if (json_array_size(json) != 2 || !text || json_string_length(first) != live ||
      strspn(text, shift_signs) != live)
    return reader_fail(r, "certificate-field",
                       "expected a text of %zu signs of '%s', one for each live variable, and a "
                       "cost",
                       live, shift_signs);
  for (size_t i = 0; i < live; i++)
    vec_push(shifts, (int8_t)(strchr(shift_signs, text[i]) - shift_signs - 1));
  size_t mark = reader_enter_item(r, 1);
  if (!reader_natural(r, json_array_get(json, 1), value)) return false;
  reader_leave(r, mark);
  return true;
}

/* Shifts and costs of a list of entries, collected before they go to their arrays. */
struct entries {
  shift_list shifts;
  VEC(fmpz) values;
};

static void entries_clear(struct entries *e) {
  for (size_t i = 0; i < e->values.len; i++)
    fmpz_clear(&e->values.at[i]);
  vec_clear(&e->shifts);
  vec_clear(&e->values);
}

static bool read_entries(struct reader *r, const json_t *list, size_t live, struct entries *out) {
  if (!json_is_array(list)) return reader_fail(r, "certificate-field", "expected an array");
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t mark = reader_enter_item(r, i);
    vec_push(&out->values, 0);
    if (!read_entry(r, json_array_get(list, i), live, &out->shifts, &vec_last(&out->values)))
      return false;
    reader_leave(r, mark);
  }
  return true;
}

static bool read_edges(struct strategy_reader *in, const json_t *list) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t mark = reader_enter_item(in->r, i);
    const json_t *item = json_array_get(list, i);
    struct product_edge e = {0};
    if (json_array_size(item) != 2)
      return reader_fail(in->r, "certificate-field", "expected an edge and a node");
    if (!reader_number(in->r, json_array_get(item, 0), in->a->edges.len, "edges", &e.edge) ||
        !reader_number(in->r, json_array_get(item, 1), in->nodes, "nodes", &e.to))
      return false;
    vec_push(&in->s->product.edges, e);
    reader_leave(in->r, mark);
  }
  return true;
}

static bool read_points(struct strategy_reader *in, const json_t *list, size_t live) {
  struct strategy *s = in->s;
  struct entries e = {0};
  bool ok = read_entries(in->r, list, live, &e);
  for (size_t i = 0; ok && i < e.shifts.len; i++)
    vec_push(&s->point_shifts, e.shifts.at[i]);
  for (size_t i = 0; ok && i < e.values.len; i++)
    vec_push(&s->point_value, e.values.at[i]);
  if (ok) e.values.len = 0; /* moved */
  entries_clear(&e);
  return ok;
}

static bool read_label(struct strategy_reader *in, const json_t *list, uint32_t node, size_t live) {
  struct strategy *s = in->s;
  struct entries e = {0};
  bool ok = read_entries(in->r, list, live, &e);
  if (ok) {
    vec_push(&s->labels,
             (struct strategy_label){node, (uint32_t)s->entry_value.len, (uint32_t)e.values.len});
    vec_push(&s->label_at, s->entry_shifts.len);
    for (size_t i = 0; i < e.shifts.len; i++)
      vec_push(&s->entry_shifts, e.shifts.at[i]);
    for (size_t i = 0; i < e.values.len; i++)
      vec_push(&s->entry_value, e.values.at[i]);
    e.values.len = 0;
  }
  entries_clear(&e);
  return ok;
}

static bool read_labels(struct strategy_reader *in, const json_t *list, uint32_t node,
                        size_t live) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    size_t mark = reader_enter_item(in->r, i);
    if (!read_label(in, json_array_get(list, i), node, live)) return false;
    reader_leave(in->r, mark);
  }
  return true;
}

static bool read_node(struct strategy_reader *in, const json_t *json, uint32_t node) {
  struct strategy *s = in->s;
  struct product *p = &s->product;
  struct product_node n = {0};
  if (!reader_object(in->r, json, "state facts edges points labels") ||
      !reader_field_number(in->r, json, "state", in->a->states.len, "states", &n.state) ||
      !reader_field_number(in->r, json, "facts", in->matrices, "matrices of facts", &n.facts))
    return false;
  vec_push(&p->nodes, n);
  vec_push(&p->first, (uint32_t)p->edges.len);
  vec_push(&s->point_first, (uint32_t)s->point_value.len);
  vec_push(&s->point_at, s->point_shifts.len);
  vec_push(&s->label_first, (uint32_t)s->labels.len);
  size_t live = product_live(p, node).count;
  const json_t *edges = reader_array(in->r, json, "edges");
  const json_t *points = reader_array(in->r, json, "points");
  const json_t *labels = reader_array(in->r, json, "labels");
  if (!edges || !points || !labels) return false;
  size_t mark = reader_enter(in->r, "edges");
  if (!read_edges(in, edges)) return false;
  reader_leave(in->r, mark);
  reader_enter(in->r, "points");
  if (!read_points(in, points, live)) return false;
  reader_leave(in->r, mark);
  reader_enter(in->r, "labels");
  if (!read_labels(in, labels, node, live)) return false;
  reader_leave(in->r, mark);
  return true;
}

static bool read_nodes(struct strategy_reader *in, const json_t *json) {
  const json_t *list = reader_array(in->r, json, "nodes");
  if (!list) return false;
  struct strategy *s = in->s;
  size_t mark = reader_enter(in->r, "nodes");
  in->nodes = json_array_size(list);
  for (size_t i = 0; i < in->nodes; i++) {
    size_t inner = reader_enter_item(in->r, i);
    if (!read_node(in, json_array_get(list, i), (uint32_t)i)) return false;
    reader_leave(in->r, inner);
  }
  vec_push(&s->product.first, (uint32_t)s->product.edges.len);
  vec_push(&s->point_first, (uint32_t)s->point_value.len);
  vec_push(&s->label_first, (uint32_t)s->labels.len);
  reader_leave(in->r, mark);
  return true;
}

static bool read_cost(struct strategy_reader *in, const json_t *json, const char *field,
                      fmpz_t out) {
  size_t mark = reader_enter(in->r, field);
  if (!reader_natural(in->r, json_object_get(json, field), out)) return false;
  reader_leave(in->r, mark);
  return true;
}

bool strategy_from_json(struct reader *r, const json_t *json, const struct automaton *a,
                        struct strategy *s) {
  struct strategy_reader in = {.r = r, .a = a, .s = s};
  s->product.a = a;
  if (!reader_object(r, json, "scale cost tracked facts live nodes") ||
      !read_cost(&in, json, "scale", s->scale) || !read_cost(&in, json, "cost", s->cost) ||
      !read_tracked(&in, json) || !read_live(&in, json) || !read_facts(&in, json) ||
      !read_nodes(&in, json))
    return false;
  if (fmpz_is_zero(s->scale)) return reader_fail(r, "certificate-field", "the scale is 0");
  s->digest = strategy_digest(s);
  return true;
}
