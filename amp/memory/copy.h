/* SPDX-License-Identifier: MIT */
/*  amp/memory/copy.h - copies

    Contents (search for the tag):
        >>check  >>copy */
#ifndef AMP_MEMORY_COPY_H
#define AMP_MEMORY_COPY_H

#include "../api/copy.h"
#include "../base/backend_list.h"
#if AMP_PRIV_HAS_OTHERS
#include "copy_devices.h"
#else
#include "copy_host.h"
#endif

/* // >>check */

enum { AMP_PRIV_TERM_TRIES = 1000 };

/* n * step, where n may be lo to hi. */
typedef struct amp_priv_term {
    amp_priv_offset step, lo, hi;
} amp_priv_term;

/* Can the terms, the largest step first, add up to `sum`? Where that takes more than the tries that are left: yes.
   Sections of views of another shape often interleave: halves of rows, members of structs. A comparison of the ends
   alone would send their copies through temporary memory, which takes 2.2 times as long (every second of 2,000,000
   floats, CPU backend), and algorithms would refuse them. */
AMP_PRIV_NOINLINE bool amp_priv_terms_reach(const amp_priv_term *terms, int count, amp_priv_offset sum, int *tries)
{
    if (count == 0)
        return sum == 0;
    if (--*tries < 0)
        return true;
    amp_priv_offset least = sum, most = sum; /* what is left for the first, whatever the others are */
    for (int i = 1; i < count; i++) {
        least -= terms[i].step * terms[i].hi;
        most -= terms[i].step * terms[i].lo;
    }
    const amp_priv_offset step = terms[0].step;
    amp_priv_offset n = least / step + (least % step > 0), last = most / step - (most % step < 0);
    n = n < terms[0].lo ? terms[0].lo : n;
    last = last > terms[0].hi ? terms[0].hi : last;
    while (n <= last && !amp_priv_terms_reach(terms + 1, count - 1, sum - n * step, tries))
        n++;
    return n <= last;
}

/* Puts a term where its step belongs; of equal steps one is enough. Returns how many there are. */
static inline int amp_priv_terms_add(amp_priv_term *terms, int count, amp_priv_offset step, amp_priv_offset lo,
                                     amp_priv_offset hi)
{
    int at = 0;
    while (at < count && terms[at].step > step)
        at++;
    // cppcheck-suppress uninitvar
    if (at < count && terms[at].step == step) {
        terms[at].lo += lo;
        terms[at].hi += hi;
        return count;
    }
    memmove(terms + at + 1, terms + at, (size_t)(count - at) * sizeof *terms);
    terms[at] = (amp_priv_term){ step, lo, hi };
    return count + 1;
}

/* Do two shapes have a byte in common: one of a, at its indexes times its strides, that is one of b? */
AMP_PRIV_NOINLINE bool amp_priv_shapes_meet(const amp_priv_shape *a, const amp_priv_shape *b)
{
    amp_priv_term terms[2 * AMP_MAX_RANK + 1];
    const amp_priv_offset size = (amp_priv_offset)a->element_size;
    int count = amp_priv_terms_add(terms, 0, 1, 1 - size, size - 1);
    for (int d = 0; d < a->rank; d++)
        if (a->extent[d] > 1)
            count = amp_priv_terms_add(terms, count, a->stride[d] * size, 0, a->extent[d] - 1);
    for (int d = 0; d < b->rank; d++)
        if (b->extent[d] > 1)
            count = amp_priv_terms_add(terms, count, b->stride[d] * size, 1 - b->extent[d], 0);
    int tries = AMP_PRIV_TERM_TRIES;
    return amp_priv_terms_reach(terms, count, b->data - a->data, &tries);
}

/* Same source and common elements? */
static inline bool amp_priv_copy_operands_overlap(const amp_priv_copy_operand *a, const amp_priv_copy_operand *b)
{
    return a->source && a->source == b->source && amp_priv_shapes_meet(&a->shape, &b->shape);
}

/* Extents must be equal, and two parts of one source must not overlap. Recordings on groups have launches alone. */
static inline amp_status amp_priv_copy_check(const char *call, const amp_priv_copy_operand *from,
                                             const amp_priv_copy_operand *to)
{
    for (int d = 0; d < from->shape.rank; d++)
        if (from->shape.extent[d] != to->shape.extent[d])
            return amp_priv_report(
                AMP_INVALID_ARGUMENT,
                "%s: the source's extent is %d in dimension %d, the destination's is %d; they must be equal: copy a "
                "section (amp_section)",
                call, from->shape.extent[d], d, to->shape.extent[d]);
    if (amp_priv_shape_size(&from->shape) > 0 && amp_priv_copy_operands_overlap(from, to))
        return amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: source and destination are overlapping parts of the same data; copy through another array", call);
    if (__builtin_expect(amp_priv_copy_refused(AMP_PRIV_COPY_ANY), 0))
        return amp_priv_failed();
    return AMP_OK;
}

/* Host memory is given with as many elements as the view or array has, or with its size. */
static inline amp_status amp_priv_count_check(const char *call, const void *data, size_t count,
                                              const amp_priv_shape *shape)
{
    const size_t size = amp_priv_shape_size(shape);
    if (count != AMP_UNCHECKED && count >= AMP_PRIV_ROOM) {
        count = (count - AMP_PRIV_ROOM) / shape->element_size;
        count = count < size ? count : size;
    }
    if (!data && size > 0)
        return amp_priv_report(AMP_INVALID_ARGUMENT, "%s: the pointer is NULL", call);
    if (count != AMP_UNCHECKED && count != size)
        return amp_priv_report(AMP_INVALID_ARGUMENT,
                               "%s: %zu elements of host memory for an extent of %zu elements; they must be as many: "
                               "copy a section (amp_section)",
                               call, count, size);
    return AMP_OK;
}

/* // >>copy */

AMP_PRIV_NOINLINE amp_status amp_priv_copy_between(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to)
{
    if (amp_priv_shape_size(&from->shape) == 0)
        return AMP_OK;
    amp_status status = AMP_OK;
    if (!from->source || !to->source) {
        const amp_priv_shape *const plain = from->source ? &to->shape : &from->shape;
        status = amp_priv_sync_aliasing_views(plain->data, amp_priv_shape_bytes(plain), !to->source);
    }
    return status == AMP_OK ? amp_priv_copy_sources(from, to) : status;
}

/* How a copy is carried out: at once, or as a future. */
typedef struct amp_priv_copy_job {
    amp_priv_copy_operand from, to;
} amp_priv_copy_job;

static amp_future amp_priv_copy_later(const char *call, const amp_priv_copy_operand *from,
                                      const amp_priv_copy_operand *to);

static inline amp_status amp_priv_copy_now(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to,
                                           amp_future *later, const char *call)
{
    if (!later)
        return amp_priv_copy_between(from, to);
    *later = amp_priv_copy_later(call, from, to);
    return later->amp_priv_future ? AMP_OK : amp_priv_failed();
}

AMP_PRIV_API amp_status amp_priv_copy(const char *call, const amp_priv_head *source, const amp_priv_head *destination,
                                      amp_future *later)
{
    if (!amp_priv_head_ready(source, call) || !amp_priv_head_ready(destination, call))
        return AMP_UNINITIALIZED_OBJECT;
    const amp_priv_copy_operand from = amp_priv_copy_operand_of(source), to = amp_priv_copy_operand_of(destination);
    const amp_status status = amp_priv_copy_check(call, &from, &to);
    if (status == AMP_OK)
        amp_priv_write_check_copies(from.source, to.source);
    return status == AMP_OK ? amp_priv_copy_now(&from, &to, later, call) : status;
}

AMP_PRIV_API amp_status amp_priv_copy_in(const char *call, const void *data, size_t count,
                                         const amp_priv_head *destination, amp_future *later)
{
    if (!amp_priv_head_ready(destination, call))
        return AMP_UNINITIALIZED_OBJECT;
    const amp_priv_copy_operand to = amp_priv_copy_operand_of(destination);
    const amp_status status = amp_priv_count_check(call, data, count, &to.shape);
    if (status != AMP_OK)
        return status;
    const amp_priv_copy_operand from = amp_priv_copy_operand_at(data, &to.shape);
    return amp_priv_copy_now(&from, &to, later, call);
}

AMP_PRIV_API amp_status amp_priv_copy_out(const char *call, const amp_priv_head *source, void *data, size_t count,
                                          amp_future *later)
{
    if (!amp_priv_head_ready(source, call))
        return AMP_UNINITIALIZED_OBJECT;
    const amp_priv_copy_operand from = amp_priv_copy_operand_of(source);
    const amp_status status = amp_priv_count_check(call, data, count, &from.shape);
    if (status != AMP_OK)
        return status;
    const amp_priv_copy_operand to = amp_priv_copy_operand_at(data, &from.shape);
    const amp_status copied = amp_priv_copy_now(&from, &to, later, call);
    if (copied == AMP_OK && !later)
        amp_priv_write_check_copied(from.source, data, amp_priv_shape_bytes(&from.shape), call);
    return copied;
}

#endif /* AMP_MEMORY_COPY_H */
