// SPDX-License-Identifier: MIT
/*  08_mpi_stencil: heat spreads over a plate, on several machines: MPI ranks, each with an accelerator.

    A rank has a band of rows in its own memory and views over it. The band stays on the rank's accelerator;
    after every step only its first and last row come to the host, as parts of the view (amp_project), MPI
    carries them to the neighbours, and what the neighbours sent goes to the accelerator with the next launch.
    Nothing says so in the program: touching a part of a view moves that part. The counters prove it.

    Build   mpicc -O3 -march=native -fopenmp -I.. 08_mpi_stencil.c -o 08_mpi_stencil -lm
            ... -DAMP_BACKEND_OPENCL ...
    Run     mpirun -n 4 ./08_mpi_stencil [ROWS [COLS [STEPS]]]      (ranks of one machine take its accelerators
            in turn; Open MPI wants --oversubscribe for more ranks than cores, and --allow-run-as-root for root)
    See     what each rank ran on and moved, a comparison with plain C on one thread, then OK.                */
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp.h"

enum { MAX_ACCELERATORS = 32, MAX_SIDE = 1 << 15, NAME_SIZE = 160, DOWN = 1, UP = 2 };

typedef struct {
    int rows, cols, steps;
} problem; /* of the whole plate */

/* The rows of rank `rank` out of `ranks`, and the rank's neighbours (MPI_PROC_NULL beyond the edge). */
typedef struct {
    int first, rows, before, after;
} share;

static share share_of(const problem *p, int rank, int ranks)
{
    const int first = (int)((long long)p->rows * rank / ranks), end = (int)((long long)p->rows * (rank + 1) / ranks);
    return (share){ first, end - first, rank > 0 ? rank - 1 : MPI_PROC_NULL,
                    rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL };
}

/* ---- the plate ---------------------------------------------------------------------------------------------- */

/* Some warm spots at the beginning; the rows and columns around the plate stay at 0. */
static float initial(int row, int col) { return (row / 16 + col / 16) % 5 == 0 ? 100.0f : 0.0f; }

AMP_FUNCTION(float, next, (float here, float up, float down, float left, float right), {
    return here + 0.2f * (up + down + left + right - 4.0f * here);
})

/* Memory has a row more on both sides, the neighbours', and a column more on both sides, which is the edge. */
static float *new_band(int first, int rows, int cols, bool filled)
{
    float *const band = calloc((size_t)(rows + 2) * (size_t)(cols + 2), sizeof *band);
    if (!band) {
        fprintf(stderr, "no memory for %d x %d cells\n", rows, cols);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    for (int row = 0; filled && row < rows; row++)
        for (int col = 0; col < cols; col++)
            band[(size_t)(row + 1) * (size_t)(cols + 2) + (size_t)col + 1] = initial(first + row, col);
    return band;
}

/* ---- one step ------------------------------------------------------------------------------------------------ */

static void spread(amp_accelerator_view av, amp_const_array_view_float_2 from, amp_array_view_float_2 to)
{
    const int rows = to.extent.v[0] - 2, cols = to.extent.v[1] - 2;
    const amp_array_view_float_2 own = amp_section(to, 1, 0, rows, cols + 2); /* the other rows are the neighbours' */

    AMP_PARALLEL_FOR_EACH_ON(av, AMP_EXTENT(rows, cols), (i, j), AMP_CAPTURE(from, own), {
        const int row = i + 1, col = j + 1;
        AMP_AT(own, i, col) = next(AMP_AT(from, row, col), AMP_AT(from, row - 1, col), AMP_AT(from, row + 1, col),
                                   AMP_AT(from, row, col - 1), AMP_AT(from, row, col + 1));
    });
}

/* Sends row `out` to one neighbour and receives row `in` from the other. amp_data waits for the kernel and brings the
   one row to the host; what is received replaces all of the other row, so nothing of it needs to come. */
static void pass(amp_array_view_float_2 band, int out, int to, int in, int from, int tag)
{
    const amp_const_array_view_float_1 mine = amp_as_const(amp_project(band, out));
    const amp_array_view_float_1 theirs = amp_project(band, in);
    const float *send = NULL;
    float *receive = NULL;
    if (to != MPI_PROC_NULL)
        send = amp_data(mine);
    if (from != MPI_PROC_NULL) {
        amp_array_view_discard_data(&theirs);
        receive = amp_data(theirs);
    }
    const int count = band.extent.v[1];
    MPI_Sendrecv(send, send ? count : 0, MPI_FLOAT, to, tag, receive, receive ? count : 0, MPI_FLOAT, from, tag,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(const share *s, amp_array_view_float_2 band)
{
    pass(band, s->rows, s->after, 0, s->before, DOWN);
    pass(band, 1, s->before, s->rows + 1, s->after, UP);
}

/* ---- all steps ------------------------------------------------------------------------------------------------ */

/* Leaves the result in a. Only the rows at the seams may move; true if that is so. */
static bool simulate(const problem *p, const share *s, amp_accelerator_view av, float *a, float *b, char *report)
{
    AMP_ARRAY_VIEW(float, 2, va, a, s->rows + 2, p->cols + 2);
    AMP_ARRAY_VIEW(float, 2, vb, b, s->rows + 2, p->cols + 2);
    exchange(s, va);
    amp_transfer_counters before = { 0 };
    for (int step = 0; step < p->steps; step += 2) {
        spread(av, amp_as_const(va), vb);
        exchange(s, vb);
        spread(av, amp_as_const(vb), va);
        exchange(s, va);
        if (step == 0) /* both bands are on the accelerator now */
            before = amp_total_counters();
    }
    const amp_transfer_counters after = amp_total_counters();

    /* A row out and a row in per step and neighbour, where the accelerator has memory of its own. */
    const int neighbours = (s->before != MPI_PROC_NULL) + (s->after != MPI_PROC_NULL);
    const uint64_t expected = (uint64_t)(p->steps - 2) * (uint64_t)neighbours * (uint64_t)(p->cols + 2) * sizeof(float);
    const uint64_t to_device = after.bytes_to_device - before.bytes_to_device;
    const uint64_t to_host = after.bytes_to_host - before.bytes_to_host;
    snprintf(report, NAME_SIZE, "%.88s: %llu bytes to it, %llu back",
             amp_accelerator_path(amp_accelerator_view_accelerator(av)), (unsigned long long)to_device,
             (unsigned long long)to_host);
    return before.bytes_to_device == 0 ? to_device == 0 && to_host == 0 : to_device == expected && to_host == expected;
} /* end of scope: both bands come home */

/* ---- the check ------------------------------------------------------------------------------------------------- */

/* The same in plain C, on one thread. */
static float *simulate_serial(const problem *p)
{
    float *from = new_band(0, p->rows, p->cols, true), *to = new_band(0, p->rows, p->cols, false);
    const size_t pitch = (size_t)p->cols + 2;
    for (int step = 0; step < p->steps; step++) {
        for (size_t row = 1; row <= (size_t)p->rows; row++)
            for (size_t col = 1; col <= (size_t)p->cols; col++) {
                const size_t i = row * pitch + col;
                to[i] = next(from[i], from[i - pitch], from[i + pitch], from[i - 1], from[i + 1]);
            }
        float *const swapped = from;
        from = to;
        to = swapped;
    }
    free(to);
    return from;
}

static bool right(const problem *p, const float *got)
{
    float *const want = simulate_serial(p);
    const size_t pitch = (size_t)p->cols + 2;
    bool ok = true;
    for (size_t row = 1; ok && row <= (size_t)p->rows; row++)
        for (size_t col = 1; ok && col <= (size_t)p->cols; col++) {
            const float a = got[row * pitch + col], b = want[row * pitch + col];
            ok = fabsf(a - b) <= 1e-3f; /* of 100 degrees: fused operations round less often */
            if (!ok)
                fprintf(stderr, "cell (%zu,%zu) has %g degrees, expected %g\n", row - 1, col - 1, (double)a, (double)b);
        }
    free(want);
    return ok;
}

/* Rank 0 gets all rows and compares. */
static bool gather_and_check(const problem *p, const share *s, const float *band, int rank, int ranks)
{
    const int pitch = p->cols + 2;
    float *const all = rank == 0 ? new_band(0, p->rows, p->cols, false) : NULL;
    int *const counts = malloc((size_t)ranks * sizeof *counts), *const starts = malloc((size_t)ranks * sizeof *starts);
    if (!counts || !starts)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; counts && starts && i < ranks; i++) {
        const share other = share_of(p, i, ranks);
        counts[i] = other.rows * pitch;
        starts[i] = (other.first + 1) * pitch;
    }
    MPI_Gatherv(band + pitch, s->rows * pitch, MPI_FLOAT, all, counts, starts, MPI_FLOAT, 0, MPI_COMM_WORLD);
    const bool ok = rank != 0 || right(p, all);
    free(counts);
    free(starts);
    free(all);
    return ok;
}

/* ---- the devices and the options ------------------------------------------------------------------------------ */

/* The real devices of this machine, without those the emulated ones, without those the CPU loops: the ranks on it
   take them in turn. */
static amp_accelerator accelerator_of(int local_rank)
{
    amp_accelerator list[MAX_ACCELERATORS], chosen[MAX_ACCELERATORS];
    int found = amp_accelerator_get_all(list, MAX_ACCELERATORS), count = 0;
    if (found > MAX_ACCELERATORS)
        found = MAX_ACCELERATORS;
    for (int i = 0; i < found; i++)
        if (!amp_accelerator_is_emulated(list[i]))
            chosen[count++] = list[i];
    const bool none_is_real = count == 0;
    for (int i = 0; none_is_real && i < found; i++)
        if (strcmp(amp_accelerator_path(list[i]), "cpu") != 0)
            chosen[count++] = list[i];
    return count > 0 ? chosen[local_rank % count] : amp_accelerator_from_path("cpu");
}

static int number(int argc, char **argv, int position, int least, int otherwise)
{
    if (position >= argc)
        return otherwise;
    char *end;
    const long value = strtol(argv[position], &end, 10);
    if (*end != '\0' || value < least || value > MAX_SIDE) {
        fprintf(stderr, "usage: mpirun -n RANKS %s [ROWS [COLS [STEPS]]], each %d to %d, not \"%s\"\n", argv[0], least,
                MAX_SIDE, argv[position]);
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    int rank, ranks, local_rank, threads;
    MPI_Comm machine;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local_rank);

    const problem p = { number(argc, argv, 1, ranks, ranks > 200 ? ranks : 200), number(argc, argv, 2, 1, 200),
                        (number(argc, argv, 3, 2, 40) + 1) / 2 * 2 }; /* an even number of steps */
    const share s = share_of(&p, rank, ranks);
    float *const a = new_band(s.first, s.rows, p.cols, true), *const b = new_band(s.first, s.rows, p.cols, false);

    amp_accelerator_view av = amp_accelerator_create_view(accelerator_of(local_rank));
    char report[NAME_SIZE] = "";
    const bool lean = simulate(&p, &s, av, a, b, report);
    amp_accelerator_view_release(&av);
    if (!lean)
        fprintf(stderr, "rank %d moved something else than the rows at the seams: %s\n", rank, report);
    int good = gather_and_check(&p, &s, a, rank, ranks) && lean, all_good = 0;

    char *const reports = rank == 0 ? malloc((size_t)ranks * NAME_SIZE) : NULL;
    if (rank == 0 && !reports)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Gather(report, NAME_SIZE, MPI_CHAR, reports, NAME_SIZE, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d x %d cells, %d steps; a band moved once would be %zu bytes\n", p.rows, p.cols, p.steps,
               (size_t)(s.rows + 2) * (size_t)(p.cols + 2) * sizeof(float));
    for (int i = 0; rank == 0 && i < ranks; i++)
        printf("rank %d: %s\n", i, reports + (size_t)i * NAME_SIZE);
    free(reports);
    free(a);
    free(b);

    MPI_Allreduce(&good, &all_good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0 && all_good)
        puts("OK");
    MPI_Comm_free(&machine);
    MPI_Finalize();
    return all_good ? 0 : 1;
}
