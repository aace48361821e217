/* SPDX-License-Identifier: MIT */
/*  amp/launch/kernel_arguments.h - sets the arguments of a launch that differ from the kernel's last ones */
#ifndef AMP_LAUNCH_KERNEL_ARGUMENTS_H
#define AMP_LAUNCH_KERNEL_ARGUMENTS_H

#include "launch_geometry.h"

/* // >>arguments: set where they differ from what the kernel has, in the order of amp_priv_add_parameters. */

/* Views whose last element has a greater offset make the launch use 64-bit offsets. Smaller in tests of those. */
#ifndef AMP_PRIV_NARROW_LIMIT
#define AMP_PRIV_NARROW_LIMIT INT_MAX
#endif

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

/* The picture that a sampled view is in its buffer; false where its texels do not lie side by side. */
AMP_PRIV_COLD bool amp_priv_picture_of(amp_priv_picture *picture, const amp_priv_sampling *s, const amp_priv_head *head,
                                       amp_priv_offset offset)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    *picture =
        (amp_priv_picture){ .extent = { 1, 1, 1 }, .rank = head->rank, .channels = s->channels, .texels = s->texels };
    amp_priv_offset side_by_side = 1;
    for (int d = head->rank - 1; d >= 0; d--) {
        if (extent[d] < 1 || stride[d] != side_by_side)
            return false;
        picture->extent[head->rank - 1 - d] = (size_t)extent[d];
        side_by_side *= extent[d];
    }
    picture->offset = (size_t)offset * head->element->size;
    return true;
}

/* The image of what the kernel samples; NULL where it has to be read from the buffer: there is none, or the kernel may
   write there. */
AMP_PRIV_COLD void *amp_priv_launch_image(const amp_priv_launch *launch, const amp_priv_sampling *s,
                                          amp_priv_offset offset, const size_t *bytes)
{
    const amp_priv_head *const head = launch->captured[s->capture];
    amp_priv_replica *const replica = head->source->replica[launch->queue->device->number];
    amp_priv_picture picture;
    bool filled;
    if (!amp_priv_view_no_alias(launch, s->capture, bytes) || !amp_priv_picture_of(&picture, s, head, offset))
        return NULL;
    replica->changes += replica->externally_visible || launch->queue->device->shares_host;
    void *const image =
        amp_priv_image_of(&replica->images, launch->queue, replica->buffer, &picture, replica->changes, &filled);
    if (filled)
        amp_priv_access_add(replica, launch->queue, amp_priv_queue_next_sequence(launch->queue), false);
    return image;
}

/* Has launch->image what the kernel samples, all of it? Checked builds look at each access to a buffer; a recorded
   launch would have to fill images when it is replayed. */
AMP_PRIV_FOR_DEVICES bool amp_priv_launch_images(amp_priv_launch *launch, const amp_priv_offset *offsets,
                                                 const size_t *bytes)
{
    const amp_priv_samplings *const samplings = amp_priv_site_samplings(launch->site, launch->captured);
    bool all = samplings->count > 0 && !launch->recording;
#if defined(AMP_CHECKED)
    all = false;
#endif
    for (int i = 0; i < samplings->count && all; i++) {
        const amp_priv_sampling *const s = &samplings->of[i];
        launch->image[i] = amp_priv_launch_image(launch, s, offsets[s->capture], bytes);
        all = launch->image[i] != NULL;
    }
    return all;
}

/* Where the views of a launch begin in their buffers, in elements, and the variant of the program which that takes. */
AMP_PRIV_WARM_PART amp_status amp_priv_launch_offsets(amp_priv_launch *launch, amp_priv_offset *offsets,
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
                                        "the view %s starts in the middle of an element of its type; take sections so "
                                        "that they start at multiples of it",
                                        site->captures[i].name);
        offsets[i] = offset;
        any |= offset;
        greatest = offset + last > greatest ? offset + last : greatest;
        bytes[i] = (size_t)((last + 1) * size);
    }
    *variant = greatest > AMP_PRIV_NARROW_LIMIT ? AMP_PRIV_OFFSETS64 : 0;
    if (any)
        *variant |= AMP_PRIV_BASE_OFFSET;
    if (amp_priv_uses_no_alias(device) && amp_priv_launch_no_alias(launch, bytes))
        *variant |= AMP_PRIV_NO_ALIAS;
    if (device->samples_images && amp_priv_launch_images(launch, offsets, bytes))
        *variant |= AMP_PRIV_IMAGES;
    return AMP_OK;
}

/* The next argument, and how many were found to have changed. */
typedef struct amp_priv_setting {
    amp_priv_kernel *kernel;
    int index, changed;
    size_t used;
    bool all; /* take all of them for changed */
} amp_priv_setting;

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

AMP_PRIV_WARM_PART void amp_priv_set(amp_priv_setting *s, const void *value, size_t size, bool is_buffer, bool always)
{
    amp_priv_kernel *const kernel = s->kernel;
    unsigned char *const kept = kernel->values + s->used;
    if (s->all || always || !amp_priv_set_same(kept, value, size)) {
        kernel->argument[s->index] = (amp_priv_kernel_argument){ kept, (unsigned)size, is_buffer };
        kernel->changed[s->changed++] = (unsigned short)s->index;
        memcpy(kept, value, size);
    }
    s->index++;
    s->used += amp_priv_argument_bytes(size);
}

AMP_PRIV_WARM_PART void amp_priv_set_offset(amp_priv_setting *s, amp_priv_offset offset)
{
    const int64_t value = offset;
    const int32_t narrow = (int32_t)offset;
    if (s->kernel->variant & AMP_PRIV_OFFSETS64)
        amp_priv_set(s, &value, sizeof value, false, false);
    else
        amp_priv_set(s, &narrow, sizeof narrow, false, false);
}

AMP_PRIV_WARM_PART void amp_priv_set_view(amp_priv_setting *s, const amp_priv_head *head, void *buffer,
                                          amp_priv_offset offset, bool buffers_changed)
{
    amp_priv_set(s, &buffer, sizeof buffer, true, buffers_changed);
    if (s->kernel->variant & AMP_PRIV_BASE_OFFSET)
        amp_priv_set_offset(s, offset);
    for (int d = 0; d < head->rank - 1; d++)
        amp_priv_set_offset(s, amp_priv_head_stride(head)[d]);
    for (int d = 0; s->kernel->extents && d < head->rank; d++)
        amp_priv_set(s, &amp_priv_head_extent(head)[d], sizeof(int32_t), false, false);
}

/* What of the arguments differs. base_index: of the first leading index, for ranks above 3. */
AMP_PRIV_WARM_PART amp_priv_kernel_arguments amp_priv_set_all(amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                              const amp_priv_offset *offsets, void *fault,
                                                              int *base_index)
{
    const amp_priv_launch_site *const site = launch->site;
    const unsigned closed = atomic_load_explicit(&kernel->device->closed_buffers, memory_order_relaxed);
    amp_priv_setting s = { kernel, 0, 0, 0, !kernel->set };
    if (amp_priv_needs_domain(site, kernel->variant)) {
        for (int d = 0; d < site->rank; d++)
            amp_priv_set(&s, &launch->extent[d], sizeof(int32_t), false, false);
        const uint64_t base = 0;
        *base_index = s.index;
        if (site->rank > 3)
            amp_priv_set(&s, &base, sizeof base, false, false);
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        kernel->capture[i].argument = s.index;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW)
            amp_priv_set_view(&s, launch->captured[i], launch->buffer[i], offsets[i], kernel->closed != closed);
        else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT)
            amp_priv_set(&s, launch->captured[i], capture->size, false, false);
    }
    if (__builtin_expect((kernel->variant & AMP_PRIV_IMAGES) != 0, 0)) {
        const int images = atomic_load_explicit(&site->samplings, memory_order_relaxed)->count;
        for (int i = 0; i < images; i++)
            amp_priv_set(&s, &launch->image[i], sizeof launch->image[i], true, kernel->closed != closed);
    }
    if (fault)
        amp_priv_set(&s, &fault, sizeof fault, true, true);
    kernel->closed = closed;
    kernel->argument_count = s.index;
    return (amp_priv_kernel_arguments){ kernel->argument, kernel->changed, s.index, s.changed };
}

#endif /* AMP_LAUNCH_KERNEL_ARGUMENTS_H */
