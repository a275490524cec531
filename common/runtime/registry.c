/* registry.c - what a program registers when it starts: PTX, kernels, variables.
 *
 *     start of the program:  __cudaRegisterFatBinary ── image: PTX of one file
 *                            __cudaRegisterFunction  ── function: stub, symbol
 *                            __cudaRegisterVar       ── variable: host address, symbol
 *     first use:             image ── device_load ──> module ──> kernels, variables
 *
 * Source: the calls that clang's front end generates (CodeGen/CGCUDANV.cpp of LLVM, read for its
 * interface). */
#define _GNU_SOURCE
#include "runtime/link.h"
#include "runtime/runtime.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* The calls below are made by code that clang's front end generates; no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

struct image {
    char *ptx, *source; /* ptx: text of the PTX; source: the source file's name, for messages */
    struct module *module;
    int refused;
    /* if the file was compiled with -rdc=true. relocatable: the linked image of all such files;
     * number: the file's number in it */
    int relocatable, number;
    struct image *whole;
    struct image *next;
};
struct variable {
    const void *host;
    const char *symbol;
    struct image *image;
    /* bytes of a managed variable, which has a copy on the host; 0: the variable is not managed */
    size_t managed;
    struct variable *next;
};

/* The argument of __cudaRegisterFatBinary. */
struct fat_binary {
    int magic, version;
    const char *data;
    void *unused;
};
enum { MAGIC = 0x466243b1 };

static struct image *images;
/* All relocatable files, linked into one image at the first use of any of them. */
static struct image whole;
static struct linked linked;
static struct function *functions;
static struct variable *variables;
/* The host addresses of the copies of managed variables: one range in the program, and one in each
 * shared library. */
static struct range {
    const char *start, *stop;
} ranges[16];
static int range_count, managed_count;

/* The name of the source file. The first line of the PTX is "// source: FILE" (nvcc/build.c). PTX
 * made by NVIDIA's nvcc has a list of files at its end, with the source first: .file 1 "FILE". */
static char *source_of(const char *ptx)
{
    static const char mark[] = "// source: ", first[] = "\n\t.file\t1 \"";
    if (strncmp(ptx, mark, sizeof mark - 1)) {
        const char *at = strstr(ptx, first);
        return at ? xstrndup(at + sizeof first - 1, strcspn(at + sizeof first - 1, "\""))
                  : xstrdup("");
    }
    ptx += sizeof mark - 1;
    return xstrndup(ptx, strcspn(ptx, "\n"));
}

/* The container that NVIDIA's nvcc puts in fat_binary.data. It has entries; those of kind KIND_PTX
 * contain PTX, padded with zeros. Source: the section .nv_fatbin of objects by nvcc 13.0.
 *
 *     header   magic, version and bytes of the header, bytes of all entries
 *     entry    kind, version, bytes of its header, bytes of its body (all 16, 16, 32, 64 bits) ... body */
struct container {
    unsigned magic;
    unsigned short version, header;
    unsigned long long bytes;
};
struct container_entry {
    unsigned short kind, version;
    unsigned header;
    unsigned long long body;
};
enum { CONTAINER = (int)0xBA55ED50, KIND_PTX = 1 };

static char *ptx_in(const char *data)
{
    struct container c;
    struct container_entry entry;
    memcpy(&c, data, sizeof c);
    if (c.magic != (unsigned)CONTAINER) return xstrdup(data);
    for (const char *at = data + c.header, *end = at + c.bytes; at < end;
         at += entry.header + entry.body) {
        memcpy(&entry, at, sizeof entry);
        const char *text = at + entry.header;
        if (entry.kind == KIND_PTX && strstr(text, ".version")) return xstrndup(text, entry.body);
    }
    runtime_say(
        "a file of the program holds no PTX, or compressed PTX; build it with lockstep-nvcc");
    return NULL;
}

API void **__cudaRegisterFatBinary(const struct fat_binary *fat)
{
    struct image *i = xcalloc(1, sizeof *i);
    if (fat->magic == MAGIC) i->ptx = ptx_in(fat->data);
    i->source = source_of(i->ptx ? i->ptx : "");
    i->next = images;
    images = i;
    return (void **)i;
}

API void __cudaUnregisterFatBinary(void **handle) { (void)handle; }
API char __cudaInitModule(void **handle) { return handle != NULL; }

API int __cudaRegisterFunction(void **handle, const void *stub, char *device_function,
    const char *symbol, int limit, void *thread, void *block, void *block_dim, void *grid_dim,
    int *warp)
{
    (void)device_function, (void)limit, (void)thread, (void)block, (void)block_dim, (void)grid_dim,
        (void)warp;
    struct function *f = xcalloc(1, sizeof *f);
    *f = (struct function){
        .stub = stub, .symbol = symbol, .image = (struct image *)handle, .next = functions};
    functions = f;
    return 0;
}

API void __cudaRegisterVar(void **handle, const void *host, char *address, const char *symbol,
    int external, size_t bytes, int constant, int global)
{
    (void)address, (void)external, (void)constant, (void)global;
    struct variable *v = xcalloc(1, sizeof *v);
    *v = (struct variable){host, symbol, (struct image *)handle, 0, variables};
    for (int i = 0; i < range_count; i++)
        if ((const char *)host >= ranges[i].start && (const char *)host < ranges[i].stop)
            v->managed = bytes, managed_count++;
    variables = v;
}

API void __cudaRegisterTexture(void **handle, const void *host, const void **address,
    const char *symbol, int dimensions, int normalized, int external)
{
    (void)dimensions, (void)normalized;
    __cudaRegisterVar(handle, host, (char *)address, symbol, external, 0, 0, 0);
}

API void lockstepManaged(const void *start, const void *stop)
{
    for (int i = 0; i < range_count; i++)
        if (ranges[i].start == start) return;
    if (range_count < (int)(sizeof ranges / sizeof *ranges))
        ranges[range_count++] = (struct range){start, stop};
}

/* Link all relocatable files registered so far to the image `whole`. -1: they cannot be linked. */
static int link_images(struct err *e)
{
    const char **texts = NULL, **sources = NULL;
    size_t count = 0, cap = 0, source_count = 0, source_cap = 0;
    for (struct image *i = images; i; i = i->next)
        if (i->relocatable && i->ptx) {
            i->whole = &whole;
            i->number = (int)count;
            *VEC_PUSH(texts, count, cap) = i->ptx;
            *VEC_PUSH(sources, source_count, source_cap) = i->source;
        }
    int bad = link_ptx(texts, sources, (int)count, &linked, e);
    whole.ptx = linked.text;
    whole.source = xstrdup(bad ? "" : sources[0]);
    free(texts), free(sources);
    return bad;
}

static int load(struct image *i)
{
    struct err e = {0};
    char *text = NULL;
    if (i->relocatable && !i->whole && !i->refused && link_images(&e)) {
        runtime_say("%s", e.text);
        i->refused = 1;
    }
    if (i->whole) {
        int bad = load(i->whole);
        i->module = i->whole->module;
        return bad;
    }
    if (i->module) return 0;
    if (i->refused || !i->ptx) return -1;
    if (device_load(runtime.device, i->ptx, *i->source ? i->source : "the program", i->source,
            &i->module, &e)) {
        runtime_say("%s", e.text);
        i->refused = 1;
        return -1;
    }
    if (*i->source && !file_read(i->source, 4 << 20, &text, NULL, &e))
        module_source(i->module, text);
    free(text);
    return 0;
}

/* The name that a symbol has in the PTX; the caller frees it. In a relocatable file, clang's
 * host compilation adds a unique suffix to the names of static variables and kernels, which is
 * removed. */
static char *name_of(const struct image *i, const char *symbol)
{
    if (!i->whole) return xstrdup(symbol);
    const char *added = strstr(symbol, "__static__");
    if (!added) added = strstr(symbol, "__intern__");
    char *own = xstrndup(symbol, added ? (size_t)(added - symbol) : strlen(symbol));
    char *name = link_name(&linked, i->number, own);
    free(own);
    return name;
}

static dev_ptr address_of(const struct variable *v, size_t *bytes)
{
    if (load(v->image)) return 0;
    char *name = name_of(v->image, v->symbol);
    dev_ptr at = module_variable(v->image->module, name, bytes);
    free(name);
    return at;
}

/* The device address for an address in the host's copy of a managed variable. 0: no variable is
 * there. */
static uint64_t managed_at(uint64_t host)
{
    for (const struct variable *v = variables; v; v = v->next) {
        size_t bytes;
        uint64_t start = (uintptr_t)v->host;
        if (v->managed && host >= start && host - start < v->managed) {
            dev_ptr at = address_of(v, &bytes);
            return at ? at + (host - start) : 0;
        }
    }
    return 0;
}

int registry_has_managed(void) { return managed_count > 0; }

void registry_managed(int to_host)
{
    struct err e = {0};
    if (!managed_count) return;
    for (const struct variable *v = variables; v; v = v->next) {
        size_t bytes = 0;
        dev_ptr at = v->managed ? address_of(v, &bytes) : 0;
        if (!at) continue;
        bytes = bytes < v->managed ? bytes : v->managed;
        if (to_host)
            device_copy_out(runtime.device, (void *)(uintptr_t)v->host, at, bytes, &e);
        else
            device_copy_in(runtime.device, at, v->host, bytes, &e);
    }
}

/* Sets the host's copies of managed variables to the initial values in the PTX. */
API void __cudaRegisterFatBinaryEnd(void **handle)
{
    static struct api_call this_call = {"start"};
    (void)handle;
    if (!managed_count) return;
    if (!runtime_enter(&this_call)) registry_managed(1);
    runtime_leave(cudaSuccess);
}

/* Registers a relocatable file. lockstep-nvcc makes such a file call this instead of nvlink's
 * function (nvcc/relocatable.c). */
API void lockstepRegisterLinked(void (*globals)(void **handle), const struct fat_binary *fat,
    const char *id, void (*unused)(void *))
{
    (void)id, (void)unused;
    struct image *i = (struct image *)__cudaRegisterFatBinary(fat);
    i->relocatable = 1;
    globals((void **)i);
    if (managed_count) __cudaRegisterFatBinaryEnd((void **)i);
}

struct function *registry_function(const void *stub, cudaError_t *error)
{
    struct function *f = functions;
    while (f && f->stub != stub) f = f->next;
    *error = cudaErrorInvalidDeviceFunction;
    if (!f || load(f->image)) return NULL;
    if (!f->kernel) {
        char *name = name_of(f->image, f->symbol);
        f->kernel = module_kernel(f->image->module, name);
        free(name);
    }
    if (!f->name) {
        struct buf b = {0};
        kernel_name(f->kernel, &b);
        f->name = runtime_name(b.data ? b.data : f->symbol);
        buf_free(&b);
    }
    return f->kernel ? f : NULL;
}

/* If an argument has 8 bytes, and its value is an address in the host's copy of a managed variable
 * or in registered memory, it is assumed to be that address. */
int registry_managed_args(
    const struct function *f, void *const *args, void **out, uint64_t *room, int most)
{
    const struct param *params;
    int count = managed_count || memory_has_lent() ? kernel_params(f->kernel, &params) : 0,
        changed = 0;
    for (int i = 0; i < count && i < most; i++) {
        uint64_t value;
        out[i] = args[i];
        if (params[i].bytes != sizeof value) continue;
        memcpy(&value, args[i], sizeof value);
        room[i] = managed_at(value);
        if (!room[i]) room[i] = memory_lent(value);
        if (room[i]) out[i] = &room[i], changed = 1;
    }
    return changed && count <= most;
}

struct function *registry_functions(void) { return functions; }

static const struct image *image_of(const struct function *f)
{
    return f->image->whole ? f->image->whole : f->image;
}
const char *registry_ptx(const struct function *f) { return image_of(f)->ptx; }
const char *registry_source(const struct function *f) { return f->image->source; }

int registry_target(const struct function *f)
{
    const char *target = strstr(registry_ptx(f), "\n.target sm_");
    return target ? atoi(target + sizeof "\n.target sm_" - 1) : 0;
}

/* Before CUDA 5, a variable could be given by its name as a string: cudaMemcpyToSymbol("c", ...).
 * Is `host` such a string constant, in the program or its libraries, that equals the symbol's
 * name? */
static int is_name(const void *host, const char *symbol)
{
    static int told;
    Dl_info object;
    if (!dladdr(host, &object) || strcmp(host, symbol)) return 0;
    if (!told++)
        runtime_say(
            "warning: \"%s\" is taken for the variable of this name; from CUDA 5 on that is an "
            "error: leave the quotes out",
            symbol);
    return 1;
}

dev_ptr registry_variable(const void *host, size_t *bytes)
{
    for (const struct variable *v = variables; v; v = v->next)
        if (v->host == host || is_name(host, v->symbol)) return address_of(v, bytes);
    return 0;
}

struct image *registry_open(const char *ptx, cudaError_t *error)
{
    const struct fat_binary fat = {MAGIC, 1, ptx, NULL};
    static struct api_call this_call = {"cuModuleLoad"};
    struct image *i = NULL;
    *error = runtime_enter(&this_call);
    if (!*error) {
        i = (struct image *)__cudaRegisterFatBinary(&fat);
        if (load(i)) *error = cudaErrorInvalidPtx;
    }
    runtime_leave(*error);
    return *error ? NULL : i;
}

/* The image's functions stay in the list of functions, for the report, but can no longer be found
 * by name. */
void registry_close(struct image *i)
{
    for (struct function *f = functions; f; f = f->next)
        if (f->image == i) f->stub = NULL, f->kernel = NULL;
    if (i->module && runtime.device) device_unload(runtime.device, i->module);
    i->module = NULL;
    i->refused = 1;
}

struct function *registry_named(struct image *i, const char *name)
{
    cudaError_t error;
    for (struct function *f = functions; f; f = f->next)
        if (f->image == i && f->stub && !strcmp(f->symbol, name)) return f;
    if (load(i) || !module_kernel(i->module, name)) return NULL;
    __cudaRegisterFunction((void **)i, NULL, NULL, xstrdup(name), 0, NULL, NULL, NULL, NULL, NULL);
    functions->stub = functions;
    return registry_function(functions, &error);
}

struct function *registry_beside(const struct function *f, uint64_t address)
{
    cudaError_t error;
    const char *name = module_kernel_at(f->image->module, address);
    struct function *g = name ? registry_named(f->image, name) : NULL;
    return g ? registry_function(g->stub, &error) : NULL;
}

dev_ptr registry_global(struct image *i, const char *name, size_t *bytes)
{
    return load(i) ? 0 : module_variable(i->module, name, bytes);
}

void registry_unload(void)
{
    for (struct image *i = images; i; i = i->next) {
        if (i->module && !i->whole) device_unload(runtime.device, i->module);
        i->module = NULL;
        i->refused = 0;
    }
    if (whole.module) device_unload(runtime.device, whole.module);
    whole.module = NULL;
    for (struct function *f = functions; f; f = f->next) f->kernel = NULL;
}
