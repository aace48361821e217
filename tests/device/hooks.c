// SPDX-License-Identifier: MIT
/*  hooks.c - what modules get of a launch (amp/device/hooks.h): the members in order, a refusal, another run.
    Also tests amp/device/launch_site.h. */
#include "test.h"

enum { HOOKS_COUNT = 10, HOOKS_NUMBER = AMP_PRIV_HOOK_COMPARE };

typedef struct hooks_record {
    char order[64]; /* a letter for each call */
    int runs;       /* of the loops that are still asked for */
    bool leaves, refuses, kept;
} hooks_record;
static hooks_record hooks_seen;

static void hooks_see(char letter)
{
    const size_t length = strlen(hooks_seen.order);
    if (length + 1 < sizeof hooks_seen.order)
        hooks_seen.order[length] = letter;
}

static void hooks_see_open(amp_priv_launch *launch)
{
    hooks_see('o');
    check(launch->own[HOOKS_NUMBER].number == 0);
    launch->own[HOOKS_NUMBER].number = 42;
    if (hooks_seen.leaves)
        launch->hooks &= ~amp_priv_hook_bit(HOOKS_NUMBER);
}

static void hooks_see_skipped(amp_priv_launch *launch)
{
    (void)launch;
    hooks_see('x');
}

static amp_priv_outcome hooks_see_place(amp_priv_launch *launch, amp_priv_queue **queue)
{
    (void)launch, (void)queue;
    hooks_see('p');
    return AMP_PRIV_STEP_RUN;
}

static amp_priv_outcome hooks_see_begin(amp_priv_launch *launch)
{
    hooks_see('b');
    check(launch->queue != NULL);
    if (!hooks_seen.refuses)
        return AMP_PRIV_STEP_RUN;
    amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR, "refused by a test");
    return AMP_PRIV_STEP_DONE;
}

static void hooks_see_acquired(amp_priv_launch *launch)
{
    (void)launch;
    hooks_see('a');
}

static void hooks_see_command(amp_priv_launch *launch, const amp_priv_launched_kernel *kernel)
{
    check(launch->site != NULL && kernel->arguments->count > 0);
    hooks_see('c');
}

static void hooks_see_submitted(amp_priv_launch *launch)
{
    (void)launch;
    hooks_see('s');
}

static amp_priv_outcome hooks_see_end(amp_priv_launch *launch, amp_status status)
{
    hooks_see(status == AMP_OK ? 'e' : 'f');
    hooks_seen.kept = launch->own[HOOKS_NUMBER].number == 42;
    return hooks_seen.runs-- > 0 ? AMP_PRIV_STEP_AGAIN : AMP_PRIV_STEP_RUN;
}

static const amp_priv_hook hooks_table = { .open = hooks_see_open,
                                           .skipped = hooks_see_skipped,
                                           .place = hooks_see_place,
                                           .begin = hooks_see_begin,
                                           .acquired = hooks_see_acquired,
                                           .command = hooks_see_command,
                                           .submitted = hooks_see_submitted,
                                           .end = hooks_see_end };

static void hooks_begin(void)
{
    memset(&hooks_seen, 0, sizeof hooks_seen);
    amp_priv_hook_add(HOOKS_NUMBER, &hooks_table);
}

static void hooks_end(void)
{
    amp_priv_hook_remove(HOOKS_NUMBER);
    atomic_store(&amp_priv_hooks.hook[HOOKS_NUMBER], NULL);
}

static void hooks_add_one(amp_accelerator_view where, amp_array_view_int_1 v, int count)
{
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(count), (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

/* The CPU backend, which is the first accelerator. */
static amp_accelerator_view hooks_host(void) { return amp_accelerator_default_view(amp_accelerator_from_path("cpu")); }

static void members_come_in_order(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int data[HOOKS_COUNT] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
        hooks_begin();
        hooks_add_one(where, v, HOOKS_COUNT);
        check(!strcmp(hooks_seen.order, amp_priv_is_host(test_device(where)->number) ? "opbae" : "opbacse"));
        check(hooks_seen.kept && AMP_AT(v, HOOKS_COUNT - 1) == 1);
        hooks_end();
    }
}

static void an_empty_launch_is_skipped(void **state)
{
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    hooks_begin();
    hooks_add_one(hooks_host(), v, 0);
    check(!strcmp(hooks_seen.order, "ox") && amp_launch_status() == AMP_OK);
    hooks_end();
}

static void a_module_leaves_a_launch(void **state)
{
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    hooks_begin();
    hooks_seen.leaves = true;
    hooks_add_one(hooks_host(), v, HOOKS_COUNT);
    check(!strcmp(hooks_seen.order, "o") && AMP_AT(v, 0) == 1);
    hooks_end();
}

static void a_module_refuses_a_launch(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int data[HOOKS_COUNT] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
        hooks_begin();
        hooks_seen.refuses = true;
        hooks_add_one(where, v, HOOKS_COUNT);
        check(!strcmp(hooks_seen.order, "opb") && amp_launch_status() == AMP_RUNTIME_ERROR);
        hooks_end();
        expect_error(AMP_RUNTIME_ERROR, "refused by a test");
        check(AMP_AT(v, 0) == 0);
    }
}

static void the_loops_run_again(void **state)
{
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    hooks_begin();
    hooks_seen.runs = 2;
    hooks_add_one(hooks_host(), v, HOOKS_COUNT);
    check(!strcmp(hooks_seen.order, "opbaeee") && AMP_AT(v, HOOKS_COUNT - 1) == 3);
    hooks_end();
}

static void without_modules_nothing_is_called(void **state)
{
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    hooks_begin();
    hooks_end();
    hooks_add_one(hooks_host(), v, HOOKS_COUNT);
    check(hooks_seen.order[0] == '\0' && AMP_AT(v, 0) == 1);
}

static amp_status hooks_see_first(amp_priv_launch_site *site, const int *values, void *const *captured)
{
    check(site->rank == 1 && values[0] == HOOKS_COUNT && captured != NULL);
    hooks_see('1');
    return hooks_seen.refuses ? amp_priv_site_report(site, AMP_COMPILATION_FAILED, "refused") : AMP_OK;
}

static void hooks_see_first_loops(amp_priv_launch_site *site, void *const *captured)
{
    check(site->rank == 1 && captured != NULL);
    hooks_see('l');
}

/* A table with one member is asked for that one, whichever it is. */
static void one_member_is_enough(void **state)
{
    static const amp_priv_hook first = { .first = hooks_see_first, .first_loops = hooks_see_first_loops },
                               acquired = { .acquired = hooks_see_acquired },
                               skipped = { .skipped = hooks_see_skipped };
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    memset(&hooks_seen, 0, sizeof hooks_seen);
    amp_priv_hook_add(HOOKS_NUMBER, &first);
    for (int k = 0; k < 2; k++)
        AMP_PARALLEL_FOR_EACH_ON(hooks_host(), v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    check(!strcmp(hooks_seen.order, "1l") && AMP_AT(v, 0) == 2);
    hooks_end();
    amp_priv_hook_add(HOOKS_NUMBER, &acquired);
    hooks_add_one(hooks_host(), v, HOOKS_COUNT);
    check(!strcmp(hooks_seen.order, "1la"));
    hooks_end();
    amp_priv_hook_add(HOOKS_NUMBER, &skipped);
    hooks_add_one(hooks_host(), v, 0);
    check(!strcmp(hooks_seen.order, "1lax"));
    hooks_end();
}

/* A kernel whose text is refused is refused again, until it is good. */
static void a_text_is_refused(void **state)
{
    static const amp_priv_hook first = { .first = hooks_see_first, .first_loops = hooks_see_first_loops };
    int data[HOOKS_COUNT] = { 0 };
    (void)state;
    AMP_ARRAY_VIEW(int, 1, v, data, HOOKS_COUNT);
    memset(&hooks_seen, 0, sizeof hooks_seen);
    hooks_seen.refuses = true;
    amp_priv_hook_add(HOOKS_NUMBER, &first);
    for (int k = 0; k < 3; k++) {
        AMP_PARALLEL_FOR_EACH_ON(hooks_host(), v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        if (hooks_seen.refuses)
            expect_error(AMP_COMPILATION_FAILED, "refused");
        hooks_seen.refuses = false;
    }
    check(!strcmp(hooks_seen.order, "11l") && AMP_AT(v, 0) == 2);
    hooks_end();
}

int run_device_hooks(void);
int run_device_hooks(void)
{
    const struct CMUnitTest tests[] = {
        TEST(members_come_in_order),     TEST(an_empty_launch_is_skipped), TEST(a_module_leaves_a_launch),
        TEST(a_module_refuses_a_launch), TEST(the_loops_run_again),        TEST(without_modules_nothing_is_called),
        TEST(one_member_is_enough),      TEST(a_text_is_refused),
    };
    return cmocka_run_group_tests_name("device/hooks", tests, NULL, NULL);
}
