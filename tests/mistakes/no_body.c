// SPDX-License-Identifier: MIT
// A launch without a body.
// about: captures
// says: the body is missing: it is the last argument
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v));
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
