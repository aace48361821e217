// SPDX-License-Identifier: MIT
// A view given to a function of a const view.
// about: views
// says-gcc: incompatible type for argument 1 of 'first'
// says-clang: passing 'typeof
// cure: `first(amp_as_const(v))`
#include "amp.h"

static float first(amp_const_array_view_float_1 v) { return AMP_AT(v, 0); }

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    return first(v) > 0 ? 1 : 0;
}
