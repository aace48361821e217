// SPDX-License-Identifier: MIT
/*  bench/mandelbrot: how many steps each point of a square of the plane takes to escape. --size is the side.
    Gitem/s count these steps. Points differ in work a hundredfold, so threads get few rows at a time.
    How to build and read: bench/README.md. */
#define AMP_SCHEDULE dynamic
#include "bench.h"

enum { LIMIT = 256 };

static struct {
    int side;
    size_t count;
    int *steps, *want;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_array_view_int_2 steps;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->steps);
    amp_array_view_synchronize_to(&o->steps, o->av);
}

static void ours_run(void *self)
{
    const ours o = *(const ours *)self;
    const amp_array_view_int_2 steps = o.steps;
    const float scale = 2.5f / (float)steps.extent.v[0];
    AMP_PARALLEL_FOR_EACH_ON(o.av, steps.extent, (row, col), AMP_CAPTURE(steps, scale, AMP_CONSTANT(LIMIT)), {
        const float cx = (float)col * scale - 2.0f, cy = (float)row * scale - 1.25f;
        float x = 0.0f, y = 0.0f;
        int n = 0;
        while (n < LIMIT && x * x + y * y <= 4.0f) {
            const float next = x * x - y * y + cx;
            y = 2.0f * x * y + cy;
            x = next;
            n++;
        }
        AMP_AT(steps, row, col) = n;
    });
    amp_accelerator_view_wait(o.av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->steps); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_run(void *self)
{
    (void)self;
    int *restrict const steps = host.steps;
    const ptrdiff_t side = host.side;
    const float scale = 2.5f / (float)side;
#pragma omp parallel for schedule(dynamic)
    for (ptrdiff_t row = 0; row < side; row++)
        for (ptrdiff_t col = 0; col < side; col++) {
            const float cx = (float)col * scale - 2.0f, cy = (float)row * scale - 1.25f;
            float x = 0.0f, y = 0.0f;
            int n = 0;
            while (n < LIMIT && x * x + y * y <= 4.0f) {
                const float next = x * x - y * y + cx;
                y = 2.0f * x * y + cy;
                x = next;
                n++;
            }
            steps[row * side + col] = n;
        }
}

static const char opencl_source[] = "enum { LIMIT = 256 };\n"
                                    "kernel void mandelbrot(global int *steps, int side)\n"
                                    "{\n"
                                    "    const int col = get_global_id(0), row = get_global_id(1);\n"
                                    "    const float scale = 2.5f / (float)side;\n"
                                    "    const float cx = (float)col * scale - 2.0f, cy = (float)row * scale - 1.25f;\n"
                                    "    float x = 0.0f, y = 0.0f;\n"
                                    "    int n = 0;\n"
                                    "    while (n < LIMIT && x * x + y * y <= 4.0f) {\n"
                                    "        const float next = x * x - y * y + cx;\n"
                                    "        y = 2.0f * x * y + cy;\n"
                                    "        x = next;\n"
                                    "        n++;\n"
                                    "    }\n"
                                    "    steps[row * side + col] = n;\n"
                                    "}\n";

static raw_job opencl_job(cl_device_id device)
{
    raw_job job = raw_job_open(device, opencl_source, "mandelbrot", host.steps);
    raw_job_buffer(&job, host.steps, host.count * sizeof *host.steps);
    raw_argument(&job, 1, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)host.side;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memset(host.steps, 0xff, host.count * sizeof *host.steps); }

/* Near the edge of the set the last bit decides, and compilers differ there: one point in fifty may be another. */
static bool check(void)
{
    size_t different = 0;
    for (size_t i = 0; i < host.count; i++) {
        if (host.steps[i] < 1 || host.steps[i] > LIMIT)
            return false;
        different += host.steps[i] != host.want[i];
    }
    if (different > host.count / 50)
        fprintf(stderr, "%zu of %zu points differ\n", different, host.count);
    return different <= host.count / 50;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_ARRAY_VIEW(int, 2, steps, host.steps, host.side, host.side);
    ours o = { amp_accelerator_default_view(accelerator), steps };
    double work = 0;
    if (!bench_wanted(b, "mandelbrot"))
        return;
    for (size_t i = 0; i < host.count; i++)
        work += host.want[i];
    raw_job job = opencl_job(device);
    const bench_way ways[] = { { "ours", &o, ours_upload, ours_run, ours_download },
                               bench_openmp(device, openmp_run),
                               bench_opencl(&job, raw_job_run) };
    bench_compare(b, "mandelbrot", work, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
}

/* Steps in double, which agrees with float but for the points that check allows for. */
static void make_reference(void)
{
    const double scale = (double)(2.5f / (float)host.side);
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < host.side; row++)
        for (int col = 0; col < host.side; col++) {
            double x = 0, y = 0;
            int n = 0;
            for (; n < LIMIT && x * x + y * y <= 4; n++) {
                const double next = x * x - y * y + (col * scale - 2);
                y = 2 * x * y + (row * scale - 1.25);
                x = next;
            }
            host.want[(size_t)row * (size_t)host.side + (size_t)col] = n;
        }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "mandelbrot", BENCH_GITEM_PER_S, 1024, 11);
    if (b.size > 32768)
        bench_usage(&b);
    host.side = b.size;
    host.count = (size_t)b.size * (size_t)b.size;
    host.steps = bench_memory(host.count * sizeof *host.steps);
    host.want = bench_memory(host.count * sizeof *host.want);
    make_reference();

    bench_each_accelerator(&b, measure);

    free(host.steps);
    free(host.want);
    return bench_end(&b);
}
