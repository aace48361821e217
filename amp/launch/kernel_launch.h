/* SPDX-License-Identifier: MIT */
/*  amp/launch/kernel_launch.h - submits a launch to a backend */
#ifndef AMP_LAUNCH_KERNEL_LAUNCH_H
#define AMP_LAUNCH_KERNEL_LAUNCH_H

#include "../memory/launch_bytes.h"
#include "bundle_texts.h"
#include "kernel_arguments.h"
#if defined(AMP_CHECKED)
#include "checked_launch.h"
#endif

/* // >>launch */

/* The longest flattened dimension of one command: a power of two, so that its work-groups divide it. */
AMP_PRIV_WARM_PART uint64_t amp_priv_lead_limit(const amp_priv_device *device)
{
    return amp_priv_power_of_two((size_t)1 << 30, device->max_global);
}

/* One command, for the modules that take part. */
AMP_PRIV_COLD void amp_priv_kernel_enqueued(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                            const amp_priv_kernel_arguments *arguments, const amp_priv_geometry *g)
{
    char name[AMP_PRIV_KERNEL_NAME];
    const amp_priv_launched_kernel launched = { kernel, kernel->program, amp_priv_kernel_name(launch->site, name),
                                                arguments, g };
    amp_priv_hooks_command(launch, &launched);
}

static inline amp_priv_result amp_priv_kernel_one(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                  const amp_priv_kernel_arguments *arguments,
                                                  const amp_priv_geometry *g, void **event)
{
    const amp_priv_result result =
        kernel->device->backend->kernel.enqueue(launch->queue, kernel->native, arguments, g, event);
    if (amp_priv_launch_has_hooks(launch) && result.status == AMP_OK)
        amp_priv_kernel_enqueued(kernel, launch, arguments, g);
    return result;
}

/* In parts, where the device takes fewer work-groups in one command than there are. The last one's event stands for
   all. */
AMP_PRIV_COLD amp_priv_result amp_priv_kernel_in_parts(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                       amp_priv_kernel_arguments *arguments, const amp_priv_geometry *g,
                                                       void **event)
{
    const size_t most = kernel->device->max_groups,
                 groups[2] = { g->global[1] / g->local[1], g->global[2] / g->local[2] };
    amp_priv_geometry part = *g;
    amp_priv_result result = amp_priv_done();
    for (size_t z = 0; z < groups[1]; z += most)
        for (size_t y = 0; y < groups[0] && result.status == AMP_OK; y += most) {
            const size_t rest[2] = { groups[0] - y, groups[1] - z };
            part.first[0] = (unsigned)y;
            part.first[1] = (unsigned)z;
            part.global[1] = (rest[0] < most ? rest[0] : most) * g->local[1];
            part.global[2] = (rest[1] < most ? rest[1] : most) * g->local[2];
            const bool last = rest[0] <= most && rest[1] <= most;
            result = amp_priv_kernel_one(kernel, launch, arguments, &part, last ? event : NULL);
            launch->partly_submitted = launch->partly_submitted || (y + z > 0 && result.status != AMP_OK);
            arguments->changed_count = 0;
        }
    return result;
}

static inline amp_priv_result amp_priv_kernel_command(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                      amp_priv_kernel_arguments *arguments, const amp_priv_geometry *g,
                                                      void **event)
{
    const size_t most = kernel->device->max_groups;
    if (__builtin_expect(most && (g->global[1] > most * g->local[1] || g->global[2] > most * g->local[2]), 0))
        return amp_priv_kernel_in_parts(kernel, launch, arguments, g, event);
    return amp_priv_kernel_one(kernel, launch, arguments, g, event);
}

/* In several commands, where the flattened dimension of ranks above 3 is longer than a device takes. */
AMP_PRIV_COLD amp_priv_result amp_priv_kernel_in_steps(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                       amp_priv_kernel_arguments *arguments, amp_priv_geometry *g,
                                                       void **event)
{
    const uint64_t step = amp_priv_lead_limit(kernel->device);
    amp_priv_result result = amp_priv_done();
    for (uint64_t base = 0; base < g->lead && result.status == AMP_OK; base += step) {
        const uint64_t rest = g->lead - base, count = rest < step ? rest : step;
        g->global[2] = ((size_t)count + g->local[2] - 1) / g->local[2] * g->local[2];
        if (base > 0) {
            memcpy((void *)(uintptr_t)kernel->argument[kernel->base_argument].value, &base, sizeof base);
            kernel->changed[0] = (unsigned short)kernel->base_argument;
            arguments->changed_count = 1;
        }
        result = amp_priv_kernel_command(kernel, launch, arguments, g, count == rest ? event : NULL);
        launch->partly_submitted = launch->partly_submitted || (base > 0 && result.status != AMP_OK);
    }
    return result;
}

/* Enqueues a kernel that is set. The last command's event stands for all. */
static inline amp_priv_result amp_priv_kernel_enqueue(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                      amp_priv_kernel_arguments *arguments, amp_priv_geometry *g,
                                                      void **event)
{
    if (__builtin_expect(g->lead == 1 || g->lead <= amp_priv_lead_limit(kernel->device), 1))
        return amp_priv_kernel_command(kernel, launch, arguments, g, event);
    return amp_priv_kernel_in_steps(kernel, launch, arguments, g, event);
}

/* Submits a kernel whose arguments are set, with its lock held. */
static inline amp_priv_result amp_priv_kernel_submit(amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                     amp_priv_kernel_arguments *arguments, amp_priv_geometry *g)
{
    const uint64_t began = amp_priv_watch_begin();
    void *done = NULL;
    const amp_priv_result result = amp_priv_kernel_enqueue(kernel, launch, arguments, g, began ? &done : NULL);
    kernel->set = result.status == AMP_OK && (g->lead == 1 || g->lead <= amp_priv_lead_limit(kernel->device));
    if (__builtin_expect(began != 0, 0) && result.status == AMP_OK)
        amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_ENQUEUED,
                                                 .began = began,
                                                 .queue = launch->queue,
                                                 .site = launch->site,
                                                 .extent = launch->extent,
                                                 .band = launch->band,
                                                 .bytes = amp_priv_launch_bytes(launch),
                                                 .native = done });
    return result;
}

/* Sets what differs and submits, with the kernel's lock held. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_kernel_run(amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                       const amp_priv_launch_values *values, amp_priv_geometry *g,
                                                       void *fault)
{
    /* Work-groups of fewer threads are smaller powers of two: what was exact remains so. */
    if (__builtin_expect(kernel->max_group < g->local[0] * g->local[1] * g->local[2], 0)) {
        *g = amp_priv_launch_geometry(launch, kernel->max_group);
        amp_priv_geometry_coarsening(g, launch->site->rank, amp_priv_coarsening(kernel->variant));
    }
    amp_priv_kernel_arguments arguments = amp_priv_set_all(kernel, launch, values, fault);
    const amp_priv_result result = amp_priv_kernel_submit(kernel, launch, &arguments, g);
    amp_priv_kernel_remember(kernel, launch, g, fault != NULL || amp_priv_launch_samples(launch));
    // cppcheck-suppress returnDanglingLifetime -- it refers to no argument
    return result;
}

/* Reports a launch that the device refused. */
AMP_PRIV_COLD amp_status amp_priv_kernel_refused(const amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                                 amp_priv_result result)
{
    if (result.status == AMP_INVALID_COMPUTE_DOMAIN) {
        const amp_status status = site->tiled
                                      ? amp_priv_check_tile(site, kernel->device, amp_priv_coarsening(kernel->variant),
                                                            kernel->max_group, "the limit for this kernel")
                                      : AMP_OK;
        if (status != AMP_OK)
            return status;
        result.status = AMP_RUNTIME_ERROR;
    }
    return amp_priv_kernel_failed(kernel, site, result);
}

/* After a kernel's first launch: what is shown of it, and its binary for the disk. key: of that, or NULL. */
AMP_PRIV_COLD void amp_priv_kernel_launched(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                            const amp_priv_geometry *g, char *key)
{
    if (amp_priv_show_kernels() > 1 || amp_priv_log_level() >= AMP_PRIV_LOG_INFO)
        amp_priv_show_geometry(kernel, launch, g);
    if (key)
        amp_priv_kernel_to_disk(kernel, key);
    free(key);
    amp_priv_bundle_texts(launch, kernel->variant);
}

AMP_PRIV_WARM_PART bool amp_priv_geometry_fits(const amp_priv_geometry *g, const amp_priv_device *device)
{
    return g->global[0] <= device->max_global && g->global[1] <= device->max_global &&
           (g->global[2] <= device->max_global || g->lead > 1); /* which several commands share */
}

/* Submits a kernel, which is locked, again. */
static inline amp_priv_result amp_priv_kernel_again(amp_priv_kernel *kernel, amp_priv_launch *launch, int changed)
{
    if (changed > 0)
        amp_priv_set_changed(kernel, launch, changed);
    amp_priv_kernel_arguments arguments = { kernel->argument, kernel->changed, kernel->parameters.count, changed };
    // cppcheck-suppress returnDanglingLifetime -- it refers to no argument
    return amp_priv_kernel_submit(kernel, launch, &arguments, &kernel->geometry);
}

/* A launch that differs from the last one. *held (in and out): the kernel whose lock the caller holds, or NULL. */
AMP_PRIV_WARM amp_status amp_priv_kernel_launch_slow(amp_priv_launch *launch, amp_priv_kernel **held)
{
    amp_priv_launch_site *const site = launch->site;
    amp_priv_device *const device = launch->queue->device;
    amp_priv_launch_values values;
    unsigned variant = 0; /* as gcc -O1 wants it */
    amp_status status = amp_priv_launch_offsets(launch, &values, &variant);
    if (status != AMP_OK)
        return status;
    const unsigned shift = amp_priv_launch_coarsening(launch);
    variant |= shift << AMP_PRIV_COARSEN;
    amp_priv_geometry geometry = amp_priv_launch_geometry(launch, device->max_threads);
    amp_priv_geometry_coarsening(&geometry, site->rank, 1 << shift);
    if (__builtin_expect(!amp_priv_geometry_fits(&geometry, device), 0))
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "%zu x %zu x %zu threads are more than %s (%s) takes; launch it in parts",
                                    geometry.global[0], geometry.global[1], geometry.global[2], device->path,
                                    device->description);
    if (!site->tiled && !amp_priv_geometry_is_exact(launch, &geometry, 1 << shift))
        variant |= AMP_PRIV_BOUNDS_GUARD;
    amp_priv_kernel *const kernel = amp_priv_kernel_of(site, device, variant);
    if (!kernel)
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its record");
    void *fault = NULL;
#if defined(AMP_CHECKED)
    status = amp_priv_fault_open(launch, &fault);
    if (status != AMP_OK)
        return status;
#endif
    char *key = NULL;
    if (*held != kernel) {
        if (*held)
            amp_priv_unlock(&(*held)->lock);
        amp_priv_lock(&kernel->lock);
    }
    *held = NULL;
    const bool built = kernel->state == AMP_PRIV_KERNEL_BUILT, fresh = !built || kernel->key;
    if (__builtin_expect(!built, 0))
        status = amp_priv_kernel_build(kernel, launch);
    const amp_priv_result result =
        status == AMP_OK ? amp_priv_kernel_run(kernel, launch, &values, &geometry, fault) : amp_priv_done();
    atomic_store_explicit(&site->recent, kernel, memory_order_release);
    if (__builtin_expect(fresh, 0) && status == AMP_OK && result.status == AMP_OK) {
        key = kernel->key;
        kernel->key = NULL;
    }
    amp_priv_unlock(&kernel->lock);
    if (__builtin_expect(result.status != AMP_OK, 0))
        status = amp_priv_kernel_refused(kernel, site, result);
#if defined(AMP_CHECKED)
    if (status == AMP_OK)
        amp_priv_fault_read(launch, fault);
    amp_priv_buffer_close(device, fault);
#endif
    if (__builtin_expect(fresh, 0) && status == AMP_OK)
        amp_priv_kernel_launched(kernel, launch, &geometry, key);
    return status;
}

/* The kernel that may have run for the band before, on its device; NULL: there is none. */
AMP_PRIV_WARM_PART amp_priv_kernel *amp_priv_kernel_of_band(const amp_priv_launch *launch)
{
    amp_priv_kernel *k = atomic_load_explicit(&launch->site->kernels, memory_order_acquire);
    while (k && (k->device != launch->queue->device || !(k->variant & AMP_PRIV_BAND)))
        k = k->next;
    return k;
}

/* Submits the site's kernel to the launch's queue, which is a device's. Reports what fails; then nothing was submitted
   and nothing has changed. Checked builds: waits for it, and fills launch->fault. */
AMP_PRIV_NOINLINE amp_status amp_priv_kernel_launch(amp_priv_launch *launch)
{
    amp_priv_kernel *const recent = __builtin_expect(launch->band != NULL, 0)
                                        ? amp_priv_kernel_of_band(launch)
                                        : atomic_load_explicit(&launch->site->recent, memory_order_acquire);
    amp_priv_kernel *held = recent && recent->device == launch->queue->device ? recent : NULL;
    int changed = 0;
    if (held)
        amp_priv_lock(&held->lock);
    const bool again = held && amp_priv_kernel_repeats(held, launch, &changed);
    amp_priv_result result = amp_priv_done();
    amp_status status = AMP_OK;
    if (__builtin_expect(again, 1))
        result = amp_priv_kernel_again(held, launch, changed);
    else
        status = amp_priv_kernel_launch_slow(launch, &held);
    if (held)
        amp_priv_unlock(&held->lock);
    return __builtin_expect(result.status == AMP_OK, 1) ? status
                                                        : amp_priv_kernel_refused(recent, launch->site, result);
}

#endif /* AMP_LAUNCH_KERNEL_LAUNCH_H */
