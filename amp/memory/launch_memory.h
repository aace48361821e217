/* SPDX-License-Identifier: MIT */
/*  amp/memory/launch_memory.h - the views of a launch: chooses the queue, and makes them current there */
#ifndef AMP_MEMORY_LAUNCH_MEMORY_H
#define AMP_MEMORY_LAUNCH_MEMORY_H

#include "array.h"
#include "../base/backend_list.h"
#if AMP_PRIV_HAS_OTHERS
#include "launch_devices.h"
#else
#define amp_priv_cached_target(launch, standard, cached) ((void)(launch), standard)
#endif

/* // >>launch */

/* Reports a captured view or array of another library's runtime. */
AMP_PRIV_COLD amp_status amp_priv_capture_foreign(const amp_priv_launch_site *site, const amp_priv_source *source,
                                                  int i)
{
    char call[512];
    return amp_priv_report_foreign(source, amp_priv_site_text(site, call, sizeof call),
                                   amp_priv_capture_shown(site, i));
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
    const char *const name = amp_priv_capture_shown(site, i);
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
    const char *const name = amp_priv_capture_shown(launch->site, i);
    const char *const noun = amp_priv_capture_noun(launch->site, i, "the array ");
    const amp_priv_device *const device = amp_priv_launch_head(launch, i)->source->queue->device;
    const amp_priv_device *const target = launch->queue->device;
    if (there >= 0)
        return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                    "%s%s lives on %s (%s), but %s%s on %s (%s); copy "
                                    "one to where the other is, or capture a view on it (amp_view_of)",
                                    amp_priv_capture_noun(launch->site, there, "the array "),
                                    amp_priv_capture_shown(launch->site, there), target->path, target->description,
                                    noun, name, device->path, device->description);
    return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                "%s%s lives on %s (%s), but the launch is on %s (%s); launch it "
                                "there, copy the array, or capture a view on it (amp_view_of)",
                                noun, name, device->path, device->description, target->path, target->description);
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
                                        amp_priv_capture_shown(launch->site, i), launch->queue->device->path);
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

#endif /* AMP_MEMORY_LAUNCH_MEMORY_H */
