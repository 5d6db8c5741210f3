#include "auto/sync_path.h"

const struct todo *todo_command(struct sync *s, const struct core *c, const struct todo *next) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){.kind = TODO_COMMAND, .command = c, .span = c->span, .next = next};
  return t;
}

const struct todo *todo_question(struct sync *s, term_id question, struct span span,
                                 const struct todo *yes, const struct todo *no) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){
      .kind = TODO_QUESTION, .question = question, .span = span, .yes = yes, .no = no};
  return t;
}

const struct todo *todo_again(struct sync *s, term_id question, struct span span,
                              const bool *live) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){.kind = TODO_AGAIN, .question = question, .span = span, .live = live};
  return t;
}

const struct todo *todo_exit(struct sync *s) {
  struct todo *t = arena_new(s->arena, struct todo);
  *t = (struct todo){.kind = TODO_EXIT};
  return t;
}
