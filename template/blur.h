// SPDX-License-Identifier: MIT
#ifndef BLUR_H
#define BLUR_H

/* out[row][col] is the mean of in[row][col] and its four neighbours; the border of out is not written. */
void blur(int rows, int cols, const float *in, float *out);

#endif
