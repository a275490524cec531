#!/bin/sh
# setup.sh LEVEL... - see that the packages of these levels are there, and install those that are not.
#
#   kit      a C compiler with its libc headers, a CUDA front end (clang or nvcc), jansson
#   class    libarchive, zlib and inih, for grading/class
#   programs g++, with which lockstep-nvcc compiles and links the host side of programs
#   check    Check and pkg-config, for the test suites; bubblewrap, in which compilers of submissions run;
#            python3-jsonschema and xmllint, which hold results to the rules of their formats; cmake, whose projects
#            lockstep-nvcc builds
#   studio   libmicrohttpd, for the server of the studio; and, in CI or as root, npm's CodeMirror and esbuild in
#            build/studio-tools, the editor of its page: without them the page has a plain text area and says so
#   slides   cmark-gfm, for the decks; and, in CI or as root, npm's reveal.js in build/slides-tools, which shows them a slide at a
#            time, and lld, which links their live figures. Without these two a deck is one long page and says so
#   thrust   Thrust and CUB, with which tests/programs.sh builds two programs, and the OpenMP that clang's programs use; programs
#            of others may need them as well
#   slurm    Slurm and munge, on which tests/slurm.sh grades a class
#   editors  nbclient and ipykernel, with which tests/notebook.sh runs labs/lockstep.ipynb; clangd, by which tests/vscode.sh reads kernels
#   arm64    a compiler for 64-bit Arm and qemu-user; and Debian's libraries for it in build/arm64/root, where apt's own lists and
#            packages are not touched: with these tests/arm64.sh builds the kit for that machine and runs it
#   browser  chromium, and npm's playwright-core and axe-core in build/browser, which tests/browser.sh and others look at pages with
#
# The last five, and what comes from npm, are for tests and pages that are skipped without them: where they cannot be
# had, a line says so, and only with CI=true is that an error.
#
# Root, or CI=true: installs without asking. A person at a terminal: is asked, then sudo asks for the password.
# Otherwise: one line names the packages and the command to type, exit 1. Nothing goes to stdout: it belongs to
# what `make` was asked for. FRONT=clang or FRONT=nvcc asks for that front end; without it either will do.

set -u

# Where Homebrew has what it does not link into its bin folder: Apple's own clang makes no PTX.
PATH=/opt/homebrew/opt/llvm/bin:/usr/local/opt/llvm/bin:$PATH

missing= extra= # packages, as Debian and Ubuntu name them; extra: the kit works without
need() { missing="$missing${missing:+ }$*"; }
wish() { extra="$extra${extra:+ }$*"; }
have() { command -v "$1" >/dev/null 2>&1; }
header() { printf '#include <%s>\n' "$1" | gcc -E -x c - >/dev/null 2>&1; }

# The kernel header of this kit includes clang's own list of built-in variables, which must come with it.
clang_works() {
    for clang in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
        have "$clang" && [ -f "$("$clang" -print-resource-dir 2>/dev/null)/include/__clang_cuda_builtin_vars.h" ] && return 0
    done
    return 1
}
# nvcc preprocesses with g++, even when it makes nothing but PTX.
nvcc_works() {
    { have nvcc || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ]; } && have g++
}

# Debian's own Python: another one in the PATH does not see Debian's packages.
python_has() { /usr/bin/python3 -c "import $1" >/dev/null 2>&1; }

need_kit() {
    have gcc || need gcc
    if ! header jansson.h; then # which includes libc's
        header stdlib.h || need libc6-dev
        need libjansson-dev
    fi
    case "${FRONT:-}" in
        clang) clang_works || need clang ;;
        nvcc) nvcc_works || stop "FRONT=nvcc needs NVIDIA's CUDA toolkit and g++, which are not here; type: make FRONT=clang" ;;
        *) clang_works || nvcc_works || need clang ;;
    esac
}
need_class() {
    header archive.h || need libarchive-dev
    header ini.h || need libinih-dev
    header zlib.h || need zlib1g-dev
}
need_programs() { have g++ || need g++; }
need_check() {
    have cmake || need cmake
    have pkg-config || need pkg-config
    header check.h || need check
    have bwrap || need bubblewrap
    python_has jsonschema || need python3-jsonschema
    have xmllint || need libxml2-utils
}
# Ubuntu's chromium is a snap, which needs a running snapd: there the test is skipped.
axe=axe-core@4.14.1
playwright=playwright-core@1.49.1 # the newest that runs on Debian 12's Node.js 18
need_slurm() {
    PATH=$PATH:/usr/sbin
    have slurmctld && have slurmd && have sbatch || wish slurm-wlm
    have munged || wish munge
}
need_thrust() {
    [ -e /usr/include/thrust/version.h ] || wish libthrust-dev
    ls /usr/lib/llvm-*/lib/libomp.so >/dev/null 2>&1 || wish libomp-dev
}
need_editors() {
    have clangd || wish clangd
    python_has nbclient || wish python3-nbclient
    python_has ipykernel || wish python3-ipykernel
}
need_arm64() {
    [ "$(uname -m)" != aarch64 ] || return 0 # there every test runs on it
    have aarch64-linux-gnu-gcc || wish gcc-aarch64-linux-gnu
    have qemu-aarch64 || wish qemu-user
}
need_browser() {
    grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null && return
    have chromium || wish chromium fonts-dejavu-core
    have node || wish nodejs
    have npm || wish npm
}
# What is no Debian package, once the packages are there: npm's NAME@VERSION in the folder BUILD/FOLDER.
fetch() { # FOLDER NAME@VERSION...
    tools=${BUILD:-build}/$1
    shift
    have npm && [ ! -d "$tools/node_modules/${1%@*}" ] || return 0
    mkdir -p "$tools" && npm install --prefix "$tools" --no-save --no-audit --no-fund --ignore-scripts --fetch-retries=1 "$@" >&2 </dev/null ||
        lack "npm could not install $*; type: npm install --prefix $tools --ignore-scripts $*"
}
fetch_all() {
    for level; do
        case "$level" in
            arm64) ! have aarch64-linux-gnu-gcc || .ci/arm64 root || lack "Debian's libraries for arm64 could not be had" ;;
            browser) fetch browser "$playwright" "$axe" ;;
            slides) ! unasked || fetch slides-tools "$reveal" ;;
            studio) ! unasked || fetch studio-tools "$esbuild" $codemirror ;;
        esac
    done
}

reveal=reveal.js@6.0.2
esbuild=esbuild@0.28.2
codemirror='@codemirror/state@6.7.6 @codemirror/view@6.43.15 @codemirror/language@6.13.1 @codemirror/commands@6.11.1
    @codemirror/search@6.7.2 @codemirror/lang-cpp@6.0.3 @lezer/highlight@1.2.3'
# May more be installed than is needed? Root and CI need not be asked.
unasked() { [ "${CI:-}" = true ] || [ "$(id -u)" = 0 ]; }
need_studio() {
    header microhttpd.h || need libmicrohttpd-dev
    unasked || return 0
    have npm || wish nodejs npm
}
need_slides() {
    have cmark-gfm || need cmark-gfm
    unasked || return 0
    have npm || wish nodejs npm
    have wasm-ld || have wasm-ld-14 || wish lld
}

# What the kit works without is an error in CI alone.
lack() {
    [ "${CI:-}" != true ] || stop "$*"
    say "$*; until then, the tests and pages that need it are left out"
}
say() { printf 'lockstep: %s\n' "$*" >&2; }
stop() {
    say "$*"
    exit 1
}
need_all() {
    missing= extra=
    for level; do
        case "$level" in
            kit | class | programs | check | studio | slides | browser | slurm | thrust | editors | arm64) "need_$level" ;;
            *) stop "setup.sh knows the levels kit, class, programs, check, studio, slides, browser, slurm, thrust, editors and arm64, not '$level'" ;;
        esac
    done
}
# End well if what is needed is there. A line names what is missing and not needed.
end_if_enough() {
    [ -z "$missing" ] || return 0
    [ -z "$extra" ] || lack "these packages could not be installed: $extra"
    fetch_all "$@"
    exit 0
}
# Packages are missing, and they are not installed here: end with a line that says what to type.
give_up() { # LINE LEVEL...
    line=$1
    shift
    end_if_enough "$@"
    stop "$line"
}

need_all "$@"
[ -n "$missing$extra" ] || end_if_enough "$@"
# One at a time: make asks for several levels at once, and apt-get waits for no other apt-get's lists.
if have flock && exec 9<"$0" && flock 9; then need_all "$@"; fi
[ -n "$missing$extra" ] || end_if_enough "$@"

# What other systems call a package: Debian's name; Fedora's, Arch's, Homebrew's. -: it needs none there.
table='
gcc                 gcc                 gcc                gcc
g++                 gcc-c++             gcc                gcc
libc6-dev           glibc-devel         glibc              -
libjansson-dev      jansson-devel       jansson            jansson
clang               clang               clang              llvm
libarchive-dev      libarchive-devel    libarchive         libarchive
libinih-dev         inih-devel          libinih            inih
zlib1g-dev          zlib-devel          zlib               zlib
libmicrohttpd-dev   libmicrohttpd-devel libmicrohttpd      libmicrohttpd
cmake               cmake               cmake              cmake
pkg-config          pkgconf-pkg-config  pkgconf            pkgconf
check               check-devel         check              check
bubblewrap          bubblewrap          bubblewrap         -
python3-jsonschema  python3-jsonschema  python-jsonschema  -
libxml2-utils       libxml2             libxml2            libxml2
nodejs              nodejs              nodejs             node
npm                 nodejs-npm          npm                -
'
called() { # COLUMN PACKAGE...: print what that column calls the packages, each once
    column=$1 names=
    shift
    for package; do
        name=$package
        while read -r debian fedora arch homebrew; do
            [ "$debian" = "$package" ] || continue
            case "$column" in fedora) name=$fedora ;; arch) name=$arch ;; *) name=$homebrew ;; esac
        done <<END
$table
END
        case " $names - " in *" $name "*) ;; *) names="$names $name" ;; esac
    done
    printf '%s' "$names"
}
if ! have apt-get; then
    what="what these Debian packages hold is missing: $missing; "
    # shellcheck disable=SC2086 # the list is meant to be split
    if have dnf; then
        give_up "${what}type: sudo dnf install$(called fedora $missing)" "$@"
    elif have pacman; then
        give_up "${what}type: sudo pacman -S --needed$(called arch $missing)" "$@"
    elif have brew; then
        give_up "${what}type: brew install$(called homebrew $missing)" "$@"
    fi
    give_up "${what}install it with this system's package manager" "$@"
fi

sudo=
all="$missing${missing:+${extra:+ }}$extra"
root_command="apt-get install --no-install-recommends $all"
ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1 || root_command="apt-get update && $root_command"
by_hand="packages are missing; type: $(printf '%s\n' "$root_command" | sed 's/apt-get/sudo apt-get/g')"
if [ "$(id -u)" != 0 ]; then
    have sudo || give_up "packages are missing; as root, type: $root_command" "$@"
    if [ "${CI:-}" = true ]; then
        sudo='sudo -n'
        sudo -n true 2>/dev/null || give_up "$by_hand" "$@"
    elif [ -t 2 ] && (: </dev/tty) 2>/dev/null; then
        sudo=sudo
        printf 'lockstep: these packages are missing: %s\nInstall them now with sudo? [Y/n] ' "$all" >&2
        read -r answer </dev/tty || answer=n
        case "$answer" in
            '' | y | Y | yes) ;;
            *) give_up "$by_hand" "$@" ;;
        esac
    else
        give_up "$by_hand" "$@"
    fi
fi

log=$(mktemp) || stop "no temporary file can be made in ${TMPDIR:-/tmp}"
trap 'rm -f "$log"' EXIT
say "installing $all"
apt() { $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 "$@" >"$log" 2>&1 </dev/null; }
# An index that could not be refreshed is no reason to stop: the packages may be known from before. What is needed does
# not wait for what is not.
# shellcheck disable=SC2086 # the lists are meant to be split
install() {
    apt update
    apt install --no-install-recommends $all || { [ -n "$missing" ] && apt install --no-install-recommends $missing; }
}
if install; then
    need_all "$@"
    end_if_enough "$@"
    stop "apt-get ran, but this is still missing: $missing"
fi
end_if_enough "$@"
{ grep '^E:' "$log" || cat "$log"; } | tail -n 3 >&2
hint=
grep -q 'Unable to locate package' "$log" && grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null &&
    hint=' (on Ubuntu they are in universe: add-apt-repository universe)'
[ -z "$sudo" ] && by_hand="packages are missing; type: $root_command"
stop "apt-get could not do it$hint; $by_hand"
