#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Do the algorithms add rounded products, whatever the compiler may fuse? Runs tests/same_bits.c as gcc and clang make it
# with what this processor has, in the C of the compiler and in C11.
#
#     tests/same_bits.sh [--sample]     the sample: a compiler, a level and a standard, by turns of $AMP_TEST_TURN
#
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C OMP_NUM_THREADS=2
standards=(gnu17 c11) levels=(-O3 -O2 -O1) sample=${1:-}

passed=0 failed=0 turn=${AMP_TEST_TURN:-0}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
compilers=()
for compiler in gcc clang; do command -v $compiler >/dev/null && compilers+=($compiler); done
if [ "$sample" = --sample ]; then
    levels=("${levels[turn / ${#compilers[@]} % 3]}") standards=("${standards[turn / ${#compilers[@]} / 3 % 2]}")
    compilers=("${compilers[turn % ${#compilers[@]}]}")
fi
for compiler in "${compilers[@]}"; do
    for standard in "${standards[@]}"; do
        for level in "${levels[@]}"; do
            flags="-std=$standard $level -march=native"
            [ $compiler = clang ] || flags+=' -fopenmp'
            # shellcheck disable=SC2086 # words are meant to be split
            if $compiler $flags -I. tests/same_bits.c -o "$work/run" -lm && "$work/run" >"$work/said" 2>&1; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "FAILED  $compiler $flags"
                cat "$work/said"
            fi
        done
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
