// SPDX-License-Identifier: MIT
// The name of a view after the pointer.
// about: views
// says-gcc: 'v' undeclared
// says-clang: use of undeclared identifier 'v'
// cure: the next message: first the name, then the pointer
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, p, v, 8);
    return 0;
}
