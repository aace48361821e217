#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What runs the tests: scripts/limit, scripts/part, scripts/run-examples. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$work/log
# shellcheck source=tests/count.sh
. tests/count.sh
unset AMP_TEST_TURN AMP_ACCELERATOR CLOCK_SECONDS IDLE_SECONDS PART_SECONDS EXAMPLE_SECONDS

same() { # WHAT GOT WANTED
    [ "$2" = "$3" ] && : >"$log" || printf 'it is:\n%s\nexpected:\n%s\n' "$2" "$3" >"$log"
    result "$([ ! -s "$log" ]; echo $?)" "$1"
}
has() { # WHAT TEXT PART
    case $2 in *"$3"*) : >"$log" ;; *) printf 'there is no "%s" in:\n%s\n' "$3" "$2" >"$log" ;; esac
    result "$([ ! -s "$log" ]; echo $?)" "$1"
}
status() { "$@" >/dev/null 2>&1; echo $?; }

# The limit.
if [ -r /proc/self/stat ]; then
    same 'a loop of two processes is stopped' "$(status scripts/limit 1 bash -c 'while :; do :; done & while :; do :; done')" 124
    same 'what waits for ever is stopped' "$(IDLE_SECONDS=2 status scripts/limit 60 sleep 60)" 124
    if command -v taskset >/dev/null; then
        for _ in 1 2 3 4; do taskset -c 0 timeout 7 bash -c 'while :; do :; done' & done
        # shellcheck disable=SC2016 # for the other shell
        same 'what gets no processor is not stopped' "$(IDLE_SECONDS=2 status scripts/limit 60 taskset -c 0 nice -n 19 \
            bash -c 'for ((i = 0; i < 100000; i++)); do :; done')" 0
        wait
    else
        skip 'what gets no processor: there is no taskset'
    fi
else
    skip 'limits of processor time: there is no /proc'
fi
same 'waiting takes no processor time' "$(status scripts/limit 1 sleep 2)" 0
same 'the status is passed on' "$(status scripts/limit 9 bash -c 'exit 7')" 7
same 'input and output are passed on' "$(echo text | scripts/limit 9 cat)" text

# Parts and their sum.
cat >"$work/unit" <<'END'
echo '[ RUN      ] first'
echo '[       OK ] first'
echo '[ RUN      ] second'
echo '[  ERROR   ] --- opencl:0: x is 3, expected 4'
echo '[   LINE   ] --- tests/memory/array_view.c:33: error: Failure!'
echo '[  FAILED  ] second'
echo '[  PASSED  ] 1 test(s).'
echo '[  FAILED  ] tests: 1 test(s), listed below:'
exit 1
END
printf 'echo "FAILED  the figure"\necho "        it is 5"\necho "2 passed, 1 failed"\nexit 1\n' >"$work/script"
mkdir "$work/bin" && printf '#!/usr/bin/env bash\n. %q\n' "$work/unit" >"$work/bin/test_unit" && chmod +x "$work/bin/test_unit"
AMP_TEST_SEED=5 scripts/part "$work/results" 'units' env A=1 "$work/bin/test_unit" memory >/dev/null
scripts/part "$work/results" 'script' bash "$work/script" >/dev/null
scripts/part "$work/results" 'no program' env -u B A=1 "$work/bin/test_cpu" >/dev/null
# shellcheck disable=SC2016 # expands in the inner shell
scripts/part "$work/results" 'loop' bash -c 'for ((i = 0; i < 2000000; i++)); do :; done' >/dev/null
scripts/part "$work/results" 'crash' bash -c 'echo "[ RUN      ] third"; kill -SEGV $$' >/dev/null
sum=$(scripts/part --sum "$work/results")
same 'the last line' "$(tail -n 1 <<<"$sum")" '4 passed, 3 failed, 1 skipped'
has 'place, name and values of a failure' "$sum" 'tests/memory/array_view.c:33 second
    opencl:0: x is 3, expected 4'
printf 'FAILED  one case\n    alone: this case\n    it is 6\nFAILED  all\n  it is 7\nat x.h:8\nSKIPPED one\nno part of it\n' >"$work/cases"
has 'the command of one case' "$(scripts/part --failures "$work/cases" all cases)" 'FAILED  one case
    it is 6
    alone: this case
FAILED  all
    it is 7
    at x.h:8
    alone: all cases'
printf '[ RUN      ] cut\nERROR: long\nits end[  ERROR   ] --- [   LINE   ] --- tests/base/os.c:7: error: Failure!\n[  FAILED  ] cut\n' >"$work/cut"
has 'the place of a failure whose message cmocka cuts' "$(scripts/part --failures "$work/cut" build/test_cpu)" 'tests/base/os.c:7 cut'
has 'the command that repeats it' "$sum" "AMP_TEST_SEED=5 env A=1 $work/bin/test_unit memory/array_view.c:second"
has 'what a script says of a failure' "$sum" 'FAILED  the figure
    it is 5'
has 'a program that was not built is skipped' "$sum" "SKIPPED: no program ($work/bin/test_cpu was not built)"
same 'the slowest part and its processor time' \
    "$(awk -F ' *s, by the clock [0-9]* s: ' 'NR == 2 { print ($1 > 0.2 ? $2 : $0) }' <<<"$sum")" loop
has 'the signal that ended it' "$sum" 'FAILED: crash: 1 (ended by signal SEGV)'
has 'the test that a program ended in' "$sum" 'third (the program ended there)'

# Examples that use all devices take CUDA's, where the program has them.
mkdir -p "$work/build/examples"
example() { printf '#!/bin/sh\n%s\n' "$2" >"$work/build/$1" && chmod +x "$work/build/$1"; }
# shellcheck disable=SC2016 # expands in the program
example examples/05_devices_opencl 'echo "it takes $AMP_ACCELERATOR"; echo OK'
example accelerators "printf 'cpu\tCPU\ncuda:0\tGPU\nopencl:pocl/0\tpocl\n'"
has 'all devices of CUDA' "$(scripts/run-examples --show --build "$work/build" --with 1 05_devices)" 'it takes cuda'
example accelerators "printf 'cpu\tCPU\nopencl:gpu/0\tGPU\n'"
has 'all devices of OpenCL' "$(scripts/run-examples --show --build "$work/build" --with 1 05_devices)" 'it takes opencl'

# What `make run` shows, with a compiler whose program has two devices.
cat >"$work/cc" <<'END'
#!/usr/bin/env bash
while [ $# -gt 1 ]; do [ "$1" = -o ] && out=$2; shift; done
cat >"$out" <<'PROGRAM'
#!/usr/bin/env bash
[ "$AMP_LOG" != info ] || printf 'amp: found cpu: CPU\namp: found opencl:gpu/0: A GPU: large\namp: found opencl:bad/0: Broken\n'
case $AMP_ACCELERATOR in
*gpu*) rate=8.00 ;;
*bad*) echo 'amp: it broke' && exit 1 ;;
*) rate=0.$((2 * ${OMP_NUM_THREADS:-1}))0 ;;
esac
echo "9 triangles, $rate million paths/s, hash 12345678, $*"
PROGRAM
chmod +x "$out"
END
chmod +x "$work/cc"
page=$(CC=$work/cc scripts/show "$work/show" | tr -s ' ')
has 'one thread comes first, under what the columns mean' "$page" $'as many as one thread.\none thread 0.20 million paths/s 1.0 x\n'
has 'each device has a line' "$page" 'A GPU: large 8.00 million paths/s 40.0 x'
has 'a device that fails has its message' "$page" 'Broken failed: amp: it broke'
has 'the fastest draws the picture' "$page" '8.00 million paths/s, hash 12345678, 232 640 160'
sum_up
