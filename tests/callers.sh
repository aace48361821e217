#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# examples/library, built as docs/calling.md says and called from Python (with NumPy and without), C# and C++: each caller
# checks what it gets. On the CPU backend, and once on a device. What is not here is skipped. The last line is "N passed,
# N failed, N skipped". $CC and $CXX are used when they are set.
set -u
cd "$(dirname "$0")/../examples/library" || exit 1
limit=$PWD/../../scripts/limit # of processor time
export LC_ALL=C.UTF-8 AMP_LOG=error PYTHONDONTWRITEBYTECODE=1
CC=${CC:-cc}
CXX=${CXX:-c++}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export FIELDS_LIBRARY=$work/libfields.so LD_LIBRARY_PATH=$work${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
warnings='-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror'
. ../../tests/count.sh
log=$work/output shown='tail -n 12'

# call NAME COMMAND [ARGUMENT...]: a caller, which ends with OK; what it says is shown
call() {
    "$limit" 60 "${@:2}" >"$work/output" 2>&1 && [ "$(tail -n 1 "$work/output")" = OK ]
    local status=$?
    [ $status -ne 0 ] || head -n 1 "$work/output"
    result $status "$1"
}

# shellcheck disable=SC2086 # words are meant to be split
$CC -std=c11 -O0 $warnings -DAMP_PRIV_WARNINGS -DAMP_BACKEND_OPENCL -fopenmp -fPIC -shared -fvisibility=hidden -I../.. fields.c \
    -o "$work/libfields.so" -Wl,--version-script=fields.map,-z,nodelete -lm -ldl -pthread >"$work/output" 2>&1
result $? 'the library is built'
nm -D --defined-only "$work/libfields.so" | awk '{ print $NF }' | sort >"$work/exported"
sed -n 's/^FIELDS_API.*[ *]\(fields_[a-z]*\)(.*/\1/p' fields.h | sort | diff - "$work/exported" >"$work/output" 2>&1
result $? 'it has the symbols of fields.h and no others'

export AMP_ACCELERATOR=cpu
with_numpy=
for python in python3 /usr/bin/python3; do
    [ -n "$with_numpy" ] || ! "$python" -c 'import numpy' 2>/dev/null || with_numpy=$python
done
if command -v python3 >/dev/null; then
    call 'Python' python3 call.py --plain
    if AMP_ACCELERATOR=opencl python3 -c 'import fields; fields.device()' >"$work/output" 2>&1; then
        call 'Python on a device' env AMP_ACCELERATOR=opencl python3 call.py --plain
    else
        skip 'Python on a device: there is no OpenCL device'
    fi
else
    skip 'Python: python3 is not installed'
fi
if [ -n "$with_numpy" ]; then
    call 'NumPy' "$with_numpy" call.py
else
    skip 'NumPy: it is not installed'
fi

if command -v mcs >/dev/null && command -v mono >/dev/null; then
    if mcs -warnaserror Call.cs -out:"$work/Call.exe" >"$work/output" 2>&1; then
        call 'C#' mono "$work/Call.exe"
    else
        result 1 'Call.cs does not compile'
    fi
else
    skip 'C#: mcs and mono are not installed (scripts/setup --mono installs them)'
fi

if command -v "${CXX%% *}" >/dev/null; then
    # shellcheck disable=SC2086 # words are meant to be split
    if $CXX -std=c++11 -O0 $warnings call.cpp -o "$work/call" -L"$work" -lfields -pthread >"$work/output" 2>&1; then
        call 'C++' "$work/call"
    else
        result 1 'call.cpp does not compile'
    fi
else
    skip "C++: $CXX is not installed"
fi

# The commands of docs/calling.md as they stand there, in a copy of the folder.
if command -v mcs >/dev/null && command -v mono >/dev/null && command -v python3 >/dev/null && command -v c++ >/dev/null; then
    mkdir -p "$work/copy/examples" && cp -r . "$work/copy/examples/library" && cp -r ../../amp ../../amp*.h "$work/copy"
    sed -n '/^```sh$/,/^```$/p' ../../docs/calling.md | sed '1d; $d; s/-O3/-O0/' >"$work/commands"
    (cd "$work/copy/examples/library" && env -u FIELDS_LIBRARY -u LD_LIBRARY_PATH "$limit" 120 bash -e "$work/commands") \
        >"$work/output" 2>&1 && [ "$(grep -cx OK "$work/output")" -eq 3 ]
    result $? "the commands of docs/calling.md"
else
    skip 'the commands of docs/calling.md: a language is missing'
fi

mingw=${MINGW_CC:-x86_64-w64-mingw32-gcc}
if command -v "$mingw" >/dev/null; then
    # shellcheck disable=SC2086 # words are meant to be split
    $mingw -std=c11 -O0 $warnings -fopenmp -shared -I../.. fields.c -o "$work/fields.dll" -static >"$work/output" 2>&1 &&
        "${mingw%gcc}objdump" -p "$work/fields.dll" | sed -n '/Ordinal\/Name/,$s/.* \(fields_[a-z]*\)$/\1/p' | sort |
        diff "$work/exported" - >>"$work/output" 2>&1
    result $? 'a DLL for Windows, which has the same'
else
    skip "a DLL for Windows: $mingw is not there (scripts/setup --windows installs it)"
fi

sum_up
