// SPDX-License-Identifier: MIT
/*  old_names.c - every earlier name of amp/api/old_names.h, once; tests/old_names.sh compiles and runs it.

    Each use stands alone in its statement, with "old:" and the name that replaces it in a comment. */
#include "amp_algorithms.h"
#include "amp_recording.h"

#define N 64

static int failures;
static void expect(int value, int wanted, int line)
{
    if (value != wanted)
        printf("old_names.c:%d: %d, expected %d\n", line, value, wanted), failures++;
}

static void tiles(amp_array_view_int_1 v)
{
    AMP_TILED(v.extent, (N), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, lane, [N]);
        AMP_PRIVATE(int, x);
        AMP_THREADS(tile, t) {
            lane[t.local.v[0]] = AMP_OWN(x) = 1;
        }
        amp_tile_sum(tile, int, lane, N);           // old: AMP_TILE_SUM
        amp_subgroup_sum(tile, int, x, 4);          // old: AMP_SUBGROUP_SUM
        amp_subgroup_scan_sum(tile, int, x, 4);     // old: AMP_SUBGROUP_SCAN_SUM
        amp_subgroup_max(tile, int, x, 4);          // old: AMP_SUBGROUP_MAX
        amp_subgroup_min(tile, int, x, 4);          // old: AMP_SUBGROUP_MIN
        amp_subgroup_broadcast(tile, int, x, 4, 3); // old: AMP_SUBGROUP_BROADCAST
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = lane[0] + AMP_OWN(x);
        }
    });
    expect(AMP_AT(v, 0), N + 16, __LINE__);
    AMP_TILED(v.extent, (N), tile, AMP_CAPTURE(v), {
        AMP_TILE_STATIC(int, least, [N]);
        AMP_TILE_STATIC(int, most, [N]);
        AMP_TILE_STATIC(int, sums, [N]);
        AMP_THREADS(tile, t) {
            least[t.local.v[0]] = most[t.local.v[0]] = sums[t.local.v[0]] = t.local.v[0] + 1;
        }
        amp_tile_min(tile, int, least, N);     // old: AMP_TILE_MIN
        amp_tile_max(tile, int, most, N);      // old: AMP_TILE_MAX
        amp_tile_scan_sum(tile, int, sums, N); // old: AMP_TILE_SCAN_SUM
        AMP_THREADS(tile, t) {
            AMP_AT(v, t.global) = least[0] + most[0] + sums[t.local.v[0]];
        }
    });
    expect(AMP_AT(v, 2), 1 + N + 6, __LINE__);
}

static void views(amp_array_view_int_1 v)
{
    const amp_array_view_int_2 square = amp_view_as(amp_array_view_int_2, v, 8, 8);      // old: AMP_VIEW_AS
    const amp_array_view_float_1 floats = amp_reinterpret_as(amp_array_view_float_1, v); // old: AMP_REINTERPRET_AS
    expect(square.extent.v[1], 8, __LINE__);
    expect(floats.extent.v[0], N, __LINE__);
    amp_array_view_synchronize_as(&v, AMP_ACCESS_READ_WRITE);                // old: amp_array_view_synchronize
    amp_future f = amp_array_view_synchronize_as_async(&v, AMP_ACCESS_READ); // old: amp_array_view_synchronize_async
    expect(amp_future_get(f), AMP_OK, __LINE__);
    amp_future_release(&f);
}

static void recordings(amp_accelerator_view view, amp_array_view_int_1 v)
{
    amp_record_begin(view); // old: amp_recording_begin
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 5; });
    amp_recording recording = amp_record_end();  // old: amp_recording_end
    const bool replayed = amp_replay(recording); // old: amp_recording_replay
    expect(replayed, amp_recording_valid(recording), __LINE__);
    expect(AMP_AT(v, 7), 5, __LINE__);
    amp_recording_release(&recording);
}

int main(void)
{
    int values[N] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    tiles(v);
    views(v);
    recordings(amp_accelerator_default_view(amp_accelerator_default()), v);
#if defined(AMP_BACKEND_OPENCL)
    const amp_accelerator_view view = amp_accelerator_default_view(amp_accelerator_default());
    amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(N), view);
    amp_array_int_1 same = amp_array_from_opencl(int, 1, amp_opencl_buffer(a), view,
                                                 N); // old: AMP_ARRAY_FROM_OPENCL(view, T, rank, memory, ...)
    expect(amp_array_valid(same), 1, __LINE__);
    amp_array_release(&same);
    amp_array_release(&a);
#endif
    return failures != 0;
}
