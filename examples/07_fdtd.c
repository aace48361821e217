// SPDX-License-Identifier: MIT
/*  07_fdtd: an electromagnetic wave runs through a lens, on several accelerators, each with a band of rows.

    Finite differences in time (Yee's grid, 2-D): every step updates the magnetic field h from the electric field
    ez, then ez from h. The bands stay on their accelerators for the whole run. All that moves between steps are
    the rows at the seams, by amp_copy between sections: one row of hy downwards, one row of ez upwards. The
    library's counters prove it, and the result is compared, bit by bit, with a run on one accelerator.

    Build   cc -O3 -march=native -fopenmp -I.. 07_fdtd.c -o 07_fdtd -lpng -lm
            ... -DAMP_BACKEND_OPENCL ...                            (POCL_DEVICES="pthread pthread" gives two devices)
    Run     ./07_fdtd [--parts N] [--every STEPS] [--all] [ROWS [COLS [STEPS]]]
            --parts is the number of bands (one per accelerator, at least 2); --every 0 makes no pictures
    See     fdtd-00140.png and so on, what moved, the speed-up over one accelerator, then OK.                    */
#include <math.h>
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "amp.h"

enum { MAX_PARTS = 32, MAX_ACCELERATORS = 32, MAX_SIDE = 1 << 17, PICTURE_SIDE = 800 };

typedef struct {
    int rows, cols, steps, every, parts;
    bool all;
} options;

/* ---- the physics ------------------------------------------------------------------------------------------- */

/* How far ez changes in a step: half a cell in the vacuum, less in the glass of the lens, a disc on the right. */
AMP_FUNCTION(float, coefficient, (int row, int col, int rows, int cols), {
    const float y = (float)row - 0.5f * (float)rows, x = (float)col - 0.6f * (float)cols;
    const float radius = 0.28f * (float)(rows < cols ? rows : cols);
    return x * x + y * y < radius * radius ? 0.5f / 2.25f : 0.5f;
})

/* A short pulse, the second derivative of a bell curve, 40 steps long. */
static float pulse(int step)
{
    const float t = ((float)step - 40.0f) / 12.0f;
    return (1.0f - 2.0f * t * t) * expf(-t * t);
}

/* ---- a band of the grid ------------------------------------------------------------------------------------ */

/* Rows first to first + rows - 1, on one accelerator. ez has one row more below, a copy of the next band's first
   row; hy has one row more above, a copy of the last row of the band before. */
typedef struct {
    amp_accelerator accelerator;
    amp_accelerator_view av;
    int first, rows;
    bool copies; /* the accelerator has memory of its own */
    amp_array_float_2 ez, hx, hy;
} band;

static void clear(amp_accelerator_view av, amp_array_float_2 field)
{
    AMP_PARALLEL_FOR_EACH_ON(av, field.extent, (row, col), AMP_CAPTURE(field), { AMP_AT(field, row, col) = 0.0f; });
}

static void open_band(band *b, amp_accelerator accelerator, int first, int rows, int cols)
{
    *b = (band){ .accelerator = accelerator, .first = first, .rows = rows };
    b->av = amp_accelerator_create_view(accelerator);
    b->ez = amp_array_float_2_create_on(AMP_EXTENT(rows + 1, cols), b->av);
    b->hx = amp_array_float_2_create_on(AMP_EXTENT(rows, cols), b->av);
    b->hy = amp_array_float_2_create_on(AMP_EXTENT(rows + 1, cols), b->av);
    clear(b->av, b->ez);
    clear(b->av, b->hx);
    clear(b->av, b->hy);
}

static void close_band(band *b)
{
    amp_array_release(&b->ez);
    amp_array_release(&b->hx);
    amp_array_release(&b->hy);
    amp_accelerator_view_release(&b->av);
}

static void update_h(const band *b)
{
    const amp_const_array_view_float_2 ez = amp_as_const(amp_view_of(b->ez));
    const amp_array_float_2 hx = b->hx, hy = b->hy;
    const int cols = hx.extent.v[1];

    AMP_PARALLEL_FOR_EACH_ON(b->av, hx.extent, (row, col), AMP_CAPTURE(ez, hx, hy, cols), {
        const float here = AMP_AT(ez, row, col);
        if (col + 1 < cols)
            AMP_AT(hx, row, col) -= 0.5f * (AMP_AT(ez, row, col + 1) - here);
        AMP_AT(hy, row + 1, col) += 0.5f * (AMP_AT(ez, row + 1, col) - here);
    });
    amp_accelerator_view_flush(b->av);
}

/* The edge of the grid is a mirror: ez stays zero there. */
static void update_ez(const band *b, const options *o, float source)
{
    const amp_const_array_view_float_2 hx = amp_as_const(amp_view_of(b->hx)), hy = amp_as_const(amp_view_of(b->hy));
    const amp_array_float_2 ez = b->ez;
    const int first = b->first, rows = o->rows, cols = o->cols;
    const int source_col = cols / 8, beam = rows / 5;

    AMP_PARALLEL_FOR_EACH_ON(b->av, hx.extent, (i, col),
                             AMP_CAPTURE(ez, hx, hy, first, rows, cols, source_col, beam, source), {
        const int row = first + i;
        if (row == 0 || row == rows - 1 || col == 0 || col == cols - 1) continue;
        const float curl = AMP_AT(hy, i + 1, col) - AMP_AT(hy, i, col) - AMP_AT(hx, i, col) + AMP_AT(hx, i, col - 1);
        float e = AMP_AT(ez, i, col) + coefficient(row, col, rows, cols) * curl;
        if (col == source_col && row >= beam && row < rows - beam)
            e += source;
        AMP_AT(ez, i, col) = e;
    });
    amp_accelerator_view_flush(b->av);
}

/* ---- what moves -------------------------------------------------------------------------------------------- */

/* Each band's last row of hy becomes the row above the next band. */
static void pass_down(const band *bands, int count, int cols)
{
    for (int i = 0; i + 1 < count; i++)
        amp_copy(amp_section(bands[i].hy, bands[i].rows, 0, 1, cols), amp_section(bands[i + 1].hy, 0, 0, 1, cols));
}

/* Each band's first row of ez becomes the row below the band before. */
static void pass_up(const band *bands, int count, int cols)
{
    for (int i = 0; i + 1 < count; i++)
        amp_copy(amp_section(bands[i + 1].ez, 0, 0, 1, cols), amp_section(bands[i].ez, bands[i].rows, 0, 1, cols));
}

/* All of ez to the host: for pictures and for the check, not for the computation. */
static void gather(const band *bands, int count, int cols, float *field)
{
    for (int i = 0; i < count; i++)
        amp_copy_out(amp_section(bands[i].ez, 0, 0, bands[i].rows, cols), field + (size_t)bands[i].first * (size_t)cols,
                     (size_t)bands[i].rows * (size_t)cols);
}

/* Bytes that should pass each seam in a step, in each direction between host and devices. None where both sides are
   on one accelerator, or share the host's memory. */
static double halo_bytes(const band *bands, int count, int cols)
{
    double bytes = 0.0;
    for (int i = 0; i + 1 < count; i++)
        if (!amp_accelerator_equal(bands[i].accelerator, bands[i + 1].accelerator))
            bytes += (double)(bands[i].copies + bands[i + 1].copies) * (double)cols * (double)sizeof(float);
    return bytes;
}

/* ---- pictures ----------------------------------------------------------------------------------------------- */

/* Orange is positive, blue negative, on a dark ground; the lens is a little brighter. */
static void paint(unsigned char *pixel, float value, bool lens)
{
    const float ground[3] = { lens ? 44 : 10, lens ? 50 : 12, lens ? 72 : 30 };
    const float light[2][3] = { { 255, 176, 64 }, { 72, 190, 255 } };
    const float much = fminf(fabsf(value), 1.0f);
    for (int k = 0; k < 3; k++)
        pixel[k] = (unsigned char)(ground[k] + much * (light[value < 0.0f][k] - ground[k]));
}

/* Large grids are thinned out. */
static bool write_picture(const options *o, const float *field, int step)
{
    const int side = o->rows > o->cols ? o->rows : o->cols, thin = (side + PICTURE_SIDE - 1) / PICTURE_SIDE;
    const int rows = o->rows / thin, cols = o->cols / thin;
    unsigned char *const pixels = malloc((size_t)rows * (size_t)cols * 3);
    if (!pixels)
        return false;
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++) {
            unsigned char *const pixel = pixels + 3 * ((size_t)y * (size_t)cols + (size_t)x);
            const float value = 2.0f * field[(size_t)(y * thin) * (size_t)o->cols + (size_t)(x * thin)];
            paint(pixel, value, coefficient(y * thin, x * thin, o->rows, o->cols) < 0.5f);
        }
    char name[64];
    snprintf(name, sizeof name, "fdtd-%05d.png", step);
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)cols, .height = (png_uint_32)rows, .format = PNG_FORMAT_RGB
    };
    const bool ok = png_image_write_to_file(&image, name, 0, pixels, 0, NULL) != 0;
    free(pixels);
    if (ok)
        printf("wrote %s, %d x %d\n", name, cols, rows);
    else
        fprintf(stderr, "%s: %s\n", name, image.message);
    return ok;
}

/* ---- a run --------------------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct {
    double seconds, to_device, to_host, across, expected; /* bytes; across: from device to device */
    bool ok;
} outcome;

static void wait_for_all(const band *bands, int count)
{
    for (int i = 0; i < count; i++)
        amp_accelerator_view_wait(bands[i].av);
}

/* The whole simulation on `count` bands, one after the other on the given accelerators; ez ends up in field. */
static outcome simulate(const options *o, const amp_accelerator *accelerators, int accelerator_count, int count,
                        int every, float *field)
{
    outcome result = { .ok = true };
    band bands[MAX_PARTS];
    for (int i = 0; i < count; i++) {
        const int first = (int)((long long)o->rows * i / count), end = (int)((long long)o->rows * (i + 1) / count);
        open_band(&bands[i], accelerators[i % accelerator_count], first, end - first, o->cols);
    }
    /* The first step compiles the kernels; with no source yet it changes nothing. */
    for (int i = 0; i < count; i++) {
        update_h(&bands[i]);
        update_ez(&bands[i], o, 0.0f);
    }
    gather(bands, count, o->cols, field);
    for (int i = 0; i < count; i++)
        bands[i].copies = amp_source_counters(bands[i].ez).bytes_to_host > 0;
    wait_for_all(bands, count);

    double start = now();
    amp_total_counters_reset();
    for (int step = 1; step <= o->steps; step++) {
        const float source = pulse(step);
        for (int i = 0; i < count; i++)
            update_h(&bands[i]);
        pass_down(bands, count, o->cols);
        for (int i = 0; i < count; i++)
            update_ez(&bands[i], o, source);
        pass_up(bands, count, o->cols);

        const bool picture = every > 0 && step % every == 0;
        if (picture || step == o->steps) { /* what this moves and how long it takes does not count */
            wait_for_all(bands, count);
            const amp_transfer_counters moved = amp_total_counters();
            result.to_device += (double)moved.bytes_to_device;
            result.to_host += (double)moved.bytes_to_host;
            result.across += (double)moved.bytes_across;
            result.seconds += now() - start;
            gather(bands, count, o->cols, field);
            if (picture)
                result.ok = write_picture(o, field, step) && result.ok;
            amp_total_counters_reset();
            start = now();
        }
    }
    result.expected = o->steps * halo_bytes(bands, count, o->cols);
    for (int i = 0; i < count; i++)
        close_band(&bands[i]);
    return result;
}

/* Equal to the last bit where all accelerators are of one kind: they do the same operations. Others may fuse a
   multiplication with an addition and so round once less. */
static bool same(const options *o, const float *got, const float *want, bool exactly)
{
    double largest = 0.0;
    const size_t count = (size_t)o->rows * (size_t)o->cols;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs((double)want[i]));
    if (!(largest > 1e-4 && largest < 100.0)) {
        fprintf(stderr, "the largest value is %g: that is no wave\n", largest);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (exactly ? got[i] != want[i] : !(fabs((double)got[i] - (double)want[i]) <= 1e-4 * largest)) {
            fprintf(stderr, "ez(%zu,%zu) is %.9g, on one accelerator %.9g\n", i / (size_t)o->cols, i % (size_t)o->cols,
                    (double)got[i], (double)want[i]);
            return false;
        }
    printf("the field is the same as on one accelerator%s\n", exactly ? ", to the last bit" : ", but for roundings");
    return true;
}

static bool compare(const options *o, const amp_accelerator *accelerators, int count, float *field, float *alone)
{
    const int parts = o->parts > 0 ? o->parts : count > 1 ? count : 2;
    bool one_kind = true;
    for (int i = 0; i < count; i++) {
        printf("%s, %s\n", amp_accelerator_path(accelerators[i]), amp_accelerator_description(accelerators[i]));
        one_kind = one_kind &&
                   !strcmp(amp_accelerator_description(accelerators[i]), amp_accelerator_description(accelerators[0]));
    }
    const outcome one = simulate(o, accelerators, 1, 1, 0, alone);
    const outcome all = simulate(o, accelerators, count, parts, o->every, field);
    if (!one.ok || !all.ok || !same(o, field, alone, one_kind))
        return false;

    const double whole = 3.0 * sizeof(float) * o->rows * (double)o->cols;
    printf("1 band on 1 accelerator     %9.1f us a step\n", 1e6 * one.seconds / o->steps);
    const int used = parts < count ? parts : count;
    printf("%d bands on %d accelerator%s   %9.1f us a step, %.2f times as fast\n", parts, used, used == 1 ? " " : "s",
           1e6 * all.seconds / o->steps, one.seconds / all.seconds);
    printf(
        "moved in %d steps: %.0f bytes to devices, %.0f to the host, %.0f from device to device; the rows at the seams "
        "are %.0f, all fields %.0f\n",
        o->steps, all.to_device, all.to_host, all.across, all.expected, o->steps * whole);
    const bool just_seams = all.to_device + all.across == all.expected && all.to_host == all.to_device;
    if (!just_seams)
        fprintf(stderr, "that is not just the rows at the seams\n");
    return just_seams;
}

/* ---- the devices and the options ------------------------------------------------------------------------------ */

/* What is worth using: the real devices; without those the emulated ones; without those the CPU loops. */
static int choose(amp_accelerator *chosen, bool all)
{
    amp_accelerator list[MAX_ACCELERATORS];
    int found = amp_accelerator_get_all(list, MAX_ACCELERATORS), count = 0;
    if (found > MAX_ACCELERATORS)
        found = MAX_ACCELERATORS;
    for (int i = 0; i < found; i++)
        if (all || !amp_accelerator_is_emulated(list[i]))
            chosen[count++] = list[i];
    const bool none_is_real = count == 0;
    for (int i = 0; none_is_real && i < found; i++)
        if (strcmp(amp_accelerator_path(list[i]), "cpu") != 0)
            chosen[count++] = list[i];
    if (count == 0)
        chosen[count++] = amp_accelerator_from_path("cpu");
    return count;
}

static int number(int argc, char **argv, int *i, int least, int most)
{
    char *end = NULL;
    const long value = *i < argc ? strtol(argv[*i], &end, 10) : 0;
    if (!end || end == argv[*i] || *end != '\0' || value < least || value > most) {
        fprintf(stderr, "usage: %s [--parts N] [--every STEPS] [--all] [ROWS [COLS [STEPS]]]\n", argv[0]);
        exit(1);
    }
    return (int)value;
}

int main(int argc, char **argv)
{
    options o = { .rows = 200, .cols = 280, .steps = 560, .every = 140 };
    int given = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--all"))
            o.all = true;
        else if (!strcmp(argv[i], "--parts"))
            i++, o.parts = number(argc, argv, &i, 1, MAX_PARTS);
        else if (!strcmp(argv[i], "--every"))
            i++, o.every = number(argc, argv, &i, 0, 1 << 30);
        else if (given == 0)
            given++, o.rows = number(argc, argv, &i, MAX_PARTS, MAX_SIDE);
        else if (given == 1)
            given++, o.cols = number(argc, argv, &i, 8, MAX_SIDE);
        else
            o.steps = number(argc, argv, &i, 1, 1 << 30);
    }

    amp_accelerator accelerators[MAX_ACCELERATORS];
    const int count = choose(accelerators, o.all);
    const size_t bytes = (size_t)o.rows * (size_t)o.cols * sizeof(float);
    float *const field = malloc(bytes), *const alone = malloc(bytes);
    bool ok = field && alone;
    if (!ok)
        fprintf(stderr, "no memory for %d x %d cells\n", o.rows, o.cols);
    ok = ok && compare(&o, accelerators, count, field, alone);
    free(field);
    free(alone);
    if (ok)
        puts("OK");
    return ok ? 0 : 1;
}
