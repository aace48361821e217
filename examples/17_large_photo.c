// SPDX-License-Identifier: MIT
/*  17_large_photo: a hazy photo becomes clear: its brightness is spread over all there is (histogram equalisation), and
    what differs from its surroundings is made to differ more, by a convolution with a large disc.

    It shows long work that says how far it is: the picture is done in strips, each a launch; the next one is always in
    the queue before the last one is waited for, so that the device has no pause. And algorithms in a row on the device:
    a histogram, a sum up to each bin, a table which the next kernel looks up.

    Build   cc -O3 -march=native -fopenmp -I.. 17_large_photo.c -o 17_large_photo -lpng -lm           (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 17_large_photo.c -o 17_large_photo -lpng -lm
    Run     ./17_large_photo [photo.png [RADIUS]]      without a photo it makes one; the disc has a radius of 6 pixels
    See     how far it is, clear.png (and hazy.png, which it made), then OK.                                     */
#include <math.h>
#include <string.h>
#include "amp_algorithms.h"
#include "amp_graphics.h"
#include "photo.h"
#include "picture.h"

enum { COLS = 480, ROWS = 320, BINS = 256, STRIPS = 20, MAX_RADIUS = 200, CHECKED = 97 };
enum { MOST_PIXELS = 1 << 28 };
#define MORE  0.8f /* by how much differences grow */
#define VIVID 2.5f /* by how much colours do */

/* ---- functions for kernels and host alike --------------------------------------------------------------------- */

AMP_FUNCTION(amp_float_3, colour_of, (uint32_t p),
             { return AMP_FLOAT_3((float)(p & 255), (float)(p >> 8 & 255), (float)(p >> 16 & 255)); })
AMP_DEFINE_TEXTURE(photo, uint32_t, amp_float_3, colour_of)

AMP_FUNCTION(uint32_t, pixel_of, (amp_float_3 colour), {
    const amp_float_3 c = amp_float_3_clamp(colour + 0.5f, 0, 255);
    return (uint32_t)AMP_R(c) | (uint32_t)AMP_G(c) << 8 | (uint32_t)AMP_B(c) << 16;
})

AMP_FUNCTION(int, brightness, (uint32_t p),
             { return (int)(77 * (p & 255) + 150 * (p >> 8 & 255) + 29 * (p >> 16 & 255)) / 256; })

/* A pixel whose brightness becomes `bright`; its colour becomes stronger, as differences of brightness do. */
AMP_FUNCTION(uint32_t, lit, (uint32_t p, float bright),
             { return pixel_of(bright + (colour_of(p) - (float)brightness(p)) * VIVID); })

/* ---- the kernels ---------------------------------------------------------------------------------------------- */

/* Of 255, as much as there are pixels that are darker: in the end there are as many dark ones as bright ones. */
static void equalise(amp_const_array_view_uint32_t_2 in, amp_array_view_uint32_t_2 out)
{
    const float whole = (float)amp_size(in.extent);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, bins, BINS);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, darker, BINS);
    AMP_HISTOGRAM(bins, in.extent, (y, x), AMP_CAPTURE(in), brightness(AMP_AT(in, y, x)));
    amp_inclusive_sum(darker, bins);
    amp_array_view_discard_data(&out);
    AMP_PARALLEL_FOR_EACH(in.extent, (y, x), AMP_CAPTURE(in, out, darker, whole), {
        const uint32_t p = AMP_AT(in, y, x);
        AMP_AT(out, y, x) = lit(p, 255.0f * (float)AMP_AT(darker, brightness(p)) / whole);
    });
}

/* Rows first to first + rows - 1: how a pixel differs from the mean of a disc around it, and more so. */
static void clarify(amp_const_array_view_uint32_t_2 in, amp_array_view_uint32_t_2 out, int first, int rows, int radius)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(rows, in.extent.v[1]), (row, x), AMP_CAPTURE(in, out, first, radius), {
        const amp_sampler edge = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP);
        const int y = first + row;
        amp_float_3 sum = AMP_FLOAT_3(0);
        int count = 0;
        for (int dy = -radius; dy <= radius; dy++) {
            const int half = (int)sqrtf((float)(radius * radius - dy * dy));
            for (int dx = -half; dx <= half; dx++) sum += photo_get_2(in, edge, y + dy, x + dx);
            count += 2 * half + 1;
        }
        const amp_float_3 here = photo_get_2(in, edge, y, x);
        AMP_AT(out, y, x) = pixel_of(here + (here - sum / (float)count) * MORE);
    });
}

/* ---- the whole job -------------------------------------------------------------------------------------------- */

typedef struct {
    int rows, cols;
    uint32_t *pixels;
} picture;

/* Says how far it is, at most ten times a second. */
static void tell(int strip, double start, double *told)
{
    const double now = seconds_now();
    if (strip < STRIPS && now - *told < 0.1)
        return;
    *told = now;
    printf("%3d %%, %.1f s\n", 100 * strip / STRIPS, now - start);
    fflush(stdout);
}

static void process(picture in, int radius, uint32_t *pequal, uint32_t *pout)
{
    AMP_CONST_ARRAY_VIEW(uint32_t, 2, original, in.pixels, in.rows, in.cols);
    AMP_ARRAY_VIEW(uint32_t, 2, equal, pequal, in.rows, in.cols);
    AMP_ARRAY_VIEW(uint32_t, 2, out, pout, in.rows, in.cols);
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_default());
    amp_array_view_discard_data(&out);
    equalise(original, equal);

    amp_future before = { 0 };
    const double start = seconds_now();
    double told = start;
    for (int s = 0; s <= STRIPS; s++) {
        const int first = (int)((long long)in.rows * s / STRIPS), end = (int)((long long)in.rows * (s + 1) / STRIPS);
        amp_future this = { 0 };
        if (s < STRIPS) {
            clarify(amp_as_const(equal), out, first, end - first, radius);
            this = amp_accelerator_view_create_marker(av);
            amp_accelerator_view_flush(av);
        }
        if (s > 0) { /* that strip, while the device has this one */
            amp_future_get(before);
            amp_future_release(&before);
            tell(s, start, &told);
        }
        before = this;
    }
}

/* ---- a photo that is made: hills behind hills, in the haze ------------------------------------------------------ */

static float corner(uint64_t seed, float x, float y) { return amp_random_float(seed, (uint64_t)(4096 * y + x)); }

/* Random at the corners of a grid, smooth between them, and half as much of that twice as fine, and so on. */
static float noise(uint64_t seed, float x, float y)
{
    float sum = 0;
    for (float size = 0.5f; size > 0.02f; size *= 0.5f, x *= 2, y *= 2, seed++) {
        const float left = floorf(x), top = floorf(y), u = x - left, v = y - top;
        const float across = u * u * (3 - 2 * u), down = v * v * (3 - 2 * v);
        const float above = corner(seed, left, top) * (1 - across) + corner(seed, left + 1, top) * across;
        const float below = corner(seed, left, top + 1) * (1 - across) + corner(seed, left + 1, top + 1) * across;
        sum += size * (above * (1 - down) + below * down);
    }
    return sum;
}

/* The nearer the hill, the darker, and the greener its trees; the haze is yellow where the sun is. */
static uint32_t made_pixel(int row, int col)
{
    const float y = (float)row / (float)ROWS, x = 1.5f * (float)col / (float)COLS, sun = hypotf(x - 1.05f, y - 0.16f);
    const amp_float_3 haze = AMP_FLOAT_3(176, 180, 188) + AMP_FLOAT_3(34, 24, 2) * expf(-5 * sun);
    amp_float_3 colour = sun < 0.05f ? AMP_FLOAT_3(236, 230, 210) : haze - 26 * (0.4f - y) * noise(90, 3 * x, 9 * y);
    for (int number = 1; number <= 5; number++) {
        const float seen = 0.13f * (float)number, top = 0.4f + seen - 0.45f * noise((uint64_t)(10 * number), 2 * x, 0);
        const float trees = noise((uint64_t)(7 * number), 60 * x + 35 * y, 90 * y - 25 * x + 40) - 0.5f;
        const amp_float_3 wood = AMP_FLOAT_3(60, 92, 44) + 150 * trees;
        const float mist = fmaxf(1 - seen - 1.2f * (y - top) * seen, 0);
        if (y > top)
            colour = haze * mist + wood * (1 - mist);
    }
    return pixel_of(colour);
}

static uint32_t *make_photo(void)
{
    uint32_t *const pixels = malloc(4 * (size_t)ROWS * COLS);
    for (int i = 0; pixels && i < ROWS * COLS; i++)
        pixels[i] = made_pixel(i / COLS, i % COLS);
    return pixels;
}

/* ---- checking, by plain C -------------------------------------------------------------------------------------- */

static bool near(uint32_t a, uint32_t b)
{
    for (int k = 0; k < 24; k += 8)
        if (abs((int)(a >> k & 255) - (int)(b >> k & 255)) > 1)
            return false;
    return true;
}

static bool right_equal(picture in, const uint32_t *equal)
{
    int darker[BINS] = { 0 };
    const int count = in.rows * in.cols;
    for (int i = 0; i < count; i++)
        darker[brightness(in.pixels[i])]++;
    for (int b = 1; b < BINS; b++)
        darker[b] += darker[b - 1];
    for (int i = 0; i < count; i++)
        if (!near(equal[i], lit(in.pixels[i], 255.0f * (float)darker[brightness(in.pixels[i])] / (float)count)))
            return false;
    return true;
}

static int inside(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }

static bool right_pixel(picture equal, int radius, uint32_t got, int y, int x)
{
    double sum[3] = { 0, 0, 0 };
    int count = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            if (dx * dx + dy * dy > radius * radius)
                continue;
            const uint32_t p = equal.pixels[inside(y + dy, equal.rows) * equal.cols + inside(x + dx, equal.cols)];
            for (int k = 0; k < 3; k++)
                sum[k] += (double)(p >> 8 * k & 255);
            count++;
        }
    uint32_t want = 0;
    for (int k = 0; k < 3; k++) {
        const double here = (double)(equal.pixels[y * equal.cols + x] >> 8 * k & 255);
        want |= (uint32_t)(fmin(fmax(here + (here - sum[k] / count) * (double)MORE + 0.5, 0), 255)) << 8 * k;
    }
    return near(got, want);
}

static bool right(picture in, int radius, const uint32_t *equal, const uint32_t *out)
{
    if (!right_equal(in, equal)) {
        fprintf(stderr, "the brightness is not spread as it should be\n");
        return false;
    }
    const picture middle = { in.rows, in.cols, (uint32_t *)(uintptr_t)equal };
    for (int i = 0; i < in.rows * in.cols; i += CHECKED)
        if (!right_pixel(middle, radius, out[i], i / in.cols, i % in.cols)) {
            fprintf(stderr, "pixel (%d,%d) is wrong\n", i / in.cols, i % in.cols);
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    const int radius = argc > 2 ? atoi(argv[2]) : 6;
    if (radius < 1 || radius > MAX_RADIUS) {
        fprintf(stderr, "usage: %s [photo.png [RADIUS]], a radius of 1 to %d pixels\n", argv[0], MAX_RADIUS);
        return 1;
    }
    picture in = { ROWS, COLS, NULL };
    in.pixels = argc > 1 ? picture_read(argv[1], &in.cols, &in.rows, MOST_PIXELS) : make_photo();
    const size_t bytes = in.pixels ? 4 * (size_t)in.rows * (size_t)in.cols : 1;
    uint32_t *const equal = malloc(bytes), *const out = malloc(bytes);
    bool ok = in.pixels && equal && out;
    if (ok) {
        process(in, radius, equal, out);
        ok = right(in, radius, equal, out) && (argc > 1 || picture_write("hazy.png", in.pixels, in.cols, in.rows)) &&
             picture_write("clear.png", out, in.cols, in.rows);
    }
    free(in.pixels);
    free(equal);
    free(out);
    if (ok)
        puts("wrote clear.png\nOK");
    return ok ? 0 : 1;
}
