/* SPDX-License-Identifier: MIT */
/*  amp.h - data-parallel loops for plain C: the C++ AMP programming model.                       v0.1.0

    Do this:      #include "amp.h" in a C11 file, write a kernel in place, and compile with one of
                      cc -O3 -march=native -fopenmp app.c -lm                      (CPU loops)
                      cc -O3 -march=native -fopenmp -DAMP_BACKEND_OPENCL app.c -lm (OpenCL, and loops without it)
    A kernel:         AMP_ARRAY_VIEW(float, 1, y, py, n);
                      AMP_PARALLEL_FOR_EACH(y.extent, (i), AMP_CAPTURE(x, y, a), {
                          AMP_AT(y, i) += a * AMP_AT(x, i);
                      });
    It needs:     gcc >= 9 or clang >= 10, -std=c11 or later; OpenCL is loaded at run time if it is there.
    It does not:  allow # directives inside a kernel body, `return` in one (use continue), pointers in the
                  capture list, or recursion in kernels. Lines of a body count as one for a debugger.

    Options, the same in every file of a program (a difference is found out at run time):
        AMP_BACKEND_CPU       kernels are loops (the default); needs no library
        AMP_BACKEND_OPENCL    kernels run on OpenCL devices, and as loops on the accelerator "cpu"
        AMP_BACKEND_CUDA      the same on CUDA devices; with both, on those of both
        AMP_CHECKED           every AMP_AT checks its bounds (docs/debugging.md)
        AMP_MAX_RANK 8        the highest rank, 3 to 12
    May differ between files:
        AMP_SERIAL            the CPU loops run on one thread: the serial reference
        AMP_SCHEDULE static   how OpenMP shares their work
        AMP_THREADS_PER_ITEM 0  how many threads a work-item of a device carries; 0: as many as pay
        AMP_OPENCL_LINKED     OpenCL is linked (-lOpenCL), and not loaded
        AMP_NO_LOOKOVER       bodies are not looked over for what a device would refuse
    In the environment:       docs/options.md

    Contents (search for the tag):
        >>backends  >>domain  >>launch  >>tiles  >>functions  >>structs

    The other headers, which this one includes. What you include or name stands at the top, the rest in amp/:
        amp_types.h          index, extent, tiled index
        amp_cpu.h            backend: the CPU loops            amp_opencl.h         backend: OpenCL
        amp_cuda.h           backend: CUDA
      a kernel's words
        amp/view.h           types of views, AMP_AT            amp/capture.h        capture lists
        amp/tile.h           phases, tile_static, barriers     amp/atomics.h        atomic functions
        amp/kernel_math.h    precise mathematics               amp/fast_math.h      fast mathematics
        amp/dialect.h        one text for host and devices     amp/checked.h        checked builds
        amp/debug.h          ... under a debugger
      a kernel's program
        amp/tokens.h         a body as tokens                  amp/lookover.h       what is said of a body
        amp/program.h        a kernel's text for a device      amp/kernel.h         from a launch to a backend
        amp/hints.h          what compilers say of it          amp/cache.h          compiled kernels on disk
        amp/loops.h          loops inside threads
        amp/advice.h         checked builds: what another device would not take
      memory
        amp/memory.h         arrays, views, their parts        amp/copy.h           copies
        amp/source.h         the data behind views             amp/coherence.h      which copy of them is current
        amp/region.h         which part of them a view covers  amp/watch.h          checked builds: who wrote them
        amp/record.h         launches that are replayed        amp/images.h         what texture units read of them
      devices and backends
        amp/backend.h        the contract with backends        amp/accelerator.h    devices and their queues
        amp/async.h          asynchronous operations           amp/trace.h          traces and profiles
        amp/lifetime.h       who keeps the data behind views
        amp/opencl_api.h     OpenCL's interface, loaded        amp/opencl_interop.h OpenCL objects from and to you
        amp/opencl_text.h    what makes a kernel OpenCL C
        amp/cuda_api.h       CUDA's interface, loaded          amp/cuda_interop.h   CUDA objects from and to you
        amp/cuda_text.h      what makes a kernel CUDA C++      amp/interop.h        what both have in common
        amp/cplusplus.h      what makes a kernel C++           amp/target_text.h    words that both languages have
      the ground
        amp/base.h           status, messages, the log         amp/preprocessor.h   count, each, pick
        amp/text.h           strings and tokens                amp/os.h             the operating system
        amp/os_files.h       its files and folders             amp/library.h        functions that are loaded */
#ifndef AMP_H
#define AMP_H

/* As in a system's headers, gcc then shows a mistake in a macro's use at the line of that use, without all the macros
   in between, and hides warnings of what stands here: tests define AMP_PRIV_WARNINGS to see those. */
#if !defined(AMP_PRIV_WARNINGS)
#pragma GCC system_header
#endif

/* // >>backends */
#if defined(AMP_BACKEND_CPU) && (defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA))
#error "amp: define AMP_BACKEND_CPU, or AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA or both of these, before including amp.h"
#include <see_the_error_above>
#endif
/* Names that people try; one that is in no list builds the CPU loops, and AMP_LOG=info says what was built. */
#if defined(AMP_BACKEND) || defined(AMP_CUDA) || defined(AMP_BACKEND_HIP) || defined(AMP_BACKEND_ROCM) ||              \
    defined(AMP_BACKEND_SYCL) || defined(AMP_BACKEND_VULKAN) || defined(AMP_BACKEND_METAL) ||                          \
    defined(AMP_BACKEND_GPU) || defined(AMP_BACKEND_OPENMP) || defined(AMP_BACKEND_OMP) || defined(AMP_BACKEND_OCL) || \
    defined(AMP_BACKEND_CL) || defined(AMP_BACKEND_OPEN_CL) || defined(AMP_BACKEND_OpenCL) ||                          \
    defined(AMP_BACKEND_Opencl) || defined(AMP_BACKEND_opencl) || defined(AMP_BACKEND_OPENCl) ||                       \
    defined(AMP_BACKEND_cpu) || defined(AMP_OPENCL) || defined(AMP_CPU)
#error "amp: there is no such backend: define AMP_BACKEND_CPU (the default), AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA"
#include <see_the_error_above>
#endif
#if !defined(AMP_BACKEND_CPU) && !defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA)
#define AMP_BACKEND_CPU
#endif

#include "amp/preprocessor.h" /* first: it may refuse the compiler */

/* Threads that each work-item of a device carries, in the kernels that follow; 0: as many as pay. */
#ifndef AMP_THREADS_PER_ITEM
#define AMP_THREADS_PER_ITEM 0
#endif

#include "amp/accelerator.h"
#include "amp/advice.h"
#include "amp/atomics.h"
#include "amp/capture.h"
#include "amp/copy.h"
#include "amp/fast_math.h"
#include "amp/lookover.h"
#include "amp/loops.h"
#include "amp/record.h"
#include "amp/tile.h"

#include "amp_cpu.h"
#if defined(AMP_BACKEND_CUDA)
#include "amp_cuda.h"
#include "amp/cuda_interop.h"
#endif
#if defined(AMP_BACKEND_OPENCL)
#include "amp_opencl.h"
#include "amp/opencl_interop.h"
#endif
/* One more, for a test or for one that is not part of amp.h: its header, which defines AMP_BACKEND_EXTRA_TABLE. */
#if defined(AMP_BACKEND_EXTRA)
#include AMP_BACKEND_EXTRA
#endif

/* Every backend of this build, the CPU loops first. A new backend is one more line here. */
static inline int amp_priv_backends(const amp_priv_backend **list)
{
    int count = 0;
    list[count++] = amp_priv_cpu_table();
#if defined(AMP_BACKEND_CUDA) /* before OpenCL, which has the same GPUs */
    list[count++] = amp_priv_cuda_table();
#endif
#if defined(AMP_BACKEND_OPENCL)
    list[count++] = amp_priv_opencl_table();
#endif
#if defined(AMP_BACKEND_EXTRA)
    list[count++] = AMP_BACKEND_EXTRA_TABLE;
#endif
    return count;
}

#if !defined(AMP_BACKEND_OPENCL) && !defined(AMP_BACKEND_CUDA) && !defined(AMP_BACKEND_EXTRA)
/* Without a backend whose kernels are text, only tests have devices other than the host, and kernels of their own. */
AMP_PRIV_COLD amp_status amp_priv_kernel_launch(amp_priv_launch *launch)
{
    return amp_priv_site_report(launch->site, AMP_UNSUPPORTED_FEATURE, "%s takes no kernels",
                                launch->queue->device->path);
}
#endif

/* // >>domain: what is checked before anything else happens. */

/* Looks through a kernel's text, once per site. */
AMP_PRIV_COLD amp_status amp_priv_check_text(amp_priv_site *site, void *const *captured)
{
    if (!amp_priv_same_build())
        return AMP_RUNTIME_ERROR;
    if (!*site->text)
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "there is no body: it is the last argument, { body }, inside the parentheses");
    if (amp_priv_has_word(site->text, "return"))
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "`return` in a kernel body would leave the host function %s; to "
                                    "end one thread early, write `continue`",
                                    site->function);
    if (site->tiled && !amp_priv_has_word(site->text, "amp_priv_tile_in_threads"))
        return amp_priv_site_report(site, AMP_COMPILATION_FAILED,
                                    "AMP_TILED without AMP_THREADS does nothing; put what every "
                                    "thread of a tile does into AMP_THREADS(%s, t) { ... }",
                                    site->index);
#if !defined(AMP_NO_LOOKOVER)
    if (amp_priv_captures_foreign(site, captured)) /* whose elements are not to be believed */
        return AMP_RUNTIME_ERROR;
    if (amp_priv_look_over(site, captured) != AMP_OK)
        return AMP_COMPILATION_FAILED;
#else
    (void)captured;
#endif
#if defined(AMP_CHECKED)
    amp_priv_warn_of_writes(site);
#endif
    atomic_store_explicit(&site->checked, 1, memory_order_release);
    return AMP_OK;
}

/* Can the kernel run over this extent, and is there something to run over? values: as the user gave it, `ints` of them:
   a tiled extent brings its tile along. */
static inline bool amp_priv_domain_good(const amp_priv_site *site, const int *values, size_t ints)
{
    ptrdiff_t size = 1;
    for (int d = 0; d < site->rank; d++)
        if (values[d] <= 0 || __builtin_mul_overflow(size, (ptrdiff_t)values[d], &size))
            return false;
    for (int d = 0; d < site->rank && site->tiled; d++)
        if ((ints > (size_t)site->rank && values[site->rank + d] != site->tile[d]) || values[d] % site->tile[d])
            return false;
    return true;
}

/* Reports why the tile does not fit the extent; AMP_OK when it does. */
AMP_PRIV_COLD amp_status amp_priv_domain_refuse_tile(const amp_priv_site *site, const int *values, size_t ints)
{
    char text[128], tile[64];
    int d = 0;
    while (d < site->rank && (ints <= (size_t)site->rank || values[site->rank + d] == site->tile[d]) &&
           values[d] % site->tile[d] == 0)
        d++;
    if (d == site->rank)
        return AMP_OK;
    if (ints > (size_t)site->rank && values[site->rank + d] != site->tile[d])
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "the tiled extent's tile is %d in dimension %d, but the launch's "
                                    "is %d; give both the same tile",
                                    values[site->rank + d], d, site->tile[d]);
    return amp_priv_site_report(
        site, AMP_INVALID_COMPUTE_DOMAIN,
        "dimension %d of the extent %s is not divisible by the tile %s: %d "
        "by %d leaves %d; pad it (amp_tiled_extent%d_pad(amp_extent%d_tile(e, %s)) and skip the threads beyond the "
        "view's extent, truncate it, or choose another tile",
        d, amp_priv_list(text, sizeof text, values, site->rank),
        amp_priv_list(tile, sizeof tile, site->tile, site->rank), values[d], site->tile[d], values[d] % site->tile[d],
        site->rank, site->rank, tile + 1);
}

/* Reports why not; says nothing of an extent with a component 0, over which nothing happens. */
AMP_PRIV_COLD amp_status amp_priv_domain_refuse(const amp_priv_site *site, const int *values, size_t ints)
{
    char text[128];
    bool is_empty = false;
    amp_priv_list(text, sizeof text, values, site->rank);
    for (int d = 0; d < site->rank; d++) {
        if (values[d] < 0)
            return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                        "component %d of the launch's extent %s is %d; no component may be negative "
                                        "(over one with 0, nothing happens)",
                                        d, text, values[d]);
        is_empty = is_empty || values[d] == 0;
    }
    if (is_empty)
        return AMP_OK;
    const amp_status status = site->tiled ? amp_priv_domain_refuse_tile(site, values, ints) : AMP_OK;
    if (status != AMP_OK)
        return status;
    return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                "the extent %s has more than %td indexes; launch it in parts", text,
                                (ptrdiff_t)PTRDIFF_MAX);
}

/* // >>launch */

/* The end of a launch for its caller: the CPU loops have run, or a device has the kernel (and, in checked builds, has
   run it). */
static inline void amp_priv_finish(const amp_priv_launch *launch)
{
    if (__builtin_expect(launch->began != 0, 0))
        amp_priv_trace_launch(launch);
#if defined(AMP_CHECKED)
    amp_priv_fibers_meet();
    amp_priv_advise_end(launch);
    const amp_priv_fault *const fault = launch->fault;
    if (__builtin_expect(fault->count != 0, 0))
        amp_priv_advise_fault(launch);
#endif
}

/* Chooses the launch's queue: the given one, the recorded one, or where its data are. False after reporting. */
static inline bool amp_priv_start_place(amp_priv_launch *launch, amp_priv_queue *queue)
{
    const amp_priv_recording *const recording = launch->recording;
    return amp_priv_launch_place(launch, queue || __builtin_expect(!recording, 1) ? queue : recording->queue) &&
           (__builtin_expect(!recording, 1) || amp_priv_record_launch(launch) == AMP_OK);
}

/* Starts a launch on `queue` (NULL: where its arrays live, else where its views are cached, else the default
   accelerator). Returns true when the caller is to run the CPU loops now; else all is done or reported. */
AMP_PRIV_NOINLINE bool amp_priv_start(amp_priv_launch *launch, amp_priv_site *site, amp_accelerator_view view,
                                      const int *values, size_t ints, void *const *captured)
{
    amp_priv_recording *const recording = launch->recording = amp_priv_record_begins();
    const bool is_first = atomic_load_explicit(&site->checked, memory_order_acquire) != 1;
    if (is_first && amp_priv_check_text(site, captured) != AMP_OK)
        return false;
    if (__builtin_expect(!amp_priv_domain_good(site, values, ints), 0)) {
        if (!amp_priv_captures_foreign(site, captured)) /* whose extents are not to be believed */
            amp_priv_record_empty(recording, amp_priv_domain_refuse(site, values, ints));
        return false;
    }
    launch->site = site;
    launch->captured = captured;
    if (!amp_priv_start_place(launch, view.amp_priv_queue))
        return false;
    launch->began = amp_priv_trace_begin();
    launch->partly = false;
    if (__builtin_expect(launch->began != 0, 0))
        amp_priv_launch_name_sources(launch);
    for (int d = 0; d < site->rank; d++)
        launch->extent[d] = values[d];
#if defined(AMP_CHECKED)
    amp_priv_fault_begin(launch);
    amp_priv_advise_sources(launch);
#endif
    if (amp_priv_is_host(launch->queue->device->number)) {
        if (!(__builtin_expect(!recording, 1) ? amp_priv_memory_begin_host(launch) : amp_priv_record_host(launch)))
            return false;
        if (__builtin_expect(is_first, 0))
            amp_priv_note_loops(site);
#if defined(AMP_CHECKED)
        amp_priv_advise_begin(launch);
#endif
        return true;
    }
    amp_priv_sources sources;
    if (amp_priv_memory_begin(launch, &sources) != AMP_OK)
        return false;
#if defined(AMP_CHECKED)
    amp_priv_advise_begin(launch);
#endif
    const amp_status status = amp_priv_kernel_launch(launch);
#if defined(AMP_CHECKED)
    if (status != AMP_OK)
        amp_priv_advise_end(launch);
#endif
    if (__builtin_expect(recording != NULL, 0) && status == AMP_OK)
        amp_priv_record_ends(launch);
    amp_priv_memory_end(launch, &sources, status);
    if (status == AMP_OK) {
        if (launch->queue->mode == AMP_QUEUING_IMMEDIATE) {
            /* The kernel is submitted: that it is not under way yet is no error of the launch. */
            const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
            amp_priv_queue_flush(launch->queue);
            amp_priv_error_mode_end(before);
        }
        amp_priv_finish(launch);
    }
    return false;
}

/* The start of every translation unit's list of AMP_FUNCTIONs and AMP_STRUCTs. */
__attribute__((unused)) static amp_priv_user_definition *amp_priv_user_definitions;

/* Kernels declare names again on purpose, and their text is long. clang also warns when a loop that may be
   vectorised is not, and gcc of a tile_static variable that one thread of the tile sets, since it cannot know that this
   thread is there: both when the text is long read, so that only a file-wide word silences them. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define AMP_PRIV_QUIET_BEGIN                                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wshadow\"")                                      \
    _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") AMP_PRIV_LAST_WORDS
#define AMP_PRIV_QUIET_END _Pragma("GCC diagnostic pop")

/* AMP_PARALLEL_FOR_EACH(extent, index, AMP_CAPTURE(...), { body }): runs body once for every index of extent.
   AMP_PARALLEL_FOR_EACH_ON(view, extent, index, AMP_CAPTURE(...), { body }): on an accelerator view.
   extent  an amp_extent of rank 1 to 8, evaluated once; index  a name (an amp_index of that rank), or names in
           parentheses, one int per dimension; view  an amp_accelerator_view
   The body may be compiled as OpenCL C: it sees captured names, macros, constants, AMP_FUNCTIONs. `continue`
   ends one index early. A statement; fits an if without braces.
   Errors: AMP_INVALID_COMPUTE_DOMAIN (a negative component, too many), AMP_COMPILATION_FAILED, AMP_RUNTIME_ERROR
   (an array that lives elsewhere, a released view), AMP_OUT_OF_MEMORY, AMP_UNSUPPORTED_FEATURE; nothing has run then.
   Blocking: no on devices (the first access to a result waits), yes on the CPU loops. Threads: any.
   Cost: compiled at the first launch on each device, kept on disk. Source: parallel_for_each.           */
#define AMP_PARALLEL_FOR_EACH(extent, index, captures, ...)                                                            \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_PARALLEL_FOR_EACH"));                                                   \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_CAT(AMP_PRIV_SIMPLE_, AMP_PRIV_IS_LIST(captures))                                                     \
        ((amp_accelerator_view){NULL}, extent, index, AMP_PRIV_UNWRAP captures, __VA_ARGS__)                           \
    } while (0)
#define AMP_PARALLEL_FOR_EACH_ON(view, extent, index, captures, ...)                                                   \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_PARALLEL_FOR_EACH"));                                                   \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_CAT(AMP_PRIV_SIMPLE_, AMP_PRIV_IS_LIST(captures))                                                     \
        (view, extent, index, AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                                   \
    } while (0)

#define AMP_PRIV_SIMPLE_0(...)                                                                                         \
    _Static_assert(0, AMP_PRIV_NO_CAPTURES("AMP_PARALLEL_FOR_EACH(extent, index, AMP_CAPTURE(a, b), { body })",        \
                                           "AMP_PARALLEL_FOR_EACH_ON"));
#define AMP_PRIV_SIMPLE_1(view, launch_extent, index, captures, ...)                                                   \
    do { /* first: up to gcc 11 the pragma of an AMP_UNROLL in the body comes to stand before it */                    \
    AMP_PRIV_QUIET_BEGIN                                                                                               \
    AMP_PRIV_RANK_TYPE(launch_extent)                                                                                  \
    enum {                                                                                                             \
        amp_priv_is_extent = sizeof(amp_priv_rank_type) - 1,                                                           \
        amp_priv_is_good = AMP_PRIV_IS_WRAPPED(index) ? amp_priv_is_extent == AMP_PRIV_NAMES_IN(index)                 \
                                                      : amp_priv_is_extent > 0                                         \
    };                                                                                                                 \
    _Static_assert(AMP_PRIV_IN_TIME);                                                                                  \
    _Static_assert(amp_priv_is_extent, AMP_PRIV_NO_EXTENT("AMP_PARALLEL_FOR_EACH"));                                   \
    _Static_assert(amp_priv_is_good || !amp_priv_is_extent, "amp: the index list " AMP_PRIV_TEXT(index)                \
                   " must have one name per dimension of the extent");                                                 \
    const __typeof__(AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_NAMES_IN(index))) amp_priv_extent =                  \
        AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_NAMES_IN(index));                                                 \
    AMP_PRIV_RECORD(view, 0, AMP_PRIV_TEXT(index), sizeof amp_priv_extent.v / sizeof(int), (0), captures,              \
        __VA_ARGS__)                                                                                                   \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(1, captures, AMP_PRIV_SAYS_CAPTURED_POINTER(AMP_PRIV_ALL_NAMES(captures))));  \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(2, captures,                                                                  \
                   AMP_PRIV_SAYS_CAPTURED_LONG_DOUBLE(AMP_PRIV_ALL_NAMES(captures))));                                 \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(4, captures,                                                                  \
                   AMP_PRIV_SAYS_CAPTURED_STRUCT(AMP_PRIV_ALL_NAMES(captures), "s")));                                 \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(8, captures, AMP_PRIV_SAYS_CAPTURED_VARIABLE));                               \
    if (amp_priv_start(&amp_priv_this_launch, &amp_priv_this_site, view, (const int *)&amp_priv_extent,                \
                       sizeof amp_priv_extent / sizeof(int), amp_priv_captured)) {                                     \
        AMP_PRIV_CPU_SIMPLE(__typeof__(AMP_PRIV_INDEX_FOR(amp_priv_extent)), amp_priv_extent,                          \
                            AMP_PRIV_KERNEL_SCOPE(1, captures), AMP_PRIV_DECLARE_INDEX(index), __VA_ARGS__)            \
        amp_priv_finish(&amp_priv_this_launch);                                                                        \
    }                                                                                                                  \
    AMP_PRIV_QUIET_END                                                                                                 \
    } while (0);

/* What a launch is given in the wrong place is told in a sentence, and nothing else is: the rest then takes an extent
   that fits, and AMP_PRIV_REFUSED keeps quiet what stands in the body. */
#define AMP_PRIV_NO_CAPTURES(form, on)                                                                                 \
    "amp: AMP_CAPTURE is missing, or another argument is, or a comma: " form "; it is AMP_CAPTURE() where a body uses "\
    "no variable; an accelerator view stands first, in " on
#if defined(AMP_BACKEND_OPENCL) || defined(AMP_BACKEND_CUDA)
#define AMP_PRIV_IN_TIME 1, ""
#else /* a macro's text is its name where it is none */
#define AMP_PRIV_IN_TIME                                                                                               \
    sizeof AMP_PRIV_TEXT(AMP_BACKEND_OPENCL) == sizeof "AMP_BACKEND_OPENCL",                                           \
        "amp: AMP_BACKEND_OPENCL is defined after amp.h was included, which has built the CPU loops: define it "       \
        "before, or by -D"
#endif
#define AMP_PRIV_NO_TILE(tile)                                                                                         \
    "amp: the tile " AMP_PRIV_TEXT(tile) " of AMP_TILED must stand in parentheses, with one constant per dimension: "  \
    "(256), (16, 16)"
#define AMP_PRIV_NO_EXTENT(call)                                                                                       \
    "amp: " call " runs over an extent: v.extent of a view v, or AMP_EXTENT(n); an accelerator view stands before it " \
    "in " call "_ON"
/* A type as large as the extent's rank, and 1. (An enumerator's value must have no compound literal, says clang.) */
#define AMP_PRIV_RANK_TYPE(extent)                                                                                     \
    typedef char amp_priv_rank_type[1 + AMP_PRIV_PICK_VALUE(extent, AMP_PRIV_IS_EXTENT_OF_RANK, default : 0)]          \
        __attribute__((unused));
#define AMP_PRIV_GOOD_EXTENT(extent, N)                                                                                \
    __builtin_choose_expr(amp_priv_is_good, extent, ((AMP_PRIV_CAT(amp_extent, N)){{0}}))
#define AMP_PRIV_NO_KERNEL(call)                                                                                       \
    (int)amp_priv_in_kernel == 0, "amp: " call " in the body of a kernel: a kernel launches no other; launch one "     \
                                  "after the other"
#define AMP_PRIV_IS_EXTENT_OF_RANK(N, unused)       , amp_extent##N : N
#define AMP_PRIV_IS_EXTENT_OF_RANK_TILED(N, unused) , amp_tiled_extent##N : N

/* The static record of a call site, the copies of what it captures, and the launch. */
#define AMP_PRIV_RECORD(view, is_tiled, index_text, the_rank, the_tile, capture_list, ...)                             \
    AMP_PRIV_EACH(AMP_PRIV_COPY, ~, capture_list)                                                                      \
    amp_priv_launch amp_priv_this_launch;                                                                              \
    void *const amp_priv_captured[] = {AMP_PRIV_EACH(AMP_PRIV_ADDRESS, ~, capture_list) AMP_PRIV_VISITED_LAUNCH};      \
    static const amp_priv_capture amp_priv_captures[] = {                                                              \
            AMP_PRIV_EACH(AMP_PRIV_DESCRIBE, ~, capture_list){NULL, AMP_PRIV_CAPTURE_CONSTANT, NULL, 0, 0}};           \
    static amp_priv_site amp_priv_this_site = {                                                                        \
            .function = __func__,                                                                                      \
            .file = __FILE__,                                                                                          \
            .line = __LINE__,                                                                                          \
            .text = AMP_PRIV_TEXT_(__VA_ARGS__),                                                                       \
            .index = index_text,                                                                                       \
            .rank = the_rank,                                                                                          \
            .tiled = is_tiled,                                                                                         \
            .tile = {AMP_PRIV_UNWRAP the_tile},                                                                        \
            .threads_per_item = AMP_THREADS_PER_ITEM,                                                                  \
            .capture_count = AMP_PRIV_CAPTURED(capture_list),                                                          \
            .captures = amp_priv_captures,                                                                             \
            .user_definitions = &amp_priv_user_definitions,                                                            \
    };                                                                                                                 \
    AMP_PRIV_FAULT_RECORD

/* The index type of an extent or tiled extent. */
#define AMP_PRIV_INDEX_FOR(extent) AMP_PRIV_PICK_VALUE(extent, AMP_PRIV_INDEX_FOR_RANK, struct amp_priv_no_type * : 0)
#define AMP_PRIV_PICK_VALUE(x, LIST, ...)                                                                              \
    _Generic((x), __VA_ARGS__ AMP_PRIV_FOR_RANKS(LIST, ~) AMP_PRIV_FOR_RANKS_3(LIST##_TILED, ~))
#define AMP_PRIV_INDEX_FOR_RANK(N, unused)                                                                             \
    , amp_extent##N : (amp_index##N)                                                                                   \
    {                                                                                                                  \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }
#define AMP_PRIV_INDEX_FOR_RANK_TILED(N, unused)                                                                       \
    , amp_tiled_extent##N : (amp_index##N)                                                                             \
    {                                                                                                                  \
        {                                                                                                              \
            0                                                                                                          \
        }                                                                                                              \
    }

/* The scope of a kernel body in the CPU loops; kind is 1, or AMP_PRIV_IN_TILED_KERNEL. */
#define AMP_PRIV_KERNEL_SCOPE(kind, captures)                                                                          \
    enum { amp_priv_in_kernel = kind | (amp_priv_is_good ? 0 : AMP_PRIV_REFUSED) };                                    \
    AMP_PRIV_EACH(AMP_PRIV_DECLARE, ~, captures)

/* An index argument is `idx` or `(row, col)`. */
#define AMP_PRIV_NAMES_IN(index)      AMP_PRIV_CAT(AMP_PRIV_NAMES_IN_, AMP_PRIV_IS_WRAPPED(index))(index)
#define AMP_PRIV_NAMES_IN_0(index)    1
#define AMP_PRIV_NAMES_IN_1(names)    AMP_PRIV_COUNT names
#define AMP_PRIV_DECLARE_INDEX(index) AMP_PRIV_CAT(AMP_PRIV_DECLARE_INDEX_, AMP_PRIV_IS_WRAPPED(index))(index)
#define AMP_PRIV_DECLARE_INDEX_0(name)                                                                                 \
    __typeof__(amp_priv_index) name = amp_priv_index;                                                                  \
    (void)name;
#define AMP_PRIV_DECLARE_INDEX_1(names)                                                                                \
    AMP_PRIV_EACH(AMP_PRIV_COMPONENT, AMP_PRIV_COUNT names, names)
#define AMP_PRIV_COMPONENT(n, count, name)                                                                             \
    int name = amp_priv_index.v[count - n];                                                                            \
    (void)name;

/* // >>tiles
   AMP_TILED(extent, (T0, T1), tile, AMP_CAPTURE(...), { body }): runs body once per tile of T0 x T1 threads.
   AMP_TILED_ON(view, extent, (T0, T1), tile, AMP_CAPTURE(...), { body }): on an accelerator view.
   extent  an amp_extent or amp_tiled_extent of rank 1 to 3; (T0, ...)  constants, one per dimension;
   tile    the name of the tile in the body: members tile (its number), tile_origin, barrier
   The body is tile-uniform code around phases: AMP_THREADS(tile, t) { ... } is what every thread does, between
   barriers. Tile-uniform code reads anything and steers; it must not write views or tile_static memory, and a
   phase must not write locals of tile-uniform code (AMP_PRIVATE is for that), because it runs once per tile on
   the CPU and once per thread on a device.
   Errors: AMP_INVALID_COMPUTE_DOMAIN (extent negative or not divisible, tile over the device's limit), else as
   AMP_PARALLEL_FOR_EACH. Blocking, threads, cost: likewise. Source: parallel_for_each(tiled_extent).   */
#define AMP_TILED(extent, tile_dimensions, tile, captures, ...)                                                        \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_TILED"));                                                               \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_CAT3(AMP_PRIV_TILED_, AMP_PRIV_IS_WRAPPED(tile_dimensions), AMP_PRIV_IS_LIST(captures))               \
        ((amp_accelerator_view){NULL}, extent, tile_dimensions, tile, AMP_PRIV_UNWRAP captures, __VA_ARGS__)           \
    } while (0)
#define AMP_TILED_ON(view, extent, tile_dimensions, tile, captures, ...)                                               \
    do {                                                                                                               \
        _Static_assert(AMP_PRIV_NO_KERNEL("AMP_TILED"));                                                               \
        AMP_PRIV_CAPTURES_NAMES(captures)                                                                              \
        AMP_PRIV_CAT3(AMP_PRIV_TILED_, AMP_PRIV_IS_WRAPPED(tile_dimensions), AMP_PRIV_IS_LIST(captures))               \
        (view, extent, tile_dimensions, tile, AMP_PRIV_UNWRAP captures, __VA_ARGS__)                                   \
    } while (0)

#define AMP_PRIV_TILED_10(...)                                                                                         \
    _Static_assert(0, AMP_PRIV_NO_CAPTURES("AMP_TILED(extent, (16), tile, AMP_CAPTURE(a, b), { body })",               \
                                           "AMP_TILED_ON"));
#define AMP_PRIV_TILED_00(view, extent, tile, ...) _Static_assert(0, AMP_PRIV_NO_TILE(tile));
#define AMP_PRIV_TILED_01(view, extent, tile, ...) _Static_assert(0, AMP_PRIV_NO_TILE(tile));
#define AMP_PRIV_TILED_11(view, launch_extent, tile_dimensions, tile_name, captures, ...)                              \
    do { /* first: up to gcc 11 the pragma of an AMP_UNROLL in the body comes to stand before it */                    \
    AMP_PRIV_QUIET_BEGIN                                                                                               \
    AMP_PRIV_RANK_TYPE(launch_extent)                                                                                  \
    enum {                                                                                                             \
        amp_priv_is_extent = sizeof(amp_priv_rank_type) - 1,                                                           \
        amp_priv_is_good = amp_priv_is_extent == AMP_PRIV_COUNT tile_dimensions                                        \
    };                                                                                                                 \
    _Static_assert(AMP_PRIV_COUNT tile_dimensions <= 3, "amp: a tile has 1 to 3 dimensions");                          \
    _Static_assert(AMP_PRIV_IN_TIME);                                                                                  \
    _Static_assert(amp_priv_is_extent, AMP_PRIV_NO_EXTENT("AMP_TILED"));                                               \
    _Static_assert(!amp_priv_is_extent || amp_priv_is_good, "amp: the tile " AMP_PRIV_TEXT_(tile_dimensions)           \
                   " must have one size per dimension of the extent");                                                 \
    const __typeof__(AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_COUNT tile_dimensions)) amp_priv_extent =            \
        AMP_PRIV_GOOD_EXTENT(launch_extent, AMP_PRIV_COUNT tile_dimensions);                                           \
    AMP_PRIV_CAT(AMP_PRIV_TILE_SIZES_, AMP_PRIV_COUNT tile_dimensions) tile_dimensions                                 \
    _Static_assert((int)amp_priv_threads_x > 0 && (int)amp_priv_threads_y > 0 && (int)amp_priv_threads_z > 0,          \
                   "amp: every size of the tile " AMP_PRIV_TEXT_(tile_dimensions) " must be a constant, and positive");\
    AMP_PRIV_RECORD(view, 1, AMP_PRIV_TEXT(tile_name), AMP_PRIV_COUNT tile_dimensions,                                 \
                    AMP_PRIV_CAT(AMP_PRIV_TILE_NAMES_, AMP_PRIV_COUNT tile_dimensions), captures, __VA_ARGS__)         \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(1, captures, AMP_PRIV_SAYS_CAPTURED_POINTER(AMP_PRIV_ALL_NAMES(captures))));  \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(2, captures,                                                                  \
                   AMP_PRIV_SAYS_CAPTURED_LONG_DOUBLE(AMP_PRIV_ALL_NAMES(captures))));                                 \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(4, captures,                                                                  \
                   AMP_PRIV_SAYS_CAPTURED_STRUCT(AMP_PRIV_ALL_NAMES(captures), "s")));                                 \
    _Static_assert(AMP_PRIV_CAPTURES_FIT(8, captures, AMP_PRIV_SAYS_CAPTURED_VARIABLE));                               \
    if (amp_priv_start(&amp_priv_this_launch, &amp_priv_this_site, view, (const int *)&amp_priv_extent,                \
                       sizeof amp_priv_extent / sizeof(int), amp_priv_captured)) {                                     \
        AMP_PRIV_CPU_TILED(AMP_PRIV_CAT(amp_tile, AMP_PRIV_COUNT tile_dimensions), amp_priv_extent,                    \
                           ((const int[]){AMP_PRIV_UNWRAP tile_dimensions}), tile_name,                                \
                           AMP_PRIV_KERNEL_SCOPE(AMP_PRIV_IN_TILED_KERNEL, captures)                                   \
                                   AMP_PRIV_TILE_SCOPE(AMP_PRIV_COUNT tile_dimensions),                                \
                           __VA_ARGS__)                                                                                \
        amp_priv_finish(&amp_priv_this_launch);                                                                        \
    }                                                                                                                  \
    AMP_PRIV_QUIET_END                                                                                                 \
    } while (0);

/* Bounds of a phase's loops, as constants: z, y, x, the last dimension being x. */
#define AMP_PRIV_TILE_SIZES_1(x)    AMP_PRIV_TILE_SIZES_3(1, 1, x)
#define AMP_PRIV_TILE_SIZES_2(y, x) AMP_PRIV_TILE_SIZES_3(1, y, x)
#define AMP_PRIV_TILE_SIZES_3(z, y, x)                                                                                 \
    enum {                                                                                                             \
        amp_priv_threads_z = AMP_PRIV_CONSTANT_OR_0(z),                                                                \
        amp_priv_threads_y = AMP_PRIV_CONSTANT_OR_0(y),                                                                \
        amp_priv_threads_x = AMP_PRIV_CONSTANT_OR_0(x)                                                                 \
    };
#define AMP_PRIV_TILE_NAMES_1  (amp_priv_threads_x)
#define AMP_PRIV_TILE_NAMES_2  (amp_priv_threads_y, amp_priv_threads_x)
#define AMP_PRIV_TILE_NAMES_3  (amp_priv_threads_z, amp_priv_threads_y, amp_priv_threads_x)
#define AMP_PRIV_TILE_SCOPE(N) AMP_PRIV_TILE_SCOPE_(N)
#define AMP_PRIV_TILE_SCOPE_(N)                                                                                        \
    typedef amp_tiled_index##N amp_priv_tiled_index __attribute__((unused));                                           \
    typedef amp_tile_in_threads##N amp_priv_tile_in_threads __attribute__((unused));

/* // >>functions
   AMP_FUNCTION(type, name, (parameters), { body }): at file scope, a function that kernels and host code may call.
   Parameters are values, views and private pointers; it may call other AMP_FUNCTIONs above it, not itself. A
   trailing semicolon is welcome. On the host, views given to it from outside a kernel synchronize on access.
   Cost: inlined. Source: restrict(amp, cpu).                                                          */
#define AMP_FUNCTION(type, name, ...)                                                                                  \
    AMP_PRIV_CAT3(AMP_PRIV_FUNCTION_, AMP_PRIV_IS_WRAPPED(name),                                                       \
                  AMP_PRIV_IS_NOTHING(AMP_PRIV_SECOND(__VA_ARGS__, , ~)))(type, name, __VA_ARGS__)
#define AMP_PRIV_FUNCTION_01(type, name, ...) /* a body may follow, and calls */                                       \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) has no body: AMP_FUNCTION(float, twice, "          \
                      "(float x), { return 2 * x; })");                                                                \
    static inline type name __VA_ARGS__
#define AMP_PRIV_FUNCTION_11(type, name, ...)                                                                          \
    _Static_assert(0, "amp: AMP_FUNCTION(" #type ", " #name ", ...) lacks its type: AMP_FUNCTION(float, twice, "       \
                      "(float x), { return 2 * x; })");                                                                \
    extern int type(); __extension__
#define AMP_PRIV_FUNCTION_10 AMP_PRIV_FUNCTION_11
#define AMP_PRIV_FUNCTION_00(type, name, parameters, ...)                                                              \
    _Static_assert(AMP_PRIV_IS_WRAPPED(parameters), "amp: the parameters of AMP_FUNCTION(" #type ", " #name            \
                   ", ...) must stand in parentheses: AMP_FUNCTION(float, twice, (float x), { return 2 * x; })");      \
    AMP_PRIV_FUNCTION_TEXT(name, static inline type name parameters __VA_ARGS__)                                       \
    AMP_PRIV_QUIET_BEGIN                                                                                               \
    __attribute__((always_inline, unused)) static inline type name AMP_PRIV_WRAPPED(parameters)                        \
    {                                                                                                                  \
        AMP_PRIV_FUNCTION_MATH __VA_ARGS__                                                                             \
    }                                                                                                                  \
    AMP_PRIV_QUIET_END __extension__
#define AMP_PRIV_FUNCTION_TEXT(name, ...) AMP_PRIV_USER_DEFINITION(name, AMP_PRIV_TEXT_(__VA_ARGS__))

/* Registers a definition when the program starts: at the end of this translation unit's list. In MinGW's programs the
   last constructor of a file runs first. */
#define AMP_PRIV_USER_DEFINITION(the_name, the_text)                                                                   \
    AMP_PRIV_LONG_STRINGS_BEGIN                                                                                        \
    static amp_priv_user_definition amp_priv_user_definition_##the_name = {#the_name, the_text, NULL};                 \
    AMP_PRIV_LONG_STRINGS_END                                                                                          \
    __attribute__((constructor)) static void amp_priv_register_##the_name(void)                                        \
    {                                                                                                                  \
        amp_priv_register(&amp_priv_user_definitions, &amp_priv_user_definition_##the_name);                           \
    }

static inline void amp_priv_register(amp_priv_user_definition **list, amp_priv_user_definition *definition)
{
#if defined(__MINGW32__)
    definition->next = *list;
#else
    while (*list)
        list = &(*list)->next;
#endif
    *list = definition;
}

/* // >>structs
   AMP_STRUCT(name, { members }): at file scope, a struct that kernels know under the same name. Its members must
   leave no gaps, because devices may lay gaps out differently. AMP_DEFINE_ELEMENT(name) then makes its views and
   arrays (amp_array_view_name_1, ...), AMP_VALUE(name, variable) captures one. Trailing semicolons are welcome.
   Errors: padding does not compile. Source: structs captured by a lambda, array<T>.                   */
#define AMP_STRUCT(name, ...)                                                                                          \
    typedef struct name __VA_ARGS__ name;                                                                              \
    AMP_PRIV_STRUCT_PACKED(name, __VA_ARGS__)                                                                          \
    _Static_assert(sizeof(struct name) == sizeof(struct amp_priv_packed_##name),                                       \
                   "amp: AMP_STRUCT(" #name "): the struct has padding, which a device may lay out differently; "      \
                   "order members by "                                                                                 \
                   "size, largest first, or fill the gap with a named member");                                        \
    AMP_PRIV_FUNCTION_TEXT(name, typedef struct name __VA_ARGS__ name;) __extension__

/* AMP_TABLE(type, name, [A][B], { values }): at file scope, a table that host and kernels read, and AMP_FUNCTIONs. All
   tables that a kernel names, and what those name, are together at most 64 KiB on devices: larger ones are views.
   type  a type that kernels know; [A][B]  numbers or macros, [] for the first if you like; values  numbers and macros
   Errors: writing to it does not compile. Cost: constant memory, fastest where neighbours read one element.
   Source: what a lambda reads of a static const array. */
#define AMP_TABLE(type, name, dimensions, ...)                                                                         \
    AMP_PRIV_TABLE_ON_HOST type name dimensions = __VA_ARGS__;                                                         \
    AMP_PRIV_FUNCTION_TEXT(name, AMP_PRIV_TABLE_ON_DEVICE type name dimensions = __VA_ARGS__;) __extension__

/* AMP_TYPEDEF(type, name): at file scope, a typedef that kernels know, too: AMP_TYPEDEF(float, real). The file may have
   that typedef already. With AMP_DEFINE_ELEMENT(real) it has views and arrays: types of their own, beside those of
   float. Source: using, typedef. */
#define AMP_TYPEDEF(type, name)                                                                                        \
    typedef type name;                                                                                                 \
    AMP_PRIV_FUNCTION_TEXT(name, typedef type name;) __extension__
#define AMP_PRIV_STRUCT_PACKED(name, ...) struct __attribute__((packed)) amp_priv_packed_##name __VA_ARGS__;

#endif /* AMP_H */
