/* SPDX-License-Identifier: MIT */
/*  amp/hip/hip_text.h - source that makes a kernel HIP: CUDA's, after some lines

    CUDA's words mean the same in HIP, but for these. Plain functions are functions of both sides. A sub-group is 32
    threads, half of a wavefront where that has 64 (gfx9): values come from the same half. hipRTC has its own int64_t,
    as long long. Instructions of NVIDIA's are behind __CUDA_ARCH__, so halves are computed, and matrices multiply by
    loops. */
#ifndef AMP_HIP_HIP_TEXT_H
#define AMP_HIP_HIP_TEXT_H

#include "../backends/cuda_text.h"

/* hipRTC 5.2 has no atomicMin and atomicMax of signed 64-bit integers: these exchange the word. */
#define AMP_PRIV_HIP_LEAST(name, keeps)                                                                                \
    "static inline long long amp_priv_hip" name "(long long *p, long long v) { unsigned long long *const q = "         \
    "(unsigned long long *)p; unsigned long long seen = *(volatile unsigned long long *)q, was; do { was = seen; "     \
    "if ((long long)was " keeps " v) break; seen = atomicCAS(q, was, (unsigned long long)v); } while (seen != was); "  \
    "return (long long)seen; }\ntemplate <class T> static inline T amp_priv_hip" name "(T *p, T v) "                   \
    "{ return atomic" name "(p, v); }\n#define atomic" name " amp_priv_hip" name "\n"

__attribute__((unused)) static const char amp_priv_text_hip_opening[] =
    "#ifdef __HIP__\n#pragma clang force_cuda_host_device begin\n"
    "#define int64_t amp_priv_int64_t\n#define uint64_t amp_priv_uint64_t\n"
    "#define __syncwarp() do { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, \"wavefront\"); "
    "__builtin_amdgcn_wave_barrier(); } while (0)\n"
    "#define __shfl_sync(all, x, from) __shfl(x, from, 32)\n"
    "#define __ballot_sync(all, x) (unsigned)(__ballot(x) >> (__lane_id() & 32))\n"
    AMP_PRIV_HIP_LEAST("Min", "<=") AMP_PRIV_HIP_LEAST("Max", ">=") "#endif\n";

__attribute__((unused)) static const amp_priv_prologue_text amp_priv_hip_opening[] = {
    { "", amp_priv_text_hip_opening }, AMP_PRIV_CUDA_OPENING, { NULL, NULL }
};

__attribute__((unused)) static const amp_priv_target amp_priv_hip_target = {
    .suffix = "hip",
    .opening = amp_priv_hip_opening,
    AMP_PRIV_CUDA_TARGET,
};

#endif /* AMP_HIP_HIP_TEXT_H */
