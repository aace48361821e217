// SPDX-License-Identifier: MIT
/*  bench/matmul: c = a b for square matrices of floats, simple (a dot product per element), tiled (16 x 16 blocks
    shared by the threads of a tile), blocked (each thread computes several elements, in registers) and product
    (AMP_MULTIPLY), the last two beside OpenBLAS and CLBlast where they are. --size is the side, a multiple of 16;
    these two take the next multiple of 1024. The default is not a power of two on purpose: rows that lie 4 KiB apart
    fall on the same cache sets, and for `simple` that is what one would measure.
    How to build and read: bench/README.md. */
#include "bench.h"
#include "amp_matrix.h"
#include <float.h>
#include "rivals/openblas.h"
#ifdef BENCH_CLBLAST
#include <clblast_c.h>
#endif

enum { TS = 16, SAMPLES = 500, BLOCKED_SIDES = 1024 /* what the sides of blocks divide */ };

static struct {
    int side;
    size_t count;
    float *a, *b, *c, *panels;
} host;
static struct {
    size_t at;
    double value, magnitude;
} samples[SAMPLES];

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 a, b;
    amp_array_view_float_2 c, panels;
    bool on_device, on_gpu;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->c);
    amp_array_view_synchronize_to(&o->a, o->av);
    amp_array_view_synchronize_to(&o->b, o->av);
    amp_array_view_synchronize_to(&o->c, o->av);
}

static void ours_simple(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a, b = o.b;
    const amp_array_view_float_2 c = o.c;
    const int side = c.extent.v[0];
    AMP_PARALLEL_FOR_EACH_ON(o.av, c.extent, (row, col), AMP_CAPTURE(a, b, c, side), {
        float sum = 0.0f;
        for (int i = 0; i < side; i++)
            sum += AMP_AT(a, row, i) * AMP_AT(b, i, col);
        AMP_AT(c, row, col) = sum;
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_tiled(void *self)
{
    const ours o = *(const ours *)self;
    const amp_const_array_view_float_2 a = o.a, b = o.b;
    const amp_array_view_float_2 c = o.c;
    const int side = c.extent.v[0];
    AMP_TILED_ON(o.av, c.extent, (TS, TS), tile, AMP_CAPTURE(a, b, c, side, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < side; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                locA[row][col] = AMP_AT(a, t.global.v[0], col + i);
                locB[row][col] = AMP_AT(b, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++)
                    AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
    amp_accelerator_view_wait(o.av);
}

/* Each thread of a tile computes several elements, in registers. Its columns lie SIDE apart: neighbours read and
   write neighbours. All loops in phases have constant bounds: with `for (k = col; ...)` the compiler does not know how
   many turns there are. What this is worth: docs/internals/performance-notes.md. */
enum { SIDE = 16, EACH = 8, SLICE = 16, BLOCK = SIDE * EACH, THREADS = SIDE * SIDE, FETCHED = BLOCK * SLICE / THREADS };

static void ours_blocked_on_device(const ours *o)
{
    const amp_const_array_view_float_2 a = o->a, b = o->b;
    const amp_array_view_float_2 c = o->c;
    const int side = c.extent.v[0];
    AMP_TILED_ON(o->av, AMP_EXTENT(side / EACH, side / EACH), (SIDE, SIDE), tile,
                 AMP_CAPTURE(a, b, c, side, AMP_CONSTANT(SIDE), AMP_CONSTANT(EACH), AMP_CONSTANT(SLICE),
                             AMP_CONSTANT(BLOCK)), {
        AMP_TILE_STATIC(float, locA, [BLOCK][SLICE]);
        AMP_TILE_STATIC(float, locB, [SLICE][BLOCK]);
        AMP_PRIVATE(float, sum, [EACH][EACH]);
        const int top = tile.tile.v[0] * BLOCK, left = tile.tile.v[1] * BLOCK;

        AMP_THREADS(tile, t) {
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    AMP_OWN(sum, i, j) = 0.0f;
        }
        for (int at = 0; at < side; at += SLICE) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                for (int i = 0; i < EACH; i++) {
                    locA[row * EACH + i][col] = AMP_AT(a, top + row * EACH + i, at + col);
                    locB[row][i * SIDE + col] = AMP_AT(b, at + row, left + i * SIDE + col);
                }
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0] * EACH, col = t.local.v[1];
                AMP_UNROLL
                for (int k = 0; k < SLICE; k++)
                    for (int i = 0; i < EACH; i++)
                        for (int j = 0; j < EACH; j++)
                            AMP_OWN(sum, i, j) += locA[row + i][k] * locB[k][j * SIDE + col];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    AMP_AT(c, top + t.local.v[0] * EACH + i, left + j * SIDE + t.local.v[1]) = AMP_OWN(sum, i, j);
        }
    });
}

/* The same for a GPU, where three things more pay. Rows and columns of a thread are runs of four, with those of its
   neighbours between them, and locA is transposed and padded, so that a thread reads four neighbours at once and a row
   of threads all banks. What the next phase multiplies comes from memory while this one does. A work-item carries two
   threads, so that what it reads serves 16 x 8 products: their sums are registers, 128 of 255. */
#undef AMP_THREADS_PER_ITEM
#define AMP_THREADS_PER_ITEM 2
static void ours_blocked_on_gpu(const ours *o)
{
    const amp_const_array_view_float_2 a = o->a, b = o->b;
    const amp_array_view_float_2 c = o->c;
    const int side = c.extent.v[0];
    AMP_TILED_ON(o->av, AMP_EXTENT(side / EACH, side / EACH), (SIDE, SIDE), tile,
                 AMP_CAPTURE(a, b, c, side, AMP_CONSTANT(SIDE), AMP_CONSTANT(EACH), AMP_CONSTANT(SLICE),
                             AMP_CONSTANT(BLOCK), AMP_CONSTANT(THREADS), AMP_CONSTANT(FETCHED)), {
        AMP_TILE_STATIC(float, locA, [SLICE][BLOCK + 4]);
        AMP_TILE_STATIC(float, locB, [SLICE][BLOCK]);
        AMP_PRIVATE(float, sum, [EACH][EACH]);
        AMP_PRIVATE(float, nextA, [FETCHED]);
        AMP_PRIVATE(float, nextB, [FETCHED]);
        const int top = tile.tile.v[0] * BLOCK, left = tile.tile.v[1] * BLOCK;

        AMP_THREADS(tile, t) {
            const int me = t.local.v[0] * SIDE + t.local.v[1];
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    AMP_OWN(sum, i, j) = 0.0f;
            for (int n = 0; n < FETCHED; n++) {
                AMP_OWN(nextA, n) = AMP_AT(a, top + me / SLICE + n * (THREADS / SLICE), me % SLICE);
                AMP_OWN(nextB, n) = AMP_AT(b, me / BLOCK + n * (THREADS / BLOCK), left + me % BLOCK);
            }
        }
        for (int next = SLICE; next <= side; next += SLICE) {
            AMP_THREADS(tile, t) {
                const int me = t.local.v[0] * SIDE + t.local.v[1];
                for (int n = 0; n < FETCHED; n++) {
                    locA[me % SLICE][me / SLICE + n * (THREADS / SLICE)] = AMP_OWN(nextA, n);
                    locB[me / BLOCK + n * (THREADS / BLOCK)][me % BLOCK] = AMP_OWN(nextB, n);
                }
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0] * 4, col = t.local.v[1] * 4, me = t.local.v[0] * SIDE + t.local.v[1];
                if (next < side)
                    for (int n = 0; n < FETCHED; n++) {
                        AMP_OWN(nextA, n) = AMP_AT(a, top + me / SLICE + n * (THREADS / SLICE), next + me % SLICE);
                        AMP_OWN(nextB, n) = AMP_AT(b, next + me / BLOCK + n * (THREADS / BLOCK), left + me % BLOCK);
                    }
                AMP_UNROLL
                for (int k = 0; k < SLICE; k++)
                    for (int i = 0; i < EACH; i++)
                        for (int j = 0; j < EACH; j++)
                            AMP_OWN(sum, i, j) +=
                                locA[k][i / 4 * 4 * SIDE + row + i % 4] * locB[k][j / 4 * 4 * SIDE + col + j % 4];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            const int row = t.local.v[0] * 4, col = t.local.v[1] * 4;
            for (int i = 0; i < EACH; i++)
                for (int j = 0; j < EACH; j++)
                    AMP_AT(c, top + i / 4 * 4 * SIDE + row + i % 4, left + j / 4 * 4 * SIDE + col + j % 4) =
                        AMP_OWN(sum, i, j);
        }
    });
}
#undef AMP_THREADS_PER_ITEM
#define AMP_THREADS_PER_ITEM 0

/* The same for the CPU backend, where a tile is one vector of threads, and its loops go round phases: HIGH x 2 vectors
   are what registers hold. Each is a variable of its own, and not an array's: clang 15 and older follow 20 uses of a
   variable, and where it has more take a view's memory for it, so that all sums are stored at each step (a quarter of
   the speed). b is brought into panels first, a vector wide: what is read of one lies in a row. A tile's part of c
   waits in c itself for the next DEEP products. */
#if defined(__AVX512F__)
enum { LANES = 16, HIGH = 8 };
#define EACH_ROW(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#else
enum { LANES = 8, HIGH = 4 };
#define EACH_ROW(X) X(0) X(1) X(2) X(3)
#endif
enum { WIDE = 2, TALL = 128, DEEP = 1024, PACKED_ROWS = 64 };

static void ours_pack(const ours *o)
{
    const amp_const_array_view_float_2 b = o->b;
    const amp_array_view_float_2 panels = o->panels;
    AMP_TILED_ON(o->av, b.extent, (PACKED_ROWS, LANES), tile,
                 AMP_CAPTURE(b, panels, AMP_CONSTANT(LANES)), {
        const int panel = tile.tile.v[1];
        AMP_THREADS(tile, t) {
            const int k = t.global.v[0], lane = t.local.v[1];
            AMP_AT(panels, panel, k * LANES + lane) = AMP_AT(b, k, panel * LANES + lane);
        }
    });
}

/* The loop over the depth: gcc vectorises the threads around it, and keeps the sums in registers there. clang has
   vectors where no loop is left in a phase, and keeps the sums in registers around it; unrolled, it would lose sight of
   them. */
#ifdef __clang__
#define DEPTH_AROUND_PHASE _Pragma("clang loop unroll(disable)") for (int k = at; k < at + DEEP; k++)
#define DEPTH_IN_PHASE
#else
#define DEPTH_AROUND_PHASE
#define DEPTH_IN_PHASE for (int k = at; k < at + DEEP; k++)
#endif
#define ROW_SUMS(i)                                                                                                    \
    AMP_PRIVATE(float, left##i);                                                                                       \
    AMP_PRIVATE(float, right##i);
#define ROW_BEGIN(i)                                                                                                   \
    AMP_OWN(left##i) = at > 0 ? AMP_AT(c, row + i, col) : 0.0f;                                                        \
    AMP_OWN(right##i) = at > 0 ? AMP_AT(c, row + i, col + LANES) : 0.0f;
#define ROW_ADD(i)                                                                                                     \
    AMP_OWN(left##i) += AMP_AT(a, row + i, k) * AMP_AT(panels, panel, k * LANES + lane);                               \
    AMP_OWN(right##i) += AMP_AT(a, row + i, k) * AMP_AT(panels, panel + 1, k * LANES + lane);
#define ROW_END(i)                                                                                                     \
    AMP_AT(c, row + i, col) = AMP_OWN(left##i);                                                                        \
    AMP_AT(c, row + i, col + LANES) = AMP_OWN(right##i);

static void ours_blocked_on_cpu(const ours *o)
{
    const amp_const_array_view_float_2 a = o->a, panels = amp_as_const(o->panels);
    const amp_array_view_float_2 c = o->c;
    const int side = c.extent.v[0];
    ours_pack(o);
    AMP_TILED_ON(o->av, AMP_EXTENT(side / TALL, side / WIDE), (1, LANES), tile,
                 AMP_CAPTURE(a, panels, c, side, AMP_CONSTANT(TALL), AMP_CONSTANT(HIGH), AMP_CONSTANT(WIDE),
                             AMP_CONSTANT(LANES), AMP_CONSTANT(DEEP)), {
        EACH_ROW(ROW_SUMS)
        const int panel = tile.tile.v[1] * WIDE, top = tile.tile.v[0] * TALL;
        for (int at = 0; at < side; at += DEEP)
            for (int row = top; row < top + TALL; row += HIGH) {
                AMP_THREADS(tile, t) {
                    const int col = panel * LANES + t.local.v[1];
                    EACH_ROW(ROW_BEGIN)
                }
                DEPTH_AROUND_PHASE
                AMP_THREADS(tile, t) {
                    const int lane = t.local.v[1];
                    DEPTH_IN_PHASE { EACH_ROW(ROW_ADD) }
                }
                AMP_THREADS(tile, t) {
                    const int col = panel * LANES + t.local.v[1];
                    EACH_ROW(ROW_END)
                }
            }
    });
}

static void ours_blocked(void *self)
{
    const ours *const o = self;
    if (o->on_gpu)
        ours_blocked_on_gpu(o);
    else if (o->on_device)
        ours_blocked_on_device(o);
    else
        ours_blocked_on_cpu(o);
    amp_accelerator_view_wait(o->av);
}

static void ours_product(void *self)
{
    const ours *const o = self;
    AMP_MULTIPLY_ON(o->av, float, o->c, o->a, o->b);
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->c); }

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

static void openmp_simple(void *self)
{
    (void)self;
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const ptrdiff_t side = host.side;
#pragma omp parallel for
    for (ptrdiff_t row = 0; row < side; row++)
        for (ptrdiff_t col = 0; col < side; col++) {
            float sum = 0.0f;
            for (ptrdiff_t i = 0; i < side; i++)
                sum += a[row * side + i] * b[i * side + col];
            c[row * side + col] = sum;
        }
}

/* The same phases as loops with constant bounds and blocks on the stack: of sixteen ways to write it by hand
   none is clearly faster with both compilers. */
static void openmp_tiled(void *self)
{
    (void)self;
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const ptrdiff_t side = host.side;
#pragma omp parallel for collapse(2)
    for (ptrdiff_t top = 0; top < side; top += TS)
        for (ptrdiff_t left = 0; left < side; left += TS) {
            _Alignas(64) float locA[TS][TS], locB[TS][TS], sum[TS][TS];
            for (int row = 0; row < TS; row++)
                for (int col = 0; col < TS; col++)
                    sum[row][col] = 0.0f;
            for (ptrdiff_t i = 0; i < side; i += TS) {
                for (int row = 0; row < TS; row++)
                    for (int col = 0; col < TS; col++) {
                        locA[row][col] = a[(top + row) * side + i + col];
                        locB[row][col] = b[(i + row) * side + left + col];
                    }
                for (int row = 0; row < TS; row++)
                    for (int col = 0; col < TS; col++)
                        for (int k = 0; k < TS; k++)
                            sum[row][col] += locA[row][k] * locB[k][col];
            }
            for (int row = 0; row < TS; row++)
                for (int col = 0; col < TS; col++)
                    c[(top + row) * side + left + col] = sum[row][col];
        }
}

/* Blocks of 128 x 64 as ours, in registers what each compiler is best at: gcc vectorises the outermost of three loops,
   clang the innermost. Each has the loops in the order that makes it fast (the other's takes four times as long). */
enum { HEIGHT = 128, WIDTH = 64, DEPTH = 64 };
#ifdef __clang__
enum { ROWS = 4 };
#define OPENMP_PRODUCT                                                                                                 \
    for (int k = 0; k < DEPTH; k++)                                                                                    \
        _Pragma("unroll")                                                                                              \
        for (int i = row; i < row + ROWS; i++)                                                                         \
            for (int col = 0; col < WIDTH; col++)
#else
enum { ROWS = 8 };
#define OPENMP_PRODUCT                                                                                                 \
    _Pragma("GCC ivdep")                                                                                               \
    for (int col = 0; col < WIDTH; col++)                                                                              \
        for (int k = 0; k < DEPTH; k++)                                                                                \
            for (int i = row; i < row + ROWS; i++)
#endif

static void openmp_blocked(void *self)
{
    (void)self;
    const float *restrict const a = host.a, *restrict const b = host.b;
    float *restrict const c = host.c;
    const ptrdiff_t side = host.side;
#pragma omp parallel for collapse(2)
    for (ptrdiff_t top = 0; top < side; top += HEIGHT)
        for (ptrdiff_t left = 0; left < side; left += WIDTH) {
            _Alignas(64) float locA[HEIGHT][DEPTH], locB[DEPTH][WIDTH], sum[HEIGHT][WIDTH];
            for (int row = 0; row < HEIGHT; row++)
                for (int col = 0; col < WIDTH; col++)
                    sum[row][col] = 0.0f;
            for (ptrdiff_t at = 0; at < side; at += DEPTH) {
                for (int row = 0; row < HEIGHT; row++)
                    for (int k = 0; k < DEPTH; k++)
                        locA[row][k] = a[(top + row) * side + at + k];
                for (int k = 0; k < DEPTH; k++)
                    for (int col = 0; col < WIDTH; col++)
                        locB[k][col] = b[(at + k) * side + left + col];
                for (int row = 0; row < HEIGHT; row += ROWS)
                    OPENMP_PRODUCT
                sum[i][col] += locA[i][k] * locB[k][col];
            }
            for (int row = 0; row < HEIGHT; row++)
                for (int col = 0; col < WIDTH; col++)
                    c[(top + row) * side + left + col] = sum[row][col];
        }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] =
    "kernel void simple(global const float *a, global const float *b, global float *c, int side)\n"
    "{\n"
    "    const int col = get_global_id(0), row = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < side; i++)\n"
    "        sum += a[row * side + i] * b[i * side + col];\n"
    "    c[row * side + col] = sum;\n"
    "}\n"
    "\n"
    "enum { TS = 16 };\n"
    "kernel __attribute__((reqd_work_group_size(TS, TS, 1)))\n"
    "void tiled(global const float *a, global const float *b, global float *c, int side)\n"
    "{\n"
    "    local float locA[TS][TS], locB[TS][TS];\n"
    "    const int col = get_local_id(0), row = get_local_id(1);\n"
    "    const int global_col = get_global_id(0), global_row = get_global_id(1);\n"
    "    float sum = 0.0f;\n"
    "    for (int i = 0; i < side; i += TS) {\n"
    "        locA[row][col] = a[global_row * side + i + col];\n"
    "        locB[row][col] = b[(i + row) * side + global_col];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        for (int k = 0; k < TS; k++)\n"
    "            sum += locA[row][k] * locB[k][col];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    c[global_row * side + global_col] = sum;\n"
    "}\n"
    "\n"
    "enum { EACH = 8 };\n"
    "kernel __attribute__((reqd_work_group_size(TS, TS, 1)))\n"
    "void blocked(global const float *a, global const float *b, global float *c, int side)\n"
    "{\n"
    "    local __attribute__((aligned(16))) float locA[TS * EACH][TS], locB[TS][TS * EACH];\n"
    "    const int col = get_local_id(0), row = get_local_id(1);\n"
    "    const int left = get_group_id(0) * TS * EACH, top = get_group_id(1) * TS * EACH;\n"
    "    float sum[EACH][EACH];\n"
    "    for (int i = 0; i < EACH; i++)\n"
    "        for (int j = 0; j < EACH; j++)\n"
    "            sum[i][j] = 0.0f;\n"
    "    for (int at = 0; at < side; at += TS) {\n"
    "        for (int i = 0; i < EACH; i++) {\n"
    "            locA[row * EACH + i][col] = a[(top + row * EACH + i) * side + at + col];\n"
    "            locB[row][i * TS + col] = b[(at + row) * side + left + i * TS + col];\n"
    "        }\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        #pragma unroll\n"
    "        for (int k = 0; k < TS; k++)\n"
    "            for (int i = 0; i < EACH; i++)\n"
    "                for (int j = 0; j < EACH; j++)\n"
    "                    sum[i][j] += locA[row * EACH + i][k] * locB[k][j * TS + col];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    for (int i = 0; i < EACH; i++)\n"
    "        for (int j = 0; j < EACH; j++)\n"
    "            c[(top + row * EACH + i) * side + left + j * TS + col] = sum[i][j];\n"
    "}\n";

/* A work-item computes `each` x `each` elements. */
static raw_job opencl_job(cl_device_id device, const char *kernel, int each)
{
    raw_job job = raw_job_open(device, opencl_source, kernel, host.c);
    raw_job_buffer(&job, host.a, host.count * sizeof(float));
    raw_job_buffer(&job, host.b, host.count * sizeof(float));
    raw_job_buffer(&job, host.c, host.count * sizeof(float));
    raw_argument(&job, 3, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)(host.side / each);
    job.local[0] = job.local[1] = TS; /* also for `simple`: what a programmer would write */
    return job;
}

/* ---- libraries ------------------------------------------------------------------------------------------ */

static void openblas_run(void *self)
{
    (void)self;
    openblas_product(host.side, host.a, host.b, host.c);
}

/* CLBlast with the buffers of the hand-written kernel. */
#ifdef BENCH_CLBLAST
static void clblast_run(void *self)
{
    raw_job *const job = self;
    const size_t side = (size_t)host.side;
    raw_check(CLBlastSgemm(CLBlastLayoutRowMajor, CLBlastTransposeNo, CLBlastTransposeNo, side, side, side, 1.0f,
                           job->buffers[0], 0, side, job->buffers[1], 0, side, 0.0f, job->buffers[2], 0, side,
                           &job->device.queue, NULL),
              "CLBlastSgemm");
    raw_job_finish(job);
}

static bench_way clblast(cl_device_id device, raw_job *job)
{
    return (bench_way){ device ? "CLBlast" : NULL, job, raw_job_upload, clblast_run, raw_job_download };
}
#else
static bench_way clblast(cl_device_id device, raw_job *job)
{
    (void)job;
    if (device)
        puts("matmul: CLBlast is not installed (scripts/setup --print says how)");
    return (bench_way){ .name = NULL };
}
#endif

/* ---- the comparison ------------------------------------------------------------------------------------- */

/* A problem of this size; the memory is for the largest. */
static void set_side(int side)
{
    host.side = side;
    host.count = (size_t)side * (size_t)side;
    bench_fill(host.a, host.count);
    for (size_t i = 0; i < host.count; i++)
        host.b[i] = host.a[host.count - 1 - i];
    for (size_t s = 0; s < SAMPLES; s++) {
        const size_t row = s * 7919 % (size_t)side, col = s * 104729 % (size_t)side;
        samples[s].at = row * (size_t)side + col;
        samples[s].value = samples[s].magnitude = 0.0;
        for (size_t i = 0; i < (size_t)side; i++) {
            const double term = (double)host.a[row * (size_t)side + i] * (double)host.b[i * (size_t)side + col];
            samples[s].value += term;
            samples[s].magnitude += fabs(term);
        }
    }
}

static void reset(void) { memset(host.c, 0xff, host.count * sizeof *host.c); }

static bool check(void)
{
    for (int s = 0; s < SAMPLES; s++) {
        const double got = (double)host.c[samples[s].at];
        if (!(fabs(got - samples[s].value) <= host.side * (double)FLT_EPSILON * samples[s].magnitude)) {
            fprintf(stderr, "element %zu is %g, expected %g\n", samples[s].at, got, samples[s].value);
            return false;
        }
    }
    return true;
}

/* The kernel on one accelerator at one size, in all its ways. */
static void measure_kernel(bench *table, const char *kernel, int side, amp_accelerator accelerator, cl_device_id device,
                           void (*ours_run)(void *self), void (*openmp_run)(void *self))
{
    if (!bench_wanted(table, kernel))
        return;
    set_side(side);
    AMP_CONST_ARRAY_VIEW(float, 2, a, host.a, side, side);
    AMP_CONST_ARRAY_VIEW(float, 2, b, host.b, side, side);
    AMP_ARRAY_VIEW(float, 2, c, host.c, side, side);
    AMP_ARRAY_VIEW(float, 2, panels, host.panels, side / LANES, LANES * side);
    const bool on_gpu = device && !amp_accelerator_is_emulated(accelerator);
    ours o = { amp_accelerator_default_view(accelerator), a, b, c, panels, device != NULL, on_gpu };

    const bool blocked = openmp_run == openmp_blocked;
    raw_job job = opencl_job(device, blocked ? "blocked" : kernel, blocked ? 8 : 1);
    const bench_way none = { .name = NULL };
    cuda_job cuda = { .in = { host.a, host.b },
                      .out = host.c,
                      .in_bytes = { host.count * sizeof(float), host.count * sizeof(float) },
                      .out_bytes = host.count * sizeof(float),
                      .count = (size_t)side };
    cuda_job by_hand = cuda;
    const bool tiled = openmp_run == openmp_tiled;
    const bench_way ways[] = {
        { "ours", &o, ours_upload, ours_run, ours_download },
        bench_openmp(device, openmp_run),
        bench_opencl(&job, raw_job_run),
        tiled || blocked ? bench_cuda(table, &by_hand, "CUDA", tiled ? cuda_tiled_product : cuda_blocked_product)
                         : none,
        blocked ? bench_openblas(table, device, openblas_run) : none,
        blocked ? clblast(device, &job) : none,
        blocked ? bench_cuda(table, &cuda, "cuBLAS", cuda_sgemm) : none,
    };
    const int size = table->size;
    table->size = side;
    bench_compare(table, kernel, 2.0 * side * side * side, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    table->size = size;
    raw_job_close(&job);
    cuda_close(&by_hand);
    cuda_close(&cuda);
}

static int blocked_side(int side) { return (side + BLOCKED_SIDES - 1) / BLOCKED_SIDES * BLOCKED_SIDES; }

static void measure(bench *table, amp_accelerator accelerator, cl_device_id device)
{
    const int side = table->size;
    measure_kernel(table, "simple", side, accelerator, device, ours_simple, openmp_simple);
    measure_kernel(table, "tiled", side, accelerator, device, ours_tiled, openmp_tiled);
    measure_kernel(table, "blocked", blocked_side(side), accelerator, device, ours_blocked, openmp_blocked);
    measure_kernel(table, "product", blocked_side(side), accelerator, device, ours_product, openmp_blocked);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "matmul", BENCH_GFLOP_PER_S, 1008, 7);
    if (b.size % TS != 0 || b.size > 32768)
        bench_usage(&b);
    const size_t largest = (size_t)blocked_side(b.size);
    host.a = bench_memory(largest * largest * sizeof(float));
    host.b = bench_memory(largest * largest * sizeof(float));
    host.c = bench_memory(largest * largest * sizeof(float));
    host.panels = bench_memory(largest * largest * sizeof(float));

    bench_each_accelerator(&b, measure);

    free(host.a);
    free(host.b);
    free(host.c);
    free(host.panels);
    return bench_end(&b);
}
