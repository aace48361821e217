// SPDX-License-Identifier: MIT
// `=` as a capture list, as for C++ lambdas.
// about: captures
// says: there is no = or &
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(=), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
