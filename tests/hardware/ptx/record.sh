#!/bin/sh
# record.sh [TO [BUILD [FRONT]]] - write the PTX of the solutions, of others.cu, of courses and of tuning, by the compiler that is here, to a folder
# that `lockstep-hardware crosscheck --ptx` takes: this one, unless TO is given. It must be the compiler that the records of hardware
# name ("front_end"). By nvcc only that of courses and tuning is kept: record.sh tests/hardware/ptx-nvcc build nvcc. Run from the top level.
#
# What only a debugger reads is left out: lines, files, sections and labels that nothing branches to. The probes are, too.

set -e
to=${1:-tests/hardware/ptx}
front=${3:-clang}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
"${2:-build}/lockstep-hardware" run --write-ptx "$new" --front "$front"
rm "$new/kernels/probes.ptx"
if [ "$front" = nvcc ]; then rm -r "$new"/[01]* "$new/kernels"; fi
mkdir -p "$to"
(cd "$new" && find . -name '*.ptx') | while read -r file; do
    mkdir -p "$to/$(dirname "$file")"
    sed -E '/^\t\.section\t[^{]*$/,/^\t\}/d; /^\t\.(loc|file|section)\t/d; /^(Ltmp|Lfunc_begin|Lfunc_end)[0-9]+:$/d
            /^[ \t]*(\/\/.*)?$/d; s/^\t//; s/[ \t]+(\/\/.*)?$//; s/[ \t]+/ /g' "$new/$file" >"$to/$file"
done
cat "$new/front" >"$to/front"
echo >>"$to/front"
