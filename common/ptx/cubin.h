/* cubin.h - what a cubin, an ELF file by ptxas, says of where lanes of a kernel meet (cubin.c).
 *
 *     BSSY B0, 120    lanes begin a region      ──>  {from: its address, at: where its BSYNC leads}
 *     ...
 *     120: BSYNC B0   they wait for each other
 */
#ifndef LOCKSTEP_PTX_CUBIN_H
#define LOCKSTEP_PTX_CUBIN_H

#include "base/base.h"

enum { CUBIN_INSTRUCTION_BYTES = 16 };
struct cubin_code {
    /* The line table: code from address on is of that line, in the order of addresses. */
    struct cubin_line {
        uint64_t address;
        int line;
    } *lines;
    size_t line_count, line_cap;
    /* Where regions begin and end, as addresses, by the former; at is past BSYNCs, BREAKs and jumps. */
    struct cubin_region {
        uint64_t from, at;
    } *regions;
    size_t region_count, region_cap;
};

/* Of one kernel, by its name in the PTX. bytes: a file's, for compute capability 7.0 or later; -1 where they are no cubin with that kernel
 * and a line table (ptxas -lineinfo). Free with cubin_free in every case. */
int cubin_read(const unsigned char *bytes, size_t size, const char *kernel, struct cubin_code *out, struct err *e);
void cubin_free(struct cubin_code *c);
/* The line that code at an address is of; 0: none. */
int cubin_line_at(const struct cubin_code *c, uint64_t address);

#endif
