// SPDX-License-Identifier: MIT
/*  rivals/cuda_rivals.cu: see cuda_rivals.h. The libraries choose their own algorithms; cuBLAS multiplies floats as floats,
    without tensor cores, unless it is told otherwise. On the first GPU that CUDA shows. */
#include "cuda_device.h"

#include <algorithm>
#include <cstring>
#include <cub/cub.cuh>
#include <cuda.h>
#include <dlfcn.h>

namespace
{

const size_t PIECE = size_t{ 1 } << 26;

/* By all cores where it is long: one takes longer than the bus. */
void copy(void *to, const void *from, size_t bytes)
{
    const ptrdiff_t part = 1 << 20, parts = (static_cast<ptrdiff_t>(bytes) + part - 1) / part;
#pragma omp parallel for if (parts > 1)
    for (ptrdiff_t i = 0; i < parts; i++) {
        const size_t at = static_cast<size_t>(i * part);
        std::memcpy(static_cast<char *>(to) + at, static_cast<const char *>(from) + at,
                    std::min(static_cast<size_t>(part), bytes - at));
    }
}

/* By way of memory of its own: CUDA refuses to copy at once what lies partly in memory that was registered with it, as
   ours are where they run by CUDA, too. */
void bring(const device_side *d, void *to, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += PIECE) {
        const size_t piece = std::min(PIECE, bytes - at);
        copy(d->between, static_cast<const char *>(from) + at, piece);
        CHECK(cudaMemcpy(static_cast<char *>(to) + at, d->between, piece, cudaMemcpyHostToDevice));
    }
}

/* Made when it is wanted first: most jobs need none. */
cublasHandle_t blas(device_side *d)
{
    if (!d->blas)
        CHECK(cublasCreate(&d->blas));
    return d->blas;
}

/* Between two events, by which cuda_seconds tells the time. Returns when the GPU is done. */
template <class Function> void timed(device_side *d, Function function)
{
    CHECK(cudaEventRecord(d->begin));
    CHECK(function());
    CHECK(cudaEventRecord(d->end));
    CHECK(cudaDeviceSynchronize());
}

/* CUB's functions are asked for the size of their scratch memory first; it is kept. */
template <class Function> void with_scratch(device_side *d, Function function)
{
    if (!d->scratch) {
        CHECK(function(nullptr, d->scratch_bytes));
        CHECK(cudaMalloc(&d->scratch, d->scratch_bytes));
    }
    timed(d, [&] { return function(d->scratch, d->scratch_bytes); });
}

struct positive {
    __device__ bool operator()(int a) const { return a > 0; }
};

struct plus {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void add(const float *a, const float *b, float *c)
{
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
}

int count_of(void *self) { return static_cast<int>(static_cast<cuda_job *>(self)->count); }
int *ints_of(void *self) { return static_cast<int *>(of(self)->in[0]); }

} // namespace

extern "C" bool cuda_open(cuda_job *job)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0)
        return false;
    device_side *const d = new device_side();
    job->on_device = d;
    const size_t largest = std::max({ job->in_bytes[0], job->in_bytes[1], job->out_bytes });
    CHECK(cudaMallocHost(&d->between, std::min(PIECE, largest)));
    for (int i = 0; i < 2; i++)
        if (job->in[i]) {
            CHECK(cudaMalloc(&d->in[i], job->in_bytes[i]));
            bring(d, d->in[i], job->in[i], job->in_bytes[i]);
        }
    CHECK(cudaMalloc(&d->out, job->out_bytes));
    CHECK(cudaEventCreate(&d->begin));
    CHECK(cudaEventCreate(&d->end));
    CHECK(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
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
    if (d->blas)
        CHECK(cublasDestroy(d->blas));
    CHECK(cudaEventDestroy(d->begin));
    CHECK(cudaEventDestroy(d->end));
    CHECK(cudaStreamDestroy(d->stream));
    CHECK(cudaFreeHost(d->pinned));
    CHECK(cudaFreeHost(d->between));
    delete d;
}

extern "C" void cuda_upload(void *self)
{
    const cuda_job *const job = static_cast<cuda_job *>(self);
    bring(of(self), of(self)->out, job->out, job->out_bytes);
}

extern "C" void cuda_spoil(void *self)
{
    CHECK(cudaMemset(of(self)->out, 0xff, static_cast<cuda_job *>(self)->out_bytes));
    CHECK(cudaDeviceSynchronize());
}

extern "C" double cuda_seconds(void *self)
{
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, of(self)->begin, of(self)->end));
    return 1e-3 * milliseconds;
}

extern "C" void cuda_download(void *self)
{
    const cuda_job *const job = static_cast<cuda_job *>(self);
    device_side *const d = of(self);
    for (size_t at = 0; at < job->out_bytes; at += PIECE) {
        const size_t bytes = std::min(PIECE, job->out_bytes - at);
        CHECK(cudaMemcpy(d->between, static_cast<char *>(d->out) + at, bytes, cudaMemcpyDeviceToHost));
        copy(static_cast<char *>(job->out) + at, d->between, bytes);
    }
}

/* cuBLAS counts columns first, so it sees every matrix transposed: in[1] in[0] there is in[0] in[1] here. */
extern "C" void cuda_sgemm(void *self)
{
    device_side *const d = of(self);
    const int side = static_cast<int>(static_cast<cuda_job *>(self)->count);
    const float one = 1, zero = 0;
    CHECK(cublasSgemm(blas(d), CUBLAS_OP_N, CUBLAS_OP_N, side, side, side, &one, static_cast<float *>(d->in[1]), side,
                      static_cast<float *>(d->in[0]), side, &zero, static_cast<float *>(d->out), side));
    CHECK(cudaDeviceSynchronize());
}

/* The same of other types; a transposed in[1] there is the first factor, and transposed once more. */
template <class Sum>
static void multiply(void *self, cudaDataType type, cudaDataType sum_type, cublasComputeType_t compute)
{
    device_side *const d = of(self);
    const int side = count_of(self);
    const cublasOperation_t first = static_cast<cuda_job *>(self)->turned ? CUBLAS_OP_T : CUBLAS_OP_N;
    const Sum one = 1, zero = 0;
    CHECK(cublasGemmEx(blas(d), first, CUBLAS_OP_N, side, side, side, &one, d->in[1], type, side, d->in[0], type, side,
                       &zero, d->out, sum_type, side, compute, CUBLAS_GEMM_DEFAULT));
    CHECK(cudaDeviceSynchronize());
}

extern "C" void cuda_hgemm(void *self) { multiply<float>(self, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F); }
extern "C" void cuda_bgemm(void *self) { multiply<float>(self, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F); }
extern "C" void cuda_tgemm(void *self) { multiply<float>(self, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32); }
extern "C" void cuda_igemm(void *self) { multiply<int>(self, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I); }

extern "C" void cuda_own_copy(void *self)
{
    device_side *const d = of(self);
    CHECK(cudaMemcpy(d->out, d->in[0], static_cast<cuda_job *>(self)->out_bytes, cudaMemcpyDeviceToDevice));
    CHECK(cudaDeviceSynchronize());
}

extern "C" void cuda_transpose(void *self)
{
    device_side *const d = of(self);
    const int side = static_cast<int>(static_cast<cuda_job *>(self)->count);
    const float one = 1, zero = 0;
    float *const out = static_cast<float *>(d->out);
    timed(d, [&] {
        return cublasSgeam(blas(d), CUBLAS_OP_T, CUBLAS_OP_N, side, side, &one, static_cast<float *>(d->in[0]), side,
                           &zero, out, side, out, side);
    });
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

extern "C" void cuda_scan(void *self)
{
    device_side *const d = of(self);
    with_scratch(d, [&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, static_cast<float *>(d->in[0]),
                                             static_cast<float *>(d->out), count_of(self));
    });
}

extern "C" void cuda_scan_of_ints(void *self)
{
    int *const out = static_cast<int *>(of(self)->out);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, ints_of(self), out, count_of(self));
    });
}

extern "C" void cuda_select(void *self)
{
    const int count = count_of(self);
    int *const out = static_cast<int *>(of(self)->out);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceSelect::If(scratch, bytes, ints_of(self), out, out + count, count, positive());
    });
}

extern "C" void cuda_sort(void *self)
{
    int *const out = static_cast<int *>(of(self)->out);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, ints_of(self), out, count_of(self));
    });
}

extern "C" void cuda_merge_sort(void *self)
{
    int *const out = static_cast<int *>(of(self)->out);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceMergeSort::StableSortKeysCopy(scratch, bytes, ints_of(self), out, count_of(self), less());
    });
}

extern "C" void cuda_sort_by_key(void *self)
{
    const int count = count_of(self);
    int *const out = static_cast<int *>(of(self)->out), *const values = static_cast<int *>(of(self)->in[1]);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, ints_of(self), out, values, out + count, count);
    });
}

extern "C" void cuda_run_lengths(void *self)
{
    const int count = count_of(self);
    int *const out = static_cast<int *>(of(self)->out);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(scratch, bytes, ints_of(self), out, out + count,
                                                  out + 2 * static_cast<size_t>(count), count);
    });
}

extern "C" void cuda_sums_by_key(void *self)
{
    const int count = count_of(self);
    int *const out = static_cast<int *>(of(self)->out), *const values = static_cast<int *>(of(self)->in[1]);
    with_scratch(of(self), [&](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::ReduceByKey(scratch, bytes, ints_of(self), out, values, out + count,
                                              out + 2 * static_cast<size_t>(count), plus(), count);
    });
}

/* The driver, which is there: the runtime has loaded it. */
static void launch(void *self, bool wait)
{
    static const auto launch_kernel =
        reinterpret_cast<decltype(&cuLaunchKernel)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuLaunchKernel"));
    device_side *const d = of(self);
    cudaFunction_t function = nullptr;
    CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(add)));
    const unsigned group = 256, groups = static_cast<unsigned>(static_cast<cuda_job *>(self)->out_bytes / sizeof(float) / group);
    void *values[] = { &d->in[0], &d->in[1], &d->out };
    for (size_t n = 0; n < static_cast<cuda_job *>(self)->count; n++) {
        const CUresult result = launch_kernel(reinterpret_cast<CUfunction>(function), groups, 1, 1, group, 1, 1, 0,
                                              reinterpret_cast<CUstream>(d->stream), values, nullptr);
        CHECK(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorLaunchFailure);
        if (wait)
            CHECK(cudaStreamSynchronize(d->stream));
    }
    CHECK(cudaStreamSynchronize(d->stream));
}

extern "C" void cuda_launches(void *self) { launch(self, false); }
extern "C" void cuda_launch_waits(void *self) { launch(self, true); }

/* Pinned memory, made when it is wanted first. */
static void *pinned(void *self)
{
    const cuda_job *const job = static_cast<cuda_job *>(self);
    device_side *const d = of(self);
    if (!d->pinned) {
        CHECK(cudaMallocHost(&d->pinned, job->out_bytes));
        std::memcpy(d->pinned, job->out, job->out_bytes);
    }
    return d->pinned;
}

extern "C" void cuda_copy_up(void *self)
{
    CHECK(cudaMemcpy(of(self)->out, pinned(self), static_cast<cuda_job *>(self)->out_bytes, cudaMemcpyHostToDevice));
}

extern "C" void cuda_copy_down(void *self)
{
    CHECK(cudaMemcpy(pinned(self), of(self)->out, static_cast<cuda_job *>(self)->out_bytes, cudaMemcpyDeviceToHost));
}
