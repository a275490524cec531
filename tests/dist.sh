#!/bin/sh
# dist.sh - what a release has: the archive of the source, and the Debian package, whose programs answer from where they are unpacked.

. tests/lib.sh
unset DEVICE FRONT STUDENT LAB EX SEED FORMAT OUT MAKEFLAGS MAKELEVEL
version=$(sed -n 's/^#define LOCKSTEP_VERSION "\(.*\)"/\1/p' common/base/base.h)

if git rev-parse --git-dir >"$scratch/null" 2>&1; then
    archive=$(make -s source DIST="$scratch")
    expect_some 'dist: the archive is named by the version' "$archive" "^$scratch/lockstep-$version\.tar\.gz\$"
    expect_none 'dist: it holds what git has' "$(git ls-tree -r --name-only HEAD | sort >"$scratch/tracked"
        tar -tf "$archive" | grep -v '/$' | sed "s|^lockstep-$version/||" | sort | diff "$scratch/tracked" - | head -n 5)"
else
    skip 'dist: the archive' 'this is no clone by git'
fi
command -v dpkg-deb >"$scratch/null" || { skip 'dist: the package' 'there is no dpkg-deb' && finish; }

package=$(make -s deb DIST="$scratch" 2>"$scratch/log") || fail 'dist: make deb' "$(tail -n 3 "$scratch/log")"
expect_some 'dist: the package is named by version and architecture' "$package" "^$scratch/lockstep_${version}_[a-z0-9]+\.deb\$"
field() { dpkg-deb --field "$package" "$1"; }
expect_some 'dist: its fields' "$(field Package) $(field Version) $(field Architecture)" "^lockstep $version $(dpkg --print-architecture)\$"
expect_some 'dist: what it needs' "$(field Depends)" '^libc6 \(>= [0-9.]+\), libjansson4, clang, g\+\+$'
expect_none 'dist: files are root'\''s, below /usr' "$(dpkg-deb --contents "$package" | awk '$2 != "root/root" || $6 !~ "^[.]/(usr/.*)?$"' | head -n 3)"

dpkg-deb --extract "$package" "$scratch/root"
installed=$scratch/root/usr/bin
expect_some 'dist: lockstep --version' "$("$installed/lockstep" --version)" "^lockstep $version"
expect_some 'dist: of the same commit' "$("$installed/lockstep" --version)" "^$("$BUILD/lockstep" --version | sed 's/[().]/\\&/g')\$"
cat >"$scratch/saxpy.cu" <<'END'
#include <cstdio>
__global__ void saxpy(int n, float a, const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }
int main()
{
    float *x, *y, last;
    cudaMalloc(&x, 4096), cudaMalloc(&y, 4096);
    cudaMemset(x, 0, 4096), cudaMemset(y, 0, 4096);
    saxpy<<<4, 256>>>(1024, 2, x, y);
    cudaMemcpy(&last, y + 1023, 4, cudaMemcpyDeviceToHost);
    printf("last %g\n", last);
}
END
cd "$scratch" || exit 1
expect_some 'dist: a kernel of a file' "$("$installed/lockstep" profile saxpy.cu --kernel saxpy --grid 4 --block 256 i32:1024 f32:2 buf:f32:1024 buf:f32:1024 2>&1)" 'a load touches +4 sectors'
expect_some 'dist: a program' "$("$installed/lockstep-nvcc" saxpy.cu -o saxpy 2>&1 && ./saxpy 2>&1)" '^last 0$'
finish
