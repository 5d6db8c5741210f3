# FLINT and Arb, in either arrangement: FLINT 2 with Arb as a library of its own (Debian 12), or
# FLINT 3, which contains it (Debian 13, Ubuntu 24.04, Homebrew). Sets FLINT_LIBRARIES and, for
# src/num/arb_compat.h, COUPLET_ARB_IN_FLINT. Another place: -DCMAKE_PREFIX_PATH=DIR.
find_path(FLINT_INCLUDE_DIR flint/flint.h)
find_library(FLINT_LIB flint)
find_library(MPFR_LIB mpfr)
find_library(GMP_LIB gmp)
if(NOT FLINT_INCLUDE_DIR OR NOT FLINT_LIB OR NOT MPFR_LIB OR NOT GMP_LIB)
  message(FATAL_ERROR "FLINT, MPFR or GMP was not found: scripts/setup.sh installs them, and "
                      "scripts/setup.sh --list names the packages.")
endif()

# Headers and library must fit together: what is tried is compiled and linked.
include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_INCLUDES ${FLINT_INCLUDE_DIR})
set(CMAKE_REQUIRED_LIBRARIES ${FLINT_LIB} ${MPFR_LIB} ${GMP_LIB} m)
set(use_arb "int main(void) { arb_t x; arb_init(x); arb_exp(x, x, 64); arb_clear(x); return 0; }")
check_c_source_compiles("#include <flint/arb.h>\n${use_arb}" COUPLET_ARB_IN_FLINT)
if(COUPLET_ARB_IN_FLINT)
  set(ARB_LIB)
else()
  find_library(ARB_LIB NAMES flint-arb arb)
  find_path(ARB_INCLUDE_DIR arb.h HINTS ${FLINT_INCLUDE_DIR})
  if(NOT ARB_LIB OR NOT ARB_INCLUDE_DIR)
    message(FATAL_ERROR "This FLINT does not contain Arb (that begins with FLINT 3), and Arb itself was not found "
                        "(Debian 12: libflint-arb-dev).")
  endif()
endif()
set(FLINT_LIBRARIES ${ARB_LIB} ${FLINT_LIB} ${MPFR_LIB} ${GMP_LIB})
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)

foreach(folder ${FLINT_INCLUDE_DIR} ${ARB_INCLUDE_DIR})
  if(NOT folder IN_LIST CMAKE_C_IMPLICIT_INCLUDE_DIRECTORIES)
    include_directories(BEFORE SYSTEM ${folder})
  endif()
endforeach()
if(COUPLET_ARB_IN_FLINT)
  add_compile_definitions(COUPLET_ARB_IN_FLINT)
  message(STATUS "Arb: in FLINT (${FLINT_LIB})")
else()
  message(STATUS "Arb: ${ARB_LIB}")
endif()
