// SPDX-License-Identifier: MIT
/*  select.c - selections */
#include "sizes.h"

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

static void predicates_that_assign_are_refused(void **state)
{
    (void)state;
    static const char SAYS[] = "the predicate assigns to 'v'";
    FOR_EACH_ACCELERATOR(where)
    {
        int values[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, got[8], count = 5;
        AMP_ARRAY_VIEW(int, 1, v, values, 8);
        AMP_ARRAY_VIEW(int, 1, out, got, 8);
        AMP_SELECT_IF_ON(where, out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) = 3, AMP_AT(v, i));
        expect_error(AMP_COMPILATION_FAILED, SAYS);
        check_int(count, 5);
        check_int(AMP_ANY_OF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) = 3), 0);
        expect_error(AMP_COMPILATION_FAILED, SAYS);
        check_int((int)AMP_COUNT_IF_ON(where, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) == 3), 1);
        expect_no_error();
    }
}

int run_algorithms_select(void)
{
    const struct CMUnitTest tests[] = {
        TEST(selections),
        TEST(predicates_that_assign_are_refused),
    };
    return cmocka_run_group_tests_name("algorithms/select", tests, NULL, NULL);
}
