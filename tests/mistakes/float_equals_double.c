// SPDX-License-Identifier: MIT
// A float that is compared with a double that no float equals.
// about: bodies
// says: no float equals 0.3, a double: == is never true
#include "amp.h"

int main(void)
{
    float p[8] = { 0.3f };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (AMP_AT(v, i) == 0.3)
            AMP_AT(v, i) = 1;
    });
    return AMP_AT(v, 1) > 2;
}
