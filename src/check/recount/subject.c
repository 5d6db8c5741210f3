#include "check/recount/subject.h"

#include <stdlib.h>
#include <string.h>

#include "check/automaton/build.h"
#include "check/automaton/dipa.h"
#include "num/rational.h"

/* ---- digest --------------------------------------------------------------------------------- */

static void add_names(struct sha256 *h, const char *const *names, size_t count) {
  sha256_add_number(h, count);
  for (size_t i = 0; i < count; i++)
    sha256_add_text(h, names[i] ? names[i] : "");
}

static void add_rational(struct sha256 *h, const struct automaton *a, uint32_t rational) {
  char *text =
      rational == AUTOMATON_NONE ? xstrdup("none") : rational_string(automaton_value(a, rational));
  sha256_add_text(h, text);
  free(text);
}

static void add_guard(struct sha256 *h, const struct automaton *a, uint32_t guard) {
  struct automaton_range cubes = a->guards.at[guard];
  sha256_add_number(h, cubes.end - cubes.begin);
  for (uint32_t c = cubes.begin; c < cubes.end; c++) {
    struct automaton_range cube = a->cubes.at[c];
    sha256_add_number(h, cube.end - cube.begin);
    for (uint32_t i = cube.begin; i < cube.end; i++)
      sha256_add_number(h, a->literals.at[i]);
  }
}

void automaton_digest(const struct automaton *a, char out[SHA256_HEX + 1]) {
  struct sha256 h;
  sha256_init(&h);
  sha256_add_text(&h, a->independent ? "independent" : "shared");
  sha256_add_number(&h, a->start);
  add_names(&h, a->vars.at, a->vars.len);
  add_names(&h, a->symbols.at, a->symbols.len);
  add_names(&h, a->state_names.at, a->state_names.len);
  for (size_t i = 0; i < a->states.len; i++) {
    const struct automaton_state *s = &a->states.at[i];
    sha256_add_number(&h, (s->is_input ? 1u : 0u) + (s->is_final ? 2u : 0u));
    add_rational(&h, a, s->d);
    add_rational(&h, a, s->mean);
    add_rational(&h, a, s->d2);
    add_rational(&h, a, s->mean2);
  }
  sha256_add_number(&h, a->edges.len);
  for (size_t i = 0; i < a->edges.len; i++) {
    const struct automaton_edge *e = &a->edges.at[i];
    struct members assigned = automaton_members(a, e->assign);
    sha256_add_number(&h, e->from);
    sha256_add_number(&h, e->to);
    sha256_add_number(&h, e->emit);
    add_guard(&h, a, e->guard);
    sha256_add_number(&h, assigned.count);
    for (size_t k = 0; k < assigned.count; k++)
      sha256_add_number(&h, assigned.at[k]);
  }
  sha256_hex(&h, out);
}

/* ---- from the source ------------------------------------------------------------------------ */

static bool build(struct subject *subject, struct lang *lang, const struct cert_statement *s) {
  bool ok = s->automaton ? automaton_build(&subject->model, s->automaton, &lang->diags)
                         : dipa_read(&subject->model, &lang->sources, 1, &lang->diags);
  return ok && automaton_classify(&subject->report, &subject->model, &lang->diags);
}

static const char *first_error(const struct diags *diags) {
  for (size_t i = 0; i < diags->list.len; i++)
    if (diags->list.at[i].severity == SEVERITY_ERROR) return diags->list.at[i].message;
  return "it cannot be read";
}

bool subject_load(struct subject *subject, struct checker *c, const struct cert_statement *s,
                  const json_t *json) {
  char digest[SHA256_HEX + 1];
  struct lang *lang = &c->source->lang;
  automaton_init(&subject->model);
  const char *named = reader_text(&c->r, json, "automaton");
  if (!named) return false;
  if (!build(subject, lang, s))
    return reader_fail(&c->r, NOT_BOUND, "the automaton '%s' of the source means nothing: %s",
                       s->subject, first_error(&lang->diags));
  automaton_digest(&subject->model, digest);
  return strcmp(digest, named) == 0 ||
         reader_fail(&c->r, NOT_BOUND, "the automaton '%s' of the source has another structure",
                     s->subject);
}

void subject_clear(struct subject *subject) {
  automaton_clear(&subject->model);
}
