// SPDX-License-Identifier: MIT
/*  kernel_launch.c - what amp/launch/kernel_launch.h does for every device backend: first use, once, also with
    threads; variants;
    several backends at one launch; what fails, and what is tried again. On tests/host_backend, which can fail.
    Also tests amp/device/extensions.h, amp/launch/kernel_cache.h, amp/launch/start.h. */
#include "child.h"
#include "test.h"

#if !defined(AMP_BACKEND_EXTRA)
#error "tests/launch/kernel_launch.c is for builds with tests/host_backend: build/test_host"
#endif

int run_launch_kernel_launch(void);

enum { N = 256 };

static amp_accelerator_view host_view(void)
{
    return amp_accelerator_default_view(amp_accelerator_from_path("host:0"));
}

static int listed; /* devices, before the test */
static test_variable cache = { .name = "AMP_CACHE" };

/* Every kernel is compiled here, whatever the disk has. */
static int begin(void **state)
{
    amp_priv_devices_init();
    listed = amp_priv_accelerators.count;
    test_variable_keep(&cache);
    setenv("AMP_CACHE", "0", 1);
    atomic_store(&host_fail.compiled, 0);
    return test_begin(state);
}

static int end(void **state)
{
    test_variable_restore(&cache);
    atomic_store(&host_fail.builds, 0);
    atomic_store(&host_fail.launches, 0);
    /* Tests that come after these go through the whole list, in other processes, too. */
    while (amp_priv_accelerators.count > listed) {
        const int n = --amp_priv_accelerators.count;
        free(atomic_exchange(&amp_priv_accelerators.queue[n], NULL));
        amp_priv_accelerators.device[n] = NULL;
    }
    return test_end(state);
}

static void expect_values(const int *values, int step)
{
    for (int i = 0; i < N; i++)
        check_int(values[i], step * i);
}

/* ---- what fails ------------------------------------------------------------------------------------ */

static void count_up(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
}

static void a_build_without_memory_is_tried_again(void **state)
{
    int values[N] = { 0 };
    (void)state;
    atomic_store(&host_fail.builds, 2);
    for (int failed = 0; failed < 2; failed++) {
        count_up(host_view(), values);
        check(strstr(test_heard.message, "launch/kernel_launch.c:"));
        check(strstr(test_heard.message, ": cc failed with ENOMEM (12) on host:0: the device has too little memory"));
        expect_error(AMP_OUT_OF_MEMORY, "kernel in count_up, at or near ");
        expect_values(values, 0);
    }
    count_up(host_view(), values);
    expect_no_error();
    expect_values(values, 1);
    check_int(host_fail.compiled, 1);
}

static void twice(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 2 * i; });
}

/* Nothing has run, and the arguments are set anew the next time. */
static void a_launch_that_is_refused_names_its_kernel(void **state)
{
    int values[N] = { 0 };
    (void)state;
    twice(host_view(), values);
    atomic_store(&host_fail.launches, 1);
    twice(host_view(), values);
    check(strstr(test_heard.message, "launch/kernel_launch.c:"));
    check(strstr(test_heard.message, ": host_enqueue failed with ENOMEM (12) on host:0: "));
    expect_error(AMP_OUT_OF_MEMORY, "kernel in twice, at or near ");
    expect_values(values, 2);
    twice(host_view(), values);
    expect_no_error();
    expect_values(values, 4);
    check_int(host_fail.compiled, 1);
}

/* A replay of which nothing was submitted changes nothing; where some of it was, what it writes is not known. */
static void a_replay_that_is_refused(void **state)
{
    int values[N] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    amp_recording_begin(host_view());
    for (int n = 0; n < 2; n++)
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) += (n + 1) * i; });
    amp_recording recording = amp_recording_end();
    atomic_store(&host_fail.launches, 1);
    check(amp_recording_replay(recording));
    expect_error(AMP_OUT_OF_MEMORY, "kernel in a_replay_that_is_refused, at or near ");
    amp_array_view_synchronize(&v);
    expect_values(values, 3);
    check(amp_recording_replay(recording));
    amp_array_view_synchronize(&v);
    expect_values(values, 6);
    const int count = recording.amp_priv_recording->commands[1].arguments.count;
    recording.amp_priv_recording->commands[1].arguments.count = 5000; /* which it refuses */
    check(amp_recording_replay(recording));
    expect_error(AMP_OUT_OF_MEMORY, "host_enqueue failed");
    amp_array_view_synchronize(&v);
    expect_error(AMP_RUNTIME_ERROR, "are unknown since a copy or launch on it failed");
    recording.amp_priv_recording->commands[1].arguments.count = count;
    for (int i = 0; i < N; i++)
        values[i] = 0;
    amp_array_view_refresh(&v);
    check(amp_recording_replay(recording));
    amp_array_view_synchronize(&v);
    expect_values(values, 3);
    amp_recording_release(&recording);
}

/* What a backend lacks is NULL for any name. */
static void extensions_are_found_by_name(void **state)
{
    (void)state;
    const amp_priv_device *const device = test_device(host_view());
    check(!amp_priv_images_extension(device));
    check(!amp_priv_recorded_extension(device));
    FOR_EACH_ACCELERATOR(view) check(!amp_priv_backend_extension(test_device(view)->backend, "no such extension"));
}

typedef int never_known; /* amp/validate/validate.h does not look for it where it is used */

static void wrong(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v),
                             { AMP_AT(v, i) = __builtin_types_compatible_p(int, never_known); });
}

static void a_text_that_is_refused_stays_refused(void **state)
{
    int values[N] = { 0 };
    char first[AMP_PRIV_MESSAGE_SIZE];
    (void)state;
    wrong(host_view(), values);
    snprintf(first, sizeof first, "%s", test_heard.message);
    check_that(strstr(first, "'never_known' is not "), "%s", first);
    expect_error(AMP_COMPILATION_FAILED, "kernel in wrong, at or near ");
    wrong(host_view(), values);
    check(!strcmp(first, test_heard.message));
    expect_error(AMP_COMPILATION_FAILED, "kernel in wrong, at or near ");
    check_int(host_fail.compiled, 1);
}

/* ---- first use ------------------------------------------------------------------------------------- */

enum { THREADS = 4 };

static void thrice(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 3 * i; });
}

static void *launch_some(void *values)
{
    for (int round = 0; round < 10; round++)
        thrice(host_view(), values);
    return NULL;
}

static void threads_compile_a_kernel_once(void **state)
{
    static int values[THREADS][N];
    pthread_t threads[THREADS];
    (void)state;
    memset(values, 0, sizeof values);
    for (int t = 0; t < THREADS; t++)
        check_int(pthread_create(&threads[t], NULL, launch_some, values[t]), 0);
    for (int t = 0; t < THREADS; t++)
        check_int(pthread_join(threads[t], NULL), 0);
    for (int t = 0; t < THREADS; t++)
        expect_values(values[t], 30);
    check_int(host_fail.compiled, 1);
}

static void fill(amp_accelerator_view where, amp_array_view_int_2 v, int value)
{
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j), AMP_CAPTURE(v, value), { AMP_AT(v, i, j) = value + i + j; });
}

/* An extent that work-groups divide, one that they do not, and a view that does not begin where its buffer does. */
static void each_variant_is_compiled_when_it_is_needed(void **state)
{
    enum { SIDE = 64 };
    static int values[SIDE * SIDE];
    (void)state;
    AMP_ARRAY_VIEW(int, 2, v, values, SIDE, SIDE);
    static const int compiled[] = { 1, 2, 3, 4, 4 };
    amp_array_view_int_2 parts[] = { v, amp_section(v, AMP_INDEX(0, 0), AMP_EXTENT(33, 35)),
                                     amp_section(v, AMP_INDEX(32, 32), AMP_EXTENT(32, 32)),
                                     amp_section(v, AMP_INDEX(3, 5), AMP_EXTENT(33, 35)), v };
    for (int k = 0; k < 5; k++) {
        fill(host_view(), parts[k], 1000 * k);
        check_int(host_fail.compiled, compiled[k]);
        for (int i = 0; i < parts[k].extent.v[0]; i++)
            for (int j = 0; j < parts[k].extent.v[1]; j++)
                check_int(AMP_AT(parts[k], i, j), 1000 * k + i + j);
    }
}

/* ---- several backends ------------------------------------------------------------------------------ */

static void five_times(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 5 * i; });
}

/* One launch in the source, on the CPU backend and on devices of two backends. */
static void one_site_serves_several_backends(void **state)
{
    static amp_priv_backend other;
    amp_priv_device device;
    int values[N] = { 0 };
    (void)state;
    other = *host_table();
    other.name = "another";
    memcpy(&device, amp_accelerator_from_path("host:0").amp_priv_device, sizeof device);
    device.backend = &other;
    snprintf(device.path, sizeof device.path, "another:0");
    amp_priv_device_add(&device);
    const amp_accelerator_view where[] = { amp_accelerator_default_view(amp_accelerator_from_path("cpu")), host_view(),
                                           amp_accelerator_default_view(amp_accelerator_from_path("another:0")) };
    for (int round = 0; round < 3; round++)
        for (int k = 0; k < 3; k++)
            five_times(where[k], values);
    expect_no_error();
    expect_values(values, 45);
    check_int(host_fail.compiled, 2);
}

/* ---- the contract ------------------------------------------------------------------------------------ */

static void a_table_of_another_version_is_left_out(void **state)
{
    amp_priv_backend table = *host_table();
    (void)state;
    check(amp_priv_backend_fits(&table));
    table.version++;
    check(!amp_priv_backend_fits(&table));
    table.version = 0; /* one that does not say */
    check(!amp_priv_backend_fits(&table));
}

#define BACKEND_TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int run_launch_kernel_launch(void)
{
    const struct CMUnitTest tests[] = {
        BACKEND_TEST(a_build_without_memory_is_tried_again),
        BACKEND_TEST(a_launch_that_is_refused_names_its_kernel),
        BACKEND_TEST(a_replay_that_is_refused),
        BACKEND_TEST(extensions_are_found_by_name),
        BACKEND_TEST(a_text_that_is_refused_stays_refused),
        BACKEND_TEST(threads_compile_a_kernel_once),
        BACKEND_TEST(each_variant_is_compiled_when_it_is_needed),
        BACKEND_TEST(one_site_serves_several_backends),
        BACKEND_TEST(a_table_of_another_version_is_left_out),
    };
    return cmocka_run_group_tests_name("launch/kernel_launch", tests, NULL, NULL);
}
