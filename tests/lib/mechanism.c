#include "mechanism.h"

#include <string.h>

#include "source_text.h"

void mechanism_load(struct mechanism *m, const char *text) {
  lang_init(&m->lang);
  m->module = load_valid_text(&m->lang, text);
  const struct ast_decl *mechanism = NULL;
  for (size_t i = 0; i < m->module->decl_count; i++)
    if (m->module->decls[i]->kind == DECL_MECHANISM) mechanism = m->module->decls[i];
  if (!mechanism) fail_msg("no mechanism in\n%s", text);
  interp_init(&m->in, &m->lang, m->module, mechanism);
  m->in.instance = interp_choose_instance(&m->in);
  assert_true(interp_prepare(&m->in));
}

void mechanism_clear(struct mechanism *m) {
  interp_clear(&m->in);
  lang_clear(&m->lang);
}

void mechanism_ask(struct mechanism *m, const char *event, slong precision,
                   struct exact_result *result) {
  struct pattern p;
  size_t at;
  char *why;
  if (!pattern_parse(&p, event, &at, &why)) fail_msg("%s: %s", event, why);
  exact_result_init(result);
  exact_probability(&m->in, &p, &(struct exact_options){.precision = precision}, result);
  pattern_clear(&p);
}

void mechanism_tell(struct mechanism *m, const char *event, slong precision,
                    struct exact_result *result) {
  mechanism_ask(m, event, precision, result);
  if (result->status != EXACT_OK) fail_msg("%s: %s", event, result->why);
}
