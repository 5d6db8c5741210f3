#include "transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static double normal(double x) {
  return erfc(-x / sqrt(2)) / 2;
}

double normal_quantile(double x) {
  if (x <= 0) return -INFINITY;
  if (x >= 1) return INFINITY;
  double low = -40, high = 40;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    *(normal(middle) < x ? &low : &high) = middle;
  }
  return (low + high) / 2;
}

double transfer_apply(struct transfer n, double budget, double x) {
  double power = (n.order - 1) / n.order, y = x;
  switch (n.kind) {
  case NOTION_PURE: y = exp(budget) * x; break;
  case NOTION_RENYI: y = pow(exp(budget) * x, power); break;
  case NOTION_ZCDP: y = pow(exp(n.order * budget) * x, power); break;
  case NOTION_GAUSSIAN: return normal(normal_quantile(x) + sqrt(budget));
  }
  return fmin(1, y);
}

struct pair {
  size_t a, b;
  double left;
};

struct game {
  struct transfer n;
  const double *mu1, *mu2;
  size_t n1, n2, pairs;
  struct pair *pair;
  double budget;
};

static double value(const struct game *p, const double *g) {
  double *f = malloc((p->n1 + 1) * sizeof *f);
  double gained = 0, mean = 0;
  for (size_t a = 0; a < p->n1; a++)
    f[a] = 0;
  for (size_t i = 0; i < p->pairs; i++)
    f[p->pair[i].a] = 1;
  for (size_t i = 0; i < p->pairs; i++) {
    double most = transfer_apply(p->n, p->pair[i].left, g[p->pair[i].b]);
    f[p->pair[i].a] = fmin(f[p->pair[i].a], most);
  }
  for (size_t a = 0; a < p->n1; a++)
    gained += p->mu1[a] * f[a];
  for (size_t b = 0; b < p->n2; b++)
    mean += p->mu2[b] * g[b];
  free(f);
  return gained - transfer_apply(p->n, p->budget, fmin(1, mean));
}

static double climb(const struct game *p, double *g, double best) {
  static const double factors[] = {0, 0.5, 0.9, 0.98, 1.02, 1.1, 2, 1e9};
  for (int round = 0; round < 3; round++) {
    double before = best;
    for (size_t b = 0; b < p->n2; b++)
      for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        double old = g[b];
        g[b] = fmin(1, factors[i] * fmax(old, 1e-9));
        double here = value(p, g);
        if (here > best)
          best = here;
        else
          g[b] = old;
      }
    if (best < before + 1e-7) break;
  }
  return best;
}

/* How much of run 1 comes to b, with what it has left. */
static void ratios(const struct game *p, double *r) {
  memset(r, 0, p->n2 * sizeof *r);
  double order = p->n.kind == NOTION_GAUSSIAN ? 1 : p->n.order;
  for (size_t i = 0; i < p->pairs; i++) {
    double left = p->n.kind == NOTION_ZCDP ? order * p->pair[i].left : p->pair[i].left;
    r[p->pair[i].b] += p->mu1[p->pair[i].a] * exp(left * (order - 1) / order);
  }
  for (size_t b = 0; b < p->n2; b++)
    r[b] /= fmax(p->mu2[b], 1e-300);
}

/* A test by likelihood ratios: powers of them, or all above a threshold. */
static void by_ratio(const struct game *p, const double *r, int size, double *g) {
  double top = 0;
  for (size_t b = 0; b < p->n2; b++)
    if (p->mu2[b] > 0) top = fmax(top, r[b]);
  for (size_t b = 0; b < p->n2; b++) {
    if (p->n.kind == NOTION_GAUSSIAN)
      g[b] = r[b] >= top * pow(2, -size / 4.0) ? 1 : 0;
    else
      g[b] = fmin(1, pow(2, size - 12) * pow(r[b] / top, p->n.order));
  }
}

double transfer_gap(struct transfer n, struct rng *rng, const double *mu1, size_t n1,
                    const double *mu2, size_t n2, const double *q, double budget) {
  struct game p = {.n = n, .mu1 = mu1, .mu2 = mu2, .n1 = n1, .n2 = n2, .budget = budget};
  p.pair = malloc((n1 * n2 + 1) * sizeof *p.pair);
  for (size_t a = 0; a < n1; a++)
    for (size_t b = 0; b < n2; b++)
      if (q[a * n2 + b] >= 0) p.pair[p.pairs++] = (struct pair){a, b, q[a * n2 + b]};
  double *g = malloc((n2 + 1) * sizeof *g), *r = malloc((n2 + 1) * sizeof *r), best = -1;
  ratios(&p, r);
  for (int i = 0; i < 24; i++) {
    by_ratio(&p, r, i, g);
    best = fmax(best, value(&p, g));
  }
  for (int i = 0; i < 6 && best < 1e-4; i++) { /* a violation is one, however large */
    if (i < 3)
      by_ratio(&p, r, 4 + 4 * i, g);
    else
      for (size_t b = 0; b < n2; b++)
        g[b] = rng_chance(rng, 1, 3) ? 1 : rng_range(rng, 0, 100) / 100.0;
    best = fmax(best, climb(&p, g, value(&p, g)));
  }
  free(r);
  free(g);
  free(p.pair);
  return best;
}
