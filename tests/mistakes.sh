#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What does a newcomer read who made a usual mistake?
#
# Each file in tests/mistakes is a short program with one mistake. The comments at its top say:
#     // what the mistake is, in one sentence      (the first comment after the licence)
#     // says: text              the first line that is printed has this text, wherever it is told
#     // says-gcc: text          ... where gcc tells it; likewise clang, g++, clang++, tcc, cpu, device
#     // silent-cpu: reason      nothing is said there, and why that is right; likewise the others
#     // compilers: g++ clang++  instead of gcc and clang; nothing is run then
#     // options: -DAMP_CHECKED  added wherever it is compiled; with -c, code is made and not just looked through
#     // environment: AMP_LOG=info
#     // cure: text              what to do, where the words are a compiler's own: it stands in the table
# gcc and clang look it through. What gcc takes is run on the CPU loops and on an OpenCL device. A mistake must be told by
# both compilers or by both runs; the first line must be the expected one, and at most 20 lines may follow it. (clang shows six
# of the macros on the way to a place, each in three lines: a check stands at most five deep. Where the words are clang's own
# they may be 22.)
#
#     tests/mistakes.sh [NAME...]       the last line is "N passed, N failed, N skipped"
#     tests/mistakes.sh --sample        clang looks at every other one only, where gcc does
#     tests/mistakes.sh --write         also writes the table in docs/errors.md, which must have every mistake
#     tests/mistakes.sh --show NAME...  prints all that is said
# shellcheck disable=SC2046,SC2086 # words are meant to be split
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

most() { [ "$2" != clang ] || [ -z "$(key "$1" cure)" ] && echo 20 || echo 22; } # NAME TARGET
base='-std=c11 -fopenmp'
settled='OMP_NUM_THREADS=1' # of several threads another one may be first each time

key() { sed -n "s|^// $2: *||p;/^#/q" "tests/mistakes/$1.c"; } # key NAME KEY: what the file says of it
what() { sed -n '2{s|^// ||p;q}' "tests/mistakes/$1.c"; }

# Looks a mistake through with each compiler, keeps what it says in $work/NAME.COMPILER and its status beside it.
look() {
    local name=$1 compiler options compilers ready what_for
    options=$(key "$name" options)
    compilers=$(key "$name" compilers)
    for compiler in ${compilers:-gcc ${2-clang}}; do
        command -v "$compiler" >/dev/null || continue
        ready='' what_for=-fsyntax-only
        case " $options " in *' -c '*) what_for='-o /dev/null' ;; esac
        case $compiler in
        *++) set -- $options -x c++ ;;
        tcc) set -- $options -c && what_for='-o /dev/null' ;;
        *)
            [ -n "$options$compilers" ] || ready=$(tests/precompiled --use "$work/$compiler" "$compiler" "tests/mistakes/$name.c")
            set -- $base $options
            ;;
        esac
        $compiler $ready -I. "$@" $what_for "tests/mistakes/$name.c" >"$work/$name.$compiler" 2>&1
        echo $? >"$work/$name.$compiler.status"
    done
}

# All mistakes that are run with the same options are one program, which is compiled once for each backend.
build() { # NUMBER OF THE GROUP, "cpu OPTIONS" or "device OPTIONS", NAME...
    local group=$1 target=${2%% *} options=${2#* } name
    shift 2
    for name; do printf '#define main mistake_%s\n#include "tests/mistakes/%s.c"\n#undef main\n' "$name" "$name"; done >"$work/$group.$target.c"
    {
        echo 'int main(int count, char **names) { (void)count;'
        for name; do echo "if (!strcmp(names[1], \"$name\")) return mistake_$name();"; done
        echo 'return 1; }'
    } >>"$work/$group.$target.c"
    [ "$target" = cpu ] || options="$options -DAMP_BACKEND_OPENCL"
    gcc $base -O0 -I. $options "$work/$group.$target.c" -o "$work/$group.$target" -lm -ldl
}

run() { # PROGRAM TARGET NAME
    env $settled $(key "$3" environment) timeout 20 "$1" "$3" >"$work/$3.$2" 2>&1
    echo $? >"$work/$3.$2.status"
} 2>/dev/null # that it was aborted

# The line that a reader sees first of $1: of a compiler's, what stands after "error:" or "warning:"; of a run's, all but
# pocl's "1 error generated.", which no library can hold back.
first() {
    case $1 in
    *.cpu | *.device) grep -vE '^[0-9]+ errors? generated[.]$' "$1" | head -n 1 | sed 's|[^ ]*tests/mistakes/||g;s/mistake_[a-z0-9_]*/main/g' ;;
    *)
        grep -m 1 -E '(error|warning): |: error' "$1" |
            sed -E 's/^[^ ]*: (fatal )?(error|warning): //;s/ \[-W[^]]*\]$//;s/^#error //' |
            sed -E 's/^static assertion failed: //;s/^static_assert failed( due to requirement .*)? "amp:/"amp:/;s/^"(.*)"$/\1/' |
            sed -E 's/<U[0-9a-f]+>/<unnamed>/g' # gcc's name of a union, another one each time
        ;;
    esac
}
following() { # how many lines come after that one
    case $1 in
    *.cpu | *.device) awk 'END { print (NR ? NR - 1 : 0) }' "$1" ;;
    *) awk '!seen && /(error|warning): |: error/ { seen = NR } END { print seen ? NR - seen : 0 }' "$1" ;;
    esac
}

# What is wrong with what was said, if anything.
wrong() { # NAME TARGET
    local file=$work/$1.$2 text expected silent lines
    expected=$(key "$1" "says-$2")
    [ -n "$expected" ] || expected=$(key "$1" says)
    silent=$(key "$1" "silent-$2")
    text=$(first "$file")
    lines=$(following "$file")
    if [ -n "$silent" ]; then
        [ -z "$text" ] || echo "says \"$text\", and was to be silent"
    elif [ -z "$text" ]; then
        [ "$(cat "$file.status")" -lt 124 ] && echo 'says nothing' || echo "ends with $(cat "$file.status"), says nothing"
    elif [ -z "$expected" ]; then
        echo "says \"$text\", of which the file has no word"
    elif ! grep -qF -- "$expected" <<<"$text"; then
        printf 'does not say "%s" first, but:\n        %s\n' "$expected" "$text"
    elif [ "$lines" -gt "$(most "$1" "$2")" ]; then
        echo "says the right thing, and $lines lines after it"
    elif [ "$2" != cpu ] && [ "$2" != device ] && ! grep -q "mistakes/$1\.c:[0-9]" "$file"; then
        echo 'does not say where in the file'
    fi
}

# The row of the table: what, who says it and how many lines follow, the first lines.
row() { # NAME TARGET...
    local name=$1 target told='' lines='' text with
    shift
    for target; do
        text=$(first "$work/$name.$target")
        [ -n "$text" ] || continue
        text=${text//|/\\|}
        told="$told${told:+, }$(title "$target") $(following "$work/$name.$target")"
        case $text in *\`*) text="\`\` $text \`\`" ;; *) text="\`$text\`" ;; esac
        grep -qF -- "$text" <<<"$lines" || lines="$lines${lines:+<br>}$text"
    done
    with=$(key "$name" options | sed 's/-c\b//;s/ *$//;s/^ *//')
    with=$(echo $with $(key "$name" environment))
    text=$(key "$name" cure)
    [ -z "$text" ] || lines="$lines<br>cure: $text"
    for target in gcc clang cpu device; do
        text=$(key "$name" "silent-$target")
        [ -z "$text" ] || lines="$lines<br>$(title "$target"): $text"
    done
    echo "| [$(what "$name" | sed 's/[.]$//')](../tests/mistakes/$name.c)${with:+, with \`$with\`} | $told | $lines |"
}
title() {
    case $1 in cpu) echo 'CPU loops' ;; device) echo 'a device' ;; *) echo "$1" ;; esac
}

if [ "${1-}" = --look ]; then
    work=$2 && if [ $# -gt 3 ]; then look "$3" ''; else look "$3"; fi
    exit
elif [ "${1-}" = --run ]; then
    work=$2 && run "$3" "$4" "$5"
    exit
fi

write='' show='' sample=''
case ${1-} in
--write) write=1 && shift ;;
--show) show=1 && shift ;;
--sample) sample=1 && shift ;;
esac
names=("$@")
[ $# -gt 0 ] || mapfile -t names < <(basename -s .c tests/mistakes/*.c)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
side_by_side() { xargs -P "$(nproc 2>/dev/null || echo 2)" "$@"; }

printf '%s\n' gcc clang | side_by_side -I COMPILER tests/precompiled "$work/COMPILER" COMPILER $base
{
    for ((i = 0; i < ${#names[@]}; i++)); do
        [ -n "$sample" ] && [ $((i % 2)) = 1 ] && echo "${names[i]} alone" || echo "${names[i]}"
    done
} | side_by_side -L 1 "$0" --look "$work"

# What gcc took without an error is run: programs by their options.
device=device
declare -A groups=()
for name in "${names[@]}"; do
    [ -z "$(key "$name" compilers)" ] && [ "$(cat "$work/$name.gcc.status")" = 0 ] &&
        groups["-w $(key "$name" options | sed 's/-c\b//')"]+=" $name"
done
number=0
for options in "${!groups[@]}"; do
    for target in cpu $device; do
        build $number "$target $options" ${groups[$options]} &
    done
    wait
    for target in cpu $device; do
        for name in ${groups[$options]}; do echo "$work/$number.$target $target $name"; done
    done
    number=$((number + 1))
done >"$work/runs"
side_by_side -r -L 1 "$0" --run "$work" <"$work/runs"
if [ -n "$device" ] && grep -lq 'amp: warning: no .*device here' "$work"/*.device 2>/dev/null; then
    device='' && rm -f "$work"/*.device
fi

passed=0 failed=0 skipped=0 table=$work/table
for name in "${names[@]}"; do
    targets=() told=0 asked=0 problems=''
    for target in $(key "$name" compilers | grep . || echo gcc clang cpu $device); do
        [ -f "$work/$name.$target.status" ] || continue
        targets+=("$target")
        text=$(first "$work/$name.$target")
        # a run has nothing to say when the compilers told it
        case $target in
        cpu | device) [ -z "$text" ] && [ $told -eq $asked ] && continue ;;
        *) asked=$((asked + 1)) && [ -n "$text" ] && told=$((told + 1)) ;;
        esac
        [ -z "$text" ] && [ $told -eq 0 ] && case $target in gcc | clang) continue ;; esac
        problem=$(wrong "$name" "$target")
        [ -z "$problem" ] || problems="$problems    $(title "$target") $problem"$'\n'
        [ -z "$show" ] || sed "s/^/$target: /" "$work/$name.$target"
    done
    if [ ${#targets[@]} -eq 0 ]; then
        echo "SKIPPED $name: there is no $(key "$name" compilers)"
        skipped=$((skipped + 1))
        continue
    fi
    row "$name" "${targets[@]}" >>"$table"
    if [ $# -eq 0 ] && [ -z "$write" ] && ! grep -qF "(../tests/mistakes/$name.c)" docs/errors.md; then
        problems="$problems    docs/errors.md does not have it: tests/mistakes.sh --write"$'\n'
    fi
    if [ -n "$problems" ]; then
        failed=$((failed + 1))
        printf 'FAILED  tests/mistakes/%s.c\n%s' "$name" "$problems"
    else
        passed=$((passed + 1))
    fi
done
[ -n "$device" ] || echo 'There is no OpenCL device here: what one says was not looked at.'

if [ -n "$write" ]; then
    if [ -z "$device" ] || [ $skipped -gt 0 ]; then
        echo 'The table is written where everything can be tried.'
        exit 1
    fi
    awk -v table="$table" '
        /^<!-- mistakes -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
        /^<!-- end of mistakes -->/ { skip = 0 }
        !skip' docs/errors.md >"$work/errors.md" && cat "$work/errors.md" >docs/errors.md
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
