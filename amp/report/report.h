/* SPDX-License-Identifier: MIT */
/*  amp/report/report.h - AMP_REPORT and AMP_PROGRESS: a page that shows what the program did, and a line while it runs

    Hooks: begin, end, happened, fork; it reads what traces show. Registered before main, where one of these variables
    is set. amp.h includes it where AMP_TOOLS is defined.

    Contents (search for the tag):
        >>pictures  >>progress  >>hooks  >>begin */
#ifndef AMP_REPORT_REPORT_H
#define AMP_REPORT_REPORT_H

#include "../api/report.h"
#include "../codegen/fields.h"
#include "peak.h"
#include "write.h"

/* // >>pictures */

enum { AMP_PRIV_PAGE_SIDE = 1024, AMP_PRIV_PAGE_IMAGE_SIDE = 256, AMP_PRIV_PAGE_NONE = 255 };

/* Is the element one number? */
AMP_PRIV_COLD bool amp_priv_page_is_number(const amp_priv_element *element, amp_priv_field *field)
{
    const amp_priv_launch_site nowhere = { .text = NULL };
    amp_priv_fields fields;
    amp_priv_fields_of(&fields, &nowhere, element);
    *field = fields.field[0];
    return fields.count == 1 && field->kind != AMP_PRIV_FIELD_BYTES;
}

AMP_PRIV_COLD double amp_priv_page_number(const amp_priv_field *field, const char *at)
{
    if (field->kind >= AMP_PRIV_FIELD_FLOAT)
        return amp_priv_field_value(field->kind, at);
    const uint64_t bits = amp_priv_field_bits(field, at), sign = UINT64_C(1) << (8 * field->size - 1);
    return field->kind == AMP_PRIV_FIELD_SIGNED ? (double)(int64_t)((bits ^ sign) - sign) : (double)bits;
}

/* Older pictures are dropped for a new one: every second one goes. */
AMP_PRIV_COLD void amp_priv_page_drop_pictures(void)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    int kept = 0;
    for (int i = 0; i < state->picture_count; i++) {
        const amp_priv_page_picture picture = state->pictures[i];
        if (i % 2) {
            state->pixel_bytes -= (size_t)picture.rows * (size_t)picture.columns;
            free(picture.pixels);
        } else {
            state->pictures[kept++] = picture;
        }
    }
    state->picture_count = kept;
}

/* Samples a view whose contents are on the host. False: its elements are no numbers, or there is no memory. */
AMP_PRIV_COLD bool amp_priv_page_draw(amp_priv_page_picture *picture, const amp_priv_shape *shape,
                                      const amp_priv_element *element)
{
    const int rows = shape->rank == 2 ? shape->extent[0] : 1, columns = shape->extent[shape->rank - 1];
    const size_t count = (size_t)picture->rows * (size_t)picture->columns;
    double *const values = malloc(count * sizeof *values);
    picture->pixels = malloc(count);
    amp_priv_field number;
    const bool good = amp_priv_page_is_number(element, &number) && values && picture->pixels;
    double least = 0, most = 0;
    bool any = false;
    for (size_t n = 0; n < count && good; n++) {
        const int row = (int)((int64_t)(n / (size_t)picture->columns) * rows / picture->rows),
                  column = (int)((int64_t)(n % (size_t)picture->columns) * columns / picture->columns);
        const amp_priv_offset offset =
            column * shape->stride[shape->rank - 1] + (shape->rank == 2 ? row * shape->stride[0] : 0);
        values[n] = amp_priv_page_number(&number, shape->data + offset * (amp_priv_offset)shape->element_size);
        if (values[n] - values[n] == 0) {
            least = !any || values[n] < least ? values[n] : least;
            most = !any || values[n] > most ? values[n] : most;
            any = true;
        }
    }
    for (size_t n = 0; n < count && good; n++)
        picture->pixels[n] = values[n] - values[n] != 0 ? AMP_PRIV_PAGE_NONE
                             : most > least ? (unsigned char)(254 * ((values[n] - least) / (most - least)) + 0.5)
                                            : 127;
    picture->least = least;
    picture->most = most;
    free(values);
    if (!good)
        free(picture->pixels);
    return good;
}

AMP_PRIV_COLD amp_status amp_priv_page_take(const char *name, const amp_priv_head *head)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_page_picture picture = { .time = amp_priv_page_since(amp_priv_now()) };
    if (shape.rank > 2)
        return amp_priv_report(AMP_INVALID_ARGUMENT,
                               "amp_report_view(\"%s\", ...): a view of rank %d; pictures are of rank 1 or 2: "
                               "take a section or a projection of it",
                               name, shape.rank);
    const int side = shape.rank == 2 ? AMP_PRIV_PAGE_IMAGE_SIDE : AMP_PRIV_PAGE_SIDE;
    picture.columns = shape.extent[shape.rank - 1] < side ? shape.extent[shape.rank - 1] : side;
    picture.rows = shape.rank == 1 ? 1 : shape.extent[0] < side ? shape.extent[0] : side;
    amp_priv_source_lock(head->source);
    const amp_status status = amp_priv_acquire_host(head->source, &shape, AMP_PRIV_READ);
    const bool good = status == AMP_OK && amp_priv_page_draw(&picture, &shape, head->element);
    amp_priv_source_unlock(head->source);
    if (!good)
        return status != AMP_OK ? status
                                : amp_priv_report(AMP_INVALID_ARGUMENT,
                                                  "amp_report_view(\"%s\", ...): elements of type %s are no numbers",
                                                  name, head->element->name);
    snprintf(picture.name, sizeof picture.name, "%s", name);
    amp_priv_list(picture.shape, sizeof picture.shape, shape.extent, shape.rank);
    const size_t bytes = (size_t)picture.rows * (size_t)picture.columns;
    amp_priv_lock(&state->lock);
    while (state->pixel_bytes + bytes > AMP_PRIV_PAGE_PIXELS && state->picture_count > 1)
        amp_priv_page_drop_pictures();
    if (amp_priv_list_reserve(&state->pictures, &state->picture_capacity, state->picture_count + 1,
                              sizeof *state->pictures, NULL)) {
        state->pictures[state->picture_count++] = picture;
        state->pixel_bytes += bytes;
    } else {
        free(picture.pixels);
    }
    amp_priv_unlock(&state->lock);
    return AMP_OK;
}

AMP_PRIV_API amp_status amp_priv_page_view(const char *name, const amp_priv_head *head)
{
    if (!amp_priv_page_now || !amp_priv_page_now->file)
        return AMP_OK;
    if (!amp_priv_head_ready(head, "amp_report_view") || !amp_priv_host_may(head, "amp_report_view"))
        return amp_priv_failed();
    amp_priv_page_itself = true;
    const amp_status status = amp_priv_page_take(name, head);
    amp_priv_page_itself = false;
    return status;
}

/* // >>progress: with the lock held */

enum { AMP_PRIV_PAGE_SECOND = 1000000000 };

AMP_PRIV_COLD void amp_priv_page_progress(void)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    const uint64_t now = amp_priv_now();
    if (!state->progress || now - state->printed < AMP_PRIV_PAGE_SECOND)
        return;
    const double all = (double)(now - state->start);
    state->printed = now;
    state->line = true;
    fprintf(stderr, "\r\033[Kamp: %.0f s: %" PRIu64 " kernels, %.0f %% of the time; transfers %.0f %%", 1e-9 * all,
            state->launches, 100 * (double)state->kernel_time / all, 100 * (double)state->transfer_time / all);
    fflush(stderr);
}

/* // >>hooks */

AMP_PRIV_COLD amp_priv_outcome amp_priv_page_begin(amp_priv_launch *launch)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (state->file)
        amp_priv_profile_each(launch->queue, amp_priv_page_arithmetic);
    amp_priv_page_launch = launch->site;
    amp_priv_read_at(NULL, 0);
    amp_priv_lock(&state->lock);
    amp_priv_page_launched(launch);
    amp_priv_page_writes(launch);
    amp_priv_page_progress();
    amp_priv_unlock(&state->lock);
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_page_end(amp_priv_launch *launch, amp_status status)
{
    (void)launch, (void)status;
    amp_priv_page_launch = NULL;
    return AMP_PRIV_STEP_RUN;
}

/* What is enqueued is shown by the traces when it is done. */
AMP_PRIV_COLD void amp_priv_page_happened(const amp_priv_happening *what)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    if (amp_priv_page_itself)
        return;
    amp_priv_lock(&state->lock);
    switch (what->kind) {
    case AMP_PRIV_HAPPENED_BUILT: amp_priv_page_built(what); break;
    case AMP_PRIV_HAPPENED_MOVED: amp_priv_page_moved(what); break;
    case AMP_PRIV_HAPPENED_DIFFERS: amp_priv_page_differs(what); break;
    case AMP_PRIV_HAPPENED_BUFFER:
        if (what->bytes)
            amp_priv_page_buffer_opened(what);
        else
            amp_priv_page_buffer_freed(what->buffer);
        break;
    case AMP_PRIV_HAPPENED_OPENED:
    case AMP_PRIV_HAPPENED_WAITED:
    case AMP_PRIV_HAPPENED_ENQUEUED: break;
    }
    amp_priv_unlock(&state->lock);
}

/* The child reports nothing. */
AMP_PRIV_COLD void amp_priv_page_fork(int step)
{
    if (step == 0)
        amp_priv_lock(&amp_priv_page_now->lock);
    else
        amp_priv_unlock(&amp_priv_page_now->lock);
    if (step == 2)
        amp_priv_hook_remove(AMP_PRIV_HOOK_REPORT);
}

static const amp_priv_hook amp_priv_page_hook = { .begin = amp_priv_page_begin,
                                                  .end = amp_priv_page_end,
                                                  .happened = amp_priv_page_happened,
                                                  .fork = amp_priv_page_fork };

/* The traces' reader: the program ends. */
AMP_PRIV_COLD void amp_priv_page_finish(void)
{
    amp_priv_page_state *const state = amp_priv_page_now;
    amp_priv_hook_remove(AMP_PRIV_HOOK_REPORT);
    amp_priv_lock(&state->lock);
    if (state->line)
        fputs("\r\033[K", stderr);
    if (state->file) {
        const bool good = amp_priv_page_write(state->file);
        if (fclose(state->file) != 0 || !good)
            fprintf(stderr, "amp: warning: AMP_REPORT: %s could not be written\n", state->path);
        state->file = NULL;
    }
    amp_priv_unlock(&state->lock);
}

static const amp_priv_trace_reader amp_priv_page_reader = { amp_priv_page_shown, amp_priv_page_finish };

/* // >>begin: before main, so that it costs nothing later. */

/* The number of this process among those that mpirun has started, and how many there are. */
AMP_PRIV_COLD void amp_priv_page_ranks(amp_priv_page_state *state)
{
    static const char *const names[][2] = { { "PMI_RANK", "PMI_SIZE" },
                                            { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE" },
                                            { "PMIX_RANK", "SLURM_NTASKS" } };
    state->ranks = 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *const rank = amp_priv_environment(names[i][0]), *const ranks = amp_priv_environment(names[i][1]);
        if (!rank || !ranks || atoi(ranks) < 2)
            continue;
        state->rank = atoi(rank);
        state->ranks = atoi(ranks);
        return;
    }
}

/* "run.html" is of all ranks; that of rank 3 alone is "run.3.html". */
AMP_PRIV_COLD void amp_priv_page_path(char *out, size_t size, const char *path, int rank)
{
    const char *const slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash))
        dot = path + strlen(path);
    snprintf(out, size, "%.*s.%d%s", (int)(dot - path), path, rank, dot);
}

/* The page that links those of the ranks. False: it cannot be written. */
AMP_PRIV_COLD bool amp_priv_page_first_page(const char *path, int ranks)
{
    FILE *const file = amp_priv_file_text(path, false);
    if (!file)
        return false;
    for (size_t i = 0; i < sizeof amp_priv_page_head / sizeof amp_priv_page_head[0]; i++)
        fputs(amp_priv_page_head[i], file);
    fprintf(file, "<main><h1>Report of %d ranks</h1><ul id=\"ranks\">\n", ranks);
    for (int rank = 0; rank < ranks; rank++) {
        char other[1024];
        amp_priv_page_path(other, sizeof other, path, rank);
        const char *const slash = strrchr(other, '/');
        fputs("<li><a href=\"", file);
        for (const unsigned char *c = (const unsigned char *)(slash ? slash + 1 : other); *c; c++)
            fprintf(file, "%%%02x", *c);
        fprintf(file, "\">rank %d</a></li>\n", rank);
    }
    fputs("</ul></main>\n", file);
    return fclose(file) == 0;
}

AMP_PRIV_COLD bool amp_priv_page_open(amp_priv_page_state *state, const char *path)
{
    bool good = true;
    amp_priv_page_ranks(state);
    snprintf(state->path, sizeof state->path, "%s", path);
    if (state->ranks > 1) {
        good = state->rank != 0 || amp_priv_page_first_page(path, state->ranks);
        amp_priv_page_path(state->path, sizeof state->path, path, state->rank);
    }
    state->file = good ? amp_priv_file_text(state->path, false) : NULL;
    if (!state->file)
        fprintf(stderr, "amp: warning: AMP_REPORT: %s cannot be written\n", state->path);
    return state->file != NULL;
}

AMP_PRIV_GLOBAL(atomic_bool, amp_priv_page_asked)

/* Each file of a program tries. */
AMP_PRIV_AT_START void amp_priv_page_start(void)
{
    const char *const path = amp_priv_environment("AMP_REPORT"), *const progress = amp_priv_environment("AMP_PROGRESS");
    const bool prints = progress && !strcmp(progress, "1") && amp_priv_errors_on_terminal();
    if (!((path && path[0]) || prints) || atomic_exchange(&amp_priv_page_asked, true))
        return;
    amp_priv_page_state *const state = calloc(1, sizeof *state);
    if (!state)
        return;
    if (!(path && path[0] && amp_priv_page_open(state, path)) && !prints) {
        free(state);
        return;
    }
    amp_priv_mutex_init(&state->lock);
    state->progress = prints;
    state->start = state->printed = amp_priv_now();
    amp_priv_date(state->date, sizeof state->date);
    if (state->file)
        state->events = malloc(AMP_PRIV_PAGE_EVENTS * sizeof *state->events);
    amp_priv_page_now = state;
    amp_priv_trace_read(&amp_priv_page_reader);
    amp_priv_hook_add(AMP_PRIV_HOOK_REPORT, &amp_priv_page_hook);
    amp_priv_process_ends_by(amp_priv_trace_end);
}

#endif /* AMP_REPORT_REPORT_H */
