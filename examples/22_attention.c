// SPDX-License-Identifier: MIT
/*  22_attention: the attention of a transformer: out = softmax(Q K' / sqrt(d)) V, one row of Q, K and V for each token.

    It shows products of matrices inside of kernels of your own, by matrix units where the device has them: the first
    product is scaled, the second divided by the sums of its rows, before they are stored. Between them are two
    reductions of rows. Numbers are halves in memory, sums are floats.

    Build   cc -O3 -march=native -fopenmp -I.. 22_attention.c -o 22_attention -lm              (CPU)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 22_attention.c -o 22_attention -lm
    Run     ./22_attention [TOKENS]      500 without arguments
    See     the largest difference from plain C in double precision, then OK.                                     */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp_algorithms.h"
#include "amp_matrix.h"

AMP_DEFINE_ELEMENT(amp_half)
typedef amp_const_array_view_amp_half_2 halves;

enum { SIZE = 80 /* numbers of a token */, SIDE = 64, STEP = 32, THREADS = 64, MOST_TOKENS = 16384 };

/* ---- the kernels: attention ------------------------------------------------------------------------------------ */

/* Tiles of SIDE x SIDE that cover a matrix. */
static int tiles(int elements) { return (elements + SIDE - 1) / SIDE; }

static void attention(halves q, halves k, halves v, amp_array_view_float_2 out)
{
    const int tokens = q.extent.v[0], across = tiles(tokens), wide = tiles(SIZE);
    const float scale = 1 / sqrtf(SIZE);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 2, scores, tokens, tokens);
    AMP_ARRAY_VIEW_NO_SOURCE(amp_half, 2, weights, tokens, tokens);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, most, tokens);
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, sums, tokens);

    AMP_TILED(AMP_EXTENT(across * across * THREADS), (THREADS), tile,
              AMP_CAPTURE(q, k, scores, across, scale, AMP_CONSTANT(SIDE), AMP_CONSTANT(STEP)), {
        AMP_TILE_MATRIX(tile, float, score, SIDE, SIDE);
        AMP_TILE_LEFT(half, left, SIDE, STEP);
        AMP_TILE_RIGHT_TRANSPOSED(half, right, STEP, SIDE);
        const int top = tile.tile.v[0] / across * SIDE, first = tile.tile.v[0] % across * SIDE;
        AMP_TILE_PRODUCT(tile, score, left, q, top, right, k, first);
        AMP_TILE_EACH(tile, score, (x, row, column), { x *= scale; });
        AMP_TILE_STORE(tile, score, scores, top, first);
    });

    AMP_REDUCE_ROWS(float, most, scores.extent, (i, j), AMP_CAPTURE(scores), AMP_AT(scores, i, j), a > b ? a : b,
                    -1e30f);
    AMP_PARALLEL_FOR_EACH(weights.extent, (i, j), AMP_CAPTURE(scores, most, weights), {
        AMP_AT(weights, i, j) = amp_float_to_half(expf(AMP_AT(scores, i, j) - AMP_AT(most, i)));
    });
    AMP_REDUCE_ROWS(float, sums, weights.extent, (i, j), AMP_CAPTURE(weights),
                    amp_float_from_half(AMP_AT(weights, i, j)), a + b, 0);

    AMP_TILED(AMP_EXTENT(across * wide * THREADS), (THREADS), tile,
              AMP_CAPTURE(weights, v, sums, out, wide, AMP_CONSTANT(SIDE), AMP_CONSTANT(STEP)), {
        AMP_TILE_MATRIX(tile, float, sum, SIDE, SIDE);
        AMP_TILE_LEFT(half, left, SIDE, STEP);
        AMP_TILE_RIGHT(half, right, STEP, SIDE);
        const int top = tile.tile.v[0] / wide * SIDE, first = tile.tile.v[0] % wide * SIDE;
        AMP_TILE_PRODUCT(tile, sum, left, weights, top, right, v, first);
        AMP_TILE_EACH(tile, sum, (x, row, column), {
            if (top + row < sums.extent.v[0]) x /= AMP_AT(sums, top + row);
        });
        AMP_TILE_STORE(tile, sum, out, top, first);
    });
}

/* ---- plain C --------------------------------------------------------------------------------------------------- */

/* One number of token i. */
static double number(const amp_half *numbers, int i, int c)
{
    return (double)amp_float_from_half(numbers[i * SIZE + c]);
}

/* Row i of the result. */
static void plain(const amp_half *q, const amp_half *k, const amp_half *v, int tokens, int i, double *scores,
                  double *out)
{
    double most = -1e30, sum = 0;
    for (int j = 0; j < tokens; j++) {
        scores[j] = 0;
        for (int c = 0; c < SIZE; c++)
            scores[j] += number(q, i, c) * number(k, j, c);
        scores[j] /= sqrt(SIZE);
        most = fmax(most, scores[j]);
    }
    for (int c = 0; c < SIZE; c++)
        out[c] = 0;
    for (int j = 0; j < tokens; j++) {
        const double weight = exp(scores[j] - most);
        sum += weight;
        for (int c = 0; c < SIZE; c++)
            out[c] += weight * number(v, j, c);
    }
    for (int c = 0; c < SIZE; c++)
        out[c] /= sum;
}

/* The largest difference in some rows. */
static double difference(const amp_half *q, const amp_half *k, const amp_half *v, int tokens, const float *out)
{
    double *const scores = malloc((size_t)tokens * sizeof *scores), wanted[SIZE], largest = 0;
    if (!scores)
        return HUGE_VAL;
    for (int i = 0; i < tokens; i += tokens / 50 + 1) {
        plain(q, k, v, tokens, i, scores, wanted);
        for (int c = 0; c < SIZE; c++) {
            const double away = fabs((double)out[i * SIZE + c] - wanted[c]);
            largest = away <= largest ? largest : away; /* a NaN, too */
        }
    }
    free(scores);
    return largest;
}

int main(int argc, char **argv)
{
    const int tokens = argc > 1 ? atoi(argv[1]) : 500;
    if (tokens < 1 || tokens > MOST_TOKENS) {
        fprintf(stderr, "the number of tokens is from 1 to %d\n", MOST_TOKENS);
        return 1;
    }
    const size_t count = (size_t)tokens * SIZE;
    amp_half *const q = malloc(3 * count * sizeof *q), *const k = q + count, *const v = k + count;
    float *const result = malloc(count * sizeof *result);
    if (!q || !result) {
        fprintf(stderr, "no memory for %d tokens\n", tokens);
        return 1;
    }
    srand(1);
    for (size_t i = 0; i < 3 * count; i++)
        q[i] = amp_float_to_half((float)rand() / (float)RAND_MAX * 4 - 2);
    {
        AMP_CONST_ARRAY_VIEW(amp_half, 2, queries, q, tokens, SIZE);
        AMP_CONST_ARRAY_VIEW(amp_half, 2, keys, k, tokens, SIZE);
        AMP_CONST_ARRAY_VIEW(amp_half, 2, values, v, tokens, SIZE);
        AMP_ARRAY_VIEW(float, 2, out, result, tokens, SIZE);
        amp_array_view_discard_data(&out);
        attention(queries, keys, values, out);
    }
    const double away = difference(q, k, v, tokens, result);
    printf("%d tokens of %d numbers: at most %.1e from plain C\n", tokens, SIZE, away);
    free(q);
    free(result);
    if (!(away < 2e-3)) {
        fprintf(stderr, "the result is wrong\n");
        return 1;
    }
    puts("OK");
    return 0;
}
