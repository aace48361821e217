// SPDX-License-Identifier: MIT
/*  bench/checked/kernels: the kernels by which bench/checked-cost measures what checked builds cost on the CPU backend.
    Prints the name of each and the processor time of a launch, in microseconds: the least of some. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "amp.h"

enum { COUNT = 1 << 22, SIDE = 2048, PRODUCT = 512, BODIES = 2048, BINS = 256, ROUNDS = 64, TS = 16, ROW = 64 };

static float *floats[3];
static uint8_t *bytes;
static int *counts;

static void triad(void)
{
    AMP_CONST_ARRAY_VIEW(float, 1, x, floats[0], COUNT);
    AMP_CONST_ARRAY_VIEW(float, 1, y, floats[1], COUNT);
    AMP_ARRAY_VIEW(float, 1, out, floats[2], COUNT);
    const float factor = 0.4f;
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(x, y, out, factor),
                          { AMP_AT(out, i) = AMP_AT(x, i) + factor * AMP_AT(y, i); });
}

static void stencil(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, in, floats[0], SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, out, floats[2], SIDE, SIDE);
    const amp_extent2 inner = amp_extent2_sub_scalar(out.extent, 2);
    AMP_PARALLEL_FOR_EACH(inner, (y, x), AMP_CAPTURE(in, out), {
        AMP_AT(out, y + 1, x + 1) = 0.2f * (AMP_AT(in, y + 1, x + 1) + AMP_AT(in, y, x + 1) + AMP_AT(in, y + 2, x + 1) +
                                            AMP_AT(in, y + 1, x) + AMP_AT(in, y + 1, x + 2));
    });
}

static void product(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, floats[0], PRODUCT, PRODUCT);
    AMP_CONST_ARRAY_VIEW(float, 2, b, floats[1], PRODUCT, PRODUCT);
    AMP_ARRAY_VIEW(float, 2, c, floats[2], PRODUCT, PRODUCT);
    AMP_PARALLEL_FOR_EACH(c.extent, (row, col), AMP_CAPTURE(a, b, c, AMP_CONSTANT(PRODUCT)), {
        float sum = 0.0f;
        for (int i = 0; i < PRODUCT; i++)
            sum += AMP_AT(a, row, i) * AMP_AT(b, i, col);
        AMP_AT(c, row, col) = sum;
    });
}

static void product_tiled(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, floats[0], PRODUCT, PRODUCT);
    AMP_CONST_ARRAY_VIEW(float, 2, b, floats[1], PRODUCT, PRODUCT);
    AMP_ARRAY_VIEW(float, 2, c, floats[2], PRODUCT, PRODUCT);
    AMP_TILED(c.extent, (TS, TS), tile, AMP_CAPTURE(a, b, c, AMP_CONSTANT(PRODUCT), AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, block_a, [TS][TS]);
        AMP_TILE_STATIC(float, block_b, [TS][TS]);
        AMP_PRIVATE(float, sum);

        AMP_THREADS(tile, t) { AMP_OWN(sum) = 0.0f; }
        for (int i = 0; i < PRODUCT; i += TS) {
            AMP_THREADS(tile, t) {
                const int row = t.local.v[0], col = t.local.v[1];
                block_a[row][col] = AMP_AT(a, t.global.v[0], col + i);
                block_b[row][col] = AMP_AT(b, row + i, t.global.v[1]);
            }
            amp_barrier_wait(tile.barrier);
            AMP_THREADS(tile, t) {
                for (int k = 0; k < TS; k++)
                    AMP_OWN(sum) += block_a[t.local.v[0]][k] * block_b[k][t.local.v[1]];
            }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) { AMP_AT(c, t.global.v[0], t.global.v[1]) = AMP_OWN(sum); }
    });
}

static void transpose(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, floats[0], SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, b, floats[2], SIDE, SIDE);
    AMP_PARALLEL_FOR_EACH(b.extent, (row, col), AMP_CAPTURE(a, b), { AMP_AT(b, row, col) = AMP_AT(a, col, row); });
}

static void transpose_tiled(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, a, floats[0], SIDE, SIDE);
    AMP_ARRAY_VIEW(float, 2, b, floats[2], SIDE, SIDE);
    AMP_TILED(b.extent, (TS, TS), tile, AMP_CAPTURE(a, b, AMP_CONSTANT(TS)), {
        AMP_TILE_STATIC(float, block, [TS][TS + 1]);
        const int top = tile.tile_origin.v[0], left = tile.tile_origin.v[1];
        AMP_THREADS(tile, t) {
            block[t.local.v[0]][t.local.v[1]] = AMP_AT(a, left + t.local.v[0], top + t.local.v[1]);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(b, top + t.local.v[0], left + t.local.v[1]) = block[t.local.v[1]][t.local.v[0]];
        }
    });
}

static void histogram(void)
{
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, in, bytes, COUNT);
    AMP_ARRAY_VIEW(int, 1, bins, counts, BINS);
    AMP_PARALLEL_FOR_EACH(in.extent, (i), AMP_CAPTURE(in, bins),
                          { amp_atomic_fetch_add(&AMP_AT(bins, AMP_AT(in, i)), 1); });
}

static void histogram_tiled(void)
{
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, in, bytes, COUNT);
    AMP_ARRAY_VIEW(int, 1, bins, counts, BINS);
    const amp_extent1 threads = AMP_EXTENT(COUNT / ROUNDS);
    AMP_TILED(threads, (BINS), tile, AMP_CAPTURE(in, bins, AMP_CONSTANT(BINS), AMP_CONSTANT(ROUNDS)), {
        AMP_TILE_STATIC(int, own, [BINS]);
        AMP_THREADS(tile, t) { own[t.local.v[0]] = 0; }
        amp_barrier_wait(tile.barrier);
        for (int round = 0; round < ROUNDS; round++)
            AMP_THREADS(tile, t) {
                const int at = (tile.tile.v[0] * ROUNDS + round) * BINS + t.local.v[0];
                amp_atomic_fetch_add(&own[AMP_AT(in, at)], 1);
            }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { amp_atomic_fetch_add(&AMP_AT(bins, t.local.v[0]), own[t.local.v[0]]); }
    });
}

/* Rows of `in`: x, y, z, mass; of `out`: x, y, z. */
static void bodies(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, in, floats[0], 4, BODIES);
    AMP_ARRAY_VIEW(float, 2, out, floats[2], 3, BODIES);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(BODIES), (i), AMP_CAPTURE(in, out, AMP_CONSTANT(BODIES)), {
        const float x = AMP_AT(in, 0, i), y = AMP_AT(in, 1, i), z = AMP_AT(in, 2, i);
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < BODIES; j++) {
            const float dx = AMP_AT(in, 0, j) - x, dy = AMP_AT(in, 1, j) - y, dz = AMP_AT(in, 2, j) - z;
            const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float pull = AMP_AT(in, 3, j) * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        AMP_AT(out, 0, i) = ax;
        AMP_AT(out, 1, i) = ay;
        AMP_AT(out, 2, i) = az;
    });
}

static void bodies_tiled(void)
{
    AMP_CONST_ARRAY_VIEW(float, 2, in, floats[0], 4, BODIES);
    AMP_ARRAY_VIEW(float, 2, out, floats[2], 3, BODIES);
    AMP_TILED(AMP_EXTENT(BODIES), (ROW), tile, AMP_CAPTURE(in, out, AMP_CONSTANT(BODIES), AMP_CONSTANT(ROW)), {
        AMP_TILE_STATIC(float, block, [4][ROW]);
        AMP_PRIVATE(float, x);
        AMP_PRIVATE(float, y);
        AMP_PRIVATE(float, z);
        AMP_PRIVATE(float, ax);
        AMP_PRIVATE(float, ay);
        AMP_PRIVATE(float, az);

        AMP_THREADS(tile, t) {
            AMP_OWN(x) = AMP_AT(in, 0, t.global.v[0]);
            AMP_OWN(y) = AMP_AT(in, 1, t.global.v[0]);
            AMP_OWN(z) = AMP_AT(in, 2, t.global.v[0]);
            AMP_OWN(ax) = AMP_OWN(ay) = AMP_OWN(az) = 0.0f;
        }
        for (int first = 0; first < BODIES; first += ROW) {
            AMP_THREADS(tile, t) {
                for (int row = 0; row < 4; row++)
                    block[row][t.local.v[0]] = AMP_AT(in, row, first + t.local.v[0]);
            }
            amp_barrier_wait(tile.barrier);
            for (int j = 0; j < ROW; j++)
                AMP_THREADS(tile, t) {
                    const float dx = block[0][j] - AMP_OWN(x), dy = block[1][j] - AMP_OWN(y),
                                dz = block[2][j] - AMP_OWN(z);
                    const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
                    const float pull = block[3][j] * inverse * inverse * inverse;
                    AMP_OWN(ax) += pull * dx;
                    AMP_OWN(ay) += pull * dy;
                    AMP_OWN(az) += pull * dz;
                }
            amp_barrier_wait(tile.barrier);
        }
        AMP_THREADS(tile, t) {
            AMP_AT(out, 0, t.global.v[0]) = AMP_OWN(ax);
            AMP_AT(out, 1, t.global.v[0]) = AMP_OWN(ay);
            AMP_AT(out, 2, t.global.v[0]) = AMP_OWN(az);
        }
    });
}

/* A view in a function, with a condition around the access. */
AMP_FUNCTION(float, near, (amp_const_array_view_float_1 v, int i, int n),
             { return i >= 0 && i < n ? AMP_AT(v, i) : 0.0f; })

static void function(void)
{
    AMP_CONST_ARRAY_VIEW(float, 1, in, floats[0], COUNT);
    AMP_ARRAY_VIEW(float, 1, out, floats[2], COUNT);
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(in, out, AMP_CONSTANT(COUNT)), {
        AMP_AT(out, i) = 0.5f * (near(in, i - 1, COUNT) + near(in, i + 1, COUNT));
    });
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

#define KERNEL(name)                                                                                                   \
    {                                                                                                                  \
#name, name                                                                                                    \
    }
static const struct {
    const char *name;
    void (*run)(void);
} kernels[] = { KERNEL(triad),     KERNEL(stencil),         KERNEL(product),   KERNEL(product_tiled),
                KERNEL(transpose), KERNEL(transpose_tiled), KERNEL(histogram), KERNEL(histogram_tiled),
                KERNEL(bodies),    KERNEL(bodies_tiled),    KERNEL(function) };

int main(int argc, char **argv)
{
    for (int i = 0; i < 3; i++)
        floats[i] = calloc(COUNT, sizeof *floats[i]);
    bytes = calloc(COUNT, sizeof *bytes);
    counts = calloc(BINS, sizeof *counts);
    if (!floats[0] || !floats[1] || !floats[2] || !bytes || !counts)
        return 1;
    for (int i = 0; i < COUNT; i++) {
        floats[0][i] = (float)(i % 1000);
        bytes[i] = (uint8_t)((unsigned)i * 2654435761u >> 13);
    }
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++) {
        if (argc > 1 && strcmp(argv[1], kernels[k].name) != 0)
            continue;
        double least = 1e30;
        kernels[k].run();
        for (int turn = 0; turn < 5; turn++) {
            const double began = now();
            kernels[k].run();
            const double took = now() - began;
            least = took < least ? took : least;
        }
        printf("%-16s %12.1f\n", kernels[k].name, least);
    }
    for (int i = 0; i < 3; i++)
        free(floats[i]);
    free(bytes);
    free(counts);
    return 0;
}
