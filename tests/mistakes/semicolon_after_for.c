// SPDX-License-Identifier: MIT
// A `;` between the head of a loop and its body.
// about: bodies
// says: `for (...);` ends at its `;`, and what follows is not its body: remove the `;`
// options: -Wno-empty-body
// (clang has a warning of its own, by default, for each copy of the body)
#include "amp.h"

int main(void)
{
    float p[8] = { 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        for (int k = 0; k < 4; k++);
        {
            AMP_AT(v, i) += 1;
        }
    });
    return AMP_AT(v, 1) > 9;
}
