/* SPDX-License-Identifier: MIT */
/*  amp/group/group.h - groups of accelerators, and streamed views: a launch in parts

    Hook: place. Registered by the calls that make such a view. amp_group.h includes it.

    Contents (search for the tag):
        >>make */
#ifndef AMP_GROUP_GROUP_H
#define AMP_GROUP_GROUP_H

#include "../api/group.h"
#include "../launch/start.h"
#include "view.h"

#if AMP_PRIV_HAS_DEVICES
#include "group_launch.h"
#else
AMP_PRIV_COLD amp_priv_outcome amp_priv_group_launch(amp_priv_launch *launch, amp_priv_queue **one)
{
    launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_GROUP);
    *one = amp_priv_queue_division(*one) ? (*one)->member[0] : *one;
    return AMP_PRIV_STEP_RUN;
}
#endif

/* // >>make */

/* The accelerators of a group that is to have all. */
AMP_PRIV_COLD int amp_priv_group_all(amp_accelerator *accelerators)
{
    int count = 0;
    amp_priv_devices_init();
    amp_priv_device *const usual = amp_priv_default_device();
    for (int emulated = 0; emulated < 2 && count == 0; emulated++)
        for (int i = 0; i < amp_priv_accelerators.count; i++) {
            amp_priv_device *const device = amp_priv_accelerators.device[i];
            if (emulated ? device->backend == usual->backend : !device->is_emulated)
                accelerators[count++].amp_priv_device = device;
        }
    for (int i = 1; i < count; i++) /* the default is the first */
        if (accelerators[i].amp_priv_device == usual) {
            accelerators[i] = accelerators[0];
            accelerators[0].amp_priv_device = usual;
        }
    return count;
}

/* Is it a device, and not what a view's handle leads to? */
AMP_PRIV_COLD bool amp_priv_group_knows(const amp_priv_device *device)
{
    amp_priv_devices_init();
    for (int i = 0; i < amp_priv_accelerators.count; i++)
        if (amp_priv_accelerators.device[i] == device)
            return true;
    return false;
}

/* Can these be one group? Reports why not. */
AMP_PRIV_COLD bool amp_priv_group_good(const amp_accelerator *accelerators, int count, const char *call)
{
    int host = -1;
    for (int i = 0; i < count; i++) {
        const amp_priv_device *const given = accelerators[i].amp_priv_device;
        if (given && !amp_priv_group_knows(given)) {
            amp_priv_report(AMP_INVALID_ARGUMENT,
                            "%s: number %d of the list is no accelerator: of an accelerator view v, give "
                            "amp_accelerator_view_accelerator(v)",
                            call, i);
            return false;
        }
        const amp_priv_device *const device = amp_priv_accelerator_device(accelerators[i], call);
        if (!device)
            return false;
        for (int j = 0; j < i; j++)
            if (accelerators[j].amp_priv_device == device) {
                amp_priv_report(AMP_INVALID_ARGUMENT, "%s: %s is number %d and number %d of the list; name it once",
                                call, device->path, j, i);
                return false;
            }
        host = amp_priv_is_host(device->number) ? i : host;
    }
    if (count > 1 && host >= 0)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: number %d of the list is %s, which cannot be in a group with others; leave it out", call,
                        host, accelerators[host].amp_priv_device->path);
    return count == 1 || host < 0;
}

/* A group without members; NULL where there is no memory for it. */
AMP_PRIV_COLD amp_priv_group *amp_priv_group_new(void)
{
    static const amp_priv_hook hook = { .place = amp_priv_group_launch };
    amp_priv_hook_add(AMP_PRIV_HOOK_GROUP, &hook);
    amp_priv_group *const group = calloc(1, sizeof *group);
    if (group)
        group->division.end = amp_priv_group_end;
    return group;
}

/* What AMP_GROUP_BANDS says: `equal`, or how fast each accelerator is: `3,1`. */
AMP_PRIV_COLD void amp_priv_group_read_shares(amp_priv_group *group, int count)
{
    enum { AMP_PRIV_MOST = 1 << 20 };
    const char *p = amp_priv_environment("AMP_GROUP_BANDS");
    if (!p || !*p)
        return;
    group->shares_given = !strcmp(p, "equal") || (strspn(p, "0123456789") && !p[strspn(p, "0123456789, ")]);
    if (!group->shares_given)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "AMP_GROUP_BANDS is \"%s\"; it can be equal, or a number for each accelerator, as in 3,1", p);
    for (int m = 0; group->shares_given && *p >= '0' && *p <= '9' && m < count; m++) {
        const unsigned long share = strtoul(p, NULL, 10);
        atomic_store(&group->share[m], share > AMP_PRIV_MOST ? AMP_PRIV_MOST : share ? (unsigned)share : 1);
        p += strspn(p, "0123456789");
        p += strspn(p, ", ");
    }
}

/* A view of the group, with the queues of its members; NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_group_open(const amp_accelerator *accelerators, int count, const char *call)
{
    amp_priv_group *const group = amp_priv_group_new();
    amp_priv_queue *queue = NULL;
    if (group)
        queue = amp_priv_queue_record(accelerators[0].amp_priv_device, AMP_QUEUING_AUTOMATIC, call);
    else
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a group", call);
    bool good = queue != NULL;
    for (; good && group->count < count; group->count += good) {
        amp_priv_device *const device = accelerators[group->count].amp_priv_device;
        group->member[group->count] = amp_priv_device_check_alive(device, call) ? amp_priv_device_queue(device) : NULL;
        good = group->member[group->count] != NULL;
    }
    if (good) {
        amp_priv_group_read_shares(group, count);
        amp_priv_group_attach(queue, group);
        return queue;
    }
    free(group);
    if (queue)
        amp_priv_queue_recycle(queue);
    return NULL;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_group(const amp_accelerator *accelerators, int count)
{
    static const char call[] = "amp_accelerator_view_create_group";
    const amp_accelerator_view none = { NULL };
    amp_accelerator all[AMP_PRIV_MAX_DEVICES];
    amp_priv_same_build();
    if (!accelerators || count == 0) {
        count = amp_priv_group_all(all);
        accelerators = all;
    }
    if (count < 1 || count > AMP_PRIV_MAX_DEVICES) {
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the list has %d accelerators; it can have 1 to %d", call, count,
                        AMP_PRIV_MAX_DEVICES);
        return none;
    }
    if (!amp_priv_group_good(accelerators, count, call))
        return none;
    if (count == 1)
        return amp_accelerator_default_view(accelerators[0]);
    return (amp_accelerator_view){ amp_priv_group_open(accelerators, count, call) };
}

/* What a streamed view stands for; NULL after reporting. */
AMP_PRIV_COLD amp_priv_group *amp_priv_stream_open_on(amp_priv_queue *queue, size_t bytes, const char *call)
{
    amp_priv_group *const group = amp_priv_group_new();
    amp_priv_stream *const stream = calloc(1, sizeof *stream);
    if (!group || !stream) {
        free(group);
        free(stream);
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a streamed view", call);
        return NULL;
    }
    amp_priv_mutex_init(&stream->lock);
    amp_priv_queue_retain(queue);
    group->count = 1;
    group->member[0] = queue;
    group->stream = stream;
    stream->bytes = bytes;
    stream->upload = amp_priv_queue_new(queue->device, AMP_QUEUING_AUTOMATIC, false, call);
    stream->download = stream->upload ? amp_priv_queue_new(queue->device, AMP_QUEUING_AUTOMATIC, false, call) : NULL;
    if (stream->download)
        return group;
    amp_priv_group_end(&group->division);
    return NULL;
}

AMP_PRIV_API amp_accelerator_view amp_accelerator_view_create_streamed(amp_accelerator_view view, size_t bytes)
{
    static const char call[] = "amp_accelerator_view_create_streamed";
    const amp_accelerator_view none = { NULL };
    if (!amp_priv_same_build())
        return none;
    const amp_priv_group *const divided = amp_priv_group_of(view.amp_priv_queue);
    if (divided) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the view is a %s; give a view of one accelerator (amp_accelerator_default_view)", call,
                        divided->stream ? "streamed view" : "group");
        return none;
    }
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    if (amp_priv_queue_usable(queue, call) != AMP_OK)
        return none;
    if (bytes == 0) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: 0 bytes; give how much of the memory of %s launches may use, at least a few of their rows",
                        call, queue->device->path);
        return none;
    }
    if (queue->device->shares_host) { /* it works where the data are */
        amp_priv_queue_retain(queue);
        return (amp_accelerator_view){ queue };
    }
    amp_priv_group *const group = amp_priv_stream_open_on(queue, bytes, call);
    amp_priv_queue *const streamed = group ? amp_priv_queue_record(queue->device, queue->mode, call) : NULL;
    if (streamed)
        amp_priv_group_attach(streamed, group);
    else if (group)
        amp_priv_group_end(&group->division);
    return (amp_accelerator_view){ streamed };
}

#endif /* AMP_GROUP_GROUP_H */
