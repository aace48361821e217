// SPDX-License-Identifier: MIT
/*  04_picture: blurs a PNG and finds its edges.

    It shows short vectors (amp_float_3), a view of pixels that is read as a texture, beyond its edges too, a
    function called from kernels (AMP_FUNCTION), a view without a data source for what only kernels see, and
    tile_static memory with a halo: a tile of 16 x 16 threads reads 16 x 24 pixels once and then takes nine of
    them per pixel from fast memory.

    Build   cc -O3 -march=native -fopenmp -I.. 04_picture.c -o 04_picture -lpng -lm                   (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 04_picture.c -o 04_picture -lpng -lm
    Run     ./04_picture [picture.png [prefix]]       without a picture it makes one
    See     <prefix>blurred.png and <prefix>edges.png, then OK.                                           */
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp_graphics.h"

enum { TS = 16, RADIUS = 4, TAPS = 2 * RADIUS + 1, SPAN = TS + 2 * RADIUS };
enum { MAX_PIXELS = 1 << 26 }; /* 64 million: 192 MiB per picture */

AMP_TYPEDEF(amp_packed_uint8_3, rgb) /* three bytes: exactly what libpng reads and writes */
AMP_DEFINE_ELEMENT(rgb)

/* ---- functions for kernels and host alike ---------------------------------------------------------------- */

AMP_FUNCTION(amp_float_3, colour_of, (rgb p), { return AMP_CONVERT(amp_float_3, amp_uint8_3_unpack(p)); })
AMP_DEFINE_TEXTURE(picture, rgb, amp_float_3, colour_of)

AMP_FUNCTION(float, brightness, (amp_float_3 c), { return amp_float_3_dot(c, AMP_FLOAT_3(0.299f, 0.587f, 0.114f)); })

/* ---- the kernels ----------------------------------------------------------------------------------------- */

/* Blurs along the rows and writes the picture turned: out(x, y) from in(y, x). Done twice, the second pass
   blurs what were columns and turns the picture back, so one kernel makes the whole separable filter.
   Each tile of threads loads its pixels with a halo of RADIUS on both sides; beyond the border the last pixel
   repeats. The turn goes through tile_static memory, so that reads and writes both run along rows. */
static void blur_and_turn(amp_const_array_view_rgb_2 in, amp_const_array_view_float_1 weights, amp_array_view_rgb_2 out)
{
    const amp_tiled_extent2 padded = amp_tiled_extent2_pad(amp_extent2_tile(in.extent, TS, TS));
    amp_array_view_discard_data(&out);

    AMP_TILED(padded, (TS, TS), tile,
              AMP_CAPTURE(in, weights, out, AMP_CONSTANT(TS), AMP_CONSTANT(RADIUS), AMP_CONSTANT(TAPS),
                          AMP_CONSTANT(SPAN)), {
        const amp_sampler edge = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP);
        AMP_TILE_STATIC(amp_float_3, strip, [TS][SPAN]);
        AMP_TILE_STATIC(rgb, blurred, [TS][TS]);

        AMP_THREADS(tile, t) {
            for (int s = t.local.v[1]; s < SPAN; s += TS)
                strip[t.local.v[0]][s] = picture_get_2(in, edge, t.global.v[0], t.tile_origin.v[1] + s - RADIUS);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            amp_float_3 sum = AMP_FLOAT_3(0.5f);      /* half a step, so that the conversion below rounds */
            for (int k = 0; k < TAPS; k++)
                sum += strip[t.local.v[0]][t.local.v[1] + k] * AMP_AT(weights, k);
            blurred[t.local.v[0]][t.local.v[1]] = amp_uint8_3_pack(AMP_CONVERT(amp_uint8_3, sum));
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            const int y = t.tile_origin.v[0] + t.local.v[1], x = t.tile_origin.v[1] + t.local.v[0];
            if (y < in.extent.v[0] && x < in.extent.v[1])
                AMP_AT(out, x, y) = blurred[t.local.v[1]][t.local.v[0]];
        }
    });
}

/* Sobel: how steeply does the brightness change here, across and down? */
static void find_edges(amp_const_array_view_rgb_2 in, amp_array_view_uint8_t_2 out)
{
    amp_array_view_discard_data(&out);

    AMP_PARALLEL_FOR_EACH(in.extent, (y, x), AMP_CAPTURE(in, out), {
        const amp_sampler edge = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP);
        float across = 0;
        float along = 0;
        for (int d = -1; d <= 1; d++) {
            const float weight = d == 0 ? 2.0f : 1.0f;
            const amp_float_3 east = picture_get_2(in, edge, y + d, x + 1);
            const amp_float_3 south = picture_get_2(in, edge, y + 1, x + d);
            across += weight * brightness(east - picture_get_2(in, edge, y + d, x - 1));
            along += weight * brightness(south - picture_get_2(in, edge, y - 1, x + d));
        }
        AMP_AT(out, y, x) = (unsigned char)fminf(sqrtf(across * across + along * along), 255.0f);
    });
}

/* ---- the whole job --------------------------------------------------------------------------------------- */

typedef struct {
    int rows, cols;
    rgb *pixels;
} picture;

static void make_gaussian(float weights[TAPS])
{
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++)
        sum += weights[k] = expf(-(float)((k - RADIUS) * (k - RADIUS)) / (0.5f * RADIUS * RADIUS));
    for (int k = 0; k < TAPS; k++)
        weights[k] /= sum;
}

static void process(picture in, const float gaussian[TAPS], rgb *pblurred, uint8_t *pedges)
{
    AMP_CONST_ARRAY_VIEW(rgb, 2, original, in.pixels, in.rows, in.cols);
    AMP_CONST_ARRAY_VIEW(float, 1, weights, gaussian, TAPS);
    AMP_ARRAY_VIEW_NO_SOURCE(rgb, 2, turned, in.cols, in.rows); /* never seen by the host */
    AMP_ARRAY_VIEW(rgb, 2, blurred, pblurred, in.rows, in.cols);
    AMP_ARRAY_VIEW(uint8_t, 2, edges, pedges, in.rows, in.cols);

    blur_and_turn(original, weights, turned);
    blur_and_turn(amp_as_const(turned), weights, blurred);
    find_edges(amp_as_const(blurred), edges);
}

/* ---- checking: the same arithmetic on the host, one pixel at a time -------------------------------------- */

static int inside(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }

static rgb pixel(picture p, int y, int x)
{
    return p.pixels[(size_t)inside(y, p.rows) * (size_t)p.cols + (size_t)inside(x, p.cols)];
}

static amp_float_3 blurred_row(picture p, const float w[TAPS], int y, int x)
{
    amp_float_3 sum = AMP_FLOAT_3(0.5f);
    for (int k = 0; k < TAPS; k++)
        sum += colour_of(pixel(p, y, x + k - RADIUS)) * w[k];
    return sum;
}

static bool right_blur(picture in, const float w[TAPS], picture blurred, int y, int x)
{
    amp_float_3 want = AMP_FLOAT_3(0);
    for (int k = 0; k < TAPS; k++) {
        const amp_float_3 row = blurred_row(in, w, inside(y + k - RADIUS, in.rows), x);
        want += AMP_CONVERT(amp_float_3, AMP_CONVERT(amp_int_3, row)) * w[k];
    }
    return amp_float_3_distance(colour_of(pixel(blurred, y, x)), want) < 2.0f;
}

static float grey(picture p, int y, int x) { return brightness(colour_of(pixel(p, y, x))); }

static bool right_edge(picture blurred, const uint8_t *edges, int y, int x)
{
    float across = 0.0f, along = 0.0f;
    for (int d = -1; d <= 1; d++) {
        const float weight = d == 0 ? 2.0f : 1.0f;
        across += weight * (grey(blurred, y + d, x + 1) - grey(blurred, y + d, x - 1));
        along += weight * (grey(blurred, y + 1, x + d) - grey(blurred, y - 1, x + d));
    }
    const float want = fminf(hypotf(across, along), 255.0f);
    return fabsf(edges[(size_t)y * (size_t)blurred.cols + (size_t)x] - want) < 2.0f;
}

/* The whole frame of the picture, where the halo is, and a sample of the rest. */
static bool right(picture in, const float w[TAPS], picture blurred, const uint8_t *edges)
{
    for (int y = 0; y < in.rows; y++)
        for (int x = 0; x < in.cols; x++) {
            const bool frame = y < TS || x < TS || y >= in.rows - TS || x >= in.cols - TS;
            if (!frame && (y * 31 + x) % 97 != 0)
                continue;
            if (!right_blur(in, w, blurred, y, x) || !right_edge(blurred, edges, y, x)) {
                fprintf(stderr, "the result is wrong at row %d, column %d\n", y, x);
                return false;
            }
        }
    return true;
}

/* ---- pictures --------------------------------------------------------------------------------------------- */

static bool allocate(picture *p)
{
    p->pixels = malloc((size_t)p->rows * (size_t)p->cols * sizeof *p->pixels);
    if (!p->pixels)
        fprintf(stderr, "no memory for %d x %d pixels\n", p->cols, p->rows);
    return p->pixels != NULL;
}

/* A disc on a slope of colours, with stripes below. */
static bool make_picture(picture *p)
{
    p->rows = 333;
    p->cols = 500;
    if (!allocate(p))
        return false;
    for (int y = 0; y < p->rows; y++)
        for (int x = 0; x < p->cols; x++) {
            const bool disc = (x - 250) * (x - 250) + (y - 130) * (y - 130) < 90 * 90;
            const bool stripe = y > 260 && x / 20 % 2 == 0;
            const rgb slope = { (unsigned char)(x / 2), (unsigned char)(y / 2), 128 };
            const rgb yellow = { 250, 220, 40 }, black = { 0, 0, 0 };
            p->pixels[y * p->cols + x] = disc ? yellow : stripe ? black : slope;
        }
    return true;
}

/* Everything libpng can object to ends in image.message; a size is believed only after it was looked at. */
static bool read_picture(const char *name, picture *p)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    const png_color white = { 255, 255, 255 }; /* shows through where the picture is transparent */

    if (!png_image_begin_read_from_file(&image, name)) {
        fprintf(stderr, "%s: %s\n", name, image.message);
        return false;
    }
    if ((uint64_t)image.width * image.height > MAX_PIXELS) {
        fprintf(stderr, "%s: %lu x %lu pixels are more than the %d this example takes\n", name,
                (unsigned long)image.width, (unsigned long)image.height, MAX_PIXELS);
        png_image_free(&image);
        return false;
    }
    image.format = PNG_FORMAT_RGB;
    p->rows = (int)image.height;
    p->cols = (int)image.width;
    if (!allocate(p)) {
        png_image_free(&image);
        return false;
    }
    if (!png_image_finish_read(&image, &white, p->pixels, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", name, image.message);
        return false;
    }
    return true;
}

static bool write_picture(const char *prefix, const char *name, picture size, const void *pixels, png_uint_32 format)
{
    char path[4096];
    png_image image = { .version = PNG_IMAGE_VERSION, .format = format };
    image.width = (png_uint_32)size.cols;
    image.height = (png_uint_32)size.rows;

    if (snprintf(path, sizeof path, "%s%s", prefix, name) >= (int)sizeof path) {
        fprintf(stderr, "the prefix is too long\n");
        return false;
    }
    if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", path, image.message);
        return false;
    }
    printf("wrote %s, %d x %d\n", path, size.cols, size.rows);
    return true;
}

static bool run(picture in, picture blurred, uint8_t *edges, const char *prefix)
{
    float gaussian[TAPS];
    make_gaussian(gaussian);
    process(in, gaussian, blurred.pixels, edges);
    return right(in, gaussian, blurred, edges) &&
           write_picture(prefix, "blurred.png", in, blurred.pixels, PNG_FORMAT_RGB) &&
           write_picture(prefix, "edges.png", in, edges, PNG_FORMAT_GRAY);
}

int main(int argc, char **argv)
{
    picture in = { 0 };
    bool ok = argc > 1 ? read_picture(argv[1], &in) : make_picture(&in);

    picture blurred = { in.rows, in.cols, NULL };
    uint8_t *edges = NULL;
    if (ok) {
        edges = malloc((size_t)in.rows * (size_t)in.cols);
        ok = allocate(&blurred) && edges != NULL && run(in, blurred, edges, argc > 2 ? argv[2] : "");
    }
    free(in.pixels);
    free(blurred.pixels);
    free(edges);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
