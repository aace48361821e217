// SPDX-License-Identifier: MIT
/*  command.c - what calls leave behind that fail in a device: nothing is forgotten, nothing unknown is read.
    (Every call of OpenCL and of the system is made to fail by tests/faults.)
    Also tests amp/device/backend.h, amp/device/buffer.h, amp/device/device.h, amp/memory/use_list.h. */
#include "test.h"
#include "fake_device.h"

int run_device_command(void);

enum { LENGTH = 4096, EDGE = 8 };

static void fill_kernel(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count;
    int *const data = (int *)(void *)shapes[0].data;
    for (int i = 0; i < shapes[0].extent[0]; i++)
        data[i] = *(const int *)user + i;
}

static amp_status fill_from(amp_accelerator_view view, amp_array_view_int_1 v, int from)
{
    int *const user = test_allocate(sizeof *user);
    amp_priv_head *const heads[] = { &v.amp_priv };
    *user = from;
    return fake_launch(view, fill_kernel, user, heads, 1);
}

static void check_filled(const int *data, int from)
{
    for (int i = 0; i < LENGTH; i++)
        check_that(data[i] == from + i, "element %d is %d, not %d", i, data[i], from + i);
}

/* A wait that fails once does not make the kernel forgotten: who asks again waits for it. */
static void a_wait_that_fails(void **state)
{
    static int data[LENGTH];
    (void)state;
    fake_begin();
    for (int n = 0; n < FAKE_DEVICES; n++) {
        const bool shares = n >= FAKE_COPYING;
        test_poison(data, LENGTH);
        amp_array_view_int_1 v = amp_array_view_int_1_create(data, AMP_EXTENT(LENGTH));
        atomic_store(&fake_slow, shares ? 20000 : 500);
        check_int(fill_from(fake_view(n), v, 100), AMP_OK);
        atomic_store(&fake_fail_waits, 1);
        const amp_status status = amp_array_view_synchronize(&v);
        if (shares) { /* a device that copies reads in the order of its queue, and waits for no event */
            check_int(status, AMP_RUNTIME_ERROR);
            expect_error(AMP_RUNTIME_ERROR, "fake_wait failed");
        }
        atomic_store(&fake_slow, 500);
        atomic_store(&fake_fail_waits, 0);
        check_int(amp_array_view_synchronize(&v), AMP_OK);
        check_filled(data, 100);

        /* The last release tries again. */
        check_int(fill_from(fake_view(n), v, 200), AMP_OK);
        atomic_store(&fake_fail_waits, 1);
        check_int(amp_array_view_release(&v), AMP_OK);
        atomic_store(&fake_fail_waits, 0);
        check_filled(data, 200);
        atomic_store(&fake_slow, 0);
    }
    expect_no_error();
    check_int(atomic_load(&fake_buffers), 0);
    fake_end();
}

/* Memory in use is kept where nothing says when that ends. */
static void memory_in_use_is_kept(void **state)
{
    (void)state;
    fake_begin();
    const amp_accelerator_view view = fake_view(FAKE_COPYING);
    amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(LENGTH), view);
    atomic_store(&fake_slow, FAKE_HELD);
    check_int(fill_from(view, amp_view_of(a), 1), AMP_OK);
    atomic_store(&fake_fail_waits, 1000);
    check_int(amp_array_release(&a), AMP_OK); /* a sanitizer would see the kernel write what was freed */
    atomic_store(&fake_fail_waits, 0);
    atomic_store(&fake_slow, 0);
    check_int(atomic_load(&fake_buffers), 1);
    check_int(amp_accelerator_view_wait(view), AMP_OK);
    atomic_fetch_sub(&fake_buffers, 1); /* it is gone for good */
    fake_end();
}

/* What lies under a view cannot come home: a copy to its memory is refused, and nothing was written. */
static void a_copy_under_a_view(void **state)
{
    static int data[LENGTH], zeros[LENGTH];
    (void)state;
    fake_begin();
    amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(LENGTH), test_view(0));
    check_int(amp_copy_in(zeros, LENGTH, a), AMP_OK);
    amp_array_view_int_1 v = amp_array_view_int_1_create(data, AMP_EXTENT(LENGTH));
    atomic_store(&fake_slow, 20000);
    check_int(fill_from(fake_view(FAKE_COPYING), v, 100), AMP_OK);
    atomic_store(&fake_fail_waits, 1);
    check_int(amp_copy_out(a, data, LENGTH), AMP_RUNTIME_ERROR);
    expect_error(AMP_RUNTIME_ERROR, "fake_wait failed");
    atomic_store(&fake_fail_waits, 0);
    atomic_store(&fake_slow, 0);
    check_int(amp_array_view_synchronize(&v), AMP_OK);
    check_filled(data, 100);
    check_int(amp_copy_out(a, data, LENGTH), AMP_OK);
    check_int(amp_array_view_release(&v), AMP_OK);
    check(!memcmp(data, zeros, sizeof data));
    amp_array_release(&a);
    expect_no_error();
    fake_end();
}

/* A copy of several rectangles of which the second fails: what it was to overwrite is unknown, the rest is not. */
static void half_a_copy(void **state)
{
    enum { ALL = EDGE * EDGE * EDGE * EDGE, STEP = 1 + EDGE + EDGE * EDGE + EDGE * EDGE * EDGE };
    static int data[ALL], out[ALL];
    const amp_extent4 all = AMP_EXTENT(EDGE, EDGE, EDGE, EDGE), part = AMP_EXTENT(3, 3, 3, 3);
    (void)state;
    fake_begin();
    for (int n = 0; n < FAKE_COPYING; n++) {
        const amp_accelerator_view view = fake_view(n);
        for (int i = 0; i < ALL; i++)
            data[i] = i;
        amp_array_int_4 from = amp_array_int_4_create_from(all, view, data, ALL);
        for (int i = 0; i < ALL; i++)
            data[i] = -i;
        amp_array_int_4 to = amp_array_int_4_create_from(all, view, data, ALL);
        const amp_array_view_int_4 source = amp_section(from, AMP_INDEX(1, 1, 1, 1), part),
                                   target = amp_section(to, AMP_INDEX(2, 2, 2, 2), part);
        atomic_store(&fake_fail_copy, 2);
        check_int(amp_copy(source, target), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "fake_copy failed");

        check_int(amp_copy_out(to, out, ALL), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "unknown");
        const amp_array_view_int_4 rest = amp_section(to, AMP_INDEX(0, 0, 0, 0), AMP_EXTENT(2, EDGE, EDGE, EDGE));
        check_int(amp_copy_out(rest, out), AMP_OK);
        for (int i = 0; i < 2 * EDGE * EDGE * EDGE; i++)
            check_int(out[i], -i);

        check_int(amp_copy(source, target), AMP_OK); /* the same again makes it known */
        check_int(amp_copy_out(to, out, ALL), AMP_OK);
        for (int i = 0; i < ALL; i++) {
            bool inside = true;
            for (int d = 0, index = i; d < 4; d++, index /= EDGE)
                inside = inside && index % EDGE >= 2 && index % EDGE < 5;
            check_int(out[i], inside ? i - STEP : -i);
        }

        atomic_store(&fake_fail_copy, 1); /* nothing was copied: nothing is unknown */
        check_int(amp_copy(source, target), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "fake_copy failed");
        check_int(amp_copy_out(to, out, ALL), AMP_OK);
        amp_array_release(&from);
        amp_array_release(&to);
    }
    expect_no_error();
    fake_end();
}

int run_device_command(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_wait_that_fails),
        TEST(memory_in_use_is_kept),
        TEST(a_copy_under_a_view),
        TEST(half_a_copy),
    };
    return cmocka_run_group_tests_name("device/command", tests, NULL, NULL);
}
