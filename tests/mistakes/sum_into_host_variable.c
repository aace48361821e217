// SPDX-License-Identifier: MIT
// A sum into a variable of the host.
// about: captures
// says: the body writes 'total', a variable of the host
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    float total = 1;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { total += AMP_AT(v, i); });
    return total > 0 ? 0 : 1;
}
