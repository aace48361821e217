// SPDX-License-Identifier: MIT
/*  app.c - a program that is bundled (tests/bundle.sh): a kernel, a tile, an algorithm */
#include "amp.h"
#include "amp_algorithms.h"

#include <stdio.h>

static void refuse(const amp_error *error, void *user)
{
    (void)user;
    fprintf(stderr, "amp: %s\n", error->message);
    exit(3);
}

int main(void)
{
    enum { N = 1000, TILE = 64 };
    static float x[N], y[N];
    static int sums[N];
    amp_set_error_handler(refuse, NULL);
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    AMP_CONST_ARRAY_VIEW(float, 1, vx, x, N);
    AMP_ARRAY_VIEW(float, 1, vy, y, N);
    AMP_ARRAY_VIEW(int, 1, out, sums, N);
    const float a = 2;
    AMP_PARALLEL_FOR_EACH(vy.extent, (i), AMP_CAPTURE(vx, vy, a), { AMP_AT(vy, i) += a * AMP_AT(vx, i); });
    AMP_TILED(AMP_EXTENT(N / TILE * TILE), (TILE), tile, AMP_CAPTURE(vx, out, AMP_CONSTANT(TILE)), {
        AMP_TILE_STATIC(int, block, [TILE]);
        AMP_THREADS(tile, t) { block[t.local.v[0]] = (int)AMP_AT(vx, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(out, t.global) = block[TILE - 1 - t.local.v[0]]; }
    });
    const float sum = amp_sum(vy);
    const bool good = sum == 1000000 && AMP_AT(out, 0) == TILE - 1 && AMP_AT(out, TILE) == 2 * TILE - 1;
    printf("%s\n", good ? "OK" : "WRONG");
    return good ? 0 : 1;
}
