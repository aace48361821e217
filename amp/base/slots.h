/* SPDX-License-Identifier: MIT */
/*  amp/base/slots.h - the records behind handles that are passed by value: futures and recordings

    A record is used again and never freed. A handle has the record's address and its generation. The release of one
    copy of the handle changes the generation, so that each use of another copy is refused. */
#ifndef AMP_BASE_SLOTS_H
#define AMP_BASE_SLOTS_H

#include "error.h"

/* The first member of such a record. */
typedef struct amp_priv_slot {
    const char *stamp;          /* amp_priv_is_ours */
    atomic_ullong state;        /* the generation in the upper half; references in the lower one */
    struct amp_priv_slot *next; /* in the list of records that wait to be used again */
} amp_priv_slot;

typedef struct amp_priv_slot_pool {
    amp_priv_mutex lock;
    amp_priv_slot *futures, *recordings;
} amp_priv_slot_pool;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_slot_pool, amp_priv_slots, mutex(lock))

static inline unsigned amp_priv_slot_generation(const amp_priv_slot *slot)
{
    return (unsigned)(atomic_load_explicit(&slot->state, memory_order_acquire) >> 32);
}

/* A record of `size` bytes with one reference, all zero behind the slot; NULL without memory. */
AMP_PRIV_COLD void *amp_priv_slot_new(amp_priv_slot **spare, size_t size)
{
    amp_priv_lock(&amp_priv_slots.lock);
    amp_priv_slot *slot = *spare;
    if (slot)
        *spare = slot->next;
    amp_priv_unlock(&amp_priv_slots.lock);
    if (slot)
        memset(slot + 1, 0, size - sizeof *slot);
    else
        slot = calloc(1, size);
    if (!slot)
        return NULL;
    slot->stamp = amp_priv_stamp;
    slot->next = NULL;
    atomic_fetch_add(&slot->state, 1);
    return slot;
}

/* Another reference. */
static inline void amp_priv_slot_retain(amp_priv_slot *slot)
{
    atomic_fetch_add_explicit(&slot->state, 1, memory_order_relaxed);
}

/* A reference for the time of a call, if a handle with this generation was not released. Else reports that: `what` is
   "this amp_future". */
AMP_PRIV_COLD bool amp_priv_slot_hold(amp_priv_slot *slot, unsigned generation, const char *call, const char *what)
{
    if (!amp_priv_is_ours(slot)) {
        amp_priv_report_foreign(slot, call, what);
        return false;
    }
    unsigned long long state = atomic_load(&slot->state);
    while (state >> 32 == generation)
        if (atomic_compare_exchange_weak(&slot->state, &state, state + 1))
            return true;
    amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                    "%s: %s was already released through a copy of it; release it after the last use of its copies",
                    call, what);
    return false;
}

/* The handle is released: its copies are refused from here on. The caller holds the record. False: another thread has
   released it meanwhile. */
AMP_PRIV_COLD bool amp_priv_slot_end(amp_priv_slot *slot, unsigned generation)
{
    unsigned long long state = atomic_load(&slot->state);
    while (state >> 32 == generation)
        if (atomic_compare_exchange_weak(&slot->state, &state, state + (UINT64_C(1) << 32)))
            return true;
    return false;
}

/* One reference less. True: it was the last, and the caller clears the record and calls amp_priv_slot_spare. */
static inline bool amp_priv_slot_drop(amp_priv_slot *slot)
{
    return (uint32_t)atomic_fetch_sub_explicit(&slot->state, 1, memory_order_acq_rel) == 1;
}

AMP_PRIV_COLD void amp_priv_slot_spare(amp_priv_slot **spare, amp_priv_slot *slot)
{
    amp_priv_lock(&amp_priv_slots.lock);
    slot->next = *spare;
    *spare = slot;
    amp_priv_unlock(&amp_priv_slots.lock);
}

#endif /* AMP_BASE_SLOTS_H */
