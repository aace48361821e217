/* SPDX-License-Identifier: MIT */
/*  amp/memory/copy_host.h - copies in builds for the CPU backend alone

    What amp/memory/copy_devices.h does where there are devices. */
#ifndef AMP_MEMORY_COPY_HOST_H
#define AMP_MEMORY_COPY_HOST_H

#include "copy_operand.h"

/* Copies to host memory; the sources are locked. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_locked(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_status status = AMP_OK;
    if (from->source && from->source->unknown)
        status = amp_priv_acquire_host(from->source, &from->shape, AMP_PRIV_READ);
    if (status != AMP_OK ||
        amp_priv_copy_refused(from->source && to->source ? AMP_PRIV_COPY_BETWEEN : AMP_PRIV_COPY_HOST))
        return amp_priv_failed();
    if (to->source && to->source->unknown)
        status = to->source->unknown->acquire(to->source, &to->shape, AMP_PRIV_WRITE);
    if (status == AMP_OK)
        amp_priv_copy_host(&to->shape, &from->shape);
    if (amp_priv_recording_here)
        amp_priv_copy_noted(from, to, status);
    return status;
}

/* Carries out a copy that was checked. */
AMP_PRIV_NOINLINE amp_status amp_priv_copy_sources(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    amp_priv_source *first = from->source, *second = to->source == first ? NULL : to->source;
    if (second && (!first || second < first)) {
        first = second;
        second = from->source;
    }
    if (first)
        amp_priv_source_settle(first);
    if (second)
        amp_priv_source_settle(second);
    if (first)
        amp_priv_lock(&first->lock);
    if (second)
        amp_priv_lock(&second->lock);
    const amp_status status = amp_priv_copy_locked(from, to);
    if (second)
        amp_priv_source_unlock(second);
    if (first)
        amp_priv_source_unlock(first);
    return status;
}

#endif /* AMP_MEMORY_COPY_HOST_H */
