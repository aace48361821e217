// SPDX-License-Identifier: MIT
// A local array that is set in part.
// about: bodies
// says: the array 's' of the body has elements that are read
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { float s[2]; s[0] = i; AMP_AT(v, i) = s[0] + s[1]; });
    return AMP_AT(v, 3) > 8;
}
