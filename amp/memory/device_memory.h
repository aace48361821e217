/* SPDX-License-Identifier: MIT */
/*  amp/memory/device_memory.h - the contents of sources where there are devices: the host's access, and their end

    What amp/memory/host_memory.h does in builds for the CPU backend alone.

    Contents (search for the tag):
        >>host  >>pointers  >>life */
#ifndef AMP_MEMORY_DEVICE_MEMORY_H
#define AMP_MEMORY_DEVICE_MEMORY_H

#include "acquire.h"

/* // >>host */

/* Begins a directory anew that got too large: its owner gets everything. */
AMP_PRIV_COLD amp_status amp_priv_collapse_to_owner(amp_priv_source *source)
{
    if (source->directory.valid_in_any & AMP_PRIV_NOBODY)
        return AMP_OK; /* what is unknown stays so */
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        if (block->discarded || (block->valid_in & amp_priv_bit(source->owner)))
            continue;
        const amp_status status = amp_priv_fetch(source, block, source->owner, NULL);
        if (status != AMP_OK) {
            amp_priv_directory_merge(&source->directory); /* what was brought so far is there */
            return status;
        }
        amp_priv_block_grant(block, source->owner, AMP_PRIV_READ);
    }
    amp_priv_directory_reset(&source->directory, source->owner, false);
    return AMP_OK;
}

/* The memories that are the same bytes as `memory`: the host's, and those of devices that share it; or it alone. */
AMP_PRIV_COLD uint32_t amp_priv_same_memory(const amp_priv_source *source, int memory)
{
    if (memory != 0 && !amp_priv_device_number(memory)->shares_host)
        return amp_priv_bit(memory);
    uint32_t memories = 1u;
    for (int n = 1; source->replicas >> n; n++)
        if (source->replica[n] && source->replica[n]->device->shares_host)
            memories |= amp_priv_bit(n);
    return memories;
}

/* The host gets access to a shape, with the source's lock held. Where that is refused, the host may write there all the
   same, and refresh: it has waited for kernels there, or that is the error. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_host(amp_priv_source *source, const amp_priv_shape *shape,
                                                    amp_priv_access_request want)
{
    amp_status status = AMP_OK;
    if (__builtin_expect(source->recorder != NULL, 0) && amp_priv_recording_here &&
        amp_priv_recording_here->copies->refuses_access(source))
        status = amp_priv_failed();
    /* Nothing is brought for discarded blocks, but a kernel may be writing there. */
    else if (want != AMP_PRIV_READ || source->directory.discarded)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, 0);
    if (status == AMP_OK)
        status = amp_priv_acquire(source, shape, 0, NULL, want);
    if (__builtin_expect(status == AMP_OK, 1))
        return AMP_OK;
    const amp_status waited = amp_priv_host_wait_sharing(source, true, 0);
    return waited == AMP_OK ? status : waited;
}

/* A device gets access to a shape; what queue does next comes after what others do with it. */
AMP_PRIV_WARM_PART amp_status amp_priv_acquire_device(amp_priv_source *source, const amp_priv_shape *shape,
                                                      amp_priv_queue *queue, amp_priv_access_request want)
{
    amp_priv_replica *const replica = amp_priv_replica_of(source, queue->device->number);
    if (!replica)
        return amp_priv_failed();
    if (want != AMP_PRIV_READ)
        amp_priv_write_check_note(source, want);
    amp_status status = amp_priv_acquire(source, shape, queue->device->number, queue, want);
    if (status == AMP_OK)
        status = amp_priv_queue_wait(replica, queue, want != AMP_PRIV_READ);
    if (status == AMP_OK && queue->device->shares_host)
        status = amp_priv_host_wait_sharing(source, want != AMP_PRIV_READ, queue->device->number);
    return status;
}

/* The host, or (queue not NULL) its device, gets access to a shape. */
static inline amp_status amp_priv_acquire_here(amp_priv_source *source, const amp_priv_shape *shape,
                                               amp_priv_queue *queue, amp_priv_access_request want)
{
    if (queue && !amp_priv_is_host(queue->device->number))
        return amp_priv_acquire_device(source, shape, queue, want);
    amp_priv_write_check_part(source, want, shape);
    return amp_priv_acquire_host(source, shape, want);
}

/* Whatever is in the user's memory counts (WRITE), or nothing that is anywhere (DISCARD). */
AMP_PRIV_COLD amp_status amp_priv_overrule(amp_priv_source *source, const amp_priv_shape *shape,
                                           amp_priv_access_request want)
{
    amp_priv_write_check_note(source, want);
    const amp_status status = want == AMP_PRIV_WRITE ? amp_priv_host_wait_sharing(source, true, 0) : AMP_OK;
    return status == AMP_OK ? amp_priv_overrule_shape(source, shape, want) : status;
}

/* // >>pointers */

/* Are the newest contents of a region elsewhere, or unknown? */
AMP_PRIV_COLD bool amp_priv_region_has_device_changes(const amp_priv_source *source, const amp_priv_region *region)
{
    const amp_priv_directory *const directory = &source->directory;
    amp_priv_box common;
    for (int b = 0; b < region->count; b++)
        for (int i = 0; i < directory->count; i++) {
            const amp_priv_block *const block = &directory->blocks[i];
            if (!block->discarded && !(block->valid_in & 1u) &&
                amp_priv_box_meet(&block->box, &region->boxes[b], directory->rank, &common))
                return true;
        }
    return false;
}

/* Bytes of the source are about to be read, or written, by way of a pointer. */
AMP_PRIV_WARM amp_status amp_priv_sync_bytes(amp_priv_source *source, size_t from, size_t to, bool writes)
{
    const size_t size = source->base.element_size;
    amp_priv_region region;
    region.covers = true;
    region.count = amp_priv_interval_boxes(source->directory.rank, source->directory.extent, from / size,
                                           (to + size - 1) / size, region.boxes);
    amp_status status = AMP_OK;
    if (writes) {
        amp_priv_write_check_note(source, AMP_PRIV_WRITE);
        status = amp_priv_host_wait_sharing(source, true, 0);
        if (status == AMP_OK)
            status = amp_priv_acquire_region(source, &region, 0, NULL, AMP_PRIV_READ_WRITE);
    } else if (amp_priv_region_has_device_changes(source, &region)) {
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "a copy from host memory: the memory at %p belongs to a view whose newest contents "
                                 "are on a device; synchronize the view first, or refresh it if the memory was written "
                                 "directly",
                                 (void *)(source->base.data + from));
    }
    return status;
}

/* // >>life */

static inline void amp_priv_contents_begin(amp_priv_source *source)
{
    amp_priv_directory_init(&source->directory, source->base.rank, source->base.extent);
}

/* Memory that the program freed may be another block's by now. A large block is a mapping of its own, and the system
   knows whether it still exists. */
#if defined(__linux__) && defined(__ELF__)
AMP_PRIV_SYSTEM(int, mincore, (void *address, size_t bytes, unsigned char *pages))
AMP_PRIV_COLD bool amp_priv_is_unmapped(const char *at)
{
    unsigned char page;
    return amp_priv_mincore((void *)((uintptr_t)at & ~(uintptr_t)(AMP_PRIV_PAGE - 1)), 1, &page) != 0;
}
#else
#define amp_priv_is_unmapped(at) false
#endif
/* Is the source's memory such a block, which does not exist any more? Small ones are not worth asking. */
AMP_PRIV_COLD bool amp_priv_source_is_unmapped(const amp_priv_source *source)
{
    enum { AMP_PRIV_MAPPED_BYTES = 1 << 17 /* asking takes less than copying as much */ };
    return source->bytes >= AMP_PRIV_MAPPED_BYTES && amp_priv_is_unmapped(source->base.data + source->bytes - 1);
}
#if defined(AMP_CHECKED)
#define AMP_PRIV_WHOSE_MEMORY "the view made by %s"
#define AMP_PRIV_WHOSE(life)  life.made
#else
#define AMP_PRIV_WHOSE_MEMORY "a view, from %#zx on,"
#define AMP_PRIV_WHOSE(life)  (size_t) life.first
#endif
AMP_PRIV_COLD amp_status amp_priv_report_freed(const amp_priv_source *source)
{
    return amp_priv_report(AMP_RUNTIME_ERROR,
                           "the memory of " AMP_PRIV_WHOSE_MEMORY " was freed before the view ended: call free after "
                           "the end of the view's scope, or amp_array_view_release before free or realloc",
                           AMP_PRIV_WHOSE(source->life));
}

/* Brings what is pending to the user's memory. What fails is tried again, and does not keep the rest from coming. */
AMP_PRIV_COLD amp_status amp_priv_write_back(amp_priv_source *source)
{
    amp_status status = AMP_OK;
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        const bool is_elsewhere = source->rank_rows && amp_priv_block_is_unknown(block);
        if (block->discarded || (block->valid_in & 1u) || is_elsewhere)
            continue;
        if (amp_priv_source_is_unmapped(source))
            return amp_priv_report_freed(source);
        amp_status this = AMP_RUNTIME_ERROR;
        const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
        if (!amp_priv_block_is_unknown(block))
            this = amp_priv_fetch(source, block, 0, NULL);
        amp_priv_error_mode_end(before);
        if (this != AMP_OK)
            this = amp_priv_block_is_unknown(block) ? amp_priv_unknown_contents(source)
                                                    : amp_priv_fetch(source, block, 0, NULL);
        if (status == AMP_OK)
            status = this;
    }
    return status;
}

/* Has everything on a replica ended? Waits for it, and where that fails, once more. */
AMP_PRIV_COLD bool amp_priv_replica_idle(amp_priv_replica *replica)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool idle = amp_priv_host_wait(replica, true) == AMP_OK || amp_priv_host_wait(replica, true) == AMP_OK;
    amp_priv_error_mode_end(before);
    return idle;
}

/* Closes a replica. False: commands still work in host memory, until an unknown time; then it is kept. */
AMP_PRIV_COLD bool amp_priv_replica_close(amp_priv_replica *replica)
{
    const bool idle = amp_priv_replica_idle(replica);
    if (!idle && replica->device->shares_host && !replica->device->inherited_by_fork)
        return false;
    while (replica->access_count > 0)
        amp_priv_access_drop(replica, replica->access_count - 1);
    if (replica->images)
        replica->images->end(replica->device, replica->images);
    if (!replica->borrowed)
        amp_priv_buffer_close(replica->device, replica->buffer);
    amp_priv_pin_end(&replica->pin);
    if (replica->accesses != replica->inline_accesses)
        free(replica->accesses);
    free(replica);
    return true;
}

/* A new source has no contents. */
static inline void amp_priv_contents_none(amp_priv_source *source)
{
    amp_priv_directory_reset(&source->directory, AMP_PRIV_HOST, true);
}

/* A new array's contents are those of its owner's memory. */
static inline void amp_priv_contents_of_owner(amp_priv_source *source)
{
    amp_priv_directory_reset(&source->directory, source->owner, false);
}

/* A new array lives on its queue's device. False after reporting. */
AMP_PRIV_COLD bool amp_priv_array_contents(amp_priv_source *source)
{
    amp_priv_contents_of_owner(source);
    if (!amp_priv_is_host(source->owner) && !amp_priv_replica_of(source, source->owner))
        return false;
    atomic_store_explicit(&source->cached, source->directory.valid_in_any, memory_order_relaxed);
    if (source->is_staging)
        amp_priv_pin_staging(source);
    return true;
}

/* The last owner is gone. *closed: nothing uses the host's memory any more. */
AMP_PRIV_WARM amp_status amp_priv_contents_end(amp_priv_source *source, bool *closed)
{
    amp_status status = AMP_OK;
    *closed = true;
    if (!source->owns_host)
        status = amp_priv_write_check_lost(source) ? AMP_RUNTIME_ERROR : amp_priv_write_back(source);
    for (int n = 0; n < AMP_PRIV_MAX_DEVICES; n++)
        if (source->replica[n])
            *closed = amp_priv_replica_close(source->replica[n]) && *closed;
    if (!*closed)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "%zu bytes at %p are never freed: kernels that use them cannot be waited for", source->bytes,
                     (void *)source->base.data);
    if (!*closed && !source->owns_host)
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "release: kernels that cannot be waited for may still use the memory at %p; do not "
                                 "free it",
                                 (void *)source->base.data);
    amp_priv_pin_end(&source->staged);
    amp_priv_directory_free(&source->directory);
    free(source->awaited);
    return status;
}

#endif /* AMP_MEMORY_DEVICE_MEMORY_H */
