// SPDX-License-Identifier: MIT
// A product of two ints that does not fit an int.
// about: bodies
// says: a product of two ints is greater than an int holds, of the last index: write (int64_t) before its first factor
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static int64_t p[64];
    const int large = 100000000;
    AMP_ARRAY_VIEW(int64_t, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v, large), { AMP_AT(v, i) = i * large; });
    return AMP_AT(v, 0) > 1;
}
