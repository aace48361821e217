/* SPDX-License-Identifier: MIT */
/*  amp/mpi/collect.h - what the ranks of a communicator do together with a view: own rows, gather, scatter, files; and
    the view that stands for them

    Hooks: place, end. Registered by amp_accelerator_view_create_mpi. amp_mpi.h includes it.

    Contents (search for the tag):
        >>rows  >>files  >>combine  >>view */
#ifndef AMP_MPI_COLLECT_H
#define AMP_MPI_COLLECT_H

#include "rank_launch.h"

/* // >>rows */

/* The rows of a view that are a rank's own: an equal part. */
static inline amp_priv_row_range amp_priv_mpi_own_rows(const amp_priv_mpi *mpi, const amp_priv_head *head, int rank)
{
    const int rows = *amp_priv_head_extent(head);
    return (amp_priv_row_range){ amp_priv_rank_first(rows, rank, mpi->size),
                                 amp_priv_rank_first(rows, rank + 1, mpi->size) };
}

/* Are the own rows of the ranks rows of the data, and not parts of one? Else reports it. */
AMP_PRIV_COLD bool amp_priv_mpi_whole_rows(const amp_priv_mpi *mpi, const amp_priv_head *head, const char *call)
{
    for (int r = 1; r < mpi->size; r++) {
        const amp_priv_row_range before = amp_priv_mpi_own_rows(mpi, head, r - 1),
                                 own = amp_priv_mpi_own_rows(mpi, head, r);
        if (before.lo < before.hi && own.lo < own.hi &&
            amp_priv_rank_range(head, before.lo, before.hi).hi > amp_priv_rank_range(head, own.lo, own.hi).lo) {
            amp_priv_report(AMP_INVALID_ARGUMENT,
                            "%s: rows of the view are parts of one row of the data that it is a section of; a row of "
                            "the data belongs to one rank: give a view whose first dimension is the data's",
                            call);
            return false;
        }
    }
    return true;
}

/* Every rank gets the rows of a view that `wanted` says for it, on its host. */
AMP_PRIV_COLD amp_status amp_priv_mpi_bring(amp_priv_mpi *mpi, const amp_priv_head *head,
                                            amp_priv_row_range (*wanted)(const amp_priv_mpi *mpi,
                                                                         const amp_priv_head *head, int rank))
{
    mpi->pieces.count = 0;
    for (int r = 0; r < mpi->size; r++) {
        const amp_priv_row_range rows = wanted(mpi, head, r);
        const amp_priv_row_range range =
            rows.lo < rows.hi ? amp_priv_rank_range(head, rows.lo, rows.hi) : (amp_priv_row_range){ 0, 0 };
        if (range.lo < range.hi && !amp_priv_rank_read(head->source, r, mpi->rank, range.lo, range.hi, &mpi->pieces))
            return amp_priv_mpi_fail(mpi, "allocating memory for a message");
    }
    const amp_status status = amp_priv_mpi_begin(mpi);
    if (status != AMP_OK)
        return amp_priv_mpi_fail(mpi, "an exchange of rows");
    amp_priv_mpi_end(mpi);
    amp_priv_rank_merge(head->source->rank_rows);
    return AMP_OK;
}

/* Rank `writer` alone has the contents of its own rows of a view now, or (all) of all rows. */
AMP_PRIV_COLD void amp_priv_mpi_claim(const amp_priv_mpi *mpi, const amp_priv_head *head, int writer, bool all)
{
    amp_priv_row_range rows = amp_priv_mpi_own_rows(mpi, head, writer);
    if (all)
        rows = (amp_priv_row_range){ 0, *amp_priv_head_extent(head) };
    if (rows.lo == rows.hi)
        return;
    const amp_priv_row_range range = amp_priv_rank_range(head, rows.lo, rows.hi);
    if (!amp_priv_rank_write(head->source, writer, mpi->rank, range.lo, range.hi, amp_priv_rank_drop))
        amp_priv_mpi_fail(mpi, "allocating memory for a view's rows");
    amp_priv_rank_merge(head->source->rank_rows);
}

/* Can a rank's view be used? Else reports it. root: that of a scatter, else -1. */
AMP_PRIV_COLD bool amp_priv_mpi_usable(amp_priv_mpi *mpi, const amp_priv_head *head, int root, const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return false;
    if (head->kind == AMP_PRIV_ARRAY) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: an array is in the memory of this process alone; use a view (AMP_ARRAY_VIEW_NO_SOURCE)",
                        call);
        return false;
    }
    return mpi->size == 1 || amp_priv_mpi_ready(mpi, head->source, root == mpi->rank, call);
}

/* Has no rank refused its arguments? Else the others report that one has, and all return. */
AMP_PRIV_COLD bool amp_priv_mpi_agree(const amp_priv_mpi *mpi, bool is_right, const char *call)
{
    int refused = is_right ? mpi->size : mpi->rank;
    if (mpi->size > 1)
        MPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MIN, mpi->comm);
    if (is_right && refused < mpi->size)
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: rank %d refuses its arguments, so no rank makes the call", call,
                        refused);
    return refused == mpi->size;
}

/* What the calls of all ranks with a view begin with: NULL after reporting, on all ranks if on one. root: that of a
   scatter, else -1. is_right: are the other arguments? whole: rows of the view have to be rows of the data. */
AMP_PRIV_COLD amp_priv_mpi *amp_priv_mpi_begin_call(amp_priv_mpi *mpi, const amp_priv_head *head, int root,
                                                    bool is_right, bool whole, const char *call)
{
    if (!mpi)
        return NULL;
    if (mpi->size > 1)
        amp_priv_rank_compare_call(mpi, call, NULL, 0);
    is_right =
        is_right && amp_priv_mpi_usable(mpi, head, root, call) && (!whole || amp_priv_mpi_whole_rows(mpi, head, call));
    if (!amp_priv_mpi_agree(mpi, is_right, call))
        return NULL;
    if (mpi->size > 1)
        amp_priv_rank_compare_call(mpi, call, head, root);
    return mpi;
}

AMP_PRIV_API void *amp_priv_mpi_own(void *out, amp_accelerator_view view, const amp_priv_head *head)
{
    static const char call[] = "amp_mpi_own";
    amp_priv_mpi *const mpi = amp_priv_mpi_begin_call(amp_priv_mpi_of(view, call), head, -1, true, true, call);
    if (!mpi)
        return out;
    const amp_priv_row_range own = amp_priv_mpi_own_rows(mpi, head, mpi->rank);
    if (mpi->size > 1 && amp_priv_mpi_bring(mpi, head, amp_priv_mpi_own_rows) != AMP_OK)
        return out;
    for (int r = 0; r < mpi->size && mpi->size > 1 && head->kind == AMP_PRIV_VIEW; r++)
        amp_priv_mpi_claim(mpi, head, r, false);
    amp_priv_shape shape = amp_priv_shape_of(head);
    if (own.lo < own.hi)
        shape = amp_priv_shape_of_rows(head, own.lo, own.hi);
    shape.extent[0] = own.hi - own.lo;
    return amp_priv_borrow(out, call, head, head->element, &shape, head->kind == AMP_PRIV_CONST_VIEW);
}

/* Is a rank the root? Else reports it. */
AMP_PRIV_COLD bool amp_priv_mpi_has_root(const amp_priv_mpi *mpi, int root, const char *call)
{
    if (mpi && (root < 0 || root >= mpi->size))
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the root is %d; it can be 0 to %d", call, root, mpi->size - 1);
    return mpi && root >= 0 && root < mpi->size;
}

static inline amp_priv_row_range amp_priv_mpi_gathered(const amp_priv_mpi *mpi, const amp_priv_head *head, int rank)
{
    return (amp_priv_row_range){ 0, rank == mpi->stage ? *amp_priv_head_extent(head) : 0 };
}

AMP_PRIV_API amp_status amp_priv_mpi_gather(amp_accelerator_view view, int root, const amp_priv_head *head)
{
    static const char call[] = "amp_mpi_gather";
    amp_priv_mpi *const mpi = amp_priv_mpi_of(view, call);
    if (!amp_priv_mpi_begin_call(mpi, head, -1, amp_priv_mpi_has_root(mpi, root, call), false, call))
        return amp_priv_failed();
    if (mpi->size > 1)
        amp_priv_rank_compare_call(mpi, call, NULL, root);
    mpi->stage = root; /* no launch is under way */
    return mpi->size == 1 ? AMP_OK : amp_priv_mpi_bring(mpi, head, amp_priv_mpi_gathered);
}

AMP_PRIV_API amp_status amp_priv_mpi_scatter(amp_accelerator_view view, int root, const amp_priv_head *head)
{
    static const char call[] = "amp_mpi_scatter";
    amp_priv_mpi *const mpi = amp_priv_mpi_of(view, call);
    if (!amp_priv_mpi_begin_call(mpi, head, root, amp_priv_mpi_has_root(mpi, root, call), true, call))
        return amp_priv_failed();
    if (mpi->size == 1)
        return AMP_OK;
    amp_priv_mpi_claim(mpi, head, root, true);
    return amp_priv_mpi_bring(mpi, head, amp_priv_mpi_own_rows);
}

/* // >>files */

/* The type of rows of a view in memory. */
AMP_PRIV_COLD MPI_Datatype amp_priv_mpi_rows_type(const amp_priv_shape *shape)
{
    MPI_Datatype type, wider;
    MPI_Type_contiguous((int)shape->element_size, MPI_BYTE, &type);
    for (int d = shape->rank - 1; d >= 0; d--) {
        MPI_Type_create_hvector(shape->extent[d], 1, (MPI_Aint)shape->stride[d] * (MPI_Aint)shape->element_size, type,
                                &wider);
        MPI_Type_free(&type);
        type = wider;
    }
    MPI_Type_commit(&type);
    return type;
}

/* Reports an error of MPI-IO at the first rank that has one; every rank returns the same. */
AMP_PRIV_COLD amp_status amp_priv_mpi_file_status(const amp_priv_mpi *mpi, int code, const char *call, const char *path)
{
    int first = code == MPI_SUCCESS ? mpi->size : mpi->rank, length = 0;
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, mpi->comm);
    if (first == mpi->size)
        return AMP_OK;
    if (first == mpi->rank) {
        MPI_Error_string(code, text, &length);
        amp_priv_report(AMP_RUNTIME_ERROR, "%s: \"%s\": %s", call, path, text);
    }
    return AMP_RUNTIME_ERROR;
}

/* Moves the own rows between memory and an open file, a chunk at a time: every rank makes as many calls. */
AMP_PRIV_COLD int amp_priv_mpi_file_rows(const amp_priv_mpi *mpi, const amp_priv_head *head, MPI_File file, bool writes)
{
    const amp_priv_row_range own = amp_priv_mpi_own_rows(mpi, head, mpi->rank);
    const amp_priv_shape all = amp_priv_shape_of(head);
    size_t row = all.element_size;
    for (int d = 1; d < all.rank; d++)
        row *= (size_t)all.extent[d];
    const size_t fit = row > 0 ? AMP_PRIV_MPI_CHUNK / row : 0;
    const int step = fit < 1 ? 1 : fit > INT_MAX ? INT_MAX : (int)fit;
    const int most = (all.extent[0] + mpi->size - 1) / mpi->size;
    int code = MPI_SUCCESS;
    for (int done = 0; done < most && row > 0; done += most - done > step ? step : most - done) {
        const int left = own.hi - own.lo - done, rows = left < 0 ? 0 : left < step ? left : step;
        amp_priv_shape shape = amp_priv_shape_of_rows(head, own.lo + (rows > 0 ? done : 0), own.hi);
        shape.extent[0] = rows;
        MPI_Datatype type = amp_priv_mpi_rows_type(&shape);
        const MPI_Offset at = (MPI_Offset)((size_t)(own.lo + done) * row);
        const int this = writes ? MPI_File_write_at_all(file, at, shape.data, rows > 0, type, MPI_STATUS_IGNORE)
                                : MPI_File_read_at_all(file, at, shape.data, rows > 0, type, MPI_STATUS_IGNORE);
        code = code == MPI_SUCCESS ? this : code;
        MPI_Type_free(&type);
    }
    return code;
}

/* Is a file as long as the view? Else rank 0 reports it. */
AMP_PRIV_COLD amp_status amp_priv_mpi_file_fits(const amp_priv_mpi *mpi, MPI_File file, size_t bytes, const char *call,
                                                const char *path)
{
    MPI_Offset size = 0;
    MPI_File_get_size(file, &size);
    if (size == (MPI_Offset)bytes)
        return AMP_OK;
    if (mpi->rank == 0)
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: \"%s\" has %lld bytes, and the view has %zu", call, path,
                        (long long)size, bytes);
    return AMP_INVALID_ARGUMENT;
}

/* The own rows are on the host: those of the others are not needed. */
AMP_PRIV_COLD amp_status amp_priv_mpi_file_begin(amp_priv_mpi *mpi, const amp_priv_head *head, bool writes)
{
    const amp_priv_row_range own = amp_priv_mpi_own_rows(mpi, head, mpi->rank);
    amp_status status = AMP_OK;
    if (mpi->size > 1 && writes)
        status = amp_priv_mpi_bring(mpi, head, amp_priv_mpi_own_rows);
    for (int r = 0; mpi->size > 1 && !writes && r < mpi->size; r++)
        amp_priv_mpi_claim(mpi, head, r, false);
    if (own.lo < own.hi && status == AMP_OK) {
        const amp_priv_shape shape = amp_priv_shape_of_rows(head, own.lo, own.hi);
        amp_priv_source_lock(head->source);
        if (!writes)
            amp_priv_write_check_note(head->source, AMP_PRIV_WRITE);
        status = amp_priv_acquire_host(head->source, &shape, writes ? AMP_PRIV_READ : AMP_PRIV_WRITE);
        amp_priv_source_unlock(head->source);
    }
    if (status != AMP_OK)
        amp_priv_mpi_fail(mpi, "bringing rows to the host");
    return status;
}

AMP_PRIV_COLD amp_status amp_priv_mpi_file(amp_accelerator_view view, const char *path, const amp_priv_head *head,
                                           bool writes)
{
    const char *const call = writes ? "amp_mpi_write" : "amp_mpi_read";
    amp_priv_mpi *const mpi = amp_priv_mpi_of(view, call);
    const bool is_named = path && *path;
    MPI_File file;
    if (mpi && !is_named)
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the path of the file is %s", call, path ? "empty" : "NULL");
    if (!amp_priv_mpi_begin_call(mpi, head, -1, is_named, true, call))
        return amp_priv_failed();
    const amp_priv_shape shape = amp_priv_shape_of(head);
    const size_t bytes = amp_priv_shape_bytes(&shape);
    int code = MPI_File_open(mpi->comm, path, writes ? MPI_MODE_WRONLY | MPI_MODE_CREATE : MPI_MODE_RDONLY,
                             MPI_INFO_NULL, &file);
    amp_status status = amp_priv_mpi_file_status(mpi, code, call, path);
    if (status != AMP_OK)
        return status;
    if (writes)
        code = MPI_File_set_size(file, (MPI_Offset)bytes);
    else
        status = amp_priv_mpi_file_fits(mpi, file, bytes, call, path);
    if (status == AMP_OK)
        status = amp_priv_mpi_file_begin(mpi, head, writes);
    if (status == AMP_OK && code == MPI_SUCCESS)
        code = amp_priv_mpi_file_rows(mpi, head, file, writes);
    const int closed = MPI_File_close(&file);
    const amp_status moved = amp_priv_mpi_file_status(mpi, code == MPI_SUCCESS ? closed : code, call, path);
    return status == AMP_OK ? moved : status;
}

AMP_PRIV_API amp_status amp_priv_mpi_write(amp_accelerator_view view, const char *path, const amp_priv_head *head)
{
    return amp_priv_mpi_file(view, path, head, true);
}

AMP_PRIV_API amp_status amp_priv_mpi_read(amp_accelerator_view view, const char *path, const amp_priv_head *head)
{
    return amp_priv_mpi_file(view, path, head, false);
}

/* // >>combine */

AMP_PRIV_API int amp_priv_mpi_all(amp_accelerator_view view, const void *value, size_t size, void **all)
{
    const amp_priv_mpi *const mpi = amp_priv_mpi_of(view, "AMP_MPI_COMBINE");
    *all = mpi ? malloc((size_t)mpi->size * size) : NULL;
    if (!*all) {
        if (mpi)
            amp_priv_mpi_fail(mpi, "allocating memory for AMP_MPI_COMBINE");
        return 0;
    }
    amp_priv_rank_compare_call(mpi, "AMP_MPI_COMBINE", NULL, (int64_t)size);
    MPI_Allgather(value, (int)size, MPI_BYTE, *all, (int)size, MPI_BYTE, mpi->comm);
    return mpi->size;
}

AMP_PRIV_API amp_mpi_counters amp_mpi_sent(amp_accelerator_view view)
{
    const amp_priv_mpi *const mpi = amp_priv_mpi_of(view, "amp_mpi_sent");
    return mpi ? mpi->sent : (amp_mpi_counters){ 0, 0 };
}

/* // >>view */

/* The error handler of programs that have none: writes the message and ends all ranks. */
AMP_PRIV_COLD void amp_priv_mpi_report(const amp_error *error, void *user)
{
    int rank = 0, over = 0;
    (void)user;
    MPI_Finalized(&over);
    if (!over)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fflush(stdout);
    fprintf(stderr, "amp: rank %d: %s: %s\n", rank, amp_status_name(error->status), error->message);
    fflush(stderr);
    if (amp_priv_end_trace)
        amp_priv_end_trace();
    if (!over)
        MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

/* The last owner of the view has released it. */
AMP_PRIV_COLD void amp_priv_mpi_release(amp_priv_ranks *ranks)
{
    amp_priv_mpi *const mpi = (amp_priv_mpi *)(void *)ranks;
    int over = 0;
    MPI_Finalized(&over);
    if (!over)
        MPI_Comm_free(&mpi->comm);
    amp_accelerator_view_release(&mpi->local);
    amp_priv_band_plan_release(mpi->plan);
    free(mpi->pieces.piece);
    free(mpi->request);
    free(mpi);
}

/* The accelerators of this process, where it names none: its part of those that are not emulated. A process that is
   alone on its machine gets all of them. */
AMP_PRIV_COLD int amp_priv_mpi_accelerators(MPI_Comm comm, amp_accelerator *list)
{
    MPI_Comm machine;
    int rank, size;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_size(machine, &size);
    MPI_Comm_free(&machine);
    const int all = amp_priv_group_all(list), first = (int)((int64_t)all * rank / size),
              end = (int)((int64_t)all * (rank + 1) / size);
    if (first == end) {
        list[0] = list[rank % all];
        return 1;
    }
    memmove(list, list + first, (size_t)(end - first) * sizeof *list);
    return end - first;
}

/* Is MPI ready? Else reports it. */
AMP_PRIV_COLD bool amp_priv_mpi_begun(const char *call)
{
    int begun = 0, over = 0;
    MPI_Initialized(&begun);
    MPI_Finalized(&over);
    if (begun && !over)
        return true;
    amp_priv_report(AMP_RUNTIME_ERROR, "%s: MPI %s; call it between MPI_Init and MPI_Finalize", call,
                    over ? "has ended" : "has not begun");
    return false;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_mpi(MPI_Comm comm, const amp_accelerator *accelerators,
                                                                  int count)
{
    static const char call[] = "amp_accelerator_view_create_mpi";
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    amp_accelerator_view none = { NULL };
    void *user;
    if (!amp_priv_same_build() || !amp_priv_mpi_begun(call))
        return none;
    if (!amp_priv_handler(&user))
        amp_set_error_handler(amp_priv_mpi_report, NULL);
    if (!accelerators || count == 0) {
        count = amp_priv_mpi_accelerators(comm, all);
        accelerators = all;
    }
    amp_priv_mpi *const mpi = calloc(1, sizeof *mpi);
    amp_accelerator_view local = amp_accelerator_view_create_group(accelerators, count);
    if (mpi && local.amp_priv_queue)
        mpi->queue = amp_priv_group_open(accelerators, count, call);
    if (!mpi || !mpi->queue) {
        if (!mpi)
            amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a group of ranks", call);
        amp_accelerator_view_release(&local);
        free(mpi);
        return none;
    }
    static const amp_priv_hook hook = { .place = amp_priv_rank_launch, .end = amp_priv_rank_next };
    MPI_Comm_dup(comm, &mpi->comm);
    MPI_Comm_rank(mpi->comm, &mpi->rank);
    MPI_Comm_size(mpi->comm, &mpi->size);
    mpi->compares = amp_priv_ranks_compare(mpi->comm);
    mpi->local = local;
    mpi->ranks = (amp_priv_ranks){ amp_priv_now(), amp_priv_mpi_release };
    amp_priv_hook_add(AMP_PRIV_HOOK_RANKS, &hook);
    amp_priv_group_of(mpi->queue)->ranks = &mpi->ranks;
    mpi->queue->division->parts = 0;
    mpi->queue->division->undivided = NULL;
    return (amp_accelerator_view){ mpi->queue };
}

#endif /* AMP_MPI_COLLECT_H */
