/* test_os.c - processes: what a started program is given and kept from, at each level of protection;
 * how its end is reported; work in a child, its limits and its output. */
#define _GNU_SOURCE
#include "os/jail.h"
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[64];
static const char *started_as; /* argv[0] */

static void make_folder(void)
{
    strcpy(folder, "/tmp/test_os.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void drop_folder(void) { spawn_remove_directory(folder); }

/* ---- command lines ---- */

START_TEST(words_are_kept_and_cut)
{
    struct words w = {0};
    words_list(&w, NULL);
    ck_assert_ptr_null(w.word);
    WORDS(&w, "a", "b");
    words_take(&w, xstrdup("c"));
    for (int i = 0; i < 20; i++) WORDS(&w, "more");
    ck_assert_uint_eq(w.count, 23);
    ck_assert(!strcmp(w.word[2], "c") && !strcmp(w.word[22], "more") && !w.word[23]);
    words_cut(&w, 2);
    ck_assert_uint_eq(w.count, 2);
    ck_assert(!strcmp(w.word[1], "b") && !w.word[2]);
    words_free(&w);
    ck_assert(!w.word && !w.count);
}
END_TEST

/* ---- programs ---- */

static struct spawn shell_of(const char *const *argv)
{
    return (struct spawn){.argv = argv, .directory = folder, .seconds = 100, .file_bytes = 1 << 20};
}

/* Run a script; `out` gets what it prints. Returns its exit status, or -1 if it ends badly. */
static int run(struct spawn s, const char *script, struct buf *out, struct err *e)
{
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    int status = -1;
    *e = (struct err){0};
    buf_free(out);
    buf_printf(out, "%s", "");
    s.argv = argv;
    return spawn_run(&s, out, &status, e) ? -1 : status;
}

START_TEST(programs_are_found)
{
    char *sh = spawn_find("sh");
    ck_assert(sh && *sh == '/' && !access(sh, X_OK) && !strcmp(strrchr(sh, '/'), "/sh"));
    ck_assert_ptr_null(spawn_find("no-such-program"));
    free(sh);
}
END_TEST

START_TEST(a_program_gets_an_environment_of_its_own)
{
    struct buf out = {0};
    struct err e;
    struct spawn s = shell_of(NULL);
    char *wanted = xasprintf("%s %s %s C\n", folder, folder, spawn_path);
    setenv("SECRET", "1", 1);
    ck_assert_int_eq(run(s, "echo $TMPDIR $HOME $PATH $LC_ALL$SECRET", &out, &e), 0);
    ck_assert_str_eq(out.data, wanted);
    s.directory = NULL, s.path = "/usr/bin:/bin:/else";
    ck_assert_int_eq(run(s, "echo $TMPDIR $HOME $PATH", &out, &e), 0);
    ck_assert_str_eq(out.data, "/nonexistent /nonexistent /usr/bin:/bin:/else\n");
    /* nothing to read, both outputs in one, a group of its own, no core, few files */
    ck_assert_int_eq(run(s, "cat; echo one; echo two >&2; echo three", &out, &e), 0);
    ck_assert_str_eq(out.data, "one\ntwo\nthree\n");
    ck_assert_int_eq(run(s, "ulimit -c; ulimit -n; ulimit -t; ulimit -f", &out, &e), 0);
    ck_assert_str_eq(out.data, "0\n256\n101\n2048\n");
    ck_assert_int_eq(run(s, "ulimit -v", &out, &e), 0);
    ck_assert_str_eq(out.data, "unlimited\n");
    s.memory_bytes = (size_t)1 << 30;
    ck_assert_int_eq(run(s, "ulimit -v", &out, &e), 0);
    ck_assert_str_eq(out.data, "1048576\n");
    ck_assert_int_eq(run(s, "[ $(ps -o pgid= -p $$ 2>/dev/null || echo $$) = $$ ]", &out, &e), 0);
    free(wanted);
    buf_free(&out);
}
END_TEST

START_TEST(a_program_is_told_how_it_ends)
{
    static const struct {
        const char *script;
        int status;
        const char *says; /* the error, for which run returns -1; NULL: none */
    } rows[] = {
        {"exit 0", 0, NULL},
        {"exit 7", 7, NULL},
        {"kill -SEGV $$", 128 + SIGSEGV, NULL},
        {"exec /no/such/program 2>/dev/null", 127, NULL},
        {"kill -KILL $$", -1, "was stopped: it reached a limit of time or memory"},
        {"exit 137", -1, "was stopped: it reached a limit of time or memory"},
        {"kill -XCPU $$", -1, "was stopped: it reached a limit of time or memory"},
        {"exit 136", 136, NULL},
        {"head -c 3000000 /dev/zero > $TMPDIR/large 2>/dev/null; wc -c < $TMPDIR/large", 0, NULL},
    };
    struct buf out = {0};
    struct err e;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int status = run(shell_of(NULL), rows[i].script, &out, &e);
        ck_assert_msg(status == rows[i].status, "%s: %d", rows[i].script, status);
        ck_assert_str_eq(e.text, rows[i].says ? rows[i].says : "");
    }
    ck_assert_str_eq(out.data, "1048576\n"); /* the last file stopped at the limit */
    const char *none[] = {"/no/such/program", NULL};
    struct spawn s = shell_of(none);
    int status;
    ck_assert_int_eq(spawn_run(&s, &out, &status, &e), 0);
    ck_assert_int_eq(status, 127);
    /* as many bytes as are kept, and one more */
    char *script = xasprintf("head -c %d /dev/zero | tr '\\0' x", SPAWN_OUTPUT);
    ck_assert_int_eq(run(shell_of(NULL), script, &out, &e), 0);
    ck_assert_uint_eq(out.len, SPAWN_OUTPUT);
    free(script);
    script = xasprintf("head -c %d /dev/zero | tr '\\0' x", SPAWN_OUTPUT + 1);
    ck_assert_int_eq(run(shell_of(NULL), script, &out, &e), 0);
    ck_assert_str_eq(out.data + SPAWN_OUTPUT, "\n(1 more bytes of output left out)\n");
    free(script);
    buf_free(&out);
}
END_TEST

/* Processes that a program leaves behind end with it. */
START_TEST(nothing_runs_on)
{
    struct buf out = {0};
    struct err e;
    ck_assert_int_eq(run(shell_of(NULL), "sleep 1000 >/dev/null 2>&1 & echo $!", &out, &e), 0);
    char *stat = xasprintf("/proc/%d/stat", atoi(out.data)), state = 'R';
    /* killed, but on a busy machine not yet dead, or dead and not yet reaped */
    for (int tries = 0; !strchr("ZX", state) && tries < 1000; tries++) {
        FILE *f = fopen(stat, "r");
        if (!f || fscanf(f, "%*d %*s %c", &state) < 1) state = 'X';
        if (f) fclose(f);
        usleep(20000);
    }
    ck_assert_msg(strchr("ZX", state), "state %c", state);
    free(stat);
    buf_free(&out);
}
END_TEST

START_TEST(plain_programs_return_their_status)
{
    struct err e = {0};
    ck_assert_int_eq(spawn_plain((const char *[]){"/bin/sh", "-c", "exit 3", NULL}, &e), 3);
    ck_assert_int_eq(
        spawn_plain((const char *[]){"/bin/sh", "-c", "kill -TERM $$", NULL}, &e), 128 + SIGTERM);
    ck_assert_int_eq(spawn_plain((const char *[]){"/no/such", NULL}, &e), 127);
}
END_TEST

START_TEST(a_directory_is_removed_without_what_its_links_name)
{
    struct buf out = {0};
    struct err e;
    ck_assert_int_eq(
        run(shell_of(NULL),
            "cd $TMPDIR && mkdir -p kept gone/a/b && echo x >kept/f && echo y >gone/a/b/c && ln -s "
            "../../kept gone/a/l",
            &out, &e),
        0);
    char *gone = xasprintf("%s/gone", folder), *kept = xasprintf("%s/kept/f", folder);
    spawn_remove_directory(gone);
    ck_assert(!file_exists(gone) && file_exists(kept));
    free(gone), free(kept);
    buf_free(&out);
}
END_TEST

/* ---- levels of protection ---- */

/* Does this machine support a level? Tests bubblewrap and the kernel directly. */
static int supports(enum jail_level level)
{
    if (level == JAIL_BUBBLEWRAP)
        return !system(
            "bwrap --unshare-all --ro-bind / / --proc /proc --dev /dev true 2>/dev/null");
    return level < JAIL_LANDLOCK || syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0;
}

/* What a program may do: read and write one folder, and read another one. */
static const struct deed {
    const char *what, *script;
    enum jail_level from; /* from this level on it fails; 9: never */
} deeds[] = {
    {"read what it may read", "cat $READ/f", 9},
    {"write where it may",
        "echo x >$WRITE/new && cat $WRITE/new && mkdir $WRITE/d && rm $WRITE/new", 9},
    {"run a program", "/bin/ls /usr >/dev/null && /usr/bin/env true", 9},
    {"write nowhere", "echo x >/dev/null", 9},
    {"write what it may only read", "echo x >$READ/f", JAIL_LANDLOCK},
    {"read another's folder", "cat $OTHER/f", JAIL_LANDLOCK},
    {"write another's folder", "echo x >$OTHER/new", JAIL_LANDLOCK},
    {"list another's folder", "ls $OTHER | grep f", JAIL_LANDLOCK},
    {"write to the system",
        "touch -c /usr/bin/env && : >/usr/lib/lockstep_test && rm /usr/lib/lockstep_test",
        JAIL_LANDLOCK},
};

START_TEST(a_jail_keeps_to_its_level)
{
    enum jail_level asked = (enum jail_level)_i;
    struct buf out = {0};
    struct err e;
    char *read = xasprintf("%s/read", folder), *write = xasprintf("%s/write", folder);
    const char *const may_read[] = {read, "/no/such/folder", NULL};
    struct jail jail = {may_read, write};
    struct spawn s = shell_of(NULL);
    ck_assert_int_eq(
        run(s, "cd $TMPDIR && for d in read write other; do mkdir $d && echo x >$d/f; done", &out,
            &e),
        0);
    setenv("LOCKSTEP_SANDBOX", jail_names[asked], 1);
    enum jail_level is = jail_level();
    ck_assert_int_le(is, asked);
    ck_assert_int_eq(is == asked, supports(asked));
    ck_assert_msg(!strncmp(jail_text(), jail_names[is], strlen(jail_names[is])), "%s", jail_text());
    ck_assert_int_eq(is == JAIL_BUBBLEWRAP, jail_bwrap() != NULL);
    s.jail = &jail;
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++) {
        if (is < deeds[i].from && strstr(deeds[i].script, "/usr/lib")) continue;
        char *script = xasprintf("READ=%s/read WRITE=%s/write OTHER=%s/other; (%s) 2>/dev/null",
            folder, folder, folder, deeds[i].script);
        int status = run(s, script, &out, &e);
        ck_assert_msg((status != 0) == (is >= deeds[i].from), "%s: may %s: %d %s", jail_names[is],
            deeds[i].what, status, e.text);
        free(script);
    }
    free(read), free(write);
    buf_free(&out);
    if (is < asked) SKIP("this machine does not support the level");
}
END_TEST

START_TEST(an_unknown_level_is_none)
{
    enum jail_level best;
    pid_t pid = fork();
    if (!pid) _exit(jail_level());
    int status;
    ck_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    best = (enum jail_level)WEXITSTATUS(status);
    setenv("LOCKSTEP_SANDBOX", "walls", 1);
    ck_assert_int_eq(jail_level(), best);
}
END_TEST

START_TEST(system_folders_are_shown)
{
    ck_assert_str_eq(jail_shows("/usr/include"), "/usr");
    ck_assert_str_eq(jail_shows("/usr"), "/usr");
    ck_assert_ptr_null(jail_shows("/usr/../etc/passwd"));
    ck_assert_ptr_null(jail_shows("/no/such/path"));
    ck_assert_ptr_null(jail_shows(folder));
    ck_assert_ptr_null(jail_shows("/"));
}
END_TEST

/* ---- the children's cgroup ---- */

/* Returns how many cgroups of process pid there are below /sys/fs/cgroup; text gets what one file
 * of theirs says. */
static int groups(int pid, const char *file, char text[64])
{
    char *command =
        xasprintf("for g in $(find /sys/fs/cgroup -name lockstep.%d 2>/dev/null); do echo x; "
                  "[ ! -e $g/%s ] || echo \"$(cat $g/%s)\"; done",
            pid, file, file);
    FILE *f = popen(command, "r");
    int count = 0;
    for (char line[64]; f && fgets(line, sizeof line, f);)
        if (*line == 'x')
            count++;
        else
            snprintf(text, 64, "%.*s", (int)strcspn(line, "\n"), line);
    if (f) pclose(f);
    free(command);
    return count;
}

START_TEST(a_cgroup_has_limits_and_leaves_nothing)
{
    char pids[64] = "", memory[64] = "";
    int dead = fork();
    if (!dead) _exit(!cgroup_open((size_t)128 << 20, 40)); /* this process's cgroups stay behind */
    int status;
    ck_assert_int_eq(waitpid(dead, &status, 0), dead);
    int open = cgroup_open((size_t)256 << 20, 24), mine = getpid();
    ck_assert_int_eq(open, cgroup_is_open());
    ck_assert_int_eq(open, WIFEXITED(status) && !WEXITSTATUS(status));
    if (open) {
        int both = groups(mine, "pids.max", pids);
        ck_assert(both == 1 || both == 2);
        ck_assert_str_eq(pids, "24");
        groups(mine, both == 1 ? "memory.max" : "memory.limit_in_bytes", memory);
        ck_assert_str_eq(memory, "268435456");
        ck_assert_int_eq(groups(dead, "pids.max", pids), 0); /* those of `dead` were removed */
    }
    cgroup_close();
    ck_assert_int_eq(cgroup_is_open(), 0);
    ck_assert_int_eq(groups(mine, "pids.max", pids), 0);
    if (!open) SKIP("this machine lends no cgroup");
}
END_TEST

/* ---- work in a child ---- */

static int spends(void *context, struct buf *reply, struct err *e)
{
    (void)reply, (void)e;
    isolate_note("k");
    isolate_limit(1, (size_t)64 << 20);
    if (*(const int *)context)
        for (int i = 0; i < 100; i++) memset(xcalloc(1, 8 << 20), 1, 8 << 20);
    for (volatile unsigned i = 0;; i++) continue;
    return 0;
}

START_TEST(work_is_ended_at_its_limits)
{
    static const char *const says[] = {
        "k: was stopped after 1 seconds of processor time, the limit of an exercise",
        "k: needs more than 64 MiB of memory, the limit of an exercise"};
    /* under ASan memory that cannot be had ends a process in ASan's own way */
    for (int memory = 0; memory < (getenv("LOCKSTEP_SANITIZED") ? 1 : 2); memory++) {
        struct buf reply = {0};
        struct err e = {0};
        ck_assert_int_eq(isolate_run(spends, &memory, 1e6, &reply, &e), -1);
        ck_assert_int_eq(e.kind, ERR_LEARNER);
        ck_assert_str_eq(e.text, says[memory]);
        buf_free(&reply);
    }
    isolate_note("of nobody");
    isolate_limit(1, 1); /* outside of isolated work neither call does anything */
    free(xcalloc(1, 1 << 20));
}
END_TEST

/* Another end than by a limit is told as such, limits or not. */
static int ends_by_a_signal(void *context, struct buf *reply, struct err *e)
{
    (void)reply, (void)e;
    isolate_note("k");
    if (*(const int *)context) isolate_limit(100, (size_t)1 << 40);
    raise(SIGTERM);
    return 0;
}

START_TEST(work_that_a_signal_ends_met_no_limit)
{
    signal(SIGTERM, SIG_DFL);
    for (int limited = 0; limited < 2; limited++) {
        struct buf reply = {0};
        struct err e = {0};
        ck_assert_int_eq(isolate_run(ends_by_a_signal, &limited, 1e6, &reply, &e), -1);
        ck_assert_str_eq(e.text, "k: took its process along: Terminated");
        buf_free(&reply);
    }
}
END_TEST

static int prepared;
static void prepare(void) { prepared = 1; }

static int prints(void *context, struct err *e)
{
    int what = *(const int *)context;
    printf("prepared %d\n", prepared);
    fflush(stdout);
    fprintf(stderr, "and %d\n", what);
    if (what == 2) return err_set(e, ERR_ENV, "its words");
    if (what == 3) raise(SIGKILL);
    while (what == 4) pause();
    return what == 1 ? 42 : 0;
}

/* Returns all that a child prints; *result as child_take gives it. The caller frees it. */
static char *taken(struct child *c, int *result)
{
    struct buf text = {0};
    while (child_take(c, &text, result)) continue;
    return text.data;
}

START_TEST(a_child_prints_as_it_goes)
{
    static const struct {
        const char *text;
        int result;
    } rows[] = {{"prepared 1\nand 0\n", 0}, {"prepared 1\nand 1\n", 42},
        {"prepared 1\nand 2\nits words\n", -1}, {"prepared 1\nand 3\n", -1}};
    struct child c = {0};
    struct err e = {0};
    signal(SIGTERM, SIG_DFL);
    child_end(&c); /* no child: nothing happens */
    for (int i = 0; i < 4; i++) {
        int result = 7;
        ck_assert_int_eq(child_start(&c, prepare, prints, &i, &e), 0);
        ck_assert(c.pid > 0 && c.began <= clock_seconds());
        char *text = taken(&c, &result);
        ck_assert_str_eq(text, rows[i].text);
        ck_assert_int_eq(result, rows[i].result);
        ck_assert_int_eq(c.pid, 0);
        free(text);
    }
    /* a waiting child is ended when another one starts, and by child_end */
    int waits = 4, done = 0, result;
    ck_assert_int_eq(child_start(&c, prepare, prints, &waits, &e), 0);
    pid_t first = c.pid;
    ck_assert_int_eq(child_start(&c, prepare, prints, &waits, &e), 0);
    ck_assert(kill(first, 0) && errno == ESRCH);
    pid_t second = c.pid;
    child_end(&c);
    ck_assert(kill(second, 0) && errno == ESRCH && !c.pid);
    ck_assert_int_eq(child_start(&c, prepare, prints, &done, &e), 0);
    free(taken(&c, &result));
    ck_assert_int_eq(prepared, 0);
}
END_TEST

START_TEST(children_cost_processor_time)
{
    double before = os_children_seconds();
    pid_t pid = fork();
    if (!pid) {
        while (clock_processor_seconds() < 0.05) continue;
        _exit(0);
    }
    waitpid(pid, NULL, 0);
    double used = os_children_seconds() - before;
    ck_assert_msg(used > 0.03 && used < 10, "%g s", used);
    os_count_hidden(3);
    ck_assert_double_eq_tol(os_children_seconds() - before, used + 3, 1e-6);
    /* the limit counts this process's work: it is reached after so much processor time */
    struct timeout t = timeout_begin(getpid());
    ck_assert_int_eq(timeout_is_over(&t, 1000), 0);
    while (clock_processor_seconds() < 0.02) continue;
    t = timeout_begin(getpid());
    double begun = clock_processor_seconds();
    while (clock_processor_seconds() - begun < 0.02) continue;
    ck_assert_int_eq(timeout_is_over(&t, 0.02), 1);
}
END_TEST

/* ---- what operating systems have different ways for ---- */

/* Is it plain.c that does these things here, which cannot do all? */
static int is_plain(void)
{
    int watch = os_watch_open();
    if (watch >= 0) close(watch);
    return watch < 0;
}

START_TEST(this_program_has_a_path)
{
    char path[PATH_MAX] = "";
    struct stat st;
    os_started_as(started_as);
    ck_assert_int_eq(os_program(path), 0);
    ck_assert(*path == '/' && !strcmp(strrchr(path, '/'), "/test_os"));
    ck_assert(!stat(path, &st) && S_ISREG(st.st_mode));
}
END_TEST

START_TEST(data_and_stack_have_a_size)
{
    if (is_plain()) SKIP("the size is not known here");
    size_t before = os_data_bytes();
    char *more = xcalloc(1, (size_t)64 << 20);
    size_t grown = os_data_bytes() - before;
    free(more);
    ck_assert(before >> 10 >= 100);
    if (!getenv("LOCKSTEP_SANITIZED")) ck_assert(grown >> 20 >= 64 && grown >> 20 < 70);
}
END_TEST

START_TEST(a_process_has_processor_time)
{
    if (is_plain()) SKIP("the time of other processes is not known here");
    /* the kernel sums the time of threads anew for each clock, so they may differ a little */
    double before = clock_processor_seconds(), mine = os_processor_seconds(getpid());
    ck_assert(mine > before - 0.01 && mine < clock_processor_seconds() + 0.01);
    pid_t pid = fork();
    if (!pid) _exit(0);
    waitpid(pid, NULL, 0);
    ck_assert_double_eq(os_processor_seconds(pid), 0); /* it has ended */
}
END_TEST

/* Does an exec close it? */
static int closed_by_exec(int fd) { return fcntl(fd, F_GETFD) == FD_CLOEXEC; }

START_TEST(descriptors_do_not_outlive_an_exec)
{
    int ends[4];
    char c[2] = "";
    ck_assert(!os_pipe(ends) && !os_sockets(ends + 2));
    for (int i = 0; i < 4; i++) ck_assert(closed_by_exec(ends[i]));
    /* a pipe goes from the second end to the first, sockets both ways */
    ck_assert(write(ends[1], "a", 1) == 1 && read(ends[0], c, 1) == 1 && *c == 'a');
    for (int i = 2; i < 4; i++)
        ck_assert(write(ends[i], "b", 1) == 1 && read(ends[5 - i], c, 1) == 1 && *c == 'b');
    int memory = os_memory_file();
    struct stat st;
    ck_assert(memory >= 0 && closed_by_exec(memory));
    ck_assert(!fstat(memory, &st) && !st.st_size && !ftruncate(memory, 10));
    char *p = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    ck_assert(p != MAP_FAILED && !p[9]);
    munmap(p, 10);
    int another = os_memory_file(); /* each call makes a new one */
    ck_assert(!fstat(another, &st) && !st.st_size);
    /* all are closed from the first one on, and none before it */
    int first = dup(ends[0]), last = fcntl(ends[0], F_DUPFD, 200);
    os_close_from(first);
    ck_assert(fcntl(first - 1, F_GETFD) >= 0);
    ck_assert(fcntl(first, F_GETFD) < 0 && fcntl(last, F_GETFD) < 0);
    for (int i = 0; i < 4; i++) close(ends[i]);
    close(memory), close(another);
}
END_TEST

/* This process starts a child, and that one another, which waits for the end of this one. */
START_TEST(a_child_ends_with_its_parent)
{
    int told[2], ready[2], held[2]; /* told: its end closes it; held: this one's end closes it */
    char c;
    if (is_plain()) SKIP("a child learns here of its parent's end when it sends");
    ck_assert(!os_pipe(told) && !os_pipe(ready) && !os_pipe(held));
    pid_t pid = fork();
    if (!pid) {
        pid_t inner = fork();
        if (!inner) os_end_with_parent(SIGKILL);
        close(ready[1]), close(held[1]);
        _exit(inner ? read(ready[0], &c, 1) != 0 : (int)read(held[0], &c, 1));
    }
    int status;
    close(told[1]), close(ready[1]);
    ck_assert(waitpid(pid, &status, 0) == pid && !status);
    struct pollfd end = {told[0], POLLIN, 0};
    ck_assert_int_eq(poll(&end, 1, 60000), 1); /* it never takes long */
    ck_assert_int_eq(read(told[0], &c, 1), 0);
    close(told[0]), close(ready[0]), close(held[0]), close(held[1]);
}
END_TEST

/* Write a file of the test's folder. */
static void put(const char *name, const char *text)
{
    struct err e = {0};
    char *path = xasprintf("%s/%s", folder, name);
    ck_assert_msg(!file_write(path, text, strlen(text), &e), "%s", e.text);
    free(path);
}

/* Does a file of the test's folder hold this text? NULL: is there none? */
static int holds(const char *name, const char *text)
{
    struct err e = {0};
    char *path = xasprintf("%s/%s", folder, name), *data = NULL;
    int none = file_read(path, 100, &data, NULL, &e),
        same = !text || none ? !text && none : !strcmp(data, text);
    free(path), free(data);
    return same;
}

START_TEST(saved_files_are_seen)
{
    int watch = os_watch_open(), id = os_watch_add(watch, folder);
    char *file = xasprintf("%s/a.cu", folder);
    if (watch >= 0) {
        ck_assert(id >= 0 && closed_by_exec(watch));
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 0);
        put("a.cu", "1"); /* a new file in the place of the old */
        put("b.cu", "1");
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 1);
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 0); /* all events were read */
        put("b.cu", "2");
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 0);
        FILE *f = fopen(file, "a"); /* and the file itself, when it is closed */
        fputs("2", f), fclose(f);
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 1);
        ck_assert(holds("a.cu", "12"));
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 0); /* it was only read */
        ck_assert_int_eq(os_watch_add(watch, file), -1);   /* no folder */
        os_watch_remove(watch, id);
        put("a.cu", "3");
        ck_assert_int_eq(os_watch_read(watch, "a.cu"), 0);
        close(watch);
    }
    /* without a watch nothing happens */
    ck_assert_int_eq(os_watch_add(-1, folder), -1);
    ck_assert_int_eq(os_watch_read(-1, "a.cu"), 0);
    os_watch_remove(-1, -1);
    free(file);
    if (watch < 0) SKIP("nobody tells of saved files here");
}
END_TEST

START_TEST(files_are_renamed_and_exchanged)
{
    put("a", "1"), put("b", "2");
    char *sub = xasprintf("%s/d", folder);
    ck_assert(!mkdir(sub, 0700));
    int from = open(folder, O_RDONLY), to = open(sub, O_RDONLY);
    ck_assert_int_eq(os_rename_new(from, "a", to, "c"), 0);
    ck_assert(holds("a", NULL) && holds("d/c", "1"));
    ck_assert(os_rename_new(from, "b", to, "c") == -1 && errno == EEXIST);
    ck_assert(os_rename_new(from, "a", to, "e") == -1 && errno == ENOENT);
    ck_assert_int_eq(os_exchange(from, "b", to, "c"), 0);
    ck_assert(holds("b", "1") && holds("d/c", "2"));
    ck_assert(os_exchange(from, "a", to, "c") == -1 && errno == ENOENT);
    ck_assert(os_exchange(from, "b", to, "e") == -1 && errno == ENOENT);
    ck_assert(holds("b", "1") && holds("d/c", "2")); /* what failed changed nothing */
    close(from), close(to);
    free(sub);
}
END_TEST

int main(int argc, char **argv)
{
    (void)argc;
    started_as = argv[0];
    Suite *suite = suite_create("os");
    TCase *c = tcase_create("os");
    tcase_set_timeout(c, 0);
    tcase_add_checked_fixture(c, make_folder, drop_folder);
    tcase_add_test(c, words_are_kept_and_cut);
    tcase_add_test(c, programs_are_found);
    tcase_add_test(c, a_program_gets_an_environment_of_its_own);
    tcase_add_test(c, a_program_is_told_how_it_ends);
    tcase_add_test(c, nothing_runs_on);
    tcase_add_test(c, plain_programs_return_their_status);
    tcase_add_test(c, a_directory_is_removed_without_what_its_links_name);
    tcase_add_loop_test(c, a_jail_keeps_to_its_level, JAIL_LIMITS, JAIL_BUBBLEWRAP + 1);
    tcase_add_test(c, an_unknown_level_is_none);
    tcase_add_test(c, system_folders_are_shown);
    tcase_add_test(c, a_cgroup_has_limits_and_leaves_nothing);
    tcase_add_test(c, work_is_ended_at_its_limits);
    tcase_add_test(c, work_that_a_signal_ends_met_no_limit);
    tcase_add_test(c, a_child_prints_as_it_goes);
    tcase_add_test(c, children_cost_processor_time);
    tcase_add_test(c, this_program_has_a_path);
    tcase_add_test(c, data_and_stack_have_a_size);
    tcase_add_test(c, a_process_has_processor_time);
    tcase_add_test(c, descriptors_do_not_outlive_an_exec);
    tcase_add_test(c, a_child_ends_with_its_parent);
    tcase_add_test(c, saved_files_are_seen);
    tcase_add_test(c, files_are_renamed_and_exchanged);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
