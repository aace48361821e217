/* SPDX-License-Identifier: MIT */
/*  library/fields.h - a library as other languages see it: plain C, with nothing of amp.h in it.

    Errors    a function gives FIELDS_OK or what failed; fields_error() says it in a sentence to the thread that failed
    Memory    what a function is given stays the caller's, and is not looked at after the function has returned;
              a field is the library's, until fields_release
    Threads   any thread may call anything; one field is for one thread at a time.                         */
#ifndef FIELDS_H
#define FIELDS_H

#include <stdint.h>

#if defined(_WIN32) && defined(FIELDS_BUILD)
#define FIELDS_API __attribute__((dllexport))
#elif defined(_WIN32)
#define FIELDS_API
#else
#define FIELDS_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { FIELDS_OK, FIELDS_BAD_ARGUMENT, FIELDS_OUT_OF_MEMORY, FIELDS_FAILED };

/* What this thread's last failed call has to say; "" when none failed. Good until the next one fails on this thread. */
FIELDS_API const char *fields_error(void);

/* What kernels run on; the pointer stays good. */
FIELDS_API const char *fields_device(void);

/* y[i] += a * x[i]. The two do not overlap. */
FIELDS_API int32_t fields_saxpy(int64_t count, float a, const float *x, float *y);

/* Sorts in place. */
FIELDS_API int32_t fields_sort(int64_t count, float *values);

/* A field of rows * cols numbers, where kernels run, and stay there from call to call. */
typedef struct fields_field fields_field;

/* Copies rows * cols values. NULL when that fails. */
FIELDS_API fields_field *fields_create(int32_t rows, int32_t cols, const float *values);

/* Each number becomes the mean of itself and its four neighbours, so many times; beyond the edges the edge repeats. */
FIELDS_API int32_t fields_blur(fields_field *field, int32_t times);

/* Copies all values to a place for `count` of them, which must be rows * cols. */
FIELDS_API int32_t fields_read(fields_field *field, int64_t count, float *values);

/* NULL is welcome. */
FIELDS_API void fields_release(fields_field *field);

#ifdef __cplusplus
}
#endif

#endif /* FIELDS_H */
