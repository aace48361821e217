// SPDX-License-Identifier: MIT
// A string of wide characters in a body.
// about: bodies
// says: L"ab" is a string of wide characters, which devices do not have
#include "amp.h"
#include <wchar.h>

int main(void)
{
    int p[3] = { 0 };
    AMP_ARRAY_VIEW(int, 1, v, p, 3);
    AMP_PARALLEL_FOR_EACH(v.extent, (i), AMP_CAPTURE(v), { AMP_AT(v, i) = (int)L"ab"[i]; });
    return AMP_AT(v, 0);
}
