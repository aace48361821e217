// SPDX-License-Identifier: MIT
// An index without parentheses that is calculated with.
// about: bodies
// says: amp_index_is_no_int_write_it_in_parentheses
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) = 2.0f * i; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
