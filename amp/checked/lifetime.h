/* SPDX-License-Identifier: MIT */
/*  amp/checked/lifetime.h - checked builds: memory that the program frees before the view on it ends */
#ifndef AMP_CHECKED_LIFETIME_H
#define AMP_CHECKED_LIFETIME_H

#include "../memory/allocation_life.h"

#if defined(AMP_CHECKED)

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
    if (is_used && (amp_priv_memory_is_gone(data, source->bytes) || amp_priv_memory_was_freed(data, source->bytes))) {
        amp_priv_report_freed(source);
        return true;
    }
    amp_priv_write_check_show(source);
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
