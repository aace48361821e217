// SPDX-License-Identifier: MIT
// A `float` as an index.
// about: views
// says: amp: AMP_AT(v, ...) takes one integer per dimension, or an amp_index of its rank
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i * 0.5f) = 1; });
    return p[1] == 1 ? 0 : 1;
}
