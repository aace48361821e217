// SPDX-License-Identifier: MIT
/*  bench/blackscholes: prices of European options by the formula of Black and Scholes, with the precise functions of
    mathematics and with the fast ones. --size is the number of options; Gitem/s count them.
    `fast` on the CPU has no rival in this file: without -ffast-math C has no fast functions. It is the loop of
    rivals/blackscholes_fast_math.c, compiled with that flag.
    How to build and read: bench/README.md. */
#include "bench.h"

enum { PRICE, STRIKE, YEARS, IN_ROWS, CALL = 0, PUT, OUT_ROWS };
static const float rate = 0.02f, volatility = 0.3f, per_volatility = 1.0f / 0.3f;

void blackscholes_fast_math(const float *in, float *out, ptrdiff_t n, float rate, float volatility,
                            float per_volatility);

static struct {
    int options;
    size_t count;
    float *in, *out, *want;
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_float_2 in;
    amp_array_view_float_2 out;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->out);
    amp_array_view_synchronize_to(&o->in, o->av);
    amp_array_view_synchronize_to(&o->out, o->av);
}

/* The share of the normal distribution below d, given exp(-d * d / 2): a polynomial that is good to 1e-7. With fmaf,
   because gcc does not fuse what is written a * b + c under -std=c11. */
AMP_FUNCTION(float, below, (float d, float bell), {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float sum = fmaf(k, 1.330274429f, -1.821255978f);
    sum = fmaf(k, sum, 1.781477937f);
    sum = fmaf(k, sum, -0.356563782f);
    sum = k * fmaf(k, sum, 0.31938153f);
    return 0.5f + copysignf(0.5f - 0.39894228f * bell * sum, d);
})

#define BLACKSCHOLES(ours_name, exp_of, log_of, rsqrt_of)                                                          \
    static void ours_name(void *self)                                                                              \
    {                                                                                                              \
        const ours o = *(const ours *)self;                                                                        \
        const amp_const_array_view_float_2 in = o.in;                                                              \
        const amp_array_view_float_2 out = o.out;                                                                  \
        AMP_PARALLEL_FOR_EACH_ON(                                                                                  \
            o.av, AMP_EXTENT(in.extent.v[1]), (i),                                                                 \
            AMP_CAPTURE(in, out, rate, volatility, per_volatility, AMP_CONSTANT(PRICE), AMP_CONSTANT(STRIKE),      \
                        AMP_CONSTANT(YEARS), AMP_CONSTANT(CALL), AMP_CONSTANT(PUT)),                               \
            {                                                                                                      \
                const float price = AMP_AT(in, PRICE, i), strike = AMP_AT(in, STRIKE, i),                          \
                            years = AMP_AT(in, YEARS, i);                                                          \
                const float root = rsqrt_of(years), spread = volatility * years * root;                            \
                const float d1 = (log_of(price / strike) + (rate + 0.5f * volatility * volatility) * years) * root *\
                                 per_volatility;                                                                   \
                const float d2 = d1 - spread;                                                                      \
                const float below1 = below(d1, exp_of(-0.5f * d1 * d1)),                                           \
                            below2 = below(d2, exp_of(-0.5f * d2 * d2)),                                           \
                            discounted = strike * exp_of(-rate * years);                                           \
                AMP_AT(out, CALL, i) = price * below1 - discounted * below2;                                       \
                AMP_AT(out, PUT, i) = discounted * (1.0f - below2) - price * (1.0f - below1);                      \
            });                                                                                                    \
        amp_accelerator_view_wait(o.av);                                                                           \
    }
BLACKSCHOLES(ours_precise, expf, logf, amp_rsqrtf)
BLACKSCHOLES(ours_fast, amp_fast_expf, amp_fast_logf, amp_fast_rsqrtf)

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->out); }

/* ---- by hand -------------------------------------------------------------------------------------------- */

static void openmp_precise(void *self)
{
    (void)self;
    const ptrdiff_t n = host.options;
    const float *restrict const in = host.in;
    float *restrict const out = host.out;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < n; i++) {
        const float price = in[i], strike = in[n + i], years = in[2 * n + i];
        const float root = 1.0f / sqrtf(years), spread = volatility * years * root;
        const float d1 =
            (logf(price / strike) + (rate + 0.5f * volatility * volatility) * years) * root * per_volatility;
        const float d2 = d1 - spread;
        const float below1 = below(d1, expf(-0.5f * d1 * d1)), below2 = below(d2, expf(-0.5f * d2 * d2)),
                    discounted = strike * expf(-rate * years);
        out[i] = price * below1 - discounted * below2;
        out[n + i] = discounted * (1.0f - below2) - price * (1.0f - below1);
    }
}

static void openmp_fast(void *self)
{
    (void)self;
    blackscholes_fast_math(host.in, host.out, host.options, rate, volatility, per_volatility);
}

/* EXP, LOG and RSQRT are chosen before it. */
#define OPENCL_SOURCE                                                                                              \
    "float below(float d, float bell)\n"                                                                           \
    "{\n"                                                                                                          \
    "    const float k = 1.0f / (1.0f + 0.2316419f * fabs(d));\n"                                                  \
    "    float sum = fma(k, 1.330274429f, -1.821255978f);\n"                                                       \
    "    sum = fma(k, sum, 1.781477937f);\n"                                                                       \
    "    sum = fma(k, sum, -0.356563782f);\n"                                                                      \
    "    sum = k * fma(k, sum, 0.31938153f);\n"                                                                    \
    "    return 0.5f + copysign(0.5f - 0.39894228f * bell * sum, d);\n"                                            \
    "}\n"                                                                                                          \
    "\n"                                                                                                           \
    "kernel void blackscholes(global const float *in, global float *out, int n, float rate, float volatility,\n"   \
    "                         float per_volatility)\n"                                                             \
    "{\n"                                                                                                          \
    "    const int i = get_global_id(0);\n"                                                                        \
    "    const float price = in[i], strike = in[n + i], years = in[2 * n + i];\n"                                  \
    "    const float root = RSQRT(years), spread = volatility * years * root;\n"                                   \
    "    const float d1 = (LOG(price / strike) + (rate + 0.5f * volatility * volatility) * years) * root\n"        \
    "                     * per_volatility;\n"                                                                     \
    "    const float d2 = d1 - spread;\n"                                                                          \
    "    const float below1 = below(d1, EXP(-0.5f * d1 * d1)), below2 = below(d2, EXP(-0.5f * d2 * d2)),\n"        \
    "                discounted = strike * EXP(-rate * years);\n"                                                  \
    "    out[i] = price * below1 - discounted * below2;\n"                                                         \
    "    out[n + i] = discounted * (1.0f - below2) - price * (1.0f - below1);\n"                                   \
    "}\n"
static const char opencl_precise[] = "#define EXP exp\n#define LOG log\n#define RSQRT rsqrt\n" OPENCL_SOURCE;
static const char opencl_fast[] =
    "#define EXP native_exp\n#define LOG native_log\n#define RSQRT native_rsqrt\n" OPENCL_SOURCE;

static raw_job opencl_job(cl_device_id device, const char *source)
{
    raw_job job = raw_job_open(device, source, "blackscholes", host.out);
    raw_job_buffer(&job, host.in, IN_ROWS * host.count * sizeof *host.in);
    raw_job_buffer(&job, host.out, OUT_ROWS * host.count * sizeof *host.out);
    raw_argument(&job, 2, &host.options, sizeof host.options);
    raw_argument(&job, 3, &rate, sizeof rate);
    raw_argument(&job, 4, &volatility, sizeof volatility);
    raw_argument(&job, 5, &per_volatility, sizeof per_volatility);
    job.dimensions = 1;
    job.global[0] = host.count;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset(void) { memset(host.out, 0xff, OUT_ROWS * host.count * sizeof *host.out); }

/* Prices are up to 100; the fast functions of a device are good to some 2^-20. */
static bool check(void) { return bench_close(host.out, host.want, OUT_ROWS * host.count, 2e-3); }

static void measure_kernel(bench *b, const char *kernel, bench_way our_way, bench_way openmp, raw_job job)
{
    const bench_way ways[] = { our_way, openmp, bench_opencl(&job, raw_job_run) };
    bench_compare(b, kernel, host.options, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    AMP_CONST_ARRAY_VIEW(float, 2, in, host.in, IN_ROWS, host.options);
    AMP_ARRAY_VIEW(float, 2, out, host.out, OUT_ROWS, host.options);
    ours o = { amp_accelerator_default_view(accelerator), in, out };
    const bench_way precise = { "ours", &o, ours_upload, ours_precise, ours_download };
    const bench_way fast = { "ours", &o, ours_upload, ours_fast, ours_download };
    bench_way fast_math = bench_openmp(device, openmp_fast);
    if (fast_math.name)
        fast_math.name = "fast-math";
    if (bench_wanted(b, "precise"))
        measure_kernel(b, "precise", precise, bench_openmp(device, openmp_precise), opencl_job(device, opencl_precise));
    if (bench_wanted(b, "fast"))
        measure_kernel(b, "fast", fast, fast_math, opencl_job(device, opencl_fast));
}

static void make_options(void)
{
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < (ptrdiff_t)host.count; i++) {
        const size_t at = (size_t)i, n = host.count;
        const double price = 30 + 50 * bench_random(at), strike = 50 + 98 * bench_random(at + n);
        const double years = 5 + 9 * bench_random(at + 2 * n), r = (double)rate, v = (double)volatility;
        host.in[at] = (float)price;
        host.in[n + at] = (float)strike;
        host.in[2 * n + at] = (float)years;
        const double d1 = (log(price / strike) + (r + 0.5 * v * v) * years) / (v * sqrt(years));
        const double d2 = d1 - v * sqrt(years), discounted = strike * exp(-r * years), half = sqrt(0.5);
        host.want[at] = (float)(price * 0.5 * erfc(-d1 * half) - discounted * 0.5 * erfc(-d2 * half));
        host.want[n + at] = (float)(discounted * 0.5 * erfc(d2 * half) - price * 0.5 * erfc(d1 * half));
    }
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "blackscholes", BENCH_GITEM_PER_S, 1 << 22, 11);
    if (b.size > 1 << 28)
        bench_usage(&b);
    host.options = b.size;
    host.count = (size_t)b.size;
    host.in = bench_memory(IN_ROWS * host.count * sizeof *host.in);
    host.out = bench_memory(OUT_ROWS * host.count * sizeof *host.out);
    host.want = bench_memory(OUT_ROWS * host.count * sizeof *host.want);
    make_options();

    bench_each_accelerator(&b, measure);

    free(host.in);
    free(host.out);
    free(host.want);
    return bench_end(&b);
}
