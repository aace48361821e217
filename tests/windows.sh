#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Windows: compiles the tests and the examples with MinGW's gcc, and runs them under Wine: serial, with OpenMP, checked
# and with OpenCL, which Wine leads to this machine's. cmocka is that of tests/cross.
#
#     tests/windows.sh             all of it
#     tests/windows.sh --sample    the first example on each backend, and one file of tests
#
# The last line is "N passed, N failed, N skipped"; the status is 77 where MinGW or Wine is missing.
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
limit=$PWD/scripts/limit # of processor time

cc=${MINGW_CC:-x86_64-w64-mingw32-gcc}
wine=$(command -v wine64 || compgen -G '/usr/lib/wine/wine64' || command -v wine)
hint='(scripts/setup --windows installs it)'
command -v "$cc" >/dev/null || { echo "SKIPPED: $cc is not there $hint"; exit 77; }
[ -n "$wine" ] || { echo "SKIPPED: Wine is not there $hint"; exit 77; }

build=$(mkdir -p "${BUILD:-build}/windows" && cd "${BUILD:-build}/windows" && pwd) || exit 1
export WINEPREFIX=$build/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
unset AMP_ACCELERATOR
# what the processes of Wine that stay say goes nowhere, so that nobody waits for them
[ -d "$WINEPREFIX" ] || timeout 600 "$wine" wineboot -i </dev/null >/dev/null 2>&1 ||
    { echo "SKIPPED: Wine cannot make a folder to run in"; exit 77; }

# CL/cl.h alone of this machine's headers, for the tests that call OpenCL by hand
mkdir -p "$build/include" && ln -sfn /usr/include/CL "$build/include/CL"
# Windows gives a program a smaller stack than Linux, less than the largest tiles take
link='-static -Wl,--stack,8388608'
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DAMP_PRIV_WARNINGS'
. tests/count.sh
log=$build/output

level=-O1
[ "${1-}" = --sample ] && level=-O0 # which compiles sooner
# shellcheck disable=SC2086 # words are meant to be split
compile() { $cc -std=c11 $level -I. -Iexamples $warnings "$@" >"$log" 2>&1; }
run() { (cd "$build" && "$limit" "${SECONDS_EACH:-300}" "$wine" "$@" </dev/null >"$log" 2>&1); }

# The examples, without a warning.
examples=$(grep -L -e '<png.h>' -e '"picture.h"' -e '"window.h"' -e '<mpi.h>' examples/*.c)
[ "${1-}" = --sample ] && examples=examples/01_hello.c
for example in $examples; do
    if grep -q timespec_get "$example"; then
        skip "$example: it calls timespec_get, which msvcrt.dll has not"
        continue
    fi
    backends='CPU OPENCL'
    [ "$example${1-}" = examples/01_hello.c ] && backends+=' CUDA' # which is not there, and says so
    for backend in $backends; do
        name=$(basename "$example" .c)_$backend
        # shellcheck disable=SC2086 # words are meant to be split
        compile -fopenmp -DAMP_BACKEND_$backend "$example" -o "$build/$name.exe" $link -lm && run "./$name.exe"
        result $? "$name"
    done
done

if [ "${1-}" = --sample ]; then
    # shellcheck disable=SC2086 # words are meant to be split
    compile -Itests -Itests/cross -fopenmp -Wno-conversion -Wno-float-conversion tests/api/tile.c tests/main.c tests/inside.c tests/cross/cmocka.c -o "$build/sample.exe" $link
    result $? 'a file of tests is compiled'
    run ./sample.exe
    count_tests $? "$log" 'the sample'
    sum_up
    exit
fi

# The tests, but for what takes fork or files of POSIX. -Wconversion is for the headers: MinGW's isnan has conversions.
rm -f "$build"/*.exe # of an earlier run
$cc -std=c11 -O1 -Itests/cross -c tests/cross/cmocka.c -o "$build/cmocka.o" || exit 1
tests=$(printf '%s\n' $(grep -lE '^ *int run_' tests/*/*.c) tests/main.c tests/inside.c |
    grep -vE '/(memory/fork|launch/program_cache|base/os|checked/checked|launch/kernel_launch)\.c')
skip 'memory/fork.c: Windows has no fork'
skip 'launch/program_cache.c: it makes files and links of POSIX'
skip 'base/os.c: set-user-id programs, descriptors and FIFOs are those of POSIX'
programs='serial cpu opencl checked_cpu checked_opencl'
# shellcheck disable=SC2086,SC2046 # words are meant to be split
make --no-print-directory -s -k -j"$(nproc)" BUILD="$build" CC="$cc" CMOCKA_CFLAGS=-Itests/cross CMOCKA_LIBS="$build/cmocka.o" \
    CFLAGS="-O0 -isystem $build/include" LDFLAGS="$link" TESTS="$(echo $tests)" WARNINGS='-Wall -Wextra -Wshadow -Werror' \
    $(for p in $programs; do echo "$build/test_$p"; done) "$build/two_units_cpu" "$build/two_units_opencl" >"$log" 2>&1
result $? 'the tests are compiled'
for program in two_units_cpu two_units_opencl; do
    run "./$program.exe"
    result $? $program
done
for program in $programs; do
    run "./test_$program.exe"
    count_tests $? "$log" "test_$program"
    cp "$log" "$build/test_$program.log"
done
sum_up
