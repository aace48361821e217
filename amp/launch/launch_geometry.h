/* SPDX-License-Identifier: MIT */
/*  amp/launch/launch_geometry.h - the geometry of a launch: work-items and work-groups

    Contents (search for the tag):
        >>geometry  >>coarsening */
#ifndef AMP_LAUNCH_LAUNCH_GEOMETRY_H
#define AMP_LAUNCH_LAUNCH_GEOMETRY_H

#include "kernel_cache.h"

/* // >>geometry
   Dimension 0 of a device is the last dimension of ours. A tile is a work-group. Without tiles, the work-group does not
   depend on what divides the extent: the extent is rounded up, and the kernel leaves out what is too much. */

/* Threads of a work-group without tiles, and of one row of it. On a GPU, rows of 128 write whole sectors of memory even
   where rows of views do not begin at one, and neighbours above share what they read (an H200, beside 32 x 8: a
   lattice-Boltzmann kernel on the inside of its domain is 1.21 times as fast, a stencil with borders 1.11). The
   compilers of CPUs turn a row into vectors, and each work-group has to find out anew that it may (a stencil on pocl:
   0.9 of the speed with 256 instead of 4,096). So large launches take large work-groups on a CPU, where each of its
   units gets this many at least. On a GPU threads that run together should leave loops together: where they leave them
   at different times, a work-group is a small square of neighbours (a path tracer: a fifth faster). */
enum {
    AMP_PRIV_GROUP = 256,
    AMP_PRIV_ROW_ON_GPU = 128,
    AMP_PRIV_UNEVEN_GROUP = 64,
    AMP_PRIV_UNEVEN_ROW = 8,
    AMP_PRIV_GROUP_ON_CPU = 4096,
    AMP_PRIV_GROUPS_OF_UNIT = 16
};

AMP_PRIV_WARM_PART size_t amp_priv_power_of_two(size_t n, size_t limit)
{
    if (n > limit)
        n = limit;
    if (n < 2)
        return 1;
    const size_t power = (size_t)2 << (63 - __builtin_clzll(n - 1)); /* the least that is not below n */
    return power <= limit ? power : power / 2;
}

/* max_row, max_group: the most threads of a row and of a work-group. */
AMP_PRIV_WARM_PART amp_priv_geometry amp_priv_geometry_of(int rank, const int *extent, const int *tile, size_t max_row,
                                                          size_t max_group, const size_t max_tile[3])
{
    const int dimensions = rank < 3 ? rank : 3;
    amp_priv_geometry g = { { 1, 1, 1 }, { 1, 1, 1 }, dimensions, tile != NULL, 1, { 0, 0 } };
    for (int d = 0; d < dimensions; d++)
        g.global[d] = (size_t)extent[rank - 1 - d];
    if (tile) {
        for (int d = 0; d < dimensions; d++)
            g.local[d] = (size_t)tile[rank - 1 - d];
        return g;
    }
    for (int d = 0; rank > 3 && d < rank - 2; d++)
        g.lead *= (uint64_t)extent[d];
    if (rank > 3)
        g.global[2] = (size_t)g.lead;
    if (rank > 1) {
        const size_t least = max_row == AMP_PRIV_ROW_ON_GPU ? 32 : 64;
        size_t row = max_row;
        /* Long rows leave out no more than an eighth of an extent. */
        while (row > least && (row - g.global[0] % row) % row > g.global[0] / 8)
            row /= 2;
        g.local[0] = amp_priv_power_of_two(g.global[0], row < max_group ? row : max_group);
    }
    for (int d = 1; d < dimensions; d++) {
        size_t rest = max_group / (g.local[0] * g.local[1] * g.local[2]);
        if (rest > max_tile[d])
            rest = max_tile[d];
        g.local[d] = amp_priv_power_of_two(g.global[d], rest);
    }
    /* What the other dimensions leave, the last one takes. */
    const size_t rest = max_group / (g.local[1] * g.local[2]);
    g.local[0] = amp_priv_power_of_two(g.global[0], rest < max_tile[0] ? rest : max_tile[0]);
    for (int d = 0; d < dimensions; d++)
        g.global[d] = (g.global[d] + g.local[d] - 1) / g.local[d] * g.local[d];
    return g;
}

/* Found once for each site. */
AMP_PRIV_WARM_PART bool amp_priv_site_is_uneven(amp_priv_launch_site *site, void *const *captured)
{
    enum { AMP_PRIV_UNKNOWN, AMP_PRIV_EVEN, AMP_PRIV_UNEVEN };
    int is = atomic_load_explicit(&site->uneven, memory_order_relaxed);
    if (__builtin_expect(is == AMP_PRIV_UNKNOWN, 0)) {
        is = amp_priv_site_has(site, captured, amp_priv_tree_is_uneven) ? AMP_PRIV_UNEVEN : AMP_PRIV_EVEN;
        atomic_store_explicit(&site->uneven, is, memory_order_relaxed);
    }
    return is == AMP_PRIV_UNEVEN;
}

/* max_group: of the kernel, when it is there, or of the device. */
AMP_PRIV_WARM_PART amp_priv_geometry amp_priv_launch_geometry(const amp_priv_launch *launch, size_t max_group)
{
    amp_priv_launch_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    const bool uneven =
        device->is_gpu && !site->tiled && site->rank > 1 && amp_priv_site_is_uneven(site, launch->captured);
    size_t group = uneven ? AMP_PRIV_UNEVEN_GROUP : AMP_PRIV_GROUP;
    if (device->rows_are_vectors) {
        const uint64_t large = (uint64_t)AMP_PRIV_GROUPS_OF_UNIT * AMP_PRIV_GROUP_ON_CPU * device->units;
        uint64_t threads = 1;
        for (int d = 0; d < site->rank && threads < large; d++)
            threads *= (uint64_t)launch->extent[d];
        if (threads >= large)
            group = AMP_PRIV_GROUP_ON_CPU;
    }
    return amp_priv_geometry_of(site->rank, launch->extent, site->tiled ? site->tile : NULL,
                                device->rows_are_vectors ? group
                                : uneven                 ? AMP_PRIV_UNEVEN_ROW
                                                         : AMP_PRIV_ROW_ON_GPU,
                                group < max_group ? group : max_group, device->max_tile);
}

/* Have all threads an index? The flattened dimensions of ranks above 3 are not worth the question. */
AMP_PRIV_WARM_PART bool amp_priv_geometry_is_exact(const amp_priv_launch *launch, const amp_priv_geometry *g,
                                                   int factor)
{
    const int rank = launch->site->rank;
    if (rank > 3)
        return false;
    for (int d = 0; d < rank; d++)
        if (g->global[d] * (size_t)(d == amp_priv_coarsened_dimension(rank) ? factor : 1) !=
            (size_t)launch->extent[rank - 1 - d])
            return false;
    return true;
}

/* // >>coarsening: how many threads of a launch each work-item runs. */

/* A device is kept busy by this many work-items for each of its units, twice what a unit of a GPU holds: so many stay,
   however many threads they run. */
enum { AMP_PRIV_ITEMS_OF_UNIT = 4096 };

/* log2 of the smallest coarsening factor with which the tile fits a work-group of the device; usually 0. */
AMP_PRIV_WARM_PART unsigned amp_priv_tile_coarsening(const amp_priv_launch_site *site, const amp_priv_device *device)
{
    const int dimension = amp_priv_coarsened_dimension(site->rank);
    const size_t side = (size_t)site->tile[site->rank - 1 - dimension];
    const size_t threads = amp_priv_tile_threads(site);
    unsigned shift = 0;
    while ((threads >> shift > device->max_threads || side >> shift > device->max_tile[dimension]) &&
           2 << shift <= AMP_PRIV_MAX_COARSENING && side % (2u << shift) == 0)
        shift++;
    return shift;
}

/* What the text allows, found once for each site. */
AMP_PRIV_WARM_PART int amp_priv_site_coarsening(amp_priv_launch_site *site, void *const *captured)
{
    int factor = atomic_load_explicit(&site->coarsening, memory_order_relaxed);
    if (__builtin_expect(factor == 0, 0)) {
        factor = amp_priv_text_coarsening(site, captured);
        atomic_store_explicit(&site->coarsening, factor, memory_order_relaxed);
    }
    return factor;
}

/* As a power of two: 0, 1, 2, ... for 1, 2, 4 threads. Written down in docs/internals/performance-notes.md. */
AMP_PRIV_WARM_PART unsigned amp_priv_launch_coarsening(const amp_priv_launch *launch)
{
    amp_priv_launch_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    const bool tiled = site->tiled;
    if (tiled && device->backend->target->runs_tiles)
        return 0;
    unsigned shift = tiled ? amp_priv_tile_coarsening(site, device) : 0;
#if !defined(AMP_CHECKED) /* faults are reported by the work-item's place */
    const unsigned given = device->threads_per_item ? device->threads_per_item : (unsigned)site->threads_per_item;
    const uint64_t busy = (uint64_t)AMP_PRIV_ITEMS_OF_UNIT * device->units;
    if (!given && (device->rows_are_vectors || busy == 0))
        return shift;
    uint64_t threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= (uint64_t)launch->extent[d];
    const int most = !given && threads < 2 * busy ? 0 : amp_priv_site_coarsening(site, launch->captured);
    if (most <= 0)
        return shift;
    const int dimension = amp_priv_coarsened_dimension(site->rank);
    const size_t side = (size_t)(tiled ? site->tile : launch->extent)[site->rank - 1 - dimension];
    if (given) {
        while (2u << shift <= given && 2 << shift <= AMP_PRIV_MAX_COARSENING && (!tiled || side % (2u << shift) == 0))
            shift++;
        return shift;
    }
    const size_t tile = tiled ? amp_priv_tile_threads(site) : 1;
    while (2 << shift <= most && threads >> (shift + 1) >= busy &&
           (tiled ? side % (2u << shift) == 0 && tile >> (shift + 1) >= device->tile_multiple : side >> shift >= 32))
        shift++;
#endif
    return shift;
}

/* The work-items of a launch whose threads have this geometry. */
AMP_PRIV_WARM_PART void amp_priv_geometry_coarsening(amp_priv_geometry *g, int rank, int factor)
{
    const int d = amp_priv_coarsened_dimension(rank);
    if (__builtin_expect(factor == 1, 1))
        return;
    if (g->tiled)
        g->local[d] /= (size_t)factor;
    const size_t step = g->local[d] * (size_t)factor;
    g->global[d] = (g->global[d] + step - 1) / step * g->local[d];
}

#endif /* AMP_LAUNCH_LAUNCH_GEOMETRY_H */
