#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Launches on MPI ranks (amp_mpi.h): the programs of tests/mpi, with each MPI that is here.
#
#     CC=cc tests/mpi.sh [--opencl] [--sample]    on the CPU backend, or on OpenCL
#
# On the CPU backend 1, 3 and 4 ranks run three builds: the usual one, a checked one with calls compared, one with AMP_SPLIT. Ranks of
# MPICH with UCX sleep when they wait (tests/mpi/patient.c). A sample runs each build and each number of ranks once, so that three successive turns ($AMP_TEST_TURN)
# have all pairs; on OpenCL a turn has one device for each of 3 ranks, the next a group for each of 2. $QUICKEST compiles, or $CC.
# The programs stay in $FOLDER, if that is set.
#
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C AMP_CACHE=0 OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
# as root, and with more ranks than cores
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
work=${FOLDER:-$(mktemp -d)}
[ -n "${FOLDER-}" ] || trap 'rm -rf "$work"' EXIT
. tests/count.sh
log=$work/log
flags='-std=c11 -O0 -fopenmp -I. -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -DAMP_PRIV_WARNINGS'
libraries='-lm -ldl -pthread'
export MPICH_CC=${QUICKEST:-${CC:-cc}}
export OMPI_CC=$MPICH_CC

# Debian's names of each MPI, else those of the only one.
kinds=()
for kind in .mpich .openmpi; do
    command -v mpicc$kind >/dev/null && command -v mpirun$kind >/dev/null && kinds+=("$kind")
done
[ ${#kinds[@]} -gt 0 ] || kinds=('')

# patiently PROGRAM: prints what is loaded before it
patiently() {
    [ -e "$work/patient.so" ] && ldd "$1" 2>/dev/null | grep -q libucp && echo "LD_PRELOAD=$work/patient.so"
}
${CC:-cc} -std=c11 -O1 -fPIC -shared tests/mpi/patient.c -o "$work/patient.so" -ldl 2>/dev/null

# ranks N PROGRAM [ARGUMENT...]: adds to the log
ranks() {
    # mpirun itself may open OpenCL, whose loader cuts this variable at its first ':' for its children
    # shellcheck disable=SC2046 # no word or one
    scripts/limit 240 "mpirun$kind" -n "$1" env ${OCL_ICD_FILENAMES:+"OCL_ICD_FILENAMES=$OCL_ICD_FILENAMES"} $(patiently "$2") "${@:2}" >>"$log" 2>&1
}

# compile PROGRAM SOURCE... OPTION...
compile() {
    # shellcheck disable=SC2086 # words are meant to be split
    "mpicc$kind" $flags "${@:2}" -o "$work/$1" $libraries >>"$log" 2>&1
}

# right WHAT N PROGRAM
right() {
    : >"$log"
    ranks "$2" "$work/$3" "$work" && grep -q '^[1-9][0-9]* passed, 0 failed$' "$log"
    result $? "$1, $2 ranks (mpicc$kind)" "$(cat "$log")"
}

# wrong HOW TEXT: one rank fails; the text is printed, and all end, before the time is over. MPICH's mpirun sometimes prints
# nothing of what the ranks wrote: then once more.
wrong() {
    local status
    for _ in 1 2 3; do
        : >"$log"
        ranks 3 "$work/ranks_cpu" "$work" "$1"
        status=$?
        if [ -s "$log" ] || [ -z "$2" ]; then break; fi
    done
    [ $status -ne 0 ] && [ $status -ne 124 ] && [ $status -ne 137 ] && { [ -z "$2" ] || grep -qF -- "$2" "$log"; }
    result $? "a rank fails, $1 (mpicc$kind)" "status $status; $(cat "$log")"
}

opencl=false sample=false
for option in "$@"; do
    case $option in
    --opencl) opencl=true ;;
    --sample) sample=true ;;
    *) sed -n '3,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    esac
done
turn=${AMP_TEST_TURN:-0} numbers=(1 3 4)

# build PLACE WHAT PROGRAM: a build runs on each number of ranks, in a sample on the one that PLACE and the turn choose
build() {
    local i
    for i in 0 1 2; do
        $sample && [ $(((i + $1 + turn) % 3)) -ne 0 ] || right "$2" "${numbers[i]}" "$3"
    done
}

for kind in "${kinds[@]}"; do
    : >"$log"
    if $opencl; then
        compile ranks_opencl tests/mpi/ranks.c -DAMP_BACKEND_OPENCL
        result $? "compiles for OpenCL (mpicc$kind)" "$(cat "$log")"
        export AMP_ACCELERATOR=opencl
        $sample && [ $((turn % 2)) -ne 0 ] || right OpenCL 3 ranks_opencl
        # ranks with two accelerators each, and memory of their own
        $sample && [ $((turn % 2)) -ne 1 ] ||
            POCL_DEVICES='pthread pthread pthread pthread' AMP_FORCE_COPIES=1 AMP_GROUP_THREADS=0 right 'groups, separate copies' 2 ranks_opencl
        continue
    fi
    compile ranks_cpu tests/mpi/ranks.c
    result $? "compiles (mpicc$kind)" "$(cat "$log")"
    build 0 'the CPU backend' ranks_cpu
    wrong released 'amp: rank 1: AMP_UNINITIALIZED_OBJECT: kernel in fail'
    wrong handler 'amp: rank 1 ends the program, because other ranks would wait for it: a launch failed: kernel in fail'
    wrong array 'the array array is in the memory of this process alone'
    wrong exit ''
    export AMP_MPI_CHECK=1
    wrong value 'rank 1 has another value of n than rank 0; extents, scalars and the shapes of views are equal on all ranks'
    wrong extent 'rank 2 has another extent than rank 0'
    wrong order 'the ranks make different calls: rank 0 is at kernel in fail, at or near tests/mpi/ranks.c:'
    wrong root 'amp_mpi_gather: rank 1 has another argument than rank 0'
    wrong view 'amp_mpi_gather: rank 1 has another view than rank 0'
    : >"$log"
    compile ranks_checked tests/mpi/ranks.c -DAMP_CHECKED
    result $? "compiles, checked (mpicc$kind)" "$(cat "$log")"
    build 1 'checked build, calls are compared' ranks_checked
    unset AMP_MPI_CHECK
    printf '#include "amp_algorithms.h"\n#include "amp_mpi.h"\n' >"$work/implementation.c"
    "mpicc$kind" $flags -DAMP_SPLIT -DAMP_IMPLEMENTATION -c "$work/implementation.c" -o "$work/ranks_split-inside.o" >>"$log" 2>&1 &&
        compile ranks_split tests/mpi/ranks.c "$work/ranks_split-inside.o" -DAMP_SPLIT
    result $? "compiles with AMP_SPLIT (mpicc$kind)" "$(cat "$log")"
    build 2 'AMP_SPLIT' ranks_split
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
