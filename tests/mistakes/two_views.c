// SPDX-License-Identifier: MIT
// Two views made from one pointer, in one launch.
// about: views
// says: in and out are two views of the same memory, each made from a pointer
// options: -DAMP_CHECKED
#include "amp.h"

static void twice(const float *from, float *to)
{
    AMP_CONST_ARRAY_VIEW(float, 1, in, from, 64);
    AMP_ARRAY_VIEW(float, 1, out, to, 64);
    AMP_PARALLEL_FOR_EACH(out.extent, (i), AMP_CAPTURE(in, out), { AMP_AT(out, i) = 2 * AMP_AT(in, i); });
}

int main(void)
{
    float p[64] = { 0 };
    twice(p, p);
    return 0;
}
