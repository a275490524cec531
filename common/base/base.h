/* base.h - used by all folders: errors, growing buffers, random numbers, files.
 *
 * Errors: a call that can fail returns 0 on success. On failure it returns -1 and fills the struct
 * err that its caller passed. Only main exits. The text is in the user's terms: it states the file,
 * the value and what to do. It has no newline at its end, and is one line unless it quotes a
 * compiler. */
#ifndef LOCKSTEP_BASE_H
#define LOCKSTEP_BASE_H

#include <stddef.h>
#include <stdint.h>
#include <stdarg.h>

/* The kit's version; CONTRIBUTING.md describes how a release is made. */
#define LOCKSTEP_VERSION "1.0.0"

/* Who has to correct the error. The program exits with 2 for ERR_USAGE and with 1 for the
 * others. */
enum err_kind {
    ERR_NONE = 0,
    ERR_ENV = 1,   /* the machine: no compiler, full disk, unreadable file */
    ERR_USAGE = 2, /* the command line: an unknown option, device or lab */
    /* the kernel: a syntax error, an access out of bounds; grading reports it as a result */
    ERR_LEARNER = 3,
};

/* What went wrong with a kernel. */
enum finding_kind {
    FOUND_NOTHING,
    /* faults, which end the launch */
    FOUND_OUTSIDE, /* an access outside of its array, or where nothing is allocated */
    FOUND_MISALIGNED,
    FOUND_READ_ONLY,
    FOUND_RACE,
    FOUND_EARLY,    /* shared memory is read before the barrier after which it is filled */
    FOUND_UNFILLED, /* memory is read that nothing fills until the block ends */
    /* an asynchronous copy that is not waited for, or has invalid arguments */
    FOUND_COPY,
    FOUND_PRODUCT, /* a wgmma product that is not waited for, or has invalid arguments */
    FOUND_BARRIER, /* a barrier that not all threads reach, or that is used incorrectly */
    FOUND_LANES,   /* the mask of a warp instruction has a lane that does not execute it */
    FOUND_ENDLESS,
    FOUND_ASSERTION,
    FOUND_TRAP,
    FOUND_FAULT, /* any other fault */
    /* wrong outputs */
    FOUND_NOT_WRITTEN, /* the first wrong element was not written */
    FOUND_NO_NUMBER,   /* the first wrong element is NaN or infinite */
    FOUND_PART,        /* the first wrong element is the sum of only some of the products */
    FOUND_PLACE,       /* the first wrong element has the value that belongs to another element */
    FOUND_INDICES,     /* the first wrong element was computed from other elements of the inputs */
    FOUND_PRECISION,
    FOUND_VALUE,   /* the first wrong element has another value whose cause is known */
    FOUND_UNKNOWN, /* no known mistake explains the first wrong element */
    FOUND_KINDS
};
/* By kind of finding. finding_names: the name in JSON, such as "outside" or "race"; finding_titles:
 * a title, for lists of how often each kind is found. */
extern const char *const finding_names[FOUND_KINDS], *const finding_titles[FOUND_KINDS];

/* Flags for the statements that the learner should look at first. */
enum finding_hint {
    HINT_LOOP = 1, /* a loop ends too early or starts too late */
    HINT_ZERO = 2, /* a sum is set to 0 in the wrong place, or not at all */
    HINT_ZERO_IN_LOOP = 4,
    HINT_NOT_ADDED = 8, /* the source has = where a sum needs += */
    HINT_FLOAT4 = 16,   /* the elements of a float4 are stored at wrong places */
    HINT_GRID = 32,     /* x and y of the grid are swapped */
    HINT_BLOCK = 64,    /* each block writes only part of the elements that it should */
    HINT_BARRIER = 128, /* a __syncthreads() is missing or misplaced */
    HINT_WAITS = 256,   /* a thread waits for ever at a barrier in shared memory */
    HINT_TOLD = 512,    /* the text states the whole cause, so no further search is needed */
};

/* A finding is stored next to its text, in struct err and in results. Code that acts on it reads
 * these fields and never parses the text. Fields that a kind does not use are 0. */
struct finding {
    enum finding_kind kind;
    unsigned hints;       /* bits of enum finding_hint */
    int line, other_line; /* line numbers in the learner's file, from 1 */
    int thread_known;     /* the fields block and thread are set: they name the thread at fault */
    unsigned block[3], thread[3];
    char name[32]; /* name of an array, buffer or input */
    /* index: the first subscript; extent: number of elements of the array `name` */
    long long index, extent;
    int all; /* every element of the output is wrong */
    /* FOUND_PART: only the steps from .. to - 1 of a sum of "of" steps were added */
    long from, to, of;
    /* steps of a tile, if from and to are the same steps of each tile; 0: they are steps of the
     * whole sum */
    long tile;
    long left; /* number of elements at the end that no thread computes */
};

/* Does the finding concern barriers, or errors that they prevent: races, early reads, copies? */
int finding_of_barriers(const struct finding *f);

/* An error on its way to main. Callers own it; none of its members needs to be freed. */
struct err {
    enum err_kind kind;
    struct finding found; /* for ERR_LEARNER: what went wrong with the kernel, if known */
    /* offset in text at which a guess about the cause begins, up to the end; 0: no guess */
    int guess;
    char text[2048];
};

/* Fills *e, if e is not NULL, and returns -1, so that a caller can write return err_set(e, ERR_ENV,
 * "..."). */
int err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* For a bug of the kit: prints file, line and message to stderr, and aborts. */
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
void bug_at(const char *file, int line, const char *fmt, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Memory allocation. If there is no memory left, these functions end the process with one line and
 * this exit status. The caller frees the result with free(). */
enum { EXIT_NO_MEMORY = 71 };
void *xcalloc(size_t count, size_t size);
/* Request huge pages for the memory at p. Returns p. */
void *memory_huge(void *p, size_t bytes);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* A growing byte string; initialize it with zeros. data is NULL until something is added, and
 * NUL-terminated from then on; len excludes the NUL. */
struct buf {
    char *data;
    size_t len, cap;
};
void buf_add(struct buf *b, const void *data, size_t len);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Append v with about three significant digits and without an exponent: "0.372", "17.9", "1120";
 * "-" if v is not finite. */
void buf_rounded(struct buf *b, double v);
/* Append a number and its noun: "1 block", "16 blocks", "0.5 blocks". In "sectors/request" only the
 * part before / gets a plural. Abbreviations (inst, flop, %) have no plural. buf_noun: the noun
 * alone. plural_s: "s" or "". */
void buf_count(struct buf *b, double n, const char *noun);
void buf_noun(struct buf *b, double n, const char *noun);
const char *plural_s(double n);
void buf_free(struct buf *b);

/* Make untrusted text harmless, in place: remove escape sequences, control characters except
 * newline and tab, invalid UTF-8, and characters that change the writing direction. */
void text_clean(struct buf *b);

/* Append an element to a growing array: VEC_PUSH(array, count, capacity) evaluates to a pointer to
 * the new, zeroed element. The caller frees the array with free(). */
#define VEC_PUSH(a, n, cap) ((a) = vec_grow((a), (n), &(cap), sizeof *(a)), &(a)[(n)++])
void *vec_grow(void *a, size_t n, size_t *cap, size_t size);

/* ---- structs described by tables of their members (members.c) ---- */

enum member_kind {
    MEMBER_END, /* the last row of a table */
    MEMBER_INT, /* an int or an enum, with values from 0 to "most" */
    /* one double or, with names, an array of them; any value is allowed, including NAN */
    MEMBER_DOUBLE,
    MEMBER_BYTES,  /* an array of bytes with any content */
    MEMBER_TEXT,   /* char *, which the struct owns; it may be NULL */
    MEMBER_BUF,    /* struct buf, which contains a string */
    MEMBER_STRUCT, /* a struct within the struct */
    /* an array of structs within the struct; its count is an int member, which must have an earlier
     * row */
    MEMBER_ARRAY,
    /* an allocated array, whose bytes may be any; its count is a size_t member, without a row */
    MEMBER_LIST,
};
struct member {
    enum member_kind kind;
    /* offset of the member; size of the member or, for an array or list, of one element; in
     * bytes */
    size_t offset, size;
    int most;                /* for MEMBER_INT: the largest value */
    const struct member *of; /* table of the inner struct, or of an element */
    size_t count;            /* offset of the member that counts the elements */
    const char *key; /* key in JSON; NULL: JSON does not have the member, or other code writes it */
    /* in JSON: names of the values of an int, or of each double; NULL: numbers */
    const char *const *names;
    unsigned keys; /* a bit for each kind of JSON object that contains the key */
};
/* The fields offset and size of a row. MEMBER_EACH: for an array or a list, with the size of one
 * element. */
#define MEMBER_AT(type, member) offsetof(type, member), sizeof(((type *)0)->member)
#define MEMBER_EACH(type, member) offsetof(type, member), sizeof(*((type *)0)->member)

/* Append a struct as bytes. Numbers are copied from memory, so only the same build of the kit can
 * read them. */
void members_write(struct buf *out, const struct member *table, const void *of);
/* The reverse of members_write: read a struct from bytes. -1: the bytes are not valid. In either
 * case every pointer in the table is valid or NULL, and the caller must free what the struct owns.
 * Members without a row keep their values. */
int members_read(const void *bytes, size_t length, const struct member *table, void *of);

/* The state of a random number generator. rng_seed initializes it; it must never be all zeros. */
struct rng {
    uint64_t s[4];
};
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_u64(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* A random number, uniform in [0, n), for n > 0. */
double rng_unit(struct rng *r);                /* A random number, uniform in [0, 1). */
uint64_t rng_secret(void);                     /* A seed from the operating system's entropy. */

/* The hash function FNV-1a of bytes. */
uint64_t hash_bytes(const void *data, size_t length);

/* Files. Errors are ERR_ENV.
 *   file_read           reads a whole regular file of at most max bytes, and adds a NUL. The caller
 *                       frees *data; len may be NULL.
 *   file_read_within    the same for DIRECTORY/NAME that somebody else owns: symbolic links and
 *                       hard-linked files are not read. 1: there is no such file.
 *   file_write          writes a temporary file next to path, syncs it, then renames it: neither a
 *                       full disk nor a power cut leaves half a file. A device or a pipe is
 *                       written to directly.
 *   file_write_scratch  the same without the sync, which takes milliseconds: for caches etc. */
int file_read(const char *path, size_t max, char **data, size_t *len, struct err *e);
int file_read_within(
    const char *directory, const char *name, size_t max, char **data, size_t *len, struct err *e);
int file_write(const char *path, const void *data, size_t len, struct err *e);
int file_write_scratch(const char *path, const void *data, size_t len, struct err *e);
int file_exists(const char *path);

double clock_seconds(void);           /* a monotonic clock */
double clock_processor_seconds(void); /* processor time of all threads of this process */

/* Compares two doubles for qsort, in ascending order. */
int compare_doubles(const void *a, const void *b);

#endif
