/* SPDX-License-Identifier: MIT */
/*  amp/mpi/rank_launch.h - a launch on the ranks of a communicator

    Each rank runs a band of the extent's rows, by its own accelerators. Rows that a band reads and its rank has not
    come by messages. Meanwhile the rank runs the inner rows of its band, which do not need them.

    Contents (search for the tag):
        >>plan  >>inner  >>rows  >>stages  >>launch */
#ifndef AMP_MPI_RANK_LAUNCH_H
#define AMP_MPI_RANK_LAUNCH_H

#include "same_call.h"

/* // >>plan */

enum {
    AMP_PRIV_MPI_TRIALS = 4,
    AMP_PRIV_MPI_INNER_THREADS = 1 << 12 /* an estimate: fewer are not worth two launches */
};

/* What of its band each accelerator of this process runs: all of it, or first the inner rows, then the outer ones. */
typedef struct amp_priv_rank_plan {
    int whole, inner, outer; /* parts: from 0, from `members`, from 2 * members */
    int members, trials;
    amp_priv_band part[];
} amp_priv_rank_plan;

AMP_PRIV_COLD const amp_priv_band *amp_priv_rank_parts(const amp_priv_rank_plan *plan, int stage)
{
    return &plan->part[stage * plan->members];
}

/* Does each rank write rows of the sources that no other writes? Else says which not. */
AMP_PRIV_COLD bool amp_priv_ranks_are_apart(amp_priv_bands *bands, const amp_priv_band_plan *plan,
                                            const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head && amp_priv_bands_share(plan, head, i, amp_priv_rank_range))
            return amp_priv_not_divided(bands, launch,
                                        "rows of %s, which it writes, are parts of one row of the data that %s is a "
                                        "section of; a row of the data belongs to one rank",
                                        launch->site->captures[i].name, launch->site->captures[i].name);
    }
    return true;
}

/* Do parts of a band write rows apart? Nothing is reported if they do not: the ranks' bands are apart. */
AMP_PRIV_COLD bool amp_priv_rank_parts_are_apart(amp_priv_bands *bands, const amp_priv_launch *launch,
                                                 amp_priv_band *part, int count, const amp_priv_reach_view *views)
{
    const amp_priv_band_plan parts = { .band = part, .count = count };
    const bool reported = bands->reported[bands->of];
    bands->reported[bands->of] = true;
    const bool apart = amp_priv_bands_are_apart(bands, &parts, launch, views);
    bands->reported[bands->of] = reported;
    return apart;
}

/* Cuts rows of the band into parts for the accelerators of this process, or into one. Returns how many. */
AMP_PRIV_COLD int amp_priv_rank_cut(amp_priv_bands *bands, const amp_priv_launch *launch, const amp_priv_group *group,
                                    int first, int end, amp_priv_band *part, amp_priv_reach_view *views)
{
    int count = first < end ? amp_priv_bands_wanted(launch, end - first, group) : 0;
    for (bool good = false; !good; count = good ? count : 1) {
        amp_priv_rows_cut(launch, first, end, part, count, NULL);
        for (int p = 0; p < count; p++)
            (void)amp_priv_band_reach(bands, launch, &part[p], views); /* the band's was good */
        good = count < 2 || amp_priv_rank_parts_are_apart(bands, launch, part, count, views);
    }
    return count;
}

/* Arrays are in the memory of one process. */
AMP_PRIV_COLD bool amp_priv_ranks_without_arrays(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head && head->kind == AMP_PRIV_ARRAY) {
            amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                 "the array %s is in the memory of this process alone; capture a view for a launch on "
                                 "ranks (AMP_ARRAY_VIEW_NO_SOURCE)",
                                 amp_priv_capture_shown(launch->site, i));
            return false;
        }
    }
    return true;
}

/* A plan with the bands of all ranks, and the parts of this one's. One that cannot be divided is rank 0's. False after
   reporting. */
AMP_PRIV_COLD bool amp_priv_rank_plan_make(const amp_priv_mpi *mpi, amp_priv_bands *bands, amp_priv_band_plan *plan,
                                           const amp_priv_launch *launch)
{
    const amp_priv_group *const group = amp_priv_group_of(mpi->queue);
    const size_t parts = 2 * (size_t)group->count + 2;
    amp_priv_reach_view *const views = calloc((size_t)launch->site->capture_count + 1, sizeof *views);
    plan->band = calloc((size_t)mpi->size, sizeof *plan->band);
    plan->ranks = calloc(1, sizeof *plan->ranks + parts * sizeof *plan->ranks->part);
    plan->count = mpi->size;
    const bool ready = views && plan->band && plan->ranks;
    if (ready) {
        bands->reported[bands->of] = bands->reported[bands->of] || mpi->rank > 0; /* rank 0 reports it */
        amp_priv_rows_cut(launch, 0, launch->extent[0], plan->band, mpi->size, NULL);
        if (!amp_priv_bands_reach(bands, plan, launch, views) ||
            !amp_priv_bands_are_apart(bands, plan, launch, views) || !amp_priv_ranks_are_apart(bands, plan, launch)) {
            memset(plan->band, 0, (size_t)mpi->size * sizeof *plan->band);
            plan->band[0].end = launch->extent[0];
            (void)amp_priv_band_reach(bands, launch, &plan->band[0], views);
        }
        const amp_priv_band *const band = &plan->band[mpi->rank];
        plan->ranks->members = group->count;
        plan->ranks->whole = amp_priv_rank_cut(bands, launch, group, band->first, band->end, plan->ranks->part, views);
    } else {
        plan->count = 0;
        amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on %d ranks", mpi->size);
    }
    free(views);
    return ready;
}

/* // >>inner */

/* Do rows of a view meet those that come, or go, by messages? */
AMP_PRIV_WARM bool amp_priv_rows_move(const amp_priv_mpi *mpi, const amp_priv_head *head,
                                      const amp_priv_row_range *rows, bool incoming)
{
    const amp_priv_row_range range = amp_priv_rank_range(head, rows->lo, rows->hi);
    for (int k = 0; k < mpi->pieces.count; k++) {
        const amp_priv_rank_piece *const piece = &mpi->pieces.piece[k];
        if (piece->source == head->source && piece->incoming == incoming && piece->lo < range.hi &&
            range.lo < piece->hi)
            return true;
    }
    return false;
}

/* Do rows that a part uses meet those that come, or rows that it writes those that go? */
AMP_PRIV_WARM bool amp_priv_part_meets(const amp_priv_mpi *mpi, const amp_priv_launch *launch,
                                       const amp_priv_band *part)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const amp_priv_band_rows *const rows = &part->rows[i];
        for (int n = 0; head && n < rows->count; n++)
            if (amp_priv_rows_move(mpi, head, &rows->used[n], true))
                return true;
        for (int n = 0; head && n < rows->written_count; n++)
            if (amp_priv_rows_move(mpi, head, &rows->written[n], false))
                return true;
    }
    return false;
}

AMP_PRIV_WARM bool amp_priv_inner_meets(const amp_priv_mpi *mpi, const amp_priv_launch *launch,
                                        const amp_priv_rank_plan *plan)
{
    for (int p = 0; p < plan->inner; p++)
        if (amp_priv_part_meets(mpi, launch, &amp_priv_rank_parts(plan, 1)[p]))
            return true;
    return false;
}

/* Do rows that one part writes meet rows that another one uses? */
AMP_PRIV_COLD bool amp_priv_part_depends(const amp_priv_launch *launch, const amp_priv_band *writer,
                                         const amp_priv_band *user)
{
    for (int i = 0; i < launch->site->capture_count; i++)
        for (int j = 0; j < launch->site->capture_count; j++) {
            const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
            amp_priv_band_rows used = user->rows[j];
            memcpy(used.written, used.used, sizeof used.used);
            used.written_count = used.count;
            if (a && b && a->source == b->source && amp_priv_rows_meet(a, &writer->rows[i], b, &used))
                return true;
        }
    return false;
}

/* Do outer parts use what inner ones write? */
AMP_PRIV_COLD bool amp_priv_outer_depends(const amp_priv_launch *launch, const amp_priv_rank_plan *plan)
{
    for (int p = 0; p < plan->inner; p++)
        for (int q = 0; q < plan->outer; q++)
            if (amp_priv_part_depends(launch, &amp_priv_rank_parts(plan, 1)[p], &amp_priv_rank_parts(plan, 2)[q]))
                return true;
    return false;
}

/* The parts with so many outer rows at both ends of the band; plan->inner is 0 where they are of no use. */
AMP_PRIV_COLD void amp_priv_rank_try_inner(const amp_priv_mpi *mpi, amp_priv_bands *bands, amp_priv_rank_plan *plan,
                                           const amp_priv_launch *launch, int low, int high)
{
    const amp_priv_band *const band = &mpi->plan->band[mpi->rank];
    const int first = band->first + low, end = band->end - high;
    amp_priv_band *const inner = &plan->part[plan->members], *const outer = &plan->part[2 * plan->members];
    amp_priv_reach_view *const views = calloc((size_t)launch->site->capture_count + 1, sizeof *views);
    plan->inner = plan->outer = 0;
    if (views)
        plan->inner = amp_priv_rank_cut(bands, launch, amp_priv_group_of(mpi->queue), first, end, inner, views);
    if (low)
        amp_priv_rows_cut(launch, band->first, first, &outer[plan->outer++], 1, NULL);
    if (high)
        amp_priv_rows_cut(launch, end, band->end, &outer[plan->outer++], 1, NULL);
    for (int p = 0; p < plan->outer && views; p++)
        (void)amp_priv_band_reach(bands, launch, &outer[p], views);
    if (!views || !amp_priv_rank_parts_are_apart(bands, launch, outer, plan->outer, views) ||
        amp_priv_inner_meets(mpi, launch, plan) || amp_priv_outer_depends(launch, plan))
        plan->inner = 0;
    free(views);
}

/* Looks for inner rows that need nothing of what comes: the fewest outer ones, twice as many each time. */
AMP_PRIV_COLD void amp_priv_rank_find_inner(const amp_priv_mpi *mpi, amp_priv_bands *bands, amp_priv_rank_plan *plan,
                                            const amp_priv_launch *launch)
{
    const amp_priv_band *const band = &mpi->plan->band[mpi->rank];
    const int unit = (int)amp_priv_band_unit(launch), most = (band->end - band->first) / 4;
    plan->inner = 0;
    plan->trials++;
    for (int low = 0; !plan->inner && low <= most; low = low ? 2 * low : unit)
        for (int high = low ? 0 : unit; !plan->inner && high <= most; high = high ? 2 * high : unit)
            amp_priv_rank_try_inner(mpi, bands, plan, launch, low, high);
}

/* Are there inner rows that can run while the messages are under way? */
AMP_PRIV_WARM bool amp_priv_rank_overlaps(const amp_priv_mpi *mpi, amp_priv_bands *bands, const amp_priv_launch *launch)
{
    amp_priv_rank_plan *const plan = mpi->plan->ranks;
    const amp_priv_band *const band = &mpi->plan->band[mpi->rank];
    bool comes = false;
    for (int i = 0; i < mpi->pieces.count; i++)
        comes = comes || mpi->pieces.piece[i].incoming;
    if (!comes || amp_priv_rows_threads(launch, band->end - band->first) < AMP_PRIV_MPI_INNER_THREADS)
        return false;
    if ((!plan->inner || amp_priv_inner_meets(mpi, launch, plan)) && plan->trials < AMP_PRIV_MPI_TRIALS)
        amp_priv_rank_find_inner(mpi, bands, plan, launch);
    return plan->inner && !amp_priv_inner_meets(mpi, launch, plan);
}

/* // >>rows */

/* Notes what a rank reads of a view. */
AMP_PRIV_WARM bool amp_priv_rank_reads_view(amp_priv_mpi *mpi, int rank, const amp_priv_head *head,
                                            const amp_priv_band_rows *rows)
{
    for (int n = 0; n < rows->count; n++) {
        const amp_priv_row_range range = amp_priv_rank_range(head, rows->used[n].lo, rows->used[n].hi);
        if (!amp_priv_rank_read(head->source, rank, mpi->rank, range.lo, range.hi, &mpi->pieces))
            return false;
    }
    return true;
}

/* Notes what each rank reads; the pieces for this one are prepared. */
AMP_PRIV_WARM bool amp_priv_rank_reads(amp_priv_mpi *mpi, const amp_priv_launch *launch)
{
    mpi->pieces.count = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        mpi->source[i] = head ? head->source : NULL;
        if (head && !amp_priv_mpi_ready(mpi, head->source, false, launch->site->function))
            return false;
        for (int r = 0; head && r < mpi->size; r++)
            if (!amp_priv_rank_reads_view(mpi, r, head, &mpi->plan->band[r].rows[i]))
                return false;
    }
    return true;
}

/* Notes what each rank has written. heads: those of the captures as they were before the launch. */
AMP_PRIV_WARM bool amp_priv_rank_writes(const amp_priv_mpi *mpi, const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_source *const source = mpi->source[i];
        if (!source)
            continue;
        amp_priv_head *const head = launch->captured[i];
        amp_priv_source *const before = head->source; /* the CPU backend's views have none in a kernel */
        bool good = true;
        head->source = source;
        for (int r = 0; r < mpi->size && good; r++) {
            const amp_priv_band_rows *const rows = &mpi->plan->band[r].rows[i];
            for (int n = 0; n < rows->written_count && good; n++) {
                const amp_priv_row_range range = amp_priv_rank_range(head, rows->written[n].lo, rows->written[n].hi);
                good = amp_priv_rank_write(source, r, mpi->rank, range.lo, range.hi, amp_priv_rank_drop);
            }
        }
        amp_priv_rank_merge(source->rank_rows);
        head->source = before;
        if (!good)
            return false;
    }
    return true;
}

/* The host gets what a band uses, for the loops of the CPU backend. */
AMP_PRIV_WARM amp_status amp_priv_rank_on_host(const amp_priv_launch *launch, const amp_priv_band *band)
{
    amp_status status = AMP_OK;
    for (int i = 0; i < launch->site->capture_count && status == AMP_OK; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const amp_priv_band_rows *const rows = &band->rows[i];
        if (!head)
            continue;
        amp_priv_source_lock(head->source);
        for (int n = 0; n < rows->count + rows->written_count && status == AMP_OK; n++) {
            const bool writes = n >= rows->count;
            const amp_priv_row_range *const r = writes ? &rows->written[n - rows->count] : &rows->used[n];
            const amp_priv_shape shape = amp_priv_shape_of_rows(head, r->lo, r->hi);
            status = amp_priv_acquire_host(head->source, &shape, writes ? AMP_PRIV_READ_WRITE : AMP_PRIV_READ);
        }
        amp_priv_source_unlock(head->source);
    }
    return status;
}

/* // >>stages: 0 runs all parts, or 1 the inner ones and 2 the outer ones. */

/* Sets the next part for the CPU backend; false where none is left in this stage. */
AMP_PRIV_WARM bool amp_priv_rank_next_part(amp_priv_mpi *mpi, amp_priv_launch *launch)
{
    const amp_priv_rank_plan *const plan = mpi->plan->ranks;
    const int count = mpi->stage == 0 ? plan->whole : mpi->stage == 1 ? plan->inner : plan->outer;
    if (mpi->part == count)
        return false;
    launch->band = amp_priv_rank_parts(plan, mpi->stage) + mpi->part++;
    launch->first = launch->band->first;
    launch->extent[0] = launch->band->end - launch->band->first;
    return true;
}

/* Hook: the CPU backend has run a part. AGAIN when there is another one, else the launch has ended. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_rank_next(amp_priv_launch *launch, amp_status status)
{
    amp_priv_mpi *const mpi = launch->own[AMP_PRIV_HOOK_RANKS].pointer;
    if (!mpi || status != AMP_OK)
        return AMP_PRIV_STEP_RUN;
    if (amp_priv_rank_next_part(mpi, launch))
        return AMP_PRIV_STEP_AGAIN;
    if (mpi->stage == 1) {
        amp_priv_mpi_end(mpi);
        mpi->stage = 2;
        mpi->part = 0;
        if (amp_priv_rank_next_part(mpi, launch))
            return AMP_PRIV_STEP_AGAIN;
    }
    launch->own[AMP_PRIV_HOOK_RANKS].pointer = NULL;
    if (!amp_priv_rank_writes(mpi, launch))
        amp_priv_mpi_fail(mpi, "a launch");
    return AMP_PRIV_STEP_RUN;
}

#if AMP_PRIV_HAS_DEVICES
/* Runs this process's parts on its devices. */
AMP_PRIV_WARM amp_status amp_priv_rank_on_devices(amp_priv_mpi *mpi, amp_priv_launch *launch)
{
    const amp_priv_rank_plan *const plan = mpi->plan->ranks;
    const amp_priv_group *const group = amp_priv_group_of(mpi->queue);
    amp_priv_queue *const ends[] = { group->member[0], group->member[group->count - 1] };
    amp_status status = AMP_OK;
    if (mpi->plan->band[mpi->rank].first == mpi->plan->band[mpi->rank].end) {
        amp_priv_mpi_end(mpi);
        return AMP_OK;
    }
    launch->band = &mpi->plan->band[mpi->rank];
    if (!amp_priv_bands_start(launch, group->member[0]))
        return amp_priv_failed();
    if (mpi->stage == 1)
        status = amp_priv_bands_run(launch, amp_priv_rank_parts(plan, 1), group->member, plan->inner, NULL);
    amp_priv_mpi_end(mpi);
    if (status == AMP_OK && mpi->stage == 1)
        status = amp_priv_bands_run(launch, amp_priv_rank_parts(plan, 2), ends, plan->outer, NULL);
    else if (status == AMP_OK)
        status = amp_priv_bands_run(launch, plan->part, group->member, plan->whole, NULL);
    (void)amp_priv_bands_stop(launch, status);
    return status;
}
#endif

/* // >>launch */

/* A reference to the plan of a launch; NULL after reporting. */
AMP_PRIV_WARM amp_priv_band_plan *amp_priv_rank_plan_of(const amp_priv_mpi *mpi, amp_priv_bands *bands,
                                                        const amp_priv_launch *launch)
{
    bool is_new;
    amp_priv_lock(&bands->lock);
    bands->of = AMP_PRIV_BANDS_OF_RANKS;
    amp_priv_band_plan *plan = amp_priv_band_plan_find(bands, launch, mpi->queue, &is_new);
    if (!plan) {
        amp_priv_site_report(launch->site, AMP_OUT_OF_MEMORY, "no memory for a launch on %d ranks", mpi->size);
    } else if (is_new && !amp_priv_rank_plan_make(mpi, bands, plan, launch)) {
        amp_priv_band_plan_release(plan);
        plan = NULL;
    } else if (is_new) {
        amp_priv_band_plan_keep(bands, plan, launch, mpi->queue);
    }
    amp_priv_unlock(&bands->lock);
    return plan;
}

/* The messages of a launch are under way, and its first stage is chosen. The record of its site is not locked while
   this process waits for asynchronous work, or for the others. */
AMP_PRIV_WARM bool amp_priv_rank_begin_launch(amp_priv_mpi *mpi, amp_priv_bands *bands, const amp_priv_launch *launch)
{
    amp_priv_band_plan_release(mpi->plan);
    mpi->plan = amp_priv_rank_plan_of(mpi, bands, launch);
    if (!mpi->plan || !amp_priv_rank_reads(mpi, launch) || amp_priv_mpi_begin(mpi) != AMP_OK)
        return false;
    mpi->part = 0;
    amp_priv_lock(&bands->lock);
    bands->of = AMP_PRIV_BANDS_OF_RANKS;
    mpi->stage = amp_priv_rank_overlaps(mpi, bands, launch) ? 1 : 0;
    amp_priv_unlock(&bands->lock);
    return true;
}

/* Runs the part of this process; true where the CPU backend is to run it. */
AMP_PRIV_WARM bool amp_priv_rank_run(amp_priv_mpi *mpi, amp_priv_launch *launch, amp_status *status)
{
    const amp_priv_band *const band = &mpi->plan->band[mpi->rank];
    const bool on_host = amp_priv_is_host(mpi->queue->member[0]->device->number);
    if (on_host && mpi->stage == 0)
        amp_priv_mpi_end(mpi);
    if (on_host && band->first < band->end) {
        *status = amp_priv_rank_on_host(launch, band);
        launch->own[AMP_PRIV_HOOK_RANKS].pointer = mpi;
        return *status == AMP_OK && amp_priv_rank_next_part(mpi, launch);
    }
#if AMP_PRIV_HAS_DEVICES
    if (!on_host)
        *status = amp_priv_rank_on_devices(mpi, launch);
#endif
    if (*status == AMP_OK && !amp_priv_rank_writes(mpi, launch))
        *status = AMP_OUT_OF_MEMORY;
    return false;
}

/* Hook: a launch of all ranks. The CPU backend of this process runs its part of the extent. */
AMP_PRIV_WARM amp_priv_outcome amp_priv_rank_launch(amp_priv_launch *launch, amp_priv_queue **one)
{
    const amp_priv_group *const group = amp_priv_group_of(*one);
    amp_priv_mpi *const mpi = group ? (amp_priv_mpi *)(void *)group->ranks : NULL;
    amp_priv_data_location places;
    if (mpi)
        *one = mpi->local.amp_priv_queue;
    if (!mpi || mpi->size == 1) {
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_RANKS);
        return AMP_PRIV_STEP_RUN;
    }
    for (int m = 0; m < mpi->queue->members; m++)
        if (amp_priv_queue_usable(mpi->queue->member[m], launch->site->function) != AMP_OK)
            amp_priv_mpi_fail(mpi, "a launch");
    if (!amp_priv_captures_look(launch, &places) || !amp_priv_ranks_without_arrays(launch))
        amp_priv_mpi_fail(mpi, "a launch");
    amp_priv_rank_compare_launch(mpi, launch);
    amp_priv_bands *bands = atomic_load_explicit(&launch->site->bands, memory_order_acquire);
    if (!bands)
        bands = amp_priv_bands_new(launch->site, launch->captured);
    amp_status status = AMP_OUT_OF_MEMORY;
    bool on_host = false;
    if (bands && amp_priv_rank_begin_launch(mpi, bands, launch)) {
        status = AMP_OK;
        on_host = amp_priv_rank_run(mpi, launch, &status);
    }
    if (status != AMP_OK)
        amp_priv_mpi_fail(mpi, "a launch");
    return on_host ? AMP_PRIV_STEP_RUN : AMP_PRIV_STEP_DONE;
}

#endif /* AMP_MPI_RANK_LAUNCH_H */
