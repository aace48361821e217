/* SPDX-License-Identifier: MIT */
/*  amp/memory/region.h - which part of a source a view covers

    Contents (search for the tag):
        >>box  >>region */
#ifndef AMP_MEMORY_REGION_H
#define AMP_MEMORY_REGION_H

#include "shape.h"

/* // >>box */

/* The elements whose index is in [lo, hi) in every dimension. */
typedef struct amp_priv_box {
    int lo[AMP_MAX_RANK], hi[AMP_MAX_RANK];
} amp_priv_box;

/* The intersection of two boxes; false when it is empty. */
AMP_PRIV_WARM_PART bool amp_priv_box_meet(const amp_priv_box *a, const amp_priv_box *b, int rank, amp_priv_box *common)
{
    for (int d = 0; d < rank; d++) {
        common->lo[d] = a->lo[d] > b->lo[d] ? a->lo[d] : b->lo[d];
        common->hi[d] = a->hi[d] < b->hi[d] ? a->hi[d] : b->hi[d];
        if (common->lo[d] >= common->hi[d])
            return false;
    }
    return true;
}

/* How many slabs of a box lie outside of a box inside it: before and behind in each dimension. */
AMP_PRIV_WARM_PART int amp_priv_box_slabs(const amp_priv_box *box, const amp_priv_box *inside, int rank)
{
    int count = 0;
    for (int d = 0; d < rank; d++)
        count += (box->lo[d] < inside->lo[d]) + (box->hi[d] > inside->hi[d]);
    return count;
}

/* Makes a the union of two boxes that do not overlap, where that is a box: where they are equal in all dimensions but
   one, and touch in that. */
AMP_PRIV_WARM_PART bool amp_priv_box_join(amp_priv_box *a, const amp_priv_box *b, int rank)
{
    int across = 0;
    bool differ = false;
    for (int d = 0; d < rank; d++) {
        if (a->lo[d] == b->lo[d] && a->hi[d] == b->hi[d])
            continue;
        if (differ)
            return false;
        differ = true;
        across = d;
    }
    if (a->hi[across] == b->lo[across])
        a->hi[across] = b->hi[across];
    else if (a->lo[across] == b->hi[across])
        a->lo[across] = b->lo[across];
    else
        return false;
    return true;
}

enum { AMP_PRIV_MAX_BOXES = 2 * AMP_MAX_RANK - 1 };

/* Elements [first, end) of the row-major order of `extent` as boxes: at most 2 rank - 1. Returns how many. */
AMP_PRIV_COLD int amp_priv_interval_boxes(int rank, const int *extent, size_t first, size_t end, amp_priv_box *boxes)
{
    int count = 0;
    while (first < end) {
        /* The largest box that begins at `first`: whole slices of the outermost dimension possible. */
        int d = rank - 1;
        size_t slice = 1; /* elements of one step in dimension d */
        while (d > 0) {
            const size_t next = slice * (size_t)extent[d];
            if (first % next != 0 || end - first < next)
                break;
            slice = next;
            d--;
        }
        amp_priv_box *const box = &boxes[count++];
        size_t rest = first / slice;
        size_t length = (end - first) / slice;
        for (int k = rank - 1; k > d; k--) {
            box->lo[k] = 0;
            box->hi[k] = extent[k];
        }
        for (int k = d; k >= 0; k--) {
            box->lo[k] = (int)(rest % (size_t)extent[k]);
            box->hi[k] = box->lo[k] + 1;
            rest /= (size_t)extent[k];
        }
        if (length > (size_t)(extent[d] - box->lo[d]))
            length = (size_t)(extent[d] - box->lo[d]);
        box->hi[d] = box->lo[d] + (int)length;
        first += length * slice;
    }
    return count;
}

/* // >>region */

/* The part of a source under a view, as boxes of the directory. */
typedef struct amp_priv_region {
    int count;
    bool covers; /* every element of the boxes belongs to the view; else the view has gaps */
    amp_priv_box boxes[AMP_PRIV_MAX_BOXES];
} amp_priv_region;

/* Is the view a box of its source, whose shape is `base`? Sections and projections are. */
AMP_PRIV_WARM_PART bool amp_priv_box_of(const amp_priv_shape *base, const amp_priv_shape *shape, amp_priv_box *box)
{
    const int lead = base->rank - shape->rank;
    const size_t at = (size_t)(shape->data - base->data);
    if (lead < 0 || shape->element_size != base->element_size || at % base->element_size)
        return false;
    amp_priv_offset rest = (amp_priv_offset)(at / base->element_size);
    for (int d = 0; d < base->rank; d++) {
        const int k = d - lead;
        const int length = k < 0 ? 1 : shape->extent[k];
        if (k >= 0 && length > 1 && shape->stride[k] != base->stride[d])
            return false;
        const amp_priv_offset lo = rest ? rest / base->stride[d] : 0;
        rest -= lo * base->stride[d];
        if (lo + length > base->extent[d])
            return false;
        box->lo[d] = (int)lo;
        box->hi[d] = (int)lo + length;
    }
    return true;
}

/* A view of another shape is the interval from its first to its last element, rounded to the source's elements; an
   empty view has no box. */
AMP_PRIV_WARM void amp_priv_region_of(const amp_priv_shape *base, const amp_priv_shape *shape, amp_priv_region *region)
{
    region->covers = true;
    region->count = amp_priv_extent_is_empty(shape->rank, shape->extent) ? 0 : 1;
    if (region->count == 0)
        return;
    if (amp_priv_box_of(base, shape, &region->boxes[0]))
        return;
    const size_t first = (size_t)(shape->data - base->data);
    const size_t end = first + amp_priv_shape_span(shape) * shape->element_size;
    region->covers = amp_priv_shape_is_dense(shape) && first % base->element_size == 0 && end % base->element_size == 0;
    region->count = amp_priv_interval_boxes(base->rank, base->extent, first / base->element_size,
                                            (end + base->element_size - 1) / base->element_size, region->boxes);
}

/* A box of the source as a shape. */
AMP_PRIV_WARM amp_priv_shape amp_priv_shape_of_box(const amp_priv_shape *base, const amp_priv_box *box)
{
    amp_priv_shape shape;
    amp_priv_offset first = 0;
    shape.rank = base->rank;
    shape.element_size = base->element_size;
    for (int d = 0; d < shape.rank; d++) {
        shape.extent[d] = box->hi[d] - box->lo[d];
        shape.stride[d] = base->stride[d];
        first += box->lo[d] * base->stride[d];
    }
    shape.data = base->data + (size_t)first * base->element_size;
    return shape;
}

#endif /* AMP_MEMORY_REGION_H */
