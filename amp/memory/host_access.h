/* SPDX-License-Identifier: MIT */
/*  amp/memory/host_access.h - the host's access to elements */
#ifndef AMP_MEMORY_HOST_ACCESS_H
#define AMP_MEMORY_HOST_ACCESS_H

#include "allocation_life.h"

/* Scratch memory: where a failed access of the host goes when the error handler has returned. The offset leads there
   from the view's data, which may be NULL. */
enum { AMP_PRIV_SCRATCH_BYTES = 16384 /* bytes, enough for most elements */ };
typedef struct amp_priv_scratch_element {
    char bytes[AMP_PRIV_SCRATCH_BYTES];
} amp_priv_scratch_element;

AMP_PRIV_GLOBAL(amp_priv_scratch_element, amp_priv_last_scratch_element) /* where a thread has no memory for its own */
AMP_PRIV_COLD char *amp_priv_scratch_element_of(size_t bytes)
{
    static _Thread_local char *kept;
    static _Thread_local size_t room;
    const size_t wanted = bytes > AMP_PRIV_SCRATCH_BYTES ? bytes : AMP_PRIV_SCRATCH_BYTES;
    char *nowhere = room < bytes ? malloc(wanted) : kept; /* a smaller one stays: an expression may still write there */
    if (nowhere && nowhere != kept) {
        kept = nowhere;
        room = wanted;
    }
    if (!nowhere && bytes <= AMP_PRIV_SCRATCH_BYTES)
        nowhere = amp_priv_last_scratch_element.bytes;
    if (!nowhere)
        abort();
    memset(nowhere, 0, bytes);
    return nowhere;
}

AMP_PRIV_API_COLD amp_priv_offset amp_priv_to_scratch_element(const amp_priv_head *head, int size)
{
    const char *const nowhere = amp_priv_scratch_element_of(2 * (size_t)size);
    intptr_t data;
    memcpy(&data, (const char *)head + offsetof(amp_array_view_int_1, data), sizeof data);
    const intptr_t way = (intptr_t)nowhere - data;
    return (amp_priv_offset)(way / size + (way % size > 0));
}

/* // >>host */

AMP_PRIV_COLD void amp_priv_head_refuse(const amp_priv_head *head, const char *call)
{
    char what[256];
    if (head->kind && head->source && head->source != AMP_PRIV_IN_KERNEL) {
        if (!amp_priv_is_ours(head->source)) {
            amp_priv_report_foreign(head->source, call, "this view or array");
            return;
        }
        snprintf(what, sizeof what, "%s: this view or array", call);
        amp_priv_stale_report(&head->source->life, head, what);
        return;
    }
    if (head->source == AMP_PRIV_IN_KERNEL) {
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "%s: this is a kernel's view, or one that AMP_HOST_VIEW declared for AMP_AT; use the view that it was made "
            "from",
            call);
        return;
    }
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: this view or array was never created (its creation failed?), or was already released", call);
}

/* Was the view or array created, here and outside of kernels, and not released? */
static inline bool amp_priv_head_is_live(const amp_priv_head *head)
{
    return head->kind && head->source && head->source != AMP_PRIV_IN_KERNEL && amp_priv_is_ours(head->source) &&
           !amp_priv_is_stale(&head->source->life, head);
}

/* The same; else reports it. */
static inline bool amp_priv_head_ready(const amp_priv_head *head, const char *call)
{
    if (__builtin_expect(amp_priv_head_is_live(head), 1))
        return true;
    amp_priv_head_refuse(head, call);
    return false;
}

/* May the host touch the elements of this array? Else reports it. */
static inline bool amp_priv_host_may(const amp_priv_head *head, const char *call)
{
    const amp_priv_source *const source = head->source;
    if (head->kind != AMP_PRIV_ARRAY || source->cpu_access != AMP_ACCESS_NONE)
        return true;
    const amp_priv_device *const device = source->queue->device;
    amp_priv_report(
        AMP_RUNTIME_ERROR,
        "%s: the array lives on %s (%s) and is not accessible on the CPU; use a view on it (amp_view_of), or copy it "
        "(amp_copy_out)",
        call, device->path, device->description);
    return false;
}

/* Brings what a live view needs to the host. */
AMP_PRIV_WARM bool amp_priv_host_acquire(const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_source_lock(head->source);
    const amp_status status =
        amp_priv_acquire_host(head->source, &shape,
                              head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE);
    amp_priv_source_unlock(head->source);
    return status == AMP_OK;
}

/* Notes an access of the host's to what a view shows (host_writes.h). */
#if defined(AMP_CHECKED)
static inline void amp_priv_write_check_head(const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_write_check_part(head->source, head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_READ : AMP_PRIV_READ_WRITE,
                              &shape);
}
AMP_PRIV_API void amp_priv_host_noted(const amp_priv_head *head) { amp_priv_write_check_head(head); }
#else
#define amp_priv_write_check_head(head) (void)0
#endif

AMP_PRIV_API bool amp_priv_host_access_slowly(const amp_priv_head *head, const char *call)
{
    if (!amp_priv_head_ready(head, call) || !amp_priv_host_may(head, call) || !amp_priv_host_acquire(head))
        return false;
    amp_priv_write_check_head(head);
    return true;
}

/* AMP_AT on the host: the view's newest contents are in host memory when this returns true; else it has reported. */
static inline bool amp_priv_host_access(const amp_priv_head *head)
{
    return amp_priv_host_ready(head) || amp_priv_host_access_slowly(head, "AMP_AT");
}

#if defined(AMP_CHECKED)
AMP_PRIV_API bool amp_priv_host_access_at(const amp_priv_access *access, const amp_priv_head *head)
{
    char call[256];
    snprintf(call, sizeof call, "AMP_AT(%s, ...) at %s:%d", access->view, access->file, access->line);
    return amp_priv_host_access_slowly(head, call);
}
#endif

#endif /* AMP_MEMORY_HOST_ACCESS_H */
