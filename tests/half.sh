#!/bin/sh
# half.sh - half and bfloat16 in a program's host code, by every clang that is installed: the bits that a GPU computes.

. tests/lib.sh

found=
for clang in clang clang-14 clang-16 clang-19; do
    command -v "$clang" >/dev/null || continue
    found=yes
    name="host code by $clang"
    if "$clang" -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent -Xclang -target-sdk-version=11.0 -std=c++17 -O1 \
        -include common/cuda/stubs/cuda_runtime.h -Icommon/cuda -Icommon/cuda/stubs -Itests tests/half/host.cu \
        -o "$scratch/host" -lstdc++ -lm -L"$BUILD" -llockstep-cudart -Wl,-rpath,"$(cd "$BUILD" && pwd)" >"$scratch/said" 2>&1; then
        expect_none "$name" "$("$scratch/host" || echo "ended with status $?")"
    else
        fail "$name" "$(head -n 5 "$scratch/said")"
    fi
done
[ -n "$found" ] || skip 'host code' 'clang is not installed'
finish
