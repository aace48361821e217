/* SPDX-License-Identifier: MIT */
/*  amp_mpi.h - launches on the ranks of an MPI communicator: several machines, or several processes of one.

    Do this:      #include "amp_mpi.h" beside "amp.h", and compile with mpicc.
    The ranks:    amp_accelerator_view all = amp_accelerator_view_create_mpi(MPI_COMM_WORLD, NULL, 0);
    Their data:   AMP_ARRAY_VIEW_NO_SOURCE(float, 2, u, ROWS, COLUMNS);     of the whole extent, on every rank
    A launch:     AMP_PARALLEL_FOR_EACH_ON(all, u.extent, (r, c), AMP_CAPTURE(u), { AMP_AT(u, r, c) = r; });
    A result:     amp_mpi_gather(all, 0, u);      then rank 0 reads all of u
    Every rank makes the same calls in the same order. Each runs a band of the extent's rows, with the indexes of the
    whole extent, and has the rows that it uses. The others move by MPI when a launch needs them.
    docs/mpi.md has all of it.

    amp/mpi/rank_rows.h: who has which rows       amp/mpi/exchange.h: messages
    amp/mpi/same_call.h: are the calls equal?
    amp/mpi/rank_launch.h: launches               amp/mpi/collect.h: gather, scatter, files

    Contents (search for the tag):
        >>ranks */
#ifndef AMP_MPI_H
#define AMP_MPI_H

/* As amp.h. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

#include "amp_group.h"

#if !defined(AMP_PRIV_NO_MPI_H) /* scripts/reference defines it, which needs no MPI */
#if !__has_include(<mpi.h>)
#error "amp: amp_mpi.h needs mpi.h: compile with mpicc (Debian: libmpich-dev or libopenmpi-dev)"
#include <see_the_error_above>
#endif
#include <mpi.h>
#endif

AMP_PRIV_NEEDS_HEADER(amp_mpi__include_amp_mpi_h_in_the_file_with_AMP_IMPLEMENTATION);

/* // >>ranks
   view  amp_accelerator_view of amp_accelerator_view_create_mpi
   Blocking: until the ranks that exchange data with this one make the same call. Threads: that which called
   MPI_Init. Source: none. */

/* amp_accelerator_view_create_mpi(comm, accelerators, count): makes an accelerator view that stands for all ranks.
   Every rank of the communicator makes the call. A launch on the view runs on all ranks, each over a band of the
   extent's rows (its first dimension), with the indexes of the whole extent. All ranks make the same launches, with
   equal extents and scalars. Before a launch each rank receives the rows that its band reads and that it has not, in
   one message from each rank that has some. A launch that cannot be divided runs on rank 0, and a warning names the
   reason once (docs/mpi.md). A failure on one rank ends the program, with a message. If the program has set no error
   handler, the call sets one that ends all ranks.
   comm  MPI_Comm, which the call duplicates
   accelerators  those of this process, as for amp_accelerator_view_create_group. NULL: its share of those of its
                 machine that are not emulated; processes that outnumber them take them in turn
   count  their number; 0 with NULL
   Result: amp_accelerator_view, to be released by all ranks before MPI_Finalize; all zero after an error.
   Errors: AMP_RUNTIME_ERROR (MPI has not begun), those of amp_accelerator_view_create_group. Blocking: until all ranks
   make the call. Cost: opens the devices at first use. See: amp_accelerator_view_create_group, amp_mpi_own */
AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_mpi(MPI_Comm comm, const amp_accelerator *accelerators,
                                                                  int count);

/* amp_mpi_own(view, v): the rows of a view that are this rank's own, with their newest contents.
   Rank n of N has rows n * rows / N to (n + 1) * rows / N - 1. Every rank makes the call. If v is const, the rows may
   be read. Else they may be written, too, and other ranks receive them again when they use them. Algorithms and the
   host use them as any view: amp_sum_on(view, amp_mpi_own(view, amp_as_const(v))) is the sum of a rank.
   v  a view, the same on all ranks
   Result: a non-owning view of the type of v; all zero after an error. Its extent may be 0 in the first dimension.
   Errors: AMP_INVALID_ARGUMENT (the view stands for no ranks, v is a part of rows), AMP_UNINITIALIZED_OBJECT.
   Cost: rows that are not here are received. See: AMP_MPI_COMBINE */
#define amp_mpi_own(view, v)                                                                                           \
    AMP_PRIV_NEW(AMP_PRIV_VIEW_TYPE(v), amp_priv_mpi_own, view, AMP_PRIV_HEAD(v))
AMP_PRIV_API void *amp_priv_mpi_own(void *out, amp_accelerator_view view, const amp_priv_head *head);

/* amp_mpi_gather(view, root, v): brings all rows of a view to the memory of one rank.
   amp_mpi_scatter(view, root, v): takes the contents of a view from one rank; each rank gets its own rows.
   Every rank makes the call. After amp_mpi_gather the root may read all of v. Before amp_mpi_scatter it has written
   all of v: before the first use of v on the ranks, or after amp_array_view_discard_data.
   root  a rank, 0 to the number of ranks - 1
   v  a view, the same on all ranks
   Result: amp_status.
   Errors: AMP_INVALID_ARGUMENT, AMP_UNINITIALIZED_OBJECT. Cost: the root has memory for the whole view. See:
   amp_mpi_own */
#define amp_mpi_gather(view, root, v)  amp_priv_mpi_gather(view, root, AMP_PRIV_HEAD(v))
#define amp_mpi_scatter(view, root, v) amp_priv_mpi_scatter(view, root, AMP_PRIV_HEAD(v))
AMP_PRIV_API amp_status amp_priv_mpi_gather(amp_accelerator_view view, int root, const amp_priv_head *head);
AMP_PRIV_API amp_status amp_priv_mpi_scatter(amp_accelerator_view view, int root, const amp_priv_head *head);

/* amp_mpi_write(view, path, v): writes a view to a file, all ranks at the same time.
   amp_mpi_read(view, path, v): reads a view from a file, all ranks at the same time.
   Every rank makes the call. The file has the elements in row-major order, in the byte order of the machine, and
   nothing else. Each rank writes or reads its own rows, by MPI-IO.
   path  of the file, the same on all ranks
   v  a view, the same on all ranks
   Result: amp_status, the same on all ranks.
   Errors: AMP_RUNTIME_ERROR (the file system), AMP_INVALID_ARGUMENT (the file has another size), both reported by one
   rank; AMP_UNINITIALIZED_OBJECT. Cost: one pass over the data. See: amp_mpi_own */
#define amp_mpi_write(view, path, v) amp_priv_mpi_write(view, path, AMP_PRIV_HEAD(v))
#define amp_mpi_read(view, path, v)  amp_priv_mpi_read(view, path, AMP_PRIV_HEAD(v))
AMP_PRIV_API amp_status amp_priv_mpi_write(amp_accelerator_view view, const char *path, const amp_priv_head *head);
AMP_PRIV_API amp_status amp_priv_mpi_read(amp_accelerator_view view, const char *path, const amp_priv_head *head);

/* AMP_MPI_COMBINE(view, T, x, operation): combines a variable of each rank; each rank gets the result.
   The values are combined in the order of the ranks, ((x of 0, x of 1), x of 2) ..., so that the result has the same
   bits on all ranks and in all runs with as many ranks.
   T  a type without pointers
   x  a variable of type T, which has the result then
   operation  an expression of a and b
   Result: none; a statement.
   Errors: AMP_INVALID_ARGUMENT (the view stands for no ranks; if that is so on one rank alone, it cannot tell the
   others, and they wait, unless its error handler ends the program as the default one does). Blocking: until all ranks
   make the call. Cost: one message of each rank to all. Source: MPI_Allreduce. See: amp_mpi_own, AMP_REDUCE */
#define AMP_MPI_COMBINE(view, T, x, operation)                                                                         \
    do {                                                                                                               \
        void *amp_priv_all;                                                                                            \
        T *const amp_priv_own = &(x);                                                                                  \
        const int amp_priv_ranks_of_all = amp_priv_mpi_all(view, amp_priv_own, sizeof *amp_priv_own, &amp_priv_all);   \
        for (int amp_priv_rank = 0; amp_priv_rank < amp_priv_ranks_of_all; amp_priv_rank++) {                          \
            const T b = ((const T *)amp_priv_all)[amp_priv_rank], a = amp_priv_rank ? *amp_priv_own : b;               \
            (void)a;                                                                                                   \
            *amp_priv_own = amp_priv_rank ? (operation) : b;                                                           \
        }                                                                                                              \
        free(amp_priv_all);                                                                                            \
    } while (0)
AMP_PRIV_API int amp_priv_mpi_all(amp_accelerator_view view, const void *value, size_t size, void **all);

/* amp_mpi_counters: what this rank has sent, of views' rows, since the accelerator view was made.
   messages  their number
   bytes  of all of them
   Source: none. */
typedef struct amp_mpi_counters {
    uint64_t messages, bytes;
} amp_mpi_counters;

/* amp_mpi_sent(view): what this rank has sent to other ranks.
   Result: amp_mpi_counters.
   Errors: AMP_INVALID_ARGUMENT. Blocking: no. Cost: none. */
AMP_PRIV_API amp_mpi_counters amp_mpi_sent(amp_accelerator_view view);

#if AMP_PRIV_IMPLEMENTS
#include "amp/mpi/collect.h"
#endif

#endif /* AMP_MPI_H */
