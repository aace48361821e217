/* SPDX-License-Identifier: MIT */
/*  amp/group/band_memory.h - the views of a launch on a group of accelerators: each device gets the rows that its band
    uses

    All bands get their inputs before one of them writes. */
#ifndef AMP_GROUP_BAND_MEMORY_H
#define AMP_GROUP_BAND_MEMORY_H

#include "../memory/band.h"
#include "../memory/launch_memory.h"
#include "../memory/region.h"
#include "view.h"

/* The part of a source that rows of a view cover. */
AMP_PRIV_WARM void amp_priv_region_of_rows(const amp_priv_head *head, int lo, int hi, amp_priv_region *region)
{
    const amp_priv_shape shape = amp_priv_shape_of_rows(head, lo, hi);
    amp_priv_region_of(&head->source->base, &shape, region);
}

/* Do two regions of a source have elements in common? */
AMP_PRIV_COLD bool amp_priv_regions_meet(const amp_priv_source *source, const amp_priv_region *a,
                                         const amp_priv_region *b)
{
    amp_priv_box common;
    for (int i = 0; i < a->count; i++)
        for (int j = 0; j < b->count; j++)
            if (amp_priv_box_meet(&a->boxes[i], &b->boxes[j], source->base.rank, &common))
                return true;
    return false;
}

/* The least number that both divide. */
AMP_PRIV_COLD size_t amp_priv_common_multiple(size_t a, size_t b)
{
    size_t x = a, y = b;
    while (y) {
        const size_t rest = x % y;
        x = y;
        y = rest;
    }
    return a / x * b;
}

/* A buffer with a part of a source begins at a multiple of this: an element begins there of each type that the views
   of a launch on the source have. */
AMP_PRIV_WARM size_t amp_priv_part_unit(const amp_priv_launch *launch, const amp_priv_source *source)
{
    size_t unit = source->base.element_size;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head && head->source == source && unit % head->element->size)
            unit = amp_priv_common_multiple(unit, head->element->size);
    }
    return unit;
}

#if AMP_PRIV_HAS_OTHERS
/* The replica for a band: with the rows that it uses and some more, so that launches with other rows find room. All of
   the source where that is nearly all, or where the device works in the host's memory. */
AMP_PRIV_WARM amp_priv_replica *amp_priv_band_replica(const amp_priv_launch *launch, const amp_priv_head *head,
                                                      const amp_priv_band_rows *rows)
{
    amp_priv_source *const source = head->source;
    const int number = launch->queue->device->number;
    const size_t elements = amp_priv_part_unit(launch, source), unit = 256 * elements;
    if (amp_priv_device_number(number)->shares_host || head->kind == AMP_PRIV_ARRAY || source->is_temporary)
        return amp_priv_replica_of(source, number);
    size_t first = 0, end = 0;
    if (rows->count > 0) {
        const amp_priv_shape shape = amp_priv_shape_of_rows(head, rows->used[0].lo, rows->used[rows->count - 1].hi);
        first = (size_t)(shape.data - source->base.data);
        end = first + amp_priv_shape_span(&shape) * shape.element_size;
    }
    amp_priv_replica *const replica = source->replica[number];
    if (replica && replica->first % elements == 0 && replica->first <= first && end <= replica->first + replica->bytes)
        return replica;
    const size_t more = (end - first) / 32 + unit;
    first = first > more ? first - more : 0;
    first = (replica && replica->first < first ? replica->first : first) / unit * unit;
    end = source->bytes - end > more + unit ? (end + more) / unit * unit : source->bytes;
    if (end - first >= source->bytes / 8 * 7)
        return amp_priv_replica_of(source, number);
    return amp_priv_replica_open(source, number, first, end);
}

/* Where the kernel finds the views: a later capture, or band on the same device, may have widened what one of the same
   source has. */
AMP_PRIV_WARM void amp_priv_band_buffers(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_replica *const replica = head->source->replica[launch->queue->device->number];
        launch->buffer[i] = replica->buffer;
        launch->host[i] = head->source->base.data + replica->first;
    }
}

/* What the bands of a launch use. */
typedef struct amp_priv_bands_use {
    const amp_priv_launch *launch;
    const amp_priv_band *band;
} amp_priv_bands_use;

/* The numbers of the parts of each view in each band: first the rows that are used, then those that are written, then
   the whole view. */
enum { AMP_PRIV_BAND_PARTS = 2 * AMP_PRIV_BAND_PIECES + 1 };

AMP_PRIV_WARM bool amp_priv_bands_part(const void *of, int number, amp_priv_use *use)
{
    const amp_priv_bands_use *const bands = of;
    const int captures = bands->launch->site->capture_count, view = number / AMP_PRIV_BAND_PARTS,
              n = number % AMP_PRIV_BAND_PARTS;
    const amp_priv_band_rows *const rows = &bands->band[view / captures].rows[view % captures];
    use->head = amp_priv_launch_head(bands->launch, view % captures);
    use->command = view / captures;
    if (n == AMP_PRIV_BAND_PARTS - 1)
        return use->head && use->command == 0;
    use->writes = n >= AMP_PRIV_BAND_PIECES;
    use->reads = !use->writes;
    if (n % AMP_PRIV_BAND_PIECES >= (use->writes ? rows->written_count : rows->count))
        return false;
    const amp_priv_row_range *const range = use->writes ? &rows->written[n - AMP_PRIV_BAND_PIECES] : &rows->used[n];
    use->lo = range->lo;
    use->hi = range->hi;
    return use->head && use->lo < use->hi;
}

/* Adds the sources of a launch in bands, each of which uses its rows. */
AMP_PRIV_WARM void amp_priv_bands_uses(amp_priv_use_list *list, amp_priv_launch *launch,
                                       const amp_priv_bands_use *bands, int count)
{
    amp_priv_launch_uses(launch, list);
    list->parts = count * launch->site->capture_count * AMP_PRIV_BAND_PARTS;
    list->part = amp_priv_bands_part;
    list->of = bands;
}

/* The replicas for all bands, and then where each kernel finds its views. */
AMP_PRIV_WARM amp_status amp_priv_bands_replicas(amp_priv_launch *launches, int count)
{
    for (int b = 0; b < count; b++)
        for (int i = 0; i < launches[b].site->capture_count; i++) {
            const amp_priv_head *const head = amp_priv_launch_head(&launches[b], i);
            if (head && !amp_priv_band_replica(&launches[b], head, &launches[b].band->rows[i]))
                return amp_priv_failed();
        }
    for (int b = 0; b < count; b++)
        amp_priv_band_buffers(&launches[b]);
    return AMP_OK;
}

/* Before the bands of a launch are submitted, each to its queue: each device has what its band uses, and what the band
   does comes after what others do with it. The sources stay locked until the commit. On failure: reported, unlocked,
   contents as before. */
AMP_PRIV_WARM amp_status amp_priv_bands_begin(amp_priv_launch *launches, const amp_priv_bands_use *bands,
                                              amp_priv_queue *const *queue, int count, amp_priv_use_list *list)
{
    amp_priv_bands_uses(list, &launches[0], bands, count);
    list->queue = queue;
    list->queues = count;
    for (int b = 1; b < count; b++)
        launches[b].shared_sources = launches[0].shared_sources;
    amp_priv_uses_lock(list);
    amp_priv_uses_trim(list);
    amp_status status = amp_priv_bands_replicas(launches, count);
    if (status == AMP_OK)
        status = amp_priv_uses_acquire(list);
    if (status != AMP_OK)
        amp_priv_uses_abort(list);
    return status;
}

#endif /* AMP_PRIV_HAS_OTHERS */

#endif /* AMP_GROUP_BAND_MEMORY_H */
