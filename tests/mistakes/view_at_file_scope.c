// SPDX-License-Identifier: MIT
// A view at file scope.
// about: views
// says-gcc: braced-group within expression allowed only inside a function
// says-clang: statement expression not allowed at file scope
// cure: a view is made in a function, when the program runs; others are given it: `amp_array_view_float_1 v`
#include "amp.h"

static float p[8];
AMP_ARRAY_VIEW(float, 1, v, p, 8);

int main(void)
{
    return 0;
}
