// SPDX-License-Identifier: MIT
// A local struct with an array although `AMP_NO_PRIVATE_ARRAYS` is set.
// about: functions
// says: in the definition of pair: 'of' is an array, and AMP_NO_PRIVATE_ARRAYS promises that there are none
// options: -DAMP_NO_PRIVATE_ARRAYS
#include "amp.h"

AMP_STRUCT(pair, { float of[2]; });

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        pair both = { { (float)i, 1 } };
        AMP_AT(v, i) = both.of[i % 2];
    });
    return AMP_AT(v, 1) == 1 ? 0 : 1;
}
