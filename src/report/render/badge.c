#include "report/render/badge.h"

#include <string.h>

enum { LETTER_WIDTH = 7, PADDING = 6, HEIGHT = 20 }; /* pixels, for 11 px Verdana and its like */

/* What is worst about the run, and a colour that says so. */
static const char *verdict_in_words(struct buffer *out, const struct overview *o) {
  const size_t *n = o->verdicts;
  switch (o->status) {
  case COUPLET_EXIT_PROVED: buffer_printf(out, "%zu proved", n[VERDICT_PROVED]); return "#1a7f37";
  case COUPLET_EXIT_REFUTED:
    buffer_printf(out, "%zu of %zu refuted", n[VERDICT_REFUTED], o->claims);
    return "#cf222e";
  case COUPLET_EXIT_UNKNOWN:
    if (n[VERDICT_UNKNOWN])
      buffer_printf(out, "%zu of %zu unknown", n[VERDICT_UNKNOWN], o->claims);
    else
      buffer_printf(out, "%zu file%s stopped", o->stopped, o->stopped == 1 ? "" : "s");
    return "#9a6700";
  case COUPLET_EXIT_ADMITTED:
    buffer_printf(out, "%zu of %zu admitted", n[VERDICT_ADMITTED], o->claims);
    return "#8250df";
  default: buffer_puts(out, "error"); return "#57606a";
  }
}

static void put_half(struct buffer *out, size_t from, size_t width, const char *text) {
  buffer_printf(out, "<text x=\"%zu\" y=\"14\" textLength=\"%zu\">%s</text>\n", from + PADDING,
                width - 2 * PADDING, text);
}

void overview_to_badge(struct buffer *out, const struct overview *o) {
  static const char label[] = "couplet"; /* claims of accuracy count as well */
  struct buffer words;
  buffer_init(&words);
  const char *color = verdict_in_words(&words, o), *text = buffer_text(&words);
  size_t left = LETTER_WIDTH * strlen(label) + 2 * PADDING;
  size_t right = LETTER_WIDTH * strlen(text) + 2 * PADDING, width = left + right;
  buffer_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%zu\" height=\"%d\" role=\"img\" "
      "aria-label=\"%s: %s\">\n<title>%s: %s</title>\n"
      "<clipPath id=\"round\"><rect width=\"%zu\" height=\"%d\" rx=\"3\"/></clipPath>\n",
      width, HEIGHT, label, text, label, text, width, HEIGHT);
  buffer_printf(out,
                "<g clip-path=\"url(#round)\"><rect width=\"%zu\" height=\"%d\" fill=\"#444\"/>"
                "<rect x=\"%zu\" width=\"%zu\" height=\"%d\" fill=\"%s\"/></g>\n",
                left, HEIGHT, left, right, HEIGHT, color);
  buffer_puts(out, "<g fill=\"#fff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" "
                   "font-size=\"11\">\n");
  put_half(out, 0, left, label);
  put_half(out, left, right, text);
  buffer_puts(out, "</g>\n</svg>\n");
  buffer_clear(&words);
}
