#include "check/exact/engine.h"

/* The pattern of the stream, and of the returned value. */
static bool has_both(const struct engine *e) {
  const struct ast_routine *routine = e->in->mechanism->as.mechanism.routine;
  return routine->emits && routine->returns && e->event->kind != PATTERN_ANY;
}

const struct pattern *engine_stream_pattern(const struct engine *e) {
  return has_both(e) ? &e->event->items[0] : e->event;
}

const struct pattern *engine_result_pattern(const struct engine *e) {
  return has_both(e) ? &e->event->items[1] : e->event;
}

bool engine_event_has_shape(struct engine *e) {
  if (!has_both(e) || (e->event->kind == PATTERN_TUPLE && e->event->count == 2)) return true;
  return engine_fail(e, EXACT_UNSUPPORTED, e->in->mechanism->span,
                     "the output is a stream and a result: write the event as ([...], ...)");
}

/* The value in p->result is the next output. Consumes p; what is left of it goes to `out`. */
static bool emit_value(struct engine *e, struct path *p, struct span where, path_set *out) {
  if (!e->event) {
    path_set fixed = {0};
    bool ok = engine_enumerate(e, p, where, &fixed);
    for (size_t i = 0; i < fixed.len; i++) {
      struct path *q = fixed.at[i];
      rvalue_push(&q->emitted, q->result);
      q->result = (struct rvalue){0};
      vec_push(out, q);
    }
    vec_clear(&fixed);
    /* every path has memory of its own: what cannot be listed in the end is not begun */
    if (ok && out->len > LIMIT_EXACT_LISTED)
      ok = engine_fail(e, EXACT_UNLISTED, where,
                       "the outputs are too many to be listed; ask for an event");
    return ok;
  }
  const struct pattern *stream = engine_stream_pattern(e);
  bool keep = true, ok = true;
  if (stream->kind == PATTERN_LIST) {
    if (p->emit_count < stream->count)
      ok = engine_match(e, p, &p->result, &stream->items[p->emit_count], where, &keep);
    else
      keep = stream->is_open;
  } else if (stream->kind != PATTERN_ANY) {
    ok = engine_fail(e, EXACT_UNSUPPORTED, where,
                     "the output is a stream: write the event as [...]");
  }
  if (stream->kind == PATTERN_LIST && p->emit_count < stream->count) p->emit_count++;
  rvalue_clear(&p->result);
  if (ok && keep)
    vec_push(out, p);
  else
    path_free(p);
  return ok;
}

bool engine_emit(struct engine *e, const struct ast_stmt *s, path_set *paths) {
  evaluated_list values = {0};
  bool ok = engine_evaluate(e, paths, s->as.value, &values);
  for (size_t i = 0; i < values.len; i++) {
    struct path *p = values.at[i].path;
    rvalue_clear(&p->result);
    p->result = values.at[i].value;
    if (ok)
      ok = emit_value(e, p, s->span, paths);
    else
      path_free(p);
  }
  vec_clear(&values);
  return ok;
}
