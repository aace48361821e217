// SPDX-License-Identifier: MIT
// A view of a type of two words.
// about: views
// says: amp: an element type must be one word, but unsigned char is several: use uint8_t for unsigned char
#include "amp.h"

int main(void)
{
    unsigned char p[8] = { 0 };
    AMP_ARRAY_VIEW(unsigned char, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
