#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Tests scripts/step with gdb in batch mode: breakpoints on a line of a kernel's body, conditions on the
# thread, stops at one index (AMP_BREAK_AT), variables. The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
for tool in gdb gcc make; do
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
here=$PWD
cat >"$work/Makefile" <<END
.RECIPEPREFIX = >
CFLAGS = -O2 -Wall
app: app.o other.o
>\$(CC) app.o other.o -o \$@ -lm
app.o: app.c
>\$(CC) \$(CFLAGS) -DSIDE=8 -I$here -c app.c -o app.o
other.o: other.c
>\$(CC) \$(CFLAGS) -c \
    other.c -o other.o
END
echo 'int other(void); int other(void) { return 64; }' >"$work/other.c"
sed -i 's/int sums\[64\];/int other(void), sums[SIDE * SIDE]; if (other() != 64) return 1;/' "$work/app.c"
step() { (cd "$work" && "$here/scripts/limit" 60 "$here/scripts/step" "$@" 2>&1 </dev/null); }
number_of() { grep -n "$1" "$work/app.c" | head -n 1 | cut -d : -f 1; } # the line of a statement

line=$(number_of 'sum += row \* i + col;')
shown=$(step --gdb "break app.c:$line if row == 3 && col == 5 && i == 2" --gdb run --gdb 'printf "%d %d %d\n", row, col, sum' ./app)
expect 'a breakpoint on a line of a body, for one index' '^3 5 13$' "$shown"
expect 'which is the line of the file' "app.c:$line" "$shown"

shown=$(step --gdb 'printf "%d %d\n", row, col' --gdb "advance app.c:$line" --gdb 'printf "%d %d %d %d\n", row, col, i, sum' --gdb locals --gdb 'print s' ./app row_sums:3,5)
expect 'one command stops at one index' '^3 5$' "$shown"
expect 'and one steps on from there' '^3 5 0 0$' "$shown"
expect 'with the variables of the body' '^sum = 0$' "$shown"
expect 'each variable once, also a captured one' '^1 1$' "$(grep -c '^sum = ' <<<"$shown") $(grep -c '^s = ' <<<"$shown")"
expect 'a view as its elements' '^\$.* = int \[8\]\[8\] at 0x.* = {0, 10, 20,' "$shown"
expect 'and no names of functions' '^0$' "$(grep -c '^printf = ' <<<"$shown")"

line=$(number_of 'const int mine = ')
shown=$(step --gdb "advance app.c:$line" --gdb next --gdb 'printf "%d %d %d\n", t.global.v[0], t.global.v[1], mine' app in_tiles:3,6,1)
expect 'it stops at one thread of a tile' '^3 6 102$' "$shown"
expect 'and names it' 'launch 1, in tile (1, 1), thread (1, 2), global index (3, 6)' "$shown"

shown=$(step --gdb continue --gdb 'bt 1' app in_tiles:3,6,1)
expect 'in the next phase it stops at the body, too' '^#0  .*in_tiles ' "$shown"

shown=$(step --gdb 'printf "%d\n", 1' ./app row_sums:8,0)
expect 'an index that is not there stops nothing' 'exited normally' "$shown"

shown=$(step --gdb 'printf "%d %d\n", row, col' app.c row_sums:2,7 -DSIDE=8 -I"$here" other.c)
expect 'a program of files, and options' '^2 7$' "$shown"
expect 'a program that make does not know' 'builds no program of that name' "$(step ./none f:1)"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
