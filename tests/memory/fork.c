// SPDX-License-Identifier: MIT
/*  fork.c - children made by fork: the CPU backend and asynchronous operations on them work, whatever the parent
    did before; devices of other backends say that they do not. Nothing hangs: a child has 20 seconds. */
#include "test.h"
#include "child.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

int run_memory_fork(void);

enum { VALUES = 200000, FAILED = 1 };

/* ---- help ------------------------------------------------------------------------------------------ */

/* The status of a child that does `work`: 0 when it returns true. 1000 + the signal that ended it. */
static int in_child(bool (*work)(void))
{
    fflush(stdout);
    fflush(stderr);
    const pid_t process = fork();
    if (process == 0) {
        alarm(300);
        child_end(work() ? 0 : FAILED);
    }
    int status = 0;
    check(process > 0 && waitpid(process, &status, 0) == process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static amp_accelerator_view cpu(void) { return amp_accelerator_default_view(amp_accelerator_from_path("cpu")); }

/* Launches of every kind, large enough for all threads; are the results right, and was nothing reported? */
static bool loops_work(void)
{
    static int values[VALUES];
    int wrong = 0;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, VALUES);
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(cpu(), v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        for (int round = 1; round <= 20; round++) {
            AMP_PARALLEL_FOR_EACH_ON(cpu(), v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 2; });
            AMP_TILED_ON(cpu(), v.extent, (64), tile, AMP_CAPTURE(v), {
                AMP_TILE_STATIC(int, copy, [64]);
                AMP_THREADS(tile, t) {
                    copy[t.local.v[0]] = AMP_AT(v, t.global);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    AMP_AT(v, t.global) = copy[t.local.v[0]] + 1;
                }
            });
        }
    }
    for (int i = 0; i < VALUES; i++)
        wrong += values[i] != i + 60;
    if (wrong)
        print_error("%d of %d values are wrong\n", wrong, (int)VALUES);
    return wrong == 0 && test_no_error_was();
}

/* ---- the CPU backend ----------------------------------------------------------------------------------- */

static void loops_work_in_a_child(void **state)
{
    (void)state;
    check(loops_work()); /* so that the parent has its threads */
    check_int(in_child(loops_work), 0);
    check(loops_work());
}

static bool loops_work_in_a_grandchild(void) { return loops_work() && in_child(loops_work) == 0; }

static void and_in_its_children(void **state)
{
    (void)state;
    check(loops_work());
    check_int(in_child(loops_work_in_a_grandchild), 0);
}

static void *loops_on_a_thread(void *good)
{
    *(bool *)good = loops_work();
    return NULL;
}

static bool loops_work_on_a_new_thread(void)
{
    pthread_t thread;
    bool good = false;
    return pthread_create(&thread, NULL, loops_on_a_thread, &good) == 0 && pthread_join(thread, NULL) == 0 && good;
}

static void and_on_its_threads(void **state)
{
    (void)state;
    check(loops_work());
    check_int(in_child(loops_work_on_a_new_thread), 0);
}

/* ---- asynchronous operations ------------------------------------------------------------------------- */

static void set_flag(void *flag) { atomic_store((atomic_int *)flag, 1); }

static bool operations_work(void)
{
    static int values[VALUES];
    static atomic_int told;
    bool good;
    atomic_store(&told, 0);
    {
        AMP_ARRAY_ON(cpu(), int, 1, a, VALUES);
        AMP_PARALLEL_FOR_EACH_ON(cpu(), a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 3 * i; });
        amp_future f = amp_copy_out_async(a, values, VALUES);
        good = amp_future_then(f, set_flag, &told) == AMP_OK && amp_future_get(f) == AMP_OK;
        amp_future_release(&f);
    }
    for (int i = 0; i < VALUES; i++)
        good = good && values[i] == 3 * i;
    return good && test_no_error_was();
}

static void operations_work_in_a_child(void **state)
{
    (void)state;
    check(operations_work()); /* so that the parent has its worker, which waits for more */
    check_int(in_child(operations_work), 0);
    check(operations_work());
}

/* A callback that keeps the worker until the door is open, and an operation that waits behind it. */
static atomic_int door, at_door;
static amp_future ahead, behind;
static int copied[VALUES];

static void wait_until(atomic_int *flag)
{
    const struct timespec a_moment = { 0, 1000000 };
    while (!atomic_load(flag))
        nanosleep(&a_moment, NULL);
}

static void wait_for_door(void *unused)
{
    (void)unused;
    if (!amp_priv_on_worker)
        return; /* the operation was done before it got a callback */
    atomic_store(&at_door, 1);
    wait_until(&door);
}

static bool what_was_queued_is_done(void)
{
    atomic_store(&door, 1);
    bool good = amp_future_wait(ahead) == AMP_OK && amp_future_get(behind) == AMP_OK;
    for (int i = 0; i < VALUES; i++)
        good = good && copied[i] == i;
    return good && operations_work();
}

static void what_was_queued_is_done_in_both(void **state)
{
    static int source[VALUES], elsewhere[VALUES];
    (void)state;
    for (int i = 0; i < VALUES; i++)
        source[i] = i;
    atomic_store(&door, 0);
    AMP_ARRAY_ON(cpu(), int, 1, a, VALUES);
    amp_copy_in(source, VALUES, a);
    const struct timespec some_time = { 0, 20000000 };
    for (int tries = 0; tries < 200 && !atomic_load(&at_door); tries++) {
        amp_future_release(&ahead);
        ahead = amp_copy_out_async(a, elsewhere, VALUES);
        amp_future_then(ahead, wait_for_door, NULL);
        if (!amp_future_is_done(ahead) || tries % 8 == 7)
            nanosleep(&some_time, NULL);
    }
    check(atomic_load(&at_door));
    behind = amp_copy_out_async(a, copied, VALUES);
    const int status = in_child(what_was_queued_is_done);
    atomic_store(&door, 1);
    check_int(status, 0);
    check(what_was_queued_is_done());
    amp_future_release(&ahead);
    amp_future_release(&behind);
}

/* Forks, again and again, while the worker is busy: the lock of no source stays behind. */
static amp_array_int_1 shared_array;

static bool the_array_can_be_used(void)
{
    static int now[VALUES];
    return amp_copy_out(shared_array, now, VALUES) == AMP_OK && now[VALUES - 1] == VALUES - 1;
}

static void operations_leave_no_lock_behind(void **state)
{
    static int source[VALUES], to[VALUES];
    (void)state;
    for (int i = 0; i < VALUES; i++)
        source[i] = i;
    AMP_ARRAY_ON(cpu(), int, 1, a, VALUES);
    amp_copy_in(source, VALUES, a);
    shared_array = a;
    for (int round = 0; round < 20; round++) {
        amp_future futures[8];
        for (int i = 0; i < 8; i++)
            futures[i] = amp_copy_out_async(a, to, VALUES);
        const int status = in_child(the_array_can_be_used);
        for (int i = 0; i < 8; i++) {
            amp_future_wait(futures[i]);
            amp_future_release(&futures[i]);
        }
        check_int(status, 0);
    }
}

/* ---- devices ----------------------------------------------------------------------------------------- */

static amp_accelerator_view device_view;
static amp_array_view_int_1 changed;
static amp_future noted;
static int on_host[VALUES];

/* All that may be done with a device of the parent's is an error that says why; and nothing hangs. */
static bool the_device_says_so(void)
{
    static int values[VALUES];
    bool good = true;
    {
        AMP_ARRAY_VIEW(int, 1, v, values, VALUES);
        AMP_PARALLEL_FOR_EACH_ON(device_view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        good = test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "by fork");
    }
    good = amp_accelerator_view_wait(device_view) != AMP_OK &&
           test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "by fork") && good;
    amp_future_is_done(noted);
    good = amp_future_get(noted) != AMP_OK && test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "by fork") && good;
    amp_future_release(&noted);
    amp_array_view_release(&changed); /* what the parent's device changed: says so, or was known to be there already */
    good = (test_heard.count == 0 || test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "by fork")) && good;
    amp_accelerator_view_release(&device_view);
    return test_no_error_was() && loops_work() && good;
}

static void devices_say_that_they_stay_behind(void **state)
{
    (void)state;
    if (amp_accelerator_get_all(NULL, 0) < 2) {
        print_message("SKIPPED: there is no device but the CPU backend\n");
        skip();
    }
    amp_accelerator all[2];
    amp_accelerator_get_all(all, 2);
    device_view = amp_accelerator_create_view(all[1]);
    changed = amp_array_view_int_1_create(on_host, AMP_EXTENT(VALUES));
    const amp_array_view_int_1 v = changed;
    AMP_PARALLEL_FOR_EACH_ON(device_view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
    noted = amp_accelerator_view_create_marker(device_view);
    check_int(in_child(the_device_says_so), 0);
    check_int(amp_future_get(noted), AMP_OK); /* and here they work on */
    amp_future_release(&noted);
    amp_array_view_release(&changed);
    check_int(on_host[VALUES - 1], VALUES - 1);
    amp_accelerator_view_release(&device_view);
}

int run_memory_fork(void)
{
    const struct CMUnitTest tests[] = {
        TEST(loops_work_in_a_child),
        TEST(and_in_its_children),
        TEST(and_on_its_threads),
        TEST(operations_work_in_a_child),
        TEST(what_was_queued_is_done_in_both),
        TEST(operations_leave_no_lock_behind),
        TEST(devices_say_that_they_stay_behind),
    };
    return cmocka_run_group_tests_name("memory/fork", tests, NULL, NULL);
}
