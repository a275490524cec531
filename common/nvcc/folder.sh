#!/bin/sh
# folder.sh FOLDER LIBRARIES AT PROGRAMS HEADERS - make FOLDER look like CUDA's own, for Makefiles and CMake, which look there.
#
#     FOLDER/bin/nvcc        a link to PROGRAMS/lockstep-nvcc; beside it links to PROGRAMS/lockstep, which is each of CUDA's other
#                            tools by its name: cli/tool.c
#     FOLDER/include         a link to HEADERS
#     FOLDER/lib64           CUDA's names of the kit's libraries, which are in the folder LIBRARIES now and in AT when a program starts
#     FOLDER/nvvm/libdevice  empty; CMake asks for it
#
# A library in lib64 has the names of the kit's functions and nothing else. Its own name for the loader is the path of the kit's
# library, so a program that g++ links with -L FOLDER/lib64 -lcudart starts without LD_LIBRARY_PATH.

set -e
folder=$1 libraries=$2 at=$3 programs=$4 headers=$5
mkdir -p "$folder/bin" "$folder/lib64" "$folder/nvvm/libdevice"
ln -sf "$programs/lockstep-nvcc" "$folder/bin/nvcc"
for tool in nvidia-smi nsys nvprof ncu compute-sanitizer cuda-memcheck; do ln -sf "$programs/lockstep" "$folder/bin/$tool"; done
ln -sfn "$headers" "$folder/include"

# library LOCKSTEP-NAME CUDA-NAME...
library() {
    from=$libraries/liblockstep-$1.so own=$1
    shift
    [ -e "$from" ] || return 0
    nm -D --defined-only "$from" | awk '{ printf ".globl %s\n.type %s, @function\n%s:\n", $3, $3, $3 } END { print ".section .note.GNU-stack" }' |
        gcc -shared -nostdlib -x assembler - -Wl,-soname,"$at/liblockstep-$own.so" -o "$folder/lib64/lib$own.so"
    for name; do ln -sf "lib$own.so" "$folder/lib64/$name"; done
}
library cudart libcuda.so libcurand.so libnvrtc.so libnvToolsExt.so libcudart_static.a libcudadevrt.a libcurand_static.a
library cublas libcublasLt.so libcublas_static.a libcublasLt_static.a
library cufft libcufft_static.a
