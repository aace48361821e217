// SPDX-License-Identifier: MIT
// A view of another type than the memory.
// about: views
// says: amp: AMP_ARRAY_VIEW(float, 1, v, ...): the memory does not have elements of type float: change the type of the view
#include "amp.h"

int main(void)
{
    int p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
