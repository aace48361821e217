/* SPDX-License-Identifier: MIT */
/*  amp/matrix/pack.h - factors of a large product, as wgmma reads them fastest: rows along the depth, rounded

    wgmma needs such rows of tf32 and int8, and is a fifth faster with them for half and bfloat16. A launch copies a
    factor that lies otherwise to temporary memory; it takes a few hundredths of the product's time.

    Contents (search for the tag):
        >>plan  >>kernels  >>implementation */
#ifndef AMP_MATRIX_PACK_H
#define AMP_MATRIX_PACK_H

#include "tile_matrix.h"

/* // >>plan */

/* The elements of a packed factor, by the number of the kind. */
#define AMP_PRIV_PACK_TYPE_0 uint16_t
#define AMP_PRIV_PACK_TYPE_1 uint16_t
#define AMP_PRIV_PACK_TYPE_2 float
#define AMP_PRIV_PACK_TYPE_3 int8_t

/* Temporary memory for the packed factors a and b of a product; in it rows begin at multiples of 16 bytes. */
typedef struct amp_priv_packing {
    amp_priv_temporary *memory; /* NULL: nothing is packed */
    size_t first[2];            /* bytes before the factor */
    int rows[2], depth, pitch;  /* elements from row to row */
} amp_priv_packing;

/* Fills in a view of rank 2 on packed factor number `which`: rows along the depth. */
AMP_PRIV_API void amp_priv_pack_view(const amp_priv_packing *packing, int which, void *out,
                                     const amp_priv_element *element);

/* // >>kernels
   Declares `name`, a view on the packed factor m, and packs that: the transposed matrix of m if `turns`. */
#define AMP_PRIV_PACK(number, turns, m, name, which)                                                                   \
    AMP_PRIV_PACK_(AMP_PRIV_CAT(AMP_PRIV_PACK_TYPE_, number), number, turns, m, name, which)
#define AMP_PRIV_PACK_(T, ...) AMP_PRIV_PACK_OF(T, __VA_ARGS__)
#define AMP_PRIV_PACK_OF(T, number, turns, m, name, which)                                                             \
    amp_array_view_##T##_2 amp_priv_to_##name;                                                                         \
    amp_priv_pack_view(&amp_priv_plan.packing, which, &amp_priv_to_##name, &amp_priv_element_##T);                     \
    const amp_const_array_view_##T##_2 name = amp_as_const(amp_priv_to_##name);                                        \
    {                                                                                                                  \
        const amp_array_view_##T##_2 amp_priv_out = amp_priv_to_##name;                                                \
        AMP_PRIV_CAT(AMP_PRIV_PACK_TURNS_, turns)(T, number, m)                                                        \
    }
#define AMP_PRIV_PACK_TURNS_0(T, number, m)                                                                            \
    AMP_PARALLEL_FOR_EACH_ON(amp_priv_plan.where, amp_priv_out.extent, (amp_priv_view_row, amp_priv_view_column),      \
                             AMP_CAPTURE(m, amp_priv_out), {                                                           \
        AMP_AT(amp_priv_out, amp_priv_view_row, amp_priv_view_column) = AMP_PRIV_CAT(AMP_PRIV_PACK_ELEMENT_,           \
                                                                                     number)(number, m);               \
    });
#define AMP_PRIV_PACK_TURNS_1(T, number, m)                                                                            \
    AMP_TILED_ON(amp_priv_plan.where, amp_tiled_extent2_pad(amp_extent2_tile(amp_priv_out.extent, 32, 32)), (32, 32),  \
                 amp_priv_tile, AMP_CAPTURE(m, amp_priv_out), {                                                        \
        AMP_TILE_STATIC(T, amp_priv_block, [32][33]);                                                                  \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            const int amp_priv_view_row = amp_priv_tile.tile_origin.v[1] + amp_priv_t.local.v[0];                      \
            const int amp_priv_view_column = amp_priv_tile.tile_origin.v[0] + amp_priv_t.local.v[1];                   \
            if (amp_priv_view_row < amp_priv_out.extent.v[1] && amp_priv_view_column < amp_priv_out.extent.v[0])       \
                amp_priv_block[amp_priv_t.local.v[0]][amp_priv_t.local.v[1]] = AMP_PRIV_CAT(AMP_PRIV_PACK_ELEMENT_,    \
                                                                                            number)(number, m);        \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        AMP_THREADS(amp_priv_tile, amp_priv_t) {                                                                       \
            if (amp_priv_t.global.v[0] < amp_priv_out.extent.v[0] && amp_priv_t.global.v[1] < amp_priv_out.extent.v[1])\
                AMP_AT(amp_priv_out, amp_priv_t.global.v[0], amp_priv_t.global.v[1]) =                                 \
                    amp_priv_block[amp_priv_t.local.v[1]][amp_priv_t.local.v[0]];                                      \
        }                                                                                                              \
    });
/* The element of m at amp_priv_view_row and amp_priv_view_column, as the kind has it. */
#define AMP_PRIV_PACK_ELEMENT_0(number, m)                                                                             \
    (sizeof(*(m).data) == 2                                                                                            \
         ? AMP_PRIV_MATRIX_AS(uint16_t, m)                                                                             \
         : (uint16_t)amp_priv_matrix_narrowed(number, AMP_PRIV_MATRIX_AS(float, m)))
#define AMP_PRIV_PACK_ELEMENT_1(number, m) AMP_PRIV_PACK_ELEMENT_0(number, m)
#define AMP_PRIV_PACK_ELEMENT_2(number, m) amp_priv_matrix_tf32(AMP_PRIV_MATRIX_AS(float, m))
#define AMP_PRIV_PACK_ELEMENT_3(number, m) AMP_PRIV_MATRIX_AS(int8_t, m)

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_API void amp_priv_pack_view(const amp_priv_packing *packing, int which, void *out,
                                     const amp_priv_element *element)
{
    amp_priv_shape shape =
        amp_priv_temporary_shape(packing->memory, element, packing->first[which], (size_t)packing->pitch);
    shape.rank = 2;
    shape.extent[0] = packing->rows[which];
    shape.extent[1] = packing->depth;
    shape.stride[0] = packing->pitch;
    shape.stride[1] = 1;
    amp_priv_fill(out, packing->memory->array.amp_priv.source, element, AMP_PRIV_VIEW, 0, &shape);
}

/* Gets memory for packed factors of so many rows, 0: not this one. False where there is none. */
static inline bool amp_priv_pack_begin(amp_priv_packing *packing, amp_priv_queue *queue, int kind, const int *rows,
                                       int depth)
{
    const int each = 16 / AMP_PRIV_MATRIX_SIZE(kind), pitch = (depth - 1) / each * each + each;
    const size_t bytes = (size_t)pitch * (size_t)AMP_PRIV_MATRIX_SIZE(kind), a = bytes * (size_t)rows[0];
    *packing = (amp_priv_packing){ .first = { 0, a }, .rows = { rows[0], rows[1] }, .depth = depth, .pitch = pitch };
    if (rows[0] + rows[1] == 0)
        return true;
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    packing->memory =
        amp_priv_temporary_take(queue, queue->device, a + bytes * (size_t)rows[1], AMP_PRIV_TEMPORARY_BYTES);
    amp_priv_error_mode_end(before);
    return packing->memory != NULL;
}

/* After the launches that use it. */
static inline void amp_priv_pack_end(const amp_priv_packing *packing)
{
    if (!packing->memory)
        return;
    amp_priv_lock(&amp_priv_all_temporaries.lock);
    packing->memory->busy = false;
    amp_priv_unlock(&amp_priv_all_temporaries.lock);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_MATRIX_PACK_H */
