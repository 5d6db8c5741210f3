#include "run/sample/scripted.h"

#include "run/eval/number.h"

/* Steps of arithmetic that go on as long as nothing fails; every result is a value to be cleared. */
struct steps {
  enum number_fault fault;
  VEC(struct rvalue) made;
};

static const struct rvalue *keep(struct steps *s, struct rvalue value) {
  vec_push(&s->made, value);
  return &vec_last(&s->made);
}

static struct rvalue binary(struct steps *s, enum binary_op op, struct rvalue a, struct rvalue b) {
  struct rvalue out = rvalue_int(0);
  if (!s->fault) s->fault = number_binary(op, &out, &a, &b);
  return *keep(s, out);
}

static struct rvalue function(struct steps *s, enum builtin f, struct rvalue a) {
  struct rvalue out = rvalue_int(0);
  if (!s->fault) s->fault = number_function(f, &out, &a);
  return *keep(s, out);
}

static struct rvalue fraction(struct steps *s, struct rvalue v) {
  return binary(s, BINARY_SUB, v, function(s, BUILTIN_FLOOR, v));
}

static enum noise_fault check_scale(const struct rvalue *scale) {
  int sign;
  if (!number_sign(&sign, scale)) return NOISE_UNDECIDED;
  return sign > 0 ? NOISE_OK : NOISE_SCALE;
}

static enum noise_fault check_range(const struct rvalue *args, bool may_be_equal) {
  int order;
  if (!number_compare(&order, &args[0], &args[1])) return NOISE_UNDECIDED;
  return order < 0 || (may_be_equal && order == 0) ? NOISE_OK : NOISE_RANGE;
}

static enum noise_fault check_probability(const struct rvalue *p) {
  struct rvalue zero = rvalue_int(0), one = rvalue_int(1);
  int low, high;
  if (!number_compare(&low, &zero, p) || !number_compare(&high, p, &one)) return NOISE_UNDECIDED;
  return low <= 0 && high <= 0 ? NOISE_OK : NOISE_PROBABILITY;
}

static enum noise_fault check(enum dist_kind kind, const struct rvalue *args, size_t count) {
  switch (dist_get(kind)->parameters) {
  case PARAMETERS_CENTRED: return check_scale(&args[1]);
  case PARAMETERS_RANGE: return check_range(args, dist_is_integer(kind));
  case PARAMETERS_ITEMS: return count ? NOISE_OK : NOISE_RANGE;
  case PARAMETERS_CHANCE: return check_probability(&args[0]);
  }
  return NOISE_RANGE;
}

/* low + floor(u * size) */
static struct rvalue pick(struct steps *s, struct rvalue v, struct rvalue size) {
  return function(s, BUILTIN_FLOOR, binary(s, BINARY_MUL, fraction(s, v), size));
}

static struct rvalue sample_value(struct steps *s, enum dist_kind kind, const struct rvalue *args,
                                  size_t count, struct rvalue v) {
  struct rvalue low = args[0], width, index;
  int order = 0;
  switch (dist_get(kind)->parameters) {
  case PARAMETERS_CENTRED:
    if (dist_get(kind)->is_one_sided) v = function(s, BUILTIN_ABS, v);
    if (dist_is_integer(kind)) v = function(s, BUILTIN_FLOOR, v);
    return binary(s, BINARY_ADD, low, v);
  case PARAMETERS_RANGE:
    width = binary(s, BINARY_SUB, args[1], low);
    if (!dist_is_integer(kind))
      return binary(s, BINARY_ADD, low, binary(s, BINARY_MUL, fraction(s, v), width));
    return binary(s, BINARY_ADD, low, pick(s, v, binary(s, BINARY_ADD, width, rvalue_int(1))));
  case PARAMETERS_ITEMS:
    index = pick(s, v, rvalue_int((slong)count));
    return s->fault ? rvalue_int(0) : args[rvalue_count(&index)];
  case PARAMETERS_CHANCE:
    v = fraction(s, v);
    if (!s->fault && !number_compare(&order, &v, &low)) s->fault = NUMBER_UNDECIDED;
    return rvalue_bool(order < 0);
  }
  return rvalue_int(0);
}

int scripted_sample(void *context, enum dist_kind kind, const struct rvalue *args, size_t count,
                    struct rvalue *out) {
  struct scripted *script = context;
  enum noise_fault fault = check(kind, args, count);
  if (fault) return fault;
  if (script->next == script->count) return NOISE_SPENT;
  struct steps s = {0};
  struct rvalue value = sample_value(&s, kind, args, count, script->values[script->next++]);
  if (!s.fault) *out = rvalue_copy(&value);
  for (size_t i = 0; i < s.made.len; i++)
    rvalue_clear(&s.made.at[i]);
  vec_clear(&s.made);
  if (!s.fault) return NOISE_OK;
  return s.fault == NUMBER_UNDECIDED ? NOISE_UNDECIDED : NOISE_TOO_LARGE;
}
