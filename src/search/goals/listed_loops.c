#include "search/goals/listed_loops.h"

#include "search/base/lists.h"
#include "term/subst.h"

/* Does it read an input of a run? (What it computes from inputs, others have written.) */
static bool reads_data(struct kernel *k, const struct core *c, const term_list *written) {
  term_list read = {0};
  core_reads(kernel_terms(k), c, &read);
  bool found = false;
  for (size_t i = 0; i < read.len && !found; i++)
    found = kernel_tag(k, read.at[i], 1) != read.at[i] && !terms_have(written, read.at[i]);
  vec_clear(&read);
  return found;
}

const struct core *listed_loop(struct kernel *k, const struct core *program,
                               const struct core **rest) {
  const struct core *loop = NULL, *first = NULL;
  term_list written = {0};
  core_writes(program, &written);
  size_t loops = 0, paying = 0, busy = 0, private = 0;
  for (const struct core *c = program;; c = c->second) {
    const struct core *part = c->kind == CORE_SEQ ? c->first : c;
    bool data = reads_data(k, part, &written), pays = false;
    if (part->kind == CORE_WHILE) {
      loops++;
      pays = data && core_is_random(part->first);
      paying += pays;
      private += data && !pays;
      if (pays || !first) *rest = c->kind == CORE_SEQ ? c->second : core_skip();
      if (pays) loop = part;
      if (!first) first = part;
    } else {
      busy += core_is_random(part) || core_has_loop(part);
      private += data;
    }
    if (c->kind != CORE_SEQ) break;
  }
  vec_clear(&written);
  if (loops == 1) return busy ? NULL : first;
  return paying == 1 && !private && !busy ? loop : NULL;
}

unsigned listed_loop_number(const struct core *program, const struct core *loop) {
  unsigned count = 0, number = 0;
  for (const struct core *c = program;; c = c->second) {
    const struct core *part = c->kind == CORE_SEQ ? c->first : c;
    count += part->kind == CORE_WHILE;
    if (part == loop) number = count;
    if (c->kind != CORE_SEQ) return count > 1 ? number : 0;
  }
}

static void write_equal(struct kernel *k, const struct core *loop, const term_list *written,
                        struct text *out) {
  term_list read = {0};
  core_reads(kernel_terms(k), loop, &read);
  for (size_t i = 0; i < read.len; i++) {
    term_id x = read.at[i], one = kernel_tag(k, x, 1);
    bool again = false;
    for (size_t j = 0; j < i && !again; j++)
      again = read.at[j] == x;
    bool old = core_reads_old(kernel_terms(k), loop->first, x) ||
               term_mentions(kernel_terms(k), loop->expr, &x, 1);
    if (!again && old && x != loop->var && terms_have(written, x))
      text_line(out, "invariant %t = %t;", one, kernel_tag(k, x, 2));
  }
  vec_clear(&read);
}

/* The loops in c, numbered in their order; but for `skip`. */
static void write_loops(struct kernel *k, const struct core *c, const struct core *skip,
                        const term_list *written, unsigned *number, struct text *out) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    write_loops(k, c->first, skip, written, number, out);
    write_loops(k, c->second, skip, written, number, out);
  }
  if (c->kind != CORE_WHILE) return;
  ++*number;
  if (c == skip) return;
  unsigned inner = 0;
  text_line(out, "loop %u {", *number);
  write_equal(k, c, written, out);
  write_loops(k, c->first, skip, written, &inner, out);
  text_line(out, "}");
}

void listed_loop_others(struct kernel *k, const struct core *program, const struct core *loop,
                        struct text *out) {
  term_list written = {0};
  unsigned number = 0;
  core_writes(program, &written);
  if (listed_loop_number(program, loop)) write_loops(k, program, loop, &written, &number, out);
  vec_clear(&written);
}
