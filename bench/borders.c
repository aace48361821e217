// SPDX-License-Identifier: MIT
/*  bench/borders: heat that spreads over a square chip (Rodinia's hotspot), whose cells at the border take their own
    value for the neighbour that is not there: the usual ways to write that, beside loops by hand that treat the border
    apart.
    --size is the side. GB/s count what must move in a step: temperature and power read once, temperature written once.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { STEPS = 10, HIGH = 8, WIDE = 64 }; /* STEPS even: the result ends where the start was */

static struct {
    int side;
    size_t count;
    float *now, *next, *power, *before, *after;
} host;

/* The new temperature of a cell, of its own, its neighbours' and its power. */
AMP_FUNCTION(float, heated, (float c, float up, float down, float left, float right, float power), {
    return c + 0.1f * (power + (up + down - 2.0f * c) * 0.3f + (left + right - 2.0f * c) * 0.4f + (80.0f - c) * 0.01f);
})

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef void step(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                  amp_array_view_float_2 out);

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 power;
    amp_array_view_float_2 now, next;
    step *step;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->now);
    amp_array_view_synchronize_to(&o->now, o->av);
    amp_array_view_synchronize_to(&o->next, o->av);
    amp_array_view_synchronize_to(&o->power, o->av);
}

/* The index of the neighbour is kept inside. */
static void step_clamp(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                       amp_array_view_float_2 out)
{
    AMP_PARALLEL_FOR_EACH_ON(av, out.extent, (y, x), AMP_CAPTURE(in, power, out), {
        const int height = in.extent.v[0], width = in.extent.v[1];
        const int up = y > 0 ? y - 1 : 0, down = y < height - 1 ? y + 1 : height - 1;
        const int left = x > 0 ? x - 1 : 0, right = x < width - 1 ? x + 1 : width - 1;
        AMP_AT(out, y, x) = heated(AMP_AT(in, y, x), AMP_AT(in, up, x), AMP_AT(in, down, x), AMP_AT(in, y, left),
                                   AMP_AT(in, y, right), AMP_AT(power, y, x));
    });
}

/* The neighbour's value or one's own. */
static void step_select(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                        amp_array_view_float_2 out)
{
    AMP_PARALLEL_FOR_EACH_ON(av, out.extent, (y, x), AMP_CAPTURE(in, power, out), {
        const int height = in.extent.v[0], width = in.extent.v[1];
        const float c = AMP_AT(in, y, x);
        const float up = y > 0 ? AMP_AT(in, y - 1, x) : c, down = y < height - 1 ? AMP_AT(in, y + 1, x) : c;
        const float left = x > 0 ? AMP_AT(in, y, x - 1) : c, right = x < width - 1 ? AMP_AT(in, y, x + 1) : c;
        AMP_AT(out, y, x) = heated(c, up, down, left, right, AMP_AT(power, y, x));
    });
}

/* The row by its index, the column by its value. */
static void step_both(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                      amp_array_view_float_2 out)
{
    AMP_PARALLEL_FOR_EACH_ON(av, out.extent, (y, x), AMP_CAPTURE(in, power, out), {
        const int height = in.extent.v[0], width = in.extent.v[1];
        const int up = y > 0 ? y - 1 : 0, down = y < height - 1 ? y + 1 : height - 1;
        const float c = AMP_AT(in, y, x);
        const float left = x > 0 ? AMP_AT(in, y, x - 1) : c, right = x < width - 1 ? AMP_AT(in, y, x + 1) : c;
        AMP_AT(out, y, x) = heated(c, AMP_AT(in, up, x), AMP_AT(in, down, x), left, right, AMP_AT(power, y, x));
    });
}

/* Tiles, wide ones, with their neighbours in tile_static memory; the extent is padded to whole tiles. */
static void step_tiled(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                       amp_array_view_float_2 out)
{
    const amp_tiled_extent2 padded = amp_tiled_extent2_pad(amp_extent2_tile(out.extent, HIGH, WIDE));
    AMP_TILED_ON(av, amp_tiled_extent2_extent(padded), (HIGH, WIDE), tile,
                 AMP_CAPTURE(in, power, out, AMP_CONSTANT(HIGH), AMP_CONSTANT(WIDE)), {
        AMP_TILE_STATIC(float, near, [HIGH + 2][WIDE + 2]);
        const int height = in.extent.v[0], width = in.extent.v[1];
        AMP_THREADS(tile, t) {
            const int row = t.local.v[0] + 1, col = t.local.v[1] + 1;
            const int y = t.global.v[0] < height ? t.global.v[0] : height - 1;
            const int x = t.global.v[1] < width ? t.global.v[1] : width - 1;
            near[row][col] = AMP_AT(in, y, x);
            if (row == 1)
                near[0][col] = AMP_AT(in, y > 0 ? y - 1 : 0, x);
            if (row == HIGH)
                near[HIGH + 1][col] = AMP_AT(in, y < height - 1 ? y + 1 : height - 1, x);
            if (col == 1)
                near[row][0] = AMP_AT(in, y, x > 0 ? x - 1 : 0);
            if (col == WIDE)
                near[row][WIDE + 1] = AMP_AT(in, y, x < width - 1 ? x + 1 : width - 1);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            const int y = t.global.v[0], x = t.global.v[1], row = t.local.v[0] + 1, col = t.local.v[1] + 1;
            if (y < height && x < width)
                AMP_AT(out, y, x) = heated(near[row][col], near[row - 1][col], near[row + 1][col], near[row][col - 1],
                                           near[row][col + 1], AMP_AT(power, y, x));
        }
    });
}

/* The inner cells in one launch, the border's in another: 4 (side - 1) cells, one after the other round the square. */
static void step_apart(amp_accelerator_view av, amp_const_array_view_float_2 in, amp_const_array_view_float_2 power,
                       amp_array_view_float_2 out)
{
    AMP_PARALLEL_FOR_EACH_ON(av, amp_inner(out.extent, 1), (y, x), AMP_CAPTURE(in, power, out), {
        AMP_AT(out, y, x) = heated(AMP_AT(in, y, x), AMP_AT(in, y - 1, x), AMP_AT(in, y + 1, x), AMP_AT(in, y, x - 1),
                                   AMP_AT(in, y, x + 1), AMP_AT(power, y, x));
    });
    const int last = out.extent.v[0] - 1;
    AMP_PARALLEL_FOR_EACH_ON(av, AMP_EXTENT(4 * last), (i), AMP_CAPTURE(in, power, out, last), {
        const int edge = i / last, at = i % last;
        const int y = edge == 0 ? 0 : edge == 1 ? at : edge == 2 ? last : last - at;
        const int x = edge == 0 ? at : edge == 1 ? last : edge == 2 ? last - at : 0;
        const int up = y > 0 ? y - 1 : 0, down = y < last ? y + 1 : last;
        const int left = x > 0 ? x - 1 : 0, right = x < last ? x + 1 : last;
        AMP_AT(out, y, x) = heated(AMP_AT(in, y, x), AMP_AT(in, up, x), AMP_AT(in, down, x), AMP_AT(in, y, left),
                                   AMP_AT(in, y, right), AMP_AT(power, y, x));
    });
}

static void ours_run(void *self)
{
    const ours *const o = self;
    for (int i = 0; i < STEPS; i += 2) {
        o->step(o->av, amp_as_const(o->now), o->power, o->next);
        o->step(o->av, amp_as_const(o->next), o->power, o->now);
    }
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->now); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static inline float heated_by_hand(float c, float up, float down, float left, float right, float power)
{
    return c + 0.1f * (power + (up + down - 2.0f * c) * 0.3f + (left + right - 2.0f * c) * 0.4f + (80.0f - c) * 0.01f);
}

/* A row knows its neighbours; its first and last cell are computed apart, and first: clang makes no vectors of what a
   loop hands on to what follows it, nor with `restrict`, from one cell to the next. */
static void row_by_hand(const float *in, const float *power, float *out, ptrdiff_t y, ptrdiff_t side)
{
    const float *const row = in + y * side, *const up = y > 0 ? row - side : row;
    const float *const down = y < side - 1 ? row + side : row, *const p = power + y * side;
    float *const to = out + y * side;
    const ptrdiff_t last = side - 1;
    to[0] = heated_by_hand(row[0], up[0], down[0], row[0], row[1], p[0]);
    to[last] = heated_by_hand(row[last], up[last], down[last], row[last - 1], row[last], p[last]);
#pragma omp simd
    for (ptrdiff_t x = 1; x < last; x++)
        to[x] = heated_by_hand(row[x], up[x], down[x], row[x - 1], row[x + 1], p[x]);
}

static void openmp_run(void *self)
{
    (void)self;
    for (int i = 0; i < STEPS; i++) {
        const float *const in = i % 2 ? host.next : host.now;
        float *const out = i % 2 ? host.now : host.next;
#pragma omp parallel for
        for (ptrdiff_t y = 0; y < host.side; y++)
            row_by_hand(in, host.power, out, y, host.side);
    }
}

static const char opencl_source[] =
    "kernel void heat(global const float *in, global const float *power, global float *out, int side)\n"
    "{\n"
    "    const int x = get_global_id(0), y = get_global_id(1), at = y * side + x;\n"
    "    const float c = in[at];\n"
    "    const float up = in[at - (y > 0 ? side : 0)], down = in[at + (y < side - 1 ? side : 0)];\n"
    "    const float left = in[at - (x > 0)], right = in[at + (x < side - 1)];\n"
    "    out[at] = c + 0.1f * (power[at] + (up + down - 2.0f * c) * 0.3f + (left + right - 2.0f * c) * 0.4f\n"
    "                          + (80.0f - c) * 0.01f);\n"
    "}\n";

static raw_job opencl_job(cl_device_id device)
{
    raw_job job = raw_job_open(device, opencl_source, "heat", host.now);
    raw_job_buffer(&job, host.next, host.count * sizeof *host.next);
    raw_job_buffer(&job, host.power, host.count * sizeof *host.power);
    raw_job_buffer(&job, host.now, host.count * sizeof *host.now);
    raw_argument(&job, 3, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)host.side;
    return job;
}

static void opencl_run(void *self)
{
    raw_job *const job = self;
    for (int i = 0; i < STEPS; i++) {
        raw_argument(job, 0, &job->buffers[i % 2 ? 0 : 2], sizeof(cl_mem));
        raw_argument(job, 2, &job->buffers[i % 2 ? 2 : 0], sizeof(cl_mem));
        raw_job_enqueue(job);
    }
    raw_job_finish(job);
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memcpy(host.now, host.before, host.count * sizeof *host.now); }

static bool check(void) { return bench_close(host.now, host.after, host.count, 1e-3); }

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    static const struct {
        const char *name;
        step *step;
    } forms[] = { { "clamp", step_clamp },
                  { "select", step_select },
                  { "both", step_both },
                  { "tiled", step_tiled },
                  { "apart", step_apart } };
    AMP_ARRAY_VIEW(float, 2, now, host.now, b->size, b->size);
    AMP_ARRAY_VIEW(float, 2, next, host.next, b->size, b->size);
    AMP_CONST_ARRAY_VIEW(float, 2, power, host.power, b->size, b->size);
    raw_job job = opencl_job(device);
    for (int f = 0; f < BENCH_COUNT(forms); f++) {
        ours o = { amp_accelerator_default_view(accelerator), power, now, next, forms[f].step };
        const bench_way ways[] = {
            { "ours", &o, ours_upload, ours_run, ours_download },
            bench_openmp(device, openmp_run),
            bench_opencl(&job, opencl_run),
        };
        bench_compare(b, forms[f].name, STEPS * 3.0 * sizeof(float) * (double)host.count,
                      (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    }
    raw_job_close(&job);
}

/* What the steps must give: every cell by itself. */
static void make_reference(void)
{
    float *from = bench_memory(host.count * sizeof(float)), *to = host.after;
    const size_t side = (size_t)host.side;
    memcpy(from, host.before, host.count * sizeof *from);
    for (int i = 0; i < STEPS; i++) {
        for (size_t y = 0; y < side; y++)
            for (size_t x = 0; x < side; x++) {
                const size_t at = y * side + x;
                to[at] = heated_by_hand(from[at], from[y > 0 ? at - side : at], from[y < side - 1 ? at + side : at],
                                        from[x > 0 ? at - 1 : at], from[x < side - 1 ? at + 1 : at], host.power[at]);
            }
        float *const other = from;
        from = to;
        to = other;
    }
    if (from != host.after)
        memcpy(host.after, from, host.count * sizeof *from);
    free(from == host.after ? to : from);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "borders", BENCH_GBYTE_PER_S, 2048, 11);
    if (b.size < 3 || b.size > 32768)
        bench_usage(&b);
    host.side = b.size;
    host.count = (size_t)b.size * (size_t)b.size;
    float **const all[] = { &host.now, &host.next, &host.power, &host.before, &host.after };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bench_memory(host.count * sizeof(float));
    bench_fill(host.before, host.count);
    bench_fill(host.power, host.count);
    reset();
    make_reference();

    bench_each_accelerator(&b, measure);

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(*all[i]);
    return bench_end(&b);
}
