#include "serve/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

bool guard_random(char *hex, size_t digits) {
  for (size_t i = 0; i < digits; i += 2) {
    unsigned char byte;
    if (getrandom(&byte, 1, 0) != 1) return false;
    snprintf(hex + i, 3, "%02x", byte);
  }
  return true;
}

static bool is_number(const char *address) {
  unsigned char any[sizeof(struct in6_addr)];
  return inet_pton(AF_INET, address, any) == 1 || inet_pton(AF_INET6, address, any) == 1;
}

bool guard_is_loopback(const char *address) {
  struct in_addr four;
  struct in6_addr six;
  if (inet_pton(AF_INET, address, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
  return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

/* `name:port`, `[number]:port`; without a port it is 80. False: neither. */
static bool split_host(const char *host, char *name, size_t size, unsigned *port) {
  const char *end = *host == '[' ? strchr(host, ']') : host + strcspn(host, ":");
  if (!end) return false;
  const char *begin = *host == '[' ? host + 1 : host, *rest = *host == '[' ? end + 1 : end;
  size_t length = (size_t)(end - begin);
  if (!length || length >= size) return false;
  memcpy(name, begin, length);
  name[length] = '\0';
  *port = 80;
  if (!*rest) return true;
  size_t digits = strspn(rest + 1, "0123456789");
  if (*rest != ':' || !digits || digits > 5 || rest[1 + digits]) return false;
  *port = (unsigned)strtoul(rest + 1, NULL, 10);
  return true;
}

bool guard_host(const struct guard *guard, const char *host) {
  char name[64];
  unsigned port;
  if (!host || !split_host(host, name, sizeof name, &port) || port != guard->port) return false;
  if (strcasecmp(name, "localhost") == 0) return true;
  return guard->is_open ? is_number(name) : guard_is_loopback(name);
}

bool guard_origin(const char *origin, const char *host) {
  if (!origin) return true; /* no page sent it, or it only asks for a page */
  return host && strncasecmp(origin, "http://", 7) == 0 && strcasecmp(origin + 7, host) == 0;
}

bool guard_site(const char *site) {
  return !site || strcmp(site, "same-origin") == 0 || strcmp(site, "none") == 0;
}

bool guard_token(const struct guard *guard, const char *given) {
  size_t length = given ? strlen(given) : 0;
  unsigned char different = length != GUARD_TOKEN;
  for (size_t i = 0; i < GUARD_TOKEN; i++)
    different |= (unsigned char)(guard->token[i] ^ (i < length ? given[i] : '\0'));
  return !different;
}
