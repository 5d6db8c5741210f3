#include "lang/format/words.h"

#include <string.h>

#include "lang/syntax/lex.h"

/* editors/update.py keeps the words of proofs in step with the parser of proofs. */
static const char *const clause_words[] = {"accurate", "adjacent", "all",     "at",       "delta",
                                           "emits",    "epsilon",  "failure", "gaussian", "most",
                                           "private",  "public",   "renyi",   "requires", "returns",
                                           "samples",  "under",    "uses",    "zcdp"};
static const char *const automaton_words[] = {
    "assign", "d",        "final",  "independent", "input",  "insample", "insample'", "mean",
    "noise",  "noninput", "output", "prime",       "shared", "start",    "state",     "when"};
static const char *const proof_words[] = {
    "above",    "admit",    "advanced",  "aim",      "alone",       "apart",     "at",
    "back",     "backward", "below",     "block",    "both",        "branch",    "budget",
    "by",       "case",     "cost",      "counted",  "dead",        "delta",     "deltas",
    "draws",    "each",     "epsilon",   "eta",      "exponential", "failure",   "flatten",
    "flip",     "frame",    "from",      "fuse",     "gaussian",    "ghost",     "gives",
    "have",     "hits",     "inside",    "interval", "invariant",   "joined",    "keep",
    "law",      "loop",     "majorized", "map",      "meet",        "most",      "move",
    "noise",    "null",     "of",        "omega",    "only",        "otherwise", "outcomes",
    "part",     "podium",   "pointwise", "pure",     "rank",        "renyi",     "restarts",
    "run",      "same",     "sample",    "save",     "scale",       "shift",     "sigma",
    "slide",    "split",    "subsample", "subset",   "swap",        "termwise",  "to",
    "together", "total",    "unroll",    "until",    "upto",        "variant",   "when",
    "where",    "within",   "zcdp"};
static const char *const proof_names[] = {"differs", "output", "result", "returned"};
static const char *const type_words[] = {"bool", "float",  "float32", "int",
                                         "list", "option", "real"};

enum { RESERVED = TOKEN_LAST_WORD - TOKEN_FIRST_WORD + 1 };

#define TABLE(words, word_class)                                                                   \
  { words, sizeof words / sizeof *words, word_class }
static const struct {
  const char *const *words;
  size_t count;
  enum word_class word_class;
} tables[] = {
    TABLE(clause_words, WORD_CLAUSE), TABLE(automaton_words, WORD_AUTOMATON),
    TABLE(proof_words, WORD_PROOF),   TABLE(proof_names, WORD_PROOF_NAME),
    TABLE(type_words, WORD_TYPE),
};

const char *words_at(size_t index, enum word_class *word_class) {
  *word_class = WORD_RESERVED;
  if (index < RESERVED) return token_kind_text((enum token_kind)(TOKEN_FIRST_WORD + index));
  index -= RESERVED;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    *word_class = tables[i].word_class;
    if (index < tables[i].count) return tables[i].words[index];
    index -= tables[i].count;
  }
  return NULL;
}

bool word_is(const char *name, enum word_class word_class) {
  enum word_class found;
  const char *word;
  for (size_t i = 0; (word = words_at(i, &found)); i++)
    if (found == word_class && strcmp(word, name) == 0) return true;
  return false;
}

static bool is_in(struct span span, uint32_t at) {
  return span.file && span.begin <= at && at < span.end;
}

bool word_class_applies(enum word_class word_class, const struct ast_decl *around, uint32_t at) {
  if (word_class == WORD_RESERVED || word_class == WORD_TYPE) return true;
  if (!around) return false;
  switch (word_class) {
  case WORD_PROOF:
  case WORD_PROOF_NAME:
    return is_in(around->kind == DECL_CLAIM ? around->as.claim.proof : around->lemma_proof, at);
  case WORD_AUTOMATON: return around->kind == DECL_AUTOMATON || around->kind == DECL_INSTANCE;
  case WORD_CLAUSE:
    if (around->kind == DECL_MECHANISM)
      return !around->as.mechanism.routine || !is_in(around->as.mechanism.routine->body.span, at);
    return around->kind == DECL_ADVERSARY || around->kind == DECL_CLAIM;
  case WORD_RESERVED:
  case WORD_TYPE: break;
  }
  return true;
}

const struct ast_decl *decl_around(const struct ast_unit *unit, uint32_t at, size_t *next) {
  while (*next < unit->count && unit->decls[*next]->span.end <= at)
    ++*next;
  return *next < unit->count && unit->decls[*next]->span.begin <= at ? unit->decls[*next] : NULL;
}

const char *word_class_name(enum word_class word_class) {
  switch (word_class) {
  case WORD_RESERVED: return "reserved";
  case WORD_CLAUSE: return "clause";
  case WORD_AUTOMATON: return "automaton";
  case WORD_PROOF: return "proof";
  case WORD_PROOF_NAME: return "known";
  case WORD_TYPE: return "type";
  }
  return "?";
}
