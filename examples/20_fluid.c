// SPDX-License-Identifier: MIT
/*  20_fluid: wind around an obstacle, by a lattice Boltzmann method (D3Q19, two relaxation times).

    A cell has 19 populations, which move to its neighbours in each step. One lattice holds them, in place (M. Lehmann,
    "Esoteric Pull", Computation 10, 2022): a thread writes the 19 elements that it reads. Of two opposite populations
    one lies in the cell, the other in a neighbour. After a step the views of both change places, which moves all.
    What no thread reads stays: so the ends of x and z reflect, like walls. y is periodic. Index (z, y, x) writes row z
    of each view alone, as `up` is a section that begins with row 1: a group of accelerators shares the launch.

    Build   cc -O3 -march=native -fopenmp -I.. 20_fluid.c -o 20_fluid -lpng -lm                   (the CPU backend)
            ... -DAMP_BACKEND_OPENCL ...    ... -DNX=512 ...    ... -DHALF ...               (populations of 16 bits)
            ... -DWITH_SDL2 ... $(pkg-config --cflags --libs SDL2_gfx)                                (with a window)
    Run     ./20_fluid [window] [shape.png] [STEPS [NY [NZ [WIDTH [EACH]]]]]     shape.png: an obstacle, dark on light
            In a window EACH steps (8) are a picture; without a display STEPS / EACH files. q ends.
    See     million cells a second, the share of the copy bandwidth, fluid-0001.png, then OK: the decay of a flow
            between walls is right, the mass is kept, and the accelerator and the CPU backend agree.                 */
#define AMP_NO_PRIVATE_ARRAYS 1 /* of the kernels below: clang makes vectors without more checks */
#include <math.h>
#include "amp_graphics.h"
#include "window.h"

#ifndef NX
#define NX 128 /* cells in x; multiples of 16 are whole vectors */
#endif
#define ROW   (NX + 32) /* elements of a row: x + 1 exists, and rows are aligned */
#define SPEED 0.08f     /* of the wind, in cells per step */
#define PI    3.14159265358979
#define WALL  1
#define WIND  2 /* a cell at the border, which has the velocity of the wind */

/* Populations are kept without their weights, which they have at rest: small numbers, which lose less in 16 bits. */
AMP_DEFINE_ELEMENT(amp_half)
AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_TEXTURE(air, amp_float_4, amp_float_4, )
#ifdef HALF
#define POPULATION  amp_half
#define POPULATIONS amp_array_view_amp_half_2_create_no_source
#define FROM(x)     (amp_float_from_half(x) * (1.0f / 4096)) /* far from subnormal halves */
#define TO(x)       amp_float_to_half(4096 * (x))
#else
#define POPULATION  float
#define POPULATIONS amp_array_view_float_2_create_no_source
#define FROM(x)     (x)
#define TO(x)       (x)
#endif
typedef AMP_ARRAY_VIEW_TYPE(POPULATION, 2) populations;
enum { HERE, THERE, LOW, HIGH, REST, VIEWS };
static const int pairs_in[VIEWS] = { 4, 4, 5, 5, 1 };
typedef struct {
    int ny, nz;
    float viscosity;
    populations p[VIEWS];
    amp_array_view_uint8_t_2 kind;
    amp_array_view_amp_float_4_3 flow; /* the velocity of a cell, and -1 in an obstacle */
} lattice;

/* The pairs: a weight, the velocity along the pair, where its populations are: in the cell, in the neighbour. The pair
   (-1, 0, 1) lies one column to the right, so that no index is negative. */
#define SLOT(view, pairs, k, y, x) AMP_AT(view, z, ((y)*pairs + k) * ROW + x)
#define PAIRS(X)                                                                                                       \
    X(1, 1.0f / 18, ux, SLOT(here, 4, 0, y, x), SLOT(there, 4, 0, y, x + 1))                                           \
    X(2, 1.0f / 18, uy, SLOT(here, 4, 1, y, x), SLOT(there, 4, 1, north, x))                                           \
    X(3, 1.0f / 36, ux + uy, SLOT(here, 4, 2, y, x), SLOT(there, 4, 2, north, x + 1))                                  \
    X(4, 1.0f / 36, ux - uy, SLOT(here, 4, 3, y, x), SLOT(there, 4, 3, south, x + 1))                                  \
    X(5, 1.0f / 18, uz, SLOT(low, 5, 0, y, x), SLOT(up, 5, 0, y, x))                                                   \
    X(6, 1.0f / 36, uz + ux, SLOT(low, 5, 1, y, x), SLOT(up, 5, 1, y, x + 1))                                          \
    X(7, 1.0f / 36, uz - ux, SLOT(low, 5, 2, y, x + 1), SLOT(up, 5, 2, y, x))                                          \
    X(8, 1.0f / 36, uz + uy, SLOT(low, 5, 3, y, x), SLOT(up, 5, 3, north, x))                                          \
    X(9, 1.0f / 36, uz - uy, SLOT(low, 5, 4, y, x), SLOT(up, 5, 4, south, x))
#define LOAD(k, weight, u, cell_slot, next_slot) const float p##k = FROM(cell_slot), m##k = FROM(next_slot);
#define STORE(k, weight, u, cell_slot, next_slot)                                                                      \
    {                                                                                                                  \
        const float c = 3 * (u);                                                                                       \
        const float sum = even * (0.5f * (p##k + m##k) - weight * (more + (1 + more) * (0.5f * c * c - square)));      \
        const float difference = odd * (0.5f * (p##k - m##k) - weight * (1 + more) * c);                               \
        next_slot = TO(cell == WALL ? m##k : p##k - sum - difference);                                                 \
        cell_slot = TO(cell == WALL ? p##k : m##k - sum + difference);                                                 \
    }
/* What both kernels begin with: the views, and in a cell its populations, its density and velocity. */
#define VIEWS_OF(l)                                                                                                    \
    const int ny = (l)->ny, nz = (l)->nz;                                                                              \
    const populations here = (l)->p[HERE], there = (l)->p[THERE], low = (l)->p[LOW], rest = (l)->p[REST];              \
    const populations up = amp_section((l)->p[HIGH], 1, 0, nz, 5 * ny * ROW);                                          \
    const amp_const_array_view_uint8_t_2 kind = amp_as_const((l)->kind);
#define ALL_VIEWS AMP_OWN_ROWS(here), AMP_OWN_ROWS(there), AMP_OWN_ROWS(low), AMP_OWN_ROWS(up), AMP_OWN_ROWS(rest), kind
#define CELL                                                                                                           \
    const int north = y + 1 < ny ? y + 1 : 0, south = y > 0 ? y - 1 : ny - 1;                                          \
    const int cell = AMP_AT(kind, z, y * ROW + x);                                                                     \
    const float p0 = FROM(AMP_AT(rest, z, y * ROW + x));                                                               \
    PAIRS(LOAD)                                                                                                        \
    const float all = p0 + (p1 + m1 + p2 + m2) + (p3 + m3 + p4 + m4) + (p5 + m5 + p6 + m6) + (p7 + m7 + p8 + m8) +     \
                      (p9 + m9);                                                                                       \
    const float each = 1 / (1 + all);                                                                                  \
    const float vx = each * (p1 - m1 + (p3 - m3) + (p4 - m4) + (p6 - m6) - (p7 - m7));                                 \
    const float vy = each * (p2 - m2 + (p3 - m3) - (p4 - m4) + (p8 - m8) - (p9 - m9));                                 \
    const float vz = each * (p5 - m5 + (p6 - m6) + (p7 - m7) + (p8 - m8) + (p9 - m9));

/* A step. While the lattice is begun, in the first two steps, all of its cells have the velocity of the wind. */
static void step(amp_accelerator_view where, lattice *l, float wind_x, float wind_y, int begun)
{
    VIEWS_OF(l)
    const float even_rate = 1 / (3 * l->viscosity + 0.5f); /* thick air has two rates: walls are where they should be */
    const float odd_rate = l->viscosity < 0.05f ? even_rate : 1 / (0.0625f / l->viscosity + 0.5f);
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(nz, ny, NX), (z, y, x),
                             AMP_CAPTURE(ALL_VIEWS, ny, even_rate, odd_rate, wind_x, wind_y, begun), {
        CELL
        const bool given = cell == WIND || !begun;
        const float even = given ? 1.0f : even_rate, odd = given ? 1.0f : odd_rate, more = given ? 0.0f : all;
        const float ux = given ? wind_x : vx, uy = given ? wind_y : vy, uz = given ? 0.0f : vz;
        const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
        const float r0 = p0 - even * (p0 - (more - (1 + more) * square) * (1.0f / 3));
        AMP_AT(rest, z, y * ROW + x) = TO(cell == WALL ? p0 : r0);
        PAIRS(STORE)
    });
    amp_swap(&l->p[HERE], &l->p[THERE]);
    amp_swap(&l->p[LOW], &l->p[HIGH]);
}

static void measure(amp_accelerator_view where, lattice *l)
{
    const amp_array_view_amp_float_4_3 flow = l->flow;
    VIEWS_OF(l)
    AMP_PARALLEL_FOR_EACH_ON(where, AMP_EXTENT(nz, ny, NX), (z, y, x), AMP_CAPTURE(ALL_VIEWS, ny, flow), {
        CELL
        AMP_AT(flow, z, y, x) = cell == WALL   ? AMP_FLOAT_4(0, 0, 0, -1)
                                : cell == WIND ? AMP_FLOAT_4(SPEED, 0, 0, 0)
                                               : AMP_FLOAT_4(vx, vy, vz, 0);
    });
}

/* A lattice at rest; row nz of `high` is beyond the last cell. */
static lattice lattice_create(amp_accelerator_view where, int ny, int nz, float viscosity)
{
    lattice l = { .ny = ny, .nz = nz, .viscosity = viscosity };
    l.kind = amp_array_view_uint8_t_2_create_no_source(AMP_EXTENT(nz, ny * ROW));
    l.flow = amp_array_view_amp_float_4_3_create_no_source(AMP_EXTENT(nz, ny, NX));
    for (int v = 0; v < VIEWS; v++) {
        populations p = l.p[v] = POPULATIONS(AMP_EXTENT(nz + 1, pairs_in[v] * ny * ROW));
        AMP_PARALLEL_FOR_EACH_ON(where, p.extent, i, AMP_CAPTURE(p), { AMP_AT(p, i) = TO(0.0f); });
    }
    return l;
}

static void lattice_release(lattice *l)
{
    for (int v = 0; v < VIEWS; v++)
        amp_array_view_release(&l->p[v]);
    amp_array_view_release(&l->kind);
    amp_array_view_release(&l->flow);
}

enum { SIDE = 16, CELLS = SIDE * SIDE, CHECKED = 100 };

static double mass(const lattice *l)
{
    double sum = 0;
    for (int v = 0; v < VIEWS; v++)
        for (int i = 0, row = l->p[v].extent.v[1]; i < l->p[v].extent.v[0] * row; i++)
            sum += (double)FROM(AMP_AT(l->p[v], i / row, i % row));
    return sum;
}

/* What two walls leave of a flow between them: a sum of sines. */
static double slowed(int at)
{
    double sum = 0;
    for (int k = 1; k < 40; k += 2)
        sum += 4 / (PI * k) * sin(PI * k * (at + 0.5) / SIDE) * exp(-0.1 * PI * PI * k * k / CELLS * CHECKED);
    return sum;
}

/* A flow along y between four walls. */
static bool right(amp_accelerator_view where, float speed[CELLS])
{
    lattice l = lattice_create(where, 2, SIDE, 0.1f);
    double error = 0, before = 0;
    for (int i = 0; i < SIDE * 2 * ROW; i++)
        AMP_AT(l.kind, i / (2 * ROW), i % (2 * ROW)) = i % ROW < SIDE ? 0 : WALL;
    for (int i = 0; i < CHECKED + 2; i++) {
        before = i == 2 ? mass(&l) : before;
        step(where, &l, 0, SPEED, i > 1);
    }
    const double change = fabs(mass(&l) - before) / (2 * CELLS);
    measure(where, &l);
    for (int i = 0; i < CELLS; i++) {
        speed[i] = AMP_Y(AMP_AT(l.flow, i / SIDE, 0, i % SIDE)) / SPEED;
        error = fmax(error, fabs((double)speed[i] - slowed(i % SIDE) * slowed(i / SIDE)));
    }
    lattice_release(&l);
    printf("a flow between walls: off by %.2g of its speed; the mass changed by %.2g\n", error, change);
    return error < 0.01 && change < (sizeof(POPULATION) < 4 ? 1e-4 : 1e-7);
}

#undef AMP_NO_PRIVATE_ARRAYS
#define AMP_NO_PRIVATE_ARRAYS 0 /* to sample a texture takes one */

/* A ray for each pixel, from the front (y = 0) to the right and down, until it meets an obstacle. Air that turns one
   way shines red, the other way blue. */
static void draw(amp_accelerator_view where, amp_const_array_view_amp_float_4_3 flow, amp_array_view_uint32_t_2 picture)
{
    const float ny = (float)flow.extent.v[1], nz = (float)flow.extent.v[0];
    const float scale = (NX + 0.35f * ny) / (float)picture.extent.v[1];
    amp_array_view_discard_data(&picture);
    AMP_PARALLEL_FOR_EACH_ON(where, picture.extent, (row, col), AMP_CAPTURE(flow, picture, ny, nz, scale), {
        const amp_sampler linear = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
        const amp_float_3 size = AMP_FLOAT_3(NX, ny, nz), x1 = AMP_FLOAT_3(1, 0, 0) / size,
                          z1 = AMP_FLOAT_3(0, 0, 1) / size;
        float clear = 1;
        amp_float_3 light = AMP_FLOAT_3(0);
        for (float y = 0; y < ny && clear > 0.02f; y += 1) {
            const amp_float_3 at = AMP_FLOAT_3(scale * ((float)col + 0.5f) - 0.35f * (ny - y), y,
                                               nz + 0.3f * (ny - y) - scale * ((float)row + 0.5f)) / size;
            if (AMP_X(at) < 0 || AMP_X(at) > 1 || AMP_Z(at) < 0 || AMP_Z(at) > 1) continue;
            const amp_float_4 dx = air_sample_3(flow, linear, at + x1) - air_sample_3(flow, linear, at - x1);
            const amp_float_4 above = air_sample_3(flow, linear, at + z1), below = air_sample_3(flow, linear, at - z1);
            const float turn = (AMP_Z(dx) - AMP_X(above) + AMP_X(below)) / SPEED;
            const bool solid = AMP_W(above) + AMP_W(below) < -1;
            const float seen = solid ? clear : clear * (1 - expf(-1.5f * turn * turn));
            light += (solid      ? AMP_FLOAT_3(0.9f, 0.85f, 0.8f) * (1 + 0.5f * (AMP_W(above) - AMP_W(dx)))
                      : turn > 0 ? AMP_FLOAT_3(1.1f, 0.45f, 0.15f)
                                 : AMP_FLOAT_3(0.15f, 0.5f, 1.1f)) * seen;
            clear -= seen;
        }
        light = amp_float_3_clamp(light + AMP_FLOAT_3(0.02f, 0.03f, 0.05f) * clear, 0.0f, 1.0f) * 255.0f;
        AMP_AT(picture, row, col) = (uint32_t)AMP_X(light) | (uint32_t)AMP_Y(light) << 8 | (uint32_t)AMP_Z(light) << 16;
    });
    amp_array_view_synchronize(&picture);
}

/* Wind at the ends of x and z; a sphere, or what is dark in a picture, a third as thick as high. */
static bool build(lattice *l, const char *png)
{
    int width = 0, height = 0;
    uint32_t *const pixels = png ? picture_read(png, &width, &height, 1 << 24) : NULL;
    for (int i = 0; i < l->nz * l->ny * NX; i++) {
        const int x = i % NX, y = i / NX % l->ny, z = i / NX / l->ny;
        const float side = 0.4f * (float)l->nz, dx = ((float)x - 0.22f * NX) / side, dy = (float)(y - l->ny / 2) / side,
                    dz = ((float)z - 0.48f * (float)l->nz) / side;
        const int col = width / 2 + (int)(dx * (float)height), row = (int)((0.5f - dz) * (float)height);
        const bool inside = row >= 0 && row < height && col >= 0 && col < width;
        const bool dark = inside && (pixels[row * width + col] >> 8 & 255) < 128;
        const bool solid = pixels ? dark && fabsf(dy) < 0.17f : dx * dx + dy * dy + dz * dz < 0.25f;
        const bool border = x == 0 || x == NX - 1 || z == 0 || z == l->nz - 1;
        AMP_AT(l->kind, z, y * ROW + x) = border ? WIND : solid ? WALL : 0;
    }
    free(pixels);
    return pixels || !png;
}

/* Steps, with a picture after each `each`; then their speed, beside that of a copy. */
static bool run(amp_accelerator_view where, lattice *l, int width, int each, window screen)
{
    uint32_t *const pixels = malloc(4 * (size_t)width * (size_t)screen.height);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, screen.height, width);
    const double cells = (double)each * l->nz * l->ny * NX, bytes = cells * (38 * sizeof(POPULATION) + 1);
    double seconds = 0, copy = 0;
    char text[80];
    for (int begun = 0; begun < 2; begun++) /* compiles the kernel, too */
        step(where, l, SPEED, 0, 0);
    do {
        amp_accelerator_view_wait(where);
        seconds = window_seconds();
        for (int i = 0; i < each; i++)
            step(where, l, SPEED, 0, 1);
        amp_accelerator_view_wait(where);
        seconds = window_seconds() - seconds;
        measure(where, l);
        draw(where, amp_as_const(l->flow), picture);
        snprintf(text, sizeof text, "%d x %d x %d cells, %.0f MLUP/s", NX, l->ny, l->nz, 1e-6 * cells / seconds);
    } while (window_show(&screen, pixels, text) && window_key(&screen, 0) != 'q');
    for (int i = 0; i < 3; i++) {
        copy = window_seconds();
        amp_copy(l->p[LOW], l->p[HIGH]);
        amp_accelerator_view_wait(where);
        copy = 10.0 * sizeof(POPULATION) * (l->nz + 1) * l->ny * ROW / (window_seconds() - copy);
    }
    printf("%.1f GB/s, %.2f of a copy's\n", 1e-9 * bytes / seconds, bytes / seconds / copy);
    free(pixels);
    return window_close(&screen);
}

int main(int argc, char **argv)
{
    static float a[CELLS], b[CELLS], apart;
    int n[] = { 64, 32, 48, 480, 8 }, given = 0, count = 0;
    const bool windowed = argc > 1 && !strcmp(argv[1], "window");
    const char *const png = argc > 1 + windowed && strstr(argv[1 + windowed], ".png") ? argv[1 + windowed] : NULL;
    for (int i = 1 + windowed + (png != NULL); i < argc && given < 5; i++)
        n[given++] = atoi(argv[i]);
    if (n[0] < 8 || n[1] < 2 || n[2] < 8 || n[3] < 16 || n[4] < 1 || n[0] < n[4])
        return puts("usage: 20_fluid [window] [shape.png] [STEPS [NY [NZ [WIDTH [EACH]]]]]: 8, 2, 8, 16, 1 or more"), 1;
    amp_accelerator all[32], used[32]; /* the real devices, else the emulated ones, else the CPU backend */
    const int found = amp_accelerator_get_all(all, 32);
    for (int emulated = 0; emulated < 2 && !count; emulated++)
        for (int i = found > 1; i < found && i < 32; i++)
            if (amp_accelerator_is_emulated(all[i]) == emulated)
                used[count++] = all[i];
    amp_accelerator_view group = amp_accelerator_view_create_group(used, count);
    bool ok = right(group, a) && right(amp_accelerator_default_view(all[0]), b);
    for (int i = 0; i < CELLS; i++)
        apart = fmaxf(apart, fabsf(a[i] - b[i]));
    printf("%d accelerators and the CPU backend differ by %.2g of the speed\n", count, (double)apart);
    lattice l = lattice_create(group, n[1], n[2], 0.004f);
    const int height = (int)((float)n[3] * ((float)n[2] + 0.3f * (float)n[1]) / (NX + 0.35f * (float)n[1]));
    window screen = { .name = "fluid", .width = n[3], .height = height, .most = 1 };
    ok = ok && apart < (sizeof(POPULATION) < 4 ? 1e-5f : 1e-3f) && build(&l, png) &&
         run(group, &l, n[3], windowed ? n[4] : n[0],
             windowed ? window_open("fluid", n[3], height, n[0] / n[4]) : screen);
    lattice_release(&l);
    amp_accelerator_view_release(&group);
    puts(ok ? "OK" : "something is wrong");
    return ok ? 0 : 1;
}
