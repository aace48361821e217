/* SPDX-License-Identifier: MIT */
/*  amp/mpi/rank_rows.h - which ranks have which rows of a source

    All ranks make the same calls in the same order, so each of them knows of all without asking. A row is one index of
    the source's first dimension. Its owner has its newest contents, and maybe others do.

    Contents (search for the tag):
        >>blocks  >>accesses  >>shapes */
#ifndef AMP_MPI_RANK_ROWS_H
#define AMP_MPI_RANK_ROWS_H

#include "../memory/acquire.h"
#include "../memory/allocation_life.h"
#include "../memory/band.h"

/* // >>blocks */

/* The rows from the end of the block before to end - 1. Bit n of `has`: rank n has them. */
typedef struct amp_priv_rank_block {
    int end, owner;
    uint64_t has[];
} amp_priv_rank_block;

/* One piece of memory: its source frees it. The blocks follow. */
struct amp_priv_rank_rows {
    uint64_t of; /* the number of the communicator's record */
    int ranks, words, count, capacity;
};

static inline size_t amp_priv_rank_block_size(int words)
{
    return sizeof(amp_priv_rank_block) + (size_t)words * sizeof(uint64_t);
}

static inline amp_priv_rank_block *amp_priv_rank_block_at(struct amp_priv_rank_rows *rows, int i)
{
    return (amp_priv_rank_block *)(void *)((char *)(rows + 1) + (size_t)i * amp_priv_rank_block_size(rows->words));
}

static inline bool amp_priv_rank_has(const amp_priv_rank_block *block, int rank)
{
    return block->has[rank / 64] >> rank % 64 & 1;
}

/* Only that rank has it, */
AMP_PRIV_WARM_PART void amp_priv_rank_block_own(amp_priv_rank_block *block, int rank, int words)
{
    memset(block->has, 0, (size_t)words * sizeof *block->has);
    block->has[rank / 64] = UINT64_C(1) << rank % 64;
    block->owner = rank;
}

/* The first row of rank r, of `rows` in equal parts. */
static inline int amp_priv_rank_first(int rows, int rank, int ranks) { return (int)((int64_t)rows * rank / ranks); }

/* A record in which each rank has its equal part of the rows; NULL without memory. */
AMP_PRIV_COLD struct amp_priv_rank_rows *amp_priv_rank_rows_new(uint64_t of, int ranks, int rows)
{
    const int words = (ranks + 63) / 64, capacity = ranks + 16;
    struct amp_priv_rank_rows *const r = malloc(sizeof *r + (size_t)capacity * amp_priv_rank_block_size(words));
    if (!r)
        return NULL;
    *r = (struct amp_priv_rank_rows){ of, ranks, words, 0, capacity };
    for (int rank = 0; rank < ranks; rank++) {
        const int end = amp_priv_rank_first(rows, rank + 1, ranks);
        if (end == amp_priv_rank_first(rows, rank, ranks))
            continue;
        amp_priv_rank_block *const block = amp_priv_rank_block_at(r, r->count++);
        block->end = end;
        amp_priv_rank_block_own(block, rank, words);
    }
    return r;
}

/* The block in which a row is; the first row is in the first block. */
AMP_PRIV_WARM_PART int amp_priv_rank_find(struct amp_priv_rank_rows *rows, int row)
{
    int low = 0, high = rows->count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (amp_priv_rank_block_at(rows, middle)->end > row)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static inline int amp_priv_rank_begin(struct amp_priv_rank_rows *rows, int i)
{
    return i > 0 ? amp_priv_rank_block_at(rows, i - 1)->end : 0;
}

/* Makes blocks begin at row lo and end before row hi; the number of the first such block, or -1 without memory. */
AMP_PRIV_WARM int amp_priv_rank_split(struct amp_priv_rank_rows **kept, int lo, int hi)
{
    struct amp_priv_rank_rows *rows = *kept;
    const size_t size = amp_priv_rank_block_size(rows->words);
    if (rows->count + 2 > rows->capacity) {
        const int capacity = 2 * rows->capacity;
        rows = realloc(rows, sizeof *rows + (size_t)capacity * size);
        if (!rows)
            return -1;
        rows->capacity = capacity;
        *kept = rows;
    }
    for (int side = 0; side < 2; side++) {
        const int at = side ? hi : lo, i = amp_priv_rank_find(rows, at > 0 ? at - 1 : 0);
        amp_priv_rank_block *const block = amp_priv_rank_block_at(rows, i);
        if (at == 0 || block->end == at)
            continue;
        memmove(amp_priv_rank_block_at(rows, i + 1), block, (size_t)(rows->count++ - i) * size);
        block->end = at;
    }
    return amp_priv_rank_find(rows, lo);
}

/* Joins neighbours that are alike. */
AMP_PRIV_WARM void amp_priv_rank_merge(struct amp_priv_rank_rows *rows)
{
    const size_t size = amp_priv_rank_block_size(rows->words);
    int count = 1;
    for (int i = 1; i < rows->count; i++) {
        amp_priv_rank_block *const last = amp_priv_rank_block_at(rows, count - 1), *const block =
                                                                                       amp_priv_rank_block_at(rows, i);
        if (last->owner == block->owner && !memcmp(last->has, block->has, (size_t)rows->words * sizeof *block->has))
            last->end = block->end;
        else
            memmove(amp_priv_rank_block_at(rows, count++), block, size);
    }
    rows->count = count;
}

/* // >>accesses */

/* Rows of a source that go to or come from another rank. */
typedef struct amp_priv_rank_piece {
    amp_priv_source *source;
    int peer;
    bool incoming;
    int lo, hi;
} amp_priv_rank_piece;

typedef struct amp_priv_rank_pieces {
    amp_priv_rank_piece *piece;
    int count, capacity;
} amp_priv_rank_pieces;

AMP_PRIV_WARM_PART bool amp_priv_rank_pieces_add(amp_priv_rank_pieces *pieces, amp_priv_rank_piece piece)
{
    amp_priv_rank_piece *const last = pieces->count > 0 ? &pieces->piece[pieces->count - 1] : NULL;
    if (last && last->source == piece.source && last->peer == piece.peer && last->incoming == piece.incoming &&
        last->hi == piece.lo) {
        last->hi = piece.hi;
        return true;
    }
    if (!amp_priv_list_reserve(&pieces->piece, &pieces->capacity, pieces->count + 1, sizeof piece, NULL))
        return false;
    pieces->piece[pieces->count++] = piece;
    return true;
}

/* Rank `reader` needs rows: adds what rank `self` sends or receives for that. False without memory. */
AMP_PRIV_WARM bool amp_priv_rank_read(amp_priv_source *source, int reader, int self, int lo, int hi,
                                      amp_priv_rank_pieces *pieces)
{
    struct amp_priv_rank_rows **const rows = &source->rank_rows;
    bool all = true;
    for (int i = amp_priv_rank_find(*rows, lo), begin = amp_priv_rank_begin(*rows, i); begin < hi && all; i++) {
        all = amp_priv_rank_has(amp_priv_rank_block_at(*rows, i), reader);
        begin = amp_priv_rank_block_at(*rows, i)->end;
    }
    if (all)
        return true;
    int i = amp_priv_rank_split(rows, lo, hi);
    if (i < 0)
        return false;
    for (int begin = lo; begin < hi; i++) {
        amp_priv_rank_block *const block = amp_priv_rank_block_at(*rows, i);
        const bool incoming = reader == self;
        if (!amp_priv_rank_has(block, reader) && (incoming || block->owner == self) &&
            !amp_priv_rank_pieces_add(pieces, (amp_priv_rank_piece){ source, incoming ? block->owner : reader, incoming,
                                                                     begin, block->end }))
            return false;
        block->has[reader / 64] |= UINT64_C(1) << reader % 64;
        begin = block->end;
    }
    return true;
}

/* Rank `writer` has written rows; `drop` is called for those that rank `self` has not any more. False without
   memory. */
AMP_PRIV_WARM bool amp_priv_rank_write(amp_priv_source *source, int writer, int self, int lo, int hi,
                                       void (*drop)(amp_priv_source *source, int lo, int hi))
{
    int i = amp_priv_rank_split(&source->rank_rows, lo, hi);
    if (i < 0)
        return false;
    for (int begin = lo; begin < hi; i++) {
        amp_priv_rank_block *const block = amp_priv_rank_block_at(source->rank_rows, i);
        if (writer != self && amp_priv_rank_has(block, self))
            drop(source, begin, block->end);
        amp_priv_rank_block_own(block, writer, source->rank_rows->words);
        begin = block->end;
    }
    return true;
}

/* // >>shapes */

/* Bytes of a row. */
static inline size_t amp_priv_rank_row_bytes(const amp_priv_source *source)
{
    return (size_t)source->base.stride[0] * source->base.element_size;
}

/* The rows of a source from lo to hi - 1. */
AMP_PRIV_WARM_PART amp_priv_shape amp_priv_rank_shape(const amp_priv_source *source, int lo, int hi)
{
    amp_priv_shape shape = source->base;
    shape.data += (size_t)lo * amp_priv_rank_row_bytes(source);
    shape.extent[0] = hi - lo;
    return shape;
}

/* The rows of its source that rows of a view are in. */
AMP_PRIV_WARM amp_priv_row_range amp_priv_rank_range(const amp_priv_head *head, int lo, int hi)
{
    const amp_priv_source *const source = head->source;
    const amp_priv_shape shape = amp_priv_shape_of_rows(head, lo, hi);
    const size_t row = amp_priv_rank_row_bytes(source), first = (size_t)(shape.data - source->base.data),
                 end = first + amp_priv_shape_span(&shape) * shape.element_size;
    return (amp_priv_row_range){ (int)(first / row), (int)((end + row - 1) / row) };
}

/* What this process has of rows is not their contents any more. */
AMP_PRIV_WARM void amp_priv_rank_drop(amp_priv_source *source, int lo, int hi)
{
    const amp_priv_shape shape = amp_priv_rank_shape(source, lo, hi);
    amp_priv_region region;
    amp_priv_source_lock(source);
    amp_priv_region_of(&source->base, &shape, &region);
    amp_priv_invalidate_region(source, &region, ~UINT32_C(0));
    amp_priv_source_unlock(source);
}

/* The host of this process reads rows, or overwrites all of them. */
AMP_PRIV_WARM amp_status amp_priv_rank_host(amp_priv_source *source, int lo, int hi, bool overwrites)
{
    const amp_priv_shape shape = amp_priv_rank_shape(source, lo, hi);
    amp_priv_source_lock(source);
    if (overwrites)
        amp_priv_write_check_note(source, AMP_PRIV_WRITE);
    const amp_status status = amp_priv_acquire_host(source, &shape, overwrites ? AMP_PRIV_WRITE : AMP_PRIV_READ);
    amp_priv_source_unlock(source);
    return status;
}

#endif /* AMP_MPI_RANK_ROWS_H */
