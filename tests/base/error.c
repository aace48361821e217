// SPDX-License-Identifier: MIT
/*  error.c - what a failed launch says and leaves, and who hears of it.
    Also tests amp/base/status.h. */
#include "test.h"

#include <pthread.h>

#include "child.h"

/* ---- status values ------------------------------------------------------------------------------- */

static void names_and_texts(void **state)
{
    (void)state;
    static const struct {
        amp_status status;
        const char *name, *part;
    } all[] = {
        { AMP_OK, "AMP_OK", "no error" },
        { AMP_RUNTIME_ERROR, "AMP_RUNTIME_ERROR", "does not allow" },
        { AMP_INVALID_ARGUMENT, "AMP_INVALID_ARGUMENT", "bad argument" },
        { AMP_INVALID_COMPUTE_DOMAIN, "AMP_INVALID_COMPUTE_DOMAIN", "extent" },
        { AMP_OUT_OF_MEMORY, "AMP_OUT_OF_MEMORY", "memory" },
        { AMP_UNSUPPORTED_FEATURE, "AMP_UNSUPPORTED_FEATURE", "lacks" },
        { AMP_ACCELERATOR_VIEW_REMOVED, "AMP_ACCELERATOR_VIEW_REMOVED", "gone" },
        { AMP_UNINITIALIZED_OBJECT, "AMP_UNINITIALIZED_OBJECT", "never created" },
        { AMP_COMPILATION_FAILED, "AMP_COMPILATION_FAILED", "compiler" },
    };
    enum { COUNT = sizeof all / sizeof all[0] };
    check_int(COUNT, AMP_PRIV_STATUS_COUNT); /* none is missing here */
    check_int(AMP_OK, 0);
    for (int i = 0; i < COUNT; i++) {
        check(!strcmp(amp_status_name(all[i].status), all[i].name));
        const char *const text = amp_status_text(all[i].status);
        check_that(strstr(text, all[i].part) != NULL, "\"%s\" does not speak of \"%s\"", text, all[i].part);
        for (int k = 0; k < i; k++)
            check(strcmp(text, amp_status_text(all[k].status)) != 0);
    }
    static const int unknown[] = { COUNT, 1000, -1, INT_MIN };
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        check(!strcmp(amp_status_name((amp_status)unknown[i]), "unknown status"));
        check(!strcmp(amp_status_text((amp_status)unknown[i]), "unknown status"));
    }
}

/* ---- who hears of an error ----------------------------------------------------------------------- */

/* A launch that fails, and says `size` where it says why. */
static void fail_with(int size)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(size), idx, AMP_CAPTURE(), { (void)idx; });
}

static void last_error(void **state)
{
    (void)state;
    check_int(amp_last_error(), AMP_OK);
    check(!strcmp(amp_last_error_message(), ""));
    fail_with(-17);
    check_int(amp_last_error(), AMP_INVALID_COMPUTE_DOMAIN);
    check(strstr(amp_last_error_message(), "-17") != NULL);
    fail_with(1); /* success leaves the last failure where it is */
    check_int(amp_last_error(), AMP_INVALID_COMPUTE_DOMAIN);
    check(strstr(amp_last_error_message(), "-17") != NULL);
    fail_with(-18);
    check(strstr(amp_last_error_message(), "-18") && !strstr(amp_last_error_message(), "-17"));
    check_int(test_heard.count, 2);
    test_heard.count = 0;
    amp_clear_error();
    check_int(amp_last_error(), AMP_OK);
    check(!strcmp(amp_last_error_message(), ""));
}

typedef struct worker {
    int number;
    bool good;
    pthread_t thread;
} worker;

/* What the handler of the next test is told, by thread number: the user's pointer leads here. */
enum { WORKERS = 8, TIMES = 200 };
typedef struct hearing {
    pthread_mutex_t lock;
    int count[WORKERS + 1];
    bool good;
} hearing;
static _Thread_local int this_worker;

static void hear_one_of_many(const amp_error *error, void *user)
{
    hearing *const h = user;
    char own[32];
    snprintf(own, sizeof own, "is -%d;", 100 + this_worker);
    pthread_mutex_lock(&h->lock);
    h->count[this_worker]++;
    /* It is called on the thread that failed, when that thread's last error is set already. */
    if (!strstr(error->message, own) || error->status != AMP_INVALID_COMPUTE_DOMAIN ||
        amp_last_error() != error->status || strcmp(amp_last_error_message(), error->message))
        h->good = false;
    pthread_mutex_unlock(&h->lock);
}

static void *fail_on_a_thread(void *argument)
{
    worker *const w = argument;
    this_worker = w->number;
    w->good = amp_last_error() == AMP_OK;
    char own[32];
    snprintf(own, sizeof own, "is -%d;", 100 + w->number);
    for (int round = 0; round < TIMES; round++) {
        fail_with(-(100 + w->number));
        w->good = w->good && strstr(amp_last_error_message(), own);
    }
    amp_clear_error();
    w->good = w->good && amp_last_error() == AMP_OK;
    return NULL;
}

static void errors_of_many_threads(void **state)
{
    (void)state;
    hearing h = { PTHREAD_MUTEX_INITIALIZER, { 0 }, true };
    amp_set_error_handler(hear_one_of_many, &h);
    this_worker = 0;
    fail_with(-100);
    worker workers[WORKERS];
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){ .number = i + 1 };
        check_int(pthread_create(&workers[i].thread, NULL, fail_on_a_thread, &workers[i]), 0);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].thread, NULL);
    amp_set_error_handler(test_hear, &test_heard);
    for (int i = 0; i < WORKERS; i++) {
        check(workers[i].good);
        check_int(h.count[i + 1], TIMES);
    }
    check(h.good);
    check_int(h.count[0], 1);
    check_int(amp_last_error(), AMP_INVALID_COMPUTE_DOMAIN); /* this thread's own is still there */
    check(strstr(amp_last_error_message(), "is -100;") != NULL);
}

/* A handler hears with its own user pointer, also while threads set another one. */
typedef struct setting {
    amp_error_handler handler;
    void *user;
    pthread_t thread;
} setting;
static atomic_int heard_as[2], heard_wrong;
static char own_pointer[2];

static void hear_first(const amp_error *error, void *user)
{
    (void)error;
    heard_as[0]++;
    heard_wrong += user != &own_pointer[0];
}

static void hear_second(const amp_error *error, void *user)
{
    (void)error;
    heard_as[1]++;
    heard_wrong += user != &own_pointer[1];
}

static void *set_handler(void *argument)
{
    const setting *const s = argument;
    for (int round = 0; round < 20000; round++)
        amp_set_error_handler(s->handler, s->user);
    return NULL;
}

static void handlers_of_many_threads(void **state)
{
    (void)state;
    setting settings[] = { { .handler = hear_first, .user = &own_pointer[0] },
                           { .handler = hear_second, .user = &own_pointer[1] } };
    enum { ERRORS = 500 };
    amp_set_error_handler(hear_first, &own_pointer[0]);
    for (int i = 0; i < 2; i++)
        check_int(pthread_create(&settings[i].thread, NULL, set_handler, &settings[i]), 0);
    for (int i = 0; i < ERRORS; i++)
        fail_with(-5);
    for (int i = 0; i < 2; i++)
        pthread_join(settings[i].thread, NULL);
    amp_set_error_handler(test_hear, &test_heard);
    check_int(heard_wrong, 0);
    check_int(heard_as[0] + heard_as[1], ERRORS);
}

/* Without a handler an error is printed, and the program aborts. */
static int child_default_handler(void)
{
    printf("before\n");
    fail_with(-3);
    printf("after\n");
    return 0;
}

/* A handler that was set and taken away again is the default. */
static int child_handler_taken_away(void)
{
    amp_set_error_handler(test_hear, &test_heard);
    fail_with(-3);
    printf("heard %d\n", test_heard.count);
    amp_set_error_handler(NULL, NULL);
    return child_default_handler();
}

static int child_log(void)
{
    amp_accelerator_get_all(NULL, 0);
    amp_priv_log(AMP_PRIV_LOG_WARNING, "a warning of %d", 42);
    amp_priv_log(AMP_PRIV_LOG_INFO, "some information");
    return 0;
}

CHILDREN({ "errors_default", child_default_handler }, { "errors_taken_away", child_handler_taken_away },
         { "errors_log", child_log })

static void default_handler(void **state)
{
    (void)state;
    static char output[65536];
    int status = child_run("errors_default", "", output, sizeof output);
    if (status == -1)
        skip(); /* no /proc here to find this program by */
    check_that(status >= 128, "status %d, output: %s", status, output);
    check(strstr(output, "before\n") && !strstr(output, "after\n"));
    check_that(strstr(output, "amp: AMP_INVALID_COMPUTE_DOMAIN: kernel in fail_with, at or near ") != NULL,
               "output: %s", output);
    check(strstr(output, "base/error.c:") && strstr(output, "(-3) is -3; it must not be negative"));

    status = child_run("errors_taken_away", "", output, sizeof output);
    check_that(status >= 128, "status %d, output: %s", status, output);
    check(strstr(output, "heard 1\n") && !strstr(output, "after\n"));
    check(strstr(output, "amp: AMP_INVALID_COMPUTE_DOMAIN: ") != NULL);
}

static void log_levels(void **state)
{
    (void)state;
    static char output[65536];
    if (child_run("errors_log", "AMP_LOG=info", output, sizeof output) == -1)
        skip();
    check_that(strstr(output, "amp: found cpu: CPU (") && strstr(output, "amp: warning: a warning of 42\n") &&
                   strstr(output, "amp: some information\n"),
               "output: %s", output);
    check_int(child_run("errors_log", "AMP_LOG=warning", output, sizeof output), 0);
    check_that(strstr(output, "amp: warning: a warning of 42\n") && !strstr(output, "information"), "output: %s",
               output);
    check_int(child_run("errors_log", "AMP_LOG=", output, sizeof output), 0); /* the same as warning */
    check_that(strstr(output, "amp: warning: a warning of 42\n") && !strstr(output, "information"), "output: %s",
               output);
    check_int(child_run("errors_log", "AMP_LOG=error", output, sizeof output), 0);
    check_that(!strstr(output, "warning") && !strstr(output, "information"), "output: %s", output);
    check_int(child_run("errors_log", "AMP_LOG=loud", output, sizeof output), 0);
    check_that(strstr(output, "AMP_LOG is \"loud\"; it can be error, warning or info") != NULL, "output: %s", output);
    check_that(strstr(output, "a warning of 42") && !strstr(output, "information"), "output: %s", output);
}

/* What a variable cannot be is told, and what it can is not. */
static void values_of_variables(void **state)
{
    (void)state;
    static char output[65536];
    static const char wrong[] = "AMP_SHOW_KERNELS=dir AMP_FORCE_COPIES=no AMP_CACHE_SIZE=-5 AMP_THREADS_PER_ITEM=3 "
                                "AMP_SUBGROUPS=1 AMP_TEXTURE_UNITS=0 AMP_CACHE= AMP_PROFILE=2";
    if (child_run("errors_log", wrong, output, sizeof output) == -1)
        skip();
    check_that(strstr(output, "AMP_SHOW_KERNELS is \"dir\"; it can be 0, 1, 2, or a folder and a slash, dir/") &&
                   strstr(output, "AMP_FORCE_COPIES is \"no\"; it can be 0 or 1") &&
                   strstr(output, "AMP_CACHE_SIZE is \"-5\"; it can be a number of megabytes") &&
                   strstr(output, "AMP_THREADS_PER_ITEM is \"3\"; it can be 0, or a power of two up to 64") &&
                   strstr(output, "AMP_PROFILE is \"2\""),
               "output: %s", output);
    check_that(!strstr(output, "AMP_SUBGROUPS is") && !strstr(output, "AMP_TEXTURE_UNITS is") &&
                   !strstr(output, "AMP_CACHE is"),
               "output: %s", output);
    static const char right[] = "AMP_SHOW_KERNELS=/tmp/ AMP_CACHE_SIZE=100 AMP_THREADS_PER_ITEM=64 AMP_CACHE=0";
    check_int(child_run("errors_log", right, output, sizeof output), 0);
    check_that(!strstr(output, "it can be"), "output: %s", output);
}

/* ---- texts that cannot be kernels ---------------------------------------------------------------- */

/* With OpenMP `return` in a body does not even compile (must_fail/body.c). */
#if !AMP_PRIV_OPENMP
static int returns_from_a_kernel(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, 8);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = 1;
        if (i == 4)
            return 99;
    });
    return 7;
}

static int returns_from_a_tile(amp_accelerator_view where, int *values)
{
    AMP_ARRAY_VIEW(int, 1, v, values, 8);
    AMP_TILED_ON(where, v.extent, (4), tile, AMP_CAPTURE(v), {
        if (tile.tile.v[0] == 1)
            return 99;
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
    return 7;
}

static void return_in_a_body(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int round = 0; round < 2; round++) { /* the second launch of a site fails like the first */
            int values[8] = { 5, 5, 5, 5, 5, 5, 5, 5 };
            const int want[8] = { 5, 5, 5, 5, 5, 5, 5, 5 };
            check_int(returns_from_a_kernel(where, values), 7);
            check(strstr(test_heard.message, "base/error.c:") && strstr(test_heard.message, "`continue`"));
            expect_error(AMP_COMPILATION_FAILED, "kernel in returns_from_a_kernel, at or near ");
            check_ints(values, want, 8);
            check_int(returns_from_a_tile(where, values), 7);
            expect_error(AMP_COMPILATION_FAILED,
                         "`return` in a kernel body would leave the host function returns_from_a_tile");
            check_ints(values, want, 8);
        }
    }
}
#endif

static void tiled_without_threads(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    for (int round = 0; round < 2; round++) {
        int values[8] = { 0 }, other = 5;
        {
            AMP_ARRAY_VIEW(int, 1, v, values, 8);
            AMP_TILED_ON(where, v.extent, (4), my_tile, AMP_CAPTURE(v, other), {
                /* AMP_THREADS in a comment, "AMP_THREADS(t, u)" in a string, and a name like it are not enough */
                const int AMP_THREADS_not = other;
                const char text[] = "AMP_THREADS amp_priv_tile_in_threads";
                (void)text;
                if (AMP_THREADS_not > 5)
                    AMP_AT(v, 0) = 1;
            });
        }
        check(strstr(test_heard.message, "base/error.c:") != NULL);
        check(strstr(test_heard.message, "AMP_THREADS(my_tile, t)") != NULL);
        expect_error(AMP_COMPILATION_FAILED, "kernel in tiled_without_threads, at or near ");
        const int want[8] = { 0 };
        check_ints(values, want, 8);
    }
}

/* A function that launches, called from a kernel in the CPU backend. */
static inline void launches_over(amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (j), AMP_CAPTURE(v), { AMP_AT(v, j) = 7; });
}

static void launch_in_a_kernel(void **state)
{
    (void)state;
    int values[1] = { 1 };
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    {
        AMP_ARRAY_VIEW(int, 1, v, values, 1);
        AMP_PARALLEL_FOR_EACH_ON(cpu, v.extent, (i), AMP_CAPTURE(v), {
            _Generic(i, int: launches_over)(v); /* amp/validate/validate.h would refuse the plain name */
            AMP_AT(v, i) += 1;
        });
    }
    expect_error(AMP_RUNTIME_ERROR, "kernel in launches_over, at or near tests/base/error.c:");
    check_int(values[0], 2);
}

/* ---- what an error leaves ------------------------------------------------------------------------ */

/* A failed launch changes nothing: neither on the host nor on the device, where results of earlier kernels wait. */
static void failed_launches_change_nothing(void **state)
{
    (void)state;
    enum { COUNT = 100 };
    FOR_EACH_ACCELERATOR(where)
    {
        int one[COUNT], two[COUNT], want_one[COUNT], want_two[COUNT];
        for (int i = 0; i < COUNT; i++) {
            one[i] = i, two[i] = -i;
            want_one[i] = i + 10, want_two[i] = -i * 3;
        }
        {
            AMP_ARRAY_VIEW(int, 1, a, one, COUNT);
            AMP_ARRAY_VIEW(int, 1, b, two, COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, b), {
                AMP_AT(a, i) += 10;
                AMP_AT(b, i) *= 3;
            });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(COUNT, -1), (i, j), AMP_CAPTURE(a, b), {
                AMP_AT(a, i) = 0;
                AMP_AT(b, j) = 0;
            });
            expect_error(AMP_INVALID_COMPUTE_DOMAIN, "component 1 of the launch's extent (100, -1) is -1");
            AMP_TILED_ON(where, a.extent, (7), tile, AMP_CAPTURE(a, b), {
                AMP_THREADS(tile, t) { AMP_AT(a, t.global) = AMP_AT(b, t.global) = 0;
        }
    });
    expect_error(AMP_INVALID_COMPUTE_DOMAIN, "100 by 7 leaves 2");
    amp_array_view_synchronize(&a);
    check_ints(one, want_one, COUNT);
}
check_ints(one, want_one, COUNT);
check_ints(two, want_two, COUNT);

/* With everything pending discarded and a failed launch on top, the host keeps what it has. */
{
    AMP_ARRAY_VIEW(int, 1, a, one, COUNT);
    amp_array_view_discard_data(&a);
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(-COUNT), (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 0; });
    expect_error(AMP_INVALID_COMPUTE_DOMAIN, "is -100");
}
check_ints(one, want_one, COUNT);
}
}

/* What was released, or never came to be, is named. */
static void views_that_are_not_there(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[4] = { 1, 2, 3, 4 };
        amp_array_view_int_1 gone = amp_array_view_int_1_create(values, AMP_EXTENT(4));
        amp_array_view_release(&gone);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(4), (i), AMP_CAPTURE(gone), { AMP_AT(gone, i) = 0; });
        check(strstr(test_heard.message, "gone was never created") != NULL);
        expect_error(AMP_UNINITIALIZED_OBJECT, "kernel in views_that_are_not_there, at or near ");

        const amp_array_view_int_1 empty = amp_array_view_int_1_create(values, AMP_EXTENT(-1));
        expect_error(AMP_INVALID_ARGUMENT, "extent is -1");
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(4), (i), AMP_CAPTURE(empty), { (void)AMP_AT(empty, i); });
        expect_error(AMP_UNINITIALIZED_OBJECT, "empty");
        const int want[4] = { 1, 2, 3, 4 };
        check_ints(values, want, 4);
    }
}

/* An access on the host to a view that is not there reads 0, whatever the size of an element, and writes nowhere. (An
   offset from NULL is what the sanitizer would stop at.) */
AMP_STRUCT(triple, { float x, y, z; });
AMP_DEFINE_ELEMENT(triple)
AMP_STRUCT(page, { int words[1024]; });
AMP_DEFINE_ELEMENT(page)

__attribute__((no_sanitize("undefined"))) static void access_to_nothing(void **state)
{
    (void)state;
    amp_array_view_int_1 integers = { .data = NULL };
    amp_const_array_view_double_2 doubles = { .data = NULL };
    amp_array_view_triple_3 triples = { .data = NULL };
    amp_array_view_page_1 pages = { .data = NULL };
    for (int i = 0; i < 3; i++) {
        AMP_AT(integers, i * 1000000) = 5;
        expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT: this view or array was never created");
        check_int(AMP_AT(integers, i), 0);
        expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT");
        check(AMP_AT(doubles, i, 7) == 0);
        expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT");
        AMP_AT(triples, i, 2, 1).z = 1.0f;
        expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT");
        AMP_AT(pages, AMP_INDEX(i)).words[1023] = 1;
        expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT");
    }
    int values[4] = { 1, 2, 3, 4 };
    amp_array_view_int_1 gone = amp_array_view_int_1_create(values, AMP_EXTENT(4));
    amp_array_view_release(&gone);
    AMP_AT(gone, 2) = 17;
    expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_AT");
    check_int(values[2], 3);
}

/* ---- kernels that a device compiler refuses ------------------------------------------------------ */

typedef int forgotten;

/* What amp/validate/validate.h does not know, the device's compiler finds: the CPU backend goes on, there the message
   has a hint, the compiler's log and the program. */
static void names_that_only_a_device_does_not_know(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    for (int round = 0; round < 2; round++) { /* the second launch does not compile again, but says the same */
        int values[4];
        test_poison(values, 4);
        {
            AMP_ARRAY_VIEW(int, 1, v, values, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v),
                                     { AMP_AT(v, i) = 4 * __builtin_types_compatible_p(int, forgotten); });
        }
        if (test_is_cpu(where)) {
            const int want[4] = { 4, 4, 4, 4 };
            check_ints(values, want, 4);
            continue;
        }
        static const char *const parts[] = {
            "base/error.c:",
            "---- log ----",
            "---- program",
            "> ", /* the line */
            "__builtin_types_compatible_p(int, forgotten);",
        };
        /* as the compiler calls it */
        check(strstr(test_heard.message, "'forgotten' is not captured: add it to AMP_CAPTURE(") ||
              strstr(test_heard.message, "'forgotten' is not a type on devices: define a struct with AMP_STRUCT"));
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
            check_that(strstr(test_heard.message, parts[k]) != NULL, "\"%s\" is not in: %s", parts[k],
                       test_heard.message);
        check(!strstr(test_heard.message, "__kernel")); /* not all of it */
        /* What is captured or of the language gets no hint. */
        check(!strstr(test_heard.message, "'v' is not captured"));
        check(!strstr(test_heard.message, "'i' is not captured"));
        expect_error(AMP_COMPILATION_FAILED, "kernel in names_that_only_a_device_does_not_know, at or near ");
        for (int k = 0; k < 4; k++)
            check_int(values[k], POISON);
    }
}

/* The status of a launch is its own: other errors, and amp_clear_error, leave it. */
static void the_status_of_a_launch(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[4] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, values, 4);
        amp_array_view_int_1 gone = amp_array_view_retain(v);
        amp_array_view_release(&gone);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
        check_int(amp_launch_status(), AMP_OK);
        (void)amp_section(v, 9, 9);
        expect_error(AMP_INVALID_ARGUMENT, "amp_section");
        check_int(amp_launch_status(), AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(-1), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 2; });
        check_int(amp_launch_status(), AMP_INVALID_COMPUTE_DOMAIN);
        expect_error(AMP_INVALID_COMPUTE_DOMAIN, "it must not be negative"); /* and clears the last error */
        (void)amp_section(v, 9, 9);
        expect_error(AMP_INVALID_ARGUMENT, "amp_section");
        check_int(amp_launch_status(), AMP_INVALID_COMPUTE_DOMAIN);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(4), (i), AMP_CAPTURE(gone), { AMP_AT(gone, i) = 0; });
        check_int(amp_launch_status(), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, "gone was never created");
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(0), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 3; });
        check_int(amp_launch_status(), AMP_OK);
        check_int(AMP_AT(v, 3), 1);
    }
}

int run_base_error(void);
int run_base_error(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_and_texts),
        TEST(last_error),
        TEST(errors_of_many_threads),
        TEST(handlers_of_many_threads),
        TEST(default_handler),
        TEST(log_levels),
        TEST(values_of_variables),
#if !AMP_PRIV_OPENMP
        TEST(return_in_a_body),
#endif
        TEST(tiled_without_threads),
        TEST(launch_in_a_kernel),
        TEST(failed_launches_change_nothing),
        TEST(views_that_are_not_there),
        TEST(access_to_nothing),
        TEST(names_that_only_a_device_does_not_know),
        TEST(the_status_of_a_launch),
    };
    return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
