/* cache.c - counts the lines that a learner's C brings into a cache.
 *
 * gcc -fsanitize=thread calls a function of a fixed name before each access to memory that another
 * thread could see. Here these functions look the address up in a cache of our own, the same on
 * every machine: 256 KiB, 64 bytes a line, 8 lines a set, the least recently used one is replaced.
 * runner.c includes this file. In a program without -fsanitize=thread nothing calls them. */
#include <stdint.h>
#include <stddef.h>

enum { LINE = 64, WAYS = 8, SETS = 256 * 1024 / LINE / WAYS };

static struct {
    uint64_t line[SETS][WAYS]; /* lines in each set, most recently used first; 0: free */
    uint64_t last;             /* line of the previous access */
    uint64_t lines;            /* number of lines that were brought in */
} cache;

static void touch_line(uint64_t line)
{
    /* a hash spreads the lines over the sets, so that rows a power of two apart do not all fall
     * into one set */
    uint64_t *set = cache.line[line * 0x9e3779b97f4a7c15u >> 40 & (SETS - 1)], moved = line;
    if (line == cache.last) return;
    cache.last = line;
    for (int i = 0; i < WAYS; i++) {
        uint64_t next = set[i];
        set[i] = moved, moved = next;
        if (next == line) return;
    }
    cache.lines++;
}

static void touch(const void *from, uint64_t bytes)
{
    uint64_t first = (uintptr_t)from / LINE, last = ((uintptr_t)from + bytes - 1) / LINE;
    for (uint64_t line = first; bytes && line <= last; line++) touch_line(line);
}

/* The functions that gcc calls before each access to memory; below, those for the start of the
 * program and for the begin and end of functions. */
#define ACCESS(name, bytes) \
    void __tsan_##name(const void *at); \
    void __tsan_##name(const void *at) { touch(at, bytes); }
#define ACCESSES(name) \
    ACCESS(name##1, 1) ACCESS(name##2, 2) ACCESS(name##4, 4) ACCESS(name##8, 8) ACCESS(name##16, 16)
#define RANGE(name) \
    void __tsan_##name(const void *at, unsigned long bytes); \
    void __tsan_##name(const void *at, unsigned long bytes) { touch(at, bytes); }
ACCESSES(read)
ACCESSES(write)
ACCESSES(unaligned_read)
ACCESSES(unaligned_write)
ACCESSES(volatile_read)
ACCESSES(volatile_write)
RANGE(read_range)
RANGE(write_range)
void __tsan_init(void);
void __tsan_init(void) {}
void __tsan_func_entry(const void *caller);
void __tsan_func_entry(const void *caller) { (void)caller; }
void __tsan_func_exit(void);
void __tsan_func_exit(void) {}

/* memcpy and the like: the linker (--wrap) makes a counted program call these functions instead of
 * the C library's. */
static void *copied(void *to, const void *from, size_t bytes)
{
    /* volatile: this loop must not become a call of memmove */
    volatile unsigned char *t = to;
    const unsigned char *f = from;
    touch(from, bytes), touch(to, bytes);
    if (to <= from)
        for (size_t i = 0; i < bytes; i++) t[i] = f[i];
    else
        for (size_t i = bytes; i-- > 0;) t[i] = f[i];
    return to;
}
void *__wrap_memcpy(void *to, const void *from, size_t bytes);
void *__wrap_memcpy(void *to, const void *from, size_t bytes) { return copied(to, from, bytes); }
void *__wrap_memmove(void *to, const void *from, size_t bytes);
void *__wrap_memmove(void *to, const void *from, size_t bytes) { return copied(to, from, bytes); }
void *__wrap_mempcpy(void *to, const void *from, size_t bytes);
void *__wrap_mempcpy(void *to, const void *from, size_t bytes)
{
    return (char *)copied(to, from, bytes) + bytes;
}
void __wrap_bcopy(const void *from, void *to, size_t bytes);
void __wrap_bcopy(const void *from, void *to, size_t bytes) { copied(to, from, bytes); }
void *__wrap_memset(void *to, int byte, size_t bytes);
void *__wrap_memset(void *to, int byte, size_t bytes)
{
    volatile unsigned char *p = to;
    touch(to, bytes);
    for (size_t i = 0; i < bytes; i++) p[i] = (unsigned char)byte;
    return to;
}
