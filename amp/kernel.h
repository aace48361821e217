/* SPDX-License-Identifier: MIT */
/*  amp/kernel.h - from a launch to a backend's enqueue: what every device backend needs, written once, naming none.

    A site's kernel is made at its first launch on a device, in the variant that the launch takes: from the disk or by
    the device's compiler, once, also with threads. From then on a launch finds the record, sets the arguments that
    differ, and enqueues.

    Contents (search for the tag):
        >>record  >>show  >>limits  >>build  >>geometry  >>carry  >>arguments  >>repeat  >>fault  >>launch  */
#ifndef AMP_KERNEL_H
#define AMP_KERNEL_H

#include "accelerator.h"
#include "cache.h"
#include "hints.h"
#include "program.h"
#include "record.h"

/* // >>record */

/* What one capture brought to a kernel's last launch. */
typedef struct amp_priv_kernel_capture {
    int argument; /* the first that it is, of a view its buffer */
    void *buffer; /* of a view: that, and where it begins there, in bytes */
    ptrdiff_t begin;
    int extent[AMP_MAX_RANK];
    amp_priv_offset stride[AMP_MAX_RANK];
} amp_priv_kernel_capture;

/* One site's kernel on one device, in one variant. */
typedef struct amp_priv_kernel {
    struct amp_priv_kernel *next;
    amp_priv_device *device;
    unsigned variant;
    amp_priv_mutex lock; /* building, setting arguments, enqueuing */
    enum { AMP_PRIV_KERNEL_NEW, AMP_PRIV_KERNEL_BUILT, AMP_PRIV_KERNEL_REFUSED } state;
    amp_status status; /* of a refused one, and what was reported */
    char *message;
    void *program, *native; /* the backend's */
    size_t max_group;
    size_t parameters; /* bytes of its arguments, at most */
    char *key;         /* under which the binary is to be kept after the first launch; NULL: it is, or is not to be */
    size_t key_length;
    bool extents;    /* the views' extents are arguments */
    bool set;        /* the arguments are what the kernel has; */
    unsigned closed; /* the device's count of closed buffers then */
    amp_priv_kernel_argument *argument;
    unsigned short *changed; /* their numbers */
    unsigned char *values;
    /* Of the last launch, where another may repeat it (>>repeat): */
    bool repeats, any_buffers;
    int argument_count;
    int extent[AMP_MAX_RANK];
    amp_priv_geometry geometry;
    amp_priv_kernel_capture *capture;
} amp_priv_kernel;

/* The record of a site's kernel, new if need be; NULL when there is no memory for one (not reported). */
AMP_PRIV_COLD amp_priv_kernel *amp_priv_kernel_new(amp_priv_site *site, amp_priv_device *device, unsigned variant)
{
    amp_priv_kernel *const fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return NULL;
    fresh->device = device;
    fresh->variant = variant;
    amp_priv_mutex_init(&fresh->lock);
    amp_priv_kernel *head = atomic_load(&site->kernels);
    do {
        for (amp_priv_kernel *k = head; k; k = k->next)
            if (k->device == device && k->variant == variant) {
                amp_priv_mutex_end(&fresh->lock);
                free(fresh);
                return k; /* another thread was first */
            }
        fresh->next = head;
    } while (!atomic_compare_exchange_weak(&site->kernels, &head, fresh));
    return fresh;
}

AMP_PRIV_WARM_PART amp_priv_kernel *amp_priv_kernel_of(amp_priv_site *site, amp_priv_device *device, unsigned variant)
{
    for (amp_priv_kernel *k = atomic_load_explicit(&site->kernels, memory_order_acquire); k; k = k->next)
        if (__builtin_expect(k->device == device && k->variant == variant, 1))
            return k;
    return amp_priv_kernel_new(site, device, variant);
}

/* // >>show
   AMP_SHOW_KERNELS: 0, 1 (source and build log, on stderr), 2 (and geometry), or a directory, dir/, which then has all
   of it in a file per kernel and device. */
AMP_PRIV_COLD int amp_priv_show_kernels(void)
{
    const char *const show = amp_priv_environment("AMP_SHOW_KERNELS");
    return !show ? 0 : strchr(show, '/') ? 2 : atoi(show);
}

/* Where a kernel is shown; mode "w" for its source, "a" for what follows. Close it with amp_priv_show_close. */
AMP_PRIV_COLD FILE *amp_priv_show_open(const amp_priv_kernel *kernel, const amp_priv_site *site, const char *mode)
{
    const char *const folder = amp_priv_environment("AMP_SHOW_KERNELS");
    if (!folder || !strchr(folder, '/'))
        return stderr;
    char path[1024];
    const unsigned variant = kernel->variant;
    char tile[40] = "", threads[24] = "";
    if (site->tiled && site->rank == 1)
        snprintf(tile, sizeof tile, "_%d", site->tile[0]);
    else if (site->tiled)
        snprintf(tile, sizeof tile, site->rank == 2 ? "_%dx%d" : "_%dx%dx%d", site->tile[0], site->tile[1],
                 site->tile[2]);
    if (amp_priv_carried(variant) > 1)
        snprintf(threads, sizeof threads, "_%d_threads", amp_priv_carried(variant));
    snprintf(path, sizeof path, "%s%s%s_%d%s_on_%d%s%s%s%s%s%s.%s", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/", site->function, site->line, tile, kernel->device->number,
             variant & AMP_PRIV_OFFSETS64 ? "_offsets64" : "", variant & AMP_PRIV_BOUNDS_GUARD ? "_guard" : "",
             variant & AMP_PRIV_BASE_OFFSET ? "_base" : "", variant & AMP_PRIV_APART ? "_apart" : "",
             variant & AMP_PRIV_IMAGES ? "_images" : "", threads, kernel->device->backend->target->suffix);
    if (*mode == 'w')
        amp_priv_folder_make(folder, false); /* it may be there */
    FILE *const file = amp_priv_file_text(path, *mode == 'a');
    if (!file && *mode == 'w')
        amp_priv_log(AMP_PRIV_LOG_WARNING, "AMP_SHOW_KERNELS: %s cannot be written", path);
    /* cppcheck-suppress resourceLeak -- the caller closes it */
    return file ? file : stderr;
}

AMP_PRIV_COLD void amp_priv_show_close(FILE *file)
{
    if (file != stderr)
        fclose(file);
}

/* The program as it is sent to the device: numbered for people to read, as it is in a file. */
AMP_PRIV_COLD void amp_priv_show_source(const amp_priv_kernel *kernel, const amp_priv_site *site, const char *text)
{
    if (amp_priv_show_kernels() <= 0)
        return;
    const amp_priv_device *const device = kernel->device;
    FILE *const out = amp_priv_show_open(kernel, site, "w");
    if (out == stderr) {
        amp_priv_string listing = { NULL, 0, 0, false };
        amp_priv_add_listing(&listing, text);
        fprintf(out, "%s kernel in %s, at or near %s:%d, on %s\n%s", "amp:", site->function, site->file, site->line,
                device->path, listing.text ? listing.text : "");
        free(listing.text);
    } else {
        fprintf(out, "%s\n/* for %s: %s */\n", text, device->path, device->description);
    }
    amp_priv_show_close(out);
}

/* What the device's compiler says of a kernel that it took, or did not. */
AMP_PRIV_COLD void amp_priv_show_log(const amp_priv_kernel *kernel, const amp_priv_site *site, const char *log)
{
    if (amp_priv_show_kernels() <= 0 || !log || !log[strspn(log, " \n\r\t")])
        return;
    FILE *const out = amp_priv_show_open(kernel, site, "a");
    fprintf(out, "%s build log of %s, at or near %s:%d\n%s\n%s", out == stderr ? "amp:" : "/*", site->function,
            site->file, site->line, log, out == stderr ? "" : "*/\n");
    amp_priv_show_close(out);
}

/* ", 4 threads in each work-item"; nothing where it is one. */
AMP_PRIV_COLD const char *amp_priv_each_carries(char *text, size_t size, int carried)
{
    text[0] = '\0';
    if (carried > 1)
        snprintf(text, size, ", %d threads in each work-item", carried);
    return text;
}

AMP_PRIV_COLD void amp_priv_show_geometry(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                          const amp_priv_geometry *g)
{
    const amp_priv_site *const site = launch->site;
    char extent[160], carries[48];
    FILE *const out = amp_priv_show_kernels() > 1 ? amp_priv_show_open(kernel, site, "a") : stderr;
    fprintf(out,
            "%skernel in %s, at or near %s:%d, on %s: extent %s, global size %zu x %zu x %zu, local size %zu x %zu x "
            "%zu%s%s%s\n",
            out == stderr ? "amp: " : "/* ", site->function, site->file, site->line, kernel->device->path,
            amp_priv_list(extent, sizeof extent, launch->extent, site->rank), g->global[0], g->global[1], g->global[2],
            g->local[0], g->local[1], g->local[2],
            amp_priv_each_carries(carries, sizeof carries, amp_priv_carried(kernel->variant)),
            kernel->variant & AMP_PRIV_OFFSETS64 ? ", 64-bit offsets" : "", out == stderr ? "" : " */");
    amp_priv_show_close(out);
}

/* // >>limits */

/* The most threads that a work-item carries: more would be no use, and long to compile. */
enum { AMP_PRIV_MAX_CARRY = 64 };

/* Is the tile possible on this device, whose work-items carry so many threads each? max_threads: of the device, or of
   one kernel. What a driver says of a kernel is no promise (NVIDIA's says 256 where 1,024 work): that counts only once
   a launch was refused. */
AMP_PRIV_COLD amp_status amp_priv_check_tile(const amp_priv_site *site, const amp_priv_device *device, int carried,
                                             size_t max_threads, const char *whose)
{
    const size_t threads = amp_priv_tile_threads(site);
    char tile[64], carries[48];
    amp_priv_list(tile, sizeof tile, site->tile, site->rank);
    if (threads / (size_t)carried > max_threads)
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "the tile %s has %zu threads%s, %s on %s is %zu; use a smaller tile", tile, threads,
                                    amp_priv_each_carries(carries, sizeof carries, carried), whose, device->path,
                                    max_threads);
    for (int d = 0; d < site->rank; d++) {
        const int device_d = site->rank - 1 - d;
        const size_t most =
            device->max_tile[device_d] * (device_d == amp_priv_carry_dimension(site->rank) ? (size_t)carried : 1);
        if ((size_t)site->tile[d] > most)
            return amp_priv_site_report(
                site, AMP_INVALID_COMPUTE_DOMAIN,
                "the tile %s has %d threads in dimension %d, the limit there on %s is %zu; use a smaller tile", tile,
                site->tile[d], d, device->path, most);
    }
    return AMP_OK;
}

AMP_PRIV_COLD amp_status amp_priv_check_local(const amp_priv_site *site, const amp_priv_device *device, size_t bytes)
{
    if (bytes <= device->local_memory)
        return AMP_OK;
    return amp_priv_site_report(site, AMP_UNSUPPORTED_FEATURE,
                                "its tile_static variables take %zu bytes, %s has %zu; use %s", bytes, device->path,
                                device->local_memory,
                                amp_priv_site_is_algorithm(site) ? "smaller elements, or another accelerator"
                                                                 : "a smaller tile");
}

/* Has the device what the program asks for? */
AMP_PRIV_COLD amp_status amp_priv_check_needs(const amp_priv_site *site, const amp_priv_device *device,
                                              const amp_priv_program *program)
{
    if (program->uses_double && !device->double_precision)
        return amp_priv_site_report(site, AMP_UNSUPPORTED_FEATURE,
                                    "it uses double, which %s (%s) does not have; use float, or another accelerator",
                                    device->path, device->description);
    return program->tile_static_known ? amp_priv_check_local(site, device, program->tile_static) : AMP_OK;
}

/* // >>build */

/* Reports a program that the compiler refused: the cure, the log, then the lines around its first error. That is what
   every launch of the kernel reports from then on. */
AMP_PRIV_COLD amp_status amp_priv_kernel_refuse(amp_priv_kernel *kernel, const amp_priv_site *site, const char *source,
                                                const char *log, amp_priv_result result)
{
    enum { AMP_PRIV_LOG_ROOM = 6000 };
    const amp_priv_device *const device = kernel->device;
    amp_priv_string lines = { NULL, 0, 0, false }, hint = { NULL, 0, 0, false };
    bool physical;
    const int line = amp_priv_log_line(log, site->file, &physical);
    if (line > 0)
        amp_priv_add_numbered(&lines, source, line, physical);
    amp_priv_add_hint(&hint, site, log);
    const size_t length = strlen(log), log_shown = length < AMP_PRIV_LOG_ROOM ? length : AMP_PRIV_LOG_ROOM;
    /* 64-bit atomics are not in the program where the device has none. */
    const bool atomics64 = !device->atomics64 && strstr(log, "amp_priv_atomic_");
    if (atomics64)
        amp_priv_adds(&hint, "Hint: this accelerator has no 64-bit atomic operations; use 32-bit elements there.\n");
    const amp_status status = atomics64 ? AMP_UNSUPPORTED_FEATURE : AMP_COMPILATION_FAILED;
    amp_priv_site_report(site, status,
                         "%s%s (%s) does not compile it: %s (%d)\n---- log ----\n%.*s%s"
                         "---- program (AMP_SHOW_KERNELS=1 shows all of it) ----\n%s",
                         hint.text ? hint.text : "", device->description, device->path,
                         amp_priv_code_name(device, result.code), result.code, (int)log_shown, log,
                         log_shown && log[log_shown - 1] != '\n' ? "\n" : "", lines.text ? lines.text : "");
    free(lines.text);
    free(hint.text);
    const size_t bytes = strlen(amp_last_error_message()) + 1;
    kernel->message = amp_last_error() == status ? malloc(bytes) : NULL;
    if (kernel->message) {
        memcpy(kernel->message, amp_last_error_message(), bytes);
        kernel->status = status;
        kernel->state = AMP_PRIV_KERNEL_REFUSED;
    }
    return status;
}

/* kernel->program from what the disk keeps; false if it keeps none, or one that does not build. */
AMP_PRIV_COLD bool amp_priv_kernel_from_disk(amp_priv_kernel *kernel, amp_priv_build build, const amp_priv_string *key)
{
    int trial;
    unsigned char *const binary = amp_priv_cache_read(key->text, key->length, &build.binary_length, &trial);
    if (!binary)
        return false;
    build.binary = binary;
    const amp_priv_result result = kernel->device->backend->program_build(kernel->device, &build);
    amp_priv_cache_tried(trial, key->text, key->length, result.status == AMP_OK);
    free(binary);
    free(build.log);
    kernel->program = result.status == AMP_OK ? build.program : NULL;
    return result.status == AMP_OK;
}

/* kernel->program: from the disk, else by the compiler. Only a text that the compiler refuses is never tried again. */
AMP_PRIV_COLD amp_status amp_priv_kernel_compile(amp_priv_kernel *kernel, const amp_priv_site *site,
                                                 const amp_priv_program *program, bool *from_disk)
{
    amp_priv_device *const device = kernel->device;
    amp_priv_build build = { .text = program->text, .length = program->length, .options = device->options };
    amp_priv_string key = { NULL, 0, 0, false }; /* all that the binary depends on; none where the driver keeps it */
    if (!device->keeps_programs) {
        amp_priv_addf(&key, "%s | %s\n", device->identity, device->options);
        amp_priv_add(&key, program->text, program->length);
    }
    *from_disk = key.text && !key.failed && amp_priv_kernel_from_disk(kernel, build, &key);
    if (*from_disk || key.failed) {
        free(key.text);
        key.text = NULL;
    }
    if (*from_disk)
        return AMP_OK;
    const amp_priv_result result = device->backend->program_build(device, &build);
    amp_priv_show_log(kernel, site, build.log);
    amp_status status = result.status;
    if (status == AMP_COMPILATION_FAILED)
        status = amp_priv_kernel_refuse(kernel, site, program->text, build.log ? build.log : "", result);
    else if (status != AMP_OK)
        status = amp_priv_backend_report(device, site, result);
    free(build.log);
    if (status == AMP_OK) {
        kernel->program = build.program;
        kernel->key = key.text;
        kernel->key_length = key.length;
    } else {
        free(key.text);
    }
    return status;
}

/* Room for the arguments, and what they take of the device's. */
typedef struct amp_priv_argument_room {
    size_t count, bytes, values; /* values: with each at a multiple of 8 */
} amp_priv_argument_room;

AMP_PRIV_COLD void amp_priv_argument_add(amp_priv_argument_room *room, size_t count, size_t size)
{
    room->count += count;
    room->bytes += count * size;
    room->values += count * amp_priv_argument_bytes(size);
}

AMP_PRIV_COLD amp_priv_argument_room amp_priv_argument_room_of(const amp_priv_site *site, void *const *captured,
                                                               unsigned variant)
{
    amp_priv_argument_room room = { 0, 0, 0 };
    const size_t offset = variant & AMP_PRIV_OFFSETS64 ? sizeof(int64_t) : sizeof(int32_t);
    if (!site->tiled)
        amp_priv_argument_add(&room, (size_t)site->rank, sizeof(int32_t));
    if (!site->tiled && site->rank > 3)
        amp_priv_argument_add(&room, 1, sizeof(uint64_t));
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW) {
            const size_t rank = ((const amp_priv_head *)captured[i])->rank;
            amp_priv_argument_add(&room, 1, sizeof(void *));
            amp_priv_argument_add(&room, rank, offset); /* where it begins, and all strides but one */
            amp_priv_argument_add(&room, rank, sizeof(int32_t));
        } else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT) {
            amp_priv_argument_add(&room, 1, capture->size);
        }
    }
    if (variant & AMP_PRIV_IMAGES)
        amp_priv_argument_add(&room, AMP_PRIV_MAX_IMAGES, sizeof(void *));
#if defined(AMP_CHECKED)
    amp_priv_argument_add(&room, 1, sizeof(void *));
#endif
    return room;
}

/* Reports what the device could not do with a kernel. Many drivers take more bytes of arguments than they promise, so
   that these are the reason only where something fails. */
AMP_PRIV_COLD amp_status amp_priv_kernel_failed(const amp_priv_kernel *kernel, const amp_priv_site *site,
                                                amp_priv_result result)
{
    amp_priv_device *const device = kernel->device;
    char cure[200];
    if (result.status != AMP_RUNTIME_ERROR || kernel->parameters <= device->max_parameters ||
        (result.suspect && !amp_priv_device_works(device)))
        return amp_priv_backend_report(device, site, result);
    snprintf(cure, sizeof cure,
             "its arguments take up to %zu bytes, and %zu are promised; capture a view of a large struct, or make "
             "constants an AMP_TABLE",
             kernel->parameters, device->max_parameters);
    result.status = AMP_UNSUPPORTED_FEATURE;
    return amp_priv_failure_report(device, site, result, cure);
}

/* The backend's kernel of a program, and memory for its arguments. */
AMP_PRIV_COLD amp_status amp_priv_kernel_open(amp_priv_kernel *kernel, const amp_priv_launch *launch)
{
    const amp_priv_site *const site = launch->site;
    amp_priv_device *const device = kernel->device;
    const amp_priv_argument_room room = amp_priv_argument_room_of(site, launch->captured, kernel->variant);
    kernel->parameters = room.bytes;
    char name[AMP_PRIV_KERNEL_NAME];
    amp_priv_kernel_limits limits = { 1, 0 };
    const amp_priv_result result =
        device->backend->kernel_create(device, kernel->program, amp_priv_kernel_name(site, name), &kernel->native,
                                       &limits);
    if (result.status != AMP_OK) {
        kernel->native = NULL;
        return amp_priv_kernel_failed(kernel, site, result);
    }
    kernel->max_group = limits.max_group;
    const amp_status status = amp_priv_check_local(site, device, limits.local_memory);
    if (status != AMP_OK)
        return status;
    kernel->argument = calloc(1, room.count * (sizeof *kernel->argument + sizeof *kernel->changed) + room.values + 8 +
                                     (size_t)site->capture_count * sizeof *kernel->capture);
    if (!kernel->argument)
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its arguments");
    kernel->capture = (amp_priv_kernel_capture *)(void *)(kernel->argument + room.count);
    kernel->values = (unsigned char *)(kernel->capture + site->capture_count);
    kernel->changed = (unsigned short *)(void *)(kernel->values + room.values);
    return AMP_OK;
}

/* What was made of a kernel that could not be finished. */
AMP_PRIV_COLD void amp_priv_kernel_undo(amp_priv_kernel *kernel)
{
    const amp_priv_backend *const backend = kernel->device->backend;
    if (kernel->native)
        backend->kernel_release(kernel->device, kernel->native);
    if (kernel->program)
        backend->program_release(kernel->device, kernel->program);
    kernel->native = kernel->program = NULL;
    free(kernel->key);
    kernel->key = NULL;
}

/* First use, with the lock held. What fails may be tried again, but for a text that the compiler refused. */
AMP_PRIV_COLD amp_status amp_priv_kernel_build(amp_priv_kernel *kernel, const amp_priv_launch *launch)
{
    if (kernel->state == AMP_PRIV_KERNEL_REFUSED)
        return amp_priv_report(kernel->status, "%s", kernel->message);
    const amp_priv_site *const site = launch->site;
    amp_priv_device *const device = kernel->device;
    const uint64_t began = amp_priv_trace_begin();
    amp_status status = site->tiled ? amp_priv_check_tile(site, device, amp_priv_carried(kernel->variant),
                                                          device->max_threads, "the limit")
                                    : AMP_OK;
    if (status != AMP_OK)
        return status;
    bool from_disk = false;
    amp_priv_program program;
    status = amp_priv_program_make(&program, site, launch->captured, kernel->variant, device->backend->target,
                                   device->atomics64);
    if (status != AMP_OK)
        return status;
    amp_priv_show_source(kernel, site, program.text);
    status = amp_priv_check_needs(site, device, &program);
    if (status == AMP_OK)
        status = amp_priv_kernel_compile(kernel, site, &program, &from_disk);
    if (status == AMP_OK)
        status = amp_priv_kernel_open(kernel, launch);
    kernel->extents = program.uses_extents;
    free(program.text);
    if (status != AMP_OK) {
        amp_priv_kernel_undo(kernel);
        return status;
    }
    const char *const how = from_disk ? "read from the disk" : "compiled";
    kernel->state = AMP_PRIV_KERNEL_BUILT;
    amp_priv_log(AMP_PRIV_LOG_INFO, "kernel in %s, at or near %s:%d, for %s: %s", site->function, site->file,
                 site->line, device->path, how);
    if (began)
        amp_priv_trace_host("compile", "compile ", site->function, how, began);
    return AMP_OK;
}

/* Keeps the binary of a kernel that was launched once. */
AMP_PRIV_COLD void amp_priv_kernel_to_disk(const amp_priv_kernel *kernel, const char *key)
{
    unsigned char *binary = NULL;
    size_t length = 0;
    char folder[AMP_PRIV_PATH_SIZE];
    amp_priv_device *const device = kernel->device;
    if (!amp_priv_cache_folder(folder) ||
        device->backend->program_binary(device, kernel->program, &binary, &length).status != AMP_OK)
        return;
    amp_priv_cache_write(key, kernel->key_length, binary, length);
    free(binary);
}

/* // >>geometry
   Dimension 0 of a device is the last dimension of ours. A tile is a work-group. Without tiles, the work-group does not
   depend on what divides the extent: the extent is rounded up, and the kernel leaves out what is too much. */

/* Threads of a work-group without tiles, and of one row of it. On a GPU, rows of 128 write whole sectors of memory even
   where rows of views do not begin at one, and neighbours above share what they read (an H200, beside 32 x 8: a
   lattice-Boltzmann kernel on the inside of its domain is 1.21 times as fast, a stencil with borders 1.11). The
   compilers of CPUs turn a row into vectors, and each work-group has to find out anew that it may (a stencil on pocl:
   0.9 of the speed with 256 instead of 4,096). So large launches take large work-groups on a CPU, where each of its
   units gets this many at least. */
enum { AMP_PRIV_GROUP = 256, AMP_PRIV_ROW_ON_GPU = 128, AMP_PRIV_GROUP_ON_CPU = 4096, AMP_PRIV_GROUPS_OF_UNIT = 16 };

AMP_PRIV_WARM_PART size_t amp_priv_power_of_two(size_t n, size_t limit)
{
    if (n > limit)
        n = limit;
    if (n < 2)
        return 1;
    const size_t power = (size_t)2 << (63 - __builtin_clzll(n - 1)); /* the least that is not below n */
    return power <= limit ? power : power / 2;
}

/* max_row, max_group: the most threads of a row and of a work-group. */
AMP_PRIV_WARM_PART amp_priv_geometry amp_priv_geometry_of(int rank, const int *extent, const int *tile, size_t max_row,
                                                          size_t max_group, const size_t max_tile[3])
{
    const int dimensions = rank < 3 ? rank : 3;
    amp_priv_geometry g = { { 1, 1, 1 }, { 1, 1, 1 }, dimensions, tile != NULL, 1, { 0, 0 } };
    for (int d = 0; d < dimensions; d++)
        g.global[d] = (size_t)extent[rank - 1 - d];
    if (tile) {
        for (int d = 0; d < dimensions; d++)
            g.local[d] = (size_t)tile[rank - 1 - d];
        return g;
    }
    for (int d = 0; d < rank - 2; d++)
        g.lead *= (uint64_t)extent[d];
    if (rank > 3)
        g.global[2] = (size_t)g.lead;
    if (rank > 1) {
        const size_t least = max_row == AMP_PRIV_ROW_ON_GPU ? 32 : 64;
        size_t row = max_row;
        /* Long rows leave out no more than an eighth of an extent. */
        while (row > least && (row - g.global[0] % row) % row > g.global[0] / 8)
            row /= 2;
        g.local[0] = amp_priv_power_of_two(g.global[0], row < max_group ? row : max_group);
    }
    for (int d = 1; d < dimensions; d++) {
        size_t rest = max_group / (g.local[0] * g.local[1] * g.local[2]);
        if (rest > max_tile[d])
            rest = max_tile[d];
        g.local[d] = amp_priv_power_of_two(g.global[d], rest);
    }
    /* What the other dimensions leave, the last one takes. */
    const size_t rest = max_group / (g.local[1] * g.local[2]);
    g.local[0] = amp_priv_power_of_two(g.global[0], rest < max_tile[0] ? rest : max_tile[0]);
    for (int d = 0; d < dimensions; d++)
        g.global[d] = (g.global[d] + g.local[d] - 1) / g.local[d] * g.local[d];
    return g;
}

/* max_group: of the kernel, when it is there, or of the device. */
AMP_PRIV_WARM_PART amp_priv_geometry amp_priv_launch_geometry(const amp_priv_launch *launch, size_t max_group)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    size_t group = AMP_PRIV_GROUP;
    if (device->rows_are_vectors) {
        const uint64_t large = (uint64_t)AMP_PRIV_GROUPS_OF_UNIT * AMP_PRIV_GROUP_ON_CPU * device->units;
        uint64_t threads = 1;
        for (int d = 0; d < site->rank && threads < large; d++)
            threads *= (uint64_t)launch->extent[d];
        if (threads >= large)
            group = AMP_PRIV_GROUP_ON_CPU;
    }
    return amp_priv_geometry_of(site->rank, launch->extent, site->tiled ? site->tile : NULL,
                                device->rows_are_vectors ? group : AMP_PRIV_ROW_ON_GPU,
                                group < max_group ? group : max_group, device->max_tile);
}

/* Have all threads an index? The flattened dimensions of ranks above 3 are not worth the question. */
AMP_PRIV_WARM_PART bool amp_priv_geometry_is_exact(const amp_priv_launch *launch, const amp_priv_geometry *g,
                                                   int carried)
{
    const int rank = launch->site->rank;
    if (rank > 3)
        return false;
    for (int d = 0; d < rank; d++)
        if (g->global[d] * (size_t)(d == amp_priv_carry_dimension(rank) ? carried : 1) !=
            (size_t)launch->extent[rank - 1 - d])
            return false;
    return true;
}

/* // >>carry: how many threads of a launch each work-item carries. */

/* A device is kept busy by this many work-items for each of its units, twice what a unit of a GPU holds: so many stay,
   however many threads they carry. */
enum { AMP_PRIV_ITEMS_OF_UNIT = 4096 };

/* The fewest with which a tile fits the device's work-groups, as a power of two: 0, mostly. */
AMP_PRIV_WARM_PART unsigned amp_priv_tile_carry(const amp_priv_site *site, const amp_priv_device *device)
{
    const int dimension = amp_priv_carry_dimension(site->rank);
    const size_t side = (size_t)site->tile[site->rank - 1 - dimension];
    const size_t threads = amp_priv_tile_threads(site);
    unsigned carry = 0;
    while ((threads >> carry > device->max_threads || side >> carry > device->max_tile[dimension]) &&
           2 << carry <= AMP_PRIV_MAX_CARRY && side % (2u << carry) == 0)
        carry++;
    return carry;
}

/* What the text allows, found once for each site. */
AMP_PRIV_WARM_PART int amp_priv_site_carries(amp_priv_site *site, void *const *captured)
{
    int carries = atomic_load_explicit(&site->carries, memory_order_relaxed);
    if (__builtin_expect(carries == 0, 0)) {
        carries = amp_priv_text_carries(site, captured);
        atomic_store_explicit(&site->carries, carries, memory_order_relaxed);
    }
    return carries;
}

/* As a power of two: 0, 1, 2, ... for 1, 2, 4 threads. Written down in docs/performance.md. */
AMP_PRIV_WARM_PART unsigned amp_priv_launch_carry(const amp_priv_launch *launch)
{
    amp_priv_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    const bool tiled = site->tiled;
    if (tiled && device->backend->target->runs_tiles)
        return 0;
    unsigned carry = tiled ? amp_priv_tile_carry(site, device) : 0;
#if !defined(AMP_CHECKED) /* faults are told by the work-item's place */
    const unsigned given = device->threads_per_item ? device->threads_per_item : (unsigned)site->threads_per_item;
    const uint64_t busy = (uint64_t)AMP_PRIV_ITEMS_OF_UNIT * device->units;
    if (!given && (device->rows_are_vectors || busy == 0))
        return carry;
    uint64_t threads = 1;
    for (int d = 0; d < site->rank; d++)
        threads *= (uint64_t)launch->extent[d];
    if (!given && threads < 2 * busy)
        return carry;
    const int dimension = amp_priv_carry_dimension(site->rank);
    const size_t side = (size_t)(tiled ? site->tile : launch->extent)[site->rank - 1 - dimension];
    if (given) {
        while (2u << carry <= given && 2 << carry <= AMP_PRIV_MAX_CARRY && (!tiled || side % (2u << carry) == 0))
            carry++;
        return carry;
    }
    const size_t tile = tiled ? amp_priv_tile_threads(site) : 1;
    const int most = amp_priv_site_carries(site, launch->captured);
    while (2 << carry <= most && threads >> (carry + 1) >= busy &&
           (tiled ? side % (2u << carry) == 0 && tile >> (carry + 1) >= device->tile_multiple : side >> carry >= 32))
        carry++;
#endif
    return carry;
}

/* The work-items of a launch whose threads have this geometry. */
AMP_PRIV_WARM_PART void amp_priv_geometry_carry(amp_priv_geometry *g, int rank, int carried)
{
    const int d = amp_priv_carry_dimension(rank);
    if (__builtin_expect(carried == 1, 1))
        return;
    if (g->tiled)
        g->local[d] /= (size_t)carried;
    const size_t step = g->local[d] * (size_t)carried;
    g->global[d] = (g->global[d] + step - 1) / step * g->local[d];
}

/* // >>arguments: set where they differ from what the kernel has, in the order of amp_priv_add_parameters. */

/* Views whose last element has a greater offset make the launch use 64-bit offsets. Smaller in tests of those. */
#ifndef AMP_PRIV_NARROW_LIMIT
#define AMP_PRIV_NARROW_LIMIT INT_MAX
#endif

/* How many elements behind a view's first one its last one is. */
AMP_PRIV_WARM_PART amp_priv_offset amp_priv_view_last(const amp_priv_head *head)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    amp_priv_offset last = 0;
    for (int d = 0; d < head->rank; d++)
        last += (extent[d] - 1) * stride[d];
    return last < 0 ? 0 : last; /* a view of nothing has no last element */
}

/* Has the device variants for views that do not overlap? */
static inline bool amp_priv_asks_apart(const amp_priv_device *device)
{
    return !device->rows_are_vectors || device->threads_per_item;
}

/* Does the view overlap none of the other captured ones, of which one of the two is written? Buffers are apart, but
   where they are the host's memory. */
AMP_PRIV_WARM_PART bool amp_priv_view_apart(const amp_priv_launch *launch, int view, const size_t *bytes)
{
    const bool shares_host = launch->queue->device->shares_host;
    const bool is_const = ((const amp_priv_head *)launch->captured[view])->kind == AMP_PRIV_CONST_VIEW;
    const char *const begin = amp_priv_head_data(launch->captured[view]);
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (i == view || launch->site->captures[i].kind != AMP_PRIV_CAPTURE_VIEW ||
            (is_const && ((const amp_priv_head *)launch->captured[i])->kind == AMP_PRIV_CONST_VIEW))
            continue;
        const char *const other = amp_priv_head_data(launch->captured[i]);
        if ((launch->buffer[i] == launch->buffer[view] || shares_host) && begin < other + bytes[i] &&
            other < begin + bytes[view])
            return false;
    }
    return true;
}

/* Do all views that the kernel may write overlap no other? bytes: from the first element of each to its last one. */
AMP_PRIV_WARM_PART bool amp_priv_launch_apart(const amp_priv_launch *launch, const size_t *bytes)
{
    const amp_priv_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++)
        if (site->captures[i].kind == AMP_PRIV_CAPTURE_VIEW &&
            ((const amp_priv_head *)launch->captured[i])->kind != AMP_PRIV_CONST_VIEW &&
            !amp_priv_view_apart(launch, i, bytes))
            return false;
    return true;
}

/* The picture that a sampled view is in its buffer; false where its texels do not lie side by side. */
AMP_PRIV_COLD bool amp_priv_picture_of(amp_priv_picture *picture, const amp_priv_sampling *s, const amp_priv_head *head,
                                       amp_priv_offset offset)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    *picture =
        (amp_priv_picture){ .extent = { 1, 1, 1 }, .rank = head->rank, .channels = s->channels, .texels = s->texels };
    amp_priv_offset side_by_side = 1;
    for (int d = head->rank - 1; d >= 0; d--) {
        if (extent[d] < 1 || stride[d] != side_by_side)
            return false;
        picture->extent[head->rank - 1 - d] = (size_t)extent[d];
        side_by_side *= extent[d];
    }
    picture->offset = (size_t)offset * head->element->size;
    return true;
}

/* The image of what the kernel samples; NULL where it has to be read from the buffer: there is none, or the kernel may
   write there. */
AMP_PRIV_COLD void *amp_priv_launch_image(const amp_priv_launch *launch, const amp_priv_sampling *s,
                                          amp_priv_offset offset, const size_t *bytes)
{
    const amp_priv_head *const head = launch->captured[s->capture];
    amp_priv_replica *const replica = head->source->replica[launch->queue->device->number];
    amp_priv_picture picture;
    bool filled;
    if (!amp_priv_view_apart(launch, s->capture, bytes) || !amp_priv_picture_of(&picture, s, head, offset))
        return NULL;
    replica->changes += replica->is_lent || launch->queue->device->shares_host;
    void *const image =
        amp_priv_image_of(&replica->images, launch->queue, replica->buffer, &picture, replica->changes, &filled);
    if (filled)
        amp_priv_access_add(replica, launch->queue, amp_priv_queue_next_sequence(launch->queue), false);
    return image;
}

/* Has launch->image what the kernel samples, all of it? Checked builds look at each access to a buffer; a recorded
   launch would have to fill images when it is replayed. */
AMP_PRIV_FOR_DEVICES bool amp_priv_launch_images(amp_priv_launch *launch, const amp_priv_offset *offsets,
                                                 const size_t *bytes)
{
    const amp_priv_samplings *const samplings = amp_priv_site_samplings(launch->site, launch->captured);
    bool all = samplings->count > 0 && !launch->recording;
#if defined(AMP_CHECKED)
    all = false;
#endif
    for (int i = 0; i < samplings->count && all; i++) {
        const amp_priv_sampling *const s = &samplings->of[i];
        launch->image[i] = amp_priv_launch_image(launch, s, offsets[s->capture], bytes);
        all = launch->image[i] != NULL;
    }
    return all;
}

/* Where the views of a launch begin in their buffers, in elements, and the variant of the program which that takes. */
AMP_PRIV_WARM_PART amp_status amp_priv_launch_offsets(amp_priv_launch *launch, amp_priv_offset *offsets,
                                                      unsigned *variant)
{
    const amp_priv_site *const site = launch->site;
    const amp_priv_device *const device = launch->queue->device;
    size_t bytes[AMP_PRIV_MAX_CAPTURES];
    amp_priv_offset any = 0, greatest = 0;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head)
            continue;
        const ptrdiff_t begin = amp_priv_head_data(head) - launch->host[i], size = (ptrdiff_t)head->element->size;
        const amp_priv_offset offset = begin / size, last = amp_priv_view_last(head);
        if (__builtin_expect(offset * size != begin, 0))
            return amp_priv_site_report(site, AMP_RUNTIME_ERROR,
                                        "the view %s starts in the middle of an element of its type; take sections so "
                                        "that they start at multiples of it",
                                        site->captures[i].name);
        offsets[i] = offset;
        any |= offset;
        greatest = offset + last > greatest ? offset + last : greatest;
        bytes[i] = (size_t)((last + 1) * size);
    }
    *variant = greatest > AMP_PRIV_NARROW_LIMIT ? AMP_PRIV_OFFSETS64 : 0;
    if (any)
        *variant |= AMP_PRIV_BASE_OFFSET;
    if (amp_priv_asks_apart(device) && amp_priv_launch_apart(launch, bytes))
        *variant |= AMP_PRIV_APART;
    if (device->samples_images && amp_priv_launch_images(launch, offsets, bytes))
        *variant |= AMP_PRIV_IMAGES;
    return AMP_OK;
}

/* The next argument, and how many were found to have changed. */
typedef struct amp_priv_setting {
    amp_priv_kernel *kernel;
    int index, changed;
    size_t used;
    bool all; /* take all of them for changed */
} amp_priv_setting;

/* Most values have these sizes, and to call memcmp takes longer than to compare them. */
static inline bool amp_priv_set_same(const void *kept, const void *value, size_t size)
{
    uint64_t a, b;
    uint32_t narrow_a, narrow_b;
    if (size == sizeof a)
        return memcpy(&a, kept, sizeof a), memcpy(&b, value, sizeof b), a == b;
    if (size != sizeof narrow_a)
        return memcmp(kept, value, size) == 0;
    memcpy(&narrow_a, kept, sizeof narrow_a);
    memcpy(&narrow_b, value, sizeof narrow_b);
    return narrow_a == narrow_b;
}

AMP_PRIV_WARM_PART void amp_priv_set(amp_priv_setting *s, const void *value, size_t size, bool is_buffer, bool always)
{
    amp_priv_kernel *const kernel = s->kernel;
    unsigned char *const kept = kernel->values + s->used;
    if (s->all || always || !amp_priv_set_same(kept, value, size)) {
        kernel->argument[s->index] = (amp_priv_kernel_argument){ kept, (unsigned)size, is_buffer };
        kernel->changed[s->changed++] = (unsigned short)s->index;
        memcpy(kept, value, size);
    }
    s->index++;
    s->used += amp_priv_argument_bytes(size);
}

AMP_PRIV_WARM_PART void amp_priv_set_offset(amp_priv_setting *s, amp_priv_offset offset)
{
    const int64_t value = offset;
    const int32_t narrow = (int32_t)offset;
    if (s->kernel->variant & AMP_PRIV_OFFSETS64)
        amp_priv_set(s, &value, sizeof value, false, false);
    else
        amp_priv_set(s, &narrow, sizeof narrow, false, false);
}

AMP_PRIV_WARM_PART void amp_priv_set_view(amp_priv_setting *s, const amp_priv_head *head, void *buffer,
                                          amp_priv_offset offset, bool buffers_changed)
{
    amp_priv_set(s, &buffer, sizeof buffer, true, buffers_changed);
    if (s->kernel->variant & AMP_PRIV_BASE_OFFSET)
        amp_priv_set_offset(s, offset);
    for (int d = 0; d < head->rank - 1; d++)
        amp_priv_set_offset(s, amp_priv_head_stride(head)[d]);
    for (int d = 0; s->kernel->extents && d < head->rank; d++)
        amp_priv_set(s, &amp_priv_head_extent(head)[d], sizeof(int32_t), false, false);
}

/* What of the arguments differs. base_index: of the first leading index, for ranks above 3. */
AMP_PRIV_WARM_PART amp_priv_kernel_arguments amp_priv_set_all(amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                              const amp_priv_offset *offsets, void *fault,
                                                              int *base_index)
{
    const amp_priv_site *const site = launch->site;
    const unsigned closed = atomic_load_explicit(&kernel->device->closed_buffers, memory_order_relaxed);
    amp_priv_setting s = { kernel, 0, 0, 0, !kernel->set };
    if (amp_priv_needs_domain(site, kernel->variant)) {
        for (int d = 0; d < site->rank; d++)
            amp_priv_set(&s, &launch->extent[d], sizeof(int32_t), false, false);
        const uint64_t base = 0;
        *base_index = s.index;
        if (site->rank > 3)
            amp_priv_set(&s, &base, sizeof base, false, false);
    }
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        kernel->capture[i].argument = s.index;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW)
            amp_priv_set_view(&s, launch->captured[i], launch->buffer[i], offsets[i], kernel->closed != closed);
        else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT)
            amp_priv_set(&s, launch->captured[i], capture->size, false, false);
    }
    if (__builtin_expect((kernel->variant & AMP_PRIV_IMAGES) != 0, 0)) {
        const int images = atomic_load_explicit(&site->samplings, memory_order_relaxed)->count;
        for (int i = 0; i < images; i++)
            amp_priv_set(&s, &launch->image[i], sizeof launch->image[i], true, kernel->closed != closed);
    }
    if (fault)
        amp_priv_set(&s, &fault, sizeof fault, true, true);
    kernel->closed = closed;
    kernel->argument_count = s.index;
    return (amp_priv_kernel_arguments){ kernel->argument, kernel->changed, s.index, s.changed };
}

/* // >>repeat
   A launch like the kernel's last one has its variant, its geometry and most of its arguments, which are not found out
   again: it is over the same extent, and its views have the extents and strides, and begin where those did in their
   buffers. Other buffers and other scalars are set. */

/* Does the variant not depend on which buffers the views are in? Each has one of its own, or nobody asks. */
static inline bool amp_priv_launch_takes_any(const amp_priv_launch *launch)
{
    const amp_priv_device *const device = launch->queue->device;
    return !(launch->shared_sources || device->shares_host) || !amp_priv_asks_apart(device);
}

/* Does it sample views, on a device that may have images of them? Where there was no memory to find out, it may. */
AMP_PRIV_WARM_PART bool amp_priv_launch_samples(const amp_priv_launch *launch)
{
    const amp_priv_samplings *const samplings = atomic_load_explicit(&launch->site->samplings, memory_order_relaxed);
    return launch->queue->device->samples_images && (!samplings || samplings->count > 0);
}

/* After a launch: what the next one is compared with. Images are filled, and faults are found, at each. */
AMP_PRIV_WARM_PART void amp_priv_kernel_remember(amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                 const amp_priv_geometry *g, bool changes)
{
    const amp_priv_site *const site = launch->site;
    kernel->repeats = kernel->set && !changes;
    if (!kernel->repeats)
        return;
    kernel->any_buffers = amp_priv_launch_takes_any(launch);
    kernel->geometry = *g;
    for (int d = 0; d < site->rank; d++)
        kernel->extent[d] = launch->extent[d];
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        amp_priv_kernel_capture *const last = &kernel->capture[i];
        if (!head)
            continue;
        last->buffer = launch->buffer[i];
        last->begin = amp_priv_head_data(head) - launch->host[i];
        for (int d = 0; d < head->rank; d++) {
            last->extent[d] = amp_priv_head_extent(head)[d];
            last->stride[d] = amp_priv_head_stride(head)[d];
        }
    }
}

/* Is a view as it was at the last launch, but for its buffer? The last stride is 1. */
static inline bool amp_priv_view_repeats(const amp_priv_kernel_capture *last, const amp_priv_head *head,
                                         const char *host)
{
    const int *const extent = amp_priv_head_extent(head);
    const amp_priv_offset *const stride = amp_priv_head_stride(head);
    const int end = head->rank - 1;
    if (amp_priv_head_data(head) - host != last->begin || extent[end] != last->extent[end])
        return false;
    for (int d = 0; d < end; d++)
        if (extent[d] != last->extent[d] || stride[d] != last->stride[d])
            return false;
    return true;
}

/* Are all captures? kernel->changed gets the numbers of those whose buffer or value differs: *changed. */
static inline bool amp_priv_captures_repeat(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                            bool buffers_changed, int *changed)
{
    const amp_priv_site *const site = launch->site;
    for (int i = 0; i < site->capture_count; i++) {
        const amp_priv_capture *const capture = &site->captures[i];
        const amp_priv_kernel_capture *const last = &kernel->capture[i];
        bool same = true;
        if (capture->kind == AMP_PRIV_CAPTURE_VIEW) {
            same = launch->buffer[i] == last->buffer && !buffers_changed;
            if (!amp_priv_view_repeats(last, launch->captured[i], launch->host[i]) || !(same || kernel->any_buffers))
                return false;
        } else if (capture->kind != AMP_PRIV_CAPTURE_CONSTANT) {
            same = amp_priv_set_same(kernel->argument[last->argument].value, launch->captured[i], capture->size);
        }
        if (!same)
            kernel->changed[(*changed)++] = (unsigned short)i;
    }
    return true;
}

/* Is the launch like the kernel's last one? */
static inline bool amp_priv_kernel_repeats(amp_priv_kernel *kernel, const amp_priv_launch *launch, int *changed)
{
    const amp_priv_site *const site = launch->site;
    const unsigned closed = atomic_load_explicit(&kernel->device->closed_buffers, memory_order_relaxed);
    if (!kernel->repeats || !kernel->set || kernel->any_buffers != amp_priv_launch_takes_any(launch))
        return false;
    for (int d = 0; d < site->rank; d++)
        if (launch->extent[d] != kernel->extent[d])
            return false;
    if (!amp_priv_captures_repeat(kernel, launch, kernel->closed != closed, changed))
        return false;
    kernel->closed = closed;
    return true;
}

/* Sets what differs then. */
AMP_PRIV_NOINLINE void amp_priv_set_changed(amp_priv_kernel *kernel, const amp_priv_launch *launch, int changed)
{
    for (int n = 0; n < changed; n++) {
        const int i = kernel->changed[n];
        amp_priv_kernel_capture *const last = &kernel->capture[i];
        const amp_priv_kernel_argument *const kept = &kernel->argument[last->argument];
        if (kept->is_buffer)
            memcpy((void *)(uintptr_t)kept->value, &launch->buffer[i], sizeof launch->buffer[i]);
        else
            memcpy((void *)(uintptr_t)kept->value, launch->captured[i], kept->size);
        last->buffer = launch->buffer[i];
        kernel->changed[n] = (unsigned short)last->argument;
    }
}

/* // >>fault: checked builds. The record of a launch's faults on the device, ints, is a buffer of its own. */

#if defined(AMP_CHECKED)

static const amp_priv_rect amp_priv_fault_rect = { 0, AMP_PRIV_FAULT_INTS * sizeof(int), 1, 0, 1, 0 };

/* Opens it, empty. */
AMP_PRIV_COLD amp_status amp_priv_fault_open(const amp_priv_launch *launch, void **buffer)
{
    static int none[AMP_PRIV_FAULT_INTS]; /* nobody writes it */
    amp_priv_device *const device = launch->queue->device;
    amp_priv_result result = device->backend->buffer_open(device, sizeof none, NULL, buffer);
    if (result.status != AMP_OK)
        return amp_priv_backend_report(device, launch->site, result);
    result = device->backend->transfer(launch->queue, *buffer, none, &amp_priv_fault_rect, true, NULL);
    if (result.status == AMP_OK)
        return AMP_OK;
    amp_priv_buffer_close(device, *buffer);
    return amp_priv_backend_report(device, launch->site, result);
}

/* Where the kernel was: device ids, which have the last dimension first, as an index or as tile and thread. */
AMP_PRIV_COLD void amp_priv_fault_at(amp_priv_visit *at, const amp_priv_launch *launch, const int *group,
                                     const int *local, const int *global)
{
    const int rank = launch->site->rank, direct = rank > 3 ? 2 : rank;
    at->rank = rank;
    at->tiled = at->in_phase = launch->site->tiled;
    for (int d = 0; d < direct; d++) {
        const int k = rank - 1 - d;
        at->global[k] = global[d];
        if (at->tiled) {
            at->local[k] = local[d];
            at->tile[k] = group[d];
            at->global[k] = group[d] * launch->site->tile[k] + local[d];
        }
    }
    int64_t lead = global[2]; /* rank > 3: the leading dimensions in one */
    for (int k = rank - direct - 1; k >= 0; k--) {
        at->global[k] = (int)(lead % launch->extent[k]);
        lead /= launch->extent[k];
    }
}

/* Waits for the kernel, and takes its record over. The kernel has run, whatever becomes of that. */
AMP_PRIV_COLD void amp_priv_fault_read(const amp_priv_launch *launch, void *buffer)
{
    int record[AMP_PRIV_FAULT_INTS];
    amp_priv_device *const device = launch->queue->device;
    const amp_priv_result result =
        device->backend->transfer(launch->queue, buffer, record, &amp_priv_fault_rect, false, NULL);
    if (result.status != AMP_OK) {
        amp_priv_log(AMP_PRIV_LOG_WARNING, "what a kernel in %s did outside of its views is not known: %s failed (%d)",
                     launch->site->function, result.call, result.code);
        return;
    }
    amp_priv_fault *const fault = launch->fault;
    fault->count = (unsigned)record[0];
    if (!fault->count)
        return;
    fault->capture = record[1];
    fault->rank = record[2];
    amp_priv_fault_at(&fault->at, launch, record + 3, record + 6, record + 9);
    memcpy(fault->assertion, record + 12, sizeof fault->assertion);
    for (int d = 0; d < fault->rank; d++) {
        int64_t index;
        memcpy(&index, record + 12 + 2 * d, sizeof index);
        fault->index[d] = index;
    }
}

#endif

/* // >>launch */

/* The longest flattened dimension of one command. Smaller in tests of launches in several. */
#ifndef AMP_PRIV_LEAD_LIMIT
#define AMP_PRIV_LEAD_LIMIT ((uint64_t)1 << 30)
#endif

/* One command, which a recording notes. */
AMP_PRIV_COLD void amp_priv_kernel_record(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                          const amp_priv_kernel_arguments *arguments, const amp_priv_geometry *g)
{
    char name[AMP_PRIV_KERNEL_NAME];
    amp_priv_record_kernel(launch, kernel, kernel->program, amp_priv_kernel_name(launch->site, name), arguments, g);
}

static inline amp_priv_result amp_priv_kernel_one(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                                  const amp_priv_kernel_arguments *arguments,
                                                  const amp_priv_geometry *g, void **event)
{
    const amp_priv_result result = kernel->device->backend->enqueue(launch->queue, kernel->native, arguments, g, event);
    if (__builtin_expect(launch->recording != NULL, 0) && result.status == AMP_OK)
        amp_priv_kernel_record(kernel, launch, arguments, g);
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
            launch->partly = launch->partly || (y + z > 0 && result.status != AMP_OK);
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
                                                       amp_priv_kernel_arguments *arguments, int base_index,
                                                       amp_priv_geometry *g, void **event)
{
    const uint64_t step = AMP_PRIV_LEAD_LIMIT;
    amp_priv_result result = amp_priv_done();
    for (uint64_t base = 0; base < g->lead && result.status == AMP_OK; base += step) {
        const uint64_t rest = g->lead - base, count = rest < step ? rest : step;
        g->global[2] = ((size_t)count + g->local[2] - 1) / g->local[2] * g->local[2];
        if (base > 0) {
            memcpy((void *)(uintptr_t)kernel->argument[base_index].value, &base, sizeof base);
            kernel->changed[0] = (unsigned short)base_index;
            arguments->changed_count = 1;
        }
        result = amp_priv_kernel_command(kernel, launch, arguments, g, count == rest ? event : NULL);
        launch->partly = launch->partly || (base > 0 && result.status != AMP_OK);
    }
    return result;
}

/* Enqueues a kernel that is set. The last command's event stands for all. */
static inline amp_priv_result amp_priv_kernel_enqueue(const amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                      amp_priv_kernel_arguments *arguments, int base_index,
                                                      amp_priv_geometry *g, void **event)
{
    if (__builtin_expect(launch->site->rank <= 3 || g->lead <= AMP_PRIV_LEAD_LIMIT, 1))
        return amp_priv_kernel_command(kernel, launch, arguments, g, event);
    return amp_priv_kernel_in_steps(kernel, launch, arguments, base_index, g, event);
}

/* Submits a kernel whose arguments are set, with its lock held. */
static inline amp_priv_result amp_priv_kernel_submit(amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                     amp_priv_kernel_arguments *arguments, int base_index,
                                                     amp_priv_geometry *g)
{
    const uint64_t began = amp_priv_trace_begin();
    void *done = NULL;
    const amp_priv_result result =
        amp_priv_kernel_enqueue(kernel, launch, arguments, base_index, g, began ? &done : NULL);
    kernel->set = result.status == AMP_OK && g->lead <= AMP_PRIV_LEAD_LIMIT;
    if (__builtin_expect(began != 0, 0) && result.status == AMP_OK)
        amp_priv_trace_enqueued(launch->queue, launch->site, launch->extent, NULL, amp_priv_launch_bytes(launch), began,
                                done);
    return result;
}

/* Sets what differs and submits, with the kernel's lock held. */
AMP_PRIV_WARM_PART amp_priv_result amp_priv_kernel_run(amp_priv_kernel *kernel, amp_priv_launch *launch,
                                                       const amp_priv_offset *offsets, amp_priv_geometry *g,
                                                       void *fault)
{
    int base_index = 0;
    /* Work-groups of fewer threads are smaller powers of two: what was exact remains so. */
    if (__builtin_expect(kernel->max_group < g->local[0] * g->local[1] * g->local[2], 0)) {
        *g = amp_priv_launch_geometry(launch, kernel->max_group);
        amp_priv_geometry_carry(g, launch->site->rank, amp_priv_carried(kernel->variant));
    }
    amp_priv_kernel_arguments arguments = amp_priv_set_all(kernel, launch, offsets, fault, &base_index);
    const amp_priv_result result = amp_priv_kernel_submit(kernel, launch, &arguments, base_index, g);
    amp_priv_kernel_remember(kernel, launch, g, fault != NULL || amp_priv_launch_samples(launch));
    // cppcheck-suppress returnDanglingLifetime -- it refers to no argument
    return result;
}

/* Reports a launch that the device refused. */
AMP_PRIV_COLD amp_status amp_priv_kernel_refused(const amp_priv_kernel *kernel, const amp_priv_site *site,
                                                 amp_priv_result result)
{
    if (result.status == AMP_INVALID_COMPUTE_DOMAIN) {
        const amp_status status = site->tiled
                                      ? amp_priv_check_tile(site, kernel->device, amp_priv_carried(kernel->variant),
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
}

AMP_PRIV_WARM_PART bool amp_priv_geometry_fits(const amp_priv_geometry *g, const amp_priv_device *device)
{
    return g->global[0] <= device->max_global && g->global[1] <= device->max_global &&
           g->global[2] <= device->max_global;
}

/* Submits a kernel, which is locked, again. */
static inline amp_priv_result amp_priv_kernel_again(amp_priv_kernel *kernel, amp_priv_launch *launch, int changed)
{
    if (changed > 0)
        amp_priv_set_changed(kernel, launch, changed);
    amp_priv_kernel_arguments arguments = { kernel->argument, kernel->changed, kernel->argument_count, changed };
    // cppcheck-suppress returnDanglingLifetime -- it refers to no argument
    return amp_priv_kernel_submit(kernel, launch, &arguments, 0, &kernel->geometry);
}

/* A launch that is not like the last one. *held: the kernel that is locked, at first and then; NULL: none. */
AMP_PRIV_WARM amp_status amp_priv_kernel_anew(amp_priv_launch *launch, amp_priv_kernel **held)
{
    amp_priv_site *const site = launch->site;
    amp_priv_device *const device = launch->queue->device;
    amp_priv_offset offsets[AMP_PRIV_MAX_CAPTURES];
    unsigned variant = 0; /* as gcc -O1 wants it */
    amp_status status = amp_priv_launch_offsets(launch, offsets, &variant);
    if (status != AMP_OK)
        return status;
    const unsigned carry = amp_priv_launch_carry(launch);
    variant |= carry << AMP_PRIV_CARRY;
    amp_priv_geometry geometry = amp_priv_launch_geometry(launch, device->max_threads);
    amp_priv_geometry_carry(&geometry, site->rank, 1 << carry);
    if (__builtin_expect(!amp_priv_geometry_fits(&geometry, device), 0))
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "%zu x %zu x %zu threads are more than %s (%s) takes; launch it in parts",
                                    geometry.global[0], geometry.global[1], geometry.global[2], device->path,
                                    device->description);
    if (!site->tiled && !amp_priv_geometry_is_exact(launch, &geometry, 1 << carry))
        variant |= AMP_PRIV_BOUNDS_GUARD;
    amp_priv_kernel *const kernel = amp_priv_kernel_of(site, device, variant);
    if (!kernel)
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for it");
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
        status == AMP_OK ? amp_priv_kernel_run(kernel, launch, offsets, &geometry, fault) : amp_priv_done();
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

/* Submits the site's kernel to the launch's queue, which is a device's. Reports what fails; then nothing was submitted
   and nothing has changed. Checked builds: waits for it, and fills launch->fault. */
AMP_PRIV_NOINLINE amp_status amp_priv_kernel_launch(amp_priv_launch *launch)
{
    amp_priv_kernel *const recent = atomic_load_explicit(&launch->site->recent, memory_order_acquire);
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
        status = amp_priv_kernel_anew(launch, &held);
    if (held)
        amp_priv_unlock(&held->lock);
    return __builtin_expect(result.status == AMP_OK, 1) ? status
                                                        : amp_priv_kernel_refused(recent, launch->site, result);
}

#endif /* AMP_KERNEL_H */
