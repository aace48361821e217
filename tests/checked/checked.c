// SPDX-License-Identifier: MIT
/*  checked.c - checked builds: this file is compiled with -DAMP_CHECKED, into programs of their own.
    Also tests amp/api/checked_access.h, amp/api/checked_kernel.h, amp/api/visits.h, amp/checked/debug.h,
    amp/codegen/checked_program.h, amp/launch/checked_launch.h, amp/checked/bounds.h, amp/memory/checked_writes.h,
    amp/memory/host_writes.h, amp/memory/checked_memory.h. */
#include "test.h"
#include "amp_algorithms.h"
#include "amp_graphics.h"
#include "child.h"

#include <unistd.h>

#if !defined(AMP_CHECKED)
#error "tests/checked/checked.c is for builds with AMP_CHECKED: build/test_checked_cpu, build/test_checked_opencl"
#endif

enum { N = 64, GUARD = 64 };

/* N elements of a view, and memory around them that nobody may touch. */
typedef struct guarded {
    int before[GUARD], values[N], after[GUARD];
} guarded;

static void guard(guarded *g)
{
    test_poison(g->before, GUARD);
    test_poison(g->values, N);
    test_poison(g->after, GUARD);
}

static bool is_guarded(const guarded *g)
{
    for (int i = 0; i < GUARD; i++)
        if (g->before[i] != POISON || g->after[i] != POISON)
            return false;
    return true;
}

/* ---- simple kernels ------------------------------------------------------------------------------ */

static void what_is_inside_is_no_error(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        {
            AMP_ARRAY_VIEW(int, 2, v, g.values, 8, 8);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 8 * i + j; });
        }
        expect_no_error();
        for (int i = 0; i < N; i++)
            check_int(g.values[i], i);
        check(is_guarded(&g));
    }
}

static void the_first_fault_is_the_error_of_the_launch(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        {
            AMP_ARRAY_VIEW(int, 1, v, g.values, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i == 5 ? 70 : i) = i; });
        }
        check_int(amp_launch_status(), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR,
                     "at index (5), the index (70) is outside of the view v, whose extent is (64); 1 access of this");
        check(is_guarded(&g));
        check_int(g.values[6], 6);
        check_int(g.values[5], POISON);
    }
}

static void the_message_names_the_kernel(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        {
            AMP_ARRAY_VIEW(int, 1, v, g.values, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i - 64) = i; });
        }
        expect_error(AMP_RUNTIME_ERROR, "kernel in the_message_names_the_kernel, at or near tests/checked/checked.c:");
        check(is_guarded(&g));
    }
}

static void every_kind_of_index_is_checked(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 1, v, g.values, N);
#define CHECK_INDEX(index, text)                                                                                       \
    do {                                                                                                               \
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(v), { AMP_AT(v, index) = i; });                \
        expect_error(AMP_RUNTIME_ERROR, "the index (" text ") is outside of the view v");                              \
    } while (0)
        CHECK_INDEX(-1, "-1");
        CHECK_INDEX(64, "64");
        CHECK_INDEX(64u, "64");
        CHECK_INDEX(4294967295u, "4294967295");
        CHECK_INDEX(1099511627776L, "1099511627776");
        CHECK_INDEX(-1099511627776L, "-1099511627776");
        CHECK_INDEX(18446744073709551615UL, "9223372036854775807");
        CHECK_INDEX(AMP_INDEX(64), "64");
#undef CHECK_INDEX
        check(is_guarded(&g));
    }
}

static void each_dimension_is_checked(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 2, v, g.values, 4, 16);
        /* inside of the memory, outside of the view */
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(v), { AMP_AT(v, i, 16) = 1; });
        expect_error(AMP_RUNTIME_ERROR,
                     "at index (0), the index (0, 16) is outside of the view v, whose extent is (4, 16)");
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(2, 3), (i, j), AMP_CAPTURE(v),
                                 { AMP_AT(v, AMP_INDEX(i == 1 && j == 2 ? -1 : 1, j)) = 1; });
        expect_error(AMP_RUNTIME_ERROR, "at index (1, 2), the index (-1, 2) is outside");
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(2, 5), AMP_EXTENT(2, 3)), (i, j), AMP_CAPTURE(v), {
            AMP_AT(v, i == 3 && j == 6 ? 4 : i, j) = 0;
        });
        expect_error(AMP_RUNTIME_ERROR, "at index (3, 6), the index (4, 6) is outside");
        check(is_guarded(&g));
    }
}

static void sections_have_bounds_of_their_own(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 2, v, g.values, 8, 8);
        const amp_array_view_int_2 part = amp_section(v, 2, 2, 3, 3);
        AMP_PARALLEL_FOR_EACH_ON(where, part.extent, (i, j), AMP_CAPTURE(part),
                                 { AMP_AT(part, i, j + (i == 2 && j == 2)) = 1; });
        expect_error(AMP_RUNTIME_ERROR,
                     "at index (2, 2), the index (2, 3) is outside of the view part, whose extent is (3, 3)");
    }
}

static void high_ranks(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 5, v, g.values, 2, 2, 2, 2, 4);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, at, AMP_CAPTURE(v), {
            amp_index5 to = at;
            if (at.v[0] == 1 && at.v[1] == 0 && at.v[2] == 1 && at.v[3] == 1 && at.v[4] == 3) to.v[2] = 2;
            AMP_AT(v, to) = 1;
        });
        expect_error(AMP_RUNTIME_ERROR,
                     "at index (1, 0, 1, 1, 3)"
                     ", the index (1, 0, 2, 1, 3) is outside of the view v, whose extent is (2, 2, 2, 2, 4)");
        const amp_domain5 half = AMP_DOMAIN(AMP_INDEX(1, 0, 1, 0, 2), AMP_EXTENT(1, 2, 1, 2, 2));
        AMP_PARALLEL_FOR_EACH_ON(where, half, (i, j, k, l, m), AMP_CAPTURE(v), {
            AMP_AT(v, i, j, k, l, j * l > 0 ? m + 1 : 0) = 0;
        });
        expect_error(AMP_RUNTIME_ERROR, "at index (1, 1, 1, 1, 3), the index (1, 1, 1, 1, 4) is outside");
        check(is_guarded(&g));
    }
}

static void the_view_is_named_among_several(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        float other[4] = { 0, 1, 2, 3 };
        const int scale = 2;
        {
            AMP_ARRAY_VIEW(int, 1, out, g.values, N);
            AMP_CONST_ARRAY_VIEW(float, 1, in, other, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(4), (i), AMP_CAPTURE(scale, out, in),
                                     { AMP_AT(out, i) = (int)AMP_AT(in, i * scale); });
        }
        expect_error(AMP_RUNTIME_ERROR, "is outside of the view in, whose extent is (4); 2 accesses");
        check(is_guarded(&g));
    }
}

AMP_DEFINE_TEXTURE(numbers, float, float, )
AMP_DEFINE_MIPMAPS(numbers, 2, float, float, )

/* A sampler goes beyond the edges, a write does not; and a level is of the extent that the texels are of. */
static void textures_are_checked_as_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float values[16 + 4 + 1], got[16] = { 0 };
        for (int i = 0; i < 21; i++)
            values[i] = (float)i;
        AMP_ARRAY_VIEW(float, 1, texels, values, 21);
        AMP_ARRAY_VIEW(float, 2, out, got, 4, 4);
        const amp_const_array_view_float_1 in = amp_as_const(texels);
        const amp_extent2 e = AMP_EXTENT(4, 4), wrong = AMP_EXTENT(4, 6);
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i, j), AMP_CAPTURE(in, out, AMP_VALUE(amp_extent2, e)), {
            const amp_sampler s = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_MIRROR);
            const amp_float_2 at = AMP_FLOAT_2((float)(i - 3), (float)(j - 4));
            AMP_AT(out, i, j) = numbers_sample_level_2(in, e, s, at, 0.5f * (float)i);
        });
        expect_no_error();
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i, j), AMP_CAPTURE(in, out, AMP_VALUE(amp_extent2, e)), {
            const amp_sampler s = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP);
            AMP_AT(out, i, j + 1) = numbers_get_2(numbers_level_2(in, e, 1), s, i, j);
        });
        expect_error(AMP_RUNTIME_ERROR, ", 4) is outside of the view out, whose extent is (4, 4); 4 accesses");
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i, j), AMP_CAPTURE(in, out, AMP_VALUE(amp_extent2, wrong)), {
            const amp_sampler s = AMP_SAMPLER(AMP_FILTER_POINT, AMP_ADDRESS_CLAMP);
            AMP_AT(out, i, j) = numbers_get_2(numbers_level_2(in, wrong, 0), s, i, j);
        });
        expect_error(AMP_RUNTIME_ERROR, "the index (23) is outside of the view in, whose extent is (21); 16 accesses");
    }
}

static void arrays_are_checked(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        AMP_ARRAY_ON(where, int, 1, a, 8);
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i + 1) = 1; });
        expect_error(AMP_RUNTIME_ERROR, "at index (7), the index (8) is outside of the view a, whose extent is (8)");
    }
}

AMP_FUNCTION(int, taken, (amp_array_view_int_2 m, int i, int j), { return AMP_AT(m, i, j); })

static void functions_are_checked(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        int sums[4] = { 0 };
        AMP_ARRAY_VIEW(int, 2, v, g.values, 8, 8);
        AMP_ARRAY_VIEW(int, 1, s, sums, 4);
        AMP_PARALLEL_FOR_EACH_ON(where, s.extent, (i), AMP_CAPTURE(v, s), { AMP_AT(s, i) = taken(v, 3 + 2 * i, 1); });
        expect_error(AMP_RUNTIME_ERROR,
                     "at index (3), the index (9, 1) is outside of the view v, whose extent is (8, 8)");
        check_int(taken(v, 8, 0), POISON);
        expect_error(AMP_RUNTIME_ERROR, "the index (8, 0) is outside of the view m, whose extent is (8, 8)");
    }
}

/* ---- tiled kernels ------------------------------------------------------------------------------- */

static void tile_and_thread_are_named(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 2, v, g.values, 8, 8);
        AMP_TILED_ON(where, v.extent, (2, 4), tile, AMP_CAPTURE(v), {
            AMP_THREADS(tile, t) {
                const int i = t.global.v[0], j = t.global.v[1];
                AMP_AT(v, i, j) = 1;
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                const int i = t.global.v[0], j = t.global.v[1];
                if (i == 5 && j == 6) AMP_AT(v, i + 3, j) = 2;
            }
        });
        expect_error(AMP_RUNTIME_ERROR,
                     "in tile (2, 1), thread (1, 2), global index (5, 6), the index (8, 6) is outside of the view v");
        check(is_guarded(&g));
    }
}

static void tile_uniform_code_is_checked(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        guarded g;
        guard(&g);
        AMP_ARRAY_VIEW(int, 1, v, g.values, N);
        AMP_TILED_ON(where, v.extent, (16), tile, AMP_CAPTURE(v), {
            AMP_THREADS(tile, t) { AMP_AT(v, t.global.v[0]) = 0; }
            amp_barrier_wait(tile.barrier);
            const int limit = AMP_AT(v, tile.tile.v[0] == 3 ? 64 : 0);
            AMP_THREADS(tile, t) { AMP_AT(v, t.global.v[0]) = limit; }
        });
        expect_error(AMP_RUNTIME_ERROR, test_is_cpu(where)
                                            ? "in tile (3), outside of its phases, the index (64) is outside"
                                            : "in tile (3), thread (");
    }
}

/* ---- the host ------------------------------------------------------------------------------------ */

static void the_host_is_checked(void **state)
{
    (void)state;
    guarded g;
    guard(&g);
    AMP_ARRAY_VIEW(int, 2, v, g.values, 8, 8);
    AMP_AT(v, 7, 7) = 1;
    expect_no_error();
    AMP_AT(v, 7, 8) = 2;
    expect_error(AMP_RUNTIME_ERROR, "the index (7, 8) is outside of the view v, whose extent is (8, 8)");
    check_int(AMP_AT(v, AMP_INDEX(-1, 0)), 2);
    expect_error(AMP_RUNTIME_ERROR, "AMP_AT at tests/checked/checked.c:");
    check(is_guarded(&g));
}

static void addresses_are_checked(void **state)
{
    (void)state;
    _Alignas(16) unsigned char bytes[64] = { 0 };
    amp_array_view_float_1 odd = amp_array_view_float_1_create((float *)(void *)(bytes + 2), AMP_EXTENT(4));
    expect_error(AMP_INVALID_ARGUMENT, "amp_array_view_float_1_create: the address");
    check_int(odd.amp_priv.kind, 0);
    AMP_ARRAY_VIEW(uint8_t, 1, u, bytes, 64);
    amp_array_view_int_1 cast = AMP_REINTERPRET_AS(amp_array_view_int_1, amp_section(u, 2, 10 - 2));
    expect_error(AMP_INVALID_ARGUMENT, "AMP_REINTERPRET_AS: the view would start 2 bytes into its source");
    check_int(cast.amp_priv.kind, 0);
    cast = AMP_REINTERPRET_AS(amp_array_view_int_1, amp_section(u, 4, 12 - 4));
    expect_no_error();
    check_int(cast.extent.v[0], 2);
    AMP_ARRAY_VIEW(uint8_t, 1, w, bytes + 1, 32);
    cast = AMP_REINTERPRET_AS(amp_array_view_int_1, w);
    expect_error(AMP_INVALID_ARGUMENT, "is not aligned for elements of int");
}

/* ---- AMP_BREAK_AT -------------------------------------------------------------------------------- */

static void stepped(int *values)
{
    AMP_ARRAY_VIEW(int, 2, v, values, 4, 8);
    AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), v.extent, (row, col),
                             AMP_CAPTURE(v), { AMP_AT(v, row, col) = row; });
}

static int child_stepped(void)
{
    int values[32] = { 0 };
    stepped(values);
    stepped(values);
    exit(0); /* not _exit: what was asked for and did not happen is told at the end */
}

/* Where the default is. */
static void placed(int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, 32);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
}

static int child_placed(void)
{
    int values[32] = { 0 };
    placed(values);
    placed(values);
    exit(0);
}

/* A device reports an index that is out of range before the stop, which comes all the same. */
static void led_out(int *values, int by)
{
    static int results[32];
    AMP_ARRAY_VIEW(int, 1, v, values, 32);
    AMP_ARRAY_VIEW(int, 1, out, results, 32);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, out, by), { AMP_AT(out, i) = AMP_AT(v, i + by); });
}

static int child_led_out(void)
{
    int values[32] = { 0 };
    led_out(values, 1);
    exit(0);
}

/* ---- phases that write tile-uniform variables ------------------------------------------------------ */

AMP_STRUCT(corner, { int x, y; });
AMP_DEFINE_ELEMENT(corner);
AMP_STRUCT(bounds, { int count; int least[2]; });
AMP_FUNCTION(void, add_to, (int *sum, int x), { *sum += x; });
AMP_FUNCTION(void, set_both, (int x, int *both), { both[0] = both[1] = x; });
AMP_FUNCTION(void, move_right, (corner *c), { c->x += 1; });
AMP_FUNCTION(int, sum_of, (int *both, int times), { return times * both[0] + *both == 3; });

static int child_uniform(void)
{
    int values[32] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, values, 32);
    for (int round = 0; round < 2; round++)
        AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
            int last = 0;
            AMP_THREADS(tile, t) { last = t.local.v[0]; }
            AMP_THREADS(tile, t) { AMP_AT(v, t.global) = last; }
        });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int count = 0;
        AMP_THREADS(tile, t) if (t.local.v[0] > 3) count = 4;
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = count; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        bool any = false;
        AMP_THREADS(tile, t) { if (t.local.v[0] == 3) any = true; }
        if (any)
            AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int sums[2] = { 0 };
        AMP_THREADS(tile, t) { sums[t.local.v[0] % 2] += 1; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sums[0]; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        corner low = { 0 };
        AMP_THREADS(tile, t) { if (t.local.v[0] == 3) low.x = 1; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = low.x; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        corner corners[2] = { { 0 } };
        AMP_THREADS(tile, t) { corners[1].y++; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = corners[1].y; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        bounds all = { 0 };
        AMP_THREADS(tile, t) { all.least[t.local.v[0] % 2] = 1; }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = all.least[1]; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int total = 0;
        AMP_THREADS(tile, t) { add_to(&total, t.local.v[0]); }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = total; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int pair[2] = { 0 };
        AMP_THREADS(tile, t) { set_both(sum_of(pair, 3) + 1, pair); }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = pair[1]; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        corner moved = { 0 };
        AMP_THREADS(tile, t) { move_right(&moved); }
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = moved.x; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int others = 0;
        AMP_THREADS(tile, t) {
            if (t.local.v[0]) {
            } else
                others = 1;
            AMP_AT(v, t.global) = others;
        }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        corner steps = { 0 };
        AMP_THREADS(tile, t) {
            (steps.x) += 2;
            AMP_AT(v, t.global) = steps.x;
        }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int same = 0;
        AMP_THREADS(tile, t) {
            int same = 1;
            same += t.local.v[0];
            AMP_AT(v, t.global) = same;
        }
        AMP_THREADS(tile, t) {
            same = 1;
            AMP_AT(v, t.global) += same;
        }
    });
    /* Nothing is wrong with these. */
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        int *unused = NULL;
        AMP_THREADS(tile, t) {
            int k = 0;
            if (t.local.v[0] == 0) {
            } else
                ++k;
            if (unused)
                *unused = 1;
            AMP_AT(v, t.global) = k;
        }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, block, [16]);
        AMP_TILE_STATIC(corner, shared);
        AMP_PRIVATE(corner, own);
        AMP_TILE_POINTER(int) const tail = block + 8;
        int steps[2] = { 1, 2 };
        corner low = { 0 };
        bounds all = { 0 };
        set_both(2, steps);
        all.least[1] = sum_of(steps, 2);
        low.y = steps[0];
        AMP_THREADS(tile, t) {
            corner mine = low;
            int both[2];
            mine.x += 1;
            both[0] = mine.x == steps[1];
            set_both(sum_of(steps, 3) + all.least[1], both);
            move_right(&mine);
            both[1] = low.x == 1 || steps[0] == 3;
            AMP_OWN(own).x = both[0];
            AMP_OWN(own).y = both[1];
            if (t.local.v[0] < 8)
                tail[t.local.v[0]] = mine.y;
            if (t.local.v[0] == 0)
                shared.x = 1;
            block[t.local.v[0] / 2] = 3;
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = tail[0] + shared.x + AMP_OWN(own).x + low.y; }
    });
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, first);
        AMP_TILE_STATIC(int, block, [16]);
        AMP_PRIVATE(int, own);
        AMP_PRIVATE(int, owns, [2]);
        int turns = 0;
        AMP_THREADS(tile, t)
        {
            if (t.local.v[0] == 0)
                first = 0;
        }
        for (int i = 0; i < 2; i++) {
            turns++;
            AMP_THREADS(tile, t) {
                amp_tiled_index1 other = t;
                int a = 1, b = 2, *p = &a;
                for (int k = 0; k < 3; ++k)
                    b += k == i ? a : -a;
                other.local.v[0] = b;
                *p = b;
                __typeof__(a) c = 1;
                c += a;
                if (t.local.v[0] == 0)
                    first = turns;
                else
                    a = b;
                AMP_OWN(own) = block[t.local.v[0]] = a + turns;
                AMP_OWN(owns, 1) = AMP_OWN(own)++ - other.local.v[0] + c;
                block[t.local.v[0]] += AMP_OWN(owns, 1);
            }
            turns -= 0;
            amp_barrier_wait(tile.barrier);
        }
        turns = 3;
        AMP_THREADS(tile, t) AMP_AT(v, t.global) = first + AMP_OWN(own) + turns;
        turns = 4;
    });
    exit(0);
}

/* ---- what goes wrong elsewhere ------------------------------------------------------------------------ */

static void doubled(const int *from, int *to)
{
    AMP_CONST_ARRAY_VIEW(int, 1, in, from, 64);
    AMP_ARRAY_VIEW(int, 1, out, to, 64);
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(in, out), { AMP_AT(out, i) = 2 * AMP_AT(in, i); });
}

static void increased(amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

static void raised(amp_accelerator_view where, amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

/* The library's own transfers to the memory under a view are nobody's mistake. */
static void moved_about(void)
{
    static int memory[1 << 15], other[64];
    AMP_ARRAY_VIEW(int, 1, v, memory, 1 << 15);
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    const amp_array_view_int_1 part = amp_section(v, 64, 64);
    FOR_EACH_ACCELERATOR(where)
    {
        raised(where, v);
        raised(cpu, v);
        raised(where, part);
        amp_array_view_synchronize(&v);
        raised(where, part);
        amp_array_view_synchronize_to(&v, cpu);
        raised(where, v);
        amp_future done = amp_array_view_synchronize_async(&v);
        amp_future_wait(done);
        amp_future_release(&done);
        raised(cpu, part);
        raised(where, v);
        amp_copy_out(part, other, 64);
        raised(where, v);
        const amp_array_view_int_1 before = amp_section(v, 0, 64);
        amp_copy(before, part);
        raised(where, v);
        AMP_AT(part, 3) = 1;
        raised(where, part);
    }
    FOR_EACH_ACCELERATOR(where) { raised(where, v); }
}

/* Nothing is wrong here. */
AMP_STRUCT(wide, { double a, b; });
AMP_DEFINE_ELEMENT(wide);
AMP_FUNCTION(wide, wide_sum, (wide a, wide b), { return (wide){ a.a + b.a, a.b + b.b }; })

static int child_quiet(void)
{
    static int memory[1 << 16], other[64];
    static wide wides[64];
    AMP_ARRAY_VIEW(wide, 1, w, wides, 64); /* a scan of these has more tile_static memory than some GPUs */
    AMP_INCLUSIVE_SCAN(wide, w, w.extent, (i), AMP_CAPTURE(w), AMP_AT(w, i), wide_sum(a, b), ((wide){ 0, 0 }));
    moved_about();
    AMP_ARRAY_VIEW(int, 1, all, memory, 1 << 16);
    increased(all);
    AMP_AT(all, 7) = 1; /* the library knows */
    increased(all);
    amp_array_view_synchronize(&all);
    memory[9] = 1;
    amp_array_view_refresh(&all);
    increased(amp_section(all, 64, 64));
    amp_array_view_synchronize(&all, AMP_ACCESS_READ_WRITE);
    memory[70] = 1;
    increased(all);
    amp_copy_in(other, 64, amp_section(all, 0, 64));
    increased(all);
    amp_array_view_synchronize(&all);
    doubled(memory, other); /* a second view, after the first was brought home */
    doubled(memory + 128, memory + 64);
    amp_array_view_refresh(&all);
    increased(all);
    amp_copy_out(all, memory, 1 << 16);
    increased(all);
    AMP_ARRAY(int, 1, a, 64);
    AMP_ARRAY(int, 1, b, 64);
    const int first = 1;
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, first), {
        if (!first)
            AMP_AT(a, i) = AMP_AT(b, i); /* is not reached */
        else
            AMP_AT(a, i) = i;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i) = AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i) += AMP_AT(a, i); });
    exit(0);
}

static int child_elsewhere(void)
{
    static int memory[64], other[64], large[64][64], many[1 << 20], late[64];
    AMP_ARRAY_VIEW(int, 2, tiles, &large[0][0], 64, 64);
    doubled(memory, memory);
    AMP_ARRAY_VIEW(int, 1, v, memory, 64);
    increased(v);
    doubled(memory, other);
    AMP_ARRAY_VIEW(int, 1, w, many, 1 << 20);
    increased(w);
    for (int i = 0; i < 1 << 20; i++)
        many[i] = i;
    increased(w);
    AMP_ARRAY_VIEW(int, 1, l, late, 64);
    const amp_accelerator_view where = amp_accelerator_default_view(amp_accelerator_default());
    raised(where, l);
    late[3] = 7;
    amp_array_view_synchronize(&l); /* may write there, too */
    raised(where, l);
    AMP_TILED(tiles.extent, (32, 64), tile, AMP_CAPTURE(tiles), {
        const int one = 1;
        AMP_THREADS(tile, t) { AMP_AT(tiles, t.global) = one; }
    });
    AMP_TILED(tiles.extent, (8, 8), tile, AMP_CAPTURE(tiles), {
        AMP_TILE_STATIC(int, block, [8][8][200]);
        AMP_THREADS(tile, t) { block[0][0][t.local.v[1]] = 1; }
        AMP_THREADS(tile, t) { AMP_AT(tiles, t.global) = block[0][0][0]; }
    });
    exit(0);
}

/* What is only read, and captured to be written. */
static int child_reading(void)
{
    int memory[8] = { 0 }, sums[8] = { 0 }, counts[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, read, memory, 8);
    AMP_CONST_ARRAY_VIEW(int, 1, fixed, memory, 8);
    AMP_ARRAY_VIEW(int, 1, sum, sums, 8);
    AMP_ARRAY_VIEW(int, 1, count, counts, 8);
    for (int round = 0; round < 2; round++)
        AMP_PARALLEL_FOR_EACH(read.extent, (i), AMP_CAPTURE(read, fixed, sum, count), {
            if (i >= 0) ++AMP_AT(count, i);
            AMP_AT(sum, i) += AMP_AT(read, i) + AMP_AT(fixed, i);
        });
    exit(0);
}

/* Launches of all versions are counted together, and their source is advised once. */
static int child_versions(void)
{
    int memory[8] = { 0 }, sums[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, read, memory, 8);
    AMP_ARRAY_VIEW(int, 1, sum, sums, 8);
    for (int n = 5; n < 9; n++) {
        AMP_PARALLEL_FOR_EACH(read.extent, (i), AMP_CAPTURE(read, sum, AMP_SPECIALIZE(n)), {
            AMP_ASSERT(n != 8 || i != 2);
            AMP_AT(sum, i) += AMP_AT(read, i) + n;
        });
        amp_array_view_synchronize(&sum);
    }
    exit(0);
}

CHILDREN({ "versions", child_versions }, { "stepped", child_stepped }, { "placed", child_placed },
         { "led_out", child_led_out }, { "quiet", child_quiet }, { "elsewhere", child_elsewhere },
         { "uniform", child_uniform }, { "reading", child_reading })

static void versions_are_counted_together(void **state)
{
    (void)state;
    char output[4096];
    if (child_run("versions", "AMP_BREAK_AT=child_versions:2,3", output, sizeof output) == -1)
        skip();
    check_that(strstr(output, "AMP_BREAK_AT stops the kernel in child_versions, launch 3, at index (2)"), "output: %s",
               output);
    child_run("versions", "AMP_LOG=info", output, sizeof output);
    check_that(strstr(output, ", n = 8: launch 4, at index (2), AMP_ASSERT(n != 8 || i != 2) is false"), "output: %s",
               output);
    check_that(count_of(output, "the body does not write read") == 1, "output: %s", output);
}

static void a_debugger_is_stopped_at_one_index(void **state)
{
    (void)state;
    char output[4096];
    const int status = child_run("stepped", "AMP_BREAK_AT=stepped:3,5", output, sizeof output);
    if (status == -1)
        skip();
    check_that(strstr(output, "AMP_BREAK_AT stops the kernel in stepped, launch 1, at index (3, 5)\n"), "output: %s",
               output);
    child_run("stepped", "AMP_BREAK_AT=stepped:3,5,2", output, sizeof output);
    check_that(strstr(output, "AMP_BREAK_AT stops the kernel in stepped, launch 2, at index (3, 5)\n"), "output: %s",
               output);
    child_run("placed", "AMP_BREAK_AT=placed:7,2", output, sizeof output);
    check_that(strstr(output, "AMP_BREAK_AT stops the kernel in placed, launch 2, at index (7)"), "output: %s", output);
    check_that(strstr(output, "at index (7), with the inputs that it had on ") || test_is_cpu(test_view(0)),
               "output: %s", output);
    child_run("led_out", "AMP_BREAK_AT=led_out:31", output, sizeof output);
    check_that(strstr(output, "AMP_BREAK_AT stops the kernel in led_out, launch 1, at index (31)"), "output: %s",
               output);
    /* Also where no launch runs on the CPU. */
    char on_last[300];
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int last = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES) - 1;
    snprintf(on_last, sizeof on_last, "AMP_BREAK_AT=displaced:3 AMP_ACCELERATOR=%s", amp_accelerator_path(all[last]));
    child_run("placed", on_last, output, sizeof output);
    check_that(strstr(output, "was launched in a function displaced"), "%s: %s", on_last, output);
    /* What does not match, or cannot, is told once. */
    static const struct {
        const char *environment, *told;
    } cases[] = {
        { "AMP_BREAK_AT=stepped:4,5", "AMP_BREAK_AT=stepped:4,5 stopped nothing: no launch in stepped had that index" },
        { "AMP_BREAK_AT=stepper:3,5", "no kernel with 2 dimensions was launched in a function stepper" },
        { "AMP_BREAK_AT=stepped:3,5,3",
          "AMP_BREAK_AT=stepped:3,5,3 stopped nothing: no launch in stepped had that index" },
        { "AMP_BREAK_AT=stepped:3", "no kernel with 1 dimension was launched in a function stepped" },
        { "AMP_BREAK_AT=3,5", "AMP_BREAK_AT is \"3,5\"; it can be" },
        { "AMP_BREAK_AT=stepped:3,", "AMP_BREAK_AT is \"stepped:3,\"; it can be" },
        { "AMP_BREAK_AT=stepped:3,5x", "AMP_BREAK_AT is" },
        { "AMP_BREAK_AT=:3,5", "AMP_BREAK_AT is" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_int(child_run("stepped", cases[i].environment, output, sizeof output), 0);
        check_that(count_of(output, cases[i].told) == 1, "%s: output: %s", cases[i].environment, output);
    }
    check_int(child_run("stepped", "AMP_BREAK_AT=", output, sizeof output), 0);
    check_that(!strstr(output, "AMP_BREAK_AT"), "output: %s", output);
}

static void phases_that_write_tile_uniform_variables_are_told(void **state)
{
    (void)state;
    char output[8192];
    const int status = child_run("uniform", "", output, sizeof output);
    if (status == -1)
        skip();
    check_int(status, 0);
    check_that(count_of(output, "a phase writes 'last', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'count', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'any', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'sums', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'low', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'corners', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'all', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'total', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'pair', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'moved', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'others', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'steps', a uniform variable") == 1 &&
                   count_of(output, "a phase writes 'same', a uniform variable") == 1 &&
                   count_of(output, "a phase writes") == 13,
               "output: %s", output);
}

static void what_goes_wrong_elsewhere_is_told(void **state)
{
    (void)state;
    static const char *const told[] = {
        "in and out are two views of the same memory",
        "reads memory that the kernel in increased",
        "the host memory under v was written after the kernel in increased",
        "the host memory under v was written after the kernel in raised",
        "a tile of (32, 64) has 2048 threads",
        "its tile_static variables take 51200 bytes, and some GPUs have",
    };
    static const char *const environments[] = { "", "AMP_FORCE_COPIES=1" };
    for (size_t e = 0; e < sizeof environments / sizeof environments[0]; e++) {
        char output[8192];
        if (child_run("elsewhere", environments[e], output, sizeof output) == -1)
            skip();
        for (size_t i = 0; i < sizeof told / sizeof told[0]; i++)
            check_that(count_of(output, told[i]) == 1, "%s: output: %s", told[i], output);
        check_int(child_run("quiet", environments[e], output, sizeof output), 0);
        check_that(!strstr(output, "amp:"), "output: %s", output);
    }
}

static void what_comes_home_for_nothing_is_told(void **state)
{
    (void)state;
    char output[8192];
    if (child_run("reading", "AMP_LOG=info", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "the body does not write read, which a device sends home") == 1 &&
                   count_of(output, "the body does not write") == 1,
               "output: %s", output);
}

static void what_nobody_wrote_is_not_read(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[8] = { 0 };
        AMP_ARRAY_ON(where, int, 1, a, 8);
        AMP_ARRAY_VIEW(int, 1, v, values, 8);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(a, v), {
            if (i == 5)
                AMP_AT(v, i) = AMP_AT(a, 1);
        });
        expect_error(AMP_RUNTIME_ERROR, "at index (5), it reads a, which was never written");
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = i; });
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(a, v), { AMP_AT(v, i) = AMP_AT(a, i); });
        expect_no_error();
        check_int(AMP_AT(v, 7), 7);
        AMP_ARRAY_ON(where, corner, 1, corners, 8); /* to write a member is no read */
        AMP_PARALLEL_FOR_EACH_ON(where, corners.extent, (i), AMP_CAPTURE(corners), {
            AMP_AT(corners, i).x = i;
            AMP_AT(corners, i).y = -i;
        });
        expect_no_error();
        /* Nor what was there before it was discarded. */
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        expect_error(AMP_RUNTIME_ERROR, "it reads v, which was never written since its data were discarded");
        AMP_AT(v, 0) = 1;
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        expect_no_error();
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        amp_array_view_int_1 half = amp_section(v, 0, 4);
        amp_array_view_discard_data(&half); /* the rest is there */
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        expect_no_error();
        check_int(AMP_AT(v, 7), 9);
        amp_array_view_discard_data(&v);
        values[3] = 5;
        amp_array_view_refresh(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        expect_no_error();
        check_int(AMP_AT(v, 3), 6);
    }
}

/* To discard is to say that nobody needs to send it: who has it can read it. */
static void what_was_discarded_is_read_where_it_is(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, v, 8); /* the program's own memory would be marked */
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, sum, 8);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, sum), { AMP_AT(sum, i) = AMP_AT(v, i); });
        expect_no_error();
        check_int(AMP_AT(sum, 7), 7);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(cpu, v.extent, (i), AMP_CAPTURE(v, sum), { AMP_AT(sum, i) = AMP_AT(v, i); });
        if (amp_accelerator_view_equal(where, cpu))
            expect_no_error();
        else
            expect_error(AMP_RUNTIME_ERROR, "it reads v, which was never written");
    }
}

static void launches_of_a_parallel_region_have_faults_of_their_own(void **state)
{
    (void)state;
    static int values[8][64];
    atomic_int wrong = 0;
#if defined(_OPENMP)
#pragma omp parallel for num_threads(4)
#endif
    for (int part = 0; part < 8; part++) {
        AMP_ARRAY_VIEW(int, 1, v, values[part], 64);
        AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), v.extent, (i),
                                 AMP_CAPTURE(v, part), { AMP_AT(v, i) = part; });
        for (int i = 0; i < 64; i++)
            wrong += AMP_AT(v, i) != part;
    }
    check_int(wrong, 0);
    expect_no_error();
}

/* On the CPU; the host reads and writes by pointers what it must not, and what it may. */
static void what_a_kernel_changed_is_away_until_the_host_asks(void **state)
{
    (void)state;
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    static double doubles[300];
    short few[6] = { 1, 2, 3, 4, 5, 6 };
    AMP_ARRAY_VIEW(double, 1, v, doubles, 300);
    AMP_ARRAY_VIEW(int16_t, 1, w, few, 6);
    for (int round = 1; round < 4; round++) {
        AMP_PARALLEL_FOR_EACH_ON(cpu, v.extent, (i), AMP_CAPTURE(v), {
            if (i % 2 == 0)
                AMP_AT(v, i) += 1;
        });
        assert_true(isnan(doubles[0]) && isnan(doubles[6]));
        check_int(doubles[7] == 0, 1); /* no kernel changed it */
        if (round == 2)
            amp_array_view_synchronize(&v);
        check_int(AMP_AT(amp_as_const(v), 298) == round, 1);
        check_int(doubles[0] == round, 1);
    }
    AMP_PARALLEL_FOR_EACH_ON(cpu, w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) = (int16_t)(i + 1 + (i > 2)); });
    check_int(few[2], 3);
    assert_true(few[3] != 4 && few[3] != 5);
    few[5] = 70;
    amp_array_view_refresh(&w);
    check_int(few[3], 5);
    check_int(few[5], 70);
    expect_no_error();
}

int run_checked_checked(void);
int run_checked_checked(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_inside_is_no_error),
        TEST(the_first_fault_is_the_error_of_the_launch),
        TEST(the_message_names_the_kernel),
        TEST(every_kind_of_index_is_checked),
        TEST(each_dimension_is_checked),
        TEST(sections_have_bounds_of_their_own),
        TEST(high_ranks),
        TEST(the_view_is_named_among_several),
        TEST(textures_are_checked_as_views),
        TEST(arrays_are_checked),
        TEST(functions_are_checked),
        TEST(tile_and_thread_are_named),
        TEST(tile_uniform_code_is_checked),
        TEST(the_host_is_checked),
        TEST(addresses_are_checked),
        TEST(versions_are_counted_together),
        TEST(a_debugger_is_stopped_at_one_index),
        TEST(phases_that_write_tile_uniform_variables_are_told),
        TEST(what_goes_wrong_elsewhere_is_told),
        TEST(what_comes_home_for_nothing_is_told),
        TEST(what_nobody_wrote_is_not_read),
        TEST(what_was_discarded_is_read_where_it_is),
        TEST(launches_of_a_parallel_region_have_faults_of_their_own),
        TEST(what_a_kernel_changed_is_away_until_the_host_asks),
    };
    return cmocka_run_group_tests_name("checked/checked", tests, NULL, NULL);
}
