/* SPDX-License-Identifier: MIT */
/*  amp/memory/staging.h - transfers of large sources by way of memory that is registered already

    To register host memory takes longer than to copy it by several threads. So these copy pieces to and from memory of
    the library, each its own, and the driver moves what one of them has while the others copy. What moves often is
    registered all the same: then no processor copies. */
#ifndef AMP_MEMORY_STAGING_H
#define AMP_MEMORY_STAGING_H

#include "pin.h"
#include "../base/os.h"
#include "../device/buffer.h"

enum {
    AMP_PRIV_STAGE_PIECE = 4 << 20,
    AMP_PRIV_STAGE_FROM = 64,       /* a source of so many pieces is large, */
    AMP_PRIV_STAGE_LEAST = 4 << 10, /* and so many bytes of it move by way of a stage: rows of halos, too */
    AMP_PRIV_STAGE_THREADS = 8,     /* at most, and as many as half of the processors: at least 4 */
    AMP_PRIV_STAGE_TIMES = 4,       /* it is registered when it has moved so often */
    AMP_PRIV_STAGE_TEST_THREADS = 3 /* of tests, whatever the processors */
};

/* Tests: the bytes of a piece; 0: as above. */
AMP_PRIV_GLOBAL(size_t, amp_priv_stage_tested)

static inline size_t amp_priv_stage_piece(void)
{
    return amp_priv_stage_tested > 0 ? amp_priv_stage_tested : AMP_PRIV_STAGE_PIECE;
}

/* The processors: the system is asked once, as each transfer of a large source wants to know. 0: not yet. */
AMP_PRIV_GLOBAL(atomic_int, amp_priv_stage_processors)

AMP_PRIV_COLD int amp_priv_stage_threads(void)
{
    int processors = atomic_load_explicit(&amp_priv_stage_processors, memory_order_relaxed);
    if (processors == 0) {
        processors = amp_priv_processors();
        atomic_store_explicit(&amp_priv_stage_processors, processors, memory_order_relaxed);
    }
    const int half = processors / 2;
    return amp_priv_stage_tested > 0       ? AMP_PRIV_STAGE_TEST_THREADS
           : half < AMP_PRIV_STAGE_THREADS ? half
                                           : AMP_PRIV_STAGE_THREADS;
}

/* Does a source, or host memory, of so many bytes move by way of a stage? */
AMP_PRIV_COLD bool amp_priv_is_staged(size_t bytes)
{
    return bytes / amp_priv_stage_piece() >= AMP_PRIV_STAGE_FROM &&
           amp_priv_stage_threads() >= (amp_priv_stage_tested > 0 ? 1 : AMP_PRIV_STAGE_THREADS / 2);
}

/* Is it worth registering a source's host memory, of which so much moves? Registered memory stays in the host's memory,
   and a mapped file may be larger. */
AMP_PRIV_COLD bool amp_priv_pin_pays(const amp_priv_source *source, uint64_t moved)
{
    const uint64_t bytes = source->bytes;
    const uint64_t after = amp_priv_is_staged(source->bytes) ? AMP_PRIV_STAGE_TIMES * bytes : bytes / 2;
    return bytes >= AMP_PRIV_PIN_BYTES && moved >= AMP_PRIV_PIN_AFTER && moved >= after &&
           bytes <= amp_priv_physical_memory() / 2;
}

/* Memory for a piece of each thread. */
typedef struct amp_priv_stage {
    struct amp_priv_stage *next;
    int threads;
    size_t piece;
    char *memory;
    amp_priv_pin pin;
} amp_priv_stage;

/* Of each device, those that no transfer uses: kept until the process ends. */
typedef struct amp_priv_stages_state {
    amp_priv_mutex lock;
    amp_priv_stage *spare[AMP_PRIV_MAX_DEVICES];
} amp_priv_stages_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_stages_state, amp_priv_stages, mutex(lock))

/* A stage for a transfer; NULL without memory for it. */
AMP_PRIV_COLD amp_priv_stage *amp_priv_stage_open(amp_priv_device *device)
{
    amp_priv_lock(&amp_priv_stages.lock);
    amp_priv_stage *stage = amp_priv_stages.spare[device->number];
    if (stage)
        amp_priv_stages.spare[device->number] = stage->next;
    amp_priv_unlock(&amp_priv_stages.lock);
    if (stage && stage->piece == amp_priv_stage_piece())
        return stage;
    if (stage) { /* tests have changed the size */
        amp_priv_pin_end(&stage->pin);
        amp_priv_aligned_free(stage->memory);
    } else {
        stage = calloc(1, sizeof *stage);
    }
    if (!stage)
        return NULL;
    stage->threads = amp_priv_stage_threads();
    stage->piece = amp_priv_stage_piece();
    const size_t bytes = (size_t)stage->threads * stage->piece;
    stage->memory = amp_priv_aligned_alloc(AMP_PRIV_PAGE, bytes);
    if (stage->memory) {
        amp_priv_pin_begin(&stage->pin, device, stage->memory, bytes);
        return stage;
    }
    free(stage);
    return NULL;
}

AMP_PRIV_COLD void amp_priv_stage_close(amp_priv_stage *stage)
{
    if (!stage)
        return;
    amp_priv_stage **const spare = &amp_priv_stages.spare[stage->pin.device->number];
    amp_priv_lock(&amp_priv_stages.lock);
    stage->next = *spare;
    *spare = stage;
    amp_priv_unlock(&amp_priv_stages.lock);
}

/* What the threads of a transfer share. */
typedef struct amp_priv_staged {
    const amp_priv_stage *stage;
    amp_priv_queue *queue;
    void *buffer;
    char *host;
    const amp_priv_rect *rect;
    bool to_device;
    atomic_size_t next;  /* piece */
    amp_priv_mutex lock; /* for what follows */
    amp_priv_condition ended;
    int began, running;     /* threads */
    amp_priv_result result; /* the first failure's */
} amp_priv_staged;

/* Moves pieces, until there are no more, or one fails. The record is the caller's again when the last thread leaves. */
AMP_PRIV_COLD void amp_priv_staged_run(amp_priv_staged *s)
{
    amp_priv_result result = { .status = AMP_OK };
    amp_priv_rect piece;
    amp_priv_lock(&s->lock);
    char *const memory = s->stage->memory + (size_t)s->began++ * s->stage->piece;
    amp_priv_unlock(&s->lock);
    while (result.status == AMP_OK &&
           amp_priv_rect_piece(s->rect, s->stage->piece, atomic_fetch_add(&s->next, 1u), &piece))
        result = amp_priv_transfer_piece(s->queue, s->buffer, s->host, memory, &piece, s->to_device);
    amp_priv_lock(&s->lock);
    if (s->result.status == AMP_OK)
        s->result = result;
    if (--s->running == 0)
        amp_priv_condition_wake_all(&s->ended);
    amp_priv_unlock(&s->lock);
}

AMP_PRIV_THREAD_MAIN(amp_priv_staged_main)
{
    amp_priv_staged_run(argument);
    return 0;
}

/* Is a rectangle no narrow column, of which a piece would have little? */
AMP_PRIV_COLD bool amp_priv_stage_takes(const amp_priv_stage *stage, const amp_priv_rect *rect)
{
    const size_t bytes = amp_priv_rect_bytes(rect), enough = stage->piece / 8;
    amp_priv_rect first;
    return amp_priv_rect_piece(rect, stage->piece, 0, &first) &&
           amp_priv_rect_bytes(&first) >= (bytes < enough ? bytes : enough);
}

/* Moves a rectangle by way of a stage, and waits for it. */
AMP_PRIV_COLD amp_status amp_priv_stage_transfer(const amp_priv_stage *stage, amp_priv_queue *queue, void *buffer,
                                                 void *host, const amp_priv_rect *rect, bool to_device)
{
    amp_priv_staged s = { stage, queue, buffer, host, rect, to_device, .running = 1 };
    if (!amp_priv_device_check_alive(queue->device, to_device ? "copy to the device" : "copy from the device"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    amp_priv_mutex_init(&s.lock);
    amp_priv_condition_init(&s.ended);
    const size_t pieces = (amp_priv_rect_bytes(rect) - 1) / stage->piece + 1; /* at least */
    amp_priv_lock(&s.lock);
    while (s.running < stage->threads && (size_t)s.running < pieces && amp_priv_thread_start(amp_priv_staged_main, &s))
        s.running++;
    amp_priv_unlock(&s.lock);
    atomic_fetch_add(&queue->staged, 1);
    amp_priv_staged_run(&s);
    amp_priv_lock(&s.lock);
    while (s.running > 0)
        amp_priv_condition_wait(&s.ended, &s.lock);
    amp_priv_unlock(&s.lock);
    atomic_fetch_sub(&queue->staged, 1);
    amp_priv_condition_end(&s.ended);
    amp_priv_mutex_end(&s.lock);
    return amp_priv_status_of(queue->device, s.result);
}

#endif /* AMP_MEMORY_STAGING_H */
