/* SPDX-License-Identifier: MIT */
/*  amp/memory/coherence.h - which memory holds the current contents of each region

    Contents (search for the tag):
        >>blocks  >>directory */
#ifndef AMP_MEMORY_COHERENCE_H
#define AMP_MEMORY_COHERENCE_H

#include "../base/text.h"
#include "region.h"
#include "request.h"

/* // >>blocks */

/* A box of the directory; bit n of `valid_in` is set where the replica in memory n is valid. */
typedef struct amp_priv_block {
    amp_priv_box box;
    uint32_t valid_in;
    bool discarded;
    bool changed; /* since the last merge */
} amp_priv_block;

_Static_assert(AMP_PRIV_MAX_DEVICES <= 31, "amp: a block's mask of memories has 32 bits, one of them unused");

/* Is it valid nowhere, though its contents are wanted? */
AMP_PRIV_WARM_PART bool amp_priv_block_is_unknown(const amp_priv_block *block)
{
    return block->valid_in == 0 && !block->discarded;
}

AMP_PRIV_WARM_PART bool amp_priv_block_same_state(const amp_priv_block *a, const amp_priv_block *b)
{
    return a->valid_in == b->valid_in && a->discarded == b->discarded;
}

/* Must its contents be copied in before this is granted? */
AMP_PRIV_WARM_PART bool amp_priv_block_needs_copy(const amp_priv_block *block, int memory, amp_priv_access_request want)
{
    const bool reads = want == AMP_PRIV_READ || want == AMP_PRIV_READ_WRITE;
    return reads && !block->discarded && !(block->valid_in & amp_priv_bit(memory));
}

AMP_PRIV_WARM_PART uint32_t amp_priv_block_valid_after(const amp_priv_block *block, int memory,
                                                       amp_priv_access_request want)
{
    switch (want) {
    case AMP_PRIV_READ: return block->discarded ? block->valid_in : block->valid_in | amp_priv_bit(memory);
    case AMP_PRIV_DISCARD: return block->valid_in;
    default: return amp_priv_bit(memory);
    }
}

AMP_PRIV_WARM_PART bool amp_priv_block_discarded_after(const amp_priv_block *block, amp_priv_access_request want)
{
    return want == AMP_PRIV_DISCARD || (want == AMP_PRIV_READ && block->discarded);
}

/* Would granting this change the block? */
AMP_PRIV_WARM_PART bool amp_priv_block_changes(const amp_priv_block *block, int memory, amp_priv_access_request want)
{
    return amp_priv_block_valid_after(block, memory, want) != block->valid_in ||
           amp_priv_block_discarded_after(block, want) != block->discarded;
}

/* Grants it. What had to be copied in is in place. */
AMP_PRIV_WARM_PART void amp_priv_block_grant(amp_priv_block *block, int memory, amp_priv_access_request want)
{
    block->valid_in = amp_priv_block_valid_after(block, memory, want);
    block->discarded = amp_priv_block_discarded_after(block, want);
    block->changed = true;
}

/* // >>directory */

enum { AMP_PRIV_INLINE_BLOCKS = 2 };

typedef struct amp_priv_directory {
    int rank;
    int extent[AMP_MAX_RANK];
    int count, capacity;
    amp_priv_block *blocks;
    amp_priv_block inline_blocks[AMP_PRIV_INLINE_BLOCKS];
    /* A summary, kept by amp_priv_directory_merge: the memories where all blocks are valid, and where any is, with
       AMP_PRIV_NOBODY for one that is valid nowhere. */
    uint32_t valid_in_all, valid_in_any;
    bool discarded; /* any block */
    bool divided;   /* split, and not merged since */
} amp_priv_directory;

/* By the summary: is every block valid at that memory alone, and none discarded? */
static inline bool amp_priv_directory_is_owned(const amp_priv_directory *directory, int memory)
{
    return directory->valid_in_any == amp_priv_bit(memory) && !directory->discarded;
}

AMP_PRIV_WARM_PART void amp_priv_directory_summarize(amp_priv_directory *directory)
{
    uint32_t valid_in_all = ~UINT32_C(0), valid_in_any = 0;
    bool discarded = false;
    for (int i = 0; i < directory->count; i++) {
        valid_in_all &= directory->blocks[i].valid_in;
        valid_in_any |= directory->blocks[i].valid_in ? directory->blocks[i].valid_in : AMP_PRIV_NOBODY;
        discarded = discarded || directory->blocks[i].discarded;
    }
    directory->valid_in_all = valid_in_all;
    directory->valid_in_any = valid_in_any;
    directory->discarded = discarded;
}

/* One block, which is valid at its owner alone. */
AMP_PRIV_WARM_PART void amp_priv_directory_reset(amp_priv_directory *directory, int owner, bool discarded)
{
    amp_priv_block *const block = directory->blocks;
    for (int d = 0; d < directory->rank; d++) {
        block->box.lo[d] = 0;
        block->box.hi[d] = directory->extent[d];
    }
    block->valid_in = amp_priv_bit(owner);
    block->discarded = discarded;
    block->changed = false;
    directory->count = 1;
    directory->divided = false;
    amp_priv_directory_summarize(directory);
}

/* The same of a new directory; the host is the owner. */
AMP_PRIV_WARM_PART void amp_priv_directory_init(amp_priv_directory *directory, int rank, const int *extent)
{
    directory->rank = rank;
    for (int d = 0; d < rank; d++)
        directory->extent[d] = extent[d];
    directory->blocks = directory->inline_blocks;
    directory->capacity = AMP_PRIV_INLINE_BLOCKS;
    amp_priv_directory_reset(directory, 0, false);
}

AMP_PRIV_WARM_PART void amp_priv_directory_free(amp_priv_directory *directory)
{
    if (directory->blocks != directory->inline_blocks)
        free(directory->blocks);
}

/* Increases the capacity by so many blocks. False when there is no memory. */
AMP_PRIV_WARM bool amp_priv_directory_reserve(amp_priv_directory *directory, int more)
{
    return directory->capacity - directory->count >= more ||
           amp_priv_list_reserve(&directory->blocks, &directory->capacity, directory->count + more,
                                 sizeof *directory->blocks, directory->inline_blocks);
}

/* Cuts off the slabs of block i that lie outside of a box inside it. There is room. */
AMP_PRIV_WARM void amp_priv_directory_cut(amp_priv_directory *directory, int i, const amp_priv_box *inside)
{
    amp_priv_block *const block = &directory->blocks[i];
    block->changed = true;
    for (int d = 0; d < directory->rank; d++) {
        if (block->box.lo[d] < inside->lo[d]) {
            directory->blocks[directory->count] = *block;
            directory->blocks[directory->count++].box.hi[d] = inside->lo[d];
            block->box.lo[d] = inside->lo[d];
        }
        if (block->box.hi[d] > inside->hi[d]) {
            directory->blocks[directory->count] = *block;
            directory->blocks[directory->count++].box.lo[d] = inside->hi[d];
            block->box.hi[d] = inside->hi[d];
        }
    }
}

/* Joins block i with a neighbour in the same state; the last block fills the gap. Returns where the joined block is, or
   -1: there is no such neighbour. */
AMP_PRIV_WARM_PART int amp_priv_directory_join(amp_priv_directory *directory, int i)
{
    amp_priv_block *const block = &directory->blocks[i];
    for (int j = 0; j < directory->count; j++) {
        const amp_priv_block *const other = &directory->blocks[j];
        if (i == j || !amp_priv_block_same_state(block, other) ||
            !amp_priv_box_join(&block->box, &other->box, directory->rank))
            continue;
        const int first = i < j ? i : j, second = i < j ? j : i;
        block->changed = true;
        directory->blocks[first] = *block;
        directory->blocks[second] = directory->blocks[--directory->count];
        return first;
    }
    return -1;
}

/* Joins neighbours in the same state, where something changed, and brings the summary up to date. */
AMP_PRIV_WARM void amp_priv_directory_merge(amp_priv_directory *directory)
{
    for (int i = 0; i < directory->count; i++) {
        if (!directory->blocks[i].changed)
            continue;
        directory->blocks[i].changed = false;
        const int joined = amp_priv_directory_join(directory, i);
        if (joined >= 0)
            i = joined - 1; /* it has other neighbours now */
    }
    directory->divided = false;
    amp_priv_directory_summarize(directory);
}

/* Does the request change block i, and is some of it inside the box? `common`: what is. */
AMP_PRIV_WARM_PART bool amp_priv_directory_concerns(const amp_priv_directory *directory, int i, const amp_priv_box *box,
                                                    int memory, amp_priv_access_request want, amp_priv_box *common)
{
    const amp_priv_block *const block = &directory->blocks[i];
    return amp_priv_box_meet(&block->box, box, directory->rank, common) && amp_priv_block_changes(block, memory, want);
}

/* Splits blocks on the borders of boxes, so that each block which the request changes is inside a box or outside of
   all. False when there is no memory; every element is as it was in any case. */
AMP_PRIV_WARM bool amp_priv_directory_split(amp_priv_directory *directory, const amp_priv_box *boxes, int count,
                                            int memory, amp_priv_access_request want)
{
    amp_priv_box common;
    directory->divided = true;
    for (int b = 0; b < count; b++) {
        const int before = directory->count;
        int more = 0;
        for (int i = 0; i < before; i++)
            if (amp_priv_directory_concerns(directory, i, &boxes[b], memory, want, &common))
                more += amp_priv_box_slabs(&directory->blocks[i].box, &common, directory->rank);
        if (!amp_priv_directory_reserve(directory, more)) {
            amp_priv_directory_merge(directory);
            return false;
        }
        for (int i = 0; i < before && more > 0; i++)
            if (amp_priv_directory_concerns(directory, i, &boxes[b], memory, want, &common))
                amp_priv_directory_cut(directory, i, &common);
    }
    return true;
}

/* Grants a box to a memory, after a split for the same request: this cannot fail. Returns whether the box is in pieces,
   which are to be unified. A merge comes afterwards. */
AMP_PRIV_WARM_PART bool amp_priv_directory_grant(amp_priv_directory *directory, const amp_priv_box *box, int memory,
                                                 amp_priv_access_request want)
{
    amp_priv_box common;
    bool pieces = false;
    for (int i = 0; i < directory->count; i++) {
        if (!amp_priv_directory_concerns(directory, i, box, memory, want, &common))
            continue;
        amp_priv_block_grant(&directory->blocks[i], memory, want);
        pieces = pieces || amp_priv_box_slabs(box, &common, directory->rank) > 0;
    }
    return pieces;
}

/* What these memories have of a box is not valid any more, and unknown where no other has it, though it was discarded.
   Where there is no room to cut a block, it is all of it. */
AMP_PRIV_COLD void amp_priv_directory_invalidate(amp_priv_directory *directory, const amp_priv_box *box,
                                                 uint32_t memories)
{
    const int before = directory->count;
    for (int i = 0; i < before; i++) {
        amp_priv_box common;
        if (!(directory->blocks[i].valid_in & memories) ||
            !amp_priv_box_meet(&directory->blocks[i].box, box, directory->rank, &common))
            continue;
        if (amp_priv_directory_reserve(directory, 2 * directory->rank))
            amp_priv_directory_cut(directory, i, &common);
        directory->blocks[i].valid_in &= ~memories;
        directory->blocks[i].discarded = directory->blocks[i].discarded && directory->blocks[i].valid_in != 0;
        directory->blocks[i].changed = true;
    }
    amp_priv_directory_merge(directory);
}

/* Makes one block of all that are inside the box, where they are in the same state and none sticks out. */
AMP_PRIV_WARM void amp_priv_directory_unify(amp_priv_directory *directory, const amp_priv_box *box)
{
    amp_priv_box common;
    int first = 0;
    if (directory->count == 1)
        return;
    while (!amp_priv_box_meet(&directory->blocks[first].box, box, directory->rank, &common))
        first++; /* up to one that does: there is no gap between blocks */
    amp_priv_block *const united = &directory->blocks[first];
    for (int i = first; i < directory->count; i++) {
        const amp_priv_block *const block = &directory->blocks[i];
        if (amp_priv_box_meet(&block->box, box, directory->rank, &common) &&
            (!amp_priv_block_same_state(block, united) ||
             amp_priv_box_slabs(&block->box, &common, directory->rank) > 0))
            return;
    }
    for (int i = directory->count - 1; i > first; i--)
        if (amp_priv_box_meet(&directory->blocks[i].box, box, directory->rank, &common))
            directory->blocks[i] = directory->blocks[--directory->count];
    united->box = *box;
    united->changed = true;
}

#endif /* AMP_MEMORY_COHERENCE_H */
