/* SPDX-License-Identifier: MIT */
/*  amp/device/device.h - the list of accelerators, the default, and reports of failed operations

    Contents (search for the tag):
        >>state  >>list  >>text  >>default  >>report */
#ifndef AMP_DEVICE_DEVICE_H
#define AMP_DEVICE_DEVICE_H

#include "hooks.h"
#include "launch_site.h"
#include "view_header.h"
#include "../base/text.h"

/* // >>state */

typedef struct amp_priv_accelerator_state {
    amp_priv_once once;  /* makes the list */
    amp_priv_mutex lock; /* for what follows, where it is not atomic */
    int count;
    amp_priv_device *device[AMP_PRIV_MAX_DEVICES];
    _Atomic(amp_priv_queue *) queue[AMP_PRIV_MAX_DEVICES]; /* of the default views, opened at first use */
    atomic_int cpu_access[AMP_PRIV_MAX_DEVICES];           /* amp_priv_cpu_access_of; 0: not chosen, unused */
    amp_priv_device *user_default;                         /* by amp_accelerator_set_default */
    _Atomic(amp_priv_device *) default_device;             /* the default accelerator, once it was used */
    _Atomic(amp_priv_queue *) default_queue;
    amp_priv_queue *spare_queue; /* records for the next views */
    uint64_t queues;             /* that there ever were */
} amp_priv_accelerator_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_accelerator_state, amp_priv_accelerators, once(once), mutex(lock))

/* The records of the list, which exist even without free memory: the CPU backend is the last resort. */
typedef amp_priv_device amp_priv_device_records[AMP_PRIV_MAX_DEVICES];

AMP_PRIV_GLOBAL(amp_priv_device_records, amp_priv_devices)

/* Held while a runtime looks for devices: drivers begin then, and some (pocl 3.1) crash where two threads make them. */
AMP_PRIV_GLOBAL_MUTEX_OF_ALL(amp_priv_discovery)

/* // >>list */

enum { AMP_PRIV_MAX_BACKENDS = 6 };

/* Puts the backends into list, the CPU backend first, and returns their number (amp.h). */
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

/* The character in lower case: ASCII only, whatever the locale. */
AMP_PRIV_COLD char amp_priv_lower(char c) { return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); }

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

/* Is the GPU there already, by another backend? The first one has it, and all of that name, unless AMP_ACCELERATOR
   names the other one. */
AMP_PRIV_COLD bool amp_priv_device_is_listed(const amp_priv_device *device)
{
    const amp_priv_accelerator_state *const state = &amp_priv_accelerators;
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    const bool named = wanted && wanted[0] && amp_priv_contains_text(device->path, wanted);
    const size_t length = amp_priv_device_name_length(device);
    for (int i = 0; i < state->count && device->is_gpu; i++) {
        const amp_priv_device *const other = state->device[i];
        if (!other->is_gpu || !strcmp(other->backend->name, device->backend->name) ||
            amp_priv_device_name_length(other) != length ||
            memcmp(other->description, device->description, length) != 0 ||
            (named && !amp_priv_contains_text(other->path, wanted)))
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

/* Warns of environment variables with an invalid value. */
AMP_PRIV_COLD void amp_priv_environment_check(void)
{
    static const struct {
        const char *name, *words; /* NULL: a number; with a slash: or a folder */
        const char *what;
    } known[] = {
        { "AMP_CACHE", " 0 1 ", "0 or 1" },
        { "AMP_CACHE_SIZE", NULL, "a number of megabytes" },
        { "AMP_COMPARE_ABORT", " 0 1 ", "0 or 1" },
        { "AMP_COMPARE_MEMORY", NULL, "a number of megabytes" },
        { "AMP_FORCE_COPIES", " 0 1 ", "0 or 1" },
        { "AMP_PROFILE", " 0 1 measure ", "0, 1 or measure" },
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

AMP_PRIV_COLD void amp_priv_devices_missing(const amp_priv_backend *const *list, int count)
{
    char names[200] = "";
    for (int i = 0; i < count; i++) {
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? " or " : "", list[i]->name);
    }
    amp_priv_log(AMP_PRIV_LOG_WARNING,
                 "no %s device found: kernels run on the CPU (AMP_LOG=info shows why, error silences this line)",
                 names);
}

/* Was the table written for this version of the contract? */
AMP_PRIV_COLD bool amp_priv_backend_fits(const amp_priv_backend *backend)
{
    if (backend->version == AMP_PRIV_BACKEND_VERSION)
        return true;
    amp_priv_log(AMP_PRIV_LOG_WARNING,
                 "the backend %s is left out: it is for version %d of amp/device/backend.h, which has version %d",
                 backend->name, backend->version, AMP_PRIV_BACKEND_VERSION);
    return false;
}

AMP_PRIV_COLD void amp_priv_devices_find(void)
{
    const amp_priv_backend *list[AMP_PRIV_MAX_BACKENDS];
    const int count = amp_priv_backends(list);
    int found = 0;
    amp_priv_lock(&amp_priv_discovery);
    for (int i = 0; i < count; i++) {
        const int before = amp_priv_accelerators.count;
        if (amp_priv_backend_fits(list[i]))
            list[i]->device.discover();
        if (i > 0)
            found += amp_priv_accelerators.count - before;
    }
    amp_priv_unlock(&amp_priv_discovery);
    if (count == 1)
        amp_priv_log(AMP_PRIV_LOG_INFO, "built without " AMP_PRIV_BACKEND_CHOICES ": kernels run only on the CPU");
    const char *const wanted = amp_priv_environment("AMP_ACCELERATOR");
    if (count > 1 && found == 0 && !(wanted && !strcmp(wanted, "cpu")))
        amp_priv_devices_missing(list + 1, count - 1);
    amp_priv_environment_check();
#if !defined(AMP_CHECKED)
    const char *const stop = amp_priv_environment("AMP_BREAK_AT");
    if (stop && stop[0])
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_BREAK_AT has no effect: it needs a build with -DAMP_CHECKED");
#endif
}

/* Makes the list of devices, once. */
static inline void amp_priv_devices_init(void) { amp_priv_once_do(&amp_priv_accelerators.once, amp_priv_devices_find); }

/* // >>text */

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

/* "cpu" (...), "opencl:..." (...), ...: the list of accelerators, for messages. */
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

/* GPUs come before other hardware, and that before the CPU. OpenCL on the CPU is no faster than the CPU backend, which
   is the first of its rank and needs no compiler at run time. */
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

/* Logs the default accelerator, and why it is that one. */
AMP_PRIV_COLD void amp_priv_device_log_choice(const amp_priv_device *device, const char *name)
{
    const bool by_user = device == amp_priv_accelerators.user_default;
    const char *const why = by_user                ? "amp_accelerator_set_default chose it"
                            : name                 ? "AMP_ACCELERATOR names it"
                            : device->is_gpu       ? "the first GPU"
                            : !device->is_emulated ? "there is no GPU"
                                                   : "there is no GPU, nor other hardware";
    amp_priv_log(AMP_PRIV_LOG_INFO, "the default accelerator is %s: %s (%s)", device->path, device->description, why);
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
        amp_priv_device_log_choice(device, name && name[0] && !unknown ? name : NULL);
    }
    amp_priv_unlock(&state->lock);
    if (unknown) {
        char all[4096];
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "AMP_ACCELERATOR is \"%s\", but no accelerator has that in its path or description; there is %s%s", name,
            amp_priv_devices_text(all, sizeof all),
            AMP_PRIV_HAS_DEVICES ? "" : "; compile with -DAMP_BACKEND_OPENCL or -DAMP_BACKEND_CUDA for others");
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
AMP_PRIV_COLD void amp_priv_device_mark_lost(amp_priv_device *device, bool by_kernel)
{
    amp_priv_device_remove(device, by_kernel ? "a kernel failed on it, probably by access outside of a view or array"
                                             : "the driver says that it is not available any more");
}

/* Does the device still do as it is asked, a small transfer on a queue of its own? No memory for it says nothing. */
AMP_PRIV_COLD bool amp_priv_device_probe(amp_priv_device *device)
{
    static const amp_priv_rect word = { 0, sizeof(int), 1, sizeof(int), 1, sizeof(int) };
    const amp_priv_backend *const backend = device->backend;
    amp_priv_queue queue = { .device = device };
    void *buffer = NULL;
    int value = 0;
    amp_priv_result result = backend->queue.open(&queue);
    if (result.status == AMP_OK) {
        result = backend->buffer.open(device, sizeof value, NULL, &buffer);
        if (result.status == AMP_OK) {
            result = backend->buffer.transfer(&queue, buffer, &value, &word, true, NULL);
            backend->buffer.close(device, buffer);
        }
        backend->queue.close(&queue);
    }
    return result.status == AMP_OK || (result.status == AMP_OUT_OF_MEMORY && !result.suspect);
}

/* The backend's name of a result's code. */
AMP_PRIV_COLD const char *amp_priv_code_name(const amp_priv_device *device, int code)
{
    return device->backend->device.code_name ? device->backend->device.code_name(code) : "code";
}

/* Reports a call to a backend that failed, and the cure. site: of the kernel that it was for, or NULL. */
AMP_PRIV_COLD amp_status amp_priv_failure_report(const amp_priv_device *device, const amp_priv_launch_site *site,
                                                 amp_priv_result result, const char *cure)
{
    static const char format[] = "%s failed with %s (%d) on %s: %s";
    const char *const name = amp_priv_code_name(device, result.code);
    if (site)
        return amp_priv_site_report(site, result.status, format, result.call, name, result.code, device->path, cure);
    return amp_priv_report(result.status, format, result.call, name, result.code, device->path, cure);
}

/* The same, for every result; and takes the device out of use if it cannot work any more. */
AMP_PRIV_COLD amp_status amp_priv_backend_report(amp_priv_device *device, const amp_priv_launch_site *site,
                                                 amp_priv_result result)
{
    if (result.suspect && !amp_priv_device_probe(device))
        result.status = AMP_ACCELERATOR_VIEW_REMOVED;
    if (result.status == AMP_OUT_OF_MEMORY && site)
        return amp_priv_failure_report(device, site, result,
                                       "the device has too little memory, or the kernel needs too many registers; "
                                       "release arrays and views, or use a smaller tile");
    if (result.status == AMP_OUT_OF_MEMORY)
        return amp_priv_failure_report(device, site, result,
                                       "not enough memory; release arrays and views, or work on smaller sections");
    if (result.status != AMP_ACCELERATOR_VIEW_REMOVED)
        return amp_priv_failure_report(device, site, result, "AMP_ACCELERATOR=cpu runs the program on the CPU");
    amp_priv_device_mark_lost(device, result.by_kernel);
    if (!result.by_kernel)
        return amp_priv_failure_report(device, site, result, "the device is gone; use another one");
    return amp_priv_failure_report(device, site, result,
                                   "a kernel failed on the device, probably by access outside of a view or array; "
                                   "run it with AMP_ACCELERATOR=cpu and -DAMP_CHECKED to find where");
}

#endif /* AMP_DEVICE_DEVICE_H */
