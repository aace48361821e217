// SPDX-License-Identifier: MIT
// A member of a struct in the capture list.
// about: captures
// says: amp: AMP_CAPTURE takes names, separated by commas; name an expression with AMP_BIND(h, f.height)
#include "amp.h"

struct frame {
    float width, height;
};

int main(void)
{
    float p[8] = { 0 };
    const struct frame f = { 2, 1 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, f.height), { AMP_AT(v, i) = f.height; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
