// SPDX-License-Identifier: MIT
// A view that may write on memory that is const.
// about: views
// says: initialization discards 'const' qualifier
// says-clang: discards qualifiers
// cure: `AMP_CONST_ARRAY_VIEW`
#include "amp.h"

int main(void)
{
    const float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = 1; });
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
