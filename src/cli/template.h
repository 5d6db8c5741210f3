/* Text that is compiled in (cmake/embed.cmake): the file that `couplet new` writes. */
#ifndef COUPLET_CLI_TEMPLATE_H
#define COUPLET_CLI_TEMPLATE_H

extern const char new_template[];

#endif
