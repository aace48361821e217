/* SPDX-License-Identifier: MIT */
/*  amp/memory/region.h - which part of a source a view covers

    Contents (search for the tag):
        >>shape  >>box  >>region  >>rectangles  >>host */
#ifndef AMP_MEMORY_REGION_H
#define AMP_MEMORY_REGION_H

#include "fork.h"
#include "../device/view_header.h"

/* // >>shape */

AMP_PRIV_WARM_PART bool amp_priv_extent_is_empty(int rank, const int *extent)
{
    for (int d = 0; d < rank; d++)
        if (extent[d] == 0)
            return true;
    return false;
}

/* A dense shape at `data`. */
static inline amp_priv_shape amp_priv_dense(void *data, size_t element_size, int rank, const int *extent)
{
    amp_priv_shape shape;
    shape.data = data;
    shape.rank = rank;
    shape.element_size = element_size;
    amp_priv_offset stride = 1;
    const bool is_empty = amp_priv_extent_is_empty(rank, extent);
    for (int d = rank - 1; d >= 0; d--) {
        shape.extent[d] = extent[d];
        shape.stride[d] = stride;
        stride *= is_empty ? 1 : extent[d];
    }
    return shape;
}

/* Elements from one end of the view to the other. */
AMP_PRIV_WARM size_t amp_priv_shape_span(const amp_priv_shape *shape)
{
    amp_priv_offset last = 0;
    if (amp_priv_extent_is_empty(shape->rank, shape->extent))
        return 0;
    for (int d = 0; d < shape->rank; d++)
        last += (shape->extent[d] - 1) * shape->stride[d];
    return (size_t)last + 1;
}

static inline size_t amp_priv_shape_size(const amp_priv_shape *shape)
{
    size_t size = 1;
    for (int d = 0; d < shape->rank; d++)
        size *= (size_t)shape->extent[d];
    return size;
}

static inline size_t amp_priv_shape_bytes(const amp_priv_shape *shape)
{
    return amp_priv_shape_size(shape) * shape->element_size;
}

AMP_PRIV_WARM_PART bool amp_priv_shape_is_dense(const amp_priv_shape *shape)
{
    return amp_priv_shape_span(shape) == amp_priv_shape_size(shape);
}

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

/* // >>rectangles */

/* Steps through two shapes of equal extents (or one, when both are the same) in the largest rectangles possible. */
typedef struct amp_priv_rect_walk {
    int outer; /* dimensions beyond slices */
    size_t index[AMP_MAX_RANK], extent[AMP_MAX_RANK], pitch_a[AMP_MAX_RANK], pitch_b[AMP_MAX_RANK];
    amp_priv_rect a, b;
    bool more;
} amp_priv_rect_walk;

/* base_a and base_b: where the shapes' buffers or host memories begin. */
AMP_PRIV_WARM amp_priv_rect_walk amp_priv_rect_walk_begin(const amp_priv_shape *a, const void *base_a,
                                                          const amp_priv_shape *b, const void *base_b)
{
    amp_priv_rect_walk r;
    const size_t size = a->element_size;
    size_t row = size;
    int count = 0; /* dimensions so far, the last first */
    for (int d = a->rank - 1; d >= 0; d--) {
        const size_t extent = (size_t)a->extent[d];
        const size_t pitch_a = (size_t)a->stride[d] * size, pitch_b = (size_t)b->stride[d] * size;
        if (extent == 1)
            continue;
        if (count == 0 && pitch_a == row && pitch_b == row) {
            row *= extent;
        } else if (count > 0 && pitch_a == r.pitch_a[count - 1] * r.extent[count - 1] &&
                   pitch_b == r.pitch_b[count - 1] * r.extent[count - 1]) {
            r.extent[count - 1] *= extent;
        } else {
            r.extent[count] = extent;
            r.pitch_a[count] = pitch_a;
            r.pitch_b[count] = pitch_b;
            count++;
        }
    }
    r.outer = count > 2 ? count - 2 : 0;
    r.a.row_bytes = row;
    r.a.rows = count > 0 ? r.extent[0] : 1;
    r.a.slices = count > 1 ? r.extent[1] : 1;
    r.b = r.a;
    r.a.offset = (size_t)((uintptr_t)a->data - (uintptr_t)base_a);
    r.b.offset = (size_t)((uintptr_t)b->data - (uintptr_t)base_b);
    r.a.row_pitch = count > 0 ? r.pitch_a[0] : row;
    r.b.row_pitch = count > 0 ? r.pitch_b[0] : row;
    r.a.slice_pitch = count > 1 ? r.pitch_a[1] : r.a.row_pitch * r.a.rows;
    r.b.slice_pitch = count > 1 ? r.pitch_b[1] : r.b.row_pitch * r.b.rows;
    for (int d = 0; d < r.outer; d++)
        r.index[d] = 0;
    r.more = true;
    return r;
}

/* On to the next pair of rectangles in a and b; `more` is false after the last. */
AMP_PRIV_COLD void amp_priv_rect_walk_next(amp_priv_rect_walk *r)
{
    for (int d = 0; d < r->outer; d++) {
        const int k = d + 2;
        r->a.offset += r->pitch_a[k];
        r->b.offset += r->pitch_b[k];
        if (++r->index[d] < r->extent[k])
            return;
        r->a.offset -= r->pitch_a[k] * r->extent[k];
        r->b.offset -= r->pitch_b[k] * r->extent[k];
        r->index[d] = 0;
    }
    r->more = false;
}

/* // >>host
   One thread copies 5 to 10 GB/s, four and more what the memory can (two H200 and 32 cores: a product in blocks takes
   0.67
   of the time). Two gain nothing. */

enum { AMP_PRIV_COPY_SHARED = 4 << 20 /* bytes from which on all threads copy */, AMP_PRIV_COPY_PIECE = 1 << 16 };

/* Copies pieces first to before last of a rectangle, each row of which is cut into `cuts`. */
AMP_PRIV_WARM void amp_priv_copy_pieces(char *to, const amp_priv_rect *a, const char *from, const amp_priv_rect *b,
                                        size_t cuts, size_t first, size_t last)
{
    if (first == last)
        return; /* there may be no rows */
    const size_t piece = a->row_bytes / cuts;
    size_t cut = first % cuts, row = first / cuts % a->rows, slice = first / cuts / a->rows;
    for (; first < last; first++) {
        const size_t at = cut * piece;
        memmove(to + a->offset + slice * a->slice_pitch + row * a->row_pitch + at,
                from + b->offset + slice * b->slice_pitch + row * b->row_pitch + at,
                cut + 1 == cuts ? a->row_bytes - at : piece);
        if (++cut == cuts) {
            cut = 0;
            slice += row + 1 == a->rows;
            row = row + 1 == a->rows ? 0 : row + 1;
        }
    }
}

/* Copies a rectangle; `apart`: the two have no byte in common. */
AMP_PRIV_WARM void amp_priv_copy_rect(char *to, const amp_priv_rect *a, const char *from, const amp_priv_rect *b,
                                      bool apart)
{
    const size_t rows = a->rows * a->slices;
    const int threads = apart && rows * a->row_bytes >= AMP_PRIV_COPY_SHARED ? amp_priv_cpu_threads_now() : 1;
    if (threads < 4) {
        amp_priv_copy_pieces(to, a, from, b, 1, 0, rows);
        return;
    }
    const size_t most = a->row_bytes / AMP_PRIV_COPY_PIECE + 1, wanted = 8 * (size_t)threads / rows + 1;
    const size_t cuts = wanted < most ? wanted : most, pieces = rows * cuts;
#if AMP_PRIV_OPENMP
    AMP_PRIV_PRAGMA(omp parallel for schedule(static))
#endif
    for (int i = 0; i < threads; i++)
        amp_priv_copy_pieces(to, a, from, b, cuts, pieces * (size_t)i / (size_t)threads,
                             pieces * ((size_t)i + 1) / (size_t)threads);
}

/* Copies between two shapes of equal extents in host memory, where they may be the same. */
AMP_PRIV_WARM void amp_priv_copy_host(const amp_priv_shape *to, const amp_priv_shape *from)
{
    const uintptr_t a = (uintptr_t)to->data, b = (uintptr_t)from->data;
    const bool apart =
        a + amp_priv_shape_span(to) * to->element_size <= b || b + amp_priv_shape_span(from) * from->element_size <= a;
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(to, to->data, from, from->data); r.more;
         amp_priv_rect_walk_next(&r))
        amp_priv_copy_rect(to->data, &r.a, from->data, &r.b, apart);
}

#endif /* AMP_MEMORY_REGION_H */
