/* SPDX-License-Identifier: MIT */
/*  amp/device/hooks.h - the contract between the core and its modules

    The core launches a kernel on one device. Everything else is a module: it fills a table of hooks and registers it,
    by the public call that needs it, by its define, or by an environment variable. Without a table a launch reads one
    word and takes one predicted branch.

    Contents (search for the tag):
        >>order  >>happenings  >>table  >>copies  >>register  >>call */
#ifndef AMP_DEVICE_HOOKS_H
#define AMP_DEVICE_HOOKS_H

#include "backend.h"
#include "view_header.h"

/* // >>order: the numbers of the modules. In this order they are asked. */
enum {
    AMP_PRIV_HOOK_VALIDATE, /* first: what others see is good */
    AMP_PRIV_HOOK_SPECIALIZE,
    AMP_PRIV_HOOK_RECORD,  /* recordings: first, since it refuses launches elsewhere */
    AMP_PRIV_HOOK_RANKS,   /* before groups: each rank has one */
    AMP_PRIV_HOOK_GROUP,   /* groups and streamed views */
    AMP_PRIV_HOOK_TRACE,   /* traces and profiles */
    AMP_PRIV_HOOK_REPORT,  /* after traces, which name the sources */
    AMP_PRIV_HOOK_CHECKED, /* checked builds */
    AMP_PRIV_HOOK_COMPARE, /* last: its second run follows the end of the first one */
    AMP_PRIV_HOOKS
};
_Static_assert((int)AMP_PRIV_HOOKS == (int)AMP_PRIV_LAUNCH_HOOKS, "one place in a launch's record for each");

static inline unsigned amp_priv_hook_bit(int number) { return 1u << number; }

/* // >>happenings */

typedef enum amp_priv_happening_kind {
    AMP_PRIV_HAPPENED_OPENED,  /* queue: a new one, of a device */
    AMP_PRIV_HAPPENED_WAITED,  /* device: for it */
    AMP_PRIV_HAPPENED_BUILT,   /* site, device, detail, text: a kernel was compiled or read */
    AMP_PRIV_HAPPENED_BUFFER,  /* device, buffer, bytes: memory of it was allocated; bytes 0: freed */
    AMP_PRIV_HAPPENED_DIFFERS, /* site, name, detail, difference: what a comparison found in a view */
    AMP_PRIV_HAPPENED_MOVED,   /* name, detail, to_device, file, line, bytes: between host and device. It is done */
    AMP_PRIV_HAPPENED_ENQUEUED /* queue, bytes; site, extent and band, or name: a kernel or a transfer was submitted */
} amp_priv_happening_kind;

enum { AMP_PRIV_MAP_SIDE = 64 };

/* Where a view differs: how many elements in each part of it. rows: of all dimensions but the last. */
typedef struct amp_priv_view_differs {
    int rank, rows, columns;
    int extent[AMP_MAX_RANK];
    unsigned count[AMP_PRIV_MAP_SIDE * AMP_PRIV_MAP_SIDE];
} amp_priv_view_differs;

/* What happened between `began` and now. */
typedef struct amp_priv_happening {
    amp_priv_happening_kind kind;
    uint64_t began;
    const amp_priv_queue *queue;
    const amp_priv_device *device;
    const amp_priv_launch_site *site; /* of a kernel; else NULL */
    const int *extent;                /* of its launch */
    const struct amp_priv_band *band; /* which part of a launch on a group; NULL: all of it */
    const char *name, *detail;        /* moved: the source's first capture and its function; NULL: never captured */
    bool to_device;
    int line; /* moved: of the host's last read or call that may move, in `file`; NULL: none yet */
    const char *file;
    uint64_t bytes;
    const void *buffer;
    const char *text; /* the generated program */
    const amp_priv_view_differs *difference;
    void *native; /* enqueued: the backend's event, which the traces' `happened` releases; NULL: it is done */
} amp_priv_happening;

/* // >>table */

/* A kernel that was enqueued: `like` stands for it, and the function of that name in the program is it. */
typedef struct amp_priv_launched_kernel {
    const void *like;
    void *program;
    const char *name;
    const amp_priv_kernel_arguments *arguments;
    const amp_priv_geometry *geometry;
} amp_priv_launched_kernel;

/* What becomes of a launch. */
typedef enum amp_priv_outcome {
    AMP_PRIV_STEP_RUN,  /* it goes on: the next module is asked, at last the core */
    AMP_PRIV_STEP_DONE, /* it has run, or was reported: no other module is asked */
    AMP_PRIV_STEP_AGAIN /* the caller is to run the loops of the CPU backend now */
} amp_priv_outcome;

/* Rules for every member: it may be NULL; it is called with the launch's bit of this module set, which it may clear:
   then this launch goes on without the module; it may keep what it knows of the launch in launch->own[number], which is
   zero before `open`; it may be called from several threads at once, for different launches. */
typedef struct amp_priv_hook {
    /* The site to launch for these captures, instead of one that was not launched yet or never is. NULL after
       reporting. */
    amp_priv_launch_site *(*version)(amp_priv_launch_site *site, void *const *captured);
    /* Before a site's first launch: its text is good for the modules before. values: of the extent. Not AMP_OK, after
       reporting: it is refused. */
    amp_status (*first)(amp_priv_launch_site *site, const int *values, void *const *captured);
    /* The loops of the CPU backend are about to run a site's first launch. */
    void (*first_loops)(amp_priv_launch_site *site, void *const *captured);
    /* A launch is asked for, by this thread. pre: nothing of the launch but its bits and `own` is set. */
    void (*open)(amp_priv_launch *launch);
    /* Its extent has no index: it ends well, without anything more. */
    void (*skipped)(amp_priv_launch *launch);
    /* pre: site, captured and extent are set and good; *queue is the one given, or NULL. RUN: *queue may be another one
       now, the core takes it or (NULL) that of the data. DONE, AGAIN: the module has run the launch, by
       amp_priv_hooks_begin and amp_priv_hooks_end, or has reported why not. */
    amp_priv_outcome (*place)(amp_priv_launch *launch, amp_priv_queue **queue);
    /* pre: launch->queue is chosen, all captures live, nothing is locked. DONE, after reporting: it is refused; those
       who were asked before get `end`. */
    amp_priv_outcome (*begin)(amp_priv_launch *launch);
    /* The queue's device has the views' contents. On a device their sources are locked. */
    void (*acquired)(amp_priv_launch *launch);
    /* A kernel was enqueued for the launch, with its sources and the kernel locked. Once for each part. */
    void (*command)(amp_priv_launch *launch, const amp_priv_launched_kernel *kernel);
    /* All its commands were submitted, its sources are locked still. Not on the CPU backend. */
    void (*submitted)(amp_priv_launch *launch);
    /* The CPU backend has run the loops, or a device has the commands, or (status) it failed after `begin`. Nothing is
       locked. AGAIN: the loops are to run (again), for as many modules as have a bit in launch->hooks then. */
    amp_priv_outcome (*end)(amp_priv_launch *launch, amp_status status);
    /* Checked builds: a source of the user's memory ends, and its changes are about to be copied there. True, after
       reporting: the memory is not to be touched. */
    bool (*ends)(amp_priv_source *source);
    /* Something happened on some device. Locks may be held: it calls nothing that locks sources or kernels. */
    void (*happened)(const amp_priv_happening *what);
    /* This process is about to fork (0), has forked (1), or is the child (2). */
    void (*fork)(int step);
} amp_priv_hook;

/* // >>copies: what one module, recordings, does with the copies of a thread. */

typedef enum amp_priv_copy_refusal {
    AMP_PRIV_COPY_ANY,    /* a copy is asked for */
    AMP_PRIV_COPY_HOST,   /* the host takes part in it, */
    AMP_PRIV_COPY_BETWEEN /* from one source to another */
} amp_priv_copy_refusal;

/* Every member is there. */
typedef struct amp_priv_copy_hook {
    /* Is it refused? Then this was reported. */
    bool (*refuses)(amp_priv_copy_refusal what);
    /* The same of the host's access to a source, which is locked. */
    bool (*refuses_access)(const amp_priv_source *source);
    /* The queue for a copy on that device; NULL after reporting. */
    amp_priv_queue *(*queue)(const amp_priv_device *device);
    /* A copy between two buffers was enqueued there. */
    void (*enqueued)(void *from, const amp_priv_rect *from_rect, void *to, const amp_priv_rect *to_rect);
    /* A copy has ended, of which this is one side; the source is locked. */
    void (*uses)(amp_priv_source *source, const amp_priv_shape *shape, bool writes, amp_status status);
} amp_priv_copy_hook;

/* What a thread records. */
typedef struct amp_priv_recorder {
    const amp_priv_copy_hook *copies;
    bool failed; /* something could not be recorded, and there will be no recording */
} amp_priv_recorder;

/* This thread's; NULL, mostly, and while the library works on its own account. */
AMP_PRIV_GLOBAL_THREAD(amp_priv_recorder *, amp_priv_recording_here)

/* // >>register */

typedef struct amp_priv_hooks_state {
    atomic_uint launches; /* bits of the modules that launches ask, */
    atomic_uint watchers; /* and of those that have `happened` */
    atomic_bool exact;    /* kernels compute as the CPU does, where they can */
    _Atomic(const amp_priv_hook *) hook[AMP_PRIV_HOOKS];
} amp_priv_hooks_state;

AMP_PRIV_GLOBAL(amp_priv_hooks_state, amp_priv_hooks)

/* Has the table a member that launches call by their bits? The others are called without. */
AMP_PRIV_COLD bool amp_priv_hook_sees_launches(const amp_priv_hook *hook)
{
    return hook->open || hook->skipped || hook->place || hook->begin || hook->acquired || hook->command ||
           hook->submitted || hook->end || hook->ends;
}

/* Registers a module's hooks for the rest of the process. Files that compile the library each have the functions: the
   first table stays. */
AMP_PRIV_COLD void amp_priv_hook_add(int number, const amp_priv_hook *hook)
{
    const amp_priv_hook *none = NULL;
    if (!atomic_compare_exchange_strong(&amp_priv_hooks.hook[number], &none, hook))
        return;
    if (hook->happened)
        atomic_fetch_or(&amp_priv_hooks.watchers, amp_priv_hook_bit(number));
    if (amp_priv_hook_sees_launches(hook))
        atomic_fetch_or(&amp_priv_hooks.launches, amp_priv_hook_bit(number));
}

/* Takes them away. What is under way may call them still. */
AMP_PRIV_COLD void amp_priv_hook_remove(int number)
{
    atomic_fetch_and(&amp_priv_hooks.watchers, ~amp_priv_hook_bit(number));
    atomic_fetch_and(&amp_priv_hooks.launches, ~amp_priv_hook_bit(number));
}

/* // >>call: the core's way to them. */

static inline const amp_priv_hook *amp_priv_hook_of(int number)
{
    return atomic_load_explicit(&amp_priv_hooks.hook[number], memory_order_acquire);
}

/* The lowest module in `bits`. */
#define AMP_PRIV_FOR_HOOKS(number, bits)                                                                               \
    for (int number = 0; number < AMP_PRIV_HOOKS; number++)                                                            \
        if ((bits)&amp_priv_hook_bit(number))

AMP_PRIV_COLD amp_priv_launch_site *amp_priv_hooks_version(amp_priv_launch_site *site, void *const *captured)
{
    for (int number = 0; number < AMP_PRIV_HOOKS && site; number++)
        if (amp_priv_hook_of(number) && amp_priv_hook_of(number)->version)
            site = amp_priv_hook_of(number)->version(site, captured);
    return site;
}

AMP_PRIV_COLD amp_status amp_priv_hooks_first(amp_priv_launch_site *site, const int *values, void *const *captured)
{
    amp_status status = AMP_OK;
    for (int number = 0; number < AMP_PRIV_HOOKS && status == AMP_OK; number++)
        if (amp_priv_hook_of(number) && amp_priv_hook_of(number)->first)
            status = amp_priv_hook_of(number)->first(site, values, captured);
    return status;
}

AMP_PRIV_COLD void amp_priv_hooks_first_loops(amp_priv_launch_site *site, void *const *captured)
{
    for (int number = 0; number < AMP_PRIV_HOOKS; number++)
        if (amp_priv_hook_of(number) && amp_priv_hook_of(number)->first_loops)
            amp_priv_hook_of(number)->first_loops(site, captured);
}

AMP_PRIV_COLD void amp_priv_hooks_open(amp_priv_launch *launch)
{
    memset(launch->own, 0, sizeof launch->own);
    AMP_PRIV_FOR_HOOKS(number, launch->hooks)
    if (amp_priv_hook_of(number)->open)
        amp_priv_hook_of(number)->open(launch);
}

AMP_PRIV_COLD void amp_priv_hooks_skip(amp_priv_launch *launch)
{
    AMP_PRIV_FOR_HOOKS(number, launch->hooks)
    if (amp_priv_hook_of(number)->skipped)
        amp_priv_hook_of(number)->skipped(launch);
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_hooks_place(amp_priv_launch *launch, amp_priv_queue **queue)
{
    amp_priv_outcome step = AMP_PRIV_STEP_RUN;
    for (int number = 0; number < AMP_PRIV_HOOKS && step == AMP_PRIV_STEP_RUN; number++)
        if (launch->hooks & amp_priv_hook_bit(number) && amp_priv_hook_of(number)->place)
            step = amp_priv_hook_of(number)->place(launch, queue);
    return step;
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_hooks_end(amp_priv_launch *launch, amp_status status)
{
    amp_priv_outcome step = AMP_PRIV_STEP_RUN;
    for (int number = 0; number < AMP_PRIV_HOOKS && step == AMP_PRIV_STEP_RUN; number++)
        if (launch->hooks & amp_priv_hook_bit(number) && amp_priv_hook_of(number)->end)
            step = amp_priv_hook_of(number)->end(launch, status);
    return step;
}

/* False after reporting: the launch is refused. */
AMP_PRIV_COLD bool amp_priv_hooks_begin(amp_priv_launch *launch)
{
    for (int number = 0; number < AMP_PRIV_HOOKS; number++)
        if (launch->hooks & amp_priv_hook_bit(number) && amp_priv_hook_of(number)->begin &&
            amp_priv_hook_of(number)->begin(launch) != AMP_PRIV_STEP_RUN) {
            launch->hooks &= amp_priv_hook_bit(number) - 1;
            (void)amp_priv_hooks_end(launch, amp_priv_last_error.launch);
            return false;
        }
    return true;
}

AMP_PRIV_COLD void amp_priv_hooks_acquired(amp_priv_launch *launch)
{
    AMP_PRIV_FOR_HOOKS(number, launch->hooks)
    if (amp_priv_hook_of(number)->acquired)
        amp_priv_hook_of(number)->acquired(launch);
}

AMP_PRIV_COLD void amp_priv_hooks_command(amp_priv_launch *launch, const amp_priv_launched_kernel *kernel)
{
    AMP_PRIV_FOR_HOOKS(number, launch->hooks)
    if (amp_priv_hook_of(number)->command)
        amp_priv_hook_of(number)->command(launch, kernel);
}

AMP_PRIV_COLD void amp_priv_hooks_submitted(amp_priv_launch *launch)
{
    AMP_PRIV_FOR_HOOKS(number, launch->hooks)
    if (amp_priv_hook_of(number)->submitted)
        amp_priv_hook_of(number)->submitted(launch);
}

#if defined(AMP_CHECKED)
AMP_PRIV_COLD bool amp_priv_hooks_ends(amp_priv_source *source)
{
    bool ends = false;
    AMP_PRIV_FOR_HOOKS(number, atomic_load(&amp_priv_hooks.launches))
    if (amp_priv_hook_of(number)->ends)
        ends = amp_priv_hook_of(number)->ends(source) || ends;
    return ends;
}
#endif

/* Is a module on? */
static inline bool amp_priv_hook_is_on(int number)
{
    return (atomic_load_explicit(&amp_priv_hooks.launches, memory_order_relaxed) & amp_priv_hook_bit(number)) != 0;
}

/* Do kernels compute as the CPU does, where they can? */
static inline bool amp_priv_kernels_are_exact(void)
{
    return atomic_load_explicit(&amp_priv_hooks.exact, memory_order_relaxed);
}

/* Does a module look on? Then commands have events of their own, and queues opened now keep times. */
static inline bool amp_priv_is_watched(void)
{
    return __builtin_expect(atomic_load_explicit(&amp_priv_hooks.watchers, memory_order_relaxed) != 0, 0);
}

/* The time while one does, else 0: a happening's `began`. */
static inline uint64_t amp_priv_watch_begin(void) { return amp_priv_is_watched() ? amp_priv_now() : 0; }

AMP_PRIV_COLD void amp_priv_happened(const amp_priv_happening *what)
{
    AMP_PRIV_FOR_HOOKS(number, atomic_load(&amp_priv_hooks.watchers))
    amp_priv_hook_of(number)->happened(what);
}

AMP_PRIV_COLD void amp_priv_hooks_fork(int step)
{
    AMP_PRIV_FOR_HOOKS(number, ~0u)
    if (amp_priv_hook_of(number) && amp_priv_hook_of(number)->fork)
        amp_priv_hook_of(number)->fork(step);
}

#endif /* AMP_DEVICE_HOOKS_H */
