#!/bin/sh
# tools.sh - the tools of CUDA by their names, in the folder that looks like CUDA's: nvidia-smi, nsys, nvprof, ncu, compute-sanitizer.

. tests/lib.sh
PATH=$(cd "$BUILD" && pwd)/cuda/bin:$PATH
export PATH LOCKSTEP_DEVICE=sim:h200
cp tests/programs/axpy.cu "$scratch/axpy.cu"
cd "$scratch" || exit 1
nvcc -O2 axpy.cu -o axpy >said 2>&1 || fail 'a program is built' "$(cat said)"

smi() { nvidia-smi "$@" 2>&1; }
expect_some 'nvidia-smi' "$(smi)" '^\| N/A .*/   16384MiB \|'
expect_none 'nvidia-smi: a table' "$(smi | grep '^[|+]' | awk 'length != 91')"
expect_some 'nvidia-smi -L' "$(LOCKSTEP_DEVICE=sim:t4 smi -L)" '^GPU 0: Tesla T4 '
expect_some 'nvidia-smi --query-gpu' "$(smi --query-gpu=name,memory.total,temperature.gpu --format=csv,noheader,nounits)" '^NVIDIA H200, 16384, \[N/A\]$'

nsys profile --stats=true -t cuda -o timeline ./axpy >out 2>&1
expect_some 'nsys: the program runs' "$(cat out)" '^31 31, 10000 hits$'
expect_some 'nsys: kernels' "$(cat out)" '^ +100\.0 +[0-9,]+ +1 +[0-9,.]+ .* 0\.0  axpy<float>$'
expect_some 'nsys: the columns of kernels' "$(cat out)" '^ Time \(%\)  Total Time \(ns\)  Instances  Avg \(ns\)  Med \(ns\)  Min \(ns\)  Max \(ns\)  StdDev \(ns\)  Name'
expect_some 'nsys: copies by time' "$(cat out)" '^ +[0-9.]+ +[0-9,]+ +3 .*  \[CUDA memcpy HtoD\]$'
expect_some 'nsys: copies by size' "$(cat out)" '^ +0\.080 +3 +0\.027 +0\.040 +0\.000 +0\.040 +0\.023  \[CUDA memcpy HtoD\]$'
expect_some 'nsys: calls' "$(cat out)" '^ +- +- +3 .* cudaMemcpy$'
expect_some 'nsys: the timeline' "$(cat timeline.json)" 'axpy<float>'
expect_some 'nsys stats is not there' "$(nsys stats timeline.nsys-rep 2>&1; echo "status $?")" '^nsys: stats: only nsys profile is there'

nvprof ./axpy >out 2>&1
expect_some 'nvprof: activities' "$(cat out)" '^ GPU activities: +[0-9.]+% +[0-9.]+us +3 .*  \[CUDA memcpy HtoD\]$'
expect_some 'nvprof: a kernel' "$(cat out)" '% +[0-9.]+us +1 +([0-9.]+us) +\1 +\1  axpy<float>$'
expect_some 'nvprof: calls' "$(cat out)" '^ +API calls: '
expect_some 'nvprof --metrics' "$(nvprof --metrics gld_efficiency,gld_transactions ./axpy 2>&1)" '^ +1 +gld_transactions .* 2500  2500  2500$'
expect_some 'nvprof --metrics all' "$(nvprof --metrics all ./axpy 2>&1; echo "status $?")" '^status 0$'
expect_some 'nvprof: a metric that is not counted' "$(nvprof --metrics ipc ./axpy 2>&1; echo "status $?")" '^nvprof: ipc is not counted; lockstep metrics lists what is$'

ncu ./axpy >out 2>&1
expect_some 'ncu: a launch' "$(cat out)" '^  axpy<float> \(40, 1, 1\)x\(256, 1, 1\), Context 1, Stream 7, Device 0, CC 9\.0$'
expect_some 'ncu: the columns' "$(cat out)" '^    Metric Name +Metric Unit +Metric Value$'
expect_some 'ncu: a figure of a launch' "$(cat out)" '^    Theoretical Occupancy +% +100$'
expect_none 'ncu: no other sections without --set full' "$(grep 'Memory Workload' out)"
expect_some 'ncu --set full' "$(ncu --set full ./axpy 2>&1)" '^    Uniform Branches +% +99\.69$'
expect_some 'ncu --page raw' "$(ncu --page raw ./axpy 2>&1)" '^    l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum +request +626$'
expect_some 'ncu --section' "$(ncu --section MemoryWorkloadAnalysis ./axpy 2>&1)" '^    Sectors Per Global Load +sector +3\.99$'
metrics=gpu__time_duration.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld,smsp__nothing.sum
ncu --metrics $metrics --csv ./axpy >out 2>&1
expect_some 'ncu --csv: the head' "$(cat out)" '^"ID","Process ID",.*"Section Name","Metric Name","Metric Unit","Metric Value"$'
expect_some 'ncu --metrics: a name without its last part' "$(cat out)" '"axpy<float>",.*"l1tex__t_sectors_pipe_lsu_mem_global_op_ld\.sum","sector","2,500"$'
expect_some 'ncu --metrics: one that is not counted' "$(cat out)" '"smsp__nothing\.sum","","n/a"$'
expect_some 'ncu --metrics: a time' "$(cat out)" '"gpu__time_duration\.sum","us","[0-9.]+"$'
expect_some 'ncu -k: no such kernel' "$(ncu -k nothing ./axpy 2>&1)" '^==WARNING== No kernels were profiled\.$'
expect_some 'ncu --page source: what to type instead' "$(ncu --page source ./axpy 2>&1; echo "status $?")" '^ncu: --page source is not there: lockstep run ./axpy --profile KERNEL$'

cat >wrong.cu <<'CODE'
#include <cstdio>
__global__ void reverse(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main(int argc, char **argv)
{
    int *p;
    cudaMalloc(&p, 256);
    cudaMemset(p, 0, 256);
    if (argc > 1)
        fill<<<1, 65>>>(p);
    else
        reverse<<<1, 64>>>(p);
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    return 3;
}
CODE
nvcc wrong.cu -o wrong >said 2>&1 || fail 'a wrong program is built' "$(cat said)"
sanitize() { compute-sanitizer "$@" 2>&1; echo "status $?"; }
expect_some 'memcheck: an access out of bounds' "$(sanitize ./wrong outside)" '^========= outside: .*wrong.cu:8: .*writes p\[64\]'
expect_some 'memcheck: the sum' "$(sanitize ./wrong outside)" '^========= ERROR SUMMARY: 1 error$'
expect_some 'synccheck is without races' "$(sanitize --tool synccheck ./wrong)" '^========= ERROR SUMMARY: 0 errors$'
expect_some 'memcheck: what was never freed' "$(sanitize --leak-check full ./wrong)" '^========= LEAK SUMMARY: 1 allocations were never freed$'
expect_some 'racecheck' "$(sanitize --tool=racecheck ./wrong)" '^========= race: .*wrong.cu:6: '
expect_some 'racecheck: the program goes on' "$(sanitize --tool racecheck ./wrong)" '^cudaSuccess$'
expect_some "the program's exit status" "$(sanitize --tool synccheck ./wrong)" '^status 3$'
expect_some 'no such check' "$(sanitize --tool magic ./wrong)" '^compute-sanitizer: --tool magic: must be one of: memcheck racecheck'
expect_some 'no program' "$(sanitize ./none)" '^compute-sanitizer: ./none: is no program$'
expect_some 'a program without CUDA' "$(sanitize true)" '^compute-sanitizer: true made no call of CUDA'
finish
