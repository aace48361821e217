/* SPDX-License-Identifier: MIT */
/*  amp/mpi/same_call.h - do all ranks make the same call? In checked builds, and with AMP_MPI_CHECK=1 */
#ifndef AMP_MPI_SAME_CALL_H
#define AMP_MPI_SAME_CALL_H

#include "exchange.h"

/* What a rank calls: numbers for what must be equal, and the text of messages. */
typedef struct amp_priv_rank_call {
    uint64_t site, extent, capture[AMP_PRIV_MAX_CAPTURES];
    char text[256]; /* "kernel in main, at or near a.c:17" */
} amp_priv_rank_call;

AMP_PRIV_COLD uint64_t amp_priv_call_hash_text(const char *text)
{
    return amp_priv_hash(AMP_PRIV_HASH_START, text, strlen(text));
}

/* The shape of a view, and where in its data it begins. */
AMP_PRIV_COLD uint64_t amp_priv_call_hash_view(const amp_priv_head *head)
{
    const size_t rank = head->rank;
    const amp_priv_shape *const base = &head->source->base;
    const int64_t numbers[] = { head->kind, head->rank, (int64_t)head->element->size,
                                amp_priv_head_data(head) - base->data };
    uint64_t hash = amp_priv_hash(AMP_PRIV_HASH_START, numbers, sizeof numbers);
    hash = amp_priv_hash(hash, amp_priv_head_extent(head), rank * sizeof(int));
    hash = amp_priv_hash(hash, amp_priv_head_stride(head), rank * sizeof(amp_priv_offset));
    return amp_priv_hash(hash, base->extent, (size_t)base->rank * sizeof *base->extent);
}

/* A launch, with the values of its captures. */
AMP_PRIV_COLD void amp_priv_rank_call_of_launch(amp_priv_rank_call *call, const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    memset(call, 0, sizeof *call);
    amp_priv_site_text(site, call->text, sizeof call->text);
    call->site = amp_priv_hash(amp_priv_call_hash_text(call->text), site->text, strlen(site->text));
    call->extent = amp_priv_hash(AMP_PRIV_HASH_START, launch->extent, (size_t)site->rank * sizeof *launch->extent);
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head)
            call->capture[i] = amp_priv_call_hash_view(head);
        else if (site->captures[i].size > 0)
            call->capture[i] = amp_priv_hash(AMP_PRIV_HASH_START, launch->captured[i], site->captures[i].size);
    }
}

/* What a call has that differs from another one of the same launch; site: NULL, where it is no launch. */
AMP_PRIV_COLD const char *amp_priv_rank_call_difference(const amp_priv_rank_call *a, const amp_priv_rank_call *b,
                                                        const amp_priv_launch_site *site, char *text, size_t size)
{
    if (a->extent != b->extent)
        return site ? "another extent" : "another argument";
    int i = 0;
    while (i + 1 < AMP_PRIV_MAX_CAPTURES && a->capture[i] == b->capture[i])
        i++;
    if (!site || i >= site->capture_count)
        return "another view";
    if (site->has_origin && i == site->capture_count - 1)
        return "another origin";
    const bool is_view = site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW;
    snprintf(text, size, "another %s of %s", is_view ? "shape" : "value", amp_priv_capture_shown(site, i));
    return text;
}

/* Reports the first rank whose call is not that of rank 0, and ends all. */
AMP_PRIV_COLD void amp_priv_rank_call_refuse(const amp_priv_mpi *mpi, const amp_priv_rank_call *mine,
                                             const amp_priv_launch_site *site)
{
    char text[300];
    amp_priv_rank_call *const all = malloc((size_t)mpi->size * sizeof *all);
    if (!all)
        amp_priv_mpi_fail(mpi, "allocating memory to compare the calls of ranks");
    MPI_Allgather(mine, (int)sizeof *mine, MPI_BYTE, all, (int)sizeof *mine, MPI_BYTE, mpi->comm);
    int other = 1;
    while (other + 1 < mpi->size && !memcmp(&all[0], &all[other], sizeof *all))
        other++;
    if (mpi->rank > 0) /* rank 0 reports it, and ends all */
        MPI_Barrier(mpi->comm);
    else if (all[0].site != all[other].site)
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "the ranks make different calls: rank 0 is at %s, rank %d at %s; all ranks make the same calls "
                        "in the same order",
                        all[0].text, other, all[other].text);
    else
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: rank %d has %s than rank 0; extents, scalars and the shapes of views are equal on all "
                        "ranks",
                        all[0].text, other,
                        amp_priv_rank_call_difference(&all[0], &all[other], site, text, sizeof text));
    free(all);
    amp_priv_mpi_fail(mpi, "the comparison of the calls of all ranks");
}

/* Compares the calls of all ranks. */
AMP_PRIV_COLD void amp_priv_rank_call_compare(const amp_priv_mpi *mpi, const amp_priv_rank_call *mine,
                                              const amp_priv_launch_site *site)
{
    const uint64_t hash = amp_priv_hash(AMP_PRIV_HASH_START, mine, sizeof *mine);
    uint64_t most[2] = { hash, ~hash }; /* the greatest, and the complement of the least */
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_UINT64_T, MPI_MAX, mpi->comm);
    if (most[0] != ~most[1])
        amp_priv_rank_call_refuse(mpi, mine, site);
}

AMP_PRIV_WARM void amp_priv_rank_compare_launch(const amp_priv_mpi *mpi, const amp_priv_launch *launch)
{
    amp_priv_rank_call mine;
    if (!mpi->compares)
        return;
    amp_priv_rank_call_of_launch(&mine, launch);
    amp_priv_rank_call_compare(mpi, &mine, launch->site);
}

/* A call of amp_mpi.h, with its view, or NULL, and a number. */
AMP_PRIV_WARM void amp_priv_rank_compare_call(const amp_priv_mpi *mpi, const char *name, const amp_priv_head *head,
                                              int64_t argument)
{
    amp_priv_rank_call mine;
    if (!mpi->compares)
        return;
    memset(&mine, 0, sizeof mine);
    snprintf(mine.text, sizeof mine.text, "%s", name);
    mine.site = amp_priv_call_hash_text(name);
    mine.extent = amp_priv_hash(AMP_PRIV_HASH_START, &argument, sizeof argument);
    mine.capture[0] = head ? amp_priv_call_hash_view(head) : 0;
    amp_priv_rank_call_compare(mpi, &mine, NULL);
}

/* Are calls compared? If one rank wants it, on all. */
AMP_PRIV_COLD bool amp_priv_ranks_compare(MPI_Comm comm)
{
    const char *const given = amp_priv_environment("AMP_MPI_CHECK");
    int wanted = AMP_PRIV_HOST_CHECKED || (given && *given && *given != '0');
    MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX, comm);
    return wanted != 0;
}

#endif /* AMP_MPI_SAME_CALL_H */
