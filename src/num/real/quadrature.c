#include "num/real/quadrature.h"

#include <stdlib.h>

#include "base/alloc.h"

/* values[l] = P_l(x), l < count (at least 2): (l+1) P_(l+1) = (2l+1) x P_l - l P_(l-1). */
static void legendre(arb_ptr values, slong count, const arb_t x, slong precision) {
  arb_t t;
  arb_init(t);
  arb_one(values);
  arb_set(values + 1, x);
  for (slong l = 1; l + 1 < count; l++) {
    arb_mul(t, values + l, x, precision);
    arb_mul_si(t, t, 2 * l + 1, precision);
    arb_submul_si(t, values + l - 1, l, precision);
    arb_div_si(values + l + 1, t, l + 1, precision);
  }
  arb_clear(t);
}

/* 2 rho^-degree/(rho - 1), times the factor. */
static void set_error(mag_t out, ulong factor, slong degree) {
  mag_set_ui(out, QUADRATURE_RHO);
  mag_inv(out, out);
  mag_pow_ui(out, out, (ulong)degree);
  mag_mul_ui(out, out, 2 * factor);
  mag_div_ui(out, out, QUADRATURE_RHO - 1);
}

/* The recurrence loses up to two bits a step in balls. */
static slong table_precision(const struct quadrature *q) {
  return q->precision + 2 * q->order;
}

/* The Legendre polynomials up to degree n at the nodes: n + 1 for each. */
static arb_ptr polynomials(const struct quadrature *q) {
  slong n = q->order;
  arb_ptr at = _arb_vec_init((n + 1) * n);
  for (slong k = 0; k < n; k++)
    legendre(at + k * (n + 1), n + 1, q->nodes + k, table_precision(q));
  return at;
}

/* project[l][k] = (2l+1)/2 w_k P_l(x_k). */
static void need_project(struct quadrature *q) {
  slong n = q->order, precision = table_precision(q);
  if (q->project) return;
  arb_ptr at = polynomials(q);
  q->project = _arb_vec_init(n * n);
  for (slong l = 0; l < n; l++)
    for (slong k = 0; k < n; k++) {
      arb_ptr p = q->project + l * n + k;
      arb_mul(p, q->exact_weights + k, at + k * (n + 1) + l, precision);
      arb_mul_si(p, p, 2 * l + 1, precision);
      arb_mul_2exp_si(p, p, -1);
    }
  _arb_vec_clear(at, (n + 1) * n);
}

/* The integral of P_l from -1 to x is (P_(l+1)(x) - P_(l-1)(x))/(2l+1), for l = 0: x + 1. */
static void need_sums(struct quadrature *q) {
  slong n = q->order, precision = table_precision(q);
  if (q->sums) return;
  need_project(q);
  arb_ptr at = polynomials(q), row = _arb_vec_init(n);
  q->sums = _arb_vec_init(n * n);
  for (slong j = 0; j < n; j++) {
    arb_srcptr p = at + j * (n + 1);
    for (slong l = 0; l < n; l++) {
      if (l == 0)
        arb_one(row);
      else
        arb_neg(row + l, p + l - 1);
      arb_add(row + l, row + l, p + l + 1, precision);
      arb_div_si(row + l, row + l, 2 * l + 1, precision);
    }
    for (slong k = 0; k < n; k++)
      arb_dot(q->sums + j * n + k, NULL, 0, row, 1, q->project + k, n, n, precision);
  }
  _arb_vec_clear(at, (n + 1) * n);
  _arb_vec_clear(row, n);
  _arb_vec_set_round(q->sums, q->sums, n * n, q->precision); /* shorter numbers, faster sums */
}

struct quadrature *quadrature_new(slong precision) {
  struct quadrature *q = xcalloc(1, sizeof *q);
  slong n = precision / 4 + 4; /* rho = 4 gains two bits a node */
  *q = (struct quadrature){.refs = 1, .order = n, .precision = precision};
  slong working = table_precision(q);
  q->parts = xcalloc(QUADRATURE_PARTS, sizeof *q->parts);
  q->nodes = _arb_vec_init(n);
  q->weights = _arb_vec_init(n);
  q->exact_weights = _arb_vec_init(n);
  for (slong k = 0; k < n; k++) /* roots are counted from the right */
    arb_hypgeom_legendre_p_ui_root(q->nodes + k, q->exact_weights + k, (ulong)n, (ulong)(n - 1 - k),
                                   working);
  _arb_vec_set_round(q->weights, q->exact_weights, n, precision);
  mag_init(q->integral_error);
  mag_init(q->interpolant_error);
  set_error(q->integral_error, 4, 2 * n - 1);
  set_error(q->interpolant_error, (ulong)n + 1, n - 1);
  return q;
}

struct quadrature *quadrature_ref(struct quadrature *q) {
  q->refs++;
  return q;
}

static void kept_part_clear(const struct quadrature *q, struct quadrature_part *part) {
  fmpq_clear(part->a);
  fmpq_clear(part->b);
  _arb_vec_clear(part->matrix, q->order * q->order);
}

void quadrature_unref(struct quadrature *q) {
  if (!q || --q->refs) return;
  for (size_t i = 0; i < q->part_count; i++)
    kept_part_clear(q, &q->parts[i]);
  free(q->parts);
  _arb_vec_clear(q->nodes, q->order);
  _arb_vec_clear(q->weights, q->order);
  _arb_vec_clear(q->exact_weights, q->order);
  if (q->project) _arb_vec_clear(q->project, q->order * q->order);
  if (q->sums) _arb_vec_clear(q->sums, q->order * q->order);
  mag_clear(q->integral_error);
  mag_clear(q->interpolant_error);
  free(q);
}

static void add_error(arb_t out, const mag_t factor, const mag_t bound, ulong times) {
  mag_t error;
  mag_init(error);
  mag_mul(error, factor, bound);
  mag_mul_ui(error, error, times);
  arb_add_error_mag(out, error);
  mag_clear(error);
}

void quadrature_integral(arb_t out, const struct quadrature *q, arb_srcptr values,
                         const mag_t bound) {
  arb_dot(out, NULL, 0, q->weights, 1, values, 1, q->order, q->precision);
  add_error(out, q->integral_error, bound, 1);
}

void quadrature_sums(arb_ptr out, struct quadrature *q, arb_srcptr values, const mag_t bound) {
  need_sums(q);
  for (slong j = 0; j < q->order; j++) {
    arb_dot(out + j, NULL, 0, q->sums + j * q->order, 1, values, 1, q->order, q->precision);
    add_error(out + j, q->interpolant_error, bound, 2); /* over a length of at most 2 */
  }
}

/* row j, column k: the k-th Lagrange polynomial at a + b * (node j) */
static void part_matrix(arb_ptr matrix, const struct quadrature *q, const fmpq_t a,
                        const fmpq_t b) {
  slong n = q->order, working = table_precision(q);
  arb_ptr at = _arb_vec_init(n);
  arb_t x, factor;
  arb_init(x);
  arb_init(factor);
  arb_set_fmpq(factor, b, working);
  for (slong j = 0; j < n; j++) {
    arb_set_fmpq(x, a, working);
    arb_addmul(x, factor, q->nodes + j, working);
    legendre(at, n, x, working);
    for (slong k = 0; k < n; k++)
      arb_dot(matrix + j * n + k, NULL, 0, at, 1, q->project + k, n, n, q->precision);
  }
  _arb_vec_clear(at, n);
  arb_clear(x);
  arb_clear(factor);
}

/* Most parts are halves and quarters: they are kept. */
static const struct quadrature_part *find_part(struct quadrature *q, const fmpq_t a,
                                               const fmpq_t b) {
  for (size_t i = 0; i < q->part_count; i++)
    if (fmpq_equal(q->parts[i].a, a) && fmpq_equal(q->parts[i].b, b)) return &q->parts[i];
  if (q->part_count == QUADRATURE_PARTS) kept_part_clear(q, &q->parts[--q->part_count]);
  struct quadrature_part *part = &q->parts[q->part_count++];
  fmpq_init(part->a);
  fmpq_init(part->b);
  fmpq_set(part->a, a);
  fmpq_set(part->b, b);
  part->matrix = _arb_vec_init(q->order * q->order);
  need_project(q);
  part_matrix(part->matrix, q, a, b);
  return part;
}

void quadrature_resample(arb_ptr out, struct quadrature *q, arb_srcptr values, const mag_t bound,
                         const fmpq_t a, const fmpq_t b) {
  const struct quadrature_part *part = find_part(q, a, b);
  slong n = q->order;
  for (slong j = 0; j < n; j++) {
    arb_dot(out + j, NULL, 0, part->matrix + j * n, 1, values, 1, n, q->precision);
    add_error(out + j, q->interpolant_error, bound, 1);
  }
}
