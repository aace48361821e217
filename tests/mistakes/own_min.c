// SPDX-License-Identifier: MIT
// A `min` of the file's own in a body.
// about: functions
// says: 'min' is not a function of C: write amp_min, for any arithmetic type
#include "amp.h"

static int min(int x, int y) { return x < y ? x : y; }

int main(void)
{
    int p[8] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = min(i, 3); });
    return AMP_AT(v, 7) == 3 ? 0 : 1;
}
