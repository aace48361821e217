/* SPDX-License-Identifier: MIT */
/*  amp/launch/checked_launch.h - checked builds: the record of a launch's faults on a device, a buffer of ints */
#ifndef AMP_LAUNCH_CHECKED_LAUNCH_H
#define AMP_LAUNCH_CHECKED_LAUNCH_H

#include "../memory/band.h"
#include "kernel_cache.h"

static const amp_priv_rect amp_priv_fault_rect = { 0, AMP_PRIV_FAULT_INTS * sizeof(int), 1, 0, 1, 0 };

/* Opens it, empty. */
AMP_PRIV_COLD amp_status amp_priv_fault_open(const amp_priv_launch *launch, void **buffer)
{
    int none[AMP_PRIV_FAULT_INTS] = { 0 };
    none[AMP_PRIV_FAULT_LAUNCH] = (int)launch->number;
    amp_priv_device *const device = launch->queue->device;
    amp_priv_result result = device->backend->buffer.open(device, sizeof none, NULL, buffer);
    if (result.status != AMP_OK)
        return amp_priv_backend_report(device, launch->site, result);
    result = device->backend->buffer.transfer(launch->queue, *buffer, none, &amp_priv_fault_rect, true, NULL);
    if (result.status == AMP_OK)
        return AMP_OK;
    amp_priv_buffer_close(device, *buffer);
    return amp_priv_backend_report(device, launch->site, result);
}

/* Where the kernel was: device ids, which have the last dimension first, as an index or as tile and thread. */
AMP_PRIV_COLD void amp_priv_fault_at(amp_priv_launch_position *at, const amp_priv_launch *launch, const int *group,
                                     const int *local, const int *global)
{
    const int rank = launch->site->rank, direct = rank > 3 ? 2 : rank;
    const int origin = launch->band ? launch->band->origin : 0;
    at->rank = rank;
    at->tiled = at->in_phase = launch->site->tiled;
    for (int d = 0; d < direct; d++) {
        const int k = rank - 1 - d;
        const int first = k == 0 ? origin : 0;
        at->global[k] = global[d] + first;
        if (at->tiled) {
            at->local[k] = local[d];
            at->tile[k] = group[d] + first;
            at->global[k] = at->tile[k] * launch->site->tile[k] + local[d];
        }
    }
    int64_t lead = global[2]; /* rank > 3: the leading dimensions in one */
    for (int k = rank - direct - 1; k >= 0; k--) {
        at->global[k] = (int)(lead % launch->extent[k]);
        lead /= launch->extent[k];
    }
    if (rank > direct)
        at->global[0] += origin;
    for (int d = 0; d < rank; d++)
        at->global[d] += amp_priv_site_origin(launch->site, launch->captured, d);
}

/* Waits for the kernel, and takes its record over. The kernel has run, whatever becomes of that. */
AMP_PRIV_COLD void amp_priv_fault_read(const amp_priv_launch *launch, void *buffer)
{
    int record[AMP_PRIV_FAULT_INTS];
    amp_priv_device *const device = launch->queue->device;
    const amp_priv_result result =
        device->backend->buffer.transfer(launch->queue, buffer, record, &amp_priv_fault_rect, false, NULL);
    if (result.status != AMP_OK) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "the bounds record of a kernel in %s cannot be read: %s failed (%d)",
                     launch->site->function, result.call, result.code);
        return;
    }
    amp_priv_fault *const fault = launch->fault;
    fault->count = (unsigned)record[0];
    if (!fault->count)
        return;
    fault->capture = record[1];
    fault->rank = record[2];
    amp_priv_fault_at(&fault->at, launch, record + 3, record + 6, record + 9);
    memcpy(fault->assertion, record + 12, sizeof fault->assertion);
    for (int d = 0; d < fault->rank; d++) {
        int64_t index;
        memcpy(&index, record + 12 + 2 * d, sizeof index);
        fault->index[d] = index;
    }
}

#endif /* AMP_LAUNCH_CHECKED_LAUNCH_H */
