#include "automata/convert/core_fate.h"

#include "term/subst.h"

enum fate core_fate(struct terms *ts, const struct core *c, term_id var) {
  switch (c->kind) {
  case CORE_SKIP: return FATE_UNTOUCHED;
  case CORE_ASSIGN:
    if (term_mentions(ts, c->expr, &var, 1)) return FATE_READ;
    return c->var == var ? FATE_WRITTEN : FATE_UNTOUCHED;
  case CORE_SAMPLE:
    for (size_t i = 0; i < c->arg_count; i++)
      if (term_mentions(ts, c->args[i], &var, 1)) return FATE_READ;
    return c->var == var ? FATE_WRITTEN : FATE_UNTOUCHED;
  case CORE_SEQ: {
    enum fate first = core_fate(ts, c->first, var);
    return first == FATE_UNTOUCHED ? core_fate(ts, c->second, var) : first;
  }
  case CORE_IF: {
    if (term_mentions(ts, c->expr, &var, 1)) return FATE_READ;
    enum fate yes = core_fate(ts, c->first, var), no = core_fate(ts, c->second, var);
    if (yes == FATE_READ || no == FATE_READ) return FATE_READ;
    return yes == FATE_WRITTEN && no == FATE_WRITTEN ? FATE_WRITTEN : FATE_UNTOUCHED;
  }
  case CORE_WHILE:
    if (term_mentions(ts, c->expr, &var, 1)) return FATE_READ;
    return core_fate(ts, c->first, var) == FATE_READ ? FATE_READ : FATE_UNTOUCHED;
  case CORE_ADVERSARY: break;
  }
  return FATE_READ;
}
