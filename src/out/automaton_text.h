/* Automata and walks through them for people. */
#ifndef COUPLET_OUT_AUTOMATON_TEXT_H
#define COUPLET_OUT_AUTOMATON_TEXT_H

#include "check/automaton/classify.h"
#include "check/automaton/walk.h"

const char *automaton_kind_name(enum automaton_kind kind);
const char *violation_name(enum violation kind);
/* `q1 -> q2 when insample < x output top assign y` */
void automaton_print_edge(struct buffer *out, const struct automaton *a, uint32_t edge);
/* The edges, one per line; cycles are indented and say what they force. */
void walk_print(struct buffer *out, const struct automaton *a, const struct walk *w);

#endif
