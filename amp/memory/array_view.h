/* SPDX-License-Identifier: MIT */
/*  amp/memory/array_view.h - array views: the functions behind the macros of amp/api/array_view.h and host_view.h */
#ifndef AMP_MEMORY_ARRAY_VIEW_H
#define AMP_MEMORY_ARRAY_VIEW_H

#include "../api/host_view.h"
#include "host_access.h"

/* Those that no long long can hold are as good as LLONG_MAX. */
static inline long long amp_priv_integer(const amp_priv_argument *argument)
{
    return argument->type && argument->integer < 0 ? LLONG_MAX : argument->integer;
}

/* The components of one index or extent, or integers that must fit an int. False after reporting. */
AMP_PRIV_NOINLINE bool amp_priv_components(const char *call, const char *what, int rank,
                                           const amp_priv_argument *arguments, int *components)
{
    if (arguments[0].type > AMP_PRIV_INDEX_TYPE) {
        memcpy(components, arguments[0].value, (size_t)rank * sizeof(int));
        return true;
    }
    for (int d = 0; d < rank; d++) {
        const long long value = amp_priv_integer(&arguments[d]);
        if (value > INT_MAX || value < INT_MIN) {
            amp_priv_report(
                AMP_INVALID_ARGUMENT,
                "%s: %s %lld in dimension %d does not fit an int; more elements than %d need more dimensions", call,
                what, value, d, INT_MAX);
            return false;
        }
        components[d] = (int)value;
    }
    return true;
}

/* // >>make: the functions behind the macros. They know neither element type nor rank. */

/* Fills in a view or array struct; shape->data leads into the source's host memory. */
static inline void amp_priv_fill(void *out, amp_priv_source *source, const amp_priv_element *element,
                                 amp_priv_kind kind, unsigned short reference, const amp_priv_shape *shape)
{
    char *const at = out;
    const size_t extent_at = offsetof(amp_array_view_int_1, extent);
    const size_t rank = (size_t)shape->rank;
    const size_t align = _Alignof(amp_priv_offset);
    const size_t stride_at = (extent_at + rank * sizeof(int) + align - 1) / align * align;
    amp_priv_head head;
    memset(&head, 0, sizeof head);
    head.source = source;
    head.element = element;
    head.kind = (unsigned char)kind;
    head.rank = (unsigned char)rank;
    head.reference = reference;
    head.stamp = amp_priv_generation_of(&source->life);
    memcpy(at, &head, sizeof head);
    memcpy(at + offsetof(amp_array_view_int_1, data), &shape->data, sizeof shape->data);
    memcpy(at + extent_at, shape->extent, rank * sizeof(int));
    memcpy(at + stride_at, shape->stride, rank * sizeof(amp_priv_offset));
}

enum { AMP_PRIV_CALL_SIZE = 160 };

/* The name of a call. A macro's is there already. */
AMP_PRIV_WARM const char *amp_priv_call_text(char *text, const char *call_format, const amp_priv_element *element,
                                             int rank)
{
    if (!strchr(call_format, '%'))
        return call_format;
    snprintf(text, AMP_PRIV_CALL_SIZE, call_format, element->name, rank);
    return text;
}

/* No component of an extent may be negative. False after reporting; call_format: "amp_array_%s_%d_create". */
static inline bool amp_priv_extent_good(const char *call_format, const amp_priv_element *element, int rank,
                                        const int *extent)
{
    for (int d = 0; d < rank; d++)
        if (extent[d] < 0) {
            char call[AMP_PRIV_CALL_SIZE];
            amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the extent is %d in dimension %d; it must not be negative",
                            amp_priv_call_text(call, call_format, element, rank), extent[d], d);
            return false;
        }
    return true;
}

/* A top-level view over host memory, or (kind 0) without a data source. data is not const: gcc takes a const pointer
   for a promise that memory is read here, and warns where the user has not filled it yet. */
AMP_PRIV_API void *amp_priv_view_create(void *out, const char *call_format, amp_priv_kind kind,
                                        const amp_priv_element *element, int rank, void *data, const int *extent)
{
    char call[AMP_PRIV_CALL_SIZE];
    const bool no_source = kind == 0;
    if (!amp_priv_same_build() || !amp_priv_extent_good(call_format, element, rank, extent))
        return out;
    const bool is_empty = amp_priv_extent_is_empty(rank, extent);
    if (!data && !no_source && !is_empty) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the pointer is NULL; give the address of the data, or write AMP_ARRAY_VIEW_NO_SOURCE for "
                        "memory of its own",
                        amp_priv_call_text(call, call_format, element, rank));
        return out;
    }
    if (!no_source && !is_empty &&
        !amp_priv_aligned(amp_priv_call_text(call, call_format, element, rank), element, data, data))
        return out;
    void *const host = no_source || is_empty ? NULL : data; /* of the user's memory under nothing, nothing is touched */
    amp_priv_source *const source =
        amp_priv_source_new(amp_priv_call_text(call, call_format, element, rank), host, element->size, rank, extent);
    if (!source)
        return out;
    if (no_source) {
        source->no_source = true;
        amp_priv_contents_none(source);
    }
    const amp_priv_shape shape = amp_priv_dense(source->base.data, element->size, rank, extent);
    amp_priv_fill(out, source, element, no_source ? AMP_PRIV_VIEW : kind, AMP_PRIV_FIRST_REFERENCE, &shape);
    return out;
}

/* Reports a view that is larger than its array, or whose rows have another length than the array's. */
AMP_PRIV_COLD void *amp_priv_pointed_refuse(void *out, const char *call, const amp_priv_element *element, int rank,
                                            const int *extent, size_t bytes, size_t row, bool has_room)
{
    char list[160];
    amp_priv_list(list, sizeof list, extent, rank);
    if (has_room)
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the extent is %s, and the array has rows of %zu: rows come first, then columns", call,
                        list, row / element->size);
    else
        amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the extent is %s, and the array has only %zu elements", call, list,
                        bytes / element->size);
    return out;
}

/* The same from a macro's arguments, which tell what is known of the user's memory: its bytes, SIZE_MAX where it is no
   array of this function's or the file's, and those of a row of an array of two dimensions, else of an element. */
AMP_PRIV_API void *amp_priv_view_scoped(void *out, const char *call_format, amp_priv_kind kind,
                                        const amp_priv_element *element, int rank, void *data,
                                        const amp_priv_argument *extents, size_t bytes, size_t row)
{
    int extent[AMP_MAX_RANK];
    if (!amp_priv_components(call_format, "the extent", rank, extents, extent))
        return out;
    size_t left = bytes / element->size; /* is divided by all extents */
    for (int d = 0; d < rank && left != SIZE_MAX; d++)
        left = extent[d] > 0 ? left / (size_t)extent[d] : SIZE_MAX;
    const size_t columns = row / element->size;
    const bool other_rows = rank == 2 && columns > 1 && extent[0] > 0 && extent[1] > 0 && (size_t)extent[1] != columns;
    if (!left || other_rows)
        return amp_priv_pointed_refuse(out, call_format, element, rank, extent, bytes, row, left > 0);
    return amp_priv_view_create(out, call_format, kind, element, rank, data, extent);
}

/* One reference less, if this view or array stands for one, or was declared with one and is a part of the same source
   now. */
AMP_PRIV_API amp_status amp_priv_release(amp_priv_head *head, const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return AMP_UNINITIALIZED_OBJECT;
    const amp_priv_head old = *head;
    head->kind = 0;
    head->source = NULL;
    head->reference = 0;
    unsigned short reference = old.reference;
    if (!reference && old.source->life.variable == (uintptr_t)head)
        reference = AMP_PRIV_FIRST_REFERENCE;
    if (!reference)
        return AMP_OK;
    if (amp_priv_reference_drop(&old.source->life, &old, reference, call))
        return amp_priv_source_release(old.source);
    return amp_priv_report(AMP_UNINITIALIZED_OBJECT,
                           "%s: this view or array was already released through a copy of it; release only one of the "
                           "copies, or retain each (amp_array_view_retain)",
                           call);
}

/* At the end of a scope: the reference of what was declared there goes, unless the program has released it. */
AMP_PRIV_API void amp_priv_leave(const void *owner)
{
    const amp_priv_head *const head = owner;
    if (head->kind && head->source &&
        amp_priv_reference_drop(&head->source->life, head, head->reference, "the end of its scope")) {
        amp_priv_read_at(NULL, 0); /* no call */
        amp_priv_source_release(head->source);
    }
}

AMP_PRIV_API void amp_priv_swap(amp_priv_head *a, amp_priv_head *b, size_t size)
{
    struct {
        amp_priv_head head;
        amp_priv_shape shape;
    } old; /* at least as large as any view */
    memcpy(&old, a, size);
    memmove(a, b, size);
    memcpy(b, &old, size);
}

AMP_PRIV_API void *amp_priv_retain(void *out, const amp_priv_head *head)
{
    if (!amp_priv_head_ready(head, "amp_array_view_retain"))
        return out;
    atomic_fetch_add_explicit(&head->source->references, 1, memory_order_relaxed);
    const unsigned short reference = amp_priv_reference_add(&head->source->life, head);
    if (!reference) {
        amp_priv_source_release(head->source);
        amp_priv_report(AMP_OUT_OF_MEMORY, "amp_array_view_retain: no memory for one more owner, or there are %d",
                        AMP_PRIV_LAST_REFERENCE);
        return out;
    }
    const amp_priv_shape shape = amp_priv_shape_of(head);
    const amp_priv_kind kind = head->kind == AMP_PRIV_CONST_VIEW ? AMP_PRIV_CONST_VIEW : AMP_PRIV_VIEW;
    amp_priv_fill(out, head->source, head->element, kind, reference, &shape);
    return out;
}

/* A non-owning view of the source of head. Refused if it does not begin and end between elements of the
   source. One of nothing is where the source begins, which suits every type. */
static inline void *amp_priv_borrow(void *out, const char *call, const amp_priv_head *head,
                                    const amp_priv_element *element, const amp_priv_shape *shape, bool read_only)
{
    const amp_priv_source *const source = head->source;
    const size_t bytes = amp_priv_shape_span(shape) * shape->element_size;
    amp_priv_shape part = *shape;
    if (bytes == 0)
        part.data = source->base.data;
    const size_t first = (size_t)(part.data - source->base.data);
    if (first % source->base.element_size || bytes % source->base.element_size) {
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: bytes %zu to %zu of the source do not begin and end at elements of %zu bytes; use sections that do",
            call, first, first + bytes, source->base.element_size);
        return out;
    }
    if (bytes > 0 && !amp_priv_aligned(call, element, part.data, source->base.data))
        return out;
    amp_priv_fill(out, head->source, element, read_only ? AMP_PRIV_CONST_VIEW : AMP_PRIV_VIEW, 0, &part);
    return out;
}

#if defined(AMP_CHECKED)
/* Does the text of an extent say that it is an end: row_end, lastRow, and not end - begin? */
AMP_PRIV_COLD bool amp_priv_spells_end(const char *text)
{
    static const char *const ends[] = { "end", "End", "last", "Last", "stop", "Stop", "until", "Until" };
    for (size_t i = 0; i < sizeof ends / sizeof *ends && !strpbrk(text, "-("); i++)
        for (const char *at = strstr(text, ends[i]); at; at = strstr(at + 1, ends[i])) {
            const char before = at > text ? at[-1] : ' ', behind = at[strlen(ends[i])];
            if (!(behind >= 'a' && behind <= 'z') && (*at < 'a' || before < 'A' || before == '_'))
                return true;
        }
    return false;
}

/* Was an end given as the extent of a section that lies within its view? Integers, or a name such as `last`. The inner
   part, with the same margin on both sides, is no such case. Once per place. */
AMP_PRIV_COLD void amp_priv_section_look(amp_priv_section_site *site, int all, int origin, int extent)
{
    const char *const spelled = site->spelled;
    const char *const comma = strchr(spelled, ','), *const second = comma ? comma + 1 + strspn(comma + 1, " ") : "";
    const size_t digits = strspn(spelled, "0123456789"), others = strspn(second, "0123456789");
    const bool are_numbers = comma && spelled + digits == comma && others > 0 && second[others] == '\0';
    if (origin < 1 || extent <= origin || (are_numbers && origin == 1) || 2 * (int64_t)origin + extent == all ||
        !(are_numbers || amp_priv_spells_end(second)) || atomic_exchange(&site->reported, 1))
        return;
    amp_priv_log(
        AMP_PRIV_LOG_WARNING,
        "note: amp_section(%s, %s) at %s:%d has %d elements, numbers %d to %d: the second number is how many, not "
        "where it ends; for the elements %d to %d write amp_section(%s, %d, %d - %d)",
        site->view, spelled, site->file, site->line, extent, origin, origin + extent - 1, origin, extent - 1,
        site->view, origin, extent, origin);
}
#endif

AMP_PRIV_API void *amp_priv_section(void *out, const amp_priv_head *head, const amp_priv_argument *arguments,
                                    int count AMP_PRIV_SECTION_SITE)
{
    static const char call[] = "amp_section";
    if (!amp_priv_head_ready(head, call))
        return out;
    amp_priv_shape shape = amp_priv_shape_of(head);
    int origin[AMP_MAX_RANK] = { 0 }, extent[AMP_MAX_RANK];
    const bool has_origin = arguments[0].type<AMP_PRIV_EXTENT_TYPE, has_extent = count> 1 || !has_origin;
    const amp_priv_argument *const extents = !has_origin  ? arguments
                                             : count == 2 ? arguments + 1
                                                          : arguments + count / 2;
    if (has_origin && !amp_priv_components(call, "the origin", shape.rank, arguments, origin))
        return out;
    if (has_extent && !amp_priv_components(call, "the extent", shape.rank, extents, extent))
        return out;
    amp_priv_offset first = 0;
    for (int d = 0; d < shape.rank; d++) {
        if (!has_extent)
            extent[d] = origin[d] < 0 ? 1 : shape.extent[d] - origin[d];
        if (origin[d] < 0 || extent[d] < 0 || origin[d] > shape.extent[d] - extent[d]) {
            amp_priv_report(
                AMP_INVALID_ARGUMENT,
                "%s: in dimension %d the origin is %d and the extent is %d, of a view of extent %d; neither may be "
                "negative, and both together no more than the view's: the extent is a number of elements, not an end",
                call, d, origin[d], extent[d], shape.extent[d]);
            return out;
        }
#if defined(AMP_CHECKED)
        if (shape.rank == 1 && count == 2)
            amp_priv_section_look(site, shape.extent[d], origin[d], extent[d]);
#endif
        first += origin[d] * shape.stride[d];
        shape.extent[d] = extent[d];
    }
    if (amp_priv_shape_size(&shape) > 0) /* one of nothing is where the view is */
        shape.data += first * (amp_priv_offset)shape.element_size;
    return amp_priv_borrow(out, call, head, head->element, &shape, head->kind == AMP_PRIV_CONST_VIEW);
}

AMP_PRIV_API void *amp_priv_project(void *out, const amp_priv_head *head, const amp_priv_argument *argument)
{
    static const char call[] = "amp_project";
    if (!amp_priv_head_ready(head, call))
        return out;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    const long long i = amp_priv_integer(argument);
    if (i < 0 || i >= shape.extent[0]) {
        amp_priv_report(AMP_INVALID_ARGUMENT,
                        "%s: the index is %lld; it must be in 0 to %d, the extent of dimension 0 less 1", call, i,
                        shape.extent[0] - 1);
        return out;
    }
    amp_priv_shape slice = shape;
    slice.rank--;
    if (amp_priv_shape_size(&shape) > 0)
        slice.data += (amp_priv_offset)i * shape.stride[0] * (amp_priv_offset)shape.element_size;
    for (int d = 0; d < slice.rank; d++) {
        slice.extent[d] = shape.extent[d + 1];
        slice.stride[d] = shape.stride[d + 1];
    }
    return amp_priv_borrow(out, call, head, head->element, &slice, head->kind == AMP_PRIV_CONST_VIEW);
}

/* Do the elements of a view lie side by side? Reports where they do not. */
AMP_PRIV_COLD bool amp_priv_contiguous(const char *call, const amp_priv_shape *shape)
{
    char extent[128];
    if (amp_priv_shape_is_dense(shape))
        return true;
    amp_priv_report(AMP_INVALID_ARGUMENT,
                    "%s: the view of extent %s is not contiguous: other elements of its source lie between its own; "
                    "take whole rows, or copy it to an array",
                    call, amp_priv_list(extent, sizeof extent, shape->extent, shape->rank));
    return false;
}

AMP_PRIV_API void *amp_priv_view_as(void *out, const amp_priv_head *head, int rank, const amp_priv_argument *extents,
                                    bool read_only)
{
    static const char call[] = "AMP_VIEW_AS";
    int extent[AMP_MAX_RANK];
    if (!amp_priv_head_ready(head, call) || !amp_priv_components(call, "the extent", rank, extents, extent))
        return out;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    if (!amp_priv_contiguous(call, &shape))
        return out;
    const size_t have = amp_priv_shape_size(&shape);
    const bool is_empty = amp_priv_extent_is_empty(rank, extent);
    size_t size = 1;
    for (int d = 0; d < rank; d++) {
        if (extent[d] < 0) {
            amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the extent is %d in dimension %d; it must not be negative", call,
                            extent[d], d);
            return out;
        }
        if (!is_empty && size > have / (size_t)extent[d]) {
            amp_priv_report(
                AMP_INVALID_ARGUMENT,
                "%s: the new shape (%d in dimension %d) has more elements than the %zu of the view; use a smaller one",
                call, extent[d], d, have);
            return out;
        }
        size *= (size_t)extent[d];
    }
    const amp_priv_shape other = amp_priv_dense(shape.data, shape.element_size, rank, extent);
    return amp_priv_borrow(out, call, head, head->element, &other, read_only);
}

AMP_PRIV_API void *amp_priv_reinterpret_as(void *out, const amp_priv_head *head, const amp_priv_element *element,
                                           bool read_only)
{
    static const char call[] = "AMP_REINTERPRET_AS";
    if (!amp_priv_head_ready(head, call))
        return out;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    if (!amp_priv_contiguous(call, &shape))
        return out;
    const size_t bytes = amp_priv_shape_bytes(&shape);
    if (bytes % element->size || bytes / element->size > INT_MAX) {
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: %zu bytes (%zu of %s) are not a whole number of %s (%zu bytes each), or more than %d of them; use a "
            "section that is",
            call, bytes, amp_priv_shape_size(&shape), head->element->name, element->name, element->size, INT_MAX);
        return out;
    }
    const int extent = (int)(bytes / element->size);
    const amp_priv_shape other = amp_priv_dense(shape.data, element->size, 1, &extent);
    return amp_priv_borrow(out, call, head, element, &other, read_only);
}

AMP_PRIV_API void *amp_priv_view_of(void *out, const amp_priv_head *head, bool read_only, const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return out;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_fill(out, head->source, head->element, read_only ? AMP_PRIV_CONST_VIEW : AMP_PRIV_VIEW, 0, &shape);
    return out;
}

static inline amp_status amp_priv_access_check(const char *call, amp_access_type access)
{
    if ((unsigned)access <= AMP_ACCESS_AUTO)
        return AMP_OK;
    return amp_priv_report(AMP_INVALID_ARGUMENT,
                           "%s: the access type is %d; use one of AMP_ACCESS_NONE to AMP_ACCESS_AUTO", call,
                           (int)access);
}

static inline amp_priv_access_request amp_priv_access_request_of(amp_access_type access)
{
    return access == AMP_ACCESS_WRITE || access == AMP_ACCESS_READ_WRITE ? AMP_PRIV_READ_WRITE : AMP_PRIV_READ;
}

/* Gives a device's memory access to a shape, and waits until it is there. queue: NULL is the host. */
AMP_PRIV_NOINLINE amp_status amp_priv_acquire_to(amp_priv_source *source, const amp_priv_shape *shape,
                                                 amp_priv_queue *queue, amp_priv_access_request want)
{
    amp_priv_source_lock(source);
    const amp_status status = amp_priv_acquire_here(source, shape, queue, want);
    amp_priv_source_unlock(source);
    return status;
}

AMP_PRIV_API amp_status amp_priv_synchronize(const amp_priv_head *head, amp_access_type access, const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return AMP_UNINITIALIZED_OBJECT;
    if (amp_priv_access_check(call, access) != AMP_OK)
        return AMP_INVALID_ARGUMENT;
    if (access == AMP_ACCESS_NONE || head->source->no_source)
        return AMP_OK;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    return amp_priv_acquire_to(head->source, &shape, head->source->queue, amp_priv_access_request_of(access));
}

AMP_PRIV_API amp_status amp_priv_synchronize_to(const amp_priv_head *head, amp_accelerator_view view,
                                                amp_access_type access, const char *call)
{
    if (!amp_priv_head_ready(head, call))
        return AMP_UNINITIALIZED_OBJECT;
    if (amp_priv_access_check(call, access) != AMP_OK)
        return AMP_INVALID_ARGUMENT;
    amp_priv_queue *const queue = amp_priv_queue_of(view);
    const amp_status status = amp_priv_queue_usable(queue, call);
    if (status != AMP_OK)
        return status;
    if (access == AMP_ACCESS_NONE)
        return AMP_OK;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    return amp_priv_acquire_to(head->source, &shape, queue, amp_priv_access_request_of(access));
}

AMP_PRIV_API amp_status amp_priv_refresh(const amp_priv_head *head)
{
    if (!amp_priv_head_ready(head, "amp_array_view_refresh"))
        return AMP_UNINITIALIZED_OBJECT;
    amp_priv_source *const source = head->source;
    if (source->owns_host)
        return AMP_OK;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    if (amp_priv_shape_size(&shape) == 0)
        return AMP_OK;
    amp_priv_source_lock(source);
    const amp_status status = amp_priv_overrule(source, &shape, AMP_PRIV_WRITE);
    amp_priv_source_unlock(source);
    return status;
}

AMP_PRIV_API amp_status amp_priv_discard(const amp_priv_head *head)
{
    if (!amp_priv_head_ready(head, "amp_array_view_discard_data"))
        return AMP_UNINITIALIZED_OBJECT;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    amp_priv_source_lock(head->source);
    const amp_status status = amp_priv_overrule(head->source, &shape, AMP_PRIV_DISCARD);
    if (status == AMP_OK && amp_priv_shape_bytes(&shape) == head->source->bytes)
        amp_priv_write_check_discard(head->source);
    amp_priv_source_unlock(head->source);
    return status;
}

#if defined(AMP_CHECKED)
/* The same, by the program: what it discards of its memory has no contents. The pattern is the host's, so that a device
   with memory of its own gets it, and returns it where its kernels write a part only. */
AMP_PRIV_API amp_status amp_priv_discard_data(const amp_priv_head *head)
{
    const amp_status status = amp_priv_discard(head);
    const amp_priv_shape shape = status == AMP_OK ? amp_priv_shape_of(head) : (amp_priv_shape){ .rank = 0 };
    if (status == AMP_OK && !head->source->owns_host && amp_priv_shape_bytes(&shape) == head->source->bytes &&
        head->source->base.element_size % sizeof(uint32_t) == 0) {
        amp_priv_write_check_mark(&head->source->watch, shape.data, head->source->bytes);
        amp_priv_source_lock(head->source);
        (void)amp_priv_acquire(head->source, &shape, 0, NULL, AMP_PRIV_WRITE); /* discarded: nothing can fail */
        amp_priv_source_unlock(head->source);
    }
    return status;
}
#endif

AMP_PRIV_API void *amp_priv_host_data(const amp_priv_head *head, const char *call)
{
    const bool is_here = head->source && head->source != AMP_PRIV_IN_KERNEL && amp_priv_host_has(head);
    if (is_here)
        amp_priv_write_check_head(head);
    if (is_here || amp_priv_host_access_slowly(head, call))
        return amp_priv_head_data(head);
    const amp_priv_shape shape = head->element ? amp_priv_shape_of(head) : (amp_priv_shape){ .rank = 0 };
    return amp_priv_scratch_element_of(head->element ? amp_priv_shape_span(&shape) * shape.element_size : 1);
}

AMP_PRIV_API void *amp_priv_data(const amp_priv_head *head)
{
    if (!amp_priv_head_ready(head, "amp_data"))
        return NULL;
    if (head->kind == AMP_PRIV_ARRAY && head->source->cpu_access == AMP_ACCESS_NONE)
        return NULL;
    amp_priv_host_access(head);
    return amp_priv_shape_of(head).data;
}

AMP_PRIV_API amp_accelerator_view amp_priv_source_view(const amp_priv_head *head)
{
    static const char call[] = "amp_array_view_source_accelerator_view";
    if (!amp_priv_head_ready(head, call))
        return (amp_accelerator_view){ NULL };
    if (head->source->no_source) {
        amp_priv_report(AMP_RUNTIME_ERROR, "%s: this view has no data source, and so no source accelerator view", call);
        return (amp_accelerator_view){ NULL };
    }
    return (amp_accelerator_view){ head->source->queue ? head->source->queue
                                                       : amp_priv_device_queue(amp_priv_device_number(0)) };
}

#endif /* AMP_MEMORY_ARRAY_VIEW_H */
