// SPDX-License-Identifier: MIT
// A copy to an array that is shorter than the view.
// about: host
// says: amp_copy_out: 16 elements of host memory for an extent of 64 elements; they must be as many
#include "amp.h"

int main(void)
{
    float result[16];
    AMP_ARRAY(float, 1, squares, 64);
    AMP_PARALLEL_FOR_EACH(squares.extent, (i), AMP_CAPTURE(squares), { AMP_AT(squares, i) = (float)(i * i); });
    amp_copy_out(squares, result);
    amp_array_release(&squares);
    return result[3] == 9 ? 0 : 1;
}
