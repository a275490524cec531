/* random_kernel.c - random kernels: their launch shape, their buffers, their statements.
 *
 *     helpers     functions that the kernel calls
 *     signature   buffers, then scalars
 *     opening     variables and shared memory get their first values
 *     statements  uniform ones, which nest others
 *     closing     every variable is written to the outputs, so that a difference anywhere shows
 *
 * The state is in variables: u0.. unsigned, w0.. 64 bits, f0.. float, d0.. double. There are two
 * kinds of statements. Any thread may execute an ordinary one alone. A uniform one (barrier,
 * shuffle, vote) is only put where the whole block arrives together.
 */
#include "hardware/random_kernel.h"
#include "hardware/random_expr.h"

#include <stdio.h>
#include <string.h>

/* The number of variables of each type; elements per thread of ou and ow; kinds of atomic
 * operations. */
enum { US = 6, WS = 3, FS = 4, DS = 2, OU = 12, OW = 8, ATOMS = 8 };

/* Inputs, then outputs, then buffers that are updated by atomics. */
const struct random_buffer random_buffers[RANDOM_BUFFERS] = {
    {"iu", "const unsigned *", 4, 256, 0, 'u', 1},
    {"iw", "const wide *", 8, 128, 0, 'w', 1},
    {"fi", "const float *", 4, 256, 0, 'f', 1},
    {"di", "const double *", 8, 128, 0, 'd', 1},
    {"ib", "const unsigned char *", 1, 512, 0, 'u', 1},
    {"ih", "const short *", 2, 256, 0, 'u', 1},
    {"ou", "unsigned *", 4, 0, OU, 0, 1},
    {"ow", "wide *", 8, 0, OW, 0, 1},
    {"ov", "vec4 *", 16, 0, 1, 0},
    {"oh", "unsigned short *", 2, 0, 2, 0, 1},
    {"ob", "unsigned char *", 1, 0, 3, 0, 1},
    /* 8 elements for each of the ATOMS operations */
    {"au", "unsigned *", 4, 8 * ATOMS, 0, 'u'},
    {"aw", "wide *", 8, 8 * ATOMS, 0, 'w'},
    {"af", "float *", 4, 8, 0, 'z'},
};

/* ---- text ---- */

static void line_start(struct gen *g) { buf_printf(g->out, "%*s", 4 * g->indent, ""); }

/* Append a line. In form, $u $w $f $d $p stand for an expression of that type, $i for a small
 * 32-bit one, # for a number below 64. */
static void say(struct gen *g, const char *form)
{
    line_start(g);
    for (; *form; form++) {
        if (*form == '#')
            buf_printf(g->out, "%d", gen_below(g, 64));
        else if (*form != '$')
            buf_printf(g->out, "%c", *form);
        else if (*++form == 'i')
            gen_expr(g, 'u', 1);
        else
            gen_expr(g, *form, 1 + gen_below(g, 4));
    }
    buf_printf(g->out, "\n");
}

/* Assign to a variable of a random type, or add to it or subtract from it. */
static void assign(struct gen *g)
{
    static const char letters[] = "uuuuuwwfffd";
    static const char *const ops[] = {"=", "+=", "-=", "=", "="};
    char t = letters[gen_below(g, (int)sizeof letters - 1)];
    int count = t == 'u' ? g->u : t == 'w' ? g->w : t == 'f' ? g->f : g->d;
    char form[32];
    snprintf(form, sizeof form, "%c%d %s $%c;", t, gen_below(g, count), ops[gen_below(g, 5)], t);
    say(g, form);
}

/* ---- statements that any thread may run alone ---- */

static void statement(struct gen *g, int depth);

/* The statements in braces. Here the threads of a warp may have diverged. */
static void block(struct gen *g, int depth, int most)
{
    g->indent++;
    g->apart++;
    for (int n = 1 + gen_below(g, most); n; n--) statement(g, depth);
    g->apart--;
    g->indent--;
}

static void branch(struct gen *g, int depth)
{
    say(g, "if ($p) {");
    block(g, depth - 1, 3);
    if (gen_chance(g, 60)) {
        say(g, "} else {");
        block(g, depth - 1, 3);
    }
    say(g, "}");
}

/* A loop that ends for certain: it counts, and its limit is small. At most two are nested, since
 * there are only the counters i0 and i1. '@' stands for the counter's digit. */
static void loop(struct gen *g, int depth)
{
    static const char *const heads[] = {
        "for (unsigned i@ = 0, n@ = $i & 7; i@ < n@; i@++) {",
        "for (unsigned i@ = 0, n@ = $i & 15; i@ <= "
        "n@; i@ += 2) {",
        "for (unsigned i@ = $i & 7; i@ != 0; i@--) {",
        "for (unsigned i@ = 0; i@ < 4; i@++) {",
        "for (unsigned i@ = 0; i@ < 12 && $p; i@++) {",
    };
    char form[96];
    if (g->loops == 2) {
        assign(g);
        return;
    }
    snprintf(form, sizeof form, "%s", heads[gen_below(g, 5)]);
    for (char *p = form; *p; p++)
        if (*p == '@') *p = (char)('0' + g->loops);
    say(g, form);
    g->loops++;
    block(g, depth - 1, 3);
    g->indent++;
    g->apart++;
    if (gen_chance(g, 25)) say(g, "if ($p) break;");
    if (gen_chance(g, 20)) {
        say(g, "if ($p) continue;");
        statement(g, 0);
    }
    g->apart--;
    g->indent--;
    g->loops--;
    say(g, "}");
}

/* A switch. Some cases fall through to the next. */
static void choice(struct gen *g, int depth)
{
    int cases = 2 + gen_below(g, 7);
    line_start(g);
    buf_printf(g->out, "switch (");
    gen_expr(g, 'u', 2);
    buf_printf(g->out, " & 7) {\n");
    for (int i = 0; i < cases && i < 8; i++) {
        line_start(g);
        buf_printf(g->out, "case %d:\n", i);
        block(g, depth - 1, 2);
        if (gen_chance(g, 80)) say(g, "    break;");
    }
    say(g, "default:");
    block(g, 0, 1);
    say(g, "}");
}

/* Memory accesses: a vector load, a generic pointer, a walking pointer, a call, an atomic, an
 * output. '@' marks a call of one of this seed's helper functions. */
static const char *const access_forms[] = {
    "{ vec4 v = ((const vec4 *)iu)[$i & 63]; u0 ^= v.x + v.z; u1 += v.y; u2 -= v.w; }",
    "{ vec2 v = ((const vec2 *)iu)[$i & 127]; u3 ^= v.x; u0 += v.y; }",
    "{ vec4f v = ((const vec4f *)fi)[$i & 63]; f0 = v.x + v.w; f1 = v.y - v.z; }",
    "{ vec2d v = ((const vec2d *)di)[$i & 63]; d0 = v.x - v.y; }",
    "{ vec4h v = ((const vec4h *)ih)[$i & 63]; u4 += (unsigned)v.x * 3u + (unsigned)(v.y ^ v.z) - "
    "(unsigned)v.w; }",
    "{ vec4b v = ((const vec4b *)ib)[$i & 127]; u5 ^= v.x | (unsigned)v.y << 8 | (unsigned)v.z << 16 | "
    "(unsigned)v.w << 24; }",
    "{ vec4b v = ((const vec4b *)ib)[$i & 127]; u1 += (unsigned)v.z; }",
    "a[$i & 7] = $u;",
    "a[$i & 7] += $u;",
    "a[$i & 7] = a[$i & 7] ^ $u;",
    "{ const unsigned *p = $p ? (const unsigned *)iu + ($i & 31) : (const unsigned *)iu + 255 - ($i & "
    "31); u2 ^= p[0]; u3 += *p; }",
    "{ const unsigned *p = $p ? a : (const unsigned *)iu; u4 ^= p[$i & 7]; }",
    "{ const unsigned *p = $p ? su : (const unsigned *)iu; u0 += p[$i & 31]; }",
    "{ const unsigned *p = $p ? su : a; u1 ^= p[$i & 7]; }",
    "{ unsigned *p = $p ? a : b; p[$i & 7] = $u; u5 -= p[$i & 7]; }",
    "{ const float *p = (const float *)fi + ($i & 127); float s = 0; for (int k = 0; k < 5; k++, p += 7) "
    "s += *p; f2 = s; }",
    "u0 = twist@(u0, $u, $w, $f, $d, (unsigned char)$i);",
    "w1 = spread@($u, $w, (short)$i);",
    "stir@(a, $u, $f);",
    "stir@($p ? a : b, $u, $f);",
    "red_add_u32(au + ($i & 7), $u);",
    "red_min_u32(au + 8 + ($i & 7), $u);",
    "red_max_s32(au + 32 + ($i & 7), $u);",
    "red_and_b32(au + 40 + ($i & 7), $u);",
    "red_xor_b32(au + 56 + ($i & 7), $u);",
    "red_max_u32(au + 16 + (t & 7), $u);",
    "red_min_s32(au + 24 + ($i & 7), $u);",
    "red_or_b32(au + 48 + (lane & 7), $u);",
    "red_add_u64(aw + ($i & 7), $w);",
    "red_max_u64(aw + 16 + ($i & 7), $w);",
    "red_min_s64(aw + 24 + ($i & 7), $w);",
    "red_xor_b64(aw + 56 + ($i & 7), $w);",
    "red_float(af + ($i & 7), (float)(int)(1 + ($i & 7)));",
    "ou[g * 12 + 10] = $u;",
    "ow[g * 8 + 6] = $w;",
    "ou[g * 12 + 11] ^= $u;",
    "{ vec4 v = {$u, $u, u0, $i}; ov[g] = v; }",
    "{ vec4 v = ov[g]; v.y += $u; ov[g] = v; u3 ^= v.w; }",
    "oh[g * 2 + 1] = (unsigned short)$u;",
    "ob[g * 3 + 2] += (unsigned char)$u;",
    "ob[g * 3 + ($i & 1)] = (unsigned char)$i;",
    "u1 ^= atom_add_u32((unsigned *)ou + g * 12 + 10, $u);",
    "w2 += atom_exch_b64((wide *)ow + g * 8 + "
    "6, $w);",
    "u2 += atom_cas((unsigned *)ou + g * 12 + 11, $i, $u);",
    "u4 ^= atom_inc((unsigned *)ou + g * 12 + "
    "10, $u);",
};

static void access_memory(struct gen *g)
{
    enum { FORMS = sizeof access_forms / sizeof *access_forms };
    char form[192];
    /* Where the warp may have diverged, no call is made: ptxas may keep values of the other
     * threads in registers that the call overwrites. */
    do snprintf(form, sizeof form, "%s", access_forms[gen_below(g, FORMS)]);
    while (g->apart && strchr(form, '@'));
    char *at = strchr(form, '@');
    if (at) {
        char seeded[224];
        *at = 0;
        snprintf(seeded, sizeof seeded, "%s_%llu%s", form, (unsigned long long)g->seed, at + 1);
        say(g, seeded);
    } else {
        say(g, form);
    }
}

/* An ordinary statement. depth limits how deep branches and loops nest. */
static void statement(struct gen *g, int depth)
{
    int what = gen_below(g, 100);
    if (depth > 0 && what < 14)
        branch(g, depth);
    else if (depth > 0 && what < 24)
        loop(g, depth);
    else if (depth > 0 && what < 28)
        choice(g, depth);
    else if (what < 50)
        access_memory(g);
    else
        assign(g);
}

/* ---- uniform statements: the whole block comes here ---- */

/* An index that differs from thread to thread: a one-to-one map of t onto the array. An odd
 * factor is invertible modulo the array's size, which is a power of two. */
static void own_index(struct gen *g)
{
    unsigned last = g->shared_size - 1, c = (unsigned)gen_below(g, (int)g->shared_size);
    if (gen_chance(g, 40))
        buf_printf(g->out, "t");
    else if (gen_chance(g, 50))
        buf_printf(g->out, "(t ^ %u)", c);
    else
        buf_printf(g->out, "((t * %u + %u) & %u)", 2 * c + 1, c, last);
}

/* A phase in which shared memory is written, between two barriers. In it no expression reads
 * shared memory. */
static void shared_phase(struct gen *g)
{
    static const struct {
        const char *array, *value;
    } writes[] = {
        {"su", "$u"},
        {"sw", "$w"},
        {"sf", "$f"},
        {"sb", "(unsigned char)$u"},
        {"sh", "(short)$u"},
        {"sd", "$u"},
    };
    static const char *const reds[] = {"red_add_u32(su + ($i & %u), $u);",
        "red_max_s32(su + ($i & %u), $u);", "red_xor_b32(su + ($i & %u), $u);",
        "red_or_b32(sd + ($i & %u), $u);", "red_add_u64(sw + ($i & %u), $w);",
        "red_min_u64(sw + ($i & %u), $w);"};
    char form[128];
    say(g, "__syncthreads();");
    g->shared = 0;
    if (gen_chance(g, 25)) {
        snprintf(form, sizeof form, reds[gen_below(g, 6)], g->shared_size - 1);
        if (gen_chance(g, 40)) say(g, "if ($p)");
        say(g, form);
    } else {
        int which = gen_below(g, 6);
        if (gen_chance(g, 30)) say(g, "if ($p)");
        line_start(g);
        buf_printf(g->out, "%s[", writes[which].array);
        own_index(g);
        buf_printf(g->out, "] =");
        /* say() would indent the rest of the line. */
        int indent = g->indent;
        g->indent = 0;
        snprintf(form, sizeof form, " %s;", writes[which].value);
        say(g, form);
        g->indent = indent;
    }
    say(g, "__syncthreads();");
    g->shared = 1;
}

/* A statement that needs all threads of the warp. Those in whole_warp also need a warp of 32
 * threads. */
static void warp_statement(struct gen *g)
{
    static const char *const any_warp[] = {
        "u0 += ballot(full, $p);",
        "u1 ^= any(full, $p) ? $u : 5u;",
        "if (all(full, $p)) u2 += $u;",
        "u3 ^= lane_idx(full, $u, (int)($i % width), 32);",
        "u4 += lane_up(full, $u, # & 31, 32);",
        "u5 ^= same(full, $u & 3);",
        "f1 = (float)(int)lane_idx(full, $u, (int)($i % width), 32);",
        "{ bool q = $p; unsigned m = ballot(full, q); if (q) u0 ^= lane_idx(m, $u, (int)ptx_popc_b32((m & "
        "(0u - m)) - 1), 32); }",
        "{ bool q = $p; unsigned m = ballot(full, q); if (q) u1 += ballot(m, $p); else u2 -= ballot(full ^ "
        "m, $p); }",
        "if (warp & 1) u3 += lane_up(full, $u, 1, 32); else u3 -= ballot(full, $p);",
    };
    static const char *const whole_warp[] = {
        "u0 ^= lane_xor(full, $u, # & 31, 32);",
        "u1 += lane_down(full, $u, # & 31, 32);",
        "u2 ^= lane_down(full, $u, # & 7, 8);",
        "u3 += lane_xor(full, $u, # & 15, 16);",
        "u4 ^= lane_idx(full, $u, (int)($i & 31), 4);",
        "u5 += lane_up(full, $u, 1, 2);",
        "for (int k = 16; k; k >>= 1) u0 += lane_down(full, u0, k, 32);",
        "for (int k = 1; k < 32; k *= 2) u1 ^= lane_xor(full, u1 + $i, k, 32);",
    };
    if (g->partial_warp || gen_chance(g, 50))
        say(g, any_warp[gen_below(g, 10)]);
    else
        say(g, whole_warp[gen_below(g, 8)]);
}

/* A statement at a place that the whole block reaches. Conditions and limits here are the same
 * for all threads. */
static void uniform(struct gen *g, int depth)
{
    int what = gen_below(g, 100);
    if (what < 22) {
        shared_phase(g);
    } else if (what < 40) {
        warp_statement(g);
    } else if (what < 50 && depth > 0 && g->loops < 2) {
        line_start(g);
        buf_printf(g->out, "for (unsigned i%d = 0; i%d < %d + (s0 & 3); i%d++) {\n", g->loops,
            g->loops, 1 + gen_below(g, 3), g->loops);
        g->loops++;
        g->indent++;
        for (int n = 1 + gen_below(g, 3); n; n--) uniform(g, depth - 1);
        g->indent--;
        g->loops--;
        say(g, "}");
    } else if (what < 55 && depth > 0) {
        say(g, gen_chance(g, 50) ? "if (blockIdx.x & 1) {"
                                 : "if (s0 > 2000000000u || blockIdx.y == 1) {");
        g->indent++;
        uniform(g, depth - 1);
        uniform(g, depth - 1);
        g->indent--;
        say(g, "}");
    } else {
        statement(g, 3);
    }
}

/* ---- a kernel ---- */

/* Three functions that are not inlined. They have their own variables and cannot read the
 * kernel's buffers. */
static void helpers(struct gen *g)
{
    unsigned long long seed = g->seed;
    struct gen f = *g;
    f.indent = 1;
    f.u = 2, f.w = f.f = f.d = 1;
    f.in_kernel = f.shared = f.local = f.loops = 0;
    buf_printf(f.out,
        "\nstatic __device__ __noinline__ unsigned twist_%llu(unsigned u0, unsigned u1, wide w0, float f0, "
        "double d0, unsigned char c)\n{\n",
        seed);
    say(&f, "u1 += c;");
    say(&f, "if ($p) return $u;");
    say(&f, "for (int k = 0; k < (c & 3); k++) u0 = $u;");
    say(&f, "return $u;");
    buf_printf(f.out,
        "}\nstatic __device__ __noinline__ wide spread_%llu(unsigned u0, wide w0, short h)\n{\n    unsigned "
        "u1 = (unsigned)h;\n",
        seed);
    f.f = f.d = 1;
    say(&f, "float f0 = (float)h;");
    say(&f, "double d0 = (double)u0;");
    say(&f, "return $w;");
    buf_printf(f.out,
        "}\nstatic __device__ __noinline__ void stir_%llu(unsigned *a, unsigned u0, float f0)\n{\n"
        "    unsigned u1 = a[u0 & 7];\n    wide w0 = u1;\n    double d0 = u0;\n",
        seed);
    f.local = 1;
    say(&f, "for (int k = 0; k < 8; k++) a[k] = a[k] * 3 + $u;");
    say(&f, "if ($p) a[$i & 7] = $u;");
    buf_printf(f.out, "}\n");
    /* Go on with the random numbers that the helpers have not used. */
    g->r = f.r;
}

/* The parameters. In some kernels the buffers marked as watched are volatile. Then no compiler
 * may leave out a load or a store, so a GPU executes as many as the simulator. */
static void signature(struct gen *g, struct random_kernel *k)
{
    int restricted = gen_chance(g, 40);
    k->watched = gen_chance(g, 30);
    g->watch = k->watched ? "volatile " : "";
    buf_printf(g->out, "extern \"C\" __global__ void %s(", k->name);
    for (int i = 0; i < RANDOM_BUFFERS; i++)
        buf_printf(g->out, "%s%s%s%s, ", random_buffers[i].watched ? g->watch : "",
            random_buffers[i].type,
            restricted && random_buffers[i].type[0] == 'c' ? "__restrict__ " : "",
            random_buffers[i].name);
    buf_printf(
        g->out, "unsigned s0, wide s1, float s2, unsigned char s3, short s4, mixed s5)\n{\n");
}

/* Declare and fill variables, local arrays and shared memory. sd is dynamic shared memory if the
 * launch has some. */
static void opening(struct gen *g, const struct random_kernel *k)
{
    static const char *const names[] = {
        "unsigned su", "wide sw", "float sf", "unsigned char sb", "short sh"};
    const char *value[] = {
        "iu[(i * 5) & 255]", "iw[i & 127]", "fi[i & 255]", "ib[i & 511]", "ih[i & 255]"};
    for (int i = 0; i < 5; i++)
        buf_printf(g->out, "    __shared__ %s[%u];\n", names[i], g->shared_size);
    buf_printf(g->out,
        k->shape.dynamic_shared ? "    extern __shared__ unsigned sd[];\n"
                                : "    __shared__ unsigned sd[%u];\n",
        g->shared_size);
    buf_printf(g->out,
        "    unsigned t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;\n"
        "    unsigned threads = blockDim.x * blockDim.y * blockDim.z;\n"
        "    unsigned g = ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * "
        "threads + t;\n"
        "    unsigned lane = t & 31, warp = t >> 5, width = threads - warp * 32 < 32 ? "
        "threads - warp * 32 : 32;\n"
        "    unsigned full = 0xffffffffu >> (32 - width);\n"
        "    unsigned u0 = iu[g & 255], u1 = g, u2 = t * s0, u3 = lane ^ warp, u4 = ib[g & "
        "511], u5 = (unsigned)ih[t & 255];\n"
        "    wide w0 = iw[g & 127], w1 = s1 + g, w2 = (wide)u0 * u2;\n"
        "    float f0 = fi[g & 255], f1 = s2, f2 = (float)t, f3 = s5.x;\n"
        "    double d0 = di[g & 127], d1 = s5.y;\n"
        "    unsigned a[8], b[8];\n"
        "    for (int k = 0; k < 8; k++) {\n        a[k] = iu[(g + k * 31) & 255];\n        "
        "b[k] = u1 * k;\n    }\n"
        "    for (unsigned i = t; i < %u; i += threads) {\n",
        g->shared_size);
    for (int i = 0; i < 5; i++)
        buf_printf(g->out, "        %s[i] = %s;\n", strrchr(names[i], ' ') + 1, value[i]);
    buf_printf(g->out, "        sd[i] = i * s0;\n    }\n    __syncthreads();\n");
}

/* Write the variables. Floats go through float_bits, which makes every NaN the same. */
static void closing(struct gen *g)
{
    buf_printf(g->out,
        "    ou[g * 12] = u0, ou[g * 12 + 1] = u1, ou[g * 12 + 2] = u2, ou[g * 12 + 3] = u3, ou[g * 12 + 4] "
        "= u4;\n"
        "    ou[g * 12 + 5] = u5, ou[g * 12 + 6] = float_bits(f0), ou[g * 12 + 7] = "
        "float_bits(f1);\n"
        "    ou[g * 12 + 8] = float_bits(f2), ou[g * 12 + 9] = float_bits(f3);\n"
        "    ow[g * 8] = w0, ow[g * 8 + 1] = w1, ow[g * 8 + 2] = w2, ow[g * 8 + 3] = "
        "double_bits(d0);\n"
        "    ow[g * 8 + 4] = double_bits(d1), ow[g * 8 + 5] = a[0] ^ a[3] * 3 ^ a[7] * 5 ^ "
        "b[1] * 7;\n"
        "    oh[g * 2] = (unsigned short)(u0 + u3), ob[g * 3] = (unsigned char)(u1 ^ "
        "u2);\n}\n");
}

/* Choose a launch shape: about half of the blocks consist of whole warps, and grids have few
 * blocks. */
static void shape(struct rng *r, struct random_kernel *k)
{
    static const unsigned blocks[][3] = {
        {32, 1, 1},
        {64, 1, 1},
        {128, 1, 1},
        {256, 1, 1},
        {16, 16, 1},
        {32, 8, 1},
        {8, 8, 4},
        {32, 4, 1},
        {96, 1, 1},
        {1, 1, 1},
        {7, 1, 1},
        {33, 1, 1},
        {50, 1, 1},
        {13, 5, 1},
        {5, 5, 5},
        {100, 2, 1},
    };
    static const unsigned grids[][3] = {
        {1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {1, 3, 1}, {5, 1, 1}, {2, 1, 2}};
    memcpy(k->shape.block, blocks[rng_below(r, sizeof blocks / sizeof *blocks)],
        sizeof k->shape.block);
    memcpy(k->shape.grid, grids[rng_below(r, sizeof grids / sizeof *grids)], sizeof k->shape.grid);
    k->threads = 1;
    for (int i = 0; i < 3; i++) k->threads *= k->shape.block[i] * k->shape.grid[i];
}

void random_kernel(uint64_t seed, struct random_kernel *k, struct buf *out)
{
    struct buf unused = {0};
    struct gen g = {.out = out ? out : &unused,
        .seed = seed,
        .watch = "",
        .indent = 1,
        .u = US,
        .w = WS,
        .f = FS,
        .d = DS,
        .in_kernel = 1,
        .shared = 1,
        .local = 1,
        .shared_size = 1};
    *k = (struct random_kernel){.seed = seed};
    rng_seed(&g.r, seed);
    snprintf(k->name, sizeof k->name, "random_%llu", (unsigned long long)seed);
    shape(&g.r, k);
    unsigned block_threads = k->shape.block[0] * k->shape.block[1] * k->shape.block[2];
    /* own_index needs a power of two that is not below the number of threads. */
    while (g.shared_size < block_threads || g.shared_size < 32) g.shared_size *= 2;
    g.partial_warp = block_threads % 32 != 0;
    if (gen_chance(&g, 40)) k->shape.dynamic_shared = 4 * (size_t)g.shared_size;
    if (!out) return;
    helpers(&g);
    signature(&g, k);
    opening(&g, k);
    for (int n = 4 + gen_below(&g, 14); n; n--) uniform(&g, 2);
    closing(&g);
}
