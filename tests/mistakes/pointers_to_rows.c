// SPDX-License-Identifier: MIT
// A view of pointers to rows.
// about: views
// says: the memory holds pointers, perhaps to rows: a view needs its elements in one block, float p[rows][columns] or
#include "amp.h"

int main(void)
{
    float p[64] = { 0 };
    AMP_ARRAY_VIEW(float, 1, v, p, 64);
    float *rows[4] = { p, p + 16, p + 32, p + 48 };
    AMP_ARRAY_VIEW(float, 2, w, rows, 4, 16);
    AMP_AT(w, 0, 0) = 1;
    return AMP_AT(v, 0) == 1 ? 0 : 1;
}
