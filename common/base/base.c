/* base.c - implements base.h: errors, growing buffers, random numbers and files. */
#define _GNU_SOURCE
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#ifndef O_PATH
#define O_PATH O_RDONLY /* it also needs the right to list the folder */
#endif

const char *const finding_names[FOUND_KINDS] = {"nothing", "outside", "misaligned", "read_only",
    "race", "early", "unfilled", "copy", "product", "barrier", "lanes", "endless", "assertion",
    "trap", "fault", "not_written", "no_number", "part", "place", "indices", "precision", "value",
    "unknown"};

const char *const finding_titles[FOUND_KINDS] = {
    [FOUND_NOTHING] = "nothing",
    [FOUND_OUTSIDE] = "accesses what lies outside of an array",
    [FOUND_MISALIGNED] = "accesses an address that is no multiple of the access's size",
    [FOUND_READ_ONLY] = "writes an input",
    [FOUND_RACE] = "a race: two threads touch one element, with no barrier between the two",
    [FOUND_EARLY] = "reads shared memory before it is filled",
    [FOUND_UNFILLED] = "reads memory that nothing fills",
    [FOUND_COPY] = "an asynchronous copy is not waited for, or asked for wrongly",
    [FOUND_PRODUCT] = "a product of a warpgroup is not waited for, or asked for wrongly",
    [FOUND_BARRIER] = "a barrier that not all threads reach, or that is used wrongly",
    [FOUND_LANES] = "an instruction of a warp without all lanes that it names",
    [FOUND_ENDLESS] = "does not end",
    [FOUND_ASSERTION] = "fails an assertion",
    [FOUND_TRAP] = "stops itself",
    [FOUND_FAULT] = "fails on the device",
    [FOUND_NOT_WRITTEN] = "leaves elements of the output unwritten",
    [FOUND_NO_NUMBER] = "writes NaN or infinity",
    [FOUND_PART] = "leaves out a part of a sum",
    [FOUND_PLACE] = "writes right values to the wrong place",
    [FOUND_INDICES] = "takes other elements of its inputs",
    [FOUND_PRECISION] = "is less precise than its inputs",
    [FOUND_VALUE] = "writes wrong values of one pattern",
    [FOUND_UNKNOWN] = "writes wrong values",
};

int finding_of_barriers(const struct finding *f)
{
    return f->kind == FOUND_RACE || f->kind == FOUND_EARLY || f->kind == FOUND_BARRIER ||
           f->kind == FOUND_COPY || f->hints & HINT_WAITS;
}

int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
    if (!e) return -1;
    va_list ap;
    va_start(ap, fmt);
    e->kind = kind;
    e->found = (struct finding){0};
    e->guess = 0;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    return -1;
}

void bug_at(const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "lockstep: a bug of ours, please report it: %s:%d: ", file, line);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    abort();
}

/* Checks the result of an allocation. If it failed, the process cannot continue, so it ends here
 * with one line. */
static void *need(void *p)
{
    if (!p) {
        fputs("lockstep: out of memory\n", stderr);
        _exit(EXIT_NO_MEMORY);
    }
    return p;
}

/* Arrays of megabytes should be in huge pages: a grading touches gigabytes of new memory. */
void *memory_huge(void *p, size_t bytes)
{
    static const uintptr_t HUGE = 2 << 20;
    uintptr_t first = ((uintptr_t)p + HUGE - 1) / HUGE * HUGE,
              end = ((uintptr_t)p + bytes) / HUGE * HUGE;
#ifdef MADV_HUGEPAGE
    if (p && first < end) madvise((char *)p + (first - (uintptr_t)p), end - first, MADV_HUGEPAGE);
#endif
    (void)first, (void)end;
    return p;
}

/* A size of zero is rounded up to one, since calloc(0) may return NULL. */
void *xcalloc(size_t count, size_t size)
{
    void *p = need(calloc(count ? count : 1, size ? size : 1));
    return count && size ? memory_huge(p, count * size) : p;
}

void *xrealloc(void *p, size_t size)
{
    return memory_huge(need(realloc(p, size ? size : 1)), size);
}

char *xstrdup(const char *s) { return need(strdup(s)); }

char *xstrndup(const char *s, size_t n) { return need(strndup(s, n)); }

char *xasprintf(const char *fmt, ...)
{
    va_list ap;
    char *s = NULL;
    va_start(ap, fmt);
    if (vasprintf(&s, fmt, ap) < 0) s = NULL;
    va_end(ap);
    return need(s);
}

/* Make room for "more" bytes and a NUL. The capacity doubles, so appending n bytes one by one
 * copies O(n) bytes. */
static void buf_reserve(struct buf *b, size_t more)
{
    if (b->len + more + 1 <= b->cap) return;
    b->cap = (b->len + more + 1) * 2;
    b->data = xrealloc(b->data, b->cap);
}

void buf_add(struct buf *b, const void *data, size_t len)
{
    buf_reserve(b, len);
    if (len) memcpy(b->data + b->len, data, len);
    b->len += len;
    b->data[b->len] = 0;
}

/* The text is formatted twice: first to find its length, then into the reserved space. */
void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0) BUG("bad format %s", fmt);
    buf_reserve(b, (size_t)n);
    vsnprintf(b->data + b->len, (size_t)n + 1, fmt, again);
    b->len += (size_t)n;
    va_end(again);
    va_end(ap);
}

/* The thresholds are where rounding would add a digit: 9.995 is printed as 10.0, not as 9.99 or
 * 10.00. */
void buf_rounded(struct buf *out, double v)
{
    if (!isfinite(v))
        buf_printf(out, "-");
    else
        buf_printf(out, "%.*f",
            v >= 99.95     ? 0
            : v >= 9.995   ? 1
            : v >= 0.9995  ? 2
            : v >= 0.09995 ? 3
                           : 4,
            v);
}

const char *plural_s(double n) { return n == 1 ? "" : "s"; }

void buf_noun(struct buf *b, double n, const char *noun)
{
    static const char *const one_form[] = {"inst", "flop", "%"};
    size_t length = strcspn(noun, "/");
    int single = n == 1;
    for (size_t i = 0; i < sizeof one_form / sizeof *one_form; i++)
        single |= length == strlen(one_form[i]) && !strncmp(noun, one_form[i], length);
    char last = length ? noun[length - 1] : 0;
    int ies = !single && last == 'y', es = !single && last == 's';
    buf_printf(b, "%.*s%s%s", (int)length - ies, noun,
        ies      ? "ies"
        : es     ? "es"
        : single ? ""
                 : "s",
        noun + length);
}

void buf_count(struct buf *b, double n, const char *noun)
{
    buf_printf(b, n == floor(n) ? "%.0f " : "%.3g ", n);
    buf_noun(b, n, noun);
}

void buf_free(struct buf *b)
{
    free(b->data);
    *b = (struct buf){0};
}

/* Make room for element n of an array whose elements have "size" bytes, and fill it with zeros. The
 * array may move. */
void *vec_grow(void *a, size_t n, size_t *cap, size_t size)
{
    if (n == *cap) {
        *cap = *cap ? *cap * 2 : 8;
        a = xrealloc(a, *cap * size);
    }
    memset((char *)a + n * size, 0, size);
    return a;
}

/* The next number of splitmix64 (Steele, Lea, Flood 2014). It expands one 64-bit seed to the four
 * words of xoshiro256**, whose state must not be all zeros. */
static uint64_t splitmix64(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void rng_seed(struct rng *r, uint64_t seed)
{
    for (int i = 0; i < 4; i++) r->s[i] = splitmix64(&seed);
}

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* The generator xoshiro256** 1.0 (Blackman, Vigna 2018). */
uint64_t rng_u64(struct rng *r)
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

/* The high half of a 128-bit product (Lemire 2019) without its rejection step: the bias is at most
 * n / 2^64. */
uint64_t rng_below(struct rng *r, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)rng_u64(r) * n) >> 64);
}

/* The upper 53 bits: the precision of a double's significand. */
double rng_unit(struct rng *r) { return (double)(rng_u64(r) >> 11) * 0x1p-53; }

/* If the operating system has no entropy available, the clock and the process id are used
 * instead. */
uint64_t rng_secret(void)
{
    uint64_t seed = 0;
    if (getentropy(&seed, sizeof seed))
        seed = (uint64_t)(clock_seconds() * 1e9) ^ ((uint64_t)getpid() << 40);
    return seed;
}

uint64_t hash_bytes(const void *data, size_t length)
{
    const unsigned char *bytes = data;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) h = (h ^ bytes[i]) * 0x100000001b3u;
    return h;
}

/* Read an open file and close fd. path: for messages. If the file shrinks while it is read, the
 * result is as much as could be read. */
static int read_open(int fd, const char *path, size_t max, char **data, size_t *len, struct err *e)
{
    struct stat st;
    int bad = fstat(fd, &st) || !S_ISREG(st.st_mode);
    if (bad)
        err_set(e, ERR_ENV, "%s: is not a regular file", path);
    else if ((bad = (uint64_t)st.st_size > max))
        err_set(e, ERR_ENV, "%s: has %lld bytes; at most %zu are read", path, (long long)st.st_size,
            max);
    size_t n = 0;
    char *p = bad ? NULL : xcalloc((size_t)st.st_size + 1, 1);
    for (ssize_t got = 1; !bad && got && n < (size_t)st.st_size;) {
        got = read(fd, p + n, (size_t)st.st_size - n);
        if (got >= 0)
            n += (size_t)got;
        else if (errno != EINTR)
            bad = err_set(e, ERR_ENV, "%s: cannot be read: %s", path, strerror(errno));
    }
    close(fd);
    if (bad)
        free(p);
    else
        *data = p;
    if (!bad && len) *len = n;
    return bad ? -1 : 0;
}

/* O_NONBLOCK keeps open() from waiting for a writer if the path is a named pipe. */
int file_read(const char *path, size_t max, char **data, size_t *len, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return err_set(e, ERR_ENV, "%s: cannot be read: %s", path, strerror(errno));
    return read_open(fd, path, max, data, len, e);
}

/* Each directory of the name is opened relative to the previous one, so no part of the path can be
 * replaced meanwhile. */
int file_read_within(
    const char *directory, const char *name, size_t max, char **data, size_t *len, struct err *e)
{
    int fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct stat st;
    char *path = xasprintf("%s/%s", directory, name), *rest = xstrdup(name), *word = rest,
         *next = rest;
    int missing = 0, bad = 0;
    while (!bad && !missing && (word = strsep(&next, "/"))) {
        int in = fd < 0 ? -1
                        : openat(fd, word,
                              O_CLOEXEC | O_NOFOLLOW |
                                  (next ? O_PATH | O_DIRECTORY : O_RDONLY | O_NONBLOCK));
        int why = errno;
        if (in < 0 && fd >= 0 && !fstatat(fd, word, &st, AT_SYMLINK_NOFOLLOW) &&
            S_ISLNK(st.st_mode))
            bad = err_set(
                e, ERR_ENV, "%s: %s is a symbolic link, and links are not followed", path, word);
        else if (in < 0 && why == ENOENT)
            missing = 1;
        else if (in < 0)
            bad = err_set(e, ERR_ENV, "%s: cannot be read: %s", path, strerror(why));
        if (fd >= 0) close(fd);
        fd = in;
    }
    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_nlink > 1) {
        bad = err_set(e, ERR_ENV, "%s: is a hard link: the file has another name", path);
        close(fd);
    } else if (fd >= 0) {
        bad = read_open(fd, path, max, data, len, e);
    }
    free(path);
    free(rest);
    return bad ? -1 : missing;
}

/* Write all bytes: write() may write only a part, or be interrupted by a signal. -1: errno has the
 * reason. */
static int write_all(int fd, const char *data, size_t len)
{
    for (size_t n = 0; n < len;) {
        ssize_t put = write(fd, data + n, len - n);
        if (put < 0 && errno != EINTR) return -1;
        n += put > 0 ? (size_t)put : 0;
    }
    return 0;
}

/* Write a temporary file next to path, then rename it, which replaces the old file atomically. */
static int write_whole(const char *path, const void *data, size_t len, int sync, struct err *e)
{
    struct stat st;
    /* A device or a pipe is written to, never replaced. */
    int replaces = stat(path, &st) || S_ISREG(st.st_mode);
    char *tmp = replaces ? xasprintf("%s.tmp%d", path, (int)getpid()) : xstrdup(path);
    int fd = open(tmp, O_WRONLY | O_CLOEXEC | (replaces ? O_CREAT | O_TRUNC : 0), 0666);
    int bad = fd < 0 || write_all(fd, data, len) || (replaces && sync && fsync(fd)), why = errno;
    if (fd >= 0 && close(fd) && !bad) {
        bad = 1;
        why = errno;
    }
    if (!bad && replaces && rename(tmp, path)) {
        bad = 1;
        why = errno;
    }
    if (bad && replaces) unlink(tmp);
    free(tmp);
    return bad ? err_set(e, ERR_ENV, "%s: cannot be written: %s", path, strerror(why)) : 0;
}

int file_write(const char *path, const void *data, size_t len, struct err *e)
{
    return write_whole(path, data, len, 1, e);
}

int file_write_scratch(const char *path, const void *data, size_t len, struct err *e)
{
    return write_whole(path, data, len, 0, e);
}

int file_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

double clock_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
