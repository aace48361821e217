/* SPDX-License-Identifier: MIT */
/*  amp/group/stream_memory.h - the views of a launch on a streamed view: their rows pass through buffers of a device

    The host has the data. A band's rows go to one of a few buffers, and what the band writes comes back from there.

    Contents (search for the tag):
        >>layout  >>buffers  >>rows  >>sources */
#ifndef AMP_GROUP_STREAM_MEMORY_H
#define AMP_GROUP_STREAM_MEMORY_H

#include "band_memory.h"

/* // >>layout */

/* Which views of a launch are in one buffer: those of one source of which a band uses common bytes. */
typedef struct amp_priv_stream_layout {
    int parts;                            /* bands that are on the device at a time */
    int area[AMP_PRIV_MAX_CAPTURES];      /* of each captured view: the first view in its buffer */
    size_t unit[AMP_PRIV_MAX_CAPTURES];   /* of an area: it begins at a multiple of this */
    size_t bytes[AMP_PRIV_MAX_CAPTURES];  /* of an area: 0 where it is no first view */
    bool resident[AMP_PRIV_MAX_CAPTURES]; /* all bands read the same rows: they are copied once */
    size_t all;                           /* bytes of the device's memory */
} amp_priv_stream_layout;

/* The bytes of a source that a band uses through one view, up to before *end. */
AMP_PRIV_COLD void amp_priv_band_span(const amp_priv_head *head, const amp_priv_band_rows *rows, size_t *first,
                                      size_t *end)
{
    *first = *end = 0;
    if (rows->count == 0)
        return;
    const amp_priv_shape shape = amp_priv_shape_of_rows(head, rows->used[0].lo, rows->used[rows->count - 1].hi);
    *first = (size_t)(shape.data - head->source->base.data);
    *end = *first + amp_priv_shape_span(&shape) * shape.element_size;
}

/* The bytes that a band uses of an area. */
AMP_PRIV_COLD void amp_priv_stream_span(const amp_priv_launch *launch, const amp_priv_stream_layout *layout,
                                        const amp_priv_band *band, int area, size_t *first, size_t *end)
{
    *first = SIZE_MAX;
    *end = 0;
    for (int i = area; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        size_t from, to;
        if (!head || layout->area[i] != area)
            continue;
        amp_priv_band_span(head, &band->rows[i], &from, &to);
        if (from < to) {
            *first = from < *first ? from : *first;
            *end = to > *end ? to : *end;
        }
    }
    *first = *end == 0 ? 0 : *first / layout->unit[area] * layout->unit[area];
}

/* Do two views have bytes in common that one band uses? */
AMP_PRIV_COLD bool amp_priv_stream_shares(const amp_priv_head *a, const amp_priv_head *b, const amp_priv_band *bands,
                                          int count, int i, int j)
{
    for (int n = 0; n < count && a->source == b->source; n++) {
        size_t first, end, other, last;
        amp_priv_band_span(a, &bands[n].rows[i], &first, &end);
        amp_priv_band_span(b, &bands[n].rows[j], &other, &last);
        if (first < last && other < end)
            return true;
    }
    return false;
}

/* View i joins the area of an earlier one, and takes that one's area along. */
AMP_PRIV_COLD void amp_priv_stream_join(amp_priv_stream_layout *layout, int i, int j)
{
    const int kept = layout->area[j] < layout->area[i] ? layout->area[j] : layout->area[i];
    const int gone = layout->area[j] < layout->area[i] ? layout->area[i] : layout->area[j];
    for (int k = 0; k <= i; k++)
        if (layout->area[k] == gone)
            layout->area[k] = kept;
}

/* Is what the bands use of an area the same, and only read? */
AMP_PRIV_COLD bool amp_priv_stream_is_resident(const amp_priv_launch *launch, const amp_priv_stream_layout *layout,
                                               const amp_priv_band *bands, int count, int area)
{
    size_t first, end, other, last;
    amp_priv_stream_span(launch, layout, &bands[0], area, &first, &end);
    for (int n = 0; n < count; n++) {
        amp_priv_stream_span(launch, layout, &bands[n], area, &other, &last);
        if (other != first || last != end)
            return false;
        for (int i = area; i < launch->site->capture_count; i++)
            if (layout->area[i] == area && bands[n].rows[i].written_count > 0)
                return false;
    }
    return count > 1;
}

/* How the views of a launch in bands are placed in the device's memory. */
AMP_PRIV_COLD void amp_priv_stream_layout_of(amp_priv_stream_layout *layout, const amp_priv_launch *launch,
                                             const amp_priv_band *bands, int count)
{
    const int captures = launch->site->capture_count;
    memset(layout, 0, sizeof *layout);
    layout->parts = count < AMP_PRIV_STREAM_PARTS ? count : AMP_PRIV_STREAM_PARTS;
    for (int i = 0; i < captures; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        layout->area[i] = i;
        for (int j = 0; j < i && head; j++) {
            const amp_priv_head *const other = amp_priv_launch_head(launch, j);
            if (other && amp_priv_stream_shares(head, other, bands, count, i, j))
                amp_priv_stream_join(layout, i, j);
        }
    }
    for (int i = 0; i < captures; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || layout->area[i] != i)
            continue;
        layout->unit[i] = amp_priv_part_unit(launch, head->source);
        for (int n = 0; n < count; n++) {
            size_t first, end;
            amp_priv_stream_span(launch, layout, &bands[n], i, &first, &end);
            layout->bytes[i] = end - first > layout->bytes[i] ? end - first : layout->bytes[i];
        }
        layout->bytes[i] += layout->bytes[i] == 0; /* a kernel wants a buffer for each view */
        layout->resident[i] = amp_priv_stream_is_resident(launch, layout, bands, count, i);
        layout->all += layout->bytes[i] * (layout->resident[i] ? 1 : (size_t)layout->parts);
    }
}

#if AMP_PRIV_HAS_OTHERS
/* // >>buffers */

/* A launch on a streamed view. */
typedef struct amp_priv_streaming {
    amp_priv_stream *stream;
    const amp_priv_launch *launch;
    const amp_priv_stream_layout *layout;
    const amp_priv_band *bands;
    amp_priv_bands_use uses;
    int count;
    bool fresh[AMP_PRIV_MAX_CAPTURES];                                   /* discarded: it is not copied to the device */
    amp_priv_replica part[AMP_PRIV_STREAM_PARTS][AMP_PRIV_MAX_CAPTURES]; /* of each area */
    void *done[AMP_PRIV_STREAM_PARTS];                                   /* events: a band's kernel has finished */

    amp_priv_mutex lock; /* for what follows, between the launching thread and the one that copies results back */
    amp_priv_condition changed;
    int submitted, returned; /* bands */
    bool torn;               /* one more was submitted in part */
    bool closing, ended;     /* no more are submitted; the thread is at its end */
    amp_status status;       /* of copying back */
    char message[512];
} amp_priv_streaming;

/* Buffers that the view has kept are used again where they are large enough. */
AMP_PRIV_COLD amp_status amp_priv_stream_buffer(amp_priv_stream *stream, amp_priv_device *device, int part, int area,
                                                size_t bytes)
{
    void **const buffer = &stream->buffer[part][area];
    if (stream->held[part][area] >= bytes)
        return AMP_OK;
    if (*buffer)
        amp_priv_buffer_close(device, *buffer);
    *buffer = NULL;
    stream->held[part][area] = 0;
    const amp_status status = amp_priv_buffer_open(device, bytes, NULL, buffer);
    if (status == AMP_OK)
        stream->held[part][area] = bytes;
    return status;
}

/* Opens the buffers of a launch. Those of the launch before are closed where both together are too much. */
AMP_PRIV_COLD amp_status amp_priv_stream_open(amp_priv_streaming *s)
{
    amp_priv_stream *const stream = s->stream;
    amp_priv_device *const device = stream->upload->device;
    size_t all = 0;
    for (int part = 0; part < AMP_PRIV_STREAM_PARTS; part++)
        for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++) {
            const bool used = part < (s->layout->resident[i] ? 1 : s->layout->parts);
            const size_t wanted = used ? s->layout->bytes[i] : 0, held = stream->held[part][i];
            all += wanted > held ? wanted : held;
        }
    if (all > stream->bytes)
        amp_priv_stream_close(stream);
    for (int part = 0; part < s->layout->parts; part++)
        for (int i = 0; i < s->launch->site->capture_count; i++) {
            if (s->layout->bytes[i] == 0 || (part > 0 && s->layout->resident[i]))
                continue;
            const amp_status status = amp_priv_stream_buffer(stream, device, part, i, s->layout->bytes[i]);
            if (status != AMP_OK)
                return status;
        }
    return AMP_OK;
}

/* // >>rows */

/* The buffer for a band's rows of an area. */
AMP_PRIV_COLD amp_priv_replica *amp_priv_stream_part(amp_priv_streaming *s, int band, int area)
{
    return &s->part[s->layout->resident[area] ? 0 : band % AMP_PRIV_STREAM_PARTS][area];
}

/* Makes the buffers the places of a band's rows. */
AMP_PRIV_COLD void amp_priv_stream_place(amp_priv_streaming *s, int band)
{
    for (int i = 0; i < s->launch->site->capture_count; i++) {
        if (s->layout->bytes[i] == 0 || (band > 0 && s->layout->resident[i]))
            continue;
        const int part = s->layout->resident[i] ? 0 : band % AMP_PRIV_STREAM_PARTS;
        size_t first, end;
        amp_priv_stream_span(s->launch, s->layout, &s->bands[band], i, &first, &end);
        amp_priv_pin_end(&s->part[part][i].pin);
        s->part[part][i] = (amp_priv_replica){ .device = s->stream->upload->device,
                                               .buffer = s->stream->buffer[part][i],
                                               .first = first,
                                               .bytes = end - first };
    }
}

/* Copies rows of a view to a band's buffer, or back. */
AMP_PRIV_COLD amp_status amp_priv_stream_rows(amp_priv_streaming *s, int band, int i, bool to_device)
{
    const amp_priv_head *const head = amp_priv_launch_head(s->launch, i);
    const amp_priv_band_rows *const rows = &s->bands[band].rows[i];
    amp_priv_replica *const part = amp_priv_stream_part(s, band, s->layout->area[i]);
    const int pieces = to_device ? rows->count : rows->written_count;
    const amp_priv_row_range *const range = to_device ? rows->used : rows->written;
    amp_priv_queue *const queue = to_device ? s->stream->upload : s->stream->download;
    amp_status status = AMP_OK;
    for (int n = 0; n < pieces && status == AMP_OK; n++) {
        const amp_priv_shape shape = amp_priv_shape_of_rows(head, range[n].lo, range[n].hi);
        if (amp_priv_shape_size(&shape) > 0)
            status = amp_priv_move(head->source, part, queue, &shape, head->source->base.data, head->source, to_device);
    }
    return status;
}

/* Brings to the device what a band uses. */
AMP_PRIV_COLD amp_status amp_priv_stream_upload(amp_priv_streaming *s, int band)
{
    amp_status status = AMP_OK;
    amp_priv_stream_place(s, band);
    for (int i = 0; i < s->launch->site->capture_count && status == AMP_OK; i++)
        if (amp_priv_launch_head(s->launch, i) && !s->fresh[i] &&
            (band == 0 || !s->layout->resident[s->layout->area[i]]))
            status = amp_priv_stream_rows(s, band, i, true);
    return status;
}

/* Brings what a band wrote to the host. */
AMP_PRIV_COLD amp_status amp_priv_stream_download(amp_priv_streaming *s, int band)
{
    amp_status status = AMP_OK;
    for (int i = 0; i < s->launch->site->capture_count && status == AMP_OK; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(s->launch, i);
        if (!head || s->bands[band].rows[i].written_count == 0)
            continue;
        amp_priv_write_check_home_begin(head->source);
        status = amp_priv_stream_rows(s, band, i, false);
        amp_priv_write_check_home_end(head->source);
    }
    return status;
}

/* // >>sources */

/* Is all of a view discarded? */
AMP_PRIV_COLD bool amp_priv_stream_is_fresh(const amp_priv_head *head)
{
    const amp_priv_directory *const directory = &head->source->directory;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_region region;
    amp_priv_box common;
    amp_priv_region_of(&head->source->base, &shape, &region);
    for (int i = 0; i < directory->count; i++)
        for (int b = 0; b < region.count; b++)
            if (!directory->blocks[i].discarded &&
                amp_priv_box_meet(&directory->blocks[i].box, &region.boxes[b], directory->rank, &common))
                return false;
    return directory->discarded;
}

/* Registers the host memory of a source, so that it moves at the bus's speed, where that pays: it is about to move as a
   whole. */
AMP_PRIV_COLD void amp_priv_stream_pin(amp_priv_source *source, amp_priv_device *device)
{
    const amp_transfer_counters moved = amp_priv_counters_of(&source->counters);
    if (device->backend->device.pin && source->staged.count == 0 && !amp_priv_pin_of(source, device) &&
        amp_priv_pin_pays(source, source->bytes + moved.bytes_to_device + moved.bytes_to_host))
        amp_priv_pin_begin(&source->staged, device, source->base.data, source->bytes);
}

/* Brings the data of a launch to the host. */
AMP_PRIV_COLD amp_status amp_priv_stream_acquire(const amp_priv_launch *launch)
{
    amp_priv_recorder *const recorder = amp_priv_recording_here;
    amp_status status = AMP_OK;
    amp_priv_recording_here = NULL; /* it is not the program that asks for them */
    for (int i = 0; i < launch->site->capture_count && status == AMP_OK; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        status = amp_priv_acquire_host(head->source, &shape,
                                       head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE);
    }
    amp_priv_recording_here = recorder;
    return status;
}

/* Before a launch on a streamed view: the host has its data, and the launch has the stream. The sources stay locked
   until amp_priv_stream_end. On failure: reported, unlocked, contents as before. */
AMP_PRIV_COLD amp_status amp_priv_stream_begin(amp_priv_streaming *s, amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_bands_uses(list, launch, &s->uses, s->count);
    amp_priv_uses_lock(list);
    amp_priv_uses_trim(list);
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        s->fresh[i] = head && amp_priv_stream_is_fresh(head);
    }
    amp_status status = amp_priv_stream_acquire(launch);
    amp_priv_lock(&s->stream->lock);
    if (status == AMP_OK)
        status = amp_priv_stream_open(s);
    for (int n = 0; n < list->count && status == AMP_OK; n++)
        amp_priv_stream_pin(list->source[n].source, s->stream->upload->device);
    if (status == AMP_OK)
        return AMP_OK;
    amp_priv_unlock(&s->stream->lock);
    amp_priv_uses_abort(list);
    return status;
}

/* After it: what bands wrote is not known where some of them failed. Unlocks. */
AMP_PRIV_COLD void amp_priv_stream_end(amp_priv_streaming *s, amp_status status, amp_priv_use_list *list)
{
    if (status != AMP_OK)
        amp_priv_queue_idle(s->launch->queue); /* the buffers are used again */
    for (int part = 0; part < AMP_PRIV_STREAM_PARTS; part++) {
        amp_priv_event_release(s->launch->queue->device, s->done[part]);
        for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++)
            amp_priv_pin_end(&s->part[part][i].pin);
    }
    amp_priv_unlock(&s->stream->lock);
    amp_priv_uses_commit(list, s->submitted + s->torn, status == AMP_OK);
}

#endif /* AMP_PRIV_HAS_OTHERS */

#endif /* AMP_GROUP_STREAM_MEMORY_H */
