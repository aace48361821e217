/* SPDX-License-Identifier: MIT */
/*  amp_cpu.h - the CPU backend: kernels are loops at the call site, with OpenMP threads (-fopenmp) or one thread

    `#define AMP_SERIAL` always selects one thread: the serial reference. The path of the accelerator is "cpu". It works
    in host memory and copies nothing. Programs run there if there is no device. */
#ifndef AMP_CPU_H
#define AMP_CPU_H

#include "amp/api/kernel_math.h"
#include "amp/api/tile.h"

#if defined(_OPENMP) && !defined(AMP_SERIAL)
#define AMP_PRIV_OPENMP 1
#if !__has_include(<omp.h>)
#error "amp: -fopenmp, and no <omp.h>: install it (libomp-19-dev for clang-19, brew install libomp), or omit -fopenmp"
#include <see_the_error_above>
#endif
#include <omp.h>
#define AMP_PRIV_CPU_UNITS omp_get_num_procs()
#else
#define AMP_PRIV_OPENMP    0
#define AMP_PRIV_CPU_UNITS 1
#endif
/* floats of a vector, for the processor that this is compiled for */
#if defined(__AVX512F__)
enum { AMP_PRIV_CPU_VECTOR = 16 };
#elif defined(__AVX__)
enum { AMP_PRIV_CPU_VECTOR = 8 };
#else
enum { AMP_PRIV_CPU_VECTOR = 4 };
#endif

#if AMP_PRIV_OPENMP
#define AMP_PRIV_CPU_THREADS_TEXT "OpenMP"
#elif defined(AMP_SERIAL)
#define AMP_PRIV_CPU_THREADS_TEXT "serial: AMP_SERIAL is defined"
#elif defined(__APPLE__) && defined(__clang__)
#define AMP_PRIV_CPU_THREADS_TEXT                                                                                      \
    "serial: compiled without OpenMP: `brew install libomp`, then -Xclang -fopenmp and -lomp"
#elif defined(__wasm__)
#define AMP_PRIV_CPU_THREADS_TEXT "serial: there is no OpenMP for WebAssembly"
#else
#define AMP_PRIV_CPU_THREADS_TEXT "serial: compiled without -fopenmp"
#endif

/* // >>launch
   What makes these loops fast (measured): constant bounds, the last dimension innermost,
   captures as locals of the parallel region, whose address is not taken. */

/* How OpenMP shares the lines or tiles of a launch: any argument of its schedule clause. */
#if defined(AMP_SCHEDULE)
#define AMP_PRIV_SCHEDULE AMP_SCHEDULE
#else
#define AMP_PRIV_SCHEDULE static
#endif

#if AMP_PRIV_OPENMP
#define AMP_PRIV_CPU_PARALLEL(condition) AMP_PRIV_PRAGMA(omp parallel if (condition))
#define AMP_PRIV_CPU_SHARE AMP_PRIV_PRAGMA(omp for schedule(AMP_PRIV_SCHEDULE) nowait)
#else
#define AMP_PRIV_CPU_PARALLEL(condition)
#define AMP_PRIV_CPU_SHARE
#endif

/* How many threads a parallel region would have. */
static inline int amp_priv_cpu_team(void)
{
#if AMP_PRIV_OPENMP
    return omp_in_parallel() && omp_get_max_active_levels() <= 1 ? 1 : omp_get_max_threads();
#else
    return 1;
#endif
}

/* Without -fopenmp a launch has 0 threads, which means 1 by default: the time of such launches is added up, and a
   warning follows once. */
#if !AMP_PRIV_OPENMP && !defined(AMP_SERIAL) && !defined(__wasm__)
#define AMP_PRIV_CPU_ALONE 1
#else
#define AMP_PRIV_CPU_ALONE 0
#endif
#if !defined(AMP_PRIV_CPU_ALONE_NS)
#define AMP_PRIV_CPU_ALONE_NS 1000000000
#endif
enum { AMP_PRIV_CPU_ALONE_SIZE = 4096 /* elements or tiles; less is not timed */ };

/* The threads of a launch. gcc's OpenMP would wait for threads that are the parent's after a fork in a parallel region
   (clang's makes new ones). Of each file, since OpenMP is its own choice; not of each launch. */
AMP_PRIV_NOINLINE int amp_priv_cpu_threads(const amp_priv_launch *launch)
{
#if AMP_PRIV_OPENMP && !defined(__clang__)
    if (__builtin_expect(launch->one_thread, 0))
        return 1;
#endif
    (void)launch;
    return AMP_PRIV_CPU_ALONE ? 0 : amp_priv_cpu_team();
}

/* Small launches run on one thread: entering and leaving a parallel region takes half a microsecond with two threads,
   more with many. (Two cores: y += 2 x over 256 elements takes 0.1 us on one thread, 0.7 us on two.) One limit for all
   kernels would not do: with 4,096 elements, a body of 100 multiply-adds over 1,000 elements takes twice as long on two
   cores. So the limit is learned per call site: the first and then every eighth parallel launch is timed; one that
   cannot have had more work than eight empty regions makes its size the limit. Launches up to the limit are timed, too:
   the first that takes longer than the parallel one lowers it, and the next trial comes four times as late. Not in
   checked builds, where threads are to meet, nor with AMP_SCHEDULE. */
#if AMP_PRIV_OPENMP && !defined(AMP_SCHEDULE) && !defined(AMP_CHECKED)
#define AMP_PRIV_CPU_TRIES 1
#else
#define AMP_PRIV_CPU_TRIES 0
#endif

/* What a call site has learned. */
typedef struct amp_priv_cpu_history {
    _Atomic(ptrdiff_t) serial_limit;                /* launches of at most this size run on one thread, */
    _Atomic(uint64_t) parallel_ns;                  /* and this long one took on all */
    atomic_int launches_until_trial, failed_trials; /* in a row */
} amp_priv_cpu_history;

typedef struct amp_priv_cpu_run {
    ptrdiff_t size; /* elements or tiles */
    int threads;
    bool parallel;
    uint64_t began; /* when, if it is timed: else 0 */
} amp_priv_cpu_run;

/* A launch over an extent of any rank as lines: runs along the last dimension, which threads share. A line is a
   whole row where there are rows enough, else a piece of one. */
typedef struct amp_priv_cpu_lines {
    ptrdiff_t count;  /* lines in all */
    ptrdiff_t pieces; /* lines per row */
    int length;       /* elements of a line; the last of a row may be shorter */
    int last;         /* extent of the last dimension */
    int first;        /* index of the first row, with the origin of a domain; of rank 1 without it */
} amp_priv_cpu_lines;

/* Before the loops of a launch on so many threads: its lines, and how it runs. history is NULL where nothing is
   learned. */
AMP_PRIV_API amp_priv_cpu_lines amp_priv_cpu_begin_lines(const amp_priv_launch *launch, int rank, int threads,
                                                         amp_priv_cpu_history *history, amp_priv_cpu_run *run);
AMP_PRIV_API amp_priv_cpu_run amp_priv_cpu_begin_tiles(amp_priv_cpu_history *history, int threads, ptrdiff_t tiles);

/* A timed launch is over: on how many threads will the next run? region measures what an empty parallel region takes,
   in nanoseconds. */
AMP_PRIV_API void amp_priv_cpu_learn(amp_priv_cpu_history *history, const amp_priv_cpu_run *run,
                                     uint64_t (*region)(void));

/* A launch without -fopenmp is over. The first that makes them longer than limit nanoseconds reports it. */
AMP_PRIV_API_COLD void amp_priv_cpu_alone(const amp_priv_cpu_run *run, uint64_t limit);

#if AMP_PRIV_CPU_TRIES
#define AMP_PRIV_CPU_HISTORY(history) history
AMP_PRIV_COLD uint64_t amp_priv_cpu_region_measure(void)
{
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 16; i++) {
        const uint64_t began = amp_priv_now();
        AMP_PRIV_PRAGMA(omp parallel)
        __asm__ volatile("");
        const uint64_t took = amp_priv_now() - began;
        shortest = took < shortest ? took : shortest;
    }
    return shortest;
}
#else
#define AMP_PRIV_CPU_HISTORY(history) ((void)(history), NULL)
#endif

static inline void amp_priv_cpu_end(amp_priv_cpu_history *history, const amp_priv_cpu_run *run)
{
#if AMP_PRIV_CPU_TRIES
    if (run->began)
        amp_priv_cpu_learn(history, run, amp_priv_cpu_region_measure);
#else
    if (AMP_PRIV_CPU_ALONE && run->began)
        amp_priv_cpu_alone(run, AMP_PRIV_CPU_ALONE_NS);
    (void)history;
#endif
}

/* Where line number n begins; `index` gets its coordinates but the last. Returns the first of the last
   dimension; *end gets the one past the end. Both are without the origin of a domain, which is behind its extent. */
static inline int amp_priv_cpu_line(const amp_priv_cpu_lines *lines, ptrdiff_t n, const int *extent, int rank,
                                    bool is_domain, int *index, int *end)
{
    const int *const origin = is_domain ? extent + rank : NULL;
    ptrdiff_t row = lines->pieces == 1 ? n : n / lines->pieces;
    const int in_row = lines->pieces == 1 ? 0 : (int)(n % lines->pieces) * lines->length;
    const int first = rank > 1 ? in_row : lines->first + in_row;
    *end = first + (lines->last - in_row > lines->length ? lines->length : lines->last - in_row);
    for (int d = rank - 2; d > 0; d--) {
        index[d] = (int)(row % extent[d]) + (origin ? origin[d] : 0);
        row /= extent[d];
    }
    if (rank > 1)
        index[0] = lines->first + (int)row;
    return first;
}

/* The part of this thread, of `count` things that all threads share: from first to end. */
typedef struct amp_priv_cpu_part {
    ptrdiff_t first, end;
} amp_priv_cpu_part;

static inline amp_priv_cpu_part amp_priv_cpu_part_of(ptrdiff_t count)
{
#if AMP_PRIV_OPENMP
    const ptrdiff_t threads = omp_get_num_threads(), thread = omp_get_thread_num();
    const ptrdiff_t each = count / threads, more = count % threads;
    const ptrdiff_t first = each * thread + (thread < more ? thread : more);
    return (amp_priv_cpu_part){ first, first + each + (thread < more) };
#else
    return (amp_priv_cpu_part){ 0, count };
#endif
}

/* AMP_PRIV_CPU_EACH(condition, count) { loops AMP_PRIV_CPU_EACH_LAST } AMP_PRIV_CPU_EACH_END(condition, count): runs
   the loops for amp_priv_part, on all threads if `condition`. To enter a parallel region costs 0.3 us with gcc's OpenMP
   even for one thread, far more than a small launch: there the loops are a nested function, which one thread calls
   without one. (With clang's it costs 0.07 us, and it has no such functions.) All that the function reads are its
   parameters: what it would read of a parallel region around the launch gcc keeps once for all threads, if it
   compiles that at all. With AMP_SCHEDULE a part is a line, and OpenMP says whose. */
#if AMP_PRIV_OPENMP && defined(AMP_SCHEDULE)
#define AMP_PRIV_CPU_EACH(condition, count)                                                                            \
    AMP_PRIV_PRAGMA(omp parallel for schedule(AMP_SCHEDULE) if (condition))                                            \
    for (ptrdiff_t amp_priv_line_number = 0; amp_priv_line_number < count; amp_priv_line_number++)                     \
        for (amp_priv_cpu_part amp_##priv_part = { amp_priv_line_number, amp_priv_line_number + 1 },                   \
                               *amp_##priv_once = &amp_priv_part;                                                      \
             amp_priv_once; amp_priv_once = NULL)
#define AMP_PRIV_CPU_EACH_LAST
#define AMP_PRIV_CPU_EACH_END(condition, count)
#elif AMP_PRIV_OPENMP && !defined(__clang__)
#define AMP_PRIV_CPU_EACH(condition, count)                                                                            \
    _Pragma("GCC diagnostic error \"-Wreturn-type\"")                                                                  \
    __extension__ amp_priv_cpu_part amp_priv_line_loops(                                                               \
        amp_priv_cpu_part amp_##priv_part, const amp_priv_cpu_lines amp_##priv_lines,                                  \
        const __typeof__(amp_priv_extent) amp_##priv_extent,                                                           \
        void *const *amp_##priv_captured __attribute__((unused)))
/* It returns something, so that a `return` in a kernel's body does not compile. */
#define AMP_PRIV_CPU_EACH_LAST return amp_priv_part;
#define AMP_PRIV_CPU_EACH_END(condition, count)                                                                        \
    if (condition) {                                                                                                   \
        AMP_PRIV_PRAGMA(omp parallel)                                                                                  \
        amp_priv_line_loops(amp_priv_cpu_part_of(count), amp_priv_lines, amp_priv_extent, amp_priv_captured);          \
    } else {                                                                                                           \
        amp_priv_line_loops((amp_priv_cpu_part){ 0, count }, amp_priv_lines, amp_priv_extent, amp_priv_captured);      \
    }
#else
#define AMP_PRIV_CPU_EACH(condition, count)                                                                            \
    AMP_PRIV_CPU_PARALLEL(condition)                                                                                   \
    for (amp_priv_cpu_part amp_##priv_part = amp_priv_cpu_part_of(count), *amp_##priv_once = &amp_priv_part;           \
         amp_priv_once; amp_priv_once = NULL)
#define AMP_PRIV_CPU_EACH_LAST
#define AMP_PRIV_CPU_EACH_END(condition, count)
#endif

/* clang makes vectors of a line whose ends differ (`i > 0 ? AMP_AT(v, i - 1) : 0`) only where it knows this: its
   check that the offsets do not overflow fails otherwise, and such kernels take two to four times as long. gcc gains
   nothing. */
#if defined(__clang__)
#define AMP_PRIV_CPU_ASSUME(condition) __builtin_assume(condition);
#else
#define AMP_PRIV_CPU_ASSUME(condition)
#endif

/* Around a body, which ends where it began: with a brace too many amp_priv_depth is out of sight behind it, with one
   too few it is still in sight behind the block. The report
   stands next to the body, before another token becomes an error. */
enum { amp_priv_depth = 0 };
#define AMP_PRIV_CPU_BODY                                                                                              \
    {                                                                                                                  \
        enum { amp_##priv_depth = 0 }; /* in a body of a body, too */                                                  \
        {                                                                                                              \
            enum { amp_##priv_depth = 1 };
#define AMP_PRIV_CPU_BODY_END                                                                                          \
            _Static_assert(AMP_PRIV_CPU_CLOSES(amp_priv_depth == 1, AMP_PRIV_MSG_CLOSED));                             \
        }                                                                                                              \
        _Static_assert(AMP_PRIV_CPU_CLOSES(amp_priv_depth == 0, AMP_PRIV_MSG_OPEN));                                   \
    }
#define AMP_PRIV_MSG_CLOSED "amp: the body of this launch has a closing brace too many"
#define AMP_PRIV_MSG_OPEN   "amp: the body of this launch has a brace that is not closed"
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"
int amp_priv_body_closes(int well, int depth)
    __attribute__((diagnose_if(!well && depth, AMP_PRIV_MSG_OPEN, "warning"),
                   diagnose_if(!well && !depth, AMP_PRIV_MSG_CLOSED, "warning")));
#pragma clang diagnostic pop
#define AMP_PRIV_CPU_CLOSES(well, text) sizeof(amp_priv_body_closes(well, amp_priv_depth)), ""
#else
#define AMP_PRIV_CPU_CLOSES(well, text) well, text
#endif

/* The loops of a simple launch. declare_captures and declare_index are declarations; the rest is the body. */
#define AMP_PRIV_CPU_SIMPLE(INDEX, launch_extent, declare_captures, declare_index, ...)                                \
    {                                                                                                                  \
        enum { amp_##priv_rank = sizeof (launch_extent).v / sizeof(int) };                                             \
        static amp_priv_cpu_history amp_##priv_this_history;                                                           \
        amp_priv_cpu_run amp_##priv_run;                                                                               \
        const amp_priv_cpu_lines amp_##priv_lines =                                                                    \
            amp_priv_cpu_begin_lines(&amp_priv_this_launch, amp_priv_rank,                                             \
                                     amp_priv_cpu_threads(&amp_priv_this_launch),                                      \
                                     AMP_PRIV_CPU_HISTORY(&amp_priv_this_history), &amp_priv_run);                     \
        AMP_PRIV_CPU_EACH(amp_priv_run.parallel, amp_priv_lines.count)                                                 \
        {                                                                                                              \
            AMP_PRIV_KERNEL_MATH                                                                                       \
            {                                                                                                          \
                declare_captures                                                                                       \
                AMP_PRIV_VISIT_LAUNCH                                                                                  \
                /* added to each index: clang's loops that count from it take 1.3 times as long (a stencil) */         \
                const int amp_##priv_shift =                                                                           \
                    amp_priv_is_domain ? ((const int *)&(launch_extent))[2 * amp_priv_rank - 1] : 0;                   \
                for (ptrdiff_t amp_##priv_n = amp_priv_part.first; amp_priv_n < amp_priv_part.end; amp_priv_n++) {     \
                    INDEX amp_##priv_line_index;                                                                       \
                    int amp_##priv_end;                                                                                \
                    const int amp_##priv_begin =                                                                       \
                        amp_priv_cpu_line(&amp_priv_lines, amp_priv_n, (const int *)&(launch_extent), amp_priv_rank,   \
                                          amp_priv_is_domain, amp_priv_line_index.v, &amp_priv_end);                   \
                    AMP_PRIV_CPU_ASSUME(amp_priv_begin >= 0)                                                           \
                    AMP_PRIV_VISIT_LINE(amp_priv_begin, amp_priv_end, amp_priv_line_index.v, amp_priv_rank,            \
                                        amp_priv_shift)                                                                \
                    AMP_PRIV_LAUNCH_VECTORS                                                                            \
                    for (int amp_##priv_i = amp_priv_begin; amp_priv_i < amp_priv_end; amp_priv_i++) {                 \
                        INDEX amp_##priv_index = amp_priv_line_index;                                                  \
                        amp_priv_index.v[amp_priv_rank - 1] = amp_priv_i + amp_priv_shift;                             \
                        declare_index                                                                                  \
                        AMP_PRIV_VISIT_INDEX(amp_priv_i + amp_priv_shift, amp_priv_rank)                               \
                        do {                                                                                           \
                            AMP_PRIV_CPU_BODY                                                                          \
                            __VA_ARGS__                                                                                \
                            AMP_PRIV_CPU_BODY_END                                                                      \
                        } while (0);                                                                                   \
                    }                                                                                                  \
                }                                                                                                      \
            }                                                                                                          \
            AMP_PRIV_CPU_EACH_LAST                                                                                     \
        }                                                                                                              \
        AMP_PRIV_CPU_EACH_END(amp_priv_run.parallel, amp_priv_lines.count)                                             \
        amp_priv_cpu_end(&amp_priv_this_history, &amp_priv_run);                                                       \
    }

/* The loops of a tiled launch: one thread runs a tile from its first phase to its last. */
#define AMP_PRIV_CPU_TILED(TILE, launch_extent, tile_sizes, tile_name, declare_captures, ...)                          \
    {                                                                                                                  \
        enum { amp_##priv_rank = sizeof (launch_extent).v / sizeof(int) };                                             \
        ptrdiff_t amp_##priv_tiles = 1;                                                                                \
        for (int amp_##priv_d = 1; amp_priv_d < amp_priv_rank; amp_priv_d++)                                           \
            amp_priv_tiles *= (launch_extent).v[amp_priv_d] / (tile_sizes)[amp_priv_d];                                \
        const ptrdiff_t amp_##priv_before = amp_priv_tiles * (amp_priv_this_launch.first / (tile_sizes)[0]);           \
        amp_priv_tiles *= amp_priv_this_launch.extent[0] / (tile_sizes)[0];                                            \
        static amp_priv_cpu_history amp_##priv_this_history;                                                           \
        const amp_priv_cpu_run amp_##priv_run = amp_priv_cpu_begin_tiles(                                              \
            AMP_PRIV_CPU_HISTORY(&amp_priv_this_history), amp_priv_cpu_threads(&amp_priv_this_launch),                 \
            amp_priv_tiles);                                                                                           \
        AMP_PRIV_CPU_PARALLEL(amp_priv_run.parallel)                                                                   \
        {                                                                                                              \
            AMP_PRIV_KERNEL_MATH                                                                                       \
            {                                                                                                          \
                declare_captures                                                                                       \
                AMP_PRIV_VISIT_LAUNCH                                                                                  \
                AMP_PRIV_CPU_SHARE                                                                                     \
                for (ptrdiff_t amp_##priv_n = 0; amp_priv_n < amp_priv_tiles; amp_priv_n++) {                          \
                    TILE amp_##priv_this_tile;                                                                         \
                    amp_priv_cpu_tile(amp_priv_before + amp_priv_n, (launch_extent).v, tile_sizes, amp_priv_rank,      \
                                      amp_priv_this_tile.tile.v, amp_priv_this_tile.tile_origin.v);                    \
                    amp_priv_this_tile.barrier.amp_priv = 0;                                                           \
                    AMP_PRIV_VISIT_TILE(amp_priv_this_tile, amp_priv_rank)                                             \
                    const TILE tile_name = amp_priv_this_tile;                                                         \
                    (void)tile_name;                                                                                   \
                    do {                                                                                               \
                        AMP_PRIV_CPU_BODY                                                                              \
                        __VA_ARGS__                                                                                    \
                        AMP_PRIV_CPU_BODY_END                                                                          \
                    } while (0);                                                                                       \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        amp_priv_cpu_end(&amp_priv_this_history, &amp_priv_run);                                                       \
    }

static inline void amp_priv_cpu_tile(ptrdiff_t n, const int *extent, const int *size, int rank, int *tile, int *origin)
{
    for (int d = rank - 1; d >= 0; d--) {
        const int count = d > 0 ? extent[d] / size[d] : INT_MAX; /* the first has what is left, and no division */
        tile[d] = (int)(d > 0 ? n % count : n);
        origin[d] = tile[d] * size[d];
        n /= count;
    }
}

#endif /* AMP_CPU_H */
