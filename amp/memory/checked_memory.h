/* SPDX-License-Identifier: MIT */
/*  amp/memory/checked_memory.h - checked builds: is the user's memory what the view takes it for? */
#ifndef AMP_MEMORY_CHECKED_MEMORY_H
#define AMP_MEMORY_CHECKED_MEMORY_H

#include "device_memory.h"

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

#if defined(__linux__) && defined(__ELF__)
/* Of the address sanitizer, where the program has it. */
extern void *amp_priv_poisoned(const void *address, size_t bytes) __asm__("__asan_region_is_poisoned")
    __attribute__((weak));

AMP_PRIV_COLD bool amp_priv_memory_is_poisoned(const char *data, size_t bytes)
{
    return amp_priv_poisoned && amp_priv_poisoned(data, bytes);
}

/* Is a part of the memory poisoned, or not mapped? */
AMP_PRIV_COLD bool amp_priv_memory_is_gone(const char *data, size_t bytes)
{
    enum { AMP_PRIV_ASKED_PAGES = 16 /* that are asked for */ };
    if (amp_priv_memory_is_poisoned(data, bytes))
        return true;
    for (size_t n = 0; n < AMP_PRIV_ASKED_PAGES; n++) {
        if (amp_priv_is_unmapped(data + (bytes - 1) / (AMP_PRIV_ASKED_PAGES - 1) * n))
            return true;
    }
    return false;
}
#else
#define amp_priv_memory_is_poisoned(data, bytes) false
#define amp_priv_memory_is_gone(data, bytes)     false
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

/* The same of a block that may have been given away in part since. */
AMP_PRIV_COLD bool amp_priv_memory_was_freed(const char *data, size_t bytes)
{
    bool is_free = false;
    for (size_t part = 1; part <= 4 && !is_free; part *= 2)
        is_free = amp_priv_memory_is_free(data, bytes, (bytes + part - 1) / part);
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

/* // >>raw: malloc fills its blocks with a pattern, where the C library can, and a view's memory is then seen to be as
   malloc left it. */

enum { AMP_PRIV_RAW = 0xb5 /* each byte: as float and double it is a tiny negative number */ };

#if defined(__GLIBC__) && defined(__ELF__) && defined(__linux__)
extern int amp_priv_mallopt(int parameter, int value) __asm__("mallopt");
AMP_PRIV_COLD void amp_priv_memory_fills(void)
{
    enum { AMP_PRIV_PERTURB = -6 /* M_PERTURB, of malloc.h */ };
    if (!amp_priv_environment("MALLOC_PERTURB_") && !amp_priv_environment("GLIBC_TUNABLES"))
        amp_priv_mallopt(AMP_PRIV_PERTURB, AMP_PRIV_RAW ^ 0xff);
}
#else
AMP_PRIV_COLD void amp_priv_memory_fills(void) {}
#endif

/* Is the memory as malloc left it, all of it? A few bytes may be so by chance. */
AMP_PRIV_COLD bool amp_priv_memory_is_raw(const char *data, size_t bytes)
{
    enum { AMP_PRIV_RAW_LEAST = 16 };
    return bytes >= AMP_PRIV_RAW_LEAST && (unsigned char)data[0] == AMP_PRIV_RAW &&
           memcmp(data, data + 1, bytes - 1) == 0;
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

#endif /* AMP_MEMORY_CHECKED_MEMORY_H */
