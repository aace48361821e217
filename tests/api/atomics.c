// SPDX-License-Identifier: MIT
/*  atomics.c - atomic operations in global and in tile_static memory, with many threads at one cell and results
    that are known beforehand. */
#include "test.h"

enum { TILE = 64, TILES = 300, COUNT = TILE * TILES };

/* 32 bits that look random and are the same on every side. */
AMP_FUNCTION(unsigned, scrambled, (unsigned n), {
    n ^= n >> 16;
    n *= 0x7feb352du;
    n ^= n >> 15;
    n *= 0x846ca68bu;
    return n ^ (n >> 16);
})

/* ---- operations whose order does not matter, in global memory ------------------------------------ */

enum { CELLS = 8 };

/* All indices work on the same cells; the host does the same, one after the other. */
#define DEFINE_GLOBAL_TEST(name, T, cell, check_cells)                                                                 \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        const T start[CELLS] = {7, 7, (cell)1 << 30, 5, (T)~(cell)0, 0, (cell)0x55555555, 100};                        \
        T want[CELLS];                                                                                                 \
        memcpy(want, start, sizeof want);                                                                              \
        for (unsigned i = 0; i < COUNT; i++) {                                                                         \
            const T v = (T)((cell)scrambled(i) << 3 >> 1);                                                             \
            want[0] += (T)(i % 1000);                                                                                  \
            want[1] -= (T)(i % 77);                                                                                    \
            want[2] = v < want[2] ? v : want[2];                                                                       \
            want[3] = v > want[3] ? v : want[3];                                                                       \
            want[4] &= (T) ~((cell)1 << (i % 3 * 7));                                                                  \
            want[5] |= (T)((cell)1 << (i % 31));                                                                       \
            want[6] ^= v;                                                                                              \
        }                                                                                                              \
        want[7] += (T)(COUNT / 2 - COUNT / 5 * 2);                                                                     \
        FOR_EACH_ACCELERATOR (where) {                                                                                 \
            if (sizeof(T) == 8 && !test_has_atomics64(where))                                                      \
                continue;                                                                                              \
            T got[CELLS];                                                                                              \
            memcpy(got, start, sizeof got);                                                                            \
            {                                                                                                          \
                AMP_ARRAY_VIEW(T, 1, v, got, CELLS);                                                                   \
                AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(COUNT), (i), AMP_CAPTURE(v), {                              \
                    const T value = (T)((cell)scrambled((unsigned)i) << 3 >> 1);                                       \
                    amp_atomic_fetch_add(&AMP_AT(v, 0), (T)(i % 1000));                                                \
                    amp_atomic_fetch_sub(&AMP_AT(v, 1), (T)(i % 77));                                                  \
                    amp_atomic_fetch_min(&AMP_AT(v, 2), value);                                                        \
                    amp_atomic_fetch_max(&AMP_AT(v, 3), value);                                                        \
                    amp_atomic_fetch_and(&AMP_AT(v, 4), (T) ~((cell)1 << (i % 3 * 7)));                                \
                    amp_atomic_fetch_or(&AMP_AT(v, 5), (T)((cell)1 << (i % 31)));                                      \
                    amp_atomic_fetch_xor(&AMP_AT(v, 6), value);                                                        \
                    if (i % 2 == 0)                                                                                    \
                        amp_atomic_fetch_inc(&AMP_AT(v, 7));                                                           \
                    if (i % 5 < 2)                                                                                     \
                        amp_atomic_fetch_dec(&AMP_AT(v, 7));                                                           \
                });                                                                                                    \
            }                                                                                                          \
            check_cells(got, want, CELLS);                                                                             \
        }                                                                                                              \
    }
TEST_SAME(unsigned_longs, uint64_t, "%llu", unsigned long long)
#define check_unsigned_longs(got, want, count) check_same(unsigned_longs, got, want, count)
DEFINE_GLOBAL_TEST(global_int, int, unsigned, check_ints)
DEFINE_GLOBAL_TEST(global_uint32, uint32_t, uint32_t, check_unsigneds)
DEFINE_GLOBAL_TEST(global_int64, int64_t, uint64_t, check_longs)
DEFINE_GLOBAL_TEST(global_uint64, uint64_t, uint64_t, check_unsigned_longs)

/* Where int64_t is long, and where it is long long: atomics take both. */
static void both_types_of_64_bits(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_has_atomics64(where))
            continue;
        int64_t got[2] = { 0, 0 };
        const int64_t want[2] = { 8LL << 33, 7LL << 40 };
        {
            AMP_ARRAY_VIEW(int64_t, 1, v, got, 2);
            AMP_TILED_ON(where, AMP_EXTENT(8), (8), tile, AMP_CAPTURE(v), {
                AMP_TILE_STATIC(long, sum);
                AMP_TILE_STATIC(unsigned long long, most);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0)
                        sum = 0;
                    if (t.local.v[0] == 0)
                        most = 0;
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    amp_atomic_fetch_inc(&sum);
                    amp_atomic_fetch_max(&most, (unsigned long long)t.local.v[0] << 40);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 3)
                        AMP_AT(v, 0) = (int64_t)sum << 33;
                    if (t.local.v[0] == 5)
                        AMP_AT(v, 1) = (int64_t)most;
                }
            });
        }
        check_longs(got, want, 2);
    }
}

/* ---- the same in tile_static memory -------------------------------------------------------------- */

#define DEFINE_TILE_TEST(name, T, cell, check_cells)                                                                   \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        static T got[TILES * CELLS], want[TILES * CELLS];                                                              \
        for (unsigned tile = 0; tile < TILES; tile++) {                                                                \
            T *const w = want + tile * CELLS;                                                                          \
            const T start[CELLS] = {7, 7, (cell)1 << 30, 5, (T)~(cell)0, 0, (cell)0x55555555, 100};                    \
            memcpy(w, start, sizeof start);                                                                            \
            for (unsigned i = tile * TILE; i < (tile + 1) * TILE; i++) {                                               \
                const T v = (T)((cell)scrambled(i) << 3 >> 1);                                                         \
                w[0] += (T)(i % 1000);                                                                                 \
                w[1] -= (T)(i % 77);                                                                                   \
                w[2] = v < w[2] ? v : w[2];                                                                            \
                w[3] = v > w[3] ? v : w[3];                                                                            \
                w[4] &= (T) ~((cell)1 << (i % 3 * 7));                                                                 \
                w[5] |= (T)((cell)1 << (i % 31));                                                                      \
                w[6] ^= v;                                                                                             \
                w[7] += (T)(i % 2 == 0 ? 3 : -2);                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        FOR_EACH_ACCELERATOR (where) {                                                                                 \
            if (sizeof(T) == 8 && !test_has_atomics64(where))                                                      \
                continue;                                                                                              \
            memset(got, 0x5a, sizeof got);                                                                             \
            {                                                                                                          \
                AMP_ARRAY_VIEW(T, 1, out, got, TILES *CELLS);                                                          \
                AMP_TILED_ON(where, AMP_EXTENT(COUNT), (TILE), tile, AMP_CAPTURE(out, AMP_CONSTANT(CELLS)), {          \
                    AMP_TILE_STATIC(T, c, [CELLS]);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        const T start[CELLS] = {7, 7, (cell)1 << 30, 5, (T)~(cell)0, 0, (cell)0x55555555, 100};        \
                        if (t.local.v[0] < CELLS)                                                                      \
                            c[t.local.v[0]] = start[t.local.v[0]];                                                     \
                    }                                                                                                  \
                    amp_barrier_wait(tile.barrier);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        const int i = t.global.v[0];                                                                   \
                        const T value = (T)((cell)scrambled((unsigned)i) << 3 >> 1);                                   \
                        amp_atomic_fetch_add(&c[0], (T)(i % 1000));                                                    \
                        amp_atomic_fetch_sub(&c[1], (T)(i % 77));                                                      \
                        amp_atomic_fetch_min(&c[2], value);                                                            \
                        amp_atomic_fetch_max(&c[3], value);                                                            \
                        amp_atomic_fetch_and(&c[4], (T) ~((cell)1 << (i % 3 * 7)));                                    \
                        amp_atomic_fetch_or(&c[5], (T)((cell)1 << (i % 31)));                                          \
                        amp_atomic_fetch_xor(&c[6], value);                                                            \
                        for (int k = 0; k < (i % 2 == 0 ? 3 : 2); k++) {                                               \
                            if (i % 2 == 0)                                                                            \
                                amp_atomic_fetch_inc(&c[7]);                                                           \
                            else                                                                                       \
                                amp_atomic_fetch_dec(&c[7]);                                                           \
                        }                                                                                              \
                    }                                                                                                  \
                    amp_barrier_wait(tile.barrier);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        if (t.local.v[0] < CELLS)                                                                      \
                            AMP_AT(out, t.tile.v[0] * CELLS + t.local.v[0]) = c[t.local.v[0]];                         \
                    }                                                                                                  \
                });                                                                                                    \
            }                                                                                                          \
            check_cells(got, want, TILES *CELLS);                                                                      \
        }                                                                                                              \
    }
DEFINE_TILE_TEST(tile_static_int, int, unsigned, check_ints)
DEFINE_TILE_TEST(tile_static_uint32, uint32_t, uint32_t, check_unsigneds)
DEFINE_TILE_TEST(tile_static_int64, int64_t, uint64_t, check_longs)
DEFINE_TILE_TEST(tile_static_uint64, uint64_t, uint64_t, check_unsigned_longs)

/* ---- what the operations return ------------------------------------------------------------------ */

/* The cell goes through every value once, so the old values that inc and dec return are tickets: each once. */
static void tickets(void **state)
{
    (void)state;
    static int up[COUNT], down[COUNT], adds[COUNT], seen[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        test_poison(up, COUNT);
        test_poison(down, COUNT);
        test_poison(adds, COUNT);
        int counters[3] = { 0, COUNT, -500 };
        {
            AMP_ARRAY_VIEW(int, 1, a, up, COUNT);
            AMP_ARRAY_VIEW(int, 1, b, down, COUNT);
            AMP_ARRAY_VIEW(int, 1, c, adds, COUNT);
            AMP_ARRAY_VIEW(int, 1, counter, counters, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b, c, counter), {
                AMP_AT(a, i) = amp_atomic_fetch_inc(&AMP_AT(counter, 0));
                AMP_AT(b, i) = amp_atomic_fetch_dec(&AMP_AT(counter, 1));
                AMP_AT(c, i) = amp_atomic_fetch_add(&AMP_AT(counter, 2), 3);
            });
        }
        const int ends[3] = { COUNT, 0, 3 * COUNT - 500 };
        check_ints(counters, ends, 3);
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < COUNT; i++) {
            check_that(up[i] >= 0 && up[i] < COUNT && !(seen[up[i]] & 1), "ticket %d of index %d", up[i], i);
            seen[up[i]] |= 1;
            check_that(down[i] > 0 && down[i] <= COUNT && !(seen[down[i] - 1] & 2), "ticket %d of index %d", down[i],
                       i);
            seen[down[i] - 1] |= 2;
            const int nth = (adds[i] + 500) / 3;
            check_that((adds[i] + 500) % 3 == 0 && nth >= 0 && nth < COUNT && !(seen[nth] & 4), "%d of index %d",
                       adds[i], i);
            seen[nth] |= 4;
        }
    }
}

/* Each index leaves its number and takes what was there: all numbers come out once, but for the one that is left. */
#define CHECK_EXCHANGE(view, T)                                                                                        \
    do {                                                                                                               \
        static T taken[COUNT];                                                                                         \
        T left[1] = {0};                                                                                               \
        for (int i = 0; i < COUNT; i++)                                                                                \
            taken[i] = (T)POISON;                                                                                      \
        {                                                                                                              \
            AMP_ARRAY_VIEW(T, 1, old, taken, COUNT);                                                                   \
            AMP_ARRAY_VIEW(T, 1, cell, left, 1);                                                                       \
            AMP_PARALLEL_FOR_EACH_ON(view, old.extent, (i), AMP_CAPTURE(old, cell), {                                  \
                AMP_AT(old, i) = amp_atomic_exchange(&AMP_AT(cell, 0), (T)(i + 1));                                    \
            });                                                                                                        \
        }                                                                                                              \
        static unsigned char seen[COUNT + 1];                                                                          \
        memset(seen, 0, sizeof seen);                                                                                  \
        for (int i = 0; i <= COUNT; i++) {                                                                             \
            const double value = (double)(i < COUNT ? taken[i] : left[0]);                                             \
            check_that(value >= 0 && value <= COUNT && !seen[(int)value], "%g came out again, at index %d", value, i); \
            seen[(int)value] = 1;                                                                                      \
        }                                                                                                              \
    } while (0)

static bool has_double_atomics(amp_accelerator_view where)
{
    return test_has_double(where) && test_has_atomics64(where);
}

static void exchange_chains(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_EXCHANGE(where, int);
        CHECK_EXCHANGE(where, uint32_t);
        CHECK_EXCHANGE(where, float);
        if (test_has_atomics64(where)) {
            CHECK_EXCHANGE(where, int64_t);
            CHECK_EXCHANGE(where, uint64_t);
        }
        if (has_double_atomics(where))
            CHECK_EXCHANGE(where, double);
    }
}

static void exchange_in_tile_static(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        static float taken[COUNT];
        static int ints[COUNT];
        for (int i = 0; i < COUNT; i++)
            taken[i] = -1.0f;
        test_poison(ints, COUNT);
        {
            AMP_ARRAY_VIEW(float, 1, old, taken, COUNT);
            AMP_ARRAY_VIEW(int, 1, old_int, ints, COUNT);
            AMP_TILED_ON(where, old.extent, (TILE), tile, AMP_CAPTURE(old, old_int, AMP_CONSTANT(TILE)), {
                AMP_TILE_STATIC(float, cell);
                AMP_TILE_STATIC(int, int_cell);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0) {
                        cell = 0.0f;
                        int_cell = 0;
                    }
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    AMP_AT(old, t.global) = amp_atomic_exchange(&cell, (float)(t.local.v[0] + 1));
                    AMP_AT(old_int, t.global) = amp_atomic_exchange(&int_cell, t.local.v[0] + 1);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) { /* adding what was left over makes every tile's sum the same */
                    if (t.local.v[0] == TILE - 1) {
                        AMP_AT(old, t.global) += cell;
                        AMP_AT(old_int, t.global) += int_cell;
                    }
                }
            });
        }
        for (int tile = 0; tile < TILES; tile++) {
            float sum = 0.0f;
            int int_sum = 0;
            for (int i = 0; i < TILE; i++) {
                sum += taken[tile * TILE + i];
                int_sum += ints[tile * TILE + i];
            }
            check_that(sum == TILE * (TILE + 1) / 2, "the sum of tile %d is %g", tile, (double)sum);
            check_that(int_sum == TILE * (TILE + 1) / 2, "the sum of tile %d is %d", tile, int_sum);
        }
    }
}

/* ---- compare and exchange ------------------------------------------------------------------------ */

/* By one thread alone: the result, the cell and `expected` of every case. */
#define CHECK_COMPARE_EXCHANGE(view, T, low, high)                                                                     \
    do {                                                                                                               \
        enum { CASES = 5 };                                                                                            \
        T cells[CASES] = {low, low, high, high, 0}, seen[CASES] = {9, 9, 9, 9, 9};                                     \
        int done[CASES];                                                                                               \
        test_poison(done, CASES);                                                                                      \
        {                                                                                                              \
            AMP_ARRAY_VIEW(T, 1, cell, cells, CASES);                                                                  \
            AMP_ARRAY_VIEW(T, 1, saw, seen, CASES);                                                                    \
            AMP_ARRAY_VIEW(int, 1, result, done, CASES);                                                               \
            AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(1), (zero), AMP_CAPTURE(cell, saw, result), {                    \
                T expected = low;                                                                                      \
                AMP_AT(result, zero) = amp_atomic_compare_exchange(&AMP_AT(cell, 0), &expected, high);                 \
                AMP_AT(saw, 0) = expected;                                                                             \
                expected = high; /* not what is there */                                                               \
                AMP_AT(result, 1) = amp_atomic_compare_exchange(&AMP_AT(cell, 1), &expected, 3);                       \
                AMP_AT(saw, 1) = expected;                                                                             \
                expected = low; /* nor this, and the cell holds the new value already: still no success */             \
                AMP_AT(result, 2) = amp_atomic_compare_exchange(&AMP_AT(cell, 2), &expected, high);                    \
                AMP_AT(saw, 2) = expected;                                                                             \
                expected = high; /* a value for itself is a success */                                                 \
                AMP_AT(result, 3) = amp_atomic_compare_exchange(&AMP_AT(cell, 3), &expected, high);                    \
                AMP_AT(saw, 3) = expected;                                                                             \
                expected = 1; /* the second attempt knows what the first one saw */                                    \
                int attempts = 1;                                                                                      \
                while (!amp_atomic_compare_exchange(&AMP_AT(cell, 4), &expected, low))                                 \
                    attempts++;                                                                                        \
                AMP_AT(result, 4) = attempts;                                                                          \
                AMP_AT(saw, 4) = expected;                                                                             \
            });                                                                                                        \
        }                                                                                                              \
        const int results[CASES] = {1, 0, 0, 1, 2};                                                                    \
        check_ints(done, results, CASES);                                                                              \
        const T left[CASES] = {high, low, high, high, low}, saw[CASES] = {low, low, high, high, 0};                    \
        check(!memcmp(cells, left, sizeof left));                                                                      \
        check(!memcmp(seen, saw, sizeof saw));                                                                         \
    } while (0)

static void compare_exchange_by_one(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_COMPARE_EXCHANGE(where, int, -5, 7);
        CHECK_COMPARE_EXCHANGE(where, uint32_t, 4000000000u, 7);
        if (test_has_atomics64(where)) {
            CHECK_COMPARE_EXCHANGE(where, int64_t, -((int64_t)1 << 40), (int64_t)1 << 40);
            CHECK_COMPARE_EXCHANGE(where, uint64_t, (uint64_t)1 << 63, 7);
        }
        CHECK_COMPARE_EXCHANGE(where, float, -2.5f, 7);
        if (has_double_atomics(where))
            CHECK_COMPARE_EXCHANGE(where, double, -1e-300, 7);
    }
}

/* Every index adds its share by compare and exchange until it succeeds: nothing is lost, nothing counted twice, and
   the values that succeeded are all different. */
static void compare_exchange_by_all(void **state)
{
    (void)state;
    static int before[COUNT], seen[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        int cells[1] = { 0 };
        test_poison(before, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, cell, cells, 1);
            AMP_ARRAY_VIEW(int, 1, old, before, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, old.extent, (i), AMP_CAPTURE(cell, old), {
                int expected = 0;
                while (!amp_atomic_compare_exchange(&AMP_AT(cell, 0), &expected, expected + 1)) {
                }
                AMP_AT(old, i) = expected;
            });
        }
        check_int(cells[0], COUNT);
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < COUNT; i++) {
            check_that(before[i] >= 0 && before[i] < COUNT && !seen[before[i]], "%d at index %d", before[i], i);
            seen[before[i]] = 1;
        }
    }
}

/* In each tile exactly one thread wins the cell, and all see who it was. */
static void compare_exchange_in_tile_static(void **state)
{
    (void)state;
    static int won[COUNT], winner[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        test_poison(won, COUNT);
        test_poison(winner, COUNT);
        {
            AMP_ARRAY_VIEW(int, 1, w, won, COUNT);
            AMP_ARRAY_VIEW(int, 1, who, winner, COUNT);
            AMP_TILED_ON(where, w.extent, (TILE), tile, AMP_CAPTURE(w, who), {
                AMP_TILE_STATIC(unsigned, cell);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0)
                        cell = 12345u;
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    unsigned expected = 12345u;
                    const bool mine = amp_atomic_compare_exchange(&cell, &expected, (unsigned)t.local.v[0]);
                    AMP_AT(w, t.global) = mine;
                    AMP_AT(who, t.global) = mine ? t.local.v[0] : (int)expected;
                }
            });
        }
        for (int tile = 0; tile < TILES; tile++) {
            int winners = 0, number = -1;
            for (int i = 0; i < TILE; i++) {
                winners += won[tile * TILE + i] == 1;
                if (won[tile * TILE + i] == 1)
                    number = i;
                else
                    check_int(won[tile * TILE + i], 0);
            }
            check_that(winners == 1, "%d winners in tile %d", winners, tile);
            for (int i = 0; i < TILE; i++)
                check_int(winner[tile * TILE + i], number);
        }
    }
}

/* ---- float --------------------------------------------------------------------------------------- */

/* Sums of small integers and quarters are exact in float, in whatever order. */
static void float_sums(void **state)
{
    (void)state;
    static float parts[TILES], old[COUNT];
    FOR_EACH_ACCELERATOR(where)
    {
        float cells[3] = { 1.0f, 2.0f, 0.0f };
        for (int i = 0; i < TILES; i++)
            parts[i] = -1.0f;
        for (int i = 0; i < COUNT; i++)
            old[i] = -1.0f;
        {
            AMP_ARRAY_VIEW(float, 1, cell, cells, 3);
            AMP_ARRAY_VIEW(float, 1, part, parts, TILES);
            AMP_ARRAY_VIEW(float, 1, before, old, COUNT);
            AMP_TILED_ON(where, AMP_EXTENT(COUNT), (TILE), tile, AMP_CAPTURE(cell, part, before), {
                AMP_TILE_STATIC(float, sum);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0)
                        sum = 0.0f;
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    amp_atomic_fetch_add(&AMP_AT(cell, 0), 0.25f * (float)(t.global.v[0] % 4));
                    amp_atomic_fetch_sub(&AMP_AT(cell, 1), 0.5f);
                    AMP_AT(before, t.global) = amp_atomic_fetch_add(&AMP_AT(cell, 2), 1.0f);
                    amp_atomic_fetch_add(&sum, 1.5f);
                    amp_atomic_fetch_sub(&sum, 1.0f);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    if (t.local.v[0] == 0)
                        AMP_AT(part, t.tile) = sum;
                }
            });
        }
        const float want[3] = { 1.0f + 0.25f * 6 * (COUNT / 4), 2.0f - 0.5f * COUNT, COUNT };
        check_floats(cells, want, 3);
        for (int i = 0; i < TILES; i++)
            check_that(parts[i] == 0.5f * TILE, "the sum of tile %d is %g", i, (double)parts[i]);
        static unsigned char seen[COUNT];
        memset(seen, 0, sizeof seen);
        for (int i = 0; i < COUNT; i++) {
            check_that(old[i] >= 0 && old[i] < COUNT && !seen[(int)old[i]], "%g at index %d", (double)old[i], i);
            seen[(int)old[i]] = 1;
        }
    }
}

/* A float subtraction gives the float that was there, fraction and sign included. */
static void float_results(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float cells[3] = { -2.75f, 0.5f, 1e30f }, old[4] = { 9, 9, 9, 9 };
        {
            AMP_ARRAY_VIEW(float, 1, cell, cells, 3);
            AMP_ARRAY_VIEW(float, 1, was, old, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(cell, was), {
                AMP_AT(was, zero) = amp_atomic_fetch_sub(&AMP_AT(cell, 0), 0.5f);
                AMP_AT(was, 1) = amp_atomic_fetch_add(&AMP_AT(cell, 1), 2); /* an int becomes a float */
                AMP_AT(was, 2) = amp_atomic_exchange(&AMP_AT(cell, 2), -0.125f);
                AMP_AT(was, 3) = amp_atomic_fetch_sub(&AMP_AT(cell, 2), -1.0f);
            });
        }
        const float want[3] = { -3.25f, 2.5f, 0.875f }, returned[4] = { -2.75f, 0.5f, 1e30f, -0.125f };
        check_floats(cells, want, 3);
        check_floats(old, returned, 4);
    }
}

/* Sums, least and greatest of quarters are exact in whatever order; of many threads at one cell, in global and in
   tile_static memory. step: what only this type can add, and not lose. */
#define DEFINE_REAL_TEST(name, T, step, has, check_cells)                                                              \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        FOR_EACH_ACCELERATOR (where) {                                                                                 \
            if (!has(where))                                                                                           \
                continue;                                                                                              \
            T cells[9] = {1, 1, 1000, -1000, 1, 1, 1000, -1000, 0};                                                    \
            {                                                                                                          \
                AMP_ARRAY_VIEW(T, 1, cell, cells, 9);                                                                  \
                AMP_TILED_ON(where, AMP_EXTENT(COUNT), (TILE), tile, AMP_CAPTURE(cell), {                              \
                    AMP_TILE_STATIC(T, own, [4]);                                                                      \
                    AMP_THREADS(tile, t) {                                                                             \
                        if (t.local.v[0] < 4)                                                                          \
                            own[t.local.v[0]] = t.local.v[0] < 2 ? 0 : t.local.v[0] == 2 ? 500 : -500;                 \
                    }                                                                                                  \
                    amp_barrier_wait(tile.barrier);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        const T value = (T)(scrambled((unsigned)t.global.v[0]) % 4096u) / 4 - 512;                     \
                        amp_atomic_fetch_add(&AMP_AT(cell, 0), step);                                                  \
                        amp_atomic_fetch_sub(&AMP_AT(cell, 1), (T)0.25f);                                              \
                        amp_atomic_fetch_min(&AMP_AT(cell, 2), value);                                                 \
                        amp_atomic_fetch_max(&AMP_AT(cell, 3), value);                                                 \
                        amp_atomic_fetch_add(&own[0], step);                                                           \
                        amp_atomic_fetch_sub(&own[1], (T)0.25f);                                                       \
                        amp_atomic_fetch_min(&own[2], value);                                                          \
                        amp_atomic_fetch_max(&own[3], value);                                                          \
                    }                                                                                                  \
                    amp_barrier_wait(tile.barrier);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        if (t.local.v[0] == 0) {                                                                       \
                            amp_atomic_fetch_add(&AMP_AT(cell, 4), own[0]);                                            \
                            amp_atomic_fetch_add(&AMP_AT(cell, 5), own[1]);                                            \
                            amp_atomic_fetch_min(&AMP_AT(cell, 6), own[2]);                                            \
                            amp_atomic_fetch_max(&AMP_AT(cell, 7), own[3]);                                            \
                            if (t.tile.v[0] == 7)                                                                      \
                                AMP_AT(cell, 8) = amp_atomic_fetch_max(&own[3], (T)600);                               \
                        }                                                                                              \
                    }                                                                                                  \
                });                                                                                                    \
            }                                                                                                          \
            T low = 1000, high = -1000, seventh = -500;                                                                \
            for (unsigned i = 0; i < COUNT; i++) {                                                                     \
                const T value = (T)(scrambled(i) % 4096u) / 4 - 512;                                                   \
                low = value < low ? value : low;                                                                       \
                high = value > high ? value : high;                                                                    \
                seventh = i / TILE == 7 && value > seventh ? value : seventh;                                          \
            }                                                                                                          \
            const T sum = 1 + COUNT * (step), rest = 1 - COUNT / 4;                                                    \
            const T want[9] = {sum, rest, low, high, sum, rest, low, high, seventh};                                   \
            check_cells(cells, want, 9);                                                                               \
        }                                                                                                              \
    }
#define HAS_FLOAT_ATOMICS(where) true
DEFINE_REAL_TEST(reals_float, float, 0.5f, HAS_FLOAT_ATOMICS, check_floats)
DEFINE_REAL_TEST(reals_double, double, 1.0 + 1.0 / ((int64_t)1 << 34), has_double_atomics, check_doubles)

/* ---- load and store ------------------------------------------------------------------------------ */

/* A thread stores one value as a whole, and what is loaded was stored: all bytes of one thread's. */
#define CHECK_LOAD_STORE(view, T, first, second)                                                                       \
    do {                                                                                                               \
        T cells[3] = {first, second, 0}, seen[COUNT];                                                                  \
        memset(seen, 0x5a, sizeof seen);                                                                               \
        {                                                                                                              \
            AMP_ARRAY_VIEW(T, 1, cell, cells, 3);                                                                      \
            AMP_ARRAY_VIEW(T, 1, saw, seen, COUNT);                                                                    \
            AMP_TILED_ON(view, saw.extent, (TILE), tile, AMP_CAPTURE(cell, saw), {                                     \
                AMP_TILE_STATIC(T, own);                                                                               \
                AMP_THREADS(tile, t) { amp_atomic_store(&own, t.local.v[0] % 2 ? first : second); }                    \
                amp_barrier_wait(tile.barrier);                                                                        \
                AMP_THREADS(tile, t) {                                                                                 \
                    const T here = amp_atomic_load(&own);                                                              \
                    amp_atomic_store(&AMP_AT(cell, 0), here);                                                          \
                    AMP_AT(saw, t.global) = t.local.v[0] ? amp_atomic_load(&AMP_AT(cell, 0)) : here;                   \
                    if (t.global.v[0] == 0)                                                                            \
                        amp_atomic_store(&AMP_AT(cell, 2), amp_atomic_load(&AMP_AT(cell, 1)));                         \
                }                                                                                                      \
            });                                                                                                        \
        }                                                                                                              \
        const T one = first, other = second;                                                                           \
        for (int i = 0; i < COUNT; i++)                                                                                \
            check_that(!memcmp(&seen[i], &one, sizeof one) || !memcmp(&seen[i], &other, sizeof other),                 \
                       "index %d of " #T " saw what nobody stored", i);                                                \
        check(!memcmp(&cells[0], &one, sizeof one) || !memcmp(&cells[0], &other, sizeof other));                       \
        check(!memcmp(&cells[1], &other, sizeof other) && !memcmp(&cells[2], &other, sizeof other));                   \
        amp_atomic_store(&cells[1], first);                                                                            \
        check(memcmp(&cells[1], &one, sizeof one) == 0 && amp_atomic_load(&cells[1]) == one);                          \
    } while (0)

static void load_and_store(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        CHECK_LOAD_STORE(where, int, -5, 0x12345678);
        CHECK_LOAD_STORE(where, uint32_t, 4000000000u, 1);
        CHECK_LOAD_STORE(where, float, -2.5f, 1e30f);
        if (test_has_atomics64(where)) {
            CHECK_LOAD_STORE(where, int64_t, -((int64_t)1 << 40), 77);
            CHECK_LOAD_STORE(where, uint64_t, (uint64_t)1 << 63, 5);
        }
        if (has_double_atomics(where))
            CHECK_LOAD_STORE(where, double, -1e300, 1e-300);
    }
}

/* ---- where the address comes from ---------------------------------------------------------------- */

AMP_FUNCTION(int, count_up, (amp_array_view_int_1 v, int i), { return amp_atomic_fetch_add(&AMP_AT(v, i), 2); })
AMP_STRUCT(counters, { int hits; float sum; });
AMP_DEFINE_ELEMENT(counters)

/* Elements of views of rank 2, members of structs, through functions, on the host; the address is evaluated once. */
static void addresses(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int cells[2][3] = { { 0 } }, one[2] = { 0, 0 };
        counters both[2] = { { 1, 0.5f }, { 2, 1.5f } };
        {
            AMP_ARRAY_VIEW(int, 2, m, &cells[0][0], 2, 3);
            AMP_ARRAY_VIEW(int, 1, v, one, 2);
            AMP_ARRAY_VIEW(counters, 1, s, both, 2);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(600), (i), AMP_CAPTURE(m, v, s), {
                amp_atomic_fetch_inc(&AMP_AT(m, i % 2, i % 3));
                count_up(v, 0);
                int k = 0;
                amp_atomic_fetch_add(&AMP_AT(v, k++), 1);
                if (k != 1)
                    amp_atomic_fetch_add(&AMP_AT(v, 1), 1);
                amp_atomic_fetch_add(&AMP_AT(s, i % 2).hits, 1);
                amp_atomic_fetch_add(&AMP_AT(s, i % 2).sum, 1.0f);
            });
            check_int(count_up(v, 0), 1800);
            check_int(amp_atomic_exchange(&AMP_AT(v, 1), -1), 0);
        }
        for (int i = 0; i < 6; i++)
            check_int(cells[i / 3][i % 3], 100);
        check_int(one[0], 1802);
        check_int(one[1], -1);
        check_int(both[0].hits, 301);
        check_int(both[1].hits, 302);
        check(both[0].sum == 300.5f && both[1].sum == 301.5f);
    }
}

/* A device without 64-bit atomics says so and runs nothing; for the test those that have them are taken for such. (To
   the backend of the tests, atomics of all types are one text.) */
static void atomics_that_are_missing(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_can_lack_atomics64(where))
            continue;
        const bool had = test_set_atomics64(where, false);
        int64_t cell[1] = { POISON };
        double real[1] = { 0.5 };
        {
            AMP_ARRAY_VIEW(int64_t, 1, v, cell, 1);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(v), {
                amp_atomic_fetch_add(&AMP_AT(v, zero), 1);
            });
            expect_error(AMP_UNSUPPORTED_FEATURE, "this accelerator has no 64-bit atomic operations");
            AMP_ARRAY_VIEW(double, 1, r, real, 1);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(r), {
                amp_atomic_fetch_max(&AMP_AT(r, zero), 2.0);
            });
            if (test_has_double(where))
                expect_error(AMP_UNSUPPORTED_FEATURE, "this accelerator has no 64-bit atomic operations");
            else
                expect_error(AMP_UNSUPPORTED_FEATURE, "double");
        }
        test_set_atomics64(where, had);
        check_int(cell[0], POISON);
        check(real[0] == 0.5);
    }
}

int run_api_atomics(void);
int run_api_atomics(void)
{
    const struct CMUnitTest tests[] = {
        TEST(global_int),
        TEST(global_uint32),
        TEST(global_int64),
        TEST(global_uint64),
        TEST(both_types_of_64_bits),
        TEST(tile_static_int),
        TEST(tile_static_uint32),
        TEST(tile_static_int64),
        TEST(tile_static_uint64),
        TEST(tickets),
        TEST(exchange_chains),
        TEST(exchange_in_tile_static),
        TEST(compare_exchange_by_one),
        TEST(compare_exchange_by_all),
        TEST(compare_exchange_in_tile_static),
        TEST(float_sums),
        TEST(float_results),
        TEST(reals_float),
        TEST(reals_double),
        TEST(load_and_store),
        TEST(addresses),
        TEST(atomics_that_are_missing),
    };
    return cmocka_run_group_tests_name("api/atomics", tests, NULL, NULL);
}
