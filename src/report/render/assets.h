/* Texts that are compiled in (cmake/embed.cmake): the files of src/report/html, docs/checks.md. */
#ifndef COUPLET_REPORT_RENDER_ASSETS_H
#define COUPLET_REPORT_RENDER_ASSETS_H

extern const char html_page[], html_style[], html_cards[], html_script[];
extern const char checks_page[];

#endif
