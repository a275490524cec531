/* server.c - the requests of the page, and the loop that waits for all of them.
 *
 *     GET  /                     the page             GET  /events      server-sent events
 *     GET  /NAME.js, /NAME.css   its parts            GET  /about       device, files in play/
 *     GET  /file?file=           a file               POST /save?file=&base=    its new text
 *     GET  /slides/NN-NAME.html  a deck               POST /run?job=&file=...   a command (jobs.c)
 *
 *     wait: connections, children, changed files ──> each has its turn ──> wait
 *
 * Every address is relative to the page's address, so that it also works through a forwarded port
 * or a proxy. */
#define _GNU_SOURCE
#include "exercise/exercise.h"
#include "studio/studio_private.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum { CONNECTIONS = 256, IDLE_SECONDS = 30, BEAT_SECONDS = 15 };

static struct server {
    const struct studio_options *options;
    struct kit kit;
    struct folder folder;
    struct guard guard;
    struct jobs_options jobs;
    struct MHD_Daemon *daemon;
    int port;
    /* the name of the cookie has the port in it, since browsers send cookies to all ports of a
     * host */
    char cookie[32];
} server;

/* ---- answers ---- */

/* nonce: " 'nonce-...'", which allows style elements that have it; may be "" */
#define POLICY(nonce) \
    "default-src 'none'; script-src 'self'; style-src 'self'" nonce "; img-src 'self' data:; " \
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/* A deck has inline scripts. It gets an origin of its own, from which it cannot send requests
 * here. */
static const char deck_policy[] =
    "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline' "
    "'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src data:";

static enum MHD_Result send_response(
    struct MHD_Connection *c, unsigned status, const char *type, struct MHD_Response *r)
{
    static const char *const headers[][2] = {{"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cross-Origin-Opener-Policy", "same-origin"}, {"Referrer-Policy", "no-referrer"},
        {"X-Frame-Options", "DENY"}, {"Cache-Control", "no-store"}, {"X-Accel-Buffering", "no"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        MHD_add_response_header(r, headers[i][0], headers[i][1]);
    if (!MHD_get_response_header(r, "Content-Security-Policy"))
        MHD_add_response_header(r, "Content-Security-Policy", POLICY(""));
    MHD_add_response_header(r, "Content-Type", type);
    enum MHD_Result done = MHD_queue_response(c, status, r);
    MHD_destroy_response(r);
    return done;
}

/* A response with a text, of which it takes ownership. */
static struct MHD_Response *response_of(char *text, size_t length)
{
    return MHD_create_response_from_buffer(length, text, MHD_RESPMEM_MUST_FREE);
}

static enum MHD_Result send_json(struct MHD_Connection *c, unsigned status, json_t *o)
{
    char *text = json_dumps(o, JSON_COMPACT);
    json_decref(o);
    return send_response(c, status, "application/json", response_of(text, strlen(text)));
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status, const char *why)
{
    char *text = xasprintf("%s\n", why);
    return send_response(c, status, "text/plain; charset=utf-8", response_of(text, strlen(text)));
}

static const char *argument(struct MHD_Connection *c, const char *name)
{
    const char *value = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
    return value ? value : "";
}

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

/* ---- the page and its parts ---- */

static enum MHD_Result send_page(struct MHD_Connection *c)
{
    char *path = kit_path(&server.kit, "common/studio/page/index.html"), *text = NULL;
    char nonce[TOKEN_SIZE], header[sizeof POLICY(" 'nonce-'") + TOKEN_SIZE];
    struct err e = {0};
    struct buf page = {0};
    int bad = file_read(path, FOLDER_TEXT, &text, NULL, &e);
    free(path);
    if (bad) return refuse(c, 500, e.text);
    guard_new_token(nonce);
    /* the editor adds styles of its own, which the policy allows if they have this nonce */
    char *at = strstr(text, "@NONCE@");
    buf_printf(&page, "%.*s%s%s", at ? (int)(at - text) : (int)strlen(text), text, at ? nonce : "",
        at ? at + 7 : "");
    struct MHD_Response *r = response_of(page.data, page.len);
    snprintf(header, sizeof header, POLICY(" 'nonce-%s'"), nonce);
    MHD_add_response_header(r, "Content-Security-Policy", header);
    char *cookie =
        xasprintf("%s=%s; Path=/; HttpOnly; SameSite=Strict", server.cookie, server.guard.token);
    MHD_add_response_header(r, "Set-Cookie", cookie);
    free(cookie), free(text);
    return send_response(c, 200, "text/html; charset=utf-8", r);
}

/* Send a file of the kit or, if the build has made one beside it, the compressed file. */
static enum MHD_Result send_file(
    struct MHD_Connection *c, char *path, const char *type, const char *csp)
{
    const char *accepts = header(c, "Accept-Encoding");
    char *text = NULL, *packed = xasprintf("%s.gz", path);
    size_t length = 0;
    int is_packed = accepts && strstr(accepts, "gzip") && file_exists(packed);
    int bad = file_read(is_packed ? packed : path, 16 << 20, &text, &length, NULL);
    free(path), free(packed);
    if (bad) return refuse(c, 404, "there is no such page");
    struct MHD_Response *r = response_of(text, length);
    if (csp) MHD_add_response_header(r, "Content-Security-Policy", csp);
    if (is_packed) MHD_add_response_header(r, "Content-Encoding", "gzip");
    return send_response(c, 200, type, r);
}

/* Send NAME.js or NAME.css of the page, the bundled editor.js, a NAME.cu to start from, or a
 * deck. */
static enum MHD_Result send_part(struct MHD_Connection *c, const char *url)
{
    int is_deck = !strncmp(url, "/slides/", 8);
    const char *name = url + (is_deck ? 8 : 1);
    const char *dot = name + strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    if (is_deck && !strcmp(dot, ".html") && dot > name)
        return send_file(c, kit_path(&server.kit, "build/slides/%s", name),
            "text/html; charset=utf-8", deck_policy);
    const char *type = !strcmp(dot, ".css")  ? "text/css; charset=utf-8"
                       : !strcmp(dot, ".js") ? "text/javascript; charset=utf-8"
                       : !strcmp(dot, ".cu") ? "text/plain; charset=utf-8"
                                             : NULL;
    if (is_deck || dot == name || !type) return refuse(c, 404, "there is no such page");
    const char *folder = !strcmp(name, "editor.js")   ? "build/studio-tools"
                         : !strcmp(name, "style.css") ? "common/view"
                         : !strcmp(dot, ".cu")        ? "common/studio/starts"
                                                      : "common/studio/page";
    return send_file(c, kit_path(&server.kit, "%s/%s", folder, name), type, NULL);
}

/* ---- files and jobs ---- */

/* Send the current text of a file. */
static enum MHD_Result send_text(struct MHD_Connection *c, unsigned status, const char *file)
{
    char *text, version[VERSION];
    if (!folder_names(file)) return refuse(c, 400, "this is no name of a file");
    if (folder_read(&server.folder, file, &text, version))
        return refuse(c, 404, "there is no such file, or it is a link");
    json_t *o = json_pack("{s:s,s:s,s:s}", "file", file, "version", version, "text", text);
    free(text);
    return o ? send_json(c, status, o) : refuse(c, 415, "the file is not text in UTF-8");
}

/* Send an event that a file has changed. If any tab is open, an exercise's file is then judged, and
 * a file in play/ is profiled. */
static void changed(const char *file, const char *version)
{
    struct err e = {0};
    struct job_values v = {0};
    const char *job = strncmp(file, "play/", 5) ? "lab" : "play";
    events_send(json_pack("{s:s,s:s}", "changed", file, "version", version));
    if (!folder_names(file) || !events_count()) return;
    snprintf(v.file, sizeof v.file, "%s", file);
    if (jobs_add(&server.jobs, job, &v, &server.folder, &e))
        events_send(
            json_pack("{s:s,s:s,s:s,s:i}", "job", job, "file", file, "said", e.text, "ended", -1));
}

static enum MHD_Result post_save(struct MHD_Connection *c, const struct buf *body)
{
    const char *file = argument(c, "file"), *text = body->data ? body->data : "";
    char version[VERSION];
    struct err e = {0};
    json_t *is_text = json_string(text);
    int bad = !folder_names(file) || !is_text || strlen(text) != body->len;
    json_decref(is_text);
    if (bad) return refuse(c, 400, "a save needs the name of a file, and text in UTF-8");
    int result =
        folder_save(&server.folder, file, argument(c, "base"), text, body->len, version, &e);
    if (result < 0) return refuse(c, e.kind == ERR_USAGE ? 404 : 500, e.text);
    if (result) return send_text(c, 409, file);
    changed(file, version);
    return send_json(c, 200, json_pack("{s:s}", "version", version));
}

static enum MHD_Result post_run(struct MHD_Connection *c)
{
    struct job_values v = {0};
    struct err e = {0};
    int lost = snprintf(v.file, sizeof v.file, "%s", argument(c, "file")) >= (int)sizeof v.file;
    for (int i = 0; i < JOB_VALUES; i++)
        lost |= snprintf(v.value[i], JOB_VALUE, "%s", argument(c, job_values[i])) >= JOB_VALUE;
    if (lost) return refuse(c, 400, "a value is too long");
    if (!jobs_add(&server.jobs, argument(c, "job"), &v, &server.folder, &e))
        return send_json(c, 202, json_pack("{s:s}", "job", argument(c, "job")));
    return refuse(c, e.kind == ERR_USAGE ? 400 : 503, e.text);
}

/* ---- a request ---- */

static enum MHD_Result answer(
    struct MHD_Connection *c, const char *url, const char *method, const struct buf *body)
{
    if (!strcmp(method, "POST")) {
        if (!strcmp(url, "/save")) return post_save(c, body);
        if (!strcmp(url, "/run")) return post_run(c);
        return refuse(c, 404, "there is no such page");
    }
    if (!strcmp(url, "/")) return send_page(c);
    if (!strcmp(url, "/file")) return send_text(c, 200, argument(c, "file"));
    if (!strcmp(url, "/about"))
        return send_json(c, 200,
            json_pack("{s:s,s:o}", "device", server.options->device ? server.options->device : "",
                "plays", folder_plays(&server.folder)));
    if (strcmp(url, "/events")) return send_part(c, url);
    struct MHD_Response *stream = events_open(c);
    return stream ? send_response(c, 200, "text/event-stream", stream)
                  : refuse(c, 503, "too many tabs are open");
}

/* Check a request before its body is read. Returns 0, or the HTTP status of a refusal. */
static int refused(struct MHD_Connection *c, const char *url, const char *method, const char **why)
{
    const char *length = header(c, "Content-Length");
    const struct asked asked = {method, url, header(c, "Host"), header(c, "Origin"),
        header(c, "Sec-Fetch-Site"), MHD_lookup_connection_value(c, MHD_COOKIE_KIND, server.cookie),
        MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "token")};
    int post = !strcmp(method, "POST");
    *why = "only GET and POST are answered";
    if (!post && strcmp(method, "GET")) return 405;
    int status = guard_refuses(&server.guard, &asked, why);
    if (status) return status;
    *why = "too many requests";
    if (guard_rate(&server.guard, clock_seconds())) return 429;
    *why = "the length of the text must be given";
    if (post ? !length : header(c, "Transfer-Encoding") != NULL) return 411;
    *why = "the text is too long";
    return length && strtoull(length, NULL, 10) > (post ? FOLDER_TEXT : 0) ? 413 : 0;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *c, const char *url,
    const char *method, const char *version, const char *data, size_t *size, void **state)
{
    struct buf *body = *state;
    const char *why;
    (void)context, (void)version;
    if (!body) {
        *state = xcalloc(1, sizeof *body);
        int status = refused(c, url, method, &why);
        return status ? refuse(c, (unsigned)status, why) : MHD_YES;
    }
    if (!*size) return answer(c, url, method, body);
    if (body->len + *size > FOLDER_TEXT) return MHD_NO;
    buf_add(body, data, *size);
    *size = 0;
    return MHD_YES;
}

static void done(
    void *context, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why)
{
    (void)context, (void)c, (void)why;
    if (*state) buf_free(*state);
    free(*state);
    *state = NULL;
}

/* ---- the loop ---- */

static volatile sig_atomic_t ended;
static void end(int signal)
{
    (void)signal;
    ended = 1;
}

static void turn(double *beat)
{
    fd_set in, out, other;
    MHD_UNSIGNED_LONG_LONG soon;
    struct timeval wait = {.tv_sec = 1};
    int most = server.folder.notify;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_ZERO(&other);
    if (most >= 0) FD_SET(most, &in);
    MHD_get_fdset(server.daemon, &in, &out, &other, &most);
    jobs_wait(&in, &most);
    if (MHD_get_timeout(server.daemon, &soon) == MHD_YES && soon < 1000)
        wait = (struct timeval){.tv_usec = (suseconds_t)soon * 1000};
    if (select(most + 1, &in, &out, &other, &wait) < 0) return;
    folder_look(&server.folder, changed);
    jobs_turn();
    if (clock_seconds() > *beat + BEAT_SECONDS) {
        events_beat();
        *beat = clock_seconds();
    }
    MHD_run_from_select(server.daemon, &in, &out, &other);
}

static struct MHD_Daemon *listen_at(const char *address, int port)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    inet_pton(AF_INET, address, &at.sin_addr);
    return MHD_start_daemon(MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, NULL,
        MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)32768, MHD_OPTION_NOTIFY_COMPLETED, done, NULL, MHD_OPTION_END);
}

/* Listen at the port that the options name; if they name none, at STUDIO_PORT or one of the ports
 * after it. */
static int open_port(const struct studio_options *o, struct err *e)
{
    const char *address = o->listen ? o->listen : "127.0.0.1";
    int first = o->port ? o->port : STUDIO_PORT, most = o->port ? 1 : 20;
    struct in_addr parsed;
    if (inet_pton(AF_INET, address, &parsed) != 1)
        return err_set(
            e, ERR_USAGE, "--listen %s: an address such as 127.0.0.1 is needed", address);
    for (int i = 0; i < most && !server.daemon; i++)
        server.daemon = listen_at(address, server.port = first + i);
    if (!server.daemon)
        return err_set(e, ERR_ENV, "port %d of %s cannot be had: %s; choose another with --port",
            first, address, strerror(errno));
    return 0;
}

/* Open the address in a browser, if there is a display. Forked twice, so that nobody has to wait
 * for the browser's end. */
static void open_browser(const char *address)
{
    if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) || server.options->quiet || fork())
        return;
    os_close_from(STDERR_FILENO + 1);
    if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(1);
    if (fork()) _exit(0);
    execlp("xdg-open", "xdg-open", address, (char *)NULL);
    _exit(1);
}

static int serve(struct err *e)
{
    double beat = clock_seconds();
    if (folder_token(&server.folder, server.guard.token, e) || open_port(server.options, e))
        return -1;
    snprintf(server.cookie, sizeof server.cookie, "lockstep-%d", server.port);
    const char *listen = server.options->listen;
    char *address = xasprintf("http://%s:%d/?token=%s",
        listen && strcmp(listen, "0.0.0.0") ? listen : "127.0.0.1", server.port,
        server.guard.token);
    printf("%s\n", address);
    fflush(stdout);
    fprintf(stderr, "the studio of %s; Ctrl-C ends it\n", server.folder.path);
    open_browser(address);
    free(address);
    while (!ended) turn(&beat);
    jobs_end();
    events_close();
    MHD_run(server.daemon);
    MHD_stop_daemon(server.daemon);
    return 0;
}

int studio_run(const struct studio_options *o, struct err *e)
{
    const struct sigaction on = {.sa_handler = end}, off = {.sa_handler = SIG_IGN};
    struct sigaction was;
    char program[PATH_MAX];
    if (os_program(program)) return err_set(e, ERR_ENV, "the program cannot find itself");
    *strrchr(program, '/') = 0;
    sigaction(SIGINT, &on, NULL), sigaction(SIGTERM, &on, NULL);
    /* SIGHUP is ignored under nohup, and remains so */
    if (!sigaction(SIGHUP, NULL, &was) && was.sa_handler != SIG_IGN) sigaction(SIGHUP, &on, NULL);
    sigaction(SIGPIPE, &off, NULL);
    server = (struct server){.options = o,
        .guard = {.hosts = o->hosts, .host_count = o->host_count},
        .jobs = {xasprintf("%s/lockstep", program), o->student, o->device}};
    int bad = kit_find(&server.kit, e);
    server.folder = (struct folder){.fd = -1, .own = -1, .notify = -1};
    bad = bad || folder_open(&server.folder, o->student, e) || serve(e);
    folder_close(&server.folder);
    kit_free(&server.kit);
    free(server.jobs.program);
    return bad ? -1 : 0;
}
