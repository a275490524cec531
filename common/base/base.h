/* base.h - what every folder stands on: errors, growing buffers, random numbers, files.
 *
 * Errors: a call that can fail returns 0 on success. On failure it returns -1 and fills the struct err
 * that its caller passed. Only main exits. The text is in the user's terms: it names the file, the value
 * and what to do. It has no newline at its end, and is one line unless it quotes a compiler.
 */
#ifndef LOCKSTEP_BASE_H
#define LOCKSTEP_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>

/* Whose fault it is: who has to act. The program exits with 2 for ERR_USAGE and with 1 for the others. */
enum err_kind {
    ERR_NONE = 0,
    ERR_ENV = 1,     /* the machine: no compiler, full disk, unreadable file */
    ERR_USAGE = 2,   /* the command line: an unknown option, device or lab */
    ERR_LEARNER = 3, /* the kernel: a syntax error, an access out of bounds; grading makes it a result */
};

/* An error on its way to main. Callers own it; nothing in it needs to be freed. */
struct err {
    enum err_kind kind;
    char text[2048];
};

/* Fill *e, if e is not NULL, and return -1: a caller can write return err_set(e, ERR_ENV, "..."). */
int err_set(struct err *e, enum err_kind kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* A bug of the kit: print file, line and message to stderr, and abort. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...) __attribute__((noreturn, format(printf, 3, 4)));

/* Memory: if there is none left, these end the process with one line and this exit status. The caller frees
 * the result with free(). */
enum { EXIT_NO_MEMORY = 71 };
void *xcalloc(size_t count, size_t size);
/* The same p, whose bytes from now on lie in huge pages where they fill some. */
void *memory_huge(void *p, size_t bytes);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A growing byte string. Start it as zeros. data is NULL until something is added, and NUL-terminated
 * from then on; len does not count the NUL. */
struct buf {
    char *data;
    size_t len, cap;
};
void buf_add(struct buf *b, const void *data, size_t len);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Append about three significant digits, without an exponent: "0.372", "17.9", "1120"; "-" if v is not
 * finite. */
void buf_rounded(struct buf *b, double v);
/* Append a number and its noun: "1 block", "16 blocks", "0.5 blocks". buf_noun: the noun alone, of which what
 * follows a / stays: "4" sectors/request. Abbreviations (inst, flop, %) have one form. plural_s: the s alone.
 */
void buf_count(struct buf *b, double n, const char *noun);
void buf_noun(struct buf *b, double n, const char *noun);
const char *plural_s(double n);
void buf_free(struct buf *b);

/* Make text of somebody else's harmless, in place: no escape sequences, no control characters but newline and
 * tab, no bytes that are no UTF-8, nothing that turns the direction of writing. */
void text_clean(struct buf *b);

/* Append one element to a growing array: VEC_PUSH(array, count, capacity) evaluates to a pointer to the
 * new, zeroed element. The caller frees the array with free(). */
#define VEC_PUSH(a, n, cap) \
    ((a) = vec_grow((a), (n), &(cap), sizeof *(a)), &(a)[(n)++])
void *vec_grow(void *a, size_t n, size_t *cap, size_t size);

/* A generator's state. rng_seed fills it in; it must never be all zeros. */
struct rng {
    uint64_t s[4];
};
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform in [0, n); n > 0 */
double rng_unit(struct rng *r);                /* uniform in [0, 1) */
uint64_t rng_secret(void);                     /* a seed from the kernel's entropy */

/* Files. Errors are ERR_ENV.
 *   file_read    reads the whole of a regular file of at most max bytes, and adds a NUL. The caller frees
 *                *data; len may be NULL.
 *   file_read_within   the same for DIRECTORY/NAME of somebody else's: neither a link nor a file with another
 *                name is read. 1: there is no such file.
 *   file_write   writes to a temporary name beside path, syncs it, then renames it: neither a full disk nor
 *                a power cut leaves half a file. A device or a pipe is written to directly.
 *   file_write_scratch   the same without the sync, which takes milliseconds: temporary files, caches. */
int file_read(const char *path, size_t max, char **data, size_t *len, struct err *e);
int file_read_within(
    const char *directory, const char *name, size_t max, char **data, size_t *len, struct err *e);
int file_write(const char *path, const void *data, size_t len, struct err *e);
int file_write_scratch(const char *path, const void *data, size_t len, struct err *e);
int file_exists(const char *path);

double clock_seconds(void); /* monotonic */
double clock_processor_seconds(void); /* of all threads of this process */

int compare_doubles(const void *a, const void *b); /* for qsort, the smaller first */

#endif
