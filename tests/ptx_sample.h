/* ptx_sample.h - a small module with every kind of variable, function and operand. */
#ifndef LOCKSTEP_TESTS_PTX_SAMPLE_H
#define LOCKSTEP_TESTS_PTX_SAMPLE_H

#define HEAD ".version 7.5\n.target sm_70\n.address_size 64\n"

static const char sample[] = HEAD
    ".file 1 \"dir/k.cu\"\n"
    ".file 7 \"other.h\", 123, 45\n"
    ".visible .const .align 4 .b8 bytes[8] = {1, 2, 0xff, 0b101};\n"
    ".global .align 4 .f32 floats[3] = {0f3F800000, -1.5, -0f40000000};\n"
    ".global .align 8 .u64 places[3] = {generic(floats)+4, bytes, 0};\n"
    ".global .u32 plain;\n"
    ".extern .shared .align 16 .b8 dynamic[];\n"
    ".func (.param .b32 r) twice(.param .b32 x)\n"
    "{ .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.s32 %r2, %r1, %r1; st.param.b32 [r+0], %r2; ret; }\n"
    ".visible .entry _Z1kPfi(.param .u64 .ptr .global .align 4 p, .param .u32 n, .param .align 8 .b8 s[24])\n"
    ".maxntid 16, 4, 2\n"
    "{\n"
    "    .reg .pred %p<3>; .reg .b32 %r<8>; .reg .b64 %rd<4>; .reg .f32 %f<6>, %g;\n"
    "    .loc 1 10 3\n"
    "    ld.param.u64 %rd1, [p]; // a comment\n"
    "    ld.param.u32 %r1, [s+12]; /* another\n"
    "    one */\n"
    "    .loc 7 99 1, function_name $L__info+0, inlined_at 1 11 2\n"
    "    setp.lt.s32 %p1|%p2, %r1, -7;\n"
    "    @!%p1 bra $END;\n"
    "    ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1+-16];\n"
    "$END:\n"
    "    .loc 7 5 1\n"
    "    ret;\n"
    "}\n"
    ".section .debug_str { .b8 1, 2 \n $x: .b8 {3} }\n";

#endif
