#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# scripts/port-check: each line of tests/port_check/sample.cpp is told what stands behind "says:" in it, in that order, and
# no more; every rule is tried; programs that are ported are told nothing. docs/porting-names.md has each name of C++ AMP
# (tests/port_check/names). The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
sample=tests/port_check/sample.cpp
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

result() { # WRONG WHAT: passes if WRONG is empty
    if [ -z "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\n' "$2"
        head -n 12 <<<"$1" | sed 's/^/        /'
    fi
}

scripts/port-check $sample >"$work/said"
status=$?
result "$([ $status -eq 1 ] || echo "status $status")" 'something is left to port'
result "$(awk -v said="$work/said" -v name="$sample" '
    BEGIN {
        while ((getline line <said) > 0)
            if (index(line, name ":") == 1) {
                split(line, part, ":")
                told[part[2], ++count[part[2]]] = line
            }
    }
    {
        expected = sub(/.*\/\/ says: /, "") ? split($0, text, / \| /) : 0
        if (count[FNR] + 0 != expected) print "line " FNR " is told " count[FNR] + 0 " things instead of " expected
        for (i = 1; i <= expected && i <= count[FNR]; i++)
            if (!index(told[FNR, i], text[i])) print told[FNR, i] "; expected: " text[i]
    }' $sample)" 'what the lines are told'
result "$(scripts/port-check --rules | sed 's/^[^:]*: //; $d' | while read -r answer; do
    grep -qF -- "$answer" "$work/said" || echo "never said: $answer"
done)" 'every rule is tried'
result "$(scripts/port-check examples/*.c examples/library/fields.c | sed '$d')" 'ported programs have nothing left'
result "$(scripts/port-check examples/01_hello.c >/dev/null || echo "status $?")" 'the status of a ported program'
result "$(scripts/port-check 2>&1 | grep -qF 'usage:' || echo nothing)" 'how it is called'
result "$(sed '/^#/d' tests/port_check/names | tr ' ' '\n' | while read -r name; do
    grep -qw -- "$name" docs/porting-names.md || echo "$name"
done)" 'docs/porting-names.md lacks names of C++ AMP'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
