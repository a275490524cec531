#!/bin/sh
# tables.sh - the tables in the labs' README files and the published ones are what `make tables` would write now, and the published
# figures, orders and counters hold within their limits.

. tests/lib.sh

if out=$("$BUILD/lockstep-hardware" tables --check 2>&1); then
    pass 'the tables are what the kit measures'
else
    fail 'the tables are what the kit measures' "$out (make tables writes them)"
fi
finish
