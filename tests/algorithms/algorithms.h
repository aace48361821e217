/* SPDX-License-Identifier: MIT */
/*  algorithms.h - what the tests of algorithms share */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include "test.h"

#include <stdlib.h>

#include "amp_algorithms.h"
#include "inside.h"

AMP_STRUCT(body, { float x, y, z; });
AMP_DEFINE_ELEMENT(body);

/* Where two calls have one text, devices are spared the second: it runs on the CPU backend. */
static inline amp_accelerator_view on_cpu(void)
{
    return amp_accelerator_default_view(amp_accelerator_from_path("cpu"));
}

static inline bool same_bits(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

static inline bool holds(amp_array_view_int_1 v, int n, const int *want)
{
    for (int i = 0; i < n; i++)
        if (AMP_AT(v, i) != want[i])
            return false;
    return true;
}
#define check_holds(v, ...) check(holds(v, (int)(sizeof((int[])__VA_ARGS__) / sizeof(int)), (int[])__VA_ARGS__))

#endif /* ALGORITHMS_H */
