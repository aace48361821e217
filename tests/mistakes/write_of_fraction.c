// SPDX-License-Identifier: MIT
// A fraction that amp_write gives an element of a view of integers.
// about: views
// says: warning: amp_write(share, ...) at write_of_fraction.c:13: the elements are integers, and the value 0.7
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    int p[8] = { 1 };
    const float share = 0.7f;
    AMP_ARRAY_VIEW(int, 1, v, p, 8);
    amp_write(share, v, 3);
    return amp_read(v, 3);
}
