/* The card of a claim: a head with name, verdict and a sentence, and a body with all that supports
 * the verdict. Claims about one automaton share a card, since they share all but a line. */
#ifndef COUPLET_REPORT_RENDER_HTML_CARD_H
#define COUPLET_REPORT_RENDER_HTML_CARD_H

#include "base/buffer.h"
#include "report/record/record.h"
#include "report/render/bound.h"

/* Claims at[0 .. count) of a file on one card. Element c<id> belongs to the first one, c<id + 1> to
 * the next. */
struct html_card {
  const struct file_record *file;
  const struct claim_record *at;
  size_t count, id;
};

/* The card that begins with claim `first` of the file. */
struct html_card html_card_at(const struct file_record *file, size_t first, size_t id);
void html_card_head(struct buffer *out, const struct html_card *card);
void html_card_body(struct buffer *out, const struct html_card *card);

/* A verdict, or another word of the class "error". */
void html_badge(struct buffer *out, const char *class, const char *word);
/* "eps-private", "5/4*eps": the words of the text rendering. */
void html_words(struct buffer *out, claim_writer *write, const struct claim_record *claim);

#endif
