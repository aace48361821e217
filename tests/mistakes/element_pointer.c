// SPDX-License-Identifier: MIT
// A pointer to an element.
// about: functions
// says: a plain pointer to an element of 'v' does not exist on devices
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        float *element = &AMP_AT(v, i);
        *element = 1;
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
