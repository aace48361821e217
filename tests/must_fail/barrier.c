// SPDX-License-Identifier: MIT
/* Barriers where not all threads of a tile come by, and phases in the wrong place: none of it compiles. */
#include "amp.h"

void test(int *values, int count);
void test(int *values, int count)
{
    AMP_ARRAY_VIEW(int, 1, v, values, count);

#if TEST == 0
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, sum);
        AMP_THREADS(tile, t) { AMP_OWN(sum) = t.local.v[0]; }
        if (AMP_AT(v, 0) > 0) /* the same for every thread */
            amp_barrier_wait(tile.barrier);
        amp_barrier_wait_with_global_memory_fence(tile.barrier);
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                amp_all_memory_fence(t);
            AMP_AT(v, t.global) = AMP_OWN(sum);
        }
    });
#endif

// expect: no member named 'barrier'
#if TEST == 1 /* under a condition on the local index */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.local.v[0] == 0)
                amp_barrier_wait(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 2 /* on the global index */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.global.v[0] < 100)
                amp_barrier_wait(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 3
    AMP_TILED(AMP_EXTENT(8, 8), (4, 4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.local.v[1] == 0)
                amp_barrier_wait(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 4
    AMP_TILED(AMP_EXTENT(8, 8), (4, 4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            if (t.global.v[0] > t.global.v[1])
                amp_barrier_wait(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 5
    AMP_TILED(AMP_EXTENT(8, 8, 8), (2, 2, 2), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            while (t.local.v[2] == 0)
                amp_barrier_wait(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 6
    AMP_TILED(AMP_EXTENT(8, 8, 8), (2, 2, 2), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            switch (t.global.v[0]) {
            case 1: amp_barrier_wait(tile.barrier);
            }
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 7 /* a phase has no barrier at all, under no condition either */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            (void)t;
            amp_barrier_wait_with_all_memory_fence(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 8
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            (void)t;
            amp_barrier_wait_with_global_memory_fence(tile.barrier);
        }
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 9 /* nor has the thread's index */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { amp_barrier_wait_with_tile_static_memory_fence(t.barrier); }
    });
#endif

    // expect-gcc: 'tile' undeclared
    // expect-clang: undeclared identifier 'tile'
#if TEST == 10 /* in a simple kernel */
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), {
        AMP_AT(v, idx) = 0;
        amp_barrier_wait(tile.barrier);
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 11
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), { amp_barrier_wait(idx.barrier); });
#endif

    // expect: no member named 'tile_origin'
#if TEST == 12 /* a fence in a simple kernel */
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), {
        AMP_AT(v, idx) = 0;
        amp_all_memory_fence(idx);
    });
#endif

    // expect: amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
#if TEST == 13 /* a phase in a simple kernel */
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, idx) = 0; }
    });
#endif

    // expect: amp: AMP_THREADS(tile, t) needs the name of a thread, and is allowed only directly in AMP_TILED
#if TEST == 14 /* a phase in a phase */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_THREADS(tile, u) { AMP_AT(v, t.global) = u.local.v[0]; }
        }
    });
#endif

    // expect-gcc: 't' undeclared
    // expect-clang: undeclared identifier 't'
#if TEST == 15 /* outside of phases there are no threads */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1; }
        AMP_AT(v, t.global) = 2;
    });
#endif

    // expect-gcc: AMP_OWN is allowed only in a phase
    // expect-clang: AMP_OWN is allowed only in a phase
#if TEST == 16 /* nor anything of their own */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, sum);
        AMP_OWN(sum) = 0;
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(sum); }
    });
#endif

    // expect-gcc: 'row' undeclared
    // expect-clang: undeclared identifier 'row'
#if TEST == 17 /* locals end with their phase */
    AMP_TILED(v.extent, (8), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            const int row = t.local.v[0];
            AMP_AT(v, t.global) = row;
        }
        amp_barrier_wait(tile.barrier);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) += row; }
    });
#endif
    }

    // expect-gcc: 'tile' undeclared
    // expect-clang: undeclared identifier 'tile'
#if TEST == 18 /* in a function, which has no tile */
    AMP_FUNCTION(int, waits, (int i), {
        if (i > 0)
            amp_barrier_wait(tile.barrier);
        return i;
    });
#endif

    // expect: no member named 'barrier'
#if TEST == 19 /* and whose threads have no barrier */
    AMP_FUNCTION(int, waits, (amp_tiled_index2 t), {
        amp_barrier_wait(t.barrier);
        return t.local.v[0];
    });
#endif
