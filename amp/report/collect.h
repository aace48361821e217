/* SPDX-License-Identifier: MIT */
/*  amp/report/collect.h - what a report shows, in bounded memory

    Events of the timeline are kept exactly until there are too many. Then the older ones that lie closest to each other
    are summed up, so that the whole program stays visible. Counts and times of kernels and transfers stay exact.

    Contents (search for the tag):
        >>state  >>names  >>events  >>transfers  >>memory  >>builds */
#ifndef AMP_REPORT_COLLECT_H
#define AMP_REPORT_COLLECT_H

#include "../codegen/build_log.h"
#include "../trace/trace.h"
#include "operations.h"

/* // >>state */

enum {
    AMP_PRIV_PAGE_EVENTS = 1 << 15,
    AMP_PRIV_PAGE_LANES = 48,
    AMP_PRIV_PAGE_NAMES = 1024,
    AMP_PRIV_PAGE_TRANSFERS = 512,
    AMP_PRIV_PAGE_SAMPLES = 4096,
    AMP_PRIV_PAGE_BUILDS = 512,
    AMP_PRIV_PAGE_TEXT = 1 << 20,   /* bytes of all generated programs */
    AMP_PRIV_PAGE_PIXELS = 1 << 20, /* bytes of all pictures */
    AMP_PRIV_PAGE_DIFFERENCES = 32
};

typedef enum amp_priv_page_kind {
    AMP_PRIV_PAGE_KERNEL,
    AMP_PRIV_PAGE_LAUNCH,
    AMP_PRIV_PAGE_TO_DEVICE,
    AMP_PRIV_PAGE_TO_HOST,
    AMP_PRIV_PAGE_COPY,
    AMP_PRIV_PAGE_WAIT,
    AMP_PRIV_PAGE_COMPILE,
    AMP_PRIV_PAGE_KINDS
} amp_priv_page_kind;

/* Something that took time; or several, one after the other, of which it has the name of the longest. */
typedef struct amp_priv_page_event {
    uint64_t begin, end, busy, bytes;
    unsigned count;
    unsigned short name;
    unsigned char kind, lane;
    int rows[2]; /* of a band of a launch on a group; 0 and 0: of none */
} amp_priv_page_event;

typedef struct amp_priv_page_lane {
    bool is_host;
    int row;
    const amp_priv_device *device;
} amp_priv_page_lane;

typedef struct amp_priv_page_name {
    const char *text;
    const amp_priv_launch_site *site;
} amp_priv_page_name;

/* What was moved of the sources first captured by that name in that function, in one direction. cause: the launch that
   needed it on a device, or the one that wrote what the host then read; NULL: not known. The host read it in that line
   of the file; NULL: not known, or a launch needed it. */
typedef struct amp_priv_page_transfer {
    const char *name, *function, *file;
    const amp_priv_launch_site *cause;
    int line;
    bool to_device;
    uint64_t count, bytes, time;
} amp_priv_page_transfer;

typedef struct amp_priv_page_writer {
    const char *name, *function;
    const amp_priv_launch_site *site;
} amp_priv_page_writer;

typedef struct amp_priv_page_kernel {
    const amp_priv_launch_site *site;
    amp_priv_page_operations operations; /* of a thread, at the first launch */
} amp_priv_page_kernel;

typedef struct amp_priv_page_buffer {
    const void *buffer;
    uint64_t bytes;
    int device;
} amp_priv_page_buffer;

typedef struct amp_priv_page_sample {
    uint64_t time, bytes;
    int device;
} amp_priv_page_sample;

typedef struct amp_priv_page_build {
    const amp_priv_launch_site *site;
    const amp_priv_device *device;
    const char *how;
    char *text; /* NULL: it was too long to be kept */
    uint64_t begin, time;
} amp_priv_page_build;

/* A view at a moment, as numbers from 0 (the least) to 254; 255 is none. */
typedef struct amp_priv_page_picture {
    char name[64], shape[64];
    uint64_t time;
    int rows, columns;
    double least, most;
    unsigned char *pixels;
} amp_priv_page_picture;

typedef struct amp_priv_page_difference {
    const amp_priv_launch_site *site;
    const char *name;
    char text[600], shape[64];
    amp_priv_view_differs map;
} amp_priv_page_difference;

typedef struct amp_priv_page_state {
    bool progress;
    amp_priv_mutex lock; /* for what follows; taken after amp_priv_trace.lock */
    FILE *file;
    char path[1024];
    int rank, ranks; /* of a program run by mpirun; 0, 1 */
    char date[32];
    uint64_t start;
    amp_priv_page_event *events;
    int event_count;
    uint64_t summed; /* events that became part of another one */
    uint64_t resolution;
    int lane_count, name_count, transfer_count, writer_count, sample_count, build_count;
    amp_priv_page_lane lanes[AMP_PRIV_PAGE_LANES];
    amp_priv_page_name names[AMP_PRIV_PAGE_NAMES];
    amp_priv_page_transfer transfers[AMP_PRIV_PAGE_TRANSFERS];
    amp_priv_page_writer writers[AMP_PRIV_PAGE_TRANSFERS];
    amp_priv_page_kernel kernels[AMP_PRIV_PAGE_NAMES];
    int kernel_count;
    amp_priv_page_buffer *buffers;
    int buffer_count, buffer_capacity;
    uint64_t memory[AMP_PRIV_MAX_DEVICES], peak[AMP_PRIV_MAX_DEVICES];
    double arithmetic[AMP_PRIV_MAX_DEVICES]; /* operations of float a nanosecond; 0: not measured, less: not known */
    amp_priv_page_sample samples[AMP_PRIV_PAGE_SAMPLES];
    amp_priv_page_build builds[AMP_PRIV_PAGE_BUILDS];
    uint64_t builds_lost;
    size_t text_bytes, pixel_bytes;
    amp_priv_page_picture *pictures;
    int picture_count, picture_capacity;
    amp_priv_page_difference *differences;
    int difference_count, difference_capacity;
    uint64_t differences_lost;
    /* what AMP_PROGRESS prints */
    uint64_t launches, kernel_time, transfer_time, printed;
    bool line; /* is one on the terminal? */
} amp_priv_page_state;

AMP_PRIV_GLOBAL(amp_priv_page_state *, amp_priv_page_now) /* NULL: there is no report */

/* The launch that this thread is about to submit, and whether it works for the report itself. */
AMP_PRIV_GLOBAL_THREAD(const amp_priv_launch_site *, amp_priv_page_launch)
AMP_PRIV_GLOBAL_THREAD(bool, amp_priv_page_itself)

static inline uint64_t amp_priv_page_since(uint64_t time)
{
    return time > amp_priv_page_now->start ? time - amp_priv_page_now->start : 0;
}

/* // >>names: the lock is held from here on, but for hooks. */

/* The number of a name; the last one stands for those for which there is no more place. */
AMP_PRIV_COLD int amp_priv_page_name_of(const char *text, const amp_priv_launch_site *site)
{
    static const char others[] = "(others)";
    amp_priv_page_state *const state = amp_priv_page_now;
    for (int i = 0; i < state->name_count; i++)
        if (state->names[i].text == text && state->names[i].site == site)
            return i;
    const bool has_room = state->name_count < AMP_PRIV_PAGE_NAMES - 1;
    if (has_room || state->name_count < AMP_PRIV_PAGE_NAMES)
        state->names[state->name_count++] = (amp_priv_page_name){ has_room ? text : others, has_room ? site : NULL };
    return state->name_count - 1;
}

AMP_PRIV_COLD int amp_priv_page_lane_of(const amp_priv_trace_item *item)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    int i = 0;
    while (i < state->lane_count && (state->lanes[i].row != item->row || state->lanes[i].is_host != item->is_host))
        i++;
    if (i == AMP_PRIV_PAGE_LANES)
        return i - 1;
    if (i == state->lane_count)
        state->lanes[state->lane_count++] = (amp_priv_page_lane){ item->is_host, item->row, item->device };
    return i;
}

/* // >>events */

AMP_PRIV_COLD void amp_priv_page_join(amp_priv_page_event *to, const amp_priv_page_event *from)
{
    if (from->busy > to->busy / to->count) {
        to->name = from->name;
        to->kind = from->kind;
        memcpy(to->rows, from->rows, sizeof to->rows);
    }
    to->begin = from->begin < to->begin ? from->begin : to->begin;
    to->end = from->end > to->end ? from->end : to->end;
    to->busy += from->busy;
    to->bytes += from->bytes;
    to->count += from->count;
}

/* Sums up neighbours in a lane that lie within `resolution`, of the first `old` events. */
AMP_PRIV_COLD void amp_priv_page_thin(int old)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    int last[AMP_PRIV_PAGE_LANES], kept = 0;
    memset(last, -1, sizeof last);
    for (int i = 0; i < state->event_count; i++) {
        const amp_priv_page_event event = state->events[i];
        amp_priv_page_event *const before = last[event.lane] >= 0 ? &state->events[last[event.lane]] : NULL;
        if (i < old && before && event.end > before->begin && event.end - before->begin <= state->resolution) {
            amp_priv_page_join(before, &event);
            state->summed++;
        } else {
            last[event.lane] = kept;
            state->events[kept++] = event;
        }
    }
    state->event_count = kept;
}

/* Frees half of the events: the last quarter stays exact while the older ones can be summed up. */
AMP_PRIV_COLD void amp_priv_page_make_room(void)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    const uint64_t finest = (amp_priv_now() - state->start) / AMP_PRIV_PAGE_EVENTS;
    state->resolution = finest > state->resolution ? finest : state->resolution;
    for (int tries = 0; state->event_count > AMP_PRIV_PAGE_EVENTS / 2 && tries < 64; tries++) {
        amp_priv_page_thin(tries < 8 ? AMP_PRIV_PAGE_EVENTS / 4 * 3 : state->event_count);
        if (state->event_count > AMP_PRIV_PAGE_EVENTS / 2)
            state->resolution = 2 * state->resolution + 1;
    }
}

AMP_PRIV_COLD amp_priv_page_kind amp_priv_page_kind_of(const amp_priv_trace_item *item)
{
    switch (item->category[0]) {
    case 'k': return AMP_PRIV_PAGE_KERNEL;
    case 'l': return AMP_PRIV_PAGE_LAUNCH;
    case 'w': return AMP_PRIV_PAGE_WAIT;
    case 'c': return AMP_PRIV_PAGE_COMPILE;
    default: break;
    }
    const char *const what = item->is_host ? item->verb : item->name;
    return !strncmp(what, "to device", 9) ? AMP_PRIV_PAGE_TO_DEVICE
           : !strncmp(what, "to host", 7) ? AMP_PRIV_PAGE_TO_HOST
                                          : AMP_PRIV_PAGE_COPY;
}

/* The traces' reader. */
AMP_PRIV_COLD void amp_priv_page_shown(const amp_priv_trace_item *item)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (amp_priv_page_itself)
        return;
    amp_priv_lock(&state->lock);
    const amp_priv_page_kind kind = amp_priv_page_kind_of(item);
    const uint64_t time = item->end > item->begin ? item->end - item->begin : 0;
    if (kind == AMP_PRIV_PAGE_KERNEL) {
        state->launches++;
        state->kernel_time += time;
    } else if (item->is_host && (kind == AMP_PRIV_PAGE_TO_DEVICE || kind == AMP_PRIV_PAGE_TO_HOST)) {
        state->transfer_time += time;
    }
    if (state->events) {
        if (state->event_count == AMP_PRIV_PAGE_EVENTS)
            amp_priv_page_make_room();
        state->events[state->event_count++] =
            (amp_priv_page_event){ .begin = amp_priv_page_since(item->begin),
                                   .end = amp_priv_page_since(item->begin) + time,
                                   .busy = time,
                                   .bytes = kind == AMP_PRIV_PAGE_KERNEL ? 0 : item->bytes,
                                   .count = 1,
                                   .name = (unsigned short)amp_priv_page_name_of(item->name, item->site),
                                   .kind = (unsigned char)kind,
                                   .lane = (unsigned char)amp_priv_page_lane_of(item),
                                   .rows = { item->rows ? item->rows[0] : 0, item->rows ? item->rows[1] : 0 } };
    }
    amp_priv_unlock(&state->lock);
}

/* // >>transfers */

AMP_PRIV_COLD amp_priv_page_writer *amp_priv_page_writer_of(const char *name, const char *function)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    for (int i = 0; i < state->writer_count; i++)
        if (state->writers[i].name == name && state->writers[i].function == function)
            return &state->writers[i];
    if (state->writer_count == AMP_PRIV_PAGE_TRANSFERS)
        return NULL;
    state->writers[state->writer_count] = (amp_priv_page_writer){ name, function, NULL };
    return &state->writers[state->writer_count++];
}

/* The same view, cause and direction? A file's name may be in several places. */
AMP_PRIV_COLD bool amp_priv_page_transfer_is(const amp_priv_page_transfer *a, const amp_priv_page_transfer *b)
{
    const bool same_file = a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file));
    return a->name == b->name && a->function == b->function && a->cause == b->cause && a->line == b->line &&
           a->to_device == b->to_device && same_file;
}

AMP_PRIV_COLD void amp_priv_page_moved(const amp_priv_happening *what)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    const char *const name = what->name ? what->name : "(never captured)";
    const char *const function = what->name && what->detail ? what->detail : "";
    const amp_priv_page_writer *const writer = amp_priv_page_writer_of(name, function);
    const amp_priv_launch_site *const cause = amp_priv_page_launch         ? amp_priv_page_launch
                                              : !what->to_device && writer ? writer->site
                                                                           : NULL;
    const bool by_host = !what->to_device && !amp_priv_page_launch;
    const amp_priv_page_transfer this = { .name = name,
                                          .function = function,
                                          .file = by_host ? what->file : NULL,
                                          .cause = cause,
                                          .line = by_host ? what->line : 0,
                                          .to_device = what->to_device };
    int i = 0;
    while (i < state->transfer_count && !amp_priv_page_transfer_is(&state->transfers[i], &this))
        i++;
    if (i == AMP_PRIV_PAGE_TRANSFERS)
        return;
    amp_priv_page_transfer *const transfer = &state->transfers[i];
    if (i == state->transfer_count) {
        state->transfer_count++;
        *transfer = this;
    }
    transfer->count++;
    transfer->bytes += what->bytes;
    transfer->time += amp_priv_now() - what->began;
}

/* Which launch writes what. */
AMP_PRIV_COLD void amp_priv_page_writes(const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = amp_priv_launch_head(launch, i);
        if (!head || head->kind == AMP_PRIV_CONST_VIEW || !(launch->site->writes >> i & 1u))
            continue;
        amp_priv_page_writer *const writer =
            amp_priv_page_writer_of(atomic_load_explicit(&head->source->name, memory_order_relaxed),
                                    atomic_load_explicit(&head->source->function, memory_order_relaxed));
        if (writer)
            writer->site = launch->site;
    }
}

/* What is known of a site; NULL: it was not launched, or there is no more place. */
AMP_PRIV_COLD const amp_priv_page_kernel *amp_priv_page_kernel_of(const amp_priv_launch_site *site)
{
    const amp_priv_page_state *const state = amp_priv_page_now;
    for (int i = 0; i < state->kernel_count; i++)
        if (state->kernels[i].site == site)
            return &state->kernels[i];
    return NULL;
}

AMP_PRIV_COLD void amp_priv_page_launched(const amp_priv_launch *launch)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (state->file && !amp_priv_page_kernel_of(launch->site) && state->kernel_count < AMP_PRIV_PAGE_NAMES)
        state->kernels[state->kernel_count++] =
            (amp_priv_page_kernel){ launch->site, amp_priv_page_operations_of(launch) };
}

/* // >>memory */

AMP_PRIV_COLD void amp_priv_page_sampled(int device)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (state->sample_count == AMP_PRIV_PAGE_SAMPLES) {
        for (int i = 1; i < AMP_PRIV_PAGE_SAMPLES; i += 2)
            state->samples[i / 2] = state->samples[i];
        state->sample_count /= 2;
    }
    state->samples[state->sample_count++] =
        (amp_priv_page_sample){ amp_priv_page_since(amp_priv_now()), state->memory[device], device };
}

AMP_PRIV_COLD void amp_priv_page_buffer_freed(const void *buffer)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    for (int i = state->buffer_count - 1; i >= 0; i--)
        if (state->buffers[i].buffer == buffer) {
            const amp_priv_page_buffer old = state->buffers[i];
            state->buffers[i] = state->buffers[--state->buffer_count];
            state->memory[old.device] -= old.bytes;
            amp_priv_page_sampled(old.device);
            return;
        }
}

AMP_PRIV_COLD void amp_priv_page_buffer_opened(const amp_priv_happening *what)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    const int device = what->device->number;
    if (!amp_priv_list_reserve(&state->buffers, &state->buffer_capacity, state->buffer_count + 1,
                               sizeof *state->buffers, NULL))
        return;
    state->buffers[state->buffer_count++] = (amp_priv_page_buffer){ what->buffer, what->bytes, device };
    state->memory[device] += what->bytes;
    if (state->memory[device] > state->peak[device])
        state->peak[device] = state->memory[device];
    amp_priv_page_sampled(device);
}

/* // >>builds */

AMP_PRIV_COLD void amp_priv_page_built(const amp_priv_happening *what)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (state->build_count == AMP_PRIV_PAGE_BUILDS) {
        state->builds_lost++;
        return;
    }
    amp_priv_string listing = { NULL, 0, 0, false };
    amp_priv_add_listing(&listing, what->text ? what->text : "");
    if (state->text_bytes + listing.length > AMP_PRIV_PAGE_TEXT) {
        free(listing.text);
        listing = (amp_priv_string){ NULL, 0, 0, false };
    }
    state->text_bytes += listing.length;
    state->builds[state->build_count++] = (amp_priv_page_build){ .site = what->site,
                                                                 .device = what->device,
                                                                 .how = what->detail,
                                                                 .text = listing.text,
                                                                 .begin = amp_priv_page_since(what->began),
                                                                 .time = amp_priv_now() - what->began };
}

AMP_PRIV_COLD void amp_priv_page_differs(const amp_priv_happening *what)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (state->difference_count == AMP_PRIV_PAGE_DIFFERENCES ||
        !amp_priv_list_reserve(&state->differences, &state->difference_capacity, state->difference_count + 1,
                               sizeof *state->differences, NULL)) {
        state->differences_lost++;
        return;
    }
    amp_priv_page_difference *const d = &state->differences[state->difference_count++];
    d->site = what->site;
    d->name = what->name;
    d->map = *what->difference;
    snprintf(d->text, sizeof d->text, "%s", what->detail);
    amp_priv_list(d->shape, sizeof d->shape, d->map.extent, d->map.rank);
}

#endif /* AMP_REPORT_COLLECT_H */
