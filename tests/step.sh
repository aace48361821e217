#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Tests scripts/step with gdb in batch mode: breakpoints on a line of a kernel's body, conditions on the
# thread, stops at one index (AMP_BREAK_AT), variables. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
for tool in gdb clang-format; do
    command -v $tool >/dev/null || { echo "$tool is not installed" && exit 77; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export STEP_DIR=$work/step
# a container may not let programs be traced
gdb -q -batch -ex run --args true 2>&1 | grep -q 'exited normally' || { echo 'gdb cannot run programs here' && exit 77; }

cat >"$work/app.c" <<'END'
#include "amp.h"
static void row_sums(int *sums)
{
    AMP_ARRAY_VIEW(int, 2, s, sums, 8, 8);
    AMP_PARALLEL_FOR_EACH(s.extent, (row, col), AMP_CAPTURE(s), {
        int sum = 0;
        for (int i = 0; i < 10; i++)
            sum += row * i + col;
        AMP_AT(s, row, col) = sum;
    });
}
static void in_tiles(int *sums)
{
    AMP_ARRAY_VIEW(int, 2, s, sums, 8, 8);
    AMP_TILED(s.extent, (2, 4), tile, AMP_CAPTURE(s), {
        AMP_TILE_STATIC(int, shared, [2][4]);
        AMP_THREADS(tile, t) {
            const int mine = 100 * t.local.v[0] + t.local.v[1];
            shared[t.local.v[0]][t.local.v[1]] = mine;
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(s, t.global) += shared[1][3];
        }
    });
}
int main(void)
{
    int sums[64];
    row_sums(sums);
    in_tiles(sums);
    return 0;
}
END
passed=0 failed=0
expect() { # WHAT PATTERN OUTPUT
    if grep -q "$2" <<<"$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s: "%s" is not in\n%s\n' "$1" "$2" "$(tail -n 15 <<<"$3")"
    fi
}
step() { timeout 60 scripts/step "$@" 2>&1 </dev/null; }
number_of() { grep -n "^ *$1" "$STEP_DIR/app.c" | head -n 1 | cut -d : -f 1; } # the line of a statement

step "$work/app.c" >/dev/null
line=$(number_of 'sum += row \* i + col;')
expect 'a statement of a body has a line of its own' '^[0-9]*$' "${line:-none}"

shown=$(step --gdb "break app.c:$line if row == 3 && col == 5 && i == 2" --gdb run --gdb 'printf "%d %d %d\n", row, col, sum' "$work/app.c")
expect 'a breakpoint in a body, for one index' '^3 5 13$' "$shown"

shown=$(step --at row_sums:3,5 --gdb 'printf "%d %d\n", row, col' --gdb "advance app.c:$line" --gdb 'printf "%d %d %d %d\n", row, col, i, sum' "$work/app.c")
expect 'AMP_BREAK_AT stops at one index' '^3 5$' "$shown"
expect 'and one steps on from there' '^3 5 0 0$' "$shown"

line=$(number_of 'const int mine = ')
shown=$(step --at in_tiles:3,6 --gdb "advance app.c:$line" --gdb next --gdb 'printf "%d %d %d\n", t.global.v[0], t.global.v[1], mine' "$work/app.c")
expect 'AMP_BREAK_AT stops at one thread' '^3 6 102$' "$shown"
expect 'and says where it is' 'in tile (1, 1), thread (1, 2), global index (3, 6)' "$shown"

shown=$(step --at row_sums:8,0 --gdb 'printf "%d\n", 1' "$work/app.c")
expect 'an index that is not there stops nothing' 'exited normally' "$shown"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
