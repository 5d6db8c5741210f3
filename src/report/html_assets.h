/* The files of src/report/html, compiled in (cmake/embed.cmake). */
#ifndef COUPLET_REPORT_HTML_ASSETS_H
#define COUPLET_REPORT_HTML_ASSETS_H

extern const char html_page[], html_style[], html_script[];

#endif
