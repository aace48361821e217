/* SPDX-License-Identifier: MIT */
/*  amp/compare/compare_values.h - AMP_COMPARE: how far two values are apart

    Contents (search for the tag):
        >>distance  >>views */
#ifndef AMP_COMPARE_COMPARE_VALUES_H
#define AMP_COMPARE_COMPARE_VALUES_H

#include "../codegen/fields.h"
#include "compare_options.h"

#include <float.h>
#include <math.h>

/* // >>distance */

/* Bits of a number with a fraction as an integer that has its order. */
AMP_PRIV_COLD int64_t amp_priv_field_order(const void *at, size_t size)
{
    int64_t wide;
    int32_t word;
    int16_t half;
    switch (size) {
    case 8: memcpy(&wide, at, 8); return wide < 0 ? INT64_MIN - wide : wide;
    case 4: memcpy(&word, at, 4); return word < 0 ? (int64_t)INT32_MIN - word : word;
    default: memcpy(&half, at, 2); return half < 0 ? (int64_t)INT16_MIN - half : half;
    }
}

/* Units in the last place between two numbers with fractions. Two NaNs are equal. */
AMP_PRIV_COLD double amp_priv_field_ulps(const amp_priv_field *field, const void *a, const void *b, double *apart)
{
    const double x = amp_priv_field_value(field->kind, a), y = amp_priv_field_value(field->kind, b);
    *apart = 0;
    if (x == y || (x != x && y != y)) // NOLINT -- NaN
        return 0;
    *apart = x != x || y != y ? HUGE_VAL : fabs(x - y);
    if (x != x || y != y)
        return HUGE_VAL;
    const int64_t i = amp_priv_field_order(a, field->size), j = amp_priv_field_order(b, field->size);
    return i > j ? (double)((uint64_t)i - (uint64_t)j) : (double)((uint64_t)j - (uint64_t)i);
}

/* // >>views */

/* Two contents of one view, and what was found. */
typedef struct amp_priv_view_difference {
    const amp_priv_fields *fields;
    bool only_looks; /* for any difference: `differ`, and nothing else */
    bool may_round;  /* integers may be rounded otherwise */
    double ulps_limit, absolute_limit;
    const char *garbage[2];         /* an element of what was there before, where that was discarded; or NULL */
    size_t compared, differ, first; /* first: the number of the first that differs, in row-major order */
    size_t beyond; /* of `differ`: those that rounding does not explain; the first of these is `first` */
    int first_field;
    char *first_values[2];
    double largest_ulps, largest_apart; /* ulps: of those further apart than absolute_limit */
    size_t excused;                     /* numbers that the absolute limit alone excuses */
    double first_ulps, first_apart;
    amp_priv_view_differs *map; /* where, for reports; NULL: not wanted */
} amp_priv_view_difference;

/* A map of nothing yet; NULL: it is not wanted, or there is no memory. */
AMP_PRIV_COLD amp_priv_view_differs *amp_priv_map_begin(const amp_priv_shape *shape)
{
    amp_priv_view_differs *const map = amp_priv_is_watched() ? calloc(1, sizeof *map) : NULL;
    if (!map)
        return NULL;
    size_t rows = 1;
    for (int k = 0; k < shape->rank; k++) {
        map->extent[k] = shape->extent[k];
        rows *= k + 1 < shape->rank ? (size_t)shape->extent[k] : 1;
    }
    const int columns = shape->extent[shape->rank - 1];
    map->rank = shape->rank;
    map->rows = rows < AMP_PRIV_MAP_SIDE ? (int)rows : AMP_PRIV_MAP_SIDE;
    map->columns = columns < AMP_PRIV_MAP_SIDE ? columns : AMP_PRIV_MAP_SIDE;
    return map;
}

/* The element of that number differs. */
AMP_PRIV_COLD void amp_priv_map_note(amp_priv_view_differs *map, size_t number)
{
    const size_t columns = (size_t)map->extent[map->rank - 1];
    size_t rows = 1;
    for (int k = 0; k + 1 < map->rank; k++)
        rows *= (size_t)map->extent[k];
    const size_t row = number / columns * (size_t)map->rows / rows,
                 column = number % columns * (size_t)map->columns / columns;
    map->count[row * (size_t)map->columns + column]++;
}

/* Adds the sizes of the numbers of one field in a row. */
AMP_PRIV_COLD void amp_priv_sizes_add(const amp_priv_field *field, const char *row, size_t count, size_t stride,
                                      double *sum, double *numbers)
{
    row += field->offset;
    for (size_t i = 0; i < count; i++, row += stride) {
        const double value = fabs(amp_priv_field_value(field->kind, row));
        *sum += value <= DBL_MAX ? value : 0;
        *numbers += value <= DBL_MAX;
    }
}

/* Is field f of an element beyond the limits? Notes the largest distances. Of sums that cancel, the distance in units
   in the last place says nothing. */
AMP_PRIV_COLD bool amp_priv_field_differs(amp_priv_view_difference *d, int f, const char *a, const char *b)
{
    const amp_priv_field *const field = &d->fields->field[f];
    a += field->offset;
    b += field->offset;
    if (field->kind < AMP_PRIV_FIELD_FLOAT)
        return memcmp(a, b, field->size) != 0;
    double apart;
    const double ulps = amp_priv_field_ulps(field, a, b, &apart);
    const bool is_far = ulps * (field->size == 2 ? AMP_PRIV_HALF_ULPS : 1) > d->ulps_limit;
    const bool is_small = is_far && !(apart > d->absolute_limit);
    d->excused += is_small;
    d->largest_ulps = ulps > d->largest_ulps && !is_small ? ulps : d->largest_ulps;
    d->largest_apart = apart > d->largest_apart ? apart : d->largest_apart;
    return is_far && !is_small;
}

/* Are they integers that differ by 1, or in each byte by at most 1, as the parts of a pixel? */
AMP_PRIV_COLD bool amp_priv_is_near_integer(const amp_priv_field *field, const char *a, const char *b)
{
    if (field->kind >= AMP_PRIV_FIELD_FLOAT || field->size > sizeof(uint64_t))
        return false;
    const uint64_t x = amp_priv_field_bits(field, a + field->offset), y = amp_priv_field_bits(field, b + field->offset);
    bool is_near = true;
    for (size_t i = 0; i < field->size; i++) {
        const int apart = (int)(x >> 8 * i & 255) - (int)(y >> 8 * i & 255);
        is_near = is_near && apart >= -1 && apart <= 1;
    }
    return is_near || x - y == 1 || y - x == 1;
}

/* Compares a row, from element `number` of the view on. */
AMP_PRIV_COLD void amp_priv_rows_compare(amp_priv_view_difference *d, const char *a, const char *b, size_t count,
                                         size_t number)
{
    const size_t size = d->fields->size;
    const bool differ = memcmp(a, b, count * size) != 0;
    if (d->only_looks) {
        d->differ += differ;
        return;
    }
    d->compared += count;
    if (!differ)
        return;
    for (size_t i = 0; i < count; i++, a += size, b += size) {
        if (d->garbage[0] && !memcmp(a, d->garbage[0], size) && !memcmp(b, d->garbage[1], size))
            continue; /* written on neither side */
        int first = -1;
        bool rounded = d->may_round;
        for (int f = d->fields->count - 1; f >= 0; f--)
            if (amp_priv_field_differs(d, f, a, b)) {
                rounded = rounded && amp_priv_is_near_integer(&d->fields->field[f], a, b);
                first = f;
            }
        if (first < 0)
            continue;
        if (d->map)
            amp_priv_map_note(d->map, number + i);
        d->beyond += !rounded;
        if (d->differ++ > 0 && (rounded || d->beyond > 1))
            continue;
        d->first = number + i;
        d->first_field = first;
        memcpy(d->first_values[0], a, size);
        memcpy(d->first_values[1], b, size);
        const amp_priv_field *const field = &d->fields->field[first];
        if (field->kind >= AMP_PRIV_FIELD_FLOAT)
            d->first_ulps = amp_priv_field_ulps(field, a + field->offset, b + field->offset, &d->first_apart);
    }
}

#endif /* AMP_COMPARE_COMPARE_VALUES_H */
