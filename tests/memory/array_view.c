// SPDX-License-Identifier: MIT
/*  array_view.c - arrays, array views, copies and futures as users call them, on every accelerator: the cases
    of cases.md that concern data, what is moved and what is not, messages, threads, and nothing left behind.
    Also tests amp/api/array_view.h, amp/api/host_view.h, amp/api/copy.h, amp/api/future.h, amp/memory/aliases.h,
    amp/memory/copy_async.h, amp/memory/copy_host.h, amp/memory/host_memory.h, amp/memory/source.h,
    amp/memory/copy_operand.h, amp/device/worker.h. */
#include "test.h"
#if AMP_PRIV_HAS_OTHERS
#include "fake_device.h"
#endif

#include <pthread.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

AMP_STRUCT(triple, { float x, y, z; });
AMP_DEFINE_ELEMENT(triple);

static bool shares(amp_accelerator_view view) { return test_device(view)->shares_host; }

/* Of a view of so many bytes: what a device gets after amp_array_view_discard_data. Checked builds fill such memory. */
static uint64_t discarded_bytes(uint64_t bytes)
{
#if defined(AMP_CHECKED)
    return bytes;
#else
    return 0 * bytes;
#endif
}

/* ---- extents (case 15), pointers ------------------------------------------------------------------- */

#define REFUSED_ARRAY(N, ...)                                                                                          \
    do {                                                                                                               \
        amp_array_int_##N a = amp_array_int_##N##_create(AMP_EXTENT(__VA_ARGS__));                                     \
        expect_error(AMP_INVALID_ARGUMENT, "amp_array_int_" #N "_create: the extent is ");                             \
        check(!a.amp_priv.kind && !a.amp_priv.source);                                                                 \
        int some[8] = {0};                                                                                             \
        amp_array_view_int_##N v = amp_array_view_int_##N##_create(some, AMP_EXTENT(__VA_ARGS__));                     \
        expect_error(AMP_INVALID_ARGUMENT, "it must not be negative");                                                 \
        check(!v.amp_priv.kind && !v.amp_priv.source);                                                                 \
        AMP_ARRAY(int, N, scoped, __VA_ARGS__);                                                                        \
        expect_error(AMP_INVALID_ARGUMENT, "AMP_ARRAY(int, " #N ", scoped)");                                          \
        check(!scoped.amp_priv.kind);                                                                                  \
    } while (0)

static void bad_extents(void **state)
{
    (void)state;
    REFUSED_ARRAY(1, -3);
    REFUSED_ARRAY(1, INT_MIN);
    REFUSED_ARRAY(2, -3, 4);
    REFUSED_ARRAY(2, 4, -3);
    REFUSED_ARRAY(2, -3, -3);
    REFUSED_ARRAY(2, 0, -3);
    REFUSED_ARRAY(3, -3, 4, 4);
    REFUSED_ARRAY(3, 4, -3, 4);
    REFUSED_ARRAY(3, 4, 4, -3);
    REFUSED_ARRAY(3, -3, 0, -3);
    REFUSED_ARRAY(3, -3, -3, -3);
    /* A pad that overflowed arrives here. */
    REFUSED_ARRAY(1, INT_MIN + 3);
}

/* A component 0 makes nothing, which can be captured, copied, synchronized and released. */
#define NOTHING(where, N, ...)                                                                                         \
    do {                                                                                                               \
        int some[1] = { POISON };                                                                                      \
        const amp_extent##N e = AMP_EXTENT(__VA_ARGS__);                                                               \
        amp_array_int_##N a = amp_array_int_##N##_create_from(e, where, some, AMP_UNCHECKED);                          \
        AMP_ARRAY_VIEW(int, N, v, some, e);                                                                            \
        AMP_CONST_ARRAY_VIEW(int, N, null, NULL, e);                                                                   \
        AMP_ARRAY_VIEW_NO_SOURCE(int, N, own, __VA_ARGS__);                                                            \
        check(amp_equal(a.extent, e) && amp_equal(v.extent, e) && amp_equal(null.extent, e));                          \
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), idx, AMP_CAPTURE(a, v, null, own), {                            \
            if (idx.v[0])                                                                                              \
                AMP_AT(v, (amp_index##N){{0}}) = AMP_AT(null, (amp_index##N){{0}}) + AMP_AT(a, (amp_index##N){{0}}) +  \
                                                 AMP_AT(own, (amp_index##N){{0}});                                     \
        });                                                                                                            \
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(a, v), { AMP_AT(v, idx) = AMP_AT(a, idx); });       \
        check_int(amp_copy(a, v), AMP_OK);                                                                             \
        check_int(amp_copy(null, v), AMP_OK);                                                                          \
        check_int(amp_copy(v, amp_view_of(v)), AMP_OK);                                                                \
        check_int(amp_copy_in(some, 0, a), AMP_OK);                                                                    \
        check_int(amp_copy_out(own, NULL, 0), AMP_OK);                                                                 \
        amp_future later = amp_copy_async(v, a);                                                                       \
        check_int(amp_future_get(later), AMP_OK);                                                                      \
        amp_future_release(&later);                                                                                    \
        check_int(amp_array_view_discard_data(&v), AMP_OK);                                                            \
        check_int(amp_array_view_refresh(&v), AMP_OK);                                                                 \
        check_int(amp_array_view_synchronize(&v), AMP_OK);                                                             \
        check_int(amp_array_view_synchronize_to(&v, where, AMP_ACCESS_READ_WRITE), AMP_OK);                            \
        amp_array_int_##N b = amp_array_copy(a), c = amp_array_from(v, where);                                         \
        check(amp_equal(b.extent, e) && amp_equal(c.extent, e));                                                       \
        check_int(amp_array_release(&a), AMP_OK);                                                                      \
        check_int(amp_array_release(&b), AMP_OK);                                                                      \
        check_int(amp_array_release(&c), AMP_OK);                                                                      \
        check_int(amp_array_view_release(&v), AMP_OK);                                                                 \
        check_int(some[0], POISON);                                                                                    \
        expect_no_error();                                                                                             \
    } while (0)

static void nothing(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        NOTHING(where, 1, 0);
        NOTHING(where, 2, 0, 4);
        NOTHING(where, 2, 4, 0);
        NOTHING(where, 2, 0, 0);
        NOTHING(where, 3, 4, 0, 4);
        NOTHING(where, 4, INT_MAX, INT_MAX, INT_MAX, 0);
        NOTHING(where, 8, 1, 1, 1, 1, 1, 1, 1, 0);
    }
}

/* Parts of nothing, and parts that are nothing, at both ends and in the middle of what a kernel has written. */
static void parts_of_nothing(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[20] = { 0 }, got[20];
        AMP_ARRAY_VIEW(int, 2, v, raw, 4, 5);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 3; });
        for (int row = 0; row <= 4; row++) {
            amp_array_view_int_2 none = amp_section(v, row, 0, 4 - row, 0), end = amp_section(v, AMP_INDEX(row, 5));
            check(amp_equal(none.extent, AMP_EXTENT(4 - row, 0)) && amp_equal(end.extent, none.extent));
            AMP_PARALLEL_FOR_EACH_ON(where, none.extent, idx, AMP_CAPTURE(none), { AMP_AT(none, idx) = 7; });
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(4), (i), AMP_CAPTURE(none, end, row), {
                if (i > 4 + row)
                    AMP_AT(none, 0, 0) = AMP_AT(end, 0, 0);
            });
            check_int(amp_copy(none, end), AMP_OK);
            check_int(amp_array_view_discard_data(&none), AMP_OK);
            check_int(amp_array_view_refresh(&end), AMP_OK);
            check_int(amp_copy_out(none, got, 0), AMP_OK);
        }
        amp_array_view_int_1 line = amp_project(v, 3), none = amp_section(line, 5, 0);
        check_int(AMP_VIEW_AS(amp_array_view_int_2, none, 3, 0).extent.v[0], 3);
        check_int(AMP_REINTERPRET_AS(amp_array_view_int64_t_1, none).extent.v[0], 0);
        check_int(amp_project(amp_section(v, 0, 2, 4, 0), 3).extent.v[0], 0);
        (void)amp_project(amp_section(v, 0, 2, 0, 3), 0);
        expect_error(AMP_INVALID_ARGUMENT, "amp_project: the index is 0");
        (void)amp_section(v, 0, 6, 4, 0);
        expect_error(AMP_INVALID_ARGUMENT, "amp_section: in dimension 1 the origin is 6 and the extent is 0");
        check_int(amp_array_view_synchronize(&v), AMP_OK);
        for (int i = 0; i < 20; i++)
            check_int(raw[i], 3);
    }
}

/* C's own arrays of two and three dimensions are memory like any other. */
static int sum_of_parameter(int rows, int columns, const int table[rows][columns])
{
    int sum = 0;
    AMP_CONST_ARRAY_VIEW(int, 2, v, table, rows, columns);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 2, w, rows, columns);
    AMP_PARALLEL_FOR_EACH(v.extent, (r, c), AMP_CAPTURE(v, w), { AMP_AT(w, r, c) = 2 * AMP_AT(v, r, c); });
    for (int r = 0; r < rows; r++)
        sum += AMP_AT(w, r, columns - 1);
    return sum;
}

static void arrays_of_arrays(void **state)
{
    (void)state;
    int table[3][4] = { { 1, 2, 3, 4 }, { 5, 6, 7, 8 }, { 9, 10, 11, 12 } }, out[3][4];
    float room[2][3][4];
    {
        AMP_ARRAY_VIEW(int, 2, v, table, 3, 4);
        AMP_ARRAY_VIEW(int, 1, row, table[2], 4);
        AMP_ARRAY_VIEW(float, 3, w, room, 2, 3, 4);
        check(v.data == &table[0][0] && row.data == &table[2][0] && w.data == &room[0][0][0]);
        AMP_PARALLEL_FOR_EACH(v.extent, (r, c), AMP_CAPTURE(v), { AMP_AT(v, r, c) += 10 * r; });
        AMP_PARALLEL_FOR_EACH(w.extent, (z, y, x), AMP_CAPTURE(w), {
            AMP_AT(w, z, y, x) = (float)(100 * z + 10 * y + x);
        });
        check_int(amp_copy_out(v, out), AMP_OK);
        check_int(amp_copy_out(v, out, 12), AMP_OK);
    }
    check_int(out[2][3], 32);
    check_int(table[2][3], 32);
    check(room[1][2][3] == 123.0f);
    AMP_ARRAY(int, 2, a, 3, 4);
    check_int(amp_copy_in(table, a), AMP_OK);
    check_int(amp_copy_in((const int(*)[4])table, 12, a), AMP_OK);
    check_int(amp_copy_out(a, &out[0][0]), AMP_OK);
    check_int(out[1][0], 15);
    check_int(sum_of_parameter(3, 4, (const int(*)[4])table), 2 * (4 + 18 + 32));
}

static void bad_arguments(void **state)
{
    (void)state;
    int some[12] = { 0 };
    const size_t large = (size_t)INT_MAX + 2;
    AMP_ARRAY_VIEW(int, 1, a, some, large);
    expect_error(AMP_INVALID_ARGUMENT,
                 "AMP_ARRAY_VIEW(int, 1, a): the extent 2147483649 in dimension 0 does not fit an int");
    AMP_ARRAY_VIEW(int, 2, b, some, 3, (size_t)-1);
    expect_error(AMP_INVALID_ARGUMENT, "in dimension 1 does not fit an int");
    AMP_ARRAY_VIEW(int, 1, c, NULL, 3);
    expect_error(AMP_INVALID_ARGUMENT, "AMP_ARRAY_VIEW(int, 1, c): the pointer is NULL");
    AMP_ARRAY_VIEW(int, 1, longer, some, 13);
    expect_error(AMP_INVALID_ARGUMENT, "the extent is (13), and the array has only 12 elements");
    int rows[3][4] = { { 0 } };
    AMP_ARRAY_VIEW(int, 2, turned, rows, 4, 3);
    expect_error(AMP_INVALID_ARGUMENT,
                 "the extent is (4, 3), and the array has rows of 4: rows come first, then columns");
    AMP_ARRAY_VIEW(int, 2, shorter, rows, 3, 2);
    expect_error(AMP_INVALID_ARGUMENT,
                 "the extent is (3, 2), and the array has rows of 4: rows come first, then columns");
    AMP_ARRAY_VIEW(int, 2, reshaped, &rows[0][0], 6, 2);
    check(reshaped.data == &rows[0][0]);
    amp_const_array_view_float_2 d = amp_const_array_view_float_2_create(NULL, AMP_EXTENT(1, 1));
    expect_error(AMP_INVALID_ARGUMENT, "amp_const_array_view_float_2_create: the pointer is NULL");
    amp_array_view_double_3 e = amp_array_view_double_3_create((double *)some, AMP_EXTENT(INT_MAX, INT_MAX, INT_MAX));
    expect_error(AMP_INVALID_ARGUMENT, "does not fit the address space");
    check(!a.amp_priv.kind && !b.amp_priv.kind && !c.amp_priv.kind && !d.amp_priv.kind && !e.amp_priv.kind);

    /* What was not created cannot be used, and says so. */
    check_int(amp_array_view_synchronize(&a), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_synchronize: this view or array was never created");
    check_int(amp_array_view_release(&a), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_release");
    check_int(amp_array_view_discard_data(&a), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_discard_data");
    check_int(amp_array_view_refresh(&a), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_refresh");
    (void)amp_section(a, 0, 1);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_section");
    (void)amp_array_view_retain(a);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_retain");
    (void)amp_data(a);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_data");
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(3), idx, AMP_CAPTURE(a), { AMP_AT(a, idx) = 1; });
    expect_error(AMP_UNINITIALIZED_OBJECT, "a was never created");

    /* Released twice. */
    amp_array_view_int_1 f = amp_array_view_int_1_create(some, AMP_EXTENT(12));
    check_int(amp_array_view_release(&f), AMP_OK);
    check_int(amp_array_view_release(&f), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "already released");
    amp_array_int_1 g = amp_array_int_1_create(AMP_EXTENT(12));
    check_int(amp_array_release(&g), AMP_OK);
    check_int(amp_array_release(&g), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_release");
}

/* Extents of every integer type, extent objects, expressions with effects. */
static void ways_to_say_an_extent(void **state)
{
    (void)state;
    int some[24] = { 0 };
    const unsigned char byte = 2;
    const size_t size = 3;
    long long wide = 4;
    enum { FOUR = 4 };
    AMP_ARRAY_VIEW(int, 3, a, some, byte, size, wide);
    check(amp_equal(a.extent, AMP_EXTENT(2, 3, 4)));
    AMP_ARRAY_VIEW(int, 3, b, some, a.extent);
    check(amp_equal(b.extent, a.extent));
    const amp_extent2 e = AMP_EXTENT(3, 8);
    AMP_CONST_ARRAY_VIEW(int, 2, c, some, e);
    check(amp_equal(c.extent, e));
    AMP_ARRAY_VIEW(int, 1, d, some, FOUR);
    check_int(d.extent.v[0], 4);
    AMP_ARRAY_VIEW(int, 1, f, some, AMP_EXTENT(5));
    check_int(f.extent.v[0], 5);
    int evaluated = 0;
    int *p = some;
    AMP_ARRAY_VIEW(int, 1, g, p++, ++evaluated);
    check_int(evaluated, 1);
    check(p == some + 1 && g.extent.v[0] == 1);
    if (evaluated)
        amp_array_view_synchronize(&g);
    else
        amp_array_view_refresh(&g);
    AMP_ARRAY(float, 2, h, e);
    check(amp_equal(h.extent, e));
    AMP_ARRAY_VIEW_NO_SOURCE(int16_t, 2, i, 5, byte);
    check(amp_equal(i.extent, AMP_EXTENT(5, 2)));
#define REAL float
#define RANK 2
    float reals[6];
    AMP_ARRAY_VIEW(REAL, RANK, j, reals, 2, 3);
    check(amp_equal(j.extent, AMP_EXTENT(2, 3)));
#undef REAL
#undef RANK
}

/* ---- arrays (cases 16, 17, 18, 20, 29, 31) ------------------------------------------------------------ */

static void arrays_from_ranges(void **state)
{
    (void)state;
    int some[20];
    for (int i = 0; i < 20; i++)
        some[i] = 100 + i;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_array_int_2 a = amp_array_int_2_create_from(AMP_EXTENT(3, 4), where, some, 13);
        expect_error(AMP_INVALID_ARGUMENT, "amp_array_int_2_create_from: 13 elements for an extent of 12");
        check(!a.amp_priv.kind);
        a = amp_array_int_2_create_from(AMP_EXTENT(3, 4), where, NULL, 12);
        expect_error(AMP_INVALID_ARGUMENT, "NULL");
        int got[12] = { 0 };
        a = amp_array_int_2_create_from(AMP_EXTENT(3, 4), where, some, AMP_UNCHECKED); /* begin only */
        check_int(amp_copy_out(a, got, 12), AMP_OK);
        check_ints(got, some, 12);
        amp_array_release(&a);
        amp_array_int_3 b = amp_array_int_3_create_from(AMP_EXTENT(2, 2, 3), where, some, 8); /* shorter */
        check_int(amp_copy_out(b, got), AMP_OK);
        check_ints(got, some, 8);
        amp_array_release(&b);
        amp_array_int_1 c = amp_array_int_1_create_from(AMP_EXTENT(12), where, some, 0);
        check(c.amp_priv.kind != 0);
        amp_array_release(&c);
    }
}

static void host_access(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        AMP_ARRAY_ON(where, int, 2, a, 10, 10);
        const bool accessible = amp_array_cpu_access_type(a) != AMP_ACCESS_NONE;
        check_int(accessible, shares(where));
        amp_array_int_2 none = amp_array_int_2_create_access(AMP_EXTENT(10, 10), where, AMP_ACCESS_NONE);
        (void)AMP_AT(none, 1, 1);
        expect_error(AMP_RUNTIME_ERROR, "not accessible on the CPU");
        const int *data = amp_data(none);
        check(!data);
        amp_array_release(&none);
        if (accessible) {
            AMP_AT(a, 1, 2) = 5;
            check_int(AMP_AT(a, AMP_INDEX(1, 2)), 5);
            data = amp_data(a);
            check(data == a.data);
        } else {
            (void)AMP_AT(a, 1, 1);
            expect_error(AMP_RUNTIME_ERROR, test_device(where)->path);
            data = amp_data(a);
            check(!data);
        }
        (void)amp_project(a, 10);
        expect_error(AMP_INVALID_ARGUMENT, "amp_project: the index is 10; it must be in 0 to 9");
        (void)amp_project(a, -1);
        expect_error(AMP_INVALID_ARGUMENT, "amp_project: the index is -1");
        /* A view on the array is accessible everywhere. */
        amp_array_view_int_2 v = amp_view_of(a);
        AMP_AT(v, 9, 9) = 7;
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), idx, AMP_CAPTURE(a), {
            (void)idx;
            AMP_AT(a, 9, 9) += 1;
        });
        check_int(AMP_AT(v, 9, 9), 8);
    }
}

static void staging_arrays(void **state)
{
    (void)state;
    amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    FOR_EACH_ONE_ACCELERATOR(where)
    {
        amp_array_int_1 s = amp_array_int_1_create_staging(AMP_EXTENT(100), cpu, where);
        check(amp_accelerator_view_equal(amp_array_accelerator_view(s), cpu));
        check(amp_accelerator_view_equal(amp_array_associated_accelerator_view(s), where));
        for (int i = 0; i < 100; i++)
            AMP_AT(s, i) = i;
        AMP_PARALLEL_FOR_EACH_ON(where, s.extent, idx, AMP_CAPTURE(s), { AMP_AT(s, idx) += 1; });
        expect_error(AMP_RUNTIME_ERROR, "s is a staging array");
        AMP_PARALLEL_FOR_EACH(s.extent, idx, AMP_CAPTURE(s), { AMP_AT(s, idx) += 1; });
        expect_error(AMP_RUNTIME_ERROR, "staging");
        AMP_ARRAY_ON(where, int, 1, a, 100);
        check_int(amp_copy(s, a), AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; });
        check_int(amp_copy(a, s), AMP_OK);
        for (int i = 0; i < 100; i++)
            check_int(AMP_AT(s, i), i + 1);
        amp_array_int_1 t = amp_array_copy(s);
        check(amp_accelerator_view_equal(amp_array_associated_accelerator_view(t), where));
        check_int(AMP_AT(t, 99), 100);
        amp_array_release(&t);
        amp_array_release(&s);
        if (test_is_cpu(where))
            continue;
        amp_array_int_1 d = amp_array_int_1_create_staging(AMP_EXTENT(4), where, cpu);
        check(amp_accelerator_view_equal(amp_array_accelerator_view(d), where));
        check(amp_accelerator_view_equal(amp_array_associated_accelerator_view(d), where));
        AMP_PARALLEL_FOR_EACH(d.extent, idx, AMP_CAPTURE(d), { AMP_AT(d, idx) = 1; });
        amp_array_release(&d);
    }
}

static void cpu_access(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        for (int access = AMP_ACCESS_NONE; access <= AMP_ACCESS_READ_WRITE; access++) {
            amp_array_int_1 a = amp_array_int_1_create_access(AMP_EXTENT(8), where, (amp_access_type)access);
            if (access != AMP_ACCESS_NONE && !shares(where)) {
                expect_error(AMP_INVALID_ARGUMENT, "does not share the host's memory");
                check(!a.amp_priv.kind);
                continue;
            }
            check_int(amp_array_cpu_access_type(a), access);
            amp_array_release(&a);
        }
        check_int(amp_accelerator_supports_cpu_shared_memory(amp_accelerator_view_accelerator(where)), shares(where));
        enum { N = 1000 };
        int hundred[N], got[N];
        for (int i = 0; i < N; i++)
            hundred[i] = 100;
        amp_array_int_1 a = amp_array_int_1_create_access(AMP_EXTENT(N), where, AMP_ACCESS_NONE);
        amp_copy_in(hundred, N, a);
        for (int i = 0; i < 100; i++)
            AMP_PARALLEL_FOR_EACH(a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 2; });
        amp_copy_out(a, got, N);
        for (int i = 0; i < N; i++)
            check_int(got[i], 300);
        amp_array_release(&a);
    }
}

/* An array that lives elsewhere than the launch (case 9), two arrays that do not agree. */
static void arrays_elsewhere(void **state)
{
    (void)state;
    amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    FOR_EACH_ACCELERATOR(where)
    {
        if (test_is_cpu(where))
            continue;
        AMP_ARRAY_ON(where, int, 1, a, 16);
        AMP_ARRAY_ON(cpu, int, 1, b, 16);
        AMP_PARALLEL_FOR_EACH_ON(cpu, a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) = 1; });
        check(strstr(test_heard.message, "the array a lives on") && strstr(test_heard.message, "the launch is on cpu"));
        expect_error(AMP_RUNTIME_ERROR, test_device(where)->path);
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, idx, AMP_CAPTURE(b), { AMP_AT(b, idx) = 1; });
        expect_error(AMP_RUNTIME_ERROR, "the array b lives on cpu");
        AMP_PARALLEL_FOR_EACH(a.extent, idx, AMP_CAPTURE(a, b), { AMP_AT(b, idx) = AMP_AT(a, idx); });
        check(strstr(test_heard.message, "kernel in arrays_elsewhere, at or near tests/memory/array_view.c:") &&
              strstr(test_heard.message, "the array a lives on") && strstr(test_heard.message, "the array b on cpu ("));
        expect_error(AMP_RUNTIME_ERROR, test_device(where)->path);
        /* A view on it goes anywhere (case 8). */
        int ones[16];
        for (int i = 0; i < 16; i++)
            ones[i] = i;
        amp_copy_in(ones, 16, b);
        amp_array_view_int_1 v = amp_view_of(b);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
        for (int i = 0; i < 16; i++)
            check_int(AMP_AT(b, i), i + 1);
    }
}

/* Explicit accelerator views (case 8), with a queue of their own. */
static void fresh_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(standard)
    {
        amp_accelerator_view where = amp_accelerator_create_view(amp_accelerator_view_accelerator(standard));
        int got[512], want[512];
        for (int i = 0; i < 512; i++)
            got[i] = want[i] = i;
        amp_array_int_3 a = amp_array_int_3_create_from(AMP_EXTENT(8, 8, 8), where, got, 512);
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; });
        AMP_PARALLEL_FOR_EACH_ON(standard, a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; });
        AMP_PARALLEL_FOR_EACH(a.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; });
        amp_copy_out(a, got, 512);
        for (int i = 0; i < 512; i++)
            want[i] += 3;
        check_ints(got, want, 512);
        amp_accelerator_view_release(&where); /* the array is an owner, too */
        amp_copy_out(a, got, 512);
        check_ints(got, want, 512);
        amp_array_release(&a);
    }
}

/* A device writes 17 through a view; an array made from the view sees it (case 29). Deep copies. */
static void arrays_from_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[64] = { 0 }, got[64];
        AMP_ARRAY_VIEW(int, 2, v, raw, 8, 8);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 17; });
        amp_array_int_2 a = amp_array_from(v, where);
        amp_array_int_2 b = amp_array_copy(a);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(a), { AMP_AT(a, idx) += 1; });
        amp_copy_out(a, got);
        for (int i = 0; i < 64; i++)
            check_int(got[i], 18);
        amp_copy_out(b, got);
        for (int i = 0; i < 64; i++)
            check_int(got[i], 17);
        amp_array_release(&a);
        amp_array_release(&b);
        /* Pending elsewhere: a view on the array was changed on the host. */
        amp_array_int_1 c = amp_array_int_1_create_from(AMP_EXTENT(64), where, got, 64);
        amp_array_view_int_1 w = amp_view_of(c);
        for (int i = 0; i < 64; i++)
            AMP_AT(w, i) = i;
        AMP_PARALLEL_FOR_EACH_ON(where, c.extent, idx, AMP_CAPTURE(c), { AMP_AT(c, idx) *= 2; });
        amp_copy_out(c, got);
        for (int i = 0; i < 64; i++)
            check_int(got[i], 2 * i);
        amp_array_release(&c);
    }
}

/* ---- parts (cases 21 to 25) -------------------------------------------------------------------------- */

static void sections(void **state)
{
    (void)state;
    int raw[60];
    for (int i = 0; i < 60; i++)
        raw[i] = i;
    AMP_ARRAY_VIEW(int, 1, a, raw, 10);
    check_int(amp_section(a, 1, 0).extent.v[0], 0);
    (void)amp_section(a, 11, 0);
    expect_error(AMP_INVALID_ARGUMENT,
                 "amp_section: in dimension 0 the origin is 11 and the extent is 0, of a view of extent 10");
    (void)amp_section(a, 8, 3);
    expect_error(AMP_INVALID_ARGUMENT, "the origin is 8 and the extent is 3");
    (void)amp_section(a, -1, 3);
    expect_error(AMP_INVALID_ARGUMENT, "the origin is -1");
    (void)amp_section(a, 1, -3);
    expect_error(AMP_INVALID_ARGUMENT, "the extent is -3");
    (void)amp_section(a, INT_MAX, INT_MAX);
    expect_error(AMP_INVALID_ARGUMENT, "amp_section");
    check_int(amp_section(a, AMP_INDEX(10)).extent.v[0], 0);
    (void)amp_section(a, AMP_INDEX(11));
    expect_error(AMP_INVALID_ARGUMENT, "amp_section");
    (void)amp_section(a, AMP_INDEX(INT_MIN));
    expect_error(AMP_INVALID_ARGUMENT, "amp_section");
    (void)amp_section(a, AMP_EXTENT(11));
    expect_error(AMP_INVALID_ARGUMENT, "amp_section");
    (void)amp_section(a, (int64_t)1 << 40, 1);
    expect_error(AMP_INVALID_ARGUMENT, "amp_section: the origin 1099511627776 in dimension 0 does not fit an int");
    AMP_ARRAY_VIEW(int, 3, b, raw, 3, 3, 3);
    (void)amp_section(b, 1, 1, 1, 2, 2, 3);
    expect_error(AMP_INVALID_ARGUMENT, "in dimension 2 the origin is 1 and the extent is 3");
    AMP_ARRAY_VIEW(int, 2, c, raw, 5, 4);
    const amp_array_view_int_2 corner = amp_section(c, AMP_INDEX(4, 4));
    check(amp_equal(corner.extent, AMP_EXTENT(1, 0)));
    (void)amp_section(c, AMP_INDEX(4, 5));
    expect_error(AMP_INVALID_ARGUMENT, "in dimension 1 the origin is 5 and the extent is -1");

    /* The four forms. */
    amp_array_view_int_2 s = amp_section(c, AMP_INDEX(1, 2), AMP_EXTENT(3, 2));
    check(amp_equal(s.extent, AMP_EXTENT(3, 2)) && AMP_AT(s, 2, 1) == 15);
    s = amp_section(c, AMP_INDEX(1, 2));
    check(amp_equal(s.extent, AMP_EXTENT(4, 2)) && AMP_AT(s, 3, 1) == 19);
    s = amp_section(c, AMP_EXTENT(2, 3));
    check(amp_equal(s.extent, AMP_EXTENT(2, 3)) && AMP_AT(s, 1, 2) == 6);
    s = amp_section(c, 1, 2, 3, 2);
    check(amp_equal(s.extent, AMP_EXTENT(3, 2)) && AMP_AT(s, 0, 0) == 6);
    amp_array_view_int_3 t = amp_section(b, 1, 1, 1, 2, 2, 2);
    check_int(AMP_AT(t, 1, 1, 1), 26);
    /* A section of a section, a projection of it. */
    amp_array_view_int_2 u = amp_section(s, 1, 0, 2, 1);
    check_int(AMP_AT(u, 1, 0), 14);
    amp_array_view_int_1 p = amp_project(u, 1);
    check(AMP_AT(p, 0) == 14 && p.extent.v[0] == 1);
    /* Of const views and of arrays. */
    amp_const_array_view_int_2 k = amp_section(amp_as_const(c), 1, 0, 2, 1);
    check_int(AMP_AT(k, 1, 0), 8);
    amp_array_int_2 array = amp_array_int_2_create_from(AMP_EXTENT(5, 4), (amp_accelerator_view){ 0 }, raw, 20);
    s = amp_section(array, 1, 2, 3, 2);
    check_int(AMP_AT(s, 2, 1), 15);
    p = amp_project(array, 4);
    check_int(AMP_AT(p, 3), 19);
    amp_array_release(&array);
}

static void other_shapes(void **state)
{
    (void)state;
    int raw[60];
    for (int i = 0; i < 60; i++)
        raw[i] = i;
    AMP_ARRAY_VIEW(int, 1, ten, raw, 10);
    (void)AMP_VIEW_AS(amp_array_view_int_2, ten, AMP_EXTENT(3, 4));
    expect_error(AMP_INVALID_ARGUMENT,
                 "AMP_VIEW_AS: the new shape (4 in dimension 1) has more elements than the 10 of the view");
    amp_array_view_int_2 small = AMP_VIEW_AS(amp_array_view_int_2, ten, AMP_EXTENT(2, 4));
    check_int(AMP_AT(small, 1, 3), 7);
    const amp_array_view_int_2 none = AMP_VIEW_AS(amp_array_view_int_2, ten, AMP_EXTENT(0, 4));
    check(amp_equal(none.extent, AMP_EXTENT(0, 4)));
    (void)AMP_VIEW_AS(amp_array_view_int_2, ten, AMP_EXTENT(-1, 4));
    expect_error(AMP_INVALID_ARGUMENT, "AMP_VIEW_AS: the extent is -1 in dimension 0; it must not be negative");
    AMP_ARRAY_VIEW(int, 1, sixty, raw, 60);
    amp_array_view_int_3 cube = AMP_VIEW_AS(amp_array_view_int_3, sixty, 4, 5, 3);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 5; j++)
            for (int k = 0; k < 3; k++) {
                check_int(AMP_AT(cube, i, j, k), (i * 5 + j) * 3 + k);
                AMP_AT(cube, i, j, k) += 1000;
            }
    for (int i = 0; i < 60; i++)
        check_int(AMP_AT(sixty, i), 1000 + i);
    amp_array_view_int_1 fifteen = amp_section(sixty, 20, 15);
    amp_const_array_view_int_1 front = AMP_VIEW_AS(amp_const_array_view_int_1, fifteen, AMP_EXTENT(10));
    check(front.extent.v[0] == 10 && AMP_AT(front, 9) == 1029);

    /* reinterpret_as */
    (void)AMP_REINTERPRET_AS(amp_array_view_triple_1, ten);
    expect_error(AMP_INVALID_ARGUMENT,
                 "AMP_REINTERPRET_AS: 40 bytes (10 of int) are not a whole number of triple (12 bytes each)");
    triple triples[10];
    for (int i = 0; i < 10; i++)
        triples[i] = (triple){ (float)i, (float)i + 0.25f, (float)i + 0.5f };
    AMP_ARRAY_VIEW(triple, 1, points, triples, 10);
    amp_array_view_float_1 floats = AMP_REINTERPRET_AS(amp_array_view_float_1, points);
    check_int(floats.extent.v[0], 30);
    for (int i = 0; i < 30; i++)
        check(AMP_AT(floats, i) == (float)(i / 3) + 0.25f * (float)(i % 3));
    amp_const_array_view_uint8_t_1 bytes = AMP_REINTERPRET_AS(amp_const_array_view_uint8_t_1, floats);
    check_int(bytes.extent.v[0], 120);
    amp_array_view_triple_1 back = AMP_REINTERPRET_AS(amp_array_view_triple_1, floats);
    check_int(back.extent.v[0], 10);
    /* A part of an element of the source. */
    (void)amp_section(floats, 1, 3);
    expect_error(AMP_INVALID_ARGUMENT, "bytes 4 to 16 of the source do not begin and end at elements of 12 bytes");
    floats = amp_section(floats, 3, 9 - 3);
    check_int(floats.extent.v[0], 6);
    /* Arrays of any rank. */
    amp_array_int_2 array = amp_array_int_2_create_from(AMP_EXTENT(6, 10), (amp_accelerator_view){ 0 }, raw, 60);
    amp_array_view_int_1 flat = AMP_VIEW_AS(amp_array_view_int_1, array, 60);
    check_int(AMP_AT(flat, 59), raw[59]);
    amp_array_view_float_1 odd = AMP_REINTERPRET_AS(amp_array_view_float_1, array);
    check_int(odd.extent.v[0], 60);
    amp_array_release(&array);
}

/* Views of any rank whose elements lie side by side, and those that do not. */
static void shapes_of_contiguous_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[4][3][5];
        for (int i = 0; i < 60; i++)
            raw[i / 15][i / 5 % 3][i % 5] = i;
        AMP_ARRAY_VIEW(int, 3, cube, raw, 4, 3, 5);
        const amp_array_view_int_1 planes = AMP_VIEW_AS(amp_array_view_int_1, amp_section(cube, 1, 0, 0, 2, 3, 5), 30);
        const amp_array_view_int_2 piece = AMP_VIEW_AS(amp_array_view_int_2, amp_section(cube, 3, 2, 1, 1, 1, 4), 2, 2);
        const amp_array_view_int_2 rows = AMP_VIEW_AS(amp_array_view_int_2, cube, 12, 5);
        AMP_PARALLEL_FOR_EACH_ON(where, planes.extent, (i), AMP_CAPTURE(planes), { AMP_AT(planes, i) += 1000; });
        AMP_PARALLEL_FOR_EACH_ON(where, piece.extent, (i, j), AMP_CAPTURE(piece), { AMP_AT(piece, i, j) += 100; });
        check(AMP_AT(rows, 3, 0) == 1015 && AMP_AT(rows, 8, 4) == 1044 && AMP_AT(rows, 9, 0) == 45);
        check(AMP_AT(rows, 11, 0) == 55 && AMP_AT(rows, 11, 1) == 156 && AMP_AT(rows, 11, 4) == 159);
        const amp_const_array_view_uint32_t_1 bits =
            AMP_REINTERPRET_AS(amp_const_array_view_uint32_t_1, amp_project(cube, 2));
        check(bits.extent.v[0] == 15 && AMP_AT(bits, 14) == 1044);

        (void)AMP_VIEW_AS(amp_array_view_int_1, amp_section(cube, 0, 0, 1, 4, 3, 4), 48);
        expect_error(AMP_INVALID_ARGUMENT,
                     "AMP_VIEW_AS: the view of extent (4, 3, 4) is not contiguous: other elements "
                     "of its source lie between its own; take whole rows, or copy it");
        (void)AMP_REINTERPRET_AS(amp_array_view_float_1, amp_section(cube, 0, 0, 0, 4, 2, 5));
        expect_error(AMP_INVALID_ARGUMENT, "AMP_REINTERPRET_AS: the view of extent (4, 2, 5) is not contiguous");
        const amp_array_view_int_1 none = AMP_VIEW_AS(amp_array_view_int_1, amp_section(cube, 0, 0, 1, 4, 0, 4), 0);
        check_int(none.extent.v[0], 0);
    }
}

/* Parts that begin behind the first 2^31 elements of a view. */
static void far_parts(void **state)
{
    (void)state;
    const int rows = 1 << 16, width = 40000;
    int8_t *const raw = sizeof(size_t) > 4 ? calloc((size_t)rows, (size_t)width) : NULL;
    if (!raw)
        skip();
    AMP_ARRAY_VIEW(int8_t, 2, all, raw, rows, width);
    const amp_array_view_int8_t_2 last = amp_section(all, rows - 2, 0, 2, width);
    const amp_array_view_int8_t_1 line = AMP_VIEW_AS(amp_array_view_int8_t_1, last, 2 * width);
    const amp_array_view_int_1 words = AMP_REINTERPRET_AS(amp_array_view_int_1, amp_project(all, rows - 1));
    AMP_AT(line, 2 * width - 1) = 3;
    AMP_PARALLEL_FOR_EACH_ON(amp_accelerator_default_view(amp_accelerator_from_path("cpu")), words.extent, (i),
                             AMP_CAPTURE(words, all), {
        if (i == 1) AMP_AT(words, i) = 7 * AMP_AT(all, 65535, 39999);
    });
    check_int(AMP_AT(words, 1), 21);
    check_int(AMP_AT(line, width + 4) + AMP_AT(line, width + 7), 21); /* in either order of bytes */
    check_int(raw[(size_t)rows * (size_t)width - 1], 3);
    amp_array_view_release(&all);
    free(raw);
}

/* Of 50 values, section(10, 30) seen as 3 x 10; overlapping sections read each other's writes (case 24). */
static void overlapping_sections(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[50] = { 0 };
        AMP_ARRAY_VIEW(int, 1, base, raw, 50);
        amp_array_view_int_1 middle = amp_section(base, 10, 30);
        amp_array_view_int_2 table = AMP_VIEW_AS(amp_array_view_int_2, middle, 3, 10);
        AMP_AT(table, 2, 2) = 13;
        check_int(AMP_AT(base, 32), 13);
        amp_array_view_int_2 column = amp_section(table, 0, 3, 3, 1);
        AMP_PARALLEL_FOR_EACH_ON(where, column.extent, idx, AMP_CAPTURE(column), { AMP_AT(column, idx) += 7; });
        check_int(AMP_AT(middle, 3), 7);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(50), idx, AMP_CAPTURE(base), { AMP_AT(base, idx) += 1; });
        check_int(AMP_AT(column, 1, 0), 8);
        check_int(AMP_AT(table, 2, 2), 14);
        for (int i = 0; i < 50; i++)
            check_int(AMP_AT(base, i), 1 + (i == 32 ? 13 : i == 13 || i == 23 || i == 33 ? 7 : 0));
    }
}

static void copies_inside_one_source(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[200], got[200];
        for (int i = 0; i < 200; i++)
            raw[i] = i;
        amp_array_int_2 a = amp_array_int_2_create_from(AMP_EXTENT(10, 20), where, raw, 200);
        amp_array_view_int_2 left = amp_section(a, 0, 0, 10, 10), right = amp_section(a, 0, 10, 10, 10);
        check_int(amp_copy(left, right), AMP_OK); /* case 25 */
        amp_copy_out(a, got);
        for (int i = 0; i < 200; i++)
            check_int(got[i], i / 20 * 20 + i % 10);
        amp_array_view_int_2 across = amp_section(a, 0, 9, 10, 10);
        check_int(amp_copy(left, across), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_copy: source and destination are overlapping parts of the same data");
        check_int(amp_copy(a, amp_view_of(a)), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "overlapping");
        amp_copy_out(a, got);
        for (int i = 0; i < 200; i++)
            check_int(got[i], i / 20 * 20 + i % 10);
        amp_array_release(&a);
    }
}

/* The same inside of a view of another shape than its source, which begins anywhere. */
static void copies_inside_another_shape(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    for (int first = 0; first < 30; first += 7) {
        int raw[230];
        for (int i = 0; i < 230; i++)
            raw[i] = i;
        AMP_ARRAY_VIEW(int, 1, line, raw, 230);
        amp_array_view_int_2 v = AMP_VIEW_AS(amp_array_view_int_2, amp_section(line, first, 200), 10, 20);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1000; });
        amp_array_view_int_2 left = amp_section(v, 0, 0, 10, 10), right = amp_section(v, 0, 10, 10, 10);
        check_int(amp_copy(left, right), AMP_OK);
        amp_array_view_int_2 across = amp_section(v, 0, 9, 10, 10);
        check_int(amp_copy(left, across), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_copy: source and destination are overlapping parts of the same data");
        check_int(amp_copy(across, right), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "overlapping");
        amp_array_view_synchronize(&line);
        for (int i = 0; i < 230; i++) {
            const int k = i - first, kept = k < 0 || k >= 200;
            check_int(raw[i], kept ? i : 1000 + first + k / 20 * 20 + k % 10);
        }
    }
}

/* Which sections of two shapes on one source have elements in common, compared with all their elements. */
static void exact_overlaps(void **state)
{
    (void)state;
    enum { SIZE = 60 };
    int raw[SIZE] = { 0 }, met = 0, apart = 0;
    AMP_ARRAY_VIEW(int, 1, line, raw, SIZE);
    for (int round = 0; round < 2000; round++) {
        const int wide_a = test_random_int(1, 12), wide_b = test_random_int(1, 12);
        const int from_a = test_random_int(0, 6 - 1), from_b = test_random_int(0, 6 - 1);
        amp_array_view_int_2 a =
            AMP_VIEW_AS(amp_array_view_int_2, amp_section(line, AMP_INDEX(from_a)), (SIZE - from_a) / wide_a, wide_a);
        amp_array_view_int_2 b =
            AMP_VIEW_AS(amp_array_view_int_2, amp_section(line, AMP_INDEX(from_b)), (SIZE - from_b) / wide_b, wide_b);
        const int row_a = test_random_int(0, a.extent.v[0] - 1), row_b = test_random_int(0, b.extent.v[0] - 1);
        const int column_a = test_random_int(0, wide_a - 1), column_b = test_random_int(0, wide_b - 1);
        const int rows_a = a.extent.v[0] - row_a, rows_b = b.extent.v[0] - row_b;
        const int columns_a = wide_a - column_a, columns_b = wide_b - column_b;
        const int rows = test_random_int(1, rows_a < rows_b ? rows_a : rows_b);
        const int columns = test_random_int(1, columns_a < columns_b ? columns_a : columns_b);
        a = amp_section(a, row_a, column_a, rows, columns);
        b = amp_section(b, row_b, column_b, rows, columns);
        bool in_a[SIZE] = { false }, common = false;
        for (int i = 0; i < rows * columns; i++)
            in_a[amp_get_ref(a, i / columns, i % columns) - raw] = true;
        for (int i = 0; i < rows * columns; i++)
            common = common || in_a[amp_get_ref(b, i / columns, i % columns) - raw];
        check_int(amp_copy(a, b), common ? AMP_INVALID_ARGUMENT : AMP_OK);
        if (common)
            expect_error(AMP_INVALID_ARGUMENT, "overlapping");
        met += common;
        apart += !common;
    }
    check(met > 100 && apart > 100);
}

/* ---- write-back, discard, refresh (cases 26 to 28, 30) ------------------------------------------------ */

static void write_first(amp_accelerator_view where, amp_array_view_int_1 v, int value)
{
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), idx, AMP_CAPTURE(v, value), { AMP_AT(v, idx) = value; });
}

static void write_back(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[10] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, v, raw, 10);
            write_first(where, v, 17);
            if (!shares(where))
                check_int(raw[0], 0);
        }
        check_int(raw[0], 17);
        {
            AMP_ARRAY_VIEW(int, 1, v, raw, 10);
            amp_array_view_int_1 alias = amp_array_view_retain(v);
            write_first(where, alias, 18);
            check_int(amp_array_view_release(&alias), AMP_OK);
            if (!shares(where))
                check_int(raw[0], 17); /* not the last one */
        }
        check_int(raw[0], 18);
        {
            AMP_ARRAY_VIEW(int, 1, v, raw, 10);
            amp_array_view_int_1 alias = amp_array_view_retain(v);
            amp_array_view_release(&v);
            write_first(where, alias, 19);
            amp_array_view_release(&alias);
            check_int(raw[0], 19);
        }
        {
            AMP_ARRAY_VIEW(int, 1, v, raw, 10);
            write_first(where, v, 20);
            check_int(amp_array_view_synchronize(&v), AMP_OK);
            check_int(raw[0], 20);
            write_first(where, v, 21);
            amp_future future = amp_array_view_synchronize_async(&v);
            check(amp_future_valid(future));
            check_int(amp_future_wait(future), AMP_OK);
            check_int(raw[0], 21);
            amp_future_release(&future);
            /* With write access the caller may change the source directly. */
            write_first(where, v, 22);
            check_int(amp_array_view_synchronize(&v, AMP_ACCESS_WRITE), AMP_OK);
            raw[0] += 100;
            write_first(where, amp_section(v, 1, 9), 5);
            check_int(AMP_AT(v, 0), 122);
            check_int(AMP_AT(v, 1), 5);
            check_int(amp_array_view_synchronize(&v, AMP_ACCESS_NONE), AMP_OK);
            check_int(amp_array_view_synchronize(&v, (amp_access_type)77), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "access type is 77");
        }
    }
}

static void discard(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[10];
        for (int i = 0; i < 10; i++)
            raw[i] = 20;
        AMP_ARRAY_VIEW(int, 1, v, raw, 10);
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 5; });
        amp_array_view_synchronize(&v);
        for (int i = 0; i < 10; i++)
            check_int(raw[i], 5); /* case 27 */
        if (shares(where))
            continue;
        check_int(amp_source_counters(v).bytes_to_device, discarded_bytes(sizeof raw));
        /* Discarded and written by nobody: not written back, not even at the end. */
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 6; });
        amp_array_view_int_1 half = amp_section(v, 0, 5);
        amp_array_view_discard_data(&half);
        amp_array_view_synchronize(&v);
        for (int i = 0; i < 10; i++)
            check_int(raw[i], i < 5 ? 5 : 6);
    }
}

/* A view without a data source: discarding does not poison what a device holds (case 28). */
static void without_source(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[100];
        AMP_ARRAY(int, 1, result, 100);
        AMP_ARRAY_VIEW_NO_SOURCE(int, 1, v, 100);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = idx.v[0]; });
        amp_array_view_discard_data(&v);
        amp_array_view_int_1 out = amp_view_of(result);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v, out), { AMP_AT(out, idx) = AMP_AT(v, idx); });
        amp_copy_out(result, got);
        for (int i = 0; i < 100; i++)
            check_int(got[i], i);
        check_int(amp_source_counters(v).bytes_to_device, 0);

        AMP_ARRAY_VIEW_NO_SOURCE(float, 2, w, 4, 4);
        check_int(amp_array_view_synchronize(&w), AMP_OK);
        check_int(amp_array_view_refresh(&w), AMP_OK);
        (void)amp_array_view_source_accelerator_view(w);
        expect_error(AMP_RUNTIME_ERROR, "has no data source");
        AMP_AT(w, 3, 3) = 1.5f;
        check(AMP_AT(w, 3, 3) == 1.5f);
        amp_array_view_float_1 row = amp_project(w, 3);
        const float *const data = amp_data(row), *const again = amp_data(row);
        check(data != NULL && data == again && data[3] == 1.5f);
    }
}

static void refresh(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[100] = { 0 }, seen[1] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, raw, 100);
        amp_array_view_int_1 alias = amp_array_view_retain(v);
        AMP_ARRAY_VIEW(int, 1, out, seen, 1);
        amp_array_view_synchronize_to(&v, where);
        raw[17] = 93;
        amp_array_view_refresh(&v);
        check_int(AMP_AT(v, 17), 93);
        check_int(AMP_AT(alias, 17), 93);
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, i, AMP_CAPTURE(alias, out), {
            AMP_AT(out, i) = AMP_AT(alias, 17);
        });
        check_int(AMP_AT(out, 0), 93);
        amp_data(v)[17] = 94; /* through data */
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, i, AMP_CAPTURE(alias, out), {
            AMP_AT(out, i) = AMP_AT(alias, 17);
        });
        check_int(AMP_AT(out, 0), 94);
        amp_data(v)[17] = 95;
        amp_array_view_refresh(&v);
        AMP_PARALLEL_FOR_EACH_ON(where, out.extent, i, AMP_CAPTURE(alias, out), {
            AMP_AT(out, i) = AMP_AT(alias, 17);
        });
        check_int(AMP_AT(out, 0), 95);
        amp_array_view_release(&alias);
    }
}

/* Const views read, get_ref asks nobody. */
static void const_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[64] = { 0 };
        AMP_ARRAY_VIEW(int, 2, v, raw, 8, 8);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) = 3; });
        amp_const_array_view_int_2 c = amp_as_const(v);
        check_int(AMP_AT(c, 7, 7), 3);
        const uint64_t up = amp_source_counters(v).bytes_to_device;
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
        check_int(amp_source_counters(v).bytes_to_device, up); /* reading left the device's copy valid */
        check_int(AMP_AT(v, 7, 7), 4);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
        check_int(amp_source_counters(v).bytes_to_device, shares(where) ? 0 : up + 256); /* access by a view writes */
        amp_array_view_synchronize(&v);
        check(amp_get_ref(v, 1, 1) == &raw[9] && *amp_get_ref(v, AMP_INDEX(1, 1)) == 5);
    }
}

/* ---- what is moved ------------------------------------------------------------------------------------ */

static void counters(void **state)
{
    (void)state;
    FOR_EACH_ONE_ACCELERATOR(where) /* of a group the bands decide */
    {
        enum { SIDE = 100, SIZE = SIDE * SIDE, BYTES = SIZE * (int)sizeof(float) };
        float *const a = test_allocate(BYTES), *const b = test_allocate(BYTES), *const c = test_allocate(BYTES);
        for (int i = 0; i < SIZE; i++) {
            a[i] = (float)i;
            b[i] = 1.0f;
            c[i] = 0.0f;
        }
        const uint64_t once = shares(where) ? 0 : BYTES;
        amp_total_counters_reset();
        {
            AMP_CONST_ARRAY_VIEW(float, 2, va, a, SIDE, SIDE);
            AMP_ARRAY_VIEW(float, 2, vb, b, SIDE, SIDE);
            AMP_ARRAY_VIEW(float, 2, vc, c, SIDE, SIDE);
            amp_array_view_discard_data(&vc);
            AMP_PARALLEL_FOR_EACH_ON(where, vc.extent, i, AMP_CAPTURE(va, vb, vc), {
                AMP_AT(vc, i) = AMP_AT(va, i) + AMP_AT(vb, i);
            });
            for (int k = 0; k < 10; k++) {
                AMP_PARALLEL_FOR_EACH_ON(where, vc.extent, i, AMP_CAPTURE(va, vb), { AMP_AT(vb, i) += AMP_AT(va, i); });
                AMP_PARALLEL_FOR_EACH_ON(where, vc.extent, i, AMP_CAPTURE(vb, vc), { AMP_AT(vc, i) += AMP_AT(vb, i); });
            }
            check_int(amp_source_counters(va).bytes_to_device, once);
            check_int(amp_source_counters(vb).bytes_to_device, once);
            check_int(amp_source_counters(vc).bytes_to_device, discarded_bytes(once));
            check_int(amp_total_counters().bytes_to_host, 0);
            amp_array_view_synchronize(&vb);
            amp_array_view_synchronize(&vc);
            amp_array_view_synchronize(&vc);
            check_int(amp_source_counters(va).bytes_to_host, 0);
            check_int(amp_source_counters(vb).bytes_to_host, once);
            check_int(amp_source_counters(vc).bytes_to_host, once);
            amp_source_counters_reset(vc);
            check_int(amp_source_counters(vc).bytes_to_host, 0);
        }
        check_int(amp_total_counters().bytes_to_device, 2 * once + discarded_bytes(once));
        check_int(amp_total_counters().bytes_to_host, 2 * once);
        check_int(amp_total_counters().transfers_to_device, once ? 2 + (discarded_bytes(once) > 0) : 0);
        check_int(amp_total_counters().transfers_to_host, once ? 2 : 0);
        float sum = 1.0f, value = 1.0f;
        value = 8.0f + sum;
        sum = 1.0f;
        for (int k = 0; k < 10; k++) {
            sum += 8.0f;
            value += sum;
        }
        check(c[8] == value);

        /* A section of 1 percent moves 1 percent, each way, as one rectangle. */
        amp_total_counters_reset();
        {
            AMP_ARRAY_VIEW(float, 2, v, a, SIDE, SIDE);
            amp_array_view_float_2 s = amp_section(v, 40, 50, 10, 10);
            AMP_PARALLEL_FOR_EACH_ON(where, s.extent, i, AMP_CAPTURE(s), { AMP_AT(s, i) = 0.0f; });
        }
        check_int(amp_total_counters().bytes_to_device, once / 100);
        check_int(amp_total_counters().transfers_to_device, once ? 1 : 0);
        check_int(amp_total_counters().bytes_to_host, once / 100);
        check_int(amp_total_counters().transfers_to_host, once ? 1 : 0);
        for (int i = 0; i < SIZE; i++)
            check(a[i] == (i / SIDE >= 40 && i / SIDE < 50 && i % SIDE >= 50 && i % SIDE < 60 ? 0.0f : (float)i));

        /* Two disjoint sections; only what changed on the host goes up again. */
        amp_total_counters_reset();
        {
            AMP_ARRAY_VIEW(float, 1, v, a, SIZE);
            amp_array_view_float_1 low = amp_section(v, 0, SIZE / 2), one = amp_section(v, 7, 1);
            AMP_PARALLEL_FOR_EACH_ON(where, low.extent, i, AMP_CAPTURE(low), { AMP_AT(low, i) += 1.0f; });
            AMP_AT(one, 0) = 70.0f;
            AMP_PARALLEL_FOR_EACH_ON(where, low.extent, i, AMP_CAPTURE(low), { AMP_AT(low, i) += 1.0f; });
            check_int(amp_total_counters().bytes_to_device, once ? once / 2 + sizeof(float) : 0);
            check_int(amp_total_counters().bytes_to_host, once ? sizeof(float) : 0);
            check(AMP_AT(one, 0) == 71.0f);
        }
        /* A copy wholly overwrites: nothing of the destination goes up; nothing of the source comes home. */
        amp_total_counters_reset();
        {
            AMP_ARRAY_VIEW(float, 1, from, a, SIZE);
            AMP_PARALLEL_FOR_EACH_ON(where, from.extent, i, AMP_CAPTURE(from), { AMP_AT(from, i) = -5.0f; });
            amp_total_counters_reset();
            AMP_ARRAY_ON(where, float, 1, to, SIZE);
            amp_copy(from, to);
            check_int(amp_total_counters().bytes_to_device + amp_total_counters().bytes_to_host, 0);
            if (once)
                check(a[0] != -5.0f);
            amp_copy_out(to, b, SIZE);
            check_int(amp_total_counters().bytes_to_host, once);
            check(b[0] == -5.0f && b[SIZE - 1] == -5.0f);
        }
        free(a);
        free(b);
        free(c);
    }
}

/* ---- copies (cases 19, 31) ---------------------------------------------------------------------------- */

static void copy_sizes(void **state)
{
    (void)state;
    int raw[200] = { 0 };
    for (int larger = 2; larger <= 6; larger++) {
        amp_array_int_1 a = amp_array_int_1_create(AMP_EXTENT(larger)),
                        b = amp_array_int_1_create(AMP_EXTENT(larger - 1));
        check_int(amp_copy(a, b), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_copy: the source's extent is ");
        check_int(amp_copy(b, a), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "they must be equal");
        check_int(amp_copy_in(raw, larger + 1, a), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_copy_in: ");
        check_int(amp_copy_in(raw, larger - 1, a), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "elements of host memory for an extent of ");
        check_int(amp_copy_out(a, raw, larger - 1), AMP_INVALID_ARGUMENT);
        expect_error(AMP_INVALID_ARGUMENT, "amp_copy_out: ");
        check_int(amp_copy_in(raw, a), AMP_OK);
        amp_array_release(&a);
        amp_array_release(&b);
    }
    AMP_ARRAY_VIEW(int, 2, v, raw, 20, 10);
    AMP_ARRAY(int, 2, a, 10, 20);
    check_int(amp_copy(v, a), AMP_INVALID_ARGUMENT);
    expect_error(AMP_INVALID_ARGUMENT, "the source's extent is 20 in dimension 0, the destination's is 10");
    check_int(amp_copy_in(NULL, 200, a), AMP_INVALID_ARGUMENT);
    expect_error(AMP_INVALID_ARGUMENT, "NULL");
    amp_future future = amp_copy_async(v, a);
    expect_error(AMP_INVALID_ARGUMENT, "amp_copy_async: ");
    check(!amp_future_valid(future));
}

#define COPY_RANK(N, ...)                                                                                              \
    do {                                                                                                               \
        const amp_extent##N extent = AMP_EXTENT(__VA_ARGS__);                                                          \
        const size_t size = amp_size(extent);                                                                          \
        int *const data = test_allocate(size * sizeof(int)), *const got = test_allocate(size * sizeof(int));           \
        for (size_t i = 0; i < size; i++)                                                                              \
            data[i] = (int)i * 3 + 1;                                                                                  \
        {                                                                                                              \
            AMP_CONST_ARRAY_VIEW(int, N, v, data, extent);                                                             \
            AMP_ARRAY_ON(where, int, N, a, extent);                                                                    \
            AMP_ARRAY_ON(where, int, N, b, extent);                                                                    \
            test_poison(got, size);                                                                                    \
            AMP_ARRAY_VIEW(int, N, w, got, extent);                                                                    \
            check_int(amp_copy(v, a), AMP_OK);                                                                         \
            check_int(amp_copy(a, b), AMP_OK);                                                                         \
            check_int(amp_copy(b, w), AMP_OK);                                                                         \
            amp_array_view_synchronize(&w);                                                                            \
            check_ints(got, data, size);                                                                               \
            test_poison(got, size);                                                                                    \
            check_int(amp_copy_out(b, got, size), AMP_OK);                                                             \
            check_ints(got, data, size);                                                                               \
            /* A part, which has gaps in most ranks. */                                                                \
            amp_index##N one;                                                                                          \
            amp_extent##N part;                                                                                        \
            for (int d = 0; d < N; d++) {                                                                              \
                one.v[d] = extent.v[d] > 2;                                                                            \
                part.v[d] = extent.v[d] - 2 * one.v[d];                                                                \
            }                                                                                                          \
            amp_array_##int##_##N c = amp_array_int_##N##_create_on(part, where);                                      \
            check_int(amp_copy(amp_section(a, one, part), c), AMP_OK);                                                 \
            AMP_PARALLEL_FOR_EACH_ON(where, part, idx, AMP_CAPTURE(c), { AMP_AT(c, idx) = -AMP_AT(c, idx); });         \
            amp_array_view_int_##N inner = amp_section(b, one, part);                                                  \
            check_int(amp_copy(c, inner), AMP_OK);                                                                     \
            check_int(amp_copy_out(b, got, size), AMP_OK);                                                             \
            for (size_t i = 0; i < size; i++) {                                                                        \
                amp_index##N at;                                                                                       \
                size_t rest = i;                                                                                       \
                for (int d = N - 1; d >= 0; d--) {                                                                     \
                    at.v[d] = (int)(rest % (size_t)extent.v[d]) - one.v[d];                                            \
                    rest /= (size_t)extent.v[d];                                                                       \
                }                                                                                                      \
                check_int(got[i], amp_contains(part, at) ? -data[i] : data[i]);                                        \
            }                                                                                                          \
            amp_array_release(&c);                                                                                     \
        }                                                                                                              \
        free(data);                                                                                                    \
        free(got);                                                                                                     \
    } while (0)

static void copy_ranks(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        COPY_RANK(1, 1000);
        COPY_RANK(2, 30, 40);
        COPY_RANK(3, 5, 6, 7);
        COPY_RANK(4, 3, 5, 4, 6);
        COPY_RANK(5, 3, 4, 3, 5, 2);
        COPY_RANK(6, 3, 2, 4, 3, 3, 4);
        COPY_RANK(7, 2, 3, 4, 1, 3, 4, 3);
        COPY_RANK(8, 3, 2, 3, 1, 4, 3, 2, 3);
    }
    /* One never-written cpu array to another: equal (case 31). */
    amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    AMP_ARRAY_ON(cpu, int, 4, a, 3, 4, 5, 6);
    AMP_ARRAY_ON(cpu, int, 4, b, 3, 4, 5, 6);
    check_int(amp_copy(a, b), AMP_OK);
    const int *const one = amp_data(a), *const other = amp_data(b);
    check(!memcmp(one, other, 360 * sizeof(int)));
}

/* Between all pairs of accelerators, views and arrays. */
static void copy_between(amp_accelerator_view first, amp_accelerator_view second)
{
    int raw[120], other[120] = { 0 }, got[120];
    for (int i = 0; i < 120; i++)
        raw[i] = i;
    AMP_ARRAY_VIEW(int, 2, v, raw, 10, 12);
    AMP_ARRAY_VIEW(int, 2, w, other, 10, 12);
    AMP_ARRAY_ON(first, int, 2, a, 10, 12);
    AMP_ARRAY_ON(second, int, 2, b, 10, 12);
    AMP_PARALLEL_FOR_EACH_ON(first, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
    check_int(amp_copy(v, a), AMP_OK);
    check_int(amp_copy(a, b), AMP_OK);
    AMP_PARALLEL_FOR_EACH_ON(second, b.extent, idx, AMP_CAPTURE(b), { AMP_AT(b, idx) += 1; });
    check_int(amp_copy(b, w), AMP_OK);
    AMP_PARALLEL_FOR_EACH_ON(first, w.extent, idx, AMP_CAPTURE(w), { AMP_AT(w, idx) += 1; });
    /* Parts that are in different places. */
    amp_array_view_int_2 quarter = amp_section(w, 5, 6, 5, 6), corner = amp_section(w, 0, 0, 1, 1);
    AMP_PARALLEL_FOR_EACH_ON(second, quarter.extent, idx, AMP_CAPTURE(quarter), { AMP_AT(quarter, idx) += 100; });
    AMP_AT(corner, 0, 0) += 1000;
    check_int(amp_copy(w, a), AMP_OK);
    check_int(amp_copy_out(a, got), AMP_OK);
    for (int i = 0; i < 120; i++)
        check_int(got[i], i + 3 + (i / 12 >= 5 && i % 12 >= 6 ? 100 : 0) + (i == 0 ? 1000 : 0));
}

static void copy_between_accelerators(void **state)
{
    (void)state;
    const int count = amp_accelerator_get_all(NULL, 0);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++)
            copy_between(test_view(i), test_view(j));
}

/* ---- copies with host memory that lies under a view ------------------------------------------------ */

static void set_all(amp_accelerator_view where, amp_array_view_int_2 v, int value)
{
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j), AMP_CAPTURE(v, value), { AMP_AT(v, i, j) = value; });
}

enum { UNDER_ROWS = 6, UNDER_COLUMNS = 10, UNDER_SIZE = UNDER_ROWS * UNDER_COLUMNS, UNDER_COUNT = 30 };
enum under_way { UNDER_NOW, UNDER_LATER, UNDER_TWO_VIEWS, UNDER_WAYS };

/* Two views side by side, with ones that a kernel wrote; copies fives into their memory, and adds 1 to the first. */
static void copy_out_under(amp_accelerator_view where, amp_array_int_1 fives, int *raw, int first, bool later)
{
    AMP_ARRAY_VIEW(int, 2, v, raw, UNDER_ROWS, UNDER_COLUMNS);
    AMP_ARRAY_VIEW(int64_t, 1, w, (int64_t *)(void *)(raw + UNDER_SIZE), UNDER_SIZE / 2);
    set_all(where, v, 1);
    AMP_PARALLEL_FOR_EACH_ON(where, w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) = 0x100000001; });
    if (later) {
        amp_future future = amp_copy_out_async(fives, raw + first, UNDER_COUNT);
        check_int(amp_future_get(future), AMP_OK);
        amp_future_release(&future);
    } else {
        check_int(amp_copy_out(fives, raw + first, UNDER_COUNT), AMP_OK);
    }
    for (int i = 0; i < UNDER_COUNT; i++)
        check_int(raw[first + i], 5);
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

/* What amp_copy_out writes under a view with pending changes stays, and kernels see it: also in the middle of rows and
   of elements. */
static void copy_out_under_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        amp_array_int_1 fives = amp_array_int_1_create_on(AMP_EXTENT(UNDER_COUNT), where);
        AMP_PARALLEL_FOR_EACH_ON(where, fives.extent, (i), AMP_CAPTURE(fives), { AMP_AT(fives, i) = 5; });
        for (int way = 0; way < UNDER_WAYS; way++) {
            _Alignas(int64_t) int raw[2 * UNDER_SIZE] = { 0 };
            const int first = way == UNDER_TWO_VIEWS ? UNDER_SIZE - UNDER_COUNT / 2 : 13;
            copy_out_under(where, fives, raw, first, way == UNDER_LATER);
            for (int i = 0; i < 2 * UNDER_SIZE; i++)
                check_int(raw[i], (i >= first && i < first + UNDER_COUNT ? 5 : 1) + (i < UNDER_SIZE));
        }
        amp_array_release(&fives);
    }
    expect_no_error();
}

/* A refresh behind amp_copy_out declares the memory's contents, as ever; so does amp_copy_out after a discard. */
static void copy_out_and_refresh(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[32] = { 0 };
        AMP_ARRAY_ON(where, int, 2, a, 4, 8);
        set_all(where, amp_view_of(a), 5);
        AMP_ARRAY_VIEW(int, 2, v, raw, 4, 8);
        set_all(where, v, 1);
        check_int(amp_copy_out(a, raw, 32), AMP_OK);
        check_int(amp_array_view_refresh(&v), AMP_OK);
        for (int i = 0; i < 32; i++)
            check_int(AMP_AT(v, i / 8, i % 8), 5);
        set_all(where, v, 1);
        amp_array_view_discard_data(&v);
        check_int(amp_copy_out(a, raw, 32), AMP_OK);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
        for (int i = 0; i < 32; i++)
            check_int(AMP_AT(v, i / 8, i % 8), 6);
    }
    expect_no_error();
}

/* What amp_copy_in reads under a view with pending changes may be old, or the user's: refused, until the program says
   which. Parts of the view where nothing is pending can be read. */
static void copy_in_under_views(void **state)
{
    static const char refused[] = "a copy from host memory: the memory at";
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int raw[32] = { 0 }, got[16];
        AMP_ARRAY_ON(where, int, 1, a, 16);
        AMP_ARRAY_VIEW(int, 2, v, raw, 4, 8);
        set_all(where, amp_section(v, 2, 0, 2, 8), 1);
        check_int(amp_copy_in(raw, 16, a), AMP_OK);
        if (!test_is_cpu(where)) {
            check_int(amp_copy_in(raw + 1, 16, a), AMP_RUNTIME_ERROR);
            expect_error(AMP_RUNTIME_ERROR, refused);
            amp_future future = amp_copy_in_async(raw + 16, 16, a);
            check_int(amp_future_get(future), AMP_RUNTIME_ERROR);
            expect_error(AMP_RUNTIME_ERROR, refused);
            amp_future_release(&future);
            const amp_array_int_1 b = amp_array_int_1_create_from(AMP_EXTENT(16), where, raw + 16, 16);
            expect_error(AMP_RUNTIME_ERROR, refused);
            check(!b.amp_priv.kind);
            check_int(amp_copy_out(a, got), AMP_OK);
            for (int i = 0; i < 16; i++)
                check_int(got[i], 0);
        }
        check_int(amp_array_view_synchronize(&v), AMP_OK);
        check_int(amp_copy_in(raw + 16, 16, a), AMP_OK);
        check_int(amp_copy_out(a, got), AMP_OK);
        for (int i = 0; i < 16; i++)
            check_int(got[i], 1);

        set_all(where, v, 2);
        if (!test_is_cpu(where))
            check_int(amp_accelerator_view_wait(where), AMP_OK);
        for (int i = 0; i < 32; i++)
            raw[i] = 7;
        check_int(amp_array_view_refresh(&v), AMP_OK);
        check_int(amp_copy_in(raw + 16, 16, a), AMP_OK);
        check_int(amp_copy_out(a, got), AMP_OK);
        for (int i = 0; i < 16; i++)
            check_int(got[i], 7);
    }
    expect_no_error();
}

/* ---- chains (case 35), futures -------------------------------------------------------------------------- */

static void chains(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        enum { N = 512 };
        int one[N], two[N], three[N] = { 0 }, four[N] = { 0 }, five[N] = { 0 };
        for (int i = 0; i < N; i++) {
            one[i] = 3 * i;
            two[i] = i + 1;
        }
        {
            amp_accelerator_view other = amp_accelerator_create_view(amp_accelerator_view_accelerator(where));
            AMP_CONST_ARRAY_VIEW(int, 1, v1, one, N);
            AMP_CONST_ARRAY_VIEW(int, 1, v2, two, N);
            AMP_ARRAY_VIEW(int, 1, v3, three, N);
            AMP_ARRAY_VIEW(int, 1, v4, four, N);
            AMP_ARRAY_VIEW(int, 1, v5, five, N);
            AMP_PARALLEL_FOR_EACH_ON(where, v3.extent, i, AMP_CAPTURE(v1, v2, v3), {
                AMP_AT(v3, i) = AMP_AT(v1, i) + AMP_AT(v2, i);
            });
            AMP_PARALLEL_FOR_EACH_ON(other, v3.extent, i, AMP_CAPTURE(v1, v2, v4), {
                AMP_AT(v4, i) = AMP_AT(v1, i) - AMP_AT(v2, i);
            });
            AMP_PARALLEL_FOR_EACH_ON(where, v3.extent, i, AMP_CAPTURE(v3, v4, v5), {
                AMP_AT(v5, i) = AMP_AT(v3, i) * AMP_AT(v4, i);
            });
            /* Write after read, write after write, read after write, over two queues. */
            AMP_PARALLEL_FOR_EACH_ON(other, v3.extent, i, AMP_CAPTURE(v3), { AMP_AT(v3, i) = 1; });
            AMP_PARALLEL_FOR_EACH_ON(where, v3.extent, i, AMP_CAPTURE(v3), { AMP_AT(v3, i) += 1; });
            AMP_PARALLEL_FOR_EACH_ON(other, v3.extent, i, AMP_CAPTURE(v3, v4), { AMP_AT(v4, i) = AMP_AT(v3, i); });
            amp_accelerator_view_release(&other);
        }
        for (int i = 0; i < N; i++) {
            check_int(five[i], (one[i] + two[i]) * (one[i] - two[i]));
            check_int(three[i], 2);
            check_int(four[i], 2);
        }
    }
}

static void count_up(void *user) { atomic_fetch_add((atomic_int *)user, 1); }

static void six_chained_copies(void **state)
{
    (void)state;
    test_needs_threads(); /* what follows a copy is called on a thread of its own */
    FOR_EACH_ACCELERATOR(where)
    {
        enum { N = 4096 };
        int raw[N], got[N] = { 0 };
        for (int i = 0; i < N; i++)
            raw[i] = i * 7;
        AMP_ARRAY_VIEW(int, 1, v, raw, N);
        AMP_ARRAY_ON(where, int, 1, a, N);
        AMP_ARRAY_ON(where, int, 1, b, N);
        AMP_ARRAY(int, 1, c, N);
        AMP_ARRAY_VIEW(int, 1, w, got, N);
        amp_future futures[6];
        futures[0] = amp_copy_async(v, a);
        futures[1] = amp_copy_async(a, b);
        futures[2] = amp_copy_async(b, c);
        futures[3] = amp_copy_async(c, w);
        futures[4] = amp_array_view_synchronize_async(&w);
        futures[5] = amp_copy_out_async(w, raw, N);
        atomic_int called = 0;
        for (int i = 0; i < 6; i++) {
            check(amp_future_valid(futures[i]));
            amp_future_then(futures[i], count_up, &called);
        }
        check_int(amp_future_wait(futures[5]), AMP_OK);
        for (int i = 0; i < N; i++) {
            check_int(raw[i], i * 7);
            check_int(got[i], i * 7);
        }
        for (int i = 0; i < 6; i++) {
            check_int(amp_future_get(futures[i]), AMP_OK);
            check_int(amp_future_get(futures[i]), AMP_OK);
            check(amp_future_is_done(futures[i]));
        }
        check_int(atomic_load(&called), 6);
        amp_future_then(futures[2], count_up, &called); /* done: at once */
        check_int(atomic_load(&called), 7);
        for (int i = 0; i < 6; i++) {
            amp_future_release(&futures[i]);
            check(!amp_future_valid(futures[i]));
            amp_future_release(&futures[i]);
        }
    }
    /* Without waiting: what comes later on the same data waits by itself. */
    int raw[64], got[64] = { 0 };
    for (int i = 0; i < 64; i++)
        raw[i] = i;
    AMP_ARRAY(int, 1, a, 64);
    AMP_ARRAY_VIEW(int, 1, v, got, 64);
    amp_future first = amp_copy_in_async(raw, 64, a);
    amp_future_release(&first);
    first = amp_copy_async(a, v);
    amp_future_release(&first);
    for (int i = 0; i < 64; i++)
        check_int(AMP_AT(v, i), i);
}

typedef struct chain {
    amp_array_int_1 *from, *to;
    amp_future next;
    atomic_int *calls;
} chain;

/* In a callback: another operation, and waiting for it. */
static void go_on(void *user)
{
    chain *const c = user;
    c->next = amp_copy_async(*c->from, *c->to);
    amp_future_wait(c->next);
    count_up(c->calls);
}

static void futures(void **state)
{
    (void)state;
    amp_future none = { NULL };
    check(!amp_future_valid(none));
    check_int(amp_future_wait(none), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_wait: this amp_future has no operation");
    check_int(amp_future_get(none), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_get");
    check_int(amp_future_then(none, count_up, NULL), AMP_UNINITIALIZED_OBJECT);
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_future_then");

    int raw[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, got[8];
    amp_array_int_1 a = amp_array_int_1_create(AMP_EXTENT(8)), b = amp_array_int_1_create(AMP_EXTENT(8));
    atomic_int calls = 0;
    chain c = { &a, &b, { NULL }, &calls };
    amp_future future = amp_copy_in_async(raw, 8, a);
    amp_future_then(future, go_on, &c);
    check_int(amp_future_get(future), AMP_OK);
    check_int(atomic_load(&calls), 1);
    check_int(amp_future_get(c.next), AMP_OK);
    amp_copy_out(b, got);
    check_ints(got, raw, 8);
    amp_future_release(&future);
    amp_future_release(&c.next);
    amp_array_release(&a);
    amp_array_release(&b);

    /* Markers: 64 launches, then all results are there (case 33). */
    FOR_EACH_ACCELERATOR(where)
    {
        int values[256];
        for (int i = 0; i < 256; i++)
            values[i] = i + 1;
        {
            AMP_ARRAY_VIEW(int, 1, v, values, 256);
            for (int i = 0; i < 64; i++)
                AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 2; });
            amp_future marker = amp_accelerator_view_create_marker(where);
            check(amp_future_valid(marker));
            atomic_int called = 0;
            amp_future_then(marker, count_up, &called);
            check_int(amp_future_get(marker), AMP_OK);
            check_int(atomic_load(&called), 1);
            amp_future_release(&marker);
            marker = amp_accelerator_view_create_marker(where);
            check_int(amp_future_wait(marker), AMP_OK);
            check(amp_future_is_done(marker));
            amp_future_release(&marker);
        }
        for (int i = 0; i < 256; i++)
            check_int(values[i], i + 129);
    }
}

#if AMP_PRIV_HAS_OTHERS /* else there is no device to add */
/* An asynchronous operation that fails: nobody hears of it before get, which does. */
static void failing_future(void **state)
{
    (void)state;
    fake_begin();
    int raw[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 8);
        atomic_store(&fake_fail_buffers, 1);
        amp_future future = amp_array_view_synchronize_to_async(&v, fake_view(0));
        check(amp_future_valid(future));
        check_int(amp_future_wait(future), AMP_OK);
        expect_no_error();
        check_int(amp_future_get(future), AMP_OUT_OF_MEMORY);
        expect_error(AMP_OUT_OF_MEMORY, "fake_buffer_open failed with code (1) on fake:0: not enough memory");
        amp_future_release(&future);
        check_int(AMP_AT(v, 7), 8);
        /* The same for an array, and for a launch: nothing is left behind, nothing has changed. */
        atomic_store(&fake_fail_buffers, 1);
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(8), fake_view(0));
        expect_error(AMP_OUT_OF_MEMORY, "fake");
        check(!a.amp_priv.kind);
        atomic_store(&fake_fail_buffers, 1);
        amp_priv_head *heads[1] = { &v.amp_priv };
        check_int(fake_launch(fake_view(0), NULL, NULL, heads, 1), AMP_OUT_OF_MEMORY);
        expect_error(AMP_OUT_OF_MEMORY, "fake");
        check_int(AMP_AT(v, 3), 4);
    }
    fake_end();
    check_int(atomic_load(&fake_buffers), 0);
}

/* An error handler may use the very view whose launch failed, launch again, and leave by longjmp: no lock is held. */
typedef struct curious {
    amp_array_view_int_1 *view;
    int count, sum;
    bool leaves;
    jmp_buf out;
} curious;

static void change_nothing(const amp_priv_shape *shapes, int count, void *user)
{
    (void)shapes, (void)count, (void)user;
}

static void look_at_the_view(const amp_error *error, void *user)
{
    curious *const c = user;
    check_int(error->status, AMP_OUT_OF_MEMORY);
    c->count++;
    for (int i = 0; i < c->view->extent.v[0]; i++)
        c->sum += AMP_AT(*c->view, i);
    amp_priv_head *heads[1] = { &c->view->amp_priv };
    check_int(fake_launch(fake_view(0), change_nothing, NULL, heads, 1), AMP_OK);
    check_int(amp_array_view_synchronize(c->view), AMP_OK);
    if (c->leaves)
        longjmp(c->out, 1);
}

/* A launch on `heads` that fails, and that the handler leaves by longjmp. */
static void left_by_longjmp(curious *c, amp_priv_head *heads[2])
{
    c->leaves = true;
    atomic_store(&fake_fail_buffers, 1);
    if (!setjmp(c->out)) {
        fake_launch(fake_view(0), change_nothing, NULL, heads, 1);
        fail();
    }
}

static void handlers_may_call(void **state)
{
    (void)state;
    fake_begin();
    int raw[4] = { 1, 2, 3, 4 };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 4);
        AMP_ARRAY_VIEW(int, 1, other, raw, 4);
        curious c = { .view = &v };
        amp_set_error_handler(look_at_the_view, &c);
        amp_priv_head *heads[2] = { &v.amp_priv, &other.amp_priv };
        atomic_store(&fake_fail_buffers, 1);
        check_int(fake_launch(fake_view(0), change_nothing, NULL, heads, 2), AMP_OUT_OF_MEMORY);
        check_int(c.count, 1);
        check_int(c.sum, 10);
        heads[0] = &other.amp_priv;
        left_by_longjmp(&c, heads);
        check_int(c.count, 2);
        amp_set_error_handler(test_hear, &test_heard);
        amp_clear_error();
        heads[0] = &v.amp_priv;
        check_int(fake_launch(fake_view(0), change_nothing, NULL, heads, 2), AMP_OK);
        check_int(AMP_AT(v, 3), 4);
    }
    fake_end();
    check_int(atomic_load(&fake_buffers), 0);
}

/* ---- made-up devices: several that copy, one that shares ------------------------------------------------- */

static void add_one(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count, (void)user;
    amp_priv_offset stride = shapes[0].rank > 1 ? shapes[0].stride[0] : 0;
    for (int i = 0; i < (shapes[0].rank > 1 ? shapes[0].extent[0] : 1); i++)
        for (int j = 0; j < shapes[0].extent[shapes[0].rank - 1]; j++)
            ((int *)(void *)shapes[0].data)[i * stride + j] += 1;
}

/* Device to device goes through the host, which then holds it as well. */
static void several_devices(void **state)
{
    (void)state;
    fake_begin();
    int raw[100] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 2, v, raw, 10, 10);
        amp_array_view_int_2 s = amp_section(v, 2, 2, 4, 4);
        amp_priv_head *whole[1] = { &v.amp_priv }, *part[1] = { &s.amp_priv };
        fake_launch(fake_view(0), add_one, NULL, whole, 1);
        fake_launch(fake_view(1), add_one, NULL, part, 1);
        amp_transfer_counters c = amp_source_counters(v);
        check_int(c.bytes_to_device, 400 + 64);
        check_int(c.bytes_to_host, 64);
        /* The section goes home for the device that lacks it, and nothing else. */
        fake_launch(fake_view(0), add_one, NULL, whole, 1);
        c = amp_source_counters(v);
        check_int(c.bytes_to_device, 400 + 64 + 64);
        check_int(c.bytes_to_host, 64 + 64);
        fake_launch(fake_view(2), add_one, NULL, whole, 1); /* the one that shares */
        c = amp_source_counters(v);
        check_int(c.bytes_to_device, 400 + 64 + 64);
        check_int(c.bytes_to_host, 64 + 64 + 400);
        fake_launch((amp_accelerator_view){ 0 }, add_one, NULL, whole, 1); /* where it is: there */
        check_int(amp_source_counters(v).bytes_to_host, 64 + 64 + 400);
        amp_array_view_synchronize(&v);
        check_int(amp_source_counters(v).bytes_to_host, 64 + 64 + 400);
        for (int i = 0; i < 100; i++)
            check_int(raw[i], 4 + (i / 10 >= 2 && i / 10 < 6 && i % 10 >= 2 && i % 10 < 6));
    }
    fake_end();
}

/* A checkerboard has more blocks than a directory keeps: it collapses to its owner, and everything is still right. */
static void many_parts(void **state)
{
    (void)state;
    fake_begin();
    enum { SIDE = 48 };
    static int raw[SIDE * SIDE];
    memset(raw, 0, sizeof raw);
    {
        AMP_ARRAY_VIEW(int, 2, v, raw, SIDE, SIDE);
        int most = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = 0; j < SIDE; j++)
                if ((i + j) % 2) {
                    amp_array_view_int_2 s = amp_section(v, i, j, 1, 1);
                    amp_priv_head *heads[1] = { &s.amp_priv };
                    fake_launch(fake_view((i + j) % 3), add_one, NULL, heads, 1);
                    const int blocks = v.amp_priv.source->directory.count;
                    most = blocks > most ? blocks : most;
                }
        check_that(most > 100 && most < AMP_PRIV_MAX_BLOCKS + 20, "%d blocks", most);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        check_int(raw[i], (i / SIDE + i % SIDE) % 2);
    fake_end();
}

/* Host memory is registered where that pays, in parts when it is large, and given back. Transfers are cut at the parts'
   borders, which nobody sees. */
static void registration(void **state)
{
    (void)state;
    fake_begin();
    enum { ROWS = 4001, COLUMNS = 4997, N = ROWS * COLUMNS }; /* no border is a multiple of anything */
    int *const raw = test_allocate(N * sizeof(int)), *const got = test_allocate(N * sizeof(int));
    for (int i = 0; i < N; i++)
        raw[i] = i;
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, N);
        amp_array_view_int_1 s = amp_section(v, 0, N / 100);
        amp_priv_head *whole[1] = { &v.amp_priv }, *part[1] = { &s.amp_priv };
        fake_launch(fake_view(0), add_one, NULL, part, 1);
        check_int(atomic_load(&fake_registrations), 0);
        check_int(amp_source_counters(v).bytes_to_device, N / 100 * 4);
        fake_launch(fake_view(0), add_one, NULL, whole, 1);
        check_int(atomic_load(&fake_registrations), AMP_PRIV_PIN_CHUNKS);
        check_int(amp_source_counters(v).transfers_to_device, 2);
        amp_array_view_synchronize(&v);
        check_int(amp_source_counters(v).transfers_to_host, 1);
        for (int i = 0; i < N; i += 99)
            check_int(raw[i], i + 1 + (i < N / 100));
        fake_launch(fake_view(2), add_one, NULL, whole, 1);
        check_int(atomic_load(&fake_registrations), AMP_PRIV_PIN_CHUNKS);
        AMP_ARRAY_VIEW(int, 1, small, got, 1000);
        amp_priv_head *heads[1] = { &small.amp_priv };
        fake_launch(fake_view(0), add_one, NULL, heads, 1);
        check_int(atomic_load(&fake_registrations), AMP_PRIV_PIN_CHUNKS);
    }
    check_int(atomic_load(&fake_registrations), 0);
    for (int i = 0; i < N; i++)
        raw[i] = i;
    {
        /* Rectangles across the borders. */
        AMP_ARRAY_VIEW(int, 2, v, raw, ROWS, COLUMNS);
        amp_array_view_int_2 s = amp_section(v, 1, 7, ROWS - 2, COLUMNS - 20);
        amp_priv_head *heads[1] = { &s.amp_priv };
        for (int i = 0; i < 2; i++) {
            fake_launch(fake_view(i), add_one, NULL, heads, 1);
            amp_array_view_synchronize(&v);
        }
        check(atomic_load(&fake_registrations) > 0);
        /* Memory that is no source's, to an array: registered for the time of the copy. */
        amp_array_int_2 a = amp_array_int_2_create_from(v.extent, fake_view(1), raw, N);
        check_int(amp_copy_out(a, got, N), AMP_OK);
        check(!memcmp(got, raw, N * sizeof(int)));
        amp_array_release(&a);
    }
    check_int(atomic_load(&fake_registrations), 0);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            if (raw[i * COLUMNS + j] != i * COLUMNS + j + 2 * (i >= 1 && i < ROWS - 1 && j >= 7 && j < COLUMNS - 13))
                check_int(raw[i * COLUMNS + j],
                          i * COLUMNS + j + 2 * (i >= 1 && i < ROWS - 1 && j >= 7 && j < COLUMNS - 13));
    free(raw);
    free(got);
    fake_end();
}

/* A staging array's memory is registered with its device from the first to the last, and never again for a copy. */
static void registration_of_staging_arrays(void **state)
{
    (void)state;
    fake_begin();
    const amp_accelerator_view cpu = amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
    enum { ROWS = 4099, COLUMNS = 5003, N = ROWS * COLUMNS }; /* 78 MiB: in parts */
    const int registered = atomic_load(&fake_registered);
    amp_array_int_2 s = amp_array_int_2_create_staging(AMP_EXTENT(ROWS, COLUMNS), cpu, fake_view(0));
    check_int(atomic_load(&fake_registrations), AMP_PRIV_PIN_CHUNKS);
    const amp_array_int_2 a = amp_array_int_2_create_on(s.extent, fake_view(0));
    int *const p = amp_data(s);
    for (int i = 0; i < N; i++)
        p[i] = i;

    const unsigned long long fast = atomic_load(&fake_fast_bytes);
    check_int(amp_copy(s, a), AMP_OK);
    memset(p, 0, N * sizeof *p);
    check_int(amp_copy(a, s), AMP_OK);
    check_int(atomic_load(&fake_fast_bytes) - fast, 2 * N * 4LL);
    for (int i = 0; i < N; i++)
        check_int(p[i], i);

    /* Rows that lie elsewhere in the array than in the staging array, before and behind, across the parts' borders. */
    const int half = ROWS / 2;
    check_int(amp_copy(amp_section(s, half, 0, half, COLUMNS), amp_section(a, 0, 0, half, COLUMNS)), AMP_OK);
    check_int(amp_copy(amp_section(a, 0, 0, half, COLUMNS), amp_section(s, 1, 0, half, COLUMNS)), AMP_OK);
    check_int(amp_copy(amp_section(s, 0, 0, half, COLUMNS), amp_section(a, half, 0, half, COLUMNS)), AMP_OK);
    check_int(amp_copy(amp_section(a, half, 0, half, COLUMNS), amp_section(s, 0, 0, half, COLUMNS)), AMP_OK);
    check_int(atomic_load(&fake_fast_bytes) - fast, (2 * N + 4 * half * COLUMNS) * 4LL);
    for (int i = 0; i < half * COLUMNS; i++)
        check_int(p[i], i < COLUMNS ? i : i - COLUMNS + half * COLUMNS);

    /* Kernels may use a view on it: its memory is registered as it is. A copy has memory of its own. */
    {
        const amp_array_view_int_2 v = amp_view_of(s);
        amp_priv_head *heads[1] = { (amp_priv_head *)(uintptr_t)&v.amp_priv };
        check_int(fake_launch(fake_view(0), add_one, NULL, heads, 1), AMP_OK);
        check_int(AMP_AT(v, 0, 5), 6);
    }
    check_int(atomic_load(&fake_registered) - registered, AMP_PRIV_PIN_CHUNKS);
    amp_array_int_2 t = amp_array_copy(s);
    check_int(atomic_load(&fake_registrations), 2 * AMP_PRIV_PIN_CHUNKS);
    amp_array_release(&t);
    amp_array_release(&s);
    check_int(atomic_load(&fake_registrations), 0);
    amp_array_int_2 released = a;
    amp_array_release(&released);

    /* Not where it would not help: a device that shares the memory, and less than a page. */
    amp_array_int_1 shared = amp_array_int_1_create_staging(AMP_EXTENT(N), cpu, fake_view(FAKE_COPYING));
    amp_array_int_1 small = amp_array_int_1_create_staging(AMP_EXTENT(100), cpu, fake_view(0));
    check_int(atomic_load(&fake_registrations), 0);
    amp_array_release(&shared);
    amp_array_release(&small);
    fake_end();
}
#endif

/* ---- threads, and nothing left behind --------------------------------------------------------------------- */

enum { THREADS = 4, LAUNCHES = 50, ROW = 257 };

typedef struct row {
    amp_array_view_int_2 view;
    amp_accelerator_view where;
    int number;
    bool good;
    pthread_t thread;
} row;

#if AMP_PRIV_HAS_OTHERS
/* Each thread works in its own row of one source: on a device, on the host, by copies. */
static void *work_in_a_row(void *argument)
{
    row *const r = argument;
    amp_array_view_int_1 mine = amp_project(r->view, r->number);
    r->good = true;
    for (int i = 0; i < LAUNCHES; i++) {
        amp_priv_head *heads[1] = { &mine.amp_priv };
        if (i % 5 == 4)
            for (int j = 0; j < ROW; j++)
                AMP_AT(mine, j) += 1;
        else
            fake_launch(i % 2 ? r->where : fake_view(i % FAKE_DEVICES), add_one, NULL, heads, 1);
        if (i % 7 == 0) {
            int got[ROW];
            amp_copy_out(mine, got, ROW);
            for (int j = 0; j < ROW; j++)
                r->good = r->good && got[j] == i + 1 + r->number * 1000;
        }
        if (i % 11 == 0)
            amp_array_view_synchronize(&mine);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    fake_begin();
    static int raw[THREADS * ROW];
    for (int i = 0; i < THREADS * ROW; i++)
        raw[i] = i / ROW * 1000;
    {
        AMP_ARRAY_VIEW(int, 2, v, raw, THREADS, ROW);
        row rows[THREADS];
        for (int i = 0; i < THREADS; i++) {
            rows[i] = (row){ .view = v, .where = fake_view(i % FAKE_DEVICES), .number = i };
            check_int(pthread_create(&rows[i].thread, NULL, work_in_a_row, &rows[i]), 0);
        }
        for (int i = 0; i < THREADS; i++)
            pthread_join(rows[i].thread, NULL);
        for (int i = 0; i < THREADS; i++)
            check(rows[i].good);
    }
    for (int i = 0; i < THREADS * ROW; i++)
        check_int(raw[i], i / ROW * 1000 + LAUNCHES);
    fake_end();
}
#endif

static void *launch_and_release(void *argument)
{
    row *const r = argument;
    r->good = true;
    for (int i = 0; i < LAUNCHES; i++) {
        int raw[64] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, v, raw, 64);
            amp_accelerator_view where = r->where;
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, idx, AMP_CAPTURE(v), { AMP_AT(v, idx) += 1; });
        }
        for (int j = 0; j < 64; j++)
            r->good = r->good && raw[j] == 2;
    }
    return NULL;
}

static void threads_on_accelerators(void **state)
{
    (void)state;
    test_needs_threads();
    FOR_EACH_ACCELERATOR(where)
    {
        row rows[THREADS];
        for (int i = 0; i < THREADS; i++) {
            rows[i] = (row){ .where = where, .number = i };
            check_int(pthread_create(&rows[i].thread, NULL, launch_and_release, &rows[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) {
            pthread_join(rows[i].thread, NULL);
            check(rows[i].good);
        }
    }
}

/* Memory of this process, in pages; 0 where that cannot be known. */
static long resident(void)
{
    long total = 0, pages = 0;
    FILE *const file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    if (fscanf(file, "%ld %ld", &total, &pages) != 2)
        pages = 0;
    fclose(file);
    return pages;
}

/* The address sanitizer keeps what was freed for a while, and looks for leaks itself. */
#if defined(__SANITIZE_ADDRESS__)
#define RESIDENT_IS_KNOWN false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RESIDENT_IS_KNOWN false
#endif
#endif
#ifndef RESIDENT_IS_KNOWN
#define RESIDENT_IS_KNOWN true
#endif

/* 10,000 rounds leave nothing behind. */
static void many_rounds(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        long before = 0;
        static int raw[4096];
        const int rounds = test_is_slow(where) ? 200 : 10000;
        for (int i = 0; i < rounds; i++) {
            AMP_ARRAY_VIEW(int, 1, v, raw, 4096);
            AMP_ARRAY_ON(where, int, 2, a, 64, 64);
            amp_array_view_int_1 s = amp_array_view_retain(amp_section(v, 10, 110 - 10));
            if (i % 50 == 0) {
                amp_copy(v, AMP_VIEW_AS(amp_array_view_int_1, a, 4096));
                AMP_PARALLEL_FOR_EACH_ON(where, s.extent, idx, AMP_CAPTURE(s), { AMP_AT(s, idx) += 1; });
                amp_future future = amp_array_view_synchronize_async(&v);
                amp_future_release(&future);
            }
            amp_array_view_release(&s);
            if (i == rounds / 2)
                before = resident();
        }
        const long after = RESIDENT_IS_KNOWN ? resident() : before;
        check_that(after - before < 1000, "%ld pages more after %d rounds", after - before, rounds / 2);
    }
}

#if AMP_PRIV_HAS_OTHERS
/* Released with work in flight. */
static void release_in_flight(void **state)
{
    (void)state;
    fake_begin();
    atomic_store(&fake_slow, 20);
    int raw[64] = { 0 };
    for (int device = 0; device < FAKE_DEVICES; device++) {
        amp_array_view_int_1 v = amp_array_view_int_1_create(raw, AMP_EXTENT(64));
        amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(64), fake_view(device));
        amp_priv_head *heads[2] = { &v.amp_priv, &a.amp_priv };
        for (int i = 0; i < 5; i++)
            fake_launch(fake_view(device), add_one, NULL, heads, 2);
        amp_array_release(&a);
        amp_array_view_release(&v);
        for (int i = 0; i < 64; i++)
            check_int(raw[i], 5 * (device + 1));
    }
    atomic_store(&fake_slow, 0);
    fake_end();
    check_int(atomic_load(&fake_events), 0);
    check_int(atomic_load(&fake_buffers), 0);
}

/* A launch returns before its kernel has finished; the first access waits. */
static void launches_return_at_once(void **state)
{
    (void)state;
    fake_begin();
    int raw[4] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, raw, 4);
    amp_array_view_synchronize_to(&v, fake_view(0));
    atomic_store(&fake_slow, FAKE_HELD);
    amp_priv_head *heads[1] = { &v.amp_priv };
    fake_launch(fake_view(0), add_one, NULL, heads, 1);
    const amp_priv_replica *const replica = v.amp_priv.source->replica[fake_first];
    check_int(replica->access_count, 1);
    const bool idle = fake_is_idle(fake_view(0));
    atomic_store(&fake_slow, 0);
    check(!idle);
    check_int(AMP_AT(v, 3), 1);
    amp_array_view_release(&v);
    fake_end();
}

#if defined(__linux__)
/* A large block that was freed is not mapped: its view says so, instead of writing there. */
static void freed_too_early(void **state)
{
    (void)state;
    fake_begin();
    enum { COUNT = 1 << 20 };
    /* As a large block of malloc is; later, malloc may keep such a block. */
    int *const raw = mmap(NULL, COUNT * sizeof *raw, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    check_that(raw != MAP_FAILED, "there is no memory");
    amp_array_view_int_1 v = amp_array_view_int_1_create(raw, AMP_EXTENT(COUNT));
    amp_priv_head *heads[1] = { &v.amp_priv };
    fake_launch(fake_view(0), add_one, NULL, heads, 1);
    amp_accelerator_view_wait(fake_view(0));
    munmap(raw, COUNT * sizeof *raw);
    check_int(amp_array_view_release(&v), AMP_RUNTIME_ERROR);
    expect_error(AMP_RUNTIME_ERROR, "was freed before the view ended: call free after");
    fake_end();
    check_int(atomic_load(&fake_buffers), 0);
}
#endif
#endif

int run_memory_array_view(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(bad_extents),
        TEST(nothing),
        TEST(parts_of_nothing),
        TEST(arrays_of_arrays),
        TEST(bad_arguments),
        TEST(ways_to_say_an_extent),
        TEST(arrays_from_ranges),
        TEST(host_access),
        TEST(staging_arrays),
        TEST(cpu_access),
        TEST(arrays_elsewhere),
        TEST(fresh_views),
        TEST(arrays_from_views),
        TEST(sections),
        TEST(other_shapes),
        TEST(shapes_of_contiguous_views),
        TEST(far_parts),
        TEST(overlapping_sections),
        TEST(copies_inside_one_source),
        TEST(copies_inside_another_shape),
        TEST(exact_overlaps),
        TEST(write_back),
        TEST(discard),
        TEST(without_source),
        TEST(refresh),
        TEST(const_views),
        TEST(counters),
        TEST(copy_sizes),
        TEST(copy_ranks),
        TEST(copy_between_accelerators),
        TEST(copy_out_under_views),
        TEST(copy_out_and_refresh),
        TEST(copy_in_under_views),
        TEST(chains),
        TEST(six_chained_copies),
        TEST(futures),
#if AMP_PRIV_HAS_OTHERS
        TEST(failing_future),
        TEST(handlers_may_call),
        TEST(several_devices),
        TEST(many_parts),
        TEST(registration),
        TEST(registration_of_staging_arrays),
        TEST(threads),
#endif
        TEST(threads_on_accelerators),
        TEST(many_rounds),
#if AMP_PRIV_HAS_OTHERS
        TEST(release_in_flight),
        TEST(launches_return_at_once),
#if defined(__linux__)
        TEST(freed_too_early),
#endif
#endif
    };
    return cmocka_run_group_tests_name("memory/array_view", tests, NULL, NULL);
}
