#include "proof/variable_name.h"

#include <ctype.h>
#include <string.h>

static bool is_addition(const char *text) {
  return text[0] == '\'' && isalnum((unsigned char)text[1]);
}

size_t variable_base(const char *variable) {
  size_t n = 0;
  while (variable[n] && !is_addition(variable + n))
    n++;
  return n;
}

bool names_variable(const char *name, const char *variable) {
  size_t n = strlen(name);
  return strncmp(name, variable, n) == 0 && (variable[n] == 0 || is_addition(variable + n));
}

bool variable_is_of_adversary(const char *variable) {
  static const char *const additions[] = {"'state", "'asks", "'calls"};
  const char *rest = variable + variable_base(variable);
  for (size_t i = 0; i < sizeof additions / sizeof *additions; i++)
    if (strncmp(rest, additions[i], strlen(additions[i])) == 0) return true;
  return false;
}
