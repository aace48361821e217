/* SPDX-License-Identifier: MIT */
/*  amp/checked/bounds.h - checked builds: reports of accesses outside of a view, and of false assertions */
#ifndef AMP_CHECKED_BOUNDS_H
#define AMP_CHECKED_BOUNDS_H

#include "../base/error.h"
#include "../api/checked_access.h"
#include "../device/launch_site.h"
#include "../device/view_header.h"
#if defined(AMP_CHECKED)
#include "../memory/band.h"
#endif

#if defined(AMP_CHECKED)

AMP_PRIV_GLOBAL_THREAD(amp_priv_thread_position, amp_priv_current_thread)

/* The same as text of a message. */
AMP_PRIV_COLD amp_priv_launch_position amp_priv_current_position(void)
{
    const amp_priv_thread_position *const here = &amp_priv_current_thread;
    const amp_priv_launch_site *const site = here->launch->site;
    const int thread[] = { here->x, here->y, here->z };
    amp_priv_launch_position at = { .rank = site->rank, .tiled = site->tiled, .in_phase = here->x >= 0 };
    for (int d = 0; d < at.rank; d++)
        if (at.tiled) {
            at.tile[d] = here->tile[d];
            at.local[d] = thread[at.rank - 1 - d];
            at.global[d] = here->origin[d] + at.local[d];
        } else {
            at.global[d] = here->index[d];
        }
    return at;
}

/* What one index of a launch uses (AMP_COMPARE): the loops run once to find an index that uses `element` of the view
   `capture`, and once more for what else that index uses. */
typedef struct amp_priv_compare_access {
    int capture;
    int index[AMP_MAX_RANK];
} amp_priv_compare_access;
enum { AMP_PRIV_COMPARE_ACCESSES = 24 };
typedef struct amp_priv_compare_reads {
    int pass, capture; /* pass: 1, then 2; 0: none yet */
    int element[AMP_MAX_RANK];
    bool is_found;
    amp_priv_launch_position found;
    amp_priv_mutex lock;
    int access_count;
    amp_priv_compare_access access[AMP_PRIV_COMPARE_ACCESSES];
} amp_priv_compare_reads;

/* Adds an access, once. */
AMP_PRIV_COLD void amp_priv_reads_add(amp_priv_compare_reads *reads, const amp_priv_compare_access *access)
{
    int n = 0;
    while (n < reads->access_count && memcmp(&reads->access[n], access, sizeof *access) != 0)
        n++;
    if (n == reads->access_count && n < AMP_PRIV_COMPARE_ACCESSES)
        reads->access[reads->access_count++] = *access;
}

/* An access in such a run. False: it is outside of its view. */
AMP_PRIV_COLD bool amp_priv_reads_note(int capture, int rank, const long long *index)
{
    const amp_priv_launch *const launch = amp_priv_current_thread.launch;
    amp_priv_compare_reads *const reads = launch->reads;
    const int *const extent = amp_priv_head_extent(launch->captured[capture]);
    amp_priv_compare_access access = { .capture = capture };
    for (int d = 0; d < rank; d++) {
        if (index[d] < 0 || index[d] >= extent[d])
            return false;
        access.index[d] = (int)index[d];
    }
    const size_t bytes = (size_t)rank * sizeof(int);
    const bool is_it = capture == reads->capture && !memcmp(access.index, reads->element, bytes);
    if (reads->pass == 1 && !is_it)
        return true;
    const amp_priv_launch_position here = amp_priv_current_position();
    amp_priv_lock(&reads->lock);
    if (reads->pass == 1) {
        const bool is_own = here.rank == rank && !memcmp(here.global, reads->element, bytes);
        if (!reads->is_found || is_own)
            reads->found = here;
        reads->is_found = true;
    } else if (!memcmp(here.global, reads->found.global, sizeof here.global)) {
        amp_priv_reads_add(reads, &access);
    }
    amp_priv_unlock(&reads->lock);
    return true;
}

/* Is an access of a band in its view, and in the rows that the band reaches? */
AMP_PRIV_COLD bool amp_priv_in_band(int capture, int rank, const long long *index)
{
    const amp_priv_launch *const launch = amp_priv_current_thread.launch;
    const int *const extent = amp_priv_head_extent(launch->captured[capture]);
    const int *const reached = launch->band->rows[capture].reached;
    for (int d = 0; d < rank; d++)
        if (index[d] < 0 || index[d] >= extent[d])
            return false;
    return (index[0] >= reached[0] && index[0] < reached[1]) || (index[0] >= reached[2] && index[0] < reached[3]);
}

/* amp_priv_list of indexes that an int may not hold. */
AMP_PRIV_COLD const char *amp_priv_long_list(char *text, size_t size, const long long *values, int count)
{
    size_t used = 0;
    for (int d = 0; d < count && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "(", values[d]);
    if (used + 1 < size)
        snprintf(text + used, size - used, ")");
    return text;
}

/* An access outside on the host is reported, */
AMP_PRIV_API_COLD void amp_priv_outside_on_host(amp_priv_access access, int rank, const long long *index)
{
    char given[256], extent[128];
    amp_priv_report(
        AMP_RUNTIME_ERROR,
        "AMP_AT at %s:%d: the index %s is outside of the view %s, whose extent is %s; indexes begin at 0 and stay "
        "below the extent",
        access.file, access.line, amp_priv_long_list(given, sizeof given, index, rank), access.view,
        amp_priv_list(extent, sizeof extent, access.extent, rank));
}

/* and in a kernel noted. False: it is inside, and in the rows of a band, or noted as a read. */
AMP_PRIV_API_COLD bool amp_priv_outside_in_kernel(amp_priv_fault *fault, int capture, int rank, const long long *index)
{
    if (capture < 0) {
        capture = ~capture;
        if (amp_priv_current_thread.launch->band ? amp_priv_in_band(capture, rank, index)
                                                 : amp_priv_reads_note(capture, rank, index))
            return false;
    }
    if (atomic_fetch_add_explicit(&fault->count, 1u, memory_order_relaxed) != 0)
        return true;
    fault->capture = capture;
    fault->rank = rank;
    for (int d = 0; d < rank; d++)
        fault->index[d] = index[d];
    fault->at = amp_priv_current_position();
    return true;
}

AMP_PRIV_API_COLD bool amp_priv_outside_noted(const amp_priv_outside *outside)
{
    return amp_priv_outside_in_kernel(outside->fault, outside->capture, outside->rank, outside->index);
}

/* Where an assertion is false: noted in a kernel, as an access outside is, else reported. */
AMP_PRIV_API_COLD void amp_priv_assert_failed(const char *text, const char *file, int line)
{
    if (!amp_priv_current_thread.launch) {
        amp_priv_report(AMP_RUNTIME_ERROR, "AMP_ASSERT at %s:%d: %s is false", file, line, text);
        return;
    }
    amp_priv_fault *const fault = amp_priv_current_thread.launch->fault;
    if (atomic_fetch_add_explicit(&fault->count, 1u, memory_order_relaxed) != 0)
        return;
    fault->capture = AMP_PRIV_NO_CAPTURE;
    snprintf(fault->assertion, sizeof fault->assertion, "%s", text);
    fault->at = amp_priv_current_position();
}

/* Where in the launch: " at index (3, 5)", " in tile (0, 1), thread (3, 2), global index (3, 18)". */
static inline const char *amp_priv_position_text(char *text, size_t size, const amp_priv_launch_position *at)
{
    char global[128], tile[64], local[64];
    amp_priv_list(global, sizeof global, at->global, at->rank);
    if (!at->tiled) {
        snprintf(text, size, "at index %s", global);
        return text;
    }
    amp_priv_list(tile, sizeof tile, at->tile, at->rank);
    if (at->in_phase)
        snprintf(text, size, "in tile %s, thread %s, global index %s", tile,
                 amp_priv_list(local, sizeof local, at->local, at->rank), global);
    else
        snprintf(text, size, "in tile %s, outside of its phases", tile);
    return text;
}

/* An access in the view, but outside of the rows that the launch on a group reaches there. */
AMP_PRIV_COLD amp_status amp_priv_fault_report_rows(const amp_priv_launch_site *site, const amp_priv_fault *fault)
{
    char given[256], where[512];
    const char *const name = site->captures[fault->capture].name;
    return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                "%s, the index %s of the view %s is in a row that this part of a launch on a group was "
                                "not expected to use; widen its AMP_REACH, or capture AMP_WHOLE(%s)",
                                amp_priv_position_text(where, sizeof where, &fault->at),
                                amp_priv_long_list(given, sizeof given, fault->index, fault->rank), name, name);
}

/* A kernel's printf on the CPU, in one piece: threads print at the same time. */
AMP_PRIV_API_COLD int amp_priv_kernel_printf(const char *format, ...)
{
    char where[512], line[4096];
    const amp_priv_launch *const launch = amp_priv_current_thread.launch;
    const amp_priv_launch_position at = amp_priv_current_position();
    const int before = snprintf(line, sizeof line, "%s: kernel in %s, launch %u, %s: ", "amp", launch->site->function,
                                launch->number, amp_priv_position_text(where, sizeof where, &at));
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(line + before, sizeof line - (size_t)before, format, arguments);
    va_end(arguments);
    fputs(line, stdout);
    return length;
}

/* After a launch: reports its first fault as its error. extent: of the captured view that it was in, NULL of an
   assertion. */
AMP_PRIV_COLD amp_status amp_priv_fault_report(const amp_priv_launch *launch, const int *extent)
{
    const amp_priv_launch_site *const site = launch->site;
    const amp_priv_fault *const fault = launch->fault;
    char given[256], shape[128], where[512];
    const unsigned count = fault->count;
    if (!extent)
        return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                    "launch %u, %s, AMP_ASSERT(%s) is false; it is the first of %u fault%s",
                                    launch->number, amp_priv_position_text(where, sizeof where, &fault->at),
                                    fault->assertion, count, count == 1 ? "" : "s");
    const char *const name = site->captures[fault->capture].name;
    bool is_inside = true;
    for (int d = 0; d < fault->rank; d++)
        is_inside = is_inside && fault->index[d] >= 0 && fault->index[d] < extent[d];
    if (is_inside)
        return amp_priv_fault_report_rows(site, fault);
    const bool is_ours = amp_priv_name_is_ours(name);
    return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                "launch %u, %s, the index %s is outside of %s%s, whose extent is %s; "
                                "%u access%s of this launch went to element 0 instead",
                                launch->number, amp_priv_position_text(where, sizeof where, &fault->at),
                                amp_priv_long_list(given, sizeof given, fault->index, fault->rank),
                                is_ours ? "a view that the algorithm was given" : "the view ", is_ours ? "" : name,
                                amp_priv_list(shape, sizeof shape, extent, fault->rank), count, count == 1 ? "" : "es");
}

#endif

#endif /* AMP_CHECKED_BOUNDS_H */
