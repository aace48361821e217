// SPDX-License-Identifier: MIT
// The body of an AMP_FUNCTION behind its parentheses.
// about: functions
// says: amp: AMP_FUNCTION(float, twice, ...) has no body
#include "amp.h"

AMP_FUNCTION(float, twice, (float x)) { return 2 * x; }

int main(void)
{
    return (int)twice(1) == 2 ? 0 : 1;
}
