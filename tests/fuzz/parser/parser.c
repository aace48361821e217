// SPDX-License-Identifier: MIT
/*  parser.c - all that reads the source of kernels, for libFuzzer: validation, the tree, all that looks at it, and the
    programs for OpenCL and CUDA. An input is a body, behind functions that it may call with zero bytes between. What no
    compiler would accept must not crash them either, nor take long. tests/fuzz/parser/run builds and runs it. */
#include "amp.h"
#include "amp/backends/cuda_text.h"
#include "amp/backends/opencl_text.h"
#include "amp/codegen/program.h"
#include "amp/group/reach.h"

enum { ROWS = 24, COLUMNS = 5, CAPTURES = 5, FUNCTIONS = 3 };

AMP_STRUCT(shifts, {
    int64_t none;
    float scale;
    int8_t up, down, pair[2];
})

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void quiet(const amp_error *error, void *user) { (void)error, (void)user; }

/* The program for a target; what it is like is not looked at. */
static void translate(amp_priv_launch_site *site, void *const *captured, const amp_priv_target *target)
{
    amp_priv_program program;
    if (amp_priv_program_make(&program, site, captured, 0, target, true) != AMP_OK)
        return;
    free(program.parameters.of);
    free(program.text);
}

static void reach(amp_priv_launch_site *site, void *const *captured)
{
    static const int extent[] = { ROWS, COLUMNS };
    amp_priv_reach_view views[CAPTURES];
    amp_priv_reach *const made = amp_priv_reach_make(site, captured);
    if (!made)
        return;
    amp_priv_reach_of(made, site, captured, extent, 4, 8, views);
    amp_priv_reach_end(made);
}

/* As the first launch of a checked build does: what is refused, then the warnings. */
static amp_status validate(amp_priv_launch_site *site, void *const *captured)
{
    static const int extent[] = { ROWS, COLUMNS };
    const amp_status status = amp_priv_check_body(site, extent, captured);
    if (status == AMP_OK)
        amp_priv_checked_first(site, extent, captured);
    return status;
}

/* What the CPU backend, a profile, a page and a comparison have to say of a kernel. */
static void take_notes(amp_priv_launch_site *site, void *const *captured)
{
    const amp_priv_launch launch = { .site = site, .captured = captured };
    amp_priv_compare_site compared = { .site = site };
    amp_priv_string out = { NULL, 0, 0, false };
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(site, captured);
    amp_priv_columns_judge(body, &out);
    amp_priv_loops_judge(body, &out);
    amp_priv_order_look(&compared, body, body, 0);
    amp_priv_site_tree_release(body);
    amp_priv_memory_use_find(site, captured);
    amp_priv_page_operations_of(&launch);
    amp_priv_text_coarsening(site, captured);
    free(out.text);
}

/* One of the readers, by the size of the input: more inputs a second find more than all readers of one input. */
static void read_kernel(amp_priv_launch_site *site, void *const *captured, size_t size)
{
    if (size % 4 == 0)
        reach(site, captured);
    else if (size % 4 == 1)
        take_notes(site, captured);
    else if (validate(site, captured) == AMP_OK)
        translate(site, captured, size % 4 == 2 ? &amp_priv_opencl_target : &amp_priv_cuda_target);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static float memory[2][ROWS][COLUMNS];
    static int n = ROWS;
    static const amp_priv_capture captures[] = { { "u", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "v", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 },
                                                 { "n", AMP_PRIV_CAPTURE_SCALAR, "int", sizeof n, 0 },
                                                 { "s", AMP_PRIV_CAPTURE_STRUCT, "shifts", sizeof(shifts), 0 },
                                                 { "e", AMP_PRIV_CAPTURE_STRUCT, "amp_extent2", 8, 0 } };
    AMP_CONST_ARRAY_VIEW(float, 2, u, memory[0][0], ROWS, COLUMNS);
    AMP_ARRAY_VIEW(float, 2, v, memory[1][0], ROWS, COLUMNS);
    shifts s = { 0, 0.5f, -2, 1, { 3, 4 } };
    amp_extent2 e = AMP_EXTENT(ROWS, COLUMNS);
    void *const captured[] = { &u, &v, &n, &s, &e };
    static const char *const names[] = { "f0", "f1", "f2" };
    amp_priv_user_definition definitions[FUNCTIONS] = { { .name = NULL } }, *list = amp_priv_user_definitions;
    char *const text = malloc(size + 1);
    amp_set_error_handler(quiet, NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    const char *body = text;
    for (int i = 0; i < FUNCTIONS && body + strlen(body) < text + size; i++, body += strlen(body) + 1) {
        definitions[i].name = names[i];
        definitions[i].text = body;
        definitions[i].kind = AMP_PRIV_DEFINES_FUNCTION;
        definitions[i].next = list;
        list = &definitions[i];
    }
    amp_priv_launch_site site = { .text = body, .rank = 2, .captures = captures, .capture_count = CAPTURES };
    site.function = "caller";
    site.file = "file.c";
    site.index = size / 4 % 2 ? "(r, c)" : "t";
    site.tiled = size / 4 % 2 == 0;
    site.tile[0] = site.tile[1] = site.tiled ? 4 : 0;
    site.user_definitions = &list;
    read_kernel(&site, captured, size);
    free(text);
    return 0;
}
