// SPDX-License-Identifier: MIT
/*  coherence.c - the directory of a data source: its table of states, its boxes, and a random test of the
    whole memory model, on made-up devices and on those of this machine, against a plain model in memory.
    Also tests amp/device/view_header.h, amp/memory/acquire.h, amp/memory/allocation.h,
    amp/memory/allocation_life.h, amp/memory/copy.h, amp/memory/copy_devices.h, amp/memory/device_memory.h,
    amp/memory/launch_devices.h, amp/memory/launch_memory.h, amp/memory/replica.h, amp/memory/transfer.h. */
#define _DEFAULT_SOURCE 1 /* nanosleep */
#include <stdlib.h>

/* The library's realloc and free, in this file: there may be no memory; what was given last is remembered until it is
   given back. */
static _Bool no_memory;
static _Atomic(void *) poor_last; /* queues of made-up devices free, too */
static inline void *poor_realloc(void *old, size_t size)
{
    if (no_memory)
        return NULL;
    void *const memory = realloc(old, size);
    poor_last = memory;
    return memory;
}
static inline void poor_free(void *memory)
{
    if (memory == poor_last)
        poor_last = NULL;
    free(memory);
}
#define realloc poor_realloc
#define free    poor_free
#include "fake_device.h"
#undef realloc
#undef free

/* ---- the table ------------------------------------------------------------------------------------- */

/* The table once more, as it was before it had four rows: what a memory has, what the others have, what it wants, and
   what they have then. A replica is invalid, shared (valid, as others are) or alone (the only valid one). */
typedef enum has { INVALID, SHARED, ALONE } has;
typedef enum mark { KEEP, CLEAR, SET } mark;
static const struct {
    has mine, others;
    amp_priv_access_request want;
    has mine_after, others_after;
    bool copied_in;
    mark mark;
} expected[] = {
    /* Reading makes a copy where there is none, and takes nothing from anyone. */
    { INVALID, SHARED, AMP_PRIV_READ, SHARED, SHARED, true, KEEP },
    { INVALID, ALONE, AMP_PRIV_READ, SHARED, SHARED, true, KEEP },
    { SHARED, SHARED, AMP_PRIV_READ, SHARED, SHARED, false, KEEP },
    { ALONE, INVALID, AMP_PRIV_READ, ALONE, INVALID, false, KEEP },
    /* Overwriting needs no copy; afterwards nobody else is current. */
    { INVALID, SHARED, AMP_PRIV_WRITE, ALONE, INVALID, false, CLEAR },
    { INVALID, ALONE, AMP_PRIV_WRITE, ALONE, INVALID, false, CLEAR },
    { SHARED, SHARED, AMP_PRIV_WRITE, ALONE, INVALID, false, CLEAR },
    { ALONE, INVALID, AMP_PRIV_WRITE, ALONE, INVALID, false, CLEAR },
    /* Reading and writing is both. */
    { INVALID, SHARED, AMP_PRIV_READ_WRITE, ALONE, INVALID, true, CLEAR },
    { INVALID, ALONE, AMP_PRIV_READ_WRITE, ALONE, INVALID, true, CLEAR },
    { SHARED, SHARED, AMP_PRIV_READ_WRITE, ALONE, INVALID, false, CLEAR },
    { ALONE, INVALID, AMP_PRIV_READ_WRITE, ALONE, INVALID, false, CLEAR },
    /* Discarding moves nothing and leaves every copy where it is. */
    { INVALID, SHARED, AMP_PRIV_DISCARD, INVALID, SHARED, false, SET },
    { INVALID, ALONE, AMP_PRIV_DISCARD, INVALID, ALONE, false, SET },
    { SHARED, SHARED, AMP_PRIV_DISCARD, SHARED, SHARED, false, SET },
    { ALONE, INVALID, AMP_PRIV_DISCARD, ALONE, INVALID, false, SET },
};

static int members(uint32_t mask)
{
    int count = 0;
    for (; mask; mask >>= 1)
        count += (int)(mask & 1u);
    return count;
}
static has has_of(uint32_t valid_in, int memory)
{
    return !(valid_in >> memory & 1u) ? INVALID : members(valid_in) == 1 ? ALONE : SHARED;
}
static has others_of(uint32_t valid_in, int memory)
{
    const bool mine = valid_in >> memory & 1u;
    const int others = members(valid_in) - mine;
    return others == 0 ? INVALID : others == 1 && !mine ? ALONE : SHARED;
}

/* Every block of five memories, every memory, every request: 1,240 cases. */
static void requests(void **state)
{
    (void)state;
    int cases = 0;
    for (uint32_t valid_in = 1; valid_in < 32; valid_in++)
        for (int memory = 0; memory < 5; memory++)
            for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
                if (expected[i].mine != has_of(valid_in, memory) || expected[i].others != others_of(valid_in, memory))
                    continue;
                const amp_priv_access_request want = expected[i].want;
                for (int discarded = 0; discarded < 2; discarded++) {
                    amp_priv_block block = { .valid_in = valid_in, .discarded = discarded != 0 };
                    cases++;
                    check_int(amp_priv_block_needs_copy(&block, memory, want), expected[i].copied_in && !discarded);
                    const bool changes = amp_priv_block_changes(&block, memory, want);
                    amp_priv_block_grant(&block, memory, want);
                    check_int(changes, block.valid_in != valid_in || block.discarded != (discarded != 0));
                    check(!amp_priv_block_changes(&block, memory, want));
                    if (want == AMP_PRIV_READ && discarded) {
                        check_int(block.valid_in, valid_in);
                        check(block.discarded);
                        continue;
                    }
                    check_int(has_of(block.valid_in, memory), expected[i].mine_after);
                    check_int(others_of(block.valid_in, memory), expected[i].others_after);
                    if (want == AMP_PRIV_READ)
                        check_int(block.valid_in, valid_in | 1u << memory);
                    if (want == AMP_PRIV_DISCARD)
                        check_int(block.valid_in, valid_in);
                    check_int(block.discarded, expected[i].mark == KEEP ? discarded : expected[i].mark == SET);
                }
            }
    check_int(cases, 1240);
}

/* ---- boxes ------------------------------------------------------------------------------------------ */

static bool in_box(const amp_priv_box *box, int rank, const int *index)
{
    for (int d = 0; d < rank; d++)
        if (index[d] < box->lo[d] || index[d] >= box->hi[d])
            return false;
    return true;
}

static void index_at(size_t position, int rank, const int *extent, int *index)
{
    for (int d = rank - 1; d >= 0; d--) {
        index[d] = (int)(position % (size_t)extent[d]);
        position /= (size_t)extent[d];
    }
}

static void intervals(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        const int rank = test_random_int(1, 5);
        int extent[AMP_MAX_RANK];
        size_t size = 1;
        for (int d = 0; d < rank; d++)
            size *= (size_t)(extent[d] = test_random_int(1, rank > 3 ? 4 : 6));
        const size_t first = test_random() % size, end = first + 1 + test_random() % (size - first);
        amp_priv_box boxes[AMP_PRIV_MAX_BOXES];
        memset(boxes, 0x55, sizeof boxes);
        const int count = amp_priv_interval_boxes(rank, extent, first, end, boxes);
        check_that(count <= 2 * rank - 1, "%d boxes of rank %d", count, rank);
        for (int b = 0; b < count; b++)
            check(boxes[b].lo[rank] == 0x55555555 && boxes[b].hi[rank] == 0x55555555);
        for (size_t i = 0; i < size; i++) {
            int index[AMP_MAX_RANK], inside = 0;
            index_at(i, rank, extent, index);
            for (int b = 0; b < count; b++)
                inside += in_box(&boxes[b], rank, index);
            check_int(inside, i >= first && i < end);
        }
    }
}

/* No interval has more boxes than this one: before the middle and behind it one in each dimension but the outermost. */
static void most_boxes(void **state)
{
    (void)state;
    int extent[AMP_MAX_RANK];
    size_t first = 0, end = 2;
    for (int d = 0; d < AMP_MAX_RANK; d++) {
        extent[d] = 3;
        first = d ? 3 * first + 1 : 0;
        end = d ? 3 * end + 1 : end;
    }
    amp_priv_box boxes[AMP_PRIV_MAX_BOXES + 1];
    memset(boxes, 0x55, sizeof boxes);
    check_int(amp_priv_interval_boxes(AMP_MAX_RANK, extent, first, end, boxes), AMP_PRIV_MAX_BOXES);
    check_int(boxes[AMP_PRIV_MAX_BOXES].lo[0], 0x55555555);
}

/* Do two boxes that do not overlap make one? As many elements as the smallest box around both. */
static bool make_one(const amp_priv_box *a, const amp_priv_box *b, int rank)
{
    long size_a = 1, size_b = 1, around = 1;
    for (int d = 0; d < rank; d++) {
        const int lo = a->lo[d] < b->lo[d] ? a->lo[d] : b->lo[d], hi = a->hi[d] > b->hi[d] ? a->hi[d] : b->hi[d];
        size_a *= a->hi[d] - a->lo[d];
        size_b *= b->hi[d] - b->lo[d];
        around *= hi - lo;
    }
    return around == size_a + size_b;
}

/* The blocks are disjoint, as few as joining two of them makes, and cover everything; the summary is right. */
static void check_directory(const amp_priv_directory *directory)
{
    size_t size = 1, covered = 0;
    uint32_t valid_in_all = ~UINT32_C(0), valid_in_any = 0;
    bool discarded = false;
    for (int d = 0; d < directory->rank; d++)
        size *= (size_t)directory->extent[d];
    for (int i = 0; i < directory->count; i++) {
        const amp_priv_block *const block = &directory->blocks[i];
        size_t block_size = 1;
        for (int d = 0; d < directory->rank; d++) {
            check(block->box.lo[d] >= 0 && block->box.lo[d] < block->box.hi[d] &&
                  block->box.hi[d] <= directory->extent[d]);
            block_size *= (size_t)(block->box.hi[d] - block->box.lo[d]);
        }
        covered += block_size;
        valid_in_all &= block->valid_in;
        valid_in_any |= block->valid_in;
        discarded = discarded || block->discarded;
        check(block->valid_in != 0 && !block->changed);
        for (int j = 0; j < i; j++) {
            const amp_priv_block *const other = &directory->blocks[j];
            amp_priv_box common;
            check(!amp_priv_box_meet(&block->box, &other->box, directory->rank, &common));
            if (block->valid_in == other->valid_in && block->discarded == other->discarded)
                check_that(!make_one(&block->box, &other->box, directory->rank), "blocks %d and %d are not joined", i,
                           j);
        }
    }
    check_int(covered, size);
    check_int(valid_in_all, directory->valid_in_all);
    check_int(valid_in_any, directory->valid_in_any);
    check_int(discarded, directory->discarded);
}

/* The same of a source that nobody else uses now. A check that fails leaves by longjmp: it must not be locked then, or
   this thread's errors would wait for that lock in every test that follows. */
static void check_source(const amp_priv_head *head)
{
    amp_priv_source_lock(head->source); /* asynchronous operations come first */
    amp_priv_source_unlock(head->source);
    check_directory(&head->source->directory);
}

/* Is what the request changes of a box in a block that is not all of the box? */
static bool in_pieces(const amp_priv_directory *directory, const amp_priv_box *box, int memory,
                      amp_priv_access_request want)
{
    for (int i = 0; i < directory->count; i++) {
        const amp_priv_block *const block = &directory->blocks[i];
        bool meets = true, differs = false;
        for (int d = 0; d < directory->rank; d++) {
            meets = meets && block->box.lo[d] < box->hi[d] && box->lo[d] < block->box.hi[d];
            differs = differs || block->box.lo[d] != box->lo[d] || block->box.hi[d] != box->hi[d];
        }
        if (meets && differs && amp_priv_block_changes(block, memory, want))
            return true;
    }
    return false;
}

/* What amp_priv_acquire_region does but for moving bytes. False: there was no memory. */
static bool request(amp_priv_directory *directory, const amp_priv_box *boxes, int count, int memory,
                    amp_priv_access_request want)
{
    if (!amp_priv_directory_split(directory, boxes, count, memory, want))
        return false;
    for (int b = 0; b < count; b++) {
        const bool pieces = in_pieces(directory, &boxes[b], memory, want);
        check_int(amp_priv_directory_grant(directory, &boxes[b], memory, want), pieces);
        if (pieces)
            amp_priv_directory_unify(directory, &boxes[b]);
    }
    amp_priv_directory_merge(directory);
    return true;
}

/* The plain model: the memories where each element is valid, and whether it was discarded. */
typedef struct element {
    uint32_t valid_in;
    bool discarded;
} element;

static void element_request(element *e, int memory, amp_priv_access_request want)
{
    if (want == AMP_PRIV_DISCARD)
        e->discarded = true;
    else if (want == AMP_PRIV_READ)
        e->valid_in |= e->discarded ? 0 : 1u << memory;
    else
        *e = (element){ 1u << memory, false };
}

/* The directory says of every element what the model says. */
static void check_elements(const amp_priv_directory *directory, const element *elements)
{
    int counted = 0;
    for (int b = 0; b < directory->count; b++) {
        const amp_priv_block *const block = &directory->blocks[b];
        int index[AMP_MAX_RANK], size = 1;
        for (int d = 0; d < directory->rank; d++)
            size *= block->box.hi[d] - block->box.lo[d];
        counted += size;
        for (int n = 0; n < size; n++) {
            int rest = n, at = 0;
            for (int d = directory->rank - 1; d >= 0; d--) {
                const int length = block->box.hi[d] - block->box.lo[d];
                index[d] = block->box.lo[d] + rest % length;
                rest /= length;
            }
            for (int d = 0; d < directory->rank; d++)
                at = at * directory->extent[d] + index[d];
            check_int(block->valid_in, elements[at].valid_in);
            check_int(block->discarded, elements[at].discarded);
        }
    }
    int size = 1;
    for (int d = 0; d < directory->rank; d++)
        size *= directory->extent[d];
    check_int(counted, size);
}

/* Random requests, against the model. */
static void random_requests(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        const int rank = test_random_int(1, 4);
        int extent[AMP_MAX_RANK];
        size_t size = 1;
        for (int d = 0; d < rank; d++)
            size *= (size_t)(extent[d] = test_random_int(1, rank == 1 ? 40 : 7));
        amp_priv_directory directory;
        amp_priv_directory_init(&directory, rank, extent);
        element *const elements = test_allocate(size * sizeof *elements);
        for (size_t i = 0; i < size; i++)
            elements[i] = (element){ 1, false };
        for (int step = 0; step < 60; step++) {
            amp_priv_box box;
            const int memory = test_random_int(0, 3);
            const amp_priv_access_request want = (amp_priv_access_request)test_random_int(0, AMP_PRIV_WANTS - 1);
            for (int d = 0; d < rank; d++) {
                box.lo[d] = test_random_int(0, extent[d] - 1);
                box.hi[d] = test_random_int(box.lo[d] + 1, extent[d]);
            }
            check(request(&directory, &box, 1, memory, want));
            for (size_t i = 0; i < size; i++) {
                int index[AMP_MAX_RANK];
                index_at(i, rank, extent, index);
                if (in_box(&box, rank, index))
                    element_request(&elements[i], memory, want);
            }
            check_directory(&directory);
            check_elements(&directory, elements);
        }
        /* Everything in one state is one box again. */
        amp_priv_box all;
        for (int d = 0; d < rank; d++) {
            all.lo[d] = 0;
            all.hi[d] = extent[d];
        }
        check(request(&directory, &all, 1, 1, AMP_PRIV_WRITE));
        check_that(directory.count == 1, "%d boxes are left", directory.count);
        amp_priv_directory_free(&directory);
        free(elements);
    }
}

/* A directory takes of its extent and of the boxes what it is given, and gives back its memory. */
static void splitting(void **state)
{
    (void)state;
    const int extent[2] = { 8, 8 };
    const amp_priv_box boxes[3] = { { { 1, 1 }, { 3, 3 } }, { { 5, 5 }, { 7, 7 } }, { { 3, 3 }, { 4, 4 } } };
    amp_priv_directory directory;
    memset(&directory, 0x55, sizeof directory);
    amp_priv_directory_init(&directory, 2, extent);
    check_int(directory.extent[2], 0x55555555);
    check_int(directory.count, 1);
    check_int(directory.valid_in_all, 1);
    check(!directory.discarded);
    check(amp_priv_directory_split(&directory, boxes, 1, 1, AMP_PRIV_WRITE));
    check_int(directory.count, 5);
    check(amp_priv_directory_split(&directory, boxes, 1, 1, AMP_PRIV_WRITE));
    check_int(directory.count, 5);
    check(amp_priv_directory_split(&directory, boxes, 2, 0, AMP_PRIV_WRITE));
    check_int(directory.count, 5);
    check(amp_priv_directory_split(&directory, boxes, 2, 1, AMP_PRIV_WRITE));
    check_int(directory.count, 9);
    check(poor_last == directory.blocks);
    amp_priv_directory_free(&directory);
    check(poor_last == NULL);
}

/* Five blocks like a pinwheel, no two of which make one, are one in the same state, and nothing around them is. */
static void pinwheel(void **state)
{
    (void)state;
    const int extent[2] = { 5, 5 };
    const amp_priv_box arms[] = {
        { { 1, 1 }, { 2, 3 } }, { { 1, 3 }, { 3, 4 } }, { { 3, 2 }, { 4, 4 } }, { { 2, 1 }, { 4, 2 } }
    };
    const amp_priv_box all = { { 1, 1 }, { 4, 4 } };
    amp_priv_directory directory;
    amp_priv_directory_init(&directory, 2, extent);
    for (int i = 0; i < 4; i++)
        check(request(&directory, &arms[i], 1, 1 + i, AMP_PRIV_WRITE));
    check(request(&directory, &all, 1, 5, AMP_PRIV_WRITE));
    check_directory(&directory);
    int inside = 0;
    for (int i = 0; i < directory.count; i++)
        inside += directory.blocks[i].valid_in == 1u << 5;
    check_int(inside, 1);
    amp_priv_directory_free(&directory);
}

/* What fails half-way spoils what some memories have of a box: that and nothing else, where there is room to say so. */
static void spoiling(void **state)
{
    (void)state;
    const int extent[2] = { 4, 6 };
    const amp_priv_box boxes[] = { { { 1, 1 }, { 3, 3 } }, { { 1, 3 }, { 3, 5 } }, { { 0, 0 }, { 1, 6 } } };
    amp_priv_directory directory;
    element elements[24];
    amp_priv_directory_init(&directory, 2, extent);
    for (int i = 0; i < 24; i++)
        elements[i] = (element){ 1, false };
    const amp_priv_box most = { { 0, 0 }, { 4, 5 } };
    check(request(&directory, &most, 1, 1, AMP_PRIV_READ));
    for (int i = 0; i < 24; i++)
        elements[i].valid_in |= i % 6 < 5 ? 2u : 0;
    for (int b = 0; b < 3; b++) {
        amp_priv_directory_invalidate(&directory, &boxes[b], 2);
        for (int i = 0; i < 24; i++) {
            int index[2];
            index_at((size_t)i, 2, extent, index);
            if (in_box(&boxes[b], 2, index))
                elements[i].valid_in &= ~2u;
        }
        check_directory(&directory);
        check_elements(&directory, elements);
    }
    amp_priv_directory_free(&directory);
    amp_priv_directory_init(&directory, 2, extent);
    no_memory = true;
    amp_priv_directory_invalidate(&directory, &boxes[0], 1);
    no_memory = false;
    check_int(directory.count, 1);
    check_int(directory.blocks[0].valid_in, 0);
    check(!(directory.valid_in_any & 1u) && !(directory.valid_in_all & 1u));
    amp_priv_directory_free(&directory);
    amp_priv_directory_init(&directory, 2, extent); /* discarded, and overwritten in part: unknown */
    amp_priv_directory_reset(&directory, 1, true);
    amp_priv_directory_invalidate(&directory, &boxes[0], 1);
    check(directory.discarded && !amp_priv_block_is_unknown(&directory.blocks[0]));
    amp_priv_directory_invalidate(&directory, &boxes[0], 3);
    int unknown = 0;
    for (int i = 0; i < directory.count; i++)
        unknown += amp_priv_block_is_unknown(&directory.blocks[i]);
    check_int(unknown, 1);
    check(directory.valid_in_any & AMP_PRIV_NOBODY);
    amp_priv_directory_free(&directory);
}

/* Memories that hold nothing lose nothing: no block is cut, and there is nothing to make room for. What lies behind the
   last block is none. */
static void spoiling_nothing(void **state)
{
    (void)state;
    const int extent[1] = { 10 };
    const amp_priv_box all = { { 0 }, { 10 } }, middle = { { 4 }, { 6 } };
    amp_priv_directory directory;
    amp_priv_directory_init(&directory, 1, extent);
    amp_priv_directory_invalidate(&directory, &middle, 2);
    check(directory.count == 1 && directory.blocks == directory.inline_blocks);
    check(request(&directory, &middle, 1, 1, AMP_PRIV_READ));
    check(amp_priv_directory_reserve(&directory, 4));
    directory.blocks[3] = (amp_priv_block){ .box = all, .valid_in = 2 };
    amp_priv_directory_invalidate(&directory, &middle, 2);
    check_directory(&directory);
    check(directory.count == 1 && directory.valid_in_any == 1);
    amp_priv_directory_free(&directory);
}

/* Halves, quarters, rows: neighbours join again as soon as they can. */
static void merging(void **state)
{
    (void)state;
    const int extent[2] = { 8, 8 };
    amp_priv_directory directory;
    amp_priv_directory_init(&directory, 2, extent);
    for (int row = 0; row < 8; row++) {
        const amp_priv_box box = { { row, 0 }, { row + 1, 8 } };
        check(request(&directory, &box, 1, 1, AMP_PRIV_READ_WRITE));
        check_int(directory.count, row < 7 ? 2 : 1);
    }
    amp_priv_directory_free(&directory);
}

/* ---- every request on every directory --------------------------------------------------------------- */

/* All directories of a shape that requests lead to, found from the first one on: no sequence of requests, however long,
   does what is not seen here. Each is kept as its blocks, in their order, in one number each. */
enum { TINY_RANK = 3, TINY_SIZE = 8 };

typedef struct tiny {
    int count;
    uint32_t blocks[TINY_SIZE];
} tiny;

typedef struct tiny_world {
    int rank, extent[TINY_RANK], memories;
    int region_count;
    struct {
        int count;
        uint32_t elements; /* bit n: element n is inside */
        amp_priv_box boxes[2 * TINY_RANK - 1];
    } regions[64];
    size_t count, capacity, slots;
    tiny *all;
    size_t *slot; /* a hash table of indexes, one too large; 0: free */
} tiny_world;

static tiny tiny_of(const amp_priv_directory *directory)
{
    tiny t;
    memset(&t, 0, sizeof t);
    t.count = directory->count;
    for (int b = 0; b < t.count; b++) {
        const amp_priv_block *const block = &directory->blocks[b];
        for (int d = 0; d < directory->rank; d++)
            t.blocks[b] = t.blocks[b] << 6 | (uint32_t)block->box.lo[d] << 3 | (uint32_t)block->box.hi[d];
        t.blocks[b] = t.blocks[b] << 4 | block->valid_in << 1 | block->discarded;
    }
    return t;
}

/* The directory again, in memory with room for `capacity` blocks, and its model. */
static void tiny_restore(const tiny_world *w, const tiny *t, amp_priv_block *blocks, int capacity,
                         amp_priv_directory *directory, element *elements)
{
    amp_priv_directory_init(directory, w->rank, w->extent);
    directory->blocks = blocks;
    directory->capacity = capacity;
    directory->count = t->count;
    for (int b = 0; b < t->count; b++) {
        uint32_t bits = t->blocks[b];
        amp_priv_block *const block = &blocks[b];
        block->discarded = bits & 1u;
        block->valid_in = bits >> 1 & 7u;
        block->changed = false;
        bits >>= 4;
        for (int d = w->rank - 1; d >= 0; d--, bits >>= 6) {
            block->box.lo[d] = (int)(bits >> 3 & 7u);
            block->box.hi[d] = (int)(bits & 7u);
        }
    }
    amp_priv_directory_summarize(directory);
    int index[TINY_RANK], size = 1;
    for (int d = 0; d < w->rank; d++)
        size *= w->extent[d];
    for (int i = 0; i < size; i++) {
        index_at((size_t)i, w->rank, w->extent, index);
        for (int b = 0; b < t->count; b++)
            if (in_box(&blocks[b].box, w->rank, index))
                elements[i] = (element){ blocks[b].valid_in, blocks[b].discarded };
    }
}

static void tiny_add(tiny_world *w, const tiny *t)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int b = 0; b < t->count; b++)
        hash = (hash ^ t->blocks[b]) * 0x100000001b3u;
    size_t at = (size_t)(hash ^ hash >> 29) & (w->slots - 1);
    for (; w->slot[at]; at = (at + 1) & (w->slots - 1))
        if (!memcmp(&w->all[w->slot[at] - 1], t, sizeof *t))
            return;
    check_that(w->count < w->capacity, "more than %zu directories", w->capacity);
    w->all[w->count++] = *t;
    w->slot[at] = w->count;
}

/* Every box, and every interval that is none. */
static void tiny_regions(tiny_world *w)
{
    int size = 1, index[TINY_RANK];
    for (int d = 0; d < w->rank; d++)
        size *= w->extent[d];
    for (int pass = 0; pass < 2; pass++)
        for (int first = 0; first < size; first++)
            for (int last = first; last < size; last++) {
                amp_priv_box boxes[2 * TINY_RANK - 1], *const box = boxes;
                int count = 1;
                bool is_box = true;
                if (pass == 0) {
                    /* from one corner to the opposite one */
                    index_at((size_t)first, w->rank, w->extent, box->lo);
                    index_at((size_t)last, w->rank, w->extent, index);
                    for (int d = 0; d < w->rank; d++) {
                        box->hi[d] = index[d] + 1;
                        is_box = is_box && box->lo[d] < box->hi[d];
                    }
                    if (!is_box)
                        continue;
                } else {
                    count = amp_priv_interval_boxes(w->rank, w->extent, (size_t)first, (size_t)last + 1, boxes);
                    if (count == 1)
                        continue;
                }
                w->regions[w->region_count].count = count;
                memcpy(w->regions[w->region_count].boxes, boxes, (size_t)count * sizeof boxes[0]);
                uint32_t elements = 0;
                for (int i = 0; i < size; i++) {
                    index_at((size_t)i, w->rank, w->extent, index);
                    for (int b = 0; b < count; b++)
                        elements |= (uint32_t)in_box(&boxes[b], w->rank, index) << i;
                }
                w->regions[w->region_count++].elements = elements;
            }
}

/* One request, with too little memory for it at first, then with more. Returns how often there was too little. */
static int tiny_request(tiny_world *w, const tiny *from, int r, int memory, amp_priv_access_request want)
{
    amp_priv_directory directory;
    amp_priv_block memory_of_blocks[65], *const blocks = memory_of_blocks + 1;
    memory_of_blocks[0] = (amp_priv_block){ .changed = true }; /* nobody looks there */
    element elements[TINY_SIZE];
    const amp_priv_box *const boxes = w->regions[r].boxes;
    const int count = w->regions[r].count;
    int tried = 0;
    for (bool done = false; !done; tried++) {
        /* With so much room. Behind it is what would be split if it were a block. */
        const int room = from->count + tried;
        tiny_restore(w, from, blocks, room, &directory, elements);
        blocks[room] = (amp_priv_block){ .valid_in = 0x55555555 };
        memcpy(blocks[room].box.hi, w->extent, sizeof w->extent);
        no_memory = true;
        done = request(&directory, boxes, count, memory, want);
        no_memory = false;
        check_int(blocks[room].valid_in, 0x55555555);
        if (!done) {
            check_directory(&directory);
            check_elements(&directory, elements);
            tiny_restore(w, from, blocks, 64, &directory, elements);
            check(amp_priv_directory_split(&directory, boxes, count, memory, want));
            check(directory.count > room);
        }
    }
    for (int i = 0; i < TINY_SIZE; i++)
        if (w->regions[r].elements >> i & 1u)
            element_request(&elements[i], memory, want);
    check(memory_of_blocks[0].changed);
    check_directory(&directory);
    check_elements(&directory, elements);
    const tiny to = tiny_of(&directory);
    tiny_add(w, &to);
    return tried - 1;
}

/* All of them on one shape; says how many there were. */
static void tiny_all(int rank, const int *extent, int memories)
{
    tiny_world w = { .rank = rank, .memories = memories, .capacity = 1 << 20, .slots = 1 << 21 };
    memcpy(w.extent, extent, (size_t)rank * sizeof *extent);
    tiny_regions(&w);
    w.all = test_allocate(w.capacity * sizeof *w.all);
    w.slot = calloc(w.slots, sizeof *w.slot);
    check(w.slot != NULL);
    amp_priv_directory first;
    amp_priv_directory_init(&first, rank, extent);
    const tiny start = tiny_of(&first);
    tiny_add(&w, &start);
    long long requests = 0, refused = 0;
    for (size_t n = 0; n < w.count; n++)
        for (int r = 0; r < w.region_count; r++)
            for (int memory = 0; memory < memories; memory++)
                for (int want = 0; want < AMP_PRIV_WANTS; want++) {
                    const tiny from = w.all[n];
                    refused += tiny_request(&w, &from, r, memory, (amp_priv_access_request)want);
                    requests++;
                }
    print_message(
        "%d x %d elements, %d memories, %d regions: %zu directories, %lld requests, %lld without the memory\n",
        extent[0], rank > 1 ? extent[1] : 1, memories, w.region_count, w.count, requests, refused);
    free(w.all);
    free(w.slot);
}

/* AMP_TEST_ALL=1 takes larger shapes, too, and some minutes; AMP_TEST_ALL=0 takes none. */
static void every_request(void **state)
{
    (void)state;
    const char *const given = getenv("AMP_TEST_ALL");
    if (given && given[0] == '0')
        skip();
    tiny_all(1, (int[]){ 3 }, 3);
    tiny_all(1, (int[]){ 4 }, 2);
    tiny_all(2, (int[]){ 2, 2 }, 2);
    if (!given)
        return;
    tiny_all(1, (int[]){ 5 }, 2);
    tiny_all(1, (int[]){ 4 }, 3);
    tiny_all(2, (int[]){ 2, 2 }, 3);
}

/* ---- the random test of the memory model -------------------------------------------------------------- */

/* Any view or array. */
typedef union any {
    amp_priv_head head;
    amp_array_view_int_8 largest;
    amp_array_view_int_1 int_1;
    amp_array_view_int_2 int_2;
    amp_array_view_int_3 int_3;
    amp_array_view_uint8_t_1 uint8_1;
    amp_array_view_uint8_t_2 uint8_2;
    amp_const_array_view_int_1 const_int_1;
    amp_const_array_view_int_2 const_int_2;
    amp_const_array_view_int_3 const_int_3;
} any;

enum { SOURCES = 8, INTS = 240, BYTES = INTS * (int)sizeof(int) };

/* A source, and what it must contain. */
typedef struct model {
    any owner;
    int *raw; /* the user's memory; NULL for arrays and views without a source */
    unsigned char truth[BYTES];
    bool known[BYTES]; /* false: discarded, or never written */
} model;

/* Something asynchronous: what it must have brought when it is done. */
typedef struct promise {
    amp_future future;
    unsigned char *got, *want;
    bool *known;
    size_t bytes;
} promise;

typedef struct world {
    model models[SOURCES];
    promise promises[8];
    amp_accelerator_view views[16]; /* of every accelerator, and some more */
    int view_count, extra;
    long done[16];
} world;

static const int shapes_of[SOURCES][4] = { { 1, 240 }, { 2, 12, 20 },   { 3, 4, 6, 10 }, { 2, 12, 20 },
                                           { 1, 240 }, { 3, 4, 6, 10 }, { 1, 240 },      { 2, 20, 12 } };

static void model_create(world *w, int n)
{
    model *const m = &w->models[n];
    const int rank = shapes_of[n][0], *const extent = &shapes_of[n][1];
    memset(&m->owner, 0, sizeof m->owner);
    m->raw = NULL;
    for (int i = 0; i < BYTES; i++) {
        m->truth[i] = (unsigned char)test_random();
        m->known[i] = true;
    }
    if (n < 3 || n == 7) {
        m->raw = test_allocate(BYTES);
        memcpy(m->raw, m->truth, BYTES);
        amp_priv_view_create(&m->owner, "test %s %d", AMP_PRIV_VIEW, &amp_priv_element_int, rank, m->raw, extent);
    } else if (n == 6) {
        memset(m->known, 0, sizeof m->known);
        amp_priv_view_create(&m->owner, "test %s %d", (amp_priv_kind)0, &amp_priv_element_int, rank, NULL, extent);
    } else {
        const amp_accelerator_view view = w->views[(size_t)(test_random() % (uint64_t)w->view_count)];
        amp_priv_array_create_from(&m->owner, "test %s %d", &amp_priv_element_int, rank, extent, view, m->truth, INTS);
    }
    check(m->owner.head.source != NULL);
}

/* Where the byte at `data` of a shape is in the model. */
static size_t model_at(const any *view, const char *data) { return (size_t)(data - view->head.source->base.data); }

static int argument(amp_priv_argument *a, int *value)
{
    *a = (amp_priv_argument){ NULL, 0, *value };
    return 0;
}

static void cut(any *view, const int *origin, const int *extent)
{
    amp_priv_argument arguments[2 * AMP_MAX_RANK];
    int numbers[2 * AMP_MAX_RANK];
    const int rank = view->head.rank;
    for (int d = 0; d < rank; d++) {
        numbers[d] = origin[d];
        numbers[rank + d] = extent[d];
        argument(&arguments[d], &numbers[d]);
        argument(&arguments[rank + d], &numbers[rank + d]);
    }
    any part;
    memset(&part, 0, sizeof part);
    amp_priv_section(&part, &view->head, arguments, 2 * rank AMP_PRIV_SECTION_PLACE("view", "origin, extent"));
    *view = part;
}

static void project(any *view)
{
    const amp_priv_shape shape = amp_priv_shape_of(&view->head);
    int i = test_random_int(0, shape.extent[0] - 1);
    amp_priv_argument a;
    argument(&a, &i);
    any part;
    memset(&part, 0, sizeof part);
    amp_priv_project(&part, &view->head, &a);
    *view = part;
}

/* Some view of a model: sections, projections, other shapes and types of it. */
static any some_view(model *m)
{
    any view, next;
    memset(&view, 0, sizeof view);
    amp_priv_view_of(&view, &m->owner.head, false, "test");
    for (int changes = test_random_int(0, 3); changes > 0; changes--) {
        const amp_priv_shape shape = amp_priv_shape_of(&view.head);
        const int kind = test_random_int(0, 3);
        memset(&next, 0, sizeof next);
        if (kind == 0 && shape.rank > 1) {
            project(&view);
        } else if (kind == 1 && shape.rank == 1) {
            /* Another shape of rank 2, or bytes and back. */
            const size_t size = amp_priv_shape_size(&shape);
            if (test_random_int(0, 1)) {
                int sides[2];
                sides[0] = test_random_int(1, (int)size);
                sides[1] = (int)size / sides[0];
                if (shape.element_size == 1)
                    sides[1] = sides[1] / 4 * 4;
                if (sides[1] == 0)
                    continue;
                amp_priv_argument a[2];
                argument(&a[0], &sides[0]);
                argument(&a[1], &sides[1]);
                amp_priv_view_as(&next, &view.head, 2, a, false);
            } else {
                amp_priv_reinterpret_as(&next, &view.head,
                                        shape.element_size == 1 ? &amp_priv_element_int : &amp_priv_element_uint8_t,
                                        false);
            }
            view = next;
        } else {
            int origin[AMP_MAX_RANK], extent[AMP_MAX_RANK];
            for (int d = 0; d < shape.rank; d++) {
                origin[d] = test_random_int(0, shape.extent[d] - 1);
                extent[d] = test_random_int(1, shape.extent[d] - origin[d]);
                if (test_random_int(0, 3) == 0) {
                    origin[d] = 0;
                    extent[d] = shape.extent[d];
                }
            }
            if (shape.element_size == 1) {
                /* Bytes: parts of elements are refused. */
                const int last = shape.rank - 1;
                origin[last] = origin[last] / 4 * 4;
                extent[last] = (extent[last] + 3) / 4 * 4;
                if (origin[last] + extent[last] > shape.extent[last])
                    continue;
            }
            cut(&view, origin, extent);
        }
        check(view.head.source != NULL);
    }
    return view;
}

/* A view of a model with given extents; false when there is none. */
static bool view_like(model *m, const amp_priv_shape *shape, any *view)
{
    memset(view, 0, sizeof *view);
    amp_priv_view_of(view, &m->owner.head, false, "test");
    if (shape->element_size == 1) {
        any bytes, flat;
        if (shape->rank != 1)
            return false;
        int count = INTS;
        amp_priv_argument a;
        argument(&a, &count);
        memset(&flat, 0, sizeof flat);
        memset(&bytes, 0, sizeof bytes);
        if (view->head.rank != 1)
            amp_priv_view_as(&flat, &view->head, 1, &a, false);
        else
            flat = *view;
        amp_priv_reinterpret_as(&bytes, &flat.head, &amp_priv_element_uint8_t, false);
        *view = bytes;
    }
    while (view->head.rank > shape->rank)
        project(view);
    if (view->head.rank < shape->rank)
        return false;
    const amp_priv_shape all = amp_priv_shape_of(&view->head);
    int origin[AMP_MAX_RANK];
    for (int d = 0; d < all.rank; d++) {
        if (all.extent[d] < shape->extent[d])
            return false;
        origin[d] = test_random_int(0, all.extent[d] - shape->extent[d]);
        if (shape->element_size == 1 && d == all.rank - 1) {
            origin[d] = origin[d] / 4 * 4;
            if (shape->extent[d] % 4)
                return false;
        }
    }
    cut(view, origin, shape->extent);
    return true;
}

/* Element n of a shape, in row-major order. */
static char *element_at(const amp_priv_shape *shape, size_t n)
{
    amp_priv_offset at = 0;
    for (int d = shape->rank - 1; d >= 0; d--) {
        at += (amp_priv_offset)(n % (size_t)shape->extent[d]) * shape->stride[d];
        n /= (size_t)shape->extent[d];
    }
    return shape->data + at * (amp_priv_offset)shape->element_size;
}

/* The same shape in the model's bytes. */
static amp_priv_shape in_model(model *m, const any *view)
{
    amp_priv_shape shape = amp_priv_shape_of(&view->head);
    shape.data = (char *)m->truth + model_at(view, shape.data);
    return shape;
}

static bool *known_at(model *m, const char *truth) { return &m->known[truth - (const char *)m->truth]; }

static void add(const amp_priv_shape *shape, int amount)
{
    const size_t size = amp_priv_shape_size(shape);
    for (size_t i = 0; i < size; i++) {
        char *const p = element_at(shape, i);
        if (shape->element_size == 1) {
            *(unsigned char *)p = (unsigned char)(*(unsigned char *)p + amount);
        } else {
            unsigned value;
            memcpy(&value, p, sizeof value);
            value += (unsigned)amount;
            memcpy(p, &value, sizeof value);
        }
    }
}

static void fill(const amp_priv_shape *shape, int first)
{
    const size_t size = amp_priv_shape_size(shape);
    for (size_t i = 0; i < size; i++) {
        const int value = first + (int)i;
        const unsigned char byte = (unsigned char)value;
        memcpy(element_at(shape, i), shape->element_size == 1 ? (const void *)&byte : (const void *)&value,
               shape->element_size);
    }
}

static void copy_elements(const amp_priv_shape *to, const amp_priv_shape *from)
{
    const size_t size = amp_priv_shape_size(to);
    for (size_t i = 0; i < size; i++)
        memmove(element_at(to, i), element_at(from, i), to->element_size);
}

static void set_known(model *m, const amp_priv_shape *shape, bool known)
{
    const size_t size = amp_priv_shape_size(shape);
    for (size_t i = 0; i < size; i++)
        for (size_t b = 0; b < shape->element_size; b++)
            *known_at(m, element_at(shape, i) + b) = known;
}

/* Does the memory of a view hold what the model says? */
static void check_memory(model *m, const any *view, const char *what)
{
    const amp_priv_shape real = amp_priv_shape_of(&view->head), model_shape = in_model(m, view);
    const size_t size = amp_priv_shape_size(&real);
    for (size_t i = 0; i < size; i++)
        for (size_t b = 0; b < real.element_size; b++) {
            const char *const want = element_at(&model_shape, i) + b;
            if (*known_at(m, want))
                check_that(element_at(&real, i)[b] == *want, "%s: byte %td of the source is %d, expected %d", what,
                           want - (const char *)m->truth, element_at(&real, i)[b], *want);
        }
}

/* Kernels of the made-up devices and the CPU backend. */
static void kernel_add(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count;
    add(&shapes[0], *(int *)user);
}
static void kernel_fill(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count;
    fill(&shapes[0], *(int *)user);
}
static void kernel_copy(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count, (void)user;
    copy_elements(&shapes[1], &shapes[0]);
}

/* Does it take kernels as text? Not the CPU backend, not the made-up ones. */
static bool is_real(amp_accelerator_view view) { return !test_is_cpu(view) && test_device(view)->number < fake_first; }

/* The same kernels on real devices; false where there is none for this shape. */
#define REAL(wanted_rank, target, body)                                                                                \
    if (rank == wanted_rank) {                                                                                         \
        AMP_PARALLEL_FOR_EACH_ON(view, target.extent, idx, AMP_CAPTURE(target, amount), body);                         \
        return true;                                                                                                   \
    }
static bool real_add(amp_accelerator_view view, const any *target, int amount)
{
    amp_array_view_int_1 int_1 = target->int_1;
    amp_array_view_int_2 int_2 = target->int_2;
    amp_array_view_int_3 int_3 = target->int_3;
    amp_array_view_uint8_t_1 uint8_1 = target->uint8_1;
    amp_array_view_uint8_t_2 uint8_2 = target->uint8_2;
    const int rank = target->head.rank;
    if (target->head.element->size == 1) {
        REAL(1, uint8_1, { AMP_AT(uint8_1, idx) = (uint8_t)(AMP_AT(uint8_1, idx) + amount); })
        REAL(2, uint8_2, { AMP_AT(uint8_2, idx) = (uint8_t)(AMP_AT(uint8_2, idx) + amount); })
        return false;
    }
    REAL(1, int_1, { AMP_AT(int_1, idx) = (int)((unsigned)AMP_AT(int_1, idx) + (unsigned)amount); })
    REAL(2, int_2, { AMP_AT(int_2, idx) = (int)((unsigned)AMP_AT(int_2, idx) + (unsigned)amount); })
    REAL(3, int_3, { AMP_AT(int_3, idx) = (int)((unsigned)AMP_AT(int_3, idx) + (unsigned)amount); })
    return false;
}
#undef REAL
#define REAL(wanted_rank, from, target)                                                                                \
    if (rank == wanted_rank) {                                                                                         \
        AMP_PARALLEL_FOR_EACH_ON(view, target.extent, idx, AMP_CAPTURE(from, target),                                  \
                                 { AMP_AT(target, idx) = AMP_AT(from, idx); });                                        \
        return true;                                                                                                   \
    }
static bool real_copy(amp_accelerator_view view, const any *source, const any *target)
{
    amp_const_array_view_int_1 from_1 = source->const_int_1;
    amp_const_array_view_int_2 from_2 = source->const_int_2;
    amp_const_array_view_int_3 from_3 = source->const_int_3;
    amp_array_view_int_1 to_1 = target->int_1;
    amp_array_view_int_2 to_2 = target->int_2;
    amp_array_view_int_3 to_3 = target->int_3;
    const int rank = target->head.rank;
    if (target->head.element->size == 1)
        return false;
    REAL(1, from_1, to_1)
    REAL(2, from_2, to_2)
    REAL(3, from_3, to_3)
    return false;
}
#undef REAL

static int *boxed(int value)
{
    int *const box = test_allocate(sizeof *box);
    *box = value;
    return box;
}

static void wait_promise(promise *p)
{
    if (!amp_future_valid(p->future))
        return;
    check_int(amp_future_get(p->future), AMP_OK);
    for (size_t i = 0; i < p->bytes; i++)
        if (p->known[i])
            check_that(p->got[i] == p->want[i], "asynchronous copy: byte %zu is %d, expected %d", i, p->got[i],
                       p->want[i]);
    amp_future_release(&p->future);
    free(p->got);
    free(p->want);
    free(p->known);
    *p = (promise){ .future = { NULL } };
}

/* Nothing is in flight on devices that work in the user's memory. */
static void wait_sharing(const world *w)
{
    for (int i = 0; i < w->view_count; i++)
        if (test_device(w->views[i])->shares_host)
            amp_accelerator_view_wait(w->views[i]);
}

static void wait_promises(world *w)
{
    for (int i = 0; i < 8; i++)
        wait_promise(&w->promises[i]);
}

enum {
    ADD,
    FILL,
    LAUNCH_COPY,
    HOST_READ,
    HOST_WRITE,
    SYNCHRONIZE,
    SYNCHRONIZE_TO,
    REFRESH,
    DISCARD,
    COPY,
    COPY_IN,
    COPY_OUT,
    RETAIN,
    RECREATE,
    ACTIONS
};

static void step(world *w)
{
    static const int weights[ACTIONS] = { 20, 6, 8, 8, 6, 5, 3, 3, 4, 12, 5, 6, 2, 1 };
    int total = 0, action = 0;
    for (int i = 0; i < ACTIONS; i++)
        total += weights[i];
    for (int left = test_random_int(0, total - 1); left >= weights[action]; action++)
        left -= weights[action];
    const int n = test_random_int(0, SOURCES - 1);
    model *const m = &w->models[n];
    any view = some_view(m);
    const amp_priv_shape real = amp_priv_shape_of(&view.head), truth = in_model(m, &view);
    amp_accelerator_view where = w->views[test_random_int(0, w->view_count - 1)];
    const int amount = (int)(test_random() % 1000);
    w->done[action]++;
    if (getenv("AMP_TEST_TRACE")) {
        static const char *const names[] = { "add",         "fill",           "launch copy", "host read", "host write",
                                             "synchronize", "synchronize to", "refresh",     "discard",   "copy",
                                             "copy in",     "copy out",       "retain",      "recreate" };
        fprintf(stderr, "%s of source %d, offset %td, rank %d (", names[action], n,
                real.data - view.head.source->base.data, real.rank);
        for (int d = 0; d < real.rank; d++)
            fprintf(stderr, " %d/%td", real.extent[d], real.stride[d]);
        fprintf(stderr, " ) of %zu bytes, on %s\n", real.element_size, test_device(where)->path);
    }

    switch (action) {
    case ADD:
    case FILL: {
        amp_priv_head *heads[1] = { &view.head };
        if (is_real(where)) {
            if (action == FILL || !real_add(where, &view, amount))
                return;
        } else
            check_int(fake_launch(where, action == ADD ? kernel_add : kernel_fill, boxed(amount), heads, 1), AMP_OK);
        if (action == ADD)
            add(&truth, amount);
        else {
            fill(&truth, amount);
            set_known(m, &truth, true);
        }
        break;
    }
    case LAUNCH_COPY: {
        /* Two captures, perhaps of one source. */
        model *const other = &w->models[test_random_int(0, SOURCES - 1)];
        any to;
        if (!view_like(other, &real, &to))
            return;
        const amp_priv_copy_operand a = amp_priv_copy_operand_of(&view.head), b = amp_priv_copy_operand_of(&to.head);
        if (amp_priv_copy_operands_overlap(&a, &b))
            return;
        view.head.kind = AMP_PRIV_CONST_VIEW;
        amp_priv_head *heads[2] = { &view.head, &to.head };
        if (is_real(where)) {
            if (!real_copy(where, &view, &to))
                return;
        } else
            check_int(fake_launch(where, kernel_copy, NULL, heads, 2), AMP_OK);
        const amp_priv_shape to_truth = in_model(other, &to);
        copy_elements(&to_truth, &truth);
        for (size_t i = 0; i < amp_priv_shape_size(&truth); i++)
            for (size_t byte = 0; byte < truth.element_size; byte++)
                *known_at(other, element_at(&to_truth, i) + byte) = *known_at(m, element_at(&truth, i) + byte);
        break;
    }
    case HOST_READ:
        if (m->owner.head.kind == AMP_PRIV_ARRAY && test_random_int(0, 1)) {
            /* Through the array itself, where that is allowed. */
            const void *const data = amp_priv_data(&m->owner.head);
            if (data)
                check_memory(m, &m->owner, "data of an array");
            break;
        }
        view.head.kind = AMP_PRIV_CONST_VIEW;
        amp_priv_host_access(&view.head);
        check_memory(m, &view, "const access on the host");
        break;
    case HOST_WRITE:
        amp_priv_host_access(&view.head);
        check_memory(m, &view, "access on the host");
        fill(&real, amount);
        fill(&truth, amount);
        set_known(m, &truth, true);
        break;
    case SYNCHRONIZE: {
        const amp_access_type access = test_random_int(0, 1) ? AMP_ACCESS_READ : AMP_ACCESS_READ_WRITE;
        if (test_random_int(0, 2) == 0) {
            amp_future future = amp_priv_synchronize_later(&view.head, access, "test");
            check_int(amp_future_get(future), AMP_OK);
            amp_future_release(&future);
        } else {
            check_int(amp_priv_synchronize(&view.head, access, "test"), AMP_OK);
        }
        if (m->raw)
            check_memory(m, &view, "the source after synchronize");
        break;
    }
    case SYNCHRONIZE_TO:
        check_int(amp_priv_synchronize_to(&view.head, where, (amp_access_type)test_random_int(0, 3), "test"), AMP_OK);
        break;
    case REFRESH:
        if (!m->raw)
            return;
        wait_promises(w);
        wait_sharing(w);
        fill(&real, amount);
        fill(&truth, amount);
        set_known(m, &truth, true);
        check_int(amp_priv_refresh(&view.head), AMP_OK);
        break;
    case DISCARD:
        check_int(amp_priv_discard(&view.head), AMP_OK);
        set_known(m, &truth, false);
        break;
    case COPY: {
        model *const other = &w->models[test_random_int(0, SOURCES - 1)];
        any to;
        if (!view_like(other, &real, &to))
            return;
        const amp_priv_shape to_truth = in_model(other, &to);
        if (test_random_int(0, 4) == 0)
            view.head.kind = AMP_PRIV_CONST_VIEW;
        bool overlap = false;
        if (m == other)
            for (size_t i = 0; i < amp_priv_shape_size(&truth) && !overlap; i++)
                for (size_t j = 0; j < amp_priv_shape_size(&truth) && !overlap; j++)
                    overlap = element_at(&truth, i) == element_at(&to_truth, j);
        if (overlap) {
            check_int(amp_priv_copy("test", &view.head, &to.head, NULL), AMP_INVALID_ARGUMENT);
            expect_error(AMP_INVALID_ARGUMENT, "overlapping");
            return;
        }
        const amp_priv_copy_operand a = amp_priv_copy_operand_of(&view.head), b = amp_priv_copy_operand_of(&to.head);
        if (m == other && amp_priv_copy_operands_overlap(&a, &b))
            return; /* other shapes are compared by their ends */
        promise *const p = &w->promises[test_random_int(0, 7)];
        if (test_random_int(0, 2) == 0) {
            wait_promise(p);
            check_int(amp_priv_copy("test", &view.head, &to.head, &p->future), AMP_OK);
        } else {
            check_int(amp_priv_copy("test", &view.head, &to.head, NULL), AMP_OK);
        }
        copy_elements(&to_truth, &truth);
        for (size_t i = 0; i < amp_priv_shape_size(&truth); i++)
            for (size_t byte = 0; byte < truth.element_size; byte++)
                *known_at(other, element_at(&to_truth, i) + byte) = *known_at(m, element_at(&truth, i) + byte);
        break;
    }
    case COPY_IN: {
        const size_t bytes = amp_priv_shape_bytes(&real);
        unsigned char *const data = test_allocate(bytes);
        for (size_t i = 0; i < bytes; i++)
            data[i] = (unsigned char)test_random();
        const amp_priv_copy_operand from = amp_priv_copy_operand_at(data, &truth);
        copy_elements(&truth, &from.shape);
        set_known(m, &truth, true);
        if (test_random_int(0, 2) == 0) {
            promise *const p = &w->promises[test_random_int(0, 7)];
            wait_promise(p);
            check_int(amp_priv_copy_in("test", data, bytes / real.element_size, &view.head, &p->future), AMP_OK);
            p->got = data;
        } else {
            check_int(amp_priv_copy_in("test", data, AMP_UNCHECKED, &view.head, NULL), AMP_OK);
            free(data);
        }
        break;
    }
    case COPY_OUT: {
        /* What is in the user's memory stays as it is: copies from a view do not write back. */
        unsigned char before[BYTES];
        const bool watch = m->raw && !test_random_int(0, 3);
        if (watch) {
            wait_promises(w);
            wait_sharing(w);
            memcpy(before, m->raw, BYTES);
        }
        promise *const p = &w->promises[test_random_int(0, 7)];
        wait_promise(p);
        p->bytes = amp_priv_shape_bytes(&real);
        p->got = test_allocate(p->bytes);
        p->want = test_allocate(p->bytes);
        p->known = test_allocate(p->bytes);
        const amp_priv_copy_operand want = amp_priv_copy_operand_at(p->want, &truth);
        copy_elements(&want.shape, &truth);
        for (size_t i = 0; i < p->bytes; i++)
            p->known[i] = *known_at(m, element_at(&truth, i / real.element_size) + i % real.element_size);
        check_int(amp_priv_copy_out("test", &view.head, p->got, amp_priv_shape_size(&real), &p->future), AMP_OK);
        if (watch) {
            wait_promise(p);
            check_that(!memcmp(before, m->raw, BYTES), "a copy from a view wrote to its source");
        }
        break;
    }
    case RETAIN:
        if (m->owner.head.kind == AMP_PRIV_VIEW) {
            any copy;
            memset(&copy, 0, sizeof copy);
            amp_priv_retain(&copy, &m->owner.head);
            check_int(amp_priv_release(&m->owner.head, "test"), AMP_OK);
            m->owner = copy;
        }
        break;
    case RECREATE:
        check_int(amp_priv_release(&m->owner.head, "test"), AMP_OK);
        if (m->raw)
            for (int i = 0; i < BYTES; i++)
                if (m->known[i])
                    check_that(((unsigned char *)m->raw)[i] == m->truth[i], "after release byte %d is %d, expected %d",
                               i, ((unsigned char *)m->raw)[i], m->truth[i]);
        free(m->raw);
        model_create(w, n);
        break;
    default: break;
    }
    expect_no_error();
}

static void random_model(void **state)
{
    (void)state;
    const char *const given = getenv("AMP_TEST_STEPS");
    const int steps = given ? atoi(given) : 6000;
    fake_begin();
    test_seed();
    world *const w = calloc(1, sizeof *w);
    check(w != NULL);
    FOR_EACH_ACCELERATOR(where)
    {
        if (w->view_count < 12 && !test_is_slow(where))
            w->views[w->view_count++] = where;
    }
    test_where = NULL;
    /* A second queue of a made-up device of each sort. */
    for (int i = 0; i < 2; i++)
        w->views[w->view_count++] =
            amp_accelerator_create_view(amp_accelerator_view_accelerator(fake_view(i ? FAKE_DEVICES - 1 : 0)));
    for (int n = 0; n < SOURCES; n++)
        model_create(w, n);
    for (int i = 0; i < steps; i++) {
        atomic_store(&fake_slow, i / 500 % 2);
        step(w);
        if (i % 50 == 0)
            for (int n = 0; n < SOURCES; n++)
                check_source(&w->models[n].owner.head);
    }
    wait_promises(w);
    for (int n = 0; n < SOURCES; n++) {
        model *const m = &w->models[n];
        check_int(amp_priv_release(&m->owner.head, "test"), AMP_OK);
        if (m->raw)
            for (int i = 0; i < BYTES; i++)
                if (m->known[i])
                    check_int(((unsigned char *)m->raw)[i], m->truth[i]);
        free(m->raw);
    }
    for (int i = w->view_count - 2; i < w->view_count; i++)
        amp_accelerator_view_release(&w->views[i]);
    free(w);
    fake_end();
    check_int(atomic_load(&fake_buffers), 0);
    check_int(atomic_load(&fake_events), 0);
}

/* ---- rectangles -------------------------------------------------------------------------------------- */

/* A shape in memory of its own, which may have more on each side of it. Returns that memory. */
static char *some_shape(int rank, const int *extent, size_t element_size, amp_priv_shape *shape, size_t *bytes)
{
    size_t size = 1, first = 0;
    memset(shape, 0, sizeof *shape);
    shape->rank = rank;
    shape->element_size = element_size;
    for (int d = rank - 1; d >= 0; d--) {
        const bool before = test_random_int(0, 3) == 0, behind = test_random_int(0, 3) == 0;
        shape->extent[d] = extent[d];
        shape->stride[d] = (amp_priv_offset)size;
        first += before ? size : 0;
        size *= (size_t)(extent[d] + before + behind);
    }
    *bytes = size * element_size;
    char *const memory = test_allocate(*bytes);
    shape->data = memory + first * element_size;
    return memory;
}

/* How many rectangles it takes: dimensions that follow on one another in both shapes are one, the last is a row where
   its elements do, and of the others a rectangle has two. */
static size_t rectangles_of(const amp_priv_shape *a, const amp_priv_shape *b)
{
    size_t extents[AMP_MAX_RANK], count = 1;
    amp_priv_offset next_a = 1, next_b = 1;
    int last = -1;
    for (int d = a->rank - 1; d >= 0; d--) {
        if (a->extent[d] == 1)
            continue;
        if (a->stride[d] != next_a || b->stride[d] != next_b)
            extents[++last] = (size_t)a->extent[d];
        else if (last >= 0)
            extents[last] *= (size_t)a->extent[d];
        next_a = a->stride[d] * a->extent[d];
        next_b = b->stride[d] * b->extent[d];
    }
    for (; last > 1; last--)
        count *= extents[last];
    return count;
}

/* Two shapes of equal extents: each byte of one meets its byte of the other once, in no more rectangles than needed. */
static void rectangles(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        const int rank = test_random_int(1, 6);
        const size_t element_size = test_random_int(0, 1) ? 4 : 1;
        int extent[AMP_MAX_RANK];
        for (int d = 0; d < rank; d++)
            extent[d] = test_random_int(1, 3);
        amp_priv_shape a, b;
        size_t bytes_a, bytes_b, met = 0, count = 0;
        char *const memory_a = some_shape(rank, extent, element_size, &a, &bytes_a);
        char *const memory_b = some_shape(rank, extent, element_size, &b, &bytes_b);
        const size_t size = amp_priv_shape_size(&a);
        ptrdiff_t *const partner = test_allocate(bytes_a * sizeof *partner);
        for (size_t i = 0; i < bytes_a; i++)
            partner[i] = -1;
        for (size_t n = 0; n < size; n++)
            for (size_t i = 0; i < element_size; i++)
                partner[element_at(&a, n) - memory_a + (ptrdiff_t)i] = element_at(&b, n) - memory_b + (ptrdiff_t)i;
        amp_priv_rect_walk r = amp_priv_rect_walk_begin(&a, memory_a, &b, memory_b);
        for (; r.more; amp_priv_rect_walk_next(&r), count++)
            for (size_t n = 0; n < r.a.slices * r.a.rows * r.a.row_bytes; n++) {
                const size_t byte = n % r.a.row_bytes, row = n / r.a.row_bytes % r.a.rows,
                             slice = n / r.a.row_bytes / r.a.rows;
                const size_t at_a = r.a.offset + slice * r.a.slice_pitch + row * r.a.row_pitch + byte;
                const size_t at_b = r.b.offset + slice * r.b.slice_pitch + row * r.b.row_pitch + byte;
                check(at_a < bytes_a && partner[at_a] == (ptrdiff_t)at_b);
                partner[at_a] = -1;
                met++;
            }
        check_int(met, size * element_size);
        check_int(count, rectangles_of(&a, &b));
        check(r.b.slices == r.a.slices && r.b.rows == r.a.rows && r.b.row_bytes == r.a.row_bytes);
        free(memory_a);
        free(memory_b);
        free(partner);
    }
}

/* ---- regions ----------------------------------------------------------------------------------------- */

enum { ELEMENT = 4, MOST_BYTES = 4 * 4 * 4 * ELEMENT };

/* Not inline: gcc would warn of the dimensions that it does not have. */
__attribute__((noinline)) static amp_priv_shape dense(void *data, int element_size, int rank, const int *extent)
{
    return amp_priv_dense(data, (size_t)element_size, rank, extent);
}

/* The bytes of a view, from the source's first one on. Returns how many. */
static size_t bytes_of(const amp_priv_shape *base, const amp_priv_shape *view, bool *touched)
{
    const size_t size = amp_priv_shape_size(view);
    memset(touched, 0, MOST_BYTES);
    for (size_t n = 0; n < size; n++)
        for (size_t i = 0; i < view->element_size; i++)
            touched[element_at(view, n) - base->data + (ptrdiff_t)i] = true;
    return size * view->element_size;
}

/* The boxes of a view's region hold all of it, and where it `covers` them nothing else. Views that must cover do. */
static void check_region(const amp_priv_shape *base, const amp_priv_shape *view, bool must_cover, bool is_box)
{
    bool touched[MOST_BYTES];
    amp_priv_region region;
    amp_priv_region_of(base, view, &region);
    const size_t bytes = bytes_of(base, view, touched), elements = amp_priv_shape_size(base);
    size_t inside = 0, found = 0;
    for (size_t n = 0; n < elements; n++) {
        int index[AMP_MAX_RANK], boxes = 0;
        index_at(n, base->rank, base->extent, index);
        for (int b = 0; b < region.count; b++)
            boxes += in_box(&region.boxes[b], base->rank, index);
        check(boxes <= 1);
        inside += boxes == 1;
        for (size_t i = 0; i < ELEMENT && boxes == 1; i++)
            found += touched[n * ELEMENT + i];
    }
    check_int(found, bytes);
    check(!region.covers || inside * ELEMENT == bytes);
    check(region.covers || !must_cover);
    check(!is_box || region.count == (bytes > 0));
}

static void regions(void **state)
{
    (void)state;
    char *const memory = test_allocate(MOST_BYTES);
    for (int round = 0; round < 4000; round++) {
        int extent[3];
        const int rank = 1 + round % 3;
        for (int d = 0; d < rank; d++)
            extent[d] = test_random_int(1, 4);
        const amp_priv_shape base = dense(memory, ELEMENT, rank, extent);
        const int size = (int)amp_priv_shape_size(&base) * ELEMENT;
        /* A box of fewer dimensions, perhaps over nothing. */
        amp_priv_shape view = base;
        const int dropped = test_random_int(0, rank - 1);
        view.rank = rank - dropped;
        for (int d = 0; d < rank; d++) {
            const int from = test_random_int(0, extent[d] - 1);
            view.data += from * base.stride[d] * ELEMENT;
            if (d >= dropped) {
                view.extent[d - dropped] = test_random_int(round % 11 ? 1 : 0, extent[d] - from);
                /* of one element nobody knows how far the next would be */
                view.stride[d - dropped] = view.extent[d - dropped] == 1 ? test_random_int(1, 9) : base.stride[d];
            }
        }
        check_region(&base, &view, true, true);
        /* Elements of 1, 2 or 4 bytes, in rows that may have gaps. */
        const int width = 1 << test_random_int(0, 2), count = size / width;
        int sides[2];
        sides[1] = test_random_int(1, count);
        sides[0] = test_random_int(1, count / sides[1]);
        const int columns = test_random_int(1, sides[1]), first = test_random_int(0, sides[1] - columns);
        view = dense(memory, width, 2, sides);
        view.extent[1] = columns;
        view.data += first * width;
        const int last = (sides[0] - 1) * sides[1] + first + columns;
        const bool is_dense = columns == sides[1] || sides[0] == 1;
        check_region(&base, &view, is_dense && first * width % ELEMENT == 0 && last * width % ELEMENT == 0, false);
    }
    free(memory);
}

/* ---- the memory model, a case each --------------------------------------------------------------------- */

static void kernel_one(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count, (void)user;
    add(&shapes[0], 1);
}

/* A view with gaps discards its rows, and nothing between them. */
static void discarded_rows(void **state)
{
    (void)state;
    fake_begin();
    int raw[24] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 24);
        amp_priv_head *heads[1] = { &v.amp_priv };
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
        amp_array_view_int_2 inner = amp_section(AMP_VIEW_AS(amp_array_view_int_2, v, 4, 6), 0, 1, 4, 3);
        amp_array_view_discard_data(&inner);
        amp_array_view_synchronize(&v);
        check_int(amp_source_counters(v).bytes_to_host, 12 * (int)sizeof(int));
        for (int i = 0; i < 24; i++)
            check_int(raw[i], i % 6 < 1 || i % 6 > 3);
    }
    fake_end();
}

/* The memory under a view is the user's again after its release: what reads it has ended, too. */
static atomic_int readers;
static void kernel_read(const amp_priv_shape *shapes, int count, void *user)
{
    (void)shapes, (void)count, (void)user;
    nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
    atomic_fetch_sub(&readers, 1);
}
static void release_waits_for_readers(void **state)
{
    (void)state;
    fake_begin();
    int raw[8] = { 0 };
    for (int device = 0; device < FAKE_DEVICES; device++) {
        AMP_CONST_ARRAY_VIEW(int, 1, v, raw, 8);
        amp_priv_head *heads[1] = { &v.amp_priv };
        atomic_store(&readers, 1);
        check_int(fake_launch(fake_view(device), kernel_read, NULL, heads, 1), AMP_OK);
        check_int(amp_array_view_release(&v), AMP_OK);
        check_int(atomic_load(&readers), 0);
    }
    fake_end();
}

/* A copy on a device into a view with gaps: what lies between is the newest afterwards, too. Without gaps nothing of it
   goes up. */
static void copies_between_gaps(void **state)
{
    (void)state;
    fake_begin();
    int raw[24] = { 0 }, values[24];
    for (int i = 0; i < 24; i++)
        values[i] = 100 + i;
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 24);
        AMP_ARRAY_ON(fake_view(0), int, 2, a, 4, 3);
        AMP_ARRAY_ON(fake_view(0), int, 1, b, 24);
        amp_priv_head *heads[1] = { &v.amp_priv };
        check_int(amp_copy_in(values, a), AMP_OK);
        check_int(amp_copy_in(values, b), AMP_OK);
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
        for (int i = 0; i < 24; i++)
            AMP_AT(v, i) = i;
        check_int(amp_copy(a, amp_section(AMP_VIEW_AS(amp_array_view_int_2, v, 4, 6), 0, 1, 4, 3)), AMP_OK);
        for (int i = 0; i < 24; i++)
            check_int(AMP_AT(v, i), i % 6 < 1 || i % 6 > 3 ? i : 100 + i / 6 * 3 + i % 6 - 1);
        amp_source_counters_reset(v);
        check_int(amp_copy(b, v), AMP_OK);
        check_int(amp_source_counters(v).bytes_to_device, 0);
        for (int i = 0; i < 24; i++)
            check_int(AMP_AT(v, i), 100 + i);
    }
    fake_end();
}

/* A launch that finds one view in pieces leaves the others' directories as they are, where it changed nothing. */
static void pieces_of_another(void **state)
{
    (void)state;
    fake_begin();
    int raw[2][8] = { { 0 } };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw[0], 8);
        AMP_ARRAY_VIEW(int, 1, w, raw[1], 8);
        amp_array_view_int_1 front = amp_section(v, 0, 4), begin = amp_section(w, 0, 4);
        const amp_const_array_view_int_1 c = amp_as_const(begin);
        amp_priv_head *fronts[1] = { &front.amp_priv }, *begins[1] = { &begin.amp_priv };
        amp_priv_head *heads[2] = { &v.amp_priv, (amp_priv_head *)(uintptr_t)&c.amp_priv };
        check_int(fake_launch(fake_view(0), kernel_one, NULL, fronts, 1), AMP_OK);
        check_int(amp_array_view_synchronize_to(&w, fake_view(0)), AMP_OK);
        check_int(fake_launch(fake_view(0), kernel_one, NULL, begins, 1), AMP_OK);
        check_int(v.amp_priv.source->directory.count, 2);
        check_int(w.amp_priv.source->directory.count, 2);
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 2), AMP_OK);
        check_source(&v.amp_priv);
        check_source(&w.amp_priv);
        check_int(v.amp_priv.source->directory.count, 1);
        check_int(w.amp_priv.source->directory.count, 2);
    }
    for (int i = 0; i < 8; i++) {
        check_int(raw[0][i], i < 4 ? 2 : 1);
        check_int(raw[1][i], i < 4);
    }
    fake_end();
}

/* Transfers are cut at the borders of registered chunks, slices, too, and copies register what they read. */
static void kernel_increment(const amp_priv_shape *shapes, int count, void *user)
{
    (void)count, (void)user;
    const amp_priv_shape *const s = &shapes[0];
    for (int i = 0; i < s->extent[0]; i++)
        for (int j = 0; j < s->extent[1]; j++) {
            int *const row = (int *)(void *)s->data + i * s->stride[0] + j * s->stride[1];
            for (int k = 0; k < s->extent[2]; k++)
                row[k]++;
        }
}
static void registered_slices(void **state)
{
    (void)state;
    enum { SLICES = 5, ROWS = 2000, COLUMNS = 2100, N = SLICES * ROWS * COLUMNS, BEFORE = 5000, COPIED = 17 << 20 };
    fake_begin();
    int *const raw = calloc(N, sizeof *raw), *const got = test_allocate(COPIED * sizeof *got);
    check(raw != NULL);
    {
        AMP_ARRAY_VIEW(int, 3, v, raw, SLICES, ROWS, COLUMNS);
        amp_array_view_int_3 inner = amp_section(v, 1, 1, 1, SLICES - 1, ROWS - 2, COLUMNS - 2);
        amp_priv_head *whole[1] = { &v.amp_priv }, *part[1] = { &inner.amp_priv };
        check_int(fake_launch(fake_view(0), kernel_increment, NULL, whole, 1), AMP_OK);
        /* All of it, and nothing else. */
        check_int(atomic_load(&fake_registrations), AMP_PRIV_PIN_CHUNKS);
        size_t registered = 0;
        for (const fake_piece *p = fake_pieces; p; p = p->next) {
            check(p->first >= (uintptr_t)raw && p->end <= (uintptr_t)(raw + N));
            registered += p->end - p->first;
        }
        check_int(registered, N * sizeof *raw);
        amp_array_view_synchronize(&v);
        check_int(fake_launch(fake_view(0), kernel_increment, NULL, part, 1), AMP_OK);
    }
    check_int(atomic_load(&fake_registrations), 0);
    for (int i = 0; i < N; i++) {
        const int row = i / COLUMNS % ROWS, column = i % COLUMNS;
        const bool inside = i / COLUMNS / ROWS > 0 && row > 0 && row < ROWS - 1 && column > 0 && column < COLUMNS - 1;
        if (raw[i] != 1 + inside)
            fail_msg("element %d is %d", i, raw[i]);
        raw[i] = i;
    }
    {
        AMP_ARRAY_ON(fake_view(0), int, 1, a, COPIED + BEFORE);
        const int registered = atomic_load(&fake_registered);
        check_int(amp_copy_in(raw, amp_section(a, BEFORE, COPIED)), AMP_OK);
        check_int(atomic_load(&fake_registered) - registered, AMP_PRIV_PIN_CHUNKS);
        check_int(amp_copy_out(amp_section(a, BEFORE, COPIED), got), AMP_OK);
        check(!memcmp(got, raw, COPIED * sizeof *got));
    }
    free(raw);
    free(got);
    fake_end();
}

/* AMP_AT asks no more than once while the host has everything, and asks when a device has written or reads. */
static void host_access_is_remembered(void **state)
{
    (void)state;
    fake_begin();
    int raw[8] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 8);
        const amp_const_array_view_int_1 c = amp_as_const(v);
        amp_priv_head *heads[1] = { &v.amp_priv };
        check_int(AMP_AT(v, 0), 0);
        check(amp_priv_host_has(&v.amp_priv) && amp_priv_host_has(&c.amp_priv));
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
        check(!amp_priv_host_has(&v.amp_priv) && !amp_priv_host_has(&c.amp_priv));
        check_int(AMP_AT(c, 0), 1);
        check(!amp_priv_host_has(&v.amp_priv) && amp_priv_host_has(&c.amp_priv));
        check_int(AMP_AT(v, 0), 1);
        check(amp_priv_host_has(&v.amp_priv) && amp_priv_host_has(&c.amp_priv));
    }
    fake_end();
}

/* Memory that may be registered shares no page with anybody's, from one page on. */
static void pages_of_its_own(void **state)
{
    (void)state;
    for (int pages = 1; pages < 4; pages++) {
        AMP_ARRAY_VIEW_NO_SOURCE(uint8_t, 1, v, pages * AMP_PRIV_PAGE);
        check_int((uintptr_t)v.amp_priv.source->base.data % AMP_PRIV_PAGE, 0);
    }
}

/* What is unknown is refused by name, on every way to it, and nothing else is; what overwrites it makes it known. */
static void unknown_is_refused(void **state)
{
    (void)state;
    fake_begin();
    int raw[8] = { 0 };
    const int known[2] = { 5, 6 };
    const amp_priv_box middle = { { 2 }, { 4 } };
    amp_array_view_int_1 v = amp_array_view_int_1_create(raw, AMP_EXTENT(8));
    amp_array_view_int_1 part = amp_section(v, 2, 2), rest = amp_section(v, 4, 4);
    amp_priv_head *heads[1] = { &v.amp_priv };
    check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
    for (int round = 0; round < 2; round++) {
        amp_priv_source *const source = v.amp_priv.source;
        amp_priv_source_lock(source);
        amp_priv_directory_invalidate(&source->directory, &middle, 1u | 1u << fake_first);
        amp_priv_source_unlock(source);
        if (round)
            break;
        check(!amp_priv_host_access(&v.amp_priv));
        expect_error(AMP_RUNTIME_ERROR, "unknown");
        check_int(fake_launch(fake_view(1), kernel_one, NULL, heads, 1), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "unknown");
        check_int(amp_array_view_synchronize(&v), AMP_RUNTIME_ERROR);
        expect_error(AMP_RUNTIME_ERROR, "unknown");
        for (int device = 1; device < FAKE_DEVICES; device++) {
            check_int(amp_array_view_synchronize_to(&v, fake_view(device)), AMP_RUNTIME_ERROR);
            expect_error(AMP_RUNTIME_ERROR, "unknown");
        }
        check_int(AMP_AT(rest, 3), 1);
        check_int(amp_copy_in(known, part), AMP_OK);
        for (int i = 0; i < 8; i++)
            check_int(AMP_AT(v, i), i / 2 == 1 ? 3 + i : 1);
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
    }
    check_int(amp_array_view_release(&v), AMP_RUNTIME_ERROR);
    expect_error(AMP_RUNTIME_ERROR, "unknown");
    for (int i = 0; i < 8; i++)
        if (i / 2 != 1)
            check_int(raw[i], 2);
    fake_end();
}

/* Arrays hold their accelerator views as long as they live, and no longer. */
static void arrays_hold_their_views(void **state)
{
    (void)state;
    fake_begin();
    amp_accelerator_view view = amp_accelerator_create_view(amp_accelerator_view_accelerator(fake_view(0)));
    const int before = atomic_load(&view.amp_priv_queue->references);
    amp_array_int_1 a = amp_array_int_1_create_on(AMP_EXTENT(4), view);
    check(atomic_load(&view.amp_priv_queue->references) > before);
    amp_array_release(&a);
    check_int(atomic_load(&view.amp_priv_queue->references), before);
    amp_accelerator_view_release(&view);
    fake_end();
}

/* A launch that names no accelerator runs where all that it captures is. */
static void launched_where_all_is(void **state)
{
    (void)state;
    fake_begin();
    int raw[2][8] = { { 0 } };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw[0], 8);
        AMP_ARRAY_VIEW(int, 1, w, raw[1], 8);
        const amp_const_array_view_int_1 c = amp_as_const(v);
        amp_array_view_synchronize_to(&v, fake_view(0));
        amp_array_view_synchronize_to(&v, fake_view(1));
        amp_priv_head *heads[2] = { &w.amp_priv, (amp_priv_head *)(uintptr_t)&c.amp_priv };
        check_int(fake_launch(fake_view(1), kernel_one, NULL, heads, 1), AMP_OK);
        check_int(fake_launch((amp_accelerator_view){ 0 }, kernel_one, NULL, heads, 2), AMP_OK);
        check_int(amp_source_counters(w).bytes_to_host, 0);
        check_int(AMP_AT(w, 7), 2);
    }
    fake_end();
}

/* A release comes after the asynchronous operations on its source. */
static void release_waits_for_futures(void **state)
{
    (void)state;
    fake_begin();
    atomic_store(&fake_slow, 1);
    for (int round = 0; round < 20; round++) {
        int raw[8] = { 0 }, from[8];
        for (int i = 0; i < 8; i++)
            from[i] = round + i + 1;
        amp_array_int_1 a = amp_array_int_1_create_from(AMP_EXTENT(8), fake_view(0), from, 8);
        amp_array_view_int_1 v = amp_array_view_int_1_create(raw, AMP_EXTENT(8));
        amp_future future = amp_copy_async(a, v);
        check_int(amp_array_view_release(&v), AMP_OK);
        check_ints(raw, from, 8);
        check_int(amp_future_get(future), AMP_OK);
        amp_future_release(&future);
        amp_array_release(&a);
    }
    atomic_store(&fake_slow, 0);
    fake_end();
}

/* Large copies are done by all threads: the same as by one, whatever rows they have. */
static void copies_by_all_threads(void **state)
{
    enum { COUNT = 3 << 20 };
    static const int extents[][3] = { { 1, 1, COUNT - 1 }, { 1, 3, 700001 },     { 2, 5, 200003 }, { 16, 16, 8191 },
                                      { 1, COUNT / 4, 3 }, { 1700, 1, 1021 },    { 1, 2, 0 },      { 0, 2, 3 },
                                      { 3, 1, 1000000 },   { 1, 1, COUNT / 64 }, { 640, 4096, 1 } };
    unsigned *const from = test_allocate(COUNT * sizeof *from), *const to = test_allocate(COUNT * sizeof *to);
    (void)state;
#if AMP_PRIV_OPENMP
    const int threads = omp_get_max_threads();
    omp_set_num_threads(8);
#endif
    for (size_t n = 0; n < sizeof extents / sizeof extents[0]; n++) {
        const int *const e = extents[n];
        const amp_priv_shape a = amp_priv_dense(from, sizeof *from, 3, e);
        amp_priv_shape b = amp_priv_dense(to, sizeof *to, 3, e);
        if ((e[0] * e[1] + 1) * (e[2] + 1) < COUNT && e[2] > 1) { /* with a gap behind each row */
            b.stride[1] = e[2] + 1;
            b.stride[0] = e[1] * (e[2] + 1);
        }
        for (size_t i = 0; i < COUNT; i++)
            from[i] = (unsigned)i * 2654435761u + 1, to[i] = 0;
        amp_priv_copy_host(&b, &a);
        size_t wrong = 0, written = 0;
        for (int i = 0; i < e[0]; i++)
            for (int j = 0; j < e[1]; j++)
                for (int k = 0; k < e[2]; k++)
                    wrong += to[i * b.stride[0] + j * b.stride[1] + k] !=
                             from[((size_t)i * (size_t)e[1] + (size_t)j) * (size_t)e[2] + (size_t)k];
        for (size_t i = 0; i < COUNT; i++)
            written += to[i] != 0;
        check_that(!wrong && written <= (size_t)e[0] * (size_t)e[1] * (size_t)e[2], "%zu: %zu wrong, %zu written", n,
                   wrong, written);
    }
    /* within one memory, as memmove does it */
    const int all = COUNT - 5;
    const amp_priv_shape low = amp_priv_dense(from, sizeof *from, 1, &all),
                         high = amp_priv_dense(from + 5, sizeof *from, 1, &all);
    for (unsigned i = 0; i < COUNT; i++)
        from[i] = i;
    amp_priv_copy_host(&high, &low);
    size_t wrong = 0;
    for (unsigned i = 5; i < COUNT; i++)
        wrong += from[i] != i - 5;
    check_int(wrong, 0);
    free(from);
    free(to);
#if AMP_PRIV_OPENMP
    omp_set_num_threads(threads);
#endif
}

static atomic_bool gate_is_open, gate_was_late;

/* Waits for the gate, which only an error leaves closed for a minute. */
static void kernel_gate(const amp_priv_shape *shapes, int count, void *user)
{
    (void)shapes, (void)count, (void)user;
    const uint64_t start = amp_priv_now();
    while (!atomic_load(&gate_is_open) && amp_priv_now() - start < 60000000000)
        sched_yield();
    atomic_store(&gate_was_late, !atomic_load(&gate_is_open));
}

/* The kernel that a copy waited for is known to have finished: the next copy does not wait for its queue again, which
   has more to do by then. */
static void a_wait_is_remembered(void **state)
{
    (void)state;
    fake_begin();
    const amp_accelerator accelerator = amp_accelerator_view_accelerator(fake_view(0));
    amp_accelerator_view compute = amp_accelerator_create_view(accelerator),
                         transfer = amp_accelerator_create_view(accelerator);
    int from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, to[8], raw[8] = { 0 };
    amp_array_int_1 in = amp_array_int_1_create_from(AMP_EXTENT(8), transfer, from, 8),
                    out = amp_array_int_1_create_on(AMP_EXTENT(8), compute);
    {
        AMP_ARRAY_VIEW(int, 1, other, raw, 8);
        amp_array_view_int_1 written = amp_section(out, AMP_INDEX(0), out.extent);
        const amp_const_array_view_int_1 read = amp_as_const(amp_section(in, AMP_INDEX(0), in.extent));
        amp_priv_head *heads[2] = { (amp_priv_head *)(uintptr_t)&read.amp_priv, &written.amp_priv };
        amp_priv_head *others[1] = { &other.amp_priv };
        check_int(fake_launch(compute, kernel_copy, NULL, heads, 2), AMP_OK);
        check_int(amp_copy_out(out, to, 8), AMP_OK);
        check_ints(to, from, 8);
        atomic_store(&gate_is_open, false);
        check_int(fake_launch(compute, kernel_gate, NULL, others, 1), AMP_OK);
        check_int(amp_copy_in(from, 8, in), AMP_OK);
        atomic_store(&gate_is_open, true);
        check_int(amp_accelerator_view_wait(compute), AMP_OK);
        check(!atomic_load(&gate_was_late));
    }
    amp_array_release(&in);
    amp_array_release(&out);
    amp_accelerator_view_release(&compute);
    amp_accelerator_view_release(&transfer);
    fake_end();
}

/* A marker of a group is done when all of its accelerators are. */
static void marker_of_a_group(void **state)
{
    (void)state;
    fake_begin();
    const amp_accelerator members[2] = { amp_accelerator_view_accelerator(fake_view(0)),
                                         amp_accelerator_view_accelerator(fake_view(1)) };
    amp_accelerator_view group = amp_accelerator_view_create_group(members, 2);
    int raw[8] = { 0 };
    {
        AMP_ARRAY_VIEW(int, 1, v, raw, 8);
        amp_priv_head *heads[1] = { &v.amp_priv };
        for (int busy = 0; busy < 2; busy++) {
            atomic_store(&gate_is_open, false);
            check_int(fake_launch(fake_view(busy), kernel_gate, NULL, heads, 1), AMP_OK);
            amp_future marker = amp_accelerator_view_create_marker(group);
            check_int(amp_accelerator_view_wait(fake_view(1 - busy)), AMP_OK);
            check(!amp_future_is_done(marker));
            check(!atomic_load(&gate_is_open));
            atomic_store(&gate_is_open, true);
            check_int(amp_future_get(marker), AMP_OK);
            check(amp_future_is_done(marker) && !atomic_load(&gate_was_late));
            check_int(amp_future_release(&marker), AMP_OK);
        }
    }
    amp_accelerator_view_release(&group);
    fake_end();
}

/* Copies do not let a directory grow without end. */
static void copies_of_single_elements(void **state)
{
    (void)state;
    enum { SIDE = 48 };
    static int raw[SIDE * SIDE], other[1] = { 7 };
    memset(raw, 0, sizeof raw);
    fake_begin();
    {
        AMP_ARRAY_VIEW(int, 2, v, raw, SIDE, SIDE);
        AMP_ARRAY_VIEW(int, 2, one, other, 1, 1);
        amp_priv_head *heads[1] = { &v.amp_priv };
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
        int most = 0;
        for (int i = 0; i < SIDE; i++)
            for (int j = i % 2; j < SIDE; j += 2) {
                check_int(amp_copy(one, amp_section(v, i, j, 1, 1)), AMP_OK);
                const int blocks = v.amp_priv.source->directory.count;
                most = blocks > most ? blocks : most;
            }
        check_that(most > 100 && most < AMP_PRIV_MAX_BLOCKS + 20, "%d blocks", most);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        check_int(raw[i], (i / SIDE + i % SIDE) % 2 ? 1 : 7);
    fake_end();
}

/* A directory that is too large, and of which some parts come to its owner and others do not, knows which. */
static void half_collapsed(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    static int raw[SIDE * SIDE];
    int launched = 0;
    memset(raw, 0, sizeof raw);
    fake_begin();
    {
        AMP_ARRAY_VIEW(int, 2, v, raw, SIDE, SIDE);
        amp_priv_head *heads[1] = { &v.amp_priv };
        const amp_priv_directory *const directory = &v.amp_priv.source->directory;
        check_int(fake_launch(fake_view(0), kernel_one, NULL, heads, 1), AMP_OK);
        for (; launched < SIDE * SIDE / 2 && directory->count <= AMP_PRIV_MAX_BLOCKS; launched++) {
            const int row = launched / (SIDE / 2), column = launched % (SIDE / 2) * 2 + row % 2;
            amp_array_view_int_2 one = amp_section(v, row, column, 1, 1);
            amp_priv_head *ones[1] = { &one.amp_priv };
            check_int(fake_launch(fake_view(1), kernel_one, NULL, ones, 1), AMP_OK);
        }
        check(directory->count > AMP_PRIV_MAX_BLOCKS && !(directory->valid_in_all & 1u));
        atomic_store(&fake_fail_transfer, 3);
        amp_priv_source_lock(v.amp_priv.source);
        amp_priv_source_unlock(v.amp_priv.source);
        expect_error(AMP_RUNTIME_ERROR, "fake_transfer");
        check(directory->count > 1 && (directory->valid_in_any & 1u));
        check_directory(directory);
        check_source(&v.amp_priv);
        check_int(directory->count, 1);
    }
    for (int i = 0; i < SIDE * SIDE; i++)
        check_int(raw[i], 1 + (i / 2 < launched && (i / SIDE + i % SIDE) % 2 == 0));
    fake_end();
}

int run_memory_coherence(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(requests),
        TEST(intervals),
        TEST(most_boxes),
        TEST(random_requests),
        TEST(splitting),
        TEST(spoiling),
        TEST(spoiling_nothing),
        TEST(pinwheel),
        TEST(merging),
        TEST(every_request),
        TEST(random_model),
        TEST(rectangles),
        TEST(regions),
        TEST(discarded_rows),
        TEST(release_waits_for_readers),
        TEST(release_waits_for_futures),
        TEST(copies_by_all_threads),
        TEST(a_wait_is_remembered),
        TEST(marker_of_a_group),
        TEST(copies_of_single_elements),
        TEST(half_collapsed),
        TEST(copies_between_gaps),
        TEST(pieces_of_another),
        TEST(registered_slices),
        TEST(host_access_is_remembered),
        TEST(pages_of_its_own),
        TEST(launched_where_all_is),
        TEST(unknown_is_refused),
        TEST(arrays_hold_their_views),
    };
    return cmocka_run_group_tests_name("memory/coherence", tests, NULL, NULL);
}
