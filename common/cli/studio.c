/* studio.c - lockstep studio: start the server of the studio, the program lockstep-studio beside this
 * one, on a learner's folder. */
#include "cli/cli.h"
#include "learn/learn.h"
#include "os/os.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The path of lockstep-studio. NULL with ERR_ENV: it was not built. The caller frees it. */
static char *find_server(struct err *e)
{
    char self[PATH_MAX];
    int bad = os_program(self);
    char *path = xasprintf("%s-studio", self);
    if (!bad && !access(path, X_OK)) return path;
    err_set(e, ERR_ENV, "%s is not there; type: make studio", path);
    free(path);
    return NULL;
}

/* Check that the kit has labs, which `make install` does not install. */
static int need_labs(const struct kit *k, struct err *e)
{
    char *labs = kit_path(k, "labs");
    int there = file_exists(labs);
    free(labs);
    return there ? 0
                 : err_set(e, ERR_ENV,
                       "this kit was installed without the labs; the studio needs a clone of "
                       "Lockstep: type make studio there");
}

int command_studio(int argc, char **argv, struct err *e)
{
    const char *student = NULL, *device = NULL, *port = NULL, *listen = NULL, *host = NULL,
               *browser = NULL;
    const struct option_spec specs[] = {{"--student", &student}, {"--device", &device},
        {"--port", &port}, {"--listen", &listen}, {"--host", &host}, {"--browser", &browser}, {0}};
    uint64_t number;
    int made;
    struct kit kit;
    if (options_parse(argc, argv, specs, NULL, 0, e) < 0 ||
        (port && options_number("--port", port, 65535, &number, e)) || kit_find(&kit, e))
        return -1;
    if (need_labs(&kit, e) || own_folder(student, &made, e)) {
        kit_free(&kit);
        return -1;
    }
    char *folder = student ? xstrdup(student) : kit_path(&kit, "labs"), *server = NULL;
    int bad =
        progress_kept(&kit, folder)
            ? !(server = find_server(e))
            : err_set(e, ERR_USAGE,
                  "%s: lies in the kit's solutions or tests; learn in labs, or in a copy of it",
                  folder);
    if (made)
        fprintf(stderr, "%s is new: your own folder, with the skeletons of all labs\n", folder);
    struct words w = {0};
    WORDS(&w, server ? server : "", "--student", folder);
    if (device) WORDS(&w, "--device", device);
    if (port) WORDS(&w, "--port", port);
    if (listen) WORDS(&w, "--listen", listen);
    if (browser) WORDS(&w, "--browser", browser);
    char *hosts = xstrdup(host ? host : ""), *rest = hosts;
    for (char *one; (one = strsep(&rest, ","));)
        if (*one) WORDS(&w, "--host", one);
    if (!bad) {
        execv(server, (char *const *)w.word);
        bad = err_set(e, ERR_ENV, "%s: cannot be started: %s", server, strerror(errno));
    }
    words_free(&w);
    free(hosts), free(server), free(folder);
    kit_free(&kit);
    return bad ? -1 : 0;
}
