// SPDX-License-Identifier: MIT
/*  os_child.c - work in a child process: its answer, a crash, an end without an answer, work that does not end. */
#include "test.h"
#include "child.h"

#include "amp/base/os_child.h"

int run_base_os_child(void);

/* What a child ran counts for `make coverage`. */
static void count_child(void)
{
#if defined(TEST_COVERAGE)
    __gcov_dump();
#endif
}

static void keep(amp_priv_child_answer *answer, int i, const char *text)
{
    answer->bytes[i] = strlen(text);
    answer->data[i] = malloc(answer->bytes[i] + 1);
    if (answer->data[i])
        strcpy(answer->data[i], text);
}

static void work_twice(const void *with, amp_priv_child_answer *answer)
{
    answer->status = 2 * *(const int *)with;
    keep(answer, 0, "first");
    keep(answer, 1, "the second");
    printf("not shown\n");
    fprintf(stderr, "not shown\n");
    count_child();
}

static void free_answer(amp_priv_child_answer *answer)
{
    free(answer->data[0]);
    free(answer->data[1]);
}

static void its_answer_has_a_number_and_two_texts(void **state)
{
    (void)state;
    amp_priv_child_answer answer;
    const int with = 21;
    check_int(amp_priv_child_run(work_twice, &with, 0, &answer), AMP_PRIV_CHILD_ANSWERED);
    check_int(answer.status, 42);
    check_int(answer.bytes[0], 5);
    check_that(answer.data[0] && !memcmp(answer.data[0], "first", 5), "the first text");
    check_that(answer.data[1] && !memcmp(answer.data[1], "the second", 10), "the second text");
    free_answer(&answer);
}

#if !defined(_WIN32) && !defined(__wasi__)

static void work_crash(const void *with, amp_priv_child_answer *answer)
{
    (void)answer;
    fprintf(stderr, "%s", (const char *)with);
    count_child();
    abort();
}

static void work_exit(const void *with, amp_priv_child_answer *answer)
{
    (void)with, (void)answer;
    count_child();
    exit(0); /* of a library that ends the program */
}

static void work_for_ever(const void *with, amp_priv_child_answer *answer)
{
    (void)answer;
    count_child();
    for (volatile const int *const always = with; *always;)
        continue;
}

static void work_sleep(const void *with, amp_priv_child_answer *answer)
{
    (void)with, (void)answer;
    count_child();
    for (;;)
        pause();
}

static void a_crash_leaves_what_it_printed(void **state)
{
    (void)state;
    amp_priv_child_answer answer;
    check_int(amp_priv_child_run(work_crash, "the compiler's last words", 20, &answer), AMP_PRIV_CHILD_ENDED);
    check_that(answer.data[1] && strstr(answer.data[1], "the compiler's last words"), "%s",
               answer.data[1] ? answer.data[1] : "nothing");
    check_that(!answer.data[0], "there is no first text");
    free_answer(&answer);
    check_int(amp_priv_child_run(work_crash, "", 20, &answer), AMP_PRIV_CHILD_ENDED);
    check_that(!answer.data[1], "it printed nothing");
    free_answer(&answer);
}

/* Of long errors the end is kept. */
static void long_errors_are_cut(void **state)
{
    (void)state;
    enum { LENGTH = 5000, KEPT = 1000 };
    static char text[LENGTH + 1];
    amp_priv_child_answer answer;
    memset(text, '.', LENGTH);
    text[LENGTH - 1] = '!';
    check_int(amp_priv_child_run(work_crash, text, 20, &answer), AMP_PRIV_CHILD_ENDED);
    check_int(answer.data[1] ? strlen(answer.data[1]) : 0, KEPT);
    check_int(answer.data[1] ? answer.data[1][KEPT - 1] : 0, '!');
    free_answer(&answer);
}

static void exit_is_no_answer(void **state)
{
    (void)state;
    amp_priv_child_answer answer;
    check_int(amp_priv_child_run(work_exit, NULL, 20, &answer), AMP_PRIV_CHILD_ENDED);
    free_answer(&answer);
}

static void work_without_end_is_late(void **state)
{
    (void)state;
    amp_priv_child_answer answer;
    const int always = 1;
    check_int(amp_priv_child_run(work_for_ever, &always, 1, &answer), AMP_PRIV_CHILD_LATE);
    free_answer(&answer);
    check_int(amp_priv_child_run(work_sleep, NULL, 1, &answer), AMP_PRIV_CHILD_LATE);
    free_answer(&answer);
}

/* The parent needs three descriptors: two of the pipe, one of the errors. */
static void without_descriptors_there_is_no_child(void **state)
{
    (void)state;
    struct rlimit before;
    amp_priv_child_answer answer;
    check_int(getrlimit(RLIMIT_NOFILE, &before), 0);
    const struct rlimit none = { 0, before.rlim_max };
    check_int(setrlimit(RLIMIT_NOFILE, &none), 0);
    const amp_priv_child_result result = amp_priv_child_run(work_exit, NULL, 20, &answer);
    check_int(setrlimit(RLIMIT_NOFILE, &before), 0);
    check_int(result, AMP_PRIV_CHILD_NONE);
    free_answer(&answer);
}

/* An answer that ends early is none, and leaves no memory. */
static void half_an_answer_is_none(void **state)
{
    (void)state;
    const amp_priv_child_answer sent = { 7, { 3, 5 }, { NULL, NULL } };
    const size_t cuts[] = { 0, sizeof sent / 2, sizeof sent, sizeof sent + 2, sizeof sent + 3, sizeof sent + 7 };
    char bytes[sizeof sent + 8];
    memcpy(bytes, &sent, sizeof sent);
    memcpy(bytes + sizeof sent, "abcdefgh", 8);
    for (size_t i = 0; i <= sizeof cuts / sizeof cuts[0]; i++) {
        const bool whole = i == sizeof cuts / sizeof cuts[0];
        amp_priv_child_answer answer;
        int ends[2];
        check_int(pipe(ends), 0);
        check_that(amp_priv_child_write(ends[1], bytes, whole ? sizeof bytes : cuts[i]), "written");
        close(ends[1]);
        check_int(amp_priv_child_take(ends[0], &answer), whole);
        close(ends[0]);
        check_int(answer.data[0] != NULL, whole);
        check_that(!whole || (!strcmp(answer.data[0], "abc") && !strcmp(answer.data[1], "defgh")), "the texts");
        free_answer(&answer);
    }
}

static void a_closed_pipe_takes_nothing(void **state)
{
    (void)state;
    int ends[2];
    check_int(pipe(ends), 0);
    close(ends[0]);
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    check_that(!amp_priv_child_write(ends[1], "text", 4), "written");
    (void)signal(SIGPIPE, before);
    close(ends[1]);
}

#endif

int run_base_os_child(void)
{
    const struct CMUnitTest tests[] = {
        TEST(its_answer_has_a_number_and_two_texts),
#if !defined(_WIN32) && !defined(__wasi__)
        TEST(a_crash_leaves_what_it_printed),
        TEST(long_errors_are_cut),
        TEST(exit_is_no_answer),
        TEST(work_without_end_is_late),
        TEST(without_descriptors_there_is_no_child),
        TEST(half_an_answer_is_none),
        TEST(a_closed_pipe_takes_nothing),
#endif
    };
    return cmocka_run_group_tests_name("base/os_child", tests, NULL, NULL);
}
