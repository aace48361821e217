// SPDX-License-Identifier: MIT
// A captured scalar that a body adds to.
// about: captures
// says: the body writes 'total', but each thread has its own copy
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    float total = 1;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, total), { total += AMP_AT(v, i); });
    return total > 0 ? 0 : 1;
}
