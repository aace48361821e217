#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The first things to try with a compiler or a system that is new: examples that need no library, on the CPU backend; then the same
# with OpenCL, which has to compile, and to run on the CPU where there is none. The last line is "N passed, N failed".
#
#     tests/first.sh COMPILER OPTION...
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$work/log
# shellcheck source=tests/count.sh
. tests/count.sh
libraries=()
case $(uname -s) in *_NT*) ;; *) libraries=(-lm) ;; esac

for example in 01_hello 03_transpose 09_algorithms 10_conjugate_gradient; do
    for backend in '' -DAMP_BACKEND_OPENCL; do
        # shellcheck disable=SC2086 # none is no word
        "$@" -std=c11 $backend -I. "examples/$example.c" -o "$work/$example.exe" ${libraries[0]+"${libraries[@]}"} >"$log" 2>&1 &&
            AMP_ACCELERATOR=cpu "$work/$example.exe" >"$log" 2>&1 && tail -n 1 "$log" | tr -d '\r' | grep -qx OK
        result $? "$example ${backend:-on the CPU}"
    done
done
sum_up
