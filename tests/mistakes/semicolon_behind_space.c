// SPDX-License-Identifier: MIT
// A `;` behind the condition of an `if`, and a space before it.
// about: bodies
// says: an `if` or a loop ends at its `;`
// options: -DAMP_CHECKED -Wno-empty-body
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    // clang-format off
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i > 3) ;
            AMP_AT(v, i) = 1;
    });
    // clang-format on
    return AMP_AT(v, 1) > 1.5f;
}
