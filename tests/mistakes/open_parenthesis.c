// SPDX-License-Identifier: MIT
// A parenthesis that is not closed, in a body.
// about: bodies
// says-gcc: unterminated argument list invoking macro "AMP_PARALLEL_FOR_EACH"
// says-clang: unterminated function-like macro invocation
// cure: close it; a body is an argument of a macro, which ends with its parenthesis
#include "amp.h"

int main(void)
{
    float p[8] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 8);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (1 + 2; });
    return AMP_AT(v, 0) == 3 ? 0 : 1;
}
