// SPDX-License-Identifier: MIT
/*  threads.c - eight host threads at once: launches, copies, first use, on shared and on separate views; and a
    device that goes away in the middle of it. Meant for the thread sanitizer, too: tests/tsan.supp says what of its
    reports is not ours.
    Also tests amp/checked/fibers.h. */
#include "test.h"
#include "child.h"

#include <pthread.h>

/* ---- inside parallel regions of the user's -------------------------------------------------------- */

/* Each iteration has views, captures and a tile of its own, whatever thread it runs on. */
static void launches_in_parallel_regions(void **state)
{
    (void)state;
    test_needs_threads();
    enum { PARTS = 8, COUNT = 256, SIDE = 16 };
    FOR_EACH_ACCELERATOR(where)
    for (int round = 0; round < 20; round++) {
        static int simple[PARTS][COUNT], tiled[PARTS][COUNT];
#if defined(_OPENMP)
#pragma omp parallel for num_threads(4) schedule(dynamic)
#endif
        for (int part = 0; part < PARTS; part++) {
            const int first = 1000 * part + round;
            AMP_ARRAY_VIEW(int, 1, s, simple[part], COUNT);
            AMP_ARRAY_VIEW(int, 1, t, tiled[part], COUNT);
            AMP_PARALLEL_FOR_EACH_ON(where, s.extent, (i), AMP_CAPTURE(s, first), { AMP_AT(s, i) = first + i; });
            AMP_TILED_ON(where, t.extent, (SIDE), tile, AMP_CAPTURE(s, t, first, AMP_CONSTANT(SIDE)), {
                AMP_TILE_STATIC(int, line, [SIDE]);
                AMP_THREADS(tile, me) { line[me.local.v[0]] = AMP_AT(s, me.global) - first; }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, me) { AMP_AT(t, me.global) = line[SIDE - 1 - me.local.v[0]] + first; }
            });
        }
        for (int part = 0; part < PARTS; part++)
            for (int i = 0; i < COUNT; i++) {
                check_int(simple[part][i], 1000 * part + round + i);
                check_int(tiled[part][i], 1000 * part + round + i / SIDE * SIDE + SIDE - 1 - i % SIDE);
            }
    }
}

static void launches_in_tasks(void **state)
{
    (void)state;
    test_needs_threads();
    enum { PARTS = 16, COUNT = 100 };
    FOR_EACH_ACCELERATOR(where)
    {
        static int values[PARTS][COUNT];
#if defined(_OPENMP)
#pragma omp parallel num_threads(4)
#pragma omp single
#endif
        for (int part = 0; part < PARTS; part++) {
#if defined(_OPENMP)
#pragma omp task firstprivate(part)
#endif
            {
                AMP_ARRAY_VIEW(int, 2, v, values[part], 10, 10);
                AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j), AMP_CAPTURE(v, part),
                                         { AMP_AT(v, i, j) = part * 10 * i + j; });
            }
        }
        for (int part = 0; part < PARTS; part++)
            for (int i = 0; i < COUNT; i++)
                check_int(values[part][i], part * 10 * (i / 10) + i % 10);
    }
}

int run_launch_threads(void);

enum { THREADS = 8, ROUNDS = 25, N = 3001 };

/* ---- eight threads ----------------------------------------------------------------------------------- */

/* What a thread is told, and how many results it found wrong. Threads do not fail tests themselves. */
typedef struct job {
    int number;
    amp_accelerator_view view;
    void *shared; /* what the test gives all of them */
    int wrong;
    void (*work)(struct job *);
} job;

typedef struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opens;
    int waiting;
} gate;
static gate start = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };

/* All go on together, so that first uses meet. */
static void meet(void)
{
    pthread_mutex_lock(&start.lock);
    const int round = start.waiting / THREADS;
    start.waiting++;
    pthread_cond_broadcast(&start.opens);
    while (start.waiting / THREADS == round)
        pthread_cond_wait(&start.opens, &start.lock);
    pthread_mutex_unlock(&start.lock);
}

static void *run_job(void *argument)
{
    job *const j = argument;
    meet();
    j->work(j);
    return NULL;
}

/* Runs work on eight threads: on one view where `own` is false, else each has a view of its own. Returns how many
   results were wrong. */
static int on_threads(void (*work)(job *), amp_accelerator_view view, bool own, void *shared)
{
    pthread_t threads[THREADS];
    job jobs[THREADS];
    int wrong = 0;
    test_needs_threads();
    for (int i = 0; i < THREADS; i++) {
        const amp_accelerator_view mine =
            own ? amp_accelerator_create_view(amp_accelerator_view_accelerator(view)) : view;
        jobs[i] = (job){ i, mine, shared, 0, work };
        if (pthread_create(&threads[i], NULL, run_job, &jobs[i]) != 0) {
            print_error("thread %d could not be made\n", i);
            exit(1); /* the others wait for it */
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        wrong += jobs[i].wrong;
        if (own)
            amp_accelerator_view_release(&jobs[i].view);
    }
    return wrong;
}

/* ---- what they do --------------------------------------------------------------------------------------- */

/* The first launches of five kernels meet. */
static void compile(job *j)
{
    int *const data = test_allocate(N * sizeof *data);
    const int number = j->number;
    {
        AMP_ARRAY_VIEW(int, 1, v, data, N);
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(j->view, v.extent, (i), AMP_CAPTURE(v, number), { AMP_AT(v, i) = i + number; });
        AMP_PARALLEL_FOR_EACH_ON(j->view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 2 * AMP_AT(v, i); });
        AMP_PARALLEL_FOR_EACH_ON(j->view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 3; });
        AMP_PARALLEL_FOR_EACH_ON(j->view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= 5; });
        AMP_TILED_ON(j->view, AMP_EXTENT(N / 16 * 16), (16), tile, AMP_CAPTURE(v), {
            AMP_TILE_STATIC(int, turned, [16]);
            AMP_THREADS(tile, t) { turned[15 - t.local.v[0]] = AMP_AT(v, t.global.v[0]); }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) { AMP_AT(v, t.global.v[0]) = turned[t.local.v[0]]; }
        });
    }
    for (int i = 0; i < N; i++) {
        const int from = i < N / 16 * 16 ? i / 16 * 16 + 15 - i % 16 : i;
        j->wrong += data[i] != 5 * (2 * (from + number) + 3);
    }
    free(data);
}

/* Launches, copies and host accesses on data of its own. */
static void work_alone(job *j)
{
    int *const data = test_allocate(N * sizeof *data), *const other = test_allocate(N * sizeof *other);
    for (int i = 0; i < N; i++)
        data[i] = j->number;
    {
        AMP_ARRAY_VIEW(int, 1, v, data, N);
        AMP_ARRAY_ON(j->view, int, 1, a, N);
        for (int round = 0; round < ROUNDS; round++) {
            AMP_PARALLEL_FOR_EACH_ON(j->view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
            amp_copy(v, a);
            AMP_PARALLEL_FOR_EACH_ON(j->view, a.extent, (i), AMP_CAPTURE(a, v), { AMP_AT(a, i) += AMP_AT(v, i); });
            if (round % 5 == 0) {
                amp_copy_out(a, other, N);
                for (int i = 0; i < N; i++)
                    j->wrong += other[i] != 2 * (j->number + (round + 1) * i);
            }
            if (round % 7 == 0)
                j->wrong += AMP_AT(v, 1) != j->number + round + 1;
        }
    }
    for (int i = 0; i < N; i++)
        j->wrong += data[i] != j->number + ROUNDS * i;
    free(data);
    free(other);
}

/* Each has its part of one view. */
static void work_on_a_part(job *j)
{
    const amp_array_view_int_2 all = *(const amp_array_view_int_2 *)j->shared;
    const amp_array_view_int_2 part = amp_section(all, 3 * j->number, 0, 3, N);
    for (int round = 0; round < ROUNDS; round++) {
        AMP_PARALLEL_FOR_EACH_ON(j->view, part.extent, (row, col), AMP_CAPTURE(part), {
            AMP_AT(part, row, col) += col + row;
        });
        if (round % 6 == 0)
            for (int col = 0; col < N; col += 100)
                j->wrong += AMP_AT(part, 2, col) != (round + 1) * (col + 2);
        if (round % 9 == 0)
            amp_array_view_synchronize(&part);
    }
}

/* All read one view and write their own. */
static void read_together(job *j)
{
    const amp_const_array_view_int_1 in = *(const amp_const_array_view_int_1 *)j->shared;
    const int factor = j->number;
    for (int round = 0; round < ROUNDS; round++) {
        int *const data = test_allocate(N * sizeof *data);
        {
            AMP_ARRAY_VIEW(int, 1, out, data, N);
            amp_array_view_discard_data(&out);
            AMP_PARALLEL_FOR_EACH_ON(j->view, out.extent, (i), AMP_CAPTURE(in, out, factor), {
                AMP_AT(out, i) = factor * AMP_AT(in, i);
            });
            j->wrong += AMP_AT(in, round) != 7 * round;
        }
        for (int i = 0; i < N; i++)
            j->wrong += data[i] != factor * 7 * i;
        free(data);
    }
}

/* One view's owners come and go. */
static void retain_and_release(job *j)
{
    const amp_array_view_int_1 shared = *(const amp_array_view_int_1 *)j->shared;
    for (int round = 0; round < 4 * ROUNDS; round++) {
        amp_array_view_int_1 mine = amp_array_view_retain(shared);
        const amp_array_view_int_1 part = amp_section(mine, 100 * j->number, 100);
        AMP_PARALLEL_FOR_EACH_ON(j->view, part.extent, (i), AMP_CAPTURE(part), { AMP_AT(part, i) += 1; });
        amp_array_view_release(&mine);
    }
}

static void add_one(void *count) { atomic_fetch_add((atomic_int *)count, 1); }

/* Asynchronous copies, their futures and what follows them. */
static void copy_later(job *j)
{
    int *const data = test_allocate(N * sizeof *data), *const back = test_allocate(N * sizeof *back);
    AMP_ARRAY_ON(j->view, int, 1, a, N);
    AMP_ARRAY_ON(j->view, int, 1, b, N);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            data[i] = i + round;
        amp_future in = amp_copy_in_async(data, N, a);
        amp_future_then(in, add_one, j->shared);
        j->wrong += amp_future_get(in) != AMP_OK;
        AMP_PARALLEL_FOR_EACH_ON(j->view, a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) *= 2; });
        amp_future across = amp_copy_async(a, b);
        amp_future out = amp_copy_out_async(b, back, N); /* comes after the copy to b */
        amp_future_then(out, add_one, j->shared);
        j->wrong += amp_future_get(out) != AMP_OK || amp_future_get(across) != AMP_OK;
        for (int i = 0; i < N; i++)
            j->wrong += back[i] != 2 * (i + round);
        amp_future marker = amp_accelerator_view_create_marker(j->view);
        j->wrong += amp_future_wait(marker) != AMP_OK;
        amp_future_release(&marker);
        amp_future_release(&in);
        amp_future_release(&across);
        amp_future_release(&out);
    }
    free(data);
    free(back);
}

/* Each goes round all accelerators with its part of one view. */
static void go_round(job *j)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    const amp_array_view_int_2 shared = *(const amp_array_view_int_2 *)j->shared;
    const amp_array_view_int_2 part = amp_section(shared, 3 * j->number, 0, 3, N);
    for (int round = 0; round < ROUNDS; round++) {
        const amp_accelerator_view view = amp_accelerator_default_view(all[(round + j->number) % count]);
        AMP_PARALLEL_FOR_EACH_ON(view, part.extent, (row, col), AMP_CAPTURE(part), {
            AMP_AT(part, row, col) += col + row;
        });
    }
}

/* ---- the tests --------------------------------------------------------------------------------------------- */

static void first_uses_meet(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        check_int(on_threads(compile, view, true, NULL), 0);
        check_int(on_threads(compile, view, false, NULL), 0);
    }
}

static void each_works_on_its_own_data(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        check_int(on_threads(work_alone, view, true, NULL), 0);
        check_int(on_threads(work_alone, view, false, NULL), 0);
    }
}

static void check_parts(const int *data)
{
    for (int i = 0; i < 3 * THREADS * N; i++)
        check_that(data[i] == ROUNDS * (i % N + i / N % 3), "element (%d,%d) is %d, expected %d", i / N, i % N, data[i],
                   ROUNDS * (i % N + i / N % 3));
}

static void parts_of_one_view_are_independent(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        for (int own = 0; own < 2; own++) {
            static int data[3 * THREADS * N];
            memset(data, 0, sizeof data);
            {
                AMP_ARRAY_VIEW(int, 2, all, data, 3 * THREADS, N);
                check_int(on_threads(work_on_a_part, view, own, &all), 0);
            }
            check_parts(data);
        }
    }
}

static void parts_of_one_view_go_round_all_accelerators(void **state)
{
    static int data[3 * THREADS * N];
    (void)state;
    memset(data, 0, sizeof data);
    {
        AMP_ARRAY_VIEW(int, 2, all, data, 3 * THREADS, N);
        check_int(on_threads(go_round, amp_accelerator_auto_selection_view(), false, &all), 0);
    }
    check_parts(data);
}

static void all_read_one_view(void **state)
{
    static int data[N];
    (void)state;
    for (int i = 0; i < N; i++)
        data[i] = 7 * i;
    FOR_EACH_ACCELERATOR(view)
    {
        AMP_CONST_ARRAY_VIEW(int, 1, in, data, N);
        check_int(on_threads(read_together, view, true, &in), 0);
        check_int(on_threads(read_together, view, false, &in), 0);
    }
}

static void owners_come_and_go(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        static int data[N];
        memset(data, 0, sizeof data);
        {
            AMP_ARRAY_VIEW(int, 1, v, data, N);
            check_int(on_threads(retain_and_release, view, true, &v), 0);
        }
        for (int i = 0; i < 100 * THREADS; i++)
            check_that(data[i] == 4 * ROUNDS, "element %d is %d, expected %d", i, data[i], 4 * ROUNDS);
    }
}

static void futures_keep_their_order(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        atomic_int told;
        atomic_init(&told, 0);
        check_int(on_threads(copy_later, view, true, &told), 0);
        check_int(on_threads(copy_later, view, false, &told), 0);
        check_int(atomic_load(&told), 2 * 2 * THREADS * ROUNDS);
    }
}

/* Launches of all threads on one array and one view: each is one command of an in-order queue. */
static void count_up(job *j)
{
    const amp_array_int_1 shared = *(const amp_array_int_1 *)j->shared;
    for (int round = 0; round < 4 * ROUNDS; round++)
        AMP_PARALLEL_FOR_EACH_ON(j->view, shared.extent, (i), AMP_CAPTURE(shared), { AMP_AT(shared, i) += 1; });
}

static void launches_on_one_array_are_all_counted(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(view)
    {
        if (test_is_cpu(view))
            continue; /* there the loops of two threads would run at once */
        static int data[N];
        memset(data, 0, sizeof data);
        AMP_ARRAY_ON(view, int, 1, a, N);
        amp_copy_in(data, N, a);
        on_threads(count_up, view, false, &a); /* one queue is enough for the order */
        on_threads(count_up, view, true, &a);  /* the library orders several */
        amp_copy_out(a, data, N);
        for (int i = 0; i < N; i++)
            check_that(data[i] == 8 * THREADS * ROUNDS, "element %d is %d, expected %d", i, data[i],
                       8 * THREADS * ROUNDS);
    }
}

/* ---- a device goes away ---------------------------------------------------------------------------------------- */

static atomic_int removed_errors, other_errors;

static void count_errors(const amp_error *error, void *unused)
{
    (void)unused;
    const bool expected = error->status == AMP_ACCELERATOR_VIEW_REMOVED && strstr(error->message, "pulled out");
    atomic_fetch_add(expected ? &removed_errors : &other_errors, 1);
    if (!expected)
        printf("%s: %s\n", amp_status_name(error->status), error->message);
}

/* One after the other, with the number of errors that each call is to give. */
#define REMOVED(call)                                                                                                  \
    do {                                                                                                               \
        const int before = atomic_load(&removed_errors);                                                               \
        amp_clear_error();                                                                                             \
        call;                                                                                                          \
        if (atomic_load(&removed_errors) != before + 1 || amp_last_error() != AMP_ACCELERATOR_VIEW_REMOVED) {          \
            wrong++;                                                                                                   \
            printf("%d errors, last %s: %s\n", atomic_load(&removed_errors) - before,                                  \
                   amp_status_name(amp_last_error()), #call); \
        }                                                                                                              \
    } while (0)

/* Results that only the device had are lost; what the host has stays, and every call says why it fails. */
static int child_lost_results(void)
{
    static int data[N], other[N];
    int wrong = 0;
    amp_set_error_handler(count_errors, NULL);
    const amp_accelerator a = amp_accelerator_default();
    const amp_accelerator_view view = amp_accelerator_default_view(a);
    const bool copies = !test_device(view)->shares_host && !test_is_cpu(view);
    for (int i = 0; i < N; i++)
        data[i] = i;
    amp_array_view_int_1 v = amp_array_view_int_1_create(data, AMP_EXTENT(N));
    amp_array_int_1 array = amp_array_int_1_create_on(AMP_EXTENT(N), view);
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v, array), { AMP_AT(array, i) = AMP_AT(v, i) = -1; });
    wrong += amp_accelerator_view_wait(view) != AMP_OK;

    amp_priv_device_remove(a.amp_priv_device, "pulled out");
    REMOVED(AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = -2; }));
    REMOVED(AMP_PARALLEL_FOR_EACH_ON(view, array.extent, (i), AMP_CAPTURE(array), { AMP_AT(array, i) = -2; }));
    REMOVED(wrong += amp_accelerator_view_wait(view) != AMP_ACCELERATOR_VIEW_REMOVED);
    REMOVED(wrong += amp_accelerator_view_flush(view) != AMP_ACCELERATOR_VIEW_REMOVED);
    REMOVED((void)amp_accelerator_view_create_marker(view));
    REMOVED((void)amp_accelerator_create_view(a));
    REMOVED((void)amp_array_int_1_create_on(AMP_EXTENT(N), view));
    REMOVED(wrong += amp_array_view_synchronize_to(&v, view) != AMP_ACCELERATOR_VIEW_REMOVED);
    if (copies) {
        REMOVED(wrong += amp_copy_out(array, other, N) != AMP_ACCELERATOR_VIEW_REMOVED);
        REMOVED(wrong += amp_array_view_synchronize(&v) != AMP_ACCELERATOR_VIEW_REMOVED);
        REMOVED(wrong += amp_array_view_release(&v) != AMP_ACCELERATOR_VIEW_REMOVED);
        for (int i = 0; i < N; i++)
            wrong += data[i] != i;
    } else {
        amp_array_view_release(&v);
        for (int i = 0; i < N; i++)
            wrong += data[i] != -1;
    }
    for (int i = 0; i < N; i++)
        wrong += other[i] != 0;
    amp_array_release(&array);
    wrong += atomic_load(&other_errors);
    wrong += strcmp(amp_accelerator_view_removed_reason(view), "pulled out") != 0;
    printf("wrong %d\n", wrong);
    return 0;
}

/* Threads launch and copy all the time while it happens. */
static void until_removed(job *j)
{
    int *const data = test_allocate(N * sizeof *data), *const out = test_allocate(N * sizeof *out);
    for (int i = 0; i < N; i++)
        data[i] = i;
    amp_clear_error();
    for (int round = 0; amp_last_error() == AMP_OK && round < 1000000; round++) {
        const amp_const_array_view_int_1 in = amp_const_array_view_int_1_create(data, AMP_EXTENT(N));
        amp_array_view_int_1 result = amp_array_view_int_1_create(out, AMP_EXTENT(N));
        amp_array_view_discard_data(&result);
        AMP_PARALLEL_FOR_EACH_ON(j->view, result.extent, (i), AMP_CAPTURE(in, result), {
            AMP_AT(result, i) = 3 * AMP_AT(in, i);
        });
        amp_array_view_release(&result);
        amp_const_array_view_int_1 gone = in;
        amp_array_view_release(&gone);
        if (amp_last_error() == AMP_OK)
            for (int i = 0; i < N; i++)
                j->wrong += out[i] != 3 * i;
        if (j->number == 0 && round == 20)
            amp_priv_device_remove(amp_accelerator_view_accelerator(j->view).amp_priv_device, "pulled out");
    }
    j->wrong += amp_last_error() != AMP_ACCELERATOR_VIEW_REMOVED;
    for (int i = 0; i < N; i++)
        j->wrong += data[i] != i;
    free(data);
    free(out);
}

static int child_removed_at_work(void)
{
    amp_set_error_handler(count_errors, NULL);
    const amp_accelerator_view view = amp_accelerator_default_view(amp_accelerator_default());
    const int wrong = on_threads(until_removed, view, false, NULL);
    printf("wrong %d\n", wrong + atomic_load(&other_errors) + (atomic_load(&removed_errors) < THREADS));
    return 0;
}

CHILDREN({ "lost_results", child_lost_results }, { "removed_at_work", child_removed_at_work })

static void run_children(const char *name)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    char output[16384], environment[512];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    for (int i = 0; i < count; i++)
        for (int copies = 0; copies < 2; copies++) {
            snprintf(environment, sizeof environment, "AMP_ACCELERATOR='%s' AMP_FORCE_COPIES=%d AMP_LOG=error",
                     amp_accelerator_path(all[i]), copies);
            if (child_run(name, environment, output, sizeof output) < 0) {
                print_message("SKIPPED: this system cannot run a part of the test again (/proc/self/exe)\n");
                skip();
            }
            check_that(strstr(output, "wrong 0\n") && !strstr(output, "ThreadSanitizer"), "%s: %s", environment,
                       output);
        }
}

static void results_on_a_removed_device_are_lost_and_no_more(void **state)
{
    (void)state;
    run_children("lost_results");
}

static void a_device_is_removed_while_threads_work(void **state)
{
    (void)state;
    test_needs_threads();
    run_children("removed_at_work");
}

/* ---- the threads of the CPU backend -------------------------------------------------------------------- */

#if AMP_PRIV_CPU_TRIES
AMP_FUNCTION(unsigned, after_steps, (unsigned x, int steps), {
    for (int step = 0; step < steps; step++)
        x = x * 1664525u + 1013904223u;
    return x;
})

/* One site: a launch of 64 elements that take so many steps each. Returns whether several threads shared it. */
static bool shared_among_threads(int steps)
{
    enum { ELEMENTS = 64 };
    uint32_t x[ELEMENTS];
    int thread[ELEMENTS];
    {
        AMP_ARRAY_VIEW(uint32_t, 1, result, x, ELEMENTS);
        AMP_ARRAY_VIEW(int, 1, by, thread, ELEMENTS);
        AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), by.extent, (i),
                                 AMP_CAPTURE(result, by, steps), {
            AMP_AT(result, i) = after_steps((unsigned)i, steps);
            AMP_AT(by, i) = omp_get_thread_num();
        });
    }
    bool shared = false;
    for (int i = 0; i < ELEMENTS; i++) {
        check_int(x[i], after_steps((unsigned)i, steps));
        shared = shared || thread[i] != thread[0];
    }
    return shared;
}
#endif

/* Small launches come to run on one thread; those of the same site that take long do not, except the first. */
static void small_launches_run_on_one_thread(void **state)
{
    (void)state;
#if AMP_PRIV_CPU_TRIES
    enum { SMALL = 1, LONG = 200000 /* steps: more than ten milliseconds for all elements */, MOST = 100000 };
    if (omp_get_max_threads() == 1)
        skip();
    for (int round = 0; round < 2; round++) {
        int launches = 0;
        while (shared_among_threads(SMALL) && launches < MOST)
            launches++;
        check_that(launches < MOST, "all of %d small launches were shared among threads", launches);
        shared_among_threads(LONG);
        for (int i = 0; i < 3; i++)
            check_that(shared_among_threads(LONG), "long launch %d ran on one thread", i);
    }
#else
    skip();
#endif
}

int run_launch_threads(void)
{
    const struct CMUnitTest tests[] = {
        TEST(first_uses_meet),
        TEST(each_works_on_its_own_data),
        TEST(parts_of_one_view_are_independent),
        TEST(parts_of_one_view_go_round_all_accelerators),
        TEST(all_read_one_view),
        TEST(owners_come_and_go),
        TEST(futures_keep_their_order),
        TEST(launches_on_one_array_are_all_counted),
        TEST(results_on_a_removed_device_are_lost_and_no_more),
        TEST(a_device_is_removed_while_threads_work),
        TEST(small_launches_run_on_one_thread),
        TEST(launches_in_parallel_regions),
        TEST(launches_in_tasks),
    };
    return cmocka_run_group_tests_name("launch/threads", tests, NULL, NULL);
}
