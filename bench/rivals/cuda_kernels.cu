// SPDX-License-Identifier: MIT
/*  rivals/cuda_kernels.cu: see cuda_kernels.h. What a programmer who knows the hardware writes: several independent loads
    in each thread where memory is the limit, sums in registers, shared memory without conflicts of banks. */
#include "cuda_kernels.h"

#include "cuda_device.h"

#include <algorithm>

namespace
{

float *floats(void *memory) { return static_cast<float *>(memory); }
float *out_of(cuda_job *job) { return floats(of(job)->out); }
float *in_of(cuda_job *job, int which) { return floats(of(job)->in[which]); }

/* ---- stencil -------------------------------------------------------------------------------------------- */

enum { SWEEP_WIDE = 128, SWEEP_HIGH = 2, SWEEP_ROWS = 4 };

/* A thread computes SWEEP_ROWS cells of a column. Loads beyond the grid are of its last row instead, so that none is behind a
   condition and all are under way at the same time. */
__global__ __launch_bounds__(SWEEP_WIDE *SWEEP_HIGH) void sweep(const float *__restrict__ in, float *__restrict__ out,
                                                                int side)
{
    const int x = blockIdx.x * SWEEP_WIDE + threadIdx.x + 1;
    const int top = (blockIdx.y * SWEEP_HIGH + threadIdx.y) * SWEEP_ROWS + 1;
    if (x >= side - 1 || top >= side - 1)
        return;
    float column[SWEEP_ROWS + 2], left[SWEEP_ROWS], right[SWEEP_ROWS];
#pragma unroll
    for (int i = 0; i < SWEEP_ROWS + 2; i++)
        column[i] = in[min(top - 1 + i, side - 1) * side + x];
#pragma unroll
    for (int i = 0; i < SWEEP_ROWS; i++) {
        const int at = min(top + i, side - 1) * side + x;
        left[i] = in[at - 1];
        right[i] = in[at + 1];
    }
#pragma unroll
    for (int i = 0; i < SWEEP_ROWS; i++)
        if (top + i < side - 1)
            out[(top + i) * side + x] = 0.2f * (column[i + 1] + column[i] + column[i + 2] + left[i] + right[i]);
}

/* ---- matrix product ------------------------------------------------------------------------------------- */

enum { TILE = 16 };

__global__ __launch_bounds__(TILE *TILE) void tiled_product(const float *__restrict__ a, const float *__restrict__ b,
                                                            float *__restrict__ c, int side)
{
    __shared__ float block_of_a[TILE][TILE], block_of_b[TILE][TILE];
    const int col = threadIdx.x, row = threadIdx.y;
    const size_t from_a = size_t(blockIdx.y * TILE + row) * side + col;
    const size_t from_b = size_t(row) * side + blockIdx.x * TILE + col;
    float sum = 0;
    for (int i = 0; i < side; i += TILE) {
        block_of_a[row][col] = a[from_a + i];
        block_of_b[row][col] = b[from_b + size_t(i) * side];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; k++)
            sum += block_of_a[row][k] * block_of_b[k][col];
        __syncthreads();
    }
    c[size_t(blockIdx.y * TILE + row) * side + blockIdx.x * TILE + col] = sum;
}

enum { SIDE = 128, SLICE = 8, EACH = 8, QUAD = 4, THREADS = SIDE * SIDE / (EACH * EACH) };

__device__ inline float4 quad(const float *from) { return *reinterpret_cast<const float4 *>(from); }

/* Blocks of 128 x 128 elements, 64 x 32 for each of eight warps, 8 x 8 for each thread as four quads. The next slices of the
   factors are loaded into registers while the products of the last ones are added up; a's is transposed. */
__global__ __launch_bounds__(THREADS, 2) void blocked_product(const float *__restrict__ a, const float *__restrict__ b,
                                                              float *__restrict__ c, int side)
{
    __shared__ __align__(16) float left[2][SLICE][SIDE + QUAD], right[2][SLICE][SIDE];
    const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int row_of_a = thread / 2, col_of_a = thread % 2 * QUAD, row_of_b = thread / 32,
              col_of_b = thread % 32 * QUAD;
    const int row = warp / 4 * 64 + lane / 4 * QUAD, col = warp % 4 * 32 + lane % 4 * QUAD; /* and 32, 16 further */
    a += size_t(blockIdx.y * SIDE + row_of_a) * side + col_of_a;
    b += size_t(row_of_b) * side + blockIdx.x * SIDE + col_of_b;
    c += size_t(blockIdx.y * SIDE + row) * side + blockIdx.x * SIDE + col;

    float sum[EACH][EACH] = {};
    float4 next_a = quad(a), next_b = quad(b);
    for (int at = SLICE, now = 0;; at += SLICE, now ^= 1) {
        left[now][col_of_a][row_of_a] = next_a.x;
        left[now][col_of_a + 1][row_of_a] = next_a.y;
        left[now][col_of_a + 2][row_of_a] = next_a.z;
        left[now][col_of_a + 3][row_of_a] = next_a.w;
        *reinterpret_cast<float4 *>(&right[now][row_of_b][col_of_b]) = next_b;
        __syncthreads(); /* one is enough: what is written next was read before it */
        if (at < side) {
            next_a = quad(a + at);
            next_b = quad(b + size_t(at) * side);
        }
#pragma unroll
        for (int k = 0; k < SLICE; k++) {
            const float4 l[2] = { quad(&left[now][k][row]), quad(&left[now][k][row + 32]) };
            const float4 r[2] = { quad(&right[now][k][col]), quad(&right[now][k][col + 16]) };
            const float ls[EACH] = { l[0].x, l[0].y, l[0].z, l[0].w, l[1].x, l[1].y, l[1].z, l[1].w };
            const float rs[EACH] = { r[0].x, r[0].y, r[0].z, r[0].w, r[1].x, r[1].y, r[1].z, r[1].w };
#pragma unroll
            for (int i = 0; i < EACH; i++)
#pragma unroll
                for (int j = 0; j < EACH; j++)
                    sum[i][j] += ls[i] * rs[j];
        }
        if (at >= side)
            break;
    }
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        float *const to = c + size_t(i % QUAD + i / QUAD * 32) * side;
#pragma unroll
        for (int j = 0; j < EACH; j += QUAD)
            *reinterpret_cast<float4 *>(to + j / QUAD * 16) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
    }
}

/* ---- reduction ------------------------------------------------------------------------------------------ */

enum { LANES = 512, WARP = 32, LOADS = 4 };

__device__ float sum_of_warp(float value)
{
    for (int distance = WARP / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

/* Threads of all blocks take quads in turn, LOADS of them at a time. */
__global__ __launch_bounds__(LANES) void partial_sums(const float4 *__restrict__ quads, size_t count,
                                                      float *__restrict__ sums)
{
    const float *const values = reinterpret_cast<const float *>(quads);
    const size_t threads = size_t(gridDim.x) * LANES, me = size_t(blockIdx.x) * LANES + threadIdx.x;
    float sum = 0;
    size_t i = me;
    for (; i + (LOADS - 1) * threads < count / 4; i += LOADS * threads) {
        float4 loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            loaded[k] = quads[i + k * threads];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += loaded[k].x + loaded[k].y + (loaded[k].z + loaded[k].w);
    }
    for (; i < count / 4; i += threads)
        sum += quads[i].x + quads[i].y + (quads[i].z + quads[i].w);
    if (me < count % 4)
        sum += values[count / 4 * 4 + me];

    __shared__ float of_warp[LANES / WARP];
    sum = sum_of_warp(sum);
    if (threadIdx.x % WARP == 0)
        of_warp[threadIdx.x / WARP] = sum;
    __syncthreads();
    if (threadIdx.x < WARP) {
        sum = sum_of_warp(threadIdx.x < LANES / WARP ? of_warp[threadIdx.x] : 0);
        if (threadIdx.x == 0)
            sums[blockIdx.x] = sum;
    }
}

/* ---- N-body --------------------------------------------------------------------------------------------- */

enum { BODIES = 256 };
const float SOFTEN = 1e-4f; /* bench/nbody's */

/* A body of the block in shared memory is a quad: x, y, z, mass. */
__global__ __launch_bounds__(BODIES) void forces(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float4 block[BODIES];
    const int me = threadIdx.x, i = blockIdx.x * BODIES + me;
    const float x = in[i], y = in[n + i], z = in[2 * n + i];
    float ax = 0, ay = 0, az = 0;
    for (int first = 0; first < n; first += BODIES) {
        const int from = first + me;
        block[me] = make_float4(in[from], in[n + from], in[2 * n + from], in[3 * n + from]);
        __syncthreads();
#pragma unroll 32
        for (int j = 0; j < BODIES; j++) {
            const float4 body = block[j];
            const float dx = body.x - x, dy = body.y - y, dz = body.z - z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + SOFTEN);
            const float pull = body.w * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        __syncthreads();
    }
    out[i] = ax;
    out[n + i] = ay;
    out[2 * n + i] = az;
}

/* ---- lattice Boltzmann method ----------------------------------------------------------------------------- */

enum { CELLS = 128 };

struct lattice {
    float *here, *there, *low, *up, *rest; /* up: the plane above, of high */
    const unsigned char *kinds;
    int nx, ny, row;
    float rate, wind;
    int wind_kind, wall_kind;
};

/* A pair of opposite velocities, whose populations are in the cell and in its neighbour. */
struct pair {
    float *near, *far;
    float p, m;
};

__device__ inline pair load(float *near, float *far) { return { near, far, *near, *far }; }

/* along: the velocity along the pair. */
__device__ inline void collide(const pair &of, float weight, float along, float rate, float more, float square,
                               bool is_wall)
{
    const float c = 3 * along;
    const float sum = rate * (0.5f * (of.p + of.m) - weight * (more + (1 + more) * (0.5f * c * c - square)));
    const float difference = rate * (0.5f * (of.p - of.m) - weight * (1 + more) * c);
    *of.far = is_wall ? of.m : of.p - sum - difference;
    *of.near = is_wall ? of.p : of.m - sum + difference;
}

/* The esoteric pull of bench/fluid, a cell for each thread. */
__global__ __launch_bounds__(CELLS) void step(const lattice l)
{
    const int x = blockIdx.x * CELLS + threadIdx.x, y = blockIdx.y, z = blockIdx.z, ny = l.ny, row = l.row;
    if (x >= l.nx)
        return;
    const int north = y + 1 < ny ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;
    const int line = z * ny + y, to_north = z * ny + north, to_south = z * ny + south;
    float *const here = l.here + line * 4 * row + x, *const there = l.there + x;
    float *const low = l.low + line * 5 * row + x, *const up = l.up + x;
    float *const rest = l.rest + line * row + x;
    const int kind = l.kinds[line * row + x];
    const float p0 = *rest;
    const pair a1 = load(here, there + line * 4 * row + 1);
    const pair a2 = load(here + row, there + (to_north * 4 + 1) * row);
    const pair a3 = load(here + 2 * row, there + (to_north * 4 + 2) * row + 1);
    const pair a4 = load(here + 3 * row, there + (to_south * 4 + 3) * row + 1);
    const pair a5 = load(low, up + line * 5 * row);
    const pair a6 = load(low + row, up + (line * 5 + 1) * row + 1);
    const pair a7 = load(low + 2 * row + 1, up + (line * 5 + 2) * row);
    const pair a8 = load(low + 3 * row, up + (to_north * 5 + 3) * row);
    const pair a9 = load(low + 4 * row, up + (to_south * 5 + 4) * row);
    const float all = p0 + (a1.p + a1.m + a2.p + a2.m) + (a3.p + a3.m + a4.p + a4.m) + (a5.p + a5.m + a6.p + a6.m) +
                      (a7.p + a7.m + a8.p + a8.m) + (a9.p + a9.m);
    const float each = 1 / (1 + all);
    const bool given = kind == l.wind_kind, is_wall = kind == l.wall_kind;
    const float d3 = a3.p - a3.m, d4 = a4.p - a4.m, d6 = a6.p - a6.m, d7 = a7.p - a7.m, d8 = a8.p - a8.m,
                d9 = a9.p - a9.m;
    const float vx = each * (a1.p - a1.m + d3 + d4 + d6 - d7), vy = each * (a2.p - a2.m + d3 - d4 + d8 - d9);
    const float vz = each * (a5.p - a5.m + d6 + d7 + d8 + d9);
    const float rate = given ? 1.0f : l.rate, more = given ? 0.0f : all;
    const float ux = given ? l.wind : vx, uy = given ? 0.0f : vy, uz = given ? 0.0f : vz;
    const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
    *rest = is_wall ? p0 : p0 - rate * (p0 - (more - (1 + more) * square) * (1.0f / 3));
    collide(a1, 1.0f / 18, ux, rate, more, square, is_wall);
    collide(a2, 1.0f / 18, uy, rate, more, square, is_wall);
    collide(a3, 1.0f / 36, ux + uy, rate, more, square, is_wall);
    collide(a4, 1.0f / 36, ux - uy, rate, more, square, is_wall);
    collide(a5, 1.0f / 18, uz, rate, more, square, is_wall);
    collide(a6, 1.0f / 36, uz + ux, rate, more, square, is_wall);
    collide(a7, 1.0f / 36, uz - ux, rate, more, square, is_wall);
    collide(a8, 1.0f / 36, uz + uy, rate, more, square, is_wall);
    collide(a9, 1.0f / 36, uz - uy, rate, more, square, is_wall);
}

int in_blocks(int count, int block) { return (count + block - 1) / block; }

unsigned blocks_at_a_time()
{
    int device = 0, processors = 0, blocks = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, partial_sums, LANES, 0));
    return static_cast<unsigned>(processors * blocks);
}

} // namespace

/* ---- launches ------------------------------------------------------------------------------------------- */

extern "C" void cuda_wait(void)
{
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
}

extern "C" void cuda_sweep(cuda_job *job, bool back)
{
    const int side = static_cast<int>(job->count), inner = side - 2;
    const dim3 blocks(in_blocks(inner, SWEEP_WIDE), in_blocks(inner, SWEEP_HIGH * SWEEP_ROWS));
    sweep<<<blocks, dim3(SWEEP_WIDE, SWEEP_HIGH)>>>(back ? in_of(job, 0) : out_of(job),
                                                    back ? out_of(job) : in_of(job, 0), side);
}

extern "C" void cuda_tiled_product(void *self)
{
    cuda_job *const job = static_cast<cuda_job *>(self);
    const int side = static_cast<int>(job->count);
    tiled_product<<<dim3(side / TILE, side / TILE), dim3(TILE, TILE)>>>(in_of(job, 0), in_of(job, 1), out_of(job),
                                                                        side);
    cuda_wait();
}

extern "C" void cuda_blocked_product(void *self)
{
    cuda_job *const job = static_cast<cuda_job *>(self);
    const int side = static_cast<int>(job->count);
    blocked_product<<<dim3(side / SIDE, side / SIDE), THREADS>>>(in_of(job, 0), in_of(job, 1), out_of(job), side);
    cuda_wait();
}

extern "C" void cuda_forces(void *self)
{
    cuda_job *const job = static_cast<cuda_job *>(self);
    const int n = static_cast<int>(job->count);
    forces<<<n / BODIES, BODIES>>>(in_of(job, 0), out_of(job), n);
    cuda_wait();
}

extern "C" size_t cuda_partial_sums(cuda_job *job)
{
    static const unsigned most = blocks_at_a_time();
    const unsigned blocks = std::min(most, static_cast<unsigned>(job->out_bytes / sizeof(float)));
    const float4 *const quads = reinterpret_cast<const float4 *>(in_of(job, 0));
    partial_sums<<<blocks, LANES>>>(quads, job->count, out_of(job));
    cuda_wait();
    return blocks;
}

extern "C" void cuda_step(const cuda_lattice *a, int number, int wind_kind, int wall_kind)
{
    enum { HERE, THERE, LOW, HIGH, REST };
    const int odd = number % 2;
    float *populations[CUDA_POPULATIONS];
    for (int v = 0; v < CUDA_POPULATIONS; v++)
        populations[v] = out_of(&a->jobs[v]);
    const lattice l = { populations[odd ? THERE : HERE],
                        populations[odd ? HERE : THERE],
                        populations[odd ? HIGH : LOW],
                        populations[odd ? LOW : HIGH] + size_t(5) * a->ny * a->row,
                        populations[REST],
                        static_cast<const unsigned char *>(of(&a->jobs[0])->in[0]),
                        a->nx,
                        a->ny,
                        a->row,
                        a->rate,
                        a->wind,
                        wind_kind,
                        wall_kind };
    step<<<dim3(in_blocks(a->nx, CELLS), a->ny, a->nz), CELLS>>>(l);
}
