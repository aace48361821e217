// SPDX-License-Identifier: MIT
/*  cases.h - the table of a generated program's cases, which driver.c runs. */
#ifndef CASES_H
#define CASES_H

#include <stddef.h>

typedef enum fuzz_type {
    FUZZ_int8_t,
    FUZZ_uint8_t,
    FUZZ_int16_t,
    FUZZ_uint16_t,
    FUZZ_int,
    FUZZ_uint32_t,
    FUZZ_int64_t,
    FUZZ_uint64_t,
    FUZZ_float,
    FUZZ_double,
    FUZZ_half
} fuzz_type;

typedef struct fuzz_buffer {
    fuzz_type type;
    size_t size; /* of an element */
    int elements;
    int loose; /* results may differ in the last bits */
} fuzz_buffer;

typedef struct fuzz_case {
    int number, launches, buffers;
    const fuzz_buffer *buffer;
    void (*run)(void *const *memory);
} fuzz_case;

/* Ends with an entry that has no function. */
extern const fuzz_case fuzz_target[], fuzz_reference[];

#endif
