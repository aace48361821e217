// SPDX-License-Identifier: MIT
/*  bench/graphics: short vectors and textures beside the same by hand: `copy` and `triad` of amp_float_4 and `filter`,
    contrast and saturation of 8-bit RGBA, which only memory limits; `resize`, a picture of 8-bit RGBA made 3/4 as wide
    and as high through a texture with a linear filter; `fast resize`, the same through the device's texture units.
    --size is the number of vectors of an array and of pixels of a picture, which is square. By hand: with OpenMP
    component by component, in OpenCL with its own vectors, for the last two also with an image and its sampler. GB/s
    count what must move: each array that is read or written once. How to build and read: bench/README.md. */
#include "bench.h"

#include "amp_graphics.h"

AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_ELEMENT(amp_uint8_4)
AMP_DEFINE_TEXTURE(rgba8, amp_uint8_4, amp_float_4, amp_float_4_from_unorm8)

static const float factor = 0.4f;

static struct {
    int count, side, small; /* vectors; the sides of the pictures */
    amp_float_4 *x, *y, *out;
    uint8_t (*photo)[4], (*shown)[4];
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_amp_float_4_1 x, y;
    amp_array_view_amp_float_4_1 out;
    amp_const_array_view_amp_uint8_4_2 photo;
    amp_array_view_amp_uint8_4_2 filtered, resized;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->x, o->av);
    amp_array_view_synchronize_to(&o->y, o->av);
    amp_array_view_discard_data(&o->out);
}

static void ours_upload_photo(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize_to(&o->photo, o->av);
    amp_array_view_discard_data(&o->filtered);
    amp_array_view_discard_data(&o->resized);
}

static void ours_copy(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_amp_float_4_1 x = o->x;
    const amp_array_view_amp_float_4_1 out = o->out;
    AMP_PARALLEL_FOR_EACH_ON(o->av, out.extent, (i), AMP_CAPTURE(x, out), { AMP_AT(out, i) = AMP_AT(x, i); });
    amp_accelerator_view_wait(o->av);
}

static void ours_triad(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_amp_float_4_1 x = o->x, y = o->y;
    const amp_array_view_amp_float_4_1 out = o->out;
    AMP_PARALLEL_FOR_EACH_ON(o->av, out.extent, (i), AMP_CAPTURE(x, y, out, factor),
                             { AMP_AT(out, i) = AMP_AT(x, i) + factor * AMP_AT(y, i); });
    amp_accelerator_view_wait(o->av);
}

/* Colours go away from their grey, and from the middle. */
static void ours_filter(void *self)
{
    const ours *const o = self;
    const amp_const_array_view_amp_uint8_4_2 photo = o->photo;
    const amp_array_view_amp_uint8_4_2 filtered = o->filtered;
    AMP_PARALLEL_FOR_EACH_ON(o->av, filtered.extent, (y, x), AMP_CAPTURE(photo, filtered), {
        const amp_float_4 c = amp_float_4_from_unorm8(AMP_AT(photo, y, x));
        const float grey = 0.299f * AMP_R(c) + 0.587f * AMP_G(c) + 0.114f * AMP_B(c);
        amp_float_4 r = (c * 1.25f - AMP_FLOAT_4(0.25f * grey + 0.5f)) * 1.1f + AMP_FLOAT_4(0.5f);
        AMP_A(r) = AMP_A(c);
        AMP_AT(filtered, y, x) = amp_float_4_to_unorm8(r);
    });
    amp_accelerator_view_wait(o->av);
}

/* A picture made smaller; `sample` reads the larger one: by arithmetic, or by texture units where there are any. */
#define OURS_RESIZE(name, sample)                                                                                      \
    static void name(void *self)                                                                                       \
    {                                                                                                                  \
        const ours *const o = self;                                                                                    \
        const amp_const_array_view_amp_uint8_4_2 photo = o->photo;                                                     \
        const amp_array_view_amp_uint8_4_2 resized = o->resized;                                                       \
        const float step = 1 / (float)host.small;                                                                      \
        AMP_PARALLEL_FOR_EACH_ON(o->av, resized.extent, (y, x), AMP_CAPTURE(photo, resized, step), {                   \
            const amp_sampler linear = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);                              \
            const amp_float_2 at = AMP_FLOAT_2(((float)x + 0.5f) * step, ((float)y + 0.5f) * step);                    \
            AMP_AT(resized, y, x) = amp_float_4_to_unorm8(sample(photo, linear, at));                                  \
        });                                                                                                            \
        amp_accelerator_view_wait(o->av);                                                                              \
    }
OURS_RESIZE(ours_resize, rgba8_sample_2)
OURS_RESIZE(ours_fast_resize, rgba8_fast_sample_2)

static void ours_download(void *self)
{
    ours *const o = self;
    amp_array_view_synchronize(&o->out);
    amp_array_view_synchronize(&o->filtered);
    amp_array_view_synchronize(&o->resized);
}

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

static void openmp_copy(void *self)
{
    (void)self;
    const float *restrict const x = (const float *)host.x;
    float *restrict const out = (float *)host.out;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)host.count; i++)
        out[i] = x[i];
}

static void openmp_triad(void *self)
{
    (void)self;
    const float *restrict const x = (const float *)host.x, *restrict const y = (const float *)host.y;
    float *restrict const out = (float *)host.out;
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)host.count; i++)
        out[i] = x[i] + factor * y[i];
}

static inline uint8_t to_uint8(float x) { return (uint8_t)(int)((x < 0 ? 0 : x > 255 ? 255 : x) + 0.5f); }

static void openmp_filter(void *self)
{
    (void)self;
    uint8_t(*restrict const photo)[4] = host.photo, (*restrict const shown)[4] = host.shown;
#pragma omp parallel for simd
    for (ptrdiff_t i = 0; i < (ptrdiff_t)host.side * host.side; i++) {
        const float r = photo[i][0], g = photo[i][1], b = photo[i][2];
        const float away = 0.25f * (0.299f * r + 0.587f * g + 0.114f * b) + 127.5f;
        shown[i][0] = to_uint8((r * 1.25f - away) * 1.1f + 127.5f);
        shown[i][1] = to_uint8((g * 1.25f - away) * 1.1f + 127.5f);
        shown[i][2] = to_uint8((b * 1.25f - away) * 1.1f + 127.5f);
        shown[i][3] = photo[i][3];
    }
}

/* The texel that lies before this middle, as far as there is one, the next, and how far the place is between them. */
typedef struct {
    int first, second;
    float part;
} between;

static inline between texels_around(int i, int of, int side)
{
    const float place = ((float)i + 0.5f) / (float)of * (float)side - 0.5f;
    const int first = (int)floorf(place);
    return (between){ first < 0 ? 0 : first, first + 1 < side ? first + 1 : side - 1, place - (float)first };
}

static void openmp_resize(void *self)
{
    (void)self;
    const int side = host.side, small = host.small;
#pragma omp parallel for
    for (int y = 0; y < small; y++) {
        const between rows = texels_around(y, small, side);
        uint8_t(*const up)[4] = host.photo + (ptrdiff_t)rows.first * side;
        uint8_t(*const down)[4] = host.photo + (ptrdiff_t)rows.second * side;
        for (int x = 0; x < small; x++) {
            const between cols = texels_around(x, small, side);
            for (int c = 0; c < 4; c++) {
                const float a = (float)up[cols.first][c], b = (float)down[cols.first][c];
                const float above = a + ((float)up[cols.second][c] - a) * cols.part;
                const float below = b + ((float)down[cols.second][c] - b) * cols.part;
                host.shown[(ptrdiff_t)y * small + x][c] = (uint8_t)(above + (below - above) * rows.part + 0.5f);
            }
        }
    }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

static const char opencl_source[] =
    "kernel void copy(global const float4 *x, global float4 *out)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    out[i] = x[i];\n"
    "}\n"
    "kernel void triad(global const float4 *x, global const float4 *y, global float4 *out, float factor)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    out[i] = x[i] + factor * y[i];\n"
    "}\n"
    "kernel void filter(global const uchar4 *photo, global uchar4 *shown)\n"
    "{\n"
    "    const size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);\n"
    "    const float4 c = convert_float4(photo[i]) / 255;\n"
    "    const float grey = 0.299f * c.x + 0.587f * c.y + 0.114f * c.z;\n"
    "    float4 r = (c * 1.25f - (0.25f * grey + 0.5f)) * 1.1f + 0.5f;\n"
    "    r.w = c.w;\n"
    "    shown[i] = convert_uchar4_sat_rte(r * 255);\n"
    "}\n"
    "kernel void resize(global const uchar4 *photo, global uchar4 *shown, int side)\n"
    "{\n"
    "    const int x = get_global_id(0), y = get_global_id(1), small = get_global_size(0);\n"
    "    const float2 at = ((float2)(x, y) + 0.5f) / small * side - 0.5f;\n"
    "    const float2 first = floor(at), part = at - first;\n"
    "    const int left = max((int)first.x, 0), right = min((int)first.x + 1, side - 1);\n"
    "    global const uchar4 *const up = photo + (size_t)max((int)first.y, 0) * side;\n"
    "    global const uchar4 *const down = photo + (size_t)min((int)first.y + 1, side - 1) * side;\n"
    "    const float4 above = mix(convert_float4(up[left]), convert_float4(up[right]), part.x);\n"
    "    const float4 below = mix(convert_float4(down[left]), convert_float4(down[right]), part.x);\n"
    "    shown[(size_t)y * small + x] = convert_uchar4_sat_rte(mix(above, below, part.y));\n"
    "}\n"
    "constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
    "kernel void sample(read_only image2d_t photo, global uchar4 *shown)\n"
    "{\n"
    "    const int x = get_global_id(0), y = get_global_id(1), small = get_global_size(0);\n"
    "    const float4 c = read_imagef(photo, linear, ((float2)(x, y) + 0.5f) / small);\n"
    "    shown[(size_t)y * small + x] = convert_uchar4_sat_rte(c * 255);\n"
    "}\n";

static raw_job opencl_vectors(cl_device_id device, const char *kernel, bool has_y)
{
    const size_t bytes = (size_t)host.count * sizeof(amp_float_4);
    raw_job job = raw_job_open(device, opencl_source, kernel, host.out);
    raw_job_buffer(&job, host.x, bytes);
    if (has_y)
        raw_job_buffer(&job, host.y, bytes);
    raw_job_buffer(&job, host.out, bytes);
    if (has_y)
        raw_argument(&job, 3, &factor, sizeof factor);
    job.dimensions = 1;
    job.global[0] = (size_t)host.count;
    return job;
}

/* The picture as an image is the job's first buffer. */
static void add_image(raw_job *job)
{
    const size_t side = (size_t)host.side;
    const cl_image_format format = { CL_RGBA, CL_UNORM_INT8 };
    const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side };
    cl_int status;
    job->buffers[0] = clCreateImage(job->device.context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &desc,
                                    host.photo, &status);
    raw_check(status, "clCreateImage");
    raw_argument(job, job->buffer_count++, &job->buffers[0], sizeof job->buffers[0]);
}

static raw_job opencl_picture(cl_device_id device, const char *kernel, int side, bool image)
{
    const size_t bytes = (size_t)host.side * (size_t)host.side * 4;
    raw_job job = raw_job_open(device, opencl_source, kernel, host.shown);
    if (image && job.kernel)
        add_image(&job);
    else
        raw_job_buffer(&job, host.photo, bytes);
    raw_job_buffer(&job, host.shown, (size_t)side * (size_t)side * 4);
    if (side == host.small && !image)
        raw_argument(&job, 2, &host.side, sizeof host.side);
    job.dimensions = 2;
    job.global[0] = job.global[1] = (size_t)side;
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static void reset_vectors(void) { bench_spoil(host.out, (size_t)host.count * sizeof *host.out); }
static void reset_picture(void) { bench_spoil(host.shown, (size_t)host.side * (size_t)host.side * 4); }

static bool check_vectors(double of_y)
{
    const float *const x = (const float *)host.x, *const y = (const float *)host.y, *const out = (float *)host.out;
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 0; i < 4 * (ptrdiff_t)host.count; i++)
        wrong += !(fabs((double)out[i] - ((double)x[i] + of_y * (double)y[i])) <= 1e-6);
    return !wrong;
}

static bool check_copy(void) { return check_vectors(0); }
static bool check_triad(void) { return check_vectors((double)factor); }

/* A step of 255 more or less is rounding; samplers of devices divide the way between two texels into 256 steps. */
static bool check_filter(void)
{
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (ptrdiff_t i = 0; i < (ptrdiff_t)host.side * host.side; i++) {
        const uint8_t *const c = host.photo[i];
        const double grey = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
        for (int k = 0; k < 3; k++) {
            const double want = (1.25 * c[k] - 0.25 * grey - 127.5) * 1.1 + 127.5;
            wrong += !(fabs(host.shown[i][k] - fmin(fmax(want, 0), 255)) <= 1);
        }
        wrong += host.shown[i][3] != c[3];
    }
    return !wrong;
}

static bool check_resize(void)
{
    const double each = (double)host.side / host.small;
    ptrdiff_t wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
    for (int y = 1; y < host.small - 1; y++)
        for (int x = 1; x < host.small - 1; x++) {
            const double py = (y + 0.5) * each - 0.5, px = (x + 0.5) * each - 0.5;
            const ptrdiff_t at = (ptrdiff_t)py * host.side + (ptrdiff_t)px;
            const double part_y = py - floor(py), part_x = px - floor(px);
            for (int k = 0; k < 4; k++) {
                const double up = host.photo[at][k] * (1 - part_x) + host.photo[at + 1][k] * part_x;
                const double down =
                    host.photo[at + host.side][k] * (1 - part_x) + host.photo[at + host.side + 1][k] * part_x;
                const double got = host.shown[(ptrdiff_t)y * host.small + x][k];
                wrong += !(fabs(got - (up * (1 - part_y) + down * part_y)) <= 2);
            }
        }
    return !wrong;
}

static void measure_vectors(bench *b, cl_device_id device, ours *o)
{
    const double bytes = (double)host.count * sizeof(amp_float_4);
    if (bench_wanted(b, "copy")) {
        raw_job job = opencl_vectors(device, "copy", false);
        const bench_way ways[] = { { "ours", o, ours_upload, ours_copy, ours_download },
                                   bench_openmp(device, openmp_copy),
                                   bench_opencl(&job, raw_job_run),
                                   bench_own_copy(&job) };
        bench_compare(b, "copy", 2 * bytes, (bench_problem){ reset_vectors, check_copy }, ways, BENCH_COUNT(ways));
        raw_job_close(&job);
    }
    if (bench_wanted(b, "triad")) {
        raw_job job = opencl_vectors(device, "triad", true);
        const bench_way ways[] = { { "ours", o, ours_upload, ours_triad, ours_download },
                                   bench_openmp(device, openmp_triad),
                                   bench_opencl(&job, raw_job_run) };
        bench_compare(b, "triad", 3 * bytes, (bench_problem){ reset_vectors, check_triad }, ways, BENCH_COUNT(ways));
        raw_job_close(&job);
    }
}

/* A copy of a picture is no filter of it, and is checked by nobody. */
static bench_way unchecked_copy(raw_job *job)
{
    bench_way way = bench_own_copy(job);
    way.download = openmp_filter;
    return way;
}

static void measure_pictures(bench *b, cl_device_id device, ours *o)
{
    const double pixels = (double)host.side * host.side;
    if (bench_wanted(b, "filter")) {
        raw_job job = opencl_picture(device, "filter", host.side, false);
        const bench_way ways[] = { { "ours", o, ours_upload_photo, ours_filter, ours_download },
                                   bench_openmp(device, openmp_filter),
                                   bench_opencl(&job, raw_job_run),
                                   unchecked_copy(&job) };
        bench_compare(b, "filter", 8 * pixels, (bench_problem){ reset_picture, check_filter }, ways, BENCH_COUNT(ways));
        raw_job_close(&job);
    }
}

static void measure_resize(bench *b, cl_device_id device, ours *o, const char *kernel, void (*run)(void *self))
{
    const double bytes = 4 * ((double)host.side * host.side + (double)host.small * host.small);
    if (!bench_wanted(b, kernel))
        return;
    raw_job job = opencl_picture(device, "resize", host.small, false);
    raw_job image = opencl_picture(device, "sample", host.small, true);
    bench_way by_image = bench_opencl(&image, raw_job_run);
    by_image.name = by_image.name ? "CL image" : NULL;
    const bench_way ways[] = { { "ours", o, ours_upload_photo, run, ours_download },
                               bench_openmp(device, openmp_resize),
                               bench_opencl(&job, raw_job_run),
                               by_image };
    bench_compare(b, kernel, bytes, (bench_problem){ reset_picture, check_resize }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
    raw_job_close(&image);
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    amp_uint8_4 *const photo = (amp_uint8_4 *)host.photo, *const shown = (amp_uint8_4 *)host.shown;
    AMP_CONST_ARRAY_VIEW(amp_float_4, 1, x, host.x, host.count);
    AMP_CONST_ARRAY_VIEW(amp_float_4, 1, y, host.y, host.count);
    AMP_ARRAY_VIEW(amp_float_4, 1, out, host.out, host.count);
    AMP_CONST_ARRAY_VIEW(amp_uint8_4, 2, from, photo, host.side, host.side);
    AMP_ARRAY_VIEW(amp_uint8_4, 2, filtered, shown, host.side, host.side);
    AMP_ARRAY_VIEW(amp_uint8_4, 2, resized, shown, host.small, host.small);
    ours o = { amp_accelerator_default_view(accelerator), x, y, out, from, filtered, resized };
    measure_vectors(b, device, &o);
    measure_pictures(b, device, &o);
    measure_resize(b, device, &o, "resize", ours_resize);
    measure_resize(b, device, &o, "fast resize", ours_fast_resize);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "graphics", BENCH_GBYTE_PER_S, 1 << 24, 7);
    host.count = b.size;
    host.side = (int)sqrt(b.size) < 8 ? 8 : (int)sqrt(b.size);
    host.small = host.side / 4 * 3;
    const size_t bytes = (size_t)b.size * sizeof(amp_float_4), pixels = (size_t)host.side * (size_t)host.side;
    host.x = bench_memory(bytes);
    host.y = bench_memory(bytes);
    host.out = bench_memory(bytes);
    host.photo = bench_memory(4 * pixels);
    host.shown = bench_memory(4 * pixels);
    bench_fill((float *)host.x, 4 * (size_t)b.size);
    bench_fill((float *)host.y, 4 * (size_t)b.size);
#pragma omp parallel for
    for (ptrdiff_t i = 0; i < (ptrdiff_t)(4 * pixels); i++)
        host.photo[i / 4][i % 4] = (uint8_t)(256 * (bench_random((size_t)i) + 0.5));

    bench_each_accelerator(&b, measure);

    free(host.x);
    free(host.y);
    free(host.out);
    free(host.photo);
    free(host.shown);
    return bench_end(&b);
}
