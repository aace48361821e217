// SPDX-License-Identifier: MIT
// A file that ends with an AMP_FUNCTION.
// about: compiling
// says-gcc: expected identifier or '(' at end of input
// says-clang: expected external declaration
// cure: write a semicolon behind the last `AMP_FUNCTION`, `AMP_STRUCT`, `AMP_TABLE` or `AMP_TYPEDEF` of a file
#include "amp.h"

int main(void)
{
    return 0;
}

AMP_FUNCTION(float, twice, (float x), { return 2 * x; })
