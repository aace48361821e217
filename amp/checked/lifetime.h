/* SPDX-License-Identifier: MIT */
/*  amp/checked/lifetime.h - checked builds: memory that the program frees before the view on it ends */
#ifndef AMP_CHECKED_LIFETIME_H
#define AMP_CHECKED_LIFETIME_H

#include "../memory/allocation_life.h"

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

/* Reads some of it, for valgrind to see. */
AMP_PRIV_COLD void amp_priv_memory_touch(const volatile char *data, size_t bytes)
{
    enum { AMP_PRIV_TOUCHED = 256 /* that are read */ };
    const size_t step = (bytes + AMP_PRIV_TOUCHED - 1) / AMP_PRIV_TOUCHED;
    for (size_t i = 0; i < bytes; i += step)
        (void)data[i];
}

/* The hook: the source's memory is read before the library writes there. */
AMP_PRIV_COLD bool amp_priv_lifetime_ends(amp_priv_source *source)
{
    const amp_priv_write_check *const watch = &source->watch;
    const char *const data = source->base.data;
    const bool is_used = watch->site != NULL; /* by a launch */
    bool is_lost = is_used && amp_priv_memory_is_gone(data, source->bytes);
    for (size_t part = 1; part <= 4 && is_used && !is_lost; part *= 2) /* a new block may have taken some of it */
        is_lost = amp_priv_memory_is_free(data, source->bytes, (source->bytes + part - 1) / part);
    if (is_lost) {
        amp_priv_report_freed(source);
        return true;
    }
    amp_priv_memory_touch(data, is_used ? source->bytes : 0);
    amp_priv_lock(&amp_priv_write_check_lock);
    const bool differs = watch->is_pending && !watch->is_told && watch->running == 0 && watch->moving == 0 &&
                         amp_priv_write_check_differs(watch);
    amp_priv_unlock(&amp_priv_write_check_lock);
    if (differs)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "the memory of the view made by %s changed after the kernel in %s, at or near %s:%d, but not "
                     "through the view: it was freed before the view ended (call free after the end of its scope), or "
                     "written through the pointer, which a device overwrites (write with AMP_AT)",
                     source->life.made, watch->site->function, watch->site->file, watch->site->line);
    return false;
}

#endif

#endif /* AMP_CHECKED_LIFETIME_H */
