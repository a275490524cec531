#!/bin/sh
# setup.sh - common/setup.sh names, asks for or installs what is missing, and does nothing when nothing is.
#
# Runs in a PATH of its own: links to the few tools that the script uses, and an apt-get, id and sudo that are
# scripts. The apt-get writes down how it was called and "installs" by linking.

. tests/lib.sh

bin=$scratch/bin
mkdir "$bin"
for tool in sh cat env grep head mktemp rm sed tail ls cp mkdir flock; do ln -s "$(command -v "$tool")" "$bin/$tool"; done
tool() { # NAME, body on stdin: a script in the PATH of the test
    { echo '#!/bin/sh'; cat; } >"$bin/$1"
    chmod +x "$bin/$1"
}
: | tool true
# A machine of the kind USER (root or not) with the tools NAMED.
machine() {
    rm -f "$bin/gcc" "$bin/clang" "$bin/apt-get" "$bin/sudo" "$scratch/calls"
    case "$1" in root) echo 'echo 0' ;; *) echo 'echo 1000' ;; esac | tool id
    shift
    for name; do
        case "$name" in
            gcc) echo 'cat >/dev/null' | tool gcc ;;
            clang) echo "echo '$scratch/resources'" | tool clang ;;
            apt-get) echo "echo \"\$*\" >>'$scratch/calls'" | tool apt-get ;;
            apt-get-that-works)
                printf '%s\n' "echo \"\$*\" >>'$scratch/calls'" \
                    "case \"\$*\" in *' install '*) cp '$scratch/gcc' '$scratch/clang' '$bin' ;; esac" | tool apt-get ;;
            sudo) printf '%s\n' '[ "$1" = -n ] && shift' 'echo "sudo $*" >>'"'$scratch/calls'" 'exec "$@"' | tool sudo ;;
        esac
    done
}
# Run the script on that machine; stdout and stderr, then the status.
setup() {
    PATH=$bin CUDA_HOME=$scratch/none "$@" 2>&1 </dev/null
    echo "status $?"
}
mkdir -p "$scratch/resources/include" && : >"$scratch/resources/include/__clang_cuda_builtin_vars.h"
here=$PWD/common/setup.sh

machine user gcc clang apt-get
out=$(setup env -u CI sh "$here" kit)
expect_some 'nothing missing: nothing said, nothing done' "$out" '^status 0$'
expect_none 'nothing missing: apt-get not called' "$(cat "$scratch/calls" 2>/dev/null)"

machine user gcc apt-get
for name in nvcc g++; do : | tool "$name"; done
expect_some 'nvcc alone: nothing asked for' "$(setup env -u CI sh "$here" kit programs)$(cat "$scratch/calls" 2>/dev/null)" '^status 0$'
rm -f "$bin/nvcc" "$bin/g++"

machine user apt-get sudo
out=$(setup env -u CI sh "$here" kit check)
expect_some 'nobody to ask: one line with the command' "$out" '^lockstep: packages are missing; type: sudo apt-get .*install .*gcc libc6-dev libjansson-dev clang'
expect_some 'nobody to ask: exit 1' "$out" '^status 1$'
expect_none 'nobody to ask: one line only' "$(printf '%s\n' "$out" | sed -n '3,$p')"

for manager in 'dnf:sudo dnf install gcc glibc-devel jansson-devel clang libarchive-devel inih-devel zlib-devel gcc-c[+][+]' \
    'pacman:sudo pacman -S --needed gcc glibc jansson clang libarchive libinih zlib' 'brew:brew install gcc jansson llvm libarchive inih zlib'; do
    machine user
    : | tool "${manager%%:*}"
    expect_some "${manager%%:*}: the packages as it calls them" "$(setup env -u CI sh "$here" kit class programs)" "type: ${manager#*:}\$"
    rm "$bin/${manager%%:*}"
done
machine user
out=$(setup env -u CI sh "$here" kit)
expect_some 'no apt-get: the packages are named' "$out" 'missing: gcc libc6-dev libjansson-dev clang'

machine user apt-get
out=$(setup env -u CI sh "$here" kit)
expect_some 'no sudo: the command for root' "$out" 'as root, type: apt-get '

# What that apt-get installs.
printf '#!/bin/sh\ncat >/dev/null\n' >"$scratch/gcc"
printf '#!/bin/sh\necho "%s"\n' "$scratch/resources" >"$scratch/clang"
chmod +x "$scratch/gcc" "$scratch/clang"

machine root apt-get-that-works
out=$(setup env -u CI sh "$here" kit)
expect_some 'root: installs without asking' "$out" '^status 0$'
expect_some 'root: nothing but what is named' "$(cat "$scratch/calls")" 'install --no-install-recommends gcc'

machine user apt-get-that-works sudo
out=$(setup env CI=true sh "$here" kit)
expect_some 'CI=true: installs without asking' "$out" '^status 0$'
expect_some 'CI=true, not root: through sudo' "$(cat "$scratch/calls")" '^sudo env DEBIAN_FRONTEND=noninteractive apt-get'

machine root apt-get
out=$(setup env sh "$here" kit)
expect_some 'apt-get did not help: said so' "$out" 'still missing'
# A browser: packages of Debian, then packages of npm at fixed versions, which are installed once.
if ! grep -q '^ID=ubuntu' /etc/os-release; then
    machine user gcc clang apt-get sudo
    expect_some 'browser: not to be had, and nobody waits for it' "$(setup env -u CI sh "$here" browser | tr '\n' ' ')" 'could not be installed: .*chromium.* nodejs npm; .*left out status 0 $'
    expect_some 'browser: in CI that is an error' "$(setup env CI=true sh "$here" browser; cat "$scratch/calls")" 'install .*chromium.* nodejs npm$'
    expect_some 'browser: in CI that is an error, status' "$(setup env CI=true sh "$here" browser)" 'status 1$'
    : >"$scratch/calls"
    for name in chromium node; do : | tool "$name"; done
    printf '%s\n' "echo \"\$*\" >>'$scratch/calls'" "mkdir -p '$scratch/build/browser/node_modules/playwright-core'" | tool npm
    for again in 1 2; do BUILD=$scratch/build && export BUILD && setup sh "$here" browser >"$scratch/out"; done
    expect_some 'browser: npm, once' "$(cat "$scratch/calls" "$scratch/out" | tr '\n' ' ')" "^install --prefix $scratch/build/browser .*--ignore-scripts .*playwright-core@[0-9.]+ axe-core@[0-9.]+ status 0 \$"
fi
# The registry of npm is out of reach.
for name in chromium node cmark-gfm; do : | tool "$name"; done
echo 'exit 1' | tool npm
machine user gcc clang apt-get sudo
BUILD=$scratch/offline && export BUILD
machine root gcc clang apt-get
expect_some 'npm out of reach: said, and no error' "$(setup env -u CI sh "$here" kit slides | tr '\n' ' ')" 'npm could not install reveal.js.*left out status 0 $'
expect_some 'npm out of reach, in CI: an error' "$(setup env CI=true sh "$here" kit slides)" 'status 1$'
machine user gcc clang apt-get sudo
# Slides: a person is asked for cmark-gfm alone; CI and root get npm's reveal.js too, once.
: >"$scratch/calls"
for name in cmark-gfm wasm-ld; do : | tool "$name"; done
printf '%s\n' "echo \"\$*\" >>'$scratch/calls'" "mkdir -p '$scratch/build/slides-tools/node_modules/reveal.js'" | tool npm
BUILD=$scratch/build && export BUILD
expect_some 'slides: a person is not asked for an engine' "$(setup env -u CI sh "$here" slides)$(cat "$scratch/calls")" '^status 0$'
for again in 1 2; do setup env CI=true sh "$here" slides >"$scratch/out"; done
expect_some 'slides: npm, once' "$(cat "$scratch/calls" "$scratch/out" | tr '\n' ' ')" "^install --prefix $scratch/build/slides-tools .*--ignore-scripts .*reveal.js@[0-9.]+ status 0 \$"
rm -f "$bin/wasm-ld" "$bin/npm"
machine user gcc clang apt-get sudo
expect_some 'slides: CI gets a linker for WebAssembly and npm' "$(setup env CI=true sh "$here" slides; cat "$scratch/calls")" 'install .*nodejs npm lld$'
expect_some 'an unknown level is an error' "$(setup sh "$here" kitt)" "not 'kitt'"
finish
