// SPDX-License-Identifier: MIT
/*  07_fdtd: an electromagnetic wave runs through a lens, on all accelerators at once.

    Finite differences in time (Yee's grid, 2-D): every step updates the magnetic field h from the electric field ez,
    then ez from h. Each accelerator of the group has a band of rows; only the rows at the seams move between steps.

    Build   cc -O3 -march=native -fopenmp -I.. 07_fdtd.c -o 07_fdtd -lpng -lm
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
    Run     ./07_fdtd [--parts N] [--every STEPS] [ROWS [COLS [STEPS]]]
            --parts is the number of accelerators, all without it; --every 0 makes no pictures
    See     fdtd-00140.png and so on, the speed-up over one accelerator, then OK: the results have the same bits.  */
#include <math.h>
#include <string.h>
#include <time.h>
#include "amp.h"
#include "picture.h"

enum { MAX_ACCELERATORS = 32 };
typedef struct {
    int rows, cols, steps, every, parts;
} options;

/* How far ez changes in a step: half a cell in the vacuum, less in the glass of the lens, a disc on the right. */
AMP_FUNCTION(float, coefficient, (int row, int col, int rows, int cols), {
    const float y = (float)row - 0.5f * (float)rows, x = (float)col - 0.6f * (float)cols;
    const float radius = 0.28f * (float)(rows < cols ? rows : cols);
    return x * x + y * y < radius * radius ? 0.5f / 2.25f : 0.5f;
})

/* A short pulse, the second derivative of a bell curve, 40 steps long; nothing in step 0. */
static float pulse(int step)
{
    const float t = ((float)step - 40.0f) / 12.0f;
    return step > 0 ? (1.0f - 2.0f * t * t) * expf(-t * t) : 0.0f;
}

static void update_h(amp_accelerator_view where, amp_const_array_view_float_2 ez, amp_array_view_float_2 hx,
                     amp_array_view_float_2 hy)
{
    AMP_PARALLEL_FOR_EACH_ON(where, ez.extent, (row, col), AMP_CAPTURE(ez, hx, hy), {
        const float here = AMP_AT(ez, row, col);
        if (col + 1 < ez.extent.v[1]) AMP_AT(hx, row, col) -= 0.5f * (AMP_AT(ez, row, col + 1) - here);
        if (row + 1 < ez.extent.v[0]) AMP_AT(hy, row, col) += 0.5f * (AMP_AT(ez, row + 1, col) - here);
    });
}

/* The edge of the grid is a mirror: ez stays zero there. */
static void update_ez(amp_accelerator_view where, amp_array_view_float_2 ez, amp_const_array_view_float_2 hx,
                      amp_const_array_view_float_2 hy, float source)
{
    const int rows = ez.extent.v[0], cols = ez.extent.v[1], source_col = cols / 8, beam = rows / 5;
    AMP_PARALLEL_FOR_EACH_ON(where, ez.extent, (row, col),
                             AMP_CAPTURE(ez, hx, hy, rows, cols, source_col, beam, source), {
        if (row == 0 || row == rows - 1 || col == 0 || col == cols - 1) continue;
        const float curl =
            AMP_AT(hy, row, col) - AMP_AT(hy, row - 1, col) - AMP_AT(hx, row, col) + AMP_AT(hx, row, col - 1);
        const float e = AMP_AT(ez, row, col) + coefficient(row, col, rows, cols) * curl;
        AMP_AT(ez, row, col) = col == source_col && row >= beam && row < rows - beam ? e + source : e;
    });
}

/* Orange is positive, blue negative; the lens is a little brighter. */
static bool paint(const options *o, const float *field, int step)
{
    char name[64];
    uint32_t *const pixels = calloc((size_t)o->rows * (size_t)o->cols, sizeof *pixels);
    for (int i = 0; pixels && i < o->rows * o->cols; i++) {
        const bool lens = coefficient(i / o->cols, i % o->cols, o->rows, o->cols) < 0.5f;
        const uint32_t much = (uint32_t)(210.0f * fminf(fabsf(2.0f * field[i]), 1.0f));
        pixels[i] =
            (lens ? 0x402820u : 0x180c0au) + (field[i] < 0.0f ? much << 16 | much / 2 << 8 : much | much / 2 << 8);
    }
    snprintf(name, sizeof name, "fdtd-%05d.png", step);
    const bool ok = pixels && picture_write(name, pixels, o->cols, o->rows);
    free(pixels);
    return ok && printf("wrote %s, %d x %d\n", name, o->cols, o->rows) > 0;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The whole simulation; ez ends up in field. Returns the seconds of a step, without those for pictures; < 0: failed. */
static double simulate(const options *o, amp_accelerator_view where, int every, float *field)
{
    double seconds = 0.0, start = 0.0;
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, ez, o->rows, o->cols);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, hx, o->rows, o->cols);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, hy, o->rows, o->cols);
    AMP_PARALLEL_FOR_EACH_ON(where, ez.extent, i, AMP_CAPTURE(ez, hx, hy),
                             { AMP_AT(ez, i) = AMP_AT(hx, i) = AMP_AT(hy, i) = 0.0f; });
    for (int step = 0; step <= o->steps; step++) { /* step 0 compiles the kernels, and changes nothing */
        update_h(where, amp_as_const(ez), hx, hy);
        update_ez(where, ez, amp_as_const(hx), amp_as_const(hy), pulse(step));
        const bool picture = step > 0 && every > 0 && step % every == 0;
        if (step > 0 && !picture && step < o->steps)
            continue;
        amp_accelerator_view_wait(where);
        seconds += step > 0 ? now() - start : 0.0;
        if (step > 0)
            amp_copy_out(ez, field, (size_t)o->rows * (size_t)o->cols);
        if (picture && !paint(o, field, step))
            return -1.0;
        start = now();
    }
    return seconds / o->steps;
}

int main(int argc, char **argv)
{
    options o = { .rows = 200, .cols = 280, .steps = 560, .every = 140, .parts = MAX_ACCELERATORS };
    int *const places[] = { &o.rows, &o.cols, &o.steps }, given = 0;
    for (int i = 1; i < argc; i++) {
        const bool named = i + 1 < argc && (!strcmp(argv[i], "--parts") || !strcmp(argv[i], "--every"));
        int *const place = !named ? places[given++ % 3] : argv[i][2] == 'p' ? &o.parts : &o.every;
        *place = atoi(argv[i += named]);
    }
    amp_accelerator all[MAX_ACCELERATORS], used[MAX_ACCELERATORS];
    const int found = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    int count = 0, real = 0; /* the real devices, or all but the CPU backend, or that */
    for (int i = 0; i < found; i++)
        real += !amp_accelerator_is_emulated(all[i]);
    for (int i = 0; i < found && count < o.parts; i++)
        if (real ? !amp_accelerator_is_emulated(all[i]) : i > 0 || found == 1)
            used[count++] = all[i];
    const size_t bytes = (size_t)o.rows * (size_t)o.cols * sizeof(float);
    float *const field = malloc(bytes), *const alone = malloc(bytes);
    if (o.rows < 8 || o.cols < 8 || o.steps < 1 || !field || !alone)
        return 1;

    amp_accelerator_view group = amp_accelerator_view_create_group(used, count);
    const double one = simulate(&o, amp_accelerator_default_view(used[0]), 0, alone);
    const double all_of_them = simulate(&o, group, o.every, field);
    amp_accelerator_view_release(&group);
    printf("1 band on 1 accelerator     %9.1f us a step\n", 1e6 * one);
    printf("%d bands on %d accelerators   %9.1f us a step, %.2f times as fast\n", count, count, 1e6 * all_of_them,
           one / all_of_them);
    const bool same = one > 0 && all_of_them > 0 && !memcmp(field, alone, bytes);
    puts(same ? "OK" : "the field is not the same as on one accelerator");
    return same ? 0 : 1;
}
