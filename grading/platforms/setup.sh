#!/usr/bin/env bash
# setup.sh - Gradescope runs this as root while it makes the autograder's image (Debian or Ubuntu), from the archive's own folder.
#
# What the kit needs is installed, the kit is built, and the solutions are graded: they must earn all points, and what was measured of
# them is kept for the submissions.
set -euo pipefail
cd "$(dirname "$0")/lockstep"
export CI=true DEBIAN_FRONTEND=noninteractive

command -v make >/dev/null || { apt-get -q update && apt-get -q -y install --no-install-recommends make; }
make -j2 kit class-program MARCH=x86-64-v3 # the machines that grade may be others than the one that builds
command -v bwrap >/dev/null || apt-get -q -y install --no-install-recommends bubblewrap || true # where name spaces are closed it is of no use

options=$(cat ../options)
# shellcheck disable=SC2086 # words
build/lockstep-class one solutions --for prairielearn --out build/solutions.json $options
grep -q '"score": 1.0,' build/solutions.json || { echo 'the solutions do not earn all points here:' && cat build/solutions.json && exit 1; }
