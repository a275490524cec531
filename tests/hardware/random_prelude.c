/* random_prelude.c - what every file of random kernels begins with: structures, and functions for
 * warps and atomics. */
#include "hardware/random_kernel.h"
#include "hardware/random_expr.h"

#include <stdio.h>

/* Structures for vector accesses, and one with padding for a parameter. */
static const char types[] =
    "struct __align__(16) vec4 { unsigned x, y, z, w; };\nstruct __align__(8) vec2 { unsigned x, y; };\n"
    "struct __align__(16) vec4f { float x, y, z, w; };\nstruct __align__(16) vec2d { double x, y; };\n"
    "struct __align__(8) vec4h { short x, y, z, w; };\nstruct __align__(4) vec4b { unsigned char x, y, z, w; "
    "};\n"
    "struct mixed { float x; unsigned char c; double y; };\n";

/* Shuffles, votes and matches under one name for both front ends. clang gets its builtins, nvcc
 * CUDA's functions. */
static const char lanes[] =
    "#ifdef __clang__\n"
    "FN unsigned lane_idx(unsigned m, unsigned v, int k, int w) { return "
    "(unsigned)__nvvm_shfl_sync_idx_i32(m, (int)v, k, ((32 - w) << 8) | 31); }\n"
    "FN unsigned lane_up(unsigned m, unsigned v, int k, int w) { return (unsigned)__nvvm_shfl_sync_up_i32(m, "
    "(int)v, k, (32 - w) << 8); }\n"
    "FN unsigned lane_down(unsigned m, unsigned v, int k, int w) { return "
    "(unsigned)__nvvm_shfl_sync_down_i32(m, (int)v, k, ((32 - w) << 8) | 31); }\n"
    "FN unsigned lane_xor(unsigned m, unsigned v, int k, int w) { return "
    "(unsigned)__nvvm_shfl_sync_bfly_i32(m, (int)v, k, ((32 - w) << 8) | 31); }\n"
    "FN unsigned ballot(unsigned m, bool p) { return (unsigned)__nvvm_vote_ballot_sync(m, p); }\n"
    "FN bool any(unsigned m, bool p) { return __nvvm_vote_any_sync(m, p); }\n"
    "FN bool all(unsigned m, bool p) { return __nvvm_vote_all_sync(m, p); }\n"
    "FN unsigned same(unsigned m, unsigned v) { return (unsigned)__nvvm_match_any_sync_i32(m, (int)v); }\n"
    "#else\n"
    "FN unsigned lane_idx(unsigned m, unsigned v, int k, int w) { return __shfl_sync(m, v, k, w); }\n"
    "FN unsigned lane_up(unsigned m, unsigned v, int k, int w) { return __shfl_up_sync(m, v, k, w); }\n"
    "FN unsigned lane_down(unsigned m, unsigned v, int k, int w) { return __shfl_down_sync(m, v, k, w); }\n"
    "FN unsigned lane_xor(unsigned m, unsigned v, int k, int w) { return __shfl_xor_sync(m, v, k, w); }\n"
    "FN unsigned ballot(unsigned m, bool p) { return __ballot_sync(m, p); }\n"
    "FN bool any(unsigned m, bool p) { return __any_sync(m, p); }\n"
    "FN bool all(unsigned m, bool p) { return __all_sync(m, p); }\n"
    "FN unsigned same(unsigned m, unsigned v) { return __match_any_sync(m, v); }\n"
    "#endif\n";

/* The atomic operations, in the order of the regions of au and aw: each region is only updated
 * by its operation, so the order does not matter. `owned` are those whose result is used, on
 * elements that only one thread accesses. */
static const char *const atoms[] = {
    "add.u%d", "min.u%d", "max.u%d", "min.s%d", "max.s%d", "and.b%d", "or.b%d", "xor.b%d"};
static const char *const owned[] = {"exch.b%d", "add.u%d"};

/* "add.u%d" with 32 as part of a function's name: add_u32. */
static void atom_name(struct buf *out, const char *form, int bits)
{
    char text[16];
    snprintf(text, sizeof text, form, bits);
    for (char *p = text; *p; p++) buf_printf(out, "%c", *p == '.' ? '_' : *p);
}

/* A device function for each atomic operation, 32 and 64 bits wide; each is one instruction on a
 * generic address. */
static void atom_functions(struct buf *out)
{
    for (int bits = 32; bits <= 64; bits += 32) {
        const char *type = bits == 32 ? "unsigned" : "wide";
        char letter = bits == 32 ? 'r' : 'l';
        for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++) {
            buf_printf(out, "FN void red_");
            atom_name(out, atoms[i], bits);
            buf_printf(out, "(%s *p, %s v) { asm volatile(\"red.", type, type);
            buf_printf(out, atoms[i], bits);
            buf_printf(out, " [%%0], %%1;\" :: \"l\"(p), \"%c\"(v) : \"memory\"); }\n", letter);
        }
        for (int i = 0; i < 2; i++) {
            buf_printf(out, "FN %s atom_", type);
            atom_name(out, owned[i], bits);
            buf_printf(
                out, "(%s *p, %s v)\n{\n    %s r;\n    asm volatile(\"atom.", type, type, type);
            buf_printf(out, owned[i], bits);
            buf_printf(out,
                " %%0, [%%1], %%2;\" : \"=%c\"(r) : \"l\"(p), \"%c\"(v) : \"memory\");\n    return r;\n}\n",
                letter, letter);
        }
    }
    buf_printf(out,
        "FN void red_float(float *p, float v) { asm volatile(\"red.add.f32 [%%0], %%1;\" :: \"l\"(p), "
        "\"f\"(v) : \"memory\"); }\n"
        "FN unsigned atom_cas(unsigned *p, unsigned old, unsigned v)\n{\n    unsigned r;\n    "
        "asm volatile(\"atom.cas.b32 %%0, [%%1], %%2, %%3;\""
        " : \"=r\"(r) : \"l\"(p), \"r\"(old), \"r\"(v) : \"memory\");\n    return r;\n}\n"
        "FN unsigned atom_inc(unsigned *p, unsigned v)\n{\n    unsigned r;\n    asm "
        "volatile(\"atom.inc.u32 %%0, [%%1], %%2;\""
        " : \"=r\"(r) : \"l\"(p), \"r\"(v) : \"memory\");\n    return r;\n}\n");
}

void random_prelude(struct buf *out)
{
    gen_prelude(out);
    buf_printf(out, "%s%s", types, lanes);
    atom_functions(out);
}
