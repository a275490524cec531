# lib.sh - what the test scripts share. A script prints a line a test, `ok NAME`, `not ok NAME: why` or `skip NAME: why`, and exits 1
# when one failed; run.sh counts these lines. $BUILD is where the kit was built; the working folder is the top level.

BUILD=${BUILD:-build}
failed=0
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

pass() { printf 'ok %s\n' "$1"; }
# FIRST=yes: the first failure ends the script.
fail() {
    printf 'not ok %s: %s\n' "$1" "$2"
    failed=1
    [ -z "$FIRST" ] || exit 1
}
# skip NAME WHY: what this machine lacks for the test.
skip() { printf 'skip %s: %s\n' "$1" "$2"; }
# expect_none NAME TEXT: passes when TEXT, a list of violations, is empty.
expect_none() {
    if [ -z "$2" ]; then pass "$1"; else fail "$1" "$(printf '%s\n' "$2" | head -n 20)"; fi
}
# expect_some NAME TEXT PATTERN: passes when TEXT has a line that PATTERN (of grep -E) matches.
expect_some() {
    if printf '%s\n' "$2" | grep -qE -- "$3"; then
        pass "$1"
    else
        fail "$1" "expected a line like /$3/, got: ${2:-nothing}"
    fi
}
finish() { exit "$failed"; }

# The files of the project under a folder, relative to it: what git tracks, or everything but build where git can't say.
project_files() {
    (
        cd "$1" || exit 1
        { [ -e .git ] && git ls-files --cached --others --exclude-standard 2>/dev/null; } ||
            find . -path ./.git -prune -o -path ./build -prune -o -type f -print | sed 's|^\./||'
    ) | sort
}
# copy_project TO: those files, as they are now.
copy_project() {
    mkdir -p "$1" && project_files . | while read -r file; do [ -f "$file" ] && printf '%s\n' "$file"; done | tar -cf - -T - | tar -xf - -C "$1"
}
