#!/bin/sh
# rodinia.sh [-t SECONDS] FOLDER [NAME...] - do Rodinia's CUDA programs come to the right answer?
#
#     FOLDER/cuda/NAME ── lockstep-nvcc ──> a run ──┬── its own check
#     FOLDER/openmp/NAME ── gcc ──────────> a run ──┼── the same text, but for rounding (same.c -t)
#     FOLDER/cuda/NAME ── g++, cpu.h ─────> a run ──┴── the same copies from the device, but for rounding (same.c)
#
# FOLDER is Rodinia, with the inputs that inputs.sh writes. A run may take SECONDS of processor time. README.md beside this file says
# how each program is judged.
set -u
limit=60
[ "${1:-}" != -t ] || { limit=$2; shift 2; }
[ -d "${1:-}/cuda" ] || { echo 'usage: rodinia.sh [-t SECONDS] FOLDER [NAME...]' >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
suite=$(cd "$1" && pwd)
shift
BUILD=$(cd "${BUILD:-$here/../../build}" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LOCKSTEP_DEVICE="${LOCKSTEP_DEVICE:-sim:h200}" LOCKSTEP_CHECK="${LOCKSTEP_CHECK:-lenient}"
export LD_LIBRARY_PATH="$BUILD" OMP_NUM_THREADS=2
mkdir -p "$work/home" "$work/cuda/bin" "$work/cuda/lib64" "$work/suite"
ln -s "$BUILD/lockstep-nvcc" "$work/cuda/bin/nvcc"
ln -s "$here/../../common/cuda/stubs" "$work/cuda/include"
for library in cudart cuda; do ln -s "$BUILD/liblockstep-cudart.so" "$work/cuda/lib64/lib$library.so"; done
export PATH="$work/cuda/bin:$PATH" LIBRARY_PATH="$work/cuda/lib64" HOME="$work/home"
ln -s "$suite" "$work/home/rodinia_3.0"
cp -r "$suite/cuda" "$suite/openmp" "$suite/common" "$work/suite/"
ln -s "$suite/data" "$work/suite/data"
fma= # products that are added without rounding between, as a GPU does
! grep -qw fma /proc/cpuinfo || fma='-mfma -ffp-contract=fast'
same=$work/same copies=$work/copies.so
cc -O1 -o "$same" "$here/rodinia/same.c" -lm && cc -O1 -shared -fPIC -o "$copies" "$here/rodinia/copies.c" -ldl || exit 1

# build FOLDER ARGUMENTS...: make there; what it says goes to a file.
build() {
    cd "$work/suite/$1" || return 1
    shift
    make -s clean >/dev/null 2>&1
    make CUDA_DIR="$work/cuda" CUDA_LIB_DIR="$work/cuda/lib64" "$@" >"$work/build" 2>&1 || { tail -n 3 "$work/build" | head -c 300; return 1; }
}
# run COMMAND...: in the folder of the build. Its text is in $work/text. The clock stands still, for programs that take it as a seed.
run() {
    (ulimit -t "$limit"; LD_PRELOAD="$copies" COPIES="$work/copies" exec timeout $((limit * 8)) "$@") >"$work/text" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq 0 ] || { echo "status $status: $(cat "$work/err" "$work/text" | tail -n 1 | cut -c 1-90)"; return 1; }
    ! grep -a '^lockstep: ' "$work/err" | grep -av 'warning: ' | head -n 1 | grep .
}
says() { grep -aqE "$1" "$work/text" || { echo "it does not say $1: $(grep -aiE 'fail|mis|error' "$work/text" | head -n 1 | cut -c 1-80)"; return 1; }; }
keep() { cp "$1" "$work/mine" || return 1; }
equal() { tr , ' ' <"$1" >"$work/theirs"; tr -s , ' ' <"$work/mine" >"$work/ours"; "$same" -t "$work/ours" "$work/theirs" "${2:-}"; } # FILE, the difference of numbers that is too small to matter
openmp() { build "openmp/$1" CUDA_DIR=/nonexistent "$2" "${4:-x=x}" && cd "$work/suite/openmp/${5:-$1}" && run $3; }
# on_cpu FOLDER FILE OPTIONS ARGUMENTS: the program again, its kernels as functions; then both notes of copies are compared.
on_cpu() {
    mv "$work/copies" "$work/ours"
    cd "$work/suite/$1" || return 1
    rewrite='s/([\w:]+(?:\s*<[^<>;]*>)?)\s*<<<(.*?)>>>\s*\((.*?)\)\s*;/cpu::launch($2)([&] { $1($3); });/gs; s/ToSymbol\("(\w+)"/ToSymbol($1/g'
    for f in $(find . -name '*.cu' -o -name '*.h'); do perl -0pi -e "$rewrite" "$f"; done
    for f in $2; do
        case $f in
            *.c) gcc -O1 -w -std=gnu89 -fopenmp -c "$f" -o "$f.o" ;;
            *) g++ -O2 -w $fma -std=c++17 -fpermissive $3 -I"$here/rodinia" -I"$here/rodinia/cpu" -include "$here/rodinia/cpu.h" -x c++ -c "$f" -o "$f.o" ;;
        esac
    done >"$work/build" 2>&1
    # shellcheck disable=SC2046
    g++ -o on_cpu $(printf '%s.o ' $2) -fopenmp -lm >>"$work/build" 2>&1 || { grep error "$work/build" | head -n 2; return 1; }
    # shellcheck disable=SC2086
    COPIES="$work/copies" ./on_cpu $4 >"$work/text" 2>&1 </dev/null
    "$same" "$work/ours" "$work/copies"
}

d=../../data
backprop() { build cuda/backprop && run ./backprop 16384 && on_cpu cuda/backprop 'backprop_cuda.cu backprop.c facetrain.c imagenet.c' '' 16384; }
b_tree() { build cuda/b+tree && run ./b+tree.out file $d/b+tree/mil.txt command $d/b+tree/command.txt && keep output.txt &&
    openmp b+tree x=x "./b+tree.out core 2 file $d/b+tree/mil.txt command $d/b+tree/command.txt" && equal output.txt; }
bfs() { build cuda/bfs && run ./bfs.out $d/bfs/graph.txt && keep result.txt && openmp bfs bfs "./bfs 2 $d/bfs/graph.txt" && equal result.txt; }
cfd() { build cuda/cfd euler3d && run ./euler3d $d/cfd/domain.txt && keep density_energy &&
    openmp cfd euler3d_cpu "./euler3d_cpu $d/cfd/domain.txt" && equal density_energy; }
dwt2d() { build cuda/dwt2d && cp "$suite/data/dwt2d/192.bmp" . && run ./dwt2d 192.bmp -d 192x192 -f -5 -l 3 &&
    on_cpu cuda/dwt2d "$(cd "$work/suite/cuda/dwt2d" && ls ./*.cu dwt_cuda/*.cu)" '-I. -DOUTPUT' '192.bmp -d 192x192 -f -5 -l 3'; }
gaussian() { build cuda/gaussian && run ./gaussian -s 64 && on_cpu cuda/gaussian gaussian.cu '' '-s 64'; }
heartwall() { build cuda/heartwall OUTPUT=1 && run ./heartwall $d/heartwall/test.avi 2 && keep result.txt &&
    openmp heartwall OUTPUT=1 "./heartwall $d/heartwall/test.avi 2 2" && equal result.txt; }
hotspot() { build cuda/hotspot && run ./hotspot 64 2 2 $d/hotspot/temp_64 $d/hotspot/power_64 output.out && keep output.out &&
    openmp hotspot hotspot "./hotspot 64 64 2 2 $d/hotspot/temp_64 $d/hotspot/power_64 output.out" && equal output.out; }
hotspot3D() { build cuda/hotspot3D && run ./3D 64 8 4 $d/hotspot3D/power_64x8 $d/hotspot3D/temp_64x8 output.out && says 'Accuracy: [0-9.]*e-0[5-9]'; }
huffman() { build cuda/huffman TESTING=1 && run ./pavle $d/huffman/text.in && says 'PASS! vectors are matching'; }
hybridsort() { build cuda/hybridsort VERIFY=1 && run ./hybridsort $d/hybridsort/floats.txt && says PASSED; }
kmeans() { build cuda/kmeans && run ./kmeans -o -i $d/kmeans/points.txt && on_cpu cuda/kmeans 'cluster.c getopt.c kmeans.c kmeans_clustering.c kmeans_cuda.cu rmse.c' '' "-o -i $d/kmeans/points.txt"; }
lavaMD() { build cuda/lavaMD OUTPUT=1 && run ./lavaMD -boxes1d 3 && keep result.txt &&
    openmp lavaMD OUTPUT=1 './lavaMD -cores 2 -boxes1d 3' && equal result.txt; }
leukocyte() { build cuda/leukocyte OUTPUT=1 && run ./CUDA/leukocyte $d/leukocyte/testfile.avi 1 && says 'Cells detected: [1-9]' && keep result.txt &&
    cp -r "$work/suite/cuda/leukocyte/meschach_lib" "$work/suite/openmp/leukocyte/" &&
    openmp leukocyte OUTPUT=1 "./OpenMP/leukocyte 1 2 $d/leukocyte/testfile.avi" && equal result.txt; }
lud() { build cuda/lud && run cuda/lud_cuda -v -s 256 && says 'Verify' && ! grep dismatch "$work/text"; }
mummergpu() { build cuda/mummergpu dbg=1 CXX='g++ -fopenmp -include unistd.h' && run bin/mummergpu $d/mummergpu/genome.fna $d/mummergpu/reads.fna &&
    keep "$work/text" && run bin/mummergpu -C $d/mummergpu/genome.fna $d/mummergpu/reads.fna && equal "$work/text"; }
myocyte() { build cuda/myocyte && run ./myocyte.out 3 1 0 && on_cpu cuda/myocyte main.cu '' '3 1 0'; }
nn() { build cuda/nn && run ./nn $d/nn/filelist.txt -r 5 -lat 30 -lng 90 && on_cpu cuda/nn nn_cuda.cu '' "$d/nn/filelist.txt -r 5 -lat 30 -lng 90"; }
nw() { build cuda/nw KERNEL_DIM=-DTRACEBACK && run ./needle 512 10 && keep result.txt &&
    openmp nw needle './needle 512 10 2' 'CC_FLAGS=-O2 -fopenmp -DTRACEBACK' && equal result.txt; }
particlefilter() { build cuda/particlefilter && run ./particlefilter_naive -x 128 -y 128 -z 10 -np 1000 && grep -E '^(XE|YE)' "$work/text" >"$work/mine" &&
    openmp particlefilter x=x './particle_filter -x 128 -y 128 -z 10 -np 1000' && grep -E '^(XE|YE)' "$work/text" >"$work/them" && equal "$work/them" 1; }
pathfinder() { build cuda/pathfinder "CC=nvcc -DBENCH_PRINT" && run ./pathfinder 5000 100 20 && grep -E '^[0-9 ]{200}' "$work/text" | tail -n 1 >"$work/mine" &&
    openmp pathfinder x=x './pathfinder 5000 100' 'FLAGS=-fopenmp -DBENCH_PRINT' && grep -E '^[0-9 ]{200}' "$work/text" | tail -n 1 >"$work/them" && equal "$work/them" 1; }
srad() { build cuda/srad/srad_v1 && run ./srad 10 0.5 502 458 && keep image_out.pgm && openmp srad/srad_v1 x=x './srad 10 0.5 502 458 2' && equal image_out.pgm 1 &&
    build cuda/srad/srad_v2 && run ./srad 128 128 0 31 0 31 0.5 2 && on_cpu cuda/srad/srad_v2 srad.cu '' '128 128 0 31 0 31 0.5 2'; }
streamcluster() { build cuda/streamcluster && run ./sc_gpu 10 20 32 1024 1024 100 none output.txt 1 && keep output.txt &&
    openmp streamcluster omp './sc_omp 10 20 32 1024 1024 100 none output.txt 1' && equal output.txt; }

right=0 count=0
[ $# -gt 0 ] || set -- $(cd "$suite/cuda" && ls -d */Makefile */makefile 2>/dev/null | cut -d / -f 1 | sort -u)
for name; do
    count=$((count + 1))
    rm -f "$work/copies" "$work/mine"
    if said=$("$(echo "$name" | tr + _)" 2>"$work/trouble"); then right=$((right + 1)) word=right; else word=WRONG; fi
    printf '%-16s%s  %s\n' "$name" "$word" "$(echo "$said" | tail -n 3 | tr '\n' ' ')"
done
echo "$right of $count right"
[ $right -eq $count ]
