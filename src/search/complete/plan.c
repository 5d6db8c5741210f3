#include "search/complete/plan.h"

#include <ctype.h>
#include <string.h>

#include "search/base/blamed.h"

/* ---- scopes ---------------------------------------------------------------------------------- */

static struct plan_scope *new_scope(struct plan *plan, struct plan_scope *outer,
                                    const struct core *command, struct script_scope *script) {
  struct plan_scope *scope = arena_new(plan->p->arena, struct plan_scope);
  *scope = (struct plan_scope){.outer = outer, .command = command, .script = script};
  return scope;
}

/* The loops of c (not those inside of them), numbered as proof text does. */
static void add_loops(struct plan *plan, struct plan_scope *scope, const struct core *c) {
  switch (c->kind) {
  case CORE_SEQ:
  case CORE_IF:
    add_loops(plan, scope, c->first);
    add_loops(plan, scope, c->second);
    break;
  case CORE_WHILE: {
    unsigned number = (unsigned)scope->inner.len + 1;
    const char *index = c->var == TERM_NONE ? NULL : term_var_get(plan->p->ts, c->var)->name;
    struct script_scope *script = script_find_loop(scope->script, index, number);
    struct plan_scope *inner = new_scope(plan, scope, c, script);
    inner->number = number;
    vec_push(&scope->inner, inner);
    /* another form of the loop has other loops inside */
    if (!script || !script->form) add_loops(plan, inner, c->first);
    break;
  }
  default: break;
  }
}

/* One for each proof of the program in the block. */
static void add_roots(struct plan *plan, struct script_scope *script) {
  if (!script) return;
  if (script->cases) {
    add_roots(plan, script->cases->yes);
    add_roots(plan, script->cases->no);
  } else if (!script->admit) {
    const struct core *program = claim_program(plan->p->goal)->program;
    struct plan_scope *root = new_scope(plan, NULL, program, script);
    vec_push(&plan->roots, root);
    add_loops(plan, root, program);
  }
  add_roots(plan, script->backward);
}

bool plan_init(struct plan *plan, struct auto_problem *p, struct span block) {
  struct diag_mark mark = diags_mark(&p->lang->diags);
  *plan = (struct plan){.p = p, .block = block};
  plan->source = sources_get(&p->lang->sources, block.file)->text;
  plan->script = script_parse(p->lang, block);
  diags_rollback(&p->lang->diags, mark);
  add_roots(plan, plan->script);
  return plan->script != NULL;
}

static void scope_clear(struct plan_scope *scope) {
  for (size_t i = 0; i < scope->inner.len; i++)
    scope_clear(scope->inner.at[i]);
  vec_clear(&scope->inner);
  vec_clear(&scope->steps);
}

void plan_clear(struct plan *plan) {
  for (size_t i = 0; i < plan->roots.len; i++)
    scope_clear(plan->roots.at[i]);
  vec_clear(&plan->roots);
  vec_clear(&plan->edits);
}

/* ---- additions ------------------------------------------------------------------------------- */

const char *plan_source(struct auto_problem *p, struct span span) {
  const char *text = sources_get(&p->lang->sources, span.file)->text;
  return arena_strndup(p->arena, text + span.begin, span.end - span.begin);
}

bool plan_same_text(const char *a, const char *b) {
  for (;; a++, b++) {
    while (isspace((unsigned char)*a))
      a++;
    while (isspace((unsigned char)*b))
      b++;
    if (*a != *b) return false;
    if (!*a) return true;
  }
}

struct plan_step *plan_add(struct plan *plan, struct plan_scope *scope, const char *text) {
  struct plan_step *step = arena_new(plan->p->arena, struct plan_step);
  *step = (struct plan_step){.text = text, .on = true};
  vec_push(&scope->steps, step);
  return step;
}

struct plan_step *plan_add_invariant(struct plan *plan, struct plan_scope *scope,
                                     const char *formula) {
  for (size_t i = 0; i < scope->steps.len; i++)
    if (scope->steps.at[i]->formula && plan_same_text(scope->steps.at[i]->formula, formula))
      return NULL;
  for (size_t i = 0; scope->script && i < scope->script->invariant_count; i++)
    if (plan_same_text(plan_source(plan->p, scope->script->invariants[i]->span), formula))
      return NULL;
  struct plan_step *step =
      plan_add(plan, scope, arena_printf(plan->p->arena, "invariant %s;", formula));
  step->formula = formula;
  step->on = false;
  return step;
}

void plan_edit(struct plan *plan, uint32_t from, uint32_t to, const char *text) {
  vec_push(&plan->edits, (struct plan_edit){from, to, text, NULL});
}

static size_t count_on(const struct plan_scope *scope) {
  size_t count = 0;
  for (size_t i = 0; i < scope->steps.len; i++)
    count += scope->steps.at[i]->on;
  for (size_t i = 0; i < scope->inner.len; i++)
    count += count_on(scope->inner.at[i]);
  return count;
}

static void put_added(struct buffer *out, const struct plan_scope *scope) {
  for (size_t i = 0; i < scope->steps.len; i++)
    if (scope->steps.at[i]->on) buffer_printf(out, "%s\n", scope->steps.at[i]->text);
  for (size_t i = 0; i < scope->inner.len; i++)
    put_added(out, scope->inner.at[i]);
}

const char *plan_added(const struct plan *plan) {
  struct buffer out;
  buffer_init(&out);
  for (size_t i = 0; i < plan->edits.len; i++)
    buffer_printf(&out, "%s\n", plan->edits.at[i].text);
  for (size_t i = 0; i < plan->roots.len; i++)
    put_added(&out, plan->roots.at[i]);
  const char *text = arena_strndup(plan->p->arena, buffer_text(&out), out.len);
  buffer_clear(&out);
  return text;
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef VEC(struct plan_edit) edit_list;

static void insert(edit_list *edits, uint32_t at, const char *text, struct plan_step *step) {
  vec_push(edits, (struct plan_edit){at, at, text, step});
}

/* Invariants go to the front of their scope, other steps and new loops to its end. A scope that is
 * not in the base goes to `end` of one that is. */
static void collect(const struct plan *plan, const struct plan_scope *scope, uint32_t end,
                    edit_list *edits) {
  const struct script_scope *script = scope->script;
  if (!script && !count_on(scope)) return;
  uint32_t front = script ? script->span.begin + 1 : end;
  if (script)
    end = script->span.end - 1;
  else
    insert(edits, end, arena_printf(plan->p->arena, "loop %u {\n", scope->number), NULL);
  for (int invariants = 1; invariants >= 0; invariants--)
    for (size_t i = 0; i < scope->steps.len; i++) {
      struct plan_step *step = scope->steps.at[i];
      if (step->on && (step->formula != NULL) == invariants)
        insert(edits, invariants ? front : end,
               arena_printf(plan->p->arena, script ? "\n%s\n" : "%s\n", step->text),
               step->formula ? step : NULL);
    }
  for (size_t i = 0; i < scope->inner.len; i++)
    collect(plan, scope->inner.at[i], end, edits);
  if (!script) insert(edits, end, "}\n", NULL);
}

/* The edits in the order of their places; those of one place stay in the order they were made. */
static void sort_edits(edit_list *edits) {
  for (size_t i = 1; i < edits->len; i++) {
    struct plan_edit e = edits->at[i];
    size_t at = i;
    for (; at > 0 && edits->at[at - 1].from > e.from; at--)
      edits->at[at] = edits->at[at - 1];
    edits->at[at] = e;
  }
}

const char *plan_text(struct plan *plan) {
  edit_list edits = {0};
  for (size_t i = 0; i < plan->edits.len; i++)
    vec_push(&edits, plan->edits.at[i]);
  for (size_t i = 0; i < plan->roots.len; i++)
    collect(plan, plan->roots.at[i], 0, &edits);
  sort_edits(&edits);
  struct buffer out;
  buffer_init(&out);
  uint32_t at = plan->block.begin;
  size_t added = 0;
  for (size_t i = 0; i < edits.len; i++) {
    const struct plan_edit *e = &edits.at[i];
    if (e->from < at) continue; /* inside of something that was replaced */
    buffer_add(&out, plan->source + at, e->from - at);
    if (e->step) e->step->number = blamed_before(plan->script, e->from) + added++;
    buffer_puts(&out, e->text);
    at = e->to;
  }
  buffer_add(&out, plan->source + at, plan->block.end - at);
  const char *text = arena_strndup(plan->p->arena, buffer_text(&out), out.len);
  buffer_clear(&out);
  vec_clear(&edits);
  return text;
}

static struct plan_step *find_in(struct plan_scope *scope, size_t number) {
  for (size_t i = 0; i < scope->steps.len; i++) {
    struct plan_step *step = scope->steps.at[i];
    if (step->on && step->formula && step->number == number) return step;
  }
  struct plan_step *found = NULL;
  for (size_t i = 0; i < scope->inner.len && !found; i++)
    found = find_in(scope->inner.at[i], number);
  return found;
}

struct plan_step *plan_find(struct plan *plan, size_t number) {
  struct plan_step *found = NULL;
  for (size_t i = 0; i < plan->roots.len && !found; i++)
    found = find_in(plan->roots.at[i], number);
  return found;
}
