// SPDX-License-Identifier: MIT
/*  05_devices: what can kernels run on here? Lists every accelerator with all its properties.

    The one marked * is the default: where launches go that name no accelerator_view. It is a GPU if there
    is one, else other hardware, else the CPU backend ("cpu"), which are always there, and come before OpenCL on a CPU.
    Choose another with AMP_ACCELERATOR=<path or part of a name> in the environment.

    Build   cc -O3 -march=native -fopenmp -I.. 05_devices.c -o 05_devices -lm                        (CPU backend only)
            cc -O3 -march=native -fopenmp -I.. -DAMP_BACKEND_OPENCL 05_devices.c -o 05_devices -lm
    See     one block per accelerator, exactly one of them with a *, then OK.                               */
#include <stdbool.h>
#include <stdio.h>
#include "amp.h"

enum { MAX_ACCELERATORS = 64 };

static const char *yes(bool value) { return value ? "yes" : "no"; }

static const char *access_name(amp_access_type access)
{
    switch (access) {
    case AMP_ACCESS_NONE: return "none";
    case AMP_ACCESS_READ: return "read";
    case AMP_ACCESS_WRITE: return "write";
    case AMP_ACCESS_READ_WRITE: return "read and write";
    default: return "auto";
    }
}

static void show(amp_accelerator a, bool is_default)
{
    const unsigned version = amp_accelerator_version(a);
    printf("%c %s\n", is_default ? '*' : ' ', amp_accelerator_path(a));
    printf("    description               %s\n", amp_accelerator_description(a));
    printf("    version                   %u.%u\n", version >> 16, version & 0xffffu);
    printf("    dedicated memory          %.0f MiB\n", (double)amp_accelerator_dedicated_memory(a) / 1024.0);
    printf("    has a display             %s\n", yes(amp_accelerator_has_display(a)));
    printf("    debug                     %s\n", yes(amp_accelerator_is_debug(a)));
    printf("    emulated                  %s\n", yes(amp_accelerator_is_emulated(a)));
    printf("    double precision          %s\n", yes(amp_accelerator_supports_double_precision(a)));
    printf("    limited double precision  %s\n", yes(amp_accelerator_supports_limited_double_precision(a)));
    printf("    shares the CPU's memory   %s\n", yes(amp_accelerator_supports_cpu_shared_memory(a)));
    printf("    compute units             %u\n", amp_accelerator_compute_units(a));
    printf("    tiles                     of a multiple of %u threads, %zu at most, %zu KiB of tile_static\n",
           amp_accelerator_tile_multiple(a), amp_accelerator_max_tile_threads(a),
           amp_accelerator_tile_static_memory(a) / 1024);
    printf("    default CPU access        %s\n", access_name(amp_accelerator_default_cpu_access_type(a)));
}

int main(void)
{
    amp_accelerator all[MAX_ACCELERATORS];
    const int count = amp_accelerator_get_all(all, MAX_ACCELERATORS);
    const amp_accelerator chosen = amp_accelerator_default();

    int defaults = 0, broken_paths = 0;
    for (int i = 0; i < count && i < MAX_ACCELERATORS; i++) {
        const bool is_default = amp_accelerator_equal(all[i], chosen);
        show(all[i], is_default);
        defaults += is_default;
        broken_paths += !amp_accelerator_equal(amp_accelerator_from_path(amp_accelerator_path(all[i])), all[i]);
    }

    if (defaults != 1)
        fprintf(stderr, "%d accelerators of %d are the default, expected one\n", defaults, count);
    if (broken_paths != 0)
        fprintf(stderr, "%d paths do not lead back to their accelerator\n", broken_paths);
    if (defaults != 1 || broken_paths != 0)
        return 1;
    puts("OK");
    return 0;
}
