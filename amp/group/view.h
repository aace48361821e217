/* SPDX-License-Identifier: MIT */
/*  amp/group/view.h - what stands behind the accelerator view of a group, of a streamed view, and of ranks */
#ifndef AMP_GROUP_VIEW_H
#define AMP_GROUP_VIEW_H

#include "../device/buffer.h"
#include "../device/queue.h"

enum { AMP_PRIV_STREAM_PARTS = 3 /* of a launch on the device: one is copied there, one runs, one is copied back */ };

/* An accelerator view through whose device a launch goes in parts. Its memory there is kept for the next launch. */
typedef struct amp_priv_stream {
    amp_priv_mutex lock; /* one launch at a time */
    size_t bytes;        /* of the device's memory, at most */
    amp_priv_queue *upload, *download;
    void *buffer[AMP_PRIV_STREAM_PARTS][AMP_PRIV_MAX_CAPTURES];
    size_t held[AMP_PRIV_STREAM_PARTS][AMP_PRIV_MAX_CAPTURES]; /* bytes of each */
} amp_priv_stream;

/* What a group that spans processes adds (amp/mpi). */
typedef struct amp_priv_ranks {
    uint64_t number; /* no other record has it */
    void (*end)(struct amp_priv_ranks *ranks);
} amp_priv_ranks;

/* A group of accelerators: the queues of their default views. Of a streamed view: one queue. */
typedef struct amp_priv_group {
    amp_priv_division division; /* first: what the core knows */
    int count;
    amp_priv_stream *stream;                 /* NULL: none */
    amp_priv_ranks *ranks;                   /* of other processes; NULL: all are in this one */
    bool shares_given;                       /* AMP_GROUP_BANDS: they do not change */
    atomic_uint share[AMP_PRIV_MAX_DEVICES]; /* of the rows of a launch, in proportion; all 0: equal bands */
    atomic_llong gain;                       /* nanoseconds by which bands are faster, of the kernels that were timed */
    amp_priv_queue *member[AMP_PRIV_MAX_DEVICES];
} amp_priv_group;

/* What stands behind a queue, or NULL. */
static inline amp_priv_group *amp_priv_group_of(const amp_priv_queue *queue)
{
    return (amp_priv_group *)(void *)amp_priv_queue_division(queue); /* its first member */
}

/* Closes the buffers that a streamed view keeps. Nothing uses them between its launches. */
AMP_PRIV_COLD void amp_priv_stream_close(amp_priv_stream *stream)
{
    for (int part = 0; part < AMP_PRIV_STREAM_PARTS; part++)
        for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++) {
            if (stream->buffer[part][i])
                amp_priv_buffer_close(stream->upload->device, stream->buffer[part][i]);
            stream->buffer[part][i] = NULL;
            stream->held[part][i] = 0;
        }
}

/* The last owner of the view has released it. */
AMP_PRIV_COLD void amp_priv_group_end(amp_priv_division *division)
{
    amp_priv_group *const group = (amp_priv_group *)(void *)division;
    amp_priv_stream *const stream = group->stream;
    if (group->ranks)
        group->ranks->end(group->ranks);
    if (stream) {
        if (stream->upload)
            amp_priv_stream_close(stream);
        if (stream->upload)
            amp_priv_queue_release(stream->upload);
        if (stream->download)
            amp_priv_queue_release(stream->download);
        amp_priv_queue_release(group->member[0]);
        amp_priv_mutex_end(&stream->lock);
        free(stream);
    }
    free(group);
}

AMP_PRIV_COLD void amp_priv_stream_undivided(const char *path)
{
    amp_priv_log(AMP_PRIV_LOG_WARNING,
                 "an algorithm on a streamed view is not cut into bands: its data must fit the memory of %s", path);
}

AMP_PRIV_COLD void amp_priv_group_undivided(const char *path)
{
    amp_priv_log(AMP_PRIV_LOG_WARNING,
                 "an algorithm that is not divided, such as a selection or a sort, runs on one accelerator of the "
                 "group: %s",
                 path);
}

/* The view is the group's from here on. */
AMP_PRIV_COLD void amp_priv_group_attach(amp_priv_queue *queue, amp_priv_group *group)
{
    group->division.undivided = group->stream ? amp_priv_stream_undivided : amp_priv_group_undivided;
    group->division.parts = group->stream ? 256 : 4 * group->count;
    group->division.bytes = group->stream ? group->stream->bytes : 0;
    queue->division = &group->division;
    queue->members = group->count;
    queue->member = group->member;
}

#endif /* AMP_GROUP_VIEW_H */
