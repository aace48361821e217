/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/mpi.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_algorithms.h"
#include "amp_mpi.h"

/* amp_accelerator_view_create_mpi, amp_mpi_write */
void squares(int n)
{
    amp_accelerator_view all = amp_accelerator_view_create_mpi(MPI_COMM_WORLD, NULL, 0);
    {
        AMP_ARRAY_VIEW_NO_SOURCE(float, 1, v, n);
        AMP_PARALLEL_FOR_EACH_ON(all, v.extent, (i), AMP_CAPTURE(v),
                                 { AMP_AT(v, i) = (float)i * (float)i; });
        amp_mpi_write(all, "squares.data", v);
    }
    amp_accelerator_view_release(&all);
}

/* amp_mpi_own, AMP_MPI_COMBINE */
float sum_of_all_ranks(amp_accelerator_view all, amp_const_array_view_float_1 v)
{
    float sum = amp_sum_on(all, amp_mpi_own(all, v));
    AMP_MPI_COMBINE(all, float, sum, a + b);
    return sum;
}

/* amp_mpi_gather, amp_mpi_scatter */
void double_all(amp_accelerator_view all, int rank, int *data, int n)
{
    AMP_ARRAY_VIEW(int, 1, v, data, n);     /* rank 0 has filled data */
    amp_mpi_scatter(all, 0, v);
    AMP_PARALLEL_FOR_EACH_ON(all, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 2; });
    amp_mpi_gather(all, 0, v);
    if (rank == 0)
        printf("%d\n", AMP_AT(v, n - 1));
}

/* amp_mpi_read */
bool is_read(amp_accelerator_view all, amp_array_view_float_2 v)
{
    return amp_mpi_read(all, "picture.data", v) == AMP_OK;
}

/* amp_mpi_sent, amp_mpi_counters */
void print_sent(amp_accelerator_view all)
{
    const amp_mpi_counters sent = amp_mpi_sent(all);
    printf("%llu bytes in %llu messages\n", (unsigned long long)sent.bytes,
           (unsigned long long)sent.messages);
}
