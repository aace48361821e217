#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# One program with AMP_BACKEND_ALL runs on each backend, by AMP_ACCELERATOR: on the CPU, on the stand-ins for CUDA
# and HIP, and on OpenCL and Vulkan where a device is there (CLSPV). The last line is "N passed, N failed, N skipped".
#
# Also tests amp/backends/backends.h, amp/base/backend_list.h.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(realpath -m "${BUILD:-build}")
program=$build/all_backends
export AMP_CUDA_LIBRARY=$build/libfakecuda.so AMP_NVRTC_LIBRARY=$build/libfakecuda.so CXX=${CXX:-c++} AMP_CACHE=0
passed=0 failed=0 skipped=0

# expect BACKEND LIBRARY_OF_HIP DEVICES
expect() {
    local said
    said=$(AMP_LOG=info AMP_ACCELERATOR=$1 AMP_HIP_LIBRARY=$2 AMP_HIPRTC_LIBRARY=$2 FAKE_CUDA_DEVICES=$3 "$program" 2>&1)
    if [[ $1 == opencl || $1 == llvmpipe ]] && ! grep -q "^amp: found ${1/llvmpipe/vulkan:llvmpipe}" <<<"$said"; then
        skipped=$((skipped + 1))
        echo "SKIPPED  $1: there is no device"
    elif grep -q "^amp: the default accelerator is ${1/llvmpipe/vulkan:llvmpipe}" <<<"$said" && [ "$(grep -v '^amp' <<<"$said" | tail -n 1)" = OK ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\n%s\n' "$1" "$said"
    fi
}

${CC:-cc} -std=c11 -O0 -w -I. -DAMP_BACKEND_ALL examples/01_hello.c -o "$program" -lm -ldl || exit 1
expect cpu none 0
expect cuda none 2
AMP_CUDA_LIBRARY=none expect hip "$build/libfakehip.so" 2
expect opencl none 0
AMP_CLSPV_LIBRARY=${CLSPV-} expect llvmpipe none 0
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
