// SPDX-License-Identifier: MIT
/*  cmocka.h - as much of cmocka as the tests use, for systems to which they are cross-compiled: few of these have a
    cmocka that could be linked. What it prints is what cmocka prints. */
#ifndef CMOCKA_H
#define CMOCKA_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state), (*teardown)(void **state);
    void *initial_state;
} CMUnitTest;

#define cmocka_unit_test(test)                                                                                         \
    {                                                                                                                  \
#test, test, NULL, NULL, NULL                                                                                  \
    }
#define cmocka_unit_test_setup_teardown(test, setup, teardown)                                                         \
    {                                                                                                                  \
#test, test, setup, teardown, NULL                                                                             \
    }
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                                      \
    test_run_group(name, tests, sizeof tests / sizeof tests[0], setup, teardown)

/* Returns how many failed. */
int test_run_group(const char *name, const CMUnitTest *tests, size_t count, int (*setup)(void **state),
                   int (*teardown)(void **state));

/* Of the groups that run from now on only tests of names like this, with * and ?, run; NULL: all. */
void cmocka_set_test_filter(const char *pattern);

/* Ends the test that runs, as one that failed or was skipped; on the thread that runs it. */
_Noreturn void test_leave(int why, const char *file, int line);
enum { TEST_FAILED = 1, TEST_SKIPPED };

#if defined(_WIN32) && !defined(__clang__)
#define TEST_PRINTS(n) __attribute__((format(gnu_printf, n, n + 1)))
#else
#define TEST_PRINTS(n) __attribute__((format(printf, n, n + 1)))
#endif
TEST_PRINTS(1) void print_message(const char *format, ...);
TEST_PRINTS(1) void print_error(const char *format, ...);

#define fail() test_leave(TEST_FAILED, __FILE__, __LINE__)
#define skip() test_leave(TEST_SKIPPED, __FILE__, __LINE__)
#define fail_msg(...)                                                                                                  \
    do {                                                                                                               \
        print_error(__VA_ARGS__);                                                                                      \
        print_error("\n");                                                                                             \
        fail();                                                                                                        \
    } while (0)

#define TEST_ASSERT(condition, ...)                                                                                    \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg(__VA_ARGS__);                                                                                     \
    } while (0)
#define assert_true(condition)    TEST_ASSERT(condition, "%s", #condition)
#define assert_false(condition)   TEST_ASSERT(!(condition), "!(%s)", #condition)
#define assert_non_null(pointer)  TEST_ASSERT((pointer) != NULL, "%s is NULL", #pointer)
#define assert_null(pointer)      TEST_ASSERT((pointer) == NULL, "%s is not NULL", #pointer)
#define assert_string_equal(a, b) TEST_ASSERT(!strcmp(a, b), "\"%s\" != \"%s\"", a, b)
#define assert_int_equal(a, b)                                                                                         \
    TEST_ASSERT((intmax_t)(a) == (intmax_t)(b), "%lld != %lld", (long long)(a), (long long)(b))
#define assert_memory_equal(a, b, size) TEST_ASSERT(!memcmp(a, b, size), "the bytes of %s and %s differ", #a, #b)
#define assert_float_equal(a, b, epsilon)                                                                              \
    TEST_ASSERT(fabs((double)(a) - (double)(b)) <= (double)(epsilon), "%g != %g", (double)(a), (double)(b))

#endif /* CMOCKA_H */
