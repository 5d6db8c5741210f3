/* Variable elimination for one connected order problem: the method of order_integral.h, which is
 * what everybody else calls. */
#ifndef COUPLET_NUM_REAL_ORDER_ENGINE_H
#define COUPLET_NUM_REAL_ORDER_ENGINE_H

#include "num/real/order_integral.h"

/* At most ORDER_SAMPLES_MAX samples. */
enum order_status order_engine_run(arb_t out, const struct order_problem *problem,
                                   const struct budget *budget, slong precision);

#endif
