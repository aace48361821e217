/* SPDX-License-Identifier: MIT */
/*  amp/checked/portability.h - checked builds: warns of launches that would fail on another device */
#ifndef AMP_CHECKED_PORTABILITY_H
#define AMP_CHECKED_PORTABILITY_H

#include "../memory/copy_async.h"
#include "portability_kernel.h"

#if defined(AMP_CHECKED)

/* How messages name capture i, whose source is known: by its name, or, where that is the library's, by what made it. */
AMP_PRIV_COLD const char *amp_priv_portability_name(const amp_priv_launch *launch, int i)
{
    const char *const name = launch->site->captures[i].name;
    return amp_priv_name_is_ours(name) ? launch->watched[i]->life.made : name;
}

/* Other sources over the memory of capture i of a launch. */
AMP_PRIV_COLD void amp_priv_portability_shared(const amp_priv_launch *launch, int i)
{
    const amp_priv_launch_site *const site = launch->site;
    const amp_priv_shape shape = amp_priv_shape_of(amp_priv_launch_head(launch, i));
    amp_priv_source *const source = launch->watched[i];
    for (int j = 0; j < site->capture_count; j++) {
        if (!launch->watched[j] || launch->watched[j] == source || !launch->watched[j]->watch.is_shared)
            continue;
        const amp_priv_head *const a = amp_priv_launch_head(launch, i), *const b = amp_priv_launch_head(launch, j);
        const amp_priv_shape other = amp_priv_shape_of(b);
        if ((a->kind == AMP_PRIV_CONST_VIEW && b->kind == AMP_PRIV_CONST_VIEW) || !amp_priv_shapes_meet(&shape, &other))
            continue;
        source->watch.is_told = launch->watched[j]->watch.is_told = true;
        amp_priv_portability_warn(
            site,
            "%s and %s are two views of the same memory, each made from a pointer: on a device each has its own copy; "
            "make one view from the other (amp_section, AMP_VIEW_AS, amp_as_const)",
            amp_priv_portability_name(launch, i), amp_priv_portability_name(launch, j));
        return;
    }
    const uintptr_t first = (uintptr_t)source->base.data, end = first + source->bytes;
    for (amp_priv_handle_slot *life = amp_priv_handle_newest(first, end); life;
         life = amp_priv_handle_next(life, first, end)) {
        const amp_priv_source *const other = (const amp_priv_source *)life;
        if (other == source || !other->watch.is_written || !amp_priv_shapes_meet(&shape, &other->watch.shape))
            continue;
        source->watch.is_told = true;
        amp_priv_portability_warn(
            site,
            "%s reads memory that the kernel in %s, at or near %s:%d, wrote through another view, made by %s: on a "
            "device the new contents are not visible yet; synchronize that view first, or make one view from the other "
            "(amp_section, AMP_VIEW_AS, amp_as_const)",
            amp_priv_portability_name(launch, i), other->watch.site->function, other->watch.site->file,
            other->watch.site->line, life->made);
        return;
    }
}

/* Is the user's memory, which no launch has used and no other view has, as malloc left it? */
AMP_PRIV_COLD bool amp_priv_portability_is_raw(const amp_priv_source *source)
{
    const amp_priv_write_check *const watch = &source->watch;
    return !source->owns_host && !watch->is_used && !watch->is_given && !watch->is_shared &&
           amp_priv_memory_is_raw(source->base.data, source->bytes);
}

/* Do two launches of a site have the same captures and extent? */
AMP_PRIV_COLD bool amp_priv_portability_same(const amp_priv_launch *a, const amp_priv_launch *b)
{
    const amp_priv_launch_site *const site = a->site;
    bool same = b->site == site && !memcmp(a->extent, b->extent, (size_t)site->rank * sizeof(int));
    for (int i = 0; i < site->capture_count && same; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(a, i);
        same = head ? amp_priv_head_data(head) == amp_priv_head_data(b->captured[i])
                    : !memcmp(a->captured[i], b->captured[i], site->captures[i].size);
    }
    return same;
}

/* Does another thread of the host run the same launch on the CPU now, which writes capture i? Reports it once. */
AMP_PRIV_COLD void amp_priv_portability_twice(const amp_priv_launch *launch, int i)
{
    amp_priv_write_check *const watch = &launch->watched[i]->watch;
    if (launch->captured[i] && amp_priv_launch_head(launch, i)->kind != AMP_PRIV_CONST_VIEW && !watch->is_told &&
        amp_priv_is_host(launch->queue->device->number) && amp_priv_portability_same(launch, watch->runs) &&
        !amp_priv_body_only_reads(launch, i, false)) {
        watch->is_told = true;
        amp_priv_portability_warn(launch->site,
                                  "several threads of the host run this launch at the same time, and write %s: launch "
                                  "once, outside of `omp parallel`; the library uses all cores itself",
                                  amp_priv_portability_name(launch, i));
    }
}

/* Does a debugger, which shows the memory, have the process? Asked once. */
AMP_PRIV_COLD bool amp_priv_portability_is_debugged(void)
{
    enum { AMP_PRIV_DEBUGGED_UNKNOWN, AMP_PRIV_DEBUGGED_NOT, AMP_PRIV_DEBUGGED };
    static atomic_int known;
    if (atomic_load_explicit(&known, memory_order_relaxed) == AMP_PRIV_DEBUGGED_UNKNOWN)
        atomic_store_explicit(&known, amp_priv_process_is_debugged() ? AMP_PRIV_DEBUGGED : AMP_PRIV_DEBUGGED_NOT,
                              memory_order_relaxed);
    return atomic_load_explicit(&known, memory_order_relaxed) == AMP_PRIV_DEBUGGED;
}

/* May elements of capture i that the launch changes be away after it? Not where others run it, too. */
AMP_PRIV_COLD bool amp_priv_portability_goes(const amp_priv_launch *launch, int i)
{
    const unsigned alone = amp_priv_hook_bit(AMP_PRIV_HOOK_VALIDATE) | amp_priv_hook_bit(AMP_PRIV_HOOK_CHECKED) |
                           amp_priv_hook_bit(AMP_PRIV_HOOK_TRACE) | amp_priv_hook_bit(AMP_PRIV_HOOK_REPORT);
    return amp_priv_is_host(launch->queue->device->number) && !(launch->hooks & ~alone) && !launch->band &&
           amp_priv_launch_head(launch, i)->kind != AMP_PRIV_CONST_VIEW && !launch->watched[i]->owns_host &&
           !amp_priv_site_is_algorithm(launch->site) && !launch->fault->stops && !amp_priv_portability_is_debugged();
}

/* One capture, with the lock held. */
AMP_PRIV_COLD void amp_priv_portability_capture(amp_priv_launch *launch, int i)
{
    amp_priv_write_check *const watch = &launch->watched[i]->watch;
    if (atomic_load_explicit(&watch->is_away, memory_order_relaxed))
        amp_priv_away_end(watch);
    if (watch->is_shared && !watch->is_told && !watch->is_untouched && !launch->watched[i]->directory.discarded)
        amp_priv_portability_shared(launch, i);
    const bool differs = watch->running == 0 && !watch->is_told && amp_priv_write_check_differs(watch);
    if (differs) {
        const char *const name = amp_priv_portability_name(launch, i);
        watch->is_told = true;
        amp_priv_portability_warn(
            launch->site,
            "the host memory under %s was written after the kernel in %s, at or near %s:%d, without "
            "amp_array_view_refresh: a device keeps its old copy; write with AMP_AT, or call "
            "amp_array_view_refresh(&%s) after writing; pass the view to functions, not the pointer; if the memory was "
            "freed, or moved by realloc, end the view before that",
            name, watch->site->function, watch->site->file, watch->site->line,
            name == launch->site->captures[i].name ? name : "view");
    }
    if (watch->running == 0 && amp_priv_portability_goes(launch, i)) {
        const amp_priv_shape shape = amp_priv_shape_of(launch->captured[i]);
        amp_priv_away_before(watch, &shape, watch->is_sampled && !watch->is_told && !differs);
    }
    watch->is_sampled = false;
    watch->running++;
    watch->is_untouched = watch->is_untouched || amp_priv_portability_is_raw(launch->watched[i]);
    if (watch->is_untouched && !(watch->held_on >> launch->queue->device->number & 1u))
        amp_priv_hide_unwritten(launch, i);
}

/* Of a launch whose captures were looked at, but are not in a kernel yet. */
static inline void amp_priv_portability_sources(amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        launch->watched[i] = head ? head->source : NULL;
    }
}

/* The launch of this thread begins, before its views are acquired (enters), or has ended. */
AMP_PRIV_COLD void amp_priv_portability_runs(const amp_priv_launch *launch, bool enters)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_write_check *const watch = launch->watched[i] ? &launch->watched[i]->watch : NULL;
        if (watch && enters && watch->runs && watch->runs != launch)
            amp_priv_portability_twice(launch, i);
        else if (watch && (enters || watch->runs == launch))
            watch->runs = enters ? launch : NULL;
    }
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* Is it the memory of a function that has returned, on the stack of this thread below the launch's caller? */
AMP_PRIV_COLD bool amp_priv_memory_is_left(const amp_priv_launch *launch, const amp_priv_source *source)
{
    enum { AMP_PRIV_LEFT_BYTES = 1 << 16 /* a thread has more of its stack than that */ };
    const uintptr_t first = (uintptr_t)source->base.data, stack = (uintptr_t)launch->stack;
    return !source->owns_host && first < stack && stack - first < source->bytes + AMP_PRIV_LEFT_BYTES;
}

/* Was the user's memory freed, or moved by realloc? The allocator is asked where it changed. Shows what is away. */
AMP_PRIV_COLD bool amp_priv_portability_is_freed(amp_priv_source *source)
{
    const char *const data = source->base.data;
    if (amp_priv_memory_is_poisoned(data, source->bytes) || amp_priv_source_is_unmapped(source))
        return true;
    amp_priv_write_check_show(source);
    amp_priv_lock(&amp_priv_write_check_lock);
    const amp_priv_write_check *const watch = &source->watch;
    const bool differs =
        watch->running == 0 && watch->moving == 0 && !watch->is_told && amp_priv_write_check_begins_otherwise(watch);
    amp_priv_unlock(&amp_priv_write_check_lock);
    return differs && amp_priv_memory_was_freed(data, source->bytes);
}

/* Refuses a launch on such memory, which its own frames use, and on memory that was freed. */
AMP_PRIV_COLD amp_status amp_priv_portability_left(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_source *const source = launch->watched[i];
        if (source && amp_priv_memory_is_left(launch, source))
            return amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                                        "the memory of %s is that of a function that has returned, and others use it "
                                        "now: allocate it, or make the array static",
                                        amp_priv_portability_name(launch, i));
        if (source && !source->owns_host && source->base.data && amp_priv_portability_is_freed(launch->watched[i]))
            return amp_priv_report_freed(source);
    }
    return AMP_OK;
}

/* Before a launch whose captures are in place. */
AMP_PRIV_COLD void amp_priv_portability_begin(amp_priv_launch *launch)
{
    if (amp_priv_site_reports(launch->site, AMP_PRIV_REPORTED_ADVICE)) {
        amp_priv_portability_reading(launch);
        if (launch->site->tiled)
            amp_priv_portability_tile(launch);
    }
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int i = 0; i < launch->site->capture_count; i++)
        if (launch->watched[i])
            amp_priv_portability_capture(launch, i);
    amp_priv_unlock(&amp_priv_write_check_lock);
}

/* After it, also when it failed. */
AMP_PRIV_COLD void amp_priv_portability_end(const amp_priv_launch *launch)
{
    amp_priv_lock(&amp_priv_write_check_lock);
    for (int i = 0; i < launch->site->capture_count; i++) {
        amp_priv_source *const source = launch->watched[i];
        if (!source)
            continue;
        const amp_priv_head *const head = launch->captured[i];
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_write_check *const watch = &source->watch;
        watch->running--;
        const uint32_t here = UINT32_C(1) << launch->queue->device->number;
        if (head->kind != AMP_PRIV_CONST_VIEW)
            watch->is_untouched = watch->is_untouched && launch->fault->unwritten >> i & 1u;
        if (!watch->is_untouched)
            watch->held_on = head->kind == AMP_PRIV_CONST_VIEW ? watch->held_on | here : here;
        watch->is_result = head->kind != AMP_PRIV_CONST_VIEW && !watch->is_used; /* a second one may read it */
        watch->is_used = true;
        watch->is_seen = false;
        watch->is_rewritten = watch->is_rewritten || head->kind != AMP_PRIV_CONST_VIEW;
        if (source->owns_host)
            continue;
        watch->is_written = watch->is_written || head->kind != AMP_PRIV_CONST_VIEW;
        watch->is_pending = watch->is_pending || head->kind != AMP_PRIV_CONST_VIEW;
        watch->site = launch->site;
        if (watch->running == 0) {
            if (atomic_load_explicit(&watch->is_away, memory_order_relaxed)) /* of another launch that has ended */
                amp_priv_away_end(watch);
            amp_priv_away_begin(watch, &shape);
        }
        watch->is_before = false;
    }
    amp_priv_unlock(&amp_priv_write_check_lock);
    for (int i = 0; i < launch->site->capture_count; i++)
        if (launch->watched[i] && amp_priv_write_check_is_away(launch->watched[i])) {
            amp_priv_lock(&launch->watched[i]->lock);
            amp_priv_source_publish(launch->watched[i], AMP_PRIV_HOST_ASKS);
            amp_priv_unlock(&launch->watched[i]->lock);
        }
}

/* The launch's first fault as its error. */
AMP_PRIV_COLD void amp_priv_portability_fault(const amp_priv_launch *launch)
{
    const amp_priv_fault *const fault = launch->fault;
    char where[512];
    const bool in_view = fault->capture != AMP_PRIV_NO_CAPTURE;
    if (in_view && fault->unwritten >> fault->capture & 1u)
        amp_priv_site_report(launch->site, AMP_RUNTIME_ERROR,
                             "launch %u, %s, it reads %s, which was never written%s: give it contents first "
                             "(amp_copy_in, amp_array_from, a kernel)",
                             launch->number, amp_priv_position_text(where, sizeof where, &fault->at),
                             amp_priv_portability_name(launch, fault->capture),
                             launch->watched[fault->capture]->owns_host ? ""
                             : amp_priv_memory_is_raw(launch->watched[fault->capture]->base.data,
                                                      launch->watched[fault->capture]->bytes)
                                 ? " since malloc gave its memory"
                                 : " since its data were discarded");
    else
        amp_priv_fault_report(launch, in_view ? amp_priv_head_extent(launch->captured[fault->capture]) : NULL);
}

#endif

#endif /* AMP_CHECKED_PORTABILITY_H */
