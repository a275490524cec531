#!/bin/sh
# record.sh - what NVIDIA's compiler and a GPU print: sh tests/programs/record.sh FOLDER
#
# Builds each program of tests/programs by nvcc -O2 -std=c++17, runs it, writes FOLDER/NAME.out, and lists what differs from the
# NAME.out that is stored. Needs nvcc and a GPU, and nothing of this kit. Exit status: 0 if nothing differs.

folder=${1:?give the folder that the outputs go to: sh tests/programs/record.sh FOLDER}
programs=$(cd "$(dirname "$0")" && pwd)
nvcc=${NVCC:-nvcc}
command -v "$nvcc" >/dev/null || { echo "$nvcc is not found: install the CUDA Toolkit, or set NVCC" >&2; exit 2; }
mkdir -p "$folder" || exit 2
folder=$(cd "$folder" && pwd)
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
same=0 different=0

# record NAME: $scratch/program is built; run it and compare.
record() {
    if ! (cd "$scratch" && timeout 60 ./program) >"$folder/$1.out" 2>"$folder/$1.err"; then echo "$1: exit status not 0"; fi
    [ -s "$folder/$1.err" ] || rm "$folder/$1.err"
    if diff "$programs/$1.out" "$folder/$1.out" >"$scratch/diff" 2>&1; then
        same=$((same + 1))
    else
        different=$((different + 1))
        echo "$1: stored (<), here (>)"
        cat "$scratch/diff"
    fi
}
# compile NAME: to $scratch/NAME.program; what the compiler says to $scratch/NAME.said.
compile() {
    words=$(sed -n 's|^// build: ||p' "$programs/$1.cu")
    # shellcheck disable=SC2086 # words
    "$nvcc" -O2 -std=c++17 -arch=native "$programs/$1.cu" $words -o "$scratch/$1.program" >"$scratch/$1.said" 2>&1
}
started=0
for source in "$programs"/*.cu; do
    compile "$(basename "$source" .cu)" &
    started=$((started + 1))
    [ $((started % $(nproc))) -ne 0 ] || wait
done
wait
for source in "$programs"/*.cu; do
    name=$(basename "$source" .cu)
    rm -f "$scratch/program"
    mv "$scratch/$name.program" "$scratch/program" 2>/dev/null || { echo "$name: does not compile"; cat "$scratch/$name.said"; }
    record "$name"
done
for makefile in "$programs"/*/Makefile; do
    name=$(basename "$(dirname "$makefile")")
    cp -R "$(dirname "$makefile")" "$scratch/$name" && rm -f "$scratch/program"
    make -C "$scratch/$name" NVCC="$nvcc" >"$scratch/said" 2>&1 && cp "$scratch/$name/program" "$scratch/program" || cat "$scratch/said"
    record "$name"
done
echo "$same programs print what is stored, $different do not; outputs: $folder"
[ "$different" -eq 0 ]
