#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Does sqrtf in a kernel become vectors, where -fno-math-errno is not given? Looks for them in what gcc and clang make of
# a kernel, of a phase, of an AMP_FUNCTION and of amp_rsqrtf; and for sums of vectors, where AMP_ANY_ORDER gives leave, also in
# an AMP_FUNCTION that is given views.
#
# The last line is "N passed, N failed"; the status is 77 where the machine's instructions are not known here.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

case $(uname -m) in
x86_64) packed='sqrtps' added='addps' single='addss' divided='divps' ;;
aarch64) packed='fsqrt[[:space:]]+v[0-9]+[.]4s' added='fadd[[:space:]]+v[0-9]+[.]4s' single='fadd[[:space:]]+s[0-9]' \
    divided='fdiv[[:space:]]+v[0-9]+[.]4s' ;;
*) echo "SKIPPED: what vectors' instructions are called on $(uname -m) is not known here" && exit 77 ;;
esac

launch='AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v),'
sum="float sum = 0.0f;
    for (int j = 0; j < v.extent.v[0]; j++) sum += AMP_AT(v, j);
    AMP_AT(v, i) = sum;"
# One program of all; each is said to stand in a file of its own, by which its instructions are found, or by the
# function; amp_rsqrtf's are the header's.
declare -A launches=(
    [kernel]="$launch { AMP_AT(v, i) = sqrtf(AMP_AT(v, i)); });"
    [function]="$launch { AMP_AT(v, i) = root(AMP_AT(v, i), 2.0f); });"
    [amp_rsqrtf]="$launch { AMP_AT(v, i) = amp_rsqrtf(AMP_AT(v, i)); });"
    [phase]="AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sqrtf(AMP_AT(v, t.global)); } });"
    [in_order]="$launch { $sum });"
    [in_any_order]="$launch { ${sum/for/AMP_ANY_ORDER(sum) for} });"
    [in_called]="$launch { AMP_AT(v, i) = sum_of(v, i); });"
)
source() {
    printf '%s\n' '#include "amp.h"' '#line 1 "function"' 'AMP_FUNCTION(float, root, (float x, float exp), { return exp * sqrtf(x); })'
    printf '%s\n' '#line 1 "in_called"' "AMP_FUNCTION(float, sum_of, (amp_array_view_float_1 v, int i), { ${sum/for/AMP_ANY_ORDER(sum) for} return sum; })"
    for name in "${!launches[@]}"; do
        printf '#line 1 "%s"\nvoid in_%s(float *values, int count);\nvoid in_%s(float *values, int count)\n{\n' "$name" "$name" "$name"
        printf '    AMP_ARRAY_VIEW(float, 1, v, values, count);\n%s\n}\n' "${launches[$name]}"
    done
}

passed=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
expect() { # COMPILER, LAUNCH, WHAT IS LOOKED FOR, "some" or "none", SAID OF IT
    local count
    count=$(awk -v name="$2\"" '
        $1 == ".file" && index($0, name) { file = $2 }
        $1 == ".loc" { here = file != "" && $2 == file }
        /^[A-Za-z_]/ { within = index($0, "in_'"$2"':") == 1 }
        here || within' "$work/$1" | grep -cE "$3")
    if case $4 in some) [ "$count" -gt 0 ] ;; *) [ "$count" -eq 0 ] ;; esac then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $1 makes $5"
    fi
}
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    # shellcheck disable=SC2046 # words are meant to be split
    source | $compiler $([ $compiler = gcc ] && echo -fopenmp) -std=c11 -O3 -g1 -I. -S -x c - -o "$work/$compiler"
    for name in kernel function phase; do
        expect $compiler $name "$packed" some "no vectors of sqrtf: $name"
    done
    expect $compiler kernel_math.h "$divided" some 'no vectors of amp_rsqrtf'
    expect $compiler in_order "$added" none 'vectors of a sum in order'
    expect $compiler in_order "$single" some 'no sum in order'
    expect $compiler in_any_order "$added" some 'no vectors of a sum in any order'
    expect $compiler in_called "$added" some 'no vectors of a sum over the view of an AMP_FUNCTION'
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
