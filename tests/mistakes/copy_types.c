// SPDX-License-Identifier: MIT
// A copy between different types.
// about: host
// says: amp: amp_copy(source, destination): they must have the same element type
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    int q[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_ARRAY_VIEW(int, 1, w, q, 8);
    amp_copy(v, w);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
