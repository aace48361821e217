/* SPDX-License-Identifier: MIT */
/*  amp/memory/array.h - the functions behind the macros of arrays */
#ifndef AMP_MEMORY_ARRAY_H
#define AMP_MEMORY_ARRAY_H

#include "array_view.h"

/* The source of an array that lives on the queue's device, without a buffer there as yet; NULL after reporting. */
AMP_PRIV_NOINLINE amp_priv_source *amp_priv_array_source(const char *call, const amp_priv_element *element, int rank,
                                                         const int *extent, amp_priv_queue *queue,
                                                         amp_access_type access, const amp_accelerator_view *associated)
{
    amp_priv_device *const device = queue->device;
    amp_priv_source *const source = amp_priv_source_new(call, NULL, element->size, rank, extent);
    if (!source)
        return NULL;
    source->is_array = true;
    source->owner = device->number;
    source->cpu_access = access == AMP_ACCESS_AUTO ? amp_priv_device_cpu_access(device) : access;
    source->is_staging = associated && amp_priv_is_host(device->number);
    source->queue = queue;
    amp_priv_queue_retain(queue);
    source->associated = source->is_staging ? amp_priv_queue_of(*associated) : queue;
    if (!source->associated) {
        amp_priv_source_release(source);
        return NULL;
    }
    amp_priv_queue_retain(source->associated);
    return source;
}

AMP_PRIV_API void *amp_priv_array_create(void *out, const char *call_format, const amp_priv_element *element, int rank,
                                         const int *extent, amp_accelerator_view view, amp_access_type access,
                                         const amp_accelerator_view *associated)
{
    char text[AMP_PRIV_CALL_SIZE];
    if (!amp_priv_same_build() || !amp_priv_extent_good(call_format, element, rank, extent))
        return out;
    const char *const call = amp_priv_call_text(text, call_format, element, rank);
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    if (!queue)
        return out;
    amp_priv_device *const device = queue->device;
    if (amp_priv_queue_usable(queue, call) != AMP_OK || amp_priv_access_check(call, access) != AMP_OK ||
        (associated && !amp_priv_view_ours(*associated, call)))
        return out;
    if (access != AMP_ACCESS_AUTO && access != AMP_ACCESS_NONE && !device->shares_host) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: CPU access %d on %s (%s), which does not share the host's memory; use AMP_ACCESS_AUTO or "
                        "AMP_ACCESS_NONE, "
                        "and views or copies to get at the contents",
                        call, (int)access, device->path, device->description);
        return out;
    }
    amp_priv_source *const source = amp_priv_array_source(call, element, rank, extent, queue, access, associated);
    if (!source)
        return out;
    if (!amp_priv_array_contents(source)) {
        amp_priv_source_release(source);
        return out;
    }
    const amp_priv_shape shape = amp_priv_dense(source->base.data, element->size, rank, extent);
    amp_priv_fill(out, source, element, AMP_PRIV_ARRAY, AMP_PRIV_FIRST_REFERENCE, &shape);
    return out;
}

AMP_PRIV_API void *amp_priv_array_scoped(void *out, const char *call_format, const amp_priv_element *element, int rank,
                                         const amp_priv_argument *extents, amp_accelerator_view view)
{
    int extent[AMP_MAX_RANK];
    if (!amp_priv_components(call_format, "the extent", rank, extents, extent))
        return out;
    return amp_priv_array_create(out, call_format, element, rank, extent, view, AMP_ACCESS_AUTO, NULL);
}

AMP_PRIV_API amp_accelerator_view amp_priv_array_view(const amp_priv_head *head, const char *call, bool associated)
{
    if (!amp_priv_head_ready(head, call))
        return (amp_accelerator_view){ NULL };
    return (amp_accelerator_view){ associated ? head->source->associated : head->source->queue };
}

AMP_PRIV_API amp_access_type amp_priv_array_access(const amp_priv_head *head)
{
    return amp_priv_head_ready(head, "amp_array_cpu_access_type") ? head->source->cpu_access : AMP_ACCESS_NONE;
}

AMP_PRIV_API bool amp_priv_view_valid(const amp_priv_head *head) { return amp_priv_head_is_live(head); }

AMP_PRIV_API amp_transfer_counters amp_priv_source_counters(const amp_priv_head *head)
{
    if (!amp_priv_head_ready(head, "amp_source_counters"))
        return (amp_transfer_counters){ 0, 0, 0, 0, 0, 0 };
    return amp_priv_counters_of(&head->source->counters);
}

AMP_PRIV_API void amp_priv_source_counters_reset(const amp_priv_head *head)
{
    if (amp_priv_head_ready(head, "amp_source_counters_reset"))
        amp_priv_counters_reset(&head->source->counters);
}

AMP_PRIV_API amp_transfer_counters amp_total_counters(void) { return amp_priv_counters_of(&amp_priv_total); }

AMP_PRIV_API void amp_total_counters_reset(void) { amp_priv_counters_reset(&amp_priv_total); }

#endif /* AMP_MEMORY_ARRAY_H */
