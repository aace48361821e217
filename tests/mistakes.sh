#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What does a newcomer read who made a usual mistake?
#
# Each file in tests/mistakes is a short program with one mistake. The comments at its top say:
#     // what the mistake is, in one sentence      (the first comment after the licence)
#     // about: captures         the chapter of docs/mistakes.md, one of $chapters
#     // says: text              the first line that is printed has this text, wherever it is told
#     // says-gcc: text          ... where gcc tells it; likewise clang, g++, clang++, tcc, cpu, device
#     // silent-cpu: reason      nothing is said there, and why that is right; likewise the others
#     // compilers: g++ clang++  instead of gcc and clang; nothing is run then
#     // options: -DAMP_CHECKED  added wherever it is compiled; with -c, code is made and not just looked through
#     // environment: AMP_LOG=info
#     // cure: text              what to do, where the words are a compiler's own: it stands in the table
# gcc and clang look it through. What gcc takes is run on the CPU backend and on an OpenCL device, where $QUICKEST (gcc) compiles it.
# A mistake must be told by both compilers or by both runs; the first line must be the expected one, and at most 20 lines may follow it. (clang shows six
# of the macros on the way to a place, each in three lines: a check stands at most five deep. Where the words are clang's own
# they may be 22.)
#
#     tests/mistakes.sh [NAME...]       the last line is "N passed, N failed, N skipped"
#     tests/mistakes.sh --sample        a third of them, by turns of $AMP_TEST_TURN; clang looks at every other one only, where gcc does
#     tests/mistakes.sh --write         also writes the tables of docs/mistakes.md, which must have every mistake
#     tests/mistakes.sh --show NAME...  prints all that is said
# shellcheck disable=SC2046,SC2086 # words are meant to be split
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

base='-std=c11 -fopenmp'
settled='OMP_NUM_THREADS=1' # of several threads another one may be first each time

# The chapters of the page, in its order.
chapters='compiling captures views bodies functions tiles races algorithms host'
declare -A headings=(
    [compiling]='Compiling' [captures]='What a launch names' [views]='Views, arrays and their memory' [bodies]='C in a body'
    [functions]='Functions and structs' [tiles]='Tiles and barriers' [races]='Threads that write the same element'
    [algorithms]='Algorithms' [host]='Copies, recordings, devices'
)

# What the files say: of the mistake NAME, said[NAME KEY], and what it is, said[NAME].
declare -A said=()
read_said() { # NAME...
    local name text
    while IFS='|' read -r name text; do
        said[$name]=$text
    done < <(awk '
        FNR == 1 { name = FILENAME; sub(/.*\//, "", name); sub(/\.c$/, "", name); top = 1 }
        /^#/ { top = 0 }
        top && FNR == 2 { print name "|" substr($0, 4) }
        top && match($0, "^// [a-z+-]+: *") { print name " " substr($2, 1, length($2) - 1) "|" substr($0, RLENGTH + 1) }
        ' $(printf 'tests/mistakes/%s.c ' "$@"))
}

# Looks a mistake through with each compiler, keeps what it says in $work/NAME.COMPILER and its status beside it.
look() {
    local name=$1 compiler options=${said[$1 options]-} compilers=${said[$1 compilers]-} ready what_for
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
    ${QUICKEST:-gcc} $base -O0 -I. $options "$work/$group.$target.c" -o "$work/$group.$target" -lm -ldl
}

run() { # PROGRAM TARGET NAME
    local where=
    [ "$2" = cpu ] || where=AMP_ACCELERATOR=opencl # which may be a CPU, and no default
    env $settled $where ${said[$3 environment]-} scripts/limit 20 "$1" "$3" >"$work/$3.$2" 2>&1
    echo $? >"$work/$3.$2.status"
} 2>/dev/null # that it was aborted

# The line that a reader sees first in each file, and how many come after it: of a compiler's, what stands after "error:" or
# "warning:"; of a run's, all but pocl's "1 error generated.", which no library can hold back.
declare -A first=() following=()
hear() { # "compiler" or "run", FILE...
    local file after text
    [ $# -gt 1 ] || return 0
    awk -v kind="$1" -v lines="$work/lines" '
        function tell() { if (seen) { print name, last - (kind == "run" ? 1 : seen); print line >lines } }
        FNR == 1 { tell(); seen = 0; name = FILENAME }
        { last = FNR }
        !seen && (kind == "run" ? !/^[0-9]+ errors? generated[.]$/ : /(error|warning): |: error/) { seen = FNR; line = $0 }
        END { tell() }' "${@:2}" >"$work/places"
    [ -s "$work/places" ] || return 0
    while read -r file after && IFS= read -r -u 3 text; do
        first[$file]=$text following[$file]=$after
    done <"$work/places" 3< <(
        if [ "$1" = run ]; then
            sed 's|[^ ]*tests/mistakes/||g;s/mistake_[a-z0-9_]*/main/g' "$work/lines"
        else # the last: gcc's name of a union, another one each time
            sed -E 's/^[^ ]*: (fatal )?(error|warning): //;s/ \[-W[^]]*\]$//;s/^#error //
                    s/^static assertion failed: //;s/^static_assert failed( due to requirement .*)? "amp:/"amp:/;s/^"(.*)"$/\1/
                    s/<U[0-9a-f]+>/<unnamed>/g' "$work/lines"
        fi
    )
}

# What is wrong with what was said, if anything.
wrong() { # NAME TARGET
    local file=$work/$1.$2 most=20 text expected silent=${said[$1 silent-$2]-} lines
    expected=${said[$1 says-$2]-${said[$1 says]-}}
    text=${first[$file]-}
    lines=${following[$file]-0}
    [ "$2" != clang ] || [ -z "${said[$1 cure]-}" ] || most=22
    if [ -n "$silent" ]; then
        [ -z "$text" ] || echo "says \"$text\", and was to be silent"
    elif [ -z "$text" ]; then
        [ "$(cat "$file.status")" -lt 124 ] && echo 'says nothing' || echo "ends with $(cat "$file.status"), says nothing"
    elif [ -z "$expected" ]; then
        echo "says \"$text\", of which the file has no word"
    elif [[ $text != *"$expected"* ]]; then
        printf 'does not say "%s" first, but:\n        %s\n' "$expected" "$text"
    elif [ "$lines" -gt "$most" ]; then
        echo "says the right thing, and $lines lines after it"
    elif [ "$2" != cpu ] && [ "$2" != device ] && ! grep -q "mistakes/$1\.c:[0-9]" "$file"; then
        echo 'does not say where in the file'
    fi
}

# The first words of a message: without its prefix, up to a word that ends within 72 characters.
first_words() { # TEXT
    sed -E 's/^amp: //; s/^AMP_[A-Z_]+: //; s/^kernel in [a-z]+, at or near [a-z0-9_]+\.c:[0-9]+: //
            s/\|/\\|/g; s/^(.{48,72}) .*$/\1/; s/[ :;,]+$//' <<<"$1"
}

# The row of its chapter: what, and the first words of what is printed.
row() { # NAME TARGET...
    local name=$1 target lines='' text with
    shift
    for target; do
        text=$(first_words "${first[$work/$name.$target]-}")
        [ -n "$text" ] || continue
        case $text in *\`*) text="\`\` $text \`\`" ;; *) text="\`$text\`" ;; esac
        [[ $lines == *"$text"* ]] || lines="$lines${lines:+<br>}$text"
    done
    with="${options_of[$name]} ${said[$name environment]-}"
    with=${with# } with=${with% }
    text=${said[$name cure]-}
    [ -z "$text" ] || lines="$lines<br>cure: $text"
    for target in gcc clang cpu device; do
        text=${said[$name silent-$target]-}
        [ -z "$text" ] || lines="$lines<br>$(title "$target"): $text"
    done
    echo "| [${said[$name]%.}](../tests/mistakes/$name.c)${with:+, with \`$with\`} | $lines |"
}
title() {
    case $1 in cpu) echo CPU ;; device) echo 'a device' ;; *) echo "$1" ;; esac
}

if [ "${1-}" = --look ]; then
    work=$2 && read_said "$3" && if [ $# -gt 3 ]; then look "$3" ''; else look "$3"; fi
    exit
elif [ "${1-}" = --run ]; then
    work=$2 && read_said "$5" && run "$3" "$4" "$5"
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
if [ -n "$sample" ]; then
    all=("${names[@]}") names=()
    for ((i = ${AMP_TEST_TURN:-0} % 3; i < ${#all[@]}; i += 3)); do names+=("${all[i]}"); done
fi
read_said "${names[@]}"
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
declare -A groups=() options_of=()
for name in "${names[@]}"; do
    options=" ${said[$name options]-} "
    read -r options <<<"${options/ -c / }"
    options_of[$name]=$options
    [ -z "${said[$name compilers]-}" ] && [ "$(<"$work/$name.gcc.status")" = 0 ] && groups["-w ${options_of[$name]}"]+=" $name"
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

ran=() compiled=()
for file in "$work"/*.status; do
    file=${file%.status}
    [ -f "$file" ] || continue
    case $file in *.cpu | *.device) ran+=("$file") ;; *) compiled+=("$file") ;; esac
done
hear run "${ran[@]}"
hear compiler "${compiled[@]}"

table() { echo "$work/table.${said[$1 about]}"; }
passed=0 failed=0 skipped=0 documented=$(<docs/mistakes.md)
for name in "${names[@]}"; do
    targets=() told=0 asked=0 problems=''
    targets_of=${said[$name compilers]-}
    for target in ${targets_of:-gcc clang cpu $device}; do
        [ -f "$work/$name.$target.status" ] || continue
        targets+=("$target")
        text=${first[$work/$name.$target]-}
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
        echo "SKIPPED $name: there is no $targets_of"
        skipped=$((skipped + 1))
        [ -z "$write" ] || grep -F "(../tests/mistakes/$name.c)" docs/mistakes.md >>"$(table "$name")" # its row stays
        continue
    fi
    [ -z "$write" ] || row "$name" "${targets[@]}" >>"$(table "$name")"
    if [ $# -eq 0 ] && [ -z "$write" ] && [[ $documented != *"(../tests/mistakes/$name.c)"* ]]; then
        problems="$problems    docs/mistakes.md does not have it: tests/mistakes.sh --write"$'\n'
    fi
    [[ " $chapters " == *" ${said[$name about]-} "* ]] || problems="$problems    is about none of: $chapters"$'\n'
    if [ -n "$problems" ]; then
        failed=$((failed + 1))
        printf 'FAILED  tests/mistakes/%s.c\n    alone: tests/mistakes.sh %s\n%s' "$name" "$name" "$problems"
    else
        passed=$((passed + 1))
    fi
done
[ -n "$device" ] || echo 'There is no OpenCL device here: what one says was not looked at.'

if [ -n "$write" ]; then
    if [ -z "$device" ]; then
        echo 'The table is written where there is an OpenCL device.'
        exit 1
    fi
    for chapter in $chapters; do
        printf '## %s\n\n| mistake | first words |\n|---|---|\n' "${headings[$chapter]}"
        cat "$work/table.$chapter"
        echo
    done >"$work/tables"
    awk -v tables="$work/tables" '
        /^<!-- mistakes -->/ {
            print $0 "\n"
            while ((getline line < tables) > 0) print line
            skip = 1
        }
        /^<!-- end of mistakes -->/ { skip = 0 }
        !skip' docs/mistakes.md >"$work/mistakes.md" && cat "$work/mistakes.md" >docs/mistakes.md
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
