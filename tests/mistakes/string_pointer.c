// SPDX-License-Identifier: MIT
// A pointer to a string.
// about: captures
// says: 'name' points to a string, which devices keep in separate memory
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        const char *name = "a";
        AMP_AT(v, i) = name[0] == 'a' ? 1 : 2;
    });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
