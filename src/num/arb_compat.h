/* Arb, wherever it is. Up to FLINT 2 it is a library of its own (Debian 12: libflint-arb-dev, headers
 * like <arb.h>); FLINT 3 contains it (<flint/arb.h>). CMake looks which one is there and defines
 * COUPLET_ARB_IN_FLINT. Nobody else includes these headers. */
#ifndef COUPLET_NUM_ARB_COMPAT_H
#define COUPLET_NUM_ARB_COMPAT_H

#ifdef COUPLET_ARB_IN_FLINT
#include <flint/acb.h>
#include <flint/acb_calc.h>
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#include <flint/arb_poly.h>
#else
#include <acb.h>
#include <acb_calc.h>
#include <arb.h>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#endif

/* The version that runs, not that of the headers. */
#ifdef COUPLET_ARB_IN_FLINT
#define ARB_RUNNING_VERSION flint_version
#else
#define ARB_RUNNING_VERSION arb_version
#endif

#endif
