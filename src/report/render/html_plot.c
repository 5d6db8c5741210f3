#include "report/render/html_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/render/html_put.h"

/* Both ends of a ball as doubles, for drawing only. */
struct bounds {
  double low, high;
};

static struct bounds bounds_of(const json_t *ball) {
  return (struct bounds){json_decimal(ball, "low_text"), json_decimal(ball, "high_text")};
}

static struct bounds bounds_at(const json_t *list, size_t i) {
  return bounds_of(json_array_get(list, i));
}

static double middle(struct bounds b) {
  return (b.low + b.high) / 2;
}

/* What the claim allows: e^epsilon and delta. */
struct limit {
  double factor, delta, epsilon;
};

static struct limit limit_of(const json_t *ce) {
  double epsilon = bounds_of(json_object_get(ce, "epsilon")).high;
  return (struct limit){exp(epsilon), bounds_of(json_object_get(ce, "delta")).high, epsilon};
}

static void put_key(struct buffer *out, bool ratio) {
  buffer_puts(out, "<p class=\"key\"><span><i class=\"one\"></i>first run</span><span><i "
                   "class=\"two\"></i>second run</span><span><i class=\"dash\"></i>");
  buffer_puts(out, ratio ? "allowed: e<sup>ε</sup> times the second run" : "allowed");
  buffer_puts(out, "</span></p>\n");
}

/* ---- bars ------------------------------------------------------------------------------------ */

/* A factor for people: 2.72, 14, 1.2e+09. What is stated of outputs is rounded down, as it is in the
 * sentence (sentence.c). */
static void put_factor(struct buffer *out, double x) {
  buffer_printf(out, x < 10 ? "%.2f" : x < 1e4 ? "%.0f" : "%.1e", x);
}
static void put_ratio(struct buffer *out, double x) {
  put_factor(out, x < 10 ? floor(100 * x) / 100 : x < 1e4 ? floor(x) : x);
}

/* Ratios on a logarithmic scale from 1 to `most`; below 1 everything is at the left end. */
static double ratio_position(double ratio, double most) {
  if (!(ratio > 1)) return 0;
  return fmin(62, 62 * log(ratio) / log(most)); /* the number stands at the right */
}

struct bar_scale {
  double most_p, most_ratio;
  struct limit limit;
};

static struct bar_scale scale_of(const json_t *outcomes, struct limit limit) {
  struct bar_scale scale = {1e-300, limit.factor * limit.factor, limit};
  size_t i;
  json_t *one;
  json_array_foreach(outcomes, i, one) {
    const json_t *p = json_object_get(one, "probabilities");
    double p1 = middle(bounds_at(p, 0)), p2 = middle(bounds_at(p, 1));
    scale.most_p = fmax(scale.most_p, fmax(p1, p2));
    if (p2 > 0 && p1 / p2 < 1e12) scale.most_ratio = fmax(scale.most_ratio, 1.1 * p1 / p2);
  }
  return scale;
}

static void put_probability(struct buffer *out, const char *run, struct bounds p, double most) {
  buffer_printf(out,
                "<b class=\"%s\" style=\"--w:%.2f%%\" title=\"between %.8g and %.8g\"><span>%.4g"
                "</span></b>",
                run, 72 * middle(p) / most, p.low, p.high, middle(p));
}

static void put_outcome(struct buffer *out, const json_t *one, const struct bar_scale *scale) {
  const json_t *p = json_object_get(one, "probabilities");
  struct bounds p1 = bounds_at(p, 0), p2 = bounds_at(p, 1);
  bool hot = json_is_true(json_object_get(one, "in_event"));
  double allowed = scale->limit.factor * p2.high + scale->limit.delta;
  bool over = p1.low > allowed;
  buffer_printf(out, "<span class=\"name%s\">", hot ? " hot" : "");
  html_text(out, json_text(one, "output"));
  buffer_puts(out, "</span><span class=\"bars\">");
  put_probability(out, "one", p1, scale->most_p);
  put_probability(out, "two", p2, scale->most_p);
  if (allowed < scale->most_p * 1.35)
    buffer_printf(out, "<u style=\"--x:%.2f%%\" title=\"allowed: %.6g\"></u>",
                  72 * allowed / scale->most_p, allowed);
  double ratio = p2.high > 0 ? middle(p1) / middle(p2) : INFINITY;
  bool nothing = p1.high == 0 && p2.high == 0;
  buffer_printf(out, "</span><span class=\"ratio\"><u style=\"--x:%.2f%%\"></u>",
                ratio_position(scale->limit.factor, scale->most_ratio));
  if (!nothing)
    buffer_printf(out, "<i class=\"%s\" style=\"--x:%.2f%%\"></i><em class=\"%s\">",
                  over ? "over" : "", ratio_position(ratio, scale->most_ratio), over ? "over" : "");
  if (!nothing && isinf(ratio)) buffer_puts(out, "× ∞");
  if (!nothing && !isinf(ratio)) {
    buffer_puts(out, "× ");
    put_ratio(out, ratio);
  }
  buffer_puts(out, nothing ? "</span>\n" : "</em></span>\n");
}

static void put_bars(struct buffer *out, const json_t *both, const json_t *ce) {
  const json_t *outcomes = json_object_get(both, "outcomes");
  struct bar_scale scale = scale_of(outcomes, limit_of(ce));
  size_t i;
  json_t *one;
  buffer_puts(out, "<figure class=\"distribution\">");
  put_key(out, true);
  buffer_puts(out, "<div class=\"outcomes\"><div class=\"head\"><span>output</span><span>certified "
                   "probability</span><span>ratio</span></div>\n");
  json_array_foreach(outcomes, i, one) {
    put_outcome(out, one, &scale);
  }
  const json_t *others = json_object_get(both, "others_text");
  buffer_puts(out, "</div>\n<figcaption>Outputs of the event in bold; the dashed line in the last "
                   "column is e<sup>ε</sup> = ");
  put_factor(out, scale.limit.factor);
  buffer_puts(out, ".");
  const char *rest[] = {json_string_value(json_array_get(others, 0)),
                        json_string_value(json_array_get(others, 1))};
  if (rest[0] && rest[1] && (strcmp(rest[0], "0") != 0 || strcmp(rest[1], "0") != 0)) {
    buffer_puts(out, " All other outputs: at most ");
    html_text(out, rest[0]);
    buffer_puts(out, " in the first run, ");
    html_text(out, rest[1]);
    buffer_puts(out, " in the second.");
  }
  buffer_puts(out, "</figcaption></figure>\n");
}

/* ---- axes ------------------------------------------------------------------------------------ */

enum { WIDTH = 480, LEFT = 44, RIGHT = 12 };

/* A rectangle of the picture with its ranges. */
struct frame {
  double top, bottom;    /* pixels */
  double x0, x1, y0, y1; /* values at the edges */
};

static double px(const struct frame *f, double x) {
  return LEFT + (x - f->x0) / (f->x1 - f->x0) * (WIDTH - LEFT - RIGHT);
}

static double py(const struct frame *f, double y) {
  double t = (y - f->y0) / (f->y1 - f->y0);
  return f->bottom - fmin(fmax(t, -0.02), 1.02) * (f->bottom - f->top);
}

/* 1, 2 or 5 times a power of ten, such that about `count` of them cover the range. */
static double tick_step(double range, int count) {
  double raw = range / count, power = pow(10, floor(log10(raw))), lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static void put_y_axis(struct buffer *out, const struct frame *f, int count) {
  double step = tick_step(f->y1 - f->y0, count);
  for (double y = ceil(f->y0 / step - 1e-9) * step; y <= f->y1 + step * 1e-6; y += step)
    buffer_printf(out,
                  "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                  "x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                  LEFT, WIDTH - RIGHT, py(f, y), py(f, y), LEFT - 6, py(f, y) + 3.5,
                  fabs(y) < step / 1000 ? 0 : y);
}

static void put_x_axis(struct buffer *out, const struct frame *f, const char *label, double least) {
  double step = fmax(tick_step(f->x1 - f->x0, 6), least);
  for (double x = ceil(f->x0 / step - 1e-9) * step; x <= f->x1 + step * 1e-6; x += step)
    buffer_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%g</text>\n", px(f, x),
                  f->bottom + 15, fabs(x) < step / 1000 ? 0 : x);
  buffer_printf(out,
                "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text "
                "x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
                LEFT, WIDTH - RIGHT, f->bottom, f->bottom, (LEFT + WIDTH - RIGHT) / 2.0,
                f->bottom + 30);
  html_text(out, label);
  buffer_puts(out, "</text>\n");
}

static void open_plot(struct buffer *out, int height, const char *label) {
  buffer_printf(out, "<svg class=\"plot\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDTH,
                height);
  html_attr(out, label);
  buffer_puts(out, "\">\n");
}

/* ---- densities ------------------------------------------------------------------------------- */

static double number_of(const char *rational) {
  char *slash;
  double value = rational ? strtod(rational, &slash) : 0;
  return rational && *slash == '/' ? value / strtod(slash + 1, NULL) : value;
}

struct point {
  double x;
  struct bounds f[2];
};
typedef VEC(struct point) point_list;

/* A line through a function of the points. */
static void put_line(struct buffer *out, const struct frame *f, const point_list *list,
                     const char *name, double (*value)(const struct point *, struct limit),
                     struct limit limit) {
  bool drawing = false;
  buffer_printf(out, "<path class=\"%s\" d=\"", name);
  for (size_t i = 0; i < list->len; i++) {
    double y = value(&list->at[i], limit);
    bool shown = isfinite(y) && y >= f->y0 && y <= f->y1;
    if (shown)
      buffer_printf(out, "%c%.1f %.1f", drawing ? 'L' : 'M', px(f, list->at[i].x), py(f, y));
    drawing = shown;
  }
  buffer_puts(out, "\"/>\n");
}

static double first(const struct point *p, struct limit l) {
  (void)l;
  return middle(p->f[0]);
}
static double second(const struct point *p, struct limit l) {
  (void)l;
  return middle(p->f[1]);
}
static double allowed(const struct point *p, struct limit l) {
  return l.factor * middle(p->f[1]);
}
static double log_ratio(const struct point *p, struct limit l) {
  (void)l;
  return p->f[0].high > 0 && p->f[1].high > 0 ? log(middle(p->f[0]) / middle(p->f[1])) : NAN;
}

static bool exceeds(const struct point *p, struct limit limit) {
  return p->f[0].low > limit.factor * p->f[1].high;
}

/* Where the first run exceeds what is allowed, certified at the points of the grid. */
static void put_excess(struct buffer *out, const struct frame *f, const point_list *list,
                       struct limit limit) {
  for (size_t from = 0, to; from < list->len; from = to + 1) {
    for (to = from; to < list->len && exceeds(&list->at[to], limit);)
      to++;
    if (to < from + 2) continue;
    buffer_puts(out, "<path class=\"over\" d=\"");
    for (size_t i = from; i < to; i++)
      buffer_printf(out, "%c%.1f %.1f", i == from ? 'M' : 'L', px(f, list->at[i].x),
                    py(f, first(&list->at[i], limit)));
    for (size_t i = to; i-- > from;)
      buffer_printf(out, "L%.1f %.1f", px(f, list->at[i].x), py(f, allowed(&list->at[i], limit)));
    buffer_puts(out, "Z\"/>\n");
  }
}

static void put_event(struct buffer *out, const struct frame *f, const json_t *both) {
  const char *from = json_text(both, "low"), *to = json_text(both, "high");
  double low = px(f, from ? fmax(number_of(from), f->x0) : f->x0),
         high = px(f, to ? fmin(number_of(to), f->x1) : f->x1);
  double width = fmax(high - low, 3), start = (low + high - width) / 2;
  buffer_printf(out,
                "<rect class=\"event\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
                start, f->top, width, f->bottom - f->top);
}

static void put_density_panels(struct buffer *out, const json_t *both, const point_list *list,
                               struct limit limit, const char *label) {
  double most = 1e-300, span = 1.5 * limit.epsilon;
  for (size_t i = 0; i < list->len; i++) {
    most = fmax(most, fmax(list->at[i].f[0].high, list->at[i].f[1].high));
    double r = fabs(log_ratio(&list->at[i], limit));
    if (isfinite(r)) span = fmax(span, 1.15 * r);
  }
  struct frame f = {16, 200, list->at[0].x, vec_last(list).x, 0, most * 1.08};
  struct frame g = {250, 330, f.x0, f.x1, -span, span};
  open_plot(out, 368, "Densities of both runs, and the logarithm of their ratio");
  put_event(out, &f, both);
  put_event(out, &g, both);
  put_y_axis(out, &f, 4);
  put_excess(out, &f, list, limit);
  put_line(out, &f, list, "limit", allowed, limit);
  put_line(out, &f, list, "f1", first, limit);
  put_line(out, &f, list, "f2", second, limit);
  put_x_axis(out, &f, "", 0);
  buffer_printf(out, "<text class=\"strong\" x=\"%d\" y=\"10\">density</text>", LEFT);
  put_y_axis(out, &g, 4);
  for (int sign = -1; sign <= 1; sign += 2)
    buffer_printf(out,
                  "<path class=\"limit\" d=\"M%d %.1fH%d\"/><text class=\"strong\" x=\"%d\" "
                  "y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                  LEFT, py(&g, sign * limit.epsilon), WIDTH - RIGHT, WIDTH - RIGHT,
                  py(&g, sign * limit.epsilon) + (sign > 0 ? -4 : 12), sign > 0 ? "ε" : "−ε");
  put_line(out, &g, list, "loss", log_ratio, limit);
  put_x_axis(out, &g, label, 0);
  buffer_printf(out, "<text class=\"strong\" x=\"%d\" y=\"243\">ln of the ratio</text></svg>\n",
                LEFT);
}

static void put_densities(struct buffer *out, const json_t *both, const json_t *ce) {
  point_list list = {0};
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(both, "points"), i, one) {
    const json_t *f = json_object_get(one, "densities");
    vec_push(&list,
             (struct point){number_of(json_text(one, "x")), {bounds_at(f, 0), bounds_at(f, 1)}});
  }
  if (list.len > 1) {
    char *label = xasprintf("x in the output %s", json_text(both, "output"));
    buffer_puts(out, "<figure class=\"distribution\">");
    put_key(out, true);
    put_density_panels(out, both, &list, limit_of(ce), label);
    buffer_printf(out, "<figcaption>Certified densities at %zu points; the event is ", list.len);
    html_text(out, json_text(both, "low"));
    buffer_puts(out, json_text(both, "low") ? " ≤ x" : "x");
    buffer_puts(out, json_text(both, "high") ? " ≤ " : "");
    html_text(out, json_text(both, "high"));
    buffer_puts(out, ". Shaded: the first run exceeds what is allowed.</figcaption></figure>\n");
    free(label);
  }
  vec_clear(&list);
}

/* ---- automata -------------------------------------------------------------------------------- */

/* Probabilities may be as small as 1e-50: bars on a logarithmic scale, longer is likelier. */
static void put_small(struct buffer *out, const char *name, const char *run, double log10_p,
                      double least) {
  buffer_printf(out,
                "<span class=\"name\">%s</span><span class=\"bars\"><b class=\"%s\" "
                "style=\"--w:%.2f%%\">%.2e</b></span><span></span>\n",
                name, run, 72 * (1 - log10_p / least), pow(10, log10_p));
}

static void put_automaton_bars(struct buffer *out, const json_t *ce) {
  const json_t *p = json_object_get(ce, "probabilities");
  double p1 = middle(bounds_at(p, 0)), p2 = middle(bounds_at(p, 1));
  double allowed_log = number_of(json_text(ce, "claimed")) * number_of(json_text(ce, "eps"));
  if (!(p1 > 0 && p2 > 0)) return;
  double logs[] = {log10(p1), log10(p2), fmin(0, log10(p2) + allowed_log / log(10))};
  double least = 1.15 * fmin(logs[0], logs[1]) - 0.5;
  buffer_puts(out, "<figure class=\"distribution\"><div class=\"outcomes\">\n");
  put_small(out, "first run", "one", logs[0], least);
  put_small(out, "second run", "two", logs[1], least);
  put_small(out, "allowed", "limit", logs[2], least);
  buffer_puts(out,
              "</div><figcaption>Probability of the output, on a logarithmic scale; allowed is "
              "e<sup>Dε</sup> times that of the second run.</figcaption></figure>\n");
}

/* Where the whole distribution is out of reach, the event alone. */
static void put_event_bars(struct buffer *out, const json_t *ce) {
  const json_t *p = json_object_get(ce, "probabilities");
  if (json_array_size(p) != 2) return;
  json_t *outcome =
      json_pack("{s:s, s:O, s:b}", "output", "the event", "probabilities", p, "in_event", 1);
  json_t *outcomes = json_pack("[O]", outcome);
  struct bar_scale scale = scale_of(outcomes, limit_of(ce));
  buffer_puts(out, "<figure class=\"distribution\">");
  put_key(out, true);
  buffer_puts(out, "<div class=\"outcomes\"><div class=\"head\"><span>output</span><span>certified "
                   "probability</span><span>ratio</span></div>\n");
  put_outcome(out, outcome, &scale);
  buffer_puts(out, "</div>\n<figcaption>The dashed line in the last column is e<sup>ε</sup> = ");
  put_factor(out, scale.limit.factor);
  buffer_puts(out, ".</figcaption></figure>\n");
  json_decref(outcomes);
  json_decref(outcome);
}

void html_distributions(struct buffer *out, const struct claim_record *c) {
  const json_t *both = json_object_get(c->counterexample, "distributions");
  const char *kind = json_text(both, "kind"), *of = json_text(c->counterexample, "kind");
  if (!kind && of && strcmp(of, "program") == 0) put_event_bars(out, c->counterexample);
  if (kind && strcmp(kind, "discrete") == 0) put_bars(out, both, c->counterexample);
  if (kind && strcmp(kind, "density") == 0) put_densities(out, both, c->counterexample);
  if (of && strcmp(of, "automaton") == 0) put_automaton_bars(out, c->counterexample);
}

/* ---- losses ---------------------------------------------------------------------------------- */

struct loss {
  double x, y, claimed;
};
typedef VEC(struct loss) loss_list;

static void put_curve(struct buffer *out, const loss_list *list, const char *x, const char *y) {
  struct frame f = {16, 200, 0, vec_last(list).x * 1.04, 0, 0};
  for (size_t i = 0; i < list->len; i++)
    f.y1 = fmax(f.y1, 1.12 * fmax(list->at[i].y, list->at[i].claimed));
  open_plot(out, 240, "Certified loss");
  put_y_axis(out, &f, 5);
  buffer_puts(out, "<path class=\"limit\" d=\"");
  for (size_t i = 0; i < list->len; i++)
    buffer_printf(out, "%c%.1f %.1f", i ? 'L' : 'M', px(&f, list->at[i].x),
                  py(&f, list->at[i].claimed));
  buffer_puts(out, "\"/><path class=\"loss\" d=\"");
  for (size_t i = 0; i < list->len; i++)
    buffer_printf(out, "%c%.1f %.1f", i ? 'L' : 'M', px(&f, list->at[i].x), py(&f, list->at[i].y));
  buffer_puts(out, "\"/>\n");
  for (size_t i = 0; i < list->len; i++)
    buffer_printf(out,
                  "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%g: at least "
                  "%.6g</title></circle>\n",
                  px(&f, list->at[i].x), py(&f, list->at[i].y), list->at[i].x, list->at[i].y);
  put_x_axis(out, &f, x, 1); /* of something countable */
  buffer_printf(out, "<text class=\"strong\" x=\"%d\" y=\"10\">", LEFT);
  html_text(out, y);
  buffer_puts(out, "</text></svg>\n");
}

static void put_losses(struct buffer *out, const loss_list *list, const char *x, const char *y,
                       const char *caption) {
  if (list->len < 2) return;
  buffer_puts(out, "<h3>Loss</h3>\n<figure class=\"losses\">");
  put_curve(out, list, x, y);
  buffer_printf(out, "<figcaption>%s</figcaption></figure>\n", caption);
}

void html_losses(struct buffer *out, const struct claim_record *c) {
  loss_list list = {0};
  size_t i;
  json_t *one;
  json_array_foreach(json_object_get(c->detail, "counterexamples"), i, one) {
    double x = json_number_value(json_object_get(one, "iterations"));
    double y = json_decimal(json_object_get(one, "loss"), "low_text");
    if (!list.len || x > vec_last(&list).x)
      vec_push(&list, (struct loss){x, y, number_of(json_text(one, "claimed"))});
  }
  put_losses(out, &list, "rounds of the cycle", "certified loss, in units of eps",
             "Each dot is a certified counterexample; dashed: the cost it refutes.");
  list.len = 0;
  const json_t *trend = json_object_get(c->detail, "trend");
  json_array_foreach(json_object_get(trend, "points"), i, one) {
    vec_push(&list, (struct loss){json_number_value(json_object_get(one, "length")),
                                  json_number_value(json_object_get(one, "loss")), 1});
  }
  put_losses(out, &list, json_text(trend, "parameter"), "certified loss, in units of the claim",
             "The greatest loss certified for each length of the inputs; dashed: the claim.");
  vec_clear(&list);
}

/* ---- accuracy against privacy ------------------------------------------------------------------ */

void html_tradeoff(struct buffer *out, const struct claim_record *c) {
  const json_t *curve = json_object_get(c->detail, "tradeoff");
  const json_t *points = json_object_get(curve, "points"),
               *chosen = json_object_get(curve, "chosen");
  size_t count = json_array_size(points);
  if (count < 2 || !chosen) return;
  const json_t *last = json_array_get(points, count - 1);
  struct frame f = {16, 200, 0, json_number_value(json_object_get(last, "x")), 0, 0};
  size_t i;
  json_t *one;
  json_array_foreach(points, i, one) {
    f.y1 = fmax(f.y1, json_number_value(json_object_get(one, "y")));
  }
  if (!(f.x1 > 0) || !(f.y1 > 0)) return;
  buffer_puts(out, "<h3>Accuracy against privacy</h3>\n<figure class=\"losses\">");
  open_plot(out, 240, "Accuracy against privacy");
  put_y_axis(out, &f, 5);
  buffer_puts(out, "<path class=\"loss\" d=\"");
  json_array_foreach(points, i, one) {
    buffer_printf(out, "%c%.1f %.1f", i ? 'L' : 'M',
                  px(&f, json_number_value(json_object_get(one, "x"))),
                  py(&f, json_number_value(json_object_get(one, "y"))));
  }
  double x = json_number_value(json_object_get(chosen, "x"));
  double y = json_number_value(json_object_get(chosen, "y"));
  buffer_printf(out,
                "\"/>\n<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\"><title>%g: "
                "%.6g</title></circle>\n<text x=\"%.1f\" y=\"%.1f\">%.4g</text>\n",
                px(&f, x), py(&f, y), x, y, px(&f, x) + 8, py(&f, y) - 6, y);
  put_x_axis(out, &f, json_text(curve, "parameter"), 0);
  buffer_printf(
      out, "<text class=\"strong\" x=\"%d\" y=\"10\">distance that is proved</text></svg>", LEFT);
  buffer_puts(out, "\n<figcaption>The number in the place of ?, for other budgets; the dot is the "
                   "instance of the file.</figcaption></figure>\n");
}

/* ---- the automaton --------------------------------------------------------------------------- */

/* As wide as drawn, but not wider than the card; the script zooms. */
static const char *put_svg_head(struct buffer *out, const char *svg) {
  const char *width = strstr(svg, "width=\""), *box = strstr(svg, "viewBox=\""),
             *end = strchr(svg, '>');
  if (!width || !box || !end || width > end || box > end) return svg;
  double natural = strtod(width + strlen("width=\""), NULL) * 4 / 3; /* points to pixels */
  buffer_printf(out, "<svg style=\"width:min(100%%, %.0fpx)\" %.*s>", natural, (int)(end - box),
                box);
  return end + 1;
}

/* Drops ` id="..."` (not unique on a page), titles (node numbers) and comments. */
void html_automaton(struct buffer *out, const struct claim_record *c) {
  const char *svg = json_text(c->detail, "picture");
  svg = svg ? strstr(svg, "<svg") : NULL;
  if (!svg) return;
  buffer_puts(out, "<figure><div class=\"picture\" tabindex=\"0\" role=\"group\" "
                   "aria-label=\"Automaton ");
  html_attr(out, c->subject ? c->subject : c->name);
  buffer_puts(out, "\">\n");
  svg = put_svg_head(out, svg);
  while (*svg) {
    const char *end = NULL;
    if (strncmp(svg, " id=\"", 5) == 0) end = strchr(svg + 5, '"');
    if (strncmp(svg, "<title>", 7) == 0 && (end = strstr(svg, "</title>"))) end += 7;
    if (strncmp(svg, "<!--", 4) == 0 && (end = strstr(svg, "-->"))) end += 2;
    if (end)
      svg = end + 1;
    else
      buffer_putc(out, *svg++);
  }
  buffer_puts(out, "</div></figure>\n");
}
