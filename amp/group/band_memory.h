/* SPDX-License-Identifier: MIT */
/*  amp/group/band_memory.h - the views of a launch on a group of accelerators: each device gets the rows that its band
    uses

    All bands get their inputs before one of them writes. */
#ifndef AMP_GROUP_BAND_MEMORY_H
#define AMP_GROUP_BAND_MEMORY_H

#include "../memory/band.h"
#include "../memory/launch_memory.h"

/* The rows from lo to hi - 1 of a view. */
AMP_PRIV_WARM_PART amp_priv_shape amp_priv_shape_of_rows(const amp_priv_head *head, int lo, int hi)
{
    amp_priv_shape shape = amp_priv_shape_of(head);
    shape.data += (ptrdiff_t)lo * shape.stride[0] * (ptrdiff_t)shape.element_size;
    shape.extent[0] = hi - lo;
    return shape;
}

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
            if (amp_priv_box_meet(&a->boxes[i], &b->boxes[j], source->directory.rank, &common))
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

/* Gives a band's device what it uses, with the sources locked. */
AMP_PRIV_WARM amp_status amp_priv_band_acquire(amp_priv_launch *launch, amp_priv_changes *changes)
{
    const int number = launch->queue->device->number;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_band_rows *const rows = &launch->band->rows[i];
        amp_priv_replica *const replica = amp_priv_band_replica(launch, head, rows);
        if (!replica)
            return amp_priv_failed();
        for (int n = 0; n < rows->count; n++) {
            amp_priv_region region;
            if (head->source->directory.valid_in_all & amp_priv_bit(number) && !head->source->directory.divided)
                break;
            amp_priv_region_of_rows(head, rows->used[n].lo, rows->used[n].hi, &region);
            const amp_status status = amp_priv_acquire_for(head->source, &region, number, launch->queue, AMP_PRIV_READ,
                                                           AMP_PRIV_READ, &changes->pieces);
            if (status != AMP_OK)
                return status;
        }
    }
    return AMP_OK;
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

/* Before a band writes: the directory is divided at the ends of what it writes (grant: it has). */
AMP_PRIV_WARM amp_status amp_priv_band_written(const amp_priv_launch *launch, amp_priv_changes *changes, bool grant)
{
    const int number = launch->queue->device->number;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_band_rows *const rows = &launch->band->rows[i];
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        amp_status status = AMP_OK;
        for (int n = 0; head && n < rows->written_count && status == AMP_OK; n++) {
            amp_priv_region region;
            amp_priv_region_of_rows(head, rows->written[n].lo, rows->written[n].hi, &region);
            if (!grant)
                status = amp_priv_region_reserve(head->source, &region, number, AMP_PRIV_READ_WRITE);
            else if (amp_priv_region_grant(head->source, &region, number, AMP_PRIV_READ_WRITE))
                changes->pieces = true;
        }
        if (status != AMP_OK)
            return status;
    }
    return AMP_OK;
}

/* What a band writes is not known: it runs, and others of its launch never will, or in part. */
AMP_PRIV_COLD void amp_priv_band_invalidate(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_band_rows *const rows = &launch->band->rows[i];
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        for (int n = 0; head && n < rows->written_count; n++) {
            const amp_priv_shape shape = amp_priv_shape_of_rows(head, rows->written[n].lo, rows->written[n].hi);
            amp_priv_invalidate(head->source, &shape, ~UINT32_C(0));
        }
    }
}

/* After the bands were submitted, `submitted` of them; the others failed: notes the kernels and what they write, and
   unlocks. */
AMP_PRIV_WARM void amp_priv_bands_end(amp_priv_launch *launches, int count, int submitted, amp_priv_sources *sources)
{
    for (int b = 0; b < count; b++) {
        amp_priv_launch *const launch = &launches[b];
        if (b >= submitted && !launch->partly)
            continue;
        const uint64_t number = amp_priv_queue_next_sequence(launch->queue);
        for (int n = 0; n < sources->count; n++)
            amp_priv_access_add(sources->source[n]->replica[launch->queue->device->number], launch->queue, number,
                                sources->written[n]);
        if (submitted == count)
            (void)amp_priv_band_written(launch, &sources->changes, true);
        else
            amp_priv_band_invalidate(launch);
    }
    if (sources->changes.pieces)
        amp_priv_launch_unify(&launches[0]);
    for (int n = 0; n < sources->count; n++) {
        if (sources->source[n]->directory.divided)
            amp_priv_directory_merge(&sources->source[n]->directory);
        amp_priv_source_unlock(sources->source[n]);
    }
}

/* Before the bands of a launch are submitted: each device has what its band uses, and what the band does comes after
   what others do with it. `sources` stay locked until amp_priv_bands_end. On failure: reported, unlocked, contents as
   before. */
AMP_PRIV_WARM amp_status amp_priv_bands_begin(amp_priv_launch *launches, int count, amp_priv_sources *sources)
{
    amp_status status = AMP_OK;
    amp_priv_launch_sources(&launches[0], sources);
    for (int n = 0; n < sources->count; n++)
        amp_priv_lock(&sources->source[n]->lock);
    for (int n = 0; n < sources->count; n++)
        amp_priv_source_trim(sources->source[n]);
    for (int b = 0; b < count && status == AMP_OK; b++) {
        launches[b].shared_sources = launches[0].shared_sources;
        status = amp_priv_band_acquire(&launches[b], &sources->changes);
    }
    for (int b = 0; b < count && status == AMP_OK; b++) {
        amp_priv_band_buffers(&launches[b]);
        status = amp_priv_band_written(&launches[b], &sources->changes, false);
    }
    for (int b = 0; b < count; b++)
        for (int n = 0; n < sources->count && status == AMP_OK; n++)
            status = amp_priv_access_begin(sources->source[n], launches[b].queue, sources->written[n]);
    /* Once more: what was waited for meanwhile is not noted any longer. */
    for (int b = 0; b < count; b++)
        for (int n = 0; n < sources->count && status == AMP_OK; n++)
            status = amp_priv_access_reserve(sources->source[n]->replica[launches[b].queue->device->number],
                                             launches[b].queue);
    if (status != AMP_OK)
        amp_priv_bands_end(launches, count, 0, sources);
    return status;
}

#endif /* AMP_GROUP_BAND_MEMORY_H */
