/* SPDX-License-Identifier: MIT */
/*  amp/compare/compare_memory.h - AMP_COMPARE: the inputs of a launch, copied for the second run

    Contents (search for the tag):
        >>comparison  >>parts  >>discarded  >>inputs */
#ifndef AMP_COMPARE_COMPARE_MEMORY_H
#define AMP_COMPARE_COMPARE_MEMORY_H

#include "compare_report.h"
#include "../memory/launch_memory.h"

/* // >>comparison */

/* Host memory that captured views look at, and its copy: what the second run reads and writes. Views whose memory
   overlaps have one. */
typedef struct amp_priv_compare_part {
    uintptr_t first, end;  /* the program's memory */
    char *copy;            /* of it, from `first` on */
    char *inputs;          /* checked builds: the copy as it was before the run, for one more */
    amp_priv_source *twin; /* of the copy, where the second run is on a device */
} amp_priv_compare_part;

/* A box of a captured view whose contents were discarded, or never written. */
typedef struct amp_priv_compare_discarded {
    int capture;
    amp_priv_box box;
} amp_priv_compare_discarded;

enum {
    AMP_PRIV_COMPARE_ALIGN = 64,
    AMP_PRIV_ELEMENT_BYTES = 1024, /* of the largest element that is compared */
    AMP_PRIV_COMPARE_MANY = 1000,  /* of so many integers one may be rounded otherwise after inexact functions */
    AMP_PRIV_ATOMIC_ULPS = 64      /* how many times as far apart what atomics add up may be */
};

/* What was found: the first element that differs, of the first view that does. */
typedef struct amp_priv_compare_result {
    int views;        /* that differ */
    uint64_t excused; /* numbers that the absolute limit alone excuses */
    uint64_t rounded; /* integers that differ after inexact functions, which is no difference */
    int capture;
    int element[AMP_MAX_RANK];
    size_t differ, compared;
    bool has_distance;
    double ulps, apart, largest_ulps, largest_apart;
    char name[256], value[2][64];
    amp_priv_view_differs *map; /* NULL: there is none */
} amp_priv_compare_result;

/* One launch that is compared, from its begin to its end. */
typedef struct amp_priv_comparison {
    amp_priv_compare_site *record;
    unsigned number; /* of the launch at its site, from 1 */
    uint64_t began;
    amp_priv_queue *queue; /* of the second run; NULL: the CPU backend */
    bool was_on_host;      /* the first run was on the CPU backend */
    bool is_second;        /* the second run has begun */
    const char *reason;    /* why it is not compared */
    int part_count, discarded_count, discarded_capacity;
    size_t bytes;
    amp_priv_compare_part part[AMP_PRIV_MAX_CAPTURES];
    amp_priv_compare_discarded *discarded;
    void *heads; /* copies of the captured views: as the launch has them, and of the second run */
    amp_priv_head *head[AMP_PRIV_MAX_CAPTURES], *second[AMP_PRIV_MAX_CAPTURES];
    bool reports; /* it is the first of its site that differs */
    amp_priv_compare_result result;
#if defined(AMP_CHECKED)
    amp_priv_compare_reads reads;
#endif
} amp_priv_comparison;

/* // >>parts */

static inline size_t amp_priv_head_span(const amp_priv_head *head)
{
    const amp_priv_shape shape = amp_priv_shape_of(head);
    return amp_priv_shape_span(&shape) * shape.element_size;
}

/* The part that overlaps this memory; NULL: none. */
AMP_PRIV_COLD amp_priv_compare_part *amp_priv_compare_part_at(amp_priv_comparison *c, uintptr_t first, uintptr_t end)
{
    for (int p = 0; p < c->part_count; p++)
        if (first < c->part[p].end && c->part[p].first < end)
            return &c->part[p];
    return NULL;
}

/* Where the copy has what the program has at `data`. */
static inline char *amp_priv_compare_in_copy(const amp_priv_compare_part *part, const char *data)
{
    return part->copy + ((uintptr_t)data - part->first);
}

/* That of a captured view. */
AMP_PRIV_COLD amp_priv_compare_part *amp_priv_compare_part_of(amp_priv_comparison *c, const amp_priv_head *head)
{
    const uintptr_t first = (uintptr_t)amp_priv_head_data(head);
    return amp_priv_compare_part_at(c, first, first + amp_priv_head_span(head));
}

/* Adds the memory of a view, and makes one of parts that overlap. */
AMP_PRIV_COLD void amp_priv_compare_part_add(amp_priv_comparison *c, const amp_priv_head *head)
{
    const uintptr_t data = (uintptr_t)amp_priv_head_data(head);
    amp_priv_compare_part part = { .first = data & ~(uintptr_t)(AMP_PRIV_COMPARE_ALIGN - 1),
                                   .end = data + amp_priv_head_span(head) };
    for (amp_priv_compare_part *other; (other = amp_priv_compare_part_at(c, part.first, part.end)) != NULL;) {
        part.first = other->first < part.first ? other->first : part.first;
        part.end = other->end > part.end ? other->end : part.end;
        *other = c->part[--c->part_count];
    }
    c->part[c->part_count++] = part;
}

/* Are the first elements of a capture's view, or some, among the discarded? */
AMP_PRIV_COLD bool amp_priv_compare_is_discarded(const amp_priv_comparison *c, int capture)
{
    for (int i = 0; i < c->discarded_count; i++)
        if (c->discarded[i].capture == capture)
            return true;
    return false;
}

/* Chooses what is copied: what may be written, what has no defined contents, what overlaps with that; all of it where
   the second run is on a device. */
AMP_PRIV_COLD void amp_priv_compare_choose(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    const int count = launch->site->capture_count;
    for (int i = 0; i < count; i++) {
        const amp_priv_head *const head = c->head[i];
        if (head && amp_priv_head_span(head) > 0 &&
            (c->queue || head->kind != AMP_PRIV_CONST_VIEW || amp_priv_compare_is_discarded(c, i)))
            amp_priv_compare_part_add(c, head);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < count; i++) {
            const amp_priv_head *const head = c->head[i];
            if (!head || amp_priv_head_span(head) == 0)
                continue;
            const uintptr_t first = (uintptr_t)amp_priv_head_data(head), end = first + amp_priv_head_span(head);
            const amp_priv_compare_part *const part = amp_priv_compare_part_at(c, first, end);
            if (part && (first < part->first || end > part->end)) {
                amp_priv_compare_part_add(c, head);
                changed = true;
            }
        }
    }
}

/* Memory for the copies, within the limit. */
AMP_PRIV_COLD bool amp_priv_compare_allocate(amp_priv_comparison *c)
{
    const int copies = 1 + (AMP_PRIV_HOST_CHECKED && !c->queue);
    for (int p = 0; p < c->part_count; p++)
        c->bytes += (size_t)copies * (c->part[p].end - c->part[p].first);
    if (atomic_fetch_add(&amp_priv_comparisons.bytes, c->bytes) + c->bytes > amp_priv_compare.bytes) {
        c->reason = "the copy of its views is larger than AMP_COMPARE_MEMORY, a number of megabytes, allows";
        return false;
    }
    for (int p = 0; p < c->part_count; p++) {
        amp_priv_compare_part *const part = &c->part[p];
        const size_t bytes = part->end - part->first;
        part->copy = amp_priv_aligned_alloc(AMP_PRIV_PAGE, bytes);
        part->inputs = copies > 1 ? amp_priv_aligned_alloc(AMP_PRIV_PAGE, bytes) : NULL;
        if (!part->copy || (copies > 1 && !part->inputs)) {
            c->reason = "there is no memory for the copy of its views";
            return false;
        }
    }
    return true;
}

/* // >>discarded: contents that are not defined. The first run gets one value there and the second run another one:
   what both have left is no difference, and what is computed from it is one. Integers are small, as they may be
   indices. */

AMP_PRIV_COLD void amp_priv_compare_garbage(char *element, const amp_priv_fields *fields, bool second)
{
    memset(element, second ? 0x2a : 0x55, fields->size);
    for (int f = 0; f < fields->count; f++) {
        const amp_priv_field *const field = &fields->field[f];
        if (field->kind > AMP_PRIV_FIELD_UNSIGNED)
            continue;
        const uint64_t value = second ? 42 : 85;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        memcpy(element + field->offset, (const char *)&value + sizeof value - field->size, field->size);
#else
        memcpy(element + field->offset, &value, field->size);
#endif
    }
}

/* Notes the discarded boxes of a view, whose source is locked. */
AMP_PRIV_COLD bool amp_priv_compare_note_discarded(amp_priv_comparison *c, int capture)
{
    const amp_priv_source *const source = c->head[capture]->source;
    const amp_priv_shape shape = amp_priv_shape_of(c->head[capture]);
    amp_priv_region region;
    if (!source->directory.discarded)
        return true;
    amp_priv_region_of(&source->base, &shape, &region);
    for (int b = 0; b < region.count; b++)
        for (int i = 0; i < source->directory.count; i++) {
            amp_priv_box common;
            if (!source->directory.blocks[i].discarded ||
                !amp_priv_box_meet(&source->directory.blocks[i].box, &region.boxes[b], source->directory.rank, &common))
                continue;
            if (!amp_priv_list_reserve(&c->discarded, &c->discarded_capacity, c->discarded_count + 1,
                                       sizeof *c->discarded, NULL))
                return false;
            c->discarded[c->discarded_count++] = (amp_priv_compare_discarded){ capture, common };
        }
    return true;
}

/* Fills a row: in the source's memory, or (part) what lies in that, in its copy. */
AMP_PRIV_COLD void amp_priv_compare_fill_row(uintptr_t at, size_t bytes, const char *element, size_t size,
                                             const amp_priv_compare_part *part)
{
    const uintptr_t first = part ? part->first : 0, end = part ? part->end : UINTPTR_MAX;
    const uintptr_t to_copy = part ? (uintptr_t)part->copy - part->first : 0;
    for (const uintptr_t last = at + bytes; at + size <= last; at += size)
        if (at >= first && at + size <= end)
            memcpy((char *)(at + to_copy), element, size);
}

/* Fills the rows of box n. */
AMP_PRIV_COLD void amp_priv_compare_fill(const amp_priv_comparison *c, const amp_priv_launch_site *site, int n,
                                         const amp_priv_compare_part *part)
{
    const amp_priv_head *const head = c->head[c->discarded[n].capture];
    const amp_priv_source *const source = head->source;
    const amp_priv_shape shape = amp_priv_shape_of_box(&source->base, &c->discarded[n].box);
    amp_priv_fields fields;
    char element[AMP_PRIV_ELEMENT_BYTES];
    amp_priv_fields_of(&fields, site, head->element);
    amp_priv_compare_garbage(element, &fields, part != NULL);
    for (amp_priv_rect_walk r = amp_priv_rect_walk_begin(&shape, source->base.data, &shape, source->base.data); r.more;
         amp_priv_rect_walk_next(&r))
        for (size_t row = 0; row < r.a.rows * r.a.slices; row++) {
            const size_t at = amp_priv_rect_row(&r.a, row);
            amp_priv_compare_fill_row((uintptr_t)source->base.data + at, r.a.row_bytes, element, fields.size, part);
        }
}

/* // >>inputs */

/* Has host memory what a captured view looks at? Discarded contents get a value there. */
AMP_PRIV_COLD bool amp_priv_compare_acquire(amp_priv_comparison *c, const amp_priv_launch_site *site, int capture)
{
    const amp_priv_head *const head = c->head[capture];
    amp_priv_source *const source = head->source;
    const amp_priv_shape shape = amp_priv_shape_of(head);
    const int before = c->discarded_count;
    if (head->element->size > AMP_PRIV_ELEMENT_BYTES) {
        c->reason = "its elements are too large";
        return false;
    }
    amp_priv_source_lock(source);
    bool good = amp_priv_compare_note_discarded(c, capture);
    const bool fills = c->discarded_count > before;
    good = good && amp_priv_acquire_host(source, &shape, fills ? AMP_PRIV_READ_WRITE : AMP_PRIV_READ) == AMP_OK;
    if (fills && good) {
#if defined(AMP_CHECKED)
        const bool is_untouched = source->watch.is_untouched;
        const uint32_t held_on = source->watch.held_on;
        amp_priv_write_check_note(source, AMP_PRIV_READ_WRITE);
        source->watch.is_untouched = is_untouched;
        source->watch.held_on = held_on;
#endif
        for (int n = before; n < c->discarded_count; n++)
            amp_priv_compare_fill(c, site, n, NULL);
    }
    amp_priv_source_unlock(source);
    if (!good)
        c->reason = "its inputs could not be read";
    return good;
}

/* Copies the inputs. What is discarded gets the other value there. */
AMP_PRIV_COLD void amp_priv_compare_copy(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    for (int i = 0; i < launch->site->capture_count; i++) {
        const amp_priv_head *const head = c->head[i];
        const amp_priv_compare_part *const part = head ? amp_priv_compare_part_of(c, head) : NULL;
        if (!part)
            continue;
        const amp_priv_shape shape = amp_priv_shape_of(head);
        amp_priv_shape to = shape;
        to.data = amp_priv_compare_in_copy(part, shape.data);
        amp_priv_copy_host(&to, &shape);
    }
    for (int n = 0; n < c->discarded_count; n++) {
        const amp_priv_head *const head = c->head[c->discarded[n].capture];
        const amp_priv_compare_part *const part = amp_priv_compare_part_of(c, head);
        if (part)
            amp_priv_compare_fill(c, launch->site, n, part);
    }
    for (int p = 0; p < c->part_count; p++)
        if (c->part[p].inputs)
            memcpy(c->part[p].inputs, c->part[p].copy, c->part[p].end - c->part[p].first);
}

/* Copies of the captured views, and memory for those of the second run. */
AMP_PRIV_COLD bool amp_priv_compare_heads(amp_priv_comparison *c, const amp_priv_launch *launch)
{
    const amp_priv_launch_site *const site = launch->site;
    size_t bytes = 0;
    for (int i = 0; i < site->capture_count; i++)
        if (amp_priv_launch_head(launch, i))
            bytes += 2 * ((site->captures[i].size + 15) & ~(size_t)15);
    char *at = c->heads = malloc(bytes + 1);
    for (int i = 0; c->heads && i < site->capture_count; i++) {
        if (!amp_priv_launch_head(launch, i))
            continue;
        const size_t size = (site->captures[i].size + 15) & ~(size_t)15;
        c->head[i] = memcpy(at, launch->captured[i], site->captures[i].size);
        c->second[i] = memcpy(at + size, launch->captured[i], site->captures[i].size);
        at += 2 * size;
    }
    return c->heads != NULL;
}

AMP_PRIV_COLD void amp_priv_compare_free(amp_priv_comparison *c)
{
    for (int p = 0; p < c->part_count; p++) {
        if (c->part[p].twin)
            (void)amp_priv_source_release(c->part[p].twin);
        amp_priv_aligned_free(c->part[p].copy);
        amp_priv_aligned_free(c->part[p].inputs);
    }
    atomic_fetch_sub(&amp_priv_comparisons.bytes, c->bytes);
    free(c->result.map);
    free(c->discarded);
    free(c->heads);
    free(c);
}

#endif /* AMP_COMPARE_COMPARE_MEMORY_H */
