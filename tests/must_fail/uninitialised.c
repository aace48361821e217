// SPDX-License-Identifier: MIT
/* Variables of kernels that are read before they have a value: what the compiler warns of. */
#include "amp.h"

void test(amp_const_array_view_float_1 in, amp_array_view_float_1 out, int n);
void test(amp_const_array_view_float_1 in, amp_array_view_float_1 out, int n)
{
#if TEST == 0
    AMP_TILED(out.extent, (16), tile, AMP_CAPTURE(in, out, n), {
        AMP_TILE_STATIC(float, first);
        AMP_TILE_STATIC(float, one, [1]);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == n) first = one[0] = AMP_AT(in, t.global);
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(out, t.global) = first + one[0]; }
    });
#endif

    // expect: 'sum' may be used uninitialized
    // needs: -O2 -Werror -Wmaybe-uninitialized
#if TEST == 1
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(in, out, n), {
        float sum;
        for (int k = 0; k < n; k++) sum += AMP_AT(in, k);
        AMP_AT(out, i) = sum;
    });
#endif

    // expect: 'best' may be used uninitialized
    // needs: -O2 -Werror -Wmaybe-uninitialized
#if TEST == 2 /* plain C below a kernel */
    float best;
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(in, out), { AMP_AT(out, i) = AMP_AT(in, i); });
    if (n > 3)
        best = AMP_AT(in, 3);
    AMP_AT(out, 0) = best;
#endif
    (void)in, (void)out, (void)n;
}
