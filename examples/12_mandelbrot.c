// SPDX-License-Identifier: MIT
/*  12_mandelbrot: a zoom into the Mandelbrot set, picture by picture.

    It shows threads that have very different amounts of work, from one turn of the loop to thousands: no data are read,
    so nothing but arithmetic counts. On a device each group of threads is done when its longest is; the CPU loops cut
    the picture into rows. A point's turns are counted by the same function in kernel and check.

    Build   cc -O3 -march=native -fopenmp -I.. 12_mandelbrot.c -o 12_mandelbrot -lpng -lm                (CPU loops)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 12_mandelbrot.c -o 12_mandelbrot -lpng -lm
    Run     ./12_mandelbrot [PICTURES [WIDTH]]      2 pictures by default, each four times as close as the one before
    See     mandelbrot-1.png and so on, with the time of each, then OK.                                       */
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "amp.h"

enum { MOST_TURNS = 1000, MAX_WIDTH = 1 << 14, MAX_PICTURES = 7, EVERY = 101 };

AMP_TYPEDEF(uint32_t, colour) /* red, green, blue and nothing, as bytes in this order */
AMP_DEFINE_ELEMENT(colour)

/* How many turns does z = z * z + c take to leave? A fraction makes the bands between whole numbers smooth. */
AMP_FUNCTION(float, turns_of, (float cx, float cy, int most), {
    float x = 0;
    float y = 0;
    int turns = 0;
    while (turns < most && x * x + y * y < 256.0f) {
        const float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
        turns++;
    }
    return turns == most ? (float)most : (float)turns - log2f(0.5f * log2f(x * x + y * y)) + 2.0f;
})

/* A wave of each colour; black is the set. */
AMP_FUNCTION(uint32_t, colour_of, (float turns, int most), {
    if (turns >= (float)most) return 0;
    const float t = 0.55f * sqrtf(fmaxf(turns, 0.0f));
    const uint32_t red = (uint32_t)(127.5f - 127.0f * cosf(t)), green = (uint32_t)(127.5f - 127.0f * cosf(0.8f * t)),
                   blue = (uint32_t)(127.5f - 127.0f * cosf(0.5f * t + 0.9f));
    return red | green << 8 | blue << 16;
})

/* `step` is the distance of two pixels. */
static void draw(amp_array_view_float_2 turns, amp_array_view_colour_2 picture, float left, float top, float step)
{
    amp_array_view_discard_data(&turns);
    amp_array_view_discard_data(&picture);
    AMP_PARALLEL_FOR_EACH(turns.extent, (row, col),
                          AMP_CAPTURE(turns, picture, left, top, step, AMP_CONSTANT(MOST_TURNS)), {
        const float t = turns_of(left + step * (float)col, top + step * (float)row, MOST_TURNS);
        AMP_AT(turns, row, col) = t;
        AMP_AT(picture, row, col) = colour_of(t, MOST_TURNS);
    });
}

/* A sample of the points, by the same function on the host. A compiler that fuses a multiplication with an addition
   rounds once less, and close to the set that decides when a point leaves: a few may differ. */
static bool right(const float *turns, int width, int height, float left, float top, float step)
{
    int looked_at = 0, others = 0;
    for (int i = 0; i < width * height; i += EVERY, looked_at++) {
        const float want = turns_of(left + step * (float)(i % width), top + step * (float)(i / width), MOST_TURNS);
        others += !(fabsf(turns[i] - want) < 0.5f);
    }
    if (others > looked_at / 20 + 1)
        fprintf(stderr, "%d of %d points are wrong\n", others, looked_at);
    return others <= looked_at / 20 + 1;
}

static bool write_picture(const colour *pixels, int width, int height, int number, double milliseconds)
{
    char name[64];
    snprintf(name, sizeof name, "mandelbrot-%d.png", number);
    unsigned char *const bytes = malloc(3 * (size_t)width * (size_t)height);
    if (!bytes)
        return false;
    for (size_t i = 0; i < 3 * (size_t)width * (size_t)height; i++)
        bytes[i] = (unsigned char)(pixels[i / 3] >> 8 * (i % 3));
    png_image image = { .version = PNG_IMAGE_VERSION, .format = PNG_FORMAT_RGB };
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    const bool ok = png_image_write_to_file(&image, name, 0, bytes, 0, NULL) != 0;
    free(bytes);
    if (ok)
        printf("wrote %s, %d x %d, computed in %.1f ms\n", name, width, height, milliseconds);
    else
        fprintf(stderr, "%s: %s\n", name, image.message);
    return ok;
}

static double milliseconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static bool zoom(int pictures, int width, int height, float *pturns, colour *ppicture)
{
    AMP_ARRAY_VIEW(float, 2, turns, pturns, height, width);
    AMP_ARRAY_VIEW(colour, 2, picture, ppicture, height, width);
    draw(turns, picture, 2, 2, 0); /* compiles the kernel: that is not timed */
    amp_array_view_synchronize(&turns);

    float step = 3.0f / (float)width;
    for (int i = 1; i <= pictures; i++, step *= 0.25f) { /* to the valley of the sea horses */
        const float left = -0.7453f - 0.5f * (float)width * step, top = 0.1127f - 0.5f * (float)height * step;
        const double start = milliseconds_now();
        draw(turns, picture, left, top, step);
        amp_array_view_synchronize(&turns);
        amp_array_view_synchronize(&picture);
        const double took = milliseconds_now() - start;
        if (!right(pturns, width, height, left, top, step) || !write_picture(ppicture, width, height, i, took))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const int pictures = argc > 1 ? atoi(argv[1]) : 2, width = argc > 2 ? atoi(argv[2]) : 240, height = width / 3 * 2;
    if (pictures < 1 || pictures > MAX_PICTURES || width < 3 || width > MAX_WIDTH) {
        fprintf(stderr, "usage: %s [PICTURES [WIDTH]], 1 to %d pictures of 3 to %d columns\n", argv[0], MAX_PICTURES,
                MAX_WIDTH);
        return 1;
    }
    float *const turns = malloc((size_t)width * (size_t)height * sizeof *turns);
    colour *const picture = malloc((size_t)width * (size_t)height * sizeof *picture);
    const bool ok = turns && picture && zoom(pictures, width, height, turns, picture);
    free(turns);
    free(picture);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
