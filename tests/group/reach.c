// SPDX-License-Identifier: MIT
/*  reach.c - which rows of its views a band of a launch reads and writes (amp/group/reach.h)

    Generated kernels are run here, index by index, and each row that they touch must be in their reach. Kernels of the
    usual forms have exactly the reach that is written beside them.
    Also tests amp/group/ranges.h, amp/group/reach_access.h, amp/group/reach_calls.h, amp/group/reach_captures.h,
    amp/group/reach_loops.h, amp/group/reach_members.h, amp/group/reach_operators.h, amp/group/reach_refine.h,
    amp/group/reach_state.h, amp/group/reach_statements.h. */
#include "test.h"

#include "amp/group/reach.h"

enum { ROWS = 24, COLUMNS = 5 };

/* ---- a site -------------------------------------------------------------------------------------- */

static float in_memory[ROWS][COLUMNS], out_memory[ROWS][COLUMNS];

AMP_STRUCT(shifts, {
    int64_t none;
    float scale;
    int8_t up, down, pair[2];
    uint32_t rows, behind;
})

enum { CAPTURES = 10 };

/* What reach a text has: of the views u, which is const, and v, the number n, a struct, an extent, a constant and
   numbers of other types. */
static void reach_of(const char *text, const char *index, bool tiled, int lo, int hi, amp_priv_reach_view *views)
{
    static int n = ROWS;
    static const amp_priv_capture captures[] = { { "u", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "n", AMP_PRIV_CAPTURE_SCALAR, "int", sizeof n, 0 },
                                                 { "s", AMP_PRIV_CAPTURE_STRUCT, "shifts", sizeof(shifts), 0 },
                                                 { "e", AMP_PRIV_CAPTURE_STRUCT, "amp_extent2", 8, 0 },
                                                 { "two", AMP_PRIV_CAPTURE_CONSTANT, "int", 0, 2 },
                                                 { "u8", AMP_PRIV_CAPTURE_SCALAR, "unsigned char", 1, 0 },
                                                 { "i16", AMP_PRIV_CAPTURE_SCALAR, "short", sizeof(short), 0 },
                                                 { "i64", AMP_PRIV_CAPTURE_SCALAR, "long long", 8, 0 },
                                                 { "u64", AMP_PRIV_CAPTURE_SCALAR, "unsigned long long", 8, 0 } };
    AMP_CONST_ARRAY_VIEW(float, 2, u, in_memory[0], ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, out_memory[0], ROWS, COLUMNS);
    shifts s = { 0, 0.5f, -2, 1, { 3, 4 }, ROWS, 1 };
    amp_extent2 e = AMP_EXTENT(ROWS, COLUMNS);
    uint8_t u8 = 255;
    short i16 = -1;
    int64_t i64 = 3;
    uint64_t u64 = UINT64_MAX;
    void *const captured[] = { &u, &v, &n, &s, &e, NULL, &u8, &i16, &i64, &u64 };
    const int extent[] = { ROWS, tiled ? 4 : COLUMNS };
    amp_priv_launch_site site = { .text = text, .index = index, .rank = 2, .tiled = tiled, .tile = { 4, 4 } };
    site.capture_count = CAPTURES;
    site.captures = captures;
    site.user_definitions = &amp_priv_user_definitions;
    amp_priv_reach *const reach = amp_priv_reach_make(&site, captured);
    assert_non_null(reach);
    amp_priv_reach_of(reach, &site, captured, extent, lo, hi, views);
    amp_priv_reach_end(reach);
}

/* ---- kernels of the usual forms ------------------------------------------------------------------ */

AMP_FUNCTION(int, wrapped, (int r, int n), {
    if (r < 0)
        return r + n;
    return r >= n ? r - n : r;
})
AMP_FUNCTION(float, above, (amp_const_array_view_float_2 f, int r, int c), { return AMP_AT(f, r - 1, c); })
AMP_FUNCTION(void, put, (amp_array_view_float_2 f, int r, int c, float x), { AMP_AT(f, r, c) = x; })
AMP_STRUCT(cell, { float a, b; })
AMP_STRUCT(both_views, {
    amp_const_array_view_float_2 from;
    amp_array_view_float_2 to;
})
AMP_FUNCTION(void, from_above, (both_views b, int r, int c), { AMP_AT(b.to, r, c) = AMP_AT(b.from, r - 1, c); })

static const char *rows_text(const amp_priv_range *rows, char *text)
{
    text[0] = '\0';
    for (int i = 0; i < rows->count; i++)
        sprintf(text + strlen(text), "%s%lld-%lld", i ? " " : "", rows->of[i].lo, rows->of[i].hi);
    return text;
}

/* The reach of rows 8 to 15, and of rows 0 to 7. */
static void expect_reach(int line, const char *text, const char *index, const char *inner, const char *first,
                         const char *written)
{
    const char *const want[] = { first, inner };
    for (int band = 0; band < 2; band++) {
        amp_priv_reach_view views[CAPTURES];
        char got[100];
        reach_of(text, index, *index != '(' && strcmp(index, "i"), 8 * band, 8 * band + 8, views);
        if (strcmp(rows_text(&views[0].read, got), want[band]))
            fail_msg("line %d: rows from %d on read %s, not %s", line, 8 * band, got, want[band]);
        if (band == 1 && strcmp(rows_text(&views[1].written, got), written))
            fail_msg("line %d: rows from 8 on write %s, not %s", line, got, written);
    }
}
#define REACH(index, inner, first, written, ...)                                                                       \
    expect_reach(__LINE__, AMP_PRIV_TEXT_(__VA_ARGS__), #index, inner, first, written)

AMP_PRIV_LONG_STRINGS_BEGIN
/* The analysis does not look into structs: their views may use any row. */
static void structs_of_views(void **state)
{
    (void)state;
    REACH((r, c), "0-23", "0-23", "0-23", {
        const both_views b = { u, v };
        from_above(b, r, c);
    });
    REACH((r, c), "0-23", "0-23", "0-23", { from_above((both_views){ .from = u, .to = v }, r, c); });
    REACH((r, c), "0-23", "0-23", "0-23", {
        both_views b;
        b.from = u;
        b.to = v;
        AMP_AT(b.to, r, c) = AMP_AT(b.from, r - 1, c);
    });
}

static void usual_forms(void **state)
{
    (void)state;
    REACH((r, c), "8-15", "0-7", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r, c); });
    REACH(i, "8-15", "0-7", "8-15", { AMP_AT(v, i) = AMP_AT(u, i); });
    REACH((r, c), "6-16", "0-8", "8-15", { /* members that are known, of a copy not */
                                           AMP_AT(v, r, c) =
                                               s.scale * (AMP_AT(u, r + s.up, c) + AMP_AT(u, r + s.down, c));
    });
    REACH((r, c), "0-23", "0-23", "8-15", {
        shifts t = s;
        t.up = (int8_t)n;
        AMP_AT(v, r, c) = AMP_AT(u, r + t.up, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15",
          { AMP_AT(v, r, c) = AMP_AT(u, r + s.pair[0], c) + AMP_AT(u, (int)s.rows, c); });
    REACH((r, c), "9-16", "1-8", "8-15", {
        const __typeof__(AMP_AT(v, 0, 0)) x = AMP_AT(u, r + 1 - e.v[0] + n, c); /* a typeof reads nothing */
        (void)v;
        AMP_AT(v, r, c) = x;
    });
    REACH(i, "9-16", "1-8", "8-15", { AMP_AT(v, i.v[0], i.v[1]) = AMP_AT(u, i.v[0] + 1, i.v[1]); });
    REACH(i, "9-16", "1-8", "8-15", {
        const amp_index2 j = { { i.v[0] + 1, i.v[1] } };
        AMP_AT(v, i) = AMP_AT(u, j);
    });
    REACH((r, c), "8-16", "0-8", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, row_or_next(r, c)); });
    REACH((r, c), "7-16", "0-8", "8-15", {
        if (r == 0 || r == n - 1)
            continue;
        AMP_AT(v, r, c) = AMP_AT(u, r - 1, c) + AMP_AT(u, r + 1, c);
    });
    REACH((r, c), "7-16", "0-8 23-23", "8-15",
          { AMP_AT(v, r, c) = AMP_AT(u, (r + n - 1) % n, c) + AMP_AT(u, (r + 1) % n, c); });
    REACH((r, c), "7-16", "0-8 23-23", "8-15",
          { AMP_AT(v, r, c) = AMP_AT(u, wrapped(r - 1, n), c) + AMP_AT(u, wrapped(r + 1, n), c); });
    REACH((r, c), "7-16", "0-8 23-23", "8-15", {
        int up = r - 1;
        if (up < 0)
            up = n - 1;
        const int down = r + 1 < n ? r + 1 : 0;
        AMP_AT(v, r, c) = AMP_AT(u, up, c) + AMP_AT(u, down, c);
    });
    REACH((r, c), "6-17", "0-9", "8-15", {
        float sum = 0;
        for (int k = -2; k <= 2; k++)
            sum += AMP_AT(u, amp_clamp(r + k, 0, n - 1), c);
        AMP_AT(v, r, c) = sum;
    });
    REACH((r, c), "0-23", "0-23", "8-15", {
        float sum = 0;
        for (int k = 0; k < n; k++)
            sum += AMP_AT(u, r, k) * AMP_AT(u, k, c);
        AMP_AT(v, r, c) = sum;
    });
    REACH((r, c), "8-15", "0-7", "16-23", { AMP_AT(v, r + 8, c) = AMP_AT(u, r, c); });
    REACH((r, c), "16-23", "0-14", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, 2 * r, c); });
    REACH((r, c), "4-7", "0-3", "8-15", { amp_atomic_fetch_add(&AMP_AT(v, r, c), AMP_AT(u, r / 2, c)); });
    REACH((r, c), "7-14", "0-6", "8-15", { put(v, r, c, above(u, r, c)); });
    REACH((r, c), "8-15", "0-7", "0-23",
          { AMP_AT(v, c, (int)AMP_AT(u, r, c)) = 1, AMP_AT(v, (int)AMP_AT(u, r, c), 0) = 1; });
    REACH(tile, "8-15", "0-7", "8-15", {
        AMP_TILE_STATIC(float, block, [4][4]);
        AMP_THREADS(tile, t) {
            block[t.local.v[0]][t.local.v[1]] = AMP_AT(u, t.global);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = block[3 - t.local.v[0]][t.local.v[1]];
        }
    });
    REACH(tile, "7-16", "0-8", "8-15", {
        AMP_TILE_STATIC(float, block, [6][4]);
        AMP_THREADS(tile, t) {
            for (int k = t.local.v[0]; k < 6; k += 4)
                block[k][t.local.v[1]] = AMP_AT(u, amp_clamp(t.tile_origin.v[0] + k - 1, 0, n - 1), t.global.v[1]);
        }
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = block[t.local.v[0]][t.local.v[1]];
        }
    });
}
AMP_PRIV_LONG_STRINGS_END

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
AMP_FUNCTION(unsigned char, low, (int x), { return x; })
AMP_FUNCTION(int, difference, (unsigned int x, unsigned int y), { return x - y; })
AMP_FUNCTION(bool, is_set, (int x), { return x; })
AMP_FUNCTION(amp_index2, row_or_next, (int r, int c), {
    amp_index2 k;
    k.v[0] = r;
    k.v[1] = c;
    if (c % 2)
        return AMP_INDEX(r + 1, c);
    return k;
})
AMP_FUNCTION(short, lowered, (int x), {
    if (x > 40000)
        return x - 65536;
    return x;
})

#pragma GCC diagnostic pop

AMP_PRIV_LONG_STRINGS_BEGIN
/* Each expression has the type that C gives it. Where a conversion changes the value, it may be any of the type. */
static void captures_and_operators(void **state)
{
    (void)state;
    REACH((r, c), "10-17", "2-9", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r + two, c); });
    REACH((r, c), "7-14", "0-6", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r + i16, c); });
    REACH((r, c), "11-18", "3-10", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r + (int)i64, c); });
    REACH((r, c), "9-16", "1-8", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r + u8 - 254, c); });
    REACH((r, c), "8-18", "0-10", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r + (int)(u64 & 3), c); });
    REACH((r, c), "4-7", "0-3", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r >> 1, c); });
    REACH((r, c), "8-15", "0-7", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, +r, c); });
    REACH((r, c), "0-15", "0-7", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r / (c + 1), c); });
    REACH((r, c), "0-4", "0-4", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r % (c + 1), c); });
    REACH((r, c), "0-23", "0-23", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r / c, c); });
    REACH((r, c), "0-23", "0-23", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r << c, c); });
    REACH((r, c), "0-23", "0-23", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r >> c, c); });
    REACH((r, c), "0-23", "0-23", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, r ^ 1, c); });
    REACH((r, c), "8-15", "16-23", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, u.extent.v[0] - 1 - r, c); });
    REACH((r, c), "8-15", "16-23", "8-15", {
        const amp_extent2 x = v.extent;
        AMP_AT(v, r, c) = AMP_AT(u, x.v[0] - 1 - r, c);
    });
    REACH((r, c), "0-23", "0-23", "0-23", { /* a label that is not the switch's own */
                                            switch (n) {
                                            case 1:
                                                if (c) {
                                                case 2: AMP_AT(v, r, c) = AMP_AT(u, r, c);
                                                }
                                            }
    });
}

static void conversions(void **state)
{
    (void)state;
    REACH((r, c), "8-15", "0-7", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, low(r), c); });
    REACH((r, c), "0-15", "0-14", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, low(r * 32) / 16, c); });
    REACH((r, c), "7-15", "0-7 15-22", "8-15",
          { AMP_AT(v, r, c) = AMP_AT(u, difference(r, 70) < 0 ? n - 2 - r : r, c); });
    REACH((r, c), "1-1", "0-1", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, is_set(r), c); });
    REACH((r, c), "0-6", "0-6", "8-15", { AMP_AT(v, r, c) = AMP_AT(u, lowered(r * 5000) / 5000, c); });
    REACH((r, c), "0-15", "0-14", "8-15", {
        unsigned char j;
        const int k = (j = r * 32);
        AMP_AT(v, r, c) = AMP_AT(u, k / 16, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", {
        unsigned char j = 250;
        const int k = (j += r);
        AMP_AT(v, r, c) = AMP_AT(u, k, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", {
        unsigned char j = 255;
        const int k = ++j;
        AMP_AT(v, r, c) = AMP_AT(u, k, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* to a float and back */
                                            float f;
                                            const int k = (f = r);
                                            AMP_AT(v, r, c) = AMP_AT(u, k, c);
    });
    REACH((r, c), "7-15", "0-7 15-22", "8-15", { /* the type of ?: is that of both sides */
                                                 const unsigned int one = 1;
                                                 const int64_t k = (r < 64 ? -1 : one);
                                                 AMP_AT(v, r, c) = AMP_AT(u, k > 0 ? n - 2 - r : r, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* an index is an int */
                                            const int64_t far_away = ((int64_t)1 << 32) + r;
                                            AMP_AT(v, r, c) = AMP_AT(u, far_away, c);
    });
    REACH((r, c), "7-15", "0-7 15-22", "8-15", { /* 64 bits change their sign, too */
                                                 const uint64_t most = 0xffffffffffffffff;
                                                 const int64_t k = (int64_t)(most - (unsigned)r);
                                                 AMP_AT(v, r, c) = AMP_AT(u, (int)(k < 0 ? n - 2 - r : r), c);
    });
    REACH((r, c), "7-15", "0-7 15-22", "8-15", { /* a hash that overflows */
                                                 const int hash = r * 1103515245 + 12345;
                                                 AMP_AT(v, r, c) = AMP_AT(u, hash < 0 ? n - 2 - r : r, c);
    });
    REACH((r, c), "0-0 7-14", "0-0 15-22", "8-15", { /* what is missing is 0 */
                                                     const amp_index2 k = { { r } };
                                                     AMP_AT(v, r, c) =
                                                         AMP_AT(u, k.v[1], c) + AMP_AT(u, k.v[1] ? r : n - 2 - r, c);
    });
    REACH((r, c), "8-15", "0-7", "8-15", { /* a typeof evaluates nothing */
                                           int k = r;
                                           __typeof__(k = n - 1 - r) other = k;
                                           AMP_AT(v, r, c) = AMP_AT(u, other, c);
    });
    REACH((r, c), "7-7", "7-7", "8-15", {
        int k = r;
        {
            enum { FIRST = 7, k };
            AMP_AT(v, r, c) = AMP_AT(u, k - 1, c);
        }
        (void)k;
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* a pointer to a part of an index */
                                            amp_index2 k = { { r, c } };
                                            AMP_ELEMENT_POINTER(int) p = k.v;
                                            p[0] = n - 1 - r;
                                            AMP_AT(v, r, c) = AMP_AT(u, k.v[0], c);
    });
}

/* What is known behind a jump is what is known at each place that jumps there. */
static void jumps(void **state)
{
    (void)state;
    REACH((r, c), "7-15", "0-7 15-22", "8-15", {
        int k = r;
        float sum = 0;
        for (int z = 0; z < 2; sum += AMP_AT(u, k, c), z++) {
            if (r % 3 == z) {
                k = n - 2 - r;
                continue;
            }
            k = r;
        }
        AMP_AT(v, r, c) = sum;
    });
    REACH((r, c), "0-15", "0-7", "8-15", {
        int k;
        int z = 0;
        do {
            k = r;
            if (c == z)
                continue;
            k = r - 8;
        } while (AMP_AT(u, k + 0 * z++, c) > 0 && z < 3);
        AMP_AT(v, r, c) = c;
    });
    REACH((r, c), "8-15", "0-7", "8-15", { /* nothing gets to the step */
                                           for (int z = 0; z < 3; AMP_AT(v, n - 1 - r, c) = 1)
                                               break;
                                           AMP_AT(v, r, c) = AMP_AT(u, r, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* a counter that wraps around */
                                            for (uint8_t k = (uint8_t)(r + 240), turn = 0; turn < 24; k++)
                                                if (turn++ >= 0 && k < n)
                                                    AMP_AT(v, r, c) += AMP_AT(u, k, c);
    });
    REACH((r, c), "8-23", "0-23", "8-15", { /* one that cannot */
                                            for (uint8_t k = (uint8_t)r; k < 250; k++)
                                                AMP_AT(v, r, c) += AMP_AT(u, k, c);
    });
    REACH((r, c), "2-15", "2-7", "8-15", {
        for (unsigned int k = (unsigned)r; k >= 2; k -= 2)
            AMP_AT(v, r, c) += AMP_AT(u, k, c);
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* the distance changes its sign */
                                            int by = 1;
                                            for (int k = r; k >= 0 && k < n; k += by) {
                                                AMP_AT(v, r, c) += AMP_AT(u, k, c);
                                                by = -by - (c & 1);
                                            }
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* a variable of the switch */
                                            int k = r;
                                            switch (c) {
                                                int k;
                                            case 0: k = n - 1 - r;
                                            case 1: AMP_AT(v, r, c) = AMP_AT(u, k, c);
                                            }
                                            (void)k;
    });
    REACH((r, c), "0-23", "0-23", "8-15", { /* 0.5 is not 0 */
                                            int k = r;
                                            for (int z = 0; z < 2; z++) {
                                                AMP_AT(v, r, c) += AMP_AT(u, k, c);
                                                if (0.5)
                                                    k = n - 1 - r;
                                            }
    });
}

/* Long sums are followed; what is nested deeply may be any row. */
static void deep(void **state)
{
    (void)state;
    static char text[400000];
    const char *const at = "(amp_priv_at_2(0, &(u).amp_priv, (u).stride, (";
    for (int form = 0; form < 4; form++) {
        const int count = form == 0 ? 20000 : form == 3 ? 300 : 2000;
        amp_priv_reach_view views[CAPTURES];
        char *end = text + sprintf(text, "{ float x = ((u).data[%s", at);
        for (int i = 0; i < count; i++)
            end += sprintf(end, "%s", form == 1 ? "(" : form == 2 ? "r ? 1 : " : form == 3 ? "r < 9 && " : "");
        end += sprintf(end, "r");
        for (int i = 0; i < count; i++)
            end += sprintf(end, "%s", form == 0 ? " + 1" : form == 1 ? ")" : "");
        sprintf(end, "), (c))) + 0]); }");
        reach_of(text, "(r, c)", false, 0, 4, views);
        if (form == 0)
            assert_false(views[0].unknown);
        else
            assert_true(views[0].unknown && amp_priv_range_has(&views[0].read, ROWS - 1));
    }
}
AMP_PRIV_LONG_STRINGS_END

#define TEXT(...) AMP_PRIV_TEXT_(__VA_ARGS__)
static void not_understood(void **state)
{
    (void)state;
    amp_priv_reach_view views[CAPTURES];
    reach_of(TEXT({
                 goto end;
             end:;
             }),
             "(r, c)", false, 0, 4, views);
    assert_true(views[0].unknown && views[1].unknown);
    assert_int_equal(amp_priv_range_max(&views[1].written), ROWS - 1);
    reach_of(TEXT({
                 AMP_ELEMENT_POINTER(float) p = &AMP_AT(v, r, c);
                 *p = 1;
             }),
             "(r, c)", false, 0, 4, views);
    assert_true(views[1].unknown && !views[0].unknown);
    reach_of(TEXT({ some_function(u); }), "(r, c)", false, 0, 4, views);
    assert_true(views[0].unknown);
    assert_int_equal(views[0].written.count, 0);
    reach_of(TEXT({
                 int x = 0;
                 int *p = &x;
                 *p = 3;
                 AMP_AT(v, x, c) = 1;
             }),
             "(r, c)", false, 0, 4, views);
    assert_int_equal(amp_priv_range_max(&views[1].written), ROWS - 1);
}

/* ---- generated kernels --------------------------------------------------------------------------- */

/* A node: an expression, a condition, or a statement. */
typedef struct node {
    char kind;
    int value;
    struct node *a, *b, *c, *next;
} node;

static node nodes[4000];
static int node_count, loops;

static node *make(char kind, int value, node *a, node *b, node *c)
{
    node *const n = &nodes[node_count++];
    *n = (node){ kind, value, a, b, c, NULL };
    return n;
}

enum { R, C, N, X, VARIABLES = X + 4, COUNTER = VARIABLES, ALL_VARIABLES = COUNTER + 8 };
static node *expression(int depth);

static node *condition(int depth)
{
    if (depth > 0 && test_random_int(0, 2) == 0)
        return make("&|"[test_random_int(0, 1)], 0, condition(depth - 1), condition(depth - 1), NULL);
    if (depth > 0 && test_random_int(0, 4) == 0)
        return make('!', 0, condition(depth - 1), NULL, NULL);
    return make("<l>g=n"[test_random_int(0, 5)], 0, expression(depth - 1), expression(depth - 1), NULL);
}

static node *expression(int depth)
{
    switch (depth > 0 ? test_random_int(0, 9) : test_random_int(0, 2)) {
    case 0: return make('#', test_random_int(0, 3), NULL, NULL, NULL);
    case 1:
    case 2: {
        const int v = test_random_int(0, VARIABLES - 1 + loops);
        return make('v', test_random_int(0, 2) ? v : R, NULL, NULL, NULL);
    }
    case 3:
    case 4: return make('+', 0, expression(depth - 1), expression(depth - 1), NULL);
    case 5: return make('-', 0, expression(depth - 1), expression(depth - 1), NULL);
    case 6: return make('*', 0, expression(depth - 1), make('#', test_random_int(0, 3), NULL, NULL, NULL), NULL);
    case 7: return make('/', 0, expression(depth - 1), make('#', test_random_int(1, 5), NULL, NULL, NULL), NULL);
    case 8:
        return make('%', 0, expression(depth - 1),
                    test_random_int(0, 1) ? make('v', N, NULL, NULL, NULL) : make('#', 3, NULL, NULL, NULL), NULL);
    default: return make('?', 0, condition(depth - 1), expression(depth - 1), expression(depth - 1));
    }
}

static node *statements(int depth);

static node *statement(int depth)
{
    switch (test_random_int(0, depth > 0 ? 9 : 5)) {
    case 0:
    case 1: return make('r', 0, expression(3), NULL, NULL);
    case 2: return make('w', 0, expression(2), NULL, NULL);
    case 3: return make('a', X + test_random_int(0, 3), expression(3), NULL, NULL);
    case 4: return make('s', X + test_random_int(0, 3), expression(1), NULL, NULL);
    case 5: return make('i', 0, condition(1), make('j', 0, NULL, NULL, NULL), NULL);
    case 6:
    case 7:
    case 8:
        return make('i', 0, condition(2), statements(depth - 1), test_random_int(0, 1) ? statements(depth - 1) : NULL);
    default: {
        if (loops == ALL_VARIABLES - COUNTER)
            return make('r', 0, expression(2), NULL, NULL);
        const bool down = test_random_int(0, 2) == 0;
        node *const begin = expression(1), *const end = expression(1);
        node *const loop = make(down ? 'd' : 'f', COUNTER + loops++, begin, end, NULL);
        loop->c = statements(depth - 1);
        loops--;
        return loop;
    }
    }
}

static node *statements(int depth)
{
    node *first = NULL, **last = &first;
    for (int i = test_random_int(1, 3); i > 0; i--) {
        *last = statement(depth);
        last = &(*last)->next;
    }
    return first;
}

/* The text of a kernel, as AMP_AT leaves it. */
static void print(amp_priv_string *out, const node *n)
{
    static const char *const names[] = { "r",  "c",  "n",  "x0", "x1", "x2", "x3", "k0",
                                         "k1", "k2", "k3", "k4", "k5", "k6", "k7" };
    const char *const operators = "+-*/%<l>g=n&|", *const at = n ? strchr(operators, n->kind) : NULL;
    static const char *const texts[] = { "+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||" };
    if (!n)
        return;
#define PUT(...) amp_priv_addf(out, __VA_ARGS__)
    if (at) {
        PUT("("), print(out, n->a), PUT(" %s ", texts[at - operators]), print(out, n->b), PUT(")");
        return;
    }
    switch (n->kind) {
    case '#': PUT("%d", n->value); return;
    case 'v': PUT("%s", names[n->value]); return;
    case '!': PUT("!"), print(out, n->a); return;
    case '?': PUT("("), print(out, n->a), PUT(" ? "), print(out, n->b), PUT(" : "), print(out, n->c), PUT(")"); return;
    case 'r':
        PUT("sum += ((u).data[(amp_priv_at_2(0, &(u).amp_priv, (u).stride, (int)("), print(out, n->a),
            PUT("), (int)(c))) + 0]);\n");
        break;
    case 'w':
        PUT("((v).data[(amp_priv_at_2(0, &(v).amp_priv, (v).stride, (int)("), print(out, n->a),
            PUT("), (int)(c))) + 0]) = 1;\n");
        break;
    case 'a': PUT("%s = ", names[n->value]), print(out, n->a), PUT(";\n"); break;
    case 's': PUT("%s += ", names[n->value]), print(out, n->a), PUT(";\n"); break;
    case 'j': PUT("continue;\n"); break;
    case 'i':
        PUT("if ("), print(out, n->a), PUT(") {\n"), print(out, n->b), PUT("}\n");
        if (n->c)
            PUT("else {\n"), print(out, n->c), PUT("}\n");
        break;
    default:
        PUT("for (int %s = ", names[n->value]), print(out, n->a);
        PUT("; %s %s ", names[n->value], n->kind == 'f' ? "<" : ">="), print(out, n->b);
        PUT("; %s%s) {\n", names[n->value], n->kind == 'f' ? "++" : " -= 2"), print(out, n->c), PUT("}\n");
    }
    print(out, n->next);
#undef PUT
}

/* One thread. */
typedef struct thread {
    long long v[ALL_VARIABLES];
    bool read[ROWS], written[ROWS];
    bool wrong; /* it overflows, or takes long */
    long steps;
} thread;

static long long value(thread *t, const node *n)
{
    const long long a = n->a && n->kind != '?' ? value(t, n->a) : 0;
    if (n->kind == '&' || n->kind == '|')
        return (n->kind == '&') == (a != 0) ? value(t, n->b) != 0 : a != 0;
    const long long b = n->b && n->kind != '?' ? value(t, n->b) : 0;
    long long x = 0;
    switch (n->kind) {
    case '#': return n->value;
    case 'v': return t->v[n->value];
    case '!': return !a;
    case '?': return value(t, n->a) ? value(t, n->b) : value(t, n->c);
    case '+': x = a + b; break;
    case '-': x = a - b; break;
    case '*': x = a * b; break;
    case '/': x = a / b; break;
    case '%': x = a % b; break;
    case '<': return a < b;
    case 'l': return a <= b;
    case '>': return a > b;
    case 'g': return a >= b;
    case '=': return a == b;
    default: return a != b;
    }
    t->wrong = t->wrong || x < INT_MIN || x > INT_MAX;
    return x;
}

/* False after `continue`. */
static bool run_statements(thread *t, const node *n)
{
    for (; n && !t->wrong; n = n->next) {
        t->wrong = ++t->steps > 3000;
        const long long x = n->a ? value(t, n->a) : 0;
        if (n->kind == 'r' && x >= 0 && x < ROWS)
            t->read[x] = true;
        else if (n->kind == 'w' && x >= 0 && x < ROWS)
            t->written[x] = true;
        else if (n->kind == 'a')
            t->v[n->value] = x;
        else if (n->kind == 's')
            t->v[n->value] += x;
        else if (n->kind == 'j')
            return false;
        else if (n->kind == 'i' && !run_statements(t, x ? n->b : n->c))
            return false;
        else if (n->kind == 'f' || n->kind == 'd')
            for (t->v[n->value] = x; !t->wrong; t->v[n->value] += n->kind == 'f' ? 1 : -2) {
                const long long end = value(t, n->b);
                if (n->kind == 'f' ? t->v[n->value] >= end : t->v[n->value] < end)
                    break;
                (void)run_statements(t, n->c);
            }
        for (int i = X; i < VARIABLES; i++)
            t->wrong = t->wrong || t->v[i] < INT_MIN || t->v[i] > INT_MAX;
    }
    return true;
}

/* Runs the band; false where the kernel is no right one. */
static bool touched(const node *kernel, int lo, int hi, thread *t)
{
    memset(t, 0, sizeof *t);
    for (int r = lo; r < hi; r++)
        for (int c = 0; c < COLUMNS; c++) {
            const long long begin[VARIABLES] = { r, c, ROWS, r, c, 0, ROWS };
            memcpy(t->v, begin, sizeof begin);
            t->steps = 0;
            (void)run_statements(t, kernel);
            if (t->wrong)
                return false;
        }
    return true;
}

/* How many of the rows that the reach has are touched, for the sum that shows whether it is any use. */
static void compare(const char *text, int lo, int hi, const amp_priv_range *rows, const bool *touched_rows,
                    const char *how)
{
    for (int i = 0; i < ROWS; i++)
        if (touched_rows[i] && !amp_priv_range_has(rows, i)) {
            char got[100];
            fail_msg("rows %d to %d %s row %d; the reach is %s, of\n%s", lo, hi - 1, how, i, rows_text(rows, got),
                     text);
        }
}

static void generated_kernels(void **state)
{
    (void)state;
    static thread t;
    int good = 0;
    for (int i = 0; i < 1000; i++) {
        amp_priv_string text = { NULL, 0, 0, false };
        node_count = loops = 0;
        const node *const kernel = statements(2);
        amp_priv_addf(&text, "{ float sum = 0; int x0 = r, x1 = c, x2 = 0, x3 = n;\n");
        print(&text, kernel);
        amp_priv_addf(&text, "}");
        for (int size = ROWS; size >= 3; size = size == ROWS ? 11 : size / 2)
            for (int lo = 0; lo < ROWS; lo += size) {
                amp_priv_reach_view views[CAPTURES];
                const int hi = lo + size < ROWS ? lo + size : ROWS;
                if (!touched(kernel, lo, hi, &t))
                    continue;
                reach_of(text.text, "(r, c)", false, lo, hi, views);
                assert_false(views[0].unknown);
                compare(text.text, lo, hi, &views[0].read, t.read, "read");
                compare(text.text, lo, hi, &views[1].written, t.written, "write");
                good++;
            }
        free(text.text);
    }
    assert_true(good > 1000);
}

int run_group_reach(void)
{
    const struct CMUnitTest tests[] = { TEST(structs_of_views),
                                        TEST(usual_forms),
                                        TEST(captures_and_operators),
                                        TEST(conversions),
                                        TEST(jumps),
                                        TEST(deep),
                                        TEST(not_understood),
                                        TEST(generated_kernels) };
    return cmocka_run_group_tests_name("group/reach", tests, NULL, NULL);
}
