/* SPDX-License-Identifier: MIT */
/*  amp/memory/read_write.h - amp_read, amp_write: one element of a view, as a copy */
#ifndef AMP_MEMORY_READ_WRITE_H
#define AMP_MEMORY_READ_WRITE_H

#include "array_view.h"
#include "copy.h"

/* The part of a view that is one element. False after reporting. */
AMP_PRIV_COLD bool amp_priv_element_at(const char *call, const amp_priv_head *head, const amp_priv_argument *arguments,
                                       amp_priv_copy_operand *element)
{
    int index[AMP_MAX_RANK];
    char given[160], extent[160];
    if (!amp_priv_head_ready(head, call) || !amp_priv_components(call, "the index", head->rank, arguments, index))
        return false;
    *element = amp_priv_copy_operand_of(head);
    amp_priv_shape *const shape = &element->shape;
    amp_priv_offset at = 0;
    bool is_inside = true;
    for (int d = 0; d < shape->rank; d++) {
        is_inside = is_inside && index[d] >= 0 && index[d] < shape->extent[d];
        at += index[d] * shape->stride[d];
    }
    if (!is_inside) {
        amp_priv_report(
            AMP_INVALID_ARGUMENT,
            "%s: the index %s is outside of the view, whose extent is %s; indexes begin at 0 and stay below "
            "the extent",
            call, amp_priv_list(given, sizeof given, index, shape->rank),
            amp_priv_list(extent, sizeof extent, shape->extent, shape->rank));
        return false;
    }
    shape->data += at * (amp_priv_offset)shape->element_size;
    for (int d = 0; d < shape->rank; d++)
        shape->extent[d] = 1;
    return true;
}

/* Writes the element's value to `value`, which is zero, and returns that. */
AMP_PRIV_API void *amp_priv_read(void *value, const amp_priv_head *source, const amp_priv_argument *index)
{
    amp_priv_copy_operand from;
    if (!amp_priv_element_at("amp_read", source, index, &from))
        return value;
    const amp_priv_copy_operand to = amp_priv_copy_operand_at(value, &from.shape);
    if (amp_priv_copy_check("amp_read", &from, &to) == AMP_OK && amp_priv_copy_between(&from, &to) == AMP_OK)
        amp_priv_write_check_copied(from.source, value, from.shape.element_size, "amp_read");
    return value;
}

AMP_PRIV_API amp_status amp_priv_write(const void *value, const amp_priv_head *destination,
                                       const amp_priv_argument *index)
{
    amp_priv_copy_operand to;
    if (!amp_priv_element_at("amp_write", destination, index, &to))
        return amp_priv_failed();
    const amp_priv_copy_operand from = amp_priv_copy_operand_at(value, &to.shape);
    const amp_status status = amp_priv_copy_check("amp_write", &from, &to);
    return status == AMP_OK ? amp_priv_copy_between(&from, &to) : status;
}

#if defined(AMP_CHECKED)
/* The same of a value that was `given`, of which `kept` is left. spelled: the value; and where it is. */
AMP_PRIV_API amp_status amp_priv_write_looked(const void *value, const amp_priv_head *destination,
                                              const amp_priv_argument *index, double given, double kept,
                                              const char *spelled, const char *file, int line)
{
    if (given < kept || given > kept)
        amp_priv_log(AMP_PRIV_LOG_WARNING,
                     "amp_write(%.60s, ...) at %s:%d: the elements are integers, and the value %g becomes %g: make the "
                     "view one of float or double; if the fraction is not wanted, write (int) before the value",
                     spelled, file, line, given, kept);
    return amp_priv_write(value, destination, index);
}
#endif

#endif /* AMP_MEMORY_READ_WRITE_H */
