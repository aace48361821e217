// SPDX-License-Identifier: MIT
/*  03_transpose: what to do when tiles do not fit. 999 x 666 elements, tiles of 16 x 16, four answers:

      simple      no tiles: nothing to fit, but one of the two accesses walks down a column.
      padded      round the extent up; threads outside the matrix do nothing.
      truncated   round the extent down; the threads of the last tiles also do the margin.
      sections    divide and conquer: tiles on the section that fits, the simple kernel on the edges.

    Build   cc -O3 -march=native -fopenmp -I.. 03_transpose.c -o 03_transpose -lm                  (CPU backend)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 03_transpose.c -o 03_transpose -lm
    See     one line "right" per strategy, with the threads it launches, then OK.                            */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "amp.h"

enum { ROWS = 999, COLS = 666, TS = 16 };

typedef amp_const_array_view_float_2 source;
typedef amp_array_view_float_2 target;

/* Any extent at all: one thread per element. */
static void transpose_simple(source in, target out)
{
    AMP_PARALLEL_FOR_EACH(in.extent, (row, col), AMP_CAPTURE(in, out), {
        AMP_AT(out, col, row) = AMP_AT(in, row, col);
    });
}

/* Extents that tiles divide: both the reads and the writes go along rows, the turn happens in tile_static. */
static void transpose_tiled(source in, target out)
{
    AMP_TILED(in.extent, (TS, TS), tile, AMP_CAPTURE(in, out, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, block, [TS][TS]);

        AMP_THREADS(tile, t) {
            block[t.local.v[0]][t.local.v[1]] = AMP_AT(in, t.global.v[0], t.global.v[1]);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(out, t.tile_origin.v[1] + t.local.v[0], t.tile_origin.v[0] + t.local.v[1])
                = block[t.local.v[1]][t.local.v[0]];
        }
    });
}

/* Round up, and guard every access. */
static void transpose_padded(source in, target out)
{
    const amp_tiled_extent2 padded = amp_tiled_extent2_pad(amp_extent2_tile(in.extent, TS, TS));
    const int rows = in.extent.v[0], cols = in.extent.v[1];

    AMP_TILED(padded, (TS, TS), tile, AMP_CAPTURE(in, out, rows, cols, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, block, [TS][TS]);

        AMP_THREADS(tile, t) {
            if (t.global.v[0] < rows && t.global.v[1] < cols)
                block[t.local.v[0]][t.local.v[1]] = AMP_AT(in, t.global.v[0], t.global.v[1]);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            const int row = t.tile_origin.v[0] + t.local.v[1], col = t.tile_origin.v[1] + t.local.v[0];
            if (row < rows && col < cols)
                AMP_AT(out, col, row) = block[t.local.v[1]][t.local.v[0]];
        }
    });
}

/* Round down. What is left over is narrower than a tile, so the threads of the last tiles reach it by
   stepping one tile to the right, one tile down, and (in the corner tile) both. */
static void transpose_truncated(source in, target out)
{
    const amp_tiled_extent2 truncated = amp_tiled_extent2_truncate(amp_extent2_tile(in.extent, TS, TS));
    const int rows = in.extent.v[0], cols = in.extent.v[1], fit_rows = truncated.v[0], fit_cols = truncated.v[1];

    AMP_TILED(truncated, (TS, TS), tile, AMP_CAPTURE(in, out, rows, cols, fit_rows, fit_cols, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, block, [TS][TS]);

        AMP_THREADS(tile, t) {
            block[t.local.v[0]][t.local.v[1]] = AMP_AT(in, t.global.v[0], t.global.v[1]);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(out, t.tile_origin.v[1] + t.local.v[0], t.tile_origin.v[0] + t.local.v[1])
                = block[t.local.v[1]][t.local.v[0]];
        }
        AMP_THREADS(tile, t) {                        /* the margin, element by element */
            const int row = t.global.v[0], col = t.global.v[1];
            const int below = row + TS, right = col + TS;
            const int has_below = below >= fit_rows && below < rows;
            const int has_right = right >= fit_cols && right < cols;
            if (has_right)
                AMP_AT(out, right, row) = AMP_AT(in, row, right);
            if (has_below)
                AMP_AT(out, col, below) = AMP_AT(in, below, col);
            if (has_right && has_below)
                AMP_AT(out, right, below) = AMP_AT(in, below, right);
        }
    });
}

/* Divide and conquer: the kernels above, each on the section of the matrix that suits it. A section may not be
   empty, so an edge that is not there is not asked for. */
static void transpose_sections(source in, target out)
{
    const int rows = in.extent.v[0], cols = in.extent.v[1];
    const int fit_rows = rows / TS * TS, fit_cols = cols / TS * TS;

    if (fit_rows > 0 && fit_cols > 0)
        transpose_tiled(amp_section(in, 0, 0, fit_rows, fit_cols), amp_section(out, 0, 0, fit_cols, fit_rows));
    if (fit_cols < cols) /* the right edge, over the full height */
        transpose_simple(amp_section(in, 0, fit_cols, rows, cols - fit_cols),
                         amp_section(out, fit_cols, 0, cols - fit_cols, rows));
    if (fit_rows < rows && fit_cols > 0) /* the bottom edge, without the corner */
        transpose_simple(amp_section(in, fit_rows, 0, rows - fit_rows, fit_cols),
                         amp_section(out, 0, fit_rows, fit_cols, rows - fit_rows));
}

static bool right(const float *in, const float *out)
{
    for (size_t row = 0; row < ROWS; row++)
        for (size_t col = 0; col < COLS; col++)
            if (out[col * ROWS + row] != in[row * COLS + col]) {
                fprintf(stderr, "out(%zu,%zu) is %g, expected %g\n", col, row, (double)out[col * ROWS + row],
                        (double)in[row * COLS + col]);
                return false;
            }
    return true;
}

static bool try_out(const char *name, int threads, void (*transpose)(source, target), const float *pin, float *pout)
{
    memset(pout, 0xff, sizeof(float) * ROWS * COLS);
    {
        AMP_CONST_ARRAY_VIEW(float, 2, in, pin, ROWS, COLS);
        AMP_ARRAY_VIEW(float, 2, out, pout, COLS, ROWS);
        amp_array_view_discard_data(&out);
        transpose(in, out);
    } /* the result is in pout from here on */
    const bool ok = right(pin, pout);
    printf("%-10s %7d threads for %d elements: %s\n", name, threads, ROWS * COLS, ok ? "right" : "WRONG");
    return ok;
}

int main(void)
{
    static float in[ROWS * COLS], out[COLS * ROWS];
    for (int i = 0; i < ROWS * COLS; i++)
        in[i] = (float)i;

    const int down = (ROWS / TS) * TS * ((COLS / TS) * TS);
    const int up = (ROWS + TS - 1) / TS * TS * ((COLS + TS - 1) / TS * TS);
    bool ok = try_out("simple", ROWS * COLS, transpose_simple, in, out);
    ok = try_out("padded", up, transpose_padded, in, out) && ok;
    ok = try_out("truncated", down, transpose_truncated, in, out) && ok;
    ok = try_out("sections", ROWS * COLS, transpose_sections, in, out) && ok;
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
