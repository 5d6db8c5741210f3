/* Claims with `samples`: what the scopes of the loops say of their laws, for kernel/law.h. */
#include "kernel/law.h"
#include "proof/derive.h"
#include "proof/one_run.h"
#include "term/build.h"

struct reading {
  struct prover *p;
  VEC(struct loop_law) loops;
};

/* The program variable of this name. */
static term_id variable(struct prover *p, const struct ast_name *name) {
  const struct translate_binding *b = translate_find(p->env, name->text);
  if (b && b->is_program && kernel_is_var(p->k, b->term)) return b->term;
  prover_fail(p, name->span, "`%s` is not a variable of the mechanism", name->text);
  return TERM_NONE;
}

static struct law_way read_way(struct prover *p, const struct script_way *w) {
  term_id *vars = arena_alloc(p->arena, 2 * (w->count + 1) * sizeof *vars);
  term_id *values = vars + w->count;
  struct law_way out = {prover_program_term(p, w->weight, SORT_REAL), vars, values, w->count};
  for (size_t i = 0; i < w->count && !p->error; i++) {
    vars[i] = variable(p, &w->names[i]);
    if (!p->error) values[i] = prover_program_term(p, w->values[i], term_sort(p->ts, vars[i]));
  }
  return out;
}

static void read_loop(struct reading *r, const struct core *c, const struct script_scope *s) {
  struct prover *p = r->p;
  name_index(p->env, c);
  struct loop_law l = {.loop = c, .rank = TERM_NONE, .most = TERM_NONE};
  l.invariant = term_bool(p->ts, true);
  for (size_t i = 0; i < s->invariant_count && !p->error; i++)
    l.invariant = term_and(p->ts, l.invariant, prover_program_term(p, s->invariants[i], SORT_BOOL));
  if (s->rank && !p->error) {
    l.rank = prover_program_term(p, s->rank, SORT_REAL);
    if (!p->error) l.most = prover_program_term(p, s->rank_most, SORT_REAL);
  }
  struct law_way *ways = arena_alloc(p->arena, (s->way_count + 1) * sizeof *ways);
  for (size_t i = 0; i < s->way_count && !p->error; i++)
    ways[l.way_count++] = read_way(p, &s->ways[i]);
  l.ways = ways;
  vec_push(&r->loops, l);
}

/* Loops are numbered as in struct walk: those of a scope, not those inside its loops. */
static void read_loops(struct reading *r, const struct core *c, struct script_scope *scope,
                       unsigned *number) {
  if (c->kind == CORE_SEQ || c->kind == CORE_IF) {
    read_loops(r, c->first, scope, number);
    read_loops(r, c->second, scope, number);
  }
  if (c->kind != CORE_WHILE) return;
  struct script_scope *s = scope_of_loop(r->p->ts, scope, c, ++*number);
  unsigned inside = 0;
  if (!s) return;
  s->used++;
  read_loop(r, c, s);
  read_loops(r, c->first, s, &inside);
}

enum claim_verdict derive_samples(struct prover *p, struct script_scope *script) {
  struct reading r = {.p = p};
  unsigned number = 0;
  p->script = script;
  if (!derive_lemmas(p)) return CLAIM_NOT_PROVED;
  if (script) read_loops(&r, claim_program(p->claim)->program, script, &number);
  struct laws laws = {.loops = r.loops.at, .loop_count = r.loops.len};
  enum claim_verdict verdict = p->error ? CLAIM_NOT_PROVED : claim_conclude_law(p->claim, &laws);
  if (verdict != CLAIM_NOT_PROVED) record_laws(p, &laws);
  vec_clear(&r.loops);
  return verdict;
}
