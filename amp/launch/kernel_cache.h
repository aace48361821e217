/* SPDX-License-Identifier: MIT */
/*  amp/launch/kernel_cache.h - compiled kernels, one for each site, device and variant

    Contents (search for the tag):
        >>record  >>show  >>limits  >>build */
#ifndef AMP_LAUNCH_KERNEL_CACHE_H
#define AMP_LAUNCH_KERNEL_CACHE_H

#include "../codegen/build_log.h"
#include "../codegen/program.h"
#include "../memory/copy_async.h"
#include "bundle.h"

/* // >>record */

/* What one capture brought to a kernel's last launch. */
typedef struct amp_priv_kernel_capture {
    int argument; /* its value, of a view its buffer */
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
    char *key; /* under which the binary is to be kept after the first launch; NULL: it is, or is not to be */
    size_t key_length;
    bool set;                       /* the arguments are what the kernel has; */
    unsigned closed;                /* the device's count of closed buffers then */
    amp_priv_parameters parameters; /* what its arguments are, of which each has: */
    amp_priv_kernel_argument *argument;
    unsigned short *changed; /* the numbers of those that were set */
    size_t argument_bytes;   /* of all of them */
    int base_argument;       /* the number of AMP_PRIV_PARAMETER_BASE */
    /* Of the last launch, where another may repeat it (>>repeat): */
    bool repeats, any_buffers;
    int extent[AMP_MAX_RANK], origin;
    amp_priv_geometry geometry;
    amp_priv_kernel_capture *capture;
} amp_priv_kernel;

/* The record of a site's kernel, new if need be; NULL when there is no memory for one (not reported). */
AMP_PRIV_COLD amp_priv_kernel *amp_priv_kernel_new(amp_priv_launch_site *site, amp_priv_device *device,
                                                   unsigned variant)
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

AMP_PRIV_WARM_PART amp_priv_kernel *amp_priv_kernel_of(amp_priv_launch_site *site, amp_priv_device *device,
                                                       unsigned variant)
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
AMP_PRIV_COLD FILE *amp_priv_show_open(const amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                       const char *mode)
{
    const char *const folder = amp_priv_environment("AMP_SHOW_KERNELS");
    if (!folder || !strchr(folder, '/'))
        return stderr;
    char path[1024], values[200];
    const unsigned variant = kernel->variant;
    char tile[40] = "", threads[24] = "";
    if (site->tiled && site->rank == 1)
        snprintf(tile, sizeof tile, "_%d", site->tile[0]);
    else if (site->tiled)
        snprintf(tile, sizeof tile, site->rank == 2 ? "_%dx%d" : "_%dx%dx%d", site->tile[0], site->tile[1],
                 site->tile[2]);
    if (amp_priv_coarsening(variant) > 1)
        snprintf(threads, sizeof threads, "_%d_threads", amp_priv_coarsening(variant));
    snprintf(path, sizeof path, "%s%s%s_%d%s%s_on_%d%s%s%s%s%s%s.%s", folder,
             folder[strlen(folder) - 1] == '/' ? "" : "/", site->function, site->line, tile,
             amp_priv_site_values(site, "_", "_", values, sizeof values), kernel->device->number,
             variant & AMP_PRIV_OFFSETS64 ? "_offsets64" : "", variant & AMP_PRIV_BOUNDS_GUARD ? "_guard" : "",
             variant & AMP_PRIV_BASE_OFFSET ? "_base" : "", variant & AMP_PRIV_NO_ALIAS ? "_apart" : "",
             variant & AMP_PRIV_IMAGES ? "_images"
             : variant & AMP_PRIV_BAND ? "_band"
                                       : "",
             threads, kernel->device->backend->target->suffix);
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
AMP_PRIV_COLD void amp_priv_show_source(const amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                        const char *text)
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
AMP_PRIV_COLD void amp_priv_show_log(const amp_priv_kernel *kernel, const amp_priv_launch_site *site, const char *log)
{
    if (amp_priv_show_kernels() <= 0 || !log || !log[strspn(log, " \n\r\t")])
        return;
    FILE *const out = amp_priv_show_open(kernel, site, "a");
    fprintf(out, "%s build log of %s, at or near %s:%d\n%s\n%s", out == stderr ? "amp:" : "/*", site->function,
            site->file, site->line, log, out == stderr ? "" : "*/\n");
    amp_priv_show_close(out);
}

/* ", 4 threads in each work-item"; nothing where it is one. */
AMP_PRIV_COLD const char *amp_priv_item_threads(char *text, size_t size, int factor)
{
    text[0] = '\0';
    if (factor > 1)
        snprintf(text, size, ", %d threads in each work-item", factor);
    return text;
}

AMP_PRIV_COLD void amp_priv_show_geometry(const amp_priv_kernel *kernel, const amp_priv_launch *launch,
                                          const amp_priv_geometry *g)
{
    const amp_priv_launch_site *const site = launch->site;
    char extent[160], items[48];
    FILE *const out = amp_priv_show_kernels() > 1 ? amp_priv_show_open(kernel, site, "a") : stderr;
    fprintf(out,
            "%skernel in %s, at or near %s:%d, on %s: extent %s, global size %zu x %zu x %zu, local size %zu x %zu x "
            "%zu%s%s%s\n",
            out == stderr ? "amp: " : "/* ", site->function, site->file, site->line, kernel->device->path,
            amp_priv_list(extent, sizeof extent, launch->extent, site->rank), g->global[0], g->global[1], g->global[2],
            g->local[0], g->local[1], g->local[2],
            amp_priv_item_threads(items, sizeof items, amp_priv_coarsening(kernel->variant)),
            kernel->variant & AMP_PRIV_OFFSETS64 ? ", 64-bit offsets" : "", out == stderr ? "" : " */");
    amp_priv_show_close(out);
}

/* // >>limits */

/* The most threads that a work-item runs: more would be no use, and long to compile. */
enum { AMP_PRIV_MAX_COARSENING = 64 };

/* Is the tile possible on this device, whose work-items carry so many threads each? max_threads: of the device, or of
   one kernel. What a driver says of a kernel is no promise (NVIDIA's says 256 where 1,024 work): that counts only once
   a launch was refused. */
AMP_PRIV_COLD amp_status amp_priv_check_tile(const amp_priv_launch_site *site, const amp_priv_device *device,
                                             int factor, size_t max_threads, const char *whose)
{
    const size_t threads = amp_priv_tile_threads(site);
    char tile[64], items[48];
    amp_priv_list(tile, sizeof tile, site->tile, site->rank);
    if (threads / (size_t)factor > max_threads)
        return amp_priv_site_report(site, AMP_INVALID_COMPUTE_DOMAIN,
                                    "the tile %s has %zu threads%s, %s on %s is %zu; use a smaller tile", tile, threads,
                                    amp_priv_item_threads(items, sizeof items, factor), whose, device->path,
                                    max_threads);
    for (int d = 0; d < site->rank; d++) {
        const int device_d = site->rank - 1 - d;
        const size_t most =
            device->max_tile[device_d] * (device_d == amp_priv_coarsened_dimension(site->rank) ? (size_t)factor : 1);
        if ((size_t)site->tile[d] > most)
            return amp_priv_site_report(
                site, AMP_INVALID_COMPUTE_DOMAIN,
                "the tile %s has %d threads in dimension %d, the limit there on %s is %zu; use a smaller tile", tile,
                site->tile[d], d, device->path, most);
    }
    return AMP_OK;
}

AMP_PRIV_COLD amp_status amp_priv_check_local(const amp_priv_launch_site *site, const amp_priv_device *device,
                                              size_t bytes)
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
AMP_PRIV_COLD amp_status amp_priv_check_needs(const amp_priv_launch_site *site, const amp_priv_device *device,
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
AMP_PRIV_COLD amp_status amp_priv_kernel_refuse(amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                                const char *source, const char *log, amp_priv_result result)
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
    const amp_priv_result result = kernel->device->backend->program.build(kernel->device, &build);
    amp_priv_cache_tried(trial, key->text, key->length, result.status == AMP_OK);
    free(binary);
    free(build.log);
    kernel->program = result.status == AMP_OK ? build.program : NULL;
    return result.status == AMP_OK;
}

/* The compiler's options for a kernel. AMP_COMPARE takes exact division, so that fewer last bits differ. */
AMP_PRIV_COLD const char *amp_priv_kernel_options(const amp_priv_device *device, const amp_priv_launch_site *site)
{
    if (device->precise_options && (site->precise_division || amp_priv_kernels_are_exact()))
        return device->precise_options;
    if (!site->precise_division)
        return device->options;
    amp_priv_log(AMP_PRIV_LOG_WARNING,
                 "AMP_PRECISE_DIVISION: kernel in %s, at or near %s:%d: %s has no exact division and square root of "
                 "float; its results may differ in the last bits",
                 site->function, site->file, site->line, device->path);
    return device->options;
}

/* kernel->program from the bundle; false if it has none, or one that the driver does not take. */
AMP_PRIV_COLD bool amp_priv_kernel_from_bundle(amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                               amp_priv_build build)
{
    amp_priv_device *const device = kernel->device;
    const bool is_exact = device->precise_options && build.options == device->precise_options;
    build.binary = amp_priv_bundle_find(device->machine, is_exact, build.text, build.length, &build.binary_length);
    if (!build.binary) {
        if (device->machine[0] && amp_priv_bundle_open())
            amp_priv_log(AMP_PRIV_LOG_INFO, "kernel in %s, at or near %s:%d, is not in the bundle for %s",
                         site->function, site->file, site->line, device->machine);
        return false;
    }
    const amp_priv_result result = device->backend->program.build(device, &build);
    free(build.log);
    kernel->program = result.status == AMP_OK ? build.program : NULL;
    if (result.status != AMP_OK)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "kernel in %s, at or near %s:%d, is compiled: %s does not take what the bundle has: %s (%d)",
                     site->function, site->file, site->line, device->path, amp_priv_code_name(device, result.code),
                     result.code);
    return result.status == AMP_OK;
}

/* kernel->program by the compiler. *key: under which it may be kept, which goes to the kernel; or it has no text. Only
   a text that the compiler refuses is never tried again. */
AMP_PRIV_COLD amp_status amp_priv_kernel_by_compiler(amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                                     amp_priv_build build, amp_priv_string *key)
{
    amp_priv_device *const device = kernel->device;
    const amp_priv_result result = device->backend->program.build(device, &build);
    amp_priv_show_log(kernel, site, build.log);
    amp_status status = result.status;
    if (status == AMP_COMPILATION_FAILED)
        status = amp_priv_kernel_refuse(kernel, site, build.text, build.log ? build.log : "", result);
    else if (status != AMP_OK)
        status = amp_priv_backend_report(device, site, result);
    free(build.log);
    if (status != AMP_OK)
        return status;
    kernel->program = build.program;
    kernel->key = key->text;
    kernel->key_length = key->length;
    key->text = NULL;
    return AMP_OK;
}

/* kernel->program, and how it came: from the bundle, from the disk, else by the compiler. */
AMP_PRIV_COLD amp_status amp_priv_kernel_compile(amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                                 const amp_priv_program *program, const char **how)
{
    const amp_priv_device *const device = kernel->device;
    const char *const options = amp_priv_kernel_options(device, site);
    const amp_priv_build build = { .text = program->text, .length = program->length, .options = options };
    amp_priv_string key = { NULL, 0, 0, false }; /* all that the binary depends on; none where the driver keeps it */
    *how = "read from the bundle";
    if (amp_priv_kernel_from_bundle(kernel, site, build))
        return AMP_OK;
    if (!device->keeps_programs) {
        amp_priv_addf(&key, "%s | %s\n", device->identity, options);
        amp_priv_add(&key, program->text, program->length);
    }
    if (key.failed) {
        free(key.text);
        key.text = NULL;
    }
    *how = "read from the disk";
    amp_status status = AMP_OK;
    if (!key.text || !amp_priv_kernel_from_disk(kernel, build, &key)) {
        *how = "compiled";
        status = amp_priv_kernel_by_compiler(kernel, site, build, &key);
    }
    free(key.text);
    return status;
}

/* Reports what the device could not do with a kernel. Many drivers take more bytes of arguments than they promise, so
   that these are the reason only where something fails. */
AMP_PRIV_COLD amp_status amp_priv_kernel_failed(const amp_priv_kernel *kernel, const amp_priv_launch_site *site,
                                                amp_priv_result result)
{
    amp_priv_device *const device = kernel->device;
    char cure[200];
    if (result.status != AMP_RUNTIME_ERROR || kernel->argument_bytes <= device->max_parameters ||
        (result.suspect && !amp_priv_device_probe(device)))
        return amp_priv_backend_report(device, site, result);
    snprintf(cure, sizeof cure,
             "its arguments take %zu bytes, and %zu are promised; capture a view of a large struct, or make "
             "constants an AMP_TABLE",
             kernel->argument_bytes, device->max_parameters);
    result.status = AMP_UNSUPPORTED_FEATURE;
    return amp_priv_failure_report(device, site, result, cure);
}

/* Memory for the arguments of the list: a value each, at multiples of 8. False where there is none. */
AMP_PRIV_COLD bool amp_priv_kernel_arguments_open(amp_priv_kernel *kernel, const amp_priv_launch_site *site)
{
    const size_t count = (size_t)kernel->parameters.count;
    size_t values = 0;
    for (size_t i = 0; i < count; i++)
        values += amp_priv_argument_bytes(kernel->parameters.of[i].size);
    kernel->argument = calloc(1, count * (sizeof *kernel->argument + sizeof *kernel->changed) + values + 8 +
                                     (size_t)site->capture_count * sizeof *kernel->capture);
    if (!kernel->argument)
        return false;
    kernel->capture = (amp_priv_kernel_capture *)(void *)(kernel->argument + count);
    unsigned char *value = (unsigned char *)(kernel->capture + site->capture_count);
    kernel->changed = (unsigned short *)(void *)(value + values);
    for (size_t i = 0; i < count; i++) {
        const amp_priv_parameter *const p = &kernel->parameters.of[i];
        const bool is_buffer = p->kind == AMP_PRIV_PARAMETER_BUFFER;
        const bool is_scalar =
            p->kind == AMP_PRIV_PARAMETER_VALUE && site->captures[p->capture].kind == AMP_PRIV_CAPTURE_SCALAR;
        kernel->argument[i] = (amp_priv_kernel_argument){ value, p->size,
                                                          is_buffer || p->kind == AMP_PRIV_PARAMETER_IMAGE ||
                                                              p->kind == AMP_PRIV_PARAMETER_FAULT,
                                                          is_scalar ? &site->captures[p->capture] : NULL };
        if (is_buffer || p->kind == AMP_PRIV_PARAMETER_VALUE)
            kernel->capture[p->capture].argument = (int)i;
        else if (p->kind == AMP_PRIV_PARAMETER_BASE)
            kernel->base_argument = (int)i;
        value += amp_priv_argument_bytes(p->size);
    }
    return true;
}

/* The backend's kernel of a program, and memory for its arguments. */
AMP_PRIV_COLD amp_status amp_priv_kernel_open(amp_priv_kernel *kernel, const amp_priv_launch_site *site)
{
    amp_priv_device *const device = kernel->device;
    kernel->argument_bytes = 0;
    for (int i = 0; i < kernel->parameters.count; i++)
        kernel->argument_bytes += kernel->parameters.of[i].size;
    char name[AMP_PRIV_KERNEL_NAME];
    amp_priv_kernel_limits limits = { 1, 0 };
    const amp_priv_result result =
        device->backend->kernel.create(device, kernel->program, amp_priv_kernel_name(site, name), &kernel->native,
                                       &limits);
    if (result.status != AMP_OK) {
        kernel->native = NULL;
        return amp_priv_kernel_failed(kernel, site, result);
    }
    kernel->max_group = limits.max_group;
    const amp_status status = amp_priv_check_local(site, device, limits.local_memory);
    if (status != AMP_OK)
        return status;
    if (!amp_priv_kernel_arguments_open(kernel, site))
        return amp_priv_site_report(site, AMP_OUT_OF_MEMORY, "no memory for its arguments");
    return AMP_OK;
}

/* What was made of a kernel that could not be finished. */
AMP_PRIV_COLD void amp_priv_kernel_undo(amp_priv_kernel *kernel)
{
    const amp_priv_backend *const backend = kernel->device->backend;
    if (kernel->native)
        backend->kernel.release(kernel->device, kernel->native);
    if (kernel->program)
        backend->program.release(kernel->device, kernel->program);
    kernel->native = kernel->program = NULL;
    free(kernel->key);
    kernel->key = NULL;
    free(kernel->parameters.of);
    kernel->parameters = (amp_priv_parameters){ NULL, 0, false };
}

/* First use, with the lock held. What fails may be tried again, but for a text that the compiler refused. */
AMP_PRIV_COLD amp_status amp_priv_kernel_build(amp_priv_kernel *kernel, const amp_priv_launch *launch)
{
    if (kernel->state == AMP_PRIV_KERNEL_REFUSED)
        return amp_priv_report(kernel->status, "%s", kernel->message);
    amp_priv_launch_site *const site = launch->site;
    amp_priv_device *const device = kernel->device;
    const uint64_t began = amp_priv_watch_begin();
    amp_status status = site->tiled ? amp_priv_check_tile(site, device, amp_priv_coarsening(kernel->variant),
                                                          device->max_threads, "the limit")
                                    : AMP_OK;
    if (status != AMP_OK)
        return status;
    const char *how = NULL;
    amp_priv_program program;
    status = amp_priv_program_make(&program, site, launch->captured, kernel->variant, device->backend->target,
                                   device->atomics64);
    if (status != AMP_OK)
        return status;
    kernel->parameters = program.parameters;
    amp_priv_show_source(kernel, site, program.text);
    status = amp_priv_check_needs(site, device, &program);
    if (status == AMP_OK)
        status = amp_priv_kernel_compile(kernel, site, &program, &how);
    if (status == AMP_OK)
        status = amp_priv_kernel_open(kernel, site);
    if (status != AMP_OK) {
        free(program.text);
        amp_priv_kernel_undo(kernel);
        return status;
    }
    kernel->state = AMP_PRIV_KERNEL_BUILT;
    amp_priv_log(AMP_PRIV_LOG_INFO, "kernel in %s, at or near %s:%d, for %s: %s", site->function, site->file,
                 site->line, device->path, how);
    if (began)
        amp_priv_happened(&(amp_priv_happening){ .kind = AMP_PRIV_HAPPENED_BUILT,
                                                 .began = began,
                                                 .device = device,
                                                 .site = site,
                                                 .detail = how,
                                                 .text = program.text });
    free(program.text);
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
        device->backend->program.binary(device, kernel->program, &binary, &length).status != AMP_OK)
        return;
    amp_priv_cache_write(key, kernel->key_length, binary, length);
    free(binary);
}

#endif /* AMP_LAUNCH_KERNEL_CACHE_H */
