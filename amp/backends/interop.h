/* SPDX-License-Identifier: MIT */
/*  amp/backends/interop.h - functions that the interop with OpenCL and with CUDA share

    Contents (search for the tag):
        >>get  >>array */
#ifndef AMP_BACKENDS_INTEROP_H
#define AMP_BACKENDS_INTEROP_H

#include "../memory/copy_async.h"

/* // >>get */

/* Is it this backend's? Not by the table's address: every translation unit has its own. */
static inline bool amp_priv_is_of_backend(const amp_priv_device *device, const amp_priv_backend *table)
{
    return !strcmp(device->backend->name, table->name);
}

/* The device, if it is this backend's and not removed; else NULL after reporting. */
AMP_PRIV_COLD amp_priv_device *amp_priv_interop_device(amp_priv_device *device, const amp_priv_backend *table,
                                                       const char *call)
{
    if (amp_priv_is_of_backend(device, table))
        return amp_priv_device_check_alive(device, call) ? device : NULL;
    amp_priv_report(
        AMP_RUNTIME_ERROR,
        "%s: %s (%s) is not a device of %s; use an accelerator view of one (amp_accelerator_get_all lists them)", call,
        device->path, device->description, table->name);
    return NULL;
}

/* The same of a view's device. */
AMP_PRIV_COLD amp_priv_device *amp_priv_interop_view(amp_accelerator_view view, const amp_priv_backend *table,
                                                     const char *call)
{
    const amp_priv_queue *const queue = amp_priv_view_ours(view, call) ? amp_priv_queue_of(view) : NULL;
    return queue ? amp_priv_interop_device(queue->device, table, call) : NULL;
}

/* The source of an array on such a device; NULL after reporting. */
AMP_PRIV_COLD amp_priv_source *amp_priv_interop_source(const amp_priv_head *head, const amp_priv_backend *table,
                                                       const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return NULL;
    if (head->source->is_staging) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: this is a staging array, which lives on the host; give one on a device of %s's", call,
                        table->name);
        return NULL;
    }
    return amp_priv_interop_device(head->source->queue->device, table, call) ? head->source : NULL;
}

/* The buffer behind an array, with its newest contents, to be read and written; NULL after reporting. */
AMP_PRIV_COLD void *amp_priv_interop_buffer(const amp_priv_head *head, const amp_priv_backend *table, const char *call)
{
    amp_priv_source *const source = amp_priv_interop_source(head, table, call);
    if (!source)
        return NULL;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    void *buffer = NULL;
    amp_priv_source_lock(source);
    if (amp_priv_acquire_device(source, &shape, source->queue, AMP_PRIV_READ_WRITE) == AMP_OK) {
        buffer = source->replica[source->owner]->buffer;
        source->replica[source->owner]->externally_visible = true;
    }
    amp_priv_source_unlock(source);
    return buffer;
}

/* From now on, the array's own queue stands for the user's, whose commands end with this event of the backend's. */
AMP_PRIV_COLD amp_status amp_priv_interop_after(amp_priv_source *source, void *event)
{
    amp_priv_source_lock(source);
    amp_priv_replica *const replica = source->replica[source->owner];
    amp_status status = amp_priv_access_reserve(replica, source->queue);
    if (status == AMP_OK)
        status = amp_priv_queue_wait_event(source->queue, event);
    if (status == AMP_OK)
        amp_priv_access_add(replica, source->queue, amp_priv_queue_next_sequence(source->queue), true);
    amp_priv_source_unlock(source);
    return status;
}

/* // >>array */

/* Is that an extent for an array? Reports what is wrong. */
AMP_PRIV_COLD bool amp_priv_interop_extent(const char *call, const amp_priv_element *element, int rank,
                                           const amp_priv_argument *extents, int *extent)
{
    return amp_priv_same_build() && amp_priv_components(call, "the extent", rank, extents, extent) &&
           amp_priv_extent_good(call, element, rank, extent);
}

/* An array on a buffer of the user's, which has so many bytes there. It stays theirs, or (borrowed is false) the
   backend has a reference to it, and gives that up when it closes the buffer. */
AMP_PRIV_COLD void *amp_priv_interop_array(void *out, const char *call, const amp_priv_element *element, int rank,
                                           const int *extent, amp_priv_queue *queue, void *buffer, size_t bytes,
                                           bool borrowed)
{
    amp_priv_device *const device = queue->device;
    amp_priv_source *const source = amp_priv_array_source(call, element, rank, extent, queue, AMP_ACCESS_AUTO, NULL);
    const bool fits = source && bytes >= source->bytes;
    if (source && !fits)
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: that memory has %zu bytes, but the extent needs %zu on %s; use a smaller extent, or memory "
            "of this device",
            call, bytes, source->bytes, device->path);
    if (!fits || !amp_priv_replica_add(source, device->number, buffer)) {
        if (!borrowed)
            amp_priv_buffer_close(device, buffer);
        if (source)
            amp_priv_source_release(source);
        return out;
    }
    amp_priv_contents_of_owner(source);
    source->replica[device->number]->externally_visible = true;
    source->replica[device->number]->borrowed = borrowed;
    amp_priv_write_check_unwritten(source, false);
    atomic_store_explicit(&source->cached, source->directory.valid_in_any, memory_order_relaxed);
    const amp_priv_shape shape = amp_priv_dense(source->base.data, element->size, rank, extent);
    amp_priv_fill(out, source, element, AMP_PRIV_ARRAY, AMP_PRIV_FIRST_REFERENCE, &shape);
    return out;
}

#endif /* AMP_BACKENDS_INTEROP_H */
