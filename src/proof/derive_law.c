/* `subsample y at w within k;`, `exponential x from l to h;`, `podium x of m, w from l to h;`: a loop
 * that is known as a whole (SUBSAMPLE, EXPONENTIAL, PODIUM); what follows is told that the result is
 * equal in both runs, and has the rest of the budget (CONTRACT). */
#include "kernel/notion.h"
#include "proof/derive.h"
#include "term/build.h"
#include "term/subst.h"

size_t loop_before(const struct core *const *list, size_t last) {
  size_t at = last;
  while (at > 0 && list[at - 1]->kind == CORE_ASSIGN)
    at--;
  return at > 0 && list[at - 1]->kind == CORE_WHILE ? at - 1 : last;
}

size_t draw_before(const struct core *const *list, size_t last) {
  size_t at = last;
  while (at > 0 && list[at - 1]->kind == CORE_ASSIGN)
    at--;
  bool draws = at > 0 && list[at - 1]->kind == CORE_SAMPLE && list[at - 1]->dist == DIST_GUMBEL;
  return draws ? at - 1 : last;
}

/* Where the exponential mechanism begins that ends with list[last]: its first value may be drawn
 * before the loop. */
static size_t exponential_begins(struct prover *p, const struct core *const *list, size_t last) {
  size_t first = draw_before(list, last);
  bool fits =
      first < last && exponential_score(p->k, sequence_of(p, list, first, last)) != TERM_NONE;
  return fits ? first : last;
}

/* Straight code. */
static bool may_precede(const struct core *c) {
  return c->kind == CORE_ASSIGN || c->kind == CORE_SAMPLE ||
         (c->kind == CORE_IF && !core_is_random(c) && !core_has_loop(c));
}

/* As many of the values as possible are in it, and nothing before the first of them: of what it
 * writes little is known afterwards. */
size_t podium_from(struct kernel *k, const struct core *const *list, size_t last,
                   const struct podium *how) {
  const struct core *c = list[last];
  size_t found = podium_price(k, c, how) == TERM_NONE ? last + 1 : last;
  for (size_t from = last, draws = 0; from-- > 0 && may_precede(list[from]) && draws < 2;) {
    c = core_seq(kernel_arena(k), list[from], c);
    if (list[from]->kind != CORE_SAMPLE) continue;
    draws++;
    if (podium_price(k, c, how) != TERM_NONE) found = from;
  }
  return found;
}

static struct podium podium_of(struct prover *p, const struct core *loop,
                               const struct script_law *law) {
  struct podium how = {.winner = written_as(p->ts, loop, law->name.text), .runner_up = TERM_NONE};
  if (law->runner_up.text) how.runner_up = written_as(p->ts, loop, law->runner_up.text);
  how.first = prover_program_term(p, law->values[0], SORT_REAL);
  how.second = p->error ? TERM_NONE : prover_program_term(p, law->values[1], SORT_REAL);
  how.low = p->error ? TERM_NONE : prover_formula(p, law->args[0], SORT_REAL);
  how.high = p->error ? TERM_NONE : prover_formula(p, law->args[1], SORT_REAL);
  return how;
}

/* Where the code of the law begins; list[last] if it is not of its kind. */
static size_t law_from(struct prover *p, const struct core *const *list, size_t last,
                       const struct script_law *law) {
  if (law->kind == SCRIPT_SUBSAMPLE) return loop_before(list, last);
  if (law->kind == SCRIPT_EXPONENTIAL || law->kind == SCRIPT_CONTEST)
    return exponential_begins(p, list, last);
  struct podium how = podium_of(p, list[last], law);
  size_t from = podium_from(p->k, list, last, &how);
  return from > last ? last : from;
}

const struct script_law *law_ending(struct prover *p, const struct walk *at,
                                    const struct core *const *list, size_t last, size_t *first) {
  for (size_t i = 0; at->scope && i < at->scope->law_count; i++) {
    const struct script_law *law = &at->scope->laws[i];
    bool sampled = law->kind == SCRIPT_SUBSAMPLE;
    if (list[last]->kind != (sampled ? CORE_SAMPLE : CORE_WHILE)) continue;
    if (written_as(p->ts, list[last], law->name.text) == TERM_NONE) continue;
    *first = law_from(p, list, last, law);
    if (!sampled || list[*first]->kind == CORE_WHILE) return law;
  }
  return NULL;
}

static struct span end_of(const struct core *c) {
  while (c->kind == CORE_SEQ)
    c = c->second;
  return c->span;
}

/* At orders above 2 the logarithm of a polynomial in the rate: it is not negative, but that takes
 * products of many factors. */
term_id law_spent(struct kernel *k, term_id price) {
  struct terms *ts = kernel_terms(k);
  struct notion_of notion = kernel_notion(k);
  term_list vars = {0};
  if (price != TERM_NONE) term_free_vars(ts, price, &vars);
  bool open = vars.len && notion.kind == NOTION_RENYI && term_is_num(ts, notion.order) &&
              notion.order != term_int(ts, 2) && notion.order != term_rat(ts, 2, 1);
  vec_clear(&vars);
  return open ? term_max(ts, term_rat(ts, 0, 1), price) : price;
}

static proof_of apply_podium(struct prover *p, const struct core *c, const struct core *loop,
                             const struct script_law *law, term_id *spent) {
  struct podium how = podium_of(p, loop, law);
  if (p->error) return NULL;
  proof_of j = step_podium(p, end_of(c), c, &how);
  if (j) *spent = podium_price(p->k, c, &how);
  return j;
}

static proof_of apply_law(struct prover *p, const struct core *c, const struct script_law *law,
                          term_id *spent) {
  bool range = law->kind == SCRIPT_EXPONENTIAL;
  term_id a = prover_formula(p, law->args[0], range ? SORT_REAL : SORT_INT);
  term_id b = p->error ? TERM_NONE : prover_formula(p, law->args[1], SORT_REAL);
  if (p->error) return NULL;
  struct exponential exponential = {a, b};
  struct subsample sampled = {a, b};
  proof_of j = range ? step_exponential(p, end_of(c), c, &exponential)
                     : step_subsample(p, end_of(c), c, &sampled);
  if (j)
    *spent = range ? exponential_price(p->k, c, &exponential)
                   : law_spent(p->k, subsample_price(p->k, c, &sampled));
  return j;
}

proof_of derive_law(struct prover *p, struct walk *at, const struct core *c,
                    const struct script_law *law, term_id post) {
  static const char *const notes[] = {
      [SCRIPT_SUBSAMPLE] = "sampled records: afterwards %s is equal in both runs",
      [SCRIPT_EXPONENTIAL] = "the exponential mechanism: afterwards %s is equal in both runs",
      [SCRIPT_PODIUM] =
          "the two largest values: afterwards %s and their gap are equal in both runs"};
  if (law->kind == SCRIPT_CONTEST) {
    prover_fail(p, law->span, "`within .. failure` is for claims of accuracy: say `from l to h`");
    return NULL;
  }
  const struct core *loop = c;
  while (loop->kind == CORE_SEQ)
    loop = loop->second;
  term_id spent = TERM_NONE;
  proof_of j = law->kind == SCRIPT_PODIUM ? apply_podium(p, c, loop, law, &spent)
                                          : apply_law(p, c, law, &spent);
  walk_pass(p, at, c);
  if (!j || p->error) return NULL;
  j = step_contract(p, end_of(c), spent, post, j);
  prover_note(p, j, notes[law->kind], law->name.text);
  if (j) note_of(&p->notes, p->arena, j)->cost = spent;
  return j;
}

bound_of derive_contest(struct prover *p, struct walk *at, const struct core *c,
                        const struct script_law *law, term_id post) {
  if (law->kind != SCRIPT_CONTEST) {
    prover_fail(
        p, law->span,
        "this step is for claims of privacy: in one of accuracy say `exponential x within t "
        "failure b`");
    return NULL;
  }
  term_id t = prover_formula(p, law->args[0], SORT_REAL);
  term_id beta = p->error ? TERM_NONE : prover_formula(p, law->args[1], SORT_REAL);
  walk_pass(p, at, c);
  return p->error ? NULL : step_bound_contest(p, end_of(c), c, t, beta, post);
}
