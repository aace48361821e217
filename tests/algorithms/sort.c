// SPDX-License-Identifier: MIT
/*  sort.c - sorts by digits of all types of keys.
    Also tests amp/algorithms/sort_cpu.h, amp/algorithms/sort_tiles.h. */
#include "sizes.h"

/* The order of a key as an unsigned number: that of the documentation. */
static uint64_t order_of(uint64_t bits, size_t size, bool is_signed, bool is_float)
{
    const uint64_t first = UINT64_C(1) << (8 * size - 1);
    if (is_float)
        return bits & first ? ~bits & (first | (first - 1)) : bits | first;
    return is_signed ? bits ^ first : bits;
}

typedef struct pair {
    uint64_t order;
    int number;
} pair;
static int by_order(const void *left, const void *right)
{
    const pair *const a = left, *const b = right;
    return a->order != b->order ? (a->order > b->order) - (a->order < b->order)
                                : (a->number > b->number) - (a->number < b->number);
}

static bool goes_down(const char *call) { return strstr(call, "descending") != NULL; }

/* Where a number's lowest bytes are. */
#define LOW(T) (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? sizeof(uint64_t) - sizeof(T) : 0)

/* Key number i of n: random, of few digits, NaNs and infinities, too; or equal, ascending, descending, two values. */
enum { RANDOM, EQUAL, UP, DOWN, TWO, KEY_ORDERS };
static uint64_t some_key(int order, int i, int n)
{
    const uint64_t random = test_random() >> (test_random() % 8 * 8);
    return order == RANDOM ? random : order == EQUAL ? 42 : (uint64_t)(order == UP ? i : order == DOWN ? n - i : i & 1);
}

/* Sorts keys of a type with `by_key` and alone with `by_itself`; the reference is qsort by order and number. */
#define SORT_TEST(T, is_signed, is_float, by_key, by_itself)                                                           \
    static void sort_##T(amp_accelerator_view where, int n, int in_order)                                              \
    {                                                                                                                  \
        const size_t room = (size_t)n + 1;                                                                             \
        T *const keys = malloc(3 * room * sizeof(T)), *const given_keys = keys + room, *const alone = keys + 2 * room; \
        pair *const pairs = malloc(room * sizeof(pair));                                                               \
        int *const numbers = malloc(room * sizeof(int));                                                               \
        check(keys && pairs && numbers);                                                                               \
        const bool down = goes_down(#by_key), alone_down = goes_down(#by_itself);                                      \
        for (int i = 0; i < n; i++) {                                                                                  \
            uint64_t bits = some_key(in_order, i, n), order = 0;                                                       \
            memcpy(&keys[i], (char *)&bits + LOW(T), sizeof(T));                                                       \
            memcpy((char *)&order + LOW(T), &keys[i], sizeof(T));                                                      \
            order = order_of(order, sizeof(T), is_signed, is_float);                                                   \
            pairs[i] = (pair){ down ? ~order : order, i };                                                             \
            given_keys[i] = alone[i] = keys[i];                                                                        \
            numbers[i] = i;                                                                                            \
        }                                                                                                              \
        qsort(pairs, (size_t)n, sizeof(pair), by_order);                                                               \
        {                                                                                                              \
            AMP_ARRAY_VIEW(T, 1, k, keys, n);                                                                          \
            AMP_ARRAY_VIEW(int, 1, v, numbers, n);                                                                     \
            AMP_ARRAY_VIEW(T, 1, l, alone, n);                                                                         \
            by_key(where, k, v);                                                                                       \
            by_itself(where, l);                                                                                       \
        }                                                                                                              \
        for (int i = 0; i < n; i++) {                                                                                  \
            check_that(numbers[i] == pairs[i].number, "%d of %d is %d, order %d", i, n, numbers[i], in_order);         \
            check(!memcmp(&keys[i], &given_keys[pairs[i].number], sizeof(T)));                                         \
            check(!memcmp(&alone[alone_down == down ? i : n - 1 - i], &keys[i], sizeof(T)));                           \
        }                                                                                                              \
        free(keys);                                                                                                    \
        free(pairs);                                                                                                   \
        free(numbers);                                                                                                 \
    }
SORT_TEST(uint8_t, false, false, amp_sort_by_key_on, amp_sort_on)
SORT_TEST(int, true, false, amp_sort_by_key_descending_on, amp_sort_on)
SORT_TEST(float, false, true, amp_sort_by_key_on, amp_sort_descending_on)
SORT_TEST(int64_t, true, false, amp_sort_by_key_on, amp_sort_on)
SORT_TEST(uint64_t, false, false, amp_sort_by_key_descending_on, amp_sort_descending_on)
SORT_TEST(double, false, true, amp_sort_by_key_descending_on, amp_sort_on)
SORT_TEST(int16_t, true, false, amp_sort_by_key_on, amp_sort_descending_on)
SORT_TEST(uint32_t, false, false, amp_sort_by_key_on, amp_sort_on)

/* Values that are larger than a key, and so large that tiles take their numbers. */
AMP_STRUCT(wide, {
    int number[3];
});
AMP_DEFINE_ELEMENT(wide);

static void sort_wide(amp_accelerator_view where, int n)
{
    uint8_t *const keys = malloc((size_t)n), *const same = malloc((size_t)n);
    wide *const values = malloc((size_t)n * sizeof *values);
    int64_t *const lower = malloc((size_t)n * sizeof *lower);
    for (int i = 0; i < n; i++) {
        keys[i] = same[i] = given->bytes[i];
        values[i] = (wide){ { i, -i, keys[i] } };
        lower[i] = i;
    }
    {
        AMP_ARRAY_VIEW(uint8_t, 1, k, keys, n);
        AMP_ARRAY_VIEW(wide, 1, v, values, n);
        AMP_ARRAY_VIEW(uint8_t, 1, s, same, n);
        AMP_ARRAY_VIEW(int64_t, 1, l, lower, n);
        amp_sort_by_key_on(where, k, v);
        amp_sort_by_key_on(where, s, l);
    }
    for (int i = 0; i < n; i++) {
        const wide *const v = &values[i];
        check_that(v->number[1] == -v->number[0] && v->number[2] == keys[i] && lower[i] == v->number[0],
                   "%d of %d: %d %d %d, %d", i, n, v->number[0], v->number[1], v->number[2], (int)lower[i]);
        check(i == 0 || keys[i - 1] < keys[i] || (keys[i - 1] == keys[i] && values[i - 1].number[0] < v->number[0]));
    }
    free(keys);
    free(same);
    free(values);
    free(lower);
}

/* Elements whose size is no power of two have their part of the temporary memory, too. */
AMP_FUNCTION(wide, wide_sum, (wide x, wide y), {
    wide sum;
    for (int k = 0; k < 3; k++)
        sum.number[k] = x.number[k] + y.number[k];
    return sum;
})

static void elements_of_three(void **state)
{
    (void)state;
    enum { N = 5000 }; /* two blocks of a sum, three tiles of a scan */
    static wide given_ones[N], scanned[N];
    const wide zero = { { 0 } };
    for (int i = 0; i < N; i++)
        given_ones[i] = (wide){ { 1, i, 2 } };
    FOR_EACH_ACCELERATOR(where)
    {
        const int n = test_is_slow(where) ? 4200 : N;
        wide sum = zero;
        {
            AMP_CONST_ARRAY_VIEW(wide, 1, v, given_ones, n);
            AMP_ARRAY_VIEW(wide, 1, out, scanned, n);
            AMP_REDUCE_ON(where, wide, sum, v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(wide, zero)), AMP_AT(v, i),
                          wide_sum(a, b), zero);
            AMP_INCLUSIVE_SCAN_ON(where, wide, out, v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(wide, zero)), AMP_AT(v, i),
                                  wide_sum(a, b), zero);
        }
        for (int k = 0; k < 3; k++) {
            check_int(sum.number[k], k == 1 ? n * (n - 1) / 2 : n * (k == 0 ? 1 : 2));
            check_int(scanned[n - 1].number[k], sum.number[k]);
        }
    }
}

/* As GPUs do, at the borders of tiles: of 9216 elements of 4 bytes, of 8 bytes 5120 keys alone or 3840 pairs. With 7
   the last tile comes first, and all count the keys of others. */
static void sorts_by_tiles(amp_accelerator_view where)
{
    static const int lengths[] = { 1, 257, 3840, 3841, 5120, 5121, 9216, 9217, 20011 };
    for (int tiles = 1; tiles <= 7; tiles += 6) {
        test_set_sort_tiles(tiles);
        for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++) {
            const int n = lengths[s], order = test_random_int(0, KEY_ORDERS - 1);
            if (test_is_slow(where) && n > 300)
                continue;
            sort_float(where, n, RANDOM);
            sort_uint32_t(where, n, order);
            sort_double(where, n, order);
        }
        const int n = test_is_slow(where) ? 300 : 12345;
        sort_wide(where, n);
        for (int order = 0; order < KEY_ORDERS && n > 300; order++) {
            sort_uint8_t(where, n, order);
            sort_int16_t(where, n, order);
            sort_uint64_t(where, n, order);
        }
    }
    if (!test_is_slow(where))
        sort_float(where, 100003, RANDOM);
    test_set_sort_tiles(0);
}

static void sorts(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        static const int lengths[] = { 0, 1, 2, 255, 257, 8191, 8193, 100003 };
        for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++) {
            const int n = lengths[s], order = test_random_int(0, KEY_ORDERS - 1);
            if (test_is_slow(where) && n > 300)
                continue;
            sort_uint8_t(where, n, RANDOM);
            sort_int(where, n, order);
            sort_float(where, n, RANDOM);
            sort_int64_t(where, n, order);
        }
        sorts_by_tiles(where);
        float keys[4] = { 4, 3, 2, 1 };
        int values[3] = { 1, 2, 3 };
        AMP_ARRAY_VIEW(float, 1, k, keys, 4);
        AMP_ARRAY_VIEW(int, 1, v, values, 3);
        amp_sort_by_key_on(where, k, v);
        expect_error(AMP_INVALID_ARGUMENT, "amp_sort_by_key: the lengths differ, 4 and 3 elements");
        check_int(AMP_AT(k, 0), 4);
    }
}

int run_algorithms_sort(void)
{
    const struct CMUnitTest tests[] = {
        TEST(elements_of_three),
        TEST(sorts),
    };
    return cmocka_run_group_tests_name("algorithms/sort", tests, NULL, NULL);
}
