// SPDX-License-Identifier: MIT
/*  between.c - a library that LD_PRELOAD puts before OpenCL's: it says so when the first device is asked something.
    With -DOLD it is a library of OpenCL that lacks nearly all. */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#if defined(OLD)

int clGetPlatformIDs(unsigned count, void **platforms, unsigned *found);
int clGetPlatformIDs(unsigned count, void **platforms, unsigned *found)
{
    (void)count, (void)platforms, (void)found;
    return -1001;
}

#else

int clGetDeviceInfo(void *device, unsigned what, size_t size, void *value, size_t *length);
int clGetDeviceInfo(void *device, unsigned what, size_t size, void *value, size_t *length)
{
    static int (*next)(void *, unsigned, size_t, void *, size_t *);
    if (!next) {
        void *const address = dlsym(RTLD_NEXT, "clGetDeviceInfo");
        memcpy(&next, &address, sizeof next);
        fputs("between: asked\n", stderr);
    }
    return next(device, what, size, value, length);
}

#endif
