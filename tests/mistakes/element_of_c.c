// SPDX-License-Identifier: MIT
// A view of a type that is not ready made.
// about: views
// says: amp: short is not an element type: write AMP_DEFINE_ELEMENT(short) at file scope
#include "amp.h"

int main(void)
{
    short p[8] = { 0 };
    AMP_ARRAY_VIEW(short, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
