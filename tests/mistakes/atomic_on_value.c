// SPDX-License-Identifier: MIT
// An atomic function on an element instead of its address.
// about: races
// says: amp: amp_atomic_fetch_add(p, ...): p must be the address of an int, an unsigned, a 64-bit integer or
#include "amp.h"

int main(void)
{
    int sum[1] = { 0 };
    AMP_ARRAY_VIEW(int, 1, s, sum, 1);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(8), (i), AMP_CAPTURE(s), { amp_atomic_fetch_add(AMP_AT(s, 0), i); });
    return AMP_AT(s, 0) == 28 ? 0 : 1;
}
