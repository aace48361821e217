// SPDX-License-Identifier: MIT
// An array whose length is a variable.
// about: bodies
// says: the length of the array 'own' must be a constant
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    const int count = 2 + (p[0] > 0);
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, count), {
        float own[count];
        own[0] = 1;
        AMP_AT(v, i) = own[0];
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
