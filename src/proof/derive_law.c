/* `subsample y at w within k;` and `exponential x from l to h;`: a loop whose result has a law that
 * is known as a whole (SUBSAMPLE, EXPONENTIAL); what follows is told that the result is equal in both
 * runs, and has the rest of the budget (CONTRACT). */
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

const struct script_law *law_ending(struct prover *p, const struct walk *at,
                                    const struct core *const *list, size_t last, size_t *first) {
  for (size_t i = 0; at->scope && i < at->scope->law_count; i++) {
    const struct script_law *law = &at->scope->laws[i];
    if (list[last]->kind != (law->is_exponential ? CORE_WHILE : CORE_SAMPLE)) continue;
    if (written_as(p->ts, list[last], law->name.text) == TERM_NONE) continue;
    *first = law->is_exponential ? exponential_begins(p, list, last) : loop_before(list, last);
    if (law->is_exponential || list[*first]->kind == CORE_WHILE) return law;
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

proof_of derive_law(struct prover *p, struct walk *at, const struct core *c,
                    const struct script_law *law, term_id post) {
  struct span span = end_of(c);
  sort_id first = law->is_exponential ? SORT_REAL : SORT_INT;
  term_id a = prover_formula(p, law->args[0], first);
  term_id b = p->error ? TERM_NONE : prover_formula(p, law->args[1], SORT_REAL);
  walk_pass(p, at, c);
  if (p->error) return NULL;
  struct exponential range = {a, b};
  struct subsample sampled = {a, b};
  proof_of j = law->is_exponential ? step_exponential(p, span, c, &range)
                                   : step_subsample(p, span, c, &sampled);
  if (!j) return NULL;
  term_id spent = law->is_exponential ? exponential_price(p->k, c, &range)
                                      : law_spent(p->k, subsample_price(p->k, c, &sampled));
  j = step_contract(p, span, spent, post, j);
  prover_note(p, j,
              law->is_exponential ? "the exponential mechanism: afterwards %s is equal in both runs"
                                  : "sampled records: afterwards %s is equal in both runs",
              law->name.text);
  if (j) note_of(&p->notes, p->arena, j)->cost = spent;
  return j;
}
