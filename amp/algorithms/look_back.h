/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/look_back.h - one pass over the elements: tiles publish what they have, and look back.

    A tile combines its elements and publishes the result. Then it combines the results of the tiles before it, back to
    one that has published everything up to its own end, and publishes the same of itself. A tile that has not
    published after some tries is combined by the tile that looks: no tile has to wait for another, so that a device
    need not run them at the same time, or in any order.

    What is published are words of 32 bits: 16 bits of a value, 2 bits of status, 14 bits of the call's number. A word
    is complete in itself, so that a device needs neither atomic operations of 64 bits nor fences. The words of earlier
    calls are known by their number: memory for them is cleared before the first call and after 16,383 calls only, and
    nothing else is ever written there.

    Contents (search for the tag):
        >>plan  >>kernel  >>implementation */
#ifndef AMP_ALGORITHMS_LOOK_BACK_H
#define AMP_ALGORITHMS_LOOK_BACK_H

#include "plan.h"
#include "tile.h"

/* // >>plan */

/* What one launch does. */
AMP_STRUCT(amp_priv_tiles_step, {
    int64_t size;
    int tiles;
    int pass;          /* of an algorithm that has several */
    int begin;         /* the tile that comes first: not number 0 in tests */
    int tries;         /* to read what a tile publishes, before its elements are combined elsewhere */
    uint32_t own, all; /* a word's upper half: of the tile's value, of that of all up to its end */
});

/* How many words are a value. */
#define AMP_PRIV_PUBLISHED_WORDS(size) (((size) + 1) / 2)

/* Has the device what the kernels of scans and segments need, and does it gain by them? */
AMP_PRIV_API bool amp_priv_look_back_suits(const amp_priv_queue *queue);

/* After amp_priv_call_begin: fills in the step, and gets memory for `words` words of each tile. False after
   reporting. */
AMP_PRIV_API bool amp_priv_look_back_begin(amp_priv_call *call, amp_priv_tiles_step *step, int64_t size, int tiles,
                                           size_t words);

/* The view on the published words. */
AMP_PRIV_API void amp_priv_look_back_view(const amp_priv_call *call, amp_array_view_uint32_t_1 *out);

/* // >>kernel
   A kernel has amp_priv_published, the view, amp_priv_step, and amp_priv_number, its tile. `base` is where the words of
   a value begin, of all tiles. status: 0, the value is the tile's, 1, it is of all up to the end of the tile, more: it
   is not published yet, or is being published again. */

#define AMP_PRIV_TILE_NUMBER                                                                                           \
    (amp_priv_tile.tile.v[0] + amp_priv_step.begin -                                                                   \
     (amp_priv_tile.tile.v[0] < amp_priv_step.tiles - amp_priv_step.begin ? 0 : amp_priv_step.tiles))

/* An integer: the host's compiler sees these for other types, too, for which they never run. */
#define AMP_PRIV_BITS_OF(value)                                                                                        \
    AMP_PRIV_HOST_OR_DEVICE((uint64_t)AMP_PRIV_INTEGER_OR(value, 0), "(uint64_t)" #value)
#define AMP_PRIV_OF_BITS(value, bits)                                                                                  \
    AMP_PRIV_HOST_OR_DEVICE(                                                                                           \
        __builtin_choose_expr(AMP_PRIV_IS_INTEGER(value), (__typeof__(AMP_PRIV_INTEGER_OR(value, 0)))(bits), value),   \
        "(__typeof__(" #value "))(" #bits ")")
#define AMP_PRIV_INTEGER_OR(x, other) __builtin_choose_expr(AMP_PRIV_IS_INTEGER(x), x, other)

/* state: amp_priv_step.own or all. */
#define AMP_PRIV_PUBLISH(T, base, state, value)                                                                        \
    AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1) {                                                             \
        const T amp_priv_value = (value);                                                                              \
        const uint64_t amp_priv_bits = AMP_PRIV_BITS_OF(amp_priv_value);                                               \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(T)); amp_priv_k++)                  \
            amp_atomic_store(&AMP_PRIV_CELL(amp_priv_published, AMP_PRIV_PUBLISHED_AT(base, amp_priv_number)),         \
                             (state) | (uint32_t)(amp_priv_bits >> 16 * amp_priv_k & 0xffff));                         \
    }
#define AMP_PRIV_PUBLISHED_AT(base, tile) ((base) + amp_priv_k) * amp_priv_step.tiles + (tile)

#define AMP_PRIV_PUBLISHED(T, base, tile, status, value)                                                               \
    {                                                                                                                  \
        uint64_t amp_priv_bits = 0;                                                                                    \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < (int)AMP_PRIV_PUBLISHED_WORDS(sizeof(T)); amp_priv_k++) {                \
            const uint32_t amp_priv_word =                                                                             \
                amp_atomic_load(&AMP_PRIV_CELL(amp_priv_published, AMP_PRIV_PUBLISHED_AT(base, tile)));                \
            const uint32_t amp_priv_is = (amp_priv_word - amp_priv_step.own) >> 16;                                    \
            status = amp_priv_k == 0 || status == amp_priv_is ? amp_priv_is : 2;                                       \
            amp_priv_bits |= (uint64_t)(amp_priv_word & 0xffff) << 16 * amp_priv_k;                                    \
        }                                                                                                              \
        value = AMP_PRIV_OF_BITS(value, amp_priv_bits);                                                                \
    }

/* before: becomes what the tiles before number `next` have, combined, and itself, 256 tiles at a time. next: becomes 0,
   or the number after that of a tile that has not published. amp_priv_near: how near the next tile is that knows
   everything up to its end, and the next that has not published; 256: neither is among these. Turns take two places
   each by turns. */
#define AMP_PRIV_LOOK_BACK(T, base, next, before, operation)                                                           \
    {                                                                                                                  \
        enum { amp_priv_many_tiles }; /* for a compiler: many tiles are to run beside each other */              \
        AMP_PRIV_TILE_STATIC(int, amp_priv_near, [4]);                                                                 \
        AMP_PRIV_TILE_STATIC(T, amp_priv_joined, [8]);                                                                 \
        AMP_PRIV_PRIVATE_1(T, amp_priv_past);                                                                          \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            if (amp_priv_t.local.v[0] < 4) amp_priv_near[amp_priv_t.local.v[0]] = 256;                                 \
        }                                                                                                              \
        amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                         \
        for (int amp_priv_tries = 0, amp_priv_side = 0; next > 0 && amp_priv_tries < amp_priv_step.tries;) {           \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                const int amp_priv_back = 255 - amp_priv_t.local.v[0], amp_priv_i = next - 1 - amp_priv_back;          \
                uint32_t amp_priv_status = 1; /* before the first tile: nothing */                                     \
                T amp_priv_its = amp_priv_identity;                                                                    \
                if (amp_priv_i >= 0)                                                                                   \
                    AMP_PRIV_PUBLISHED(T, base, amp_priv_i, amp_priv_status, amp_priv_its)                             \
                if (amp_priv_status == 1)                                                                              \
                    amp_atomic_fetch_min(&amp_priv_near[amp_priv_side], amp_priv_back);                                \
                else if (amp_priv_status > 1)                                                                          \
                    amp_atomic_fetch_min(&amp_priv_near[amp_priv_side + 1], amp_priv_back);                            \
                AMP_OWN(amp_priv_past) = amp_priv_its;                                                                 \
            }                                                                                                          \
            amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                     \
            const int amp_priv_known = amp_priv_near[amp_priv_side];                                                   \
            const int amp_priv_missing = amp_priv_near[amp_priv_side + 1];                                             \
            const int amp_priv_are = amp_priv_known < amp_priv_missing ? amp_priv_known + 1 : amp_priv_missing;        \
            amp_priv_side = 2 - amp_priv_side;                                                                         \
            AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                              \
                if (amp_priv_t.local.v[0] < 256 - amp_priv_are) AMP_OWN(amp_priv_past) = amp_priv_identity;            \
            }                                                                                                          \
            AMP_PRIV_LOOK_BACK_JOIN(T, before, operation)                                                              \
            next = amp_priv_known < amp_priv_missing ? 0 : next - amp_priv_are;                                        \
            amp_priv_tries = amp_priv_are ? 0 : amp_priv_tries + 1;                                                    \
        }                                                                                                              \
    }
/* The tile that is combined next: the one before `next`; after the last of these, the own one again; -1: none. */
#define AMP_PRIV_LOOK_BACK_THEN(next)                                                                                  \
    ((next) > 0 ? (next) - 1 : amp_priv_at == amp_priv_number ? -1 : amp_priv_number)
/* From left to right. The values of a sub-group by a tree, neighbours first. */
#define AMP_PRIV_LOOK_BACK_JOIN(T, before, operation)                                                                  \
    {                                                                                                                  \
        AMP_PRIV_PRIVATE_1(T, amp_priv_other);                                                                         \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_half = 1; amp_priv_half < 32; amp_priv_half *= 2)                                            \
            { AMP_PRIV_SUBGROUP_LEVEL(amp_priv_tile, T, amp_priv_past, 32, operation) }                                \
    }                                                                                                                  \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_t.local.v[0] % 32 == 0)                                                                           \
            amp_priv_joined[amp_priv_t.local.v[0] / 32] = AMP_OWN(amp_priv_past);                                      \
        if (amp_priv_t.local.v[0] < 2) amp_priv_near[amp_priv_side + amp_priv_t.local.v[0]] = 256;                     \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    for (int amp_priv_w = 7; amp_priv_w >= 0; amp_priv_w--)                                                            \
        AMP_PRIV_COMBINE(T, before, amp_priv_joined[amp_priv_w], before, operation)

/* The results in amp_priv_exact, of `items` elements of each thread in a row, go to amp_priv_out. */
#define AMP_PRIV_ITEMS_STORE(names, items)                                                                             \
    {                                                                                                                  \
        const int64_t amp_priv_first = (int64_t)amp_priv_number * 256 * (items);                                       \
        const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                             \
        AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                         \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_k = 0; amp_priv_k < (items); amp_priv_k++) {                                             \
                const int amp_priv_j = amp_priv_k * 256 + amp_priv_t.local.v[0];                                       \
                if (amp_priv_j < amp_priv_left) {                                                                      \
                    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                 \
                    AMP_PRIV_OUT_AT(names) = amp_priv_exact[amp_priv_j + amp_priv_j / (items)];                        \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    }

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

enum { AMP_PRIV_LOOK_BACK_TRIES = 64, AMP_PRIV_LOOK_BACK_CALLS = (1 << 14) - 1 };

AMP_PRIV_API bool amp_priv_look_back_suits(const amp_priv_queue *queue)
{
    const amp_priv_device *const device = queue->device;
    return !amp_priv_queue_division(queue) && !amp_priv_is_host(device->number) &&
           (device->is_gpu || amp_priv_sort_tiles) && device->local_memory >= 48 << 10;
}

AMP_PRIV_API void amp_priv_look_back_view(const amp_priv_call *call, amp_array_view_uint32_t_1 *out)
{
    amp_priv_temporary_view(call->published, out, &amp_priv_element_uint32_t, 0,
                            call->published->bytes / sizeof(uint32_t));
}

AMP_PRIV_API bool amp_priv_look_back_begin(amp_priv_call *call, amp_priv_tiles_step *step, int64_t size, int tiles,
                                           size_t words)
{
    *step = (amp_priv_tiles_step){ .size = size,
                                   .tiles = tiles,
                                   .begin = amp_priv_sort_tiles > 0 ? tiles / 2 : 0,
                                   .tries = AMP_PRIV_LOOK_BACK_TRIES };
    if (!amp_priv_call_published(call, (size_t)tiles * words * sizeof(uint32_t)))
        return false;
    amp_priv_temporary *const published = call->published;
    if (published->calls == 0 || published->calls == AMP_PRIV_LOOK_BACK_CALLS) {
        amp_array_view_int_1 all;
        amp_priv_temporary_view(published, &all, &amp_priv_element_int, 0, published->bytes / sizeof(int));
        amp_priv_fill_zero(call->view, all);
        published->calls = 0;
        if (amp_priv_call_failed(call))
            return false;
    }
    step->own = (uint32_t)++published->calls << 18;
    step->all = step->own | 1 << 16;
    return true;
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_LOOK_BACK_H */
