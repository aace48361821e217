// SPDX-License-Identifier: MIT
/*  staging.c - transfers of large sources by way of memory of the library, in pieces that several threads move.
    Also tests amp/memory/pin.h. */
#include "amp.h"
#include "test.h"

#if AMP_PRIV_HAS_OTHERS

enum { PIECE = 64, ROWS = 96, COLUMNS = 53 };

/* Rectangles are cut into pieces that have each of their bytes once, and no other. */
static void pieces_are_all_of_a_rectangle(void **state)
{
    (void)state;
    static const amp_priv_rect rects[] = {
        { 5, 1, 1, 0, 1, 0 },          { 0, 64, 1, 0, 1, 0 },    { 3, 65, 1, 0, 1, 0 },  { 1, 640, 1, 0, 1, 0 },
        { 2, 10, 7, 10, 1, 0 },        { 2, 10, 7, 13, 1, 0 },   { 0, 63, 5, 64, 1, 0 }, { 9, 64, 5, 70, 1, 0 },
        { 9, 100, 5, 130, 3, 700 },    { 4, 8, 1, 0, 6, 11 },    { 4, 3, 9, 4, 5, 40 },  { 0, 8, 2, 8, 4, 16 },
        { 7, 30, 20, 40, 2, 20 * 40 }, { 1, 2, 3, 300, 2, 900 },
    };
    for (size_t r = 0; r < sizeof rects / sizeof rects[0]; r++) {
        static unsigned char times[4096];
        amp_priv_rect piece;
        size_t bytes = 0;
        memset(times, 0, sizeof times);
        for (size_t n = 0; amp_priv_rect_piece(&rects[r], PIECE, n, &piece); n++) {
            const size_t span = (piece.rows - 1) * piece.row_pitch + piece.row_bytes;
            check(piece.rows == 1 ? piece.row_bytes <= PIECE : span <= PIECE);
            check(piece.slices == 1);
            for (size_t row = 0; row < piece.rows; row++)
                for (size_t i = 0; i < piece.row_bytes; i++, bytes++)
                    times[amp_priv_rect_row(&piece, row) + i]++;
        }
        check_int((int)bytes, (int)amp_priv_rect_bytes(&rects[r]));
        for (size_t row = 0; row < rects[r].rows * rects[r].slices; row++)
            for (size_t i = 0; i < rects[r].row_bytes; i++)
                check_int(times[amp_priv_rect_row(&rects[r], row) + i], 1);
    }
}

static bool is_staged(const amp_priv_device *device)
{
    return !amp_priv_is_host(device->number) && !device->shares_host && device->backend->device.pin;
}

/* Everything, a part of each row, and rows that are longer than a piece come as they went. */
static void transfers_by_several_threads(void **state)
{
    (void)state;
    static int values[ROWS * COLUMNS];
    amp_priv_stage_tested = PIECE;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_priv_device *const device = amp_priv_device_number(test_device(where)->number);
        for (int i = 0; i < ROWS * COLUMNS; i++)
            values[i] = i;
        AMP_ARRAY_VIEW(int, 2, v, values, ROWS, COLUMNS);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j), AMP_CAPTURE(v), { AMP_AT(v, i, j) *= 3; });
        check_int(amp_array_view_synchronize(&v), AMP_OK);
        for (int i = 0; i < ROWS * COLUMNS; i++)
            check_int(values[i], 3 * i);
        check(!is_staged(device) || amp_priv_stages.spare[device->number]);
        for (int i = 0; i < ROWS * COLUMNS; i++)
            AMP_AT(v, i / COLUMNS, i % COLUMNS) = i;
        amp_array_view_int_2 part = amp_section(v, 3, 11, ROWS - 5, 31);
        AMP_PARALLEL_FOR_EACH_ON(where, part.extent, (i, j), AMP_CAPTURE(part), { AMP_AT(part, i, j) -= 7; });
        check_int(amp_array_view_synchronize(&part), AMP_OK);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            const int row = i / COLUMNS, column = i % COLUMNS;
            check_int(values[i], i - 7 * (row >= 3 && row < ROWS - 2 && column >= 11 && column < 42));
        }
        AMP_ARRAY_ON(where, int, 1, array, ROWS *COLUMNS);
        static int back[ROWS * COLUMNS];
        check_int(amp_copy_in(values, array), AMP_OK);
        check_int(amp_copy_out(array, back), AMP_OK);
        check(!memcmp(values, back, sizeof values));
    }
    amp_priv_stage_tested = 0;
    expect_no_error();
}

/* What moves often is registered; a small source from the first time on. */
static void what_moves_often_is_registered(void **state)
{
    (void)state;
    enum { LARGE = 1 << 18, TIMES = 32 };
    int *const values = calloc(LARGE, sizeof *values);
    check(values);
    amp_priv_stage_tested = PIECE * 64;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_priv_device *const device = amp_priv_device_number(test_device(where)->number);
        if (!is_staged(device))
            continue;
        AMP_ARRAY_VIEW(int, 1, v, values, LARGE);
        for (int i = 0; i < TIMES; i++) {
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (k), AMP_CAPTURE(v), { AMP_AT(v, k) += 1; });
            const amp_priv_replica *const replica = v.amp_priv.source->replica[device->number];
            check_int(replica->pin.count > 0, 2 * i + 1 >= TIMES);
            AMP_AT(v, i) += 0;
        }
        check_int(AMP_AT(v, LARGE - 1), TIMES);
        values[LARGE - 1] = 0;
    }
    amp_priv_stage_tested = 0;
    free(values);
    expect_no_error();
}

static atomic_int transfers_left;
static const amp_priv_backend *whole;

static amp_priv_result transfer_fails(amp_priv_queue *queue, void *buffer, void *host, const amp_priv_rect *rect,
                                      bool to_device, void **event)
{
    if (atomic_fetch_sub(&transfers_left, 1) <= 0)
        return (amp_priv_result){ .status = AMP_RUNTIME_ERROR, .call = "a transfer", .code = -1 };
    return whole->buffer.transfer(queue, buffer, host, rect, to_device, event);
}

static atomic_int transfers_direct, transfers_else;
static const char *moved_memory;
static size_t moved_bytes;
static const amp_priv_pin *moved_pin;

/* Counts transfers to and from the memory itself, which have to lie in one registered chunk, and all others. */
static amp_priv_result transfer_counts(amp_priv_queue *queue, void *buffer, void *host, const amp_priv_rect *rect,
                                       bool to_device, void **event)
{
    const uintptr_t at = (uintptr_t)host + rect->offset - (uintptr_t)moved_memory;
    if (at < moved_bytes) {
        const uintptr_t first = at + (uintptr_t)moved_memory - (uintptr_t)moved_pin->host;
        check(first < moved_pin->bytes && first + rect->row_bytes <= moved_pin->bytes);
        check_int((int)(first / moved_pin->chunk_bytes), (int)((first + rect->row_bytes - 1) / moved_pin->chunk_bytes));
    }
    atomic_fetch_add(at < moved_bytes ? &transfers_direct : &transfers_else, 1);
    return whole->buffer.transfer(queue, buffer, host, rect, to_device, event);
}

/* Rows of a large source, as those of halos: they do not register it, however often they move, and are not moved from
   memory that the driver does not know. */
static void small_parts_do_not_register_a_large_source(void **state)
{
    (void)state;
    enum { LARGE = 1 << 18, PART = AMP_PRIV_STAGE_LEAST / sizeof(int), TURNS = 200 };
    int *const values = calloc(LARGE, sizeof *values);
    check(values);
    amp_priv_stage_tested = AMP_PRIV_STAGE_LEAST;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_priv_device *const device = amp_priv_device_number(test_device(where)->number);
        if (!is_staged(device))
            continue;
        const amp_priv_pin none = { .bytes = 0 };
        amp_priv_backend counting = *device->backend;
        counting.buffer.transfer = transfer_counts;
        whole = device->backend;
        moved_memory = (const char *)values;
        moved_bytes = LARGE * sizeof *values;
        moved_pin = &none;
        AMP_ARRAY_VIEW(int, 1, v, values, LARGE);
        amp_array_view_discard_data(&v);
        atomic_store(&transfers_direct, 0);
        atomic_store(&transfers_else, 0);
        for (int turn = 0; turn < TURNS; turn++) {
            amp_array_view_int_1 part = amp_section(v, turn * PART, PART);
            AMP_PARALLEL_FOR_EACH_ON(where, part.extent, (k), AMP_CAPTURE(part), { AMP_AT(part, k) = k + 1; });
            device->backend = &counting;
            const amp_status status = amp_array_view_synchronize(&part);
            device->backend = whole;
            check_int(status, AMP_OK);
            check_int(values[turn * PART + PART - 1], PART);
        }
        check_int(atomic_load(&transfers_direct), 0);
        check_int(atomic_load(&transfers_else), TURNS);
        check_int(v.amp_priv.source->replica[device->number]->pin.count, 0);
    }
    amp_priv_stage_tested = 0;
    free(values);
    expect_no_error();
}

/* What a view has registered, another view of the same memory moves without a stage, chunk by chunk; what is not
   registered goes by way of the stage. */
static void what_another_view_registered_moves_directly(void **state)
{
    (void)state;
    enum { LARGE = AMP_PRIV_PIN_IN_CHUNKS / sizeof(int), STAGED = 1 << 18, OFFSET = 3 << 18 };
    int *const values = malloc(2 * LARGE * sizeof *values), *const got = malloc(2 * LARGE * sizeof *got);
    check(values && got);
    for (int i = 0; i < 2 * LARGE; i++)
        values[i] = i * 7;
    amp_priv_stage_tested = STAGED;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_priv_device *const device = amp_priv_device_number(test_device(where)->number);
        if (!is_staged(device))
            continue;
        amp_priv_backend counting = *device->backend;
        counting.buffer.transfer = transfer_counts;
        whole = device->backend;
        moved_memory = (const char *)values;
        moved_bytes = 2 * LARGE * sizeof *values;
        for (int parts = 1; parts <= 2; parts++) { /* of the second view: all of it is registered, or the middle */
            const int count = parts * LARGE, from = parts == 2 ? OFFSET : 0;
            amp_priv_pin pin;
            amp_priv_pin_begin(&pin, device, values + from, LARGE * sizeof *values);
            moved_pin = &pin;
            check_int((int)amp_priv_pinned_bytes(device, values, (size_t)count * sizeof *values),
                      LARGE * (int)sizeof *values);
            atomic_store(&transfers_direct, 0);
            atomic_store(&transfers_else, 0);
            device->backend = &counting;
            AMP_ARRAY_VIEW(int, 1, view, values, count);
            const amp_status status = amp_array_view_synchronize_to(&view, where);
            device->backend = whole;
            check_int(status, AMP_OK);
            check_int(atomic_load(&transfers_direct), pin.count);
            check_int(atomic_load(&transfers_else), (parts - 1) * LARGE * (int)sizeof *values / STAGED);
            AMP_ARRAY_VIEW(int, 1, result, got, count);
            amp_array_view_discard_data(&result);
            check_int(amp_copy(view, result), AMP_OK);
            check_int(amp_array_view_synchronize(&result), AMP_OK);
            check(!memcmp(got, values, (size_t)count * sizeof *values));
            amp_priv_pin_end(&pin);
            check_int((int)amp_priv_pinned_bytes(device, values, moved_bytes), 0);
        }
    }
    amp_priv_stage_tested = 0;
    free(values);
    free(got);
    expect_no_error();
}

/* A thread's failure is the transfer's, and no thread goes on. */
static void a_piece_that_fails(void **state)
{
    (void)state;
    static int values[ROWS * COLUMNS];
    FOR_EACH_ACCELERATOR(where)
    {
        amp_priv_device *const device = amp_priv_device_number(test_device(where)->number);
        if (!is_staged(device))
            continue;
        amp_priv_backend failing = *device->backend;
        failing.buffer.transfer = transfer_fails;
        AMP_ARRAY_ON(where, int, 1, array, ROWS *COLUMNS);
        whole = device->backend;
        amp_priv_stage_tested = PIECE;
        for (int left = 0; left < 40; left += 13) {
            atomic_store(&transfers_left, left);
            device->backend = &failing;
            const amp_status status = amp_copy_in(values, array);
            device->backend = whole;
            check_int(status, AMP_RUNTIME_ERROR);
            expect_error(AMP_RUNTIME_ERROR, "a transfer");
            check(atomic_load(&transfers_left) >= -AMP_PRIV_STAGE_TEST_THREADS);
        }
        amp_priv_stage_tested = 0;
    }
    expect_no_error();
}

#endif

int run_memory_staging(void);
int run_memory_staging(void)
{
#if AMP_PRIV_HAS_OTHERS
    const struct CMUnitTest tests[] = {
        TEST(pieces_are_all_of_a_rectangle),
        TEST(transfers_by_several_threads),
        TEST(what_moves_often_is_registered),
        TEST(small_parts_do_not_register_a_large_source),
        TEST(what_another_view_registered_moves_directly),
        TEST(a_piece_that_fails),
    };
    return cmocka_run_group_tests_name("memory/staging", tests, NULL, NULL);
#else
    return 0;
#endif
}
