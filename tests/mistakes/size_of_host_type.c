// SPDX-License-Identifier: MIT
// The size of a type that devices do not have.
// about: functions
// says: 'max_align_t' in a sizeof is not captured, and no type on devices
#include "amp.h"

#include <stddef.h>

int main(void)
{
    int p[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (int)sizeof(max_align_t); });
    return AMP_AT(v, 0) > 0 ? 0 : 1;
}
