/* SPDX-License-Identifier: MIT */
/*  host_backend.h - the smallest whole backend: a device that is the host's C compiler. Kernels are compiled with it as
    C, loaded with dlopen, and run where they are enqueued; buffers are memory of their own, so that copies happen.
    docs/internals/adding-a-backend.md goes through it, slot by slot.

    -DAMP_BACKEND_EXTRA='"tests/host_backend/host_backend.h"' makes it part of a program. The compiler is $CC, or cc. */
#ifndef HOST_BACKEND_H
#define HOST_BACKEND_H

#include <dlfcn.h>

#include "amp/launch/kernel_launch.h"
#include "host_text.h"

#define AMP_BACKEND_EXTRA_TABLE host_table()

static inline const amp_priv_backend *host_table(void);

/* Tests make the next operations fail: which of these, and how often. */
enum { HOST_NO_MEMORY = 12 };
typedef struct host_failures {
    atomic_int builds, launches;
    atomic_int compiled; /* counts what was given to the compiler */
} host_failures;
AMP_PRIV_GLOBAL(host_failures, host_fail)

static inline bool host_fails(atomic_int *left)
{
    if (atomic_load(left) <= 0)
        return false;
    atomic_fetch_sub(left, 1);
    return true;
}

static inline amp_priv_result host_failed(amp_status status, const char *call, int code)
{
    return (amp_priv_result){ .status = status, .code = code, .call = call };
}

static inline const char *host_code_name(int code) { return code == HOST_NO_MEMORY ? "ENOMEM" : "status"; }

/* ---- the device ---------------------------------------------------------------------------------------------- */

static inline const char *host_compiler(void)
{
    const char *const cc = getenv("CC");
    return cc && cc[0] ? cc : "cc";
}

static inline void host_discover(void)
{
    amp_priv_device device = { .backend = host_table() };
    device.version = 1u << 16;
    device.dedicated_memory = (size_t)1 << 30; /* what it gives: nobody counts it */
    device.double_precision = device.limited_double_precision = device.atomics64 = true;
    device.max_threads = 1 << 14; /* any number: its text loops over a tile's threads */
    device.max_tile[0] = device.max_tile[1] = device.max_tile[2] = device.max_threads;
    device.max_global = SIZE_MAX;
    device.local_memory = 65536;
    device.units = device.tile_multiple = 1;
    device.begins_in_order = true;
    device.options = "-std=c11 -O0 -fPIC -shared -Werror=implicit-function-declaration";
    snprintf(device.description, sizeof device.description, "the host's C compiler");
    snprintf(device.identity, sizeof device.identity, "host | %s | " __VERSION__, host_compiler());
    for (int n = 0; n < (getenv("AMP_TEST_GROUP") ? 2 : 1); n++) { /* a group has two */
        snprintf(device.path, sizeof device.path, "host:%d", n);
        amp_priv_device_add(&device);
    }
}

/* ---- queues and events: a command has finished when it returns ------------------------------------------------- */

static inline amp_priv_result host_queue_nothing(amp_priv_queue *queue) { return (void)queue, amp_priv_done(); }

static inline void host_queue_close(amp_priv_queue *queue) { (void)queue; }

static inline amp_priv_result host_queue_mark(amp_priv_queue *queue, void **event)
{
    (void)queue;
    *event = NULL;
    return amp_priv_done();
}

static inline amp_priv_result host_queue_after(amp_priv_queue *queue, void *event)
{
    (void)queue, (void)event;
    return amp_priv_done();
}

static inline amp_priv_result host_event_wait(amp_priv_device *device, void *event)
{
    (void)device, (void)event;
    return amp_priv_done();
}

static inline bool host_event_done(amp_priv_device *device, void *event) { return (void)device, (void)event, true; }

static inline void host_event_release(amp_priv_device *device, void *event) { (void)device, (void)event; }

/* ---- buffers --------------------------------------------------------------------------------------------------- */

static inline amp_priv_result host_buffer_open(amp_priv_device *device, size_t bytes, void *host, void **buffer)
{
    (void)device, (void)host;
    *buffer = malloc(bytes);
    return *buffer ? amp_priv_done() : host_failed(AMP_OUT_OF_MEMORY, "malloc", HOST_NO_MEMORY);
}

static inline void host_buffer_close(amp_priv_device *device, void *buffer) { (void)device, free(buffer); }

static inline amp_priv_result host_copy(amp_priv_queue *queue, void *from, const amp_priv_rect *a, void *to,
                                        const amp_priv_rect *b, void **event)
{
    (void)queue, (void)event;
    for (size_t s = 0; s < a->slices; s++)
        for (size_t r = 0; r < a->rows; r++)
            memmove((char *)to + (b->offset + s * b->slice_pitch + r * b->row_pitch),
                    (const char *)from + (a->offset + s * a->slice_pitch + r * a->row_pitch), a->row_bytes);
    return amp_priv_done();
}

static inline amp_priv_result host_transfer(amp_priv_queue *queue, void *buffer, void *host, const amp_priv_rect *rect,
                                            bool to_device, void **event)
{
    return host_copy(queue, to_device ? host : buffer, rect, to_device ? buffer : host, rect, event);
}

/* ---- programs: files in a folder of their own in $TMPDIR, for as long as it takes to load them ----------------- */

enum { HOST_PATH = 256 }; /* bytes of a folder's name */

typedef struct host_program {
    void *library;
    unsigned char *binary; /* the library's file */
    size_t length;
} host_program;

/* All bytes of a file, and a 0, in new memory; NULL if it cannot be read. */
static inline unsigned char *host_load(const char *folder, const char *name, size_t *length)
{
    char path[HOST_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "rb");
    unsigned char *bytes = NULL;
    *length = 0;
    for (size_t got = 1; file && got > 0; *length += got) {
        unsigned char *const grown = realloc(bytes, *length + 65537);
        if (!grown)
            break;
        bytes = grown;
        got = fread(bytes + *length, 1, 65536, file);
        bytes[*length + got] = '\0';
    }
    if (file)
        fclose(file);
    return bytes;
}

static inline bool host_save(const char *folder, const char *name, const void *bytes, size_t length)
{
    char path[HOST_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *const file = fopen(path, "wb");
    const bool whole = file && fwrite(bytes, 1, length, file) == length;
    return (file ? fclose(file) == 0 : false) && whole;
}

static inline bool host_open_folder(char folder[HOST_PATH])
{
    const char *const parent = getenv("TMPDIR");
    const int length = snprintf(folder, HOST_PATH, "%s/amp-host-XXXXXX", parent && parent[0] ? parent : "/tmp");
    return length < HOST_PATH && mkdtemp(folder);
}

static inline void host_remove_folder(const char *folder)
{
    static const char *const names[] = { "k.c", "k.log", "k.so", "" };
    char path[HOST_PATH + 64];
    for (int n = 0; n < 4; n++) { /* those that there are; the folder last */
        snprintf(path, sizeof path, "%s/%s", folder, names[n]);
        if (remove(path) != 0 && !names[n][0])
            amp_priv_log(AMP_PRIV_LOG_INFO, "%s stays", folder);
    }
}

/* Appends the function that the backend calls: it has the kernel's parameters in an array. They stand in the text as
   `type name`, with commas between. */
static inline void host_add_entry(amp_priv_string *text)
{
    amp_priv_string values = { NULL, 0, 0, false };
    amp_priv_token t = amp_priv_token_at(strstr(text->text, "__kernel ")), kernel = t;
    while (!amp_priv_token_is(t, "void"))
        t = amp_priv_token_after(t);
    kernel = amp_priv_token_after(t);
    t = amp_priv_token_after(amp_priv_token_after(kernel));
    amp_priv_token type = t, name = t;
    for (int n = 0; !amp_priv_token_is(type, ")"); t = amp_priv_token_after(t)) {
        const bool last = amp_priv_token_is(t, ")");
        if (last || amp_priv_token_is(t, ",")) {
            amp_priv_addf(&values, "%s((const struct __attribute__((packed)) { %.*s v; } *)arguments[%d])->v",
                          n ? ", " : "", (int)(name.at - type.at), type.at, n); /* packed: it may be a vector */
            n++;
            type = last ? t : amp_priv_token_after(t);
        }
        name = t;
    }
    amp_priv_addf(text, "void amp_host_entry(size_t *ids, void *const *arguments)\n{ amp_host_ids = ids; %.*s(%s); }\n",
                  (int)kernel.length, kernel.at, values.text ? values.text : "");
    free(values.text);
}

/* folder/k.so from the text. */
static inline amp_priv_result host_compile(const char *folder, amp_priv_build *build)
{
    char command[1024];
    size_t length;
    amp_priv_string text = { NULL, 0, 0, false };
    amp_priv_add(&text, build->text, build->length);
    host_add_entry(&text);
    const bool saved = !text.failed && host_save(folder, "k.c", text.text, text.length);
    free(text.text);
    if (!saved)
        return host_failed(AMP_OUT_OF_MEMORY, "fwrite", HOST_NO_MEMORY);
    snprintf(command, sizeof command, "cd %s && LC_ALL=C %s %s k.c -o k.so -lm >k.log 2>&1", folder, host_compiler(),
             build->options);
    atomic_fetch_add(&host_fail.compiled, 1);
    const int status = system(command);
    build->log = (char *)host_load(folder, "k.log", &length);
    return status == 0 ? amp_priv_done() : host_failed(AMP_COMPILATION_FAILED, "cc", status);
}

static inline amp_priv_result host_program_build(amp_priv_device *device, amp_priv_build *build)
{
    (void)device;
    if (host_fails(&host_fail.builds))
        return host_failed(AMP_OUT_OF_MEMORY, "cc", HOST_NO_MEMORY);
    char folder[HOST_PATH], path[HOST_PATH + 64];
    host_program *const program = calloc(1, sizeof *program);
    if (!program || !host_open_folder(folder)) {
        free(program);
        return host_failed(AMP_OUT_OF_MEMORY, "mkdtemp", HOST_NO_MEMORY);
    }
    amp_priv_result result = amp_priv_done();
    if (!build->binary)
        result = host_compile(folder, build);
    else if (!host_save(folder, "k.so", build->binary, build->binary_length))
        result = host_failed(AMP_OUT_OF_MEMORY, "fwrite", HOST_NO_MEMORY);
    if (result.status == AMP_OK) {
        snprintf(path, sizeof path, "%s/k.so", folder);
        program->binary = host_load(folder, "k.so", &program->length);
        program->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!program->binary || !program->library)
            result = host_failed(AMP_RUNTIME_ERROR, "dlopen", 0);
    }
    host_remove_folder(folder);
    build->program = program;
    if (result.status != AMP_OK) {
        free(program->binary);
        free(program);
    }
    return result;
}

static inline amp_priv_result host_program_binary(amp_priv_device *device, void *program, unsigned char **binary,
                                                  size_t *length)
{
    const host_program *const p = program;
    (void)device;
    *length = p->length;
    *binary = malloc(p->length);
    if (!*binary)
        return host_failed(AMP_OUT_OF_MEMORY, "malloc", HOST_NO_MEMORY);
    memcpy(*binary, p->binary, p->length);
    return amp_priv_done();
}

static inline void host_program_release(amp_priv_device *device, void *program)
{
    host_program *const p = program;
    (void)device;
    dlclose(p->library);
    free(p->binary);
    free(p);
}

/* ---- kernels --------------------------------------------------------------------------------------------------- */

/* The function that host_add_entry appends. ISO C has no conversion from dlsym's pointer to it. */
typedef void host_entry(size_t *ids, void *const *arguments);
typedef union host_kernel {
    void *symbol;
    host_entry *run;
} host_kernel;

static inline amp_priv_result host_kernel_create(amp_priv_device *device, void *program, const char *name,
                                                 void **kernel, amp_priv_kernel_limits *limits)
{
    (void)name;
    *kernel = dlsym(((host_program *)program)->library, "amp_host_entry");
    limits->max_group = device->max_threads;
    return *kernel ? amp_priv_done() : host_failed(AMP_RUNTIME_ERROR, "dlsym", 0);
}

static inline void host_kernel_release(amp_priv_device *device, void *kernel) { (void)device, (void)kernel; }

/* The work-groups one after the other. Of a tile its kernel runs all threads, phase by phase. */
static inline amp_priv_result host_enqueue(amp_priv_queue *queue, void *kernel,
                                           const amp_priv_kernel_arguments *arguments, const amp_priv_geometry *g,
                                           void **event)
{
    void *values[1024];
    (void)queue, (void)event;
    if (host_fails(&host_fail.launches) || arguments->count > (int)(sizeof values / sizeof values[0]))
        return host_failed(AMP_OUT_OF_MEMORY, "host_enqueue", HOST_NO_MEMORY);
    for (int i = 0; i < arguments->count; i++)
        values[i] = (void *)(uintptr_t)arguments->argument[i].value;
    const host_kernel k = { .symbol = kernel };
    size_t groups = 1, threads = 1;
    for (int d = 0; d < 3; d++) {
        groups *= g->global[d] / g->local[d];
        threads *= g->tiled ? 1 : g->local[d];
    }
    for (size_t n = 0; n < groups * threads; n++) {
        const size_t group = n / threads, thread = n % threads, x = g->global[0] / g->local[0],
                     y = g->global[1] / g->local[1];
        size_t ids[9] = { group % x, group / x % y, group / x / y }, rest = thread;
        for (int d = 0; d < 3; rest /= g->local[d++]) {
            ids[3 + d] = rest % g->local[d];
            ids[6 + d] = g->local[d];
        }
        k.run(ids, values);
    }
    return amp_priv_done();
}

/* ---- the table ------------------------------------------------------------------------------------------------- */

static inline const amp_priv_backend *host_table(void)
{
    static const amp_priv_backend table = {
        .version = 3, /* of the contract: amp/device/backend.h */
        .name = "host",
        .target = &host_target,
        .device.discover = host_discover,
        .queue.open = host_queue_nothing,
        .queue.close = host_queue_close,
        .queue.finish = host_queue_nothing,
        .event.record = host_queue_mark,
        .queue.wait_event = host_queue_after,
        .event.wait = host_event_wait,
        .event.done = host_event_done,
        .event.release = host_event_release,
        .buffer.open = host_buffer_open,
        .buffer.close = host_buffer_close,
        .buffer.transfer = host_transfer,
        .buffer.copy = host_copy,
        .program.build = host_program_build,
        .program.binary = host_program_binary,
        .program.release = host_program_release,
        .kernel.create = host_kernel_create,
        .kernel.release = host_kernel_release,
        .kernel.enqueue = host_enqueue,
        .device.code_name = host_code_name,
    };
    return &table;
}

#endif /* HOST_BACKEND_H */
