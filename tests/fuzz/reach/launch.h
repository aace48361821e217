// SPDX-License-Identifier: MIT
/*  launch.h - runs the kernels of kernels.c as launches on a group of all devices, and on a streamed view: each must
    compute what one device does. With REACH_RANKS they run on the ranks of MPI, and must compute what one process does.
    Kernels with undefined behaviour, as check.c finds it, are left out. Rows move between the devices, because each
    launch reads what the one before wrote. The views of every second kernel are sections. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "amp.h"
#include "amp_group.h"
#if defined(REACH_RANKS)
#include "amp_mpi.h"
#endif

#include <stdio.h>
#include <string.h>
#include <time.h>

#define REACH_DRIVER
#include "reach.h"

#define tick() ((void)0)
#define AT(row)                                                                                                        \
    ({                                                                                                                 \
        const int at = row;                                                                                            \
        at >= 0 && at < n ? (unsigned)AMP_AT(u, at, c) : 7u;                                                           \
    })
#define AT_INDEX(index)                                                                                                \
    ({                                                                                                                 \
        const amp_index2 at = index;                                                                                   \
        at.v[0] >= 0 && at.v[0] < n && at.v[1] >= 0 && at.v[1] < 3 ? (unsigned)AMP_AT(u, at) : 7u;                     \
    })
AMP_STRUCT(pair, REACH_STRUCT)
AMP_TABLE(short, weights, [2][4], REACH_WEIGHTS)
AMP_TABLE(unsigned char, bytes, [4], REACH_BYTES)
#define LAUNCH_PARAMETERS                                                                                              \
    (amp_accelerator_view on, amp_const_array_view_int_2 u, amp_array_view_int_2 v, int n, pair s)
#define LAUNCH(name, ...)                                                                                              \
    static void name LAUNCH_PARAMETERS                                                                                 \
    {                                                                                                                  \
        AMP_PARALLEL_FOR_EACH_ON(on, v.extent, (r, c), AMP_CAPTURE(u, v, n, AMP_VALUE(pair, s)), {                     \
            unsigned sum = 0;                                                                                          \
            __VA_ARGS__                                                                                                \
            AMP_AT(v, r, c) = (int)(sum & 0xffff);                                                                     \
        });                                                                                                            \
    }
#define TILED_LAUNCH(name, height, width, ...)                                                                         \
    static void name LAUNCH_PARAMETERS                                                                                 \
    {                                                                                                                  \
        AMP_TILED_ON(on, v.extent, (height, width), tile, AMP_CAPTURE(u, v, n, AMP_VALUE(pair, s)), {                  \
            AMP_PRIVATE(unsigned, sum);                                                                                \
            AMP_THREADS(tile, t) { AMP_OWN(sum) = 0; }                                                                 \
            __VA_ARGS__                                                                                                \
            AMP_THREADS(tile, t) { AMP_AT(v, t.global) = (int)(AMP_OWN(sum) & 0xffff); }                               \
        });                                                                                                            \
    }
typedef void launch_function LAUNCH_PARAMETERS;

bool reach_is_defined(int kernel); /* check.c */
pair reach_struct(int kernel);

enum {
    ROWS = 24,
    COLUMNS = 3,
    PLACES = 3,
    ROWS_OF_ALL = 64,
    COLUMNS_OF_ALL = 5,
    MEMORY = ROWS_OF_ALL * COLUMNS_OF_ALL
};

/* The place whose results the others must have comes first. */
static amp_accelerator_view places[PLACES];
static int place_count, rank;

/* Three launches, each of which reads what the one before wrote. */
static void launch_on(launch_function *launch, int kernel, amp_accelerator_view on, amp_array_view_int_2 u,
                      amp_array_view_int_2 v)
{
    for (int i = 0; i < 3; i++) {
        launch(on, amp_as_const(u), v, ROWS, reach_struct(kernel));
        amp_swap(&u, &v);
    }
#if defined(REACH_RANKS)
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int root = 0; root < ranks && on.amp_priv_queue == places[1].amp_priv_queue; root++)
        if (amp_mpi_gather(on, root, u) != AMP_OK || amp_mpi_gather(on, root, v) != AMP_OK)
            MPI_Abort(MPI_COMM_WORLD, 1);
#endif
    amp_array_view_synchronize(&u);
    amp_array_view_synchronize(&v);
}

static void compute(launch_function *launch, int kernel, amp_accelerator_view on, int *memory)
{
    const int from = kernel / 2 % 7, to = ROWS_OF_ALL - ROWS - kernel / 2 % 5;
    for (int i = 0; i < MEMORY; i++)
        memory[i] = i * 31 & 1023;
    if (kernel % 2) {
        AMP_ARRAY_VIEW(int, 2, all, memory, ROWS_OF_ALL, COLUMNS_OF_ALL);
        launch_on(launch, kernel, on, amp_section(all, from, kernel % 3, ROWS, COLUMNS),
                  amp_section(all, to, kernel / 2 % 3, ROWS, COLUMNS));
    } else {
        AMP_ARRAY_VIEW(int, 2, u, memory, ROWS, COLUMNS);
        AMP_ARRAY_VIEW(int, 2, v, memory + ROWS * COLUMNS, ROWS, COLUMNS);
        launch_on(launch, kernel, on, u, v);
    }
}

#if defined(REACH_RANKS)
/* MPI's own waits are loops that leave the other ranks no processor, where there are fewer processors than ranks. */
int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    int done = 0, result;
    while ((result = PMPI_Test(request, &done, status)) == MPI_SUCCESS && !done)
        nanosleep(&(const struct timespec){ .tv_nsec = 1000 }, NULL);
    return result;
}
int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm ranks)
{
    MPI_Request request;
    const int result = PMPI_Iallreduce(from, to, count, type, operation, ranks, &request);
    return result == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : result;
}
int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype to_type,
                  MPI_Comm ranks)
{
    MPI_Request request;
    const int result = PMPI_Iallgather(from, count, type, to, each, to_type, ranks, &request);
    return result == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : result;
}

static void find_places(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    places[1] = amp_accelerator_view_create_mpi(MPI_COMM_WORLD, NULL, 0);
    places[0] = amp_accelerator_default_view(amp_accelerator_view_accelerator(places[1]));
    place_count = 2;
}
#else
static void find_places(void)
{
    amp_accelerator all[16], used[16];
    const int accelerators = amp_accelerator_get_all(all, 16);
    int devices = 0;
    for (int i = 0; i < accelerators; i++)
        if (strcmp(amp_accelerator_path(all[i]), "cpu"))
            used[devices++] = all[i];
    if (!devices)
        return;
    places[0] = amp_accelerator_default_view(used[0]);
    places[1] = amp_accelerator_view_create_group(used, devices);
    places[2] = amp_accelerator_view_create_streamed(places[0], 1 << 10);
    place_count = 3;
}
#endif

static int run_launches(launch_function *const *launches, size_t count)
{
    static int memory[PLACES][MEMORY];
    int ran = 0, wrong = 0;
    find_places();
    for (size_t k = 0; k < count; k++) {
        if (!launches[k] || !reach_is_defined((int)k))
            continue;
        ran++;
        for (int place = 0; place < place_count; place++) {
            compute(launches[k], (int)k, places[place], memory[place]);
            if (!memcmp(memory[place], memory[0], sizeof *memory))
                continue;
            wrong++;
            printf("WRONG: kernel %zu at place %d\n", k, place);
        }
    }
    if (rank == 0)
        printf("%d launches at %d places, %d wrong\n", ran, place_count, wrong);
#if defined(REACH_RANKS)
    amp_accelerator_view_release(&places[1]);
    MPI_Finalize();
#endif
    return wrong || !place_count;
}

#endif
