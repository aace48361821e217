/* SPDX-License-Identifier: MIT */
/*  amp/memory/launch_bytes.h - how much a launch moves, for those who look on */
#ifndef AMP_MEMORY_LAUNCH_BYTES_H
#define AMP_MEMORY_LAUNCH_BYTES_H

#include "../device/launch_site.h"
#include "../device/view_header.h"

/* The bytes that a launch moves at least: those of captured views, once if the body reads or writes them, twice if it
   does both. Where the body is not known, a view that is not const counts twice. */
AMP_PRIV_COLD uint64_t amp_priv_launch_bytes(const amp_priv_launch *launch)
{
    uint64_t bytes = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        const amp_priv_head *const head = launch->captured[i];
        const amp_priv_shape shape = amp_priv_shape_of(head);
        uint64_t size = shape.element_size;
        for (int d = 0; d < shape.rank; d++)
            size *= (uint64_t)shape.extent[d];
        const bool may_write = head->kind != AMP_PRIV_CONST_VIEW, known = launch->site->uses_known;
        bytes += !known || launch->site->reads >> i & 1u ? size : 0;
        bytes += may_write && (!known || launch->site->writes >> i & 1u) ? size : 0;
    }
    return bytes;
}

#endif /* AMP_MEMORY_LAUNCH_BYTES_H */
