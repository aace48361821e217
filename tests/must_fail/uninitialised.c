// SPDX-License-Identifier: MIT
/* What gcc warns of in code of the program: the headers leave it on. clang has not this option. */
#if TEST != 0
#pragma GCC optimize("O2")
#pragma GCC diagnostic error "-Wmaybe-uninitialized"
#endif
#include "amp.h"

int test(int n);
int test(int n)
{
#if TEST == 0
    int best = 0;
#endif

// expect: maybe-uninitialized
// needs: -fplan9-extensions
#if TEST == 1 /* on some ways */
    int best;
#endif
    if (n > 3)
        best = n;
    return best;
}
