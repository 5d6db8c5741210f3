/* Exit status of every command. Fixed: other tools depend on it (see docs/architecture.md). */
#ifndef COUPLET_BASE_EXIT_CODES_H
#define COUPLET_BASE_EXIT_CODES_H

enum couplet_exit {
  COUPLET_EXIT_PROVED = 0,   /* every claim proved; for other commands: success */
  COUPLET_EXIT_USAGE = 1,    /* the command line is wrong */
  COUPLET_EXIT_INPUT = 2,    /* a file cannot be read or is not well formed */
  COUPLET_EXIT_INTERNAL = 3, /* our fault, or the machine's: bug, out of memory, full disk */
  COUPLET_EXIT_REFUTED = 10, /* some claim refuted */
  COUPLET_EXIT_UNKNOWN = 20, /* none refuted, some undecided (time-outs included) */
  COUPLET_EXIT_ADMITTED = 30 /* everything proved, but some of it only with `admit` */
};

#endif
