#include "out/core_print.h"

#include "lang/syntax/builtin.h"
#include "out/print.h"

static void print_args(struct buffer *out, struct terms *ts, const struct core *c) {
  for (size_t i = 0; i < c->arg_count; i++) {
    if (i) buffer_puts(out, ", ");
    term_print(out, ts, c->args[i]);
  }
}

void core_print(struct buffer *out, struct terms *ts, const struct core *c, size_t indent) {
  if (c->kind == CORE_SEQ) {
    core_print(out, ts, c->first, indent);
    core_print(out, ts, c->second, indent);
    return;
  }
  buffer_fill(out, ' ', indent);
  switch (c->kind) {
  case CORE_SKIP: buffer_puts(out, "skip;\n"); break;
  case CORE_ASSIGN:
    term_print(out, ts, c->var);
    buffer_puts(out, " := ");
    term_print(out, ts, c->expr);
    buffer_puts(out, ";\n");
    break;
  case CORE_SAMPLE:
    term_print(out, ts, c->var);
    buffer_printf(out, " <$ %s(", dist_get(c->dist)->name);
    print_args(out, ts, c);
    buffer_puts(out, ");\n");
    break;
  case CORE_ADVERSARY:
    term_print(out, ts, c->var);
    buffer_printf(out, " := %s(", c->name);
    print_args(out, ts, c);
    buffer_puts(out, ");\n");
    break;
  case CORE_IF:
    buffer_puts(out, "if ");
    term_print(out, ts, c->expr);
    buffer_puts(out, " {\n");
    core_print(out, ts, c->first, indent + 2);
    if (c->second->kind != CORE_SKIP) {
      buffer_fill(out, ' ', indent);
      buffer_puts(out, "} else {\n");
      core_print(out, ts, c->second, indent + 2);
    }
    buffer_fill(out, ' ', indent);
    buffer_puts(out, "}\n");
    break;
  case CORE_WHILE:
    buffer_puts(out, "while ");
    term_print(out, ts, c->expr);
    buffer_puts(out, " {\n");
    core_print(out, ts, c->first, indent + 2);
    buffer_fill(out, ' ', indent);
    buffer_puts(out, "}\n");
    break;
  case CORE_SEQ: break;
  }
}
