#include "report/render/tally.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "run/eval/number.h"

/* A power of two, so that the table is never more than half full. */
enum { table_size = 1 << 18 };
_Static_assert(TALLY_DISTINCT <= table_size / 2, "the table must have room");

void tally_init(struct tally *t) {
  *t = (struct tally){.numeric = true};
  t->table = xcalloc(table_size, sizeof *t->table);
  buffer_init(&t->scratch);
}

void tally_clear(struct tally *t) {
  for (size_t i = 0; i < t->outcomes.len; i++) {
    rvalue_clear(&t->outcomes.at[i].value);
    free(t->outcomes.at[i].text);
  }
  vec_clear(&t->outcomes);
  vec_clear(&t->values);
  buffer_clear(&t->scratch);
  free(t->table);
}

/* ---- counting ------------------------------------------------------------------------------- */

/* A round number (1, 2 or 5 times a power of ten) not below x. */
static double round_up(double x) {
  double power = pow(10, floor(log10(x)));
  static const double steps[] = {1, 2, 5, 10};
  for (size_t i = 0; i < 4; i++)
    if (steps[i] * power >= x) return steps[i] * power;
  return 10 * power;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void count_in_bin(struct tally_bins *bins, double x) {
  double i = floor((x - bins->low) / bins->step) + 1;
  double last = (double)bins->count - 1;
  bins->hits[i < 0 ? 0 : i > last ? bins->count - 1 : (size_t)i]++;
}

/* Bins of a round width that cover all but the outermost half per cent on either side. */
static void fix_bins(struct tally *t) {
  struct tally_bins *bins = &t->bins;
  size_t n = t->values.len;
  double *sorted = xmalloc(n * sizeof *sorted);
  memcpy(sorted, t->values.at, n * sizeof *sorted);
  qsort(sorted, n, sizeof *sorted, ascending);
  double low = sorted[n / 200], high = sorted[n - 1 - n / 200];
  double width = high - low;
  if (!(width > 0)) width = fabs(low) > 0 ? fabs(low) : 1;
  free(sorted);
  bins->step = round_up(width / (TALLY_ROWS - 4));
  bins->low = floor(low / bins->step) * bins->step;
  double inner = floor((high - bins->low) / bins->step) + 1;
  bins->count = inner < TALLY_ROWS + 2 ? (size_t)inner + 2 : TALLY_ROWS + 4;
  for (size_t i = 0; i < n; i++)
    count_in_bin(bins, t->values.at[i]);
}

/* Welford's running mean and sum of squares. */
static void add_number(struct tally *t, double x) {
  double delta = x - t->mean;
  t->mean += delta / (double)t->samples;
  t->spread += delta * (x - t->mean);
  if (t->bins.count) {
    count_in_bin(&t->bins, x);
    return;
  }
  vec_push(&t->values, x);
  if (t->values.len == TALLY_VALUES) fix_bins(t);
}

/* Where the text is in the table, or where it belongs. */
static uint32_t *find_outcome(const struct tally *t, const char *text) {
  size_t i = hash_bytes(text, strlen(text)) & (table_size - 1);
  while (t->table[i] && strcmp(t->outcomes.at[t->table[i] - 1].text, text) != 0)
    i = (i + 1) & (table_size - 1);
  return &t->table[i];
}

static void add_outcome(struct tally *t, struct rvalue value) {
  t->scratch.len = 0;
  rvalue_print(&t->scratch, &value);
  uint32_t *at = find_outcome(t, buffer_text(&t->scratch));
  if (!*at && t->outcomes.len < TALLY_DISTINCT) {
    char *text = xstrdup(buffer_text(&t->scratch));
    vec_push(&t->outcomes, (struct tally_outcome){text, value, 1});
    *at = (uint32_t)t->outcomes.len;
    return;
  }
  if (*at)
    t->outcomes.at[*at - 1].count++;
  else
    t->others++;
  rvalue_clear(&value);
}

void tally_add(struct tally *t, struct rvalue value) {
  t->samples++;
  t->numeric = t->numeric && rvalue_is_number(&value);
  t->continuous = t->continuous || value.kind == RVALUE_FLOAT;
  if (t->numeric) add_number(t, number_to_double(&value));
  if (t->numeric && value.kind == RVALUE_FLOAT && t->samples > 1) {
    t->others++; /* in `values` */
    rvalue_clear(&value);
    return;
  }
  add_outcome(t, value);
}

double tally_deviation(const struct tally *t) {
  return t->samples > 1 ? sqrt(t->spread / (double)(t->samples - 1)) : 0;
}

/* ---- showing -------------------------------------------------------------------------------- */

static json_t *json_value(const struct rvalue *v);

static json_t *json_items(const struct rvalue_seq *seq) {
  json_t *array = json_array();
  for (size_t i = 0; i < seq->len; i++)
    json_array_append_new(array, json_value(&seq->at[i]));
  return array;
}

static json_t *json_printed(const struct rvalue *v) {
  struct buffer text;
  buffer_init(&text);
  rvalue_print(&text, v);
  json_t *string = json_string(buffer_text(&text));
  buffer_clear(&text);
  return string;
}

/* Integers that a double holds exactly, and doubles, become JSON numbers; other integers and
 * fractions strings ("1/3"); sequences arrays; unit null. */
static json_t *json_value(const struct rvalue *v) {
  switch (v->kind) {
  case RVALUE_UNSET:
  case RVALUE_UNIT: return json_null();
  case RVALUE_BOOL: return json_boolean(v->as.boolean);
  case RVALUE_INT:
    if (fmpz_bits(&v->as.integer) <= 53) return json_integer(fmpz_get_si(&v->as.integer));
    return json_printed(v);
  case RVALUE_FLOAT: return json_real(v->as.number);
  case RVALUE_IRRATIONAL: {
    double rounded = creal_round(v->as.irrational);
    return isfinite(rounded) ? json_real(rounded) : json_printed(v);
  }
  case RVALUE_SYMBOL:
  case RVALUE_SYMBOLIC:
  case RVALUE_RATIONAL: return json_printed(v);
  case RVALUE_LIST:
  case RVALUE_ARRAY:
  case RVALUE_TUPLE: return json_items(v->as.seq);
  }
  return NULL;
}

static int by_count(const void *a, const void *b) {
  const struct tally_outcome *x = a, *y = b;
  if (x->count != y->count) return x->count < y->count ? 1 : -1;
  return strcmp(x->text, y->text);
}

static int by_value(const void *a, const void *b) {
  const struct tally_outcome *x = a, *y = b;
  int order;
  return rvalue_compare(&order, &x->value, &y->value) ? order : strcmp(x->text, y->text);
}

/* Columns of UTF-8 text; ours is ASCII but for symbols of automata. */
static size_t columns_of(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

static void sort_outcomes(struct tally *t, int (*order)(const void *, const void *)) {
  qsort(t->outcomes.at, t->outcomes.len, sizeof *t->outcomes.at, order);
  memset(t->table, 0, table_size * sizeof *t->table);
  for (size_t i = 0; i < t->outcomes.len; i++)
    *find_outcome(t, t->outcomes.at[i].text) = (uint32_t)i + 1;
}

struct row {
  char *label;
  size_t count;
};

struct table {
  VEC(struct row) rows;
  const char *head;
  bool right; /* labels are numbers: align them right */
};

static void print_label(struct buffer *out, const char *label, size_t width, bool right) {
  size_t columns = columns_of(label);
  if (columns > width) {
    buffer_add(out, label, width - 3);
    buffer_puts(out, "...");
    return;
  }
  if (right) buffer_fill(out, ' ', width - columns);
  buffer_puts(out, label);
  if (!right) buffer_fill(out, ' ', width - columns);
}

/* [true, false] as [T, F], for labels that would not fit. */
static void abbreviate(char *label) {
  char *to = label;
  for (const char *from = label; *from;) {
    bool starts = from == label || strchr("[( ", from[-1]);
    size_t skip = starts && strncmp(from, "true", 4) == 0    ? 4
                  : starts && strncmp(from, "false", 5) == 0 ? 5
                                                             : 1;
    *to++ = skip == 4 ? 'T' : skip == 5 ? 'F' : *from;
    from += skip;
  }
  *to = 0;
}

static size_t widest_label(const struct table *table) {
  size_t width = strlen(table->head);
  for (size_t i = 0; i < table->rows.len; i++) {
    size_t w = columns_of(table->rows.at[i].label);
    if (w > width) width = w;
  }
  return width;
}

static void print_table(struct buffer *out, struct table *table, size_t samples, size_t columns) {
  enum { numbers = 22, shortest_bar = 10 }; /* columns of count and per cent, of the bar */
  size_t most = 1;
  for (size_t i = 0; i < table->rows.len; i++)
    if (table->rows.at[i].count > most) most = table->rows.at[i].count;
  if (columns < 40) columns = 40;
  size_t widest = columns - numbers - shortest_bar;
  if (widest_label(table) > widest)
    for (size_t i = 0; i < table->rows.len; i++)
      abbreviate(table->rows.at[i].label);
  size_t width = widest_label(table);
  if (width > widest) width = widest;
  size_t bar = columns - numbers - width;
  if (bar > 40) bar = 40;
  buffer_puts(out, "  ");
  print_label(out, table->head, width, table->right);
  buffer_printf(out, " %9s %7s\n", "count", "%");
  for (size_t i = 0; i < table->rows.len; i++) {
    const struct row *row = &table->rows.at[i];
    buffer_puts(out, "  ");
    print_label(out, row->label, width, table->right);
    buffer_printf(out, " %9zu %7.3f", row->count, 100.0 * (double)row->count / (double)samples);
    size_t length = (size_t)((double)row->count / (double)most * (double)bar + 0.5);
    if (length) buffer_putc(out, ' ');
    buffer_fill(out, '#', length);
    buffer_putc(out, '\n');
  }
  for (size_t i = 0; i < table->rows.len; i++)
    free(table->rows.at[i].label);
  vec_clear(&table->rows);
}

static void print_bins(struct buffer *out, struct tally *t, size_t columns) {
  if (!t->bins.count) fix_bins(t);
  const struct tally_bins *b = &t->bins;
  struct table table = {.head = "output", .right = true};
  for (size_t i = 0; i < b->count; i++) {
    double from = b->low + ((double)i - 1) * b->step, to = from + b->step;
    /* 0.30000000000000004 - 0.3 is a rounding error, not a bound */
    if (fabs(from) < b->step / 1000) from = 0;
    if (fabs(to) < b->step / 1000) to = 0;
    char *label = i == 0              ? xasprintf("below %.6g", to)
                  : i == b->count - 1 ? xasprintf("%.6g or more", from)
                                      : xasprintf("%.6g to %.6g", from, to);
    vec_push(&table.rows, (struct row){label, b->hits[i]});
  }
  print_table(out, &table, t->samples, columns);
}

/* Real numbers in tuples and lists do not come twice: to count them tells nothing. */
static void print_some(struct buffer *out, const struct tally *t) {
  enum { FEW = 5 };
  buffer_printf(out, "  every output is different; %d of them:\n", FEW);
  for (size_t i = 0; i < FEW; i++)
    buffer_printf(out, "  %s\n", t->outcomes.at[i].text);
}

static void print_outcomes(struct buffer *out, struct tally *t, size_t columns) {
  struct table table = {.head = "output"};
  sort_outcomes(t, by_count);
  if (t->outcomes.len > TALLY_ROWS && t->outcomes.at[0].count == 1 && !t->others) {
    print_some(out, t);
    return;
  }
  size_t shown = t->outcomes.len < TALLY_ROWS ? t->outcomes.len : TALLY_ROWS;
  size_t hidden = t->others;
  for (size_t i = shown; i < t->outcomes.len; i++)
    hidden += t->outcomes.at[i].count;
  /* few numbers read best in their own order */
  if (t->numeric && shown == t->outcomes.len) sort_outcomes(t, by_value);
  for (size_t i = 0; i < shown; i++)
    vec_push(&table.rows, (struct row){xstrdup(t->outcomes.at[i].text), t->outcomes.at[i].count});
  table.right = t->numeric;
  print_table(out, &table, t->samples, columns);
  if (hidden)
    buffer_printf(out, "  and %s%zu other outcomes in %zu samples\n", t->others ? "more than " : "",
                  t->outcomes.len - shown, hidden);
}

void tally_print(struct buffer *out, struct tally *t, size_t columns) {
  if (!t->samples) return;
  if (t->numeric && t->continuous)
    print_bins(out, t, columns);
  else
    print_outcomes(out, t, columns);
  if (t->numeric)
    buffer_printf(out, "  mean %.6g, standard deviation %.6g\n", t->mean, tally_deviation(t));
}

static void list(json_t *array, json_t *output, size_t count) {
  json_array_append_new(array,
                        json_pack("{s:o, s:I}", "output", output, "count", (json_int_t)count));
}

json_t *tally_json(struct tally *t, size_t *cut) {
  json_t *array = json_array();
  size_t listed = 0;
  if (t->numeric && t->continuous && t->samples > 1) {
    for (; listed < t->values.len && listed < TALLY_JSON; listed++)
      list(array, json_real(t->values.at[listed]), 1);
  } else {
    sort_outcomes(t, by_count);
    for (size_t i = 0; i < t->outcomes.len && i < TALLY_JSON; i++) {
      list(array, json_value(&t->outcomes.at[i].value), t->outcomes.at[i].count);
      listed += t->outcomes.at[i].count;
    }
  }
  *cut = t->samples - listed;
  return array;
}
