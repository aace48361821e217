// SPDX-License-Identifier: MIT
/*  test_algorithms.c - the algorithms of amp_algorithms.h, against plain C: every size where something may begin or
    end, random contents, the documented association bit by bit. */
#include "test.h"

#include "amp_algorithms.h"

/* Nothing, one, around a row of lanes and a block, primes, more than one block, more blocks than lanes. */
static const int sizes[] = { 0, 1, 2, 255, 256, 257, 1009, 4095, 4096, 4097, 65537, (1 << 20) + 1 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = (1 << 20) + 1 };

/* Interpreters are spared the large ones. */
#define FOR_EACH_SIZE(n, where)                                                                                        \
    for (int test_s = 0, n; test_s < SIZES && (n = sizes[test_s], !test_is_slow(where) || n < 5000); test_s++)

typedef struct contents {
    float floats[LARGEST], more[LARGEST];
    int ints[LARGEST];
    uint8_t bytes[LARGEST];
} contents;
static contents *given;

static void make_data(void)
{
    if (!given)
        given = malloc(sizeof *given);
    check(given != NULL);
    for (int i = 0; i < LARGEST; i++) {
        given->floats[i] = (float)test_random_double(-1, 1) * (float)(1 << test_random_int(0, 20));
        given->more[i] = (float)test_random_double(-3, 3);
        given->ints[i] = (int)test_random();
        given->bytes[i] = (uint8_t)test_random();
    }
}

/* ---- reduce -------------------------------------------------------------------------------------- */

static bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

/* A block of the documented association: 256 lanes from top to bottom, then a tree. */
static float block_sum(const float *p, int64_t n)
{
    float lane[256] = { 0 };
    for (int64_t i = 0; i < n; i++)
        lane[i % 256] = lane[i % 256] + p[i];
    for (int half = 128; half; half /= 2)
        for (int i = 0; i < half; i++)
            lane[i] = lane[i] + lane[i + half];
    return lane[0];
}

static float documented_sum(const float *p, int n)
{
    static float partial[4096];
    int64_t block = 16 * 256;
    while ((n - 1) / block >= 4096)
        block *= 2;
    if (n <= block)
        return block_sum(p, n);
    const int blocks = (int)((n - 1) / block) + 1;
    for (int b = 0; b < blocks; b++)
        partial[b] = block_sum(p + b * block, b * block + block < n ? block : n - b * block);
    return block_sum(partial, blocks);
}

/* A handler that clears the error hides a failed launch from nothing: the result stays as it was. */
static void clear_and_count(const amp_error *error, void *count)
{
    (void)error;
    ++*(int *)count;
    amp_clear_error();
}

static void a_handler_may_clear_the_error(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[4] = { 1, 2, 3, 4 }, heard = 0, sum = 17;
        amp_array_view_int_1 gone = amp_array_view_int_1_create(values, AMP_EXTENT(4));
        amp_array_view_release(&gone);
        amp_set_error_handler(clear_and_count, &heard);
        AMP_REDUCE_ON(where, int, sum, AMP_EXTENT(4), (i), AMP_CAPTURE(gone), AMP_AT(gone, i), a + b, 0);
        amp_set_error_handler(test_hear, &test_heard);
        check_int(heard, 1);
        check_int(sum, 17);
    }
}

static void sums_have_the_documented_bits(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            const float sum = amp_sum_on(where, v), want = documented_sum(given->floats, n);
            check_that(same_bits(sum, want), "of %d: %.9g, expected %.9g", n, (double)sum, (double)want);
            float again = 1, to[3] = { 17, 17, 17 };
            AMP_REDUCE_ON(where, float, again, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0.0f);
            check(same_bits(again, want));
            {
                AMP_ARRAY_VIEW(float, 1, all, to, 3);
                amp_array_view_float_1 middle = amp_section(all, 1, 1);
                amp_sum_to_on(where, middle, v);
            }
            check(same_bits(to[1], want) && to[0] == 17 && to[2] == 17);
        }
    }
    amp_algorithms_release();
}

/* Products are rounded before they are added, whatever the compiler would like. */
static void products_are_rounded(void **state)
{
    (void)state;
    make_data();
    static float product[LARGEST];
    for (int i = 0; i < LARGEST; i++) {
        volatile float rounded = given->floats[i] * given->more[i];
        product[i] = rounded;
    }
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            AMP_CONST_ARRAY_VIEW(float, 1, w, given->more, n);
            const float got = amp_inner_product_on(where, v, w), want = documented_sum(product, n);
            check_that(same_bits(got, want), "of %d: %.9g, expected %.9g", n, (double)got, (double)want);
        }
        AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, 5);
        AMP_CONST_ARRAY_VIEW(float, 1, w, given->more, 6);
        check_int(amp_inner_product_on(where, v, w), 0);
        expect_error(AMP_INVALID_ARGUMENT, "amp_inner_product: the lengths differ, 5 and 6 elements");
    }
}

static void integers(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            int64_t sum = 0, bytes = 0, negative = 0;
            int low = INT_MAX, high = INT_MIN;
            for (int i = 0; i < n; i++) {
                sum += given->ints[i];
                bytes += given->bytes[i];
                negative += given->ints[i] < 0;
                low = given->ints[i] < low ? given->ints[i] : low;
                high = given->ints[i] > high ? given->ints[i] : high;
            }
            AMP_ARRAY_VIEW(int, 1, v, given->ints, n);
            AMP_ARRAY_VIEW(uint8_t, 1, w, given->bytes, n);
            check_int(amp_sum_on(where, v), sum);
            check_int(amp_sum_on(where, w), bytes);
            check_int(amp_min_on(where, v), low);
            check_int(amp_max_on(where, v), high);
            check_int(AMP_COUNT_IF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 0), negative);
            check_int(AMP_ANY_OF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 0), negative != 0);
            check_int(AMP_ALL_OF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 0), negative == n);
        }
    }
}

static void extremes(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            for (int i = 0; i < n / 10; i++)
                given->floats[test_random_int(0, n - 1)] = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -1e30f;
            for (int i = 0; n % 2 == 0 && i < n; i++) /* nothing is less than nothing would be */
                given->floats[i] = test_random_int(0, 3) == 0 ? INFINITY : NAN;
            int least = -1, greatest = -1;
            for (int i = 0; i < n; i++) {
                const float x = given->floats[i];
                if (!isnan(x) && (least < 0 || x < given->floats[least]))
                    least = i;
                if (!isnan(x) && (greatest < 0 || x > given->floats[greatest]))
                    greatest = i;
            }
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            check_int(amp_argmin_on(where, v), least);
            check_int(amp_argmax_on(where, v), greatest);
            const float low = amp_min_on(where, v), high = amp_max_on(where, v);
            check(same_bits(low, least < 0 ? INFINITY : given->floats[least]));
            check(same_bits(high, greatest < 0 ? -INFINITY : given->floats[greatest]));
        }
    }
}

static void equal_elements(void **state)
{
    (void)state;
    make_data();
    int *const copy = malloc(sizeof given->ints);
    check(copy != NULL);
    memcpy(copy, given->ints, sizeof given->ints);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            AMP_ARRAY_VIEW(int, 1, v, given->ints, n);
            AMP_ARRAY_VIEW(int, 1, w, copy, n);
            check_int(amp_equal_elements_on(where, v, w), 1);
            if (n == 0)
                continue;
            const int at = test_random_int(0, n - 1);
            AMP_AT(w, at) ^= 1;
            check_int(amp_equal_elements_on(where, v, w), 0);
            AMP_AT(w, at) ^= 1;
            check_int(amp_equal_elements_on(where, v, amp_section(w, 0, n - 1)), 0);
        }
    }
    free(copy);
}

/* Ranks 2 and 3, a section with gaps, a struct, bound expressions, and captured variables called a and b. */
AMP_STRUCT(bounds, { int low, high; });
AMP_DEFINE_ELEMENT(bounds);
AMP_FUNCTION(bounds, both, (bounds first, bounds second), {
    bounds of;
    of.low = first.low < second.low ? first.low : second.low;
    of.high = first.high > second.high ? first.high : second.high;
    return of;
})

static void reduces_of_all_kinds(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        AMP_CONST_ARRAY_VIEW(int, 2, whole, given->ints, 100, 200);
        const amp_const_array_view_int_2 part = amp_section(whole, 3, 5, 90, 111);
        int64_t sum = 0, want = 0;
        for (int y = 0; y < 90; y++)
            for (int x = 0; x < 111; x++)
                want += (int64_t)given->ints[(y + 3) * 200 + x + 5] * (y + 1);
        AMP_REDUCE_ON(where, int64_t, sum, part.extent, (y, x), AMP_CAPTURE(part),
                      (int64_t)AMP_AT(part, y, x) * (y + 1), a + b, 0);
        check_int(sum, want);
        int last;
        const int a = 10000, b = 100; /* the operands' names hide them in the operation, and nowhere else */
        AMP_REDUCE_ON(where, int, last, AMP_EXTENT(7, 8, 9), (x, y, z), AMP_CAPTURE(a, b), a *x + b * y + z,
                      a < b ? b : a, INT_MIN);
        check_int(last, 60000 + 700 + 8);
        bounds all, expected = { INT_MAX, INT_MIN };
        const int length = test_is_slow(where) ? 5000 : 70001;
        int evaluated = 0;
        for (int i = 0; i < length; i++)
            expected = both(expected, (bounds){ given->ints[i], given->ints[i] ^ 5 });
        AMP_CONST_ARRAY_VIEW(int, 1, flat, given->ints, LARGEST);
        AMP_REDUCE_ON(where, bounds, all, AMP_EXTENT(length), (i),
                      AMP_CAPTURE(AMP_BIND(some, (evaluated++, amp_section(flat, 0, length))),
                                  AMP_VALUE(bounds, bits, ((bounds){ 0, 6 })), AMP_SPECIALIZE(low, evaluated++)),
                      ((bounds){ AMP_AT(some, i) ^ bits.low, AMP_AT(some, i) ^ (bits.high - low) }), both(a, b),
                      { INT_MAX, INT_MIN });
        check_int(all.low, expected.low);
        check_int(all.high, expected.high);
        check_int(evaluated, 2);
    }
}

static void errors_leave_results_alone(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        int result = 17;
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(-1), (i), AMP_CAPTURE(), i, a + b, 0);
        expect_error(AMP_INVALID_COMPUTE_DOMAIN, "component 0 of the extent is -1");
        amp_array_view_int_1 never;
        memset(&never, 0, sizeof never);
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(5), (i), AMP_CAPTURE(never), AMP_AT(never, i), a + b, 0);
        expect_error(AMP_UNINITIALIZED_OBJECT, "never");
        check_int(result, 17);
        AMP_ARRAY_VIEW(int, 1, none, &result, 0);
        AMP_REDUCE_ON(where, int, none, AMP_EXTENT(5), (i), AMP_CAPTURE(), i, a + b, 0);
        expect_error(AMP_INVALID_ARGUMENT, "the view for the result is empty");
        check_int(result, 17);
        AMP_REDUCE_ON(where, int, result, AMP_EXTENT(5), (i), AMP_CAPTURE(), i, a + b, 0);
        check_int(result, 10);
    }
}

/* ---- scan ---------------------------------------------------------------------------------------- */

/* Lane i with lane i - 1, i - 2, i - 4, ... */
static void steps(float *lane, int n)
{
    float old[256];
    for (int back = 1; back < n; back *= 2) {
        memcpy(old, lane, sizeof old);
        for (int i = back; i < n; i++)
            lane[i] = old[i - back] + old[i];
    }
}

/* The runs of a tile, combined: lane[i] is runs 0 to i. */
static void runs_of(const float *p, int n, float lane[256])
{
    for (int run = 0; run < 256; run++)
        for (int k = 8 * run; k < 8 * run + 8; k++)
            lane[run] = (k == 8 * run ? 0 : lane[run]) + (k < n ? p[k] : 0);
    steps(lane, 256);
}

/* The documented association of an inclusive scan. */
static void documented_scan(const float *p, float *out, int n)
{
    float before_group = 0;
    for (int group = 0; group < n; group += 2048 * 128) {
        float tile[256] = { 0 }, lane[256];
        for (int t = 0; t < 128 && group + 2048 * t < n; t++) {
            runs_of(p + group + 2048 * t, n - group - 2048 * t, lane);
            tile[t] = lane[255];
        }
        steps(tile, 128);
        for (int t = 0; t < 128 && group + 2048 * t < n; t++) {
            const int first = group + 2048 * t;
            const float before = t ? before_group + tile[t - 1] : before_group;
            runs_of(p + first, n - first, lane);
            for (int i = 0; i < 2048 && first + i < n; i++)
                out[first + i] = (i % 8 ? out[first + i - 1] : i ? before + lane[i / 8 - 1] : before) + p[first + i];
        }
        before_group = before_group + tile[127];
    }
}

static void scans_have_the_documented_bits(void **state)
{
    (void)state;
    make_data();
    float *const want = malloc(2 * sizeof given->floats), *const got = want + LARGEST;
    check(want != NULL);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            for (int i = 0; i < n; i++)
                given->floats[i] = given->floats[i] == 0 ? 1 : given->floats[i]; /* 0 + -0 is another zero */
            documented_scan(given->floats, want, n);
            AMP_CONST_ARRAY_VIEW(float, 1, v, given->floats, n);
            AMP_ARRAY_VIEW(float, 1, w, got, n);
            amp_inclusive_sum_on(where, w, v);
            amp_array_view_synchronize(&w);
            for (int i = 0; i < n; i++)
                check_that(same_bits(got[i], want[i]), "%d of %d: %.9g, expected %.9g", i, n, (double)got[i],
                           (double)want[i]);
            amp_exclusive_sum_on(where, w, v);
            amp_array_view_synchronize(&w);
            for (int i = 0; i < n; i++)
                check_that(same_bits(got[i], i ? want[i - 1] : 0) || i % 2048 == 0, "%d of %d", i, n);
        }
    }
    free(want);
}

/* x -> times * x + plus: one after the other is associative, and not commutative. In place, too. */
AMP_STRUCT(affine, { unsigned times, plus; });
AMP_DEFINE_ELEMENT(affine);
AMP_FUNCTION(affine, then, (affine first, affine second), {
    affine all;
    all.times = first.times * second.times;
    all.plus = first.plus * second.times + second.plus;
    return all;
})

static void scans_keep_the_order(void **state)
{
    (void)state;
    make_data();
    static affine maps[300001];
    FOR_EACH_ACCELERATOR(where)
    {
        const int n = test_is_slow(where) ? 5000 : 300001;
        for (int i = 0; i < n; i++)
            maps[i] = (affine){ (unsigned)given->ints[i], (unsigned)i };
        {
            AMP_ARRAY_VIEW(affine, 1, v, maps, n);
            AMP_INCLUSIVE_SCAN_ON(where, affine, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), then(a, b), { 1, 0 });
        }
        affine all = { 1, 0 };
        for (int i = 0; i < n; i++) {
            all = then(all, (affine){ (unsigned)given->ints[i], (unsigned)i });
            check_that(maps[i].times == all.times && maps[i].plus == all.plus, "%d of %d", i, n);
        }
        int rows[3][70], seen = 0;
        {
            AMP_ARRAY_VIEW(int, 2, table, &rows[0][0], 3, 70);
            AMP_EXCLUSIVE_SCAN_ON(where, int, table, table.extent, (y, x), AMP_CAPTURE(), y *x, a + b, 0);
        }
        for (int i = 0; i < 210; seen += i / 70 * (i % 70), i++)
            check_int(rows[i / 70][i % 70], seen);
    }
}

/* ---- select -------------------------------------------------------------------------------------- */

static void selections(void **state)
{
    (void)state;
    make_data();
    int *const got = malloc(2 * sizeof given->ints), *const want = got + LARGEST;
    check(got != NULL);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            /* The last tile first, too: then each has to count what comes before it by itself. */
            test_set_sort_tiles(test_random_int(0, 1));
            const int some = test_random_int(0, 3); /* none, some, most, all */
            const int limit = some == 0 ? INT_MIN : some == 3 ? INT_MAX : some == 1 ? INT_MIN / 3 : INT_MAX / 3;
            int selected = 0, all = 0, count = -1, again[1] = { -1 };
            for (int i = 0; i < n; i++)
                if (given->ints[i] < limit)
                    want[selected++] = given->ints[i];
            all = selected;
            for (int i = 0; i < n; i++)
                if (given->ints[i] >= limit)
                    want[all++] = given->ints[i];
            AMP_CONST_ARRAY_VIEW(int, 1, v, given->ints, n);
            {
                AMP_ARRAY_VIEW(int, 1, out, got, n);
                AMP_SELECT_IF_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v, limit), AMP_AT(v, i) < limit,
                                 AMP_AT(v, i));
            }
            check_int(count, selected);
            check(test_same_ints("selected", got, want, (size_t)selected));
            {
                AMP_ARRAY_VIEW(int, 1, out, got, n);
                AMP_ARRAY_VIEW(int, 1, many, again, 1);
                AMP_PARTITION_ON(where, out, many, v.extent, (i), AMP_CAPTURE(v, limit), AMP_AT(v, i) < limit,
                                 AMP_AT(v, i));
            }
            check_int(again[0], selected);
            check(test_same_ints("parted", got, want, (size_t)n));
        }
    }
    test_set_sort_tiles(0);
    free(got);
}

static void unique_elements(void **state)
{
    (void)state;
    make_data();
    uint8_t *const got = malloc(2 * sizeof given->bytes), *const want = got + LARGEST;
    check(got != NULL);
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        {
            int heads = 0, count = -1;
            for (int i = 0; i < n; i++) {
                given->bytes[i] = test_random_int(0, 3) && i ? given->bytes[i - 1] : given->bytes[i];
                if (i == 0 || given->bytes[i] != given->bytes[i - 1])
                    want[heads++] = given->bytes[i];
            }
            {
                AMP_CONST_ARRAY_VIEW(uint8_t, 1, v, given->bytes, n);
                AMP_ARRAY_VIEW(uint8_t, 1, out, got, n);
                amp_unique_on(where, out, count, v);
            }
            check_int(count, heads);
            check(memcmp(got, want, (size_t)heads) == 0);
        }
    }
    free(got);
}

/* ---- sort ---------------------------------------------------------------------------------------- */

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

/* ---- histogram, random numbers ------------------------------------------------------------------- */

static void histograms_of(amp_accelerator_view where, int n)
{
    int some[250], few[40], many[5000], want[256] = { 0 };
    for (int i = 0; i < n; i++)
        want[given->bytes[i]]++;
    {
        AMP_CONST_ARRAY_VIEW(uint8_t, 1, v, given->bytes, n);
        AMP_ARRAY_VIEW(int, 1, counts, some, 250); /* bytes from 250 on are not counted */
        AMP_ARRAY_VIEW(int, 1, less, few, 40);
        AMP_ARRAY_VIEW(int, 1, more, many, 5000);
        AMP_HISTOGRAM_ON(where, counts, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i));
        AMP_HISTOGRAM_ON(where, less, v.extent, (i), AMP_CAPTURE(v), 100 * (AMP_AT(v, i) - 3));
        AMP_HISTOGRAM_ON(where, more, v.extent, (i), AMP_CAPTURE(v), 20 * AMP_AT(v, i) - 60);
    }
    for (int bin = 0; bin < 250; bin++)
        check_int(some[bin], want[bin]);
    for (int bin = 0; bin < 40; bin++)
        check_int(few[bin], bin == 0 ? want[3] : 0);
    for (int bin = 0; bin < 5000; bin++)
        check_int(many[bin], bin % 20 == 0 && bin / 20 + 3 < 256 ? want[bin / 20 + 3] : 0);
}

static void histograms(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        FOR_EACH_SIZE(n, where)
        histograms_of(where, n);
        test_set_sort_tiles(7); /* as on a GPU: lanes have bins of their own */
        histograms_of(where, test_is_slow(where) ? 300 : 70001);
        test_set_sort_tiles(0);
    }
}

static void random_numbers(void **state)
{
    (void)state;
    /* known answers of Philox4x32-10 */
    const amp_random_block zero = amp_philox(0, 0, 0), ones = amp_philox(UINT64_MAX, UINT64_MAX, UINT64_MAX);
    static const uint32_t of_zero[4] = { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 };
    static const uint32_t of_ones[4] = { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd };
    check(!memcmp(zero.v, of_zero, sizeof of_zero) && !memcmp(ones.v, of_ones, sizeof of_ones));
    check_int(amp_random_bits(0, 2), of_zero[2]);
    enum { N = 10000 };
    static float floats[N];
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_ARRAY_VIEW(float, 1, v, floats, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v),
                                     { AMP_AT(v, i) = amp_random_float(7, (uint64_t)i); });
        }
        double sum = 0;
        for (int i = 0; i < N; i++) {
            check(same_bits(floats[i], amp_random_float(7, (uint64_t)i)) && floats[i] >= 0 && floats[i] < 1);
            sum += (double)floats[i] + amp_random_double(8, (uint64_t)i);
        }
        check_that(fabs(sum / N - 1) < 0.02, "the mean is %g", sum / N);
    }
}

/* ---- tiles --------------------------------------------------------------------------------------- */

static void tile_phases(void **state)
{
    (void)state;
    make_data();
    int sums[4], scans[256];
    FOR_EACH_ACCELERATOR(where)
    {
        {
            AMP_CONST_ARRAY_VIEW(int, 1, v, given->ints, 256);
            AMP_ARRAY_VIEW(int, 1, sum, sums, 4);
            AMP_ARRAY_VIEW(int, 1, scan, scans, 256);
            AMP_TILED_ON(where, v.extent, (64), tile, AMP_CAPTURE(v, sum, scan), {
                AMP_TILE_STATIC(int, lane, [64]);
                AMP_TILE_STATIC(int, most, [64]);
                AMP_THREADS(tile, t) { lane[t.local.v[0]] = most[t.local.v[0]] = AMP_AT(v, t.global) >> 8; }
                AMP_TILE_SCAN_SUM(tile, int, lane, 64);
                AMP_TILE_MAX(tile, int, most, 64);
                AMP_THREADS(tile, t) {
                    AMP_AT(scan, t.global) = lane[t.local.v[0]];
                    if (t.local.v[0] == 0) AMP_AT(sum, t.tile) = most[0];
                }
            });
        }
        for (int tile = 0; tile < 4; tile++) {
            int sum = 0, most = INT_MIN;
            for (int i = 64 * tile; i < 64 * tile + 64; i++) {
                sum += given->ints[i] >> 8;
                most = given->ints[i] >> 8 > most ? given->ints[i] >> 8 : most;
                check_int(scans[i], sum);
            }
            check_int(sums[tile], most);
        }
    }
}

int run_algorithms(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sums_have_the_documented_bits),
        TEST(a_handler_may_clear_the_error),
        TEST(products_are_rounded),
        TEST(integers),
        TEST(extremes),
        TEST(equal_elements),
        TEST(reduces_of_all_kinds),
        TEST(errors_leave_results_alone),
        TEST(scans_have_the_documented_bits),
        TEST(scans_keep_the_order),
        TEST(selections),
        TEST(unique_elements),
        TEST(elements_of_three),
        TEST(sorts),
        TEST(histograms),
        TEST(random_numbers),
        TEST(tile_phases),
    };
    return cmocka_run_group_tests_name("algorithms", tests, NULL, NULL);
}
