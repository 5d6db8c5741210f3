/* The command line of couplet-check and couplet-recount: PROGRAM [OPTION]... CERT SOURCE. */
#ifndef COUPLET_CHECK_CERTIFICATE_COMMAND_H
#define COUPLET_CHECK_CERTIFICATE_COMMAND_H

#include "check/certificate/checker.h"

struct cert_command {
  const char *name, *what; /* the lines of --help below the usage */
  const struct cert_judges *judges;
};

/* Returns the exit status. */
int cert_command_run(const struct cert_command *command, int argc, char **argv);

#endif
