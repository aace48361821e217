// SPDX-License-Identifier: MIT
/* Tiles that are no tiles. */
#include "amp.h"

void test(int *values, int size);
void test(int *values, int size)
{
    AMP_ARRAY_VIEW(int, 2, v, values, 8, 8);
    (void)size;

#if TEST == 0
    enum { SIDE = 4 };
    AMP_TILED(v.extent, (SIDE, SIDE), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = t.local.v[0]; }
    });
    AMP_TILED(amp_extent2_tile(v.extent, 2, SIDE), (2, SIDE), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, block, [512][512]);
        AMP_PRIVATE(int, parts, [16384]);
        AMP_THREADS(tile, t) {
            block[0][0] = 0;
            AMP_OWN(parts, 0) = 0;
            AMP_AT(v, t.global) = AMP_OWN(parts, 0) + block[0][0];
        }
    });
#endif

    // expect: the tile (4) must have one size per dimension of the extent
#if TEST == 1
    AMP_TILED(v.extent, (4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: the tile (2, 2, 2) must have one size per dimension of the extent
#if TEST == 2
    AMP_TILED(v.extent, (2, 2, 2), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: a tile has 1 to 3 dimensions
#if TEST == 3
    AMP_TILED(AMP_EXTENT(8, 8, 8, 8), (2, 2, 2, 2), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: every size of the tile (4, 0) must be a positive constant
#if TEST == 4
    AMP_TILED(v.extent, (4, 0), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: every size of the tile (-4, 4) must be a positive constant
#if TEST == 5
    AMP_TILED(v.extent, (-4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: every size of the tile (size, 4) must be a positive constant
#if TEST == 6
    AMP_TILED(v.extent, (size, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: the tile (4, 4) must have one size per dimension of the extent
#if TEST == 7
    AMP_TILED(AMP_EXTENT(8, 8, 8), (4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: incompatible type
#if TEST == 8 /* a tiled extent of another rank */
    const amp_tiled_extent2 e = amp_extent2_tile(AMP_EXTENT(8, 8, 8), 4, 4);
    AMP_TILED(e, (4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect-gcc: too few arguments
    // expect-clang: too few arguments
#if TEST == 9
    const amp_tiled_extent2 e = amp_extent2_tile(v.extent, 4);
    AMP_TILED(e, (4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect-gcc: read-only
    // expect-clang: const-qualified type
#if TEST == 10 /* where a thread is, is given */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            t.local.v[0] = 1;
            AMP_AT(v, t.global) = 0;
        }
    });
#endif

    // expect-gcc: read-only
    // expect-clang: const-qualified type
#if TEST == 11
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        tile.tile.v[0] = 1;
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 0; }
    });
#endif

    // expect-gcc: subscripted value is neither array nor pointer
    // expect-clang: subscripted value is not an array, pointer, or vector
#if TEST == 12 /* AMP_OWN(parts, 1): what lies beside a thread's element is its neighbour's */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, parts, [2]);
        AMP_THREADS(tile, t) { AMP_AT(v, t.global) = AMP_OWN(parts)[1]; }
    });
#endif

    // expect: amp: the tile 4 of AMP_TILED must be in parentheses, with one constant per dimension: (256), (16, 16)
#if TEST == 13
    AMP_TILED(v.extent, 4, 4, tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: amp: AMP_TILED needs an extent: v.extent of a view v, or AMP_EXTENT(n)
#if TEST == 14
    AMP_TILED(v, (4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: amp: AMP_TILED needs an extent: v.extent of a view v, or AMP_EXTENT(n)
#if TEST == 22
    AMP_TILED(amp_inner(v.extent, 2), (4, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: amp: AMP_CAPTURE, another argument or a comma is missing: AMP_TILED(extent, (16), tile
#if TEST == 15
    AMP_TILED(v.extent, (4, 4), tile, v, { AMP_THREADS(tile, t) { (void)t; } });
#endif

    // expect: amp: AMP_TILE_STATIC(int, block, [513][512]): the limit for one variable of a tile is 1 MiB
#if TEST == 16
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, block, [513][512]);
        AMP_THREADS(tile, t) { block[t.local.v[0]][t.local.v[1]] = 0; }
    });
#endif

    // expect: amp: AMP_PRIVATE(int, parts, [16385]): the limit for one variable of a tile is 1 MiB
#if TEST == 17 /* for its 16 threads */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, parts, [16385]);
        AMP_THREADS(tile, t) { AMP_OWN(parts, 0) = t.local.v[0]; }
    });
#endif

    // expect: amp: AMP_TILE_STATIC(int, block, [size]): its dimensions must be constants
#if TEST == 18
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v, size), {
        AMP_TILE_STATIC(int, block, [size]);
        AMP_THREADS(tile, t) { block[t.local.v[0]] = 0; }
    });
#endif

    // expect: amp: AMP_TILE_STATIC(int, own, [4]) is allowed only in the body of AMP_TILED, outside of AMP_THREADS
#if TEST == 19 /* in a phase */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_THREADS(tile, t) {
            AMP_TILE_STATIC(int, own, [4]);
            own[0] = t.local.v[0];
            AMP_AT(v, t.global) = own[0];
        }
    });
#endif

    // expect: amp: AMP_TILE_STATIC(int, own) is allowed only in the body of AMP_TILED, outside of AMP_THREADS
#if TEST == 20 /* in a kernel without tiles */
    AMP_PARALLEL_FOR_EACH(v.extent, idx, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, own);
        own = idx.v[0];
        AMP_AT(v, idx) = own;
    });
#endif

    // expect: amp: AMP_TILE_STATIC
    // expect: : type, name and dimensions are separate arguments: AMP_TILE_STATIC(float, block, [16])
#if TEST == 22 /* no brackets */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, line, 4);
        AMP_THREADS(tile, t) {
            line[0] = 1;
            AMP_AT(v, t.global) = 1;
        }
    });
#endif

    // expect: amp: AMP_TILE_STATIC
    // expect: : type, name and dimensions are separate arguments: AMP_TILE_STATIC(float, block, [16])
#if TEST == 23 /* in the form of AMP_ARRAY */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, 1, line, 4);
        AMP_THREADS(tile, t) {
            line[0] = 1;
            AMP_AT(v, t.global) = 1;
        }
    });
#endif

    // expect: amp: AMP_PRIVATE
    // expect: : type, name and dimensions are separate arguments: AMP_PRIVATE(float, block, [16])
#if TEST == 24 /* no brackets */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, own, 4);
        AMP_THREADS(tile, t) {
            AMP_OWN(own, 0) = 1;
            AMP_AT(v, t.global) = 1;
        }
    });
#endif

    // expect: amp: AMP_PRIVATE
    // expect: : type, name and dimensions are separate arguments: AMP_PRIVATE(float, block, [16])
#if TEST == 25 /* in the form of AMP_ARRAY */
    AMP_TILED(v.extent, (4, 4), tile, AMP_CAPTURE(v), {
        AMP_PRIVATE(int, 1, own, 4);
        AMP_THREADS(tile, t) {
            AMP_OWN(own, 0) = 1;
            AMP_AT(v, t.global) = 1;
        }
    });
#endif
    }

    // expect: pass tile_static memory to a function as AMP_TILE_POINTER(float) p
#if TEST == 21
    AMP_FUNCTION(int, shared, (int i), {
        AMP_TILE_STATIC(int, line, [4]);
        line[i] = i;
        return line[3 - i];
    })
#endif
