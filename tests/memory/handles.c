// SPDX-License-Identifier: MIT
/*  handles.c - who owns what: assigning, exchanging and releasing views and arrays, whoever declared or created
    them, and what is told of those that are used too late. On every accelerator.
    Also tests amp/memory/array.h. */
#include "test.h"

enum { N = 32 };

/* Runs a kernel that sets a view's elements. */
static void fill(amp_accelerator_view where, amp_array_view_int_1 v, int value)
{
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, i, AMP_CAPTURE(v, value), { AMP_AT(v, i) = value; });
}

static void check_all(const int *got, int first, int end, int want)
{
    for (int i = first; i < end; i++)
        check_that(got[i] == want, "element %d is %d, expected %d", i, got[i], want);
}

/* ---- assigning ------------------------------------------------------------------------------------- */

/* v becomes a part of itself: what a kernel writes through it comes home, and nothing else changes. */
static void becomes_a_section(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, v, p, N);
            fill(where, v, 1);
            v = amp_section(v, 8, 16);
            fill(where, v, 2);
            v = amp_section(v, 4, 4);
            fill(where, v, 3);
        }
        check_all(p, 0, 8, 1);
        check_all(p, 8, 12, 2);
        check_all(p, 12, 16, 3);
        check_all(p, 16, 24, 2);
        check_all(p, 24, N, 1);
    }
}

/* One scoped view becomes another: both sources are brought home, each once. */
static void becomes_another(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 }, q[N] = { 0 };
        {
            AMP_ARRAY_VIEW(int, 1, v, p, N);
            AMP_ARRAY_VIEW(int, 1, w, q, N);
            fill(where, v, 1);
            fill(where, w, 2);
            w = v;
            fill(where, w, 3);
            check_int(AMP_AT(v, 5), 3);
        }
        check_all(p, 0, N, 3);
        check_all(q, 0, N, 2);
        {
            AMP_ARRAY_VIEW(int, 1, v, p, N);
            AMP_ARRAY_VIEW(int, 1, w, q, N);
            fill(where, v, 4);
            v = amp_section(w, 0, N / 2);
            fill(where, v, 5);
        }
        check_all(p, 0, N, 4);
        check_all(q, 0, N / 2, 5);
        check_all(q, N / 2, N, 2);
    }
}

/* Two buffers in turns, by assigning and by amp_swap; left by break and by return. */
static int exchange(amp_accelerator_view where, int *p, int *q, int rounds)
{
    AMP_ARRAY_VIEW(int, 1, from, p, N);
    AMP_ARRAY_VIEW(int, 1, to, q, N);
    for (int round = 0;; round++) {
        if (round == rounds)
            return round;
        AMP_PARALLEL_FOR_EACH_ON(where, to.extent, i, AMP_CAPTURE(from, to), { AMP_AT(to, i) = AMP_AT(from, i) + 1; });
        if (round % 2) {
            const amp_array_view_int_1 old = from;
            from = to;
            to = old;
        } else {
            amp_swap(&from, &to);
        }
    }
}

static void exchanged_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    for (int rounds = 0; rounds < 5; rounds++) {
        int p[N] = { 0 }, q[N] = { 0 };
        check_int(exchange(where, p, q, rounds), rounds);
        check_all(rounds % 2 ? q : p, 0, N, rounds);
        check_all(rounds % 2 ? p : q, 0, N, rounds ? rounds - 1 : 0);
    }
}

static void exchanged_arrays(void **state)
{
    (void)state;
    int one[N], two[N];
    FOR_EACH_ACCELERATOR(where)
    {
        AMP_ARRAY_ON(where, int, 1, a, N);
        AMP_ARRAY_ON(where, int, 1, b, N);
        fill(where, amp_view_of(a), 1);
        fill(where, amp_view_of(b), 2);
        amp_swap(&a, &b);
        check_int(amp_copy_out(a, one), AMP_OK);
        check_int(amp_copy_out(b, two), AMP_OK);
        check_all(one, 0, N, 2);
        check_all(two, 0, N, 1);
        b = a; /* both names mean one array now */
        fill(where, amp_view_of(b), 3);
        check_int(amp_copy_out(a, one), AMP_OK);
        check_all(one, 0, N, 3);
    }
}

/* A view that someone owns, in a variable that a macro declared: it stays whose it was. */
static void owners_in_scoped_variables(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 }, q[N] = { 0 };
        amp_array_view_int_1 mine = amp_array_view_int_1_create(q, AMP_EXTENT(N));
        {
            AMP_ARRAY_VIEW(int, 1, v, p, N);
            fill(where, v, 1);
            v = mine;
            fill(where, v, 2);
        }
        check_all(p, 0, N, 1);
        fill(where, amp_section(mine, 0, 4), 3); /* it is still there */
        check_int(amp_array_view_release(&mine), AMP_OK);
        check_all(q, 0, 4, 3);
        check_all(q, 4, N, 2);
        {
            AMP_ARRAY_VIEW(int, 1, v, p, N);
            v = amp_array_view_int_1_create(q, AMP_EXTENT(N));
            fill(where, v, 4);
            check_int(amp_array_view_release(&v), AMP_OK); /* what was created is released, wherever it is */
            check_all(q, 0, N, 4);
        }
    }
}

/* The declarations are one declaration: in a for, in a switch, with const, with a name again in an inner scope. */
static void where_they_may_stand(void **state)
{
    (void)state;
    int p[4] = { 0 }, q[4] = { 0 };
    int rounds = 0;
    for (AMP_ARRAY_VIEW(int, 1, v, p, 4); AMP_AT(v, 0) < 3; AMP_AT(v, 0)++)
        rounds++;
    check_int(rounds, 3);
    check_int(p[0], 3);
    switch (rounds) {
    case 3: {
        AMP_ARRAY_VIEW(int, 1, v, q, 4);
        AMP_AT(v, 1) = 9;
        break;
    }
    default: break;
    }
    check_int(q[1], 9);
    const AMP_ARRAY_VIEW(int, 1, fixed, q, 4);
    check_int(AMP_AT(fixed, 1), 9);
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            continue;
        AMP_ARRAY_VIEW(int, 1, v, p, 4);
        AMP_AT(v, i) = 10 + i;
    }
    check(p[0] == 10 && p[1] == 0 && p[2] == 12);
}

/* ---- releasing by hand ---------------------------------------------------------------------------- */

/* The memory may be freed then, whatever the variables mean by now. */
static void released_before_the_end(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int *const p = calloc(N, sizeof *p), *const q = calloc(N, sizeof *q), *const r = calloc(N, sizeof *r);
        check(p && q && r);
        AMP_ARRAY_VIEW(int, 1, v, p, N);
        AMP_ARRAY_VIEW(int, 1, w, q, N);
        fill(where, v, 1);
        fill(where, w, 2);
        amp_swap(&v, &w);
        check_int(amp_array_view_release(&v), AMP_OK);
        check_all(q, 0, N, 2);
        free(q);
        check_int(AMP_AT(w, 3), 1);
        amp_array_view_int_1 part = amp_section(w, 0, 4);
        check_int(amp_array_view_release(&part), AMP_OK); /* borrows: only forgets */
        fill(where, w, 3);
        check_int(amp_array_view_release(&w), AMP_OK);
        check_all(p, 0, N, 3);
        free(p);
        AMP_ARRAY_VIEW(int, 1, x, r, N);
        x = amp_section(x, 8, 8);
        fill(where, x, 4);
        check_int(amp_array_view_release(&x), AMP_OK); /* the variable that declared it, though it is a part now */
        check_all(r, 8, 16, 4);
        free(r);
        check_int(amp_array_view_release(&x), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_release: this view or array was never created");
    }
}

/* Copies stand for one reference: it is given back once, and the second time is told. */
static void released_twice(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 };
        amp_array_view_int_1 a = amp_array_view_int_1_create(p, AMP_EXTENT(N)), b = a;
        fill(where, a, 1);
        check_int(amp_array_view_release(&b), AMP_OK);
        check_all(p, 0, N, 1);
        check_int(amp_array_view_release(&a), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_release: this view or array was already released");

        /* Also where somebody else keeps the source alive, who loses nothing by it. */
        a = amp_array_view_int_1_create(p, AMP_EXTENT(N));
        b = a;
        amp_array_view_int_1 kept = amp_array_view_retain(a);
        check_int(amp_array_view_release(&a), AMP_OK);
        check_int(amp_array_view_release(&b), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, "through a copy of it");
        fill(where, kept, 2);
        check_int(amp_array_view_release(&kept), AMP_OK);
        check_all(p, 0, N, 2);

        amp_array_int_1 c = amp_array_int_1_create_on(AMP_EXTENT(N), where), d = c;
        check_int(amp_array_release(&c), AMP_OK);
        check_int(amp_array_release(&d), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_release: this view or array was already released");
        {
            AMP_ARRAY_ON(where, int, 1, e, N);
            AMP_ARRAY_ON(where, int, 1, f, N);
            f = e;
            check_int(amp_array_release(&f), AMP_OK);
            check_int(amp_array_release(&e), AMP_UNINITIALIZED_OBJECT);
            expect_error(AMP_UNINITIALIZED_OBJECT, "already released");
        }
    }
}

/* More owners than a record has room for. */
static void many_owners(void **state)
{
    (void)state;
    enum { OWNERS = 1000 };
    static amp_array_view_int_1 owner[OWNERS];
    int p[N] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 1, v, p, N);
        for (int i = 0; i < OWNERS; i++)
            owner[i] = amp_array_view_retain(v);
        fill((amp_accelerator_view){ NULL }, v, 1);
    }
    for (int i = 0; i < OWNERS; i++) {
        const int k = i * 7 % OWNERS;
        check_int(AMP_AT(owner[k], 3), 1);
        check_int(amp_array_view_release(&owner[k]), AMP_OK);
    }
    check_all(p, 0, N, 1);
}

/* ---- used too late -------------------------------------------------------------------------------- */

static amp_array_view_int_1 returned(int *p)
{
    AMP_ARRAY_VIEW(int, 1, inner, p, N);
    return inner;
}

#if defined(AMP_CHECKED)
#define TOLD(call)                                                                                                     \
    call ": this view or array was already released: its data were made by AMP_ARRAY_VIEW(int, 1, inner) at "          \
         "tests/memory/handles.c:"
#else
#define TOLD(call) call ": this view or array was already released: the scope that declared it has ended"
#endif

static void used_after_its_scope(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 }, q[N] = { 0 };
        amp_array_view_int_1 v = returned(p);
        for (int again = 0; again < 2; again++) { /* also when the record has a new user */
            check_int(amp_array_view_synchronize(&v), AMP_UNINITIALIZED_OBJECT);
            expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_array_view_synchronize"));
            (void)amp_section(v, 0, 4);
            expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_section"));
            (void)amp_array_view_retain(v);
            expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_array_view_retain"));
            check_int(amp_copy_in(q, v), AMP_UNINITIALIZED_OBJECT);
            expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_copy_in"));
            AMP_AT(v, 1) = 5;
            expect_error(AMP_UNINITIALIZED_OBJECT, "was already released: ");
            fill(where, v, 6);
            expect_error(AMP_UNINITIALIZED_OBJECT, "kernel in fill, at or near tests/memory/handles.c:");
            AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) = 7; });
            expect_error(AMP_UNINITIALIZED_OBJECT, ": v was already released: ");
            check_all(p, 0, N, 0);
            if (again == 0) {
                AMP_ARRAY_VIEW(int, 1, next, q, N);
                AMP_ARRAY_VIEW(int, 1, outlived, p, N);
                fill(where, next, 8);
                {
                    AMP_ARRAY_VIEW(int, 1, inner, p, N);
                    outlived = inner;
                }
                check_int(amp_array_view_refresh(&outlived), AMP_UNINITIALIZED_OBJECT);
                expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_array_view_refresh"));
            }
        }
        check_all(q, 0, N, 8);
        check_int(amp_array_view_release(&v), AMP_UNINITIALIZED_OBJECT);
        expect_error(AMP_UNINITIALIZED_OBJECT, TOLD("amp_array_view_release"));
    }
}

/* Where it was released. */
static void used_after_release(void **state)
{
    (void)state;
    int p[N] = { 0 };
    amp_array_view_int_1 v = amp_array_view_int_1_create(p, AMP_EXTENT(N));
    const amp_array_view_int_1 part = amp_section(v, 0, 4);
    amp_array_view_release(&v);
    check_int(AMP_AT(part, 2), 0);
#if defined(AMP_CHECKED)
    check(strstr(test_heard.message, "AMP_AT(part, ...) at tests/memory/handles.c:"));
    check(strstr(test_heard.message, "made by amp_array_view_int_1_create and ended by amp_array_view_release(&v) at "
                                     "tests/memory/handles.c:"));
#endif
    expect_error(AMP_UNINITIALIZED_OBJECT, "this view or array was already released");
    AMP_ARRAY(int, 1, a, N);
    amp_array_view_int_1 whole = amp_view_of(a);
    amp_array_release(&a);
    check_int(amp_array_view_discard_data(&whole), AMP_UNINITIALIZED_OBJECT);
#if defined(AMP_CHECKED)
    check(strstr(test_heard.message, "made by AMP_ARRAY(int, 1, a) at tests/memory/handles.c:"));
    check(strstr(test_heard.message, " in used_after_release and ended by amp_array_release(&a) at "));
#endif
    expect_error(AMP_UNINITIALIZED_OBJECT, "amp_array_view_discard_data: this view or array was already released");
}

/* Each kind of handle: not valid at first, valid once it is made, not after its release, which returns AMP_OK. */
static void valid_until_released(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int p[N] = { 0 };
        check(!amp_accelerator_valid((amp_accelerator){ NULL }));
        check(amp_accelerator_valid(amp_accelerator_view_accelerator(where)));

        amp_array_view_int_1 v = { .data = NULL };
        check(!amp_array_view_valid(v));
        v = amp_array_view_int_1_create(p, AMP_EXTENT(N));
        const amp_array_view_int_1 copy = v;
        check(amp_array_view_valid(v) && amp_array_view_valid(amp_section(v, 1, 2)));
        check_int(amp_array_view_release(&v), AMP_OK);
        check(!amp_array_view_valid(v) && !amp_array_view_valid(copy));

        amp_array_int_1 a = { .data = NULL };
        check(!amp_array_valid(a));
        a = amp_array_int_1_create_on(AMP_EXTENT(N), where);
        check(amp_array_valid(a));
        check_int(amp_array_release(&a), AMP_OK);
        check(!amp_array_valid(a));

        amp_accelerator_view own = { NULL };
        check(!amp_accelerator_view_valid(own));
        own = amp_accelerator_create_view(amp_accelerator_view_accelerator(where));
        check(amp_accelerator_view_valid(own));
        amp_future future = amp_accelerator_view_create_marker(own);
        check(amp_future_valid(future));
        check_int(amp_future_release(&future), AMP_OK);
        check(!amp_future_valid(future));
        check_int(amp_future_release(&future), AMP_OK);
        check_int(amp_accelerator_view_release(&own), AMP_OK);
        check(!amp_accelerator_view_valid(own));
        check_int(amp_accelerator_view_release(&own), AMP_OK);
    }
}

int run_memory_handles(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(becomes_a_section),
        TEST(becomes_another),
        TEST(exchanged_views),
        TEST(exchanged_arrays),
        TEST(owners_in_scoped_variables),
        TEST(where_they_may_stand),
        TEST(released_before_the_end),
        TEST(released_twice),
        TEST(many_owners),
        TEST(used_after_its_scope),
        TEST(used_after_release),
        TEST(valid_until_released),
    };
    return cmocka_run_group_tests_name("memory/handles", tests, NULL, NULL);
}
