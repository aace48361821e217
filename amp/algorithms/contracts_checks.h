/* SPDX-License-Identifier: MIT */
/*  amp/algorithms/contracts_checks.h - checked builds: what amp/algorithms/contracts.h asks for, on the host

    Contents (search for the tag):
        >>begin  >>operation  >>sums  >>sorted  >>keys  >>places  >>value */
#ifndef AMP_ALGORITHMS_CONTRACTS_CHECKS_H
#define AMP_ALGORITHMS_CONTRACTS_CHECKS_H

#include "contracts.h"

#if defined(AMP_CHECKED) && AMP_PRIV_IMPLEMENTS

#include "../codegen/fields.h"
#include "../codegen/tree_calls.h"

#include <float.h>
#include <math.h>

/* // >>begin */

enum {
    AMP_PRIV_BREACH_OPERATION = 1, /* the first of what is wrong with it */
    AMP_PRIV_BREACH_SUM = 2,
    AMP_PRIV_BREACH_SORTED = 4,
    AMP_PRIV_BREACH_KEYS = 8,
    AMP_PRIV_BREACH_COMPARISON = 16,
    AMP_PRIV_BREACH_PLACES = 32,
    AMP_PRIV_BREACH_VALUE = 64
};

/* Once per kind and place. */
__attribute__((format(printf, 4, 5))) AMP_PRIV_COLD void
amp_priv_contract_warn(amp_priv_contract_site *site, unsigned kind, const char *function, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    if (atomic_fetch_or(&site->reported, kind) & kind)
        return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    amp_priv_log(AMP_PRIV_LOG_WARNING, "%s in %s, at or near %s:%d: %s", site->name, function, site->file, site->line,
                 text);
}

/* Is it this call's turn? The first four calls of a place, and then the eighth, the sixteenth, ... */
AMP_PRIV_COLD bool amp_priv_contract_is_due(amp_priv_contract_site *site, amp_accelerator_view view)
{
    const unsigned call = atomic_fetch_add_explicit(&site->calls, 1u, memory_order_relaxed) + 1;
    return (call <= 4 || !(call & (call - 1))) && !amp_priv_recording_here &&
           !amp_priv_queue_division(view.amp_priv_queue);
}

/* Begins a look, whose kernel stores `stored` elements. Errors are the call's to report. */
AMP_PRIV_COLD bool amp_priv_look_begin(amp_priv_contract *c, amp_accelerator_view view, const amp_priv_named *heads,
                                       size_t count, size_t stored, void *results)
{
    c->mode = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    c->dropped = amp_priv_last_error.dropped;
    const size_t bytes = stored * c->element->size + 2 * amp_priv_call_unit(c->element);
    bool begun = amp_priv_call_begin(&c->call, c->site->name, view, heads, count, bytes);
    if (begun && amp_priv_queue_division(c->call.view.amp_priv_queue)) {
        amp_priv_call_end(&c->call);
        begun = false;
    }
    if (!begun) {
        amp_priv_error_mode_end(c->mode);
        return false;
    }
    c->place = amp_priv_call_elements(&c->call, c->element, stored);
    amp_priv_call_view(&c->call, results, c->element, c->place, stored);
    return true;
}

/* What the kernel stored, on the host; NULL where it failed. */
AMP_PRIV_COLD const char *amp_priv_look_results(const amp_priv_contract *c, size_t stored)
{
    amp_const_array_view_uint8_t_1 view;
    if (amp_priv_call_failed(&c->call) || amp_priv_last_error.dropped != c->dropped)
        return NULL;
    const amp_priv_shape shape =
        amp_priv_temporary_shape(c->call.temporary, &amp_priv_element_uint8_t, c->place, stored * c->element->size);
    amp_priv_fill(&view, c->call.temporary->array.amp_priv.source, &amp_priv_element_uint8_t, AMP_PRIV_CONST_VIEW, 0,
                  &shape);
    return amp_priv_host_access(&view.amp_priv) ? (const char *)view.data : NULL;
}

AMP_PRIV_COLD void amp_priv_fields_of_element(amp_priv_fields *fields, const amp_priv_element *element,
                                              amp_priv_user_definition *definitions)
{
    const amp_priv_launch_site site = { .user_definitions = &definitions };
    amp_priv_fields_of(fields, &site, element);
}

/* An element as text: a number, or the first member that differs from another element's. */
AMP_PRIV_COLD const char *amp_priv_element_text(char *text, size_t size, const amp_priv_fields *fields, const char *at)
{
    size_t used = 0;
    for (int f = 0; f < fields->count && used + 8 < size; f++) {
        char one[64];
        amp_priv_field_text(one, sizeof one, &fields->field[f], at);
        used += (size_t)snprintf(text + used, size - used, "%s%s%s",
                                 f                   ? ", "
                                 : fields->count > 1 ? "{ "
                                                     : "",
                                 one, fields->count > 1 && f + 1 == fields->count ? " }" : "");
    }
    return text;
}

/* // >>operation */

AMP_PRIV_API bool amp_priv_contract_begin(amp_priv_contract *c, amp_priv_contract_site *site, const char *function,
                                          amp_accelerator_view view, const amp_priv_named *heads, size_t count,
                                          const int *extent, int rank, int64_t length, const amp_priv_element *element,
                                          amp_priv_user_definition *definitions, void *results)
{
    int64_t size = 1;
    for (int d = 0; d < rank; d++)
        size = extent[d] <= 0 || size > (INT64_C(1) << 40) ? 0 : size * extent[d];
    if (size == 0 || size > (INT64_C(1) << 40) || !amp_priv_contract_is_due(site, view) ||
        amp_priv_value_has(site->value, definitions, amp_priv_tree_is_effect)) /* which would come twice */
        return false;
    memset(c, 0, sizeof *c);
    c->site = site;
    c->function = function;
    c->element = element;
    c->size = size;
    c->length = length < 0 ? size : length;
    c->samples = size < AMP_PRIV_CONTRACT_SAMPLES ? (int)size : AMP_PRIV_CONTRACT_SAMPLES;
    c->step = size / c->samples;
    return amp_priv_look_begin(c, view, heads, count, (size_t)c->samples * AMP_PRIV_CONTRACT_RESULTS, results);
}

enum { AMP_PRIV_CONTRACT_OPERANDS = 1 << AMP_PRIV_CONTRACT_X | 1 << AMP_PRIV_CONTRACT_Y };

/* The results of a sample. */
typedef struct amp_priv_contract_sample {
    const amp_priv_fields *fields;
    const char *result[AMP_PRIV_CONTRACT_RESULTS];
} amp_priv_contract_sample;

/* Do two results differ, beyond the rounding of these and of the operands, a bit for each? Infinity and NaN differ from
   nothing. */
AMP_PRIV_COLD bool amp_priv_contract_differs(const amp_priv_contract_sample *s, int a, int b, unsigned operands)
{
    for (int f = 0; f < s->fields->count; f++) {
        const amp_priv_field *const field = &s->fields->field[f];
        const char *const one = s->result[a] + field->offset, *const two = s->result[b] + field->offset;
        if (field->kind < AMP_PRIV_FIELD_FLOAT) {
            if (memcmp(one, two, field->size) != 0)
                return true;
            continue;
        }
        double most = 0;
        const unsigned all = operands | 1u << a | 1u << b;
        for (int i = 0; i < AMP_PRIV_CONTRACT_RESULTS; i++)
            if (all >> i & 1u)
                most = fmax(most, fabs(amp_priv_field_value(field->kind, s->result[i] + field->offset)));
        const double x = amp_priv_field_value(field->kind, one), y = amp_priv_field_value(field->kind, two);
        const double ulps = field->kind == AMP_PRIV_FIELD_DOUBLE  ? 1e-10
                            : field->kind == AMP_PRIV_FIELD_FLOAT ? 1e-4
                                                                  : 0.05;
        if (fabs(x) <= DBL_MAX && fabs(y) <= DBL_MAX && fabs(x - y) > most * ulps)
            return true;
    }
    return false;
}

static inline bool amp_priv_contract_is_operand(const amp_priv_contract_sample *s, int result)
{
    return !amp_priv_contract_differs(s, result, AMP_PRIV_CONTRACT_X, 0) ||
           !amp_priv_contract_differs(s, result, AMP_PRIV_CONTRACT_Y, 0);
}

/* The identity of a sum of squares' root takes a sign away, and changes no result: ((e x) x) is compared, too. */
AMP_PRIV_COLD void amp_priv_contract_identity(const amp_priv_contract *c, const amp_priv_contract_sample *s)
{
    for (int side = 0; side < 2; side++) {
        const int once = side ? AMP_PRIV_CONTRACT_XE : AMP_PRIV_CONTRACT_EX;
        const int twice = side ? AMP_PRIV_CONTRACT_XE_X : AMP_PRIV_CONTRACT_EX_X;
        char text[3][160];
        if (!amp_priv_contract_differs(s, once, AMP_PRIV_CONTRACT_X, 0) ||
            !amp_priv_contract_differs(s, twice, AMP_PRIV_CONTRACT_XX, 1u << AMP_PRIV_CONTRACT_X))
            continue;
        amp_priv_element_text(text[0], sizeof text[0], s->fields, s->result[AMP_PRIV_CONTRACT_E]);
        amp_priv_element_text(text[1], sizeof text[1], s->fields, s->result[AMP_PRIV_CONTRACT_X]);
        amp_priv_element_text(text[2], sizeof text[2], s->fields, s->result[once]);
        amp_priv_contract_warn(c->site, AMP_PRIV_BREACH_OPERATION, c->function,
                               "%s is no identity of the operation %.100s: with the value %s it is %s; the identity "
                               "leaves each value as it is: 0 for a sum, 1 for a product, the greatest value of the "
                               "type for a minimum (INFINITY, INT_MAX), the least for a maximum (-INFINITY, INT_MIN)",
                               text[0], c->site->operation, text[1], text[2]);
        return;
    }
}

/* A struct that is one of the operands was chosen among equal keys. */
AMP_PRIV_COLD void amp_priv_contract_order(const amp_priv_contract *c, const amp_priv_contract_sample *s)
{
    char text[4][160];
    static const int shown[] = { AMP_PRIV_CONTRACT_X, AMP_PRIV_CONTRACT_Y, AMP_PRIV_CONTRACT_XY, AMP_PRIV_CONTRACT_YX };
    if (!amp_priv_contract_differs(s, AMP_PRIV_CONTRACT_XY, AMP_PRIV_CONTRACT_YX, AMP_PRIV_CONTRACT_OPERANDS) ||
        (s->fields->count > 1 && amp_priv_contract_is_operand(s, AMP_PRIV_CONTRACT_XY) &&
         amp_priv_contract_is_operand(s, AMP_PRIV_CONTRACT_YX)))
        return;
    for (int i = 0; i < 4; i++)
        amp_priv_element_text(text[i], sizeof text[i], s->fields, s->result[shown[i]]);
    amp_priv_contract_warn(c->site, AMP_PRIV_BREACH_OPERATION, c->function,
                           "the operation %.100s depends on the order: of %s and %s it is %s, and %s when they are "
                           "exchanged; a reduction combines in any order: move what concerns one value into the value "
                           "(-x, a + b), or use a scan, which keeps the order",
                           c->site->operation, text[0], text[1], text[2], text[3]);
}

AMP_PRIV_COLD void amp_priv_contract_groups(const amp_priv_contract *c, const amp_priv_contract_sample *s)
{
    char text[3][160];
    static const int shown[] = { AMP_PRIV_CONTRACT_XY_Z, AMP_PRIV_CONTRACT_X_YZ, AMP_PRIV_CONTRACT_X };
    if (!amp_priv_contract_differs(s, AMP_PRIV_CONTRACT_XY_Z, AMP_PRIV_CONTRACT_X_YZ,
                                   AMP_PRIV_CONTRACT_OPERANDS | 1u << AMP_PRIV_CONTRACT_XY))
        return;
    for (int i = 0; i < 3; i++)
        amp_priv_element_text(text[i], sizeof text[i], s->fields, s->result[shown[i]]);
    amp_priv_contract_warn(c->site, AMP_PRIV_BREACH_OPERATION, c->function,
                           "the operation %.100s is not associative: of three values, the first of which is %s, it is "
                           "%s from the left and %s from the right; the library combines parts first: move what "
                           "concerns one value into the value (x * x, a + b), and what concerns the result behind the "
                           "call (sum / n)",
                           c->site->operation, text[2], text[0], text[1]);
}

/* // >>sums */

/* Is it a + b? */
AMP_PRIV_COLD bool amp_priv_operation_is_sum(const char *operation)
{
    char letters[4] = "";
    for (int n = 0; *operation; operation++) {
        if (strchr(" ()", *operation))
            continue;
        if (n == 3)
            return false;
        letters[n++] = *operation;
    }
    return !strcmp(letters, "a+b") || !strcmp(letters, "b+a");
}

/* A sum of integers by its samples. Unsigned numbers of 32 and 64 bits may be meant to wrap. */
AMP_PRIV_COLD void amp_priv_contract_sum(const amp_priv_contract *c, const amp_priv_fields *fields, const char *stored)
{
    const amp_priv_field *const field = &fields->field[0];
    if (c->length == 0 || fields->count != 1 || !amp_priv_operation_is_sum(c->site->operation) ||
        !(field->kind == AMP_PRIV_FIELD_SIGNED || (field->kind == AMP_PRIV_FIELD_UNSIGNED && field->size < 4)))
        return;
    double sum = 0;
    const uint64_t sign = UINT64_C(1) << (8 * field->size - 1);
    const bool is_signed = field->kind == AMP_PRIV_FIELD_SIGNED;
    for (int i = 0; i < c->samples; i++) {
        const char *const at = stored + ((size_t)i * AMP_PRIV_CONTRACT_RESULTS + AMP_PRIV_CONTRACT_X) * field->size;
        const uint64_t bits = amp_priv_field_bits(field, at);
        sum += is_signed ? (double)(int64_t)((bits ^ sign) - sign) : (double)bits;
    }
    const bool is_exact = c->samples == c->length;
    sum *= (double)c->length / c->samples;
    const double most = is_signed ? (double)sign - 1 : 2 * (double)sign - 1;
    if (fabs(sum) > (is_exact ? most + 0.5 : 1.25 * most))
        amp_priv_contract_warn(c->site, AMP_PRIV_BREACH_SUM, c->function,
                               "the sum of %lld elements is %s%.10g, which does not fit the type of the result, %s (up "
                               "to %.10g): use a wider type for the result (int64_t, double), or amp_sum",
                               (long long)c->length, is_exact ? "" : "about ", sum, c->element->name, most);
}

AMP_PRIV_API void amp_priv_contract_end(amp_priv_contract *c, bool commutes, amp_priv_user_definition *definitions)
{
    amp_priv_fields fields;
    const char *const stored = amp_priv_look_results(c, (size_t)c->samples * AMP_PRIV_CONTRACT_RESULTS);
    amp_priv_fields_of_element(&fields, c->element, definitions);
    for (int look = commutes ? 0 : 1; stored && fields.known && look < 3; look++)
        for (int i = 0; i < c->samples; i++) {
            amp_priv_contract_sample sample = { .fields = &fields };
            for (int k = 0; k < AMP_PRIV_CONTRACT_RESULTS; k++)
                sample.result[k] = stored + (size_t)(i * AMP_PRIV_CONTRACT_RESULTS + k) * c->element->size;
            const int64_t behind = c->size - 1 - i * c->step; /* values behind this one */
            if (look == 0 && behind >= 1)
                amp_priv_contract_order(c, &sample);
            else if (look == 1 && behind >= 2)
                amp_priv_contract_groups(c, &sample);
            else if (look == 2)
                amp_priv_contract_identity(c, &sample);
        }
    if (stored && fields.known)
        amp_priv_contract_sum(c, &fields, stored);
    amp_priv_call_end(&c->call);
    amp_priv_error_mode_end(c->mode);
}

/* // >>sorted */

AMP_PRIV_API bool amp_priv_sorted_begin(amp_priv_contract *c, amp_priv_contract_site *site, const char *function,
                                        amp_accelerator_view view, const char *argument, const amp_priv_head *range,
                                        void *results)
{
    enum { AMP_PRIV_SORTED_PART = 64, AMP_PRIV_SORTED_SAMPLES = 1024 };
    const int size = range->source ? *amp_priv_head_extent(range) : 0;
    const int part = argument ? AMP_PRIV_SORTED_PART : 1;
    const int most = argument ? AMP_PRIV_SORTED_SAMPLES : AMP_PRIV_CONTRACT_SAMPLES;
    if (size < 1 || !amp_priv_contract_is_due(site, view))
        return false;
    memset(c, 0, sizeof *c);
    c->site = site;
    c->function = function;
    c->element = &amp_priv_element_int;
    c->size = size;
    c->samples = (size - 1) / part + 1;
    c->step = part;
    if (c->samples > most) {
        c->samples = most;
        c->step = (size - 1) / most;
    }
    return amp_priv_look_begin(c, view, &(amp_priv_named){ range, "v" }, 1, 2 * (size_t)c->samples, results);
}

/* Element i of a view of rank 1 as text. */
AMP_PRIV_COLD const char *amp_priv_head_text(char *text, size_t size, const amp_priv_head *head, int i,
                                             amp_priv_user_definition *definitions)
{
    amp_const_array_view_uint8_t_1 view;
    amp_priv_fields fields;
    amp_priv_shape shape = amp_priv_shape_of(head);
    shape.data += (amp_priv_offset)i * shape.stride[0] * (amp_priv_offset)shape.element_size;
    shape.extent[0] = 1;
    amp_priv_fill(&view, head->source, head->element, AMP_PRIV_CONST_VIEW, 0, &shape);
    amp_priv_fields_of_element(&fields, head->element, definitions);
    text[0] = '\0';
    if (amp_priv_host_access(&view.amp_priv))
        amp_priv_element_text(text, size, &fields, (const char *)view.data);
    return text;
}

AMP_PRIV_API bool amp_priv_sorted_end(amp_priv_contract *c, const char *argument, const amp_priv_head *range,
                                      amp_priv_user_definition *definitions)
{
    const char *const stored = amp_priv_look_results(c, 2 * (size_t)c->samples), *const less = c->site->operation;
    int found[2] = { -1, 0 };
    bool is_order = true;
    for (int i = 0; stored && i < c->samples && is_order; i++) {
        int these[2];
        memcpy(these, stored + (size_t)i * sizeof these, sizeof these);
        is_order = these[0] < 0 || (these[1] >= 0 && these[1] != these[0]);
        if (!is_order || found[0] < 0)
            memcpy(found, these, sizeof these);
    }
    const int other = found[1] < 0 ? ~found[1] : found[1];
    char before[160] = "", after[160] = "";
    if (found[0] >= 0) {
        amp_priv_head_text(before, sizeof before, range, found[0], definitions);
        amp_priv_head_text(after, sizeof after, range, other, definitions);
    }
    if (!is_order && found[0] == other)
        amp_priv_contract_warn(
            c->site, AMP_PRIV_BREACH_COMPARISON, c->function,
            "the comparison %.100s puts an element before itself: element %d, which is %s; it must be "
            "true only where a comes before b: write a < b instead of a <= b",
            less, other, before);
    else if (!is_order)
        amp_priv_contract_warn(
            c->site, AMP_PRIV_BREACH_COMPARISON, c->function,
            "the comparison %.100s puts each of two elements before the other: element %d, which is "
            "%s, and element %d, which is %s; it must be true only where a comes before b: write a < b "
            "instead of a - b or a != b",
            less, found[0], before, other, after);
    else if (found[0] >= 0 && argument)
        amp_priv_contract_warn(c->site, AMP_PRIV_BREACH_SORTED, c->function,
                               "%s is not sorted by %.100s: element %d is %s, and element %d is %s; sort it first "
                               "(amp_sort, AMP_SORT), or give the comparison by which it is sorted",
                               argument, less, found[0], before, other, after);
    amp_priv_call_end(&c->call);
    amp_priv_error_mode_end(c->mode);
    return is_order;
}

/* // >>keys */

/* Elements in memory of the host. */
typedef struct amp_priv_contract_row {
    const char *at;
    amp_priv_offset stride;
    size_t size;
} amp_priv_contract_row;

/* The first elements of a view; `at` is NULL where the host does not get them. */
AMP_PRIV_COLD amp_priv_contract_row amp_priv_contract_row_of(const amp_priv_head *head, int count)
{
    amp_const_array_view_uint8_t_1 view;
    amp_priv_shape shape = amp_priv_shape_of(head);
    shape.extent[0] = count;
    amp_priv_fill(&view, head->source, head->element, AMP_PRIV_CONST_VIEW, 0, &shape);
    const char *const at = amp_priv_host_access(&view.amp_priv) ? (const char *)view.data : NULL;
    return (amp_priv_contract_row){ at, shape.stride[0] * (amp_priv_offset)shape.element_size, shape.element_size };
}

/* The first of two equal keys of `count`, and the other one in *again: -1 where all differ. With values: of those whose
   values differ. */
AMP_PRIV_COLD int amp_priv_keys_first_again(amp_priv_contract_row keys, int count, const amp_priv_contract_row *values,
                                            int *again)
{
    size_t places = 4;
    while (places < 2 * (size_t)count)
        places *= 2;
    int *const table = calloc(places, sizeof *table), found = -1;
    for (int i = 0; table && i < count && found < 0; i++) {
        const char *const key = keys.at + i * keys.stride;
        size_t at = (size_t)(amp_priv_hash(AMP_PRIV_HASH_START, key, keys.size) >> 20) & (places - 1);
        while (table[at] && memcmp(keys.at + (table[at] - 1) * keys.stride, key, keys.size) != 0)
            at = (at + 1) & (places - 1);
        if (table[at] && (!values || memcmp(values->at + (table[at] - 1) * values->stride,
                                            values->at + i * values->stride, values->size) != 0)) {
            found = table[at] - 1;
            *again = i;
        }
        table[at] = i + 1;
    }
    free(table);
    return found;
}

enum { AMP_PRIV_KEYS_MOST = 1 << 16 };

AMP_PRIV_API void amp_priv_keys_look(amp_priv_contract_site *site, const char *function, const amp_priv_head *kept,
                                     const void *count, bool is_variable, amp_priv_user_definition *definitions)
{
    amp_const_array_view_int_1 view;
    int many = 0, again = 0;
    if (amp_priv_recording_here || !kept->source || !amp_priv_contract_is_due(site, (amp_accelerator_view){ NULL }))
        return;
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    amp_priv_shape shape;
    if (is_variable) {
        many = *(const int *)count;
    } else if (((const amp_priv_head *)count)->source) {
        shape = amp_priv_shape_of(count);
        shape.extent[0] = 1;
        amp_priv_fill(&view, ((const amp_priv_head *)count)->source, &amp_priv_element_int, AMP_PRIV_CONST_VIEW, 0,
                      &shape);
        many = amp_priv_host_access(&view.amp_priv) ? view.data[0] : 0;
    }
    const int length = *amp_priv_head_extent(kept);
    many = many < length ? many : length;
    many = many < AMP_PRIV_KEYS_MOST ? many : AMP_PRIV_KEYS_MOST;
    const amp_priv_contract_row keys = amp_priv_contract_row_of(kept, many);
    const int first = many > 1 && keys.at ? amp_priv_keys_first_again(keys, many, NULL, &again) : -1;
    char text[160];
    if (first >= 0)
        amp_priv_contract_warn(
            site, AMP_PRIV_BREACH_KEYS, function,
            "note: the key %s is that of the segments %d and %d: equal keys that are not adjacent are "
            "several segments; to get one for each key, sort by the keys first (amp_sort_by_key)",
            amp_priv_head_text(text, sizeof text, kept, first, definitions), first, again);
    amp_priv_error_mode_end(before);
}

/* // >>places */

AMP_PRIV_API void amp_priv_places_look(amp_priv_contract_site *site, const char *function, const amp_priv_head *in,
                                       const amp_priv_head *places, amp_priv_user_definition *definitions)
{
    int again = 0;
    if (amp_priv_recording_here || !amp_priv_contract_is_due(site, (amp_accelerator_view){ NULL }))
        return;
    const int before = amp_priv_error_mode_begin(AMP_PRIV_ERRORS_DROPPED);
    const int length = *amp_priv_head_extent(places), many = length < AMP_PRIV_KEYS_MOST ? length : AMP_PRIV_KEYS_MOST;
    const amp_priv_contract_row keys = amp_priv_contract_row_of(places, many),
                                values = amp_priv_contract_row_of(in, many);
    const int first = many > 1 && keys.at && values.at ? amp_priv_keys_first_again(keys, many, &values, &again) : -1;
    char text[160];
    if (first >= 0)
        amp_priv_contract_warn(site, AMP_PRIV_BREACH_PLACES, function,
                               "elements %d and %d go to the same place, %s, and any of them may stay: give each its "
                               "own place; to add them, use AMP_REDUCE_BY_KEY or amp_atomic_fetch_add",
                               first, again, amp_priv_head_text(text, sizeof text, places, first, definitions));
    amp_priv_error_mode_end(before);
}

/* // >>value */

AMP_PRIV_API void amp_priv_value_look(amp_priv_contract_site *site, const char *function, double given, double kept)
{
    if (given < kept || given > kept)
        amp_priv_contract_warn(site, AMP_PRIV_BREACH_VALUE, function,
                               "the elements are integers, and the value %.60s, %g, becomes %g: make the view one of "
                               "float or double; if the fraction is not wanted, write (int) before the value",
                               site->value, given, kept);
}

#endif /* AMP_CHECKED && AMP_PRIV_IMPLEMENTS */

#endif /* AMP_ALGORITHMS_CONTRACTS_CHECKS_H */
