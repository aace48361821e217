// SPDX-License-Identifier: MIT
// `return` in a body, to end one thread early.
// about: bodies
// says: 'return' with no value, in function returning non-void
// says-clang: cannot return from OpenMP region
// cure: `continue` ends one index
// options: -c
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i == 0)
            return;
        AMP_AT(v, i) = 1;
    });
    return AMP_AT(v, 1) == 1 ? 0 : 1;
}
