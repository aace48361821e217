// SPDX-License-Identifier: MIT
// The size of a view, for the number of its elements, in a body.
// about: views
// says: sizeof v is the size of a struct of the library, not of the elements
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (float)(sizeof(v) / sizeof(float)); });
    return AMP_AT(v, 0) > 64;
}
