// SPDX-License-Identifier: MIT
// A captured scalar for a function that writes it.
// about: captures
// says: the body writes 'total', but each thread has its own copy
#include "amp.h"

AMP_FUNCTION(void, add, (float *sum, float x), { *sum += x; })

int main(void)
{
    float p[8] = { 0 };
    float total = 1;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, total), { add(&total, AMP_AT(v, i)); });
    return total > 0 ? 0 : 1;
}
