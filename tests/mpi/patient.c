// SPDX-License-Identifier: MIT
/*  patient.c - loaded before MPICH (LD_PRELOAD): ranks that wait sleep. MPICH asks UCX for messages without a pause,
    which takes most of the processors' time where there are more ranks than cores. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker);

unsigned ucp_worker_progress(void *worker)
{
    enum { PATIENCE = 20 };
    static unsigned (*progress)(void *);
    static _Thread_local int idle;
    if (!progress)
        *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
    const unsigned events = progress(worker);
    idle = events ? 0 : idle + 1;
    if (idle > PATIENCE)
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, 0);
    return events;
}
