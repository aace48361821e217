// SPDX-License-Identifier: MIT
// The memory before the view that is copied out.
// about: host
// says: amp: amp_copy_out(v, p, count): p is memory of the host, and v a view or array by value
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_copy_out(p, v, 64);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
