#include "automata/model/picture.h"

#include <graphviz/cgraph.h>
#include <graphviz/gvc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Graphviz is not made for threads, and its text plugin keeps pointers into the last context: one
 * context serves the whole process and is never given back. (The other thing that is global is the
 * loaded solver, smt/z3_lazy.c.) */
static pthread_mutex_t drawing = PTHREAD_MUTEX_INITIALIZER;
static GVC_t *context; /* under `drawing`; NULL before the first picture */

static GVC_t *begin_drawing(void) {
  pthread_mutex_lock(&drawing);
  if (!context) context = gvContext();
  return context;
}

static void end_drawing(void) {
  pthread_mutex_unlock(&drawing);
}

char *picture_version(void) {
  GVC_t *gvc = begin_drawing();
  char *version = gvc ? xstrdup(gvcVersion(gvc)) : NULL;
  end_drawing();
  return version;
}

static void set(void *object, const char *key, const char *value) {
  agsafeset(object, (char *)key, (char *)value, (char *)"");
}

static void put_rational(struct buffer *b, const struct automaton *a, uint32_t rational) {
  char *text = fmpq_get_str(NULL, 10, automaton_value(a, rational));
  buffer_puts(b, text);
  flint_free(text);
}

/* "q1" and below it the noise: "d 1/2, mean 0". */
static void state_label(struct buffer *b, const struct automaton *a, uint32_t state) {
  const struct automaton_state *s = &a->states.at[state];
  automaton_print_state(b, a, state);
  if (s->is_final) return;
  buffer_puts(b, "\nd ");
  put_rational(b, a, s->d);
  if (s->mean) {
    buffer_puts(b, ", mean ");
    put_rational(b, a, s->mean);
  }
  if (s->d2 != AUTOMATON_NONE) {
    buffer_puts(b, "\nd' ");
    put_rational(b, a, s->d2);
  }
}

/* The guard, a comparison per line: long lines of neighbouring edges would overlap. */
static void guard_label(struct buffer *b, const struct automaton *a, uint32_t guard) {
  size_t begin = b->len;
  automaton_print_guard(b, a, guard);
  for (char *at = b->text + begin; (at = strstr(at, " and ")) != NULL;)
    *at = '\n';
  for (char *at = b->text + begin; (at = strstr(at, " or ")) != NULL;)
    *at = '\n';
}

/* Guard, what is emitted and stored, and the caller's note: a line each. */
static void edge_label(struct buffer *b, const struct automaton *a, uint32_t edge,
                       const struct picture_overlay *overlay) {
  const struct automaton_edge *e = &a->edges.at[edge];
  guard_label(b, a, e->guard);
  buffer_printf(b, "\n/ %s",
                e->emit == EMIT_INSAMPLE ? "insample"
                : e->emit == EMIT_PRIME  ? "insample'"
                                         : a->symbols.at[e->emit]);
  struct members assigned = automaton_members(a, e->assign);
  for (size_t i = 0; i < assigned.count; i++)
    buffer_printf(b, ", %s := insample", a->vars.at[assigned.at[i]]);
  if (overlay->edge_notes && overlay->edge_notes[edge])
    buffer_printf(b, "\n%s", overlay->edge_notes[edge]);
}

static void mark_edge(Agedge_t *edge, enum picture_mark mark) {
  if (mark == MARK_NONE) return;
  set(edge, "color", mark == MARK_PUMP ? "#c0392b" : "#d35400");
  set(edge, "fontcolor", mark == MARK_PUMP ? "#c0392b" : "#d35400");
  set(edge, "penwidth", "2.4");
  if (mark == MARK_PUMP) set(edge, "style", "dashed");
}

static void style_graph(Agraph_t *g, const char *title) {
  set(g, "rankdir", "LR");
  set(g, "bgcolor", "transparent");
  set(g, "fontname", "Helvetica");
  if (title) {
    set(g, "label", title);
    set(g, "labelloc", "t");
  }
}

static Agraph_t *draw(const struct automaton *a, const struct picture_overlay *overlay) {
  Agraph_t *g = agopen((char *)"automaton", Agdirected, NULL);
  style_graph(g, overlay->title);
  Agnode_t **nodes = xcalloc(a->states.len, sizeof *nodes);
  struct buffer b;
  buffer_init(&b);
  for (uint32_t i = 0; i < a->states.len; i++) {
    char name[24];
    snprintf(name, sizeof name, "s%u", i);
    nodes[i] = agnode(g, name, 1);
    b.len = 0;
    state_label(&b, a, i);
    set(nodes[i], "label", buffer_text(&b));
    set(nodes[i], "fontname", "Helvetica");
    set(nodes[i], "fontsize", "11");
    set(nodes[i], "shape", a->states.at[i].is_final ? "doublecircle" : "box");
    set(nodes[i], "style", a->states.at[i].is_input ? "rounded,filled" : "rounded,filled,dashed");
    set(nodes[i], "fillcolor", a->states.at[i].is_input ? "#eaf2fb" : "#f7f7f7");
    if (i == a->start) set(nodes[i], "penwidth", "2.2");
  }
  for (uint32_t i = 0; i < a->edges.len; i++) {
    char name[24];
    snprintf(name, sizeof name, "e%u", i);
    Agedge_t *edge = agedge(g, nodes[a->edges.at[i].from], nodes[a->edges.at[i].to], name, 1);
    b.len = 0;
    edge_label(&b, a, i, overlay);
    set(edge, "label", buffer_text(&b));
    set(edge, "fontname", "Helvetica");
    set(edge, "fontsize", "10");
    if (overlay->marks) mark_edge(edge, overlay->marks[i]);
  }
  buffer_clear(&b);
  free(nodes);
  return g;
}

bool automaton_picture(struct buffer *svg, const struct automaton *a,
                       const struct picture_overlay *overlay, char **why) {
  if (a->states.len > LIMIT_PICTURE_STATES || a->edges.len > LIMIT_PICTURE_EDGES) {
    *why = xasprintf("no picture: %zu states and %zu edges are more than the limit of %d and %d",
                     a->states.len, a->edges.len, LIMIT_PICTURE_STATES, LIMIT_PICTURE_EDGES);
    return false;
  }
  const struct picture_overlay plain = {0};
  GVC_t *gvc = begin_drawing();
  Agraph_t *g = draw(a, overlay ? overlay : &plain);
  char *data = NULL;
  unsigned length = 0;
  bool done = gvLayout(gvc, g, "dot") == 0 && gvRenderData(gvc, g, "svg", &data, &length) == 0;
  if (done)
    buffer_add(svg, data, length);
  else
    *why = xstrdup("Graphviz could not lay out the automaton (is its dot plugin installed?)");
  if (data) gvFreeRenderData(data);
  gvFreeLayout(gvc, g);
  agclose(g);
  end_drawing();
  return done;
}
