// SPDX-License-Identifier: MIT
/*  operations.c - one table: each operation x kind of view x size x type, on every accelerator, against plain C.

    A new operation is a function `of(c)` that writes c->out, or c->result, with the same in plain C, and a row of
    OPERATIONS. A new kind of view is a case of make_view. Values are small integers: sums are exact in every type. */
#include "operations.h"

/* None, one, odd, around a tile, some tiles, more than a block of the algorithms. */
static const int sizes[] = { 0, 1, 3, 255, 256, 257, 2049, 10007 };
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 10007, BEFORE = 5, AFTER = 4 };

typedef enum kind { WHOLE, SECTION, ROW, RESHAPED, REINTERPRETED, ARRAY, STREAMED, KINDS } kind;
static const char *const kinds[] = { "whole",         "section", "row of a table", "reshaped",
                                     "reinterpreted", "array",   "streamed" };

static int from_place(int i, int n) { return n - 1 - i; } /* for gathers and scatters */

/* Of both halves, sorted: how often each of the ten numbers is in the set, by the call with this number. */
static int times(int set, int left, int right)
{
    const int less = left < right ? left : right, more = left + right - less;
    return set == 0 ? more : set == 1 ? less : set == 2 ? left - less : more - less;
}

/* All for one type of elements. */
#define TABLE(T, FORMAT, VIEW, of_view)                                                                                \
    typedef struct case_##T {                                                                                          \
        amp_accelerator_view where;                                                                                    \
        VIEW##_##T##_1 in;                                                                                             \
        amp_array_view_##T##_1 out;                                                                                    \
        amp_array_view_int_1 places;                                                                                   \
        int n;                                                                                                         \
        const T *data; /* what in has */                                                                               \
        T *want;       /* what out has to have */                                                                      \
        T result, want_result;                                                                                         \
    } case_##T;                                                                                                        \
                                                                                                                       \
    static void launch_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        const amp_array_view_##T##_1 out = c->out;                                                                     \
        AMP_PARALLEL_FOR_EACH_ON(c->where, out.extent, (i), AMP_CAPTURE(in, out),                                      \
                                 { AMP_AT(out, i) = (T)(2 * AMP_AT(in, i) + 1); });                                    \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)(2 * c->data[i] + 1);                                                                      \
    }                                                                                                                  \
    static void keep_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[i];                                                                                   \
    }                                                                                                                  \
    static void copy_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_copy(c->in, c->out);                                                                                       \
        keep_##T(c);                                                                                                   \
    }                                                                                                                  \
    static void fill_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_fill_on(c->where, c->out, (T)7);                                                                           \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)7;                                                                                         \
    }                                                                                                                  \
    static void gather_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        amp_gather_on(c->where, c->out, c->in, c->places);                                                             \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[from_place(i, c->n)];                                                                 \
    }                                                                                                                  \
    static void scatter_##T(case_##T *c)                                                                               \
    {                                                                                                                  \
        amp_scatter_on(c->where, c->out, c->in, c->places);                                                            \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[from_place(i, c->n)] = c->data[i];                                                                 \
    }                                                                                                                  \
    static void inclusive_sum_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_inclusive_sum_on(c->where, c->out, c->in);                                                                 \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = sum = (T)(sum + c->data[i]);                                                                  \
    }                                                                                                                  \
    static void exclusive_sum_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        T sum = 0;                                                                                                     \
        amp_exclusive_sum_on(c->where, c->out, c->in);                                                                 \
        for (int i = 0; i < c->n; i++) {                                                                               \
            c->want[i] = sum;                                                                                          \
            sum = (T)(sum + c->data[i]);                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static int compare_##T(const void *a, const void *b)                                                               \
    {                                                                                                                  \
        const T x = *(const T *)a, y = *(const T *)b;                                                                  \
        return (x > y) - (x < y);                                                                                      \
    }                                                                                                                  \
    static void sort_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        amp_sort_on(c->where, c->out);                                                                                 \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
    }                                                                                                                  \
    static void sum_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        c->result = (T)amp_sum_on(c->where, c->in);                                                                    \
        copy_##T(c);                                                                                                   \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + c->data[i]);                                                         \
    }                                                                                                                  \
    static void inner_product_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        c->result = (T)amp_inner_product_on(c->where, c->in, c->out);                                                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + c->data[i] * c->data[i]);                                            \
    }                                                                                                                  \
    static void max_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_max_on(c->where, c->in);                                                                       \
        c->want_result = c->data[0];                                                                                   \
        for (int i = 1; i < c->n; i++)                                                                                 \
            c->want_result = c->data[i] > c->want_result ? c->data[i] : c->want_result;                                \
    }                                                                                                                  \
    static void min_##T(case_##T *c)                                                                                   \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_min_on(c->where, c->in);                                                                       \
        c->want_result = c->data[0];                                                                                   \
        for (int i = 1; i < c->n; i++)                                                                                 \
            c->want_result = c->data[i] < c->want_result ? c->data[i] : c->want_result;                                \
    }                                                                                                                  \
    /* The sum of both indexes. */                                                                                     \
    static void argminmax_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        int least = -2, greatest = -2;                                                                                 \
        copy_##T(c);                                                                                                   \
        amp_argminmax_on(c->where, least, greatest, c->in);                                                            \
        c->result = (T)(least + greatest);                                                                             \
        least = greatest = c->n ? 0 : -1;                                                                              \
        for (int i = 1; i < c->n; i++) {                                                                               \
            least = c->data[i] < c->data[least] ? i : least;                                                           \
            greatest = c->data[i] > c->data[greatest] ? i : greatest;                                                  \
        }                                                                                                              \
        c->want_result = (T)(least + greatest);                                                                        \
    }                                                                                                                  \
    static void count_if_##T(case_##T *c)                                                                              \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        copy_##T(c);                                                                                                   \
        c->result = (T)AMP_COUNT_IF_ON(c->where, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) < 5);                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want_result = (T)(c->want_result + (c->data[i] < 5));                                                   \
    }                                                                                                                  \
    static void mismatch_##T(case_##T *c)                                                                              \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        for (int differ = 0; differ < 2; differ++) {                                                                   \
            if (differ && c->n > 0)                                                                                    \
                AMP_AT(c->out, c->n - 1) = c->want[c->n - 1] = (T)99;                                                  \
            const int want = differ && c->n > 0 ? c->n - 1 : -1;                                                       \
            c->result = (T)(c->result + (amp_mismatch_on(c->where, c->in, c->out) != want) +                           \
                            (amp_equal_elements_on(c->where, c->in, c->out) != (want < 0)));                           \
        }                                                                                                              \
    }                                                                                                                  \
    static void iota_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        amp_iota_on(c->where, c->out, (T)3);                                                                           \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = (T)(3 + i);                                                                                   \
    }                                                                                                                  \
    static void partition_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int count = -1, n = 0;                                                                                         \
        AMP_PARTITION_ON(c->where, c->out, count, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) < 5, AMP_AT(in, i));  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->data[i] < 5)                                                                                        \
                c->want[n++] = c->data[i];                                                                             \
        c->want_result = (T)n;                                                                                         \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->data[i] >= 5)                                                                                       \
                c->want[n++] = c->data[i];                                                                             \
        c->result = (T)count;                                                                                          \
    }                                                                                                                  \
    static void unique_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        int count = -1, n = 0;                                                                                         \
        fill_##T(c);                                                                                                   \
        amp_unique_on(c->where, c->out, count, c->in);                                                                 \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (i == 0 || c->data[i] != c->data[i - 1])                                                                \
                c->want[n++] = c->data[i];                                                                             \
        c->result = (T)count;                                                                                          \
        c->want_result = (T)n;                                                                                         \
    }                                                                                                                  \
    static void turn_##T(T *data, int n)                                                                               \
    {                                                                                                                  \
        for (int i = 0; i < n / 2; i++) {                                                                              \
            const T other = data[i];                                                                                   \
            data[i] = data[n - 1 - i];                                                                                 \
            data[n - 1 - i] = other;                                                                                   \
        }                                                                                                              \
    }                                                                                                                  \
    static void sort_descending_##T(case_##T *c)                                                                       \
    {                                                                                                                  \
        sort_##T(c);                                                                                                   \
        amp_sort_descending_on(c->where, c->out);                                                                      \
        turn_##T(c->want, c->n);                                                                                       \
    }                                                                                                                  \
    /* The values say where a key was; the result is the number of those that do not, or are out of order. */          \
    static void sort_by_key_##T(case_##T *c)                                                                           \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        amp_sort_by_key_on(c->where, c->out, c->places);                                                               \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        for (int i = 0, before = c->n; i < c->n; i++) {                                                                \
            const int place = AMP_AT(c->places, i), from = from_place(place, c->n);                                    \
            if (place < 0 || place >= c->n || c->data[from] != c->want[i] ||                                           \
                (i > 0 && c->want[i] == c->want[i - 1] && place >= before))                                            \
                c->result++;                                                                                           \
            before = place;                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static void nth_element_##T(case_##T *c)                                                                           \
    {                                                                                                                  \
        sort_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        c->result = amp_nth_element_on(c->where, c->in, c->n / 3);                                                     \
        c->want_result = c->want[c->n / 3];                                                                            \
    }                                                                                                                  \
    /* The result counts wrong places. */                                                                              \
    static void places_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        for (int i = 0; i < c->n; i++) {                                                                               \
            const int place = AMP_AT(c->places, i);                                                                    \
            if (place < 0 || place >= c->n || c->data[place] != c->want[i])                                            \
                c->result++;                                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    /* All elements. */                                                                                                \
    static void top_k_##T(case_##T *c)                                                                                 \
    {                                                                                                                  \
        amp_top_k_on(c->where, c->out, c->places, c->in);                                                              \
        keep_##T(c);                                                                                                   \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        turn_##T(c->want, c->n);                                                                                       \
        places_##T(c);                                                                                                 \
    }                                                                                                                  \
    /* Two sorted halves as one, and in it the first place of each element; the result counts wrong places. */         \
    static void merge_##T(case_##T *c)                                                                                 \
    {                                                                                                                  \
        static T sorted[LARGEST + 1];                                                                                  \
        const int half = c->n / 2;                                                                                     \
        for (int i = 0; i < c->n; i++)                                                                                 \
            sorted[i] = c->want[i] = c->data[i];                                                                       \
        qsort(sorted, (size_t)half, sizeof(T), compare_##T);                                                           \
        qsort(sorted + half, (size_t)(c->n - half), sizeof(T), compare_##T);                                           \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        AMP_CONST_ARRAY_VIEW(T, 1, low, sorted, half);                                                                 \
        AMP_CONST_ARRAY_VIEW(T, 1, high, sorted + half, c->n - half);                                                  \
        amp_merge_on(c->where, c->out, low, high);                                                                     \
        amp_lower_bound_on(c->where, c->places, c->out, c->in);                                                        \
        for (int i = 0; i < c->n; i++) {                                                                               \
            const int at = AMP_AT(c->places, i);                                                                       \
            if (at < 0 || at >= c->n || c->want[at] != c->data[i] || (at > 0 && c->want[at - 1] == c->data[i]))        \
                c->result++;                                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void minmax_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        T least = 3, greatest = 3;                                                                                     \
        copy_##T(c);                                                                                                   \
        if (c->n == 0)                                                                                                 \
            return;                                                                                                    \
        amp_minmax_on(c->where, least, greatest, c->in);                                                               \
        c->result = (T)(10 * least + greatest);                                                                        \
        least = greatest = c->data[0];                                                                                 \
        for (int i = 1; i < c->n; i++) {                                                                               \
            least = c->data[i] < least ? c->data[i] : least;                                                           \
            greatest = c->data[i] > greatest ? c->data[i] : greatest;                                                  \
        }                                                                                                              \
        c->want_result = (T)(10 * least + greatest);                                                                   \
    }                                                                                                                  \
    static void argmin_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        int least = c->n ? 0 : -1, greatest = least;                                                                   \
        copy_##T(c);                                                                                                   \
        c->result = (T)(amp_argmin_on(c->where, c->in) + 2 * amp_argmax_on(c->where, c->in));                          \
        for (int i = 1; i < c->n; i++) {                                                                               \
            least = c->data[i] < c->data[least] ? i : least;                                                           \
            greatest = c->data[i] > c->data[greatest] ? i : greatest;                                                  \
        }                                                                                                              \
        c->want_result = (T)(least + 2 * greatest);                                                                    \
    }                                                                                                                  \
    static void any_of_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int any = 0, all = 1;                                                                                          \
        copy_##T(c);                                                                                                   \
        c->result = (T)(2 * AMP_ANY_OF_ON(c->where, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) == 3) +             \
                        AMP_ALL_OF_ON(c->where, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) < 9));                  \
        for (int i = 0; i < c->n; i++) {                                                                               \
            any |= c->data[i] > 2 && c->data[i] < 4;                                                                   \
            all &= c->data[i] < 9;                                                                                     \
        }                                                                                                              \
        c->want_result = (T)(2 * any + all);                                                                           \
    }                                                                                                                  \
    static void reduce_##T(case_##T *c)                                                                                \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        copy_##T(c);                                                                                                   \
        AMP_REDUCE_ON(c->where, T, c->result, in.extent, (i), AMP_CAPTURE(in), (T)(AMP_AT(in, i) * (T)(i % 5)),        \
                      a < b ? b : a, (T)-1);                                                                           \
        c->want_result = (T)-1;                                                                                        \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->want_result < c->data[i] * (T)(i % 5))                                                              \
                c->want_result = (T)(c->data[i] * (T)(i % 5));                                                         \
    }                                                                                                                  \
    /* As many bins as elements; the result is the number of wrong ones. */                                            \
    static void histogram_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int bins[10] = { 0 };                                                                                          \
        copy_##T(c);                                                                                                   \
        AMP_HISTOGRAM_ON(c->where, c->places, in.extent, (i), AMP_CAPTURE(in), (int)AMP_AT(in, i));                    \
        for (int i = 0; i < c->n; i++)                                                                                 \
            bins[(int)c->data[i]]++;                                                                                   \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->result = (T)(c->result + (AMP_AT(c->places, i) != (i < 10 ? bins[i] : 0)));                             \
    }                                                                                                                  \
    static void inclusive_scan_##T(case_##T *c)                                                                        \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        T most = (T)-1;                                                                                                \
        AMP_INCLUSIVE_SCAN_ON(c->where, T, c->out, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i), a < b ? b : a,      \
                              (T)-1);                                                                                  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = most = most < c->data[i] ? c->data[i] : most;                                                 \
    }                                                                                                                  \
    static void exclusive_scan_##T(case_##T *c)                                                                        \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        T most = (T)-1;                                                                                                \
        AMP_EXCLUSIVE_SCAN_ON(c->where, T, c->out, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i), a < b ? b : a,      \
                              (T)-1);                                                                                  \
        for (int i = 0; i < c->n; i++) {                                                                               \
            c->want[i] = most;                                                                                         \
            most = most < c->data[i] ? c->data[i] : most;                                                              \
        }                                                                                                              \
    }                                                                                                                  \
    /* Segments begin at zeros. */                                                                                     \
    static void inclusive_scan_segments_##T(case_##T *c)                                                               \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        T sum = 0;                                                                                                     \
        AMP_INCLUSIVE_SCAN_SEGMENTS_ON(c->where, T, c->out, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) == 0,       \
                                       AMP_AT(in, i), a + b, 0);                                                       \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = sum = (T)(c->data[i] > 0 ? sum + c->data[i] : c->data[i]);                                    \
    }                                                                                                                  \
    static void exclusive_scan_segments_##T(case_##T *c)                                                               \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        T sum = 0;                                                                                                     \
        AMP_EXCLUSIVE_SCAN_SEGMENTS_ON(c->where, T, c->out, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) == 0,       \
                                       AMP_AT(in, i), a + b, 0);                                                       \
        for (int i = 0; i < c->n; i++) {                                                                               \
            c->want[i] = sum = c->data[i] > 0 ? sum : 0;                                                               \
            sum = (T)(sum + c->data[i]);                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void reduce_segments_##T(case_##T *c)                                                                       \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int count = -1, n = 0;                                                                                         \
        fill_##T(c);                                                                                                   \
        AMP_REDUCE_SEGMENTS_ON(c->where, T, c->out, count, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) == 0,        \
                               AMP_AT(in, i), a + b, 0);                                                               \
        for (int i = 0; i < c->n; i++) {                                                                               \
            if (i == 0 || !(c->data[i] > 0))                                                                           \
                c->want[n++] = 0;                                                                                      \
            c->want[n - 1] = (T)(c->want[n - 1] + c->data[i]);                                                         \
        }                                                                                                              \
        c->result = (T)count;                                                                                          \
        c->want_result = (T)n;                                                                                         \
    }                                                                                                                  \
    /* A key for each run of equal elements, in places how often it is there; the result adds wrong numbers. */        \
    static void runs_##T(case_##T *c, int count)                                                                       \
    {                                                                                                                  \
        int n = 0, wrong = 0, length = 0;                                                                              \
        for (int i = 0; i < c->n; i++) {                                                                               \
            if (i == 0 || c->data[i] != c->data[i - 1]) {                                                              \
                wrong += n > 0 && AMP_AT(c->places, n - 1) != length;                                                  \
                c->want[n++] = c->data[i];                                                                             \
                length = 0;                                                                                            \
            }                                                                                                          \
            length++;                                                                                                  \
        }                                                                                                              \
        wrong += n > 0 && AMP_AT(c->places, n - 1) != length;                                                          \
        c->result = (T)(count + wrong);                                                                                \
        c->want_result = (T)n;                                                                                         \
    }                                                                                                                  \
    static void run_length_encode_##T(case_##T *c)                                                                     \
    {                                                                                                                  \
        int count = -1;                                                                                                \
        fill_##T(c);                                                                                                   \
        amp_run_length_encode_on(c->where, c->out, c->places, count, c->in);                                           \
        runs_##T(c, count);                                                                                            \
    }                                                                                                                  \
    static void reduce_by_key_##T(case_##T *c)                                                                         \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int count = -1;                                                                                                \
        fill_##T(c);                                                                                                   \
        AMP_REDUCE_BY_KEY_ON(c->where, int, c->out, c->places, count, in, (i), AMP_CAPTURE(in),                        \
                             AMP_AT(in, i) < 0 ? 5 : 1, a + b, 0);                                                     \
        runs_##T(c, count);                                                                                            \
    }                                                                                                                  \
    static void select_if_##T(case_##T *c)                                                                             \
    {                                                                                                                  \
        const VIEW##_##T##_1 in = c->in;                                                                               \
        int count = -1, n = 0;                                                                                         \
        fill_##T(c);                                                                                                   \
        AMP_SELECT_IF_ON(c->where, c->out, count, in.extent, (i), AMP_CAPTURE(in), AMP_AT(in, i) > 4, AMP_AT(in, i));  \
        for (int i = 0; i < c->n; i++)                                                                                 \
            if (c->data[i] > 4)                                                                                        \
                c->want[n++] = c->data[i];                                                                             \
        c->result = (T)count;                                                                                          \
        c->want_result = (T)n;                                                                                         \
    }                                                                                                                  \
    static void sort_by_comparison_##T(case_##T *c)                                                                    \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        AMP_SORT_ON(c->where, c->out, AMP_CAPTURE(), b < a);                                                           \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        turn_##T(c->want, c->n);                                                                                       \
    }                                                                                                                  \
    static void shuffle_##T(case_##T *c)                                                                               \
    {                                                                                                                  \
        copy_##T(c);                                                                                                   \
        amp_shuffle_on(c->where, c->out, 7);                                                                           \
        for (int i = 0; i < c->n; i++)                                                                                 \
            c->want[i] = c->data[amp_random_place(7, c->n, i)];                                                        \
    }                                                                                                                  \
    static void bottom_k_##T(case_##T *c)                                                                              \
    {                                                                                                                  \
        amp_bottom_k_on(c->where, c->out, c->places, c->in);                                                           \
        keep_##T(c);                                                                                                   \
        qsort(c->want, (size_t)c->n, sizeof(T), compare_##T);                                                          \
        places_##T(c);                                                                                                 \
    }                                                                                                                  \
    /* Into memory of the host and back, and asynchronously. */                                                        \
    static void copy_in_##T(case_##T *c)                                                                               \
    {                                                                                                                  \
        static T between[LARGEST + 1];                                                                                 \
        amp_copy_out(c->in, between, (size_t)c->n);                                                                    \
        amp_copy_in(between, (size_t)c->n, c->out);                                                                    \
        keep_##T(c);                                                                                                   \
    }                                                                                                                  \
    static void copy_async_##T(case_##T *c)                                                                            \
    {                                                                                                                  \
        amp_future done = amp_copy_async(c->in, c->out);                                                               \
        amp_future_wait(done);                                                                                         \
        amp_future_release(&done);                                                                                     \
        keep_##T(c);                                                                                                   \
    }                                                                                                                  \
    /* Of both halves, sorted; the result is the number of wrong counts and elements. */                               \
    static void sets_##T(case_##T *c)                                                                                  \
    {                                                                                                                  \
        static T sorted[LARGEST + 1];                                                                                  \
        const int half = c->n / 2;                                                                                     \
        int number[2][10] = { { 0 } };                                                                                 \
        for (int i = 0; i < c->n; i++) {                                                                               \
            sorted[i] = c->data[i];                                                                                    \
            number[i >= half][(int)c->data[i]]++;                                                                      \
        }                                                                                                              \
        qsort(sorted, (size_t)half, sizeof(T), compare_##T);                                                           \
        qsort(sorted + half, (size_t)(c->n - half), sizeof(T), compare_##T);                                           \
        AMP_CONST_ARRAY_VIEW(T, 1, low, sorted, half);                                                                 \
        AMP_CONST_ARRAY_VIEW(T, 1, high, sorted + half, c->n - half);                                                  \
        for (int set = 3; set >= 0; set--) {                                                                           \
            int count = -1, n = 0;                                                                                     \
            fill_##T(c);                                                                                               \
            if (set == 0)                                                                                              \
                amp_set_union_on(c->where, c->out, count, low, high);                                                  \
            else if (set == 1)                                                                                         \
                amp_set_intersection_on(c->where, c->out, count, low, high);                                           \
            else if (set == 2)                                                                                         \
                amp_set_difference_on(c->where, c->out, count, low, high);                                             \
            else                                                                                                       \
                amp_set_symmetric_difference_on(c->where, c->out, count, low, high);                                   \
            for (int x = 0; x < 10; x++)                                                                               \
                for (int k = times(set, number[0][x], number[1][x]); k > 0; k--)                                       \
                    c->want[n++] = (T)x;                                                                               \
            c->result = (T)(c->result + (count != n));                                                                 \
            for (int i = 0; i < n; i++)                                                                                \
                c->result = (T)(c->result + (AMP_AT(c->out, i) != c->want[i]));                                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* A view of n elements of the memory, which has room for BEFORE and AFTER. */                                     \
    static amp_array_view_##T##_1 make_view_##T(kind k, T *memory, int n, amp_array_##T##_1 *array)                    \
    {                                                                                                                  \
        if (k == ARRAY) {                                                                                              \
            *array = amp_array_##T##_1_create(AMP_EXTENT(n));                                                          \
            amp_copy_in(memory + BEFORE, (size_t)n, *array);                                                           \
            return amp_section(*array, 0, n);                                                                          \
        }                                                                                                              \
        if (k == WHOLE || k == STREAMED)                                                                               \
            return amp_array_view_##T##_1_create(memory + BEFORE, AMP_EXTENT(n));                                      \
        if (k == ROW)                                                                                                  \
            KEEP(amp_array_view_##T##_2_create(memory + BEFORE, AMP_EXTENT(1, n)), amp_project(all, 0))                \
        if (k == RESHAPED)                                                                                             \
            KEEP(amp_array_view_##T##_3_create(memory + BEFORE, AMP_EXTENT(1, n, 1)),                                  \
                 AMP_VIEW_AS(amp_array_view_##T##_1, all, n))                                                          \
        if (k == REINTERPRETED)                                                                                        \
            KEEP(amp_array_view_uint8_t_1_create((uint8_t *)(memory + BEFORE), AMP_EXTENT(n *(int)sizeof(T))),         \
                 AMP_REINTERPRET_AS(amp_array_view_##T##_1, all))                                                      \
        KEEP(amp_array_view_##T##_1_create(memory, AMP_EXTENT(BEFORE + n + AFTER)), amp_section(all, BEFORE, n))       \
    }                                                                                                                  \
                                                                                                                       \
    typedef struct operation_##T {                                                                                     \
        const char *name;                                                                                              \
        void (*of)(case_##T * c);                                                                                      \
        int turns;                                                                                                     \
    } operation_##T;                                                                                                   \
                                                                                                                       \
    static void try_##T(amp_accelerator_view where, const operation_##T *row, kind k, int n)                           \
    {                                                                                                                  \
        static T in[BEFORE + LARGEST + AFTER], out[BEFORE + LARGEST + AFTER], want[LARGEST];                           \
        static int places[LARGEST + 1];                                                                                \
        amp_array_##T##_1 arrays[2];                                                                                   \
        for (int i = 0; i < BEFORE + n + AFTER; i++) {                                                                 \
            in[i] = (T)test_random_int(0, 9);                                                                          \
            out[i] = (T)100;                                                                                           \
        }                                                                                                              \
        for (int i = 0; i < n; i++)                                                                                    \
            places[i] = from_place(i, n);                                                                              \
        case_##T c = { .where = where, .n = n, .data = in + BEFORE, .want = want };                                    \
        amp_array_view_##T##_1 given = make_view_##T(k, in, n, &arrays[0]);                                            \
        c.in = of_view(given);                                                                                         \
        c.out = make_view_##T(k, out, n, &arrays[1]);                                                                  \
        c.places = amp_array_view_int_1_create(places, AMP_EXTENT(n));                                                 \
        row->of(&c);                                                                                                   \
        if (k == ARRAY)                                                                                                \
            amp_copy_out(arrays[1], out + BEFORE, (size_t)n);                                                          \
        else                                                                                                           \
            amp_array_view_synchronize(&c.out);                                                                        \
        check_that(c.result == c.want_result, "%s of %d, %s: " FORMAT ", expected " FORMAT, row->name, n, kinds[k],    \
                   c.result, c.want_result);                                                                           \
        for (int i = 0; i < n; i++)                                                                                    \
            check_that(out[BEFORE + i] == want[i], "%s of %d, %s, element %d: " FORMAT ", expected " FORMAT,           \
                       row->name, n, kinds[k], i, out[BEFORE + i], want[i]);                                           \
        for (int i = 0; i < BEFORE; i++)                                                                               \
            check_that(out[i] == (T)100 && (i >= AFTER || out[BEFORE + n + i] == (T)100),                              \
                       "%s of %d, %s, writes beside its view", row->name, n, kinds[k]);                                \
        amp_array_view_release(&c.places);                                                                             \
        for (int v = 0; v < 2; v++)                                                                                    \
            if (k == ARRAY)                                                                                            \
                amp_array_release(&arrays[v]);                                                                         \
            else                                                                                                       \
                amp_array_view_release(v ? &c.out : &given);                                                           \
    }                                                                                                                  \
                                                                                                                       \
    static void row_##T(void **state)                                                                                  \
    {                                                                                                                  \
        const operation_##T *const row = *state;                                                                       \
        const size_t bytes = row->of == launch_##T ? LARGEST * sizeof(T) : 1 << 19; /* launches in parts */            \
        FOR_EACH_ACCELERATOR(where)                                                                                    \
        for (int k = 0; k < KINDS; k++) {                                                                              \
            amp_accelerator_view on = k == STREAMED ? streamed_view(where, bytes) : where;                             \
            for (int s = 0; s < SIZES && on.amp_priv_queue; s++)                                                       \
                try_##T(on, row, (kind)k, sizes[s]);                                                                   \
            if (k == STREAMED && on.amp_priv_queue)                                                                    \
                amp_accelerator_view_release(&on);                                                                     \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    static void add_##T(row_list *all, int type)                                                                       \
    {                                                                                                                  \
        static operation_##T table[] = { OPERATIONS(T) };                                                              \
        for (size_t o = 0; o < sizeof table / sizeof table[0]; o++)                                                    \
            add_row(all, table[o].name, row_##T, &table[o], (int)o + type, table[o].turns);                            \
    }

/* The table. */
#define ROW_OF(T, name)       { #name "_of_" #T, name##_##T, 1 },
#define ROW_BY_TURNS(T, name) { #name "_of_" #T, name##_##T, 3 },
#define ROW_SELDOM(T, name)   { #name "_of_" #T, name##_##T, 12 },
// clang-format off
#define OPERATIONS(T)                                                                                                  \
    ROW_OF(T, launch) ROW_OF(T, copy) ROW_BY_TURNS(T, copy_in) ROW_BY_TURNS(T, copy_async) ROW_BY_TURNS(T, fill)       \
    ROW_BY_TURNS(T, gather) ROW_BY_TURNS(T, scatter) ROW_BY_TURNS(T, inclusive_sum) ROW_BY_TURNS(T, exclusive_sum)     \
    ROW_BY_TURNS(T, sort) ROW_BY_TURNS(T, sum) ROW_BY_TURNS(T, inner_product) ROW_BY_TURNS(T, max)                     \
    ROW_BY_TURNS(T, min) ROW_BY_TURNS(T, argminmax) ROW_BY_TURNS(T, count_if) ROW_BY_TURNS(T, mismatch)                \
    ROW_BY_TURNS(T, iota) ROW_BY_TURNS(T, partition) ROW_BY_TURNS(T, unique) ROW_BY_TURNS(T, sort_descending)          \
    ROW_BY_TURNS(T, sort_by_key) ROW_BY_TURNS(T, nth_element) ROW_BY_TURNS(T, top_k) ROW_BY_TURNS(T, merge)            \
    ROW_SELDOM(T, minmax) ROW_SELDOM(T, argmin) ROW_SELDOM(T, any_of) ROW_SELDOM(T, reduce) ROW_SELDOM(T, histogram)   \
    ROW_SELDOM(T, inclusive_scan) ROW_SELDOM(T, exclusive_scan) ROW_SELDOM(T, inclusive_scan_segments)                 \
    ROW_SELDOM(T, exclusive_scan_segments) ROW_SELDOM(T, reduce_segments) ROW_SELDOM(T, reduce_by_key)                 \
    ROW_SELDOM(T, run_length_encode) ROW_SELDOM(T, select_if) ROW_SELDOM(T, sort_by_comparison) ROW_SELDOM(T, shuffle) \
    ROW_SELDOM(T, bottom_k) ROW_SELDOM(T, sets)
// clang-format on

TABLE(int, "%d", amp_array_view, amp_view_of)
TABLE(float, "%g", amp_const_array_view, amp_as_const)
TABLE(int64_t, "%" PRId64, amp_array_view, amp_view_of)

int run_operations_operations(void)
{
    static row_list all;
    add_int(&all, 0);
    add_float(&all, 1);
    add_int64_t(&all, 2);
    return cmocka_run_group_tests_name("operations/operations", all.tests, NULL, NULL);
}
