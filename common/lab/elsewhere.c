/* elsewhere.c - asking ptxas where lanes of random kernels meet. */
#include "lab/elsewhere.h"
#include "device/device.h"
#include "lab/spawn.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ASSEMBLE_SECONDS = 300 };

char *elsewhere_ptxas(const char *program, struct err *e)
{
    char *found = program && strchr(program, '/') ? xstrdup(program) : spawn_find(program ? program : "ptxas");
    if (!found || access(found, X_OK)) {
        err_set(e, ERR_ENV, "%s is not found: install the CUDA toolkit, or name its assembler with --ptxas", program ? program : "ptxas");
        free(found);
        found = NULL;
    }
    return found;
}

int elsewhere_assemble(const char *directory, const char *ptxas, const char *ptx, char **cubin, size_t *bytes, struct err *e)
{
    char *in = xasprintf("%s/numbered.ptx", directory), *out = xasprintf("%s/numbered.cubin", directory);
    char *numbered = device_numbered(ptx);
    const char *argv[] = {ptxas, "-O0", "-lineinfo", "-arch=sm_90", in, "-o", out, NULL};
    struct spawn s = {.argv = argv, .directory = directory, .seconds = ASSEMBLE_SECONDS, .file_bytes = (size_t)256 << 20};
    struct buf said = {0};
    int status = 0, bad = file_write(in, numbered, strlen(numbered), e) || spawn_run(&s, &said, &status, e);
    if (!bad && status)
        bad = err_set(e, ERR_ENV, "%s ended with status %d: %s", ptxas, status, said.len ? said.data : "it said nothing");
    bad = bad || file_read(out, (size_t)256 << 20, cubin, bytes, e);
    buf_free(&said);
    free(numbered);
    free(in);
    free(out);
    return bad ? -1 : 0;
}

static int ask(struct module *m, uint64_t seed, const char *cubin, size_t bytes, elsewhere_visit *each, void *data, struct err *e)
{
    char *name = xasprintf("random_%llu", (unsigned long long)seed);
    const struct kernel *k = module_kernel(m, name);
    int (*pairs)[2] = NULL;
    size_t count = 0;
    int bad = !k ? err_set(e, ERR_ENV, "there is no kernel %s", name) : kernel_regions_elsewhere(k, cubin, bytes, &pairs, &count, e);
    bad = bad || each(data, seed, (const int (*)[2])pairs, count, e);
    free(pairs);
    free(name);
    return bad ? -1 : 0;
}

int elsewhere_visit_file(const struct random_files *set, int file, const char *ptxas, elsewhere_visit *each, void *data, struct err *e)
{
    char *path = random_ptx(set, file, 0), *source = random_source(set, file), *ptx = NULL, *cubin = NULL;
    struct device *d = NULL;
    struct module *m = NULL;
    size_t bytes = 0;
    int bad = file_read(path, (size_t)64 << 20, &ptx, NULL, e) || device_open("sim:h200", &d, e) ||
              device_load(d, ptx, path, source, &m, e) || elsewhere_assemble(set->directory, ptxas, ptx, &cubin, &bytes, e);
    for (int i = 0; i < random_kernels_in(set, file) && !bad; i++)
        bad = ask(m, set->seed + (uint64_t)(file * RANDOM_PER_FILE + i), cubin, bytes, each, data, e);
    if (m)
        device_unload(d, m);
    if (d)
        device_close(d);
    free(cubin);
    free(ptx);
    free(source);
    free(path);
    return bad ? -1 : 0;
}
