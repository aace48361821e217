// SPDX-License-Identifier: MIT
/* Heat on a plate, by CUDA. Errors end it. */
#include <cstdlib>
#include "clock.h"

enum { N = 1024, STEPS = 100 };
static float plate[N][N];

__global__ void heat(const float *a, float *b)
{
    const int col = blockIdx.x * blockDim.x + threadIdx.x + 1, row = blockIdx.y * blockDim.y + threadIdx.y + 1, i = row * N + col;
    if (row < N - 1 && col < N - 1)
        b[i] = (a[i - N] + a[i + N] + a[i - 1] + a[i + 1] + 4 * a[i]) / 8;
}

static void check(cudaError_t status)
{
    if (status != cudaSuccess) {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(status));
        exit(1);
    }
}

int main()
{
    plate[N / 2][N / 2] = 1000000;
    float *a, *b;
    check(cudaMalloc(&a, sizeof plate));
    check(cudaMalloc(&b, sizeof plate));
    check(cudaMemcpy(a, plate, sizeof plate, cudaMemcpyHostToDevice));
    check(cudaMemset(b, 0, sizeof plate));
    const dim3 block(32, 8), grid((N - 2 + 31) / 32, (N - 2 + 7) / 8);
    for (int step = 0; step < STEPS; step++) {
        heat<<<grid, block>>>(a, b);
        check(cudaGetLastError());
        float *const other = a;
        a = b, b = other;
        if (step == 0)
            first_launch(cudaDeviceSynchronize());
    }
    check(cudaMemcpy(plate, a, sizeof plate, cudaMemcpyDeviceToHost));
    report(plate[N / 2][N / 2]);
    cudaFree(a);
    cudaFree(b);
    return 0;
}
