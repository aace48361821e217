#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What `make dist` writes can be used: its check sums are right; from the archive three examples are built as it is unpacked, and from
# the single headers the same and the program of README.md, in folders with nothing else. The last line is "N passed, N failed".
#
#     tests/dist.sh FOLDER        where make dist wrote; $CC is used when it is set
set -u
cd "$(dirname "$0")/.." || exit 1
# shellcheck source=tests/count.sh
. tests/count.sh
dist=$(cd "$1" && pwd) || exit 1
top=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$work/log
limit=$top/scripts/limit

(cd "$dist" && sha256sum --check --quiet SHA256SUMS) >"$log" 2>&1
result $? 'the check sums'

# build_and_run WHAT FOLDER FILE: in FOLDER, and its last line is OK, or with ANSWER that
build_and_run() {
    (cd "$2" && ${CC:-cc} -O0 -fopenmp -Wall -Wextra -I. "$3" -o program -lm && $limit 60 ./program) >"$log" 2>&1
    status=$?
    [ $status -ne 0 ] || tail -n 1 "$log" | grep -qx "${ANSWER-OK}" || status=1
    result $status "$1"
}

mkdir "$work/archive" && tar -xzf "$dist"/amp-*.tar.gz -C "$work/archive"
folder=$(echo "$work"/archive/*)
single=$work/single
mkdir "$single" && cp "$dist"/*.h "$single/"
for example in 01_hello 03_transpose 09_algorithms; do
    build_and_run "$example from the archive" "$folder" "examples/$example.c"
    cp "examples/$example.c" "$single/"
    build_and_run "$example from the single headers" "$single" "$example.c"
done

# The program of the README, with amp.h alone.
mkdir "$work/alone" && cp "$dist/amp.h" "$work/alone/"
# shellcheck disable=SC2016 # Markdown's
sed -n '/^```c$/,/^```$/p' README.md | grep -v '^```' >"$work/alone/saxpy.c"
ANSWER=3000 build_and_run 'the program of README.md with the single amp.h' "$work/alone" saxpy.c

# The version is one.
version=$(sed -n 's/^#define AMP_VERSION  *"\(.*\)".*/\1/p' amp/base/status.h)
{
    echo "#include \"amp.h\""
    echo "_Static_assert(AMP_VERSION_NUMBER == $(echo "$version" | awk -F . '{ print 10000 * $1 + 100 * $2 + $3 }'), \"\");"
} | ${CC:-cc} -std=c11 -I. -fsyntax-only -x c - >"$log" 2>&1
result $? 'AMP_VERSION_NUMBER is AMP_VERSION'
: >"$log"
[ -e "$dist/amp-$version.tar.gz" ] && grep -q "^version: $version\$" CITATION.cff && grep -q "\"version\": \"$version\"" packaging/vcpkg/vcpkg.json
result $? "$version is the version of the archive, CITATION.cff and packaging/vcpkg/vcpkg.json"

sum_up
