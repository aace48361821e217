// SPDX-License-Identifier: MIT
/*  libraries/host.c - loads two libraries that use amp.h, for itself each (RTLD_LOCAL), and hands things from one to
    the other. "self" is what this program itself was linked with.

    host EXPECTED FIRST SECOND   EXPECTED: shared (they have one runtime), options (they were built with different
                                 options), hidden (the linker keeps them apart), together (their runtimes begin at the
                                 same time). The last line: "N passed, N failed" */
#define _POSIX_C_SOURCE 200809L /* barriers */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

enum { COUNT = 1000, OK = 0 };

#if defined(HAS_SELF)
plugin_get plugin_of_this;
#endif

static int passed, failed, heard;
static char said[4096];

static void check(int good, const char *what)
{
    good ? passed++ : failed++;
    if (!good)
        printf("FAILED  %s; last heard: %s\n", what, said);
}

static void hear(int status, const char *message)
{
    (void)status;
    heard++;
    snprintf(said, sizeof said, "%s", message);
}

static const plugin *load(const char *path, void **library)
{
    plugin_get *get = NULL;
    *library = NULL;
#if defined(HAS_SELF)
    if (!strcmp(path, "self"))
        return plugin_of_this();
#endif
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (*library) {
        void *const symbol = dlsym(*library, "plugin_of_this");
        memcpy(&get, &symbol, sizeof get);
    }
    if (!get) {
        printf("FAILED  %s\n0 passed, 1 failed\n", dlerror());
        exit(1);
    }
    return get();
}

static int values[COUNT];

static int all_are(int value)
{
    int count = 0;
    for (int i = 0; i < COUNT; i++)
        count += values[i] == value;
    return count == COUNT;
}

/* Everything with a library's own things. */
static void work_alone(const plugin *p, const char *which)
{
    memset(values, 0, sizeof values);
    void *const view = p->make(values, COUNT), *const on = p->open();
    int good = view && p->add(view, 2) == OK && p->add_on(view, 3, on) == OK && p->read(view, 7) == 5;
    good = good && p->wait(p->begin(view)) == OK && p->synchronize(view) == OK && all_are(5);
    good = good && p->release(view) == OK && p->close(on) == OK;
    check(good, which);
}

static void share(const plugin *a, const plugin *b)
{
    check(b->device() == a->device(), "both have the same accelerators");
    memset(values, 0, sizeof values);
    void *const view = a->make(values, COUNT), *const on = a->open();
    check(b->add(view, 2) == OK && a->add(view, 3) == OK, "a view goes through kernels of both");
    check(b->read(view, 7) == 5, "and is read by the other");
    check(b->add_on(view, 1, on) == OK, "an accelerator view is used by the other");
    void *const future = b->begin(view);
    check(a->wait(future) == OK && all_are(6), "so is a future");
    check(b->close(on) == OK && b->release(view) == OK, "and it releases all of them");
    a->listen(hear);
    check(b->fail() != OK && heard == 1, "a handler set by one hears of errors in the other");
    check(a->last_error() == b->last_error() && a->last_error() != OK, "the last error is known in both");
}

/* The other library is told off, in a sentence. */
static void check_refused(int status, int before, const char *part, const char *what)
{
    check(status != OK && heard == before + 1 && strstr(said, part) && !strstr(said, "removed"), what);
}

static void keep_apart(const plugin *a, const plugin *b, const char *part)
{
    memset(values, 0, sizeof values);
    void *const view = a->make(values, COUNT), *const on = a->open(), *const future = a->begin(view);
    void *const own = b->make(values, COUNT);
    a->listen(hear);
    b->listen(hear);
    int before = heard;
    check_refused(b->add(view, 2), before, part, "a view of the other one is refused by launches");
    before = heard;
    check_refused(b->add_on(own, 2, on), before, part, "so is an accelerator view");
    before = heard;
    check_refused(b->synchronize(view), before, part, "by calls");
    before = heard;
    check_refused(b->release(view), before, part, "by the end of a scope");
    before = heard;
    check_refused(b->close(on), before, part, "an accelerator view by its release");
    before = heard;
    check_refused(b->wait(future), before, part, "a future by all that is done with it");
    check(all_are(0), "nothing was touched");
    check(a->wait(future) == OK && a->add(view, 4) == OK && a->release(view) == OK && a->close(on) == OK && all_are(4),
          "whose they are goes on");
    check(b->release(own) == OK, "and so does the other");
}

static pthread_barrier_t start;

static void *begin_runtime(void *library)
{
    const plugin *const p = library;
    pthread_barrier_wait(&start);
    return (void *)(uintptr_t)p->device();
}

/* Two threads make the two runtimes, which look for devices in one driver. */
static void begin_together(const plugin *a, const plugin *b)
{
    pthread_t thread;
    void *device = NULL;
    pthread_barrier_init(&start, NULL, 2);
    check(pthread_create(&thread, NULL, begin_runtime, (void *)(uintptr_t)a) == 0, "a thread");
    const void *const other = begin_runtime((void *)(uintptr_t)b);
    pthread_join(thread, &device);
    check(device && other && device != other, "two runtimes begin together");
}

/* What shared state begins with, in assembler (amp/base/error.h). */
static void check_zeros(void)
{
    static const char zeros[256];
    const pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    const pthread_once_t once = PTHREAD_ONCE_INIT;
    check(!memcmp(&mutex, zeros, sizeof mutex) && !memcmp(&condition, zeros, sizeof condition) &&
              !memcmp(&once, zeros, sizeof once),
          "mutexes, conditions and once begin as zeros");
}

int main(int count, char **arguments)
{
    void *library[2];
    if (count != 4)
        return 2;
    const plugin *const a = load(arguments[2], &library[0]), *const b = load(arguments[3], &library[1]);
    const char *const expected = arguments[1];
    check_zeros();
    if (!strcmp(expected, "together"))
        begin_together(a, b);
    work_alone(b, "the second library alone"); /* so it is that one which makes the runtime */
    work_alone(a, "the first library alone");
    if (!strcmp(expected, "shared")) {
        share(a, b);
    } else if (!strcmp(expected, "options")) {
        keep_apart(a, b, "other options");
        memset(values, 0, sizeof values);
        void *const view = a->make(values, COUNT);
        const int before = heard;
        check(b->read(view, 3) == 0 && heard == before + 1 && strstr(said, "other options"),
              "the host is refused, too");
        check(a->release(view) == OK, "but not in the library that made it");
        b->fail();
        /* without -rdynamic a program shares nothing */
        check(!strcmp(arguments[2], "self") || (a->last_error() == b->last_error() && a->last_error() != OK),
              "the last error is known in both");
    } else if (strcmp(expected, "together") != 0) {
        keep_apart(a, b, "-rdynamic");
    }
    if (library[1])
        dlclose(library[1]);
    work_alone(a, "the first library, when the second one was closed");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}
