/* SPDX-License-Identifier: MIT */
/*  amp/backends/backends.h - the list of the backends of this build */
#ifndef AMP_BACKENDS_BACKENDS_H
#define AMP_BACKENDS_BACKENDS_H

#include "cpu.h"

/* Every backend of this build, the CPU loops first. A new backend is one more line here. */
static inline int amp_priv_backends(const amp_priv_backend **list)
{
    int count = 0;
    list[count++] = amp_priv_cpu_table();
#if defined(AMP_BACKEND_CUDA) /* before OpenCL, which has the same GPUs */
    list[count++] = amp_priv_cuda_table();
#endif
#if defined(AMP_BACKEND_OPENCL)
    list[count++] = amp_priv_opencl_table();
#endif
#if defined(AMP_BACKEND_EXTRA)
    list[count++] = AMP_BACKEND_EXTRA_TABLE;
#endif
    return count;
}

#endif /* AMP_BACKENDS_BACKENDS_H */
