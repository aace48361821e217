// SPDX-License-Identifier: MIT
/*  10_conjugate_gradient: a system of linear equations, one for each point of a plate, solved by conjugate gradients:
    what was the plate's temperature before, if this is what became of it?

    It shows an iteration that stays on the device: sums of products that stand in place like a kernel (AMP_REDUCE) go
    to views of one element, which the next kernels read; the host does not wait for them. It reads one number
    every 8 turns, to know when to stop. All sums have the same bits on every device.

    Build   cc -O3 -march=native -fopenmp -I.. 10_conjugate_gradient.c -o 10_conjugate_gradient -lm        (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 10_conjugate_gradient.c -o 10_conjugate_gradient -lm
    Run     ./10_conjugate_gradient [N]       a plate of N x N points, 500 by default
    See     how many turns it took, how far the result is from the temperature that was made up, then OK.     */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp_algorithms.h"

enum { EVERY = 8, MOST_TURNS = 1000 };
#define HEAT 20.0f /* how far heat goes in a step; the border of the plate is kept at 0 */

typedef amp_array_view_float_2 plate;
typedef amp_array_view_float_1 number; /* of one element */

/* ---- the matrix: an implicit step of heat ---------------------------------------------------------------- */

AMP_FUNCTION(float, spread, (amp_array_view_float_2 v, int y, int x), {
    const float up = y > 0 ? AMP_AT(v, y - 1, x) : 0;
    const float left = x > 0 ? AMP_AT(v, y, x - 1) : 0;
    const float right = x < v.extent.v[1] - 1 ? AMP_AT(v, y, x + 1) : 0;
    const float down = y < v.extent.v[0] - 1 ? AMP_AT(v, y + 1, x) : 0;
    return AMP_AT(v, y, x) + HEAT * (4 * AMP_AT(v, y, x) - up - left - right - down);
})

/* ---- conjugate gradients --------------------------------------------------------------------------------- */

/* sum = r * r */
static void square(number sum, plate r)
{
    AMP_REDUCE(float, sum, r.extent, (y, x), AMP_CAPTURE(r), AMP_AT(r, y, x) * AMP_AT(r, y, x), a + b, 0);
}

/* One turn: rest is what r * r was and becomes, which `other` keeps; way is for p * A p. */
static void turn(plate u, plate r, plate p, number rest, number other, number way)
{
    AMP_REDUCE(float, way, p.extent, (y, x), AMP_CAPTURE(p), AMP_AT(p, y, x) * spread(p, y, x), a + b, 0);
    AMP_PARALLEL_FOR_EACH(u.extent, (y, x), AMP_CAPTURE(u, r, p, rest, way), {
        const float far = AMP_AT(way, 0) > 0 ? AMP_AT(rest, 0) / AMP_AT(way, 0) : 0; /* 0: there is nothing left */
        AMP_AT(u, y, x) += far * AMP_AT(p, y, x);
        AMP_AT(r, y, x) -= far * spread(p, y, x);
    });
    square(other, r);
    AMP_PARALLEL_FOR_EACH(p.extent, (y, x), AMP_CAPTURE(r, p, rest, other), {
        const float old = AMP_AT(rest, 0) > 0 ? AMP_AT(other, 0) / AMP_AT(rest, 0) : 0;
        AMP_AT(p, y, x) = AMP_AT(r, y, x) + old * AMP_AT(p, y, x);
    });
}

/* A u = r, from u = 0; r is not needed any more then. Returns the number of turns. */
static int solve(plate u, plate r)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, p, r.extent);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, even, 1);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, odd, 1);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, way, 1);

    amp_fill(u, 0);
    AMP_PARALLEL_FOR_EACH(p.extent, (y, x), AMP_CAPTURE(r, p), { AMP_AT(p, y, x) = AMP_AT(r, y, x); });
    square(even, r);
    const amp_const_array_view_float_1 rest = amp_as_const(even);
    const float enough = 1e-10f * AMP_AT(rest, 0);
    int turns = 0;
    while (turns < MOST_TURNS && AMP_AT(rest, 0) > enough) /* the only number that the host reads */
        for (int i = 0; i < EVERY; i += 2, turns += 2) {
            turn(u, r, p, even, odd, way);
            turn(u, r, p, odd, even, way);
        }
    return turns;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 500;
    if (n < 1 || n > 20000) {
        fprintf(stderr, "a plate has 1 x 1 to 20000 x 20000 points\n");
        return 1;
    }
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, before, n, n);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, after, n, n);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, found, n, n);

    /* A temperature that is made up, and what becomes of it. */
    AMP_PARALLEL_FOR_EACH(before.extent, (y, x), AMP_CAPTURE(before, n), {
        AMP_AT(before, y, x) = amp_random_float(7, (uint64_t)y * (uint64_t)n + (uint64_t)x);
    });
    AMP_PARALLEL_FOR_EACH(after.extent, (y, x), AMP_CAPTURE(before, after),
                          { AMP_AT(after, y, x) = spread(before, y, x); });

    const int turns = solve(found, after);
    float most = 0;
    AMP_REDUCE(float, most, found.extent, (y, x), AMP_CAPTURE(found, before),
               isnan(AMP_AT(found, y, x)) ? INFINITY : fabsf(AMP_AT(found, y, x) - AMP_AT(before, y, x)), a < b ? b : a,
               0);
    printf("%d x %d equations, %d turns, no temperature is off by more than %.2g\n", n, n, turns, (double)most);
    if (!(most < 1e-3f)) {
        fprintf(stderr, "that is too much\n");
        return 1;
    }
    puts("OK");
    return 0;
}
