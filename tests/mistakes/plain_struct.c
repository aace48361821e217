// SPDX-License-Identifier: MIT
// A struct that is no AMP_STRUCT.
// about: functions
// says: 'range' is not a type on devices: define a struct with AMP_STRUCT
#include "amp.h"

typedef struct range {
    float low, high;
} range;

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        const range r = { 1, 2 };
        AMP_AT(v, i) = r.high;
    });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
