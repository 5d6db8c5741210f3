#include "report/render/pictures.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "out/file_write.h"
#include "report/render/curve.h"

static char *picture_path(const struct file_record *file, const struct claim_record *c,
                          const char *folder, const char *suffix) {
  const char *slash = strrchr(file->path, '/'), *name = slash ? slash + 1 : file->path;
  const char *dot = strrchr(name, '.');
  char *path = xasprintf("%s/%.*s-%s%s.svg", folder, dot ? (int)(dot - name) : (int)strlen(name),
                         name, c->name, suffix);
  for (char *p = path + strlen(folder) + 1; *p; p++)
    if (*p == '/' || *p == '#') *p = '-';
  return path;
}

/* Iterations and certified loss of the counterexamples, or an empty buffer when there are too few.
 */
static void loss_curve(struct buffer *svg, const struct claim_record *c) {
  VEC(struct curve_point) points = {0};
  size_t i;
  json_t *ce;
  json_array_foreach(json_object_get(c->detail, "counterexamples"), i, ce) {
    const char *loss = json_string_value(json_object_get(json_object_get(ce, "loss"), "low_text"));
    double x = json_number_value(json_object_get(ce, "iterations"));
    if (loss && (!points.len || x > vec_last(&points).x))
      vec_push(&points, (struct curve_point){x, strtod(loss, NULL)});
  }
  if (points.len >= 2)
    curve_svg(svg, points.at, points.len, c->name, "rounds of the cycle",
              "certified loss, in units of eps");
  vec_clear(&points);
}

static bool write_one(const char *folder, const struct file_record *file,
                      const struct claim_record *c, const char *suffix, const char *svg,
                      char **why) {
  char *path = picture_path(file, c, folder, suffix);
  bool ok = file_write(path, svg, strlen(svg), why);
  free(path);
  return ok;
}

bool pictures_write(const struct file_record *file, const char *folder, char **why) {
  if (!file_make_folder(folder, why)) return false;
  bool ok = true;
  for (size_t i = 0; ok && i < file->claims.len; i++) {
    const struct claim_record *c = &file->claims.at[i];
    const char *picture = json_string_value(json_object_get(c->detail, "picture"));
    if (picture) ok = write_one(folder, file, c, "", picture, why);
    struct buffer curve;
    buffer_init(&curve);
    loss_curve(&curve, c);
    if (ok && curve.len) ok = write_one(folder, file, c, "-loss", buffer_text(&curve), why);
    buffer_clear(&curve);
  }
  return ok;
}
