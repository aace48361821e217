// SPDX-License-Identifier: MIT
/*  hip_device.c - what is HIP's own: the names of its devices, functions and options; copies, which take other
    arguments than CUDA's; sub-groups of half a wavefront. On the library that stands for it (tests/hip/fake_hip.c).
    Also tests amp/hip/hip_api.h, amp/hip/hip_text.h. */
int run_backends_hip_device(void);

#if defined(AMP_BACKEND_HIP) /* else there is next to nothing to compile */

#include "test.h"

enum { N = 1000 };

/* The view of HIP's n-th device; skips where there is none. */
static amp_accelerator_view hip_view(int n)
{
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    const int count = amp_accelerator_get_all(all, AMP_PRIV_MAX_DEVICES);
    for (int i = 0; i < count && i < AMP_PRIV_MAX_DEVICES; i++)
        if (!strcmp(all[i].amp_priv_device->backend->name, "HIP") && n-- == 0)
            return amp_accelerator_default_view(all[i]);
    print_message("SKIPPED: there are too few HIP devices\n");
    skip();
    return (amp_accelerator_view){ NULL };
}

/* Makes the next call of a function fail; skips where the driver is AMD's. */
static void fail_next(const char *name, int code)
{
    const char *const path = getenv("AMP_HIP_LIBRARY");
    void (*fails)(const char *, int, int) = NULL;
    void *const address = path ? amp_priv_library_find(amp_priv_library_open(path), "fake_cuda_fail") : NULL;
    memcpy(&fails, &address, sizeof fails);
    if (!fails) {
        print_message("SKIPPED: the driver fails only when it must\n");
        skip();
    }
    fails(name, code, 1);
}

static void devices_are_described(void **state)
{
    (void)state;
    const amp_priv_device *const device = test_device(hip_view(0));
    check(strstr(device->path, "hip:") == device->path);
    check(strstr(device->options, "--offload-arch=gfx"));
    check(strstr(device->options, "-fno-hip-fp32-correctly-rounded-divide-sqrt"));
    check(!strstr(device->precise_options, "-fno-hip"));
    check(device->max_threads >= 256 && device->local_memory >= 32768 && device->units > 0);
    check(device->tile_multiple == 32 || device->tile_multiple == 64);
    check(!device->matrix_unit && !device->samples_images);
    check(!amp_priv_images_extension(device) && !amp_priv_recorded_extension(device));
}

static void functions_have_names_of_hip(void **state)
{
    (void)state;
    const amp_accelerator_view view = hip_view(0);
    fail_next("cuMemAlloc_v2", 2);
    int values[N] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, values, N);
    AMP_PARALLEL_FOR_EACH_ON(view, v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = i; });
    expect_error(AMP_OUT_OF_MEMORY, "hipMalloc failed with ");
    check(!strcmp(amp_priv_cuda_call_name("cuMemcpyAsync"), "hipMemcpyAsync"));
    check(!strcmp(amp_priv_cuda_call_name("nvrtcCompileProgram"), "hiprtcCompileProgram"));
}

/* Rows and slices of host memory, and between two devices. */
static void rectangles_move(void **state)
{
    enum { SLICES = 3, ROWS = 7, COLUMNS = 11 };
    static int all[SLICES][ROWS][COLUMNS];
    (void)state;
    const amp_accelerator_view views[] = { hip_view(0), hip_view(1) };
    AMP_ARRAY_VIEW(int, 3, v, &all[0][0][0], SLICES, ROWS, COLUMNS);
    for (int n = 0; n < 2; n++) {
        const amp_array_view_int_3 part = amp_section(v, 1, 2, 3, 2, 4, 5);
        AMP_PARALLEL_FOR_EACH_ON(views[n], part.extent, (i, j, k), AMP_CAPTURE(part),
                                 { AMP_AT(part, i, j, k) += 100 * i + 10 * j + k + 1; });
    }
    amp_array_view_synchronize(&v);
    for (int z = 0; z < SLICES; z++)
        for (int y = 0; y < ROWS; y++)
            for (int x = 0; x < COLUMNS; x++) {
                const bool is_in = z >= 1 && y >= 2 && y < 6 && x >= 3 && x < 8;
                check_int(all[z][y][x], is_in ? 2 * (100 * (z - 1) + 10 * (y - 2) + x - 3 + 1) : 0);
            }
}

/* CUDA's text, after the lines that make it HIP's. */
static void programs_begin_with_hips_lines(void **state)
{
    (void)state;
    check(amp_priv_hip_target.opening[0].text == amp_priv_text_hip_opening);
    check(amp_priv_hip_target.opening[1].text == amp_priv_cuda_target.opening[0].text);
    check(strstr(amp_priv_text_hip_opening, "__shfl(x, from, 32)"));
    check(strstr(amp_priv_text_hip_opening, "__lane_id() & 32"));
}

/* hipRTC 5.2 has no atomicMin and atomicMax of them. A real one compiles this kernel where FAKE_HIPRTC names it. */
static void least_and_greatest_of_64_bits(void **state)
{
    (void)state;
    const amp_accelerator_view view = hip_view(0);
    int64_t values[2] = { INT64_MAX, INT64_MIN };
    uint64_t positive[2] = { UINT64_MAX, 0 };
    AMP_ARRAY_VIEW(int64_t, 1, v, values, 2);
    AMP_ARRAY_VIEW(uint64_t, 1, u, positive, 2);
    AMP_PARALLEL_FOR_EACH_ON(view, AMP_EXTENT(N), (i), AMP_CAPTURE(v, u), {
        const int64_t x = (int64_t)(i * 37 % 1000 - 500) * 10000000000;
        amp_atomic_fetch_min(&AMP_AT(v, 0), x);
        amp_atomic_fetch_max(&AMP_AT(v, 1), x);
        amp_atomic_fetch_min(&AMP_AT(u, 0), (uint64_t)(i + 7) << 40);
        amp_atomic_fetch_max(&AMP_AT(u, 1), (uint64_t)(i + 7) << 40);
    });
    check(AMP_AT(v, 0) == -5000000000000 && AMP_AT(v, 1) == 4990000000000);
    check(AMP_AT(u, 0) == UINT64_C(7) << 40 && AMP_AT(u, 1) == UINT64_C(1006) << 40);
}

int run_backends_hip_device(void)
{
    const struct CMUnitTest tests[] = {
        TEST(devices_are_described),          TEST(functions_have_names_of_hip),   TEST(rectangles_move),
        TEST(programs_begin_with_hips_lines), TEST(least_and_greatest_of_64_bits),
    };
    return cmocka_run_group_tests_name("backends/hip_device", tests, NULL, NULL);
}

#else

int run_backends_hip_device(void) { return 0; }

#endif
