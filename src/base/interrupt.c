#include "base/interrupt.h"

#include <stddef.h>

/* A signal handler can reach nothing else. */
static volatile sig_atomic_t count;

static void count_signal(int number) {
  (void)number;
  if (count < 100) count = count + 1;
}

void interrupt_catch(void) {
  /* no SA_RESTART: who waits is to notice */
  struct sigaction action = {.sa_handler = count_signal};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
}

const volatile sig_atomic_t *interrupt_flag(void) {
  return &count;
}
