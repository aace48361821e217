// SPDX-License-Identifier: MIT
// A view that is larger than the array.
// about: views
// says: amp: AMP_INVALID_ARGUMENT: AMP_ARRAY_VIEW(float, 2, v): the extent is (4, 12), and the array has only 24
#include "amp.h"

int main(void)
{
    float image[4][6] = { { 0 } };
    AMP_ARRAY_VIEW(float, 2, v, image, 4, 12);
    return AMP_AT(v, 0, 0) == 1 ? 0 : 1;
}
