// SPDX-License-Identifier: MIT
/*  contracts.c - checked builds: mistakes that are likely, or that only the data show. Each is a child that prints.
    Also tests amp/algorithms/contracts.h, amp/algorithms/contracts_checks.h, amp/checked/values.h,
    amp/checked/lifetime.h. */
#include "test.h"
#include "amp_algorithms.h"
#include "child.h"

#if !defined(AMP_CHECKED)
#error "tests/checked/contracts.c is for builds with AMP_CHECKED"
#endif

enum { N = 64 };

/* ---- races that are likely ------------------------------------------------------------------------- */

AMP_FUNCTION(void, contracts_add, (amp_array_view_int_1 counts, int k), { AMP_AT(counts, k) += 1; })

static int child_races(void)
{
    static float values[N], others[N], square[8][8];
    static int order[N], counts[4], of_each[4][N];
    const int n = N;
    AMP_ARRAY_VIEW(float, 1, a, values, N);
    AMP_ARRAY_VIEW(float, 1, b, others, N);
    AMP_ARRAY_VIEW(float, 2, m, &square[0][0], 8, 8);
    AMP_ARRAY_VIEW(int, 1, o, order, N);
    AMP_ARRAY_VIEW(int, 1, c, counts, 4);
    AMP_ARRAY_VIEW(int, 1, p, of_each[0], N);
    AMP_ARRAY_VIEW(int, 1, q, of_each[1], N);
    AMP_ARRAY_VIEW(int, 1, r, of_each[2], N);
    AMP_ARRAY_VIEW(int, 1, s, of_each[3], N);
    for (int round = 0; round < 2; round++)
        AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, o), { AMP_AT(b, AMP_AT(o, i)) += AMP_AT(a, i); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, c), {
        if (AMP_AT(a, i) > 0)
            AMP_AT(c, 0)++;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, m), {
        if (AMP_AT(m, 0, 0) < AMP_AT(a, i))
            AMP_AT(m, 0, 0) = AMP_AT(a, i);
    });
    AMP_TILED(o.extent, (16), tile, AMP_CAPTURE(o), {
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                AMP_AT(o, 0) += 1;
}
});
AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n), {
    if (i > 0 && i < n - 1)
        AMP_AT(a, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2;
});
AMP_PARALLEL_FOR_EACH(b.extent, (i), AMP_CAPTURE(b, n), {
    if (i == 0 || i == n - 1)
        continue;
    AMP_AT(b, i) = AMP_AT(b, i - 1);
});
AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m), { AMP_AT(m, i, j) = AMP_AT(m, amp_max(i - 1, 0), j); });
AMP_PARALLEL_FOR_EACH(o.extent, (i), AMP_CAPTURE(o, n), { AMP_AT(o, i) += AMP_AT(o, (i + 1) % n); });
AMP_PARALLEL_FOR_EACH(p.extent, (i), AMP_CAPTURE(p, o), { contracts_add(p, AMP_AT(o, i)); });
AMP_PARALLEL_FOR_EACH(q.extent, (i), AMP_CAPTURE(q, n), {
    if (i < n - 1)
        AMP_AT(q, i / 2) = i;
});
AMP_PARALLEL_FOR_EACH(r.extent, (i), AMP_CAPTURE(r, a), {
    if (AMP_AT(a, i) > 3)
        AMP_AT(r, 0) = i;
});
AMP_PARALLEL_FOR_EACH(s.extent, (i), AMP_CAPTURE(s), {
    if (i == 0)
        AMP_AT(s, 0) = 0;
    amp_atomic_fetch_add(&AMP_AT(s, 0), 1);
});
exit(0);
}

static int child_no_races(void)
{
    static float values[N], others[N], square[8][8];
    static int counts[N];
    const int half = N / 2, n = N, odd = 1;
    AMP_ARRAY_VIEW(float, 1, a, values, N);
    AMP_ARRAY_VIEW(float, 1, b, others, N);
    AMP_ARRAY_VIEW(float, 2, m, &square[0][0], 8, 8);
    AMP_ARRAY_VIEW(int, 1, c, counts, N);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        if (i == 0)
            AMP_AT(c, 0)++;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), {
        if (i != 0)
            continue;
        AMP_AT(c, 0)++;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, half, n), {
        if (i < half && i + half < n)
            AMP_AT(a, i) += AMP_AT(a, i + half);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n, odd), {
        if (i > 0 && i < n - 1 && i % 2 == odd)
            AMP_AT(a, i) = (AMP_AT(a, i - 1) + AMP_AT(a, i + 1)) / 2;
    });
    AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(m), {
        if (i < j) {
            const float old = AMP_AT(m, i, j);
            AMP_AT(m, i, j) = AMP_AT(m, j, i);
            AMP_AT(m, j, i) = old;
        }
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, n), {
        if (i == n - 1)
            AMP_AT(a, i) = AMP_AT(a, i - 1);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b, c), { AMP_AT(b, i) = AMP_AT(a, AMP_AT(c, i) % 2); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, c), {
        if (AMP_AT(a, i) > 0)
            amp_atomic_fetch_add(&AMP_AT(c, 0), 1);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), {
        if (i % 2)
            AMP_AT(b, i / 2) = AMP_AT(a, i);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), {
        if (i >= 2 && i < 12)
            AMP_AT(b, i % 10) = AMP_AT(a, i);
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, c), {
        if (AMP_AT(a, i) == 3)
            AMP_AT(c, 0) = i;
    });
    /* the same value by several indexes */
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, b), { AMP_AT(b, i / 2) = AMP_AT(a, i / 2 * 2); });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(c), { AMP_AT(c, i % 8) = 1; });
    AMP_PARALLEL_FOR_EACH(m.extent, (i, j), AMP_CAPTURE(a, c), {
        AMP_AT(c, i) = (int)AMP_AT(a, i);
        (void)j;
    });
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, half), {
        if (i < half)
            AMP_AT(a, i) = AMP_AT(a, 63 - i);
    });
    AMP_PARALLEL_FOR_EACH(c.extent, (i), AMP_CAPTURE(c, n), {
        const int before = amp_atomic_fetch_add(&AMP_AT(c, 0), 1);
        if (before == n - 1)
            AMP_AT(c, 0) = 0;
    });
    AMP_PARALLEL_FOR_EACH(c.extent, (i), AMP_CAPTURE(c), {
        if (i == 0) {
            AMP_AT(c, 0) = 0;
            amp_atomic_fetch_add(&AMP_AT(c, 0), 1);
        }
    });
    exit(0);
}

/* Conditions on the index, each of which lets one index more come than there are elements; and (fits) no more. */
static int limits(bool fits)
{
    static int of_each[3][N];
    const int n = N, four = 4, more = fits ? 0 : 1;
    AMP_ARRAY_VIEW(int, 1, p, of_each[0], N);
    AMP_ARRAY_VIEW(int, 1, q, of_each[1], N);
    AMP_ARRAY_VIEW(int, 1, r, of_each[2], N);
    AMP_PARALLEL_FOR_EACH(p.extent, (i), AMP_CAPTURE(p, more), {
        if (i >= 4 && i < 8 + more)
            AMP_AT(p, i % 4) = i;
    });
    AMP_PARALLEL_FOR_EACH(q.extent, (i), AMP_CAPTURE(q, n, four, more), {
        if (i > 3 - more && i <= n - 57)
            AMP_AT(q, i % four) = i;
    });
    AMP_PARALLEL_FOR_EACH(r.extent, (i), AMP_CAPTURE(r, more), {
        if (i + 1 < 5 + more)
            AMP_AT(r, i & 3) = i;
    });
    exit(0);
}
static int child_limits(void) { return limits(false); }
static int child_no_limits(void) { return limits(true); }

/* ---- tiles: in macros, whose layout clang-format keeps -------------------------------------------- */

#define MISTAKES_IN_TILES                                                                                              \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                               \
        AMP_TILE_STATIC(float, turned, [16]);                                                                          \
        AMP_THREADS(tile, t) {                                                                                         \
            const int x = t.local.v[0];                                                                                \
            turned[x] = AMP_AT(v, t.global);                                                                           \
            AMP_AT(w, t.global) = turned[15 - x];                                                                      \
        }                                                                                                              \
    });                                                                                                                \
    AMP_TILED(m.extent, (8, 8), tile, AMP_CAPTURE(m), {                                                                \
        AMP_TILE_STATIC(float, block, [8][8]);                                                                         \
        AMP_THREADS(tile, t) {                                                                                         \
            float sum = 0;                                                                                             \
            block[t.local.v[0]][t.local.v[1]] = AMP_AT(m, t.global);                                                   \
            for (int k = 0; k < 8; k++)                                                                                \
                sum += block[t.local.v[0]][k];                                                                         \
            AMP_AT(m, t.global) = sum;                                                                                 \
        }                                                                                                              \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                               \
        AMP_TILE_STATIC(float, unset, [16]);                                                                           \
        AMP_THREADS(tile, t) {                                                                                         \
            unset[t.local.v[0]] += AMP_AT(v, t.global);                                                                \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_THREADS(tile, t) {                                                                                         \
            AMP_AT(w, t.global) = unset[15 - t.local.v[0]];                                                            \
        }                                                                                                              \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                               \
        AMP_TILE_STATIC(float, narrow, [16]);                                                                          \
        AMP_THREADS(tile, t) {                                                                                         \
            narrow[t.local.v[0]] = AMP_AT(v, t.global);                                                                \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_THREADS(tile, t) {                                                                                         \
            AMP_AT(w, t.global) = narrow[16 - t.local.v[0]];                                                           \
        }                                                                                                              \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, far),                                                               \
              { AMP_THREADS(tile, t) { AMP_AT(far, t.local) = 2 * AMP_AT(v, t.global);                                 \
    }                                                                                                                  \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, sums), {                                                            \
        AMP_THREADS(tile, t) {                                                                                         \
            const int x = t.local.v[0];                                                                                \
            AMP_AT(sums, x) += AMP_AT(v, t.global);                                                                    \
    }                                                                                                                  \
    });

static int child_tiles(void)
{
    static float values[6][N], square[16][16];
    AMP_ARRAY_VIEW(float, 2, m, &square[0][0], 16, 16);
    AMP_ARRAY_VIEW(float, 1, v, values[0], N);
    AMP_ARRAY_VIEW(float, 1, w, values[1], N);
    AMP_ARRAY_VIEW(float, 1, far, values[2], N);
    AMP_ARRAY_VIEW(float, 1, sums, values[3], N);
    MISTAKES_IN_TILES
    exit(0);
}

#define NO_MISTAKES_IN_TILES                                                                                           \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                               \
        AMP_TILE_STATIC(float, line, [18]);                                                                            \
        AMP_THREADS(tile, t) {                                                                                         \
            const int x = t.local.v[0];                                                                                \
            line[x + 1] = AMP_AT(v, t.global);                                                                         \
            if (x < 2)                                                                                                 \
                line[17 * x] = 0;                                                                                      \
            AMP_AT(w, t.global) = line[x + 1];                                                                         \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        AMP_THREADS(tile, t) {                                                                                         \
            AMP_AT(w, t.global) += line[t.local.v[0]] + line[t.local.v[0] + 2];                                        \
        }                                                                                                              \
        amp_barrier_wait(tile.barrier);                                                                                \
        for (int d = 8; d > 0; d /= 2) {                                                                               \
            AMP_THREADS(tile, t) {                                                                                     \
                if (t.local.v[0] < d)                                                                                  \
                    line[t.local.v[0]] += line[t.local.v[0] + d];                                                      \
            }                                                                                                          \
            amp_barrier_wait(tile.barrier);                                                                            \
        }                                                                                                              \
        AMP_THREADS(tile, t) {                                                                                         \
            if (t.local.v[0] == 0)                                                                                     \
                AMP_AT(w, t.tile) = line[0];                                                                           \
        }                                                                                                              \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(v, w), {                                                               \
        AMP_THREADS(tile, t) {                                                                                         \
            if (t.tile.v[0] == 0)                                                                                      \
                AMP_AT(w, t.local) = 2 * AMP_AT(v, t.global);                                                          \
    }                                                                                                                  \
    });                                                                                                                \
    AMP_TILED(AMP_EXTENT(16), (16), tile, AMP_CAPTURE(v, w),                                                           \
              { AMP_THREADS(tile, t) { AMP_AT(w, t.local) = 2 * AMP_AT(v, t.global);                                   \
    }                                                                                                                  \
    });                                                                                                                \
    AMP_TILED(v.extent, (16), tile, AMP_CAPTURE(w), { AMP_THREADS(tile, t) { AMP_AT(w, t.local) = 1;                   \
    }                                                                                                                  \
    });

static int child_no_tiles(void)
{
    static float values[2][N];
    AMP_ARRAY_VIEW(float, 1, v, values[0], N);
    AMP_ARRAY_VIEW(float, 1, w, values[1], N);
    NO_MISTAKES_IN_TILES
    exit(0);
}

/* ---- lifetime -------------------------------------------------------------------------------------- */

static void print(const amp_error *error, void *user)
{
    (void)user;
    fprintf(stderr, "amp: %s\n", error->message);
}

/* A view on memory that is freed before the view ends (when 0), before another owner gets it (1), or afterwards (2). */
static void free_at(int bytes, int when)
{
    char *const memory = calloc(1, (size_t)bytes), *other = NULL;
    {
        AMP_ARRAY_VIEW(int, 1, v, (int *)(void *)memory, bytes / 4);
        for (int round = 0; round < 2; round++)
            AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        if (when == 0)
            check_int(AMP_AT(v, 3), 3);
        if (when < 2)
            free(memory);
        other = when == 1 ? malloc((size_t)bytes) : NULL;
        if (other)
            memset(other, 9, (size_t)bytes);
    }
    if (other)
        check_int(other[bytes - 1], 9);
    free(when == 2 ? memory : other);
}

static int child_freed(void)
{
    amp_set_error_handler(print, NULL);
    free_at(400, 0);
    free_at(4000, 0);
    free_at(1 << 16, 0);
    free_at(1 << 20, 0);
    free_at(1 << 25, 0);
    exit(0);
}

/* A launch on memory that was given back to the system. */
static int child_freed_before_launch(void)
{
    const int bytes = 1 << 25;
    int *const memory = calloc(1, (size_t)bytes);
    amp_set_error_handler(print, NULL);
    AMP_ARRAY_VIEW(int, 1, v, memory, bytes / 4);
    for (int round = 0; round < 2; round++) {
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) += i; });
        check_int(amp_last_error(), round == 0 ? AMP_OK : AMP_RUNTIME_ERROR);
        if (round == 0)
            free(memory);
    }
    exit(0);
}

static int child_owned_by_another(void)
{
    amp_set_error_handler(print, NULL);
    free_at(4000, 1);
    exit(0);
}

static int child_freed_afterwards(void)
{
    amp_set_error_handler(print, NULL);
    const int sizes[] = { 400, 4000, 1 << 16, 1 << 20, 1 << 25 };
    for (int i = 0; i < 5; i++)
        free_at(sizes[i], 2);
    static int kept[1024];
    {
        AMP_ARRAY_VIEW(int, 1, v, kept, 1024);
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
        amp_array_view_synchronize(&v);
        kept[3] = 7; /* nothing is pending */
    }
    exit(0);
}

/* ---- discarded data, copies ------------------------------------------------------------------------ */

static int child_discarded(void)
{
    static float part[1000], whole[1000], none[1000];
    {
        AMP_ARRAY_VIEW(float, 1, v, part, 1000);
        amp_array_view_discard_data(&v);
        AMP_PARALLEL_FOR_EACH(amp_inner(v.extent, 10), (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
        AMP_ARRAY_VIEW(float, 1, w, whole, 1000);
        amp_array_view_discard_data(&w);
        AMP_PARALLEL_FOR_EACH(w.extent, (i), AMP_CAPTURE(w), { AMP_AT(w, i) = 1; });
        AMP_ARRAY_VIEW(float, 1, n, none, 1000);
        AMP_PARALLEL_FOR_EACH(n.extent, (i), AMP_CAPTURE(n), { AMP_AT(n, i) = 1; });
        amp_array_view_discard_data(&n); /* nothing is to be copied back */
    }
    check_int((int)whole[0], 1);
    exit(0);
}

static int child_discarded_read(void)
{
    static float read[1000], copied[1000], accessed[1000];
    float out[1000];
    AMP_ARRAY_VIEW(float, 1, r, read, 1000);
    amp_array_view_discard_data(&r);
    (void)(amp_read(r, 3) + amp_read(r, 4)); /* each view once */
    AMP_ARRAY_VIEW(float, 1, c, copied, 1000);
    amp_array_view_discard_data(&c);
    amp_copy_out(amp_section(c, 20, 10), out, 10);
    {
        AMP_ARRAY_VIEW(float, 1, v, accessed, 1000);
        amp_array_view_discard_data(&v);
        (void)AMP_AT(v, 7);
    }
    exit(0);
}

static int child_written_then_read(void)
{
    static float memory[4][1000];
    float out[1000];
    for (int turn = 0; turn < 2; turn++) {
        AMP_ARRAY_VIEW(float, 1, v, memory[0], 1000);
        AMP_ARRAY_VIEW(float, 1, w, memory[1], 1000);
        AMP_ARRAY_VIEW(float, 1, x, memory[2], 1000);
        AMP_ARRAY_VIEW(float, 1, y, memory[3], 1000);
        (void)AMP_AT(y, 3);
        amp_array_view_discard_data(&v);
        amp_array_view_discard_data(&w);
        amp_array_view_discard_data(&x);
        amp_array_view_discard_data(&y); /* which nothing reads */
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
        amp_array_view_synchronize(&v);
        amp_copy_in(memory[0], 1000, w);
        AMP_AT(x, 5) = 2;
        check_int((int)(amp_read(v, 3) + AMP_AT(v, 3) + AMP_AT(x, 5)), 4);
        amp_copy_out(v, out, 1000);
        amp_copy_out(w, out, 1000);
        (void)AMP_AT(w, 5);
    }
    exit(0);
}

static int child_copied(void)
{
    static int values[N], results[N];
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_ARRAY_VIEW(int, 1, out, results, N);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, t, N);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, u, N);
    AMP_PARALLEL_FOR_EACH(t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i) = i; });
    amp_copy(out, t); /* exchanged */
    AMP_PARALLEL_FOR_EACH(t.extent, (i), AMP_CAPTURE(t), { AMP_AT(t, i) = i; });
    amp_copy(t, out);
    amp_copy(v, u);
    AMP_PARALLEL_FOR_EACH(u.extent, (i), AMP_CAPTURE(u, out), { AMP_AT(out, i) = AMP_AT(u, i)++; });
    amp_copy(v, u); /* as before */
    exit(0);
}

static int child_summed(void)
{
    static float values[4];
    AMP_CONST_ARRAY_VIEW(float, 1, v, values, 4);
    for (int round = 0; round < 3; round++) {
        values[1] = (float)round;
        check_that(amp_sum(v) >= 0, "not a sum");
    }
    exit(0);
}

/* ---- algorithms ------------------------------------------------------------------------------------ */

AMP_STRUCT(contracts_best, {
    float value;
    int at;
});
AMP_DEFINE_ELEMENT(contracts_best)
AMP_FUNCTION(float, contracts_larger, (float a, float b), { return a > b ? a : b; })

static float floats[1000];
static int numbers[1000];

static void fill_numbers(void)
{
    for (int i = 0; i < 1000; i++) {
        floats[i] = (float)(i * 37 % 101) - 200;
        numbers[i] = 1000000000 - i / 3;
    }
}

static int child_operations(void)
{
    fill_numbers();
    AMP_CONST_ARRAY_VIEW(float, 1, v, floats, 1000);
    AMP_CONST_ARRAY_VIEW(int, 1, large, numbers, 1000);
    AMP_CONST_ARRAY_VIEW(float, 2, table, floats, 10, 100);
    float rows[100], r = 0;
    int sums[10], s = 0;
    contracts_best best = { 0, 0 };
    AMP_ARRAY_VIEW(float, 1, out, rows, 100);
    AMP_ARRAY_VIEW(int, 1, out_int, sums, 10);
    for (int round = 0; round < 2; round++)
        AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a > b ? a : b, 0.0f);
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a *b, 0);
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a - b, 0);
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), (a + b) / 2, 0);
    AMP_REDUCE(contracts_best, best, v.extent, (i), AMP_CAPTURE(v), ((contracts_best){ AMP_AT(v, i), i }),
               b.value > a.value ? b : a, { 0, 0 });
    AMP_REDUCE(int, s, large.extent, (i), AMP_CAPTURE(large), AMP_AT(large, i), a + b, 0);
    AMP_REDUCE_ROWS(float, amp_section(out, 0, 10), table.extent, (i, j), AMP_CAPTURE(table), AMP_AT(table, i, j),
                    contracts_larger(a, b), 0);
    AMP_INCLUSIVE_SCAN(float, out, out.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a / 2 + b, 0);
    const amp_array_view_float_2 square = AMP_VIEW_AS(amp_array_view_float_2, out, 10, 10);
    AMP_INCLUSIVE_SCAN_ROWS(float, square, square.extent, (i, j), AMP_CAPTURE(table), AMP_AT(table, i, j), a + b, 1);
    amp_inclusive_sum(out_int, amp_section(large, 0, 3));
    exit(0);
}

static int child_ranges(void)
{
    static int unsorted[5000], sorted[5000], both[10000];
    for (int i = 0; i < 5000; i++)
        unsorted[i] = sorted[i] = i / 2;
    unsorted[3001] = -1;
    AMP_CONST_ARRAY_VIEW(int, 1, u, unsorted, 5000);
    AMP_CONST_ARRAY_VIEW(int, 1, v, sorted, 5000);
    AMP_ARRAY_VIEW(int, 1, out, both, 10000);
    int count = 0;
    const amp_array_view_int_1 places = amp_section(out, 0, 10);
    const amp_const_array_view_int_1 wanted = amp_section(v, 0, 10);
    amp_lower_bound(places, u, wanted);
    AMP_UPPER_BOUND(places, v, wanted, AMP_CAPTURE(), a > b);
    amp_merge(out, v, u);
    amp_set_union(out, count, u, v);
    static int keys[1000], kept[1000];
    for (int i = 0; i < 1000; i++)
        keys[i] = i / 10 % 5;
    AMP_CONST_ARRAY_VIEW(int, 1, k, keys, 1000);
    AMP_ARRAY_VIEW(int, 1, kept_keys, kept, 1000);
    AMP_REDUCE_BY_KEY(int, kept_keys, out, count, k, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    const int begin = 100, row_end = 400;
    const amp_const_array_view_int_1 literal = amp_section(v, 40, 60);
    const amp_const_array_view_int_1 named = amp_section(v, begin, row_end);
    check_int(literal.extent.v[0] + named.extent.v[0], 460);
    for (int again = 0; again < 2; again++) /* a place is reported once, as it is written */
        check_int(amp_section(amp_section(v, 10, 4000), 7, 9).extent.v[0], 9);
    exit(0);
}

static int child_comparisons(void)
{
    int values[6] = { 5, 1, 4, 2, 9, 3 }, places[12], count = 0;
    static float table[4][3] = { { 3, 1, 2 }, { 5, 4, 3 }, { 1, 9, 8 }, { 7, 2, 2 } };
    static float others[4][2] = { { 1, 2 }, { 4, 3 }, { 9, 8 }, { 2, 2 } }; /* no order leaves those in any */
    contracts_best bests[3] = { { 1, 2 }, { 3, 4 }, { 0, 1 } };
    AMP_ARRAY_VIEW(int, 1, v, values, 6);
    AMP_ARRAY_VIEW(int, 1, out, places, 12);
    AMP_ARRAY_VIEW(float, 2, rows, &table[0][0], 4, 3);
    AMP_ARRAY_VIEW(float, 2, other_rows, &others[0][0], 4, 2);
    AMP_ARRAY_VIEW(contracts_best, 1, structs, bests, 3);
    const amp_array_view_int_1 one = amp_section(v, 0, 1);
    for (int round = 0; round < 2; round++)
        AMP_SORT(v, AMP_CAPTURE(), a <= b);
    AMP_SORT(v, AMP_CAPTURE(), a - b);
    AMP_SORT(structs, AMP_CAPTURE(), a.value >= b.value);
    AMP_SORT_ROWS(rows, (row), AMP_CAPTURE(), a != b);
    AMP_SORT_ROWS(other_rows, (row), AMP_CAPTURE(), row % 2 ? a > b : a >= b);
    AMP_SORT(v, AMP_CAPTURE(), a < b);
    AMP_MERGE(out, v, v, AMP_CAPTURE(), b - a); /* of both ranges, once */
    AMP_SET_UNION(out, count, v, v, AMP_CAPTURE(), a == b);
    AMP_LOWER_BOUND(amp_section(out, 0, 1), one, one, AMP_CAPTURE(), b >= a);
    exit(0);
}

static double next_number(void)
{
    static double number = 0.5;
    return number += 2;
}

static int child_lossy_values(void)
{
    static float from[6] = { 1, 2, 3, 4, 5, 6 }, to[6];
    static int64_t list[6] = { 0, 1, 2, 3, 2, 3 };
    static uint8_t few[4];
    static int many[4];
    AMP_CONST_ARRAY_VIEW(float, 1, v, from, 6);
    AMP_CONST_ARRAY_VIEW(int64_t, 1, places, list, 6);
    AMP_ARRAY_VIEW(float, 1, out, to, 6);
    AMP_ARRAY_VIEW(uint8_t, 1, bytes, few, 4);
    AMP_ARRAY_VIEW(int, 1, ints, many, 4);
    for (int round = 0; round < 2; round++)
        amp_scatter(out, v, places);
    amp_fill(ints, next_number());
    check_int(AMP_AT(ints, 3), 2);
    check_int((int)next_number(), 4); /* it was evaluated once */
    amp_fill(bytes, 0.75f);
    amp_iota(ints, 0.5);
    exit(0);
}

static int child_contracts_kept(void)
{
    fill_numbers();
    AMP_CONST_ARRAY_VIEW(float, 1, v, floats, 1000);
    AMP_ARRAY_VIEW(int, 1, number, numbers, 1000);
    float r = 0;
    int64_t s = 0;
    uint32_t checksum = 0;
    contracts_best best = { 0, 0 };
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), contracts_larger(a, b), -INFINITY);
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), -AMP_AT(v, i), a > b ? a : b, 0); /* of positive ones */
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), sqrtf(a * a + b * b), 0);
    AMP_REDUCE(float, r, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) * 1e6f, a + b, 0);
    AMP_REDUCE(contracts_best, best, v.extent, (i), AMP_CAPTURE(v), ((contracts_best){ AMP_AT(v, i), i }),
               b.value > a.value ? b : a, { -INFINITY, -1 });
    AMP_REDUCE(int64_t, s, number.extent, (i), AMP_CAPTURE(number), AMP_AT(number, i), a + b, 0);
    AMP_REDUCE(uint32_t, checksum, number.extent, (i), AMP_CAPTURE(number), (uint32_t)AMP_AT(number, i), a + b, 0);
    for (int round = 0; round < 3; round++) /* a value is not evaluated twice */
        AMP_REDUCE(int64_t, s, number.extent, (i), AMP_CAPTURE(number), (AMP_AT(number, i) += 1), a + b, 0);
    check_int(AMP_AT(number, 0), 1000000003);
    AMP_INCLUSIVE_SCAN(int, number, number.extent, (i), AMP_CAPTURE(), i % 2 + 2, a > b ? a : b, INT_MIN);
    const float none = nanf(""), numbers_and_none[4] = { 2, none, 1, none };
    AMP_ARRAY_VIEW(float, 1, out, floats, 4);
    amp_copy_in(numbers_and_none, 4, out);
    AMP_SORT(out, AMP_CAPTURE(), a < b);
    AMP_SORT(number, AMP_CAPTURE(), a % 7 > b % 7);
    AMP_SORT_ROWS(AMP_VIEW_AS(amp_array_view_int_2, number, 500, 2), (row), AMP_CAPTURE(), row % 2 ? a > b : a < b);
    AMP_SORT(amp_section(number, 0, 1), AMP_CAPTURE(), a < b);
    amp_sort(number);
    amp_lower_bound(amp_section(number, 990, 10), amp_section(number, 0, 980), amp_section(number, 980, 10));
    const amp_const_array_view_float_1 inner = amp_section(v, 1, 998), rest = amp_section(v, 10, 1000 - 10);
    check_int(inner.extent.v[0] + rest.extent.v[0], 1988);
    const int twice[4] = { 2, 3, 2, 3 };
    AMP_CONST_ARRAY_VIEW(int, 1, equal, twice, 4);
    amp_fill(out, 1);
    amp_fill(number, 2.0);
    amp_scatter(number, equal, equal); /* either is the same */
    exit(0);
}

CHILDREN({ "summed", child_summed }, { "operations", child_operations }, { "ranges", child_ranges },
         { "comparisons", child_comparisons }, { "lossy_values", child_lossy_values },
         { "contracts_kept", child_contracts_kept }, { "discarded", child_discarded }, { "copied", child_copied },
         { "discarded_read", child_discarded_read }, { "written_then_read", child_written_then_read },
         { "races", child_races }, { "no_races", child_no_races }, { "limits", child_limits },
         { "no_limits", child_no_limits }, { "tiles", child_tiles }, { "no_tiles", child_no_tiles },
         { "freed", child_freed }, { "freed_before_launch", child_freed_before_launch },
         { "owned_by_another", child_owned_by_another }, { "freed_afterwards", child_freed_afterwards })

/* Runs a child, which prints each of these once, and nothing else. */
static void expect_told_by(const char *environment, const char *name, const char *const *told, int count)
{
    char output[16384];
    if (child_run(name, environment, output, sizeof output) == -1)
        skip();
    for (int i = 0; i < count; i++)
        check_that(count_of(output, told[i]) == 1, "%s: output: %s", told[i], output);
    check_that(count_of(output, "amp: ") == count, "output: %s", output);
}
static void expect_told(const char *name, const char *const *told, int count) { expect_told_by("", name, told, count); }
#define EXPECT_TOLD(name, ...)                                                                                         \
    expect_told(name, (const char *const[]){ __VA_ARGS__ },                                                            \
                (int)(sizeof(const char *const[]){ __VA_ARGS__ } / sizeof(const char *)))

static void likely_races_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("races", "several indexes may change the same element of 'b'",
                "several indexes may change the same element of 'c'",
                "several indexes may change the same element of 'm'",
                "several indexes may change the same element of 'o'",
                "reads an element of 'a' that another index writes",
                "reads an element of 'b' that another index writes",
                "reads an element of 'm' that another index writes",
                "reads an element of 'o' that another index writes",
                "several indexes may change the same element of 'p'",
                "several indexes write different values to one element of 'q'",
                "several indexes write different values to one element of 'r'",
                "an element of 's' is changed by an atomic function");
    expect_told("no_races", NULL, 0);
    EXPECT_TOLD("limits", "several indexes write different values to one element of 'p'",
                "several indexes write different values to one element of 'q'",
                "several indexes write different values to one element of 'r'");
    expect_told("no_limits", NULL, 0);
}

static void mistakes_in_tiles_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("tiles", "a phase reads elements of 'turned' that other threads of the tile write",
                "a phase reads elements of 'block' that other threads of the tile write",
                "'unset' is read before a phase writes it", "an index of 'narrow' is outside of its dimensions",
                "each tile writes its own values to the same elements of 'far'",
                "each tile writes its own values to the same elements of 'sums'");
    expect_told("no_tiles", NULL, 0);
}

static void memory_that_is_freed_too_early_is_told(void **state)
{
    (void)state;
    char output[16384];
    if (child_run("freed", "", output, sizeof output) == -1)
        skip();
    /* Threads of a driver may get one of the blocks in the meantime. */
    const int found = count_of(output, " in free_at was freed before the view ended: call free after");
    check_that(found >= 4 && count_of(output, "the memory of the view made by AMP_ARRAY_VIEW(int, 1, v) at ") == found,
               "output: %s", output);
    EXPECT_TOLD("freed_before_launch",
                " in child_freed_before_launch was freed before the view ended: call free after");
    EXPECT_TOLD("owned_by_another", "changed after the kernel in free_at");
    expect_told("freed_afterwards", NULL, 0);
}

static void elements_that_stay_discarded_are_told(void **state)
{
    (void)state;
    static const char *const told[] = { "80 bytes of the view made by AMP_ARRAY_VIEW(float, 1, v) at " };
    expect_told("discarded", told, 1);
    expect_told_by("AMP_FORCE_COPIES=1", "discarded", told, 1);
}

static void reads_of_discarded_elements_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("discarded_read", "amp_read reads elements of the view made by AMP_ARRAY_VIEW(float, 1, r) at ",
                "amp_copy_out reads elements of the view made by AMP_ARRAY_VIEW(float, 1, c) at ",
                "the host read the view made by AMP_ARRAY_VIEW(float, 1, v) at ");
    expect_told("written_then_read", NULL, 0);
}

static void copies_with_exchanged_arguments_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("copied", "overwrites the view made by AMP_ARRAY_VIEW_NO_SOURCE(int, 1, t) at ");
}

static void views_of_algorithms_are_named_as_the_program_made_them(void **state)
{
    (void)state;
    EXPECT_TOLD("summed", "the host memory under AMP_CONST_ARRAY_VIEW(float, 1, v) at ");
}

static void operations_that_break_their_contract_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("operations", "0 is no identity of the operation a > b ? a : b: with the value -200 it is 0",
                "0 is no identity of the operation a *b", "the operation a - b depends on the order: of -200 and",
                "the operation (a + b) / 2 is not associative",
                "{ 0, 0 } is no identity of the operation b.value > a.value ? b : a: with the value { -200, 0 }",
                "the sum of 1000 elements is about ", "0 is no identity of the operation contracts_larger(a, b)",
                "the operation a / 2 + b is not associative", "1 is no identity of the operation a + b",
                "the sum of 3 elements is 3000000000, which does not fit the type of the result, int");
}

static void ranges_that_are_not_sorted_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("ranges", "the range is not sorted by (a < b): element 3000 is 1500, and element 3001 is -1",
                "the range is not sorted by (a > b): element 1 is 0, and element 2 is 1",
                "the second range is not sorted by (a < b): element 3000 is 1500",
                "the first range is not sorted by (a < b): element 3000 is 1500",
                "the key 0 is that of the segments 0 and 5", "note: amp_section(v, 40, 60) at ",
                "note: amp_section(v, begin, row_end) at ", "note: amp_section(v, 10, 4000) at ",
                "note: amp_section(amp_section(v, 10, 4000), 7, 9) at ");
}

static void comparisons_that_are_no_order_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("comparisons", "(a <= b) puts an element before itself: element 0, which is 5",
                "(a - b) puts each of two elements before the other",
                "(a.value >= b.value) puts an element before itself: element 0, which is { 1, 2 }",
                "(a != b) puts each of two elements before the other",
                "(row % 2 ? a > b : a >= b) puts an element before itself: element 0, which is 1",
                "AMP_MERGE in child_comparisons", "(a == b) puts an element before itself: element 0, which is 1",
                "(b >= a) puts an element before itself: element 0, which is 1");
}

static void equal_places_and_lost_fractions_are_told(void **state)
{
    (void)state;
    EXPECT_TOLD("lossy_values", "elements 2 and 4 go to the same place, 2, and any of them may stay",
                "the elements are integers, and the value next_number(), 2.5, becomes 2",
                "the elements are integers, and the value 0.75f, 0.75, becomes 0", "amp_iota in child_lossy_values");
}

static void calls_that_keep_their_contract_are_quiet(void **state)
{
    (void)state;
    expect_told("contracts_kept", NULL, 0);
}

int run_checked_contracts(void);
int run_checked_contracts(void)
{
    const struct CMUnitTest tests[] = {
        TEST(likely_races_are_told),
        TEST(mistakes_in_tiles_are_told),
        TEST(operations_that_break_their_contract_are_told),
        TEST(ranges_that_are_not_sorted_are_told),
        TEST(comparisons_that_are_no_order_are_told),
        TEST(equal_places_and_lost_fractions_are_told),
        TEST(calls_that_keep_their_contract_are_quiet),
        TEST(memory_that_is_freed_too_early_is_told),
        TEST(elements_that_stay_discarded_are_told),
        TEST(reads_of_discarded_elements_are_told),
        TEST(copies_with_exchanged_arguments_are_told),
        TEST(views_of_algorithms_are_named_as_the_program_made_them),
    };
    return cmocka_run_group_tests_name("checked/contracts", tests, NULL, NULL);
}
