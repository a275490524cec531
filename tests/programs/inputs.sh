#!/bin/sh
# inputs.sh FOLDER - writes small inputs that are not in a suite's repository: for Rodinia in the folder's data/, for HeCBench beside
# the programs in its src/. The same in each run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
binary=$(mktemp) || exit 1
trap 'rm -f "$binary"' EXIT
${CC:-cc} -O1 -o "$binary" "$here/inputs.c" -lm
[ ! -d "$1/src/aes-cuda" ] || { . "$here/inputs_hecbench.sh"; exit; }
data=$1/data
for name in bfs cfd hotspot hotspot3D huffman kmeans nn b+tree dwt2d srad heartwall leukocyte myocyte hybridsort mummergpu; do
    mkdir -p "$data/$name"
done

# A number for each index: a linear congruence, so that no program's random numbers take part.
random='function random(n) { state = (state * 16807) % 2147483647; return state % n } BEGIN { state = 12345 }'

# bfs: a graph of 4096 nodes with 6 edges each: first edge and degree of each node; the source; edges with their cost.
awk "$random"'BEGIN { n = 4096; print n
    for (i = 0; i < n; i++) print i * 6, 6
    print ""; print 0; print ""; print n * 6
    for (i = 0; i < n * 6; i++) print random(n), 1 + random(10) }' >"$data/bfs/graph.txt"

# cfd: 960 elements in a ring: area, then four times a neighbour (from 1; below 0: the far field) and a normal in three dimensions.
awk 'BEGIN { n = 960; print n
    for (i = 0; i < n; i++) {
        print 0.5
        printf "%d 0.5 0 0 %d -0.5 0 0 -2 0 0.5 0 -2 0 -0.5 0\n", (i + 1) % n + 1, (i + n - 1) % n + 1
    } }' >"$data/cfd/domain.txt"

# hotspot, hotspot3D: temperatures in kelvin and power in watts, a number a line.
awk "$random"'BEGIN { for (i = 0; i < 64 * 64; i++) print 320 + random(1000) / 100 }' >"$data/hotspot/temp_64"
awk "$random"'BEGIN { for (i = 0; i < 64 * 64; i++) print random(1000) / 1e6 }' >"$data/hotspot/power_64"
awk "$random"'BEGIN { for (i = 0; i < 64 * 64 * 8; i++) print 320 + random(1000) / 100 }' >"$data/hotspot3D/temp_64x8"
awk "$random"'BEGIN { for (i = 0; i < 64 * 64 * 8; i++) print random(1000) / 1e6 }' >"$data/hotspot3D/power_64x8"

# huffman: 1 MiB of letters, some more frequent than others.
awk "$random"'BEGIN { for (i = 0; i < 1048576; i++) printf "%c", 97 + int(random(26) * random(26) / 26) }' >"$data/huffman/text.in"

# kmeans: 2048 points of 8 features: an id, then the features.
awk "$random"'BEGIN { for (i = 1; i <= 2048; i++) { printf "%d", i; for (k = 0; k < 8; k++) printf " %d", random(100); print "" } }' \
    >"$data/kmeans/points.txt"

# nn: hurricanes, 49 bytes a record: latitude in columns 29 to 33, longitude in 34 to 38.
awk "$random"'BEGIN { for (i = 0; i < 4096; i++) printf "%-28s%5.1f%5.1f%10s\n", "1990  1  1  0  1  ALBERTO", 7 + random(600) / 10, 10 + random(3000) / 10, "100 200" }' \
    >"$data/nn/storms.db"
echo ../../data/nn/storms.db >"$data/nn/filelist.txt"

# b+tree: the number of keys, then the keys; commands for 100 range queries and 1000 queries of one key.
awk 'BEGIN { print 10000; for (i = 0; i < 10000; i++) print i }' >"$data/b+tree/mil.txt"
printf 'j 100 30\nk 1000\nq\n' >"$data/b+tree/command.txt"

# dwt2d: a picture of 192 x 192 pixels, 24 bits each, after the 54 bytes of a BMP's head.
{
    printf 'BM\066\260\001\000\000\000\000\000\066\000\000\000\050\000\000\000\300\000\000\000\300\000\000\000\001\000\030\000'
    printf '\000\000\000\000\000\260\001\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000'
    LC_ALL=C awk 'BEGIN { for (i = 0; i < 192 * 192 * 3; i++) printf "%c", 32 + i % 96 }'
} >"$data/dwt2d/192.bmp"

# srad: a picture of 502 x 458 pixels, as text.
awk "$random"'BEGIN { print "P2"; print 458, 502; print 255
    for (y = 0; y < 502; y++) { for (x = 0; x < 458; x++) printf "%d ", 100 + 60 * sin(x / 40) * cos(y / 30) + random(40); print "" } }' \
    >"$data/srad/image.pgm"

# heartwall, leukocyte: films. The points that heartwall follows lie up to row 543 and column 457, with 65 pixels around each.
"$binary" film "$data/heartwall/test.avi" 528 616 4
"$binary" film "$data/leukocyte/testfile.avi" 200 340 3

# myocyte: the 91 variables of a heart cell at rest (gates, sodium, calcium, potassium in mmol/l, volts; 45 for calmodulin), and its
# 18 parameters: a beat in ms, five concentrations each for three regions, potassium, magnesium.
awk 'BEGIN { n = split("1.4e-3 .987 .992 7.2e-6 1.0 2.4e-2 1.45e-2 4.05e-3 .995 4.05e-3 .995 8.6e-3 5.4e-3 .888 8.2e-7 1.0e-7 3.54 .772 " \
        "8.8e-3 .108 1.5e-2 2.9e-4 1.3e-3 .138 2.1e-3 9.6e-3 .111 7.3e-3 7.3e-2 1.24 .555 8.8 8.8 8.8 135 1.7e-4 1.0e-4 8.6e-5 -85.6", y)
    for (i = 1; i <= 91; i++) print i <= n ? y[i] : 0 }' >"$data/myocyte/y.txt"
printf '%s\n' 1000 418 0 120 3.6 96.5 5.65 24.2 0.0995 0.003 0.57 5.65 24.2 0.0995 0.003 0.57 135 1 >"$data/myocyte/params.txt"

# hybridsort: numbers from 0 to 1, a line each.
awk "$random"'BEGIN { for (i = 0; i < 65536; i++) print random(1000000) / 1e6 }' >"$data/hybridsort/floats.txt"

# mummergpu: a genome of 20,000 letters, and 500 reads of 60 letters that lie in it.
awk -v ref="$data/mummergpu/genome.fna" -v reads="$data/mummergpu/reads.fna" "$random"'BEGIN {
    for (i = 0; i < 20000; i++) g = g substr("ACGT", 1 + random(4), 1)
    print ">genome" >ref; for (i = 0; i < 20000; i += 60) print substr(g, i + 1, 60) >ref
    for (i = 0; i < 500; i++) printf ">read%d\n%s\n", i, substr(g, 1 + random(19000), 60) >reads }'
