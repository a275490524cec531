/* runtime.c - the start and the end of a program, the lock, errors.
 *
 *     first call ── device_open ──> calls ... ──> exit: report, if requested
 *
 * An error of a call is kept until cudaGetLastError. After a kernel's fault every call fails, as
 * on a GPU. */
#define _GNU_SOURCE
#include "runtime/graph.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct runtime runtime;

enum { NAME_MAX_ = 100 }; /* longest name that is shown in full, in characters */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct api_call *calls;
static cudaError_t last, sticky;
static int at_end;

void runtime_say(const char *fmt, ...)
{
    struct buf b = {0};
    va_list ap;
    char text[2048];
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    buf_printf(&b, "lockstep: %s\n", text);
    fflush(stdout);
    fputs(b.data, stderr);
    buf_free(&b);
}

/* A function's name without its result type and parameters; if it is still too long, also without
 * template arguments. The caller frees it. */
static char *short_name(const char *full)
{
    struct buf out = {0};
    size_t n = strlen(full);
    int depth = 0, brief = n > NAME_MAX_;
    if (!strncmp(full, "void ", 5)) full += 5;
    for (const char *p = full; *p; p++) {
        if (*p == '(' && !depth && strncmp(p, "(anonymous", 10)) break;
        if (*p == '>') depth--;
        if (!depth || !brief) buf_add(&out, p, 1);
        if (*p == '<') depth++;
        if (*p == '<' && brief && depth == 1) buf_printf(&out, "..");
    }
    return out.data ? out.data : xstrdup(full);
}

char *runtime_name(const char *symbol)
{
    static char *(*demangle)(const char *, char *, size_t *, int *);
    if (!demangle) *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    char *full = !strncmp(symbol, "_Z", 2) && demangle ? demangle(symbol, NULL, NULL, NULL) : NULL;
    char *name = full ? short_name(full) : xstrdup(symbol);
    free(full);
    return name;
}

char *runtime_program(const char *name)
{
    static const char *const places[] = {"", "../bin/"};
    struct stat st;
    Dl_info here;
    char *library =
             dladdr((void *)(size_t)runtime_program, &here) ? realpath(here.dli_fname, NULL) : NULL,
         *slash = library ? strrchr(library, '/') : NULL, *found = NULL;
    for (int i = 0; i < 2 && slash && !found; i++) {
        found = xasprintf("%.*s/%s%s", (int)(slash - library), library, places[i], name);
        if (access(found, X_OK) || stat(found, &st) || S_ISDIR(st.st_mode))
            free(found), found = NULL;
    }
    free(library);
    return found;
}

int runtime_run(const char *const *argv, const char *log)
{
    posix_spawn_file_actions_t files;
    pid_t pid;
    int status = -1;
    posix_spawn_file_actions_init(&files);
    if (log) {
        posix_spawn_file_actions_addopen(&files, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        posix_spawn_file_actions_adddup2(&files, 1, 2);
    } else {
        posix_spawn_file_actions_adddup2(&files, 2, 1);
    }
    if (posix_spawn(&pid, argv[0], &files, NULL, (char *const *)argv, environ))
        status = -1;
    else if (waitpid(pid, &status, 0) == pid)
        status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    posix_spawn_file_actions_destroy(&files);
    return status;
}

/* ---- the output of kernels ---- */

/* Text that kernels have printed and that is held back, as on a GPU, until the host waits for the
 * launch. shown: when the first of these launches ends, in modelled milliseconds. */
static struct buf held;
static double shown;
static char *printed; /* what the last launch printed */

static void keep_print(void *context, const char *text)
{
    (void)context;
    free(printed);
    printed = xstrdup(text);
}

static void show(void)
{
    if (held.len) fputs(held.data, stdout);
    buf_free(&held);
}

void runtime_print(double end)
{
    if (printed && (!held.len || end < shown)) shown = end;
    if (printed) buf_printf(&held, "%s", printed);
    free(printed);
    printed = NULL;
    if (end < 0) show();
}

static void tell_held(void)
{
    size_t lines = 0;
    for (const char *p = held.data; p && (p = strchr(p, '\n')); p++) lines++;
    if (held.len)
        runtime_say(
            "%zu line%s that kernels printed: not shown, as on a GPU, since the program ends "
            "without waiting for the kernels, as by cudaDeviceSynchronize()",
            lines, plural_s((double)lines));
}

/* ---- calls that fail ---- */

static struct api_call *current, *failed; /* the call that runs, and the last one that failed */
/* looked: the program has looked at the last error; explained: the reason why the current call
 * fails was printed */
static int looked, explained;

void runtime_refuse(const char *where, const char *fmt, ...)
{
    static char **told;
    static size_t count, cap;
    va_list ap;
    char text[500];
    explained = 1;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    for (size_t i = 0; i < count; i++)
        if (!strcmp(told[i], text)) return;
    *VEC_PUSH(told, count, cap) = xstrdup(text);
    if (!where && current) where = current->name;
    runtime_say("%s%s%s", where ? where : "", where ? ": " : "", text);
}

static void tell_failed(void)
{
    if (failed && last && !sticky && !looked)
        runtime_say("%s returned %s (%s), and the program did not look at it", failed->name,
            cudaGetErrorName(last), cudaGetErrorString(last));
}

static void finish(void)
{
    const char *report = getenv("LOCKSTEP_REPORT");
    if (!runtime.device) return;
    const char *json = getenv("LOCKSTEP_JSON");
    if (report && *report && *report != '0') report_print(calls);
    if (json && *json) report_json(calls, json);
    tell_failed();
    tell_held();
    findings_list();
    profile_missed();
    trace_write();
}

static void note(void *context, const char *file, const struct err *e, unsigned long times)
{
    (void)context;
    findings_add(file, e, times);
}

static int asked(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static cudaError_t open_device(void)
{
    const char *name = getenv("LOCKSTEP_DEVICE"), *check = getenv("LOCKSTEP_CHECK"),
               *count = getenv("LOCKSTEP_COUNT"), *limit = getenv("LOCKSTEP_LIMIT"),
               *order = getenv("LOCKSTEP_ORDER");
    struct err e = {0};
    name = name && *name ? device_meant(name) : device_default();
    if (device_open(name, &runtime.device, &e)) {
        runtime_say("%s", e.text);
        return cudaErrorNoDevice;
    }
    runtime.profile = device_profile(runtime.device);
    if (!runtime.profile) runtime.profile = model_profile_find("h200");
    uint64_t seed = order && !strncmp(order, "random:", 7) ? strtoull(order + 7, NULL, 10) : 0;
    device_settings(runtime.device)->order = seed;
    runtime.limit = limit && atof(limit) > 0 ? atof(limit) : 600;
    runtime.count_all = count && !strcmp(count, "all");
    runtime.reports = asked("LOCKSTEP_REPORT") || asked("LOCKSTEP_JSON") || asked("LOCKSTEP_TRACE");
    runtime.puts_off = device_simulated(name) && !runtime.count_all && !asked("LOCKSTEP_PROFILE") &&
                       !asked("LOCKSTEP_DUMP");
    device_settings(runtime.device)->print = keep_print;
    device_settings(runtime.device)->same_value_ok = 1;
    device_settings(runtime.device)->repeats = 1;
    int off = check && !strcmp(check, "off"), lenient = check && !strcmp(check, "lenient");
    if (!check || strcmp(check, "stop")) device_settings(runtime.device)->note = note;
    device_settings(runtime.device)->unchecked = off;
    device_settings(runtime.device)->lenient = off || lenient;
    if (!at_end) atexit(finish), host_access_watch();
    at_end = 1;
    return cudaSuccess;
}

/* ---- the program's own work between two calls ---- */

/* When the outermost call ended: seconds of the wall clock, processor seconds of its thread, and how
 * often that thread had waited of its own accord, and been held up by others. */
static struct {
    pthread_t thread;
    double wall, processor;
    long waited, held_up;
} left;
static int inside; /* calls that have begun and not ended; one may call another */

static void look(void)
{
    struct rusage r;
    struct timespec t;
    getrusage(RUSAGE_THREAD, &r);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    left.thread = pthread_self();
    left.wall = clock_seconds();
    left.processor = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    left.waited = r.ru_nvcsw;
    left.held_up = r.ru_nivcsw + r.ru_majflt;
}

/* Add to the modelled clock the program's own work since the last call, if it took longer than
 * WORK. The wall clock counts for a thread that waited (a sleep, a file) and was not held up;
 * otherwise its processor time, for another process or another machine may have had the processor. */
static void count_host_work(void)
{
    static const double WORK = 50e-6; /* seconds */
    double wall = left.wall, processor = left.processor;
    long waited = left.waited, held_up = left.held_up;
    pthread_t thread = left.thread;
    if (wall <= 0 || clock_seconds() - wall < WORK) return;
    look();
    int own =
        pthread_equal(thread, left.thread) && (left.held_up != held_up || left.waited == waited);
    double seconds = own ? left.processor - processor : left.wall - wall;
    if (seconds >= WORK) clock_host_work(1e3 * seconds);
}

cudaError_t runtime_enter(struct api_call *c)
{
    pthread_mutex_lock(&lock);
    if (!inside++) count_host_work();
    if (!c->calls++) c->next = calls, calls = c;
    current = c;
    if (sticky) return sticky;
    return runtime.device ? later_ask(c->name) : open_device();
}

cudaError_t runtime_leave(cudaError_t error)
{
    if (error && error != cudaErrorNotReady) last = error, failed = current, looked = explained;
    explained = 0;
    if (!--inside) look();
    if (held.len && clock_waited() >= shown) show();
    pthread_mutex_unlock(&lock);
    return error;
}

void runtime_stick(cudaError_t error) { sticky = error; }

/* ---- names and texts of errors ---- */

static const struct {
    cudaError_t number;
    const char *name, *text;
} errors[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
#define LOCKSTEP_ERROR(name, number, text) {number, "cudaError" #name, text},
#include "cuda/stubs/cuda_errors.h"
};
enum { ERRORS = sizeof errors / sizeof *errors };

API const char *cudaGetErrorString(cudaError_t error)
{
    looked = 1;
    for (int i = 0; i < ERRORS; i++)
        if (errors[i].number == error) return errors[i].text;
    return "unrecognized error code";
}

API const char *cudaGetErrorName(cudaError_t error)
{
    looked = 1;
    for (int i = 0; i < ERRORS; i++)
        if (errors[i].number == error) return errors[i].name;
    return "unrecognized error code";
}

API cudaError_t cudaGetLastError(void)
{
    pthread_mutex_lock(&lock);
    cudaError_t e = sticky ? sticky : last;
    last = cudaSuccess;
    looked = 1;
    pthread_mutex_unlock(&lock);
    return e;
}

API cudaError_t cudaPeekAtLastError(void)
{
    looked = 1;
    return sticky ? sticky : last;
}

/* ---- calls for the whole device ---- */

API cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error;
    ENTER();
    if (capture_forbids(&error)) return runtime_leave(error);
    clock_wait_all();
    return runtime_leave(cudaSuccess);
}

/* Frees memory and modules; the next call loads the modules again. */
API cudaError_t cudaDeviceReset(void)
{
    static struct api_call this_call = {__func__};
    runtime_enter(&this_call);
    sticky = last = cudaSuccess;
    clock_wait_all();
    if (runtime.device) {
        later_drop();
        memory_free_all();
        registry_unload();
    }
    return runtime_leave(cudaSuccess);
}
