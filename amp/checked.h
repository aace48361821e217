/* SPDX-License-Identifier: MIT */
/*  amp/checked.h - checked builds, -DAMP_CHECKED: every AMP_AT checks its index, on every backend.

    An access outside of its view goes to element 0 instead, and the first one of a launch is that launch's error,
    told when the launch has run: which kernel, view, index, and which index, or tile and thread, of the launch.
    AMP_FUNCTIONs that take views are checked, too: a view carries the launch's record of faults. A launch waits
    for its end. On the host AMP_AT reports at once, with file and line.

    AMP_BREAK_AT="function:3,5" in the environment stops a debugger at that index of the kernels in that function
    (of a tiled one: the thread with that global index), where kernels are the CPU loops. A program that ends without a
    stop says so. See docs/debugging.md.

    A phase that writes a variable of tile-uniform code is warned of, at the first launch.

    Without AMP_CHECKED nothing of this is in the program: the macros below are what they are without this file.

    Contents (search for the tag):
        >>access  >>visit  >>fault  >>fibers  >>break  >>uniform  >>parts  >>device                   */
#ifndef AMP_CHECKED_H
#define AMP_CHECKED_H

#include "backend.h"

/* What the source of a view is inside a kernel on the CPU loops. */
#define AMP_PRIV_IN_KERNEL ((amp_priv_source *)-1)

/* AMP_PRIV_FIBERS: the thread sanitizer looks for races between the threads of a tile (>>fibers).
   AMP_PRIV_UNSEEN: of functions whose accesses are ours, not the kernel's. */
#if defined(AMP_CHECKED) && defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__SANITIZE_THREAD__)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_UNSEEN __attribute__((unused, noinline, no_sanitize("thread"))) static
#elif defined(AMP_CHECKED) && defined(AMP_SERIAL) && defined(AMP_BACKEND_CPU) && defined(__clang__)
#if __has_feature(thread_sanitizer) && __has_attribute(disable_sanitizer_instrumentation)
#define AMP_PRIV_FIBERS
#define AMP_PRIV_UNSEEN __attribute__((unused, noinline, disable_sanitizer_instrumentation)) static
#endif
#endif
#if !defined(AMP_PRIV_FIBERS)
#define AMP_PRIV_UNSEEN static inline
#endif

#if !defined(AMP_CHECKED)

#define AMP_PRIV_ACCESS(in_kernel, view, ...)                                                                          \
    AMP_PRIV_HOST_OR_DEVICE(AMP_PRIV_ELEMENT_SIZE(in_kernel, view, __VA_ARGS__), "0")
#define AMP_PRIV_ACCESS_UNCHECKED       0
#define AMP_PRIV_ACCESS_TYPE            int
#define AMP_PRIV_ACCESS_SIZE(access)    access
#define AMP_PRIV_HOST_HAS(access, head) amp_priv_host_access(head)
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, ...)
#define AMP_PRIV_FAULT_RECORD
#define AMP_PRIV_VISIT_INDEX(index, rank)
#define AMP_PRIV_VISIT_TILE(tile, rank)
#define AMP_PRIV_VISIT_END 0
static inline void amp_priv_fibers_meet(void) {}

/* Checked builds: do the view's elements lie where a device, and the host's processor, can reach them? */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    (void)call, (void)element, (void)data, (void)start;
    return true;
}

#else

#include "text.h"

#include <signal.h>

/* // >>access: what AMP_AT tells of itself. */

typedef struct amp_priv_access {
    int element_size; /* 0: in a kernel */
    const char *view, *file;
    int line;
    const int *extent; /* NULL: not checked (amp_get_ref) */
} amp_priv_access;

#define AMP_PRIV_ACCESS(in_kernel, view, ...)                                                                          \
    AMP_PRIV_HOST_OR_DEVICE(((amp_priv_access){AMP_PRIV_ELEMENT_SIZE(in_kernel, view, __VA_ARGS__), #view, __FILE__,   \
                                               __LINE__, (view).extent.v}),                                            \
                            "0")
#define AMP_PRIV_ACCESS_UNCHECKED       ((amp_priv_access){ 0, NULL, NULL, 0, NULL })
#define AMP_PRIV_ACCESS_TYPE            amp_priv_access
#define AMP_PRIV_ACCESS_SIZE(access)    access.element_size
#define AMP_PRIV_HOST_HAS(access, head) amp_priv_host_access_at(&access, head)

/* Leaves the function around it with offset 0 when the index is outside. */
#define AMP_PRIV_CHECK_INDEX_OF(access, head, N, ...)                                                                  \
    if (access.extent) {                                                                                               \
        const long long amp_priv_given[] = {__VA_ARGS__};                                                              \
        if (__builtin_expect(!amp_priv_inside(access.extent, amp_priv_given, N), 0))                                   \
            return amp_priv_outside(&access, head, N, amp_priv_given);                                                 \
    }

AMP_PRIV_UNSEEN bool amp_priv_inside(const int *extent, const long long *index, int rank)
{
    for (int d = 0; d < rank; d++)
        if (index[d] < 0 || index[d] >= extent[d])
            return false;
    return true;
}

/* An index of 64 unsigned bits as one of 63. */
static inline long long amp_priv_clamped(unsigned long long i) { return i > LLONG_MAX ? LLONG_MAX : (long long)i; }

/* // >>visit: which index, or tile and thread, this host thread is at in the CPU loops. */

typedef struct amp_priv_visitor {
    const amp_priv_launch *launch;
    amp_priv_visit at;
} amp_priv_visitor;

AMP_PRIV_GLOBAL_THREAD(amp_priv_visitor, amp_priv_here)

/* // >>fault */

#define AMP_PRIV_FAULT_RECORD                                                                                          \
    amp_priv_fault amp_priv_this_fault;                                                                                \
    amp_priv_this_launch.fault = &amp_priv_this_fault;

/* "(8, -1)" of any integers. */
static inline const char *amp_priv_long_list(char *text, size_t size, const long long *values, int count)
{
    size_t used = 0;
    for (int d = 0; d < count && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "(", values[d]);
    if (used + 1 < size)
        snprintf(text + used, size - used, ")");
    return text;
}

/* An access outside: in a kernel it is noted, on the host reported. Returns the offset that it gets. */
AMP_PRIV_COLD amp_priv_offset amp_priv_outside(const amp_priv_access *access, const amp_priv_head *head, int rank,
                                               const long long *index)
{
    if (head->source != AMP_PRIV_IN_KERNEL) {
        char given[256], extent[128];
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "AMP_AT at %s:%d: the index %s is outside of the view %s, whose extent is %s; indexes begin at 0 and stay "
            "below the extent",
            access->file, access->line, amp_priv_long_list(given, sizeof given, index, rank), access->view,
            amp_priv_list(extent, sizeof extent, access->extent, rank));
        return 0;
    }
    amp_priv_fault *const fault = head->fault;
    if (atomic_fetch_add_explicit(&fault->count, 1u, memory_order_relaxed) != 0)
        return 0;
    fault->capture = head->capture;
    fault->rank = rank;
    for (int d = 0; d < rank; d++)
        fault->index[d] = index[d];
    fault->at = amp_priv_here.at;
    return 0;
}

/* Where in the launch: " at index (3, 5)", " in tile (0, 1), thread (3, 2), global index (3, 18)". */
static inline const char *amp_priv_visit_text(char *text, size_t size, const amp_priv_visit *at)
{
    char global[128], tile[64], local[64];
    amp_priv_list(global, sizeof global, at->global, at->rank);
    if (!at->tiled) {
        snprintf(text, size, "at index %s", global);
        return text;
    }
    amp_priv_list(tile, sizeof tile, at->tile, at->rank);
    if (at->in_phase)
        snprintf(text, size, "in tile %s, thread %s, global index %s", tile,
                 amp_priv_list(local, sizeof local, at->local, at->rank), global);
    else
        snprintf(text, size, "in tile %s, outside of its phases", tile);
    return text;
}

/* After a launch: reports its first fault as its error. extent: of the captured view that it was in. */
AMP_PRIV_COLD amp_status amp_priv_fault_report(const amp_priv_launch *launch, const int *extent)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_fault *const fault = launch->fault;
    char given[256], shape[128], where[512];
    const unsigned count = fault->count;
    return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                "%s, the index %s is outside of the view %s, whose extent is %s; "
                                "%u access%s of this launch went to element 0 instead",
                                amp_priv_visit_text(where, sizeof where, &fault->at),
                                amp_priv_long_list(given, sizeof given, fault->index, fault->rank),
                                site->captures[fault->capture].name,
                                amp_priv_list(shape, sizeof shape, extent, fault->rank), count, count == 1 ? "" : "es");
}

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

AMP_PRIV_GLOBAL_THREAD(amp_priv_phase_fibers, amp_priv_phase)

/* Of the sanitizer's library. */
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_set_fiber_name(void *fiber, const char *name);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void __tsan_acquire(void *address);
void __tsan_release(void *address);

/* A phase begins: there are fibers for all threads of the tile, or as many as the sanitizer bears. */
AMP_PRIV_UNSEEN void amp_priv_phase_begin(const amp_priv_site *site)
{
    int threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= site->tile[d];
    for (int *const i = &amp_priv_phase.count; *i < threads && *i < AMP_PRIV_MAX_FIBERS; ++*i) {
        char name[32];
        snprintf(name, sizeof name, "thread %d of a tile", *i);
        amp_priv_phase.fiber[*i] = __tsan_create_fiber(0);
        __tsan_set_fiber_name(amp_priv_phase.fiber[*i], name);
    }
    amp_priv_phase.home = __tsan_get_current_fiber();
    amp_priv_phase.next = 0;
}

/* The next thread of the tile. */
AMP_PRIV_UNSEEN void amp_priv_fiber_next(const amp_priv_site *site)
{
    if (amp_priv_phase.home)
        __tsan_release(&amp_priv_phase.end);
    else
        amp_priv_phase_begin(site);
    __tsan_switch_to_fiber(amp_priv_phase.fiber[amp_priv_phase.next++ % AMP_PRIV_MAX_FIBERS], AMP_PRIV_UNORDERED);
    __tsan_acquire(&amp_priv_phase.begin);
}

AMP_PRIV_UNSEEN void amp_priv_phase_end(void)
{
    if (!amp_priv_phase.home)
        return;
    __tsan_release(&amp_priv_phase.end);
    __tsan_switch_to_fiber(amp_priv_phase.home, AMP_PRIV_UNORDERED);
    amp_priv_phase.home = NULL;
}

/* A barrier, the begin of a tile, the end of the last: what fibers did comes before what they do. */
static inline void amp_priv_fibers_meet(void)
{
    __tsan_acquire(&amp_priv_phase.end);
    __tsan_release(&amp_priv_phase.begin);
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
    pthread_mutex_t lock;
    char function[128];
    int rank; /* 0: nothing is asked for */
    int index[AMP_MAX_RANK];
    atomic_bool launched, stopped; /* a kernel of that function and rank, on the CPU loops; at that index */
    const char *wanted;
} amp_priv_break;

AMP_PRIV_GLOBAL(amp_priv_break, amp_priv_stop, { .lock = PTHREAD_MUTEX_INITIALIZER })

/* At exit. */
AMP_PRIV_COLD void amp_priv_break_missed(void)
{
    const amp_priv_break *const stop = &amp_priv_stop;
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
    amp_priv_break *const stop = &amp_priv_stop;
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
    amp_priv_break *const stop = &amp_priv_stop;
    amp_priv_lock(&stop->lock);
    if (!atomic_load(&stop->read)) {
        stop->wanted = getenv("AMP_BREAK_AT");
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
    amp_priv_break *const stop = &amp_priv_stop;
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
    fprintf(stderr, "amp: AMP_BREAK_AT stops the kernel in %s %s\n", amp_priv_here.launch->site->function,
            amp_priv_visit_text(where, sizeof where, &amp_priv_here.at));
    atomic_store(&amp_priv_stop.stopped, true);
    raise(SIGTRAP);
}

AMP_PRIV_UNSEEN void amp_priv_break_test(void)
{
    if (__builtin_expect(amp_priv_here.launch->fault->stops, 0) &&
        !memcmp(amp_priv_stop.index, amp_priv_here.at.global, (size_t)amp_priv_here.at.rank * sizeof(int)))
        amp_priv_break_stop();
}

/* Before a launch: its record is empty. */
static inline void amp_priv_fault_begin(const amp_priv_launch *launch)
{
    memset(launch->fault, 0, sizeof *launch->fault);
    launch->fault->stops = amp_priv_break_in(launch);
}

/* The CPU loops say where they are. */
#define AMP_PRIV_VISIT_INDEX(index, rank) amp_priv_visit_index(&amp_priv_this_launch, index, rank);
#define AMP_PRIV_VISIT_TILE(the_tile, rank)                                                                            \
    amp_priv_visit_tile(&amp_priv_this_launch, (the_tile).tile.v, (the_tile).tile_origin.v, rank);
#define AMP_PRIV_VISIT_END AMP_PRIV_HOST_OR_DEVICE(amp_priv_visit_end(), "0")

static inline void amp_priv_visit_index(const amp_priv_launch *launch, const int *index, int rank)
{
    amp_priv_here.launch = launch;
    amp_priv_here.at.rank = rank;
    amp_priv_here.at.tiled = amp_priv_here.at.in_phase = false;
    for (int d = 0; d < rank; d++)
        amp_priv_here.at.global[d] = index[d];
    amp_priv_break_test();
}

AMP_PRIV_UNSEEN void amp_priv_visit_tile(const amp_priv_launch *launch, const int *tile, const int *origin, int rank)
{
    amp_priv_here.launch = launch;
    amp_priv_here.at.rank = rank;
    amp_priv_here.at.tiled = true;
    amp_priv_here.at.in_phase = false;
    amp_priv_fibers_meet();
    for (int d = 0; d < rank; d++) {
        amp_priv_here.at.tile[d] = tile[d];
        amp_priv_here.at.global[d] = origin[d];
    }
}

AMP_PRIV_UNSEEN void amp_priv_visit_thread(const int *local, const int *global, int rank)
{
    amp_priv_here.at.in_phase = true;
    for (int d = 0; d < rank; d++) {
        amp_priv_here.at.local[d] = local[d];
        amp_priv_here.at.global[d] = global[d];
    }
    amp_priv_fiber_next(amp_priv_here.launch->site);
    amp_priv_break_test();
}

AMP_PRIV_UNSEEN int amp_priv_visit_end(void)
{
    amp_priv_phase_end();
    amp_priv_here.at.in_phase = false;
    return 0;
}

/* // >>uniform: phases that write what is not the thread's own. The CPU loops have one variable for the tile, a device
   has one for each thread. Only plain names are seen (not x[i], not x.y), and a name that is declared in some phase is
   taken for that. */

/* A walk through the words of a body. */
typedef struct amp_priv_walk {
    amp_priv_token before, here;
    const char *phase, *phase_end; /* the phase that was come to last */
    const char *typeof_end;        /* what follows `typeof(x)` is declared */
    bool tile_static;              /* in a declaration that AMP_TILE_STATIC made */
} amp_priv_walk;

/* Finds the block or statement of a phase, in whose `for` t is the thread's name. */
AMP_PRIV_COLD void amp_priv_walk_phase(amp_priv_walk *walk, amp_priv_token t)
{
    int depth = 1;
    for (; depth > 0 && t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t))
        depth += amp_priv_token_is(t, "(") - amp_priv_token_is(t, ")");
    walk->phase = t.at;
    for (; t.kind != AMP_PRIV_TOKEN_END; t = amp_priv_token_after(t)) {
        depth += amp_priv_token_is(t, "(") + amp_priv_token_is(t, "{");
        depth -= amp_priv_token_is(t, ")") + amp_priv_token_is(t, "}");
        if (depth == 0 && (amp_priv_token_is(t, ";") || amp_priv_token_is(t, "}")))
            break;
    }
    walk->phase_end = t.at;
}

AMP_PRIV_COLD bool amp_priv_walk_on(amp_priv_walk *walk)
{
    walk->before = walk->here;
    walk->here = amp_priv_token_after(walk->here);
    const amp_priv_token t = walk->here;
    if (amp_priv_token_is(walk->before, "amp_priv_tiled_index")) /* in the last `for` of AMP_THREADS */
        amp_priv_walk_phase(walk, t);
    if (amp_priv_token_is(t, "typeof") || amp_priv_token_is(t, "__typeof__"))
        walk->typeof_end = amp_priv_token_closing(amp_priv_token_after(t)).at;
    if (amp_priv_token_is(t, ";") || amp_priv_token_is(t, "{") || amp_priv_token_is(t, "}"))
        walk->tile_static = false;
    walk->tile_static = walk->tile_static || amp_priv_token_is(t, "amp_priv_tile_static");
    return t.kind != AMP_PRIV_TOKEN_END;
}

AMP_PRIV_COLD bool amp_priv_walk_in_phase(const amp_priv_walk *walk)
{
    return walk->phase && walk->here.at > walk->phase && walk->here.at < walk->phase_end;
}

/* Is the word declared here, or may it be? After another word, a star, or a comma. */
AMP_PRIV_COLD bool amp_priv_walk_declares(const amp_priv_walk *walk)
{
    static const char *const others[] = { "else", "do", "return", "case", "goto", "sizeof" };
    const amp_priv_token t = walk->before;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (amp_priv_token_is(t, others[i]))
            return false;
    return t.kind == AMP_PRIV_TOKEN_WORD || amp_priv_token_is(t, "*") || amp_priv_token_is(t, ",") ||
           t.at == walk->typeof_end;
}

/* Is the word assigned to, as in x = 1, x += 1, x++, ++x? */
AMP_PRIV_COLD bool amp_priv_walk_writes(const amp_priv_walk *walk, const char *text)
{
    const char *const at = walk->here.at, *next = at + walk->here.length;
    while (amp_priv_is_space(*next))
        next++;
    if (next[0] == '=')
        return next[1] != '=';
    if (next[0] && strchr("+-", next[0]) && next[1] == next[0])
        return true;
    if (next[0] && strchr("+-*/%&|^", next[0]) && next[1] == '=')
        return true;
    if (next[0] && strchr("<>", next[0]) && next[1] == next[0] && next[2] == '=')
        return true;
    if (at < text + 3 || !strchr("+-", at[-1]) || at[-2] != at[-1])
        return false;
    const char *before = at - 3; /* a + ++x is not looked for */
    while (before > text && amp_priv_is_space(*before))
        before--;
    return strchr(";{}(,)", *before) != NULL;
}

/* The first word that a phase of the body writes and that is neither a variable of a phase nor tile_static; else the
   end. */
AMP_PRIV_COLD amp_priv_token amp_priv_phase_writes(const char *text)
{
    const amp_priv_walk start = { .here = { AMP_PRIV_TOKEN_SPACE, text, 0 } };
    for (amp_priv_walk walk = start; amp_priv_walk_on(&walk);) {
        const amp_priv_token name = walk.here;
        if (name.kind != AMP_PRIV_TOKEN_WORD || !amp_priv_walk_in_phase(&walk) || amp_priv_token_selects(walk.before) ||
            !strncmp(name.at, "amp_priv_", 9) || !amp_priv_walk_writes(&walk, text))
            continue;
        bool fine = false;
        for (amp_priv_walk other = start; !fine && amp_priv_walk_on(&other);)
            fine = amp_priv_token_is_word(other.here, name) &&
                   (other.tile_static || (amp_priv_walk_in_phase(&other) && amp_priv_walk_declares(&other)));
        if (!fine)
            return name;
    }
    return (amp_priv_token){ AMP_PRIV_TOKEN_END, text, 0 };
}

/* Once per site. */
AMP_PRIV_COLD void amp_priv_warn_of_writes(const amp_priv_site *site)
{
    const amp_priv_token name = amp_priv_phase_writes(site->text);
    if (name.kind != AMP_PRIV_TOKEN_END)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "kernel in %s, at or near %s:%d: a phase writes '%.*s', a variable of tile-uniform code: the CPU "
                     "loops have one for the tile, devices have one for each thread; declare it in the phase, or with "
                     "AMP_PRIVATE",
                     site->function, site->file, site->line, (int)name.length, name.at);
}

/* // >>parts */

/* Do the view's elements lie where a device, and the host's processor, can reach them? Else reports it.
   start: of the source, which is where a device's buffer begins. */
static inline bool amp_priv_aligned(const char *call, const amp_priv_element *element, const void *data,
                                    const void *start)
{
    const size_t offset = (size_t)((uintptr_t)data - (uintptr_t)start);
    if (offset % element->size) {
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "%s: the view would start %zu bytes into its source, in the middle of an element of %s (%zu bytes); take "
            "sections so that they start at multiples of it",
            call, offset, element->name, element->size);
        return false;
    }
    if (element->align && (uintptr_t)data % element->align) {
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the address %p is not aligned for elements of %s (to %zu bytes); align the data", call,
                        data, element->name, element->align);
        return false;
    }
    return true;
}

/* // >>device
   What a view begins with there, and what AMP_AT calls. The record of a launch, ints:
     [0] how many accesses were outside  [1] capture  [2] rank  [3] group, [6] local, [9] global id
     [12] the index, as longs                                                                          */
enum { AMP_PRIV_FAULT_INTS = 12 + 2 * AMP_MAX_RANK };

__attribute__((unused)) static const char amp_priv_text_outside[] =
    "static inline void amp_priv_outside(__global int *fault, int capture, int rank, const long *given) {"
    " if (amp_priv_count(fault) == 0) {"
    " fault[1] = capture; fault[2] = rank;"
    " for (int d = 0; d < 3; d++) {"
    " fault[3 + d] = (int)get_group_id(d); fault[6 + d] = (int)get_local_id(d); fault[9 + d] = (int)get_global_id(d); }"
    " for (int d = 0; d < rank; d++) ((__global long *)(fault + 12))[d] = given[d]; } }\n";

/* The same for all index types: offset is an expression, of the index given. */
#define AMP_PRIV_DEVICE_CHECKED(N, attribute, name, parameters, given, offset)                                         \
    attribute "amp_priv_offset " name "(const amp_priv_head" #N " *head, amp_priv_stride" #N " stride"                 \
        parameters                                                                                                     \
              ") { const long given[] = {" given "}; (void)stride;"                                                    \
              " for (int d = 0; d < " #N "; d++) if (given[d] < 0 || given[d] >= head->extent.v[d]) {"                 \
              " amp_priv_outside(head->fault, head->capture, " #N ", given); return 0; } return " offset "; }\n"

/* The device's meaning of the text that AMP_AT leaves in a kernel. */
#define AMP_PRIV_DEVICE_AT(N, parameters, names, components)                                                           \
    "typedef struct amp_priv_head" #N " { __global int *fault; int capture; amp_extent" #N                             \
    " extent; } amp_priv_head" #N ";\n"                                                                                \
    AMP_PRIV_DEVICE_CHECKED(N, "static inline ", "amp_priv_checked_" #N, parameters, names,                            \
                            "amp_priv_offset_" #N "(stride, " names ")")                                               \
    "#define amp_priv_at_" #N "(in_kernel, head, stride, " names ") amp_priv_checked_" #N "(head, stride, "            \
    names ")\n"                                                                                                        \
    "static inline amp_priv_offset amp_priv_checked_index" #N "(const amp_priv_head" #N " *head, amp_priv_stride" #N   \
    " stride, amp_index" #N " index) { return amp_priv_checked_" #N "(head, stride" components "); }\n"

#endif

#endif /* AMP_CHECKED_H */
