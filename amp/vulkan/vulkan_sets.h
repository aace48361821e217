/* SPDX-License-Identifier: MIT */
/*  amp/vulkan/vulkan_sets.h - descriptor sets: which buffers a kernel's launch has

    A kernel keeps the sets of its last launches: a launch with the same buffers makes no call for them, whatever batch
    it is in. Sets come from a few pools of the queue. Where all are full, the one filled longest ago is emptied, once
    the batches that use it have finished.

    Contents (search for the tag):
        >>pool  >>set */
#ifndef AMP_VULKAN_VULKAN_SETS_H
#define AMP_VULKAN_VULKAN_SETS_H

#include "vulkan_print.h"

enum {
    AMP_PRIV_VULKAN_SETS = 64, /* of a pool */
    AMP_PRIV_VULKAN_DESCRIPTORS = 1024,
    AMP_PRIV_VULKAN_SETS_KEPT = 4 /* of a kernel: views that change places at each launch are two or three */
};

/* // >>pool: all with the queue's lock held. */

AMP_PRIV_COLD int amp_priv_vulkan_pool_open(amp_vk_device device, amp_vk_object *pool)
{
    static const amp_vk_pool_size sizes[] = { { AMP_VK_STORAGE_BUFFER, AMP_PRIV_VULKAN_DESCRIPTORS },
                                              { AMP_VK_UNIFORM_BUFFER, AMP_PRIV_VULKAN_SETS } };
    static const amp_vk_descriptor_pool_info info = {
        .type = AMP_VK_DESCRIPTOR_POOL_INFO, .sets = AMP_PRIV_VULKAN_SETS, .size_count = 2, .sizes = sizes
    };
    return amp_priv_vk.CreateDescriptorPool(device, &info, NULL, pool);
}

/* Makes the next pool the one that is filled, empty. An open batch that uses it is handed over first. */
AMP_PRIV_COLD amp_priv_result amp_priv_vulkan_pool_turn(amp_priv_vulkan_queue *q)
{
    const amp_vk_device device = amp_priv_vulkan_handle(q->device);
    const unsigned next = (q->filled + 1) % AMP_PRIV_VULKAN_POOLS;
    amp_priv_vulkan_pool *const p = &q->sets[next];
    const char *call = "vkCreateDescriptorPool";
    int code = AMP_VK_SUCCESS;
    if (!p->pool)
        code = amp_priv_vulkan_pool_open(device, &p->pool);
    else {
        const amp_priv_result submitted = p->last > q->submitted ? amp_priv_vulkan_batch_submit(q) : amp_priv_done();
        if (submitted.status != AMP_OK)
            return submitted;
        call = "vkWaitSemaphores";
        code = amp_priv_vulkan_wait_value(q, p->last);
        if (code == AMP_VK_SUCCESS) {
            call = "vkResetDescriptorPool";
            code = amp_priv_vk.ResetDescriptorPool(device, p->pool, 0);
        }
    }
    if (code != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed(call, code);
    p->filling = atomic_fetch_add(&q->device->fillings, 1) + 1;
    p->sets = p->descriptors = 0;
    q->filled = next;
    return amp_priv_done();
}

/* The pool that is filled has space for a set of so many buffers, plain arguments and what is printed. */
static inline amp_priv_result amp_priv_vulkan_pool_room(amp_priv_vulkan_queue *q, uint32_t buffers)
{
    const amp_priv_vulkan_pool *const p = &q->sets[q->filled];
    return p->filling > 0 && p->sets < AMP_PRIV_VULKAN_SETS &&
                   p->descriptors + buffers + 2 <= AMP_PRIV_VULKAN_DESCRIPTORS
               ? amp_priv_done()
               : amp_priv_vulkan_pool_turn(q);
}

/* // >>set */

/* A set of a pool, and what it names. */
typedef struct amp_priv_vulkan_set {
    amp_vk_object set, buffer[AMP_PRIV_VULKAN_BINDINGS];
    unsigned pool;
    uint64_t filling; /* the pool's when the set was made; 0: there is no set */
    uint64_t closed;  /* the device's count of buffers that were closed, then */
} amp_priv_vulkan_set;

/* The sets of a kernel. */
typedef struct amp_priv_vulkan_sets {
    amp_priv_vulkan_set kept[AMP_PRIV_VULKAN_SETS_KEPT];
    unsigned next; /* gives way to the next one */
} amp_priv_vulkan_sets;

/* Since it was made its pool was not emptied, and no buffer was closed, whose handle may name another one by now. */
static inline bool amp_priv_vulkan_set_is_valid(const amp_priv_vulkan_queue *q, const amp_priv_vulkan_set *set)
{
    return set->filling > 0 && q->sets[set->pool].filling == set->filling &&
           set->closed == atomic_load_explicit(&q->device->closed, memory_order_relaxed);
}

/* A kept set of the queue with these buffers; NULL: there is none. */
static inline amp_priv_vulkan_set *amp_priv_vulkan_set_find(const amp_priv_vulkan_queue *q, amp_priv_vulkan_sets *sets,
                                                            const amp_vk_object *buffer, unsigned count)
{
    for (unsigned i = 0; i < AMP_PRIV_VULKAN_SETS_KEPT; i++)
        if (amp_priv_vulkan_set_is_valid(q, &sets->kept[i]) &&
            !memcmp(sets->kept[i].buffer, buffer, count * sizeof *buffer))
            return &sets->kept[i];
    return NULL;
}

/* A new set, of which the caller writes the descriptors. pre: the pool has space. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_vulkan_set_take(amp_priv_vulkan_queue *q, amp_priv_vulkan_sets *sets,
                                                            amp_vk_object layout, const amp_vk_object *buffer,
                                                            unsigned count, amp_priv_vulkan_set **set)
{
    amp_priv_vulkan_pool *const p = &q->sets[q->filled];
    amp_priv_vulkan_set *const s = &sets->kept[sets->next];
    const amp_vk_set_info info = { .type = AMP_VK_SET_INFO, .pool = p->pool, .count = 1, .layouts = &layout };
    s->filling = 0;
    const int code = amp_priv_vk.AllocateDescriptorSets(amp_priv_vulkan_handle(q->device), &info, &s->set);
    if (code != AMP_VK_SUCCESS)
        return amp_priv_vulkan_failed("vkAllocateDescriptorSets", code);
    p->sets++;
    p->descriptors += count + 2;
    memcpy(s->buffer, buffer, count * sizeof *buffer);
    s->pool = q->filled;
    s->filling = p->filling;
    s->closed = atomic_load_explicit(&q->device->closed, memory_order_relaxed);
    sets->next = (sets->next + 1) % AMP_PRIV_VULKAN_SETS_KEPT;
    *set = s;
    return amp_priv_done();
}

#endif /* AMP_VULKAN_VULKAN_SETS_H */
