// SPDX-License-Identifier: MIT
/*  fake_device.h - devices made of threads and malloc, so that everything the memory model does with devices
    that copy, devices that share memory, and several of them at once is tested on every machine, also under
    the sanitizers. They are in the list of accelerators between fake_begin and fake_end.

    A queue is a thread that carries out commands in order. A launch runs a C function given by fake_launch. */
#ifndef FAKE_DEVICE_H
#define FAKE_DEVICE_H

#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

enum { FAKE_COPYING = 2, FAKE_SHARING = 1, FAKE_DEVICES = FAKE_COPYING + FAKE_SHARING };

/* ---- commands, events, queues --------------------------------------------------------------------- */

typedef struct fake_event {
    atomic_int references;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool done;
} fake_event;

typedef struct fake_command {
    void (*run)(struct fake_command *);
    fake_event *after, *event;
    char *to;
    const char *from;
    amp_priv_rect to_rect, from_rect;
    void (*kernel)(const amp_priv_shape *shapes, int count, void *user);
    amp_priv_shape shapes[4]; /* of the captured views, in device memory */
    int shape_count;
    void *user;
    struct fake_command *next;
} fake_command;

typedef struct fake_queue {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    fake_command *first, **end;
    bool busy, closing;
} fake_queue;

/* A buffer knows its size, so that transfers outside of it are seen. */
typedef struct fake_buffer {
    char *memory;
    size_t bytes;
    bool owns;
} fake_buffer;

TEST_GLOBAL atomic_int fake_buffers, fake_events, fake_registrations; /* that are open */
TEST_GLOBAL atomic_int fake_registered;                               /* host memory, ever */
TEST_GLOBAL atomic_int fake_fail_buffers;                             /* buffer_open fails that many times */
TEST_GLOBAL atomic_int fake_fail_waits;                               /* the same for waits of the host */
TEST_GLOBAL atomic_int fake_fail_copy, fake_fail_transfer;            /* the n-th of them fails; 0: none */
enum { FAKE_HELD = -1 };
TEST_GLOBAL atomic_int fake_slow; /* commands take so many times 10 us; FAKE_HELD: until it changes */

static inline amp_priv_result fake_failed(amp_status status, const char *call)
{
    return (amp_priv_result){ status, false, false, 1, call };
}

static inline void fake_release(amp_priv_device *device, void *event)
{
    (void)device;
    fake_event *const e = event;
    if (atomic_fetch_sub(&e->references, 1) != 1)
        return;
    pthread_mutex_destroy(&e->lock);
    pthread_cond_destroy(&e->changed);
    free(e);
    atomic_fetch_sub(&fake_events, 1);
}

static inline bool fake_wait_fails(void)
{
    if (atomic_load(&fake_fail_waits) <= 0)
        return false;
    atomic_fetch_sub(&fake_fail_waits, 1);
    return true;
}

static inline void fake_event_reach(void *event)
{
    fake_event *const e = event;
    pthread_mutex_lock(&e->lock);
    while (!e->done)
        pthread_cond_wait(&e->changed, &e->lock);
    pthread_mutex_unlock(&e->lock);
}

static inline amp_priv_result fake_wait(amp_priv_device *device, void *event)
{
    (void)device;
    if (fake_wait_fails())
        return fake_failed(AMP_RUNTIME_ERROR, "fake_wait");
    fake_event_reach(event);
    return amp_priv_done();
}

static inline bool fake_done(amp_priv_device *device, void *event)
{
    (void)device;
    fake_event *const e = event;
    pthread_mutex_lock(&e->lock);
    const bool done = e->done;
    pthread_mutex_unlock(&e->lock);
    return done;
}

/* Asleep: thousands of sched_yield take minutes where ten processes run. */
static inline void fake_take_time(void)
{
    while (atomic_load(&fake_slow) == FAKE_HELD)
        nanosleep(&(struct timespec){ 0, 100000 }, NULL);
    const int slow = atomic_load(&fake_slow);
    if (slow > 0)
        nanosleep(&(struct timespec){ slow / 100000, slow % 100000 * 10000L }, NULL);
}

static inline void *fake_queue_main(void *argument)
{
    fake_queue *const queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && !queue->closing)
            pthread_cond_wait(&queue->changed, &queue->lock);
        fake_command *const command = queue->first;
        if (!command)
            break;
        queue->first = command->next;
        if (!queue->first)
            queue->end = &queue->first;
        queue->busy = true;
        pthread_mutex_unlock(&queue->lock);
        if (command->after) {
            fake_event_reach(command->after);
            fake_release(NULL, command->after);
        }
        fake_take_time();
        if (command->run)
            command->run(command);
        pthread_mutex_lock(&command->event->lock);
        command->event->done = true;
        pthread_cond_broadcast(&command->event->changed);
        pthread_mutex_unlock(&command->event->lock);
        fake_release(NULL, command->event);
        free(command);
        pthread_mutex_lock(&queue->lock);
        queue->busy = false;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Submits a command. The event has a reference for the caller. */
static inline fake_event *fake_submit(amp_priv_queue *queue, fake_command command)
{
    fake_queue *const q = queue->native;
    fake_event *const event = calloc(1, sizeof *event);
    fake_command *const c = malloc(sizeof *c);
    atomic_init(&event->references, 2);
    pthread_mutex_init(&event->lock, NULL);
    pthread_cond_init(&event->changed, NULL);
    atomic_fetch_add(&fake_events, 1);
    *c = command;
    c->event = event;
    c->next = NULL;
    pthread_mutex_lock(&q->lock);
    *q->end = c;
    q->end = &c->next;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return event;
}

static inline amp_priv_result fake_queue_open(amp_priv_queue *queue)
{
    fake_queue *const q = calloc(1, sizeof *q);
    q->end = &q->first;
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->changed, NULL);
    queue->native = q;
    pthread_create(&q->thread, NULL, fake_queue_main, q);
    return amp_priv_done();
}

static inline void fake_queue_close(amp_priv_queue *queue)
{
    fake_queue *const q = queue->native;
    pthread_mutex_lock(&q->lock);
    q->closing = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    pthread_join(q->thread, NULL);
    pthread_mutex_destroy(&q->lock);
    pthread_cond_destroy(&q->changed);
    free(q);
}

static inline amp_priv_result fake_queue_finish(amp_priv_queue *queue)
{
    fake_queue *const q = queue->native;
    if (fake_wait_fails())
        return fake_failed(AMP_RUNTIME_ERROR, "fake_queue_finish");
    pthread_mutex_lock(&q->lock);
    while (q->first || q->busy)
        pthread_cond_wait(&q->changed, &q->lock);
    pthread_mutex_unlock(&q->lock);
    return amp_priv_done();
}

static inline bool fake_is_idle(amp_accelerator_view view)
{
    fake_queue *const q = view.amp_priv_queue->native;
    pthread_mutex_lock(&q->lock);
    const bool idle = !q->first && !q->busy;
    pthread_mutex_unlock(&q->lock);
    return idle;
}

static inline amp_priv_result fake_queue_flush(amp_priv_queue *queue)
{
    (void)queue;
    return amp_priv_done();
}

static inline amp_priv_result fake_queue_mark(amp_priv_queue *queue, void **event)
{
    *event = fake_submit(queue, (fake_command){ 0 });
    return amp_priv_done();
}

static inline amp_priv_result fake_queue_after(amp_priv_queue *queue, void *event)
{
    atomic_fetch_add(&((fake_event *)event)->references, 1);
    fake_release(NULL, fake_submit(queue, (fake_command){ .after = event }));
    return amp_priv_done();
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static inline amp_priv_result fake_buffer_open(amp_priv_device *device, size_t bytes, void *host, void **buffer)
{
    if (atomic_load(&fake_fail_buffers) > 0) {
        atomic_fetch_sub(&fake_fail_buffers, 1);
        return fake_failed(AMP_OUT_OF_MEMORY, "fake_buffer_open");
    }
    fake_buffer *const b = malloc(sizeof *b);
    b->owns = !device->shares_host;
    b->memory = b->owns ? malloc(bytes) : host;
    b->bytes = bytes;
    if (b->owns)
        memset(b->memory, 0xA5, bytes); /* what was not uploaded is seen */
    *buffer = b;
    atomic_fetch_add(&fake_buffers, 1);
    return amp_priv_done();
}

static inline void fake_buffer_close(amp_priv_device *device, void *buffer)
{
    (void)device;
    fake_buffer *const b = buffer;
    if (b->owns)
        free(b->memory);
    free(b);
    atomic_fetch_sub(&fake_buffers, 1);
}

static inline void fake_check_rect(const amp_priv_rect *rect, size_t bytes)
{
    const size_t last =
        rect->offset + (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch + rect->row_bytes;
    if (!rect->row_bytes || !rect->rows || !rect->slices || last > bytes ||
        (rect->rows > 1 && rect->row_pitch < rect->row_bytes) ||
        (rect->slices > 1 && (rect->slice_pitch < rect->rows * rect->row_pitch ||
                              (rect->rows > 1 && rect->slice_pitch % rect->row_pitch != 0)))) {
        fprintf(stderr,
                "fake device: a bad rectangle: offset %zu, %zu bytes, %zu rows at %zu, %zu slices at %zu, of %zu\n",
                rect->offset, rect->row_bytes, rect->rows, rect->row_pitch, rect->slices, rect->slice_pitch, bytes);
        abort();
    }
}

/* Host memory that is registered now. A transfer lies in one piece or in none: across a border it would be slow. */
typedef struct fake_piece {
    const amp_priv_device *device;
    uintptr_t first, end;
    struct fake_piece *next;
} fake_piece;

TEST_GLOBAL pthread_mutex_t fake_pieces_lock = PTHREAD_MUTEX_INITIALIZER;
TEST_GLOBAL fake_piece *fake_pieces;
TEST_GLOBAL atomic_ullong fake_fast_bytes; /* that moved from and to registered memory */

static inline amp_priv_result fake_register(amp_priv_device *device, void *host, size_t bytes, void **registration)
{
    fake_piece *const piece = malloc(sizeof *piece);
    *piece = (fake_piece){ device, (uintptr_t)host, (uintptr_t)host + bytes, NULL };
    pthread_mutex_lock(&fake_pieces_lock);
    piece->next = fake_pieces;
    fake_pieces = piece;
    pthread_mutex_unlock(&fake_pieces_lock);
    *registration = piece;
    atomic_fetch_add(&fake_registrations, 1);
    atomic_fetch_add(&fake_registered, 1);
    return amp_priv_done();
}

static inline void fake_unregister(amp_priv_device *device, void *registration)
{
    (void)device;
    pthread_mutex_lock(&fake_pieces_lock);
    fake_piece **at = &fake_pieces;
    while (*at != registration)
        at = &(*at)->next;
    *at = (*at)->next;
    pthread_mutex_unlock(&fake_pieces_lock);
    free(registration);
    atomic_fetch_sub(&fake_registrations, 1);
}

static inline void fake_check_host(const amp_priv_device *device, const void *host, const amp_priv_rect *rect)
{
    const uintptr_t first = (uintptr_t)host + rect->offset;
    const uintptr_t end =
        first + (rect->slices - 1) * rect->slice_pitch + (rect->rows - 1) * rect->row_pitch + rect->row_bytes;
    pthread_mutex_lock(&fake_pieces_lock);
    bool whole = false, part = false;
    for (const fake_piece *p = fake_pieces; p; p = p->next) {
        if (p->device != device || p->first >= end || first >= p->end)
            continue;
        *(p->first <= first && p->end >= end ? &whole : &part) = true;
    }
    pthread_mutex_unlock(&fake_pieces_lock);
    if (part && !whole) {
        fprintf(stderr, "fake device: a transfer across the border of registered memory\n");
        abort();
    }
    if (whole)
        atomic_fetch_add(&fake_fast_bytes, rect->row_bytes * rect->rows * rect->slices);
}

static inline void fake_run_copy(fake_command *c)
{
    for (size_t s = 0; s < c->to_rect.slices; s++)
        for (size_t r = 0; r < c->to_rect.rows; r++)
            memcpy(c->to + c->to_rect.offset + s * c->to_rect.slice_pitch + r * c->to_rect.row_pitch,
                   c->from + c->from_rect.offset + s * c->from_rect.slice_pitch + r * c->from_rect.row_pitch,
                   c->to_rect.row_bytes);
}

static inline amp_priv_result fake_blocking(amp_priv_queue *queue, fake_command command)
{
    fake_event *const event = fake_submit(queue, command);
    fake_event_reach(event);
    fake_release(NULL, event);
    return amp_priv_done();
}

static inline amp_priv_result fake_transfer(amp_priv_queue *queue, void *buffer, void *host, const amp_priv_rect *rect,
                                            bool to_device, void **traced)
{
    (void)traced;
    fake_buffer *const b = buffer;
    fake_check_rect(rect, b->bytes);
    if (queue->device->shares_host)
        return amp_priv_done();
    if (atomic_load(&fake_fail_transfer) > 0 && atomic_fetch_sub(&fake_fail_transfer, 1) == 1)
        return fake_failed(AMP_RUNTIME_ERROR, "fake_transfer");
    fake_check_host(queue->device, host, rect);
    /* `host` may begin before what is there: add the offset to the number. */
    return fake_blocking(queue, (fake_command){ .run = fake_run_copy,
                                                .to = to_device ? b->memory : host,
                                                .from = to_device ? host : b->memory,
                                                .to_rect = *rect,
                                                .from_rect = *rect });
}

static inline amp_priv_result fake_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *from_rect, void *to,
                                        const amp_priv_rect *to_rect, void **traced)
{
    (void)traced;
    if (atomic_load(&fake_fail_copy) > 0 && atomic_fetch_sub(&fake_fail_copy, 1) == 1)
        return fake_failed(AMP_RUNTIME_ERROR, "fake_copy");
    fake_check_rect(from_rect, ((fake_buffer *)from)->bytes);
    fake_check_rect(to_rect, ((fake_buffer *)to)->bytes);
    if (from == to && ((from_rect->rows > 1 && from_rect->row_pitch != to_rect->row_pitch) ||
                       (from_rect->slices > 1 && from_rect->slice_pitch != to_rect->slice_pitch))) {
        fprintf(stderr, "fake device: a copy within a buffer with other pitches\n");
        abort();
    }
    fake_release(NULL, fake_submit(queue, (fake_command){ .run = fake_run_copy,
                                                          .to = ((fake_buffer *)to)->memory,
                                                          .from = ((fake_buffer *)from)->memory,
                                                          .to_rect = *to_rect,
                                                          .from_rect = *from_rect }));
    return amp_priv_done();
}

/* ---- launches --------------------------------------------------------------------------------------- */

static inline void fake_run_kernel(fake_command *c)
{
    c->kernel(c->shapes, c->shape_count, c->user);
    free(c->user);
}

/* fake_launch puts the kernel here for the time of the call. */
TEST_GLOBAL _Thread_local const fake_command *fake_this_kernel;

static inline amp_status fake_backend_launch(const amp_priv_launch *launch)
{
    fake_command command = *fake_this_kernel;
    command.run = fake_run_kernel;
    command.shape_count = launch->site->capture_count;
    for (int i = 0; i < command.shape_count; i++) {
        command.shapes[i] = amp_priv_shape_of(launch->captured[i]);
        command.shapes[i].data =
            ((fake_buffer *)launch->buffer[i])->memory + (command.shapes[i].data - launch->host[i]);
    }
    fake_release(NULL, fake_submit(launch->queue, command));
    return AMP_OK;
}

/* Runs it here. A launch of the library's has copies of the views, which stay in the kernel: these get back out. */
static inline amp_status fake_launch_on_host(amp_priv_launch *launch,
                                             void (*kernel)(const amp_priv_shape *, int, void *), void *user)
{
    amp_priv_shape shapes[4];
    amp_priv_source *sources[4];
    const int count = launch->site->capture_count;
    for (int i = 0; i < count; i++) {
        shapes[i] = amp_priv_shape_of(launch->captured[i]);
        sources[i] = ((amp_priv_head *)launch->captured[i])->source;
    }
    const bool begun = amp_priv_memory_begin_host(launch);
    for (int i = 0; i < count; i++)
        ((amp_priv_head *)launch->captured[i])->source = sources[i];
    if (begun)
        kernel(shapes, count, user);
    return begun ? AMP_OK : amp_last_error();
}

/* Launches `kernel` with the shapes of up to 4 captured views, as AMP_PARALLEL_FOR_EACH_ON does: where `view` is {0}
   the library chooses. On the CPU backend it runs here. `user` is malloc'd, and freed when the kernel has run. */
static inline amp_status fake_launch(amp_accelerator_view view, void (*kernel)(const amp_priv_shape *, int, void *),
                                     void *user, amp_priv_head *const *heads, int count)
{
    amp_priv_capture captures[4];
    void *captured[4];
    for (int i = 0; i < count; i++) {
        captures[i] = (amp_priv_capture){ "captured", AMP_PRIV_CAPTURE_VIEW, NULL, 0, 0 };
        captured[i] = heads[i];
    }
    amp_priv_launch_site site = {
        .function = "fake_launch", .file = __FILE__, .line = __LINE__, .capture_count = count, .captures = captures
    };
    amp_priv_launch launch = { .site = &site, .captured = captured };
    amp_priv_use_list uses;
    amp_status status = amp_priv_launch_place(&launch, view.amp_priv_queue) ? AMP_OK : amp_last_error();
    if (status == AMP_OK && amp_priv_is_host(launch.queue->device->number)) {
        status = fake_launch_on_host(&launch, kernel, user);
        free(user);
        return status;
    }
    if (status == AMP_OK)
        status = amp_priv_memory_begin(&launch, &uses);
    if (status != AMP_OK) {
        free(user);
        return status;
    }
    const fake_command command = { .kernel = kernel, .user = user };
    fake_this_kernel = &command;
    status = fake_backend_launch(&launch);
    fake_this_kernel = NULL;
    amp_priv_memory_end(&launch, &uses, status);
    return status;
}

/* ---- the list of accelerators ------------------------------------------------------------------------ */

static inline void fake_discover(void) {}

/* Kernels come from fake_launch. Others are for devices that a test which failed has left in the list. */
static const amp_priv_prologue_text fake_opening[] = { { NULL, NULL } };
static const char *const fake_texts[AMP_MAX_RANK + 1];
static const amp_priv_target fake_target = { .suffix = "txt",
                                             .opening = fake_opening,
                                             .names = "",
                                             .at = fake_texts,
                                             .functions = fake_texts,
                                             .functions64 = { "", "" },
                                             .no_functions64 = { "", "" },
                                             .words = "",
                                             .types = "",
                                             .builtin = "" };

static inline amp_priv_result fake_program_build(amp_priv_device *device, amp_priv_build *build)
{
    (void)device, (void)build;
    return fake_failed(AMP_UNSUPPORTED_FEATURE, "fake_program_build");
}

static const amp_priv_backend fake_backend = {
    .name = "fake",
    .device.discover = fake_discover,
    .queue.open = fake_queue_open,
    .queue.close = fake_queue_close,
    .queue.flush = fake_queue_flush,
    .queue.finish = fake_queue_finish,
    .event.record = fake_queue_mark,
    .queue.wait_event = fake_queue_after,
    .event.wait = fake_wait,
    .event.done = fake_done,
    .event.release = fake_release,
    .buffer.open = fake_buffer_open,
    .buffer.close = fake_buffer_close,
    .buffer.transfer = fake_transfer,
    .buffer.copy = fake_copy,
    .target = &fake_target,
    .program.build = fake_program_build,
    .device.pin = fake_register,
    .device.unpin = fake_unregister,
};

TEST_GLOBAL int fake_first; /* their first number */

/* Adds the devices: FAKE_COPYING that copy, then FAKE_SHARING that share the host's memory. */
static inline void fake_begin(void)
{
    if (!AMP_PRIV_HAS_OTHERS)
        skip();
    amp_priv_devices_init();
    fake_first = amp_priv_accelerators.count;
    for (int i = 0; i < FAKE_DEVICES; i++) {
        amp_priv_device device;
        memset(&device, 0, sizeof device);
        device.backend = &fake_backend;
        device.shares_host = device.cpu_shared_memory = i >= FAKE_COPYING;
        snprintf(device.path, sizeof device.path, "fake:%d", i);
        snprintf(device.description, sizeof device.description, "a thread that %s",
                 device.shares_host ? "shares" : "copies");
        amp_priv_device_add(&device);
    }
}

static inline amp_accelerator_view fake_view(int i)
{
    return (amp_accelerator_view){ amp_priv_device_queue(amp_priv_accelerators.device[fake_first + i]) };
}

/* Takes them out again. Nothing may live there any more. */
static inline void fake_end(void)
{
    while (amp_priv_accelerators.count > fake_first) {
        const int n = --amp_priv_accelerators.count;
        amp_priv_queue *const queue = atomic_load(&amp_priv_accelerators.queue[n]);
        if (queue) {
            fake_queue_close(queue);
            free(queue);
        }
        atomic_store(&amp_priv_accelerators.queue[n], NULL);
        amp_priv_accelerators.device[n] = NULL;
        atomic_store(&amp_priv_accelerators.cpu_access[n], 0);
    }
}

#endif /* FAKE_DEVICE_H */
