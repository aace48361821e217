// SPDX-License-Identifier: MIT
// A case without a `break`.
// about: bodies
// says: a case writes and continues in the next case
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static int p[64];
    AMP_ARRAY_VIEW(int, 1, v, p, 64);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), {
        switch (i % 3) {
        case 0: AMP_AT(v, i) = 5;
        case 1: AMP_AT(v, i) = 7; break;
        default: AMP_AT(v, i) = 9;
        }
    });
    return AMP_AT(v, 0) == 5;
}
