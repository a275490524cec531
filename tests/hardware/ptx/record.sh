#!/bin/sh
# record.sh [FRONT [BUILD [FOLDER]]] - write the PTX of the solutions, of others.cu, of courses and of tuning, by the compiler that
# is here, clang unless FRONT is nvcc, and pack it as FRONT.tar.gz beside this file; or write it to FOLDER, for
# `lockstep-hardware crosscheck --ptx`. It must be the compiler that the records of hardware name ("front_end"). By nvcc only that
# of courses and tuning is kept. Run from the top level; make unpacks the archives to $BUILD/ptx.
#
# What only a debugger reads is left out: lines, files, sections and labels that nothing branches to. The probes are, too.

set -e
front=${1:-clang}
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
"${2:-build}/lockstep-hardware" run --write-ptx "$new/all" --front "$front"
rm "$new/all/kernels/probes.ptx"
if [ "$front" = nvcc ]; then rm -r "$new/all"/[01]* "$new/all/kernels"; fi
to=${3:-$new/short}
(cd "$new/all" && find . -name '*.ptx') | while read -r file; do
    mkdir -p "$to/$(dirname "$file")"
    sed -E '/^\t\.section\t[^{]*$/,/^\t\}/d; /^\t\.(loc|file|section)\t/d; /^(Ltmp|Lfunc_begin|Lfunc_end)[0-9]+:$/d
            /^[ \t]*(\/\/.*)?$/d; s/^\t//; s/[ \t]+(\/\/.*)?$//; s/[ \t]+/ /g' "$new/all/$file" >"$to/$file"
done
cat "$new/all/front" >"$to/front"
echo >>"$to/front"
# The same PTX is the same archive.
[ "$3" ] || tar -C "$to" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -cf - . |
    gzip -9n >"tests/hardware/ptx/$front.tar.gz"
