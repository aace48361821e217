/* SPDX-License-Identifier: MIT */
/*  amp/checked/dry_values.h - checked builds: the values of a dry run (dry_run.h) and their conversions

    Contents (search for the tag):
        >>values  >>faults  >>conversions */
#ifndef AMP_CHECKED_DRY_VALUES_H
#define AMP_CHECKED_DRY_VALUES_H

#include "../codegen/fields.h"
#include "../codegen/tree_text.h"
#include "portability.h"

#if defined(AMP_CHECKED)

/* // >>values */

typedef enum amp_priv_dry_kind {
    AMP_PRIV_DRY_UNKNOWN,
    AMP_PRIV_DRY_UNSET,   /* nothing has written it */
    AMP_PRIV_DRY_INTEGER, /* of an unsigned long: its bits */
    AMP_PRIV_DRY_REAL,
    AMP_PRIV_DRY_INDEX, /* v: its components */
    AMP_PRIV_DRY_TILE,  /* v: tile, first index of the tile, and thread, three components of each */
    AMP_PRIV_DRY_VIEW   /* integer: the number of the capture */
} amp_priv_dry_kind;

enum { AMP_PRIV_DRY_ORIGIN = 3, AMP_PRIV_DRY_LOCAL = 6, AMP_PRIV_DRY_COMPONENTS = 9 };

typedef struct amp_priv_dry_value {
    unsigned char kind, number; /* number: its amp_priv_number_type, or of an index its rank */
    union {
        long long integer;
        double real;
        int v[AMP_PRIV_DRY_COMPONENTS];
    };
} amp_priv_dry_value;

/* A variable of the body or of a function. */
enum { AMP_PRIV_DRY_DIMENSIONS = 6, AMP_PRIV_DRY_ELEMENTS = 1 << 13 };
typedef struct amp_priv_dry_variable {
    amp_priv_dry_value one, *element; /* element: of an array */
    int dimensions, size[AMP_PRIV_DRY_DIMENSIONS];
    bool is_lost; /* its values are not known: a pointer leads there */
} amp_priv_dry_variable;

typedef struct amp_priv_dry_frame {
    const amp_priv_tree *tree;
    amp_priv_dry_variable *variable; /* by their numbers */
    amp_priv_dry_value result;
    int depth;
} amp_priv_dry_frame;

/* What an index has written to an element of a view. */
typedef struct amp_priv_dry_element {
    const char *at;
    unsigned generation;
    amp_priv_dry_value value;
} amp_priv_dry_element;

enum { AMP_PRIV_DRY_WRITES = 1 << 12 };

typedef struct amp_priv_dry_run {
    const amp_priv_kernel_tree *body;
    const amp_priv_launch *launch;
    uint64_t on_host; /* the captured views whose elements are known, a bit each */
    amp_priv_dry_frame *frame;
    amp_priv_dry_value tile;
    amp_priv_launch_position at;
    amp_priv_dry_element *written;
    unsigned generation, writes;
    bool forgets; /* elements of views may have changed in ways that are not known */
    bool stops;   /* what comes next is not known */
    enum { AMP_PRIV_DRY_GOES_ON, AMP_PRIV_DRY_BREAKS, AMP_PRIV_DRY_CONTINUES, AMP_PRIV_DRY_RETURNS } jump;
    long steps, steps_left; /* of this index, and of all */
    unsigned changes;       /* of variables and elements so far */
    bool hangs;             /* the fault is a loop that never ends: the launch would */
    amp_priv_string fault;  /* what is reported */
} amp_priv_dry_run;

static const amp_priv_dry_value amp_priv_dry_unknown = { .kind = AMP_PRIV_DRY_UNKNOWN,
                                                         .number = AMP_PRIV_NUMBER_OTHER };

AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_integer(long long value, amp_priv_number_type number)
{
    return (amp_priv_dry_value){ .kind = AMP_PRIV_DRY_INTEGER, .number = (unsigned char)number, .integer = value };
}

/* Rounded to its type. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_real(double value, amp_priv_number_type number)
{
    if (number != AMP_PRIV_NUMBER_FLOAT && number != AMP_PRIV_NUMBER_DOUBLE)
        return amp_priv_dry_unknown;
    return (amp_priv_dry_value){ .kind = AMP_PRIV_DRY_REAL,
                                 .number = (unsigned char)number,
                                 .real = number == AMP_PRIV_NUMBER_FLOAT ? (double)(float)value : value };
}

AMP_PRIV_COLD bool amp_priv_dry_is_number(amp_priv_dry_value value)
{
    return value.kind == AMP_PRIV_DRY_INTEGER || value.kind == AMP_PRIV_DRY_REAL;
}

/* Is it not 0? Of a number. */
AMP_PRIV_COLD bool amp_priv_dry_is_true(amp_priv_dry_value value)
{
    return value.kind == AMP_PRIV_DRY_INTEGER ? value.integer != 0
                                              : value.real < 0 || value.real > 0 || isnan(value.real);
}

AMP_PRIV_COLD double amp_priv_dry_as_real(amp_priv_dry_value value)
{
    return value.kind == AMP_PRIV_DRY_REAL          ? value.real
           : value.number == AMP_PRIV_NUMBER_UINT64 ? (double)(unsigned long long)value.integer
                                                    : (double)value.integer;
}

AMP_PRIV_COLD const char *amp_priv_dry_text(char *text, size_t size, amp_priv_dry_value value)
{
    if (value.kind == AMP_PRIV_DRY_REAL)
        snprintf(text, size, "%.9g", value.real);
    else if (value.number == AMP_PRIV_NUMBER_UINT64)
        snprintf(text, size, "%llu", (unsigned long long)value.integer);
    else
        snprintf(text, size, "%lld", value.integer);
    return text;
}

/* // >>faults: the first one ends the run. What an algorithm does itself is not reported. */

enum { AMP_PRIV_DRY_NUMBER = 40 /* bytes of a number's text */ };

AMP_PRIV_PRINTF(3, 4)
AMP_PRIV_COLD void amp_priv_dry_fault(amp_priv_dry_run *run, int n, const char *format, ...)
{
    char where[512], what[512];
    amp_priv_string expression = { .text = NULL };
    va_list arguments;
    if (run->stops)
        return;
    run->stops = true;
    amp_priv_add_tree(&expression, run->frame->tree, n, 0);
    if (expression.failed || !expression.text || strstr(expression.text, "amp_priv_")) {
        free(expression.text);
        return;
    }
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    amp_priv_addf(&run->fault, "%s, '%s' %s", amp_priv_position_text(where, sizeof where, &run->at), expression.text,
                  what);
    free(expression.text);
}

/* // >>conversions */

AMP_PRIV_COLD const char *amp_priv_number_name(amp_priv_number_type number)
{
    static const char *const names[] = { [AMP_PRIV_NUMBER_BOOL] = "bool",       [AMP_PRIV_NUMBER_INT8] = "int8_t",
                                         [AMP_PRIV_NUMBER_UINT8] = "uint8_t",   [AMP_PRIV_NUMBER_INT16] = "int16_t",
                                         [AMP_PRIV_NUMBER_UINT16] = "uint16_t", [AMP_PRIV_NUMBER_INT] = "int",
                                         [AMP_PRIV_NUMBER_UINT] = "uint32_t",   [AMP_PRIV_NUMBER_INT64] = "int64_t",
                                         [AMP_PRIV_NUMBER_UINT64] = "uint64_t", [AMP_PRIV_NUMBER_HALF] = "half",
                                         [AMP_PRIV_NUMBER_FLOAT] = "float",     [AMP_PRIV_NUMBER_DOUBLE] = "double",
                                         [AMP_PRIV_NUMBER_OTHER] = "" };
    return names[number];
}

/* The bits that an integer of that type keeps of a value. */
AMP_PRIV_COLD long long amp_priv_dry_kept(long long value, amp_priv_number_type number)
{
    switch (number) {
    case AMP_PRIV_NUMBER_BOOL: return value != 0;
    case AMP_PRIV_NUMBER_INT8: return (int8_t)value;
    case AMP_PRIV_NUMBER_UINT8: return (uint8_t)value;
    case AMP_PRIV_NUMBER_INT16: return (int16_t)value;
    case AMP_PRIV_NUMBER_UINT16: return (uint16_t)value;
    case AMP_PRIV_NUMBER_INT: return (int32_t)value;
    case AMP_PRIV_NUMBER_UINT: return (uint32_t)value;
    default: return value;
    }
}

/* A floating-point number as an integer, without its fraction. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_cut(amp_priv_dry_run *run, int n, amp_priv_dry_value value,
                                                  amp_priv_number_type number)
{
    char text[AMP_PRIV_DRY_NUMBER];
    const double whole = trunc(value.real),
                 most = ldexp(1, (int)(8 * amp_priv_number_size(number)) - !amp_priv_number_is_unsigned(number));
    const double least = amp_priv_number_is_unsigned(number) ? 0 : -most;
    if (number == AMP_PRIV_NUMBER_BOOL)
        return amp_priv_dry_integer(amp_priv_dry_is_true(value), number);
    if (isnan(value.real) || whole < least || whole >= most) {
        amp_priv_dry_fault(run, n,
                           "is %s, which no %s holds: devices make other integers of it than the CPU; limit it with "
                           "amp_clamp",
                           amp_priv_dry_text(text, sizeof text, value), amp_priv_number_name(number));
        return amp_priv_dry_unknown;
    }
    return amp_priv_dry_integer(number == AMP_PRIV_NUMBER_UINT64 ? (long long)(unsigned long long)whole
                                                                 : (long long)whole,
                                number);
}

/* The value of n in another type, without a cast of the user's where it is stored. */
AMP_PRIV_COLD amp_priv_dry_value amp_priv_dry_convert(amp_priv_dry_run *run, int n, amp_priv_dry_value value,
                                                      amp_priv_number_type number)
{
    if (number == AMP_PRIV_NUMBER_OTHER || value.kind >= AMP_PRIV_DRY_INDEX)
        return value;
    if (!amp_priv_dry_is_number(value))
        return amp_priv_dry_unknown;
    if (!amp_priv_number_is_integer(number))
        return amp_priv_dry_real(amp_priv_dry_as_real(value), number);
    if (value.kind == AMP_PRIV_DRY_REAL)
        return amp_priv_dry_cut(run, n, value, number);
    return amp_priv_dry_integer(amp_priv_dry_kept(value.integer, number), number);
}

#endif

#endif /* AMP_CHECKED_DRY_VALUES_H */
