/* SPDX-License-Identifier: MIT */
/*  amp/memory/handles.h - reference counts of sources, and detection of views used after release

    Contents (search for the tag):
        >>references  >>pool */
#ifndef AMP_MEMORY_HANDLES_H
#define AMP_MEMORY_HANDLES_H

#include "../base/text.h"
#include "../device/view_header.h"

static inline unsigned amp_priv_generation_of(amp_priv_handle_slot *life)
{
    return atomic_load_explicit(&life->access, memory_order_relaxed) & ~(AMP_PRIV_STAMP_STEP - 1u);
}

/* Has the source ended that the view was made on? */
static inline bool amp_priv_is_stale(amp_priv_handle_slot *life, const amp_priv_head *head)
{
    return atomic_load_explicit(&life->access, memory_order_relaxed) - head->stamp >= AMP_PRIV_STAMP_STEP;
}

#if defined(AMP_CHECKED)

enum { AMP_PRIV_ENDED_KEPT = 1024 /* records, so that messages about the last that ended are true */ };

/* Where the macro stands that this thread is in, or was in last. */
typedef struct amp_priv_place {
    const char *what, *function, *file;
    int line;
} amp_priv_place;

AMP_PRIV_GLOBAL_THREAD(amp_priv_place, amp_priv_this_place)

AMP_PRIV_API void amp_priv_place_is(const char *what, const char *function, const char *file, int line)
{
    amp_priv_this_place = (amp_priv_place){ what, function, file, line };
}

/* "AMP_ARRAY_VIEW(int, 1, v) at file:line in function"; only `call` where the macro is another. */
AMP_PRIV_COLD void amp_priv_place_text(char *text, size_t size, const char *call)
{
    const amp_priv_place *const at = &amp_priv_this_place;
    if (at->what && !strncmp(at->what, call, strlen(call)))
        snprintf(text, size, "%s at %s:%d in %s", at->what, at->file, at->line, at->function);
    else
        snprintf(text, size, "%s", call);
}

#endif

#if !defined(AMP_CHECKED)

enum { AMP_PRIV_ENDED_KEPT = 0 };

#endif

static inline void amp_priv_handle_made(amp_priv_handle_slot *life, const char *call)
{
#if defined(AMP_CHECKED)
    amp_priv_place_text(life->made, sizeof life->made, call);
#else
    (void)life, (void)call;
#endif
}

static inline void amp_priv_handle_ended(amp_priv_handle_slot *life, const char *call)
{
#if defined(AMP_CHECKED)
    amp_priv_place_text(life->ended, sizeof life->ended, call);
#else
    (void)life, (void)call;
#endif
}

/* Reports that a view is used whose source has ended. what: "AMP_AT: the view", "kernel in f, ...: v". */
AMP_PRIV_COLD amp_status amp_priv_stale_report(amp_priv_handle_slot *life, const amp_priv_head *head, const char *what)
{
    static const char cure[] = "retain a view that must outlive what it was made from (amp_array_view_retain)";
#if defined(AMP_CHECKED)
    if (amp_priv_generation_of(life) - head->stamp == AMP_PRIV_STAMP_STEP && life->made[0])
        return amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                               "%s was already released: its data were made by %s and ended by %s; %s", what,
                               life->made, life->ended, cure);
    return amp_priv_report(AMP_UNINITIALIZED_OBJECT, "%s was already released, more than %d releases ago; %s", what,
                           AMP_PRIV_ENDED_KEPT, cure);
#else
    (void)life, (void)head;
    return amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                           "%s was already released: the scope that declared it has ended, or it was released "
                           "explicitly (-DAMP_CHECKED shows where); %s",
                           what, cure);
#endif
}

/* // >>references */

typedef struct amp_priv_pool {
    amp_priv_mutex lock;
    int count; /* of sources that ended, which wait to be used again: the longest first */
    amp_priv_handle_slot *first, *last;
    atomic_uintptr_t newest;        /* of all records there ever were */
    atomic_bool has_device_changes; /* the host did not have some user memory all to itself, ever */
} amp_priv_pool;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_pool, amp_priv_handle_table, mutex(lock))

static inline int amp_priv_reference_find(const amp_priv_handle_slot *life, unsigned short number)
{
    int i = life->reference_count - 1;
    while (i >= 0 && life->references[i] != number)
        i--;
    return i;
}

/* Capacity for one more; false: there is no memory for it. With the pool's lock held. */
static inline bool amp_priv_reference_room(amp_priv_handle_slot *life)
{
    return life->reference_count < life->reference_capacity ||
           amp_priv_list_reserve(&life->references, &life->reference_capacity, life->reference_count + 1,
                                 sizeof *life->references, life->inline_references);
}

/* Another reference of the source that head looks at; its number, or 0 when there can be none. */
AMP_PRIV_NOINLINE unsigned short amp_priv_reference_add(amp_priv_handle_slot *life, const amp_priv_head *head)
{
    unsigned short number = 0;
    amp_priv_lock(&amp_priv_handle_table.lock);
    if (!amp_priv_is_stale(life, head) && life->reference_count < AMP_PRIV_LAST_REFERENCE &&
        amp_priv_reference_room(life)) {
        number = life->last_reference;
        do
            number = number == AMP_PRIV_LAST_REFERENCE ? AMP_PRIV_FIRST_REFERENCE : (unsigned short)(number + 1);
        while (amp_priv_reference_find(life, number) >= 0);
        life->last_reference = number;
        life->references[life->reference_count++] = number;
    }
    amp_priv_unlock(&amp_priv_handle_table.lock);
    return number;
}

/* Gives the reference back that head stands for. False when that was done before. */
AMP_PRIV_NOINLINE bool amp_priv_reference_drop(amp_priv_handle_slot *life, const amp_priv_head *head,
                                               unsigned short number, const char *call)
{
    amp_priv_lock(&amp_priv_handle_table.lock);
    const int i = amp_priv_is_stale(life, head) ? -1 : amp_priv_reference_find(life, number);
    if (i >= 0) {
        life->references[i] = life->references[--life->reference_count];
        amp_priv_handle_ended(life, call);
    }
    amp_priv_unlock(&amp_priv_handle_table.lock);
    return i >= 0;
}

/* // >>pool */

/* The list of all records stores ~address, so that leak checkers still report handles that the program never released.
   No record leaves the list, so readers take no lock. */
static inline amp_priv_handle_slot *amp_priv_handle_behind(uintptr_t listed)
{
    return listed ? (amp_priv_handle_slot *)~listed : NULL;
}

static inline void amp_priv_handle_list(amp_priv_handle_slot *life)
{
    life->older = atomic_load_explicit(&amp_priv_handle_table.newest, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&amp_priv_handle_table.newest, &life->older, ~(uintptr_t)life,
                                                  memory_order_release, memory_order_relaxed))
        ;
}

/* Does a source live that looks at some of the bytes from `first` to `end`? Without its lock: maybe. */
static inline bool amp_priv_handle_overlaps(amp_priv_handle_slot *life, uintptr_t first, uintptr_t end)
{
    const uintptr_t mine = atomic_load_explicit(&life->first, memory_order_acquire);
    return mine && mine < end && first < atomic_load_explicit(&life->end, memory_order_relaxed);
}

/* The first such one from `life` on, and of all. NULL: none. */
static inline amp_priv_handle_slot *amp_priv_handle_from(amp_priv_handle_slot *life, uintptr_t first, uintptr_t end)
{
    while (life && __builtin_expect(!amp_priv_handle_overlaps(life, first, end), 1))
        life = amp_priv_handle_behind(life->older);
    return life;
}
static inline amp_priv_handle_slot *amp_priv_handle_newest(uintptr_t first, uintptr_t end)
{
    const uintptr_t newest = atomic_load_explicit(&amp_priv_handle_table.newest, memory_order_acquire);
    return amp_priv_handle_from(amp_priv_handle_behind(newest), first, end);
}
static inline amp_priv_handle_slot *amp_priv_handle_next(const amp_priv_handle_slot *life, uintptr_t first,
                                                         uintptr_t end)
{
    return amp_priv_handle_from(amp_priv_handle_behind(life->older), first, end);
}

/* A life with its first reference, at the start of `size` bytes; what follows it is as the last user left it, or 0.
   NULL: there is no memory. *is_new: it was never used before. */
AMP_PRIV_NOINLINE amp_priv_handle_slot *amp_priv_handle_begin(size_t size, bool *is_new)
{
    amp_priv_pool *const pool = &amp_priv_handle_table;
    amp_priv_handle_slot *life = NULL;
    amp_priv_lock(&pool->lock);
    if (pool->count > AMP_PRIV_ENDED_KEPT) {
        life = pool->first;
        pool->first = life->next;
        pool->count--;
    }
    amp_priv_unlock(&pool->lock);
    *is_new = !life;
    if (!life)
        life = calloc(1, size);
    if (!life)
        return NULL;
    if (*is_new) {
        atomic_init(&life->access, AMP_PRIV_HOST_ASKS);
        amp_priv_handle_list(life);
    }
    life->references = life->inline_references;
    life->references[0] = life->last_reference = AMP_PRIV_FIRST_REFERENCE;
    life->reference_count = 1;
    life->reference_capacity = AMP_PRIV_INLINE_REFERENCES;
    life->variable = 0;
    life->next = NULL;
    return life;
}

/* The source has ended: views on it are stale from here on. */
AMP_PRIV_NOINLINE void amp_priv_handle_end(amp_priv_handle_slot *life)
{
    amp_priv_pool *const pool = &amp_priv_handle_table;
    amp_priv_lock(&pool->lock);
    atomic_store_explicit(&life->access, amp_priv_generation_of(life) + AMP_PRIV_STAMP_STEP + AMP_PRIV_HOST_ASKS,
                          memory_order_relaxed);
    if (life->references != life->inline_references)
        free(life->references);
    life->reference_count = 0;
    life->references = life->inline_references;
    if (pool->count++ > 0)
        pool->last->next = life;
    else
        pool->first = life;
    pool->last = life;
    amp_priv_unlock(&pool->lock);
}

#endif /* AMP_MEMORY_HANDLES_H */
