// SPDX-License-Identifier: MIT
/*  cuda_device.c - what is CUDA's own, or HIP's, which shares its operations: contexts, grids, registered memory on any
    device; what the driver may refuse, on the library that stands for it (tests/cuda, tests/hip) and can be told to.
    Also tests amp/api/cuda_interop.h, amp/backends/cuda_api.h, amp/backends/cuda_interop.h,
    amp/backends/cuda_text.h. */
int run_backends_cuda_device(void);

#if defined(AMP_BACKEND_CUDA) || defined(AMP_BACKEND_HIP) /* else there is next to nothing to compile */

#include "test.h"
#include "child.h"
#include "amp_graphics.h"

enum { N = 1000 };

#if defined(AMP_BACKEND_CUDA)
#define BACKEND            "CUDA"
#define BY_NAME(cuda, hip) cuda
#else
#define BACKEND            "HIP"
#define BY_NAME(cuda, hip) hip
#endif
#define LAUNCH BY_NAME("cuLaunchKernel", "hipModuleLaunchKernel")

AMP_DEFINE_ELEMENT(amp_float_3)

/* The view of the backend's n-th device; skips where there is none. */
static amp_accelerator_view cuda_view(int n)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    for (int i = 0; i < count && i < AMP_PRIV_MAX_DEVICES; i++)
        if (!strcmp(all[i].amp_priv_device->backend->name, BACKEND) && n-- == 0)
            return amp_accelerator_default_view(all[i]);
    print_message("SKIPPED: there are too few " BACKEND " devices\n");
    skip();
    return (amp_accelerator_view){ NULL };
}

/* Makes the next call of a function, by CUDA's name, fail; skips where the driver is a real one. */
static void fail_next(const char *name, int code)
{
    const char *const path = getenv("AMP_" BACKEND "_LIBRARY");
    void (*fails)(const char *, int, int) = NULL;
    void *const address = path ? amp_priv_library_find(amp_priv_library_open(path), "fake_cuda_fail") : NULL;
    memcpy(&fails, &address, sizeof fails);
    if (!fails) {
        print_message("SKIPPED: the driver fails only when it must\n");
        skip();
    }
    fails(name, code, 1);
}

static void add(amp_accelerator_view where, int *values, int n)
{
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) += n * i; });
    amp_array_view_synchronize(&v);
}

static void expect_values(const int *values, int n)
{
    for (int i = 0; i < N; i++)
        check_int(values[i], n * i);
}

static void the_threads_context_stays(void **state)
{
    int values[N] = { 0 };
    amp_cu_context ours = NULL, now = NULL;
    (void)state;
    const amp_accelerator_view view = cuda_view(0);
    add(view, values, 1);
    check_int(amp_priv_cu.CtxGetCurrent(&ours), 0);
    check(ours != NULL);
    add(cuda_view(1), values, 1);
    check_int(amp_priv_cu.CtxGetCurrent(&now), 0);
    check(now == ours);
    expect_values(values, 2);
}

/* Of three components all four are written: no memory comes home that nobody wrote. */
static void whole_vectors_are_written(void **state)
{
    static amp_float_3 values[N];
    static const float none = 0;
    (void)state;
    const amp_accelerator_view view = cuda_view(0);
    memset(values, 0xff, sizeof values);
    AMP_ARRAY_VIEW(amp_float_3, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), {
        const amp_float_3 one = AMP_FLOAT_3(1, 2, 3);
        AMP_AT(v, i) = i % 2 ? one * 2.0f + one : one;
    });
    amp_array_view_synchronize(&v);
    for (int i = 0; i < N; i++) {
        check_int((int)AMP_Z(values[i]), i % 2 ? 9 : 3);
        check(!memcmp((const char *)&values[i] + 3 * sizeof(float), &none, sizeof none));
    }
    amp_array_view_release(&v);
}

/* Times of commands in a row: one begins where that before it ends, unless another one came between. */
static void times_of_commands_in_a_row(void **state)
{
    enum { BYTES = 1 << 22, COPIES = 4 };
    (void)state;
    amp_priv_queue *const queue = amp_priv_queue_of(cuda_view(0));
    amp_priv_device *const device = queue->device;
    const amp_priv_rect all = { 0, BYTES, 1, BYTES, 1, BYTES };
    void *buffer[2] = { NULL, NULL }, *events[COPIES] = { NULL };
    uint64_t times[COPIES][3];
    for (int i = 0; i < 2; i++)
        assert_int_equal(device->backend->buffer.open(device, BYTES, NULL, &buffer[i]).status, AMP_OK);
    for (int between = 0; between < 2; between++) {
        for (int i = 0; i < COPIES; i++) {
            const bool untimed = between && i == 2;
            assert_int_equal(device->backend->buffer
                                 .copy(queue, buffer[i % 2], &all, buffer[1 - i % 2], &all, untimed ? NULL : &events[i])
                                 .status,
                             AMP_OK);
            assert_true(untimed || events[i] != NULL);
        }
        assert_int_equal(device->backend->queue.finish(queue).status, AMP_OK);
        int shared = 0;
        for (int i = 0; i < COPIES; i++) {
            const amp_priv_cuda_event *const e = events[i];
            if (!e)
                continue;
            assert_true(device->backend->event.times(device, events[i], times[i]));
            assert_true(times[i][1] <= times[i][2]);
            for (int last = 0; last < i; last++)
                if (events[last] && e->before == ((amp_priv_cuda_event *)events[last])->after) {
                    assert_int_equal(last, i - 1);
                    assert_true(times[i][1] + 1000 >= times[last][2]); /* the clock's fractions */
                    shared++;
                }
        }
        /* A real driver may have ended a copy before the next one. */
        assert_true(!getenv("AMP_" BACKEND "_LIBRARY") || shared == (between ? 1 : COPIES - 1));
        for (int i = 0; i < COPIES; i++)
            if (events[i])
                device->backend->event.release(device, events[i]);
        memset(events, 0, sizeof events);
    }
    for (int i = 0; i < 2; i++)
        device->backend->buffer.close(device, buffer[i]);
}

static void more_tiles_than_a_grid_has(void **state)
{
    enum { ROWS = 70001, COLUMNS = 4 };
    (void)state;
    const amp_accelerator_view view = cuda_view(0);
    int *const values = test_allocate(ROWS * COLUMNS * sizeof *values);
    test_poison(values, ROWS * COLUMNS);
    AMP_ARRAY_VIEW(int, 2, v, values, ROWS, COLUMNS);
    AMP_ARRAY_VIEW(int, 3, w, values, ROWS, 1, COLUMNS);
    AMP_TILED_ON(view, v.extent, (1, COLUMNS), t, AMP_CAPTURE(v), {
        AMP_THREADS(t, i) { AMP_AT(v, i.global) = i.global.v[0] * 4 + i.global.v[1];
}
    });
    amp_array_view_synchronize(&v);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        check_int(values[i], i);
    amp_array_view_refresh(&w);
    AMP_TILED_ON(view, w.extent, (1, 1, COLUMNS), t, AMP_CAPTURE(w), {
        AMP_THREADS(t, i) { AMP_AT(w, i.global) += i.global.v[0]; }
    });
    amp_array_view_synchronize(&w);
    for (int i = 0; i < ROWS * COLUMNS; i++)
        check_int(values[i], i + i / COLUMNS);
    amp_array_view_release(&w);
    amp_array_view_release(&v);
    free(values);
    }

    /* More tile_static memory than a kernel itself may have. */
    static void large_tiles(void **state)
    {
        enum { TILE = 128, ROWS = 180, TILES = 5 }; /* 92,160 bytes and 512 */
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        if (test_device(view)->local_memory < 98304) {
            print_message("SKIPPED: a tile has %zu bytes here\n", test_device(view)->local_memory);
            skip();
        }
        static int values[TILE * TILES];
        for (int round = 0; round < 2; round++) {
            test_poison(values, TILE * TILES);
            AMP_ARRAY_VIEW(int, 1, v, values, TILE *TILES);
            AMP_TILED_ON(view, v.extent, (TILE), t, AMP_CAPTURE(v, round, AMP_CONSTANT(TILE), AMP_CONSTANT(ROWS)), {
                AMP_TILE_STATIC(int, first, [TILE]);
                AMP_TILE_STATIC(int, large, [ROWS][TILE]);
                AMP_THREADS(t, i) {
                    first[i.local.v[0]] = i.global.v[0];
                    for (int k = 0; k < ROWS; k++)
                        large[k][i.local.v[0]] = k * i.local.v[0];
                }
                amp_barrier_wait(t.barrier);
                AMP_THREADS(t, i) {
                    int sum = first[TILE - 1 - i.local.v[0]] + round;
                    for (int k = 0; k < ROWS; k++)
                        sum += large[k][TILE - 1 - i.local.v[0]];
                    AMP_AT(v, i.global) = sum;
                }
            });
            amp_array_view_synchronize(&v);
            for (int i = 0; i < TILE * TILES; i++) {
                const int other = TILE - 1 - i % TILE;
                check_int(values[i], i / TILE * TILE + other + round + ROWS * (ROWS - 1) / 2 * other);
            }
            amp_array_view_release(&v);
        }
    }

    /* Memory of which the user, or another view, has registered a part. */
    static void memory_that_is_registered_in_part(void **state)
    {
        enum { ROWS = 300, COLUMNS = 1000 };
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        int *const values = test_allocate(ROWS * COLUMNS * sizeof *values);
        amp_cu_context before;
        for (int i = 0; i < ROWS * COLUMNS; i++)
            values[i] = i;
        const amp_priv_result entered = amp_priv_cuda_enter(test_device(view), &before);
        check_int(entered.status, AMP_OK);
        check_int(amp_priv_cu.MemHostRegister(values, ROWS * COLUMNS * sizeof *values / 2, 0), 0);
        amp_priv_cuda_leave(&before);
        AMP_ARRAY_VIEW(int, 2, v, values, ROWS, COLUMNS);
        amp_array_view_int_2 part = amp_section(v, AMP_INDEX(10, 7), AMP_EXTENT(ROWS - 20, COLUMNS - 14));
        AMP_PARALLEL_FOR_EACH_ON(view, part.extent, (i, j), AMP_CAPTURE(part), { AMP_AT(part, i, j) += 1; });
        amp_array_view_synchronize(&part);
        AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) += 1; });
        amp_array_view_synchronize(&v);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            const int row = i / COLUMNS, column = i % COLUMNS;
            const bool inside = row >= 10 && row < ROWS - 10 && column >= 7 && column < COLUMNS - 7;
            check_int(values[i], i + 1 + inside);
        }
        amp_array_view_release(&v);
        amp_priv_cuda_enter(test_device(view), &before);
        check_int(amp_priv_cu.MemHostUnregister(values), 0);
        amp_priv_cuda_leave(&before);
        free(values);
    }

#if defined(AMP_BACKEND_CUDA)
    /* A launch on the user's stream and memory, and the library's on theirs. */
    static void streams_and_memory_of_the_users(void **state)
    {
        int values[N], others[N];
        amp_cu_context before;
        amp_cu_stream stream;
        amp_cu_event event;
        amp_cu_pointer memory;
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        for (int i = 0; i < N; i++)
            values[i] = i;
        check_int(amp_priv_cuda_enter(test_device(view), &before).status, AMP_OK);
        check_int(amp_priv_cu.StreamCreate(&stream, 1), 0);
        check_int(amp_priv_cu.EventCreate(&event, 2), 0);
        check_int(amp_priv_cu.MemAlloc(&memory, sizeof values), 0);
        check_int(amp_priv_cu.MemcpyAsync(memory, (uintptr_t)values, sizeof values, stream), 0);
        amp_accelerator_view users = amp_accelerator_view_from_cuda(stream);
        check(amp_cuda_stream(users) == stream && amp_cuda_context(users) == amp_cuda_context(view));
        check(amp_cuda_device(users) >= 0 && amp_cuda_device(users) == amp_cuda_device(view));
        amp_array_int_1 a = AMP_ARRAY_FROM_CUDA(users, int, 1, memory, N);
        check(amp_cuda_pointer(a) == memory);
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) = 3 * AMP_AT(a, i) + 1; });
        check_int(amp_priv_cu.MemcpyAsync((uintptr_t)others, amp_cuda_pointer(a), sizeof others, stream), 0);
        check_int(amp_priv_cu.StreamSynchronize(stream), 0);
        for (int i = 0; i < N; i++)
            check_int(others[i], 3 * i + 1);
        /* on a stream that the library knows nothing of */
        check_int(amp_priv_cu.MemcpyAsync(amp_cuda_pointer(a), (uintptr_t)values, sizeof values, amp_cuda_stream(view)),
                  0);
        check_int(amp_priv_cu.EventRecord(event, amp_cuda_stream(view)), 0);
        check_int(amp_cuda_after(a, event), AMP_OK);
        amp_copy_out(a, others, N);
        check_ints(others, values, N);
        const amp_array_int_1 none = AMP_ARRAY_FROM_CUDA(users, int, 1, memory, N + 1);
        check(!none.data);
        expect_error(AMP_INVALID_ARGUMENT, "AMP_ARRAY_FROM_CUDA: that memory has ");
        amp_accelerator_view_from_cuda(NULL);
        expect_error(AMP_INVALID_ARGUMENT, "amp_accelerator_view_from_cuda: the stream is NULL");
        amp_cuda_stream(amp_accelerator_default_view(amp_accelerator_from_path("cpu")));
        expect_error(AMP_RUNTIME_ERROR, "amp_cuda_stream: cpu (CPU (OpenMP");
        check_int(amp_cuda_device(amp_accelerator_default_view(amp_accelerator_from_path("cpu"))), -2);
        expect_error(AMP_RUNTIME_ERROR, "amp_cuda_device: cpu (CPU (OpenMP");
        amp_array_release(&a);
        amp_accelerator_view_release(&users);
        check_int(amp_priv_cu.MemFree(memory), 0); /* both are the user's still */
        check_int(amp_priv_cu.StreamDestroy(stream), 0);
        amp_priv_cuda_leave(&before);
    }
#endif

    /* Another backend's device of the same name is the same GPU. */
    static void a_gpu_is_listed_once(void **state)
    {
        static amp_priv_backend another;
        amp_priv_device device;
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        const int count = amp_accelerator_get_all(NULL, 0);
        another = *test_device(view)->backend;
        another.name = "another";
        memcpy(&device, test_device(view), sizeof device);
        device.backend = &another;
        snprintf(device.path, sizeof device.path, "another:0");
        char *const end = strrchr(device.description, '(');
        snprintf(end, sizeof device.description - (size_t)(end - device.description), "(another)");
        check(!amp_priv_device_add(&device));
        check_int(amp_accelerator_get_all(NULL, 0), count);
    }

    static void no_memory_on_the_device(void **state)
    {
        int values[N] = { 0 };
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        fail_next("cuMemAlloc_v2", 2);
        add(view, values, 1);
        check(strstr(test_heard.message, BY_NAME("on cuda:", "on hip:")));
        expect_error(AMP_OUT_OF_MEMORY, BY_NAME("cuMemAlloc", "hipMalloc") " failed with CUDA_ERROR_OUT_OF_MEMORY (2)");
        expect_values(values, 0);
        add(view, values, 1);
        expect_values(values, 1);
    }

    static void a_launch_that_is_refused(void **state)
    {
        int values[N] = { 0 };
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        fail_next("cuLaunchKernel", 701);
        add(view, values, 1);
        check(strstr(test_heard.message, "kernel in add, at or near "));
        expect_error(AMP_RUNTIME_ERROR, LAUNCH " failed with CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES (701)");
        fail_next("cuLaunchKernel", 400);
        add(view, values, 1);
        expect_error(AMP_RUNTIME_ERROR, LAUNCH " failed with CUDA_ERROR_INVALID_HANDLE (400)");
        expect_values(values, 0);
        add(view, values, 1);
        expect_values(values, 1);
    }

    /* What one GPU has goes to another one without the host, but where the driver cannot: views in part, and arrays. */
    static void copies_between_gpus(void **state)
    {
        enum { SIDE = 40 };
        (void)state;
        const amp_accelerator_view a = cuda_view(0), b = cuda_view(1);
        for (int fails = 0; fails < 2; fails++) {
            int values[SIDE * SIDE], want[SIDE * SIDE];
            for (int i = 0; i < SIDE * SIDE; i++)
                values[i] = want[i] = i;
            AMP_ARRAY_VIEW(int, 2, v, values, SIDE, SIDE);
            const amp_array_view_int_2 part = amp_section(v, 3, 5, 20, 30);
            AMP_PARALLEL_FOR_EACH_ON(a, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) += i; });
            if (fails)
                fail_next(BY_NAME("cuMemcpy3DPeerAsync", "hipMemcpy2DAsync"), 1);
            const amp_transfer_counters before = amp_total_counters();
            AMP_PARALLEL_FOR_EACH_ON(b, part.extent, (i, j), AMP_CAPTURE(part), { AMP_AT(part, i, j) *= 2; });
            const amp_transfer_counters after = amp_total_counters();
            check((after.transfers_to_host == before.transfers_to_host) == !fails);
            check((after.transfers_to_device == before.transfers_to_device) == !fails);
            check_int(after.bytes_across - before.bytes_across, fails ? 0 : 20 * 30 * (int)sizeof(int));
            for (int i = 0; i < SIDE * SIDE; i++) {
                const int row = i / SIDE, column = i % SIDE;
                want[i] += row;
                if (row >= 3 && row < 23 && column >= 5 && column < 35)
                    want[i] *= 2;
            }
            amp_array_int_2 first = amp_array_from(v, a), second = amp_array_int_2_create_on(v.extent, b);
            if (fails)
                fail_next(BY_NAME("cuMemcpy3DPeerAsync", "hipMemcpy2DAsync"), 1);
            check_int(amp_copy(amp_section(first, 1, 2, 9, 8), amp_section(second, 30, 31, 9, 8)), AMP_OK);
            int out[9 * 8];
            amp_copy_out(amp_section(second, 30, 31, 9, 8), out, 9 * 8);
            for (int i = 0; i < 9 * 8; i++)
                check_int(out[i], want[(1 + i / 8) * SIDE + 2 + i % 8]);
            amp_array_release(&first);
            amp_array_release(&second);
            amp_array_view_synchronize(&v);
            check_ints(values, want, SIDE * SIDE);
        }
    }

    /* One GPU writes again what another one's queue still copies from it, another queue there what has come: they wait
   for each other, and the host for none. On views of their own, and on the default ones. */
    static void gpus_wait_for_each_other(void **state)
    {
        enum { ROWS = 6, COLUMNS = 200, ROUNDS = 21 };
        (void)state;
        for (int own = 0; own < 2; own++) {
            int want[2][ROWS][COLUMNS] = { { { 0 } } }, out[ROWS * COLUMNS];
            amp_accelerator_view views[2], others[2];
            amp_array_int_2 bands[2];
            for (int n = 0; n < 2; n++) {
                views[n] = cuda_view(n);
                others[n] = amp_accelerator_create_view(amp_accelerator_view_accelerator(views[n]));
                if (own)
                    views[n] = amp_accelerator_create_view(amp_accelerator_view_accelerator(views[n]));
                bands[n] = amp_array_int_2_create_on(AMP_EXTENT(ROWS, COLUMNS), views[n]);
                const amp_array_int_2 band = bands[n];
                AMP_PARALLEL_FOR_EACH_ON(views[n], band.extent, (i, j), AMP_CAPTURE(band), { AMP_AT(band, i, j) = 0; });
            }
            for (int round = 1; round <= ROUNDS; round++)
                for (int n = 0; n < 2; n++) {
                    const amp_array_int_2 band = bands[n];
                    AMP_PARALLEL_FOR_EACH_ON(views[n], band.extent, (i, j), AMP_CAPTURE(band, round),
                                             { AMP_AT(band, i, j) = 3 * AMP_AT(band, i, j) % 1000 + i + j + round; });
                    const amp_array_view_int_2 come = amp_section(bands[1 - n], ROWS - 2, 0, 2, COLUMNS);
                    amp_copy(amp_section(band, 0, 0, 2, COLUMNS), come);
                    const int more = round % 2 == n;
                    if (more) {
                        AMP_PARALLEL_FOR_EACH_ON(others[1 - n], come.extent, (i, j), AMP_CAPTURE(come),
                                                 { AMP_AT(come, i, j) += i; });
                        amp_accelerator_view_wait(others[1 - n]);
                    }
                    for (int i = 0; i < ROWS * COLUMNS; i++) {
                        int *const cell = &want[n][i / COLUMNS][i % COLUMNS];
                        *cell = 3 * *cell % 1000 + i / COLUMNS + i % COLUMNS + round;
                    }
                    for (int i = 0; i < 2 * COLUMNS; i++)
                        want[1 - n][ROWS - 2 + i / COLUMNS][i % COLUMNS] =
                            want[n][i / COLUMNS][i % COLUMNS] + more * (i / COLUMNS);
                    AMP_PARALLEL_FOR_EACH_ON(views[n], band.extent, (i, j), AMP_CAPTURE(band),
                                             { AMP_AT(band, i, j) += 7; });
                    if (!more)
                        amp_accelerator_view_wait(views[n]); /* then that has run: after the copy */
                    for (int i = 0; i < ROWS * COLUMNS; i++)
                        want[n][i / COLUMNS][i % COLUMNS] += 7;
                }
            for (int n = 0; n < 2; n++) {
                amp_copy_out(bands[n], out, ROWS * COLUMNS);
                check_ints(out, want[n][0], ROWS * COLUMNS);
                amp_array_release(&bands[n]);
                amp_accelerator_view_release(&others[n]);
                if (own)
                    amp_accelerator_view_release(&views[n]);
            }
        }
    }

#if defined(AMP_BACKEND_CUDA)
    /* Where there can be no graph, launches go one by one; a graph that is refused has changed nothing. */
    static void graphs(void **state)
    {
        int values[N] = { 0 };
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        static const char *const failing[] = { NULL,
                                               "cuStreamBeginCapture_v2",
                                               "cuStreamUpdateCaptureDependencies_v2",
                                               "cuStreamGetCaptureInfo_v2",
                                               "cuStreamEndCapture",
                                               "cuGraphInstantiate_v2" };
        enum { WAYS = (int)(sizeof failing / sizeof failing[0]) };
        for (int fails = 0; fails < WAYS; fails++) {
            if (fails)
                fail_next(failing[fails], 2);
            amp_recording_begin(view);
            for (int n = 1; n < 4; n++)
                AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) += n * i; });
            amp_recording recording = amp_recording_end();
            check((recording.amp_priv_recording->native != NULL) == !fails);
            check(amp_recording_replay(recording) && amp_recording_replay(recording));
            amp_array_view_synchronize(&v);
            expect_values(values, 18 * (fails + 1));
            amp_recording_release(&recording);
        }
        amp_recording_begin(view);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
        amp_recording recording = amp_recording_end();
        fail_next("cuGraphLaunch", 2);
        check(amp_recording_replay(recording));
        expect_error(AMP_OUT_OF_MEMORY, "cuGraphLaunch failed with CUDA_ERROR_OUT_OF_MEMORY (2)");
        amp_recording_release(&recording);
        amp_array_view_synchronize(&v);
        expect_values(values, 18 * WAYS + 1);
    }

    /* A graph whose values cannot be changed is left aside, and the launches go one by one. */
    static void values_of_graphs(void **state)
    {
        int values[N] = { 0 }, n = 1;
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        amp_recording_begin(view);
        for (int k = 0; k < 2; k++)
            AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n, k), { AMP_AT(v, i) += (n + k) * i; });
        amp_recording recording = amp_recording_end();
        for (n = 2; n < 6; n++) {
            check_int(AMP_RECORDING_SET(recording, n, n), AMP_OK);
            if (n == 4)
                fail_next("cuGraphExecKernelNodeSetParams", 2);
            check(amp_recording_replay(recording));
            check(recording.amp_priv_recording->singly == (n >= 4));
        }
        amp_recording_release(&recording);
        amp_array_view_synchronize(&v);
        expect_values(values, 2 * (1 + 2 + 3 + 4 + 5) + 5);
    }
#endif

    static void subtract(amp_accelerator_view where, int *values)
    {
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) -= 12345 * i; });
        amp_array_view_synchronize(&v);
    }

    static void a_compiler_without_memory_is_asked_again(void **state)
    {
        int values[N] = { 0 };
        (void)state;
        const amp_accelerator_view view = cuda_view(0);
        if (amp_priv_nvrtc.CreateProgram) { /* else what is on the disk is enough */
            amp_priv_build build = { .text = "extern \"C\" __global__ void amp_none(int *p) { *p = 1; }\n",
                                     .options = "" };
            build.length = strlen(build.text);
            fail_next("nvrtcCreateProgram", 2);
            const amp_priv_result result =
                amp_priv_cuda_program_build((amp_priv_device *)(uintptr_t)test_device(view), &build);
            check_int(result.status, AMP_OUT_OF_MEMORY);
            check(!strcmp(result.call, BY_NAME("nvrtcCreateProgram", "hiprtcCreateProgram")));
        }
        subtract(view, values);
        expect_values(values, -12345);
    }

    /* NVRTC before 12.4 has no -minimal. */
    static void a_compiler_that_knows_fewer_options(void **state)
    {
        amp_priv_build build = { .text = "#define __kernel extern \"C\" __global__\n"
                                         "__kernel void amp_one(int *p) { *p = 1; }\n" };
        (void)state;
        amp_priv_device *const device = (amp_priv_device *)(uintptr_t)test_device(cuda_view(0));
        build.length = strlen(build.text);
        build.options = device->options;
        fail_next("nvrtcCompileProgram", AMP_NVRTC_INVALID_OPTION);
        check_int(amp_priv_cuda_program_build(device, &build).status, AMP_OK);
        free(build.log);
        amp_priv_cuda_program_release(device, build.program);
        fail_next("nvrtcGetCUBINSize", 1); /* nothing for the device itself */
        const amp_priv_result none = amp_priv_cuda_program_build(device, &build);
        check_int(none.status, AMP_RUNTIME_ERROR);
        check_int(none.code, -AMP_NVRTC_INTERNAL_ERROR);
        free(build.log);
    }

#if defined(AMP_BACKEND_CUDA)
    static int compilations;
    static int (*real_compile)(amp_nvrtc_program, int, const char *const *);

    static int compile_counted(amp_nvrtc_program program, int count, const char *const *options)
    {
        compilations++;
        return real_compile(program, count, options);
    }

    /* A text with blocks of the matrix units is compiled once, whatever tile_static memory it takes; without them a
       text that takes too much is compiled again. */
    static void blocks_are_compiled_once(void **state)
    {
        static const char *const blocks[] = { "#define amp_priv_matrix_by_unit 1\n", "" };
        static const int bytes[] = { 92160, 4096 };
        (void)state;
        amp_priv_device *const device = (amp_priv_device *)(uintptr_t)test_device(cuda_view(0));
        if (device->local_memory < 98304 || !amp_priv_cuda_has_compiler()) {
            print_message("SKIPPED: too little tile_static memory, or no compiler\n");
            skip();
        }
        real_compile = amp_priv_nvrtc.CompileProgram;
        for (int b = 0; b < 2; b++)
            for (int i = 0; i < 2; i++) {
                char text[4096];
                snprintf(text, sizeof text,
                         "#define __kernel extern \"C\" __global__\n%s%stypedef int amp_rows[%d];\n"
                         "__kernel void amp_rows_moved(int *p)\n{ amp_priv_tile_variable(amp_rows, rows, 0); "
                         "rows[p[0]] = p[1]; p[2] = rows[p[3]]; }\n",
                         blocks[b], amp_priv_text_cuda_tile_static, bytes[i] / 4);
                amp_priv_build build = { .text = text, .options = device->options, .length = strlen(text) };
                compilations = 0;
                amp_priv_nvrtc.CompileProgram = compile_counted;
                const amp_priv_result result = amp_priv_cuda_program_build(device, &build);
                amp_priv_nvrtc.CompileProgram = real_compile;
                check_int(result.status, AMP_OK);
                check_int(compilations, b == 1 && bytes[i] > 49120 ? 2 : 1);
                check_int((int)((amp_priv_cuda_program *)build.program)->dynamic,
                          b == 0 || bytes[i] > 49120 ? bytes[i] : 0);
                free(build.log);
                amp_priv_cuda_program_release(device, build.program);
            }
    }

    /* What compilers say of tile_static memory: NVRTC 12 and 13, and those of tests. */
    static void tile_static_memory_in_logs(void **state)
    {
        const amp_priv_device device = { .local_memory = 232448 };
        (void)state;
#define SAYS(log) (int)amp_priv_cuda_tile_bytes(&device, log)
        check_int(SAYS("error: incomplete type \"amp_priv_tile_bytes<49152>\" is not allowed\n"
                       "error: incomplete type \"amp_priv_tile_bytes<98304>\" is not allowed\n"),
                  98304);
        check_int(SAYS("type \"amp_priv_tile_bytes<bytes>::fits [with bytes=98304]\" was declared deprecated\n"
                       "  template <int bytes> struct amp_priv_tile_bytes { [[deprecated]] typedef int fits; };\n"
                       "type \"amp_priv_tile_bytes<bytes>::fits [with bytes=512]\" was declared deprecated\n"),
                  98304);
        check_int(SAYS("warning: 'amp_priv_tile_bytes<92160>::fits' is deprecated\n"), 92160);
        check_int(SAYS("typedef typename amp_priv_tile_bytes<amp_priv_end_of_##name>::fits fits\nx = 5;\n"), 0);
        check_int(SAYS("amp_priv_tile_bytes<232449>"), 0);
        check_int(SAYS("amp_priv_tile_bytes<"), 0);
        check_int((int)amp_priv_cuda_tile_bytes(&device, NULL), 0);
#undef SAYS
    }
#endif

    /* Is this, in a kernel with a constant TS, a loop that is to be unrolled? */
    static bool unrolled(const char *loop)
    {
        char text[512];
        snprintf(text, sizeof text, "\n  enum { TS = 256 };\n%s\n", loop);
        size_t length = strlen(text);
        char *const translated = amp_priv_cpp_translate(text, &length);
        const bool is = strstr(translated, "amp_priv_unroll_phases for (int j = 0") != NULL;
        check_int(strlen(translated), length);
        free(translated);
        return is;
    }

    /* How the value of a statement expression is written; the text may end at any of its tokens. */
    static void bits_of_a_value(void **state)
    {
        static const char whole[] =
            "\ny = ({ typedef __typeof__(((void)0, (x))) amp_priv_from; union { amp_priv_from from; "
            "unsigned to; } b = { x }; b.to; });";
        (void)state;
        for (size_t length = 1; length < sizeof whole; length++) {
            char *const text = malloc(length + 1);
            size_t written = length;
            snprintf(text, length + 1, "%s", whole);
            char *const translated = amp_priv_cpp_translate(text, &written);
            const bool is_call = strstr(translated, "amp_priv_bits<") != NULL;
            check_int(is_call, length >= sizeof "\ny = ({ typedef __typeof__(((void)0, (x))) amp_priv_from; union { "
                                                "amp_priv_from from; unsigned to" -
                                             1);
            if (length == sizeof whole - 1)
                check_that(!strcmp(translated, "\ny = amp_priv_bits< unsigned >(x);"), "%s", translated);
            free(translated);
            free(text);
        }
    }

    static void loops_around_phases(void **state)
    {
#define PHASE "for (int amp_priv_once = 1; amp_priv_once; amp_priv_once = 0) for (;;) "
        (void)state;
        check(unrolled("for (int j = 0; j < TS; j++) " PHASE "{ a += b[j]; }"));
        check(unrolled("for (int j = 0; j < 64; j += 2) " PHASE "{ a += b[j]; }"));
        check(!unrolled("for (int j = 0; j < count; j++) " PHASE "{ a += b[j]; }"));
        check(!unrolled("for (int j = 0; j < TS && c; j++) " PHASE "{ a += b[j]; }"));
        check(!unrolled("for (int j = 0; j < TS; j++) " PHASE "{ for (int k = 0; k < 4; k++) a += b[j]; }"));
        check(!unrolled("for (int j = 0; j < TS; j++) { " PHASE "{ a += b[j]; } amp_barrier_wait(t.barrier); }"));
        check(!unrolled("for (int j = 0; j < TS; j++) a += b[j];"));
        check(!unrolled("for (int j = 0; j < TS; j++) for (int k = 0; k < TS; k++) a += b[j];"));
#undef PHASE
    }

    /* In a process of its own: the device is gone afterwards. */
    static int fault_child(void)
    {
        int values[N] = { 0 }, others[N] = { 0 }, wrong = 0;
        test_begin(NULL);
        const amp_accelerator_view view = cuda_view(1);
        add(view, values, 1);
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
        fail_next("cuStreamSynchronize", 700);
        amp_accelerator_view_wait(view);
        wrong += !test_error_was(AMP_ACCELERATOR_VIEW_REMOVED,
                                 "a kernel failed on the device, probably by access outside of a view");
        wrong += amp_accelerator_view_removed_reason(view) == NULL;
        add(view, values, 1);
        test_heard.count = 0;
        amp_clear_error();
        amp_array_view_release(&v);
        test_heard.count = 0;
        add(cuda_view(0), others, 1);
        for (int i = 0; i < N; i++)
            wrong += others[i] != i;
        return wrong + !test_no_error_was();
    }

    static void a_kernels_fault_removes_its_device_alone(void **state)
    {
        char output[4096];
        (void)state;
        (void)cuda_view(1);
        fail_next("cuMemHostUnregister", 0); /* skips where nothing can be made to fail */
        const int wrong = child_run("cuda_fault", "", output, sizeof output);
        check_that(wrong == 0, "%d: %s", wrong, output);
    }

    CHILDREN({ "cuda_fault", fault_child })

    int run_backends_cuda_device(void)
    {
        const struct CMUnitTest tests[] = {
            TEST(the_threads_context_stays),
            TEST(whole_vectors_are_written),
            TEST(times_of_commands_in_a_row),
            TEST(more_tiles_than_a_grid_has),
            TEST(large_tiles),
            TEST(memory_that_is_registered_in_part),
#if defined(AMP_BACKEND_CUDA)
            TEST(streams_and_memory_of_the_users),
            TEST(graphs),
            TEST(values_of_graphs),
            TEST(blocks_are_compiled_once),
            TEST(tile_static_memory_in_logs),
#endif
            TEST(a_gpu_is_listed_once),
            TEST(no_memory_on_the_device),
            TEST(a_launch_that_is_refused),
            TEST(copies_between_gpus),
            TEST(gpus_wait_for_each_other),
            TEST(a_compiler_without_memory_is_asked_again),
            TEST(a_compiler_that_knows_fewer_options),
            TEST(bits_of_a_value),
            TEST(loops_around_phases),
            TEST(a_kernels_fault_removes_its_device_alone),
        };
        return cmocka_run_group_tests_name("backends/cuda_device", tests, NULL, NULL);
    }

#else

int run_backends_cuda_device(void) { return 0; }

#endif
