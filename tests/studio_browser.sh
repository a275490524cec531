#!/bin/sh
# studio_browser.sh - the studio in Debian's chromium, driven by npm's playwright-core: an evening by keyboard, a file that an editor
# beside changes, two tabs, the server killed and started again, 400 pixels, dark, and axe-core without a violation.
# MEASURE=1: how long a learner waits, too, over the files of tests/lab-mistakes. SOAK=600: ten tabs that save for that many seconds.

. tests/lib.sh
tools=$BUILD/browser
browser=$(command -v chromium || command -v chromium-browser)
for needed in node "${browser:-chromium}"; do
    command -v "$needed" >/dev/null || { skip studio_browser "there is no $needed; sh common/setup.sh browser installs it" && finish; }
done
[ -d "$tools/node_modules/playwright-core" ] || { skip studio_browser 'playwright-core is not there; sh common/setup.sh browser installs it' && finish; }
make -s BUILD="$BUILD" "$BUILD/studio-tools/editor.js" >&2
# The page without npm has a text area; both are tried, in a kit of their own.
node tests/studio.mjs "$tools/node_modules" "$browser" "$BUILD/lockstep" "$scratch" 2>&1 || failed=1
mkdir "$scratch/measured"
[ -z "$MEASURE$SOAK" ] || node tests/studio_measure.mjs "$tools/node_modules" "$browser" "$BUILD/lockstep" "$scratch/measured" 2>&1 || failed=1
finish
