#!/bin/sh
# includes.sh - the layers include one way only, and the top level holds what it may.
#
#     base <- ptx, model;  base ptx model <- sim;  base model <- device (sim from device/sim.c alone);
#     base model device <- lab;  lab <- labs/*/lab.c

. tests/lib.sh

# Prints FILE:LINE: why for each include of the C files under a top level that runs the wrong way.
wrong_includes() {
    (cd "$1" && find common labs solutions -name '*.[ch]' -o -name '*.cu' | sort | xargs awk '
        BEGIN {
            may["base"] = " base "
            may["ptx"] = " base ptx "
            may["model"] = " base model "
            may["sim"] = " base ptx model sim "
            may["device"] = " base model device "
            may["lab"] = " base model device lab "
            may["kernel header"] = " lockstep_clang.h lockstep_math.h lockstep_math_double.h lockstep_cmath.h lockstep_more.h "
            may["standin"] = " lockstep_clang.h cuda_runtime.h cuda_host.h "
            may["lab data"] = " lab/lab.h "
            may["exercise"] = " lockstep.h "
        }
        function layer_of(file,   part) {
            split(file, part, "/")
            if (file ~ /^common\/[^\/]*$/) return file ~ /^common\/lockstep[a-z_]*\.h$/ ? "kernel header" : ""
            if (part[1] == "common") return part[2]
            return file ~ /^labs\/[^\/]*\/lab\.c$/ ? "lab data" : "exercise"
        }
        FNR == 1 {
            layer = layer_of(FILENAME)
            if (!(layer in may)) print FILENAME ":1: belongs to no layer"
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ && (layer in may) {
            split($0, quoted, "\"")
            target = quoted[2]
            folder = target
            if (sub(/\/.*/, "", folder) == 0 && common_layer(layer)) folder = layer
            if (layer == "kernel header" || layer == "lab data" || layer == "exercise" || layer == "standin") folder = target
            if (FILENAME == "common/device/sim.c" && folder == "sim") next
            if (index(may[layer], " " folder " ") == 0)
                print FILENAME ":" FNR ": " layer " must not include \"" target "\""
        }
        function common_layer(name) { return name ~ /^(base|ptx|model|sim|device|lab)$/ }
    ')
}
# What lies at the top level and may not.
strays() {
    project_files "$1" | sed 's|/.*||' | sort -u |
        grep -vxE '\..*|Makefile|labs|solutions|common|tests|slides|grading|README\.md|LICENSE'
}

expect_none 'includes run one way' "$(wrong_includes .)"
expect_none 'the top level holds what it may' "$(strays .)"

# The tests above see what they should: each is shown a violation in a copy.
plant() { # FILE INCLUDE: add an include to a file of the copy
    mkdir -p "$(dirname "$scratch/copy/$1")"
    printf '#include "%s"\n' "$2" >>"$scratch/copy/$1"
    expect_some "planted: $1 includes $2" "$(wrong_includes "$scratch/copy")" "^$1:.*$2"
}
copy_project "$scratch/copy"
plant common/base/base.c model/model.h
plant common/ptx/planted.c model/model.h
plant common/model/model.h device/device.h
plant common/sim/planted.c device/device.h
plant common/device/device.h sim/sim.h
plant common/device/device.h ../sim/sim.h
plant common/lab/planted.c ptx/ptx.h
plant common/lab/lab.h sim/sim.h
touch "$scratch/copy/common/planted.h" && echo >>"$scratch/copy/common/planted.h"
expect_some 'planted: common/planted.h belongs to no layer' "$(wrong_includes "$scratch/copy")" '^common/planted\.h:1:'
plant common/lockstep.h base/base.h
plant labs/01-naive/lab.c sim/sim.h
plant solutions/01-naive/planted.cu ../../common/base/base.h
touch "$scratch/copy/notes.txt"
expect_some 'planted: a stray file at the top level' "$(strays "$scratch/copy")" '^notes\.txt$'
finish
