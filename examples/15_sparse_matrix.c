// SPDX-License-Identifier: MIT
/*  15_sparse_matrix: a matrix of which nearly everything is zero, times a vector: y = A x.

    It shows work of uneven size. Rows are kept without their zeros, one after the other (CSR); most have a few
    elements, some have thousands. A thread for each row is the obvious kernel, whose neighbours wait for the longest
    row. A tile for each row shares that one and idles in the short ones. A reduction of segments deals the elements
    out, however long the rows are. Which one is fastest is the matrix's choice, and the device's.

    Build   cc -O3 -march=native -fopenmp -I.. 15_sparse_matrix.c -o 15_sparse_matrix -lm              (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 15_sparse_matrix.c -o 15_sparse_matrix -lm
    Run     ./15_sparse_matrix [ROWS]      20000 without arguments
    See     the time of each way for even rows and for uneven ones, then OK.                                      */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "amp_algorithms.h"

enum { TS = 64, MEAN = 16, MOST_ROWS = 1 << 22, RUNS = 3 };

/* The views are of all elements, row by row: their values, their columns; and of where each row begins, with one more
   at the end. */
typedef struct {
    amp_const_array_view_float_1 values, x;
    amp_const_array_view_int_1 columns, begins;
} product;

/* ---- three ways ------------------------------------------------------------------------------------------------ */

typedef void multiply_function(product p, amp_array_view_float_1 y);

static void by_threads(product p, amp_array_view_float_1 y)
{
    AMP_PARALLEL_FOR_EACH(y.extent, (row), AMP_CAPTURE(AMP_MEMBERS(p, values, x, columns, begins), y), {
        float sum = 0;
        for (int i = AMP_AT(begins, row); i < AMP_AT(begins, row + 1); i++)
            sum += AMP_AT(values, i) * AMP_AT(x, AMP_AT(columns, i));
        AMP_AT(y, row) = sum;
    });
}

static void by_tiles(product p, amp_array_view_float_1 y)
{
    const amp_extent1 threads = AMP_EXTENT(TS * y.extent.v[0]);
    AMP_TILED(threads, (TS), tile, AMP_CAPTURE(AMP_MEMBERS(p, values, x, columns, begins), y, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, part, [TS]);
        AMP_THREADS(tile, t) {
            const int row = t.tile.v[0];
            float sum = 0;
            for (int i = AMP_AT(begins, row) + t.local.v[0]; i < AMP_AT(begins, row + 1); i += TS)
                sum += AMP_AT(values, i) * AMP_AT(x, AMP_AT(columns, i));
            part[t.local.v[0]] = sum;
        }
        AMP_TILE_SUM(tile, float, part, TS);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0) AMP_AT(y, t.tile) = part[0];
        }
    });
}

/* A row's first element has a mark; no row is empty, so that there is a segment for each. */
static void by_segments(product p, amp_array_view_float_1 y)
{
    AMP_ARRAY_VIEW_NO_SOURCE(uint8_t, 1, first, p.values.extent.v[0]);
    amp_fill(first, 0);
    AMP_PARALLEL_FOR_EACH(y.extent, (row), AMP_CAPTURE(AMP_MEMBERS(p, begins), first),
                          { AMP_AT(first, AMP_AT(begins, row)) = 1; });
    int rows = 0;
    AMP_REDUCE_SEGMENTS(float, y, rows, p.values.extent, (i), AMP_CAPTURE(AMP_MEMBERS(p, values, x, columns), first),
                        AMP_AT(first, i), AMP_AT(values, i) * AMP_AT(x, AMP_AT(columns, i)), a + b, 0);
}

/* ---- the matrix ------------------------------------------------------------------------------------------------ */

typedef struct {
    int rows, count;
    float *values, *x;
    int *columns, *begins;
} matrix;

/* Even rows have about MEAN elements each; of uneven ones most have few, and some have thousands. */
static int length_of_row(int row, int rows, bool uneven)
{
    const float chance = amp_random_float(1, (uint64_t)row);
    const int length = uneven ? (int)(0.05f / (chance * chance + 1e-5f)) + 1 : MEAN - 2 + (int)(5.0f * chance);
    return length < rows ? length : rows;
}

static bool make_matrix(matrix *m, int rows, bool uneven)
{
    *m = (matrix){ .rows = rows };
    m->begins = malloc(((size_t)rows + 1) * sizeof *m->begins);
    m->x = malloc((size_t)rows * sizeof *m->x);
    for (int row = 0; m->begins && m->x && row < rows; row++) {
        m->begins[row] = m->count;
        m->x[row] = amp_random_float(2, (uint64_t)row) - 0.5f;
        const int length = length_of_row(row, rows, uneven);
        m->count += length < INT_MAX - m->count ? length : 1;
    }
    m->values = malloc((size_t)m->count * sizeof *m->values);
    m->columns = malloc((size_t)m->count * sizeof *m->columns);
    if (!m->begins || !m->x || !m->values || !m->columns)
        return false;
    m->begins[rows] = m->count;
    for (int i = 0; i < m->count; i++) {
        m->values[i] = amp_random_float(3, (uint64_t)i) - 0.5f;
        m->columns[i] = (int)(amp_random_bits(4, (uint64_t)i) % (uint32_t)rows);
    }
    return true;
}

static void free_matrix(matrix *m)
{
    free(m->values);
    free(m->x);
    free(m->columns);
    free(m->begins);
}

/* ---- a run ----------------------------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* By plain C in double precision; sums may be off by what their elements' roundings come to. */
static bool right(const matrix *m, const float *y)
{
    for (int row = 0; row < m->rows; row++) {
        double sum = 0, size = 0;
        for (int i = m->begins[row]; i < m->begins[row + 1]; i++) {
            const double v = (double)m->values[i] * (double)m->x[m->columns[i]];
            sum += v;
            size += fabs(v);
        }
        if (!(fabs((double)y[row] - sum) <= 1e-5 * size)) {
            fprintf(stderr, "y(%d) is %g, not %g\n", row, (double)y[row], sum);
            return false;
        }
    }
    return true;
}

/* The least of some runs, after one that compiles the kernels and brings the matrix. */
static bool measure(const char *name, multiply_function *multiply, const matrix *m, product p, float *py)
{
    double least = (double)INFINITY;
    AMP_ARRAY_VIEW(float, 1, y, py, m->rows);
    const amp_accelerator_view av = amp_accelerator_default_view(amp_accelerator_default());
    for (int run = 0; run <= RUNS; run++) {
        const double start = seconds_now();
        multiply(p, y);
        amp_accelerator_view_wait(av);
        least = run > 0 ? fmin(least, seconds_now() - start) : (double)INFINITY;
    }
    amp_array_view_synchronize(&y);
    printf("    %-20s %9.3f ms\n", name, 1e3 * least);
    return right(m, py);
}

static bool run(int rows, bool uneven)
{
    matrix m;
    float *const y = malloc((size_t)rows * sizeof *y);
    bool ok = make_matrix(&m, rows, uneven) && y;
    if (ok) {
        int longest = 0;
        for (int row = 0; row < rows; row++)
            longest = longest > m.begins[row + 1] - m.begins[row] ? longest : m.begins[row + 1] - m.begins[row];
        printf("%d %s rows of %d elements, the longest of %d\n", rows, uneven ? "uneven" : "even", m.count, longest);
        AMP_CONST_ARRAY_VIEW(float, 1, values, m.values, m.count);
        AMP_CONST_ARRAY_VIEW(float, 1, x, m.x, rows);
        AMP_CONST_ARRAY_VIEW(int, 1, columns, m.columns, m.count);
        AMP_CONST_ARRAY_VIEW(int, 1, begins, m.begins, rows + 1);
        const product p = { values, x, columns, begins };
        ok = measure("a thread for a row", by_threads, &m, p, y) && measure("a tile for a row", by_tiles, &m, p, y) &&
             measure("segments", by_segments, &m, p, y);
    }
    free_matrix(&m);
    free(y);
    return ok;
}

int main(int argc, char **argv)
{
    const int rows = argc > 1 ? atoi(argv[1]) : 20000;
    if (rows < 1 || rows > MOST_ROWS) {
        fprintf(stderr, "usage: %s [ROWS], 1 to %d\n", argv[0], MOST_ROWS);
        return 1;
    }
    const bool ok = run(rows, false) && run(rows, true);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
