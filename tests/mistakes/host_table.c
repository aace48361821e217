// SPDX-License-Identifier: MIT
// A table of the file.
// about: captures
// says: 'weights' is an array or pointer of the host
#include "amp.h"

static const float weights[3] = { 1, 2, 1 };

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = weights[i % 3]; });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
