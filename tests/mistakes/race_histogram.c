// SPDX-License-Identifier: MIT
// A histogram without an atomic.
// about: races
// says: every index changes an element of 'h', which has fewer elements than the launch has indexes
#include "amp.h"

int main(void)
{
    int counts[4] = { 0 };
    uint8_t pixels[64] = { 1, 2, 3 };
    AMP_CONST_ARRAY_VIEW(uint8_t, 1, v, pixels, 64);
    AMP_ARRAY_VIEW(int, 1, h, counts, 4);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, h), { AMP_AT(h, AMP_AT(v, i))++; });
    return AMP_AT(h, 0) != 61;
}
