// SPDX-License-Identifier: MIT
/*  rivals/cuda_rivals.cu: see cuda_rivals.h. The libraries choose their own algorithms; cuBLAS multiplies floats as floats,
    without tensor cores, unless it is told otherwise. On the first GPU that CUDA shows. */
#include "cuda_rivals.h"

#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cublas_v2.h>

namespace {

struct device_side {
    void *in[2], *out;
    void *scratch;
    size_t scratch_bytes;
    cublasHandle_t blas;
};

void check(cudaError_t status, const char *call)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "cuda_rivals: %s: %s\n", call, cudaGetErrorString(status));
    exit(1);
}

void check(cublasStatus_t status, const char *call)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "cuda_rivals: %s: %s\n", call, cublasGetStatusString(status));
    exit(1);
}

#define CHECK(call) check(call, #call)

device_side *of(void *self) { return static_cast<device_side *>(static_cast<cuda_job *>(self)->on_device); }

/* CUB's functions are asked for the size of their scratch memory first; it is kept. Returns when the GPU is done. */
template <class Function> void with_scratch(device_side *d, Function function)
{
    if (!d->scratch) {
        CHECK(function(nullptr, d->scratch_bytes));
        CHECK(cudaMalloc(&d->scratch, d->scratch_bytes));
    }
    CHECK(function(d->scratch, d->scratch_bytes));
    CHECK(cudaDeviceSynchronize());
}

} // namespace

extern "C" bool cuda_open(cuda_job *job)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return false;
    device_side *const d = new device_side();
    job->on_device = d;
    for (int i = 0; i < 2; i++)
        if (job->in[i]) {
            CHECK(cudaMalloc(&d->in[i], job->in_bytes[i]));
            CHECK(cudaMemcpy(d->in[i], job->in[i], job->in_bytes[i], cudaMemcpyHostToDevice));
        }
    CHECK(cudaMalloc(&d->out, job->out_bytes));
    CHECK(cublasCreate(&d->blas));
    return true;
}

extern "C" void cuda_close(cuda_job *job)
{
    if (!job->on_device)
        return;
    device_side *const d = of(job);
    for (int i = 0; i < 2; i++)
        CHECK(cudaFree(d->in[i]));
    CHECK(cudaFree(d->out));
    CHECK(cudaFree(d->scratch));
    CHECK(cublasDestroy(d->blas));
    delete d;
}

extern "C" void cuda_upload(void *self)
{
    const cuda_job *const job = static_cast<cuda_job *>(self);
    CHECK(cudaMemcpy(of(self)->out, job->out, job->out_bytes, cudaMemcpyHostToDevice));
}

extern "C" void cuda_download(void *self)
{
    const cuda_job *const job = static_cast<cuda_job *>(self);
    CHECK(cudaMemcpy(job->out, of(self)->out, job->out_bytes, cudaMemcpyDeviceToHost));
}

/* cuBLAS counts columns first, so it sees every matrix transposed: in[1] in[0] there is in[0] in[1] here. */
extern "C" void cuda_sgemm(void *self)
{
    device_side *const d = of(self);
    const int side = static_cast<int>(static_cast<cuda_job *>(self)->count);
    const float one = 1, zero = 0;
    CHECK(cublasSgemm(d->blas, CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one, static_cast<float *>(d->in[1]), side,
                      static_cast<float *>(d->in[0]), side, &zero, static_cast<float *>(d->out), side));
    CHECK(cudaDeviceSynchronize());
}

extern "C" void cuda_transpose(void *self)
{
    device_side *const d = of(self);
    const int side = static_cast<int>(static_cast<cuda_job *>(self)->count);
    const float one = 1, zero = 0;
    float *const out = static_cast<float *>(d->out);
    CHECK(cublasSgeam(d->blas, CUBLAS_OP_T, CUBLAS_OP_N, side, side, &one, static_cast<float *>(d->in[0]), side, &zero,
                      out, side, out, side));
    CHECK(cudaDeviceSynchronize());
}

extern "C" void cuda_sum(void *self)
{
    device_side *const d = of(self);
    const size_t count = static_cast<cuda_job *>(self)->count;
    with_scratch(d, [&](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::Sum(scratch, bytes, static_cast<float *>(d->in[0]), static_cast<float *>(d->out),
                                      count);
    });
}

extern "C" void cuda_histogram(void *self)
{
    device_side *const d = of(self);
    const int count = static_cast<int>(static_cast<cuda_job *>(self)->count);
    with_scratch(d, [&](void *scratch, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(scratch, bytes, static_cast<unsigned char *>(d->in[0]),
                                                   static_cast<int *>(d->out), 257, 0, 256, count);
    });
}
