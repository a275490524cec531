/* test_ptx.c - the language: lexer and parser on hand-written PTX, refusals, the opcode table,
 * control flow. */
#include "fronts.h"
#include "ptx_sample.h"
#include "model/profiles.h"
#include "ptxas/ptxas.h"
#include "sim/sim.h"

#include <stdio.h>
#include <string.h>

static struct ptxas_target target = {FEATURES_9_0, 32, 8}; /* target of the next programs */

static struct ptx_module *parse(const char *text)
{
    struct ptx_module *m = NULL;
    struct err e = {0};
    ck_assert_msg(!ptx_parse(text, "t.ptx", &m, &e), "%s", e.text);
    return m;
}

static void refuse_parse(const char *text, const char *says)
{
    struct ptx_module *m = NULL;
    struct err e = {0};
    ck_assert_msg(ptx_parse(text, "t.ptx", &m, &e), "parses: %s", text);
    ck_assert_int_eq(e.kind, ERR_LEARNER);
    ck_assert_msg(strstr(e.text, says), "expected \"%s\" in: %s", says, e.text);
}

/* ---- the parser ---- */

START_TEST(everything_is_read)
{
    struct ptx_module *m = parse(sample);
    ck_assert_int_eq(m->version, 75);
    ck_assert_int_eq(m->target, 70);
    ck_assert_uint_eq(m->file_count, 2);
    ck_assert_int_eq(m->files[1].index, 7);
    ck_assert_str_eq(m->files[1].name, "other.h");
    ck_assert_uint_eq(m->var_count, 5);
    static const unsigned char bytes[] = {1, 2, 255, 5, 0, 0, 0, 0};
    static const float floats[] = {1, -1.5F, -2};
    ck_assert_mem_eq(m->vars[0].init, bytes, 8);
    ck_assert_int_eq(m->vars[0].space, SPACE_CONST);
    float got[3];
    memcpy(got, m->vars[1].init, 12);
    for (int i = 0; i < 3; i++) ck_assert_float_eq(got[i], floats[i]);
    ck_assert_int_eq(m->vars[2].reloc_count, 2);
    ck_assert_str_eq(m->vars[2].relocs[0].symbol, "floats");
    ck_assert_int_eq(m->vars[2].relocs[0].addend, 4);
    ck_assert_int_eq(m->vars[2].relocs[0].generic, 1);
    ck_assert_uint_eq(m->vars[2].relocs[1].offset, 8);
    ck_assert_ptr_null(m->vars[3].init);
    ck_assert_int_eq(m->vars[4].is_extern, 1);
    ck_assert_uint_eq(m->vars[4].bytes, 0);
    struct ptx_func *k = ptx_func_find(m, "k", 1);
    ck_assert_ptr_nonnull(k);
    ck_assert_ptr_eq(k, ptx_func_find(m, "_Z1kPfi", 1));
    ck_assert_ptr_null(ptx_func_find(m, "k", 0));
    ck_assert_ptr_null(ptx_func_find(m, "kk", 1));
    ck_assert_uint_eq(k->max_threads, 128);
    ck_assert_uint_eq(k->param_count, 3);
    ck_assert_uint_eq(ptx_param_offset(k, 2), 16);
    ck_assert_uint_eq(k->params[2].bytes, 24);
    ck_assert_uint_eq(k->reg_count, 3 + 8 + 4 + 6 + 1);
    ck_assert_uint_eq(k->inst_count, 6);
    ck_assert_int_eq(k->insts[0].loc.line, 10);
    ck_assert_int_eq(k->insts[0].loc.ptx_line, 18);
    ck_assert_int_eq(k->insts[2].loc.line, 11);
    ck_assert_int_eq(k->insts[2].loc.file, 1);
    ck_assert_int_eq(k->insts[5].loc.file, 7);
    ck_assert_int_eq(k->insts[1].operand[1].imm, 12);
    ck_assert_int_ge(k->insts[2].operand[0].pair, 0);
    ck_assert_int_eq(k->insts[2].operand[2].imm, -7);
    ck_assert_int_eq(k->insts[3].guard_negated, 1);
    ck_assert_int_eq(k->insts[4].operand[0].element_count, 4);
    ck_assert_int_eq(k->insts[4].operand[0].elements[2].kind, OPERAND_SINK);
    ck_assert_int_eq(k->insts[4].operand[1].imm, -16);
    ck_assert_uint_eq(k->label_count, 1);
    ck_assert_int_eq(k->labels[0].inst, 5);
    ptx_module_free(m);
}
END_TEST

/* As clang writes the folder "kü's \"3\"". */
START_TEST(names_of_files_are_unescaped)
{
    struct ptx_module *m = parse(".version 7.5\n.target sm_70\n.address_size 64\n"
                                 ".file 1 \"k\\303\\274's \\\"3\\\"/a\\\\b.cu\"\n");
    ck_assert_str_eq(m->files[0].name, "k\303\274's \"3\"/a\\b.cu");
    ptx_module_free(m);
}
END_TEST

START_TEST(names_are_unmangled)
{
    static const char *const names[][2] = {{"_Z6matmulPKfS0_Pfiii", "matmul"}, {"matmul", "matmul"},
        {"_ZN2ns1fEi", "f"}, {"_ZL3onei", "one"}, {"_Z9", "_Z9"}, {"_Z99x", "_Z99x"}, {"_Z", "_Z"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n;
        const char *s = ptx_source_name(names[i][0], &n);
        ck_assert_uint_eq(n, strlen(names[i][1]));
        ck_assert(!strncmp(s, names[i][1], n));
    }
    static const char *const full[][2] = {{"_Z7reduce6ILj256EEvPKiPij", "reduce6<256>"},
        {"_Z1tIfLi32EEvPT_PKS0_ii", "t<float,32>"}, {"_Z1tILin3ELb1ELb0EEvv", "t<-3,true,false>"},
        {"_Z1tIPKf5pointEvv", "t<const float*,point>"}, {"_ZN2ns1tIdEEvv", "t<double>"},
        {"_Z1tIJffEEvv", "_Z1tIJffEEvv"}, {"_Z1tI", "_Z1tI"}, {"_Z1tI99xEvv", "_Z1tI99xEvv"},
        {"_Z1tILi", "_Z1tILi"}, {"_Z1tIPPPPPPPPPPfEvv", "_Z1tIPPPPPPPPPPfEvv"},
        {"plainI", "plainI"}, {"_Z6matmulPKf", "matmul"}};
    for (size_t i = 0; i < sizeof full / sizeof *full; i++) {
        struct buf out = {0};
        ptx_full_name(full[i][0], &out);
        ck_assert_str_eq(out.data, full[i][1]);
        buf_free(&out);
    }
}
END_TEST

/* As clang writes __syncthreads_or: a scope declares predicates that the function has as well. */
START_TEST(registers_of_a_scope_hide_those_outside)
{
    struct ptx_module *m =
        parse(".version 7.5\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n"
              ".reg .pred %p<3>;\n.reg .b32 %r<3>;\nsetp.gt.s32 %p2, %r1, 0;\n"
              "{ .reg .pred %p2; .reg .b32 %x; { .reg .pred %p2; not.pred %p2, %p1; }\n"
              "bar.red.or.pred %p2, 0, %p1; }\n@%p2 bra OUT;\nOUT: ret;\n}\n");
    const struct ptx_inst *in = ptx_func_find(m, "k", 1)->insts;
    ck_assert_int_ne(in[1].operand[0].reg, in[0].operand[0].reg);
    ck_assert_int_ne(in[2].operand[0].reg, in[1].operand[0].reg);
    ck_assert_int_ne(in[2].operand[0].reg, in[0].operand[0].reg);
    ck_assert_int_eq(in[3].guard, in[0].operand[0].reg);
    ptx_module_free(m);
}
END_TEST

START_TEST(bad_text_is_refused_by_line)
{
    refuse_parse("", "there is no .version");
    refuse_parse(
        ".version 7.5\n.target sm_70\n.address_size 64\n.entry k() {\n.global .align 4 .b8 tile[64];\nret; }",
        "declares the variable tile");
    refuse_parse(HEAD ".entry k() {\n add.s32 %r1, %r2", "t.ptx:5: this is not PTX");
    refuse_parse(HEAD ".entry k() {\n ret;\n", "the text ends inside of k");
    refuse_parse(HEAD "\n\n.texref t;\n",
        "t.ptx:6: this is not PTX that can be read: '.texref' is not supported");
    refuse_parse(HEAD ".global .b128 x;", "type .b128 is not supported");
    refuse_parse(HEAD ".global .align 3 .b32 x;", "3 is not an alignment");
    refuse_parse(HEAD ".global .b32 x[2] = {1, 2, 3};", "x has more initial values than elements");
    refuse_parse(HEAD ".global .b8 x[999999999999];", "x is larger than");
    refuse_parse(HEAD ".global .pred x;", "cannot have this type");
    refuse_parse(HEAD ".entry k() { .reg .b32 %r<99999999>; }", "registers");
    refuse_parse(HEAD ".entry k() { @%p bra L; }", "expected a predicate register after @");
    refuse_parse(HEAD ".entry k() { mov.u32 %a, 1, 2, 3, 4, 5, 6, 7, 8; }", "operands");
    refuse_parse(
        HEAD ".entry k() { ld.u32 a, [%rd1]; }", "%rd1 is not a register of this function");
    refuse_parse(HEAD "\x01", "unexpected character (byte 1)");
    refuse_parse(HEAD ".file 1 \"open\n", "unexpected character");
    ptx_module_free(parse(HEAD ".file 1 \"a \\\"b\\\".cu\"\n")); /* clang writes quotes so */
    struct buf deep = {0};
    buf_printf(&deep, HEAD ".global .b32 x[4] = ");
    for (int i = 0; i < 1000; i++) buf_printf(&deep, "{");
    refuse_parse(deep.data, "nested too deeply");
    buf_free(&deep);
}
END_TEST

/* ---- flattening ---- */

static struct ptx_program *flatten(struct ptx_module *m, const char *kernel, struct err *e)
{
    struct ptx_program *p = NULL;
    const struct ptx_func *k = ptx_func_find(m, kernel, 1);
    ck_assert_ptr_nonnull(k);
    if (ptx_flatten(m, k, "k.cu", &p, e)) return NULL;
    ptxas_assemble(p, &target);
    return p;
}

#define BODY_HEAD \
    HEAD ".file 1 \"k.cu\"\n.global .b32 g;\n.entry k(.param .u64 a) {\n" \
         ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .f32 %f<9>;\n" \
         ".loc 1 42 1\n"
#define BODY(text) BODY_HEAD text "\nret; }\n"

static void refuse_body(const char *text, const char *says)
{
    struct err e = {0};
    struct ptx_module *m = parse(text);
    struct ptx_program *p = flatten(m, "k", &e);
    ck_assert_msg(!p, "is taken: %s", text);
    ck_assert_msg(!strncmp(e.text, "k.cu:42: instruction ", 21) && strstr(e.text, says),
        "expected \"%s\" in: %s", says, e.text);
    ck_assert_int_eq(e.kind, ERR_LEARNER);
    ptx_module_free(m);
}

START_TEST(what_cannot_run_is_refused_by_line)
{
    refuse_body(BODY("wmma.load.a.sync %r1, [%d1];"), "is not supported");
    refuse_body(BODY("add.rna.f64 %f1, %f2, %f3;"), "is not supported");
    refuse_body(BODY("mov.u32 %r1, %envreg3;"), "reads %envreg3");
    refuse_body(BODY("mov.u64 %d1, nowhere;"), "names nowhere");
    refuse_body(BODY("bra nowhere;"), "goes to nowhere");
    refuse_body(BODY("brx.idx %r1, t;"), "branches through a table");
    refuse_body(BODY("bar.red.popc.u32 %r1, 0, 64, %p1;"), "whole block");
    refuse_body(BODY("add.s32 %r1, %r2;"), "too few operands");
    refuse_body(BODY("add.s32 %r1, %r2, %r3, %r4;"), "too many operands");
    refuse_body(BODY("add.s32 5, %r2, %r3;"), "needs a register");
    refuse_body(BODY("atom.local.add.u32 %r1, [%d1], 1;"), "global or shared memory only");
    refuse_body(BODY("shfl.down.b32 %r1, %r2, 1, 31;"), "_sync");
    refuse_body(BODY("call (%r1), %d1, (%r2);"), "has an argument that is not a .param");
    refuse_body(BODY("call (%r1), 7, (%r2);"), "has an operand that does not belong there");
    refuse_body(BODY("ld.global.v2.f32 %f1, [%d1];"), "wrong number of results");
    refuse_body(BODY("ld.global.u64 %r1, [%d1];"), "wrong type");
    refuse_body(BODY("st.global.u32 %d1, %r1;"), "address in brackets");
}
END_TEST

/* Instructions at the limits of what is supported. says: a part of the error; NULL: the instruction
 * is accepted. */
static const struct limit {
    const char *text, *says;
} limits[] = {
    {"bar.sync 15, 64;", NULL},
    {"bar.sync 16, 64;", "names barrier 16; a block has 0 to 15"},
    {"bar.arrive 1, 32;", NULL},
    {"bar.arrive 1, 1024;", NULL},
    {"bar.arrive 1, 1056;", "waits for 1056 threads; 32, 64, ... 1024 are possible"},
    {"bar.arrive 1, 0;", "waits for 0 threads; 32, 64, ... 1024 are possible"},
    {"bar.arrive 1, 48;", "waits for 48 threads; 32, 64, ... 1024 are possible"},
    {"bar.sync %r1, %r2;", NULL},
    {"bar.sync 0;", NULL},
    {"bar.arrive 1;", "too few operands"},
    {"@%p1 bar.sync 1, 64;",
        "is not supported under a guard with a number of threads: branch around it"},
    {"@%p1 bar.sync 0;", NULL},
    {"bar.sync %r1;", "is not supported with a barrier number that is not constant"},
    {"bar.warp.sync -1;", NULL},
    {"bar.wait 0;", "is not supported"},
    {"barrier.cluster.arrive;", NULL},
    {"barrier.cluster.wait.aligned;", NULL},
    {"barrier.cluster.sync;", "is not supported"},
    {"bar.red.popc.u32 %r1, 0, %p1;", NULL},
    {"bar.red.and.pred %p1, 0, %p2;", NULL},
    {"bar.red.or.pred %p1, 0, %p2;", NULL},
    {"bar.red.popc.pred %p1, 0, %p2;",
        "is not supported: bar.red.popc.u32, .and.pred and .or.pred are"},
    {"bar.red.and.u32 %r1, 0, %p2;",
        "is not supported: bar.red.popc.u32, .and.pred and .or.pred are"},
    {"bar.red.xor.pred %p1, 0, %p2;",
        "is not supported: bar.red.popc.u32, .and.pred and .or.pred are"},
    {"setmaxnreg.inc.sync.aligned.u32 256;", NULL},
    {"setmaxnreg.dec.sync.aligned.u32 24;", NULL},
    {"setmaxnreg.dec.sync.aligned.u32 16;", "sets 16 registers; 24, 32, ... 256 are possible"},
    {"setmaxnreg.inc.sync.aligned.u32 264;", "sets 264 registers; 24, 32, ... 256 are possible"},
    {"setmaxnreg.inc.sync.aligned.u32 36;", "sets 36 registers; 24, 32, ... 256 are possible"},
    {"setmaxnreg.sync.aligned.u32 32;", "is not supported: .inc and .dec are"},
    {"cp.async.ca.shared.global [%r1], [%d1], 4;", NULL},
    {"cp.async.ca.shared.global [%r1], [%d1], 8;", NULL},
    {"cp.async.ca.shared.global [%r1], [%d1], 16, %r2;", NULL},
    {"cp.async.cg.shared.global [%r1], [%d1], 16;", NULL},
    {"cp.async.cg.shared.global [%r1], [%d1], 8;", "copies 4, 8 or 16 bytes, or 16 with .cg"},
    {"cp.async.ca.shared.global [%r1], [%d1], 2;", "copies 4, 8 or 16 bytes, or 16 with .cg"},
    {"cp.async.ca.shared.global [%r1], [%d1], 12;", "copies 4, 8 or 16 bytes, or 16 with .cg"},
    {"cp.async.ca.shared.global [%r1], [%d1], %r2;", "copies 4, 8 or 16 bytes, or 16 with .cg"},
    {"cp.async.commit_group;", NULL},
    {"cp.async.wait_group 3;", NULL},
    {"cp.async.wait_all;", NULL},
    {"cp.async.mbarrier.arrive.noinc.shared.b64 [%r1];", NULL},
    {"cp.async.bulk.commit_group;", NULL},
    {"cp.async.bulk.wait_group.read 0;", NULL},
    {"cp.async.begin_group;", "is not supported"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d1], [%r1], 16;",
        "is not supported"},
    {"mbarrier.init.shared.b64 [%r1], 4;", NULL},
    {"mbarrier.init.shared.b32 [%r1], 4;", "is not supported"},
    {"mbarrier.begin.shared.b64 [%r1], 4;", "is not supported"},
    {"mbarrier.arrive.shared.b64 %d1, [%r1];", NULL},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2, %r3}], [%r4];",
        NULL},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2}], [%r4];",
        "needs an address of a tensor map and 2 coordinates"},
    {"cp.async.bulk.tensor.6d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1, {%r2}], [%r4];",
        "is not supported"},
    {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%d1], 16, [%r4];",
        NULL},
    {"cp.async.bulk.shared::cluster.global.bytes [%r1], [%d1], 16, [%r4];", "is not supported"},
    {"shfl.sync.rotate.b32 %r1, %r2, 1, 31, -1;", "is not supported"},
    {"shfl.sync.up.b64 %r1, %r2, 1, 31, -1;", "is not supported"},
    {"shfl.sync.up.b32 %r1|%p1, %r2, 1, 31, -1;", NULL},
    {"vote.all.pred %p1, %p2;", "is not supported: use the _sync form"},
    {"vote.sync.none.pred %p1, %p2, -1;", "is not supported"},
    {"vote.sync.uni.pred %p1, %p2, -1;", NULL},
    {"match.none.sync.b32 %r1, %r2, -1;", "is not supported"},
    {"match.any.sync.b16 %r1, %h2, -1;", "is not supported"},
    {"match.any.sync.b64 %r1, %d2, -1;", NULL},
    {"redux.sync.add.s32 %r1, %r2, -1;", NULL},
    {"redux.sync.add.u64 %d1, %d2, -1;", "is not supported"},
    {"redux.sync.add.f32 %f1, %f2, -1;", "is not supported"},
    {"redux.sync.mul.u32 %r1, %r2, -1;", "is not supported"},
    {"elect.sync %r1|%p1, -1;", NULL},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];", NULL},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r3];", "has the wrong number of results"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %d1}, [%r3];",
        "has a result of the wrong type"},
    {"ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1, %r2}, [%r3];",
        "is not supported: 1, 2 or 4 of .m8n8 are"},
    {"ldmatrix.sync.aligned.m8n16.x2.shared.b16 {%r1, %r2}, [%r3];",
        "is not supported: 1, 2 or 4 of .m8n8 are"},
    {"ldmatrix.sync.aligned.m8n8.x2.shared.b8 {%r1, %r2}, [%r3];",
        "is not supported: elements of .b16 are"},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r1, %r2, %r3, %r4};", NULL},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r5], {%r1, %r2, %r3};",
        "has an operand of the wrong number of registers"},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b8 [%r5], {%r1, %r2, %r3, %r4};",
        "is not supported: elements of .b16 are"},
    {"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;", NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
        NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
        "is not supported"},
    {"mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
        "is not supported"},
    {"mma.sync.aligned.m16n8k9.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
        "is not supported"},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r1,%r2}, {%r3}, {%f1,%f2,%f3,%f4};",
        "is not supported"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, 1;",
        NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "needs 4 registers in braces where it has 3"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 %f1, %d1, %d2, %p1, 1, 1, 0, 1;",
        "needs 4 registers in braces where it has 1"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%d3}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "needs registers of 32 bits"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0;",
        "needs 8 operands"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, %d2, %p1, 1, 1, 0, 1;",
        "needs 7 operands"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3}, %d2, %p1, 1, 1, 0;",
        "needs 4 registers in braces where it has 3"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 2, 1, 0, 1;",
        "needs 1 or -1 as its operand 5"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 0, 0, 1;",
        "needs 1 or -1 as its operand 6"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, -1, 1;",
        "needs 0 or 1 as its operand 7"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, %r1;",
        "needs 0 or 1 as its operand 8"},
    {"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "is not supported: shapes m64nNk16 with N = 8, 16, ... 256 are"},
    {"wgmma.mma_async.sync.aligned.m64n0k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "is not supported: shapes m64nNk16 with N = 8, 16, ... 256 are"},
    {"wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "is not supported: shapes m64nNk16 with N = 8, 16, ... 256 are"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.tf32.tf32 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1;",
        "is not supported: shapes m64nNk8 with N = 8, 16, ... 256 are"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1;",
        NULL},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {%f1,%f2,%f3,%f4}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "is not supported: products of tf32, f16 or bf16 to f32, and of f16 to f16, are"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%f1,%f2}, %d1, %d2, %p1, 1, 1, 0, 1;",
        "is not supported: products of tf32, f16 or bf16 to f32, and of f16 to f16, are"},
    {"wgmma.fence.sync.aligned;", NULL},
    {"wgmma.fence.aligned;", "needs .sync.aligned"},
    {"wgmma.commit_group.sync;", "needs .sync.aligned"},
    {"wgmma.begin_group.sync.aligned;", "is not supported"},
    {"ld.global.nc.v2.u32 {%r1, %r2}, [%d1];", NULL},
    {"st.global.v2.u32 [%d1], {%r1, %r2};", NULL},
    {"st.global.v2.u32 [%d1], {%r1, %r2, %r3};", "has the wrong number of values"},
    {"st.global.v4.u32 [%d1], %r1;", "has the wrong number of values"},
    {"atom.global.cas.b16 %h1, [%d1], %h2, %h3;", NULL},
    {"atom.global.exch.b16 %h1, [%d1], %h2;", "is not supported"},
    {"atom.global.add.u16 %h1, [%d1], %h2;", "is not supported"},
    {"atom.global.max.f32 %f1, [%d1], %f2;", "is not supported"},
    {"atom.global.add.f64 %d2, [%d1], %d3;", NULL},
    {"atom.global.nand.b32 %r1, [%d1], %r2;", "is not supported"},
    {"red.global.max.u32 [%d1], %r2;", NULL},
    {"red.global.exch.b32 [%d1], %r2;", "is not supported"},
    {"red.global.cas.b32 [%d1], %r2, %r3;", "is not supported"},
    {"atom.const.add.u32 %r1, [%d1], 1;", "global or shared memory only"},
    {"cvta.to.global.u64 %d1, %d2;", NULL},
    {"mapa.shared::cluster.u32 %r1, %r2, %r3;", NULL},
    {"cvta.to.global.u32 %r1, %r2;", "is not supported for 32-bit addresses"},
    {"isspacep.shared %p1, %d1;", NULL},
    {"isspacep.local %p1, %d1;", NULL},
    {"isspacep.const %p1, %d1;", "is not supported"},
    {"add.sat.s32 %r1, %r2, %r3;", "is not supported"},
    {"add.sat.f32 %f1, %f2, %f3;", NULL},
    {"mov.b32 {%h1, %h2}, %r1;", NULL},
    {"mov.b32 {%h1, %h2, %h3}, %r1;", "is not supported for this shape"},
    {"mov.b16 {%h1, %h2}, %r1;", "is not supported for this shape"},
    {"set.eq.u32.s32 %r1, %r2, %r3;", NULL},
    {"set.eq.f32.s32 %f1, %r2, %r3;", NULL},
    {"set.eq.s16.s32 %h1, %r2, %r3;", NULL},
    {"set.eq.u64.s32 %d1, %r2, %r3;", "is not supported"},
    {"set.eq.and.u32.s32 %r1, %r2, %r3, %p1;", "is not supported"},
    {"setp.eq.and.s32 %p1, %r2, %r3, %p2;", NULL},
    {"setp.is.s32 %p1, %r2, %r3;", "is not supported"},
    {"addc.u64 %d1, %d2, %d3;", "is not supported"},
    {"addc.u32 %r1, %r2, %r3;", NULL},
    {"prmt.b32 %r1, %r2, %r3, %r4;", NULL},
    {"prmt.b32.f4e %r1, %r2, %r3, %r4;", "is not supported (.f4e)"},
    {"add.rn.s32 %r1, %r2, %r3;", "is not supported"},
    {"add.rn.f32 %f1, %f2, %f3;", NULL},
    {"fma.rn.sat.relu.f16 %h1, %h2, %h3, %h1;", "is not supported"},
    {"fma.rn.relu.f16 %h1, %h2, %h3, %h1;", NULL},
    {"add.f16 %h1, %h2, %h3, %h1;", "has too many operands"},
    {"set.eq.f16x2.f16x2 %r1, %r2, %r3;", NULL},
    {"set.eq.f64.f16x2 %d1, %r2, %r3;", "is not supported"},
    {"set.is.u32.f16x2 %r1, %r2, %r3;", "is not supported"},
    {"bra 5;", "needs a label"},
    {"bra L, L; L:", "needs a label"},
    {"bra L; L:", NULL},
    {"bra.uni L; L:", NULL},
    {"ret.uni;", NULL},
    {"exit;", NULL},
    {"call (%r1);", "names no function"},
    {"call none;", "calls none, which is not defined in this file and not supported"},
};

/* Flattens a kernel of these instructions. Returns whether they are accepted; if not, e says why. */
static int is_accepted(const char *instructions, struct err *e)
{
    char *text = xasprintf("%s%s\nret; }\n", BODY_HEAD, instructions);
    struct ptx_module *m = parse(text);
    struct ptx_program *p = flatten(m, "k", e);
    int accepted = p != NULL;
    ptx_program_free(p);
    ptx_module_free(m);
    free(text);
    return accepted;
}

START_TEST(instructions_say_their_limits)
{
    struct buf wrong = {0};
    for (const struct limit *l = limits; l < limits + sizeof limits / sizeof *limits; l++) {
        struct err e = {0};
        int accepted = is_accepted(l->text, &e);
        if (accepted == !!l->says || (l->says && !strstr(e.text, l->says)))
            buf_printf(&wrong, "%s\n  is %s\n", l->text, accepted ? "taken" : e.text);
    }
    ck_assert_msg(!wrong.len, "%s", wrong.data);
}
END_TEST

/* No part of an opcode is ignored: what is accepted is refused with one part more. */
START_TEST(unknown_parts_of_opcodes_are_refused)
{
    struct buf wrong = {0};
    for (const struct limit *l = limits; l < limits + sizeof limits / sizeof *limits; l++) {
        size_t guard = *l->text == '@' ? strcspn(l->text, " ") + 1 : 0,
               end = guard + strcspn(l->text + guard, " ;");
        char *text = xasprintf("%.*s.none%s", (int)end, l->text, l->text + end);
        struct err e = {0};
        if (!l->says && is_accepted(text, &e)) buf_printf(&wrong, "%s\n", text);
        free(text);
    }
    ck_assert_msg(!wrong.len, "are accepted:\n%s", wrong.data);
}
END_TEST

/* Registers of the wrong kind or width would reach beyond their storage. */
START_TEST(operands_fit_their_instruction)
{
    refuse_body(BODY("add.u64 %r1, %d1, %d2;"), "wrong type");
    refuse_body(BODY("add.u32 %p1, %r1, %r2;"), "wrong type");
    refuse_body(BODY("setp.eq.u32 %r1, %r1, %r2;"), "wrong type");
    refuse_body(BODY("setp.eq.u32 %p1|%r1, %r1, %r2;"), "wrong type");
    refuse_body(BODY("and.pred %r1, %p1, %p2;"), "wrong type");
    refuse_body(BODY("add.u32 %r1, %p1, %r2;"), "wrong type");
    refuse_body(BODY("add.u64 %d1, %r1, %d2;"), "too narrow");
    refuse_body(BODY("@%r1 add.u32 %r1, %r2, %r3;"), "guard");
    refuse_body(BODY("@%r1 bra L; L:"), "guard");
    refuse_body(BODY("@%f1 ret;"), "guard");
    refuse_body(BODY("mov.u32 %p1, %tid.x;"), "wrong type");
    refuse_body(BODY("activemask.b32 _;"), "needs a register");
    refuse_body(BODY("vote.sync.any.pred _, %p1, -1;"), "needs a register");
    refuse_body(BODY("mov.u64 %r1, %clock64;"), "wrong type");
    refuse_body(BODY("mov.b64 {%p1, %r1}, %d1;"), "wrong type");
    refuse_body(BODY("ld.global.u32 %p1, [%d1];"), "wrong type");
    refuse_body(BODY("st.global.u32 [%d1], %p1;"), "wrong type");
    refuse_body(BODY("atom.global.add.u32 %p1, [%d1], 1;"), "wrong type");
    refuse_body(BODY("atom.global.add.u64 %r1, [%d1], %d2;"), "wrong type");
    refuse_body(BODY("shfl.sync.idx.b32 %p1, %r1, 1, 31, -1;"), "wrong type");
    refuse_body(BODY("shfl.sync.idx.b32 %r1|%r2, %r1, 1, 31, -1;"), "wrong type");
    refuse_body(BODY("vote.sync.ballot.b32 %p1, %p1, -1;"), "wrong type");
    refuse_body(BODY("vote.sync.any.pred %r1, %p1, -1;"), "wrong type");
    refuse_body(BODY("match.any.sync.b32 %p1, %r1, -1;"), "wrong type");
    refuse_body(BODY("match.all.sync.b32 %r1|%r2, %r1, -1;"), "wrong type");
    refuse_body(BODY("activemask.b32 %p1;"), "wrong type");
    refuse_body(BODY("st.param.b64 [a], %d1;"), "parameter");
    refuse_body(BODY("ld.global.u32 %r1, [%h1];"), "wrong type");
    refuse_body(BODY("cvta.to.global.u64 %r1, %d1;"), "wrong type");
}
END_TEST

static const struct ptx_program *blocks_of(struct ptx_module **m, const char *text)
{
    struct err e = {0};
    *m = parse(text);
    struct ptx_program *p = flatten(*m, "k", &e);
    ck_assert_msg(p, "%s", e.text);
    return p;
}

static void done(struct ptx_module *m, const struct ptx_program *p)
{
    ptx_program_free((struct ptx_program *)p);
    ptx_module_free(m);
}

START_TEST(branches_meet_at_post_dominators)
{
    struct ptx_module *m;
    /* 0 -> 1 | 2; 1 -> 3; 2 -> 3: a diamond */
    const struct ptx_program *p = blocks_of(&m,
        BODY(
            "@%p1 bra B; add.s32 %r1, %r1, 1; bra E; B: add.s32 %r1, %r1, 2; E: st.global.u32 [g], %r1;"));
    ck_assert_int_eq(p->blocks[0].end, END_BRANCH);
    ck_assert_int_eq(p->blocks[0].target, 2);
    ck_assert_int_eq(p->blocks[0].next, 1);
    ck_assert_int_eq(p->blocks[0].ipdom, 3);
    ck_assert_int_eq(p->blocks[1].ipdom, 3);
    done(m, p);
    /* a loop: 0; 1 -> 1 | 2 */
    p = blocks_of(&m,
        BODY(
            "mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L; st.global.u32 "
            "[g], %r1;"));
    ck_assert_int_eq(p->blocks[1].target, 1);
    ck_assert_int_eq(p->blocks[1].ipdom, 2);
    done(m, p);
    /* one branch returns: the two meet only at the exit */
    p = blocks_of(&m, BODY("@%p1 bra B; ret; B: st.global.u32 [g], %r1;"));
    ck_assert_int_eq(p->blocks[0].ipdom, -1);
    done(m, p);
    p = blocks_of(&m,
        /* a loop without an end reaches no exit */
        BODY("@%p1 bra B; L: bra L; B: st.global.u32 [g], %r1;"));
    ck_assert_int_eq(p->blocks[1].ipdom, -1);
    ck_assert_int_eq(p->blocks[0].ipdom, 2);
    done(m, p);
    /* nested loops, left by a jump out of both */
    p = blocks_of(&m,
        BODY(
            "O: I: setp.eq.u32 %p1, %r1, 3; @%p1 bra X; @%p2 bra I; @%p3 bra O; X: st.global.u32 [g], %r1;"));
    for (int b = 0; b < 3; b++) ck_assert_int_eq(p->blocks[b].ipdom, 3);
    done(m, p);
}
END_TEST
#define BY_LANE \
    "mov.u32 %r1, %tid.x; setp.gt.u32 %p1, %r1, 9; setp.gt.u32 %p2, %r1, 7; setp.gt.u32 %p3, %r1, 5; "
START_TEST(blocks_know_what_they_lead_to)
{
    struct ptx_module *m;
    /* if (p1 || p2) 2: 0 -> 2 | 1; 1 -> 2 | 3; 2 -> 3 */
    const struct ptx_program *p = blocks_of(
        &m, BODY(BY_LANE
                "@%p1 bra T; @!%p2 bra E; T: st.global.u32 [g], %r1; E: st.global.u32 [g], %r1;"));
    ck_assert(ptx_leads(p, 0, 1) && ptx_leads(p, 1, 2) && ptx_leads(p, 0, 3) &&
              !ptx_leads(p, 2, 1) && !ptx_leads(p, 2, 2));
    ck_assert(p->blocks[2].diverged >= 0 && p->blocks[3].diverged < 0 && p->blocks[1].diverged < 0);
    done(m, p);
    /* a loop that is left from its middle, with work on the way out: 0; 1 -> 3 | 2; 2 -> 1 | 4; 3
     * -> 4. A block does not lead to one of the next iteration. */
    p = blocks_of(&m,
        BODY(
            "mov.u32 %r1, 0; L: setp.eq.s32 %p1, %r1, 7; @%p1 bra W; add.s32 %r1, %r1, 1; setp.lt.s32 %p2, "
            "%r1, 9; @%p2 bra L; bra E; W: add.s32 %r1, %r1, 2; E: st.global.u32 [g], %r1;"));
    int loop = 1, rest = 2, work = p->blocks[1].target;
    ck_assert(ptx_leads(p, loop, work) && ptx_leads(p, loop, rest) && !ptx_leads(p, rest, work) &&
              !ptx_leads(p, rest, loop) && p->blocks[loop].diverged < 0 &&
              p->blocks[work].diverged < 0);
    done(m, p);
}
END_TEST

/* 0 -> 4 | 1; 1 -> 5 | 2; 2 -> 6 | 3; 3 -> 7; then cases that fall into each other: 5 and 6 are
 * merges, 7 is where all reconverge. */
START_TEST(cases_that_fall_through_are_merges)
{
    struct ptx_module *m;
    const struct ptx_program *p = blocks_of(&m,
        BODY(BY_LANE
            "@%p1 bra A; @%p2 bra B; @%p3 bra C; bra X; A: st.global.u32 [g], %r1; B: st.global.u32 "
            "[g], %r1; C: st.global.u32 [g], %r1; X: st.global.u32 [g], %r1;"));
    ck_assert(p->blocks[4].diverged < 0 && p->blocks[5].diverged == 0 &&
              p->blocks[6].diverged == 0 && p->blocks[7].diverged < 0);
    done(m, p);
}
END_TEST

/* ---- merged loads, registers ---- */

static int merged(const struct ptx_program *p, unsigned bytes)
{
    int n = 0;
    for (size_t i = 0; i < p->step_count; i++) n += p->steps[i].merged_bytes == bytes;
    return n;
}

#define LOADS(a, b, c, d) \
    "ld.shared.f32 %f1, [%d1+" #a "]; ld.shared.f32 %f2, [%d1+" #b "];" \
    "ld.shared.f32 %f3, [%d1+" #c "]; ld.shared.f32 %f4, [%d1+" #d "];" \
    "add.f32 %f5, %f1, %f2; add.f32 %f6, %f3, %f4; add.f32 %f5, %f5, %f6; st.global.f32 [g], %f5;"
/* %d1: first + %d2 */
#define TILE_AT(first, offset) \
    ".shared .align 4 .b8 tile[4096]; mov.u32 %r1, %tid.x;" offset "mov.u64 %d3, " first \
    "; add.u64 %d1, %d2, %d3;"
#define BY_16 "mul.wide.u32 %d2, %r1, 16;"
#define TILE TILE_AT("tile", BY_16)

START_TEST(adjacent_shared_loads_are_one)
{
    static const struct {
        const char *text;
        int wide, half;
    } cases[] = {
        {BODY(TILE LOADS(0, 4, 8, 12)), 1, 0},
        {BODY(TILE LOADS(28, 16, 24, 20)), 1, 0},
        {BODY(TILE LOADS(0, 4, 8, 16)), 0, 1},
        {BODY(TILE LOADS(4, 8, 12, 16)), 0, 1}, /* only the loads at 8 and 12 are an aligned pair */
        {BODY(TILE LOADS(0, 8, 16, 24)), 0, 0},
        {BODY(TILE_AT("tile+4", BY_16) LOADS(4, 8, 12, 16)), 0, 2},
        {BODY(TILE_AT("tile+4", BY_16) LOADS(12, 16, 20, 24)), 1, 0},
        /* the product of two even numbers is a multiple of 4 and perhaps of nothing more, even if
         * each is the sum of 4 and an even number */
        {BODY(TILE_AT(
             "tile", "shl.b32 %r2, %r1, 1; add.u32 %r3, %r2, 4; mul.wide.u32 %d2, %r3, %r3;")
                 LOADS(0, 4, 8, 12)),
            0, 0},
        /* %d1 is a multiple of 4 only */
        {BODY(TILE "add.u64 %d1, %d1, 4;" LOADS(0, 4, 8, 12)), 0, 0},
        {BODY(TILE
             "ld.shared.f32 %f1, [%d1]; ld.shared.f32 %f2, [%d1+4]; st.shared.f32 [%d1+64], "
             "%f1;ld.shared.f32 %f3, [%d1+8]; ld.shared.f32 %f4, [%d1+12]; add.f32 %f1, %f2, %f3; add.f32 %f1, "
             "%f1, %f4; st.global.f32 [g], %f1;"),
            0, 2},
        {BODY(TILE
             "ld.shared.f32 %f1, [%d1]; add.u64 %d1, %d1, 16; ld.shared.f32 %f2, [%d1+4]; add.f32 %f1, "
             "%f1, %f2; st.global.f32 [g], %f1;"),
            0, 0},
        {BODY(TILE
             "ld.shared.f32 %f1, [%d1]; ld.shared.f32 %f2, [%d1+4]; rcp.rn.f32 %f1, %f1;"
             "ld.shared.f32 %f3, [%d1+8]; ld.shared.f32 %f4, [%d1+12]; fma.rn.f32 %f1, %f1, %f2, %f3;"
             "add.f32 %f1, %f1, %f4; st.global.f32 [g], %f1;"),
            0, 2},
        {BODY(TILE
             "ld.volatile.shared.f32 %f1, [%d1]; ld.volatile.shared.f32 %f2, [%d1+4]; add.f32 %f1, "
             "%f1, %f2; st.global.f32 [g], %f1;"),
            0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ptx_module *m;
        const struct ptx_program *p = blocks_of(&m, cases[i].text);
        ck_assert_msg(merged(p, 16) == cases[i].wide && merged(p, 8) == cases[i].half,
            "case %zu: %d of 16 bytes, %d of 8", i, merged(p, 16), merged(p, 8));
        done(m, p);
    }
}
END_TEST

/* On 1.x an access loads 32 bits, and an address has 32 bits. */
START_TEST(first_generation_loads_word_by_word)
{
    struct ptx_module *m;
    struct ptx_program *p = (struct ptx_program *)blocks_of(&m, BODY(TILE LOADS(0, 4, 8, 12)));
    ck_assert_int_eq(p->registers, 10); /* %f1 to %f4, and the six that the estimate adds */
    done(m, p);
    target = (struct ptxas_target){FEATURES_1_3, 16, 1};
    p = (struct ptx_program *)blocks_of(&m, BODY(TILE LOADS(0, 4, 8, 12)));
    ck_assert_int_eq(p->registers, 5); /* %f1 to %f4 and one; no address is live with them */
    ck_assert_int_eq(merged(p, 16), 0);
    for (size_t i = 0; i < p->step_count; i++) ck_assert(!(p->steps[i].flags & FLAG_MERGED));
    done(m, p);
}
END_TEST

START_TEST(slots_are_shared_by_what_never_lives_together)
{
    struct ptx_module *m;
    const struct ptx_program *p = blocks_of(&m,
        BODY(
            "mov.u32 %r1, %tid.x; add.s32 %r2, %r1, 1; add.s32 %r3, %r2, 1; add.s32 %r4, %r3, 1;add.s32 "
            "%r5, %r4, 1; add.s32 %r6, %r5, 1; st.global.u32 [g], %r6;"));
    ck_assert_uint_le(p->vreg_count, 3);
    ck_assert_int_eq(p->registers, 7); /* one live register, and the six that the estimate adds */
    done(m, p);
    /* live around a loop: it shares its register with no other */
    p = blocks_of(&m,
        BODY(
            "mov.u32 %r1, 1; mov.u32 %r2, 2; L: add.s32 %r3, %r1, 5; mov.u32 %r4, %r2; add.s32 %r1, %r3, "
            "%r4;setp.lt.s32 %p1, %r1, 100; @%p1 bra L; st.global.u32 [g], %r1; st.global.u32 [g], %r2;"));
    ck_assert_uint_ge(p->vreg_count, 4);
    done(m, p);
}
END_TEST

/* ---- the opcode table ---- */

/* Call f with every key of a row: "setp.{lt,lo}.{u32,b32}" stands for four. */
static void each_key(
    const char *keys, char *out, size_t n, void (*f)(const char *key, void *ctx), void *ctx)
{
    const char *brace = strchr(keys, '{'), *close = brace ? strchr(brace, '}') : NULL;
    if (!brace) {
        snprintf(out + n, 256 - n, "%s", keys);
        f(out, ctx);
        return;
    }
    memcpy(out + n, keys, (size_t)(brace - keys));
    n += (size_t)(brace - keys);
    for (const char *p = brace + 1; p < close;) {
        size_t len = strcspn(p, ",}");
        memcpy(out + n, p, len);
        char rest[256], whole[256];
        snprintf(rest, sizeof rest, "%s", close + 1);
        memcpy(whole, out, n + len);
        each_key(rest, whole, n + len, f, ctx);
        p += len + 1;
    }
}

struct seen {
    int op, count;
};

static void check_key(const char *key, void *ctx)
{
    struct seen *s = ctx;
    ck_assert_msg(ptx_op_find(key) == (enum ptx_op)s->op, "%s leads to %s, not to %s", key,
        ptx_ops[ptx_op_find(key)].id, ptx_ops[s->op].id);
    s->count++;
}

START_TEST(every_row_of_the_table_is_reached_by_its_keys_alone)
{
    int keys = 0;
    for (int op = OP_NONE + 1; op < OP_COUNT; op++) {
        char text[512], out[256];
        struct seen s = {op, 0};
        snprintf(text, sizeof text, "%s", ptx_ops[op].keys);
        for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
            each_key(word, out, 0, check_key, &s);
        ck_assert_msg(s.count > 0, "%s has no keys", ptx_ops[op].id);
        keys += s.count;
    }
    ck_assert_int_gt(keys, 400);
    ck_assert_int_eq(ptx_op_find(""), OP_NONE);
    ck_assert_int_eq(ptx_op_find("add"), OP_NONE);
    ck_assert_int_eq(ptx_op_find("add.s32.s32"), OP_NONE);
    ck_assert_int_eq(ptx_op_find("frobnicate"), OP_NONE);
}
END_TEST

int main(void)
{
    fronts_open();
    Suite *suite = suite_create("ptx");
    TCase *c = tcase_create("language");
    tcase_set_timeout(c, 0);
    tcase_add_test(c, everything_is_read);
    tcase_add_test(c, names_of_files_are_unescaped);
    tcase_add_test(c, names_are_unmangled);
    tcase_add_test(c, registers_of_a_scope_hide_those_outside);
    tcase_add_test(c, bad_text_is_refused_by_line);
    tcase_add_test(c, instructions_say_their_limits);
    tcase_add_test(c, unknown_parts_of_opcodes_are_refused);
    tcase_add_test(c, what_cannot_run_is_refused_by_line);
    tcase_add_test(c, operands_fit_their_instruction);
    tcase_add_test(c, branches_meet_at_post_dominators);
    tcase_add_test(c, blocks_know_what_they_lead_to);
    tcase_add_test(c, cases_that_fall_through_are_merges);
    tcase_add_test(c, adjacent_shared_loads_are_one);
    tcase_add_test(c, first_generation_loads_word_by_word);
    tcase_add_test(c, slots_are_shared_by_what_never_lives_together);
    tcase_add_test(c, every_row_of_the_table_is_reached_by_its_keys_alone);
    suite_add_tcase(suite, c);
    c = tcase_create("hostile");
    tcase_set_timeout(c, 0);
    suite_add_tcase(suite, c);
    int failed = suite_run(suite);
    fronts_close();
    return failed;
}
