/* SPDX-License-Identifier: MIT */
/*  amp/debug.h - checked builds under a debugger or the thread sanitizer: where the CPU loops are.

    AMP_BREAK_AT="function:3,5" in the environment stops a debugger at that index of the kernels in that function
    (of a tiled one: the thread with that global index), where kernels are the CPU loops. A program that ends without a
    stop says so. See docs/debugging.md.

    Contents (search for the tag):
        >>fibers  >>break  >>visits                                                                   */
#ifndef AMP_DEBUG_H
#define AMP_DEBUG_H

#include "checked.h"

#if !defined(AMP_CHECKED)

#define AMP_PRIV_VISITED_LAUNCH NULL
#define AMP_PRIV_VISIT_LAUNCH
#define AMP_PRIV_VISIT_LINE(begin, end, index, rank)
#define AMP_PRIV_VISIT_INDEX(i, rank)
#define AMP_PRIV_VISIT_TILE(tile, rank)
#define AMP_PRIV_VISIT_x 0
#define AMP_PRIV_VISIT_THREAD
#define AMP_PRIV_VISIT_END 0
static inline void amp_priv_fibers_meet(void) {}

#else

/* // >>fibers: to the thread sanitizer, the threads of a tile are fibers that only barriers put in order. So it sees
   two of them that touch one element of a view or tile_static variable, one of them writing. In truth they run one
   after the other on one stack: a local variable whose address a function gets looks shared. */

#if defined(AMP_PRIV_FIBERS)

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
AMP_PRIV_NO_TSAN void amp_priv_phase_begin(const amp_priv_site *site)
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
AMP_PRIV_NO_TSAN void amp_priv_fiber_next(const amp_priv_site *site)
{
    if (amp_priv_tsan_phase.home)
        __tsan_release(&amp_priv_tsan_phase.end);
    else
        amp_priv_phase_begin(site);
    __tsan_switch_to_fiber(amp_priv_tsan_phase.fiber[amp_priv_tsan_phase.next++ % AMP_PRIV_MAX_FIBERS],
                           AMP_PRIV_UNORDERED);
    __tsan_acquire(&amp_priv_tsan_phase.begin);
}

AMP_PRIV_NO_TSAN void amp_priv_phase_end(void)
{
    if (!amp_priv_tsan_phase.home)
        return;
    __tsan_release(&amp_priv_tsan_phase.end);
    __tsan_switch_to_fiber(amp_priv_tsan_phase.home, AMP_PRIV_UNORDERED);
    amp_priv_tsan_phase.home = NULL;
}

/* A barrier, the begin of a tile, the end of the last: what fibers did comes before what they do. */
static inline void amp_priv_fibers_meet(void)
{
    __tsan_acquire(&amp_priv_tsan_phase.end);
    __tsan_release(&amp_priv_tsan_phase.begin);
}

#else

static inline void amp_priv_fiber_next(const amp_priv_site *site) { (void)site; }
static inline void amp_priv_phase_end(void) {}
static inline void amp_priv_fibers_meet(void) {}

#endif

/* // >>break */

/* What AMP_BREAK_AT asks for, and what became of it: told once, when the program ends without a stop. */
typedef struct amp_priv_break {
    atomic_bool read;
    amp_priv_mutex lock;
    char function[128];
    int rank; /* 0: nothing is asked for */
    int index[AMP_MAX_RANK];
    atomic_bool launched, stopped; /* a kernel of that function and rank, on the CPU loops; at that index */
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
        amp_priv_log(
            AMP_PRIV_LOG_WARNING,
            "AMP_BREAK_AT=%s stopped nothing: no kernel with %d dimension%s was launched in a function %s on the "
            "CPU loops (AMP_ACCELERATOR=cpu)",
            stop->wanted, stop->rank, stop->rank == 1 ? "" : "s", stop->function);
}

/* Reads "function:3,5". False when it is anything else. */
AMP_PRIV_COLD bool amp_priv_break_parse(const char *wanted)
{
    amp_priv_break *const stop = &amp_priv_breakpoint;
    const char *const colon = strrchr(wanted, ':');
    if (!colon || colon == wanted || (size_t)(colon - wanted) >= sizeof stop->function)
        return false;
    snprintf(stop->function, sizeof stop->function, "%.*s", (int)(colon - wanted), wanted);
    int rank = 0;
    const char *at = colon;
    do {
        char *end;
        if (rank == AMP_MAX_RANK)
            return false;
        stop->index[rank++] = (int)strtol(at + 1, &end, 10);
        if (end == at + 1)
            return false;
        at = end;
    } while (*at == ',');
    if (*at)
        return false;
    stop->rank = rank;
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
                             "AMP_BREAK_AT is \"%s\"; it can be a function and an index, as in \"multiply:3,5\"",
                             stop->wanted);
        }
        atomic_store(&stop->read, true);
    }
    amp_priv_unlock(&stop->lock);
}

/* Is this launch on the CPU loops one in which AMP_BREAK_AT stops? */
static inline bool amp_priv_break_in(const amp_priv_launch *launch)
{
    amp_priv_break *const stop = &amp_priv_breakpoint;
    if (__builtin_expect(!atomic_load_explicit(&stop->read, memory_order_acquire), 0))
        amp_priv_break_read();
    if (__builtin_expect(stop->rank != launch->site->rank, 1) || !amp_priv_is_host(launch->queue->device->number) ||
        strcmp(launch->site->function, stop->function) != 0)
        return false;
    atomic_store_explicit(&stop->launched, true, memory_order_relaxed);
    return true;
}

/* Stops the debugger. In it, `frame function NAME` leads to the kernel's variables. */
AMP_PRIV_COLD void amp_priv_break_stop(void)
{
    char where[512];
    const amp_priv_visit at = amp_priv_visit_now();
    fprintf(stderr, "amp: AMP_BREAK_AT stops the kernel in %s %s\n", amp_priv_current_item.launch->site->function,
            amp_priv_visit_text(where, sizeof where, &at));
    atomic_store(&amp_priv_breakpoint.stopped, true);
    amp_priv_process_stop();
}

/* A call in a loop keeps it from becoming vectors. So what is optimised stops between loops: before the index, or
   before the row of threads where the thread is. */
#if defined(__OPTIMIZE__)
enum { AMP_PRIV_STOPS_BETWEEN = 1 };
#else
enum { AMP_PRIV_STOPS_BETWEEN = 0 };
#endif

/* At an index of a launch that may stop. */
AMP_PRIV_COLD void amp_priv_break_test_index(const int *index, int rank)
{
    if (!memcmp(amp_priv_breakpoint.index, index, (size_t)rank * sizeof(int)))
        amp_priv_break_stop();
}

/* In its phases. */
AMP_PRIV_COLD void amp_priv_break_test(amp_priv_visitor *here)
{
    const int last = here->launch->site->rank - 1, *const wanted = amp_priv_breakpoint.index;
    const int x = here->x, wanted_x = wanted[last] - here->origin[last];
    const amp_priv_visit at = amp_priv_visit_now();
    if (memcmp(wanted, at.global, (size_t)last * sizeof(int)) != 0 || wanted_x < 0 ||
        wanted_x >= here->launch->site->tile[last] || !(AMP_PRIV_STOPS_BETWEEN || wanted_x == x))
        return;
    here->x = wanted_x;
    amp_priv_break_stop();
    here->x = x;
}

/* Before a launch: its record is empty. */
static inline void amp_priv_fault_begin(const amp_priv_launch *launch)
{
    memset(launch->fault, 0, sizeof *launch->fault);
    launch->fault->stops = amp_priv_break_in(launch);
}

/* // >>visits: what the CPU loops say of where they are. */

/* The launch stands behind the captures: what a line's loops read of the function around them, gcc keeps once for all
   threads of a parallel region there. */
#define AMP_PRIV_VISITED_LAUNCH &amp_priv_this_launch
#define AMP_PRIV_VISIT_LAUNCH                                                                                          \
    amp_priv_visitor *const amp_priv_here __attribute__((cleanup(amp_priv_visit_left))) =                              \
        amp_priv_visit_launch(amp_priv_captured[sizeof amp_priv_captures / sizeof amp_priv_captures[0] - 1]);          \
    const bool amp_priv_stops = amp_priv_here->launch->fault->stops;
/* Before the loop over a line, which becomes one for each part between two places where to stop. */
#define AMP_PRIV_VISIT_LINE(begin, end, line_index, rank)                                                              \
    amp_priv_visit_line(amp_priv_here, line_index, rank);                                                              \
    for (amp_priv_visit_part amp_priv_visited = { begin, begin };                                                      \
         amp_priv_visit_more(amp_priv_here, amp_priv_stops, &amp_priv_visited, end, rank);)                            \
        for (int begin = amp_priv_visited.from, end = amp_priv_visited.to, amp_priv_once = 1; amp_priv_once;           \
             amp_priv_once = 0)
#define AMP_PRIV_VISIT_INDEX(i, rank)                                                                                  \
    amp_priv_here->index[rank - 1] = i;                                                                                \
    if (!AMP_PRIV_STOPS_BETWEEN && __builtin_expect(amp_priv_stops, 0))                                                \
        amp_priv_break_test_index(amp_priv_here->index, rank);
#define AMP_PRIV_VISIT_TILE(the_tile, rank)                                                                            \
    amp_priv_visit_tile(amp_priv_here, (the_tile).tile.v, (the_tile).tile_origin.v, rank);
#define AMP_PRIV_VISIT_x amp_priv_visit_row(amp_priv_here, amp_priv_stops, amp_priv_z, amp_priv_y)
#define AMP_PRIV_VISIT_THREAD                                                                                          \
    AMP_PRIV_HOST_OR_DEVICE(amp_priv_visit_thread(amp_priv_here, amp_priv_stops, amp_priv_x), "0"),
#define AMP_PRIV_VISIT_END AMP_PRIV_HOST_OR_DEVICE(amp_priv_visit_end(amp_priv_here), "0")

static inline amp_priv_visitor *amp_priv_visit_launch(const amp_priv_launch *launch)
{
    amp_priv_current_item.launch = launch;
    return &amp_priv_current_item;
}

/* This thread is in no kernel any more. */
static inline void amp_priv_visit_left(amp_priv_visitor *const *here) { (*here)->launch = NULL; }

static inline void amp_priv_visit_line(amp_priv_visitor *here, const int *index, int rank)
{
    here->x = 0;
    for (int d = 0; d < rank - 1; d++)
        here->index[d] = index[d];
}

typedef struct amp_priv_visit_part {
    int from, to;
} amp_priv_visit_part;

/* Stops where the part begins, or ends it where to stop. */
AMP_PRIV_COLD void amp_priv_visit_stop(amp_priv_visitor *here, amp_priv_visit_part *part, int rank)
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

/* The next part of the line; false after the last. */
static inline bool amp_priv_visit_more(amp_priv_visitor *here, bool stops, amp_priv_visit_part *part, int end, int rank)
{
    if (part->to >= end)
        return false;
    part->from = part->to;
    part->to = end;
    if (AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_visit_stop(here, part, rank);
    return true;
}

AMP_PRIV_NO_TSAN void amp_priv_visit_tile(amp_priv_visitor *here, const int *tile, const int *origin, int rank)
{
    here->x = -1;
    amp_priv_fibers_meet();
    for (int d = 0; d < rank; d++) {
        here->tile[d] = tile[d];
        here->origin[d] = origin[d];
    }
}

/* A row of a tile's threads: the first one's x. */
AMP_PRIV_NO_TSAN int amp_priv_visit_row(amp_priv_visitor *here, bool stops, int z, int y)
{
    here->x = 0;
    here->y = y;
    here->z = z;
    if (AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_break_test(here);
    return 0;
}

AMP_PRIV_NO_TSAN void amp_priv_visit_thread(amp_priv_visitor *here, bool stops, int x)
{
    here->x = x;
    amp_priv_fiber_next(here->launch->site);
    if (!AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_break_test(here);
}

AMP_PRIV_NO_TSAN int amp_priv_visit_end(amp_priv_visitor *here)
{
    amp_priv_phase_end();
    here->x = -1;
    return 0;
}

#endif

#endif /* AMP_DEBUG_H */
