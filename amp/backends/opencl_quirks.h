/* SPDX-License-Identifier: MIT */
/*  amp/backends/opencl_quirks.h - faults of OpenCL drivers, and what is done about them

    The list has a row for each fault: the driver, by a part of its platform's name, the version and the date at which
    it was seen, and what the backend does. A row with a bit is looked up when a device is found; the others are decided
    by what a call returns, or in a kernel's text. docs/internals/compiler-bugs.md has the programs that show them. */
#ifndef AMP_BACKENDS_OPENCL_QUIRKS_H
#define AMP_BACKENDS_OPENCL_QUIRKS_H

#include "../codegen/rewrite_tiles.h"
#include "../codegen/tree_use.h"

enum {
    AMP_PRIV_QUIRK_COUNTS_TWICE = 1, /* a kernel's local memory */
    AMP_PRIV_QUIRK_SLOW_BINARY = 2,
    AMP_PRIV_QUIRK_BLOCKS_OTHERS = 4
};

typedef struct amp_priv_opencl_quirk {
    unsigned bit;         /* 0: not looked up */
    const char *platform; /* a part of its name */
    const char *version, *date;
    const char *remedy;
} amp_priv_opencl_quirk;

__attribute__((unused)) static const amp_priv_opencl_quirk amp_priv_opencl_quirks[] = {
    { 0, "Portable Computing Language", "3.1", "2026-11",
      "it gives all threads what one of them has at the end of a branch with a barrier, in a loop: such branches end "
      "with a store that stays" },
    { 0, "Portable Computing Language", "3.1", "2026-11",
      "it aborts where two threads launch a kernel that it is still compiling: the first launch is waited for, on all "
      "CPU devices" },
    { 0, "Portable Computing Language", "3.1", "2026-11",
      "processes that build the same program share files, and one may fail without an error in its log: it builds "
      "again" },
    { 0, "Portable Computing Language", "3.1", "2026-11",
      "vload_half may be a function that is nowhere: halves are computed" },
    { 0, "Portable Computing Language", "5.0", "2026-11",
      "it loses sums in private memory in loops with barriers that have loops: kernels with blocks of matrices are not "
      "optimised" },
    { AMP_PRIV_QUIRK_SLOW_BINARY, "Portable Computing Language", "3.1", "2026-11",
      "it compiles a kernel once more to give its binary, for work-groups of any size, and has a cache of its own: the "
      "library keeps no binaries" },
    { AMP_PRIV_QUIRK_COUNTS_TWICE, "rusticl", "Mesa 22.3", "2026-11",
      "it counts a kernel's local memory twice: half is taken" },
    { 0, "NVIDIA", "580", "2026-11",
      "it refuses a rectangle whose last row's pitch is beyond the end of the buffer: the last row is a copy of its "
      "own" },
    { 0, "NVIDIA", "580", "2026-11", "it prints the number of warnings to stderr: -w" },
    { 0, "NVIDIA", "580", "2026-11",
      "it computes before a loop what CUDA's compiler computes in it: kernels that look back take 58 to 124 registers "
      "for 40, and half the speed: they are limited" },
    { 0, "NVIDIA", "580", "2026-11",
      "its stores to volatile memory are for the whole system, and a third of the speed of what looks back: atomic "
      "stores exchange" },
    { AMP_PRIV_QUIRK_BLOCKS_OTHERS, "NVIDIA", "580", "2026-11",
      "during a blocking transfer those of other threads wait, also on other queues: long ones are waited for by their "
      "event" },
    { 0, "Intel", "2026.22", "2026-11",
      "its CPU runtime takes seven times as long by shuffles of 32 threads: CPUs' sub-groups use local memory" },
};

/* The bits of a platform's rows. */
AMP_PRIV_COLD unsigned amp_priv_opencl_quirks_of(const char *platform)
{
    unsigned quirks = 0;
    for (size_t i = 0; i < sizeof amp_priv_opencl_quirks / sizeof amp_priv_opencl_quirks[0]; i++)
        if (strstr(platform, amp_priv_opencl_quirks[i].platform))
            quirks |= amp_priv_opencl_quirks[i].bit;
    return quirks;
}

/* A program's options. amp_priv_many_tiles: a kernel whose tiles look back (amp/algorithms/look_back.h), of 256
   threads, of which a processor is to have five. NVIDIA's compiler takes no limit where the size of a work-group is
   required. */
AMP_PRIV_COLD void amp_priv_opencl_build_options(char *out, size_t size, const amp_priv_build *build,
                                                 uint32_t compute_capability)
{
    const bool limited = compute_capability > 0 && strstr(build->text, "amp_priv_many_tiles");
    snprintf(out, size, "%s%s", build->options,
             limited ? " -cl-nv-maxrregcount=48 -Dreqd_work_group_size=work_group_size_hint" : "");
}

/* The end of a branch that waits at a barrier, in a loop. pocl gives all threads what one of them has there, where the
   last thing in it is a condition that threads answer differently, or a jump out of it; not so before an access that it
   keeps. */
__attribute__((unused)) static const char amp_priv_text_opencl_branch_end[] =
    "#ifdef POCL_DEVICE_ADDRESS_BITS\n"
    "#define amp_priv_branch_end { volatile int amp_priv_seen = 0; (void)amp_priv_seen; }\n#else\n"
    "#define amp_priv_branch_end\n#endif\n";

/* Do threads wait for each other between? */
AMP_PRIV_COLD bool amp_priv_opencl_waits(amp_priv_cursor from, amp_priv_cursor end)
{
    while (from < end && !amp_priv_token_waits(from->token))
        from++;
    return from < end;
}

/* The { that begins the block of a loop or branch at t; any other token where there is none. */
AMP_PRIV_COLD amp_priv_cursor amp_priv_opencl_block_of(amp_priv_cursor t, bool is_branch)
{
    amp_priv_cursor next = t + 1;
    if (!amp_priv_is(t, "do") && amp_priv_is(next, "("))
        next = amp_priv_closing(next) + 1;
    return is_branch && amp_priv_is(next, "do") ? next + 1 : next;
}

/* in_branch: such a branch is around, and within the innermost loop, which a `break` or `continue` ends or repeats. */
AMP_PRIV_COLD void amp_priv_opencl_end_branches(amp_priv_token_list *body, amp_priv_cursor from, amp_priv_cursor end,
                                                bool in_loop, bool in_branch)
{
    for (amp_priv_cursor t = from; t < end; t++) {
        if (in_branch && (amp_priv_is(t, "break") || amp_priv_is(t, "continue"))) {
            amp_priv_token_insert(body, &body->token[t - body->token], "{ amp_priv_branch_end; ");
            amp_priv_token_insert(body, &body->token[t + 2 - body->token], "} ");
        }
        const bool is_branch = amp_priv_is(t, "if") || amp_priv_is(t, "else");
        const bool is_loop = amp_priv_is(t, "for") || amp_priv_is(t, "while");
        if (!is_branch && !is_loop && !amp_priv_is(t, "do"))
            continue;
        const amp_priv_cursor open = amp_priv_opencl_block_of(t, is_branch), close = amp_priv_closing(open);
        if (!amp_priv_is(open, "{"))
            continue;
        const bool again = amp_priv_is(close + 1, "while") && !amp_priv_is(close + 3, "0"); /* while (0) is none */
        const bool waits = is_branch && in_loop && amp_priv_opencl_waits(open, close);
        amp_priv_opencl_end_branches(body, open + 1, close, in_loop || is_loop || again,
                                     is_branch && (in_branch || waits));
        if (waits)
            amp_priv_token_insert(body, &body->token[close - body->token], "amp_priv_branch_end; ");
        t = close;
    }
}

/* Is that a number, or a constant of the launch? */
AMP_PRIV_COLD bool amp_priv_opencl_is_constant(const amp_priv_launch_site *site, amp_priv_cursor t)
{
    bool is = t->token.kind == AMP_PRIV_TOKEN_NUMBER;
    for (int i = 0; i < site->capture_count && !is; i++)
        is = site->captures[i].kind == AMP_PRIV_CAPTURE_CONSTANT && amp_priv_is(t, site->captures[i].name);
    return is;
}

AMP_PRIV_COLD void amp_priv_opencl_rewrite_tiled(amp_priv_token_list *body, const amp_priv_launch_site *site)
{
    for (amp_priv_source_token *t = body->token; t < body->token + body->count; t++) {
        const amp_priv_cursor turns = amp_priv_is(t, "for") ? amp_priv_turns_of_phase(t) : NULL;
        if (turns && amp_priv_opencl_is_constant(site, turns))
            amp_priv_token_insert(body, t, "amp_priv_unroll_phases ");
    }
    amp_priv_opencl_end_branches(body, body->token, body->token + body->count, false, false);
}

#endif /* AMP_BACKENDS_OPENCL_QUIRKS_H */
