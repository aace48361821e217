// SPDX-License-Identifier: MIT
// A reduction of structs without AMP_DEFINE_ELEMENT.
// about: algorithms
// says: amp: moments is not an element type: write AMP_DEFINE_ELEMENT(moments)
#include "amp_algorithms.h"

AMP_STRUCT(moments, { double sum, squares; });
AMP_FUNCTION(moments, add, (moments a, moments b), {
    return (moments){ a.sum + b.sum, a.squares + b.squares };
})
AMP_FUNCTION(moments, moments_of, (double v), { return (moments){ v, v * v }; })

int main(void)
{
    moments m = { 0, 0 };
    AMP_REDUCE(moments, m, AMP_EXTENT(8), (i), AMP_CAPTURE(), moments_of(i), add(a, b), ((moments){ 0, 0 }));
    return m.sum == 28 ? 0 : 1;
}
