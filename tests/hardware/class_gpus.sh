#!/bin/sh
# class_gpus.sh [GPUS] - grade a class on this machine's GPUs, as with `device = cuda:0,cuda:1`, by one worker and by one worker a core: right
# hand-ins must get all points, and times must not depend on the number of workers. GPUS: the list; without it, cuda. STUDENTS=N: how many
# students; JOBS=N: how many workers in the second grading.
#
# For each grading it prints the seconds, and the median and the greatest ratio of a time to the reference's time.

cd "$(dirname "$0")/../.." || exit 1
gpus=${1:-cuda}
scratch=$(mktemp -d) && trap 'rm -rf "$scratch"' EXIT || exit 1
for s in $(seq "${STUDENTS:-16}"); do
    for file in solutions/01-naive/*.cu solutions/05-padded/*.cu; do
        to=$scratch/class/student-$s/${file#solutions/}
        mkdir -p "${to%/*}" && { cat "$file" && echo "// $s"; } >"$to"
    done
done
printf '[course]\nlabs = 01 05\n' >"$scratch/course.ini"
for jobs in 1 "${JOBS:-$(nproc)}"; do
    out=$scratch/jobs-$jobs begun=$(date +%s)
    build/lockstep-class class "$scratch/class" --out "$out" --course "$scratch/course.ini" --device "$gpus" --seed 7 --jobs "$jobs" || exit 1
    echo "$jobs workers: $(($(date +%s) - begun)) s"
    cat "$out"/student-*.json | awk '/"score":|"max_score":/ && /^  "/ { gsub(/[^0-9.]/, ""); print }' | sort | uniq -c | sed 's/^/  score or its maximum, of how many: /'
    cat "$out"/student-*.json | awk '/"time_ms":/ { gsub(/[^0-9.e-]/, "", $2); t = $2 } /"reference_ms":/ { gsub(/[^0-9.e-]/, "", $2); if (t > 0 && $2 > 0) print t / $2; t = 0 }' |
        sort -n | awk '{ r[NR] = $1 } END { print "  ratios:", NR, "median", r[int((NR + 1) / 2)], "greatest", r[NR] }'
done
