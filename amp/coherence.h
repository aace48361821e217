/* SPDX-License-Identifier: MIT */
/*  amp/coherence.h - which memory holds the newest copy of which part of a data source.

    A directory divides a source into boxes that do not overlap, in the coordinates of the source's own shape.
    Each box knows which memories hold it (memory 0 is the host's, the others have their device's number) and
    whether its contents were discarded. Memories and devices are only numbers here: amp/memory.h moves bytes.

    Contents (search for the tag):
        >>states  >>boxes  >>interval  >>directory                                                   */
#ifndef AMP_COHERENCE_H
#define AMP_COHERENCE_H

#include "backend.h"

/* // >>states
   A memory's copy of a box is INVALID (not there, or old), SHARED (current, as others are) or OWNER (the only
   current one). Some memory always holds a box. */
typedef enum amp_priv_state { AMP_PRIV_INVALID, AMP_PRIV_SHARED, AMP_PRIV_OWNER } amp_priv_state;

/* What a memory asks for: to read a box; to overwrite all of it; to read and write it; to discard its contents.
   The host's refresh is a WRITE, synchronize and write-back are a READ by the source's owner. */
typedef enum amp_priv_want {
    AMP_PRIV_READ,
    AMP_PRIV_WRITE,
    AMP_PRIV_READ_WRITE,
    AMP_PRIV_DISCARD,
    AMP_PRIV_WANTS
} amp_priv_want;

typedef enum amp_priv_mark { AMP_PRIV_MARK_KEEP, AMP_PRIV_MARK_CLEAR, AMP_PRIV_MARK_SET } amp_priv_mark;

typedef struct amp_priv_transition {
    bool possible;
    amp_priv_state mine, others;
    bool copy_in;       /* the contents must come from another memory first, unless they were discarded */
    amp_priv_mark mark; /* what becomes of the discarded mark */
} amp_priv_transition;

/* [mine][others][want]. `others` is INVALID when no other memory holds the box, OWNER when exactly one does and this
   one does not, SHARED otherwise. A READ of a discarded box that is not here changes nothing. */
static const amp_priv_transition amp_priv_transitions[3][3][AMP_PRIV_WANTS] = {
    [AMP_PRIV_INVALID] =
        {
            [AMP_PRIV_SHARED] =
                {
                    [AMP_PRIV_READ] = {true, AMP_PRIV_SHARED, AMP_PRIV_SHARED, true, AMP_PRIV_MARK_KEEP},
                    [AMP_PRIV_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_READ_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, true, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_DISCARD] = {true, AMP_PRIV_INVALID, AMP_PRIV_SHARED, false, AMP_PRIV_MARK_SET},
                },
            [AMP_PRIV_OWNER] =
                {
                    [AMP_PRIV_READ] = {true, AMP_PRIV_SHARED, AMP_PRIV_SHARED, true, AMP_PRIV_MARK_KEEP},
                    [AMP_PRIV_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_READ_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, true, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_DISCARD] = {true, AMP_PRIV_INVALID, AMP_PRIV_OWNER, false, AMP_PRIV_MARK_SET},
                },
        },
    [AMP_PRIV_SHARED] =
        {
            [AMP_PRIV_SHARED] =
                {
                    [AMP_PRIV_READ] = {true, AMP_PRIV_SHARED, AMP_PRIV_SHARED, false, AMP_PRIV_MARK_KEEP},
                    [AMP_PRIV_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_READ_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_DISCARD] = {true, AMP_PRIV_SHARED, AMP_PRIV_SHARED, false, AMP_PRIV_MARK_SET},
                },
        },
    [AMP_PRIV_OWNER] =
        {
            [AMP_PRIV_INVALID] =
                {
                    [AMP_PRIV_READ] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_KEEP},
                    [AMP_PRIV_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_READ_WRITE] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_CLEAR},
                    [AMP_PRIV_DISCARD] = {true, AMP_PRIV_OWNER, AMP_PRIV_INVALID, false, AMP_PRIV_MARK_SET},
                },
        },
};

/* // >>boxes */

/* The elements whose index is in [lo, hi) in every dimension. */
typedef struct amp_priv_box {
    int lo[AMP_MAX_RANK], hi[AMP_MAX_RANK];
} amp_priv_box;

/* A box of the directory: bit n of `valid_in` is set when memory n holds it. */
typedef struct amp_priv_block {
    amp_priv_box box;
    uint32_t valid_in;
    bool discarded;
    bool changed; /* since the last merge */
} amp_priv_block;

_Static_assert(AMP_PRIV_MAX_DEVICES <= 32, "amp: a block's mask of memories has 32 bits");

static inline uint32_t amp_priv_bit(int memory) { return UINT32_C(1) << memory; }

/* The intersection of two boxes; false when it is empty. */
static inline bool amp_priv_box_meet(const amp_priv_box *a, const amp_priv_box *b, int rank, amp_priv_box *common)
{
    for (int d = 0; d < rank; d++) {
        common->lo[d] = a->lo[d] > b->lo[d] ? a->lo[d] : b->lo[d];
        common->hi[d] = a->hi[d] < b->hi[d] ? a->hi[d] : b->hi[d];
        if (common->lo[d] >= common->hi[d])
            return false;
    }
    return true;
}

static inline bool amp_priv_box_inside(const amp_priv_box *inner, const amp_priv_box *outer, int rank)
{
    for (int d = 0; d < rank; d++)
        if (inner->lo[d] < outer->lo[d] || inner->hi[d] > outer->hi[d])
            return false;
    return true;
}

/* Makes a the union of both where that is a box: they are equal in all dimensions but one, and touch in that. */
static inline bool amp_priv_box_join(amp_priv_box *a, const amp_priv_box *b, int rank)
{
    int other = -1;
    for (int d = 0; d < rank; d++) {
        if (a->lo[d] == b->lo[d] && a->hi[d] == b->hi[d])
            continue;
        if (other >= 0 || (a->hi[d] != b->lo[d] && b->hi[d] != a->lo[d]))
            return false;
        other = d;
    }
    if (other < 0)
        return true;
    if (b->lo[other] < a->lo[other])
        a->lo[other] = b->lo[other];
    if (b->hi[other] > a->hi[other])
        a->hi[other] = b->hi[other];
    return true;
}

/* // >>interval */

enum { AMP_PRIV_MAX_BOXES = 2 * AMP_MAX_RANK - 1 };

/* Elements [first, end) of the row-major order of `extent` as boxes: at most 2 rank - 1. Returns how many. */
static inline int amp_priv_interval_boxes(int rank, const int *extent, size_t first, size_t end, amp_priv_box *boxes)
{
    int count = 0;
    while (first < end) {
        /* The largest box that begins at `first`: whole slices of the outermost dimension possible. */
        int d = rank - 1;
        size_t slice = 1; /* elements of one step in dimension d */
        while (d > 0) {
            const size_t next = slice * (size_t)extent[d];
            if (first % next != 0 || end - first < next)
                break;
            slice = next;
            d--;
        }
        amp_priv_box *const box = &boxes[count++];
        size_t rest = first / slice;
        size_t length = (end - first) / slice;
        for (int k = rank - 1; k > d; k--) {
            box->lo[k] = 0;
            box->hi[k] = extent[k];
        }
        for (int k = d; k >= 0; k--) {
            box->lo[k] = (int)(rest % (size_t)extent[k]);
            box->hi[k] = box->lo[k] + 1;
            rest /= (size_t)extent[k];
        }
        if (length > (size_t)(extent[d] - box->lo[d]))
            length = (size_t)(extent[d] - box->lo[d]);
        box->hi[d] = box->lo[d] + (int)length;
        first += length * slice;
    }
    return count;
}

/* // >>directory */

enum { AMP_PRIV_INLINE_BLOCKS = 2 };

typedef struct amp_priv_directory {
    int rank;
    int extent[AMP_MAX_RANK];
    int count, capacity;
    amp_priv_block *blocks;
    amp_priv_block inline_blocks[AMP_PRIV_INLINE_BLOCKS];
    /* A summary, kept by amp_priv_directory_merge: the memories that hold all boxes, and those that hold any. */
    uint32_t valid_in_all, valid_in_any;
    bool discarded; /* any box */
} amp_priv_directory;

static inline void amp_priv_directory_summarize(amp_priv_directory *directory)
{
    uint32_t valid_in_all = ~UINT32_C(0), valid_in_any = 0;
    bool discarded = false;
    for (int i = 0; i < directory->count; i++) {
        valid_in_all &= directory->blocks[i].valid_in;
        valid_in_any |= directory->blocks[i].valid_in;
        discarded = discarded || directory->blocks[i].discarded;
    }
    directory->valid_in_all = valid_in_all;
    directory->valid_in_any = valid_in_any;
    directory->discarded = discarded;
}

/* One box that only `owner` holds. */
static inline void amp_priv_directory_reset(amp_priv_directory *directory, int owner, bool discarded)
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
    amp_priv_directory_summarize(directory);
}

static inline void amp_priv_directory_init(amp_priv_directory *directory, int rank, const int *extent, int owner,
                                           bool discarded)
{
    directory->rank = rank;
    for (int d = 0; d < rank; d++)
        directory->extent[d] = extent[d];
    directory->blocks = directory->inline_blocks;
    directory->capacity = AMP_PRIV_INLINE_BLOCKS;
    amp_priv_directory_reset(directory, owner, discarded);
}

static inline void amp_priv_directory_free(amp_priv_directory *directory)
{
    if (directory->blocks != directory->inline_blocks)
        free(directory->blocks);
}

static inline amp_priv_state amp_priv_block_mine(const amp_priv_block *block, int memory)
{
    const uint32_t bit = amp_priv_bit(memory);
    return !(block->valid_in & bit) ? AMP_PRIV_INVALID : block->valid_in == bit ? AMP_PRIV_OWNER : AMP_PRIV_SHARED;
}

static inline amp_priv_state amp_priv_block_others(const amp_priv_block *block, int memory)
{
    const uint32_t bit = amp_priv_bit(memory), rest = block->valid_in & ~bit;
    if (!rest)
        return AMP_PRIV_INVALID;
    return rest == block->valid_in && !(rest & (rest - 1)) ? AMP_PRIV_OWNER : AMP_PRIV_SHARED;
}

static inline amp_priv_transition amp_priv_block_transition(const amp_priv_block *block, int memory, amp_priv_want want)
{
    return amp_priv_transitions[amp_priv_block_mine(block, memory)][amp_priv_block_others(block, memory)][want];
}

/* Would granting this change the block? */
static inline bool amp_priv_block_changes(const amp_priv_block *block, int memory, amp_priv_want want)
{
    const amp_priv_transition t = amp_priv_block_transition(block, memory, want);
    if (want == AMP_PRIV_READ && block->discarded)
        return false;
    if (block->discarded ? t.mark == AMP_PRIV_MARK_CLEAR : t.mark == AMP_PRIV_MARK_SET)
        return true;
    return t.mine != amp_priv_block_mine(block, memory) || t.others != amp_priv_block_others(block, memory);
}

/* Grants it. What had to be copied in is in place. */
static inline void amp_priv_block_grant(amp_priv_block *block, int memory, amp_priv_want want)
{
    const amp_priv_transition t = amp_priv_block_transition(block, memory, want);
    if (want == AMP_PRIV_READ && block->discarded)
        return;
    if (t.mine == AMP_PRIV_OWNER)
        block->valid_in = amp_priv_bit(memory);
    else if (t.mine == AMP_PRIV_SHARED)
        block->valid_in |= amp_priv_bit(memory);
    if (t.mark != AMP_PRIV_MARK_KEEP)
        block->discarded = t.mark == AMP_PRIV_MARK_SET;
    block->changed = true;
}

AMP_PRIV_THICK bool amp_priv_directory_grow(amp_priv_directory *directory, int room)
{
    if (directory->capacity - directory->count >= room)
        return true;
    const int capacity = 2 * directory->capacity + room;
    const bool is_inline = directory->blocks == directory->inline_blocks;
    amp_priv_block *const blocks = realloc(is_inline ? NULL : directory->blocks, (size_t)capacity * sizeof *blocks);
    if (!blocks)
        return false;
    if (is_inline)
        memcpy(blocks, directory->inline_blocks, (size_t)directory->count * sizeof *blocks);
    directory->blocks = blocks;
    directory->capacity = capacity;
    return true;
}

/* Splits blocks on the box's border, so that each block which the request changes is inside the box or outside.
   False when there is no memory; every block's contents are as before in any case. */
AMP_PRIV_THICK bool amp_priv_directory_split(amp_priv_directory *directory, const amp_priv_box *box, int memory,
                                             amp_priv_want want)
{
    const int rank = directory->rank;
    const int before = directory->count;
    for (int i = 0; i < before; i++) {
        amp_priv_box common;
        if (!amp_priv_box_meet(&directory->blocks[i].box, box, rank, &common))
            continue;
        if (amp_priv_box_inside(&directory->blocks[i].box, box, rank))
            continue;
        if (!amp_priv_block_changes(&directory->blocks[i], memory, want))
            continue;
        if (!amp_priv_directory_grow(directory, 2 * rank))
            return false;
        amp_priv_block *const block = &directory->blocks[i];
        block->changed = true;
        for (int d = 0; d < rank; d++) {
            /* Cut off what lies before and behind in dimension d. */
            if (block->box.lo[d] < common.lo[d]) {
                directory->blocks[directory->count] = *block;
                directory->blocks[directory->count++].box.hi[d] = common.lo[d];
                block->box.lo[d] = common.lo[d];
            }
            if (block->box.hi[d] > common.hi[d]) {
                directory->blocks[directory->count] = *block;
                directory->blocks[directory->count++].box.lo[d] = common.hi[d];
                block->box.hi[d] = common.hi[d];
            }
        }
    }
    return true;
}

/* Makes one block of all that are inside the box, where they are in the same state and none sticks out. */
AMP_PRIV_THICK void amp_priv_directory_unify(amp_priv_directory *directory, const amp_priv_box *box)
{
    int first = -1, inside = 0;
    for (int i = 0; i < directory->count; i++) {
        const amp_priv_block *const block = &directory->blocks[i];
        amp_priv_box common;
        if (!amp_priv_box_meet(&block->box, box, directory->rank, &common))
            continue;
        if (first < 0)
            first = i;
        inside++;
        if (block->valid_in != directory->blocks[first].valid_in ||
            block->discarded != directory->blocks[first].discarded ||
            !amp_priv_box_inside(&block->box, box, directory->rank))
            return;
    }
    if (inside < 2)
        return;
    for (int i = directory->count - 1; i > first; i--) {
        amp_priv_box common;
        if (amp_priv_box_meet(&directory->blocks[i].box, box, directory->rank, &common))
            directory->blocks[i] = directory->blocks[--directory->count];
    }
    directory->blocks[first].box = *box;
    directory->blocks[first].changed = true;
}

/* Joins neighbours in the same state, where something changed. */
AMP_PRIV_THICK void amp_priv_directory_merge(amp_priv_directory *directory)
{
    for (int i = 0; i < directory->count; i++) {
        amp_priv_block *const block = &directory->blocks[i];
        if (!block->changed)
            continue;
        block->changed = false;
        for (int j = 0; j < directory->count; j++) {
            const amp_priv_block *const other = &directory->blocks[j];
            if (i == j || other->valid_in != block->valid_in || other->discarded != block->discarded)
                continue;
            if (!amp_priv_box_join(&block->box, &other->box, directory->rank))
                continue;
            /* The last block takes the place of the one that was joined; the grown box looks for neighbours again. */
            const int last = --directory->count;
            block->changed = true;
            if (last == i) {
                directory->blocks[j] = *block;
                i = j;
            } else if (j != last) {
                directory->blocks[j] = directory->blocks[last];
            }
            i--;
            break;
        }
    }
    /* A block that moved before the cursor while marked is looked at here. */
    for (int i = 0; i < directory->count; i++)
        if (directory->blocks[i].changed) {
            amp_priv_directory_merge(directory);
            return;
        }
    amp_priv_directory_summarize(directory);
}

#endif /* AMP_COHERENCE_H */
