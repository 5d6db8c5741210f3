#include "report/versions.h"

#include <arb.h>
#include <flint/flint.h>
#include <gmp.h>
#include <graphviz/gvc.h>
#include <mpfr.h>
#include <z3.h>

#include "couplet.h"

json_t *versions_json(void) {
  unsigned major, minor, build, revision;
  Z3_get_version(&major, &minor, &build, &revision);
  GVC_t *gvc = gvContext();
  json_t *json =
      json_pack("{s:s, s:o, s:s, s:s, s:s, s:s, s:s, s:s}", "couplet", cp_version(), "z3",
                json_sprintf("%u.%u.%u", major, minor, build), "flint", flint_version, "arb",
                arb_version, "gmp", gmp_version, "mpfr", mpfr_get_version(), "jansson",
                jansson_version_str(), "graphviz", gvc ? gvcVersion(gvc) : "not available");
  if (gvc) gvFreeContext(gvc);
  return json;
}
