/* Who may talk to the server.
 *
 * A page of another site can make the browser of a user send requests to any address, under any
 * name that resolves to it (DNS rebinding). So a request counts only when it was sent to an address
 * of ours by its number or as localhost, by a page of ours or by no page, and with the token that
 * was printed when the server started. */
#ifndef COUPLET_SERVE_GUARD_H
#define COUPLET_SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum { GUARD_TOKEN = 32 }; /* hexadecimal digits: 128 bits */

struct guard {
  char token[GUARD_TOKEN + 1];
  unsigned port;
  bool is_open; /* bound to more than loopback: other numeric addresses are ours, too */
};

/* Digits from the system's source of randomness; false: it has none. */
bool guard_random(char *hex, size_t digits);

/* Fields of a request; NULL: it has none. */
bool guard_host(const struct guard *guard, const char *host);
bool guard_origin(const char *origin, const char *host);
bool guard_site(const char *site); /* Sec-Fetch-Site */
/* Takes the same time whatever is given. */
bool guard_token(const struct guard *guard, const char *given);
/* Is it an address that only this machine can reach? */
bool guard_is_loopback(const char *address);

#endif
