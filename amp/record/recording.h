/* SPDX-License-Identifier: MIT */
/*  amp/record/recording.h - recordings: notes the commands that a thread submits, and replays them

    Contents (search for the tag):
        >>kernels  >>uses  >>notes  >>replay  >>order */
#ifndef AMP_RECORD_RECORDING_H
#define AMP_RECORD_RECORDING_H

#include "../api/recording.h"
#include "../device/extensions.h"
#include "../memory/acquire.h"
#include "../memory/launch_bytes.h"
#include "../memory/launch_memory.h"

/* A kernel of the recording's own, whose arguments stay: the site's has those of its last launch. */
typedef struct amp_priv_recorded_kernel {
    struct amp_priv_recorded_kernel *next;
    const void *like; /* the site's */
    void *native;
    amp_priv_kernel_arguments arguments; /* changed: all */
    bool set;                            /* it has them */
    bool changed;                        /* one of them, and recording->native has the earlier value */
} amp_priv_recorded_kernel;

/* What a command's launch is to people: in traces, and where it fails. A copy has no kernel. */
typedef struct amp_priv_recorded_launch {
    amp_priv_recorded_kernel *kernel;
    const amp_priv_launch_site *site;
    uint64_t bytes;
    int extent[AMP_MAX_RANK];
    int touch, touch_count; /* in the recording's list: what it uses */
} amp_priv_recorded_launch;

/* A part of a source that some of the commands use. */
typedef struct amp_priv_recorded_use {
    amp_priv_head head; /* of the first view that did */
    amp_priv_shape shape;
    bool writes;
    const amp_priv_launch_site *site; /* NULL: a copy */
    const char *name;
} amp_priv_recorded_use;

typedef struct amp_priv_recorded_touch {
    int use;
    bool writes;
} amp_priv_recorded_touch;

/* A launch on a group, to be started again. The values of its captures are behind it. */
typedef struct amp_priv_repeat {
    struct amp_priv_repeat *next;
    amp_priv_launch_site *site;
    int extent[AMP_MAX_RANK];
    void *captured[AMP_PRIV_MAX_CAPTURES];
} amp_priv_repeat;

struct amp_priv_recording {
    amp_priv_slot slot;
    amp_priv_recorder recorder;
    amp_priv_mutex lock;    /* replays */
    amp_priv_queue *queue;  /* holds a reference */
    bool open;              /* a launch began, and did not end well; recorder.failed: one before did not, or could not
                               be noted: */
    amp_priv_result missed; /* for that reason, which amp_recording_end reports; AMP_OK: it was reported */
    uint64_t last;          /* the number of the last replay */
    void *native;           /* the backend's: all commands as one; NULL: they go one by one, */
    bool singly, changed;   /* as they do when it could not be changed; an argument of some kernel was */
    const amp_priv_recorded_functions *as_one; /* what native goes to; NULL: the backend has no such commands */
    int count, use_count, source_count, touch_count, after_count;
    int command_capacity, launch_capacity, use_capacity, touch_capacity, after_capacity;
    int first; /* of the commands whose uses are being noted */
    amp_priv_command *commands;
    amp_priv_recorded_launch *launches; /* of each command */
    amp_priv_recorded_kernel *kernels;
    amp_priv_recorded_use *uses;
    amp_priv_used_source *sources; /* each once, in the order of their addresses */
    amp_priv_recorded_touch *touches;
    int *after; /* what commands come after */
    /* On a group, and on a streamed view: its launches, which a replay starts again (amp/group/group.h). */
    amp_priv_repeat *repeats;
    void (*repeat)(amp_priv_recording *recording);
};

/* What this thread records, which it does. */
static inline amp_priv_recording *amp_priv_recording_now(void)
{
    return (amp_priv_recording *)(void *)((char *)amp_priv_recording_here - offsetof(amp_priv_recording, recorder));
}

AMP_PRIV_COLD void amp_priv_repeats_end(amp_priv_repeat **first)
{
    while (*first) {
        amp_priv_repeat *const repeat = *first;
        *first = repeat->next;
        free(repeat);
    }
}

/* Is anything noted? On the CPU backend a replay repeats the launches, as in checked builds and with AMP_COMPARE, where
   each is checked. */
static inline bool amp_priv_is_noting(const amp_priv_recording *recording)
{
    return !AMP_PRIV_HOST_CHECKED && !amp_priv_hook_is_on(AMP_PRIV_HOOK_COMPARE) &&
           !amp_priv_is_host(recording->queue->device->number);
}

/* Are commands? On a group launches are, not their commands. */
static inline bool amp_priv_is_capturing(const amp_priv_recording *recording)
{
    return amp_priv_is_noting(recording) && !recording->queue->division;
}

/* What has run cannot be noted: there is no recording. */
AMP_PRIV_COLD void amp_priv_recording_miss(amp_priv_recording *recording, amp_priv_result result)
{
    if (!recording->recorder.failed)
        recording->missed = result;
    recording->recorder.failed = true;
}

/* The same for want of memory. */
AMP_PRIV_COLD void amp_priv_recording_miss_memory(amp_priv_recording *recording)
{
    amp_priv_recording_miss(recording, (amp_priv_result){ .status = AMP_OUT_OF_MEMORY });
}

/* // >>kernels */

AMP_PRIV_COLD bool amp_priv_recorded_is(const amp_priv_recorded_kernel *kernel, const void *like,
                                        const amp_priv_kernel_arguments *arguments)
{
    bool same = kernel->like == like && kernel->arguments.count == arguments->count;
    for (int i = 0; same && i < arguments->count; i++) {
        const amp_priv_kernel_argument *const a = &kernel->arguments.argument[i], *const b = &arguments->argument[i];
        same = a->size == b->size && !memcmp(a->value, b->value, a->size);
    }
    return same;
}

/* The record of a kernel with a copy of these arguments; NULL when there is no memory for it. */
AMP_PRIV_COLD amp_priv_recorded_kernel *amp_priv_recorded_new(const void *like,
                                                              const amp_priv_kernel_arguments *arguments)
{
    const size_t count = (size_t)arguments->count;
    size_t bytes = sizeof(amp_priv_recorded_kernel) + count * sizeof(amp_priv_kernel_argument);
    for (size_t i = 0; i < count; i++)
        bytes += amp_priv_argument_bytes(arguments->argument[i].size);
    amp_priv_recorded_kernel *const kernel = calloc(1, bytes + count * sizeof(unsigned short));
    if (!kernel)
        return NULL;
    amp_priv_kernel_argument *const argument = (amp_priv_kernel_argument *)(kernel + 1);
    unsigned char *value = (unsigned char *)(argument + count);
    unsigned short *const changed = (unsigned short *)(void *)((unsigned char *)kernel + bytes);
    for (size_t i = 0; i < count; i++) {
        argument[i] = arguments->argument[i];
        argument[i].value = memcpy(value, arguments->argument[i].value, argument[i].size);
        value += amp_priv_argument_bytes(argument[i].size);
        changed[i] = (unsigned short)i;
    }
    kernel->like = like;
    kernel->arguments = (amp_priv_kernel_arguments){ argument, changed, arguments->count, arguments->count };
    return kernel;
}

/* The recording's kernel like a site's, with these arguments: one that it has, or a new one. NULL: there is none. */
AMP_PRIV_COLD amp_priv_recorded_kernel *amp_priv_recorded_of(amp_priv_recording *recording,
                                                             const amp_priv_launched_kernel *launched)
{
    amp_priv_device *const device = recording->queue->device;
    amp_priv_recorded_kernel *kernel = recording->kernels;
    while (kernel && !amp_priv_recorded_is(kernel, launched->like, launched->arguments))
        kernel = kernel->next;
    if (kernel)
        return kernel;
    kernel = amp_priv_recorded_new(launched->like, launched->arguments);
    if (!kernel) {
        amp_priv_recording_miss_memory(recording);
        return NULL;
    }
    amp_priv_kernel_limits limits;
    const amp_priv_result result =
        device->backend->kernel.create(device, launched->program, launched->name, &kernel->native, &limits);
    if (result.status != AMP_OK) {
        free(kernel);
        amp_priv_recording_miss(recording, result);
        return NULL;
    }
    kernel->next = recording->kernels;
    recording->kernels = kernel;
    return kernel;
}

/* // >>uses */

AMP_PRIV_COLD bool amp_priv_shape_same(const amp_priv_shape *a, const amp_priv_shape *b)
{
    bool same = a->data == b->data && a->rank == b->rank && a->element_size == b->element_size;
    for (int d = 0; same && d < a->rank; d++)
        same = a->extent[d] == b->extent[d] && a->stride[d] == b->stride[d];
    return same;
}

/* Notes that the commands since recording->first use a part of the list. */
AMP_PRIV_COLD void amp_priv_record_touch(amp_priv_recording *recording, int use, bool writes)
{
    if (!amp_priv_list_reserve(&recording->touches, &recording->touch_capacity, recording->touch_count + 1,
                               sizeof *recording->touches, NULL)) {
        amp_priv_recording_miss_memory(recording);
        return;
    }
    recording->touches[recording->touch_count++] = (amp_priv_recorded_touch){ use, writes };
    for (int i = recording->first; i < recording->count; i++)
        recording->launches[i].touch_count = recording->touch_count - recording->launches[i].touch;
}

/* Notes that a command uses a part of a source, which is locked; also in checked builds and on the CPU backend, so
   that an access of the host is detected. name: the view's; site: NULL for a copy. */
AMP_PRIV_COLD void amp_priv_record_use(amp_priv_recording *recording, const amp_priv_head *head,
                                       const amp_priv_shape *shape, bool writes, const amp_priv_launch_site *site,
                                       const char *name)
{
    const bool on_host = amp_priv_is_host(recording->queue->device->number);
    amp_priv_source *const source = head->source;
    amp_priv_recorded_use *uses = recording->uses;
    int i = 0;
    while (i < recording->use_count && (uses[i].head.source != source || uses[i].head.stamp != head->stamp ||
                                        !amp_priv_shape_same(&uses[i].shape, shape)))
        i++;
    if (i == recording->use_count) {
        if (!amp_priv_list_reserve(&recording->uses, &recording->use_capacity, i + 1, sizeof *uses, NULL)) {
            amp_priv_recording_miss_memory(recording);
            return;
        }
        uses = recording->uses;
        uses[recording->use_count++] = (amp_priv_recorded_use){ *head, *shape, writes, site, name };
    }
    uses[i].writes = uses[i].writes || writes;
    source->recorder = recording; /* until amp_recording_end, which finds it among the uses */
    source->host_limit = !on_host                                               ? 0
                         : writes || source->host_limit == AMP_PRIV_HOST_DENIED ? AMP_PRIV_HOST_DENIED
                                                                                : AMP_PRIV_HOST_READ_ONLY;
    amp_priv_record_touch(recording, i, writes);
}

/* // >>notes: what is submitted while this thread records. */

/* A new command at the end of the list; NULL when there is no memory for it. */
AMP_PRIV_COLD amp_priv_command *amp_priv_record_room(amp_priv_recording *recording)
{
    const int count = recording->count;
    if (!amp_priv_list_reserve(&recording->commands, &recording->command_capacity, count + 1,
                               sizeof *recording->commands, NULL) ||
        !amp_priv_list_reserve(&recording->launches, &recording->launch_capacity, count + 1,
                               sizeof *recording->launches, NULL)) {
        amp_priv_recording_miss_memory(recording);
        return NULL;
    }
    if (count == 0 || recording->launches[count - 1].touch < recording->touch_count)
        recording->first = count;
    return &recording->commands[count];
}

/* A copy was enqueued. */
AMP_PRIV_COLD void amp_priv_record_copy(void *from, const amp_priv_rect *from_rect, void *to,
                                        const amp_priv_rect *to_rect)
{
    amp_priv_recording *const recording = amp_priv_recording_now();
    if (!amp_priv_is_capturing(recording) || recording->recorder.failed)
        return;
    amp_priv_command *const command = amp_priv_record_room(recording);
    if (!command)
        return;
    *command = (amp_priv_command){ .from = from, .from_rect = *from_rect, .to = to, .to_rect = *to_rect };
    recording->launches[recording->count++] =
        (amp_priv_recorded_launch){ .bytes = amp_priv_rect_bytes(from_rect), .touch = recording->touch_count };
}

/* What a copy uses. */
AMP_PRIV_COLD void amp_priv_record_copied(amp_priv_source *source, const amp_priv_shape *shape, bool writes,
                                          amp_status status)
{
    const amp_priv_head head = { .source = source, .stamp = amp_priv_generation_of(&source->life) };
    amp_priv_recording_here->failed = amp_priv_recording_here->failed || status != AMP_OK;
    amp_priv_record_use(amp_priv_recording_now(), &head, shape, writes, NULL, NULL);
}

/* Reports what is no part of a recording; then there is none. */
AMP_PRIV_COLD void amp_priv_record_refuse(const char *what)
{
    amp_priv_recording_here->failed = true;
    amp_priv_report(AMP_RUNTIME_ERROR,
                    "%s is not allowed while this thread is recording on %s: a replay would omit it; do it before "
                    "amp_recording_begin, or after amp_recording_end",
                    what, amp_priv_recording_now()->queue->device->path);
}

/* Is it no part of a recording? On a group no copies are; on the CPU backend, which copies as a device does, the host
   may. */
AMP_PRIV_COLD bool amp_priv_record_refuses(amp_priv_copy_refusal what)
{
    const amp_priv_queue *const queue = amp_priv_recording_now()->queue;
    const bool on_host = amp_priv_is_host(queue->device->number);
    if (what == AMP_PRIV_COPY_ANY ? !queue->division : what == AMP_PRIV_COPY_BETWEEN && on_host)
        return false;
    amp_priv_record_refuse(what == AMP_PRIV_COPY_ANY ? "a copy" : "a transfer from or to the host");
    return true;
}

/* Does a recorded launch of this thread use what the host asks for? */
AMP_PRIV_COLD bool amp_priv_record_refuses_access(const amp_priv_source *source)
{
    if (source->recorder != amp_priv_recording_now())
        return false;
    amp_priv_record_refuse("the host's access to data of a recorded launch");
    return true;
}

/* The queue for a copy on a device: the recorded one. NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_record_copy_queue(const amp_priv_device *device)
{
    amp_priv_queue *const queue = amp_priv_recording_now()->queue;
    if (queue->device == device)
        return queue;
    amp_priv_record_refuse("a copy on another accelerator");
    return NULL;
}

static const amp_priv_copy_hook amp_priv_record_copies = { .refuses = amp_priv_record_refuses,
                                                           .refuses_access = amp_priv_record_refuses_access,
                                                           .queue = amp_priv_record_copy_queue,
                                                           .enqueued = amp_priv_record_copy,
                                                           .uses = amp_priv_record_copied };

/* // >>replay */

/* Reports a view that has ended since it was recorded. */
AMP_PRIV_COLD amp_status amp_priv_recorded_stale(const amp_priv_recorded_use *use, const char *call)
{
    char where[512], what[768];
    if (use->site)
        snprintf(what, sizeof what, "%s: %s of the recorded %s", call, use->name,
                 amp_priv_site_text(use->site, where, sizeof where));
    else
        snprintf(what, sizeof what, "%s: what a recorded copy uses", call);
    return amp_priv_stale_report(&use->head.source->life, &use->head, what);
}

/* Do all recorded views live? Reports one that does not. */
AMP_PRIV_COLD amp_status amp_priv_recorded_live(const amp_priv_recording *recording, const char *call)
{
    for (int i = 0; i < recording->use_count; i++)
        if (amp_priv_is_stale(&recording->uses[i].head.source->life, &recording->uses[i].head))
            return amp_priv_recorded_stale(&recording->uses[i], call);
    return AMP_OK;
}

/* Submits a command by itself. */
AMP_PRIV_COLD amp_priv_result amp_priv_replay_one(const amp_priv_recording *recording, int i)
{
    amp_priv_queue *const queue = recording->queue;
    amp_priv_command *const command = &recording->commands[i];
    const amp_priv_recorded_launch *const launch = &recording->launches[i];
    const amp_priv_backend *const backend = queue->device->backend;
    const uint64_t began = amp_priv_watch_begin();
    void *event = NULL, **const out = began ? &event : NULL;
    amp_priv_result result;
    if (launch->kernel) {
        command->arguments.changed_count = launch->kernel->set ? 0 : command->arguments.count;
        result = backend->kernel.enqueue(queue, command->kernel, &command->arguments, &command->geometry, out);
        launch->kernel->set = result.status == AMP_OK;
    } else {
        result = backend->buffer.copy(queue, command->from, &command->from_rect, command->to, &command->to_rect, out);
    }
    if (began && result.status == AMP_OK && (event || launch->kernel))
        amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_ENQUEUED,
                                                 .began = began,
                                                 .queue = queue,
                                                 .site = launch->site,
                                                 .extent = launch->extent,
                                                 .name = launch->kernel ? NULL : "copy",
                                                 .bytes = launch->bytes,
                                                 .native = event });
    return result;
}

/* Brings changed arguments to recording->native. */
AMP_PRIV_COLD void amp_priv_replay_change(amp_priv_recording *recording)
{
    const amp_priv_device *const device = recording->queue->device;
    amp_priv_result result = amp_priv_done();
    for (int i = 0; i < recording->count && recording->native && result.status == AMP_OK; i++)
        if (recording->launches[i].kernel && recording->launches[i].kernel->changed)
            result = recording->as_one->change(recording->queue, recording->native, recording->commands, i);
    for (amp_priv_recorded_kernel *kernel = recording->kernels; kernel; kernel = kernel->next)
        kernel->changed = false;
    recording->changed = false;
    if (result.status == AMP_OK)
        return;
    recording->singly = true;
    amp_priv_log(AMP_PRIV_LOG_INFO, "%d recorded commands go to %s one by one: %s failed with %s (%d)",
                 recording->count, device->path, result.call, amp_priv_code_name(device, result.code), result.code);
}

/* Submits everything: as one, but where somebody wants to see each. *begun: some of it was, though it failed. */
AMP_PRIV_COLD amp_status amp_priv_replay_submit(amp_priv_recording *recording, bool *begun)
{
    amp_priv_queue *const queue = recording->queue;
    amp_priv_result result = amp_priv_done();
    int i = 0;
    if (recording->changed)
        amp_priv_replay_change(recording);
    if (recording->native && !recording->singly && !amp_priv_is_watched()) {
        result = recording->as_one->replay(queue, recording->native);
    } else {
        while (i < recording->count && (result = amp_priv_replay_one(recording, i)).status == AMP_OK)
            i++;
    }
    *begun = i > 0;
    if (result.status == AMP_OK && queue->mode == AMP_QUEUING_IMMEDIATE)
        amp_priv_queue_submit(queue); /* it is submitted: a wait for it flushes again */
    return result.status == AMP_OK
               ? AMP_OK
               : amp_priv_backend_report(queue->device, recording->native ? NULL : recording->launches[i].site, result);
}

#if AMP_PRIV_HAS_OTHERS
/* What the commands use. */
AMP_PRIV_COLD bool amp_priv_replay_part(const void *of, int number, amp_priv_use *use)
{
    const amp_priv_recorded_use *const recorded = &((const amp_priv_recording *)of)->uses[number];
    use->head = &recorded->head;
    use->shape = &recorded->shape;
    use->reads = true;
    use->writes = recorded->writes;
    return true;
}

/* Waits for asynchronous work on the sources and locks them; then a replay has the recording. */
AMP_PRIV_COLD amp_status amp_priv_replay_begin(amp_priv_recording *recording, amp_priv_use_list *list)
{
    amp_priv_uses_begin(list);
    list->source = recording->sources;
    list->count = recording->source_count;
    list->parts = recording->use_count;
    list->part = amp_priv_replay_part;
    list->of = recording;
    list->queue = &recording->queue;
    list->queues = 1;
    for (int n = 0; n < list->count; n++)
        amp_priv_source_settle(list->source[n].source);
    amp_priv_uses_lock(list);
    amp_priv_uses_trim(list);
    const amp_status status = amp_priv_uses_acquire(list);
    if (status != AMP_OK)
        amp_priv_uses_abort(list);
    return status;
}

/* Submits the commands of a recording. */
AMP_PRIV_COLD void amp_priv_replay_commands(amp_priv_recording *recording)
{
    amp_priv_use_list uses;
    bool begun = false;
    if (amp_priv_replay_begin(recording, &uses) != AMP_OK)
        return;
    amp_priv_lock(&recording->lock);
    const amp_status status = amp_priv_replay_submit(recording, &begun);
    amp_priv_uses_commit(&uses, status == AMP_OK || begun, status == AMP_OK);
    recording->last = atomic_load_explicit(&recording->queue->submitted, memory_order_relaxed);
    amp_priv_unlock(&recording->lock);
}

#else /* the CPU backend has no commands */
#define amp_priv_replay_commands(recording) (void)(recording)
#endif

AMP_PRIV_COLD void amp_priv_replay(amp_priv_recording *recording)
{
    if (amp_priv_recording_here) {
        amp_priv_recording_here->failed = true;
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "amp_recording_replay: this thread is recording, and a recording cannot contain a replay; call "
                        "amp_recording_end first");
        return;
    }
    if (amp_priv_queue_usable(recording->queue, "amp_recording_replay") != AMP_OK ||
        amp_priv_recorded_live(recording, "amp_recording_replay") != AMP_OK)
        return;
    if (recording->repeat)
        recording->repeat(recording);
    else
        amp_priv_replay_commands(recording);
}

/* // >>order: which commands come after which. Two that touch the same part of a source, where one writes, stay in the
   order in which they were recorded; all others may run at the same time. */

/* Do two parts have something in common? Memory of the user's may stand behind several sources. */
AMP_PRIV_COLD bool amp_priv_accesses_conflict(const amp_priv_recording *recording, int i, int j)
{
    const amp_priv_recorded_use *const a = &recording->uses[i], *const b = &recording->uses[j];
    const int number = recording->queue->device->number;
    const amp_priv_source *const source = a->head.source, *const other = b->head.source;
    if (i == j || source != other)
        return i == j || (amp_priv_is_borrowed(source, number) && amp_priv_is_borrowed(other, number));
    amp_priv_region x, y;
    amp_priv_box common;
    amp_priv_region_of(&source->base, &a->shape, &x);
    amp_priv_region_of(&source->base, &b->shape, &y);
    for (int n = 0; n < x.count * y.count; n++)
        if (amp_priv_box_meet(&x.boxes[n / y.count], &y.boxes[n % y.count], source->base.rank, &common))
            return true;
    return false;
}

/* What is known while the order is found: which parts meet, and, for each command, all that come before it. */
typedef struct amp_priv_order {
    const amp_priv_recording *recording;
    unsigned char *meets;
    uint64_t *before;
    size_t words; /* of 64 commands */
} amp_priv_order;

AMP_PRIV_COLD bool amp_priv_commands_conflict(const amp_priv_order *order, int i, int j)
{
    const amp_priv_recording *const r = order->recording;
    const amp_priv_recorded_launch *const a = &r->launches[i], *const b = &r->launches[j];
    for (int n = 0; n < a->touch_count; n++)
        for (int m = 0; m < b->touch_count; m++) {
            const amp_priv_recorded_touch x = r->touches[a->touch + n], y = r->touches[b->touch + m];
            if ((x.writes || y.writes) && order->meets[x.use * r->use_count + y.use])
                return true;
        }
    return false;
}

/* Adds the dependencies of command i to recording->after, transitively reduced. False: out of memory. */
AMP_PRIV_COLD bool amp_priv_add_dependencies(amp_priv_order *order, amp_priv_recording *recording, int i)
{
    uint64_t *const before = order->before + (size_t)i * order->words;
    int known = 0;
    for (int j = i - 1; j >= 0 && known < i; j--) {
        if ((before[j / 64] >> j % 64 & 1u) || !amp_priv_commands_conflict(order, i, j))
            continue;
        if (!amp_priv_list_reserve(&recording->after, &recording->after_capacity, recording->after_count + 1,
                                   sizeof *recording->after, NULL))
            return false;
        recording->after[recording->after_count++] = j;
        recording->commands[i].after_count++;
        known = 0;
        before[j / 64] |= UINT64_C(1) << j % 64;
        for (size_t w = 0; w < order->words; w++) {
            before[w] |= order->before[(size_t)j * order->words + w];
            known += __builtin_popcountll(before[w]);
        }
    }
    return true;
}

/* Finds out what each command comes after: the one before it where that would take long, or there is no memory. */
AMP_PRIV_COLD bool amp_priv_recording_order(amp_priv_recording *recording)
{
    enum { AMP_PRIV_ORDERED = 4096, AMP_PRIV_ORDERED_USES = 512 };
    const size_t count = (size_t)recording->count, uses = (size_t)recording->use_count;
    amp_priv_order order = { recording, NULL, NULL, (count + 63) / 64 };
    bool known = count <= AMP_PRIV_ORDERED && uses <= AMP_PRIV_ORDERED_USES;
    order.meets = known ? malloc(uses * uses + 1) : NULL;
    order.before = known ? calloc(count * order.words, sizeof *order.before) : NULL;
    known = order.meets && order.before;
    for (size_t i = 0; known && i < uses; i++)
        for (size_t j = 0; j <= i; j++)
            order.meets[i * uses + j] = order.meets[j * uses + i] =
                amp_priv_accesses_conflict(recording, (int)i, (int)j);
    for (int i = 0; known && i < recording->count; i++)
        known = amp_priv_add_dependencies(&order, recording, i);
    free(order.meets);
    free(order.before);
    const bool in_row = !known && amp_priv_list_reserve(&recording->after, &recording->after_capacity, recording->count,
                                                        sizeof *recording->after, NULL);
    for (int i = 0; in_row && i < recording->count; i++) {
        recording->after[i] = i - 1;
        recording->commands[i].after_count = i > 0;
    }
    for (int i = 0, next = known ? 0 : 1; recording->after && i < recording->count; i++) {
        recording->commands[i].after = &recording->after[next];
        next += recording->commands[i].after_count;
    }
    return known || in_row;
}

#endif /* AMP_RECORD_RECORDING_H */
