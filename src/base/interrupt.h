/* Ctrl-C as a flag that budgets look at (budget.h).
 *
 * After interrupt_catch, SIGINT and SIGTERM no longer end the process or, by inheritance, processes
 * forked from it: they count. Whoever works finds the budget spent and reports what there is;
 * whoever waits for children passes the signal on and gives them a moment. A second Ctrl-C means:
 * at once. */
#ifndef COUPLET_BASE_INTERRUPT_H
#define COUPLET_BASE_INTERRUPT_H

#include <signal.h>

void interrupt_catch(void);
/* How often it happened, for budgets and loops; stays 0 without interrupt_catch. */
const volatile sig_atomic_t *interrupt_flag(void);

#endif
