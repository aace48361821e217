// SPDX-License-Identifier: MIT
/*  band_memory.c - which parts of the data are where, for launches on groups and on streamed views.
    Also tests amp/group/stream_memory.h, amp/memory/band.h. */
#include "group.h"

AMP_STRUCT(triple, { float x, y, z; });
AMP_DEFINE_ELEMENT(triple)
AMP_STRUCT(five, { float v[5]; });
AMP_DEFINE_ELEMENT(five)

/* Views of other element types on the same data, whose sizes do not divide one another. */
static void other_elements(amp_accelerator_view where, float *data, int count)
{
    AMP_ARRAY_VIEW(float, 1, flat, data, count);
    const amp_array_view_triple_1 t = AMP_REINTERPRET_AS(amp_array_view_triple_1, flat);
    const amp_array_view_five_1 f = AMP_REINTERPRET_AS(amp_array_view_five_1, flat);
    AMP_PARALLEL_FOR_EACH_ON(where, t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i).y += (float)i; });
    AMP_PARALLEL_FOR_EACH_ON(where, f.extent, (i), AMP_CAPTURE(f), { AMP_AT(f, i).v[3] += (float)(2 * i); });
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(count / 15), (i), AMP_CAPTURE(AMP_WHOLE(t), f),
                             { AMP_AT(f, 3 * i).v[0] += 1 + (float)(AMP_AT(t, 5 * i + 1).y > 0); });
    AMP_PARALLEL_FOR_EACH_ON(where, t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i).z += (float)i; });
}

static void bands_of_other_elements(void **state)
{
    enum { COUNT = 15 * 6000 };
    static float a[2][COUNT];
    (void)state;
    amp_accelerator_view group = all_of_them();
    for (int i = 0; i < COUNT; i++)
        a[0][i] = a[1][i] = (float)(i % 100);
    other_elements(amp_accelerator_default_view(amp_accelerator_view_accelerator(group)), a[0], COUNT);
    other_elements(group, a[1], COUNT);
    assert_memory_equal(a[0], a[1], sizeof a[0]);
    FOR_EACH_STREAMED(view)
    {
        enum { PART = COUNT / 15 / 8 * 15 };
        amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, sizeof a[0] / 2);
        memcpy(a[1], a[0], sizeof a[0]);
        other_elements(view, a[0], PART);
        other_elements(streamed, a[1], PART);
        assert_memory_equal(a[0], a[1], sizeof a[0]);
        amp_accelerator_view_release(&streamed);
    }
    amp_accelerator_view_release(&group);
}

/* ---- callbacks ------------------------------------------------------------------------------------ */

/* What a callback does while another thread waits for an operation that comes after the callback. */
typedef struct call {
    amp_accelerator_view where;
    amp_array_view_int_1 v;
    amp_recording recording; /* of increment */
    atomic_bool waits;       /* the other thread is about to wait */
    bool on_worker;
} call;

static _Thread_local bool test_thread; /* the one of the test */

static void increment(amp_accelerator_view where, amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

static void calls_the_library(void *user)
{
    call *const c = user;
    c->on_worker = !test_thread; /* else the operation was done when it got its callback */
    while (c->on_worker && !atomic_load(&c->waits))
        usleep(100);
    if (c->on_worker)
        usleep(3000);
    increment(c->where, c->v);
    if (!amp_recording_replay(c->recording))
        increment(c->where, c->v);
    amp_accelerator_view_wait(c->where);
}

/* This thread launches (replays) what the callback launches (replays), and has to wait for what comes after that. Was
   the callback called while it waited? */
static bool try_callback(amp_accelerator_view where, bool replays)
{
    enum { COUNT = 1000, LONG = 1 << 22 /* its copy takes longer than it takes to add a callback */ };
    static int a[COUNT], b[LONG], c[COUNT], zeros[LONG];
    memset(a, 0, sizeof a);
    memset(c, 0, sizeof c);
    AMP_ARRAY_VIEW(int, 1, mine, a, COUNT);
    AMP_ARRAY_VIEW(int, 1, first_copied, b, LONG);
    AMP_ARRAY_VIEW(int, 1, theirs, c, COUNT);
    call of = { .where = where, .v = theirs };
    atomic_init(&of.waits, false);
    amp_recording_begin(where);
    increment(where, mine);
    of.recording = amp_recording_end();
    amp_future first = amp_copy_in_async(zeros, LONG, first_copied);
    amp_future_then(first, calls_the_library, &of);
    amp_future second = amp_copy_in_async(zeros, COUNT, mine); /* after the callback */
    atomic_store(&of.waits, true);
    if (!replays || !amp_recording_replay(of.recording))
        increment(where, mine);
    assert_int_equal(amp_future_get(second), AMP_OK);
    assert_int_equal(amp_future_get(first), AMP_OK);
    const bool replayed = amp_recording_valid(of.recording);
    assert_int_equal(AMP_AT(mine, 5), 1);
    assert_int_equal(AMP_AT(theirs, COUNT - 1), replayed ? 1 : 2);
    amp_recording_release(&of.recording);
    amp_future_release(&second);
    amp_future_release(&first);
    return of.on_worker;
}

static void with_callback(amp_accelerator_view where, bool replays)
{
    int tries = 100;
    test_thread = true;
    while (tries-- && !try_callback(where, replays))
        continue;
    test_thread = false;
    assert_true(tries >= 0);
}

static void callbacks_use_the_same(void **state)
{
    (void)state;
    amp_accelerator_view group = amp_accelerator_view_create_group(NULL, 0);
    test_needs_threads();
    for (int replays = 0; replays < 2; replays++) {
        with_callback(group, replays);
        FOR_EACH_ONE_ACCELERATOR(view)
        {
            with_callback(view, replays);
            amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, 4096);
            with_callback(streamed, replays);
            amp_accelerator_view_release(&streamed);
        }
    }
    amp_accelerator_view_release(&group);
}

/* ---- failures ------------------------------------------------------------------------------------- */

static amp_priv_backend failing; /* the device's, but that the n-th kernel from now on fails */
static const amp_priv_backend *not_failing;
static int kernels_left;

static amp_priv_result fail_once(amp_priv_queue *queue, void *kernel, const amp_priv_kernel_arguments *arguments,
                                 const amp_priv_geometry *geometry, void **event)
{
    if (kernels_left-- == 1)
        return (amp_priv_result){ AMP_RUNTIME_ERROR, false, false, 1, "fail_once" };
    return not_failing->kernel.enqueue(queue, kernel, arguments, geometry, event);
}

static void two_launches(amp_accelerator_view where, amp_array_view_int_2 x, amp_array_view_int_2 y,
                         amp_array_view_int_2 z)
{
    AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (r, c), AMP_CAPTURE(x), { AMP_AT(x, r, c) += 1; });
    AMP_PARALLEL_FOR_EACH_ON(where, y.extent, (r, c), AMP_CAPTURE(x, y, AMP_WHOLE(z)),
                             { AMP_AT(y, r, c) = AMP_AT(x, r, c) + AMP_AT(z, 0, 0); });
}

/* Is what a view has known to be this value? */
static bool is_known(const amp_array_view_int_2 *v, const int *data, int value)
{
    const bool known = amp_array_view_synchronize(v) == AMP_OK;
    test_heard.count = 0;
    amp_clear_error();
    return known && data[0] == value;
}

/* The n-th kernel of a replay of two launches fails: what was written before is marked, or was not changed. */
static void fail_replay(amp_accelerator_view where, int n)
{
    enum { LINES = 8, CELLS_OF_LINE = 4 };
    static int p[LINES * CELLS_OF_LINE], q[LINES * CELLS_OF_LINE], o[LINES * CELLS_OF_LINE];
    amp_priv_device *const device = (amp_priv_device *)(uintptr_t)test_device(where);
    memset(p, 0, sizeof p);
    AMP_ARRAY_VIEW(int, 2, x, p, LINES, CELLS_OF_LINE);
    AMP_ARRAY_VIEW(int, 2, y, q, LINES, CELLS_OF_LINE);
    AMP_ARRAY_VIEW(int, 2, z, o, LINES, CELLS_OF_LINE);
    amp_recording_begin(where);
    two_launches(where, x, y, z);
    amp_recording recording = amp_recording_end();
    if (!amp_recording_valid(recording))
        return;
    assert_true(amp_recording_replay(recording));
    assert_true(is_known(&x, p, 2));
    not_failing = device->backend;
    failing = *not_failing;
    failing.kernel.enqueue = fail_once;
    kernels_left = n;
    device->backend = &failing;
    assert_true(amp_recording_replay(recording));
    device->backend = not_failing;
    const bool failed = kernels_left < 1 && test_heard.count > 0;
    test_heard.count = 0;
    amp_clear_error();
    if (n == 1 && failed)
        assert_true(is_known(&x, p, 2)); /* nothing had begun */
    else if (failed)
        assert_false(is_known(&x, p, 2) || is_known(&x, p, 3));
    else
        assert_true(is_known(&x, p, 3));
    /* z is only read. Of a launch that is not divided (a group of one device) what is not const counts as written. */
    const bool divided = where.amp_priv_queue->division != NULL;
    assert_int_equal(is_known(&z, o, 0), divided || n == 1 || !failed);
    amp_array_view_discard_data(&x);
    amp_array_view_discard_data(&y);
    amp_recording_release(&recording);
}

static void replays_that_fail(void **state)
{
    (void)state;
    amp_accelerator_view group = amp_accelerator_view_create_group(NULL, 0);
    for (int n = 1; n < 5; n++) {
        fail_replay(group, n);
        FOR_EACH_STREAMED(view)
        {
            amp_accelerator_view streamed = amp_accelerator_view_create_streamed(view, 4096);
            fail_replay(streamed, n);
            amp_accelerator_view_release(&streamed);
        }
    }
    amp_accelerator_view_release(&group);
}

int run_group_band_memory(void)
{
    const struct CMUnitTest tests[] = {
        TEST(bands_of_other_elements),
        TEST(callbacks_use_the_same),
        TEST(replays_that_fail),
    };
    setenv("AMP_GROUP_THREADS", "0", 0); /* GPUs would not divide launches as small as these */
    return cmocka_run_group_tests_name("group/band_memory", tests, NULL, NULL);
}
