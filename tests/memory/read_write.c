// SPDX-License-Identifier: MIT
/*  read_write.c - amp_read and amp_write: one element, and no other byte is moved.
    Also tests amp/memory/host_access.h. */
#include "../group/group.h"
#include "amp_group.h"
#include "test.h"

AMP_STRUCT(point_of, {
    float x;
    int n[2];
});
AMP_DEFINE_ELEMENT(point_of)

enum { COUNT = 60 };

/* What was moved since the counters were reset: elements of a size. Memory that a device shares does not move. */
static void check_moved(amp_accelerator_view where, size_t size, uint64_t read, uint64_t written)
{
    const amp_transfer_counters moved = amp_total_counters();
    const bool moves = !amp_priv_is_host(test_device(where)->number) && !test_device(where)->shares_host;
    check_int((int)moved.bytes_to_host, moves ? (int)(size * read) : 0);
    check_int((int)moved.bytes_to_device, moves ? (int)(size * written) : 0);
    amp_total_counters_reset();
}

#define READ_AND_WRITE(T, where)                                                                                       \
    do {                                                                                                               \
        static T values[COUNT];                                                                                        \
        AMP_ARRAY_VIEW(T, 1, v, values, COUNT);                                                                        \
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (T)i; });                      \
        amp_total_counters_reset();                                                                                    \
        check(amp_read(v, 7) == (T)7);                                                                                 \
        check(amp_read(amp_as_const(v), AMP_INDEX(COUNT - 1)) == (T)(COUNT - 1));                                      \
        check_moved(where, sizeof(T), 2, 0);                                                                           \
        check_int(amp_write((T)3, v, 8), AMP_OK);                                                                      \
        check(amp_read(v, 8) == (T)3);                                                                                 \
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (T)(AMP_AT(v, i) + 1); });     \
        check_moved(where, sizeof(T), 0, 1);                                                                           \
        check(amp_read(v, 8) == (T)4 && amp_read(v, 9) == (T)10);                                                      \
    } while (0)

static void elements_of_each_type(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        READ_AND_WRITE(int, where);
        READ_AND_WRITE(float, where);
        READ_AND_WRITE(int8_t, where);
        READ_AND_WRITE(uint8_t, where);
        READ_AND_WRITE(int16_t, where);
        READ_AND_WRITE(uint16_t, where);
        READ_AND_WRITE(uint32_t, where);
        READ_AND_WRITE(int64_t, where);
        READ_AND_WRITE(uint64_t, where);
        AMP_ARRAY_ON(where, point_of, 2, places, 3, 4);
        AMP_PARALLEL_FOR_EACH_ON(where, places.extent, (i, j), AMP_CAPTURE(places),
                                 { AMP_AT(places, i, j).n[1] = 10 * i + j; });
        point_of one = amp_read(places, 2, 3);
        check_int(one.n[1], 23);
        one.n[1] = 5;
        check_int(amp_write(one, places, 2, 3), AMP_OK);
        check_int(amp_read(places, AMP_INDEX(2, 3)).n[1], 5);
        check_int(amp_read(places, 2, 2).n[1], 22);
    }
    expect_no_error();
}

static void elements_of_each_rank(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        static int values[COUNT * COUNT];
        AMP_ARRAY_VIEW(int, 1, v, values, COUNT *COUNT);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        const amp_array_view_int_2 v2 =
            amp_section(AMP_VIEW_AS(amp_array_view_int_2, v, COUNT, COUNT), 1, 2, COUNT - 1, COUNT - 3);
        const amp_array_view_int_3 v3 = AMP_VIEW_AS(amp_array_view_int_3, v, 3, 4, 5);
        const amp_array_view_int_4 v4 = AMP_VIEW_AS(amp_array_view_int_4, v, 2, 3, 4, 5);
        const amp_array_view_int_8 v8 = AMP_VIEW_AS(amp_array_view_int_8, v, 2, 2, 2, 2, 2, 2, 2, 2);
        check_int(amp_read(v2, 3, 4), 4 * COUNT + 6);
        check_int(amp_read(v3, 1, 2, 3), 33);
        check_int(amp_read(v4, 1, 1, 1, 1), 60 + 20 + 5 + 1);
        check_int(amp_read(v8, 1, 0, 0, 0, 0, 0, 1, 1), 131);
        check_int(amp_write(-1, v2, 3, 4), AMP_OK);
        check_int(amp_write(-2, v8, 1, 1, 1, 1, 1, 1, 1, 1), AMP_OK);
        check_int(amp_read(v, 4 * COUNT + 6), -1);
        check_int(AMP_AT(v, 255), -2);
        check_int(AMP_AT(v, 256), 256);
    }
    expect_no_error();
}

static void elements_on_groups(void **state)
{
    (void)state;
    amp_accelerator_view group = all_of_them();
    {
        static int values[COUNT][COUNT];
        AMP_ARRAY_VIEW(int, 2, v, &values[0][0], COUNT, COUNT);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) = 100 * i + j; });
        amp_source_counters_reset(v);
        for (int i = 0; i < COUNT; i += 7)
            check_int(amp_read(v, i, 3), 100 * i + 3);
        check(amp_source_counters(v).bytes_to_host <= (COUNT / 7 + 1) * sizeof(int));
        check_int(amp_write(-5, v, COUNT - 1, 1), AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(group, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) += 1; });
        check_int(amp_read(v, COUNT - 1, 1), -4);
        check_int(amp_read(v, 0, 1), 2);
    }
    amp_accelerator_view_release(&group);
    expect_no_error();
}

static void an_index_outside_is_an_error(void **state)
{
    (void)state;
    int values[8] = { 1, 2, 3 };
    AMP_ARRAY_VIEW(int, 1, v, values, 8);
    check_int(amp_read(v, 8), 0);
    expect_error(AMP_INVALID_ARGUMENT, "amp_read: the index (8) is outside of the view, whose extent is (8)");
    check_int(amp_write(1, v, -1), AMP_INVALID_ARGUMENT);
    expect_error(AMP_INVALID_ARGUMENT, "amp_write: the index (-1) is outside of the view");
    amp_array_view_int_1 none = { .data = NULL };
    check_int(amp_read(none, 0), 0);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_read: this view or array was never created");
    check_int(AMP_AT(v, 2), 3);
    expect_no_error();
}

int run_memory_read_write(void);
int run_memory_read_write(void)
{
    const struct CMUnitTest tests[] = {
        TEST(elements_of_each_type),
        TEST(elements_of_each_rank),
        TEST(elements_on_groups),
        TEST(an_index_outside_is_an_error),
    };
    return cmocka_run_group_tests_name("memory/read_write", tests, NULL, NULL);
}
