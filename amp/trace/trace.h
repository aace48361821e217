/* SPDX-License-Identifier: MIT */
/*  amp/trace/trace.h - AMP_TRACE and AMP_PROFILE: traces and profiles

    Hooks: begin, end, happened, fork. Registered before main, where one of these variables is set. amp.h includes it
    where AMP_TOOLS is defined.

    Contents (search for the tag):
        >>state  >>write  >>tables  >>host  >>commands  >>end  >>hooks  >>begin */
#ifndef AMP_TRACE_TRACE_H
#define AMP_TRACE_TRACE_H

#include "../memory/band.h"
#include "profile.h"

#include <inttypes.h>

/* // >>state */

enum { AMP_PRIV_TRACE_FILE = 1, AMP_PRIV_TRACE_TABLES = 2, AMP_PRIV_TRACE_READER = 4 };
enum { AMP_PRIV_TRACE_LOOK = 64 /* commands between looks */ };

/* What a trace shows: something that a host thread or a queue did. */
typedef struct amp_priv_trace_item {
    bool is_host;
    int row; /* of the thread or queue, from 1 */
    const char *category, *verb, *name;
    const amp_priv_launch_site *site; /* of a kernel or its launch; else NULL */
    const int *extent;
    const int *rows;               /* of a band on a group: from the first before the second; NULL: of no band */
    const amp_priv_device *device; /* NULL: not known */
    const char *detail;            /* NULL or a text */
    uint64_t begin, end, bytes;    /* bytes: of transfers */
} amp_priv_trace_item;

/* A module that shows it in its own way (amp/report). The lock is held. */
typedef struct amp_priv_trace_reader {
    void (*shown)(const amp_priv_trace_item *item);
    void (*end)(void); /* the program ends; amp_priv_trace.kernels has the table */
} amp_priv_trace_reader;

/* A row of the trace for a queue. */
typedef struct amp_priv_trace_row {
    struct amp_priv_trace_row *next;
    uint64_t queue; /* its number */
    int number;
    uint64_t end; /* of the last command shown there: rows hold no overlaps */
} amp_priv_trace_row;

/* A command in flight on a device: a kernel (site), or a transfer. */
typedef struct amp_priv_trace_command {
    amp_priv_device *device;
    amp_priv_trace_row *row;
    const amp_priv_launch_site *site;
    const char *name;
    void *event;
    uint64_t before, after; /* host times around the call that enqueued it */
    uint64_t times[3];      /* the device's, once it is done: queued, begin, end; begin is UINT64_MAX before */
    uint64_t bytes;
    int extent[AMP_MAX_RANK];
    int rows[2]; /* of a band; 0 and 0: of none */
} amp_priv_trace_command;

/* A line of the table of kernels. */
typedef struct amp_priv_trace_kernel {
    struct amp_priv_trace_kernel *next;
    const amp_priv_launch_site *site;
    const amp_priv_device *device;
    uint64_t count, time, bytes;
    double threads; /* of the launch that had most */
} amp_priv_trace_kernel;

/* A line of the table of sources: what was moved for those first captured by that name in that function. */
typedef struct amp_priv_trace_source {
    struct amp_priv_trace_source *next;
    const char *name, *function;
    uint64_t bytes[2], time[2], count[2]; /* 0: to the host, 1: to a device */
} amp_priv_trace_source;

/* Where a device's clock stands: host time is device time + offset. */
typedef struct amp_priv_trace_clock {
    bool known;
    int64_t offset;
} amp_priv_trace_clock;

typedef struct amp_priv_trace_state {
    atomic_int on; /* AMP_PRIV_TRACE_ bits */
    atomic_bool asked, looks_at_end;
    bool over; /* after main: the driver may be unloaded */
    atomic_int threads;
    amp_priv_mutex lock; /* for what follows */
    const amp_priv_trace_reader *reader;
    FILE *file;
    bool comma;
    unsigned long process; /* a child made by fork writes nothing */
    uint64_t start;
    amp_priv_trace_row *rows;
    amp_priv_trace_kernel *kernels;
    amp_priv_trace_source *sources;
    amp_priv_trace_command *commands;
    size_t command_count, since_look;
    int command_capacity;
    uint64_t lost; /* commands that were in flight when the program ended */
    amp_priv_trace_clock clock[AMP_PRIV_MAX_DEVICES];
} amp_priv_trace_state;

AMP_PRIV_GLOBAL_LOCKS(amp_priv_trace_state, amp_priv_trace, mutex(lock))
AMP_PRIV_GLOBAL_THREAD(int, amp_priv_trace_thread) /* its row; 0: none yet */

/* // >>write: with the lock held. */

/* "Processes" of the trace. Perfetto calls a row of its process's number the main thread: of queues, none is. */
enum { AMP_PRIV_TRACE_HOST = 1, AMP_PRIV_TRACE_QUEUES = 1000 };

/* "text" as JSON has it. */
AMP_PRIV_COLD void amp_priv_trace_text(const char *text)
{
    FILE *const file = amp_priv_trace.file;
    fputc('"', file);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, file);
    fputc('"', file);
}

AMP_PRIV_COLD void amp_priv_trace_comma(void)
{
    fputs(amp_priv_trace.comma ? ",\n" : "\n", amp_priv_trace.file);
    amp_priv_trace.comma = true;
}

/* The name of a row or (row 0) of a process. */
AMP_PRIV_COLD void amp_priv_trace_name_row(int process, int row, const char *name)
{
    if (!amp_priv_trace.file)
        return;
    amp_priv_trace_comma();
    fprintf(amp_priv_trace.file, "{\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s\",\"args\":{\"name\":", process,
            row, row ? "thread_name" : "process_name");
    amp_priv_trace_text(name);
    fputs("}}", amp_priv_trace.file);
}

AMP_PRIV_COLD void amp_priv_trace_site_text(const amp_priv_launch_site *site, const int *extent)
{
    FILE *const file = amp_priv_trace.file;
    char text[160];
    fputs("\"file\":", file);
    amp_priv_trace_text(site->file);
    fprintf(file, ",\"line\":%d,\"extent\":\"%s\"", site->line, amp_priv_list(text, sizeof text, extent, site->rank));
    if (site->tiled)
        fprintf(file, ",\"tile\":\"%s\"", amp_priv_list(text, sizeof text, site->tile, site->rank));
}

AMP_PRIV_COLD void amp_priv_trace_write(const amp_priv_trace_item *item)
{
    FILE *const file = amp_priv_trace.file;
    const uint64_t at = item->begin > amp_priv_trace.start ? item->begin - amp_priv_trace.start : 0,
                   length = item->end > item->begin ? item->end - item->begin : 0;
    char full[512];
    snprintf(full, sizeof full, "%s%s", item->verb, item->name);
    amp_priv_trace_comma();
    fprintf(file,
            "{\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":%" PRIu64 ".%03u,\"dur\":%" PRIu64
            ".%03u,\"cat\":\"%s\",\"name\":",
            item->is_host ? AMP_PRIV_TRACE_HOST : AMP_PRIV_TRACE_QUEUES, item->row, at / 1000, (unsigned)(at % 1000),
            length / 1000, (unsigned)(length % 1000), item->category);
    amp_priv_trace_text(full);
    fputs(",\"args\":{", file);
    if (item->site) {
        amp_priv_trace_site_text(item->site, item->extent);
        if (item->rows)
            fprintf(file, ",\"rows\":\"%d to %d\"", item->rows[0], item->rows[1] - 1);
    } else if (item->detail) {
        fputs("\"detail\":", file);
        amp_priv_trace_text(item->detail);
    } else {
        fprintf(file, "\"bytes\":%" PRIu64, item->bytes);
    }
    fputs("}}", file);
}

AMP_PRIV_COLD void amp_priv_trace_show(const amp_priv_trace_item *item)
{
    if (amp_priv_trace.file)
        amp_priv_trace_write(item);
    if (amp_priv_trace.reader)
        amp_priv_trace.reader->shown(item);
}

/* This thread's row. */
AMP_PRIV_COLD int amp_priv_trace_thread_row(void)
{
    if (!amp_priv_trace_thread) {
        char name[32];
        amp_priv_trace_thread = atomic_fetch_add(&amp_priv_trace.threads, 1) + 1;
        snprintf(name, sizeof name, "host thread %d", amp_priv_trace_thread);
        amp_priv_trace_name_row(AMP_PRIV_TRACE_HOST, amp_priv_trace_thread, name);
    }
    return amp_priv_trace_thread;
}

/* // >>tables: with the lock held. */

AMP_PRIV_COLD void amp_priv_trace_count_kernel(const amp_priv_launch_site *site, const amp_priv_device *device,
                                               const int *extent, uint64_t time, uint64_t bytes)
{
    double threads = 1;
    amp_priv_trace_kernel *kernel = amp_priv_trace.kernels;
    while (kernel && (kernel->site != site || kernel->device != device))
        kernel = kernel->next;
    if (!kernel) {
        kernel = calloc(1, sizeof *kernel);
        if (!kernel)
            return;
        kernel->site = site;
        kernel->device = device;
        kernel->next = amp_priv_trace.kernels;
        amp_priv_trace.kernels = kernel;
    }
    kernel->count++;
    kernel->time += time;
    kernel->bytes += bytes;
    for (int d = 0; d < site->rank; d++)
        threads *= extent[d];
    kernel->threads = threads > kernel->threads ? threads : kernel->threads;
}

AMP_PRIV_COLD void amp_priv_trace_count_transfer(const char *name, const char *function, bool to_device, uint64_t time,
                                                 uint64_t bytes)
{
    amp_priv_trace_source *source = amp_priv_trace.sources;
    while (source && (strcmp(source->name, name) || strcmp(source->function, function)))
        source = source->next;
    if (!source) {
        source = calloc(1, sizeof *source);
        if (!source)
            return;
        source->name = name;
        source->function = function;
        source->next = amp_priv_trace.sources;
        amp_priv_trace.sources = source;
    }
    source->bytes[to_device] += bytes;
    source->time[to_device] += time;
    source->count[to_device]++;
}

/* The threads that keep its device busy. */
AMP_PRIV_COLD double amp_priv_trace_enough(const amp_priv_trace_kernel *kernel)
{
    return (double)kernel->device->units * (kernel->device->is_gpu ? 1024 : 4096);
}

/* Why a kernel may move less than a copy. */
typedef struct amp_priv_trace_reason {
    const char *name; /* in one word */
    char text[200];
} amp_priv_trace_reason;

enum { AMP_PRIV_TRACE_REASONS = 7 };

/* The functions that have a faster form: "sinf, expf", or with a prefix. */
AMP_PRIV_COLD const char *amp_priv_trace_functions(char *text, size_t size, int notes, const char *prefix)
{
    size_t used = 0;
    *text = '\0';
    for (int f = 0, shown = 0; f < AMP_PRIV_PRECISE_FUNCTIONS && shown < 3; f++)
        if (notes & AMP_PRIV_NOTE_PRECISE << f)
            used += (size_t)snprintf(text + used, size - used, "%s%s%s", shown++ ? ", " : "", prefix,
                                     amp_priv_precise_functions[f]);
    return text;
}

AMP_PRIV_COLD int amp_priv_trace_reasons(const amp_priv_trace_kernel *kernel,
                                         amp_priv_trace_reason reasons[AMP_PRIV_TRACE_REASONS])
{
    const double each = (double)kernel->time / (double)kernel->count;
    const double enough = amp_priv_trace_enough(kernel);
    const int notes = kernel->site->notes;
    const bool is_own = !amp_priv_site_is_algorithm(kernel->site); /* and can be written in another way */
    char precise[64], fast[64];
    int n = 0;
#define AMP_PRIV_REASON(condition, word, ...)                                                                          \
    if (condition) {                                                                                                   \
        reasons[n].name = word;                                                                                        \
        snprintf(reasons[n++].text, sizeof reasons[0].text, __VA_ARGS__);                                              \
    }
    AMP_PRIV_REASON(is_own && kernel->threads < enough, "threads",
                    "few threads: %.0f, where this device is busy with %.0f", kernel->threads, enough)
    AMP_PRIV_REASON(notes & AMP_PRIV_NOTE_GATHER, "gather", "gathers: indexes come from memory")
    AMP_PRIV_REASON(is_own && notes & AMP_PRIV_NOTE_STRIDE, "stride",
                    "strides: neighbouring threads use elements far apart; the last index of the launch should be the "
                    "last of AMP_AT")
    AMP_PRIV_REASON((notes & AMP_PRIV_NOTE_DOUBLE) && kernel->device->is_gpu, "double",
                    "double: many GPUs compute it at a fraction of the speed of float")
    AMP_PRIV_REASON(is_own && n == 0 && each < 20e3, "short", "short launches: a launch costs some microseconds")
    AMP_PRIV_REASON(is_own && n == 0, "arithmetic",
                    "its arithmetic, or elements that it reads several times, take longer than its memory")
    AMP_PRIV_REASON(notes >= AMP_PRIV_NOTE_PRECISE, "precise", "precise functions: %s; faster, and less exact: %s",
                    amp_priv_trace_functions(precise, sizeof precise, notes, ""),
                    amp_priv_trace_functions(fast, sizeof fast, notes, "amp_fast_"))
#undef AMP_PRIV_REASON
    return n;
}

/* Does it move much less than a copy, or have so few threads that most of the device waits for long? */
AMP_PRIV_COLD bool amp_priv_trace_is_slow(const amp_priv_trace_kernel *kernel)
{
    const double rate = kernel->time ? (double)kernel->bytes / (double)kernel->time : 0;
    const double each = (double)kernel->time / (double)kernel->count;
    return (rate > 0 && kernel->device->copy_rate > 0 && rate < 0.4 * kernel->device->copy_rate) ||
           (each > 20e3 && kernel->threads < amp_priv_trace_enough(kernel) / 64);
}

AMP_PRIV_COLD void amp_priv_trace_print_kernel(const amp_priv_trace_kernel *kernel, uint64_t all)
{
    const double time = (double)kernel->time, count = (double)kernel->count;
    const double rate = kernel->time ? (double)kernel->bytes / time : 0, copy = kernel->device->copy_rate;
    fprintf(stderr, "%10" PRIu64 " %12.3f %12.3f %5.1f%% ", kernel->count, 1e-6 * time, 1e-3 * time / count,
            all ? 100 * time / (double)all : 0.0);
    if (rate > 0)
        fprintf(stderr, "%8.*f", rate < 1 ? 4 : 2, rate);
    else
        fprintf(stderr, "%8s", "-");
    if (rate > 0 && copy > 0)
        fprintf(stderr, " %5.0f%%", 100 * rate / copy);
    else
        fprintf(stderr, " %6s", "-");
    char values[200];
    fprintf(stderr, "  %s (%s:%d%s) on %s\n", kernel->site->function, kernel->site->file, kernel->site->line,
            amp_priv_site_values(kernel->site, ", ", " = ", values, sizeof values), kernel->device->path);
    amp_priv_trace_reason reasons[AMP_PRIV_TRACE_REASONS];
    const int n = amp_priv_trace_is_slow(kernel) ? amp_priv_trace_reasons(kernel, reasons) : 0;
    for (int i = 0; i < n; i++)
        fprintf(stderr, "%*s %s\n", i ? 16 : 17, i ? "and" : "note:", reasons[i].text);
}

AMP_PRIV_COLD void amp_priv_trace_print_kernels(void)
{
    uint64_t all = 0;
    for (const amp_priv_trace_kernel *k = amp_priv_trace.kernels; k; k = k->next)
        all += k->time;
    fprintf(
        stderr,
        "amp: profile of kernels (GB/s: what a kernel reads and writes at least; copy: its share of what the device "
        "copies)\n%10s %12s %12s %6s %8s %6s  %s\n",
        "count", "total ms", "mean us", "share", "GB/s", "copy", "kernel");
    for (;;) {
        /* the longest one of those not shown */
        amp_priv_trace_kernel *longest = NULL;
        for (amp_priv_trace_kernel *k = amp_priv_trace.kernels; k; k = k->next)
            if (k->count && (!longest || k->time > longest->time))
                longest = k;
        if (!longest)
            break;
        amp_priv_trace_print_kernel(longest, all);
        longest->count = 0;
    }
    uint32_t shown = 0;
    for (const amp_priv_trace_kernel *k = amp_priv_trace.kernels; k; k = k->next) {
        if (k->device->copy_rate > 0 && !(shown >> k->device->number & 1u))
            fprintf(stderr, "amp: copy bandwidth: %.1f GB/s on %s\n", k->device->copy_rate, k->device->path);
        shown |= UINT32_C(1) << k->device->number;
    }
}

AMP_PRIV_COLD void amp_priv_trace_print_sources(void)
{
    fprintf(stderr,
            "amp: profile of transfers, by source (named after its first capture)\n%12s %6s %8s %12s %6s %8s  %s\n",
            "to device B", "times", "GB/s", "to host B", "times", "GB/s", "source");
    for (const amp_priv_trace_source *s = amp_priv_trace.sources; s; s = s->next) {
        for (int d = 1; d >= 0; d--) {
            fprintf(stderr, "%12" PRIu64 " %6" PRIu64 " ", s->bytes[d], s->count[d]);
            if (s->time[d])
                fprintf(stderr, "%8.2f ", (double)s->bytes[d] / (double)s->time[d]);
            else
                fprintf(stderr, "%8s ", "-");
        }
        fprintf(stderr, " %s%s%s\n", s->name, s->function[0] ? " in " : "", s->function);
    }
    if (!amp_priv_trace.sources)
        fprintf(stderr, "%12s (nothing was moved)\n", "");
}

/* // >>host: what a host thread did from `began` until now. */

/* A kernel of the CPU backend, or (elsewhere) the call that launched one. */
AMP_PRIV_COLD void amp_priv_trace_launch(const amp_priv_launch *launch, uint64_t began)
{
    const uint64_t end = amp_priv_now();
    const amp_priv_launch_site *const site = launch->site;
    const bool is_loop = amp_priv_is_host(launch->queue->device->number);
    const int rows[2] = { launch->band ? launch->band->first : 0, launch->band ? launch->band->end : 0 };
    amp_priv_lock(&amp_priv_trace.lock);
    amp_priv_trace_show(&(amp_priv_trace_item){ .is_host = true,
                                                .row = amp_priv_trace_thread_row(),
                                                .category = is_loop ? "kernel" : "launch",
                                                .verb = is_loop ? "" : "launch ",
                                                .name = site->function,
                                                .site = site,
                                                .extent = launch->extent,
                                                .rows = launch->band ? rows : NULL,
                                                .device = launch->queue->device,
                                                .begin = began,
                                                .end = end });
    if (is_loop)
        amp_priv_trace_count_kernel(site, launch->queue->device, launch->extent, end - began,
                                    amp_priv_launch_bytes(launch));
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* A transfer of a source, which was first captured by that name in that function (NULL: never yet). */
AMP_PRIV_COLD void amp_priv_trace_transfer(const char *name, const char *function, bool to_device, uint64_t bytes,
                                           uint64_t began)
{
    const uint64_t end = amp_priv_now();
    if (!name || !function) {
        name = "(never captured)";
        function = "";
    }
    amp_priv_lock(&amp_priv_trace.lock);
    amp_priv_trace_show(&(amp_priv_trace_item){ .is_host = true,
                                                .row = amp_priv_trace_thread_row(),
                                                .category = "transfer",
                                                .verb = to_device ? "to device: " : "to host: ",
                                                .name = name,
                                                .begin = began,
                                                .end = end,
                                                .bytes = bytes });
    amp_priv_trace_count_transfer(name, function, to_device, end - began, bytes);
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* Something else: category is "wait" or "compile". */
AMP_PRIV_COLD void amp_priv_trace_host(const char *category, const char *verb, const char *name, const char *detail,
                                       uint64_t began)
{
    const uint64_t end = amp_priv_now();
    amp_priv_lock(&amp_priv_trace.lock);
    amp_priv_trace_show(&(amp_priv_trace_item){ .is_host = true,
                                                .row = amp_priv_trace_thread_row(),
                                                .category = category,
                                                .verb = verb,
                                                .name = name,
                                                .detail = detail,
                                                .begin = began,
                                                .end = end });
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* // >>commands: what a device did. The lock is held but for the hook. */

/* The row of a queue, new at first use. */
AMP_PRIV_COLD amp_priv_trace_row *amp_priv_trace_row_of(const amp_priv_queue *queue)
{
    int number = 1;
    for (amp_priv_trace_row *row = amp_priv_trace.rows; row; row = row->next, number++)
        if (row->queue == queue->number)
            return row;
    amp_priv_trace_row *const row = calloc(1, sizeof *row);
    if (!row)
        return NULL;
    row->queue = queue->number;
    row->number = number;
    row->next = amp_priv_trace.rows;
    amp_priv_trace.rows = row;
    char name[192];
    snprintf(name, sizeof name, "queue %d of %s", number, queue->device->path);
    amp_priv_trace_name_row(AMP_PRIV_TRACE_QUEUES, number, name);
    return row;
}

/* Turns a command's begin and end into the host's times. */
AMP_PRIV_COLD void amp_priv_trace_place(amp_priv_trace_command *command)
{
    uint64_t *const times = command->times;
    amp_priv_trace_clock *const clock = &amp_priv_trace.clock[command->device->number];
    const int64_t low = (int64_t)(command->before - times[0]), high = (int64_t)(command->after - times[0]);
    if (!clock->known || clock->offset < low)
        clock->offset = low;
    if (clock->offset > high)
        clock->offset = high;
    clock->known = true;
    /* A later offset must not put a command into the one before; how long it took is exact. */
    const uint64_t length = times[2] - times[1], begin = times[1] + (uint64_t)clock->offset;
    amp_priv_trace_row *const row = command->row;
    times[1] = begin < row->end ? row->end : begin;
    row->end = times[2] = times[1] + length;
}

/* Shows a command that is done. */
AMP_PRIV_COLD void amp_priv_trace_done(amp_priv_trace_command *command)
{
    const amp_priv_launch_site *const site = command->site;
    if (site)
        amp_priv_trace_count_kernel(site, command->device, command->extent, command->times[2] - command->times[1],
                                    command->bytes);
    amp_priv_trace_place(command);
    amp_priv_trace_show(&(amp_priv_trace_item){ .row = command->row->number,
                                                .category = site ? "kernel" : "transfer",
                                                .verb = "",
                                                .name = site ? site->function : command->name,
                                                .site = site,
                                                .extent = command->extent,
                                                .rows = command->rows[1] ? command->rows : NULL,
                                                .device = command->device,
                                                .begin = command->times[1],
                                                .end = command->times[2],
                                                .bytes = command->bytes });
}

/* Is a command done? Then its times are known; begin is 0 when the device does not know them. */
AMP_PRIV_COLD bool amp_priv_trace_is_done(amp_priv_trace_command *command)
{
    const amp_priv_backend *const backend = command->device->backend;
    if (!amp_priv_event_done(command->device, command->event))
        return false;
    if (!command->event || !backend->event.times ||
        !backend->event.times(command->device, command->event, command->times))
        command->times[1] = 0;
    return true;
}

AMP_PRIV_COLD int amp_priv_trace_by_begin(const void *a, const void *b)
{
    const uint64_t x = ((const amp_priv_trace_command *)a)->times[1];
    const uint64_t y = ((const amp_priv_trace_command *)b)->times[1];
    return x < y ? -1 : x > y;
}

/* Shows the commands that are done, in the order in which they ran (threads that share a queue come here in any), and
   forgets them. release: not at the end of the program. */
AMP_PRIV_COLD void amp_priv_trace_look(bool release)
{
    size_t done = 0;
    for (size_t i = 0; i < amp_priv_trace.command_count; i++)
        done += amp_priv_trace_is_done(&amp_priv_trace.commands[i]);
    if (done)
        qsort(amp_priv_trace.commands, amp_priv_trace.command_count, sizeof *amp_priv_trace.commands,
              amp_priv_trace_by_begin);
    for (size_t i = 0; i < done; i++) {
        amp_priv_trace_command *const command = &amp_priv_trace.commands[i];
        if (command->times[1] != 0)
            amp_priv_trace_done(command);
        if (release)
            amp_priv_event_release(command->device, command->event);
    }
    amp_priv_trace.command_count -= done;
    if (done && amp_priv_trace.command_count)
        memmove(amp_priv_trace.commands, amp_priv_trace.commands + done,
                amp_priv_trace.command_count * sizeof *amp_priv_trace.commands);
    amp_priv_trace.since_look = 0;
}

/* A command was enqueued. */
AMP_PRIV_COLD void amp_priv_trace_enqueued(const amp_priv_happening *what)
{
    const uint64_t after = amp_priv_now();
    amp_priv_lock(&amp_priv_trace.lock);
    const bool has_room =
        amp_priv_list_reserve(&amp_priv_trace.commands, &amp_priv_trace.command_capacity,
                              (int)amp_priv_trace.command_count + 1, sizeof(amp_priv_trace_command), NULL);
    amp_priv_trace_row *const row = amp_priv_trace_row_of(what->queue);
    if (row && has_room) {
        amp_priv_trace_command *const command = &amp_priv_trace.commands[amp_priv_trace.command_count++];
        *command = (amp_priv_trace_command){ .device = what->queue->device,
                                             .row = row,
                                             .site = what->site,
                                             .name = what->name,
                                             .event = what->native,
                                             .before = what->began,
                                             .after = after,
                                             .times = { 0, UINT64_MAX, 0 },
                                             .bytes = what->bytes };
        if (what->site)
            memcpy(command->extent, what->extent, (size_t)what->site->rank * sizeof(int));
        if (what->band) {
            command->rows[0] = what->band->first;
            command->rows[1] = what->band->end;
        }
    } else {
        amp_priv_event_release(what->queue->device, what->native);
    }
    if (++amp_priv_trace.since_look >= AMP_PRIV_TRACE_LOOK)
        amp_priv_trace_look(true);
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* // >>end */

/* Reads the last commands. */
AMP_PRIV_COLD void amp_priv_trace_look_last(void)
{
    amp_priv_trace_look(false);
    amp_priv_trace.lost = amp_priv_trace.command_count;
    amp_priv_trace.command_count = 0;
}

/* After main, before the driver is unloaded. */
AMP_PRIV_COLD void amp_priv_trace_last_look(void)
{
    amp_priv_lock(&amp_priv_trace.lock);
    if (amp_priv_trace.process == amp_priv_process_number())
        amp_priv_trace_look_last();
    amp_priv_trace.over = true;
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* A device was opened. From here on atexit functions come before the driver's. */
AMP_PRIV_COLD void amp_priv_trace_opened(void)
{
    if (!atomic_exchange(&amp_priv_trace.looks_at_end, true))
        atexit(amp_priv_trace_last_look);
}

AMP_PRIV_COLD void amp_priv_trace_end(void)
{
    if (amp_priv_trace.process != amp_priv_process_number())
        return;
    const int on = atomic_exchange(&amp_priv_trace.on, 0);
    amp_priv_hook_remove(AMP_PRIV_HOOK_TRACE);
    amp_priv_lock(&amp_priv_trace.lock);
    if (!amp_priv_trace.over)
        amp_priv_trace_look_last();
    if (on & AMP_PRIV_TRACE_READER)
        amp_priv_trace.reader->end();
    if (amp_priv_trace.file) {
        fputs("\n]\n", amp_priv_trace.file);
        if (fclose(amp_priv_trace.file) != 0)
            fprintf(stderr, "amp: warning: AMP_TRACE: the trace could not be written\n");
        amp_priv_trace.file = NULL;
    }
    if (on & AMP_PRIV_TRACE_TABLES) {
        amp_priv_trace_print_kernels();
        amp_priv_trace_print_sources();
    }
    if (amp_priv_trace.lost)
        fprintf(stderr,
                "amp: %" PRIu64 " commands were still running when the program ended: they are not in the trace\n",
                amp_priv_trace.lost);
    amp_priv_unlock(&amp_priv_trace.lock);
}

/* // >>hooks */

/* Sources get the name of their first capture. */
AMP_PRIV_COLD void amp_priv_launch_name_sources(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || atomic_load_explicit(&head->source->name, memory_order_relaxed))
            continue;
        atomic_store_explicit(&head->source->function, launch->site->function, memory_order_relaxed);
        atomic_store_explicit(&head->source->name, amp_priv_capture_shown(launch->site, i), memory_order_relaxed);
    }
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_trace_launch_begin(amp_priv_launch *launch)
{
    if (atomic_load_explicit(&amp_priv_trace.on, memory_order_relaxed) & ~AMP_PRIV_TRACE_FILE)
        amp_priv_profile_launch(launch);
    amp_priv_launch_name_sources(launch);
    launch->own[AMP_PRIV_HOOK_TRACE].number = amp_priv_now();
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_trace_launch_end(amp_priv_launch *launch, amp_status status)
{
    const uint64_t began = launch->own[AMP_PRIV_HOOK_TRACE].number;
    if (status == AMP_OK && began != 0)
        amp_priv_trace_launch(launch, began);
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD void amp_priv_trace_happened(const amp_priv_happening *what)
{
    switch (what->kind) {
    case AMP_PRIV_HAPPENED_OPENED: amp_priv_trace_opened(); break;
    case AMP_PRIV_HAPPENED_WAITED: amp_priv_trace_host("wait", "wait", "", what->device->path, what->began); break;
    case AMP_PRIV_HAPPENED_BUILT:
        amp_priv_trace_host("compile", "compile ", what->site->function, what->detail, what->began);
        break;
    case AMP_PRIV_HAPPENED_MOVED:
        amp_priv_trace_transfer(what->name, what->detail, what->to_device, what->bytes, what->began);
        break;
    case AMP_PRIV_HAPPENED_ENQUEUED: amp_priv_trace_enqueued(what); break;
    case AMP_PRIV_HAPPENED_BUFFER:
    case AMP_PRIV_HAPPENED_DIFFERS: break;
    }
}

/* The child writes nothing, and none of what its parent has written. */
AMP_PRIV_COLD void amp_priv_trace_fork(int step)
{
    if (step == 0)
        amp_priv_lock(&amp_priv_trace.lock);
    if (step == 0 && amp_priv_trace.file)
        fflush(amp_priv_trace.file);
    if (step == 2) {
        atomic_store(&amp_priv_trace.on, 0);
        amp_priv_hook_remove(AMP_PRIV_HOOK_TRACE);
    }
    if (step == 1)
        amp_priv_unlock(&amp_priv_trace.lock);
}

static const amp_priv_hook amp_priv_trace_hook = { .begin = amp_priv_trace_launch_begin,
                                                   .end = amp_priv_trace_launch_end,
                                                   .happened = amp_priv_trace_happened,
                                                   .fork = amp_priv_trace_fork };

/* // >>begin: before main, so that it costs nothing later. */

AMP_PRIV_COLD void amp_priv_trace_add(int on)
{
    if (!atomic_fetch_or(&amp_priv_trace.on, on)) {
        amp_priv_trace.process = amp_priv_process_number();
        amp_priv_trace.start = amp_priv_now();
        atexit(amp_priv_trace_end);
        amp_priv_end_trace = amp_priv_trace_end;
        (void)amp_priv_same_build(); /* that is code of this library */
        amp_priv_hook_add(AMP_PRIV_HOOK_TRACE, &amp_priv_trace_hook);
    }
}

/* Another module reads what a trace shows. */
AMP_PRIV_COLD void amp_priv_trace_read(const amp_priv_trace_reader *reader)
{
    amp_priv_trace.reader = reader;
    amp_priv_trace_add(AMP_PRIV_TRACE_READER);
}

/* Each file of a program tries. */
AMP_PRIV_AT_START void amp_priv_trace_start(void)
{
    if (atomic_exchange(&amp_priv_trace.asked, true))
        return;
    const char *const path = amp_priv_environment("AMP_TRACE"), *const profile = amp_priv_environment("AMP_PROFILE");
    int on = profile && profile[0] && strcmp(profile, "0") ? AMP_PRIV_TRACE_TABLES : 0;
    if (path && path[0]) {
        amp_priv_trace.file = amp_priv_file_text(path, false);
        if (amp_priv_trace.file) {
            on |= AMP_PRIV_TRACE_FILE;
            fputc('[', amp_priv_trace.file);
            amp_priv_trace_name_row(AMP_PRIV_TRACE_HOST, 0, "host");
            amp_priv_trace_name_row(AMP_PRIV_TRACE_QUEUES, 0, "queues");
        } else {
            fprintf(stderr, "amp: warning: AMP_TRACE: %s cannot be written\n", path);
        }
    }
    if (on)
        amp_priv_trace_add(on);
}

#endif /* AMP_TRACE_TRACE_H */
