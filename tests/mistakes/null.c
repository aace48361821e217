// SPDX-License-Identifier: MIT
// A view of nothing.
// about: views
// says: amp: AMP_INVALID_ARGUMENT: AMP_ARRAY_VIEW(float, 1, v): the pointer is NULL; give the address of the data
#include "amp.h"

int main(void)
{
    float *p = NULL;
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
