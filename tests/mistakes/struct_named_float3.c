// SPDX-License-Identifier: MIT
// A struct with the name of a type of OpenCL C's.
// about: functions
// says: 'float3' is a built-in type of OpenCL C
#include "amp.h"

typedef struct float3 {
    float x, y, z;
} float3;
AMP_DEFINE_ELEMENT(float3)

int main(void)
{
    float3 p[8] = { { 0, 0, 0 } };
    AMP_ARRAY_VIEW(float3, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i).z = 1; });
    return AMP_AT(v, 7).z > 0 ? 0 : 1;
}
