// SPDX-License-Identifier: MIT
/*  test.h - what the tests share: an error handler that remembers instead of aborting, a random generator
    whose seed can be given, the loop over every accelerator, and comparisons that say where they failed.

    One source serves every backend. Each tests/FOLDER/FILE.c has a function
    `int run_FOLDER_FILE(void)` that main.c calls. */
#ifndef TEST_H
#define TEST_H

#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1 /* M_PI, fork, dup2 */
#endif

#if defined(_WIN32)
#define _USE_MATH_DEFINES 1 /* the same */
#endif

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "amp.h"
#include "amp_group.h"
#include "amp_recording.h"
#include "inside.h"

/* State of all test files: the linker keeps one. */
#if defined(_WIN32)
#define TEST_GLOBAL __attribute__((selectany))
#else
#define TEST_GLOBAL __attribute__((weak))
#endif

/* ---- errors ------------------------------------------------------------------------------------- */

/* What the library reported since the last look. */
typedef struct test_errors {
    int count;
    amp_status status; /* of the last one */
    char message[TEST_MESSAGE_SIZE];
} test_errors;
TEST_GLOBAL test_errors test_heard;
TEST_GLOBAL const char *test_where; /* path of the accelerator under test, NULL outside of the loop */

static inline void test_hear(const amp_error *error, void *user)
{
    test_errors *const heard = user;
    heard->count++;
    heard->status = error->status;
    snprintf(heard->message, sizeof heard->message, "%s", error->message);
}

/* Before every test: errors are remembered from here on. */
static inline int test_begin(void **state)
{
    (void)state;
    test_heard.count = 0;
    test_heard.status = AMP_OK;
    test_heard.message[0] = '\0';
    test_where = NULL;
    amp_clear_error();
    amp_set_error_handler(test_hear, &test_heard);
    return 0;
}

/* After every test: an error that the test did not ask for has failed it. */
static inline int test_end(void **state)
{
    (void)state;
    test_where = NULL;
    if (test_heard.count == 0)
        return 0;
    print_error("%d error(s) nobody expected, the last: %s: %s\n", test_heard.count, amp_status_name(test_heard.status),
                test_heard.message);
    test_heard.count = 0;
    return -1;
}

/* One entry of a file's list of tests. */
#define TEST(function) cmocka_unit_test_setup_teardown(function, test_begin, test_end)

/* Was exactly one error reported, of that status, with that text in its message (NULL: any)? Forgets it. */
static inline bool test_error_was(amp_status status, const char *part)
{
    const int count = test_heard.count;
    const bool good = count == 1 && test_heard.status == status && (!part || strstr(test_heard.message, part)) &&
                      amp_last_error() == status && !strcmp(amp_last_error_message(), test_heard.message);
    if (!good)
        print_error("%s%sexpected one %s with \"%s\"; there were %d errors, the last: %s: %s\n",
                    test_where ? test_where : "", test_where ? ": " : "", amp_status_name(status), part ? part : "",
                    count, count ? amp_status_name(test_heard.status) : "none", count ? test_heard.message : "");
    test_heard.count = 0;
    amp_clear_error();
    return good;
}
#define expect_error(status, part)                                                                                     \
    do {                                                                                                               \
        if (!test_error_was(status, part))                                                                             \
            fail();                                                                                                    \
    } while (0)

/* Was nothing reported? */
static inline bool test_no_error_was(void)
{
    const int count = test_heard.count;
    if (count)
        print_error("%s%sexpected no error; there were %d, the last: %s: %s\n", test_where ? test_where : "",
                    test_where ? ": " : "", count, amp_status_name(test_heard.status), test_heard.message);
    test_heard.count = 0;
    amp_clear_error();
    return count == 0;
}
#define expect_no_error()                                                                                              \
    do {                                                                                                               \
        if (!test_no_error_was())                                                                                      \
            fail();                                                                                                    \
    } while (0)

/* ---- comparisons -------------------------------------------------------------------------------- */

/* Fails, with the accelerator and a printf text of the caller's. */
#define test_check_(condition, text, ...)                                                                              \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            print_error("%s%s%s is false: ", test_where ? test_where : "", test_where ? ": " : "", text);              \
            print_error(__VA_ARGS__);                                                                                  \
            print_error("\n");                                                                                         \
            fail();                                                                                                    \
        }                                                                                                              \
    } while (0)
/* The text of the condition as it stands in the test: both name it before its macros expand. */
#define check_that(condition, ...) test_check_(condition, #condition, __VA_ARGS__)
#define check(condition)           test_check_(condition, #condition, "see there")

/* Are the two of one value? The macro names both. */
#define check_int(got, want)                                                                                           \
    do {                                                                                                               \
        const long long test_got = (long long)(got), test_want = (long long)(want);                                    \
        check_that(test_got == test_want, "%s is %lld, expected %lld", #got, test_got, test_want);                     \
    } while (0)

/* Defines test_same_<name>: are all elements as expected? Says which is not. */
#define TEST_SAME(name, type, format, shown)                                                                           \
    static inline bool test_same_##name(const char *what, const type *got, const type *want, size_t count)             \
    {                                                                                                                  \
        size_t wrong = 0;                                                                                              \
        for (size_t i = 0; i < count; i++)                                                                             \
            if (got[i] != want[i] && wrong++ < 5)                                                                      \
                print_error("%s%s%s: element %zu is " format ", expected " format "\n", test_where ? test_where : "",  \
                            test_where ? ": " : "", what, i, (shown)got[i], (shown)want[i]);                           \
        if (wrong)                                                                                                     \
            print_error("%s: %zu of %zu elements are wrong\n", what, wrong, count);                                    \
        return !wrong;                                                                                                 \
    }
TEST_SAME(ints, int, "%d", int)
TEST_SAME(unsigneds, unsigned, "%u", unsigned)
TEST_SAME(longs, int64_t, "%lld", long long)
TEST_SAME(floats, float, "%.9g", double)
TEST_SAME(doubles, double, "%.17g", double)
#define check_same(name, got, want, count)                                                                             \
    do {                                                                                                               \
        if (!test_same_##name(#got, got, want, (size_t)(count)))                                                       \
            fail();                                                                                                    \
    } while (0)
#define check_ints(got, want, count)      check_same(ints, got, want, count)
#define check_unsigneds(got, want, count) check_same(unsigneds, got, want, count)
#define check_longs(got, want, count)     check_same(longs, got, want, count)
#define check_floats(got, want, count)    check_same(floats, got, want, count)
#define check_doubles(got, want, count)   check_same(doubles, got, want, count)

/* Fills ints with what no kernel writes, so that an element nobody wrote is seen. */
enum { POISON = -559038737 };
static inline void test_poison(int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = POISON;
}

/* Memory that is there, or the test fails. */
static inline void *test_allocate(size_t bytes)
{
    void *const memory = malloc(bytes);
    if (!memory) {
        print_error("no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

/* ---- random numbers ------------------------------------------------------------------------------ */

typedef struct test_generator {
    uint64_t state;
    bool seeded;
} test_generator;
TEST_GLOBAL test_generator test_numbers;

/* Seeds from AMP_TEST_SEED, else from the clock, and says so. */
static inline void test_seed(void)
{
    const char *const given = getenv("AMP_TEST_SEED");
    test_numbers.state = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    test_numbers.seeded = true;
    print_message("random numbers: AMP_TEST_SEED=%llu repeats this run\n", (unsigned long long)test_numbers.state);
}

/* 64 random bits (splitmix64). */
static inline uint64_t test_random(void)
{
    if (!test_numbers.seeded)
        test_seed();
    uint64_t z = test_numbers.state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* An int from low to high, both included. */
static inline int test_random_int(int low, int high)
{
    return (int)(low + (int64_t)(test_random() % (uint64_t)((int64_t)high - low + 1)));
}

/* A double from low to high. */
static inline double test_random_double(double low, double high)
{
    return low + (high - low) * ((double)(test_random() >> 11) / 9007199254740992.0);
}

/* ---- messages ------------------------------------------------------------------------------------ */

/* How often is a part in a text? */
static inline int count_of(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* ---- accelerators -------------------------------------------------------------------------------- */

/* FOR_EACH_ACCELERATOR(view) { ... }: the block runs with the default view of every accelerator, or of a group. */
#define FOR_EACH_ACCELERATOR(view)                                                                                     \
    for (int test_n = test_first_view(); test_n < test_views(); test_n++)                                              \
        for (amp_accelerator_view view = test_view(test_n), *test_once = &view; test_once; test_once = NULL)

/* Without the group. */
#define FOR_EACH_ONE_ACCELERATOR(view)                                                                                 \
    for (int test_n = 0; test_n < amp_accelerator_get_all(NULL, 0); test_n++)                                          \
        for (amp_accelerator_view view = test_view(test_n), *test_once = &view; test_once; test_once = NULL)

/* With AMP_TEST_GROUP there is one view, of all of them but the CPU backend: POCL_DEVICES="pthread pthread".
   The backend of the tests has two devices then. */
TEST_GLOBAL amp_accelerator_view test_group;

static inline bool test_has_group(void) { return getenv("AMP_TEST_GROUP") && amp_accelerator_get_all(NULL, 0) > 2; }
static inline int test_first_view(void) { return test_has_group() ? amp_accelerator_get_all(NULL, 0) : 0; }
static inline int test_views(void) { return amp_accelerator_get_all(NULL, 0) + test_has_group(); }

static inline amp_accelerator_view test_view(int n)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
#if defined(AMP_GROUP_H)
    if (n == count) {
        if (!test_group.amp_priv_queue)
            test_group = amp_accelerator_view_create_group(all + 1, count - 1);
        test_where = "group";
        return test_group;
    }
#endif
    test_where = amp_accelerator_path(all[n]);
    return amp_accelerator_default_view(all[n]);
}

/* Is it a view of several accelerators? */
static inline bool test_is_group(amp_accelerator_view view)
{
    return test_group.amp_priv_queue && amp_accelerator_view_equal(view, test_group);
}

/* The record of a view's accelerator: what has no public property. */
static inline const amp_priv_device *test_device(amp_accelerator_view view)
{
    return amp_accelerator_view_accelerator(view).amp_priv_device;
}

/* Are its kernels loops at the call site? */
static inline bool test_is_cpu(amp_accelerator_view view)
{
    return !strcmp(amp_accelerator_path(amp_accelerator_view_accelerator(view)), "cpu");
}

static inline bool test_has_double(amp_accelerator_view view)
{
    return amp_accelerator_supports_double_precision(amp_accelerator_view_accelerator(view));
}

/* Is it one that interprets kernels (oclgrind), so that large tests would take hours? */
static inline bool test_is_slow(amp_accelerator_view view)
{
    const amp_accelerator accelerator = amp_accelerator_view_accelerator(view);
    return strstr(amp_accelerator_description(accelerator), "oclgrind") ||
           strstr(amp_accelerator_path(accelerator), "oclgrind");
}

/* For tests that use devices from several host threads: oclgrind ends programs that do. */
static inline void test_needs_threads(void)
{
    if (strstr(amp_accelerator_path(amp_accelerator_default()), "oclgrind"))
        skip();
}

#endif /* TEST_H */
