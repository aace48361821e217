// SPDX-License-Identifier: MIT
// The extents of an array of arrays the other way round.
// about: views
// says: amp: AMP_INVALID_ARGUMENT: AMP_ARRAY_VIEW(float, 2, v): the extent is (6, 4), and the array has rows of 6: rows
#include "amp.h"

enum { ROWS = 4, COLUMNS = 6 };
int main(void)
{
    float image[ROWS][COLUMNS] = { { 0 } };
    AMP_ARRAY_VIEW(float, 2, v, image, COLUMNS, ROWS);
    return AMP_AT(v, 0, 0) == 1 ? 0 : 1;
}
