#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Does sqrtf in a kernel become vectors, where -fno-math-errno is not given? Looks for them in what gcc and clang make of
# a kernel, of a phase, of an AMP_FUNCTION and of amp_rsqrtf; and for sums of vectors, where AMP_ANY_ORDER gives leave.
#
# The last line is "N passed, N failed"; the status is 77 where the machine's instructions are not known here.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

case $(uname -m) in
x86_64) packed='sqrtps' added='addps' ;;
aarch64) packed='fsqrt[[:space:]]+v[0-9]+[.]4s' added='fadd[[:space:]]+v[0-9]+[.]4s' ;;
*) echo "SKIPPED: what vectors' instructions are called on $(uname -m) is not known here" && exit 77 ;;
esac

source() { # STATEMENTS OF THE LAUNCH
    cat <<END
#include "amp.h"
AMP_FUNCTION(float, root, (float x, float exp), { return exp * sqrtf(x); })
void kernel(float *values, int count);
void kernel(float *values, int count)
{
    AMP_ARRAY_VIEW(float, 1, v, values, count);
    $1
}
END
}
launch='AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v),'
declare -A launches=(
    [kernel]="$launch { AMP_AT(v, i) = sqrtf(AMP_AT(v, i)); });"
    [function]="$launch { AMP_AT(v, i) = root(AMP_AT(v, i), 2.0f); });"
    [amp_rsqrtf]="$launch { AMP_AT(v, i) = amp_rsqrtf(AMP_AT(v, i)); });"
    [phase]="AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sqrtf(AMP_AT(v, t.global)); } });"
)
sum="float sum = 0.0f;
    for (int j = 0; j < v.extent.v[0]; j++) sum += AMP_AT(v, j);
    AMP_AT(v, i) = sum;"

passed=0 failed=0
expect() { # COMPILER, WHAT IS LOOKED FOR, HOW OFTEN, SAID OF IT, STATEMENTS OF THE LAUNCH
    if [ "$(source "$5" | $1 $([ $1 = gcc ] && echo -fopenmp) -std=c11 -O3 -I. -S -x c - -o - | grep -cE "$2")" $3 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $1 makes $4"
    fi
}
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for name in "${!launches[@]}"; do
        expect $compiler "$packed" '-gt 0' "no vectors of sqrtf: $name" "${launches[$name]}"
    done
    expect $compiler "$added" '-eq 0' 'vectors of a sum in order' "$launch { $sum });"
    expect $compiler "$added" '-gt 0' 'no vectors of a sum in any order' "$launch { ${sum/for/AMP_ANY_ORDER(sum) for} });"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
