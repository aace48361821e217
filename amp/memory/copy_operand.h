/* SPDX-License-Identifier: MIT */
/*  amp/memory/copy_operand.h - the two sides of a copy */
#ifndef AMP_MEMORY_COPY_OPERAND_H
#define AMP_MEMORY_COPY_OPERAND_H

#include "array.h"

/* Is something refused of a copy, which was reported then? */
static inline bool amp_priv_copy_refused(amp_priv_copy_refusal what)
{
    return amp_priv_recording_here && amp_priv_recording_here->copies->refuses(what);
}

/* One side of a copy: a part of a source, or (source NULL) host memory that was given as a pointer. */
typedef struct amp_priv_copy_operand {
    amp_priv_source *source;
    amp_priv_shape shape;
} amp_priv_copy_operand;

static inline amp_priv_copy_operand amp_priv_copy_operand_of(const amp_priv_head *head)
{
    const amp_priv_copy_operand operand = { head->source, amp_priv_shape_of(head) };
    return operand;
}

/* Dense host memory with the extents and elements of `like`. */
static inline amp_priv_copy_operand amp_priv_copy_operand_at(const void *data, const amp_priv_shape *like)
{
    const amp_priv_copy_operand operand = { NULL, amp_priv_dense((void *)(uintptr_t)data, like->element_size,
                                                                 like->rank, like->extent) };
    return operand;
}

/* A copy has ended that is noted: what it used. */
AMP_PRIV_COLD void amp_priv_copy_noted(const amp_priv_copy_operand *from, const amp_priv_copy_operand *to,
                                       amp_status status)
{
    amp_priv_recording_here->copies->uses(from->source, &from->shape, false, status);
    amp_priv_recording_here->copies->uses(to->source, &to->shape, true, status);
}

#endif /* AMP_MEMORY_COPY_OPERAND_H */
