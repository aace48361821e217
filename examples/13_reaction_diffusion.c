// SPDX-License-Identifier: MIT
/*  13_reaction_diffusion: two substances that spread, feed on each other, and grow into patterns (Gray and Scott).

    It shows a long iteration on two pairs of views that change places (amp_swap), which stay on the device from the
    first step to the last, and what such small launches cost: thousands of steps, each of which does little.

    Build   cc -O3 -march=native -fopenmp -I.. 13_reaction_diffusion.c -o 13_reaction_diffusion -lm  (CPU backend)
            ... -DAMP_BACKEND_OPENCL ...
    Run     ./13_reaction_diffusion [STEPS [SIDE]]       400 steps of 192 x 192 cells without arguments
    See     the time beside a plain loop's, the picture reaction.png, then OK. 6000 steps fill the picture.      */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp.h"
#include "picture.h"

enum { MAX_SIDE = 4096, CHECKED_STEPS = 100 };
#define FEED 0.037f /* what comes in of u */
#define KILL 0.06f  /* what goes out of v */

typedef amp_array_view_float_2 field;

/* The sum of the neighbours, less the cell itself */
AMP_FUNCTION(float, spread, (amp_const_array_view_float_2 f, int y, int x), {
    return 0.2f * (AMP_AT(f, y - 1, x) + AMP_AT(f, y + 1, x) + AMP_AT(f, y, x - 1) + AMP_AT(f, y, x + 1)) +
           0.05f * (AMP_AT(f, y - 1, x - 1) + AMP_AT(f, y - 1, x + 1) + AMP_AT(f, y + 1, x - 1) +
                    AMP_AT(f, y + 1, x + 1)) - AMP_AT(f, y, x);
})

/* The border stays as it is: threads are for the cells inside, so that none of them has to ask where it is. */
static void react(field u_now, field v_now, field u_next, field v_next)
{
    const amp_const_array_view_float_2 u = amp_as_const(u_now), v = amp_as_const(v_now);
    AMP_PARALLEL_FOR_EACH(amp_inner(u.extent, 1), (y, x), AMP_CAPTURE(u, v, u_next, v_next), {
        const float a = AMP_AT(u, y, x), b = AMP_AT(v, y, x), reaction = a * b * b;
        AMP_AT(u_next, y, x) = a + spread(u, y, x) - reaction + FEED * (1 - a);
        AMP_AT(v_next, y, x) = b + 0.5f * spread(v, y, x) + reaction - (FEED + KILL) * b;
    });
}

/* ---- the same as a plain loop ------------------------------------------------------------------------------ */

static float spread_plain(const float *f, int side)
{
    return 0.2f * (f[-side] + f[side] + f[-1] + f[1]) +
           0.05f * (f[-side - 1] + f[-side + 1] + f[side - 1] + f[side + 1]) - f[0];
}

static void react_plain(int side, const float *u, const float *v, float *u_next, float *v_next)
{
    for (int y = 1; y < side - 1; y++)
        for (int x = 1; x < side - 1; x++) {
            const int i = y * side + x;
            const float reaction = u[i] * v[i] * v[i];
            u_next[i] = u[i] + spread_plain(u + i, side) - reaction + FEED * (1 - u[i]);
            v_next[i] = v[i] + 0.5f * spread_plain(v + i, side) + reaction - (FEED + KILL) * v[i];
        }
}

/* ---- the whole job ----------------------------------------------------------------------------------------- */

/* Everything is u, but for some squares of v. */
static void begin(int side, float *u, float *v)
{
    for (int i = 0; i < side * side; i++)
        u[i] = 1, v[i] = 0;
    srand(3);
    for (int square = 0; square < 12; square++) {
        const int top = rand() % (side - 8), left = rand() % (side - 8);
        for (int k = 0; k < 64; k++) {
            const int i = (top + k / 8) * side + left + k % 8;
            u[i] = 0.5f, v[i] = 0.25f;
        }
    }
}

/* `steps` steps on the accelerator; returns the seconds of all but the first, which compiles the kernel. */
static double simulate(int side, int steps, float *pu, float *pv)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, u, side, side);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v, side, side);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, u_next, side, side);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, v_next, side, side);
    const size_t cells = (size_t)side * (size_t)side;
    amp_copy_in(pu, cells, u);
    amp_copy_in(pv, cells, v);
    amp_copy(u, u_next); /* its border */
    amp_copy(v, v_next);

    double start = 0;
    for (int i = 0; i < steps; i++) {
        react(u, v, u_next, v_next);
        amp_swap(&u, &u_next);
        amp_swap(&v, &v_next);
        if (i == 0) {
            amp_accelerator_view_wait(amp_accelerator_default_view(amp_accelerator_default()));
            start = seconds_now();
        }
    }
    amp_copy_out(u, pu, cells);
    amp_copy_out(v, pv, cells);
    return seconds_now() - start;
}

/* The first steps, compared with the plain loop. other: memory for four fields. */
static bool right(int side, float *u, float *v, float *other)
{
    const size_t cells = (size_t)side * (size_t)side;
    float *const a = other, *const b = a + cells, *const a_next = b + cells, *const b_next = a_next + cells;
    begin(side, u, v);
    begin(side, a, b);
    begin(side, a_next, b_next);
    const double ours = simulate(side, CHECKED_STEPS, u, v), start = seconds_now();
    for (int i = 0; i < CHECKED_STEPS; i += 2) {
        react_plain(side, a, b, a_next, b_next);
        react_plain(side, a_next, b_next, a, b);
    }
    const double plain = seconds_now() - start;
    for (size_t i = 0; i < cells; i++)
        if (!(fabsf(u[i] - a[i]) < 1e-3f && fabsf(v[i] - b[i]) < 1e-3f)) {
            fprintf(stderr, "cell %zu is wrong after %d steps\n", i, CHECKED_STEPS);
            return false;
        }
    printf("%.1f us a step; the plain loop %.1f us\n", 1e6 * ours / (CHECKED_STEPS - 1), 1e6 * plain / CHECKED_STEPS);
    return true;
}

/* From the blue of u to the light of v. */
static bool write_picture(int side, const float *v)
{
    uint32_t *const pixels = malloc(4 * (size_t)side * (size_t)side);
    if (!pixels)
        return false;
    for (int i = 0; i < side * side; i++) {
        const float t = fminf(3.0f * v[i], 1.0f);
        pixels[i] = PICTURE_PIXEL(20 + 235 * t * t, 30 + 200 * t, 80 + 60 * t * (1 - t) * 4);
    }
    const bool ok = picture_write("reaction.png", pixels, side, side);
    free(pixels);
    if (ok)
        printf("wrote reaction.png, %d x %d\n", side, side);
    return ok;
}

int main(int argc, char **argv)
{
    const int steps = argc > 1 ? atoi(argv[1]) : 400, side = argc > 2 ? atoi(argv[2]) : 192;
    if (steps < 2 || side < 16 || side > MAX_SIDE) {
        fprintf(stderr, "usage: %s [STEPS [SIDE]], 2 steps and more, a side of 16 to %d cells\n", argv[0], MAX_SIDE);
        return 1;
    }
    const size_t cells = (size_t)side * (size_t)side;
    float *const memory = malloc(6 * cells * sizeof *memory);
    bool ok = memory && right(side, memory, memory + cells, memory + 2 * cells);
    if (ok) {
        begin(side, memory, memory + cells);
        simulate(side, steps, memory, memory + cells);
        ok = write_picture(side, memory + cells);
    }
    free(memory);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
