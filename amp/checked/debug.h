/* SPDX-License-Identifier: MIT */
/*  amp/checked/debug.h - checked builds: AMP_BREAK_AT */
#ifndef AMP_CHECKED_DEBUG_H
#define AMP_CHECKED_DEBUG_H

#include "bounds.h"
#include "fibers.h"
#include "../api/checked_access.h"
#include "../device/hooks.h"

#if defined(AMP_CHECKED)

/* // >>break */

/* What AMP_BREAK_AT asks for, and its result: reported once, when the program ends without a stop. */
typedef struct amp_priv_break {
    atomic_bool read;
    amp_priv_mutex lock;
    char function[128];
    int count; /* of the numbers: an index, and perhaps a launch; 0: nothing is asked for */
    int index[AMP_MAX_RANK + 1];
    atomic_bool launched, stopped; /* a kernel of that function and rank, on the CPU; at that index */
    const char *wanted;
} amp_priv_break;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_break, amp_priv_breakpoint, mutex(lock))

/* At exit. */
AMP_PRIV_COLD void amp_priv_break_missed(void)
{
    const amp_priv_break *const stop = &amp_priv_breakpoint;
    if (atomic_load(&stop->stopped))
        return;
    if (atomic_load(&stop->launched))
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_BREAK_AT=%s stopped nothing: no launch in %s had that index",
                     stop->wanted, stop->function);
    else
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "AMP_BREAK_AT=%s stopped nothing: no kernel with %d dimension%s was launched in a function %s",
                     stop->wanted, stop->count, stop->count == 1 ? "" : "s", stop->function);
}

/* Reads "function:3,5". False when it is anything else. */
AMP_PRIV_COLD bool amp_priv_break_parse(const char *wanted)
{
    amp_priv_break *const stop = &amp_priv_breakpoint;
    const char *const colon = strrchr(wanted, ':');
    if (!colon || colon == wanted || (size_t)(colon - wanted) >= sizeof stop->function)
        return false;
    snprintf(stop->function, sizeof stop->function, "%.*s", (int)(colon - wanted), wanted);
    int count = 0;
    const char *at = colon;
    do {
        char *end;
        if (count > AMP_MAX_RANK)
            return false;
        stop->index[count++] = (int)strtol(at + 1, &end, 10);
        if (end == at + 1)
            return false;
        at = end;
    } while (*at == ',');
    if (*at)
        return false;
    stop->count = count;
    return true;
}

/* Reads AMP_BREAK_AT, once. */
AMP_PRIV_COLD void amp_priv_break_read(void)
{
    amp_priv_break *const stop = &amp_priv_breakpoint;
    amp_priv_lock(&stop->lock);
    if (!atomic_load(&stop->read)) {
        stop->wanted = amp_priv_environment("AMP_BREAK_AT");
        if (stop->wanted && stop->wanted[0]) {
            if (amp_priv_break_parse(stop->wanted))
                atexit(amp_priv_break_missed);
            else
                amp_priv_log(AMP_PRIV_LOG_WARNING,
                             "AMP_BREAK_AT is \"%s\"; it can be a function and an index, as in \"multiply:3,5\", and "
                             "the number of a launch behind that",
                             stop->wanted);
        }
        atomic_store(&stop->read, true);
    }
    amp_priv_unlock(&stop->lock);
}

/* Is this launch, whose loops are about to run on the CPU, one in which AMP_BREAK_AT stops? */
static inline bool amp_priv_break_in(const amp_priv_launch *launch)
{
    const int rank = launch->site->rank;
    amp_priv_break *const stop = &amp_priv_breakpoint;
    if (__builtin_expect(!atomic_load_explicit(&stop->read, memory_order_acquire), 0))
        amp_priv_break_read();
    if (__builtin_expect(stop->count == 0, 1) || (stop->count != rank && stop->count != rank + 1) ||
        strcmp(launch->site->function, stop->function) != 0)
        return false;
    atomic_store_explicit(&stop->launched, true, memory_order_relaxed);
    return stop->count == rank || stop->index[rank] == (int)launch->number;
}

/* Stops the debugger. In it, `frame function NAME` leads to the kernel's variables. */
AMP_PRIV_COLD void amp_priv_break_stop(void)
{
    char where[512];
    const amp_priv_launch_position at = amp_priv_current_position();
    const amp_priv_launch *const launch = amp_priv_current_thread.launch;
    const bool is_second = launch->hooks & amp_priv_hook_bit(AMP_PRIV_HOOK_COMPARE);
    fprintf(stderr, "amp: AMP_BREAK_AT stops the kernel in %s, launch %u, %s%s%s\n", launch->site->function,
            launch->number, amp_priv_position_text(where, sizeof where, &at),
            is_second ? ", with the inputs that it had on " : "", is_second ? launch->queue->device->path : "");
    atomic_store(&amp_priv_breakpoint.stopped, true);
    amp_priv_process_stop();
}

/* At an index of a launch that may stop. */
AMP_PRIV_API_COLD void amp_priv_break_test_index(const int *index, int rank)
{
    if (!memcmp(amp_priv_breakpoint.index, index, (size_t)rank * sizeof(int)))
        amp_priv_break_stop();
}

/* In its phases. */
AMP_PRIV_API_COLD void amp_priv_break_test(amp_priv_thread_position *here)
{
    const int last = here->launch->site->rank - 1, *const wanted = amp_priv_breakpoint.index;
    const int x = here->x, wanted_x = wanted[last] - here->origin[last];
    const amp_priv_launch_position at = amp_priv_current_position();
    if (memcmp(wanted, at.global, (size_t)last * sizeof(int)) != 0 || wanted_x < 0 ||
        wanted_x >= here->launch->site->tile[last] || !(AMP_PRIV_STOPS_BETWEEN || wanted_x == x))
        return;
    here->x = wanted_x;
    amp_priv_break_stop();
    here->x = x;
}

/* Before a launch: its record is empty. */
static inline void amp_priv_fault_begin(const amp_priv_launch *launch, bool on_cpu)
{
    memset(launch->fault, 0, sizeof *launch->fault);
    launch->fault->stops = on_cpu && amp_priv_break_in(launch);
}

AMP_PRIV_API amp_priv_thread_position *amp_priv_visit_launch(const amp_priv_launch *launch)
{
    amp_priv_current_thread.launch = launch;
    return &amp_priv_current_thread;
}

/* Stops where the part begins, or ends it where to stop. */
AMP_PRIV_API_COLD void amp_priv_visit_stop(amp_priv_thread_position *here, amp_priv_visit_part *part, int rank)
{
    const int *const wanted = amp_priv_breakpoint.index, stop = wanted[rank - 1];
    if (memcmp(here->index, wanted, (size_t)(rank - 1) * sizeof(int)) != 0 || stop < part->from || stop >= part->to)
        return;
    if (stop > part->from) {
        part->to = stop;
        return;
    }
    here->index[rank - 1] = stop;
    amp_priv_break_stop();
}

#endif

#endif /* AMP_CHECKED_DEBUG_H */
