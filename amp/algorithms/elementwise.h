/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/elementwise.h - fill, number, gather, scatter and transpose elements.

    Each call is one launch; the caller's macro has its kernel.

    Contents (search for the tag):
        >>plan  >>fill  >>gather  >>transpose  >>implementation */
#ifndef AMP_ALGORITHMS_ELEMENTWISE_H
#define AMP_ALGORITHMS_ELEMENTWISE_H

#include "contracts_checks.h"
#include "../base/nontemporal.h"

/* // >>plan */

/* A view on all of what is written, under the name amp_priv_out. Of what is no view, which is refused, any other. */
#define AMP_PRIV_WRITE_TO(call, wanted_rank, out)                                                                      \
    AMP_PRIV_WRITES(call, AMP_PRIV_RANK_OF(AMP_PRIV_GIVEN_VIEW(out)) == (wanted_rank), " of rank " #wanted_rank, out,  \
                    AMP_PRIV_GIVEN_##wanted_rank(out))
#define AMP_PRIV_WRITES(call, has_rank, of_rank, out, given)                                                           \
    _Static_assert(AMP_PRIV_MAY_BE_VIEW_GIVEN(out) && has_rank && !AMP_PRIV_IS_CONST(AMP_PRIV_GIVEN_VIEW(out)),        \
                   "amp: " call " writes a view or array" of_rank ", not a const one");                                \
    const AMP_PRIV_VIEW_TYPE(given) amp_priv_out = amp_view_of(given);

/* All of it will be written: what is there need not be brought. False where it has been reported. */
AMP_PRIV_API bool amp_priv_overwrite(const amp_priv_head *out);

/* Elements of one go to another by a list of places, one for each element of `listed`, which is out or in: by one for
   each of out, out may be the list. False after reporting. */
AMP_PRIV_API bool amp_priv_places_begin(const char *call, const amp_priv_head *out, const amp_priv_head *in,
                                        const amp_priv_head *places, const amp_priv_head *listed,
                                        const char *places_name);

AMP_PRIV_API bool amp_priv_transpose_begin(const amp_priv_head *out, const amp_priv_head *in);

/* The CPU backend transposes blocks of 64 x 64 elements of 1, 2, 4 or 8 bytes in three passes. Each pass interleaves
   the rows, four at a time, element by element. Compilers make vector shuffles of a pass. Checked builds check each
   access instead. */
#if defined(AMP_CHECKED)
#define AMP_PRIV_DEALS(size) ((size) == 0)
#else
#define AMP_PRIV_DEALS(size) ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8)
#endif
#define AMP_PRIV_DEAL(size)                                                                                            \
    ((size) == 1   ? amp_priv_transpose_8                                                                              \
     : (size) == 2 ? amp_priv_transpose_16                                                                             \
     : (size) == 4 ? amp_priv_transpose_32                                                                             \
                   : amp_priv_transpose_64)
enum { AMP_PRIV_DEAL_SIDE = 64, AMP_PRIV_DEAL_ALL = AMP_PRIV_DEAL_SIDE * AMP_PRIV_DEAL_SIDE };

/* Block number `at` of out. */
#define AMP_PRIV_DECLARE_TRANSPOSE(bits)                                                                               \
    AMP_PRIV_API int amp_priv_transpose_##bits(const amp_priv_head *out, const amp_priv_head *in, amp_index2 at);
AMP_PRIV_DECLARE_TRANSPOSE(8)
AMP_PRIV_DECLARE_TRANSPOSE(16)
AMP_PRIV_DECLARE_TRANSPOSE(32)
AMP_PRIV_DECLARE_TRANSPOSE(64)

/* Where it runs, and on how many threads. On the CPU backend a tile takes a block. */
AMP_PRIV_API amp_accelerator_view amp_priv_transpose_where(amp_accelerator_view view, const amp_priv_head *out,
                                                           const amp_priv_head *in);

AMP_PRIV_API amp_tiled_extent2 amp_priv_transpose_threads(amp_accelerator_view view, amp_extent2 extent, int tile,
                                                          size_t size);

/* // >>fill
   amp_fill(out, value): sets every element of a view or array, of any rank, to a value.
   amp_fill_on(view, out, value): the same on an accelerator view.
   amp_iota(out, first): sets the elements of a view or array of rank 1 to first, first + 1, ...
   amp_iota_on(view, out, first): the same on an accelerator view.
   out  a view or array, not const
   value  a number of the element type; evaluated once
   first  a number of the element type; evaluated once
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, those of AMP_PARALLEL_FOR_EACH. Checked builds warn of a fraction that is lost.
   Blocking: no. Threads: any. Cost: one write. Source: std::fill, std::iota. */
#define amp_fill(out, value) amp_fill_on((amp_accelerator_view){ NULL }, out, value)
#define amp_fill_on(where, out, value)                                                                                 \
    do {                                                                                                               \
        _Static_assert(!AMP_PRIV_IS_STRUCT(value) || AMP_PRIV_IS_LIKE_VIEW(value), AMP_PRIV_MSG_FILL);                 \
        AMP_PRIV_IF_GIVEN("amp_fill", "out, value", where, AMP_PRIV_MAY_BE_GIVEN(out))                                 \
        AMP_PRIV_WRITES("amp_fill", true, "", out, AMP_PRIV_GIVEN_VIEW(out))                                           \
        AMP_PRIV_CONTRACT_VALUE("amp_fill", AMP_PRIV_TYPE_OF(amp_priv_out), value)                                     \
        if (amp_priv_overwrite(&amp_priv_out.amp_priv))                                                                \
            AMP_PARALLEL_FOR_EACH_ON(where, amp_priv_out.extent, amp_priv_there,                                       \
                                     AMP_CAPTURE(amp_priv_out, amp_priv_value),                                        \
                                     { AMP_AT(amp_priv_out, amp_priv_there) = amp_priv_value; });                      \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

#define AMP_PRIV_MSG_FILL                                                                                              \
    "amp: amp_fill(out, value): the value is a number; for structs write AMP_PARALLEL_FOR_EACH(out.extent, index, "    \
    "AMP_CAPTURE(out, AMP_VALUE(type, value)), { AMP_AT(out, index) = value; })"

#define amp_iota(out, first) amp_iota_on((amp_accelerator_view){ NULL }, out, first)
#define amp_iota_on(where, out, first)                                                                                 \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_iota", "out, first", where, AMP_PRIV_MAY_BE_GIVEN(out))                                 \
        AMP_PRIV_WRITE_TO("amp_iota", 1, out)                                                                          \
        AMP_PRIV_CONTRACT_VALUE("amp_iota", AMP_PRIV_GIVEN_TYPE(out), first)                                           \
        if (amp_priv_overwrite(&amp_priv_out.amp_priv))                                                                \
            AMP_PARALLEL_FOR_EACH_ON(where, amp_priv_out.extent, (amp_priv_i),                                         \
                                     AMP_CAPTURE(amp_priv_out, amp_priv_value), {                                      \
                                         typedef AMP_PRIV_TYPE_OF(amp_priv_out) amp_priv_T;                            \
                                         AMP_AT(amp_priv_out, amp_priv_i) =                                            \
                                             (amp_priv_T)(amp_priv_value + (amp_priv_T)amp_priv_i);                    \
                                     });                                                                               \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>gather
   amp_gather(out, v, from): out[i] = v[from[i]].
   amp_gather_on(view, out, v, from): the same on an accelerator view.
   amp_scatter(out, v, to): out[to[i]] = v[i].
   amp_scatter_on(view, out, v, to): the same on an accelerator view.
   If two elements have the same place in amp_scatter, one of them is written; checked builds warn where they differ.
   out is a different view or array than the others.
   out, v  views or arrays of rank 1 and of one element type
   from  a view or array of integers, an index of v for each element of out
   to  a view or array of integers, an index of out for each element of v
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the lengths differ), those of AMP_PARALLEL_FOR_EACH. Checked
   builds check the indexes. Blocking: no. Threads: any. Cost: two reads, one write. Source: thrust::gather,
   thrust::scatter. */
#define amp_gather(out, v, from) amp_gather_on((amp_accelerator_view){ NULL }, out, v, from)
#define amp_gather_on(where, out, v, from)                                                                             \
    AMP_PRIV_BRING("amp_gather", where, out, v, from, "from", amp_priv_out, ,                                          \
                   AMP_PRIV_CELL(amp_priv_out, amp_priv_i) =                                                           \
                       AMP_AT(amp_priv_one, AMP_PRIV_CELL(amp_priv_places, amp_priv_i)))
#define amp_scatter(out, v, to) amp_scatter_on((amp_accelerator_view){ NULL }, out, v, to)
#define amp_scatter_on(where, out, v, to)                                                                              \
    AMP_PRIV_BRING("amp_scatter", where, out, v, to, "to", amp_priv_one, AMP_PRIV_CONTRACT_PLACES("amp_scatter"),      \
                   AMP_AT(amp_priv_out, AMP_PRIV_CELL(amp_priv_places, amp_priv_i)) =                                  \
                       AMP_PRIV_CELL(amp_priv_one, amp_priv_i))
#define AMP_PRIV_MSG_LIST(call, list) "amp: " call ": the elements of " list " are integers, the places of elements"
AMP_PRIV_ASKS(amp_priv_is_list, AMP_PRIV_MSG_LIST("amp_gather(out, v, from), amp_scatter(out, v, to)", "from and to"))
#define AMP_PRIV_BRING(name, where, out, v, list, list_name, listed, look, assignment)                                 \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, v, " list_name "", where,                                                        \
                          AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(v) && AMP_PRIV_MAY_BE_GIVEN(list))       \
        AMP_PRIV_READ_FROM(name, one, v)                                                                               \
        AMP_PRIV_READ_FROM(name, places, list)                                                                         \
        AMP_PRIV_ASK(amp_priv_is_list, AMP_PRIV_IS_INTEGER(*amp_priv_places.data),                                     \
                     AMP_PRIV_MSG_LIST(name "(out, v, " list_name ")", list_name))                                     \
        AMP_PRIV_WRITE_TO(name, 1, out)                                                                                \
        if (amp_priv_places_begin(name, &amp_priv_out.amp_priv, &amp_priv_one.amp_priv, &amp_priv_places.amp_priv,     \
                                  &listed.amp_priv, list_name)) {                                                      \
            look AMP_PARALLEL_FOR_EACH_ON(where, amp_priv_places.extent, (amp_priv_i),                                 \
                                          AMP_CAPTURE(amp_priv_one, amp_priv_places, amp_priv_out), { assignment; });  \
        }                                                                                                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)

/* // >>transpose
   amp_transpose(out, v): out[j][i] = v[i][j].
   amp_transpose_on(view, out, v): the same on an accelerator view.
   out, v  views or arrays of rank 2 and of one element type, which do not overlap
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_INVALID_ARGUMENT (the extent of out is not the transposed extent of v), those
   of AMP_TILED. Blocking: no. Threads: any. Cost: one read, one write, both along rows. Source: cuBLAS' geam. */
#define amp_transpose(out, v) amp_transpose_on((amp_accelerator_view){ NULL }, out, v)
#define amp_transpose_on(where, out, v)                                                                                \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN("amp_transpose", "out, v", where, AMP_PRIV_MAY_BE_GIVEN(out) && AMP_PRIV_MAY_BE_GIVEN(v))    \
        _Static_assert(AMP_PRIV_IS_OF_RANK_2(v), "amp: amp_transpose takes a view or array of rank 2");                \
        const __typeof__(*AMP_PRIV_GIVEN_2(v).amp_priv_const_view) amp_priv_one =                                      \
            AMP_PRIV_AS_CONST("amp_transpose", AMP_PRIV_GIVEN_2(v));                                                   \
        enum { amp_priv_side = sizeof *amp_priv_one.data <= 16 ? 32 : 16 }; /* a tile fits the local memory of all */  \
        AMP_PRIV_WRITE_TO("amp_transpose", 2, out)                                                                     \
        if (amp_priv_transpose_begin(&amp_priv_out.amp_priv, &amp_priv_one.amp_priv)) {                                \
            const amp_accelerator_view amp_priv_there =                                                                \
                amp_priv_transpose_where(where, &amp_priv_out.amp_priv, &amp_priv_one.amp_priv);                       \
            AMP_TILED_ON(amp_priv_there,                                                                               \
                         amp_priv_transpose_threads(amp_priv_there, amp_priv_out.extent, amp_priv_side,                \
                                                    sizeof *amp_priv_one.data),                                        \
                         (amp_priv_side, amp_priv_side), amp_priv_tile,                                                \
                         AMP_CAPTURE(amp_priv_one, amp_priv_out, AMP_CONSTANT(amp_priv_side)),                         \
                         AMP_PRIV_TRANSPOSE_BODY);                                                                     \
        }                                                                                                              \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_TRANSPOSE_BODY                                                                                        \
    if (AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_DEALS(sizeof *amp_priv_one.data), "0")) {                                     \
        (void)AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_DEAL(sizeof *amp_priv_one.data)(&amp_priv_out.amp_priv,                 \
                                                                               &amp_priv_one.amp_priv,                 \
                                                                               amp_priv_tile.tile),                    \
                                      "0");                                                                            \
    } else {                                                                                                           \
        AMP_PRIV_TILE_STATIC(AMP_PRIV_TYPE_OF(amp_priv_one), amp_priv_block, [amp_priv_side][amp_priv_side + 1]);      \
        const int amp_priv_top = amp_priv_tile.tile_origin.v[0];                                                       \
        const int amp_priv_left = amp_priv_tile.tile_origin.v[1];                                                      \
        const int amp_priv_rows = amp_priv_out.extent.v[0] - amp_priv_top; /* what is left of it */                    \
        const int amp_priv_columns = amp_priv_out.extent.v[1] - amp_priv_left;                                         \
        const int amp_priv_whole = amp_priv_rows >= amp_priv_side && amp_priv_columns >= amp_priv_side;                \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t)                                                                    \
        {                                                                                                              \
            const int amp_priv_down = amp_priv_t.local.v[0];                                                           \
            const int amp_priv_across = amp_priv_t.local.v[1];                                                         \
            if (amp_priv_whole || (amp_priv_down < amp_priv_columns && amp_priv_across < amp_priv_rows))               \
                amp_priv_block[amp_priv_down][amp_priv_across] =                                                       \
                    AMP_AT(amp_priv_one, amp_priv_left + amp_priv_down, amp_priv_top + amp_priv_across);               \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t)                                                                    \
        {                                                                                                              \
            const int amp_priv_down = amp_priv_t.local.v[0];                                                           \
            const int amp_priv_across = amp_priv_t.local.v[1];                                                         \
            if (amp_priv_whole || (amp_priv_down < amp_priv_rows && amp_priv_across < amp_priv_columns))               \
                AMP_AT(amp_priv_out, amp_priv_top + amp_priv_down, amp_priv_left + amp_priv_across) =                  \
                    amp_priv_block[amp_priv_across][amp_priv_down];                                                    \
        }                                                                                                              \
    }

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_API bool amp_priv_overwrite(const amp_priv_head *out)
{
    return out->source && amp_priv_discard(out) == AMP_OK;
}

AMP_PRIV_API bool amp_priv_places_begin(const char *call, const amp_priv_head *out, const amp_priv_head *in,
                                        const amp_priv_head *places, const amp_priv_head *listed,
                                        const char *places_name)
{
    const amp_priv_named read[] = { { in, "v" }, { places, places_name } };
    return out->source && in->source && places->source &&
           amp_priv_same_length(call, *amp_priv_head_extent(listed), *amp_priv_head_extent(places)) &&
           amp_priv_is_apart(call, "out", out, read, 1, false) &&
           amp_priv_is_apart(call, "out", out, read + 1, 1, listed == out) &&
           (listed == in || amp_priv_lie_of(out, places) != AMP_PRIV_LIE_APART || amp_priv_overwrite(out));
}

AMP_PRIV_API bool amp_priv_transpose_begin(const amp_priv_head *out, const amp_priv_head *in)
{
    if (!out->source || !in->source)
        return false;
    const int *const to = amp_priv_head_extent(out), *const from = amp_priv_head_extent(in);
    const amp_priv_named read = { in, "v" };
    if (to[0] != from[1] || to[1] != from[0])
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "amp_transpose: the source has %d x %d elements, so the result must have %d x %d, not %d x %d",
                        from[0], from[1], from[1], from[0], to[0], to[1]);
    return to[0] == from[1] && to[1] == from[0] && amp_priv_is_apart("amp_transpose", "out", out, &read, 1, false) &&
           amp_priv_overwrite(out);
}

/* Is the result larger than the caches, and are the rows of its blocks whole lines? */
static inline bool amp_priv_transpose_passes_caches(const amp_priv_head *out, const void *to, ptrdiff_t row)
{
    const int *const extent = amp_priv_head_extent(out);
    const size_t size = out->element->size;
    return (size_t)extent[0] * (size_t)extent[1] * size >= AMP_PRIV_NONTEMPORAL_BYTES &&
           (uintptr_t)to % AMP_PRIV_LINE == 0 && (size_t)row * size % AMP_PRIV_LINE == 0;
}

#define AMP_PRIV_DEFINE_TRANSPOSE(bits)                                                                                \
    typedef uint##bits##_t __attribute__((may_alias)) amp_priv_card_##bits;                                            \
    static inline void amp_priv_deal_##bits(amp_priv_card_##bits *restrict to,                                         \
                                            const amp_priv_card_##bits *restrict from, ptrdiff_t apart, int count)     \
    {                                                                                                                  \
        AMP_PRIV_VECTORS                                                                                               \
        for (int i = 0; i < count; i++) {                                                                              \
            to[4 * i] = from[i];                                                                                       \
            to[4 * i + 1] = from[i + apart];                                                                           \
            to[4 * i + 2] = from[i + 2 * apart];                                                                       \
            to[4 * i + 3] = from[i + 3 * apart];                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    AMP_PRIV_API int amp_priv_transpose_##bits(const amp_priv_head *out, const amp_priv_head *in, amp_index2 at)       \
    {                                                                                                                  \
        const int side = AMP_PRIV_DEAL_SIDE, hands = side / 4, all = AMP_PRIV_DEAL_ALL;                                \
        _Alignas(64) amp_priv_card_##bits one[AMP_PRIV_DEAL_ALL], two[AMP_PRIV_DEAL_ALL];                              \
        const int top = at.v[0] * side, left = at.v[1] * side;                                                         \
        const int rows = amp_priv_head_extent(out)[0] - top, columns = amp_priv_head_extent(out)[1] - left;            \
        const ptrdiff_t to_row = amp_priv_head_stride(out)[0], from_row = amp_priv_head_stride(in)[0];                 \
        amp_priv_card_##bits *const to =                                                                               \
            (amp_priv_card_##bits *)(void *)amp_priv_head_data(out) + top * to_row + left;                             \
        const amp_priv_card_##bits *const from =                                                                       \
            (const amp_priv_card_##bits *)(void *)amp_priv_head_data(in) + left * from_row + top;                      \
        if (rows < side || columns < side) {                                                                           \
            for (int i = 0; i < rows && i < side; i++)                                                                 \
                for (int j = 0; j < columns && j < side; j++)                                                          \
                    to[i * to_row + j] = from[j * from_row + i];                                                       \
            return 0;                                                                                                  \
        }                                                                                                              \
        for (int i = 0; i < hands; i++)                                                                                \
            amp_priv_deal_##bits(one + 4 * side * i, from + i * from_row, hands * from_row, side);                     \
        amp_priv_deal_##bits(two, one, all / 4, all / 4);                                                              \
        if (amp_priv_transpose_passes_caches(out, to, to_row)) {                                                       \
            for (int i = 0; i < side; i++) {                                                                           \
                amp_priv_deal_##bits(one, two + hands * i, all / 4, hands);                                            \
                for (int j = 0; j < side; j += AMP_PRIV_LINE * 8 / bits)                                               \
                    amp_priv_nontemporal_line(to + i * to_row + j, one + j);                                           \
            }                                                                                                          \
            amp_priv_nontemporal_end();                                                                                \
            return 0;                                                                                                  \
        }                                                                                                              \
        for (int i = 0; i < side; i++)                                                                                 \
            amp_priv_deal_##bits(to + i * to_row, two + hands * i, all / 4, hands);                                    \
        return 0;                                                                                                      \
    }
AMP_PRIV_DEFINE_TRANSPOSE(8)
AMP_PRIV_DEFINE_TRANSPOSE(16)
AMP_PRIV_DEFINE_TRANSPOSE(32)
AMP_PRIV_DEFINE_TRANSPOSE(64)

AMP_PRIV_API amp_accelerator_view amp_priv_transpose_where(amp_accelerator_view view, const amp_priv_head *out,
                                                           const amp_priv_head *in)
{
    const amp_priv_named heads[] = { { out, "out" }, { in, "v" } };
    return amp_priv_call_divides(view, 0) ? view : (amp_accelerator_view){ amp_priv_call_target(view, heads, 2) };
}

AMP_PRIV_API amp_tiled_extent2 amp_priv_transpose_threads(amp_accelerator_view view, amp_extent2 extent, int tile,
                                                          size_t size)
{
    if (AMP_PRIV_DEALS(size) && view.amp_priv_queue && amp_priv_is_host(view.amp_priv_queue->device->number))
        for (int d = 0; d < 2; d++)
            extent.v[d] = (extent.v[d] + AMP_PRIV_DEAL_SIDE - 1) / AMP_PRIV_DEAL_SIDE * tile;
    return amp_tiled_extent2_pad(amp_extent2_tile(extent, tile, tile));
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_ELEMENTWISE_H */
