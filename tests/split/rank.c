// SPDX-License-Identifier: MIT
/*  split/rank.c - a view of rank 4 from a function, which AMP_SPLIT has where AMP_MAX_RANK is defined, and one from
    AMP_ARRAY_VIEW, which needs no option (unless NAMED is defined); the exit status is 0 when all is right. */
#include "amp.h"

int main(void)
{
    static int values[16];
#if defined(NAMED)
    amp_array_view_int_4 v = amp_array_view_int_4_create(values, AMP_EXTENT(2, 2, 2, 2));
    AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) = 7; });
    amp_array_view_release(&v);
#else
    {
        AMP_ARRAY_VIEW(int, 4, v, values, 2, 2, 2, 2);
        AMP_PARALLEL_FOR_EACH(v.extent, i, AMP_CAPTURE(v), { AMP_AT(v, i) = 7; });
    }
#endif
    return values[15] != 7;
}
