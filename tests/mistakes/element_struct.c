// SPDX-License-Identifier: MIT
// A view of `struct point`.
// about: views
// says: amp: an element type must be one word, but struct point is several
#include "amp.h"

struct point {
    float x, y;
};

int main(void)
{
    struct point p[8] = { { 0 } };
    AMP_ARRAY_VIEW(struct point, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i).x = 1; });
    return AMP_AT(v, 0).x == 1 ? 0 : 1;
}
