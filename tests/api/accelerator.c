// SPDX-License-Identifier: MIT
/*  accelerator.c - accelerators and accelerator views: the list, the choice of the default, queues, removal.
    Also tests amp/backends/cpu.h, amp/device/queue.h. */
#include "test.h"
#include "child.h"

#include <pthread.h>

int run_api_accelerator(void);

enum { MAX = 64 };

/* ---- the list ------------------------------------------------------------------------------------ */

static void the_list_begins_with_the_cpu_loops(void **state)
{
    amp_accelerator all[MAX];
    (void)state;
    const int count = amp_accelerator_get_all(all, MAX);
    check(count >= 1);
    check_int(amp_accelerator_get_all(NULL, 0), count);
    assert_string_equal(amp_accelerator_path(all[0]), "cpu");
    check(amp_accelerator_is_emulated(all[0]));
    check(amp_accelerator_supports_cpu_shared_memory(all[0]));
    check(amp_accelerator_supports_double_precision(all[0]));
    /* a short list gets no more than it has room for */
    amp_accelerator few[2];
    memset(few, 0, sizeof few);
    check_int(amp_accelerator_get_all(few, 1), count);
    check(amp_accelerator_equal(few[0], all[0]));
    check(few[1].amp_priv_device == NULL);
}

static void every_accelerator_has_its_properties(void **state)
{
    amp_accelerator all[MAX];
    (void)state;
    const int count = amp_accelerator_get_all(all, MAX);
    for (int i = 0; i < count; i++) {
        test_where = amp_accelerator_path(all[i]);
        check(strlen(test_where) > 2);
        check(strlen(amp_accelerator_description(all[i])) > 2);
        check(amp_accelerator_version(all[i]) >= 1u << 16);
        check(amp_accelerator_dedicated_memory(all[i]) > 1024);
        check(amp_accelerator_compute_units(all[i]) >= 1);
        check(amp_accelerator_tile_multiple(all[i]) >= 1 && amp_accelerator_tile_multiple(all[i]) <= 1024);
        check(amp_accelerator_max_tile_threads(all[i]) >= amp_accelerator_tile_multiple(all[i]));
        check(amp_accelerator_tile_static_memory(all[i]) >= 16384);
        check(!amp_accelerator_supports_double_precision(all[i]) ||
              amp_accelerator_supports_limited_double_precision(all[i]));
        for (int j = 0; j < i; j++) {
            check(strcmp(amp_accelerator_path(all[i]), amp_accelerator_path(all[j])) != 0);
            check(!amp_accelerator_equal(all[i], all[j]));
        }
        check(amp_accelerator_equal(all[i], amp_accelerator_from_path(test_where)));
    }
}

static void a_path_is_made_of_lower_case_words(void **state)
{
    amp_accelerator all[MAX];
    (void)state;
    const int count = amp_accelerator_get_all(all, MAX);
    for (int i = 0; i < count; i++)
        for (const char *p = amp_accelerator_path(all[i]); *p; p++)
            check_that((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9') || strchr(":/-", *p), "'%c' in %s", *p,
                       amp_accelerator_path(all[i]));
}

static void an_unknown_path_is_an_error_that_lists_what_there_is(void **state)
{
    (void)state;
    amp_accelerator none = amp_accelerator_from_path("no such thing");
    check(none.amp_priv_device == NULL);
    check(strstr(amp_last_error_message(), "\"cpu\"") != NULL);
    expect_error(AMP_INVALID_ARGUMENT, "no accelerator has the path \"no such thing\"");
    none = amp_accelerator_from_path(NULL);
    expect_error(AMP_INVALID_ARGUMENT, "(null)");
    check(!amp_accelerator_set_default("no such thing"));
    expect_error(AMP_INVALID_ARGUMENT, "amp_accelerator_set_default");
}

static void a_zero_handle_is_reported(void **state)
{
    const amp_accelerator none = { NULL };
    (void)state;
    assert_string_equal(amp_accelerator_path(none), "");
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_path");
    check_int(amp_accelerator_dedicated_memory(none), 0);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_dedicated_memory");
    check_int(amp_accelerator_tile_multiple(none), 0);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_tile_multiple");
    check(amp_accelerator_default_view(none).amp_priv_queue == NULL);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_default_view");
    check(amp_accelerator_create_view(none).amp_priv_queue == NULL);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_create_view");
    check_int(amp_accelerator_default_cpu_access_type(none), AMP_ACCESS_NONE);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_default_cpu_access_type");
}

static void parts_of_text_are_found_in_any_case(void **state)
{
    (void)state;
    check(amp_priv_contains_text("NVIDIA H200", "nvidia"));
    check(amp_priv_contains_text("abc", "C"));
    check(amp_priv_contains_text("aab", "ab"));
    check(amp_priv_contains_text("abc", ""));
    check(!amp_priv_contains_text("abc", "abcd"));
    check(!amp_priv_contains_text("", "a"));
}

/* ---- views --------------------------------------------------------------------------------------- */

static void created_views_are_all_different(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(standard)
    {
        const amp_accelerator a = amp_accelerator_view_accelerator(standard);
        check(amp_accelerator_view_equal(standard, amp_accelerator_default_view(a)));
        amp_accelerator_view v = amp_accelerator_create_view(a),
                             w = amp_accelerator_create_view(a, AMP_QUEUING_IMMEDIATE);
        check(!amp_accelerator_view_equal(v, w));
        check(!amp_accelerator_view_equal(v, standard));
        check(amp_accelerator_equal(amp_accelerator_view_accelerator(v), a));
        check_int(amp_accelerator_view_queuing_mode(standard), AMP_QUEUING_AUTOMATIC);
        check_int(amp_accelerator_view_queuing_mode(v), AMP_QUEUING_AUTOMATIC);
        check_int(amp_accelerator_view_queuing_mode(w), AMP_QUEUING_IMMEDIATE);
        check_int(amp_accelerator_view_flush(v), AMP_OK);
        check_int(amp_accelerator_view_wait(w), AMP_OK);
        amp_accelerator_view again = amp_accelerator_view_retain(v);
        check(amp_accelerator_view_equal(again, v));
        amp_accelerator_view_release(&v);
        check(amp_accelerator_view_is_auto_selection(v));
        check_int(amp_accelerator_view_wait(again), AMP_OK);
        amp_accelerator_view_release(&again);
        amp_accelerator_view_release(&w);
        amp_accelerator_view_release(&w); /* nothing happens */
        amp_accelerator_view copy = standard;
        amp_accelerator_view_release(&copy); /* nor here */
        check_int(amp_accelerator_view_wait(standard), AMP_OK);
    }
}

static void a_wrong_queuing_mode_is_reported(void **state)
{
    (void)state;
    check_int((amp_queuing_mode){ 0 }, AMP_QUEUING_AUTOMATIC); /* a setting that is all zero is the default */
    check(amp_accelerator_create_view(amp_accelerator_default(), (amp_queuing_mode)7).amp_priv_queue == NULL);
    expect_error(AMP_INVALID_ARGUMENT, "queuing mode is 7");
}

static void the_auto_selection_view_is_the_zero_view(void **state)
{
    const amp_accelerator_view zero = { NULL };
    (void)state;
    check(amp_accelerator_view_equal(zero, amp_accelerator_auto_selection_view()));
    check(amp_accelerator_view_is_auto_selection(zero));
    check(!amp_accelerator_view_is_auto_selection(amp_accelerator_default_view(amp_accelerator_default())));
    check(amp_accelerator_equal(amp_accelerator_view_accelerator(zero), amp_accelerator_default()));
    check_int(amp_accelerator_view_wait(zero), AMP_OK);
}

static void a_marker_is_done_when_what_was_before_it_is(void **state)
{
    enum { N = 1 << 16 };
    static int data[N];
    (void)state;
    FOR_EACH_ACCELERATOR(av)
    {
        AMP_ARRAY_VIEW(int, 1, v, data, N);
        AMP_PARALLEL_FOR_EACH_ON(av, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 3 * i; });
        amp_future marker = amp_accelerator_view_create_marker(av);
        check(amp_future_valid(marker));
        check_int(amp_future_wait(marker), AMP_OK);
        check(amp_future_is_done(marker));
        amp_future_release(&marker);
        check_int(AMP_AT(v, 1000), 3000);
    }
}

static void launches_on_two_views_of_one_accelerator_do_their_work(void **state)
{
    enum { N = 10007 };
    static int a[N], b[N];
    (void)state;
    FOR_EACH_ACCELERATOR(standard)
    {
        const amp_accelerator accelerator = amp_accelerator_view_accelerator(standard);
        amp_accelerator_view v = amp_accelerator_create_view(accelerator, AMP_QUEUING_IMMEDIATE);
        amp_accelerator_view w = amp_accelerator_create_view(accelerator);
        {
            AMP_ARRAY_VIEW(int, 1, va, a, N);
            AMP_ARRAY_VIEW(int, 1, vb, b, N);
            AMP_PARALLEL_FOR_EACH_ON(v, va.extent, (i), AMP_CAPTURE(va), { AMP_AT(va, i) = i; });
            /* reads what the other queue wrote */
            AMP_PARALLEL_FOR_EACH_ON(w, vb.extent, (i), AMP_CAPTURE(va, vb), { AMP_AT(vb, i) = 2 * AMP_AT(va, i); });
            AMP_PARALLEL_FOR_EACH_ON(v, vb.extent, (i), AMP_CAPTURE(va, vb), { AMP_AT(va, i) += AMP_AT(vb, i); });
        }
        for (int i = 0; i < N; i++)
            check_that(a[i] == 3 * i && b[i] == 2 * i, "a[%d] is %d, b[%d] is %d", i, a[i], i, b[i]);
        amp_accelerator_view_release(&v);
        amp_accelerator_view_release(&w);
    }
}

/* ---- once per process ------------------------------------------------------------------------------ */

static int child_default(void)
{
    amp_set_error_handler(test_hear, &test_heard);
    const amp_accelerator chosen = amp_accelerator_default();
    printf("errors %d default %s last %s\n", test_heard.count, amp_accelerator_path(chosen), test_heard.message);
    return 0;
}

static int child_set_default(void)
{
    const bool first = amp_accelerator_set_default("cpu"), second = amp_accelerator_set_default("cpu");
    const char *const path = amp_accelerator_path(amp_accelerator_default());
    printf("%d %d %s %d\n", first, second, path, amp_accelerator_set_default("cpu"));
    return 0;
}

static int child_use_then_set(void)
{
    (void)amp_accelerator_default();
    printf("%d\n", amp_accelerator_set_default("cpu"));
    return 0;
}

static void the_environment_chooses_the_default(void **state)
{
    amp_accelerator all[MAX];
    char output[8192], environment[512], expected[512];
    (void)state;
    const int count = amp_accelerator_get_all(all, MAX);
    for (int i = 0; i < count; i++) {
        snprintf(environment, sizeof environment, "AMP_ACCELERATOR='%s'", amp_accelerator_path(all[i]));
        if (child_run("default", environment, output, sizeof output) < 0) {
            print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
            skip();
        }
        snprintf(expected, sizeof expected, "errors 0 default %s last", amp_accelerator_path(all[i]));
        check_that(strstr(output, expected), "%s: %s", environment, output);
    }
    /* a part of a name, in any case */
    child_run("default", "AMP_ACCELERATOR='CPU ('", output, sizeof output);
    check_that(strstr(output, "errors 0 default cpu last"), "%s", output);
    /* no match: an error, and the usual choice */
    child_run("default", "AMP_ACCELERATOR=", output, sizeof output);
    const char *const usual = strstr(output, "default ");
    check_that(usual, "%s", output);
    snprintf(expected, sizeof expected, "%.*s", (int)strcspn(usual + 8, " "), usual + 8);
    child_run("default", "AMP_ACCELERATOR=nonsense", output, sizeof output);
    check_that(strstr(output, "errors 1 ") && strstr(output, expected) &&
                   strstr(output, "AMP_ACCELERATOR is \"nonsense\"") && strstr(output, "\"cpu\""),
               "%s", output);
    child_run("default", "AMP_BREAK_AT=f:1 AMP_ACCELERATOR=cpu", output, sizeof output);
    const char *const told = strstr(output, "AMP_BREAK_AT has no effect");
#if defined(AMP_CHECKED)
    check_that(!told, "%s", output);
#else
    check_that(told && !strstr(told + 1, "AMP_BREAK_AT has no effect"), "%s", output);
#endif
    child_run("default", "AMP_BREAK_AT= AMP_ACCELERATOR=cpu", output, sizeof output);
    check_that(!strstr(output, "AMP_BREAK_AT"), "%s", output);
    /* the usual choice is no device that emulates one, such as OpenCL's on the CPU */
    bool is_real = false;
    for (int i = 0; i < count; i++)
        is_real = is_real || !amp_accelerator_is_emulated(all[i]);
    check_that((strcmp(expected, "cpu") != 0) == is_real, "%s", expected);
}

/* The default where there are AMP_TEST_DEVICES more devices. */
static int child_ranks(void)
{
    static const amp_priv_device more[] = { { .path = "more:cpu/0", .description = "a CPU", .is_emulated = true },
                                            { .path = "more:card/0", .description = "a card" },
                                            { .path = "more:gpu/0", .description = "a GPU", .is_gpu = true },
                                            { .path = "more:gpu/1", .description = "a second GPU", .is_gpu = true } };
    amp_accelerator cpu;
    amp_accelerator_get_all(&cpu, 1);
    for (int i = 0; i < atoi(getenv("AMP_TEST_DEVICES")); i++) {
        amp_priv_device device;
        memcpy(&device, &more[i], sizeof device);
        device.backend = cpu.amp_priv_device->backend;
        amp_priv_device_add(&device);
    }
    return child_default();
}

static void hardware_comes_first(void **state)
{
    static const char *const best[] = { "more:cpu/0", "more:card/0", "more:gpu/0", "more:gpu/0" };
    char output[8192], environment[512], expected[512];
    (void)state;
    for (int i = 0; i < 4; i++) {
        snprintf(environment, sizeof environment, "AMP_TEST_DEVICES=%d AMP_ACCELERATOR=more", i + 1);
        if (child_run("ranks", environment, output, sizeof output) < 0) {
            print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
            skip();
        }
        snprintf(expected, sizeof expected, "errors 0 default %s last", best[i]);
        check_that(strstr(output, expected), "%s: %s", environment, output);
    }
    child_run("ranks", "AMP_TEST_DEVICES=4 AMP_ACCELERATOR='a second'", output, sizeof output);
    check_that(strstr(output, "default more:gpu/1 last"), "%s", output);
    /* without the variable, what emulates a device is not taken, and what does not is */
    child_run("ranks", "AMP_TEST_DEVICES=1 AMP_ACCELERATOR=", output, sizeof output);
    check_that(strstr(output, "default ") && !strstr(output, "default more:"), "%s", output);
    child_run("ranks", "AMP_TEST_DEVICES=2 AMP_ACCELERATOR=", output, sizeof output);
    check_that(!strstr(output, "default cpu") && !strstr(output, "default more:cpu"), "%s", output);
}

static void set_default_works_once_and_before_use(void **state)
{
    char output[8192];
    (void)state;
    if (child_run("set_default", "", output, sizeof output) < 0) {
        print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
        skip();
    }
    check_that(strstr(output, "1 0 cpu 0"), "%s", output);
    /* the program's choice comes before the environment's */
    child_run("set_default", "AMP_ACCELERATOR=nonsense", output, sizeof output);
    check_that(strstr(output, "1 0 cpu 0"), "%s", output);
    child_run("use_then_set", "", output, sizeof output);
    check_that(strstr(output, "0\n"), "%s", output);
}

static int child_access(void)
{
    amp_accelerator all[MAX];
    const int count = amp_accelerator_get_all(all, MAX);
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        const bool shared = all[i].amp_priv_device->shares_host;
        wrong += amp_accelerator_default_cpu_access_type(all[i]) != (shared ? AMP_ACCESS_READ_WRITE : AMP_ACCESS_NONE);
        wrong += amp_accelerator_set_default_cpu_access_type(all[i], AMP_ACCESS_READ) != shared;
        wrong += amp_accelerator_default_cpu_access_type(all[i]) != (shared ? AMP_ACCESS_READ : AMP_ACCESS_NONE);
        if (!shared)
            wrong += !amp_accelerator_set_default_cpu_access_type(all[i], AMP_ACCESS_AUTO);
        wrong += amp_accelerator_set_default_cpu_access_type(all[i], AMP_ACCESS_NONE);
        wrong += amp_priv_device_cpu_access(all[i].amp_priv_device) != (shared ? AMP_ACCESS_READ : AMP_ACCESS_NONE);
    }
    printf("wrong %d\n", wrong);
    return 0;
}

static int child_access_used(void)
{
    const amp_accelerator cpu = amp_accelerator_from_path("cpu");
    (void)amp_priv_device_cpu_access(cpu.amp_priv_device);
    printf("set %d\n", amp_accelerator_set_default_cpu_access_type(cpu, AMP_ACCESS_READ));
    return 0;
}

static void the_cpu_access_type_is_set_once_and_before_use(void **state)
{
    char output[8192];
    (void)state;
    if (child_run("access", "", output, sizeof output) < 0) {
        print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
        skip();
    }
    check_that(strstr(output, "wrong 0"), "%s", output);
    child_run("access", "AMP_FORCE_COPIES=1", output, sizeof output);
    check_that(strstr(output, "wrong 0"), "%s", output);
    child_run("access_used", "", output, sizeof output);
    check_that(strstr(output, "set 0"), "%s", output);
}

/* Everything that is done with a view of a removed device is refused, and host data stay as they were. */
static int child_removal(void)
{
    enum { N = 1000 };
    static int data[N], other[N];
    int wrong = 0;
    amp_set_error_handler(test_hear, &test_heard);
#define GONE(call)                                                                                                     \
    do {                                                                                                               \
        test_heard.count = 0;                                                                                          \
        test_heard.status = AMP_OK;                                                                                    \
        call;                                                                                                          \
        if (test_heard.count != 1 || test_heard.status != AMP_ACCELERATOR_VIEW_REMOVED ||                              \
            !strstr(test_heard.message, "pulled out")) {                                                               \
            wrong++;                                                                                                   \
            printf("%s gave %d errors, the last: %s %s\n", #call, test_heard.count,                                    \
                amp_status_name(test_heard.status),                                                                    \
                   test_heard.message);                                                                                \
        }                                                                                                              \
    } while (0)
    const amp_accelerator a = amp_accelerator_default();
    const amp_accelerator_view standard = amp_accelerator_default_view(a);
    amp_accelerator_view created = amp_accelerator_create_view(a);
    for (int i = 0; i < N; i++)
        data[i] = other[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, data, N);
        wrong += amp_accelerator_view_removed_reason(standard) != NULL;
        amp_priv_device_remove(a.amp_priv_device, "pulled out");
        amp_priv_device_remove(a.amp_priv_device, "a second reason");
        wrong += strcmp(amp_accelerator_view_removed_reason(standard), "pulled out") != 0;
        GONE(amp_accelerator_view_wait(standard));
        GONE(amp_accelerator_view_flush(created));
        GONE((void)amp_accelerator_default_view(a));
        GONE((void)amp_accelerator_create_view(a));
        GONE((void)amp_accelerator_view_create_marker(created));
        GONE(AMP_PARALLEL_FOR_EACH_ON(standard, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = -1; }));
        GONE(AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = -1; }));
        test_heard.count = 0;
        wrong += AMP_AT(v, 10) != 10;
    }
    wrong += test_heard.count;
    wrong += memcmp(data, other, sizeof data) != 0;
    amp_accelerator_view_release(&created);
    printf("wrong %d\n", wrong);
    return 0;
}

static void a_removed_accelerator_refuses_everything(void **state)
{
    amp_accelerator all[MAX];
    char output[16384], environment[512];
    (void)state;
    const int count = amp_accelerator_get_all(all, MAX);
    for (int i = 0; i < count; i++) {
        snprintf(environment, sizeof environment, "AMP_ACCELERATOR='%s'", amp_accelerator_path(all[i]));
        if (child_run("removal", environment, output, sizeof output) < 0) {
            print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
            skip();
        }
        check_that(strstr(output, "wrong 0\n"), "%s: %s", environment, output);
    }
}

/* ---- threads --------------------------------------------------------------------------------------- */

enum { ASKING = 8, TURNS = 20 };

static void *use_views(void *result)
{
    amp_accelerator all[MAX];
    const int count = amp_accelerator_get_all(all, MAX);
    int wrong = 0;
    for (int round = 0; round < TURNS; round++)
        for (int i = 0; i < count; i++) {
            amp_accelerator_view shared = amp_accelerator_default_view(all[i]),
                                 own = amp_accelerator_create_view(all[i]);
            wrong += !amp_accelerator_view_equal(shared, amp_accelerator_default_view(all[i]));
            wrong += amp_accelerator_view_wait(shared) != AMP_OK || amp_accelerator_view_wait(own) != AMP_OK;
            amp_accelerator_view_release(&own);
        }
    *(int *)result = wrong;
    return NULL;
}

static int child_threads(void)
{
    pthread_t threads[ASKING];
    int wrong[ASKING], sum = 0;
    for (int i = 0; i < ASKING; i++)
        if (pthread_create(&threads[i], NULL, use_views, &wrong[i]) != 0)
            return 1;
    for (int i = 0; i < ASKING; i++) {
        pthread_join(threads[i], NULL);
        sum += wrong[i];
    }
    printf("wrong %d\n", sum);
    return 0;
}

static void threads_may_all_be_the_first(void **state)
{
    char output[8192];
    (void)state;
    if (child_run("threads", "", output, sizeof output) < 0) {
        print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
        skip();
    }
    check_that(strstr(output, "wrong 0\n"), "%s", output);
}

CHILDREN({ "default", child_default }, { "ranks", child_ranks }, { "set_default", child_set_default },
         { "use_then_set", child_use_then_set }, { "access", child_access }, { "access_used", child_access_used },
         { "removal", child_removal }, { "threads", child_threads })

/* A copy of a view that was given back is told, on every call that takes it. */
static void a_view_after_its_release(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[4] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, raw, 4);
        amp_accelerator_view one =
            amp_accelerator_create_view(amp_accelerator_view_accelerator(where), AMP_QUEUING_AUTOMATIC);
        const amp_accelerator_view copy = one;
        AMP_PARALLEL_FOR_EACH_ON(copy, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        check_int(AMP_AT(v, 3), 3);
        amp_accelerator_view_release(&one);
        AMP_PARALLEL_FOR_EACH_ON(copy, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 7; });
        expect_error(AMP_UNINITIALIZED_OBJECT, "this accelerator view was already released");
        (void)amp_accelerator_view_wait(copy);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_view_wait: this accelerator view was already released");
        one = copy;
        amp_accelerator_view_release(&one);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_accelerator_view_release: this accelerator view was already");
        check_int(AMP_AT(v, 3), 3);
    }
}

int run_api_accelerator(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_list_begins_with_the_cpu_loops),
        TEST(every_accelerator_has_its_properties),
        TEST(a_path_is_made_of_lower_case_words),
        TEST(an_unknown_path_is_an_error_that_lists_what_there_is),
        TEST(a_zero_handle_is_reported),
        TEST(parts_of_text_are_found_in_any_case),
        TEST(created_views_are_all_different),
        TEST(a_wrong_queuing_mode_is_reported),
        TEST(the_auto_selection_view_is_the_zero_view),
        TEST(a_marker_is_done_when_what_was_before_it_is),
        TEST(launches_on_two_views_of_one_accelerator_do_their_work),
        TEST(the_environment_chooses_the_default),
        TEST(hardware_comes_first),
        TEST(set_default_works_once_and_before_use),
        TEST(the_cpu_access_type_is_set_once_and_before_use),
        TEST(a_removed_accelerator_refuses_everything),
        TEST(threads_may_all_be_the_first),
        TEST(a_view_after_its_release),
    };
    return cmocka_run_group_tests_name("api/accelerator", tests, NULL, NULL);
}
