// SPDX-License-Identifier: MIT
// A view on the host before its new name.
// about: host
// says-gcc: 'h' undeclared
// says-clang: use of undeclared identifier 'h'
// cure: the next message: AMP_HOST_VIEW(h, v)
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_HOST_VIEW(v, h);
    return 0;
}
