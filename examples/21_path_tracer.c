// SPDX-License-Identifier: MIT
/*  21_path_tracer: pictures of light: spheres and a knot of triangles, of chalk, metal and glass, under a lamp and sky.

    Triangles are sorted along a curve through space (Morton codes, amp_sort_by_key). Boxes around neighbours, and
    around pairs of boxes, are a heap: the children of box i are 2 i and 2 i + 1, so that a ray needs no stack. Random
    numbers are functions of pixel, path and bounce. The picture has the same bits on every device with exact division
    and square root: each product that is added to something is an fmaf, so a compiler has nothing to contract.

    Build   cc -O3 -march=native -fopenmp -I.. 21_path_tracer.c -o 21_path_tracer -lm     -DAMP_BACKEND_OPENCL
    Run     ./21_path_tracer [PATHS [WIDTH [AROUND]]]               8 paths a pixel, 240 pixels, 96 x 12 quads
    See     how far it is, paths per second, the picture's hash, paths.png, then OK: a small picture has the same bits
            on the accelerator and the CPU backend, and plain loops over all triangles find what the tree finds.     */
#define AMP_PRECISE_DIVISION 1
#include <math.h>
#include "amp_algorithms.h"
#include "picture.h"

#define LEAF         4 /* triangles in a leaf of the tree */
#define MOST_BOUNCES 8
#define BATCH        4 /* paths of a pixel in a launch */
#define CHALK        0
#define METAL        1
#define GLASS        2
#define LAMP         3
#define FAR          1e30f
#define BALLS        10

AMP_STRUCT(vec, { float x, y, z; });
AMP_STRUCT(ball, { vec at; float radius; vec colour; int what; });
AMP_STRUCT(triangle, { vec a, ab, ac; }); /* a corner, and the ways to the others */
AMP_STRUCT(box, { vec low, high; });
AMP_STRUCT(hit, { float t; vec normal, colour; int what; });
AMP_STRUCT(ray, { vec from, way; });
AMP_DEFINE_ELEMENT(vec)
AMP_DEFINE_ELEMENT(triangle)
AMP_DEFINE_ELEMENT(box)

AMP_TABLE(ball, balls, [BALLS], {
    { { -2.5f, 6, -3 }, 1.5f, { 6, 5.5f, 4.5f }, LAMP }, { { 0, 1.25f, 0 }, 0.55f, { 0.95f, 0.98f, 1 }, GLASS },
        { { 2.6f, 0.9f, 0.8f }, 0.9f, { 0.95f, 0.95f, 0.95f }, METAL },
        { { -2.6f, 0.8f, 0.9f }, 0.8f, { 1, 1, 1 }, GLASS }, { { -4.2f, 1, -1.2f }, 1, { 0.75f, 0.2f, 0.15f }, CHALK },
        { { 3.6f, 0.4f, -1.5f }, 0.4f, { 0.9f, 0.6f, 0.2f }, METAL },
        { { 0.3f, 0.35f, 3.2f }, 0.35f, { 0.8f, 0.3f, 0.6f }, GLASS },
        { { 1.6f, 0.3f, 2.9f }, 0.3f, { 0.2f, 0.7f, 0.5f }, CHALK },
        { { -1.2f, 0.3f, 2.6f }, 0.3f, { 0.2f, 0.35f, 0.8f }, CHALK },
        { { 1.1f, 0.25f, -3.4f }, 0.25f, { 0.9f, 0.8f, 0.3f }, CHALK },
})

/* A product that is rounded before it is added to anything. */
AMP_FUNCTION(float, product, (float a, float b), { return fmaf(a, b, 0.0f); })
AMP_FUNCTION(vec, minus, (vec a, vec b), { return (vec){ a.x - b.x, a.y - b.y, a.z - b.z }; })
AMP_FUNCTION(vec, times, (vec a, vec b), { return (vec){ product(a.x, b.x), product(a.y, b.y), product(a.z, b.z) }; })
AMP_FUNCTION(vec, divided, (vec a, float b), { return (vec){ a.x / b, a.y / b, a.z / b }; })
AMP_FUNCTION(vec, along, (vec a, vec b, float t), {
    return (vec){ fmaf(b.x, t, a.x), fmaf(b.y, t, a.y), fmaf(b.z, t, a.z) };
})
AMP_FUNCTION(float, dot, (vec a, vec b), { return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z)); })
AMP_FUNCTION(float, cross_part, (float a, float b, float c, float d), { return fmaf(a, b, -(c * d)); })
AMP_FUNCTION(vec, cross, (vec a, vec b), {
    return (vec){ cross_part(a.y, b.z, a.z, b.y), cross_part(a.z, b.x, a.x, b.z), cross_part(a.x, b.y, a.y, b.x) };
})
AMP_FUNCTION(vec, unit, (vec a), { return divided(a, sqrtf(dot(a, a))); })
AMP_FUNCTION(vec, least, (vec a, vec b), { return (vec){ fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z) }; })
AMP_FUNCTION(vec, most, (vec a, vec b), { return (vec){ fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z) }; })
AMP_FUNCTION(vec, mirrored, (vec way, vec normal), { return along(way, normal, -2 * dot(way, normal)); })
AMP_FUNCTION(float, tone, (float light), { return sqrtf(fminf(light, 1)) * 255; })

AMP_FUNCTION(hit, with_ball, (ray r, ball b, hit best), {
    const vec to = minus(r.from, b.at);
    const float b2 = dot(to, r.way), root = fmaf(b2, b2, fmaf(b.radius, b.radius, -dot(to, to)));
    if (root <= 0) return best;
    const float near = -b2 - sqrtf(root), t = near > 1e-3f ? near : -b2 + sqrtf(root);
    if (t <= 1e-3f || t >= best.t) return best;
    return (hit){ t, divided(minus(along(r.from, r.way, t), b.at), b.radius), b.colour, b.what };
})

AMP_FUNCTION(hit, with_triangle, (ray r, triangle a, hit best), {
    const vec p = cross(r.way, a.ac), s = minus(r.from, a.a), q = cross(s, a.ab);
    const float over = 1 / dot(a.ab, p);
    const float u = product(dot(s, p), over), v = product(dot(r.way, q), over), t = product(dot(a.ac, q), over);
    if (!(u >= 0 && v >= 0 && u + v <= 1 && t > 1e-3f && t < best.t)) return best;
    return (hit){ t, unit(cross(a.ab, a.ac)), (vec){ 0.95f, 0.7f, 0.35f }, METAL };
})

/* Is the box met before `end`? over: 1 / the ray's way */
AMP_FUNCTION(int, with_box, (ray r, vec over, box b, float end), {
    const vec one = times(minus(b.low, r.from), over), two = times(minus(b.high, r.from), over);
    const vec in = least(one, two), out = most(one, two);
    return fmaxf(fmaxf(in.x, in.y), fmaxf(in.z, 0)) <= fminf(fminf(out.x, out.y), fminf(out.z, end));
})

/* The boxes of the heap in depth-first order: below one that is met, else past it. */
AMP_FUNCTION(hit, with_knot, (amp_const_array_view_box_1 tree, amp_const_array_view_triangle_1 knot, ray r, hit best), {
    const vec over = (vec){ 1 / r.way.x, 1 / r.way.y, 1 / r.way.z };
    const int leaves = tree.extent.v[0] / 2;
    for (int i = 1; i > 0;) {
        const int met = with_box(r, over, AMP_AT(tree, i), best.t);
        if (met && i < leaves) {
            i *= 2;
            continue;
        }
        for (int k = (i - leaves) * LEAF; met && k < amp_min((i - leaves + 1) * LEAF, knot.extent.v[0]); k++)
            best = with_triangle(r, AMP_AT(knot, k), best);
        while (i & 1) i /= 2;
        i += i > 0;
    }
    return best;
})

AMP_FUNCTION(hit, hit_of, (amp_const_array_view_box_1 tree, amp_const_array_view_triangle_1 knot, ray r, int by_tree), {
    const float floor_t = -r.from.y / r.way.y;
    hit best = (hit){ FAR, (vec){ 0, 0, 0 }, (vec){ 0, 0, 0 }, LAMP };
    if (floor_t > 1e-3f && floor_t < 100) {
        const vec p = along(r.from, r.way, floor_t);
        const float shade = ((int)floorf(p.x) + (int)floorf(p.z)) & 1 ? 0.75f : 0.35f;
        best = (hit){ floor_t, (vec){ 0, 1, 0 }, (vec){ shade, shade, shade }, CHALK };
    }
    for (int i = 0; i < BALLS; i++) best = with_ball(r, balls[i], best);
    if (by_tree) return with_knot(tree, knot, r, best);
    for (int i = 0; i < knot.extent.v[0]; i++) best = with_triangle(r, AMP_AT(knot, i), best);
    return best;
})

/* A direction, all equally likely: of points in a square those in the circle become points of the sphere. */
AMP_FUNCTION(vec, anywhere, (uint64_t pixel, uint64_t n, uint64_t seed), {
    for (uint64_t again = 0;; again++) {
        const amp_random_block r = amp_philox(pixel, n + (again / 2 << 32), seed);
        const int k = again & 1 ? 2 : 0;
        const float x = fmaf((float)(r.v[k] >> 8), 0x1p-23f, -1), y = fmaf((float)(r.v[k + 1] >> 8), 0x1p-23f, -1);
        const float square = fmaf(x, x, product(y, y)), wide = 2 * sqrtf(1 - fminf(square, 1));
        if (square < 1) return (vec){ product(x, wide), product(y, wide), fmaf(-2, square, 1) };
    }
})

/* Through glass, or off it: chance decides, as often as light does (Schlick). */
AMP_FUNCTION(vec, bent, (vec way, vec normal, float chance), {
    const int inside = dot(way, normal) > 0;
    const vec up = inside ? (vec){ -normal.x, -normal.y, -normal.z } : normal;
    const float index = inside ? 1.5f : 1 / 1.5f, cosine = fminf(-dot(way, up), 1);
    const float rest = fmaf(-product(index, index), fmaf(-cosine, cosine, 1), 1), c = 1 - cosine;
    if (rest < 0 || chance < fmaf(0.96f, product(product(c, c), product(product(c, c), c)), 0.04f))
        return mirrored(way, up);
    return along(times(way, (vec){ index, index, index }), up, fmaf(index, cosine, -sqrtf(rest)));
})

/* What a path sees that begins with r. */
AMP_FUNCTION(vec, light_of, (amp_const_array_view_box_1 tree, amp_const_array_view_triangle_1 knot, ray r,
                             uint64_t pixel, uint64_t path, int by_tree), {
    vec left = (vec){ 1, 1, 1 };
    for (int bounce = 1; bounce <= MOST_BOUNCES; bounce++) {
        const hit h = hit_of(tree, knot, r, by_tree);
        const vec sky = (vec){ fmaf(-0.25f, r.way.y, 0.6f), fmaf(-0.15f, r.way.y, 0.65f), 0.75f };
        if (h.what == LAMP) return times(left, h.t < FAR ? h.colour : sky);
        const vec any = anywhere(pixel, path * 16 + (uint64_t)bounce, 1), to = r.way;
        const vec normal = dot(to, h.normal) > 0 ? (vec){ -h.normal.x, -h.normal.y, -h.normal.z } : h.normal;
        r.from = along(r.from, to, h.t);
        r.way = unit(h.what == GLASS   ? bent(to, h.normal, 0.5f + any.x / 2)
                     : h.what == METAL ? along(mirrored(to, normal), any, 0.06f)
                                       : along(normal, any, 1));
        left = times(left, h.colour);
    }
    return (vec){ 0, 0, 0 };
})

/* Ten bits, with two zeros after each. */
AMP_FUNCTION(uint32_t, spread, (float at), {
    uint32_t x = (uint32_t)amp_clamp(fmaf(at, 256, 512), 0.0f, 1023.0f);
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
})

/* Sorts the triangles and makes the tree: first its leaves, then each level from the one below. */
static void plant(amp_accelerator_view where, amp_array_view_triangle_1 knot, amp_array_view_box_1 boxes)
{
    const int leaves = boxes.extent.v[0] / 2;
    AMP_ARRAY_VIEW_NO_SOURCE(uint32_t, 1, codes, knot.extent);
    AMP_PARALLEL_FOR_EACH_ON(where, knot.extent, (i), AMP_CAPTURE(codes, knot), {
        const vec a = AMP_AT(knot, i).a; /* all are in a cube of 4 around (0, 2, 0) */
        AMP_AT(codes, i) = spread(a.x) | spread(a.y - 2) << 1 | spread(a.z) << 2;
    });
    amp_sort_by_key_on(where, codes, knot);
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(leaves), (i), AMP_CAPTURE(knot, boxes, leaves), {
        box all = (box){ (vec){ FAR, FAR, FAR }, (vec){ -FAR, -FAR, -FAR } };
        for (int k = i * LEAF; k < amp_min((i + 1) * LEAF, knot.extent.v[0]); k++) {
            const triangle t = AMP_AT(knot, k);
            const vec b = along(t.a, t.ab, 1.00001f), c = along(t.a, t.ac, 1.00001f);
            all = (box){ least(all.low, least(t.a, least(b, c))), most(all.high, most(t.a, most(b, c))) };
        }
        AMP_AT(boxes, leaves + i) = all;
    });
    for (int level = leaves / 2; level > 0; level /= 2)
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(level), (i), AMP_CAPTURE(boxes, level), {
            const box a = AMP_AT(boxes, 2 * (level + i)), b = AMP_AT(boxes, 2 * (level + i) + 1);
            AMP_AT(boxes, level + i) = (box){ least(a.low, b.low), most(a.high, b.high) };
        });
}

/* A tube around a curve that winds three times around a ring. In double precision, which rounds to the same floats. */
static vec knot_at(double s, double t)
{
    const double out = 1.15 + 0.4 * cos(3 * s) + 0.22 * cos(t), up = 1.25 + 0.4 * sin(3 * s) + 0.22 * sin(t);
    return (vec){ (float)(out * cos(2 * s)), (float)up, (float)(out * sin(2 * s)) };
}

static void make_knot(triangle *out, int around)
{
    const double step = 6.283185307 / around, turn = 6.283185307 * 8 / around;
    for (int i = 0; i < around * (around / 8); i++) {
        const double s = step * (i % around), t = turn * (i / around);
        const vec a = knot_at(s, t), b = knot_at(s + step, t);
        const vec c = knot_at(s, t + turn), d = knot_at(s + step, t + turn);
        out[2 * i] = (triangle){ a, minus(b, a), minus(c, a) };
        out[2 * i + 1] = (triangle){ d, minus(c, d), minus(b, d) };
    }
}

/* A batch of paths for each pixel, from path `first` on: added to the light, and the picture of all so far. */
static void follow(amp_accelerator_view where, amp_const_array_view_box_1 tree, amp_const_array_view_triangle_1 knot,
                   amp_array_view_vec_2 light, amp_array_view_uint32_t_2 picture, int first, int by_tree)
{
    AMP_PARALLEL_FOR_EACH_ON(where, light.extent, (row, col), AMP_CAPTURE(tree, knot, light, picture, first, by_tree), {
        const uint64_t pixel = (uint64_t)row * (uint64_t)light.extent.v[1] + (uint64_t)col;
        const float all = (float)(first + BATCH), wide = (float)light.extent.v[1];
        vec sum = first > 0 ? AMP_AT(light, row, col) : (vec){ 0, 0, 0 };
        for (int path = first; path < first + BATCH; path++) {
            const amp_random_block r = amp_philox(pixel, (uint64_t)path, 2);
            const float x = fmaf((float)(r.v[0] >> 8), 0x1p-24f, (float)col) / wide;
            const float y = fmaf((float)(r.v[1] >> 8), 0x1p-24f, (float)row) / wide;
            const vec way = (vec){ fmaf(0.92f, x, -0.46f), fmaf(-0.92f, y, 0.07f), -1 }, eye = (vec){ 0, 2.6f, 8.5f };
            sum = along(sum, light_of(tree, knot, (ray){ eye, unit(way) }, pixel, (uint64_t)path, by_tree), 1);
        }
        AMP_AT(light, row, col) = sum;
        AMP_AT(picture, row, col) = PICTURE_PIXEL(tone(sum.x / all), tone(sum.y / all), tone(sum.z / all));
    });
}

/* The picture on one accelerator, with a bar of progress. */
static void trace(amp_accelerator_view where, const triangle *triangles, int count, int by_tree, int paths, int width,
                  uint32_t *pixels)
{
    int leaves = 1;
    while (leaves * LEAF < count)
        leaves *= 2;
    AMP_ARRAY_VIEW_NO_SOURCE(triangle, 1, knot, count);
    AMP_ARRAY_VIEW_NO_SOURCE(box, 1, boxes, 2 * leaves);
    AMP_ARRAY_VIEW_NO_SOURCE(vec, 2, light, width / 2, width);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, width / 2, width);
    amp_copy_in(triangles, (size_t)count, knot);
    plant(where, knot, boxes);
    for (int first = 0; first < paths; first += BATCH) {
        follow(where, amp_as_const(boxes), amp_as_const(knot), light, picture, first, by_tree);
        amp_accelerator_view_wait(where);
        if (paths > BATCH)
            progress_show(first + BATCH, paths);
    }
}

/* A small picture on the accelerator and on the CPU backend, where plain loops over all triangles make it, too. */
static bool right(amp_accelerator_view where, const triangle *t, int count)
{
    enum { SMALL = 64, PIXELS = SMALL * SMALL / 2 };
    static uint32_t a[PIXELS], b[PIXELS], c[PIXELS];
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    int apart = 0;
    trace(where, t, count, 1, BATCH, SMALL, a);
    trace(cpu, t, count, 1, BATCH, SMALL, b);
    trace(cpu, t, count, 0, BATCH, SMALL, c);
    for (int i = 0; i < PIXELS; i++)
        apart += a[i] != b[i] || b[i] != c[i];
    printf("%d of %d pixels differ between accelerator, CPU backend and plain loops\n", apart, PIXELS);
    return apart == 0;
}

int main(int argc, char **argv)
{
    const int paths = argc > 1 ? atoi(argv[1]) / BATCH * BATCH : 8, width = argc > 2 ? atoi(argv[2]) : 240,
              around = argc > 3 ? atoi(argv[3]) / 8 * 8 : 96, count = around / 8 * around * 2,
              pixels = width / 2 * width;
    if (paths < BATCH || width < 2 || width > 16384 || around < 8 || around > 8192)
        return puts("usage: 21_path_tracer [PATHS [WIDTH [AROUND]]], 4, 2 and 8 at least"), 1;
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    triangle *const triangles = malloc((size_t)count * sizeof *triangles);
    uint32_t *const picture = malloc((size_t)pixels * sizeof *picture), hash = 2166136261u; /* FNV */
    if (!triangles || !picture)
        return puts("no memory"), 1;
    make_knot(triangles, around);
    bool ok = right(where, triangles, count);
    const double start = seconds_now();
    trace(where, triangles, count, 1, paths, width, picture);
    const double rate = 1e-6 * pixels * paths / (seconds_now() - start);
    for (int i = 0; i < pixels; i++)
        hash = (hash ^ picture[i]) * 16777619u;
    printf("%d triangles, %.2f million paths/s, hash %08x\n", count, rate, (unsigned)hash);
    ok = picture_write("paths.png", picture, width, width / 2) && ok;
    free(triangles), free(picture);
    puts(ok ? "OK" : "something is wrong");
    return ok ? 0 : 1;
}
