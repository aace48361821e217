/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_queue.h - queues: commands are recorded into batches, which go to the device as a whole

    A queue has a timeline semaphore: batch n sets it to n when it has finished. A batch is handed to the device when
    the device has nothing else of the queue to do, when it is full, and when a thread waits for it. Commands of a queue
    are separated by a barrier, and so run in order.

    Contents (search for the tag):
        >>queue  >>batch  >>event */
#ifndef AMP_VULKAN_VULKAN_QUEUE_H
#define AMP_VULKAN_VULKAN_QUEUE_H

#include "vulkan_device.h"

/* // >>queue */

enum {
    AMP_PRIV_VULKAN_BATCHES = 8,       /* of a queue, in flight or open */
    AMP_PRIV_VULKAN_COMMANDS = 64,     /* of a batch, at most */
    AMP_PRIV_VULKAN_POOLS = 4,         /* of descriptor sets, of a queue */
    AMP_PRIV_VULKAN_ARGUMENTS = 65536, /* bytes of a batch, for arguments that are no push constants */
    AMP_PRIV_VULKAN_WAITS = 8,
    AMP_PRIV_VULKAN_STAGE = 8 << 20 /* bytes for transfers, in two halves */
};

typedef struct amp_priv_vulkan_batch {
    amp_vk_commands commands;
    uint64_t value;                      /* of the semaphore, once it has finished */
    int count;                           /* of commands */
    uint32_t used;                       /* bytes of arguments */
    bool for_host;                       /* a command writes what the host reads */
    amp_vk_object pipeline, layout, set; /* of its last launch: they are bound */
} amp_priv_vulkan_batch;

/* Descriptor sets (vulkan_sets.h). It is emptied when its last batch has finished and another pool is full. */
typedef struct amp_priv_vulkan_pool {
    amp_vk_object pool;
    uint64_t filling;           /* a number of the device, from 1 on; another one since it was emptied */
    uint64_t last;              /* value of the last batch that uses a set */
    uint32_t sets, descriptors; /* that were taken */
} amp_priv_vulkan_pool;

/* amp_priv_queue.native. Its events keep it. */
typedef struct amp_priv_vulkan_queue {
    atomic_int references;
    amp_priv_vulkan_device *device;
    struct amp_priv_vulkan_queue *next; /* of the device's */
    uint32_t number;                    /* of the device's queues */
    amp_priv_mutex lock;
    amp_vk_object semaphore, pool;
    atomic_ullong reached; /* the semaphore has had this value: no call is needed */
    uint64_t submitted;    /* the value of the last batch that was handed over */
    bool is_open;          /* a batch is being recorded, the next one */
    amp_priv_vulkan_batch batch[AMP_PRIV_VULKAN_BATCHES];
    amp_priv_vulkan_pool sets[AMP_PRIV_VULKAN_POOLS];
    unsigned filled; /* the pool that new sets are taken from */
    unsigned waits;  /* what the next batch waits for */
    amp_vk_object wait[AMP_PRIV_VULKAN_WAITS];
    uint64_t wait_value[AMP_PRIV_VULKAN_WAITS];
    amp_priv_mutex stage_lock;
    amp_priv_vulkan_memory arguments, stage, printed; /* opened when they are needed */
} amp_priv_vulkan_queue;

static inline amp_priv_vulkan_queue *amp_priv_vulkan_queue_of(const amp_priv_queue *queue) { return queue->native; }

/* Is there anything to hand to the device? */
static inline bool amp_priv_vulkan_has_batch(const amp_priv_vulkan_queue *q) { return q->is_open || q->waits > 0; }

/* The batch that is open, or will be next. */
static inline amp_priv_vulkan_batch *amp_priv_vulkan_batch_of(amp_priv_vulkan_queue *q)
{
    return &q->batch[(q->submitted + 1) % AMP_PRIV_VULKAN_BATCHES];
}

/* Its semaphore stays for the next queue that is opened: batches of other queues may wait for it still. */
AMP_PRIV_COLD void amp_priv_vulkan_queue_end(amp_priv_vulkan_queue *q)
{
    const amp_vk_device device = amp_priv_vulkan_handle(q->device);
    amp_priv_lock(&q->device->lock);
    for (amp_priv_vulkan_queue **link = &q->device->queues; *link; link = &(*link)->next)
        if (*link == q) {
            *link = q->next;
            break;
        }
    amp_priv_unlock(&q->device->lock);
    for (int i = 0; i < AMP_PRIV_VULKAN_POOLS; i++)
        amp_priv_vk.DestroyDescriptorPool(device, q->sets[i].pool, NULL);
    amp_priv_vk.DestroyCommandPool(device, q->pool, NULL);
    amp_priv_vulkan_memory_close(q->device, &q->arguments);
    amp_priv_vulkan_memory_close(q->device, &q->stage);
    amp_priv_vulkan_memory_close(q->device, &q->printed);
    amp_priv_mutex_end(&q->lock);
    amp_priv_mutex_end(&q->stage_lock);
    amp_priv_lock(&q->device->lock);
    q->next = q->device->ended;
    q->device->ended = q;
    amp_priv_unlock(&q->device->lock);
}

/* A queue without anything but a semaphore, which may be an ended one's, and its value; NULL: no memory. */
AMP_PRIV_COLD amp_priv_vulkan_queue *amp_priv_vulkan_queue_take(amp_priv_vulkan_device *device)
{
    amp_priv_lock(&device->lock);
    amp_priv_vulkan_queue *q = device->ended;
    if (q)
        device->ended = q->next;
    amp_priv_unlock(&device->lock);
    const amp_vk_object semaphore = q ? q->semaphore : 0;
    const uint64_t value = q ? q->submitted : 0;
    if (!q)
        q = malloc(sizeof *q);
    if (!q)
        return NULL;
    memset(q, 0, sizeof *q);
    q->device = device;
    q->semaphore = semaphore;
    q->submitted = value;
    return q;
}

static inline void amp_priv_vulkan_queue_release(amp_priv_vulkan_queue *q)
{
    if (atomic_fetch_sub(&q->references, 1) == 1)
        amp_priv_vulkan_queue_end(q);
}

AMP_PRIV_COLD int amp_priv_vulkan_queue_make_batches(amp_priv_vulkan_queue *q, amp_vk_device device, const char **call)
{
    const amp_vk_commands_info info = { .type = AMP_VK_COMMANDS_INFO, .pool = q->pool, .count = 1 };
    int code = AMP_VK_SUCCESS;
    *call = "vkAllocateCommandBuffers";
    for (int i = 0; i < AMP_PRIV_VULKAN_BATCHES && code == AMP_VK_SUCCESS; i++)
        code = amp_priv_vk.AllocateCommandBuffers(device, &info, &q->batch[i].commands);
    return code;
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_queue_make(amp_priv_vulkan_queue *q)
{
    const amp_vk_device device = amp_priv_vulkan_handle(q->device);
    const amp_vk_semaphore_type_info timeline = { .type = AMP_VK_SEMAPHORE_TYPE_INFO, .kind = AMP_VK_TIMELINE };
    const amp_vk_semaphore_info semaphore = { .type = AMP_VK_SEMAPHORE_INFO, .next = &timeline };
    const amp_vk_command_pool_info pool = { .type = AMP_VK_COMMAND_POOL_INFO,
                                            .flags = AMP_VK_RESET_EACH,
                                            .family = q->device->family };
    const char *call = "vkCreateSemaphore";
    int code = AMP_VK_SUCCESS;
    if (!q->semaphore)
        code = amp_priv_vk.CreateSemaphore(device, &semaphore, NULL, &q->semaphore);
    if (code == AMP_VK_SUCCESS) {
        call = "vkCreateCommandPool";
        code = amp_priv_vk.CreateCommandPool(device, &pool, NULL, &q->pool);
    }
    if (code == AMP_VK_SUCCESS)
        code = amp_priv_vulkan_queue_make_batches(q, device, &call);
    return amp_priv_vulkan_result(call, code);
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_queue_open(amp_priv_queue *queue)
{
    const amp_priv_result opened = amp_priv_vulkan_open(queue->device);
    if (opened.status != AMP_OK)
        return opened;
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_take(amp_priv_vulkan_of(queue->device));
    if (!q)
        return amp_priv_vulkan_no_memory("vkCreateCommandPool");
    atomic_init(&q->references, 1);
    atomic_init(&q->reached, 0);
    q->number = atomic_fetch_add(&q->device->next_queue, 1) % q->device->queue_count;
    amp_priv_mutex_init(&q->lock);
    amp_priv_mutex_init(&q->stage_lock);
    const amp_priv_result result = amp_priv_vulkan_queue_make(q);
    if (result.status != AMP_OK)
        amp_priv_vulkan_queue_end(q);
    else
        queue->native = q;
    if (result.status == AMP_OK) {
        amp_priv_lock(&q->device->lock);
        q->next = q->device->queues;
        q->device->queues = q;
        amp_priv_unlock(&q->device->lock);
    }
    return result;
}

/* // >>batch: all with the queue's lock held. */

/* Has the semaphore this value? The driver is asked only where that is not known. An error, in *code, counts as yes. */
static inline bool amp_priv_vulkan_ask_value(amp_priv_vulkan_queue *q, uint64_t value, int *code)
{
    uint64_t now = 0;
    *code = AMP_VK_SUCCESS;
    if (atomic_load_explicit(&q->reached, memory_order_acquire) >= value)
        return true;
    *code = amp_priv_vk.GetSemaphoreCounterValue(amp_priv_vulkan_handle(q->device), q->semaphore, &now);
    if (*code != AMP_VK_SUCCESS)
        return true;
    atomic_store_explicit(&q->reached, now, memory_order_release);
    return now >= value;
}

static inline bool amp_priv_vulkan_has_value(amp_priv_vulkan_queue *q, uint64_t value)
{
    int code;
    return amp_priv_vulkan_ask_value(q, value, &code);
}

/* Waits until the semaphore has this value. A driver lets the thread sleep, and wakes it late: so it is asked for a
   while first. A device that is a processor would lose one of its cores by that. */
static inline int amp_priv_vulkan_wait_value(amp_priv_vulkan_queue *q, uint64_t value)
{
    const amp_vk_wait_info info = {
        .type = AMP_VK_WAIT_INFO, .count = 1, .semaphores = &q->semaphore, .values = &value
    };
    const uint64_t start = amp_priv_now(), limit = 1000000;
    int code;
    while (q->device->driver != AMP_VK_DRIVER_LAVAPIPE && amp_priv_now() - start < limit) {
        if (amp_priv_vulkan_ask_value(q, value, &code))
            return code;
        amp_priv_thread_yield();
    }
    if (atomic_load_explicit(&q->reached, memory_order_acquire) >= value)
        return AMP_VK_SUCCESS;
    code = amp_priv_vk.WaitSemaphores(amp_priv_vulkan_handle(q->device), &info, UINT64_MAX);
    if (code == AMP_VK_SUCCESS)
        atomic_store_explicit(&q->reached, value, memory_order_release);
    return code;
}

/* What follows sees what was written before. */
static inline void amp_priv_vulkan_barrier(amp_vk_commands commands)
{
    const amp_vk_barrier barrier = { .type = AMP_VK_BARRIER,
                                     .from = AMP_VK_WRITTEN_BY_SHADER | AMP_VK_WRITTEN_BY_COPY,
                                     .to = AMP_VK_READ_BY_SHADER | AMP_VK_WRITTEN_BY_SHADER | AMP_VK_READ_AS_UNIFORM |
                                           AMP_VK_READ_BY_COPY | AMP_VK_WRITTEN_BY_COPY };
    const uint32_t stages = AMP_VK_PIPELINE_COMPUTE | AMP_VK_PIPELINE_COPY;
    amp_priv_vk.CmdPipelineBarrier(commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* A batch is open when this returns, and has space for a command: *batch. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_batch_begin(amp_priv_vulkan_queue *q, amp_priv_vulkan_batch **batch)
{
    static const amp_vk_begin_info once = { .type = AMP_VK_BEGIN_INFO, .flags = AMP_VK_ONE_TIME };
    amp_priv_vulkan_batch *const b = amp_priv_vulkan_batch_of(q);
    *batch = b;
    if (!q->is_open) {
        const char *call = "vkWaitSemaphores";
        int code = amp_priv_vulkan_wait_value(q, b->value);
        if (code == AMP_VK_SUCCESS) {
            call = "vkBeginCommandBuffer";
            code = amp_priv_vk.BeginCommandBuffer(b->commands, &once);
        }
        if (code != AMP_VK_SUCCESS)
            return amp_priv_vulkan_failed(call, code);
        b->count = 0;
        b->used = 0;
        b->for_host = q->device->is_mapped;
        b->pipeline = b->layout = b->set = 0;
        q->is_open = true;
    }
    amp_priv_vulkan_barrier(b->commands);
    b->count++;
    return amp_priv_done();
}

/* Hands the open batch to the device. Where that fails, its commands are lost. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_batch_submit(amp_priv_vulkan_queue *q)
{
    static const amp_vk_barrier to_host = { .type = AMP_VK_BARRIER,
                                            .from = AMP_VK_WRITTEN_BY_SHADER | AMP_VK_WRITTEN_BY_COPY,
                                            .to = AMP_VK_READ_BY_HOST };
    static const uint32_t everything[AMP_PRIV_VULKAN_WAITS] = { AMP_VK_PIPELINE_ALL, AMP_VK_PIPELINE_ALL,
                                                                AMP_VK_PIPELINE_ALL, AMP_VK_PIPELINE_ALL,
                                                                AMP_VK_PIPELINE_ALL, AMP_VK_PIPELINE_ALL,
                                                                AMP_VK_PIPELINE_ALL, AMP_VK_PIPELINE_ALL };
    amp_priv_vulkan_batch *b = amp_priv_vulkan_batch_of(q);
    if (!amp_priv_vulkan_has_batch(q))
        return amp_priv_done();
    if (!q->is_open) { /* an empty one waits */
        const amp_priv_result begun = amp_priv_vulkan_batch_begin(q, &b);
        if (begun.status != AMP_OK)
            return begun;
    }
    const uint64_t value = q->submitted + 1;
    const amp_vk_timeline_info values = { .type = AMP_VK_TIMELINE_INFO,
                                          .wait_count = q->waits,
                                          .waits = q->wait_value,
                                          .signal_count = 1,
                                          .signals = &value };
    const amp_vk_submit_info info = { .type = AMP_VK_SUBMIT_INFO,
                                      .next = &values,
                                      .wait_count = q->waits,
                                      .waits = q->wait,
                                      .wait_stages = everything,
                                      .commands_count = 1,
                                      .commands = &b->commands,
                                      .signal_count = 1,
                                      .signals = &q->semaphore };
    q->is_open = false;
    if (b->for_host)
        amp_priv_vk.CmdPipelineBarrier(b->commands, AMP_VK_PIPELINE_COMPUTE | AMP_VK_PIPELINE_COPY,
                                       AMP_VK_PIPELINE_HOST, 0, 1, &to_host, 0, NULL, 0, NULL);
    int code = amp_priv_vk.EndCommandBuffer(b->commands);
    if (code != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed("vkEndCommandBuffer", code);
    amp_priv_lock(&q->device->queue_lock[q->number]);
    code = amp_priv_vk.QueueSubmit(q->device->queue[q->number], 1, &info, 0);
    amp_priv_unlock(&q->device->queue_lock[q->number]);
    if (code != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed("vkQueueSubmit", code);
    b->value = q->submitted = value;
    q->waits = 0;
    return amp_priv_done();
}

/* After a command was recorded: hands the batch over if it is full, or if the device waits for work. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_batch_end(amp_priv_vulkan_queue *q)
{
    if (amp_priv_vulkan_batch_of(q)->count >= AMP_PRIV_VULKAN_COMMANDS || amp_priv_vulkan_has_value(q, q->submitted))
        return amp_priv_vulkan_batch_submit(q);
    return amp_priv_done();
}

/* Before something of a removed device is destroyed: its commands, for which the caller has not waited, go through. */
AMP_PRIV_COLD void amp_priv_vulkan_settle(amp_priv_device *device)
{
    amp_priv_vulkan_device *const native = amp_priv_vulkan_of(device);
    if (!atomic_load(&device->removed))
        return;
    amp_priv_lock(&native->lock);
    for (amp_priv_vulkan_queue *q = native->queues; q; q = q->next) {
        amp_priv_lock(&q->lock);
        (void)amp_priv_vulkan_batch_submit(q);
        const uint64_t last = q->submitted;
        amp_priv_unlock(&q->lock);
        (void)amp_priv_vulkan_wait_value(q, last);
    }
    amp_priv_unlock(&native->lock);
}

AMP_PRIV_COLD void amp_priv_vulkan_queue_close(amp_priv_queue *queue)
{
    amp_priv_vulkan_settle(queue->device);
    amp_priv_vulkan_queue_release(amp_priv_vulkan_queue_of(queue));
}

/* // >>event */

typedef struct amp_priv_vulkan_event {
    amp_priv_vulkan_queue *queue;
    uint64_t value;
} amp_priv_vulkan_event;

/* The event of all that was recorded so far. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_event_make(amp_priv_vulkan_queue *q, uint64_t value, void **event)
{
    amp_priv_vulkan_event *const e = malloc(sizeof *e);
    if (!e)
        return amp_priv_vulkan_no_memory("vkGetSemaphoreCounterValue");
    atomic_fetch_add(&q->references, 1);
    *e = (amp_priv_vulkan_event){ q, value };
    *event = e;
    return amp_priv_done();
}

AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_event_record(amp_priv_queue *queue, void **event)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    amp_priv_lock(&q->lock);
    const uint64_t value = q->submitted + (amp_priv_vulkan_has_batch(q) ? 1 : 0);
    amp_priv_unlock(&q->lock);
    *event = NULL;
    return value == 0 ? amp_priv_done() : amp_priv_vulkan_event_make(q, value, event);
}

AMP_PRIV_COLD void amp_priv_vulkan_event_release(amp_priv_device *device, void *event)
{
    (void)device;
    amp_priv_vulkan_queue_release(((amp_priv_vulkan_event *)event)->queue);
    free(event);
}

/* The device has, or is handed, the batch that sets this value. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_hand_over(amp_priv_vulkan_queue *q, uint64_t value)
{
    amp_priv_lock(&q->lock);
    amp_priv_result result = amp_priv_done();
    if (q->submitted < value)
        result = amp_priv_vulkan_has_batch(q) ? amp_priv_vulkan_batch_submit(q)
                                              : amp_priv_vulkan_failed("vkQueueSubmit", AMP_VK_ERROR_DEVICE_LOST);
    amp_priv_unlock(&q->lock);
    return result;
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_event_wait(amp_priv_device *device, void *event)
{
    const amp_priv_vulkan_event *const e = event;
    const amp_priv_result handed = amp_priv_vulkan_hand_over(e->queue, e->value);
    (void)device;
    return handed.status != AMP_OK
               ? handed
               : amp_priv_vulkan_result("vkWaitSemaphores", amp_priv_vulkan_wait_value(e->queue, e->value));
}

/* One that failed is done, too; then the device is removed, and calls that need its results fail. */
AMP_PRIV_WARM_PART bool amp_priv_vulkan_event_done(amp_priv_device *device, void *event)
{
    const amp_priv_vulkan_event *const e = event;
    int code;
    if (amp_priv_vulkan_ask_value(e->queue, e->value, &code) && code == AMP_VK_SUCCESS)
        return true;
    if (code == AMP_VK_SUCCESS && amp_priv_vulkan_hand_over(e->queue, e->value).status == AMP_OK)
        return false;
    amp_priv_device_mark_lost(device, true);
    return true;
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_queue_flush(amp_priv_queue *queue)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    amp_priv_lock(&q->lock);
    const amp_priv_result result = amp_priv_vulkan_batch_submit(q);
    amp_priv_unlock(&q->lock);
    return result;
}

AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_queue_finish(amp_priv_queue *queue)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    amp_priv_lock(&q->lock);
    const amp_priv_result result = amp_priv_vulkan_batch_submit(q);
    const uint64_t last = q->submitted;
    amp_priv_unlock(&q->lock);
    return result.status != AMP_OK ? result
                                   : amp_priv_vulkan_result("vkWaitSemaphores", amp_priv_vulkan_wait_value(q, last));
}

/* What was recorded so far is submitted first, and does not wait. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_queue_wait_event(amp_priv_queue *queue, void *event)
{
    amp_priv_vulkan_queue *const q = amp_priv_vulkan_queue_of(queue);
    const amp_priv_vulkan_event *const e = event;
    if (e->queue == q || amp_priv_vulkan_has_value(e->queue, e->value))
        return amp_priv_done(); /* in order anyway */
    amp_priv_result result = amp_priv_vulkan_hand_over(e->queue, e->value);
    amp_priv_lock(&q->lock);
    if (result.status == AMP_OK && (q->is_open || q->waits == AMP_PRIV_VULKAN_WAITS))
        result = amp_priv_vulkan_batch_submit(q);
    if (result.status == AMP_OK) {
        q->wait[q->waits] = e->queue->semaphore;
        q->wait_value[q->waits++] = e->value;
    }
    amp_priv_unlock(&q->lock);
    return result;
}

#endif /* AMP_VULKAN_VULKAN_QUEUE_H */
