#include "proof/note.h"

struct note *note_of(struct ptrmap *notes, struct arena *arena, const struct judgement *j) {
  if (!j) return NULL;
  struct note *note = ptrmap_get(notes, j);
  if (!note) {
    note = arena_alloc(arena, sizeof *note);
    *note = (struct note){.cost = TERM_NONE, .left = TERM_NONE, .condition = TERM_NONE};
    ptrmap_put(notes, j, note);
  }
  return note;
}

void note_add_case(struct note *note, struct arena *arena, struct note_case one) {
  struct note_case *list = arena_alloc(arena, (note->case_count + 1) * sizeof *list);
  for (size_t i = 0; i < note->case_count; i++)
    list[i] = note->cases[i];
  list[note->case_count++] = one;
  note->cases = list;
}
