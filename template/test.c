// SPDX-License-Identifier: MIT
#include "blur.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 37, COLS = 53 };

int main(void)
{
    static float in[ROWS][COLS], out[ROWS][COLS];
    int wrong = 0;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            in[row][col] = (float)rand() / (float)RAND_MAX;
    blur(ROWS, COLS, &in[0][0], &out[0][0]);
    for (int row = 1; row < ROWS - 1; row++)
        for (int col = 1; col < COLS - 1; col++) {
            const float right =
                (in[row][col] + in[row - 1][col] + in[row + 1][col] + in[row][col - 1] + in[row][col + 1]) / 5;
            wrong += !(fabsf(out[row][col] - right) < 1e-6f);
        }
    printf("%d elements are wrong\n", wrong);
    return wrong != 0;
}
