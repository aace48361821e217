// SPDX-License-Identifier: MIT
/* A checked build of expressions for views: without a warning, and refused as in any build. */
#define AMP_CHECKED
#include "amp.h"

#ifndef TEST
#define TEST 0
#endif

float f(amp_array_view_float_1 v, amp_array_view_float_2 table);
float f(amp_array_view_float_1 v, amp_array_view_float_2 table)
{
#if TEST == 0
    return AMP_AT(amp_as_const(amp_section(v, 2, 1)), 0) +
           AMP_AT(amp_as_const(amp_section(amp_section(table, 1, 1, 4, 4), 1, 1, 2, 2)), 0, 0);
#endif

// expect: amp: amp_section(view, ...) takes an index and an extent of the rank of the view
#if TEST == 1
    return AMP_AT(v, 0) + (float)amp_section(table, 1, 1).extent.v[0];
#endif
}

int main(void) { return 0; }
