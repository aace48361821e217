// SPDX-License-Identifier: MIT
/*  unknown.c - contents that are not known since something that wrote them failed half-way, on the host: which accesses
    are refused, and what makes them known again. Also tests amp/memory/request.h. */
#include "test.h"
#include "amp/memory/acquire.h"

enum { ROWS = 8, COLUMNS = 5, N = ROWS * COLUMNS };

static const char *const refused = "the contents of a part of this view or array are unknown";

/* What a view shows is not known any more. */
static void forget(const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_source_lock(head->source);
    amp_priv_invalidate(head->source, &shape, ~UINT32_C(0));
    amp_priv_source_unlock(head->source);
}

static bool can_read(amp_array_view_int_2 v)
{
    int got[N];
    if (amp_copy_out(v, got, AMP_UNCHECKED) == AMP_OK)
        return true;
    expect_error(AMP_RUNTIME_ERROR, refused);
    return false;
}

/* Other rows are as they were; rows that are overwritten are known again, one after the other. */
static void rows(void **state)
{
    (void)state;
    int data[N], more[N];
    for (int i = 0; i < N; i++)
        data[i] = more[i] = i;
    AMP_ARRAY_VIEW(int, 2, v, data, ROWS, COLUMNS);
    const amp_array_view_int_2 upper = amp_section(v, AMP_EXTENT(3, COLUMNS)),
                               lower = amp_section(v, AMP_INDEX(3, 0), AMP_EXTENT(5, COLUMNS)),
                               two = amp_section(v, AMP_INDEX(3, 0), AMP_EXTENT(2, COLUMNS)),
                               last = amp_section(v, AMP_INDEX(5, 0), AMP_EXTENT(3, COLUMNS));
    forget(&lower.amp_priv);
    check(can_read(upper));
    check(!can_read(v));
    check(!can_read(two));
    AMP_AT(lower, 0, 0) = 1;
    expect_error(AMP_RUNTIME_ERROR, refused);
    check_int(amp_copy_in(more, 2 * COLUMNS, two), AMP_OK);
    check(can_read(two));
    check(!can_read(lower));
    check_int(amp_copy(upper, last), AMP_OK);
    check(can_read(v));
    AMP_AT(v, 7, 4) += 1;
    check_int(AMP_AT(v, 7, 4), 2 * COLUMNS + COLUMNS);
    check_int(AMP_AT(v, 3, 1), 1);
}

/* Columns have gaps, which are known. Refreshed or discarded data are known. */
static void cures(void **state)
{
    (void)state;
    int data[N] = { 0 };
    AMP_ARRAY_VIEW(int, 2, v, data, ROWS, COLUMNS);
    const amp_array_view_int_2 left = amp_section(v, AMP_EXTENT(ROWS, 2)),
                               right = amp_section(v, AMP_INDEX(0, 2), AMP_EXTENT(ROWS, COLUMNS - 2));
    forget(&left.amp_priv);
    check(can_read(right));
    check(!can_read(left));
    check_int(amp_array_view_refresh(&left), AMP_OK);
    check(can_read(v));
    forget(&v.amp_priv);
    check_int(amp_array_view_discard_data(&left), AMP_OK);
    (void)AMP_AT(left, 0, 0);
    expect_no_error();
    check(!can_read(right));
    check_int(amp_array_view_discard_data(&v), AMP_OK);
    AMP_PARALLEL_FOR_EACH(v.extent, (row, col), AMP_CAPTURE(v), { AMP_AT(v, row, col) = row + col; });
    check_int(AMP_AT(v, 7, 4), 11);
}

/* A kernel does not get them, and a pointer to the memory is no way around. */
static void other_ways(void **state)
{
    (void)state;
    int data[N] = { 0 }, other[N] = { 0 };
    AMP_ARRAY_VIEW(int, 2, v, data, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(int, 2, w, other, ROWS, COLUMNS);
    forget(&v.amp_priv);
    amp_accelerator cpu = amp_accelerator_from_path("cpu");
    AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(cpu), v.extent, (row, col), AMP_CAPTURE(v),
                             { AMP_AT(v, row, col) += 1; });
    expect_error(AMP_RUNTIME_ERROR, refused);
    check(amp_copy_in(data, N, w) != AMP_OK);
    expect_error(AMP_RUNTIME_ERROR, NULL);
    check(amp_copy_out(w, data, N) != AMP_OK);
    expect_error(AMP_RUNTIME_ERROR, refused);
    check_int(amp_copy(w, v), AMP_OK);
    check_int(amp_copy_in(data, N, w), AMP_OK);
}

int run_memory_unknown(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(rows),
        TEST(cures),
        TEST(other_ways),
    };
    return cmocka_run_group_tests_name("memory/unknown", tests, NULL, NULL);
}
