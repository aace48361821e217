#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs with AMP_SPLIT and AMP_IMPLEMENTATION, as they should be and with mistakes: those the compiler or the linker
# refuses, with words that name the cure.
#
#     CC=cc tests/split.sh [--sample]    with gcc and clang, and $CC; a sample: with one of them
#
# The last line is "N passed, N failed, N skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C AMP_CACHE=0 AMP_LOG=error AMP_ACCELERATOR=cpu
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/count.sh
log=$work/log folder=.

. tests/installed_compilers.sh
installed_compilers "${CC:-cc}" clang gcc
[ "${1-}" != --sample ] || compilers=("${compilers[-1]}")

# compile OBJECT SOURCE [OPTION...]: adds to the log
compile() {
    $compiler -std=c11 -O0 -pthread -I$folder "${@:3}" -c "$2" -o "$work/$1.o" >>"$log" 2>&1
}

# implement OBJECT "HEADER..." [OPTION...]
implement() {
    # shellcheck disable=SC2086 # words are meant to be split
    printf '#include "%s"\n' $2 >"$work/implementation.c"
    compile "$1" "$work/implementation.c" -DAMP_SPLIT -DAMP_IMPLEMENTATION "${@:3}"
}

# link OBJECT...
link() {
    $compiler "${@/#/$work/}" -o "$work/program" -pthread -lm -ldl >>"$log" 2>&1
}

# right WHAT OBJECT...: links and runs
right() {
    : >"$log"
    link "${@:2}" && "$work/program" >>"$log" 2>&1
    result $? "$1 ($compiler)"
}

# wrong WHAT TEXT OBJECT...: does not link, and the linker prints the text
wrong() {
    : >"$log"
    ! link "${@:3}" && grep -qF -- "$2" "$log"
    result $? "$1: the linker does not say \"$2\" ($compiler)"
}

of=define_AMP_IMPLEMENTATION_in_one_file_with_AMP_BACKEND
for compiler in "${compilers[@]}"; do
    : >"$log"
    status=0
    implement plain amp.h && implement all 'amp_algorithms.h amp_graphics.h amp_matrix.h' && implement checked amp.h -DAMP_CHECKED &&
        implement rank amp.h -DAMP_MAX_RANK=5 && implement opencl amp.h -DAMP_BACKEND_OPENCL || status=1
    for part in a b; do
        { compile $part tests/options/$part.c -DAMP_SPLIT && compile $part-whole tests/options/$part.c &&
            compile $part-opencl tests/options/$part.c -DAMP_SPLIT -DAMP_BACKEND_OPENCL &&
            compile $part-checked tests/options/$part.c -DAMP_SPLIT -DAMP_CHECKED; } || status=1
    done
    compile b-serial tests/options/b.c -DAMP_SPLIT -DAMP_SERIAL -DAMP_NO_LOOKOVER || status=1
    compile b-whole-checked tests/options/b.c -DAMP_CHECKED || status=1
    compile algorithm tests/split/algorithm.c -DAMP_SPLIT && compile graphics tests/split/graphics.c -DAMP_SPLIT &&
        compile matrix tests/split/matrix.c -DAMP_SPLIT &&
        compile graphics-opencl tests/split/graphics.c -DAMP_SPLIT -DAMP_BACKEND_OPENCL &&
        compile rank-of tests/split/rank.c -DAMP_SPLIT &&
        compile rank-named tests/split/rank.c -DAMP_SPLIT -DNAMED -DAMP_MAX_RANK=8 || status=1
    result $status "everything compiles ($compiler)"

    right 'two files and an implementation' a.o b.o plain.o
    right 'an implementation with more headers' a.o b.o all.o
    right 'checked' a-checked.o b-checked.o checked.o
    right 'OpenCL' a-opencl.o b-opencl.o opencl.o
    right 'options that may differ' a.o b-serial.o plain.o
    right 'a file without AMP_SPLIT beside split ones' a.o b-whole.o plain.o
    right 'the main file without AMP_SPLIT' a-whole.o b.o plain.o
    right 'algorithms' algorithm.o all.o
    right 'graphics' graphics.o all.o
    right 'matrices' matrix.o all.o
    right 'a view of rank 4' rank-of.o plain.o
    right 'a create function of rank 4, with AMP_MAX_RANK' rank-named.o plain.o

    wrong 'no implementation' "${of}_CPU_alone_and_no_AMP_CHECKED_and_AMP_MAX_RANK_8" a.o b.o
    wrong 'two implementations' AMP_IMPLEMENTATION_is_defined_in_two_files_and_belongs_into_one a.o b.o plain.o all.o
    wrong 'an implementation of another backend' "${of}_OPENCL_and_CPU" a-opencl.o b-opencl.o plain.o
    wrong 'a file of another backend' "${of}_OPENCL_and_CPU" a.o b-opencl.o plain.o
    wrong 'an unchecked implementation' "${of}_CPU_alone_and_with_AMP_CHECKED" a-checked.o b-checked.o plain.o
    wrong 'one file checked' "${of}_CPU_alone_and_with_AMP_CHECKED" a.o b-checked.o plain.o
    wrong 'an implementation of another rank' AMP_MAX_RANK_8 a.o b.o rank.o
    wrong 'an implementation without algorithms' include_amp_algorithms_h_in_the_file_with_AMP_IMPLEMENTATION algorithm.o plain.o
    wrong 'an implementation without graphics' include_amp_graphics_h_in_the_file_with_AMP_IMPLEMENTATION graphics.o plain.o
    wrong 'an implementation without matrices' include_amp_matrix_h_in_the_file_with_AMP_IMPLEMENTATION matrix.o plain.o
    wrong 'the same, OpenCL' include_amp_graphics_h_in_the_file_with_AMP_IMPLEMENTATION graphics-opencl.o opencl.o

    # Views of other files: each function alone has to name its options.
    for call in 'return AMP_AT(*v, 0);' 'return AMP_AT(*v, AMP_INDEX(0));' 'return amp_array_view_release(v);' 'return amp_array_view_synchronize(v);' \
        'return amp_copy(*v, *v);' '*v = amp_array_view_retain(*v); return 0;' 'return amp_copy_in(data, *v);' 'return amp_copy_out(*v, data);'; do
        printf '#include "amp.h"\nint data[9], f(amp_array_view_int_1 *v);\nint f(amp_array_view_int_1 *v) { %s }\n' "$call" >"$work/takes.c"
        compile takes "$work/takes.c" -DAMP_SPLIT -DAMP_CHECKED
        wrong "a checked file with '$call'" "${of}_CPU_alone_and_with_AMP_CHECKED" a.o b.o takes.o plain.o
    done

    : >"$log"
    link a.o b-whole-checked.o plain.o && "$work/program" >>"$log" 2>&1
    [ $? -eq 3 ] && grep -q 'include amp.h with different options: .*AMP_CHECKED' "$log"
    result $? "a checked file without AMP_SPLIT beside split ones: the first call reports it ($compiler)"
    : >"$log"
    ! compile rank-refused tests/split/rank.c -DAMP_SPLIT -DNAMED && grep -q 'error: .*AMP_MAX_RANK=8' "$log"
    result $? "a create function of rank 4 without AMP_MAX_RANK: an error that names the cure ($compiler)"
done

# The library as one file.
for header in amp.h amp_algorithms.h amp_graphics.h amp_group.h amp_matrix.h amp_recording.h; do scripts/layers --single $header >"$work/$header"; done
folder=$work
for compiler in "${compilers[@]}"; do
    : >"$log"
    implement all 'amp_algorithms.h amp_graphics.h amp_matrix.h' && compile algorithm tests/split/algorithm.c -DAMP_SPLIT &&
        compile a tests/options/a.c -DAMP_SPLIT && compile b tests/options/b.c -DAMP_SPLIT &&
        compile graphics tests/split/graphics.c -DAMP_SPLIT
    result $? "the library as one file compiles ($compiler)"
    right 'one file: two files and an implementation' a.o b.o all.o
    right 'one file: algorithms' algorithm.o all.o
    right 'one file: graphics' graphics.o all.o
done

sum_up
