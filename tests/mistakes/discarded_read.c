// SPDX-License-Identifier: MIT
// An element that is read after its view was discarded.
// about: views
// says: amp_read reads elements of the view made by AMP_ARRAY_VIEW(float, 1, v) at
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_array_view_discard_data(&v);
    return amp_read(v, 3) > 0;
}
