/* SPDX-License-Identifier: MIT */
/*  amp/memory/allocation_life.h - makes and ends sources */
#ifndef AMP_MEMORY_ALLOCATION_LIFE_H
#define AMP_MEMORY_ALLOCATION_LIFE_H

#include "aliases.h"

/* // >>life */

#if defined(AMP_CHECKED)
/* Notes which other sources are on memory of this one. */
AMP_PRIV_COLD void amp_priv_write_check_shared(amp_priv_source *source)
{
    const uintptr_t first = (uintptr_t)source->base.data, end = first + source->bytes;
    amp_priv_lock(&amp_priv_write_check_lock);
    for (amp_priv_handle_slot *life = amp_priv_handle_newest(first, end); life;
         life = amp_priv_handle_next(life, first, end))
        if (life != &source->life)
            ((amp_priv_source *)life)->watch.is_shared = source->watch.is_shared = true;
    amp_priv_unlock(&amp_priv_write_check_lock);
}
#else
#define amp_priv_write_check_shared(source) (void)0
#endif

/* A record that may have been another source's. */
AMP_PRIV_WARM_PART void amp_priv_source_clear(amp_priv_source *source, bool is_new)
{
    if (is_new)
        amp_priv_mutex_init(&source->lock);
    else
        memset(&source->cached, 0, sizeof *source - offsetof(amp_priv_source, cached));
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
#if defined(AMP_CHECKED)
#if defined(__linux__) && defined(__ELF__)
/* Of the address sanitizer, where the program has it. */
extern void *amp_priv_poisoned(const void *address, size_t bytes) __asm__("__asan_region_is_poisoned")
    __attribute__((weak));

/* Is a part of the memory poisoned, or not mapped? */
AMP_PRIV_COLD bool amp_priv_memory_is_gone(const char *data, size_t bytes)
{
    enum { AMP_PRIV_ASKED_PAGES = 16 /* that are asked for */ };
    if (amp_priv_poisoned && amp_priv_poisoned(data, bytes))
        return true;
    for (size_t n = 0; n < AMP_PRIV_ASKED_PAGES; n++) {
        if (amp_priv_is_unmapped(data + (bytes - 1) / (AMP_PRIV_ASKED_PAGES - 1) * n))
            return true;
    }
    return false;
}
#else
#define amp_priv_memory_is_gone(data, bytes) false
#endif

/* Does the allocator give some of the memory to a new block of that size? Then it was freed. The next request of a
   block's size gets the block that was freed last. */
AMP_PRIV_COLD bool amp_priv_memory_is_free(const char *data, size_t bytes, size_t size)
{
    enum {
        AMP_PRIV_ASKED_BLOCKS = 8 /* of one size */,
        AMP_PRIV_ASKED_BYTES = 1 << 20 /* bytes: one such block is enough */
    };
    void *block[AMP_PRIV_ASKED_BLOCKS];
    const int most = size < AMP_PRIV_ASKED_BYTES ? AMP_PRIV_ASKED_BLOCKS : 1;
    bool is_free = false;
    int n = 0;
    while (n < most && !is_free) {
        void *one = malloc(size);
        __asm__ volatile("" : "+r"(one)); /* else compilers leave out a block that is compared alone */
        const uintptr_t at = (uintptr_t)one, mine = (uintptr_t)data;
        is_free = one && at < mine + bytes && mine < at + size;
        block[n++] = one;
    }
    while (n-- > 0)
        free(block[n]);
    return is_free;
}

/* Is the block that begins at the memory shorter than that? A block that the C library maps alone has its size before
   it: 0 and the size, with a bit of its own. Tools that replace malloc are not asked. */
#if defined(__GLIBC__) && defined(__ELF__) && defined(__linux__)
__attribute__((no_sanitize("address"))) AMP_PRIV_COLD bool amp_priv_block_is_short(const char *data, size_t bytes)
{
    const volatile size_t *const size = (const volatile size_t *)(uintptr_t)data - 1;
    const char *const preloaded = amp_priv_environment("LD_PRELOAD");
    const size_t is_mapped = 2, before = 2 * sizeof *size;
    if (((uintptr_t)data & (AMP_PRIV_PAGE - 1)) != before || amp_priv_poisoned || (preloaded && *preloaded))
        return false;
    return size[-1] == 0 && (size[0] & (AMP_PRIV_PAGE - 1)) == is_mapped && size[0] - is_mapped - before < bytes;
}
#else
#define amp_priv_block_is_short(data, bytes) false
#endif

AMP_PRIV_COLD bool amp_priv_memory_is_short(const char *data, size_t bytes)
{
    if (amp_priv_block_is_short(data, bytes))
        return true;
    for (size_t part = 2; part <= 8; part *= 2)
        if (amp_priv_memory_is_free(data, bytes, bytes / part + 1))
            return true;
    return false;
}

/* Reports memory of the user that is shorter than its view, or was freed. */
AMP_PRIV_COLD bool amp_priv_memory_refuse(const char *call, const char *data, size_t bytes)
{
    if (!data || !amp_priv_memory_is_short(data, bytes))
        return false;
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: the memory is shorter than the view, or was freed: the allocator has only a part of these %zu "
                    "bytes for it; allocate count * sizeof(type) bytes, and free them after the view's scope",
                    call, bytes);
    return true;
}
#else
#define amp_priv_memory_refuse(call, data, bytes) false
#endif

/* A new source of that shape; NULL after reporting, in the name of `call`. host: NULL reserves memory of our own.
   A source without elements reserves one all the same, which no view reaches: no buffer of size 0 has to be handled
   anywhere else. */
AMP_PRIV_WARM amp_priv_source *amp_priv_source_new(const char *call, void *host, size_t element_size, int rank,
                                                   const int *wanted)
{
    size_t size = element_size;
    int extent[AMP_MAX_RANK];
    const bool is_empty = amp_priv_extent_is_empty(rank, wanted);
    for (int d = 0; d < rank; d++) {
        extent[d] = is_empty ? 1 : wanted[d];
        if (size > (size_t)PTRDIFF_MAX / (size_t)extent[d]) {
            amp_priv_report(AMP_INVALID_ARGUMENT,
                            "%s: an extent of this size does not fit the address space; use a smaller one", call);
            return NULL;
        }
        size *= (size_t)extent[d];
    }
    if (amp_priv_memory_refuse(call, host, size))
        return NULL;
    amp_priv_devices_init();
    bool is_new;
    amp_priv_source *const source = (amp_priv_source *)amp_priv_handle_begin(sizeof *source, &is_new);
    const size_t align = size >= AMP_PRIV_PAGE ? AMP_PRIV_PAGE : 64;
    const bool owns = !host;
    if (source && owns)
        host = amp_priv_aligned_alloc(align, size);
    if (source)
        amp_priv_source_clear(source, is_new);
    if (!source || !host) {
        if (source)
            amp_priv_handle_end(&source->life);
        amp_priv_report(AMP_OUT_OF_MEMORY,
                        "%s: no memory on the host for %zu bytes; release arrays and views that are done with", call,
                        size);
        return NULL;
    }
    source->life.runtime = amp_priv_stamp;
    amp_priv_handle_made(&source->life, call);
    atomic_init(&source->references, 1);
    source->base = amp_priv_dense(host, element_size, rank, extent);
    source->owns_host = owns;
    source->bytes = size;
    amp_priv_directory_init(&source->directory, rank, extent);
    if (!owns) {
        atomic_store_explicit(&source->life.end, (uintptr_t)host + size, memory_order_relaxed);
        atomic_store_explicit(&source->life.first, (uintptr_t)host, memory_order_release);
        amp_priv_write_check_shared(source);
    }
    amp_priv_write_check_unwritten(source, owns);
    return source;
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
                           "the end of the view's scope, or amp_array_view_release before free",
                           AMP_PRIV_WHOSE(source->life));
}

/* Brings what is pending to the user's memory. What fails is tried again, and does not keep the rest from coming. */
AMP_PRIV_COLD amp_status amp_priv_write_back(amp_priv_source *source)
{
    enum { AMP_PRIV_MAPPED_BYTES = 1 << 17 /* asking takes less than copying as much */ };
    const bool is_large = source->bytes >= AMP_PRIV_MAPPED_BYTES;
    amp_status status = AMP_OK;
    for (int i = 0; i < source->directory.count; i++) {
        amp_priv_block *const block = &source->directory.blocks[i];
        const bool is_elsewhere = source->rank_rows && amp_priv_block_is_unknown(block);
        if (block->discarded || (block->valid_in & 1u) || is_elsewhere)
            continue;
        if (is_large && amp_priv_is_unmapped(source->base.data + source->bytes - 1))
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

/* When the last owner is gone: waits for what is in flight, writes pending changes back to the user's memory and gives
   everything back but what may still be in use. */
AMP_PRIV_WARM amp_status amp_priv_source_end(amp_priv_source *source)
{
    bool closed = true;
    amp_priv_lock(&source->lock);
    amp_status status = AMP_OK;
    if (!source->owns_host)
        status = amp_priv_write_check_lost(source) ? AMP_RUNTIME_ERROR : amp_priv_write_back(source);
    for (int n = 0; n < AMP_PRIV_MAX_DEVICES && AMP_PRIV_HAS_OTHERS; n++)
        if (source->replica[n])
            closed = amp_priv_replica_close(source->replica[n]) && closed;
    if (!closed)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "%zu bytes at %p are never freed: kernels that use them cannot be waited for", source->bytes,
                     (void *)source->base.data);
    if (!closed && !source->owns_host)
        status = amp_priv_report(AMP_RUNTIME_ERROR,
                                 "release: kernels that cannot be waited for may still use the memory at %p; do not "
                                 "free it",
                                 (void *)source->base.data);
    if (source->queue)
        amp_priv_queue_release(source->queue);
    if (source->associated)
        amp_priv_queue_release(source->associated);
    amp_priv_pin_end(&source->staged);
    if (source->owns_host && closed)
        amp_priv_aligned_free(source->base.data);
    amp_priv_directory_free(&source->directory);
    amp_priv_write_check_end(source);
    free(source->awaited);
    free(source->rank_rows);
    atomic_store_explicit(&source->life.first, 0, memory_order_relaxed);
    amp_priv_unlock(&source->lock);
    amp_priv_handle_end(&source->life);
    return status;
}

/* One owner less. */
static inline amp_status amp_priv_source_release(amp_priv_source *source)
{
    amp_priv_source_settle(source);
    if (atomic_fetch_sub_explicit(&source->references, 1, memory_order_acq_rel) != 1)
        return AMP_OK;
    return amp_priv_source_end(source);
}

#endif /* AMP_MEMORY_ALLOCATION_LIFE_H */
