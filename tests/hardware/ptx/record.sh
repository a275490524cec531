#!/bin/sh
# record.sh [TO [BUILD]] - write the PTX of the solutions and of others.cu, by the compiler that is here, to a folder that `lockstep-hardware
# crosscheck --ptx` takes: this one, unless TO is given. It must be the compiler that the records of hardware name ("front_end"). Run
# from the top level.
#
# What only a debugger reads is left out: lines, files, sections and labels that nothing branches to. The probes are, too.

set -e
to=${1:-tests/hardware/ptx}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
"${2:-build}/lockstep-hardware" run --write-ptx "$new"
rm "$new/kernels/probes.ptx"
mkdir -p "$to"
(cd "$new" && find . -name '*.ptx') | while read -r file; do
    mkdir -p "$to/$(dirname "$file")"
    sed -E '/^\t\.(loc|file|section)\t/d; /^(Ltmp|Lfunc_begin|Lfunc_end)[0-9]+:$/d; /^[ \t]*(\/\/.*)?$/d
            s/^\t//; s/[ \t]+(\/\/.*)?$//; s/[ \t]+/ /g' "$new/$file" >"$to/$file"
done
cat "$new/front" >"$to/front"
echo >>"$to/front"
