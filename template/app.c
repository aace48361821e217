// SPDX-License-Identifier: MIT
#include "blur.h"
#include <stdio.h>

enum { ROWS = 5, COLS = 9 };

int main(void)
{
    static float in[ROWS][COLS], out[ROWS][COLS];
    in[2][4] = 100;
    blur(ROWS, COLS, &in[0][0], &out[0][0]);
    for (int row = 0; row < ROWS; row++) {
        for (int col = 0; col < COLS; col++)
            printf("%4.0f", (double)out[row][col]);
        printf("\n");
    }
    return 0;
}
