/* SPDX-License-Identifier: MIT */
/*  amp/checked/portability_kernel.h - checked builds: what a kernel needs that another device may not have

    Contents (search for the tag):
        >>tile  >>unwritten  >>unneeded */
#ifndef AMP_CHECKED_PORTABILITY_KERNEL_H
#define AMP_CHECKED_PORTABILITY_KERNEL_H

#include "../codegen/program.h"
#include "../memory/source.h"
#include "bounds.h"

#if defined(AMP_CHECKED)

/* What is known of a site's mistake, no dry run reports again (dry_run.h). */
AMP_PRIV_PRINTF(2, 3)
AMP_PRIV_COLD void amp_priv_portability_warn(const amp_priv_launch_site *site, const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    amp_priv_site_reports((amp_priv_launch_site *)(uintptr_t)site, AMP_PRIV_REPORTED_DRY);
    amp_priv_log(AMP_PRIV_LOG_WARNING, "kernel in %s, at or near %s:%d: %s", site->function, site->file, site->line,
                 text);
}

/* // >>tile */

enum {
    AMP_PRIV_COMMON_THREADS = 1024,     /* of a tile, and */
    AMP_PRIV_COMMON_BYTES = 32 << 10,   /* tile_static bytes: what common GPUs take at least */
    AMP_PRIV_TILE_STACK_BYTES = 4 << 20 /* half of what threads have */
};

/* The bytes of the tile_static variables whose sizes can be known. */
AMP_PRIV_COLD size_t amp_priv_tile_static_bytes(const amp_priv_launch *launch)
{
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(launch->site, launch->captured);
    const amp_priv_tree_node *const node = body->tree.node;
    size_t bytes = 0;
    for (int n = 1; n < body->tree.count && !body->tree.failed; n++)
        if (node[n].kind == AMP_PRIV_TREE_DECLARE && node[n].meaning == AMP_PRIV_MEANS_TILE_STATIC)
            bytes += amp_priv_tree_declared_size(&body->tree, n);
    amp_priv_site_tree_release(body);
    return bytes;
}

/* Once per site. An algorithm's tile is no choice of the caller's. */
AMP_PRIV_COLD void amp_priv_portability_tile(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    if (amp_priv_site_is_algorithm(site))
        return;
    char tile[64];
    const size_t threads = amp_priv_tile_threads(site);
    if (threads > AMP_PRIV_COMMON_THREADS)
        amp_priv_portability_warn(site, "a tile of %s has %zu threads, and common GPUs take %d: choose a smaller tile",
                                  amp_priv_list(tile, sizeof tile, site->tile, site->rank), threads,
                                  AMP_PRIV_COMMON_THREADS);
    const size_t bytes = amp_priv_tile_static_bytes(launch);
    if (bytes > AMP_PRIV_TILE_STACK_BYTES)
        amp_priv_portability_warn(
            site,
            "its tile_static variables take %zu bytes, which the CPU backend keeps on the stack: a thread may crash "
            "with more than %d; work on smaller blocks, or use a view",
            bytes, AMP_PRIV_TILE_STACK_BYTES);
    else if (bytes > AMP_PRIV_COMMON_BYTES)
        amp_priv_portability_warn(
            site,
            "its tile_static variables take %zu bytes, and some GPUs have %d for a tile: work on smaller "
            "blocks",
            bytes, AMP_PRIV_COMMON_BYTES);
}

/* // >>unwritten */

/* Does the body only read elements of a capture, or (adds) add to them, and know nothing else of it? */
AMP_PRIV_COLD bool amp_priv_body_only_reads(const amp_priv_launch *launch, int i, bool adds)
{
    const char *const name = launch->site->captures[i].name;
    const amp_priv_kernel_tree *const body = amp_priv_site_tree_acquire(launch->site, launch->captured);
    const amp_priv_tree *const tree = &body->tree;
    bool only_reads = body->good;
    for (int n = 0; only_reads && (n = amp_priv_tree_next_use(tree, name, n)) != 0;) {
        const int access = tree->node[n].parent;
        const amp_priv_tree_use use = amp_priv_tree_use_of(tree, access);
        only_reads = tree->node[access].kind == AMP_PRIV_TREE_ACCESS && tree->node[access].a == n &&
                     (use == AMP_PRIV_TREE_READ || (adds && use == AMP_PRIV_TREE_CHANGE));
    }
    amp_priv_site_tree_release(body);
    return only_reads;
}

/* Makes a capture that was never written and is only read look empty, so that the bounds check in AMP_AT reports it. */
AMP_PRIV_COLD void amp_priv_hide_unwritten(const amp_priv_launch *launch, int i)
{
    amp_priv_head *const head = launch->captured[i];
    if (!amp_priv_body_only_reads(launch, i, true))
        return;
    launch->fault->unwritten |= UINT64_C(1) << i;
    memset((int *)(uintptr_t)amp_priv_head_extent(head), 0, head->rank * sizeof(int));
}

/* // >>unneeded */

/* Once per site: views that a kernel may write, and only reads. */
AMP_PRIV_COLD void amp_priv_portability_reading(const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    for (int i = 0; i < site->capture_count && amp_priv_log_level() >= AMP_PRIV_LOG_INFO; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head && head->kind == AMP_PRIV_VIEW && !launch->watched[i]->owns_host &&
            amp_priv_body_only_reads(launch, i, false))
            amp_priv_log(AMP_PRIV_LOG_INFO,
                         "kernel in %s, at or near %s:%d: the body does not write %s, which a device sends home for "
                         "nothing: make it an AMP_CONST_ARRAY_VIEW, or capture amp_as_const of it",
                         site->function, site->file, site->line, site->captures[i].name);
    }
}

#endif

#endif /* AMP_CHECKED_PORTABILITY_KERNEL_H */
