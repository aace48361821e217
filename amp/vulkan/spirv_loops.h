/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/spirv_loops.h - threads meet before a barrier at the end of a loop

    clspv makes of

        for (...) { ...; if (some) ...; barrier(...); ... }

    a loop whose continue target has the barrier, and to which `if` branches without a merge block of its own. Vulkan
    does not say that threads are together again in a continue target. On NVIDIA's driver those of a warp that took the
    branch reach the barrier apart from the others, and the work-group runs past it. So the block with the barrier
    becomes the merge block of `if`, and the continue target a block after it:

        before                                          after
        H: OpLoopMerge %end %C                          H: OpLoopMerge %end %L
        B: OpBranchConditional %some %A %C              B: OpSelectionMerge %C
                                                           OpBranchConditional %some %A %C
        C: OpControlBarrier                             C: OpControlBarrier
           OpBranchConditional %last %end %H               OpBranchConditional %last %end %L
                                                        L: OpBranch %H */
#ifndef AMP_VULKAN_SPIRV_LOOPS_H
#define AMP_VULKAN_SPIRV_LOOPS_H

#include "spirv.h"

enum {
    AMP_PRIV_SPIRV_CALL = 57,
    AMP_PRIV_SPIRV_BARRIER = 224,
    AMP_PRIV_SPIRV_MERGE = 247, /* OpSelectionMerge */
    AMP_PRIV_SPIRV_BRANCH = 249,
    AMP_PRIV_SPIRV_BRANCH_IF = 250,
    AMP_PRIV_SPIRV_LAST_BRANCH = 255
};

/* A loop that is changed: numbers of blocks, and where instructions are. */
typedef struct amp_priv_spirv_loop {
    uint32_t header, next, latch; /* its first block, the continue target, that block's successor */
    size_t merge, branch, end;    /* OpLoopMerge, the branch to `next`, the branch at the end of `next` */
} amp_priv_spirv_loop;

/* Does the instruction end a block? */
AMP_PRIV_COLD bool amp_priv_spirv_ends_block(const amp_priv_spirv *module, size_t at)
{
    const unsigned code = amp_priv_spirv_code(module, at);
    return code >= AMP_PRIV_SPIRV_BRANCH && code <= AMP_PRIV_SPIRV_LAST_BRANCH;
}

/* Where the block that begins at `block` ends, if threads wait in it; else 0. A call may be a barrier's. */
AMP_PRIV_COLD size_t amp_priv_spirv_end_of_waiting(const amp_priv_spirv *module, size_t block)
{
    bool waits = false;
    size_t at = block;
    while (at < module->count && !amp_priv_spirv_ends_block(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        waits = waits || code == AMP_PRIV_SPIRV_BARRIER || code == AMP_PRIV_SPIRV_CALL;
        at += amp_priv_spirv_length(module, at);
    }
    return waits && at < module->count ? at : 0;
}

/* The only branch to a block that depends on a condition and has no merge block; 0: there is none, or are several, or
   the block is a merge block already. `own`: the one at the end of the block. */
AMP_PRIV_COLD size_t amp_priv_spirv_bare_branch(const amp_priv_spirv *module, uint32_t block, size_t own)
{
    size_t found = 0, before = 0;
    int count = 0;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module->count; at += amp_priv_spirv_length(module, at)) {
        const unsigned code = amp_priv_spirv_code(module, at);
        const unsigned last = before ? amp_priv_spirv_code(module, before) : 0;
        if (code == AMP_PRIV_SPIRV_MERGE && amp_priv_spirv_operand(module, at, 1) == block)
            return 0;
        if (code == AMP_PRIV_SPIRV_BRANCH_IF && at != own && last != AMP_PRIV_SPIRV_MERGE &&
            last != AMP_PRIV_SPIRV_LOOP &&
            (amp_priv_spirv_operand(module, at, 2) == block || amp_priv_spirv_operand(module, at, 3) == block)) {
            found = at;
            count++;
        }
        before = at;
    }
    return count == 1 ? found : 0;
}

/* The loop whose OpLoopMerge is at `merge`, in the block `header`; false: it stays as it is. */
AMP_PRIV_COLD bool amp_priv_spirv_loop_of(const amp_priv_spirv *module, size_t merge, uint32_t header,
                                          amp_priv_spirv_loop *loop)
{
    const size_t block = amp_priv_spirv_definition(module, merge, 2, AMP_PRIV_SPIRV_LABEL);
    *loop = (amp_priv_spirv_loop){ .header = header, .next = amp_priv_spirv_operand(module, merge, 2), .merge = merge };
    loop->end = block && loop->next != header ? amp_priv_spirv_end_of_waiting(module, block) : 0;
    loop->branch = loop->end ? amp_priv_spirv_bare_branch(module, loop->next, loop->end) : 0;
    return loop->branch != 0;
}

/* Copies an instruction as this loop wants it, and returns the words written. */
AMP_PRIV_COLD size_t amp_priv_spirv_loop_write(const amp_priv_spirv *module, size_t at, bool in_header,
                                               const amp_priv_spirv_loop *loop, uint32_t *to)
{
    const unsigned length = amp_priv_spirv_length(module, at);
    const uint32_t met[] = { 3u << 16 | AMP_PRIV_SPIRV_MERGE, loop->next, 0 };
    const uint32_t latch[] = { 2u << 16 | AMP_PRIV_SPIRV_LABEL, loop->latch, 2u << 16 | AMP_PRIV_SPIRV_BRANCH,
                               loop->header };
    const bool is_phi = in_header && amp_priv_spirv_code(module, at) == AMP_PRIV_SPIRV_PHI;
    size_t count = 0;
    if (at == loop->branch) {
        memcpy(to, met, sizeof met);
        count = sizeof met / sizeof met[0];
    }
    uint32_t *const copy = to + count;
    memcpy(copy, module->word + at, length * sizeof *to);
    count += length;
    if (at == loop->merge)
        copy[2] = loop->latch;
    for (unsigned n = 4; is_phi && n < length; n += 2)
        copy[n] = copy[n] == loop->next ? loop->latch : copy[n];
    for (unsigned n = 1; at == loop->end && n < length; n++)
        copy[n] = copy[n] == loop->header ? loop->latch : copy[n];
    if (at == loop->end) {
        memcpy(to + count, latch, sizeof latch);
        count += sizeof latch / sizeof latch[0];
    }
    return count;
}

enum { AMP_PRIV_SPIRV_LOOP_ADDS = 7 /* words */ };

/* Changes one loop of a module; false: none is left to change. *word is new memory, and is exchanged. */
AMP_PRIV_COLD bool amp_priv_spirv_change_loop(uint32_t **word, size_t *count)
{
    amp_priv_spirv module;
    amp_priv_spirv_loop loop = { 0, 0, 0, 0, 0, 0 };
    uint32_t block = 0;
    bool found = false;
    if (!amp_priv_spirv_open(&module, *word, *count * sizeof **word))
        return false;
    for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module.count && !found; at += amp_priv_spirv_length(&module, at)) {
        const unsigned code = amp_priv_spirv_code(&module, at);
        if (code == AMP_PRIV_SPIRV_LABEL)
            block = amp_priv_spirv_operand(&module, at, 1);
        found = code == AMP_PRIV_SPIRV_LOOP && amp_priv_spirv_loop_of(&module, at, block, &loop);
    }
    uint32_t *const to = found ? malloc((*count + AMP_PRIV_SPIRV_LOOP_ADDS) * sizeof *to) : NULL;
    if (to) {
        size_t written = AMP_PRIV_SPIRV_HEAD;
        memcpy(to, *word, written * sizeof *to);
        loop.latch = to[3]++; /* the first number that the module does not use */
        for (size_t at = AMP_PRIV_SPIRV_HEAD; at < module.count; at += amp_priv_spirv_length(&module, at)) {
            if (amp_priv_spirv_code(&module, at) == AMP_PRIV_SPIRV_LABEL)
                block = amp_priv_spirv_operand(&module, at, 1);
            written += amp_priv_spirv_loop_write(&module, at, block == loop.header, &loop, to + written);
        }
        free(*word);
        *word = to;
        *count = written;
    }
    amp_priv_spirv_close(&module);
    return to != NULL;
}

/* Changes all loops that need it. */
AMP_PRIV_COLD void amp_priv_spirv_join_loops(uint32_t **word, size_t *count)
{
    while (amp_priv_spirv_change_loop(word, count))
        ;
}

#endif /* AMP_VULKAN_SPIRV_LOOPS_H */
