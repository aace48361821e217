// SPDX-License-Identifier: MIT
/*  08_mpi_stencil: heat spreads over a plate, on several machines: MPI ranks, each with its accelerators.

    The program is that of one device. The accelerator view stands for all ranks: each of them runs a band of the
    rows, with the indexes of the whole plate, and keeps these rows. For each step the library finds in the kernel's
    source which rows of its neighbours a rank needs: one above and one below. These move by MPI while the rank
    computes its other rows. The counters show that nothing else moves.

    Build   mpicc -O3 -march=native -fopenmp -I.. 08_mpi_stencil.c -o 08_mpi_stencil -lm
            ... -DAMP_BACKEND_OPENCL ...
    Run     mpirun -n 4 ./08_mpi_stencil [ROWS [COLS [STEPS]]]      (ranks of one machine share its accelerators;
            Open MPI wants --oversubscribe for more ranks than cores, and --allow-run-as-root for root)
    See     what rank 0 ran on, what all ranks sent, a comparison with plain C on one thread, then OK.       */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp.h"
#include "amp_mpi.h"

/* Some warm spots at the beginning; the plate's edge stays as it is. */
AMP_FUNCTION(float, initial, (int row, int col), { return (row / 16 + col / 16) % 5 == 0 ? 100.0f : 0.0f; })

AMP_FUNCTION(float, next, (float here, float up, float down, float left, float right), {
    return here + 0.2f * (up + down + left + right - 4.0f * here);
})

/* A step, from one view to the other. */
static void spread(amp_accelerator_view all, amp_const_array_view_float_2 from, amp_array_view_float_2 to)
{
    AMP_PARALLEL_FOR_EACH_ON(all, amp_inner(to.extent, 1), (row, col), AMP_CAPTURE(from, to), {
        AMP_AT(to, row, col) = next(AMP_AT(from, row, col), AMP_AT(from, row - 1, col), AMP_AT(from, row + 1, col),
                                    AMP_AT(from, row, col - 1), AMP_AT(from, row, col + 1));
    });
}

/* The same in plain C, on one thread; the result is in a. */
static void spread_serially(float *a, float *b, size_t rows, size_t cols, int steps)
{
    for (size_t i = 0; i < rows * cols; i++)
        a[i] = b[i] = initial((int)(i / cols), (int)(i % cols));
    for (int step = 0; step < steps; step++) {
        const float *const from = step % 2 ? b : a;
        float *const to = step % 2 ? a : b;
        for (size_t row = 1; row + 1 < rows; row++)
            for (size_t i = row * cols + 1; i + 1 < (row + 1) * cols; i++)
                to[i] = next(from[i], from[i - cols], from[i + cols], from[i - 1], from[i + 1]);
    }
}

/* Is a view as the serial result? Fused operations round less often. */
static bool is_right(amp_const_array_view_float_2 got, int steps)
{
    const size_t rows = (size_t)got.extent.v[0], cols = (size_t)got.extent.v[1];
    float *const a = malloc(rows * cols * sizeof *a), *const b = malloc(rows * cols * sizeof *b);
    bool ok = a && b;
    spread_serially(a, b, ok ? rows : 0, cols, steps);
    for (size_t i = 0; ok && i < rows * cols; i++)
        if (!(fabsf(AMP_AT(got, (int)(i / cols), (int)(i % cols)) - a[i]) <= 1e-3f)) {
            fprintf(stderr, "cell (%zu,%zu) differs from %g degrees\n", i / cols, i % cols, (double)a[i]);
            ok = false;
        }
    free(a);
    free(b);
    return ok;
}

static int number(int argc, char **argv, int position, int otherwise)
{
    const long value = position < argc ? strtol(argv[position], NULL, 10) : otherwise;
    if (value >= 3 && value <= 1 << 15)
        return (int)value;
    fprintf(stderr, "usage: mpirun -n RANKS %s [ROWS [COLS [STEPS]]], each 3 to %d\n", argv[0], 1 << 15);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

int main(int argc, char **argv)
{
    int rank, ranks, good = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int rows = number(argc, argv, 1, 200), cols = number(argc, argv, 2, 200);
    const int steps = (number(argc, argv, 3, 40) + 1) / 2 * 2; /* an even number */
    amp_accelerator_view all = amp_accelerator_view_create_mpi(MPI_COMM_WORLD, NULL, 0);
    {
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, now, rows, cols);
        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, next, rows, cols);
        AMP_PARALLEL_FOR_EACH_ON(all, now.extent, (row, col), AMP_CAPTURE(now, next), {
            AMP_AT(now, row, col) = AMP_AT(next, row, col) = initial(row, col);
        });
        const double began = MPI_Wtime();
        for (int step = 0; step < steps; step += 2) {
            spread(all, amp_as_const(now), next);
            spread(all, amp_as_const(next), now);
        }
        amp_accelerator_view_wait(all);
        const double took = MPI_Wtime() - began;
        /* A row for each step and neighbour; the edge of the plate may move once more. */
        const uint64_t most = (uint64_t)(steps + 2) * (uint64_t)((rank > 0) + (rank + 1 < ranks)) * (uint64_t)cols;
        uint64_t bytes = amp_mpi_sent(all).bytes;
        good = bytes <= most * sizeof(float);
        AMP_MPI_COMBINE(all, uint64_t, bytes, a + b);
        if (rank == 0)
            printf("%d x %d cells, %d ranks, the first on %s: %.3f s; %llu bytes sent\n", rows, cols, ranks,
                   amp_accelerator_path(amp_accelerator_view_accelerator(all)), took, (unsigned long long)bytes);
        amp_mpi_gather(all, 0, now);
        good = good && (rank > 0 || is_right(amp_as_const(now), steps));
    }
    AMP_MPI_COMBINE(all, int, good, amp_min(a, b));
    if (rank == 0 && good)
        puts("OK");
    amp_accelerator_view_release(&all);
    MPI_Finalize();
    return good ? 0 : 1;
}
