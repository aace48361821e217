// SPDX-License-Identifier: MIT
// The address of a view where the view is wanted.
// about: host
// says: amp: amp_copy(source, destination) takes views and arrays, not their addresses
#include "amp.h"

int main(void)
{
    float p[8] = { 0 }, q[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_ARRAY_VIEW(float, 1, w, q, 8);
    amp_copy(&v, &w);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
