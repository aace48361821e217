// SPDX-License-Identifier: MIT
/*  races.c - races between the indexes of a launch that are found in its body.
    Also tests amp/validate/race_changes.h, amp/validate/race_paths.h, amp/validate/race_shared.h,
    amp/validate/index_of.h. */
#include "test.h"
#include "amp_algorithms.h"

enum { MANY = 64, SIDE = 8 };

static const char FEW[] = "which has fewer elements than the launch has indexes";
static const char ONE[] = "every index changes the same element of '";
static const char SHARED[] = "several indexes change one element of '";
static const char WRITTEN[] = "several indexes write different values to one element of '";
static const char ATOMIC[] = "is changed by an atomic function, and by an assignment";
static const char OTHER[] = "an index reads an element of '";

AMP_FUNCTION(int, bin_of, (float x), { return (int)x & 3; })

AMP_FUNCTION(void, add_one, (amp_array_view_int_1 counts, int k), { AMP_AT(counts, k) += 1; })
AMP_FUNCTION(float, mean_around, (amp_array_view_float_1 v, int k), {
    return (AMP_AT(v, k - 1) + AMP_AT(v, k + 1)) / 2;
})

static void changes_of_few_elements_are_refused(void **state)
{
    (void)state;
    static float values[MANY], square[SIDE][SIDE], sums[SIDE];
    static int bins[MANY], counts[4];
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 2, m, square, SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 1, rows, sums, SIDE);
    AMP_ARRAY_VIEW(int, 1, b, bins, MANY);
    AMP_ARRAY_VIEW(int, 1, c, counts, 4);
    AMP_PARALLEL_FOR_EACH(b.extent, (i), AMP_CAPTURE(b, c), { AMP_AT(c, AMP_AT(b, i))++; });
    expect_error(AMP_COMPILATION_FAILED, FEW);
    AMP_PARALLEL_FOR_EACH(b.extent, (i), AMP_CAPTURE(b, c), {
        const int at = AMP_AT(b, i);
        AMP_AT(c, at) = AMP_AT(c, at) + 1;
    });
    expect_error(AMP_COMPILATION_FAILED, FEW);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, c), { AMP_AT(c, bin_of(AMP_AT(a, i))) += 1; });
    expect_error(AMP_COMPILATION_FAILED, FEW);
    AMP_TILED(b.extent, (16), tile, AMP_CAPTURE(b, c), {
        AMP_THREADS(tile, t) { AMP_AT(c, AMP_AT(b, t.global)) += 1;
}
});
expect_error(AMP_COMPILATION_FAILED, FEW);
AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m, rows), { AMP_AT(rows, i) += AMP_AT(m, i, j); });
expect_error(AMP_COMPILATION_FAILED, FEW);
AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, rows), { AMP_AT(rows, 3) += AMP_AT(a, i); });
expect_error(AMP_COMPILATION_FAILED, ONE);
AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, rows), { AMP_AT(rows, 3) = fmaxf(AMP_AT(rows, 3), AMP_AT(a, i)); });
expect_error(AMP_COMPILATION_FAILED, ONE);
}

static void elements_that_several_indexes_have_are_refused(void **state)
{
    (void)state;
    static float values[MANY], others[MANY], square[SIDE][SIDE];
    static int counts[MANY];
    const int ten = 10;
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 1, b, others, MANY);
    AMP_ARRAY_VIEW(float, 2, m, square, SIDE, SIDE);
    AMP_ARRAY_VIEW(int, 1, c, counts, MANY);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) += AMP_AT(a, i); });
    expect_error(AMP_COMPILATION_FAILED, SHARED);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i % 10) = AMP_AT(a, i); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, ten), {
        for (int k = 0; k < ten; k++)
            AMP_AT(b, i / 2) += AMP_AT(a, i);
    });
    expect_error(AMP_COMPILATION_FAILED, SHARED);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, ten), {
        const int at = i % ten;
        const float twice = 2 * AMP_AT(a, i);
        AMP_AT(b, at) = twice;
    });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, idx, AMP_CAPTURE(a, b), { AMP_AT(b, idx.v[0] >> 2) = AMP_AT(a, idx); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, 0) = AMP_AT(a, i); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m, b), { AMP_AT(b, i) = AMP_AT(m, i, j); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        AMP_AT(c, 0) = 0;
        amp_atomic_fetch_add(&AMP_AT(c, 0), i);
    });
    expect_error(AMP_COMPILATION_FAILED, ATOMIC);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), { add_one(c, i / 2); });
    expect_error(AMP_COMPILATION_FAILED, SHARED);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), { add_one(c, 3); });
    expect_error(AMP_COMPILATION_FAILED, ONE);
}

static void elements_that_one_index_has_are_written(void **state)
{
    (void)state;
    static float values[MANY], others[MANY], square[SIDE][SIDE];
    static int counts[MANY];
    const int n = MANY;
    for (int i = 0; i < MANY; i++)
        values[i] = (float)i;
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 1, b, others, MANY);
    AMP_ARRAY_VIEW(float, 2, m, square, SIDE, SIDE);
    AMP_ARRAY_VIEW(int, 1, c, counts, MANY);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), {
        if (i % 2 == 0)
            AMP_AT(b, i / 2) = AMP_AT(a, i);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), {
        if (i % 2)
            continue;
        AMP_AT(b, i / 2) += AMP_AT(a, i);
    });
    check_int((int)AMP_AT(b, 9), 36);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, n), { AMP_AT(b, i % n) = AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, m), { AMP_AT(m, i / 8, i % 8) = AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 8 * 8 + i % 8) = AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(MANY / 2), (i), AMP_CAPTURE(a, n), {
        const float old = AMP_AT(a, i);
        AMP_AT(a, i) = AMP_AT(a, n - 1 - i);
        AMP_AT(a, n - 1 - i) = old;
    });
    check_int((int)AMP_AT(a, 3), MANY - 1 - 3);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(MANY / 2), (i), AMP_CAPTURE(a),
                          { AMP_AT(a, i) = AMP_AT(a, a.extent.v[0] - 1 - i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        AMP_AT(c, i) = 0;
        amp_atomic_fetch_add(&AMP_AT(c, i), i);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), { add_one(c, i); });
    check_int(AMP_AT(c, 5), 6);
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a, b), { AMP_AT(b, i) = mean_around(a, i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), {
        for (int k = 0; k < 1 - i % 2; k++)
            AMP_AT(b, i / 2) = AMP_AT(a, i);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = AMP_AT(a, i) + AMP_AT(a, i ^ 1); });
    expect_no_error();
}

AMP_FUNCTION(void, races_put, (amp_array_view_float_1 v, int k, float x), { AMP_AT(v, k) = x; })
AMP_FUNCTION(void, races_put_half, (amp_array_view_float_1 v, int k, float x), { races_put(v, k / 2, x); })

static void values_come_by_functions_and_choices(void **state)
{
    (void)state;
    static float values[MANY], others[MANY];
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 1, b, others, MANY);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { races_put(b, i / 2, AMP_AT(a, i)); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { races_put_half(b, i, AMP_AT(a, i)); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(b), { races_put_half(b, i, 1.0f); });
    expect_no_error(); /* the same value */
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = i > 3 ? AMP_AT(a, i) : 1.0f; });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = i > 3 ? 2.0f : (float)i; });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(b), { AMP_AT(b, i / 2) = i < 99 ? 2.0f : 1.0f; });
    expect_no_error();
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = -AMP_AT(a, i); });
    expect_error(AMP_COMPILATION_FAILED, WRITTEN);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = AMP_AT(a, i / 2) + 1; });
    expect_no_error();
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, (int)(-(-i / 2))) = AMP_AT(a, 0); });
    expect_no_error();
}

static void neighbours_that_are_written_are_refused(void **state)
{
    (void)state;
    static float values[MANY], square[SIDE][SIDE];
    const int n = MANY;
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 2, m, square, SIDE, SIDE);
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a),
                          { AMP_AT(a, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2; });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a), {
        float sum = 0;
        for (int d = -1; d <= 1; d++)
            sum += AMP_AT(a, i + d);
        AMP_AT(a, i) = sum;
    });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(amp_inner(m.extent, 1), idx, AMP_CAPTURE(m),
                          { AMP_AT(m, idx) = AMP_AT(m, idx.v[0] - 1, idx.v[1]) + AMP_AT(m, idx.v[0] + 1, idx.v[1]); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a), {
        const int right = i + 1;
        AMP_AT(a, right) = AMP_AT(a, i);
    });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) /= AMP_AT(a, 0); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m), { AMP_AT(m, i, j) = AMP_AT(m, j, i); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n), { AMP_AT(a, i) = AMP_AT(a, n - 1 - i); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, a.extent.v[0] - 1 - i) = AMP_AT(a, i); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a), { AMP_AT(a, i) = mean_around(a, i); });
    expect_error(AMP_COMPILATION_FAILED, OTHER);
}

static void what_is_no_race_is_launched(void **state)
{
    (void)state;
    static float values[MANY], others[MANY], square[SIDE][SIDE];
    static int order[MANY], counts[4];
    const int half = MANY / 2, n = MANY;
    for (int i = 0; i < MANY; i++)
        order[i] = MANY - 1 - i;
    AMP_ARRAY_VIEW(float, 1, a, values, MANY);
    AMP_ARRAY_VIEW(float, 1, b, others, MANY);
    AMP_ARRAY_VIEW(float, 2, m, square, SIDE, SIDE);
    AMP_ARRAY_VIEW(int, 1, o, order, MANY);
    AMP_ARRAY_VIEW(int, 1, c, counts, 4);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        if (i == 0)
            AMP_AT(c, 0)++;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        if (i != 0)
            continue;
        AMP_AT(c, 0)++;
    });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(half), (i), AMP_CAPTURE(a, half), { AMP_AT(a, i) += AMP_AT(a, i + half); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(half), (i), AMP_CAPTURE(a), { AMP_AT(a, i) += AMP_AT(a, i + 32); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(half), (i), AMP_CAPTURE(a), { AMP_AT(a, 2 * i) += AMP_AT(a, 2 * i + 1); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(half), (i), AMP_CAPTURE(a, n), { AMP_AT(a, i) = AMP_AT(a, n - 1 - i); });
    AMP_PARALLEL_FOR_EACH(amp_inner(a.extent, 1), (i), AMP_CAPTURE(a), {
        if (i % 2)
            AMP_AT(a, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2;
    });
    AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m), {
        if (i < j) {
            const float old = AMP_AT(m, i, j);
            AMP_AT(m, i, j) = AMP_AT(m, j, i);
            AMP_AT(m, j, i) = old;
        }
    });
    AMP_PARALLEL_FOR_EACH(amp_inner(m.extent, 1), (i, j), AMP_CAPTURE(m, a),
                          { AMP_AT(m, i, j) = AMP_AT(a, i) + AMP_AT(a, i + 1); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(SIDE), (j), AMP_CAPTURE(m), {
        for (int i = 1; i < 8; i++)
            AMP_AT(m, i, j) += AMP_AT(m, i - 1, j);
    });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(SIDE), (i), AMP_CAPTURE(m), {
        for (int j = 1; j < 8; j++)
            AMP_AT(m, i, j) += AMP_AT(m, i, j - 1);
    });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(SIDE - 1), (i), AMP_CAPTURE(a), { AMP_AT(a, i + 1) -= AMP_AT(a, 0); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, o), { AMP_AT(b, AMP_AT(o, i)) = AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(1), (i), AMP_CAPTURE(a, c), { AMP_AT(c, 0) += AMP_AT(a, i) > 0; });
    AMP_TILED(a.extent, (16), tile, AMP_CAPTURE(a, b), {
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0) AMP_AT(b, t.tile) += AMP_AT(a, t.global);
}
});
expect_no_error();
}

int run_validate_races(void);
int run_validate_races(void)
{
    const struct CMUnitTest tests[] = {
        TEST(changes_of_few_elements_are_refused),     TEST(elements_that_several_indexes_have_are_refused),
        TEST(elements_that_one_index_has_are_written), TEST(values_come_by_functions_and_choices),
        TEST(neighbours_that_are_written_are_refused), TEST(what_is_no_race_is_launched),
    };
    return cmocka_run_group_tests_name("validate/races", tests, NULL, NULL);
}
