// SPDX-License-Identifier: MIT
// A sum with a number that a byte never holds.
// about: bodies
// says: a sum with a number that the type of the element
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static uint8_t p[64];
    AMP_ARRAY_VIEW(uint8_t, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = AMP_AT(v, i) + 300; });
    return AMP_AT(v, 3) > 8;
}
