/* SPDX-License-Identifier: MIT */
/*  amp/mpi/exchange.h - the ranks of a communicator, and messages with rows: at most one to and one from each rank

    Contents (search for the tag):
        >>ranks  >>types  >>exchange */
#ifndef AMP_MPI_EXCHANGE_H
#define AMP_MPI_EXCHANGE_H

#include "../group/group_launch.h"
#include "rank_rows.h"

/* // >>ranks */

enum { AMP_PRIV_MPI_TAG = 33, AMP_PRIV_MPI_CHUNK = 1 << 30 /* bytes of a block of a message: an int counts them */ };

/* A communicator, as this process sees it. */
typedef struct amp_priv_mpi {
    amp_priv_ranks ranks; /* first */
    MPI_Comm comm;
    int rank, size;
    bool compares;              /* the calls of all ranks (amp/mpi/same_call.h) */
    amp_priv_queue *queue;      /* the view that stands for all */
    amp_accelerator_view local; /* the accelerators of this process */
    amp_mpi_counters sent;
    amp_priv_rank_pieces pieces; /* of the exchange that is prepared or under way */
    int request_count, request_capacity;
    MPI_Request *request;
    amp_priv_band_plan *plan;                       /* of the launch that is under way, with a reference, */
    amp_priv_source *source[AMP_PRIV_MAX_CAPTURES]; /* its captures', NULL where they are no views, */
    int stage, part;                                /* and what of it comes next */
} amp_priv_mpi;

/* Ends the program: a message was written. */
AMP_PRIV_COLD void amp_priv_mpi_abort(const amp_priv_mpi *mpi)
{
    fflush(stdout);
    fflush(stderr);
    MPI_Abort(mpi->comm, 1);
    abort();
}

/* After a failure in what all ranks do together, the others would wait for this one. */
AMP_PRIV_COLD amp_status amp_priv_mpi_fail(const amp_priv_mpi *mpi, const char *what)
{
    const char *const why = amp_last_error_message();
    fprintf(stderr, "amp: rank %d ends the program, because other ranks would wait for it: %s failed%s%s\n", mpi->rank,
            what, *why ? ": " : "", why);
    amp_priv_mpi_abort(mpi);
    return AMP_RUNTIME_ERROR;
}

/* The communicator behind a view; NULL after reporting. */
AMP_PRIV_COLD amp_priv_mpi *amp_priv_mpi_of(amp_accelerator_view view, const char *call)
{
    amp_priv_queue *const queue = view.amp_priv_queue;
    if (queue && !amp_priv_is_ours(queue)) {
        amp_priv_report_foreign(queue, call, "this accelerator view");
        return NULL;
    }
    const amp_priv_group *const group = amp_priv_group_of(queue);
    if (group && group->ranks)
        return (amp_priv_mpi *)(void *)group->ranks;
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: the accelerator view does not stand for ranks; make one with amp_accelerator_view_create_mpi",
                    call);
    return NULL;
}

/* The source of a view gets its record of rows: at first each rank has an equal part. keep: what this rank has of the
   others stays. False after reporting. */
AMP_PRIV_WARM bool amp_priv_mpi_ready(const amp_priv_mpi *mpi, amp_priv_source *source, bool keep, const char *call)
{
    struct amp_priv_rank_rows *const rows = source->rank_rows;
    if (__builtin_expect(rows && rows->of == mpi->ranks.number, 1))
        return true;
    if (rows) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the ranks of another accelerator view have the rows of this view; use "
                        "one accelerator view for both",
                        call);
        return false;
    }
    const int count = source->base.extent[0], first = amp_priv_rank_first(count, mpi->rank, mpi->size),
              end = amp_priv_rank_first(count, mpi->rank + 1, mpi->size);
    source->rank_rows = amp_priv_rank_rows_new(mpi->ranks.number, mpi->size, count);
    if (!source->rank_rows) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory on the host to note which ranks have which rows", call);
        return false;
    }
    if (first > 0 && !keep)
        amp_priv_rank_drop(source, 0, first);
    if (end < count && !keep)
        amp_priv_rank_drop(source, end, count);
    return true;
}

/* // >>types */

/* The type of the rows that go one way between this process and another, from MPI_BOTTOM; *bytes: how many. */
AMP_PRIV_COLD MPI_Datatype amp_priv_mpi_type(const amp_priv_mpi *mpi, int peer, bool incoming, size_t *bytes)
{
    int count = 0;
    *bytes = 0;
    for (int i = 0; i < mpi->pieces.count; i++) {
        const amp_priv_rank_piece *const p = &mpi->pieces.piece[i];
        if (p->peer != peer || p->incoming != incoming)
            continue;
        const size_t size = (size_t)(p->hi - p->lo) * amp_priv_rank_row_bytes(p->source);
        *bytes += size;
        count += (int)((size - 1) / AMP_PRIV_MPI_CHUNK) + 1;
    }
    int *const length = malloc(((size_t)count + 1) * sizeof *length);
    MPI_Aint *const at = malloc(((size_t)count + 1) * sizeof *at);
    if (!length || !at)
        amp_priv_mpi_fail(mpi, "allocating memory for a message");
    int n = 0;
    for (int i = 0; i < mpi->pieces.count; i++) {
        const amp_priv_rank_piece *const p = &mpi->pieces.piece[i];
        if (p->peer != peer || p->incoming != incoming)
            continue;
        const size_t row = amp_priv_rank_row_bytes(p->source), size = (size_t)(p->hi - p->lo) * row;
        for (size_t begin = 0; begin < size; begin += AMP_PRIV_MPI_CHUNK, n++) {
            MPI_Get_address(p->source->base.data + (size_t)p->lo * row + begin, &at[n]);
            length[n] = size - begin > AMP_PRIV_MPI_CHUNK ? (int)AMP_PRIV_MPI_CHUNK : (int)(size - begin);
        }
    }
    MPI_Datatype type;
    MPI_Type_create_hindexed(count, length, at, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    free(length);
    free(at);
    return type;
}

/* // >>exchange */

/* Posts the message between this process and another, in one direction. */
AMP_PRIV_WARM void amp_priv_mpi_post(amp_priv_mpi *mpi, int peer, bool incoming)
{
    if (!amp_priv_list_reserve(&mpi->request, &mpi->request_capacity, mpi->request_count + 1, sizeof *mpi->request,
                               NULL))
        amp_priv_mpi_fail(mpi, "allocating memory for a message");
    size_t bytes;
    MPI_Datatype type = amp_priv_mpi_type(mpi, peer, incoming, &bytes);
    MPI_Request *const request = &mpi->request[mpi->request_count++];
    if (incoming) {
        MPI_Irecv(MPI_BOTTOM, 1, type, peer, AMP_PRIV_MPI_TAG, mpi->comm, request);
    } else {
        MPI_Isend(MPI_BOTTOM, 1, type, peer, AMP_PRIV_MPI_TAG, mpi->comm, request);
        mpi->sent.messages++;
        mpi->sent.bytes += bytes;
    }
    MPI_Type_free(&type);
}

/* Posts one message for each other rank to or from which rows go. */
AMP_PRIV_WARM void amp_priv_mpi_post_all(amp_priv_mpi *mpi, bool incoming)
{
    for (int i = 0; i < mpi->pieces.count; i++) {
        const amp_priv_rank_piece *const piece = mpi->pieces.piece;
        bool is_first = piece[i].incoming == incoming;
        for (int before = 0; before < i && is_first; before++)
            is_first = piece[before].incoming != incoming || piece[before].peer != piece[i].peer;
        if (is_first)
            amp_priv_mpi_post(mpi, piece[i].peer, incoming);
    }
}

/* Begins to move the prepared pieces. In the directory of this process the host has them from now on. */
AMP_PRIV_WARM amp_status amp_priv_mpi_begin(amp_priv_mpi *mpi)
{
    amp_status status = AMP_OK;
    for (int side = 0; side < 2; side++) /* receives are posted first */
        for (int i = 0; i < mpi->pieces.count && status == AMP_OK; i++) {
            const amp_priv_rank_piece *const p = &mpi->pieces.piece[i];
            if (p->incoming == !side)
                status = amp_priv_rank_host(p->source, p->lo, p->hi, p->incoming);
        }
    if (status != AMP_OK)
        return status;
    amp_priv_mpi_post_all(mpi, true);
    amp_priv_mpi_post_all(mpi, false);
    return AMP_OK;
}

/* Waits until they have moved. */
AMP_PRIV_WARM void amp_priv_mpi_end(amp_priv_mpi *mpi)
{
    MPI_Status status; /* gcc warns of MPICH's MPI_STATUSES_IGNORE */
    for (int i = 0; i < mpi->request_count; i++)
        MPI_Wait(&mpi->request[i], &status);
    mpi->request_count = 0;
    mpi->pieces.count = 0;
}

#endif /* AMP_MPI_EXCHANGE_H */
