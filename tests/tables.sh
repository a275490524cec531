#!/bin/sh
# tables.sh - the tables in the labs' README files are what `make tables` would write now.

. tests/lib.sh

if out=$("$BUILD/lockstep" tables --check 2>&1); then
    pass 'the tables are what the kit measures'
else
    fail 'the tables are what the kit measures' "$out (make tables writes them)"
fi
finish
