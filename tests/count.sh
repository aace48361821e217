# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# How the scripts of this folder count what they check; they source it. $log: the file with what a check printed;
# $shown: the command that shows what matters of it.
passed=0 failed=0 skipped=0
shown='tail -n 15'

result() { # STATUS WHAT: counts it; of one that failed, shows what it printed
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\n' "$2"
        $shown "$log" | sed 's/^/        /'
    fi
}

skip() { # WHAT
    skipped=$((skipped + 1))
    echo "SKIPPED $1"
}

count_tests() { # STATUS FILE WHAT: a program of tests ended so and printed that
    local p f s
    read -r p f s <<<"$(scripts/part --counts "$2")"
    p=${p:-0} f=${f:-0} s=${s:-0}
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    echo "-- $3: $p passed, $f failed, $s skipped"
    [ "$1" -eq 0 ] || { [ "$f" -gt 0 ] || failed=$((failed + 1)); grep -E 'FAILED|error:' "$2" | head -n 20; }
}

sum_up() { # the last line; its status is 1 when anything failed
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
