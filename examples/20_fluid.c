// SPDX-License-Identifier: MIT
/*  20_fluid: wind around an obstacle, by a lattice Boltzmann method (D3Q19).

    A cell has 19 populations, which move to its neighbours in each step. One lattice holds them, in place (M. Lehmann,
    "Esoteric Pull", Computation 10, 2022): a thread writes the 19 elements that it reads. Of two opposite populations
    one lies in the cell, the other in a neighbour. After a step the views of both change places, which moves all.
    What no thread reads stays: so the ends of x and z reflect, like walls. y is periodic. Index (z, y, x) writes row z
    of each view alone, as `up` is a section that begins with row 1: a group of accelerators shares the launch.

    Build   cc -O3 -march=native -fopenmp -I.. 20_fluid.c -o 20_fluid -lpng -lm       CPU; more: -DAMP_BACKEND_OPENCL
            -DNX=512, -DHALF (16 bits), -DVISCOSITY=0.01f; a window: -DWITH_SDL2 $(pkg-config ... SDL2_gfx)
    Run     ./20_fluid [window] [STEPS [NY [NZ [WIDTH [EACH [shape.png]]]]]]     shape.png: an obstacle, dark on light
            In a window EACH steps (8) are a picture; without a display STEPS / EACH files. q ends.
    See     million cells a second, fluid-0001.png, then OK: a flow between walls slows down at the right rate, its
            mass is kept, and the group and the CPU backend agree.                                                */
#include <math.h>
#include "amp_graphics.h"
#include "amp_group.h"
#include "photo.h"
#include "window.h"

#ifndef NX
#define NX 128 /* cells in x; multiples of 16 are whole vectors */
#endif
#define ROW   (NX + 32) /* elements of a row: x + 1 exists, and rows are aligned */
#define SPEED 0.08f     /* of the wind, in cells per step */
#ifndef VISCOSITY
#define VISCOSITY 0.004f
#endif
#define WALL 1
#define WIND 2 /* a cell at the border, which has the velocity of the wind */

AMP_DEFINE_ELEMENT(amp_float_4)
AMP_DEFINE_TEXTURE(air, amp_float_4, amp_float_4, )

/* What a picture shows: not the ends, where the wind is given. */
#define LEFT(nx)   (0.03f * (nx))
#define WIDE(nx)   (0.85f * (nx))
#define LOW(nz)    (0.12f * (nz))
#define HIGH(nz)   (0.76f * (nz))
#define TALL(nz)   (0.3f * (nz)) /* the obstacle; its middle: */
#define MIDDLE(nz) AMP_FLOAT_3(0.22f * NX, 0.5f * ny, 0.47f * (nz))

/* A ray for each pixel, from the front (y = 0) to the right and down, to the obstacle; radius: of a sphere, or 0.
   Colours are vorticity around y: orange one way, blue the other way. */
static void draw(amp_accelerator_view where, amp_const_array_view_amp_float_4_3 flow, float radius,
                 amp_array_view_uint32_t_2 picture)
{
    const float ny = (float)flow.extent.v[1], nz = (float)flow.extent.v[0];
    const float scale = (WIDE(NX) + 0.35f * ny) / (float)picture.extent.v[1];
    AMP_PARALLEL_FOR_EACH_ON(where, picture.extent, (row, col), AMP_CAPTURE(flow, radius, picture, ny, nz, scale), {
        const amp_sampler linear = AMP_SAMPLER(AMP_FILTER_LINEAR, AMP_ADDRESS_CLAMP);
        const amp_float_3 size = AMP_FLOAT_3(NX, ny, nz), way = AMP_FLOAT_3(0.35f, 1, -0.3f);
        const amp_float_3 x1 = AMP_FLOAT_3(1, 0, 0) / size, z1 = AMP_FLOAT_3(0, 0, 1) / size;
        const amp_float_3 from = AMP_FLOAT_3(LEFT(NX) + scale * ((float)col + 0.5f) - 0.35f * ny, 0,
                                             LOW(nz) + HIGH(nz) + 0.3f * ny - scale * ((float)row + 0.5f));
        const amp_float_3 off = from - MIDDLE(nz);
        const float along = amp_float_3_dot(off, way), length = amp_float_3_dot(way, way),
                    inside = along * along - length * (amp_float_3_dot(off, off) - radius * radius);
        const float end = radius > 0 && inside > 0 ? (-along - sqrtf(inside)) / length : ny;
        float clear = 1;
        amp_float_3 light = AMP_FLOAT_3(0);
        for (float y = 0; y < end && clear > 0.02f; y += 1) {
            const amp_float_3 at = from + way * y;
            const float edge = fminf(fminf(AMP_X(at) - LEFT(NX), LEFT(NX) + WIDE(NX) - AMP_X(at)),
                                     fminf(AMP_Z(at) - LOW(nz), LOW(nz) + HIGH(nz) - AMP_Z(at)));
            if (edge < 0) continue;
            const amp_float_3 texel = at / size;
            const amp_float_4 dx = air_sample_3(flow, linear, texel + x1) - air_sample_3(flow, linear, texel - x1);
            const amp_float_4 above = air_sample_3(flow, linear, texel + z1);
            const amp_float_4 below = air_sample_3(flow, linear, texel - z1);
            const bool solid = radius == 0 && AMP_W(above) + AMP_W(below) < -1;
            /* the cells of a sphere are cubes: not what turns between them */
            const float far = radius > 0 ? amp_float_3_distance(at, MIDDLE(nz)) - radius : 4;
            const float fade = fminf(edge / LOW(nz), amp_clamp(0.4f * (far - 1), 0.0f, 1.0f));
            const float turn = fade * (AMP_Z(dx) - AMP_X(above) + AMP_X(below)) / SPEED;
            const float hot = amp_clamp(0.05f * TALL(nz) * fabsf(turn) - 0.4f, 0.0f, 1.0f);
            const float seen = solid ? clear : clear * (1 - expf(-0.03f * TALL(nz) * turn * turn));
            const amp_float_3 stone = AMP_FLOAT_3(0.9f, 0.85f, 0.8f) * (1 + 0.5f * (AMP_W(above) - AMP_W(dx)));
            const amp_float_3 orange = AMP_FLOAT_3(1, 0.35f, 0.1f) + AMP_FLOAT_3(0.1f, 0.5f, 0.3f) * hot;
            const amp_float_3 blue = AMP_FLOAT_3(0.1f, 0.4f, 1) + AMP_FLOAT_3(0.4f, 0.5f, 0.1f) * hot;
            light += (solid ? stone : (turn > 0 ? orange : blue) * (1.1f - 0.6f * y / ny)) * seen;
            clear -= seen;
        }
        const amp_float_3 normal = (off + way * end) / radius;
        const float lit = fmaxf(amp_float_3_dot(normal, AMP_FLOAT_3(-0.5f, -0.6f, 0.62f)), 0);
        const amp_float_3 back = end < ny ? AMP_FLOAT_3(0.95f, 0.9f, 0.85f) * (0.12f + 0.88f * lit)
                                          : AMP_FLOAT_3(0.02f, 0.03f, 0.05f);
        light = amp_float_3_clamp(light + back * clear, 0.0f, 1.0f) * 255.0f;
        AMP_AT(picture, row, col) = PICTURE_PIXEL(AMP_X(light), AMP_Y(light), AMP_Z(light));
    });
    amp_array_view_synchronize(&picture);
}

#undef AMP_NO_PRIVATE_ARRAYS
#define AMP_NO_PRIVATE_ARRAYS 1 /* in the kernels below: clang makes vectors without more checks */
/* Populations are kept without their weights, which they have at rest: small numbers, which lose less in 16 bits. */
#ifdef HALF
AMP_DEFINE_ELEMENT(amp_half)
#define POPULATION amp_half
#define FROM(x)    (amp_float_from_half(x) * (1.0f / 4096)) /* far from subnormal halves */
#define TO(x)      amp_float_to_half(4096 * (x))
#else
#define POPULATION float
#define FROM(x)    (x)
#define TO(x)      (x)
#endif
typedef AMP_ARRAY_VIEW_TYPE(POPULATION, 2) populations;
typedef struct {
    int ny, nz;
    float usual; /* what collisions change, of the viscosity */
    populations here, there, low, high, rest;
    amp_array_view_uint8_t_2 kind;
    amp_array_view_amp_float_4_3 flow; /* velocity, density; -1 in an obstacle */
} lattice;

static void clear(amp_accelerator_view where, populations p)
{
    AMP_PARALLEL_FOR_EACH_ON(where, p.extent, i, AMP_CAPTURE(p), { AMP_AT(p, i) = TO(0.0f); });
}

/* A lattice at rest, until the end of the block. Row NZ of `low` and `high` is beyond the last cell. */
#define LATTICE(where, name, NY, NZ, viscosity)                                                                        \
    AMP_ARRAY_VIEW_NO_SOURCE(POPULATION, 2, here, NZ, 4 * (NY)*ROW);                                                   \
    AMP_ARRAY_VIEW_NO_SOURCE(POPULATION, 2, there, NZ, 4 * (NY)*ROW);                                                  \
    AMP_ARRAY_VIEW_NO_SOURCE(POPULATION, 2, low, (NZ) + 1, 5 * (NY)*ROW);                                              \
    AMP_ARRAY_VIEW_NO_SOURCE(POPULATION, 2, high, (NZ) + 1, 5 * (NY)*ROW);                                             \
    AMP_ARRAY_VIEW_NO_SOURCE(POPULATION, 2, rest, NZ, (NY)*ROW);                                                       \
    AMP_ARRAY_VIEW_NO_SOURCE(uint8_t, 2, kind, NZ, (NY)*ROW);                                                          \
    AMP_ARRAY_VIEW_NO_SOURCE(amp_float_4, 3, flow, NZ, NY, NX);                                                        \
    lattice name = { NY, NZ, 1 / (3 * (viscosity) + 0.5f), here, there, low, high, rest, kind, flow };                 \
    for (int v = 0; v < 5; v++) clear(where, (populations[]){ here, there, low, high, rest }[v]);

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
        const float sum = rate * (0.5f * (p##k + m##k) - weight * (more + (1 + more) * (0.5f * c * c - square)));      \
        const float difference = rate * (0.5f * (p##k - m##k) - weight * (1 + more) * c);                              \
        next_slot = TO(cell == WALL ? m##k : p##k - sum - difference);                                                 \
        cell_slot = TO(cell == WALL ? p##k : m##k - sum + difference);                                                 \
    }
/* What begins the kernels: the populations of a cell, its density and its velocity. */
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

enum { BEGIN, MOVE, MEASURE };
/* A step. BEGIN, in the first two: all cells get the velocity of the wind. MEASURE: only writes l->flow. */
static void step(amp_accelerator_view where, lattice *l, float wind_x, float wind_y, int what)
{
    const populations up = amp_section(l->high, 1, 0, l->nz, 5 * l->ny * ROW);
    if (what == MEASURE) {
        AMP_PARALLEL_FOR_EACH_ON(where, l->flow.extent, (z, y, x),
                                 AMP_CAPTURE(AMP_MEMBERS(*l, here, there, low, rest, kind, flow, ny), up), {
            CELL
            AMP_AT(flow, z, y, x) = cell == WALL   ? AMP_FLOAT_4(0, 0, 0, -1)
                                    : cell == WIND ? AMP_FLOAT_4(SPEED, 0, 0, 0)
                                                   : AMP_FLOAT_4(vx, vy, vz, all);
        });
        return;
    }
    AMP_PARALLEL_FOR_EACH_ON(where, l->flow.extent, (z, y, x),
                             AMP_CAPTURE(AMP_MEMBERS(*l, here, there, low, rest, kind, ny, usual), up, wind_x, wind_y,
                                         AMP_BIND(begins, what == BEGIN)), {
        CELL
        const bool given = cell == WIND || begins;
        const float rate = given ? 1.0f : usual, more = given ? 0.0f : all;
        const float ux = given ? wind_x : vx, uy = given ? wind_y : vy, uz = given ? 0.0f : vz;
        const float square = 1.5f * (ux * ux + uy * uy + uz * uz);
        const float r0 = p0 - rate * (p0 - (more - (1 + more) * square) * (1.0f / 3));
        AMP_AT(rest, z, y * ROW + x) = TO(cell == WALL ? p0 : r0);
        PAIRS(STORE)
    });
    amp_swap(&l->here, &l->there);
    amp_swap(&l->low, &l->high);
}

/* A flow along y between four walls, which slows down by exp(-2 (pi / 16)^2 viscosity) in a step. NAN: it does not. */
static float check(amp_accelerator_view where)
{
    double mass[2] = { 0, 0 }, speed[2] = { 0, 0 };
    LATTICE(where, l, 2, 16, 0.1f)
    for (int i = 0; i < 16 * 2 * ROW; i++)
        AMP_AT(l.kind, i / (2 * ROW), i % (2 * ROW)) = i % ROW < 16 ? 0 : WALL;
    for (int late = 0; late < 2; late++) {
        for (int i = 0; i < (late ? 100 : 300); i++)
            step(where, &l, 0, SPEED, late || i > 1 ? MOVE : BEGIN);
        step(where, &l, 0, 0, MEASURE);
        for (int i = 0; i < 256; i++) {
            speed[late] += (double)AMP_Y(AMP_AT(l.flow, i / 16, 0, i % 16));
            mass[late] += (double)AMP_W(AMP_AT(l.flow, i / 16, 0, i % 16));
        }
    }
    const double error = fabs(speed[1] / speed[0] / exp(-20 * 9.8696044 / 256) - 1),
                 change = fabs(mass[1] - mass[0]) / 256;
    printf("a flow between walls: off by %.2g in 100 steps; the mass changed by %.2g\n", error, change);
    return error < 0.01 && change < (sizeof(POPULATION) < 4 ? 1e-4 : 1e-7) ? (float)speed[1] : NAN;
}

/* Wind at the ends of x and z; a sphere, or what is dark in a picture, a third as thick as high. */
static bool build(lattice *l, const char *png)
{
    int width = 0, height = 0;
    uint32_t *const pixels = png ? picture_read(png, &width, &height, 1 << 24) : NULL;
    for (int i = 0; i < l->nz * l->ny * NX; i++) {
        const int x = i % NX, y = i / NX % l->ny, z = i / NX / l->ny;
        const float side = TALL((float)l->nz), dx = ((float)x - 0.22f * NX) / side, dy = (float)(y - l->ny / 2) / side,
                    dz = ((float)z - 0.47f * (float)l->nz) / side;
        const int col = width / 2 + (int)(dx * (float)height), row = (int)((0.5f - dz) * (float)height);
        const bool inside = row >= 0 && row < height && col >= 0 && col < width && fabsf(dy) < 0.17f;
        const bool solid =
            pixels ? inside && (pixels[row * width + col] >> 8 & 255) < 128 : dx * dx + dy * dy + dz * dz < 0.25f;
        AMP_AT(l->kind, z, y * ROW + x) = x == 0 || x == NX - 1 || z == 0 || z == l->nz - 1 ? WIND : solid ? WALL : 0;
    }
    free(pixels);
    return pixels || !png;
}

/* Steps, with a picture after each `each`. */
static bool run(amp_accelerator_view where, lattice *l, int steps, int each, int width, bool sphere)
{
    const float ny = (float)l->ny, nz = (float)l->nz;
    const int height = (int)((float)width * (HIGH(nz) + 0.3f * ny) / (WIDE(NX) + 0.35f * ny));
    char text[80];
    uint32_t *const pixels = malloc(4 * (size_t)width * (size_t)height);
    AMP_ARRAY_VIEW(uint32_t, 2, picture, pixels, height, width);
    window screen = window_open("fluid", width, height, steps / each);
    for (int i = 0; i < 2; i++)
        step(where, l, SPEED, 0.3f * SPEED, BEGIN); /* aslant at first: a wake that is not symmetric soon turns */
    do {
        amp_accelerator_view_wait(where);
        const double start = seconds_now();
        for (int i = 0; i < each; i++)
            step(where, l, SPEED, 0, MOVE);
        amp_accelerator_view_wait(where);
        const double rate = 1e-6 * each * l->nz * l->ny * NX / (seconds_now() - start);
        step(where, l, SPEED, 0, MEASURE);
        draw(where, amp_as_const(l->flow), sphere ? 0.5f * TALL(nz) : 0, picture);
        snprintf(text, sizeof text, "%d x %d x %d cells, %.0f MLUP/s", NX, l->ny, l->nz, rate);
    } while (window_show(&screen, pixels, text) && window_key(&screen, 0) != 'q');
    amp_array_view_release(&picture);
    free(pixels);
    return window_close(&screen);
}

int main(int argc, char **argv)
{
    int n[] = { 64, 32, 48, 480, 8 };
    const bool windowed = argc > 1 && !strcmp(argv[1], "window");
    argc -= windowed, argv += windowed;
    for (int i = 1; i < argc && i < 6; i++)
        n[i - 1] = atoi(argv[i]);
    if (n[0] < 8 || n[1] < 2 || n[2] < 8 || n[3] < 16 || n[4] < 1 || n[0] < n[4])
        return puts("usage: 20_fluid [window] [STEPS [NY [NZ [WIDTH [EACH [shape.png]]]]]]: 8, 2, 8, 16, 1 or more"), 1;
    amp_accelerator_view group = amp_accelerator_view_create_group(NULL, 0);
    const float one = check(group), two = check(amp_accelerator_default_view(amp_accelerator_from_path("cpu")));
    printf("the group and the CPU backend differ by %.2g of the speed\n", (double)fabsf(one / two - 1));
    LATTICE(group, l, n[1], n[2], VISCOSITY)
    const bool ok = fabsf(one / two - 1) < (sizeof(POPULATION) < 4 ? 1e-3f : 1e-5f) &&
                    build(&l, argc > 6 ? argv[6] : NULL) &&
                    run(group, &l, n[0], windowed ? n[4] : n[0], n[3], argc < 7);
    amp_accelerator_view_release(&group);
    puts(ok ? "OK" : "something is wrong");
    return ok ? 0 : 1;
}
