// SPDX-License-Identifier: MIT
// A `float` as one of two indexes.
// about: views
// says: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 2, v, p, 2, 4);
    AMP_PARALLEL_FOR_EACH(v.extent, (row, col), AMP_CAPTURE(v), { AMP_AT(v, row, col * 0.5f) = 1; });
    return p[1] == 1 ? 0 : 1;
}
