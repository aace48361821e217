// SPDX-License-Identifier: MIT
/*  future.c - the handles of futures (tests/memory/array_view.c has what futures do).
    Also tests amp/base/slots.h. */
#include "test.h"

static void never_called(void *user) { (void)user; }

/* Each use of a copy is refused, also when the record is used again. */
static void released_future(amp_future copy)
{
    check(!amp_future_valid(copy));
    check_int(amp_future_wait(copy), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_wait: this amp_future was already released through a copy of "
                                           "it; release it after the last use of its copies");
    check_int(amp_future_get(copy), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_get: this amp_future was already released through a copy");
    check(!amp_future_is_done(copy));
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_is_done: this amp_future was already released");
    check_int(amp_future_then(copy, never_called, NULL), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_then: this amp_future was already released");
    amp_future again = copy;
    check_int(amp_future_release(&again), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_release: this amp_future was already released");
    check(!amp_future_valid(again));
}

static void released_futures(void **state)
{
    (void)state;
    int raw[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    amp_array_int_1 a = amp_array_int_1_create(AMP_EXTENT(8));
    amp_future future = amp_copy_in_async(raw, 8, a);
    const amp_future copy = future;
    check_int(amp_future_get(copy), AMP_OK);
    check_int(amp_future_release(&future), AMP_OK);
    released_future(copy);
    enum { MORE = 3 };
    amp_future more[MORE]; /* one of them has the record */
    for (int i = 0; i < MORE; i++)
        more[i] = i ? amp_copy_in_async(raw, 8, a)
                    : amp_accelerator_view_create_marker(amp_accelerator_auto_selection_view());
    released_future(copy);
    for (int i = 0; i < MORE; i++) {
        check_int(amp_future_get(more[i]), AMP_OK);
        check_int(amp_future_release(&more[i]), AMP_OK);
    }
    released_future(copy);
    amp_array_release(&a);
}

int run_device_future(void)
{
    const struct CMUnitTest tests[] = {
        TEST(released_futures),
    };
    return cmocka_run_group_tests_name("device/future", tests, NULL, NULL);
}
