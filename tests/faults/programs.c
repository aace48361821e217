// SPDX-License-Identifier: MIT
/*  programs.c - the programs of programs.h. All that they allocate is the library's. */
#define _GNU_SOURCE 1
#undef _FORTIFY_SOURCE /* its names are not those that are wrapped */

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#define AMP_TOOLS
#include "amp.h"
#include "amp_algorithms.h"
#include "amp_graphics.h"
#include "amp_recording.h"

#include "programs.h"
#include "under.h"

outcome met;

AMP_DEFINE_ELEMENT(amp_uint8_4)
AMP_DEFINE_TEXTURE(rgba8, amp_uint8_4, amp_float_4, amp_float_4_from_unorm8)

/* ---- steps ------------------------------------------------------------------------------------------ */

static atomic_uint heard; /* errors since the step began */
static bool removes_devices, last_was_excused;
static amp_accelerator accelerators[AMP_PRIV_MAX_DEVICES];
static int accelerator_count;

static void hear(const amp_error *error, void *unused)
{
    (void)unused;
    met.errors++;
    heard++;
    last_was_excused = strstr(error->message, "unknown") != NULL || error->status == AMP_ACCELERATOR_VIEW_REMOVED;
}

static void begin(void) { heard = 0; }
static bool went(void) { return heard == 0; }

/* Does an expression go without an error? */
#define TRY(...) (begin(), (void)(__VA_ARGS__), went())

__attribute__((format(printf, 2, 3))) static void wrong(unsigned *count, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!met.text[0])
        vsnprintf(met.text, sizeof met.text, format, arguments);
    va_end(arguments);
    ++*count;
}

/* No faults from here on, to look at what is left; and faults again. */
static void calm(void) { under_on(false); }
static void storm(void) { under_on(true); }

static amp_accelerator_view device(int n) { return amp_accelerator_default_view(accelerators[n]); }

static bool a_device_is_gone(void)
{
    for (int i = 0; i < accelerator_count; i++)
        if (atomic_load(&accelerators[i].amp_priv_device->removed))
            return true;
    return false;
}

/* ---- data with a model ------------------------------------------------------------------------------ */

/* ghost: what the model would be if the last call that was refused had run. */
typedef struct data {
    const char *name;
    int *memory, *model, *ghost;
    int count;
} data;

#define DATA(name, count)                                                                                              \
    static int name##_memory[count], name##_model[count], name##_ghost[count];                                         \
    static data name = { #name, name##_memory, name##_model, name##_ghost, count }

static void fill(data *d, int seed)
{
    for (int i = 0; i < d->count; i++)
        d->memory[i] = d->model[i] = d->ghost[i] = seed * 1000000 + i * 3 + seed;
}

/* A call on elements [first, end) that went well or not. */
#define APPLY(ok, d, i, first, end, value)                                                                             \
    do {                                                                                                               \
        const bool applied = ok;                                                                                       \
        for (int i = first; i < (end); i++) {                                                                          \
            const int new_value = value;                                                                               \
            (d).ghost[i] = new_value;                                                                                  \
            if (applied)                                                                                               \
                (d).model[i] = new_value;                                                                              \
        }                                                                                                              \
    } while (0)
#define APPLY_ALL(ok, d, i, value) APPLY(ok, d, i, 0, (d).count, value)

static void compare_values(const data *d, const int *values, const char *when)
{
    int bad = 0, ran = 0, first = -1;
    for (int i = 0; i < d->count; i++) {
        if (values[i] == d->model[i])
            continue;
        if (first < 0)
            first = i;
        bad++;
        ran += values[i] == d->ghost[i];
    }
    if (bad)
        wrong(ran == bad ? &met.ran : &met.lost, "%s, %s: %d of %d are wrong; %d is %d, not %d", d->name, when, bad,
              d->count, first, values[first], d->model[first]);
}

static void compare(const data *d, const char *when) { compare_values(d, d->memory, when); }

/* Nothing fails any more: an error may only say that something is unknown, or on a device that is gone. */
static bool settled(bool ok, const char *what)
{
    if (ok)
        return true;
    if (last_was_excused && (removes_devices || !a_device_is_gone()))
        met.unknown++;
    else
        wrong(&met.permanent, "%s still fails: %s", what, amp_last_error_message());
    return false;
}

/* Reads a view without faults. What is unknown is given anew, as a program would; true: all is well now. */
#define SETTLE(view, d)                                                                                                \
    (settled(TRY(amp_array_view_synchronize(&(view))), "to read " #d)                                                  \
         ? (compare(&(d), "read"), true)                                                                               \
         : settled(TRY(amp_copy_in((d).model, view)), "to copy to " #d))

/* At the end: the last owner has brought all home, or said that it could not. */
static void released(bool ok, const data *d)
{
    if (ok)
        compare(d, "released");
    if (ok && under_in_use(d->memory, (size_t)d->count * sizeof(int)))
        wrong(&met.lost, "%s is given back while commands use it", d->name);
}

#define RELEASE(view, d) released(TRY(amp_array_view_release(&(view))), &(d))

/* ---- views ------------------------------------------------------------------------------------------ */

enum { N = 96, SIDE = 12 };
DATA(a, N);
DATA(b, N);
DATA(c, N);

/* Two kernels of one site: that launches are equal is what makes most of a program quick. */
static bool add_one(amp_accelerator_view where, amp_array_view_int_1 v)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    return went();
}

static bool add(amp_accelerator_view where, amp_array_view_int_1 to, amp_const_array_view_int_1 from, int factor)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(where, to.extent, (i), AMP_CAPTURE(to, from, factor), {
        AMP_AT(to, i) += factor * AMP_AT(from, i);
    });
    return went();
}

static bool double_tiled(amp_accelerator_view where, amp_array_view_int_1 v)
{
    begin();
    AMP_TILED_ON(where, v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, kept, [8]);
        AMP_THREADS(tile, t) { kept[t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 2 * kept[t.local.v[0]]; }
    });
    return went();
}

static void views(void)
{
    fill(&a, 1);
    fill(&b, 2);
    storm();
    amp_array_view_int_1 v = { .data = NULL };
    amp_const_array_view_int_1 w = { .data = NULL };
    const bool made = TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)),
                          w = amp_const_array_view_int_1_create(b.memory, AMP_EXTENT(N)));
    if (made) {
        APPLY_ALL(add_one(device(0), v), a, i, a.model[i] + 1);
        APPLY_ALL(add(device(0), v, w, 3), a, i, a.model[i] + 3 * b.model[i]);
        if (TRY(amp_array_view_synchronize(&v)))
            compare(&a, "synchronized");
        begin();
        AMP_AT(v, 5) = 77;
        APPLY(went(), a, i, 5, 6, 77);
        APPLY_ALL(double_tiled(device(0), v), a, i, 2 * a.model[i]);
        APPLY_ALL(add_one(device(0), v), a, i, a.model[i] + 1);
        calm();
        if (SETTLE(v, a)) {
            APPLY_ALL(settled(add_one(device(0), v), "a launch"), a, i, a.model[i] + 1);
            SETTLE(v, a);
        }
        APPLY_ALL(settled(add_one(device(0), v), "a launch"), a, i, a.model[i] + 1);
        storm();
    }
    if (v.amp_priv.source)
        RELEASE(v, a);
    if (w.amp_priv.source)
        RELEASE(w, b);
    calm();
    if (!made) {
        compare(&a, "never seen");
        compare(&b, "never seen");
    }
}

/* Scopes: nobody can try again what fails at their end. */
static void in_scope(void)
{
    AMP_ARRAY_VIEW(int, 1, v, a.memory, N);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, w, N);
    begin();
    AMP_PARALLEL_FOR_EACH_ON(device(0), w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) = 3 * i; });
    if (went())
        APPLY_ALL(add(device(0), v, amp_as_const(w), 2), a, i, a.model[i] + 6 * i);
    begin();
    amp_array_view_discard_data(&v);
    if (went()) {
        begin();
        AMP_PARALLEL_FOR_EACH_ON(device(0), v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 5 * i; });
        if (went()) {
            APPLY_ALL(true, a, i, 5 * i);
        } else { /* what was discarded is whatever it is: from here on, what the host has */
            calm();
            settled(TRY(amp_array_view_refresh(&v)), "to refresh a");
            storm();
            memcpy(a.model, a.memory, sizeof a_memory);
        }
    }
    begin();
}

static void scopes(void)
{
    fill(&a, 3);
    storm();
    in_scope();
    calm();
    released(went(), &a);
}

/* ---- sections --------------------------------------------------------------------------------------- */

DATA(grid, SIDE *SIDE);

static bool add_to_part(amp_accelerator_view where, amp_array_view_int_2 part)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(where, part.extent, (y, x), AMP_CAPTURE(part), { AMP_AT(part, y, x) += 7; });
    return went();
}

#define IS_IN(i, y0, y1, x0, x1) ((i) / SIDE >= (y0) && (i) / SIDE < (y1) && (i) % SIDE >= (x0) && (i) % SIDE < (x1))

static void sections_of(amp_array_view_int_2 v, amp_accelerator_view one, amp_accelerator_view other)
{
    amp_array_view_int_2 left = amp_section(v, 0, 0, SIDE, SIDE / 2),
                         right = amp_section(v, 0, SIDE / 2, SIDE, SIDE / 2);
    amp_array_view_int_2 middle = amp_section(v, 3, 3, 6, 6);
    amp_array_view_int_1 row = amp_project(v, 4);
    APPLY_ALL(add_to_part(one, left), grid, i, grid.model[i] + 7 * IS_IN(i, 0, SIDE, 0, SIDE / 2));
    APPLY_ALL(add_to_part(other, right), grid, i, grid.model[i] + 7 * IS_IN(i, 0, SIDE, SIDE / 2, SIDE));
    APPLY_ALL(add_to_part(one, middle), grid, i, grid.model[i] + 7 * IS_IN(i, 3, 9, 3, 9));
    APPLY_ALL(add_one(other, row), grid, i, grid.model[i] + IS_IN(i, 4, 5, 0, SIDE));
    begin();
    AMP_AT(middle, 2, 2) = -5;
    APPLY(went(), grid, i, 5 * SIDE + 5, 5 * SIDE + 6, -5);
    APPLY_ALL(add_to_part(other, middle), grid, i, grid.model[i] + 7 * IS_IN(i, 3, 9, 3, 9));
    TRY(amp_array_view_synchronize(&left));
    TRY(amp_array_view_synchronize_to(&v, other));
}

static void sections(void)
{
    fill(&grid, 4);
    storm();
    amp_array_view_int_2 v = { .data = NULL };
    amp_accelerator_view other = { NULL };
    if (TRY(v = amp_array_view_int_2_create(grid.memory, AMP_EXTENT(SIDE, SIDE)))) {
        if (TRY(other = amp_accelerator_create_view(accelerators[accelerator_count - 1], AMP_QUEUING_IMMEDIATE)))
            sections_of(v, device(0), other);
        calm();
        if (SETTLE(v, grid)) {
            APPLY_ALL(settled(add_to_part(device(0), v), "a launch"), grid, i, grid.model[i] + 7);
            SETTLE(v, grid);
        }
        APPLY_ALL(settled(add_to_part(device(0), v), "a launch"), grid, i, grid.model[i] + 7);
        storm();
    }
    if (v.amp_priv.source)
        RELEASE(v, grid);
    amp_accelerator_view_release(&other);
    calm();
}

/* Parts with gaps, discarded and refreshed in pieces. */
static void pieces(void)
{
    fill(&grid, 5);
    storm();
    amp_array_view_int_1 v = { .data = NULL };
    if (TRY(v = amp_array_view_int_1_create(grid.memory, AMP_EXTENT(SIDE * SIDE)))) {
        amp_array_view_int_2 shaped = AMP_VIEW_AS(amp_array_view_int_2, v, SIDE, SIDE);
        amp_array_view_int_2 part = amp_section(shaped, 2, 2, 5, 7);
        APPLY_ALL(add_one(device(0), v), grid, i, grid.model[i] + 1);
        APPLY_ALL(add_to_part(device(0), part), grid, i, grid.model[i] + 7 * IS_IN(i, 2, 7, 2, 9));
        if (TRY(amp_array_view_discard_data(&part))) {
            begin();
            AMP_PARALLEL_FOR_EACH_ON(device(0), part.extent, (y, x), AMP_CAPTURE(part),
                                     { AMP_AT(part, y, x) = x - y; });
            APPLY_ALL(true, grid, i, IS_IN(i, 2, 7, 2, 9) ? i % SIDE - i / SIDE : grid.model[i]);
            if (!went()) /* nothing has run, and what was discarded is whatever it is */
                for (int y = 0; y < 5; y++)
                    for (int x = 0; x < 7; x++) {
                        const bool was_on = under_on(false);
                        AMP_AT(part, y, x) = x - y;
                        under_on(was_on);
                    }
        }
        if (TRY(amp_array_view_synchronize(&part, AMP_ACCESS_WRITE))) {
            for (int i = 0; i < SIDE * SIDE; i++)
                if (IS_IN(i, 2, 7, 2, 9))
                    grid.memory[i] = grid.model[i] = grid.ghost[i] = 11 * i;
        }
        APPLY_ALL(add_one(device(0), v), grid, i, grid.model[i] + 1);
        calm();
        if (SETTLE(v, grid)) {
            APPLY_ALL(settled(add_one(device(0), v), "a launch"), grid, i, grid.model[i] + 1);
            SETTLE(v, grid);
        }
        storm();
    }
    if (v.amp_priv.source)
        RELEASE(v, grid);
    calm();
}

/* ---- arrays and copies ------------------------------------------------------------------------------ */

static void read_array(amp_array_int_1 array, data *d)
{
    int values[N];
    if (settled(TRY(amp_copy_out(array, values, N)), "to copy out"))
        compare_values(d, values, "copied out");
    else if (settled(TRY(amp_copy_in(d->model, N, array)), "to copy in") &&
             settled(TRY(amp_copy_out(array, values, N)), "to copy out what was copied in"))
        compare_values(d, values, "copied in again");
}

static void arrays(void)
{
    int values[N];
    fill(&a, 6);
    fill(&b, 7);
    fill(&c, 8);
    storm();
    amp_array_int_1 x = { .data = NULL }, y = { .data = NULL };
    amp_array_view_int_1 v = { .data = NULL };
    TRY(x = amp_array_int_1_create_from(AMP_EXTENT(N), device(0), a.memory, N));
    TRY(v = amp_array_view_int_1_create(c.memory, AMP_EXTENT(N)));
    if (x.amp_priv.source) {
        APPLY_ALL(add_one(device(0), amp_view_of(x)), a, i, a.model[i] + 1);
        if (TRY(y = amp_array_copy(x)))
            memcpy(b.model, a.model, sizeof b_model), memcpy(b.ghost, a.model, sizeof b_ghost);
    }
    if (y.amp_priv.source) {
        APPLY_ALL(add_one(device(0), amp_view_of(y)), b, i, b.model[i] + 1);
        APPLY_ALL(TRY(amp_copy(x, y)), b, i, a.model[i]);
        APPLY_ALL(TRY(amp_copy(amp_section(x, 10, 30), amp_section(x, 50, 30))), a, i,
                  i >= 50 && i < 80 ? a.model[i - 40] : a.model[i]);
        if (TRY(amp_copy_out(x, values, N)))
            compare_values(&a, values, "copied out");
        APPLY_ALL(TRY(amp_copy_in(c.model + 3, 20, amp_section(y, 7, 20))), b, i,
                  i >= 7 && i < 27 ? c.model[i - 4] : b.model[i]);
    }
    if (y.amp_priv.source && v.amp_priv.source) {
        APPLY_ALL(TRY(amp_copy(y, v)), c, i, b.model[i]);
        APPLY_ALL(add_one(device(0), v), c, i, c.model[i] + 1);
        APPLY_ALL(TRY(amp_copy(v, x)), a, i, c.model[i]);
    }
    calm();
    if (x.amp_priv.source)
        read_array(x, &a);
    if (y.amp_priv.source)
        read_array(y, &b);
    if (v.amp_priv.source)
        SETTLE(v, c);
    storm();
    if (x.amp_priv.source)
        TRY(amp_array_release(&x));
    if (y.amp_priv.source)
        TRY(amp_array_release(&y));
    if (v.amp_priv.source)
        RELEASE(v, c);
    calm();
}

/* Rank 4: copies of several rectangles, between parts with gaps. */
enum { W = 6, INNER = 3, CUBE = W * W * W * W };
DATA(from_cube, CUBE);
DATA(to_cube, CUBE);

/* As on a device that takes few threads in a dimension, where a launch of rank 4 is several commands. */
static bool add_to_cube(amp_accelerator_view where, amp_array_view_int_4 v)
{
    amp_priv_device *const taken = amp_accelerator_view_accelerator(where).amp_priv_device;
    const size_t takes = taken->max_global;
    taken->max_global = 16;
    begin();
    AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i, j, k, l), AMP_CAPTURE(v), { AMP_AT(v, i, j, k, l) += 2; });
    taken->max_global = takes;
    return went();
}

static bool is_inner(int i, int at)
{
    for (int d = 0; d < 4; d++, i /= W)
        if (i % W < at || i % W >= at + INNER)
            return false;
    return true;
}

/* Which of the INNER elements in each dimension from `at` on it is, in row-major order. */
static int number_in_inner(int i, int at)
{
    int number = 0;
    for (int d = 0, weight = 1; d < 4; d++, i /= W, weight *= INNER)
        number += (i % W - at) * weight;
    return number;
}

/* From INNER elements in each dimension at 1 to those at 2: how far that is in memory. */
enum { FAR = 1 + W + W * W + W * W * W };

static void read_cube(amp_array_int_4 array, data *d)
{
    static int values[CUBE];
    if (settled(TRY(amp_copy_out(array, values, CUBE)), "to copy out"))
        compare_values(d, values, "copied out");
    else if (settled(TRY(amp_copy_in(d->model, CUBE, array)), "to copy in") &&
             settled(TRY(amp_copy_out(array, values, CUBE)), "to copy out what was copied in"))
        compare_values(d, values, "copied in again");
}

static void rectangles(void)
{
    fill(&from_cube, 1);
    fill(&to_cube, 2);
    storm();
    const amp_extent4 all = AMP_EXTENT(W, W, W, W), inner = AMP_EXTENT(INNER, INNER, INNER, INNER);
    const amp_index4 one = AMP_INDEX(1, 1, 1, 1), two = AMP_INDEX(2, 2, 2, 2);
    amp_array_int_4 x = { .data = NULL };
    amp_array_view_int_4 v = { .data = NULL };
    TRY(x = amp_array_int_4_create_from(all, device(0), to_cube.memory, CUBE));
    TRY(v = amp_array_view_int_4_create(from_cube.memory, all));
    if (x.amp_priv.source && v.amp_priv.source) {
        APPLY_ALL(add_to_cube(device(0), v), from_cube, i, from_cube.model[i] + 2);
        APPLY_ALL(TRY(amp_copy(amp_section(v, one, inner), amp_section(x, two, inner))), to_cube, i,
                  is_inner(i, 2) ? from_cube.model[i - FAR] : to_cube.model[i]);
        APPLY_ALL(add_to_cube(device(0), amp_view_of(x)), to_cube, i, to_cube.model[i] + 2);
        APPLY_ALL(TRY(amp_copy(amp_section(x, two, inner), amp_section(v, one, inner))), from_cube, i,
                  is_inner(i, 1) ? to_cube.model[i + FAR] : from_cube.model[i]);
        /* What is pending over memory comes home before a copy reads it there: it would be refused. */
        if (TRY(amp_array_view_synchronize(&v)))
            APPLY_ALL(TRY(amp_copy_in(from_cube.memory, amp_section(x, one, inner))), to_cube, i,
                      is_inner(i, 1) ? from_cube.model[number_in_inner(i, 1)] : to_cube.model[i]);
    }
    calm();
    if (x.amp_priv.source)
        read_cube(x, &to_cube);
    if (v.amp_priv.source)
        SETTLE(v, from_cube);
    storm();
    if (x.amp_priv.source)
        TRY(amp_array_release(&x));
    if (v.amp_priv.source)
        RELEASE(v, from_cube);
    calm();
}

/* The newest contents are in several places: a copy takes them piece by piece. */
static void patchwork(void)
{
    fill(&a, 1);
    fill(&b, 2);
    storm();
    const amp_accelerator_view last = device(accelerator_count - 1);
    amp_array_view_int_1 v = { .data = NULL }, w = { .data = NULL };
    TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)));
    TRY(w = amp_array_view_int_1_create(b.memory, AMP_EXTENT(N)));
    if (v.amp_priv.source && w.amp_priv.source) {
        APPLY(add_one(device(0), amp_section(v, 0, 40)), a, i, 0, 40, a.model[i] + 1);
        APPLY(add_one(last, amp_section(v, 60, 20)), a, i, 60, 80, a.model[i] + 1);
        APPLY(add_one(last, amp_section(w, 10, 30)), b, i, 10, 40, b.model[i] + 1);
        APPLY_ALL(TRY(amp_copy(v, w)), b, i, a.model[i]);
        APPLY(add_one(device(0), amp_section(w, 30, 40)), b, i, 30, 70, b.model[i] + 1);
        APPLY_ALL(TRY(amp_copy(AMP_VIEW_AS(amp_array_view_int_2, w, 8, 12),
                               AMP_VIEW_AS(amp_array_view_int_2, v, 8, 12))),
                  a, i, b.model[i]);
        APPLY(TRY(amp_copy(amp_section(w, 0, 20), amp_section(w, 50, 20))), b, i, 50, 70, b.model[i - 50]);
    }
    calm();
    if (v.amp_priv.source)
        SETTLE(v, a);
    if (w.amp_priv.source)
        SETTLE(w, b);
    storm();
    if (v.amp_priv.source)
        RELEASE(v, a);
    if (w.amp_priv.source)
        RELEASE(w, b);
    calm();
}

/* A staging array, and another made from a view. */
static void staging(void)
{
    fill(&a, 2);
    storm();
    amp_array_int_1 near = { .data = NULL }, far = { .data = NULL };
    amp_accelerator cpu;
    amp_accelerator_get_all(&cpu, 1);
    TRY(near = amp_array_int_1_create_staging(AMP_EXTENT(N), amp_accelerator_default_view(cpu), device(0)));
    TRY(far = amp_array_int_1_create_from(AMP_EXTENT(N), device(0), a.memory, N));
    if (near.amp_priv.source && far.amp_priv.source) {
        APPLY_ALL(add_one(device(0), amp_view_of(far)), a, i, a.model[i] + 1);
        if (TRY(amp_copy(far, near))) {
            const int *const values = amp_data(near);
            if (values)
                compare_values(&a, values, "staged");
            APPLY_ALL(TRY(amp_copy(near, far)), a, i, a.model[i]);
        }
    }
    calm();
    if (far.amp_priv.source)
        read_array(far, &a);
    storm();
    if (near.amp_priv.source)
        TRY(amp_array_release(&near));
    if (far.amp_priv.source)
        TRY(amp_array_release(&far));
    calm();
}

/* ---- futures ---------------------------------------------------------------------------------------- */

static atomic_int called;
static void count_call(void *unused)
{
    (void)unused;
    called++;
}

static bool wait_for(amp_future *future)
{
    begin();
    const bool made = amp_future_valid(*future);
    if (made)
        amp_future_get(*future);
    const bool ok = made && went();
    amp_future_release(future);
    return ok;
}

static void futures(void)
{
    int values[N];
    fill(&a, 4);
    fill(&b, 5);
    called = 0;
    storm();
    amp_array_int_1 x = { .data = NULL };
    amp_array_view_int_1 v = { .data = NULL };
    TRY(x = amp_array_int_1_create_from(AMP_EXTENT(N), device(0), b.memory, N));
    TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)));
    if (x.amp_priv.source && v.amp_priv.source) {
        APPLY_ALL(add_one(device(0), v), a, i, a.model[i] + 1);
        amp_future first = amp_copy_async(v, x), second = amp_array_view_synchronize_async(&v);
        const bool asked = amp_future_valid(first) && TRY(amp_future_then(first, count_call, NULL));
        APPLY_ALL(wait_for(&first), b, i, a.model[i]);
        if (wait_for(&second))
            compare(&a, "synchronized later");
        if (asked && called != 1)
            wrong(&met.lost, "a callback ran %d times", called);
        APPLY_ALL(add_one(device(0), amp_view_of(x)), b, i, b.model[i] + 1);
        amp_future marker = amp_accelerator_view_create_marker(device(0));
        wait_for(&marker);
        amp_future third = amp_copy_out_async(x, values, N);
        if (wait_for(&third))
            compare_values(&b, values, "copied out later");
        amp_future fourth = amp_copy_in_async(a.model, N, x);
        APPLY_ALL(wait_for(&fourth), b, i, a.model[i]);
        amp_future fifth = amp_array_view_synchronize_to_async(&v, device(accelerator_count - 1));
        wait_for(&fifth);
    }
    calm();
    if (x.amp_priv.source)
        read_array(x, &b);
    if (v.amp_priv.source)
        SETTLE(v, a);
    storm();
    if (x.amp_priv.source)
        TRY(amp_array_release(&x));
    if (v.amp_priv.source)
        RELEASE(v, a);
    calm();
}

/* ---- queues ------------------------------------------------------------------------------------------ */

static void queues(void)
{
    fill(&a, 6);
    fill(&b, 7);
    storm();
    amp_accelerator_view one = { NULL }, two = { NULL };
    amp_array_view_int_1 v = { .data = NULL }, w = { .data = NULL };
    TRY(one = amp_accelerator_create_view(accelerators[0]));
    TRY(two = amp_accelerator_create_view(accelerators[0], AMP_QUEUING_IMMEDIATE));
    TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)));
    TRY(w = amp_array_view_int_1_create(b.memory, AMP_EXTENT(N)));
    if (one.amp_priv_queue && two.amp_priv_queue && v.amp_priv.source && w.amp_priv.source) {
        APPLY_ALL(add_one(one, v), a, i, a.model[i] + 1);
        APPLY_ALL(add_one(two, v), a, i, a.model[i] + 1);
        APPLY_ALL(add(device(0), w, amp_as_const(v), 2), b, i, b.model[i] + 2 * a.model[i]);
        APPLY_ALL(add(one, w, amp_as_const(v), 1), b, i, b.model[i] + a.model[i]);
        APPLY_ALL(add_one(two, v), a, i, a.model[i] + 1);
        TRY(amp_accelerator_view_flush(one));
        TRY(amp_accelerator_view_wait(two));
        APPLY_ALL(add_one(two, w), b, i, b.model[i] + 1);
        amp_accelerator_view_release(&two);
        APPLY_ALL(add_one(one, v), a, i, a.model[i] + 1);
    }
    calm();
    if (v.amp_priv.source)
        SETTLE(v, a);
    if (w.amp_priv.source)
        SETTLE(w, b);
    storm();
    if (v.amp_priv.source)
        RELEASE(v, a);
    amp_accelerator_view_release(&one);
    if (w.amp_priv.source)
        RELEASE(w, b);
    amp_accelerator_view_release(&two);
    calm();
}

/* ---- interop ----------------------------------------------------------------------------------------- */

static void interop(void)
{
    int values[N];
    fill(&a, 8);
    storm();
    amp_accelerator_view mine = { NULL };
    amp_array_int_1 x = { .data = NULL }, y = { .data = NULL };
    begin();
    const cl_command_queue queue = amp_opencl_queue(device(0));
    if (queue && TRY(mine = amp_accelerator_view_from_opencl(queue)) &&
        TRY(x = amp_array_int_1_create_from(AMP_EXTENT(N), mine, a.memory, N))) {
        APPLY_ALL(add_one(mine, amp_view_of(x)), a, i, a.model[i] + 1);
        begin();
        const cl_mem memory = amp_opencl_buffer(x);
        if (memory && went() && TRY(y = AMP_ARRAY_FROM_OPENCL(device(0), int, 1, memory, N))) {
            begin();
            AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(y), { AMP_AT(y, i) += 4; });
            APPLY_ALL(went(), a, i, a.model[i] + 4);
            cl_event event = NULL;
            if (clEnqueueMarkerWithWaitList(queue, 0, NULL, &event) == CL_SUCCESS) {
                TRY(amp_opencl_after(x, event));
                clReleaseEvent(event);
            }
        }
        if (TRY(amp_copy_out(x, values, N)))
            compare_values(&a, values, "copied out");
    }
    calm();
    if (x.amp_priv.source)
        read_array(x, &a);
    storm();
    if (y.amp_priv.source)
        TRY(amp_array_release(&y));
    if (x.amp_priv.source)
        TRY(amp_array_release(&x));
    amp_accelerator_view_release(&mine);
    calm();
}

/* ---- kernels that are built -------------------------------------------------------------------------- */

static amp_priv_launch_site *fresh_sites[4];
static int fresh_count;

/* The site of a launch, in whose place this stands, as it was before its first launch. */
static amp_accelerator_view fresh(amp_priv_launch_site *site, amp_accelerator_view where)
{
    int i = 0;
    while (i < fresh_count && fresh_sites[i] != site)
        i++;
    if (i == fresh_count)
        fresh_sites[fresh_count++] = site;
    return where;
}

static void forget_kernels(void)
{
    for (int i = 0; i < fresh_count; i++) {
        amp_priv_samplings *const samplings = atomic_exchange(&fresh_sites[i]->samplings, NULL);
        if (samplings && samplings->count > 0) /* else it is what all sites share */
            free(samplings);
        atomic_store(&fresh_sites[i]->recent, NULL);
        amp_priv_kernel *next, *kernel = atomic_exchange(&fresh_sites[i]->kernels, NULL);
        for (; kernel; kernel = next) {
            next = kernel->next;
            amp_priv_kernel_undo(kernel);
            free(kernel->message);
            free(kernel->argument);
            free(kernel);
        }
    }
}

/* The launch is tried until it runs: a fault that is over must not stand in its way. */
static bool build(amp_accelerator_view where, amp_array_view_int_1 v, int scale)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(fresh(&amp_priv_this_site, where), v.extent, (i), AMP_CAPTURE(v, scale),
                             { AMP_AT(v, i) = scale * AMP_AT(v, i) + 1; });
    return went();
}

static void builds(void)
{
    fill(&a, 9);
    storm();
    amp_array_view_int_1 v = { .data = NULL };
    if (TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)))) {
        APPLY_ALL(build(device(0), v, 2), a, i, 2 * a.model[i] + 1);
        calm();
        SETTLE(v, a);
        APPLY_ALL(settled(build(device(0), v, 3), "a launch whose first build failed"), a, i, 3 * a.model[i] + 1);
        SETTLE(v, a);
        storm();
    }
    if (v.amp_priv.source)
        RELEASE(v, a);
    calm();
}

static void empty_cache(void)
{
    char folder[AMP_PRIV_PATH_SIZE], command[AMP_PRIV_PATH_SIZE + 32];
    forget_kernels();
    if (amp_priv_cache_folder(folder)) {
        snprintf(command, sizeof command, "rm -f '%s'/*", folder);
        if (system(command) != 0)
            abort();
    }
}

/* ---- recordings -------------------------------------------------------------------------------------- */

/* Goes through the two launches once: by a replay, or while they are recorded. */
static void step(amp_recording *recording, amp_array_view_int_1 v, amp_array_view_int_1 w)
{
    begin();
    if (amp_recording_replay(*recording)) {
        const bool ok = went();
        APPLY_ALL(ok, a, i, a.model[i] + 1);
        APPLY_ALL(ok, b, i, b.model[i] + 2 * a.ghost[i]);
        return;
    }
    TRY(amp_recording_begin(device(0)));
    APPLY_ALL(add_one(device(0), v), a, i, a.model[i] + 1);
    APPLY_ALL(add(device(0), w, amp_as_const(v), 2), b, i, b.model[i] + 2 * a.model[i]);
    TRY(*recording = amp_recording_end());
}

/* Written by the host, which has what is there or was told that nobody knows it. */
static void write_directly(amp_array_view_int_1 v)
{
    const bool home = TRY(amp_array_view_synchronize(&v));
    if (home)
        compare(&a, "synchronized");
    if (!home && !last_was_excused)
        return;
    for (int i = 0; i < N; i++)
        a.memory[i] = 5 * i;
    calm();
    if (settled(TRY(amp_array_view_refresh(&v)), "to refresh a"))
        APPLY_ALL(true, a, i, 5 * i);
    storm();
}

static void recordings(void)
{
    fill(&a, 1);
    fill(&b, 2);
    storm();
    amp_array_view_int_1 v = { .data = NULL }, w = { .data = NULL };
    amp_recording recording = { NULL };
    TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)));
    TRY(w = amp_array_view_int_1_create(b.memory, AMP_EXTENT(N)));
    if (v.amp_priv.source && w.amp_priv.source) {
        for (int round = 0; round < 5; round++) {
            step(&recording, v, w);
            if (round == 2)
                write_directly(v);
        }
        calm();
        SETTLE(v, a);
        SETTLE(w, b);
        if (recording.amp_priv_recording && settled(TRY(amp_recording_replay(recording)), "a replay")) {
            APPLY_ALL(true, a, i, a.model[i] + 1);
            APPLY_ALL(true, b, i, b.model[i] + 2 * a.model[i]);
        }
        storm();
    }
    amp_recording_release(&recording);
    if (v.amp_priv.source)
        RELEASE(v, a);
    if (w.amp_priv.source)
        RELEASE(w, b);
    calm();
}

/* ---- textures ---------------------------------------------------------------------------------------- */

static amp_uint8_4 picture[SIDE * SIDE];
static int picture_model[SIDE * SIDE];

/* By texture units, where images can be made. The sum over the settings of the device is what the buffer would give. */
static bool sample(amp_accelerator_view where, amp_const_array_view_amp_uint8_4_2 in, amp_array_view_int_2 out)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(
        fresh(&amp_priv_this_site, where), out.extent, (y, x), AMP_CAPTURE(in, out, AMP_CONSTANT(SIDE)), {
            const amp_sampler middle = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
            const amp_float_2 at = AMP_FLOAT_2(((float)x + 0.5f) / SIDE, ((float)y + 0.5f) / SIDE);
            AMP_AT(out, y, x) += (int)(AMP_R(rgba8_fast_sample_2(in, middle, at)) * 255 + 0.5f);
        });
    return went();
}

static bool paint(amp_accelerator_view where, amp_array_view_amp_uint8_4_2 to)
{
    begin();
    AMP_PARALLEL_FOR_EACH_ON(where, to.extent, (y, x), AMP_CAPTURE(to, AMP_CONSTANT(SIDE)), {
        AMP_AT(to, y, x) = AMP_UINT8_4((unsigned char)(255 - y * SIDE - x), 0, 0, 255);
    });
    return went();
}

static void textures(void)
{
    fill(&grid, 3);
    for (int i = 0; i < SIDE * SIDE; i++) {
        picture[i] = AMP_UINT8_4((unsigned char)i, 0, 0, 255);
        picture_model[i] = i;
    }
    storm();
    amp_array_view_int_2 o = { .data = NULL };
    amp_array_view_amp_uint8_4_2 p = { .data = NULL };
    TRY(o = amp_array_view_int_2_create(grid.memory, AMP_EXTENT(SIDE, SIDE)));
    TRY(p = amp_array_view_amp_uint8_4_2_create(picture, AMP_EXTENT(SIDE, SIDE)));
    if (o.amp_priv.source && p.amp_priv.source) {
        APPLY_ALL(sample(device(0), amp_as_const(p), o), grid, i, grid.model[i] + picture_model[i]);
        APPLY_ALL(sample(device(0), amp_as_const(p), o), grid, i, grid.model[i] + picture_model[i]);
        if (paint(device(0), p))
            for (int i = 0; i < SIDE * SIDE; i++)
                picture_model[i] = 255 - i;
        APPLY_ALL(sample(device(0), amp_as_const(p), o), grid, i, grid.model[i] + picture_model[i]);
        calm();
        SETTLE(o, grid);
        APPLY_ALL(settled(sample(device(0), amp_as_const(p), o), "a launch"), grid, i,
                  grid.model[i] + picture_model[i]);
        SETTLE(o, grid);
        storm();
    }
    if (o.amp_priv.source)
        RELEASE(o, grid);
    if (p.amp_priv.source)
        TRY(amp_array_view_release(&p));
    calm();
}

/* ---- algorithms -------------------------------------------------------------------------------------- */

/* What each algorithm makes of the model of `a`. */
static void numbers_of(int *sums, int *odd, int *odd_count, int *bins)
{
    *odd_count = 0;
    memset(bins, 0, 8 * sizeof *bins);
    for (int i = 0; i < N; i++) {
        sums[i] = a.model[i] + (i > 0 ? sums[i - 1] : 0);
        bins[a.model[i] & 7]++;
        if (a.model[i] & 1)
            odd[(*odd_count)++] = a.model[i];
    }
}

/* Sorts the model of `a`, and that of `b` along. */
static void sort_models(bool ok)
{
    int keys[N], values[N];
    for (int i = 0; i < N; i++) {
        int place = 0;
        for (int j = 0; j < N; j++)
            place += a.model[j] < a.model[i] || (a.model[j] == a.model[i] && j < i);
        keys[place] = a.model[i];
        values[place] = b.model[i];
    }
    APPLY_ALL(ok, a, i, keys[i]);
    APPLY_ALL(ok, b, i, values[i]);
}

static void algorithms_on(amp_array_view_int_1 v, amp_array_view_int_1 w, amp_array_view_int_1 out)
{
    int sums[N], odd[N], odd_count, bins[8], count = 0;
    int64_t total = 0;
    const amp_array_view_int_1 few = amp_section(out, 40, 8);
    numbers_of(sums, odd, &odd_count, bins);
    if (TRY(total = amp_sum(v)) && total != sums[N - 1])
        wrong(&met.lost, "the sum is %lld, not %d", (long long)total, sums[N - 1]);
    begin();
    amp_inclusive_sum(out, v);
    APPLY_ALL(went(), c, i, sums[i]);
    begin();
    AMP_SELECT_IF(out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) % 2 != 0, AMP_AT(v, i));
    if (went() && count != odd_count)
        wrong(&met.lost, "%d are odd, not %d", count, odd_count);
    APPLY(went(), c, i, 0, odd_count, odd[i]);
    begin();
    AMP_HISTOGRAM(few, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) & 7);
    APPLY(went(), c, i, 40, 48, bins[i - 40]);
    begin();
    amp_sort_by_key(v, w);
    sort_models(went());
    begin();
    AMP_SORT(w, AMP_CAPTURE(), a > b);
    if (went()) {
        int other[N];
        for (int i = 0; i < N; i++) {
            int place = 0;
            for (int j = 0; j < N; j++)
                place += b.model[j] > b.model[i] || (b.model[j] == b.model[i] && j < i);
            other[place] = b.model[i];
        }
        APPLY_ALL(true, b, i, other[i]);
    }
}

static void algorithms(void)
{
    fill(&a, 0);
    fill(&b, 2);
    fill(&c, 3);
    for (int i = 0; i < N; i++)
        a.memory[i] = a.model[i] = a.ghost[i] = i * 37 % 101 * 3001;
    storm();
    amp_array_view_int_1 v = { .data = NULL }, w = { .data = NULL }, out = { .data = NULL };
    TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)));
    TRY(w = amp_array_view_int_1_create(b.memory, AMP_EXTENT(N)));
    TRY(out = amp_array_view_int_1_create(c.memory, AMP_EXTENT(N)));
    if (v.amp_priv.source && w.amp_priv.source && out.amp_priv.source) {
        algorithms_on(v, w, out);
        calm();
        SETTLE(v, a);
        SETTLE(w, b);
        SETTLE(out, c);
        storm();
    }
    if (v.amp_priv.source)
        RELEASE(v, a);
    if (w.amp_priv.source)
        RELEASE(w, b);
    if (out.amp_priv.source)
        RELEASE(out, c);
    calm();
    amp_algorithms_release();
}

/* ---- the first use of a process ---------------------------------------------------------------------- */

/* An OpenCL device that is a CPU has to be chosen. Where none is found, launches go to the CPU backend. */
static void choose_device(void)
{
    amp_accelerator all[2];
    if (amp_accelerator_get_all(all, 2) > 1)
        (void)amp_accelerator_set_default(amp_accelerator_path(all[1]));
}

static void first(void)
{
    fill(&a, 1);
    storm();
    choose_device();
    amp_array_view_int_1 v = { .data = NULL };
    amp_array_int_1 x = { .data = NULL };
    if (TRY(v = amp_array_view_int_1_create(a.memory, AMP_EXTENT(N)))) {
        APPLY_ALL(add_one((amp_accelerator_view){ NULL }, v), a, i, a.model[i] + 1);
        if (TRY(x = amp_array_int_1_create(AMP_EXTENT(N))) && TRY(amp_copy(v, x)))
            APPLY_ALL(TRY(amp_copy(x, v)), a, i, a.model[i]);
        calm();
        SETTLE(v, a);
        APPLY_ALL(settled(add_one((amp_accelerator_view){ NULL }, v), "a launch"), a, i, a.model[i] + 1);
        SETTLE(v, a);
        storm();
    }
    if (x.amp_priv.source)
        TRY(amp_array_release(&x));
    if (v.amp_priv.source)
        RELEASE(v, a);
    calm();
}

/* ---- running them ------------------------------------------------------------------------------------ */

#define COPIES "AMP_FORCE_COPIES=1"
#define TWO    COPIES " POCL_DEVICES=pthread,pthread"
#define UNITS  "AMP_TEXTURE_UNITS=1"
#define TRACED "AMP_PROFILE=1 AMP_TRACE=trace.json"

const program programs[] = {
    { "views", views, NULL, "", 1, false },
    { "views, copies", views, NULL, COPIES, 1, false },
    { "scopes", scopes, NULL, "", 1, false },
    { "scopes, copies", scopes, NULL, COPIES, 1, false },
    { "sections", sections, NULL, "", 1, false },
    { "sections, copies", sections, NULL, COPIES, 1, false },
    { "sections, two devices", sections, NULL, TWO, 2, false },
    { "pieces, copies", pieces, NULL, COPIES, 1, false },
    { "arrays", arrays, NULL, "", 1, false },
    { "arrays, copies", arrays, NULL, COPIES, 1, false },
    { "rectangles", rectangles, NULL, "", 1, false },
    { "rectangles, copies", rectangles, NULL, COPIES, 1, false },
    { "patchwork, copies", patchwork, NULL, COPIES, 1, false },
    { "patchwork, two devices", patchwork, NULL, TWO, 2, false },
    { "staging, copies", staging, NULL, COPIES, 1, false },
    { "futures", futures, NULL, "", 1, false },
    { "futures, copies", futures, NULL, COPIES, 1, false },
    { "queues", queues, NULL, "", 1, false },
    { "queues, copies", queues, NULL, COPIES, 1, false },
    { "interop", interop, NULL, "", 1, false },
    { "interop, copies", interop, NULL, COPIES, 1, false },
    { "views, traced", views, NULL, COPIES " " TRACED, 1, false },
    { "recordings", recordings, NULL, "", 1, false },
    { "recordings, copies", recordings, NULL, COPIES, 1, false },
    { "textures", textures, forget_kernels, UNITS, 1, false },
    { "textures, copies", textures, forget_kernels, UNITS " " COPIES, 1, false },
    { "algorithms, copies", algorithms, NULL, COPIES, 1, false },
    { "builds", builds, empty_cache, "AMP_CACHE=1", 1, false },
    { "builds from the disk", builds, forget_kernels, "AMP_CACHE=1", 1, false },
    { "first use", first, NULL, "", 1, true },
    { "first use, copies", first, NULL, COPIES, 1, true },
    { NULL, NULL, NULL, NULL, 0, false },
};

int programs_begin(const program *p)
{
    amp_set_error_handler(hear, NULL);
    amp_array_view_int_1 nothing = { .data = NULL };
    AMP_AT(nothing, 0) = 1; /* a thread's memory for that is made once */
    if (p->alone)
        return p->devices;
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    (void)amp_accelerator_default_view(all[0]); /* launches go there once a device is gone; it is opened once */
    for (int i = 1; i < count && accelerator_count < p->devices; i++)
        accelerators[accelerator_count++] = all[i];
    return accelerator_count;
}

/* The worker thread ends soon when there is nothing to do. */
static void let_worker_end(void)
{
    const struct timespec moment = { 0, 200000 };
    for (int i = 0; i < 5000; i++) {
        amp_priv_lock(&amp_priv_worker.lock);
        const bool running = amp_priv_worker.running;
        amp_priv_unlock(&amp_priv_worker.lock);
        if (!running)
            return;
        nanosleep(&moment, NULL);
    }
    wrong(&met.permanent, "the worker thread does not end");
}

static void revive_devices(bool allowed)
{
    for (int i = 0; i < amp_priv_accelerators.count; i++) {
        amp_priv_device *const one = amp_priv_accelerators.device[i];
        if (atomic_exchange(&one->removed, false) && !allowed)
            wrong(&met.permanent, "%s was removed: %s", one->path, one->removed_reason);
    }
}

/* Once, then what is left over is looked after: nothing of it is in flight. */
static void run_once(const program *p)
{
    if (p->prepare)
        p->prepare();
    p->run();
    calm();
    let_worker_end();
    under_finish();
    amp_priv_lock(&amp_priv_trace.lock);
    if (amp_priv_is_watched())
        amp_priv_trace_look(true);
    amp_priv_unlock(&amp_priv_trace.lock);
}

static unsigned long expected; /* kernels on devices, without a fault */
static unsigned called_first[128];

void program_expect(unsigned long launched) { expected = launched; }
unsigned long program_launches(void) { return expected; }
unsigned program_calls(int function) { return called_first[function == UNDER_ALL ? under_functions() : function]; }

unsigned program_run(const program *p, bool removes)
{
    met = (outcome){ 0 };
    removes_devices = removes;
    run_once(p);
    revive_devices(removes);
    const outcome first_run = met;
    const unsigned failed = under_failed();
    const unsigned long before = under_launches();
    for (int f = 0; f < under_functions(); f++)
        called_first[f] = under_calls(f);
    called_first[under_functions()] = under_calls(UNDER_ALL);
    under_begin(NULL);
    met = (outcome){ 0 };
    run_once(p);
    const outcome again = met;
    const unsigned long launched = under_launches() - before;
    met = first_run;
    if (again.errors || again.lost || again.ran || again.permanent)
        wrong(&met.permanent, "run again: %u errors, %u wrong; the last error: %s %s", again.errors,
              again.lost + again.ran, amp_last_error_message(), again.text);
    else if (failed && expected && launched != expected)
        wrong(&met.elsewhere, "run again: %lu kernels on devices, not %lu", launched, expected);
    if (!failed)
        expected = launched;
    return failed;
}
