// SPDX-License-Identifier: MIT
// The extent before the pointer.
// about: views
// says: amp: AMP_ARRAY_VIEW(float, 1, v, ...) takes a pointer, and then as many integer extents as it has dimensions
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, 8, p);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
