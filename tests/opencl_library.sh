#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Where OpenCL comes from: programs that load it when they run, are linked with it, have something put before it, or find
# none; and that amp/backends/opencl_api.h agrees with CL/cl.h. The last line is "N passed, N failed, N skipped". $CC,
# $OPENCL_CFLAGS and $OPENCL_LIBS are used when they are set.
set -u

cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc}
read -ra cl_flags <<<"${OPENCL_CFLAGS-}"
read -ra cl_libraries <<<"${OPENCL_LIBS:--lOpenCL}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export AMP_CACHE=0 AMP_LOG=info LC_ALL=C
unset AMP_ACCELERATOR AMP_OPENCL_LIBRARY
. tests/count.sh
log=$work/log shown='head -n 12'

# build PROGRAM [OPTION...]
build() {
    $CC -std=c11 -O0 -pthread -I. -DAMP_BACKEND_OPENCL tests/opencl_library/doubles.c -o "$work/$1" "${@:2}" -lm -ldl 2>"$work/log"
}

# expect WHAT OUTPUT TEXT... -- COMMAND...: it ends well with that output, and tells every TEXT; none that begins with "!"
expect() {
    local what=$1 output=$2 status=0 text
    local -a texts=()
    shift 2
    while [ "$1" != -- ]; do texts+=("$1") && shift; done
    shift
    scripts/limit 60 "$@" >"$work/output" 2>"$work/log" || status=1
    [ "$(cat "$work/output")" = "$output" ] || status=1
    for text in "${texts[@]}"; do
        if grep -qF -- "${text#!}" "$work/log"; then [ "$text" = "${text#!}" ] || status=1; else [ "$text" != "${text#!}" ] || status=1; fi
    done
    cat "$work/output" >>"$work/log"
    result $status "$what"
}

# ---- as in CL/cl.h ---------------------------------------------------------------------------------

have_header=no
echo '#include <CL/cl.h>' | $CC "${cl_flags[@]}" -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only -x c - 2>/dev/null && have_header=yes
for compiler in gcc clang; do
    [ $have_header = yes ] && command -v $compiler >/dev/null || continue
    for options in -DBEFORE -DAFTER '-DBEFORE -DAMP_OPENCL_LINKED' '-DAFTER -DAMP_OPENCL_LINKED'; do
        # shellcheck disable=SC2086 # words are meant to be split
        $compiler -std=c11 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wredundant-decls -Werror -I. \
            "${cl_flags[@]}" -DAMP_BACKEND_OPENCL $options tests/opencl_library/agreement.c 2>"$work/log"
        result $? "agreement.c, $compiler $options"
    done
done
[ $have_header = yes ] || skip 'agreement with CL/cl.h: it is not there'

# ---- none ------------------------------------------------------------------------------------------

none='no OpenCL device found: kernels run on the CPU'
build loaded
result $? 'doubles.c does not compile'
mkdir "$work/broken" && touch "$work/broken/libOpenCL.so.1" "$work/broken/libOpenCL.so"
expect 'a library that is not there' 'cpu 2 4 6' "OpenCL: $work/none.so cannot be loaded: " "$none" -- \
    env AMP_OPENCL_LIBRARY="$work/none.so" "$work/loaded"
expect 'no library that can be loaded' 'cpu 2 4 6' 'OpenCL: libOpenCL.so.1 cannot be loaded: ' 'OpenCL: libOpenCL.so cannot' "$none" -- \
    env LD_LIBRARY_PATH="$work/broken" "$work/loaded"
expect 'nothing is said where nobody wants to know' 'cpu 2 4 6' '!OpenCL' -- \
    env AMP_LOG=error LD_LIBRARY_PATH="$work/broken" "$work/loaded"
if $CC -shared -fPIC -DOLD tests/opencl_library/between.c -o "$work/old.so" -ldl 2>"$work/log"; then
    expect 'a library older than 1.2' 'cpu 2 4 6' "OpenCL: $work/old.so has no clGetPlatformInfo" "$none" -- \
        env AMP_OPENCL_LIBRARY="$work/old.so" "$work/loaded"
else
    result 1 'between.c does not compile'
fi
if build static -static; then
    expect 'a static program' 'cpu 2 4 6' 'OpenCL: a program that is linked with -static loads no libraries' "$none" -- "$work/static"
else
    skip 'a static program: it cannot be linked here'
fi

# ---- some ------------------------------------------------------------------------------------------

export AMP_ACCELERATOR=opencl # which may be a CPU, and no default
device=$("$work/loaded" 2>"$work/log")
if [ "${device%% *}" = opencl ]; then
    name=$(sed -n 's/^amp: OpenCL: that of //p' "$work/log")
    expect 'loaded' 'opencl 2 4 6' '!OpenCL: libOpenCL.so.1 cannot' "!$none" -- "$work/loaded"
    expect 'loaded by its name' 'opencl 2 4 6' "OpenCL: that of $name" -- env AMP_OPENCL_LIBRARY="$name" "$work/loaded"
    expect 'put before the program' 'opencl 2 4 6' 'OpenCL: that of this program' -- env LD_PRELOAD="$name" "$work/loaded"
    if $CC -shared -fPIC tests/opencl_library/between.c -o "$work/between.so" -ldl 2>"$work/log"; then
        expect 'something between' 'opencl 2 4 6' 'between: asked' -- env LD_PRELOAD="$work/between.so $name" "$work/loaded"
    else
        result 1 'between.c does not compile'
    fi
    if echo 'int clFinish(void *); int main(void) { return clFinish(0); }' | $CC -x c - -o "$work/linked" "${cl_libraries[@]}" 2>/dev/null; then
        build linked -DAMP_OPENCL_LINKED "${cl_libraries[@]}"
        result $? 'doubles.c does not link with OpenCL'
        expect 'linked' 'opencl 2 4 6' '!OpenCL: ' -- env AMP_OPENCL_LIBRARY="$work/none.so" "$work/linked"
    else
        skip 'linked: the OpenCL library cannot be linked with'
    fi
else
    skip 'programs that find OpenCL: there is no OpenCL device'
fi

sum_up
