#!/bin/sh
# arm64.sh - the kit on 64-bit Arm: cross-compiled without a warning, and run in qemu's emulation of a process. Results must have the same
# bytes as on this machine, and kernels must become the same PTX. `.ci/arm64 run` runs all suites on an emulated Arm machine.

. tests/lib.sh

if [ "$(uname -m)" = aarch64 ]; then skip 'arm64' 'this machine is one: every test runs on it' && finish; fi
for command in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$command" >/dev/null || { skip 'arm64' "$command is not installed; sh common/setup.sh arm64" && finish; }
done
root=$(cd "$BUILD" && pwd)/arm64/root
[ -e "$root/.whole" ] || { skip 'arm64' "Debian's libraries for it are not here; sh common/setup.sh arm64" && finish; }

suites='every_op edges count' programs=$BUILD/arm64/lockstep-hardware
for suite in $suites; do programs="$programs $BUILD/arm64/tests/test_$suite"; done
# shellcheck disable=SC2086 # words
if .ci/arm64 build $programs >"$scratch/said" 2>&1; then
    pass 'cross-compiled without a warning'
else
    fail 'cross-compiled without a warning' "$(grep -v '^  [A-Z]* ' "$scratch/said" | head -n 20)"
    finish
fi

# A child that an emulated process starts may hang: none of these starts one.
there() { CK_FORK=no qemu-aarch64 -L "$root" "$@" 2>&1; }
for suite in $suites; do
    expect_some "test_$suite on arm64" "$(there "$BUILD/arm64/tests/test_$suite")" '^100%: Checks: [0-9]+, Failures: 0, Errors: 0'
done
for lab in 04 08; do
    set -- run "$lab" --shapes --device sim:h200 --ptx "$BUILD/ptx/clang"
    "$BUILD/lockstep-hardware" "$@" >"$scratch/here"
    there "$BUILD/arm64/lockstep-hardware" "$@" >"$scratch/there"
    expect_some "lab $lab from recorded PTX" "$(cat "$scratch/here")" ' -> [0-9a-f]{16}$'
    expect_none "lab $lab on arm64: the same bytes" "$(diff "$scratch/here" "$scratch/there")"
done

# clang as it compiles on arm64, where char is unsigned in host code.
if clang=$(command -v clang); then
    printf '#!/bin/sh\nexec "%s" --target=aarch64-linux-gnu --sysroot="%s" "$@"\n' "$clang" "$root" >"$scratch/clang"
    chmod +x "$scratch/clang"
    echo '__global__ void sign(const char *letters, int *out) { out[threadIdx.x] = letters[threadIdx.x]; }' >"$scratch/sign.cu"
    ptx_of() { "$BUILD/lockstep" profile "$scratch/sign.cu" --kernel sign --grid 1 --block 32 buf:i32:8 buf:i32:32 --ptx --front clang | grep -E '^ +\. '; }
    expect_some 'a char has a sign' "$(PATH=$scratch:$PATH ptx_of)" 'ld\.global\.s8'
    expect_none 'the same PTX by clang on arm64' "$(test "$(ptx_of)" = "$(PATH=$scratch:$PATH ptx_of)" || PATH=$scratch:$PATH ptx_of)"
else
    skip 'kernels compiled on arm64' 'clang is not installed'
fi
finish
