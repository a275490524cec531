/* test_base.c - errors, buffers, random numbers, files. */
#include "base/base.h"
#include "suite.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- errors, buffers ---- */

START_TEST(errors_hold_a_kind_and_a_line)
{
    struct err e = {0};
    ck_assert_int_eq(err_set(&e, ERR_USAGE, "%s: %d", "x", 7), -1);
    ck_assert_int_eq(e.kind, ERR_USAGE);
    ck_assert_str_eq(e.text, "x: 7");
    e.guess = 3, e.found.line = 5;
    err_set(&e, ERR_ENV, "another");
    ck_assert(!e.guess && !e.found.line && e.kind == ERR_ENV);
    ck_assert_int_eq(err_set(NULL, ERR_ENV, "nobody listens"), -1);
    char *lengthy = xcalloc(10000, 1);
    memset(lengthy, 'y', 9999);
    err_set(&e, ERR_LEARNER, "%s", lengthy);
    ck_assert_uint_lt(strlen(e.text), sizeof e.text);
    ck_assert_uint_gt(strlen(e.text), sizeof e.text / 2);
    free(lengthy);
}
END_TEST

START_TEST(an_error_may_quote_the_one_it_replaces)
{
    struct err e = {0};
    err_set(&e, ERR_ENV, "disk full");
    struct err inner = e;
    err_set(&e, ERR_USAGE, "out.json: %s", inner.text);
    ck_assert_str_eq(e.text, "out.json: disk full");
}
END_TEST

START_TEST(findings_of_barriers)
{
    for (int kind = 0; kind < FOUND_KINDS; kind++) {
        struct finding f = {.kind = (enum finding_kind)kind, .hints = HINT_LOOP | HINT_TOLD};
        int is = kind == FOUND_RACE || kind == FOUND_EARLY || kind == FOUND_BARRIER ||
                 kind == FOUND_COPY;
        ck_assert_msg(!finding_of_barriers(&f) == !is, "%s", finding_names[kind]);
        f.hints = HINT_WAITS;
        ck_assert_msg(finding_of_barriers(&f), "%s that waits", finding_names[kind]);
    }
}
END_TEST

START_TEST(buffers_grow)
{
    struct buf b = {0};
    buf_add(&b, "", 0);
    for (int i = 0; i < 10000; i++) buf_printf(&b, "%d,", i);
    ck_assert_uint_eq(b.len, 10 * 2 + 90 * 3 + 900 * 4 + 9000 * 5);
    ck_assert_uint_eq(strlen(b.data), b.len);
    ck_assert(!strncmp(b.data, "0,1,2,", 6));
    size_t before = b.len;
    buf_add(&b, "a\0b", 3);
    ck_assert_mem_eq(b.data + before, "a\0b\0", 4);
    buf_free(&b);
    ck_assert_ptr_null(b.data);
    ck_assert_uint_eq(b.len, 0);
}
END_TEST

/* Does the kernel hold this memory to be for huge pages? -1: it says nothing of it. */
static int is_for_huge_pages(const void *p)
{
    FILE *f = fopen("/proc/self/smaps", "r");
    int within = 0, huge = -1;
    for (char line[512]; f && huge < 0 && fgets(line, sizeof line, f);) {
        unsigned long first, end;
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
            within = (unsigned long)p >= first && (unsigned long)p < end;
        if (within && !strncmp(line, "VmFlags:", 8)) huge = strstr(line, " hg") != NULL;
    }
    if (f) fclose(f);
    return huge;
}

/* Of an array, the whole huge pages in it; no other memory. */
START_TEST(large_arrays_are_in_huge_pages)
{
    enum { MIB = 1 << 20 };
    char *p = mmap(NULL, 12 * MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ck_assert(p != MAP_FAILED);
    char *even = p + (2 * MIB - (uintptr_t)p % (2 * MIB)) % (2 * MIB); /* a huge page's begin */
    ck_assert_ptr_eq(memory_huge(even + 10, 10), even + 10);           /* no such page */
    ck_assert_int_le(is_for_huge_pages(even), 0);
    ck_assert_ptr_eq(memory_huge(even + 10, 6 * MIB), even + 10);
    int middle = is_for_huge_pages(even + 2 * MIB);
    ck_assert_int_le(is_for_huge_pages(even + 2 * MIB - 1), 0);
    ck_assert_int_eq(is_for_huge_pages(even + 6 * MIB - 1), middle);
    ck_assert_int_le(is_for_huge_pages(even + 6 * MIB), 0);
    ck_assert_ptr_null(memory_huge(NULL, 0));
    munmap(p, 12 * MIB);
    if (middle < 1 && access("/sys/kernel/mm/transparent_hugepage", F_OK))
        SKIP("this machine has no huge pages for whom asks");
    ck_assert_int_eq(middle, 1);
}
END_TEST

START_TEST(numbers_have_their_nouns)
{
    static const struct {
        double n;
        const char *noun, *text;
    } rows[] = {{1, "block", "1 block"}, {16, "block", "16 blocks"}, {0, "block", "0 blocks"},
        {1.5, "wave", "1.5 waves"}, {1, "sector/request", "1 sector/request"},
        {4, "sector/request", "4 sectors/request"}, {2, "copy", "2 copies"},
        {2, "address", "2 addresses"}, {32768, "inst", "32768 inst"},
        {18.34, "thread/inst", "18.3 threads/inst"}, {97, "%", "97 %"}, {3, "flop", "3 flop"},
        {2, "inst/warp", "2 inst/warp"}, {2, "in", "2 ins"}, {2, "pass", "2 passes"},
        {1, "pass", "1 pass"}, {1, "copy", "1 copy"}, {2, "", "2 s"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b = {0};
        buf_count(&b, rows[i].n, rows[i].noun);
        ck_assert_str_eq(b.data, rows[i].text);
        buf_free(&b);
    }
}
END_TEST

/* Three significant digits, also where rounding carries; whole numbers are not shortened, and there
 * are at most four decimals. */
START_TEST(numbers_have_three_digits)
{
    static const struct {
        double v;
        const char *text;
    } rows[] = {{1234.5, "1234"}, {99.95, "100"}, {99.94, "99.9"}, {9.995, "10.0"}, {9.994, "9.99"},
        {0.9995, "1.00"}, {0.9994, "0.999"}, {0.09995, "0.100"}, {0.09994, "0.0999"},
        {0.00123, "0.0012"}, {0, "0.0000"}, {NAN, "-"}, {-INFINITY, "-"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b = {0};
        buf_rounded(&b, rows[i].v);
        ck_assert_str_eq(b.data, rows[i].text);
        buf_free(&b);
    }
}
END_TEST

START_TEST(vectors_grow_with_zeros)
{
    struct item {
        int x;
        void *p;
    } *items = NULL;
    size_t n = 0, cap = 0;
    for (int i = 0; i < 1000; i++) {
        struct item *it = VEC_PUSH(items, n, cap);
        ck_assert_int_eq(it->x, 0);
        ck_assert_ptr_null(it->p);
        *it = (struct item){i, items};
    }
    ck_assert_uint_eq(n, 1000);
    for (int i = 0; i < 1000; i++) ck_assert_int_eq(items[i].x, i);
    free(items);
}
END_TEST

START_TEST(strings_are_copied)
{
    char *a = xstrdup("abc"), *b = xstrndup("abcdef", 2), *c = xasprintf("%s-%d", a, 5),
         *d = xstrndup("x", 9);
    ck_assert_str_eq(a, "abc");
    ck_assert_str_eq(b, "ab");
    ck_assert_str_eq(c, "abc-5");
    ck_assert_str_eq(d, "x");
    free(a);
    free(b);
    free(c);
    free(d);
}
END_TEST

START_TEST(our_own_bug_aborts)
{
    freopen("/dev/null", "w", stderr);
    BUG("on purpose");
}
END_TEST

/* ---- random numbers ---- */

START_TEST(the_same_seed_gives_the_same_numbers)
{
    struct rng a, b;
    rng_seed(&a, 42);
    rng_seed(&b, 42);
    for (int i = 0; i < 1000; i++) ck_assert_uint_eq(rng_u64(&a), rng_u64(&b));
    rng_seed(&b, 43);
    int same = 0;
    for (int i = 0; i < 1000; i++) same += rng_u64(&a) == rng_u64(&b);
    ck_assert_int_eq(same, 0);
    /* xoshiro256** from splitmix64(0), as computed from its published definition */
    rng_seed(&a, 0);
    ck_assert_uint_eq(rng_u64(&a), 0x99ec5f36cb75f2b4u);
    ck_assert_uint_eq(rng_u64(&a), 0xbf6e1f784956452au);
    for (int i = 2; i < 99; i++) rng_u64(&a);
    ck_assert_uint_eq(rng_u64(&a), 0x3cb72d021fba219cu); /* the hundredth */
}
END_TEST

START_TEST(numbers_keep_their_range)
{
    struct rng r;
    int seen[7] = {0};
    double sum = 0;
    rng_seed(&r, 1);
    for (int i = 0; i < 7000; i++) {
        uint64_t n = rng_below(&r, 7);
        ck_assert_uint_lt(n, 7);
        seen[n]++;
        double u = rng_unit(&r);
        ck_assert(u >= 0 && u < 1);
        sum += u;
    }
    for (int i = 0; i < 7; i++) ck_assert(seen[i] > 850 && seen[i] < 1150);
    ck_assert(sum > 3300 && sum < 3700);
    ck_assert_uint_eq(rng_below(&r, 1), 0);
    ck_assert_uint_ne(rng_secret(), rng_secret());
}
END_TEST

/* ---- files ---- */

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/test_base.XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void drop_folder(void)
{
    char *command = xasprintf("chmod -R u+w '%s' && rm -rf '%s'", folder, folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
}

static void path_in_folder(char out[128], const char *name)
{
    snprintf(out, 128, "%s/%s", folder, name);
}

START_TEST(files_come_back_as_written)
{
    char path[128], *data = NULL;
    size_t len = 0;
    struct err e = {0};
    path_in_folder(path, "f");
    ck_assert(!file_exists(path));
    ck_assert_msg(!file_write(path, "a\0b\n", 4, &e), "%s", e.text);
    ck_assert(file_exists(path));
    ck_assert(!file_read(path, 4, &data, &len, &e));
    ck_assert_uint_eq(len, 4);
    ck_assert_mem_eq(data, "a\0b\n\0", 5);
    free(data);
    ck_assert(!file_write(path, "", 0, &e));
    ck_assert(!file_read(path, 0, &data, NULL, &e));
    ck_assert_str_eq(data, "");
    free(data);
}
END_TEST

static void refuse_read(const char *path, size_t max, const char *says)
{
    char *data = NULL;
    size_t len = 0;
    struct err e = {0};
    ck_assert_int_eq(file_read(path, max, &data, &len, &e), -1);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_msg(strstr(e.text, path) && strstr(e.text, says), "expected %s in: %s", says, e.text);
    ck_assert_ptr_null(data);
}

START_TEST(what_cannot_be_read_says_why)
{
    char path[128];
    struct err e;
    path_in_folder(path, "missing");
    refuse_read(path, 100, "No such file");
    refuse_read(folder, 100, "is not a regular file");
    refuse_read("/dev/zero", 100, "is not a regular file");
    path_in_folder(path, "pipe");
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    refuse_read(path, 100, "is not a regular file");
    path_in_folder(path, "large");
    ck_assert(!file_write(path, "0123456789", 10, &e));
    refuse_read(path, 9, "has 10 bytes; at most 9 are read");
}
END_TEST

static void refuse_write(const char *path, const char *says)
{
    struct err e = {0};
    ck_assert_msg(file_write(path, "data", 4, &e) == -1, "%s is written", path);
    ck_assert_int_eq(e.kind, ERR_ENV);
    ck_assert_msg(strstr(e.text, path) && strstr(e.text, says), "expected %s in: %s", says, e.text);
}

START_TEST(what_cannot_be_written_says_why)
{
    char path[128];
    struct stat st;
    path_in_folder(path, "no/such/folder");
    refuse_write(path, "No such file");
    refuse_write(folder, "Is a directory");
    refuse_write("/dev/full", "No space left");
    ck_assert(!stat("/dev/full", &st) && S_ISCHR(st.st_mode));
    if (geteuid() == 0) return; /* root writes anywhere */
    ck_assert_int_eq(chmod(folder, 0500), 0);
    path_in_folder(path, "f");
    refuse_write(path, "Permission denied");
}
END_TEST

START_TEST(a_device_is_not_replaced)
{
    struct err e;
    struct stat st;
    ck_assert(!file_write("/dev/null", "data", 4, &e));
    ck_assert(!stat("/dev/null", &st) && S_ISCHR(st.st_mode));
}
END_TEST

/* A write that fails half way leaves the old file, and nothing beside it. */
START_TEST(a_failed_write_leaves_the_old_file)
{
    char path[128], *data = NULL;
    struct err e;
    path_in_folder(path, "kept");
    ck_assert(!file_write(path, "old", 3, &e));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {100, RLIM_INFINITY}; /* a disk that is full after 100 bytes */
    char large[1000] = {0};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    ck_assert_int_eq(file_write(path, large, sizeof large, &e), -1);
    ck_assert_msg(strstr(e.text, "File too large"), "%s", e.text);
    ck_assert(!file_read(path, 100, &data, NULL, &e));
    ck_assert_str_eq(data, "old");
    free(data);
    char *script = xasprintf("test $(ls '%s' | wc -l) -eq 1", folder);
    ck_assert_int_eq(system(script), 0);
    free(script);
}
END_TEST

/* The descriptor that is opened next. */
static int next_descriptor(void)
{
    int fd = dup(0);
    ck_assert(fd >= 0 && !close(fd));
    return fd;
}

START_TEST(no_descriptor_stays_open)
{
    char path[128], *data = NULL;
    struct err e;
    int next = next_descriptor();
    path_in_folder(path, "f");
    ck_assert(!file_write(path, "data", 4, &e) && !file_write_scratch(path, "data", 4, &e));
    refuse_write(folder, "Is a directory");
    ck_assert_int_eq(next_descriptor(), next);
    ck_assert(!file_read(path, 4, &data, NULL, &e));
    free(data);
    refuse_read(path, 3, "at most 3 are read");
    refuse_read(folder, 100, "is not a regular file");
    ck_assert_int_eq(next_descriptor(), next);
    ck_assert(!file_read_within(folder, "f", 4, &data, NULL, &e));
    free(data);
    ck_assert_int_eq(file_read_within(folder, "f", 3, &data, NULL, &e), -1);
    ck_assert_int_eq(file_read_within(folder, "none/f", 4, &data, NULL, &e), 1);
    ck_assert_int_eq(next_descriptor(), next);
}
END_TEST

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    ck_assert(!clock_gettime(clock, &t));
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

START_TEST(the_clocks_are_those_of_the_system)
{
    for (int i = 0; i < 10; i++) {
        double before = seconds_of(CLOCK_MONOTONIC), now = clock_seconds(), rounding = now * 1e-15;
        ck_assert(now > before - rounding && now < seconds_of(CLOCK_MONOTONIC) + rounding);
        before = seconds_of(CLOCK_PROCESS_CPUTIME_ID), now = clock_processor_seconds();
        ck_assert(now > before - 1e-12 && now < seconds_of(CLOCK_PROCESS_CPUTIME_ID) + 1e-12);
    }
}
END_TEST

START_TEST(the_clocks_run_forward)
{
    double a = clock_seconds(), worked = clock_processor_seconds(), now;
    usleep(2000);
    ck_assert_double_ge(clock_seconds() - a, 0.001);
    ck_assert_double_lt(clock_seconds() - a, 3600);
    while ((now = clock_processor_seconds()) - worked < 0.001) ck_assert_double_ge(now, worked);
    ck_assert_double_lt(now, 3600);
}
END_TEST

START_TEST(doubles_have_an_order)
{
    double v[] = {3, -1, 2.5, 2.5, -INFINITY, 0};
    qsort(v, 6, sizeof *v, compare_doubles);
    for (int i = 0; i < 5; i++) ck_assert_double_le(v[i], v[i + 1]);
    ck_assert_int_eq(compare_doubles(&v[3], &v[4]), 0);
}
END_TEST

/* What is shown of somebody else's text: letters of all languages, and nothing that a terminal
 * obeys. */
START_TEST(text_is_made_harmless)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {
        {"tile[27][0]\n\tn\u00e4her \u2264 \U0001f600",
            "tile[27][0]\n\tn\u00e4her \u2264 \U0001f600"},
        {"\033[2J\033[1;1Hall 222\033]0;title\a", "all 2220;title"},
        {"a\rb\bc\177d", "abcd"},
        {"\xff\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80x", "x"},
        {"ends within \xe2\x82", "ends within "},
        {"\u202ereversed\u2066 \xc2\x85\ufeff", "reversed "},
        {"\033[@a\033[~b\033[1?c\033", "ab"},
        {"x\033[", "x"},
        {"x\033[12;", "x"},
        {"\033(Bx", "Bx"},
        {"\xc2x\xe2\x82y\xf0\x9f\x98z\x80\xc1\x81", "xyz"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buf b = {0};
        buf_printf(&b, "%s", rows[i].text);
        text_clean(&b);
        ck_assert_str_eq(b.data, rows[i].shown);
        ck_assert_uint_eq(b.len, strlen(b.data));
        buf_free(&b);
    }
}
END_TEST

/* The UTF-8 form of a number, in length bytes, whether it is valid or not. */
static void encode(unsigned code, int length, char out[5])
{
    for (int i = length - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)(length == 1 ? code : (0xf00u >> length & 0xff) | code);
    out[length] = 0;
}

/* Does text_clean keep (stays) or remove the character, as expected? The caller owns the buffer. */
static int cleaned(struct buf *b, unsigned code, int length, int stays)
{
    char character[5], wanted[8];
    encode(code, length, character);
    b->len = 0;
    buf_add(b, "<", 1);
    buf_add(b, character, (size_t)length);
    buf_add(b, ">", 1);
    text_clean(b);
    snprintf(wanted, sizeof wanted, "<%s>", stays ? character : "");
    return b->len == strlen(wanted) && !strcmp(b->data, wanted);
}

/* Every character, in its shortest form, and in longer forms, which are invalid and removed. */
START_TEST(every_character_is_shown_or_not)
{
    static const struct {
        unsigned from, to; /* ranges of characters that are not shown */
    } hidden[] = {{0, 8}, {11, 31}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200e, 0x200f},
        {0x202a, 0x202e}, {0x2066, 0x2069}, {0xd800, 0xdfff}, {0xfeff, 0xfeff},
        {0x110000, 0x1fffff}};
    struct buf b = {0};
    for (unsigned c = 0; c < 0x111000; c++) {
        int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, stays = 1;
        for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++)
            stays &= c < hidden[k].from || c > hidden[k].to;
        if (c == 033) continue; /* begins an escape sequence */
        int right = cleaned(&b, c, length, stays);
        for (int more = length + 1; more <= 4; more++) right &= cleaned(&b, c, more, 0);
        if (!right) ck_abort_msg("U+%04X", c);
    }
    buf_free(&b);
}
END_TEST

/* ---- structs as bytes ---- */

struct sample {
    int kind;
    double number;
    char *text;
    struct buf said;
    unsigned *list;
    size_t listed;
    int count;
    struct inner {
        int small;
    } inner[3], alone;
    unsigned char bytes[3];
};
static const struct member inner_members[] = {
    {MEMBER_INT, MEMBER_AT(struct inner, small), .most = 9}, {MEMBER_END}};
static const struct member sample_members[] = {
    {MEMBER_INT, MEMBER_AT(struct sample, kind), .most = 2},
    {MEMBER_DOUBLE, MEMBER_AT(struct sample, number)},
    {MEMBER_TEXT, MEMBER_AT(struct sample, text)},
    {MEMBER_BUF, MEMBER_AT(struct sample, said)},
    {MEMBER_LIST, MEMBER_EACH(struct sample, list), .count = offsetof(struct sample, listed)},
    {MEMBER_INT, MEMBER_AT(struct sample, count), .most = 3},
    {MEMBER_ARRAY, MEMBER_EACH(struct sample, inner), .of = inner_members,
        .count = offsetof(struct sample, count)},
    {MEMBER_STRUCT, MEMBER_AT(struct sample, alone), .of = inner_members},
    {MEMBER_BYTES, MEMBER_AT(struct sample, bytes)},
    {MEMBER_END},
};
static int sample_read(const void *bytes, size_t length, struct sample *s)
{
    *s = (struct sample){0};
    return members_read(bytes, length, sample_members, s);
}
static void sample_free(struct sample *s)
{
    free(s->text);
    free(s->list);
    buf_free(&s->said);
}

START_TEST(structs_come_back_as_written)
{
    unsigned list[] = {7, 8};
    struct sample s = {.kind = 2,
                      .number = 0.5,
                      .text = "",
                      .list = list,
                      .listed = 2,
                      .count = 1,
                      .inner = {{9}},
                      .alone = {4},
                      .bytes = {1, 200, 3}},
                  back;
    struct buf b = {0};
    buf_printf(&s.said, "said");
    members_write(&b, sample_members, &s);
    ck_assert_int_eq(sample_read(b.data, b.len, &back), 0);
    ck_assert_int_eq(back.kind, 2);
    ck_assert_double_eq(back.number, 0.5);
    ck_assert_str_eq(back.text, "");
    ck_assert_str_eq(back.said.data, "said");
    ck_assert_uint_eq(back.listed, 2);
    ck_assert_uint_eq(back.list[1], 8);
    ck_assert_int_eq(back.inner[0].small, 9);
    ck_assert_int_eq(back.alone.small, 4);
    ck_assert_mem_eq(back.bytes, s.bytes, 3);
    sample_free(&back);
    /* The struct cut short, with each byte changed, and with a byte too many. */
    for (size_t n = 0; n < b.len; n++) {
        ck_assert_int_eq(sample_read(b.data, n, &back), -1);
        sample_free(&back);
        char old = b.data[n];
        for (int k = 0; k < 256; k++) {
            b.data[n] = (char)k;
            sample_read(b.data, b.len, &back);
            ck_assert(back.kind >= 0 && back.kind <= 2 && back.count >= 0 && back.count <= 3);
            sample_free(&back);
        }
        b.data[n] = old;
    }
    buf_add(&b, "x", 1);
    ck_assert_int_eq(sample_read(b.data, b.len, &back), -1);
    sample_free(&back);
    buf_free(&b);
    buf_free(&s.said);
}
END_TEST

/* Empty members are read back as empty; a text whose NUL was overwritten is terminated again. */
START_TEST(structs_may_be_empty)
{
    static const struct member one_text[] = {
        {MEMBER_TEXT, MEMBER_AT(struct sample, text)}, {MEMBER_END}};
    struct sample s = {0}, back = {.text = "old", .count = 7, .listed = 7};
    struct buf b = {0};
    members_write(&b, sample_members, &s);
    ck_assert_int_eq(sample_read(b.data, b.len, &back), 0);
    ck_assert(!back.text && !back.list && !back.listed && !back.said.data && !back.count);
    buf_free(&b);
    s.text = "abc";
    members_write(&b, one_text, &s);
    ck_assert_uint_eq(b.len, sizeof(size_t) + 4);
    b.data[b.len - 1] = 'd';
    ck_assert_int_eq(members_read(b.data, b.len, one_text, &back), 0);
    ck_assert_str_eq(back.text, "abc");
    free(back.text);
    buf_free(&b);
}
END_TEST

/* A submission's file is not read through symbolic links, nor if it has a second hard link. */
START_TEST(files_within_a_folder_are_no_links)
{
    char folder[] = "/tmp/test_base.XXXXXX", *text = NULL;
    struct err e = {0};
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char *make =
        xasprintf("cd %s && mkdir lab far && echo x >lab/a && echo y >far/b && mkfifo lab/pipe &&"
                  " ln -s ../far/b lab/soft && ln -s far away && ln far/b lab/hard",
            folder);
    ck_assert_int_eq(system(make), 0);
    ck_assert_int_eq(file_read_within(folder, "lab/a", 10, &text, NULL, &e), 0);
    ck_assert_str_eq(text, "x\n");
    free(text);
    ck_assert_int_eq(file_read_within(folder, "lab/none", 10, &text, NULL, &e), 1);
    ck_assert_int_eq(file_read_within(folder, "none/a", 10, &text, NULL, &e), 1);
    static const struct {
        const char *name, *says;
    } bad[] = {{"lab/soft", "symbolic link"}, {"away/b", "symbolic link"},
        {"lab/hard", "hard link"}, {"lab/pipe", "not a regular file"},
        {"lab", "not a regular file"}, {"lab/a/b", "cannot be read"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(file_read_within(folder, bad[i].name, 10, &text, NULL, &e), -1);
        ck_assert_msg(strstr(e.text, bad[i].says), "%s: %s", bad[i].name, e.text);
    }
    ck_assert_int_eq(file_read_within(folder, "lab/a", 1, &text, NULL, &e), -1);
    free(make);
    make = xasprintf("rm -r %s", folder);
    ck_assert_int_eq(system(make), 0);
    free(make);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("base");
    TCase *c = tcase_create("memory");
    tcase_add_test(c, errors_hold_a_kind_and_a_line);
    tcase_add_test(c, an_error_may_quote_the_one_it_replaces);
    tcase_add_test(c, findings_of_barriers);
    tcase_add_test(c, buffers_grow);
    tcase_add_test(c, large_arrays_are_in_huge_pages);
    tcase_add_test(c, numbers_have_their_nouns);
    tcase_add_test(c, numbers_have_three_digits);
    tcase_add_test(c, vectors_grow_with_zeros);
    tcase_add_test(c, strings_are_copied);
    tcase_add_test_raise_signal(c, our_own_bug_aborts, 6);
    tcase_add_test(c, the_same_seed_gives_the_same_numbers);
    tcase_add_test(c, numbers_keep_their_range);
    tcase_add_test(c, the_clocks_are_those_of_the_system);
    tcase_add_test(c, the_clocks_run_forward);
    tcase_add_test(c, doubles_have_an_order);
    tcase_add_test(c, structs_come_back_as_written);
    tcase_add_test(c, structs_may_be_empty);
    suite_add_tcase(suite, c);
    c = tcase_create("files");
    tcase_add_checked_fixture(c, make_folder, drop_folder);
    tcase_add_test(c, files_come_back_as_written);
    tcase_add_test(c, what_cannot_be_read_says_why);
    tcase_add_test(c, what_cannot_be_written_says_why);
    tcase_add_test(c, a_device_is_not_replaced);
    tcase_add_test(c, a_failed_write_leaves_the_old_file);
    tcase_add_test(c, no_descriptor_stays_open);
    tcase_add_test(c, text_is_made_harmless);
    tcase_add_test(c, every_character_is_shown_or_not);
    tcase_add_test(c, files_within_a_folder_are_no_links);
    suite_add_tcase(suite, c);
    return suite_run(suite);
}
