#include "automata/convert/from_program.h"

#include <string.h>

#include "automata/convert/core_fate.h"
#include "base/arena.h"
#include "out/print.h"
#include "term/build.h"
#include "term/linear.h"
#include "term/subst.h"

enum {
  MOST_LITERALS = 16,
  MOST_FORKS = 200 /* on one way: walk and branch call each other */
};

/* What is left to do. */
struct todo {
  const struct core *command;
  const struct todo *next;
};

/* A sampling that is (or will be) a state. */
struct stop {
  const struct core *sample;
  const struct todo *rest;
  const term_id *values; /* of the program variables, in the order of vars; TERM_NONE: none */
};

struct recogniser {
  struct automaton *a;
  struct claim *claim;
  struct kernel *k;
  struct terms *ts;
  struct arena arena;
  term_list vars;         /* program variables that can be written */
  term_list indices;      /* those that index private arrays */
  term_list stored;       /* symbols of stored samples, by number of the automaton's variable */
  term_id sample, second; /* noise drawn at the state at hand, and by insample' */
  term_id eps;
  VEC(struct stop) stops; /* by state */
  VEC(char *) keys;       /* of the stops */
  uint32_t end;           /* the final state */
  size_t steps;
  const char *why;
};

/* One way from a state to the next. */
struct way {
  uint32_t state;
  const struct todo *todo;
  term_id *values;
  literal literals[MOST_LITERALS];
  size_t literal_count;
  const char *said;         /* symbols emitted on it, or NULL */
  uint32_t emits;           /* EMIT_INSAMPLE, EMIT_PRIME, or 0 */
  term_id read;             /* the private entry that the sample belongs to, or TERM_NONE */
  const struct core *prime; /* sampling that became insample', or NULL */
  size_t forks;             /* comparisons asked on it, also those whose answer was known */
};

static bool refuse(struct recogniser *r, const char *why) {
  if (!r->why) r->why = why;
  return false;
}

static const struct todo *push(struct recogniser *r, const struct core *c,
                               const struct todo *next) {
  if (c->kind == CORE_SKIP) return next;
  if (c->kind == CORE_SEQ) return push(r, c->first, push(r, c->second, next));
  struct todo *t = arena_new(&r->arena, struct todo);
  *t = (struct todo){c, next};
  return t;
}

static size_t index_of(const term_list *list, term_id t) {
  for (size_t i = 0; i < list->len; i++)
    if (list->at[i] == t) return i;
  return list->len;
}

static term_id valued(struct recogniser *r, const term_id *values, term_id t) {
  term_list from = {0}, to = {0};
  for (size_t i = 0; i < r->vars.len; i++)
    if (values[i] != TERM_NONE) {
      vec_push(&from, r->vars.at[i]);
      vec_push(&to, values[i]);
    }
  term_id result = term_subst(r->ts, t, from.at, to.at, from.len);
  vec_clear(&from);
  vec_clear(&to);
  return result;
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* noise + private entry + something public, or minus all that: what a comparison is made of. */
struct shape {
  int sample;     /* coefficient of the noise at hand */
  int second;     /* of insample' */
  size_t stored;  /* number of the stored sample that is subtracted; r->stored.len: none */
  term_id read;   /* private entry that is added; TERM_NONE: none */
  bool is_simple; /* nothing else in it but public terms */
};

static int unit(const fmpq *q) {
  return fmpq_is_one(q)                                                     ? 1
         : fmpz_equal_si(fmpq_numref(q), -1) && fmpz_is_one(fmpq_denref(q)) ? -1
                                                                            : 0;
}

static bool is_private_read(struct recogniser *r, term_id atom) {
  if (term_kind(r->ts, atom) != TERM_SELECT) return false;
  term_id array = term_arg(r->ts, atom, 0);
  return kernel_is_var(r->k, array) && index_of(&r->vars, array) == r->vars.len;
}

static bool mentions_noise(struct recogniser *r, term_id t) {
  term_id own[] = {r->sample, r->second};
  return term_mentions(r->ts, t, own, 2) || term_mentions(r->ts, t, r->stored.at, r->stored.len);
}

static bool mentions_private(struct recogniser *r, term_id t) {
  bool found = false;
  for (size_t i = 0; i < kernel_var_count(r->k) && !found; i++) {
    term_id v = kernel_var_at(r->k, i);
    found = index_of(&r->vars, v) == r->vars.len && term_mentions(r->ts, t, &v, 1);
  }
  return found;
}

static struct shape shape_of(struct recogniser *r, term_id t) {
  struct shape s = {.stored = r->stored.len, .read = TERM_NONE, .is_simple = true};
  struct linear l;
  linear_read(&l, r->ts, t);
  linear_normalise(&l);
  int sign = 1;
  for (size_t i = 0; i < l.items.len; i++)
    if (l.items.at[i].atom == r->sample && unit(&l.items.at[i].coefficient) < 0) sign = -1;
  for (size_t i = 0; i < l.items.len; i++) {
    term_id atom = l.items.at[i].atom;
    int c = sign * unit(&l.items.at[i].coefficient);
    size_t stored = index_of(&r->stored, atom);
    if (atom == r->sample)
      s.sample = sign * c;
    else if (atom == r->second)
      s.second = c;
    else if (stored < r->stored.len && c == -1 && s.stored == r->stored.len)
      s.stored = stored;
    else if (is_private_read(r, atom) && c == 1 && s.read == TERM_NONE)
      s.read = atom;
    else if (mentions_noise(r, atom) || mentions_private(r, atom))
      s.is_simple = false;
    if ((atom == r->sample || atom == r->second) && !c) s.is_simple = false;
  }
  s.is_simple = s.is_simple && !l.failed;
  linear_clear(&l);
  return s;
}

/* All uses of the sample of a state are about one private entry. */
static bool note_read(struct recogniser *r, struct way *w, term_id read) {
  if (read == TERM_NONE)
    return w->read == TERM_NONE || refuse(r, "a sample is used with and without a private entry");
  if (w->read != TERM_NONE && w->read != read)
    return refuse(r, "a sample is used with two private entries");
  w->read = read;
  return true;
}

/* The d of a scale c/eps. */
static bool rate_of(struct recogniser *r, term_id scale, uint32_t *d) {
  term_id vars[] = {r->eps}, one[] = {term_rat(r->ts, 1, 1)}, two[] = {term_rat(r->ts, 2, 1)},
          three[] = {term_rat(r->ts, 3, 1)};
  term_id at1 = term_subst(r->ts, scale, vars, one, 1),
          at2 = term_subst(r->ts, scale, vars, two, 1),
          at3 = term_subst(r->ts, scale, vars, three, 1);
  bool ok = term_is_num(r->ts, at1) && term_is_num(r->ts, at2) && term_is_num(r->ts, at3);
  fmpq_t c, x;
  fmpq_init(c);
  fmpq_init(x);
  if (ok) {
    fmpq_set(c, term_num_value(r->ts, at1));
    fmpq_mul_si(x, term_num_value(r->ts, at2), 2);
    ok = fmpq_sgn(c) > 0 && fmpq_equal(x, c);
    fmpq_mul_si(x, term_num_value(r->ts, at3), 3);
    ok = ok && fmpq_equal(x, c);
  }
  if (ok) {
    fmpq_inv(c, c);
    *d = automaton_rational(r->a, c);
  }
  fmpq_clear(c);
  fmpq_clear(x);
  return ok || refuse(r, "a scale is not a number divided by eps");
}

/* ---- stops  --------------------------------------------------------------------------------- */

static bool is_live(struct recogniser *r, const struct todo *todo, term_id var) {
  for (; todo; todo = todo->next) {
    enum fate f = core_fate(r->ts, todo->command, var);
    if (f != FATE_UNTOUCHED) return f == FATE_READ;
  }
  return false;
}

/* The symbol of a sample that is kept in this variable, and its number in the automaton. */
static uint32_t stored_in(struct recogniser *r, term_id var) {
  const char *name = term_var_get(r->ts, var)->name;
  term_id symbol = term_var(r->ts, arena_printf(&r->arena, "stored in %s", name), SORT_REAL, 0, 0);
  size_t i = index_of(&r->stored, symbol);
  if (i == r->stored.len) {
    vec_push(&r->stored, symbol);
    automaton_var(r->a, name, strlen(name));
  }
  return (uint32_t)i;
}

/* The values as they are before the next sampling: dead ones dropped, the index moved back, the
 * sample at hand renamed to that of the variable that keeps it, which goes to *assigned. */
static bool settle(struct recogniser *r, const struct way *w, const struct todo *next,
                   term_id *values, uint32_t *assigned) {
  *assigned = AUTOMATON_NONE;
  for (size_t i = 0; i < r->vars.len; i++) {
    term_id var = r->vars.at[i];
    values[i] = w->values[i];
    if (values[i] == TERM_NONE) continue;
    if (!is_live(r, next, var)) {
      values[i] = TERM_NONE;
      continue;
    }
    if (index_of(&r->indices, var) < r->indices.len) {
      term_id gone = term_sub(r->ts, values[i], var);
      bool moved = term_is_num(r->ts, gone) && fmpq_sgn(term_num_value(r->ts, gone)) > 0;
      if (values[i] != var && !moved && w->read != TERM_NONE)
        return refuse(r, "the index does not go up by a number");
      if (w->read != TERM_NONE && !moved && term_mentions(r->ts, w->read, &var, 1))
        return refuse(r, "a private entry is used twice");
      values[i] = var;
      continue;
    }
    if (!term_mentions(r->ts, values[i], &r->sample, 1)) continue;
    struct shape s = shape_of(r, values[i]);
    if (!s.is_simple || s.sample != 1 || s.second || s.stored < r->stored.len ||
        (s.read != w->read && w->read != TERM_NONE))
      return refuse(r, "something computed from a sample is kept");
    if (*assigned != AUTOMATON_NONE) return refuse(r, "two variables keep one sample");
    *assigned = stored_in(r, var);
    /* noise + entry + public becomes symbol + public */
    term_id whole = s.read == TERM_NONE ? r->sample : term_add(r->ts, r->sample, s.read);
    values[i] = term_add(r->ts, term_sub(r->ts, values[i], whole), r->stored.at[*assigned]);
  }
  for (size_t i = 0; i < r->vars.len; i++) /* the old sample of that name must be gone */
    for (size_t j = 0; *assigned != AUTOMATON_NONE && j < i; j++)
      if (values[i] != TERM_NONE && values[j] != TERM_NONE &&
          term_mentions(r->ts, values[i], &r->stored.at[*assigned], 1) &&
          term_mentions(r->ts, values[j], &r->stored.at[*assigned], 1))
        return refuse(r, "two variables keep samples of one name");
  return true;
}

static char *key_of(struct recogniser *r, const struct stop *p) {
  struct buffer b;
  buffer_init(&b);
  buffer_printf(&b, "%p", (const void *)p->sample);
  for (const struct todo *t = p->rest; t; t = t->next)
    buffer_printf(&b, ",%p", (const void *)t->command);
  for (size_t i = 0; i < r->vars.len; i++)
    buffer_printf(&b, ";%u", p->values[i]);
  return buffer_take(&b);
}

/* The state of a sampling with these values, made on first use. */
static uint32_t state_at(struct recogniser *r, struct stop p) {
  char *key = key_of(r, &p);
  for (size_t i = 0; i < r->keys.len; i++)
    if (r->keys.at[i] && strcmp(r->keys.at[i], key) == 0) {
      free(key);
      return (uint32_t)i;
    }
  const char *name =
      arena_printf(&r->arena, "%s%zu", term_var_get(r->ts, p.sample->var)->name, r->stops.len);
  uint32_t state = automaton_state(r->a, name, strlen(name), p.sample->span);
  vec_push(&r->stops, p);
  vec_push(&r->keys, key);
  return state;
}

/* ---- ways ----------------------------------------------------------------------------------- */

static bool walk(struct recogniser *r, struct way w);

static struct way forked(struct recogniser *r, const struct way *w) {
  struct way copy = *w;
  copy.values = arena_memdup(&r->arena, w->values, r->vars.len * sizeof *w->values);
  return copy;
}

static bool add_edge(struct recogniser *r, struct way *w, uint32_t to, uint32_t assigned) {
  struct automaton_edge edge = {.from = w->state, .to = to};
  edge.guard = automaton_guard(r->a, w->literals, w->literal_count);
  edge.assign = assigned == AUTOMATON_NONE ? 0 : automaton_set(r->a, &assigned, 1);
  const char *symbol = w->said ? w->said : to == r->end ? "end" : "next";
  if (w->emits && w->said) return refuse(r, "a sample and something else are emitted at one state");
  edge.emit = w->emits ? w->emits : automaton_symbol(r->a, symbol, strlen(symbol));
  automaton_edge(r->a, edge, r->stops.at[w->state].sample->span);
  /* is it an input state? */
  struct automaton_state *s = &r->a->states.at[w->state];
  if (w->read != TERM_NONE) s->is_input = true;
  return true;
}

static bool emit(struct recogniser *r, struct way *w, term_id item) {
  if (mentions_noise(r, item) || mentions_private(r, item)) {
    struct shape s = shape_of(r, item);
    if (!s.is_simple || s.stored < r->stored.len || w->emits || s.sample + s.second != 1)
      return refuse(r, "what is emitted is not a sample");
    w->emits = s.sample ? EMIT_INSAMPLE : EMIT_PRIME;
    return note_read(r, w, s.read);
  }
  char *text = term_text(r->ts, item);
  w->said = arena_printf(&r->arena, "%s%s%s", w->said ? w->said : "", w->said ? "," : "", text);
  free(text);
  return true;
}

/* A second sample with the centre of the first. */
static bool is_prime(struct recogniser *r, const struct way *w, term_id centre) {
  return w->read != TERM_NONE && !w->prime && shape_of(r, centre).read == w->read;
}

static bool draw_prime(struct recogniser *r, struct way *w, const struct core *c, term_id centre) {
  struct shape s = shape_of(r, centre);
  uint32_t d;
  if (!s.is_simple || !rate_of(r, valued(r, w->values, c->args[1]), &d)) return false;
  struct automaton_state *state = &r->a->states.at[w->state];
  if (state->d2 != AUTOMATON_NONE && state->d2 != d)
    return refuse(r, "second samples of one state have different scales");
  state->d2 = d;
  state->mean2 = 0;
  w->prime = c;
  w->values[index_of(&r->vars, c->var)] = term_add(r->ts, centre, r->second);
  return true;
}

static bool arrive(struct recogniser *r, struct way *w, const struct core *c) {
  struct stop p = {.sample = c, .rest = w->todo};
  term_id *values = arena_alloc(&r->arena, (r->vars.len + 1) * sizeof *values);
  uint32_t assigned;
  if (!settle(r, w, push(r, c, w->todo), values, &assigned)) return false;
  p.values = values;
  return add_edge(r, w, state_at(r, p), assigned);
}

/* Nothing more is drawn or said, whatever happens. */
static bool ends_quietly(const struct todo *todo) {
  for (; todo; todo = todo->next)
    if (core_is_random(todo->command)) return false;
  return true;
}

/* A comparison in the condition that noise decides, or TERM_NONE. */
static term_id noisy_atom(struct recogniser *r, term_id t) {
  switch (term_kind(r->ts, t)) {
  case TERM_LE:
  case TERM_LT: return mentions_noise(r, t) ? t : TERM_NONE;
  case TERM_NOT:
  case TERM_AND:
  case TERM_OR:
  case TERM_IMPLIES:
  case TERM_ITE:
  case TERM_EQ:
    for (size_t i = 0; i < term_arg_count(r->ts, t); i++) {
      term_id found = noisy_atom(r, term_arg(r->ts, t, i));
      if (found != TERM_NONE) return found;
    }
    break;
  default: break;
  }
  return TERM_NONE;
}

static bool branch(struct recogniser *r, struct way w, term_id cond, const struct todo *yes,
                   const struct todo *no);

/* left <= right or left < right: goes both ways. */
static bool compare(struct recogniser *r, const struct way *w, term_id atom, term_id cond,
                    const struct todo *yes, const struct todo *no) {
  term_id gap = term_sub(r->ts, term_arg(r->ts, atom, 1), term_arg(r->ts, atom, 0));
  struct shape s = shape_of(r, gap);
  if (!s.is_simple || !s.sample || s.second || s.stored == r->stored.len)
    return refuse(r, "a comparison is not one of a sample with a stored one");
  if (w->literal_count == MOST_LITERALS || w->forks == MOST_FORKS)
    return refuse(r, "too many comparisons on one way");
  for (int truth = 0; truth < 2; truth++) {
    struct way next = forked(r, w);
    next.forks++;
    if (!note_read(r, &next, s.read)) return false;
    bool greater = (s.sample > 0) == (truth == 1);
    literal l = greater ? literal_greater((uint32_t)s.stored) : literal_less((uint32_t)s.stored);
    bool known = false, contradicts = false;
    for (size_t i = 0; i < w->literal_count; i++) {
      known = known || w->literals[i] == l;
      contradicts = contradicts || w->literals[i] == (l ^ 1u);
    }
    if (contradicts) continue;
    if (!known) next.literals[next.literal_count++] = l;
    term_id value = term_bool(r->ts, truth);
    if (!branch(r, next, term_replace(r->ts, cond, &atom, &value, 1), yes, no)) return false;
  }
  return true;
}

/* The only way a condition without noise allows, or false. */
static bool decided(struct recogniser *r, term_id cond, const struct todo *yes,
                    const struct todo *no, const struct todo **way) {
  bool known = term_kind(r->ts, cond) == TERM_TRUE || term_kind(r->ts, cond) == TERM_FALSE;
  *way = term_kind(r->ts, cond) == TERM_FALSE ? no : yes;
  if (known) return true;
  if (mentions_private(r, cond) || !term_mentions(r->ts, cond, r->indices.at, r->indices.len))
    return refuse(r, "a condition is neither a comparison of samples nor has it a value");
  /* the end of the inputs is public: a run that goes on shows more */
  return ends_quietly(no) || refuse(r, "the index decides more than whether to go on");
}

static bool branch(struct recogniser *r, struct way w, term_id cond, const struct todo *yes,
                   const struct todo *no) {
  term_id atom = noisy_atom(r, cond);
  if (atom != TERM_NONE) return compare(r, &w, atom, cond, yes, no);
  return decided(r, cond, yes, no, &w.todo) && walk(r, w);
}

/* An index begins somewhere and goes on from there; where does not matter. */
static bool assign(struct recogniser *r, term_id *values, const struct core *c) {
  term_id *value = &values[index_of(&r->vars, c->var)], to = valued(r, values, c->expr);
  bool begins = index_of(&r->indices, c->var) < r->indices.len && term_is_num(r->ts, to);
  if (begins && *value != TERM_NONE) return refuse(r, "an index begins again");
  *value = begins ? c->var : to;
  return true;
}

/* x := v with a comparison in v that noise decides: the same as asking for it first. NULL: there is
 * none. */
static const struct core *split(struct recogniser *r, const struct way *w, const struct core *c) {
  term_id output = claim_program(r->claim)->output;
  bool emits = c->var == output && term_kind(r->ts, c->expr) == TERM_CONS;
  if (c->var == output && !emits) return NULL;
  term_id value = valued(r, w->values, emits ? term_arg(r->ts, c->expr, 0) : c->expr);
  term_id atom = noisy_atom(r, value);
  if (atom == TERM_NONE) return NULL;
  const struct core *both[2];
  for (int truth = 0; truth < 2; truth++) {
    term_id known = term_bool(r->ts, truth), then = term_replace(r->ts, value, &atom, &known, 1);
    both[truth] =
        core_assign(&r->arena, c->span, c->var, emits ? term_cons(r->ts, then, output) : then);
  }
  return core_if(&r->arena, c->span, atom, both[1], both[0]);
}

/* Follows the program to the next sampling or to the end. */
static bool walk(struct recogniser *r, struct way w) {
  while (w.todo) {
    if (r->steps++ > FROM_PROGRAM_STEPS || r->stops.len > FROM_PROGRAM_STATES)
      return refuse(r, "there are too many states");
    const struct core *c = w.todo->command;
    const struct todo *next = w.todo->next;
    w.todo = next;
    switch (c->kind) {
    case CORE_SKIP: break;
    case CORE_SEQ: w.todo = push(r, c, next); break;
    case CORE_ASSIGN: {
      const struct core *asked = split(r, &w, c);
      if (asked) {
        w.todo = push(r, asked, next);
        break;
      }
      if (c->var == claim_program(r->claim)->output) {
        if (term_kind(r->ts, c->expr) == TERM_CONS &&
            !emit(r, &w, valued(r, w.values, term_arg(r->ts, c->expr, 0))))
          return false;
        break;
      }
      if (c->var == claim_program(r->claim)->result) break; /* tells no more than the way */
      if (!assign(r, w.values, c)) return false;
      break;
    }
    case CORE_IF:
    case CORE_WHILE: {
      struct todo *again = arena_new(&r->arena, struct todo);
      *again = (struct todo){c, next};
      bool loops = c->kind == CORE_WHILE;
      const struct todo *yes = push(r, c->first, loops ? again : next);
      const struct todo *no = loops ? next : push(r, c->second, next);
      term_id cond = valued(r, w.values, c->expr);
      if (noisy_atom(r, cond) != TERM_NONE) return branch(r, w, cond, yes, no);
      if (!decided(r, cond, yes, no, &w.todo)) return false;
      break;
    }
    case CORE_SAMPLE: {
      term_id centre = valued(r, w.values, c->args[0]);
      if (c->dist != DIST_LAPLACE) return refuse(r, "there is noise that is not Laplace");
      if (w.state == AUTOMATON_NONE || !is_prime(r, &w, centre)) return arrive(r, &w, c);
      if (!draw_prime(r, &w, c, centre)) return false;
      break;
    }
    case CORE_ADVERSARY: return refuse(r, "there is an adversary");
    }
  }
  return add_edge(r, &w, r->end, AUTOMATON_NONE);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void find_indices(struct recogniser *r, term_id t) {
  term_list all = {0};
  term_subterms(r->ts, t, &all);
  for (size_t i = 0; i < all.len; i++) {
    if (!is_private_read(r, all.at[i])) continue;
    term_list vars = {0};
    term_free_vars(r->ts, term_arg(r->ts, all.at[i], 1), &vars);
    for (size_t k = 0; k < vars.len; k++)
      if (index_of(&r->vars, vars.at[k]) < r->vars.len &&
          index_of(&r->indices, vars.at[k]) == r->indices.len)
        vec_push(&r->indices, vars.at[k]);
    vec_clear(&vars);
  }
  vec_clear(&all);
}

static void look_for_indices(struct recogniser *r, const struct core *c) {
  if (c->expr != TERM_NONE) find_indices(r, c->expr);
  for (size_t i = 0; i < c->arg_count && c->kind == CORE_SAMPLE; i++)
    find_indices(r, c->args[i]);
  if (c->first) look_for_indices(r, c->first);
  if (c->second) look_for_indices(r, c->second);
}

/* Gives the state its noise and follows every way out of it. */
static bool leave(struct recogniser *r, uint32_t state) {
  struct stop p = r->stops.at[state];
  term_id centre = valued(r, p.values, p.sample->args[0]);
  struct shape s = shape_of(r, centre);
  uint32_t d;
  if (!s.is_simple || s.sample || s.second || s.stored < r->stored.len)
    return refuse(r, "the centre of a sample is not a private entry or public");
  if (!rate_of(r, valued(r, p.values, p.sample->args[1]), &d)) return false;
  automaton_noise(r->a, state, s.read != TERM_NONE, d, 0, AUTOMATON_NONE, AUTOMATON_NONE);
  struct way w = {.state = state, .todo = p.rest, .read = s.read};
  w.values = arena_memdup(&r->arena, p.values, r->vars.len * sizeof *p.values);
  w.values[index_of(&r->vars, p.sample->var)] = term_add(r->ts, centre, r->sample);
  return walk(r, w);
}

/* Up to the first sampling, which is the start. */
static bool begin(struct recogniser *r, const struct core *program) {
  const struct todo *todo = push(r, program, NULL);
  term_id *values = arena_alloc(&r->arena, (r->vars.len + 1) * sizeof *values);
  for (; todo && todo->command->kind == CORE_ASSIGN; todo = todo->next)
    if (!assign(r, values, todo->command)) return false;
  if (!todo || todo->command->kind != CORE_SAMPLE || todo->command->dist != DIST_LAPLACE)
    return refuse(r, "the program does not begin with a sample");
  for (size_t i = 0; i < r->vars.len; i++)
    if (!is_live(r, todo, r->vars.at[i])) values[i] = TERM_NONE;
  r->a->start = state_at(r, (struct stop){todo->command, todo->next, values});
  for (uint32_t state = 0; state < r->stops.len; state++)
    if (r->stops.at[state].sample && !leave(r, state)) return false;
  return true;
}

bool automaton_from_program(struct automaton *a, struct claim *claim, const char **why) {
  struct kernel *k = claim_kernel(claim, CLAIM_FORWARD);
  struct recogniser r = {.a = a, .claim = claim, .k = k, .ts = kernel_terms(k)};
  const struct core *program = claim_program(claim)->program;
  arena_init(&r.arena);
  r.sample = term_var(r.ts, "insample", SORT_REAL, 0, 0);
  r.second = term_var(r.ts, "insample'", SORT_REAL, 0, 0);
  r.sample = term_fresh(r.ts, r.sample);
  r.second = term_fresh(r.ts, r.second);
  const struct translate_binding *eps =
      translate_find(claim_env(claim), intern_str(&claim_env(claim)->lang->intern, "eps"));
  r.eps = eps ? eps->term : term_var(r.ts, "eps", SORT_REAL, 0, 0);
  term_list written = {0};
  core_writes(program, &written);
  for (size_t i = 0; i < written.len; i++)
    if (index_of(&r.vars, written.at[i]) == r.vars.len) vec_push(&r.vars, written.at[i]);
  vec_clear(&written);
  look_for_indices(&r, program);
  a->name = intern_str(&a->names, "program");
  r.end = automaton_state(a, "end", 3, span_none());
  vec_push(&r.stops, (struct stop){0});
  vec_push(&r.keys, NULL);
  bool ok = begin(&r, program);
  automaton_finish(a);
  *why = r.why;
  for (size_t i = 0; i < r.keys.len; i++)
    free(r.keys.at[i]);
  vec_clear(&r.keys);
  vec_clear(&r.stops);
  vec_clear(&r.vars);
  vec_clear(&r.indices);
  vec_clear(&r.stored);
  arena_clear(&r.arena);
  return ok;
}
