// SPDX-License-Identifier: MIT
// `min` in a body, which C does not have.
// about: bodies
// options: -Werror=implicit-function-declaration
// says-gcc: implicit declaration of function 'min'
// says-clang: implicit declaration of function 'min' is invalid in C99
// cure: `amp_min(x, y)`; also `amp_max`, `amp_clamp`
#include "amp.h"

int main(void)
{
    int p[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = min(i, 3); });
    return AMP_AT(v, 7) == 3 ? 0 : 1;
}
