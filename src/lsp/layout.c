/* Formatting the whole document, as `couplet fmt` does. */
#include <string.h>

#include "lang/format/format.h"
#include "lang/syntax/parse.h"
#include "lsp/features.h"

/* One edit from the first to the last line that changes keeps the cursor in place elsewhere. */
static json_t *edit_between(const struct session *s, const struct document *d,
                            const struct buffer *text) {
  const char *new_text = buffer_text(text);
  size_t shorter = d->length < text->len ? d->length : text->len, same = 0, tail = 0;
  while (same < shorter && d->text[same] == new_text[same])
    same++;
  while (same > 0 && d->text[same - 1] != '\n')
    same--; /* whole lines, so whole characters */
  while (tail < shorter - same && d->text[d->length - 1 - tail] == new_text[text->len - 1 - tail])
    tail++;
  while (tail > 0 && d->text[d->length - tail - 1] != '\n')
    tail--;
  return json_pack("{s:o, s:o}", "range",
                   range_to_json(&d->lines, s->encoding, same, d->length - tail), "newText",
                   text_to_json(new_text + same, text->len - tail - same));
}

json_t *feature_formatting(struct session *s, const json_t *params, struct rpc_error *error) {
  struct document *d = param_document(s, params, error);
  if (!d) return NULL;
  if (!session_analysis(s, d)->unit)
    return rpc_fail(error, RPC_REQUEST_FAILED, "only .dp files can be formatted");
  struct lang lang;
  struct buffer text;
  lang_init(&lang);
  buffer_init(&text);
  uint32_t file = sources_add(&lang.sources, d->path, d->text, d->length);
  const struct ast_unit *unit = parse_unit(&lang, file);
  const struct source *source = sources_get(&lang.sources, file);
  json_t *result = NULL;
  if (lang.diags.errors) {
    rpc_fail(error, RPC_REQUEST_FAILED, "the text has syntax errors and is left alone");
  } else {
    format_unit(&text, &lang.sources, unit);
    if (!format_keeps_meaning(unit, source, &text))
      rpc_fail(error, RPC_REQUEST_FAILED,
               "left alone: the formatter would have changed the meaning; please report this file");
    else if (text.len == d->length && memcmp(buffer_text(&text), d->text, d->length) == 0)
      result = json_array();
    else
      result = json_pack("[o]", edit_between(s, d, &text));
  }
  buffer_clear(&text);
  lang_clear(&lang);
  return result;
}
