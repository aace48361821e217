// SPDX-License-Identifier: MIT
// A backend whose name is misspelt.
// about: compiling
// says: amp: there is no such backend
// options: -DAMP_BACKEND_OPENCl
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
