/* jail.c - restricts what a started program can access: the system's programs and headers, the
 * paths that its caller lists, and nothing else. No network.
 *
 *     bubblewrap   a file system of its own, in separate name spaces    by "bwrap ..." before argv
 *     Landlock     the same file system, with other paths closed        in landlock.c, before exec
 *     limits       neither is possible: only the limits of spawn.c
 *
 * Source: bwrap(1). */
#include "os/jail.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The system paths that compilers need. */
const char *const jail_system_paths[] = {"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64",
    "/opt", "/etc/alternatives", "/etc/ld.so.cache", NULL};

const char *jail_shows(const char *path)
{
    char real[PATH_MAX], prefix[PATH_MAX];
    if (!realpath(path, real)) return NULL;
    for (const char *const *p = jail_system_paths; *p; p++) {
        size_t n = realpath(*p, prefix) ? strlen(prefix) : 0;
        if (n && !strncmp(real, prefix, n) && (!real[n] || real[n] == '/')) return *p;
    }
    return NULL;
}

int jail_shows_kit(void)
{
    char program[PATH_MAX];
    return !os_program(program) && jail_shows(program);
}

const char *const jail_names[] = {"none", "limits", "landlock", "bubblewrap"};

/* ---- bubblewrap ---- */

/* Append bwrap's option for a path. A system path that is a link (/bin to usr/bin) becomes the same
 * link; a missing path is skipped. */
static void add_path(struct words *w, const char *how, const char *path)
{
    char target[PATH_MAX], *real;
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n > 0 && path[0] == '/' && !strchr(path + 1, '/')) {
        target[n] = 0;
        WORDS(w, "--symlink", target, path);
    } else if ((real = realpath(path, NULL))) {
        WORDS(w, how, real, real);
        free(real);
    }
}

void jail_wrap(struct words *w, const char *bwrap, const struct jail *j, const char *const *argv)
{
    char here[PATH_MAX];
    WORDS(w, bwrap, "--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--proc", "/proc",
        "--dev", "/dev", "--tmpfs", "/tmp");
    for (const char *const *p = jail_system_paths; *p; p++) add_path(w, "--ro-bind", *p);
    for (const char *const *p = j->read; p && *p; p++) add_path(w, "--ro-bind", *p);
    if (j->write) add_path(w, "--bind", j->write);
    if (getcwd(here, sizeof here)) WORDS(w, "--dir", here, "--chdir", here);
    WORDS(w, "--");
    words_list(w, argv);
}

/* ---- selecting the level ---- */

static pthread_once_t probed = PTHREAD_ONCE_INIT;
static enum jail_level level;
static char *bwrap_path;

/* Does bwrap work here? In a container it may be installed, but not permitted. */
static int bwrap_works(const char *path)
{
    const char *const argv[] = {"/bin/true", NULL};
    struct words w = {0};
    struct buf out = {0};
    int status = 1;
    jail_wrap(&w, path, &(struct jail){0}, argv);
    struct spawn s = {.argv = w.word, .seconds = 10};
    int bad = spawn_run(&s, &out, &status, NULL);
    words_free(&w);
    buf_free(&out);
    return !bad && !status;
}

static void probe(void)
{
    const char *most = getenv("LOCKSTEP_SANDBOX");
    for (level = JAIL_BUBBLEWRAP; most && level > JAIL_NONE && strcmp(most, jail_names[level]);)
        level--;
    /* an unknown name in LOCKSTEP_SANDBOX is ignored */
    if (level == JAIL_NONE) level = JAIL_BUBBLEWRAP;
    if (level == JAIL_BUBBLEWRAP) {
        bwrap_path = spawn_find("bwrap");
        if (!bwrap_path || !bwrap_works(bwrap_path)) level = JAIL_LANDLOCK;
    }
    if (level == JAIL_LANDLOCK && !jail_landlock_works()) level = JAIL_LIMITS;
}

enum jail_level jail_level(void)
{
    pthread_once(&probed, probe);
    return level;
}

const char *jail_text(void)
{
    static char text[32];
    snprintf(
        text, sizeof text, "%s%s", jail_names[jail_level()], cgroup_is_open() ? ", cgroup" : "");
    return text;
}

const char *jail_bwrap(void) { return jail_level() == JAIL_BUBBLEWRAP ? bwrap_path : NULL; }
