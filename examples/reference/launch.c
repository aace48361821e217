/* SPDX-License-Identifier: MIT */
/* The examples of docs/reference/launch.md: scripts/reference shows what follows a comment of names. */
/* clang-format off */
#include "amp.h"

/* AMP_PARALLEL_FOR_EACH */
void saxpy(int n, float a, const float *px, float *py)
{
    AMP_CONST_ARRAY_VIEW(float, 1, x, px, n);
    AMP_ARRAY_VIEW(float, 1, y, py, n);
    AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y, a), {
        AMP_AT(y, i) += a * AMP_AT(x, i);
    });
} /* the end of the scope waits, and py has the result */

/* AMP_TILED, AMP_THREADS */
void transpose(amp_array_view_float_2 out, amp_array_view_float_2 in)
{
    AMP_TILED(in.extent, (16, 16), tile, AMP_CAPTURE(in, out), {
        AMP_TILE_STATIC(float, s, [16][16]);
        AMP_THREADS(tile, t) { s[t.local.v[0]][t.local.v[1]] = AMP_AT(in, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) {
            AMP_AT(out, tile.tile_origin.v[1] + t.local.v[0],
                   tile.tile_origin.v[0] + t.local.v[1]) = s[t.local.v[1]][t.local.v[0]];
        }
    });
}

/* AMP_CAPTURE */
AMP_STRUCT(material, { float density, stiffness; });
typedef struct {
    amp_array_view_float_1 height;
    int step;
} field;
enum { BORDER = 1 };

void capture(field f, material m, float scale)
{
    AMP_PARALLEL_FOR_EACH(f.height.extent, (i),
                          AMP_CAPTURE(scale, AMP_MEMBERS(f, (h, height), step),
                                      AMP_VALUE(material, m), AMP_BIND(half, scale / 2),
                                      AMP_CONSTANT(BORDER),
                                      AMP_SPECIALIZE(steps, f.step > 8 ? 8 : f.step)), {
        for (int k = 0; k < steps && i >= BORDER; k++)
            AMP_AT(h, i) += scale * m.density + half * (float)step;
    });
}

/* AMP_REACH, AMP_WHOLE, AMP_OWN_ROWS */
void shifted(amp_accelerator_view group, amp_const_array_view_float_2 in,
             amp_const_array_view_int_1 by, amp_array_view_float_2 out)
{
    /* each number in `by` is -1, 0 or 1 */
    AMP_PARALLEL_FOR_EACH_ON(group, out.extent, (row, col),
                             AMP_CAPTURE(AMP_REACH(in, -1, 1), AMP_WHOLE(by), AMP_OWN_ROWS(out)), {
        const int from = amp_clamp(row + AMP_AT(by, col), 0, in.extent.v[0] - 1);
        AMP_AT(out, row, col) = AMP_AT(in, from, col);
    });
}

/* AMP_FUNCTION */
AMP_FUNCTION(float, clamped, (float x), { return x < 0 ? 0.0f : x > 1 ? 1.0f : x; })

void clamp_all(amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = clamped(AMP_AT(v, i)); });
}

/* AMP_STRUCT */
AMP_STRUCT(particle, { float x, y, mass; });
AMP_DEFINE_ELEMENT(particle)

void move(amp_array_view_particle_1 all, float dx)
{
    AMP_PARALLEL_FOR_EACH(all.extent, (i), AMP_CAPTURE(all, dx), {
        particle p = AMP_AT(all, i);
        p.x += dx;
        AMP_AT(all, i) = p;
    });
}

/* AMP_TABLE */
AMP_TABLE(float, weights, [3], { 0.25f, 0.5f, 0.25f });

void smooth(amp_array_view_float_1 out, amp_const_array_view_float_1 in)
{
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(in.extent.v[0] - 2), (i), AMP_CAPTURE(out, in), {
        float sum = 0;
        for (int k = 0; k < 3; k++)
            sum += weights[k] * AMP_AT(in, i + k);
        AMP_AT(out, i + 1) = sum;
    });
}

/* AMP_TYPEDEF */
AMP_TYPEDEF(float, real);
AMP_DEFINE_ELEMENT(real)

void halve(amp_array_view_real_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) *= (real)0.5; });
}

/* amp_tileN, AMP_TILE_STATIC, amp_barrier_wait */
AMP_FUNCTION(int, first_of_tile, (amp_tile1 tile), { return tile.tile_origin.v[0]; })

/* each element becomes the sum of itself and its mirror image in the tile */
void add_mirrored(amp_array_view_int_1 v)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, s, [64]);
        AMP_PRIVATE(int, own);
        const int first = first_of_tile(tile);
        AMP_THREADS(tile, t) {
            AMP_OWN(own) = AMP_AT(v, first + t.local.v[0]);
            s[63 - t.local.v[0]] = AMP_OWN(own);
        }
        amp_barrier_wait_with_tile_static_memory_fence(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(own) + s[t.local.v[0]]; }
    });
}

/* AMP_UNROLL */
void row_sums(amp_array_view_float_1 out, amp_const_array_view_float_2 in)
{
    AMP_TILED(out.extent, (64), tile, AMP_CAPTURE(out, in), {
        AMP_THREADS(tile, t) {
            float sum = 0;
            AMP_UNROLL for (int k = 0; k < 16; k++) sum += AMP_AT(in, t.global.v[0], k);
            AMP_AT(out, t.global) = sum;
        }
    });
}

/* AMP_ANY_ORDER */
void dot_products(amp_array_view_float_1 out, amp_const_array_view_float_2 in)
{
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(out, in), {
        float sum = 0;
        AMP_ANY_ORDER(sum)
        for (int j = 0; j < in.extent.v[1]; j++) sum += AMP_AT(in, i, j) * AMP_AT(in, i, j);
        AMP_AT(out, i) = sum;
    });
}

/* AMP_TILE_POINTER */
AMP_FUNCTION(float, sum_of_four, (AMP_TILE_POINTER(float) p), { return p[0] + p[1] + p[2] + p[3]; })

void sums(amp_array_view_float_1 v)
{
    AMP_TILED(v.extent, (64), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(float, s, [64]);
        AMP_THREADS(tile, t) { s[t.local.v[0]] = AMP_AT(v, t.global); }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = sum_of_four(&s[t.local.v[0] / 4 * 4]); }
    });
}

/* amp_all_memory_fence */
void publish(amp_array_view_int_1 data, amp_array_view_int_1 ready)
{
    AMP_TILED(data.extent, (64), tile, AMP_CAPTURE(data, ready), {
        AMP_THREADS(tile, t) {
            AMP_AT(data, t.global) = 1;
            amp_global_memory_fence(t);
            amp_atomic_fetch_inc(&AMP_AT(ready, 0));
        }
    });
}

/* AMP_ASSERT */
void reciprocals(amp_array_view_float_1 v)
{
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_ASSERT(AMP_AT(v, i) != 0);
        AMP_AT(v, i) = 1 / AMP_AT(v, i);
    });
}
