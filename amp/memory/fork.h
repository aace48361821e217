/* SPDX-License-Identifier: MIT */
/*  amp/memory/fork.h - children made by fork: they use no device of their parent */
#ifndef AMP_MEMORY_FORK_H
#define AMP_MEMORY_FORK_H

#include "../../amp_cpu.h"
#include "../device/hooks.h"
#include "../device/worker.h"
#include "handles.h"

/* // >>fork
   A child made by fork has the one thread that called it. That thread holds our locks meanwhile, so that the child can
   leave them; the operation that the worker is at is waited for. What else is in the queue, parent and child both do.
   Devices other than the CPU belong to their drivers' threads, and stay in the parent. */

/* Are there threads that this one's OpenMP team consists of, in the parent? Set in the child. */
AMP_PRIV_GLOBAL_THREAD(bool, amp_priv_left_team)

#define AMP_PRIV_INHERITED_BY_FORK                                                                                     \
    "this process was made by fork, and devices that were opened before work only in its parent; the CPU backend "     \
    "(\"cpu\") works here, too"

#if AMP_PRIV_FORKS
AMP_PRIV_COLD void amp_priv_fork_prepare(void)
{
    amp_priv_worker_state *const worker = &amp_priv_worker;
    amp_priv_lock(&worker->lock);
    while (worker->busy && !amp_priv_on_worker)
        amp_priv_condition_wait(&worker->progress, &worker->lock);
    amp_priv_hooks_fork(0);
    amp_priv_lock(&amp_priv_accelerators.lock);
    amp_priv_lock(&amp_priv_handle_table.lock);
    amp_priv_lock(&amp_priv_slots.lock);
    worker->alone = amp_priv_process_is_one_thread();
}

AMP_PRIV_COLD void amp_priv_fork_parent(void)
{
    amp_priv_unlock(&amp_priv_slots.lock);
    amp_priv_unlock(&amp_priv_handle_table.lock);
    amp_priv_unlock(&amp_priv_accelerators.lock);
    amp_priv_hooks_fork(1);
    amp_priv_unlock(&amp_priv_worker.lock);
}

AMP_PRIV_COLD void amp_priv_fork_child(void)
{
    static const amp_priv_condition fresh = AMP_PRIV_CONDITION_INIT;
    static const amp_priv_mutex unheld = AMP_PRIV_MUTEX_INIT;
    amp_priv_worker_state *const worker = &amp_priv_worker;
    memcpy(&worker->work, &fresh, sizeof fresh); /* no thread waits */
    memcpy(&worker->progress, &fresh, sizeof fresh);
    memcpy(&amp_priv_discovery, &unheld, sizeof unheld); /* the thread that held it is not here */
    atomic_store(&amp_priv_errors.changing, false);
    if (!amp_priv_on_worker) {
        amp_priv_future *const left = worker->current;
        worker->running = worker->busy = false;
        worker->current = NULL;
        if (left && left->progress == AMP_PRIV_OPEN) { /* it waits for a device */
            const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_KEPT);
            amp_priv_future_set(left, amp_priv_report(AMP_ACCELERATOR_VIEW_REMOVED, "%s", AMP_PRIV_INHERITED_BY_FORK));
            amp_priv_error_mode_end(before);
        }
        if (left)
            left->progress = AMP_PRIV_TOLD; /* by the parent */
    }
    amp_priv_hooks_fork(2);
    for (int i = 0; i < AMP_PRIV_MAX_DEVICES; i++) {
        amp_priv_device *const device = amp_priv_accelerators.device[i];
        if (!device || amp_priv_is_host(i))
            continue;
        device->inherited_by_fork = true;
        device->removed_reason = AMP_PRIV_INHERITED_BY_FORK;
        atomic_store(&device->removed, true);
    }
    amp_priv_left_team = amp_priv_left_team || !worker->alone;
    amp_priv_fork_parent();
}

/* Before main, since OpenMP may be used before the library is. Each file of a program tries. */
AMP_PRIV_AT_START void amp_priv_fork_begin(void)
{
    if (atomic_exchange(&amp_priv_worker.forks, true))
        return;
    amp_priv_library_pin(&amp_priv_module);
    amp_priv_process_forks(amp_priv_fork_prepare, amp_priv_fork_parent, amp_priv_fork_child);
}
#endif

/* The threads that a launch would have now. */
static inline int amp_priv_cpu_threads_now(void)
{
#if AMP_PRIV_OPENMP && !defined(__clang__)
    if (__builtin_expect(amp_priv_left_team, 0))
        return 1;
#endif
    return amp_priv_cpu_team();
}

#endif /* AMP_MEMORY_FORK_H */
