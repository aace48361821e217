// SPDX-License-Identifier: MIT
/*  06_multi_matmul: one matrix product on every accelerator at once, of matrices that need not fit into one.

    A launch on a group: each accelerator gets a band of the rows of a and c, and all of b. With --memory the launches
    are streamed: rows of a and c pass through an accelerator while kernels run, for some columns of b at a time. A host
    thread for each accelerator has its own rows then. Tiles at the borders are padded, so no size has to divide
    by anything.

    Build   cc -O3 -march=native -fopenmp -I.. 06_multi_matmul.c -o 06_multi_matmul -lm
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
    Run     ./06_multi_matmul [--memory MB] [M [N [W]]]    c is M x N, a is M x W; --memory is what launches may take
            of an accelerator's memory
    See     each accelerator's time alone, then of all together and the speed-up, then OK.          */
#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include "amp.h"
#include "amp_group.h"

enum { TS = 16, MAX_ACCELERATORS = 32 };

typedef struct {
    int M, N, W;
    float *a, *b, *c;
} problem;

/* c = a * b */
static void multiply(amp_accelerator_view where, amp_const_array_view_float_2 a, amp_const_array_view_float_2 b,
                     amp_array_view_float_2 c)
{
    const int M = c.extent.v[0], N = c.extent.v[1], W = a.extent.v[1];
    const amp_tiled_extent2 domain = amp_tiled_extent2_pad(amp_extent2_tile(c.extent, TS, TS));
    AMP_TILED_ON(where, domain, (TS, TS), tile, AMP_CAPTURE(a, b, c, M, N, W, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, locA, [TS][TS]);
        AMP_TILE_STATIC(float, locB, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < W; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1], y = t.global.v[0], x = t.global.v[1];
                locA[row][col] = y < M && col + i < W ? AMP_AT(a, y, col + i) : 0.0f;
                locB[row][col] = row + i < W && x < N ? AMP_AT(b, row + i, x) : 0.0f;
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++) AMP_OWN(sum) += locA[t.local.v[0]][k] * locB[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            if (t.global.v[0] < M && t.global.v[1] < N) AMP_AT(c, t.global) = AMP_OWN(sum);
        }
    });
}

/* `rows` rows of the product, from `row` on, `cols` columns at a time. The views are over these rows alone, so threads
   do not wait for each other. Columns of b are copied side by side: a view of a part of each row takes the memory of
   whole rows. */
static void multiply_rows(const problem *p, amp_accelerator_view where, int row, int rows, int cols)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, p->a + (size_t)row * (size_t)p->W, rows, p->W);
    AMP_ARRAY_VIEW(float, 2, c, p->c + (size_t)row * (size_t)p->N, rows, p->N);
    amp_array_view_discard_data(&c);
    float *const some = cols < p->N ? malloc((size_t)p->W * (size_t)cols * sizeof(float)) : p->b;
    for (int col = 0; some && col < p->N; col += cols) {
        const int width = p->N - col < cols ? p->N - col : cols;
        for (size_t i = 0; some != p->b && i < (size_t)p->W; i++)
            memcpy(some + i * (size_t)width, p->b + i * (size_t)p->N + col, (size_t)width * sizeof(float));
        AMP_CONST_ARRAY_VIEW(float, 2, b, some, p->W, width);
        multiply(where, a, b, amp_section(c, 0, col, rows, width));
    }
    if (some != p->b)
        free(some);
}

/* The better of two times, because the first one also compiles the kernel: for all rows on one view, or for as many on
   each of several. */
static double seconds_of(const problem *p, const amp_accelerator_view *where, int count, int cols)
{
    double best = HUGE_VAL;
    memset(p->c, 0xff, (size_t)p->M * (size_t)p->N * sizeof *p->c); /* NaNs */
    for (int run = 0; run < 2; run++) {
        struct timespec start, end;
        timespec_get(&start, TIME_UTC);
#pragma omp parallel for num_threads(count) schedule(static, 1)
        for (int i = 0; i < count; i++) {
            const int first = (int)((int64_t)p->M * i / count), last = (int)((int64_t)p->M * (i + 1) / count);
            if (first < last)
                multiply_rows(p, where[i], first, last - first, cols);
        }
        timespec_get(&end, TIME_UTC);
        best = fmin(best, (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    }
    return best;
}

/* Compares 1,000 elements with sums in double; fp32 may differ by W roundings of the terms' magnitude. */
static bool right(const problem *p)
{
    for (long long s = 0; s < 1000; s++) {
        const size_t row = (size_t)(s * 7919 % p->M), col = (size_t)(s * 104729 % p->N);
        double want = 0.0, magnitude = 0.0;
        for (size_t i = 0; i < (size_t)p->W; i++) {
            const double term = (double)p->a[row * (size_t)p->W + i] * (double)p->b[i * (size_t)p->N + col];
            want += term;
            magnitude += fabs(term);
        }
        const double got = (double)p->c[row * (size_t)p->N + col];
        if (!(fabs(got - want) <= p->W * (double)FLT_EPSILON * magnitude))
            return printf("c(%zu,%zu) is %g, expected %g\n", row, col, got, want) < 0;
    }
    return true;
}

static float *random_matrix(int rows, int cols)
{
    const size_t count = (size_t)rows * (size_t)cols;
    float *const m = malloc(count * sizeof *m);
    unsigned state = (unsigned)rows * 2654435761u + (unsigned)cols;
    for (size_t i = 0; m && i < count; i++) {
        state = state * 1664525u + 1013904223u;
        m[i] = (float)(state >> 8) * 0x1p-24f - 0.5f;
    }
    return m;
}

int main(int argc, char **argv)
{
    const bool streams = argc > 2 && !strcmp(argv[1], "--memory");
    const double bytes = streams ? atof(argv[2]) * 1048576.0 : 0.0;
    int sizes[3] = { 600, 500, 400 };
    for (int i = streams ? 3 : 1, n = 0; i < argc && n < 3; i++, n++)
        for (int k = n; k < 3; k++)
            sizes[k] = atoi(argv[i]);
    problem p = { .M = sizes[0], .N = sizes[1], .W = sizes[2] };
    p.a = random_matrix(p.M, p.W), p.b = random_matrix(p.W, p.N), p.c = random_matrix(p.M, p.N);
    if (p.M < 1 || p.N < 1 || p.W < 1 || !p.a || !p.b || !p.c)
        return 1;
    /* Half of the memory for b, the rest for rows of a and c. */
    const double block = bytes / 2.0 / (double)((size_t)p.W * sizeof(float));
    const int cols = !streams || block > p.N ? p.N : block < TS ? TS : (int)block / TS * TS;

    amp_accelerator all[MAX_ACCELERATORS], used[MAX_ACCELERATORS];
    amp_accelerator_view one[MAX_ACCELERATORS];
    const int found = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    int count = 0, real = 0; /* the real devices, or all but the CPU backend, or that */
    for (int i = 0; i < found; i++)
        real += !amp_accelerator_is_emulated(all[i]);
    for (int i = 0; i < found; i++)
        if (real ? !amp_accelerator_is_emulated(all[i]) : i > 0 || found == 1)
            used[count++] = all[i];

    const double operations = 2.0 * p.M * p.N * p.W;
    double best = HUGE_VAL;
    bool ok = true;
    for (int i = 0; i < count; i++) {
        one[i] = amp_accelerator_default_view(used[i]);
        if (streams)
            one[i] = amp_accelerator_view_create_streamed(one[i], (size_t)bytes);
        const double seconds = seconds_of(&p, &one[i], 1, cols);
        printf("alone     %9.2f ms %8.1f GFLOP/s   %s, %s\n", 1e3 * seconds, 1e-9 * operations / seconds,
               amp_accelerator_path(used[i]), amp_accelerator_description(used[i]));
        best = fmin(best, seconds);
        ok = right(&p) && ok;
    }
    amp_accelerator_view group = amp_accelerator_view_create_group(used, count);
    const double seconds = streams ? seconds_of(&p, one, count, cols) : seconds_of(&p, &group, 1, cols);
    printf("together  %9.2f ms %8.1f GFLOP/s   %.2f times the best one\n", 1e3 * seconds, 1e-9 * operations / seconds,
           best / seconds);
    ok = right(&p) && ok;

    amp_accelerator_view_release(&group);
    for (int i = 0; i < count; i++)
        amp_accelerator_view_release(&one[i]);
    free(p.a), free(p.b), free(p.c);
    puts(ok ? "OK" : "wrong");
    return ok ? 0 : 1;
}
