// SPDX-License-Identifier: MIT
// A function that counts in the view that the body gives it.
// about: races
// says: every index changes the same element of 'count', so that changes are lost
#include "amp.h"

AMP_FUNCTION(void, increase, (amp_array_view_int_1 v, int k), { AMP_AT(v, k) += 1; })

int main(void)
{
    int counted[2] = { 0, 0 };
    AMP_ARRAY_VIEW(int, 1, count, counted, 2);
    AMP_PARALLEL_FOR_EACH(AMP_EXTENT(64), (i), AMP_CAPTURE(count), { increase(count, 1); });
    return AMP_AT(count, 0) > 64;
}
