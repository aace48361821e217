/* SPDX-License-Identifier: MIT */
/*  amp/device/view_header.h - access to a view without its element type and rank */
#ifndef AMP_DEVICE_VIEW_HEADER_H
#define AMP_DEVICE_VIEW_HEADER_H

#include "../api/element.h"
#include "../base/error.h"

AMP_PRIV_API int amp_priv_pad(int extent, int tile)
{
    const int padded = amp_priv_padded(extent, tile);
    if (extent > 0 && padded < 0)
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "amp_tiled_extent_pad: %d padded to a multiple of the tile %d does not fit an int; use a smaller "
            "extent or tile",
            extent, tile);
    return padded;
}

/* Where a view lies, for code that knows neither its element type nor its rank. */
typedef struct amp_priv_shape {
    char *data; /* first element, in the source's host memory */
    int rank;
    size_t element_size;
    int extent[AMP_MAX_RANK];
    amp_priv_offset stride[AMP_MAX_RANK]; /* elements from one index to the next; the last is 1 */
} amp_priv_shape;

#if !defined(AMP_CHECKED)

/* Checked builds: do the view's elements lie where a device, and the host's processor, can reach them? */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    (void)call, (void)element, (void)data, (void)start;
    return true;
}

#endif

#if defined(AMP_CHECKED)

/* // >>parts */

/* Do the view's elements lie where a device, and the host's processor, can reach them? Else reports it.
   start: of the source, which is where a device's buffer begins. */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    const size_t offset = (size_t)((uintptr_t)data - (uintptr_t)start);
    if (offset % element->size) {
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: the view would start %zu bytes into its source, in the middle of an element of %s (%zu bytes); take "
            "sections so that they start at multiples of it",
            call, offset, element->name, element->size);
        return false;
    }
    if (element->align && (uintptr_t)data % element->align) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the address %p is not aligned for elements of %s (to %zu bytes); align the data", call,
                        data, element->name, element->align);
        return false;
    }
    return true;
}

#endif

/* What stands behind the head of any view or array: the layout that every AMP_PRIV_VIEW_STRUCT has. */
static inline char *amp_priv_head_data(const amp_priv_head *head)
{
    char *data;
    memcpy(&data, (const char *)head + offsetof(amp_array_view_int_1, data), sizeof data);
    return data;
}

static inline void amp_priv_head_set_data(amp_priv_head *head, char *data)
{
    memcpy((char *)head + offsetof(amp_array_view_int_1, data), &data, sizeof data);
}

static inline const int *amp_priv_head_extent(const amp_priv_head *head)
{
    return (const int *)(const void *)((const char *)head + offsetof(amp_array_view_int_1, extent));
}

static inline const amp_priv_offset *amp_priv_head_stride(const amp_priv_head *head)
{
    const size_t align = _Alignof(amp_priv_offset);
    const size_t extent_end = offsetof(amp_array_view_int_1, extent) + head->rank * sizeof(int);
    return (const amp_priv_offset *)(const void *)((const char *)head + (extent_end + align - 1) / align * align);
}

/* All of it. */
AMP_PRIV_WARM_PART amp_priv_shape amp_priv_shape_of(const amp_priv_head *head)
{
    amp_priv_shape shape;
    shape.data = amp_priv_head_data(head);
    shape.rank = head->rank;
    shape.element_size = head->element->size;
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    for (int d = 0; d < shape.rank; d++) {
        shape.extent[d] = extent[d];
        shape.stride[d] = stride[d];
    }
    return shape;
}

#endif /* AMP_DEVICE_VIEW_HEADER_H */
