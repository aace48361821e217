// SPDX-License-Identifier: MIT
#include "amp_algorithms.h"
#include "amp_graphics.h"
#include "amp_group.h"
#include "amp_matrix.h"
#include "amp_recording.h"

#include "inside.h"

_Static_assert((int)TEST_MESSAGE_SIZE == (int)AMP_PRIV_MESSAGE_SIZE, "the longest message");

static amp_priv_device *device_of(amp_accelerator_view view)
{
    return amp_accelerator_view_accelerator(view).amp_priv_device;
}

bool test_has_atomics64(amp_accelerator_view view) { return device_of(view)->atomics64; }

bool test_can_lack_atomics64(amp_accelerator_view view)
{
    const amp_priv_device *const device = device_of(view);
    return !amp_priv_is_host(device->number) && device->backend->target->no_functions64[0][0];
}

bool test_has_precise_division(amp_accelerator_view view)
{
    const amp_priv_device *const device = device_of(view);
    return amp_priv_is_host(device->number) || device->precise_options;
}

size_t test_max_tile_depth(amp_accelerator_view view) { return device_of(view)->max_tile[2]; }

bool test_set_atomics64(amp_accelerator_view view, bool has)
{
    const bool before = device_of(view)->atomics64;
    device_of(view)->atomics64 = has;
    return before;
}

size_t test_set_max_global(amp_accelerator_view view, size_t threads)
{
    const size_t before = device_of(view)->max_global;
    device_of(view)->max_global = threads;
    return before;
}

void test_opencl_build_options(char *out, size_t size, const char *text, unsigned compute_capability)
{
    out[0] = 0;
#if defined(AMP_BACKEND_OPENCL)
    const amp_priv_build build = { .text = text, .options = "-w" };
    amp_priv_opencl_build_options(out, size, &build, compute_capability);
#else
    (void)size, (void)text, (void)compute_capability;
#endif
}

bool test_opencl_stores_plainly(void)
{
#if defined(AMP_BACKEND_OPENCL)
    return strstr(AMP_PRIV_OPENCL_INTEGERS AMP_PRIV_OPENCL_REALS, "*p = v") != NULL;
#else
    return false;
#endif
}

/* tests/check-modules compiles this without the one or the other. */
#if defined(AMP_ALGORITHMS_H)
void test_set_sort_tiles(int tiles) { amp_priv_sort_tiles = tiles; }

void test_set_published_calls(int calls)
{
    for (amp_priv_temporary *t = amp_priv_all_temporaries.first; t; t = t->next)
        t->calls = calls;
}

bool test_value_loops(const char *value, amp_priv_user_definition *definitions)
{
    return amp_priv_value_has(value, definitions, amp_priv_tree_is_loop);
}
#endif

#if defined(AMP_MATRIX_H)
void test_set_multiply_many(int tiles) { amp_priv_multiply_many = tiles; }
#endif
