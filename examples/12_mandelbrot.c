// SPDX-License-Identifier: MIT
/*  12_mandelbrot: a zoom into the Mandelbrot set, picture by picture.

    It shows threads that have very different amounts of work, from one turn of the loop to thousands: no data are read,
    so nothing but arithmetic counts. On a device each group of threads is done when its longest is; the CPU backend
    cuts the picture into rows. A point's turns are counted by the same function in kernel and check.

    Build   cc -O3 -march=native -fopenmp -I.. 12_mandelbrot.c -o 12_mandelbrot -lm                (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 12_mandelbrot.c -o 12_mandelbrot -lm
            ... -DWITH_SDL2 ... $(pkg-config --cflags --libs SDL2_gfx)                                 (with a window)
    Run     ./12_mandelbrot [PICTURES [WIDTH]]      2 pictures by default, each four times as close as the one before
            ./12_mandelbrot window [WIDTH]          in a window: click or turn the wheel, + and - in the middle;
                                                    1, 2, ... an accelerator; q ends. Without one it makes 4 files.
    See     mandelbrot-1.png and so on, with the time of each, then OK.                                       */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "amp.h"
#include "window.h"

enum { MOST_TURNS = 1000, MAX_WIDTH = 1 << 14, MAX_PICTURES = 7, EVERY = 101, IDLE = 50 };

#define VALLEY_X (-0.7453f) /* of the sea horses */
#define VALLEY_Y 0.1127f

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
static void draw(amp_accelerator_view av, amp_array_view_float_2 turns, amp_array_view_uint32_t_2 picture, float left,
                 float top, float step)
{
    amp_array_view_discard_data(&turns);
    amp_array_view_discard_data(&picture);
    AMP_PARALLEL_FOR_EACH_ON(av, turns.extent, (row, col),
                             AMP_CAPTURE(turns, picture, left, top, step, AMP_CONSTANT(MOST_TURNS)), {
        const float t = turns_of(left + step * (float)col, top + step * (float)row, MOST_TURNS);
        AMP_AT(turns, row, col) = t;
        AMP_AT(picture, row, col) = colour_of(t, MOST_TURNS);
    });
    amp_array_view_synchronize(&turns);
    amp_array_view_synchronize(&picture);
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

static double milliseconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static bool zoom(int pictures, int width, int height, float *pturns, uint32_t *pixels)
{
    AMP_ARRAY_VIEW(float, 2, turns, pturns, height, width);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, height, width);
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_default());
    draw(av, turns, picture, 2, 2, 0); /* compiles the kernel: that is not timed */

    float step = 3.0f / (float)width;
    for (int i = 1; i <= pictures; i++, step *= 0.25f) { /* to the valley of the sea horses */
        const float left = VALLEY_X - 0.5f * (float)width * step, top = VALLEY_Y - 0.5f * (float)height * step;
        const double start = milliseconds_now();
        draw(av, turns, picture, left, top, step);
        const double took = milliseconds_now() - start;
        char name[64];
        snprintf(name, sizeof name, "mandelbrot-%d.png", i);
        if (!right(pturns, width, height, left, top, step) || !picture_write(name, pixels, width, height))
            return false;
        printf("wrote %s, %d x %d, computed in %.1f ms\n", name, width, height, took);
    }
    return true;
}

/* What the window shows: the point in its middle, the distance of two pixels, and how far that shall shrink or grow;
   and on which accelerator. */
typedef struct {
    float x, y, step, wanted;
    int accelerator;
} place;

/* The point under the pointer stays there. Floats end the way in, the whole set the way out. */
static void come_closer(place *p, const window *w, float factor)
{
    const float step = fminf(fmaxf(p->step * factor, 2e-7f), 6.0f / (float)w->width);
    p->x += (float)(w->x - w->width / 2) * (p->step - step);
    p->y += (float)(w->y - w->height / 2) * (p->step - step);
    p->step = step;
}

static void press(place *p, int key, int accelerators)
{
    if (key == '+')
        p->wanted *= 0.5f;
    if (key == '-')
        p->wanted *= 2;
    if (key >= '1' && key < '1' + accelerators)
        p->accelerator = key - '1';
}

/* Draws while something changes, an eighth closer or farther with each picture, and waits for keys otherwise. */
static bool watch(int width, int height, float *pturns, uint32_t *pixels)
{
    AMP_ARRAY_VIEW(float, 2, turns, pturns, height, width);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, height, width);
    amp_accelerator list[9];
    int count = amp_accelerator_get_all(list, 9), key = 0;
    count = count < 9 ? count : 9;
    place p = { .x = VALLEY_X, .y = VALLEY_Y, .step = 3.0f / (float)width, .wanted = 1 };
    while (p.accelerator < count - 1 && !amp_accelerator_equal(list[p.accelerator], amp_accelerator_default()))
        p.accelerator++;
    float left, top;
    bool changed = true;
    char text[160];
    window w = window_open("mandelbrot", width, height, 4);
    do {
        const float factor = fminf(fmaxf(p.wanted, 0.875f), 1.142857f);
        come_closer(&p, &w, factor);
        p.wanted /= factor;
        left = p.x - 0.5f * (float)width * p.step, top = p.y - 0.5f * (float)height * p.step;
        const double start = milliseconds_now();
        if (changed) {
            draw(amp_accelerator_default_view(list[p.accelerator]), turns, picture, left, top, p.step);
            snprintf(text, sizeof text, "zoom %.2f, %.1f ms on %.64s", 3.0 / (double)(p.step * (float)width),
                     milliseconds_now() - start, amp_accelerator_description(list[p.accelerator]));
        }
        if (!window_show(&w, pixels, text))
            break;
        const bool moving = fabsf(p.wanted - 1) > 1e-3f;
        key = window_key(&w, moving ? 0 : IDLE);
        press(&p, w.visible ? key : '+', count);
        changed = moving || key || !w.visible;
    } while (key != 'q');
    return window_close(&w) && right(pturns, width, height, left, top, p.step);
}

int main(int argc, char **argv)
{
    const bool windowed = argc > 1 && !strcmp(argv[1], "window");
    argc -= windowed, argv += windowed;
    const int pictures = argc > 1 && !windowed ? atoi(argv[1]) : 2;
    const int width = argc > 2 - windowed ? atoi(argv[2 - windowed]) : windowed ? 960 : 240, height = width / 3 * 2;
    if (pictures < 1 || pictures > MAX_PICTURES || width < 3 || width > MAX_WIDTH) {
        fprintf(stderr,
                "usage: 12_mandelbrot [PICTURES [WIDTH]], or window [WIDTH]: 1 to %d pictures of 3 to %d columns\n",
                MAX_PICTURES, MAX_WIDTH);
        return 1;
    }
    float *const turns = malloc((size_t)width * (size_t)height * sizeof *turns);
    uint32_t *const pixels = malloc((size_t)width * (size_t)height * sizeof *pixels);
    const bool ok = turns && pixels &&
                    (windowed ? watch(width, height, turns, pixels) : zoom(pictures, width, height, turns, pixels));
    free(turns);
    free(pixels);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
