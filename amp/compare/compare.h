/* SPDX-License-Identifier: MIT */
/*  amp/compare/compare.h - AMP_COMPARE: runs a launch twice, from the same inputs, and compares the results

    Hooks: begin, end. Registered before main, where AMP_COMPARE is set, or in checked builds AMP_BREAK_AT. amp.h
    includes it for builds with devices, where AMP_TOOLS is defined.

    The first run is the program's own. Before it, the library copies what the kernel may write. The second run works on
    that copy: by the loops of the launch's macro, with redirected views, or by another launch on a device.

    Contents (search for the tag):
        >>target  >>begin  >>second  >>results  >>reads  >>end  >>hooks */
#ifndef AMP_COMPARE_COMPARE_H
#define AMP_COMPARE_COMPARE_H

#include "../checked/debug.h"
#include "compare_memory.h"
#include "../launch/kernel_launch.h"

/* // >>target */

/* Divides "TARGET" or "TARGET:FUNCTIONS"; a path of an accelerator has colons, too. */
AMP_PRIV_COLD void amp_priv_compare_parse(void)
{
    amp_priv_compare_state *const state = &amp_priv_comparisons;
    char name[sizeof amp_priv_compare.wanted];
#if defined(AMP_CHECKED)
    amp_priv_break_read(); /* also where no launch runs on the CPU: then that is reported at the end */
#endif
    snprintf(name, sizeof name, "%s", amp_priv_compare.wanted);
    char *const colon = strrchr(name, ':');
    const bool is_path = amp_priv_device_of_path(name) != NULL;
    if (colon && !is_path) {
        *colon = '\0';
        snprintf(state->functions, sizeof state->functions, "%s", colon + 1);
    }
    state->is_cpu = !strcmp(name, "cpu");
    state->is_self = !strcmp(name, "self");
    if (!state->is_cpu && !state->is_self)
        state->target = amp_priv_device_named(name);
    if (state->target && amp_priv_is_host(state->target->number)) {
        state->is_cpu = true;
        state->target = NULL;
    }
    if (!state->is_cpu && !state->is_self && !state->target) {
        char all[4096];
        fprintf(
            stderr,
            "amp: warning: AMP_COMPARE is \"%s\"; it can be cpu, self, or an accelerator, and a colon and the name of "
            "a function: cpu:blur, self:blur*; the accelerators are %s\n",
            amp_priv_compare.wanted, amp_priv_devices_text(all, sizeof all));
        atomic_store(&amp_priv_compare.on, false);
        amp_priv_hook_remove(AMP_PRIV_HOOK_COMPARE);
        return;
    }
    state->process = amp_priv_process_number();
    atexit(amp_priv_compare_print);
}

/* The record of a launch's site, if its function is to be compared, and the launch's number; NULL: not this one. */
AMP_PRIV_COLD amp_priv_compare_site *amp_priv_compare_wants(const amp_priv_launch *launch, unsigned *number)
{
    amp_priv_compare_state *const state = &amp_priv_comparisons;
    amp_priv_lock(&state->lock);
    if (!state->is_ready)
        amp_priv_compare_parse();
    state->is_ready = true;
    const bool wanted = amp_priv_compare_is_on() &&
                        (!state->functions[0] || amp_priv_compare_matches(state->functions, launch->site->function));
    amp_priv_compare_site *const record =
        wanted ? amp_priv_compare_site_of(amp_priv_site_in_source(launch->site), launch->captured) : NULL;
    if (record)
        *number = (unsigned)++record->launches;
    amp_priv_unlock(&state->lock);
    return record;
}

/* // >>begin */

/* The queue of the second run; NULL: the CPU backend. False: there is none, for c->reason. */
AMP_PRIV_COLD bool amp_priv_compare_target(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    const amp_priv_compare_state *const state = &amp_priv_comparisons;
    c->was_on_host = amp_priv_is_host(launch->queue->device->number);
    if (c->was_on_host && !state->target)
        return false;
    if (state->is_cpu && launch->site->without_loops)
        c->reason = "it is for devices alone; its file has its loops if compiled with -DAMP_TOOLS";
    if (state->is_cpu)
        return !c->reason;
    c->queue = state->is_self ? launch->queue : amp_priv_device_queue(state->target);
    if (!c->queue)
        c->reason = "the accelerator of AMP_COMPARE cannot be used";
    return c->queue != NULL;
}

/* What the comparison does is no part of what this thread records, which with AMP_COMPARE is nothing. */
typedef struct amp_priv_compare_aside {
    amp_priv_recorder *recorder;
    int error_mode;
    bool in_launch; /* what fails is no failure of the launch */
} amp_priv_compare_aside;

static inline amp_priv_compare_aside amp_priv_compare_aside_begin(int error_mode)
{
    const amp_priv_compare_aside aside = { amp_priv_recording_here, amp_priv_error_mode_begin(error_mode),
                                           amp_priv_last_error.in_launch };
    amp_priv_recording_here = NULL;
    amp_priv_last_error.in_launch = false;
    return aside;
}

static inline void amp_priv_compare_aside_end(amp_priv_compare_aside aside)
{
    amp_priv_error_mode_end(aside.error_mode);
    amp_priv_recording_here = aside.recorder;
    amp_priv_last_error.in_launch = aside.in_launch;
}

/* One more that ran on the CPU, where there is nothing to compare. */
AMP_PRIV_COLD void amp_priv_compare_on_cpu(amp_priv_compare_site *record)
{
    amp_priv_lock(&amp_priv_comparisons.lock);
    record->on_cpu++;
    amp_priv_unlock(&amp_priv_comparisons.lock);
}

/* Copies the inputs of a launch that is about to run. NULL: it is not compared. */
AMP_PRIV_COLD amp_priv_comparison *amp_priv_compare_begin(amp_priv_launch *launch)
{
    unsigned number = 0;
    amp_priv_compare_site *const record = amp_priv_compare_wants(launch, &number);
    amp_priv_comparison *const c = record ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->record = record;
#if defined(AMP_CHECKED)
    c->number = launch->number;
#else
    c->number = number;
#endif
    c->began = amp_priv_now();
    const amp_priv_compare_aside aside = amp_priv_compare_aside_begin(AMP_PRIV_ERRORS_DROPPED);
    const bool has_target = amp_priv_compare_target(c, launch);
    bool good = has_target && amp_priv_compare_heads(c, launch);
    for (int i = 0; good && i < launch->site->capture_count; i++)
        good = !c->head[i] || amp_priv_compare_acquire(c, launch->site, i);
    if (good) {
        amp_priv_compare_choose(c, launch);
        good = amp_priv_compare_allocate(c);
    }
    if (good)
        amp_priv_compare_copy(c, launch);
    amp_priv_compare_aside_end(aside);
    if (good)
        return c;
    if (has_target || c->reason)
        amp_priv_compare_refuse(record, c->reason ? c->reason : "there is no memory for it");
    else
        amp_priv_compare_on_cpu(record);
    amp_priv_compare_free(c);
    return NULL;
}

/* // >>second */

/* Sends the launch's views to the copies: the macro's loops come next. */
AMP_PRIV_COLD void amp_priv_compare_to_cpu(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        if (!c->head[i])
            continue;
        amp_priv_head *const head = launch->captured[i];
        const amp_priv_compare_part *const part = amp_priv_compare_part_of(c, c->head[i]);
        memcpy(head, c->head[i], launch->site->captures[i].size);
        if (part)
            amp_priv_head_set_data(head, amp_priv_compare_in_copy(part, amp_priv_head_data(head)));
        head->source = AMP_PRIV_IN_KERNEL;
        __asm__ volatile("" : : "r"(head) : "memory");
#if defined(AMP_CHECKED)
        head->fault = launch->fault;
        head->capture = c->reads.pass == 0 ? i : ~i;
#endif
    }
}

/* A source on each copy. */
AMP_PRIV_COLD bool amp_priv_compare_twins(amp_priv_comparison *c)
{
    size_t element = 1;
    for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++)
        if (c->head[i])
            element = c->head[i]->element->size;
    for (int i = 0; i < AMP_PRIV_MAX_CAPTURES; i++)
        while (c->head[i] && c->head[i]->element->size % element != 0)
            element--;
    for (int p = 0; p < c->part_count; p++) {
        amp_priv_compare_part *const part = &c->part[p];
        const size_t count = (part->end - part->first + element - 1) / element;
        const int extent = count > INT_MAX ? 0 : (int)count;
        part->twin = extent ? amp_priv_source_new("AMP_COMPARE", part->copy, element, 1, &extent) : NULL;
        if (!part->twin)
            return false;
    }
    return true;
}

/* One more launch of the site, on a device and on the copies. */
AMP_PRIV_COLD amp_status amp_priv_compare_launch(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    void *captured[AMP_PRIV_MAX_CAPTURES + 1];
    amp_priv_launch second = *launch;
    amp_priv_use_list uses;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_compare_part *const part = c->head[i] ? amp_priv_compare_part_of(c, c->head[i]) : NULL;
        captured[i] = c->head[i] ? (void *)c->second[i] : launch->captured[i];
        if (!part)
            continue;
        c->second[i]->source = part->twin;
        c->second[i]->stamp = amp_priv_generation_of(&part->twin->life);
        amp_priv_head_set_data(c->second[i], amp_priv_compare_in_copy(part, amp_priv_head_data(c->head[i])));
    }
    second.captured = captured;
    second.queue = c->queue;
    second.hooks = 0;
    second.partly_submitted = false;
#if defined(AMP_CHECKED)
    amp_priv_fault fault;
    memset(&fault, 0, sizeof fault);
    second.fault = &fault;
#endif
    amp_status status = amp_priv_memory_begin(&second, &uses);
    if (status != AMP_OK)
        return status;
    status = amp_priv_kernel_launch(&second);
    amp_priv_memory_end(&second, &uses, status);
    for (int i = 0; i < launch->site->capture_count && status == AMP_OK; i++) {
        if (!c->head[i] || c->head[i]->kind == AMP_PRIV_CONST_VIEW || !amp_priv_compare_part_of(c, c->head[i]))
            continue;
        status = amp_priv_host_acquire(c->second[i]) ? AMP_OK : AMP_RUNTIME_ERROR;
    }
    return status;
}

/* The same without a report to the program: what fails is the reason. */
AMP_PRIV_COLD bool amp_priv_compare_on_device(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    static _Thread_local char reason[200];
    const amp_status before_status = amp_last_error();
    const amp_priv_compare_aside aside = amp_priv_compare_aside_begin(AMP_PRIV_ERRORS_KEPT);
    const bool good = amp_priv_compare_twins(c) && amp_priv_compare_launch(c, launch) == AMP_OK;
    amp_priv_compare_aside_end(aside);
    if (good)
        return true;
    snprintf(reason, sizeof reason, "the second run failed: %s", amp_last_error_message());
    c->reason = reason;
    if (before_status == AMP_OK)
        amp_clear_error();
    return false;
}

/* // >>results */

/* Adds the sizes of a view's numbers with fractions. */
AMP_PRIV_COLD void amp_priv_compare_sizes(const amp_priv_fields *fields, const amp_priv_shape *shape, double *sum,
                                          double *numbers)
{
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(shape, shape->data, shape, shape->data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t n = 0; n < r.a.rows * r.a.slices * (size_t)fields->count; n++) {
            const size_t row = n / (size_t)fields->count;
            const amp_priv_field *const field = &fields->field[n % (size_t)fields->count];
            const size_t at = amp_priv_rect_row(&r.a, row);
            if (field->kind >= AMP_PRIV_FIELD_FLOAT)
                amp_priv_sizes_add(field, shape->data + at, r.a.row_bytes / fields->size, fields->size, sum, numbers);
        }
}

/* The mean size of a view's numbers with fractions; 0: it has none. */
AMP_PRIV_COLD double amp_priv_compare_mean(const amp_priv_fields *fields, const amp_priv_shape *shape)
{
    double sum = 0, numbers = 0;
    for (int f = 0; f < fields->count; f++)
        if (fields->field[f].kind >= AMP_PRIV_FIELD_FLOAT) {
            amp_priv_compare_sizes(fields, shape, &sum, &numbers);
            break;
        }
    return numbers > 0 ? sum / numbers : 0;
}

/* The size of the numbers that a kernel adds, which its results do not show where they cancel: the largest of the mean
   sizes of the captured views, as the second run left them. Contents that were discarded have no size. */
AMP_PRIV_COLD double amp_priv_compare_terms(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    double largest = 0;
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = c->head[i];
        if (!head || amp_priv_head_span(head) == 0 || amp_priv_compare_is_discarded(c, i))
            continue;
        const amp_priv_compare_part *const part = amp_priv_compare_part_of(c, head);
        amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_fields fields;
        if (part)
            shape.data = amp_priv_compare_in_copy(part, shape.data);
        amp_priv_fields_of(&fields, launch->site, head->element);
        const double mean = amp_priv_compare_mean(&fields, &shape);
        largest = mean > largest ? mean : largest;
    }
    return largest;
}

/* What a difference of so many units in the last place is of a number of the view's mean size, or of its terms'. */
AMP_PRIV_COLD double amp_priv_compare_absolute(amp_priv_comparison *c, const amp_priv_launch *launch,
                                               const amp_priv_fields *fields, const amp_priv_shape *shape, double ulps)
{
    double epsilon = 0;
    if (amp_priv_compare.absolute > 0)
        return amp_priv_compare.absolute;
    for (int f = 0; f < fields->count; f++) {
        const amp_priv_field_kind kind = fields->field[f].kind;
        const double of_kind = kind == AMP_PRIV_FIELD_DOUBLE     ? DBL_EPSILON
                               : kind == AMP_PRIV_FIELD_FLOAT    ? (double)FLT_EPSILON
                               : kind == AMP_PRIV_FIELD_HALF     ? 1.0 / 1024 / AMP_PRIV_HALF_ULPS
                               : kind == AMP_PRIV_FIELD_BFLOAT16 ? 1.0 / 128 / AMP_PRIV_HALF_ULPS
                                                                 : 0;
        epsilon = of_kind > epsilon ? of_kind : epsilon;
    }
    if (epsilon <= 0)
        return 0;
    const double mean = amp_priv_compare_mean(fields, shape), terms = amp_priv_compare_terms(c, launch);
    return (mean > terms ? mean : terms) * ulps * epsilon;
}

/* Compares the results of one view: a is the program's. */
AMP_PRIV_COLD void amp_priv_compare_shapes(amp_priv_view_difference *d, const amp_priv_shape *a,
                                           const amp_priv_shape *b)
{
    size_t number = 0, rows = 1;
    const size_t row = (size_t)a->extent[a->rank - 1];
    for (int k = 0; k + 1 < a->rank; k++)
        rows *= (size_t)a->extent[k];
    for (size_t n = 0; n < rows; n++, number += row) {
        ptrdiff_t at_a = 0, at_b = 0;
        size_t rest = n;
        for (int k = a->rank - 2; k >= 0; k--) {
            at_a += (ptrdiff_t)(rest % (size_t)a->extent[k]) * a->stride[k];
            at_b += (ptrdiff_t)(rest % (size_t)a->extent[k]) * b->stride[k];
            rest /= (size_t)a->extent[k];
        }
        amp_priv_rows_compare(d, a->data + at_a * (ptrdiff_t)a->element_size,
                              b->data + at_b * (ptrdiff_t)a->element_size, row, number);
    }
}

/* Compares one view, and adds what is found to the record. Keeps the first difference of the launch. */
AMP_PRIV_COLD void amp_priv_compare_view(amp_priv_comparison *c, const amp_priv_launch *launch, int capture)
{
    const amp_priv_head *const head = c->head[capture];
    const amp_priv_compare_part *const part = amp_priv_compare_part_of(c, head);
    amp_priv_compare_result *const result = &c->result;
    amp_priv_fields fields;
    char garbage[2][AMP_PRIV_ELEMENT_BYTES], values[2][AMP_PRIV_ELEMENT_BYTES];
    if (!part)
        return;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_shape second = shape;
    second.data = amp_priv_compare_in_copy(part, shape.data);
    amp_priv_fields_of(&fields, launch->site, head->element);
    amp_priv_view_difference d = { .fields = &fields, .first_values = { values[0], values[1] } };
    d.may_round = c->record->is_inexact && !amp_priv_comparisons.is_self;
    if (amp_priv_compare_is_discarded(c, capture))
        for (int n = 0; n < 2; n++) {
            amp_priv_compare_garbage(garbage[n], &fields, n);
            d.garbage[n] = garbage[n];
        }
    d.ulps_limit = amp_priv_compare.ulps * (c->record->adds_floats ? AMP_PRIV_ATOMIC_ULPS : 1);
    d.only_looks = true;
    amp_priv_compare_shapes(&d, &shape, &second);
    d.absolute_limit = d.differ ? amp_priv_compare_absolute(c, launch, &fields, &second, d.ulps_limit) : 0;
    d.only_looks = false;
    d.map = d.differ && !result->map && !c->record->reported ? amp_priv_map_begin(&shape) : NULL;
    d.differ = 0;
    amp_priv_compare_shapes(&d, &shape, &second);
    result->largest_ulps = d.largest_ulps > result->largest_ulps ? d.largest_ulps : result->largest_ulps;
    result->excused += d.excused;
    result->largest_apart = d.largest_apart > result->largest_apart ? d.largest_apart : result->largest_apart;
    if (!d.differ) {
        free(d.map);
        return;
    }
    const bool is_rounded = d.beyond == 0 && d.differ <= d.compared / AMP_PRIV_COMPARE_MANY;
    if (is_rounded) {
        result->rounded += d.differ;
        free(d.map);
        return;
    }
    result->map = d.map ? d.map : result->map;
    result->views++;
    if (result->views > 1)
        return;
    const amp_priv_field *const field = &fields.field[d.first_field];
    result->capture = capture;
    result->differ = d.differ;
    result->compared = d.compared;
    result->has_distance = field->kind >= AMP_PRIV_FIELD_FLOAT;
    result->ulps = d.first_ulps;
    result->apart = d.first_apart;
    amp_priv_compare_index(result->element, d.first, shape.extent, shape.rank);
    amp_priv_compare_element(result->name, sizeof result->name, amp_priv_capture_shown(launch->site, capture),
                             head->rank, result->element, field);
    for (int n = 0; n < 2; n++)
        amp_priv_field_text(result->value[n], sizeof result->value[n], field, values[n]);
}

/* All views that the launch may have written, one after the other: two may be on the same memory. False: they cannot be
   read, for c->reason. */
AMP_PRIV_COLD bool amp_priv_compare_results(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    const amp_priv_compare_aside aside = amp_priv_compare_aside_begin(AMP_PRIV_ERRORS_DROPPED);
    bool good = true;
    for (int i = 0; i < launch->site->capture_count && good; i++) {
        const amp_priv_head *const head = c->head[i];
        if (!head || head->kind == AMP_PRIV_CONST_VIEW || head->source->is_temporary || amp_priv_head_span(head) == 0)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_source_lock(head->source);
        good = amp_priv_acquire_host(head->source, &shape, AMP_PRIV_READ) == AMP_OK;
        amp_priv_source_unlock(head->source);
        if (good)
            amp_priv_compare_view(c, launch, i);
    }
    amp_priv_compare_aside_end(aside);
    if (!good)
        c->reason = "its results could not be read";
    return good;
}

/* // >>reads: checked builds. One more run of the loops finds the index that uses the first element that differs, and
   another one what it uses. */

#if defined(AMP_CHECKED)

/* Prepares another run. False: there is none. */
AMP_PRIV_COLD bool amp_priv_compare_again(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    c->reads.pass++;
    for (int p = 0; p < c->part_count; p++) {
        amp_priv_compare_part *const part = &c->part[p];
        memcpy(part->copy, part->inputs, part->end - part->first);
    }
    memset(launch->fault, 0, sizeof *launch->fault);
    amp_priv_compare_to_cpu(c, launch);
    return true;
}

/* Does the loop of a launch go on? */
AMP_PRIV_COLD bool amp_priv_compare_goes_on(amp_priv_comparison *c, amp_priv_launch *launch)
{
    amp_priv_compare_reads *const reads = &c->reads;
    if (reads->pass == 0) {
        if (!c->reports || c->queue)
            return false;
        amp_priv_mutex_init(&reads->lock);
        reads->capture = c->result.capture;
        memcpy(reads->element, c->result.element, sizeof reads->element);
        launch->reads = reads;
        return amp_priv_compare_again(c, launch);
    }
    return reads->pass == 1 && reads->is_found && amp_priv_compare_again(c, launch);
}

/* The elements that the index uses: one of a const view is the same on both sides, as nothing writes it. */
AMP_PRIV_COLD void amp_priv_compare_print_reads(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    char where[512], element[256], values[2][64];
    const amp_priv_compare_reads *const reads = &c->reads;
    fprintf(stderr, "amp:   it is used %s, which uses:\n", amp_priv_position_text(where, sizeof where, &reads->found));
    for (int n = 0; n < reads->access_count; n++) {
        const amp_priv_compare_access *const access = &reads->access[n];
        const amp_priv_head *const head = c->head[access->capture];
        const amp_priv_compare_part *const part = amp_priv_compare_part_of(c, head);
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_fields fields;
        ptrdiff_t at = 0;
        for (int d = 0; d < shape.rank; d++)
            at += (ptrdiff_t)access->index[d] * shape.stride[d];
        const char *const first = shape.data + at * (ptrdiff_t)shape.element_size;
        const char *const input = part && part->inputs ? part->inputs + ((uintptr_t)first - part->first) : first;
        amp_priv_fields_of(&fields, launch->site, head->element);
        amp_priv_compare_element(element, sizeof element, amp_priv_capture_shown(launch->site, access->capture),
                                 head->rank, access->index, &fields.field[0]);
        amp_priv_field_text(values[0], sizeof values[0], &fields.field[0], input);
        amp_priv_field_text(values[1], sizeof values[1], &fields.field[0], first);
        if (head->kind == AMP_PRIV_CONST_VIEW)
            fprintf(stderr, "amp:     %s = %s, the same on both\n", element, values[0]);
        else
            fprintf(stderr, "amp:     %s = %s before the launch, the same on both; %s after it on %s\n", element,
                    values[0], values[1], launch->queue->device->path);
    }
    if (reads->access_count == AMP_PRIV_COMPARE_ACCESSES)
        fprintf(stderr, "amp:     ...\n");
}

#endif

/* // >>end */

/* The index to stop at: that which uses the element, as far as that is known. False: it is not. */
AMP_PRIV_COLD bool amp_priv_compare_stop(const amp_priv_comparison *c, const amp_priv_launch *launch, int *index)
{
    const int rank = launch->site->rank;
    bool inside = c->head[c->result.capture]->rank == rank;
    memcpy(index, c->result.element, (size_t)AMP_MAX_RANK * sizeof(int));
    for (int d = 0; d < rank; d++) {
        const int in_domain = index[d] - amp_priv_site_origin(launch->site, launch->captured, d);
        inside = inside && in_domain >= 0 && in_domain < launch->extent[d];
    }
#if defined(AMP_CHECKED)
    if (c->reads.is_found)
        memcpy(index, c->reads.found.global, sizeof c->reads.found.global);
    inside = inside || c->reads.is_found;
#endif
    return inside;
}

/* The report of a site's first launch that differs. */
AMP_PRIV_COLD void amp_priv_compare_report(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    const amp_priv_compare_result *const r = &c->result;
    const char *const name = amp_priv_capture_shown(site, r->capture);
    const char *const first = launch->queue->device->path, *const second = c->queue ? c->queue->device->path : "cpu";
    char distance[64] = "", numbers[128], text[1500];
    int index[AMP_MAX_RANK];
    if (r->has_distance)
        snprintf(distance, sizeof distance, ": %.10g ulps, %.4g apart", r->ulps, r->apart);
    fflush(stdout);
    snprintf(text, sizeof text, "launch %u: %s is %s on %s and %s on %s%s; %zu of %zu elements of %s differ%s",
             c->number, r->name, r->value[0], first, r->value[1],
             strcmp(first, second) != 0 ? second : "the same again", distance, r->differ, r->compared, name,
             r->views > 1 ? ", and elements of other views" : "");
    fprintf(stderr, "amp: AMP_COMPARE: kernel in %s, at or near %s:%d, %s\n", site->function, site->file, site->line,
            text);
    if (r->map)
        amp_priv_happened(&(amp_priv_happening){
            .kind = AMP_PRIV_HAPPENED_DIFFERS, .site = site, .name = name, .detail = text, .difference = r->map });
    if (c->record->uses_order)
        fprintf(stderr, "amp:   the kernel uses the results of atomic operations: the order of threads may decide\n");
#if defined(AMP_CHECKED)
    if (c->reads.is_found)
        amp_priv_compare_print_reads(c, launch);
#endif
    if (amp_priv_compare_stop(c, launch, index))
        fprintf(stderr, "amp:   to stop there%s: AMP_BREAK_AT=%s:%s,%u, or scripts/step PROGRAM %s:%s,%u\n",
                AMP_PRIV_HOST_CHECKED ? "" : ", in a build with -DAMP_CHECKED", site->function,
                amp_priv_compare_numbers(numbers, sizeof numbers, index, site->rank), c->number, site->function,
                numbers, c->number);
}

/* Adds a launch to the record of its site. Is it the first that differs? */
AMP_PRIV_COLD bool amp_priv_compare_count(amp_priv_comparison *c)
{
    amp_priv_compare_site *const record = c->record;
    const amp_priv_compare_result *const r = &c->result;
    amp_priv_lock(&amp_priv_comparisons.lock);
    record->compared++;
    record->differing += r->views > 0;
    record->rounded += r->rounded;
    record->excused += r->excused;
    record->largest_ulps = r->largest_ulps > record->largest_ulps ? r->largest_ulps : record->largest_ulps;
    record->largest_apart = r->largest_apart > record->largest_apart ? r->largest_apart : record->largest_apart;
    record->bytes = c->bytes > record->bytes ? c->bytes : record->bytes;
    if (amp_priv_site_is_algorithm(record->site) && (!c->queue || c->was_on_host))
        record->has_other_steps = true;
    const bool is_first = r->views > 0 && !record->reported && !record->has_other_steps && !amp_priv_compare.for_break;
    record->reported = record->reported || is_first;
    amp_priv_unlock(&amp_priv_comparisons.lock);
    return is_first;
}

/* Judges the results; on_device: after the second run there. */
AMP_PRIV_COLD void amp_priv_compare_judge(amp_priv_comparison *c, const amp_priv_launch *launch, bool on_device)
{
    if ((!on_device || amp_priv_compare_on_device(c, launch)) && amp_priv_compare_results(c, launch))
        c->reports = amp_priv_compare_count(c);
}

/* Both runs are over, or (c->reason) the comparison is. */
AMP_PRIV_COLD void amp_priv_compare_close(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    if (c->reason)
        amp_priv_compare_refuse(c->record, c->reason);
    else if (c->reports)
        amp_priv_compare_report(c, launch);
    const bool aborts = c->reports && amp_priv_compare.aborts && !c->record->uses_order;
    amp_priv_lock(&amp_priv_comparisons.lock);
    c->record->time += amp_priv_now() - c->began;
    amp_priv_unlock(&amp_priv_comparisons.lock);
    amp_priv_compare_free(c);
    if (!aborts)
        return;
    amp_priv_compare_print();
    abort();
}

/* After the second run on the CPU, or the program's own there. True: the loops are to run once more. */
AMP_PRIV_COLD bool amp_priv_compare_end(amp_priv_launch *launch)
{
    amp_priv_comparison *const c = launch->own[AMP_PRIV_HOOK_COMPARE].pointer;
#if defined(AMP_CHECKED)
    if (c->reads.pass > 0) {
        if (amp_priv_compare_goes_on(c, launch))
            return true;
        amp_priv_compare_close(c, launch);
        return false;
    }
#endif
    amp_priv_compare_judge(c, launch, c->was_on_host);
#if defined(AMP_CHECKED)
    if (!c->reason && amp_priv_compare_goes_on(c, launch))
        return true;
#endif
    amp_priv_compare_close(c, launch);
    return false;
}

/* The program's own run failed. */
AMP_PRIV_COLD void amp_priv_compare_fail(amp_priv_launch *launch)
{
    amp_priv_comparison *const c = launch->own[AMP_PRIV_HOOK_COMPARE].pointer;
    launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_COMPARE);
    c->reason = "it failed";
    amp_priv_compare_close(c, launch);
}

/* A launch on a device was submitted, or failed. True: the macro's loops are the second run. */
AMP_PRIV_COLD bool amp_priv_compare_second(amp_priv_launch *launch, amp_status status)
{
    amp_priv_comparison *const c = launch->own[AMP_PRIV_HOOK_COMPARE].pointer;
    bool is_good = status == AMP_OK;
#if defined(AMP_CHECKED)
    is_good = is_good && (launch->fault->count == 0 || amp_priv_compare.for_break);
#endif
    if (!is_good) {
        amp_priv_compare_fail(launch);
        return false;
    }
    c->is_second = true;
    if (c->queue) {
        amp_priv_compare_judge(c, launch, true);
        amp_priv_compare_close(c, launch);
        return false;
    }
    launch->hooks = amp_priv_hook_bit(AMP_PRIV_HOOK_COMPARE); /* no other module sees it */
#if defined(AMP_CHECKED)
    amp_priv_fault_begin(launch, true);
#endif
    amp_priv_compare_to_cpu(c, launch);
    return true;
}

/* // >>hooks */

AMP_PRIV_COLD amp_priv_outcome amp_priv_compare_launch_begin(amp_priv_launch *launch)
{
    amp_priv_comparison *const c = launch->band ? NULL : amp_priv_compare_begin(launch);
    launch->own[AMP_PRIV_HOOK_COMPARE].pointer = c;
    if (!c)
        launch->hooks &= ~amp_priv_hook_bit(AMP_PRIV_HOOK_COMPARE);
    return AMP_PRIV_STEP_RUN;
}

AMP_PRIV_COLD amp_priv_outcome amp_priv_compare_launch_end(amp_priv_launch *launch, amp_status status)
{
    const amp_priv_comparison *const c = launch->own[AMP_PRIV_HOOK_COMPARE].pointer;
    bool again = false;
    if (!c->is_second && !c->was_on_host)
        again = amp_priv_compare_second(launch, status);
    else if (status != AMP_OK)
        amp_priv_compare_fail(launch);
    else
        again = amp_priv_compare_end(launch);
    return again ? AMP_PRIV_STEP_AGAIN : AMP_PRIV_STEP_RUN;
}

/* Each file of a program that has it tries. */
AMP_PRIV_AT_START void amp_priv_compare_start(void)
{
    static const amp_priv_hook hook = { .begin = amp_priv_compare_launch_begin, .end = amp_priv_compare_launch_end };
    amp_priv_compare_read();
    if (amp_priv_compare_is_on())
        amp_priv_hook_add(AMP_PRIV_HOOK_COMPARE, &hook);
}

#endif /* AMP_COMPARE_COMPARE_H */
