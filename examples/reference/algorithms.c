/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/algorithms.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp_algorithms.h"

/* amp_fill */
void fill(amp_array_view_float_2 v, amp_array_view_int_1 numbers)
{
    amp_fill(v, 0.5f);
    amp_iota(numbers, 0); /* 0, 1, 2, ... */
}

/* amp_gather */
void reorder(amp_array_view_float_1 out, amp_const_array_view_float_1 v,
             amp_const_array_view_int_1 order)
{
    amp_gather(out, v, order);
}

/* amp_transpose */
void turn(amp_array_view_float_2 out, amp_const_array_view_float_2 v) { amp_transpose(out, v); }

/* AMP_REDUCE */
double energy(amp_const_array_view_float_2 v)
{
    double sum = 0;
    AMP_REDUCE(double, sum, v.extent, (row, col), AMP_CAPTURE(v),
               (double)AMP_AT(v, row, col) * (double)AMP_AT(v, row, col), a + b, 0.0);
    return sum;
}

/* amp_sum */
float mean(amp_const_array_view_float_1 v) { return amp_sum(v) / (float)v.extent.v[0]; }

/* amp_sum_to */
void normalize(amp_array_view_float_1 v)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, sum, 1);
    amp_sum_to(sum, v); /* does not wait */
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, sum), { AMP_AT(v, i) /= AMP_AT(sum, 0); });
}

/* amp_argmin */
int where_greatest(amp_const_array_view_float_1 v) { return amp_argmax(v); }

/* amp_minmax */
float range(amp_const_array_view_float_1 v)
{
    float least = 0, greatest = 0;
    amp_minmax(least, greatest, v);
    return greatest - least;
}

/* AMP_COUNT_IF */
int64_t negatives(amp_const_array_view_float_1 v)
{
    if (AMP_ALL_OF(v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) >= 0))
        return 0;
    return AMP_COUNT_IF(v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) < 0);
}

/* amp_equal_elements */
void compare(amp_const_array_view_int_1 v, amp_const_array_view_int_1 w)
{
    if (!amp_equal_elements(v, w))
        printf("they differ at %d\n", amp_mismatch(v, w));
}

/* amp_argmin_rows */
void classes(amp_array_view_int_1 class, amp_array_view_float_1 score,
             amp_const_array_view_float_2 scores)
{
    amp_argmax_rows(class, score, scores);
}

/* AMP_REDUCE_ROWS */
void row_sums(amp_array_view_float_1 out, amp_const_array_view_float_2 v)
{
    AMP_REDUCE_ROWS(float, out, v.extent, (row, col), AMP_CAPTURE(v), AMP_AT(v, row, col), a + b,
                    0.0f);
}

/* AMP_INCLUSIVE_SCAN */
void running_maximum(amp_array_view_float_1 out, amp_const_array_view_float_1 v)
{
    AMP_INCLUSIVE_SCAN(float, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i), a > b ? a : b,
                       -INFINITY);
}

/* AMP_INCLUSIVE_SCAN_SEGMENTS */
void sums_from_zeros(amp_array_view_int_1 out, amp_const_array_view_int_1 v)
{
    AMP_INCLUSIVE_SCAN_SEGMENTS(int, out, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) == 0,
                                AMP_AT(v, i), a + b, 0);
}

/* amp_inclusive_sum_rows */
void cumulative(amp_array_view_int64_t_2 out, amp_const_array_view_int_2 counts)
{
    amp_inclusive_sum_rows(out, counts); /* of 1 2 3: 1 3 6 */
}

/* AMP_REDUCE_SEGMENTS */
int totals(amp_array_view_int_1 customer, amp_array_view_float_1 total,
           amp_const_array_view_int_1 customers, amp_const_array_view_float_1 price)
{
    int count = 0;
    AMP_REDUCE_BY_KEY(float, customer, total, count, customers, (i), AMP_CAPTURE(price),
                      AMP_AT(price, i), a + b, 0.0f);
    return count;
}

/* amp_run_length_encode */
int runs(amp_array_view_int_1 values, amp_array_view_int_1 lengths, amp_const_array_view_int_1 v)
{
    int count = 0;
    amp_run_length_encode(values, lengths, count, v); /* of 7 7 7 2 2: 7 2 and 3 2 */
    return count;
}

/* AMP_SELECT_IF */
int positives(amp_array_view_int_1 out, amp_const_array_view_float_1 v)
{
    int count = 0;
    /* their indexes */
    AMP_SELECT_IF(out, count, v.extent, (i), AMP_CAPTURE(v), AMP_AT(v, i) > 0, i);
    return count;
}

/* amp_sort */
void sort(amp_array_view_float_1 keys, amp_array_view_int_1 values)
{
    amp_sort_by_key(keys, values);
}

/* AMP_HISTOGRAM */
void histogram(amp_array_view_int_1 counts, amp_const_array_view_uint8_t_2 picture)
{
    AMP_HISTOGRAM(counts, picture.extent, (row, col), AMP_CAPTURE(picture),
                  AMP_AT(picture, row, col));
}

/* AMP_MERGE */
void merge(amp_array_view_int_1 out, amp_const_array_view_int_1 v, amp_const_array_view_int_1 w)
{
    AMP_MERGE(out, v, w, AMP_CAPTURE(), a > b); /* both descending */
}

/* AMP_SORT */
void sort_by_distance(amp_array_view_float_1 v, float centre)
{
    AMP_SORT(v, AMP_CAPTURE(centre), fabsf(a - centre) < fabsf(b - centre));
}

/* amp_sort_rows */
void sort_rows(amp_array_view_int_2 column, amp_array_view_float_2 v)
{
    /* numbers of columns */
    AMP_SORT_ROWS(column, (row), AMP_CAPTURE(v), AMP_AT(v, row, a) < AMP_AT(v, row, b));
    amp_sort_rows(v);
}

/* AMP_LOWER_BOUND */
void find(amp_array_view_int_1 out, amp_const_array_view_float_1 sorted,
          amp_const_array_view_float_1 keys)
{
    amp_lower_bound(out, sorted, keys);
}

/* AMP_SET_UNION */
int common(amp_array_view_int_1 out, amp_const_array_view_int_1 v, amp_const_array_view_int_1 w)
{
    int count = 0;
    amp_set_intersection(out, count, v, w);
    return count;
}

/* amp_nth_element */
float median(amp_const_array_view_float_1 v) { return amp_nth_element(v, v.extent.v[0] / 2); }

/* amp_top_k */
void best_ten(amp_const_array_view_float_1 v)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, best, 10);
    AMP_ARRAY_VIEW_NO_SOURCE(int, 1, at, 10);
    amp_top_k(best, at, v);
    for (int i = 0; i < 10; i++)
        printf("%d: %g\n", AMP_AT(at, i), (double)AMP_AT(best, i));
}

/* amp_shuffle */
void shuffle(amp_array_view_int_1 v) { amp_shuffle(v, 12345); }

/* amp_algorithms_release */
void sort_once(amp_array_view_float_1 v)
{
    amp_sort(v);
    amp_algorithms_release();
}
