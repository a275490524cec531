# inputs_hecbench.sh - the inputs of HeCBench that its repository names but does not hold; for inputs.sh, which sets binary.
src=$1/src
random='function random(n) { state = (state * 16807) % 2147483647; return state % n } BEGIN { state = 12345 }'
mkdir -p "$src/mriQ-cuda/datasets/128x128x128/input" "$src/meanshift-cuda/dataset"

# Pictures, a graph, samples of a scanner.
"$binary" picture "$src/urng-sycl/URNG_Input.bmp" 256 256
"$binary" graph "$src/cc-cuda/delaunay_n24.egr" 256
"$binary" samples "$src/mriQ-cuda/datasets/128x128x128/input/128x128x128.bin" 512 4096

# tonemapping: width, height, then four numbers a pixel.
awk "$random"'BEGIN { print 256, 256; for (i = 0; i < 65536; i++) print random(1000) / 100, random(1000) / 100, random(1000) / 100, 1 }' \
    >"$src/tonemapping-sycl/input.hdr"

# sa: a genome. deredundancy: 200 sequences, of which every other one is the one before with a few letters changed.
awk "$random"'BEGIN { for (i = 0; i < 1000000; i++) printf "%s", substr("ACGT", 1 + random(4), 1) }' >"$src/sa-cuda/genome.txt"
awk "$random"'BEGIN { for (i = 0; i < 200; i++) {
        if (i % 2 == 0) { s = ""; for (k = 0; k < 400; k++) s = s substr("ACGT", 1 + random(4), 1) }
        else for (k = 0; k < 4; k++) { at = random(400); s = substr(s, 1, at) substr("ACGT", 1 + random(4), 1) substr(s, at + 2) }
        printf ">%d\n%s\n", i, s } }' >"$src/deredundancy-sycl/testData.fasta"

# geodesic: latitude and longitude of 2^21 cities. meanshift: points around three centres, and the centres.
awk "$random"'BEGIN { for (i = 0; i < 2097152; i++) print random(16000) / 100 - 80, random(35000) / 100 - 175 }' \
    >"$src/geodesic-sycl/locations.txt"
awk "$random"'BEGIN { for (i = 0; i < 10000; i++) { c = i % 3 * 200; print c + random(20) "," c + random(20) "," 200 + random(20) } }' \
    >"$src/meanshift-cuda/dataset/data.csv"
printf '10,10,210\n210,210,210\n410,410,210\n' >"$src/meanshift-cuda/dataset/centroids.csv"
