/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/select.h - selections, partitions and unique elements, in order.

    The CPU backend scans flags (amp/algorithms/scan.h). A device evaluates the predicate once, in one pass
    (amp/algorithms/look_back.h): a tile counts its elements, adds up the counts of the tiles before it, computes the
    indexes of its elements and writes their values there. A partition counts in an earlier launch.

    A result that overlaps an input goes to temporary memory first; a last launch copies it.

    Contents (search for the tag):
        >>plan  >>kernel  >>select  >>implementation */
#ifndef AMP_ALGORITHMS_SELECT_H
#define AMP_ALGORITHMS_SELECT_H

#include "scan.h"

/* // >>plan */

enum { AMP_PRIV_SELECT_TILE = 8192 };

typedef struct amp_priv_selecting {
    amp_priv_scanning scan; /* the scan of the CPU backend; a device uses only its call */
    bool on_host;
    amp_priv_tiles_step step; /* pass 0: counts of a partition, 1: elements, 2: what comes after, 3: all is done */
    size_t state;             /* of runs: where they are in the temporary memory */
    bool whole, in_place;
    amp_priv_call held;           /* the memory for a result that lies where the call reads; */
    int held_count;               /* its elements, */
    const amp_priv_head *out;     /* and where it goes in the end */
    const amp_priv_head *lengths; /* of runs (amp/algorithms/runs.h), or NULL */
} amp_priv_selecting;

/* After the last launch: brings a result that was held to its place. view: on the held elements. */
AMP_PRIV_API void amp_priv_select_settle(amp_priv_selecting *s, const amp_priv_head *view);

/* False after reporting. The last of heads is out's, which is *view, and given where that becomes another one. result:
   a variable, a view or array for how many there are. whole: the others follow. */
AMP_PRIV_API bool amp_priv_select_begin(amp_priv_selecting *s, const char *name, amp_accelerator_view view,
                                        const amp_priv_named *heads, size_t count, int64_t size, const void *result,
                                        bool is_variable, bool whole, const amp_priv_head *given, void *out);

/* The next launch on a device: false when there is none. */
AMP_PRIV_API bool amp_priv_select_next(amp_priv_selecting *s, amp_array_view_uint32_t_1 *published,
                                       amp_array_view_int_1 *to);

AMP_PRIV_API int amp_priv_select_threads(const amp_priv_selecting *s);

/* A tile of the CPU backend. */
typedef struct amp_priv_select_tile {
    int flag[2048];   /* is the element selected? */
    int listed[2048]; /* the numbers of those that are from the front on, of the others from the back on */
    int selected;     /* how many */
} amp_priv_select_tile;

/* How many elements the launch reads of a tile. */
static inline int amp_priv_select_some(const amp_priv_scan_step *step, int number)
{
    const int64_t left = step->size - (int64_t)number * AMP_PRIV_SCAN_TILE;
    return step->pass == 1 || step->pass == 2 ? 0 : left < AMP_PRIV_SCAN_TILE ? (int)left : AMP_PRIV_SCAN_TILE;
}

/* A launch's part of a tile or group, as AMP_PRIV_SCAN_BODY does it. In pass 3 lists the tile's elements, and returns
   how many are selected before them. */
AMP_PRIV_API int amp_priv_select_host(amp_priv_select_tile *tile, const amp_priv_scan_step *step, int number,
                                      int *totals, int *befores, int *to);

/* The templates of the kernels (amp/launch/template.h): on the CPU backend, and on devices. */
AMP_PRIV_API const char *amp_priv_select_text(void);
AMP_PRIV_API const char *amp_priv_partition_text(void);
AMP_PRIV_API const char *amp_priv_select_tiles_text(void);
AMP_PRIV_API const char *amp_priv_partition_tiles_text(void);

/* // >>kernel */

#define AMP_PRIV_SELECT(name, where, out, count, whole, extent, names, captures, predicate, value, others)             \
    do {                                                                                                               \
        AMP_PRIV_IF_GIVEN(name, "out, count", where,                                                                   \
                          AMP_PRIV_IS_DECLARED(out) AMP_PRIV_AND_ALL_DECLARED((AMP_PRIV_LISTED(captures))))            \
        _Static_assert(AMP_PRIV_IS_OF_RANK_1(out), "amp: " name                                                        \
                                                   "(out, count, ...): out must be a view or array of rank 1");        \
        AMP_PRIV_CHECK_RESULT(name, count, "type int", amp_array_view_int_1)                                           \
        AMP_PRIV_IN_FORM(AMP_PRIV_SELECT_1, names, captures)                                                           \
        (name, where, out, AMP_PRIV_RESULT(count), AMP_PRIV_IS_VARIABLE(count, amp_array_view_int_1), whole, extent,   \
         names, (AMP_PRIV_IN_LIST(captures), amp_priv_out), predicate, value, others);                                 \
        AMP_PRIV_ONLY_IF_END                                                                                           \
    } while (0)
#define AMP_PRIV_SELECT_1(name, where, out, result, is_variable, whole, extent, names, captures, predicate, value,     \
                          others)                                                                                      \
    do {                                                                                                               \
        AMP_PRIV_CHECK_DOMAIN(name, extent, names)                                                                     \
        const AMP_PRIV_DOMAIN(names) amp_priv_domain = extent;                                                         \
        AMP_PRIV_EACH(AMP_PRIV_BOUND, ~, captures)                                                                     \
        __extension__ const __auto_type amp_priv_given = AMP_PRIV_GIVEN_1(out);                                        \
        __typeof__(1 ? amp_priv_given : amp_priv_given) amp_priv_out = amp_priv_given;                                 \
        amp_priv_selecting amp_priv_this;                                                                              \
        if (amp_priv_select_begin(&amp_priv_this, name, where, AMP_PRIV_HEADS(captures),                               \
                                  AMP_PRIV_HEADS_COUNT(captures),                                                      \
                                  amp_priv_domain_size(name, amp_priv_domain.v, AMP_PRIV_COUNT names), result,         \
                                  is_variable, whole, &amp_priv_given.amp_priv, &amp_priv_out)) {                      \
            amp_array_view_int_1 amp_priv_totals, amp_priv_befores, amp_priv_to;                                       \
            amp_array_view_uint32_t_1 amp_priv_published;                                                              \
            while (amp_priv_this.on_host &&                                                                            \
                   amp_priv_scan_next(&amp_priv_this.scan, &amp_priv_totals, &amp_priv_befores, &amp_priv_to)) {       \
                const amp_priv_scan_step amp_priv_step = amp_priv_this.scan.step;                                      \
                AMP_PRIV_TILED_FROM(                                                                                   \
                    __builtin_choose_expr(whole, amp_priv_partition_text, amp_priv_select_text),                       \
                    AMP_PRIV_SELECT_PARTS(names, predicate, value), amp_priv_this.scan.call.view,                      \
                    AMP_EXTENT(amp_priv_scan_threads(&amp_priv_this.scan)), (256), amp_priv_tile,                      \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_totals, amp_priv_befores, amp_priv_to,       \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_scan_step, amp_priv_step))),                                                  \
                    AMP_PRIV_SELECT_LOOPS(names, predicate, value, others));                                           \
            }                                                                                                          \
            while (amp_priv_select_next(&amp_priv_this, &amp_priv_published, &amp_priv_to)) {                          \
                const amp_priv_tiles_step amp_priv_step = amp_priv_this.step;                                          \
                AMP_PRIV_TILED_DEVICE(                                                                                 \
                    __builtin_choose_expr(whole, amp_priv_partition_tiles_text, amp_priv_select_tiles_text),           \
                    AMP_PRIV_SELECT_PARTS(names, predicate, value), amp_priv_this.scan.call.view,                      \
                    AMP_EXTENT(amp_priv_select_threads(&amp_priv_this)), (256), amp_priv_tile,                         \
                    ((AMP_PRIV_EACH(AMP_PRIV_AGAIN, ~, captures) amp_priv_published, amp_priv_to,                      \
                      AMP_VALUE(AMP_PRIV_DOMAIN(names), amp_priv_domain),                                              \
                      AMP_VALUE(amp_priv_tiles_step, amp_priv_step))),                                                 \
                    AMP_PRIV_SELECT_BODY(names, predicate, value, whole, 1, (), ()));                                  \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_select_settle(&amp_priv_this, &amp_priv_out.amp_priv);                                                \
        amp_priv_scan_end(&amp_priv_this.scan);                                                                        \
    } while (0)

#define AMP_PRIV_SELECT_PARTS(names, predicate, value)                                                                 \
    AMP_PRIV_INDEX_PARTS(names)                                                                                        \
    "\1" AMP_PRIV_TEXT_(predicate) "\1" AMP_PRIV_TEXT_(value)
/* As a scan of flags: what AMP_COMPARE runs on a device after the CPU backend's loops. */
#define AMP_PRIV_SELECT_HOST_BODY(names, predicate, value, others)                                                     \
    AMP_PRIV_SCAN_BODY(int, names, !!(predicate), a + b, (AMP_PRIV_SELECT_TILE(names, value) others), 0)

/* Does a tile keep its values in tile_static memory, as a target says? keeps: may it? */
#define AMP_PRIV_SELECT_KEEPS(keeps)                                                                                   \
    (AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_keeps(sizeof(*(amp_priv_out).data))") && (keeps))
#define AMP_PRIV_SELECT_PLACES(keeps, kept, other)                                                                     \
    AMP_PRIV_BRACKETS(AMP_PRIV_SELECT_KEEPS(keeps) ? (kept) : (other))
/* On a device. A thread has 32 elements in a row, whose bits it keeps. more, last: statements in parentheses, after a
   tile's elements and in a launch after all of them (amp/algorithms/runs.h), which needs amp_priv_listed: a tile that
   keeps its values has no such list. It reads each element once. */
#define AMP_PRIV_SELECT_BODY(names, predicate, value, whole, keeps, more, last)                                        \
    {                                                                                                                  \
        enum { amp_priv_is_keeping = AMP_PRIV_SELECT_KEEPS(keeps) };                                                   \
        AMP_PRIV_TILE_STATIC(int, amp_priv_sum, [16]);                                                                 \
        AMP_PRIV_TILE_STATIC(uint32_t, amp_priv_flag, AMP_PRIV_SELECT_PLACES(keeps, 512, 2048));                       \
        AMP_PRIV_TILE_STATIC(uint16_t, amp_priv_listed, AMP_PRIV_SELECT_PLACES(keeps, 1, 8192));                       \
        AMP_PRIV_TILE_STATIC(AMP_PRIV_TYPE_OF(amp_priv_out), amp_priv_kept, AMP_PRIV_SELECT_PLACES(keeps, 8192, 1));   \
        AMP_PRIV_PRIVATE_1(int, amp_priv_own);                                                                         \
        AMP_PRIV_PRIVATE_1(uint32_t, amp_priv_mask);                                                                   \
        const int amp_priv_number = AMP_PRIV_TILE_NUMBER, amp_priv_identity = 0;                                       \
        if (amp_priv_step.pass == 2) {                                                                                 \
            AMP_PRIV_UNWRAP last                                                                                       \
        } else {                                                                                                       \
            int amp_priv_selected = 0, amp_priv_before = 0;                                                            \
            AMP_PRIV_SELECT_COUNT(names, predicate, value, whole)                                                      \
            if (amp_priv_step.pass == 1) {                                                                             \
                const int64_t amp_priv_first = (int64_t)amp_priv_number * 8192;                                        \
                const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                     \
                const int amp_priv_some = amp_priv_left < 8192 ? (int)amp_priv_left : 8192;                            \
                AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                 \
                AMP_PRIV_SELECT_ELEMENTS(names, value, whole)                                                          \
                AMP_PRIV_UNWRAP more                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }

/* Macros: clang-format would join their lines. */
/* clang-format off */

/* amp_priv_selected: how many of the tile's elements are, and amp_priv_before, how many before them. A partition knows
   both in its second launch: it finds what the first one has published. */
#define AMP_PRIV_SELECT_COUNT(names, predicate, value, whole)                                                          \
    int amp_priv_next = amp_priv_number; /* the tiles from here on are added up */                                     \
    for (int amp_priv_at = amp_priv_number; amp_priv_at >= 0;) {                                                       \
        AMP_PRIV_SELECT_BITS(names, predicate, value, whole)                                                           \
        const int amp_priv_all = AMP_PRIV_SELECT_BEFORE(0, 8);                                                         \
        if (amp_priv_at == amp_priv_number) {                                                                          \
            amp_priv_selected = amp_priv_all;                                                                          \
            if (AMP_PRIV_SELECT_PUBLISHES(whole)) { AMP_PRIV_PUBLISH(int, 0, amp_priv_step.own, amp_priv_all) }        \
        } else {                                                                                                       \
            amp_priv_before += amp_priv_all;                                                                           \
            amp_priv_next = amp_priv_at;                                                                               \
        }                                                                                                              \
        AMP_PRIV_SELECT_ORDER(whole)                                                                                   \
        AMP_PRIV_LOOK_BACK(int, 0, amp_priv_next, amp_priv_before, a + b)                                              \
        amp_priv_at = amp_priv_next - 1;                                                                               \
    }                                                                                                                  \
    if (AMP_PRIV_SELECT_PUBLISHES(whole)) {                                                                            \
        AMP_PRIV_PUBLISH(int, 0, amp_priv_step.all, amp_priv_before + amp_priv_selected)                               \
    }
#define AMP_PRIV_SELECT_PUBLISHES(whole) (!(whole) || amp_priv_step.pass == 0)

/* The bits of the elements of tile amp_priv_at, and, as eight sums, how many are set. Of a whole tile a GPU has 8 rows
   under way. A thread takes its flags as words of four bytes. */
#define AMP_PRIV_SELECT_BITS(names, predicate, value, whole)                                                           \
    const int64_t amp_priv_first = (int64_t)amp_priv_at * 8192;                                                        \
    const int64_t amp_priv_left = amp_priv_step.size - amp_priv_first;                                                 \
    const int amp_priv_some = amp_priv_left < 8192 ? (int)amp_priv_left : 8192;                                        \
    AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                             \
    AMP_TILE_POINTER(uint8_t) const amp_priv_byte = (AMP_TILE_POINTER(uint8_t))amp_priv_flag;                          \
    (void)amp_priv_byte;                                                                                               \
    for (int amp_priv_part = 0; amp_priv_part < 4; amp_priv_part++)                                                    \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            if (amp_priv_is_keeping) {                                                                                 \
                AMP_PRIV_SELECT_KEEP(names, predicate, value, whole)                                                   \
            } else if (amp_priv_some == 8192) {                                                                        \
                AMP_PRIV_UNROLL_GPU                                                                                    \
                for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                         \
                    const int amp_priv_j = (amp_priv_part * 8 + amp_priv_row) * 256 + amp_priv_t.local.v[0];           \
                    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                 \
                    amp_priv_byte[amp_priv_j] = !!(predicate);                                                         \
                }                                                                                                      \
            } else {                                                                                                   \
                for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                         \
                    const int amp_priv_j = (amp_priv_part * 8 + amp_priv_row) * 256 + amp_priv_t.local.v[0];           \
                    amp_priv_byte[amp_priv_j] = 0;                                                                     \
                    if (amp_priv_j < amp_priv_some) {                                                                  \
                        AMP_PRIV_LINEAR(names, amp_priv_j)                                                             \
                        amp_priv_byte[amp_priv_j] = !!(predicate);                                                     \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        uint32_t amp_priv_bits = amp_priv_is_keeping ? amp_priv_flag[amp_priv_t.local.v[0]] : 0;                       \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = 0; amp_priv_k < (amp_priv_is_keeping ? 0 : 8); amp_priv_k++)                             \
            amp_priv_bits |= (amp_priv_flag[amp_priv_t.local.v[0] * 8 + amp_priv_k] * 0x10204080u >> 28)               \
                             << 4 * amp_priv_k;                                                                        \
        AMP_OWN(amp_priv_own) = (int)AMP_PRIV_ONES(amp_priv_bits);                                                     \
        if (amp_priv_at == amp_priv_number) AMP_OWN(amp_priv_mask) = amp_priv_bits;                                    \
    }                                                                                                                  \
    AMP_SUBGROUP_SUM(amp_priv_tile, int, amp_priv_own, 32);                                                            \
    AMP_PRIV_SELECT_SUMS(amp_priv_own, 0, 0)                                                                           \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);
/* The same of 8 rows, where a tile keeps its values: a sub-group has a word of flags. */
#define AMP_PRIV_SELECT_KEEP(names, predicate, value, whole)                                                           \
    int amp_priv_is[8];                                                                                                \
    AMP_PRIV_TYPE_OF(amp_priv_out) amp_priv_read[8];                                                                   \
    const int amp_priv_keep = amp_priv_at == amp_priv_number && amp_priv_step.pass == 1;                               \
    if (amp_priv_some == 8192) { /* without conditions eight loads are under way, with them four */                    \
        AMP_PRIV_SELECT_READ(names, predicate, value, whole, 1)                                                        \
    } else {                                                                                                           \
        AMP_PRIV_SELECT_READ(names, predicate, value, whole, amp_priv_j < amp_priv_some)                               \
    }                                                                                                                  \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                                     \
        const uint32_t amp_priv_votes = AMP_PRIV_HOST_OR_DEVICE(0, "amp_priv_ballot(amp_priv_is[amp_priv_row])");      \
        if (amp_priv_t.local.v[0] % 32 == 0)                                                                           \
            amp_priv_flag[(amp_priv_part * 8 + amp_priv_row) * 8 + amp_priv_t.local.v[0] / 32] =                       \
                amp_priv_votes;                                                                                        \
        if (amp_priv_keep && (amp_priv_is[amp_priv_row] | (whole)))                                                    \
            amp_priv_kept[(amp_priv_part * 8 + amp_priv_row) * 256 + amp_priv_t.local.v[0]] =                          \
                amp_priv_read[amp_priv_row];                                                                           \
    }
#define AMP_PRIV_SELECT_READ(names, predicate, value, whole, is_inside)                                                \
    AMP_PRIV_UNROLL_GPU                                                                                                \
    for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                                     \
        const int amp_priv_j = (amp_priv_part * 8 + amp_priv_row) * 256 + amp_priv_t.local.v[0];                       \
        amp_priv_is[amp_priv_row] = 0;                                                                                 \
        if (is_inside) {                                                                                               \
            AMP_PRIV_LINEAR(names, amp_priv_j)                                                                         \
            amp_priv_is[amp_priv_row] = !!(predicate);                                                                 \
            if (amp_priv_keep && (amp_priv_is[amp_priv_row] | (whole))) amp_priv_read[amp_priv_row] = (value);         \
        }                                                                                                              \
    }
/* What one thread of each sub-group has, from place `first` of amp_priv_sum on; what the sums from one place up to
   another are together. */
#define AMP_PRIV_SELECT_SUMS(own, first, thread)                                                                       \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        if (amp_priv_t.local.v[0] % 32 == (thread))                                                                    \
            amp_priv_sum[(first) + amp_priv_t.local.v[0] / 32] = AMP_OWN(own);                                         \
    }
#define AMP_PRIV_SELECT_BEFORE(first, end)                                                                             \
    __extension__({                                                                                                    \
        int amp_priv_s = 0;                                                                                            \
        for (int amp_priv_w = first; amp_priv_w < (end); amp_priv_w++) amp_priv_s += amp_priv_sum[amp_priv_w];         \
        amp_priv_s;                                                                                                    \
    })

/* Puts the tile's numbers in order, those that are selected from the front, the others from the back, so that
   neighbours write their values. Does the same again when another tile was counted: pocl 3.1 makes a wrong program of a
   barrier in a branch of a loop. */
#define AMP_PRIV_SELECT_ORDER(whole)                                                                                   \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        const uint32_t amp_priv_bits = AMP_OWN(amp_priv_mask);                                                         \
        AMP_OWN(amp_priv_own) = (int)AMP_PRIV_ONES(amp_priv_bits);                                                     \
    }                                                                                                                  \
    AMP_SUBGROUP_SCAN_SUM(amp_priv_tile, int, amp_priv_own, 32);                                                       \
    AMP_PRIV_SELECT_SUMS(amp_priv_own, 8, 31)                                                                          \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                      \
        int amp_priv_rank = AMP_PRIV_SELECT_BEFORE(8, 8 + amp_priv_t.local.v[0] / 32) + AMP_OWN(amp_priv_own);         \
        if (amp_priv_is_keeping) {                                                                                     \
            const uint32_t amp_priv_bits = AMP_OWN(amp_priv_mask);                                                     \
            amp_priv_flag[amp_priv_t.local.v[0]] = amp_priv_bits;                                                      \
            amp_priv_flag[256 + amp_priv_t.local.v[0]] = (uint32_t)amp_priv_rank - AMP_PRIV_ONES(amp_priv_bits);       \
        }                                                                                                              \
        AMP_PRIV_UNROLL_GPU                                                                                            \
        for (int amp_priv_k = amp_priv_is_keeping ? -1 : 31; amp_priv_k >= 0; amp_priv_k--) {                          \
            const int amp_priv_j = amp_priv_t.local.v[0] * 32 + amp_priv_k;                                            \
            const int amp_priv_is = (int)(AMP_OWN(amp_priv_mask) >> amp_priv_k & 1);                                   \
            amp_priv_rank -= amp_priv_is;                                                                              \
            if ((amp_priv_is | (whole)) && amp_priv_step.pass > 0)                                                     \
                amp_priv_listed[amp_priv_is ? amp_priv_rank : 8191 - amp_priv_j + amp_priv_rank] =                     \
                    (uint16_t)amp_priv_j;                                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);

#define AMP_PRIV_SELECT_ELEMENTS(names, value, whole)                                                                  \
    const int amp_priv_stored = AMP_PRIV_ROOM_FOR(amp_priv_out, amp_priv_before, amp_priv_selected);                   \
    if (!amp_priv_is_keeping) {                                                                                        \
        AMP_PRIV_SELECT_STORE(names, value, amp_priv_stored, amp_priv_listed[amp_priv_k], amp_priv_before + amp_priv_k)\
    } else if (!(whole)) {                                                                                             \
        AMP_PRIV_SELECT_STORE_KEPT(amp_priv_stored, 0, 0, 0)                                                           \
    }                                                                                                                  \
    if (whole) {                                                                                                       \
        uint32_t amp_priv_status;                                                                                      \
        int amp_priv_of_all; /* the last tile knows */                                                                 \
        AMP_PRIV_PUBLISHED(int, 0, amp_priv_step.tiles - 1, amp_priv_status, amp_priv_of_all)                          \
        (void)amp_priv_status;                                                                                         \
        const int amp_priv_others = amp_priv_of_all + (int)amp_priv_first - amp_priv_before;                           \
        const int amp_priv_unselected = amp_priv_some - amp_priv_selected;                                             \
        const int amp_priv_placed =                                                                                    \
            amp_priv_others < 0 ? 0 : AMP_PRIV_ROOM_FOR(amp_priv_out, amp_priv_others, amp_priv_unselected);           \
        if (amp_priv_is_keeping) {                                                                                     \
            AMP_PRIV_SELECT_STORE_KEPT(amp_priv_stored, 1, amp_priv_placed, amp_priv_others)                           \
        } else {                                                                                                       \
            AMP_PRIV_SELECT_STORE(names, value, amp_priv_placed, amp_priv_listed[8191 - amp_priv_k],                   \
                                  amp_priv_others + amp_priv_k)                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    if (amp_priv_number == amp_priv_step.tiles - 1) {                                                                  \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, 1)                                                           \
        AMP_PRIV_CELL(amp_priv_to, 0) = amp_priv_before + amp_priv_selected;                                           \
    }

/* What the tile keeps: the first `stored` of the selected elements, and the first `placed` of the others, which go from
   place `to` on. */
#define AMP_PRIV_SELECT_STORE_KEPT(stored, whole, placed, to)                                                          \
    for (int amp_priv_part = 0; amp_priv_part < 4; amp_priv_part++)                                                    \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_row = 0; amp_priv_row < 8; amp_priv_row++) {                                             \
                const int amp_priv_w = (amp_priv_part * 8 + amp_priv_row) * 8 + amp_priv_t.local.v[0] / 32;            \
                const int amp_priv_j = (amp_priv_part * 8 + amp_priv_row) * 256 + amp_priv_t.local.v[0];               \
                const uint32_t amp_priv_bits = amp_priv_flag[amp_priv_w];                                              \
                const uint32_t amp_priv_bit = 1u << amp_priv_t.local.v[0] % 32;                                        \
                const int amp_priv_k =                                                                                 \
                    (int)(amp_priv_flag[256 + amp_priv_w] + AMP_PRIV_ONES(amp_priv_bits & (amp_priv_bit - 1)));        \
                if ((amp_priv_bits & amp_priv_bit) && amp_priv_k < (stored))                                           \
                    AMP_AT(amp_priv_out, amp_priv_before + amp_priv_k) = amp_priv_kept[amp_priv_j];                    \
                if ((whole) && !(amp_priv_bits & amp_priv_bit) && amp_priv_j < amp_priv_some &&                        \
                    amp_priv_j - amp_priv_k < (placed))                                                                \
                    AMP_AT(amp_priv_out, (to) + amp_priv_j - amp_priv_k) = amp_priv_kept[amp_priv_j];                  \
            }                                                                                                          \
        }
/* As AMP_PRIV_SELECT_WRITE; a thread has 8 values under way before it writes one. */
#define AMP_PRIV_SELECT_STORE(names, value, count, from, to)                                                           \
    for (int amp_priv_row = 0; amp_priv_row < (count); amp_priv_row += 2048)                                           \
        AMP_PRIV_THREADS(amp_priv_tile, amp_priv_t) {                                                                  \
            AMP_PRIV_TYPE_OF(amp_priv_out) amp_priv_kept[8];                                                           \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_u = 0; amp_priv_u < 8; amp_priv_u++) {                                                   \
                const int amp_priv_k = amp_priv_row + amp_priv_u * 256 + amp_priv_t.local.v[0];                        \
                if (amp_priv_k < (count)) {                                                                            \
                    const int amp_priv_j = from;                                                                       \
                    AMP_PRIV_LINEAR(names, amp_priv_j)                                                                 \
                    amp_priv_kept[amp_priv_u] = (value);                                                               \
                }                                                                                                      \
            }                                                                                                          \
            AMP_PRIV_UNROLL_GPU                                                                                        \
            for (int amp_priv_u = 0; amp_priv_u < 8; amp_priv_u++) {                                                   \
                const int amp_priv_k = amp_priv_row + amp_priv_u * 256 + amp_priv_t.local.v[0];                        \
                if (amp_priv_k < (count)) AMP_AT(amp_priv_out, to) = amp_priv_kept[amp_priv_u];                        \
            }                                                                                                          \
        }

/* On the CPU backend: the tile's flags and values; amp_priv_select_host does what depends on no expression. */
#define AMP_PRIV_SELECT_LOOPS(names, predicate, value, others)                                                         \
    {                                                                                                                  \
        amp_priv_select_tile amp_priv_own;                                                                             \
        const int amp_priv_number = amp_priv_tile.tile.v[0] + amp_priv_step.first;                                     \
        const int amp_priv_some = amp_priv_select_some(&amp_priv_step, amp_priv_number);                               \
        const int64_t amp_priv_first = (int64_t)amp_priv_number * 2048;                                                \
        if (amp_priv_some > 0) {                                                                                       \
            AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                     \
            for (int amp_priv_row = 0; amp_priv_row * 256 < amp_priv_some; amp_priv_row++) {                           \
                const int amp_priv_left = amp_priv_some - amp_priv_row * 256;                                          \
                const int amp_priv_end = amp_priv_left < 256 ? amp_priv_left : 256;                                    \
                int *const amp_priv_flag = amp_priv_own.flag + amp_priv_row * 256;                                     \
                AMP_PRIV_LANES_OF(names, amp_priv_flag[amp_priv_t.local.v[0]] = !!(predicate);)                        \
            }                                                                                                          \
        }                                                                                                              \
        const int amp_priv_prefix = amp_priv_select_host(&amp_priv_own, &amp_priv_step, amp_priv_number,               \
                                                         amp_priv_totals.data, amp_priv_befores.data,                  \
                                                         amp_priv_to.data);                                            \
        if (amp_priv_step.pass == 3) {                                                                                 \
            AMP_PRIV_ORIGIN(names, amp_priv_first)                                                                     \
            const int *const amp_priv_listed = amp_priv_own.listed;                                                    \
            const int amp_priv_selected = amp_priv_own.selected;                                                       \
            const int amp_priv_stored = AMP_PRIV_ROOM_FOR(amp_priv_out, amp_priv_prefix, amp_priv_selected);           \
            AMP_PRIV_SELECT_WRITE(names, value, amp_priv_stored, amp_priv_listed[amp_priv_k],                          \
                                  amp_priv_prefix + amp_priv_k)                                                        \
            others                                                                                                     \
        }                                                                                                              \
    }

/* The same after a scan, each number in a place of its own. */
#define AMP_PRIV_SELECT_TILE(names, value)                                                                             \
    AMP_PRIV_TILE_STATIC(int, amp_priv_listed, [2048]);                                                                \
    const int64_t amp_priv_rest = amp_priv_step.size - amp_priv_first;                                                 \
    const int amp_priv_some = amp_priv_rest < 2048 ? (int)amp_priv_rest : 2048;                                        \
    if (amp_priv_some == 2048) {                                                                                       \
        AMP_PRIV_SCAN_WHOLE(names, AMP_PRIV_SELECT_RANK)                                                               \
    } else {                                                                                                           \
        AMP_PRIV_SCAN_ROWS(names, AMP_PRIV_SELECT_RANK)                                                                \
    }                                                                                                                  \
    amp_barrier_wait_with_tile_static_memory_fence(amp_priv_tile.barrier);                                             \
    const int amp_priv_selected = amp_priv_some > 0 ? AMP_PRIV_SELECTED - amp_priv_prefix : 0;                         \
    const int amp_priv_stored = AMP_PRIV_ROOM_FOR(amp_priv_out, amp_priv_prefix, amp_priv_selected);                   \
    AMP_PRIV_SELECT_WRITE(names, value, amp_priv_stored, amp_priv_listed[amp_priv_k], amp_priv_prefix + amp_priv_k)
#define AMP_PRIV_SELECT_RANK                                                                                           \
    const int amp_priv_rank = amp_priv_exact[AMP_PRIV_SPREAD_BEFORE] - amp_priv_prefix;                                \
    const int amp_priv_is = amp_priv_exact[AMP_PRIV_SPREAD] - amp_priv_prefix - amp_priv_rank;                         \
    amp_priv_listed[amp_priv_rank + ((amp_priv_is - 1) & (2047 - amp_priv_j))] = amp_priv_j; /* no branch */
#define AMP_PRIV_SELECTED                                                                                              \
    amp_priv_exact[AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_SCAN_PLACE((amp_priv_some - 1) / 8, (amp_priv_some - 1) % 8),      \
                                           "amp_priv_some + (amp_priv_some >> 5)")]
#define AMP_PRIV_SELECT_OTHERS(names, value)                                                                           \
    const int amp_priv_others =                                                                                        \
        AMP_PRIV_CELL(amp_priv_befores, amp_priv_step.groups) + (int)amp_priv_first - amp_priv_prefix;                 \
    const int amp_priv_unselected = amp_priv_some - amp_priv_selected;                                                 \
    const int amp_priv_placed = AMP_PRIV_ROOM_FOR(amp_priv_out, amp_priv_others, amp_priv_unselected);                 \
    AMP_PRIV_SELECT_WRITE(names, value, amp_priv_placed, amp_priv_listed[2047 - amp_priv_k],                           \
                          amp_priv_others + amp_priv_k)
/* The value at number `from` of the tile goes to number `to`, for amp_priv_k from 0 to count - 1. */
#define AMP_PRIV_SELECT_WRITE(names, value, count, from, to)                                                           \
    for (int amp_priv_row = 0; amp_priv_row < (count); amp_priv_row += 256) {                                          \
        const int amp_priv_end = (count) - amp_priv_row < 256 ? (count) - amp_priv_row : 256;                          \
        AMP_PRIV_THREADS_IN(amp_priv_tile, amp_priv_t, 0, amp_priv_end) {                                              \
            const int amp_priv_k = amp_priv_row + amp_priv_t.local.v[0];                                               \
            const int amp_priv_j = from;                                                                               \
            AMP_PRIV_LINEAR(names, amp_priv_j)                                                                         \
            AMP_AT(amp_priv_out, to) = (value);                                                                        \
        }                                                                                                              \
    }

/* // >>select
   AMP_SELECT_IF(out, count, extent, (i), AMP_CAPTURE(...), predicate, value): out = the values where the predicate
   is true, in order.
   AMP_SELECT_IF_ON(view, out, count, extent, (i), AMP_CAPTURE(...), predicate, value): the same on an accelerator
   view.
   AMP_PARTITION(out, count, extent, (i), AMP_CAPTURE(...), predicate, value): the same, and then the other values,
   in order.
   AMP_PARTITION_ON(view, out, count, extent, (i), AMP_CAPTURE(...), predicate, value): the same on an accelerator
   view.
   amp_unique(out, count, v): out = the first of adjacent equal elements.
   amp_unique_on(view, out, count, v): the same on an accelerator view.
   out  a view or array of rank 1; if it is too short, it gets the first values. AMP_PARTITION needs an element for each
        index. It may overlap what is read: the result then goes through temporary memory
   count  an int variable, which has the number of selected values when the call returns; or a view or array of int of
          rank 1, without waiting
   extent, i  as for AMP_REDUCE
   predicate, value  expressions of the index and of captured names
   v  a view or array of rank 1
   view  amp_accelerator_view
   Result: none; a statement.
   Errors: those of AMP_REDUCE; count is unchanged then. AMP_INVALID_ARGUMENT (out is too short): count has the full
   number, except of AMP_PARTITION; if a device writes it to a view, the error is reported when the host reads the
   number. Blocking: for a variable. Threads: any. Cost: on the CPU backend as AMP_EXCLUSIVE_SCAN; devices
   evaluate the predicate once, twice for AMP_PARTITION, and the value where it is written; one launch, two for
   AMP_PARTITION. Source: std::copy_if, std::stable_partition, std::unique_copy. */
#define AMP_SELECT_IF(...)                                                                                             \
    AMP_PRIV_TAKES_JUST_HERE(7, AMP_PRIV_GIVEN_SELECT_IF_ON, "AMP_SELECT_IF",                                          \
                             "out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i)", __VA_ARGS__)
#define AMP_SELECT_IF_ON(...)                                                                                          \
    AMP_PRIV_TAKES_JUST(8, AMP_PRIV_GIVEN_SELECT_IF_ON, "AMP_SELECT_IF_ON",                                            \
                        "view, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i)", __VA_ARGS__)
#define AMP_PRIV_GIVEN_SELECT_IF_ON(where, out, count, extent, names, captures, predicate, value)                      \
    AMP_PRIV_SELECT("AMP_SELECT_IF", where, out, count, false, extent, names, captures, predicate, value, )
#define AMP_PARTITION(...)                                                                                             \
    AMP_PRIV_TAKES_JUST_HERE(7, AMP_PRIV_GIVEN_PARTITION_ON, "AMP_PARTITION",                                          \
                             "out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i)", __VA_ARGS__)
#define AMP_PARTITION_ON(...)                                                                                          \
    AMP_PRIV_TAKES_JUST(8, AMP_PRIV_GIVEN_PARTITION_ON, "AMP_PARTITION_ON",                                            \
                        "view, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i)", __VA_ARGS__)
#define AMP_PRIV_GIVEN_PARTITION_ON(where, out, count, extent, names, captures, predicate, value)                      \
    AMP_PRIV_SELECT("AMP_PARTITION", where, out, count, true, extent, names, captures, predicate, value,               \
                    AMP_PRIV_SELECT_OTHERS(names, value))

#define amp_unique(out, count, v) amp_unique_on((amp_accelerator_view){ NULL }, out, count, v)
#define amp_unique_on(where, out, count, v)                                                                            \
    do {                                                                                                               \
        AMP_PRIV_READ_FROM("amp_unique", one, v)                                                                       \
        AMP_PRIV_SELECT("amp_unique", where, out, count, false, amp_priv_one.extent, (amp_priv_i),                     \
                        AMP_CAPTURE(amp_priv_one),                                                                     \
                        amp_priv_i == 0 || AMP_PRIV_CELL(amp_priv_one, amp_priv_i - 1) !=                              \
                                               AMP_PRIV_CELL(amp_priv_one, amp_priv_i),                                \
                        AMP_PRIV_CELL(amp_priv_one, amp_priv_i), );                                                    \
    } while (0)

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

AMP_PRIV_DEFINE_TEMPLATE(amp_priv_select_text,
                         AMP_PRIV_SELECT_HOST_BODY(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_2, amp_priv_part_3, ))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_partition_text,
                         AMP_PRIV_SELECT_HOST_BODY(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_2, amp_priv_part_3,
                                                   AMP_PRIV_SELECT_OTHERS(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_3)))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_select_tiles_text,
                         AMP_PRIV_SELECT_BODY(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_2, amp_priv_part_3, false, 1,
                                              (), ()))
AMP_PRIV_DEFINE_TEMPLATE(amp_priv_partition_tiles_text,
                         AMP_PRIV_SELECT_BODY(AMP_PRIV_TEMPLATE_NAMES, amp_priv_part_2, amp_priv_part_3, true, 1,
                                              (), ()))

/* Sums of the tiles of a group (pass 1), and of groups (pass 2). */
AMP_PRIV_NOINLINE void amp_priv_select_sums(const amp_priv_scan_step *step, int number, int *totals, int *befores)
{
    if (step->pass == 2) {
        for (int group = step->first > 0 ? step->first : 1; group < step->last; group++)
            befores[group + 1] += befores[group];
        return;
    }
    const int first = number * AMP_PRIV_SCAN_GROUP;
    int sum = 0;
    for (int i = first; i < step->tiles && i < first + AMP_PRIV_SCAN_GROUP; i++)
        totals[i] = sum += totals[i];
    befores[number + 1] = sum;
}

/* Lists the elements from number i on, of which `selected` are selected before; how many are so in all. No branch. */
static inline int amp_priv_select_list(amp_priv_select_tile *tile, int i, int some, int selected)
{
    for (; i < some; i++) {
        tile->listed[selected + ((tile->flag[i] - 1) & (2047 - i))] = i;
        selected += tile->flag[i];
    }
    return selected;
}

/* The same of 16 at once by AVX-512: a selection takes 0.6 to 0.66 of the time. An element goes behind others of its
   kind in the vector; those that are not selected go backwards. (Built-ins: immintrin.h takes 0.1 s to compile.) */
#if defined(__AVX512F__) && defined(__has_builtin)
#if __has_builtin(__builtin_ia32_cmpd512_mask) && __has_builtin(__builtin_ia32_compresssi512_mask) &&                  \
    __has_builtin(__builtin_ia32_storedqusi512_mask)
#define AMP_PRIV_SELECT_BY_16 1
#endif
#endif
#if defined(AMP_PRIV_SELECT_BY_16)
typedef int amp_priv_select_lanes __attribute__((__vector_size__(64)));
static inline int amp_priv_select_list_16(amp_priv_select_tile *tile, int some)
{
    const amp_priv_select_lanes none = { 0 }, last = { 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0 };
    amp_priv_select_lanes flag, up = 15 - last;
    int selected = 0, i = 0;
    for (; i + 16 <= some; i += 16, up += 16) {
        memcpy(&flag, tile->flag + i, sizeof flag);
        const uint16_t is = (uint16_t)__builtin_ia32_cmpd512_mask(flag, none, 4, 0xffff);
        const int count = __builtin_popcount(is);
        const amp_priv_select_lanes front = __builtin_ia32_compresssi512_mask(up, none, is);
        const amp_priv_select_lanes back = __builtin_ia32_compresssi512_mask(up, none, (uint16_t)~is);
#if defined(__clang__)
        const amp_priv_select_lanes turned = __builtin_ia32_permvarsi512(back, last);
#else
        const amp_priv_select_lanes turned = __builtin_shuffle(back, last);
#endif
        __builtin_ia32_storedqusi512_mask(tile->listed + selected, front, (uint16_t)((1u << count) - 1));
        __builtin_ia32_storedqusi512_mask(tile->listed + 2032 - (i - selected), turned, (uint16_t)(0xffffu << count));
        selected += count;
    }
    return amp_priv_select_list(tile, i, some, selected);
}
#else
#define amp_priv_select_list_16(tile, some) amp_priv_select_list(tile, 0, some, 0)
#endif

AMP_PRIV_API int amp_priv_select_host(amp_priv_select_tile *tile, const amp_priv_scan_step *step, int number,
                                      int *totals, int *befores, int *to)
{
    const int some = amp_priv_select_some(step, number);
    int selected = 0, prefix = 0;
    if (step->pass == 0) {
        for (int i = 0; i < some; i++)
            selected += tile->flag[i];
        totals[number] = selected;
    } else if (step->pass < 3) {
        amp_priv_select_sums(step, number, totals, befores);
    } else {
        selected = amp_priv_select_list_16(tile, some);
        prefix = number >= AMP_PRIV_SCAN_GROUP ? befores[number / AMP_PRIV_SCAN_GROUP] : 0;
        prefix += number % AMP_PRIV_SCAN_GROUP ? totals[number - 1] : 0;
        if (number == step->tiles - 1)
            *to = prefix + selected;
    }
    tile->selected = selected;
    return prefix;
}

/* How many words an element is, of 32 bits or of 8. */
static inline size_t amp_priv_select_words(const amp_priv_element *element)
{
    const bool whole = element->size % sizeof(uint32_t) == 0 && element->align % _Alignof(uint32_t) == 0;
    return whole ? element->size / sizeof(uint32_t) : element->size;
}

/* If out lies where the call reads, *view becomes one on temporary memory instead. False after reporting. */
AMP_PRIV_NOINLINE bool amp_priv_select_hold(amp_priv_selecting *s, const amp_priv_named *heads, size_t count,
                                            int64_t size, void *view)
{
    if (amp_priv_is_apart_of_all(s->out, heads, count - 1))
        return true;
    const amp_priv_call *const call = &s->scan.call;
    const int room = *amp_priv_head_extent(s->out);
    s->held_count = room < size ? room : (int)size;
    const int64_t most = INT_MAX / (int64_t)amp_priv_select_words(s->out->element);
    if (s->held_count > most) {
        amp_priv_too_many(call->name, s->held_count, most);
        return false;
    }
    s->in_place = amp_priv_call_begin(&s->held, call->name, call->view, NULL, 0,
                                      (size_t)s->held_count * s->out->element->size + 1);
    if (s->in_place)
        amp_priv_call_view(&s->held, view, s->out->element, 0, (size_t)s->held_count);
    return s->in_place;
}

/* The elements of one, seen as words, go to another: all, or as many elements of `width` words as count says. */
#define AMP_PRIV_DEFINE_SELECT_COPY(T)                                                                                 \
    AMP_PRIV_NOINLINE void amp_priv_select_copy_##T(amp_accelerator_view view, const amp_priv_head *to,                \
                                                    const amp_priv_head *from, amp_array_view_int_1 count, bool all)   \
    {                                                                                                                  \
        amp_array_view_##T##_1 in, out;                                                                                \
        amp_priv_shape there = amp_priv_shape_of(to), here = amp_priv_shape_of(from);                                  \
        const int width = (int)(to->element->size / sizeof(T));                                                        \
        there.extent[0] = here.extent[0] = here.extent[0] * width;                                                     \
        there.element_size = here.element_size = sizeof(T);                                                            \
        amp_priv_fill(&in, from->source, &amp_priv_element_##T, AMP_PRIV_VIEW, 0, &here);                              \
        amp_priv_fill(&out, to->source, &amp_priv_element_##T, AMP_PRIV_VIEW, 0, &there);                              \
        AMP_PARALLEL_FOR_EACH_ON(view, out.extent, (i), AMP_CAPTURE(in, out, count, width, all), {                     \
            if (all || i < (int64_t)AMP_AT(count, 0) * width) AMP_AT(out, i) = AMP_AT(in, i);                          \
        });                                                                                                            \
    }
AMP_PRIV_DEFINE_SELECT_COPY(uint32_t)
AMP_PRIV_DEFINE_SELECT_COPY(uint8_t)

/* clang-format on */

AMP_PRIV_API void amp_priv_select_settle(amp_priv_selecting *s, const amp_priv_head *view)
{
    amp_array_view_int_1 count;
    if (!s->in_place)
        return;
    if (s->held_count > 0 && !amp_priv_call_failed(&s->scan.call) &&
        amp_priv_result_view(&s->scan.call, &count, &amp_priv_element_int, s->scan.last)) {
        const amp_priv_element *const element = s->out->element;
        if (amp_priv_select_words(element) < element->size)
            amp_priv_select_copy_uint32_t(s->scan.call.view, s->out, view, count, s->whole);
        else
            amp_priv_select_copy_uint8_t(s->scan.call.view, s->out, view, count, s->whole);
    }
    amp_priv_call_end(&s->held);
}

/* What a device's launches need. False after reporting. */
AMP_PRIV_NOINLINE bool amp_priv_select_begin_tiles(amp_priv_selecting *s, const char *name, amp_accelerator_view view,
                                                   int64_t size)
{
    amp_priv_call *const call = &s->scan.call;
    const int tiles = amp_priv_call_tiles(name, size, AMP_PRIV_SELECT_TILE);
    if (!tiles)
        return false;
    const size_t state = s->lengths ? (size_t)tiles * sizeof(int) : 0;
    if (!amp_priv_call_begin(call, name, view, NULL, 0, state + sizeof(int) + 512) ||
        !amp_priv_look_back_begin(call, &s->step, size, tiles, AMP_PRIV_PUBLISHED_WORDS(sizeof(int))))
        return false;
    s->step.pass = s->whole ? -1 : 0;
    s->scan.element = &amp_priv_element_int;
    s->scan.last = amp_priv_call_part(call, sizeof(int));
    s->state = amp_priv_call_part(call, state);
    return true;
}

AMP_PRIV_API bool amp_priv_select_begin(amp_priv_selecting *s, const char *name, amp_accelerator_view view,
                                        const amp_priv_named *heads, size_t count, int64_t size, const void *result,
                                        bool is_variable, bool whole, const amp_priv_head *given, void *out)
{
    memset(s, 0, sizeof *s);
    amp_priv_call *const call = &s->scan.call;
    amp_priv_errors_mark(call);
    s->out = given;
    s->whole = whole;
    if (!amp_priv_head_ready(given, name) || !amp_priv_call_reads(heads, count) ||
        (whole && !amp_priv_has_room(name, "out", given, size)) ||
        !amp_priv_count_is_apart(name, result, is_variable, heads, count))
        return false;
    const amp_accelerator_view where = { amp_priv_call_target(view, heads, (int)count) };
    s->on_host = !where.amp_priv_queue || amp_priv_is_host(where.amp_priv_queue->device->number);
    if (s->on_host ? !amp_priv_scan_begin(&s->scan, name, where, heads, count, size, &amp_priv_element_int, result,
                                          is_variable, whole)
                   : !amp_priv_select_begin_tiles(s, name, where, size))
        return false;
    call->result = result;
    call->is_variable = is_variable;
    amp_priv_call_counts(call, "out", given, size);
    return amp_priv_select_hold(s, heads, count, size, out);
}

AMP_PRIV_API bool amp_priv_select_next(amp_priv_selecting *s, amp_array_view_uint32_t_1 *published,
                                       amp_array_view_int_1 *to)
{
    amp_priv_tiles_step *const step = &s->step;
    amp_priv_call *const call = &s->scan.call;
    if (s->on_host || amp_priv_call_failed(call))
        return false;
    if (++step->pass > (s->lengths ? 2 : 1)) {
        if (!s->in_place)
            amp_priv_call_wrote(call, s->out, s->lengths);
        return false;
    }
    amp_priv_look_back_view(call, published);
    return amp_priv_result_view(call, to, &amp_priv_element_int, s->scan.last);
}

AMP_PRIV_API int amp_priv_select_threads(const amp_priv_selecting *s)
{
    return AMP_PRIV_LANES * (s->step.pass == 2 ? s->step.tiles / AMP_PRIV_LANES + 1 : s->step.tiles);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_SELECT_H */
