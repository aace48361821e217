// SPDX-License-Identifier: MIT
/*  record.c - launches and copies that are recorded and replayed, on every accelerator: what a replay does to
    views is what the launches do; what is fixed when it is recorded; and what is told of mistakes.
    Also tests amp/api/recording.h, amp/record/life.h, amp/record/recording.h, amp/record/repeat.h,
    amp/record/values.h, amp/memory/launch_bytes.h. */
#include "test.h"
#include "child.h"

#include <pthread.h>

#include "amp_algorithms.h"

int run_record_record(void);

enum { N = 500 };

/* Are launches noted there? In checked builds and on the CPU backend a replay is the launches again. */
static bool notes(amp_accelerator_view where) { return !AMP_PRIV_HOST_CHECKED && !test_is_cpu(where); }

AMP_STRUCT(record_step, {
    int factor;
    int summand;
});

/* to = factor * from + summand, then back. */
static void there_and_back(amp_accelerator_view where, amp_array_view_int_1 from, amp_array_view_int_1 to,
                           record_step step)
{
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_DOMAIN(AMP_INDEX(3), AMP_EXTENT(N - 3)), (i),
                             AMP_CAPTURE(from, to, AMP_VALUE(record_step, step)), {
                                 AMP_AT(to, i) = step.factor * AMP_AT(from, i) + step.summand;
                                 if (i < 6)
                                     AMP_AT(to, i - 3) = step.factor * AMP_AT(from, i - 3) + step.summand;
                             });
    AMP_TILED_ON(where, from.extent, (50), tile, AMP_CAPTURE(from, to), {
        AMP_TILE_STATIC(int, line, [50]);
        AMP_THREADS(tile, t) {
            line[t.local.v[0]] = AMP_AT(to, t.global);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(from, t.global) = line[49 - t.local.v[0]];
        }
    });
}

static void there_and_back_on_host(int *values, record_step step)
{
    int line[50];
    for (int first = 0; first < N; first += 50) {
        for (int i = 0; i < 50; i++)
            line[i] = step.factor * values[first + i] + step.summand;
        for (int i = 0; i < 50; i++)
            values[first + i] = line[49 - i];
    }
}

/* Each round is the same, the first that is recorded and the others; and whatever the host writes in between. */
static void replays_are_launches(void **state)
{
    (void)state;
    const record_step step = { 3, -7 };
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N], want[N], other[N];
        amp_recording recording = { NULL };
        for (int i = 0; i < N; i++)
            values[i] = want[i] = i;
        AMP_ARRAY_VIEW(int, 1, from, values, N);
        AMP_ARRAY_VIEW(int, 1, to, other, N);
        for (int round = 0; round < 6; round++) {
            check(amp_recording_replay(recording) == (round > 0 && notes(where)));
            if (!recording.amp_priv_recording) {
                check_int(amp_recording_begin(where), AMP_OK);
                there_and_back(where, from, to, step);
                recording = amp_recording_end();
                check((recording.amp_priv_recording != NULL) == notes(where));
            }
            there_and_back_on_host(want, step);
            if (round == 2)
                for (int i = 100; i < 200; i++)
                    AMP_AT(from, i) = want[i] = 2 * i;
            if (round == 3) { /* another accelerator has it meanwhile */
                AMP_PARALLEL_FOR_EACH_ON(test_view(0), from.extent, (i), AMP_CAPTURE(from), { AMP_AT(from, i) += 5; });
                for (int i = 0; i < N; i++)
                    want[i] += 5;
            }
        }
        amp_array_view_synchronize(&from);
        check_ints(values, want, N);
        amp_recording_release(&recording);
        check(!recording.amp_priv_recording);
        amp_recording_release(&recording);
    }
}

/* Values of captures are those of the recording, and a launch that names no view is on the recorded one. */
static void what_is_fixed(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 }, n = 1;
        amp_accelerator_view own = amp_accelerator_create_view(amp_accelerator_view_accelerator(where));
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        check_int(amp_recording_begin(own), AMP_OK);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) += n; });
        amp_recording recording = amp_recording_end();
        amp_accelerator_view_release(&own); /* the recording keeps it */
        n = 10;
        const bool replayed = amp_recording_replay(recording) && amp_recording_replay(recording);
        check(replayed == notes(where));
        for (int i = 0; i < N; i++)
            check_int(AMP_AT(v, i), replayed ? 3 : 1);
        amp_recording_release(&recording);
    }
}

/* Captured scalars of every kind get another value before each replay, in each launch that captured them. */
static void values_that_change(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 }, want[N] = { 0 };
        const int kept = 1000;
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        amp_recording recording = { NULL };
        for (int n = 1; n < 7; n++) {
            const float half = 0.5f * (float)n;
            const int8_t small = (int8_t)-n;
            const bool odd = n % 2;
            const uint64_t wide = UINT64_C(1) << (30 + n);
            check_int(AMP_RECORDING_SET(recording, n, n), AMP_OK);
            check_int(AMP_RECORDING_SET(recording, h, half), AMP_OK);
            check_int(AMP_RECORDING_SET(recording, small, small), AMP_OK);
            check_int(AMP_RECORDING_SET(recording, odd, odd), AMP_OK);
            check_int(AMP_RECORDING_SET(recording, wide, wide), AMP_OK);
            for (int i = 0; i < N; i++)
                want[i] =
                    3 * (want[i] + n * i + kept) + 2 * (n * i + kept) + (int)(2 * half) + small * i + odd + (1 << n);
            if (amp_recording_replay(recording))
                continue; /* without waiting for it */
            check_int(amp_recording_begin(where), AMP_OK);
            for (int times = 3; times > 1; times--)
                AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n, kept, times), {
                    const int factor = times == 3 ? 3 : 1;
                    AMP_AT(v, i) = factor * AMP_AT(v, i) + times * (n * i + kept);
                });
            AMP_TILED(v.extent, (50), tile, AMP_CAPTURE(v, AMP_BIND(h, half), small, odd, wide), {
                AMP_THREADS(tile, t) {
                    const int i = t.global.v[0];
                    AMP_AT(v, i) += (int)(2 * h) + small * i + (odd ? 1 : 0) + (int)(wide >> 30);
        }
    });
    recording = amp_recording_end();
}
amp_array_view_synchronize(&v);
check_ints(values, want, N);
check_int(amp_recording_release(&recording), AMP_OK);
}
}

/* What cannot be set is refused, and nothing is changed. */
static void values_that_cannot_change(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 }, n = 1;
        const record_step step = { 2, 3 };
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        amp_recording_begin(where);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n, AMP_VALUE(record_step, step)),
                              { AMP_AT(v, i) += n * step.factor; });
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(m, 1), AMP_BIND(n, 1.0f)),
                              { AMP_AT(v, i) += m + (int)n; });
        amp_recording recording = amp_recording_end();
        check_int(AMP_AT(v, 7), 4);
        if (notes(where)) {
            check_int(AMP_RECORDING_SET(recording, n, 5), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "AMP_RECORDING_SET(..., n, ...): the value is of type int, but the "
                                               "kernel in values_that_cannot_change");
            check_int(AMP_RECORDING_SET(recording, m, &n), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "the value is of type pointer");
            check_int(AMP_RECORDING_SET(recording, k, 5), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "AMP_RECORDING_SET(..., k, ...): no recorded launch captured a scalar");
            check_int(AMP_RECORDING_SET(recording, step, 5), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "AMP_RECORDING_SET(..., step, ...): no recorded launch");
            check_int(AMP_RECORDING_SET(recording, v, 5), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "AMP_RECORDING_SET(..., v, ...): no recorded launch");
            check(amp_recording_replay(recording));
            check_int(AMP_AT(v, 7), 8);
            check_int(AMP_RECORDING_SET(recording, m, 10), AMP_OK);
            check(amp_recording_replay(recording));
            check_int(AMP_AT(v, 7), 21);
        }
        amp_recording_release(&recording);
    }
}

/* Copies within the accelerator, sections of one view, four dimensions. */
static void copies_and_parts(void **state)
{
    enum { SIDE = 4 };
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[SIDE * SIDE * SIDE * SIDE], want[SIDE * SIDE * SIDE * SIDE];
        amp_array_int_2 whole = amp_array_int_2_create_on(AMP_EXTENT(2 * SIDE, SIDE), where),
                        kept = amp_array_int_2_create_on(AMP_EXTENT(SIDE, SIDE), where);
        for (int i = 0; i < SIDE * SIDE * SIDE * SIDE; i++)
            values[i] = want[i] = i;
        AMP_ARRAY_VIEW(int, 4, four, values, SIDE, SIDE, SIDE, SIDE);
        const amp_array_view_int_2 low = amp_section(amp_view_of(whole), SIDE, 1, SIDE, 2),
                                   part = amp_section(amp_view_of(kept), 0, 2, SIDE, 2);
        amp_recording recording = { NULL };
        for (int round = 0; round < 4; round++) {
            if (amp_recording_replay(recording))
                continue;
            check_int(amp_recording_begin(where), AMP_OK);
            AMP_PARALLEL_FOR_EACH_ON(where, four.extent, (a, b, c, d), AMP_CAPTURE(four),
                                     { AMP_AT(four, a, b, c, d) += a + 2 * b + 3 * c + 4 * d; });
            AMP_PARALLEL_FOR_EACH_ON(where, low.extent, (i, j), AMP_CAPTURE(low, four),
                                     { AMP_AT(low, i, j) = AMP_AT(four, i, j, 1, 2); });
            amp_copy(low, part);
            recording = amp_recording_end();
        }
        for (int i = 0; i < SIDE * SIDE * SIDE * SIDE; i++)
            want[i] += 4 * (i / 64 + 2 * (i / 16 % 4) + 3 * (i / 4 % 4) + 4 * (i % 4));
        amp_array_view_synchronize(&four);
        check_ints(values, want, SIDE * SIDE * SIDE * SIDE);
        int out[SIDE * 2];
        amp_copy_out(part, out, SIDE * 2);
        for (int i = 0; i < SIDE * 2; i++)
            check_int(out[i], want[i / 2 * 64 + i % 2 * 16 + 6]);
        amp_recording_release(&recording);
        amp_array_release(&kept);
        amp_array_release(&whole);
    }
}

/* Nothing recorded is nothing replayed; an extent of nothing is no failure. */
static void nothing_is_recorded(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        check_int(amp_recording_begin(where), AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(0), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
        amp_recording recording = amp_recording_end();
        check(amp_recording_replay(recording) == notes(where));
        amp_recording_release(&recording);
        check(!amp_recording_replay(recording));
        check_int(AMP_AT(v, 0), 0);
    }
}

/* A recording whose view hands over each command at once, and one that is replayed by several threads. */
typedef struct replays {
    amp_recording recording;
    int count;
} replays;

static void *replay_some(void *argument)
{
    const replays *const r = argument;
    for (int n = 0; n < r->count; n++)
        amp_recording_replay(r->recording);
    return NULL;
}

static void threads_replay(void **state)
{
    (void)state;
    test_needs_threads();
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 };
        amp_accelerator_view own =
            amp_accelerator_create_view(amp_accelerator_view_accelerator(where), AMP_QUEUING_IMMEDIATE);
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        amp_recording_begin(own);
        for (int n = 0; n < 3; n++)
            AMP_PARALLEL_FOR_EACH_ON(own, v.extent, (i), AMP_CAPTURE(v, n), { AMP_AT(v, i) += n; });
        replays some = { amp_recording_end(), 20 };
        pthread_t threads[4];
        for (int t = 0; t < 4; t++)
            check_int(pthread_create(&threads[t], NULL, replay_some, &some), 0);
        for (int t = 0; t < 4; t++)
            pthread_join(threads[t], NULL);
        for (int i = 0; i < N; i++)
            check_int(AMP_AT(v, i), notes(where) ? 3 * 81 : 3);
        check(amp_recording_valid(some.recording) == notes(where));
        check_int(amp_recording_release(&some.recording), AMP_OK);
        check(!amp_recording_valid(some.recording));
        amp_accelerator_view_release(&own);
    }
}

static void begin_and_end(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        amp_recording none = amp_recording_end();
        expect_error(AMP_RUNTIME_ERROR, "amp_recording_end: this thread is not recording");
        check(!none.amp_priv_recording && !amp_recording_valid(none));
        check_int(amp_recording_release(&none), AMP_OK);
        check_int(amp_recording_begin(where), AMP_OK);
        check_int(amp_recording_begin(where), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "amp_recording_begin: this thread is already recording");
        amp_recording outer = amp_recording_end();
        check(!outer.amp_priv_recording);
        check_int(amp_recording_begin(where), AMP_OK);
        outer = amp_recording_end();
        check((outer.amp_priv_recording != NULL) == notes(where));
        if (notes(where)) {
            check_int(amp_recording_begin(where), AMP_OK);
            check(amp_recording_replay(outer));
            expect_error(AMP_RUNTIME_ERROR, "amp_recording_replay: this thread is recording");
            none = amp_recording_end();
            check(!none.amp_priv_recording);
        }
        amp_recording_release(&outer);
    }
}

/* Each use of a copy is refused, also when the record is used again. */
static void released_recording(amp_recording copy)
{
    int height = 1;
    check(!amp_recording_valid(copy));
    check(amp_recording_replay(copy));
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_recording_replay: this amp_recording was already released through a "
                                           "copy of it; release it after the last use of its copies");
    check_int(AMP_RECORDING_SET(copy, height, height), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_RECORDING_SET: this amp_recording was already released");
    check_int(amp_recording_release(&copy), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_recording_release: this amp_recording was already released");
    check(!amp_recording_valid(copy));
}

static amp_recording recorded_add(amp_accelerator_view where, amp_array_view_int_1 v)
{
    amp_recording_begin(where);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    return amp_recording_end();
}

static void released_through_a_copy(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int values[N] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        amp_recording recording = recorded_add(where, v);
        if (!amp_recording_valid(recording))
            continue;
        const amp_recording copy = recording;
        check(amp_recording_valid(copy));
        check_int(amp_recording_release(&recording), AMP_OK);
        released_recording(copy);
        recording = recorded_add(where, v); /* with the same record */
        released_recording(copy);
        check(amp_recording_replay(recording));
        check_int(AMP_AT(v, 0), 3);
        check_int(amp_recording_release(&recording), AMP_OK);
    }
}

/* While it is recorded, what a replay would leave out is refused, and there is no recording. */
static void what_is_no_part_of_it(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 }, more[N] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        AMP_ARRAY_VIEW(int, 1, w, more, N);
        const int count = test_is_cpu(where) ? 5 : 6; /* there the other view of the last is this one */
        for (int what = 0; what < count; what++) {
            check_int(amp_recording_begin(where), AMP_OK);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
            expect_no_error();
            if (what == 0) {
                (void)AMP_AT(v, 3);
                expect_error(AMP_RUNTIME_ERROR, "the host's access to data of a recorded launch");
            } else if (what == 1) {
                amp_array_view_synchronize(&v);
                expect_error(AMP_RUNTIME_ERROR, "the host's access to data of a recorded launch");
            } else if (what == 2) {
                amp_copy_out(v, more, N);
                expect_error(AMP_RUNTIME_ERROR, "while this thread is recording");
            } else if (what == 3) {
                amp_future later = amp_array_view_synchronize_async(&v);
                expect_error(AMP_RUNTIME_ERROR, "while this thread is recording");
                check(!amp_future_valid(later));
            } else if (what == 4) {
                amp_sort(v);
                expect_error(AMP_UNSUPPORTED_FEATURE, "amp_sort: an algorithm uses temporary memory");
            } else {
                AMP_PARALLEL_FOR_EACH_ON(test_view(0), w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) += 1; });
                expect_error(AMP_RUNTIME_ERROR, "but this thread is recording launches on");
            }
            amp_recording recording = amp_recording_end();
            check(!recording.amp_priv_recording);
            amp_recording_release(&recording);
        }
        expect_no_error();
        check_int(AMP_AT(v, N - 1), count);
        check_int(more[3], 0);
    }
}

static void views_that_are_gone(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        if (!notes(where))
            continue;
        int values[N] = { 0 };
        amp_recording recording, none;
        {
            AMP_ARRAY_VIEW(int, 1, v, values, N);
            amp_recording_begin(where);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
            recording = amp_recording_end();
            check(amp_recording_replay(recording));
        }
        check_int(values[7], 2);
        check(amp_recording_replay(recording));
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_recording_replay: v of the recorded kernel in views_that_are_gone");
        amp_recording_release(&recording);
        amp_recording_begin(where);
        {
            AMP_ARRAY_VIEW(int, 1, v, values, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        }
        none = amp_recording_end();
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_recording_end: v of the recorded kernel in views_that_are_gone");
        check(!none.amp_priv_recording);
        check_int(values[7], 3);
    }
}

/* Two chains that meet, halves, a copy, and the whole again: what does not meet may run at the same time. */
static void what_does_not_meet(void **state)
{
    static const int after[] = { 0, 0, 2, 1, 1, 1, 2 };
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int a[N], b[N], c[N], want[3][N];
        for (int i = 0; i < N; i++) {
            a[i] = want[0][i] = i;
            b[i] = want[1][i] = 7 * i;
            c[i] = want[2][i] = 0;
        }
        AMP_ARRAY_VIEW(int, 1, x, a, N);
        AMP_ARRAY_VIEW(int, 1, y, b, N);
        AMP_ARRAY_VIEW(int, 1, z, c, N);
        const amp_array_view_int_1 low = amp_section(x, 0, N / 2), high = amp_section(x, N / 2, N / 2);
        AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, y, z), {
            AMP_AT(x, i) += 0;
            AMP_AT(y, i) += 0;
            AMP_AT(z, i) += 0;
        });
        amp_recording recording = { NULL };
        for (int round = 0; round < 5; round++) {
            if (!amp_recording_replay(recording)) {
                amp_recording_begin(where);
                AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x), { AMP_AT(x, i) += 1; });
                AMP_PARALLEL_FOR_EACH_ON(where, y.extent, (i), AMP_CAPTURE(y), { AMP_AT(y, i) ^= 5; });
                AMP_PARALLEL_FOR_EACH_ON(where, z.extent, (i), AMP_CAPTURE(x, y, z),
                                         { AMP_AT(z, i) = AMP_AT(x, i) + AMP_AT(y, i); });
                AMP_PARALLEL_FOR_EACH_ON(where, low.extent, (i), AMP_CAPTURE(low), { AMP_AT(low, i) *= 3; });
                AMP_PARALLEL_FOR_EACH_ON(where, high.extent, (i), AMP_CAPTURE(high), { AMP_AT(high, i) -= 9; });
                amp_copy(low, amp_section(y, 0, N / 2));
                AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, z), { AMP_AT(x, i) ^= AMP_AT(z, i); });
                recording = amp_recording_end();
            }
            for (int i = 0; i < N; i++) {
                want[2][i] = (want[0][i] += 1) + (want[1][i] ^= 5);
                want[0][i] = i < N / 2 ? 3 * want[0][i] : want[0][i] - 9;
                want[1][i] = i < N / 2 ? want[0][i] : want[1][i];
                want[0][i] ^= want[2][i];
            }
        }
        amp_priv_recording *const noted = recording.amp_priv_recording;
        check((noted != NULL) == notes(where));
        if (noted) {
            if (!noted->as_one)
                check(amp_priv_recording_order(noted));
            check_int(noted->count, 7);
            for (int i = 0; i < noted->count; i++)
                check_that(noted->commands[i].after_count == after[i], "%d after %d", i,
                           noted->commands[i].after_count);
        }
        amp_array_view_synchronize(&x);
        amp_array_view_synchronize(&y);
        amp_array_view_synchronize(&z);
        check_ints(a, want[0], N);
        check_ints(b, want[1], N);
        check_ints(c, want[2], N);
        amp_recording_release(&recording);
    }
}

static void a_launch_that_fails(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        int values[N] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, values, N);
        for (int what = 0; what < 2; what++) {
            check_int(amp_recording_begin(where), AMP_OK);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(-1), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
            expect_error(AMP_INVALID_COMPUTE_DOMAIN, "negative");
            if (what)
                AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 2; });
            const amp_recording recording = amp_recording_end();
            check(!recording.amp_priv_recording);
        }
        check_int(AMP_AT(v, 0), 2);
    }
}

/* In a process of its own: the device is gone afterwards. */
static int removed_child(void)
{
    int wrong = 0;
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        if (!notes(where))
            continue;
        test_begin(NULL);
        amp_array_int_1 array = amp_array_int_1_create_on(AMP_EXTENT(N), where);
        amp_recording_begin(where);
        AMP_PARALLEL_FOR_EACH_ON(where, array.extent, (i), AMP_CAPTURE(array), { AMP_AT(array, i) = 1; });
        amp_recording recording = amp_recording_end();
        wrong += !amp_recording_replay(recording);
        amp_accelerator_view_wait(where);
        wrong += !test_no_error_was();
        amp_priv_device_remove(amp_accelerator_view_accelerator(where).amp_priv_device, "pulled out");
        wrong += !amp_recording_replay(recording);
        wrong += !test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "amp_recording_replay: the accelerator");
        wrong += amp_recording_begin(where) != AMP_ACCELERATOR_VIEW_REMOVED;
        wrong += !test_error_was(AMP_ACCELERATOR_VIEW_REMOVED, "amp_recording_begin: the accelerator");
        amp_recording_release(&recording);
        amp_array_release(&array);
    }
    return wrong;
}

static void an_accelerator_that_is_gone(void **state)
{
    (void)state;
    char output[4096];
    const int wrong = child_run("record_removed", "", output, sizeof output);
    check_that(wrong == 0, "%s", output);
}

CHILDREN({ "record_removed", removed_child })

int run_record_record(void)
{
    const struct CMUnitTest tests[] = {
        TEST(replays_are_launches),    TEST(what_is_fixed),
        TEST(values_that_change),      TEST(values_that_cannot_change),
        TEST(copies_and_parts),        TEST(nothing_is_recorded),
        TEST(threads_replay),          TEST(begin_and_end),
        TEST(released_through_a_copy), TEST(what_is_no_part_of_it),
        TEST(views_that_are_gone),     TEST(a_launch_that_fails),
        TEST(what_does_not_meet),      TEST(an_accelerator_that_is_gone),
    };
    return cmocka_run_group_tests_name("record/record", tests, NULL, NULL);
}
