#include "search/goals/finite.h"

#include "search/base/bounds.h"
#include "search/base/lists.h"
#include "search/base/paths.h"
#include "search/base/text.h"
#include "search/base/view.h"
#include "search/goals/coins.h"
#include "term/build.h"
#include "term/subst.h"

struct finite {
  struct auto_problem *p;
  struct kernel *k;
  struct terms *ts;
  const struct core *loop; /* NULL: all of the program is one game */
  struct points points;
  struct coins coins;
  term_list arrays;    /* that the loop fills, and that are given out */
  term_list potential; /* conditions, tagged, each of which means that one more price may come */
  term_id factor;      /* or: so many */
};

/* ---- text ----------------------------------------------------------------------------------- */

static void write_choice(struct text *out, const struct coin *c) {
  switch (c->choice) {
  case COIN_FLIP: text_put(out, "flip %t otherwise %t", c->cost[1], c->cost[0]); break;
  case COIN_MEET_TRUE:
  case COIN_MEET_FALSE:
    text_put(out, "meet %s cost %t otherwise %t", c->choice == COIN_MEET_TRUE ? "true" : "false",
             c->cost[1], c->cost[0]);
    break;
  default: text_put(out, "same"); break;
  }
}

static void write_coins(struct finite *f, struct text *out) {
  for (size_t i = 0; i < f->coins.count; i++) {
    const struct coin *c = &f->coins.coin[i];
    bool paired = c->met && c->choice != COIN_SAME, aimed = c->alone && c->aim_cost != TERM_NONE;
    if (!paired && !aimed) continue;
    unsigned total, number = sampling_number(f->ts, f->coins.code, c->at, &total);
    text_put(out, "sample %t", c->at->var);
    if (total > 1) text_put(out, " %u", number);
    text_put(out, ": ");
    if (paired) text_put(out, "if %t then same else ", coins_same_data(&f->coins));
    write_choice(out, paired ? c : &(struct coin){.choice = COIN_SAME});
    if (aimed) text_put(out, " aim %t cost %t", c->aim, c->aim_cost);
    text_line(out, ";");
  }
}

/* The price as often as it may still come. */
static void write_potential(struct finite *f, struct text *out) {
  term_id price = f->coins.total.log;
  text_put(out, "budget ");
  for (size_t i = 0; i < f->potential.len; i++)
    text_put(out, i ? " + (if %t then %t else 0)" : "(if %t then %t else 0)", f->potential.at[i],
             price);
  if (f->factor != TERM_NONE) text_put(out, "(%t)*%t", f->factor, price);
  text_line(out, ";");
}

/* ---- loops ---------------------------------------------------------------------------------- */

/* Is it a program with one loop, at the top, and no sampling outside? */
static const struct core *only_loop(const struct core *program) {
  const struct core *loop = NULL;
  for (const struct core *c = program;; c = c->second) {
    const struct core *part = c->kind == CORE_SEQ ? c->first : c;
    if (part->kind == CORE_WHILE && loop) return NULL;
    if (part->kind == CORE_WHILE)
      loop = part;
    else if (core_is_random(part) || core_has_loop(part))
      return NULL;
    if (c->kind != CORE_SEQ) return loop;
  }
}

/* Some data differ in iteration i only if i = e, for this e? */
static bool happens_at(struct finite *f, const struct known *known, term_id e) {
  return known_entails(known, term_not(f->ts, coins_same_data(&f->coins)),
                       term_eq(f->ts, f->loop->var, e));
}

/* e if the atom says that the index is e, which the loop does not change. */
static term_id index_of(struct finite *f, term_id atom, const term_list *written) {
  if (term_kind(f->ts, atom) != TERM_EQ) return TERM_NONE;
  for (size_t side = 0; side < 2; side++) {
    term_id e = term_arg(f->ts, atom, side);
    if (term_arg(f->ts, atom, 1 - side) == f->loop->var &&
        !term_mentions(f->ts, e, written->at, written->len))
      return e;
  }
  return TERM_NONE;
}

static void may_come(struct finite *f, term_id e) {
  vec_push(&f->potential, term_le(f->ts, f->loop->var, e));
}

/* How often the price is paid from here on; the cost of all iterations. */
static term_id find_potential(struct finite *f) {
  struct terms *ts = f->ts;
  term_id price = f->coins.total.log;
  struct known known;
  known_init(&known, f->p, CLAIM_FORWARD);
  known_add(&known, f->loop->expr);
  known_add(&known, term_le(ts, f->loop->args[0], f->loop->var));
  term_list named = {0}, written = {0};
  f->factor = TERM_NONE;
  for (size_t i = 0; i < known.facts.len; i++)
    term_free_vars(ts, known.facts.at[i], &named);
  for (size_t i = 0; i < named.len && !f->potential.len; i++) {
    const struct term_var *v = term_var_get(ts, named.at[i]);
    if (v->version > 0 && v->sort == SORT_INT && text_is_named(f->p, named.at[i]) &&
        happens_at(f, &known, named.at[i]))
      may_come(f, named.at[i]);
  }
  core_writes(f->loop->first, &written);
  bool indexed = f->potential.len == 0 && f->coins.copies.len == 0;
  for (size_t i = 0; i < f->coins.atoms.len && indexed; i++)
    indexed = index_of(f, f->coins.atoms.at[i], &written) != TERM_NONE;
  for (size_t i = 0; i < f->coins.atoms.len && indexed; i++)
    for (unsigned run = 1; run <= 2; run++)
      may_come(f, kernel_tag(f->k, index_of(f, f->coins.atoms.at[i], &written), run));
  if (!f->potential.len) f->factor = term_sub(ts, f->loop->args[1], f->loop->var);
  term_id times = f->potential.len ? term_int(ts, (long)f->potential.len)
                                   : term_sub(ts, f->loop->args[1], f->loop->args[0]);
  vec_clear(&named);
  vec_clear(&written);
  known_clear(&known);
  return term_mul(ts, times, price);
}

/* ---- arrays that the loop fills ------------------------------------------------------------------ */

/* The value of a[i] := value for the index of the loop; TERM_NONE: it is no such assignment. */
static term_id stored(struct finite *f, const struct core *c) {
  bool is = c->kind == CORE_ASSIGN && term_kind(f->ts, c->expr) == TERM_STORE &&
            term_arg(f->ts, c->expr, 0) == c->var && term_arg(f->ts, c->expr, 1) == f->loop->var;
  return is ? term_arg(f->ts, c->expr, 2) : TERM_NONE;
}

/* Code in which each of these assigns a variable of its own; appended to `cells`. */
static const struct core *with_cells(struct finite *f, const struct core *c, term_list *vars,
                                     term_list *cells) {
  struct arena *arena = kernel_arena(f->k);
  term_id value = stored(f, c);
  if (value != TERM_NONE) {
    term_id cell = kernel_fresh(f->k, term_var_get(f->ts, c->var)->name, term_sort(f->ts, value));
    vec_push(vars, c->var);
    vec_push(cells, cell);
    return core_assign(arena, c->span, cell, value);
  }
  if (c->kind != CORE_SEQ && c->kind != CORE_IF) return c;
  const struct core *first = with_cells(f, c->first, vars, cells);
  const struct core *second = with_cells(f, c->second, vars, cells);
  return c->kind == CORE_SEQ ? core_seq(arena, first, second)
                             : core_if(arena, c->span, c->expr, first, second);
}

/* Is the variable read outside of the loop? */
static bool is_read(struct finite *f, const struct core *c, term_id var) {
  if (c == f->loop) return false;
  if (c->kind == CORE_SEQ) return is_read(f, c->first, var) || is_read(f, c->second, var);
  term_list read = {0};
  core_reads(f->ts, c, &read);
  bool found = terms_have(&read, var);
  vec_clear(&read);
  return found;
}

/* The game of one iteration, in which what it gives out has to be equal. */
static bool open_game(struct finite *f, const struct core *program) {
  term_list vars = {0}, cells = {0};
  const struct core *code = f->loop ? with_cells(f, f->loop->first, &vars, &cells) : program;
  bool ok = coins_init(&f->coins, f->p, &f->points, code);
  for (size_t i = 0; i < vars.len && ok; i++) {
    if (!is_read(f, program, vars.at[i])) continue;
    terms_add(&f->arrays, vars.at[i]);
    vec_push(&f->coins.outputs, cells.at[i]);
  }
  vec_clear(&vars);
  vec_clear(&cells);
  return ok;
}

/* ---- strategy ------------------------------------------------------------------------------- */

static void propose(struct finite *f, struct auto_search *s) {
  term_id cost = f->loop ? find_potential(f) : f->coins.total.log;
  if (!f->p->wants_least && !points_at_most(&f->points, cost, claim_epsilon(f->p->goal))) {
    const char *text = text_of(f->p, cost), *stated = text_of(f->p, claim_epsilon(f->p->goal));
    if (text && stated)
      auto_blame(s, f->coins.coin[0].at->span, text,
                 "the same output in both runs costs %s here; the claim allows %s", text, stated);
    return;
  }
  struct text out;
  text_init(&out, f->p);
  text_line(&out, "{");
  if (f->loop) {
    text_line(&out, "loop {");
    for (size_t i = 0; i < f->arrays.len; i++)
      text_line(&out, "invariant %t = %t;", term_var_in_run(f->ts, f->arrays.at[i], 1),
                term_var_in_run(f->ts, f->arrays.at[i], 2));
    write_potential(f, &out);
  }
  write_coins(f, &out);
  if (f->loop) text_line(&out, "}");
  text_line(&out, "}");
  const char *proof = text_take(&out);
  const char *epsilon = f->p->wants_least ? text_of(f->p, cost) : NULL;
  if (proof && (epsilon || !f->p->wants_least))
    auto_try(s, &(struct auto_candidate){proof, epsilon, 1});
}

void auto_finite(struct auto_problem *p, struct auto_search *s) {
  struct finite f = {.p = p, .k = claim_kernel(p->goal, CLAIM_FORWARD), .ts = p->ts};
  const struct core *program = p->view->fused ? view_program(p) : claim_program(p->goal)->program;
  f.loop = core_has_loop(program) ? only_loop(program) : NULL;
  if (core_has_loop(program) && (!f.loop || f.loop->var == TERM_NONE)) return;
  points_init(&f.points, p);
  if (open_game(&f, program) && coins_solve(&f.coins)) propose(&f, s);
  coins_clear(&f.coins);
  points_clear(&f.points);
  vec_clear(&f.arrays);
  vec_clear(&f.potential);
}
