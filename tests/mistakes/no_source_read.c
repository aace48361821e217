// SPDX-License-Identifier: MIT
// A view of its own memory that the host reads before anything writes it.
// about: host
// says: the host read the view made by AMP_ARRAY_VIEW_NO_SOURCE(float, 1, v)
// options: -DAMP_CHECKED
#include "amp.h"

int main(void)
{
    AMP_ARRAY_VIEW_NO_SOURCE(float, 1, v, 8);
    return AMP_AT(v, 0) > 0;
}
