/* SPDX-License-Identifier: MIT */
/*  amp/launch/kernel_arguments.h - sets the arguments of a launch that differ from the kernel's last ones

    Contents (search for the tag):
        >>arguments  >>repeat */
#ifndef AMP_LAUNCH_KERNEL_ARGUMENTS_H
#define AMP_LAUNCH_KERNEL_ARGUMENTS_H

#include "../memory/band.h"
#include "launch_geometry.h"

/* // >>arguments: the kernel's list of parameters, set where they differ from what the kernel has. */

/* How many elements behind a view's first one its last one is. */
AMP_PRIV_WARM_PART amp_priv_offset amp_priv_view_last(const amp_priv_head *head)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    amp_priv_offset last = 0;
    for (int d = 0; d < head->rank; d++)
        last += (extent[d] - 1) * stride[d];
    return last < 0 ? 0 : last; /* a view of nothing has no last element */
}

/* Has the device variants for views that do not overlap? */
static inline bool amp_priv_uses_no_alias(const amp_priv_device *device)
{
    return !device->rows_are_vectors || device->threads_per_item;
}

/* Does the view overlap none of the other captured ones, of which one of the two is written? Buffers are apart, but
   where they are the host's memory. */
AMP_PRIV_WARM_PART bool amp_priv_view_no_alias(const amp_priv_launch *launch, int view, const size_t *bytes)
{
    const bool shares_host = launch->queue->device->shares_host;
    const bool is_const = ((const amp_priv_head *)launch->captured[view])->kind == AMP_PRIV_CONST_VIEW;
    const char *const begin = amp_priv_head_data(launch->captured[view]);
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (i == view || launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW ||
            (is_const && ((const amp_priv_head *)launch->captured[i])->kind == AMP_PRIV_CONST_VIEW))
            continue;
        const char *const other = amp_priv_head_data(launch->captured[i]);
        if ((launch->buffer[i] == launch->buffer[view] || shares_host) && begin < other + bytes[i] &&
            other < begin + bytes[view])
            return false;
    }
    return true;
}

/* Do all views that the kernel may write overlap no other? bytes: from the first element of each to its last one. */
AMP_PRIV_WARM_PART bool amp_priv_launch_no_alias(const amp_priv_launch *launch, const size_t *bytes)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW &&
            ((const amp_priv_head *)launch->captured[i])->kind != AMP_PRIV_CONST_VIEW &&
            !amp_priv_view_no_alias(launch, i, bytes))
            return false;
    return true;
}

/* Where the views of a launch begin in their buffers, and the variant of the program which that takes. */
AMP_PRIV_WARM_PART amp_status amp_priv_launch_offsets(const amp_priv_launch *launch, amp_priv_launch_values *values,
                                                      unsigned *variant)
{
    const amp_priv_launch_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    size_t bytes[AMP_PRIV_MAX_CAPTURES];
    amp_priv_offset any = 0, greatest = 0;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const ptrdiff_t begin = amp_priv_head_data(head) - launch->host[i], size = (ptrdiff_t)head->element->size;
        const amp_priv_offset offset = begin / size, last = amp_priv_view_last(head);
        if (__builtin_expect(offset * size != begin, 0))
            return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                        "%s%s starts in the middle of an element of its type; take sections so "
                                        "that they start at multiples of it",
                                        amp_priv_capture_noun(site, i, "the view "), amp_priv_capture_shown(site, i));
        values->offset[i] = offset;
        any |= offset;
        greatest = offset + last > greatest ? offset + last : greatest;
        if (offset < 0) /* the device has the rows of a band, which begin behind the view's first */
            greatest = last > greatest ? last : greatest;
        bytes[i] = (size_t)((last + 1) * size);
    }
    *variant = greatest > INT_MAX ? AMP_PRIV_OFFSETS64 : 0;
    if (any)
        *variant |= AMP_PRIV_BASE_OFFSET;
    if (amp_priv_uses_no_alias(device) && amp_priv_launch_no_alias(launch, bytes))
        *variant |= AMP_PRIV_NO_ALIAS;
    if (launch->band)
        *variant |= AMP_PRIV_BAND; /* images have all of a view, and a band's device not */
    else if (atomic_load(&amp_priv_texture_units_used) && device->samples_images &&
             atomic_load(&amp_priv_texture_units_used)->images(launch, values, bytes))
        *variant |= AMP_PRIV_IMAGES;
    return AMP_OK;
}

/* Most values have these sizes, and to call memcmp takes longer than to compare them. */
static inline bool amp_priv_set_same(const void *kept, const void *value, size_t size)
{
    uint64_t a, b;
    uint32_t narrow_a, narrow_b;
    if (size == sizeof a)
        return memcpy(&a, kept, sizeof a), memcpy(&b, value, sizeof b), a == b;
    if (size != sizeof narrow_a)
        return memcmp(kept, value, size) == 0;
    memcpy(&narrow_a, kept, sizeof narrow_a);
    memcpy(&narrow_b, value, sizeof narrow_b);
    return narrow_a == narrow_b;
}

/* An offset, as wide as the parameter is. */
typedef union amp_priv_offset_value {
    int64_t wide;
    int32_t narrow;
} amp_priv_offset_value;

static inline const void *amp_priv_offset_to_set(amp_priv_offset_value *value, amp_priv_offset offset, size_t size)
{
    if (size == sizeof value->wide)
        value->wide = offset;
    else
        value->narrow = (int32_t)offset;
    return value;
}

/* Sets what of the arguments differs. */
AMP_PRIV_WARM_PART amp_priv_kernel_arguments amp_priv_set_all(amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                              const amp_priv_launch_values *values, void *fault)
{
    static const uint64_t first = 0;
    const unsigned closed = atomic_load_explicit(&kernel->device->closed_buffers, memory_order_relaxed);
    const int count = kernel->parameters.count;
    int changed = 0;
    for (int i = 0; i < count; i++) {
        const amp_priv_parameter *const p = &kernel->parameters.of[i];
        amp_priv_offset_value offset;
        const void *value = &first; /* AMP_PRIV_PARAMETER_BASE */
        bool set = !kernel->set;
        switch (p->kind) {
        case AMP_PRIV_PARAMETER_EXTENT: value = &launch->extent[p->component]; break;
        case AMP_PRIV_PARAMETER_ORIGIN: value = &launch->band->origin; break;
        case AMP_PRIV_PARAMETER_BUFFER:
            value = &launch->buffer[p->capture];
            set = set || kernel->closed != closed;
            break;
        case AMP_PRIV_PARAMETER_START:
            value = amp_priv_offset_to_set(&offset, values->offset[p->capture], p->size);
            break;
        case AMP_PRIV_PARAMETER_STRIDE:
            value = amp_priv_offset_to_set(&offset, amp_priv_head_stride(launch->captured[p->capture])[p->component],
                                           p->size);
            break;
        case AMP_PRIV_PARAMETER_VIEW_EXTENT:
            value = &amp_priv_head_extent(launch->captured[p->capture])[p->component];
            break;
        case AMP_PRIV_PARAMETER_ROWS: value = &launch->band->rows[p->capture].reached[p->component]; break;
        case AMP_PRIV_PARAMETER_VALUE: value = launch->captured[p->capture]; break;
        case AMP_PRIV_PARAMETER_IMAGE:
            value = &values->image[p->component];
            set = set || kernel->closed != closed;
            break;
        case AMP_PRIV_PARAMETER_FAULT: value = &fault, set = true; break;
        default: break;
        }
        void *const kept = (void *)(uintptr_t)kernel->argument[i].value;
        if (set || !amp_priv_set_same(kept, value, p->size)) {
            kernel->changed[changed++] = (unsigned short)i;
            memcpy(kept, value, p->size);
        }
    }
    kernel->closed = closed;
    return (amp_priv_kernel_arguments){ kernel->argument, kernel->changed, count, changed };
}

/* // >>repeat
   A launch like the kernel's last one has its variant, its geometry and most of its arguments, which are not found out
   again: it is over the same extent, and its views have the extents and strides, and begin where those did in their
   buffers. Other buffers and other scalars are set. For three views this saves 40 ns, a tenth of the launch. */

/* Where the first index of a launch's kernel begins: that of a band; else -1, which no band has. */
static inline int amp_priv_launch_origin(const amp_priv_launch *launch)
{
    return __builtin_expect(launch->band != NULL, 0) ? launch->band->origin : -1;
}

/* True if aliasing cannot change the variant: all views are in distinct buffers, or AMP_PRIV_NO_ALIAS is not used. */
static inline bool amp_priv_launch_takes_any(const amp_priv_launch *launch)
{
    const amp_priv_device *const device = launch->queue->device;
    return !(launch->shared_sources || device->shares_host) || !amp_priv_uses_no_alias(device);
}

/* Does it sample views, on a device that may have images of them? Where there was no memory to find out, it may. */
AMP_PRIV_WARM_PART bool amp_priv_launch_samples(const amp_priv_launch *launch)
{
    const amp_priv_samplings *const samplings = atomic_load_explicit(&launch->site->samplings, memory_order_relaxed);
    return atomic_load(&amp_priv_texture_units_used) && launch->queue->device->samples_images &&
           (!samplings || samplings->count > 0);
}

/* After a launch: what the next one is compared with. Images are filled, and faults are found, at each. */
AMP_PRIV_WARM_PART void amp_priv_kernel_remember(amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                 const amp_priv_geometry *g, bool changes)
{
    const amp_priv_launch_site *const site = launch->site;
    kernel->repeats = kernel->set && !changes;
    if (!kernel->repeats)
        return;
    kernel->any_buffers = amp_priv_launch_takes_any(launch);
    kernel->geometry = *g;
    kernel->origin = amp_priv_launch_origin(launch);
    for (int d = 0; d < site->rank; d++)
        kernel->extent[d] = launch->extent[d];
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        amp_priv_kernel_capture *const last = &kernel->capture[i];
        if (!head)
            continue;
        last->buffer = launch->buffer[i];
        last->begin = amp_priv_head_data(head) - launch->host[i];
        for (int d = 0; d < head->rank; d++) {
            last->extent[d] = amp_priv_head_extent(head)[d];
            last->stride[d] = amp_priv_head_stride(head)[d];
        }
    }
}

/* Is a view as it was at the last launch, but for its buffer? The last stride is 1. */
static inline bool amp_priv_view_repeats(const amp_priv_kernel_capture *last, const amp_priv_head *head,
                                         const char *host)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    const int end = head->rank - 1;
    if (amp_priv_head_data(head) - host != last->begin || extent[end] != last->extent[end])
        return false;
    for (int d = 0; d < end; d++)
        if (extent[d] != last->extent[d] || stride[d] != last->stride[d])
            return false;
    return true;
}

/* Are all captures? kernel->changed gets the numbers of those whose buffer or value differs: *changed. */
static inline bool amp_priv_captures_repeat(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                            bool buffers_changed, int *changed)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        const amp_priv_kernel_capture *const last = &kernel->capture[i];
        bool same = true;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW) {
            same = launch->buffer[i] == last->buffer && !buffers_changed;
            if (!amp_priv_view_repeats(last, launch->captured[i], launch->host[i]) || !(same || kernel->any_buffers))
                return false;
        } else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT) {
            same = amp_priv_set_same(kernel->argument[last->argument].value, launch->captured[i], capture->size);
        }
        if (!same)
            kernel->changed[(*changed)++] = (unsigned short)i;
    }
    return true;
}

/* Is the launch like the kernel's last one? */
static inline bool amp_priv_kernel_repeats(amp_priv_kernel *kernel, const amp_priv_launch *launch, int *changed)
{
    const amp_priv_launch_site *const site = launch->site;
    const unsigned closed = atomic_load_explicit(&kernel->device->closed_buffers, memory_order_relaxed);
    if (!kernel->repeats || !kernel->set || kernel->any_buffers != amp_priv_launch_takes_any(launch) ||
        kernel->origin != amp_priv_launch_origin(launch))
        return false;
    for (int d = 0; d < site->rank; d++)
        if (launch->extent[d] != kernel->extent[d])
            return false;
    if (!amp_priv_captures_repeat(kernel, launch, kernel->closed != closed, changed))
        return false;
    kernel->closed = closed;
    return true;
}

/* Sets what differs then. */
AMP_PRIV_NOINLINE void amp_priv_set_changed(amp_priv_kernel *kernel, const amp_priv_launch *launch, int changed)
{
    for (int n = 0; n < changed; n++) {
        const int i = kernel->changed[n];
        amp_priv_kernel_capture *const last = &kernel->capture[i];
        const amp_priv_kernel_argument *const kept = &kernel->argument[last->argument];
        if (kept->is_buffer)
            memcpy((void *)(uintptr_t)kept->value, &launch->buffer[i], sizeof launch->buffer[i]);
        else
            memcpy((void *)(uintptr_t)kept->value, launch->captured[i], kept->size);
        last->buffer = launch->buffer[i];
        kernel->changed[n] = (unsigned short)last->argument;
    }
}

#endif /* AMP_LAUNCH_KERNEL_ARGUMENTS_H */
