// SPDX-License-Identifier: MIT
/*  bench/path_tracer: the paths of light of examples/21_path_tracer.c, beside the same kernel hand-written in OpenCL C,
    and OpenMP loops over the pixels. The example makes the tree of boxes, which all variants use.
    --size is the width of the picture, a multiple of 64; it is half as high. Gitem/s count paths.
    How to build and read: bench/README.md. */
#define AMP_SCHEDULE         dynamic
#define AMP_PRECISE_DIVISION 1 /* as in the example */
#include "bench.h"
#define PICTURE_H                       /* the example's pictures are not used here */
#define PICTURE_PIXEL(red, green, blue) ((uint32_t)(red) | (uint32_t)(green) << 8 | (uint32_t)(blue) << 16)
static inline bool picture_write(const char *name, const uint32_t *pixels, int width, int height)
{
    return name && pixels && width && height;
}
static inline double seconds_now(void) { return omp_get_wtime(); }
static inline void progress_show(int done, int all) { (void)(done + all); }
#define main path_tracer_main
#include "../examples/21_path_tracer.c"
#undef main

enum { AROUND = 160, TRIANGLES = AROUND / 8 * AROUND * 2, LEAVES = 2048, PATHS = 2 * BATCH, SAMPLES = 4096 };
_Static_assert(TRIANGLES <= LEAVES * LEAF && 2 * TRIANGLES > LEAVES * LEAF, "as few leaves as the example has");

static struct {
    int width;
    size_t count; /* of pixels */
    triangle *knot;
    box *boxes;
    vec *light;
    uint32_t *picture, *want;
    bool is_known; /* does `want` hold our picture? */
    uint32_t sample[SAMPLES];
} host;

/* ---- ours ----------------------------------------------------------------------------------------------- */

typedef struct {
    amp_accelerator_view av;
    amp_const_array_view_box_1 tree;
    amp_const_array_view_triangle_1 knot;
    amp_array_view_vec_2 light;
    amp_array_view_uint32_t_2 picture;
} ours;

static void ours_upload(void *self)
{
    ours *const o = self;
    amp_array_view_refresh(&o->picture);
    amp_array_view_synchronize_to(&o->tree, o->av);
    amp_array_view_synchronize_to(&o->knot, o->av);
    amp_array_view_synchronize_to(&o->picture, o->av);
}

static void ours_run(void *self)
{
    const ours *const o = self;
    for (int first = 0; first < PATHS; first += BATCH)
        follow(o->av, o->tree, o->knot, o->light, o->picture, first, 1);
    amp_accelerator_view_wait(o->av);
}

static void ours_download(void *self) { amp_array_view_synchronize(&((ours *)self)->picture); }

/* ---- by hand, OpenMP ------------------------------------------------------------------------------------ */

/* The example's functions, but for those that have views. */
static inline hit openmp_knot(ray r, hit best)
{
    const vec over = { 1 / r.way.x, 1 / r.way.y, 1 / r.way.z };
    int i = 1;
    while (i > 0) {
        const int met = with_box(r, over, host.boxes[i], best.t);
        if (met && i < LEAVES) {
            i *= 2;
            continue;
        }
        const int first = (i - LEAVES) * LEAF, end = first + LEAF < TRIANGLES ? first + LEAF : TRIANGLES;
        for (int k = first; met && k < end; k++)
            best = with_triangle(r, host.knot[k], best);
        while (i & 1)
            i /= 2;
        i += i > 0;
    }
    return best;
}

static inline hit openmp_hit(ray r)
{
    const float t = -r.from.y / r.way.y;
    hit best = { FAR, { 0, 0, 0 }, { 0, 0, 0 }, LAMP };
    if (t > 1e-3f && t < 100) {
        const vec p = along(r.from, r.way, t);
        const float shade = ((int)floorf(p.x) + (int)floorf(p.z)) & 1 ? 0.75f : 0.35f;
        best = (hit){ t, { 0, 1, 0 }, { shade, shade, shade }, CHALK };
    }
    for (int i = 0; i < BALLS; i++)
        best = with_ball(r, balls[i], best);
    return openmp_knot(r, best);
}

static inline vec openmp_light(ray r, uint64_t pixel, uint64_t path)
{
    vec left = { 1, 1, 1 };
    for (int bounce = 1; bounce <= MOST_BOUNCES; bounce++) {
        const hit h = openmp_hit(r);
        const vec sky = { fmaf(-0.25f, r.way.y, 0.6f), fmaf(-0.15f, r.way.y, 0.65f), 0.75f };
        if (h.what == LAMP)
            return times(left, h.t < FAR ? h.colour : sky);
        const vec any = anywhere(pixel, path * 16 + (uint64_t)bounce, 1), to = r.way;
        const vec normal = dot(to, h.normal) > 0 ? (vec){ -h.normal.x, -h.normal.y, -h.normal.z } : h.normal;
        r.from = along(r.from, to, h.t);
        r.way = unit(h.what == GLASS   ? bent(to, h.normal, 0.5f + any.x / 2)
                     : h.what == METAL ? along(mirrored(to, normal), any, 0.06f)
                                       : along(normal, any, 1));
        left = times(left, h.colour);
    }
    return (vec){ 0, 0, 0 };
}

/* A batch of paths of one pixel. */
static inline void openmp_pixel(int row, int col, int first, vec *light, uint32_t *pixel)
{
    const uint64_t number = (uint64_t)row * (uint64_t)host.width + (uint64_t)col;
    const float all = (float)(first + BATCH), wide = (float)host.width;
    vec sum = first > 0 ? *light : (vec){ 0, 0, 0 };
    for (int path = first; path < first + BATCH; path++) {
        const amp_random_block r = amp_philox(number, (uint64_t)path, 2);
        const float x = fmaf((float)(r.v[0] >> 8), 0x1p-24f, (float)col) / wide;
        const float y = fmaf((float)(r.v[1] >> 8), 0x1p-24f, (float)row) / wide;
        const vec way = { fmaf(0.92f, x, -0.46f), fmaf(-0.92f, y, 0.07f), -1 };
        sum = along(sum, openmp_light((ray){ { 0, 2.6f, 8.5f }, unit(way) }, number, (uint64_t)path), 1);
    }
    *light = sum;
    *pixel = PICTURE_PIXEL(tone(sum.x / all), tone(sum.y / all), tone(sum.z / all));
}

static void openmp_run(void *self)
{
    (void)self;
    for (int first = 0; first < PATHS; first += BATCH) {
#pragma omp parallel for schedule(dynamic)
        for (int row = 0; row < host.width / 2; row++)
            for (int col = 0; col < host.width; col++) {
                const size_t at = (size_t)row * (size_t)host.width + (size_t)col;
                openmp_pixel(row, col, first, &host.light[at], &host.picture[at]);
            }
    }
}

/* ---- by hand, OpenCL ------------------------------------------------------------------------------------ */

/* Structs of three floats: pocl takes longer for float3. */
#pragma GCC diagnostic ignored "-Woverlength-strings"
static const char opencl_source[] =
    "typedef struct { float x, y, z; } vec;\n"
    "typedef struct { vec at; float radius; vec colour; int what; } ball;\n"
    "typedef struct { vec a, ab, ac; } triangle;\n"
    "typedef struct { vec low, high; } box;\n"
    "typedef struct { float t; vec normal, colour; int what; } hit;\n"
    "typedef struct { vec from, way; } ray;\n"
    "\n"
    "enum { CHALK, METAL, GLASS, LAMP, BALLS = 10, LEAF = 4, BATCH = 4, MOST_BOUNCES = 8 };\n"
    "#define FAR 1e30f\n"
    "\n"
    "constant ball balls[BALLS] = {\n"
    "    { { -2.5f, 6, -3 }, 1.5f, { 6, 5.5f, 4.5f }, LAMP },\n"
    "    { { 0, 1.25f, 0 }, 0.55f, { 0.95f, 0.98f, 1 }, GLASS },\n"
    "    { { 2.6f, 0.9f, 0.8f }, 0.9f, { 0.95f, 0.95f, 0.95f }, METAL },\n"
    "    { { -2.6f, 0.8f, 0.9f }, 0.8f, { 1, 1, 1 }, GLASS },\n"
    "    { { -4.2f, 1, -1.2f }, 1, { 0.75f, 0.2f, 0.15f }, CHALK },\n"
    "    { { 3.6f, 0.4f, -1.5f }, 0.4f, { 0.9f, 0.6f, 0.2f }, METAL },\n"
    "    { { 0.3f, 0.35f, 3.2f }, 0.35f, { 0.8f, 0.3f, 0.6f }, GLASS },\n"
    "    { { 1.6f, 0.3f, 2.9f }, 0.3f, { 0.2f, 0.7f, 0.5f }, CHALK },\n"
    "    { { -1.2f, 0.3f, 2.6f }, 0.3f, { 0.2f, 0.35f, 0.8f }, CHALK },\n"
    "    { { 1.1f, 0.25f, -3.4f }, 0.25f, { 0.9f, 0.8f, 0.3f }, CHALK },\n"
    "};\n"
    "\n"
    "float product(float a, float b) { return fma(a, b, 0.0f); }\n"
    "vec minus(vec a, vec b) { return (vec){ a.x - b.x, a.y - b.y, a.z - b.z }; }\n"
    "vec negative(vec a) { return (vec){ -a.x, -a.y, -a.z }; }\n"
    "vec times(vec a, vec b) { return (vec){ product(a.x, b.x), product(a.y, b.y), product(a.z, b.z) }; }\n"
    "vec scaled(vec a, float b) { return (vec){ product(a.x, b), product(a.y, b), product(a.z, b) }; }\n"
    "vec divided(vec a, float b) { return (vec){ a.x / b, a.y / b, a.z / b }; }\n"
    "vec along(vec a, vec b, float t) { return (vec){ fma(b.x, t, a.x), fma(b.y, t, a.y), fma(b.z, t, a.z) }; }\n"
    "float inner(vec a, vec b) { return fma(a.x, b.x, fma(a.y, b.y, a.z * b.z)); }\n"
    "vec outer(vec a, vec b)\n"
    "{\n"
    "    return (vec){ fma(a.y, b.z, -(a.z * b.y)), fma(a.z, b.x, -(a.x * b.z)), fma(a.x, b.y, -(a.y * b.x)) };\n"
    "}\n"
    "vec unit(vec a) { return divided(a, sqrt(inner(a, a))); }\n"
    "vec least(vec a, vec b) { return (vec){ fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z) }; }\n"
    "vec most(vec a, vec b) { return (vec){ fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z) }; }\n"
    "vec mirrored(vec way, vec normal) { return along(way, normal, -2 * inner(way, normal)); }\n"
    "uint tone(float light) { return (uint)(sqrt(fmin(light, 1.0f)) * 255); }\n"
    "\n"
    "uint4 philox(ulong low, ulong high, ulong key)\n"
    "{\n"
    "    uint4 x = (uint4)((uint)low, (uint)(low >> 32), (uint)high, (uint)(high >> 32));\n"
    "    uint2 k = (uint2)((uint)key, (uint)(key >> 32));\n"
    "    for (int round = 0; round < 10; round++) {\n"
    "        x = (uint4)(mul_hi(0xCD9E8D57u, x.z) ^ x.y ^ k.x, 0xCD9E8D57u * x.z,\n"
    "                    mul_hi(0xD2511F53u, x.x) ^ x.w ^ k.y, 0xD2511F53u * x.x);\n"
    "        k += (uint2)(0x9E3779B9u, 0xBB67AE85u);\n"
    "    }\n"
    "    return x;\n"
    "}\n"
    "\n"
    "void with_ball(ray r, constant ball *b, hit *best)\n"
    "{\n"
    "    const vec to = minus(r.from, b->at);\n"
    "    const float b2 = inner(to, r.way), root = fma(b2, b2, fma(b->radius, b->radius, -inner(to, to)));\n"
    "    if (root <= 0)\n"
    "        return;\n"
    "    const float close = -b2 - sqrt(root), t = close > 1e-3f ? close : -b2 + sqrt(root);\n"
    "    if (t <= 1e-3f || t >= best->t)\n"
    "        return;\n"
    "    *best = (hit){ t, divided(minus(along(r.from, r.way, t), b->at), b->radius), b->colour, b->what };\n"
    "}\n"
    "\n"
    "void with_triangle(ray r, triangle a, hit *best)\n"
    "{\n"
    "    const vec p = outer(r.way, a.ac), s = minus(r.from, a.a), q = outer(s, a.ab);\n"
    "    const float over = 1 / inner(a.ab, p);\n"
    "    const float u = product(inner(s, p), over), v = product(inner(r.way, q), over);\n"
    "    const float t = product(inner(a.ac, q), over);\n"
    "    if (u >= 0 && v >= 0 && u + v <= 1 && t > 1e-3f && t < best->t)\n"
    "        *best = (hit){ t, unit(outer(a.ab, a.ac)), { 0.95f, 0.7f, 0.35f }, METAL };\n"
    "}\n"
    "\n"
    "bool with_box(ray r, vec over, box b, float end)\n"
    "{\n"
    "    const vec one = times(minus(b.low, r.from), over), two = times(minus(b.high, r.from), over);\n"
    "    const vec in = least(one, two), out = most(one, two);\n"
    "    return fmax(fmax(in.x, in.y), fmax(in.z, 0.0f)) <= fmin(fmin(out.x, out.y), fmin(out.z, end));\n"
    "}\n"
    "\n"
    "void with_knot(global const box *boxes, global const triangle *knot, int leaves, int count, ray r,\n"
    "               hit *best)\n"
    "{\n"
    "    const vec over = { 1 / r.way.x, 1 / r.way.y, 1 / r.way.z };\n"
    "    int i = 1;\n"
    "    while (i > 0) {\n"
    "        const bool met = with_box(r, over, boxes[i], best->t);\n"
    "        if (met && i < leaves) {\n"
    "            i *= 2;\n"
    "            continue;\n"
    "        }\n"
    "        if (met) {\n"
    "            const int first = (i - leaves) * LEAF, end = min(first + LEAF, count);\n"
    "            for (int k = first; k < end; k++)\n"
    "                with_triangle(r, knot[k], best);\n"
    "        }\n"
    "        while (i & 1)\n"
    "            i /= 2;\n"
    "        i += i > 0;\n"
    "    }\n"
    "}\n"
    "\n"
    "hit nearest(global const box *boxes, global const triangle *knot, int leaves, int count, ray r)\n"
    "{\n"
    "    const float t = -r.from.y / r.way.y;\n"
    "    hit best = { FAR, { 0, 0, 0 }, { 0, 0, 0 }, LAMP };\n"
    "    if (t > 1e-3f && t < 100) {\n"
    "        const vec p = along(r.from, r.way, t);\n"
    "        const float shade = ((int)floor(p.x) + (int)floor(p.z)) & 1 ? 0.75f : 0.35f;\n"
    "        best = (hit){ t, { 0, 1, 0 }, { shade, shade, shade }, CHALK };\n"
    "    }\n"
    "    for (int i = 0; i < BALLS; i++)\n"
    "        with_ball(r, &balls[i], &best);\n"
    "    with_knot(boxes, knot, leaves, count, r, &best);\n"
    "    return best;\n"
    "}\n"
    "\n"
    "vec anywhere(ulong pixel, ulong n)\n"
    "{\n"
    "    for (ulong again = 0;; again++) {\n"
    "        const uint4 r = philox(pixel, n + (again / 2 << 32), 1);\n"
    "        const uint2 two = again & 1 ? r.zw : r.xy;\n"
    "        const float x = fma((float)(two.x >> 8), 0x1p-23f, -1.0f);\n"
    "        const float y = fma((float)(two.y >> 8), 0x1p-23f, -1.0f);\n"
    "        const float square = fma(x, x, product(y, y)), wide = 2 * sqrt(1 - fmin(square, 1.0f));\n"
    "        if (square < 1)\n"
    "            return (vec){ product(x, wide), product(y, wide), fma(-2.0f, square, 1.0f) };\n"
    "    }\n"
    "}\n"
    "\n"
    "vec bent(vec way, vec normal, float chance)\n"
    "{\n"
    "    const bool inside = inner(way, normal) > 0;\n"
    "    const vec up = inside ? negative(normal) : normal;\n"
    "    const float index = inside ? 1.5f : 1 / 1.5f, cosine = fmin(-inner(way, up), 1.0f);\n"
    "    const float rest = fma(-product(index, index), fma(-cosine, cosine, 1.0f), 1.0f), c = 1 - cosine;\n"
    "    if (rest < 0 || chance < fma(0.96f, product(product(c, c), product(product(c, c), c)), 0.04f))\n"
    "        return mirrored(way, up);\n"
    "    return along(scaled(way, index), up, fma(index, cosine, -sqrt(rest)));\n"
    "}\n"
    "\n"
    "vec light_of(global const box *boxes, global const triangle *knot, int leaves, int count, ray r,\n"
    "             ulong pixel, ulong path)\n"
    "{\n"
    "    vec left = { 1, 1, 1 };\n"
    "    for (int bounce = 1; bounce <= MOST_BOUNCES; bounce++) {\n"
    "        const hit h = nearest(boxes, knot, leaves, count, r);\n"
    "        const vec sky = { fma(-0.25f, r.way.y, 0.6f), fma(-0.15f, r.way.y, 0.65f), 0.75f };\n"
    "        if (h.what == LAMP)\n"
    "            return times(left, h.t < FAR ? h.colour : sky);\n"
    "        const vec any = anywhere(pixel, path * 16 + bounce), to = r.way;\n"
    "        const vec normal = inner(to, h.normal) > 0 ? negative(h.normal) : h.normal;\n"
    "        r.from = along(r.from, to, h.t);\n"
    "        r.way = unit(h.what == GLASS   ? bent(to, h.normal, 0.5f + any.x / 2)\n"
    "                     : h.what == METAL ? along(mirrored(to, normal), any, 0.06f)\n"
    "                                       : along(normal, any, 1));\n"
    "        left = times(left, h.colour);\n"
    "    }\n"
    "    return (vec){ 0, 0, 0 };\n"
    "}\n"
    "\n"
    "kernel void follow(global const box *boxes, global const triangle *knot, global vec *light,\n"
    "                   global uint *picture, int leaves, int count, int width, int first)\n"
    "{\n"
    "    const int col = get_global_id(0), row = get_global_id(1), at = row * width + col;\n"
    "    vec sum = first > 0 ? light[at] : (vec){ 0, 0, 0 };\n"
    "    for (int path = first; path < first + BATCH; path++) {\n"
    "        const uint4 r = philox(at, path, 2);\n"
    "        const float x = fma((float)(r.x >> 8), 0x1p-24f, (float)col) / width;\n"
    "        const float y = fma((float)(r.y >> 8), 0x1p-24f, (float)row) / width;\n"
    "        const vec way = unit((vec){ fma(0.92f, x, -0.46f), fma(-0.92f, y, 0.07f), -1 });\n"
    "        const ray eye = { { 0, 2.6f, 8.5f }, way };\n"
    "        sum = along(sum, light_of(boxes, knot, leaves, count, eye, at, path), 1);\n"
    "    }\n"
    "    light[at] = sum;\n"
    "    const vec mean = divided(sum, first + BATCH);\n"
    "    picture[at] = tone(mean.x) | tone(mean.y) << 8 | tone(mean.z) << 16;\n"
    "}\n";

static void opencl_run(void *self)
{
    for (int first = 0; first < PATHS; first += BATCH) {
        raw_argument(self, 7, &first, sizeof first);
        raw_job_enqueue(self);
    }
    raw_job_finish(self);
}

/* The fastest of three work-groups: the driver's choice, and two that hold neighbouring pixels. */
static void choose_group(raw_job *job)
{
    static const size_t groups[][2] = { { 0, 0 }, { 8, 8 }, { 32, 4 } };
    const size_t *best = groups[0];
    double least = HUGE_VAL;
    opencl_run(job); /* some devices compile in the first run */
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        memcpy(job->local, groups[g], sizeof groups[g]);
        const double start = omp_get_wtime();
        opencl_run(job);
        const double seconds = omp_get_wtime() - start;
        if (seconds < least) {
            least = seconds;
            best = groups[g];
        }
    }
    memcpy(job->local, best, sizeof groups[0]);
    printf("OpenCL's work-groups: %zu x %zu (0: the driver's choice)\n", best[0], best[1]);
}

static raw_job opencl_job(cl_device_id device)
{
    static const int leaves = LEAVES, triangles = TRIANGLES;
    raw_job job = raw_job_open_with(device, opencl_source, "follow", host.picture,
                                    "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt");
    raw_job_buffer(&job, host.boxes, 2 * LEAVES * sizeof *host.boxes);
    raw_job_buffer(&job, host.knot, TRIANGLES * sizeof *host.knot);
    raw_job_buffer(&job, host.light, host.count * sizeof *host.light);
    raw_job_buffer(&job, host.picture, host.count * sizeof *host.picture);
    raw_argument(&job, 4, &leaves, sizeof leaves);
    raw_argument(&job, 5, &triangles, sizeof triangles);
    raw_argument(&job, 6, &host.width, sizeof host.width);
    job.dimensions = 2;
    job.global[0] = (size_t)host.width;
    job.global[1] = (size_t)host.width / 2;
    if (job.kernel)
        choose_group(&job);
    return job;
}

/* ---- the comparison ------------------------------------------------------------------------------------- */

static size_t sample(int s) { return (size_t)s * 7919 % host.count; }

static void make_samples(void)
{
#pragma omp parallel for schedule(dynamic, 16)
    for (int s = 0; s < SAMPLES; s++) {
        const int row = (int)(sample(s) / (size_t)host.width), col = (int)(sample(s) % (size_t)host.width);
        vec light;
        for (int first = 0; first < PATHS; first += BATCH)
            openmp_pixel(row, col, first, &light, &host.sample[s]);
    }
}

static void reset(void) { memset(host.picture, 0xff, host.count * sizeof *host.picture); }

/* Ours comes first: some of its pixels have to be those of plain C, and all pixels of the others those of ours. */
static bool check(void)
{
    size_t different = 0;
    for (int s = 0; s < SAMPLES; s++)
        different += host.picture[sample(s)] != host.sample[s];
    if (!host.is_known)
        memcpy(host.want, host.picture, host.count * sizeof *host.picture);
    host.is_known = true;
    for (size_t i = 0; i < host.count; i++)
        different += host.picture[i] != host.want[i];
    if (different > 0)
        fprintf(stderr, "%zu pixels differ\n", different);
    return different == 0;
}

static void measure(bench *b, amp_accelerator accelerator, cl_device_id device)
{
    if (!bench_wanted(b, "paths"))
        return;
    AMP_CONST_ARRAY_VIEW(box, 1, tree, host.boxes, 2 * LEAVES);
    AMP_CONST_ARRAY_VIEW(triangle, 1, knot, host.knot, TRIANGLES);
    AMP_ARRAY_VIEW_NO_SOURCE(vec, 2, light, host.width / 2, host.width);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, host.picture, host.width / 2, host.width);
    ours o = { amp_accelerator_default_view(accelerator), tree, knot, light, picture };
    raw_job job = opencl_job(device);
    const bench_way ways[] = { { "ours", &o, ours_upload, ours_run, ours_download },
                               bench_openmp(device, openmp_run),
                               bench_opencl(&job, opencl_run) };
    host.is_known = false;
    bench_compare(b, "paths", (double)host.count * PATHS, (bench_problem){ reset, check }, ways, BENCH_COUNT(ways));
    raw_job_close(&job);
}

/* The example's tree, made by the CPU backend. */
static void make_tree(void)
{
    make_knot(host.knot, AROUND);
    AMP_ARRAY_VIEW(triangle, 1, knot, host.knot, TRIANGLES);
    AMP_ARRAY_VIEW(box, 1, boxes, host.boxes, 2 * LEAVES);
    plant(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), knot, boxes);
    amp_array_view_synchronize(&knot);
    amp_array_view_synchronize(&boxes);
}

int main(int argc, char **argv)
{
    bench b = bench_begin(argc, argv, "path_tracer", BENCH_GITEM_PER_S, 256, 5);
    if (b.size % 64 != 0 || b.size > 16384)
        bench_usage(&b);
    host.width = b.size;
    host.count = (size_t)b.size * (size_t)b.size / 2;
    host.knot = bench_memory(TRIANGLES * sizeof *host.knot);
    host.boxes = bench_memory(2 * LEAVES * sizeof *host.boxes);
    host.light = bench_memory(host.count * sizeof *host.light);
    host.picture = bench_memory(host.count * sizeof *host.picture);
    host.want = bench_memory(host.count * sizeof *host.want);
    make_tree();
    make_samples();

    bench_each_accelerator(&b, measure);

    free(host.knot);
    free(host.boxes);
    free(host.light);
    free(host.picture);
    free(host.want);
    return bench_end(&b);
}
