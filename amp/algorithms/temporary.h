/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/temporary.h - the temporary memory of algorithms.

    Contents (search for the tag):
        >>temporary  >>implementation */
#ifndef AMP_ALGORITHMS_TEMPORARY_H
#define AMP_ALGORITHMS_TEMPORARY_H

#include "../../amp.h"

/* // >>temporary
   Arrays of bytes that algorithms use again. One belongs to one call from its first launch to its last; launches of
   later calls come after those in the queue, or wait for them as for any array. */

/* For bytes of any kind; for what tiles publish (amp/algorithms/look_back.h), and nothing else. */
typedef enum amp_priv_temporary_kind {
    AMP_PRIV_TEMPORARY_BYTES = 1,
    AMP_PRIV_TEMPORARY_PUBLISHED = 2
} amp_priv_temporary_kind;

typedef struct amp_priv_temporary {
    amp_array_uint64_t_2 array;    /* in rows, of which there may be enough for any sum of bytes; or a view of bytes */
    const amp_priv_queue *queue;   /* that used it last: never followed */
    const amp_priv_device *device; /* NULL: a view, of which several accelerators have parts */
    size_t bytes;
    bool busy;
    amp_priv_temporary_kind kind;
    int calls; /* that have published there, since it was cleared */
    struct amp_priv_temporary *next;
} amp_priv_temporary;

/* amp_algorithms_release(): releases the memory that algorithms have kept for their next calls, on all accelerators.
   amp_algorithms_release_on(view): releases the same memory on one accelerator view.
   Memory that running calls use stays.
   view  amp_accelerator_view
   Result: amp_status.
   Errors: those of amp_array_release; as much memory as possible is released. Blocking: until kernels that use it
   have finished. Threads: any. Cost: the next calls allocate again. Source: none. */
AMP_PRIV_API amp_status amp_algorithms_release(void);
AMP_PRIV_API amp_status amp_algorithms_release_on(amp_accelerator_view view);

/* Fills in a view of rank 1 on temporary memory, from a byte on. */
AMP_PRIV_API void amp_priv_temporary_view(const amp_priv_temporary *temporary, void *out,
                                          const amp_priv_element *element, size_t first, size_t count);

/* // >>implementation */

#if AMP_PRIV_IMPLEMENTS

typedef struct amp_priv_temporaries {
    amp_priv_mutex lock;
    amp_priv_temporary *first;
} amp_priv_temporaries;
AMP_PRIV_GLOBAL_LOCKS(amp_priv_temporaries, amp_priv_all_temporaries, mutex(lock))

/* A free one on a device (NULL: a view), of at least that size; the queue's own rather than another's. NULL: none. */
static inline amp_priv_temporary *amp_priv_temporary_find(const amp_priv_queue *queue, const amp_priv_device *device,
                                                          size_t bytes, amp_priv_temporary_kind kind)
{
    amp_priv_temporaries *const all = &amp_priv_all_temporaries;
    amp_priv_temporary *found = NULL;
    amp_priv_lock(&all->lock);
    for (amp_priv_temporary *t = all->first; t; t = t->next)
        if (!t->busy && t->kind == kind && t->device == device && t->bytes >= bytes && (!found || t->queue == queue))
            found = t;
    if (found) {
        found->busy = true;
        found->queue = queue;
    }
    amp_priv_unlock(&all->lock);
    return found;
}

/* Frees those of some kinds on a device (NULL: on all), and views, that are not in use. */
AMP_PRIV_COLD amp_status amp_priv_temporaries_release(const amp_priv_device *device, unsigned kinds)
{
    amp_status status = AMP_OK;
    amp_priv_temporaries *const all = &amp_priv_all_temporaries;
    amp_priv_temporary *freed = NULL;
    amp_priv_lock(&all->lock);
    for (amp_priv_temporary **t = &all->first; *t;) {
        amp_priv_temporary *const this = *t;
        if (this->busy || !(this->kind & kinds) || (device && this->device && this->device != device)) {
            t = &this->next;
            continue;
        }
        *t = this->next;
        this->next = freed;
        freed = this;
    }
    amp_priv_unlock(&all->lock);
    while (freed) {
        amp_priv_temporary *const next = freed->next;
        const amp_status this = amp_priv_release(&freed->array.amp_priv, "amp_algorithms_release");
        status = status == AMP_OK ? this : status;
        free(freed);
        freed = next;
    }
    return status;
}

/* A new one, in place of those that are free and smaller. NULL after reporting. */
AMP_PRIV_COLD amp_priv_temporary *amp_priv_temporary_create(amp_priv_queue *queue, const amp_priv_device *device,
                                                            size_t bytes, amp_priv_temporary_kind kind)
{
    amp_priv_temporaries *const all = &amp_priv_all_temporaries;
    const size_t row = 1024 * sizeof(uint64_t);
    size_t size = 1 << 16;
    while (size < bytes && size < 1 << 30)
        size *= 2;
    size = size < bytes ? (bytes + row - 1) / row * row : size;
    amp_priv_temporaries_release(queue->device, kind);
    amp_priv_temporary *const t = calloc(1, sizeof *t);
    if (!t) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "no memory for the record of an algorithm's temporary memory");
        return NULL;
    }
    if (device)
        t->array = amp_array_uint64_t_2_create_on(AMP_EXTENT((int)(size / row), 1024),
                                                  (amp_accelerator_view){ amp_priv_device_queue(queue->device) });
    else
        amp_priv_view_create(&t->array, "temporary memory", (amp_priv_kind)0, &amp_priv_element_uint8_t, 1, NULL,
                             (const int[]){ (int)size });
    if (!t->array.amp_priv.source) {
        free(t);
        return NULL;
    }
    t->array.amp_priv.source->is_temporary = true;
    t->device = device;
    t->queue = queue;
    t->bytes = size;
    t->busy = true;
    t->kind = kind;
    amp_priv_lock(&all->lock);
    t->next = all->first;
    all->first = t;
    amp_priv_unlock(&all->lock);
    return t;
}

enum { AMP_PRIV_ALL_TEMPORARIES = AMP_PRIV_TEMPORARY_BYTES | AMP_PRIV_TEMPORARY_PUBLISHED };

static inline amp_priv_temporary *amp_priv_temporary_take(amp_priv_queue *queue, const amp_priv_device *device,
                                                          size_t bytes, amp_priv_temporary_kind kind)
{
    amp_priv_temporary *const found = amp_priv_temporary_find(queue, device, bytes, kind);
    return found ? found : amp_priv_temporary_create(queue, device, bytes, kind);
}

AMP_PRIV_API amp_status amp_algorithms_release(void)
{
    return amp_priv_temporaries_release(NULL, AMP_PRIV_ALL_TEMPORARIES);
}

AMP_PRIV_API amp_status amp_algorithms_release_on(amp_accelerator_view view)
{
    const amp_priv_queue *const queue = amp_priv_queue_of(view);
    return queue ? amp_priv_temporaries_release(queue->device, AMP_PRIV_ALL_TEMPORARIES) : amp_priv_failed();
}

/* `count` elements of temporary memory in a row, from a byte on. */
static inline amp_priv_shape amp_priv_temporary_shape(const amp_priv_temporary *temporary,
                                                      const amp_priv_element *element, size_t first, size_t count)
{
    amp_priv_shape shape = amp_priv_shape_of(&temporary->array.amp_priv);
    shape.data += first;
    shape.rank = 1;
    shape.element_size = element->size;
    shape.extent[0] = (int)count;
    shape.stride[0] = 1;
    return shape;
}

AMP_PRIV_API void amp_priv_temporary_view(const amp_priv_temporary *temporary, void *out,
                                          const amp_priv_element *element, size_t first, size_t count)
{
    const amp_priv_shape shape = amp_priv_temporary_shape(temporary, element, first, count);
    amp_priv_fill(out, temporary->array.amp_priv.source, element, AMP_PRIV_VIEW, 0, &shape);
}

#endif /* AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_TEMPORARY_H */
