/* guard.c - may a request be served?
 *
 *     Host            this machine, or a name given with --host       else a page of a rebound name
 *     Sec-Fetch-Site  same-origin, or typed by a person               else a page from elsewhere
 *     Origin          the page's own; a POST must have one            else a page from elsewhere
 *     token           in the cookie; at first in the address          else somebody who guesses
 *
 * A browser sets the first three, and no page can change them. */
#include "studio/studio_private.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

void guard_new_token(char token[TOKEN_SIZE])
{
    unsigned char bits[(TOKEN_SIZE - 1) / 2];
    if (getentropy(bits, sizeof bits)) BUG("no random numbers");
    for (size_t i = 0; i < sizeof bits; i++) snprintf(token + 2 * i, 3, "%02x", bits[i]);
}

int guard_is_token(const char *text)
{
    return strspn(text, "0123456789abcdef") == TOKEN_SIZE - 1 && !text[TOKEN_SIZE - 1];
}

/* Compare in a time that does not depend on where the tokens differ. */
static int is_token(const struct guard *g, const char *said)
{
    unsigned char differ = 0;
    if (!said || strlen(said) != TOKEN_SIZE - 1) return 0;
    for (int i = 0; i < TOKEN_SIZE - 1; i++) differ |= (unsigned char)(said[i] ^ g->token[i]);
    return !differ;
}

/* Is host "NAME" or "NAME:PORT" for one of these names? */
static int is_among(const char *host, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        size_t n = strlen(names[i]), digits;
        if (strncasecmp(names[i], host, n)) continue;
        digits = host[n] == ':' ? strspn(host + n + 1, "0123456789") + 1 : 0;
        if (!host[n + digits]) return 1;
    }
    return 0;
}

static int is_host(const struct guard *g, const char *host)
{
    static const char *const own[] = {"127.0.0.1", "localhost", "[::1]"};
    return host && (is_among(host, own, 3) || is_among(host, g->hosts, g->host_count));
}

/* Is this the origin of the page itself? Behind a proxy Host may be another name of this server. */
static int is_origin(const struct guard *g, const struct asked *r)
{
    const char *name = strstr(r->origin, "://");
    if (!name || strncmp(r->origin, "http", 4)) return 0;
    /* the names of this machine are shared by all servers on it: their ports must agree, too */
    return !strcasecmp(name + 3, r->host) || is_among(name + 3, g->hosts, g->host_count);
}

int guard_refuses(const struct guard *g, const struct asked *r, const char **why)
{
    int post = !strcmp(r->method, "POST");
    /* the printed address with its token: a page or a terminal elsewhere may have a link to it */
    int door = !strcmp(r->path, "/") && is_token(g, r->token);
    *why = "this name is not served; lockstep studio --host NAME allows one";
    if (!is_host(g, r->host)) return 421;
    *why = "a page from elsewhere cannot ask here";
    if (!door && r->site && strcmp(r->site, "same-origin") && strcmp(r->site, "none")) return 403;
    if (r->origin ? !is_origin(g, r) : post) return 403;
    *why = "open the address that lockstep studio has printed: it has a token";
    return door || is_token(g, r->cookie) ? 0 : 403;
}

int guard_rate(struct guard *g, double now)
{
    enum { BURST = 400, A_SECOND = 100 };
    if (g->at > 0) g->tokens += (now - g->at) * A_SECOND;
    if (g->at <= 0 || g->tokens > BURST) g->tokens = BURST;
    g->at = now;
    if (g->tokens < 1) return 1;
    g->tokens--;
    return 0;
}
