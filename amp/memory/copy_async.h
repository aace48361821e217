/* SPDX-License-Identifier: MIT */
/*  amp/memory/copy_async.h - asynchronous copies, arrays made from contents

    Contents (search for the tag):
        >>async  >>arrays */
#ifndef AMP_MEMORY_COPY_ASYNC_H
#define AMP_MEMORY_COPY_ASYNC_H

#include "copy.h"

/* // >>async */

/* A job that uses one or two sources: each has a reference, and later calls on it wait. */
AMP_PRIV_NOINLINE amp_future amp_priv_later(const char *call, void *job, amp_status (*run)(void *),
                                            void (*finish)(void *), amp_priv_source *a, amp_priv_source *b)
{
    const bool refused = job && amp_priv_copy_refused(AMP_PRIV_COPY_HOST);
    amp_priv_future *const future = job && !refused ? amp_priv_future_new(call) : NULL;
    if (!future) {
        if (!job)
            amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a future", call);
        free(job);
        return (amp_future){ 0 };
    }
    future->run = run;
    future->finish = finish;
    future->job = job;
    amp_priv_source *const sources[2] = { a, b };
    for (int i = 0; i < 2; i++) {
        if (!sources[i])
            continue;
        atomic_fetch_add_explicit(&sources[i]->references, 1, memory_order_relaxed);
        amp_priv_lock(&sources[i]->lock);
        atomic_fetch_add_explicit(&sources[i]->pending, 1, memory_order_relaxed);
        amp_priv_source_unlock(sources[i]);
    }
    amp_priv_lock(&amp_priv_worker.lock);
    amp_priv_worker_add(future);
    amp_priv_unlock(&amp_priv_worker.lock);
    return amp_priv_future_handle(future, call);
}

/* On the worker: the operation on these sources is done, and waiting threads may continue. It first releases its
   references: then a waiting thread may be the last owner. */
static inline void amp_priv_later_done(amp_priv_source *a, amp_priv_source *b)
{
    amp_priv_source *sources[2] = { a, b };
    amp_priv_lock(&amp_priv_worker.lock);
    for (int i = 0; i < 2; i++) {
        if (!sources[i])
            continue;
        const bool last = atomic_fetch_sub_explicit(&sources[i]->references, 1, memory_order_acq_rel) == 1;
        atomic_fetch_sub_explicit(&sources[i]->pending, 1, memory_order_release);
        if (!last)
            sources[i] = NULL;
    }
    amp_priv_condition_wake_all(&amp_priv_worker.progress);
    amp_priv_unlock(&amp_priv_worker.lock);
    for (int i = 0; i < 2; i++)
        if (sources[i])
            amp_priv_source_end(sources[i]);
}

static inline amp_status amp_priv_copy_job_run(void *job)
{
    const amp_priv_copy_job *const copy = job;
    return amp_priv_copy_between(&copy->from, &copy->to);
}

static inline void amp_priv_copy_job_finish(void *job)
{
    const amp_priv_copy_job *const copy = job;
    amp_priv_later_done(copy->from.source, copy->to.source);
    free(job);
}

AMP_PRIV_NOINLINE amp_future amp_priv_copy_later(const char *call, const amp_priv_copy_operand *from,
                                                 const amp_priv_copy_operand *to)
{
    amp_priv_copy_job *const job = malloc(sizeof *job);
    if (job)
        *job = (amp_priv_copy_job){ *from, *to };
    return amp_priv_later(call, job, amp_priv_copy_job_run, amp_priv_copy_job_finish, from->source, to->source);
}

AMP_PRIV_API amp_future amp_priv_copy_async(const char *call, const amp_priv_head *source,
                                            const amp_priv_head *destination)
{
    amp_future future = { 0 };
    amp_priv_copy(call, source, destination, &future);
    return future;
}

AMP_PRIV_API amp_future amp_priv_copy_in_async(const char *call, const void *data, size_t count,
                                               const amp_priv_head *destination)
{
    amp_future future = { 0 };
    amp_priv_copy_in(call, data, count, destination, &future);
    return future;
}

AMP_PRIV_API amp_future amp_priv_copy_out_async(const char *call, const amp_priv_head *source, void *data, size_t count)
{
    amp_future future = { 0 };
    amp_priv_copy_out(call, source, data, count, &future);
    return future;
}

typedef struct amp_priv_acquire_job {
    amp_priv_source *source;
    amp_priv_shape shape;
    amp_priv_queue *queue; /* with a reference; NULL is the host */
    amp_priv_access_request want;
    bool nothing;
} amp_priv_acquire_job;

static inline amp_status amp_priv_acquire_job_run(void *job)
{
    const amp_priv_acquire_job *const acquire = job;
    return acquire->nothing ? AMP_OK
                            : amp_priv_acquire_to(acquire->source, &acquire->shape, acquire->queue, acquire->want);
}

static inline void amp_priv_acquire_job_finish(void *job)
{
    const amp_priv_acquire_job *const acquire = job;
    amp_priv_later_done(acquire->source, NULL);
    if (acquire->queue)
        amp_priv_queue_release(acquire->queue);
    free(job);
}

AMP_PRIV_NOINLINE amp_future amp_priv_acquire_later(const char *call, const amp_priv_head *head, amp_priv_queue *queue,
                                                    amp_access_type access, bool nothing)
{
    amp_priv_acquire_job *const job = malloc(sizeof *job);
    if (job) {
        *job = (amp_priv_acquire_job){ head->source, amp_priv_shape_of(head), queue, amp_priv_access_request_of(access),
                                       nothing || access == AMP_ACCESS_NONE };
        if (queue)
            amp_priv_queue_retain(queue);
    }
    const amp_future future =
        amp_priv_later(call, job, amp_priv_acquire_job_run, amp_priv_acquire_job_finish, head->source, NULL);
    if (!future.amp_priv_future && job && queue)
        amp_priv_queue_release(queue);
    return future;
}

AMP_PRIV_API amp_future amp_priv_synchronize_later(const amp_priv_head *head, amp_access_type access, const char *call)
{
    if (!amp_priv_head_ready(head, call) || amp_priv_access_check(call, access) != AMP_OK)
        return (amp_future){ 0 };
    return amp_priv_acquire_later(call, head, head->source->queue, access, head->source->no_source);
}

AMP_PRIV_API amp_future amp_priv_synchronize_to_later(const amp_priv_head *head, amp_accelerator_view view,
                                                      amp_access_type access)
{
    static const char call[] = "amp_array_view_synchronize_to_async";
    if (!amp_priv_head_ready(head, call) || amp_priv_access_check(call, access) != AMP_OK)
        return (amp_future){ 0 };
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    if (!queue)
        return (amp_future){ 0 };
    if (amp_priv_queue_usable(queue, call) != AMP_OK)
        return (amp_future){ 0 };
    return amp_priv_acquire_later(call, head, queue, access, false);
}

/* // >>arrays: made from contents. */

AMP_PRIV_API void *amp_priv_array_create_from(void *out, const char *call_format, const amp_priv_element *element,
                                              int rank, const int *extent, amp_accelerator_view view, const void *first,
                                              size_t count)
{
    char text[AMP_PRIV_CALL_SIZE];
    if (!amp_priv_extent_good(call_format, element, rank, extent))
        return out;
    const char *const call = amp_priv_call_text(text, call_format, element, rank);
    amp_priv_shape shape = amp_priv_dense(NULL, element->size, rank, extent);
    const size_t size = amp_priv_shape_size(&shape);
    if (count == AMP_UNCHECKED)
        count = size;
    if (count > size) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: %zu elements for an extent of %zu; give no more than the extent has",
                        call, count, size);
        return out;
    }
    if (!first && count > 0) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the pointer is NULL", call);
        return out;
    }
    amp_priv_array_create(out, call_format, element, rank, extent, view, AMP_ACCESS_AUTO, NULL);
    amp_priv_head *const head = out;
    if (!head->source)
        return out;
    enum { AMP_PRIV_COPIED_AT_ONCE = 1 << 30 /* elements: an extent is an int */ };
    amp_status status = AMP_OK;
    for (size_t done = 0; done < count && status == AMP_OK; done += AMP_PRIV_COPIED_AT_ONCE) {
        const size_t rest = count - done;
        const int length = rest < AMP_PRIV_COPIED_AT_ONCE ? (int)rest : AMP_PRIV_COPIED_AT_ONCE;
        const amp_priv_copy_operand to = { head->source, amp_priv_dense(head->source->base.data + done * element->size,
                                                                        element->size, 1, &length) };
        const amp_priv_copy_operand from =
            amp_priv_copy_operand_at((const char *)first + done * element->size, &to.shape);
        status = amp_priv_copy_between(&from, &to);
    }
    if (status != AMP_OK) {
        amp_priv_source_release(head->source);
        memset(head, 0, sizeof *head);
    }
    return out;
}

AMP_PRIV_API void *amp_priv_array_from(void *out, const amp_priv_head *source, const amp_accelerator_view *view,
                                       const char *call_format)
{
    if (!amp_priv_head_ready(source, call_format[10] == 'c' ? "amp_array_copy" : "amp_array_from"))
        return out;
    const amp_priv_copy_operand from = amp_priv_copy_operand_of(source);
    const amp_priv_source *const old = from.source;
    amp_accelerator_view target = { old->queue };
    amp_accelerator_view associated = { old->associated };
    const bool is_copy = !view && old->is_array;
    if (view)
        target = *view;
    const bool same_access = is_copy && old->queue->device->shares_host;
    amp_priv_array_create(out, call_format, source->element, from.shape.rank, from.shape.extent, target,
                          same_access ? old->cpu_access : AMP_ACCESS_AUTO,
                          is_copy && old->is_staging ? &associated : NULL);
    amp_priv_head *const head = out;
    if (!head->source)
        return out;
    const amp_priv_copy_operand to = amp_priv_copy_operand_of(head);
    if (amp_priv_copy_between(&from, &to) != AMP_OK) {
        amp_priv_source_release(head->source);
        memset(head, 0, sizeof *head);
    }
    return out;
}

#endif /* AMP_MEMORY_COPY_ASYNC_H */
