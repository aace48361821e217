/* SPDX-License-Identifier: MIT */
/*  amp/memory/shape.h - the elements of a view in host memory, and copies between two such

    Contents (search for the tag):
        >>shape  >>rectangles  >>host */
#ifndef AMP_MEMORY_SHAPE_H
#define AMP_MEMORY_SHAPE_H

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

/* The rows from lo to hi - 1 of a view. */
AMP_PRIV_WARM_PART amp_priv_shape amp_priv_shape_of_rows(const amp_priv_head *head, int lo, int hi)
{
    amp_priv_shape shape = amp_priv_shape_of(head);
    shape.data += (ptrdiff_t)lo * shape.stride[0] * (ptrdiff_t)shape.element_size;
    shape.extent[0] = hi - lo;
    return shape;
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

#endif /* AMP_MEMORY_SHAPE_H */
