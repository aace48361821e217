// SPDX-License-Identifier: MIT
/*  kernels.c - checked builds: mistakes that the body of a kernel shows. Each child has launches with one kind of
    mistake, and prints a message for each, or right ones that look like them, and prints none.
    Also tests amp/checked/atomics.h, amp/checked/barriers.h, amp/checked/doubts.h, amp/checked/numbers.h,
    amp/checked/tile_phases.h, amp/checked/tile_results.h, amp/checked/tiles.h, amp/checked/portability.h,
    amp/checked/portability_kernel.h, amp/checked/sections.h, amp/checked/scatters.h. */
#include "test.h"
#include "amp_algorithms.h"
#include "checked/told.h"

#if !defined(AMP_CHECKED)
#error "tests/checked/kernels.c is for builds with AMP_CHECKED"
#endif

#pragma GCC diagnostic ignored "-Wpragmas" /* a compiler has some of these alone */
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#pragma GCC diagnostic ignored "-Wconversion" /* what is lost is the mistake */
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

enum { N = 64 };

/* A launch over v of this body. */
#define LAUNCHED(...)                                                                                                  \
    do {                                                                                                               \
        static int values[3][N];                                                                                       \
        const int step = 2;                                                                                            \
        AMP_ARRAY_VIEW(int, 1, v, values[0], N);                                                                       \
        AMP_ARRAY_VIEW(int, 1, w, values[1], N);                                                                       \
        AMP_ARRAY_VIEW(int, 1, count, values[2], N);                                                                   \
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, w, count, step), __VA_ARGS__);                             \
    } while (0)

enum { T = 16 };

/* A launch of tiles with a phase of these statements, which has line, of 32 elements with values, and x, the thread. */
#define TILED(...)                                                                                                     \
    do {                                                                                                               \
        static float values[2][N];                                                                                     \
        const int step = 2;                                                                                            \
        AMP_ARRAY_VIEW(float, 1, v, values[0], N);                                                                     \
        AMP_ARRAY_VIEW(float, 1, w, values[1], N);                                                                     \
        AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w, step, AMP_CONSTANT(T)), {                                    \
            AMP_TILE_STATIC(float, line, [32]);                                                                        \
            AMP_THREADS(tile, t) {                                                                                     \
                line[t.local.v[0]] = AMP_AT(v, t.global);                                                              \
                line[16 + t.local.v[0]] = 0;                                                                           \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                const int x = t.local.v[0];                                                                            \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_AT(w, t.global) += line[t.local.v[0]] + (float)step;                                               \
            }                                                                                                          \
        });                                                                                                            \
    } while (0)

// clang-format off

/* ---- plain reads beside atomic functions ----------------------------------------------------------- */

static int child_atomic_reads(void)
{
    LAUNCHED({ AMP_AT(w, AMP_AT(count, 0) & 63) = AMP_AT(v, i); amp_atomic_fetch_add(&AMP_AT(count, 0), 1); });
    LAUNCHED({ int at = AMP_AT(count, 0); AMP_AT(w, at & 63) = i; amp_atomic_fetch_inc(&AMP_AT(count, 0)); });
    LAUNCHED({
        if (AMP_AT(v, i) % 2 == 0) {
            const int at = AMP_AT(count, step) + 1;
            AMP_AT(w, at & 63) = i;
            amp_atomic_fetch_add(&AMP_AT(count, step), 1);
        }
    });
    LAUNCHED({
        const int cell = AMP_AT(v, i);
        AMP_AT(w, (4 * cell + AMP_AT(count, cell)) & 63) = i;
        amp_atomic_fetch_add(&AMP_AT(count, cell), 1);
    });
    LAUNCHED({ amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = AMP_AT(count, 0); });
    LAUNCHED({ amp_atomic_fetch_max(&AMP_AT(count, i / 2), i); AMP_AT(w, i) = AMP_AT(count, i / 2); });
    exit(0);
}

static int child_atomic_tests(void)
{
    LAUNCHED({ if (AMP_AT(v, i) > AMP_AT(count, 0)) amp_atomic_exchange(&AMP_AT(count, 0), AMP_AT(v, i)); });
    LAUNCHED({ int most = AMP_AT(count, 0); if (i > most) { amp_atomic_exchange(&AMP_AT(count, 0), i); } });
    LAUNCHED({ if (AMP_AT(count, 0) == 0) { amp_atomic_exchange(&AMP_AT(count, 0), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({ if (AMP_AT(count, 0) < 10) { amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({ if (AMP_AT(count, 0) > 0) amp_atomic_fetch_sub(&AMP_AT(count, 0), 1); });
    LAUNCHED({ if (AMP_AT(count, 0) < i) amp_atomic_store(&AMP_AT(count, 0), i); });
    exit(0);
}

static int child_right_atomics(void)
{
    LAUNCHED({ AMP_AT(w, amp_atomic_fetch_add(&AMP_AT(count, 0), 1) & 63) = AMP_AT(v, i); });
    LAUNCHED({ if (AMP_AT(v, i) < 0 && AMP_AT(count, 0) == 0) amp_atomic_exchange(&AMP_AT(count, 0), 1); });
    LAUNCHED({ if (AMP_AT(count, 0) == 0) { amp_atomic_store(&AMP_AT(count, 0), 1); } });
    LAUNCHED({ if (AMP_AT(v, i) > AMP_AT(count, 0)) amp_atomic_fetch_max(&AMP_AT(count, 0), AMP_AT(v, i)); });
    LAUNCHED({ if (AMP_AT(count, 0) == 0 && amp_atomic_exchange(&AMP_AT(count, 0), 1) == 0) AMP_AT(w, i) = i; });
    LAUNCHED({ AMP_AT(w, i) = AMP_AT(count, i); amp_atomic_fetch_add(&AMP_AT(count, i), 1); });
    LAUNCHED({ if (AMP_AT(count, i) < 5) { amp_atomic_fetch_add(&AMP_AT(count, i), 1); AMP_AT(w, i) = i; } });
    LAUNCHED({
        int old = AMP_AT(count, 0);
        while (!amp_atomic_compare_exchange(&AMP_AT(count, 0), &old, old + 1)) { }
        AMP_AT(w, i) = old;
    });
    LAUNCHED({ if (step == 1) amp_atomic_fetch_add(&AMP_AT(count, 0), 1); else AMP_AT(w, i) = AMP_AT(count, 0); });
    LAUNCHED({
        amp_atomic_fetch_add(&AMP_AT(count, 1), AMP_AT(v, i));
        if (amp_atomic_fetch_add(&AMP_AT(count, 0), 1) == 63) AMP_AT(w, 0) = AMP_AT(count, 1);
    });
    LAUNCHED({ if (i == 0) { amp_atomic_fetch_add(&AMP_AT(count, 0), 1); AMP_AT(w, i) = AMP_AT(count, 0); } });
    LAUNCHED({ if (AMP_AT(count, 0)) continue; if (AMP_AT(v, i) == 17) amp_atomic_exchange(&AMP_AT(count, 0), 1); });
    exit(0);
}

/* ---- views of arrays on the stack ------------------------------------------------------------------ */

__attribute__((noinline)) static amp_array_view_int_1 view_of_local(void)
{
    int values[N] = { 0 };
    return amp_array_view_int_1_create(values, AMP_EXTENT(N));
}
__attribute__((noinline)) static void add_one(amp_array_view_int_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
}

static int child_returned(void)
{
    amp_array_view_int_1 v = view_of_local();
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    exit(0); /* is not reached */
}

static int child_not_returned(void)
{
    int values[N] = { 0 };
    static int lasting[N];
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, w, lasting, N);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += 1; });
    add_one(v);
    add_one(w);
    exit(0);
}

/* ---- overlapping sections ------------------------------------------------------------------------- */

#define SHIFTED(first, second, ...)                                                                                    \
    do {                                                                                                               \
        static int values[N];                                                                                          \
        AMP_ARRAY_VIEW(int, 1, v, values, N);                                                                          \
        const int at[] = { first, second }, many[] = { 40, 24 };                                                       \
        const amp_array_view_int_1 to = amp_section(v, at[0], many[0]);                                                \
        const amp_const_array_view_int_1 from = amp_as_const(amp_section(v, at[1], many[1]));                          \
        AMP_PARALLEL_FOR_EACH(AMP_EXTENT(20), (i), AMP_CAPTURE(to, from), __VA_ARGS__);                                \
    } while (0)
#define SHIFTED_SQUARE(row, column, ...)                                                                               \
    do {                                                                                                               \
        static float values[16][16];                                                                                   \
        AMP_ARRAY_VIEW(float, 2, v, &values[0][0], 16, 16);                                                            \
        const int at[] = { row, column }, many = 8;                                                                    \
        const amp_array_view_float_2 to = amp_section(v, 0, many, many, many),                                         \
                                     from = amp_section(v, at[0], at[1], many, many);                                  \
        AMP_PARALLEL_FOR_EACH(to.extent, (i, j), AMP_CAPTURE(to, from), __VA_ARGS__);                                  \
    } while (0)

static int child_sections(void)
{
    SHIFTED(0, 1, { AMP_AT(to, i) = AMP_AT(from, i); });
    SHIFTED(10, 5, { if (i > 0) AMP_AT(to, i) += AMP_AT(from, i); });
    SHIFTED(0, 0, { AMP_AT(to, i + 1) = AMP_AT(from, i); });
    SHIFTED_SQUARE(1, 8, { AMP_AT(to, i, j) = AMP_AT(from, i, j); });
    SHIFTED_SQUARE(2, 6, { AMP_AT(to, i, j) += AMP_AT(from, i, j); });
    exit(0);
}

static int child_right_sections(void)
{
    SHIFTED(0, 20, { AMP_AT(to, i) = AMP_AT(from, i); });
    SHIFTED(0, 0, { AMP_AT(to, i) = AMP_AT(from, i); });
    SHIFTED(1, 0, { AMP_AT(to, i) = AMP_AT(from, i + 1); });
    SHIFTED(0, 1, { if (i == 0) AMP_AT(to, i) = AMP_AT(from, i); });
    SHIFTED(20, 0, { AMP_AT(to, i) = AMP_AT(from, i); });
    SHIFTED(16, 0, { AMP_AT(to, i) = AMP_AT(from, i % 16); });
    SHIFTED_SQUARE(8, 0, { AMP_AT(to, i, j) = AMP_AT(from, i, j); });
    SHIFTED_SQUARE(0, 0, { AMP_AT(to, i, j) = AMP_AT(from, i, j); });
    SHIFTED_SQUARE(7, 0, { AMP_AT(to, i, j) = AMP_AT(from, i, j); });
    exit(0);
}

/* ---- values that lose their fraction ---------------------------------------------------------------- */

#define DIVIDED(...)                                                                                                   \
    do {                                                                                                               \
        static float values[N];                                                                                        \
        const int n = N;                                                                                               \
        AMP_ARRAY_VIEW(float, 1, v, values, N);                                                                        \
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, n), __VA_ARGS__);                                          \
    } while (0)

static int child_quotients(void)
{
    DIVIDED({ AMP_AT(v, i) = (float)(i / v.extent.v[0]); });
    DIVIDED({ const float x = (float)(i / n); AMP_AT(v, i) = x; });
    DIVIDED({ const float h = (float)(1 / n); AMP_AT(v, i) = h; });
    DIVIDED({ AMP_AT(v, i) *= 2.0f * (float)(i / n); });
    DIVIDED({ AMP_AT(v, i) = AMP_AT(v, i) * (1 / 3); });
    exit(0);
}

static int child_right_quotients(void)
{
    DIVIDED({ AMP_AT(v, i) = (float)i / (float)n; });
    DIVIDED({ AMP_AT(v, i) = 1.0f / (float)n; });
    DIVIDED({ const int row = i / n; AMP_AT(v, row + i % n) = 1; });
    DIVIDED({ AMP_AT(v, i) = (float)(i / 8); });
    DIVIDED({ AMP_AT(v, i) = (float)((i + 1) / n); });
    exit(0);
}

static int child_cut(void)
{
    static float values[N];
    static int kept[N];
    int total = 0;
    AMP_ARRAY_VIEW(float, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, w, kept, N);
    AMP_REDUCE(int, total, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    AMP_INCLUSIVE_SCAN(int, w, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) * 2, a + b, 0);
    exit(total);
}

static int child_not_cut(void)
{
    static float values[N];
    static int counts[N];
    int total = 0;
    double sum = 0;
    AMP_ARRAY_VIEW(float, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, w, counts, N);
    AMP_REDUCE(int, total, v.extent, (i), AMP_CAPTURE(v), (int)AMP_AT(v, i), a + b, 0);
    AMP_REDUCE(int, total, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, a + b, 0);
    AMP_REDUCE(double, sum, v.extent, (i), AMP_CAPTURE(v), (double)AMP_AT(v, i), a + b, 0);
    AMP_REDUCE(double, sum, w.extent, (i), AMP_CAPTURE(w), AMP_AT(w, i), a + b, 0);
    exit(total + (int)sum);
}

/* ---- other values --------------------------------------------------------------------------------- */

#define VALUED(...)                                                                                                    \
    do {                                                                                                               \
        static float values[N];                                                                                        \
        static int counts[N];                                                                                          \
        static int64_t large[N];                                                                                       \
        const int n = 100000000;                                                                                       \
        AMP_ARRAY_VIEW(float, 1, v, values, N);                                                                        \
        AMP_ARRAY_VIEW(int, 1, x, counts, N);                                                                          \
        AMP_ARRAY_VIEW(int64_t, 1, big, large, N);                                                                     \
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, x, big, n), __VA_ARGS__);                                  \
    } while (0)

static int child_values(void)
{
    VALUED({ AMP_AT(big, i) = i % 2 * 21 + i * n; });
    VALUED({ AMP_AT(v, i) = amp_random_float(42, 7); });
    VALUED({ amp_atomic_fetch_add(&AMP_AT(x, 0), AMP_AT(v, i)); });
    VALUED({ int i = 0; AMP_AT(v, i) = 1; });
    VALUED({
        if (amp_atomic_load(&AMP_AT(x, 0)) == 0) { amp_atomic_store(&AMP_AT(x, 0), 1); AMP_AT(v, i) = 2; }
    });
    VALUED({ float s[4]; s[0] = 1; for (int k = 1; k <= 4; k++) s[0] += 0 * s[k]; AMP_AT(v, i) = s[0]; });
    exit(0);
}

static int child_right_values(void)
{
    VALUED({ AMP_AT(big, i) = (int64_t)i * n + i * 1000000; });
    VALUED({ AMP_AT(v, i) = amp_random_float(42, (uint64_t)i) + amp_random_float((uint64_t)i, 7); });
    VALUED({ amp_atomic_fetch_add(&AMP_AT(v, 0), 1); amp_atomic_fetch_add(&AMP_AT(x, 0), (int)AMP_AT(v, i)); });
    VALUED({ float s[5]; for (int k = 0; k <= 4; k++) s[k] = 1; AMP_AT(v, i) = s[4]; });
    VALUED({ int s = 0; for (int i = 0; i < 3; i++) s += i; AMP_AT(v, i) = (float)s; });
    VALUED({ if (amp_atomic_load(&AMP_AT(x, 0)) == 0) amp_atomic_store(&AMP_AT(x, 0), 1); });
    exit(0);
}

/* ---- what is rarely meant ------------------------------------------------------------------------- */

#define SQUARE_OF(x) x * x

static int child_equals(void)
{
    VALUED({ AMP_AT(x, i) = AMP_AT(v, i) * 0.1f == 0.3f; });
    VALUED({ const float s = sinf(AMP_AT(v, i)); AMP_AT(x, i) = 0.5f != s; });
    VALUED({ const double s = -(AMP_AT(v, i) - 0.7); AMP_AT(x, i) = s == 1; });
    exit(0);
}

static int child_falls(void)
{
    VALUED({ switch (i % 3) { case 0: AMP_AT(x, i) = 1; default: AMP_AT(x, i) = 2; } });
    VALUED({ switch (i % 3) { case 0: { AMP_AT(x, i)++; } case 1: AMP_AT(x, i) = 2; break; default: break; } });
    VALUED({ switch (i % 3) { case 0: if (i > 3) { AMP_AT(x, i) = 1; break; } case 1: AMP_AT(x, i) = 2; } });
    exit(0);
}

static int child_spelled(void)
{
    /* clang-format off */
    VALUED({ AMP_AT(x, i) =-1; AMP_AT(big, i) = -i; });
    VALUED({ AMP_AT(x, i) = SQUARE_OF(i + 1); });
    VALUED({ AMP_AT(x, i) = SQUARE_OF(AMP_AT(x, i) - 3); });
    /* clang-format on */
    exit(0);
}

static int child_operands(void)
{
    VALUED({
        int s = 0;
        s += AMP_AT(v, i) * 2;
        AMP_AT(x, i) = s;
    });
    VALUED({
        if (i & 1 == 0)
            AMP_AT(x, i) = 1;
    });
    VALUED({
        if (0 < i < 10)
            AMP_AT(x, i) = 1;
    });
    VALUED({ AMP_AT(v, i) = i / 4; });
    VALUED({
        const float s = 2.5f * (i / 4);
        AMP_AT(v, i) = s;
    });
    exit(0);
}

static int child_numbers(void)
{
    VALUED({ AMP_AT(v, i) = sinf(90.0f); });
    VALUED({
        const float angle_deg = i * 0.5f;
        AMP_AT(v, i) = cosf(angle_deg) + 2;
    });
    VALUED({
        uint8_t y = (uint8_t)i;
        y = y + 300;
        AMP_AT(x, i) = y;
    });
    VALUED({
        float s[4];
        for (int k = 0; k < 3; k++)
            s[k] = AMP_AT(v, i);
        AMP_AT(v, i) = s[0] + s[3];
    });
    VALUED({
        float s[4];
        float sum = 0;
        for (int k = 1; k < 4; k++)
            s[k] = AMP_AT(v, i);
        for (int k = 0; k < 4; k++)
            sum += s[k];
        AMP_AT(v, i) = sum;
    });
    VALUED({ AMP_AT(v, i) = (float)(i ^ 3); });
    exit(0);
}

static int child_right_numbers(void)
{
    VALUED({ AMP_AT(v, i) = sinf(2.0f) + cosf(90.0f * 3.14159265f / 180) + tanf(0.5f) + (float)((i * 7) ^ 3); });
    VALUED({
        const float degree_of = i, degraded = i, radians = i;
        AMP_AT(v, i) = sinf(degree_of) + cosf(degraded) + sinf(radians);
    });
    VALUED({
        uint8_t y = (uint8_t)(i + 300);
        y = (uint8_t)(y + 300);
        y = (y + 300) % 256;
        y = y + 40;
        AMP_AT(x, i) = y;
    });
    VALUED({
        float s[4];
        for (int k = 0; k < 3; k++)
            s[k] = AMP_AT(v, i);
        s[3] = 0;
        float t[4];
        t[i % 4] = 1;
        float u[8];
        for (int k = 0; k < n; k++)
            u[k & 7] = k;
        float w[4];
        for (int k = 0; k < 4; k += 2)
            w[k] = w[k + 1] = 2;
        float sum = t[3] + u[2] + w[3];
        for (int k = 0; k < 4; k++) {
            if (k == 3)
                break;
            sum += s[k];
        }
        AMP_AT(v, i) = sum;
    });
    exit(0);
}

static int child_right_doubts(void)
{
    VALUED({ AMP_AT(x, i) = AMP_AT(v, i) * 0.5f == 1 || AMP_AT(v, i) / 3 == 2 || sinf(AMP_AT(v, i)) == 0; });
    VALUED({ AMP_AT(x, i) = AMP_AT(v, i) * 0.1f == AMP_AT(v, 0) * 0.1f || AMP_AT(v, i) * 0.1f == 0.0f; });
    VALUED({ AMP_AT(x, i) = fabsf(AMP_AT(v, i) * 0.1f - 0.3f) < 1e-6f || AMP_AT(v, i) * 0.1f > 0.3f; });
    VALUED({
        switch (i % 4) {
        case 0:
        case 1: AMP_AT(x, i) = 1; break;
        case 2: {
            break;
        }
        default: break;
        }
    });
    VALUED({
        switch (i % 4) {
        case 0: AMP_AT(x, i) = 1; __attribute__((fallthrough));
        case 1:
            if (i > 3) {
                AMP_AT(x, i) = 2;
                break;
            } else {
                AMP_AT(x, i) = 3;
                continue;
            }
        default: AMP_AT(x, i) = 4;
        }
    });
    /* clang-format off */
    VALUED({ int y=-1; y=-2; AMP_AT(x, i) = - y; AMP_AT(big, i) = -1; });
    /* clang-format on */
    VALUED({ AMP_AT(x, i) = SQUARE_OF((i + 1)) + i + 1 * i + i + 1 * i + 2; });
    VALUED({
        int s = 0;
        s += (int)AMP_AT(v, i);
        float f = s;
        f += i;
        AMP_AT(v, i) = f + (float)(i / 4);
    });
    VALUED({
        if ((i & 1) == 0 && 0 < i && i < 10 && i / 4 > 3)
            AMP_AT(x, i) = i / 4 * 3;
    });
    exit(0);
}

/* ---- phases that read what other threads write ------------------------------------------------------ */

static int child_phases(void)
{
    TILED(for (int half = T / 2; half > 0; half /= 2) if (x < half) line[x] += line[x + half];);
    TILED(for (int half = 8; half > 0; half >>= 1) {
        if (x < half) {
            line[x] += line[x + half];
        }
    });
    TILED(for (int d = 1; d < T; d *= 2) if (x % (2 * d) == 0) line[x] += line[x + d];);
    TILED(for (int d = 1; d < T; d <<= 1) if (x >= d) line[x] += line[x - d];);
    TILED(for (int d = 1; d < T; d <<= 1) {
        float a = 0;
        if (x >= d)
            a = line[x - d];
        line[x] += a;
    });
    TILED(if (x < 8) line[x] += line[x + 8]; if (x < 4) line[x] += line[x + 4];);
    TILED(line[x] = 2; if (x < 1) {
        float s = 0;
        for (int i = 0; i < T; i++)
            s += line[i];
        line[20] = s;
    });
    TILED(line[x] = 1; AMP_AT(w, t.global) = line[15 - x];);
    TILED(if (x < 8) line[x] = 1; AMP_AT(w, t.global) = line[0];);
    TILED(line[x] = 1; AMP_AT(w, t.global) = line[x + 1];);
    exit(0);
}

/* A tree reduction of the 16 elements, of which thread 0 has the sum, in a loop with this head. */
#define HALVES(first, more, step)                                                                                      \
    do {                                                                                                               \
        static float values[N];                                                                                        \
        AMP_ARRAY_VIEW(float, 1, v, values, N);                                                                        \
        AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, AMP_CONSTANT(T)), {                                             \
            AMP_TILE_STATIC(float, line, [16]);                                                                        \
            AMP_THREADS(tile, t) {                                                                                     \
                line[t.local.v[0]] = AMP_AT(v, t.global);                                                              \
            }                                                                                                          \
            for (int h = first; h more; h step) {                                                                      \
                amp_barrier_wait(tile.barrier);                                                                        \
                AMP_THREADS(tile, t) {                                                                                 \
                    const int x = t.local.v[0];                                                                        \
                    if (x < h)                                                                                         \
                        line[x] += line[x + h];                                                                        \
                }                                                                                                      \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                if (t.local.v[0] == 0)                                                                                 \
                    AMP_AT(v, t.global) = line[0];                                                                     \
            }                                                                                                          \
        });                                                                                                            \
    } while (0)

static int child_halves(void)
{
    HALVES(16, > 0, /= 2);
    HALVES(4, > 0, >>= 1);
    HALVES(8, >= 1, /= 4);
    HALVES(T, != 0, /= 2);
    exit(0);
}

static int child_right_halves(void)
{
    HALVES(8, > 0, /= 2);
    HALVES(T / 2, >= 1, >>= 1);
    HALVES(8, > 1, /= 2); /* another statement adds the last two */
    TILED(if (x == 0) AMP_AT(w, t.tile.v[0]) = line[x];);
    TILED(if (x >= 0) AMP_AT(w, t.tile.v[0]) = line[0];);
    TILED(AMP_AT(w, t.tile.v[0] * 16 + x) = line[x];);
    exit(0);
}

static int child_results(void)
{
    TILED(AMP_AT(w, t.tile.v[0]) = line[x];);
    TILED(AMP_AT(w, t.tile.v[0] + 1) = x + AMP_AT(v, t.global););
    exit(0);
}

/* The same with these phases, between barriers. */
#define PHASES(...)                                                                                                    \
    do {                                                                                                               \
        static float values[2][N];                                                                                     \
        const int step = 2;                                                                                            \
        AMP_ARRAY_VIEW(float, 1, v, values[0], N);                                                                     \
        AMP_ARRAY_VIEW(float, 1, w, values[1], N);                                                                     \
        AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w, step), {                                                     \
            AMP_TILE_STATIC(float, line, [32]);                                                                        \
            AMP_PRIVATE(float, sum);                                                                                   \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_OWN(sum) = 0;                                                                                      \
                line[t.local.v[0]] = AMP_AT(v, t.global);                                                              \
                line[16 + t.local.v[0]] = 0;                                                                           \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            __VA_ARGS__                                                                                                \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                AMP_AT(w, t.global) += line[t.local.v[0]] + AMP_OWN(sum) + (float)step;                                \
            }                                                                                                          \
        });                                                                                                            \
    } while (0)
#define X    t.local.v[0]
#define WAIT amp_barrier_wait(tile.barrier)
#define PHASE(...)                                                                                                     \
    AMP_THREADS(tile, t) {                                                                                             \
        __VA_ARGS__                                                                                                    \
    }
#define LOAD PHASE(line[X] = AMP_AT(v, b * 16 + X);)
#define ADD  PHASE(for (int i = 0; i < 16; i++) AMP_OWN(sum) += line[i];)

static int child_barriers(void)
{
    PHASES(PHASE(line[X] = 2;); PHASE(AMP_AT(w, t.global) = line[15 - X];));
    PHASES(for (int b = 0; b < 4; b++) {
        LOAD;
        WAIT;
        ADD;
    });
    PHASES(PHASE(AMP_OWN(sum) = line[15 - X];); PHASE(line[X] = AMP_OWN(sum);));
    PHASES(for (int h = 8; h > 0; h /= 2) { PHASE(if (X < h) line[X] += line[X + h];); });
    exit(0);
}

static int child_global(void)
{
    PHASES(PHASE(AMP_AT(w, t.global) = line[t.global.v[0]];));
    PHASES(PHASE(if (t.tile.v[0] == 0) line[t.global.v[0]] = 2;));
    exit(0);
}

static int child_right_barriers(void)
{
    PHASES(PHASE(line[X] = 2;); WAIT; PHASE(AMP_AT(w, t.global) = line[15 - X];));
    PHASES(PHASE(line[X] = 2;); PHASE(AMP_AT(w, t.global) = line[X];));
    PHASES(for (int b = 0; b < 4; b++) {
        LOAD;
        WAIT;
        ADD;
        WAIT;
    });
    PHASES(for (int b = 0; b < 4; b++) {
        WAIT;
        LOAD;
        WAIT;
        ADD;
    });
    PHASES(for (int h = 8; h > 0; h /= 2) {
        PHASE(if (X < h) line[X] += line[X + h];);
        WAIT;
    });
    PHASES(
        if (step == 1) { PHASE(line[X] = 2;); } else { PHASE(AMP_AT(w, t.global) = line[15 - X];); });
    PHASES(PHASE(line[X] = 2;); PHASE(AMP_AT(w, t.global) = line[X + 16];));
    exit(0);
}

static int child_right_phases(void)
{
    TILED(if (x < 8) line[x] += line[x + 8];);
    TILED(for (int i = 0; i < 4; i++) line[x] += (float)i;);
    TILED(line[x] = 1; AMP_AT(w, t.global) = line[x + 16];);
    TILED(for (int d = 16; d < 17; d++) AMP_AT(w, t.global) = line[d]; line[x] = 1;);
    TILED(if (x < 1) {
        line[x] = 1;
        for (int i = 1; i < T; i++)
            line[x] += line[i];
    });
    TILED(if (x == 0) for (int i = 1; i < T; i++) line[x] += line[x + i];);
    TILED(if (x < 8) line[x] = 1; AMP_AT(w, t.global) = line[8];);
    TILED(if (x < 8) line[x] = line[x + 8]; AMP_AT(w, t.global) = line[x + 16];);
    TILED(if (x >= 8) line[x] = line[x - 8];);
    TILED(if (step == 1) line[x] = 1; else AMP_AT(w, t.global) = line[x + 1];);
    TILED(line[x] = 1; if (x == 15) line[30] = 1; AMP_AT(w, t.global) = line[31 - x];);
    exit(0);
}

// clang-format on

/* ---- places in memory ------------------------------------------------------------------------------ */

#define SCATTERED(...)                                                                                                 \
    do {                                                                                                               \
        int places[8] = { 7, 6, 5, 4, 3, 5, 1, 0 }, all[8] = { 3, 2, 1, 0, 7, 6, 5, 4 }, results[8] = { 0 };           \
        AMP_ARRAY_VIEW(int, 1, to, places, 8);                                                                         \
        AMP_ARRAY_VIEW(int, 1, own, all, 8);                                                                           \
        AMP_ARRAY_VIEW(int, 1, w, results, 8);                                                                         \
        AMP_PARALLEL_FOR_EACH(to.extent, (i), AMP_CAPTURE(to, own, w), __VA_ARGS__);                                   \
    } while (0)

static int child_scatters(void)
{
    SCATTERED({ AMP_AT(w, AMP_AT(to, i)) = AMP_AT(own, i); });
    SCATTERED({
        const int x = i * 2;
        AMP_AT(w, AMP_AT(to, i)) = x;
    });
    exit(0);
}

static int child_right_scatters(void)
{
    SCATTERED({ AMP_AT(w, AMP_AT(own, i)) = AMP_AT(to, i); });
    SCATTERED({ AMP_AT(w, AMP_AT(to, i)) = 1; });
    SCATTERED({
        if (i != 5)
            AMP_AT(w, AMP_AT(to, i)) = i;
    });
    SCATTERED({ amp_atomic_fetch_add(&AMP_AT(w, AMP_AT(to, i)), i); });
    SCATTERED({
        AMP_AT(to, i) = 7 - i;
        AMP_AT(w, AMP_AT(to, i)) = i;
    });
    exit(0);
}

#define COUNTED(...)                                                                                                   \
    do {                                                                                                               \
        int values[64] = { 0 }, results[4] = { 0 };                                                                    \
        AMP_ARRAY_VIEW(int, 1, v, values, 64);                                                                         \
        AMP_ARRAY_VIEW(int, 1, w, results, 4);                                                                         \
        AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                           \
            AMP_TILE_STATIC(int, count, [16]);                                                                         \
            AMP_THREADS(tile, t) {                                                                                     \
                count[t.local.v[0]] = 0;                                                                               \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t)                                                                                       \
                __VA_ARGS__                                                                                            \
            amp_barrier_wait(tile.barrier);                                                                            \
            AMP_THREADS(tile, t) {                                                                                     \
                if (t.local.v[0] == 0)                                                                                 \
                    AMP_AT(w, t.tile) = count[0];                                                                      \
            }                                                                                                          \
        });                                                                                                            \
    } while (0)

static int child_counters(void)
{
    COUNTED({
        if (AMP_AT(v, t.global) >= 0)
            count[0]++;
    });
    COUNTED({ count[1] += AMP_AT(v, t.global); });
    exit(0);
}

static int child_right_counters(void)
{
    COUNTED({
        if (t.local.v[0] == 3 && AMP_AT(v, t.global) >= 0)
            count[0]++;
    });
    COUNTED({
        if (AMP_AT(v, t.global) >= 0)
            amp_atomic_fetch_add(&count[0], 1);
    });
    COUNTED({
        if (AMP_AT(v, t.global) >= 0)
            count[t.local.v[0]]++;
    });
    COUNTED({
        if (t.local.v[0] != 0)
            continue;
        count[0]++;
    });
    exit(0);
}

CHILDREN({ "scatters", child_scatters }, { "right_scatters", child_right_scatters }, { "counters", child_counters },
         { "right_counters", child_right_counters }, { "atomic_reads", child_atomic_reads },
         { "atomic_tests", child_atomic_tests }, { "right_atomics", child_right_atomics }, { "phases", child_phases },
         { "right_phases", child_right_phases }, { "barriers", child_barriers }, { "global", child_global },
         { "right_barriers", child_right_barriers }, { "quotients", child_quotients },
         { "right_quotients", child_right_quotients }, { "cut", child_cut }, { "not_cut", child_not_cut },
         { "sections", child_sections }, { "right_sections", child_right_sections }, { "returned", child_returned },
         { "not_returned", child_not_returned }, { "values_meant", child_values },
         { "right_values", child_right_values }, { "equals", child_equals }, { "falls", child_falls },
         { "spelled", child_spelled }, { "right_doubts", child_right_doubts }, { "operands", child_operands },
         { "numbers", child_numbers }, { "right_numbers", child_right_numbers }, { "halves", child_halves },
         { "right_halves", child_right_halves }, { "results", child_results })

static void plain_reads_beside_atomic_functions_are_told(void **state)
{
    (void)state;
    expect_told("atomic_reads", "reads an element of 'count', which others change by an atomic function", 6);
    expect_told("atomic_tests", "tests an element of 'count' and then changes it by an atomic function", 6);
    expect_told("right_atomics", NULL, 0);
}

static void elements_that_several_threads_write_are_told(void **state)
{
    (void)state;
    expect_told("scatters", "indexes 2 and 5 write to the same element of 'w', whose place is in 'to'", 2);
    expect_told("right_scatters", NULL, 0);
    expect_told("counters", "threads of a phase change the same element of 'count' at the same time", 2);
    expect_told("right_counters", NULL, 0);
}

static void values_that_cannot_be_meant_are_told(void **state)
{
    (void)state;
    static const char *const told[] = { "a product of two ints is greater than an int holds",
                                        "each index gets the same random number",
                                        "an atomic function of an integer gets a floating-point number",
                                        "declares a variable with the name of the index",
                                        "tests an element of 'x' and then changes it",
                                        "the counter of a loop goes beyond the end of an array" };
    enum { MANY = sizeof told / sizeof told[0] };
    char output[16384];
    if (child_run("values_meant", "", output, sizeof output) == -1)
        skip();
    for (int i = 0; i < MANY; i++)
        check_that(count_of(output, told[i]) == 1, "%s: output: %s", told[i], output);
    check_that(count_of(output, "amp: ") == MANY, "output: %s", output);
    expect_told("right_values", NULL, 0);
}

static void what_is_rarely_meant_is_told(void **state)
{
    (void)state;
    expect_told("equals", "compares a computed number, which is rounded", 3);
    expect_told("falls", "a case writes and continues in the next case", 3);
    char output[16384];
    if (child_run("spelled", "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == 3 && count_of(output, "`=-` assigns a value with a sign") == 1 &&
                   count_of(output, "is what a macro without parentheses leaves") == 2,
               "output: %s", output);
    if (child_run("operands", "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == 5 && count_of(output, "a quotient of two integers drops") == 2 &&
                   count_of(output, "adds a floating-point number to an integer") == 1 &&
                   count_of(output, "has a comparison as its operand") == 1 &&
                   count_of(output, "compares the result of a comparison") == 1,
               "output: %s", output);
    expect_told("right_doubts", NULL, 0);
}

static void numbers_that_cannot_be_right_are_told(void **state)
{
    (void)state;
    char output[16384];
    if (child_run("numbers", "", output, sizeof output) == -1)
        skip();
    check_that(count_of(output, "amp: ") == 6 &&
                   count_of(output, "f' takes an angle in radians, and gets one in degrees") == 2 &&
                   count_of(output, "that the type of the element cannot hold") == 1 &&
                   count_of(output, "the array 's' of the body has elements that are read") == 2 &&
                   count_of(output, "is an exclusive or") == 1,
               "output: %s", output);
    expect_told("right_numbers", NULL, 0);
}

static void phases_that_read_what_others_write_are_told(void **state)
{
    (void)state;
    expect_told("phases", "a phase reads elements of 'line' that other threads of the tile write", 10);
    expect_told("right_phases", NULL, 0);
    expect_told("barriers", "a phase writes elements of 'line' that another phase reads for other threads", 4);
    expect_told("right_barriers", NULL, 0);
    expect_told("global", "'line', which has elements for a tile, is indexed by global", 1);
}

static void results_of_tiles_that_are_lost_are_told(void **state)
{
    (void)state;
    expect_told("halves", "a loop that halves combines elements of 'line', and leaves out", 4);
    expect_told("results", "each thread of a tile writes its own value to one element of 'w'", 2);
    expect_told("right_halves", NULL, 0);
}

static void arrays_of_functions_that_returned_are_told(void **state)
{
    (void)state;
    expect_told("returned", "the memory of v is that of a function that has returned", 1);
    expect_told("not_returned", NULL, 0);
}

static void overlapping_sections_are_told(void **state)
{
    (void)state;
    expect_told("sections", "an element that another index writes by 'to'", 5);
    expect_told("right_sections", NULL, 0);
}

static void values_that_lose_their_fraction_are_told(void **state)
{
    (void)state;
    expect_told("quotients", "a quotient of two integers is 0 for each index", 5);
    expect_told("right_quotients", NULL, 0);
    expect_told("cut", "the value is a floating-point number, and the algorithm keeps an integer", 2);
    expect_told("not_cut", NULL, 0);
}

int run_checked_kernels(void);
int run_checked_kernels(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_reads_beside_atomic_functions_are_told),
        TEST(arrays_of_functions_that_returned_are_told),
        TEST(overlapping_sections_are_told),
        TEST(values_that_lose_their_fraction_are_told),
        TEST(elements_that_several_threads_write_are_told),
        TEST(values_that_cannot_be_meant_are_told),
        TEST(what_is_rarely_meant_is_told),
        TEST(numbers_that_cannot_be_right_are_told),
        TEST(results_of_tiles_that_are_lost_are_told),
        TEST(phases_that_read_what_others_write_are_told),
    };
    return cmocka_run_group_tests_name("checked/kernels", tests, NULL, NULL);
}
