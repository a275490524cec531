#!/bin/sh
# notebook.sh - labs/lockstep.ipynb, run from its first cell to its last: in a checkout, first with the skeletons, then with the solutions
# in its cells; and in an empty folder, as in Colab, where it clones the kit.

. tests/lib.sh
python=/usr/bin/python3
$python -c 'import nbclient, ipykernel' 2>"$scratch/null" ||
    { skip notebook 'there is no Jupyter; sh common/setup.sh editors installs it' && finish; }
unset PYTHONDONTWRITEBYTECODE DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL LOCKSTEP_REPOSITORY
book=$PWD/labs/lockstep.ipynb
kit=$scratch/kit

# The project as it is here, as a repository, with what is built here. A clone of it gets the same by a hook of git, so that nothing is
# compiled again.
copy_project "$kit"
mkdir -p "$kit/build" "$scratch/hooks/hooks"
cp -a "$BUILD/obj" "$BUILD/pic" "$BUILD/lockstep" "$BUILD/liblockstep.a" "$BUILD/flags" "$BUILD/files" "$BUILD/ready-kit" "$kit/build/"
printf '#!/bin/sh\ncp -a "%s/build" build\nfind . -path ./build -prune -o -path ./.git -prune -o -type f -exec touch -r build/flags {} +\n' "$kit" >"$scratch/hooks/hooks/post-checkout"
chmod +x "$scratch/hooks/hooks/post-checkout"
git -C "$kit" init -q && git -C "$kit" add -A &&
    git -C "$kit" -c user.name=Author -c user.email=author@example.org commit -qm 'The kit'

HOME=$scratch/home IPYTHONDIR=$scratch/home
export HOME IPYTHONDIR
play() { # NAME FOLDER [ID=FILE...]: what the cells say is in $scratch/NAME
    name=$1 folder=$2
    shift 2
    $python tests/notebook.py "$book" "$folder" "$scratch/$name" "$@" >"$scratch/log" 2>&1 || fail "notebook: $name" "$(tail -n 3 "$scratch/log")"
}
cell() { { printf '%s\n' "$2" && [ $# -lt 3 ] || cat "$3"; } >"$scratch/$1.cell"; } # ID FIRST-LINE [FILE]
said() { cat "$scratch/$1" 2>"$scratch/null"; }
no_traceback() { expect_none "notebook: $1: no traceback" "$(grep -l Traceback "$scratch/$1"/*)"; }

# ---- the file ----

expect_none 'notebook: cells have no output' "$($python -c 'import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    if cell.get("outputs") or cell.get("execution_count"): print(cell["id"])' "$book")"
expect_none 'notebook: its cells are the skeletons' "$($python -c 'import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    first, _, text = "".join(cell["source"]).partition("\n")
    if first.startswith("%%lockstep"):
        name = first.split()[2]
        if text.strip() != open("labs/01-naive/" + name + ".cu").read().strip(): print(name)' "$book")"

# ---- in a checkout ----

cell no-lab '%%lockstep 77 add' solutions/01-naive/add.cu
cell no-exercise '%%lockstep 01 sub' solutions/01-naive/add.cu
cell no-words '%%lockstep' solutions/01-naive/add.cu
printf '%%%%lockstep 01 add\n \n' >"$scratch/empty.cell"
cell quote "%lockstep hint '01"
cell no-profile '%lockstep profile 03 matmul_cpu'
cell mine '%%lockstep 01 add STUDENT=my MORE=1' solutions/01-naive/add.cu
printf '%s\n' 'from IPython import get_ipython' 'get_ipython().set_next_input = print' '%lockstep edit 04 tile_a' >"$scratch/edited.cell"
set --
for id in no-lab no-exercise no-words empty quote no-profile mine edited; do set -- "$@" "$id=$scratch/$id.cell"; done
play skeleton "$kit/labs" "$@"
no_traceback skeleton
expect_some 'notebook: the kit is found' "$(said skeleton/start)" "^[Ll]ockstep .*, in $kit: ready"
expect_some 'notebook: a skeleton is told not yet right' "$(said skeleton/add)" '^ +add has written no output yet'
expect_some 'notebook: and has no points' "$(said skeleton/add)" '^ +0 of 4 points'
expect_some 'notebook: a hint' "$(said skeleton/hint)" '^Hint 1 of'
expect_some 'notebook: a lab that does not exist' "$(said skeleton/no-lab)" '^lockstep: there is no lab 77; the labs are 01-naive'
expect_some 'notebook: an exercise that does not exist' "$(said skeleton/no-exercise)" '^lockstep: 01-naive has no exercise sub; it has add'
expect_some 'notebook: no exercise' "$(said skeleton/no-words)" '^lockstep: which exercise'
expect_some 'notebook: an empty cell' "$(said skeleton/empty)" '^lockstep: the cell is empty; %lockstep edit 01 add'
expect_some 'notebook: an open quote' "$(said skeleton/quote)" '^lockstep: No closing quotation'
expect_some 'notebook: no profile of C' "$(said skeleton/no-profile)" '^lockstep: 03-tiled matmul_cpu is C'
expect_none 'notebook: each in one line' "$(for id in no-lab no-exercise no-words empty quote no-profile; do [ "$(said skeleton/$id | wc -l)" = 1 ] || echo "$id"; done)"
expect_some 'notebook: a folder of my own' "$(said skeleton/mine)" '^ +4 of 4 points'
expect_some 'notebook: everything' "$(said skeleton/mine)" '^ +counted gld_requests'
expect_none 'notebook: holds the cell and other skeletons' "$(cmp solutions/01-naive/add.cu "$kit/my/01-naive/add.cu" 2>&1; cmp labs/04-shared/aat.cu "$kit/my/04-shared/aat.cu" 2>&1)"
expect_some 'notebook: a cell for another exercise' "$(said skeleton/edited | head -n 2 | tr '\n' ' ')" '^%%lockstep 04 tile_a // tile_a: '
expect_none 'notebook: git sees no change' "$(git -C "$kit" status --porcelain)"

# Another editor has changed copy.cu meanwhile.
echo '// mine' >>"$kit/labs/01-naive/copy.cu"
sed 's/out\[i\] = a\[i\] + b\[i\]/out[i] = a[i] + b[i + 1]/' solutions/01-naive/add.cu >"$scratch/wrong.cu"
cell add '%%lockstep 01 add' solutions/01-naive/add.cu
cell copy '%%lockstep 01 copy' solutions/01-naive/copy.cu
cell wrong '%%lockstep 01 add' "$scratch/wrong.cu"
play solution "$kit" "add=$scratch/add.cell" "copy=$scratch/copy.cell" "wrong=$scratch/wrong.cell"
no_traceback solution
expect_some 'notebook: add has all points' "$(said solution/add)" '^ +4 of 4 points'
expect_some 'notebook: copy has all points' "$(said solution/copy)" '^ +10 of 10 points'
expect_some 'notebook: what another editor wrote is kept' "$(said solution/copy)" '^labs/01-naive/copy.cu had another text, which is now build/notebook/01-naive/copy.cu$'
expect_some 'notebook: in that file' "$(said kit/build/notebook/01-naive/copy.cu)" '^// mine$'
expect_some 'notebook: the profile of a line' "$(said solution/profile.html)" '<b>Line 10, [0-9]+% of the cost.</b> Its accesses are coalesced'
expect_some 'notebook: its picture' "$(said solution/profile.html)" '<title>which lane touches what</title>'
expect_none 'notebook: both are well-formed' "$(for id in profile copy-profile; do sed 's/&nbsp;/ /g' "$scratch/solution/$id.html" | $python -c 'import sys, xml.dom.minidom as m; m.parseString("<r>" + sys.stdin.read() + "</r>")' 2>&1 | tail -n 1; done)"
line=$(grep -n 'i + 1' "$scratch/wrong.cu" | cut -d: -f1)
expect_some 'notebook: a message has file and line' "$(said solution/wrong)" "labs/01-naive/add\.cu:$line"
expect_none 'notebook: what a cell wrote is not kept' "$(said solution/wrong | grep 'another text')"

# ---- in an empty folder, as in Colab ----

mkdir "$scratch/empty" "$scratch/colab"
cell add '%%lockstep 01 add' solutions/01-naive/add.cu
: >"$scratch/nothing.cell"
only_add() { # NAME FOLDER
    set -- "$@" "add=$scratch/add.cell"
    for id in copy profile copy-profile hint edit; do set -- "$@" "$id=$scratch/nothing.cell"; done
    play "$@"
}
export LOCKSTEP_REPOSITORY="$kit" GIT_TEMPLATE_DIR="$scratch/hooks"
only_add in-colab "$scratch/colab"
no_traceback in-colab
expect_some 'notebook: Colab: the kit is cloned' "$(said in-colab/start)" "^[Ll]ockstep .*, in $scratch/colab/lockstep: ready"
expect_some 'notebook: Colab: add has all points' "$(said in-colab/add)" '^ +4 of 4 points'
unset LOCKSTEP_REPOSITORY
only_add nowhere "$scratch/empty"
expect_some 'notebook: no address' "$(said nowhere/start)" '^The kit is not here: put the address of its repository into REPOSITORY'
export LOCKSTEP_REPOSITORY="$scratch/none"
only_add no-clone "$scratch/empty"
expect_some 'notebook: a wrong address' "$(said no-clone/start)" "$scratch/none.* does not (appear to be|exist)"
expect_some 'notebook: then there is no magic' "$(said no-clone/add)" '%%lockstep. not found'
finish
