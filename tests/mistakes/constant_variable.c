// SPDX-License-Identifier: MIT
// A variable as AMP_CONSTANT.
// about: captures
// says-gcc: initializer element is not
// says-clang: amp: AMP_CONSTANT is for enumerators and other constants; capture a variable by its name alone
// cure: capture a variable by its name alone
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    int size = 4;
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, AMP_CONSTANT(size)), { AMP_AT(v, i) = (float)size; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
