/* SPDX-License-Identifier: MIT */
/*  rivals/cuda_device.h - what cuda_rivals.cu and cuda_kernels.cu share: the GPU's side of a cuda_job. */
#ifndef CUDA_DEVICE_H
#define CUDA_DEVICE_H

#include "cuda_rivals.h"

#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

struct device_side {
    void *in[2], *out;
    void *scratch;
    size_t scratch_bytes;
    cublasHandle_t blas;
    cudaEvent_t begin, end;
    cudaStream_t stream;
    void *pinned;
    void *between; /* pinned; what is copied to the GPU and back goes by way of it */
};

inline void check(cudaError_t status, const char *call)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "CUDA: %s: %s\n", call, cudaGetErrorString(status));
    exit(1);
}

inline void check(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "CUDA: %s: %s\n", call, cublasGetStatusString(status));
    exit(1);
}

#define CHECK(call) check(call, #call)

inline device_side *of(void *self) { return static_cast<device_side *>(static_cast<cuda_job *>(self)->on_device); }

#endif /* CUDA_DEVICE_H */
