// SPDX-License-Identifier: MIT
// A device that is not there.
// about: host
// says: amp: AMP_INVALID_ARGUMENT: AMP_ACCELERATOR is "voodoo", but no accelerator has that in its path or description
// environment: AMP_ACCELERATOR=voodoo
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
