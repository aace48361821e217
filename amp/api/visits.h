/* SPDX-License-Identifier: MIT */
/*  amp/api/visits.h - checked builds: the current thread of the CPU backend, for messages, debuggers, sanitizers

    Contents (search for the tag):
        >>fibers  >>visits  >>runtime */
#ifndef AMP_API_VISITS_H
#define AMP_API_VISITS_H

#include "checked_kernel.h"

/* // >>fibers: to the thread sanitizer, the threads of a tile are fibers that only barriers put in order. So it sees
   two of them that touch one element of a view or tile_static variable, one of them writing. In truth they run one
   after the other on one stack: a local variable whose address a function gets looks shared. */

#if defined(AMP_PRIV_FIBERS)
AMP_PRIV_API void amp_priv_fiber_next(const amp_priv_launch_site *site);
AMP_PRIV_API void amp_priv_phase_end(void);
AMP_PRIV_API void amp_priv_fibers_meet(void);
#else
static inline void amp_priv_fiber_next(const amp_priv_launch_site *site) { (void)site; }
static inline void amp_priv_phase_end(void) {}
static inline void amp_priv_fibers_meet(void) {}
#endif

/* A call in a loop keeps it from becoming vectors. So what is optimised stops between loops: before the index, or
   before the row of threads where the thread is. */
#if defined(__OPTIMIZE__)
enum { AMP_PRIV_STOPS_BETWEEN = 1 };
#else
enum { AMP_PRIV_STOPS_BETWEEN = 0 };
#endif

/* // >>visits: which index or thread the CPU backend runs. */

/* The launch stands behind the captures and the origin: what a line's loops read of the function around them, gcc keeps
   once for all threads of a parallel region there. */
#define AMP_PRIV_VISITED_LAUNCH , &amp_priv_this_launch
#define AMP_PRIV_VISIT_LAUNCH                                                                                          \
    amp_priv_thread_position *const amp_priv_position __attribute__((cleanup(amp_priv_visit_left))) =                  \
        amp_priv_visit_launch(amp_priv_captured[sizeof amp_priv_captures / sizeof amp_priv_captures[0]]);              \
    const bool amp_priv_stops = amp_priv_position->launch->fault->stops;
/* Before the loop over a line, which becomes one for each part between two places where to stop. Those are indexes of
   the user's: the loop's and shift. */
#define AMP_PRIV_VISIT_LINE(begin, end, line_index, rank, shift)                                                       \
    amp_priv_visit_line(amp_priv_position, line_index, rank);                                                          \
    for (amp_priv_visit_part amp_priv_visited = { begin + shift, begin + shift };                                      \
         amp_priv_visit_more(amp_priv_position, amp_priv_stops, &amp_priv_visited, end + shift, rank);)                \
        for (int begin = amp_priv_visited.from - shift, end = amp_priv_visited.to - shift, amp_priv_once = 1;          \
             amp_priv_once; amp_priv_once = 0)
#define AMP_PRIV_VISIT_INDEX(i, rank)                                                                                  \
    amp_priv_position->index[rank - 1] = i;                                                                            \
    if (!AMP_PRIV_STOPS_BETWEEN && __builtin_expect(amp_priv_stops, 0))                                                \
        amp_priv_break_test_index(amp_priv_position->index, rank);
#define AMP_PRIV_VISIT_TILE(the_tile, rank)                                                                            \
    amp_priv_visit_tile(amp_priv_position, (the_tile).tile.v, (the_tile).tile_origin.v, rank);
#define AMP_PRIV_VISIT_x amp_priv_visit_row(amp_priv_position, amp_priv_stops, amp_priv_z, amp_priv_y)
#define AMP_PRIV_VISIT_THREAD                                                                                          \
    AMP_PRIV_HOST_OR_DEVICE(amp_priv_visit_thread(amp_priv_position, amp_priv_stops, amp_priv_x), "0"),
#define AMP_PRIV_VISIT_END AMP_PRIV_HOST_OR_DEVICE(amp_priv_visit_end(amp_priv_position), "0")

/* This thread is in no kernel any more. */
static inline void amp_priv_visit_left(amp_priv_thread_position *const *here) { (*here)->launch = NULL; }

static inline void amp_priv_visit_line(amp_priv_thread_position *here, const int *index, int rank)
{
    here->x = 0;
    for (int d = 0; d < rank - 1; d++)
        here->index[d] = index[d];
}

typedef struct amp_priv_visit_part {
    int from, to;
} amp_priv_visit_part;

/* // >>runtime: what the macros call. */

AMP_PRIV_API_COLD void amp_priv_break_test_index(const int *index, int rank);

AMP_PRIV_API_COLD void amp_priv_break_test(amp_priv_thread_position *here);

AMP_PRIV_API amp_priv_thread_position *amp_priv_visit_launch(const amp_priv_launch *launch);

AMP_PRIV_API_COLD void amp_priv_visit_stop(amp_priv_thread_position *here, amp_priv_visit_part *part, int rank);

/* The next part of the line; false after the last. */
static inline bool amp_priv_visit_more(amp_priv_thread_position *here, bool stops, amp_priv_visit_part *part, int end,
                                       int rank)
{
    if (part->to >= end)
        return false;
    part->from = part->to;
    part->to = end;
    if (AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_visit_stop(here, part, rank);
    return true;
}

AMP_PRIV_NO_TSAN void amp_priv_visit_tile(amp_priv_thread_position *here, const int *tile, const int *origin, int rank)
{
    here->x = -1;
    amp_priv_fibers_meet();
    for (int d = 0; d < rank; d++) {
        here->tile[d] = tile[d];
        here->origin[d] = origin[d];
    }
}

/* A row of a tile's threads: the first one's x. */
AMP_PRIV_NO_TSAN int amp_priv_visit_row(amp_priv_thread_position *here, bool stops, int z, int y)
{
    here->x = 0;
    here->y = y;
    here->z = z;
    if (AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_break_test(here);
    return 0;
}

AMP_PRIV_NO_TSAN void amp_priv_visit_thread(amp_priv_thread_position *here, bool stops, int x)
{
    here->x = x;
    amp_priv_fiber_next(here->launch->site);
    if (!AMP_PRIV_STOPS_BETWEEN && __builtin_expect(stops, 0))
        amp_priv_break_test(here);
}

AMP_PRIV_NO_TSAN int amp_priv_visit_end(amp_priv_thread_position *here)
{
    amp_priv_phase_end();
    here->x = -1;
    return 0;
}

#endif /* AMP_API_VISITS_H */
