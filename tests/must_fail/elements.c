// SPDX-License-Identifier: MIT
// at most: 4 errors, of which the first says it
/* Views and arrays of what is no element type, and uses of them. */
#include "amp_algorithms.h"

void test(float *data);
void test(float *data)
{
    AMP_ARRAY_VIEW(float, 1, v, data, 16);
    (void)v;

#if TEST == 0
    AMP_ARRAY(float, 1, a, 16);
    amp_copy(v, a);
#endif

    // expect: amp: nothing is not an element type
#if TEST == 1 /* a type that was never declared */
    AMP_ARRAY_VIEW(nothing, 1, a, data, 16);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a), { AMP_AT(a, i) += AMP_AT(a, i) * 2; });
#endif

    // expect: amp: nothing is not an element type
#if TEST == 2
    AMP_ARRAY(nothing, 1, a, 16);
    amp_fill(a, 1);
    AMP_PARALLEL_FOR_EACH(a.extent, (i), AMP_CAPTURE(a, v), { AMP_AT(a, i) = AMP_AT(v, i); });
#endif

    // expect: amp: v is not an element type
#if TEST == 3 /* a view for a type */
    AMP_CONST_ARRAY_VIEW(v, 1, a, data, 16);
    (void)a;
#endif

    // expect: amp: nothing is not an element type
#if TEST == 4
    AMP_ARRAY_VIEW_NO_SOURCE(nothing, 1, a, 16);
    AMP_AT(a, 1) = 3;
    amp_copy(v, a);
#endif

    // expect: amp: plain is not an element type
#if TEST == 5 /* a type, of which AMP_DEFINE_ELEMENT makes views */
    typedef struct plain {
        float x;
    } plain;
    AMP_ARRAY_VIEW(plain, 1, a, (plain *)data, 16);
    AMP_AT(a, 0).x = AMP_AT(a, 1).x;
    amp_copy(v, a);
#endif
}
