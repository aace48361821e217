// SPDX-License-Identifier: MIT
/*  02_matmul: the classic of C++ AMP, a matrix product in three steps: serial, simple, tiled.

    `multiply` gives every element of c to one thread. `multiply_tiled` lets the 256 threads of a tile share
    what they read: a phase fills two tile_static blocks, a barrier ends it, the next phase computes.
    Run it on other sizes with M, N and W (c is M x N, a is M x W); tiles need multiples of 16.

    Build   cc -O3 -march=native -fopenmp -I.. 02_matmul.c -o 02_matmul -lm                         (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 02_matmul.c -o 02_matmul -lm
    Run     ./02_matmul [M [N [W]]]
    See     for each accelerator, both kernels' times and their speed-up over serial, then OK.               */
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "amp.h"

enum { TS = 16, MAX_SIDE = 16384, MAX_ACCELERATORS = 16 };

/* ---- the kernels ---------------------------------------------------------------------------------------- */

static void multiply_serial(const float *pa, const float *pb, float *pc, int M, int N, int W)
{
    for (int row = 0; row < M; row++)
        for (int col = 0; col < N; col++) {
            float sum = 0.0f;
            for (int i = 0; i < W; i++)
                sum += pa[(size_t)row * (size_t)W + (size_t)i] * pb[(size_t)i * (size_t)N + (size_t)col];
            pc[(size_t)row * (size_t)N + (size_t)col] = sum;
        }
}

static void multiply(const float *pa, const float *pb, float *pc, int M, int N, int W)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, pa, M, W); /* array_view<const float,2> a(M, W, pa); */
    AMP_CONST_ARRAY_VIEW(float, 2, b, pb, W, N);
    AMP_ARRAY_VIEW(float, 2, c, pc, M, N); /* array_view<float,2> c(M, N, pc);       */
    amp_array_view_discard_data(&c);

    AMP_PARALLEL_FOR_EACH(c.extent, (row, col), AMP_CAPTURE(a, b, c, W), {
        float sum = 0.0f;
        for (int i = 0; i < W; i++)
            sum += AMP_AT(a, row, i) * AMP_AT(b, i, col);
        AMP_AT(c, row, col) = sum;
    });
} /* end of scope: c is synchronized to pc and all three views are released, as C++ destructors do */

static void multiply_tiled(const float *pa, const float *pb, float *pc, int M, int N, int W)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, pa, M, W);
    AMP_CONST_ARRAY_VIEW(float, 2, b, pb, W, N);
    AMP_ARRAY_VIEW(float, 2, c, pc, M, N);
    amp_array_view_discard_data(&c);

    AMP_TILED(c.extent, (TS, TS), tile, AMP_CAPTURE(a, b, c, W, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);                      /* one per thread, lives across phases */

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < W; i += TS) {             /* uniform code */
            AMP_THREADS(tile, t) {                    /* a phase: every thread of the tile runs it */
                const int row = t.local.v[0], col = t.local.v[1];
                locA[row][col] = AMP_AT(a, t.global.v[0], col + i);
                locB[row][col] = AMP_AT(b, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++)
                    AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
}

/* The same two on a given accelerator: only the first argument of the launch is new. */

static void multiply_on(amp_accelerator_view av, const float *pa, const float *pb, float *pc, int M, int N, int W)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, pa, M, W);
    AMP_CONST_ARRAY_VIEW(float, 2, b, pb, W, N);
    AMP_ARRAY_VIEW(float, 2, c, pc, M, N);
    amp_array_view_discard_data(&c);

    AMP_PARALLEL_FOR_EACH_ON(av, c.extent, (row, col), AMP_CAPTURE(a, b, c, W), {
        float sum = 0.0f;
        for (int i = 0; i < W; i++)
            sum += AMP_AT(a, row, i) * AMP_AT(b, i, col);
        AMP_AT(c, row, col) = sum;
    });
}

static void multiply_tiled_on(amp_accelerator_view av, const float *pa, const float *pb, float *pc, int M, int N, int W)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, pa, M, W);
    AMP_CONST_ARRAY_VIEW(float, 2, b, pb, W, N);
    AMP_ARRAY_VIEW(float, 2, c, pc, M, N);
    amp_array_view_discard_data(&c);

    AMP_TILED_ON(av, c.extent, (TS, TS), tile, AMP_CAPTURE(a, b, c, W, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < W; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                locA[row][col] = AMP_AT(a, t.global.v[0], col + i);
                locB[row][col] = AMP_AT(b, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++)
                    AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
}

/* ---- measuring and checking ----------------------------------------------------------------------------- */

typedef struct {
    int M, N, W;
    float *a, *b, *c;
    double serial_seconds;
} problem;
typedef void kernel(const float *pa, const float *pb, float *pc, int M, int N, int W);
typedef void kernel_on(amp_accelerator_view av, const float *pa, const float *pb, float *pc, int M, int N, int W);

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Compares 1,000 elements with sums in double; fp32 may differ by W roundings of the terms' magnitude. */
static bool right(const problem *p)
{
    for (long s = 0; s < 1000; s++) {
        const size_t row = (size_t)(s * 7919 % p->M), col = (size_t)(s * 104729 % p->N);
        double want = 0.0, magnitude = 0.0;
        for (size_t i = 0; i < (size_t)p->W; i++) {
            const double term = (double)p->a[row * (size_t)p->W + i] * (double)p->b[i * (size_t)p->N + col];
            want += term;
            magnitude += fabs(term);
        }
        const double got = (double)p->c[row * (size_t)p->N + col];
        if (!(fabs(got - want) <= p->W * (double)FLT_EPSILON * magnitude)) {
            fprintf(stderr, "c(%zu,%zu) is %g, expected %g\n", row, col, got, want);
            return false;
        }
    }
    return true;
}

/* One run from a c full of NaNs, so that an element that was not written is found. */
static double seconds_of(const problem *p, kernel *function, kernel_on *function_on, amp_accelerator_view av)
{
    memset(p->c, 0xff, (size_t)p->M * (size_t)p->N * sizeof *p->c);
    const double start = now();
    if (function)
        function(p->a, p->b, p->c, p->M, p->N, p->W);
    else
        function_on(av, p->a, p->b, p->c, p->M, p->N, p->W);
    return now() - start;
}

/* The first run compiles the kernel and is not counted; then the best of three. Copies to and from count. */
static bool show(const problem *p, const char *what, kernel *function, kernel_on *function_on, amp_accelerator_view av)
{
    double best = seconds_of(p, function, function_on, av);
    for (int repeat = 0; repeat < 3; repeat++) {
        const double seconds = seconds_of(p, function, function_on, av);
        if (repeat == 0 || seconds < best)
            best = seconds;
        if (!right(p))
            return false;
    }
    printf("    %-8s %9.2f ms %8.1f x\n", what, 1e3 * best, p->serial_seconds / best);
    return true;
}

static bool show_all(problem *p)
{
    const amp_accelerator_view none = { 0 };
    const bool tiles_fit = p->M % TS == 0 && p->N % TS == 0 && p->W % TS == 0;
    if (!tiles_fit)
        printf("tiled is left out: %d, %d and %d are not all multiples of %d\n", p->M, p->N, p->W, TS);

    p->serial_seconds = seconds_of(p, multiply_serial, NULL, none);
    printf("one thread of plain C\n    %-8s %9.2f ms\n", "serial", 1e3 * p->serial_seconds);
    bool ok = right(p);

    printf("the default accelerator, %s\n", amp_accelerator_path(amp_accelerator_default()));
    ok = ok && show(p, "simple", multiply, NULL, none);
    if (tiles_fit)
        ok = ok && show(p, "tiled", multiply_tiled, NULL, none);

    amp_accelerator all[MAX_ACCELERATORS];
    const int count = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    for (int i = 0; i < count && i < MAX_ACCELERATORS; i++) {
        const amp_accelerator_view av = amp_accelerator_default_view(all[i]);
        printf("%s, %s\n", amp_accelerator_path(all[i]), amp_accelerator_description(all[i]));
        ok = ok && show(p, "simple", NULL, multiply_on, av);
        if (tiles_fit)
            ok = ok && show(p, "tiled", NULL, multiply_tiled_on, av);
    }
    return ok;
}

static float *random_matrix(int rows, int cols)
{
    const size_t count = (size_t)rows * (size_t)cols;
    float *const m = malloc(count * sizeof *m);
    if (!m) {
        fprintf(stderr, "no memory for a matrix of %d x %d\n", rows, cols);
        exit(1);
    }
    for (size_t i = 0; i < count; i++)
        m[i] = (float)rand() / (float)RAND_MAX - 0.5f;
    return m;
}

static int side(int argc, char **argv, int position, int otherwise)
{
    if (position >= argc)
        return otherwise;
    char *end;
    const long value = strtol(argv[position], &end, 10);
    if (*end != '\0' || value < 1 || value > MAX_SIDE) {
        fprintf(stderr, "usage: %s [M [N [W]]], each 1 to %d, not \"%s\"\n", argv[0], MAX_SIDE, argv[position]);
        exit(1);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    problem p = { 0 };
    p.M = side(argc, argv, 1, 512);
    p.N = side(argc, argv, 2, p.M);
    p.W = side(argc, argv, 3, p.M);
    p.a = random_matrix(p.M, p.W);
    p.b = random_matrix(p.W, p.N);
    p.c = random_matrix(p.M, p.N);

    printf("c(%d,%d) = a(%d,%d) * b(%d,%d)\n", p.M, p.N, p.M, p.W, p.W, p.N);
    const bool ok = show_all(&p);

    free(p.a);
    free(p.b);
    free(p.c);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
