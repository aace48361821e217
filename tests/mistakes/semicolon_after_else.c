// SPDX-License-Identifier: MIT
// A `;` behind `else`.
// about: bodies
// says: `else;` ends at its `;`, and what follows is done in any case: remove the `;`
// options: -Wno-empty-body -Wno-misleading-indentation
#include "amp.h"

int main(void)
{
    float p[64] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    // clang-format off
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        if (i > 3)
            AMP_AT(v, i) = 1;
        else;
            AMP_AT(v, i) = 2;
    });
    // clang-format on
    return AMP_AT(v, 9) > 1.5f;
}
