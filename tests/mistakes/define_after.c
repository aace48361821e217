// SPDX-License-Identifier: MIT
// AMP_BACKEND_OPENCL defined after the include.
// about: compiling
// says: amp: AMP_BACKEND_OPENCL is defined after amp.h was included
#include "amp.h"
#define AMP_BACKEND_OPENCL

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
