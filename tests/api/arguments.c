// SPDX-License-Identifier: MIT
/*  arguments.c - arguments of macros that are of other types than usual, or no constants, on every backend. What
    tests/check-arguments generates covers more of them. */
#include "test.h"

#include "amp_algorithms.h"

#pragma GCC diagnostic ignored "-Wfloat-conversion" /* of clang, at a float that is a condition */

/* Kernels and their macros are laid out by hand. */
/* clang-format off */

/* An extent that is no constant. */
static void domain_of_a_variable(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[6] = { 0 }, rows = 6;
        {
            AMP_ARRAY_VIEW(int, 1, a, got, 6);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(2), AMP_EXTENT(rows - 3)), (i), AMP_CAPTURE(a), {
                AMP_AT(a, i) = i;
            });
        }
        check_ints(got, ((const int[]){ 0, 0, 2, 3, 4, 0 }), 6);
    }
}

/* Character constants with prefixes, whose types are integers; and a string that has one. */
static void characters_with_prefixes(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[8] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, out, got, 8);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(out), {
                const char text[] = u8"xyz";
                AMP_AT(out, zero) = L'a';
                AMP_AT(out, 1) = u'\u00e9';
                AMP_AT(out, 2) = (int)U'\U0001F600';
                AMP_AT(out, 3) = L'\x7f' + L'\101' + L'\n' + L'\'';
                AMP_AT(out, 4) = (int)sizeof(u'a') + 10 * (int)sizeof(U'a');
                AMP_AT(out, 5) = L'ß';
                AMP_AT(out, 6) = text[1];
                AMP_AT(out, 7) = (int)sizeof text;
            });
        }
        check_ints(got, ((const int[]){ 'a', 0xe9, 0x1f600, 127 + 65 + '\n' + '\'', 42, 0xdf, 'y', 4 }), 8);
    }
}

/* OpenCL C refuses a float before the ? itself. */
static void conditions_of_floats(void **state)
{
    (void)state;
    const float f[4] = { 0, 0.25f, -0.5f, 0 };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[4] = { 0 };
        {
            AMP_CONST_ARRAY_VIEW(float, 1, in, f, 4);
            AMP_ARRAY_VIEW(int, 1, out, got, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, in.extent, (i), AMP_CAPTURE(in, out), {
                int n = AMP_AT(in, i) != 0 ? 1 : 2;
                if (AMP_AT(in, i) > 1) n = 100;
                else AMP_AT(in, i) ? n += 10 : (n += 20);
                n += ((AMP_AT(in, i) + 0.5f)) ? 100 : 200, n += 0.25f - AMP_AT(in, i) ? 1000 : 2000;
                AMP_AT(out, i) = n > 0 ? AMP_AT(in, i) ? n : -n : 0;
            });
        }
        check_ints(got, ((const int[]){ -1122, 2111, 1211, -1122 }), 4);
    }
}

/* Predicates that are floats, bins of 64 bits, a type that is a macro. */
#define REAL double
static void values_of_other_types(void **state)
{
    (void)state;
    const float floats[4] = { 0, 0.25f, -0.5f, 0 };
    const int64_t wide[4] = { 0, 3, (1ll << 32) + 3, -(1ll << 32) };
    FOR_EACH_ACCELERATOR(where)
    {
        int selected[4] = { 0 }, counted[4] = { 0 }, sums[4] = { 0 }, count = 0;
        uint32_t bits[4] = { 0 };
        AMP_CONST_ARRAY_VIEW(float, 1, f, floats, 4);
        AMP_CONST_ARRAY_VIEW(int64_t, 1, w, wide, 4);
        AMP_ARRAY_VIEW(int, 1, out, selected, 4);
        AMP_ARRAY_VIEW(int, 1, counts, counted, 4);
        AMP_ARRAY_VIEW(int, 1, sum, sums, 4);
        AMP_ARRAY_VIEW(uint32_t, 1, ballots, bits, 4);
        check_int((int)AMP_COUNT_IF_ON(where, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i)), 2);
        check_int(AMP_ANY_OF_ON(where, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i)), true);
        check_int(AMP_ALL_OF_ON(where, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i)), false);
        AMP_SELECT_IF_ON(where, out, count, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i), i);
        check_int(count, 2);
        check_int(AMP_AT(out, 0) * 10 + AMP_AT(out, 1), 12);
        AMP_PARTITION_ON(where, out, count, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i), i);
        check_int(AMP_AT(out, 2) * 10 + AMP_AT(out, 3), 3);
        AMP_REDUCE_SEGMENTS_ON(where, int, sum, count, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i), i, a + b, 0);
        check_int(count, 3);
        check_int(AMP_AT(sum, 1) * 10 + AMP_AT(sum, 2), 15);
        AMP_HISTOGRAM_ON(where, counts, w.extent, (i), AMP_CAPTURE(w), AMP_AT(w, i));
        check_int(AMP_AT(counts, 0) * 10 + AMP_AT(counts, 3), 11);
        AMP_TILED_ON(where, f.extent, (4), tile, AMP_CAPTURE(f, ballots), {
            AMP_PRIVATE(uint32_t, mask);
            AMP_SUBGROUP_BALLOT(tile, t, mask, 4, AMP_AT(f, t.global));
            AMP_THREADS(tile, t) { AMP_AT(ballots, t.global) = AMP_OWN(mask); }
        });
        check_int((int)AMP_AT(ballots, 0), 6);
        if (test_has_double(where)) {
            REAL total = 0;
            AMP_REDUCE_ON(where, REAL, total, f.extent, (i), AMP_CAPTURE(f), AMP_AT(f, i), a + b, 0);
            check_doubles(&total, (const REAL[]){ -0.25 }, 1);
        }
    }
}

/* A branch that waits in a loop, and that a jump leaves: pocl lost what its phases wrote. */
#define BRANCH_WITH(...)                                                                                        \
    AMP_TILED_ON(where, out.extent, (8), tile, AMP_CAPTURE(out, rounds), {                                             \
        AMP_TILE_STATIC(int, s, [8]);                                                                                  \
        AMP_PRIVATE(int, more);                                                                                        \
        AMP_THREADS(tile, t) { AMP_OWN(more) = 0; s[t.local.v[0]] = t.local.v[0]; }                                    \
        for (int a = 0; a < rounds; a++) {                                                                             \
            for (int b = 0; b < 2; b++) {                                                                              \
                if (a > 1) {                                                                                           \
                    amp_barrier_wait(tile.barrier);                                                                    \
                    AMP_THREADS(tile, t) {                                                                             \
                        if (t.local.v[0] & 1) continue;                                                                \
                        AMP_OWN(more) += s[7 - t.local.v[0]];                                                          \
                    }                                                                                                  \
                    __VA_ARGS__                                                                                        \
                }                                                                                                      \
                amp_barrier_wait(tile.barrier);                                                                        \
            }                                                                                                          \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_THREADS(tile, t) { AMP_AT(out, t.global) = AMP_OWN(more); }                                                \
    })
static void branches_left_by_a_jump(void **state)
{
    (void)state;
    const int rounds = 3;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[8];
        AMP_ARRAY_VIEW(int, 1, out, got, 8);
        BRANCH_WITH(break;);
        for (int i = 0; i < 8; i++)
            check_int(AMP_AT(out, i), i % 2 ? 0 : 7 - i);
        BRANCH_WITH(if (b == 0) continue; break;);
        for (int i = 0; i < 8; i++)
            check_int(AMP_AT(out, i), i % 2 ? 0 : 2 * (7 - i));
        BRANCH_WITH(if (b == 1) {
            AMP_THREADS(tile, t) {
                AMP_OWN(more)++;
            }
            break;
        });
        for (int i = 0; i < 8; i++)
            check_int(AMP_AT(out, i), i % 2 ? 1 : 2 * (7 - i) + 1);
    }
}

/* clang-format on */

int run_api_arguments(void);
int run_api_arguments(void)
{
    const struct CMUnitTest tests[] = {
        TEST(domain_of_a_variable),  TEST(characters_with_prefixes), TEST(conditions_of_floats),
        TEST(values_of_other_types), TEST(branches_left_by_a_jump),
    };
    return cmocka_run_group_tests_name("api/arguments", tests, NULL, NULL);
}
