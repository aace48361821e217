/* SPDX-License-Identifier: MIT */
/*  amp/memory/replica.h - the copies of a source on devices. Builds for the CPU backend alone have none */
#ifndef AMP_MEMORY_REPLICA_H
#define AMP_MEMORY_REPLICA_H

#include "../device/queue.h"
#include "coherence.h"

enum { AMP_PRIV_MAX_BLOCKS = 512 /* a directory with more collapses to its owner */ };

/* Registered ("pinned") host memory moves at the bus's speed, several times faster. Registering costs 28 ms per GiB on
   an H200, the transfer of a GiB 20 ms afterwards and 100 ms without; large chunks cost more than the same in four. */
enum {
    AMP_PRIV_PIN_BYTES = 1 << 20,      /* host memory of a source from this size on is registered */
    AMP_PRIV_PIN_AFTER = 32 << 20,     /* when so much of it, and half of it, was moved or is about to be */
    AMP_PRIV_PIN_IN_CHUNKS = 64 << 20, /* from this size on in chunks */
    AMP_PRIV_PIN_CHUNKS = 4
};

/* Host memory that is registered with a device, in chunks. A transfer across chunks would be slow: it is cut at their
   borders. */
typedef struct amp_priv_pin {
    amp_priv_device *device;
    char *host;
    size_t bytes, chunk_bytes;
    int count; /* of chunks; 0: not registered */
    void *registration[AMP_PRIV_PIN_CHUNKS];
    struct amp_priv_pin *next; /* of amp_priv_pins */
} amp_priv_pin;

/* What a queue has in flight on a source's buffer: the numbers of the last command that used it, and of the last that
   wrote it (0: none). Queues are in order, so those two stand for all. The queue may be closed, its record is kept. */
typedef struct amp_priv_pending_access {
    amp_priv_queue *queue;
    uint64_t last, write;
    void *mark; /* an event that another queue had to wait for, and the last command before it; NULL: none yet */
    uint64_t marked;
} amp_priv_pending_access;

enum { AMP_PRIV_INLINE_ACCESSES = 2 };

/* The first member of what a module keeps with a replica, and its end. */
typedef struct amp_priv_kept {
    void (*end)(amp_priv_device *device, struct amp_priv_kept *kept);
} amp_priv_kept;

/* The source's buffer on one device: the host memory itself where the device shares it. */
typedef struct amp_priv_replica {
    amp_priv_device *device;
    void *buffer;
    size_t first, bytes;     /* the part of the source that it has: all, but where launches on groups alone used it */
    amp_priv_pin pin;        /* the source's host memory */
    size_t moved;            /* bytes, until it is registered */
    uint64_t changes;        /* how often the buffer was written, as far as the library knows: */
    bool externally_visible; /* or by the user's own commands, at any time */
    bool borrowed;           /* the buffer is: it is not closed */
    amp_priv_kept *images;   /* amp/graphics */
    int access_count, access_capacity;
    amp_priv_pending_access *accesses;
    amp_priv_pending_access inline_accesses[AMP_PRIV_INLINE_ACCESSES];
} amp_priv_replica;

/* Deferred read of an int result: when the host next reads it, `look` is called with its value, unless the replica has
   been written since. So a selection reports that its result was too short, and its call does not wait. */
typedef struct amp_priv_deferred_read {
    const char *data; /* where it belongs in the source's host memory */
    const amp_priv_replica *replica;
    uint64_t changes; /* the replica's, when it was written */
    void (*look)(const struct amp_priv_deferred_read *awaited, int value);
} amp_priv_deferred_read;

#endif /* AMP_MEMORY_REPLICA_H */
