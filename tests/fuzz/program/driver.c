// SPDX-License-Identifier: MIT
/*  driver.c - runs the cases of a generated program, as kernels and as plain C, on the same input, and compares what
    they leave. Prints a line for each case that begins, and each that differs, and how many kernels were launched.
    Status 1 where one differs, 2 where one ended the process.

        program INPUTS [CASE]     all cases, or this one, each on so many inputs */
#include "cases.h"

#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t current = -1;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = *state ^ (*state >> 29);
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 32);
}

static void fill(const fuzz_buffer *b, void *memory, uint64_t seed)
{
    static const uint64_t special[] = {
        0, 1, UINT64_MAX, INT64_MAX, (uint64_t)INT64_MIN, INT32_MAX, (uint64_t)INT32_MIN, 127, 128, 255, 32768, 2
    };
    unsigned char *const bytes = memory;
    for (int i = 0; i < b->elements; i++) {
        const uint64_t x = next_random(&seed);
        const double d = (double)(x >> 20 & 2047) * 0.25 - 256;
        const float f = (float)d;
        const uint16_t half = (uint16_t)(0x3c00 | (x & 0x83ff)); /* 1 to 2, and -1 to -2 */
        uint64_t integer = x % 4 ? x >> 2 : special[x / 4 % (sizeof special / sizeof *special)];
        integer = x % 8 == 3 ? x >> 58 : integer;
        const void *const from = b->type == FUZZ_float    ? (const void *)&f
                                 : b->type == FUZZ_double ? (const void *)&d
                                 : b->type == FUZZ_half   ? (const void *)&half
                                                          : &integer;
        memcpy(bytes + (size_t)i * b->size, from, b->size); /* of integers the low bytes: little-endian hosts */
    }
}

static double as_double(const fuzz_buffer *b, const void *element)
{
    float f = 0;
    double d = 0;
    if (b->type == FUZZ_double)
        memcpy(&d, element, sizeof d);
    else
        memcpy(&f, element, sizeof f), d = (double)f;
    return d;
}

static int same(const fuzz_buffer *b, const void *got, const void *want)
{
    if (memcmp(got, want, b->size) == 0)
        return 1;
    if (b->type != FUZZ_float && b->type != FUZZ_double)
        return 0;
    const double x = as_double(b, got), y = as_double(b, want);
    return b->loose ? fabs(x - y) <= 1e-4 * (1 + fabs(y)) : x == y;
}

static void show(const fuzz_buffer *b, const void *element)
{
    uint64_t bits = 0;
    memcpy(&bits, element, b->size);
    if (b->type == FUZZ_float || b->type == FUZZ_double)
        printf("%.9g", as_double(b, element));
    else
        printf("0x%llx", (unsigned long long)bits);
}

static int compare(const fuzz_case *c, void *const *got, void *const *want)
{
    for (int k = 0; k < c->buffers; k++) {
        const fuzz_buffer *const b = &c->buffer[k];
        int different = 0, first = -1;
        for (int i = 0; i < b->elements; i++) {
            const size_t at = (size_t)i * b->size;
            if (same(b, (const char *)got[k] + at, (const char *)want[k] + at))
                continue;
            first = different++ ? first : i;
        }
        if (different == 0)
            continue;
        printf("case %d: v%d[%d] is ", c->number, k, first);
        show(b, (const char *)got[k] + (size_t)first * b->size);
        printf(", plain C has ");
        show(b, (const char *)want[k] + (size_t)first * b->size);
        printf("; %d of %d differ\n", different, b->elements);
        return 1;
    }
    return 0;
}

/* Names the case that ended the process. */
static void ended(int signal)
{
    char line[64];
    const int length = snprintf(line, sizeof line, "case %d: signal %d\n", (int)current, signal);
    if (write(STDOUT_FILENO, line, (size_t)length) < 0)
        _exit(3);
    _exit(2);
}

static int run_case(const fuzz_case *target, const fuzz_case *reference, int input)
{
    void *memory[2][8] = { { 0 } };
    for (int k = 0; k < target->buffers; k++)
        for (int which = 0; which < 2; which++) {
            const fuzz_buffer *const b = &target->buffer[k];
            memory[which][k] = malloc((size_t)b->elements * b->size);
            if (!memory[which][k])
                exit(3);
            fill(b, memory[which][k], (uint64_t)((target->number * 16 + k + 1) * 64 + input));
        }
    reference->run(memory[1]);
    target->run(memory[0]);
    const int status = compare(target, memory[0], memory[1]);
    for (int k = 0; k < target->buffers; k++) {
        free(memory[0][k]);
        free(memory[1][k]);
    }
    return status;
}

int main(int count, char **arguments)
{
    static const int signals[] = { SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGALRM };
    int launches = 0, different = 0;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], ended);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const int inputs = count > 1 ? atoi(arguments[1]) : 1;
    for (int i = 0; fuzz_target[i].run; i++) {
        if (count > 2 && atoi(arguments[2]) != fuzz_target[i].number)
            continue;
        current = fuzz_target[i].number;
        printf("at %d\n", (int)current); /* a driver may end the process without a signal that can be caught */
        int differs = 0;
        for (int input = 0; input < inputs && !differs; input++) {
            alarm(300);
            differs = run_case(&fuzz_target[i], &fuzz_reference[i], input);
            launches += fuzz_target[i].launches;
        }
        different += differs;
    }
    printf("launches %d, differ %d\n", launches, different);
    return different > 0;
}
