// SPDX-License-Identifier: MIT
/*  main.c - runs the tests of every file: all, or those whose path contains an argument.

        test_cpu                    all
        test_cpu memory/ api/tile.c the files of tests/memory, and tests/api/tile.c
        test_cpu api/tile.c:fences  of these the test fences; 'api/tile.c:*fence*': those with that in their names

    The exit status is the number of tests that failed. AMP_TEST_SEED=n repeats a run with random numbers. Tests of
    OpenCL ask for its first device by AMP_ACCELERATOR, where nothing else is asked for: it may be a CPU.  */
#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The files, in the order of their running: api/accelerator.c first, while the default is not settled. */
// clang-format off
#define FILES(X)                                                                                                       \
    X(api, accelerator) X(api, types) X(api, launch) X(api, capture) X(api, tile) X(api, atomics) X(api, kernel_math)  \
    X(base, error) X(memory, array_view) X(memory, coherence) X(group, group) X(group, band_memory)                    \
    X(group, algorithms) X(codegen, program) X(group, reach) X(validate, validate) X(launch, program_cache)            \
    X(validate, races) X(base, os) X(device, future) X(backends, cuda_device) X(algorithms, reduce) X(algorithms, scan)\
    X(algorithms, select) X(algorithms, sort) X(algorithms, random) X(algorithms, tile) X(algorithms, elementwise)     \
    X(algorithms, rows) X(algorithms, segments) X(algorithms, merge) X(algorithms, order) X(algorithms, large)         \
    X(algorithms, sort_rows) X(algorithms, room) X(algorithms, overlap) X(algorithms, look_back)                       \
    X(algorithms, subgroup) X(graphics, vectors) X(launch, kernel_launch) X(checked, checked) X(checked, contracts)    \
    X(compare, compare) X(backends, opencl_interop) X(memory, handles) X(record, record) X(launch, threads)            \
    X(memory, fork) X(device, command) X(device, hooks) X(matrix, multiply) X(backends, hip_device) X(api, arguments)  \
    X(operations, operations) X(codegen, tree_types) X(memory, read_write) X(validate, uninitialised)                  \
    X(backends, vulkan_device) X(launch, template) X(checked, kernels) X(validate, comparisons) X(operations, ranks)   \
    X(memory, region) X(memory, unknown) X(memory, staging) X(validate, uniform) X(validate, effects)                  \
    X(api, fast_double)                                                                                                \
    X(launch, kernel_cache) X(checked, dry_run) X(base, os_child) X(checked, steps)
// clang-format on

#define DECLARE(folder, name) __attribute__((weak)) int run_##folder##_##name(void);
FILES(DECLARE)

static const struct {
    const char *file;
    int (*run)(void);
} files[] = {
#define ENTRY(folder, name) { #folder "/" #name ".c", run_##folder##_##name },
    FILES(ENTRY)
};
enum { COUNT = sizeof files / sizeof files[0] };

/* Is the file named by the part? What follows its ':' names tests. */
static bool is_in(const char *file, const char *part)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(part, ":"), part);
    return strstr(file, name) != NULL;
}

/* Runs what the parts name of a file, or all of it where there are none; adds what failed. True if it ran anything. */
static bool run_wanted(const char *file, int (*run)(void), int count, char **parts, int *failed)
{
    bool wanted = count == 0;
    const char *tests = NULL;
    for (int i = 0; i < count; i++)
        if (is_in(file, parts[i])) {
            const char *const colon = strchr(parts[i], ':');
            wanted = true;
            tests = colon ? colon + 1 : NULL;
        }
    if (!wanted)
        return false;
    if (!run) {
        printf("tests/%s is not part of this program\n", file);
        return false;
    }
    cmocka_set_test_filter(tests);
    *failed += run();
    return true;
}

int main(int argc, char **argv)
{
#if !defined(_WIN32) /* whose C library has no line buffers */
    setvbuf(stdout, NULL, _IOLBF, 0);
#if defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA)
    setenv("AMP_ACCELERATOR", "opencl", 0);
#endif
#endif
    children_begin();
    int failed = 0, ran = 0;
    for (int i = 0; i < COUNT; i++)
        ran += run_wanted(files[i].file, files[i].run, argc - 1, argv + 1, &failed);
    if (!ran) {
        fprintf(stderr, "no file of tests has such a name; there are");
        for (int i = 0; i < COUNT; i++)
            fprintf(stderr, " %s", files[i].file);
        fprintf(stderr, "\n");
        return 2;
    }
    return failed < 100 ? failed : 100;
}
