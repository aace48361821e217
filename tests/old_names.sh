#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Do the earlier names of amp/api/old_names.h still work, and does the compiler name the new one, once for each use?
#
# Compiles tests/old_names.c for the CPU backend and for OpenCL, counts the warnings, and runs it.
#
#     tests/old_names.sh    the last line is "N passed, N failed, N skipped"
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C
# shellcheck source=tests/count.sh
. tests/count.sh
build=${BUILD:-build}/old_names
log=$build/log
shown='head -n 20'
mkdir -p "$build"

# try COMPILER NAME OPTION...: one program
try() {
    local compiler=$1 name=$2 status=0 expected
    shift 2
    expected=$(sed -n 's,.*// old: ,,p' tests/old_names.c)
    [ "$name" != cpu ] || expected=$(grep -v OPENCL <<<"$expected")
    $compiler -std=c11 -Wall -Wextra -Wpedantic -I. "$@" tests/old_names.c -o "$build/$name" -lm -ldl -lpthread >"$log" 2>&1 ||
        status=1
    while read -r new; do
        [ "$(grep -c "warning: .*amp: amp_[a-z_]* is $(sed 's/[.*]/\\&/g' <<<"$new") now" "$log")" = 1 ] ||
            { echo "not warned once: $new" >>"$log"; status=1; }
    done <<<"$expected"
    [ "$(grep -c 'warning:' "$log")" = "$(wc -l <<<"$expected")" ] || { echo "other warnings" >>"$log"; status=1; }
    result $status "$compiler, $name: one warning for each earlier name"
    AMP_ACCELERATOR=$name AMP_CACHE=0 "$build/$name" >"$log" 2>&1
    result $? "$compiler, $name: the program works"
}

for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip $compiler; continue; }
    try $compiler cpu
    if [ -e /usr/include/CL/cl.h ]; then try $compiler opencl -DAMP_BACKEND_OPENCL; else skip "$compiler, opencl"; fi
done
sum_up
