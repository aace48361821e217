#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Other processors and C libraries: compiles the tests of the CPU backend for each, and runs them under qemu-user: serial,
# and with OpenMP where the compiler has it. i386's run without qemu where they can. cmocka is that of tests/cross.
#
#     tests/arch.sh            all of them
#     PROGRAMS=serial tests/arch.sh   without OpenMP
#     tests/arch.sh NAME...    these: i386 armhf aarch64 riscv64 ppc64el s390x musl wasi macos
#
# wasi: the examples, for WebAssembly, by Python's wasmtime; macos: the examples are compiled for aarch64-macos by
# Python's ziglang, and not run. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

hint='(scripts/setup --arch installs it)'
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DAMP_PRIV_WARNINGS'
top=$(mkdir -p "${BUILD:-build}/arch" && cd "${BUILD:-build}/arch" && pwd) || exit 1
tests=$(printf '%s\n' $(grep -lE '^ *int run_' tests/*/*.c) tests/main.c tests/inside.c | grep -vE '/(checked|kernel_launch)\.c')
. tests/count.sh
shown='head -n 15'
programs=${PROGRAMS:-serial cpu}
unset AMP_ACCELERATOR

# begin NAME: where it is compiled
begin() {
    build=$top/$1
    log=$build/output
    mkdir -p "$build"
}

# runs_here COMPILER: does this machine run its programs, without qemu?
runs_here() {
    begin here
    echo 'int main(void) { return 0; }' | "$1" -static -x c - -o "$build/empty" 2>"$log" && "$build/empty" 2>/dev/null
}

# run_tests NAME COMPILER PROGRAMS RUNNER...: builds build/arch/NAME/test_serial and so on, and runs them
run_tests() {
    local name=$1 cc=$2 wanted=$3 more program
    shift 3
    for tool in "$cc" "$@"; do
        command -v "$tool" >/dev/null || { skip "$name: $tool is not there $hint"; return; }
    done
    # where float expressions have more digits in strict C11, gcc makes no vectors of them (amp_graphics.h)
    case $name in
    i386) more='-msse2 -mfpmath=sse' ;;
    s390x) more=-fexcess-precision=fast ;;
    aarch64-mmla) more=-march=armv8.6-a ;; # BFMMLA, SMMLA
    *) more= ;;
    esac
    # below qemu a folder's positions have the 64 bits of the machine's own programs, which readdir refuses in 32
    case "$*" in qemu-i386* | qemu-arm*) more+=' -D_FILE_OFFSET_BITS=64' ;; esac
    begin "$name"
    rm -f "$build"/test_* # of an earlier run
    $cc -std=c11 -O1 -Itests/cross -c tests/cross/cmocka.c -o "$build/cmocka.o" || { result 1 "$name"; return; }
    # -Wno-psabi: no note of how 64-bit atomics in structs were aligned before gcc 11
    # shellcheck disable=SC2046,SC2086,SC2116 # words are meant to be split
    make --no-print-directory -s -k -j"$(nproc)" BUILD="$build" CC="$cc" CMOCKA_CFLAGS=-Itests/cross CMOCKA_LIBS="$build/cmocka.o" \
        CFLAGS="-O0 -Wno-psabi $more" LDFLAGS=-static TESTS="$(echo $tests)" WARNINGS='-Wall -Wextra -Wshadow -Werror' \
        $(for program in $wanted; do echo "$build/test_$program"; done) >"$log" 2>&1
    result $? "$name: the tests are compiled"
    for program in $wanted; do
        [ -x "$build/test_$program" ] || continue
        # threads that wait do not spin: qemu has no time for that
        OMP_WAIT_POLICY=passive AMP_TEST_RUNNER="$*" timeout "${SECONDS_EACH:-900}" "$@" "$build/test_$program" </dev/null >"$build/test_$program.log" 2>&1
        count_tests $? "$build/test_$program.log" "$name, $program, $($cc -dumpfullversion -dumpversion | head -n 1)"
    done
}

# each_example COMPILE...: compiles those that need no other library into $build, without a warning, and runs `run FILE`
each_example() {
    local example name
    for example in $(grep -L -e '<png.h>' -e '"picture.h"' -e '"window.h"' -e '<mpi.h>' examples/*.c) tests/narrow/narrow.c; do
        name=$(basename "$example" .c)
        if [ "$(basename "$build")" = wasi ] && grep -q '<pthread.h>' "$example"; then
            skip "wasi: $example: WebAssembly has no threads here"
            continue
        fi
        # shellcheck disable=SC2086 # words are meant to be split
        "$@" -std=c11 -O1 -I. -Iexamples $warnings "$example" -o "$build/$name" -lm >"$log" 2>&1 &&
            (cd "$build" && run "$name") >>"$log" 2>&1
        result $? "$(basename "$build"): $example"
    done
}

wasi() {
    begin wasi
    local clang=${WASI_CC:-clang}
    echo '#include <stdio.h>
int main(void) { return puts("here") < 0; }' >"$build/empty.c"
    "$clang" --target=wasm32-wasi "$build/empty.c" -o "$build/empty" 2>"$log" ||
        { skip "wasi: clang makes no programs for wasm32-wasi here $hint"; return; }
    run() { :; }
    if python3 -c 'import wasmtime' 2>/dev/null; then
        run() {
            python3 - "$1" <<'PYTHON'
import sys, wasmtime
engine = wasmtime.Engine()
store, linker = wasmtime.Store(engine), wasmtime.Linker(engine)
config = wasmtime.WasiConfig()
config.inherit_stdout()
config.inherit_stderr()
config.argv = [sys.argv[1]]
config.preopen_dir(".", ".") # an example writes a file
store.set_wasi(config)
linker.define_wasi()
program = linker.instantiate(store, wasmtime.Module.from_file(engine, sys.argv[1]))
try:
    program.exports(store)["_start"](store)
except wasmtime.ExitTrap as end:
    sys.exit(end.code)
PYTHON
        }
    else
        skip "wasi's programs: they are compiled only: Python has no wasmtime (pip install wasmtime)"
    fi
    # tiles are on the stack, which is small there if nobody says otherwise
    each_example "$clang" --target=wasm32-wasi -Wl,-z,stack-size=8388608
}

macos() {
    begin macos
    python3 -c 'import ziglang' 2>/dev/null || { skip 'macos: Python has no ziglang (pip install ziglang)'; return; }
    run() { :; }
    each_example python3 -m ziglang cc -target aarch64-macos
    each_example python3 -m ziglang cc -target aarch64-macos -DAMP_BACKEND_OPENCL
}

[ $# -gt 0 ] || set -- i386 armhf aarch64 riscv64 ppc64el s390x musl wasi macos
for name in "$@"; do
    case $name in
    i386) run_tests i386 i686-linux-gnu-gcc "$programs" "$(runs_here i686-linux-gnu-gcc && echo env || echo qemu-i386-static)" ;;
    armhf) run_tests armhf arm-linux-gnueabihf-gcc "$programs" qemu-arm-static ;;
    aarch64)
        run_tests aarch64 aarch64-linux-gnu-gcc "$programs" qemu-aarch64-static
        tests='tests/matrix/multiply.c tests/main.c tests/inside.c' \
            run_tests aarch64-mmla aarch64-linux-gnu-gcc serial qemu-aarch64-static
        ;;
    riscv64) run_tests riscv64 riscv64-linux-gnu-gcc "$programs" qemu-riscv64-static ;;
    ppc64el) run_tests ppc64el powerpc64le-linux-gnu-gcc "$programs" qemu-ppc64le-static ;;
    s390x) run_tests s390x s390x-linux-gnu-gcc "$programs" qemu-s390x-static ;;
    musl) run_tests musl musl-gcc 'serial' env ;; # its gcc has no OpenMP
    wasi) wasi ;;
    macos) macos ;;
    *) skip "$name: there is no such name" ;;
    esac
done
sum_up && [ $((passed + skipped)) -gt 0 ]
