#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The CPU backend where long and pointers have 32 bits: tests/narrow and the first example, compiled by `$CC -m32`
# without warnings, plain and checked, and run.
#
# The last line is "N passed, N failed"; the status is 77 where -m32 does not work.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# -Wno-psabi: no note that gcc 11 aligns a 64-bit atomic in a struct as gcc 10 did not
# -idirafter: asm/errno.h, which gcc-multilib links to, but not gcc-12-multilib
flags="-idirafter /usr/include/$(${CC:-cc} -print-multiarch 2>/dev/null)"
flags+=' -m32 -std=c11 -O1 -pthread -I. -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Wno-psabi -DAMP_PRIV_WARNINGS'
compile() { # SOURCE PROGRAM OPTIONS...: "$CC" may be several words
    # shellcheck disable=SC2086 # words are meant to be split
    ${CC:-cc} $flags "${@:3}" "$1" -o "$2" -lm $atomic
}
atomic=
echo 'int main(void) { return 0; }' >"$work/empty.c"
if ! compile "$work/empty.c" "$work/empty" 2>/dev/null || ! "$work/empty"; then
    echo "SKIPPED: ${CC:-cc} -m32 makes no programs that run here (scripts/setup installs the libraries)"
    exit 77
fi
atomic=-latomic # which clang calls for 64 bits
compile "$work/empty.c" "$work/empty" 2>/dev/null || atomic=
openmp=-fopenmp
compile "$work/empty.c" "$work/empty" $openmp 2>/dev/null || openmp=-DAMP_SERIAL

passed=0 failed=0
for options in $openmp -DAMP_CHECKED; do
    for source in tests/narrow/narrow.c examples/01_hello.c; do
        if compile "$source" "$work/program" "$options" && "$work/program" >"$work/output" 2>&1; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAILED  $source -m32 $options"
            tail -n 20 "$work/output" 2>/dev/null
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
