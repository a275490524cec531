#!/bin/sh
# vscode.sh - what VS Code reads of .vscode and .clangd: clang finds no mistake in a kernel that has none, tasks run, and their problem
# matchers find the lines that the kit names.

. tests/lib.sh
unset DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL
python=/usr/bin/python3

# ---- .clangd ----

# What .clangd adds for .cu files, after the folders of compile_flags.txt, which are relative to their own.
flags=$(sed 's|-I\.\./|-I|; s|-I\.\.|-I.|' .vscode/compile_flags.txt | xargs)
flags="$flags $(awk '/^ *PathMatch:/ { mine = /\.\*\\\.cu/ } mine && sub(/^ *Add: \[/, "") { gsub(/[],]/, ""); print }' .clangd | xargs)"
clang=$(for name in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do command -v "$name" && break; done)
if [ "$clang" ]; then
    # shellcheck disable=SC2086 # words
    red() { "$clang" -fsyntax-only $flags "$@" 2>&1 | grep -E '(error|warning): ' | head -n 3; }
    expect_none 'vscode: no kernel is marked red' "$(for file in labs/*/*.cu; do red "$file"; done)"
    echo '__global__ void f(float *x) { x[threadIdx.x] = y; }' >"$scratch/red.cu"
    expect_some 'vscode: a mistake is' "$(red "$scratch/red.cu")" "undeclared identifier 'y'"
else
    skip 'vscode: kernels' 'there is no clang; sh common/setup.sh kit installs it, with FRONT=clang'
fi
if command -v clangd >"$scratch/null"; then
    # The lines of clangd's check that report a mistake; other lines are about clangd's own features.
    marks() { clangd --check="$1" 2>&1 | grep -E '^E.*\] Line [0-9]+:'; }
    checked='labs/01-naive/add.cu labs/10-hopper/matmul_wgmma.cu labs/03-tiled/matmul_cpu.c common/cuda/lockstep.h common/sim/sim.h solutions/published/texture.cu'
    expect_none 'vscode: nor does clangd mark it' "$(for file in $checked; do marks "$file"; done)"
    mkdir -p "$scratch/labs/01-naive" && cp labs/01-naive/add.cu "$scratch/labs/01-naive"
    expect_some 'vscode: without .clangd it does' "$(marks "$scratch/labs/01-naive/add.cu")" "(undeclared identifier 'BLOCK'|'lockstep.h' file not found)"
else
    skip 'vscode: clangd' 'there is no clangd; sh common/setup.sh editors installs it'
fi

# ---- tasks ----

cat >"$scratch/task.py" <<'END'
"""task.py list | task.py command LABEL NAME=VALUE... | task.py match LABEL: the labels of tasks.json; the command of a task as sh reads it,
with ${NAME} taken from VALUE; what its problem matcher finds in stdin, as file:line: severity: message."""
import json, re, shlex, sys
tasks = {task["label"]: task for task in json.load(open(".vscode/tasks.json"))["tasks"]}
if sys.argv[1] == "list":
    print("\n".join(tasks))
    sys.exit()
task = tasks[sys.argv[2]]
if sys.argv[1] == "command":
    values = dict(word.split("=", 1) for word in sys.argv[3:])
    for name, value in task.get("options", {}).get("env", {}).items():
        print("export", name + "=" + shlex.quote(re.sub(r"\$\{([^}]*)\}", lambda m: values[m[1]], value)))
    print(task["command"])
else:
    matcher = task["problemMatcher"]
    pattern = matcher["pattern"]
    for line in sys.stdin:
        found = re.match(pattern["regexp"], line.rstrip("\n"))
        if found:
            print("{}:{}: {}: {}".format(*(found[pattern[part]] for part in ("file", "line")),
                found[pattern["severity"]] or matcher["severity"], found[pattern["message"]]))
END
task() { $python "$scratch/task.py" "$@"; }
expect_none 'vscode: settings and extensions are JSON' "$(for file in settings extensions; do $python -m json.tool .vscode/$file.json 2>&1 >"$scratch/null"; done)"
expect_none 'vscode: inputs that tasks ask for are there' "$($python -c 'import json, re
text = open(".vscode/tasks.json").read()
print(*set(re.findall(r"\$\{input:(\w+)\}", text)) ^ {one["id"] for one in json.loads(text)["inputs"]})' | grep .)"
expect_none 'vscode: the labs to choose from are those that are there' "$($python -c 'import json
print("\n".join(json.load(open(".vscode/tasks.json"))["inputs"][0]["options"]))' >"$scratch/labs.txt"; (cd labs && ls -d [0-9]*) | diff "$scratch/labs.txt" -)"
mkdir -p "$scratch/my folder/01-naive"
kit=$PWD
student="$scratch/my folder"
mine="$student/01-naive/add.cu"
run_task() { # LABEL FOLDER: the task for the open file add of a folder; what it prints, then what its matcher finds
    task command "$1" "relativeFileDirname=$2" fileBasenameNoExtension=add "input:lab=01-naive" "input:exercise=add" "input:student=$(dirname "$2")" >"$scratch/command"
    (cd "$kit" && sh "$scratch/command") >"$scratch/said" 2>&1
    cat "$scratch/said"
    task match "$1" <"$scratch/said" >"$scratch/found"
}
for label in 'lab: the open exercise' 'lab: choose an exercise'; do
    cp solutions/01-naive/add.cu "$mine"
    expect_some "vscode: $label" "$(run_task "$label" "$student/01-naive")" '^ *4 of 4 points'
    expect_none "vscode: $label: nothing is marked" "$(cat "$scratch/found")"
done
# Errors of a compiler have a column; a fault names file and line within a sentence; a cause has a line of its own.
folder=$scratch/my/01-naive
mkdir -p "$folder"
label='lab: the open exercise, and what is wrong'
wrong() { sed "$1" solutions/01-naive/add.cu >"$folder/add.cu" && run_task "$label" "$folder" >"$scratch/null"; }
wrong 's/float \*out/flot *out/'
expect_some 'vscode: an error of the compiler' "$(cat "$scratch/found")" "^$folder/add\.cu:6: error: $folder/add\.cu:6:53: error: unknown type name 'flot'"
wrong 's/if (i < n)//'
expect_some 'vscode: a fault' "$(cat "$scratch/found")" "^$folder/add\.cu:10: error: .*(fails for n|thread \(.* reads)"
wrong 's/\[i\] + b/[i \/ 2] + b/'
expect_some 'vscode: a cause' "$(cat "$scratch/found")" "^$folder/add\.cu:10: error: the cause: "
cp solutions/01-naive/add.cu "$folder/add.cu"
run_task 'profile: the open exercise' "$folder" >"$scratch/null"
expect_some 'vscode: the line that costs most' "$(cat "$scratch/found")" "^$folder/add\.cu:10: info: "
expect_none 'vscode: and no other' "$(sed 1d "$scratch/found")"
expect_some 'vscode: a page that is no exercise' "$(run_task 'lab: the open exercise' common)" 'there is no lab'
expect_none 'vscode: every task runs a target of make' "$(task list | while read -r label; do
    task command "$label" relativeFileDirname=a/b fileBasenameNoExtension=c input:lab=a input:exercise=b input:student=c | sed -n 's/^make \([a-z]*\).*/\1/p'
done | while read -r target; do grep -q "^$target:" Makefile || echo "$target"; done)"
finish
