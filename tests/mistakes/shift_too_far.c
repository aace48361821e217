// SPDX-License-Identifier: MIT
// A shift of an int by an index of 32 and more.
// about: bodies
// says: an integer is shifted by as many bits as it has, or more, for the last index
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[64] = { 1 };
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        AMP_AT(v, i) = 1 << i;
    });
    return AMP_AT(v, 1) > 100;
}
