/* base.h - what every folder stands on: errors, growing buffers, random numbers, files.
 *
 * Errors: a call that can fail returns 0 on success. On failure it returns -1 and fills the struct
 * err that its caller passed. Only main exits. The text is in the user's terms: it names the file,
 * the value and what to do. It has no newline at its end, and is one line unless it quotes a
 * compiler.
 */
#ifndef LOCKSTEP_BASE_H
#define LOCKSTEP_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>

/* The kit's version; CONTRIBUTING.md says how a release is made. */
#define LOCKSTEP_VERSION "1.0.0"

/* Whose fault it is: who has to act. The program exits with 2 for ERR_USAGE and with 1 for the
 * others. */
enum err_kind {
    ERR_NONE = 0,
    ERR_ENV = 1,   /* the machine: no compiler, full disk, unreadable file */
    ERR_USAGE = 2, /* the command line: an unknown option, device or lab */
    /* the kernel: a syntax error, an access out of bounds; grading makes it a result */
    ERR_LEARNER = 3,
};

/* What went wrong with a kernel. */
enum finding_kind {
    FOUND_NOTHING,
    /* faults: the launch ended */
    FOUND_OUTSIDE, /* an access outside of its array, or where nothing is allocated */
    FOUND_MISALIGNED,
    FOUND_READ_ONLY,
    FOUND_RACE,
    FOUND_EARLY,    /* shared memory is read before the barrier behind which it is filled */
    FOUND_UNFILLED, /* memory is read that nothing fills before the block ends */
    /* an asynchronous copy has not been waited for, or is asked for wrongly */
    FOUND_COPY,
    FOUND_PRODUCT, /* a product of wgmma has not been waited for, or is asked for wrongly */
    FOUND_BARRIER, /* a barrier that not all threads reach, or that is used wrongly */
    FOUND_LANES,   /* a warp instruction names a lane that does not take part */
    FOUND_ENDLESS,
    FOUND_ASSERTION,
    FOUND_TRAP,
    FOUND_FAULT, /* any other */
    /* wrong outputs */
    FOUND_NOT_WRITTEN, /* the first wrong element was not written */
    FOUND_NO_NUMBER,   /* it is NaN or infinite */
    FOUND_PART,        /* the sum of only some of the products */
    FOUND_PLACE,       /* a right value in the wrong place */
    FOUND_INDICES,     /* made of other elements of the inputs */
    FOUND_PRECISION,
    FOUND_VALUE,   /* another value that can be named */
    FOUND_UNKNOWN, /* nothing that the kit knows gives the value */
    FOUND_KINDS
};
/* "outside", "race", as in JSON; and a title of each, for counting how often it is found. */
extern const char *const finding_names[FOUND_KINDS], *const finding_titles[FOUND_KINDS];

/* A set of flags: the statements to look at first. */
enum finding_hint {
    HINT_LOOP = 1, /* a loop ends early or starts late */
    HINT_ZERO = 2, /* a sum is set to 0 in the wrong place, or not at all */
    HINT_ZERO_IN_LOOP = 4,
    HINT_NOT_ADDED = 8, /* = where a sum needs += */
    HINT_FLOAT4 = 16,   /* the elements of a float4 that is stored */
    HINT_GRID = 32,     /* x and y of the grid are swapped */
    HINT_BLOCK = 64,    /* each block writes a part of what it covers */
    HINT_BARRIER = 128, /* a __syncthreads() is missing, or stands elsewhere */
    HINT_WAITS = 256,   /* a thread waits forever at a barrier in shared memory */
};

/* A finding is stored beside its text, in struct err and in results. Code that acts on it reads
 * these fields and never parses the text. Fields that a kind does not use are 0. */
struct finding {
    enum finding_kind kind;
    unsigned hints;       /* enum finding_hint */
    int line, other_line; /* in the learner's file, from 1 */
    int thread_known;     /* block and thread are the ones at fault */
    unsigned block[3], thread[3];
    char name[32];           /* an array, a buffer or an input */
    long long index, extent; /* the first subscript, and how many elements name has */
    int all;                 /* every element of the output is wrong */
    /* FOUND_PART: steps from .. to - 1 were done, of a sum of `of` steps */
    long from, to, of;
    long tile; /* steps of a tile, if from and to count in each tile; 0: they do not */
    long left; /* how many elements at the end have no thread */
};

/* Does the finding concern barriers, or what they order: races, early reads, copies? */
int finding_of_barriers(const struct finding *f);

/* An error on its way to main. Callers own it; nothing in it needs to be freed. */
struct err {
    enum err_kind kind;
    struct finding found; /* for ERR_LEARNER, if it is known */
    /* offset in text of a guess at the cause, which extends to its end; 0: no guess */
    int guess;
    char text[2048];
};

/* Fill *e, if e is not NULL, and return -1: a caller can write return err_set(e, ERR_ENV,
 * "..."). */
int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* A bug of the kit: print file, line and message to stderr, and abort. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Memory: if there is none left, these end the process with one line and this exit status. The
 * caller frees the result with free(). */
enum { EXIT_NO_MEMORY = 71 };
void *xcalloc(size_t count, size_t size);
/* Ask for huge pages for the memory at p. Returns p. */
void *memory_huge(void *p, size_t bytes);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A growing byte string. Start it as zeros. data is NULL until something is added, and
 * NUL-terminated from then on; len does not count the NUL. */
struct buf {
    char *data;
    size_t len, cap;
};
void buf_add(struct buf *b, const void *data, size_t len);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Append about three significant digits, without an exponent: "0.372", "17.9", "1120"; "-" if v is
 * not finite. */
void buf_rounded(struct buf *b, double v);
/* Append a number and its noun: "1 block", "16 blocks", "0.5 blocks". In "sectors/request" only the
 * part before / is counted. Abbreviations (inst, flop, %) have one form. buf_noun: the noun alone.
 * plural_s: the s alone. */
void buf_count(struct buf *b, double n, const char *noun);
void buf_noun(struct buf *b, double n, const char *noun);
const char *plural_s(double n);
void buf_free(struct buf *b);

/* Make untrusted text harmless, in place: remove escape sequences, control characters except
 * newline and tab, invalid UTF-8, and characters that change the writing direction. */
void text_clean(struct buf *b);

/* Append one element to a growing array: VEC_PUSH(array, count, capacity) evaluates to a pointer to
 * the new, zeroed element. The caller frees the array with free(). */
#define VEC_PUSH(a, n, cap) ((a) = vec_grow((a), (n), &(cap), sizeof *(a)), &(a)[(n)++])
void *vec_grow(void *a, size_t n, size_t *cap, size_t size);

/* ---- structs described by tables of their members (members.c) ---- */

enum member_kind {
    MEMBER_END,    /* the last row of a table */
    MEMBER_INT,    /* an int or an enum, from 0 to most */
    MEMBER_DOUBLE, /* one or, with names, several; any value is allowed, NAN too */
    MEMBER_BYTES,  /* bytes with any content */
    MEMBER_TEXT,   /* char *, which the struct owns; may be NULL */
    MEMBER_BUF,    /* struct buf that holds a string */
    MEMBER_STRUCT, /* a struct within the struct */
    /* an array of structs within the struct; count is an int, and has a row before this one */
    MEMBER_ARRAY,
    /* an allocated array whose bytes may be any; count is a size_t, without a row */
    MEMBER_LIST,
};
struct member {
    enum member_kind kind;
    size_t offset, size;     /* in bytes; size of an array or a list: of one element */
    int most;                /* MEMBER_INT */
    const struct member *of; /* the table of the inner struct, or of an element */
    size_t count;            /* the offset of the number of elements */
    const char *key;         /* in JSON; NULL: JSON does not have it, or not in this form */
    /* in JSON: of the values of an int, or of each double; NULL: numbers */
    const char *const *names;
    unsigned keys; /* a bit for each kind of JSON that has the key */
};
/* Offset and size in a row; MEMBER_EACH: of an array or a list. */
#define MEMBER_AT(type, member) offsetof(type, member), sizeof(((type *)0)->member)
#define MEMBER_EACH(type, member) offsetof(type, member), sizeof(*((type *)0)->member)

/* Append a struct as bytes. Numbers stand as in memory: only the same build of the kit can read
 * them. */
void members_write(struct buf *out, const struct member *table, const void *of);
/* The reverse. -1: the bytes are something else. In either case every pointer of the table is valid
 * or NULL, and the caller frees what the struct owns. What the table leaves out keeps its value. */
int members_read(const void *bytes, size_t length, const struct member *table, void *of);

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

double clock_seconds(void);           /* monotonic */
double clock_processor_seconds(void); /* of all threads of this process */

int compare_doubles(const void *a, const void *b); /* for qsort, the smaller first */

#endif
