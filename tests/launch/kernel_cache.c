// SPDX-License-Identifier: MIT
/*  kernel_cache.c - AMP_SHOW_KERNELS: which files show which kernel, and what they show. */
#include "test.h"
#include "child.h"

int run_launch_kernel_cache(void);

#if (defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_EXTRA)) && !defined(_WIN32)

enum { SIDE = 8, CELLS = SIDE * SIDE * SIDE };

static void plain(void)
{
    static int values[CELLS];
    AMP_ARRAY_VIEW(int, 1, v, values, CELLS);
    for (int round = 0; round < 2; round++)
        AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, round), { AMP_AT(v, i) = 41 * i + round; });
}

static void line_of_tiles(void)
{
    static int values[CELLS];
    AMP_ARRAY_VIEW(int, 1, v, values, CELLS);
    AMP_TILED(v.extent, (SIDE), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1;
}
});
}

static void block_of_tiles(void)
{
    static int values[CELLS];
    AMP_ARRAY_VIEW(int, 3, v, values, SIDE, SIDE, SIDE);
    AMP_TILED(v.extent, (1, 2, 4), tile, AMP_CAPTURE(v), { AMP_THREADS(tile, t) { AMP_AT(v, t.global) = 1;
}
});
}

static int child_shown(void)
{
    plain();
    line_of_tiles();
    block_of_tiles();
    return amp_last_error() != AMP_OK;
}

CHILDREN({ "shown", child_shown })

static char output[262144];

/* Runs the kernels with AMP_SHOW_KERNELS; skips where there are none. */
static void show(const char *how)
{
    char environment[512];
    if (amp_accelerator_get_all(NULL, 0) < 2 || !strcmp(amp_accelerator_path(amp_accelerator_default()), "cpu"))
        skip();
    snprintf(environment, sizeof environment, "AMP_CACHE=0 AMP_SHOW_KERNELS=%s", how);
    const int status = child_run("shown", environment, output, sizeof output);
    if (status == -1)
        skip();
    check_int(status, 0);
}

static void has(const char *text, const char *part)
{
    check_that(strstr(text, part), "\"%s\" is not in: %s", part, text);
}

/* The files with such a name, one after the other. */
static const char *files(const char *folder, const char *pattern)
{
    static char text[65536];
    char command[512];
    snprintf(command, sizeof command, "cat %s/%s 2>&1", folder, pattern);
    FILE *const pipe = popen(command, "r");
    text[0] = '\0';
    if (pipe)
        child_read(pipe, text, sizeof text);
    check(pipe && pclose(pipe) == 0);
    return text;
}

/* A file for each kernel and device, named after its function and tile: source, device and geometry as comments. With
   or without a slash at the end of the folder, which is made; a second run replaces the files. */
static void in_a_folder(void **state)
{
    (void)state;
    char folder[] = "/tmp/amp-test-show-XXXXXX", name[64], command[128];
    check(mkdtemp(folder) != NULL);
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, i < 2 ? "new" : "new/");
        show(name);
        check(!strstr(output, "kernel in plain"));
        snprintf(name, sizeof name, "%s/new", folder);
        const char *const text = files(name, "plain_*_on_*");
        has(text, "41 * i + round");
        has(text, "*/\n/* kernel in plain, at or near tests/launch/kernel_cache.c:");
        has(text, ": extent (512), global size 512 x 1 x 1");
        const char *const end = strstr(text, "/* for ");
        check(end && !strstr(end + 1, "/* for ")); /* once */
        has(files(name, "line_of_tiles_*_8_on_*"), "local size 8 x 1 x 1");
        has(files(name, "block_of_tiles_*_1x2x4_on_*"), "local size 4 x 2 x 1");
    }
    snprintf(command, sizeof command, "rm -rf %s", folder);
    check_int(system(command), 0);
}

/* A folder that cannot be made is a warning; the kernels are on stderr then, as with 1. */
static void on_stderr(void **state)
{
    (void)state;
    static const char *const how[] = { "1", "2", "/dev/null/there" };
    for (int i = 0; i < 3; i++) {
        show(how[i]);
        has(output, "amp: kernel in plain, at or near tests/launch/kernel_cache.c:");
        has(output, "41 * i + round");
        check(!strstr(output, "local size 4 x 2 x 1") == (i == 0));
        check(!strstr(output, "cannot be written") == (i < 2));
    }
    has(output, "AMP_SHOW_KERNELS: /dev/null/there/plain_");
    show("0");
    check(!strstr(output, "kernel in plain"));
}

#else

static void in_a_folder(void **state)
{
    (void)state;
    skip(); /* the CPU backend compiles nothing */
}

static void on_stderr(void **state)
{
    (void)state;
    skip();
}

#endif

int run_launch_kernel_cache(void)
{
    const struct CMUnitTest tests[] = {
        TEST(in_a_folder),
        TEST(on_stderr),
    };
    return cmocka_run_group_tests_name("launch/kernel_cache", tests, NULL, NULL);
}
