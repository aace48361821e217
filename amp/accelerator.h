/* SPDX-License-Identifier: MIT */
/*  amp/accelerator.h - what kernels can run on: accelerators, and accelerator views (their queues).

    The list of accelerators is made once per process: the CPU loops ("cpu") first, then every device of the
    other backends. This file knows devices only through the table in amp/backend.h.

    Contents (search for the tag):
        >>state  >>list  >>text  >>default  >>report  >>command  >>queue  >>accelerator  >>view  >>removal       */
#ifndef AMP_ACCELERATOR_H
#define AMP_ACCELERATOR_H

#include "backend.h"
#include "trace.h"

/* An accelerator: a handle, passed by value. One that is all zero (from a call that failed) is none. */
typedef struct amp_accelerator {
    amp_priv_device *amp_priv_device;
} amp_accelerator;

/* An accelerator view: a handle to a queue, passed by value. One that is all zero is the auto-selection view: each
   launch chooses, by where its data are. */
typedef struct amp_accelerator_view {
    amp_priv_queue *amp_priv_queue;
} amp_accelerator_view;

/* // >>state */

typedef struct amp_priv_accelerator_state {
    amp_priv_once once;  /* makes the list */
    amp_priv_mutex lock; /* for what follows, where it is not atomic */
    int count;
    amp_priv_device *device[AMP_PRIV_MAX_DEVICES];
    _Atomic(amp_priv_queue *) queue[AMP_PRIV_MAX_DEVICES]; /* of the default views, opened at first use */
    atomic_int cpu_access[AMP_PRIV_MAX_DEVICES];           /* amp_priv_cpu_access; 0: not chosen, not used */
    amp_priv_device *user_default;                         /* by amp_accelerator_set_default */
    _Atomic(amp_priv_device *) default_device;             /* the default accelerator, once it was used */
    _Atomic(amp_priv_queue *) default_queue;
    amp_priv_queue *spare_queue; /* records for the next views */
} amp_priv_accelerator_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_accelerator_state, amp_priv_accelerators, once(once), mutex(lock))

/* The records of the list, which are there whatever memory there is: the CPU loops' is the last resort. */
typedef amp_priv_device amp_priv_device_records[AMP_PRIV_MAX_DEVICES];

AMP_PRIV_GLOBAL(amp_priv_device_records, amp_priv_devices)

/* Held while a runtime looks for devices: drivers begin then, and some (pocl 3.1) crash where two threads make them. */
AMP_PRIV_GLOBAL_MUTEX_OF_ALL(amp_priv_discovery)

/* // >>list */

enum { AMP_PRIV_MAX_BACKENDS = 4 };

/* Puts the backends into list, the CPU loops first, and returns their number (amp.h). */
static inline int amp_priv_backends(const amp_priv_backend **list);

/* The length of the hardware's name, with which a description begins: "NVIDIA H100 (CUDA)". */
AMP_PRIV_COLD size_t amp_priv_device_name_length(const amp_priv_device *device)
{
    size_t length = strlen(device->description), end = length;
    for (size_t i = 0; i + 1 < length; i++)
        if (!strncmp(device->description + i, " (", 2))
            end = i;
    return end;
}

/* Is the GPU there already, by another backend? The first one has it, and all of that name. */
AMP_PRIV_COLD bool amp_priv_device_is_listed(const amp_priv_device *device)
{
    const amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    const size_t length = amp_priv_device_name_length(device);
    for (int i = 0; i < state->count && device->is_gpu; i++) {
        const amp_priv_device *const other = state->device[i];
        if (!other->is_gpu || !strcmp(other->backend->name, device->backend->name) ||
            amp_priv_device_name_length(other) != length ||
            memcmp(other->description, device->description, length) != 0)
            continue;
        amp_priv_log(AMP_PRIV_LOG_INFO, "%s is left out: it is %s", device->path, other->path);
        return true;
    }
    return false;
}

/* Backends call this from discover, for each device. Returns the record in the list, NULL when that is full, or has
   the device. */
AMP_PRIV_COLD amp_priv_device *amp_priv_device_add(const amp_priv_device *device)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    if (amp_priv_device_is_listed(device))
        return NULL;
    if (state->count == AMP_PRIV_MAX_DEVICES) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "%s is left out: there are more than %d accelerators here", device->path,
                     (int)AMP_PRIV_MAX_DEVICES);
        return NULL;
    }
    amp_priv_device *const record = &amp_priv_devices[state->count];
    memcpy(record, device, sizeof *record);
    record->stamp = amp_priv_stamp;
    atomic_init(&record->removed, false);
    record->number = state->count;
    const char *const threads = amp_priv_environment("AMP_THREADS_PER_ITEM");
    record->threads_per_item = threads ? (unsigned)strtoul(threads, NULL, 10) : 0;
    state->device[state->count++] = record;
    amp_priv_log(AMP_PRIV_LOG_INFO, "found %s: %s", record->path, record->description);
    return record;
}

/* Warns of variables whose value is none of theirs: what they do then is not what was meant. */
AMP_PRIV_COLD void amp_priv_environment_check(void)
{
    static const struct {
        const char *name, *words; /* NULL: a number; with a slash: or a folder */
        const char *what;
    } known[] = {
        { "AMP_CACHE", " 0 1 ", "0 or 1" },
        { "AMP_CACHE_SIZE", NULL, "a number of megabytes" },
        { "AMP_FORCE_COPIES", " 0 1 ", "0 or 1" },
        { "AMP_PROFILE", " 0 1 ", "0 or 1" },
        { "AMP_SHOW_KERNELS", " 0 1 2 / ", "0, 1, 2, or a folder and a slash, dir/" },
        { "AMP_SUBGROUPS", " 0 1 ", "0 or 1" },
        { "AMP_TEXTURE_UNITS", " 0 1 ", "0 or 1" },
        { "AMP_THREADS_PER_ITEM", " 0 1 2 4 8 16 32 64 ", "0, or a power of two up to 64" },
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *const value = amp_priv_environment(known[i].name), *const words = known[i].words;
        char word[16];
        if (!value || !value[0] || (!words && strspn(value, "0123456789") == strlen(value)) ||
            (words && strchr(words, '/') && strchr(value, '/')))
            continue;
        const int length = snprintf(word, sizeof word, " %s ", value);
        if (!words || length >= (int)sizeof word || !strstr(words, word))
            amp_priv_log(AMP_PRIV_LOG_WARNING, "%s is \"%s\"; it can be %s", known[i].name, value, known[i].what);
    }
}

AMP_PRIV_COLD void amp_priv_devices_find(void)
{
    const amp_priv_backend *list[AMP_PRIV_MAX_BACKENDS];
    const int count = amp_priv_backends(list);
    int found = 0;
    amp_priv_lock(&amp_priv_discovery);
    for (int i = 0; i < count; i++) {
        const int before = amp_priv_accelerators.count;
        list[i]->discover();
        if (i > 0)
            found += amp_priv_accelerators.count - before;
    }
    amp_priv_unlock(&amp_priv_discovery);
    if (count == 1)
        amp_priv_log(AMP_PRIV_LOG_INFO,
                     "built without AMP_BACKEND_OPENCL or AMP_BACKEND_CUDA: kernels run on the CPU loops only");
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    if (count > 1 && found == 0 && !(wanted && !strcmp(wanted, "cpu")))
        amp_priv_log(
            AMP_PRIV_LOG_WARNING,
            "no %s%s%s device here: kernels run on the CPU loops (AMP_LOG=info tells why, error silences this line)",
            list[1]->name, count > 2 ? " or " : "", count > 2 ? list[2]->name : "");
    amp_priv_environment_check();
#if !defined(AMP_CHECKED)
    const char *const stop = amp_priv_environment("AMP_BREAK_AT");
    if (stop && stop[0])
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_BREAK_AT stops nothing here: it takes a build with -DAMP_CHECKED");
#endif
}

/* Makes the list of devices, once. */
static inline void amp_priv_devices_init(void) { amp_priv_once_do(&amp_priv_accelerators.once, amp_priv_devices_find); }

/* // >>text */

/* The character in lower case: ASCII only, whatever the locale. */
AMP_PRIV_COLD char amp_priv_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

/* Does a device of the list have this path? For backends, while they add devices. */
AMP_PRIV_COLD bool amp_priv_path_taken(const char *path)
{
    for (int i = 0; i < amp_priv_accelerators.count; i++)
        if (!strcmp(amp_priv_accelerators.device[i]->path, path))
            return true;
    return false;
}

/* Appends a name to a path, in lower case, with "-" for what is neither letter nor digit. */
AMP_PRIV_COLD size_t amp_priv_path_add(char *path, size_t used, size_t limit, const char *name)
{
    bool gap = false;
    const size_t start = used;
    for (; *name && used + 1 < limit; name++) {
        const char c = amp_priv_lower(*name);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            if (gap && used > start)
                path[used++] = '-';
            if (used + 1 < limit)
                path[used++] = c;
            gap = false;
        } else {
            gap = true;
        }
    }
    path[used] = '\0';
    return used;
}

/* The path of a device that is to be added: prefix:platform/name/n, n counting those of one name. platform: or NULL. */
AMP_PRIV_COLD void amp_priv_device_name(amp_priv_device *device, const char *prefix, const char *platform,
                                        const char *name)
{
    size_t used = (size_t)snprintf(device->path, sizeof device->path, "%s:", prefix);
    if (platform) {
        used = amp_priv_path_add(device->path, used, 48, platform);
        device->path[used++] = '/';
    }
    used = amp_priv_path_add(device->path, used, sizeof device->path - 8, name);
    int n = 0;
    do
        snprintf(device->path + used, sizeof device->path - used, "/%d", n++);
    while (amp_priv_path_taken(device->path));
}

/* Is part in text? Upper and lower case are the same. */
AMP_PRIV_COLD bool amp_priv_contains_text(const char *text, const char *part)
{
    for (;; text++) {
        size_t n = 0;
        while (part[n] && amp_priv_lower(text[n]) == amp_priv_lower(part[n]))
            n++;
        if (!part[n])
            return true;
        if (!*text)
            return false;
    }
}

/* "cpu" (CPU loops), "opencl:..." (...), ...: what there is, for messages. */
AMP_PRIV_COLD const char *amp_priv_devices_text(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < amp_priv_accelerators.count && used < size; i++) {
        const amp_priv_device *const device = amp_priv_accelerators.device[i];
        const int n =
            snprintf(text + used, size - used, "%s\"%s\" (%s)", i ? ", " : "", device->path, device->description);
        if (n > 0)
            used += (size_t)n;
    }
    return text;
}

/* The device of that path; NULL if there is none. */
AMP_PRIV_COLD amp_priv_device *amp_priv_device_of_path(const char *path)
{
    amp_priv_devices_init();
    for (int i = 0; path && i < amp_priv_accelerators.count; i++)
        if (!strcmp(amp_priv_accelerators.device[i]->path, path))
            return amp_priv_accelerators.device[i];
    return NULL;
}

/* // >>default */

/* GPUs come before other hardware, and that before the CPU. OpenCL on the CPU is no faster than the CPU loops, which
   are the first of their rank and need no compiler at run time. */
AMP_PRIV_COLD int amp_priv_device_rank(const amp_priv_device *device)
{
    return device->is_gpu ? 2 : device->is_emulated ? 0 : 1;
}

/* The first device of the highest rank that has `part` in its path, or (`in_description`) in its description; NULL if
   there is none. */
AMP_PRIV_COLD amp_priv_device *amp_priv_device_best(const char *part, bool in_description)
{
    amp_priv_device *best = NULL;
    for (int i = 0; i < amp_priv_accelerators.count; i++) {
        amp_priv_device *const device = amp_priv_accelerators.device[i];
        if (amp_priv_contains_text(in_description ? device->description : device->path, part) &&
            (!best || amp_priv_device_rank(device) > amp_priv_device_rank(best)))
            best = device;
    }
    return best;
}

/* The accelerator that AMP_ACCELERATOR names: its path, else a part of path or description. NULL if it names none. */
AMP_PRIV_COLD amp_priv_device *amp_priv_device_named(const char *name)
{
    amp_priv_device *device = amp_priv_device_of_path(name);
    if (!device)
        device = amp_priv_device_best(name, false);
    return device ? device : amp_priv_device_best(name, true);
}

AMP_PRIV_COLD amp_priv_device *amp_priv_device_choose(void)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_devices_init();
    const char *const name = amp_priv_environment("AMP_ACCELERATOR");
    bool unknown = false;
    amp_priv_lock(&state->lock);
    amp_priv_device *device = atomic_load(&state->default_device);
    if (!device) {
        device = state->user_default;
        if (!device && name && name[0]) {
            device = amp_priv_device_named(name);
            unknown = !device;
        }
        if (!device)
            device = amp_priv_device_best("", false);
        atomic_store(&state->default_device, device);
        amp_priv_log(AMP_PRIV_LOG_INFO, "the default accelerator is %s: %s", device->path, device->description);
    }
    amp_priv_unlock(&state->lock);
    if (unknown) {
        char all[4096];
        amp_priv_report(
            AMP_RUNTIME_ERROR,
            "AMP_ACCELERATOR is \"%s\", but no accelerator has that in its path or description; there is %s", name,
            amp_priv_devices_text(all, sizeof all));
    }
    return device;
}

/* The default accelerator; asking for it settles which it is. Never NULL. */
static inline amp_priv_device *amp_priv_default_device(void)
{
    amp_priv_device *const device = atomic_load_explicit(&amp_priv_accelerators.default_device, memory_order_acquire);
    return device ? device : amp_priv_device_choose();
}

/* // >>report: the one place where what a backend could not do becomes an error. */

/* The device is gone: every later call on its views gives AMP_ACCELERATOR_VIEW_REMOVED with the first such reason, a
   text that lives as long as the process. Backends call it when a device fails for good, and tests do. */
AMP_PRIV_COLD void amp_priv_device_remove(amp_priv_device *device, const char *reason)
{
    amp_priv_lock(&amp_priv_accelerators.lock);
    if (!atomic_load(&device->removed)) {
        device->removed_reason = reason;
        atomic_store_explicit(&device->removed, true, memory_order_release);
        amp_priv_log(AMP_PRIV_LOG_WARNING, "%s (%s) was removed: %s", device->path, device->description, reason);
    }
    amp_priv_unlock(&amp_priv_accelerators.lock);
}

/* The same, for what a command that failed says of its device. */
AMP_PRIV_COLD void amp_priv_device_fails(amp_priv_device *device, bool by_kernel)
{
    amp_priv_device_remove(device, by_kernel ? "a kernel failed on it, probably by access outside of a view or array"
                                             : "the driver says that it is not available any more");
}

/* Does the device still do as it is asked, a small transfer on a queue of its own? No memory for it says nothing. */
AMP_PRIV_COLD bool amp_priv_device_works(amp_priv_device *device)
{
    static const amp_priv_rect word = { 0, sizeof(int), 1, sizeof(int), 1, sizeof(int) };
    const amp_priv_backend *const backend = device->backend;
    amp_priv_queue queue = { .device = device };
    void *buffer = NULL;
    int value = 0;
    amp_priv_result result = backend->queue_open(&queue);
    if (result.status == AMP_OK) {
        result = backend->buffer_open(device, sizeof value, NULL, &buffer);
        if (result.status == AMP_OK) {
            result = backend->transfer(&queue, buffer, &value, &word, true, NULL);
            backend->buffer_close(device, buffer);
        }
        backend->queue_close(&queue);
    }
    return result.status == AMP_OK || (result.status == AMP_OUT_OF_MEMORY && !result.suspect);
}

/* The backend's name of a result's code. */
AMP_PRIV_COLD const char *amp_priv_code_name(const amp_priv_device *device, int code)
{
    return device->backend->code_name ? device->backend->code_name(code) : "code";
}

/* Reports a call to a backend that failed, and the cure. site: of the kernel that it was for, or NULL. */
AMP_PRIV_COLD amp_status amp_priv_failure_report(const amp_priv_device *device, const amp_priv_site *site,
                                                 amp_priv_result result, const char *cure)
{
    static const char format[] = "%s failed with %s (%d) on %s: %s";
    const char *const name = amp_priv_code_name(device, result.code);
    if (site)
        return amp_priv_site_report(site, result.status, format, result.call, name, result.code, device->path, cure);
    return amp_priv_report(result.status, format, result.call, name, result.code, device->path, cure);
}

/* The same, for every result; and takes the device out of use if it cannot work any more. */
AMP_PRIV_COLD amp_status amp_priv_backend_report(amp_priv_device *device, const amp_priv_site *site,
                                                 amp_priv_result result)
{
    if (result.suspect && !amp_priv_device_works(device))
        result.status = AMP_ACCELERATOR_VIEW_REMOVED;
    if (result.status == AMP_OUT_OF_MEMORY && site)
        return amp_priv_failure_report(device, site, result,
                                       "the device has too little memory, or the kernel needs too many registers; "
                                       "release arrays and views, or use a smaller tile");
    if (result.status == AMP_OUT_OF_MEMORY)
        return amp_priv_failure_report(device, site, result,
                                       "not enough memory; release arrays and views, or work on smaller sections");
    if (result.status != AMP_ACCELERATOR_VIEW_REMOVED)
        return amp_priv_failure_report(device, site, result, "AMP_ACCELERATOR=cpu runs the program on the CPU loops");
    amp_priv_device_fails(device, result.by_kernel);
    if (!result.by_kernel)
        return amp_priv_failure_report(device, site, result, "the device is gone; use another one");
    return amp_priv_failure_report(device, site, result,
                                   "a kernel failed on the device, probably by access outside of a view or array; "
                                   "run it with AMP_ACCELERATOR=cpu and -DAMP_CHECKED to find where");
}

/* // >>command: the backends' operations, as everyone above has them: refused on a device that was removed, traced, and
   reported where they fail. */

/* Is the device there? A removed one is reported, as the error of `call`. */
static inline bool amp_priv_device_check_alive(const amp_priv_device *device, const char *call)
{
    if (__builtin_expect(!atomic_load_explicit(&device->removed, memory_order_acquire), 1))
        return true;
    amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED,
                    "%s: the accelerator %s (%s) was removed: %s; use another accelerator", call, device->path,
                    device->description, device->removed_reason);
    return false;
}

/* The status of a call to a backend, reported where it failed. */
static inline amp_status amp_priv_status_of(amp_priv_device *device, amp_priv_result result)
{
    return __builtin_expect(result.status == AMP_OK, 1) ? AMP_OK : amp_priv_backend_report(device, NULL, result);
}

/* What was submitted goes to the device, if it has not yet. */
static inline amp_priv_result amp_priv_queue_hand_over(amp_priv_queue *queue)
{
    const amp_priv_backend *const backend = queue->device->backend;
    return backend->queue_flush ? backend->queue_flush(queue) : amp_priv_done();
}

static inline amp_status amp_priv_queue_flush(amp_priv_queue *queue)
{
    if (!amp_priv_device_check_alive(queue->device, "flush"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, amp_priv_queue_hand_over(queue));
}

/* *event becomes done when what was submitted to the queue so far has finished. The caller releases it. A device that
   was removed and works in the host's memory may be doing so still: its queues are waited for. */
AMP_PRIV_COLD amp_status amp_priv_queue_mark(amp_priv_queue *queue, void **event)
{
    *event = NULL;
    if ((!queue->device->shares_host || queue->device->left_behind) &&
        !amp_priv_device_check_alive(queue->device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return amp_priv_status_of(queue->device, queue->device->backend->queue_mark(queue, event));
}

/* What is submitted to queue from now on starts after event. */
AMP_PRIV_COLD amp_status amp_priv_queue_after(amp_priv_queue *queue, void *event)
{
    if (!amp_priv_device_check_alive(queue->device, "launch"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    return event ? amp_priv_status_of(queue->device, queue->device->backend->queue_after(queue, event)) : AMP_OK;
}

/* A device that was taken out of use while a kernel ran, and that works in the host's memory, may still be writing
   there. That gets two seconds to end before the memory is given back: did it? */
AMP_PRIV_COLD bool amp_priv_event_drain(amp_priv_device *device, void *event)
{
    const uint64_t start = amp_priv_now(), limit = 2000000000;
    bool done = amp_priv_event_done(device, event);
    while (!done && amp_priv_now() - start < limit) {
        amp_priv_thread_yield();
        done = amp_priv_event_done(device, event);
    }
    return done;
}

AMP_PRIV_COLD amp_status amp_priv_event_wait(amp_priv_device *device, void *event)
{
    if (__builtin_expect(atomic_load_explicit(&device->removed, memory_order_acquire), 0)) {
        if (device->shares_host && !device->left_behind && amp_priv_event_drain(device, event))
            return AMP_OK; /* what is to be read from it is refused later */
        amp_priv_device_check_alive(device, "wait");
        return AMP_ACCELERATOR_VIEW_REMOVED;
    }
    const uint64_t began = amp_priv_is_host(device->number) ? 0 : amp_priv_trace_begin();
    const amp_priv_result result = event ? device->backend->event_wait(device, event) : amp_priv_done();
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_host("wait", "wait", "", device->path, began);
    return amp_priv_status_of(device, result);
}

/* Is a way taken that a device may have: AMP_TEXTURE_UNITS, AMP_SUBGROUPS? The variable says, else `usual`. */
AMP_PRIV_COLD bool amp_priv_takes_way(const char *variable, bool usual)
{
    const char *const way = amp_priv_environment(variable);
    return way && way[0] ? strcmp(way, "0") != 0 : usual;
}

/* *buffer is new memory of the device, or, where it shares the host's, that at `host`. */
AMP_PRIV_COLD amp_status amp_priv_buffer_open(amp_priv_device *device, size_t bytes, void *host, void **buffer)
{
    *buffer = NULL;
    if (!amp_priv_device_check_alive(device, "buffer"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const amp_priv_result result = device->backend->buffer_open(device, bytes, host, buffer);
    if (result.status == AMP_OUT_OF_MEMORY && device->max_buffer && bytes > device->max_buffer)
        return amp_priv_report(AMP_OUT_OF_MEMORY,
                               "%zu bytes are more than %s has for one array (%zu); work on smaller sections", bytes,
                               device->path, device->max_buffer);
    return amp_priv_status_of(device, result);
}

AMP_PRIV_COLD void amp_priv_buffer_close(amp_priv_device *device, void *buffer)
{
    if (device->left_behind)
        return;
    device->backend->buffer_close(device, buffer);
    atomic_fetch_add(&device->closed_buffers, 1u);
}

/* A transfer or copy was enqueued between `began` and now; event is its own, NULL when there is none to trace. */
AMP_PRIV_COLD void amp_priv_trace_moved(const amp_priv_queue *queue, const char *name, const amp_priv_rect *rect,
                                        uint64_t began, void *event)
{
    if (event)
        amp_priv_trace_enqueued(queue, NULL, NULL, name, amp_priv_rect_bytes(rect), began, event);
}

/* A transfer that the driver does not take with this host memory, of which, say, a part is registered: by way of other
   memory. */
AMP_PRIV_COLD amp_priv_result amp_priv_transfer_around(amp_priv_queue *queue, void *buffer, char *host,
                                                       const amp_priv_rect *rect, bool to_device,
                                                       amp_priv_result result)
{
    enum { AMP_PRIV_AROUND = 1 << 18 };
    char *const other = malloc(AMP_PRIV_AROUND);
    amp_priv_rect part;
    result.status = other ? AMP_OK : AMP_OUT_OF_MEMORY;
    for (size_t n = 0; n < rect->rows * rect->slices; n++) {
        const size_t row = rect->offset + n / rect->rows * rect->slice_pitch + n % rect->rows * rect->row_pitch;
        for (size_t done = 0; done < rect->row_bytes && result.status == AMP_OK; done += AMP_PRIV_AROUND) {
            const size_t rest = rect->row_bytes - done, bytes = rest < AMP_PRIV_AROUND ? rest : AMP_PRIV_AROUND;
            part = (amp_priv_rect){ row + done, bytes, 1, bytes, 1, bytes };
            void *const begin = (void *)((uintptr_t)other - part.offset);
            if (to_device)
                memcpy(other, host + part.offset, bytes);
            result = queue->device->backend->transfer(queue, buffer, begin, &part, to_device, NULL);
            if (!to_device && result.status == AMP_OK)
                memcpy(host + part.offset, other, bytes);
        }
    }
    free(other);
    if (result.status == AMP_UNSUPPORTED_FEATURE)
        result.status = AMP_RUNTIME_ERROR;
    return result;
}

AMP_PRIV_COLD amp_status amp_priv_buffer_transfer(amp_priv_queue *queue, void *buffer, void *host,
                                                  const amp_priv_rect *rect, bool to_device)
{
    if (!amp_priv_device_check_alive(queue->device, to_device ? "copy to the device" : "copy from the device"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    void *event = NULL;
    const uint64_t began = amp_priv_trace_begin();
    amp_priv_result result =
        queue->device->backend->transfer(queue, buffer, host, rect, to_device, began ? &event : NULL);
    if (__builtin_expect(result.status == AMP_UNSUPPORTED_FEATURE, 0))
        result = amp_priv_transfer_around(queue, buffer, host, rect, to_device, result);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_moved(queue, to_device ? "to device" : "to host", rect, began, event);
    return amp_priv_status_of(queue->device, result);
}

static inline amp_status amp_priv_buffer_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect,
                                              void *to, const amp_priv_rect *to_rect)
{
    if (!amp_priv_device_check_alive(queue->device, "copy"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    void *event = NULL;
    const uint64_t began = amp_priv_trace_begin();
    const amp_priv_result result =
        queue->device->backend->copy(queue, from, from_rect, to, to_rect, began ? &event : NULL);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_moved(queue, "copy", from_rect, began, event);
    if (result.status == AMP_OK && queue->mode == AMP_QUEUING_IMMEDIATE)
        amp_priv_queue_hand_over(queue); /* the copy is submitted: whoever waits for it flushes again */
    return amp_priv_status_of(queue->device, result);
}

/* Can what one device has go to another without the host? */
AMP_PRIV_COLD bool amp_priv_device_reaches(const amp_priv_device *from, const amp_priv_device *to)
{
    return from != to && from->backend == to->backend && from->backend->copy_from && !from->shares_host &&
           !to->shares_host && !atomic_load(&from->removed) && !atomic_load(&to->removed);
}

/* From a buffer of a device that the queue's device can be reached from. False: the host has to do it. */
AMP_PRIV_COLD bool amp_priv_buffer_copy_from(amp_priv_queue *queue, amp_priv_device *device, void *from,
                                             const amp_priv_rect *from_rect, void *to, const amp_priv_rect *to_rect)
{
    void *event = NULL;
    const uint64_t began = amp_priv_trace_begin();
    const amp_priv_result result =
        queue->device->backend->copy_from(queue, device, from, from_rect, to, to_rect, began ? &event : NULL);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_moved(queue, "copy from another device", from_rect, began, event);
    if (result.status != AMP_OK)
        amp_priv_log(AMP_PRIV_LOG_INFO, "%zu bytes go from %s to %s by way of the host: %s failed with %s (%d)",
                     amp_priv_rect_bytes(from_rect), device->path, queue->device->path, result.call,
                     amp_priv_code_name(device, result.code), result.code);
    return result.status == AMP_OK;
}

/* // >>queue */

/* AMP_OK, or the reported error of a launch or copy on a queue whose device is gone, or that is of another runtime. */
static inline amp_status amp_priv_queue_usable(const amp_priv_queue *queue, const char *call)
{
    if (!queue)
        return amp_priv_failed();
    if (!amp_priv_is_ours(queue))
        return amp_priv_report_foreign(queue, call, "this accelerator view");
    return amp_priv_device_check_alive(queue->device, call) ? AMP_OK : AMP_ACCELERATOR_VIEW_REMOVED;
}

/* Records of queues are used again and never freed, so that a released view is refused instead of followed: it has no
   stamp, from when its last owner gave it up. Here `native` is the next one. */
AMP_PRIV_GLOBAL_MUTEX(amp_priv_queue_lock)

AMP_PRIV_COLD void amp_priv_queue_spare(amp_priv_queue *queue)
{
    queue->stamp = "";
    amp_priv_lock(&amp_priv_queue_lock);
    queue->native = amp_priv_accelerators.spare_queue;
    amp_priv_accelerators.spare_queue = queue;
    amp_priv_unlock(&amp_priv_queue_lock);
}

/* The record of a queue with one owner; NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_queue_record(amp_priv_device *device, amp_queuing_mode mode, const char *call)
{
    amp_priv_lock(&amp_priv_queue_lock);
    amp_priv_queue *queue = amp_priv_accelerators.spare_queue;
    if (queue)
        amp_priv_accelerators.spare_queue = queue->native;
    amp_priv_unlock(&amp_priv_queue_lock);
    if (!queue)
        queue = malloc(sizeof *queue);
    if (!queue) {
        amp_priv_report(AMP_OUT_OF_MEMORY, "%s: no memory for a queue of %s", call, device->path);
        return NULL;
    }
    memset(queue, 0, sizeof *queue);
    queue->stamp = amp_priv_stamp;
    queue->device = device;
    queue->mode = mode;
    atomic_init(&queue->references, 1);
    atomic_init(&queue->records, 1);
    return queue;
}

/* Opens a queue; NULL after reporting. */
AMP_PRIV_COLD amp_priv_queue *amp_priv_queue_new(amp_priv_device *device, amp_queuing_mode mode, bool is_default,
                                                 const char *call)
{
    if (!amp_priv_device_check_alive(device, call))
        return NULL;
    amp_priv_queue *const queue = amp_priv_queue_record(device, mode, call);
    if (!queue)
        return NULL;
    queue->is_default = is_default;
    if (amp_priv_status_of(device, device->backend->queue_open(queue)) != AMP_OK) {
        amp_priv_queue_spare(queue);
        return NULL;
    }
    if (!amp_priv_is_host(device->number))
        amp_priv_trace_opened();
    return queue;
}

AMP_PRIV_COLD amp_priv_queue *amp_priv_device_queue_open(amp_priv_device *device)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_queue *queue = NULL;
    amp_priv_queue *const fresh =
        amp_priv_queue_new(device, AMP_QUEUING_AUTOMATIC, true, "amp_accelerator_default_view");
    if (!fresh)
        return NULL;
    if (atomic_compare_exchange_strong(&state->queue[device->number], &queue, fresh))
        return fresh;
    device->backend->queue_close(fresh); /* another thread was first */
    free(fresh);
    return queue;
}

/* The queue of a device's default view, opened at first use. NULL after reporting. */
static inline amp_priv_queue *amp_priv_device_queue(amp_priv_device *device)
{
    amp_priv_queue *const queue =
        atomic_load_explicit(&amp_priv_accelerators.queue[device->number], memory_order_acquire);
    return __builtin_expect(queue != NULL, 1) ? queue : amp_priv_device_queue_open(device);
}

AMP_PRIV_COLD amp_priv_queue *amp_priv_default_queue_open(void)
{
    amp_priv_queue *const queue = amp_priv_device_queue(amp_priv_default_device());
    atomic_store(&amp_priv_accelerators.default_queue, queue);
    return queue;
}

/* The queue of the default accelerator. NULL after reporting where it cannot be opened, which is tried again. */
static inline amp_priv_queue *amp_priv_default_queue(void)
{
    amp_priv_queue *const queue = atomic_load_explicit(&amp_priv_accelerators.default_queue, memory_order_acquire);
    return __builtin_expect(queue != NULL, 1) ? queue : amp_priv_default_queue_open();
}

/* The queue behind a view: that of the default accelerator for the auto-selection view. NULL after reporting. */
static inline amp_priv_queue *amp_priv_queue_of(amp_accelerator_view view)
{
    return view.amp_priv_queue ? view.amp_priv_queue : amp_priv_default_queue();
}

/* One owner more. Default views live as long as the process and count nobody. */
static inline void amp_priv_queue_retain(amp_priv_queue *queue)
{
    if (!queue->is_default)
        atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
}

/* Notes a command that was submitted to the queue; returns its number. */
static inline uint64_t amp_priv_queue_next_sequence(amp_priv_queue *queue)
{
    return atomic_fetch_add_explicit(&queue->submitted, 1, memory_order_release) + 1;
}

/* Is it known that this command has finished, and all before it? */
static inline bool amp_priv_queue_is_complete(const amp_priv_queue *queue, uint64_t number)
{
    return atomic_load_explicit(&queue->finished, memory_order_acquire) >= number;
}

static inline void amp_priv_queue_complete(amp_priv_queue *queue, uint64_t number)
{
    unsigned long long before = atomic_load_explicit(&queue->finished, memory_order_relaxed);
    while (before < number && !atomic_compare_exchange_weak_explicit(&queue->finished, &before, number,
                                                                     memory_order_release, memory_order_relaxed))
        continue;
}

/* Waits for all that was submitted. */
AMP_PRIV_COLD amp_status amp_priv_queue_finish(amp_priv_queue *queue)
{
    amp_priv_device *const device = queue->device;
    if (!amp_priv_device_check_alive(device, "wait"))
        return AMP_ACCELERATOR_VIEW_REMOVED;
    const uint64_t number = atomic_load_explicit(&queue->submitted, memory_order_acquire);
    const uint64_t began = amp_priv_is_host(device->number) ? 0 : amp_priv_trace_begin();
    const amp_priv_result result = device->backend->queue_finish(queue);
    if (__builtin_expect(began != 0, 0))
        amp_priv_trace_host("wait", "wait", "", device->path, began);
    if (result.status == AMP_OK)
        amp_priv_queue_complete(queue, number);
    return amp_priv_status_of(device, result);
}

/* Waits for a command, and for what was submitted after it, but not for what others submit meanwhile. */
AMP_PRIV_COLD amp_status amp_priv_queue_wait_until(amp_priv_queue *queue, uint64_t number)
{
    if (amp_priv_queue_is_complete(queue, number))
        return AMP_OK;
    const uint64_t marked = atomic_load_explicit(&queue->submitted, memory_order_acquire);
    void *mark = NULL;
    const int before =
        amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED); /* without an event it waits for everything */
    amp_status status = amp_priv_queue_mark(queue, &mark);
    amp_priv_error_mode_end(before);
    if (status != AMP_OK)
        return amp_priv_queue_finish(queue);
    status = amp_priv_event_wait(queue->device, mark);
    queue->device->backend->event_release(queue->device, mark);
    if (status == AMP_OK)
        amp_priv_queue_complete(queue, marked);
    return status;
}

/* The queue's record is kept for one more, or one less. */
static inline void amp_priv_queue_keep(amp_priv_queue *queue)
{
    if (!queue->is_default)
        atomic_fetch_add_explicit(&queue->records, 1, memory_order_relaxed);
}

static inline void amp_priv_queue_forget(amp_priv_queue *queue)
{
    if (!queue->is_default && atomic_fetch_sub(&queue->records, 1) == 1)
        amp_priv_queue_spare(queue);
}

/* Waits for all that was submitted, and where that fails, once more. */
AMP_PRIV_COLD bool amp_priv_queue_idle(amp_priv_queue *queue)
{
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool idle = amp_priv_queue_finish(queue) == AMP_OK ||
                      amp_priv_queue_wait_until(queue, atomic_load(&queue->submitted)) == AMP_OK;
    amp_priv_error_mode_end(before);
    return idle;
}

/* One owner less: the last one waits for what is in flight and closes the queue. A queue that cannot be waited for is
   kept: its commands use memory, and whoever asks for that waits again. */
AMP_PRIV_COLD void amp_priv_queue_release(amp_priv_queue *queue)
{
    if (queue->is_default || atomic_fetch_sub(&queue->references, 1) != 1)
        return;
    queue->stamp = "";
    const amp_priv_device *const device = queue->device;
    const bool gone = atomic_load(&device->removed) && (!device->shares_host || device->left_behind);
    if (!amp_priv_queue_idle(queue) && !gone) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "a queue of %s is kept for good: its commands cannot be waited for",
                     queue->device->path);
        return;
    }
    amp_priv_queue_complete(queue, UINT64_MAX); /* for uses that still refer to it */
    if (!queue->is_users && !device->left_behind)
        device->backend->queue_close(queue);
    amp_priv_queue_forget(queue);
}

/* // >>accelerator
   Threads: all of these are safe from any thread. */

/* amp_accelerator_get_all(accelerators, max): every accelerator of this machine.
   accelerators  room for max handles (NULL with max 0 to count them); the CPU loops are the first
   Returns how many there are, which may be more than max. Errors: none. Blocking: at the first call, while devices
   are looked for. Cost: tens of milliseconds once. Source: accelerator::get_all. */
static inline int amp_accelerator_get_all(amp_accelerator *accelerators, int max)
{
    amp_priv_same_build();
    amp_priv_devices_init();
    const int count = amp_priv_accelerators.count;
    for (int i = 0; accelerators && i < count && i < max; i++)
        accelerators[i].amp_priv_device = amp_priv_accelerators.device[i];
    return count;
}

/* amp_accelerator_default(): the accelerator of launches that name none: what amp_accelerator_set_default or
   AMP_ACCELERATOR in the environment chose, else a GPU, else other hardware, else the CPU loops. An OpenCL device
   that is the CPU is the default only if it is chosen.
   Errors: AMP_RUNTIME_ERROR, once, when AMP_ACCELERATOR names nothing (and then as if it were not set). Source:
   accelerator(). */
static inline amp_accelerator amp_accelerator_default(void)
{
    amp_priv_same_build();
    return (amp_accelerator){ amp_priv_default_device() };
}

/* amp_accelerator_from_path(path): the accelerator that has this path.
   path  as amp_accelerator_path gives it; the same after a restart
   Errors: AMP_RUNTIME_ERROR for an unknown path; the handle is all zero then. Source: accelerator(path). */
static inline amp_accelerator amp_accelerator_from_path(const char *path)
{
    amp_priv_same_build();
    amp_priv_device *const device = amp_priv_device_of_path(path);
    if (!device) {
        char all[4096];
        amp_priv_report(AMP_RUNTIME_ERROR, "amp_accelerator_from_path: no accelerator has the path \"%s\"; there is %s",
                        path ? path : "(null)", amp_priv_devices_text(all, sizeof all));
    }
    return (amp_accelerator){ device };
}

/* amp_accelerator_set_default(path): chooses the default accelerator. Works once, before the default was used.
   Returns whether it did. Errors: AMP_RUNTIME_ERROR for an unknown path. Source: accelerator::set_default. */
static inline bool amp_accelerator_set_default(const char *path)
{
    amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    amp_priv_device *const device = amp_priv_device_of_path(path);
    if (!device) {
        char all[4096];
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "amp_accelerator_set_default: no accelerator has the path \"%s\"; there is %s",
                        path ? path : "(null)", amp_priv_devices_text(all, sizeof all));
        return false;
    }
    amp_priv_lock(&state->lock);
    const bool done = !state->user_default && !atomic_load(&state->default_device);
    if (done)
        state->user_default = device;
    amp_priv_unlock(&state->lock);
    return done;
}

/* The device of a handle; NULL after reporting. */
static inline const amp_priv_device *amp_priv_accelerator_device(amp_accelerator accelerator, const char *call)
{
    if (__builtin_expect(!accelerator.amp_priv_device, 0))
        amp_priv_report(
            AMP_UNINITIALIZED_OBJECT,
            "%s: this amp_accelerator is all zero; get one from amp_accelerator_default, _get_all or _from_path", call);
    else if (!amp_priv_is_ours(accelerator.amp_priv_device)) {
        amp_priv_report_foreign(accelerator.amp_priv_device, call, "this amp_accelerator");
        return NULL;
    }
    return accelerator.amp_priv_device;
}

/* Properties: amp_accelerator_path, _description (strings that live as long as the process), _version (high 16 bits
   major, low 16 bits minor), _dedicated_memory (kilobytes), _has_display, _is_debug, _is_emulated,
   _supports_double_precision, _supports_limited_double_precision, _supports_cpu_shared_memory (arrays there may have
   CPU access; not under AMP_FORCE_COPIES), _compute_units (they run tiles at the same time), _tile_multiple (threads
   that a unit runs in step, or a vector's: tiles with a multiple of them in the last dimension leave none idle),
   _max_tile_threads (of a tile; a kernel that needs many registers may have fewer), _tile_static_memory (bytes per
   tile).
   Errors: AMP_UNINITIALIZED_OBJECT for a handle that is all zero. Blocking: no. Source: the accelerator's
   properties; those of tiles are additions. */
#define AMP_PRIV_PROPERTY(type, name, none, value)                                                                     \
    static inline type amp_accelerator_##name(amp_accelerator accelerator)                                             \
    {                                                                                                                  \
        const amp_priv_device *const device = amp_priv_accelerator_device(accelerator, "amp_accelerator_" #name);      \
        return device ? value : none;                                                                                  \
    }
AMP_PRIV_PROPERTY(const char *, path, "", device->path)
AMP_PRIV_PROPERTY(const char *, description, "", device->description)
AMP_PRIV_PROPERTY(unsigned, version, 0, device->version)
AMP_PRIV_PROPERTY(size_t, dedicated_memory, 0, device->dedicated_memory)
AMP_PRIV_PROPERTY(bool, has_display, false, device->has_display)
AMP_PRIV_PROPERTY(bool, is_debug, false, device->is_debug)
AMP_PRIV_PROPERTY(bool, is_emulated, false, device->is_emulated)
AMP_PRIV_PROPERTY(bool, supports_double_precision, false, device->double_precision)
AMP_PRIV_PROPERTY(bool, supports_limited_double_precision, false, device->limited_double_precision)
AMP_PRIV_PROPERTY(bool, supports_cpu_shared_memory, false, device->shares_host)
AMP_PRIV_PROPERTY(unsigned, compute_units, 0, device->units)
AMP_PRIV_PROPERTY(unsigned, tile_multiple, 0, device->tile_multiple)
AMP_PRIV_PROPERTY(size_t, max_tile_threads, 0, device->max_threads)
AMP_PRIV_PROPERTY(size_t, tile_static_memory, 0, device->local_memory)
#undef AMP_PRIV_PROPERTY

/* amp_accelerator_equal(a, b): the same device? Errors: none. Source: accelerator::operator==. */
static inline bool amp_accelerator_equal(amp_accelerator a, amp_accelerator b)
{
    return a.amp_priv_device == b.amp_priv_device;
}

/* What is kept of a device's default_cpu_access_type: the type, and whether it was used (then it is settled). */
enum { AMP_PRIV_CPU_ACCESS_SET = 16, AMP_PRIV_CPU_ACCESS_USED = 32 };

static inline amp_access_type amp_priv_cpu_access_of(const amp_priv_device *device, int value)
{
    if (value & AMP_PRIV_CPU_ACCESS_SET)
        return (amp_access_type)(value & 15);
    return device->shares_host ? AMP_ACCESS_READ_WRITE : AMP_ACCESS_NONE;
}

/* How the CPU may access arrays that are made without saying it. Settles it: amp/memory.h calls this for an array. */
static inline amp_access_type amp_priv_device_cpu_access(const amp_priv_device *device)
{
    return amp_priv_cpu_access_of(device, atomic_fetch_or(&amp_priv_accelerators.cpu_access[device->number],
                                                          AMP_PRIV_CPU_ACCESS_USED));
}

/* amp_accelerator_default_cpu_access_type(a): how the CPU may access arrays on it that are made without saying it: for
   reading and writing where it works in host memory, else not at all.
   Errors: AMP_UNINITIALIZED_OBJECT. Blocking: no. Source: accelerator::get_default_cpu_access_type. */
static inline amp_access_type amp_accelerator_default_cpu_access_type(amp_accelerator accelerator)
{
    const amp_priv_device *const device =
        amp_priv_accelerator_device(accelerator, "amp_accelerator_default_cpu_access_type");
    if (!device)
        return AMP_ACCESS_NONE;
    return amp_priv_cpu_access_of(device, atomic_load(&amp_priv_accelerators.cpu_access[device->number]));
}

/* amp_accelerator_set_default_cpu_access_type(a, type): changes it. Works once, before an array used it.
   type  AMP_ACCESS_AUTO leaves it as it is; where memory is not shared only that and AMP_ACCESS_NONE are possible
   Returns whether it did. Errors: AMP_UNINITIALIZED_OBJECT. Source: accelerator::set_default_cpu_access_type. */
static inline bool amp_accelerator_set_default_cpu_access_type(amp_accelerator accelerator, amp_access_type type)
{
    const amp_priv_device *const device =
        amp_priv_accelerator_device(accelerator, "amp_accelerator_set_default_cpu_access_type");
    if (!device)
        return false;
    const amp_access_type settled = type == AMP_ACCESS_AUTO ? amp_priv_cpu_access_of(device, 0) : type;
    if ((unsigned)settled > AMP_ACCESS_READ_WRITE || (!device->shares_host && settled != AMP_ACCESS_NONE))
        return false;
    int unset = 0;
    return atomic_compare_exchange_strong(&amp_priv_accelerators.cpu_access[device->number], &unset,
                                          AMP_PRIV_CPU_ACCESS_SET | (int)settled);
}

/* // >>view
   Threads: meant as one view per thread; sharing one is safe, and the order of commands is then the threads' affair. */

/* amp_accelerator_default_view(a): the view that all share who make none, in queuing mode automatic. Never released.
   Errors: AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED, AMP_OUT_OF_MEMORY; the handle is all zero then.
   Cost: opens the device at first use. Source: accelerator::get_default_view. */
static inline amp_accelerator_view amp_accelerator_default_view(amp_accelerator accelerator)
{
    amp_accelerator_view view = { NULL };
    if (amp_priv_accelerator_device(accelerator, "amp_accelerator_default_view") &&
        amp_priv_device_check_alive(accelerator.amp_priv_device, "amp_accelerator_default_view"))
        view.amp_priv_queue = amp_priv_device_queue(accelerator.amp_priv_device);
    return view;
}

/* amp_accelerator_create_view(a), amp_accelerator_create_view(a, mode): a new view, different from all others.
   mode  AMP_QUEUING_AUTOMATIC (unless said otherwise): commands may be batched; AMP_QUEUING_IMMEDIATE: each goes to the
         device at once
   Release it with amp_accelerator_view_release. Errors: AMP_UNINITIALIZED_OBJECT, AMP_ACCELERATOR_VIEW_REMOVED,
   AMP_OUT_OF_MEMORY; the handle is all zero then. Source: accelerator::create_view. */
#define amp_accelerator_create_view(...)             AMP_PRIV_CREATE_VIEW(__VA_ARGS__, AMP_QUEUING_AUTOMATIC, ~)
#define AMP_PRIV_CREATE_VIEW(accelerator, mode, ...) amp_priv_create_view(accelerator, mode)
static inline amp_accelerator_view amp_priv_create_view(amp_accelerator accelerator, amp_queuing_mode mode)
{
    static const char call[] = "amp_accelerator_create_view";
    amp_accelerator_view view = { NULL };
    if (mode != AMP_QUEUING_AUTOMATIC && mode != AMP_QUEUING_IMMEDIATE)
        amp_priv_report(AMP_RUNTIME_ERROR,
                        "%s: the queuing mode is %d; it can be AMP_QUEUING_IMMEDIATE or AMP_QUEUING_AUTOMATIC", call,
                        (int)mode);
    else if (amp_priv_accelerator_device(accelerator, call))
        view.amp_priv_queue = amp_priv_queue_new(accelerator.amp_priv_device, mode, false, call);
    return view;
}

/* amp_accelerator_auto_selection_view(): the view that means "choose at each launch": where captured arrays live,
   else where captured views are cached, else the default accelerator. All zero, so `{0}` is the same.
   Errors: none. Source: accelerator::get_auto_selection_view. */
static inline amp_accelerator_view amp_accelerator_auto_selection_view(void) { return (amp_accelerator_view){ NULL }; }

/* Is it of this library's runtime? Else reports it. */
static inline bool amp_priv_view_ours(amp_accelerator_view view, const char *call)
{
    if (!view.amp_priv_queue || amp_priv_is_ours(view.amp_priv_queue))
        return true;
    amp_priv_report_foreign(view.amp_priv_queue, call, "this accelerator view");
    return false;
}

/* amp_accelerator_view_retain(v): one owner more of a created view; v itself, for `w = amp_accelerator_view_retain(v)`.
   Errors: none. Source: the copy constructor. */
static inline amp_accelerator_view amp_accelerator_view_retain(amp_accelerator_view view)
{
    if (amp_priv_view_ours(view, "amp_accelerator_view_retain") && view.amp_priv_queue)
        amp_priv_queue_retain(view.amp_priv_queue);
    return view;
}

/* amp_accelerator_view_release(&v): gives a created view back; the last owner waits for its commands. Arrays on it
   are owners too. Nothing happens to default and auto-selection views. v is all zero afterwards.
   Errors: none. Blocking: yes. Source: the destructor. */
static inline void amp_accelerator_view_release(amp_accelerator_view *view)
{
    if (amp_priv_view_ours(*view, "amp_accelerator_view_release") && view->amp_priv_queue)
        amp_priv_queue_release(view->amp_priv_queue);
    view->amp_priv_queue = NULL;
}

/* amp_accelerator_view_equal(v, w): the same queue? Two views of one accelerator are different.
   Errors: none. Source: accelerator_view::operator==. */
static inline bool amp_accelerator_view_equal(amp_accelerator_view v, amp_accelerator_view w)
{
    return v.amp_priv_queue == w.amp_priv_queue;
}

/* amp_accelerator_view_accelerator(v): whose view it is; the default accelerator for the auto-selection view.
   amp_accelerator_view_queuing_mode(v), amp_accelerator_view_is_auto_selection(v). Errors: none.
   Source: accelerator_view::get_accelerator, queuing_mode, is_auto_selection. */
static inline amp_accelerator amp_accelerator_view_accelerator(amp_accelerator_view view)
{
    if (!amp_priv_view_ours(view, "amp_accelerator_view_accelerator"))
        return (amp_accelerator){ NULL };
    return (amp_accelerator){ view.amp_priv_queue ? view.amp_priv_queue->device : amp_priv_default_device() };
}

static inline amp_queuing_mode amp_accelerator_view_queuing_mode(amp_accelerator_view view)
{
    return view.amp_priv_queue ? view.amp_priv_queue->mode : AMP_QUEUING_AUTOMATIC;
}

static inline bool amp_accelerator_view_is_auto_selection(amp_accelerator_view view) { return !view.amp_priv_queue; }

/* amp_accelerator_view_flush(v): hands what is batched to the device and returns at once.
   amp_accelerator_view_wait(v): returns when everything submitted to v has finished.
   The auto-selection view stands for the default accelerator's default view here.
   Errors: AMP_ACCELERATOR_VIEW_REMOVED, and AMP_RUNTIME_ERROR when a kernel failed. Source:
   accelerator_view::flush, wait. */
static inline amp_status amp_accelerator_view_flush(amp_accelerator_view view)
{
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    const amp_status status = amp_priv_queue_usable(queue, "amp_accelerator_view_flush");
    if (status != AMP_OK)
        return status;
    return amp_priv_queue_flush(queue);
}

static inline amp_status amp_accelerator_view_wait(amp_accelerator_view view)
{
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    const amp_status status = amp_priv_queue_usable(queue, "amp_accelerator_view_wait");
    if (status != AMP_OK)
        return status;
    return amp_priv_queue_finish(queue);
}

/* // >>removal */

/* amp_accelerator_view_removed_reason(v): why its accelerator is gone; NULL while it is there.
   Errors: none. Source: accelerator_view_removed::get_view_removed_reason. */
static inline const char *amp_accelerator_view_removed_reason(amp_accelerator_view view)
{
    const amp_priv_device *const device = amp_accelerator_view_accelerator(view).amp_priv_device;
    return device && atomic_load_explicit(&device->removed, memory_order_acquire) ? device->removed_reason : NULL;
}

#endif /* AMP_ACCELERATOR_H */
