// SPDX-License-Identifier: MIT
// A copy between different sizes.
// about: host
// says: amp_copy: the source's extent is 8 in dimension 0, the destination's is 6; they must be equal
#include "amp.h"

int main(void)
{
    float p[8] = { 0 }, q[6] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_ARRAY_VIEW(float, 1, w, q, 6);
    amp_copy(v, w);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
