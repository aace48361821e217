// SPDX-License-Identifier: MIT
// A random number of the host's in a body.
// about: bodies
// says: 'rand' keeps its state on the host: compute the number from the index, with amp_random_bits or an AMP_FUNCTION
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (float)rand(); });
    return AMP_AT(v, 0) < 0;
}
