/* cuda_assemble.c - machine code of PTX by the driver's compiler, for tests also otherwise than it would by itself.
 *
 *     PTX ── driver ──> cubin, an ELF file ── each YIELD becomes a NOP ──> module
 *
 * From compute capability 7.0 on instructions have 128 bits; the low 12 are the operation's. Source: cuobjdump -sass -hex of what
 * ptxas 13.0 makes for sm_90. */
#include "device/cuda_driver.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTION_BYTES = 16, OPERATION = 0xfff, YIELD = 0x946, NOP = 0x918 };
static const uint64_t SCHEDULING = ~(uint64_t)0 << 41; /* of the high word; below it are operands, of which a NOP has none */

static int unoptimised, without_yields;

void device_optimise(int yes)
{
    unoptimised = !yes;
}

void device_yields(int keep)
{
    without_yields = !keep;
}

static long take_out(unsigned char *code, size_t bytes)
{
    long found = 0;
    for (size_t at = 0; at + INSTRUCTION_BYTES <= bytes; at += INSTRUCTION_BYTES) {
        uint64_t word[2];
        memcpy(word, code + at, sizeof word);
        if ((word[0] & OPERATION) != YIELD)
            continue;
        word[0] = (word[0] & ~(uint64_t)OPERATION) | NOP;
        word[1] &= SCHEDULING;
        memcpy(code + at, word, sizeof word);
        found++;
    }
    return found;
}

long cuda_take_yields_out(unsigned char *cubin, size_t bytes)
{
    Elf64_Ehdr h;
    long found = 0;
    if (bytes < sizeof h)
        return -1;
    memcpy(&h, cubin, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) || h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_shentsize != sizeof(Elf64_Shdr) ||
        h.e_shoff > bytes || (bytes - h.e_shoff) / sizeof(Elf64_Shdr) < h.e_shnum)
        return -1;
    for (int i = 0; i < h.e_shnum; i++) {
        Elf64_Shdr s;
        memcpy(&s, cubin + h.e_shoff + (size_t)i * sizeof s, sizeof s);
        if (s.sh_type != SHT_PROGBITS || !(s.sh_flags & SHF_EXECINSTR))
            continue;
        if (s.sh_offset > bytes || s.sh_size > bytes - s.sh_offset)
            return -1;
        found += take_out(cubin + s.sh_offset, s.sh_size);
    }
    return found;
}

/* The cubin is the linker's, until that is destroyed. */
static cu_result load_without_yields(const char *ptx, cu_handle *module, unsigned count, int *options, void **values)
{
    cu_handle link = NULL;
    void *cubin = NULL;
    size_t bytes = 0;
    cu_result r = cu.cuLinkCreate_v2(count, options, values, &link);
    if (r)
        return r;
    r = cu.cuLinkAddData_v2(link, INPUT_PTX, (void *)(uintptr_t)ptx, strlen(ptx) + 1, "ptx", 0, NULL, NULL);
    if (!r)
        r = cu.cuLinkComplete(link, &cubin, &bytes);
    if (!r) {
        unsigned char *copy = xcalloc(bytes, 1);
        memcpy(copy, cubin, bytes);
        r = cuda_take_yields_out(copy, bytes) < 0 ? CU_NO_BINARY : cu.cuModuleLoadDataEx(module, copy, 0, NULL, NULL);
        free(copy);
    }
    cu.cuLinkDestroy(link);
    return r;
}

cu_result cuda_assemble(const char *ptx, cu_handle *module, char *log, size_t size)
{
    int options[] = {JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES, JIT_OPTIMIZATION_LEVEL};
    void *values[] = {log, (void *)(uintptr_t)(size - 1), NULL};
    unsigned count = unoptimised ? 3 : 2;
    return without_yields ? load_without_yields(ptx, module, count, options, values)
                          : cu.cuModuleLoadDataEx(module, ptx, count, options, values);
}
