// SPDX-License-Identifier: MIT
// A copy to a pointer.
// about: host
// says: takes views and arrays, not their addresses; plain memory is copied by amp_copy_in and amp_copy_out
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    float q[64];
    amp_copy(v, q);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
