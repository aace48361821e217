// SPDX-License-Identifier: MIT
#include "blur.h"
#include <amp.h>

void blur(int rows, int cols, const float *in, float *out)
{
    AMP_CONST_ARRAY_VIEW(float, 2, from, in, rows, cols);
    AMP_ARRAY_VIEW(float, 2, to, out, rows, cols);
    AMP_PARALLEL_FOR_EACH(amp_inner(to.extent, 1), (row, col), AMP_CAPTURE(from, to), {
        AMP_AT(to, row, col) = (AMP_AT(from, row, col) + AMP_AT(from, row - 1, col) + AMP_AT(from, row + 1, col) +
                                AMP_AT(from, row, col - 1) + AMP_AT(from, row, col + 1)) / 5;
    });
} /* here the views end, and out has the result */
