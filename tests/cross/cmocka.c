// SPDX-License-Identifier: MIT
/*  cmocka.c - runs groups of tests, and counts them in cmocka's words (scripts/part reads these). */
#include <cmocka.h>
#include <stdio.h>

enum { MOST = 512 };
static jmp_buf leave;
static const char *filter;

void cmocka_set_test_filter(const char *pattern) { filter = pattern; }

static int is_like(const char *name, const char *pattern)
{
    if (*pattern == '*')
        return is_like(name, pattern + 1) || (*name && is_like(name + 1, pattern));
    return *name ? (*pattern == '?' || *pattern == *name) && is_like(name + 1, pattern + 1) : !*pattern;
}

_Noreturn void test_leave(int why, const char *file, int line)
{
    if (why == TEST_FAILED)
        print_error("%s:%d: error: Failure!\n", file, line);
    fflush(stdout);
    longjmp(leave, why);
}

void print_message(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
}

void print_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

/* 0, TEST_FAILED or TEST_SKIPPED. */
static int run(const CMUnitTest *test)
{
    void *state = test->initial_state;
    volatile int outcome = 0;
    printf("[ RUN      ] %s\n", test->name);
    if (test->setup && test->setup(&state) != 0)
        outcome = TEST_FAILED;
    if (outcome == 0) {
        const int why = setjmp(leave);
        if (why == 0)
            test->test(&state);
        else
            outcome = why;
    }
    if (test->teardown && test->teardown(&state) != 0)
        outcome = TEST_FAILED;
    printf("[ %s ] %s\n", outcome == 0 ? "      OK" : outcome == TEST_FAILED ? " FAILED " : "SKIPPED ", test->name);
    fflush(stdout);
    return outcome;
}

static size_t list(const char *word, const CMUnitTest *tests, const int *outcomes, size_t count, int outcome)
{
    size_t there = 0;
    for (size_t i = 0; i < count; i++)
        there += outcomes[i] == outcome;
    if (there == 0)
        return 0;
    printf("[  %s ] %zu test(s), listed below:\n", word, there);
    for (size_t i = 0; i < count; i++)
        if (outcomes[i] == outcome)
            printf("[  %s ] %s\n", word, tests[i].name);
    return there;
}

int test_run_group(const char *name, const CMUnitTest *tests, size_t count, int (*setup)(void **state),
                   int (*teardown)(void **state))
{
    static int outcomes[MOST];
    static CMUnitTest chosen[MOST];
    const size_t all = count;
    size_t wanted = 0;
    for (size_t i = 0; i < count && i < MOST; i++)
        if (tests[i].test && (!filter || is_like(tests[i].name, filter)))
            chosen[wanted++] = tests[i];
    tests = chosen;
    count = wanted;
    void *state = NULL;
    size_t passed = 0;
    if (all > MOST || (setup && setup(&state) != 0)) {
        printf("[  FAILED  ] GROUP SETUP %s\n[  FAILED  ] 1 test(s), listed below:\n", name);
        return 1;
    }
    printf("[==========] Running %zu test(s) in %s.\n", count, name);
    for (size_t i = 0; i < count; i++) {
        outcomes[i] = run(&tests[i]);
        passed += outcomes[i] == 0;
    }
    if (teardown)
        teardown(&state);
    printf("[==========] %zu test(s) run.\n[  PASSED  ] %zu test(s).\n", count, passed);
    list("SKIPPED", tests, outcomes, count, TEST_SKIPPED);
    const size_t failed = list("FAILED ", tests, outcomes, count, TEST_FAILED);
    fflush(stdout);
    return (int)failed;
}
