// SPDX-License-Identifier: MIT
// An array that is read before anybody has written it.
// about: views
// says: it reads before, which was never written
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    float p[64];
    AMP_ARRAY(float, 1, before, 64);
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, before), { AMP_AT(v, i) = AMP_AT(before, i); });
    return 0;
}
