// SPDX-License-Identifier: MIT
/*  capture.c - what kernels can say beyond views and plain values: captured expressions, ... on every backend.
    Also tests amp/api/definitions.h, amp/api/records.h, amp/codegen/parameters.h. */
#include "test.h"

#undef NDEBUG
#include <assert.h>

/* ---- captured expressions ------------------------------------------------------------------------ */

AMP_STRUCT(weights, { float left, middle, right; });

/* A field of some program: its views in a struct, beside what describes them. */
typedef struct field {
    amp_array_view_float_2 heights;
    amp_const_array_view_int_1 rows;
    weights w;
    int step;
    unsigned flags : 3;
    const char *name;
} field;

static int evaluations;
static int evaluated(int value)
{
    evaluations++;
    return value;
}

static void expressions_captured(void **state)
{
    (void)state;
    const field f = { .w = { 1, 2, 3 }, .step = 7, .flags = 5, .name = "sea" };
    const double table[3] = { 0.25, 0.5, 0.75 };
    const field *const where_it_is = &f;
    FOR_EACH_ACCELERATOR(where)
    {
        if (!test_has_double(where))
            continue;
        double got[10];
        for (int i = 0; i < 10; i++)
            got[i] = -1;
        evaluations = 0;
        {
            AMP_ARRAY_VIEW(double, 1, out, got, 10);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero),
                AMP_CAPTURE(out, AMP_BIND(step, where_it_is->step), AMP_BIND(flags, f.flags), AMP_BIND(half, table[1]),
                            AMP_BIND(once, evaluated(f.step) * 3), AMP_BIND(is_long, f.step > 5 && f.name != NULL),
                            AMP_VALUE(weights, w, where_it_is->w),
                            AMP_VALUE(weights, made, (weights){ 4, f.w.right, 6 }),
                            AMP_BIND(second, f.step > 0 ? 2.5f : 0.0f)), {
                AMP_AT(out, zero) = step;
                AMP_AT(out, 1) = flags;
                AMP_AT(out, 2) = half;
                AMP_AT(out, 3) = once;
                AMP_AT(out, 4) = is_long ? 1 : 2;
                AMP_AT(out, 5) = w.middle;
                AMP_AT(out, 6) = made.middle;
                AMP_AT(out, 7) = made.right;
                AMP_AT(out, 8) = second;
            });
        }
        const double want[10] = { 7, 5, 0.5, 21, 1, 2, 3, 6, 2.5, -1 };
        check_doubles(got, want, 10);
        check_int(evaluations, 1);
    }
}

/* Views and arrays that are expressions: a member, a part, a call's result. */
static void views_as_expressions(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float heights[6 * 5], want[6 * 5];
        const int rows[3] = { 4, 0, 2 };
        for (int i = 0; i < 30; i++)
            heights[i] = want[i] = (float)i;
        for (int n = 0; n < 3; n++)
            for (int j = 1; j < 4; j++)
                want[rows[n] * 5 + j] = want[rows[n] * 5 + j] * 10 + 3;
        {
            AMP_ARRAY_VIEW(float, 2, whole, heights, 6, 5);
            AMP_CONST_ARRAY_VIEW(int, 1, list, rows, 3);
            const field f = { .heights = whole, .rows = list, .w = { 1, 2, 3 } };
            AMP_TILED_ON(where, AMP_EXTENT(3, 3), (1, 3), tile,
                AMP_CAPTURE(AMP_MEMBERS(f, rows, (whole, heights), (heights, heights), (right, w.right)),
                            AMP_BIND(inner, amp_section(f.heights, 0, 1, 6, 3))), {
                AMP_TILE_STATIC(float, row, [3]);
                AMP_THREADS(tile, t) {
                    row[t.local.v[1]] = AMP_AT(heights, AMP_AT(rows, t.tile.v[0]), t.local.v[1] + 1) +
                                            9 * AMP_AT(whole, AMP_AT(rows, t.tile.v[0]), t.local.v[1] + 1);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    AMP_AT(inner, AMP_AT(rows, t.tile.v[0]), t.local.v[1]) = row[t.local.v[1]] + right;
                }
            });
            check_int(AMP_AT(f.heights, 4, 1), 213); /* coherent with the member */
            amp_array_int_1 sum = amp_array_int_1_create_on(AMP_EXTENT(1), where);
            const struct {
                amp_array_int_1 sum;
            } all = { sum };
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(AMP_MEMBERS(all, (total, sum))), {
                AMP_AT(total, i) = 42;
            });
            int result = 0;
            amp_copy_out(sum, &result, 1);
            check_int(result, 42);
            amp_array_release(&sum);
        }
        check_floats(heights, want, 30);
    }
}

/* ---- structs of views ---------------------------------------------------------------------------- */

AMP_STRUCT(sides, { amp_const_array_view_float_2 left, right; })
AMP_STRUCT(work, {
    sides in;
    amp_array_view_float_2 out;
    float factor, summand;
})
AMP_FUNCTION(float, both_sides, (sides s, int i, int j), { return AMP_AT(s.left, i, j) - AMP_AT(s.right, j, i); })
AMP_FUNCTION(void, work_at, (work w, int i, int j), {
    AMP_AT(w.out, i, j) = w.factor * both_sides(w.in, i, j) + w.summand + (float)w.in.right.extent.v[0];
})

static void structs_of_views(void **state)
{
    (void)state;
    const float factor = 2;
    FOR_EACH_ACCELERATOR(where)
    {
        float a[6][4], b[4][6], c[6][4];
        for (int i = 0; i < 24; i++)
            a[i / 4][i % 4] = (float)(3 * i), b[i / 6][i % 6] = (float)i;
        {
            AMP_CONST_ARRAY_VIEW(float, 2, left, a, 6, 4);
            AMP_CONST_ARRAY_VIEW(float, 2, right, b, 4, 6);
            AMP_ARRAY_VIEW(float, 2, out, c, 6, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(3, 4), (i, j), AMP_CAPTURE(left, right, out, factor), {
                const work w = { { left, right }, out, factor, 1 };
                work_at(w, i, j);
                work again = w;
                again.in.left = left;
                again.factor = 3;
                work_at(again, i + 3, j);
            });
        }
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < 4; j++)
                check(c[i][j] == (i < 3 ? 2.0f : 3.0f) * (a[i][j] - b[j][i]) + 5);
    }
}

/* ---- bits ---------------------------------------------------------------------------------------- */

AMP_STRUCT(four_bytes, { uint8_t v[4]; });

/* The next float after x, for positive ones. */
AMP_FUNCTION(float, following, (float x), { return AMP_BITS(float, AMP_BITS(unsigned, x) + 1); })

static void bits_of_values(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        uint32_t got[8] = { 0 };
        const float from[3] = { -0.0f, 1.0f, 3.14159274f };
        {
            AMP_ARRAY_VIEW(uint32_t, 1, out, got, 8);
            AMP_CONST_ARRAY_VIEW(float, 1, in, from, 3);
            AMP_TILED_ON(where, AMP_EXTENT(1), (1), tile, AMP_CAPTURE(out, in), {
                AMP_TILE_STATIC(float, here);
                AMP_THREADS(tile, t) {
                    here = AMP_AT(in, 1);
                    const int zero = t.global.v[0];
                    int n = 1;
                    AMP_AT(out, zero) = AMP_BITS(uint32_t, AMP_AT(in, 0));
                    AMP_AT(out, 1) = AMP_BITS(uint32_t, AMP_AT(in, n++));
                    AMP_AT(out, 2) = (uint32_t)n;
                    AMP_AT(out, 3) = (uint32_t)(AMP_BITS(float, AMP_BITS(uint32_t, here) + (7u << 23)) * 3.0f);
                    AMP_AT(out, 4) = AMP_BITS(uint32_t, following(here));
                    AMP_AT(out, 5) = AMP_BITS(four_bytes, 0x11222233u).v[2];
                    const four_bytes made = {{1, 1, 1, 1}};
                    AMP_AT(out, 6) = AMP_BITS(uint32_t, made);
                    AMP_AT(out, 7) = (uint32_t)AMP_BITS(int, AMP_AT(in, 2)) ^ AMP_BITS(uint32_t, -n);
                }
            });
        }
        const uint32_t want[8] = { 0x80000000u, 0x3f800000u, 2,          384,
                                   0x3f800001u, 0x22,        0x01010101, 0x40490fdbu ^ 0xfffffffeu };
        check_unsigneds(got, want, 8);
        if (!test_has_double(where))
            continue;
        double real[2] = { -2.0, 0 };
        {
            AMP_ARRAY_VIEW(double, 1, out, real, 2);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(out), {
                AMP_AT(out, 1) = AMP_BITS(double, AMP_BITS(uint64_t, AMP_AT(out, zero)) + ((uint64_t)3 << 52));
            });
        }
        check(real[1] == -16.0);
    }
    check_int(AMP_BITS(uint32_t, 1.0f), 0x3f800000);
    check_int(AMP_BITS(int64_t, 1.0), 0x3ff0000000000000);
}

/* ---- names of types ------------------------------------------------------------------------------ */

AMP_TYPEDEF(float, real)
AMP_TYPEDEF(unsigned long long, word);
AMP_DEFINE_ELEMENT(word)
typedef int16_t sample; /* as a header of somebody's has it: an element, no AMP_TYPEDEF */
typedef enum hue { CYAN, MAGENTA = 7, YELLOW } hue;
AMP_DEFINE_ELEMENT(sample);
AMP_DEFINE_ELEMENT(hue)
AMP_DEFINE_ELEMENT(bool)
AMP_DEFINE_ELEMENT(size_t)
AMP_TYPEDEF(weights, stencil)
AMP_FUNCTION(real, halved, (real x), { return x / (real)2; })
AMP_STRUCT(reading, { word when; real value; sample raw[2]; });

#define REAL float
#define TWO  2
AMP_FUNCTION(float, corner, (AMP_CONST_ARRAY_VIEW_TYPE(REAL, TWO) v), {
    return AMP_AT(v, v.extent.v[0] - 1, v.extent.v[1] - 1);
})
static AMP_ARRAY_VIEW_TYPE(REAL, TWO) whole_view(REAL *values, int rows, int columns)
{
    return amp_array_view_float_2_create(values, AMP_EXTENT(rows, columns));
}

/* Signed or not, as the host's compiler has it: Arm's is not. OpenCL's checked tests have -funsigned-char. */
AMP_DEFINE_ELEMENT(char)
AMP_STRUCT(letters, { char first; unsigned char second; signed char third[2]; });
AMP_FUNCTION(int, widened, (char c), { return c; })

static void chars(void **state)
{
    (void)state;
    const int negative = (char)-3;
    FOR_EACH_ACCELERATOR(where)
    {
        char text[3] = { (char)200, 'b', 0 };
        int got[7] = { 0 };
        const char c = (char)-3;
        const letters l = { (char)-3, 253, { -3, 3 } };
        {
            AMP_ARRAY_VIEW(char, 1, in, text, 3);
            AMP_ARRAY_VIEW(int, 1, out, got, 7);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(in, out, c, AMP_VALUE(letters, l)), {
                char local = (char)(AMP_AT(in, 1) + 100);
                AMP_AT(out, 0) = AMP_AT(in, zero);
                AMP_AT(out, 1) = c;
                AMP_AT(out, 2) = l.first;
                AMP_AT(out, 3) = l.second + l.third[0];
                AMP_AT(out, 4) = widened((char)AMP_AT(out, 1));
                AMP_AT(out, 5) = local;
                AMP_AT(out, 6) = (char)253 < 0;
                AMP_AT(in, 2) = (char)-3;
            });
        }
        check_ints(got, ((const int[]){ (char)200, negative, negative, 250, negative, (char)198, negative < 0 }), 7);
        check_int(text[2], negative);
    }
}

static void names_of_types(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float got[4] = { 0 };
        word words[2] = { 1ull << 40, 0 };
        sample samples[3] = { -5, 300, 7 };
        hue hues[2] = { YELLOW, CYAN };
        bool flags[2] = { false, true };
        size_t lengths[1] = { 3 };
        const reading r = { 1ull << 33, 0.5f, { 11, 12 } };
        const real factor = 1.5f;
        const stencil s = { 1, 2, 3 };
        {
            AMP_ARRAY_VIEW(float, 1, out, got, 4);
            AMP_ARRAY_VIEW(word, 1, w, words, 2);
            AMP_ARRAY_VIEW(sample, 1, in, samples, 3);
            AMP_ARRAY_VIEW(hue, 1, c, hues, 2);
            AMP_ARRAY_VIEW(bool, 1, f, flags, 2);
            AMP_ARRAY_VIEW(size_t, 1, z, lengths, 1);
            AMP_TILED_ON(where, AMP_EXTENT(1), (1), tile,
                AMP_CAPTURE(out, w, in, c, f, z, factor, AMP_VALUE(reading, r), AMP_VALUE(stencil, s)), {
                AMP_TILE_STATIC(sample, here, [3]);
                AMP_PRIVATE(real, sum);
                AMP_THREADS(tile, t) {
                    for (int k = 0; k < 3; k++)
                        here[k] = AMP_AT(in, k);
                    AMP_OWN(sum) = (real)t.global.v[0];
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    real x = factor;
                    for (int k = 0; k < 3; k++)
                        AMP_OWN(sum) += here[k];
                    AMP_AT(out, t.global) = halved(x) + r.value;
                    AMP_AT(out, 1) = AMP_OWN(sum);
                    AMP_AT(out, 2) = s.middle + (real)r.raw[1];
                    AMP_AT(w, 1) = AMP_AT(w, 0) + r.when;
                    AMP_AT(in, 0) = (sample)(here[1] * 100);
                    const hue first = AMP_AT(c, 0);
                    AMP_AT(c, 1) = first;
                    AMP_AT(f, 0) = AMP_AT(f, 1);
                    AMP_AT(z, 0) += 4;
                }
            });
        }
        const float want[4] = { 1.25f, 302, 14, 0 };
        check_floats(got, want, 4);
        check(words[1] == (1ull << 40) + (1ull << 33));
        check_int(samples[0], 30000);
        check_int(hues[1], YELLOW);
        check(flags[0] && lengths[0] == 7);
    }
}

/* Where the element is a macro. */
static void types_of_views(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float values[6] = { 0, 1, 2, 3, 4, 5 }, got[1] = { 0 };
        AMP_ARRAY_VIEW_TYPE(REAL, TWO) v = whole_view(values, 2, 3);
        AMP_CONST_ARRAY_VIEW_TYPE(REAL, 2) c = amp_as_const(v);
        AMP_ARRAY_TYPE(REAL, 1) a = amp_array_float_1_create_on(AMP_EXTENT(1), where);
        AMP_PARALLEL_FOR_EACH_ON(where, a.extent, (i), AMP_CAPTURE(a, c), { AMP_AT(a, i) = corner(c); });
        amp_copy_out(a, got, 1);
        check(got[0] == 5.0f);
        amp_array_release(&a);
        amp_array_view_release(&v);
    }
}

/* ---- tables -------------------------------------------------------------------------------------- */

#define TAPS 3
AMP_TABLE(float, gauss, [TAPS], { 0.25f, 0.5f, 0.25f })
AMP_TABLE(int16_t, moves, [][2], {
    { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 }
});
AMP_TABLE(weights, stencils, [2], {
    { 1, 2, 3 }, { 4, 5, 6 }
})
AMP_TABLE(unsigned char, vowels, [5], { 'a', 'e', 'i', 'o', 'u' })
AMP_TABLE(float, nobody_reads_this, [2], { 1, 2 })
AMP_FUNCTION(float, smoothed, (amp_const_array_view_float_1 v, int i), {
    float sum = 0;
    for (int k = 0; k < TAPS; k++)
        sum += gauss[k] * AMP_AT(v, i + k);
    return sum;
})

static void tables_of_the_file(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const float from[6] = { 0, 4, 8, 0, 4, 16 };
        float got[4] = { 0 };
        int turns[4] = { 0 };
        {
            AMP_CONST_ARRAY_VIEW(float, 1, in, from, 6);
            AMP_ARRAY_VIEW(float, 1, out, got, 4);
            AMP_ARRAY_VIEW(int, 1, turn, turns, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(in, out, turn), {
                const weights w = stencils[i % 2];
                AMP_AT(out, i) = smoothed(in, i) * w.middle + stencils[1].left;
                AMP_AT(turn, i) = moves[i][0] * 10 + moves[i][1] + vowels[i] * 1000;
            });
            check(smoothed(in, 0) == 4.0f);
        }
        const float want[4] = { 12, 29, 10, 34 };
        const int turns_wanted[4] = { 'a' * 1000 + 10, 'e' * 1000 + 1, 'i' * 1000 - 10, 'o' * 1000 - 1 };
        check_floats(got, want, 4);
        check_ints(turns, turns_wanted, 4);
    }
}

/* ---- loops on the host --------------------------------------------------------------------------- */

/* Each time the host's loop sees what the kernel before it wrote, and the kernel after it what the loop wrote. */
static void loops_on_the_host(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float values[6 * 8], want[6 * 8];
        for (int i = 0; i < 48; i++)
            values[i] = want[i] = (float)i;
        {
            AMP_ARRAY_VIEW(float, 2, whole, values, 6, 8);
            const amp_array_view_float_2 part = amp_section(whole, 1, 2, 4, 3);
            for (int turn = 0; turn < 3; turn++) {
                AMP_PARALLEL_FOR_EACH_ON(where, whole.extent, (i, j), AMP_CAPTURE(whole), {
                    AMP_AT(whole, i, j) *= 2;
                });
                AMP_HOST_VIEW(home, part);
                for (int i = 0; i < home.extent.v[0]; i++)
                    for (int j = 0; j < home.extent.v[1]; j++)
                        AMP_AT(home, i, j) += 1;
                AMP_AT(home, AMP_INDEX(0, 0)) += 0.5f;
                *amp_get_ref(home, 3, 2) -= 0.25f;
                check(home.data == &values[10]);
                AMP_HOST_VIEW(reader, amp_as_const(part));
                AMP_HOST_VIEW(row, amp_project(whole, 5));
                check(AMP_AT(reader, 0, 0) == values[10] && AMP_AT(row, (size_t)7) == values[47]);
                for (int i = 0; i < 48; i++) {
                    const int r = i / 8, c = i % 8;
                    want[i] = 2 * want[i] + (r >= 1 && r < 5 && c >= 2 && c < 5 ? 1 : 0);
                }
                want[10] += 0.5f;
                want[4 * 8 + 4] -= 0.25f;
            }
            AMP_PARALLEL_FOR_EACH_ON(where, whole.extent, (i, j), AMP_CAPTURE(whole), { AMP_AT(whole, i, j) += 3; });
        }
        for (int i = 0; i < 48; i++)
            want[i] += 3;
        check_floats(values, want, 48);
    }
}

/* Where it cannot be brought home, the loop runs over nobody's memory, and one error says why. */
static void loops_over_nothing(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    int *const values = test_allocate(MANY * sizeof *values);
    amp_array_view_int_1 v = amp_array_view_int_1_create(values, AMP_EXTENT(MANY));
    values[7] = 7;
    const amp_array_view_int_1 copy = v;
    amp_array_view_release(&v);
    AMP_HOST_VIEW(home, copy);
    expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_HOST_VIEW(home, copy)");
#if !defined(AMP_CHECKED)
    int sum = 0;
    for (int i = 0; i < MANY; i++) {
        sum += AMP_AT(home, i);
        AMP_AT(home, i) = 1;
    }
    check_int(sum, 0);
#else
    AMP_ARRAY_VIEW(int, 1, w, values, 10);
    AMP_HOST_VIEW(checked, w);
    check_int(AMP_AT(checked, 7), 7);
    AMP_AT(checked, 10) = 5;
    expect_error(AMP_RUNTIME_ERROR, "the index (10) is outside of the view checked, whose extent is (10)");
#endif
    check_int(values[7], 7);
    amp_array_int_1 far;
    memset(&far, 0, sizeof far);
    AMP_HOST_VIEW(never, far);
    expect_error(AMP_UNINITIALIZED_OBJECT, "AMP_HOST_VIEW(never, far)");
    (void)never;
    free(values);
}

/* ---- pointers ------------------------------------------------------------------------------------ */

AMP_FUNCTION(void, add_to, (AMP_ELEMENT_POINTER(int) cell, AMP_TILE_POINTER(int) shared, int *own, int n), {
    *cell += n;
    shared[1] += n;
    *own += n;
})
AMP_FUNCTION(float, sum_of, (AMP_ELEMENT_POINTER(const float) first, int count), {
    float sum = 0;
    for (int i = 0; i < count; i++)
        sum += first[i];
    return sum;
})

static void pointers_to_elements(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int cells[4] = { 1, 2, 3, 4 }, got[2] = { 0, 0 };
        float rows[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, sums[2] = { 0, 0 };
        {
            AMP_ARRAY_VIEW(int, 1, v, cells, 4);
            AMP_ARRAY_VIEW(int, 1, out, got, 2);
            AMP_CONST_ARRAY_VIEW(float, 2, m, &rows[0][0], 2, 3);
            AMP_ARRAY_VIEW(float, 1, sum, sums, 2);
            AMP_TILED_ON(where, AMP_EXTENT(1), (1), tile, AMP_CAPTURE(v, out, m, sum), {
                AMP_TILE_STATIC(int, shared, [2]);
                AMP_THREADS(tile, t) {
                    int own = t.global.v[0];
                    shared[1] = 10;
                    add_to(&AMP_AT(v, 2), shared, &own, 5);
                    AMP_ELEMENT_POINTER(int) p = &AMP_AT(v, 0);
                    for (int i = 0; i < 2; i++)
                        *p++ *= 100;
                    amp_atomic_fetch_add(p, 1);
                    AMP_AT(out, 0) = shared[1];
                    AMP_AT(out, 1) = own;
                    AMP_AT(sum, 0) = sum_of(&AMP_AT(m, 0, 0), 3);
                    AMP_AT(sum, 1) = sum_of(&AMP_AT(m, 1, 1), 2);
                }
            });
        }
        const int want[4] = { 100, 200, 9, 4 }, got_wanted[2] = { 15, 5 };
        const float sums_wanted[2] = { 6, 11 };
        check_ints(cells, want, 4);
        check_ints(got, got_wanted, 2);
        check_floats(sums, sums_wanted, 2);
    }
    const float four[2] = { 1, 3 };
    check(sum_of(four, 2) == 4.0f);
}

/* ---- assertions ---------------------------------------------------------------------------------- */

AMP_FUNCTION(int, positive, (int x), {
    AMP_ASSERT(x > 0);
    return x;
})
AMP_FUNCTION(int, seven, (void), { return 7; })
AMP_FUNCTION(int, positive_seven, (void), { return positive(seven()); })
AMP_FUNCTION(int, sum_of_positives, (amp_const_array_view_int_1 v, int i), {
    return positive(AMP_AT(v, i)) + positive_seven();
})

static void assertions(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        const int from[8] = { 1, 2, 3, 4, 5, -6, 7, 8 };
        int got[8] = { 0 };
        {
            AMP_CONST_ARRAY_VIEW(int, 1, in, from, 8);
            AMP_ARRAY_VIEW(int, 1, out, got, 8);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(in, out), {
                AMP_ASSERT(AMP_AT(in, i) < 9 && "never" "said");
                AMP_AT(out, i) = sum_of_positives(in, i);
            });
#if defined(AMP_CHECKED)
            expect_error(AMP_RUNTIME_ERROR, "at index (5), AMP_ASSERT(x > 0) is false; it is the first of 1 fault");
#endif
            AMP_TILED_ON(where, out.extent, (4), tile, AMP_CAPTURE(in, out), {
                AMP_THREADS(tile, t) {
                    AMP_ASSERT(t.global.v[0] != 6 || AMP_AT(in, t.global) != 7);
                    AMP_AT(out, t.global) += 100;
        }
    });
#if defined(AMP_CHECKED)
    expect_error(AMP_RUNTIME_ERROR, "in tile (1), thread (2), global index (6), AMP_ASSERT(t.global.v[0] != 6 || "
                                    "AMP_AT(in, t.global) != 7) is false");
#endif
}
const int want[8] = { 108, 109, 110, 111, 112, 101, 114, 115 };
check_ints(got, want, 8);
check_int(positive(-1), -1);
#if defined(AMP_CHECKED)
expect_error(AMP_RUNTIME_ERROR, ": x > 0 is false");
#endif
}
int evaluated_here = 0;
AMP_ASSERT(++evaluated_here == 1);
#if defined(AMP_CHECKED)
check_int(evaluated_here, 1);
#else
check_int(evaluated_here, 0);
#endif
}

/* C's own: in the CPU backend it is C's; a device's program has it in checked builds. */
static void the_assert_of_c(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[3] = { 0 };
        const int limit = test_is_cpu(where) ? 3 : 2;
        {
            AMP_ARRAY_VIEW(int, 1, out, got, 3);
            AMP_PARALLEL_FOR_EACH_ON(where, out.extent, (i), AMP_CAPTURE(out, limit), {
                assert(i < limit);
                AMP_AT(out, i) = i;
            });
#if defined(AMP_CHECKED)
            if (!test_is_cpu(where))
                expect_error(AMP_RUNTIME_ERROR, "at index (2), AMP_ASSERT(i < limit) is false");
#endif
        }
        check_int(got[2], 2);
    }
}

/* ---- loops ----------------------------------------------------------------------------------------- */

/* Whole numbers, whose sums are the same in any order; a turn may end early, and phases have such loops, too. */
static void sums_in_any_order(void **state)
{
    (void)state;
    enum { ITEMS = 1003, THREADS = 8 };
    static float in[ITEMS];
    int want = 0, want_odd = 0;
    for (int i = 0; i < ITEMS; i++) {
        in[i] = (float)(i % 17);
        want += i % 17;
        want_odd += i % 2 ? i % 17 : 0;
    }
    FOR_EACH_ACCELERATOR(where)
    {
        float sums[2 * THREADS] = { 0 }, shared[THREADS] = { 0 };
        {
            AMP_CONST_ARRAY_VIEW(float, 1, x, in, ITEMS);
            AMP_ARRAY_VIEW(float, 1, out, sums, 2 * THREADS);
            AMP_ARRAY_VIEW(float, 1, out_tiled, shared, THREADS);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(THREADS), (i), AMP_CAPTURE(x, out, AMP_CONSTANT(THREADS)), {
                const int count = x.extent.v[0];
                float sum = 1.0f, odd = 2.0f;
                AMP_ANY_ORDER(sum, odd)
                for (int j = 0; j < count; j++) {
                    sum += AMP_AT(x, j);
                    if (j % 2 == 0)
                        continue;
                    odd += AMP_AT(x, j);
                }
                AMP_AT(out, i) = sum;
                AMP_AT(out, THREADS + i) = odd;
            });
            AMP_TILED_ON(where, out_tiled.extent, (4), tile, AMP_CAPTURE(x, out_tiled), {
                AMP_TILE_STATIC(float, part, [16]);
                AMP_THREADS(tile, t) {
                    for (int j = 0; j < 4; j++)
                        part[t.local.v[0] + 4 * j] = AMP_AT(x, t.local.v[0] + 4 * j);
                }
                amp_barrier_wait(tile.barrier);
                AMP_THREADS(tile, t) {
                    float sum = 0.0f;
                    AMP_ANY_ORDER(sum)
                    for (int j = 0; j < 16; j++)
                        sum += part[j];
                    AMP_AT(out_tiled, t.global) = sum;
                }
            });
        }
        for (int i = 0; i < THREADS; i++) {
            check_int((int)sums[i], want + 1);
            check_int((int)sums[THREADS + i], want_odd + 2);
            check_int((int)shared[i], 120);
        }
    }
}

/* ---- words that devices have not -------------------------------------------------------------------- */

static void words_of_c_alone(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[4] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, got, 4);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), {
            struct two { int a, b; };
            struct two both[2] = { { i, 1 }, { 2, i } };
            struct two *p = both;
            for (register int k = 0; k < 2; k++, p++) {
                auto const int more = p->a;
                p->b += more;
            }
            AMP_AT(v, i) = both[0].b * 100 + both[1].b;
        });
        for (int i = 0; i < 4; i++)
            check_int(AMP_AT(v, i), (i + 1) * 100 + i + 2);
    }
}

/* ---- names that devices have, too ------------------------------------------------------------------ */

/* Each calls the library's function of that kind, which is the device's. (Not rsqrt and sinpi, which C23 has.) */
AMP_FUNCTION(float, rsqrtf, (float x), { return amp_rsqrtf(x) + amp_fast_rsqrtf(x); })
AMP_FUNCTION(float, cospif, (float x), { return amp_cospif(x); })
AMP_FUNCTION(float, native_exp, (float x), { return amp_fast_expf(x); })
AMP_FUNCTION(float, native_log, (float x), { return amp_fast_logf(x); })
AMP_FUNCTION(uint32_t, as_uint, (float x), { return AMP_BITS(uint32_t, x); })

static void names_of_device_functions(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        float got[5] = { 0 };
        const float want[5] = { 1, -1, 1, 0, 1016 };
        const int vec_step = 1;
        AMP_ARRAY_VIEW(float, 1, v, got, 5);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(v, vec_step), {
            const float one = (float)(zero + vec_step);
            AMP_AT(v, 0) = rsqrtf(4 * one);
            AMP_AT(v, 1) = cospif(one);
            AMP_AT(v, 2) = native_exp(one - 1);
            AMP_AT(v, 3) = native_log(one);
            AMP_AT(v, 4) = (float)(as_uint(one) >> 20);
        });
        amp_array_view_synchronize(&v);
        for (int i = 0; i < 5; i++)
            check_that(got[i] > want[i] - 1e-3f && got[i] < want[i] + 1e-3f, "number %d is %g", i, (double)got[i]);
    }
}

/* ---- memory of a thread: what a body declares is its thread's own, whatever a compiler makes vectors of ----- */

AMP_STRUCT(thread_box, { int a; int v[4]; });
AMP_FUNCTION(int, in_a_function, (int x, int i, int w), {
    int own[8];
    for (int k = 0; k < 8; k++)
        own[k] = x + k;
    own[x & 7] = i;
    return own[w] - own[(i + w) & 7];
})
AMP_FUNCTION(void, through_a_pointer, (int *own, int at, int x), { own[at & 3] += x; })
AMP_FUNCTION(int, either_of_two, (int x, int i, int w), {
    int a = x;
    int b = i;
    int *const one = ((x + w) & 1) ? &a : &b;
    *one *= 3;
    return a - 2 * b;
})

enum { OWN_COUNT = 192 };

/* Each body gets x, i and w, and sets r: in a launch, in a phase, and in a loop of C, which is right. */
#define OWN_BODIES(X)                                                                                                  \
    X(one_of_constants, { int own[5] = { x, 2, 3, i, 5 }; r = own[w]; })                                               \
    X(one_that_is_set, { int own[4]; own[0] = 1; own[1] = i; own[2] = 3; own[3] = x; own[x & 3] = i; r = own[w]; })    \
    X(one_by_a_value, { int own[4] = { 0 }; own[x & 3] = i; own[(x + 1) & 3] = w; r = own[(i + w) & 3]; })             \
    X(one_by_the_thread, { int own[OWN_COUNT + 4]; own[i] = x; own[i + w] = -x; r = own[i]; })                         \
    X(in_a_struct, { thread_box own = { x, { 1, 2, i, 4 } }; own.v[i & 3] += w; r = own.v[w] + own.a; })               \
    X(of_a_literal, { r = ((thread_box){ x, { x, i, w, 4 } }).v[w]; })                                                 \
    X(two_dimensions, { int own[3][2] = { { x, 1 }, { 2, i }, { w, 4 } }; r = own[i % 3][w & 1]; })                    \
    X(of_bytes, { uint8_t own[4]; own[0] = 1; own[1] = (uint8_t)i; own[2] = (uint8_t)x; own[3] = 9; r = own[w]; })     \
    X(in_a_branch, { int own[2] = { 0, 0 }; if (x & 1) own[0] = i; else own[1] = i; r = own[w & 1]; })                 \
    X(in_a_loop, { int own[4]; for (int k = 0; k < 4; k++) own[k] = x + k;                                             \
                   for (int k = 0; k < 4; k++) own[(k + i) & 3] ^= own[k]; r = own[w]; })                              \
    X(in_called, { r = in_a_function(x, i, w); })                                                                      \
    X(by_pointers, { int own[4] = { 1, 2, 3, 4 }; through_a_pointer(own, i + w, x); r = own[w]; })                     \
    X(one_of_two, { r = either_of_two(x, i, w); })                                                                     \
    X(an_index, { amp_index2 own; own.v[0] = x; own.v[1] = i; own.v[(x + w) & 1] += 5; r = own.v[w & 1]; })

#define OWN_CHECK(name, ...)                                                                                           \
    for (int w = 0; w < 3; w++) {                                                                                      \
        int in[OWN_COUNT], simple[OWN_COUNT], tiled[OWN_COUNT];                                                        \
        for (int i = 0; i < OWN_COUNT; i++)                                                                            \
            in[i] = i * 7 % 31, simple[i] = tiled[i] = i;                                                              \
        AMP_CONST_ARRAY_VIEW(int, 1, from, in, OWN_COUNT);                                                             \
        AMP_ARRAY_VIEW(int, 1, s, simple, OWN_COUNT);                                                                  \
        AMP_ARRAY_VIEW(int, 1, t, tiled, OWN_COUNT);                                                                   \
        AMP_PARALLEL_FOR_EACH_ON(where, s.extent, (i), AMP_CAPTURE(from, s, w, AMP_CONSTANT(OWN_COUNT)), {             \
            const int x = AMP_AT(from, i);                                                                             \
            int r;                                                                                                     \
            __VA_ARGS__                                                                                                \
            AMP_AT(s, i) += r;                                                                                         \
        });                                                                                                            \
        AMP_TILED_ON(where, t.extent, (32), tile, AMP_CAPTURE(from, t, w, AMP_CONSTANT(OWN_COUNT)), {                  \
            AMP_THREADS(tile, thread) {                                                                                \
                const int i = thread.global.v[0];                                                                      \
                const int x = AMP_AT(from, i);                                                                         \
                int r;                                                                                                 \
                __VA_ARGS__                                                                                            \
                AMP_AT(t, i) += r;                                                                                     \
            }                                                                                                          \
        });                                                                                                            \
        amp_array_view_synchronize(&s);                                                                                \
        amp_array_view_synchronize(&t);                                                                                \
        for (int i = 0; i < OWN_COUNT; i++) {                                                                          \
            const int x = in[i];                                                                                       \
            int r;                                                                                                     \
            __VA_ARGS__                                                                                                \
            check_that(simple[i] == i + r, #name ", w %d: thread %d has %d, not %d", w, i, simple[i], i + r);          \
            check_that(tiled[i] == i + r, #name ", w %d, in a phase: thread %d has %d, not %d", w, i, tiled[i], i + r);\
        }                                                                                                              \
    }

static void memory_of_a_thread(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where) { OWN_BODIES(OWN_CHECK) }
}

/* ---- the least and the greatest ---------------------------------------------------------------------- */

AMP_FUNCTION(float, inside, (float x, int high), { return amp_clamp(x, 0, (float)high); })

static void least_and_greatest(void **state)
{
    (void)state;
    int times = 0;
    check(amp_min(times++, 3.5) == 0 && times == 1);
    check(amp_max(-1, 2ll) == 2 && amp_clamp((uint64_t)1 << 40, 5, UINT64_MAX) == (uint64_t)1 << 40);
    FOR_EACH_ACCELERATOR(where)
    {
        int64_t got[8] = { 0 };
        const int64_t want[8] = { -3, 2, 2147483648, 1 << 20, 4, -7, 1, 9 };
        AMP_ARRAY_VIEW(int64_t, 1, v, got, 8);
        const int8_t small = -3;
        const uint16_t middle = 2;
        const int64_t large = (int64_t)1 << 40;
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(v, small, middle, large), {
            int turns = 1 + zero;
            AMP_AT(v, 0) = amp_min(small, middle);
            AMP_AT(v, 1) = amp_max(small, middle);
            AMP_AT(v, 2) = amp_clamp(large, 0, 2147483648u);
            AMP_AT(v, 3) = amp_min(amp_max(1 << 20, turns), amp_min(large, 1 << 21));
            AMP_AT(v, 4) = (int64_t)inside(5.5f, 4);
            AMP_AT(v, 5) = (int64_t)amp_clamp(-7.0f, -8, 1);
            AMP_AT(v, 6) = amp_min(turns++, 3);
            AMP_AT(v, 7) = amp_max(turns, 9) + (turns == 2 ? 0 : 100);
        });
        for (int i = 0; i < 8; i++)
            check_int(AMP_AT(v, i), want[i]);
    }
}

/* ---- lists with designators, compound literals --------------------------------------------------------- */

AMP_STRUCT(two_ints, { int a, b; });
AMP_STRUCT(nested, { two_ints p[2]; int n; int m[3]; });
AMP_TABLE(float, weights_by_number, [4], { [2] = 0.5f, [0] = 2.0f })
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" /* a range is an extension of both compilers */
AMP_TABLE(int, ranges_of_numbers, [], { [1 ... 2] = 3, 4 })
#pragma GCC diagnostic pop
AMP_TABLE(two_ints, table_of_structs, [2], { [1] = { .a = 1, .b = 4 } })
AMP_FUNCTION(int, digits_of, (const int *q, int n), {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += q[i] << i * 4;
    return sum;
})
AMP_FUNCTION(int, b_of, (const two_ints *q), { return q->b; })
AMP_FUNCTION(int, of_a_function, (int n), {
    const two_ints x = { .b = n, .a = 1 };
    const int t[] = { [2] = 5, 6 };
    return x.b * 100 + t[3] * 10 + (int)(sizeof t / sizeof t[0]);
})

static void designators(void **state)
{
    (void)state;
    enum { SECOND = 1, LAST };
    static const int want[18] = { 1280, 27, 4394, 85647, 209697, 7,  258, 256, 54,
                                  1011, 6,  464,  6532,  532,    10, 657, 127, 35 };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[18] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, got, 18);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero),
            AMP_CAPTURE(v, AMP_CONSTANT(SECOND), AMP_CONSTANT(LAST)), {
            const int k = 7 + zero;
            const int t[4] = { [LAST] = 5 };
            AMP_AT(v, 0) = digits_of(t, 4);
            two_ints x = { .b = k, .a = 2 };
            AMP_AT(v, 1) = x.a * 10 + x.b;
            const two_ints y[] = { [1] = { .b = 3, .a = 4 }, [0].a = 9, [3] = { 1, 2 } };
            AMP_AT(v, 2) = y[1].a * 1000 + y[1].b * 100 + y[0].a * 10 + (int)(sizeof y / sizeof y[0]);
            nested d = { .n = k, .p[1].b = 4, .m = { [1] = 6, 5 }, .p[0] = { .a = 8 } };
            AMP_AT(v, 3) = d.n + d.p[1].b * 10 + d.m[1] * 100 + d.m[2] * 1000 + d.p[0].a * 10000;
            int r[6] = { 1, [2 ... 4] = 3, [SECOND] = 2 };
            AMP_AT(v, 4) = digits_of(r, 6);
            AMP_AT(v, 5) = ((two_ints){ .b = 5, .a = k }).a;
            AMP_AT(v, 6) = digits_of((int[4]){ [2] = 1, [0] = 2 }, 4);
            AMP_AT(v, 7) = digits_of((int[]){ [LAST] = 1 }, 3);
            int g[2][3] = { [1][2] = 4, [0] = { [1] = 5 } };
            AMP_AT(v, 8) = g[1][2] + g[0][1] * 10;
            int n = 11, w[3] = { [2 - 2] = 8 }, m = 2;
            AMP_AT(v, 9) = w[0] * 100 + n * 19 + m;
            for (two_ints it = { .b = 2, .a = 0 }; it.a < it.b; it.a++)
                AMP_AT(v, 10) += 3;
            AMP_AT(v, 11) = of_a_function(4);
            nested e = { { { .b = 2, .a = 0 }, { 3, 4 } }, 5, .m[2] = 6 };
            AMP_AT(v, 12) = e.p[0].b + e.p[1].a * 10 + e.n * 100 + e.m[2] * 1000;
            static const int u[3][2] = { { [1] = 2 }, { 3, 0 }, [2] = { 4, 5 } };
            AMP_AT(v, 13) = u[0][1] + u[1][0] * 10 + u[2][1] * 100;
            x = (two_ints){ .b = 1, .a = 9 };
            AMP_AT(v, 14) = x.a + x.b;
            const two_ints z[] = { { .b = 5, .a = 6 }, { 7, 0 } };
            AMP_AT(v, 15) = z[0].a * 100 + z[0].b * 10 + z[1].a;
            const two_ints h = { .b = amp_min(AMP_AT(v, 14), 12), .a = amp_max(k, 9) };
            AMP_AT(v, 16) = h.a * 13 + h.b;
            x = (two_ints){ .b = amp_clamp(AMP_AT(v, 14), 1, 5), .a = AMP_BITS(int, 3) };
            AMP_AT(v, 17) = x.a * 10 + x.b;
        });
        for (int i = 0; i < 18; i++)
            check_that(AMP_AT(v, i) == want[i], "number %d is %d", i, AMP_AT(v, i));
    }
}

static void compound_literals(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[6] = { 0 };
        AMP_ARRAY_VIEW(int, 1, v, got, 6);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (zero), AMP_CAPTURE(v), {
            const int k = 7 + zero;
            AMP_AT(v, 0) = b_of(&(two_ints){ .b = 6 }) + b_of(&(two_ints){ 1, 2 }) * 10;
            const int *p = (int[]){ 3, k };
            const int *o = (const int[2]){ [1] = 5 };
            const two_ints *q = &(two_ints){ 8, 9 };
            two_ints *r;
            r = &(two_ints){ .b = 3, .a = k };
            r->a++;
            AMP_AT(v, 1) = p[1] + o[1] * 10 + q->b * 100 + r->a * 1000 + r->b * 10000;
            AMP_AT(v, 2) = (int)(sizeof(int[]){ 1, 2, 3 } / sizeof(int));
            AMP_AT(v, 3) = digits_of((int[]){ 6, 7 }, 2) + (int[]){ 6, 7 }[1];
            union { int i; float f; } bits = { .f = 1.0f };
            struct { int c; struct { char name[4]; } in; } s = { .in.name = "abc", .c = 3 };
            AMP_AT(v, 4) = (bits.i >> 20) + s.c + s.in.name[1];
            AMP_AT(v, 5) = (int)weights_by_number[2] + (int)weights_by_number[0] * 10 + ranges_of_numbers[1] * 100 +
                           ranges_of_numbers[2] * 1000 + ranges_of_numbers[3] * 10000 + table_of_structs[1].b * 100000;
        });
        const int want[6] = { 26, 38957, 3, 125, 1117, 443320 };
        for (int i = 0; i < 6; i++)
            check_that(AMP_AT(v, i) == want[i], "number %d is %d", i, AMP_AT(v, i));
    }
}

/* ---- names beyond ASCII, and those of a device's functions ---------------------------------------------- */

AMP_STRUCT(größe, { int höhe, breite; });
AMP_DEFINE_ELEMENT(größe)
AMP_FUNCTION(int, fläche, (größe g), { return g.höhe * g.breite; })

static void über_ascii_hinaus(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        größe values[4] = { { 0, 0 } };
        const int länge = 7;
        AMP_ARRAY_VIEW(größe, 1, v, values, 4);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (φ), AMP_CAPTURE(v, länge), {
            int gr\u00f6\u00dfer = φ;
            größer += länge;
            AMP_AT(v, φ).höhe = größer;
            AMP_AT(v, φ).breite = fläche((größe){ φ, 2 });
        });
        check_int(AMP_AT(v, 3).höhe, 10);
        check_int(AMP_AT(v, 3).breite, 6);
    }
}

static void variables_named_as_functions(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int places[16] = { 0 };
        float got[2] = { 0 };
        AMP_ARRAY_VIEW(int, 1, out, places, 16);
        AMP_ARRAY_VIEW(float, 1, v, got, 2);
        AMP_TILED_ON(where, out.extent, (8), tile, AMP_CAPTURE(out), {
            AMP_TILE_STATIC(int, barrier, [8]);
            AMP_THREADS(tile, t) { barrier[7 - t.local.v[0]] = t.global.v[0]; }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) { AMP_AT(out, t.global) = barrier[7 - t.local.v[0]] + 4; }
        });
        check_int(AMP_AT(out, 9), 13);
        const int barrier = 5, mem_fence = 2;
        AMP_TILED_ON(where, out.extent, (8), tile, AMP_CAPTURE(out, barrier, mem_fence), {
            AMP_TILE_STATIC(int, shared);
            AMP_THREADS(tile, t) { if (t.local.v[0] == 0) shared = barrier + mem_fence; amp_all_memory_fence(t); }
            amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);
            AMP_THREADS(tile, t) { AMP_AT(out, t.global) = shared; }
        });
        check_int(AMP_AT(out, 9), 7);
        AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), {
            const float floor = floorf(1.5f + (float)i);
            const float sqrt = sqrtf(4);
            const float pow = powf(2, 3);
            const int ilogb = ilogbf(8.0f);
            AMP_AT(v, i) = floor + sqrt + pow + (float)ilogb;
        });
        check(AMP_AT(v, 1) == 15);
    }
}

/* Calls with constants in a switch: NVIDIA's OpenCL lost the device where these looped over the components. */
AMP_FUNCTION(int, about_rank_5, (int which), {
    switch (which) {
    case 0: return (int)amp_extent5_size(AMP_EXTENT(-1, 2, 3, 4, 5));
    case 1: return (int)amp_extent5_size(AMP_EXTENT(1, 2, 0, 4, 5));
    case 2: return (int)amp_extent5_size(AMP_EXTENT(-1, 2, 3, -4, 5));
    case 3: return (int)amp_extent5_size(AMP_EXTENT(1, 2, 3, 4, 5));
    case 4: return amp_extent5_contains(AMP_EXTENT(1, 2, 3, 4, 5), AMP_INDEX(0, 1, 2, 3, 4));
    case 5: return amp_extent5_contains(AMP_EXTENT(1, 2, 3, 4, 5), AMP_INDEX(0, 1, -1, 3, 4));
    case 6: return amp_extent5_equal(AMP_EXTENT(1, 2, 3, 4, 5), AMP_EXTENT(1, 2, 3, 4, 5));
    default: return -1;
    }
})
AMP_FUNCTION(int, about_rank_8, (int which), {
    switch (which) {
    case 0: return (int)amp_extent8_size(AMP_EXTENT(-1, 2, 3, 4, 5, 6, 7, 8));
    case 1: return (int)amp_extent8_size(AMP_EXTENT(1, 2, 0, 4, 5, 6, 7, 8));
    case 2: return (int)amp_extent8_size(AMP_EXTENT(-1, 2, 3, -4, 5, 6, 7, 8));
    case 3: return (int)amp_extent8_size(AMP_EXTENT(1, 2, 3, 4, 5, 6, 7, 8));
    case 4: return amp_extent8_contains(AMP_EXTENT(1, 2, 3, 4, 5, 6, 7, 8), AMP_INDEX(0, 1, 2, 3, 4, 5, 6, 7));
    case 5: return amp_extent8_contains(AMP_EXTENT(1, 2, 3, 4, 5, 6, 7, 8), AMP_INDEX(0, 1, 2, 3, 4, 5, 6, 8));
    case 6: return amp_index8_equal(AMP_INDEX(1, 2, 3, 4, 5, 6, 7, 8), AMP_INDEX(1, 2, 3, 4, 5, 6, 7, 9));
    default: return -1;
    }
})

static void sizes_of_constants(void **state)
{
    enum { CASES = 8 };
    static const int want[2][CASES] = { { 0, 0, 0, 120, 1, 0, 1, -1 }, { 0, 0, 0, 40320, 1, 0, 0, -1 } };
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int got[2 * CASES];
        AMP_ARRAY_VIEW(int, 2, v, got, 2, CASES);
        AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(CASES), (i), AMP_CAPTURE(v), {
            AMP_AT(v, 0, i) = about_rank_5(i);
            AMP_AT(v, 1, i) = about_rank_8(i);
        });
        amp_array_view_synchronize(&v);
        check_ints(got, want[0], 2 * CASES);
    }
}

AMP_FUNCTION(int, sum_of_names, (int uint, const int *half), { return uint + *half; })

/* 64 bits, wherever the words of a type stand. */
static void orders_of_long_long(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        int64_t got[6];
        memset(got, 0x55, sizeof got);
        {
            AMP_ARRAY_VIEW(int64_t, 1, v, got, 6);
            AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(1), (i), AMP_CAPTURE(v), {
                long unsigned long a = 0xffffffffffffffffu - (unsigned)i;
                const long int long b = INT64_MAX - i;
                long const unsigned int long c = (unsigned)i;
                AMP_AT(v, 0) = a + 1u == 0;
                AMP_AT(v, 1) = (int64_t)sizeof a;
                AMP_AT(v, 2) = b;
                AMP_AT(v, 3) = (int64_t)sizeof(long signed long);
                AMP_AT(v, 4) = (int64_t)(c - 1u);
                AMP_AT(v, 5) = __builtin_clzll(1ull + (unsigned)i);
            });
        }
        const int64_t want[6] = { 1, 8, INT64_MAX, 8, -1, 63 };
        for (int i = 0; i < 6; i++)
            check_that(got[i] == want[i], "%d: %lld, not %lld", i, (long long)got[i], (long long)want[i]);
    }
}

/* Of 64 bits, too, where a device has them for 128. */
static void builtin_functions_of_bits(void **state)
{
    (void)state;
    enum { ROWS = 14, PLACES = 40 };
    FOR_EACH_ACCELERATOR(where)
    {
        int got[ROWS][PLACES];
        int64_t in[PLACES];
        for (int i = 0; i < PLACES; i++)
            in[i] = i % 3 == 0 ? -1 - i : (int64_t)((uint64_t)test_random() << i % 33 | 1);
        test_poison(&got[0][0], ROWS * PLACES);
        {
            AMP_CONST_ARRAY_VIEW(int64_t, 1, x, in, PLACES);
            AMP_ARRAY_VIEW(int, 2, n, &got[0][0], ROWS, PLACES);
            AMP_PARALLEL_FOR_EACH_ON(where, x.extent, (i), AMP_CAPTURE(x, n), {
                const int64_t a = AMP_AT(x, i);
                const unsigned low = (unsigned)a | 1u;
                AMP_AT(n, 0, i) = __builtin_popcount(low);
                AMP_AT(n, 1, i) = __builtin_popcountll((uint64_t)a);
                AMP_AT(n, 2, i) = __builtin_clz(low);
                AMP_AT(n, 3, i) = __builtin_clzll((uint64_t)a);
                AMP_AT(n, 4, i) = __builtin_ctz(low);
                AMP_AT(n, 5, i) = __builtin_ctzll((uint64_t)a);
                AMP_AT(n, 6, i) = __builtin_ffs((int)low);
                AMP_AT(n, 7, i) = __builtin_ffsll(a);
                AMP_AT(n, 8, i) = __builtin_parity(low);
                AMP_AT(n, 9, i) = __builtin_parityll((uint64_t)a);
                AMP_AT(n, 10, i) = (int)__builtin_bswap32(low);
                AMP_AT(n, 11, i) = __builtin_expect(i == 3, 0) ? 1 : 0;
                AMP_AT(n, 12, i) = isnan(nanf("")) ? 1 : 0;
                AMP_AT(n, 13, i) = NAN == NAN;
            });
        }
        for (int i = 0; i < PLACES; i++) {
            const uint64_t a = (uint64_t)in[i];
            const unsigned low = (unsigned)a | 1u;
            const int want[ROWS] = { __builtin_popcount(low),
                                     __builtin_popcountll(a),
                                     __builtin_clz(low),
                                     __builtin_clzll(a),
                                     __builtin_ctz(low),
                                     __builtin_ctzll(a),
                                     __builtin_ffs((int)low),
                                     __builtin_ffsll(in[i]),
                                     __builtin_parity(low),
                                     __builtin_parityll(a),
                                     (int)__builtin_bswap32(low),
                                     i == 3,
                                     1,
                                     0 };
            for (int r = 0; r < ROWS; r++)
                check_that(got[r][i] == want[r], "row %d of %llx is %d, not %d", r, (unsigned long long)a, got[r][i],
                           want[r]);
        }
    }
}

/* Types of OpenCL C are names of variables in C. */
static void variables_named_as_types_of_devices(void **state)
{
    (void)state;
    FOR_EACH_ACCELERATOR(where)
    {
        enum { PLACES = 20 };
        int got[PLACES], want[PLACES];
        const int half = 1;
        test_poison(got, PLACES);
        {
            AMP_ARRAY_VIEW(int, 1, v, got, PLACES);
            AMP_PARALLEL_FOR_EACH_ON(where, v.extent, (i), AMP_CAPTURE(v), {
                int half = i / 2, rest = i % 2;
                int a = 2, uchar, last = 5;
                uchar = a + last;
                for (int k = 0, ulong = 3; k < ulong; k++)
                    uchar += (half)-1;
                AMP_AT(v, i) = half * 10 + rest + uchar + sum_of_names(half, &rest);
            });
            const amp_array_view_int_1 end = amp_section(v, PLACES - 4, 4);
            AMP_PARALLEL_FOR_EACH_ON(where, end.extent, (i), AMP_CAPTURE(end, half), {
                const int ushort[2] = { half * 3, (half)-1 };
                AMP_AT(end, i) = ushort[i & 1] + half;
            });
        }
        for (int i = 0; i < PLACES; i++)
            want[i] = i >= PLACES - 4 ? (i % 2 ? 1 : 4) : i / 2 * 10 + i % 2 + 7 + 3 * (i / 2 - 1) + i / 2 + i % 2;
        check_ints(got, want, PLACES);
    }
}

int run_api_capture(void);
int run_api_capture(void)
{
    const struct CMUnitTest tests[] = {
        TEST(variables_named_as_types_of_devices),
        TEST(orders_of_long_long),
        TEST(builtin_functions_of_bits),
        TEST(expressions_captured),
        TEST(views_as_expressions),
        TEST(structs_of_views),
        TEST(bits_of_values),
        TEST(names_of_types),
        TEST(chars),
        TEST(types_of_views),
        TEST(tables_of_the_file),
        TEST(loops_on_the_host),
        TEST(loops_over_nothing),
        TEST(pointers_to_elements),
        TEST(assertions),
        TEST(the_assert_of_c),
        TEST(sums_in_any_order),
        TEST(words_of_c_alone),
        TEST(names_of_device_functions),
        TEST(memory_of_a_thread),
        TEST(least_and_greatest),
        TEST(designators),
        TEST(compound_literals),
        TEST(über_ascii_hinaus),
        TEST(variables_named_as_functions),
        TEST(sizes_of_constants),
    };
    return cmocka_run_group_tests_name("api/capture", tests, NULL, NULL);
}
