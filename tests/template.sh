#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The project in template/, copied: its makefile on the CPU and with all backends, its snippets as code, and what clangd says of it
# and of an example with five kernels: nothing, and of a misspelt name in a body that name. CMake is tested by tests/packages.sh.
# $CC is used when it is set. The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$work/log
# shellcheck source=tests/count.sh
. tests/count.sh

cp -r template "$work/project"
for backend in cpu all; do
    make -s -C "$work/project" CC="${CC:-cc}" CFLAGS='-O0 -Wall -Wextra -Werror' AMP="$PWD" BACKEND=$backend clean check >"$log" 2>&1 &&
        (cd "$work/project" && ./app) >"$log" 2>&1 && grep -q '^   0   0   0  20  20  20' "$log"
    result $? "the project, backend $backend"
done

PKG_CONFIG_PATH=/none PKG_CONFIG_LIBDIR=/none make -s -C "$work/project" check >"$log" 2>&1
grep -q 'there is no amp.h: run "make install"' "$log"
result $? 'the project, without amp.h'

# Snippets with their defaults, in a function that has the views.
perl -0777 -ne '
    my $n = 0;
    while (/"body": \[(.*?)\n        \]/sg) {
        my $text = join "\n", map { s/\\"/"/gr } $1 =~ /"((?:[^"\\]|\\.)*)"/g;
        1 while $text =~ s/\$\{\d+:((?:[^{}]|\{[^{}]*\})*?)\}(?![^{]*\$\{\d+:[^}]*$)/$1/;
        $n++;
        print "void test_$n(amp_const_array_view_float_1 x, amp_array_view_float_1 y);\nvoid test_$n(amp_const_array_view_float_1 x, amp_array_view_float_1 y)\n{\n(void)x, (void)y;\n$text\n}\n";
    }' template/.vscode/amp.code-snippets >"$work/bodies"
{ echo '#include "amp_algorithms.h"' && cat "$work/bodies"; } >"$work/snippets.c"
[ "$(grep -c '^void test.*;' "$work/snippets.c")" = 3 ] && ${CC:-cc} -std=c11 -Wall -Wextra -Werror -I. -fsyntax-only "$work/snippets.c" >"$log" 2>&1
result $? 'the snippets'

if command -v clangd >/dev/null; then
    # of_clangd NAME: what it says of an example, with a misspelt name if NAME is "misspelt"; of one line it asks about each word
    of_clangd() {
        local change=
        [ "$1" != misspelt ] || change='s/= attracted(a, here/= atracted(a, here/'
        sed "$change" examples/23_from_naive_to_fast.c >"$work/$1.c"
        scripts/limit 300 clangd --check="$work/$1.c" --check-lines=100-101 --log=error 2>&1 | grep -v 'tweak:'
    }
    sed "s,-I\\.,-I$PWD," compile_flags.txt | sed "s,-Iexamples,-I$PWD/examples," >"$work/compile_flags.txt"
    of_clangd five >"$log"
    result "$([ ! -s "$log" ]; echo $?)" 'clangd says nothing of five kernels'
    of_clangd misspelt >"$log"
    grep -q 'Line 101' "$log"
    result $? 'clangd finds a misspelt name in a body'
else
    skip 'clangd: it is not there (scripts/setup installs it)'
fi
sum_up
