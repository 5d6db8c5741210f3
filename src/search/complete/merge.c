#include "search/complete/merge.h"

#include <ctype.h>
#include <string.h>

#include "proof/derive.h"

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; list++)
    if (strcmp(word, *list) == 0) return true;
  return false;
}

/* Steps about the claim as a whole; steps of which a scope has any number. */
static const char *const of_claim[] = {"have", "pointwise", "fuse", NULL};
static const char *const repeated[] = {"have", "ghost",  "frame", "noise", "dead",
                                       "swap", "branch", "fuse",  NULL};
/* Ways to account for a loop: one of them. */
static const char *const accounts[] = {"budget", "advanced", "hits", NULL};

static bool has_step(struct auto_problem *p, const struct script_scope *s,
                     const struct script_item *item) {
  for (size_t i = 0; s && i < s->item_count; i++) {
    const struct script_item *own = &s->items[i];
    bool alike = strcmp(own->word, item->word) == 0 ||
                 (is_one_of(own->word, accounts) && is_one_of(item->word, accounts));
    if (alike && (!is_one_of(item->word, repeated) ||
                  plan_same_text(plan_source(p, own->span), plan_source(p, item->span))))
      return true;
  }
  return false;
}

/* ---- the shape ------------------------------------------------------------------------------- */

struct shaper {
  struct auto_problem *p;
  struct buffer out;
};

static void put_item(struct shaper *s, const struct script_item *item) {
  buffer_printf(&s->out, "%s\n", plan_source(s->p, item->span));
}

/* The given steps, cut into cases and directions as the other proof is. */
static void put_shape(struct shaper *s, const struct script_scope *given,
                      const struct script_scope *other, bool is_branch) {
  bool split = other->cases && !given->cases;
  buffer_puts(&s->out, "{\n");
  for (size_t i = 0; i < given->item_count; i++) {
    const struct script_item *item = &given->items[i];
    bool top = is_one_of(item->word, of_claim);
    if (!(is_branch && top) && (top || !split) && strcmp(item->word, "backward") != 0)
      put_item(s, item);
  }
  for (size_t i = 0; split && i < other->item_count; i++)
    if (is_one_of(other->items[i].word, of_claim) && !has_step(s->p, given, &other->items[i]))
      put_item(s, &other->items[i]);
  if (split) {
    buffer_printf(&s->out, "case %s ", plan_source(s->p, other->cases->condition->span));
    put_shape(s, given, other->cases->yes, true);
    buffer_puts(&s->out, " else ");
    put_shape(s, given, other->cases->no, true);
  }
  if (given->backward && !is_branch) {
    buffer_printf(&s->out, "backward %s\n", plan_source(s->p, given->backward->span));
  } else if (other->backward && !is_branch) {
    buffer_puts(&s->out, "backward ");
    put_shape(s, given, other->backward, false);
  }
  buffer_puts(&s->out, "}\n");
}

/* Where the given steps stand in the shape of the other proof: in the source, or in a new text. */
static struct span shaped(struct auto_problem *p, struct span block,
                          const struct script_scope *given, const struct script_scope *other) {
  if ((!other->cases || given->cases) && (!other->backward || given->backward)) return block;
  struct shaper s = {.p = p};
  buffer_init(&s.out);
  put_shape(&s, given, other, false);
  uint32_t file = sources_add(&p->lang->sources, "<proof>", buffer_text(&s.out), s.out.len);
  struct span span = {file, 0, (uint32_t)s.out.len};
  while (span.end && s.out.text[span.end - 1] != '}')
    span.end--;
  buffer_clear(&s.out);
  return span;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The given step that speaks of this sampling: in the scope or one around it. */
static const struct script_sample *speaks_of(const struct plan_scope *scope,
                                             const struct script_sample *sample) {
  for (; scope; scope = scope->outer)
    for (size_t i = 0; scope->script && i < scope->script->sample_count; i++) {
      const struct script_sample *own = &scope->script->samples[i];
      if (names_variable(own->name.text, sample->name.text) &&
          (own->number == 0 || own->number == sample->number))
        return own;
    }
  return NULL;
}

/* `shift e` without `within` takes that of the other proof if it shifts by the same. */
static void fill_within(struct plan *plan, const struct script_sample *own,
                        const struct script_sample *other) {
  struct auto_problem *p = plan->p;
  if (own->kind != COUPLING_SHIFT || other->kind != COUPLING_SHIFT) return;
  for (size_t i = 0; i < own->case_count && i < other->case_count; i++) {
    const struct script_case *a = &own->cases[i], *b = &other->cases[i];
    if (!a->shift || a->bound || !b->shift || !b->bound) continue;
    if (!plan_same_text(plan_source(p, a->shift->span), plan_source(p, b->shift->span))) continue;
    uint32_t end = a->shift->span.end;
    plan_edit(plan, end, end, arena_printf(p->arena, " within %s", plan_source(p, b->bound->span)));
  }
}

static void merge_scope(struct plan *plan, struct plan_scope *scope,
                        const struct script_scope *other) {
  struct auto_problem *p = plan->p;
  static const char *const elsewhere[] = {"loop", "case", "backward", "admit", NULL};
  for (size_t i = 0; i < other->item_count; i++) {
    const struct script_item *item = &other->items[i];
    if (is_one_of(item->word, elsewhere)) continue;
    if (strcmp(item->word, "invariant") == 0) {
      struct plan_step *step =
          plan_add_invariant(plan, scope, plan_source(p, other->invariants[item->index]->span));
      if (step) step->on = true;
    } else if (strcmp(item->word, "sample") == 0) {
      const struct script_sample *sample = &other->samples[item->index];
      const struct script_sample *own = speaks_of(scope, sample);
      if (own)
        fill_within(plan, own, sample);
      else
        plan_add(plan, scope, plan_source(p, item->span));
    } else if (!has_step(p, scope->script, item)) {
      plan_add(plan, scope, plan_source(p, item->span));
    }
  }
  for (size_t i = 0; i < scope->inner.len; i++) {
    struct plan_scope *inner = scope->inner.at[i];
    term_id index = inner->command->var;
    const char *name = index == TERM_NONE ? NULL : term_var_get(p->ts, index)->name;
    const struct script_scope *steps = script_find_loop(other, name, inner->number);
    if (steps) merge_scope(plan, inner, steps);
  }
}

/* Where the other proof treats a loop inside of a part, given steps about that loop would be lost.
 */
static bool respects_loops(struct auto_problem *p, const struct plan_scope *scope,
                           const struct script_scope *other) {
  for (size_t i = 0; i < scope->inner.len; i++) {
    const struct plan_scope *inner = scope->inner.at[i];
    term_id index = inner->command->var;
    const char *name = index == TERM_NONE ? NULL : term_var_get(p->ts, index)->name;
    const struct script_scope *steps = script_find_loop(other, name, inner->number);
    if (!steps && inner->script && other->part_count) return false;
    if (steps && !respects_loops(p, inner, steps)) return false;
  }
  return true;
}

static struct plan_scope *root_of(struct plan *plan, const struct script_scope *script) {
  for (size_t i = 0; i < plan->roots.len; i++)
    if (plan->roots.at[i]->script == script) return plan->roots.at[i];
  return NULL;
}

/* False: the other proof does without some of the given steps. */
static bool merge_proofs(struct plan *plan, const struct script_scope *given,
                         const struct script_scope *other) {
  bool ok = true;
  if (given->cases) {
    ok = merge_proofs(plan, given->cases->yes, other->cases ? other->cases->yes : other) &&
         merge_proofs(plan, given->cases->no, other->cases ? other->cases->no : other);
  } else {
    struct plan_scope *root = root_of(plan, given);
    ok = !root || respects_loops(plan->p, root, other);
    if (root && ok) merge_scope(plan, root, other);
  }
  if (given->backward)
    ok = ok && merge_proofs(plan, given->backward, other->backward ? other->backward : other);
  return ok;
}

/* The text with another word in the place of a name. */
static const char *renamed(struct auto_problem *p, const char *text, const char *from,
                           const char *to) {
  struct buffer out;
  buffer_init(&out);
  while (*text) {
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '\'')
      length++;
    if (length == strlen(from) && strncmp(text, from, length) == 0)
      buffer_puts(&out, to);
    else
      buffer_add(&out, text, length ? length : 1);
    text += length ? length : 1;
  }
  const char *result = arena_strndup(p->arena, buffer_text(&out), out.len);
  buffer_clear(&out);
  return result;
}

static struct script_scope *parse_text(struct auto_problem *p, const char *text) {
  size_t length = strlen(text);
  uint32_t file = sources_add(&p->lang->sources, "<proof>", text, length);
  return script_parse(p->lang, (struct span){file, 0, (uint32_t)length});
}

bool plan_merge(struct plan *plan, struct auto_problem *p, struct span given, const char *other) {
  struct diag_mark mark = diags_mark(&p->lang->diags);
  struct script_scope *theirs = parse_text(p, other), *ours = script_parse(p->lang, given);
  if (theirs && ours && theirs->pointwise.text && ours->pointwise.text &&
      theirs->pointwise_value.text != ours->pointwise_value.text)
    theirs =
        parse_text(p, renamed(p, other, theirs->pointwise_value.text, ours->pointwise_value.text));
  diags_rollback(&p->lang->diags, mark);
  if (!theirs || !ours || !plan_init(plan, p, shaped(p, given, ours, theirs))) return false;
  bool ok = merge_proofs(plan, plan->script, theirs);
  if (!ok) plan_clear(plan);
  return ok;
}
