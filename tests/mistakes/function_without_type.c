// SPDX-License-Identifier: MIT
// An AMP_FUNCTION without its type.
// about: functions
// says: amp: AMP_FUNCTION(twice, (float x), ...) needs a return type
#include "amp.h"

AMP_FUNCTION(twice, (float x), { return 2 * x; })

int main(void)
{
    return (int)twice(1) == 2 ? 0 : 1;
}
