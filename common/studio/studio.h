/* studio.h - a page in the browser where a learner types and sees: the server behind it.
 *
 *     browser ── GET page, file ──> server.c ── guard.c: may this request be served?
 *             ── POST save ───────> folder.c: a learner's file, never over a newer one
 *             ── POST run ────────> jobs.c: `lockstep lab ...` in a child
 *             <── GET events ────── events.c: what the children print, and files that changed
 *
 * One thread; it waits for connections, children and changed files at once. It judges, counts and
 * draws nothing: the program lockstep beside it does. */
#ifndef LOCKSTEP_STUDIO_H
#define LOCKSTEP_STUDIO_H

#include "base/base.h"

enum { STUDIO_PORT = 7070, STUDIO_HOSTS = 8 };
struct studio_options {
    const char *student; /* the learner's folder, which must exist */
    const char *device;  /* where kernels run: a device's name; NULL: the default */
    const char *listen;  /* an IPv4 address of this machine; NULL: 127.0.0.1 */
    int port;            /* 0: STUDIO_PORT, or a free one after it */
    /* further names under which a browser may reach the server, as behind a forwarded port */
    const char *hosts[STUDIO_HOSTS];
    int host_count;
    int quiet; /* 1: open no browser */
};
/* Serve until SIGINT, SIGTERM or SIGHUP. Prints the address. -1 with ERR_ENV or ERR_USAGE. */
int studio_run(const struct studio_options *o, struct err *e);

#endif
