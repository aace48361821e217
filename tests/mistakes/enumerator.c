// SPDX-License-Identifier: MIT
// An enumerator that is not captured.
// about: captures
// says: an enumerator as AMP_CONSTANT(WIDTH)
#include "amp.h"

enum { WIDTH = 3 };

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = WIDTH; });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
