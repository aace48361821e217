// SPDX-License-Identifier: MIT
/*  fake_cuda.c - a library that is CUDA's driver and NVRTC to programs, without a GPU: host memory is a device's, the
    host's C++ compiler compiles kernels, and a fiber is a thread of a group. So the host's side of the backend runs as
    it does on a GPU, and so does the text of kernels, as C++.

    It is strict where the driver is: a call without a context, or with one of another device, fails, and so does a copy
    outside of an allocation. It is lazy where the driver may be: what is submitted to a stream begins when somebody
    waits or asks for it, so that who forgets to wait sees it.

    AMP_CUDA_LIBRARY and AMP_NVRTC_LIBRARY name it. In the environment: FAKE_CUDA_DEVICES (2), FAKE_CUDA_CAPABILITY (90,
    for 9.0), FAKE_CUDA_FAIL ("name code n": the n-th call of that function fails), CXX, and FAKE_NVRTC: a real NVRTC,
    which has to take each text, too, and whose log is given where it does not. */
#define _GNU_SOURCE 1 /* dladdr1 */
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef FAKE_COMPILER /* tests/hip has others */
#define FAKE_COMPILER         "nvrtc"
#define FAKE_COMPILER_LIBRARY "FAKE_NVRTC"
#endif
#define API __attribute__((visibility("default")))

enum {
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    ILLEGAL_STATE = 401,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_ADDRESS = 700,
    ALREADY_REGISTERED = 712,
    NOT_REGISTERED = 713,
    DEVICES = 8
};

typedef unsigned long long address;
typedef struct context {
    int ordinal, broken; /* after a kernel's fault every call fails */
} context;

typedef struct stream stream;
typedef struct event {
    context *owner;
    stream *stream; /* NULL: never recorded, done */
    uint64_t number;
    bool timed;
    double reached;
} event;

typedef struct module {
    context *owner;
    void *library;
    char path[64];
} module;

typedef struct function {
    module *module;
    struct function *next;
    void (*run)(void **);
    size_t sizes[1024], count;
    bool waits;
} function;

typedef struct command {
    struct command *next;
    enum { COPY, LAUNCH, RECORD, WAIT } what;
    struct {
        char *to;
        const char *from;
        size_t to_pitch, to_height, from_pitch, from_height, width, height, depth;
    } copy;
    function *kernel;
    unsigned grid[3], block[3];
    void **values;
    event *event;
    stream *other; /* WAIT: until it has come to that number */
    uint64_t number;
} command;

typedef struct graph {
    context *owner;
    command *nodes[4096];
    size_t *after[4096], after_count[4096]; /* the numbers of nodes */
    size_t count;
    bool made;      /* it may be launched */
    bool destroyed; /* what it was made of: its nodes have no names any more */
} graph;

struct stream {
    context *owner;
    command *first, **end;
    uint64_t submitted, done;
    graph *captured; /* not NULL: what is submitted becomes a node there, */
    command **after; /* after these */
    size_t after_count;
    bool early;  /* begins before one of these has ended */
    int invalid; /* what went wrong meanwhile */
};

typedef struct block {
    struct block *next;
    char *memory;
    size_t bytes;
    context *owner;
} block;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static context contexts[DEVICES];
static _Thread_local context *current;
static block *memory, *registered;

/* ---- failures ------------------------------------------------------------------------------------------------ */

static struct {
    char name[64];
    int code, after;
} failure;

/* For tests: the `after`-th call of that name from now on fails with code. */
API void fake_cuda_fail(const char *name, int code, int after)
{
    snprintf(failure.name, sizeof failure.name, "%s", name);
    failure.code = code;
    failure.after = after;
}

static int fails(const char *name)
{
    if (strcmp(failure.name, name) != 0 || failure.after <= 0 || --failure.after > 0)
        return 0;
    if (failure.code >= ILLEGAL_ADDRESS && failure.code != ALREADY_REGISTERED && failure.code != 701 && current)
        current->broken = failure.code;
    return failure.code;
}

#define BEGIN(needs)                                                                                                   \
    pthread_mutex_lock(&lock);                                                                                         \
    int error = fails(__func__);                                                                                       \
    if (!error && (needs) && !current)                                                                                 \
        error = INVALID_CONTEXT;                                                                                       \
    if (!error && (needs))                                                                                             \
        error = current->broken;
#define END                                                                                                            \
    pthread_mutex_unlock(&lock);                                                                                       \
    return error

/* ---- devices and contexts ------------------------------------------------------------------------------------- */

static int device_count(void)
{
    const char *const count = getenv("FAKE_CUDA_DEVICES");
    const int n = count ? atoi(count) : 2;
    return n < DEVICES ? n : DEVICES;
}

API int cuInit(unsigned flags)
{
    BEGIN(false)
    const char *const plan = getenv("FAKE_CUDA_FAIL");
    if (plan)
        sscanf(plan, "%63s %d %d", failure.name, &failure.code, &failure.after);
    for (int i = 0; i < DEVICES; i++)
        contexts[i].ordinal = i;
    if (!error && flags)
        error = INVALID_VALUE;
    END;
}

API int cuDriverGetVersion(int *version)
{
    *version = 12040;
    return 0;
}

API int cuGetErrorName(int error, const char **name)
{
    static const struct {
        int error;
        const char *name;
    } names[] = { { 0, "CUDA_SUCCESS" },
                  { INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE" },
                  { OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY" },
                  { 100, "CUDA_ERROR_NO_DEVICE" },
                  { INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT" },
                  { INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE" },
                  { NOT_FOUND, "CUDA_ERROR_NOT_FOUND" },
                  { NOT_READY, "CUDA_ERROR_NOT_READY" },
                  { ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS" },
                  { 701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES" },
                  { ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED" },
                  { 719, "CUDA_ERROR_LAUNCH_FAILED" } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].error == error) {
            *name = names[i].name;
            return 0;
        }
    *name = NULL;
    return INVALID_VALUE;
}

API int cuDeviceGetCount(int *count)
{
    BEGIN(false)
    *count = device_count();
    END;
}

API int cuDeviceGet(int *device, int ordinal)
{
    BEGIN(false)
    *device = ordinal;
    END;
}

API int cuDeviceGetName(char *name, int size, int device)
{
    snprintf(name, (size_t)size, device == 0 ? "Fake GPU" : "Fake GPU %d", device);
    return 0;
}

API int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return 0;
}

API int cuDeviceGetAttribute(int *value, int what, int device)
{
    static const int values[][2] = { { 1, 1024 }, { 2, 1024 }, { 3, 1024 }, { 4, 64 },     { 8, 49152 },
                                     { 10, 32 },  { 16, 4 },   { 17, 0 },   { 18, 0 },     { 20, 0 },
                                     { 33, 1 },   { 34, 0 },   { 50, 0 },   { 97, 232448 } };
    const char *const capability = getenv("FAKE_CUDA_CAPABILITY");
    const int number = capability ? atoi(capability) : 90;
    if (what == 75 || what == 76) {
        *value = what == 75 ? number / 10 : number % 10;
        return 0;
    }
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (values[i][0] == what) {
            *value = values[i][1] + (what == 33 ? device : 0);
            return 0;
        }
    return INVALID_VALUE;
}

API int cuDevicePrimaryCtxRetain(context **found, int device)
{
    BEGIN(false)
    *found = error ? NULL : &contexts[device];
    END;
}

API int cuCtxGetCurrent(context **found)
{
    *found = current;
    return 0;
}

API int cuCtxSetCurrent(context *wanted)
{
    current = wanted;
    return 0;
}

API int cuCtxGetDevice(int *device)
{
    BEGIN(true)
    if (!error)
        *device = current->ordinal;
    END;
}

API int cuCtxSynchronize(void)
{
    BEGIN(true)
    END;
}

/* It has no texture units, and says so: DeviceGetAttribute knows no alignment of theirs. */
API int cuTexObjectCreate(unsigned long long *texture, const void *rows, const void *sampler, const void *part)
{
    (void)rows, (void)sampler, (void)part;
    *texture = 0;
    return INVALID_VALUE;
}

API int cuTexObjectDestroy(unsigned long long texture)
{
    (void)texture;
    return INVALID_VALUE;
}

/* ---- memory --------------------------------------------------------------------------------------------------- */

static block **block_of(block **list, const char *at)
{
    while (*list && !(at >= (*list)->memory && at < (*list)->memory + (*list)->bytes))
        list = &(*list)->next;
    return list;
}

static void block_add(block **list, char *at, size_t bytes)
{
    block *const b = malloc(sizeof *b);
    *b = (block){ *list, at, bytes, current };
    *list = b;
}

static void drain(stream *s, uint64_t number);
static stream *streams[4096];
static int stream_count;

API int cuMemAlloc_v2(address *found, size_t bytes)
{
    BEGIN(true)
    char *const new = error ? NULL : malloc(bytes);
    if (!error && !new)
        error = OUT_OF_MEMORY;
    if (!error) {
        memset(new, 0xA5, bytes); /* nobody has written it */
        block_add(&memory, new, bytes);
    }
    *found = (address)(uintptr_t) new;
    END;
}

static int forget(block **list, const char *at, bool frees, int missing)
{
    block **const found = block_of(list, at), *const b = *found;
    if (!b || b->memory != at)
        return missing;
    for (int i = 0; i < stream_count; i++) /* as the driver does */
        drain(streams[i], UINT64_MAX);
    *found = b->next;
    if (frees)
        free(b->memory);
    free(b);
    return 0;
}

API int cuMemFree_v2(address at)
{
    BEGIN(true)
    if (!error)
        error = forget(&memory, (char *)(uintptr_t)at, true, INVALID_VALUE);
    END;
}

API int cuMemGetAddressRange_v2(address *base, size_t *bytes, address at)
{
    BEGIN(true)
    const block *const b = *block_of(&memory, (char *)(uintptr_t)at);
    if (!error && !b)
        error = NOT_FOUND;
    if (!error && base)
        *base = (address)(uintptr_t)b->memory;
    if (!error && bytes)
        *bytes = b->bytes;
    END;
}

API int cuPointerGetAttribute(void *value, int what, address at)
{
    BEGIN(false)
    block *const b = *block_of(&memory, (char *)(uintptr_t)at);
    if (!error && (!b || what != 1))
        error = INVALID_VALUE;
    if (!error)
        *(context **)value = b->owner;
    END;
}

API int cuMemHostRegister_v2(void *at, size_t bytes, unsigned flags)
{
    BEGIN(true)
    (void)flags;
    for (block *b = registered; b && !error; b = b->next)
        if ((char *)at < b->memory + b->bytes && b->memory < (char *)at + bytes)
            error = ALREADY_REGISTERED;
    if (!error)
        block_add(&registered, at, bytes);
    END;
}

API int cuMemHostUnregister(void *at)
{
    BEGIN(true)
    if (!error)
        error = forget(&registered, at, false, NOT_REGISTERED);
    END;
}

/* ---- streams: what is submitted waits until somebody asks ------------------------------------------------------ */

API int cuStreamCreate(stream **found, unsigned flags)
{
    BEGIN(true)
    (void)flags;
    stream *const s = error ? NULL : calloc(1, sizeof *s);
    if (s) {
        s->owner = current;
        s->end = &s->first;
        streams[stream_count++] = s;
    }
    *found = s;
    END;
}

static bool known(const stream *s)
{
    for (int i = 0; i < stream_count; i++)
        if (streams[i] == s)
            return true;
    return false;
}

static int usable(const stream *s) { return !known(s) ? INVALID_HANDLE : s->owner != current ? INVALID_CONTEXT : 0; }

static int graph_add(graph *g, command *const *after, size_t count, command c, command **node);

static void submit(stream *s, command c)
{
    if (s->captured) {
        if (!s->invalid && s->early && c.what != LAUNCH)
            s->invalid = INVALID_VALUE;
        s->early = false;
        if (!s->invalid)
            s->invalid = graph_add(s->captured, s->after, s->after_count, c, s->after);
        s->after_count = 1;
        return;
    }
    command *const copy = malloc(sizeof *copy);
    *copy = c;
    copy->next = NULL;
    *s->end = copy;
    s->end = &copy->next;
    s->submitted++;
}

API int cuStreamDestroy_v2(stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error) {
        drain(s, UINT64_MAX);
        for (int i = 0; i < stream_count; i++)
            if (streams[i] == s)
                streams[i] = streams[--stream_count];
    }
    END; /* the record stays: events refer to it */
}

API int cuStreamSynchronize(stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && s->captured)
        error = s->invalid = 900;
    if (!error)
        drain(s, UINT64_MAX);
    if (!error)
        error = current->broken;
    END;
}

API int cuStreamGetCtx(const stream *s, context **found)
{
    BEGIN(false)
    if (!error && !known(s))
        error = INVALID_HANDLE;
    *found = error ? NULL : s->owner;
    END;
}

API int cuStreamWaitEvent(stream *s, event *e, unsigned flags)
{
    BEGIN(true)
    (void)flags;
    if (!error)
        error = usable(s);
    if (!error && e->stream)
        submit(s, (command){ .what = WAIT, .other = e->stream, .number = e->number });
    END;
}

API int cuEventCreate(event **found, unsigned flags)
{
    BEGIN(true)
    *found = error ? NULL : calloc(1, sizeof **found);
    if (*found) {
        (*found)->owner = current;
        (*found)->timed = !(flags & 2);
    }
    END;
}

API int cuEventDestroy_v2(event *e)
{
    BEGIN(true)
    (void)e; /* what is submitted may refer to it */
    END;
}

API int cuEventRecord(event *e, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && e->owner != current)
        error = INVALID_HANDLE;
    if (!error) {
        submit(s, (command){ .what = RECORD, .event = e });
        e->stream = s;
        e->number = s->submitted;
    }
    END;
}

static int event_reach(event *e, uint64_t number)
{
    if (e->stream)
        drain(e->stream, number);
    return current->broken;
}

API int cuEventQuery(event *e)
{
    BEGIN(true)
    if (!error && e->stream && e->stream->done < e->number) {
        drain(e->stream, e->stream->done + 1); /* a step further */
        error = e->stream->done < e->number ? NOT_READY : current->broken;
    }
    END;
}

API int cuEventSynchronize(event *e)
{
    BEGIN(true)
    if (!error)
        error = event_reach(e, e->number);
    END;
}

API int cuEventElapsedTime(float *milliseconds, event *from, event *to)
{
    BEGIN(true)
    if (!error && (!from->timed || !to->timed || !from->stream || !to->stream))
        error = INVALID_HANDLE;
    if (!error && (from->stream->done < from->number || to->stream->done < to->number))
        error = NOT_READY;
    if (!error)
        *milliseconds = (float)((to->reached - from->reached) * 1e3);
    END;
}

/* ---- copies ---------------------------------------------------------------------------------------------------- */

static int within(context *owner, address at, size_t bytes)
{
    const block *const b = *block_of(&memory, (char *)(uintptr_t)at);
    if (b && b->owner == owner && at + bytes <= (uintptr_t)b->memory + b->bytes)
        return 0;
    fprintf(stderr, "fake CUDA: %zu bytes at %llx are not in one allocation of this device\n", bytes, at);
    return INVALID_VALUE;
}

/* A copy that begins in registered memory and ends elsewhere is refused by the driver. */
static int host_whole(const void *at, size_t bytes)
{
    const block *const b = *block_of(&registered, at);
    return b && (const char *)at + bytes > b->memory + b->bytes ? INVALID_VALUE : 0;
}

static command line(void *to, const void *from, size_t bytes)
{
    return (command){
        .what = COPY,
        .copy = { .to = to, .from = from, .width = bytes, .height = 1, .depth = 1, .to_height = 1, .from_height = 1 }
    };
}

/* A device's memory, this one's where that is NULL, or the host's. */
static int place_good(context *owner, address at, size_t bytes)
{
    return *block_of(&memory, (char *)(uintptr_t)at) ? within(owner ? owner : current, at, bytes)
                                                     : host_whole((void *)(uintptr_t)at, bytes);
}

API int cuMemcpyAsync(address to, address from, size_t bytes, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error)
        error = place_good(NULL, from, bytes) || place_good(NULL, to, bytes);
    if (!error)
        submit(s, line((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes));
    END;
}

typedef struct side {
    size_t x, y, z, lod;
    unsigned type;
    const void *host;
    address device;
    void *array;
    context *owner;
    size_t pitch, height;
} side;
typedef struct copy3d {
    side from, to;
    size_t width, height, depth;
} copy3d;

static int side_good(const copy3d *c, const side *s)
{
    const size_t span = (c->depth - 1) * s->pitch * s->height + (c->height - 1) * s->pitch + c->width;
    if (s->pitch < c->width || (c->depth > 1 && s->height < c->height))
        return INVALID_VALUE;
    return s->type == 2   ? within(s->owner ? s->owner : current, s->device, span)
           : s->type == 4 ? place_good(s->owner, s->device, span)
                          : INVALID_VALUE;
}

static command copy_of(const copy3d *c)
{
    return (command){ .what = COPY,
                      .copy = { .to = (char *)(uintptr_t)c->to.device,
                                .from = (char *)(uintptr_t)c->from.device,
                                .to_pitch = c->to.pitch,
                                .to_height = c->to.height,
                                .from_pitch = c->from.pitch,
                                .from_height = c->from.height,
                                .width = c->width,
                                .height = c->height,
                                .depth = c->depth } };
}

API int cuMemcpy3DAsync_v2(const copy3d *c, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && (c->from.owner || c->to.owner || side_good(c, &c->from) || side_good(c, &c->to)))
        error = INVALID_VALUE;
    if (!error)
        submit(s, copy_of(c));
    END;
}

API int cuMemcpy3DPeerAsync(const copy3d *c, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && (!c->from.owner || !c->to.owner || side_good(c, &c->from) || side_good(c, &c->to)))
        error = INVALID_VALUE;
    if (!error)
        submit(s, copy_of(c));
    END;
}

API int cuDeviceCanAccessPeer(int *can, int device, int other)
{
    *can = device != other;
    return 0;
}

API int cuCtxEnablePeerAccess(context *other, unsigned flags)
{
    BEGIN(true)
    if (!error && (!other || other == current || flags))
        error = INVALID_VALUE;
    END;
}

static void run_copy(const command *c)
{
    for (size_t z = 0; z < c->copy.depth; z++)
        for (size_t y = 0; y < c->copy.height; y++)
            memmove(c->copy.to + (z * c->copy.to_height + y) * c->copy.to_pitch,
                    c->copy.from + (z * c->copy.from_height + y) * c->copy.from_pitch, c->copy.width);
}

/* ---- modules: a library, after a header ------------------------------------------------------------------------ */

static const char magic[8] = "FAKECUBN";

API int cuModuleLoadData(module **found, const char *image)
{
    BEGIN(true)
    uint64_t length;
    char path[] = "/tmp/amp-cuda-XXXXXX";
    if (!error && memcmp(image, magic, sizeof magic) != 0)
        error = 200; /* CUDA_ERROR_INVALID_IMAGE */
    const int file = error ? -1 : mkstemp(path);
    module *const m = file < 0 ? NULL : calloc(1, sizeof *m);
    if (m) {
        memcpy(&length, image + sizeof magic, sizeof length);
        const bool whole = write(file, image + sizeof magic + sizeof length, length) == (ssize_t)length;
        close(file);
        m->owner = current;
        m->library = whole ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
        unlink(path);
        if (!m->library)
            error = 200;
    }
    *found = m;
    END;
}

API int cuModuleUnload(module *m)
{
    BEGIN(true)
    for (int i = 0; i < stream_count && !error; i++)
        drain(streams[i], UINT64_MAX);
    dlclose(m->library);
    END;
}

static void *symbol(module *m, const char *name) { return dlsym(m->library, name); }

API int cuModuleGetFunction(function **found, module *m, const char *name)
{
    BEGIN(true)
    (void)name;
    function *const f = calloc(1, sizeof *f);
    size_t (*sizes)(size_t *) = NULL;
    *(void **)&f->run = symbol(m, "fake_entry");
    *(void **)&sizes = symbol(m, "fake_entry_sizes");
    f->module = m;
    if (!error && (!f->run || !sizes || m->owner != current))
        error = NOT_FOUND;
    if (!error) {
        f->count = sizes(f->sizes);
        f->waits = *(int *)symbol(m, "fake_waits") != 0;
    }
    *found = f;
    END;
}

API int cuModuleGetGlobal_v2(address *found, size_t *bytes, module *m, const char *name)
{
    BEGIN(true)
    Dl_info info;
    const ElfW(Sym) *entry = NULL;
    void *const at = error ? NULL : symbol(m, name);
    if (!error && (!at || !dladdr1(at, &info, (void **)&entry, RTLD_DL_SYMENT) || !entry))
        error = NOT_FOUND;
    *found = (address)(uintptr_t)at;
    *bytes = error ? 0 : entry->st_size;
    END;
}

API int cuFuncSetAttribute(function *f, int what, int value)
{
    BEGIN(true)
    (void)f;
    if (!error && (what != 8 || value > 232448))
        error = INVALID_VALUE;
    END;
}

API int cuFuncGetAttribute(int *value, int what, function *f)
{
    BEGIN(true)
    (void)f;
    *value = what == 0 ? 1024 : 0;
    END;
}

/* ---- launches: the groups one after the other, a fiber for each thread where they wait for each other ----------- */

enum { STACK = 128 * 1024 };
static struct {
    ucontext_t main, fiber[1024];
    char *stack[1024];
    bool done[1024];
    int here;
    void (*run)(void **);
    void **values;
} group;

static void group_barrier(void) { swapcontext(&group.fiber[group.here], &group.main); }

static void fiber_main(void)
{
    group.run(group.values);
    group.done[group.here] = true;
    swapcontext(&group.fiber[group.here], &group.main);
}

static void run_fibers(const command *c, unsigned *thread)
{
    const int count = (int)(c->block[0] * c->block[1] * c->block[2]);
    for (int i = 0; i < count; i++) {
        if (!group.stack[i])
            group.stack[i] = malloc(STACK);
        getcontext(&group.fiber[i]);
        group.fiber[i].uc_stack.ss_sp = group.stack[i];
        group.fiber[i].uc_stack.ss_size = STACK;
        group.fiber[i].uc_link = NULL;
        group.done[i] = false;
        makecontext(&group.fiber[i], fiber_main, 0);
    }
    for (int left = count; left > 0;)
        for (int i = 0; i < count; i++) {
            if (group.done[i])
                continue;
            thread[0] = (unsigned)i % c->block[0];
            thread[1] = (unsigned)i / c->block[0] % c->block[1];
            thread[2] = (unsigned)i / c->block[0] / c->block[1];
            group.here = i;
            swapcontext(&group.main, &group.fiber[i]);
            left -= group.done[i];
        }
}

static void run_launch(const command *c)
{
    module *const m = c->kernel->module;
    unsigned *const thread = symbol(m, "threadIdx"), *const at = symbol(m, "blockIdx");
    memcpy(symbol(m, "blockDim"), c->block, sizeof c->block);
    *(void (**)(void))symbol(m, "fake_barrier") = group_barrier;
    group.run = c->kernel->run;
    group.values = c->values;
    for (at[2] = 0; at[2] < c->grid[2]; at[2]++)
        for (at[1] = 0; at[1] < c->grid[1]; at[1]++)
            for (at[0] = 0; at[0] < c->grid[0]; at[0]++) {
                if (c->kernel->waits) {
                    run_fibers(c, thread);
                    continue;
                }
                for (thread[2] = 0; thread[2] < c->block[2]; thread[2]++)
                    for (thread[1] = 0; thread[1] < c->block[1]; thread[1]++)
                        for (thread[0] = 0; thread[0] < c->block[0]; thread[0]++)
                            c->kernel->run(c->values);
            }
    for (size_t i = 0; i < c->kernel->count; i++)
        free(c->values[i]);
    free(c->values);
}

static void **values_copied(const function *f, void **values)
{
    void **const copied = malloc((f->count + 1) * sizeof *copied);
    for (size_t i = 0; i < f->count; i++)
        copied[i] = memcpy(malloc(f->sizes[i]), values[i], f->sizes[i]);
    return copied;
}

API int cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                       unsigned shared, stream *s, void **values, void **extra)
{
    BEGIN(true)
    command c = { .what = LAUNCH, .kernel = f, .grid = { gx, gy, gz }, .block = { bx, by, bz } };
    if (!error)
        error = usable(s);
    if (!error && f->module->owner != current)
        error = INVALID_HANDLE;
    if (!error &&
        (!gx || !gy || !gz || gy > 65535 || gz > 65535 || bx * by * bz > 1024 || bz > 64 || shared > 232448 || extra))
        error = INVALID_VALUE;
    if (!error) {
        c.values = values_copied(f, values);
        submit(s, c);
    }
    END;
}

/* ---- graphs: what a stream captures, each command after those that it was told to be after ---------------------- */

static int graph_add(graph *g, command *const *after, size_t count, command c, command **node)
{
    if ((c.what != LAUNCH && c.what != COPY) || g->count == sizeof g->nodes / sizeof g->nodes[0])
        return 900; /* CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED */
    size_t *const numbers = g->after[g->count] = malloc((count + 1) * sizeof *numbers);
    for (size_t i = 0; i < count; i++) {
        for (numbers[i] = 0; numbers[i] < g->count && g->nodes[numbers[i]] != after[i];)
            numbers[i]++;
        if (numbers[i] == g->count)
            return INVALID_VALUE;
    }
    g->after_count[g->count] = count;
    *node = g->nodes[g->count++] = malloc(sizeof c);
    **node = c;
    return 0;
}

API int cuStreamBeginCapture_v2(stream *s, int mode)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && (s->captured || mode < 0 || mode > 2))
        error = INVALID_VALUE;
    if (!error) {
        s->captured = calloc(1, sizeof *s->captured);
        s->captured->owner = current;
        s->after = calloc(4096, sizeof(command *));
        s->after_count = 0;
        s->invalid = 0;
    }
    END;
}

static int be_after(stream *s, command *const *after, size_t count, unsigned flags)
{
    const int error = usable(s);
    if (error || !s->captured || count > 4096 || flags != 1)
        return error ? error : !s->captured ? ILLEGAL_STATE : INVALID_VALUE;
    memcpy(s->after, after, count * sizeof *after);
    s->after_count = count;
    s->early = false;
    return 0;
}

API int cuStreamUpdateCaptureDependencies(stream *s, command *const *after, size_t count, unsigned flags)
{
    BEGIN(true)
    if (!error)
        error = be_after(s, after, count, flags);
    END;
}

/* how: from where of a node, to where, and of which type; a kernel may begin before another has ended. */
API int cuStreamUpdateCaptureDependencies_v2(stream *s, command *const *after, const unsigned char (*how)[8],
                                             size_t count, unsigned flags)
{
    BEGIN(true)
    if (!error)
        error = be_after(s, after, count, flags);
    for (size_t i = 0; i < count && !error; i++) {
        const bool early = how[i][0] == 1 && how[i][2] == 1;
        if (how[i][1] || (!early && (how[i][0] || how[i][2])) || (early && after[i]->what != LAUNCH))
            error = INVALID_VALUE;
        s->early = s->early || early;
    }
    END;
}

API int cuStreamGetCaptureInfo_v2(stream *s, int *status, unsigned long long *id, graph **g, command *const **after,
                                  size_t *count)
{
    BEGIN(true)
    (void)id, (void)g;
    if (!error)
        error = usable(s);
    if (!error) {
        *status = !s->captured ? 0 : s->invalid ? 2 : 1;
        *after = s->after;
        *count = s->after_count;
    }
    END;
}

API int cuStreamEndCapture(stream *s, graph **g)
{
    BEGIN(true)
    *g = NULL;
    if (!error)
        error = usable(s);
    if (!error && !s->captured)
        error = ILLEGAL_STATE;
    if (!error) {
        error = s->invalid ? 901 : 0; /* CUDA_ERROR_STREAM_CAPTURE_INVALIDATED */
        *g = s->invalid ? NULL : s->captured;
        free(s->after);
        s->captured = NULL;
    }
    END;
}

API int cuGraphDestroy(graph *g)
{
    BEGIN(true)
    g->destroyed = true; /* its nodes belong to what was made of it */
    END;
}

/* Of the nodes that may run, the last one, so that an order that nobody asked for is not kept by chance. */
static size_t graph_next(const graph *g, const bool *done)
{
    for (size_t i = g->count; i-- > 0;) {
        bool ready = !done[i];
        for (size_t n = 0; n < g->after_count[i]; n++)
            ready = ready && done[g->after[i][n]];
        if (ready)
            return i;
    }
    return g->count;
}

API int cuGraphInstantiate_v2(graph **made, graph *g, command **node, char *log, size_t size)
{
    BEGIN(true)
    (void)node, (void)log, (void)size;
    if (!error && g->made)
        error = INVALID_VALUE;
    g->made = !error;
    *made = error ? NULL : g;
    END;
}

API int cuGraphLaunch(graph *g, stream *s)
{
    BEGIN(true)
    if (!error)
        error = usable(s);
    if (!error && (!g->made || g->owner != current))
        error = INVALID_HANDLE;
    bool done[sizeof g->nodes / sizeof g->nodes[0]] = { false };
    for (size_t i = graph_next(g, done); i < g->count && !error; i = graph_next(g, done)) {
        command c = *g->nodes[i];
        if (c.what == LAUNCH)
            c.values = values_copied(c.kernel, c.values);
        submit(s, c);
        done[i] = true;
    }
    END;
}

static void values_free(command *c)
{
    for (size_t k = 0; c->what == LAUNCH && k < c->kernel->count; k++)
        free(c->values[k]);
    free(c->values);
}

typedef struct launch {
    function *kernel;
    unsigned grid[3], block[3], shared;
    void **values, **extra;
} launch;

API int cuGraphExecKernelNodeSetParams(graph *g, command *node, const launch *l)
{
    BEGIN(true)
    size_t i = 0;
    while (!error && i < g->count && g->nodes[i] != node)
        i++;
    if (!error && (!g->made || g->destroyed))
        error = INVALID_HANDLE;
    if (!error && (i == g->count || node->what != LAUNCH || node->kernel != l->kernel || l->extra ||
                   memcmp(node->grid, l->grid, sizeof l->grid) || memcmp(node->block, l->block, sizeof l->block)))
        error = INVALID_VALUE;
    if (!error) {
        values_free(node);
        node->values = values_copied(l->kernel, l->values);
    }
    END;
}

API int cuGraphExecDestroy(graph *g)
{
    BEGIN(true)
    if (!error && !g->made)
        error = INVALID_HANDLE;
    for (size_t i = 0; i < g->count && !error; i++) {
        values_free(g->nodes[i]);
        free(g->nodes[i]);
        free(g->after[i]);
    }
    free(error ? NULL : g);
    END;
}

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void drain(stream *s, uint64_t number)
{
    while (s->first && s->done < number) {
        command *const c = s->first;
        s->first = c->next;
        if (!s->first)
            s->end = &s->first;
        if (c->what == WAIT)
            drain(c->other, c->number);
        else if (c->what == RECORD)
            c->event->reached = now();
        else if (c->what == COPY)
            run_copy(c);
        else
            run_launch(c);
        s->done++;
        free(c);
    }
}

/* ---- NVRTC ------------------------------------------------------------------------------------------------------ */

typedef struct program {
    char *text, *log, *image;
    size_t length;
} program;

API const char *nvrtcGetErrorString(int error)
{
    return error == 6    ? "NVRTC_ERROR_COMPILATION"
           : error == 1  ? "NVRTC_ERROR_OUT_OF_MEMORY"
           : error == 11 ? "NVRTC_ERROR_INTERNAL_ERROR"
                         : "NVRTC_ERROR";
}

API int nvrtcCreateProgram(program **p, const char *text, const char *name, int count, const char *const *headers,
                           const char *const *names)
{
    (void)name, (void)headers, (void)names;
    const int error = fails(__func__);
    if (error || count)
        return error ? error : 3;
    *p = calloc(1, sizeof **p);
    (*p)->text = malloc(strlen(text) + 1);
    memcpy((*p)->text, text, strlen(text) + 1);
    return 0;
}

API int nvrtcDestroyProgram(program **p)
{
    free((*p)->text);
    free((*p)->log);
    free((*p)->image);
    free(*p);
    *p = NULL;
    return 0;
}

static char *load(const char *folder, const char *name, size_t before, size_t *length)
{
    char path[320];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    *length = (size_t)ftell(file);
    rewind(file);
    char *const bytes = calloc(1, before + *length + 1);
    if (fread(bytes + before, 1, *length, file) != *length)
        *length = 0;
    fclose(file);
    return bytes;
}

/* The compiler itself, where it is there: does it take the text, too? */
static int real_compile(program *p, int count, const char *const *options)
{
    static void *library;
    const char *const name = getenv(FAKE_COMPILER_LIBRARY);
    if (!name || !name[0])
        return 0;
    if (!library && !(library = dlopen(name, RTLD_LAZY | RTLD_LOCAL))) {
        fprintf(stderr, "fake CUDA: %s\n", dlerror());
        exit(1);
    }
    int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *);
    int (*compile)(void *, int, const char *const *), (*size)(void *, size_t *), (*log)(void *, char *);
    int (*destroy)(void **);
    *(void **)&create = dlsym(library, FAKE_COMPILER "CreateProgram");
    *(void **)&compile = dlsym(library, FAKE_COMPILER "CompileProgram");
    *(void **)&size = dlsym(library, FAKE_COMPILER "GetProgramLogSize");
    *(void **)&log = dlsym(library, FAKE_COMPILER "GetProgramLog");
    *(void **)&destroy = dlsym(library, FAKE_COMPILER "DestroyProgram");
    void *real = NULL;
    size_t length = 0;
    create(&real, p->text, "kernel.cu", 0, NULL, NULL);
    const int error = compile(real, count, options);
    if (error && size(real, &length) == 0) {
        p->log = calloc(1, length + 1);
        log(real, p->log);
    }
    destroy(&real);
    return error;
}

/* What g++ and clang++ say of a name that they do not know, as NVRTC says it. */
static void speak_as_nvrtc(char *log)
{
    static const char *const says[][2] = { { "error: '", "' was not declared in this scope" },
                                           { "error: use of undeclared identifier '", "'" } };
    for (char *in; log && (in = strstr(log, ": In function ")) != NULL;) { /* a line that NVRTC has not */
        char *const end = in + strcspn(in, "\n");
        while (in > log && in[-1] != '\n')
            in--;
        memmove(in, *end ? end + 1 : end, strlen(*end ? end + 1 : end) + 1);
    }
    for (size_t k = 0; log && k < 2; k++)
        for (char *p = log; (p = strstr(p, says[k][0])) != NULL; p++) {
            char *const name = p + strlen(says[k][0]);
            const size_t length = strcspn(name, "'"), after = strlen(says[k][1]);
            if (strncmp(name + length, says[k][1], after) != 0)
                continue;
            char text[256];
            const int n = snprintf(text, sizeof text, "error: identifier \"%.*s\" is undefined", (int)length, name);
            const size_t room = (size_t)(name + length + after - p);
            memset(p, ' ', room);
            memcpy(p, text, (size_t)n < room ? (size_t)n : room);
        }
}

/* The kernel's name: the word before the ( that follows `__global__` in what the preprocessor leaves, or `__kernel`. */
static void kernel_name(const char *text, char *name, size_t size)
{
    const char *p = strstr(text, "\n__kernel ");
    p = p ? strstr(p, "void amp_") : NULL;
    snprintf(name, size, "%.*s", p ? (int)strcspn(p + 5, "(") : 0, p ? p + 5 : "");
}

API int nvrtcCompileProgram(program *p, int count, const char *const *options)
{
    int error = fails(__func__);
    if (!error)
        error = real_compile(p, count, options);
    if (error)
        return error;
    const char *define = "";
    for (int i = 0; i < count; i++)
        if (!strncmp(options[i], "-D", 2))
            define = options[i];
    char folder[] = "/tmp/amp-nvrtc-XXXXXX", line_of[1024], path[64], name[300];
    const char *const cxx = getenv("CXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/k.cpp", folder);
    FILE *const file = fopen(path, "w");
    kernel_name(p->text, name, sizeof name);
    fprintf(file,
            "%s\nextern \"C\" { int fake_waits = %d;\nvoid fake_entry(void **v) { fake_run(%s, v); }\n"
            "size_t fake_entry_sizes(size_t *s) { return fake_sizes(%s, s); } }\n",
            p->text, strstr(p->text, "__syncthreads") || strstr(p->text, "__shfl_sync"), name, name);
    fclose(file);
    snprintf(
        line_of, sizeof line_of,
        "cd %s && LC_ALL=C %s -std=gnu++20 %s -O0 -fPIC -shared -fpermissive %s -include %s k.cpp -o k.so >k.log 2>&1",
        folder, cxx && cxx[0] ? cxx : "c++", strcmp(define, "-DAMP_DYNAMIC=1") == 0 ? "" : "-w", define, FAKE_KERNEL);
    if (system(line_of) != 0)
        error = 6;
    size_t length = 0;
    p->log = load(folder, "k.log", 0, &length);
    speak_as_nvrtc(p->log);
    if (!error) {
        uint64_t bytes;
        p->image = load(folder, "k.so", sizeof magic + sizeof bytes, &length);
        bytes = length;
        memcpy(p->image, magic, sizeof magic);
        memcpy(p->image + sizeof magic, &bytes, sizeof bytes);
        p->length = sizeof magic + sizeof bytes + length;
    }
    snprintf(line_of, sizeof line_of, "rm -r %s", folder);
    return system(line_of) != 0 && !error ? 1 : error;
}

/* It fails by saying that there is none. */
API int nvrtcGetCUBINSize(program *p, size_t *size)
{
    *size = fails(__func__) ? 0 : p->length;
    return 0;
}

API int nvrtcGetCUBIN(program *p, char *cubin)
{
    memcpy(cubin, p->image, p->length);
    return 0;
}

API int nvrtcGetProgramLogSize(program *p, size_t *size)
{
    *size = p->log ? strlen(p->log) + 1 : 1;
    return 0;
}

API int nvrtcGetProgramLog(program *p, char *log)
{
    strcpy(log, p->log ? p->log : "");
    return 0;
}

API int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 1;
    return 0;
}

API int nvrtcGetSupportedArchs(int *archs)
{
    archs[0] = 90;
    return 0;
}
