// SPDX-License-Identifier: MIT
/*  subgroup.c - threads that run together (amp/algorithms/subgroup.h), against plain C: sub-groups of several
    sizes, in tiles of whole 32s and in others; elements of one byte to twelve. */
#include "test.h"
#include "child.h"

#include "amp_algorithms.h"

enum { COUNT = 960 };

AMP_STRUCT(linear, { unsigned times, plus, number; });
AMP_DEFINE_ELEMENT(linear);
AMP_FUNCTION(linear, after, (linear a, linear b), {
    const linear both = { a.times * b.times, a.plus * b.times + b.plus, b.number };
    return both;
});

static struct {
    float real[COUNT];
    int64_t wide[COUNT];
    uint8_t byte[COUNT];
    linear map[COUNT];
} given;

static void make_data(void)
{
    for (int i = 0; i < COUNT; i++) {
        given.real[i] = (float)test_random_double(-1, 1) * (float)(1 << test_random_int(0, 20));
        given.wide[i] = (int64_t)test_random();
        given.byte[i] = (uint8_t)test_random();
        given.map[i] = (linear){ (unsigned)test_random() | 1, (unsigned)test_random(), (unsigned)i };
    }
}

/* What each thread of a kernel below has of it. */
typedef struct results {
    float sum[COUNT], scan[COUNT];
    int64_t most[COUNT], least[COUNT];
    uint8_t next[COUNT], third[COUNT];
    unsigned positive[COUNT];
    linear all[COUNT];
} results;
static results got, wanted;

static linear then_all(const linear *p, int n)
{
    linear all = p[0];
    for (int i = 1; i < n; i++)
        all = after(all, p[i]);
    return all;
}

/* The documented association, of the sub-group that begins at element g. */
static void expect_group(int g, int n)
{
    float tree[32], lane[32], old[32];
    memcpy(tree, given.real + g, sizeof(float) * (size_t)n);
    memcpy(lane, tree, sizeof lane);
    for (int half = n / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            tree[i] = tree[i] + tree[i + half];
    for (int back = 1; back < n; back *= 2) {
        memcpy(old, lane, sizeof old);
        for (int i = back; i < n; i++)
            lane[i] = old[i - back] + old[i];
    }
    unsigned positive = 0;
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int i = 0; i < n; i++) {
        positive |= given.real[g + i] > 0 ? 1u << i : 0;
        least = given.wide[g + i] < least ? given.wide[g + i] : least;
        most = given.wide[g + i] > most ? given.wide[g + i] : most;
    }
    for (int i = 0; i < n; i++) {
        wanted.sum[g + i] = tree[0];
        wanted.scan[g + i] = lane[i];
        wanted.most[g + i] = most;
        wanted.least[g + i] = least;
        wanted.next[g + i] = given.byte[g + (i + 1) % n];
        wanted.third[g + i] = given.byte[g + 3 % n];
        wanted.positive[g + i] = positive;
        wanted.all[g + i] = then_all(given.map + g, i + 1);
    }
}

static int compare(int tile, int n)
{
    int wrong = 0;
#define SAME(is_same, what)                                                                                            \
    if (!(is_same) && !wrong++)                                                                                        \
    print_message("on %s, %s %d of %d in %d\n", test_where, what, i, n, tile)
    for (int g = 0; g < COUNT; g += n)
        expect_group(g, n);
    for (int i = 0; i < COUNT; i++) {
        SAME(!memcmp(&got.sum[i], &wanted.sum[i], sizeof(float)), "sum");
        SAME(!memcmp(&got.scan[i], &wanted.scan[i], sizeof(float)), "scan");
        SAME(got.most[i] == wanted.most[i] && got.least[i] == wanted.least[i], "extremes");
        SAME(got.next[i] == wanted.next[i] && got.third[i] == wanted.third[i], "bytes");
        SAME(got.positive[i] == wanted.positive[i], "ballot");
        SAME(!memcmp(&got.all[i], &wanted.all[i], sizeof(linear)), "structs");
    }
    return wrong;
}

#define SUBGROUP_TEST(TILE, N)                                                                                         \
    static void tiles_of_##TILE##_groups_of_##N(amp_accelerator_view where)                                            \
    {                                                                                                                  \
        AMP_CONST_ARRAY_VIEW(float, 1, real, given.real, COUNT);                                                       \
        AMP_CONST_ARRAY_VIEW(int64_t, 1, wide, given.wide, COUNT);                                                     \
        AMP_CONST_ARRAY_VIEW(uint8_t, 1, byte, given.byte, COUNT);                                                     \
        AMP_CONST_ARRAY_VIEW(linear, 1, map, given.map, COUNT);                                                        \
        AMP_ARRAY_VIEW(float, 1, sums, got.sum, COUNT);                                                                \
        AMP_ARRAY_VIEW(float, 1, scans, got.scan, COUNT);                                                              \
        AMP_ARRAY_VIEW(int64_t, 1, mosts, got.most, COUNT);                                                            \
        AMP_ARRAY_VIEW(int64_t, 1, leasts, got.least, COUNT);                                                          \
        AMP_ARRAY_VIEW(uint8_t, 1, nexts, got.next, COUNT);                                                            \
        AMP_ARRAY_VIEW(uint8_t, 1, thirds, got.third, COUNT);                                                          \
        AMP_ARRAY_VIEW(uint32_t, 1, positives, got.positive, COUNT);                                                   \
        AMP_ARRAY_VIEW(linear, 1, alls, got.all, COUNT);                                                               \
        AMP_TILED_ON(where, real.extent, (TILE), tile, AMP_CAPTURE(real, wide, sums, scans, mosts, leasts), {          \
            AMP_PRIVATE(float, sum);                                                                                   \
            AMP_PRIVATE(float, scan);                                                                                  \
            AMP_PRIVATE(int64_t, most);                                                                                \
            AMP_PRIVATE(int64_t, least);                                                                               \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_OWN(sum) = AMP_OWN(scan) = AMP_AT(real, t.global);                                                 \
                AMP_OWN(most) = AMP_OWN(least) = AMP_AT(wide, t.global);                                               \
            }                                                                                                          \
            AMP_SUBGROUP_SUM(tile, float, sum, N);                                                                     \
            AMP_SUBGROUP_SCAN_SUM(tile, float, scan, N);                                                               \
            AMP_SUBGROUP_MAX(tile, int64_t, most, N);                                                                  \
            AMP_SUBGROUP_MIN(tile, int64_t, least, N);                                                                 \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_AT(sums, t.global) = AMP_OWN(sum);                                                                 \
                AMP_AT(scans, t.global) = AMP_OWN(scan);                                                               \
                AMP_AT(mosts, t.global) = AMP_OWN(most);                                                               \
                AMP_AT(leasts, t.global) = AMP_OWN(least);                                                             \
            }                                                                                                          \
        });                                                                                                            \
        AMP_TILED_ON(where, real.extent, (TILE), tile,                                                                 \
                     AMP_CAPTURE(real, byte, map, nexts, thirds, positives, alls, AMP_CONSTANT(COUNT)), {              \
            AMP_PRIVATE(uint8_t, next);                                                                                \
            AMP_PRIVATE(uint8_t, third);                                                                               \
            AMP_PRIVATE(unsigned, positive);                                                                           \
            AMP_PRIVATE(linear, all);                                                                                  \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_OWN(next) = AMP_OWN(third) = AMP_AT(byte, t.global);                                               \
                AMP_OWN(all) = AMP_AT(map, t.global);                                                                  \
            }                                                                                                          \
            for (int turn = 0; turn < COUNT; turn += COUNT / 4) { /* in a loop, and as a tile decides */               \
                if (turn == 0) {                                                                                       \
                    AMP_SUBGROUP_SHUFFLE(tile, t, uint8_t, next, N, t.local.v[0] + 1);                                 \
                    AMP_SUBGROUP_BALLOT(tile, t, positive, N, AMP_AT(real, t.global) > 0);                             \
                } else if (turn == COUNT / 2) {                                                                        \
                    AMP_SUBGROUP_SCAN(tile, linear, all, N, after(a, b));                                              \
                }                                                                                                      \
            }                                                                                                          \
            AMP_SUBGROUP_BROADCAST(tile, uint8_t, third, N, 3);                                                        \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_AT(nexts, t.global) = AMP_OWN(next);                                                               \
                AMP_AT(thirds, t.global) = AMP_OWN(third);                                                             \
                AMP_AT(positives, t.global) = AMP_OWN(positive);                                                       \
                AMP_AT(alls, t.global) = AMP_OWN(all);                                                                 \
            }                                                                                                          \
        });                                                                                                            \
    }
SUBGROUP_TEST(64, 32)
SUBGROUP_TEST(48, 16)
SUBGROUP_TEST(20, 2)

/* How many numbers are wrong. */
static int wrong_on(amp_accelerator_view where)
{
    static const struct {
        int tile, n;
        void (*run)(amp_accelerator_view);
    } cases[] = { { 64, 32, tiles_of_64_groups_of_32 },
                  { 48, 16, tiles_of_48_groups_of_16 },
                  { 20, 2, tiles_of_20_groups_of_2 } };
    int wrong = 0;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        memset(&got, 0, sizeof got);
        cases[c].run(where);
        wrong += compare(cases[c].tile, cases[c].n);
    }
    return wrong;
}

static void subgroups(void **state)
{
    (void)state;
    make_data();
    FOR_EACH_ACCELERATOR(where) check_int(wrong_on(where), 0);
}

#if defined(AMP_BACKEND_OPENCL)

/* OpenCL's own extensions are taken where they are asked for and a device has them all; elsewhere they are not. */
static int child_ways(void)
{
    int wrong = 0, able = 0, taken = 0;
    make_data();
    FOR_EACH_ACCELERATOR(where)
    {
        const amp_priv_device *const device = test_device(where);
        if (device->backend != amp_priv_opencl_table() || device->is_debug ||
            !amp_priv_opencl_has_subgroups(amp_priv_opencl_of(device)->id))
            continue;
        able++;
        taken += strstr(device->options, "-Damp_priv_has_subgroups") != NULL;
        wrong += wrong_on(where);
    }
    printf("wrong %d, able %d, taken %d\n", wrong, able, taken);
    return 0;
}

CHILDREN({ "ways", child_ways })

static void subgroups_by_both_ways(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        char output[8192], environment[64];
        int wrong = -1, able = -1, taken = -1;
        snprintf(environment, sizeof environment, "AMP_LOG=info AMP_SUBGROUPS=%d", way);
        if (child_run("ways", environment, output, sizeof output) < 0) {
            print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
            skip();
        }
        const char *const line = strstr(output, "wrong ");
        check_that(line && sscanf(line, "wrong %d, able %d, taken %d", &wrong, &able, &taken) == 3, "%s", output);
        check_that(wrong == 0 && taken == (way ? able : 0), "%s: %s", environment, output);
        check_int(strstr(output, "sub-groups go by cl_khr_subgroup_shuffle") != NULL, taken > 0);
        print_message("%s: of the devices %d have OpenCL's sub-groups, %d take them\n", environment, able, taken);
    }
}

#define WAYS , TEST(subgroups_by_both_ways)
#else
#define WAYS
#endif

int run_algorithms_subgroup(void)
{
    const struct CMUnitTest tests[] = { TEST(subgroups) WAYS };
    return cmocka_run_group_tests_name("algorithms/subgroup", tests, NULL, NULL);
}
