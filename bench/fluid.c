// SPDX-License-Identifier: MIT
/*  bench/fluid: steps of examples/20_fluid.c, a lattice Boltzmann method in place, beside the same scheme as vectorised
    loops. --size is the height and depth of the tunnel.
    GB/s count what must move: 38 populations and a byte for each cell.
    How to build and read: bench/README.md. */
#define AMP_NO_PRIVATE_ARRAYS 1 /* as in the example */
#include "bench.h"
#define NX      256
#define PHOTO_H /* the example's pictures and window are not used here */
#define WINDOW_H
typedef struct window {
    const char *name;
    int width, height, most;
} window;
static inline window window_open(const char *name, int width, int height, int most)
{
    return (window){ name, width, height, most };
}
static inline bool window_show(window *w, const uint32_t *pixels, const char *text) { return w && pixels && !text; }
static inline int window_key(window *w, int milliseconds) { return w ? 'q' : milliseconds; }
static inline bool window_close(window *w) { return w != NULL; }
static inline double seconds_now(void) { return omp_get_wtime(); }
static inline uint32_t *picture_read(const char *name, int *width, int *height, size_t most)
{
    return name && width && height && most ? NULL : NULL;
}
#define PICTURE_PIXEL(red, green, blue) ((uint32_t)((red) + (green) + (blue)))
#define main                            fluid_main
#include "../examples/20_fluid.c"
#undef main

enum { STEPS = 10 }; /* even: all views are where they were */
enum { HERE, THERE, LOW, HIGH, REST, VIEWS };
static const int pairs_in[VIEWS] = { 4, 4, 5, 5, 1 };

static struct {
    int side;
    size_t count[VIEWS];
    float *p[VIEWS], *start[VIEWS], *want[VIEWS];
    uint8_t *kind;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    lattice l;
} ours;

static populations *ours_view(ours *o, int v)
{
    return (populations *[]){ &o->l.here, &o->l.there, &o->l.low, &o->l.high, &o->l.rest }[v];
}

static void ours_upload(void *self)
{
    ours *const o = self;
    for (int v = 0; v < VIEWS; v++) {
        amp_array_view_refresh(ours_view(o, v));
        amp_array_view_synchronize_to(ours_view(o, v), o->av);
    }
    amp_array_view_synchronize_to(&o->l.kind, o->av);
}

static void ours_run(void *self)
{
    ours *const o = self;
    for (int i = 0; i < STEPS; i++)
        step(o->av, &o->l, SPEED, 0, MOVE);
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self)
{
    for (int v = 0; v < VIEWS; v++)
        amp_array_view_synchronize(ours_view(self, v));
}

/* ---- OpenMP --------------------------------------------------------------------------------------------- */

/* The rows of the pairs: the cell's, the neighbour's. */
#define ROWS(view, pairs, k, z, y) ((view) + (((ptrdiff_t)(z)*ny + (y)) * (pairs) + (k)) * ROW)
#define TAKE(k)                    const float p##k = near##k[x], m##k = far##k[x]
#define GIVE(k, weight, u)                                                                                             \
    do {                                                                                                               \
        const float c = 3 * (u);                                                                                       \
        const float sum = even * (0.5f * (p##k + m##k) - weight * (more + (1 + more) * (0.5f * c * c - square)));      \
        const float difference = odd * (0.5f * (p##k - m##k) - weight * (1 + more) * c);                               \
        far##k[x] = cell == WALL ? m##k : p##k - sum - difference;                                                     \
        near##k[x] = cell == WALL ? p##k : m##k - sum + difference;                                                    \
    } while (0)

/* One row of cells. Rates and wind are parameters: clang makes no vectors where it loads them again in each turn. */
static inline void openmp_row(float *const *p, const uint8_t *kind, ptrdiff_t z, ptrdiff_t y, ptrdiff_t ny, float rate,
                              float wind)
{
    const ptrdiff_t north = y + 1 < ny ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;
    float *const rest = p[REST] + (z * ny + y) * ROW;
    float *const near1 = ROWS(p[HERE], 4, 0, z, y), *const far1 = ROWS(p[THERE], 4, 0, z, y) + 1;
    float *const near2 = ROWS(p[HERE], 4, 1, z, y), *const far2 = ROWS(p[THERE], 4, 1, z, north);
    float *const near3 = ROWS(p[HERE], 4, 2, z, y), *const far3 = ROWS(p[THERE], 4, 2, z, north) + 1;
    float *const near4 = ROWS(p[HERE], 4, 3, z, y), *const far4 = ROWS(p[THERE], 4, 3, z, south) + 1;
    float *const near5 = ROWS(p[LOW], 5, 0, z, y), *const far5 = ROWS(p[HIGH], 5, 0, z + 1, y);
    float *const near6 = ROWS(p[LOW], 5, 1, z, y), *const far6 = ROWS(p[HIGH], 5, 1, z + 1, y) + 1;
    float *const near7 = ROWS(p[LOW], 5, 2, z, y) + 1, *const far7 = ROWS(p[HIGH], 5, 2, z + 1, y);
    float *const near8 = ROWS(p[LOW], 5, 3, z, y), *const far8 = ROWS(p[HIGH], 5, 3, z + 1, north);
    float *const near9 = ROWS(p[LOW], 5, 4, z, y), *const far9 = ROWS(p[HIGH], 5, 4, z + 1, south);
    kind += (z * ny + y) * ROW;
#pragma omp simd
    for (int x = 0; x < NX; x++) {
        const int cell = kind[x];
        const float p0 = rest[x];
        TAKE(1);
        TAKE(2);
        TAKE(3);
        TAKE(4);
        TAKE(5);
        TAKE(6);
        TAKE(7);
        TAKE(8);
        TAKE(9);
        const float all =
            p0 + (p1 + m1 + p2 + m2) + (p3 + m3 + p4 + m4) + (p5 + m5 + p6 + m6) + (p7 + m7 + p8 + m8) + (p9 + m9);
        const float each = 1 / (1 + all);
        const float vx = each * (p1 - m1 + (p3 - m3) + (p4 - m4) + (p6 - m6) - (p7 - m7));
        const float vy = each * (p2 - m2 + (p3 - m3) - (p4 - m4) + (p8 - m8) - (p9 - m9));
        const float vz = each * (p5 - m5 + (p6 - m6) + (p7 - m7) + (p8 - m8) + (p9 - m9));
        const bool given = cell == WIND;
        const float even = given ? 1.0f : rate, odd = even, more = given ? 0.0f : all;
        const float ux = given ? wind : vx, uy = given ? 0.0f : vy, uz = given ? 0.0f : vz;
        const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
        const float r0 = p0 - even * (p0 - (more - (1 + more) * square) * (1.0f / 3));
        rest[x] = cell == WALL ? p0 : r0;
        GIVE(1, 1.0f / 18, ux);
        GIVE(2, 1.0f / 18, uy);
        GIVE(3, 1.0f / 36, ux + uy);
        GIVE(4, 1.0f / 36, ux - uy);
        GIVE(5, 1.0f / 18, uz);
        GIVE(6, 1.0f / 36, uz + ux);
        GIVE(7, 1.0f / 36, uz - ux);
        GIVE(8, 1.0f / 36, uz + uy);
        GIVE(9, 1.0f / 36, uz - uy);
    }
}

static void openmp_run(void *self)
{
    (void)self;
    for (int i = 0; i < STEPS; i++) {
        float *const p[VIEWS] = { host.p[i % 2 ? THERE : HERE], host.p[i % 2 ? HERE : THERE],
                                  host.p[i % 2 ? HIGH : LOW], host.p[i % 2 ? LOW : HIGH], host.p[REST] };
#pragma omp parallel for collapse(2)
        for (int z = 0; z < host.side; z++)
            for (int y = 0; y < host.side; y++)
                openmp_row(p, host.kind, z, y, host.side, 1 / (3 * 0.01f + 0.5f), SPEED);
    }
}

/* ---- CUDA ------------------------------------------------------------------------------------------------ */

/* A job for each view: all are results. */
static cuda_job jobs[VIEWS];
static cuda_lattice cuda = { .jobs = jobs, .nx = NX, .row = ROW, .rate = 1 / (3 * 0.01f + 0.5f), .wind = SPEED };

static void each_job(void (*function)(void *self))
{
    for (int v = 0; v < VIEWS; v++)
        function(&jobs[v]);
}

static void cuda_upload_all(void *self) { (void)self, each_job(cuda_upload); }
static void cuda_download_all(void *self) { (void)self, each_job(cuda_download); }

static void cuda_run(void *self)
{
    for (int i = 0; i < STEPS; i++)
        cuda_step(self, i, WIND, WALL);
    cuda_wait();
}

static bench_way cuda_way(const bench *b)
{
    bool there = true;
    cuda.ny = cuda.nz = host.side;
    for (int v = 0; v < VIEWS; v++) {
        jobs[v] = (cuda_job){ .out = host.p[v], .out_bytes = host.count[v] * sizeof(float) };
        if (v == HERE) {
            jobs[v].in[0] = host.kind;
            jobs[v].in_bytes[0] = (size_t)host.side * (size_t)host.side * ROW;
        }
        there = there && bench_cuda(b, &jobs[v], "CUDA", NULL).name;
    }
    return (bench_way){ there ? "CUDA" : NULL, &cuda, cuda_upload_all, cuda_run, cuda_download_all };
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void)
{
    for (int v = 0; v < VIEWS; v++)
        memcpy(host.p[v], host.start[v], host.count[v] * sizeof(float));
}

static bool is_right(void)
{
    bool ok = true;
    for (int v = 0; v < VIEWS; v++)
        ok = ok && bench_close(host.p[v], host.want[v], host.count[v], 1e-6);
    return ok;
}

static void measure_steps(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    const int side = host.side;
    ours o = { amp_accelerator_default_view(accelerator), { .ny = side, .nz = side, .usual = 1 / (3 * 0.01f + 0.5f) } };
    for (int v = 0; v < VIEWS; v++)
        *ours_view(&o, v) = amp_array_view_float_2_create(host.p[v], AMP_EXTENT(side + (v == LOW || v == HIGH),
                                                                                pairs_in[v] * side * ROW));
    o.l.flow = amp_array_view_amp_float_4_3_create_no_source(AMP_EXTENT(side, side, NX)); /* for its extent */
    o.l.kind = amp_array_view_uint8_t_2_create(host.kind, AMP_EXTENT(side, side * ROW));
    const bench_way ways[] = { { "ours", &o, ours_upload, ours_run, ours_download },
                               bench_openmp(device, openmp_run),
                               cuda_way(b) };
    bench_compare(b, "steps", (38.0 * sizeof(float) + 1) * STEPS * NX * side * side, (bench_problem){ reset, is_right },
                  ways, BENCH_COUNT(ways));
    for (int v = 0; v < VIEWS; v++) {
        cuda_close(&jobs[v]);
        amp_array_view_release(ours_view(&o, v));
    }
    amp_array_view_release(&o.l.kind);
    amp_array_view_release(&o.l.flow);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "fluid", BENCH_GBYTE_PER_S, 64, 11);
    if (b.size < 2 || b.size > 1024)
        bench_usage(&b);
    host.side = b.size;
    const size_t plane = (size_t)b.size * ROW;
    host.kind = bench_memory(plane * (size_t)b.size);
    for (size_t i = 0; i < plane * (size_t)b.size; i++) {
        const size_t x = i % ROW, z = i / plane, dx = x > 64 ? x - 64 : 64 - x;
        host.kind[i] = x == 0 || x == NX - 1 ? WIND : dx < 16 && z > (size_t)b.size / 2 ? WALL : 0;
    }
    for (int v = 0; v < VIEWS; v++) {
        host.count[v] = plane * (size_t)(b.size + 1) * (size_t)pairs_in[v];
        float **const arrays[] = { &host.p[v], &host.start[v], &host.want[v] };
        for (int k = 0; k < 3; k++)
            *arrays[k] = bench_memory(host.count[v] * sizeof(float));
        for (size_t i = 0; i < host.count[v]; i++)
            host.start[v][i] = 0.001f * (float)bench_random(i + (size_t)v);
    }
    reset();
    openmp_run(NULL);
    for (int v = 0; v < VIEWS; v++)
        memcpy(host.want[v], host.p[v], host.count[v] * sizeof(float));

    bench_each_accelerator(&b, measure_steps);

    for (int v = 0; v < VIEWS; v++) {
        free(host.p[v]);
        free(host.start[v]);
        free(host.want[v]);
    }
    free(host.kind);
    return bench_end(&b);
}
