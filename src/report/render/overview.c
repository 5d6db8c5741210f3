#include "report/render/overview.h"

#include "report/judge/lint.h"

bool diag_is_empty_claim(const struct record_diag *diag) {
  return diag->severity == SEVERITY_WARNING && lint_is_strict(diag->code);
}

static size_t count_empty(const struct file_record *f) {
  size_t found = f->dropped_warnings; /* nobody knows what they were */
  for (size_t i = 0; i < f->diags.len; i++)
    found += diag_is_empty_claim(&f->diags.at[i]);
  return found;
}

struct overview run_overview(const struct run_record *run, bool strict) {
  struct overview o = {.status = run_record_exit(run)};
  for (size_t i = 0; i < run->files.len; i++) {
    const struct file_record *f = run->files.at[i];
    o.bad += f->bad_input;
    o.internal += f->internal_error != NULL;
    o.stopped += f->stopped != NULL;
    o.claims += f->claims.len;
    if (strict) o.empty += count_empty(f);
    for (size_t j = 0; j < f->claims.len; j++) {
      o.verdicts[f->claims.at[j].verdict]++;
      o.trusting += claim_rests_on_solver(&f->claims.at[j]) > 0;
      o.seconds += f->claims.at[j].time_s;
    }
  }
  if (o.empty && o.status != COUPLET_EXIT_INTERNAL) o.status = COUPLET_EXIT_INPUT;
  return o;
}

static void put_admitted(struct buffer *out, size_t count, size_t trusting) {
  buffer_printf(out, ", %zu admitted (", count);
  if (trusting) buffer_printf(out, "%zu rest on the solver's word: --trust-solver", trusting);
  if (trusting && trusting < count) buffer_puts(out, "; ");
  if (trusting < count) buffer_puts(out, "a proof uses `admit`: nothing is guaranteed");
  buffer_putc(out, ')');
}

void overview_put(struct buffer *out, const struct overview *o) {
  buffer_printf(out, "%zu proved, %zu refuted, %zu unknown", o->verdicts[VERDICT_PROVED],
                o->verdicts[VERDICT_REFUTED], o->verdicts[VERDICT_UNKNOWN]);
  if (o->verdicts[VERDICT_ADMITTED]) put_admitted(out, o->verdicts[VERDICT_ADMITTED], o->trusting);
  if (o->bad) buffer_printf(out, "; %zu file%s with errors", o->bad, o->bad == 1 ? "" : "s");
  if (o->stopped) buffer_printf(out, "; %zu stopped by a limit", o->stopped);
  if (o->internal)
    buffer_printf(out, "; %zu internal error%s", o->internal, o->internal == 1 ? "" : "s");
  if (o->empty)
    buffer_printf(out, "; %zu warning%s about claims that say nothing", o->empty,
                  o->empty == 1 ? "" : "s");
}
