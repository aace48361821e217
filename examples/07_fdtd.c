// SPDX-License-Identifier: MIT
/*  07_fdtd: an electromagnetic wave runs through a lens, on all accelerators at once. Finite differences in time (Yee's
    grid, 2-D): every step updates the magnetic field h from the electric field ez, then ez from h. Each accelerator of
    the group has a band of rows; only the rows at the seams move between steps.

    Build   cc -O3 -march=native -fopenmp -I.. 07_fdtd.c -o 07_fdtd -lm
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
    Run     ./07_fdtd [--parts ACCELERATORS] [--every STEPS] [ROWS [COLS [STEPS]]]; --every 0 makes no pictures
    See     fdtd-00140.png and so on, the speed-up over one accelerator, then OK: the results have the same bits.  */
#include "amp.h"
#include "amp_group.h"
#include "picture.h"

enum { ROWS, COLS, STEPS, EVERY, PARTS, OPTIONS, MAX_ACCELERATORS = 32 };

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

/* A step. The edge of the grid is a mirror: ez stays zero there. */
static void update(amp_accelerator_view where, amp_array_view_float_2 ez, amp_array_view_float_2 hx,
                   amp_array_view_float_2 hy, float source)
{
    const int rows = ez.extent.v[0], cols = ez.extent.v[1], source_col = cols / 8, beam = rows / 5;
    AMP_PARALLEL_FOR_EACH_ON(where, ez.extent, (row, col), AMP_CAPTURE(ez, hx, hy), {
        const float here = AMP_AT(ez, row, col);
        if (col + 1 < ez.extent.v[1]) AMP_AT(hx, row, col) -= 0.5f * (AMP_AT(ez, row, col + 1) - here);
        if (row + 1 < ez.extent.v[0]) AMP_AT(hy, row, col) += 0.5f * (AMP_AT(ez, row + 1, col) - here);
    });
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
static bool paint(int rows, int cols, const float *field, int step)
{
    char name[64];
    uint32_t *const pixels = calloc((size_t)rows * (size_t)cols, sizeof *pixels);
    for (int i = 0; pixels && i < rows * cols; i++) {
        const uint32_t back = coefficient(i / cols, i % cols, rows, cols) < 0.5f ? 0x402820u : 0x180c0au;
        const uint32_t much = (uint32_t)(190.0f * fminf(fabsf(2.0f * field[i]), 1.0f));
        pixels[i] = back + (field[i] < 0.0f ? much << 16 | much / 2 << 8 : much | much / 2 << 8);
    }
    snprintf(name, sizeof name, "fdtd-%05d.png", step);
    const bool ok = pixels && picture_write(name, pixels, cols, rows);
    free(pixels);
    return ok && printf("wrote %s, %d x %d\n", name, cols, rows) > 0;
}

static double now(void)
{
    struct timespec t;
    return timespec_get(&t, TIME_UTC) ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0.0;
}

/* The whole simulation; ez ends up in field. Returns the seconds of a step, without those for pictures; < 0: failed. */
static double simulate(const int *o, amp_accelerator_view where, int every, float *field)
{
    double seconds = 0.0, start = 0.0;
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, ez, o[ROWS], o[COLS]);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, hx, o[ROWS], o[COLS]);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, hy, o[ROWS], o[COLS]);
    AMP_PARALLEL_FOR_EACH_ON(where, ez.extent, i, AMP_CAPTURE(ez, hx, hy),
                             { AMP_AT(ez, i) = AMP_AT(hx, i) = AMP_AT(hy, i) = 0; });
    for (int step = 0; step <= o[STEPS]; step++) { /* step 0 compiles the kernels, and changes nothing */
        update(where, ez, hx, hy, pulse(step));
        if (step > 0 && step < o[STEPS] && (every <= 0 || step % every != 0))
            continue;
        amp_accelerator_view_wait(where);
        seconds += step > 0 ? now() - start : 0.0;
        amp_copy_out(ez, field, (size_t)o[ROWS] * (size_t)o[COLS]);
        if (step > 0 && every > 0 && !paint(o[ROWS], o[COLS], field, step))
            return -1.0;
        start = now();
    }
    return seconds / o[STEPS];
}

int main(int argc, char **argv)
{
    int o[OPTIONS] = { 200, 280, 560, 140, MAX_ACCELERATORS }, given = 0, count = 0;
    for (int i = 1; i < argc; i++) {
        const bool named = i + 1 < argc && (!strcmp(argv[i], "--parts") || !strcmp(argv[i], "--every"));
        const int place = !named ? given++ % EVERY : argv[i][2] == 'p' ? PARTS : EVERY;
        o[place] = atoi(argv[i += named]);
    }
    amp_accelerator all[MAX_ACCELERATORS], used[MAX_ACCELERATORS] = { amp_accelerator_default() };
    const int found = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    const bool emulated = amp_accelerator_is_emulated(used[0]); /* as the CPU backend is, which is number 0 */
    for (int i = found > 1; i < found && count < o[PARTS]; i++)
        if (amp_accelerator_is_emulated(all[i]) == emulated)
            used[count++] = all[i];
    const size_t bytes = (size_t)o[ROWS] * (size_t)o[COLS] * sizeof(float);
    float *const field = malloc(bytes), *const alone = malloc(bytes);
    if (o[ROWS] < 8 || o[COLS] < 8 || o[STEPS] < 1 || !field || !alone)
        return 1;
    amp_accelerator_view group = amp_accelerator_view_create_group(used, count += !count);
    const double one = simulate(o, amp_accelerator_default_view(used[0]), 0, alone);
    const double together = simulate(o, group, o[EVERY], field);
    amp_accelerator_view_release(&group);
    printf("%.1f us a step; %d bands: %.1f us, %.2f times as fast\n", 1e6 * one, count, 1e6 * together, one / together);
    const bool same = one > 0 && together > 0 && !memcmp(field, alone, bytes);
    puts(same ? "OK" : "the field is not the same as on one accelerator");
    return same ? 0 : 1;
}
