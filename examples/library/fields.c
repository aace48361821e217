// SPDX-License-Identifier: MIT
/*  library/fields.c - a shared library with a plain C interface; call.py, Call.cs and call.cpp call it.

    It shows what stands between kernels and callers that know nothing of them: arguments that are looked at, errors
    that become numbers and a text, a handle for data that stay on the device.

    Build   cc -O3 -march=native -fopenmp -fPIC -shared -fvisibility=hidden -I../.. fields.c -o libfields.so \
               -Wl,--version-script=fields.map,-z,nodelete -lm      (add -DAMP_BACKEND_OPENCL for OpenCL)
    Windows x86_64-w64-mingw32-gcc -O3 -fopenmp -shared -I../.. fields.c -o fields.dll -static
    docs/calling.md has more of it.                                                                        */
#define FIELDS_BUILD 1
#include "fields.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "amp_algorithms.h"

struct fields_field {
    amp_array_float_2 now, next;
};

/* ---- errors ---------------------------------------------------------------------------------------------- */

static _Thread_local char said[1024];

static void keep(const amp_error *error, void *user)
{
    (void)user;
    if (!said[0]) /* the first message of a call names the cause */
        snprintf(said, sizeof said, "%s", error->message);
}

/* The default handler ends the process, which is not for a library to do. This one is the library's alone, because
   fields.map keeps amp.h's symbols from other users of amp.h in the process. */
__attribute__((constructor)) static void begin(void) { amp_set_error_handler(keep, NULL); }

__attribute__((format(printf, 1, 2))) static int32_t refuse(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(said, sizeof said, format, values);
    va_end(values);
    return FIELDS_BAD_ARGUMENT;
}

/* What each call begins with. */
static void forget(void)
{
    amp_clear_error();
    said[0] = 0;
}

/* What has happened since forget(). */
static int32_t outcome(void)
{
    switch (amp_last_error()) {
    case AMP_OK: return FIELDS_OK;
    case AMP_OUT_OF_MEMORY: return FIELDS_OUT_OF_MEMORY;
    default: return FIELDS_FAILED;
    }
}

const char *fields_error(void) { return said; }

const char *fields_device(void) { return amp_accelerator_description(amp_accelerator_default()); }

/* ---- functions of the caller's memory ------------------------------------------------------------------------ */

/* The views end with these functions, and with them the results are home: nobody looks at the caller's memory later. */
static void saxpy(int count, float a, const float *x, float *y)
{
    AMP_CONST_ARRAY_VIEW(float, 1, vx, x, count);
    AMP_ARRAY_VIEW(float, 1, vy, y, count);
    AMP_PARALLEL_FOR_EACH(vy.extent, (i), AMP_CAPTURE(vx, vy, a), { AMP_AT(vy, i) += a * AMP_AT(vx, i); });
}

static void sort(int count, float *values)
{
    AMP_ARRAY_VIEW(float, 1, v, values, count);
    amp_sort(v);
}

/* FIELDS_OK, or what is wrong with an array that the caller gave. */
static int32_t check_array(const char *function, int64_t count, const float *values)
{
    if (count < 0 || count > INT_MAX)
        return refuse("%s: the count (%lld) is not from 0 to %d", function, (long long)count, INT_MAX);
    if (count > 0 && !values)
        return refuse("%s: an array is NULL", function);
    return FIELDS_OK;
}

int32_t fields_saxpy(int64_t count, float a, const float *x, float *y)
{
    if (check_array("fields_saxpy", count, x) || check_array("fields_saxpy", count, y))
        return FIELDS_BAD_ARGUMENT;
    const uintptr_t from = (uintptr_t)x, to = (uintptr_t)y, bytes = (uintptr_t)count * sizeof *x;
    if (from < to + bytes && to < from + bytes)
        return refuse("fields_saxpy: x and y overlap"); /* two views of one memory would not know of each other */
    forget();
    if (count > 0)
        saxpy((int)count, a, x, y);
    return outcome();
}

int32_t fields_sort(int64_t count, float *values)
{
    if (check_array("fields_sort", count, values))
        return FIELDS_BAD_ARGUMENT;
    forget();
    if (count > 0)
        sort((int)count, values);
    return outcome();
}

/* ---- fields, which stay where kernels run -------------------------------------------------------------------- */

void fields_release(fields_field *field)
{
    if (!field)
        return;
    amp_array_release(&field->now);
    amp_array_release(&field->next);
    free(field);
}

fields_field *fields_create(int32_t rows, int32_t cols, const float *values)
{
    if (rows < 1 || cols < 1 || !values) {
        refuse("fields_create: %d rows, %d columns and %s values", (int)rows, (int)cols, values ? "some" : "no");
        return NULL;
    }
    fields_field *const field = calloc(1, sizeof *field);
    if (!field) {
        snprintf(said, sizeof said, "fields_create: no memory left");
        return NULL;
    }
    const amp_extent2 extent = AMP_EXTENT(rows, cols);
    const amp_accelerator_view place = amp_accelerator_default_view(amp_accelerator_default());
    forget();
    field->now = amp_array_float_2_create_from(extent, place, values, amp_extent2_size(extent));
    if (outcome() == FIELDS_OK)
        field->next = amp_array_float_2_create_on(extent, place);
    if (outcome() == FIELDS_OK)
        return field;
    if (field->now.extent.v[0])
        amp_array_release(&field->now);
    free(field);
    return NULL;
}

static void blur(amp_array_float_2 from, amp_array_float_2 to)
{
    AMP_PARALLEL_FOR_EACH(to.extent, (i, j), AMP_CAPTURE(from, to), {
        const int last_row = to.extent.v[0] - 1;
        const int last_col = to.extent.v[1] - 1;
        const float rows = AMP_AT(from, i > 0 ? i - 1 : 0, j) + AMP_AT(from, i < last_row ? i + 1 : last_row, j);
        const float cols = AMP_AT(from, i, j > 0 ? j - 1 : 0) + AMP_AT(from, i, j < last_col ? j + 1 : last_col);
        AMP_AT(to, i, j) = (AMP_AT(from, i, j) + rows + cols) * 0.2f;
    });
}

int32_t fields_blur(fields_field *field, int32_t times)
{
    if (!field || times < 0)
        return refuse("fields_blur: %s, %d times", field ? "a field" : "no field", (int)times);
    forget();
    for (int i = 0; i < times && outcome() == FIELDS_OK; i++) {
        blur(field->now, field->next);
        amp_swap(&field->now, &field->next);
    }
    return outcome();
}

int32_t fields_read(fields_field *field, int64_t count, float *values)
{
    if (!field || !values)
        return refuse("fields_read: no %s", field ? "values" : "field");
    const size_t size = amp_extent2_size(field->now.extent);
    if (count < 0 || (uint64_t)count != size)
        return refuse("fields_read: the field has %llu numbers, and there is place for %lld", (unsigned long long)size,
                      (long long)count);
    forget();
    amp_copy_out(field->now, values, size);
    return outcome();
}
