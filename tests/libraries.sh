#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Libraries that use amp.h, with hidden symbols and loaded each for itself: they share one runtime where the loader lets
# them, and elsewhere refuse what is another's in a sentence (docs/options.md). The last line is "N passed, N failed, N
# skipped". $CC and $OPENCL_LIBS are used when they are set.
set -u

cd "$(dirname "$0")/.." || exit 1
getconf GNU_LIBC_VERSION >/dev/null 2>&1 || { echo 'SKIPPED: only the loader of glibc has symbols that are unique' && exit 77; }
CC=${CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export AMP_CACHE=0 AMP_LOG=error
passed=0 failed=0 skipped=0

fail() { # WHAT [FILE]
    failed=$((failed + 1))
    echo "FAILED  $1"
    [ -z "${2-}" ] || head -n 12 "$2" | sed 's/^/        /'
}

skip() { # WHAT
    skipped=$((skipped + 1))
    echo "SKIPPED $1"
}

# compile COMPILER OBJECT [OPTION...]
compile() {
    "$1" -std=c11 -O0 -fPIC -fvisibility=hidden -pthread -I. "${@:3}" -c tests/libraries/library.c -o "$work/$2.o" 2>"$work/log" ||
        fail "library.c does not compile with ${*:3}" "$work/log"
}

# link OBJECT LIBRARY [OPTION...]
link() {
    $CC -shared "$work/$1.o" "${@:3}" -o "$work/$2.so" -pthread -lm -ldl 2>"$work/log" || fail "$2 is not linked" "$work/log"
}

# try NAME COMMAND [ARGUMENT...]: runs it and counts
try() {
    local last
    scripts/limit 60 "${@:2}" >"$work/output" 2>&1
    local status=$?
    last=$(tail -n 1 "$work/output")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] && { [ $status -eq 0 ] || [ "${BASH_REMATCH[2]}" -gt 0 ]; }; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        [ "${BASH_REMATCH[2]}" -eq 0 ] || sed "s/^/        $1: /" "$work/output"
    else
        fail "$1: ended with status $status" "$work/output"
    fi
}

compile "$CC" plain
other=$CC
for compiler in clang gcc; do # a second compiler, where there is one
    if command -v $compiler >/dev/null && ! $CC --version | grep -q $compiler; then other=$compiler; fi
done
compile "$other" other
# Two libraries with an implementation each, by two compilers.
echo '#include "amp.h"' >"$work/implementation.c"
split() { # COMPILER NAME
    compile "$1" "$2-user" -DAMP_SPLIT
    "$1" -std=c11 -O0 -fPIC -fvisibility=hidden -pthread -I. -DAMP_SPLIT -DAMP_IMPLEMENTATION -c "$work/implementation.c" \
        -o "$work/$2-amp.o" 2>"$work/log" || fail 'an implementation does not compile' "$work/log"
    link "$2-user" "$2" "$work/$2-amp.o"
}
compile "$CC" checked -DAMP_CHECKED
compile "$CC" rank -DAMP_MAX_RANK=5
echo '{ global: plugin_of_this; local: *; };' >"$work/hidden.map"
split "$CC" split
split "$other" split-other
link plain first
link other second
link checked checked
link rank rank
link plain apart -Wl,--version-script="$work/hidden.map"
link plain apart-too -Wl,--version-script="$work/hidden.map"
compile "$CC" opencl -DAMP_BACKEND_OPENCL
link opencl opencl
compile "$CC" opencl-rank -DAMP_BACKEND_OPENCL -DAMP_MAX_RANK=5
link opencl-rank opencl-rank
# shellcheck disable=SC2086 # words are meant to be split
if echo 'int clFinish(void *); int main(void) { return clFinish(0); }' | $CC -x c - -o "$work/linked" ${OPENCL_LIBS:--lOpenCL} 2>/dev/null; then
    compile "$CC" linked -DAMP_BACKEND_OPENCL -DAMP_OPENCL_LINKED
    # shellcheck disable=SC2086 # words are meant to be split
    link linked linked ${OPENCL_LIBS:--lOpenCL}
fi
$CC -std=c11 -O0 -pthread -DAMP_BACKEND_OPENCL -I. scripts/accelerators.c -o "$work/accelerators" -lm -ldl 2>"$work/log" ||
    fail 'accelerators.c' "$work/log"
device=cpu # for libraries with OpenCL
! "$work/accelerators" 2>"$work/log" | grep -q '^opencl:' || device=opencl

host() { # PROGRAM [OPTION...]
    $CC -std=c11 -O0 -pthread -I. "${@:2}" tests/libraries/host.c -o "$work/$1" -lm -ldl 2>"$work/log" || fail "host.c" "$work/log"
}
host neutral
host program -DHAS_SELF tests/libraries/library.c
host exports -DHAS_SELF tests/libraries/library.c -rdynamic

try 'two libraries' "$work/neutral" shared "$work/first.so" "$work/second.so"
try 'two libraries with AMP_SPLIT' "$work/neutral" shared "$work/split.so" "$work/split-other.so"
try 'one with AMP_SPLIT' "$work/neutral" shared "$work/first.so" "$work/split-other.so"
try 'AMP_SPLIT, checked' "$work/neutral" options "$work/split.so" "$work/checked.so"
try 'the same, checked' "$work/neutral" options "$work/first.so" "$work/checked.so"
try 'checked, not checked' "$work/neutral" options "$work/checked.so" "$work/second.so"
try 'another rank' "$work/neutral" options "$work/rank.so" "$work/first.so"
try 'OpenCL, CPU backend' "$work/neutral" options "$work/opencl.so" "$work/first.so"
try 'CPU backend, OpenCL' "$work/neutral" options "$work/first.so" "$work/opencl.so"
try 'two runtimes at once' "$work/neutral" together "$work/opencl.so" "$work/opencl-rank.so"
if [ -e "$work/linked.so" ]; then
    try 'OpenCL loaded, linked' env AMP_ACCELERATOR=$device "$work/neutral" shared "$work/opencl.so" "$work/linked.so"
    try 'OpenCL linked, loaded' env AMP_ACCELERATOR=$device "$work/neutral" shared "$work/linked.so" "$work/opencl.so"
else
    skip 'OpenCL loaded and linked: the OpenCL library cannot be linked with'
fi
try 'hidden by a version script' "$work/neutral" hidden "$work/apart.so" "$work/apart-too.so"
try 'one of them hidden' "$work/neutral" hidden "$work/first.so" "$work/apart.so"
try 'a program with -rdynamic' "$work/exports" shared self "$work/second.so"
try 'a program without it' "$work/program" hidden self "$work/second.so"
try 'that loads other options' "$work/program" options self "$work/checked.so"
try 'its two libraries' "$work/program" shared "$work/first.so" "$work/second.so"
if command -v python3 >/dev/null; then
    try 'Python' python3 tests/libraries/host.py "$work/first.so" "$work/second.so"
else
    skip 'Python: python3 is not installed'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
