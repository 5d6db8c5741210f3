#include "report/record/versions.h"

#include <flint/flint.h>
#include <gmp.h>
#include <mpfr.h>
#include <stdlib.h>

#include "automata/model/picture.h"
#include "couplet.h"
#include "num/arb_compat.h"
#include "smt/z3_lazy.h"

json_t *versions_json(void) {
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  const char *unavailable = NULL;
  if (z3_is_available(&unavailable)) Z3_get_version(&major, &minor, &build, &revision);
  char *graphviz = picture_version();
  json_t *json =
      json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:s}", "couplet", cp_version(), "z3",
                json_sprintf("%u.%u.%u", major, minor, build), "flint", flint_version, "arb",
                ARB_RUNNING_VERSION, "gmp", gmp_version, "mpfr", mpfr_get_version(), "jansson",
                jansson_version_str(), "graphviz", graphviz ? graphviz : "not available");
  free(graphviz);
  return json;
}
