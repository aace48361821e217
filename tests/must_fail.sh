#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs that must be refused, with the right words.
#
# Each file in tests/must_fail has numbered cases, `#if TEST == n`. Case 0 is right and compiles without a
# warning. All others must not compile, and what the compiler says must have the text that stands above
# the case:
#     // expect: text          in the output of every compiler (several lines: all of them)
#     // expect-gcc: text      in gcc's; // expect-clang: text in clang's
#     // needs: -fopenmp       the case is only tried where the compiler takes these options
# A file may have, for all of its cases:
#     // at most: 3 errors, of which the first says it
# tests/options is two files that compile but contradict each other: found out when the program runs.
#
#     CC=cc tests/must_fail.sh [--sample] [FILE[:CASE]...]    $CC is tried besides gcc and clang
#
# A sample has half of the cases and of the options, those of $AMP_TEST_TURN. One compiler tries each case; the last, which is the
# quickest, the options.
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DAMP_PRIV_WARNINGS'

# cases FILE: a line "number <tab> needs <tab> whose <tab> text" for each text that is expected
cases() {
    awk '
        /^ *\/\/ expect/ { whose[count] = $2; sub(/^ *\/\/ expect/, ""); whose[count] = substr($0, 1, index($0, ":") - 1)
                         sub(/^[^:]*: /, ""); text[count++] = $0 }
        /^ *\/\/ needs:/ { needs = $0; sub(/^[^:]*: /, "", needs) }
        /^#if TEST == [0-9]+/ {
            if ($4 > 0 && count == 0) printf "%d\t-\t-\t\n", $4
            for (i = 0; i < count; i++) printf "%d\t%s\t%s\t%s\n", $4, needs == "" ? "-" : needs, whose[i] == "" ? "-" : whose[i], text[i]
            count = 0; needs = ""
        }' "$1"
}

# try COMPILER FILE NUMBER: one case; prints "passed" or what was wrong
try() {
    local compiler=$1 file=$2 number=$3 kind=-gcc what=-fsyntax-only ready='' output status texts needs whose text most errors
    local precompiled=$PRECOMPILED/${compiler//[^A-Za-z0-9]/_}
    [ ! -e "$precompiled/amp.h.pch" ] || kind=-clang
    texts=$(cases "$file" | grep "^$number"$'\t')
    needs=$(cut -f 2 <<<"$texts" | sort -u)
    if [ "$number" = 0 ]; then
        needs=$warnings
    elif [ "$needs" = - ]; then
        needs=
        ready=$(tests/precompiled --use "$precompiled" "$compiler" "$file")
    else
        # shellcheck disable=SC2086 # words are meant to be split
        echo 'int main(void) { return 0; }' | $compiler $needs -fsyntax-only -x c - 2>/dev/null || {
            echo passed
            return
        }
        what='-c -o /dev/null' # gcc looks at some things later than at the syntax
    fi
    # shellcheck disable=SC2086 # words are meant to be split
    output=$($compiler $ready -std=c11 -I. $needs -Werror=incompatible-pointer-types -DTEST="$number" $what "$file" 2>&1)
    status=$?
    if [ "$number" = 0 ]; then
        if [ $status -eq 0 ] && [ -z "$output" ]; then echo passed; else echo "does not compile:"; head -n 20 <<<"$output"; fi
        return
    fi
    if [ $status -eq 0 ]; then
        echo 'compiles, and must not'
        return
    fi
    most=$(sed -n 's|^// at most: \([0-9]*\) errors.*|\1|p' "$file")
    errors=$(grep -E ': (fatal )?error: ' <<<"$output")
    if [ -n "$most" ] && [ "$(wc -l <<<"$errors")" -gt "$most" ]; then
        printf 'has more than %d errors:\n%s\n' "$most" "$(head -n 20 <<<"$errors")"
        return
    fi
    [ -z "$most" ] || output=$(head -n 1 <<<"$errors")
    while IFS=$'\t' read -r _ _ whose text; do
        case $whose in
        - | "$kind")
            if [ -z "$text" ]; then
                echo 'has no "// expect: text" above it'
                return
            elif ! grep -qF -- "$text" <<<"$output"; then
                printf 'does not say "%s" but:\n%s\n' "$text" "$(head -n 20 <<<"$output")"
                return
            fi
            ;;
        esac
    done <<<"$texts"
    echo passed
}

# object COMPILER FILE "OPTIONS": prints its object's name; the next that asks for the same waits for it
object() {
    local name=$PRECOMPILED/${1//[^A-Za-z0-9]/_}-$2$3
    name=${name// /}.o
    # shellcheck disable=SC2086 # words are meant to be split
    (flock 9 && { [ -f "$name" ] || $1 -std=c11 -I. $3 -c "tests/options/$2.c" -o "$name"; }) 9>"$name.lock" && echo "$name"
}

# options COMPILER "OPTIONS OF a.c" "OPTIONS OF b.c" "LIBRARIES" [TEXT]: with a text, the program must find it out
options() {
    local compiler=$1 libraries=${4-} text=${5-} a b work output status
    work=$(mktemp -d) || exit 1
    # shellcheck disable=SC2086 # words are meant to be split
    if a=$(object "$compiler" a "$2") && b=$(object "$compiler" b "$3") && $compiler "$a" "$b" -o "$work/program" -pthread $libraries -lm; then
        output=$("$work/program" 2>&1)
        status=$?
        if [ -n "$text" ]; then
            if [ $status -eq 3 ] && grep -qF -- "$text" <<<"$output"; then
                echo passed
            else
                printf 'does not find out about "%s", but ends with %d and says:\n%s\n' "$text" $status "$output"
            fi
        elif [ $status -eq 0 ]; then
            echo passed
        else
            printf 'ends with %d and says:\n%s\n' $status "$output"
        fi
    fi
    rm -rf "$work"
}

# run LINE: a line "try|options <tab> arguments"; prints the line and its result, when that is not "passed"
run() {
    local words result what alone=tests/must_fail.sh
    IFS='|' read -ra words <<<"$1"
    result=$("${words[@]}" 2>&1 | head -n 25)
    if [ "$result" = passed ]; then
        echo '+'
    else
        what=${words[*]}
        if [ "${words[0]}" = try ]; then
            what="${words[2]}:$(sed -n "/^#if TEST == ${words[3]}\$/=" "${words[2]}"): case ${words[3]}, ${words[1]}"
            alone="tests/must_fail.sh ${words[2]}:${words[3]}"
        fi
        printf -- '- FAILED  %s\nalone: %s\n%s\n' "$what" "$alone" "$result" | sed '2,$s/^/      /'
    fi
}

if [ "${1-}" = --run ]; then
    run "$2"
    exit 0
fi

. tests/installed_compilers.sh
installed_compilers "${CC:-cc}" gcc clang

sample=false
[ "${1-}" = --sample ] && sample=true && shift
files=("$@")
[ $# -gt 0 ] || files=(tests/must_fail/*.c)

PRECOMPILED=$(mktemp -d) || exit 1
export PRECOMPILED
trap 'rm -rf "$PRECOMPILED"' EXIT
for compiler in "${compilers[@]}"; do
    for header in amp.h amp_algorithms.h; do
        HEADER=$header tests/precompiled "$PRECOMPILED/${compiler//[^A-Za-z0-9]/_}" "$compiler" -std=c11 &
    done
done
wait

jobs() {
    local compiler name file number line turn=0 mine=-1
    for compiler in "${compilers[@]}"; do
        mine=$((mine + 1))
        for name in "${files[@]}"; do
            file=${name%:*}
            while read -r number; do
                turn=$((turn + 1))
                [[ $name != *:* || $number = "${name##*:}" ]] || continue
                $sample && [ $(((turn + ${AMP_TEST_TURN:-0}) % (2 * ${#compilers[@]}))) -ne $mine ] && continue
                echo "try|$compiler|$file|$number"
            done < <(grep -o '^#if TEST == [0-9]*' "$file" | grep -o '[0-9]*$' | sort -nu)
        done
        turn=0
        [ $# -eq 0 ] || continue
        $sample && [ $mine -lt $((${#compilers[@]} - 1)) ] && continue
        while read -r line; do
            turn=$((turn + 1))
            $sample && [ $(((turn + ${AMP_TEST_TURN:-0}) % 2)) -ne 0 ] || echo "options|$compiler|$line"
        done <<'END'
-DAMP_BACKEND_CPU|-DAMP_BACKEND_CPU|
|-DAMP_BACKEND_CPU|
|-DAMP_SERIAL|
-O0|-O2|
|-DAMP_MAX_RANK=8|
|-DAMP_CHECKED||AMP_CHECKED
-DAMP_CHECKED|||AMP_CHECKED
|-DAMP_MAX_RANK=9||AMP_MAX_RANK=8
-DAMP_MAX_RANK=8|-DAMP_MAX_RANK=9||AMP_MAX_RANK=9
|-DAMP_BACKEND_OPENCL|-ldl|AMP_BACKEND_OPENCL
-DAMP_BACKEND_OPENCL||-ldl|AMP_BACKEND_OPENCL
END
    done
}

passed=0 failed=0
while read -r sign rest; do
    case $sign in
    +) passed=$((passed + 1)) ;;
    -)
        failed=$((failed + 1))
        echo "$rest"
        ;;
    *) echo "    $sign $rest" ;;
    esac
done < <(jobs "$@" | tr '\n' '\0' | xargs -0 -n 1 -P "$(nproc 2>/dev/null || echo 2)" "$0" --run)

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
