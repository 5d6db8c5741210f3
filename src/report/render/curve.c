#include "report/render/curve.h"

#include <math.h>
#include <stdio.h>

enum { WIDTH = 520, HEIGHT = 320, LEFT = 60, RIGHT = 20, TOP = 40, BOTTOM = 50, TICKS = 5 };

static void put_text(struct buffer *out, const char *text) {
  for (; *text; text++) {
    if (*text == '<')
      buffer_puts(out, "&lt;");
    else if (*text == '&')
      buffer_puts(out, "&amp;");
    else
      buffer_putc(out, *text);
  }
}

static void put_label(struct buffer *out, double x, double y, const char *anchor,
                      const char *text) {
  buffer_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
  put_text(out, text);
  buffer_puts(out, "</text>\n");
}

/* 1, 2 or 5 times a power of ten, such that about TICKS of them cover the range. */
static double tick_step(double most) {
  double raw = most / TICKS, power = pow(10, floor(log10(raw))), lead = raw / power;
  return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

static double x_at(double x, double most) {
  return LEFT + x / most * (WIDTH - LEFT - RIGHT);
}

static double y_at(double y, double most) {
  return HEIGHT - BOTTOM - y / most * (HEIGHT - TOP - BOTTOM);
}

static void put_axes(struct buffer *out, double most_x, double most_y) {
  char number[32];
  double step = tick_step(most_x);
  for (double x = 0; x <= most_x * 1.0001; x += step) {
    snprintf(number, sizeof number, "%g", x);
    put_label(out, x_at(x, most_x), HEIGHT - BOTTOM + 18, "middle", number);
  }
  step = tick_step(most_y);
  for (double y = 0; y <= most_y * 1.0001; y += step) {
    snprintf(number, sizeof number, "%g", y);
    put_label(out, LEFT - 8, y_at(y, most_y) + 4, "end", number);
    buffer_printf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ccc\"/>\n",
                  LEFT, y_at(y, most_y), WIDTH - RIGHT, y_at(y, most_y));
  }
}

void curve_svg(struct buffer *out, const struct curve_point *points, size_t count,
               const char *title, const char *x_label, const char *y_label) {
  double most_x = 1e-9, most_y = 1e-9;
  for (size_t i = 0; i < count; i++) {
    most_x = fmax(most_x, points[i].x);
    most_y = fmax(most_y, points[i].y);
  }
  buffer_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                "height=\"%d\" font-family=\"Helvetica, sans-serif\" font-size=\"12\">\n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
  put_axes(out, most_x, most_y);
  put_label(out, WIDTH / 2.0, 22, "middle", title);
  put_label(out, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", x_label);
  put_label(out, LEFT, TOP - 8, "start", y_label);
  buffer_puts(out, "<polyline fill=\"none\" stroke=\"#c0392b\" stroke-width=\"2\" points=\"");
  for (size_t i = 0; i < count; i++)
    buffer_printf(out, "%s%.1f,%.1f", i ? " " : "", x_at(points[i].x, most_x),
                  y_at(points[i].y, most_y));
  buffer_puts(out, "\"/>\n");
  for (size_t i = 0; i < count; i++)
    buffer_printf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#c0392b\"/>\n",
                  x_at(points[i].x, most_x), y_at(points[i].y, most_y));
  buffer_puts(out, "</svg>\n");
}
