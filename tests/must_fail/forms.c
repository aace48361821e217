// SPDX-License-Identifier: MIT
/* Macros that are called in the form of another, with arguments exchanged or missing. */
#include "amp_algorithms.h"

AMP_STRUCT(point, { float x, y; });
enum { SIZE = 4 };

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 1 /* with struct */
AMP_STRUCT(struct other, { float x; })
#endif

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 2 /* without braces */
AMP_STRUCT(other, float x; float y;)
#endif

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 3 /* members as arguments */
AMP_STRUCT(other, float x, float y)
#endif

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 4 /* exchanged */
AMP_STRUCT({ float x; }, other)
#endif

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 5 /* as in C */
AMP_STRUCT(other { float x; })
#endif

// expect: amp: AMP_STRUCT
// expect: : first the name, without the word struct, then the members in braces: AMP_STRUCT(point
#if TEST == 6 /* without members */
AMP_STRUCT(other)
#endif

// expect: amp: AMP_DEFINE_ELEMENT(point, 1) takes a type alone, and makes its views of all ranks
#if TEST == 7 /* with a rank */
AMP_DEFINE_ELEMENT(point, 1)
#endif

// expect: amp: AMP_TABLE
// expect: : type, name, dimensions in brackets and values in braces are separate arguments: AMP_TABLE(
#if TEST == 8 /* as in C */
AMP_TABLE(static const float weights[3] = { 1, 2, 3 })
#endif

// expect: amp: AMP_TABLE
// expect: : type, name, dimensions in brackets and values in braces are separate arguments: AMP_TABLE(
#if TEST == 9 /* brackets behind the name */
AMP_TABLE(float, weights[3], { 1, 2, 3 })
#endif

// expect: amp: AMP_TABLE
// expect: : type, name, dimensions in brackets and values in braces are separate arguments: AMP_TABLE(
#if TEST == 10 /* without dimensions */
AMP_TABLE(float, weights, { 1, 2, 3 })
#endif

// expect: amp: AMP_TABLE
// expect: : type, name, dimensions in brackets and values in braces are separate arguments: AMP_TABLE(
#if TEST == 11 /* without brackets */
AMP_TABLE(float, weights, 3, { 1, 2, 3 })
#endif

// expect: amp: AMP_TABLE
// expect: : type, name, dimensions in brackets and values in braces are separate arguments: AMP_TABLE(
#if TEST == 12 /* name and type exchanged */
AMP_TABLE(weights, float, [3], { 1, 2, 3 })
#endif

// expect: amp: AMP_TYPEDEF
// expect: : first a type, then the new name: AMP_TYPEDEF(float, real)
#if TEST == 13 /* exchanged */
AMP_TYPEDEF(real, float)
#endif

// expect: amp: AMP_TYPEDEF
// expect: : first a type, then the new name: AMP_TYPEDEF(float, real)
#if TEST == 14 /* as in C */
AMP_TYPEDEF(float real)
#endif

// expect: amp: AMP_TYPEDEF
// expect: : first a type, then the new name: AMP_TYPEDEF(float, real); for a struct, AMP_STRUCT
#if TEST == 75 /* a struct with a comma */
AMP_TYPEDEF(
    struct { float x, y; }, pair)
#endif

// expect: amp: AMP_FUNCTION
// expect: : first the type of the result, then the name, then the parameters: AMP_FUNCTION(float
#if TEST == 15 /* name and type exchanged */
AMP_FUNCTION(twice, float, (float x), { return 2 * x; })
#endif

AMP_DEFINE_ELEMENT(point);

void test(float *data, const point *points);
void test(float *data, const point *points)
{
    AMP_ARRAY_VIEW(float, 1, v, data, 16);
    point p = *points;
    const point *at = points;
    int n = 2;
    (void)p, (void)at, (void)n;

#if TEST == 0
    AMP_PARALLEL_FOR_EACH(v.extent, (i),
        AMP_CAPTURE(v, AMP_VALUE(point, p), AMP_VALUE(point, q, points[1]), AMP_BIND(h, p.x),
                    AMP_MEMBERS(*at, x, (z, y)), AMP_SPECIALIZE(n), AMP_SPECIALIZE(m, n + 1), AMP_CONSTANT(SIZE)), {
        AMP_AT(v, i) = p.x + q.x + h + x + z + (float)(n + m + SIZE);
    });
    AMP_HOST_VIEW(host, v);
    AMP_AT(host, 0) = 1;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(AMP_REACH(v, 0, 0)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: : first the type, made by AMP_STRUCT, then a name, then its value
#if TEST == 16 /* the type is missing */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(p)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: : first the type, made by AMP_STRUCT, then a name, then its value
#if TEST == 17 /* name and type exchanged */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(p, point)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: : first the type, made by AMP_STRUCT, then a name, then its value
#if TEST == 18 /* name and type exchanged, before an expression */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(q, point, points[0])), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: : first the type, made by AMP_STRUCT, then a name, then its value
#if TEST == 19 /* the type is missing, before an expression */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(q, points[0])), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: : first the type, made by AMP_STRUCT, then a name, then its value
#if TEST == 20 /* the name is missing */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_VALUE(point, points[0])), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_VALUE
// expect: a view is captured by its name alone
#if TEST == 21 /* a view */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(AMP_VALUE(amp_array_view_float_1, v)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_BIND
// expect: : first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)
#if TEST == 22 /* with a type */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(float, h, p.x)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_BIND
// expect: : first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)
#if TEST == 23 /* exchanged */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(p.x, h)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_BIND
// expect: : first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)
#if TEST == 24 /* the name is missing */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(p.x)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_BIND
// expect: : first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)
#if TEST == 25 /* as a declaration */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_BIND(h = p.x)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_BIND
// expect: : first the name that the body uses, without a type, then an expression: AMP_BIND(h, f.height)
#if TEST == 26 /* with a type, in an algorithm */
    int sum = 0;
    AMP_REDUCE(int, sum, v.extent, (i), AMP_CAPTURE(v, AMP_BIND(float, h, p.x)), 1, a + b, 0);
#endif

// expect: amp: AMP_MEMBERS
// expect: : first a struct, not a pointer, then names of its members: AMP_MEMBERS(s, a, b)
#if TEST == 27 /* of a pointer */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(at, x, y)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_MEMBERS
// expect: : first a struct, not a pointer, then names of its members: AMP_MEMBERS(s, a, b)
#if TEST == 28 /* without members */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(p)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_MEMBERS
// expect: : first a struct, not a pointer, then names of its members: AMP_MEMBERS(s, a, b)
#if TEST == 29 /* each with the struct */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(p.x, p.y)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_MEMBERS
// expect: : first a struct, not a pointer, then names of its members: AMP_MEMBERS(s, a, b)
#if TEST == 30 /* of a pointer, in an algorithm */
    int sum = 0;
    AMP_REDUCE(int, sum, v.extent, (i), AMP_CAPTURE(v, AMP_MEMBERS(at, x)), 1, a + b, 0);
#endif

// expect: amp: AMP_SPECIALIZE
// expect: : first the name that the body uses, without a type: AMP_SPECIALIZE(n)
#if TEST == 31 /* with a type */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_SPECIALIZE(int, n)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_SPECIALIZE
// expect: : first the name that the body uses, without a type: AMP_SPECIALIZE(n)
#if TEST == 32 /* exchanged */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_SPECIALIZE(n + 1, m)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_CONSTANT(int, SIZE) takes the name of a constant, without a type: AMP_CONSTANT(size)
#if TEST == 33 /* with a type */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(int, SIZE)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_REACH
// expect: : first the name of a view, then the first and the last row
#if TEST == 34 /* the view last */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_REACH(-1, 1, v)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_REACH
// expect: : first the name of a view, then the first and the last row
#if TEST == 35 /* without rows */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_REACH(v)), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_PARALLEL_FOR_EACH(...,
// expect: : first the extent, then the index: AMP_PARALLEL_FOR_EACH(v.extent, (i)
#if TEST == 36 /* the index first */
    AMP_PARALLEL_FOR_EACH((i), v.extent, AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_PARALLEL_FOR_EACH(...,
// expect: : first the extent, then the index: AMP_PARALLEL_FOR_EACH(v.extent, (i)
#if TEST == 37 /* the index first, without parentheses */
    AMP_PARALLEL_FOR_EACH(i, v.extent, AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
#endif

// expect: amp: AMP_HOST_VIEW
// expect: : the name to declare, then a view, without type and rank: AMP_HOST_VIEW(h, v)
#if TEST == 38 /* with type and rank */
    AMP_HOST_VIEW(float, 1, h, v);
#endif

// expect: amp: AMP_HOST_VIEW
// expect: : the name to declare, then a view, without type and rank: AMP_HOST_VIEW(h, v)
#if TEST == 39 /* the name is missing */
    AMP_HOST_VIEW(v);
#endif

// expect: amp: AMP_TILE_STATIC
// expect: : type, name and dimensions are separate arguments: AMP_TILE_STATIC
#if TEST == 40 /* as in C */
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, row[8]);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
#endif

// expect: amp: AMP_TILE_STATIC
// expect: : type, name and dimensions are separate arguments: AMP_TILE_STATIC
#if TEST == 41 /* name and type exchanged */
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(row, float, [8]);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
#endif

// expect: amp: AMP_PRIVATE
// expect: : type, name and dimensions are separate arguments: AMP_PRIVATE
#if TEST == 42 /* as in C */
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(float, row[8]);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
#endif

// expect: amp: AMP_PRIVATE
// expect: : type, name and dimensions are separate arguments: AMP_PRIVATE
#if TEST == 43 /* name and type exchanged */
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(row, float, [8]);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
    });
#endif

    // expect: amp: AMP_REDUCE: the number of arguments is wrong: AMP_REDUCE(
#if TEST == 44 /* as a launch */
    int sum = 0;
    AMP_REDUCE(v.extent, (i), AMP_CAPTURE(v), { sum += AMP_AT(v, i); });
    (void)sum;
#endif

    // expect: amp: AMP_REDUCE: the number of arguments is wrong: AMP_REDUCE(
#if TEST == 45 /* without a type */
    int sum = 0;
    AMP_REDUCE(sum, v.extent, (i), AMP_CAPTURE(v), 1, a + b, 0);
    (void)sum;
#endif

    // expect: amp: AMP_REDUCE: the number of arguments is wrong: AMP_REDUCE(
#if TEST == 46 /* without an identity */
    int sum = 0;
    AMP_REDUCE(int, sum, v.extent, (i), AMP_CAPTURE(v), 1, a + b);
    (void)sum;
#endif

    // expect: amp: AMP_COUNT_IF: the number of arguments is wrong: AMP_COUNT_IF(
#if TEST == 47 /* without captures */
    int sum = 0;
    sum = (int)AMP_COUNT_IF(v.extent, (i), AMP_AT(v, i) > 0);
    (void)sum;
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN: the number of arguments is wrong: AMP_INCLUSIVE_SCAN(
#if TEST == 48 /* of views alone */
    AMP_INCLUSIVE_SCAN(v, v);
#endif

    // expect: amp: AMP_EXCLUSIVE_SCAN: the number of arguments is wrong: AMP_EXCLUSIVE_SCAN(
#if TEST == 49 /* without a result */
    AMP_EXCLUSIVE_SCAN(float, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_SELECT_IF: the number of arguments is wrong: AMP_SELECT_IF(
#if TEST == 50 /* without a value */
    int sum = 0;
    AMP_SELECT_IF(v, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0);
    (void)sum;
#endif

    // expect: amp: AMP_PARTITION: the number of arguments is wrong: AMP_PARTITION(
#if TEST == 51 /* with a type */
    int sum = 0;
    AMP_PARTITION(float, v, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
    (void)sum;
#endif

    // expect: amp: AMP_HISTOGRAM: the number of arguments is wrong: AMP_HISTOGRAM(
#if TEST == 52 /* without captures */
    AMP_HISTOGRAM(v, v.extent, (i), AMP_AT(v, i));
#endif

    // expect: amp: AMP_REDUCE_ROWS: the number of arguments is wrong: AMP_REDUCE_ROWS(
#if TEST == 53 /* without a type */
    AMP_REDUCE_ROWS(v, v.extent, (r, i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: amp_sort: the number of arguments is wrong: amp_sort(
#if TEST == 54 /* with a comparison */
    amp_sort(v, a < b);
#endif

    // expect: amp: AMP_SORT: the number of arguments is wrong: AMP_SORT(
#if TEST == 55 /* without captures */
    AMP_SORT(v, a < b);
#endif

    // expect: amp: AMP_MERGE: the number of arguments is wrong: AMP_MERGE(
#if TEST == 56 /* without captures */
    AMP_MERGE(v, v, v, a < b);
#endif

    // expect: amp: AMP_LOWER_BOUND: the number of arguments is wrong: AMP_LOWER_BOUND(
#if TEST == 57 /* without a comparison */
    AMP_LOWER_BOUND(v, v, v);
#endif

    // expect: amp: AMP_REDUCE: the index names go in parentheses after the extent
#if TEST == 58 /* the index first, in a reduction */
    int sum = 0;
    AMP_REDUCE(int, sum, (i), v.extent, AMP_CAPTURE(v), 1, a + b, 0);
    (void)sum;
#endif

    // expect: amp: AMP_COUNT_IF: the index names go in parentheses after the extent
#if TEST == 59 /* the index first, in an expression */
    int sum = (int)AMP_COUNT_IF((i), v.extent, AMP_CAPTURE(v), AMP_AT(v, i) > 0);
    (void)sum;
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN: the index names go in parentheses after the extent
#if TEST == 60 /* the index first, in a scan */
    AMP_INCLUSIVE_SCAN(float, v, (i), v.extent, AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_SELECT_IF: the index names go in parentheses after the extent
#if TEST == 61 /* the index first, in a selection */
    int sum = 0;
    AMP_SELECT_IF(v, sum, (i), v.extent, AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
    (void)sum;
#endif

    // expect: amp: AMP_VALUE
    // expect: a view is captured by its name alone
#if TEST == 62 /* a view, by an expression */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(AMP_VALUE(amp_array_view_float_1, w, v)), { AMP_AT(w, i) = 1; });
#endif

    // expect: amp: AMP_REDUCE_ON: the number of arguments is wrong: AMP_REDUCE_ON(
#if TEST == 63 /* without an accelerator view */
    int sum = 0;
    AMP_REDUCE_ON(int, sum, v.extent, (i), AMP_CAPTURE(v), 1, a + b, 0);
    (void)sum;
#endif

    // expect: amp: AMP_SELECT_IF_ON: the number of arguments is wrong: AMP_SELECT_IF_ON(
#if TEST == 64 /* without an accelerator view */
    int sum = 0;
    AMP_SELECT_IF_ON(v, sum, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
    (void)sum;
#endif

    // expect: amp: AMP_MERGE_ON: the number of arguments is wrong: AMP_MERGE_ON(
#if TEST == 65 /* without an accelerator view */
    AMP_MERGE_ON(v, v, v, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: AMP_REDUCE_BY_KEY: the number of arguments is wrong: AMP_REDUCE_BY_KEY(
#if TEST == 66 /* without the kept keys */
    int sum = 0;
    AMP_REDUCE_BY_KEY(float, v, sum, v, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
    (void)sum;
#endif

    // expect: amp: AMP_INCLUSIVE_SCAN_SEGMENTS: the number of arguments is wrong: AMP_INCLUSIVE_SCAN_SEGMENTS(
#if TEST == 67 /* without the beginnings of segments */
    AMP_INCLUSIVE_SCAN_SEGMENTS(float, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a + b, 0);
#endif

    // expect: amp: AMP_SET_UNION: the number of arguments is wrong: AMP_SET_UNION(
#if TEST == 68 /* without a count */
    AMP_SET_UNION(v, v, v, AMP_CAPTURE(), a < b);
#endif

    // expect: amp: AMP_TILE_SUM: the number of arguments is wrong: AMP_TILE_SUM(
#if TEST == 69 /* a sum of a tile without a type */
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, s, [4]);
        AMP_THREADS(tile, t) { s[t.local.v[0]] = AMP_AT(v, t.global); }
        AMP_TILE_SUM(tile, s, 4);
    });
#endif

    // expect: amp: AMP_SELECT_IF(out, count, ...): out must be a view or array of rank 1
#if TEST == 70 /* the count before the view */
    int sum = 0;
    AMP_SELECT_IF(sum, v, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, AMP_AT(v, i));
#endif

    // expect: amp: amp_unique(out, count, ...): out must be a view or array of rank 1
#if TEST == 71 /* the count before the view */
    int sum = 0;
    amp_unique(sum, v, v);
#endif

    // expect: amp: amp_sort sorts a view or array of rank 1
#if TEST == 72 /* a number for a view */
    int sum = 0;
    amp_sort(sum);
#endif

    // expect: amp: amp_top_k(out, at, v): at must be a view or array of int of rank 1
#if TEST == 73 /* another view of elements for the view of their indexes */
    amp_top_k(v, v, v);
#endif

    // expect: amp: amp_top_k(out, at, v): out must be a view or array of rank 1, of the element type of v
    // expect: amp: amp_top_k(out, at, v): at must be a view or array of int of rank 1
#if TEST == 74 /* the indexes before the elements */
    amp_array_view_int_1 places = { .data = NULL };
    amp_top_k(places, v, v);
#endif
}
