// SPDX-License-Identifier: MIT
// A comparison with NAN.
// about: bodies
// says: nothing equals NAN: == is never true, and != always; write isnan(x)
#include "amp.h"
#include <math.h>

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (AMP_AT(v, i) == NAN)
            AMP_AT(v, i) = 0;
    });
    return AMP_AT(v, 1) > 100;
}
