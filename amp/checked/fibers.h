/* SPDX-License-Identifier: MIT */
/*  amp/checked/fibers.h - the threads of a tile as fibers of the thread sanitizer (amp/api/visits.h) */
#ifndef AMP_CHECKED_FIBERS_H
#define AMP_CHECKED_FIBERS_H

#include "../api/checked_access.h"
#include "../base/shared_state.h"

#if defined(AMP_PRIV_FIBERS)

/* Functions that the sanitizer does not instrument. */
#if AMP_PRIV_IS_SPLIT && defined(__clang__)
#define AMP_PRIV_FIBER_API __attribute__((noinline, disable_sanitizer_instrumentation))
#elif AMP_PRIV_IS_SPLIT
#define AMP_PRIV_FIBER_API __attribute__((noinline, no_sanitize("thread")))
#else
#define AMP_PRIV_FIBER_API AMP_PRIV_NO_TSAN
#endif

enum { AMP_PRIV_MAX_FIBERS = 1024, AMP_PRIV_UNORDERED = 1 };

typedef struct amp_priv_phase_fibers {
    void *home; /* NULL: in no phase */
    int next, count;
    char begin, end; /* of what stands between two barriers: what the sanitizer orders by */
    void *fiber[AMP_PRIV_MAX_FIBERS];
} amp_priv_phase_fibers;

AMP_PRIV_GLOBAL_THREAD(amp_priv_phase_fibers, amp_priv_tsan_phase)

/* Of the sanitizer's library. */
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);

/* A phase begins: there are fibers for all threads of the tile, or as many as the sanitizer bears. */
AMP_PRIV_NO_TSAN void amp_priv_phase_begin(const amp_priv_launch_site *site)
{
    int threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= site->tile[d];
    for (int *const i = &amp_priv_tsan_phase.count; *i < threads && *i < AMP_PRIV_MAX_FIBERS; ++*i) {
        char name[32];
        snprintf(name, sizeof name, "thread %d of a tile", *i);
        amp_priv_tsan_phase.fiber[*i] = __tsan_create_fiber(0);
        __tsan_set_fiber_name(amp_priv_tsan_phase.fiber[*i], name);
    }
    amp_priv_tsan_phase.home = __tsan_get_current_fiber();
    amp_priv_tsan_phase.next = 0;
}

/* The next thread of the tile. */
AMP_PRIV_FIBER_API void amp_priv_fiber_next(const amp_priv_launch_site *site)
{
    if (amp_priv_tsan_phase.home)
        __tsan_release(&amp_priv_tsan_phase.end);
    else
        amp_priv_phase_begin(site);
    __tsan_switch_to_fiber(amp_priv_tsan_phase.fiber[amp_priv_tsan_phase.next++ % AMP_PRIV_MAX_FIBERS],
                           AMP_PRIV_UNORDERED);
    __tsan_acquire(&amp_priv_tsan_phase.begin);
}

AMP_PRIV_FIBER_API void amp_priv_phase_end(void)
{
    if (!amp_priv_tsan_phase.home)
        return;
    __tsan_release(&amp_priv_tsan_phase.end);
    __tsan_switch_to_fiber(amp_priv_tsan_phase.home, AMP_PRIV_UNORDERED);
    amp_priv_tsan_phase.home = NULL;
}

/* A barrier, the begin of a tile, the end of the last: what fibers did comes before what they do. */
AMP_PRIV_API void amp_priv_fibers_meet(void)
{
    __tsan_acquire(&amp_priv_tsan_phase.end);
    __tsan_release(&amp_priv_tsan_phase.begin);
}

#endif

#endif /* AMP_CHECKED_FIBERS_H */
