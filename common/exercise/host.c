/* host.c - run a learner's C in a child process that can access only its arrays.
 *
 *     learner.c --- gcc -S, as --┐ -include prototypes.h
 *     calls.c + runner.c --------┴-- gcc -static --> program
 *     program -- fork, filter, exec --> child -- requests --> kit
 *
 * If a step has budgets, a second program is made, whose accesses to memory are counted (cache.c).
 *
 * The learner's file is compiled with prototypes.h before it, so that a wrong signature is a
 * compiler error. calls.c is generated, too: for each step a function that passes buffers and
 * dims on. The kit's part is compiled once for an exercise and then cached. The assembler runs
 * apart from gcc, since it must read nothing but its input: assembly in C can include files. */
#define _GNU_SOURCE
#include "exercise/host.h"
#include "exercise/child/protocol.h"
#include "os/os.h"

#include <errno.h>
#include <fcntl.h>
#ifdef __ELF__
#include <link.h>
#endif
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- building ---- */

/* A linked program. The struct owns its directory, which is removed when the program is freed. */
struct host_program {
    const struct exercise *exercise;
    char *directory; /* a private directory with the generated sources and the program */
    char *path;
    char *counted; /* the program that counts its accesses; NULL: no step has budgets */
};

static int has_budgets(const struct exercise *x)
{
    for (const struct step *s = x->steps; s->kernel; s++)
        if (s->budgets) return 1;
    return 0;
}

/* Write prototypes.h and calls.c for the steps of an exercise. */
static int write_glue(const struct exercise *x, const char *directory, struct err *e)
{
    struct buf prototypes = {0}, calls = {0}, table = {0};
    buf_printf(&calls, "#include \"runner.c\"\n#include \"prototypes.h\"\n");
    for (int i = 0; x->steps[i].kernel; i++) {
        const struct problem *p = problem_find(x->steps[i].problem);
        buf_printf(&prototypes, "void %s(%s);\n", x->steps[i].kernel, p->signature);
        buf_printf(&calls,
            "static void call_%d(void *const *buffers, const int32_t *dims)\n{\n    %s(", i,
            x->steps[i].kernel);
        for (int b = 0; b < problem_buffers(p); b++)
            buf_printf(&calls, "%sbuffers[%d]", b ? ", " : "", b);
        for (int d = 0; d < problem_dims(p); d++) buf_printf(&calls, ", dims[%d]", d);
        buf_printf(&calls, ");\n}\n");
        buf_printf(&table, "call_%d, ", i);
    }
    buf_printf(&calls, "child_function *const child_functions[] = {%s};\n", table.data);
    char *h = xasprintf("%s/prototypes.h", directory), *c = xasprintf("%s/calls.c", directory);
    int bad = file_write_scratch(h, prototypes.data, prototypes.len, e) ||
              file_write_scratch(c, calls.data, calls.len, e);
    free(h);
    free(c);
    buf_free(&prototypes);
    buf_free(&calls);
    buf_free(&table);
    return bad ? -1 : 0;
}

/* Run gcc or the assembler with limits, and free w. more: the learner's file and its list of
 * includes, or the assembler's input. Returns 0, or -1 with c->status and c->output set. */
static int gcc(const struct kit *k, struct words *w, struct compiler more, const char *directory,
    struct compiled *c)
{
    more.name = more.input ? "as" : "gcc";
    more.argv = w->word;
    more.directory = directory;
    more.headers = "common/exercise/child";
    more.rule = "a host exercise includes the C library's headers and nothing else";
    more.seconds = COMPILE_SECONDS;
    more.memory_bytes = (size_t)4 << 30;
    compile_run(k, &more, c);
    words_free(w);
    return c->status == COMPILE_OK ? 0 : -1;
}
static const struct compiler of_kit;

#ifdef __ELF__
static const int links_static = 1;
/* Does the program name an interpreter (ELF PT_INTERP), which the kernel would execute in its
 * place? A static program has none, unless a section in the learner's object names one. */
static int has_interpreter(const char *program)
{
    ElfW(Ehdr) head = {0};
    ElfW(Phdr) part;
    int found = 0;
    FILE *f = fopen(program, "rb");
    if (!f) return 0;
    if (fread(&head, sizeof head, 1, f) == 1 && !fseek(f, (long)head.e_phoff, SEEK_SET))
        for (int i = 0; i < head.e_phnum && fread(&part, sizeof part, 1, f) == 1; i++)
            found |= part.p_type == PT_INTERP;
    fclose(f);
    return found;
}
#else
static const int links_static = 0;
static int has_interpreter(const char *program) { return !program; }
#endif

/* Get the object file of the kit's part, from the cache or by gcc. The key is the text of all
 * its sources. */
static int kit_object(const struct kit *k, const char *compiler, const char *directory,
    const char *object, struct compiled *c)
{
    enum { MOST = 1 << 20 };
    char *include = kit_path(k, "common/exercise/child"),
         *of[] = {xasprintf("%s/prototypes.h", directory), xasprintf("%s/calls.c", directory),
             xasprintf("%s/runner.c", include), xasprintf("%s/protocol.h", include),
             xasprintf("%s/cache.c", include)};
    const int count = sizeof of / sizeof *of;
    struct buf key = {0}, kept = {0};
    struct words w = {0};
    char *data = NULL;
    size_t length = 0;
    int bad = 0;
    for (int i = 0; i < count && !bad; i++) {
        bad = file_read(of[i], MOST, &data, &length, &c->err);
        if (!bad) buf_add(&key, data, length);
        free(data), data = NULL;
    }
    WORDS(&w, compiler, "-std=gnu11", "-O2", "-I", directory, "-I", include, "-c", of[1], "-o",
        object);
    if (bad)
        c->status = COMPILE_BROKEN;
    else if (!cache_get(k, &key, &kept))
        bad = file_write_scratch(object, kept.data, kept.len, &c->err);
    else if (!(bad = gcc(k, &w, of_kit, directory, c)) &&
             !file_read(object, MOST, &data, &length, NULL)) {
        buf_add(&kept, data, length);
        cache_put(k, &key, &kept);
    }
    for (int i = 0; i < count; i++) free(of[i]);
    free(data), free(include);
    buf_free(&key), buf_free(&kept), words_free(&w);
    return bad;
}

/* Does this word in the learner's file keep accesses to memory from being counted? */
static int hides_accesses(const char *word, size_t length)
{
    static const char *const words[] = {"asm", "__asm", "__asm__", "no_sanitize", "__no_sanitize__",
        "no_sanitize_thread", "__no_sanitize_thread__"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (length == strlen(words[i]) && !memcmp(word, words[i], length)) return 1;
    /* words that begin so are refused, too; __builtin_ia32_: processor instructions, some of which
     * access memory */
    static const char *const begins[] = {"__tsan", "__builtin_mem", "__builtin_ia32_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (length > strlen(begins[i]) && !memcmp(word, begins[i], strlen(begins[i]))) return 1;
    return 0;
}

/* The line number in a line marker of the preprocessor, such as # 12 "learner.c" or %: 12; 0: the
 * line is not a line marker. */
static int marker(const char *line)
{
    line += strspn(line, " \t");
    if (*line != '#' && strncmp(line, "%:", 2) != 0) return 0;
    return atoi(line + (*line == '#' ? 1 : 2));
}

/* Does the text after this line marker come from a system header (flag 3 behind the file name)? */
static int is_system(const char *line, const char *end)
{
    const char *name_end = end;
    while (name_end > line && *name_end != '"') name_end--;
    for (const char *p = name_end; *name_end == '"' && p < end; p++)
        if (p[0] == ' ' && p[1] == '3') return 1;
    return 0;
}

/* Refuse a file in which a word hides accesses (hides_accesses). The preprocessed text is searched,
 * except for the text of system headers. A line marker in the learner's own file could hide text,
 * so it is refused, too. Returns -1 if the file is refused. */
static int check_words(const char *text, struct compiled *c)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    int line = 0, own = 0;
    const char *bad = NULL, *end;
    size_t length = 0;
    for (const char *at = c->source; *at && !bad; at = end + !!*end) {
        end = at + strcspn(at, "\n");
        line++;
        if (marker(at)) bad = at, length = (size_t)(end - at);
    }
    if (!bad) line = 0;
    for (const char *at = text; *at && !bad; at = end + !!*end, line++) {
        end = at + strcspn(at, "\n");
        if (at[0] == '#' && at[1] == ' ') own = !is_system(at, end), line = marker(at) - 1;
        for (const char *p = at; own && at[0] != '#' && p < end && !bad; p += length + !length) {
            length = strspn(p, letters);
            if (length && hides_accesses(p, length)) bad = p;
        }
        if (bad) break;
    }
    if (!bad) return 0;
    c->status = COMPILE_BAD;
    buf_printf(&c->output,
        "%s:%d: error: %.*s keeps the accesses to memory from being counted: leave it out", c->file,
        line, (int)length, bad);
    return -1;
}

/* Make the program whose accesses are counted. The learner's file is preprocessed with the options
 * of the other program, so no macro can tell the two apart. */
static void compile_counted(const struct kit *k, const char *compiler, const char *assembler,
    const char *directory, const struct compiler *lists, const char *kit, struct compiled *c)
{
    char *prototypes = xasprintf("%s/prototypes.h", directory),
         *expanded = xasprintf("%s/expanded.i", directory),
         *assembly = xasprintf("%s/counted.s", directory),
         *object = xasprintf("%s/counted.o", directory),
         *program = xasprintf("%s/counted", directory), *text = NULL;
    const struct compiler reads = {.input = assembly};
    struct words expand = {0}, learner = {0}, assemble = {0}, link = {0};
    /* -x c: where the sandbox hides nothing, the learner's file is already preprocessed (.i), and
     * without this option gcc -E writes nothing for it */
    WORDS(&expand, compiler, "-std=gnu11", "-O2", "-include", prototypes, "-MD", "-MF", lists->deps,
        "-E", "-x", "c", lists->file, "-o", expanded);
    WORDS(&learner, compiler, "-std=gnu11", "-O2", "-fsanitize=thread", "-fno-builtin", "-w", "-S",
        expanded, "-o", assembly);
    WORDS(&assemble, assembler, "-o", object);
    WORDS(&link, compiler, "-static", "-fno-use-linker-plugin", kit, object, "-lm",
        "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=mempcpy,--wrap=bcopy,--wrap=memset", "-o",
        program);
    if (gcc(k, &expand, *lists, directory, c))
        ;
    else if (file_read(expanded, (size_t)64 << 20, &text, NULL, &c->err))
        c->status = COMPILE_BROKEN;
    else if (!check_words(text, c) && !gcc(k, &learner, of_kit, directory, c) &&
             !gcc(k, &assemble, reads, directory, c))
        gcc(k, &link, of_kit, directory, c);
    words_free(&expand), words_free(&learner), words_free(&assemble), words_free(&link);
    free(prototypes), free(expanded), free(assembly), free(object), free(program), free(text);
}

/* Compile the learner's file, check what it includes, then link it with the kit's part. */
static void compile(
    const struct kit *k, const struct exercise *x, const char *directory, struct compiled *c)
{
    char *compiler = spawn_find("gcc"), *assembler = spawn_find("as"),
         *copy = source_copy(c, directory, "learner.c", &c->err),
         *prototypes = xasprintf("%s/prototypes.h", directory),
         *assembly = xasprintf("%s/learner.s", directory),
         *object = xasprintf("%s/learner.o", directory), *kit = xasprintf("%s/kit.o", directory),
         *deps = xasprintf("%s/deps", directory), *program = xasprintf("%s/program", directory);
    struct words learner = {0}, assemble = {0}, link = {0};
    WORDS(&learner, compiler, "-std=gnu11", "-O2", "-Wall", "-Wshadow", "-Wfloat-conversion",
        "-Werror=frame-larger-than=65536", "-Werror=vla-larger-than=65536",
        "-Werror=alloca-larger-than=65536", "-fdiagnostics-color=never", "-include", prototypes,
        "-MD", "-MF", deps, "-S", copy, "-o", assembly);
    WORDS(&assemble, assembler, "-o", object);
    /* a plugin of the linker would run a compiler on sections that the learner's object names */
    WORDS(&link, compiler, "-static", "-fno-use-linker-plugin", kit, object, "-lm", "-o", program);
    const struct compiler lists = {.file = copy, .deps = deps}, reads = {.input = assembly};
    if (!copy) {
        c->status = COMPILE_BROKEN;
    } else if (!links_static) {
        c->status = COMPILE_BROKEN;
        err_set(&c->err, ERR_ENV,
            "an exercise in C is linked as a static program, which this system "
            "has not: do it in the kit's container, or on Linux");
    } else if (!compiler || !assembler) {
        c->status = COMPILE_BROKEN;
        err_set(&c->err, ERR_ENV, "no gcc: apt-get install gcc libc6-dev");
    } else if (!gcc(k, &learner, lists, directory, c) && !gcc(k, &assemble, reads, directory, c) &&
               !kit_object(k, compiler, directory, kit, c) &&
               !gcc(k, &link, of_kit, directory, c) && has_interpreter(program)) {
        c->status = COMPILE_BAD;
        buf_printf(
            &c->output, "%s: names an interpreter for its program: leave .interp out", c->file);
    }
    if (c->status == COMPILE_OK && has_budgets(x))
        compile_counted(k, compiler, assembler, directory, &lists, kit, c);
    words_free(&learner), words_free(&assemble), words_free(&link);
    free(compiler), free(assembler), free(assembly), free(prototypes), free(object), free(kit),
        free(deps), free(program);
    free(copy);
}

struct host_program *host_build(
    const struct kit *k, const struct exercise *x, const char *file, struct compiled *c)
{
    struct host_program *p = xcalloc(1, sizeof *p);
    *c = (struct compiled){0};
    p->exercise = x;
    if (!source_read(file, 1, c)) {
        p->directory = kit_temporary(k, &c->err);
        if (!p->directory || write_glue(x, p->directory, &c->err))
            c->status = COMPILE_BROKEN;
        else
            compile(k, x, p->directory, c);
    }
    if (c->status == COMPILE_OK) {
        p->path = xasprintf("%s/program", p->directory);
        if (has_budgets(x)) p->counted = xasprintf("%s/counted", p->directory);
        return p;
    }
    host_program_free(p);
    return NULL;
}

void host_program_free(struct host_program *p)
{
    if (!p) return;
    if (p->directory) spawn_remove_directory(p->directory);
    free(p->directory);
    free(p->path);
    free(p->counted);
    free(p);
}

/* ---- running ---- */

/* The child process, and the kit's ends of its pipes and memory. */
struct host_process {
    const struct exercise *exercise;
    pid_t pid;      /* process id of the child; 0 after the child has ended and was waited for */
    uint64_t lines; /* counted program: lines that all calls so far brought into the cache */
    /* descriptors. memory: the shared memory; requests: the pipe to which requests are written;
     * answers: the pipe from which answers are read */
    int memory, requests, answers;
};

/* Limit of the child's address space, in bytes. */
static const size_t HOST_MEMORY = (size_t)1 << 30;

/* What the child writes to a pipe if the sandbox or the program cannot be started. When the program
 * starts, that pipe is closed, so the learner's code cannot imitate this by an exit status. */
enum { NO_SANDBOX = 'f', STARTS_NOT = 's' };

/* Called in the child, after fork: move the three descriptors to their numbers, close all others,
 * enter the sandbox and execute the program. They are first moved above 15, so that no dup2
 * overwrites one that is still needed. `failed`: the pipe for an error. */
static void become(const char *path, int memory, int requests, int answers, int failed)
{
    char *const argv[] = {(char *)"exercise", NULL}, *const env[] = {NULL};
    int high[3] = {fcntl(memory, F_DUPFD, 16), fcntl(requests, F_DUPFD, 16),
        fcntl(answers, F_DUPFD, 16)},
        say = fcntl(failed, F_DUPFD, 16);
    char why = STARTS_NOT;
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; fd++) dup2(null, fd);
    dup2(high[0], CHILD_MEMORY);
    dup2(high[1], CHILD_REQUESTS);
    dup2(high[2], CHILD_ANSWERS);
    dup2(say, CHILD_ANSWERS + 1);
    fcntl(CHILD_ANSWERS + 1, F_SETFD, FD_CLOEXEC);
    os_close_from(CHILD_ANSWERS + 2);
    setpgid(0, 0);
    if (sandbox_enter(HOST_MEMORY))
        why = NO_SANDBOX;
    else
        execve(path, argv, env);
    if (write(CHILD_ANSWERS + 1, &why, 1) < 0) _exit(1);
    _exit(0);
}

/* The child process starts at once and waits for its first request. */
static int start_program(
    const struct host_program *p, const char *path, struct host_process **out, struct err *e)
{
    int request[2] = {-1, -1}, answer[2] = {-1, -1}, start[2] = {-1, -1}, memory = os_memory_file();
    char why = 0;
    if (memory < 0 || os_pipe(request) || os_pipe(answer) || os_pipe(start))
        return err_set(
            e, ERR_ENV, "no shared memory or pipe for a child process: %s", strerror(errno));
    struct host_process *h = xcalloc(1, sizeof *h);
    h->exercise = p->exercise;
    h->memory = memory;
    h->requests = request[1];
    h->answers = answer[0];
    h->pid = fork();
    if (h->pid == 0) become(path, memory, request[0], answer[1], start[1]);
    close(request[0]);
    close(answer[1]);
    close(start[1]);
    *out = h;
    if (h->pid < 0) {
        h->pid = 0;
        close(start[0]);
        return err_set(e, ERR_ENV, "no child process: %s", strerror(errno));
    }
    while (read(start[0], &why, 1) < 0 && errno == EINTR)
        ;
    close(start[0]);
    if (why == NO_SANDBOX)
        return err_set(e, ERR_ENV,
            "this machine does not allow seccomp filters; the kit runs a learner's C only under one");
    return why ? err_set(e, ERR_ENV, "the exercise's program could not be started") : 0;
}

int host_start(const struct host_program *p, struct host_process **out, struct err *e)
{
    return start_program(p, p->path, out, e);
}

/* Kill the child and wait for it. Returns its status as waitpid does. */
static int reap(struct host_process *h)
{
    int status = 0;
    kill(h->pid, SIGKILL);
    while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
        ;
    h->pid = 0;
    return status;
}

/* Stop the process and free h, which may be NULL. */
void host_stop(struct host_process *h)
{
    if (!h) return;
    if (h->pid) reap(h);
    close(h->memory);
    close(h->requests);
    close(h->answers);
    free(h);
}

/* Offsets of the arrays in the shared memory, and its size, in bytes. Each array begins at a page.
 * A guard band of poison (exercise.h) of at least a page precedes each array and follows the last:
 *
 *     [ band | array ] [ band | array ] ... [ band ] */
struct layout {
    uint64_t offset[BUFFERS], bytes;
};
enum { PAGE = 4096 };

/* Each array takes whole pages, and the band of poison after it one page more. */
static struct layout lay_out(const struct instance *in)
{
    struct layout l = {.bytes = PAGE};
    for (int i = 0; i < problem_buffers(in->problem); i++) {
        l.offset[i] = l.bytes;
        l.bytes += (instance_bytes(in, i) + PAGE - 1) / PAGE * PAGE + PAGE;
    }
    return l;
}

/* Fill the memory with the poison of guard bands, then put each array in its place: the inputs are
 * copied, and the output is filled with the poison of outputs. */
static void fill_memory(const struct instance *in, const struct layout *l, char *memory)
{
    for (uint64_t at = 0; at < l->bytes; at += sizeof POISON_BAND)
        memcpy(memory + at, &POISON_BAND, sizeof POISON_BAND);
    for (int i = 0; i < problem_buffers(in->problem); i++)
        if (i != in->problem->output)
            memcpy(memory + l->offset[i], in->data[i], instance_bytes(in, i));
        else
            poison_fill(memory + l->offset[i], instance_bytes(in, i),
                element_bytes(in->problem->buffers[i].element));
}

static int is_band(const char *at, uint64_t bytes)
{
    for (uint64_t i = 0; i + sizeof POISON_BAND <= bytes; i += sizeof POISON_BAND)
        if (memcmp(at + i, &POISON_BAND, sizeof POISON_BAND)) return 0;
    return 1;
}

/* After a call: are all guard bands, and the bytes from an array's end to the next band, still
 * poison, and the inputs unchanged? -1: no, as *e says. */
static int check_memory(const struct host_process *h, const struct instance *in, int step,
    const struct layout *l, const char *memory, struct err *e)
{
    const char *function = h->exercise->steps[step].kernel;
    uint64_t from = 0;
    for (int i = 0; i <= problem_buffers(in->problem); i++) {
        uint64_t to = i < problem_buffers(in->problem) ? l->offset[i] : l->bytes;
        if (!is_band(memory + from, to - from))
            return err_set(e, ERR_LEARNER, "%s wrote outside its arrays", function);
        if (i == problem_buffers(in->problem)) break;
        if (i != in->problem->output &&
            memcmp(memory + l->offset[i], in->data[i], instance_bytes(in, i)))
            return err_set(e, ERR_LEARNER, "%s changed its input %s; inputs may only be read",
                function, in->problem->buffers[i].name);
        from = l->offset[i] + instance_bytes(in, i);
    }
    return 0;
}

/* Wait for the answer to a request. 0: it came. Otherwise the child was killed and waited for,
 * and *e says why. */
static int await(
    struct host_process *h, const char *function, uint64_t nonce, double limit, struct err *e)
{
    struct timeout patience = timeout_begin(h->pid);
    struct pollfd p = {h->answers, POLLIN, 0};
    struct child_answer answer = {0};
    int ready;
    while ((ready = poll(&p, 1, PATIENCE_POLL_MS)) < 0
               ? errno == EINTR
               : !ready && !timeout_is_over(&patience, limit))
        ;
    if (ready > 0 && read(h->answers, &answer, sizeof answer) == sizeof answer &&
        answer.nonce == nonce) {
        h->lines = answer.lines;
        return 0;
    }
    int status = reap(h);
    if (ready == 0)
        return err_set(e, ERR_LEARNER, "%s did not return within %.3g seconds and was stopped",
            function, limit);
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        return err_set(e, ERR_LEARNER, "%s crashed: %s%s", function, strsignal(WTERMSIG(status)),
            WTERMSIG(status) == SIGSEGV
                ? ": an index is far outside of its array, or an array is too large "
                  "for the stack"
                : "");
    return err_set(e, ERR_LEARNER, "%s ended its process instead of returning", function);
}

/* Between requests the child is stopped by SIGSTOP, so that no thread of the learner's code
 * changes an array while the kit checks it. */
int host_run(struct host_process *h, int step, struct instance *in, double limit, double *seconds,
    struct err *e)
{
    const char *function = h->exercise->steps[step].kernel;
    struct layout l = lay_out(in);
    struct child_request r = {.nonce = rng_secret(), .memory_bytes = l.bytes, .function = step};
    memcpy(r.offset, l.offset, sizeof r.offset);
    for (int i = 0; i < DIMS; i++) r.dims[i] = in->dims[i];
    if (!h->pid) return err_set(e, ERR_LEARNER, "%s: its process has ended", function);
    /* truncating to 0 first drops the content of the previous run */
    char *memory = ftruncate(h->memory, 0) || ftruncate(h->memory, (off_t)l.bytes)
                       ? MAP_FAILED
                       : mmap(NULL, l.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0);
    if (memory == MAP_FAILED)
        return err_set(e, ERR_ENV, "no shared memory of %llu bytes: %s",
            (unsigned long long)l.bytes, strerror(errno));
    fill_memory(in, &l, memory);
    kill(h->pid, SIGCONT);
    double start = clock_seconds();
    /* writing to a dead child must fail, not end the kit */
    void (*old)(int) = signal(SIGPIPE, SIG_IGN);
    if (write(h->requests, &r, sizeof r) != sizeof r)
        /* the child is dead, and await reports how it died */
        limit = 1;
    signal(SIGPIPE, old);
    int bad = await(h, function, r.nonce, limit, e);
    *seconds = clock_seconds() - start;
    if (!bad) {
        kill(h->pid, SIGSTOP); /* the learner's code must not change its arrays from here on */
        bad = check_memory(h, in, step, &l, memory, e);
        memcpy(in->data[in->problem->output], memory + l.offset[in->problem->output],
            instance_bytes(in, in->problem->output));
    }
    munmap(memory, l.bytes);
    return bad;
}

int host_count(const struct host_program *p, int step, struct instance *in, double limit,
    double *lines, struct err *e)
{
    struct host_process *h = NULL;
    double seconds;
    int bad = start_program(p, p->counted, &h, e) || host_run(h, step, in, limit, &seconds, e);
    if (!bad) *lines = (double)h->lines;
    host_stop(h);
    return bad ? -1 : 0;
}
