/* SPDX-License-Identifier: MIT */
/*  amp/memory/launch_memory.h - the views of a launch: chooses the queue, and makes them current there */
#ifndef AMP_MEMORY_LAUNCH_MEMORY_H
#define AMP_MEMORY_LAUNCH_MEMORY_H

#include "use_list.h"

/* // >>launch */

/* The head of capture i, NULL when it is no view or array. */
static inline const amp_priv_head *amp_priv_captured_head(void *const *captured, const amp_priv_capture *captures,
                                                          int i)
{
    return captures[i].kind == AMP_PRIV_CAPTURE_VIEW ? (const amp_priv_head *)captured[i] : NULL;
}

static inline const amp_priv_head *amp_priv_launch_head(const amp_priv_launch *launch, int i)
{
    return amp_priv_captured_head(launch->captured, launch->site->captures, i);
}

/* The bytes that a launch moves at least: those of captured views, once if the body reads or writes them, twice if it
   does both. Where the body is not known, a view that is not const counts twice. */
AMP_PRIV_COLD uint64_t amp_priv_launch_bytes(const amp_priv_launch *launch)
{
    uint64_t bytes = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        const amp_priv_head *const head = launch->captured[i];
        const amp_priv_shape shape = amp_priv_shape_of(head);
        uint64_t size = shape.element_size;
        for (int d = 0; d < shape.rank; d++)
            size *= (uint64_t)shape.extent[d];
        const bool may_write = head->kind != AMP_PRIV_CONST_VIEW, known = launch->site->uses_known;
        bytes += !known || launch->site->reads >> i & 1u ? size : 0;
        bytes += may_write && (!known || launch->site->writes >> i & 1u) ? size : 0;
    }
    return bytes;
}

/* Reports a captured view or array of another library's runtime. */
AMP_PRIV_COLD amp_status amp_priv_capture_foreign(const amp_priv_launch_site *site, const amp_priv_source *source,
                                                  int i)
{
    char call[512];
    return amp_priv_report_foreign(source, amp_priv_site_text(site, call, sizeof call), site->captures[i].name);
}

/* Is there one? Then reports it. */
AMP_PRIV_COLD bool amp_priv_captures_foreign(const amp_priv_launch_site *site, void *const *captured)
{
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_captured_head(captured, site->captures, i);
        if (head && head->source && head->source != AMP_PRIV_IN_KERNEL && !amp_priv_is_ours(head->source)) {
            amp_priv_capture_foreign(site, head->source, i);
            return true;
        }
    }
    return false;
}

/* Reports a captured view or array that does not live. */
AMP_PRIV_COLD amp_status amp_priv_capture_refuse(const amp_priv_launch_site *site, const amp_priv_head *head, int i)
{
    const char *const name = site->captures[i].name;
    amp_priv_source *const source = head->source;
    if (!head->kind || !source)
        return amp_priv_site_report(site, AMP_UNINITIALIZED_OBJECT,
                                    "%s was never created (its creation failed?), or was already released", name);
    if (source == AMP_PRIV_IN_KERNEL)
        return amp_priv_site_report(
            site, AMP_RUNTIME_ERROR,
            "%s belongs to a running kernel, and kernels cannot launch kernels: call %s outside of kernels; or "
            "AMP_HOST_VIEW declared it: capture the view that it was made from",
            name, site->function);
    if (!amp_priv_is_ours(source))
        return amp_priv_capture_foreign(site, source, i);
    char where[512], what[640];
    snprintf(what, sizeof what, "%s: %s", amp_priv_site_text(site, where, sizeof where), name);
    return amp_priv_stale_report(&source->life, head, what);
}

/* Where the captures of a launch are, from one look at them. */
typedef struct amp_priv_data_location {
    const amp_priv_source *array; /* the first array, a staging array only where there is no other; NULL: none */
    uint32_t cached;              /* the devices that hold some of a view */
} amp_priv_data_location;

/* Looks at each capture: all must live. False after reporting. */
static inline bool amp_priv_captures_look(const amp_priv_launch *launch, amp_priv_data_location *places)
{
    const amp_priv_source *array = NULL;
    uint32_t cached = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        if (__builtin_expect(!amp_priv_head_is_live(head), 0)) {
            amp_priv_capture_refuse(launch->site, head, i);
            return false;
        }
        if (head->kind == AMP_PRIV_ARRAY && (!array || array->is_staging))
            array = head->source;
        cached |= atomic_load_explicit(&head->source->cached, memory_order_relaxed);
    }
    *places = (amp_priv_data_location){ array, cached & ~1u };
    return true;
}

/* The queue for views that other devices hold, too: of a device that holds some of each, else of any. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_cached_target(const amp_priv_launch *launch, amp_priv_queue *standard,
                                                     uint32_t cached)
{
    uint32_t all = cached;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        const uint32_t holders =
            head ? atomic_load_explicit(&head->source->cached, memory_order_relaxed) & ~UINT32_C(1) : 0;
        if (holders)
            all &= holders;
    }
    const uint32_t best = all ? all : cached;
    if (best & amp_priv_bit(standard->device->number))
        return standard;
    for (int number = 1; number < AMP_PRIV_MAX_DEVICES; number++)
        if (best >> number & 1u)
            return amp_priv_device_queue(amp_priv_device_number(number));
    return standard;
}

/* The queue for a launch that names none: that of captured arrays, else where captured views are, else the default.
   NULL after reporting. */
static inline amp_priv_queue *amp_priv_memory_target(const amp_priv_launch *launch,
                                                     const amp_priv_data_location *places)
{
    if (places->array && !places->array->is_staging)
        return places->array->queue;
    amp_priv_queue *const standard = amp_priv_default_queue();
    if (__builtin_expect(!standard || (places->cached & ~amp_priv_bit(standard->device->number)) == 0, 1))
        return standard;
    return amp_priv_cached_target(launch, standard, places->cached);
}

/* Reports captured array i, which does not live where the launch runs; `there` is one that does, or -1. */
AMP_PRIV_COLD amp_status amp_priv_array_refuse(const amp_priv_launch *launch, int i, int there)
{
    const amp_priv_capture *const captures = launch->site->captures;
    const amp_priv_device *const device = amp_priv_launch_head(launch, i)->source->queue->device;
    const amp_priv_device *const target = launch->queue->device;
    if (there >= 0)
        return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                    "the array %s lives on %s (%s), but the array %s on %s (%s); copy "
                                    "one to where the other is, or capture a view on it (amp_view_of)",
                                    captures[there].name, target->path, target->description, captures[i].name,
                                    device->path, device->description);
    return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                "the array %s lives on %s (%s), but the launch is on %s (%s); launch it "
                                "there, copy the array, or capture a view on it (amp_view_of)",
                                captures[i].name, device->path, device->description, target->path, target->description);
}

/* Captured arrays must live on the launch's device, and not be staging arrays. */
AMP_PRIV_NOINLINE amp_status amp_priv_launch_arrays(const amp_priv_launch *launch)
{
    int there = -1;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || head->kind != AMP_PRIV_ARRAY)
            continue;
        if (head->source->is_staging)
            return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                        "%s is a staging array, which is for copies only; copy it to an array "
                                        "on %s and capture that",
                                        launch->site->captures[i].name, launch->queue->device->path);
        if (head->source->owner != launch->queue->device->number)
            return amp_priv_array_refuse(launch, i, there);
        there = i;
    }
    return AMP_OK;
}

/* Chooses launch->queue: `queue`, unless it is NULL. All captures live then, and arrays where the launch runs. False
   after reporting. */
static inline bool amp_priv_launch_place(amp_priv_launch *launch, amp_priv_queue *queue)
{
    amp_priv_data_location places;
    if (!amp_priv_captures_look(launch, &places))
        return false;
    launch->queue = queue ? queue : amp_priv_memory_target(launch, &places);
    return amp_priv_queue_usable(launch->queue, launch->site->function) == AMP_OK &&
           (!places.array || amp_priv_launch_arrays(launch) == AMP_OK);
}

/* Adds the sources of a launch, and waits for asynchronous operations on them. */
static inline void amp_priv_launch_uses(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_uses_begin(list);
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (head)
            amp_priv_uses_add(list, head->source, head->kind != AMP_PRIV_CONST_VIEW);
    }
    launch->shared_sources = list->shared;
}

/* Acquires each captured view for the host, where the CPU backend works. The loops read the copies of the captures;
   from here on these copies count as inside a kernel (no host checks). A band has its rows already. On failure:
   reported. */
static inline bool amp_priv_memory_begin_host(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW)
            continue;
        amp_priv_head *const head = launch->captured[i];
        if (__builtin_expect(!amp_priv_host_has(head), 0) && !launch->band && !amp_priv_host_acquire(head))
            return false;
        head->source = AMP_PRIV_IN_KERNEL;
        /* The compiler knows nothing more of what a view points to: amp/api/atomics.h relies on it. */
        __asm__ volatile("" : : "r"(head) : "memory");
#if defined(AMP_CHECKED)
        head->fault = launch->fault;
        head->capture = launch->band ? ~i : i; /* below 0: each access is looked at */
#endif
    }
    return true;
}

/* Has the device all of each captured view, with the sources locked, for what the kernel does with it? Fills
   launch->buffer and ->host. */
static inline bool amp_priv_launch_has_all(amp_priv_launch *launch)
{
    const int number = launch->queue->device->number;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const amp_priv_source *const source = head->source;
        if (!amp_priv_use_is_ready(source, number, head->kind != AMP_PRIV_CONST_VIEW))
            return false;
        launch->buffer[i] = source->replica[number]->buffer;
        launch->host[i] = source->base.data;
    }
    return true;
}

/* Each captured view, and what the kernel does with it. */
AMP_PRIV_WARM bool amp_priv_launch_part(const void *of, int number, amp_priv_use *use)
{
    const amp_priv_launch *const launch = of;
    use->head = amp_priv_launch_head(launch, number);
    use->reads = true;
    use->writes = use->head && use->head->kind != AMP_PRIV_CONST_VIEW;
    return use->head;
}

/* The replicas of the captured views, with the sources locked. Fills launch->buffer and ->host. */
AMP_PRIV_WARM_PART amp_status amp_priv_launch_replicas(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        amp_priv_replica *const replica = amp_priv_replica_of(head->source, launch->queue->device->number);
        if (!replica)
            return amp_priv_failed();
        launch->buffer[i] = replica->buffer;
        launch->host[i] = head->source->base.data;
    }
    return AMP_OK;
}

/* Notes the kernel, and unlocks, where the sources are steady: what the host may do with them is what it was. */
static inline void amp_priv_memory_end_steady(amp_priv_queue *queue, amp_priv_use_list *list)
{
    const int device = queue->device->number;
    const uint64_t number = amp_priv_queue_next_sequence(queue);
    for (int n = 0; n < list->count; n++) {
        amp_priv_source *const source = list->source[n].source;
        amp_priv_access_note(source->replica[device], source->replica[device]->accesses, number,
                             list->source[n].written);
        amp_priv_unlock(&source->lock);
    }
}

/* After a launch on a device: notes the kernel and what it writes, and unlocks. */
static inline void amp_priv_memory_end(amp_priv_launch *launch, amp_priv_use_list *list, amp_status status)
{
    if (__builtin_expect(list->steady && status == AMP_OK, 1))
        amp_priv_memory_end_steady(launch->queue, list);
    else
        amp_priv_uses_commit(list, status == AMP_OK || launch->partly_submitted, status == AMP_OK);
}

/* Locks them. Are all replicas and all commands in flight the launch's own queue's? */
static inline bool amp_priv_launch_lock(const amp_priv_queue *queue, amp_priv_use_list *list)
{
    const int number = queue->device->number;
    bool own = true;
    for (int n = 0; n < list->count; n++) {
        amp_priv_lock(&list->source[n].source->lock);
        own = own && amp_priv_access_is_own(list->source[n].source, queue, number);
    }
    return own;
}

/* Gives the device what it has not, where the sources are not steady. */
AMP_PRIV_WARM amp_status amp_priv_memory_bring(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_uses_trim(list);
    amp_status status = amp_priv_launch_replicas(launch);
    if (status == AMP_OK)
        status = amp_priv_uses_acquire(list);
    if (status != AMP_OK)
        amp_priv_uses_abort(list);
    return status;
}

/* Before a launch on a device: every captured view's newest contents are there, and launch->buffer and ->host filled.
   The sources stay locked until amp_priv_memory_end. On failure: reported, unlocked, contents as before. */
static inline amp_status amp_priv_memory_begin(amp_priv_launch *launch, amp_priv_use_list *list)
{
    amp_priv_launch_uses(launch, list);
    list->parts = launch->site->capture_count;
    list->part = amp_priv_launch_part;
    list->of = launch;
    list->queue = &launch->queue;
    list->queues = 1;
    list->steady = amp_priv_launch_lock(launch->queue, list) && amp_priv_launch_has_all(launch) &&
                   __builtin_expect(launch->hooks == 0, 1);
    return __builtin_expect(list->steady, 1) ? AMP_OK : amp_priv_memory_bring(launch, list);
}

#endif /* AMP_MEMORY_LAUNCH_MEMORY_H */
