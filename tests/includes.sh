#!/bin/sh
# includes.sh - the rooms include one way only, each by its one public header, and the top level holds what it may.
#
# The table below is that of common/README.md: a room, and the rooms whose public header ROOM/ROOM.h it may include. Every other header is private
# to its room; but ptx/ops.h, the table of operations, and the tables in it make the handlers of sim/exec/alu*. device/sim.c, sim_repeat and sim_watch alone may know the simulator.

. tests/lib.sh

# Prints FILE:LINE: why for each include of the C files under a top level that the table forbids.
wrong_includes() {
    (cd "$1" && find common labs solutions tests/hardware grading \( -name '*.[ch]' -o -name '*.cu' \) | sort | xargs awk '
        BEGIN {
            may["base"] = " "
            may["os"] = " base "
            may["ptx"] = " base model "
            may["ptxas"] = " base ptx model "
            may["model"] = " base "
            may["sim"] = " base ptx ptxas model "
            may["device"] = " base model "
            may["runtime"] = " base model device "
            may["nvcc"] = " base os model ptx ptxas "
            may["exercise"] = " base os model device "
            may["judge"] = " base os model device exercise "
            may["explain"] = " base os model device exercise judge "
            may["view"] = " base model device exercise judge explain "
            may["step"] = " base os model device exercise judge view "
            may["learn"] = " base os model device exercise judge view "
            may["studio"] = " base os exercise "
            may["cli"] = " base os model device exercise judge explain view step learn "
            may["grading"] = " base os model device exercise judge explain view cli learn "
            may["hardware"] = " base os model device exercise judge explain view cli "
            may["lab data"] = " exercise "
        }
        function room_of(file,   part) {
            split(file, part, "/")
            if (file ~ /^grading\/[^\/]*\.[ch]$/) return "grading"
            if (file ~ /^tests\/hardware\/[^\/]*\.[ch]$/) return "hardware"
            if (part[1] == "common" && part[2] in may) return part[2]
            if (part[1] == "common" && part[2] == "cuda") return "kernel header"
            if (file ~ /^labs\/[^\/]*\/lab\.c$/) return "lab data"
            return part[1] == "common" ? "" : "kernel"
        }
        FNR == 1 {
            room = room_of(FILENAME)
            if (room == "") print FILENAME ":1: belongs to no room"
        }
        !/^[ \t]*#[ \t]*include[ \t]*"/ || room == "" { next }
        {
            split($0, quoted, "\"")
            target = quoted[2]
            split(target, part, "/")
            if (room == "kernel header") allowed = target !~ /\// || target ~ /^(bits|stubs|\.\.)\//
            else if (room == "kernel") allowed = target ~ /^lockstep(_[a-z]+)?\.h$/
            else if (FILENAME ~ /^common\/exercise\/child\//) allowed = target !~ /\//
            else if (part[1] == room) allowed = 1
            else if (FILENAME ~ /^common\/sim\/exec\/alu(_[a-z_]+)?\.[ch]$/ && target ~ /^ptx\/ops(_[a-z_]+)?\.h$/) allowed = 1
            else if (room == "runtime" && target ~ /^cuda\/stubs\//) allowed = 1
            else if (FILENAME ~ /^common\/device\/sim(_watch|_repeat)?\.[ch]$/ && target ~ /^(ptx\/ptx|ptxas\/ptxas|sim\/sim)\.h$/) allowed = 1
            else allowed = index(may[room], " " part[1] " ") && target == part[1] "/" part[1] ".h"
            if (!allowed)
                print FILENAME ":" FNR ": " room " must not include \"" target "\""
        }
    ')
}
# Rooms without their header or their page.
unfurnished() {
    for room in base os ptx ptxas model sim device exercise judge explain view step learn studio cli; do
        [ -f "$1/common/$room/$room.h" ] || echo "common/$room/$room.h is missing"
        [ -f "$1/common/$room/README.md" ] || echo "common/$room/README.md is missing"
    done
}
# Where common/README.md, the plan of the house, differs from the table above; rooms that are not built yet are left out.
arrows() { # reads lines of a room and those that it may include
    while read -r room lower; do
        [ ! -d "$1/common/$room" ] || for other in '' $lower; do
            [ ! -d "$1/common/$other" ] || echo "$room -> $other"
        done
    done | sort
}
wrong_plan() {
    sed -n 's/^ *may\["\([a-z]*\)"\] = "\(.*\)"$/\1 \2/p' tests/includes.sh | arrows "$1" >"$scratch/table"
    echo 'cuda' | arrows "$1" >>"$scratch/table"
    sed -n 's/^| \[*\([a-z]*\)[^|]*|[^|]*|\([a-z ]*\)|$/\1 \2/p' "$1/common/README.md" | arrows "$1" >"$scratch/plan"
    sort "$scratch/table" | comm -3 - "$scratch/plan" | sed 's|^\t\(.*\)|common/README.md: \1 is not so|; t; s|^|common/README.md lacks |'
    for room in "$1"/common/*/; do grep -q "^$(basename "$room") -> \$" "$scratch/plan" || echo "common/README.md lacks $(basename "$room")"; done
}
# What lies at the top level and must not.
strays() {
    project_files "$1" | sed 's|/.*||' | sort -u |
        grep -vxE '\..*|Makefile|labs|solutions|common|tests|slides|grading|(README|CONTRIBUTING|CHANGELOG)\.md|LICENSE'
}
# solutions/ holds solutions, and the kernels of the documents.
strange_solutions() {
    (cd "$1" && project_files . | grep '^solutions/' | grep -vE '^solutions/([0-9][0-9]-[a-z]+|published)/([a-z0-9_]+\.(cu|c)|README\.md)$|^solutions/published/published\.json$')
}

expect_none 'includes run one way, by public headers' "$(wrong_includes .)"
expect_none 'every room has its header and its page' "$(unfurnished .)"
expect_none 'common/README.md is the plan of the house' "$(wrong_plan .)"
expect_none 'the top level holds what it may' "$(strays .)"
expect_none 'solutions/ holds solutions' "$(strange_solutions .)"

# Each test above finds a violation that is planted in a copy.
plant() { # FILE INCLUDE: add an include to a file of the copy
    mkdir -p "$(dirname "$scratch/copy/$1")"
    printf '#include "%s"\n' "$2" >>"$scratch/copy/$1"
    expect_some "planted: $1 includes $2" "$(wrong_includes "$scratch/copy")" "^$1:.*$2"
}
copy_project "$scratch/copy"
plant common/base/base.c model/model.h
plant common/ptx/planted.c model/profiles.h
plant common/model/planted.c ptx/ptx.h
plant common/ptx/planted.c ptxas/ptxas.h
plant common/model/model.h device/device.h
plant common/sim/planted.c device/device.h
plant common/sim/exec/planted.c ptx/flatten.h
plant common/sim/exec/alu_planted.c ptx/flatten.h
plant common/sim/exec/planted.c ptx/ops_half.h
plant common/device/device.h sim/sim.h
plant common/device/device.h ../sim/sim.h
plant common/device/sim.c sim/machine.h
plant common/exercise/planted.c ptx/ptx.h
plant common/exercise/exercise.h judge/judge.h
plant common/view/planted.c os/os.h
plant common/cli/planted.c judge/grade.h
plant tests/hardware/planted.c sim/sim.h
plant common/cuda/lockstep.h base/base.h
plant labs/01-naive/lab.c exercise/compile.h
plant solutions/01-naive/planted.cu ../../common/base/base.h
touch "$scratch/copy/common/planted.h" && echo >>"$scratch/copy/common/planted.h"
expect_some 'planted: common/planted.h belongs to no room' "$(wrong_includes "$scratch/copy")" '^common/planted\.h:1:'
rm "$scratch/copy/common/os/README.md"
expect_some 'planted: a room without its page' "$(unfurnished "$scratch/copy")" '^common/os/README\.md'
sed -i 's/^\(| \[ptx\].*\) model |$/\1 |/; /^| \[judge\]/d' "$scratch/copy/common/README.md"
expect_some 'planted: an arrow missing in the plan' "$(wrong_plan "$scratch/copy")" 'lacks ptx -> model$'
expect_some 'planted: a room missing in the plan' "$(wrong_plan "$scratch/copy")" 'lacks judge$'
touch "$scratch/copy/notes.txt"
expect_some 'planted: a stray file at the top level' "$(strays "$scratch/copy")" '^notes\.txt$'
touch "$scratch/copy/solutions/01-naive/table.json"
expect_some 'planted: no solution' "$(strange_solutions "$scratch/copy")" 'table\.json$'
finish
