#include "proof/record.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "check/certificate/source.h"
#include "kernel/law.h"
#include "lang/syntax/builtin.h"
#include "proof/derive.h"
#include "term/build.h"

/* The program itself is its own parent. */
static void add_parents(struct record *r, const struct core *c) {
  for (; c; c = c->second) {
    if (c->first) ptrmap_put(&r->parents, c->first, (void *)c);
    if (c->second) ptrmap_put(&r->parents, c->second, (void *)c);
    if (c->first) add_parents(r, c->first);
  }
}

void record_init(struct record *r, struct terms *ts, const struct core *program, call_list *calls) {
  *r = (struct record){.calls = calls};
  term_writer_init(&r->terms, ts);
  buffer_init(&r->line);
  ptrmap_init(&r->judgements);
  ptrmap_init(&r->bounds);
  ptrmap_init(&r->commands);
  ptrmap_init(&r->parts);
  ptrmap_init(&r->bound_parts);
  ptrmap_init(&r->parents);
  if (!program) return;
  add_parents(r, program);
  ptrmap_put(&r->parents, program, (void *)program);
}

void record_clear(struct record *r) {
  if (r->is_broken) calls_clear(r->calls);
  term_writer_clear(&r->terms);
  buffer_clear(&r->line);
  ptrmap_clear(&r->judgements);
  ptrmap_clear(&r->bounds);
  ptrmap_clear(&r->commands);
  ptrmap_clear(&r->parts);
  ptrmap_clear(&r->bound_parts);
  ptrmap_clear(&r->parents);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void add_line(struct record *r, struct buffer *line) {
  vec_push(r->calls, xstrdup(buffer_text(line)));
}

static const void *key_of(term_id t) {
  return (const void *)((uintptr_t)t + 1);
}

size_t record_term(struct term_writer *w, call_list *calls, term_id t) {
  size_t number = term_write(w, t);
  const char *text = buffer_text(&w->out);
  while (*text) {
    size_t length = strcspn(text, "\n");
    vec_push(calls, xasprintf("= %.*s", (int)length, text));
    text += length + (text[length] == '\n');
  }
  buffer_clear(&w->out);
  buffer_init(&w->out);
  return number;
}

/* The lines of a term that are new; its word. */
static void put_term(struct record *r, struct buffer *out, term_id t) {
  size_t part = (size_t)ptrmap_get(&r->parts, key_of(t)),
         bound = (size_t)ptrmap_get(&r->bound_parts, key_of(t));
  if (part)
    buffer_printf(out, " %c%zu", "pqd"[(part - 1) % 3], (part - 1) / 3);
  else if (bound)
    buffer_printf(out, " %c%zu", "xyz"[(bound - 1) % 3], (bound - 1) / 3);
  else
    buffer_printf(out, " t%zu", record_term(&r->terms, r->calls, t));
}

static void put_optional(struct record *r, struct buffer *out, term_id t) {
  if (t == TERM_NONE)
    buffer_puts(out, " -");
  else
    put_term(r, out, t);
}

static size_t command_number(struct record *r, const struct core *c);

static void put_command(struct record *r, struct buffer *out, const struct core *c) {
  buffer_printf(out, " c%zu", command_number(r, c));
}

static void put_args(struct record *r, struct buffer *out, const struct core *c) {
  for (size_t i = 0; i < c->arg_count; i++)
    put_term(r, out, c->args[i]);
}

/* A command of the program by where it is. */
static bool write_place(struct record *r, struct buffer *out, const struct core *c) {
  const struct core *parent = ptrmap_get(&r->parents, c);
  if (!parent || c == core_skip()) return false; /* there is one skip, in many places */
  buffer_puts(out, parent == c ? ": program" : parent->first == c ? ": first" : ": second");
  if (parent != c) put_command(r, out, parent);
  return true;
}

static void write_command(struct record *r, struct buffer *out, const struct core *c) {
  if (write_place(r, out, c)) return;
  switch (c->kind) {
  case CORE_SKIP: buffer_puts(out, ": skip"); break;
  case CORE_ASSIGN:
    buffer_puts(out, ": assign");
    put_term(r, out, c->var);
    put_term(r, out, c->expr);
    break;
  case CORE_SAMPLE:
    buffer_puts(out, ": sample");
    put_term(r, out, c->var);
    buffer_printf(out, " %s", dist_get(c->dist)->name);
    put_args(r, out, c);
    break;
  case CORE_SEQ:
    buffer_puts(out, ": seq");
    put_command(r, out, c->first);
    put_command(r, out, c->second);
    break;
  case CORE_IF:
    buffer_puts(out, ": if");
    put_term(r, out, c->expr);
    put_command(r, out, c->first);
    put_command(r, out, c->second);
    break;
  case CORE_WHILE:
    buffer_puts(out, ": while");
    put_term(r, out, c->expr);
    put_command(r, out, c->first);
    break;
  case CORE_ADVERSARY: r->is_broken = true; break; /* only the program has them */
  }
}

/* Long sequences must not nest the stack: what a command refers to comes first, from the far end. */
static void write_parents(struct record *r, const struct core *c) {
  VEC(const struct core *) way = {0};
  for (const struct core *up = ptrmap_get(&r->parents, c);
       up && up != c && !ptrmap_get(&r->commands, up); up = ptrmap_get(&r->parents, c)) {
    vec_push(&way, up);
    c = up;
  }
  for (size_t i = way.len; i-- > 0;)
    command_number(r, way.at[i]);
  vec_clear(&way);
}

static void write_parts(struct record *r, const struct core *c) {
  VEC(const struct core *) rest = {0};
  for (; c->kind == CORE_SEQ && !ptrmap_get(&r->commands, c); c = c->second)
    vec_push(&rest, c);
  command_number(r, c);
  for (size_t i = rest.len; i-- > 1;)
    command_number(r, rest.at[i]);
  vec_clear(&rest);
}

static size_t command_number(struct record *r, const struct core *c) {
  size_t known = (size_t)ptrmap_get(&r->commands, c);
  if (known) return known - 1;
  if (ptrmap_get(&r->parents, c) && c != core_skip())
    write_parents(r, c);
  else if (c->kind == CORE_SEQ)
    write_parts(r, c);
  struct buffer line;
  buffer_init(&line);
  write_command(r, &line, c);
  add_line(r, &line);
  buffer_clear(&line);
  ptrmap_put(&r->commands, c, (void *)(++r->command_count));
  return r->command_count - 1;
}

/* The number of a judgement or bound. */
static void put_known(struct record *r, struct buffer *out, char kind, const struct ptrmap *map,
                      const void *what) {
  size_t number = (size_t)ptrmap_get(map, what);
  if (!number)
    r->is_broken = true;
  else
    buffer_printf(out, " %c%zu", kind, number - 1);
}

/* Kinds as in check/proof/replay_internal.h. */
static void put_all(struct record *r, const char *takes, va_list args) {
  for (; *takes; takes++)
    switch (*takes) {
    case 't': put_term(r, &r->line, va_arg(args, term_id)); break;
    case 'o': put_optional(r, &r->line, va_arg(args, term_id)); break;
    case 'c': put_command(r, &r->line, va_arg(args, const struct core *)); break;
    case 'j': put_known(r, &r->line, 'j', &r->judgements, va_arg(args, proof_of)); break;
    case 'b': put_known(r, &r->line, 'b', &r->bounds, va_arg(args, bound_of)); break;
    case 'n': buffer_printf(&r->line, " n%u", va_arg(args, unsigned)); break;
    default: r->is_broken = true;
    }
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool is_recording(const struct prover *p, const void *made) {
  return p->record && !p->record->is_broken && made;
}

static void begin(struct prover *p, struct kernel *k, const char *rule) {
  static const char *const marks[] = {">", "<", ">>", "<<"};
  enum claim_direction context = prover_direction(p, k);
  buffer_clear(&p->record->line);
  buffer_init(&p->record->line);
  buffer_printf(&p->record->line, "%s %s", marks[context], rule);
}

static void put(struct prover *p, const char *takes, ...) {
  va_list args;
  va_start(args, takes);
  put_all(p->record, takes, args);
  va_end(args);
}

static void put_variants(struct prover *p, const struct loop_variants *v) {
  for (size_t i = 0; v && i < v->count; i++)
    put(p, "coo", v->loops[i], v->variants[i], v->invariants ? v->invariants[i] : TERM_NONE);
}

/* Formulas that the kernel made are called by the judgement they are of, number `of` of its kind. */
static void add_part(struct ptrmap *parts, term_id t, size_t of, size_t part) {
  if (!ptrmap_get(parts, key_of(t))) ptrmap_put(parts, key_of(t), (void *)(3 * of + part + 1));
}

static void finish(struct record *r, proof_of j) {
  add_line(r, &r->line);
  add_part(&r->parts, judgement_pre(j), r->judgement_count, 0);
  add_part(&r->parts, judgement_post(j), r->judgement_count, 1);
  add_part(&r->parts, judgement_delta(j), r->judgement_count, 2);
  ptrmap_put(&r->judgements, j, (void *)(++r->judgement_count));
}

static void finish_bound(struct record *r, bound_of b) {
  add_line(r, &r->line);
  add_part(&r->bound_parts, ahl_pre(b), r->bound_count, 0);
  add_part(&r->bound_parts, ahl_post(b), r->bound_count, 1);
  add_part(&r->bound_parts, ahl_beta(b), r->bound_count, 2);
  ptrmap_put(&r->bounds, b, (void *)(++r->bound_count));
}

/* A call whose arguments are of fixed kinds. */
static proof_of call(struct prover *p, proof_of j, const char *rule, const char *takes, ...) {
  if (!is_recording(p, j)) return j;
  begin(p, p->k, rule);
  va_list args;
  va_start(args, takes);
  put_all(p->record, takes, args);
  va_end(args);
  finish(p->record, j);
  return j;
}

static bound_of call_bound(struct prover *p, bound_of b, const char *rule, const char *takes, ...) {
  if (!is_recording(p, b)) return b;
  begin(p, p->k, rule);
  va_list args;
  va_start(args, takes);
  put_all(p->record, takes, args);
  va_end(args);
  finish_bound(p->record, b);
  return b;
}

term_id step_fresh(struct prover *p, const char *name, sort_id sort) {
  term_id t = kernel_fresh(p->k, name, sort);
  if (is_recording(p, p) && t != TERM_NONE) { /* so that nothing else gets it */
    begin(p, p->k, "");
    put(p, "t", t);
  }
  return t;
}

term_id step_label(struct prover *p, term_id formula, const char *rule, struct span span,
                   const char *what) {
  term_id t = kernel_label(p->k, formula, rule, span, what);
  if (is_recording(p, p) && t != TERM_NONE && t != formula) {
    buffer_clear(&p->record->line);
    buffer_init(&p->record->line);
    buffer_puts(&p->record->line, "label");
    put(p, "t", formula);
    add_line(p->record, &p->record->line);
  }
  return t;
}

void step_flag(struct prover *p, const char *name) {
  if (is_recording(p, p)) vec_push(p->record->calls, xasprintf("flag %s", name));
}

bool step_lemma(struct prover *p, struct kernel *k, struct span span, term_id formula) {
  if (!kernel_lemma(k, span, formula)) return false;
  if (is_recording(p, p)) {
    begin(p, k, "lemma");
    put(p, "t", formula);
    add_line(p->record, &p->record->line);
  }
  return true;
}

static void add_expression(struct record *r, const struct lang *lang, const char *words,
                           const struct ast_expr *e) {
  char *text = cert_source_text(&lang->sources, e->span);
  vec_push(r->calls, xasprintf("%s %s", words, text));
  free(text);
}

void record_route(struct record *r, const struct lang *lang, const struct claim_route *route) {
  char *words = xasprintf("by %s", notion_word(route->notion));
  add_expression(r, lang, words, route->cost);
  if (route->order) add_expression(r, lang, "order", route->order);
  free(words);
}

void record_end(struct prover *p, proof_of forward, proof_of backward,
                const struct loop_variants *variants) {
  if (!is_recording(p, forward)) return;
  struct record *r = p->record;
  buffer_clear(&r->line);
  buffer_init(&r->line);
  buffer_puts(&r->line, "end");
  put(p, "j", forward);
  if (backward)
    put(p, "j", backward);
  else
    buffer_puts(&r->line, " -");
  put_variants(p, variants);
  add_line(r, &r->line);
}

proof_of step_skip(struct prover *p, term_id post) {
  return call(p, rule_skip(p->k, post), "skip", "t", post);
}
proof_of step_assign(struct prover *p, unsigned run, const struct core *c, term_id post) {
  return call(p, rule_assign(p->k, run, c, post), "assign", "nct", run, c, post);
}
proof_of step_seq(struct prover *p, proof_of first, proof_of second) {
  return call(p, rule_seq(p->k, first, second), "seq", "jj", first, second);
}
proof_of step_conseq(struct prover *p, struct span span, term_id pre, term_id post, term_id delta,
                     proof_of j) {
  return call(p, rule_conseq(p->k, span, pre, post, delta, j), "conseq", "tttj", pre, post, delta,
              j);
}
proof_of step_cond(struct prover *p, const struct core *c1, const struct core *c2, proof_of then,
                   proof_of otherwise) {
  return call(p, rule_cond(p->k, c1, c2, then, otherwise), "cond", "ccjj", c1, c2, then, otherwise);
}
proof_of step_cond_side(struct prover *p, unsigned run, const struct core *c, proof_of then,
                        proof_of otherwise) {
  return call(p, rule_cond_side(p->k, run, c, then, otherwise), "cond-side", "ncjj", run, c, then,
              otherwise);
}
proof_of step_case(struct prover *p, struct span span, term_id condition, proof_of yes,
                   proof_of no) {
  return call(p, rule_case(p->k, span, condition, yes, no), "case", "tjj", condition, yes, no);
}
proof_of step_frame(struct prover *p, struct span span, term_id formula, proof_of j) {
  return call(p, rule_frame(p->k, span, formula, j), "frame", "tj", formula, j);
}
proof_of step_exists(struct prover *p, struct span span, term_id var, term_id witness, proof_of j) {
  return call(p, rule_exists(p->k, span, var, witness, j), "exists", "toj", var, witness, j);
}
proof_of step_waste(struct prover *p, struct span span, term_id keep, term_id post) {
  return call(p, rule_waste(p->k, span, keep, post), "waste", "tt", keep, post);
}
proof_of step_budget_frame(struct prover *p, struct span span, term_id extra, proof_of j) {
  return call(p, rule_budget_frame(p->k, span, extra, j), "budget-frame", "tj", extra, j);
}
proof_of step_contract(struct prover *p, struct span span, term_id spent, term_id post,
                       proof_of j) {
  return call(p, rule_contract(p->k, span, spent, post, j), "contract", "ttj", spent, post, j);
}
proof_of step_while(struct prover *p, const struct core *c1, const struct core *c2,
                    term_id invariant, proof_of body) {
  return call(p, rule_while(p->k, c1, c2, invariant, body), "while", "cctj", c1, c2, invariant,
              body);
}
proof_of step_while_apart(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id invariant, proof_of body, proof_of rest) {
  return call(p, rule_while_apart(p->k, c1, c2, invariant, body, rest), "while-apart", "cctjj", c1,
              c2, invariant, body, rest);
}
proof_of step_while_side(struct prover *p, unsigned run, const struct core *c, term_id invariant,
                         proof_of body, const struct loop_variants *variants) {
  proof_of j = rule_while_side(p->k, run, c, invariant, body, variants);
  if (!is_recording(p, j)) return j;
  begin(p, p->k, "while-side");
  put(p, "nctj", run, c, invariant, body);
  put_variants(p, variants);
  finish(p->record, j);
  return j;
}
proof_of step_while_delta(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id invariant, struct while_delta how, proof_of body) {
  return call(p, rule_while_delta(p->k, c1, c2, invariant, how, body), "while-delta", "cctttttj",
              c1, c2, invariant, how.variant, how.count, how.total, how.most, body);
}
proof_of step_sample_shift(struct prover *p, const struct core *c1, const struct core *c2,
                           const struct coupling *how, term_id post) {
  proof_of j = rule_sample_shift(p->k, c1, c2, how, post);
  if (!is_recording(p, j)) return j;
  begin(p, p->k, "shift");
  put(p, "ccto", c1, c2, post, how->sample);
  for (size_t i = 0; i < how->count; i++)
    put(p, "oto", how->cases[i].when, how->cases[i].shift, how->cases[i].bound);
  finish(p->record, j);
  return j;
}
proof_of step_sample_same(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id post) {
  return call(p, rule_sample_same(p->k, c1, c2, post), "same", "cct", c1, c2, post);
}
proof_of step_sample_side(struct prover *p, unsigned run, const struct core *c, term_id post) {
  return call(p, rule_sample_side(p->k, run, c, post), "side", "nct", run, c, post);
}
proof_of step_sample_interval(struct prover *p, const struct core *c1, const struct core *c2,
                              const struct interval_coupling *how, term_id post) {
  return call(p, rule_sample_interval(p->k, c1, c2, how, post), "interval", "cctttttnttot", c1, c2,
              post, how->p, how->q, how->r, how->s, (unsigned)how->inner, how->move, how->eta,
              how->sigma, how->cost);
}
proof_of step_sample_scale(struct prover *p, const struct core *c1, const struct core *c2,
                           term_id s, term_id delta, term_id post) {
  return call(p, rule_sample_scale(p->k, c1, c2, s, delta, post), "scale", "ccttt", c1, c2, s,
              delta, post);
}
proof_of step_sample_slide(struct prover *p, const struct core *c1, const struct core *c2,
                           term_id by, term_id delta, term_id post) {
  return call(p, rule_sample_slide(p->k, c1, c2, by, delta, post), "slide", "ccttt", c1, c2, by,
              delta, post);
}
proof_of step_sample_subset(struct prover *p, const struct core *c1, const struct core *c2,
                            const struct subset_coupling *how, term_id post) {
  const struct sample_set *a = &how->sets[0], *b = &how->sets[1];
  return call(p, rule_sample_subset(p->k, c1, c2, how, post), "subset", "ccttttoooooo", c1, c2,
              post, how->sample, how->inside, how->outside, a->low, a->high, a->when, b->low,
              b->high, b->when);
}
proof_of step_sample_bernoulli(struct prover *p, const struct core *c1, const struct core *c2,
                               bool flip, term_id cost_true, term_id cost_false, term_id post) {
  return call(p, rule_sample_bernoulli(p->k, c1, c2, flip, cost_true, cost_false, post),
              "bernoulli", "ccnttt", c1, c2, (unsigned)flip, cost_true, cost_false, post);
}
proof_of step_sample_bijection(struct prover *p, const struct core *c1, const struct core *c2,
                               term_id sample, term_id there, term_id back, term_id post) {
  return call(p, rule_sample_bijection(p->k, c1, c2, sample, there, back, post), "bijection",
              "cctttt", c1, c2, sample, there, back, post);
}
proof_of step_sample_meet(struct prover *p, const struct core *c1, const struct core *c2,
                          term_id value, term_id cost_true, term_id cost_false, term_id post) {
  return call(p, rule_sample_meet(p->k, c1, c2, value, cost_true, cost_false, post), "meet",
              "cctttt", c1, c2, value, cost_true, cost_false, post);
}
proof_of step_sample_aim(struct prover *p, const struct core *c, term_id value, term_id cost,
                         term_id post) {
  return call(p, rule_sample_aim(p->k, c, value, cost, post), "aim", "cttt", c, value, cost, post);
}
/* Variables as t - -, then ranges as t and their ends. */
proof_of step_finite(struct prover *p, struct span span, const struct core *c1,
                     const struct core *c2, const struct finite_part *how) {
  proof_of j = rule_finite(p->k, span, c1, c2, how);
  if (!is_recording(p, j)) return j;
  begin(p, p->k, "finite");
  put(p, "cctn", c1, c2, how->spent, (unsigned)how->comparison);
  for (size_t i = 0; i < how->key_count; i++)
    put(p, "too", how->keys[i], TERM_NONE, TERM_NONE);
  for (size_t i = 0; i < how->range_count; i++) {
    const struct finite_range *range = &how->ranges[i];
    put(p, "too", range->value, term_int(p->ts, range->low), term_int(p->ts, range->high));
  }
  finish(p->record, j);
  return j;
}
proof_of step_pure_part(struct prover *p, struct span span, term_id epsilon, proof_of forward,
                        proof_of backward, const struct loop_variants *variants) {
  proof_of j = rule_pure_part(p->k, span, epsilon, forward, backward, variants);
  if (!is_recording(p, j)) return j;
  begin(p, p->k, "pure-part");
  put(p, "tjj", epsilon, forward, backward);
  put_variants(p, variants);
  finish(p->record, j);
  return j;
}
proof_of step_until(struct prover *p, struct span span, const struct core *c, term_id accept,
                    term_id post, proof_of forward, proof_of backward,
                    const struct loop_variants *variants) {
  proof_of j = rule_until(p->k, span, c, accept, post, forward, backward, variants);
  if (!is_recording(p, j)) return j;
  begin(p, p->k, "until");
  put(p, "cttjj", c, accept, post, forward, backward);
  put_variants(p, variants);
  finish(p->record, j);
  return j;
}
proof_of step_subsample(struct prover *p, struct span span, const struct core *c,
                        const struct subsample *how) {
  return call(p, rule_subsample(p->k, span, c, how), "subsample", "ctt", c, how->place, how->bound);
}
proof_of step_exponential(struct prover *p, struct span span, const struct core *c,
                          const struct exponential *how) {
  return call(p, rule_exponential(p->k, span, c, how), "exponential", "ctt", c, how->low,
              how->high);
}
proof_of step_podium(struct prover *p, struct span span, const struct core *c,
                     const struct podium *how) {
  return call(p, rule_podium(p->k, span, c, how), "podium", "ctotttt", c, how->winner,
              how->runner_up, how->first, how->second, how->low, how->high);
}
proof_of step_advanced(struct prover *p, const struct core *c1, const struct core *c2,
                       const struct advanced *how, proof_of forward, proof_of backward) {
  return call(p, rule_advanced(p->k, c1, c2, how, forward, backward), "advanced", "ccjjtotttttoo",
              c1, c2, forward, backward, how->relation, how->hit, how->hits, how->count, how->most,
              how->epsilon, how->omega, how->delta, how->total);
}
proof_of step_equiv_noise(struct prover *p, unsigned run, const struct core *block, proof_of j) {
  return call(p, rule_equiv_noise(p->k, run, block, j), "noise", "ncj", run, block, j);
}
proof_of step_equiv_swap(struct prover *p, unsigned run, proof_of j) {
  return call(p, rule_equiv_swap(p->k, run, j), "swap", "nj", run, j);
}
proof_of step_equiv_unroll(struct prover *p, unsigned run, const struct core *loop, proof_of j) {
  return call(p, rule_equiv_unroll(p->k, run, loop, j), "unroll", "ncj", run, loop, j);
}
proof_of step_equiv_split(struct prover *p, unsigned run, const struct core *loop, term_id when,
                          proof_of j) {
  return call(p, rule_equiv_split(p->k, run, loop, when, j), "split", "nctj", run, loop, when, j);
}
proof_of step_equiv_block(struct prover *p, unsigned run, const struct core *loop, term_id when,
                          proof_of j) {
  return call(p, rule_equiv_block(p->k, run, loop, when, j), "block", "nctj", run, loop, when, j);
}
proof_of step_equiv_flatten(struct prover *p, unsigned run, const struct core *loop, term_id flag,
                            proof_of j) {
  return call(p, rule_equiv_flatten(p->k, run, loop, flag, j), "flatten", "nctj", run, loop, flag,
              j);
}
proof_of step_equiv_join(struct prover *p, unsigned run, const struct core *c, proof_of j) {
  return call(p, rule_equiv_join(p->k, run, c, j), "join", "ncj", run, c, j);
}
proof_of step_equiv_fuse(struct prover *p, unsigned run, const struct core *c, proof_of j) {
  return call(p, rule_equiv_fuse(p->k, run, c, j), "fuse", "ncj", run, c, j);
}
proof_of step_equiv_dead(struct prover *p, unsigned run, const struct core *dead,
                         const struct loop_variants *variants, proof_of j) {
  proof_of made = rule_equiv_dead(p->k, run, dead, variants, j);
  if (!is_recording(p, made)) return made;
  begin(p, p->k, "dead");
  put(p, "ncj", run, dead, j);
  put_variants(p, variants);
  finish(p->record, made);
  return made;
}
proof_of step_pointwise(struct prover *p, struct span span, term_id d, term_id i, term_id rest,
                        const struct pointwise_sum *sum, proof_of j) {
  return call(p, rule_pointwise(p->k, span, d, i, rest, sum, j), "pointwise", "tttjooo", d, i, rest,
              j, sum->low, sum->high, sum->total);
}
proof_of step_adversary(struct prover *p, const struct core *c1, const struct core *c2,
                        term_id post) {
  return call(p, rule_adversary(p->k, c1, c2, post), "adversary", "cct", c1, c2, post);
}
bound_of step_set(struct prover *p, unsigned run, const struct core *c, term_id sample,
                  const struct sample_set *set, term_id beta, term_id post) {
  return call_bound(p, ahl_set(p->k, run, c, sample, set, beta, post), "set", "ncoooott", run, c,
                    sample, set->low, set->high, set->when, beta, post);
}
bound_of step_tail(struct prover *p, unsigned run, const struct core *c, enum tail tail, term_id t,
                   term_id beta, term_id post) {
  return call_bound(p, ahl_tail(p->k, run, c, tail, t, beta, post), "tail", "ncnttt", run, c,
                    (unsigned)tail, t, beta, post);
}
proof_of step_upto(struct prover *p, struct span span, bound_of event, term_id most, term_id post,
                   proof_of j) {
  return call(p, rule_upto(p->k, span, event, most, post, j), "upto", "botj", event, most, post, j);
}

/* ---- laws ------------------------------------------------------------------------------------- */

static void begin_line(struct prover *p, const char *word) {
  buffer_clear(&p->record->line);
  buffer_init(&p->record->line);
  buffer_puts(&p->record->line, word);
}

void record_laws(struct prover *p, const struct laws *laws) {
  if (!is_recording(p, laws)) return;
  for (size_t i = 0; i < laws->loop_count; i++) {
    const struct loop_law *l = &laws->loops[i];
    begin_line(p, "law");
    put(p, "cooo", l->loop, l->invariant, l->rank, l->most);
    add_line(p->record, &p->record->line);
    for (size_t j = 0; j < l->way_count; j++) {
      const struct law_way *w = &l->ways[j];
      begin_line(p, "way");
      put(p, "t", w->weight);
      for (size_t n = 0; n < w->count; n++)
        put(p, "tt", w->vars[n], w->values[n]);
      add_line(p->record, &p->record->line);
    }
  }
  vec_push(p->record->calls, xstrdup("end law"));
}

/* ---- the union bound -------------------------------------------------------------------------- */

void record_bound_end(struct prover *p, bound_of bound, const struct loop_variants *variants) {
  if (!is_recording(p, bound)) return;
  struct record *r = p->record;
  buffer_clear(&r->line);
  buffer_init(&r->line);
  buffer_puts(&r->line, "end");
  put(p, "b", bound);
  put_variants(p, variants);
  add_line(r, &r->line);
}

bound_of step_bound_skip(struct prover *p, term_id post) {
  return call_bound(p, ahl_skip(p->k, 1, post), "b-skip", "t", post);
}
bound_of step_bound_assign(struct prover *p, const struct core *c, term_id post) {
  return call_bound(p, ahl_assign(p->k, 1, c, post), "b-assign", "ct", c, post);
}
bound_of step_bound_seq(struct prover *p, bound_of first, bound_of second) {
  return call_bound(p, ahl_seq(p->k, first, second), "b-seq", "bb", first, second);
}
bound_of step_bound_cond(struct prover *p, const struct core *c, bound_of then,
                         bound_of otherwise) {
  return call_bound(p, ahl_cond(p->k, c, then, otherwise), "b-cond", "cbb", c, then, otherwise);
}
bound_of step_bound_conseq(struct prover *p, struct span span, term_id pre, term_id post,
                           term_id beta, bound_of b) {
  return call_bound(p, ahl_conseq(p->k, span, pre, post, beta, b), "b-conseq", "tttb", pre, post,
                    beta, b);
}
bound_of step_bound_frame(struct prover *p, const struct core *c, term_id formula) {
  return call_bound(p, ahl_frame(p->k, 1, c, formula), "b-frame", "ct", c, formula);
}
bound_of step_bound_and(struct prover *p, bound_of a, bound_of b) {
  return call_bound(p, ahl_and(p->k, a, b), "b-and", "bb", a, b);
}
bound_of step_bound_while(struct prover *p, const struct core *c, term_id invariant,
                          term_id variant, term_id count, term_id most, bound_of body) {
  return call_bound(p, ahl_while(p->k, c, invariant, variant, count, most, body), "b-while",
                    "cttttb", c, invariant, variant, count, most, body);
}
bound_of step_bound_while_each(struct prover *p, const struct core *c, term_id invariant,
                               term_id variant, term_id count, term_id most, term_id total,
                               bound_of body) {
  return call_bound(p, ahl_while_each(p->k, c, invariant, variant, count, most, total, body),
                    "b-while-k", "ctttttb", c, invariant, variant, count, most, total, body);
}
bound_of step_bound_while_sure(struct prover *p, const struct core *c, term_id invariant,
                               bound_of body) {
  return call_bound(p, ahl_while_sure(p->k, c, invariant, body), "b-while-0", "ctb", c, invariant,
                    body);
}
bound_of step_bound_while_total(struct prover *p, const struct core *c, term_id invariant,
                                const struct ahl_total *totals, size_t count, bound_of body) {
  bound_of b = ahl_while_total(p->k, c, invariant, totals, count, body);
  if (!is_recording(p, b)) return b;
  begin(p, p->k, "b-sum");
  put(p, "ctb", c, invariant, body);
  for (const struct ahl_total *t = totals; t < totals + count; t++)
    put(p, "ntttttoott", (unsigned)t->tail, t->sum, t->within, t->scale, t->left, t->draws,
        t->restarts, t->blocks, t->exponent, t->failure);
  finish_bound(p->record, b);
  return b;
}
bound_of step_bound_sample(struct prover *p, const struct core *c, term_id post) {
  return call_bound(p, ahl_sample(p->k, 1, c, post), "b-sample", "ct", c, post);
}
bound_of step_bound_fuse(struct prover *p, const struct core *c, bound_of a) {
  return call_bound(p, ahl_fuse(p->k, c, a), "b-fuse", "cb", c, a);
}
bound_of step_bound_contest(struct prover *p, struct span span, const struct core *c, term_id t,
                            term_id beta, term_id post) {
  return call_bound(p, ahl_contest(p->k, 1, span, c, t, beta, post), "b-gumbel", "cttt", c, t, beta,
                    post);
}
bound_of step_bound_coin(struct prover *p, const struct core *c, term_id beta, term_id post) {
  return call_bound(p, ahl_coin(p->k, 1, c, beta, post), "b-coin", "ctt", c, beta, post);
}
