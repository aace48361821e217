// SPDX-License-Identifier: MIT
/*  14_shortest_paths: the shortest ways between all towns of a map, and where to turn (Floyd and Warshall).

    It shows launches in a loop, each of which needs what the one before wrote, in place: launches of a queue follow
    each other, so nothing has to be waited for or copied between them. Town by town a way over that town is tried for
    each pair. The row and the column of that town do not change meanwhile, so no thread reads what another writes.

    Build   cc -O3 -march=native -fopenmp -I.. 14_shortest_paths.c -o 14_shortest_paths -lm           (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 14_shortest_paths.c -o 14_shortest_paths -lm
    Run     ./14_shortest_paths [TOWNS]      300 without arguments
    See     the two towns that are farthest from each other, the way between them, then OK.                      */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "amp.h"

enum { MOST_TOWNS = 20000, NO_WAY = 1 << 29, NEIGHBOURS = 6, COMPARED = 4, SHOWN = 8 };

/* length: from each town to each, NO_WAY without a road. next: the town to go to first. Both become those of the whole
   way. */
static void find_ways(amp_array_view_int_2 length, amp_array_view_int_2 next)
{
    for (int over = 0; over < length.extent.v[0]; over++)
        AMP_PARALLEL_FOR_EACH(length.extent, (from, to), AMP_CAPTURE(length, next, over), {
            const int way = AMP_AT(length, from, over) + AMP_AT(length, over, to);
            if (way < AMP_AT(length, from, to)) {
                AMP_AT(length, from, to) = way;
                AMP_AT(next, from, to) = AMP_AT(next, from, over);
            }
        });
}

/* ---- the map ------------------------------------------------------------------------------------------------ */

static float chance(void) { return (float)rand() / (float)RAND_MAX; }

/* Towns lie anywhere in a square; each has roads to the next ones of a few that it asks, and to the one before it. */
static void make_map(int towns, int *length, int *next)
{
    float *const at = malloc(2 * (size_t)towns * sizeof *at);
    srand(5);
    for (int i = 0; at && i < 2 * towns; i++)
        at[i] = 1000.0f * chance();
    for (int i = 0; i < towns; i++)
        for (int k = 0; k < towns; k++) {
            length[i * towns + k] = i == k ? 0 : NO_WAY;
            next[i * towns + k] = k;
        }
    for (int i = 1; at && i < towns; i++)
        for (int n = 0; n <= NEIGHBOURS; n++) {
            const int k = n == 0 ? i - 1 : rand() % i;
            const int road = 1 + (int)hypotf(at[2 * i] - at[2 * k], at[2 * i + 1] - at[2 * k + 1]);
            if (n > 0 && road > 400)
                continue;
            length[i * towns + k] = road;
            length[k * towns + i] = road;
        }
    free(at);
}

/* ---- the same by another method, from one town at a time (Dijkstra) --------------------------------------------- */

static void ways_from(int from, int towns, const int *road, int *length, bool *done)
{
    for (int i = 0; i < towns; i++)
        length[i] = i == from ? 0 : NO_WAY, done[i] = false;
    for (int turn = 0; turn < towns; turn++) {
        int nearest = -1;
        for (int i = 0; i < towns; i++)
            if (!done[i] && (nearest < 0 || length[i] < length[nearest]))
                nearest = i;
        done[nearest] = true;
        for (int i = 0; i < towns; i++) {
            const int way = length[nearest] + road[nearest * towns + i];
            length[i] = way < length[i] ? way : length[i];
        }
    }
}

/* Are the ways from some towns as long as they should be, and are they ways? */
static bool right(int towns, const int *road, const int *length, const int *next)
{
    int *const want = malloc((size_t)towns * sizeof *want);
    bool *const done = malloc((size_t)towns * sizeof *done), ok = want && done;
    for (int c = 0; c < COMPARED && ok; c++) {
        const int from = (int)((long long)(towns - 1) * c / (COMPARED - 1));
        ways_from(from, towns, road, want, done);
        for (int to = 0; to < towns && ok; to++) {
            int walked = 0, steps = 0;
            for (int i = from; i != to && steps < towns; i = next[i * towns + to], steps++)
                walked += road[i * towns + next[i * towns + to]];
            ok = length[from * towns + to] == want[to] && walked == want[to];
            if (!ok)
                fprintf(stderr, "from %d to %d it is %d, not %d, and %d by the way that was found\n", from, to,
                        want[to], length[from * towns + to], walked);
        }
    }
    free(want);
    free(done);
    return ok;
}

static void show(int towns, const int *length, const int *next)
{
    size_t far = 0;
    for (size_t i = 0; i < (size_t)towns * (size_t)towns; i++)
        far = length[i] > length[far] ? i : far;
    const int from = (int)(far / (size_t)towns), to = (int)(far % (size_t)towns);
    printf("town %d is farthest from town %d, %d: %d", from, to, length[far], from);
    int i = from;
    for (int steps = 0; i != to && steps < SHOWN; steps++)
        printf(" %d", i = next[i * towns + to]);
    puts(i == to ? "" : " ...");
}

/* ---- the whole job ---------------------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool run(int towns, int *road, int *plength, int *pnext)
{
    make_map(towns, road, pnext);
    for (size_t i = 0; i < (size_t)towns * (size_t)towns; i++)
        plength[i] = road[i];
    const double start = seconds_now();
    {
        AMP_ARRAY_VIEW(int, 2, length, plength, towns, towns);
        AMP_ARRAY_VIEW(int, 2, next, pnext, towns, towns);
        find_ways(length, next);
    } /* both are copied back here */
    printf("%d towns, %lld ways in %.1f ms\n", towns, (long long)towns * towns, 1e3 * (seconds_now() - start));
    show(towns, plength, pnext);
    return right(towns, road, plength, pnext);
}

int main(int argc, char **argv)
{
    const int towns = argc > 1 ? atoi(argv[1]) : 300;
    if (towns < 2 || towns > MOST_TOWNS) {
        fprintf(stderr, "usage: %s [TOWNS], 2 to %d\n", argv[0], MOST_TOWNS);
        return 1;
    }
    const size_t bytes = (size_t)towns * (size_t)towns * sizeof(int);
    int *const road = malloc(bytes), *const length = malloc(bytes), *const next = malloc(bytes);
    const bool ok = road && length && next && run(towns, road, length, next);
    free(road);
    free(length);
    free(next);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
