// SPDX-License-Identifier: MIT
// A view that the host reads after it was discarded.
// about: views
// says: the host read the view made by
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    static float p[64];
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    amp_array_view_discard_data(&v);
    return AMP_AT(v, 3) > 0;
}
