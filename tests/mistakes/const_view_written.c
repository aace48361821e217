// SPDX-License-Identifier: MIT
// A const view that is written.
// about: views
// says: assignment of read-only location
// says-clang: read-only variable is not assignable
// cure: `AMP_ARRAY_VIEW`
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_CONST_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
